/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_repack: tracing a ray, calling a callable shader or reordering may move invocations to other subgroups
 * (Vulkan, "Ray Tracing", "Shader Call Repacking"). A value that was uniform in the subgroup before may differ
 * afterwards. This only matters if the function, or one that it calls, contains such an instruction. */
#include "analysis/uniformity/uniformity_graph.h"

enum { MAX_ROUNDS = 64 };

static bool is_repack(const struct spb_uniformity *u, spb_at at)
{
	const struct spb_module *m = u->m;
	uint32_t f;

	if (spb_op_facts(spb_op(m, at))->flags & SPB_OP_REPACKS)
		return true;
	if (spb_op(m, at) != SpvOpFunctionCall)
		return false;
	f = u->calls->function_of[m->words[at + 3]];
	return !f || spb_bit(u->repacking, f - 1);
}

static void find_repacking(struct spb_uniformity *u)
{
	const struct spb_module *m = u->m;
	bool changed = false;

	u->repacking = spb_bits(u->arena, m->function_count);
	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].at; at < m->function[f].end; at = spb_next(m, at)) {
			if (!(spb_op_facts(spb_op(m, at))->flags & SPB_OP_REPACKS))
				continue;
			spb_set_bit(u->repacking, f);
			changed = true;
		}
	}
	for (uint32_t round = 0; changed; round++) {
		changed = false;
		if (round == MAX_ROUNDS) { /* calls nested too deeply */
			spb_set_all(u->repacking, m->function_count);
			return;
		}
		for (uint32_t n = 0; n < u->functions.sites.count; n++) {
			spb_at at = u->functions.sites.items[round % 2 ? n : u->functions.sites.count - 1 - n];
			uint32_t caller = spb_function_at(u, at);
			if (!spb_bit(u->repacking, caller) && is_repack(u, at)) {
				spb_set_bit(u->repacking, caller);
				changed = true;
			}
		}
	}
}

bool spb_repacks(struct spb_uniformity *u, uint32_t function)
{
	if (!u->repacking)
		find_repacking(u);
	return spb_bit(u->repacking, function);
}

bool spb_any_repacks(struct spb_uniformity *u)
{
	bool any = false;

	for (uint32_t f = 0; f < u->m->function_count && !any; f++)
		any = spb_repacks(u, f);
	return any;
}

static void find_places(struct spb_uniformity *u, struct spb_body *body, uint32_t function)
{
	const struct spb_module *m = u->m;

	body->repacks.found = true;
	for (spb_at at = m->function[function].body; at < m->function[function].end; at = spb_next(m, at)) {
		if (is_repack(u, at))
			SPB_PUSH(u->drafts, &body->repacks.after, at);
	}
}

/* Is there such an instruction between `from` and `to`? */
static bool any_between(const struct spb_uniformity *u, const struct spb_body *body, spb_at from, spb_at to)
{
	size_t low = 0, high = body->repacks.after.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (body->repacks.after.items[middle] <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < body->repacks.after.count && spb_next(u->m, body->repacks.after.items[low]) <= to;
}

bool spb_repacks_between(struct spb_uniformity *u, uint32_t function, spb_at from, uint32_t block, spb_at to)
{
	struct spb_body *body = spb_body_of(u, function);
	const struct spb_cfg *g = body->cfg;
	uint32_t from_block = spb_block_around(g, from), mark;
	struct spb_list work = {0};

	if (!body->repacks.found)
		find_places(u, body, function);
	if (block < g->count && !to)
		to = g->block[block].end;
	if (from_block == block && to > from)
		return any_between(u, body, from, to);
	if (any_between(u, body, from, g->block[from_block].end))
		return true;
	if (block < g->count && any_between(u, body, g->block[block].label, to))
		return true;
	mark = ++body->control.generation;
	body->control.stamp[from_block] = mark;
	SPB_PUSH(u->drafts, &work, block);
	for (size_t next = 0; next < work.count; next++) { /* back to the definition */
		uint32_t b = work.items[next];
		if (next && any_between(u, body, g->block[b].label, g->block[b].end))
			return true;
		if (!spb_may_walk(body, g->first_pred[b + 1] - g->first_pred[b] + 1))
			return true;
		for (uint32_t i = g->first_pred[b]; i < g->first_pred[b + 1]; i++) {
			if (body->control.stamp[g->pred[i]] == mark)
				continue;
			body->control.stamp[g->pred[i]] = mark;
			SPB_PUSH(u->drafts, &work, g->pred[i]);
		}
	}
	return false;
}
