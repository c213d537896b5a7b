/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_memory: the contents of variables at each point.
 *
 * A variable of a function, and the memory behind a pointer parameter, has versions: the initial one, one after each
 * write, and one where paths with different versions join. An unoptimised module, where everything goes through
 * variables, is therefore analysed as precisely as one in SSA form. All fields share versions; a field that a write
 * leaves unchanged is looked up further back.
 *
 * Module-scope (Private) variables, and parameters whose memory may have other names, have a single content for each
 * field, whenever it is read. So have variables of a function if their versions would grow too numerous. */
#include "analysis/uniformity/uniformity_graph.h"

/* Where versions of the variable join: the iterated dominance frontier of the blocks that write it. Returns how many
 * blocks write it. */
static uint32_t place_phis(struct spb_uniformity *u, struct spb_body *body, struct spb_memory *y)
{
	struct spb_list *blocks = &u->contents.blocks, *phis = &u->contents.phis;
	uint32_t mark = ++body->control.generation;
	uint32_t *seen = body->control.stamp;

	blocks->count = phis->count = 0;
	for (uint32_t i = 0; i < y->event_count; i++) {
		uint32_t b = body->events.items[y->first_event + i].block;
		if (!blocks->count || blocks->items[blocks->count - 1] != b)
			SPB_PUSH(u->drafts, blocks, b);
	}
	uint32_t written = (uint32_t)blocks->count;
	for (size_t next = 0; next < blocks->count; next++) {
		uint32_t b = blocks->items[next];
		for (uint32_t i = body->control.first_frontier[b]; i < body->control.first_frontier[b + 1]; i++) {
			uint32_t to = body->control.frontier[i];
			if (seen[to] == mark)
				continue;
			seen[to] = mark;
			SPB_PUSH(u->drafts, phis, to);
			SPB_PUSH(u->drafts, blocks, to);
		}
		body->walked += body->control.first_frontier[b + 1] - body->control.first_frontier[b] + 1;
	}
	y->phi = spb_alloc_zeroed(u->drafts, phis->count, sizeof *y->phi);
	y->phi_count = (uint32_t)phis->count;
	for (size_t i = 0; i < phis->count; i++)
		y->phi[i].block = phis->items[i];
	return written;
}

static int by_block(const void *a, const void *b)
{
	const struct spb_marked *x = a, *y = b;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	return (x->phi > y->phi) - (x->phi < y->phi); /* the event's entry first */
}

static int by_tree(const void *a, const void *b)
{
	const struct spb_marked *x = a, *y = b;

	return (x->up > y->up) - (x->up < y->up);
}

static void begin_span(struct spb_memory *y, uint32_t first, uint32_t nearest)
{
	if (y->span_count && y->span[y->span_count - 1].first == first)
		y->span_count--;
	y->span[y->span_count++] = (struct spb_span){first, nearest};
}

/* The dominator tree as a list of ranges: where it is entered and left, at most once each per block that changes the
 * variable. */
static void find_spans(struct spb_uniformity *u, const struct spb_cfg *g, struct spb_memory *y)
{
	uint32_t up = 0;

	y->span = spb_alloc_array(u->drafts, 2 * (size_t)y->marked_count, sizeof *y->span);
	for (uint32_t i = 0; i <= y->marked_count; i++) {
		uint32_t next = i < y->marked_count ? g->dom_first[y->marked[i].block] : UINT32_MAX;
		for (; up && g->dom_last[y->marked[up - 1].block] < next; up = y->marked[up - 1].up)
			begin_span(y, g->dom_last[y->marked[up - 1].block] + 1, y->marked[up - 1].up);
		if (i < y->marked_count)
			begin_span(y, next, up = i + 1);
	}
}

/* All blocks that change the variable, as a tree for finding the nearest one that encloses a block. */
static void mark_blocks(struct spb_uniformity *u, struct spb_body *body, struct spb_memory *y, uint32_t written)
{
	const struct spb_cfg *g = body->cfg;
	struct spb_marked *all = spb_alloc_array(u->drafts, (size_t)written + y->phi_count, sizeof *all);
	size_t count = 0, kept = 0;

	for (uint32_t i = 0; i < y->event_count; i++) {
		uint32_t b = body->events.items[y->first_event + i].block;
		if (!count || all[count - 1].block != b)
			all[count++] = (struct spb_marked){.block = b, .first_event = y->first_event + i};
		all[count - 1].event_count++;
	}
	for (uint32_t i = 0; i < y->phi_count; i++)
		all[count++] = (struct spb_marked){.block = y->phi[i].block, .phi = i + 1};
	spb_sort(u->drafts, all, count, sizeof *all, by_block);
	for (size_t i = 0; i < count; i++) { /* one per block */
		if (kept && all[kept - 1].block == all[i].block)
			all[kept - 1].phi = all[i].phi;
		else
			all[kept++] = all[i];
	}
	for (size_t i = 0; i < kept; i++)
		all[i].up = g->dom_first[all[i].block];
	spb_sort(u->drafts, all, kept, sizeof *all, by_tree);
	for (size_t i = 0; i < kept; i++) {
		size_t up = i;
		while (up && !spb_dominates(g, all[up - 1].block, all[i].block)) {
			up = all[up - 1].up; /* that one is complete: it precedes this one */
		}
		all[i].up = (uint32_t)up;
	}
	y->marked = all;
	y->marked_count = (uint32_t)kept;
	find_spans(u, g, y);
}

