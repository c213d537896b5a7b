/* SPDX-License-Identifier: Apache-2.0 */
/* shape: what the files of resolve-descriptors share. resolve_descriptors.c describes the pass.
 *
 *   shape_refuse.c     the error exit
 *   shape_roots.c      resources as trees
 *   shape_variables.c  the variables that their leaves become
 *   shape_calls.c      which parameters must become indexes
 *   shape_addresses.c  acceleration structures that are device addresses
 *   shape_candidates.c the descriptors that a value may be
 *   shape_scan.c       the instructions that matter
 *   shape_check.c      do their operands match the types?
 *   shape_cells.c      what a value or memory may hold, in cells
 *   shape_enter.c      calls, for shape_flow.c
 *   shape_flow.c       which descriptors each value may be, by function and kind of caller
 *   shape_need.c       which descriptors must be known at run time
 *   shape_assigned.c   descriptors that are read although a path leaves them unassigned
 *   shape_emit.c       words, types and constants
 *   shape_put.c        keeps, drops or replaces instructions
 *   shape_index.c      flattened indexes and selectors
 *   shape_rewrite.c    rewrites functions
 *   shape_data.c       ordinary data alongside descriptors
 *   shape_choose.c     uses of a value that may be one of several resources */
#ifndef SPB_SHAPE_H
#define SPB_SHAPE_H

#include "pass/shapes/shapes.h"

/* Indexes are numbers or one of these. What control flow selects may differ between invocations although no index in
 * the source does, so no author could decorate it; an index in the source is the author's to decorate. */
#define DYNAMIC     UINT32_MAX       /* unknown */
#define CHOSEN      (UINT32_MAX - 1) /* one of several, selected by control flow */
#define INDEX_OF_ID 0x80000000u      /* + id: unknown, but equal wherever the id is the same */
enum {
	MAX_CELLS = 4096,     /* descriptors in one value that is copied */
	MAX_LEAVES = 65536,   /* variables that one variable becomes */
	MAX_NODES = 1 << 20,  /* in all trees, counting members of structs */
	MAX_MEMORY = 1 << 25, /* cells of all values */
	MAX_DEPTH = 255,      /* SPIR-V 2.17, "Universal Limits": nested structs */
	MAX_CONTEXTS = 1024,  /* kinds of callers of one function */
	UNSIZED_WINDOW = 1 << 28
};

/* shape_roots.c: a resource variable as a tree of arrays and structs down to descriptors. */

enum node_kind { NODE_LEAF, NODE_ARRAY, NODE_STRUCT };

struct node {
	enum node_kind kind;
	uint32_t type;
	uint32_t leaf;     /* NODE_LEAF: its number */
	uint32_t children; /* into model.children: node + 1 of each member (0: data), or the single element's node */
	uint32_t length;   /* NODE_ARRAY: id of the length, 0: unsized */
	uint32_t elements; /* the length as a number, 0: unknown */
};

struct root {
	uint32_t variable; /* id */
	uint32_t node;     /* root of its tree */
	uint32_t first_leaf, leaf_count;
	uint32_t storage_class;
	uint32_t data_variable; /* id of the block that its ordinary members become */
	bool has_data;          /* it has ordinary members, which become a block with the same indexes */
	bool reshaped;          /* Vulkan does not accept it as it is */
	bool loose;             /* the block of loose uniforms, whose members are resources of their own */
};

struct leaf {
	uint32_t root;
	uint32_t type;         /* of one descriptor */
	uint32_t variable;     /* id in the output */
	uint32_t count;        /* descriptors; 0: unknown when the module is rewritten */
	uint32_t base;         /* first number of its selectors; see shape_need.c */
	uint32_t pointer;      /* type of a pointer to one descriptor, created on first use */
	uint32_t dims;         /* arrays around it */
	uint32_t first_length; /* into model.words: their lengths, then the decorations of members on the path */
	uint32_t said_count;
	enum spb_descriptor kind;
	bool chosen; /* occurs among candidates of several resources */
	const char *path;
};

/* Part of a resource: a node of its tree, at one flattened index of all arrays above it. */
struct part {
	uint32_t root; /* number + 1; 0: unknown, a parameter that stays a pointer */
	uint32_t node;
	uint32_t index; /* DYNAMIC: the rewriter knows its id */
};

/* shape_candidates.c: which descriptors a value may be. Equal lists of candidates have equal numbers; 0: none. */

struct member {
	uint32_t leaf, index; /* index DYNAMIC: any */
};

