/* SPDX-License-Identifier: Apache-2.0 */
/* share: numbers for the resources of one scope, which several programs have in common.
 *
 *   1. Parameter blocks and heaps, which have a set to themselves, get one that nothing else in the scope uses.
 *   2. Where a set counts registers whose shifts nobody has said, each class is numbered by itself; then the smallest
 *      shifts that keep the classes apart turn registers into bindings.
 *   3. What has a range of its own from a policy takes the first free number there.
 *   4. Everything else takes the first free number of its set, in the order of the resources.
 *
 * These are the rules of analysis/layout, for resources of which only the facts are known. A number that a program
 * fixes, or that the lock has, is taken before. */
#include "analysis/layout/gaps.h"
#include "analysis/workspace/workspace.h"

static const uint64_t NUMBERS = (uint64_t)UINT32_MAX + 1;

struct range { /* numbers of a set, or of a register class in a set */
	uint64_t space, first, end;
};

struct ranges {
	struct range *items;
	size_t count, capacity;
};

struct numbering {
	struct spb_workspace_plan *w;
	struct spb_scope *scope;
	struct spb_arena *scratch;
};

static struct spb_resource_of_all *resource(const struct numbering *n, uint32_t i)
{
	return &n->w->resources.items[n->w->sorted[i]];
}

static int by_first(const void *a, const void *b)
{
	const struct range *x = a, *y = b;
	int order = spb_compare(x->space, y->space);

	return order ? order : spb_compare(x->first, y->first);
}

static int by_value(const void *a, const void *b)
{
	return spb_compare(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Number spaces: the bindings of a set, and each register class in it. */

static uint64_t binding_space(uint32_t set)
{
	return (uint64_t)set << 3;
}

static uint64_t lane_space(uint32_t set, enum spb_class class)
{
	return (uint64_t)set << 3 | (1 + (uint64_t) class);
}

static struct spb_resource_of_all *lead_of(const struct numbering *n, const struct spb_resource_of_all *r)
{
	const struct spb_facts *facts = &n->w->programs.items[r->program].facts;

	return r->fact->free->lead ? &n->w->resources.items[facts->resources[r->fact->free->lead - 1]] : NULL;
}

/* Sets of their own */

struct home { /* of what is alone together */
	const char *alone;
	uint32_t set;
	bool given; /* by the lock */
};

static bool is_used(const uint32_t *sets, size_t count, uint32_t set)
{
	for (size_t i = 0; i < count; i++) {
		if (sets[i] == set)
			return true;
	}
	return false;
}

/* There are as many homes as policies for blocks, and as many sets as a program can have. */
static void find_homes(const struct numbering *n)
{
	SPB_LIST(struct home) homes = {0};
	SPB_LIST(uint32_t) used = {0};

	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		const struct spb_resource_of_all *r = resource(n, i);
		size_t k = 0;
		if (!r->fact->free->alone || r->firm) {
			if (!is_used(used.items, used.count, r->set))
				SPB_PUSH(n->scratch, &used, r->set);
			continue;
		}
		while (k < homes.count && strcmp(homes.items[k].alone, r->fact->free->alone) != 0)
			k++;
		if (k == homes.count)
			SPB_PUSH(n->scratch, &homes, ((struct home){r->fact->free->alone, r->set, false}));
		if (r->placed)
			homes.items[k] = (struct home){r->fact->free->alone, r->set, true};
	}
	for (int given = 1; given >= 0; given--) {
		for (size_t k = 0; k < homes.count; k++) {
			if (homes.items[k].given != given)
				continue;
			while (!given && is_used(used.items, used.count, homes.items[k].set))
				homes.items[k].set++;
			SPB_PUSH(n->scratch, &used, homes.items[k].set);
		}
	}
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		struct spb_resource_of_all *r = resource(n, i);
		for (size_t k = 0; k < homes.count && r->fact->free->alone && !r->placed; k++) {
			if (!strcmp(homes.items[k].alone, r->fact->free->alone))
				r->set = homes.items[k].set;
		}
		r->placed |= r->fact->heap; /* the numbers of heaps depend on their kind alone */
	}
}

/* What is taken */

static const struct spb_fact_shift *find_shift(const struct spb_scope *scope, uint32_t set, enum spb_class class)
{
	for (size_t i = 0; i < scope->shifts.count; i++) {
		if (scope->shifts.items[i].set == set && scope->shifts.items[i].class == class)
			return &scope->shifts.items[i];
	}
	return NULL;
}

