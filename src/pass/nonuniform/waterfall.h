/* SPDX-License-Identifier: Apache-2.0 */
/* waterfall: what its four files share; waterfall.c describes the pass. */
#ifndef SPB_WATERFALL_H
#define SPB_WATERFALL_H

#include "pass/nonuniform/nonuniform.h"

enum { SPB_WATERFALL_INDEXES = 8 }; /* per access, at most */

struct spb_waterfall_access { /* an access that goes into a loop */
	spb_at at;
	uint32_t first_step, steps; /* in plan.steps: ids from the variables to the operands, in order of dependence */
	uint32_t first_index, indexes; /* in plan.indexes: ids that select the descriptors, with copies skipped */
};

struct spb_id_list {
	uint32_t *items;
	size_t count, capacity;
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
	bool only_lengths;
	bool trims; /* also remove decorations that nothing is known to need */

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
	int32_t *balance;        /* [bound] number of uses an id gains or loses */
	struct spb_id_list lost; /* ids that lost uses, possibly several times */
	uint32_t *gone;          /* bits over ids */
	uint32_t *patched;       /* ... of instructions with a replaced operand */
};

/* waterfall_read.c */

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
void spb_waterfall_read(struct spb_loops *p);

/* waterfall.c */

bool spb_waterfall_keeps_mark(const struct spb_loops *p, uint32_t id);
/* Notes that an operand loses a use, because its instruction is removed or rewritten. */
void spb_waterfall_lose(struct spb_loops *p, uint32_t id);

/* waterfall_loop.c: one loop */

struct spb_line_scope { /* current line and scope; 0: none */
	spb_at scope, debug_line, line;
};

struct spb_loop_writer {
	struct spb_loops *p;
	const struct spb_module *m;
	struct spb_edit *e;
	uint32_t place; /* where put() inserts */
	struct {        /* ids; 0: not found, or not created yet */
		uint32_t uint_type, bool_type, float_type, vector[5], subgroup, glsl;
	} made;
	uint32_t debug_set;
	struct spb_id_list words; /* operands of the current instruction */
	struct {
		struct spb_loop_pair {
			uint32_t from, to;
		} * items;
		size_t count, capacity;
	} map;              /* what the current loop emits again; indexes are keyed by what they are copies of */
	size_t index_count; /* the first entries are indexes */

	/* the current block; a segment is part of a block, and segments are numbered throughout the module */
	uint32_t first_segment, segment;
	uint32_t *segment_of;       /* [bound] opaque value -> segment where it can be used, or first_segment */
	uint32_t *again, *again_in; /* [bound] its copy, and the segment of the copy */
	uint32_t tail;              /* label of the last part */
	struct spb_line_scope lines;
};

/* The opcode that takes explicit gradients instead; 0: the instruction has no implicit level of detail. */
uint32_t spb_waterfall_explicit(uint32_t op);
bool spb_waterfall_can_derive(const struct spb_module *m, spb_at at);
void spb_loop_find_globals(struct spb_loop_writer *w);
void spb_loop_put(struct spb_loop_writer *w, uint32_t op, const uint32_t *operands, uint32_t count);
void spb_loop_put_label(struct spb_loop_writer *w, uint32_t id);
/* Sets what replaces `from` in later copies. */
void spb_loop_map(struct spb_loop_writer *w, uint32_t from, uint32_t to);
/* Copies an instruction into w->words with the result `result` (0: none), and emits it with that opcode. */
void spb_loop_copy(struct spb_loop_writer *w, spb_at at, uint32_t result);
void spb_loop_put_copy(struct spb_loop_writer *w, uint32_t op);
/* Records a line or scope; false: the instruction is neither. */
bool spb_loop_note_line(struct spb_loop_writer *w, spb_at at);
/* Repeats line and scope at the beginning of a block; `next` is the first instruction there. */
void spb_loop_put_lines(struct spb_loop_writer *w, spb_at next);
/* Replaces the access by a loop. */
void spb_loop_write(struct spb_loop_writer *w, const struct spb_waterfall_access *a);

/* waterfall_write.c: blocks */

void spb_waterfall_write(struct spb_loops *p);

#endif
