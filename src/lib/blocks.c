/* SPDX-License-Identifier: Apache-2.0 */
/* blocks: those of a module as lists of host.h, and in the layout JSON, each once, since many variables may be of one
 * type: "blocks": [{"id": 12, "name": "Camera", "size": 80, "members": [{"name": "view", "offset": 0, "size": 64},
 * …]}]. Members that are structs name them by id, and "structs" lists these in the same way, also each once: written
 * inside one another, n types could take 2^n lines. */
#include "base/json.h"
#include "lib/lib.h"

static void add_block(const struct spb_module *m, struct spb_blocks *blocks, uint32_t type, struct spb_arena *arena)
{
	if (spb_def_op(m, type) != SpvOpTypeStruct)
		return;
	if (!blocks->all)
		blocks->all = spb_bits(arena, m->bound);
	spb_set_bit(blocks->all, type);
}

static void add_push_constants(const struct spb_module *m, struct spb_blocks *blocks, struct spb_arena *arena)
{
	blocks->pushed = spb_bits(arena, m->bound);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (!spb_is_push_constants(m, at))
			continue;
		uint32_t type = m->words[m->def[m->words[at + 1]] + 3]; /* of its pointer */
		spb_set_bit(blocks->pushed, type);
		add_block(m, blocks, type, arena);
	}
}

/* The type of the innermost elements. */
static uint32_t innermost(const struct spb_module *m, uint32_t type)
{
	for (uint32_t element; (element = spb_array_element(m, type)) != 0;)
		type = element;
	return type;
}

/* Bits over ids: the structs that are members of these blocks, and of one another. A struct is defined after the types
 * of its members, so one walk backwards finds all. */
static uint32_t *find_inner(const struct spb_module *m, const struct spb_structs *structs,
			    const struct spb_blocks *blocks, struct spb_arena *arena)
{
	uint32_t *inner = NULL;

	for (size_t i = structs->count; i--;) {
		const uint32_t id = structs->items[i].id;
		const spb_at at = m->def[id];
		if (!spb_bit(blocks->all, id) && !(inner && spb_bit(inner, id)))
			continue;
		for (uint32_t k = 2; k < spb_length(m, at); k++) {
			const uint32_t type = innermost(m, m->words[at + k]);
			if (spb_def_op(m, type) != SpvOpTypeStruct)
				continue;
			inner = inner ? inner : spb_bits(arena, m->bound);
			spb_set_bit(inner, type);
		}
	}
	return inner;
}

struct spb_blocks spb_find_blocks(struct spb_program *p, size_t module)
{
	struct spb_arena *scratch = &p->context->scratch;
	const struct spb_unit *u = &p->slots.items[module]->unit;
	struct spb_blocks blocks = {0};

	for (size_t i = 0; i < u->placed.variables.count; i++)
		add_block(&u->m, &blocks, u->placed.variables.items[i].element, scratch);
	if (u->m.has & SPB_HAS_PUSH_CONSTANTS)
		add_push_constants(&u->m, &blocks, scratch);
	if (blocks.all)
		blocks.inner = find_inner(&u->m, spb_structs_of(p, module), &blocks, scratch);
	return blocks;
}

static spb_array dimension_of(const struct spb_module *m, uint32_t type, const uint32_t *sizes)
{
	const uint32_t word = spb_decoration(m, type, SpvDecorationArrayStride), stride = word ? m->words[word] : 0;

	return (spb_array){spb_def_op(m, type) == SpvOpTypeArray && stride ? sizes[type] / stride : 0, stride};
}

/* "arrays": [{"count": 3, "stride": 64}], the outermost first */
static void arrays_key(struct spb_json *j, const struct spb_module *m, uint32_t type, const uint32_t *sizes)
{
	if (!spb_array_element(m, type))
		return;
	spb_json_open_key(j, "arrays", '[');
	for (; spb_array_element(m, type); type = spb_array_element(m, type)) {
		const spb_array a = dimension_of(m, type, sizes);
		spb_json_comma(j);
		spb_json_open(j, '{');
		spb_json_count_key(j, a.count);
		if (a.stride)
			spb_json_number_key(j, "stride", a.stride);
		spb_text_byte(&j->text, ' ');
		spb_json_close(j, '}', false);
	}
	spb_json_close(j, ']', false);
}

