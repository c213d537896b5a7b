/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity: may a value differ between the invocations of a group, or of a subgroup?
 *
 * Callers ask about operands, and the analysis first walks backward, visiting only what flows into them. This yields a
 * graph: a node for each component of a value, for the contents of a variable at a point, for a branch; and an edge
 * wherever one depends on another. Then divergence is propagated forward from its sources (invocation ids, inputs,
 * memory that is written, ...). Each bit of a node changes at most once, so the work is linear in what is visited.
 *
 *   uniformity_leaves.c    components of types, and which of them a pointer into a variable refers to
 *   uniformity_writes.c    which memory the module writes, under whatever name
 *   uniformity_memory.c    the contents of variables: SSA for those of a function, one node for each field of others
 *   uniformity_private.c   ... module-scope variables before they are written
 *   uniformity_control.c   which branches decide where a value comes from, and how often a loop runs
 *   uniformity_nodes.c     nodes, and plain edges between them
 *   uniformity_edges.c     edges from values and memory to their uses: across loops, past branches and rays
 *   uniformity_demand.c    what each node depends on ...
 *   uniformity_values.c    ... if it is the value of an instruction
 *   uniformity_repack.c    where invocations may move to other subgroups
 *   uniformity_facts.c     what follows from the size of the workgroup
 *   uniformity_keys.c      values whatever their names
 *   uniformity_masks.c     shuffles from invocations that run
 *   uniformity_equal.c     values that a branch has found equal to uniform ones
 *   uniformity_shared.c    shared memory that is not written between two barriers
 *   uniformity_lanes.c     broadcasts of what all subgroups compute alike
 *   uniformity_stages.c    inputs to which the stages before write one value for a whole draw
 *   uniformity_solve.c     forward propagation, per entry point, through calls and back to the same caller
 *   uniformity_explain.c   explanations
 *   uniformity_tables.c    facts about instructions and built-ins
 *
 * Soundness: a value called uniform is uniform, provided that the module is valid, that indexes are within their
 * arrays, and that no other shader writes memory that this module reads without synchronisation. Of the memory that
 * this module itself writes, only what a workgroup shares is ever called uniform. Unknown means divergent. */
#ifndef SPB_UNIFORMITY_H
#define SPB_UNIFORMITY_H

#include "analysis/paths/descriptor_paths.h"       /* from a chain to its accesses */
#include "analysis/uniformity/uniformity_tables.h" /* facts about opcodes, and the scopes as bits */

struct spb_uniformity_settings {
	bool marks_only;    /* only values decorated NonUniform, and those computed from them, differ */
	bool heed_marks;    /* a value decorated NonUniform differs, whatever the analysis finds */
	bool trust_uniform; /* a value decorated Uniform or UniformId is uniform in that scope */
	bool one_place;     /* any two resources of one descriptor type at one binding may alias; otherwise only runtime
			     * arrays and those decorated Aliased */
	bool any_type;      /* resources of different types may alias, too */
	bool by_address;    /* buffer references may refer to the buffers of descriptors, decorated Aliased or not */
	bool quad;        /* of fragments: SPB_UNIFORM_SUBGROUP means uniform in the quad, and SPB_UNIFORM_GROUP in the
			   * primitive, a flat input for example; fragments that are discarded go on */
	bool lanes;       /* SPB_UNIFORM_GROUP has another meaning: uniformity_lanes.c */
	bool for_outputs; /* the questions are about outputs: what follows from a built-in differs */
	bool may_rebind;  /* runtime arrays that have different bindings now may get the same one */
	bool silent;      /* no explanations will be requested */
	bool has_open;    /* `open` is a binding number that means "unassigned" */
	uint32_t open;
	const struct spb_targets *targets; /* targets of chosen pointers; NULL: unknown */
};

struct spb_uniformity;

struct spb_uniformity *spb_uniformity_begin(const struct spb_module *m, const struct spb_calls *calls,
					    struct spb_arena *arena, struct spb_uniformity_settings settings);

