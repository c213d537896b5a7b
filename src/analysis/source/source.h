/* SPDX-License-Identifier: Apache-2.0 */
/* source: the source text in a module, and the order in which it declares resources. */
#ifndef SPB_SOURCE_H
#define SPB_SOURCE_H

#include "analysis/resources/resources.h"

/* source.c */

/* "lit.frag:12", where the source text declares a resource; "": unknown. Reads the text again, so use it for messages
 * only. */
const char *spb_declared_at(const struct spb_module *m, const struct spb_variable *v, struct spb_arena *arena);
/* Finds where the module's source text declares its variables: order[] of each, 0 for those that are not found. False:
 * it contains no text. */
bool spb_find_in_source(const struct spb_module *m, const struct spb_variables *variables, uint64_t *order,
			struct spb_arena *arena);
/* Does the module contain source text? */
bool spb_has_source_text(const struct spb_module *m);
/* Does the declaration there give a register or a binding? */
bool spb_declares_place(uint64_t order);
/* order.c: sorts variables into the order of declaration; true: had to fall back to module order */
bool spb_order_variables(const struct spb_module *m, spb_order order, struct spb_variables *variables,
			 struct spb_arena *arena);

/* parts.c: fills part_of of the parts that an earlier run recorded; the text of the remark for a part of this run */
void spb_read_parts(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena);
const char *spb_part_note(const struct spb_variable *v, struct spb_arena *arena);

#endif
