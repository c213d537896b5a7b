/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow against a naive model, on random functions: dominance, loops, control dependence, and rays traced on the
 * way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/uniformity/uniformity_graph.h"
#include "caught.h"
#include "spirv-bind/spirv_bind.h"

enum { MAX_BLOCKS = 24 };

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

struct graph {
	uint32_t count;                                   /* blocks; number `count` is the exit */
	uint32_t succ[MAX_BLOCKS][2], degree[MAX_BLOCKS]; /* degree 0: returns; 3: OpUnreachable */
	uint32_t words[64 + MAX_BLOCKS * 20], length;
	bool traces; /* rays, in some blocks */
};

static void put(struct graph *g, uint32_t word)
{
	g->words[g->length++] = word;
}

static void put_op(struct graph *g, uint32_t op, uint32_t length)
{
	put(g, length << 16 | op);
}

/* An instruction of three words, after which invocations may be in other subgroups, or which does nothing. */
static void put_trace(struct graph *g, bool traces)
{
	put_op(g, traces ? SpvOpExecuteCallableKHR : SpvOpControlBarrier, traces ? 3 : 4);
	put(g, 5);
	put(g, 5);
	if (!traces)
		put(g, 5);
}

/* A function of random branches; ids: 1 void, 2 its type, 3 function, 4 bool, 5 true, 10 … labels. */
static void make_random(struct graph *g, uint32_t seed, bool traces)
{
	uint32_t state = seed * 2654435761u + 1, kind = next_random(&state) % 3;

	*g = (struct graph){.count = 2 + next_random(&state) % (MAX_BLOCKS - 2), .traces = traces};
	const uint32_t head[] = {SpvMagicNumber,
				 0x10300,
				 0,
				 10 + g->count,
				 0,
				 2 << 16 | SpvOpCapability,
				 1,
				 3 << 16 | SpvOpMemoryModel,
				 0,
				 1,
				 2 << 16 | SpvOpTypeVoid,
				 1,
				 3 << 16 | SpvOpTypeFunction,
				 2,
				 1,
				 2 << 16 | SpvOpTypeBool,
				 4,
				 3 << 16 | SpvOpConstantTrue,
				 4,
				 5,
				 5 << 16 | SpvOpFunction,
				 1,
				 3,
				 0,
				 2};
	for (size_t i = 0; i < sizeof head / sizeof *head; i++)
		put(g, head[i]);
	for (uint32_t b = 0; b < g->count; b++) {
		uint32_t what = next_random(&state) % 8;
		g->degree[b] = what == 0 ? 0 : what == 1 ? 3 : what < 4 ? 1 : 2;
		for (uint32_t i = 0; i < 2; i++) /* near, forward mostly, or anywhere */
			g->succ[b][i] = kind == 0 ? next_random(&state) % (g->count - 1) + 1
						  : 1 + (b + next_random(&state) % (kind == 1 ? 3 : 5) -
							 (next_random(&state) % 4 == 0 ? 1 : 0)) %
							    (g->count - 1);
		if (g->degree[b] == 2 && g->succ[b][0] == g->succ[b][1])
			g->degree[b] = 1;
		put_op(g, SpvOpLabel, 2);
		put(g, 10 + b);
		for (uint32_t i = 0; g->traces && i < 3; i++)
			put_trace(g, next_random(&state) % 8 == 0);
		if (g->degree[b] == 0) {
			put_op(g, SpvOpReturn, 1);
		} else if (g->degree[b] == 3) {
			put_op(g, SpvOpUnreachable, 1);
		} else if (g->degree[b] == 1) {
			put_op(g, SpvOpBranch, 2);
			put(g, 10 + g->succ[b][0]);
		} else {
			put_op(g, SpvOpBranchConditional, 4);
			put(g, 5);
			put(g, 10 + g->succ[b][0]);
			put(g, 10 + g->succ[b][1]);
		}
	}
	put_op(g, SpvOpFunctionEnd, 1);
}

static uint32_t successors(const struct graph *g, uint32_t b, uint32_t *out)
{
	if (b == g->count || g->degree[b] == 3)
		return 0;
	if (g->degree[b] == 0) {
		out[0] = g->count;
		return 1;
	}
	memcpy(out, g->succ[b], sizeof g->succ[b]);
	return g->degree[b];
}

/* The blocks reachable from `from` without passing `without` (none: count + 1). */
static void reach(const struct graph *g, uint32_t from, uint32_t without, bool *seen)
{
	uint32_t out[2];

	if (from == without || seen[from])
		return;
	seen[from] = true;
	for (uint32_t i = 0, n = successors(g, from, out); i < n; i++)
		reach(g, out[i], without, seen);
}

static bool dominates(const struct graph *g, uint32_t a, uint32_t b)
{
	bool seen[MAX_BLOCKS + 1] = {false};

	reach(g, 0, a, seen);
	return a == b || !seen[b];
}

static bool reaches(const struct graph *g, uint32_t from, uint32_t to, uint32_t without)
{
	bool seen[MAX_BLOCKS + 1] = {false};
	uint32_t out[2];

	for (uint32_t i = 0, n = successors(g, from, out); i < n; i++)
		reach(g, out[i], without, seen);
	return seen[to];
}

struct making {
	struct spb_module m;
	const struct graph *g;
	struct spb_cfg *cfg;
};

