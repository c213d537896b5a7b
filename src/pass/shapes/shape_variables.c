/* SPDX-License-Identifier: Apache-2.0 */
/* shape_variables: creates the variables that the leaves of a resource become.
 *
 * They replace the variable in place, and the first one keeps its id, so that later debug information stays valid. The
 * types and constants they need go immediately before it, since the types and lengths of the old arrays are declared by
 * then. Decorations of the variable, and of the members on the path to a leaf, go to the leaf. */
#include "analysis/source/source.h"
#include "pass/shapes/shape.h"

/* Decorations of the variable apply to each of its leaves. Binding is that of the whole run; the layout adds the leaf's
 * offset. Location does not go to them: glslang writes it on opaque uniforms that have one in the source, but resources
 * have no location (VUID-StandaloneSpirv-Location-06672). `except`: nor does this one. */
static void copy_decorations(struct shapes *p, uint32_t from, uint32_t to, SpvDecoration except)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_note[from]; i < m->first_note[from + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) == SpvOpDecorate && spb_length(m, at) <= 5 &&
		    m->words[at + 2] != SpvDecorationLocation && m->words[at + 2] != (uint32_t)except)
			spb_add_decoration(p->e, to, m->words[at + 2], m->words + at + 3, spb_length(m, at) - 3);
	}
}

/* The product of the lengths of a leaf's arrays, computed at pipeline creation if one is a specialization constant. */
static uint32_t make_length(struct shapes *p, const struct leaf *leaf, spb_at before)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = p->e;
	const uint32_t *lengths = p->model.words.items + leaf->first_length;
	uint32_t type = spb_type_of(m, lengths[0]), product = lengths[0];

	if (leaf->dims > 1 && leaf->count) {
		uint32_t number = spb_uint_type(e);
		product = type == number ? spb_find_made(e, SpvOpConstant, W(type, leaf->count)) : 0;
		if (product && (product >= m->bound || m->def[product] < before)) /* emitted by this pass for an earlier
										   * variable */
			return product;
		product = spb_new_id(e);
		if (type == number)
			spb_note_made(e, SpvOpConstant, W(type, leaf->count), product);
		spb_insert(e, before, SpvOpConstant, W(type, product, leaf->count));
		return product;
	}
	for (uint32_t i = 1; i < leaf->dims; i++) {
		uint32_t next = spb_new_id(e);
		spb_insert(e, before, SpvOpSpecConstantOp, W(type, next, SpvOpIMul, product, lengths[i]));
		product = next;
	}
	return product;
}

static uint32_t make_array(struct shapes *p, const struct leaf *leaf, spb_at before)
{
	struct spb_edit *e = p->e;

	if (!leaf->dims)
		return leaf->type;
	if (!p->model.words.items[leaf->first_length]) {
		uint32_t array = spb_new_id(e);
		spb_insert(e, before, SpvOpTypeRuntimeArray, W(array, leaf->type));
		return array;
	}
	uint32_t length = make_length(p, leaf, before), array = spb_new_id(e);
	spb_insert(e, before, SpvOpTypeArray, W(array, leaf->type, length));
	return array;
}

/* "gPairs.b" in the layout is "gPairs_b" in SPIR-V, a name that most source languages could spell. */
static void name_variable(struct shapes *p, const char *declared, const char *path, uint32_t id)
{
	struct spb_text_buffer name = {.arena = p->arena};

	if (!*declared)
		return;
	spb_text_format(&name, "%s%s", declared, path);
	spb_text_end(&name);
	for (size_t i = strlen(declared); i < name.count; i++) {
		if (name.items[i] == '.')
			name.items[i] = '_';
	}
	spb_add_name(p->e, id, name.items);
}

static void remove_name(struct shapes *p, uint32_t id)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		if (spb_op(m, m->note[i].at) == SpvOpName)
			spb_remove(p->e, m->note[i].at);
	}
}

static void remove_location(struct shapes *p, uint32_t id)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] == SpvDecorationLocation)
			spb_remove(p->e, at);
	}
}

