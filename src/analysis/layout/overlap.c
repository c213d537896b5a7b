/* SPDX-License-Identifier: Apache-2.0 */
/* overlap: two parameters at one place, and what that is.
 *
 * Vulkan lets variables share a binding, and spirv-val says nothing about it. Whether it is meant, and whether any
 * descriptor can satisfy both, depends on what they are:
 *
 *     legal      runtime arrays of one descriptor type: views of one heap
 *                heaps of DescriptorHandles (heap_arrays.c), of several types if they are mutable
 *                both Aliased, of one descriptor type
 *     doubtful   a single descriptor would satisfy both (one type, only read), or only one of them is used by any
 *                entry point; but two names for one thing is what a mistake looks like
 *     conflict   all else
 *
 * What is doubtful is an error as a conflict is, unless --allow-overlap; --doctor says which it is. */
#include "analysis/layout/plan.h"

enum { MOST_REPORTS = 100 }; /* each looks for its source line from the beginning of the module */

static bool is_block(const struct spb_parameter *p)
{
	return p->kind == SPB_DESCRIPTOR_UBO || p->kind == SPB_DESCRIPTOR_SSBO;
}

static bool is_sampler(const struct spb_parameter *p)
{
	return p->kind == SPB_DESCRIPTOR_SAMPLER;
}

static bool same_type(struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	return spb_hashes_of(s, a->module)[spb_variable_of(s, a)->element] ==
	       spb_hashes_of(s, b->module)[spb_variable_of(s, b)->element];
}

static struct spb_overlap judge_kinds(const struct spb_parameter *a, const struct spb_parameter *b)
{
	if (!a->reached || !b->reached)
		return (struct spb_overlap){SPB_OVERLAP_DOUBTFUL, "only one of them is used by an entry point",
					    "remove the other one, or number them anew"};
	if (is_sampler(a) || is_sampler(b))
		return (struct spb_overlap){SPB_OVERLAP_CONFLICT,
					    "a binding has one descriptor type, and samplers share with nothing",
					    "move one, or use --rebind=conflicts"};
	return (struct spb_overlap){SPB_OVERLAP_CONFLICT,
				    "a binding has one descriptor type, unless it is VK_DESCRIPTOR_TYPE_MUTABLE_EXT",
				    "move one, or use --rebind=conflicts"};
}

/* Heaps of several types at one place were put there by the caller's own wish, or by the compiler that made them. Where
 * heaps are mutable, the author's own runtime arrays may be views of them. */
static bool share_heap(const struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	bool changing = s->options->heaps.model == SPB_HEAP_MODEL_MUTABLE || spb_heaps_in_default_set(s);
	bool wished = changing || (a->heap_kept && b->heap_kept);

	if (!(a->heap && b->heap && a->count == b->count) && !(changing && !a->count && !b->count))
		return false;
	return a->kind == b->kind || (wished && !is_sampler(a) && !is_sampler(b));
}

