/* SPDX-License-Identifier: Apache-2.0 */
/* overlap: reports parameters that share a binding.
 *
 *     legal      views of one descriptor; descriptors that no pipeline uses together; views of one heap
 *     doubtful   legal, but possibly not intended: a warning
 *     conflict   an error, unless --allow-overlap is given
 *
 * views.c decides whether variables are views of one descriptor, and whether two descriptors in the input can share a
 * binding. */
#include "analysis/layout/plan.h"

enum { MOST_REPORTS = 100 }; /* since each report walks its module to find the source line */

static bool is_sampler(const struct spb_parameter *p)
{
	return p->variable->kind == SPB_DESCRIPTOR_SAMPLER;
}

/* Heaps of several types share a binding if the options require it, or if the compiler did so. If heaps are mutable,
 * runtime arrays declared in the source may be views of them. */
static bool share_heap(const struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	bool changing = s->options->heaps.model == SPB_HEAP_MODEL_MUTABLE || spb_heaps_in_default_set(s);
	bool wished = changing || (a->heap_kept && b->heap_kept);

	if (!(a->variable->heap && b->variable->heap && a->count == b->count) && !(changing && !a->count && !b->count))
		return false;
	return a->variable->kind == b->variable->kind || (wished && !is_sampler(a) && !is_sampler(b));
}

static struct spb_overlap judge_heaps(const struct spb_parameter *a, const struct spb_parameter *b)
{
	if (a->variable->kind != b->variable->kind)
		return (struct spb_overlap){
		    .verdict = SPB_OVERLAP_CONFLICT,
		    .rule = is_sampler(a) || is_sampler(b)
				? "a binding has one descriptor type, and samplers cannot share with anything"
				: "a binding has one descriptor type, unless it is "
				  "VK_DESCRIPTOR_TYPE_MUTABLE_EXT",
		    .remedy = "Move one of them, or use --rebind=conflicts."};
	if (a->count == b->count)
		return (struct spb_overlap){.verdict = SPB_OVERLAP_LEGAL,
					    .rule = "runtime arrays of one descriptor type, views of one heap",
					    .remedy = ""};
	return (struct spb_overlap){
	    .verdict = SPB_OVERLAP_CONFLICT,
	    .rule = "one is a heap, the other an array of another length",
	    .remedy = "Make their lengths equal (--heap-size, or an unsized array), or move one of them."};
}

/* Rule 4 of the HLSL rules: a register belongs to one resource. Whether these two are an exception. */
static bool share_register(const struct spb_parameter *a, const struct spb_parameter *b)
{
	return a->variable->kind == b->variable->kind && ((!a->count && !b->count) || (a->aliased && b->aliased));
}

/* Two for which share_register holds. */
static struct spb_overlap shared_register(const struct spb_parameter *a, const struct spb_parameter *b)
{
	return (struct spb_overlap){.verdict = SPB_OVERLAP_LEGAL,
				    .rule = !a->count && !b->count
						? "runtime arrays of one descriptor type, views of one heap"
						: "both are Aliased and have the same descriptor type",
				    .remedy = ""};
}

/* Whether its binding comes from a policy or the lock file. */
static bool is_given(const struct spb_parameter *p)
{
	return p->place == SPB_PLACE_BOUND && !p->bound && !p->heap_kept;
}

static struct spb_overlap judge_registers(const struct spb_parameter *a, const struct spb_parameter *b)
{
	if (share_register(a, b))
		return shared_register(a, b);
	return (struct spb_overlap){.verdict = SPB_OVERLAP_CONFLICT,
				    .rule = "a register belongs to one resource",
				    .remedy = is_given(a) || is_given(b) || a->number == b->number
						  ? "Give one of them another register."
						  : "Give one of them another register, or use --rules=slang, under "
						    "which an array takes a single number."};
}

/* Where its binding comes from: the line of a policy, or the lock file. */
static const char *giver_of(const struct spb_parameter *p)
{
	return !strncmp(p->why, "lock file", strlen("lock file")) ? "the lock file" : p->why;
}

