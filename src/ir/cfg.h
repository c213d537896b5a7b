/* SPDX-License-Identifier: Apache-2.0 */
/* cfg: the control-flow graph of one function: blocks, successors, dominators, post-dominators and loops.
 *
 * Blocks are numbered in module order, from 0. An extra one, `count`, is the exit: it succeeds every block that
 * leaves the function. Every walk is a loop with its own stack, since inputs may nest to any depth. Everything is
 * linear except dominance, which is O(n log n) (the simple version of Lengauer and Tarjan). */
#ifndef SPB_CFG_H
#define SPB_CFG_H

#include "ir/ir.h"

#define SPB_NO_BLOCK UINT32_MAX

struct spb_block {
	spb_at label, end; /* OpLabel, and the terminator */
};

/* A loop consists of the blocks from which its header can be reached again. What runs in an iteration and then leaves,
 * `if (last) { …; break; }`, does not belong to it: according to SPIR-V 2.11, "Structured Control Flow", it is part of
 * the loop construct, but SwiftShader runs it after the loop, once for all invocations. */
struct spb_loop {
	uint32_t header;
	uint32_t parent;        /* enclosing loop, + 1; 0: none */
	uint32_t depth;         /* from 1 */
	uint32_t first, inside; /* the loops in it have `first` in [first, first + inside) */
};

struct spb_cfg {
	const struct spb_module *m;
	uint32_t count;
	const struct spb_block *block;  /* [count] */
	uint32_t *first_succ, *succ;    /* [count + 2] successors of block b: succ[first_succ[b] .. first_succ[b + 1]),
					 * each once */
	uint32_t *first_pred, *pred;    /* predecessors; of the exit: returns, and where killed
					 * invocations leave the function */
	uint32_t *idom;                 /* [count + 1]; SPB_NO_BLOCK for block 0 and for unreachable blocks */
	uint32_t *ipdom;                /* [count + 1]; SPB_NO_BLOCK for the exit and for blocks that never leave */
	uint32_t *dom_first, *dom_last; /* [count + 1]: blocks dominated by b have dom_first in [first, last] */
	uint32_t *loop;                 /* [count + 1]: innermost loop, + 1; 0: none */
	struct spb_loop *loops;
	uint32_t loop_count;
	bool turns_back;  /* an edge leads to the same or an earlier block; without one there are no loops */
	bool irreducible; /* a loop has an entry other than its header */
};

/* `blocks`: those of the function, in module order; they are not copied. `known`: leaves out the edges that branches on
 * these constants never take; NULL keeps them. */
struct spb_cfg *spb_cfg_make(const struct spb_module *m, const struct spb_block *blocks, uint32_t count,
			     const struct spb_folded *known, struct spb_arena *arena);
/* The same graph, in which invocations that execute OpKill continue as helper invocations. `but_ends`: without the
 * blocks that inevitably lead to OpTerminateInvocation or the like, so that only the flow of the others remains. */
struct spb_cfg *spb_cfg_with_killed(const struct spb_cfg *ended, bool but_ends, const struct spb_folded *known,
				    struct spb_arena *arena);
/* The block that contains an instruction of the function. */
uint32_t spb_block_around(const struct spb_cfg *g, spb_at at);
uint32_t spb_block_of(const struct spb_cfg *g, uint32_t label); /* g->count if it is in another function */

static inline bool spb_reachable(const struct spb_cfg *g, uint32_t b)
{
	return b == 0 || g->idom[b] != SPB_NO_BLOCK;
}

static inline bool spb_dominates(const struct spb_cfg *g, uint32_t a, uint32_t b)
{
	return g->dom_first[a] <= g->dom_first[b] && g->dom_first[b] <= g->dom_last[a];
}

/* Is block b in the loop (number + 1)? The exit is in no loop. */
static inline bool spb_in_loop(const struct spb_cfg *g, uint32_t loop, uint32_t b)
{
	uint32_t l = g->loop[b];

	return l && g->loops[l - 1].first - g->loops[loop - 1].first < g->loops[loop - 1].inside;
}

#endif
