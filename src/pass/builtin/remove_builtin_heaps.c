/* SPDX-License-Identifier: Apache-2.0 */
/* remove_builtin_heaps: removes what lower-builtin-heaps leaves unused: the built-in variables, their arrays and
 * strides, sizes of descriptors and what is computed from them, untyped pointers; then the capabilities and extensions.
 * Untyped pointers to other memory stay, and so does their capability. */
#include "pass/builtin/builtin_heaps.h"

static bool is_byte(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpTypeInt && m->words[at + 2] == 8;
}

static bool is_candidate(const struct spb_module *m, spb_at at, const uint32_t *candidates)
{
	switch (spb_op(m, at)) {
	case OpTypeBufferEXT:
	case OpConstantSizeOfEXT:
	case OpTypeUntypedPointerKHR:
		return true;
	case SpvOpTypeInt: /* of the bytes that offsets count */
		return is_byte(m, at) && spb_bit(candidates, m->words[at + 1]);
	case OpUntypedVariableKHR:
	case SpvOpVariable:
	case SpvOpTypeArray:
	case SpvOpTypeRuntimeArray:
	case SpvOpTypeStruct:
	case SpvOpSpecConstantOp:
		return spb_bit(candidates, spb_result(m, at));
	default:
		return false;
	}
}

static bool is_stride(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpDecorateId && m->words[at + 2] == DecorationArrayStrideIdEXT;
}

/* Types of the heaps, even of those that nothing indexes, and what is computed from sizes of descriptors. */
static uint32_t *find_candidates(const struct spb_builtin_plan *p)
{
	const struct spb_module *m = p->m;
	uint32_t *bits = spb_bits(p->arena, m->bound);

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (is_stride(m, at))
			spb_set_bit(bits, m->words[at + 1]);
	}
	for (size_t i = 0; i < p->chains.count; i++)
		spb_set_bit(bits, m->words[p->chains.items[i].at + 3]);
	for (size_t i = 0; i < p->uses.places.count; i++)
		spb_set_bit(bits, m->words[p->uses.places.items[i] + 3]);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if (op == SpvOpSpecConstantOp) {
			for (uint32_t w = at + 4; w < spb_next(m, at); w++) {
				uint32_t id = m->words[w];
				if (id && id < m->bound &&
				    (spb_bit(bits, id) || spb_def_op(m, id) == OpConstantSizeOfEXT))
					spb_set_bit(bits, m->words[at + 2]);
			}
		}
		if (spb_builtin_heap(m, at))
			spb_set_bit(bits, m->words[at + 2]);
	}
	return bits;
}

static void need_operands(const struct spb_module *m, spb_at at, uint32_t *needed)
{
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (spb_operand_is_id(&o) && o.kind != SPB_KIND_RESULT)
			spb_set_bit(needed, m->words[o.word]);
	}
}

/* What the functions use once they are rewritten. */
static uint32_t *find_needed(const struct spb_builtin_plan *p)
{
	const struct spb_module *m = p->m;
	uint32_t *needed = spb_bits(p->arena, m->bound), *changed = spb_bits(p->arena, m->count);

	for (size_t i = 0; i < p->chains.count; i++)
		spb_set_bit(changed, p->chains.items[i].at);
	for (size_t i = 0; i < p->uses.places.count; i++)
		spb_set_bit(changed, p->uses.places.items[i]);
	for (size_t i = 0; i < p->rewrites.count; i++) {
		uint32_t op = spb_op(m, p->rewrites.items[i].at);
		if (op == SpvOpCopyObject || op >= OpTypeUntypedPointerKHR)
			spb_set_bit(changed, p->rewrites.items[i].at);
	}
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		if (!spb_bit(changed, at))
			need_operands(m, at, needed);
	}
	for (size_t i = 0; i < p->chains.count; i++) {
		if (p->chains.items[i].offset) {
			spb_set_bit(needed, p->chains.items[i].offset);
			spb_set_bit(needed, p->chains.items[i].divisor);
		}
	}
	return needed;
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

/* An array that something else uses as well loses its stride, which only the extension defines. */
static void remove_stride(struct spb_builtin_plan *p, uint32_t id)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		if (m->note[i].word == at + 1 && is_stride(m, at))
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

/* Walks the globals backward and removes those that nothing after them needs. */
static void remove_globals(struct spb_builtin_plan *p)
{
	const struct spb_module *m = p->m;
	uint32_t *needed = find_needed(p), *candidates = find_candidates(p);
	SPB_LIST(spb_at) globals = {0};
	bool untyped = false, bytes = false, bytes_gone = false;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at))
		SPB_PUSH(p->arena, &globals, at);
	for (size_t i = globals.count; i-- > 0;) {
		spb_at at = globals.items[i];
		uint32_t id = spb_result(m, at), op = spb_op(m, at);
		if (is_remark_about_heap(m, at)) {
			spb_remove_id(p->e, id);
			continue;
		}
		if (id && is_candidate(m, at, candidates) && !spb_bit(needed, id)) {
			bytes_gone |= is_byte(m, at);
			remove_own_notes(p, id);
			spb_remove(p->e, at);
			need_operands(m, at, candidates); /* what it names may be unused now: the rows of a heap */
			continue;
		}
		if (op == OpTypeBufferEXT || op == OpConstantSizeOfEXT)
			spb_refuse_builtin(p, at, "the size of a descriptor is used for more than strides of heaps");
		if (spb_builtin_heap(m, at))
			spb_refuse_builtin(p, at, "something else names the heap");
		untyped |= op == OpTypeUntypedPointerKHR;
		bytes |= is_byte(m, at);
		if (id && spb_bit(candidates, id))
			remove_stride(p, id);
		need_operands(m, at, needed);
	}
	remove_extension(p, untyped, bytes || !bytes_gone);
}

void spb_remove_builtin_heaps(struct spb_builtin_plan *p)
{
	remove_globals(p);
}
