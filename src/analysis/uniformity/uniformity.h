/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity: may a value differ between the invocations of a group, or of a subgroup?
 *
 * The question is asked of operands; what flows into them is found backward, and only that. It becomes a graph: a node
 * for each component of a value, of what a variable holds at a point, of a branch; an edge where one follows from
 * another. Then what differs by nature (invocation ids, inputs, memory that is written …) is followed forward. Per bit
 * and per node everything happens at most once, so the work is linear in what is looked at.
 *
 *   uniformity_leaves.c    components of types, and which of them a pointer into a variable leads to
 *   uniformity_memory.c    what variables hold where: SSA for those of a function, one node for each field of others
 *   uniformity_control.c   which branches decide where a value comes from, and how often a loop is run
 *   uniformity_edges.c     nodes, and edges between them
 *   uniformity_demand.c    what each node follows from …
 *   uniformity_values.c    … that of an instruction
 *   uniformity_repack.c    where invocations change subgroups
 *   uniformity_facts.c     what the size of the workgroup tells
 *   uniformity_solve.c     the way forward, per entry point, through calls and back to the caller that called
 *   uniformity_explain.c   why
 *   uniformity_tables.c    what instructions and built-ins say
 *
 * Sound means: what is called uniform is uniform, provided that the module is valid, indices are in their arrays, and
 * no memory is written by one invocation while another one reads it without either of them being ordered after the
 * other through this module's own stores (such memory is never called uniform) or other shaders'. Unknown is divergent.
 */
#ifndef SPB_UNIFORMITY_H
#define SPB_UNIFORMITY_H

#include "analysis/uniformity/descriptor_paths.h"  /* the accesses that a chain leads to */
#include "analysis/uniformity/uniformity_tables.h" /* what an opcode says, and the scopes as bits */

struct spb_uniformity_wishes {
	bool marks_only;    /* nothing differs but what the author marked NonUniform, and what is made of it */
	bool heed_marks;    /* a value marked NonUniform differs, whatever the analysis says                  */
	bool trust_uniform; /* a value decorated Uniform or UniformId is uniform in that scope                */
	bool one_place;     /* any two resources at one place may be one memory; else runtime arrays and Aliased ones */
	bool they_move;     /* runtime arrays may come to one place that have several now */
	bool has_open;      /* `open` is a binding that says "assign it", and no place */
	uint32_t open;
};

struct spb_uniformity;

struct spb_uniformity *spb_uniformity_begin(const struct spb_module *m, const struct spb_calls *calls,
					    struct spb_arena *arena, struct spb_uniformity_wishes wishes);

/* Which descriptor does the instruction at `at` name by the id at `word`? Returns what to ask about later. `leaf`: 1
 * for the sampler of a sampled image, else 0. */
uint32_t spb_uniformity_ask(struct spb_uniformity *u, spb_at at, uint32_t word, uint32_t leaf);

void spb_uniformity_solve(struct spb_uniformity *u); /* once, after all questions */

/* SPB_UNIFORM_*: the scopes in which it is the same, whichever entry point and caller. */
uint8_t spb_uniformity_of(const struct spb_uniformity *u, uint32_t question);

/* The same for a component of a value that some question led to; SPB_UNIFORM_BOTH if none did. */
uint8_t spb_uniformity_of_value(const struct spb_uniformity *u, uint32_t id, uint32_t leaf);

/* Whether that which makes it differ in the scope does so by nature (invocation ids, inputs …), or only nothing is
 * known (memory that is written, unknown instructions). */
bool spb_uniformity_is_certain(const struct spb_uniformity *u, uint32_t question, uint8_t scope);

/* One step of an explanation, from the question towards the cause. */
struct spb_reason {
	const char *how;  /* "is made of", "is chosen by the branch on" …; of the last: what is special about it */
	uint32_t id;      /* the value, variable or function it speaks of; 0: none */
	spb_at at;        /* where; 0: nowhere in particular */
	uint32_t builtin; /* of the last: BuiltIn + 1; 0: it is none */
	bool plain;       /* only "is made of": worth telling if the id has a name */
	bool ends;        /* the last one: says something of the id itself */
	uint32_t stages;  /* of the last: of which entry point: execution model bit (spb_stage_bit); 0: any */
};

/* The shortest way from the question to what makes it differ in the scope. Returns how many steps, at most `most`; 0:
 * it is uniform. */
uint32_t spb_uniformity_why(struct spb_uniformity *u, uint32_t question, uint8_t scope, struct spb_reason *steps,
			    uint32_t most);

/* What a uniform value is made of in the end: constants left out, each once, at most `most`; nearest first. */
uint32_t spb_uniformity_proof(struct spb_uniformity *u, uint32_t question, struct spb_reason *steps, uint32_t most);

#endif