/* For two bindings that come from policies or the lock file, which --rebind cannot change. */
static struct spb_overlap judge_given(struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	struct spb_text_buffer text = {.arena = s->arena};

	if (!strcmp(a->why, b->why))
		spb_text_format(&text, "%s puts both there", giver_of(a));
	else
		spb_text_format(&text, "%s and %s put them there", giver_of(a), giver_of(b));
	return (struct spb_overlap){.verdict = SPB_OVERLAP_CONFLICT,
				    .rule = spb_text_end(&text),
				    .remedy = "Give one of them another binding."};
}

/* Whether they are in the same set in the input; a policy may have moved them into one. */
static bool were_together(const struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	return !a->has_place || !b->has_place || spb_draft(s, a)->place_set == spb_draft(s, b)->place_set;
}

/* Whether the host maps both apart, although they have one set and binding. */
static bool is_mapped_apart(const struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	return s->maps_all &&
	       !(spb_resource_mask(a->variable->kind, a->writable) & spb_resource_mask(b->variable->kind, b->writable));
}

struct spb_overlap spb_judge_overlap(struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	bool from_input = a->place == SPB_PLACE_FIXED && b->place == SPB_PLACE_FIXED && a->number == b->number &&
			  a->variable->extra->pieces == 1 && b->variable->extra->pieces == 1 && were_together(s, a, b);

	if (is_mapped_apart(s, a, b))
		return (struct spb_overlap){.verdict = SPB_OVERLAP_LEGAL,
					    .rule = "VK_EXT_descriptor_heap maps them apart, by resourceMask",
					    .remedy = ""};
	if (share_heap(s, a, b))
		return (struct spb_overlap){.verdict = SPB_OVERLAP_LEGAL,
					    .rule = a->variable->kind == b->variable->kind
							? "runtime arrays of one descriptor type, views of one heap"
							: "heaps of DescriptorHandles, whose descriptors are mutable",
					    .remedy = ""};
	if (a->variable->heap != b->variable->heap || (a->variable->heap && b->variable->heap))
		return judge_heaps(a, b);
	if (spb_draft(s, a)->group == spb_draft(s, b)->group)
		return (struct spb_overlap){
		    .verdict = SPB_OVERLAP_LEGAL, .rule = "they are views of one descriptor", .remedy = ""};
	if (from_input && (!s->hlsl || a->class == b->class))
		return spb_judge_groups(s, spb_group_of(s, a), spb_group_of(s, b));
	if (is_given(a) && is_given(b) && !share_register(a, b))
		return judge_given(s, a, b);
	if (s->hlsl)
		return judge_registers(a, b);
	if (share_register(a, b)) /* a policy or the lock file puts both there */
		return shared_register(a, b);
	return (struct spb_overlap){.verdict = SPB_OVERLAP_CONFLICT,
				    .rule = "they are different descriptors of the input",
				    .remedy = "Move one of them, or use --rebind=conflicts."};
}

static const char *stages_text(const struct spb_plan *s, uint32_t bits)
{
	struct spb_text_buffer text = {.arena = &s->c->scratch};

	for (uint32_t i = 0, n = 0; i < SPB_STAGE_COUNT; i++) {
		if (bits >> i & 1)
			spb_text_format(&text, n++ ? "+%s" : "%s", spb_stage_name(i));
	}
	if (!text.count)
		spb_text_put(&text, "no stage");
	return spb_text_end(&text);
}

static const char *type_text(const struct spb_plan *s, const struct spb_parameter *p)
{
	return spb_type_text(s, p->module, p->variable);
}

const char *spb_place_text(const struct spb_plan *s, const struct spb_parameter *p)
{
	struct spb_text_buffer text = {.arena = &s->c->scratch};
	char class = spb_class_letter(p->class);

	if (s->numbered || p->place == SPB_PLACE_BOUND)
		spb_text_format(&text, "set %u, binding %u", p->set, p->binding);
	else if (!s->hlsl)
		spb_text_format(&text, "set %u, binding %u", p->set, p->number);
	else if (p->count == 1)
		spb_text_format(&text, "register(%c%u, space%u)", class, p->number, p->set);
	else if (p->count)
		spb_text_format(&text, "registers %c%u..%u of space%u", class, p->number, p->number + (p->count - 1),
				p->set);
	else
		spb_text_format(&text, "register %c%u and all that follow of space%u", class, p->number, p->set);
	return spb_text_end(&text);
}

