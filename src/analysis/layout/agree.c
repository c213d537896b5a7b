/* SPDX-License-Identifier: Apache-2.0 */
/* agree: whether variables with the same name are one resource of the program, by their places, types and contents.
 *
 *     different explicit bindings              two resources, with a warning (SPB4003)
 *     compatible contents                      one resource: where both blocks have members, these agree
 *     others, with the same fixed binding      two views, with a warning that is an error of check (SPB4002)
 *     others                                   an error (SPB4002) */
#include "analysis/layout/plan.h"

/* Type hashes of the module being merged; freed after it. */
const uint64_t *spb_hashes_of(struct spb_plan *s, uint32_t module)
{
	struct spb_layout_module *lm = &s->modules[module];

	if (!lm->hashes)
		lm->hashes = spb_type_hashes(spb_plan_module(s, module), &s->c->scratch);
	return lm->hashes;
}

/* Type hashes of an earlier module. The last one is cached, since it is likely to be needed again. */
static const uint64_t *other_hashes_of(struct spb_agreement *x, uint32_t module)
{
	if (x->plan->modules[module].hashes)
		return x->plan->modules[module].hashes;
	if (!x->other_hashes || x->other != module)
		x->other_hashes = spb_type_hashes(spb_plan_module(x->plan, module), &x->plan->c->scratch);
	x->other = module;
	return x->other_hashes;
}

/* Stores the type hashes of all parameters that are declared first by the module of `parameter`; they are adjacent. */
void spb_keep_type_hashes(struct spb_agreement *x, uint32_t parameter, const uint64_t *hashes)
{
	const struct spb_plan *s = x->plan;
	const uint32_t module = spb_plan_parameter(s, parameter)->module;

	while (parameter && spb_plan_parameter(s, parameter - 1)->module == module)
		parameter--;
	for (; parameter < s->layout->parameters.count && spb_plan_parameter(s, parameter)->module == module;
	     parameter++)
		x->type_hash[parameter] = hashes[spb_plan_parameter(s, parameter)->variable->element];
}

static uint64_t type_hash_of(struct spb_agreement *x, const struct spb_parameter *p)
{
	const uint32_t parameter = (uint32_t)(p - x->plan->layout->parameters.items);

	if (!x->type_hash[parameter])
		spb_keep_type_hashes(x, parameter, other_hashes_of(x, p->module));
	return x->type_hash[parameter];
}

spb_message_note spb_note_of(const struct spb_plan *s, const struct spb_parameter *p, const char *what)
{
	return spb_note(spb_module_of(s, p), p->variable->at, "%s is %s here", spb_parameter_label(s, p), what);
}

/* With layout.doctor, the next parameters are compared, too. */
static void disagree(struct spb_plan *s)
{
	if (!s->options->layout.doctor)
		spb_throw(s->c, SPB_ERROR_CONFLICT);
	s->failed = true;
}

/* With a known shift, registers and the bindings of a module that has been bound are comparable. */
bool spb_find_place(const struct spb_plan *s, const struct spb_variable *v, uint32_t *set, uint32_t *binding)
{
	const bool moves = s->options->layout.rebind >= SPB_REBIND_ALL;
	uint32_t by;

	*set = v->has_set ? v->set : s->options->layout.default_set;
	*binding = v->binding;
	if (s->hlsl && !v->heap && !v->bound && (spb_known_shift(&s->lanes, spb_lane(0, v->class), *set, &by) || moves))
		*binding = spb_number_of(v) + by;
	return v->has_binding && !v->unnumbered && !spb_is_auto(s->options, v);
}

void spb_note_place(const struct spb_plan *s, struct spb_parameter *p, const struct spb_variable *v)
{
	struct spb_draft *d = spb_draft(s, p);

	p->has_place = spb_find_place(s, v, &d->place_set, &d->place_binding);
	p->authored = p->has_place && spb_is_authored(s->options, v, &(uint32_t){0});
}

/* Whether both have a binding in the input. Then they may share a name and still be two resources of the program; if
 * the bindings are equal, they may be views of one descriptor (views.c). */
static bool both_placed(const struct spb_plan *s, const struct spb_parameter *p, const struct spb_variable *v)
{
	uint32_t set, binding;

	return p->has_place && v->extra->pieces == 1 && p->variable->extra->pieces == 1 &&
	       spb_find_place(s, v, &set, &binding);
}

/* Whether one of them has a register, and the other a binding that cannot be compared with it. */
static bool are_incomparable(const struct spb_parameter *p, const struct spb_variable *v)
{
	return p->place == SPB_PLACE_FIXED && p->bound != v->bound;
}

/* Whether authors chose different bindings for the same name. */
static bool are_apart(const struct spb_plan *s, const struct spb_parameter *p, const struct spb_variable *v)
{
	uint32_t set, binding, of_v, of_p;

	if (!p->authored || !spb_is_authored(s->options, v, &of_v) || !both_placed(s, p, v) ||
	    !spb_find_place(s, v, &set, &binding))
		return false;
	if (set == spb_draft(s, p)->place_set && are_incomparable(p, v))
		return spb_is_authored(s->options, p->variable, &of_p) && of_p != of_v;
	return set != spb_draft(s, p)->place_set || binding != spb_draft(s, p)->place_binding;
}

