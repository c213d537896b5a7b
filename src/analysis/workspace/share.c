/* SPDX-License-Identifier: Apache-2.0 */
/* share: numbers the resources of one scope, which several programs share, by the rules of analysis/layout/number.h.
 *
 *   1. Parameter blocks and heaps, which take whole sets, get sets that nothing else in the scope uses.
 *   2. Registers whose shift is not given are numbered in the lane of their class, which then gets a shift.
 *   3. Everything else is numbered in the lane of bindings, which all programs have in common, whatever their rules.
 *
 * Numbers that a program fixes, or that the lock file has, are taken first. */
#include "analysis/layout/number.h"
#include "analysis/workspace/workspace.h"

struct numbering {
	struct spb_workspace_plan *w;
	struct spb_scope *scope;
	struct spb_arena *scratch;
	struct spb_lanes lanes;
	SPB_LIST(const struct spb_lock_entry *) unseen; /* lines of resources that no program of the workspace has */
	struct spb_sets apart;                          /* sets in which a program always keeps lanes apart */
	struct spb_numbering numbers;
};

static struct spb_resource_of_all *resource(const struct numbering *n, uint32_t i)
{
	return &n->w->resources.items[n->w->resources.sorted[i]];
}

/* Makes the shifts of the scope known to its lanes. */
static void use_shifts(struct numbering *n)
{
	struct spb_shifts *shifts = &n->scope->shifts;

	spb_sort(n->scratch, shifts->items, shifts->count, sizeof *shifts->items, spb_by_shift);
	n->lanes.shifts = shifts->items;
	n->lanes.shift_count = shifts->count;
}

static uint32_t lane_of(const struct spb_resource_of_all *r)
{
	return r->has_lane ? spb_lane(0, r->class) : 0;
}

/* The end of a range; length 0: all that follow. */
static uint64_t end_of(uint64_t first, uint64_t length)
{
	return length ? spb_smaller(first + length, SPB_NUMBERS) : SPB_NUMBERS;
}

/* The resource that `r` moves along with; NULL: none. */
static struct spb_resource_of_all *lead_of(const struct numbering *n, const struct spb_resource_of_all *r)
{
	const struct spb_facts *facts = &n->w->programs.items[r->program].facts;

	return r->fact->free->lead ? &n->w->resources.items[facts->resources[r->fact->free->lead - 1]] : NULL;
}

/* Whole sets */

struct home { /* the set of a block, or of the heaps */
	const char *alone;
	uint32_t set;
	bool given; /* by the lock file */
};

struct homes {
	struct home *items;
	size_t count, capacity;
};

/* The other sets of programs that share their heaps, and the sets of heaps that others share. */
static void add_sets_beside_heaps(const struct numbering *n, const struct spb_share *share, struct spb_sets *used)
{
	const struct spb_workspace_plan *w = n->w;
	const bool own = spb_find_scope(w, share->programs) == n->scope;

	for (uint32_t i = 0; i < w->programs.count; i++) {
		const struct spb_workspace_program *p = &w->programs.items[i];
		for (uint32_t k = 0; k < p->facts.count && spb_glob(share->programs, p->name); k++) {
			const struct spb_fact *f = spb_fact_of(w, p, k);
			const struct spb_resource_of_all *r = &w->resources.items[p->facts.resources[k]];
			if (own ? !f->heap : f->heap && r->placed)
				SPB_PUSH(n->scratch, used, r->set);
		}
	}
}

/* Whether a program with a block or heaps in the scope shares this set. */
static bool is_shared(const struct numbering *n, const struct spb_share *share)
{
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		const struct spb_resource_of_all *r = resource(n, i);
		if (r->fact->free->alone && spb_glob(share->programs, n->w->programs.items[r->program].name))
			return true;
	}
	return false;
}

