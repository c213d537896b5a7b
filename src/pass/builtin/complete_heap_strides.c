/* SPDX-License-Identifier: Apache-2.0 */
/* complete-heap-strides: gives the arrays of a heap of SPV_EXT_descriptor_heap that lack a stride the size of their
 * element, the only stride that an index can then mean. An array in a heap must have an explicit layout, and newer
 * validators reject it otherwise.
 *
 *                                          %size = OpConstantSizeOfEXT %uint %image
 *     %images = OpTypeRuntimeArray %image  %images = OpTypeRuntimeArray %image
 *                                          OpDecorateId %images ArrayStrideIdEXT %size
 *
 * This is only for heaps that stay: lower-builtin-heaps and descriptor-heap give strides to the others. */
#include "pass/builtin/builtin_heaps.h"

struct plan {
	const struct spb_module *m;
	struct spb_edit *e;
	struct spb_heap_types types;
	uint32_t *seen;  /* bits over ids: arrays */
	uint32_t number; /* the first type of 32-bit integers */
	spb_at number_at;
};

static void find_number(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpTypeInt && m->words[at + 2] == 32) {
			p->number = m->words[at + 1];
			p->number_at = at;
			return;
		}
	}
}

static bool is_descriptor(const struct spb_module *m, uint32_t type)
{
	return spb_def_op(m, type) == OpTypeBufferEXT ||
	       spb_has_heap(spb_descriptor_of(m, SpvStorageClassUniformConstant, type));
}

/* Arrays of arrays and of structs stay as they are, for the validator to report; so do arrays that are declared before
 * the type of their size. */
static bool complete(struct plan *p, uint32_t array)
{
	spb_at at = p->m->def[array];
	uint32_t element = p->m->words[at + 2];

	if (!is_descriptor(p->m, element) || !p->number || p->number_at > at)
		return false;
	uint32_t size = spb_new_id(p->e);
	spb_insert(p->e, at, OpConstantSizeOfEXT, W(p->number, size, element));
	spb_add_decoration_id(p->e, array, DecorationArrayStrideIdEXT, size);
	return true;
}

/* Returns whether a stride was added. */
static bool see_chain(struct plan *p, spb_at at)
{
	uint32_t element, array;

	if (!spb_follow_heap_chain(&p->types, at, &element, &array) || !array || spb_bit(p->seen, array))
		return false;
	spb_set_bit(p->seen, array);
	return !spb_heap_stride_of(&p->types, array)->given && complete(p, array);
}

bool spb_keeps_builtin_heaps(const struct spb_unit *u)
{
	return spb_has_capability(&u->m, CapabilityDescriptorHeapEXT) && !spb_lowers_builtin_heaps(u);
}

bool spb_pass_complete_heap_strides(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct spb_arena *arena = &m->context->scratch;
	struct plan p = {.m = m, .e = &u->edit};
	struct spb_builtin_access *accesses = NULL;
	bool changed = false;

	if (!spb_keeps_builtin_heaps(u) || spb_version_word(m) < 0x00010200) /* OpDecorateId */
		return false;
	uint32_t count = spb_find_builtin_accesses(m, arena, &accesses);
	spb_heap_types_begin(&p.types, m, arena);
	p.seen = spb_bits(arena, m->bound);
	find_number(&p);
	for (uint32_t i = 0; i < count; i++)
		changed |= see_chain(&p, accesses[i].at);
	return changed;
}
