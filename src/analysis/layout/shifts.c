/* SPDX-License-Identifier: Apache-2.0 */
/* shifts: turns numbers in lanes into bindings in sets, and checks whether lanes collide there. */
#include "analysis/layout/plan.h"

static const uint32_t BOUND = UINT32_MAX; /* not a lane: bindings that a policy or the lock gives or keeps free */

struct extent { /* extent of the numbers of a lane in a set */
	uint32_t set, lane;
	uint64_t low, high;
};

struct extents {
	struct extent *items;
	size_t count, capacity;
};

static int by_lane(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;
	int order = spb_compare(x->set, y->set);

	return order ? order : spb_compare(x->lane, y->lane);
}

static bool has_number(const struct spb_parameter *p)
{
	return !p->variable->heap && (p->place == SPB_PLACE_FIXED || p->allocated);
}

static struct extents find_extents(struct spb_plan *s)
{
	struct extents list = {0};
	size_t kept = 0;

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		if (has_number(p))
			SPB_PUSH(&s->c->scratch, &list,
				 ((struct extent){p->set, spb_lane_of(s, p), p->number, p->number}));
		else if (p->place == SPB_PLACE_BOUND)
			SPB_PUSH(&s->c->scratch, &list, ((struct extent){p->set, BOUND, p->binding, p->binding}));
	}
	for (size_t i = 0; i < s->lock.entries.count; i++) {
		const struct spb_lock_entry *e = &s->lock.entries.items[i];
		if (!e->shift && !e->push && !e->seen)
			SPB_PUSH(&s->c->scratch, &list, ((struct extent){e->set, BOUND, e->binding, e->binding}));
	}
	spb_sort(&s->c->scratch, list.items, list.count, sizeof *list.items, by_lane);
	for (size_t i = 0; i < list.count; i++) {
		struct extent *last = kept ? &list.items[kept - 1] : NULL, e = list.items[i];
		if (last && last->set == e.set && last->lane == e.lane) {
			last->low = e.low < last->low ? e.low : last->low;
			last->high = e.high > last->high ? e.high : last->high;
		} else {
			list.items[kept++] = e;
		}
	}
	list.count = kept;
	return list;
}

static bool collide(const struct spb_plan *s, uint32_t set, const uint32_t *places, size_t *next)
{
	const struct spb_parameter *before = NULL;
	bool found = false;

	for (; places[*next] != SPB_NOBODY; ++*next) {
		const struct spb_parameter *p = spb_plan_parameter(s, places[*next]);
		if (p->set > set)
			break;
		found |= before && p->set == set && before->set == set && before->number == p->number &&
			 before->class != p->class;
		before = p;
	}
	return found;
}

struct numbered {
	uint32_t set, number, parameter;
};

static int by_set_and_number(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;
	int order = spb_compare(x->set, y->set);

	order = order ? order : spb_compare(x->number, y->number);
	return order ? order : spb_compare(x->parameter, y->parameter);
}

/* Parameters that have a number, by set and number; SPB_NOBODY at the end. */
static uint32_t *sort_numbers(struct spb_plan *s)
{
	size_t count = s->layout->parameters.count, n = 0;
	struct numbered *list = spb_alloc_array(&s->c->scratch, count, sizeof *list);
	uint32_t *sorted = spb_alloc_array(&s->c->scratch, count + 1, sizeof *sorted);

	for (uint32_t i = 0; i < count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		if (has_number(p))
			list[n++] = (struct numbered){p->set, p->number, i};
	}
	spb_sort(&s->c->scratch, list, n, sizeof *list, by_set_and_number);
	for (size_t i = 0; i < n; i++)
		sorted[i] = list[i].parameter;
	sorted[n] = SPB_NOBODY;
	return sorted;
}

/* The smallest shift that moves a lane beyond `top` and clear of what is bound. */
static uint32_t automatic_shift(const struct extent *e, uint64_t top, const struct extent *bound)
{
	uint64_t by = top > e->low ? top - e->low : 0;

	if (bound && e->low + by <= bound->high && e->high + by >= bound->low)
		by = bound->high + 1 - e->low;
	return by > UINT32_MAX ? UINT32_MAX : (uint32_t)by;
}

/* The shifts in effect. Automatic ones are the smallest that keep the classes of a set apart, in the order b, t, s, u;
 * without any --shift they are computed if two classes collide. */
static void decide_shifts(struct spb_plan *s)
{
	struct extents extents = find_extents(s);
	bool implied = !s->auto_shift && !s->policies->shifts.count;
	const uint32_t *sorted = s->hlsl && implied ? sort_numbers(s) : NULL;
	size_t next = 0;

	for (size_t i = 0, end; i < extents.count; i = end) {
		uint32_t set = extents.items[i].set;
		bool automatic = s->hlsl && (s->auto_shift || (implied && collide(s, set, sorted, &next)));
		uint64_t top = 0;
		for (end = i; end < extents.count && extents.items[end].set == set; end++)
			;
		const struct extent *last = &extents.items[end - 1], *bound = last->lane == BOUND ? last : NULL;
		for (const struct extent *e = &extents.items[i]; e < &extents.items[end]; e++) {
			struct spb_shift shift = {.has_set = true, .set = set};
			if (!e->lane || e->lane == BOUND)
				continue;
			shift.class = spb_lane_class(e->lane);
			shift.group = spb_lane_group(e->lane);
			shift.automatic = !spb_known_shift(s, e->lane, set, &shift.by);
			if (shift.automatic && automatic)
				shift.by = automatic_shift(e, top, bound);
			top = e->high + shift.by + 1 > top ? e->high + shift.by + 1 : top;
			SPB_PUSH(s->arena, &s->layout->shifts, shift);
		}
	}
}