struct candidates {
	uint32_t first, count; /* into members, ascending by leaf */
};

struct candidate_table {
	struct spb_arena *arena;
	SPB_LIST(struct candidates) list;
	SPB_LIST(struct member) members;
	uint32_t *slot; /* open addressing: candidates + 1 */
	uint32_t slot_mask;
	uint64_t *join_key; /* pair of candidates */
	uint32_t *join_value, join_mask, join_count;
};

void spb_candidates_init(struct candidate_table *s, struct spb_arena *arena);
uint32_t spb_candidates_of(struct candidate_table *s, uint32_t leaf, uint32_t index);
/* How to join candidates that have different indexes of one leaf: */
enum join {
	JOIN_ANY,   /* DYNAMIC: callers, or indexes in the source, differ */
	JOIN_STATE, /* CHOSEN, unless both are DYNAMIC: memory that neither path changed */
	JOIN_CHOICE /* CHOSEN */
};

uint32_t spb_candidates_join(struct candidate_table *s, uint32_t a, uint32_t b, enum join how);
uint32_t spb_candidates_without_indexes(struct candidate_table *s, uint32_t candidates);
uint32_t spb_candidates_with_index(struct candidate_table *s, uint32_t candidates,
				   uint32_t index); /* replaces DYNAMIC */

static inline bool is_number(uint32_t index)
{
	return index < INDEX_OF_ID;
}

static inline const struct candidates *candidates_at(const struct candidate_table *s, uint32_t candidates)
{
	return &s->list.items[candidates];
}

static inline const struct member *candidates_members(const struct candidate_table *s, uint32_t candidates)
{
	return s->members.items + s->list.items[candidates].first;
}

/* shape_flow.c: values in functions */

enum carrier_kind {
	CARRIER_NONE,
	CARRIER_VALUE,   /* a descriptor, or an array or struct of descriptors */
	CARRIER_PART,    /* pointer to (part of) a resource */
	CARRIER_LOCAL,   /* pointer to Function or Private memory that holds descriptors */
	CARRIER_DATA,    /* pointer to ordinary data of a resource that also holds descriptors */
	CARRIER_DERIVED, /* OpSampledImage, OpImage, OpImageTexelPointer */
};

struct carrier {
	uint32_t id;
	enum carrier_kind kind;
	uint32_t cells;  /* number of descriptors in it; UINT32_MAX: unknown */
	uint32_t block;  /* number of the block in its function */
	uint32_t object; /* for a variable or parameter of CARRIER_LOCAL: number of the memory in its function, + 1 */
};

struct span { /* a dynamic index in a pointer into local memory */
	uint32_t count, stride;
};

struct value {                /* value of a carrier in a context */
	struct part part;     /* CARRIER_PART, and CARRIER_VALUE loaded from one (part.root != 0) */
	bool loaded;          /* CARRIER_VALUE: `part` describes it */
	uint32_t *cells;      /* otherwise: candidates, by number */
	uint32_t object;      /* CARRIER_LOCAL: memory of the function, + 1 */
	uint32_t base, count; /* its cells: [base, base + count), for each combination of the spans */
	uint32_t span_count;
	struct span spans[8];
	bool used;   /* CARRIER_VALUE: an instruction uses the descriptor itself; CARRIER_PART: used as a pointer */
	bool needed; /* its selector must exist at run time */
};

struct object {                /* memory that holds descriptors */
	uint32_t id, type;     /* variable or parameter; type of its contents */
	uint32_t first, count; /* cells in the state of the function */
};

struct function {                              /* what is known about a function independently of its callers */
	uint32_t first_carrier, carrier_count; /* into flow.carriers */
	uint32_t first_event, event_count;     /* into flow.events: instructions that matter */
	uint32_t first_object, object_count;
	uint32_t first_parameter, parameter_count; /* into flow.parameters: all of them, in order */
	uint32_t block_count, call_count, state_cells;
	uint32_t first_context, last_context; /* + 1; linked by context.next */
	uint32_t context_count;
	bool exported, called;
};

enum { BLOCK_LIVE = 1, BLOCK_DEAD = 2 };

struct context { /* a function together with one kind of caller */
	uint32_t function;
	uint32_t next;                 /* + 1 */
	uint32_t key_first, key_count; /* into flow.keys */
	struct value *values;          /* [carrier_count] */
	struct value *entry;           /* [parameter_count] */
	uint32_t *state;               /* [block_count][state_cells] at the beginning of each block */
	uint8_t *reached;              /* [block_count] BLOCK_… or 0 */
	uint32_t *callee;              /* [call_count] context + 1 */
	uint32_t *returned;            /* cells of the return value */
	uint32_t *exit;                /* [state_cells] join over all returns */
	bool *object_needed;           /* [object_count] */
	SPB_LIST(uint32_t) callers;    /* contexts */
	bool queued, live, return_needed;
	uint32_t id; /* id of the function in the output */
};

