/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_keys: is it the same value, whatever its names? Walks back over copies, over loads of variables to what
 * was stored. As long as two loads have the same version, they return the same value. */
#include "analysis/uniformity/uniformity_graph.h"

enum { MOST_STEPS = 12 };

/* The version that a load reads; false: it does not read one component of a variable with versions. */
static bool version_loaded(struct spb_uniformity *u, uint32_t function, spb_at load, uint32_t leaf, struct spb_key *k)
{
	const struct spb_module *m = u->m;
	struct spb_region r = spb_region_of(u, m->words[load + 3]);
	struct spb_memory *y;

	if (spb_length(m, load) > 4 || !r.root || r.weak || !spb_is_local(m, r.root) ||
	    spb_def_op(m, r.root) != SpvOpVariable || !spb_is_own_memory(u, r.root) || m->has_unknown_ops ||
	    spb_leaves_of(u, m->words[load + 2]) != r.count)
		return false;
	y = spb_memory_of(u, r.root);
	if (y->flat || y->function != function)
		return false;
	k->version = spb_version_before(u, y, spb_block_in(u, function, load), load);
	k->leaf = r.first + leaf;
	k->id = 0;
	return true;
}

/* Continues from a version to the value whose store made it, if there is such a value. */
static void follow_store(struct spb_uniformity *u, struct spb_key *k)
{
	const struct spb_version *v = &u->contents.versions.items[k->version - 1];
	const struct spb_event *e =
	    v->event ? &u->functions.body[u->contents.memories.items[v->memory].function]->events.items[v->event - 1]
		     : NULL;
	struct spb_region r;

	if (!e || e->kind != SPB_EVENT_STORE)
		return;
	r = spb_region_of(u, e->pointer);
	if (r.weak || k->leaf < r.first || k->leaf >= (uint32_t)r.first + r.count ||
	    spb_leaves_of(u, e->value) != r.count)
		return;
	k->id = e->value;
	k->version = 0;
	k->leaf -= r.first;
}

static struct spb_key walk(struct spb_uniformity *u, uint32_t function, struct spb_key k)
{
	const struct spb_module *m = u->m;

	for (int step = 0; step < MOST_STEPS && k.id; step++) {
		spb_at at = m->def[k.id];
		k.marked |= spb_bit(u->marked, k.id);
		if (at < m->section[SPB_SECTION_FUNCTION])
			return k;
		if (spb_op(m, at) == SpvOpCopyObject)
			k.id = m->words[at + 3];
		else if (spb_op(m, at) == SpvOpLoad && version_loaded(u, function, at, k.leaf, &k))
			follow_store(u, &k);
		else
			return k;
	}
	return k;
}

struct spb_key spb_key_of(struct spb_uniformity *u, uint32_t function, uint32_t id, uint32_t leaf)
{
	return walk(u, function, (struct spb_key){.id = id, .leaf = leaf});
}

uint32_t spb_key_joins(struct spb_uniformity *u, uint32_t function, struct spb_key k)
{
	const struct spb_version *v = k.id ? NULL : &u->contents.versions.items[k.version - 1];

	if (k.id)
		return spb_def_op(u->m, k.id) == SpvOpPhi ? spb_block_in(u, function, u->m->def[k.id]) : SPB_NO_BLOCK;
	return v->phi ? u->contents.memories.items[v->memory].phi[v->phi - 1].block : SPB_NO_BLOCK;
}

struct spb_key spb_key_from(struct spb_uniformity *u, uint32_t function, struct spb_key k, uint32_t pred)
{
	const struct spb_module *m = u->m;
	spb_at phi = m->def[k.id], from = spb_body_of(u, function)->cfg->block[pred].label;

	if (!k.id) {
		struct spb_memory *y = &u->contents.memories.items[u->contents.versions.items[k.version - 1].memory];
		k.version = spb_version_at_end(u, y, pred);
		follow_store(u, &k);
		return walk(u, function, k);
	}
	for (uint32_t w = phi + 3; w + 1 < spb_next(m, phi); w += 2) {
		if (m->def[m->words[w + 1]] == from)
			return spb_key_of(u, function, m->words[w], k.leaf);
	}
	return k;
}
