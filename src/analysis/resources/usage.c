/* SPDX-License-Identifier: Apache-2.0 */
/* usage: which functions and blocks an entry point can reach, and which globals they name.
 *
 *     OpBranchConditional %false %a %b     %b is reached; %a is not, unless there is another path
 *     %p = OpPhi %t %x %a %y %b            names %y; names %x only if %a is reached
 *     %v = OpVariable %ptr Private %w      names %w if something reachable names %v
 *
 * One walk with a worklist: what is reached is added once, and what it names is visited when it is taken off. Branches
 * on constants are followed one way. A specialization constant does not count as constant, because the pipeline may set
 * it. */
#include "analysis/resources/resources.h"

struct wait { /* a value of an OpPhi whose block is not known to be reachable */
	uint32_t value;
	uint32_t next; /* index + 1 */
};

struct walk {
	const struct spb_module *m;
	struct spb_arena *arena;
	uint32_t *used;
	SPB_LIST(uint32_t) todo;
	uint32_t *first_wait; /* [bound] label -> index + 1; NULL: no OpPhi has to wait */
	SPB_LIST(struct wait) waits;
};

static void reach(struct walk *w, uint32_t id)
{
	const struct spb_module *m = w->m;
	spb_at at = m->def[id];
	uint32_t op = spb_op(m, at);

	if (at < m->section[SPB_SECTION_GLOBAL] || spb_bit(w->used, id))
		return;
	if (at >= m->section[SPB_SECTION_FUNCTION] && op != SpvOpFunction && op != SpvOpLabel)
		return;
	spb_set_bit(w->used, id);
	SPB_PUSH(w->arena, &w->todo, id);
}

/* A block is reached by a branch, not by being named. */
static void see(struct walk *w, uint32_t id)
{
	if (spb_def_op(w->m, id) != SpvOpLabel)
		reach(w, id);
}

static void see_operands(struct walk *w, spb_at at)
{
	if (spb_is_non_semantic(w->m, at))
		return;
	for (struct spb_operand o = spb_operands(w->m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID || o.kind == SPB_KIND_TYPE)
			see(w, w->m->words[o.word]);
	}
}

static void visit_phi(struct walk *w, spb_at at)
{
	const struct spb_module *m = w->m;

	see(w, m->words[at + 1]);
	for (uint32_t i = at + 3; i + 1 < spb_next(m, at); i += 2) {
		uint32_t value = m->words[i], from = m->words[i + 1];
		if (spb_bit(w->used, from)) {
			see(w, value);
		} else if (m->def[value] < m->section[SPB_SECTION_FUNCTION]) {
			if (!w->first_wait)
				w->first_wait = spb_alloc_zeroed(w->arena, m->bound, sizeof *w->first_wait);
			SPB_PUSH(w->arena, &w->waits, ((struct wait){value, w->first_wait[from]}));
			w->first_wait[from] = (uint32_t)w->waits.count;
		}
	}
}

/* The constant that a condition or selector is a copy or the negation of. Bounded, because nothing guarantees that
 * copies are acyclic. */
static spb_at constant_behind(const struct spb_module *m, uint32_t id, bool *negated)
{
	*negated = false;
	for (int steps = 0; steps < 16; steps++) {
		uint32_t op = spb_def_op(m, id);
		if (op != SpvOpCopyObject && op != SpvOpLogicalNot)
			break;
		*negated ^= op == SpvOpLogicalNot;
		id = m->words[m->def[id] + 3];
	}
	return m->def[id];
}

static void follow_conditional(struct walk *w, spb_at at)
{
	const uint32_t *words = w->m->words + at;
	bool negated;

	switch (spb_op(w->m, constant_behind(w->m, words[1], &negated))) {
	case SpvOpConstantTrue:
		reach(w, words[negated ? 3 : 2]);
		break;
	case SpvOpConstantFalse:
	case SpvOpConstantNull:
		reach(w, words[negated ? 2 : 3]);
		break;
	default:
		reach(w, words[2]);
		reach(w, words[3]);
		break;
	}
}

static bool same_literal(const struct spb_module *m, spb_at constant, const struct spb_operand *literal)
{
	uint32_t width = m->words[m->def[m->words[constant + 1]] + 2],
		 mask = width < 32 ? (1u << width) - 1 : UINT32_MAX;

	for (uint32_t i = 0; i < literal->count; i++) {
		bool given = spb_op(m, constant) == SpvOpConstant && constant + 3 + i < spb_next(m, constant);
		uint32_t word = given ? m->words[constant + 3 + i] : 0;
		if ((word ^ m->words[literal->word + i]) & mask)
			return false;
	}
	return true;
}

