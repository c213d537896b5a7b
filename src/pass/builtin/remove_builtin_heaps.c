/* SPDX-License-Identifier: Apache-2.0 */
/* remove_builtin_heaps: removes what lower-builtin-heaps leaves unused: the built-in variables, their arrays and
 * strides, sizes of descriptors and what is computed from them, untyped pointers; then the capabilities and extensions.
 * Untyped pointers to other memory stay, and so does their capability. */
#include "pass/builtin/builtin_heaps.h"

static bool is_byte(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpTypeInt && m->words[at + 2] == 8;
}

/* Is it one of the things that heaps are made of, which may go once nothing names it? */
static bool may_go(const struct spb_module *m, spb_at at)
{
	switch (spb_op(m, at)) {
	case SpvOpTypeInt: /* offsets count bytes */
		return is_byte(m, at);
	case OpTypeBufferEXT:
	case OpConstantSizeOfEXT:
	case OpTypeUntypedPointerKHR:
	case OpUntypedVariableKHR:
	case SpvOpVariable:
	case SpvOpTypeArray:
	case SpvOpTypeRuntimeArray:
	case SpvOpTypeStruct:
	case SpvOpSpecConstantOp:
		return true;
	default:
		return false;
	}
}

static bool is_stride(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpDecorateId && m->words[at + 2] == DecorationArrayStrideIdEXT;
}

/* Is a specialization constant computed from the size of a descriptor? */
static bool counts_descriptors(const struct spb_module *m, spb_at at, const uint32_t *candidates)
{
	bool found = false;

	for (uint32_t w = at + 4; spb_op(m, at) == SpvOpSpecConstantOp && w < spb_next(m, at) && !found; w++) {
		uint32_t id = m->words[w];
		found = id && id < m->bound && (spb_bit(candidates, id) || spb_def_op(m, id) == OpConstantSizeOfEXT);
	}
	return found;
}

/* Does it exist in this extension only? */
static bool is_of_extension(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);

	return op == OpTypeBufferEXT || op == OpConstantSizeOfEXT || op == OpTypeUntypedPointerKHR ||
	       spb_builtin_heap(m, at);
}

static void add_candidate(const struct spb_module *m, uint32_t *bits, uint32_t id)
{
	if (may_go(m, m->def[id]))
		spb_set_bit(bits, id);
}

/* Types of the heaps, even of those that nothing indexes, what is computed from sizes of descriptors, and what all of
 * these are made of: the rows of a heap. */
static uint32_t *find_candidates(const struct spb_builtin_plan *p)
{
	const struct spb_module *m = p->m;
	uint32_t *bits = spb_bits(p->arena, m->bound);
	SPB_LIST(spb_at) globals = {0};

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (is_stride(m, at))
			add_candidate(m, bits, m->words[at + 1]);
	}
	for (size_t i = 0; i < p->chains.count; i++)
		add_candidate(m, bits, m->words[p->chains.items[i].at + 3]);
	for (size_t i = 0; i < p->uses.places.count; i++)
		add_candidate(m, bits, m->words[p->uses.places.items[i] + 3]);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (is_of_extension(m, at) || counts_descriptors(m, at, bits))
			spb_set_bit(bits, spb_result(m, at));
		SPB_PUSH(p->arena, &globals, at);
	}
	for (size_t i = globals.count; i-- > 0;) {
		uint32_t id = spb_result(m, globals.items[i]);
		if (!id || !spb_bit(bits, id))
			continue;
		for (struct spb_operand o = spb_operands(m, globals.items[i]); spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_ID || o.kind == SPB_KIND_TYPE)
				add_candidate(m, bits, m->words[o.word]);
		}
	}
	return bits;
}

