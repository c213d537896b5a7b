/* SPDX-License-Identifier: Apache-2.0 */
/* gaps: free ranges of numbers, searched again and again for the first that is long enough.
 *
 * A tree over the gaps stores the longest one below each node, so a search is one walk down, independent of earlier
 * ones. Gaps only shrink, from their beginning. */
#include "analysis/layout/plan.h"

void spb_gaps_begin(struct spb_gaps *g)
{
	g->count = 0;
	g->built = false;
}

void spb_gaps_add(struct spb_gaps *g, struct spb_arena *arena, uint64_t begin, uint64_t end)
{
	if (begin < end)
		SPB_PUSH(arena, g, ((struct spb_gap){begin, end}));
}

static uint64_t longer(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void build(struct spb_gaps *g, struct spb_arena *arena)
{
	size_t leaves = 1;

	while (leaves < g->count)
		leaves *= 2;
	if (leaves > g->leaves_capacity) {
		g->longest = spb_alloc_array(arena, 2 * leaves, sizeof *g->longest);
		g->leaves_capacity = leaves;
	}
	g->leaves = leaves;
	for (size_t i = 0; i < leaves; i++)
		g->longest[leaves + i] = i < g->count ? g->items[i].end - g->items[i].begin : 0;
	for (size_t i = leaves; --i;)
		g->longest[i] = longer(g->longest[2 * i], g->longest[2 * i + 1]);
	g->built = true;
}

/* Takes the first `length` numbers of gap `i`. */
static uint64_t shrink(struct spb_gaps *g, size_t i, uint64_t length)
{
	uint64_t first = g->items[i].begin;

	g->items[i].begin += length;
	i += g->leaves;
	g->longest[i] -= length;
	while (i /= 2)
		g->longest[i] = longer(g->longest[2 * i], g->longest[2 * i + 1]);
	return first;
}

bool spb_gaps_take(struct spb_gaps *g, struct spb_arena *arena, uint64_t length, uint64_t *first)
{
	size_t i = 1;

	if (!g->built)
		build(g, arena);
	if (!g->count || g->longest[1] < length)
		return false;
	while (i < g->leaves)
		i = 2 * i + (g->longest[2 * i] < length);
	*first = shrink(g, i - g->leaves, length);
	return true;
}

bool spb_gaps_take_rest(struct spb_gaps *g, struct spb_arena *arena, uint64_t end, uint64_t *first)
{
	if (!g->built)
		build(g, arena);
	if (!g->count || g->items[g->count - 1].end != end || g->items[g->count - 1].begin == end)
		return false;
	*first = shrink(g, g->count - 1, end - g->items[g->count - 1].begin);
	return true;
}
