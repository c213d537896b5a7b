/* SPDX-License-Identifier: Apache-2.0 */
/* decorate-nonuniform: the author's NonUniform marks, completed.
 *
 *     OpDecorate %i NonUniform                     … and on %p, %t, %si
 *     %p = OpAccessChain %ptr %textures %i
 *     %t = OpLoad %image %p
 *     %si = OpSampledImage %combined %t %s
 *     %x = OpImageSampleExplicitLod %v4 %si …      (%x itself is not marked)
 *
 * Vulkan (VUID-RuntimeSpirv-None-10148, subgroupSize-10149) asks for the mark on the operand that the accessing
 * instruction names; drivers read it there, some on the index too. Front ends leave it off: stock glslang off an
 * OpSampledImage, the OpImage taken from one, the pointer of a buffer atomic, the structure of OpArrayLength.
 *
 * Three sets of ids, each found by a worklist in time linear in the uses:
 *   tainted  values made from marked values, through memory of the function and calls, as the author's mark says
 *            "this differs between invocations" wherever it stands on the way to the access;
 *   path     ids that name a descriptor out of an array of descriptors, by an index that is no constant:
 *            access chains, loads, OpSampledImage, OpImage, OpImageTexelPointer, copies, parameters;
 *   divergent  the part of the path behind a tainted index or a mark. These are decorated, and what leads from
 *            the index to a mark in the middle.
 * A value that only indexes inside a buffer, b.data[i], names no descriptor and is left alone. An index that
 * others use too is copied first, so that the mark does not leak to them. */
#include "pass/pass.h"

enum { TAINTED = 1, MEMORY = 2, PATH = 4, DIVERGENT = 8, MARKED = 16, LEADS = 32, WRITTEN = 64 };

struct worklist {
	uint32_t *items;
	size_t count, capacity;
};

struct plan {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_arena *arena;
	uint8_t *flags; /* [bound] */
	uint32_t *root; /* [bound], spb_pointer_bases */
	struct spb_calls calls;
	struct worklist work;
	bool capability[SPB_DESCRIPTOR_COUNT];
	bool any; /* something is divergent */
};

static void set(struct plan *p, uint32_t id, uint8_t flag)
{
	if (p->flags[id] & flag)
		return;
	p->flags[id] |= flag;
	SPB_PUSH(p->arena, &p->work, id);
}

/* Values that are the same for all invocations whatever went in. */
static bool makes_uniform(const struct spb_module *m, spb_at at)
{
	switch (spb_op(m, at)) {
	case SpvOpGroupNonUniformAll:
	case SpvOpGroupNonUniformAny:
	case SpvOpGroupNonUniformAllEqual:
	case SpvOpGroupNonUniformBroadcast:
	case SpvOpGroupNonUniformBroadcastFirst:
	case SpvOpGroupNonUniformBallot:
	case SpvOpSubgroupBallotKHR:
	case SpvOpSubgroupFirstInvocationKHR:
	case SpvOpSubgroupReadInvocationKHR:
	case SpvOpSubgroupAllKHR:
	case SpvOpSubgroupAnyKHR:
	case SpvOpSubgroupAllEqualKHR:
		return true;
	case SpvOpGroupNonUniformIAdd:
	case SpvOpGroupNonUniformFAdd:
	case SpvOpGroupNonUniformIMul:
	case SpvOpGroupNonUniformFMul:
	case SpvOpGroupNonUniformSMin:
	case SpvOpGroupNonUniformUMin:
	case SpvOpGroupNonUniformFMin:
	case SpvOpGroupNonUniformSMax:
	case SpvOpGroupNonUniformUMax:
	case SpvOpGroupNonUniformFMax:
	case SpvOpGroupNonUniformBitwiseAnd:
	case SpvOpGroupNonUniformBitwiseOr:
	case SpvOpGroupNonUniformBitwiseXor:
		return m->words[at + 4] == SpvGroupOperationReduce;
	default:
		return false;
	}
}

static bool is_pointer(const struct spb_module *m, uint32_t id)
{
	return spb_def_op(m, spb_type_of(m, id)) == SpvOpTypePointer;
}

/* Memory that only this invocation sees: what is written to it is what is read. */
static bool is_private(const struct spb_module *m, uint32_t pointer)
{
	spb_at type = m->def[spb_type_of(m, pointer)];

	return spb_op(m, type) == SpvOpTypePointer &&
	       (m->words[type + 2] == SpvStorageClassFunction || m->words[type + 2] == SpvStorageClassPrivate);
}

static void write_to(struct plan *p, uint32_t pointer)
{
	if (is_private(p->m, pointer))
		set(p, p->root[pointer] ? p->root[pointer] : pointer, MEMORY);
}