static void take(const struct numbering *n, struct ranges *taken, uint64_t space, uint64_t first, uint64_t length)
{
	uint64_t end = length ? first + length : NUMBERS;

	SPB_PUSH(n->scratch, taken, ((struct range){space, first, spb_smaller(end, NUMBERS)}));
}

/* A binding is also taken in each register class that could be shifted onto it. */
static void take_binding(const struct numbering *n, struct ranges *taken, uint32_t set, uint32_t binding,
			 uint64_t length)
{
	take(n, taken, binding_space(set), binding, length);
	for (int class = 0; class < SPB_CLASS_COUNT; class ++) {
		const struct spb_fact_shift *shift = find_shift(n->scope, set, (enum spb_class) class);
		if (shift && binding >= shift->by)
			take(n, taken, lane_space(set, (enum spb_class) class), binding - shift->by, length);
	}
}

/* What the lock has and no program here. */
static void take_lines(const struct numbering *n, struct ranges *taken, const char *label)
{
	struct spb_scope_lines lines = spb_lines_of(n->w, label);

	for (size_t i = 0; i < lines.count; i++) {
		const struct spb_lock_entry *e = lines.items[i];
		if (!e->seen && !e->shift && !e->push)
			take_binding(n, taken, e->set, e->binding, 1);
	}
}

static struct ranges find_taken(const struct numbering *n)
{
	struct ranges taken = {0};

	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		const struct spb_resource_of_all *r = resource(n, i);
		if (r->firm && r->has_lane)
			take(n, &taken, lane_space(r->set, r->class), r->number, r->fact->free->length);
		else if (r->placed)
			take_binding(n, &taken, r->set, r->binding, r->fact->free->length);
	}
	take_lines(n, &taken, NULL);
	take_lines(n, &taken, n->scope->label);
	for (size_t i = 0; i < n->scope->reserved.count; i++) {
		const struct spb_fact_reserve *r = &n->scope->reserved.items[i];
		take_binding(n, &taken, r->set, r->first, (uint64_t)r->last - r->first + 1);
	}
	return taken;
}

/* Allocating */

struct open {
	uint64_t space;
	uint32_t index; /* of the resource, in its scope */
};

static int by_space(const void *a, const void *b)
{
	const struct open *x = a, *y = b;
	int order = spb_compare(x->space, y->space);

	return order ? order : spb_compare(x->index, y->index);
}

static noreturn void no_room(const struct numbering *n, const struct spb_resource_of_all *r)
{
	spb_workspace_fail(n->w, SPB_ERROR_CONFLICT, SPB_E_NO_ROOM, n->w->programs.items[r->program].name,
			   "\"%s\" could not be allocated: set %u of the programs that share it (%s) has no %u "
			   "consecutive free bindings; use another set",
			   r->fact->name, r->set, n->scope->label, r->run);
}

static void put(struct spb_resource_of_all *r, uint64_t first)
{
	*(r->has_lane ? &r->number : &r->binding) = (uint32_t)first;
}

/* The first free numbers within the range that a policy gives; there are few such resources. */
static void place_ranged(const struct numbering *n, struct ranges *taken, struct spb_resource_of_all *r)
{
	uint64_t space = binding_space(r->set), at = r->fact->free->first;

	spb_sort(n->scratch, taken->items, taken->count, sizeof *taken->items, by_first);
	for (size_t i = 0; i < taken->count; i++) {
		const struct range *t = &taken->items[i];
		if (t->space == space && t->first < at + r->run && t->end > at)
			at = t->end;
	}
	if (at + r->run > (uint64_t)r->fact->free->last + 1)
		no_room(n, r);
	put(r, at);
	take(n, taken, space, at, r->run);
}

static void find_gaps(const struct numbering *n, struct spb_gaps *gaps, const struct ranges *taken, uint64_t space)
{
	const struct range wanted = {.space = space};
	uint64_t least = 0;

	spb_gaps_begin(gaps);
	for (size_t i = spb_lower_bound(taken->items, taken->count, sizeof wanted, &wanted, by_first);
	     i < taken->count && taken->items[i].space == space; i++) {
		spb_gaps_add(gaps, n->scratch, least, taken->items[i].first);
		least = spb_larger(taken->items[i].end, least);
	}
	spb_gaps_add(gaps, n->scratch, least, NUMBERS);
}

