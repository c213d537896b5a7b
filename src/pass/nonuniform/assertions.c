/* SPDX-License-Identifier: Apache-2.0 */
/* check-assertions: assert_uniform_workgroup(x) and assert_uniform_subgroup(x) of the header assert_uniform.glsl.
 *
 *     %r = OpExtInst %void %set 1 %x               (gone)
 *
 * The analysis proves that %x is the same in all invocations of the scope; otherwise the assertion is an error that
 * explains why it may differ. --check-assertions=warn makes that a warning, off proves nothing, and runtime counts
 * failures at run time (assertion_checks.c) where there is no proof. All assertions are removed, whatever the
 * outcome.
 *
 * Refused: other instructions of the set, and values that are neither scalars nor vectors. */
#include "pass/nonuniform/assertions.h"

enum { MOST_STEPS = 8 };

static bool is_assertion(const struct spb_assertions *a, spb_at at)
{
	return spb_op(a->lint.m, at) == SpvOpExtInst && a->lint.m->words[at + 3] == a->import;
}

static bool is_comparable(const struct spb_module *m, uint32_t id)
{
	spb_at type = m->def[spb_type_of(m, id)];

	if (spb_op(m, type) == SpvOpTypeVector)
		type = m->def[m->words[type + 2]];
	return spb_op(m, type) == SpvOpTypeInt || spb_op(m, type) == SpvOpTypeFloat || spb_op(m, type) == SpvOpTypeBool;
}

static void add(struct spb_assertions *a, spb_at at)
{
	const struct spb_module *m = a->lint.m;
	uint32_t instruction = m->words[at + 4];

	if (instruction < SPB_ASSERT_WORKGROUP || instruction > SPB_ASSERT_SUBGROUP || spb_length(m, at) != 6 ||
	    !is_comparable(m, m->words[at + 5]))
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_ASSERTION, at,
			 "instruction %u of " SPB_ASSERT_SET
			 " with %u operand%s is not one that this version knows" SPB_REMEDY
			 "Instructions 1 and 2 assert that a scalar or vector is uniform in the workgroup, and in the "
			 "subgroup.",
			 instruction, spb_length(m, at) - 5, spb_length(m, at) == 6 ? "" : "s");
	SPB_PUSH(a->lint.arena, &a->items,
		 ((struct spb_assertion){.at = at,
					 .value = m->words[at + 5],
					 .scope = instruction == SPB_ASSERT_WORKGROUP ? SPB_UNIFORM_GROUP
										      : SPB_UNIFORM_SUBGROUP}));
}

static void collect(struct spb_assertions *a)
{
	const struct spb_module *m = a->lint.m;

	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].body; at < m->function[f].end; at = spb_next(m, at)) {
			if (is_assertion(a, at))
				add(a, at);
		}
	}
}

/* In stages with workgroups, a subgroup is part of one, so a value that is uniform in the workgroup is uniform in
 * both. */
static void judge(struct spb_assertions *a)
{
	struct spb_judged *j = a->lint.j;

	for (size_t i = 0; i < a->items.count; i++) {
		struct spb_assertion *item = &a->items.items[i];
		item->question = spb_uniformity_ask_whole(j->uniformity, item->at, item->at + 5);
		item->together = spb_uniformity_ask_control(j->uniformity, item->at);
	}
	spb_uniformity_solve(j->uniformity);
	for (size_t i = 0; i < a->items.count; i++) {
		struct spb_assertion *item = &a->items.items[i];
		item->proven = spb_uniformity_of(j->uniformity, item->question) & item->scope;
	}
}

