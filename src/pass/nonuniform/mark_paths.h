/* SPDX-License-Identifier: Apache-2.0 */
/* mark_paths: what decorate-nonuniform and its walk from an access back to the indexes share. */
#ifndef SPB_MARK_PATHS_H
#define SPB_MARK_PATHS_H

#include "pass/nonuniform/accesses.h"

enum { SPB_SEEN = 1 /* the path has been visited */, SPB_TO_DECORATE = 2 /* NonUniform is to be placed on it */ };

struct spb_inflow {          /* what a variable or parameter that holds pointers may have received */
	uint32_t root, from; /* from: a value, or another variable or parameter whose contents it is */
};

struct spb_marking {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_arena *arena;
	struct spb_judged judged;
	uint8_t *flags;    /* [bound] SPB_SEEN, SPB_TO_DECORATE */
	uint8_t *uses;     /* [bound] number of uses of an index: 0, 1 or more; NULL: not counted yet */
	uint32_t *because; /* [chains] access that makes the chain differ, + 1; 0: its own index */
	bool *chain_differs;
	SPB_LIST(uint32_t) work;
	bool dynamic[SPB_DESCRIPTOR_COUNT], non_uniform[SPB_DESCRIPTOR_COUNT]; /* capabilities to declare */
	bool indexed[SPB_DESCRIPTOR_COUNT];                                    /* by an index that is not a constant */
	bool any;

	struct spb_sites sites; /* found at the first parameter */
	/* targets of pointers that go through memory; found at the first one */
	struct spb_targets pointers;
	SPB_LIST(struct spb_inflow) inflow; /* sorted by root */
};

/* Decorates everything from the operand of access number `access` back to the indexes and choices that select the
 * descriptor. */
void spb_mark_path(struct spb_marking *p, size_t access, uint32_t operand);
/* The built-in heaps need no capabilities for indexing. */
bool spb_needs_capability(const struct spb_marking *p, size_t chain);

#endif