/* For the layout JSON. */
static const char *rule_text(const struct spb_plan *s, const char *word, const char *rule)
{
	struct spb_text_buffer text = {.arena = s->arena};

	spb_text_format(&text, "%s: %s", word, rule);
	return spb_text_end(&text);
}

/* The first number of its range, comparable within a lane. */
static uint32_t first_number(const struct spb_plan *s, const struct spb_parameter *p)
{
	return s->hlsl && p->place == SPB_PLACE_FIXED ? p->number : p->binding;
}

/* An implausibly large binding is probably a placeholder that means "assign one" (docs/bindings.md), for which there is
 * --auto-binding. */
static const char *placeholder_remedy(const struct spb_plan *s, const struct spb_parameter *a,
				      const struct spb_parameter *b)
{
	enum { NO_LAYOUT_REACHES = 4096 };
	struct spb_text_buffer text = {.arena = &s->c->scratch};
	const uint32_t binding = spb_draft(s, a)->place_binding;

	if (s->options->layout.has_auto_binding || a->place != SPB_PLACE_FIXED || b->place != SPB_PLACE_FIXED ||
	    binding != spb_draft(s, b)->place_binding || binding < NO_LAYOUT_REACHES)
		return NULL;
	spb_text_format(&text, "If binding %u means \"assign one\", give --auto-binding=%u.", binding, binding);
	return spb_text_end(&text);
}

/* Whether the lock file, or an earlier run, decided the shift of its class. */
static bool has_settled_shift(const struct spb_plan *s, const struct spb_parameter *p, const struct spb_shift *shifts,
			      size_t count)
{
	uint32_t lane = spb_lane_of(s, p), by;

	return lane && !spb_policy_lane_shift(s->policies, spb_lane_class(lane), spb_lane_group(lane), p->set) &&
	       spb_find_shift(shifts, count, lane, p->set, &by);
}

/* For two parameters of different lanes that get the same binding once they are shifted. */
static struct spb_overlap judge_shifted(const struct spb_plan *s, const struct spb_parameter *a,
					const struct spb_parameter *b)
{
	const struct spb_shifts *lock = &s->lock.shifts;
	const char *remedy = "Use --policy='option shift=auto', or other values of --shift.";

	if (has_settled_shift(s, a, lock->items, lock->count) || has_settled_shift(s, b, lock->items, lock->count))
		remedy =
		    "Use other values of --shift: those of the lock file are in effect, with option shift=auto, too.";
	else if (has_settled_shift(s, a, s->lanes.shifts, s->lanes.shift_count) &&
		 has_settled_shift(s, b, s->lanes.shifts, s->lanes.shift_count))
		remedy = "Bind the original modules together, or use other values of --shift: those that an earlier "
			 "run recorded are in effect, with option shift=auto, too.";
	return (struct spb_overlap){
	    .verdict = SPB_OVERLAP_CONFLICT,
	    .rule = "once registers are shifted, both have this binding",
	    .remedy = remedy,
	};
}

/* Like spb_judge_overlap, but also considers their ranges, lanes and locked bindings. */
static struct spb_overlap judge_pair(struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	struct spb_overlap o = spb_judge_overlap(s, a, b);
	const char *placeholder;

	if (!s->numbered && first_number(s, a) != first_number(s, b) && o.verdict != SPB_OVERLAP_CONFLICT)
		o = (struct spb_overlap){.verdict = SPB_OVERLAP_CONFLICT,
					 .rule = "their ranges overlap, but are not identical",
					 .remedy = "Move one of them to another register or space."};
	else if (s->numbered && o.verdict == SPB_OVERLAP_CONFLICT && spb_lane_of(s, a) != spb_lane_of(s, b) &&
		 !(is_given(a) && is_given(b)))
		o = judge_shifted(s, a, b);
	if (a->locked && b->locked && a->place == SPB_PLACE_BOUND && b->place == SPB_PLACE_BOUND)
		o.remedy = "Delete one of their lines from the lock file.";
	if (o.verdict == SPB_OVERLAP_CONFLICT && (placeholder = placeholder_remedy(s, a, b)))
		o.remedy = placeholder;
	return o;
}

