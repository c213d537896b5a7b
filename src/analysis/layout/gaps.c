/* SPDX-License-Identifier: Apache-2.0 */
/* gaps: free ranges of numbers, repeatedly searched for the first one that is long enough.
 *
 * A tree over the gaps stores the longest gap below each node, so a search is one walk down the tree. Gaps only shrink,
 * from their beginning. If searches start in the middle of a gap, it is cut there; a range may still extend over
 * adjacent parts.
 *
 * Most searches need a single number and find it in the first gap that is not empty, the front. This case does not use
 * the tree, which is built by the first search that needs it and catches up with the front gap in later ones. */
#include "analysis/layout/number.h"

void spb_gaps_begin(struct spb_gaps *g)
{
	g->count = g->front = 0;
	g->built = g->stale = false;
}

void spb_gaps_add(struct spb_gaps *g, struct spb_arena *arena, uint64_t begin, uint64_t end)
{
	for (size_t i = 0; i < g->cut_count && begin < end; i++) {
		if (g->cuts[i] <= begin || g->cuts[i] >= end)
			continue;
		SPB_PUSH(arena, g, ((struct spb_gap){begin, g->cuts[i]}));
		begin = g->cuts[i];
	}
	if (begin < end)
		SPB_PUSH(arena, g, ((struct spb_gap){begin, end}));
}

/* How many consecutive numbers are free from the beginning of gap `i`; the leaf of gap `i` + 1 must be up to date. */
static uint64_t room_of(const struct spb_gaps *g, size_t i)
{
	const struct spb_gap *gap = &g->items[i];
	bool goes_on = i + 1 < g->count && gap->begin < gap->end && gap[1].begin == gap->end;

	return gap->end - gap->begin + (goes_on ? g->longest[g->leaves + i + 1] : 0);
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
	for (size_t i = leaves; i--;)
		g->longest[leaves + i] = i < g->count ? room_of(g, i) : 0;
	for (size_t i = leaves; --i;)
		g->longest[i] = spb_larger(g->longest[2 * i], g->longest[2 * i + 1]);
	g->built = true;
}

static void update(struct spb_gaps *g, size_t i)
{
	size_t node = g->leaves + i;

	g->longest[node] = room_of(g, i);
	while (node /= 2)
		g->longest[node] = spb_larger(g->longest[2 * node], g->longest[2 * node + 1]);
}

/* Takes `length` numbers from the beginning of gap `i`, and of the adjacent ones as needed. */
static uint64_t shrink(struct spb_gaps *g, size_t i, uint64_t length)
{
	uint64_t first = g->items[i].begin;
	size_t last = i;

	for (;; last++) {
		uint64_t here = g->items[last].end - g->items[last].begin;
		here = spb_smaller(here, length);
		g->items[last].begin += here;
		length -= here;
		if (!length)
			break;
	}
	for (size_t k = last + 1; k-- > i;)
		update(g, k);
	for (uint64_t end = first; i && g->items[i - 1].end == end && g->items[i - 1].begin < end; i--) {
		end = g->items[i - 1].begin; /* a range from there no longer extends into this gap */
		update(g, i - 1);
	}
	return first;
}

/* The first gap that begins at or after `least`. */
static size_t find_from(const struct spb_gaps *g, uint64_t least)
{
	size_t low = 0, high = g->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (g->items[middle].begin < least)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Updates the tree for the front gap. The gaps before it are empty, so their leaves do not depend on it. */
static void refresh(struct spb_gaps *g)
{
	if (g->stale && g->built)
		update(g, g->front);
	g->stale = false;
}

static bool take_from_front(struct spb_gaps *g, uint64_t length, uint64_t *first)
{
	for (; g->front < g->count && g->items[g->front].begin == g->items[g->front].end; g->front++)
		refresh(g);
	if (g->front == g->count || g->items[g->front].end - g->items[g->front].begin < length)
		return false;
	*first = g->items[g->front].begin;
	g->items[g->front].begin += length;
	g->stale = true;
	return true;
}

static void need_tree(struct spb_gaps *g, struct spb_arena *arena)
{
	refresh(g);
	if (!g->built)
		build(g, arena);
}

bool spb_gaps_take(struct spb_gaps *g, struct spb_arena *arena, uint64_t least, uint64_t length, uint64_t *first)
{
	size_t node;

	if (!least && take_from_front(g, length, first))
		return true;
	need_tree(g, arena);
	node = g->leaves + (least ? find_from(g, least) : 0);
	if (!g->count || node >= g->leaves + g->count)
		return false;
	while (g->longest[node] < length) { /* go right, to the highest node that begins there */
		while (node & 1)
			node /= 2;
		if (!node)
			return false;
		node++;
	}
	while (node < g->leaves)
		node = 2 * node + (g->longest[2 * node] < length);
	*first = shrink(g, node - g->leaves, length);
	return true;
}

bool spb_gaps_take_rest(struct spb_gaps *g, struct spb_arena *arena, uint64_t end, uint64_t *first)
{
	need_tree(g, arena);
	if (!g->count || g->items[g->count - 1].end != end || g->items[g->count - 1].begin == end)
		return false;
	*first = shrink(g, g->count - 1, end - g->items[g->count - 1].begin);
	return true;
}
