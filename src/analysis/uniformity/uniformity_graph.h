/* SPDX-License-Identifier: Apache-2.0 */
/* The graph that the parts of `uniformity` build and walk; for them alone. */
#ifndef SPB_UNIFORMITY_GRAPH_H
#define SPB_UNIFORMITY_GRAPH_H

#include "analysis/uniformity/uniformity.h"
#include "ir/cfg.h"

enum {
	SPB_MAX_LEAVES = 64,     /* a type of more components counts as one                         */
	SPB_MAX_IMAGE_STEPS = 64 /* copies between an image and its variable; more: it is not known */
};

struct spb_list {
	uint32_t *items;
	size_t count, capacity;
};

enum spb_node_kind {
	SPB_NODE_VALUE,   /* ref: id                                                                  */
	SPB_NODE_VERSION, /* what a variable holds after a store, or where paths meet; ref: version   */
	SPB_NODE_CONTENT, /* what a variable holds whenever; ref: id of variable or parameter         */
	SPB_NODE_IN,      /* what a parameter points to when the function is entered; ref: id         */
	SPB_NODE_OUT,     /* … and when it is left                                                    */
	SPB_NODE_RESULT,  /* what a function returns; ref: function                                   */
	SPB_NODE_CONTROL, /* whether a block is run by all who run the function; ref: block           */
	SPB_NODE_ENTRY,   /* whether all call the function together; ref: function                    */
	SPB_NODE_LOOP,    /* whether all leave a loop together; ref: loop, + 1                        */
	SPB_NODE_USE      /* an operand where it is used; ref: word                                   */
};

/* What a node loses by itself. One cause is enough: the worst. */
enum spb_source {
	SPB_SOURCE_NONE,
	SPB_SOURCE_MARK,          /* the author says so                                    */
	SPB_SOURCE_VARYING,       /* differs by nature                                     */
	SPB_SOURCE_BUILTIN,       /* by the table, per stage                               */
	SPB_SOURCE_INPUT,         /* an input variable, per invocation                     */
	SPB_SOURCE_SUBGROUP_ONLY, /* of a subgroup operation                               */
	SPB_SOURCE_BROADCAST,     /* the same, but a group that has a value keeps it       */
	SPB_SOURCE_SHUFFLE,       /* VARYING where a subgroup is no part of the group      */
	SPB_SOURCE_REPACK,        /* a ray was traced: nothing is known of the subgroup any more */
	SPB_SOURCE_READ,          /* read-only memory: the group only, where a subgroup is no part of it */
	SPB_SOURCE_WRITTEN,       /* memory that the module writes: nothing is known       */
	SPB_SOURCE_MEMORY,        /* memory of which nothing is known                      */
	SPB_SOURCE_UNKNOWN,       /* an instruction of which nothing is known              */
	SPB_SOURCE_UNDEFINED,
	SPB_SOURCE_PARAMETER /* of a function that others may call                   */
};

struct spb_node {
	uint32_t ref;
	uint32_t function; /* + 1; 0: none */
	uint32_t builtin;  /* of SOURCE_BUILTIN */
	uint8_t kind, source;
	uint8_t leaf;
	uint8_t demanded;
	uint8_t trusted; /* SPB_UNIFORM_* that a decoration promises */
	uint8_t fact;    /* the same whatever goes in: uniformity_facts.c */
};

enum spb_step { /* how one node follows from another, for explanations; and where the edge crosses functions */
		SPB_STEP_DATA,
		SPB_STEP_ADDRESS, /* by which place in memory */
		SPB_STEP_BRANCH,
		SPB_STEP_LOOP,
		SPB_STEP_STORED,
		SPB_STEP_ARGUMENT, /* into a function   */
		SPB_STEP_RETURNED, /* out of a function */
		SPB_STEP_THROUGH   /* what a call makes of an argument */
};

struct spb_edge {
	uint32_t from, to;
	uint32_t call;      /* ARGUMENT, RETURNED: number of the call site */
	uint8_t step, mask; /* mask: SPB_UNIFORM_* that are passed on */
};

