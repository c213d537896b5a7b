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
			reducible++;
			loops += k.cfg->loop_count;
		}
		spb_module_release(&k.m);
	}
	assert_true(reducible > 1000 && loops > 500); /* so that something was looked at */
	spb_context_destroy(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(control_flow_is_as_a_naive_model_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
