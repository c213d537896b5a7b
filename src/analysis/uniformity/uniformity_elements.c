/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_elements: which arrays have leaves for each of their elements, and since when a leaf is what it is.
 *
 * An array whose elements are chosen by constants only is a structure in all but name: a store to one element leaves
 * the others as they are. This is decided for types, since pointers, parameters and copies of an array have its type:
 * one index somewhere that is not constant, and all arrays of the type have one leaf for all elements. So do arrays in
 * memory other than that of an invocation, and those copied to arrays of another type. */
#include "analysis/uniformity/uniformity_graph.h"

enum { MOST_ELEMENTS = 16, MOST_STEPS = 64, MOST_DEPTH = 4 /* of one question about a leaf */ };

/* The arrays in the type do not tell their elements apart. */
static void join_elements(struct spb_uniformity *u, uint32_t type)
{
	const struct spb_module *m = u->m;
	struct spb_list *todo = &u->todo;

	SPB_PUSH(u->arena, todo, type);
	while (todo->count) {
		spb_at at = m->def[type = todo->items[--todo->count]];
		if (spb_bit(u->joined, type))
			continue;
		spb_set_bit(u->joined, type);
		if (spb_op_is(spb_op(m, at), SPB_OP_ARRAY))
			SPB_PUSH(u->arena, todo, m->words[at + 2]);
		for (uint32_t w = at + 2; spb_op(m, at) == SpvOpTypeStruct && w < spb_next(m, at); w++)
			SPB_PUSH(u->arena, todo, m->words[w]);
	}
}

/* False: pointers have no types that say what they refer to. */
static bool join_in_shared_memory(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == OpTypeUntypedPointerKHR)
			return false;
		if (spb_op(m, at) == SpvOpTypePointer && m->words[at + 2] != SpvStorageClassFunction &&
		    m->words[at + 2] != SpvStorageClassPrivate)
			join_elements(u, m->words[at + 3]);
	}
	return true;
}

/* False: the pointer leads from one element to another. */
static bool see_chain(struct spb_uniformity *u, spb_at at)
{
	const struct spb_module *m = u->m;
	uint32_t base = m->words[at + 3], type = spb_pointee(m, base);

	if (!spb_is_local(m, base))
		return true;
	if (spb_op_is(spb_op(m, at), SPB_OP_PTR_CHAIN))
		return false;
	for (uint32_t w = at + 4; type && w < spb_next(m, at); w++) {
		uint64_t index = 0;
		bool constant =
		    spb_def_op(m, m->words[w]) == SpvOpConstant && spb_constant_value(m, m->words[w], &index);
		if (spb_op_is(spb_def_op(m, type), SPB_OP_ARRAY) && !constant)
			spb_set_bit(u->indexed, type); /* not those in its elements */
		type = spb_part_type(m, type, index);
	}
	return true;
}

/* How arrays are indexed and copied, in all functions. */
static void see_functions(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	bool known = true;

	u->indexed = spb_bits(u->arena, m->bound);
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; known && at < m->count; at = spb_next(m, at)) {
		if (spb_op_is_chain(spb_op(m, at))) {
			known = see_chain(u, at);
		} else if (spb_op(m, at) == SpvOpCopyLogical) {
			join_elements(u, m->words[at + 1]);
			join_elements(u, spb_type_of(m, m->words[at + 3]));
		}
	}
	if (!known)
		u->joined = NULL;
}

/* Most modules have no array for which it is worth looking at all chains. */
static bool may_keep_apart(struct spb_uniformity *u, uint32_t type)
{
	if (!u->apart_known) {
		u->apart_known = true;
		u->joined = spb_bits(u->arena, u->m->bound);
		if (!join_in_shared_memory(u) || u->m->has_unknown_ops)
			u->joined = NULL;
	}
	if (!u->joined || spb_bit(u->joined, type))
		return false;
	if (!u->indexed)
		see_functions(u);
	return u->joined && !spb_bit(u->joined, type) && !spb_bit(u->indexed, type);
}

uint32_t spb_keep_apart(struct spb_uniformity *u, spb_at at, uint32_t each)
{
	const struct spb_module *m = u->m;
	uint32_t type = m->words[at + 1], length_id = m->words[at + 3];
	uint64_t length = 0;

	if (spb_def_op(m, length_id) != SpvOpConstant || !spb_constant_value(m, length_id, &length) || length < 2 ||
	    length > MOST_ELEMENTS || !each || length * each > SPB_MAX_LEAVES || !may_keep_apart(u, type))
		return 1;
	if (!u->apart)
		u->apart = spb_bits(u->arena, m->bound);
	spb_set_bit(u->apart, type);
	return (uint32_t)length;
}

bool spb_is_apart(const struct spb_uniformity *u, uint32_t type)
{
	return u->apart && spb_bit(u->apart, type);
}

/* Which version of a variable gave one of its leaves what it holds:
 *
 *     a = …;                    version 1
 *     if (lane > 3) a.x = …;    version 2
 *     … a.y                     version 3, where 1 and 2 join; but a.y is that of version 1 on both ways
 *
 * All leaves share versions, so where paths join that have stored to one field or element, the others would depend on
 * the branch as well. Looking back over stores to other leaves, and over joins of one and the same version, says that
 * they do not; nor do they depend on how often a loop was run that leaves them alone. */

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
				before = spb_version_before_event(u, y, v.event - 1);
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
