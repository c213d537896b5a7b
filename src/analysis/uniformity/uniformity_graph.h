/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_graph: the graph that the files of the uniformity analysis share.
 *
 * Each file calls only those before it in this list: tables, leaves, control; nodes; writes; memory, repack; private,
 * keys; masks; equal; edges; facts, shared, explain; values, solve; demand; lanes; and stages, which runs the analysis
 * of another module. */
#ifndef SPB_UNIFORMITY_GRAPH_H
#define SPB_UNIFORMITY_GRAPH_H

#include "analysis/uniformity/uniformity.h"
#include "ir/cfg.h"

enum {
	SPB_MAX_LEAVES = 64,     /* types with more components count as one leaf */
	SPB_MAX_IMAGE_STEPS = 64 /* copies between an image and its variable; beyond that it is unknown */
};

struct spb_list {
	uint32_t *items;
	size_t count, capacity;
};

enum spb_node_kind {
	SPB_NODE_VALUE,   /* ref: id */
	SPB_NODE_VERSION, /* contents of a variable after a store, or where paths join; ref: version */
	SPB_NODE_CONTENT, /* contents of a variable at any time; ref: id of variable or parameter */
	SPB_NODE_IN,      /* contents behind a parameter when the function is entered; ref: id */
	SPB_NODE_OUT,     /* ... and when it returns */
	SPB_NODE_RESULT,  /* return value; ref: function */
	SPB_NODE_CONTROL, /* do all invocations that run the function run the block? ref: block */
	SPB_NODE_ENTRY,   /* do all call the function together? ref: function */
	SPB_NODE_GONE,    /* do all return from every function, with none terminated? */
	SPB_NODE_LOOP,    /* do all leave a loop together? ref: loop + 1 */
	SPB_NODE_USE      /* an operand where it is used; ref: word */
};

/* Why a node itself is not uniform. One source is enough: the worst. */
enum spb_source {
	SPB_SOURCE_NONE,
	SPB_SOURCE_MARK,          /* decorated NonUniform in the input */
	SPB_SOURCE_VARYING,       /* differs by definition */
	SPB_SOURCE_BUILTIN,       /* by the table of built-ins, per stage */
	SPB_SOURCE_INPUT,         /* an input variable, per invocation */
	SPB_SOURCE_SUBGROUP_ONLY, /* result of a subgroup operation */
	SPB_SOURCE_BROADCAST,     /* the same, but a value that is uniform in the group stays so */
	SPB_SOURCE_REPACK,        /* a ray was traced: nothing is known about the subgroup afterwards */
	SPB_SOURCE_READ,          /* read-only memory: not uniform in a subgroup that may span several groups */
	SPB_SOURCE_INHERITED,     /* one value for the whole draw, written by the stage before: like READ */
	SPB_SOURCE_WRITTEN,       /* memory that the module writes: unknown */
	SPB_SOURCE_MEMORY,        /* memory about which nothing is known */
	SPB_SOURCE_UNKNOWN,       /* an instruction about which nothing is known */
	SPB_SOURCE_UNDEFINED,
	SPB_SOURCE_OF_STAGE, /* an input that the stage before is not known to write differently within a draw */
	SPB_SOURCE_SHUFFLE,  /* undefined if the other invocation is inactive; it may also belong to another group */
	SPB_SOURCE_PARAMETER /* parameter of a function whose callers are unknown */
};

/* Why a value is uniform whatever it is computed from. */
enum spb_fact {
	SPB_FACT_NONE,
	SPB_FACT_SIZE,   /* uniformity_facts.c */
	SPB_FACT_LIKELY, /* the same, if there are not too many invocations */
	SPB_FACT_SHARED, /* uniformity_shared.c */
};

struct spb_node {
	uint32_t ref;
	uint32_t function; /* + 1; 0: none */
	uint16_t builtin;  /* for SOURCE_BUILTIN; UINT16_MAX: unknown */
	uint8_t kind, source;
	uint8_t leaf;
	bool demanded : 1;
	bool one_subgroup : 1; /* a question where the workgroup is known to be one subgroup */
	bool alone : 1;        /* of values that differ, but only one invocation of a group uses them */
	uint8_t trusted;       /* SPB_UNIFORM_* promised by a decoration */
	uint8_t fact;          /* enum spb_fact */
};