static spb_severity severity_of(const struct spb_plan *s, enum spb_verdict_of_two verdict)
{
	switch (verdict) {
	case SPB_OVERLAP_LEGAL:
		return SPB_SEVERITY_NOTE;
	case SPB_OVERLAP_DOUBTFUL:
		return SPB_SEVERITY_WARNING;
	case SPB_OVERLAP_CONFLICT:
		break;
	}
	return s->options->layout.allow_overlap ? SPB_SEVERITY_WARNING : SPB_SEVERITY_ERROR;
}

static void set_overlap(struct spb_plan *s, const struct spb_parameter *p, const char *why)
{
	struct spb_layout *layout = s->layout;

	if (!layout->overlaps)
		layout->overlaps = spb_alloc_zeroed(s->arena, layout->parameters.count, sizeof *layout->overlaps);
	layout->overlaps[p - layout->parameters.items] = why;
}

static spb_message_note note_other(const struct spb_plan *s, const struct spb_parameter *p)
{
	return spb_note(spb_module_of(s, p), p->variable->at, "%s (%s; %s; %s) is here", spb_parameter_label(s, p),
			type_text(s, p), spb_place_text(s, p), stages_text(s, p->stages));
}

void spb_report_overlap(struct spb_plan *s, uint32_t first, uint32_t second)
{
	static const char *const words[] = {"legal", "doubtful", "conflict"};
	struct spb_parameter *asked = spb_plan_parameter(s, second);
	struct spb_overlap o = judge_pair(s, spb_plan_parameter(s, first), asked);
	const struct spb_parameter *a = o.a ? o.a : spb_plan_parameter(s, first), *b = o.b ? o.b : asked;
	spb_severity severity = severity_of(s, o.verdict);
	bool legal = o.verdict == SPB_OVERLAP_LEGAL;

	s->failed |= severity == SPB_SEVERITY_ERROR;
	if (severity != SPB_SEVERITY_ERROR)
		set_overlap(s, asked, rule_text(s, words[o.verdict], o.rule));
	if ((legal && !s->options->layout.doctor) || s->said++ >= MOST_REPORTS || !s->c->callbacks.message)
		return; /* there is nothing to report, or no callback to report it to */
	const struct spb_module *m = spb_module_of(s, b);
	spb_report_two(m, severity, legal ? SPB_E_SHARED : SPB_E_OVERLAP, b->variable->at, note_other(s, a),
		       *o.remedy ? "%s (%s) is at %s, like %s: %s%s" SPB_REMEDY "%s"
				 : "%s (%s) is at %s, like %s: %s%s%s",
		       spb_parameter_label(s, b), type_text(s, b), spb_place_text(s, b), spb_parameter_label(s, a),
		       legal ? "legal, " : "", o.rule, o.remedy);
}

void spb_end_overlaps(struct spb_plan *s)
{
	if (s->said > MOST_REPORTS && s->module_count)
		spb_report(spb_plan_module(s, 0), SPB_SEVERITY_NOTE, SPB_E_OVERLAP, 0,
			   "%u more bindings are used by more than one resource" SPB_REMEDY
			   "Correct those that are listed, and run it again.",
			   (unsigned)(s->said - MOST_REPORTS));
	s->said = 0;
	if (s->failed)
		spb_throw(s->c, SPB_ERROR_CONFLICT);
}

static void report_view(struct spb_plan *s, spb_severity severity, const struct spb_parameter *a,
			const struct spb_parameter *b, const char *what)
{
	if (s->said++ >= MOST_REPORTS)
		return;
	spb_report_two(spb_module_of(s, b), severity, SPB_E_SHARED, b->variable->at, note_other(s, a),
		       "%s (%s) shares set %u, binding %u with %s: both are views of one %s" SPB_REMEDY "%s",
		       spb_parameter_label(s, b), type_text(s, b), spb_draft(s, a)->place_set,
		       spb_draft(s, a)->place_binding, spb_parameter_label(s, a), spb_descriptor_info(b->type)->vk_name,
		       what);
}

/* Whether they share a binding only because of how glslang compiles HLSL, where no two resources share a register: it
 * ignores register classes, and puts resources without a register at 0. */
