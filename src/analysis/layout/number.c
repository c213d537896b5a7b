/* SPDX-License-Identifier: Apache-2.0 */
/* number: gives every claim the first free numbers of its lane, in order.
 *
 *     taken   t0, t1, t3..t4      claims   a: 1 number -> t2      b: 2 numbers -> t5      c: all that follow -> t7..
 *
 * Programs and workspaces both use these rules, so a program gets the same numbers on its own as in a workspace of one.
 * Every step is a sort or a walk; gaps.c finds the first range that fits. */
#include "analysis/layout/number.h"

/* The user's shifts: a list of those of each class, of each set and of any, the last line first. Of those whose
 * conditions are the same, only the last counts. */

static uint32_t *shift_slot(const struct spb_shift_index *x, const struct spb_shift *shifts, enum spb_class class,
			    bool has_set, uint32_t set)
{
	uint32_t h = (uint32_t)spb_hash_mix(set, (uint32_t) class << 1 | has_set) & x->mask;

	for (; x->slot[h]; h = (h + 1) & x->mask) {
		const struct spb_shift *other = &shifts[x->slot[h] - 1];
		if (other->class == class && other->has_set == has_set && other->set == set)
			break;
	}
	return &x->slot[h];
}

void spb_policy_index_shifts(struct spb_policies *p, struct spb_arena *keep)
{
	struct spb_shift_index x = {.mask = 15};
	const struct spb_shift *shifts = p->shifts.items;

	while (x.mask < 2 * p->shifts.count)
		x.mask = 2 * x.mask + 1;
	x.slot = spb_alloc_zeroed(keep, (size_t)x.mask + 1, sizeof *x.slot);
	x.next = spb_alloc_zeroed(keep, p->shifts.count, sizeof *x.next);
	for (size_t i = p->shifts.count; i--;) {
		uint32_t *at = shift_slot(&x, shifts, shifts[i].class, shifts[i].has_set, shifts[i].set);
		while (*at && (shifts[*at - 1].kinds != shifts[i].kinds || shifts[*at - 1].group != shifts[i].group))
			at = &x.next[*at - 1];
		if (!*at)
			*at = (uint32_t)i + 1;
	}
	p->shift_index = x;
}

static const struct spb_shift *first_shift(const struct spb_policies *p, enum spb_class class, bool has_set,
					   uint32_t set)
{
	const struct spb_shift_index *x = &p->shift_index;
	const uint32_t slot = x->slot ? *shift_slot(x, p->shifts.items, class, has_set, has_set ? set : 0) : 0;

	return slot ? &p->shifts.items[slot - 1] : NULL;
}

static const struct spb_shift *next_shift(const struct spb_policies *p, const struct spb_shift *shift)
{
	const uint32_t next = p->shift_index.next[shift - p->shifts.items];

	return next ? &p->shifts.items[next - 1] : NULL;
}

static bool shift_fits(const struct spb_shift *shift, const struct spb_shift_question *q)
{
	return (shift->kinds ? (shift->kinds & q->kinds) != 0 : !q->classless) &&
	       (!shift->stages || shift->stages & q->stages);
}

const struct spb_shift *spb_policy_shift(const struct spb_policies *p, const struct spb_shift_question *q)
{
	const struct spb_shift *found = NULL;

	for (int any_set = 0; any_set < 2 && !found; any_set++) {
		found = first_shift(p, q->class, !any_set, q->set);
		while (found && !shift_fits(found, q))
			found = next_shift(p, found);
	}
	return found;
}

const struct spb_shift *spb_policy_lane_shift(const struct spb_policies *p, enum spb_class class, uint32_t group,
					      uint32_t set)
{
	const struct spb_shift *found = NULL;

	for (int any_set = 0; any_set < 2 && !found; any_set++) {
		found = first_shift(p, class, !any_set, set);
		while (found && (found->group != group || found->kinds))
			found = next_shift(p, found);
	}
	return found;
}

/* Known shifts */

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

bool spb_known_shift(const struct spb_lanes *lanes, uint32_t lane, uint32_t set, uint32_t *by)
{
	const struct spb_shift *shift;

	*by = 0;
	if (!lane)
		return false;
	shift = lanes->policies
		    ? spb_policy_lane_shift(lanes->policies, spb_lane_class(lane), spb_lane_group(lane), set)
		    : NULL;
	if (!shift)
		return spb_find_shift(lanes->shifts, lanes->shift_count, lane, set, by);
	*by = shift->by;
	return true;
}