struct spb_loss {         /* what the solver found about a node; bits: SPB_UNIFORM_* */
	uint8_t lost;     /* in some run */
	uint8_t certain;  /* known to differ */
	uint8_t unlikely; /* only because of an undefined value, or across SPB_UNLIKELY */
};

enum spb_step { /* kind of dependence, for explanations and for edges between functions */
		SPB_STEP_DATA,
		SPB_STEP_ADDRESS, /* address in memory */
		SPB_STEP_BRANCH,
		SPB_STEP_LOOP,
		SPB_STEP_STORED,
		SPB_STEP_ARGUMENT, /* into a function */
		SPB_STEP_RETURNED, /* out of a function */
		SPB_STEP_THROUGH   /* a call's result depends on its argument */
};

/* Of a block: the workgroup that runs it is one subgroup. */
enum { SPB_ONE_SUBGROUP = 8 };

/* In the mask of an edge: its target need not diverge, even if its source is known to; or it does only where
 * docs/lint.md, "What the rules assume", says that nothing does. */
enum { SPB_PERHAPS = 4, SPB_UNLIKELY = 8 };

struct spb_edge {
	uint32_t from, to;
	uint8_t step, mask; /* mask: SPB_UNIFORM_* that propagate, SPB_PERHAPS, SPB_UNLIKELY */
};

struct spb_crossing { /* an edge of ARGUMENT or RETURNED, and the number of the call */
	uint32_t edge, call;
};

struct spb_region {    /* the part of a variable that a pointer refers to */
	uint32_t root; /* id of OpVariable or OpFunctionParameter; 0: unknown */
	uint16_t first, count;
	bool weak;      /* one of several elements: a store leaves the others unchanged */
	uint32_t known; /* for a root itself: its index into roots, + 1; 0: none */
};

struct spb_root {                          /* of a variable or parameter */
	uint32_t content, in, out, memory; /* nodes and memory, + 1 */
	uint64_t written;                  /* bits over leaves that the module may write */
	/* uniformity_private.c: bits over leaves: stored so far, on every path or in the block `here`, and those that
	 * may be read before they are stored */
	uint64_t assigned, assigned_here, early;
	uint32_t here;
};

enum spb_event_kind { SPB_EVENT_STORE, SPB_EVENT_COPY, SPB_EVENT_CALL, SPB_EVENT_OTHER };

struct spb_event { /* a write to the memory of a function */
	spb_at at;
	uint32_t root;
	uint32_t block;
	uint32_t value;   /* STORE: id; COPY: id of the source pointer; CALL: number of the argument */
	uint32_t pointer; /* id */
	uint8_t kind;
	uint32_t version; /* + 1, created on demand */
};

struct spb_phi { /* join of versions */
	uint32_t block;
	uint32_t version; /* + 1 */
};

struct spb_version {
	uint32_t node; /* its leaves are node, node + 1, ... */
	uint32_t memory;
	uint32_t event, phi; /* + 1 */
};

struct spb_marked {                             /* a block that changes a variable, in the dominator tree */
	uint32_t block, up;                     /* up: nearest enclosing one, + 1 */
	uint32_t first_event, event_count, phi; /* phi + 1 */
};

struct spb_span {         /* a range of blocks in dominator tree order */
	uint32_t first;   /* dom_first of its first block */
	uint32_t nearest; /* nearest enclosing block that changes the variable: index into marked, + 1; 0: none */
};

struct spb_memory { /* a variable of a function, or the memory behind a parameter */
	uint32_t root, function;
	uint32_t first_event, event_count;
	struct spb_phi *phi;
	uint32_t phi_count;
	struct spb_marked *marked;
	uint32_t marked_count;
	struct spb_span *span;
	uint32_t span_count;
	uint32_t initial; /* version + 1 */
	bool flat;        /* too complex: use CONTENT instead */
};