static void make_leaf(struct shapes *p, const struct root *r, struct leaf *leaf, const char *declared, const char *path,
		      bool keeps_id)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = p->e;
	spb_at at = m->def[r->variable];
	uint32_t storage_class =
	    p->model.cells[leaf->type] ? (uint32_t)SpvStorageClassUniformConstant : r->storage_class;
	uint32_t array = make_array(p, leaf, at), pointer = p->model.of_type[leaf->dims ? 0 : leaf->type];
	const uint32_t *said = p->model.words.items + leaf->first_length + leaf->dims;

	if (!pointer || m->def[pointer] > at) {
		pointer = spb_new_id(e);
		spb_insert(e, at, SpvOpTypePointer, W(pointer, storage_class, array));
	}
	if (keeps_id) {
		leaf->variable = r->variable;
		spb_replace(e, at, SpvOpVariable, W(pointer, leaf->variable, storage_class));
	} else {
		leaf->variable = spb_new_id(e);
		spb_insert(e, spb_next(m, at), SpvOpVariable, W(pointer, leaf->variable, storage_class));
		copy_decorations(p, r->variable, leaf->variable,
				 r->loose ? SpvDecorationBinding : SpvDecorationLocation);
	}
	for (uint32_t i = 0; i < leaf->said_count; i++)
		spb_add_decoration(e, leaf->variable, said[i], NULL, 0);
	if (*leaf->path)
		name_variable(p, declared, path, leaf->variable);
}

/* A block keeps its id and its binding. The data of any other struct comes after its descriptors, because the number
 * belongs to those (in HLSL, the register of a struct is that of its resources). */
static bool data_is_first(const struct shapes *p, const struct root *r)
{
	return r->has_data && spb_decoration(p->m, p->model.nodes.items[r->node].type, SpvDecorationBlock);
}

/* The whole is known by the name of its block type, if it has one, otherwise by its own. */
static const char *declared_name(const struct shapes *p, const struct root *r)
{
	const struct spb_module *m = p->m;
	const struct leaf *first = &p->model.leaves.items[r->first_leaf];
	const char *name = spb_id_name(m, r->variable);

	bool first_data = data_is_first(p, r);
	uint32_t block = first_data ? p->model.nodes.items[r->node].type : first->type;
	if ((first_data || r->leaf_count == 1) && spb_def_op(m, block) == SpvOpTypeStruct && *spb_id_name(m, block))
		name = spb_id_name(m, block);
	return spb_copy_text(&p->u->m.keep, name, strlen(name));
}

static void extend_interfaces(struct shapes *p, const struct root *r, uint32_t id)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_note[r->variable]; i < m->first_note[r->variable + 1]; i++) {
		if (spb_op(m, m->note[i].at) == SpvOpEntryPoint)
			spb_interface_add(p->e, m->note[i].at, id);
	}
}

/* A struct with the ordinary members of a struct that also holds descriptors. */

static uint32_t data_type(struct shapes *p, const struct root *r, uint32_t type);

/* Copies decorations and names of members to their new numbers, p->model.words[p->model.data_map[type]…]. */
static void copy_member_notes(struct shapes *p, const struct root *r, uint32_t from, uint32_t to, uint32_t members)
{
	const struct spb_module *m = p->m;
	uint32_t *offsets = spb_bits(p->arena, members);

	for (uint32_t i = m->first_note[from]; i < m->first_note[from + 1]; i++) {
		spb_at at = m->note[i].at;
		uint32_t op = spb_op(m, at), length = spb_length(m, at), member = m->words[at + 2];
		bool of_member = op == SpvOpMemberName || op == SpvOpMemberDecorate;
		if (m->words[at + 1] != from || (of_member && member >= members) ||
		    (op == SpvOpName && from == p->model.nodes.items[r->node].type && !data_is_first(p, r)))
			continue;
		if (op == SpvOpMemberDecorate && m->words[at + 3] == SpvDecorationOffset)
			spb_set_bit(offsets, member);
		uint32_t number = of_member ? p->model.words.items[p->model.data_map[from] + member] : 0;
		if (number == UINT32_MAX)
			continue;
		uint32_t *words = spb_alloc_array(p->arena, length, sizeof *words);
		memcpy(words, m->words + at, length * sizeof *words);
		words[1] = to;
		if (of_member)
			words[2] = number;
		spb_put_note(p->e, op, words + 1, length - 1);
	}
	for (uint32_t i = 0; i < members; i++) {
		if (p->model.words.items[p->model.data_map[from] + i] != UINT32_MAX && !spb_bit(offsets, i))
			spb_refuse(p, SPB_E_SHAPE_PART, m->def[from],
				   "member %u of %s, ordinary data beside descriptors in %s, has no Offset" SPB_REMEDY
				   "Declare it in a uniform block.",
				   i, spb_label(p->arena, m, from), spb_label(p->arena, m, r->variable));
	}
}

