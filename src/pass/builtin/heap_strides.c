/* SPDX-License-Identifier: Apache-2.0 */
/* heap_strides: which index a chain into a heap of SPV_EXT_descriptor_heap stands for.
 *
 * Such a heap is memory, and a chain is an offset in it: strides times indices, plus offsets of members. A runtime
 * array knows indices only, so all of it has to be a multiple of the innermost stride:
 *
 *     %size = OpConstantSizeOfEXT %uint %image
 *     OpDecorateId %images ArrayStrideIdEXT %size            images[i]           index i
 *     %row = OpSpecConstantOp %uint IMul %size %uint_4
 *     OpDecorateId %rows ArrayStrideIdEXT %row               rows[i][j]          index i * 4 + j
 *     OpMemberDecorateIdEXT %s 1 OffsetIdEXT %row            s.images[i]         index 4 + i
 *
 * Sizes that only the driver knows are therefore computed with as units. An array without a stride, as spirv-bind wrote
 * it once, has that of its element: nothing else would be addressed by an index. */
#include "pass/builtin/builtin_heaps.h"

struct spb_heap_size spb_descriptor_size(const struct spb_module *m, uint32_t type)
{
	uint32_t op = spb_def_op(m, type);
	/* Vulkan, "Descriptor Heaps": acceleration structures have the size of buffers there */
	uint32_t of = op == SpvOpTypeSampler                                             ? SPB_UNIT_SAMPLER
		      : op == OpTypeBufferEXT || op == SpvOpTypeAccelerationStructureKHR ? SPB_UNIT_BUFFER
											 : SPB_UNIT_IMAGE;

	return (struct spb_heap_size){1, SPB_UNIT_DRIVER | of};
}

/* Select of a comparison of its own operands: the larger of two sizes. */
static bool is_maximum(const struct spb_module *m, spb_at select)
{
	spb_at compare = m->def[m->words[select + 4]];
	uint32_t x = m->words[select + 5], y = m->words[select + 6];

	if (spb_op(m, compare) != SpvOpSpecConstantOp || spb_length(m, compare) != 6)
		return false;
	uint32_t left = m->words[compare + 4], right = m->words[compare + 5];
	switch (m->words[compare + 3]) {
	case SpvOpUGreaterThan:
	case SpvOpUGreaterThanEqual:
	case SpvOpSGreaterThan:
	case SpvOpSGreaterThanEqual:
		return left == x && right == y;
	case SpvOpULessThan:
	case SpvOpULessThanEqual:
	case SpvOpSLessThan:
	case SpvOpSLessThanEqual:
		return left == y && right == x;
	default:
		return false;
	}
}

enum { DEPTH = 8 }; /* of expressions: a row of rows of the larger one of three sizes has less */

static struct spb_heap_size size_of_constant(const struct spb_module *m, uint32_t id, int depth)
{
	struct spb_heap_size itself = {1, id};
	spb_at at = m->def[id];
	uint64_t value;

	if (spb_op(m, at) == SpvOpConstant && spb_constant_value(m, id, &value))
		return (struct spb_heap_size){value & UINT32_MAX, SPB_UNIT_BYTE};
	if (spb_op(m, at) == OpConstantSizeOfEXT)
		return spb_descriptor_size(m, m->words[at + 3]);
	if (spb_op(m, at) != SpvOpSpecConstantOp || depth == DEPTH)
		return itself;
	if (m->words[at + 3] == SpvOpIMul) {
		struct spb_heap_size x = size_of_constant(m, m->words[at + 4], depth + 1);
		struct spb_heap_size y = size_of_constant(m, m->words[at + 5], depth + 1);
		if ((x.unit && y.unit) || x.count > UINT32_MAX || y.count > UINT32_MAX)
			return itself;
		return (struct spb_heap_size){x.count * y.count, x.unit | y.unit};
	}
	if (m->words[at + 3] == SpvOpSelect && is_maximum(m, at)) {
		struct spb_heap_size x = size_of_constant(m, m->words[at + 5], depth + 1);
		struct spb_heap_size y = size_of_constant(m, m->words[at + 6], depth + 1);
		if (x.count == 1 && y.count == 1 && x.unit & y.unit & SPB_UNIT_DRIVER)
			return (struct spb_heap_size){1, x.unit | y.unit};
	}
	return itself;
}

