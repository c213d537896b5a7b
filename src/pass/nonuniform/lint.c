/* SPDX-License-Identifier: Apache-2.0 */
/* lint: the rules of the lint. All rules ask first, the analysis is solved once, and then they report.
 * Questions about quads of fragments have their own analysis, which modules without such instructions skip.
 *
 *   nonuniform    elements of descriptor arrays whose index differs, without the decoration NonUniform
 *   derivatives   derivative instructions where the invocations of a primitive may have diverged
 *   implicit-lod  samples with implicit level of detail there, or of a descriptor that differs within the quad
 *   barriers      control barriers that not all invocations of the workgroup may reach
 *   subgroup      subgroup operations that need all invocations, or an operand that is the same in all of them
 *   operands      operands that have to be the same in all invocations: those of cooperative matrices, for example
 *   assertions    values that the author asserts to be uniform, without a proof
 *   comments      comments that allow findings, but name no rule or suppress nothing
 *
 * In diverging control flow the level of detail of a sample is undefined, but programs that rely on what most devices
 * do are everywhere, so that rule only warns. The others find undefined behavior. */
#include "pass/nonuniform/lint.h"

static const struct {
	const char *name;
	uint8_t severity;
} rules[SPB_RULE_COUNT] = {
    {"nonuniform", SPB_SEVERITY_ERROR}, {"derivatives", SPB_SEVERITY_ERROR}, {"implicit-lod", SPB_SEVERITY_WARNING},
    {"barriers", SPB_SEVERITY_ERROR},   {"subgroup", SPB_SEVERITY_ERROR},    {"operands", SPB_SEVERITY_ERROR},
    {"assertions", SPB_SEVERITY_ERROR}, {"comments", SPB_SEVERITY_WARNING},
};

static const char *const severities[] = {"error", "warning", "note", "off"};

const char *spb_lint_rule_name(uint32_t index)
{
	return index < SPB_COUNT(rules) ? rules[index].name : NULL;
}

const char *spb_severity_name(uint32_t index)
{
	return index < SPB_COUNT(severities) ? severities[index] : NULL;
}

static uint32_t find(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !memcmp(name, word, length);
}

/* RULE or RULE=SEVERITY; the word "all" stands for every rule. */
static bool read_rule(const char *item, size_t length, uint8_t *severity)
{
	const char *equals = memchr(item, '=', length);
	size_t name = equals ? (size_t)(equals - item) : length, value = equals ? length - name - 1 : 0;
	uint32_t given = 0;
	bool found = false;

	while (equals && !find(equals + 1, value, severities[given])) {
		if (++given == SPB_COUNT(severities))
			return false;
	}
	for (uint32_t r = 0; r < SPB_RULE_COUNT; r++) {
		if (!find(item, name, rules[r].name) && !find(item, name, "all"))
			continue;
		severity[r] = equals ? (uint8_t)given : rules[r].severity;
		found = true;
	}
	return found;
}

bool spb_read_lint(const char *text, uint8_t *severity)
{
	for (uint32_t r = 0; r < SPB_RULE_COUNT; r++)
		severity[r] = text ? SPB_LINT_OFF : rules[r].severity;
	while (text) {
		size_t length = strcspn(text, ",");
		if (!read_rule(text, length, severity))
			return false;
		text = text[length] ? text + length + 1 : NULL;
	}
	return true;
}

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
		for (spb_at at = m->function[f].label; at && at < m->function[f].end; at = spb_next(m, at)) {
			if (asks_push_constants)
				spb_ask_push_constants(l, at);
			if (!may_demand(spb_op(m, at)))
				continue;
			spb_ask_control(l, at);
			spb_ask_lod(l, at);
			spb_ask_operands(l, at);
		}
	}
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