struct spb_region {    /* which part of a variable a pointer leads to */
	uint32_t root; /* id of OpVariable or OpFunctionParameter; 0: not known */
	uint16_t first, count;
	bool weak; /* one of several elements: a store leaves the others */
};

struct spb_root {                          /* of a variable or parameter */
	uint32_t content, in, out, memory; /* nodes and memory, + 1 */
	uint64_t written;                  /* bits: leaves that the module may write */
};

enum spb_event_kind { SPB_EVENT_STORE, SPB_EVENT_COPY, SPB_EVENT_CALL, SPB_EVENT_OTHER };

struct spb_event { /* a write to memory of a function */
	spb_at at;
	uint32_t root;
	uint32_t block;
	uint32_t value;   /* STORE: id; COPY: id of the source pointer; CALL: number of the argument */
	uint32_t pointer; /* id */
	uint8_t kind;
	uint32_t version; /* + 1, when somebody asked */
};

struct spb_phi { /* where versions meet */
	uint32_t block;
	uint32_t version; /* + 1 */
};

struct spb_version {
	uint32_t node; /* its leaves are node, node + 1 … */
	uint32_t memory;
	uint32_t event, phi; /* + 1 */
};

struct spb_marked {                             /* a block that changes a variable, in the tree of dominators */
	uint32_t block, up;                     /* up: the nearest around it, + 1 */
	uint32_t first_event, event_count, phi; /* phi + 1 */
};

struct spb_span {         /* of blocks, in the order of the tree of dominators: from here on */
	uint32_t first;   /* dom_first of the first one */
	uint32_t nearest; /* the block around them that changes the variable: place in marked, + 1; 0: none */
};

struct spb_memory { /* a variable of a function, or what a parameter points to */
	uint32_t root, function;
	uint32_t first_event, event_count;
	struct spb_phi *phi;
	uint32_t phi_count;
	struct spb_marked *marked;
	uint32_t marked_count;
	struct spb_span *span;
	uint32_t span_count;
	uint32_t initial; /* version + 1 */
	bool flat;        /* too entangled: its CONTENT is asked instead */
};

struct spb_part { /* of the analysis: one function */
	struct spb_cfg *cfg;
	struct spb_event *event; /* sorted by root, then place */
	uint32_t event_count;
	uint32_t *first_frontier, *frontier; /* dominance frontiers; NULL: not yet made */
	uint32_t *first_control, *control;   /* branches that decide whether a block is run; NULL: not yet made */
	uint32_t *first_exit, *exit;         /* of a loop: branches that decide when it is left */
	uint32_t *stamp, generation;
	uint32_t *join_stamp;
	struct spb_list repacks; /* instructions after which invocations may be in other subgroups */
	bool repacks_found;
	bool too_deep; /* frontiers or control would grow beyond all measure */
	bool events_found, exits_found, too_many_exits;
	uint64_t walked, met;       /* of the budgets: spb_may_walk; ways that meet */
	SPB_LIST(uint32_t) returns; /* blocks */
};

struct spb_uniformity {
	const struct spb_module *m;
	struct spb_arena *arena;
	struct spb_uniformity_wishes wishes;
	const struct spb_calls *calls;
	struct spb_calls reach; /* a copy, for spb_reach */
	uint32_t *block_of;     /* labels */
	struct spb_part **part; /* by function */
	uint8_t *leaf_count;    /* of types; 0: not yet asked */
	uint32_t *value;        /* [bound] node + 1 of ids */
	uint32_t *root_of;      /* [bound] of variables and parameters: place in roots, + 1 */
	uint32_t *region_of;    /* [bound] of pointers: place in regions, + 1 */
	SPB_LIST(struct spb_root) roots;
	SPB_LIST(struct spb_region) regions;
	uint32_t *result, *entry; /* [function_count] node + 1 */
	uint32_t **control;       /* [function_count][block] node + 1 */
	uint32_t **loop;          /* [function_count][loop] node + 1 */
	SPB_LIST(struct spb_node) nodes;
	SPB_LIST(struct spb_edge) edges;
	SPB_LIST(struct spb_version) versions;
	SPB_LIST(struct spb_memory) memories;
	struct spb_list work;  /* nodes to look behind */
	struct spb_list sites; /* calls: offsets, ascending */
	uint32_t *first_site;  /* [function_count + 1] into site_of: calls of a function */
	uint32_t *site_of;