static bool is_coincidence(const struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	const struct spb_declaration *of_a = a->variable->extra->declaration, *of_b = b->variable->extra->declaration;

	return a->module == b->module && spb_has_registers(s, a) && !(a->aliased && b->aliased) &&
	       !(of_a && of_a->paired && of_b && of_b->paired);
}

/* Whether they share a register under HLSL's rules, too. At (0, 0), only the source text shows that there is one. */
static bool is_one_register(const struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	const struct spb_declaration *of_a = a->variable->extra->declaration, *of_b = b->variable->extra->declaration;

	return s->hlsl || (a->class == b->class && (spb_draft(s, a)->place_set || spb_draft(s, a)->place_binding ||
						    (of_a && of_a->has_register && of_b && of_b->has_register)));
}

/* SPIR-V 2.18.2, "Aliasing": without Aliased, a compiler may assume that nothing else changes the memory. */
static bool is_written_unseen(const struct spb_parameter *a, const struct spb_parameter *b)
{
	return a->module == b->module && (a->writable || b->writable) && !(a->aliased && b->aliased) && a->uses &&
	       b->uses;
}

/* The next module, from view number *i of a parameter on, that gives it a number; UINT32_MAX: none. */
static uint32_t next_numbered(const struct spb_plan *s, uint32_t *i, uint32_t end)
{
	uint32_t set, binding;

	for (; *i < end; ++*i) {
		const struct spb_view view = s->layout->views[*i];
		if (spb_find_place(s, spb_variable_of(s, view), &set, &binding))
			return view.module;
	}
	return UINT32_MAX;
}

/* Whether some module gives both a number that counts. */
static bool are_numbered_together(const struct spb_plan *s, const struct spb_parameter *a,
				  const struct spb_parameter *b)
{
	const uint32_t *first = s->layout->first_view;
	const size_t x = (size_t)(a - s->layout->parameters.items), y = (size_t)(b - s->layout->parameters.items);
	uint32_t i = first[x], k = first[y]; /* views are sorted by module */

	for (;;) {
		const uint32_t of_a = next_numbered(s, &i, first[x + 1]), of_b = next_numbered(s, &k, first[y + 1]);
		if (of_a == of_b)
			return of_a != UINT32_MAX;
		i += of_a < of_b;
		k += of_b < of_a;
	}
}

/* Whether two modules give one number to different names. */
static bool are_strangers(const struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	return spb_is_name(a->variable->key) && spb_is_name(b->variable->key) && !a->variable->heap &&
	       strcmp(a->variable->key, b->variable->key) != 0 && !are_numbered_together(s, a, b);
}

/* The remedy if the resources are unrelated; NULL: their authors chose to share the number. In D3D11, each stage has
 * its own registers. */
static const char *stranger_remedy(const struct spb_plan *s, const struct spb_parameter *a,
				   const struct spb_parameter *b)
{
	struct spb_text_buffer text = {.arena = &s->c->scratch};

	if (!spb_have_common_author(s, a, b))
		return "Give them one name or two bindings, or use --rebind=all: nothing shows that an author chose "
		       "one number for both.";
	if (!spb_has_registers(s, a) || !spb_has_registers(s, b) || a->stages == b->stages)
		return NULL;
	spb_text_format(
	    &text, "If each stage has its own registers, as in D3D11, give one of them others with --shift=%c@%s=N.",
	    spb_class_letter(b->class), stages_text(s, b->stages));
	return spb_text_end(&text);
}

/* The reason why both are unlikely to be one descriptor, although authors gave them the same number; NULL: none. */
static const char *mismatch(struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	const struct spb_variable *x = a->variable, *y = b->variable;
	struct spb_text_buffer text = {.arena = &s->c->scratch};

	if (x->kind != y->kind || x->heap || y->heap)
		return NULL;
	if (x->extra->attachment_index != y->extra->attachment_index) {
		spb_text_format(&text, "Give each a binding of its own: it holds one view, of attachment %u or %u.",
				x->extra->attachment_index, y->extra->attachment_index);
		return spb_text_end(&text);
	}
	if (!strcmp(x->key, y->key) || !spb_have_common_author(s, a, b))
		return NULL;
	const char *member = spb_find_other_member(s, a, b);
	if (!member && (a->count != 1 || b->count != 1 || !strcmp(type_text(s, a), type_text(s, b))))
		return NULL;
	spb_text_format(&text, "Make the declarations equal, or give one of them another binding: %s.",
			member ? member : "one view cannot be of both types");
	return spb_text_end(&text);
}

