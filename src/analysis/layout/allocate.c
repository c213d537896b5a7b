/* SPDX-License-Identifier: Apache-2.0 */
/* allocate: numbers for unassigned parameters, lane by lane and in order: the first free range that fits.
 *
 * Slang counts one number for each resource, and members of one struct stay together. HLSL registers count every
 * descriptor, and an unsized array takes all numbers after the last one reserved or allocated so far.
 *
 * Everything is a sort or a walk. */
#include "analysis/layout/plan.h"

struct open { /* what needs numbers, in this order: one parameter, or a run of them in one lane */
	uint32_t set, lane, order, imported, parameter;
	uint32_t length; /* of a single one that the first free range is for; 0: take() finds out */
};

struct opens {
	struct open *items;
	size_t count, capacity;
};

/* Those that are equal in all else are in the order of parameters already. */
static void sort_opens(struct spb_plan *s, struct opens *opens)
{
	spb_sort_by_words(&s->c->scratch, opens->items, opens->count, sizeof *opens->items, 4);
}

/* Is q numbered in one run with other members of its struct, that is, did no policy put it elsewhere? */
static bool is_joined(const struct spb_plan *s, const struct spb_parameter *q)
{
	return q->variable->extra->pieces > 1 && !s->hlsl && !s->policies->structs_apart && !q->has_range &&
	       q->place == SPB_PLACE_OPEN && q->set == (q - q->variable->extra->piece)->set;
}

/* The end of the parameters that may be numbered together with p. */
static struct spb_parameter *run_end(const struct spb_plan *s, struct spb_parameter *p)
{
	return is_joined(s, p) ? p - p->variable->extra->piece + p->variable->extra->pieces : p + 1;
}

/* Is q numbered with p, the head of its run in the lane? */
static bool goes_along(const struct spb_plan *s, const struct spb_parameter *p, const struct spb_parameter *q)
{
	return p == q || (is_joined(s, q) && spb_lane_of(s, p) == spb_lane_of(s, q));
}

/* Found out while parameters are visited one after the other: after the sort, each look at one costs more. */
static uint32_t single_length(const struct spb_plan *s, const struct spb_parameter *p, bool joined)
{
	const uint64_t length = spb_length_of(s, p);

	return joined || s->base || p->has_range || (s->hlsl && !p->count) ? 0 : (uint32_t)length;
}

static void list_open(struct spb_plan *s, struct opens *ranged, struct opens *open)
{
	uint32_t *seen = spb_bits(&s->c->scratch, spb_lane_count(s)); /* lanes of the current run's members */

	SPB_SIZE(&s->c->scratch, open, s->layout->parameters.count);
	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		struct spb_parameter *p = spb_plan_parameter(s, i);
		const struct spb_draft *d = spb_plan_draft(s, i);
		uint32_t lane = spb_lane_of(s, p);
		bool joined = is_joined(s, p);
		if (p->variable->extra->pieces > 1 && !p->variable->extra->piece)
			memset(seen, 0, (spb_lane_count(s) / 32 + 1) * sizeof *seen);
		if (p->place != SPB_PLACE_OPEN || p->variable->heap || spb_follows(s, p) ||
		    (joined && spb_bit(seen, lane)))
			continue;
		if (joined)
			spb_set_bit(seen, lane);
		SPB_PUSH(&s->c->scratch, p->has_range ? ranged : open,
			 ((struct open){p->set, lane, d->order, d->imported, i, single_length(s, p, joined)}));
	}
	sort_opens(s, ranged);
	sort_opens(s, open);
}

/* Free numbers of a lane within [least, end), between ranges[*next] and the ones after it. */
static void find_gaps(struct spb_plan *s, struct spb_gaps *gaps, const struct spb_ranges *taken, size_t *next,
		      uint32_t set, uint32_t lane, uint64_t least, uint64_t end)
{
	const struct spb_range wanted = {.set = set, .lane = lane};

	spb_gaps_begin(gaps);
	while (*next < taken->count &&
	       (taken->items[*next].set < set || (taken->items[*next].set == set && taken->items[*next].lane < lane)))
		++*next;
	for (size_t i = *next; i < taken->count && spb_same_lane(&taken->items[i], &wanted); i++) {
		const struct spb_range *r = &taken->items[i];
		if (r->first > least)
			spb_gaps_add(gaps, &s->c->scratch, least, r->first < end ? r->first : end);
		least = r->end > least ? r->end : least;
		if (least >= end)
			return;
	}
	spb_gaps_add(gaps, &s->c->scratch, least, end);
}

