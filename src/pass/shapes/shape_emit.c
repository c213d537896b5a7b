/* SPDX-License-Identifier: Apache-2.0 */
/* shape_emit: the types that stand for descriptors in rewritten functions. */
#include "pass/shapes/shape.h"

/* The same type with a uint for each descriptor. The recursion is bounded, since types that hold descriptors are of
 * limited depth. */
uint32_t spb_selector_type(struct shapes *p, uint32_t type)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = p->e;
	spb_at at = m->def[type];

	if (!p->model.cells[type])
		return type;
	if (spb_op(m, at) != SpvOpTypeStruct && spb_op(m, at) != SpvOpTypeArray)
		return spb_uint_type(e);
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

/* Stands for descriptors that were never assigned. */
uint32_t spb_no_selector(struct shapes *p, uint32_t type)
{
	struct spb_edit *e = p->e;
	uint32_t to = spb_selector_type(p, type);

	return to == spb_uint_type(e) ? spb_make(e, SpvOpConstant, W(to, 0)) : spb_make(e, SpvOpConstantNull, W(to));
}

/* Type of a pointer to one descriptor of a leaf. */
uint32_t spb_leaf_pointer(struct shapes *p, struct leaf *leaf)
{
	uint32_t storage_class = p->model.cells[leaf->type] ? (uint32_t)SpvStorageClassUniformConstant
							    : p->model.roots.items[leaf->root].storage_class;

	if (!leaf->pointer)
		leaf->pointer = spb_pointer_type(p->e, storage_class, leaf->type);
	return leaf->pointer;
}
