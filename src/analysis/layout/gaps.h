/* SPDX-License-Identifier: Apache-2.0 */
/* gaps: free ranges of numbers, in ascending order, of which the first that fits is found quickly. */
#ifndef SPB_GAPS_H
#define SPB_GAPS_H

#include "base/base.h"

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

#endif