/* The word of the id in an OpDecorateId; 0: there is none. */
static uint32_t id_decoration(const struct spb_module *m, uint32_t id, uint32_t decoration)
{
	for (uint32_t i = m->first_note[id + 1]; i > m->first_note[id]; i--) {
		spb_at at = m->note[i - 1].at;
		if (at < m->section[SPB_SECTION_ANNOTATION])
			break;
		if (spb_op(m, at) == SpvOpDecorateId && m->words[at + 1] == id && m->words[at + 2] == decoration)
			return at + 3;
	}
	return 0;
}

/* A decoration by a literal, or else by an id. */
static bool decorated_size(const struct spb_module *m, uint32_t type, uint32_t by_number, uint32_t by_id,
			   struct spb_heap_size *size)
{
	uint32_t word = spb_decoration(m, type, by_number);

	if (word) {
		*size = (struct spb_heap_size){m->words[word], SPB_UNIT_BYTE};
		return true;
	}
	word = id_decoration(m, type, by_id);
	if (word)
		*size = size_of_constant(m, m->words[word], 0);
	return word != 0;
}

static noreturn void refuse(const struct spb_module *m, spb_at at, const char *what)
{
	spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_BUILTIN_HEAP, at,
		 "%s reaches a descriptor at an offset %s, so it has no index in an array of descriptors; index one "
		 "array of descriptors, without other data before it",
		 spb_op_name(spb_op(m, at)), what);
}

/* The offset of a member, which may have been given by an id. */
static struct spb_heap_size member_offset(const struct spb_module *m, uint32_t type, uint32_t member, uint32_t *id)
{
	*id = 0;
	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		spb_at at = m->note[i].at;
		if (m->note[i].word != at + 1 || spb_length(m, at) != 5 || m->words[at + 2] != member)
			continue;
		if (spb_op(m, at) == SpvOpMemberDecorate && m->words[at + 3] == SpvDecorationOffset)
			return (struct spb_heap_size){m->words[at + 4], SPB_UNIT_BYTE};
		if (spb_op(m, at) == OpMemberDecorateIdEXT && m->words[at + 3] == DecorationOffsetIdEXT) {
			*id = m->words[at + 4];
			return size_of_constant(m, *id, 0);
		}
	}
	return (struct spb_heap_size){0, SPB_UNIT_BYTE};
}

struct walk {
	const struct spb_module *m;
	struct spb_heap_chain *chain;
	uint32_t stride_id; /* of the innermost array, if it was given by an id; 0: not */
};

static uint64_t in_strides(const struct walk *w, struct spb_heap_size size)
{
	struct spb_heap_size stride = w->chain->stride;

	if (!size.count)
		return 0;
	if (size.unit != stride.unit || !stride.count || size.count % stride.count)
		refuse(w->m, w->chain->at, "that is no multiple of its stride");
	return size.count / stride.count;
}

static void add_index(struct walk *w, uint32_t id, uint64_t factor)
{
	struct spb_heap_chain *chain = w->chain;
	uint64_t value;

	if (spb_def_op(w->m, id) == SpvOpConstant && spb_constant_value(w->m, id, &value)) {
		value &= UINT32_MAX;
		if (factor > UINT32_MAX || value * factor > UINT32_MAX || chain->number + value * factor > UINT32_MAX)
			refuse(w->m, chain->at, "above 4294967295");
		chain->number += value * factor;
	} else if (factor) {
		chain->terms[chain->term_count++] = (struct spb_heap_term){id, factor};
	}
}

