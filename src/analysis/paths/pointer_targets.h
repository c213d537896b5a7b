/* SPDX-License-Identifier: Apache-2.0 */
/* pointer_targets: which variable, and which element of it, a pointer may refer to that was chosen, stored or returned.
 *
 *     nothing       null, or not reached yet
 *     one           one descriptor: a variable, or its element with a constant index
 *     one variable  any of its elements
 *     anything
 *
 * The analysis joins over the whole program and ignores the order of instructions; memory and structures are joined as
 * a whole. Most modules have no such pointers, and then nothing is allocated. */
#ifndef SPB_POINTER_TARGETS_H
#define SPB_POINTER_TARGETS_H

#include "analysis/resources/resources.h"

struct spb_target {
	uint32_t root;    /* id of the variable; 0: nothing; UINT32_MAX: anything */
	uint32_t element; /* 0: all of it; index + 1; UINT32_MAX: any element */
};

struct spb_targets {
	const struct spb_module *m;
	struct spb_target *of;   /* [bound] NULL: the module has no such pointers */
	uint32_t *bases;         /* spb_pointer_bases */
	const uint32_t *holders; /* bits over types that are or hold pointers or descriptors */
};

struct spb_targets spb_find_targets(const struct spb_module *m, const struct spb_calls *calls, struct spb_arena *arena);
/* The same, with what spb_holds_pointers and spb_pointer_holder need even if the module has no such pointers. */
struct spb_targets spb_with_memory(const struct spb_targets *t, struct spb_arena *arena);
/* Does the value always name the same descriptor? */
bool spb_has_one_target(const struct spb_targets *t, uint32_t id);
/* The only variable that it may refer to; 0: unknown. */
uint32_t spb_target_variable(const struct spb_targets *t, uint32_t id);
/* Is or holds the value a pointer or descriptor? */
bool spb_holds_pointers(const struct spb_targets *t, uint32_t id);
/* The variable or parameter behind a pointer into memory that holds pointers; 0: it does not. */
uint32_t spb_pointer_holder(const struct spb_targets *t, uint32_t pointer);

#endif
