/* SPDX-License-Identifier: Apache-2.0 */
/* waterfall: puts an access whose descriptor differs between invocations into a loop that handles one descriptor at a
 * time; for devices without non-uniform indexing, and for accesses that no decoration helps.
 *
 *     %p = OpAccessChain %ptr %buffers %i %0          OpBranch %header
 *     %x = OpLoad %uint %p                            %header = OpLabel
 *     …                                               OpLoopMerge %merge %continue None
 *                                                     OpBranch %body
 *                                                     %body = OpLabel
 *                                                     %f = OpGroupNonUniformBroadcastFirst %uint %subgroup %i
 *                                                     %eq = OpIEqual %bool %f %i
 *                                                     %none = OpUndef %uint
 *                                                     OpSelectionMerge %both DontFlatten
 *                                                     OpBranchConditional %eq %mine %both
 *                                                     %mine = OpLabel
 *                                                     %q = OpAccessChain %ptr %buffers %f %0
 *                                                     %y = OpLoad %uint %q
 *                                                     OpBranch %both
 *                                                     %both = OpLabel
 *                                                     %x = OpPhi %uint %y %mine %none %body
 *                                                     OpBranchConditional %eq %merge %continue
 *                                                     %continue = OpLabel
 *                                                     OpBranch %header
 *                                                     %merge = OpLabel
 *                                                     …
 *
 * %f is uniform in the subgroup (VUID-RuntimeSpirv-subgroupSize-10149), so nothing in the loop is decorated. Each
 * invocation performs the access once, when its index is the current one. Accesses of a block with equal indexes share
 * a loop; the order of what each invocation does to memory is preserved. If both texture and sampler have an index,
 * both come from the same invocation, and both must be equal.
 *
 * Three steps:
 *   read    (read.c) finds each instruction with a decorated operand, and the path from there to the
 *           indexes. Accesses that cannot be put into a loop keep their decorations, with a warning
 *           (SPB_E_WATERFALL_KEPT): a path that begins at a parameter or an OpPhi, where no index is known;
 *           OpImageQueryLod, which computes derivatives and has no explicit form; a result of 8 or 16 bits that the
 *           module may only convert, so that OpPhi cannot take it.
 *   write   (write.c, loop.c) writes the loops. group.c decides which accesses share one, and values.c which indexes
 *           are equal and what must stay in order.
 *   clean   removes unused instructions of the old paths, and decorations and capabilities that nothing needs.
 *
 * Refuses modules with opcodes that the grammar does not define (SPB_E_WATERFALL_UNKNOWN_OPS). */
#include "analysis/paths/descriptor_paths.h"
#include "pass/builtin/builtin.h"
#include "pass/waterfall/loops.h"

/* Decorations needed by the accesses that stay as they are */

static void need(struct spb_loops *p, struct spb_id_list *work, uint32_t id)
{
	if (spb_bit(p->needed, id))
		return;
	spb_set_bit(p->needed, id);
	SPB_PUSH(p->arena, work, id);
}

static void need_arguments(struct spb_loops *p, struct spb_id_list *work, uint32_t id)
{
	const struct spb_module *m = p->m;
	spb_at at = spb_function_around(m, m->def[id])->at;
	uint32_t function = m->words[at + 2], number = 0;

	for (at = spb_next(m, at); at != m->def[id]; at = spb_next(m, at))
		number += spb_op(m, at) == SpvOpFunctionParameter;
	for (uint32_t i = m->first_use[function]; i < m->first_use[function + 1]; i++) {
		spb_at call = m->use[i].at;
		if (spb_op(m, call) == SpvOpFunctionCall && m->use[i].word == call + 3 &&
		    call + 4 + number < spb_next(m, call))
			need(p, work, m->words[call + 4 + number]);
	}
}

static void note_kind(struct spb_loops *p, uint32_t id)
{
	const struct spb_module *m = p->m;
	spb_at pointer = m->def[spb_type_of(m, id)];

	if (spb_op(m, pointer) != SpvOpTypePointer)
		return;
	uint32_t type = m->words[pointer + 3];
	while (spb_array_element(m, type))
		type = spb_array_element(m, type);
	p->remains[spb_descriptor_of(m, m->words[pointer + 2], type)] = true;
}