static void make_cfg(void *argument)
{
	struct making *k = argument;
	struct spb_block *blocks;
	uint32_t count = 0;

	spb_module_parse(&k->m, "random", k->g->words, k->g->length);
	blocks = spb_alloc_array(&k->m.keep, MAX_BLOCKS + 1, sizeof *blocks);
	for (spb_at at = k->m.function[0].body; at < k->m.function[0].end; at = spb_next(&k->m, at)) {
		if (spb_op(&k->m, at) == SpvOpLabel)
			blocks[count].label = at;
		else if (spb_op_is(spb_op(&k->m, at), SPB_OP_TERMINATOR))
			blocks[count++].end = at;
	}
	blocks[count] = (struct spb_block){blocks[0].label, blocks[count - 1].end}; /* no block: the exit has none */
	k->cfg = spb_cfg_make(&k->m, blocks, count, NULL, &k->m.keep);
}

/* An edge to a block that reaches its source, and does not dominate it. */
static bool is_irreducible(const struct graph *g, const bool *reached)
{
	/* remove edges to dominators; the rest must be acyclic */
	bool gone[MAX_BLOCKS] = {false};

	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t b = 0; b < g->count; b++) {
			bool waits = false;
			for (uint32_t p = 0; p < g->count; p++) {
				uint32_t out[2];
				for (uint32_t i = 0, n = successors(g, p, out); i < n; i++)
					waits |= reached[p] && !gone[p] && out[i] == b && !dominates(g, b, p);
			}
			if (reached[b] && !gone[b] && !waits)
				changed = gone[b] = true;
		}
	}
	for (uint32_t b = 0; b < g->count; b++) {
		if (reached[b] && !gone[b])
			return true;
	}
	return false;
}

static void check_dominance(const struct graph *g, const struct spb_cfg *f, const bool *reached)
{
	for (uint32_t b = 0; b <= g->count; b++) {
		assert_int_equal(b == 0 || f->idom[b] != SPB_NO_BLOCK, reached[b]);
		if (!reached[b] || b == 0)
			continue;
		for (uint32_t a = 0; a <= g->count; a++) {
			if (!reached[a])
				continue;
			assert_int_equal(spb_dominates(f, a, b), dominates(g, a, b));
			if (a != b && dominates(g, a, b)) /* the nearest: dominated by all others */
				assert_true(dominates(g, a, f->idom[b]));
		}
	}
}

/* Without endless loops (where the model would have to make the choices of the code), a post-dominates b if no path
 * from b out of the function avoids it. */
static void check_post_dominance(const struct graph *g, const struct spb_cfg *f)
{
	for (uint32_t b = 0; b < g->count; b++) {
		bool leaves = g->degree[b] == 0 || g->degree[b] == 3;
		for (uint32_t x = 0; x < g->count && !leaves; x++)
			leaves = (g->degree[x] == 0 || g->degree[x] == 3) && reaches(g, b, x, g->count + 1);
		if (!leaves)
			return; /* an endless loop somewhere */
	}
	for (uint32_t b = 0; b < g->count; b++) {
		for (uint32_t a = 0; a < g->count; a++) {
			bool avoids = false, up = false;
			for (uint32_t x = 0; x < g->count && a != b; x++)
				avoids |= (g->degree[x] == 0 || g->degree[x] == 3) && x != a &&
					  (x == b || reaches(g, b, x, a));
			for (uint32_t x = f->ipdom[b]; x != SPB_NO_BLOCK && x != g->count; x = f->ipdom[x])
				up |= x == a;
			if (a != b)
				assert_int_equal(up, !avoids);
		}
	}
}

/* b is in the loop of header h if h dominates it and it reaches a latch without passing h. */
static void check_loops(const struct graph *g, const struct spb_cfg *f, const bool *reached)
{
	for (uint32_t h = 0; h < g->count; h++) {
		bool header = false, in[MAX_BLOCKS + 1] = {false};
		for (uint32_t p = 0; p < g->count && reached[h]; p++) {
			uint32_t out[2];
			for (uint32_t i = 0, n = successors(g, p, out); i < n; i++) {
				if (!reached[p] || out[i] != h || !dominates(g, h, p))
					continue;
				header = in[h] = true;
				for (uint32_t b = 0; b < g->count; b++)
					in[b] |= reached[b] && dominates(g, h, b) && b != h &&
						 (b == p || reaches(g, b, p, h));
			}
		}
		uint32_t loop = 0;
		for (uint32_t i = 0; i < f->loop_count; i++)
			loop = f->loops[i].header == h ? i + 1 : loop;
		assert_int_equal(loop != 0, header);
		for (uint32_t b = 0; b < g->count && loop; b++)
			assert_int_equal(spb_in_loop(f, loop, b), in[b]);
	}
}

/* The loops around a loop are those that contain its header; all have one order. */
static void check_nesting(const struct spb_cfg *f)
{
	for (uint32_t i = 0; i < f->loop_count; i++) {
		const struct spb_loop *l = &f->loops[i];
		uint32_t depth = 0, inside = 0, parent = 0, least = UINT32_MAX;
		for (uint32_t k = 0; k < f->loop_count; k++) {
			uint32_t size = 0;
			for (uint32_t b = 0; b < f->count; b++)
				size += spb_in_loop(f, k + 1, b);
			depth += spb_in_loop(f, k + 1, l->header);
			inside += spb_in_loop(f, i + 1, f->loops[k].header);
			if (k != i && spb_in_loop(f, k + 1, l->header) && size < least) {
				least = size;
				parent = k + 1;
			}
			if (k != i) /* apart, or one in the other */
				assert_true(l->first != f->loops[k].first);
		}
		assert_int_equal(l->parent, parent);
		assert_int_equal(l->depth, depth);
		assert_int_equal(l->inside, inside);
		assert_true(l->first + l->inside <= f->loop_count);
	}
	for (uint32_t b = 0; b <= f->count; b++) { /* the innermost one */
		uint32_t depth = 0;
		for (uint32_t k = 0; k < f->loop_count && b < f->count; k++)
			depth += spb_in_loop(f, k + 1, b);
		assert_int_equal(f->loop[b] ? f->loops[f->loop[b] - 1].depth : 0, depth);
	}
}