/* What the pass removes or rewrites. */
static uint32_t *find_gone(const struct spb_builtin_plan *p)
{
	const struct spb_module *m = p->m;
	uint32_t *bits = spb_bits(p->arena, m->bound);

	for (size_t i = 0; i < p->chains.count; i++)
		spb_set_bit(bits, m->words[p->chains.items[i].at + 2]);
	for (size_t i = 0; i < p->uses.places.count; i++)
		spb_set_bit(bits, m->words[p->uses.places.items[i] + 2]);
	for (size_t i = 0; i < p->rewrites.count; i++) {
		spb_at at = p->rewrites.items[i].at;
		if (spb_op(m, at) == SpvOpCopyObject || spb_op(m, at) >= OpTypeUntypedPointerKHR)
			spb_set_bit(bits, spb_result(m, at)); /* 0: none */
	}
	return bits;
}

static void remove_own_notes(struct spb_builtin_plan *p, uint32_t id)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) == SpvOpEntryPoint)
			spb_interface_remove(p->e, at, id);
		else if (m->note[i].word == at + 1)
			spb_remove(p->e, at);
	}
}

/* Debug information about a heap itself, which nothing else refers to. */
static bool is_remark_about_heap(const struct spb_module *m, spb_at at)
{
	uint32_t id = spb_op(m, at) == SpvOpExtInst ? m->words[at + 2] : 0;

	if (!id || !spb_is_non_semantic(m, at) || m->first_use[id] != m->first_use[id + 1])
		return false;
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (spb_operand_is_id(&o) && spb_builtin_heap(m, m->def[m->words[o.word]]))
			return true;
	}
	return false;
}

/* `untyped`: untyped pointers are left. `bytes`: 8-bit integers are left, or there were none. */
static void remove_extension(struct spb_builtin_plan *p, bool untyped, bool bytes)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_IMPORT];
	     at = spb_next(m, at)) {
		uint32_t capability = spb_capability(m, at);
		const char *extension = spb_op(m, at) == SpvOpExtension ? spb_string(m, at + 1) : "";
		if (capability == CapabilityDescriptorHeapEXT || (!bytes && capability == SpvCapabilityInt8) ||
		    !strcmp(extension, "SPV_EXT_descriptor_heap") ||
		    (!untyped &&
		     (capability == CapabilityUntypedPointersKHR || !strcmp(extension, "SPV_KHR_untyped_pointers"))))
			spb_remove(p->e, at);
	}
}

void spb_remove_builtin_heaps(struct spb_builtin_plan *p)
{
	const struct spb_module *m = p->m;
	SPB_LIST(uint32_t) kept = {0};
	uint32_t *candidates = find_candidates(p), *gone = find_gone(p), *needed;
	bool untyped = false, bytes = false, bytes_gone = false;
	spb_at wrong = 0;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (!is_remark_about_heap(m, at))
			continue;
		spb_set_bit(gone, m->words[at + 2]);
		spb_remove_id(p->e, m->words[at + 2]);
	}
	for (size_t i = 0; i < p->chains.count; i++) { /* what new constants are computed from */
		if (!p->chains.items[i].offset)
			continue;
		SPB_PUSH(p->arena, &kept, p->chains.items[i].offset);
		SPB_PUSH(p->arena, &kept, p->chains.items[i].divisor);
	}
	needed = spb_find_needed(p->e, candidates, gone, kept.items, kept.count);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		bool goes = id && spb_bit(candidates, id) && !spb_bit(needed, id);
		bytes_gone |= goes && is_byte(m, at);
		bytes |= !goes && is_byte(m, at);
		if (goes) {
			remove_own_notes(p, id);
			spb_remove(p->e, at);
		} else if (spb_op(m, at) == OpTypeUntypedPointerKHR) {
			untyped = true;
		} else if (is_of_extension(m, at)) {
			wrong = at;
		}
	}
	if (wrong && spb_builtin_heap(m, wrong))
		spb_refuse_builtin(p, wrong, "something else names the heap");
	if (wrong)
		spb_refuse_builtin(p, wrong, "the size of a descriptor is used for more than strides of heaps");
	/* an array that something else uses as well loses its stride, which only the extension defines */
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		uint32_t array = m->words[at + 1];
		if (is_stride(m, at) && (!spb_bit(candidates, array) || spb_bit(needed, array)))
			spb_remove(p->e, at);
	}
	remove_extension(p, untyped, bytes || !bytes_gone);
}