bool spb_is_renumbered(const struct spb_variable *v)
{
	const struct spb_declaration *d = v->extra->declaration;

	return v->id && d &&
	       ((d->has_place && d->knows_binding && d->binding != v->binding) ||
		(!d->has_place && d->has_register && d->number != v->binding));
}

bool spb_is_elsewhere(const struct spb_plan *s, const struct spb_parameter *p, const struct spb_variable *v)
{
	uint32_t set, binding, of_v, of_p;

	if (!spb_is_renumbered(v) && !spb_is_renumbered(p->variable))
		return are_apart(s, p, v);
	return both_placed(s, p, v) && spb_is_authored(s->options, v, &of_v) &&
	       spb_is_authored(s->options, p->variable, &of_p) && spb_find_place(s, v, &set, &binding) &&
	       (of_v != of_p || set != spb_draft(s, p)->place_set);
}

/* The variable with most members among those of a parameter: others are compared with it. */
static struct spb_view *fullest_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	return &spb_draft(s, p)->fullest;
}

static uint32_t end_of(const struct spb_contents *block)
{
	uint32_t end = 0;

	for (uint32_t i = 0; i < block->count; i++)
		end = block->members[i].end > end ? block->members[i].end : end;
	return end;
}

static void note_renamed(const struct spb_plan *s, uint32_t module, const struct spb_variable *v,
			 const struct spb_difference *d, const char *other)
{
	if (s->options->layout.doctor)
		spb_report(spb_plan_module(s, module), SPB_SEVERITY_NOTE, SPB_E_SHARED, v->at,
			   "%s has another name for a member than %s: \"%s\" at offset %u, there \"%s\"" SPB_REMEDY
			   "Give the member one name, if it is one.",
			   spb_variable_label(s, module, v), other, d->a->name, d->a->offset, d->b->name);
}

const char *spb_find_other_member(struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	struct spb_arena *scratch = &s->c->scratch;
	const struct spb_parameter *const both[] = {a, b};
	struct spb_contents contents[2];
	struct spb_difference d;
	struct spb_text_buffer other = {.arena = scratch};

	for (int i = 0; i < 2; i++) {
		const struct spb_view *view = fullest_of(s, both[i]);
		const struct spb_module *m = spb_plan_module(s, view->module);
		const uint32_t type = spb_variable_of(s, *view)->element;
		if (spb_def_op(m, type) != SpvOpTypeStruct)
			return NULL;
		contents[i].members =
		    spb_typed_members(m, type, spb_hashes_of(s, view->module), scratch, &contents[i].count);
	}
	if (spb_compare_contents(&contents[1], &contents[0], scratch, &d) != SPB_DIFFERENT)
		return NULL;
	spb_text_format(&other, "\"%s\"", a->variable->key);
	return spb_difference_text(&d, spb_text_end(&other), scratch);
}

/* The first member in which a block differs from that of a parameter, for the message; NULL: they can be one. */
static const char *find_difference(struct spb_agreement *x, const struct spb_parameter *p, uint32_t module,
				   struct spb_variable *v)
{
	const struct spb_plan *s = x->plan;
	struct spb_arena *scratch = &s->c->scratch;
	struct spb_view *fullest = fullest_of(s, p);
	const struct spb_module *m = spb_plan_module(s, module), *other = spb_plan_module(s, fullest->module);
	const uint32_t type = spb_variable_of(s, *fullest)->element;
	struct spb_contents a, b;
	struct spb_difference d;

	a.members = spb_typed_members(m, v->element, spb_hashes_of(x->plan, module), scratch, &a.count);
	b.members = spb_typed_members(other, type, other_hashes_of(x, fullest->module), scratch, &b.count);
	switch (spb_compare_contents(&a, &b, scratch, &d)) {
	case SPB_DIFFERENT:
		return spb_difference_text(&d, other->name, scratch);
	case SPB_RENAMED:
		note_renamed(s, module, v, &d, other->name);
		break;
	case SPB_SAME:
		break;
	}
	if (end_of(&a) > end_of(&b))
		*fullest = (struct spb_view){module, (uint32_t)(v - s->modules[module].variables.items)};
	return NULL;
}

/* Two modules give a name the same binding, with different contents: one of them is probably out of date. */
static void report_drift(const struct spb_plan *s, const struct spb_parameter *p, uint32_t module,
			 const struct spb_variable *v, const char *difference)
{
	const bool check = s->options->mode == SPB_MODE_CHECK;

	spb_report_two(s->modules[module].m, check ? SPB_SEVERITY_ERROR : SPB_SEVERITY_WARNING, SPB_E_TYPE_MISMATCH,
		       v->at, spb_note_of(s, p, "declared"),
		       "%s has other members than at this place elsewhere: %s" SPB_REMEDY
		       "Make the declarations equal, or rename one.",
		       spb_variable_label(s, module, v), difference);
}