	/* of the whole module */
	uint32_t *written;              /* bits: variables and pointer parameters whose memory is written */
	uint32_t *shared;               /* bits: pointer parameters whose memory others name, too */
	uint32_t *marked;               /* bits: NonUniform */
	uint32_t *repacking;            /* bits: functions that trace rays; NULL: nobody asked */
	uint32_t *volatiles;            /* bits: variables, and types with such a member */
	struct spb_event *global_event; /* writes to what is not a function's own, by root */
	uint32_t global_event_count;
	bool has_rays;                         /* an entry point of ray tracing, or none at all */
	bool calls_otherwise;                  /* by an instruction that is no OpFunctionCall */
	bool writes_buffers, writes_addresses; /* some */
	bool writes_anywhere;                  /* through a pointer to nobody knows which resource */
	uint32_t local_size[3];                /* 0: not known, or not the same everywhere */

	/* solved */
	uint32_t *first_edge;             /* by source */
	uint8_t *lost;                    /* SPB_UNIFORM_* per node: in any run */
	uint8_t *certain;                 /* … by nature */
	uint32_t *cause[2];               /* edge + 1; 0: the node itself */
	uint32_t *cause_stage;            /* of the nodes that are sources: the execution models, as bits */
	uint32_t *first_back, *next_back; /* edges by target, made when first needed */
	uint32_t *seen, generation;
	struct spb_list proof;
	uint64_t looked_at; /* edges, for all proofs */
	uint32_t *ended[2]; /* of an explanation: the node it ends at, + 1, where known */
};

/* uniformity_leaves.c */
uint32_t spb_leaf_count(struct spb_uniformity *u, uint32_t type);
/* Leaves of a member or element in its composite: *first, *count; of a composite that counts as one: 0 and 1. */
uint32_t spb_leaf_member(struct spb_uniformity *u, uint32_t type, uint32_t index, uint32_t *first, uint32_t *count);
struct spb_root *spb_root_of(struct spb_uniformity *u, uint32_t id);
struct spb_region spb_region_of(struct spb_uniformity *u, uint32_t pointer);
uint32_t spb_pointee(const struct spb_module *m, uint32_t pointer); /* type; 0: no pointer */
uint32_t spb_pointer_class(const struct spb_module *m, uint32_t pointer);

/* uniformity_memory.c */
void spb_find_writes(struct spb_uniformity *u);
uint64_t spb_leaf_bits(struct spb_region r);
struct spb_memory *spb_memory_of(struct spb_uniformity *u, uint32_t root);
/* Version (+ 1) that holds before an instruction; at the end of a block. */
uint32_t spb_version_before(struct spb_uniformity *u, struct spb_memory *y, uint32_t block, spb_at at);
uint32_t spb_version_at_end(struct spb_uniformity *u, struct spb_memory *y, uint32_t block);
struct spb_event *spb_events_of(struct spb_uniformity *u, uint32_t root, uint32_t *count); /* of global memory */
bool spb_is_own_memory(struct spb_uniformity *u, uint32_t root);                           /* versions, not content */

/* uniformity_control.c */
struct spb_part *spb_part_of(struct spb_uniformity *u, uint32_t function);
/* Branch blocks by which it depends whether block `join` is entered from one block or another, into u->… list. */
void spb_join_branches(struct spb_uniformity *u, struct spb_part *part, uint32_t join, struct spb_list *branches,
		       bool *all);
void spb_need_frontiers(struct spb_uniformity *u, struct spb_part *part);
void spb_need_control(struct spb_uniformity *u, struct spb_part *part);
void spb_need_exits(struct spb_uniformity *u, struct spb_part *part);
/* The id that a block branches on; 0: it does not branch. */
uint32_t spb_condition(const struct spb_cfg *g, uint32_t block);

