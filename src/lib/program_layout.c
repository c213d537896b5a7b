/* SPDX-License-Identifier: Apache-2.0 */
/* program_layout: collects what the layout needs from each module. */
#include "lib/lib.h"

/* How many resources need a number, up to 2. */
static size_t count_open(const struct spb_program *p, const struct spb_laid_out *placed)
{
	const struct spb_variables *variables = &placed->variables;
	const spb_options *o = &p->options;
	bool moves_unused = spb_counts_registers(o, &p->policies) &&
			    spb_unused_means(o, &p->policies, true) == SPB_UNUSED_LAST; /* rule 3 of the HLSL rules */
	size_t open = 0;

	for (size_t i = 0; i < placed->dropped.variables.count && open < 2; i++)
		open += !placed->dropped.variables.items[i].has_binding || o->layout.rebind != SPB_REBIND_MISSING ||
			p->policies.placing || spb_is_auto(o, &placed->dropped.variables.items[i]);
	for (size_t i = 0; i < variables->count && open < 2; i++) {
		const struct spb_variable *v = &variables->items[i];
		open += v->heap
			    ? 0
			    : !v->has_binding || v->unnumbered || (moves_unused && !v->reached) ||
				  o->layout.rebind != SPB_REBIND_MISSING || p->policies.placing || spb_is_auto(o, v);
	}
	return open;
}

/* They are placed after their buffers. */
static bool has_counters(const struct spb_variables *variables)
{
	size_t i = 0;

	while (i < variables->count && !variables->items[i].extra->counter_of)
		i++;
	return i < variables->count;
}

/* Parts of declared resources are identified by the declared name and their path. */
static void apply_pieces(struct spb_unit *u, struct spb_arena *scratch)
{
	uint32_t *number;

	if (!u->created.pieces.count)
		return;
	number = spb_alloc_zeroed(scratch, u->m.bound, sizeof *number);
	for (size_t i = 0; i < u->created.pieces.count; i++)
		number[u->created.pieces.items[i].variable] = (uint32_t)i + 1;
	for (size_t i = 0; i < u->placed.variables.count; i++) {
		struct spb_variable *v = &u->placed.variables.items[i];
		if (!number[v->id])
			continue;
		const struct spb_piece *piece = &u->created.pieces.items[number[v->id] - 1];
		struct spb_text_buffer name = {.arena = &u->m.keep};
		if (*piece->declared)
			spb_text_format(&name, "%s%s", piece->declared, piece->path);
		v->key = spb_text_end(&name);
		struct spb_extra *extra = spb_own_extra(v, &u->m.keep);
		extra->declared = piece->declared;
		extra->path = piece->path;
		extra->origin = piece->origin;
		extra->piece = piece->piece;
		extra->pieces = piece->pieces;
		v->used = v->used && !piece->unused;
	}
}

/* The compiler option that stores the source text. glslang's -gV writes debug information, but not the text. */
static const char *source_flag(const struct spb_module *m)
{
	return spb_debug_info(m) ? "-gVS instead of -gV" : "-g";
}

