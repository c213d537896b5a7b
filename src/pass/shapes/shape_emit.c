/* SPDX-License-Identifier: Apache-2.0 */
/* shape_emit: finds or creates the types and constants that rewritten functions need, and emits words into these
 * functions. */
#include "pass/shapes/shape.h"

uint32_t spb_uint_type(struct shapes *p)
{
	if (!p->writer.uint_type)
		p->writer.uint_type = spb_basic_type(&p->u->edit, SpvOpTypeInt, W(32, 0));
	return p->writer.uint_type;
}

uint32_t spb_bool_type(struct shapes *p)
{
	if (!p->writer.bool_type)
		p->writer.bool_type = spb_basic_type(&p->u->edit, SpvOpTypeBool, NULL, 0);
	return p->writer.bool_type;
}

uint32_t spb_void_type(struct shapes *p)
{
	if (!p->writer.void_type)
		p->writer.void_type = spb_basic_type(&p->u->edit, SpvOpTypeVoid, NULL, 0);
	return p->writer.void_type;
}

uint32_t spb_bool_vector_type(struct shapes *p, uint32_t components)
{
	if (!p->writer.bool_vector[components])
		p->writer.bool_vector[components] =
		    spb_basic_type(&p->u->edit, SpvOpTypeVector, W(spb_bool_type(p), components));
	return p->writer.bool_vector[components];
}

void spb_add_uint_constant(struct shapes *p, uint32_t value, uint32_t id)
{
	if (2 * p->writer.constant_count >= p->writer.constant_mask) {
		uint32_t old = p->writer.constant_slot ? p->writer.constant_mask + 1 : 0,
			 *slots = p->writer.constant_slot;
		uint32_t size = old ? 2 * old : 256;
		p->writer.constant_slot = spb_alloc_zeroed(p->arena, 2 * (size_t)size, sizeof *p->writer.constant_slot);
		p->writer.constant_mask = size - 1;
		p->writer.constant_count = 0;
		for (uint32_t i = 0; i < old; i++) {
			if (slots[2 * i + 1])
				spb_add_uint_constant(p, slots[2 * i], slots[2 * i + 1]);
		}
	}
	uint32_t h = (uint32_t)spb_hash_mix(value, 3) & p->writer.constant_mask;
	while (p->writer.constant_slot[2 * h + 1] && p->writer.constant_slot[2 * h] != value)
		h = (h + 1) & p->writer.constant_mask;
	if (p->writer.constant_slot[2 * h + 1])
		return;
	p->writer.constant_slot[2 * h] = value;
	p->writer.constant_slot[2 * h + 1] = id;
	p->writer.constant_count++;
}

static void find_constants(struct shapes *p)
{
	const struct spb_module *m = p->m;
	uint32_t type = spb_uint_type(p);

	spb_add_uint_constant(p, 0, 0); /* creates the table */
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpConstant && m->words[at + 1] == type)
			spb_add_uint_constant(p, m->words[at + 3], m->words[at + 2]);
	}
}

/* A constant of the module or of this pass; 0: none. */
uint32_t spb_find_uint_constant(struct shapes *p, uint32_t value)
{
	if (!p->writer.constant_slot)
		find_constants(p);
	for (uint32_t h = (uint32_t)spb_hash_mix(value, 3) & p->writer.constant_mask;
	     p->writer.constant_slot[2 * h + 1]; h = (h + 1) & p->writer.constant_mask) {
		if (p->writer.constant_slot[2 * h] == value)
			return p->writer.constant_slot[2 * h + 1];
	}
	return 0;
}

uint32_t spb_uint_constant(struct shapes *p, uint32_t value)
{
	uint32_t id = spb_find_uint_constant(p, value);

	if (id)
		return id;
	id = spb_new_id(&p->u->edit);
	spb_add_global(&p->u->edit, SpvOpConstant, W(spb_uint_type(p), id, value));
	spb_add_uint_constant(p, value, id);
	return id;
}

/* The same type with a uint for each descriptor. The recursion is bounded, since types that hold descriptors are of
 * limited depth. */