static void need_operands(struct spb_loops *p, struct spb_id_list *work, uint32_t id)
{
	const struct spb_module *m = p->m;
	spb_at at = m->def[id];
	uint32_t op = spb_op(m, at);
	struct spb_selection selection; /* also where the base is one of several pointers, so that it is not followed */

	if (op == SpvOpCopyObject)
		need(p, work, m->words[at + 3]);
	if (op == SpvOpCopyObject || !spb_waterfall_is_path(m, id))
		return; /* or it is an index */
	switch (op) {
	case SpvOpVariable:
		note_kind(p, id);
		break;
	case SpvOpFunctionParameter:
		note_kind(p, id);
		need_arguments(p, work, id);
		break;
	case SpvOpPhi:
	case SpvOpSelect:
		for (uint32_t w = at + 3; w < spb_next(m, at); w++) {
			if (spb_type_of(m, m->words[w]))
				need(p, work, m->words[w]);
		}
		break;
	case SpvOpSampledImage:
		need(p, work, m->words[at + 3]);
		need(p, work, m->words[at + 4]);
		break;
	default:
		if (!spb_waterfall_is_step(m, at)) { /* from a call or from memory: any mark may be of what led there */
			p->trims = false;
			break;
		}
		need(p, work, m->words[at + 3]);
		selection = spb_selection_of(m, at);
		for (uint32_t w = selection.dynamic; w && w < selection.end; w++)
			need(p, work, m->words[w]);
		break;
	}
}

static void find_needed(struct spb_loops *p)
{
	const struct spb_module *m = p->m;
	struct spb_id_list work = {0};

	for (size_t i = 0; i < p->kept.count; i++) {
		for (struct spb_operand o = spb_operands(m, p->kept.items[i].at); spb_operand_next(&o);) {
			uint32_t id = o.kind == SPB_KIND_ID ? m->words[o.word] : 0;
			if (id && spb_bit(p->marked, id) && spb_waterfall_is_path(m, id))
				need(p, &work, id);
		}
	}
	while (work.count)
		need_operands(p, &work, work.items[--work.count]);
}

/* Cleaning */

/* May an unused value go? Values of a path may, and what indexes and coordinates were computed from, if the instruction
 * does nothing else. */
static bool may_go(const void *loops, spb_at at)
{
	const struct spb_loops *p = loops;
	const struct spb_module *m = p->m;

	if (at < m->section[SPB_SECTION_FUNCTION] || spb_bit(p->patched, spb_result(m, at)))
		return false;
	struct spb_effect effect = spb_waterfall_effect(m, at);
	return (effect.kind == SPB_DOES_NOTHING && !effect.converges) ||
	       (effect.kind == SPB_DOES_READ && effect.memory != SPB_MEMORY_SHARED);
}

static bool remove_marks(struct spb_loops *p)
{
	const struct spb_module *m = p->m;
	bool any = false;

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpDecorate || m->words[at + 2] != SpvDecorationNonUniform ||
		    spb_bit(p->losses.gone, m->words[at + 1]))
			continue;
		if (spb_waterfall_keeps_mark(p, m->words[at + 1]))
			any = true;
		else
			spb_remove(p->e, at);
	}
	return any;
}

/* Does something still need the non-uniform capability for a kind of descriptor? Without trimming, the remaining
 * decorations are not all known; one of them keeps every capability. */
static bool is_needed(const struct spb_loops *p, uint32_t capability, bool marks_left)
{
	bool needed = !p->trims && !p->selective && marks_left;

	for (int kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++)
		needed |= p->remains[kind] && spb_descriptor_info((enum spb_descriptor)kind)->non_uniform == capability;
	return needed;
}

static bool is_non_uniform_indexing(uint32_t capability)
{
	for (int kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
		uint32_t c = spb_descriptor_info((enum spb_descriptor)kind)->non_uniform;
		if (c == capability && c != UINT32_MAX)
			return true;
	}
	return false;
}

/* SPIR-V 3.31, "Capability": what a removed capability implicitly declared besides ShaderNonUniform has to stay,
 * including the dynamic-indexing capability. */
static void keep_implied(struct spb_loops *p, uint32_t capability)
{
	for (int kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
		const struct spb_descriptor_info *info = spb_descriptor_info((enum spb_descriptor)kind);
		if (info->implied && info->non_uniform == capability && !p->rewritten[kind] &&
		    !spb_has_capability(p->m, info->dynamic))
			spb_add_capability(p->e, info->implied);
	}
}

