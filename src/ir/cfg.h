/* SPDX-License-Identifier: Apache-2.0 */
/* cfg: the control flow of one function: blocks, who follows whom, dominance both ways, loops.
 *
 * Blocks are numbered in module order; 0 is the first. One more, `count`, is the exit: it follows every block that
 * leaves the function. Every walk here is a loop with its own stack, as inputs nest as deep as they like; all of it is
 * linear but for dominance, which is O(n log n) (Lengauer and Tarjan, without their balancing). */
#ifndef SPB_CFG_H
#define SPB_CFG_H

#include "ir/ir.h"

#define SPB_NO_BLOCK UINT32_MAX

struct spb_block {
	spb_at label, end; /* OpLabel; the terminator */
};

/* A loop is the blocks from which its header is reached again. What is run in a round and then leaves, `if (last) { …;
 * break;
 * }`, is not in it: by SPIR-V 2.11 it belongs to the round, but SwiftShader runs it behind the loop, once for all. */
struct spb_loop {
	uint32_t header;
	uint32_t parent;        /* loop around it, + 1; 0: none */
	uint32_t depth;         /* from 1 */
	uint32_t first, inside; /* loops in it have first in [first, first + inside) */
};

struct spb_cfg {
	const struct spb_module *m;
	uint32_t count;
	struct spb_block *block;     /* [count] */
	uint32_t *first_succ, *succ; /* [count + 2]: of block b: succ[first_succ[b] .. first_succ[b + 1]), each once */
	uint32_t *first_pred, *pred; /* those that lead to the exit: returns only */
	uint32_t *idom;              /* [count + 1]; of block 0, and of what cannot be reached: SPB_NO_BLOCK */
	uint32_t *ipdom;             /* [count + 1]; of the exit, and of what never leaves: SPB_NO_BLOCK */
	uint32_t *dom_first, *dom_last; /* [count + 1]: blocks dominated by b have dom_first in [first, last] */
	uint32_t *loop;                 /* [count + 1]: innermost loop, + 1; 0: none */
	struct spb_loop *loops;
	uint32_t loop_count;
	bool irreducible; /* a loop is entered elsewhere than at its header */
};

/* block_of: [bound], of labels: number of the block; filled here. */
struct spb_cfg *spb_cfg_make(const struct spb_module *m, const struct spb_function *f, uint32_t *block_of,
			     struct spb_arena *arena);
/* The block that an instruction of the function stands in. */
uint32_t spb_block_around(const struct spb_cfg *g, spb_at at);

static inline bool spb_reachable(const struct spb_cfg *g, uint32_t b)
{
	return b == 0 || g->idom[b] != SPB_NO_BLOCK;
}

static inline bool spb_dominates(const struct spb_cfg *g, uint32_t a, uint32_t b)
{
	return g->dom_first[a] <= g->dom_first[b] && g->dom_first[b] <= g->dom_last[a];
}

/* Is block b in the loop (+ 1)? The exit is in none. */
static inline bool spb_in_loop(const struct spb_cfg *g, uint32_t loop, uint32_t b)
{
	uint32_t l = g->loop[b];

	return l && g->loops[l - 1].first - g->loops[loop - 1].first < g->loops[loop - 1].inside;
}

#endif