struct spb_equal {          /* the result of a branch that has found two values equal */
	uint32_t block;     /* they are equal in this block and in those that it dominates */
	uint32_t id, other; /* other 0: a constant (of a switch), or any single value (by a vote) */
	uint32_t by;        /* the value that has decided it, not to be used outside of the loop that computes it */
	uint8_t scopes;     /* in which to use `other` instead */
};

struct spb_alone { /* only one invocation of a group or subgroup runs the block and those that it dominates */
	uint32_t block, by;
	uint8_t scopes; /* or SPB_ONE_SUBGROUP */
};

struct spb_body {              /* state for one function, a part for each file */
	struct spb_cfg *cfg;   /* in which killed invocations continue */
	struct spb_cfg *ended; /* in which they do not: the same graph if there is no OpKill */
	bool kills;
	uint32_t *killed_join;      /* bits over blocks: killed invocations continue there; NULL: there is no OpKill */
	SPB_LIST(uint32_t) returns; /* blocks that lead to the exit */
	uint64_t walked, met;       /* spent from the budgets: of spb_may_walk, of joined paths */

	struct {                                     /* uniformity_control.c */
		uint32_t *first_frontier, *frontier; /* dominance frontiers; NULL: not computed yet */
		uint32_t *first, *branches;          /* that decide whether a block runs; NULL: not computed yet */
		uint32_t *first_exit, *exit;         /* per loop: branches that decide when it is left */
		uint32_t *stamp, generation;         /* [block] the last walk that visited it */
		uint32_t *merge;                     /* [loop] its merge block, + 1; 0: not known yet */
		bool too_deep; /* dominance frontiers or control dependences would grow too large */
		bool exits_found, too_many_exits;
	} control;

	struct { /* uniformity_nodes.c: nodes, + 1 */
		uint32_t result, entry;
		uint32_t *runs, *loop; /* [block], [loop] nodes of CONTROL and LOOP; NULL: none yet */
	} node;

	struct {                         /* uniformity_writes.c */
		struct spb_event *items; /* sorted by root, then position */
		uint32_t count;
		bool found;
	} events;

	struct {                       /* uniformity_repack.c */
		struct spb_list after; /* instructions after which invocations may be in other subgroups */
		bool found;
	} repacks;

	struct { /* uniformity_equal.c */
		SPB_LIST(struct spb_equal) pairs;
		SPB_LIST(struct spb_alone) alone;
		bool found;
	} equals;

	struct {                   /* uniformity_shared.c */
		uint32_t *mark;    /* [block] the last walk that visited it; NULL: none did */
		uint32_t *context; /* ... and the context of that walk */
	} section;
};

struct spb_race { /* a load from shared memory, and a store that no barrier separates from it */
	uint32_t node;
	spb_at store;
};

struct spb_inherited { /* an input variable; uniformity_stages.c */
	uint32_t variable;
	uint64_t leaves, denied;       /* bits over its leaves: uniform in some stage before; not uniform in another */
	uint64_t likely, differs;      /* ... not known to differ in some stage before; known to in another */
	const struct spb_module *from; /* one that writes it */
	spb_at store;
};

/* The state of the analysis: a part for each file, and above them what all of them know. */

struct spb_leaves {          /* uniformity_leaves.c */
	uint8_t *count;      /* [bound] types; 0: not computed yet */
	uint32_t *region_of; /* [bound] pointer -> index into regions, + 1 */
	SPB_LIST(struct spb_root) roots;
	SPB_LIST(struct spb_region) regions;
	struct spb_list todo; /* reused by spb_region_of() */
};