struct event {
	spb_at at;
	uint32_t block, call; /* number of its block; number of the call */
};

/* What the module declares: its types and resources, and the variables that resources are to become. */
struct model {
	uint32_t *cells; /* [bound] number of descriptors in a type; UINT32_MAX: unknown */

	SPB_LIST(struct root) roots;
	SPB_LIST(struct node) nodes;
	SPB_LIST(uint32_t) children;
	SPB_LIST(struct leaf) leaves;
	SPB_LIST(uint32_t) words;
	uint32_t *data_of, *data_map; /* [bound] mixed type -> its ordinary members; where their numbers are in
				       * words; NULL: not created yet */
	uint32_t *of_type;   /* [bound] descriptor -> first pointer to it in UniformConstant; array or struct of
			      * descriptors -> the same with indexes */
	uint8_t *mixed;      /* [bound] the type holds descriptors and ordinary data */
	uint8_t *levels;     /* [bound] nesting depth of a type that holds descriptors */
	uint32_t *global_of; /* [bound] variable -> number of a root + 1, or UINT32_MAX - number of a private */
	uint32_t *base_of;   /* spb_pointer_bases */
	uint32_t *heaps;     /* bits over variables: heaps created by lower-handles */

	uint32_t *lowered; /* bits over parameters that become an index */
};

/* Which descriptors each value may be: the instructions that matter, and what was found out about them, context by
 * context. */
struct flow {
	struct candidate_table candidates;
	SPB_LIST(struct carrier) carriers;
	uint32_t *carrier_of; /* [bound] id -> number + 1 */
	SPB_LIST(struct event) events;
	SPB_LIST(struct object) objects, privates;
	SPB_LIST(uint32_t) parameters, keys, work;
	uint32_t *private_cells, private_cell_count;
	bool *private_needed, privates_changed;
	uint64_t work_done, cells_made;
	uint32_t *temporary, *unassigned; /* [MAX_CELLS] scratch cells for one instruction; all 0 */
	uint32_t *block_of;               /* [bound] label -> number in its function */
	struct function *functions;
	uint32_t *function_of; /* [bound] id -> number + 1 */
	SPB_LIST(struct context) contexts;
};

/* What is made for the output: functions, each once. */
struct writer {
	struct {
		struct made_choice {
			uint32_t first, count, next, id; /* key in flow.keys; next + 1 with the same hash */
		} * items;
		size_t count, capacity;
	} choices; /* functions created for selections */
	uint32_t choice_of_hash[1024];
	SPB_LIST(uint32_t) late; /* words of these functions */
	uint32_t *map;           /* [bound] id -> its replacement in the function being rewritten */
	SPB_LIST(uint32_t) touched;
	bool dynamic[SPB_DESCRIPTOR_COUNT]; /* indexed by a non-constant */
	uint32_t glsl;                      /* the import of GLSL.std.450; 0: not needed so far */
};

struct shapes {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_edit *e;
	struct spb_arena *arena;
	struct model model;
	struct flow flow;
	struct writer writer;
	uint32_t *used;          /* spb_find_used; NULL: not needed so far */
	const uint32_t *builtin; /* spb_future_builtins: arrays whose indexes need no capability */
};

/* Number of a resource or Private variable, + 1; 0: neither. */
static inline uint32_t spb_root_number(const struct shapes *p, uint32_t id)
{
	return p->model.global_of[id] <= UINT32_MAX / 2 ? p->model.global_of[id] : 0;
}

static inline uint32_t spb_private_of(const struct shapes *p, uint32_t id)
{
	return p->model.global_of[id] > UINT32_MAX / 2 ? UINT32_MAX - p->model.global_of[id] + 1 : 0;
}

/* Memory as value.object has it: of the function, or a Private variable, whose number counts down from the end. */
static inline bool spb_is_private_object(uint32_t object)
{
	return object > UINT32_MAX / 2;
}

static inline uint32_t spb_private_number(uint32_t object)
{
	return UINT32_MAX - object - 1;
}

/* shape_refuse.c */
noreturn void spb_refuse(const struct shapes *p, uint32_t code, spb_at at, const char *format, ...);

