/* SPDX-License-Identifier: Apache-2.0 */
/* shape_roots: resources as trees, and the variables that their leaves become.
 *
 *     struct { sampler2D a; sampler2D b[3]; } p[8]      array 8 { struct { a: leaf 0, b: array 3 { leaf 1 } } }
 *     ->  sampler2D p_a[8]; sampler2D p_b[24];
 *
 * The arrays above a leaf become one, row-major: the flattened index of p[i].b[k] is i * 3 + k. Leaves share this
 * number as far down as they share their path, so one number belongs to each part of a resource: p[i] is (struct, i).
 * Ordinary members of a struct stay a struct, in a uniform block of their own. */
#include "pass/handles/handles.h"
#include "pass/shapes/shape.h"

bool spb_type_holds_descriptors(const struct shapes *p, uint32_t type)
{
	return p->model.cells[type] != 0;
}

static bool is_array(uint32_t op)
{
	return spb_op_is(op, SPB_OP_ARRAY);
}

static uint32_t elements_of(const struct spb_module *m, uint32_t array)
{
	uint64_t n;
	spb_at at = m->def[array];

	if (spb_op(m, at) != SpvOpTypeArray || spb_def_op(m, m->words[at + 3]) != SpvOpConstant ||
	    !spb_constant_value(m, m->words[at + 3], &n) || n > UINT32_MAX)
		return 0;
	return (uint32_t)n;
}

struct build {
	struct shapes *p;
	uint32_t root;
	uint32_t dims;  /* arrays on the path from the top */
	uint64_t count; /* number of their elements; 0: unknown */
	struct spb_text_buffer path;
	unsigned depth;
	uint32_t lengths[MAX_DEPTH + 1]; /* lengths of the arrays on the path */
	SPB_LIST(uint32_t) said;         /* decorations of the members on the path */
};

static uint32_t build_node(struct build *b, uint32_t type);

static uint32_t add_leaf(struct build *b, uint32_t type)
{
	struct shapes *p = b->p;
	const struct root *r = &p->model.roots.items[b->root];
	struct leaf leaf = {.root = b->root, .type = type, .dims = b->dims, .count = (uint32_t)b->count};

	if (p->model.leaves.count - r->first_leaf == MAX_LEAVES)
		spb_refuse(p, SPB_E_TOO_MUCH, p->m->def[r->variable],
			   "%s would become more than %u variables" SPB_REMEDY "Use smaller arrays or fewer members.",
			   spb_label(p->arena, p->m, r->variable), (unsigned)MAX_LEAVES);
	leaf.kind = spb_descriptor_of(
	    p->m, p->model.cells[type] ? (uint32_t)SpvStorageClassUniformConstant : r->storage_class, type);
	if (leaf.kind == SPB_DESCRIPTOR_OTHER)
		spb_refuse(
		    p, SPB_E_SHAPE_PART, p->m->def[r->variable],
		    "%s%s is an %s in storage class %s, which corresponds to no Vulkan descriptor type" SPB_REMEDY
		    "Declare it as a texture, sampler, image, texel buffer, acceleration structure or block.",
		    spb_label(p->arena, p->m, r->variable), spb_text_end(&b->path), spb_op_name(spb_def_op(p->m, type)),
		    spb_storage_class_name(r->storage_class));
	leaf.first_length = (uint32_t)p->model.words.count;
	leaf.said_count = (uint32_t)b->said.count;
	for (uint32_t i = 0; i < b->dims; i++)
		SPB_PUSH(p->arena, &p->model.words, b->lengths[i]);
	for (size_t i = 0; i < b->said.count; i++)
		SPB_PUSH(p->arena, &p->model.words, b->said.items[i]);
	leaf.path = b->path.count ? spb_copy_text(&p->u->m.keep, b->path.items, b->path.count) : "";
	SPB_PUSH(p->arena, &p->model.leaves, leaf);
	return (uint32_t)p->model.leaves.count - 1;
}