static void report(struct spb_assertions *a, const struct spb_assertion *item)
{
	struct spb_lint *l = &a->lint;
	struct spb_text_buffer text = {.arena = l->arena};
	struct spb_why why[MOST_STEPS];
	const char *name = spb_is_of_input(l->u, item->value) ? spb_id_name(l->m, item->value) : "";
	struct spb_found f = {
	    .rule = SPB_RULE_ASSERTIONS, .code = SPB_E_ASSERTION, .at = item->at, .subject = name, .why = why};

	f.certain = true; /* an assertion requires a proof, and there is none */
	f.why_count = spb_tell_why(l->u, l->j->uniformity, spb_lint_places(l), item->question, item->scope, "the value",
				   why, MOST_STEPS);
	spb_text_format(&text, "%s is asserted to be uniform in the %s, but %s",
			*name ? spb_input_label(l->u, l->arena, item->value, "a value") : "this value",
			item->scope == SPB_UNIFORM_GROUP ? "workgroup" : "subgroup",
			spb_uniformity_is_certain(l->j->uniformity, item->question, item->scope)
			    ? "it differs"
			    : "that is not proven");
	f.text = spb_text_end(&text);
	spb_find(l, &f);
}

static struct spb_assertions begin(struct spb_unit *u)
{
	struct spb_arena *arena = &u->m.context->scratch;
	struct spb_assertions a = {.lint = {.u = u, .m = &u->m, .arena = arena},
				   .import = spb_import(&u->m, SPB_ASSERT_SET)};

	if (a.import)
		collect(&a);
	return a;
}

/* For the lint, which removes nothing. */
void spb_lint_assertions(struct spb_lint *l, struct spb_uniformity_settings settings)
{
	struct spb_assertions a = begin(l->u);
	struct spb_judged j;

	if (!a.items.count || l->severity[SPB_RULE_ASSERTIONS] == SPB_LINT_OFF)
		return;
	j = spb_begin_judging(l->u, settings);
	a.lint = *l;
	a.lint.j = &j;
	judge(&a);
	for (size_t i = 0; i < a.items.count; i++) {
		if (!a.items.items[i].proven)
			report(&a, &a.items.items[i]);
	}
	a.lint.j = l->j;
	*l = a.lint;
}

static void report_all(struct spb_assertions *a, bool warn)
{
	struct spb_unit *u = a->lint.u;

	a->lint.severity[SPB_RULE_ASSERTIONS] = warn ? SPB_SEVERITY_WARNING : SPB_SEVERITY_ERROR;
	for (size_t i = 0; i < a->items.count; i++) {
		if (!a->items.items[i].proven)
			report(a, &a->items.items[i]);
	}
	spb_tell_findings(&a->lint);
	if (u->nonuniform.lint_errors)
		spb_throw(u->m.context, SPB_ERROR_NONUNIFORM);
}

static void remove_all(struct spb_assertions *a)
{
	const struct spb_module *m = a->lint.m;
	struct spb_edit *e = &a->lint.u->edit;

	for (size_t i = 0; i < a->items.count; i++) {
		spb_remove(e, a->items.items[i].at);
		spb_remove_notes(e, m->words[a->items.items[i].at + 2]);
	}
	spb_remove(e, m->def[a->import]);
	/* glslang also declares an extension with the name of any set other than GLSL.std.450 */
	for (spb_at at = m->section[SPB_SECTION_EXTENSION]; at < m->section[SPB_SECTION_IMPORT]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtension && !strcmp(spb_string(m, at + 1), SPB_ASSERT_SET))
			spb_remove(e, at);
	}
}

bool spb_pass_check_assertions(struct spb_unit *u)
{
	spb_assertion_mode mode = u->options->uniformity.check_assertions;
	struct spb_uniformity_settings settings = spb_uniformity_settings_of(u);
	struct spb_assertions a;
	struct spb_judged j;

	if (u->options->mode == SPB_MODE_LINT || !spb_import(&u->m, SPB_ASSERT_SET))
		return false;
	spb_module_need_uses(&u->m);
	a = begin(u);
	if (mode != SPB_ASSERTIONS_OFF && a.items.count) {
		j = spb_begin_judging(u, settings);
		a.lint.j = &j;
		judge(&a);
		if (mode == SPB_ASSERTIONS_RUNTIME)
			spb_check_at_run_time(&a);
		else
			report_all(&a, mode == SPB_ASSERTIONS_WARN);
	}
	remove_all(&a);
	return true;
}