/* Reads what the module records about registers, if rules or policies need it. */
static void read_registers(struct spb_program *p, struct spb_unit *u, const struct spb_source_text *text)
{
	const bool may = spb_may_count_registers(&p->options, &p->policies, &u->m, text);
	const bool hlsl = spb_counts_registers(&p->options, &p->policies) || (may && spb_records_shifts(&u->m));
	bool decisive = spb_is_text_decisive(&u->m, text);

	u->placed.may_have_registers = may;
	if (!hlsl && !may && !decisive && !p->policies.placing && !p->policies.fixed_registers)
		return;
	bool remarked = spb_read_registers_remark(&u->m, &u->placed.variables, &u->m.keep, hlsl);
	if (remarked && u->placed.variables.count && u->placed.variables.items[0].placed && p->policies.placing &&
	    p->options.layout.rebind == SPB_REBIND_MISSING)
		spb_report(&u->m, SPB_SEVERITY_NOTE, SPB_E_PLACED_BEFORE, 0,
			   "an earlier run placed the resources by a policy, so no policy moves them now" SPB_REMEDY
			   "Bind the original module, or reassign everything with --rebind=all.");
	u->placed.text_is_taken = decisive && remarked;
	/* a module that is numbered has bindings rather than registers */
	const bool taking = decisive && !remarked && !spb_find_remark(&u->m, SPB_NUMBERED_REMARK);
	const bool taken =
	    taking && spb_take_registers(text, &u->placed.variables, &u->m.keep, &u->placed.text_is_taken);
	if (taking)
		u->placed.text_is_taken |= spb_take_counters(&u->m, text, &u->placed.variables);
	u->placed.one_each =
	    spb_numbers_bindings(&u->m) || (remarked ? spb_records_one_each(&u->m) : decisive && !taken);
	if (remarked || taken)
		return;
	if (!hlsl || !spb_find_unregistered(&u->m, text, &u->placed.variables))
		return;
	if (text->present)
		spb_report_line(&u->m, SPB_SEVERITY_NOTE, SPB_E_REGISTERS, text->file, text->line,
				"resources that collide at register 0 count as unregistered, since the source text "
				"cannot be read: %s",
				text->fault);
	else
		spb_report(&u->m, SPB_SEVERITY_NOTE, SPB_E_REGISTERS, 0,
			   "the module contains no source text, so resources that collide at register 0 count as "
			   "unregistered" SPB_REMEDY "Compile with %s.",
			   source_flag(&u->m));
}

/* Finds what the entry points use, if it matters. */
static void find_reached(struct spb_program *p, struct spb_unit *u)
{
	uint32_t *used;

	const bool hlsl = spb_counts_registers(&p->options, &p->policies) || u->placed.may_have_registers;

	if (spb_unused_means(&p->options, &p->policies, hlsl || p->layout.opengl) == SPB_UNUSED_COUNT &&
	    !p->options.layout.doctor)
		return;
	used = spb_find_used(&u->m, &p->context->scratch);
	for (size_t i = 0; i < u->placed.variables.count; i++) {
		struct spb_variable *v = &u->placed.variables.items[i];
		v->reached = spb_bit(used, v->id);
	}
}

/* -e: resources that only other entry points use stay as they are and are not part of the layout. But heaps and parts
 * of variables, which this run makes, have no binding in the input to keep. */
static bool is_left(const struct spb_module *m, const struct spb_variable *v)
{
	return v->elsewhere && v->id < m->given[3] && v->extra->pieces <= 1 && (!v->heap || v->has_binding);
}

static void leave_elsewhere(const struct spb_program *p, struct spb_unit *u)
{
	struct spb_variables *variables = &u->placed.variables;
	const struct spb_variable *unplaced = NULL;
	size_t n = 0, left = 0; /* before n, none is left */

	while (n < variables->count && !is_left(&u->m, &variables->items[n]))
		n++;
	for (size_t i = n; i < variables->count; i++) {
		const struct spb_variable *v = &variables->items[i];
		const bool placed = v->has_set && v->has_binding && !spb_is_auto(&p->options, v);
		if (is_left(&u->m, v) && !placed && !left++)
			unplaced = v;
	}
	if (left)
		spb_report(&u->m, SPB_SEVERITY_WARNING, SPB_E_INCOMPLETE, unplaced->at,
			   left > 1 ? "%s and %u more, which only other entry points use, have no set or no binding yet"
				    : "%s, which only other entry points use, has no set or no binding yet",
			   spb_label(&u->m.context->scratch, &u->m, unplaced->id), (unsigned)left - 1);
	for (size_t i = n; i < variables->count; i++) {
		const struct spb_variable *v = &variables->items[i];
		if (!is_left(&u->m, v))
			variables->items[n++] = *v;
	}
	variables->count = n;
}

/* Whether the compiler may have dropped resources, and nothing tells which. */
static bool may_lack_resources(const struct spb_module *m, const struct spb_source_text *text)
{
	const uint32_t generator = spb_generator(m);

	if (text->present)
		return false;
	return spb_language_of(m) == SPB_LANGUAGE_HLSL ||
	       (spb_source_language(m) == SpvSourceLanguageUnknown &&
		(generator == SPB_GENERATOR_GLSLANG || generator == SPB_GENERATOR_SHADERC)); /* glslc -O */
}