/* shape_roots.c */
bool spb_type_holds_descriptors(const struct shapes *p, uint32_t type);
void spb_find_roots(struct shapes *p);
/* The child of `part` by one index: a literal member or an element. False: ordinary data. */
bool spb_part_member(const struct shapes *p, struct part *part, uint32_t member);
void spb_part_element(const struct shapes *p, struct part *part, uint32_t index);
const struct node *spb_part_node(const struct shapes *p, const struct part *part);
uint32_t spb_part_leaf(const struct shapes *p, const struct part *part);
bool spb_part_is_leaf(const struct shapes *p, const struct part *part);

/* shape_variables.c */
void spb_make_variables(struct shapes *p);

/* shape_calls.c */
void spb_find_lowered_parameters(struct shapes *p);

/* shape_addresses.c */
/* Acceleration structures may be used like values, so nothing has to flow in their place. */
bool spb_structures_are_values(const struct spb_module *m);

/* shape_scan.c */
void spb_scan_functions(struct shapes *p);
const struct carrier *spb_carrier_of(const struct shapes *p, uint32_t id);
enum carrier_kind spb_carrier_kind(const struct shapes *p, uint32_t id);
/* A descriptor that is never assigned: an OpUndef at module scope. */
bool spb_is_global_undef(const struct shapes *p, uint32_t id);
bool spb_is_local_pointer_to_descriptors(const struct shapes *p, uint32_t id); /* Private variables, too */

/* shape_check.c: fails if the operands of a relevant instruction do not match their types */
void spb_check_events(const struct shapes *p);

/* shape_cells.c */

struct step { /* current position of the analysis */
	struct shapes *p;
	uint32_t context;
	struct context *c; /* in p->flow.contexts: may move when a context is created */
	const struct function *f;
	uint32_t *state; /* [state_cells] */
	bool changed, block_dead;
};

uint32_t *spb_new_cells(struct shapes *p, size_t count); /* all 0 */
void spb_join_cells(struct shapes *p, uint32_t *to, const uint32_t *from, uint32_t count, enum join how, bool *changed);
/* Replaces unknown indexes by "the index that id `id` has", separately for each cell. */
void spb_tag_cells(struct shapes *p, uint32_t *cells, uint32_t count, uint32_t id);
void spb_put_cells(struct step *s, uint32_t id, const uint32_t *cells); /* sets the value of an id */
uint32_t *spb_object_cells(struct step *s, const struct value *v, bool *global);
/* Candidates of all descriptors in a value. `at`: for messages. */
const uint32_t *spb_value_cells(struct shapes *p, const struct context *c, uint32_t id, spb_at at);
struct value *spb_value_of(struct shapes *p, const struct context *c, uint32_t id);
/* The value of the pointer `id`; false: it has nothing to do with descriptors. */
bool spb_pointer_value(struct shapes *p, const struct context *c, uint32_t id, struct value *v);

/* shape_enter.c: calls, for shape_flow.c */
uint32_t spb_find_context(struct shapes *p, uint32_t function, uint32_t first, spb_at at);
void spb_queue(struct shapes *p, uint32_t context);
void spb_step_call(struct step *s, spb_at at, uint32_t number);
void spb_step_return(struct step *s, spb_at at);
void spb_step_parameter(struct step *s, spb_at at);
bool spb_is_lowered_part(const struct shapes *p, uint32_t parameter); /* a pointer that becomes an index */

/* shape_flow.c */
void spb_analyse(struct shapes *p);

/* shape_need.c */
void spb_find_needs(struct shapes *p);
void spb_warn_of_unassigned(struct shapes *p); /* shape_assigned.c */
/* A descriptor that was loaded in the block of its use, and only copied since: id of the load; 0: none. */
uint32_t spb_copied_from(struct shapes *p, const struct context *c, uint32_t candidates, uint32_t block, spb_at at);
bool spb_only_flows(struct shapes *p, const struct context *c, uint32_t id);
bool spb_known_descriptor(struct shapes *p, const struct context *c, uint32_t id, uint32_t *candidates);

/* shape_emit.c */

uint32_t spb_selector_type(struct shapes *p, uint32_t type); /* the same type with a uint for each descriptor */
uint32_t spb_no_selector(struct shapes *p, uint32_t type);
uint32_t spb_leaf_pointer(struct shapes *p, struct leaf *leaf);

struct index {
	bool constant;     /* a known number */
	bool spec;         /* a specialization constant */
	uint32_t value;    /* of a constant */
	uint32_t id, type; /* id 0: a constant without an id yet; type 0: uint */
};