struct spb_functions {                     /* uniformity_writes.c finds them, uniformity_control.c makes the bodies */
	struct spb_body **body;            /* by function */
	SPB_LIST(struct spb_block) blocks; /* of all functions, in module order */
	uint32_t *first_block;             /* [function_count + 1] into it */
	struct spb_list sites;             /* calls of functions of this module: word offsets, ascending */
	uint32_t *first_site;              /* [function_count + 1] into site_of: the calls of a function */
	uint32_t *site_of;
	uint32_t *otherwise;     /* bits: called by an instruction other than OpFunctionCall, too; NULL: none is */
	struct spb_list between; /* reused by uniformity_control.c */
};

struct spb_graph {       /* uniformity_nodes.c */
	uint32_t *value; /* [bound] id -> node + 1 */
	SPB_LIST(struct spb_node) nodes;
	SPB_LIST(struct spb_edge) edges;
	SPB_LIST(struct spb_crossing) crossings;
	struct spb_list work; /* nodes to expand */
	uint32_t gone;        /* node of GONE, + 1 */
	bool any_perhaps;     /* an edge has SPB_PERHAPS */
	bool any_unlikely;    /* ... SPB_UNLIKELY */
};

struct spb_writes {               /* uniformity_writes.c */
	struct spb_list writers;  /* instructions that may write memory, and calls: word offsets, ascending */
	uint32_t *written;        /* bits over variables and pointer parameters whose memory is written */
	uint32_t *aliased;        /* bits over pointer parameters whose memory has other names, too */
	struct spb_event *global; /* writes to memory that is not local to a function, by root */
	uint32_t global_count;
	bool resources;          /* false: no variable of a descriptor is written */
	bool buffers, addresses; /* a buffer may be written; memory behind an address may be */
	bool anywhere;           /* through a pointer to an unknown resource */
	bool locals;             /* through a pointer to an unknown variable of a function or module */
	uint32_t *volatiles;     /* bits over variables and types with a Volatile member; NULL: not computed yet */
	bool any_volatile;
};

struct spb_all_versions { /* uniformity_memory.c */
	SPB_LIST(struct spb_version) versions;
	SPB_LIST(struct spb_memory) memories;
	struct spb_list blocks, phis; /* reused by place_phis() */
};

struct spb_reads {                /* uniformity_edges.c */
	struct spb_list branches; /* reused by spb_use_branches() */
};

struct spb_early { /* uniformity_private.c */
	bool found, known;
};

struct spb_sections {                /* uniformity_shared.c: parts of functions between barriers */
	uint32_t *touches_workgroup; /* bits over functions that write shared memory or have barriers; NULL: not
				      * computed yet */
	uint32_t *unfollowed;        /* ... that are called otherwise, or by those; NULL: none */
	bool any_touches;            /* ... one of which is both */
	uint32_t marks;              /* how many walks were made, */
	uint64_t visits;             /* and how many blocks and writers they have visited */
	SPB_LIST(struct spb_race) races;
};

struct spb_workgroup {       /* uniformity_facts.c */
	uint32_t size[3];    /* 0: unknown, or not the same for all entry points */
	uint32_t size_id[3]; /* the constants that define it, whatever their values; 0: unknown */
};

struct spb_stages_before { /* uniformity_stages.c */
	SPB_LIST(struct spb_inherited) inherited;
	uint32_t *listed_twice; /* bits over variables in the interfaces of several entry points; NULL: not known */
};

struct spb_solution {           /* uniformity_solve.c */
	uint32_t *first_edge;   /* by source */
	struct spb_loss *found; /* per node */
	uint32_t *cause[2];     /* edge + 1; 0: the node itself. NULL with settings.silent */
	uint32_t *cause_stage;  /* per source node: execution models, as bits; NULL likewise */
};

struct spb_explained {                    /* uniformity_explain.c */
	uint32_t *first_back, *next_back; /* edges by target, created on first use */
	uint32_t *seen, generation;
	struct spb_list proof;
	uint64_t looked_at; /* edges visited for all proofs */
	uint32_t *ended[2]; /* per node: last node of its explanation, + 1, if known */
};

