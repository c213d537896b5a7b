/* SPDX-License-Identifier: Apache-2.0 */
/* heap_strides: which index a chain into a heap of SPV_EXT_descriptor_heap stands for.
 *
 * Such a heap is memory, and a chain is an offset in it: strides times indices, plus offsets of members. A runtime
 * array has indices only, so the whole offset must be a multiple of the innermost stride:
 *
 *     %size = OpConstantSizeOfEXT %uint %image
 *     OpDecorateId %images ArrayStrideIdEXT %size            images[i]           index i
 *     %row = OpSpecConstantOp %uint IMul %size %uint_4
 *     OpDecorateId %rows ArrayStrideIdEXT %row               rows[i][j]          index i * 4 + j
 *     OpMemberDecorateIdEXT %s 1 OffsetIdEXT %row            s.images[i]         index 4 + i
 *
 * Sizes that only the driver knows therefore serve as units in these computations. An array without a stride has that
 * of its element, the only one with which an index selects an element. */
#include "pass/builtin/builtin_heaps.h"

uint32_t spb_builtin_heap(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);
	bool is_variable = op == OpUntypedVariableKHR || op == SpvOpVariable;
	uint32_t word = is_variable ? spb_decoration(m, m->words[at + 2], SpvDecorationBuiltIn) : 0;
	uint32_t builtin = word ? m->words[word] : 0;

	return builtin == BuiltInResourceHeapEXT || builtin == BuiltInSamplerHeapEXT ? builtin : 0;
}

static bool is_heap_chain(const struct spb_module *m, struct spb_use use)
{
	uint32_t op = spb_op(m, use.at);

	return (op == OpUntypedAccessChainKHR || op == OpUntypedInBoundsAccessChainKHR) && use.word == use.at + 4;
}

/* Does a chain only advance by a constant number of bytes, as glslang 16 writes heap_offset? */
static bool is_offset(const struct spb_module *m, spb_at at)
{
	uint32_t array = m->words[at + 3], element = spb_array_element(m, array), stride;

	if (spb_length(m, at) != 6 || spb_def_op(m, element) != SpvOpTypeInt || m->words[m->def[element] + 2] != 8)
		return false;
	stride = spb_decoration(m, array, SpvDecorationArrayStride);
	return stride && m->words[stride] == 1 && spb_is_constant(m, m->words[at + 5]);
}

/* The chain to the place in a heap where another one begins; 0: that one begins at the heap. */
static spb_at heap_base(const struct spb_module *m, spb_at chain)
{
	spb_at base = m->def[m->words[chain + 4]];
	uint32_t op = spb_op(m, base);

	return op == OpUntypedAccessChainKHR || op == OpUntypedInBoundsAccessChainKHR ? base : 0;
}

/* Lists the uses of `id`: a built-in heap, or a place in one. */
static void add_uses(const struct spb_module *m, struct spb_heap_uses *uses, uint32_t id, struct spb_heap_use use)
{
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		use.at = m->use[i].at;
		use.is_chain = is_heap_chain(m, m->use[i]);
		if (m->use[i].at < m->section[SPB_SECTION_FUNCTION] && spb_is_non_semantic(m, use.at))
			continue; /* its declaration */
		if (use.is_chain && !use.is_place && is_offset(m, use.at)) {
			SPB_PUSH(uses->arena, &uses->places, use.at);
			struct spb_heap_use behind = use;
			behind.is_place = true;
			add_uses(m, uses, m->words[use.at + 2], behind);
		} else if (!use.is_place || !spb_is_non_semantic(m, use.at)) {
			SPB_PUSH(uses->arena, &uses->list, use);
		}
	}
}

struct spb_heap_uses spb_find_heap_uses(const struct spb_module *m, struct spb_arena *arena)
{
	struct spb_heap_uses uses = {.arena = arena};

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t builtin = spb_builtin_heap(m, at);
		if (builtin)
			add_uses(m, &uses, m->words[at + 2],
				 (struct spb_heap_use){.variable = m->words[at + 2],
						       .sampler = builtin == BuiltInSamplerHeapEXT});
	}
	return uses;
}

/* A number of 64 bits, or two of 32. */
static bool is_address(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];

	if (spb_op(m, at) == SpvOpTypeVector && m->words[at + 3] == 2)
		return spb_def_op(m, m->words[at + 2]) == SpvOpTypeInt && m->words[m->def[m->words[at + 2]] + 2] == 32;
	return spb_op(m, at) == SpvOpTypeInt && m->words[at + 2] == 64;
}