/* A function being written. */
struct rewriter {
	struct shapes *p;
	struct context *c;
	const struct function *f;
	spb_at at;                  /* the current instruction of the original */
	uint32_t block;             /* number of its block */
	bool clone;                 /* appended to the module, with new ids */
	bool late;                  /* appended after all clones: writer.late */
	struct written {            /* [carrier_count] what replaces an id */
		struct index index; /* CARRIER_PART, and values loaded from one: flattened index */
		uint32_t selector;  /* CARRIER_VALUE: id; 0: not emitted yet */
		bool real;          /* CARRIER_PART: still a pointer */
		bool marked;        /* it, or something on the way to it, is decorated NonUniform */
		bool deferred;      /* CARRIER_DERIVED: made at its use by shape_choose.c */
	} * written;
	uint32_t source; /* value that put_selector is working on, and the position in it */
	uint32_t path[MAX_DEPTH + 2], path_count;
};

static inline struct written *spb_written(const struct rewriter *r, uint32_t id)
{
	return &r->written[r->p->flow.carrier_of[id] - 1 - r->f->first_carrier];
}

/* shape_put.c */
void spb_put(struct rewriter *r, uint32_t op, const uint32_t *operands, uint32_t count); /* before r->at */
uint32_t spb_mapped(const struct rewriter *r, uint32_t id);
void spb_map_id(struct rewriter *r, uint32_t id, uint32_t to);
void spb_keep(struct rewriter *r);                  /* keeps the instruction at r->at */
void spb_drop(struct rewriter *r, bool with_notes); /* drops the instruction at r->at */
void spb_put_instead(struct rewriter *r, uint32_t op, const uint32_t *words, uint32_t count, bool retyped);
void spb_keep_notes(struct rewriter *r, uint32_t id, bool retyped);

/* shape_index.c: indexes, and loads of descriptors by them */

uint32_t spb_index_id(struct rewriter *r, struct index i);
struct index spb_part_index(struct rewriter *r, uint32_t id); /* of a pointer to a part, or a value loaded from one */
/* Walks from a part by the operands from *word on (ids or literals) as far as a leaf; *word: the first one left. */
struct index spb_walk_index(struct rewriter *r, struct part *part, struct index i, uint32_t *word, uint32_t end,
			    bool literals);
/* Does control flow select its index, so that no decoration in the source can mark it? Or may the selector name
 * different resources in different invocations? */
bool spb_is_chosen(const struct shapes *p, struct member of);
struct index spb_index_of_selector(struct rewriter *r, struct member of, uint32_t selector);
/* Whether an access is decorated NonUniform: not, as in the input, or because of a selection that this pass makes.
 * Later passes need to know which decorations are the author's. */
enum chain_mark { NO_MARK, MARK_OF_INPUT, MARK_OF_OURS };
void spb_see_index(struct shapes *p, const struct leaf *leaf, struct index i); /* for the capabilities */
uint32_t spb_put_leaf_chain(struct rewriter *r, uint32_t leaf, struct index i, enum chain_mark mark);
struct index spb_put_bounded(struct rewriter *r, uint32_t number, struct index i);
uint32_t spb_put_chosen_chain(struct rewriter *r, struct member of, uint32_t selector);
uint32_t spb_put_descriptor(struct rewriter *r, struct member of, uint32_t selector); /* loaded */
/* The selector of a value, already emitted or to be emitted at the value. */
uint32_t spb_selector_of(struct rewriter *r, uint32_t id);
uint32_t spb_put_uint(struct rewriter *r, struct index i, bool marked);
uint32_t spb_put_memory_load(struct rewriter *r, uint32_t pointer); /* loads a selector */
uint32_t spb_put_selector(struct rewriter *r, const struct part *part, uint32_t type, struct index i, uint32_t wanted);
bool spb_is_marked(const struct shapes *p, uint32_t id);
void spb_keep_flow_mark(struct rewriter *r); /* the instruction at r->at */

/* shape_choose.c */
bool spb_must_choose(struct rewriter *r);
void spb_put_choice(struct rewriter *r);

/* shape_data.c: ordinary data alongside descriptors */
bool spb_rewrite_data(struct rewriter *r); /* false: the instruction does not concern such data */
uint32_t spb_put_data(struct rewriter *r, uint32_t id, const uint32_t *path, uint32_t count, uint32_t type);

/* shape_rewrite.c */
void spb_rewrite_functions(struct shapes *p);

#endif
