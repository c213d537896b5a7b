/* SPDX-License-Identifier: Apache-2.0 */
/* waterfall: what its three files share; waterfall.c tells what it does. */
#ifndef SPB_WATERFALL_H
#define SPB_WATERFALL_H

#include "pass/pass.h"

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

struct spb_loops {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_edit *e;
	struct spb_arena *arena;
	bool only_lengths;
	bool trims; /* marks that nothing is known to need go, too */

	/* read */
	uint32_t *marked;  /* bits over ids: NonUniform                                               */
	uint32_t *touched; /* ... on the path or the index of an access that goes into a loop         */
	uint32_t *limited; /* ... types of numbers that may be loaded, stored and converted only      */
	struct {
		spb_at *items;
		size_t count, capacity;
	} candidates; /* instructions with a marked operand */
	struct {
		struct spb_kept *items;
		size_t count, capacity;
	} kept;
	struct {
		struct spb_waterfall_access *items; /* in module order, each once */
		size_t count, capacity;
	} accesses;
	struct spb_id_list steps, indexes;
	bool rewritten[SPB_DESCRIPTOR_COUNT]; /* kinds of descriptors that go into loops */

	/* what the accesses that stay as they are need */
	uint32_t *needed; /* bits over ids: their path */
	bool remains[SPB_DESCRIPTOR_COUNT];

	/* written */
	int32_t *balance;        /* [bound] how many uses an id gains, or loses           */
	struct spb_id_list lost; /* ids that lost some, some of them several times        */
	uint32_t *gone;          /* bits over ids                                         */
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
void spb_waterfall_read(struct spb_loops *p);

/* waterfall.c */

bool spb_waterfall_keeps_mark(const struct spb_loops *p, uint32_t id);
/* An operand of an instruction that goes, or is rewritten. */
void spb_waterfall_lose(struct spb_loops *p, uint32_t id);

/* waterfall_write.c */

/* 0: no implicit level of detail; else the opcode that takes it by gradients. */
uint32_t spb_waterfall_explicit(uint32_t op);
bool spb_waterfall_can_derive(const struct spb_module *m, spb_at at);
void spb_waterfall_write(struct spb_loops *p);

#endif
