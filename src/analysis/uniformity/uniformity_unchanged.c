/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_unchanged: which version of a variable gave one of its leaves what it holds.
 *
 *     a = …;                    version 1
 *     if (lane > 3) a.x = …;    version 2
 *     … a.y                     version 3, where 1 and 2 join; but a.y is that of version 1 on both ways
 *
 * All leaves share versions, so where paths join that have stored to one field or element, the others would depend on
 * the branch as well. Looking back over stores to other leaves, and over joins of one and the same version, says that
 * they do not; nor do they depend on how often a loop was run that leaves them alone. */
#include "analysis/uniformity/uniformity_graph.h"

enum { MOST_STEPS = 64, MOST_DEPTH = 4 }; /* of one question */

struct walk {
	uint32_t memory, leaf, steps;
	uint32_t open[MOST_DEPTH], depth; /* joins that are being looked at */
};

/* May the event write the leaf? */
static bool writes(struct spb_uniformity *u, const struct spb_event *e, uint32_t leaf)
{
	struct spb_region r = spb_region_of(u, e->pointer);

	return e->kind == SPB_EVENT_TOUCH || r.root != e->root ||
	       (leaf >= r.first && leaf < (uint32_t)r.first + r.count);
}

static uint32_t origin(struct spb_uniformity *u, struct walk *w, uint32_t version);

/* The one version that a join gets the leaf from, other than from itself; the join, if there are several. */
static uint32_t origin_of_join(struct spb_uniformity *u, struct walk *w, uint32_t version)
{
	const struct spb_memory *y = &u->memories.items[w->memory];
	const struct spb_cfg *g = u->body[y->function]->cfg;
	uint32_t block = y->phi[u->versions.items[version - 1].phi - 1].block, one = 0;

	for (uint32_t i = 0; i < w->depth; i++) {
		if (w->open[i] == version)
			return version;
	}
	if (w->depth == MOST_DEPTH)
		return version;
	w->open[w->depth++] = version;
	for (uint32_t i = g->first_pred[block]; i < g->first_pred[block + 1]; i++) {
		if (!spb_reachable(g, g->pred[i]))
			continue;
		uint32_t from = spb_version_at_end(u, &u->memories.items[w->memory], g->pred[i]);
		from = from == version ? version : origin(u, w, from);
		if (!w->steps || (one && from != one && from != version)) {
			one = version;
			break;
		}
		one = from == version ? one : from;
	}
	w->depth--;
	return one ? one : version;
}

static uint32_t origin(struct spb_uniformity *u, struct walk *w, uint32_t version)
{
	while (w->steps) {
		struct spb_version v = u->versions.items[version - 1];
		struct spb_memory *y = &u->memories.items[w->memory];
		uint32_t before = version;
		w->steps--;
		if (v.phi) {
			before = origin_of_join(u, w, version);
		} else if (v.event) {
			const struct spb_event *e = &u->body[y->function]->event[v.event - 1];
			if (!writes(u, e, w->leaf))
				before = spb_version_before(u, y, e->block, e->at);
		}
		if (before == version)
			break;
		version = before;
	}
	return version;
}

uint32_t spb_unchanged_since(struct spb_uniformity *u, uint32_t version, uint32_t leaf)
{
	struct walk w = {.memory = u->versions.items[version - 1].memory, .leaf = leaf, .steps = MOST_STEPS};

	if (spb_leaf_count(u, spb_pointee(u->m, u->memories.items[w.memory].root)) < 2)
		return version;
	return origin(u, &w, version);
}