static void follow_switch(struct walk *w, spb_at at)
{
	const struct spb_module *m = w->m;
	bool negated, match = false;
	spb_at constant = constant_behind(m, m->words[at + 1], &negated);
	bool known = spb_op(m, constant) == SpvOpConstant || spb_op(m, constant) == SpvOpConstantNull;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_CONTEXT_LITERAL) {
			match = known && same_literal(m, constant, &o);
		} else if (match || !known) {
			reach(w, m->words[o.word]);
			if (known)
				return;
		}
	}
	reach(w, m->words[at + 2]);
}

static void visit_block(struct walk *w, uint32_t label)
{
	const struct spb_module *m = w->m;
	spb_at at = spb_next(m, m->def[label]);

	for (uint32_t i = w->first_wait ? w->first_wait[label] : 0; i; i = w->waits.items[i - 1].next)
		see(w, w->waits.items[i - 1].value);
	for (; !spb_op_is(spb_op(m, at), SPB_OP_TERMINATOR); at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpPhi)
			visit_phi(w, at);
		else
			see_operands(w, at);
	}
	see_operands(w, at);
	if (spb_op(m, at) == SpvOpBranch)
		reach(w, m->words[at + 1]);
	else if (spb_op(m, at) == SpvOpBranchConditional)
		follow_conditional(w, at);
	else if (spb_op(m, at) == SpvOpSwitch)
		follow_switch(w, at);
}

static void visit_function(struct walk *w, uint32_t id)
{
	const struct spb_module *m = w->m;
	spb_at at = m->def[id];

	for (; spb_op(m, at) != SpvOpLabel && spb_op(m, at) != SpvOpFunctionEnd; at = spb_next(m, at))
		see_operands(w, at);
	if (spb_op(m, at) == SpvOpLabel)
		reach(w, m->words[at + 1]);
}

static bool enter_entry_points(struct walk *w)
{
	const struct spb_module *m = w->m;
	bool any = false;

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_FUNCTION];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == OpGraphEntryPointARM)
			see_operands(w, at);
		if (spb_op(m, at) != SpvOpEntryPoint)
			continue;
		any = true;
		if (spb_def_op(m, m->words[at + 2]) == SpvOpFunction)
			reach(w, m->words[at + 2]);
	}
	return any;
}

/* Does the module export a function? Exported functions and variables are used elsewhere. */
static bool enter_exports(struct walk *w)
{
	const struct spb_module *m = w->m;
	bool any = false;

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpDecorate || m->words[at + 2] != SpvDecorationLinkageAttributes ||
		    m->words[spb_next(m, at) - 1] != SpvLinkageTypeExport)
			continue;
		any |= spb_def_op(m, m->words[at + 1]) == SpvOpFunction;
		see(w, m->words[at + 1]);
	}
	return any;
}

static void see_run(struct walk *w, spb_at at, spb_at end)
{
	for (; at < end; at = spb_next(w->m, at))
		see_operands(w, at);
}

/* Graphs are declared alongside functions; what reaches them is unknown. */
static void enter_graphs(struct walk *w)
{
	const struct spb_module *m = w->m;
	spb_at at = m->section[SPB_SECTION_FUNCTION];

	for (uint32_t f = 0; f < m->function_count; f++) {
		see_run(w, at, m->function[f].at);
		at = spb_next(m, m->function[f].end);
	}
	see_run(w, at, m->count);
}

uint32_t *spb_find_used(const struct spb_module *m, struct spb_arena *arena)
{
	struct walk w = {.m = m, .arena = arena, .used = spb_bits(arena, m->bound)};

	if (m->has_unknown_ops) { /* unknown opcodes may name anything */
		memset(w.used, 0xFF, (m->bound / 32 + 1) * sizeof *w.used);
		return w.used;
	}
	enter_graphs(&w);
	const bool has_entries = enter_entry_points(&w), has_exports = enter_exports(&w);
	if (!has_entries && !has_exports) {
		for (uint32_t f = 0; f < m->function_count; f++)
			reach(&w, m->words[m->function[f].at + 2]);
	}
	while (w.todo.count) {
		uint32_t id = w.todo.items[--w.todo.count];
		if (spb_def_op(m, id) == SpvOpFunction)
			visit_function(&w, id);
		else if (spb_def_op(m, id) == SpvOpLabel)
			visit_block(&w, id);
		else
			see_operands(&w, m->def[id]);
	}
	return w.used;
}