/* Different contents of two modules, fixed at one place, are an error of check, as for resources with one name
 * (agree.c). */
static void report_mismatch(struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b,
			    const char *what)
{
	const bool block = a->variable->kind == SPB_DESCRIPTOR_UBO || a->variable->kind == SPB_DESCRIPTOR_SSBO;
	const bool error = block && s->options->mode == SPB_MODE_CHECK;

	report_view(s, error ? SPB_SEVERITY_ERROR : SPB_SEVERITY_WARNING, a, b, what);
	s->failed |= error;
}

/* Reports views of one descriptor that look unintended; with layout.doctor, all of them. */
static void report_views(struct spb_plan *s, const struct spb_group *group)
{
	const struct spb_parameter *a = NULL;
	bool said = false;

	for (uint32_t i = group->first + 1; i; i = spb_next_view(s, i)) {
		struct spb_parameter *b = spb_plan_parameter(s, i - 1);
		if (!a || b->place == SPB_PLACE_REMOVED || b->dropped) {
			a = a || b->place == SPB_PLACE_REMOVED || b->dropped ? a : b;
			continue;
		}
		set_overlap(s, b, "legal: they are views of one descriptor");
		if (said && !s->options->layout.doctor)
			continue;
		said = true;
		const char *placeholder = placeholder_remedy(s, a, b);
		const bool strangers = are_strangers(s, a, b);
		const char *parted = strangers ? stranger_remedy(s, a, b) : NULL;
		const char *mismatched = placeholder || parted ? NULL : mismatch(s, a, b);
		if (placeholder)
			report_view(s, SPB_SEVERITY_WARNING, a, b, placeholder);
		else if (parted)
			report_view(s, SPB_SEVERITY_WARNING, a, b, parted);
		else if (is_coincidence(s, a, b))
			report_view(s, SPB_SEVERITY_WARNING, a, b,
				    is_one_register(s, a, b) ? "Give each its own register, as HLSL demands."
							     : "Use --rules=hlsl to give each its own binding: in HLSL "
							       "they have different registers, or none.");
		else if (mismatched && (strangers || b->variable->kind == SPB_DESCRIPTOR_INPUT_ATTACHMENT))
			report_mismatch(s, a, b, mismatched);
		else if (is_written_unseen(a, b))
			report_view(
			    s, SPB_SEVERITY_NOTE, a, b,
			    "Decorate both Aliased, so that no compiler reorders accesses: one of them is written.");
		else if (mismatched)
			report_view(s, SPB_SEVERITY_NOTE, a, b, mismatched);
		else if (s->options->layout.doctor)
			report_view(s, SPB_SEVERITY_NOTE, a, b, "No action is needed: --rebind moves them together.");
		else
			said = false;
	}
}

/* With layout.doctor: reports resources that several modules declare. */
static void report_merged(struct spb_plan *s, uint32_t parameter)
{
	const struct spb_parameter *p = spb_plan_parameter(s, parameter);
	uint32_t first = s->layout->first_view[parameter], end = s->layout->first_view[parameter + 1];

	if (end - first < 2 || p->variable->heap || p->place != SPB_PLACE_FIXED || s->said++ >= MOST_REPORTS)
		return;
	const struct spb_view *last = &s->layout->views[end - 1];
	const struct spb_module *other = spb_plan_module(s, last->module);
	spb_report_two(spb_module_of(s, p), SPB_SEVERITY_NOTE, SPB_E_SHARED, p->variable->at,
		       spb_note(other, spb_variable_of(s, *last)->at, "it is declared here, too"),
		       "%s (%s; %s; %s) is one resource of %u modules" SPB_REMEDY "No action is needed.",
		       spb_parameter_label(s, p), type_text(s, p), spb_place_text(s, p), stages_text(s, p->stages),
		       end - first);
}

