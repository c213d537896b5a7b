/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_elements: which arrays have leaves for each of their elements.
 *
 * An array whose elements are chosen by constants only is a structure in all but name: a store to one element leaves
 * the others as they are. This is decided for types, since pointers, parameters and copies of an array have its type:
 * one index somewhere that is not constant, and all arrays of the type have one leaf for all elements. So do arrays in
 * memory other than that of an invocation, and those copied to arrays of another type. */
#include "analysis/uniformity/uniformity_graph.h"

enum { MOST_ELEMENTS = 16 };

/* The arrays in the type do not tell their elements apart. */
static void join_elements(struct spb_uniformity *u, uint32_t type)
{
	const struct spb_module *m = u->m;
	struct spb_list list = {0};

	SPB_PUSH(u->arena, &list, type);
	while (list.count) {
		spb_at at = m->def[type = list.items[--list.count]];
		if (spb_bit(u->joined, type))
			continue;
		spb_set_bit(u->joined, type);
		if (spb_op_is(spb_op(m, at), SPB_OP_ARRAY))
			SPB_PUSH(u->arena, &list, m->words[at + 2]);
		for (uint32_t w = at + 2; spb_op(m, at) == SpvOpTypeStruct && w < spb_next(m, at); w++)
			SPB_PUSH(u->arena, &list, m->words[w]);
	}
}

/* False: pointers have no types that say what they refer to. */
static bool join_in_shared_memory(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == OpTypeUntypedPointerKHR)
			return false;
		if (spb_op(m, at) == SpvOpTypePointer && m->words[at + 2] != SpvStorageClassFunction &&
		    m->words[at + 2] != SpvStorageClassPrivate)
			join_elements(u, m->words[at + 3]);
	}
	return true;
}

/* False: the pointer leads from one element to another. */
static bool see_chain(struct spb_uniformity *u, spb_at at)
{
	const struct spb_module *m = u->m;
	uint32_t op = spb_op(m, at), base = m->words[at + 3], type = spb_pointee(m, base);
	bool steps = spb_op_is(op, SPB_OP_PTR_CHAIN);

	if (!spb_is_local(m, base))
		return true;
	for (uint32_t w = at + (steps ? 5 : 4); type && w < spb_next(m, at); w++) {
		uint64_t index = 0;
		bool constant =
		    spb_def_op(m, m->words[w]) == SpvOpConstant && spb_constant_value(m, m->words[w], &index);
		if (spb_op_is(spb_def_op(m, type), SPB_OP_ARRAY) && !constant)
			spb_set_bit(u->indexed, type); /* not those in its elements */
		type = spb_part_type(m, type, index);
	}
	return !steps;
}

/* How arrays are indexed and copied, in all functions. */
static void see_functions(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	bool known = true;

	u->indexed = spb_bits(u->arena, m->bound);
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; known && at < m->count; at = spb_next(m, at)) {
		if (spb_op_is_chain(spb_op(m, at))) {
			known = see_chain(u, at);
		} else if (spb_op(m, at) == SpvOpCopyLogical) {
			join_elements(u, m->words[at + 1]);
			join_elements(u, spb_type_of(m, m->words[at + 3]));
		}
	}
	if (!known)
		u->joined = NULL;
}

/* Most modules have no array for which it is worth looking at all chains. */
static bool may_keep_apart(struct spb_uniformity *u, uint32_t type)
{
	if (!u->apart_known) {
		u->apart_known = true;
		u->joined = spb_bits(u->arena, u->m->bound);
		if (!join_in_shared_memory(u) || u->m->has_unknown_ops)
			u->joined = NULL;
	}
	if (!u->joined || spb_bit(u->joined, type))
		return false;
	if (!u->indexed)
		see_functions(u);
	return u->joined && !spb_bit(u->joined, type) && !spb_bit(u->indexed, type);
}

uint32_t spb_keep_apart(struct spb_uniformity *u, spb_at at, uint32_t each)
{
	const struct spb_module *m = u->m;
	uint32_t type = m->words[at + 1], length_id = m->words[at + 3];
	uint64_t length = 0;

	if (spb_def_op(m, length_id) != SpvOpConstant || !spb_constant_value(m, length_id, &length) || length < 2 ||
	    length > MOST_ELEMENTS || !each || length * each > SPB_MAX_LEAVES || !may_keep_apart(u, type))
		return 1;
	if (!u->apart)
		u->apart = spb_bits(u->arena, m->bound);
	spb_set_bit(u->apart, type);
	return (uint32_t)length;
}

bool spb_is_apart(const struct spb_uniformity *u, uint32_t type)
{
	return u->apart && spb_bit(u->apart, type);
}