/* The sets that blocks and heaps may not get. */
static struct spb_sets find_used_sets(const struct numbering *n)
{
	struct spb_sets used = {0};

	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		const struct spb_resource_of_all *r = resource(n, i);
		if (!r->fact->free->alone || r->firm)
			SPB_PUSH(n->scratch, &used, r->set);
	}
	for (size_t i = 0; i < n->scope->reserved.count; i++)
		SPB_PUSH(n->scratch, &used, n->scope->reserved.items[i].set);
	for (size_t i = 0; i < n->unseen.count; i++)
		SPB_PUSH(n->scratch, &used, n->unseen.items[i]->set);
	for (size_t i = 0; i < n->w->shares.count; i++) {
		const struct spb_share *share = &n->w->shares.items[i];
		if (!is_shared(n, share))
			continue;
		if (share->set == SPB_SHARED_HEAPS)
			add_sets_beside_heaps(n, share, &used);
		else
			SPB_PUSH(n->scratch, &used, share->set);
	}
	return used;
}

/* Whether heaps can stay where modules have them: nothing else is in their sets, in any program, or the lock file has
 * one of them. */
static bool may_stay(const struct numbering *n, const struct spb_heap_at *heaps, size_t count)
{
	struct spb_sets used = {0};
	bool free = true;

	for (size_t i = 0; i < n->w->shares.count; i++) {
		if (n->w->shares.items[i].set == SPB_SHARED_HEAPS && is_shared(n, &n->w->shares.items[i]))
			add_sets_beside_heaps(n, &n->w->shares.items[i], &used);
	}
	spb_sort_sets(n->scratch, &used);
	for (size_t i = 0; i < count; i++) {
		if (resource(n, heaps[i].owner)->locked)
			return true;
		free &= heaps[i].open || !spb_is_set_used(&used, heaps[i].set);
	}
	return free;
}

/* Puts the heaps of all programs together: those of several compilers, and those of handles at their places. Where they
 * are in the way of other resources, all get a set of their own, like those of handles alone. */
static void unite_heaps(const struct numbering *n)
{
	SPB_LIST(struct spb_heap_at) heaps = {0};

	for (int others = 0; others < 2; others++) { /* those in the lock file first */
		for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
			const struct spb_resource_of_all *r = resource(n, i);
			const struct spb_fact *f = r->fact;
			if (f->heap && f->free->alone && (spb_is_free_heap(f) || !r->firm) &&
			    (r->locked == NULL) == (others > 0))
				SPB_PUSH(n->scratch, &heaps,
					 ((struct spb_heap_at){spb_descriptor_info(f->kind)->heap.kind, r->program,
							       r->set, r->binding, i, !r->firm && !r->placed}));
		}
	}
	const bool together =
	    spb_unite_heaps(n->scratch, heaps.items, heaps.count) && may_stay(n, heaps.items, heaps.count);
	for (size_t i = 0; i < heaps.count; i++) {
		const struct spb_heap_at *h = &heaps.items[i];
		struct spb_resource_of_all *r = resource(n, h->owner);
		r->set = h->set;
		r->binding = together ? h->binding : spb_heap_info(h->kind)->mutable;
		r->firm = together ? r->firm : 0;
		r->placed = together && !h->open;
	}
}

static struct homes list_homes(const struct numbering *n)
{
	struct homes homes = {0};

	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		const struct spb_resource_of_all *r = resource(n, i);
		size_t k = 0;
		if (!r->fact->free->alone || r->firm)
			continue;
		while (k < homes.count && strcmp(homes.items[k].alone, r->fact->free->alone) != 0)
			k++;
		if (k == homes.count)
			SPB_PUSH(n->scratch, &homes, ((struct home){r->fact->free->alone, r->set, false}));
		if (r->placed)
			homes.items[k] = (struct home){r->fact->free->alone, r->set, true};
	}
	return homes;
}