struct spb_uniformity {
	const struct spb_module *m;
	struct spb_arena *arena;
	struct spb_arena *drafts; /* what only leads to the graph: bodies, memories, regions */
	struct spb_uniformity_settings settings;
	const struct spb_calls *calls;
	struct spb_calls reach;  /* a copy, for spb_reach */
	uint32_t *marked;        /* bits over ids decorated NonUniform */
	uint32_t *undefined;     /* bits over OpUndef outside functions, and constants made with them; NULL: none */
	uint32_t *repacking;     /* bits over functions that trace rays; NULL: not computed yet (uniformity_repack.c) */
	struct spb_folded known; /* constants with the same value in every pipeline; m is NULL without --spec */
	bool reconverges;        /* every entry point is MaximallyReconvergesKHR */
	bool has_rays;           /* there is a ray tracing entry point, or no entry point at all */
	bool calls_any;          /* an instruction calls a function that it does not name */

	struct spb_leaves leaves;
	struct spb_functions functions;
	struct spb_graph graph;
	struct spb_writes writes;
	struct spb_all_versions contents;
	struct spb_reads reads;
	struct spb_early early;
	struct spb_sections sections;
	struct spb_workgroup workgroup;
	struct spb_list alike; /* broadcasts, in order: uniformity_lanes.c */
	struct spb_stages_before before;
	struct spb_solution solution;
	struct spb_explained explained;
};

/* Sets all bits of what spb_bits(…, count) has made. */
static inline void spb_set_all(uint32_t *bits, uint32_t count)
{
	memset(bits, 0xFF, (count / 32 + 1) * sizeof *bits);
}

/* uniformity_solve.c: scans the module, before the first question. */
void spb_uniformity_prepare(struct spb_uniformity *u);

/* uniformity_leaves.c */
void spb_count_leaves(struct spb_uniformity *u);

static inline uint32_t spb_leaf_count(struct spb_uniformity *u, uint32_t type)
{
	if (!u->leaves.count)
		spb_count_leaves(u);
	return u->leaves.count[type] ? u->leaves.count[type] : 1;
}

/* Leaves of a member or element within its composite: *first, *count; 0 and 1 if the composite counts as one. */
uint32_t spb_leaf_member(struct spb_uniformity *u, uint32_t type, uint32_t index, uint32_t *first, uint32_t *count);
struct spb_root *spb_root_of(struct spb_uniformity *u, uint32_t id);
struct spb_region spb_find_region(struct spb_uniformity *u, uint32_t pointer);
uint64_t spb_leaf_bits(struct spb_region r);

static inline struct spb_region spb_region_of(struct spb_uniformity *u, uint32_t pointer)
{
	uint32_t known = u->leaves.region_of[pointer];

	return known ? u->leaves.regions.items[known - 1] : spb_find_region(u, pointer);
}

uint32_t spb_pointee(const struct spb_module *m, uint32_t pointer);        /* type; 0: not a pointer */
uint32_t spb_contents_type(const struct spb_module *m, uint32_t variable); /* of an untyped variable, too */
/* UINT32_MAX: not a pointer */
static inline uint32_t spb_pointer_class(const struct spb_module *m, uint32_t pointer)
{
	spb_at type = m->def[spb_type_of(m, pointer)];
	uint32_t op = spb_op(m, type);

	return op == SpvOpTypePointer || op == OpTypeUntypedPointerKHR ? m->words[type + 2] : UINT32_MAX;
}

/* May it have callers that are not known? */
static inline bool spb_is_called_otherwise(const struct spb_uniformity *u, uint32_t function)
{
	return u->calls_any || (u->functions.otherwise && spb_bit(u->functions.otherwise, function));
}

/* uniformity_writes.c */
/* Adds to `bits` the functions that an instruction other than OpFunctionCall calls, and those that they call. */
void spb_add_called_otherwise(struct spb_uniformity *u, uint32_t *bits);
void spb_find_writes(struct spb_uniformity *u);
/* How many events in a list that is sorted by root are of one; *first: the first of them. */
uint32_t spb_events_in(const struct spb_event *events, uint32_t count, uint32_t root, uint32_t *first);
struct spb_event *spb_events_of(struct spb_uniformity *u, uint32_t root, uint32_t *count); /* of global memory */
void spb_find_events(struct spb_uniformity *u, struct spb_body *body, uint32_t function);  /* of local memory */
bool spb_is_own_memory(struct spb_uniformity *u, uint32_t root); /* only its function can write it */
bool spb_is_read_only(struct spb_uniformity *u, uint32_t pointer);
/* Is it a buffer or image that the module does not write under any name? */
bool spb_is_unwritten(struct spb_uniformity *u, uint32_t root);