struct shape {
	uint32_t component; /* its type */
	uint32_t rows;      /* 0: it is a scalar */
	uint32_t columns;   /* 0: it is no matrix */
};

static struct shape shape_of(const struct spb_module *m, uint32_t type)
{
	struct shape s = {.component = type};

	if (spb_def_op(m, s.component) == SpvOpTypeMatrix) {
		s.columns = m->words[m->def[s.component] + 3];
		s.component = m->words[m->def[s.component] + 2];
	}
	if (spb_def_op(m, s.component) == SpvOpTypeVector) {
		s.rows = m->words[m->def[s.component] + 3];
		s.component = m->words[m->def[s.component] + 2];
	}
	return s;
}

static void type_keys(struct spb_json *j, const struct spb_module *m, const struct spb_block_member *member,
		      uint32_t type)
{
	const struct shape s = shape_of(m, type);

	if (spb_def_op(m, type) == SpvOpTypeStruct) {
		spb_json_number_key(j, "structId", type);
		return;
	}
	spb_json_word_key(j, "component",
			  spb_def_op(m, s.component) == SpvOpTypePointer ? "pointer"
									 : spb_component_name(m, s.component));
	if (s.rows)
		spb_json_number_key(j, "rows", s.rows);
	if (s.columns) {
		spb_json_number_key(j, "columns", s.columns);
		spb_json_number_key(j, "matrixStride", member->stride);
		spb_json_bool_key(j, "rowMajor", member->row_major);
	}
}

static void write_members(struct spb_json *j, const struct spb_module *m, const struct spb_struct *block,
			  const uint32_t *sizes)
{
	const spb_at at = m->def[block->id];

	spb_json_open_key(j, "members", '[');
	for (uint32_t i = 0; i < spb_length(m, at) - 2; i++) {
		const struct spb_block_member *member = &block->members[i];
		spb_json_item(j, '{');
		spb_json_string_key(j, "name", member->name);
		spb_json_number_key(j, "offset", member->offset);
		spb_json_number_key(j, "size", member->size);
		arrays_key(j, m, m->words[at + 2 + i], sizes);
		type_keys(j, m, member, innermost(m, m->words[at + 2 + i]));
		spb_text_byte(&j->text, ' ');
		spb_json_close(j, '}', false);
	}
	spb_json_close(j, ']', true);
}

/* The structs in `which`, in module order. `pushed`: NULL if none is a block of push constants. */
static void structs_key(struct spb_json *j, const char *key, const struct spb_module *m,
			const struct spb_structs *structs, const uint32_t *sizes, const uint32_t *which,
			const uint32_t *pushed)
{
	spb_json_open_key(j, key, '[');
	for (size_t i = 0; i < structs->count; i++) {
		const uint32_t type = structs->items[i].id;
		if (!spb_bit(which, type))
			continue;
		spb_json_item(j, '{');
		spb_json_number_key(j, "id", type);
		spb_json_string_key(j, "name", spb_id_name(m, type));
		spb_json_number_key(j, "size", sizes[type]);
		if (pushed && spb_bit(pushed, type))
			spb_json_bool_key(j, "pushConstants", true);
		write_members(j, m, &structs->items[i], sizes);
		spb_json_close(j, '}', true);
	}
	spb_json_close(j, ']', true);
}