/* Lists what occupies the place where it has to go. */
static const char *in_the_way(const struct spb_plan *s, const struct spb_parameter *p)
{
	struct spb_text_buffer text = {.arena = &s->c->scratch};
	uint32_t said = 0, lane = spb_lane_of(s, p);

	for (uint32_t i = 0; i < s->layout->parameters.count && said < 8; i++) {
		const struct spb_parameter *q = spb_plan_parameter(s, i);
		bool placed = q->place == SPB_PLACE_FIXED || q->place == SPB_PLACE_BOUND || q->allocated;
		if (!placed || q->variable->heap || q->set != p->set || spb_lane_of(s, q) != lane)
			continue;
		char class = spb_class_letter(q->class);
		spb_text_format(&text, said++ ? ", %s" : "; in the way: %s", spb_parameter_label(s, q));
		if (q->count == 1)
			spb_text_format(&text, " %c%u", class, q->number);
		else if (q->count)
			spb_text_format(&text, " %c%u..%u", class, q->number, q->number + (q->count - 1));
		else
			spb_text_format(&text, " %c%u..", class, q->number);
	}
	return spb_text_end(&text);
}

static noreturn void no_room(struct spb_plan *s, const struct spb_parameter *p, uint64_t length)
{
	const struct spb_module *m = spb_module_of(s, p);
	spb_at at = p->variable->at;

	if (p->has_range)
		spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_NO_ROOM, at,
			 "%s could not be allocated: it needs %u free bindings within %u..%u of set %u, as required by "
			 "%s; widen the range",
			 spb_parameter_label(s, p), (unsigned)length, spb_range_of(s, p)->first,
			 spb_range_of(s, p)->last, p->set, p->why);
	if (!s->hlsl)
		spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_NO_ROOM, at,
			 "%s could not be allocated: set %u has no %u consecutive free bindings; use another set",
			 spb_parameter_label(s, p), p->set, (unsigned)length);
	if (!length)
		spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_NO_ROOM, at,
			 "%s could not be allocated: it is unbounded, and no register of class %c is left after the "
			 "last one in space %u%s; use a separate space",
			 spb_parameter_label(s, p), spb_class_letter(p->class), p->set, in_the_way(s, p));
	spb_fail(m, SPB_ERROR_CONFLICT, SPB_E_NO_ROOM, at,
		 "%s could not be allocated: it needs %u free register%s of class %c in space %u%s; declare "
		 "it before unbounded arrays, give those a size, or use another space",
		 spb_parameter_label(s, p), (unsigned)length, length == 1 ? "" : "s in a row",
		 spb_class_letter(p->class), p->set, in_the_way(s, p));
}

/* Where it begins to look for a free number. */
static uint64_t base_of(const struct spb_plan *s, const struct spb_parameter *p)
{
	return s->base && !p->has_range ? spb_own_shift(s, p) : 0;
}

/* Allocates numbers for a parameter and all that are numbered with it. Returns the end of the range taken, which begins
 * at the number of the parameter. */
static uint64_t take(struct spb_plan *s, struct spb_gaps *gaps, uint32_t i)
{
	struct spb_parameter *p = spb_plan_parameter(s, i);
	struct spb_parameter *end = run_end(s, p);
	uint64_t length = 0, first, least = base_of(s, p);
	bool rest = s->hlsl && !p->count;

	for (const struct spb_parameter *q = p; q < end; q++)
		length += goes_along(s, p, q) ? spb_length_of(s, q) : 0;
	if (rest ? !spb_gaps_take_rest(gaps, &s->c->scratch, SPB_NUMBERS, &first)
		 : !spb_gaps_take(gaps, &s->c->scratch, least, length, &first))
		no_room(s, p, length);
	if (!p->has_range)
		spb_draft(s, p)->from = (uint32_t)least;
	const uint64_t behind = rest ? SPB_NUMBERS : first + length;
	for (struct spb_parameter *q = p; q < end; q++) {
		if (!goes_along(s, p, q))
			continue;
		q->number = (uint32_t)first;
		q->allocated = true;
		first += q + 1 < end ? spb_length_of(s, q) : 0;
	}
	return behind;
}

static void take_single(struct spb_plan *s, struct spb_gaps *gaps, const struct open *o)
{
	struct spb_parameter *p = spb_plan_parameter(s, o->parameter);
	uint64_t first;

	if (!spb_gaps_take(gaps, &s->c->scratch, 0, o->length, &first))
		no_room(s, p, o->length);
	p->number = (uint32_t)first;
	p->allocated = true;
}