void spb_report_shared(struct spb_plan *s)
{
	const struct spb_mark mark = spb_arena_mark(&s->c->scratch);

	for (size_t g = 0; g < s->layout->groups.count; g++) {
		const struct spb_group *group = &s->layout->groups.items[g];
		if (group->first != group->last)
			report_views(s, group);
	}
	for (uint32_t i = 0; i < s->layout->parameters.count && s->options->layout.doctor; i++)
		report_merged(s, i);
	for (size_t i = 0; i < s->module_count; i++) /* of blocks that were compared */
		s->modules[i].hashes = NULL;
	spb_arena_rewind(&s->c->scratch, mark);
	s->said = 0;
}

/* Growth
 *
 *     layout(constant_id = 1) const int N = 4;
 *     Texture2D maps[N];  Texture2D other;         t0..t3 and t4
 *
 * A pipeline may give the array more elements, which nobody sees here, unless --spec says so. Vulkan does not mind, but
 * the next run with such a value finds a conflict, and in OpenGL elements have the units that follow. */

/* Whether the length of some variable of the parameter depends on a constant whose value --spec does not give. */
static bool may_grow(const struct spb_plan *s, uint32_t parameter)
{
	const spb_layout_options *o = &s->options->layout;
	uint32_t unknown = 0;

	for (uint32_t k = s->layout->first_view[parameter]; k < s->layout->first_view[parameter + 1]; k++) {
		const struct spb_view view = s->layout->views[k];
		const struct spb_count_spec *spec = spb_variable_of(s, view)->extra->count_spec;
		for (uint32_t i = 0; spec && i < spec->count; i++) {
			unknown++;
			for (uint32_t n = 0; n < o->spec_value_count; n++)
				unknown -= o->spec_values[n].id == spec->ids[i];
		}
	}
	return unknown != 0;
}

/* For each parameter in spb_layout.sorted: the first one behind it in its lane, + 1; 0: none. */
static uint32_t *find_next(const struct spb_plan *s, uint32_t count)
{
	struct behind {
		uint32_t here, further; /* the latest parameter, and the first one at a higher binding, + 1 */
	} *lanes = spb_alloc_zeroed(&s->c->scratch, (size_t)s->lanes.end + 1, sizeof *lanes);
	uint32_t *next = spb_alloc_zeroed(&s->c->scratch, count, sizeof *next);

	for (uint32_t i = count; i--;) {
		const struct spb_parameter *p = spb_plan_parameter(s, s->layout->sorted[i]), *q;
		struct behind *lane = &lanes[spb_lane_of(s, p)];
		if (p->variable->heap)
			continue;
		q = lane->here ? spb_plan_parameter(s, lane->here - 1) : p;
		if (q->set != p->set || q->binding != p->binding)
			lane->further = q->set == p->set ? lane->here : 0;
		lane->here = s->layout->sorted[i] + 1;
		next[i] = lane->further;
	}
	return next;
}

void spb_report_growth(struct spb_plan *s)
{
	const struct spb_mark mark = spb_arena_mark(&s->c->scratch);
	const uint32_t count = s->layout->entries.items[s->layout->entries.count].first;
	const uint32_t *next = NULL;

	for (uint32_t i = 0; i < count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, s->layout->sorted[i]), *q;
		if (p->variable->heap || !spb_takes_each(s, p) || !may_grow(s, s->layout->sorted[i]))
			continue;
		next = next ? next : find_next(s, count);
		if (!next[i] || s->said++ >= MOST_REPORTS)
			continue;
		q = spb_plan_parameter(s, next[i] - 1);
		spb_report_two(
		    spb_module_of(s, p), SPB_SEVERITY_NOTE, SPB_E_MAY_GROW, p->variable->at, note_other(s, q),
		    "specialization decides the length of %s (%s): with more than %u elements, it reaches "
		    "%s" SPB_REMEDY "Give the largest values that pipelines use with --spec=ID=VALUE.",
		    spb_parameter_label(s, p), type_text(s, p), q->binding - p->binding, spb_parameter_label(s, q));
	}
	s->said = 0;
	spb_arena_rewind(&s->c->scratch, mark);
}
