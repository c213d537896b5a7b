/* SPDX-License-Identifier: Apache-2.0 */
/* entries: the entries of descriptor set layouts, from the numbers of all parameters.
 *
 *     set 0, binding 4: texture, sampler       one COMBINED_IMAGE_SAMPLER
 *     set 1, binding 2: heaps of four types    one MUTABLE_EXT
 *     set 0, binding 7: ubo of one entry point, ssbo of another    two entries, as no pipeline layout has both */
#include "analysis/layout/plan.h"

struct placed {                                       /* what it is sorted by */
	uint32_t set, binding, lead, idle, parameter; /* idle: 1 if nothing uses it */
};

/* Whether two groups at one binding are one descriptor to the host: a type serves both, or the binding is mutable. */
static bool is_one(const struct spb_plan *s, const struct spb_group *a, const struct spb_group *b)
{
	return a->types & b->types || (!a->count && !b->count && s->options->heaps.model == SPB_HEAP_MODEL_MUTABLE);
}

static bool is_idle(const struct spb_plan *s, const struct spb_parameter *q)
{
	return !q->variable->heap && !s->layout->groups.items[q->group].uses;
}

/* Of the parameters at one place, those that have an entry of their own. Unused resources and views of heaps belong to
 * the first one, which they say nothing about. */
static void choose_leads(struct spb_plan *s, struct placed *placed, size_t count)
{
	const struct spb_layout *layout = s->layout;
	uint32_t leads[SPB_DESCRIPTOR_COUNT];
	size_t n = 0;

	if (count == 1)
		return;
	for (size_t i = 0; i < count; i++) {
		const struct spb_parameter *q = spb_plan_parameter(s, placed[i].parameter);
		const struct spb_group *group = &layout->groups.items[q->group];
		size_t k = 0;
		placed[i].idle = is_idle(s, q);
		if (q->variable->heap || placed[i].idle)
			continue;
		while (k < n && !is_one(s, &layout->groups.items[leads[k]], group))
			k++;
		if (k == SPB_DESCRIPTOR_COUNT)
			continue;
		if (k == n)
			leads[n++] = q->group;
		placed[i].lead = leads[k] + 1;
	}
	for (size_t i = 0; i < count && n; i++)
		placed[i].lead = placed[i].lead ? placed[i].lead : leads[0] + 1;
	spb_sort_by_words(&s->c->scratch, placed, count, sizeof *placed, 5);
}

/* Whether a binding that holds heaps of these kinds is mutable: it holds several, or one that may share its binding
 * later. */
static bool is_mutable(const struct spb_plan *s, uint32_t kinds)
{
	for (uint32_t i = 0; i < SPB_DESCRIPTOR_COUNT && s->options->heaps.model == SPB_HEAP_MODEL_MUTABLE; i++) {
		if (kinds >> i & 1 && spb_descriptor_info((enum spb_descriptor)i)->heap.may_mix)
			return true;
	}
	return kinds & (kinds - 1);
}

static void add_entry(struct spb_plan *s, uint32_t first, uint32_t end)
{
	struct spb_layout *layout = s->layout;
	const struct spb_parameter *q = spb_plan_parameter(s, layout->sorted[first]);
	struct spb_entry e = {q->set, q->binding, .first = first, .end = end, .count = q->count};
	uint32_t heaps = 0; /* bits: types of heaps, and of the author's own views of them */

	for (uint32_t i = first; i < end; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, layout->sorted[i]);
		p->entry = (uint32_t)layout->entries.count;
		e.uses |= p->uses;
		bool idle = p != q && is_idle(s, p) && !is_idle(s, q);
		if (!idle && e.count && (!p->count || p->count > e.count))
			e.count = p->count;
		if (p->variable->heap || (!idle && end - first > 1 && !p->count))
			heaps |= 1u << p->type;
	}
	if (heaps && is_mutable(s, heaps)) {
		e.types = heaps;
		e.vk_type = SPB_VK_MUTABLE;
	} else {
		e.types = 1u << q->type;
		e.vk_type = spb_descriptor_info(q->type)->vk_type;
	}
	e.flags = e.count ? 0 : 1u << SPB_FLAG_PARTIALLY_BOUND;
	SPB_PUSH(s->arena, &layout->entries, e);
}

static bool same_entry(const struct placed *a, const struct placed *b)
{
	return a->set == b->set && a->binding == b->binding && a->lead == b->lead;
}

void spb_make_entries(struct spb_plan *s)
{
	const struct spb_mark mark = spb_arena_mark(&s->c->scratch);
	uint32_t total = (uint32_t)s->layout->parameters.count, n = 0;
	struct placed *placed = spb_alloc_array(&s->c->scratch, total, sizeof *placed);

	s->layout->sorted = spb_alloc_array(s->arena, total, sizeof *s->layout->sorted);
	SPB_SIZE(s->arena, &s->layout->entries, total);
	for (uint32_t i = 0; i < total; i++) {
		const struct spb_parameter *q = spb_plan_parameter(s, i);
		if (q->place != SPB_PLACE_REMOVED)
			placed[n++] = (struct placed){q->set, q->binding, 0, 0, i};
	}
	spb_sort_by_words(&s->c->scratch, placed, n, sizeof *placed, 2); /* by set and binding; else in order */
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && same_entry(&placed[end], &placed[i]); end++)
			;
		choose_leads(s, &placed[i], end - i);
	}
	for (uint32_t i = 0; i < n; i++)
		s->layout->sorted[i] = placed[i].parameter;
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && same_entry(&placed[end], &placed[i]); end++)
			;
		add_entry(s, i, end);
	}
	spb_arena_rewind(&s->c->scratch, mark);
}