/* The source text does not tell the order of declarations. */
static void note_fault(const struct spb_unit *u, const struct spb_source_text *text, bool strict)
{
	spb_report_line(&u->m, strict ? SPB_SEVERITY_ERROR : SPB_SEVERITY_WARNING,
			strict ? SPB_E_ORDER_UNKNOWN : SPB_E_SOURCE_TEXT, text->file, text->line,
			"the order of the resources is unknown, since %s" SPB_REMEDY "%s", text->fault,
			text->open_world && strict ? "Give the macros of the compiler's command line with -D."
			: text->open_world         ? "Give the macros of the compiler's command line with -D, or pass "
						     "--order=name or --order=module."
						   : "Pass --order=name or --order=module.");
}

static void note_missing_text(const struct spb_unit *u, bool strict)
{
	const char *flag = source_flag(&u->m);

	if (strict)
		spb_report(&u->m, SPB_SEVERITY_ERROR, SPB_E_ORDER_UNKNOWN, 0,
			   "the module contains no source text, so the order of its resources is not known" SPB_REMEDY
			   "Compile with %s.",
			   flag);
	else if (may_lack_resources(&u->m, &u->placed.text))
		spb_report(&u->m, SPB_SEVERITY_NOTE, SPB_E_ORDER_FALLBACK, 0,
			   "the module contains no source text, and function bodies decide which resources it keeps, "
			   "and thereby their numbers" SPB_REMEDY
			   "Compile with %s and strip after binding (--strip-debug), or use --lock.",
			   flag);
	else
		spb_report(&u->m, SPB_SEVERITY_NOTE, SPB_E_ORDER_FALLBACK, 0,
			   "the module contains no source text, so resources are numbered in the order of OpVariable, "
			   "which changes with function bodies" SPB_REMEDY
			   "Compile with %s, or pass --order=name or --order=module.",
			   flag);
}

static void note_order(const struct spb_program *p, const struct spb_unit *u, const struct spb_source_text *text)
{
	const bool strict = p->options.layout.order == SPB_ORDER_SOURCE_STRICT;

	if (text->present)
		note_fault(u, text, strict);
	else
		note_missing_text(u, strict);
	if (strict)
		spb_throw(p->context, SPB_ERROR_UNSUPPORTED);
}

/* Textures and samplers that merge-combined has joined, in this module or another, were not dropped by the compiler. */
static void leave_out_merged(const spb_options *options, struct spb_variables *dropped)
{
	size_t kept = 0;

	for (size_t i = 0; i < dropped->count; i++) {
		const char *name = dropped->items[i].name;
		size_t length = strlen(name);
		bool merged = false;
		for (uint32_t k = 0; k < options->combined.merge_count && !merged; k++) {
			const char *texture = options->combined.merge[k], *sampler = strchr(texture, ':') + 1;
			merged = !strcmp(sampler, name) || (!strncmp(texture, name, length) && texture[length] == ':');
		}
		if (!merged)
			dropped->items[kept++] = dropped->items[i];
	}
	dropped->count = kept;
}

/* A dropped declaration that depends on an unrecorded macro. */
static void note_doubtful(const struct spb_unit *u, const struct spb_source_text *text)
{
	const struct spb_declaration *d = text->declarations.items, *end = d + text->declarations.count;

	while (d < end && !(d->macro && !d->view_count))
		d++;
	if (d < end)
		spb_report_line(&u->m, SPB_SEVERITY_NOTE, SPB_E_SOURCE_TEXT, d->macro_file, d->macro_line,
				"whether the declaration of \"%s\" counts depends on the macro %s, which the module "
				"does not record" SPB_REMEDY "Give the macros of the compiler's command line with -D.",
				d->name, d->macro);
}