/* The type that a loaded number is converted to, if nothing else is done with it; 0: none. */
static uint32_t converted_to(const struct spb_module *m, uint32_t id)
{
	uint32_t type = 0;

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at at = m->use[i].at;
		if (at < m->section[SPB_SECTION_FUNCTION] || spb_is_non_semantic(m, at))
			continue;
		if (spb_op(m, at) != SpvOpConvertUToAccelerationStructureKHR)
			return 0;
		type = m->words[at + 1];
	}
	return type;
}

uint32_t spb_scenes_of(const struct spb_module *m, spb_at chain)
{
	uint32_t id = m->words[chain + 2], type = 0;

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at at = m->use[i].at;
		if (at < m->section[SPB_SECTION_FUNCTION] || spb_is_non_semantic(m, at))
			continue;
		if (spb_op(m, at) != SpvOpLoad || !is_address(m, m->words[at + 1]))
			return 0;
		type = converted_to(m, m->words[at + 2]);
		if (!type)
			return 0;
	}
	return type;
}

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

static bool is_sum_or_product(uint32_t op)
{
	return op == SpvOpIMul || op == SpvOpIAdd || op == SpvOpISub || op == SpvOpUMod;
}

/* What is computed from two sizes; `itself` if it is neither a number of bytes nor of sizes. Compilers round an offset
 * up to the size of what is placed there: x + (s - x % s) % s. */
static struct spb_heap_size computed_size(uint32_t op, struct spb_heap_size x, struct spb_heap_size y,
					  struct spb_heap_size itself)
{
	bool same = x.unit == y.unit || !x.count || !y.count; /* zero is the same in every unit */
	uint32_t unit = x.count ? x.unit : y.unit;

	if (x.count > UINT32_MAX || y.count > UINT32_MAX)
		return itself;
	switch (op) {
	case SpvOpIMul:
		return x.unit && y.unit ? itself : (struct spb_heap_size){x.count * y.count, x.unit | y.unit};
	case SpvOpIAdd:
		return same ? (struct spb_heap_size){x.count + y.count, unit} : itself;
	case SpvOpISub:
		return same && x.count >= y.count ? (struct spb_heap_size){x.count - y.count, unit} : itself;
	default: /* SpvOpUMod */
		return same && y.count ? (struct spb_heap_size){x.count % y.count, unit} : itself;
	}
}

static struct spb_heap_size size_of_choice(const struct spb_heap_types *t, spb_at at, struct spb_heap_size itself)
{
	struct spb_heap_size x = t->sizes[t->m->words[at + 5]], y = t->sizes[t->m->words[at + 6]];

	if (x.unit == y.unit && x.count == y.count)
		return x;
	if (is_maximum(t->m, at) && x.count == 1 && y.count == 1 && x.unit & y.unit & SPB_UNIT_DRIVER)
		return (struct spb_heap_size){1, x.unit | y.unit};
	return itself;
}

/* The size that a constant stands for. Its operands are declared, and so computed, before it. */
static struct spb_heap_size size_of_constant(const struct spb_heap_types *t, spb_at at, uint32_t id)
{
	const struct spb_module *m = t->m;
	struct spb_heap_size itself = {1, id};
	uint32_t op = spb_op(m, at);
	uint64_t value;

	if (op == SpvOpConstant && spb_constant_value(m, id, &value))
		return (struct spb_heap_size){value & UINT32_MAX, SPB_UNIT_BYTE};
	if (op == OpConstantSizeOfEXT)
		return spb_descriptor_size(m, m->words[at + 3]);
	if (op != SpvOpSpecConstantOp)
		return itself;
	if (m->words[at + 3] == SpvOpSelect)
		return size_of_choice(t, at, itself);
	if (!is_sum_or_product(m->words[at + 3]))
		return itself;
	return computed_size(m->words[at + 3], t->sizes[m->words[at + 4]], t->sizes[m->words[at + 5]], itself);
}

static void find_sizes(struct spb_heap_types *t)
{
	const struct spb_module *m = t->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if (id && spb_op_is(spb_op(m, at), SPB_OP_IS_CONSTANT))
			t->sizes[id] = size_of_constant(t, at, id);
	}
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

/* The stride of an array: from a literal if it has one, otherwise from an id. */
static struct spb_heap_stride read_stride(const struct spb_heap_types *t, uint32_t array)
{
	const struct spb_module *m = t->m;
	struct spb_heap_stride stride = {.read = true, .given = true};
	uint32_t number = spb_decoration(m, array, SpvDecorationArrayStride);
	uint32_t by_id = id_decoration(m, array, DecorationArrayStrideIdEXT);

	if (by_id)
		stride.id = m->words[by_id];
	if (number)
		stride.size = (struct spb_heap_size){m->words[number], SPB_UNIT_BYTE};
	else if (by_id)
		stride.size = t->sizes[stride.id];
	else
		stride.given = false;
	return stride;
}