static void control_flow_agrees_with_a_naive_model(void **state)
{
	uint32_t reducible = 0, loops = 0;
	spb_context *context;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	for (uint32_t seed = 0; seed < 4000; seed++) {
		struct graph g;
		struct making k = {.m.context = context, .g = &g};
		bool reached[MAX_BLOCKS + 1] = {false};
		make_random(&g, seed, false);
		reach(&g, 0, g.count + 1, reached);
		assert_false(caught(context, make_cfg, &k));
		assert_int_equal(k.cfg->count, g.count);
		check_dominance(&g, k.cfg, reached);
		check_post_dominance(&g, k.cfg);
		assert_int_equal(k.cfg->irreducible, is_irreducible(&g, reached));
		if (!k.cfg->irreducible) {
			check_loops(&g, k.cfg, reached);
			check_nesting(k.cfg);
			reducible++;
			loops += k.cfg->loop_count;
		}
		spb_module_release(&k.m);
	}
	assert_true(reducible > 1000 && loops > 500); /* so that something was tested */
	spb_context_destroy(context);
}

/* Functions with every terminator. Ids: 1 void, 2 its type, 4 bool, 5 true, 6 false, 7 int, 8 its 3, 9 a 64-bit
 * integer, 10 its 3, 11 a bool, 12 an int and 13 a 64-bit integer that are not known, 20 … labels, 80 another function.
 */
enum { EDGE_BLOCKS = 12, MOST_EDGES = 8, LABELS = 20, OTHER = 80 };

struct flow_text {
	uint32_t count, words[1000], length;
	uint32_t op[EDGE_BLOCKS], all[EDGE_BLOCKS][MOST_EDGES], all_count[EDGE_BLOCKS];
	uint32_t only[EDGE_BLOCKS]; /* + 1: the one block that its constant leads to; 0: it has none */
};

static void put_flow_words(struct flow_text *t, const uint32_t *words, uint32_t count)
{
	assert_true(t->length + count <= sizeof t->words / sizeof *t->words);
	memcpy(t->words + t->length, words, count * sizeof *words);
	t->length += count;
}

#define PUT_FLOW(t, ...)                                                                                               \
	put_flow_words(t, (const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))
#define OP(op, n) ((uint32_t)(n) << 16 | (uint32_t)(op))

static void add_edge(struct flow_text *t, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < t->all_count[from]; i++) {
		if (t->all[from][i] == to)
			return; /* each once */
	}
	t->all[from][t->all_count[from]++] = to;
}

static void make_switch(struct flow_text *t, uint32_t b, uint32_t *state)
{
	const uint32_t selectors[] = {8, 10, 12, 13}, selector = selectors[next_random(state) % 4],
		       cases = next_random(state) % 5, first = 1 + next_random(state) % 3;
	const bool is_wide = selector == 10 || selector == 13;
	uint32_t target = 1 + next_random(state) % (t->count - 1);

	PUT_FLOW(t, OP(SpvOpSwitch, 3 + cases * (is_wide ? 3 : 2)), selector, LABELS + target);
	add_edge(t, b, target);
	t->only[b] = selector == 8 ? target + 1 : 0; /* literals of two words are not used */
	for (uint32_t i = 0; i < cases; i++) {
		target = 1 + next_random(state) % (t->count - 1);
		PUT_FLOW(t, first + i);
		if (is_wide)
			PUT_FLOW(t, 0);
		PUT_FLOW(t, LABELS + target);
		add_edge(t, b, target);
		if (selector == 8 && first + i == 3)
			t->only[b] = target + 1;
	}
}

static void make_terminator(struct flow_text *t, uint32_t b, uint32_t *state)
{
	const uint32_t one = 1 + next_random(state) % (t->count - 1), other = 1 + next_random(state) % (t->count - 1);

	switch (t->op[b]) {
	case SpvOpBranch:
		PUT_FLOW(t, OP(SpvOpBranch, 2), LABELS + one);
		add_edge(t, b, one);
		break;
	case SpvOpBranchConditional: {
		const uint32_t conditions[] = {5, 6, 11}, condition = conditions[next_random(state) % 3];
		PUT_FLOW(t, OP(SpvOpBranchConditional, 4), condition, LABELS + one, LABELS + other);
		add_edge(t, b, one);
		add_edge(t, b, other);
		t->only[b] = condition == 5 ? one + 1 : condition == 6 ? other + 1 : 0;
		break;
	}
	case SpvOpSwitch:
		make_switch(t, b, state);
		break;
	case SpvOpReturnValue:
		PUT_FLOW(t, OP(SpvOpReturnValue, 2), 8);
		break;
	default:
		PUT_FLOW(t, OP(t->op[b], 1));
		break;
	}
	if (t->op[b] == SpvOpReturn || t->op[b] == SpvOpReturnValue)
		add_edge(t, b, t->count);
}