/* Shifts that the lock knows, of classes that have no number left to decide: what is locked has been shifted, too. */
static void keep_locked_shifts(struct spb_plan *s)
{
	size_t decided = s->layout->shifts.count;

	for (size_t i = 0; i < s->lock.shifts.count && s->hlsl; i++) {
		const struct spb_shift *shift = &s->lock.shifts.items[i];
		uint32_t by;
		if (!spb_find_shift(s->layout->shifts.items, decided, spb_lane(shift->group, shift->class), shift->set,
				    &by))
			SPB_PUSH(s->arena, &s->layout->shifts, *shift);
	}
	spb_sort(&s->c->scratch, s->layout->shifts.items, s->layout->shifts.count, sizeof *s->layout->shifts.items,
		 spb_by_shift);
}

int spb_by_shift(const void *a, const void *b)
{
	const struct spb_shift *x = a, *y = b;
	int order = spb_compare(x->set, y->set);

	order = order ? order : spb_compare(x->group, y->group);
	return order ? order : spb_compare(x->class, y->class);
}

bool spb_find_shift(const struct spb_shift *shifts, size_t count, uint32_t lane, uint32_t set, uint32_t *by)
{
	const struct spb_shift wanted = {.class = spb_lane_class(lane), .group = spb_lane_group(lane), .set = set};
	size_t i = spb_lower_bound(shifts, count, sizeof *shifts, &wanted, spb_by_shift);

	if (i == count || spb_by_shift(&shifts[i], &wanted) != 0)
		return false;
	*by = shifts[i].by;
	return true;
}

/* Shift of a lane in a set. */
static uint32_t shift_of(const struct spb_plan *s, uint32_t set, uint32_t lane)
{
	uint32_t by = 0;

	if (lane)
		spb_find_shift(s->layout->shifts.items, s->layout->shifts.count, lane, set, &by);
	return by;
}

static const char *why_open(const struct spb_plan *s, const struct spb_parameter *p)
{
	if (s->hlsl)
		return p->count ? "first free registers of its class and space"
				: "registers after the last one of its class and space";
	if (spb_draft(s, p)->block)
		return "first free binding of its parameter block";
	return p->has_set ? "first free binding of the set it names" : "first free binding of the default set";
}

/* Views of one descriptor, of which the leader has a number. */
static void follow_leader(struct spb_plan *s, const struct spb_group *group)
{
	const struct spb_parameter *leader = spb_plan_parameter(s, group->leader);

	for (uint32_t i = group->first + 1; i; i = spb_next_view(s, i)) {
		struct spb_parameter *p = spb_plan_parameter(s, i - 1);
		if (p->variable->heap || !spb_follows(s, p))
			continue;
		p->set = leader->set;
		p->binding = leader->binding;
		p->number = leader->number;
		p->has_register = leader->has_register;
		p->why = "place of the descriptor that it shares with another variable, as in the input";
	}
}

static void write_numbers(struct spb_plan *s)
{
	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, i);
		if (p->place == SPB_PLACE_BOUND && s->hlsl && !p->variable->heap) {
			uint32_t by = shift_of(s, p->set, spb_lane_of(s, p));
			p->has_register = p->binding >= by;
			p->number = p->has_register ? p->binding - by : 0;
		}
		if (!has_number(p) || (!s->hlsl && !p->allocated))
			continue;
		uint32_t lane = spb_lane_of(s, p), by = shift_of(s, p->set, lane);
		if (p->number > UINT32_MAX - by)
			spb_plan_fail(s, p, SPB_E_SHIFT,
				      "is shifted beyond the last binding, 4294967295; use a smaller shift");
		p->binding = p->number + by;
		p->has_register = s->hlsl;
		if (!p->why)
			p->why = why_open(s, p);
	}
	for (size_t g = 0; g < s->layout->groups.count; g++) {
		const struct spb_group *group = &s->layout->groups.items[g];
		if (group->first != group->last)
			follow_leader(s, group);
	}
}

/* Classes that were counted separately may now collide. */
static void check_lanes(struct spb_plan *s)
{
	struct spb_ranges list = {0};

	s->numbered = true;
	if (!s->hlsl && !s->policies->shifts.count)
		return;
	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		bool waits = p->place == SPB_PLACE_OPEN && (p->variable->heap || spb_follows(s, p));
		if (waits || p->place == SPB_PLACE_REMOVED)
			continue;
		SPB_PUSH(&s->c->scratch, &list,
			 ((struct spb_range){.set = p->set, .first = p->binding, .parameter = i}));
	}
	spb_sort_ranges(s, &list);
	for (size_t i = 1; i < list.count; i++) {
		const struct spb_range *a = &list.items[i - 1], *b = &list.items[i];
		if (a->set != b->set || a->first != b->first)
			continue;
		const struct spb_parameter *p = spb_plan_parameter(s, a->parameter);
		const struct spb_parameter *q = spb_plan_parameter(s, b->parameter);
		bool bound = p->place == SPB_PLACE_BOUND || q->place == SPB_PLACE_BOUND;
		if (spb_draft(s, p)->group == spb_draft(s, q)->group)
			continue;
		if (spb_lane_of(s, p) != spb_lane_of(s, q) || (bound && p->place != q->place))
			spb_report_overlap(s, a->parameter, b->parameter);
	}
	spb_end_overlaps(s);
}

void spb_shift_numbers(struct spb_plan *s)
{
	if (s->hlsl || s->policies->shifts.count)
		decide_shifts(s);
	keep_locked_shifts(s);
	write_numbers(s);
	check_lanes(s);
}
