/* SPDX-License-Identifier: Apache-2.0 */
/* number: assigns free numbers in the lanes of descriptor sets.
 *
 * A lane is a number space of a set. Lane 0 contains the bindings of the set; the others are register classes, each
 * with a shift that turns its numbers into bindings. Numbers are assigned to claims: a program makes them for its
 * parameters, a workspace for the resources that its programs share. */
#ifndef SPB_NUMBER_H
#define SPB_NUMBER_H

#include "analysis/layout/policy.h"

/* The lane of a register class. Each group of shifts (spb_shift.group) has its own lanes. */
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

#define SPB_NUMBERS  ((uint64_t)UINT32_MAX + 1) /* in a lane */
#define SPB_NO_OWNER UINT32_MAX                 /* owner of numbers that no parameter has */
#define SPB_NO_LANE  UINT32_MAX                 /* of a binding that is in no lane */

/* The lanes of all sets, with the shifts that are known. */
struct spb_lanes {
	const struct spb_policies *policies; /* shifts of the user, which come first; NULL: none */
	const struct spb_shift *shifts;      /* other known shifts, ascending by set, group and class */
	size_t shift_count;
	uint32_t first, end; /* first: 1 if every resource has a register, else 0 */
	bool automatic;      /* unknown shifts will be chosen so that their lanes avoid all bindings */
};

/* The shift of a lane. False: it is not known yet, and *by is 0. */
bool spb_known_shift(const struct spb_lanes *lanes, uint32_t lane, uint32_t set, uint32_t *by);
int spb_by_shift(const void *a, const void *b); /* set, group, class */
/* `shifts` are in that order. False: there is none, and *by is unchanged. */
bool spb_find_shift(const struct spb_shift *shifts, size_t count, uint32_t lane, uint32_t set, uint32_t *by);

/* Taken and reserved numbers */

struct spb_range { /* numbers [first, end) of a lane */
	uint32_t set, lane, first;
	uint32_t owner;
	uint64_t end;
};

struct spb_ranges {
	struct spb_range *items;
	size_t count, capacity;
};

void spb_sort_ranges(struct spb_arena *scratch, struct spb_ranges *ranges); /* by everything but their end */

static inline bool spb_same_lane(const struct spb_range *a, const struct spb_range *b)
{
	return a->set == b->set && a->lane == b->lane;
}

/* Takes the bindings `r` in their own lane, and the first of them in every lane that could be shifted onto it. */
void spb_take_binding(struct spb_arena *scratch, const struct spb_lanes *lanes, struct spb_ranges *taken,
		      const struct spb_range *r);

/* Takes the registers of an array that begins at a binding, in each lane with a known shift, since its class is not
 * known. */
void spb_take_array(struct spb_arena *scratch, const struct spb_lanes *lanes, struct spb_ranges *taken, uint32_t set,
		    uint32_t binding, uint32_t count);

/* Reserves the bindings from `first` to `last` in every lane that could be shifted onto them. */
void spb_reserve_bindings(struct spb_arena *scratch, const struct spb_lanes *lanes, struct spb_ranges *reserved,
			  uint32_t set, uint32_t first, uint32_t last);

/* Numbers */

struct spb_claim {                               /* consecutive numbers for a resource, or for several in one run */
	uint32_t set, lane, order, imported, at; /* sort key: claims are served in this order; equal ones as made */
	uint32_t owner;
	uint32_t length;      /* 0: all that follow the last number taken */
	uint32_t first, last; /* the numbers it may get */
	uint32_t number;      /* the first one, once it is served */
	bool served;
};

/* Restricts a claim to these bindings. */
void spb_claim_bindings(const struct spb_lanes *lanes, struct spb_claim *c, uint32_t first, uint32_t last);

struct spb_claims {
	struct spb_claim *items;
	size_t count, capacity;
};

struct spb_numbering {
	struct spb_ranges taken;       /* not available to any claim */
	struct spb_ranges reserved;    /* not available to open claims */
	struct spb_claims ranged;      /* claims for which a policy gives a range: served first */
	struct spb_claims open;        /* all others */
	const struct spb_lanes *lanes; /* with shifts of an earlier run: claims must get different bindings */
};

/* Sorts the claims, and gives each one the first free range that fits. Returns the first claim that finds none, or
 * NULL. */
const struct spb_claim *spb_number_claims(struct spb_arena *scratch, struct spb_numbering *n);

/* gaps.c: free ranges of numbers, in ascending order, and a tree to find the first one that fits */

struct spb_gaps {
	struct spb_gap {
		uint64_t begin, end;
	} * items;
	size_t count, capacity;
	uint64_t *longest; /* tree: [2 * leaves]; a leaf counts consecutive free numbers from its beginning */
	size_t leaves, leaves_capacity;
	size_t front; /* the gaps before it are empty */
	bool built;
	bool stale;           /* the tree is out of date about the front gap */
	const uint64_t *cuts; /* ascending: where searches may start */
	size_t cut_count;
};

void spb_gaps_begin(struct spb_gaps *g);
void spb_gaps_add(struct spb_gaps *g, struct spb_arena *arena, uint64_t begin, uint64_t end);
/* Takes the first range of `length` numbers at or above `least`, which is 0 or a cut. False: there is none. */
bool spb_gaps_take(struct spb_gaps *g, struct spb_arena *arena, uint64_t least, uint64_t length, uint64_t *first);
/* Takes the last gap if it reaches `end`. False: it does not. */
bool spb_gaps_take_rest(struct spb_gaps *g, struct spb_arena *arena, uint64_t end, uint64_t *first);

/* Shifts */

struct spb_numbered {               /* a number that has been assigned */
	uint32_t set, number, lane; /* SPB_NO_LANE: it is a binding already */
	bool apart;                 /* the lanes of its set must not overlap, even if no numbers collide */
	bool removed;               /* its resource is removed, but still counts */
};

/* Decides the shifts of all lanes that have numbers. Unknown shifts are 0 unless the lanes of a set must be kept apart:
 * because a number demands it (apart) or, with `implied`, because two classes collide. Then each lane gets the smallest
 * shift with which it has no number in common with those before it and with known ones. Sorts the numbers. */
void spb_decide_shifts(struct spb_arena *scratch, const struct spb_lanes *lanes, struct spb_numbered *numbers,
		       size_t count, bool implied, struct spb_arena *keep, struct spb_shifts *shifts);

/* Whole sets */

struct spb_sets { /* sets in use, ascending once sorted, with duplicates */
	uint32_t *items;
	size_t count, capacity;
};

void spb_sort_sets(struct spb_arena *scratch, struct spb_sets *sets);
bool spb_is_set_used(const struct spb_sets *sets, uint32_t set);
/* The first free set at or above `set`; greater than UINT32_MAX: there is none. *next is 0 initially; later calls must
 * not pass a lower set. */
uint64_t spb_first_free_set(const struct spb_sets *sets, uint64_t set, size_t *next);

/* allocate.c: why it cannot be numbered; length 0: of an array without a size. In `arena`. */
const char *spb_no_room_text(const char *name, uint64_t length, uint32_t set, struct spb_arena *arena);

#endif