/* Taken and reserved numbers */

void spb_sort_ranges(struct spb_arena *scratch, struct spb_ranges *ranges)
{
	spb_sort_by_words(scratch, ranges->items, ranges->count, sizeof *ranges->items, 4);
}

void spb_take_binding(struct spb_arena *scratch, const struct spb_lanes *lanes, struct spb_ranges *taken,
		      const struct spb_range *r)
{
	for (uint32_t lane = lanes->first; lane < lanes->end; lane++) {
		const bool own = lane == r->lane;
		uint32_t by;
		const bool known = spb_known_shift(lanes, lane, r->set, &by);
		if (r->first < by || (lanes->automatic && !known && !own && lane))
			continue;
		uint64_t end = !own ? (uint64_t)r->first - by + 1 : r->end < SPB_NUMBERS ? r->end - by : SPB_NUMBERS;
		SPB_PUSH(scratch, taken,
			 ((struct spb_range){r->set, lane, r->first - by, own ? r->owner : SPB_NO_OWNER, end}));
	}
}

void spb_take_array(struct spb_arena *scratch, const struct spb_lanes *lanes, struct spb_ranges *taken, uint32_t set,
		    uint32_t binding, uint32_t count)
{
	for (uint32_t lane = 1; lane < lanes->end && count > 1; lane++) {
		uint32_t by;
		if (spb_known_shift(lanes, lane, set, &by) && binding >= by)
			SPB_PUSH(scratch, taken,
				 ((struct spb_range){set, lane, binding - by, SPB_NO_OWNER,
						     (uint64_t)(binding - by) + count}));
	}
}

void spb_reserve_bindings(struct spb_arena *scratch, const struct spb_lanes *lanes, struct spb_ranges *reserved,
			  uint32_t set, uint32_t first, uint32_t last)
{
	for (uint32_t lane = lanes->first; lane < lanes->end; lane++) {
		uint32_t by;
		spb_known_shift(lanes, lane, set, &by);
		if (last >= by)
			SPB_PUSH(scratch, reserved,
				 ((struct spb_range){set, lane, first < by ? 0 : first - by, SPB_NO_OWNER,
						     (uint64_t)last - by + 1}));
	}
}

/* Numbers */

static bool is_in_lane(const struct spb_range *r, const struct spb_claim *c)
{
	return r->set == c->set && r->lane == c->lane;
}

static void skip_to_lane(const struct spb_ranges *taken, size_t *next, const struct spb_claim *c)
{
	while (*next < taken->count && (taken->items[*next].set < c->set ||
					(taken->items[*next].set == c->set && taken->items[*next].lane < c->lane)))
		++*next;
}

/* Finds the gaps within [least, end) in the lane of a claim. *next is the first taken range not before this lane. */
static void find_gaps(struct spb_arena *scratch, struct spb_gaps *gaps, const struct spb_ranges *taken, size_t *next,
		      const struct spb_claim *c, uint64_t least, uint64_t end)
{
	spb_gaps_begin(gaps);
	skip_to_lane(taken, next, c);
	for (size_t i = *next; i < taken->count && is_in_lane(&taken->items[i], c); i++) {
		const struct spb_range *r = &taken->items[i];
		if (r->first > least)
			spb_gaps_add(gaps, scratch, least, spb_smaller(r->first, end));
		least = spb_larger(r->end, least);
		if (least >= end)
			return;
	}
	spb_gaps_add(gaps, scratch, least, end);
}

void spb_claim_bindings(const struct spb_lanes *lanes, struct spb_claim *c, uint32_t first, uint32_t last)
{
	uint32_t by;

	spb_known_shift(lanes, c->lane, c->set, &by);
	c->first = first < by ? 0 : first - by;
	c->last = last - by;
	if (last < by) { /* an empty range */
		c->first = 1;
		c->last = 0;
	}
}

static bool serve(struct spb_arena *scratch, struct spb_gaps *gaps, struct spb_claim *c, uint64_t least)
{
	uint64_t first;

	if (c->length ? !spb_gaps_take(gaps, scratch, least, c->length, &first)
		      : !spb_gaps_take_rest(gaps, scratch, SPB_NUMBERS, &first))
		return false;
	c->number = (uint32_t)first;
	c->served = true;
	return true;
}

static bool same_choice(const struct spb_claim *a, const struct spb_claim *b)
{
	return a->set == b->set && a->lane == b->lane && a->first == b->first && a->last == b->last;
}

