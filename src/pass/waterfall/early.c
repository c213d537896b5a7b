/* SPDX-License-Identifier: Apache-2.0 */
/* early: what can be computed before a region, although the module computes it inside: indexes, and
 * coordinates whose derivatives are needed before.
 *
 *     (region begins)                                 %a = OpLoad %uint %i        (again, before)
 *     OpSelectionMerge %m None                        (region begins)
 *     OpBranchConditional %c %t %m                    …
 *     %t = OpLabel
 *     %b = OpLoad %uint %i          nothing within has written %i before this
 *
 * That is arithmetic, and loads from memory of the invocation that is as it was where the region begins, or that
 * nothing writes. Since the instruction may be one that not all invocations get to, nothing is computed early that is
 * undefined for some operands (integer division), or that reads where an index says. */
#include "pass/waterfall/loops.h"

enum { MOST_NODES = 64 }; /* of an expression */

struct walk {
	const struct spb_module *m;
	const struct spb_block *values;
	struct spb_early before;
	uint32_t nodes;
};

/* What a load finds that was stored in the same block, behind `before`; 0: it is not known, or older. */
static uint32_t stored_within(const struct spb_block *values, struct spb_early before, uint32_t id)
{
	return values->found[id] != UINT32_MAX && values->found[id] > before.clock ? values->forward[id] : 0;
}

static bool is_always_defined(const struct spb_module *m, spb_at at)
{
	switch (spb_op(m, at)) {
	case SpvOpUDiv:
	case SpvOpSDiv:
	case SpvOpUMod:
	case SpvOpSRem:
	case SpvOpSMod:
	case SpvOpVectorExtractDynamic:
	case SpvOpVectorInsertDynamic:
	case SpvOpImageTexelPointer:
	case SpvOpUndef: /* is not the same twice */
	case SpvOpPhi:
		return false;
	default:
		break;
	}
	for (uint32_t w = at + 4; spb_op_is_chain(spb_op(m, at)) && w < spb_next(m, at); w++) {
		if (!spb_is_constant(m, m->words[w]))
			return false;
	}
	return true;
}

static bool is_early(struct walk *w, uint32_t id)
{
	const struct spb_module *m = w->m;
	spb_at at = m->def[id];
	struct spb_effect effect;

	if (spb_waterfall_is_opaque(m, id))
		return false;
	if (at < w->before.at)
		return true;
	if (!w->nodes)
		return false;
	w->nodes--;
	if (stored_within(w->values, w->before, id))
		return is_early(w, w->values->forward[id]);
	effect = spb_waterfall_effect(m, at);
	if (effect.kind == SPB_DOES_READ && (spb_op(m, at) != SpvOpLoad || (effect.memory != SPB_MEMORY_CONSTANT &&
									    (w->values->found[id] == UINT32_MAX ||
									     w->values->found[id] > w->before.clock))))
		return false;
	if (effect.converges || effect.kind > SPB_DOES_READ || !is_always_defined(m, at))
		return false;
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && !is_early(w, m->words[o.word]))
			return false;
	}
	return true;
}

bool spb_is_early(const struct spb_module *m, const struct spb_block *values, struct spb_early before, uint32_t id)
{
	return is_early(&(struct walk){m, values, before, MOST_NODES}, id);
}

/* Decorations that change what an instruction computes. */
static void copy_decorations(struct spb_loop_writer *w, uint32_t from, uint32_t to)
{
	static const uint32_t decorations[] = {SpvDecorationRelaxedPrecision, SpvDecorationNoContraction};

	for (size_t i = 0; i < SPB_COUNT(decorations); i++) {
		if (spb_decoration(w->m, from, decorations[i]))
			spb_add_decoration(w->e, to, decorations[i], NULL, 0);
	}
}

uint32_t spb_put_early(struct spb_loop_writer *w, struct spb_early before, uint32_t id)
{
	const struct spb_module *m = w->m;
	spb_at at = m->def[id];

	if (at < before.at)
		return id;
	if (spb_loop_mapped(w, id))
		return spb_loop_mapped(w, id);
	if (stored_within(&w->values, before, id))
		return spb_put_early(w, before, w->values.forward[id]);
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t from = o.kind == SPB_KIND_ID ? m->words[o.word] : 0,
			 to = from ? spb_put_early(w, before, from) : 0;
		if (to != from)
			spb_loop_map(w, from, to);
	}
	uint32_t early = spb_new_id(w->e);
	spb_loop_copy(w, at, early);
	spb_loop_put_copy(w, spb_op(m, at));
	copy_decorations(w, id, early);
	spb_loop_map(w, id, early);
	return early;
}
