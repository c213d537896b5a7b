/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_control: divergence of control flow.
 *
 * Where paths join, a value differs if the invocations took different paths. They did if they parted at a branch
 * from which two paths lead to the join without meeting before it. How long a loop runs is decided by the branches
 * in it after which some invocations continue and others leave. Whether a block runs at all is decided by the blocks
 * it is control dependent on. All this follows from dominators and post-dominators, walking back from the block in
 * question.
 *
 * After OpKill, an invocation may go on as a helper invocation, with its own values (Vulkan, "Shader Termination"). So
 * it rejoins the others at the end of the construct, as after OpDemoteToHelperInvocation: values are not uniform after
 * a branch that kills. */
#include "analysis/uniformity/uniformity_graph.h"

/* Does the function have a block without successors? */
static bool has_ends(const struct spb_cfg *g)
{
	bool found = false;

	for (uint32_t b = 0; b < g->count && !found; b++)
		found = g->first_succ[b] == g->first_succ[b + 1];
	return found;
}

struct spb_body *spb_make_body(struct spb_uniformity *u, uint32_t function)
{
	const struct spb_module *m = u->m;
	struct spb_body *body = spb_alloc_zeroed(u->drafts, 1, sizeof *body);

	const struct spb_block *blocks = u->functions.blocks.items + u->functions.first_block[function];
	uint32_t count = u->functions.first_block[function + 1] - u->functions.first_block[function];
	const struct spb_folded *known = u->known.m ? &u->known : NULL;

	for (uint32_t b = 0; b < count; b++)
		body->kills |= spb_op(m, blocks[b].end) == SpvOpKill;
	if (body->kills)
		body->killed_join = spb_bits(u->drafts, count + 1);
	body->cfg = body->ended = spb_cfg_make(m, blocks, count, known, u->drafts);
	if (body->kills || (u->settings.quad && has_ends(body->ended)))
		body->cfg = spb_cfg_with_killed(body->ended, u->settings.quad, known, u->drafts);
	for (uint32_t b = 0; body->kills && b < count; b++) {
		for (uint32_t i = body->cfg->first_succ[b]; i < body->cfg->first_succ[b + 1]; i++) {
			if (spb_op(m, blocks[b].end) == SpvOpKill)
				spb_set_bit(body->killed_join, body->cfg->succ[i]);
		}
	}
	body->control.stamp = spb_alloc_zeroed(u->drafts, count + 1, sizeof *body->control.stamp);
	for (uint32_t i = body->cfg->first_pred[count]; i < body->cfg->first_pred[count + 1]; i++) {
		if (spb_reachable(body->cfg, body->cfg->pred[i]))
			SPB_PUSH(u->drafts, &body->returns, body->cfg->pred[i]);
	}
	u->functions.body[function] = body;
	return body;
}

uint32_t spb_condition(const struct spb_cfg *g, uint32_t block)
{
	spb_at end = g->block[block].end;

	if (g->first_succ[block + 1] - g->first_succ[block] < 2 || spb_op(g->m, end) == SpvOpKill)
		return 0;
	return g->m->words[end + 1]; /* of OpBranchConditional or OpSwitch */
}

bool spb_misses_killed(const struct spb_body *body, uint32_t id, uint32_t block)
{
	const struct spb_cfg *g = body->cfg;
	spb_at def = g->m->def[id];
	uint32_t from;

	if (!body->kills || block >= g->count || def < g->m->section[SPB_SECTION_FUNCTION] ||
	    spb_op(g->m, def) == SpvOpFunctionParameter)
		return false;
	from = spb_block_around(g, def);
	return spb_dominates(body->ended, from, block) && !spb_dominates(g, from, block);
}

/* The merge block of a loop (+ 1); g->count: it has none. */
static uint32_t merge_of(struct spb_uniformity *u, struct spb_body *body, uint32_t loop)
{
	const struct spb_cfg *g = body->cfg;
	const struct spb_block *header = &g->block[g->loops[loop - 1].header];

	if (!body->control.merge)
		body->control.merge = spb_alloc_zeroed(u->drafts, g->loop_count, sizeof *body->control.merge);
	uint32_t *merge = &body->control.merge[loop - 1];
	if (!*merge)
		*merge = g->count + 1;
	else
		return *merge - 1;
	for (spb_at at = header->label; at < header->end; at = spb_next(g->m, at)) {
		if (spb_op(g->m, at) == SpvOpLoopMerge)
			*merge = spb_block_of(g, g->m->words[at + 1]) + 1;
	}
	return *merge - 1;
}

/* SPIR-V 2.11, "Structured Control Flow": the construct of a loop ends at its merge block, and nothing else leads out
 * but returns. Killed invocations, however, jump. */