/* Passes `flag` of an argument on to the parameter of the function that is called. */
static void enter_call(struct plan *p, struct spb_use use, uint8_t flag)
{
	const struct spb_calls *calls = &p->calls;
	uint32_t f = calls->function_of[p->m->words[use.at + 3]];

	if (!f || use.word < use.at + 4)
		return;
	uint32_t parameter = calls->first_parameter[f - 1] + (use.word - (use.at + 4));
	if (parameter < calls->first_parameter[f])
		set(p, calls->parameters.items[parameter], flag);
}

static void return_to_callers(struct plan *p, spb_at at, uint8_t flag)
{
	const struct spb_module *m = p->m;
	const struct spb_function *f = spb_function_around(m, at);
	uint32_t id = m->words[f->at + 2];

	if (p->flags[id] & flag)
		return;
	p->flags[id] |= flag; /* on the function: its callers know */
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		if (spb_op(m, m->use[i].at) == SpvOpFunctionCall && m->use[i].word == m->use[i].at + 3)
			set(p, m->words[m->use[i].at + 2], flag);
	}
}

static void taint_use(struct plan *p, struct spb_use use)
{
	const struct spb_module *m = p->m;
	uint32_t result = spb_result(m, use.at);

	switch (spb_op(m, use.at)) {
	case SpvOpStore:
	case SpvOpCopyMemory:
	case SpvOpCopyMemorySized:
		write_to(p, m->words[use.at + 1]);
		return;
	case SpvOpFunctionCall:
		enter_call(p, use, TAINTED);
		return;
	case SpvOpReturnValue:
		return_to_callers(p, use.at, TAINTED);
		return;
	case SpvOpExtInst: /* Modf, Frexp write through a pointer */
		if (p->flags[result] & WRITTEN)
			return; /* looked at for another operand */
		p->flags[result] |= WRITTEN;
		for (uint32_t w = use.at + 5; w < spb_next(m, use.at); w++) {
			if (is_pointer(m, m->words[w]))
				write_to(p, m->words[w]);
		}
		break;
	default:
		break;
	}
	if (result && !makes_uniform(m, use.at))
		set(p, result, TAINTED);
}

/* The memory behind a pointer holds tainted values: so does every load through it. */
static void memory_use(struct plan *p, struct spb_use use)
{
	const struct spb_module *m = p->m;

	switch (spb_op(m, use.at)) {
	case SpvOpAccessChain:
	case SpvOpInBoundsAccessChain:
	case SpvOpPtrAccessChain:
	case SpvOpInBoundsPtrAccessChain:
	case SpvOpCopyObject:
		if (use.word == use.at + 3)
			set(p, m->words[use.at + 2], MEMORY);
		break;
	case SpvOpLoad:
		set(p, m->words[use.at + 2], TAINTED);
		break;
	case SpvOpCopyMemory:
	case SpvOpCopyMemorySized:
		if (use.word == use.at + 2)
			write_to(p, m->words[use.at + 1]);
		break;
	case SpvOpFunctionCall:
		enter_call(p, use, MEMORY);
		break;
	default:
		break;
	}
}

/* A parameter's memory is its arguments' memory. */
static void memory_of_parameter(struct plan *p, uint32_t id)
{
	const struct spb_module *m = p->m;
	uint32_t number = p->calls.parameter_number[id];

	if (!number)
		return;
	uint32_t function = m->words[spb_function_around(m, m->def[id])->at + 2];
	for (uint32_t i = m->first_use[function]; i < m->first_use[function + 1]; i++) {
		spb_at call = m->use[i].at;
		if (spb_op(m, call) == SpvOpFunctionCall && m->use[i].word == call + 3 &&
		    call + 3 + number < spb_next(m, call))
			write_to(p, m->words[call + 3 + number]);
	}
}

static void find_tainted(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (size_t next = 0; next < p->work.count; next++) {
		uint32_t id = p->work.items[next];
		bool tainted = (p->flags[id] & TAINTED) != 0, memory = (p->flags[id] & MEMORY) != 0;
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
			if (m->use[i].at < m->section[SPB_SECTION_FUNCTION])
				continue;
			if (tainted)
				taint_use(p, m->use[i]);
			if (memory)
				memory_use(p, m->use[i]);
		}
		if (memory)
			memory_of_parameter(p, id);
	}
}

/* What an access chain on `base` selects first: an element of an array of descriptors? */
static bool selects_descriptor(const struct spb_module *m, uint32_t base, enum spb_descriptor *kind)
{
	spb_at pointer = m->def[spb_type_of(m, base)];
	uint32_t op = spb_def_op(m, base), element;

	if ((op != SpvOpVariable && op != SpvOpFunctionParameter) || spb_op(m, pointer) != SpvOpTypePointer ||
	    !spb_is_resource_class(m->words[pointer + 2]))
		return false;
	element = spb_array_element(m, m->words[pointer + 3]);
	if (!element)
		return false;
	for (int depth = 0; spb_array_element(m, element); depth++) { /* arrays of arrays: any index selects */
		if (depth == 16)
			return false; /* no front end means this; it will be refused */
		element = spb_array_element(m, element);
	}
	*kind = spb_descriptor_of(m, m->words[pointer + 2], element);
	return *kind != SPB_DESCRIPTOR_OTHER;
}

