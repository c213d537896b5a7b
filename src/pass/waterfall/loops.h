/* SPDX-License-Identifier: Apache-2.0 */
/* loops: what the files of this room share; waterfall.c describes the pass. */
#ifndef SPB_LOOPS_H
#define SPB_LOOPS_H

#include "pass/nonuniform/nonuniform.h"
#include "pass/waterfall/waterfall.h"

enum { SPB_WATERFALL_INDEXES = 8 }; /* per access, at most */

struct spb_waterfall_access { /* an access that goes into a loop */
	spb_at at;
	uint32_t first_step, steps; /* in plan.steps: ids from the variables to the operands, in order of dependence */
	uint32_t first_index, indexes; /* in plan.indexes: ids that select the descriptors, with copies skipped */
	uint32_t length;               /* of the longest array that is indexed; 0: unknown */
};

struct spb_id_list {
	uint32_t *items;
	size_t count, capacity;
};

/* Memory of an effect is one of these, or the id of a variable of Function, Private or Output. */
#define SPB_MEMORY_CONSTANT 0u               /* nothing writes it while the shader runs */
#define SPB_MEMORY_OWN      (UINT32_MAX - 1) /* some variable of Function or Private */
#define SPB_MEMORY_SHARED   (UINT32_MAX - 2) /* everything that other invocations can reach */

enum spb_effect_kind {
	SPB_DOES_NOTHING, /* computes its result */
	SPB_DOES_READ,
	SPB_DOES_WRITE, /* may read, too */
	SPB_DOES_STOP,  /* nothing may be moved across it: barriers, calls, unknown instructions */
	SPB_DOES_REMARK /* no effect on what is computed: debug information */
};

struct spb_effect {
	enum spb_effect_kind kind;
	bool converges; /* depends on which invocations do it together: derivatives, subgroup operations */
	uint32_t memory;
};

enum spb_where { SPB_STAYS, SPB_BEFORE, SPB_INSIDE, SPB_LOOPED }; /* LOOPED: the access of a loop */

struct spb_instruction { /* of the current block */
	spb_at at;
	struct spb_effect effect;
	const struct spb_waterfall_access *access; /* NULL: not an access that needs a loop */
	enum spb_where place;                      /* where the current loop takes it */
	bool gone;                                 /* a loop has taken it */
	bool early;                                /* can be before the current loop */
	struct spb_line_scope {                    /* its line and scope; 0: none */
		spb_at scope, debug_line, line;
	} lines;
};

struct spb_block { /* instructions of a block, and what values.c knows of them */
	struct spb_instruction *items;
	size_t count, capacity;
	uint32_t *home;                    /* [bound] result -> its place in items, if it is there */
	uint32_t *canon;                   /* [bound] the first id that holds the same value; 0: itself */
	uint32_t *stored, *stored_version; /* [bound] pointer -> value of the last store, and when that was */
	uint32_t *version;                 /* [bound] variable -> when it was last written */
	uint32_t epoch, clock;             /* when everything may have been written; now */
	struct spb_value_entry *table;
	uint32_t run;                   /* number of the block */
	uint32_t table_size, entered;   /* a power of two; entries of this run */
	uint32_t *written, any_written; /* [bound] variable -> the group that writes it; the last that writes any */
};

enum spb_kept_reason { FINE, NOT_ASKED, PARAMETER, FLOW, LONG, DERIVATIVES, STORAGE_ONLY, INSTRUCTION };

struct spb_kept { /* a decorated access that stays as it is */
	spb_at at;
	enum spb_kept_reason reason;
};

struct spb_tangled { /* a block that is not split */
	spb_at begin, end;
};

struct spb_loops {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_edit *e;
	struct spb_arena *arena;
	bool selective;    /* only instructions that drivers get wrong even where they are decorated */
	bool has_volatile; /* something is decorated Volatile */
	bool trims;        /* also remove decorations that nothing is known to need */

	/* read */
	uint32_t *marked;                     /* bits over ids: decorated NonUniform */
	uint32_t *touched;                    /* ... on the path or the index of an access that goes into a loop */
	uint32_t *limited;                    /* ... number types that may only be loaded, stored and converted */
	SPB_LIST(spb_at) candidates;          /* instructions with a decorated operand */
	SPB_LIST(struct spb_tangled) tangled; /* in module order */
	SPB_LIST(struct spb_kept) kept;
	SPB_LIST(struct spb_waterfall_access) accesses; /* in module order, each once */
	struct spb_id_list steps, indexes;
	bool rewritten[SPB_DESCRIPTOR_COUNT]; /* kinds of descriptors that go into loops, and whose capability may
					       * then be unneeded */
	const uint32_t *builtin;              /* heaps that need no capability: spb_future_builtins */

	/* needed by the accesses that stay as they are */
	uint32_t *needed; /* bits over ids: their paths */
	bool remains[SPB_DESCRIPTOR_COUNT];

	/* written by the write step */
	struct spb_losses losses;
	bool warned;       /* of the extension that loops need before SPIR-V 1.3 */
	uint32_t *patched; /* bits over ids of instructions that stay: an operand is replaced, or they have new uses */
};

/* read.c */

