/* SPDX-License-Identifier: Apache-2.0 */
/* lint: the rules of the lint. All rules ask first, the analysis is solved once, and then they report.
 * Questions about quads of fragments have their own analysis, which modules without such instructions skip. */
#include "pass/nonuniform/lint.h"

/* Nearly all instructions require nothing of other invocations: before the group operations, only these may. */
static bool may_demand(uint32_t op)
{
	return op >= SpvOpGroupAll || op == SpvOpControlBarrier || (op >= SpvOpDPdx && op <= SpvOpFwidthCoarse) ||
	       spb_op_is(op, SPB_OP_DERIVES);
}

static void ask(struct spb_lint *l)
{
	const struct spb_module *m = l->m;
	const bool asks_push_constants =
	    l->severity[SPB_RULE_NONUNIFORM] != SPB_LINT_OFF && m->has & SPB_HAS_PUSH_CONSTANTS;

	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].body; at < m->function[f].end; at = spb_next(m, at)) {
			if (asks_push_constants)
				spb_ask_push_constants(l, at);
			if (!may_demand(spb_op(m, at)))
				continue;
			if (spb_op_is(spb_op(m, at), SPB_OP_CALLS)) /* by another instruction than OpFunctionCall */
				l->runs = NULL;
			spb_ask_control(l, at);
			spb_ask_lod(l, at);
			spb_ask_operands(l, at);
		}
	}
}

/* What no entry point calls never runs. A library has no entry point, or is linked. */
static uint32_t *find_running(const struct spb_lint *l)
{
	const struct spb_module *m = l->m;
	uint32_t *runs = spb_bits(l->arena, m->function_count + 1),
		 *list = spb_alloc_array(l->arena, m->function_count + 1, sizeof *list);
	bool found = false;

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpEntryPoint)
			continue;
		spb_add_reached(&l->j->calls, m->words[at + 2], runs, list);
		found = true;
	}
	return found && !m->has_unknown_ops && !spb_has_capability(m, SpvCapabilityLinkage) ? runs : NULL;
}

void spb_lint(struct spb_unit *u, struct spb_uniformity_settings settings)
{
	struct spb_arena *arena = &u->m.context->scratch;
	struct spb_lint l = {.u = u, .m = &u->m, .arena = arena};
	struct spb_judged j;

	spb_read_lint(u->options->uniformity.lint, l.severity);
	spb_read_comments(&l);
	settings.heed_marks = false; /* the author's decorations are not a proof */
	j = spb_begin_judging(u, settings);
	l.j = &j;
	l.runs = find_running(&l);
	settings.targets = &j.paths.targets;
	ask(&l);
	spb_uniformity_solve(j.uniformity);
	if (l.quad.count || l.lod.count)
		spb_ask_quads(&l, settings);
	if (l.severity[SPB_RULE_NONUNIFORM] != SPB_LINT_OFF)
		spb_lint_nonuniform(&l, settings);
	spb_lint_control(&l);
	spb_lint_lod(&l);
	spb_lint_operands(&l);
	spb_lint_assertions(&l, settings);
	spb_lint_comments(&l);
	spb_tell_findings(&l);
}