static bool is_chain(uint32_t op)
{
	return op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
}

/* Does the use of a path id give an id that names the same descriptor? */
static bool continues_path(const struct spb_module *m, struct spb_use use)
{
	switch (spb_op(m, use.at)) {
	case SpvOpAccessChain:
	case SpvOpInBoundsAccessChain:
	case SpvOpPtrAccessChain:
	case SpvOpInBoundsPtrAccessChain:
	case SpvOpImageTexelPointer:
		return use.word == use.at + 3;
	case SpvOpCopyObject:
	case SpvOpImage:
	case SpvOpSampledImage:
	case SpvOpPhi:
	case SpvOpSelect:
		return true;
	case SpvOpLoad: /* of the descriptor itself, not of what is in the buffer */
		switch (spb_def_op(m, m->words[use.at + 1])) {
		case SpvOpTypeImage:
		case SpvOpTypeSampler:
		case SpvOpTypeSampledImage:
		case SpvOpTypeAccelerationStructureKHR:
			return true;
		default:
			return false;
		}
	default:
		return false;
	}
}

static void follow_path(struct plan *p, uint8_t flag, uint8_t within)
{
	const struct spb_module *m = p->m;

	for (size_t next = 0; next < p->work.count; next++) {
		uint32_t id = p->work.items[next];
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
			struct spb_use use = m->use[i];
			uint32_t result = spb_result(m, use.at);
			if (spb_op(m, use.at) == SpvOpFunctionCall)
				enter_call(p, use, flag);
			else if (continues_path(m, use) && (!within || p->flags[result] & within))
				set(p, result, flag);
		}
	}
}

/* Access chains that select a descriptor by an index that is no constant, in module order. */
struct chains {
	struct {
		spb_at at;
		enum spb_descriptor kind;
	} * items;
	size_t count, capacity;
};

static struct chains find_chains(struct plan *p)
{
	const struct spb_module *m = p->m;
	struct chains chains = {0};

	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].at; at < m->function[f].end; at = spb_next(m, at)) {
			enum spb_descriptor kind;
			if (!is_chain(spb_op(m, at)) || spb_length(m, at) < 5 || spb_is_constant(m, m->words[at + 4]) ||
			    spb_def_op(m, spb_type_of(m, m->words[at + 4])) != SpvOpTypeInt ||
			    !selects_descriptor(m, m->words[at + 3], &kind))
				continue;
			chains.items = spb_reserve(p->arena, chains.items, chains.count, 1, &chains.capacity,
						   sizeof *chains.items);
			chains.items[chains.count].at = at;
			chains.items[chains.count++].kind = kind;
			set(p, m->words[at + 2], PATH);
		}
	}
	return chains;
}

/* From a mark in the middle of a path back to the index. */
static void lead_back(struct plan *p, uint32_t id)
{
	const struct spb_module *m = p->m;
	struct worklist back = {0};

	SPB_PUSH(p->arena, &back, id);
	while (back.count) {
		spb_at at = m->def[back.items[--back.count]];
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (o.kind != SPB_KIND_ID)
				continue;
			uint32_t from = m->words[o.word];
			struct spb_use use = {at, o.word};
			if (!(p->flags[from] & PATH) || p->flags[from] & LEADS || !continues_path(m, use))
				continue;
			/* of an OpSampledImage the image leads; which of the two differs is not known, the sampler
			 * is marked by its own index if at all */
			if (spb_op(m, at) == SpvOpSampledImage && o.word != at + 3)
				continue;
			p->flags[from] |= LEADS;
			SPB_PUSH(p->arena, &back, from);
		}
	}
}

static void decorate(struct plan *p, uint32_t id)
{
	p->any = true;
	if (p->flags[id] & MARKED)
		return;
	p->flags[id] |= MARKED;
	spb_add_decoration(&p->u->edit, id, SpvDecorationNonUniform, NULL, 0);
}

static uint32_t body_uses(const struct spb_module *m, uint32_t id)
{
	return m->first_use[id + 1] - m->first_use[id];
}

/* The index itself, or a copy of it where others use it too. */
static void decorate_index(struct plan *p, spb_at chain)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = &p->u->edit;
	uint32_t index = m->words[chain + 4];

	if (p->flags[index] & MARKED)
		return;
	if (body_uses(m, index) == 1 && m->def[index] >= m->section[SPB_SECTION_FUNCTION] &&
	    spb_op(m, m->def[index]) != SpvOpFunctionParameter) {
		decorate(p, index);
		return;
	}
	uint32_t copy = spb_new_id(e);
	spb_insert(e, chain, SpvOpCopyObject, W(spb_type_of(m, index), copy, index));
	spb_patch(e, chain + 4, copy);
	spb_add_decoration(e, copy, SpvDecorationNonUniform, NULL, 0);
}