/* Chooses the sets of blocks and heaps. Homes are few: one per policy for a block, and one for heaps. */
static void find_homes(const struct numbering *n)
{
	struct homes homes = list_homes(n);
	struct spb_sets used = find_used_sets(n);

	for (size_t k = 0; k < homes.count; k++) {
		if (homes.items[k].given)
			SPB_PUSH(n->scratch, &used, homes.items[k].set);
	}
	for (size_t k = 0; k < homes.count; k++) {
		size_t next = 0;
		if (homes.items[k].given)
			continue;
		spb_sort_sets(n->scratch, &used);
		homes.items[k].set = (uint32_t)spb_first_free_set(&used, homes.items[k].set, &next);
		SPB_PUSH(n->scratch, &used, homes.items[k].set);
	}
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		struct spb_resource_of_all *r = resource(n, i);
		for (size_t k = 0; k < homes.count && r->fact->free->alone && !r->placed; k++) {
			if (!strcmp(homes.items[k].alone, r->fact->free->alone))
				r->set = homes.items[k].set;
		}
		r->placed |= r->fact->heap; /* the binding of a heap depends only on its kind */
	}
}

/* Taken numbers */

/* Takes a range of bindings in its own lane, and in the lane of bindings, which `r` may extend over, too. */
static void take_binding(struct numbering *n, struct spb_range r)
{
	struct spb_lanes lanes = n->lanes;

	lanes.automatic = spb_is_set_used(&n->apart, r.set);
	spb_take_binding(n->scratch, &lanes, &n->numbers.taken, &r);
	r.lane = 0;
	SPB_PUSH(n->scratch, &n->numbers.taken, r);
}

static void find_taken(struct numbering *n)
{
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		const struct spb_resource_of_all *r = resource(n, i);
		const uint32_t length = r->fact->free->length;
		if (r->firm && r->has_lane)
			SPB_PUSH(n->scratch, &n->numbers.taken,
				 ((struct spb_range){r->set, lane_of(r), r->number, i, end_of(r->number, length)}));
		else if (r->placed)
			take_binding(n,
				     (struct spb_range){r->set, lane_of(r), r->binding, i, end_of(r->binding, length)});
	}
	for (size_t i = 0; i < n->unseen.count; i++) {
		const struct spb_lock_entry *e = n->unseen.items[i];
		take_binding(n,
			     (struct spb_range){e->set, SPB_NO_LANE, e->binding, SPB_NO_OWNER, end_of(e->binding, 1)});
		spb_take_array(n->scratch, &n->lanes, &n->numbers.taken, e->set, e->binding, e->count);
	}
	for (size_t i = 0; i < n->scope->reserved.count; i++) {
		const struct spb_fact_reserve *r = &n->scope->reserved.items[i];
		spb_reserve_bindings(n->scratch, &n->lanes, &n->numbers.reserved, r->set, r->first, r->last);
	}
}

/* Numbers */

static noreturn void no_room(const struct numbering *n, const struct spb_resource_of_all *r)
{
	struct spb_text_buffer name = {.arena = n->scratch};

	spb_text_format(&name, "\"%s\"", r->name);
	spb_workspace_fail(n->w, SPB_ERROR_CONFLICT, SPB_E_NO_ROOM, n->w->programs.items[r->program].name,
			   "%s, which programs share (%s)" SPB_REMEDY "Use another set.",
			   spb_no_room_text(spb_text_end(&name), r->run, r->set, n->scratch), n->scope->label);
}

static void claim(struct numbering *n, uint32_t i)
{
	const struct spb_resource_of_all *r = resource(n, i);
	const struct spb_freedom *f = r->fact->free;
	struct spb_claim c = {.set = r->set,
			      .lane = lane_of(r),
			      .owner = i,
			      .length = r->run,
			      .first = r->has_lane ? 0 : f->from,
			      .last = UINT32_MAX};

	if (f->has_range)
		spb_claim_bindings(&n->lanes, &c, f->first, f->last);
	SPB_PUSH(n->scratch, f->has_range ? &n->numbers.ranged : &n->numbers.open, c);
}