/* Parameters with a range of their own from a policy go first: each range is visited once, and then counts as taken. */
static void allocate_ranged(struct spb_plan *s, struct spb_ranges *taken, const struct opens *ranged)
{
	struct spb_gaps gaps = {0};

	for (size_t i = 0, end; i < ranged->count; i = end) {
		const struct open *o = &ranged->items[i];
		const struct spb_parameter *p = spb_plan_parameter(s, o->parameter);
		size_t next = 0, old = taken->count;
		uint32_t by;
		spb_known_shift(s, o->lane, o->set, &by);
		const struct spb_policy_line *range = spb_range_of(s, p);
		find_gaps(s, &gaps, taken, &next, o->set, o->lane, range->first < by ? 0 : range->first - by,
			  range->last < by ? 0 : (uint64_t)range->last - by + 1);
		for (end = i; end < ranged->count; end++) {
			const struct open *other = &ranged->items[end];
			const struct spb_parameter *q = spb_plan_parameter(s, other->parameter);
			if (other->set != o->set || other->lane != o->lane ||
			    spb_range_of(s, q)->first != range->first || spb_range_of(s, q)->last != range->last)
				break;
			const uint64_t behind = take(s, &gaps, other->parameter);
			SPB_PUSH(&s->c->scratch, taken,
				 ((struct spb_range){q->set, o->lane, q->number, other->parameter, behind}));
		}
		if (taken->count != old)
			spb_sort_ranges(s, taken);
	}
}

/* Other unassigned parameters also avoid what policies reserve and what the lock remembers. */
static void keep_off(struct spb_plan *s, struct spb_ranges *taken)
{
	size_t old = taken->count;
	uint32_t lanes = spb_lane_count(s);

	for (size_t i = 0; i < s->policies->lines.count; i++) {
		const struct spb_policy_line *line = &s->policies->lines.items[i];
		for (uint32_t lane = 0; line->verb == SPB_POLICY_RESERVE && lane < lanes; lane++) {
			uint64_t end = (uint64_t)line->last + 1;
			uint32_t by;
			spb_known_shift(s, lane, line->set, &by);
			if (end > by)
				SPB_PUSH(&s->c->scratch, taken,
					 ((struct spb_range){line->set, lane, line->first < by ? 0 : line->first - by,
							     SPB_NOBODY, end - by}));
		}
	}
	for (size_t i = 0; i < s->lock.entries.count; i++) {
		const struct spb_lock_entry *e = &s->lock.entries.items[i];
		if (!e->seen && !e->shift && !e->push)
			spb_take_binding(s, taken, e->set, e->binding, 1, SPB_NOBODY, SPB_NOBODY);
	}
	if (taken->count != old)
		spb_sort_ranges(s, taken);
}

static int by_number(const void *a, const void *b)
{
	return spb_compare(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Where shifts let unassigned resources begin. */
static void find_cuts(struct spb_plan *s, struct spb_gaps *gaps)
{
	size_t count = s->base ? s->policies->shifts.count : 0;
	uint64_t *cuts = spb_alloc_array(&s->c->scratch, count, sizeof *cuts);

	for (size_t i = 0; i < count; i++)
		cuts[i] = s->policies->shifts.items[i].by;
	spb_sort(&s->c->scratch, cuts, count, sizeof *cuts, by_number);
	gaps->cuts = cuts;
	gaps->cut_count = count;
}

static void allocate_open(struct spb_plan *s, const struct spb_ranges *taken, const struct opens *open)
{
	struct spb_gaps gaps = {0};
	size_t next = 0;

	find_cuts(s, &gaps);

	for (size_t i = 0; i < open->count; i++) {
		const struct open *o = &open->items[i];
		if (!i || o[-1].set != o->set || o[-1].lane != o->lane)
			find_gaps(s, &gaps, taken, &next, o->set, o->lane, 0, SPB_NUMBERS);
		if (o->length)
			take_single(s, &gaps, o);
		else
			take(s, &gaps, o->parameter);
	}
}

void spb_allocate(struct spb_plan *s)
{
	const struct spb_mark mark = spb_arena_mark(&s->c->scratch);
	struct spb_ranges taken = spb_reserve_numbers(s);
	struct opens ranged = {0}, open = {0};

	list_open(s, &ranged, &open);
	allocate_ranged(s, &taken, &ranged);
	keep_off(s, &taken);
	allocate_open(s, &taken, &open);
	spb_arena_rewind(&s->c->scratch, mark);
}
