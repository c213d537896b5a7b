/* SPDX-License-Identifier: Apache-2.0 */
/* lock: the lines of a lock file, for the layout of one program and for a workspace of many (analysis/workspace).
 *
 * In version 1 all lines are about one program. In version 2 each line that has a number says whose it is, its scope:
 * program=NAME for one program and its variants, program=* or program=GLOB for a shared set. */
#ifndef SPB_LOCK_H
#define SPB_LOCK_H

#include "analysis/layout/layout.h"
#include "base/lines.h"

struct spb_lock_entry {
	const char *name;
	uint32_t ordinal; /* index among the entries of this name */
	bool heap, removed, shift, push;
	enum spb_class class;  /* for a shift */
	uint32_t set, binding; /* by: for a shift */
	uint32_t line;
	bool seen;         /* the program has it */
	const char *scope; /* NULL: in version 1 */
	const char *rest;  /* what it says beyond its place, as it is written: " kind=ubo count=2" */
};

struct spb_lock_share { /* share set=1 programs=material.* */
	uint32_t set, line;
	const char *programs; /* "*": all */
};

struct spb_lock {
	uint32_t version; /* 0: there is no lock */
	SPB_LIST(struct spb_lock_entry) entries;
	uint32_t *slot; /* hash -> entry + 1 */
	uint32_t mask;
	struct spb_shifts shifts; /* ascending by set and class; of version 1 */
	SPB_LIST(struct spb_lock_share) shares;
	bool renames; /* it has rename lines, which have been followed */
};

struct spb_lock_name {     /* what identifies a line */
	const char *scope; /* NULL: version 1 */
	const char *name;
	uint32_t ordinal;
	bool heap;
};

/* names: as in struct spb_lines. */
void spb_lock_read(struct spb_lock *lock, struct spb_context *c, const char *name, const char *text,
		   struct spb_arena *arena, struct spb_names *names);
struct spb_lock_entry *spb_lock_find(const struct spb_lock *lock, const struct spb_lock_name *wanted);

/* Writing */

extern const char spb_lock_head[]; /* the comment that a lock file begins with */

/* Quoted if it has to be. */
void spb_lock_put_name(struct spb_text_buffer *text, const char *name);
void spb_lock_put_scope(struct spb_text_buffer *text, const char *scope);
/* " kind=ubo count=2 type=dynamic": what a line says beyond its place. */
void spb_lock_put_rest(struct spb_text_buffer *text, enum spb_descriptor kind, uint32_t count,
		       const struct spb_entry *entry);
/* A line, with its line feed. */
void spb_lock_put_entry(struct spb_text_buffer *text, const struct spb_lock_entry *e);

#endif