/* Takes from the budget of a function: so much in all for each block. False: it is spent, and the analysis says
 * "differs". */
bool spb_may_walk(struct spb_part *part, uint64_t more);

/* uniformity_repack.c */
bool spb_repacks(struct spb_uniformity *u, uint32_t function);
/* May invocations be in other subgroups at `to` in a block (0: at its end) than at `from`? */
bool spb_repacks_between(struct spb_uniformity *u, uint32_t function, spb_at from, uint32_t block, spb_at to);

/* uniformity_edges.c */
uint32_t spb_node_new(struct spb_uniformity *u, enum spb_node_kind kind, uint32_t ref, uint32_t function,
		      uint32_t leaves);
uint32_t spb_value_node(struct spb_uniformity *u, uint32_t id);
void spb_need_node(struct spb_uniformity *u, uint32_t node); /* puts it on the list */
void spb_demand(struct spb_uniformity *u);                   /* looks behind all that are on the list */

#define SPB_ALL UINT32_MAX /* every component; no function */

void spb_lose(struct spb_uniformity *u, uint32_t node, uint8_t source);
void spb_add_edge(struct spb_uniformity *u, uint32_t from, uint32_t to, uint8_t step, uint8_t mask, uint32_t call);
void spb_link(struct spb_uniformity *u, uint32_t from, uint32_t to, uint8_t step);
/* An edge from a component of a value to what uses it in a block; over loops that it leaves on the way. */
void spb_use_value(struct spb_uniformity *u, uint32_t id, uint32_t leaf, uint32_t to, uint32_t function, uint32_t block,
		   uint8_t step, uint8_t mask);
/* What a leaf of the memory behind a pointer holds before `at`, to `to`. */
void spb_use_memory(struct spb_uniformity *u, uint32_t pointer, uint32_t leaf, uint32_t leaves, uint32_t to,
		    uint32_t function, uint32_t block, spb_at at, uint8_t step);
/* The first leaf of what a variable or parameter holds at any time. */
uint32_t spb_content_node(struct spb_uniformity *u, uint32_t root);
/* An edge from component `leaf` of a version to what reads it in a block. */
void spb_use_version(struct spb_uniformity *u, uint32_t version, uint32_t leaf, uint32_t to, uint32_t function,
		     uint32_t block, uint8_t step);
/* The branches that decide from where a block is entered. */
void spb_use_branches(struct spb_uniformity *u, uint32_t node, uint32_t function, uint32_t join);
uint32_t spb_function_in(const struct spb_uniformity *u, uint32_t id); /* SPB_ALL: of the module */
uint32_t spb_function_at(const struct spb_uniformity *u, spb_at at);   /* of an instruction that is in one */
/* Its place among all calls (u->sites). */
uint32_t spb_site_number(const struct spb_uniformity *u, spb_at call);
uint32_t spb_block_in(struct spb_uniformity *u, uint32_t function, spb_at at);
uint32_t spb_loops_in(struct spb_uniformity *u, uint32_t function);
uint32_t spb_leaves_of(struct spb_uniformity *u, uint32_t id);
bool spb_is_local(const struct spb_module *m, uint32_t root); /* Function or Private */
bool spb_is_read_only(struct spb_uniformity *u, uint32_t pointer);
bool spb_is_unwritten(struct spb_uniformity *u, uint32_t root);

/* uniformity_values.c */
struct spb_here { /* the node being looked behind */
	uint32_t node, leaf, leaves;
	uint32_t id, function, block;
	spb_at at;
};
void spb_behind_value(struct spb_uniformity *u, const struct spb_here *h);

/* uniformity_facts.c */
void spb_find_local_size(struct spb_uniformity *u);
/* True: the component of the value is the same for the workgroup (and, if it is not computed there, a constant). */
bool spb_is_fact(struct spb_uniformity *u, uint32_t id, uint32_t leaf);

#endif
