/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow against a naive model, on random functions; and what the API says of accesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "caught.h"
#include "ir/cfg.h"
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
	uint32_t words[64 + MAX_BLOCKS * 8], length;
};

static void put(struct graph *g, uint32_t word)
{
	g->words[g->length++] = word;
}

static void put_op(struct graph *g, uint32_t op, uint32_t length)
{
	put(g, length << 16 | op);
}

/* A function of random branches; ids: 1 void, 2 its type, 3 function, 4 bool, 5 true, 10 … labels. */
static void make_random(struct graph *g, uint32_t seed)
{
	uint32_t state = seed * 2654435761u + 1, kind = next_random(&state) % 3;

	*g = (struct graph){.count = 2 + next_random(&state) % (MAX_BLOCKS - 2)};
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

/* What can be reached from `from` without passing `without` (none: count + 1). */
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
	blocks = spb_alloc_array(&k->m.keep, MAX_BLOCKS, sizeof *blocks);
	for (spb_at at = k->m.function[0].label; at < k->m.function[0].end; at = spb_next(&k->m, at)) {
		if (spb_op(&k->m, at) == SpvOpLabel)
			blocks[count].label = at;
		else if (spb_op_is(spb_op(&k->m, at), SPB_OP_TERMINATOR))
			blocks[count++].end = at;
	}
	k->cfg = spb_cfg_make(&k->m, blocks, count, false, NULL, &k->m.keep);
}

/* An edge to a block that reaches its source, and does not dominate it. */
static bool is_irreducible(const struct graph *g, const bool *reached)
{
	/* remove edges to dominators; what is left must have no cycle */
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

/* In no cycle that never leaves (where the model would have to choose what the code chooses), a post-dominates b if no
 * way from b out of the function avoids it. */
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

/* The loops around a loop are those that its header is in; each has its place in one order of all. */
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

static void control_flow_is_as_a_naive_model_says(void **state)
{
	uint32_t reducible = 0, loops = 0;
	spb_context *context;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	for (uint32_t seed = 0; seed < 4000; seed++) {
		struct graph g;
		struct making k = {.m.context = context, .g = &g};
		bool reached[MAX_BLOCKS + 1] = {false};
		make_random(&g, seed);
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
	assert_true(reducible > 1000 && loops > 500); /* so that something was looked at */
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

static void put_words(struct flow_text *t, const uint32_t *words, uint32_t count)
{
	assert_true(t->length + count <= sizeof t->words / sizeof *t->words);
	memcpy(t->words + t->length, words, count * sizeof *words);
	t->length += count;
}

#define PUT(t, ...) put_words(t, (const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))
#define OP(op, n)   ((uint32_t)(n) << 16 | (uint32_t)(op))

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

	PUT(t, OP(SpvOpSwitch, 3 + cases * (is_wide ? 3 : 2)), selector, LABELS + target);
	add_edge(t, b, target);
	t->only[b] = selector == 8 ? target + 1 : 0; /* literals of two words are not looked at */
	for (uint32_t i = 0; i < cases; i++) {
		target = 1 + next_random(state) % (t->count - 1);
		PUT(t, first + i);
		if (is_wide)
			PUT(t, 0);
		PUT(t, LABELS + target);
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
		PUT(t, OP(SpvOpBranch, 2), LABELS + one);
		add_edge(t, b, one);
		break;
	case SpvOpBranchConditional: {
		const uint32_t conditions[] = {5, 6, 11}, condition = conditions[next_random(state) % 3];
		PUT(t, OP(SpvOpBranchConditional, 4), condition, LABELS + one, LABELS + other);
		add_edge(t, b, one);
		add_edge(t, b, other);
		t->only[b] = condition == 5 ? one + 1 : condition == 6 ? other + 1 : 0;
		break;
	}
	case SpvOpSwitch:
		make_switch(t, b, state);
		break;
	case SpvOpReturnValue:
		PUT(t, OP(SpvOpReturnValue, 2), 8);
		break;
	default:
		PUT(t, OP(t->op[b], 1));
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
	PUT(t, SpvMagicNumber, 0x10300, 0, 100, 0);
	PUT(t, OP(SpvOpTypeVoid, 2), 1, OP(SpvOpTypeFunction, 3), 2, 1, OP(SpvOpTypeBool, 2), 4);
	PUT(t, OP(SpvOpConstantTrue, 3), 4, 5, OP(SpvOpConstantFalse, 3), 4, 6, OP(SpvOpTypeInt, 4), 7, 32, 0);
	PUT(t, OP(SpvOpConstant, 4), 7, 8, 3, OP(SpvOpTypeInt, 4), 9, 64, 0, OP(SpvOpConstant, 5), 9, 10, 3, 0);
	PUT(t, OP(SpvOpUndef, 3), 4, 11, OP(SpvOpUndef, 3), 7, 12, OP(SpvOpUndef, 3), 9, 13);
	PUT(t, OP(SpvOpFunction, 5), 1, OTHER, 0, 2, OP(SpvOpLabel, 2), OTHER + 1, OP(SpvOpReturn, 1),
	    OP(SpvOpFunctionEnd, 1));
	PUT(t, OP(SpvOpFunction, 5), 1, 3, 0, 2);
	for (uint32_t b = 0; b < t->count; b++) {
		t->op[b] = ops[next_random(&state) % (sizeof ops / sizeof *ops)];
		PUT(t, OP(SpvOpLabel, 2), LABELS + b);
		if (next_random(&state) % 2)
			PUT(t, OP(SpvOpUndef, 3), 7, 50 + b);
		make_terminator(t, b, &state);
	}
	PUT(t, OP(SpvOpFunctionEnd, 1));
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
	for (spb_at at = k->m.function[1].label; at < k->m.function[1].end; at = spb_next(&k->m, at)) {
		if (spb_op(&k->m, at) == SpvOpLabel)
			blocks[count].label = at;
		else if (spb_op_is(spb_op(&k->m, at), SPB_OP_TERMINATOR))
			blocks[count++].end = at;
	}
	known = spb_fold_known(&k->m, &k->m.keep);
	k->cfg = spb_cfg_make(&k->m, blocks, count, k->but_ends, k->known ? &known : NULL, &k->m.keep);
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
	for (uint32_t b = t->count; but_ends && b-- > 1;) { /* leads to nothing but ends */
		bool goes_on = false;
		for (uint32_t i = 0; i < count[b]; i++)
			goes_on |= !ends[edges[b][i]];
		ends[b] = !goes_on; /* a kill, or OpUnreachable, has no edges */
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

/* Each block is found by what is in it. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(control_flow_is_as_a_naive_model_says),
	    cmocka_unit_test(edges_are_those_of_the_terminators),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
