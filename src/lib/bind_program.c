/* SPDX-License-Identifier: Apache-2.0 */
/* bind_program: the steps of binding a program, by its mode.
 *
 *     check options against modules -> passes before the layout -> layout -> passes after it -> validate -> finish
 *                                            | lint ends here        | collect ends here                        | check
 */
#include "lib/lib.h"
#include "pass/handles/handles.h"

static void check_pairs(const struct spb_program *p)
{
	p->context->pass = "merge-combined";
	for (uint32_t i = 0; i < p->options.combined.merge_count && p->slots.count; i++) {
		if (!spb_bit(p->pairs_found, i))
			spb_fail(
			    &p->slots.items[0]->unit.m, SPB_ERROR_UNSUPPORTED, SPB_E_MERGE_NAME, 0,
			    "--merge-combined=%s: no module of the program has both a texture and a sampler with these "
			    "names" SPB_REMEDY
			    "Names are those of OpName: check the spelling, and do not strip names before binding.",
			    p->options.combined.merge[i]);
	}
}

static void list_entry_points(struct spb_program *p, struct spb_text_buffer *text)
{
	enum { MOST_LISTED = 16 };
	uint32_t count = 0;

	for (size_t i = 0; i < p->slots.count; i++) {
		const struct spb_module *m = &p->slots.items[i]->unit.m;
		for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
		     at = spb_next(m, at)) {
			if (spb_op(m, at) != SpvOpEntryPoint || count++ >= MOST_LISTED)
				continue;
			spb_text_format(text, count > 1 ? ", \"%s\"" : "\"%s\"", spb_string(m, at + 3));
		}
	}
	if (count > MOST_LISTED)
		spb_text_format(text, " and %u more", count - MOST_LISTED);
	if (!count)
		spb_text_put(text, "none");
}

/* A misspelt name would select nothing. */
static void check_entries(struct spb_program *p)
{
	const spb_layout_options *o = &p->options.layout;
	struct spb_text_buffer known = {.arena = &p->keep};
	uint32_t *found;

	if (!o->entry_count || !p->slots.count)
		return;
	p->context->pass = "layout";
	found = spb_bits(&p->keep, o->entry_count);
	for (size_t i = 0; i < p->slots.count; i++) {
		const struct spb_module *m = &p->slots.items[i]->unit.m;
		for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
		     at = spb_next(m, at)) {
			if (spb_is_wanted_entry_point(&p->options, m, at))
				spb_set_bit(found, spb_find_entry(&p->options, spb_string(m, at + 3)) - 1);
		}
	}
	for (uint32_t i = 0; i < o->entry_count; i++) {
		if (spb_bit(found, i))
			continue;
		list_entry_points(p, &known);
		spb_fail(&p->slots.items[0]->unit.m, SPB_ERROR_INVALID_ARGUMENT, SPB_E_ENTRY, 0,
			 "-e %s: no module of the program has an entry point of this name" SPB_REMEDY
			 "The entry points are %s.",
			 o->entries[i], spb_text_end(&known));
	}
}

/* Vulkan cannot create a shader from a library, and its exports would be lost. Refusals by passes are reported
 * first. */
static void check_libraries(const struct spb_program *p)
{
	p->context->pass = "parse";
	for (size_t i = 0; i < p->slots.count; i++) {
		const struct spb_module *m = &p->slots.items[i]->unit.m;
		const uint32_t *w, *exported = NULL;
		for (uint32_t at = 5; at < m->given_count; at += *w >> 16) {
			w = m->given + at;
			if ((*w & 0xFFFF) == SpvOpEntryPoint) {
				exported = NULL;
				break;
			}
			if ((*w & 0xFFFF) == SpvOpDecorate && w[2] == SpvDecorationLinkageAttributes &&
			    w[(*w >> 16) - 1] == SpvLinkageTypeExport)
				exported = w;
		}
		if (exported)
			spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_LIBRARY, 0,
				 "the module is a library: it exports functions and has no entry point" SPB_REMEDY
				 "Link it into a shader, or pass it with --resolver if it maps handles.");
	}
}

static bool has_arrays(const struct spb_variables *vs)
{
	for (size_t i = 0; i < vs->count; i++) {
		if (vs->items[i].count > 1 || vs->items[i].type != vs->items[i].element)
			return true;
	}
	return false;
}

/* While there is an index, which the layout may free. Faults are reported after the layout. */
static void look_at_indexes(struct spb_slot *slot)
{
	slot->indexes_fit = !has_arrays(&slot->unit.placed.variables) || !spb_find_wrong_index(&slot->unit.m);
}

static void check_indexes(struct spb_program *p, struct spb_slot *slot)
{
	if (slot->indexes_fit)
		return;
	p->context->pass = "access";
	spb_module_need_index(&slot->unit.m);
	spb_check_indexes(&slot->unit.m);
}