static void make_flow(struct flow_text *t, uint32_t seed)
{
	static const uint32_t ops[] = {SpvOpBranch,
				       SpvOpBranchConditional,
				       SpvOpBranchConditional,
				       SpvOpSwitch,
				       SpvOpReturn,
				       SpvOpReturnValue,
				       SpvOpKill,
				       SpvOpBranch,
				       SpvOpUnreachable,
				       SpvOpTerminateInvocation};
	uint32_t state = seed * 2654435761u + 1;

	*t = (struct flow_text){.count = 2 + next_random(&state) % (EDGE_BLOCKS - 1)};
	PUT_FLOW(t, SpvMagicNumber, 0x10300, 0, 100, 0);
	PUT_FLOW(t, OP(SpvOpTypeVoid, 2), 1, OP(SpvOpTypeFunction, 3), 2, 1, OP(SpvOpTypeBool, 2), 4);
	PUT_FLOW(t, OP(SpvOpConstantTrue, 3), 4, 5, OP(SpvOpConstantFalse, 3), 4, 6, OP(SpvOpTypeInt, 4), 7, 32, 0);
	PUT_FLOW(t, OP(SpvOpConstant, 4), 7, 8, 3, OP(SpvOpTypeInt, 4), 9, 64, 0, OP(SpvOpConstant, 5), 9, 10, 3, 0);
	PUT_FLOW(t, OP(SpvOpUndef, 3), 4, 11, OP(SpvOpUndef, 3), 7, 12, OP(SpvOpUndef, 3), 9, 13);
	PUT_FLOW(t, OP(SpvOpFunction, 5), 1, OTHER, 0, 2, OP(SpvOpLabel, 2), OTHER + 1, OP(SpvOpReturn, 1),
		 OP(SpvOpFunctionEnd, 1));
	PUT_FLOW(t, OP(SpvOpFunction, 5), 1, 3, 0, 2);
	for (uint32_t b = 0; b < t->count; b++) {
		t->op[b] = ops[next_random(&state) % (sizeof ops / sizeof *ops)];
		PUT_FLOW(t, OP(SpvOpLabel, 2), LABELS + b);
		if (next_random(&state) % 2)
			PUT_FLOW(t, OP(SpvOpUndef, 3), 7, 50 + b);
		make_terminator(t, b, &state);
	}
	PUT_FLOW(t, OP(SpvOpFunctionEnd, 1));
}

struct flowing {
	struct spb_module m;
	const struct flow_text *t;
	bool but_ends, known;
	struct spb_cfg *cfg;
};

static void make_flow_cfg(void *argument)
{
	struct flowing *k = argument;
	struct spb_block *blocks;
	struct spb_folded known;
	uint32_t count = 0;

	spb_module_parse(&k->m, "flow", k->t->words, k->t->length);
	blocks = spb_alloc_array(&k->m.keep, EDGE_BLOCKS + 1, sizeof *blocks);
	for (spb_at at = k->m.function[1].body; at < k->m.function[1].end; at = spb_next(&k->m, at)) {
		if (spb_op(&k->m, at) == SpvOpLabel)
			blocks[count].label = at;
		else if (spb_op_is(spb_op(&k->m, at), SPB_OP_TERMINATOR))
			blocks[count++].end = at;
	}
	known = spb_fold_known(&k->m, &k->m.keep);
	k->cfg = spb_cfg_make(&k->m, blocks, count, k->known ? &known : NULL, &k->m.keep);
	if (k->but_ends)
		k->cfg = spb_cfg_with_killed(k->cfg, true, k->known ? &known : NULL, &k->m.keep);
}

/* Here, no block is in a construct, so killed invocations leave the function. */
static void let_killed_go_on(const struct flow_text *t, uint32_t edges[][MOST_EDGES], uint32_t *count)
{
	uint32_t reached[EDGE_BLOCKS] = {0}, reached_count = 1;
	bool seen[EDGE_BLOCKS + 2] = {true};

	for (uint32_t k = 0; k < reached_count; k++) {
		for (uint32_t i = 0; i < count[reached[k]]; i++) {
			uint32_t to = edges[reached[k]][i];
			if (to < t->count && !seen[to])
				reached[reached_count++] = to;
			seen[to] = true;
		}
	}
	for (uint32_t k = 0; k < reached_count; k++) {
		if (t->op[reached[k]] == SpvOpKill)
			edges[reached[k]][count[reached[k]]++] = t->count;
	}
}

