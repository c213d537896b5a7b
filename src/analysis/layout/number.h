/* SPDX-License-Identifier: Apache-2.0 */
/* number: numbers for what has none yet, in the lanes of descriptor sets.
 *
 * A lane is a number space of a set. Lane 0 is that of its bindings; the others are register classes, each with a shift
 * that turns its numbers into bindings of the set. Numbers are given to claims, whoever makes them: a program for its
 * parameters, a workspace for the resources that its programs have in common. */
#ifndef SPB_NUMBER_H
#define SPB_NUMBER_H

#include "analysis/layout/policy.h"

/* Lanes of classes, once for each group of shifts (policy.h). */
static inline uint32_t spb_lane(uint32_t group, enum spb_class class)
{
	return 1 + SPB_CLASS_COUNT * group + (uint32_t) class;
}

static inline enum spb_class spb_lane_class(uint32_t lane)
{
	return (enum spb_class)((lane - 1) % SPB_CLASS_COUNT);
}

static inline uint32_t spb_lane_group(uint32_t lane)
{
	return (lane - 1) / SPB_CLASS_COUNT;
}

#define SPB_NUMBERS ((uint64_t)UINT32_MAX + 1) /* in a lane */
#define SPB_NOBODY  UINT32_MAX                 /* owns what is only occupied */
#define SPB_NO_LANE UINT32_MAX                 /* of a binding that no lane counts */

/* The lanes of all sets, and their shifts, as far as they are known. */
struct spb_lanes {
	const struct spb_policies *policies; /* shifts that the caller gives; NULL: none */
	const struct spb_shift *shifts;      /* others, ascending by set, group and class */
	size_t shift_count;
	uint32_t first, end; /* first: 0, or 1 where every resource has a register */
	bool automatic;      /* unknown shifts will keep their lanes clear of bindings, whatever those are */
};

/* False: nothing is known of its shift yet, and *by is 0. */
bool spb_known_shift(const struct spb_lanes *lanes, uint32_t lane, uint32_t set, uint32_t *by);
int spb_by_shift(const void *a, const void *b); /* set, group, class */
/* `shifts` ascend like that. False: there is none, and *by is unchanged. */
bool spb_find_shift(const struct spb_shift *shifts, size_t count, uint32_t lane, uint32_t set, uint32_t *by);

/* What is taken */

struct spb_range { /* numbers [first, end) of a lane */
	uint32_t set, lane, first;
	uint32_t owner;
	uint64_t end;
};

struct spb_ranges {
	struct spb_range *items;
	size_t count, capacity;
};

void spb_sort_ranges(struct spb_arena *scratch, struct spb_ranges *ranges); /* by all but their end */

static inline bool spb_same_lane(const struct spb_range *a, const struct spb_range *b)
{
	return a->set == b->set && a->lane == b->lane;
}

/* Takes bindings: `r` in its own lane, and the first of them in every lane that could be shifted onto it. */
void spb_take_binding(struct spb_arena *scratch, const struct spb_lanes *lanes, struct spb_ranges *taken,
		      const struct spb_range *r);

/* Keeps bindings from `first` to `last` free, in every lane that could be shifted onto them. */
void spb_reserve_bindings(struct spb_arena *scratch, const struct spb_lanes *lanes, struct spb_ranges *reserved,
			  uint32_t set, uint32_t first, uint32_t last);

/* Numbers */

struct spb_claim {                           /* numbers in a row for a resource, or for several that stay together */
	uint32_t set, lane, order, imported; /* claims of a lane are served in this order, else as they were made */
	uint32_t owner;
	uint32_t length;      /* 0: all that follow the last number taken */
	uint32_t first, last; /* the numbers to choose from */
	uint32_t number;      /* decided, once it is served */
	bool served;
};

/* It is to choose from these bindings. */
void spb_claim_bindings(const struct spb_lanes *lanes, struct spb_claim *c, uint32_t first, uint32_t last);

struct spb_claims {
	struct spb_claim *items;
	size_t count, capacity;
};

struct spb_numbering {
	struct spb_ranges taken;    /* by what has numbers */
	struct spb_ranges reserved; /* kept from claims that have no range of their own */
	struct spb_claims ranged;   /* with a range of their own: served first */
	struct spb_claims open;
};

/* Gives every claim the first free range that fits. Returns the claim that finds none, or NULL. The claims
 * are sorted: they are served in the order in which they come out. */
const struct spb_claim *spb_number_claims(struct spb_arena *scratch, struct spb_numbering *n);

/* gaps.c: free ranges of numbers, in ascending order, of which the first that fits is found quickly */

struct spb_gaps {
	struct spb_gap {
		uint64_t begin, end;
	} * items;
	size_t count, capacity;
	uint64_t *longest; /* tree: [2 * leaves]; at a leaf, the free numbers in a row from its beginning on */
	size_t leaves, leaves_capacity;
	size_t front; /* those before it are empty */
	bool built;
	bool stale;           /* the tree does not know yet what has been taken from the front one */
	const uint64_t *cuts; /* ascending: numbers from which something is looked for */
	size_t cut_count;
};

void spb_gaps_begin(struct spb_gaps *g);
void spb_gaps_add(struct spb_gaps *g, struct spb_arena *arena, uint64_t begin, uint64_t end);
/* Takes the first range of `length` from `least` on, which is 0 or one of the cuts; false: there is none. */
bool spb_gaps_take(struct spb_gaps *g, struct spb_arena *arena, uint64_t least, uint64_t length, uint64_t *first);
/* Takes what is free at the end, up to `end`. */
bool spb_gaps_take_rest(struct spb_gaps *g, struct spb_arena *arena, uint64_t end, uint64_t *first);

/* Shifts */

struct spb_numbered {               /* a number that is decided */
	uint32_t set, number, lane; /* SPB_NO_LANE: it is a binding already */
	bool apart;                 /* the lanes of its set are kept apart, even if none of their numbers are equal */
};

/* The shifts of all lanes that have numbers. Those that are not known are 0, unless the lanes of a set have to be kept
 * apart: because a number says so or, with `implied`, because two classes collide. Then they are the smallest that do,
 * lane by lane. Sorts the numbers. */
void spb_decide_shifts(struct spb_arena *scratch, const struct spb_lanes *lanes, struct spb_numbered *numbers,
		       size_t count, bool implied, struct spb_arena *keep, struct spb_shifts *shifts);

/* Whole sets */

struct spb_sets { /* in use, ascending, some of them several times */
	uint32_t *items;
	size_t count, capacity;
};

void spb_sort_sets(struct spb_arena *scratch, struct spb_sets *sets);
bool spb_is_set_used(const struct spb_sets *sets, uint32_t set);
/* The first free set from `set` on; more than UINT32_MAX: there is none. *next: 0 at first; no set asked for later is
 * lower. */
uint64_t spb_first_free_set(const struct spb_sets *sets, uint64_t set, size_t *next);

#endif