/* Both have bindings, and different types: they are views at one binding, or resources at two. */
static void part(struct spb_agreement *x, const struct spb_parameter *p, uint32_t module, const struct spb_variable *v,
		 const char *difference)
{
	struct spb_plan *s = x->plan;
	uint32_t set, binding;

	(void)spb_find_place(s, v, &set, &binding);
	if (set != spb_draft(s, p)->place_set || binding != spb_draft(s, p)->place_binding)
		x->elsewhere = x->elsewhere ? x->elsewhere : (uint32_t)(p - s->layout->parameters.items) + 1;
	else if (difference && !x->no_merge)
		report_drift(s, p, module, v, difference);
	s->failed |= difference && s->options->mode == SPB_MODE_CHECK && !x->elsewhere;
}

bool spb_types_agree(struct spb_agreement *x, const struct spb_parameter *p, uint32_t module, struct spb_variable *v)
{
	struct spb_plan *s = x->plan;
	const struct spb_variable *first = p->variable;
	const uint64_t *hashes = spb_hashes_of(s, module);
	const char *difference = NULL;

	if (first->kind == v->kind && type_hash_of(x, p) == hashes[v->element])
		return true;
	const struct spb_module *m = spb_plan_module(s, module), *other = spb_module_of(s, p);
	bool blocks =
	    spb_def_op(m, v->element) == SpvOpTypeStruct && spb_def_op(other, first->element) == SpvOpTypeStruct;
	if (v->heap && first->heap) /* different block types with the same name in one heap */
		return false;
	if (first->kind == v->kind && blocks)
		difference = find_difference(x, p, module, v);
	if (first->kind == v->kind && blocks && !difference)
		return true;
	if (both_placed(s, p, v)) {
		part(x, p, module, v, difference);
		return false;
	}
	if (difference)
		spb_report_two(m, SPB_SEVERITY_ERROR, SPB_E_TYPE_MISMATCH, v->at, spb_note_of(s, p, "declared"),
			       "%s has other members elsewhere: %s", spb_variable_label(s, module, v), difference);
	else
		spb_report_two(m, SPB_SEVERITY_ERROR, SPB_E_TYPE_MISMATCH, v->at, spb_note_of(s, p, "declared"),
			       "%s is %s here, but %s in %s", spb_variable_label(s, module, v),
			       spb_type_text(s, module, v), spb_type_text(s, p->module, first), other->name);
	disagree(s);
	return false;
}

void spb_report_place(struct spb_plan *s, const struct spb_parameter *p, uint32_t module, const struct spb_variable *v)
{
	const bool apart = are_apart(s, p, v), placed = both_placed(s, p, v);
	uint32_t set, binding;

	(void)spb_find_place(s, v, &set, &binding);

	if (!placed && set != p->set) { /* bindings that mean nothing, or that --rebind replaces */
		spb_report_two(
		    s->modules[module].m, SPB_SEVERITY_ERROR, SPB_E_PLACE_MISMATCH, v->at, spb_note_of(s, p, "placed"),
		    "%s is in set %u here, but in set %u in %s" SPB_REMEDY "Correct one, or use --rebind=all,sets.",
		    spb_variable_label(s, module, v), set, p->set, spb_module_of(s, p)->name);
		return;
	}

	spb_report_two(s->modules[module].m, placed ? SPB_SEVERITY_WARNING : SPB_SEVERITY_ERROR, SPB_E_PLACE_MISMATCH,
		       v->at, spb_note_of(s, p, "placed"),
		       "%s is at set %u, binding %u here, but at set %u, binding %u in %s%s" SPB_REMEDY
		       "Correct one, or %s.",
		       spb_variable_label(s, module, v), set, apart ? binding : spb_number_of(v) + v->extra->piece,
		       apart ? spb_draft(s, p)->place_set : p->set, apart ? spb_draft(s, p)->place_binding : p->number,
		       spb_module_of(s, p)->name, placed ? ", so they are two descriptors" : "",
		       apart ? "rename one" : "use --rebind=all");
}

/* Two places mean two resources if the modules fix both, or, regardless of options, if authors chose them. */
bool spb_places_agree(struct spb_agreement *x, const struct spb_parameter *p, uint32_t module,
		      const struct spb_variable *v, bool has_set, bool has_binding)
{
	struct spb_plan *s = x->plan;

	if (!are_apart(s, p, v) && !(has_set && p->has_set && p->set != v->set) &&
	    !(has_binding && p->place == SPB_PLACE_FIXED && !are_incomparable(p, v) &&
	      p->number != spb_number_of(v) + v->extra->piece))
		return true;
	if (both_placed(s, p, v)) {
		x->elsewhere = x->elsewhere ? x->elsewhere : (uint32_t)(p - s->layout->parameters.items) + 1;
		return false;
	}
	spb_report_place(s, p, module, v);
	disagree(s);
	return false;
}
