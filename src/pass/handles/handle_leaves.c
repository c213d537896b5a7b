/* SPDX-License-Identifier: Apache-2.0 */
/* handle_leaves: the pointers to buffers that a type contains.
 *
 *     %p = OpTypePointer PhysicalStorageBuffer %block     1 leaf, whatever the block contains: that is memory
 *     %a = OpTypeArray %p %uint_3                         1, because all elements share a leaf
 *     %s = OpTypeStruct %p %uint %a                       2: none before member 0, one before member 2
 *     %f = OpTypePointer Function %s                      2, those of its contents
 *
 * Types are declared before they are used, except for these pointers, so one walk finds the pointers and a second one
 * everything else. */
#include "pass/handles/handle_flow.h"

enum { MOST_LEAVES = 64, MOST_LEVELS = 32 };

bool spb_is_buffer_pointer(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];

	return spb_op(m, at) == SpvOpTypePointer && m->words[at + 2] == SpvStorageClassPhysicalStorageBuffer;
}

bool spb_is_local_pointer(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];
	uint32_t class = spb_op(m, at) == SpvOpTypePointer ? m->words[at + 2] : SpvStorageClassMax;

	return class == SpvStorageClassFunction || class == SpvStorageClassPrivate || class == SpvStorageClassWorkgroup;
}

bool spb_is_resource_pointer(const struct spb_pointer_leaves *l, uint32_t type)
{
	spb_at at = l->m->def[type];

	return l->opaque && spb_op(l->m, at) == SpvOpTypePointer &&
	       l->m->words[at + 2] == SpvStorageClassUniformConstant;
}

bool spb_is_leaf(const struct spb_pointer_leaves *l, uint32_t type)
{
	if (spb_is_buffer_pointer(l->m, type))
		return true;
	if (spb_is_resource_pointer(l, type))
		type = l->m->words[l->m->def[type] + 3];
	return l->opaque && spb_bit(l->opaque, type);
}

static uint32_t of_struct(struct spb_pointer_leaves *l, spb_at at, uint8_t *level)
{
	const struct spb_module *m = l->m;
	uint32_t total = 0, type = m->words[at + 1];
	uint8_t deepest = 0;

	for (uint32_t w = at + 2; w < spb_next(m, at); w++) {
		uint32_t member = m->words[w];
		l->before[w - m->section[SPB_SECTION_GLOBAL]] = (uint8_t)total;
		if (l->of_type[member])
			l->pointer[type] = !total || l->pointer[type] == l->pointer[member] ? l->pointer[member] : 0;
		total += l->of_type[member];
		total = total > MOST_LEAVES ? SPB_MANY_LEAVES : total;
		deepest = level[member] > deepest ? level[member] : deepest;
	}
	level[type] = deepest;
	return total;
}

static uint32_t of_type(struct spb_pointer_leaves *l, spb_at at, uint8_t *level)
{
	const struct spb_module *m = l->m;
	uint32_t type = m->words[at + 1], inner;

	if (spb_op(m, at) == SpvOpTypeStruct)
		return of_struct(l, at, level);
	if (spb_op(m, at) == SpvOpTypePointer) {
		inner = m->words[at + 3];
		if (!spb_is_local_pointer(m, type) && !spb_is_resource_pointer(l, type))
			return 0;
	} else {
		inner = m->words[at + 2]; /* of an array */
	}
	level[type] = level[inner];
	l->pointer[type] = l->pointer[inner];
	return l->of_type[inner];
}

struct spb_pointer_leaves spb_find_pointer_leaves(const struct spb_module *m, struct spb_arena *arena,
						  const uint32_t *opaque)
{
	struct spb_pointer_leaves l = {.m = m, .opaque = opaque};
	uint8_t *level = spb_alloc_zeroed(arena, m->bound, sizeof *level);

	l.of_type = spb_alloc_zeroed(arena, m->bound, sizeof *l.of_type);
	l.pointer = spb_alloc_zeroed(arena, m->bound, sizeof *l.pointer);
	l.before = spb_alloc_zeroed(arena, m->section[SPB_SECTION_FUNCTION] - m->section[SPB_SECTION_GLOBAL],
				    sizeof *l.before);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if (id && (spb_is_buffer_pointer(m, id) || (opaque && spb_bit(opaque, id)))) {
			l.of_type[id] = 1;
			l.pointer[id] = id;
		}
	}
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		bool unsized_array =
		    opaque && op == SpvOpTypeRuntimeArray; /* an array of resources; in memory it holds addresses */
		if ((op != SpvOpTypePointer && op != SpvOpTypeArray && op != SpvOpTypeStruct && !unsized_array) ||
		    spb_is_buffer_pointer(m, m->words[at + 1]))
			continue;
		uint32_t count = of_type(&l, at, level), type = m->words[at + 1];
		if (count && level[type]++ >= MOST_LEVELS)
			count = SPB_MANY_LEAVES;
		l.of_type[type] = (uint8_t)count;
	}
	return l;
}

uint32_t spb_pointer_leaves_of(const struct spb_pointer_leaves *l, uint32_t id)
{
	uint32_t count = l->of_type[spb_type_of(l->m, id)];

	return count == SPB_MANY_LEAVES ? 0 : count;
}

uint32_t spb_leaf_part(const struct spb_pointer_leaves *l, uint32_t type, uint64_t index, uint32_t *first)
{
	const struct spb_module *m = l->m;
	spb_at at = m->def[type];

	uint32_t part = spb_part_type(m, type, index);

	if (part && spb_op(m, at) == SpvOpTypeStruct)
		*first += l->before[at + 2 + (uint32_t)index - m->section[SPB_SECTION_GLOBAL]];
	return part;
}