const struct spb_heap_stride *spb_heap_stride_of(struct spb_heap_types *t, uint32_t array)
{
	struct spb_heap_stride *stride = &t->strides[array];

	if (!stride->read)
		*stride = read_stride(t, array);
	return stride;
}

static noreturn void refuse(const struct spb_module *m, spb_at at, const char *what)
{
	spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_BUILTIN_HEAP, at,
		 "%s reaches a descriptor at an offset %s, so it has no index in an array of descriptors" SPB_REMEDY
		 "Index one array of descriptors, without other data before it.",
		 spb_word_of(m, at), what);
}

/* Where the offsets of a struct's members are decorated; 0: nowhere. */
static const spb_at *offsets_of(struct spb_heap_types *t, uint32_t type)
{
	const struct spb_module *m = t->m;
	uint32_t count = spb_length(m, m->def[type]) - 2;

	if (t->offsets[type])
		return t->offsets[type];
	t->offsets[type] = spb_alloc_zeroed(t->arena, count + 1, sizeof **t->offsets);
	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		spb_at at = m->note[i].at;
		uint32_t op = spb_op(m, at);
		bool is_offset = (op == SpvOpMemberDecorate && m->words[at + 3] == SpvDecorationOffset) ||
				 (op == OpMemberDecorateIdEXT && m->words[at + 3] == DecorationOffsetIdEXT);
		if (is_offset && m->note[i].word == at + 1 && m->words[at + 2] < count &&
		    !t->offsets[type][m->words[at + 2]])
			t->offsets[type][m->words[at + 2]] = at;
	}
	return t->offsets[type];
}

/* The offset of a member, which an id may give. */
static struct spb_heap_size member_offset(struct spb_heap_types *t, uint32_t type, uint32_t member, uint32_t *id)
{
	const struct spb_module *m = t->m;
	spb_at at = offsets_of(t, type)[member];

	*id = 0;
	if (!at)
		return (struct spb_heap_size){0, SPB_UNIT_BYTE};
	if (spb_op(m, at) == SpvOpMemberDecorate)
		return (struct spb_heap_size){m->words[at + 4], SPB_UNIT_BYTE};
	*id = m->words[at + 4];
	return t->sizes[*id];
}

bool spb_begins_with_member(struct spb_heap_types *t, uint32_t type)
{
	uint32_t id;
	const struct spb_heap_size offset = member_offset(t, type, 0, &id);

	return !id && !offset.count;
}

struct walk {
	struct spb_heap_types *types;
	const struct spb_module *m;
	struct spb_heap_chain *chain;
	uint32_t stride_id; /* of the innermost array, where an id gives it; 0: none does */
};