/* Numbers for what is open: with `lanes`, in classes of registers; otherwise bindings. */
static void allocate(const struct numbering *n, struct ranges *taken, bool lanes)
{
	SPB_LIST(struct open) open = {0};
	SPB_LIST(uint64_t) cuts = {0};
	struct spb_gaps gaps = {0};
	uint64_t first;

	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		struct spb_resource_of_all *r = resource(n, i);
		if (r->placed || r->firm || r->has_lane != lanes || r->follows)
			continue;
		if (r->fact->free->has_range && !lanes) {
			place_ranged(n, taken, r);
			continue;
		}
		SPB_PUSH(n->scratch, &open,
			 ((struct open){lanes ? lane_space(r->set, r->class) : binding_space(r->set), i}));
		SPB_PUSH(n->scratch, &cuts, lanes ? 0 : r->fact->free->from);
	}
	spb_sort(n->scratch, open.items, open.count, sizeof *open.items, by_space);
	spb_sort(n->scratch, cuts.items, cuts.count, sizeof *cuts.items, by_value);
	spb_sort(n->scratch, taken->items, taken->count, sizeof *taken->items, by_first);
	for (size_t i = 0; i < cuts.count; i++) {
		if (!gaps.cut_count || cuts.items[gaps.cut_count - 1] != cuts.items[i])
			cuts.items[gaps.cut_count++] = cuts.items[i];
	}
	gaps.cuts = cuts.items;
	for (size_t i = 0; i < open.count; i++) {
		struct spb_resource_of_all *r = resource(n, open.items[i].index);
		if (!i || open.items[i - 1].space != open.items[i].space)
			find_gaps(n, &gaps, taken, open.items[i].space);
		if (r->run ? !spb_gaps_take(&gaps, n->scratch, lanes ? 0 : r->fact->free->from, r->run, &first)
			   : !spb_gaps_take_rest(&gaps, n->scratch, NUMBERS, &first))
			no_room(n, r);
		put(r, first);
	}
}

/* Shifts */

struct extent {
	bool any;
	uint64_t low, high;
};

static void widen(struct extent *e, uint64_t number)
{
	e->low = e->any ? spb_smaller(e->low, number) : number;
	e->high = spb_larger(e->high, number);
	e->any = true;
}

struct lane_number {
	uint32_t set, number, class, index;
};

static int by_lane_number(const void *a, const void *b)
{
	const struct lane_number *x = a, *y = b;
	int order = spb_compare(x->set, y->set);

	order = order ? order : spb_compare(x->number, y->number);
	return order ? order : spb_compare(x->class, y->class);
}

/* Decides the shifts of a set, whose numbered resources are `items`. */
static void shift_set(const struct numbering *n, const struct lane_number *items, size_t count)
{
	struct extent extents[SPB_CLASS_COUNT] = {{0}}, bound = {0};
	uint32_t set = items[0].set;
	bool must = false;
	uint64_t top = 0;

	for (size_t i = 0; i < count; i++) {
		widen(&extents[items[i].class], items[i].number);
		must |= resource(n, items[i].index)->fact->free->must_shift ||
			(i && items[i - 1].number == items[i].number && items[i - 1].class != items[i].class);
	}
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		const struct spb_resource_of_all *r = resource(n, i);
		if (r->set == set && r->placed)
			widen(&bound, r->binding);
	}
	for (int class = 0; class < SPB_CLASS_COUNT; class ++) {
		const struct spb_fact_shift *known = find_shift(n->scope, set, (enum spb_class) class);
		const struct extent *e = &extents[class];
		if (!e->any)
			continue;
		uint64_t by = known ? known->by : must && top > e->low ? top - e->low : 0;
		if (!known && must && bound.any && e->low + by <= bound.high && e->high + by >= bound.low)
			by = bound.high + 1 - e->low;
		if (!known)
			SPB_PUSH(n->w->keep, &n->scope->shifts,
				 ((struct spb_fact_shift){(enum spb_class) class, set, (uint32_t)by}));
		top = spb_larger(top, e->high + by + 1);
	}
}

static void number_lanes(const struct numbering *n, struct ranges *taken)
{
	SPB_LIST(struct lane_number) numbers = {0};

	allocate(n, taken, true);
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		const struct spb_resource_of_all *r = resource(n, i);
		if (r->has_lane && !r->placed && !r->follows)
			SPB_PUSH(n->scratch, &numbers, ((struct lane_number){r->set, r->number, r->class, i}));
	}
	spb_sort(n->scratch, numbers.items, numbers.count, sizeof *numbers.items, by_lane_number);
	for (size_t i = 0, end; i < numbers.count; i = end) {
		for (end = i; end < numbers.count && numbers.items[end].set == numbers.items[i].set; end++)
			;
		shift_set(n, &numbers.items[i], end - i);
	}
	for (size_t i = 0; i < numbers.count; i++) {
		struct spb_resource_of_all *r = resource(n, numbers.items[i].index);
		const struct spb_fact_shift *shift = find_shift(n->scope, r->set, r->class);
		uint64_t binding = (uint64_t)r->number + shift->by;
		if (binding >= NUMBERS)
			no_room(n, r);
		r->binding = (uint32_t)binding;
		take_binding(n, taken, r->set, r->binding, r->fact->free->length);
	}
}

