/* SPDX-License-Identifier: Apache-2.0 */
/* merge: functions of one module put into another, with all they need. Knows nothing of handles. */
#ifndef SPB_MERGE_H
#define SPB_MERGE_H

#include "pass/resolver/resolver.h"

struct spb_merged; /* what the target has, by signature */

struct spb_merge {
	struct spb_merged *merged;
	struct spb_unit *u;            /* the target, whose edit is open                         */
	const struct spb_module *from; /* the source: another module, or the target itself       */
	uint32_t *map;                 /* [from->bound] id -> id in the target; 0: not known yet */
	uint32_t *needed;              /* bits over ids of `from`: globals, functions            */
	SPB_LIST(uint32_t) functions;  /* functions that are called */
	SPB_LIST(uint32_t) noted;      /* ids of new globals: names and decorations are still to come */
};

/* merge_ids.c */

#define SPB_MERGED_NEW UINT32_MAX /* for `id`: a new one, if one is needed */

struct spb_merged *spb_merged_begin(struct spb_unit *u); /* one for all merges of an edit */
struct spb_unit *spb_merged_unit(const struct spb_merged *merged);
/* Which id of the target has the signature of an instruction of m, whose ids `map` maps (NULL: m is the target); `id`
 * from now on if none has it, or 0 for asking only. */
uint32_t spb_merged_settle(struct spb_merged *merged, const struct spb_module *m, const uint32_t *map, spb_at at,
			   uint32_t id);
/* A number that a thing of a kind has, or the thing that has a number or name: `id` from now on if it is not known; 0
 * for asking only. */
uint32_t spb_merged_claim(struct spb_merged *merged, uint32_t kind, uint32_t of, uint32_t id);
uint32_t spb_merged_claim_name(struct spb_merged *merged, uint32_t kind, const char *name, uint32_t id);
uint32_t spb_merged_settle_string(struct spb_merged *merged, const struct spb_module *m, spb_at at, uint32_t id);
/* A type or constant that has no decorations, of operands without the result: found, or made. */
uint32_t spb_merged_global(struct spb_merged *merged, uint32_t op, const uint32_t *operands, uint32_t count);
/* A name or decoration of the id, and not what has the id as an operand. */
bool spb_is_note_of(const struct spb_module *m, struct spb_use note);

/* merge_globals.c */

struct spb_merge spb_merge_begin(struct spb_merged *merged, const struct spb_module *from);
/* What the body of a function needs, and of what that is made; `called`: the function itself, too. */
void spb_merge_need(struct spb_merge *g, uint32_t function, bool called);
/* What all that is needed is in the target; globals and the preamble go there. Functions have their ids, no more. */
void spb_merge_globals(struct spb_merge *g);
/* Of a type: its id in the target as it is; 0: the target has none. */
uint32_t spb_merge_find_type(struct spb_merge *g, uint32_t type);
uint32_t spb_merge_id(const struct spb_merge *g, spb_at at, uint32_t id); /* throws if it is not known */
/* The operands of an instruction, ids mapped, its result in place; in scratch. */
uint32_t *spb_merge_operands(const struct spb_merge *g, spb_at at, uint32_t result);
/* Names and decorations of an id become those of another. */
void spb_merge_notes(const struct spb_merge *g, uint32_t id, uint32_t to);
bool spb_merge_skips(const struct spb_module *m, spb_at at); /* of a function: debug information that is left out */

/* merge_variables.c */

/* From now on the target has the variable `id`, which is that of m at `at`, of a type of the target. */
void spb_merged_add_variable(struct spb_merged *merged, const struct spb_module *m, spb_at at, uint32_t id,
			     uint32_t type);
/* Which variable of the target the one of the source is; 0: a new one. Throws if it cannot be merged. */
uint32_t spb_merge_find_variable(const struct spb_merge *g, spb_at at);
/* The set and the binding that the source gives are those of the target's variable. Throws if that has others. */
void spb_merge_place(const struct spb_merge *g, spb_at at, uint32_t to);

/* merge_functions.c */

void spb_merge_functions(struct spb_merge *g); /* those that are called */
/* One more copy of a function, that takes the values of its parameters where it took pointers to Function variables. */
uint32_t spb_merge_function_of_values(struct spb_merge *g, uint32_t function);

#endif