/* Serves the claims with a range, range by range; the numbers they get are taken for all later claims. */
static const struct spb_claim *serve_ranged(struct spb_arena *scratch, struct spb_numbering *n)
{
	struct spb_gaps gaps = {0};

	for (size_t i = 0, end; i < n->ranged.count; i = end) {
		struct spb_claim *c = &n->ranged.items[i];
		size_t next = 0;
		find_gaps(scratch, &gaps, &n->taken, &next, c, c->first, (uint64_t)c->last + 1);
		for (end = i; end < n->ranged.count && same_choice(&n->ranged.items[end], &n->ranged.items[i]); end++) {
			c = &n->ranged.items[end];
			if (!serve(scratch, &gaps, c, 0))
				return c;
			const uint64_t behind = c->length ? (uint64_t)c->number + c->length : SPB_NUMBERS;
			SPB_PUSH(scratch, &n->taken,
				 ((struct spb_range){c->set, c->lane, c->number, c->owner, behind}));
		}
		spb_sort_ranges(scratch, &n->taken);
	}
	return NULL;
}

/* What open claims must avoid: taken and reserved numbers. */
static struct spb_ranges find_kept(struct spb_arena *scratch, const struct spb_numbering *n)
{
	struct spb_ranges kept = {0};

	if (!n->reserved.count)
		return n->taken;
	SPB_SIZE(scratch, &kept, n->taken.count + n->reserved.count);
	kept.count = kept.capacity;
	memcpy(kept.items, n->reserved.items, n->reserved.count * sizeof *kept.items);
	if (n->taken.count)
		memcpy(kept.items + n->reserved.count, n->taken.items, n->taken.count * sizeof *kept.items);
	spb_sort_ranges(scratch, &kept);
	return kept;
}