/* The inputs of a stage depend on the stages before it. */
static void link_units(struct spb_program *p)
{
	uint32_t n = (uint32_t)p->slots.count;
	struct spb_module **all = spb_alloc_array(&p->keep, n, sizeof(struct spb_module *));

	for (uint32_t i = 0; i < n; i++) {
		all[i] = &p->slots.items[i]->unit.m;
		p->slots.items[i]->unit.program.modules = all;
		p->slots.items[i]->unit.program.module_count = n;
	}
}

/* Everything up to the layout. */
static void lay_out(void *argument)
{
	struct spb_program *p = argument;

	spb_settle_options(p);
	spb_warn_before_passes(p);
	check_entries(p);
	link_units(p);
	for (size_t i = 0; i < p->slots.count; i++) {
		spb_run_before_layout(&p->slots.items[i]->unit);
		spb_collect_slot(p, p->slots.items[i]);
		look_at_indexes(p->slots.items[i]);
	}
	check_pairs(p);
	spb_lay_out_program(p);
}

static void rewrite(void *argument)
{
	struct spb_program *p = argument;
	size_t n = p->slots.count;

	lay_out(p);
	check_libraries(p);
	spb_end_planning(&p->layout);
	for (size_t i = 0; i < n; i++) {
		struct spb_slot *slot = p->slots.items[i];
		check_indexes(p, slot); /* before the last commit, which leaves no index */
		spb_run_after_layout(&slot->unit);
		if (!p->options.debug.only)
			spb_check_no_handles(&slot->unit.m);
		slot->output = slot->unit.m.words;
		slot->output_count = slot->unit.m.count;
		spb_module_settle(&slot->unit.m);
	}
	spb_check_host(p);
	spb_warn_after_passes(p);
}

/* Runs what comes before the layout, with decorate-nonuniform only reporting. */
static void lint(void *argument)
{
	struct spb_program *p = argument;

	spb_settle_options(p);
	spb_warn_before_passes(p);
	check_entries(p);
	link_units(p);
	for (size_t i = 0; i < p->slots.count; i++)
		spb_run_before_layout(&p->slots.items[i]->unit);
	spb_warn_after_passes(p);
}

static void finish(void *argument)
{
	struct spb_program *p = argument;

	for (size_t i = 0; i < p->slots.count; i++) {
		struct spb_slot *slot = p->slots.items[i];
		spb_finish(p, slot);
		if (!slot->unit.m.swapped)
			continue;
		uint32_t *words = spb_alloc_array(&p->keep, slot->output_count, sizeof *words);
		spb_swap_words(words, slot->output, slot->output_count);
		slot->output = words;
	}
}

/* They have been reported already. */
static bool has_lint_errors(const struct spb_program *p)
{
	for (size_t i = 0; i < p->slots.count; i++) {
		if (p->slots.items[i]->unit.nonuniform.lint_errors)
			return true;
	}
	return false;
}

static spb_status bind(spb_program *p)
{
	spb_status status = spb_guard(p->context, rewrite, p);

	if (status == SPB_OK && p->options.validation.which != SPB_VALIDATE_NONE)
		status = spb_judge_outputs(p);
	if (status == SPB_OK)
		status = spb_guard(p->context, finish, p);
	p->bound = status == SPB_OK;
	return status;
}

static spb_status run(spb_program *p)
{
	spb_status status = SPB_OK;

	if (p->options.validation.which == SPB_VALIDATE_BOTH)
		status = spb_judge_inputs(p);
	if (status != SPB_OK)
		return status;
	switch (p->options.mode) {
	case SPB_MODE_BIND:
		break;
	case SPB_MODE_CHECK:
		p->options.explain = true; /* why there is a mark */
		status = bind(p);
		return status == SPB_OK ? spb_check_changes(p) : status;
	case SPB_MODE_LINT:
		status = spb_guard(p->context, lint, p);
		return status == SPB_OK && has_lint_errors(p) ? SPB_ERROR_NONUNIFORM : status;
	case SPB_MODE_COLLECT:
		status = spb_guard(p->context, lay_out, p);
		p->collected = status == SPB_OK;
		return status;
	}
	return bind(p);
}

spb_status spb_program_bind(spb_program *p)
{
	if (!p || spb_is_busy(p->context) || (p->tried && !p->starved))
		return SPB_ERROR_INVALID_ARGUMENT;
	p->context->busy = true;
	spb_status status = p->starved ? spb_begin_again(p) : SPB_OK;
	p->tried = true;
	p->context->findings = 0;
	if (status == SPB_OK)
		status = run(p);
	p->context->busy = false;
	p->starved = spb_is_starved(status);
	return status;
}