static uint32_t data_struct(struct shapes *p, const struct root *r, uint32_t type)
{
	const struct spb_module *m = p->m;
	spb_at at = m->def[type];
	uint32_t members = spb_length(m, at) - 2, count = 1, map = (uint32_t)p->model.words.count;
	uint32_t *words = spb_alloc_array(p->arena, members + 1, sizeof *words);

	for (uint32_t i = 0; i < members; i++) {
		uint32_t member = m->words[at + 2 + i];
		bool data = !p->model.cells[member] || p->model.mixed[member];
		SPB_PUSH(p->arena, &p->model.words, data ? count++ - 1 : UINT32_MAX);
	}
	p->model.data_map[type] = map;
	count = 1;
	for (uint32_t i = 0; i < members; i++) {
		if (p->model.words.items[map + i] != UINT32_MAX)
			words[count++] = data_type(p, r, m->words[at + 2 + i]);
	}
	words[0] = spb_new_id(p->e);
	spb_insert(p->e, m->def[r->variable], SpvOpTypeStruct, words, count);
	copy_member_notes(p, r, type, words[0], members);
	return words[0];
}

/* The recursion is bounded, since the tree of the root exists already. */
static uint32_t data_type(struct shapes *p, const struct root *r, uint32_t type)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = p->e;

	if (!p->model.cells[type])
		return type;
	if (!p->model.data_of) {
		p->model.data_of = spb_alloc_zeroed(p->arena, m->bound, sizeof *p->model.data_of);
		p->model.data_map = spb_alloc_zeroed(p->arena, m->bound, sizeof *p->model.data_map);
	}
	if (p->model.data_of[type])
		return p->model.data_of[type];
	if (spb_def_op(m, type) == SpvOpTypeStruct) {
		p->model.data_of[type] = data_struct(p, r, type);
	} else {
		uint32_t element = data_type(p, r, m->words[m->def[type] + 2]), id = spb_new_id(e);
		uint32_t words[3] = {id, element, m->words[m->def[type] + 3]};
		bool sized = spb_def_op(m, type) == SpvOpTypeArray;
		spb_insert(e, m->def[r->variable], spb_def_op(m, type), words, sized ? 3 : 2);
		copy_decorations(p, type, id, SpvDecorationLocation);
		p->model.data_of[type] = id;
	}
	return p->model.data_of[type];
}

static void make_data_block(struct shapes *p, struct root *r, const char *declared)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = p->e;
	uint32_t type = p->model.nodes.items[r->node].type, pointer;
	spb_at at = m->def[r->variable];

	if (spb_def_op(m, type) != SpvOpTypeStruct)
		spb_refuse(p, SPB_E_SHAPE_PART, at,
			   "%s is an array of structs that hold both descriptors and ordinary data" SPB_REMEDY
			   "Declare the data in a uniform block.",
			   spb_label(p->arena, m, r->variable));
	uint32_t block = data_type(p, r, type);
	pointer = spb_new_id(e);
	spb_insert(e, at, SpvOpTypePointer, W(pointer, SpvStorageClassUniform, block));
	if (data_is_first(p, r)) {
		r->data_variable = r->variable;
		spb_replace(e, at, SpvOpVariable, W(pointer, r->variable, SpvStorageClassUniform));
		return;
	}
	r->data_variable = spb_new_id(e);
	spb_add_decoration(e, block, SpvDecorationBlock, NULL, 0);
	spb_insert(e, spb_next(m, at), SpvOpVariable, W(pointer, r->data_variable, SpvStorageClassUniform));
	copy_decorations(p, r->variable, r->data_variable, SpvDecorationLocation);
	extend_interfaces(p, r, r->data_variable);
	if (!*declared)
		return;
	spb_add_name(e, r->data_variable, declared);
	spb_add_name(e, block, declared);
}