static void add_member(struct walk *w, uint32_t type, uint32_t index)
{
	struct spb_heap_chain *chain = w->chain;
	uint64_t member;
	uint32_t id;

	if (!spb_constant_value(w->m, index, &member))
		refuse(w->m, chain->at, "of an unknown member");
	struct spb_heap_size offset = member_offset(w->m, type, (uint32_t)member, &id);
	bool same = offset.unit == chain->stride.unit && chain->stride.count && !(offset.count % chain->stride.count);
	uint64_t strides;
	if (id && !same && offset.unit && !(offset.unit & SPB_UNIT_DRIVER) && !chain->offset && w->stride_id) {
		chain->offset = id; /* both are specialised: what the host gives is up to the host */
		chain->divisor = w->stride_id;
		return;
	}
	strides = in_strides(w, offset);
	if (chain->number + strides > UINT32_MAX)
		refuse(w->m, chain->at, "above 4294967295");
	chain->number += strides;
}

/* The stride of an array. A missing one follows from its element, whose size is `inner`. */
static struct spb_heap_size stride_of(const struct spb_module *m, uint32_t array, struct spb_heap_size inner)
{
	struct spb_heap_size stride;

	return decorated_size(m, array, SpvDecorationArrayStride, DecorationArrayStrideIdEXT, &stride) ? stride : inner;
}

static struct spb_heap_size whole(const struct spb_module *m, uint32_t array, struct spb_heap_size stride)
{
	uint64_t length = 0;

	if (spb_def_op(m, array) != SpvOpTypeArray || !spb_constant_value(m, m->words[m->def[array] + 3], &length) ||
	    length > UINT32_MAX || stride.count > UINT32_MAX)
		return (struct spb_heap_size){0, SPB_UNIT_BYTE};
	return (struct spb_heap_size){stride.count * length, stride.unit};
}

struct spb_heap_chain spb_read_heap_chain(const struct spb_module *m, struct spb_arena *arena, spb_at at)
{
	uint32_t length = spb_length(m, at), count = length - 5;
	uint32_t *types = spb_alloc_array(arena, count + 1, sizeof *types); /* that each index selects from */
	struct spb_heap_chain chain = {.at = at};
	struct walk w = {.m = m, .chain = &chain};

	types[0] = m->words[at + 3];
	for (uint32_t i = 0; i < count; i++) {
		uint64_t member = 0;
		uint32_t op = spb_def_op(m, types[i]), index = m->words[at + 5 + i];
		if (op == SpvOpTypeStruct && !spb_constant_value(m, index, &member))
			refuse(m, at, "of an unknown member");
		types[i + 1] =
		    op == SpvOpTypeStruct || spb_array_element(m, types[i]) ? spb_part_type(m, types[i], member) : 0;
		if (!types[i + 1])
			refuse(m, at, "within a descriptor");
	}
	chain.element = types[count];
	chain.terms = spb_alloc_array(arena, count + 1, sizeof *chain.terms);
	struct spb_heap_size size = spb_descriptor_size(m, chain.element);
	bool found = false;
	for (uint32_t i = count; i-- > 0;) {
		if (spb_def_op(m, types[i]) == SpvOpTypeStruct)
			continue;
		struct spb_heap_size stride = stride_of(m, types[i], size);
		uint32_t word = id_decoration(m, types[i], DecorationArrayStrideIdEXT);
		if (!found)
			chain.stride = stride, w.stride_id = word ? m->words[word] : 0;
		found = true;
		size = whole(m, types[i], stride);
		add_index(&w, m->words[at + 5 + i], in_strides(&w, stride));
	}
	if (!found)
		chain.stride = size;
	if (count == 1 && found)
		chain.only = m->words[at + 5];
	for (uint32_t i = 0; i < count; i++) {
		if (spb_def_op(m, types[i]) == SpvOpTypeStruct)
			add_member(&w, types[i], m->words[at + 5 + i]);
	}
	return chain;
}
