/* SPDX-License-Identifier: Apache-2.0 */
/* lock: the lines of a lock file, for the layout of one program and for a workspace of many (analysis/workspace).
 *
 * A line with a number may have a scope: program=NAME for one program and its variants, program=* or program=GLOB for a
 * shared set. A line without a scope applies to all programs, as in the lock file of a single program. */
#ifndef SPB_LOCK_H
#define SPB_LOCK_H

#include "analysis/layout/layout.h"
#include "base/lines.h"

struct spb_lock_entry {
	const char *name;
	uint32_t ordinal; /* index among the entries of this name */
	bool heap, removed, shift, push;
	enum spb_class class;  /* for a shift */
	uint32_t set, binding; /* for a shift: by= */
	uint32_t count;        /* of descriptors; 0: not said, or unknown */
	uint32_t line;
	bool seen;         /* the program has it */
	const char *scope; /* NULL: all programs */
	const char *rest;  /* the text after its place: " kind=ubo count=2" */
};

#define SPB_SHARED_HEAPS UINT32_MAX /* as the set: share heaps */

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
	struct spb_shifts shifts; /* those without a scope, ascending by set and class */
	SPB_LIST(struct spb_lock_share) shares;
	bool renames; /* it has rename lines, which have been applied */
};

struct spb_lock_name {     /* what identifies a line */
	const char *scope; /* NULL: all programs */
	const char *name;
	uint32_t ordinal;
	bool heap;
};

static inline const char *spb_label_of(const struct spb_lock_entry *e)
{
	return e->scope ? e->scope : "";
}

/* Reports the first malformed line, and fails. names: see struct spb_lines. */
void spb_lock_read(struct spb_lock *lock, struct spb_context *c, const char *name, const char *text,
		   struct spb_arena *arena, struct spb_names *names);
struct spb_lock_entry *spb_lock_find(const struct spb_lock *lock, const struct spb_lock_name *wanted);

/* Writing */

/* Quotes the name if necessary. */
void spb_lock_put_name(struct spb_text_buffer *text, const char *name);
/* Writes what follows the place: " kind=ubo count=2 type=dynamic". */
void spb_lock_put_rest(struct spb_text_buffer *text, enum spb_descriptor kind, uint32_t count,
		       const struct spb_entry *entry);
int spb_by_lock_line(const void *a, const void *b); /* compares pointers to entries by everything but the number */
/* Writes the first lines of a lock file, and the shares of `lock`. A lock that has version 2 keeps it. */
void spb_lock_put_head(struct spb_text_buffer *text, const struct spb_lock *lock, bool names_programs);
/* Sorts the lines, and writes them. Of several for the same resource, only the first is written. */
void spb_lock_put_lines(struct spb_text_buffer *text, struct spb_arena *scratch, const struct spb_lock_entry **lines,
			size_t count);
/* The text of a lock file with these lines and the shares of `lock`. */
const char *spb_lock_write(const struct spb_lock *lock, const struct spb_lock_entry *entries, size_t count,
			   struct spb_arena *scratch, struct spb_arena *keep, size_t *length);

#endif