/* uniformity_memory.c */
struct spb_memory *spb_memory_of(struct spb_uniformity *u, uint32_t root);
/* Version (+ 1) that is current before an instruction. */
uint32_t spb_version_before(struct spb_uniformity *u, struct spb_memory *y, uint32_t block, spb_at at);
/* The same before an event of its function; a call with several parts of a variable as arguments has an event for
 * each. */
uint32_t spb_version_before_event(struct spb_uniformity *u, struct spb_memory *y, uint32_t event);
/* The same at the end of a block. */
uint32_t spb_version_at_end(struct spb_uniformity *u, struct spb_memory *y, uint32_t block);

/* uniformity_private.c: may a leaf of a module-scope variable be read before it is written? */
bool spb_is_read_early(struct spb_uniformity *u, uint32_t variable, uint32_t leaf);

/* uniformity_control.c */
struct spb_body *spb_make_body(struct spb_uniformity *u, uint32_t function);

/* Created on first use. */
static inline struct spb_body *spb_body_of(struct spb_uniformity *u, uint32_t function)
{
	struct spb_body *body = u->functions.body[function];

	return body ? body : spb_make_body(u, function);
}

/* The blocks whose branches decide from which predecessor the block `join` is entered. */
void spb_join_branches(struct spb_uniformity *u, struct spb_body *body, uint32_t join, struct spb_list *branches,
		       bool *all);
void spb_need_frontiers(struct spb_uniformity *u, struct spb_body *body);
void spb_need_control(struct spb_uniformity *u, struct spb_body *body);
void spb_need_exits(struct spb_uniformity *u, struct spb_body *body);
/* The condition or selector of a block's branch; 0: it does not branch. */
uint32_t spb_condition(const struct spb_cfg *g, uint32_t block);
/* May killed invocations, for which the value is undefined, reach a block that it otherwise dominates? */
bool spb_misses_killed(const struct spb_body *body, uint32_t id, uint32_t block);

/* Do killed invocations continue in the block, without the values of its OpPhi? */
static inline bool spb_is_killed_join(const struct spb_body *body, uint32_t block)
{
	return body->kills && spb_bit(body->killed_join, block);
}

/* Is the block in the loop (+ 1), or on a way out of it, before its merge block: `if (last) { …; break; }`? */
bool spb_in_construct(struct spb_uniformity *u, struct spb_body *body, uint32_t loop, uint32_t block);

/* Spends from the budget of a function, which is proportional to its size. False: it is exhausted, and the analysis
 * answers "differs". */
bool spb_may_walk(struct spb_body *body, uint64_t more);

/* uniformity_repack.c */
bool spb_repacks(struct spb_uniformity *u, uint32_t function);
bool spb_any_repacks(struct spb_uniformity *u); /* in any function */
/* May invocations be in other subgroups at `to` in a block (0: at its end) than at `from`? */
bool spb_repacks_between(struct spb_uniformity *u, uint32_t function, spb_at from, uint32_t block, spb_at to);

/* uniformity_nodes.c */

#define SPB_ALL UINT32_MAX /* every component; no function */
enum { SPB_ADDRESS = 1 };  /* the leaf of a pointer that is its whole address; leaf 0: which descriptor it names */