static void build_array(struct build *b, uint32_t node)
{
	struct shapes *p = b->p;
	const struct spb_module *m = p->m;
	uint32_t type = p->model.nodes.items[node].type, elements = elements_of(m, type), dims = b->dims;
	uint64_t count = b->count;
	bool sized = spb_def_op(m, type) == SpvOpTypeArray;

	if (!sized && dims)
		spb_refuse(
		    p, SPB_E_UNSIZED_INNER, m->def[p->model.roots.items[b->root].variable],
		    "an inner dimension of %s has no size, but only the first dimension may be unbounded" SPB_REMEDY
		    "Give the others a size.",
		    spb_label(p->arena, m, p->model.roots.items[b->root].variable));
	b->lengths[b->dims++] = sized ? m->words[m->def[type] + 3] : 0;
	b->count = count * elements;
	if (b->count > UINT32_MAX)
		spb_refuse(p, SPB_E_TOO_MUCH, m->def[p->model.roots.items[b->root].variable],
			   "the dimensions of %s multiply to 2^32 descriptors or more, which no descriptorCount can "
			   "hold" SPB_REMEDY "Make the array smaller.",
			   spb_label(p->arena, m, p->model.roots.items[b->root].variable));
	p->model.nodes.items[node].length = b->lengths[dims];
	p->model.nodes.items[node].elements = elements;
	uint32_t child = build_node(b, m->words[m->def[type] + 2]);
	p->model.nodes.items[node].children = (uint32_t)p->model.children.count;
	SPB_PUSH(p->arena, &p->model.children, child);
	b->dims = dims;
	b->count = count;
}

/* Decorations of a member that describe memory, and mean the same on a variable of its type. */
static bool moves_to_variable(uint32_t decoration)
{
	return spb_is_memory_qualifier(decoration) || decoration == SpvDecorationRelaxedPrecision ||
	       decoration == SpvDecorationNonUniform;
}

/* Decorations and names of a struct's members, found in one walk. */
struct members {
	const char **name;
	uint32_t *said; /* first of its decorations in `list`, + 1 */
	struct {
		struct {
			uint32_t decoration, next;
		} * items;
		size_t count, capacity;
	} list;
};

static struct members read_members(const struct shapes *p, uint32_t type, uint32_t count)
{
	const struct spb_module *m = p->m;
	struct members of = {.name = spb_alloc_zeroed(p->arena, count, sizeof *of.name),
			     .said = spb_alloc_zeroed(p->arena, count, sizeof *of.said)};

	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		spb_at at = m->note[i].at;
		uint32_t op = spb_op(m, at), member = m->words[at + 2];
		if (op == SpvOpMemberName && member < count) {
			of.name[member] = spb_string(m, at + 3);
		} else if (op == SpvOpMemberDecorate && member < count && moves_to_variable(m->words[at + 3])) {
			of.list.items = spb_reserve(p->arena, of.list.items, of.list.count, 1, &of.list.capacity,
						    sizeof *of.list.items);
			of.list.items[of.list.count].decoration = m->words[at + 3];
			of.list.items[of.list.count++].next = of.said[member];
			of.said[member] = (uint32_t)of.list.count;
		}
	}
	return of;
}

/* An id has each decoration once (SPIR-V 3.20, "Decoration"): even a leaf whose variable, or several structs around it,
 * have the same one. */
static void say(struct build *b, uint32_t decoration)
{
	struct shapes *p = b->p;
	bool known = spb_decoration(p->m, p->model.roots.items[b->root].variable, decoration) != 0;

	for (size_t i = 0; i < b->said.count; i++)
		known |= b->said.items[i] == decoration;
	if (!known)
		SPB_PUSH(p->arena, &b->said, decoration);
}

static void build_struct(struct build *b, uint32_t node)
{
	struct shapes *p = b->p;
	const struct spb_module *m = p->m;
	uint32_t type = p->model.nodes.items[node].type, at = m->def[type], count = spb_length(m, at) - 2;
	struct members members = read_members(p, type, count);
	uint32_t first = (uint32_t)p->model.children.count;

	p->model.nodes.items[node].children = first;
	for (uint32_t i = 0; i < count; i++)
		SPB_PUSH(p->arena, &p->model.children, 0);
	for (uint32_t i = 0; i < count; i++) {
		size_t length = b->path.count, said = b->said.count;
		if (!spb_type_holds_descriptors(p, m->words[at + 2 + i]))
			continue;
		if (members.name[i] && *members.name[i])
			spb_text_format(&b->path, ".%s", members.name[i]);
		else
			spb_text_format(&b->path, ".%u", i);
		for (uint32_t k = members.said[i]; k; k = members.list.items[k - 1].next)
			say(b, members.list.items[k - 1].decoration);
		uint32_t child = build_node(b, m->words[at + 2 + i]) + 1;
		p->model.children.items[first + i] = child;
		b->path.count = length;
		b->said.count = said;
	}
}

/* The recursion is bounded by MAX_DEPTH. MAX_LEAVES bounds the size of the tree, since each array or struct has a
 * leaf. */
