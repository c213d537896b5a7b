/* SPDX-License-Identifier: Apache-2.0 */
/* merge: copies functions of one module into another, with everything they need. Independent of handles. */
#ifndef SPB_MERGE_H
#define SPB_MERGE_H

#include "pass/resolver/resolver.h"

struct spb_merged; /* globals of the target, by signature */

struct spb_merge {
	struct spb_merged *merged;
	struct spb_unit *u;            /* the target, with an open edit */
	const struct spb_module *from; /* the source: another module, or the target itself */
	uint32_t *map;                 /* [from->bound] id -> id in the target; 0: unknown so far */
	uint32_t *needed;              /* bits over ids of `from`: needed globals and functions */
	SPB_LIST(uint32_t) functions;  /* functions that are called */
	SPB_LIST(uint32_t) noted;      /* ids of new globals whose names and decorations are still to be copied */
};

/* merge_ids.c */

#define SPB_MERGED_NEW UINT32_MAX /* as `id`: a new one, if needed */

struct spb_merged *spb_merged_begin(struct spb_unit *u); /* shared by all merges of an edit */
struct spb_unit *spb_merged_unit(const struct spb_merged *merged);
/* The id in the target with the signature of an instruction of m, whose ids `map` maps (NULL: m is the target). If
 * there is none, `id` gets this signature, unless it is 0. */
uint32_t spb_merged_settle(struct spb_merged *merged, const struct spb_module *m, const uint32_t *map, spb_at at,
			   uint32_t id);
/* Looks up a number or name of a thing, or the thing with that number or name. If there is none, it becomes `id`,
 * unless that is 0. */
uint32_t spb_merged_claim(struct spb_merged *merged, uint32_t kind, uint32_t of, uint32_t id);
uint32_t spb_merged_claim_name(struct spb_merged *merged, uint32_t kind, const char *name, uint32_t id);
uint32_t spb_merged_settle_string(struct spb_merged *merged, const struct spb_module *m, spb_at at, uint32_t id);
/* Finds or creates a type or constant without decorations, from its operands without the result. */
uint32_t spb_merged_global(struct spb_merged *merged, uint32_t op, const uint32_t *operands, uint32_t count);
uint32_t spb_merge_id(const struct spb_merge *g, spb_at at, uint32_t id); /* fails if the id is unknown */
/* Is this a name or decoration of the id, rather than one that has the id as an operand? */
bool spb_is_note_of(const struct spb_module *m, struct spb_use note);

/* merge_globals.c */

struct spb_merge spb_merge_begin(struct spb_merged *merged, const struct spb_module *from);
/* Collects what the body of a function needs, transitively; `called`: including the function itself. */
void spb_merge_need(struct spb_merge *g, uint32_t function, bool called);
/* Copies everything needed to the target unless it is already there: globals and the preamble. Functions only get
 * their ids. */
void spb_merge_globals(struct spb_merge *g);
/* The id of the same type in the target; 0 if the target does not have it. */
uint32_t spb_merge_find_type(struct spb_merge *g, uint32_t type);
/* The operands of an instruction with mapped ids; in scratch. */
uint32_t *spb_merge_operands(const struct spb_merge *g, spb_at at);
/* Copies names and decorations of an id to another. */
void spb_merge_notes(const struct spb_merge *g, uint32_t id, uint32_t to);
bool spb_merge_skips(const struct spb_module *m, spb_at at); /* debug information in a function that is not copied */

/* merge_variables.c */

void spb_merged_add_own_variables(struct spb_merged *merged); /* those that the target has: after spb_merged_begin */
/* Registers the variable `id` of the target as the one of m at `at`, with a type of the target. */
void spb_merged_add_variable(struct spb_merged *merged, const struct spb_module *m, spb_at at, uint32_t id,
			     uint32_t type);
/* The variable of the target that corresponds to one of the source; 0: a new one. Fails if it cannot be merged. */
uint32_t spb_merge_find_variable(const struct spb_merge *g, spb_at at);
/* Applies the set and binding from the source to the target's variable. Fails if that has others. */
void spb_merge_place(const struct spb_merge *g, spb_at at, uint32_t to);

/* merge_functions.c */

void spb_merge_functions(struct spb_merge *g); /* those that are called */
/* Adds a copy of a function that takes values in place of pointers to Function variables. */
uint32_t spb_merge_function_of_values(struct spb_merge *g, uint32_t function);

#endif