/* The index of the first instruction at or after `at` in a list in ascending order. */
size_t spb_first_from(const struct spb_list *ascending, spb_at at);
uint32_t spb_function_in(const struct spb_uniformity *u, uint32_t id); /* SPB_ALL: global */
uint32_t spb_function_at(const struct spb_uniformity *u, spb_at at);   /* the function that contains an instruction */
uint32_t spb_block_in(struct spb_uniformity *u, uint32_t function, spb_at at);
bool spb_is_local(const struct spb_module *m, uint32_t root); /* Function or Private */
uint32_t spb_leaves_of(struct spb_uniformity *u, uint32_t id);
/* The entry of an input whose given leaves (bits) are all inherited; NULL: not all are. */
const struct spb_inherited *spb_inherits(const struct spb_uniformity *u, uint32_t variable, uint64_t leaves);
/* Is it not known to differ? */
bool spb_inherits_likely(const struct spb_uniformity *u, uint32_t variable, uint64_t leaves);
uint32_t spb_node_new(struct spb_uniformity *u, enum spb_node_kind kind, uint32_t ref, uint32_t function,
		      uint32_t leaves);
uint32_t spb_single_node(struct spb_uniformity *u, enum spb_node_kind kind, uint32_t ref, uint32_t function);
uint32_t spb_value_node(struct spb_uniformity *u, uint32_t id);
uint32_t spb_control_node(struct spb_uniformity *u, uint32_t function, uint32_t block);
uint32_t spb_entry_node(struct spb_uniformity *u, uint32_t function);
uint32_t spb_gone_node(struct spb_uniformity *u);
void spb_need_node(struct spb_uniformity *u, uint32_t node); /* puts it on the worklist */
void spb_lose(struct spb_uniformity *u, uint32_t node, uint8_t source);
void spb_add_edge(struct spb_uniformity *u, uint32_t from, uint32_t to, uint8_t step, uint8_t mask);
void spb_link(struct spb_uniformity *u, uint32_t from, uint32_t to, uint8_t step); /* in both scopes */
/* An edge into or out of a function, by one of its calls. */
void spb_cross(struct spb_uniformity *u, uint32_t from, uint32_t to, uint8_t step, uint32_t call);
/* Edges from the branches that decide whether all invocations of a group run a block together. */
void spb_use_control(struct spb_uniformity *u, uint32_t node, uint32_t function, uint32_t block, uint8_t mask);

/* uniformity_edges.c */
/* An edge from a component of a value to its use in a block, across the loops that it leaves. */
void spb_use_value(struct spb_uniformity *u, uint32_t id, uint32_t leaf, uint32_t to, uint32_t function, uint32_t block,
		   uint8_t step, uint8_t mask);
/* An edge from a leaf of the memory behind a pointer, as it is before `at`, to `to`. */
void spb_use_memory(struct spb_uniformity *u, uint32_t pointer, uint32_t leaf, uint32_t leaves, uint32_t to,
		    uint32_t function, uint32_t block, spb_at at, uint8_t step);
/* The same, as it is at any time. */
void spb_use_content(struct spb_uniformity *u, uint32_t pointer, uint32_t leaf, uint32_t leaves, uint32_t to);
/* The first leaf of the contents of a variable or parameter at any time. */
uint32_t spb_content_node(struct spb_uniformity *u, uint32_t root);
/* An edge from component `leaf` of a version to its use in a block. */
void spb_use_version(struct spb_uniformity *u, uint32_t version, uint32_t leaf, uint32_t to, uint32_t function,
		     uint32_t block, uint8_t step, uint8_t mask);
/* Edges from the branches that decide from which predecessor a block is entered. */
void spb_use_branches(struct spb_uniformity *u, uint32_t node, uint32_t function, uint32_t join, uint8_t mask);
/* An edge if killed invocations, for which the value is undefined, may also reach a block. */
void spb_use_despite_killed(struct spb_uniformity *u, uint32_t id, uint32_t to, uint32_t function, uint32_t block);
uint32_t spb_loop_node(struct spb_uniformity *u, uint32_t function, uint32_t loop); /* + 1 */
uint32_t spb_loops_in(struct spb_uniformity *u, uint32_t function);

