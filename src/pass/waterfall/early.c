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
 * nothing writes. Where not all invocations get to the instruction, nothing is computed early that is undefined for
 * some operands (integer division), or that reads where an index says.
 *
 * Where all do, a derivative, a sample with an implicit level of detail or a subgroup operation that is no access of
 * the region can go before it as a whole: nothing parts the invocations in between, so the same ones execute it
 * together. */
#include "pass/waterfall/loops.h"

enum { MOST_NODES = 64 }; /* of an expression */

struct walk {
	const struct spb_module *m;
	const struct spb_block *values;
	struct spb_early before;
	uint32_t nodes;
	bool opaque; /* may images and samplers be made, too? */
};

/* What a load finds that was stored in the same block, behind `before`; 0: it is not known, or older. */
static uint32_t stored_within(const struct spb_block *values, struct spb_early before, uint32_t id)
{
	return values->found[id] > before.clock ? values->forward[id] : 0;
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

/* Can the instruction be executed twice? An OpUndef is not the same then. */
static bool is_repeatable(const struct walk *w, spb_at at)
{
	uint32_t op = spb_op(w->m, at);

	return op != SpvOpPhi && op != SpvOpUndef && op != SpvOpImageTexelPointer &&
	       (w->before.always || is_always_defined(w->m, at));
}

static bool finds_the_same(const struct walk *w, spb_at at, struct spb_effect effect)
{
	uint32_t found = w->values->found[w->m->words[at + 2]];

	if (effect.kind != SPB_DOES_READ)
		return effect.kind == SPB_DOES_NOTHING;
	return spb_op(w->m, at) == SpvOpLoad &&
	       (effect.memory == SPB_MEMORY_CONSTANT || (found != UINT32_MAX && found <= w->before.clock));
}

static bool is_early(struct walk *w, uint32_t id)
{
	const struct spb_module *m = w->m;
	spb_at at = m->def[id];
	struct spb_effect effect;

	if (spb_waterfall_is_opaque(m, id) && !w->opaque)
		return false;
	if (at < w->before.at)
		return true;
	if (!w->nodes || w->values->numbered[id] != w->values->run) /* used before it is defined: an invalid module */
		return false;
	w->nodes--;
	if (stored_within(w->values, w->before, id))
		return is_early(w, w->values->forward[id]);
	effect = spb_waterfall_effect(m, at);
	if (effect.converges || !spb_result(m, at) || !finds_the_same(w, at, effect) || !is_repeatable(w, at))
		return false;
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && !is_early(w, m->words[o.word]))
			return false;
	}
	return true;
}

bool spb_is_early(const struct spb_module *m, const struct spb_block *values, struct spb_early before, uint32_t id)
{
	return is_early(&(struct walk){m, values, before, MOST_NODES, false}, id);
}

bool spb_can_go_early(const struct spb_module *m, const struct spb_block *values, struct spb_early before, spb_at at)
{
	struct walk w = {m, values, before, MOST_NODES, true};

	if (!before.always || !spb_result(m, at) || spb_waterfall_effect(m, at).kind > SPB_DOES_READ)
		return false;
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && !is_early(&w, m->words[o.word]))
			return false;
	}
	return true;
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

/* Makes the operands of a copy that is to come. */
static void put_operands(struct spb_loop_writer *w, struct spb_early before, spb_at at)
{
	for (struct spb_operand o = spb_operands(w->m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID)
			spb_put_early(w, before, w->m->words[o.word]);
	}
	spb_loop_refresh(w, at);
}

uint32_t spb_put_early(struct spb_loop_writer *w, struct spb_early before, uint32_t id)
{
	const struct spb_module *m = w->m;
	uint32_t stored = stored_within(&w->values, before, id), early = spb_loop_mapped(w, id);
	spb_at at = m->def[id];

	if (at < before.at)
		return id;
	if (early)
		return early;
	if (stored) {
		early = spb_put_early(w, before, stored);
	} else {
		put_operands(w, before, at);
		early = spb_new_id(w->e);
		spb_loop_copy(w, at, early);
		spb_loop_put_copy(w, spb_op(m, at));
		copy_decorations(w, id, early);
	}
	spb_loop_map(w, id, early);
	return early;
}

void spb_move_early(struct spb_loop_writer *w, struct spb_early before, spb_at at)
{
	put_operands(w, before, at);
	spb_loop_copy(w, at, spb_result(w->m, at));
	spb_loop_put_copy(w, spb_op(w->m, at));
	spb_loop_take(w, at);
}