bool spb_in_construct(struct spb_uniformity *u, struct spb_body *body, uint32_t loop, uint32_t block)
{
	const struct spb_cfg *g = body->cfg;
	uint32_t merge;

	if (block >= g->count || body->kills || spb_in_loop(g, loop, block))
		return block < g->count && spb_in_loop(g, loop, block);
	merge = merge_of(u, body, loop);
	return merge < g->count && spb_reachable(g, block) && spb_dominates(g, g->loops[loop - 1].header, block) &&
	       (!spb_reachable(g, merge) || !spb_dominates(g, merge, block));
}

/* The limit on the work for one function. */
static uint64_t most_steps(const struct spb_cfg *g)
{
	enum { FREE_STEPS = 4096, STEPS_PER_BLOCK = 64 };

	return FREE_STEPS + STEPS_PER_BLOCK * (uint64_t)g->count;
}

bool spb_may_walk(struct spb_body *body, uint64_t more)
{
	body->walked += more;
	return body->walked <= most_steps(body->cfg);
}

/* Marks with `mark` the blocks between `join` and its dominator, including the latter. Chains of blocks with one
 * predecessor and one successor are skipped in one step. */
static bool walk_back(struct spb_uniformity *u, struct spb_body *body, uint32_t join, uint32_t mark,
		      struct spb_list *region)
{
	const struct spb_cfg *g = body->cfg;
	uint32_t top = g->idom[join];

	body->control.stamp[top] = mark;
	SPB_PUSH(u->drafts, region, top);
	for (uint32_t i = g->first_pred[join]; i < g->first_pred[join + 1]; i++) {
		uint32_t from = g->pred[i];
		if (!spb_reachable(g, from) || spb_dominates(g, join, from) || body->control.stamp[from] == mark)
			continue;
		body->control.stamp[from] = mark;
		SPB_PUSH(u->drafts, region, from);
	}
	for (size_t next = 1; next < region->count; next++) {
		uint32_t b = region->items[next], skip = g->idom[b];
		bool closed = skip != SPB_NO_BLOCK && g->ipdom[skip] == b && g->loop[skip] == g->loop[b];
		uint32_t first = closed ? 0 : g->first_pred[b], end = closed ? 1 : g->first_pred[b + 1];
		if (!spb_may_walk(body, end - first + 1))
			return false;
		for (uint32_t i = first; i < end; i++) {
			uint32_t from = closed ? skip : g->pred[i];
			if (!spb_reachable(g, from) || body->control.stamp[from] == mark || from == join)
				continue;
			body->control.stamp[from] = mark;
			SPB_PUSH(u->drafts, region, from);
		}
	}
	return true;
}

/* The dominator may be in a loop that the join comes after. An invocation that leaves the loop in one iteration then
 * joins one that leaves it elsewhere in a later iteration, after passing the dominator again. */
static bool add_loops_left(struct spb_uniformity *u, struct spb_body *body, uint32_t join, struct spb_list *branches)
{
	const struct spb_cfg *g = body->cfg;

	for (uint32_t l = g->loop[g->idom[join]]; l && !spb_in_loop(g, l, join); l = g->loops[l - 1].parent) {
		spb_need_exits(u, body);
		if (body->control.too_many_exits ||
		    !spb_may_walk(body, body->control.first_exit[l] - body->control.first_exit[l - 1] + 1))
			return false;
		for (uint32_t i = body->control.first_exit[l - 1]; i < body->control.first_exit[l]; i++)
			SPB_PUSH(u->drafts, branches, body->control.exit[i]);
	}
	return true;
}

void spb_join_branches(struct spb_uniformity *u, struct spb_body *body, uint32_t join, struct spb_list *branches,
		       bool *all)
{
	const struct spb_cfg *g = body->cfg;
	uint32_t forward = 0, back = 0, mark = ++body->control.generation;
	struct spb_list *region = &u->functions.between;

	*all = false;
	branches->count = region->count = 0;
	for (uint32_t i = g->first_pred[join]; i < g->first_pred[join + 1]; i++) {
		if (!spb_reachable(g, g->pred[i]))
			continue;
		if (spb_dominates(g, join, g->pred[i]))
			back++;
		else
			forward++;
	}
	if (g->irreducible || back > 1) {
		*all = true;
		return;
	}
	if (forward < 2 || g->idom[join] == SPB_NO_BLOCK)
		return;
	if (!walk_back(u, body, join, mark, region)) {
		*all = true;
		return;
	}
	for (size_t k = 0; k < region->count; k++) {
		uint32_t b = region->items[k], ways = 0, after = g->ipdom[b];
		if (after != SPB_NO_BLOCK && after != join && body->control.stamp[after] == mark)
			continue; /* they have met again before that */
		for (uint32_t i = g->first_succ[b]; i < g->first_succ[b + 1]; i++)
			ways += g->succ[i] == join || body->control.stamp[g->succ[i]] == mark;
		if (ways > 1)
			SPB_PUSH(u->drafts, branches, b);
	}
	*all = !add_loops_left(u, body, join, branches);
}

