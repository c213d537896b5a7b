/* SPDX-License-Identifier: Apache-2.0 */
/* entries: makes the entries of descriptor set layouts, once every parameter has its set and binding.
 *
 *     set 0, binding 4: texture, sampler       one COMBINED_IMAGE_SAMPLER
 *     set 1, binding 2: heaps of four types    one MUTABLE_EXT
 *     set 0, binding 7: ubo of one entry point, ssbo of another    two entries, as no pipeline layout has both */
#include "analysis/layout/plan.h"

struct placed { /* sort key of a parameter */
	uint32_t set, binding, parameter;
};

struct sharer {                         /* sort key of one of several parameters at a place */
	uint32_t lead, idle, parameter; /* lead: group + 1; idle: 1 if nothing uses it */
};

/* Whether two groups at one binding are one descriptor to the host: one type serves both, or the binding is mutable. */
static bool is_one(struct spb_plan *s, const struct spb_group *a, const struct spb_group *b)
{
	const struct spb_policy_line *mixing = spb_mixing_policy(s, a, b);

	if (s->maps_all) /* groups are those that resourceMask can tell apart */
		return false;
	if (mixing)
		return mixing->form == SPB_FORM_MUTABLE ||
		       spb_plan_parameter(s, a->leader)->type == spb_plan_parameter(s, b->leader)->type;
	const bool served =
	    a->types & b->types && (!s->options->layout.split_shared ||
				    spb_plan_parameter(s, a->leader)->type == spb_plan_parameter(s, b->leader)->type);
	return served || (!a->count && !b->count && s->options->heaps.model == SPB_HEAP_MODEL_MUTABLE);
}

static bool is_idle(const struct spb_plan *s, const struct spb_parameter *q)
{
	return !q->variable->heap && !s->layout->groups.items[spb_draft(s, q)->group].uses;
}

/* Chooses which parameters at one place get their own entry. Unused resources and views of heaps go to the first such
 * entry, since nothing shows where they belong. */
static void choose_leads(struct spb_plan *s, struct sharer *sharers, size_t count)
{
	const struct spb_layout *layout = s->layout;
	uint32_t leads[SPB_DESCRIPTOR_COUNT];
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		const struct spb_parameter *q = spb_plan_parameter(s, sharers[i].parameter);
		struct spb_group *group = &layout->groups.items[spb_draft(s, q)->group];
		size_t k = 0;
		sharers[i].idle = is_idle(s, q);
		if (q->variable->heap || sharers[i].idle)
			continue;
		while (!group->lead && k < n && !is_one(s, &layout->groups.items[leads[k]], group))
			k++;
		if (k == SPB_DESCRIPTOR_COUNT)
			continue;
		if (!group->lead && k == n)
			leads[n++] = spb_draft(s, q)->group;
		if (!group->lead)
			group->lead = leads[k] + 1;
		sharers[i].lead = group->lead;
	}
	for (size_t i = 0; i < count; i++)
		layout->groups.items[spb_draft(s, spb_plan_parameter(s, sharers[i].parameter))->group].lead = 0;
	for (size_t i = 0; i < count && n; i++)
		sharers[i].lead = sharers[i].lead ? sharers[i].lead : leads[0] + 1;
	spb_sort_by_words(&s->c->scratch, sharers, count, sizeof *sharers, 3);
}

/* Bits: the kinds of heaps whose bindings are mutable under the options. */
static uint32_t mixing_kinds(const struct spb_plan *s)
{
	uint32_t kinds = 0;

	for (uint32_t i = 0; i < SPB_DESCRIPTOR_COUNT && s->options->heaps.model == SPB_HEAP_MODEL_MUTABLE; i++)
		kinds |= (uint32_t)spb_descriptor_info((enum spb_descriptor)i)->heap.may_mix << i;
	return kinds;
}