static int by_number(const void *a, const void *b)
{
	return spb_compare(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* The distinct lower limits of claims, other than 0. */
static void find_cuts(struct spb_arena *scratch, struct spb_gaps *gaps, const struct spb_claims *claims)
{
	SPB_LIST(uint64_t) cuts = {0};

	for (size_t i = 0; i < claims->count; i++) {
		if (claims->items[i].first && (!cuts.count || cuts.items[cuts.count - 1] != claims->items[i].first))
			SPB_PUSH(scratch, &cuts, claims->items[i].first);
	}
	spb_sort(scratch, cuts.items, cuts.count, sizeof *cuts.items, by_number);
	gaps->cuts = cuts.items;
	for (size_t i = 0; i < cuts.count; i++) {
		if (!gaps->cut_count || cuts.items[gaps->cut_count - 1] != cuts.items[i])
			cuts.items[gaps->cut_count++] = cuts.items[i];
	}
}

/* Whether an earlier run decided the shift of a lane. A shift that the user gives may make lanes collide. */
static bool has_settled_shift(const struct spb_lanes *lanes, uint32_t lane, uint32_t set, uint32_t *by)
{
	uint32_t given;

	return lanes && lane && spb_find_shift(lanes->shifts, lanes->shift_count, lane, set, by) &&
	       spb_known_shift(lanes, lane, set, &given) && given == *by;
}

/* Of sets, or of ranges, which begin with theirs. */
static int by_set(const void *a, const void *b)
{
	return spb_compare(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* Takes, in the lane of a claim, the binding of a number in another lane. */
static void take_other(struct spb_arena *scratch, const struct spb_lanes *lanes, struct spb_ranges *taken,
		       const struct spb_claim *c, uint32_t by, uint32_t lane, uint32_t number)
{
	uint32_t other;

	if (lane == c->lane || !has_settled_shift(lanes, lane, c->set, &other))
		return;
	const uint64_t binding = (uint64_t)number + other;
	if (binding >= by && binding < SPB_NUMBERS)
		SPB_PUSH(
		    scratch, taken,
		    ((struct spb_range){c->set, c->lane, (uint32_t)(binding - by), SPB_NO_OWNER, binding - by + 1}));
}

/* Takes, in the lane of a claim, the bindings that its set has in other lanes: those of fixed numbers, and those that
 * earlier claims got. */
static void take_across(struct spb_arena *scratch, const struct spb_numbering *n, struct spb_ranges *taken,
			const struct spb_claim *c, size_t before)
{
	const struct spb_ranges *fixed = &n->taken;
	uint32_t by;

	if (!has_settled_shift(n->lanes, c->lane, c->set, &by))
		return;
	for (const struct spb_claim *d = c; before-- > 0 && (--d)->set == c->set;)
		take_other(scratch, n->lanes, taken, c, by, d->lane, d->number);
	for (size_t i = spb_lower_bound(fixed->items, fixed->count, sizeof *fixed->items, &c->set, by_set);
	     i < fixed->count && fixed->items[i].set == c->set; i++)
		take_other(scratch, n->lanes, taken, c, by, fixed->items[i].lane, fixed->items[i].first);
}

static const struct spb_claim *serve_open(struct spb_arena *scratch, struct spb_numbering *n)
{
	const struct spb_ranges kept = find_kept(scratch, n);
	struct spb_gaps gaps = {0};
	size_t next = 0;

	find_cuts(scratch, &gaps, &n->open);
	for (size_t i = 0; i < n->open.count; i++) {
		struct spb_claim *c = &n->open.items[i];
		if (!i || c[-1].set != c->set || c[-1].lane != c->lane) {
			struct spb_ranges of_lane = {0};
			skip_to_lane(&kept, &next, c);
			for (; next < kept.count && is_in_lane(&kept.items[next], c); next++)
				SPB_PUSH(scratch, &of_lane, kept.items[next]);
			take_across(scratch, n, &of_lane, c, i);
			spb_sort_ranges(scratch, &of_lane);
			find_gaps(scratch, &gaps, &of_lane, &(size_t){0}, c, 0, SPB_NUMBERS);
		}
		if (!serve(scratch, &gaps, c, c->first))
			return c;
	}
	return NULL;
}

const struct spb_claim *spb_number_claims(struct spb_arena *scratch, struct spb_numbering *n)
{
	spb_sort_ranges(scratch, &n->taken);
	spb_sort_by_words(scratch, n->ranged.items, n->ranged.count, sizeof *n->ranged.items, 5);
	spb_sort_by_words(scratch, n->open.items, n->open.count, sizeof *n->open.items, 5);
	const struct spb_claim *refused = serve_ranged(scratch, n);
	return refused ? refused : serve_open(scratch, n);
}

/* Shifts */

struct run { /* consecutive numbers */
	uint64_t first, last;
};

struct runs { /* ascending and disjoint */
	struct run *items;
	size_t count, capacity;
};

/* Whether a number equals the previous one of the sorted list, but is in another class. */
static bool collides(const struct spb_numbered *before, const struct spb_numbered *n)
{
	return before->number == n->number && n->lane != SPB_NO_LANE &&
	       spb_lane_class(before->lane) != spb_lane_class(n->lane);
}

struct binding {
	uint64_t number;
	uint32_t lane;
};

static int by_binding(const void *a, const void *b)
{
	const struct binding *x = a, *y = b;

	return spb_compare(x->number, y->number);
}

/* Whether two lanes of a set have a binding in common, as far as their shifts are known. */
static bool share_binding(struct spb_arena *scratch, const struct spb_lanes *lanes, const struct spb_numbered *numbers,
			  size_t count)
{
	struct binding *bindings = spb_alloc_array(scratch, count, sizeof *bindings);
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t by;
		if (numbers[i].lane == SPB_NO_LANE)
			continue;
		spb_known_shift(lanes, numbers[i].lane, numbers[i].set, &by);
		bindings[n++] = (struct binding){(uint64_t)numbers[i].number + by, numbers[i].lane};
	}
	spb_sort(scratch, bindings, n, sizeof *bindings, by_binding);
	for (size_t i = 1; i < n; i++) {
		if (bindings[i].number == bindings[i - 1].number && bindings[i].lane != bindings[i - 1].lane)
			return true;
	}
	return false;
}

/* The numbers of a lane, shifted. `numbers` are those of one set, ascending. */
static void add_runs(struct spb_arena *scratch, struct runs *runs, const struct spb_numbered *numbers, size_t count,
		     uint32_t lane, uint32_t by)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t number = (uint64_t)numbers[i].number + by;
		struct run *last = runs->count ? &runs->items[runs->count - 1] : NULL;
		if (numbers[i].lane != lane)
			continue;
		if (last && number >= last->first && number <= last->last + 1)
			last->last = spb_larger(last->last, number);
		else
			SPB_PUSH(scratch, runs, ((struct run){number, number}));
	}
}

static int by_first(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	return spb_compare(x->first, y->first);
}

/* Sorts runs of several lanes, and joins those that touch. */
static void join_runs(struct spb_arena *scratch, struct runs *runs)
{
	size_t n = 0;

	spb_sort(scratch, runs->items, runs->count, sizeof *runs->items, by_first);
	for (size_t i = 0; i < runs->count; i++) {
		struct run *last = n ? &runs->items[n - 1] : NULL;
		if (last && runs->items[i].first <= last->last + 1)
			last->last = spb_larger(last->last, runs->items[i].last);
		else
			runs->items[n++] = runs->items[i];
	}
	runs->count = n;
}

/* The smallest shift with which no number of `own` is taken. If it is not found soon, one that is large enough. */
static uint32_t smallest_shift(const struct runs *own, const struct runs *taken)
{
	enum { MOST_WORK = 1 << 22 };
	uint64_t by = 0, next = 0, work = 0;

	do {
		size_t k = 0;
		by = next;
		for (size_t i = 0; i < own->count; i++) {
			const struct run *r = &own->items[i];
			while (k < taken->count && taken->items[k].last < r->first + by)
				k++;
			for (size_t j = k; j < taken->count && taken->items[j].first <= r->last + by; j++)
				next = spb_larger(next, taken->items[j].last - r->first + 1);
		}
		work += own->count + taken->count;
		if (work > MOST_WORK)
			return (uint32_t)spb_smaller(taken->items[taken->count - 1].last + 1, UINT32_MAX);
	} while (next != by);
	return (uint32_t)spb_smaller(by, UINT32_MAX);
}

/* Shifts the lanes of one set, whose numbers these are. */
static void shift_set(struct spb_arena *scratch, const struct spb_lanes *lanes, const struct spb_numbered *numbers,
		      size_t count, bool apart, struct spb_arena *keep, struct spb_shifts *shifts)
{
	struct spb_shift shift = {.has_set = true, .set = numbers->set};
	struct runs taken = {0};

	add_runs(scratch, &taken, numbers, count, SPB_NO_LANE, 0);
	for (uint32_t lane = 1; lane < lanes->end; lane++) {
		if (spb_known_shift(lanes, lane, shift.set, &shift.by))
			add_runs(scratch, &taken, numbers, count, lane, shift.by);
	}
	for (uint32_t lane = 1; lane < lanes->end; lane++) {
		struct runs own = {0};
		bool any = false; /* that is not removed */
		add_runs(scratch, &own, numbers, count, lane, 0);
		for (size_t i = 0; i < count && !any; i++)
			any = numbers[i].lane == lane && !numbers[i].removed;
		if (!own.count)
			continue;
		shift.class = spb_lane_class(lane);
		shift.group = spb_lane_group(lane);
		shift.automatic = !spb_known_shift(lanes, lane, shift.set, &shift.by);
		if (shift.automatic && apart) {
			join_runs(scratch, &taken);
			shift.by = smallest_shift(&own, &taken);
		}
		if (shift.automatic)
			add_runs(scratch, &taken, numbers, count, lane, shift.by);
		if (any)
			SPB_PUSH(keep, shifts, shift);
	}
}

void spb_decide_shifts(struct spb_arena *scratch, const struct spb_lanes *lanes, struct spb_numbered *numbers,
		       size_t count, bool implied, struct spb_arena *keep, struct spb_shifts *shifts)
{
	spb_sort_by_words(scratch, numbers, count, sizeof *numbers, 3);
	for (size_t i = 0, end; i < count; i = end) {
		bool apart = false;
		for (end = i; end < count && numbers[end].set == numbers[i].set; end++)
			apart |=
			    numbers[end].apart || (implied && end > i && collides(&numbers[end - 1], &numbers[end]));
		apart |= implied && !apart && share_binding(scratch, lanes, &numbers[i], end - i);
		shift_set(scratch, lanes, &numbers[i], end - i, apart, keep, shifts);
	}
}

/* Whole sets */

void spb_sort_sets(struct spb_arena *scratch, struct spb_sets *sets)
{
	spb_sort(scratch, sets->items, sets->count, sizeof *sets->items, by_set);
}

bool spb_is_set_used(const struct spb_sets *sets, uint32_t set)
{
	size_t i = spb_lower_bound(sets->items, sets->count, sizeof *sets->items, &set, by_set);

	return i < sets->count && sets->items[i] == set;
}

uint64_t spb_first_free_set(const struct spb_sets *sets, uint64_t set, size_t *next)
{
	for (; *next < sets->count && sets->items[*next] <= set; ++*next)
		set += sets->items[*next] == set;
	return set;
}