static void check_edges(const struct flow_text *t, const struct spb_cfg *f, bool but_ends, bool known)
{
	uint32_t edges[EDGE_BLOCKS][MOST_EDGES], count[EDGE_BLOCKS + 1] = {0}, pred_count[EDGE_BLOCKS + 2] = {0};
	bool ends[EDGE_BLOCKS + 2] = {false}, turns_back = false;

	for (uint32_t b = 0; b < t->count; b++) {
		for (uint32_t i = 0; i < t->all_count[b]; i++) {
			const uint32_t to = t->all[b][i];
			if (known && t->only[b] && t->only[b] != to + 1)
				continue;
			edges[b][count[b]++] = to;
			turns_back |= to <= b;
		}
	}
	assert_int_equal(f->turns_back, turns_back);
	if (but_ends)
		let_killed_go_on(t, edges, count);
	for (uint32_t b = t->count; but_ends && b-- > 1;) { /* leads only to ends */
		bool goes_on = false;
		for (uint32_t i = 0; i < count[b]; i++)
			goes_on |= !ends[edges[b][i]];
		ends[b] = !goes_on; /* OpTerminateInvocation, for example, has no edges */
	}
	for (uint32_t b = 0, at = 0; b < t->count; b++) {
		assert_int_equal(f->first_succ[b], at);
		for (uint32_t i = 0; i < count[b]; i++) {
			if (!ends[edges[b][i]]) {
				assert_int_equal(f->succ[at], edges[b][i]);
				pred_count[edges[b][i]]++;
				at++;
			}
		}
		assert_int_equal(f->first_succ[b + 1], at);
	}
	assert_int_equal(f->first_succ[t->count + 1], f->first_succ[t->count]);
	for (uint32_t b = 0; b <= t->count; b++) { /* in the order of the blocks */
		assert_int_equal(f->first_pred[b + 1] - f->first_pred[b], pred_count[b]);
		for (uint32_t i = f->first_pred[b]; i < f->first_pred[b + 1]; i++) {
			const uint32_t from = f->pred[i];
			bool found = false;
			assert_true(i == f->first_pred[b] || f->pred[i - 1] < from);
			for (uint32_t k = f->first_succ[from]; k < f->first_succ[from + 1]; k++)
				found |= f->succ[k] == b;
			assert_true(found);
		}
	}
}

/* Each block is found by its instructions. */
static void check_blocks(const struct flow_text *t, const struct spb_cfg *f)
{
	const struct spb_module *m = f->m;
	uint32_t b = 0;

	for (spb_at at = f->block[0].label; at < m->function[1].end; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpLabel && m->words[at + 1] != LABELS)
			b++;
		assert_int_equal(spb_block_around(f, at), b);
	}
	for (uint32_t i = 0; i < t->count; i++)
		assert_int_equal(spb_block_of(f, LABELS + i), i);
	assert_int_equal(spb_block_of(f, OTHER + 1), t->count);
	assert_int_equal(spb_block_of(f, 8), t->count);
}

static void edges_are_those_of_the_terminators(void **state)
{
	spb_context *context;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	for (uint32_t seed = 0; seed < 1500; seed++) {
		struct flow_text t;
		make_flow(&t, seed);
		for (int how = 0; how < 4; how++) {
			struct flowing k = {.m.context = context, .t = &t, .but_ends = how & 1, .known = how & 2};
			assert_false(caught(context, make_flow_cfg, &k));
			assert_int_equal(k.cfg->count, t.count);
			check_edges(&t, k.cfg, k.but_ends, k.known);
			check_blocks(&t, k.cfg);
			spb_module_release(&k.m);
		}
	}
	spb_context_destroy(context);
}

/* Control dependence. The lists are compared as multisets of blocks. */

struct deciding {
	struct making k;
	struct spb_uniformity u;
	struct spb_body *body;
	uint32_t first_block[2];
	struct spb_block blocks[MAX_BLOCKS];
	uint32_t looked, traced;
};

static void make_body(void *argument)
{
	struct deciding *d = argument;
	struct spb_arena *arena = &d->k.m.keep;
	const struct spb_module *m = &d->k.m;

	make_cfg(&d->k);
	d->u =
	    (struct spb_uniformity){.m = m, .arena = arena, .drafts = arena, .functions.first_block = d->first_block};
	d->u.calls = &d->u.reach;
	d->u.functions.blocks.items = (void *)(uintptr_t)d->k.cfg->block;
	d->u.functions.blocks.count = d->first_block[1] = d->k.cfg->count;
	d->u.functions.body = spb_alloc_zeroed(arena, 1, sizeof *d->u.functions.body);
	d->body = spb_body_of(&d->u, 0);
	assert_ptr_equal(spb_body_of(&d->u, 0), d->body);
	spb_need_frontiers(&d->u, d->body);
	spb_need_control(&d->u, d->body);
	spb_need_exits(&d->u, d->body);
}

static uint32_t count_of(const uint32_t *items, uint32_t first, uint32_t end, uint32_t what)
{
	uint32_t count = 0;

	for (uint32_t i = first; i < end; i++)
		count += items[i] == what;
	return count;
}

/* Is a on the path from b (inclusive) up to the exit in the tree of post-dominators? */
static bool is_up(const struct spb_cfg *f, uint32_t a, uint32_t b)
{
	while (b != a && b != SPB_NO_BLOCK)
		b = f->ipdom[b];
	return a == b;
}

static bool branches(const struct spb_cfg *f, uint32_t b)
{
	return f->first_succ[b + 1] - f->first_succ[b] > 1;
}

static void check_lists(const struct spb_cfg *f, const struct spb_body *body)
{
	for (uint32_t a = 0; a < f->count; a++) {
		for (uint32_t b = 0; b < f->count; b++) {
			uint32_t frontier = 0, control = 0;
			bool joins = b && spb_reachable(f, b) && f->first_pred[b + 1] - f->first_pred[b] > 1;
			for (uint32_t i = f->first_pred[b]; i < f->first_pred[b + 1] && joins; i++)
				frontier += spb_reachable(f, f->pred[i]) && spb_reachable(f, a) &&
					    spb_dominates(f, a, f->pred[i]) && (a == b || !spb_dominates(f, a, b));
			assert_int_equal(count_of(body->control.frontier, body->control.first_frontier[a],
						  body->control.first_frontier[a + 1], b),
					 frontier);
			/* b decides whether a runs: a is inevitable after one successor, but not after b */
			for (uint32_t i = f->first_succ[b]; i < f->first_succ[b + 1] && branches(f, b); i++)
				control += is_up(f, a, f->succ[i]) &&
					   (f->ipdom[b] == SPB_NO_BLOCK || !is_up(f, a, f->ipdom[b]));
			assert_int_equal(
			    count_of(body->control.branches, body->control.first[a], body->control.first[a + 1], b),
			    control);
		}
	}
}