/* uniformity_values.c */
struct spb_here { /* the node being expanded */
	uint32_t node, leaf, leaves;
	uint32_t id, function, block;
	spb_at at;
};
void spb_behind_value(struct spb_uniformity *u, const struct spb_here *h);
bool spb_may_absorb(const struct spb_uniformity *u, spb_at at);

/* uniformity_keys.c: identifies a value whatever its names: an id, or a component of a version of a variable. */
struct spb_key {
	uint32_t id, version, leaf;
	bool marked; /* one of its names is decorated NonUniform */
};

static inline bool spb_is_same_key(struct spb_key a, struct spb_key b)
{
	return a.id == b.id && a.version == b.version && a.leaf == b.leaf;
}

struct spb_key spb_key_of(struct spb_uniformity *u, uint32_t function, uint32_t id, uint32_t leaf);
/* The block where paths join with different values, of which it is one; SPB_NO_BLOCK: it is not. */
uint32_t spb_key_joins(struct spb_uniformity *u, uint32_t function, struct spb_key k);
/* Its value on the path from a predecessor of that block. */
struct spb_key spb_key_from(struct spb_uniformity *u, uint32_t function, struct spb_key k, uint32_t pred);

/* uniformity_masks.c */
static inline bool spb_is_of_subgroup(const struct spb_module *m, spb_at at)
{
	uint64_t scope;

	return spb_constant_value(m, m->words[at + 3], &scope) && scope == SpvScopeSubgroup;
}

/* Is it a shuffle from the first or last bit of a mask whose bits are invocations that run it, so that it is a
 * broadcast? *loop (+ 1): if all invocations leave that loop together, and `*mask` is uniform. 0: in any case. */
bool spb_shuffles_running(struct spb_uniformity *u, uint32_t function, spb_at at, uint32_t *loop, uint32_t *mask);

/* uniformity_equal.c: finds the few branches of a function that leave two values equal. */
void spb_find_equal(struct spb_uniformity *u, struct spb_body *body, uint32_t function);

static inline bool spb_may_be_equal(struct spb_uniformity *u, uint32_t function)
{
	struct spb_body *body = spb_body_of(u, function);

	if (!body->equals.found)
		spb_find_equal(u, body, function);
	return body->equals.pairs.count || body->equals.alone.count;
}

/* uniformity_equal.c: the scopes in which a single invocation runs the block, for which any value is the same; and
 * SPB_ONE_SUBGROUP. Requires spb_may_be_equal. */
uint8_t spb_runs_alone(struct spb_uniformity *u, uint32_t function, uint32_t block);

/* uniformity_equal.c: the scopes in which a use of the value in the block may use *other (0: a constant)
 * instead. *perhaps: there is an equal value, but compilers may let iterations of a loop meet before the use. Requires
 * spb_may_be_equal. */
uint8_t spb_equal_to(struct spb_uniformity *u, uint32_t id, uint32_t leaf, uint32_t function, uint32_t block,
		     uint32_t *other, bool *perhaps);

/* uniformity_shared.c: do all invocations of the workgroup that read the same place in shared memory with this load get
 * the same value? If not: *racing is a store that may be executed without a barrier between, or 0. */
bool spb_is_same_for_group(struct spb_uniformity *u, uint32_t function, uint32_t block, spb_at load, spb_at *racing);

/* uniformity_facts.c */
void spb_find_local_size(struct spb_uniformity *u);
/* The scopes in which no two invocations have the same value. */
uint8_t spb_is_own_number(struct spb_uniformity *u, uint32_t id, uint32_t leaf);
/* Is the component of the value uniform in the workgroup (or a constant, if not computed there)? SPB_FACT_SIZE, or
 * SPB_FACT_LIKELY. */
enum spb_fact spb_fact_of(struct spb_uniformity *u, uint32_t id, uint32_t leaf);
/* Does the comparison end a loop like `for (i = a + x; i < b + x; i += s)`? It has as many iterations whatever x is,
 * unless a sum wraps. parts: a, b and s. */
bool spb_is_shifted(struct spb_uniformity *u, uint32_t id, uint32_t parts[3]);

#endif