uint32_t spb_selector_type(struct shapes *p, uint32_t type)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = &p->u->edit;
	spb_at at = m->def[type];

	if (!p->model.cells[type])
		return type;
	if (spb_op(m, at) != SpvOpTypeStruct && spb_op(m, at) != SpvOpTypeArray)
		return spb_uint_type(p);
	if (p->model.of_type[type])
		return p->model.of_type[type];
	if (spb_op(m, at) == SpvOpTypeStruct) {
		uint32_t count = spb_length(m, at) - 2;
		uint32_t *words = spb_alloc_array(p->arena, count + 1, sizeof *words);
		for (uint32_t i = 0; i < count; i++)
			words[i + 1] = spb_selector_type(p, m->words[at + 2 + i]);
		words[0] = spb_new_id(e);
		spb_add_global(e, SpvOpTypeStruct, words, count + 1);
		p->model.of_type[type] = words[0];
	} else {
		uint32_t element = spb_selector_type(p, m->words[at + 2]), id = spb_new_id(e);
		spb_add_global(e, SpvOpTypeArray, W(id, element, m->words[at + 3]));
		p->model.of_type[type] = id;
	}
	return p->model.of_type[type];
}

/* Looks up one of the few things that are created once: the id under a key, or 0. */
static uint32_t *find_made(struct shapes *p, uint32_t op, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < p->writer.made.count; i++) {
		if (p->writer.made.items[i].key[0] == op && p->writer.made.items[i].key[1] == a &&
		    p->writer.made.items[i].key[2] == b)
			return &p->writer.made.items[i].id;
	}
	p->writer.made.items = spb_reserve(p->arena, p->writer.made.items, p->writer.made.count, 1,
					   &p->writer.made.capacity, sizeof *p->writer.made.items);
	p->writer.made.items[p->writer.made.count].key[0] = op;
	p->writer.made.items[p->writer.made.count].key[1] = a;
	p->writer.made.items[p->writer.made.count].key[2] = b;
	p->writer.made.items[p->writer.made.count].id = 0;
	return &p->writer.made.items[p->writer.made.count++].id;
}

uint32_t spb_pointer_to(struct shapes *p, uint32_t storage_class, uint32_t type)
{
	uint32_t *id = find_made(p, SpvOpTypePointer, storage_class, type);

	if (!*id)
		*id = spb_pointer_type(&p->u->edit, storage_class, type);
	return *id;
}

/* Stands for descriptors that were never assigned. */
uint32_t spb_no_selector(struct shapes *p, uint32_t type)
{
	uint32_t to = spb_selector_type(p, type);

	if (to == spb_uint_type(p))
		return spb_uint_constant(p, 0);
	uint32_t *id = find_made(p, SpvOpConstantNull, to, 0);
	if (!*id) {
		*id = spb_new_id(&p->u->edit);
		spb_add_global(&p->u->edit, SpvOpConstantNull, W(to, *id));
	}
	return *id;
}

/* Function types must not be declared twice. words: return type, parameters. */
uint32_t spb_function_type(struct shapes *p, const uint32_t *words, uint32_t count)
{
	const struct spb_module *m = p->m;
	uint32_t hash = (uint32_t)spb_hash_bytes(count, words, count * sizeof *words);

	if (!p->writer.function_types.items) {
		for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION];
		     at = spb_next(m, at)) {
			if (spb_op(m, at) == SpvOpTypeFunction)
				SPB_PUSH(p->arena, &p->writer.function_types,
					 ((struct made_function){
					     m->words + at + 2, spb_length(m, at) - 2,
					     (uint32_t)spb_hash_bytes(spb_length(m, at) - 2, m->words + at + 2,
								      (spb_length(m, at) - 2) * sizeof *words),
					     m->words[at + 1]}));
		}
	}
	for (size_t i = 0; i < p->writer.function_types.count; i++) {
		const struct made_function *f = &p->writer.function_types.items[i];
		if (f->hash == hash && f->count == count && !memcmp(f->words, words, count * sizeof *words))
			return f->id;
	}
	uint32_t *copy = spb_alloc_array(p->arena, count + 1, sizeof *copy);
	copy[0] = spb_new_id(&p->u->edit);
	memcpy(copy + 1, words, count * sizeof *words);
	spb_add_global(&p->u->edit, SpvOpTypeFunction, copy, count + 1);
	SPB_PUSH(p->arena, &p->writer.function_types, ((struct made_function){copy + 1, count, hash, copy[0]}));
	return copy[0];
}

/* Type of a pointer to one descriptor of a leaf. */
uint32_t spb_leaf_pointer(struct shapes *p, struct leaf *leaf)
{
	uint32_t storage_class = p->model.cells[leaf->type] ? (uint32_t)SpvStorageClassUniformConstant
							    : p->model.roots.items[leaf->root].storage_class;

	if (!leaf->pointer)
		leaf->pointer = spb_pointer_to(p, storage_class, leaf->type);
	return leaf->pointer;
}