static void put_numbers(const struct numbering *n, const struct spb_claims *claims)
{
	for (size_t i = 0; i < claims->count; i++) {
		const struct spb_claim *c = &claims->items[i];
		struct spb_resource_of_all *r = resource(n, c->owner);
		*(r->has_lane ? &r->number : &r->binding) = c->number;
	}
}

/* Numbers the open resources: those in lanes of register classes, or those in the lane of bindings. */
static void allocate(struct numbering *n, bool lanes)
{
	const struct spb_claim *refused;

	n->numbers.ranged.count = n->numbers.open.count = 0;
	n->numbers.lanes = &n->lanes;
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		const struct spb_resource_of_all *r = resource(n, i);
		if (!r->placed && !r->firm && !r->follows && r->has_lane == lanes)
			claim(n, i);
	}
	refused = spb_number_claims(n->scratch, &n->numbers);
	if (refused)
		no_room(n, resource(n, refused->owner));
	put_numbers(n, &n->numbers.ranged);
	put_numbers(n, &n->numbers.open);
}

/* Decides the shifts of lanes that have numbers, but no shift yet. */
static void decide_shifts(struct numbering *n)
{
	SPB_LIST(struct spb_numbered) numbers = {0};
	struct spb_shifts shifts = {0};

	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		const struct spb_resource_of_all *r = resource(n, i);
		if (r->placed)
			SPB_PUSH(n->scratch, &numbers,
				 ((struct spb_numbered){r->set, r->binding, SPB_NO_LANE, false, false}));
		else if (r->has_lane && !r->follows)
			SPB_PUSH(
			    n->scratch, &numbers,
			    ((struct spb_numbered){r->set, r->number, lane_of(r), r->fact->free->must_shift, false}));
	}
	for (size_t i = 0; i < n->unseen.count; i++)
		SPB_PUSH(n->scratch, &numbers,
			 ((struct spb_numbered){n->unseen.items[i]->set, n->unseen.items[i]->binding, SPB_NO_LANE,
						false, false}));
	spb_decide_shifts(n->scratch, &n->lanes, numbers.items, numbers.count, true, n->scratch, &shifts);
	for (size_t i = 0; i < shifts.count; i++) {
		if (shifts.items[i].automatic)
			SPB_PUSH(n->w->keep, &n->scope->shifts, shifts.items[i]);
	}
	use_shifts(n);
}

static void number_lanes(struct numbering *n)
{
	allocate(n, true);
	decide_shifts(n);
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		struct spb_resource_of_all *r = resource(n, i);
		uint32_t by;
		if (!r->has_lane || r->placed || r->follows)
			continue;
		spb_known_shift(&n->lanes, lane_of(r), r->set, &by);
		if (r->number > UINT32_MAX - by)
			no_room(n, r);
		r->binding = r->number + by;
		SPB_PUSH(n->scratch, &n->numbers.taken,
			 ((struct spb_range){r->set, 0, r->binding, i, end_of(r->binding, r->fact->free->length)}));
	}
}

/* Resources that move along with others, and places that several resources claim */

/* If the lock file places one view of a descriptor, it places all of them. */
static void place_leads(const struct numbering *n)
{
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		const struct spb_resource_of_all *r = resource(n, i);
		struct spb_resource_of_all *lead = lead_of(n, r);
		if (!lead || r->fact->free->offset || !r->placed || lead->placed || lead->firm)
			continue;
		lead->set = r->set;
		lead->binding = r->binding;
		lead->placed = true;
	}
}

