/* SPDX-License-Identifier: Apache-2.0 */
/* waterfall: what its four files share; waterfall.c tells what it does. */
#ifndef SPB_WATERFALL_H
#define SPB_WATERFALL_H

#include "pass/nonuniform/nonuniform.h"

enum { SPB_WATERFALL_INDEXES = 8 }; /* of one access, at most */

struct spb_waterfall_access { /* goes into a loop */
	spb_at at;
	uint32_t first_step,
	    steps; /* in plan.steps: ids from the variables to the operands, each after what it needs */
	uint32_t first_index, indexes; /* in plan.indexes: ids that select the descriptors, copies looked through */
};

struct spb_id_list {
	uint32_t *items;
	size_t count, capacity;
};

enum spb_kept_reason { FINE, NOT_ASKED, PARAMETER, FLOW, LONG, DERIVATIVES, STORAGE_ONLY, INSTRUCTION };

struct spb_kept { /* a marked access that stays as it is */
	spb_at at;
	enum spb_kept_reason reason;
};

struct spb_tangled { /* a block that is not cut */
	spb_at begin, end;
};

struct spb_loops {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_edit *e;
	struct spb_arena *arena;
	bool only_lengths;
	bool trims; /* marks that nothing is known to need go, too */

	/* read */
	uint32_t *marked;            /* bits over ids: NonUniform                                               */
	uint32_t *touched;           /* ... on the path or the index of an access that goes into a loop         */
	uint32_t *limited;           /* ... types of numbers that may be loaded, stored and converted only      */
	SPB_LIST(spb_at) candidates; /* instructions with a marked operand */
	SPB_LIST(struct spb_tangled) tangled; /* in module order */
	SPB_LIST(struct spb_kept) kept;
	SPB_LIST(struct spb_waterfall_access) accesses; /* in module order, each once */
	struct spb_id_list steps, indexes;
	bool rewritten[SPB_DESCRIPTOR_COUNT]; /* kinds of descriptors that go into loops, and need the capability for it
					       */
	const uint32_t *builtin;              /* heaps that need none: spb_future_builtins */

	/* what the accesses that stay as they are need */
	uint32_t *needed; /* bits over ids: their path */
	bool remains[SPB_DESCRIPTOR_COUNT];

	/* written */
	int32_t *balance;        /* [bound] how many uses an id gains, or loses           */
	struct spb_id_list lost; /* ids that lost some, some of them several times        */
	uint32_t *gone;          /* bits over ids                                         */
	uint32_t *patched;       /* ... of instructions with an operand made again        */
};

/* waterfall_read.c */

/* The end of those indexes of an access chain, from word at + 4 on, that select a descriptor; at + 4: none do. */
uint32_t spb_waterfall_selection(const struct spb_module *m, spb_at chain);
/* What an id is a copy of. */
uint32_t spb_waterfall_source(const struct spb_module *m, uint32_t id);
/* Makes of one id of a path another: a pointer, a descriptor, a copy. */
bool spb_waterfall_is_step(const struct spb_module *m, spb_at at);
bool spb_waterfall_is_chain(uint32_t op);
/* A descriptor, or a pointer to one or into what is behind it. */
bool spb_waterfall_is_path(const struct spb_module *m, uint32_t id);
/* The value of a descriptor, not of what is behind it. */
bool spb_waterfall_is_opaque(const struct spb_module *m, uint32_t id);
/* Makes a descriptor of one, or loads it. */
bool spb_waterfall_makes_opaque(const struct spb_module *m, spb_at at);
void spb_waterfall_read(struct spb_loops *p);

/* waterfall.c */

bool spb_waterfall_keeps_mark(const struct spb_loops *p, uint32_t id);
/* An operand of an instruction that goes, or is rewritten. */
void spb_waterfall_lose(struct spb_loops *p, uint32_t id);

/* waterfall_loop.c: one loop */

struct spb_lines { /* in effect; 0: none */
	spb_at scope, debug_line, line;
};

struct spb_loop_writer {
	struct spb_loops *p;
	const struct spb_module *m;
	struct spb_edit *e;
	uint32_t place; /* where put() inserts */
	struct {        /* ids; 0: not found, or not made yet */
		uint32_t uint_type, bool_type, float_type, vector[5], subgroup, glsl;
	} made;
	uint32_t debug_set;
	struct spb_id_list words; /* of the instruction at work */
	struct {
		struct spb_loop_pair {
			uint32_t from, to;
		} * items;
		size_t count, capacity;
	} map;              /* what is made again in the loop at work; indexes by what they are copies of */
	size_t index_count; /* the first of them are indexes */

	/* the block at work; a segment is a part of a block, numbers go up through the module */
	uint32_t first_segment, segment;
	uint32_t *segment_of;       /* [bound] of an opaque value: where it can be consumed, or first_segment */
	uint32_t *again, *again_in; /* [bound] its copy, and the segment that that stands in          */
	uint32_t tail;              /* label of the last part */
	struct spb_lines lines;
};

/* 0: no implicit level of detail; else the opcode that takes it by gradients. */
uint32_t spb_waterfall_explicit(uint32_t op);
bool spb_waterfall_can_derive(const struct spb_module *m, spb_at at);
void spb_loop_find_globals(struct spb_loop_writer *w);
void spb_loop_put(struct spb_loop_writer *w, uint32_t op, const uint32_t *operands, uint32_t count);
void spb_loop_put_label(struct spb_loop_writer *w, uint32_t id);
/* What is made of `from` in the copies to come. */
void spb_loop_map(struct spb_loop_writer *w, uint32_t from, uint32_t to);
/* The copy of an instruction into w->words, its result being `result` (0: it has none); and put as that opcode. */
void spb_loop_copy(struct spb_loop_writer *w, spb_at at, uint32_t result);
void spb_loop_put_copy(struct spb_loop_writer *w, uint32_t op);
/* Notes what a line or a scope says; false: the instruction is none. */
bool spb_loop_note_line(struct spb_loop_writer *w, spb_at at);
/* At the beginning of a block: the same again; `next` is what follows there. */
void spb_loop_put_lines(struct spb_loop_writer *w, spb_at next);
/* Takes the place of the access. */
void spb_loop_write(struct spb_loop_writer *w, const struct spb_waterfall_access *a);

/* waterfall_write.c: blocks */

void spb_waterfall_write(struct spb_loops *p);

#endif
