/* SPDX-License-Identifier: Apache-2.0 */
/* unite_heaps: where the heaps of several compilers come to lie, so that a program, or a game, has one set of
 * descriptors:
 *
 *     Slang    set 0: samplers 0, everything else 2        first.slang: both stay
 *     DXC      set 0: everything else 1, samplers 2        second.hlsl: to 2, and to 0
 *
 * The first heap of a kind keeps its place, and those of later modules or programs join it. What such a heap has
 * besides, in the mutable descriptors of its binding, comes along. Two heaps of one module never become one. */
#include "analysis/resources/resources.h"

struct place { /* of heaps of one module */
	uint32_t set, binding;
	size_t from, to;        /* its heaps, sorted */
	uint32_t module, first; /* of its first heap */
	uint32_t kinds;         /* bits: 1 << spb_heap_kind */
};

struct uniting {
	struct spb_heap_at **sorted;
	struct place *places;
	const struct place *home[SPB_HEAP_KINDS]; /* of each kind; NULL: none yet */
	const struct place *mutable;              /* the first that has several kinds */
};

static int by_place(const void *a, const void *b)
{
	const struct spb_heap_at *x = *(struct spb_heap_at *const *)a, *y = *(struct spb_heap_at *const *)b;

	if (x->module != y->module)
		return spb_compare(x->module, y->module);
	if (x->set != y->set)
		return spb_compare(x->set, y->set);
	return x->binding != y->binding ? spb_compare(x->binding, y->binding) : (x > y) - (x < y);
}

static int by_first(const void *a, const void *b)
{
	return spb_compare(((const struct place *)a)->first, ((const struct place *)b)->first);
}

static bool may_mix(uint32_t kind)
{
	return spb_heap_info((spb_heap_kind)kind)->may_mix;
}

/* Finds the places, in the order of their first heaps. */
static size_t list_places(struct uniting *u, struct spb_heap_at *heaps, size_t count, struct spb_arena *scratch)
{
	size_t fixed = 0, places = 0;

	for (size_t i = 0; i < count; i++) {
		if (!heaps[i].open)
			u->sorted[fixed++] = &heaps[i];
	}
	spb_sort(scratch, u->sorted, fixed, sizeof *u->sorted, by_place);
	for (size_t i = 0; i < fixed; i++) {
		const struct spb_heap_at *h = u->sorted[i], *before = i ? u->sorted[i - 1] : NULL;
		if (!before || h->module != before->module || h->set != before->set || h->binding != before->binding)
			u->places[places++] = (struct place){.set = h->set,
							     .binding = h->binding,
							     .from = i,
							     .module = h->module,
							     .first = (uint32_t)(h - heaps)};
		u->places[places - 1].to = i + 1;
		u->places[places - 1].kinds |= 1u << h->kind;
	}
	spb_sort(scratch, u->places, places, sizeof *u->places, by_first);
	return places;
}

static void move(struct spb_heap_at *h, const struct place *to)
{
	h->set = to->set;
	h->binding = to->binding;
}

/* Decides where the heaps of a place go: those of each kind to the home of that kind, and others that may share a
 * binding along with them. */
static void unite(struct uniting *u, const struct place *p)
{
	const struct place *to[SPB_HEAP_KINDS], *along = u->mutable;
	uint32_t mixed = 0, last = 0;

	for (uint32_t k = 0; k < SPB_HEAP_KINDS; k++) {
		const bool has = p->kinds >> k & 1;
		to[k] = has && u->home[k] && u->home[k]->module != p->module ? u->home[k] : p;
		if (has && may_mix(k)) {
			along = to[k] != p ? to[k] : along;
			mixed |= 1u << k;
			last = k;
		}
	}
	for (uint32_t k = 0; k < SPB_HEAP_KINDS; k++) {
		if (mixed >> k & 1 && to[k] == p && along && along->module != p->module)
			to[k] = along;
		if (p->kinds >> k & 1 && !u->home[k])
			u->home[k] = to[k];
	}
	if (!u->mutable && mixed & (mixed - 1))
		u->mutable = to[last];
	for (size_t i = p->from; i < p->to; i++)
		move(u->sorted[i], to[u->sorted[i]->kind]);
}

static bool is_at(const struct place *a, const struct place *b)
{
	return a && b && a->set == b->set && a->binding == b->binding;
}

/* Whether two kinds that cannot share a binding have come to one. Heaps of two modules at one binding also show that
 * its descriptors are mutable. */
static bool collide(struct uniting *u)
{
	bool found = false;

	for (uint32_t a = 0; a < SPB_HEAP_KINDS; a++) {
		for (uint32_t b = 0; b < a; b++) {
			if (!is_at(u->home[a], u->home[b]))
				continue;
			found |= !may_mix(a) || !may_mix(b);
			u->mutable = u->mutable ? u->mutable : u->home[a];
		}
	}
	return found;
}

bool spb_unite_heaps(struct spb_arena *scratch, struct spb_heap_at *heaps, size_t count)
{
	struct uniting u = {.sorted = spb_alloc_array(scratch, count, sizeof(struct spb_heap_at *)),
			    .places = spb_alloc_array(scratch, count, sizeof *u.places)};
	const size_t places = list_places(&u, heaps, count, scratch);

	for (size_t i = 0; i < places; i++)
		unite(&u, &u.places[i]);
	const bool wrong = collide(&u);
	for (size_t i = 0; i < count; i++) {
		const struct place *home = heaps[i].open ? u.home[heaps[i].kind] : NULL;
		if (heaps[i].open && !home && may_mix(heaps[i].kind))
			home = u.mutable;
		if (home)
			move(&heaps[i], home);
		heaps[i].open &= !home;
	}
	return !wrong;
}