static void remove_extension(struct spb_loops *p)
{
	const struct spb_module *m = p->m;

	for (spb_at at = m->section[SPB_SECTION_EXTENSION]; at < m->section[SPB_SECTION_IMPORT]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtension && !strcmp(spb_string(m, at + 1), "SPV_EXT_descriptor_indexing"))
			spb_remove(p->e, at);
	}
}

static void clean_capabilities(struct spb_loops *p, bool marks_left)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = p->e;
	bool extension = marks_left;

	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_EXTENSION];
	     at = spb_next(m, at)) {
		uint32_t capability = spb_capability(m, at);
		bool goes = capability == SpvCapabilityShaderNonUniform
				? !marks_left
				: is_non_uniform_indexing(capability) && !is_needed(p, capability, marks_left);
		extension |= !goes && spb_is_descriptor_indexing(capability);
		if (!goes)
			continue;
		spb_remove(e, at);
		keep_implied(p, capability);
	}
	if (marks_left)
		spb_add_capability(e, SpvCapabilityShaderNonUniform);
	for (int kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
		uint32_t dynamic = spb_descriptor_info((enum spb_descriptor)kind)->dynamic;
		if (!p->rewritten[kind] || dynamic == UINT32_MAX)
			continue;
		spb_add_capability(e, dynamic);
		extension |= spb_is_descriptor_indexing(dynamic);
	}
	if (!extension)
		remove_extension(p);
}

/* For the layout JSON: variables that are still accessed with an index that differs. */
static void forget_variables(const struct spb_loops *p)
{
	struct spb_unit *u = p->u;

	for (uint32_t id = 1; u->nonuniform.variables && id < u->nonuniform.bound; id++) {
		if (spb_bit(u->nonuniform.variables, id) && !spb_bit(p->needed, id))
			u->nonuniform.variables[id / 32] &= ~(1u << (id % 32));
	}
}

static bool read_marks(struct spb_loops *p)
{
	const struct spb_module *m = p->m;
	bool any = false;

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpDecorate || m->words[at + 2] != SpvDecorationNonUniform)
			continue;
		spb_set_bit(p->marked, m->words[at + 1]);
		any = true;
	}
	return any;
}

bool spb_pass_waterfall(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct spb_arena *arena = &m->context->scratch;
	struct spb_loops p = {.u = u, .m = m, .e = &u->edit, .arena = arena, .builtin = spb_future_builtins(u)};

	if (!spb_may_loop(u) || u->options->mode == SPB_MODE_LINT)
		return false;
	p.selective = u->options->uniformity.waterfall != SPB_WATERFALL_ALL;
	p.trims = !p.selective && u->options->uniformity.mode != SPB_NONUNIFORM_KEEP;
	p.marked = spb_bits(arena, m->bound);
	if (!read_marks(&p)) {
		if (p.trims && spb_has_capability(m, SpvCapabilityShaderNonUniform))
			clean_capabilities(&p, false);
		return u->edit.changes.count != 0;
	}
	spb_refuse_unknown_ops(m, SPB_E_WATERFALL_UNKNOWN_OPS, "the accesses that need waterfall loops cannot be found",
			       u->options->uniformity.waterfall != SPB_WATERFALL_NONE
				   ? ", or leave out --waterfall"
				   : ", or leave out --host-features, if the host has the features");
	spb_module_need_uses(m);
	p.touched = spb_bits(arena, m->bound);
	p.needed = spb_bits(arena, m->bound);
	p.patched = spb_bits(arena, m->bound);
	spb_waterfall_read(&p);
	find_needed(&p);
	if (!p.accesses.count && !p.trims)
		return false;
	u->nonuniform.looped = (uint32_t)p.accesses.count;
	p.losses = spb_losses_begin(p.e);
	if (p.accesses.count)
		spb_waterfall_write(&p);
	if (p.accesses.count && !spb_find_remark(m, SPB_WATERFALL_REMARK))
		spb_put_remark(p.e, 0, SPB_WATERFALL_REMARK);
	spb_sweep_values(&p.losses, may_go, &p);
	clean_capabilities(&p, remove_marks(&p));
	forget_variables(&p);
	return u->edit.changes.count != 0;
}
