/* SPDX-License-Identifier: Apache-2.0 */
/* shifts: turns the numbers of lanes into bindings, and reports lanes that collide there. */
#include "analysis/layout/plan.h"

static bool has_number(const struct spb_parameter *p)
{
	return !p->variable->heap && (p->place == SPB_PLACE_FIXED || p->allocated);
}

/* Decides the shifts in effect. Automatic shifts keep the classes of a set apart, in the order b, t, s, u; without any
 * shift given, they are also computed if two classes collide. Registers of removed resources count, too, so that a
 * change of uses shifts nothing. */
static void decide_shifts(struct spb_plan *s)
{
	SPB_LIST(struct spb_numbered) numbers = {0};
	struct spb_arena *scratch = &s->c->scratch;
	const bool apart = s->hlsl && s->auto_shift, implied = s->hlsl && !s->auto_shift && !s->policies->shifts.count;

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		const uint32_t lane = spb_lane_of(s, p);
		if (has_number(p) && lane)
			SPB_PUSH(scratch, &numbers, ((struct spb_numbered){p->set, p->number, lane, apart, false}));
		else if (p->place == SPB_PLACE_REMOVED && p->has_place && lane)
			SPB_PUSH(
			    scratch, &numbers,
			    ((struct spb_numbered){spb_plan_draft(s, i)->place_set, p->number, lane, apart, true}));
		else if (!has_number(p) && p->place == SPB_PLACE_BOUND)
			SPB_PUSH(scratch, &numbers,
				 ((struct spb_numbered){p->set, p->binding, SPB_NO_LANE, apart, false}));
	}
	for (size_t i = 0; i < s->lock.entries.count; i++) {
		const struct spb_lock_entry *e = &s->lock.entries.items[i];
		if (!e->shift && !e->push && !e->seen)
			SPB_PUSH(scratch, &numbers,
				 ((struct spb_numbered){e->set, e->binding, SPB_NO_LANE, apart, false}));
	}
	spb_decide_shifts(scratch, &s->lanes, numbers.items, numbers.count, implied, s->arena, &s->layout->shifts);
}

/* Keeps the shifts of the lock file for classes without any number to decide: their locked bindings include the shift.
 */
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

/* The shift of a lane in a set. */
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

/* Copies the place of the leader of a group to its other views. */
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
				      "is shifted beyond the last binding, 4294967295" SPB_REMEDY
				      "Use a smaller shift.");
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

/* Reports collisions between classes that were numbered separately. */
static void check_lanes(struct spb_plan *s)
{
	struct spb_ranges list = {0};

	s->numbered = true;
	if (!s->hlsl && !s->policies->shifts.count)
		return;
	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		bool waits = p->place == SPB_PLACE_OPEN && (p->variable->heap || spb_follows(s, p));
		if (waits || p->place == SPB_PLACE_REMOVED || p->dropped)
			continue;
		SPB_PUSH(&s->c->scratch, &list, ((struct spb_range){.set = p->set, .first = p->binding, .owner = i}));
	}
	spb_sort_ranges(&s->c->scratch, &list);
	for (size_t i = 1; i < list.count; i++) {
		const struct spb_range *a = &list.items[i - 1], *b = &list.items[i];
		if (a->set != b->set || a->first != b->first)
			continue;
		const struct spb_parameter *p = spb_plan_parameter(s, a->owner);
		const struct spb_parameter *q = spb_plan_parameter(s, b->owner);
		bool bound = p->place == SPB_PLACE_BOUND || q->place == SPB_PLACE_BOUND;
		if (spb_draft(s, p)->group == spb_draft(s, q)->group)
			continue;
		if (spb_lane_of(s, p) != spb_lane_of(s, q) || (bound && p->place != q->place))
			spb_report_overlap(s, a->owner, b->owner);
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