static bool is_exit(const struct spb_cfg *f, uint32_t loop, uint32_t b)
{
	return branches(f, b) && spb_in_loop(f, loop, b) &&
	       !(f->ipdom[b] != SPB_NO_BLOCK && spb_in_loop(f, loop, f->ipdom[b]));
}

static void check_exits(const struct spb_cfg *f, const struct spb_body *body)
{
	for (uint32_t loop = 1; loop <= f->loop_count; loop++) {
		for (uint32_t b = 0; b < f->count; b++)
			assert_int_equal(count_of(body->control.exit, body->control.first_exit[loop - 1],
						  body->control.first_exit[loop], b),
					 is_exit(f, loop, b));
	}
}

/* Blocks on paths to `join` from its dominator. */
static void see_region(const struct spb_cfg *f, uint32_t join, uint32_t b, bool *seen)
{
	if (!spb_reachable(f, b) || seen[b] || b == join)
		return;
	seen[b] = true;
	for (uint32_t i = f->first_pred[b]; i < f->first_pred[b + 1] && b != f->idom[join]; i++)
		see_region(f, join, f->pred[i], seen);
}

static void check_join(struct deciding *d, uint32_t join)
{
	const struct spb_cfg *f = d->k.cfg;
	uint32_t ways = 0, back = 0, wanted[MAX_BLOCKS] = {0};
	bool seen[MAX_BLOCKS + 1] = {false}, all;
	struct spb_list found = {0};

	for (uint32_t i = f->first_pred[join]; i < f->first_pred[join + 1]; i++) {
		bool turns = spb_reachable(f, f->pred[i]) && spb_dominates(f, join, f->pred[i]);
		back += turns;
		ways += spb_reachable(f, f->pred[i]) && !turns;
		if (join && spb_reachable(f, join) && !turns)
			see_region(f, join, f->pred[i], seen);
	}
	d->body->walked = 0;
	spb_join_branches(&d->u, d->body, join, &found, &all);
	assert_int_equal(all, f->irreducible || back > 1);
	if (all || ways < 2 || f->idom[join] == SPB_NO_BLOCK) {
		assert_int_equal(found.count, 0);
		return;
	}
	for (uint32_t b = 0; b < f->count; b++) {
		uint32_t on = 0, after = f->ipdom[b];
		for (uint32_t i = f->first_succ[b]; i < f->first_succ[b + 1]; i++)
			on += f->succ[i] == join || seen[f->succ[i]];
		wanted[b] = seen[b] && on > 1 && !(after != SPB_NO_BLOCK && after != join && seen[after]);
		for (uint32_t loop = 1; loop <= f->loop_count; loop++)
			wanted[b] +=
			    spb_in_loop(f, loop, f->idom[join]) && !spb_in_loop(f, loop, join) && is_exit(f, loop, b);
	}
	for (uint32_t b = 0; b < f->count; b++)
		assert_int_equal(count_of(found.items, 0, (uint32_t)found.count, b), wanted[b]);
	d->looked += found.count != 0;
	d->body->walked = 4096 + 64 * f->count - d->body->walked; /* just enough is left, and one less */
	spb_join_branches(&d->u, d->body, join, &found, &all);
	assert_false(all);
	assert_int_equal(d->body->walked, 4096 + 64 * f->count);
	d->body->walked = 4096 + 64 * f->count;
	spb_join_branches(&d->u, d->body, join, &found, &all);
	assert_true(all);
}

static bool is_trace(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpExecuteCallableKHR;
}

/* Is there one after `from`, that has ended at `to`? */
static bool traces(const struct spb_module *m, spb_at from, spb_at to)
{
	for (spb_at at = spb_next(m, from); at < to; at = spb_next(m, at)) {
		if (is_trace(m, at))
			return true;
	}
	return false;
}

static void see_back(const struct spb_cfg *f, uint32_t b, uint32_t from, bool *seen)
{
	for (uint32_t i = f->first_pred[b]; i < f->first_pred[b + 1]; i++) {
		if (f->pred[i] == from || seen[f->pred[i]])
			continue;
		seen[f->pred[i]] = true;
		see_back(f, f->pred[i], from, seen);
	}
}

/* From the second instruction of one block to one of another, or to its end (number 0); or to the exit. */
static void check_trace(struct deciding *d, uint32_t a, uint32_t b, uint32_t number)
{
	const struct spb_module *m = &d->k.m;
	const struct spb_cfg *f = d->k.cfg;
	bool exits = b == f->count, seen[MAX_BLOCKS + 1] = {false}, wanted;
	spb_at from = spb_next(m, spb_next(m, f->block[a].label)), to = exits ? 0 : f->block[b].end;

	if (number)
		to = f->block[b].label;
	for (uint32_t i = 0; i < number; i++)
		to = spb_next(m, to);
	if (a == b && to > from) {
		wanted = traces(m, from, to);
	} else {
		wanted = traces(m, from, f->block[a].end) || (!exits && traces(m, f->block[b].label, to));
		see_back(f, b, a, seen);
		for (uint32_t i = 0; i < f->count; i++)
			wanted |= seen[i] && traces(m, f->block[i].label, f->block[i].end);
	}
	d->body->walked = 0;
	assert_int_equal(spb_repacks_between(&d->u, 0, from, b, number ? to : 0), wanted);
	d->traced += !wanted;
	if (wanted || (a == b && to > from))
		return;
	d->body->walked = 4096 + 64 * f->count - d->body->walked; /* just enough is left, and one less */
	assert_false(spb_repacks_between(&d->u, 0, from, b, number ? to : 0));
	d->body->walked = 4097 + 64 * f->count;
	assert_true(spb_repacks_between(&d->u, 0, from, b, number ? to : 0));
}

