/* SPDX-License-Identifier: Apache-2.0 */
/* What parsing shares with the indexing of a module after a pass. */
#ifndef SPB_INDEX_H
#define SPB_INDEX_H

#include "ir/ids.h"

/* An OpLine belongs to the instruction after it, so a section begins at the lines before its first instruction.
 * *lines is the beginning of the lines just passed; 0: none. */
static inline spb_at spb_begin_of_lines(spb_at *lines, spb_at at, uint32_t flags)
{
	spb_at begin = *lines ? *lines : at;

	*lines = flags & SPB_OP_LINE ? begin : 0;
	return begin;
}

/* Are the ids among the operands of an instruction of this section notes? */
static inline bool spb_has_notes(int section)
{
	return section >= SPB_SECTION_ENTRY_POINT && section < SPB_SECTION_GLOBAL;
}

/* Does it declare a variable in a storage class of descriptors? */
static inline bool spb_declares_resource(const uint32_t *w)
{
	const uint32_t op = *w & 0xFFFF;

	return (op == SpvOpVariable || op == OpUntypedVariableKHR) && spb_is_resource_class(w[3]);
}

/* `at`: OpFunctionEnd. A function in which no block has begun is a declaration. */
static inline void spb_end_function(struct spb_function *f, spb_at at)
{
	f->body = f->body ? f->body : at;
	f->end = at;
}

struct spb_arena *spb_arena_of_index(struct spb_module *m);
/* Allocates the arrays of definitions and notes, zeroed, in one piece. */
void spb_begin_index(struct spb_module *m);
/* Before the call, m->first_note[id + 2] is the number of notes of an id. */
void spb_index_notes(struct spb_module *m);

#endif