/* glslang -R: the block of loose uniforms contains a struct that has data beside resources.
 *
 *     struct M { sampler2D map; float shininess; };
 *     uniform vec3 eye; uniform M m;        gl_DefaultUniformBlock { eye, m.shininess }, and m.map
 *
 * The block is the compiler's, so the struct is what the source declares: it has a name and a number of its own.
 * Returns how many of its leaves follow. */
static uint32_t begin_member(const struct shapes *p, const struct root *r, uint32_t k, struct spb_piece *piece)
{
	const struct leaf *leaf = &p->model.leaves.items[r->first_leaf + k];
	const size_t length = 1 + strcspn(leaf->path + 1, ".");
	uint32_t end = k + 1;

	while (end < r->leaf_count && !strncmp(leaf[end - k].path, leaf->path, length) &&
	       (!leaf[end - k].path[length] || leaf[end - k].path[length] == '.'))
		end++;
	piece->origin++;
	piece->declared = spb_copy_text(&p->u->m.keep, leaf->path + 1, length - 1);
	piece->piece = 0;
	piece->pieces = end - k;
	return piece->pieces;
}

/* Returns the last origin. */
static uint32_t split(struct shapes *p, struct root *r, uint32_t origin)
{
	const struct spb_module *m = p->m;
	bool first = data_is_first(p, r), unused = !spb_is_in_function(m, r->variable);
	uint32_t total = r->leaf_count + r->has_data, of_member = 0;
	struct spb_piece piece = {
	    .origin = origin, .pieces = total, .declared = declared_name(p, r), .path = "", .unused = unused};

	r->loose = first && spb_is_loose_name(piece.declared);
	piece.pieces = r->loose ? 1 : total;
	remove_location(p, r->variable);
	if (!first && *p->model.leaves.items[r->first_leaf].path)
		remove_name(p, r->variable);
	if (first) {
		make_data_block(p, r, piece.declared);
		piece.variable = r->data_variable;
		SPB_PUSH(&p->u->m.keep, &p->u->created.pieces, piece);
		piece.piece++;
	}
	for (uint32_t k = 0; k < r->leaf_count; k++, piece.piece++) {
		struct leaf *leaf = &p->model.leaves.items[r->first_leaf + k];
		piece.path = leaf->path;
		if (r->loose) {
			of_member = of_member ? of_member : begin_member(p, r, k, &piece);
			piece.path += 1 + strlen(piece.declared);
			of_member--;
		}
		make_leaf(p, r, leaf, piece.declared, piece.path, !first && !k);
		if (first || k)
			extend_interfaces(p, r, leaf->variable);
		piece.variable = leaf->variable;
		if (total > 1 || *leaf->path)
			SPB_PUSH(&p->u->m.keep, &p->u->created.pieces, piece);
	}
	if (!r->has_data || first)
		return piece.origin;
	make_data_block(p, r, piece.declared);
	piece.variable = r->data_variable;
	piece.path = "";
	SPB_PUSH(&p->u->m.keep, &p->u->created.pieces, piece);
	return piece.origin;
}

void spb_make_variables(struct shapes *p)
{
	uint32_t origin = 0;

	assert(!p->u->created.pieces.count); /* no pass before this one makes any */
	for (size_t i = 0; i < p->model.roots.count; i++) {
		if (p->model.roots.items[i].reshaped)
			origin = split(p, &p->model.roots.items[i], origin + 1);
	}
}