static void control_dependence_agrees_with_a_naive_model(void **state)
{
	uint32_t looked = 0, traced = 0;
	spb_context *context;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	for (uint32_t seed = 0; seed < 1500; seed++) {
		struct graph g;
		struct deciding d = {.k.m.context = context, .k.g = &g};
		make_random(&g, seed, seed % 3 == 0);
		assert_false(caught(context, make_body, &d));
		check_lists(d.k.cfg, d.body);
		check_exits(d.k.cfg, d.body);
		for (uint32_t b = 0; b < g.count; b++)
			check_join(&d, b);
		for (uint32_t a = 0; a < g.count && g.traces; a++) {
			for (uint32_t b = 0; b < g.count; b++) {
				for (uint32_t number = 0; number < 4; number++)
					check_trace(&d, a, b, number);
			}
			check_trace(&d, a, g.count, 0);
		}
		for (uint32_t b = 0, next = 0; b < g.count; b++) { /* those that return, in order */
			if (g.degree[b] == 0 && spb_reachable(d.k.cfg, b))
				assert_int_equal(d.body->returns.items[next++], b);
			if (b + 1 == g.count)
				assert_int_equal(d.body->returns.count, next);
		}
		looked += d.looked;
		traced += d.traced;
		spb_module_release(&d.k.m);
	}
	assert_true(looked > 400 && traced > 10000);
	spb_context_destroy(context);
}

/* Components of types, in a module with nothing else. */

enum { FIRST_LENGTH = 10, LENGTHS = 20, FIRST_TYPE = 40, MAX_TYPES = 30, MAX_MEMBERS = 6 };

struct type {
	uint32_t op, of, length, members[MAX_MEMBERS]; /* of: index of a type; length: of members or elements */
	uint32_t leaves;
};

struct typing {
	struct spb_module m;
	struct type type[MAX_TYPES + 1]; /* the last one: a pointer that is declared before all others */
	uint32_t words[1024], length;
	struct spb_uniformity u;
};

static void put_words(struct typing *t, const uint32_t *words, uint32_t count)
{
	memcpy(t->words + t->length, words, count * sizeof *words);
	t->length += count;
}

#define PUT(...) put_words(t, (const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

static void put_type(struct typing *t, uint32_t i, uint32_t *state)
{
	struct type *x = &t->type[i];
	uint32_t kind = next_random(state) % 8, of = next_random(state) % (i ? i : 1), id = FIRST_TYPE + i;

	*x = (struct type){.op = SpvOpTypeStruct, .of = of, .length = 1 + next_random(state) % MAX_MEMBERS};
	if (i == 0 || kind == 0) {
		x->op = SpvOpTypeFloat;
		PUT(3 << 16 | SpvOpTypeFloat, id, 16 + i); /* types of one kind have to differ */
	} else if (kind == 1 && t->type[of].op == SpvOpTypeFloat) {
		x->op = SpvOpTypeVector;
		x->length = 2 + next_random(state) % 3;
		PUT(4 << 16 | SpvOpTypeVector, id, FIRST_TYPE + of, x->length);
	} else if (kind <= 2 && t->type[of].op == SpvOpTypeVector) {
		x->op = SpvOpTypeMatrix;
		x->length = 2 + next_random(state) % 3;
		PUT(4 << 16 | SpvOpTypeMatrix, id, FIRST_TYPE + of, x->length);
	} else if (kind <= 4) {
		x->op = SpvOpTypeArray;
		x->length = 1 + next_random(state) % LENGTHS;
		PUT(4 << 16 | SpvOpTypeArray, id, FIRST_TYPE + of, FIRST_LENGTH + x->length - 1);
	} else if (kind == 5) {
		x->op = SpvOpTypeRuntimeArray;
		PUT(3 << 16 | SpvOpTypeRuntimeArray, id, FIRST_TYPE + of);
	} else {
		PUT((2 + x->length) << 16 | SpvOpTypeStruct, id);
		for (uint32_t k = 0; k < x->length; k++) {
			x->members[k] = next_random(state) % (i + 1);
			if (x->members[k] == i)
				x->members[k] = MAX_TYPES;
			PUT(FIRST_TYPE + x->members[k]);
		}
	}
}

static void count_naively(struct type *types)
{
	types[MAX_TYPES].leaves = 2;
	for (uint32_t i = 0; i < MAX_TYPES; i++) {
		struct type *x = &types[i];
		uint32_t each = types[x->of].leaves;
		x->leaves = 0;
		if (x->op == SpvOpTypeFloat)
			x->leaves = 1;
		else if (x->op == SpvOpTypeVector || x->op == SpvOpTypeMatrix)
			x->leaves = each * x->length;
		else if (x->op == SpvOpTypeArray || x->op == SpvOpTypeRuntimeArray)
			x->leaves = each;
		for (uint32_t k = 0; x->op == SpvOpTypeStruct && k < x->length; k++)
			x->leaves += types[x->members[k]].leaves;
		if (x->leaves > SPB_MAX_LEAVES)
			x->leaves = 1;
	}
}