/* For a check: numbers that mean "assign one". */
static void report_sentinels(const struct spb_program *p, const struct spb_unit *u)
{
	struct spb_text_buffer others = {.arena = &p->context->scratch};
	const struct spb_variable *first = NULL;
	unsigned count = 0;

	for (size_t i = 0; i < u->placed.variables.count && p->options.mode == SPB_MODE_CHECK; i++) {
		const struct spb_variable *v = &u->placed.variables.items[i];
		if (!v->has_binding || !spb_is_auto(&p->options, v) || spb_has_auto_set(&p->options, v))
			continue;
		first = first ? first : v;
		count++;
	}
	if (!count)
		return;
	if (count > 1)
		spb_text_format(&others, ", nor to %u more", count - 1);
	spb_report(&u->m, SPB_SEVERITY_ERROR, SPB_E_SENTINEL, first->at,
		   "%s has Binding %u, which means \"assign one\", but nothing has assigned one to it%s" SPB_REMEDY
		   "Run spirv-bind on the module.",
		   spb_label(&p->context->scratch, &u->m, first->id), first->binding, spb_text_end(&others));
}

void spb_collect_slot(struct spb_program *p, struct spb_slot *slot)
{
	struct spb_unit *u = &slot->unit;
	struct spb_variables *vs = &u->placed.variables;
	struct spb_source_text *text = &u->placed.text;

	p->context->pass = "layout";
	spb_arena_reset(&p->context->scratch);
	spb_module_need_index(&u->m);
	slot->stages = spb_stage_flags(spb_module_stages(&p->options, &u->m));
	*vs = spb_collect_variables(&u->m, u->m.shared_keep ? u->m.shared_keep : &u->m.keep);
	if (u->handles.heaps.count) {
		uint32_t *heap = spb_bits(&p->context->scratch, u->m.bound);
		for (size_t i = 0; i < u->handles.heaps.count; i++)
			spb_set_bit(heap, u->handles.heaps.items[i].variable);
		for (size_t i = 0; i < vs->count; i++) {
			if (spb_bit(heap, vs->items[i].id))
				spb_mark_heap(&vs->items[i]);
		}
	}
	if (u->created.added.count) {
		uint32_t *added = spb_bits(&p->context->scratch, u->m.bound);
		for (size_t i = 0; i < u->created.added.count; i++)
			spb_set_bit(added, u->created.added.items[i]);
		for (size_t i = 0; i < vs->count; i++)
			vs->items[i].added = spb_bit(added, vs->items[i].id);
	}
	spb_find_asked_heaps(&p->options, vs);
	apply_pieces(u, &p->context->scratch);
	spb_read_parts(&u->m, vs, &u->m.keep);
	spb_find_static_use(&p->options, &u->m, vs, &p->context->scratch);
	*text = spb_read_source(&p->options, &u->m, vs, &u->m.keep, &p->context->scratch);
	spb_find_counters(&u->m, vs, &u->m.keep);
	u->placed.dropped = spb_find_dropped(text, vs, &u->m.keep);
	leave_out_merged(&p->options, &u->placed.dropped.variables);
	p->layout.opengl |= text->opengl;
	read_registers(p, u, text);
	find_reached(p, u);
	text->numbered = spb_find_registers_remark(&u->m) || spb_find_remark(&u->m, SPB_NUMBERED_REMARK);
	if (!text->numbered || p->options.layout.rebind >= SPB_REBIND_ALL)
		spb_find_numbers(&u->m, text, vs); /* otherwise an earlier run decided */
	leave_elsewhere(p, u);
	report_sentinels(p, u);
	const spb_order order = p->options.layout.order;
	const size_t open = count_open(p, &u->placed);
	const bool needed = open > 1;
	const bool unknown =
	    (needed || has_counters(vs)) && spb_order_variables(&u->m, &p->options, text, vs, &p->context->scratch);
	const bool lone = open == 1 && !p->options.layout.lock && may_lack_resources(&u->m, text) &&
			  (order == SPB_ORDER_SOURCE || order == SPB_ORDER_SOURCE_STRICT);
	if ((unknown && needed) || lone)
		note_order(p, u, text);
	else if (needed)
		note_doubtful(u, text);
	spb_order_dropped(order, unknown || order == SPB_ORDER_MODULE, vs, &u->placed.dropped, &u->m.keep);
}

