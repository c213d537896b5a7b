/* SPDX-License-Identifier: Apache-2.0 */
/* reserve: collects the numbers that are taken, lane by lane, and resolves conflicts over them.
 *
 * A fixed parameter takes its number in its own lane. A bound parameter has a Vulkan binding, which is taken in every
 * lane of its set that could be shifted onto it. If two parameters collide, the conflict is reported (overlap.c) or,
 * with --rebind=conflicts, the later one becomes unassigned. */
#include "analysis/layout/plan.h"

static void take_register(struct spb_plan *s, struct spb_ranges *list, uint32_t i)
{
	struct spb_parameter *p = spb_plan_parameter(s, i);
	uint64_t length = spb_length_of(s, p), end = length ? p->number + length : SPB_NUMBERS;

	if (end > SPB_NUMBERS)
		spb_fail(spb_module_of(s, p), SPB_ERROR_CONFLICT, SPB_E_LAST_REGISTER, p->variable->at,
			 "%s begins at register %c%u and has %u descriptors, so its range exceeds the last register, "
			 "4294967295" SPB_REMEDY "Use a lower register or a smaller array.",
			 spb_parameter_label(s, p), spb_class_letter(p->class), p->number, p->count);
	SPB_PUSH(&s->c->scratch, list, ((struct spb_range){p->set, spb_lane_of(s, p), p->number, i, end}));
}

/* Computes the binding of a register when all classes share one number space (DXC, LLVM). */
static void shift_fixed(struct spb_plan *s, struct spb_parameter *p)
{
	uint32_t by = s->policies->fixed_registers && !p->variable->placed ? spb_own_shift(s, p) : 0;

	if (p->number > UINT32_MAX - by)
		spb_plan_fail(s, p, SPB_E_SHIFT,
			      "is shifted beyond the last binding, 4294967295" SPB_REMEDY "Use a smaller shift.");
	p->binding = p->number + by;
}

static struct spb_ranges collect(struct spb_plan *s)
{
	struct spb_ranges list = {0};

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, i);
		bool fixed = p->place == SPB_PLACE_FIXED;
		if ((!fixed && p->place != SPB_PLACE_BOUND) || p->dropped)
			continue;
		if (fixed && s->hlsl) {
			take_register(s, &list, i);
			continue;
		}
		if (fixed)
			shift_fixed(s, p);
		const uint64_t length = spb_length_of(s, p);
		if (p->binding + length > SPB_NUMBERS)
			spb_fail(spb_module_of(s, p), SPB_ERROR_CONFLICT, SPB_E_LAST_REGISTER, p->variable->at,
				 "%s begins at binding %u and has %u descriptors, so its range exceeds the last "
				 "binding, 4294967295" SPB_REMEDY "Use a lower binding or a smaller array.",
				 spb_parameter_label(s, p), p->binding, p->count);
		spb_take_binding(&s->c->scratch, &s->lanes, &list,
				 &(struct spb_range){p->set, spb_lane_of(s, p), p->binding, i,
						     length ? p->binding + length : SPB_NUMBERS});
	}
	spb_sort_ranges(&s->c->scratch, &list);
	return list;
}

/* Overlaps */

/* A Fenwick tree that counts taken cells. The bounds of all ranges divide a lane into cells. */
struct cells {
	uint32_t *count;
	size_t size;
};

static void take_cell(struct cells *c, size_t i)
{
	for (i++; i <= c->size; i += i & (~i + 1))
		c->count[i]++;
}

static uint32_t taken_before(const struct cells *c, size_t i)
{
	uint32_t sum = 0;

	for (; i; i -= i & (~i + 1))
		sum += c->count[i];
	return sum;
}

static int by_value(const void *a, const void *b)
{
	return spb_compare(*(const uint64_t *)a, *(const uint64_t *)b);
}

static size_t find_bound(const uint64_t *bounds, size_t count, uint64_t value)
{
	return spb_lower_bound(bounds, count, sizeof *bounds, &value, by_value);
}