static uint64_t in_strides(const struct walk *w, struct spb_heap_size size)
{
	struct spb_heap_size stride = w->chain->stride;

	if (!size.count)
		return 0;
	if (size.unit != stride.unit || !stride.count || size.count % stride.count)
		refuse(w->m, w->chain->at, "that is not a multiple of its stride");
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

/* `id`: the constant that gives the offset; 0: a literal does. */
static void add_offset(struct walk *w, struct spb_heap_size offset, uint32_t id)
{
	struct spb_heap_chain *chain = w->chain;
	bool same = offset.unit == chain->stride.unit && chain->stride.count && !(offset.count % chain->stride.count);

	if (id && !same && offset.unit && !(offset.unit & SPB_UNIT_DRIVER) && !chain->offset && w->stride_id) {
		chain->offset = id; /* a specialization constant: its value is the host's responsibility */
		chain->divisor = w->stride_id;
		return;
	}
	uint64_t strides = in_strides(w, offset);
	if (chain->number + strides > UINT32_MAX)
		refuse(w->m, chain->at, "above 4294967295");
	chain->number += strides;
}

static void add_member(struct walk *w, uint32_t type, uint32_t index)
{
	uint64_t member;
	uint32_t id;

	if (!spb_constant_value(w->m, index, &member))
		refuse(w->m, w->chain->at, "of an unknown member");
	struct spb_heap_size offset = member_offset(w->types, type, (uint32_t)member, &id);
	add_offset(w, offset, id);
}

static struct spb_heap_size whole(const struct spb_module *m, uint32_t array, struct spb_heap_size stride)
{
	uint64_t length = 0;

	if (spb_def_op(m, array) != SpvOpTypeArray || !spb_constant_value(m, m->words[m->def[array] + 3], &length) ||
	    length > UINT32_MAX || stride.count > UINT32_MAX)
		return (struct spb_heap_size){0, SPB_UNIT_BYTE};
	return (struct spb_heap_size){stride.count * length, stride.unit};
}

void spb_heap_types_begin(struct spb_heap_types *t, const struct spb_module *m, struct spb_arena *arena)
{
	*t = (struct spb_heap_types){.m = m, .arena = arena};
	t->strides = spb_alloc_zeroed(arena, m->bound, sizeof *t->strides);
	t->offsets = spb_alloc_zeroed(arena, m->bound, sizeof *t->offsets);
	t->sizes = spb_alloc_zeroed(arena, m->bound, sizeof *t->sizes);
	find_sizes(t);
}

/* The types on a chain's way to the one that it reaches. Behind the last index, an array or a struct stands for the
 * first descriptor in it. */
struct way {
	uint32_t *types; /* [count + 1] */
	uint32_t count, indices;
	const char *wrong; /* where it cannot be followed; or NULL */
};

static struct way find_way(const struct spb_heap_types *t, spb_at at)
{
	const struct spb_module *m = t->m;
	struct way way = {.indices = spb_length(m, at) - 5};
	SPB_LIST(uint32_t) types = {0};
	uint32_t type = m->words[at + 3];

	SPB_PUSH(t->arena, &types, type);
	for (bool last = false; !last && !way.wrong;) {
		uint32_t i = (uint32_t)types.count - 1;
		uint64_t member = 0;
		bool is_struct = spb_def_op(m, type) == SpvOpTypeStruct, given = i < way.indices;
		last = !is_struct && !spb_array_element(m, type);
		if (last && given)
			way.wrong = spb_part_type(m, type, 0) ? "within data" : "within a descriptor";
		else if (is_struct && given && !spb_constant_value(m, m->words[at + 5 + i], &member))
			way.wrong = "of an unknown member";
		else if (!last && !(type = spb_part_type(m, type, member)))
			way.wrong = "within a descriptor";
		else if (!last)
			SPB_PUSH(t->arena, &types, type);
	}
	way.types = types.items;
	way.count = (uint32_t)types.count - 1;
	return way;
}

bool spb_follow_heap_chain(struct spb_heap_types *t, spb_at at, uint32_t *element, uint32_t *array)
{
	const struct way way = find_way(t, at);

	*element = way.types[way.count];
	*array = 0;
	for (uint32_t i = way.count; i-- > 0 && !*array;)
		*array = spb_def_op(t->m, way.types[i]) == SpvOpTypeStruct ? 0 : way.types[i];
	return !way.wrong;
}

/* The innermost array counts descriptors, or structs of some. */
static void set_stride(struct walk *w, struct spb_heap_size stride, uint32_t id)
{
	struct spb_heap_size own = spb_descriptor_size(w->m, w->chain->element);
	bool several = !id && stride.unit == own.unit && stride.count && !(stride.count % own.count);

	w->chain->stride = several ? own : stride;
	w->stride_id = id;
}

struct spb_heap_chain spb_read_heap_chain(struct spb_heap_types *t, spb_at at)
{
	const struct spb_module *m = t->m;
	const struct way way = find_way(t, at);
	const uint32_t *types = way.types;
	struct spb_heap_chain chain = {.at = at, .has_stride = true};
	struct walk w = {.types = t, .m = m, .chain = &chain};

	if (way.wrong)
		refuse(m, at, way.wrong);
	chain.element = types[way.count];
	chain.terms = spb_alloc_array(t->arena, way.indices + 1, sizeof *chain.terms);
	struct spb_heap_size size = spb_descriptor_size(m, chain.element);
	bool found = false;
	for (uint32_t i = way.count; i-- > 0;) {
		if (spb_def_op(m, types[i]) == SpvOpTypeStruct)
			continue;
		const struct spb_heap_stride *given = spb_heap_stride_of(t, types[i]);
		struct spb_heap_size stride = given->given ? given->size : size; /* else it follows from the element */
		chain.has_stride &= given->given;
		if (!found)
			set_stride(&w, stride, types[i + 1] == chain.element ? given->id : 0);
		found = true;
		size = whole(m, types[i], stride);
		if (i < way.indices)
			add_index(&w, m->words[at + 5 + i], in_strides(&w, stride));
	}
	if (!found)
		chain.stride = size;
	spb_at base = heap_base(m, at);
	if (way.count == 1 && way.indices == 1 && found && !base)
		chain.only = m->words[at + 5];
	if (base)
		add_offset(&w, t->sizes[m->words[base + 5]], m->words[base + 5]);
	for (uint32_t i = 0; i < way.indices; i++) {
		if (spb_def_op(m, types[i]) == SpvOpTypeStruct)
			add_member(&w, types[i], m->words[at + 5 + i]);
	}
	return chain;
}