struct spb_overlap spb_judge_overlap(struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	const char *declare = "declare one of them only, decorate both Aliased, or use --allow-overlap";

	if (share_heap(s, a, b))
		return (struct spb_overlap){SPB_OVERLAP_LEGAL,
					    a->kind == b->kind
						? "runtime arrays of one descriptor type, views of one heap"
						: "heaps of DescriptorHandles, whose descriptors are mutable",
					    ""};
	if (a->kind != b->kind)
		return judge_kinds(a, b);
	if (a->heap != b->heap && a->count != b->count)
		return (struct spb_overlap){SPB_OVERLAP_CONFLICT, "one is a heap, the other an array of another length",
					    "make them equally long (--heap-size, or an unsized array), or move one"};
	if (!a->count && !b->count)
		return (struct spb_overlap){SPB_OVERLAP_LEGAL,
					    "runtime arrays of one descriptor type, views of one heap", ""};
	if (a->aliased && b->aliased)
		return (struct spb_overlap){SPB_OVERLAP_LEGAL, "both are Aliased, and of one descriptor type", ""};
	if (!a->reached || !b->reached)
		return judge_kinds(a, b);
	if (!same_type(s, a, b))
		return (struct spb_overlap){SPB_OVERLAP_CONFLICT,
					    is_block(a) ? "their blocks differ, so they are different buffers"
							: "no image view fits both types",
					    "move one, or use --rebind=conflicts"};
	if (a->writable || b->writable)
		return (struct spb_overlap){
		    SPB_OVERLAP_CONFLICT, "one is written, and without Aliased no variable shares its memory", declare};
	return (struct spb_overlap){SPB_OVERLAP_DOUBTFUL, "one descriptor fits both, which are only read", declare};
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

/* What it is: texture 2D float, ubo "Camera". */
static const char *type_text(const struct spb_plan *s, const struct spb_parameter *p)
{
	struct spb_text_buffer text = {.arena = &s->c->scratch};
	const struct spb_module *m = spb_module_of(s, p);
	spb_at at = m->def[spb_variable_of(s, p)->element];

	spb_text_put(&text, spb_descriptor_info(p->kind)->kind);
	if (spb_op(m, at) == SpvOpTypeSampledImage)
		at = m->def[m->words[at + 2]];
	if (spb_op(m, at) == SpvOpTypeImage)
		spb_text_format(&text, " %s%s%s %s", spb_dim_name(m->words[at + 3]),
				m->words[at + 5] == 1 ? " array" : "", m->words[at + 6] == 1 ? " multisampled" : "",
				spb_component_name(m, m->words[at + 2]));
	if (!p->count)
		spb_text_put(&text, "[]");
	else if (p->count > 1)
		spb_text_format(&text, "[%u]", p->count);
	return spb_text_end(&text);
}

/* "vertex, declared at lit.vert:4" */
static const char *where_text(const struct spb_plan *s, const struct spb_parameter *p)
{
	struct spb_text_buffer text = {.arena = &s->c->scratch};
	const char *declared = spb_declared_at(spb_module_of(s, p), spb_variable_of(s, p), &s->c->scratch);

	spb_text_put(&text, stages_text(s, p->stages));
	if (*declared)
		spb_text_format(&text, "; declared at %s", declared);
	return spb_text_end(&text);
}

static const char *place_text(const struct spb_plan *s, const struct spb_parameter *p)
{
	struct spb_text_buffer text = {.arena = &s->c->scratch};
	char class = spb_class_letter(p->class);

	if (s->numbered || p->place == SPB_PLACE_BOUND)
		spb_text_format(&text, "set %u, binding %u", p->set, p->binding);
	else if (!s->hlsl)
		spb_text_format(&text, "set %u, binding %u", p->set, p->number);
	else if (p->count == 1)
		spb_text_format(&text, "space %u, register %c%u", p->set, class, p->number);
	else if (p->count)
		spb_text_format(&text, "space %u, registers %c%u..%u", p->set, class, p->number,
				p->number + (p->count - 1));
	else
		spb_text_format(&text, "space %u, registers %c%u and all that follow", p->set, class, p->number);
	return spb_text_end(&text);
}

/* For the layout JSON. */
static const char *rule_text(const struct spb_plan *s, const char *word, const char *rule)
{
	struct spb_text_buffer text = {.arena = s->arena};

	spb_text_format(&text, "%s: %s", word, rule);
	return spb_text_end(&text);
}

/* Where its range begins, while lanes are looked at. */
static uint32_t first_number(const struct spb_plan *s, const struct spb_parameter *p)
{
	return s->hlsl && p->place == SPB_PLACE_FIXED ? p->number : p->binding;
}

/* What two parameters alone do not tell. */
static struct spb_overlap judge_pair(struct spb_plan *s, const struct spb_parameter *a, const struct spb_parameter *b)
{
	struct spb_overlap o = spb_judge_overlap(s, a, b);

	if (!s->numbered && first_number(s, a) != first_number(s, b) && o.verdict == SPB_OVERLAP_LEGAL)
		o = (struct spb_overlap){SPB_OVERLAP_CONFLICT, "their ranges meet, but are not the same",
					 "give one another register or space"};
	else if (s->numbered && spb_lane_of(s, a) != spb_lane_of(s, b))
		o.remedy = "use --auto-shift, or other values of --shift";
	if (a->locked && b->locked && a->place == SPB_PLACE_BOUND && b->place == SPB_PLACE_BOUND)
		o.remedy = "delete one of their lines from the lock file";
	return o;
}

static spb_severity severity_of(const struct spb_plan *s, enum spb_verdict_of_two verdict)
{
	if (verdict == SPB_OVERLAP_LEGAL)
		return SPB_SEVERITY_NOTE;
	if (s->options->layout.allow_overlap || (s->options->layout.doctor && verdict == SPB_OVERLAP_DOUBTFUL))
		return SPB_SEVERITY_WARNING;
	return SPB_SEVERITY_ERROR;
}

void spb_report_overlap(struct spb_plan *s, uint32_t first, uint32_t second)
{
	static const char *const words[] = {"legal", "doubtful", "conflict"};
	const struct spb_parameter *a = spb_plan_parameter(s, first);
	struct spb_parameter *b = spb_plan_parameter(s, second);
	struct spb_overlap o = judge_pair(s, a, b);
	spb_severity severity = severity_of(s, o.verdict);
	bool legal = o.verdict == SPB_OVERLAP_LEGAL;

	s->failed |= severity == SPB_SEVERITY_ERROR;
	if (severity != SPB_SEVERITY_ERROR)
		b->overlap = rule_text(s, words[o.verdict], o.rule);
	if ((legal && !s->options->layout.doctor) || s->said++ >= MOST_REPORTS)
		return;
	spb_report(spb_module_of(s, b), severity, legal ? SPB_E_SHARED : SPB_E_OVERLAP, spb_variable_of(s, b)->at,
		   "%s (%s; %s; %s) overlaps with %s (%s; %s; %s) of %s: %s, %s%s%s", spb_parameter_label(s, b),
		   type_text(s, b), place_text(s, b), where_text(s, b), spb_parameter_label(s, a), type_text(s, a),
		   place_text(s, a), where_text(s, a), spb_module_of(s, a)->name, words[o.verdict], o.rule,
		   *o.remedy ? "; " : "", o.remedy);
	spb_report(spb_module_of(s, a), SPB_SEVERITY_NOTE, SPB_E_OVERLAP, spb_variable_of(s, a)->at,
		   "the other one: %s", spb_parameter_label(s, a));
}

void spb_end_overlaps(struct spb_plan *s)
{
	if (s->said > MOST_REPORTS && s->module_count)
		spb_report(s->modules[0].m, SPB_SEVERITY_NOTE, SPB_E_OVERLAP, 0, "%u more places are claimed twice",
			   (unsigned)(s->said - MOST_REPORTS));
	s->said = 0;
	if (s->failed)
		spb_throw(s->c, SPB_ERROR_CONFLICT);
}

void spb_report_shared(struct spb_plan *s)
{
	size_t count = s->layout->parameters.count;
	uint32_t *claims, *last;

	if (!s->options->layout.doctor)
		return;
	claims = spb_alloc_zeroed(&s->c->scratch, count, sizeof *claims);
	last = spb_alloc_zeroed(&s->c->scratch, count, sizeof *last);
	for (uint32_t i = 0; i < s->module_count; i++) {
		for (size_t k = 0; k < s->modules[i].variables.count; k++) {
			const struct spb_variable *v = &s->modules[i].variables.items[k];
			claims[v->parameter]++;
			last[v->parameter] = i;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		if (claims[i] < 2 || p->heap || p->place != SPB_PLACE_FIXED || s->said++ >= MOST_REPORTS)
			continue;
		spb_report(
		    spb_module_of(s, p), SPB_SEVERITY_NOTE, SPB_E_SHARED, spb_variable_of(s, p)->at,
		    "%s (%s; %s; %s) is declared by %u modules, also by %s: identical, one resource of the program",
		    spb_parameter_label(s, p), type_text(s, p), place_text(s, p), where_text(s, p), claims[i],
		    s->modules[last[i]].m->name);
	}
}