void spb_json_blocks_keys(struct spb_json *j, struct spb_program *p, size_t module)
{
	const struct spb_module *m = &p->slots.items[module]->unit.m;
	const struct spb_blocks blocks = spb_find_blocks(p, module);

	if (!blocks.all) {
		spb_json_empty_key(j, "blocks");
		return;
	}
	const struct spb_structs *structs = spb_structs_of(p, module);
	const uint32_t *sizes = spb_sizes_of(p, module);
	structs_key(j, "blocks", m, structs, sizes, blocks.all, blocks.pushed);
	if (blocks.inner)
		structs_key(j, "structs", m, structs, sizes, blocks.inner, NULL);
}

/* Lists for callers */

static spb_member member_of(struct spb_program *p, const struct spb_module *m, const struct spb_block_member *from,
			    uint32_t type, const uint32_t *sizes, const uint32_t *index)
{
	spb_member to = {.name = from->name, .offset = from->offset, .size = from->size, .block = UINT32_MAX};
	SPB_LIST(spb_array) arrays = {0};

	for (; spb_array_element(m, type); type = spb_array_element(m, type))
		SPB_PUSH(&p->keep, &arrays, dimension_of(m, type, sizes));
	to.arrays = arrays.items;
	to.array_count = (uint32_t)arrays.count;
	if (spb_def_op(m, type) == SpvOpTypeStruct) {
		to.block = index[type] - 1;
		return to;
	}
	const struct shape s = shape_of(m, type);
	const uint32_t op = spb_def_op(m, s.component);
	to.pointer = op == SpvOpTypePointer;
	to.type = op == SpvOpTypeFloat                                      ? SPB_CONSTANT_FLOAT
		  : op == SpvOpTypeInt && m->words[m->def[s.component] + 3] ? SPB_CONSTANT_INT
									    : SPB_CONSTANT_UINT;
	to.component_size = sizes[s.component];
	to.rows = s.rows ? s.rows : 1;
	to.columns = s.columns ? s.columns : 1;
	to.matrix_stride = s.columns ? from->stride : 0;
	to.row_major = s.columns && from->row_major;
	return to;
}

/* A struct is listed after those that are its members, as SPIR-V defines them. */
static void list_blocks_of(struct spb_program *p, size_t module)
{
	const struct spb_module *m = &p->slots.items[module]->unit.m;
	const struct spb_blocks blocks = spb_find_blocks(p, module);
	const struct spb_structs *structs = blocks.all ? spb_structs_of(p, module) : NULL;
	const uint32_t *sizes = blocks.all ? spb_sizes_of(p, module) : NULL;
	uint32_t *index = blocks.all ? spb_alloc_zeroed(&p->context->scratch, m->bound, sizeof *index) : NULL;

	for (size_t i = 0; blocks.all && i < structs->count; i++) {
		const uint32_t id = structs->items[i].id, count = spb_length(m, m->def[id]) - 2;
		const bool is_block = spb_bit(blocks.all, id);
		if (!is_block && !(blocks.inner && spb_bit(blocks.inner, id)))
			continue;
		SPB_PUSH(&p->keep, &p->results.blocks,
			 ((spb_block){.module = (uint32_t)module,
				      .id = id,
				      .name = spb_id_name(m, id),
				      .size = sizes[id],
				      .pushed = blocks.pushed && spb_bit(blocks.pushed, id),
				      .inner = !is_block,
				      .first_member = (uint32_t)p->results.members.count,
				      .member_count = count}));
		index[id] = (uint32_t)p->results.blocks.count;
		for (uint32_t k = 0; k < count; k++)
			SPB_PUSH(
			    &p->keep, &p->results.members,
			    member_of(p, m, &structs->items[i].members[k], m->words[m->def[id] + 2 + k], sizes, index));
	}
}

void spb_list_blocks(struct spb_program *p)
{
	if (p->results.blocks_listed)
		return;
	p->results.blocks.count = p->results.members.count = 0; /* of a call that ran out of memory */
	for (size_t i = 0; i < p->slots.count; i++) {
		spb_module_need_index(&p->slots.items[i]->unit.m);
		list_blocks_of(p, i);
	}
	p->results.blocks_listed = true;
}