static uint32_t build_node(struct build *b, uint32_t type)
{
	struct shapes *p = b->p;
	uint32_t op = spb_def_op(p->m, type), node = (uint32_t)p->model.nodes.count;

	if (b->depth++ > MAX_DEPTH || p->model.nodes.count + p->model.children.count > MAX_NODES)
		spb_refuse(
		    p, SPB_E_TOO_MUCH, p->m->def[p->model.roots.items[b->root].variable],
		    "%s is nested more than %u levels deep, or is one of too many structs of descriptors" SPB_REMEDY
		    "Flatten the structs.",
		    spb_label(p->arena, p->m, p->model.roots.items[b->root].variable), (unsigned)MAX_DEPTH);
	SPB_PUSH(p->arena, &p->model.nodes, ((struct node){.type = type}));
	if (is_array(op)) {
		p->model.nodes.items[node].kind = NODE_ARRAY;
		build_array(b, node);
	} else if (op == SpvOpTypeStruct && spb_type_holds_descriptors(p, type)) {
		p->model.nodes.items[node].kind = NODE_STRUCT;
		build_struct(b, node);
	} else {
		p->model.nodes.items[node].kind = NODE_LEAF;
		p->model.nodes.items[node].leaf = add_leaf(b, type);
	}
	b->depth--;
	return node;
}

/* Does a variable of this storage class and type need a tree? Blocks that Vulkan accepts are left alone. */
static bool has_tree(const struct shapes *p, uint32_t storage_class, uint32_t type)
{
	if (spb_type_holds_descriptors(p, type))
		return true;
	uint32_t element = spb_array_element(p->m, type);
	return storage_class != SpvStorageClassUniformConstant && element && spb_array_element(p->m, element);
}

void spb_find_roots(struct shapes *p)
{
	const struct spb_module *m = p->m;

	p->model.global_of = spb_alloc_zeroed(p->arena, m->bound, sizeof *p->model.global_of);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpVariable || !spb_is_resource_class(m->words[at + 3]))
			continue;
		uint32_t id = m->words[at + 2], type = m->words[m->def[m->words[at + 1]] + 3];
		if (!has_tree(p, m->words[at + 3], type))
			continue;
		struct root root = {.variable = id, .storage_class = m->words[at + 3]};
		struct build b = {
		    .p = p, .root = (uint32_t)p->model.roots.count, .count = 1, .path = {.arena = p->arena}};
		root.first_leaf = (uint32_t)p->model.leaves.count;
		SPB_PUSH(p->arena, &p->model.roots, root);
		uint32_t node = build_node(&b, type);
		struct root *r = &p->model.roots.items[b.root];
		r->node = node;
		r->leaf_count = (uint32_t)p->model.leaves.count - r->first_leaf;
		r->reshaped =
		    p->model.nodes.items[node].kind == NODE_STRUCT ||
		    (p->model.nodes.items[node].kind == NODE_ARRAY &&
		     p->model.nodes.items[p->model.children.items[p->model.nodes.items[node].children]].kind !=
			 NODE_LEAF);
		r->has_data = p->model.mixed[type];
		for (uint32_t i = 0; i < r->leaf_count && !r->reshaped; i++)
			p->model.leaves.items[r->first_leaf + i].variable = id;
		p->model.global_of[id] = b.root + 1;
	}
}

const struct node *spb_part_node(const struct shapes *p, const struct part *part)
{
	return &p->model.nodes.items[part->node];
}

bool spb_part_is_leaf(const struct shapes *p, const struct part *part)
{
	return part->root && spb_part_node(p, part)->kind == NODE_LEAF;
}

uint32_t spb_part_leaf(const struct shapes *p, const struct part *part)
{
	return spb_part_node(p, part)->leaf;
}

bool spb_part_member(const struct shapes *p, struct part *part, uint32_t member)
{
	uint32_t child = p->model.children.items[spb_part_node(p, part)->children + member];

	if (child)
		part->node = child - 1;
	return child != 0;
}

/* In an array without a known length (unsized, or a specialization constant), only the indexes of the first elements
 * are known. */
void spb_part_element(const struct shapes *p, struct part *part, uint32_t index)
{
	const struct node *node = spb_part_node(p, part);
	uint64_t flat = (uint64_t)part->index * node->elements + index;

	if (index == DYNAMIC || part->index == DYNAMIC || flat >= INDEX_OF_ID || (part->index && !node->elements))
		part->index = DYNAMIC;
	else
		part->index = (uint32_t)flat;
	part->node = p->model.children.items[node->children];
}