struct claim { /* sort key, except for the range: bound ones first, then the order of the program */
	uint32_t fixed, imported, parameter, range;
};

/* The ranges that hold a cell, + 1; those that share a number are linked. */
struct holders {
	const struct spb_range *ranges;
	uint32_t *first; /* by cell */
	uint32_t *next;  /* by range */
};

/* Whether the owner of a range may share its place with all its holders. Every pair is checked: whether two are used
 * together says nothing about a third. */
static bool joins_place(struct spb_plan *s, struct holders *holders, size_t cell, uint32_t range)
{
	const struct spb_parameter *p = spb_plan_parameter(s, holders->ranges[range].owner);
	uint32_t *link = &holders->first[cell], count = 0;

	for (; *link; link = &holders->next[*link - 1]) {
		const struct spb_parameter *other = spb_plan_parameter(s, holders->ranges[*link - 1].owner);
		if (other->number != p->number || spb_judge_overlap(s, other, p).verdict == SPB_OVERLAP_CONFLICT)
			return false;
		if (spb_draft(s, other)->group == spb_draft(s, p)->group ||
		    (other->variable->heap && p->variable->heap))
			return true;                 /* a heap of mutable descriptors has any number of views */
		if (++count == SPB_DESCRIPTOR_COUNT) /* no more of them could be legal together */
			return false;
	}
	if (link == &holders->first[cell]) /* the obstacle begins further on */
		return false;
	*link = range + 1;
	return true;
}

/* If two parameters of a lane collide, the later one becomes unassigned, unless they may share the number. */
static void open_conflicts(struct spb_plan *s, struct spb_range *items, size_t count)
{
	struct spb_arena *scratch = &s->c->scratch;
	struct claim *claims = spb_alloc_array(scratch, count, sizeof *claims);
	uint64_t *bounds = spb_alloc_array(scratch, 2 * count, sizeof *bounds);
	struct holders holders = {items, spb_alloc_zeroed(scratch, 2 * count, sizeof(uint32_t)),
				  spb_alloc_zeroed(scratch, count, sizeof(uint32_t))};
	struct cells cells = {.size = 2 * count};
	size_t n = 0;

	cells.count = spb_alloc_zeroed(scratch, cells.size + 1, sizeof *cells.count);
	for (uint32_t i = 0; i < count; i++) {
		bounds[2 * i] = items[i].first;
		bounds[2 * i + 1] = items[i].end;
		if (items[i].owner == SPB_NO_OWNER)
			continue;
		const struct spb_parameter *p = spb_plan_parameter(s, items[i].owner);
		claims[n++] = (struct claim){p->place == SPB_PLACE_FIXED, spb_draft(s, p)->imported, items[i].owner, i};
	}
	spb_sort(scratch, bounds, 2 * count, sizeof *bounds, by_value);
	spb_sort_by_words(scratch, claims, n, sizeof *claims, 3);
	for (size_t i = 0; i < n; i++) {
		const struct spb_range *r = &items[claims[i].range];
		const struct spb_parameter *p = spb_plan_parameter(s, r->owner);
		size_t from = find_bound(bounds, 2 * count, r->first), to = find_bound(bounds, 2 * count, r->end);
		if (p->place == SPB_PLACE_OPEN)
			continue; /* already unassigned with its run */
		if (taken_before(&cells, to) == taken_before(&cells, from)) {
			for (size_t k = from; k < to; k++) {
				take_cell(&cells, k);
				holders.first[k] = claims[i].range + 1;
			}
		} else if (p->place == SPB_PLACE_FIXED && !joins_place(s, &holders, from, claims[i].range)) {
			spb_open_run(s, r->owner);
		}
	}
}