/* Finds out which resources follow their leads, and the length of the runs. */
static void sum_up_runs(const struct numbering *n)
{
	for (uint32_t i = n->scope->first; i < n->scope->end; i++)
		resource(n, i)->run = resource(n, i)->fact->free->length;
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		struct spb_resource_of_all *r = resource(n, i);
		struct spb_resource_of_all *lead = r->placed ? NULL : lead_of(n, r);
		uint64_t end = (uint64_t)r->fact->free->offset + r->fact->free->length;
		/* a new member of a struct that has its place already is numbered on its own */
		r->follows = lead && (!lead->placed || !r->fact->free->offset);
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

/* The leader of the views of its descriptor, according to its program; possibly itself. */
static const struct spb_resource_of_all *first_of(const struct numbering *n, const struct spb_resource_of_all *r)
{
	const struct spb_resource_of_all *lead = r->fact->free->offset ? NULL : lead_of(n, r);

	return lead ? lead : r;
}

/* Whether two resources may share a place. Two programs may fix resources with different names at one place if they
 * have the same descriptor type. Sharing within a program has been checked by its own layout. */
static bool may_share(const struct numbering *n, const struct spb_resource_of_all *a,
		      const struct spb_resource_of_all *b)
{
	if (first_of(n, a) == first_of(n, b) || (a->fact->heap && b->fact->heap))
		return true;
	return a->firm && b->firm && (a->firm == b->firm || a->entry.vk_type == b->entry.vk_type);
}

static bool is_locked(const struct spb_resource_of_all *r)
{
	return r->locked && !r->firm;
}

/* Two lines of the lock file give different resources one place, as after two branches were merged as text. */
static noreturn void lines_meet(const struct numbering *n, const struct spb_resource_of_all *a,
				const struct spb_resource_of_all *b)
{
	const struct spb_resource_of_all *later = a->locked->line > b->locked->line ? a : b,
					 *other = later == a ? b : a;
	struct spb_text_buffer text = {.arena = &n->w->c->scratch};

	spb_text_format(&text,
			"\"%s\" has set %u, binding %u, which line %u gives \"%s\"" SPB_REMEDY
			"Merge the locks of two branches with spirv-bind lock merge, or delete one of the lines.",
			later->name, later->set, later->binding, (unsigned)other->locked->line, other->name);
	spb_deliver(n->w->c, &(const spb_message){.severity = SPB_SEVERITY_ERROR,
						  .code = SPB_E_SHARED_PLACE,
						  .module = n->w->lock_file,
						  .pass = "workspace",
						  .line = (uint32_t)later->locked->line,
						  .text = spb_text_end(&text)});
	spb_throw(n->w->c, SPB_ERROR_CONFLICT);
}

/* A binding with heaps of several types has mutable descriptors, whichever programs read them. */
static void mix_heaps(struct spb_resource_of_all *const *list, uint32_t count)
{
	for (uint32_t i = 0, end; i < count; i = end) {
		uint16_t types = 0;
		for (end = i; end < count && !by_place(&list[i], &list[end]) && list[end]->fact->heap; end++)
			types |= list[end]->entry.types;
		for (uint32_t k = i; k < end && types & (types - 1); k++) {
			list[k]->entry.types = types;
			list[k]->entry.vk_type = SPB_VK_MUTABLE;
		}
		end += end == i;
	}
}

static void check_place(const struct numbering *n, const struct spb_resource_of_all *a,
			const struct spb_resource_of_all *b)
{
	const struct spb_resource_of_all *later = a->firm && !b->firm ? a : b, *other = later == a ? b : a;
	const struct spb_workspace_program *programs = n->w->programs.items;

	if (may_share(n, a, b))
		return;
	if (is_locked(a) && is_locked(b))
		lines_meet(n, a, b);
	spb_workspace_fail(
	    n->w, SPB_ERROR_CONFLICT, SPB_E_SHARED_PLACE, programs[later->program].name, "%r",
	    spb_place_taken(n->w, later->name, later->entry.vk_type, other, programs[other->program].name));
}

/* Only those that have a bit of the mask in common meet; without mappings, all do. */
static void check_places(const struct numbering *n)
{
	const uint32_t every = (1u << SPB_RESOURCE_MASK_BITS) - 1;
	uint32_t count = n->scope->end - n->scope->first;
	struct spb_resource_of_all **list = spb_alloc_array(n->scratch, count, sizeof(struct spb_resource_of_all *));
	const struct spb_resource_of_all *before[SPB_RESOURCE_MASK_BITS] = {NULL}; /* the last one at the place */

	for (uint32_t i = 0; i < count; i++)
		list[i] = resource(n, n->scope->first + i);
	spb_sort(n->scratch, list, count, sizeof *list, by_place);
	mix_heaps(list, count);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t mask = list[i]->entry.mask ? list[i]->entry.mask : every;
		if (i && by_place(&list[i - 1], &list[i]))
			memset(before, 0, sizeof before);
		for (uint32_t bit = 0; bit < SPB_RESOURCE_MASK_BITS; bit++) {
			if (!(mask >> bit & 1))
				continue;
			if (before[bit])
				check_place(n, before[bit], list[i]);
			before[bit] = list[i];
		}
	}
}