/* End of the indexes of an access chain (from word at + 4 on) that select a descriptor; at + 4: none do. */
uint32_t spb_waterfall_selection(const struct spb_module *m, spb_at chain);
/* The id that an id is a copy of. */
uint32_t spb_waterfall_source(const struct spb_module *m, uint32_t id);
/* Does the instruction turn one id of a path into another: a pointer, a descriptor, a copy? */
bool spb_waterfall_is_step(const struct spb_module *m, spb_at at);
/* Is the id a descriptor, a pointer to one, or a pointer into its contents? */
bool spb_waterfall_is_path(const struct spb_module *m, uint32_t id);
/* Is the id the value of a descriptor rather than of its contents? */
bool spb_waterfall_is_opaque(const struct spb_module *m, uint32_t id);
/* Does the instruction load a descriptor, or make one from another? */
bool spb_waterfall_makes_opaque(const struct spb_module *m, spb_at at);
/* May an instruction with this result go into a loop? Later instructions then get its result from an OpPhi, which has
 * the same type and decorations. */
bool spb_waterfall_can_come_out(const struct spb_loops *p, uint32_t id);
void spb_waterfall_read(struct spb_loops *p);

/* Does an id that the module decorates NonUniform stay so? */
static inline bool spb_waterfall_keeps_mark(const struct spb_loops *p, uint32_t id)
{
	return spb_bit(p->marked, id) && (spb_bit(p->needed, id) || (!p->trims && !spb_bit(p->touched, id)));
}

/* values.c: effects, and equal values */

struct spb_effect spb_waterfall_effect(const struct spb_module *m, spb_at at);
/* Must two instructions stay in order, because of the memory that they touch? */
bool spb_effects_collide(struct spb_effect a, struct spb_effect b);
void spb_waterfall_number(struct spb_loops *p, struct spb_block *b);
void spb_values_allocate(struct spb_arena *arena, struct spb_block *b, uint32_t bound);
uint32_t spb_waterfall_value(const struct spb_block *b, uint32_t id);
/* The same, but itself if it is decorated NonUniform or a descriptor: an id that may replace it. */
uint32_t spb_waterfall_earlier(const struct spb_loops *p, const struct spb_block *b, uint32_t id);

/* group.c: which instructions share a loop */

/* Decides the places of the instructions from `first`, an access, to the last access that shares its loop. Returns the
 * end of these. */
size_t spb_waterfall_group(struct spb_loops *p, struct spb_block *b, size_t first);

/* loop.c: one loop */

struct spb_none { /* an OpUndef of a type */
	uint32_t type, id;
};

struct spb_loop_writer {
	struct spb_loops *p;
	const struct spb_module *m;
	struct spb_edit *e;
	uint32_t place; /* where put() inserts */
	bool preparing; /* before the current loop */
	struct spb_gradient_writer gradients;
	uint32_t debug_set;
	struct spb_id_list words;       /* operands of the current instruction */
	uint32_t *to, *to_in;           /* [bound] what replaces an id in copies, and in which segment */
	uint32_t *index, *index_in;     /* the same for indexes that select, by what they are copies of */
	SPB_LIST(struct spb_none) none; /* of the current loop */

	struct spb_block block; /* the current block */
	/* of the current block; a segment is part of a block, and segments are numbered throughout the module */
	uint32_t first_segment, segment;
	uint32_t *segment_of;       /* [bound] opaque value -> segment where it can be used, or first_segment */
	uint32_t *again, *again_in; /* [bound] its copy, and the segment of the copy */
	uint32_t tail;              /* label of the last part */
	struct spb_line_scope lines;
};

/* Is it an opaque value that was made in an earlier segment of the block? */
static inline bool spb_loop_is_stale(const struct spb_loop_writer *w, uint32_t id)
{
	return w->segment_of[id] >= w->first_segment && w->segment_of[id] != w->segment;
}

void spb_loop_put(struct spb_loop_writer *w, uint32_t op, const uint32_t *operands, uint32_t count);
void spb_loop_put_label(struct spb_loop_writer *w, uint32_t id);
/* Begins a part of a block, in which other copies are in effect. */
void spb_loop_begin_segment(struct spb_loop_writer *w);
/* Copies an instruction into w->words with the result `result` (0: none), and emits it with that opcode. */
void spb_loop_copy(struct spb_loop_writer *w, spb_at at, uint32_t result);
void spb_loop_put_copy(struct spb_loop_writer *w, uint32_t op);
/* Records a line or scope, if the instruction is one. */
void spb_loop_note_line(struct spb_loop_writer *w, spb_at at);
/* Repeats line and scope at the beginning of a block; `next` is the first instruction there. */
void spb_loop_put_lines(struct spb_loop_writer *w, spb_at next);
/* Recreates an opaque value in the current segment, unless it was made there. Returns the id to use. */
uint32_t spb_loop_make_again(struct spb_loop_writer *w, uint32_t id);
/* Replaces the accesses between two places of the block by a loop, and what goes before or inside with them. */
void spb_loop_write(struct spb_loop_writer *w, size_t first, size_t end);

/* write.c: blocks */

void spb_waterfall_write(struct spb_loops *p);

#endif