static void check_members(struct typing *t, uint32_t i)
{
	struct type *x = &t->type[i];
	bool even = x->op == SpvOpTypeVector || x->op == SpvOpTypeMatrix;
	uint32_t sum = 0, first, count;

	for (uint32_t k = 0; k < x->length; k++) {
		uint32_t member = x->op == SpvOpTypeStruct ? x->members[k] : x->of;
		uint32_t each = t->type[member].leaves;
		bool told = even || (x->op == SpvOpTypeStruct && x->leaves > 1);
		if (x->op != SpvOpTypeFloat)
			assert_int_equal(spb_leaf_member(&t->u, FIRST_TYPE + i, k, &first, &count),
					 FIRST_TYPE + member);
		else
			spb_leaf_member(&t->u, FIRST_TYPE + i, k, &first, &count);
		assert_int_equal(first, told ? sum : 0);
		assert_int_equal(count, told ? each : x->leaves);
		sum += each;
	}
	if (x->op == SpvOpTypeStruct)
		return;
	spb_leaf_member(&t->u, FIRST_TYPE + i, x->length, &first, &count); /* behind the end: any of them */
	assert_int_equal(first, 0);
	assert_int_equal(count, x->leaves);
}

static void parse_types(void *argument)
{
	struct typing *t = argument;

	spb_module_parse(&t->m, "types", t->words, t->length);
	spb_module_need_index(&t->m);
	t->u = (struct spb_uniformity){.m = &t->m, .arena = &t->m.keep, .drafts = &t->m.keep};
	for (uint32_t i = 0; i < MAX_TYPES; i++)
		assert_int_equal(spb_leaf_count(&t->u, FIRST_TYPE + i), t->type[i].leaves);
	for (uint32_t i = 0; i < MAX_TYPES; i++)
		check_members(t, i);
}

static void leaf_counts_agree_with_a_naive_model(void **state)
{
	spb_context *context;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	for (uint32_t seed = 0; seed < 1000; seed++) {
		struct typing typing = {.m.context = context}, *t = &typing;
		uint32_t random = seed * 2654435761u + 7;
		PUT(SpvMagicNumber, 0x10300, 0, FIRST_TYPE + MAX_TYPES + 1, 0, 2 << 16 | SpvOpCapability, 1,
		    3 << 16 | SpvOpMemoryModel, 0, 1, 4 << 16 | SpvOpTypeInt, 1, 32, 0);
		for (uint32_t i = 0; i < LENGTHS; i++)
			PUT(4 << 16 | SpvOpConstant, 1, FIRST_LENGTH + i, i + 1);
		PUT(3 << 16 | SpvOpTypeForwardPointer, FIRST_TYPE + MAX_TYPES, SpvStorageClassPhysicalStorageBuffer);
		for (uint32_t i = 0; i < MAX_TYPES; i++)
			put_type(t, i, &random);
		PUT(4 << 16 | SpvOpTypePointer, FIRST_TYPE + MAX_TYPES, SpvStorageClassPhysicalStorageBuffer,
		    FIRST_TYPE);
		count_naively(t->type);
		assert_false(caught(context, parse_types, t));
		spb_module_release(&t->m);
	}
	spb_context_destroy(context);
}

/* The path to a descriptor: the operands that forward it, by words of the instruction. */
static void operands_in_between(void **state)
{
	static const struct {
		uint32_t op, length, first, end; /* end 0: not a step of such a path */
	} rows[] = {
	    {SpvOpCopyObject, 4, 3, 4},
	    {SpvOpAccessChain, 7, 3, 4},
	    {SpvOpInBoundsAccessChain, 5, 3, 4},
	    {SpvOpPtrAccessChain, 6, 3, 4},
	    {SpvOpImage, 4, 3, 4},
	    {SpvOpSampledImage, 5, 3, 5},
	    {SpvOpImageTexelPointer, 6, 3, 4},
	    {SpvOpSelect, 6, 4, 6},
	    {SpvOpPhi, 7, 3, 7},
	    {SpvOpPhi, 9, 3, 9},
	    {OpUntypedAccessChainKHR, 7, 4, 5},
	    {OpUntypedPtrAccessChainKHR, 8, 4, 5},
	    {OpUntypedImageTexelPointerEXT, 7, 4, 5},
	    {SpvOpIAdd, 5, 3, 0},
	    {SpvOpStore, 3, 3, 0},
	    {SpvOpImageSampleExplicitLod, 7, 3, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint32_t words[10] = {rows[i].length << 16 | rows[i].op}, first, end;
		struct spb_module m = {.words = words, .count = 10};
		bool steps = spb_path_operands(&m, 0, &first, &end);
		assert_int_equal(steps, rows[i].end != 0);
		if (!steps)
			continue;
		assert_int_equal(first, rows[i].first);
		assert_int_equal(end, rows[i].end);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(control_flow_agrees_with_a_naive_model),
	    cmocka_unit_test(edges_are_those_of_the_terminators),
	    cmocka_unit_test(control_dependence_agrees_with_a_naive_model),
	    cmocka_unit_test(leaf_counts_agree_with_a_naive_model),
	    cmocka_unit_test(operands_in_between),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