/* Shifts that the modules record, where they agree: modules that have been bound keep their numbers, and registers of
 * others meet them. Those of the lock file come first. */
static void use_recorded(struct numbering *n)
{
	struct spb_shifts *recorded = &n->scope->recorded;
	const size_t locked = n->scope->shifts.count;
	uint32_t by;

	spb_sort(n->scratch, recorded->items, recorded->count, sizeof *recorded->items, spb_by_shift);
	for (size_t i = 0, end; i < recorded->count; i = end) {
		const struct spb_shift *shift = &recorded->items[i];
		bool differ = false;
		for (end = i; end < recorded->count && !spb_by_shift(&recorded->items[end], shift); end++)
			differ |= recorded->items[end].by != shift->by;
		if (!differ &&
		    !spb_find_shift(n->scope->shifts.items, locked, spb_lane(0, shift->class), shift->set, &by))
			SPB_PUSH(n->w->keep, &n->scope->shifts, *shift);
	}
	use_shifts(n);
}

/* Reads the lines of the lock file that apply to the scope. */
static void apply_lines(struct numbering *n)
{
	const char *const labels[] = {NULL, n->scope->label};

	for (size_t k = 0; k < SPB_COUNT(labels); k++) {
		const struct spb_scope_lines lines = spb_lines_of(n->w, labels[k]);
		for (size_t i = 0; i < lines.count; i++) {
			const struct spb_lock_entry *e = lines.items[i];
			if (e->shift && labels[k]) /* from earlier runs */
				SPB_PUSH(n->w->keep, &n->scope->shifts,
					 ((struct spb_shift){
					     .class = e->class, .has_set = true, .set = e->set, .by = e->binding}));
			else if (!e->shift && !e->push && !e->seen)
				SPB_PUSH(n->scratch, &n->unseen, e);
		}
	}
	use_shifts(n);
	use_recorded(n);
}

/* Finds the sets whose lanes are kept apart even if no numbers collide. */
static void find_apart(struct numbering *n)
{
	for (uint32_t i = n->scope->first; i < n->scope->end; i++) {
		const struct spb_resource_of_all *r = resource(n, i);
		if (r->has_lane && r->fact->free->must_shift)
			SPB_PUSH(n->scratch, &n->apart, r->set);
	}
	spb_sort_sets(n->scratch, &n->apart);
}

void spb_number_scope(struct spb_workspace_plan *w, struct spb_scope *scope)
{
	struct numbering n = {
	    .w = w, .scope = scope, .scratch = &w->c->scratch, .lanes = {.end = spb_lane(1, SPB_CLASS_B)}};

	apply_lines(&n);
	find_apart(&n);
	unite_heaps(&n);
	find_homes(&n);
	place_leads(&n);
	sum_up_runs(&n);
	find_taken(&n);
	number_lanes(&n);
	allocate(&n, false);
	place_followers(&n);
	check_places(&n);
}
