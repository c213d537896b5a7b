/* SPDX-License-Identifier: Apache-2.0 */
/* selection: which instructions select a descriptor, hand one on, or yield one of several. */
#ifndef SPB_SELECTION_H
#define SPB_SELECTION_H

#include "analysis/resources/resources.h"

struct spb_selection {    /* of an access chain: words */
	uint32_t base;    /* of its base */
	uint32_t end;     /* after the last index that selects a descriptor; at most base + 1 if none does */
	uint32_t dynamic; /* of the first of these indexes that is not a constant; 0: all are constant */
	enum spb_descriptor kind;
};

/* Is the opcode an access chain of any kind, for typed or untyped pointers? */
bool spb_is_any_chain(uint32_t op);
/* Which indexes of an access chain of any kind select a descriptor. */
struct spb_selection spb_selection_of(const struct spb_module *m, spb_at chain);
/* Does the value name a descriptor: is it one, or a pointer to or into one? */
bool spb_names_descriptor(const struct spb_module *m, uint32_t id);
/* The operand words through which an instruction on the path receives the descriptor: *first … *end, all ids. False:
 * the instruction does not pass descriptors on. */
bool spb_path_operands(const struct spb_module *m, spb_at at, uint32_t *first, uint32_t *end);
bool spb_is_opaque_type(const struct spb_module *m, uint32_t type);
/* May there be a pointer that is not a variable, a parameter, or an access chain on one? Judged by capabilities. */
bool spb_may_choose(const struct spb_module *m);
/* Are there pointers or descriptors that come from a choice, from memory, or from a function? */
bool spb_has_choices(const struct spb_module *m);
/* Is any descriptor selected? Most modules need no further analysis. */
bool spb_has_paths(const struct spb_module *m);
/* Is it an opaque type, or a pointer to resources? */
bool spb_is_name_type(const struct spb_module *m, uint32_t type);
/* Does the access chain have an index that is not a constant? Most do not, and select nothing. */
bool spb_has_variable_index(const struct spb_module *m, spb_at chain);
/* Does the instruction yield a pointer or descriptor that is not simply that of one operand: one of several, or one
 * that comes from memory, from a structure or from a function? */
bool spb_yields_any(const struct spb_module *m, spb_at at);

#endif