struct spb_memory *spb_memory_of(struct spb_uniformity *u, uint32_t root)
{
	if (spb_root_of(u, root)->memory)
		return &u->contents.memories.items[spb_root_of(u, root)->memory - 1];
	struct spb_memory y = {.root = root, .function = spb_function_at(u, u->m->def[root])};
	struct spb_body *body = spb_body_of(u, y.function);
	if (!body->events.found)
		spb_find_events(u, body, y.function);
	y.event_count = spb_events_in(body->events.items, body->events.count, root, &y.first_event);
	spb_need_frontiers(u, body);
	/* with so many joins, the rest would not be linear: give up flow sensitivity */
	y.flat = body->control.too_deep || body->cfg->irreducible ||
		 body->walked > 4096 + 64ull * (body->cfg->count + body->events.count);
	if (!y.flat)
		mark_blocks(u, body, &y, place_phis(u, body, &y));
	SPB_PUSH(u->drafts, &u->contents.memories, y);
	spb_root_of(u, root)->memory = (uint32_t)u->contents.memories.count;
	return &u->contents.memories.items[u->contents.memories.count - 1];
}

static uint32_t make_version(struct spb_uniformity *u, struct spb_memory *y, uint32_t event, uint32_t phi)
{
	struct spb_version v = {.memory = (uint32_t)(y - u->contents.memories.items), .event = event, .phi = phi};
	uint32_t leaves = spb_leaf_count(u, spb_pointee(u->m, y->root));

	v.node = spb_node_new(u, SPB_NODE_VERSION, (uint32_t)u->contents.versions.count, y->function, leaves);
	SPB_PUSH(u->drafts, &u->contents.versions, v);
	return (uint32_t)u->contents.versions.count;
}

static uint32_t event_version(struct spb_uniformity *u, struct spb_memory *y, uint32_t event)
{
	struct spb_event *e = &u->functions.body[y->function]->events.items[event];

	if (!e->version)
		e->version = make_version(u, y, event + 1, 0);
	return e->version;
}

static uint32_t phi_version(struct spb_uniformity *u, struct spb_memory *y, uint32_t phi)
{
	if (!y->phi[phi].version)
		y->phi[phi].version = make_version(u, y, 0, phi + 1);
	return y->phi[phi].version;
}

static uint32_t initial_version(struct spb_uniformity *u, struct spb_memory *y)
{
	if (!y->initial)
		y->initial = make_version(u, y, 0, 0);
	return y->initial;
}

/* The nearest block at or above `block` in the dominator tree that changes the variable. */
static const struct spb_marked *nearest(struct spb_uniformity *u, struct spb_memory *y, uint32_t block)
{
	const struct spb_cfg *g = u->functions.body[y->function]->cfg;
	uint32_t low = 0, high = y->span_count;

	while (low < high) { /* the last one that begins at or before it */
		uint32_t middle = low + (high - low) / 2;
		if (y->span[middle].first <= g->dom_first[block])
			low = middle + 1;
		else
			high = middle;
	}
	low = low ? y->span[low - 1].nearest : 0;
	return low ? &y->marked[low - 1] : NULL;
}

uint32_t spb_version_at_end(struct spb_uniformity *u, struct spb_memory *y, uint32_t block)
{
	const struct spb_marked *k = nearest(u, y, block);

	if (!k)
		return initial_version(u, y);
	if (k->event_count)
		return event_version(u, y, k->first_event + k->event_count - 1);
	return phi_version(u, y, k->phi - 1);
}

uint32_t spb_version_before(struct spb_uniformity *u, struct spb_memory *y, uint32_t block, spb_at at)
{
	struct spb_body *body = u->functions.body[y->function];
	const struct spb_marked *k = nearest(u, y, block);

	if (k && k->block == block) {
		uint32_t low = k->first_event, high = k->first_event + k->event_count;
		while (low < high) { /* the last write before `at` */
			uint32_t middle = low + (high - low) / 2;
			if (body->events.items[middle].at < at)
				low = middle + 1;
			else
				high = middle;
		}
		if (low > k->first_event)
			return event_version(u, y, low - 1);
		if (k->phi)
			return phi_version(u, y, k->phi - 1);
	}
	if (block == 0 || body->cfg->idom[block] == SPB_NO_BLOCK)
		return initial_version(u, y);
	return spb_version_at_end(u, y, body->cfg->idom[block]);
}

uint32_t spb_version_before_event(struct spb_uniformity *u, struct spb_memory *y, uint32_t event)
{
	const struct spb_event *e = &u->functions.body[y->function]->events.items[event];

	if (event > y->first_event && e[-1].at == e->at)
		return event_version(u, y, event - 1);
	return spb_version_before(u, y, e->block, e->at);
}
