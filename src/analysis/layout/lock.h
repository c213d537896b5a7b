/* SPDX-License-Identifier: Apache-2.0 */
/* lock: the lines of a lock file, for the layout of one program and for a workspace of many (analysis/workspace).
 *
 * A line that has a number may say whose it is, its scope: program=NAME for one program and its variants, program=* or
 * program=GLOB for a shared set. One that does not is about all programs, as in the lock of one. */
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
	const char *scope; /* NULL: all programs */
	const char *rest;  /* what it says beyond its place, as it is written: " kind=ubo count=2" */
};

struct spb_lock_share { /* share set=1 programs=material.* */
	uint32_t set, line;
	const char *programs; /* "*": all */
};

struct spb_lock {
	uint32_t version; /* 0: there is no lock */
	bool names_programs;
	SPB_LIST(struct spb_lock_entry) entries;
	uint32_t *slot; /* hash -> entry + 1 */
	uint32_t mask;
	struct spb_shifts shifts; /* of all programs, ascending by set and class */
	SPB_LIST(struct spb_lock_share) shares;
	bool renames; /* it has rename lines, which have been followed */
};

struct spb_lock_name {     /* what identifies a line */
	const char *scope; /* NULL: the line of all programs */
	const char *name;
	uint32_t ordinal;
	bool heap;
};

static inline const char *spb_label_of(const struct spb_lock_entry *e)
{
	return e->scope ? e->scope : "";
}

/* names: as in struct spb_lines. */
void spb_lock_read(struct spb_lock *lock, struct spb_context *c, const char *name, const char *text,
		   struct spb_arena *arena, struct spb_names *names);
struct spb_lock_entry *spb_lock_find(const struct spb_lock *lock, const struct spb_lock_name *wanted);

/* Writing */

/* Quoted if it has to be. */
void spb_lock_put_name(struct spb_text_buffer *text, const char *name);
/* " kind=ubo count=2 type=dynamic": what a line says beyond its place. */
void spb_lock_put_rest(struct spb_text_buffer *text, enum spb_descriptor kind, uint32_t count,
		       const struct spb_entry *entry);
int spb_by_lock_line(const void *a, const void *b); /* of two pointers: scope and name, not the number */
/* What a lock begins with, and the shares of this one. `lock` may have version 2 already. */
void spb_lock_put_head(struct spb_text_buffer *text, const struct spb_lock *lock, bool names_programs);
/* Sorts the lines, and writes those that are not about the same. */
void spb_lock_put_lines(struct spb_text_buffer *text, struct spb_arena *scratch, const struct spb_lock_entry **lines,
			size_t count);
/* A whole lock of these lines, with the shares of `lock`. */
const char *spb_lock_write(const struct spb_lock *lock, const struct spb_lock_entry *entries, size_t count,
			   struct spb_arena *scratch, struct spb_arena *keep, size_t *length);

#endif