/* The modules of a program, of which one is analysed. */
struct spb_program_modules {
	struct spb_module **modules;
	uint32_t count;
};

/* Finds the inputs to which the stages before write one value for a whole draw. Must come before any question. */
void spb_uniformity_inherit(struct spb_uniformity *u, struct spb_program_modules p);

/* Finds broadcasts that are the same in the workgroup if no subgroup lacks the invocation that they name. May be left
 * out, but not come after a question. */
void spb_uniformity_find_lanes(struct spb_uniformity *u);

/* Asks about a component of the value that an output of a vertex or tessellation evaluation shader holds when the
 * function of the entry point returns. Requires settings.for_outputs. */
uint32_t spb_uniformity_ask_output(struct spb_uniformity *u, uint32_t function, uint32_t variable, uint32_t leaf);

/* Asks about the descriptor that the id at `word` of the instruction at `at` names; returns the question, to be passed
 * to spb_uniformity_of later. `leaf`: 1 for the sampler of a sampled image, otherwise 0. */
uint32_t spb_uniformity_ask(struct spb_uniformity *u, spb_at at, uint32_t word, uint32_t leaf);

/* Asks about all components of the value at `word`. */
uint32_t spb_uniformity_ask_whole(struct spb_uniformity *u, spb_at at, uint32_t word);

/* Asks whether all invocations of the entry point in the scope execute the instruction together. Word 1 of the
 * instruction must be an id. */
uint32_t spb_uniformity_ask_control(struct spb_uniformity *u, spb_at at);

void spb_uniformity_solve(struct spb_uniformity *u); /* once, after all questions have been asked */

/* The scopes (SPB_UNIFORM_*) in which it is uniform for every entry point and caller. */
uint8_t spb_uniformity_of(const struct spb_uniformity *u, uint32_t question);

/* The same for a component of a value that some question has reached; SPB_UNIFORM_BOTH if none has. */
uint8_t spb_uniformity_of_value(const struct spb_uniformity *u, uint32_t id, uint32_t leaf);

/* Is the value known to differ in the scope, since it depends on invocation ids, inputs, ...? False: it is merely
 * unknown (memory that is written, unknown instructions). With both scopes: is it known to differ in each? */
bool spb_uniformity_is_certain(const struct spb_uniformity *u, uint32_t question, uint8_t scope);

/* Would it be uniform in the scope if docs/lint.md, "What the rules assume", is right: if all values were defined, ...?
 * False if it is. */
bool spb_uniformity_is_unlikely(const struct spb_uniformity *u, uint32_t question, uint8_t scope);

/* One step of an explanation, from the question towards the cause. */
struct spb_reason {
	const char *how;  /* "is computed from", "is decided by the branch on" ...; for the last step: what causes it */
	uint32_t id;      /* the value, variable or function in question; 0: none */
	spb_at at;        /* its instruction; 0: none in particular */
	uint32_t builtin; /* last step: BuiltIn + 1; 0: not a built-in */
	bool plain;       /* a plain data dependence: worth mentioning only if the id has a name */
	bool ends;        /* the last step, which describes the id itself */
	uint32_t stages;  /* last step: entry point's execution model bit (spb_stage_bit); 0: any */
	const struct spb_module *from; /* last step: the module of the stage before that writes the input; NULL: none */
	spb_at store; /* ... and its store; from is NULL: one that races with the load, in this module */
};

/* The shortest path from the question, whose value differs, to the cause of divergence in the scope. Returns the number
 * of steps, at most `most`. */
uint32_t spb_uniformity_why(struct spb_uniformity *u, uint32_t question, uint8_t scope, struct spb_reason *steps,
			    uint32_t most);

/* What a uniform value is ultimately computed from, without constants, each once, nearest first, at most `most`. */
uint32_t spb_uniformity_proof(struct spb_uniformity *u, uint32_t question, struct spb_reason *steps, uint32_t most);

#endif