static void resolve_conflicts(struct spb_plan *s, struct spb_ranges *list)
{
	size_t kept = 0;

	for (size_t i = 0, end; i < list->count; i = end) {
		for (end = i; end < list->count && spb_same_lane(&list->items[i], &list->items[end]); end++)
			;
		open_conflicts(s, list->items + i, end - i);
	}
	for (size_t i = 0; i < list->count; i++) {
		uint32_t p = list->items[i].owner;
		if (p == SPB_NO_OWNER || spb_plan_parameter(s, p)->place != SPB_PLACE_OPEN)
			list->items[kept++] = list->items[i];
	}
	list->count = kept;
}

/* Reports overlaps among ranges that begin at the same number, comparing the first views of different descriptors. */
static void report_place(struct spb_plan *s, const struct spb_range *items, size_t count)
{
	SPB_LIST(uint32_t) firsts = {0};

	if (count == 1)
		return;
	for (size_t i = 0; i < count; i++) {
		uint32_t group = spb_plan_draft(s, items[i].owner)->group;
		bool known = false;
		for (size_t k = 0; k < firsts.count && !known; k++)
			known = spb_plan_draft(s, firsts.items[k])->group == group;
		if (known)
			continue;
		for (size_t k = 0; k < firsts.count; k++)
			spb_report_overlap(s, firsts.items[k], items[i].owner);
		if (firsts.count < SPB_DESCRIPTOR_COUNT) /* no more of them could be legal together */
			SPB_PUSH(&s->c->scratch, &firsts, items[i].owner);
	}
}

static void report_overlaps(struct spb_plan *s, const struct spb_ranges *list)
{
	const struct spb_range *furthest = NULL;
	size_t kept = 0;
	struct spb_range *items = spb_alloc_array(&s->c->scratch, list->count, sizeof *items);

	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].owner == SPB_NO_OWNER)
			continue;
		items[kept] = list->items[i];
		if (s->policies->arrays == SPB_ARRAYS_EACH_WITH_STRUCTS && !s->hlsl)
			items[kept].end = items[kept].first + 1; /* its binding; the rest is not given away */
		kept++;
	}
	for (size_t i = 0, end; i < kept; i = end) {
		const struct spb_range *r = &items[i];
		for (end = i; end < kept && spb_same_lane(&items[end], r) && items[end].first == r->first; end++)
			;
		if (furthest && spb_same_lane(furthest, r) && r->first < furthest->end)
			spb_report_overlap(s, furthest->owner, r->owner);
		report_place(s, r, end - i);
		for (size_t k = i; k < end; k++) {
			if (!furthest || !spb_same_lane(furthest, &items[k]) || items[k].end > furthest->end)
				furthest = &items[k];
		}
	}
	spb_end_overlaps(s);
}

struct spb_ranges spb_reserve_numbers(struct spb_plan *s)
{
	struct spb_ranges list = collect(s);

	if (s->options->layout.rebind == SPB_REBIND_CONFLICTS)
		resolve_conflicts(s, &list);
	report_overlaps(s, &list);
	return list;
}

void spb_reserve_dropped(struct spb_plan *s, struct spb_numbering *n)
{
	struct spb_arena *scratch = &s->c->scratch;

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, i);
		const bool fixed = p->place == SPB_PLACE_FIXED;
		if (!p->dropped || (!fixed && p->place != SPB_PLACE_BOUND))
			continue;
		if (fixed && !s->hlsl)
			shift_fixed(s, p);
		const uint32_t first = fixed && s->hlsl ? p->number : p->binding;
		const uint64_t length = spb_length_of(s, p);
		const uint64_t end = length ? spb_smaller(first + length, SPB_NUMBERS) : SPB_NUMBERS;
		const struct spb_range r = {p->set, spb_lane_of(s, p), first, SPB_NO_OWNER, end};
		if (!fixed)
			spb_take_binding(scratch, &s->lanes, &n->taken, &r);
		else if (s->hlsl)
			SPB_PUSH(scratch, &n->reserved, r);
		else
			spb_reserve_bindings(scratch, &s->lanes, &n->reserved, p->set, first, (uint32_t)(end - 1));
	}
}