/* One list for each block, built by running the same walk twice. */
struct lists {
	uint32_t *first, *items;
	uint64_t total;
};

static void begin_lists(struct spb_uniformity *u, struct lists *l, uint32_t count)
{
	uint32_t total = 0;

	for (uint32_t b = 0; b <= count; b++) {
		uint32_t here = l->first[b];
		l->first[b] = total;
		total += here;
	}
	l->items = spb_alloc_array(u->drafts, total, sizeof *l->items);
}

static void end_lists(struct lists *l, uint32_t count) /* first[b] is the end of b's list, where the next one begins */
{
	memmove(l->first + 1, l->first, count * sizeof *l->first);
	l->first[0] = 0;
}

static void put(struct lists *l, int round, uint32_t to, uint32_t what)
{
	l->total++;
	if (round == 0)
		l->first[to]++;
	else
		l->items[l->first[to]++] = what;
}

static bool too_many(const struct spb_cfg *g, const struct lists *l)
{
	return l->total > most_steps(g);
}

/* Cytron et al.: b is in the dominance frontier of every block that dominates a predecessor of b, but not b
 * strictly. */
void spb_need_frontiers(struct spb_uniformity *u, struct spb_body *body)
{
	const struct spb_cfg *g = body->cfg;
	struct lists l = {0};

	if (body->control.frontier || body->control.too_deep)
		return;
	l.first = spb_alloc_zeroed(u->drafts, g->count + 2, sizeof *l.first);
	for (int round = 0; round < 2; round++) {
		l.total = 0;
		for (uint32_t b = 0; b < g->count; b++) {
			for (uint32_t i = g->first_pred[b]; i < g->first_pred[b + 1]; i++) {
				uint32_t run = g->pred[i];
				while (spb_reachable(g, g->pred[i]) && run != g->idom[b] && !too_many(g, &l)) {
					put(&l, round, run, b);
					run = g->idom[run];
				}
			}
			if (too_many(g, &l)) {
				body->control.too_deep = true;
				return;
			}
		}
		if (round == 0)
			begin_lists(u, &l, g->count + 1);
	}
	end_lists(&l, g->count + 1);
	body->control.first_frontier = l.first;
	body->control.frontier = l.items ? l.items : l.first;
}

/* b is control dependent on a branch if one of its successors inevitably leads to b, and another one does not. A killed
 * invocation may be terminated and then no longer exists; only the rest of its quad is assumed to keep it. */
void spb_need_control(struct spb_uniformity *u, struct spb_body *body)
{
	const struct spb_cfg *g = u->settings.quad ? body->cfg : body->ended;
	struct lists l = {0};

	if (body->control.first)
		return;
	l.first = spb_alloc_zeroed(u->drafts, g->count + 2, sizeof *l.first);
	for (int round = 0; round < 2; round++) {
		l.total = 0;
		for (uint32_t b = 0; b < g->count; b++) {
			for (uint32_t i = g->first_succ[b]; spb_condition(g, b) && i < g->first_succ[b + 1]; i++) {
				uint32_t run = g->succ[i];
				while (run != g->ipdom[b] && run < g->count && !too_many(g, &l)) {
					put(&l, round, run, b);
					run = g->ipdom[run];
				}
			}
			if (too_many(g, &l)) {
				body->control.too_deep = true;
				body->control.first = l.first;
				return;
			}
		}
		if (round == 0)
			begin_lists(u, &l, g->count + 1);
	}
	end_lists(&l, g->count + 1);
	body->control.first = l.first;
	body->control.branches = l.items;
}

/* For each loop, the branches in it after which invocations need not meet again inside the loop. */
void spb_need_exits(struct spb_uniformity *u, struct spb_body *body)
{
	const struct spb_cfg *g = body->cfg;
	struct lists l = {0};

	if (body->control.exits_found)
		return;
	body->control.exits_found = true;
	l.first = spb_alloc_zeroed(u->drafts, g->loop_count + 2, sizeof *l.first);
	for (int round = 0; round < 2; round++) {
		l.total = 0;
		for (uint32_t b = 0; b < g->count; b++) {
			if (!spb_condition(g, b))
				continue;
			if (too_many(g, &l)) {
				body->control.too_many_exits = true;
				return;
			}
			for (uint32_t loop = g->loop[b]; loop; loop = g->loops[loop - 1].parent) {
				if (g->ipdom[b] != SPB_NO_BLOCK && spb_in_loop(g, loop, g->ipdom[b]))
					break;
				put(&l, round, loop - 1, b);
			}
		}
		if (round == 0)
			begin_lists(u, &l, g->loop_count + 1);
	}
	end_lists(&l, g->loop_count + 1);
	body->control.first_exit = l.first;
	body->control.exit = l.items;
}