/* A mark on the variable means every access to it. */
static bool chain_is_divergent(const struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	enum { SELECTS = TAINTED | MARKED };
	uint32_t base_type = m->words[m->def[spb_type_of(m, m->words[at + 3])] + 3];
	uint32_t w = at + 4;

	if (p->flags[m->words[at + 3]] & MARKED)
		return true;
	for (; w < spb_next(m, at) && spb_array_element(m, base_type); w++) {
		if (p->flags[m->words[w]] & SELECTS)
			return true;
		base_type = spb_array_element(m, base_type);
	}
	return false;
}

static void remember_variable(struct plan *p, uint32_t id)
{
	struct spb_unit *u = p->u;

	if (spb_def_op(p->m, id) != SpvOpVariable)
		return;
	if (!u->nonuniform) {
		u->nonuniform = spb_bits(&u->m.keep, p->m->bound);
		u->nonuniform_bound = p->m->bound;
	}
	spb_set_bit(u->nonuniform, id);
}

static void write_marks(struct plan *p, const struct chains *chains)
{
	const struct spb_module *m = p->m;

	for (size_t i = 0; i < chains->count; i++) {
		spb_at at = chains->items[i].at;
		if (!(p->flags[m->words[at + 2]] & (DIVERGENT | LEADS)))
			continue;
		decorate_index(p, at);
		p->capability[chains->items[i].kind] = true;
		remember_variable(p, m->words[at + 3]);
	}
	for (uint32_t id = 1; id < m->bound; id++) {
		if (p->flags[id] & (DIVERGENT | LEADS))
			decorate(p, id);
	}
}

/* A mark on a variable has been carried to its accesses; no driver looks at it there, and Mesa refuses the module. */
static void remove_marks_on_variables(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] == SpvDecorationNonUniform &&
		    spb_def_op(m, m->words[at + 1]) == SpvOpVariable)
			spb_remove(&p->u->edit, at);
	}
}

/* Vulkan VUID-RuntimeSpirv-…-10127 to 10147: both the dynamic and the non-uniform capability. */
static void declare_capabilities(struct plan *p)
{
	struct spb_edit *e = &p->u->edit;

	if (!p->any)
		return;
	spb_add_capability(e, SpvCapabilityShaderNonUniform);
	for (int kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
		const struct spb_descriptor_info *info = spb_descriptor_info((enum spb_descriptor)kind);
		if (!p->capability[kind] || info->dynamic == UINT32_MAX)
			continue;
		spb_add_capability(e, info->dynamic);
		spb_add_capability(e, info->non_uniform);
	}
	if (spb_version_word(p->m) < 0x00010500)
		spb_add_extension(e, "SPV_EXT_descriptor_indexing");
}

static bool read_marks(struct plan *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpDecorate || m->words[at + 2] != SpvDecorationNonUniform)
			continue;
		uint32_t id = m->words[at + 1];
		p->flags[id] |= MARKED;
		if (!spb_is_constant(m, id) && spb_type_of(m, id)) /* a mark on a constant or a type says nothing */
			set(p, id, TAINTED);
	}
	return p->work.count != 0;
}

bool spb_pass_decorate_nonuniform(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct plan p = {.u = u, .m = m, .arena = &m->context->scratch};

	if (u->options->nonuniform == SPB_NONUNIFORM_KEEP)
		return false;
	p.flags = spb_alloc_zeroed(p.arena, m->bound, sizeof *p.flags);
	if (!read_marks(&p))
		return false;
	spb_module_need_uses(m);
	p.calls = spb_find_calls(m, p.arena);
	p.root = spb_pointer_bases(m, p.arena);
	find_tainted(&p);

	p.work.count = 0;
	struct chains chains = find_chains(&p);
	follow_path(&p, PATH, 0);

	p.work.count = 0;
	for (size_t i = 0; i < chains.count; i++) {
		if (chain_is_divergent(&p, chains.items[i].at))
			set(&p, m->words[chains.items[i].at + 2], DIVERGENT);
	}
	for (uint32_t id = 1; id < m->bound; id++) {
		if ((p.flags[id] & (PATH | MARKED | DIVERGENT)) == (PATH | MARKED)) {
			set(&p, id, DIVERGENT);
			lead_back(&p, id);
		}
	}
	follow_path(&p, DIVERGENT, PATH);
	write_marks(&p, &chains);
	remove_marks_on_variables(&p);
	declare_capabilities(&p);
	return u->edit.changes.count != 0;
}