/* What goes along with another one, and what claims the same place */

static void sum_up_runs(const struct numbering *n)
{
	for (uint32_t i = n->scope->first; i < n->scope->end; i++)
		resource(n, i)->run = resource(n, i)->fact->free->length;
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		struct spb_resource_of_all *r = resource(n, i);
		struct spb_resource_of_all *lead = r->placed ? NULL : lead_of(n, r);
		uint64_t end = (uint64_t)r->fact->free->offset + r->fact->free->length;
		r->follows =
		    lead && (!lead->placed || !r->fact->free->offset); /* what is new in a struct goes by itself */
		if (r->follows && lead->run)
			lead->run = (uint32_t)spb_larger(lead->run, spb_smaller(end, UINT32_MAX));
	}
}

static void place_followers(const struct numbering *n)
{
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		struct spb_resource_of_all *r = resource(n, i);
		const struct spb_resource_of_all *lead = lead_of(n, r);
		if (!r->follows)
			continue;
		r->set = lead->set;
		r->binding = lead->binding + r->fact->free->offset;
	}
}

static int by_place(const void *a, const void *b)
{
	const struct spb_resource_of_all *x = *(struct spb_resource_of_all *const *)a;
	const struct spb_resource_of_all *y = *(struct spb_resource_of_all *const *)b;
	int order = spb_compare(x->set, y->set);

	return order ? order : spb_compare(x->binding, y->binding);
}

/* A program has judged what it has at one place by itself. Two programs may fix different names at one place, which
 * are then one descriptor, if it has one type. */
static bool may_share(const struct numbering *n, const struct spb_resource_of_all *a,
		      const struct spb_resource_of_all *b)
{
	if (lead_of(n, a) == b || lead_of(n, b) == a || (a->fact->heap && b->fact->heap))
		return true;
	return a->firm && b->firm && (a->firm == b->firm || a->entry.vk_type == b->entry.vk_type);
}

static void check_places(const struct numbering *n)
{
	uint32_t count = n->scope->end - n->scope->first;
	struct spb_resource_of_all **list = spb_alloc_array(n->scratch, count, sizeof(struct spb_resource_of_all *));

	for (uint32_t i = 0; i < count; i++)
		list[i] = resource(n, n->scope->first + i);
	spb_sort(n->scratch, list, count, sizeof *list, by_place);
	for (uint32_t i = 1; i < count; i++) {
		const struct spb_resource_of_all *a = list[i - 1], *b = list[i];
		const struct spb_resource_of_all *later = a->firm && !b->firm ? a : b, *other = later == a ? b : a;
		if (by_place(&list[i - 1], &list[i]) || may_share(n, a, b))
			continue;
		spb_workspace_fail(
		    n->w, SPB_ERROR_CONFLICT, SPB_E_SHARED_PLACE, n->w->programs.items[later->program].name,
		    "\"%s\" (%s) has set %u, binding %u here, where program %s has \"%s\" (%s); programs that share a "
		    "set (%s) have one descriptor there: correct one, or leave it unassigned",
		    later->fact->name, spb_descriptor_type_name(later->entry.vk_type), later->set, later->binding,
		    n->w->programs.items[other->program].name, other->fact->name,
		    spb_descriptor_type_name(other->entry.vk_type), n->scope->label);
	}
}

/* The lock knows shifts from earlier runs. */
static void keep_shifts(const struct numbering *n)
{
	struct spb_scope_lines lines = spb_lines_of(n->w, n->scope->label);

	for (size_t i = 0; i < lines.count; i++) {
		const struct spb_lock_entry *e = lines.items[i];
		if (e->shift)
			SPB_PUSH(n->w->keep, &n->scope->shifts,
				 ((struct spb_fact_shift){e->class, e->set, e->binding}));
	}
}

void spb_number_scope(struct spb_workspace_plan *w, struct spb_scope *scope)
{
	const struct numbering n = {w, scope, &w->c->scratch};
	struct ranges taken;

	keep_shifts(&n);
	find_homes(&n);
	sum_up_runs(&n);
	taken = find_taken(&n);
	number_lanes(&n, &taken);
	allocate(&n, &taken, false);
	place_followers(&n);
	check_places(&n);
}