/* Adds an entry for the parameters from `first` to `end` of spb_layout.sorted, which it also fills. */
static void add_entry(struct spb_plan *s, const struct sharer *sharers, uint32_t first, uint32_t end, uint32_t mixing)
{
	struct spb_layout *layout = s->layout;
	const struct spb_parameter *q = spb_plan_parameter(s, sharers->parameter);
	const uint32_t number = (uint32_t)layout->entries.count++;
	uint32_t uses = 0, count = q->count, mask = 0;
	uint32_t heaps = 0; /* bits: types of heaps, and of the author's own views of them */
	uint32_t types = 0; /* bits: of all views */

	for (uint32_t i = first; i < end; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, sharers[i - first].parameter);
		layout->sorted[i] = sharers[i - first].parameter;
		p->entry = number;
		uses |= p->uses;
		mask |= layout->mapped ? spb_resource_mask(p->variable->kind, p->writable) : 0;
		bool idle = p != q && is_idle(s, p) && !is_idle(s, q);
		if (!idle && count && (!p->count || p->count > count))
			count = p->count;
		if (p->heap || (!idle && end - first > 1 && !p->count))
			heaps |= 1u << p->type;
		types |= idle ? 0 : 1u << p->type;
	}
	const bool is_mutable = heaps & mixing || heaps & (heaps - 1); /* several types, or one that others may join */
	layout->entries.items[number] = (struct spb_entry){
	    .set = q->set,
	    .binding = q->binding,
	    .first = first,
	    .types = (uint16_t)(is_mutable ? heaps : types),
	    .vk_type = is_mutable ? SPB_VK_MUTABLE : spb_descriptor_info(q->type)->vk_type,
	    .count = count,
	    .uses = (uint16_t)uses,
	    .mask = (uint16_t)mask,
	    .flags = count ? 0 : 1u << SPB_FLAG_PARTIALLY_BOUND,
	};
}

/* Adds the entries for the parameters at one place, placed[begin] to placed[end - 1]. */
static void add_place(struct spb_plan *s, const struct placed *placed, uint32_t begin, uint32_t end, uint32_t mixing)
{
	const uint32_t count = end - begin;

	if (count == 1) { /* the common case */
		add_entry(s, &(struct sharer){.parameter = placed[begin].parameter}, begin, end, mixing);
		return;
	}
	const struct spb_mark mark = spb_arena_mark(&s->c->scratch);
	struct sharer *sharers = spb_alloc_array(&s->c->scratch, count, sizeof *sharers);
	for (uint32_t i = 0; i < count; i++)
		sharers[i] = (struct sharer){.parameter = placed[begin + i].parameter};
	choose_leads(s, sharers, count);
	for (uint32_t i = 0, behind; i < count; i = behind) {
		for (behind = i + 1; behind < count && sharers[behind].lead == sharers[i].lead; behind++)
			;
		add_entry(s, &sharers[i], begin + i, begin + behind, mixing);
	}
	spb_arena_rewind(&s->c->scratch, mark);
}

void spb_make_entries(struct spb_plan *s)
{
	const struct spb_mark mark = spb_arena_mark(&s->c->scratch);
	uint32_t total = (uint32_t)s->layout->parameters.count, n = 0;
	struct placed *placed = spb_alloc_array(&s->c->scratch, total, sizeof *placed);
	const uint32_t mixing = mixing_kinds(s);

	s->layout->sorted = spb_alloc_array(s->arena, total, sizeof *s->layout->sorted);
	SPB_SIZE(s->arena, &s->layout->entries, (size_t)total + 1);
	for (uint32_t i = 0; i < total; i++) {
		const struct spb_parameter *q = spb_plan_parameter(s, i);
		if (q->place != SPB_PLACE_REMOVED && !q->dropped)
			placed[n++] = (struct placed){q->set, q->binding, i};
	}
	spb_sort_by_words(&s->c->scratch, placed, n, sizeof *placed, 2); /* by set and binding; stable */
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i + 1;
		     end < n && placed[end].set == placed[i].set && placed[end].binding == placed[i].binding; end++)
			;
		add_place(s, placed, i, end, mixing);
	}
	s->layout->entries.items[s->layout->entries.count].first = n;
	spb_arena_rewind(&s->c->scratch, mark);
}