/* Variables that nothing uses, and that are to be removed. */
static void list_removed(struct spb_program *p, struct spb_unit *u)
{
	if (p->layout.unused != SPB_UNUSED_REMOVE)
		return;
	for (size_t i = 0; i < u->placed.variables.count; i++) {
		const struct spb_variable *v = &u->placed.variables.items[i];
		if (p->layout.parameters.items[v->parameter].place != SPB_PLACE_REMOVED)
			continue;
		if (!u->placed.removed)
			u->placed.removed = spb_bits(&u->m.keep, u->m.bound);
		spb_set_bit(u->placed.removed, v->id);
	}
}

static void find_non_uniform(struct spb_program *p)
{
	for (size_t i = 0; i < p->slots.count; i++) {
		const struct spb_unit *u = &p->slots.items[i]->unit;
		for (size_t k = 0; k < u->placed.variables.count && u->nonuniform.variables; k++) {
			const struct spb_variable *v = &u->placed.variables.items[k];
			const struct spb_parameter *q = &p->layout.parameters.items[v->parameter];
			if (q->place != SPB_PLACE_REMOVED && v->id < u->nonuniform.bound &&
			    spb_bit(u->nonuniform.variables, v->id))
				p->layout.entries.items[q->entry].non_uniform = true;
		}
	}
}

/* Will the index of a module probably be needed after the layout? Passes need it if there are arrays without a size, or
 * unused resources, which may be removed. */
static bool needs_index(const struct spb_slot *slot, bool removes)
{
	const struct spb_unit *u = &slot->unit;

	if (u->m.run || !slot->indexes_fit || spb_may_lack_runtime_arrays(u))
		return true;
	for (size_t i = 0; i < u->placed.variables.count && removes; i++) {
		if (!u->placed.variables.items[i].used || !u->placed.variables.items[i].reached)
			return true;
	}
	return false;
}

/* Those indexes are rebuilt. */
static bool few_need_index(const struct spb_program *p)
{
	const bool hlsl = spb_counts_registers(&p->options, &p->policies);
	const bool removes = spb_unused_means(&p->options, &p->policies, hlsl || p->layout.opengl) == SPB_UNUSED_REMOVE;
	size_t count = 0;

	for (size_t i = 0; i < p->slots.count; i++)
		count += p->slots.items[i]->unit.m.shared && needs_index(p->slots.items[i], removes);
	return count <= p->slots.count / SPB_FEW_MODULES;
}

void spb_lay_out_program(struct spb_program *p)
{
	size_t n = p->slots.count;
	const char *remarks[2]; /* by one_each */

	p->context->pass = "layout";
	spb_arena_reset(&p->context->scratch);
	p->modules = spb_alloc_zeroed(&p->keep, n, sizeof *p->modules);
	for (size_t i = 0; i < n; i++) {
		p->modules[i].m = &p->slots.items[i]->unit.m;
		p->modules[i].variables = p->slots.items[i]->unit.placed.variables;
		p->modules[i].text = &p->slots.items[i]->unit.placed.text;
		p->modules[i].dropped = p->slots.items[i]->unit.placed.dropped;
		p->modules[i].import = (p->slots.items[i]->flags & SPB_ADD_IMPORT) != 0;
		p->modules[i].one_each = p->slots.items[i]->unit.placed.one_each;
		p->modules[i].may_have_registers = p->slots.items[i]->unit.placed.may_have_registers;
	}
	spb_lay_out(p->context, &p->options, &p->policies, p->modules, n, &p->layout, &p->keep,
		    p->shared && few_need_index(p));
	find_non_uniform(p);
	spb_compare_push_constants(p);
	remarks[false] = spb_registers_remark(&p->layout, &p->policies, false, &p->keep);
	remarks[true] = spb_registers_remark(&p->layout, &p->policies, true, &p->keep);
	for (size_t i = 0; i < n; i++) {
		struct spb_unit *u = &p->slots.items[i]->unit;
		const char *remark = remarks[u->placed.one_each];
		u->placed.layout = &p->layout;
		u->placed.registers_remark = !u->placed.variables.count            ? ""
					     : *remark || !u->placed.text_is_taken ? remark
										   : spb_text_remark;
		list_removed(p, u);
	}
}
