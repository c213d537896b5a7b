/* SPDX-License-Identifier: Apache-2.0 */
/* lines: the syntax of policies, locks and collected facts: words and key=value pairs; # begins a comment. */
#ifndef SPB_LINES_H
#define SPB_LINES_H

#include "base/base.h"

struct spb_lines {
	struct spb_context *c;
	struct spb_arena *keep;  /* arena for the results */
	struct spb_names *names; /* interns the results; NULL: they are copied */
	const char *file;        /* for messages */
	const char *at;          /* the rest of the line */
	uint32_t number;         /* from 1 */
	uint32_t code;           /* of messages */
	const char *pass;        /* of messages */
};

struct spb_pair { /* key=value */
	char key[32];
	const char *value;
};

/* Reports an error in the line and fails with SPB_ERROR_INVALID_ARGUMENT. */
noreturn void spb_line_wrong(const struct spb_lines *r, const char *format, ...);
/* Returns false after the last line. Start with at = the text, number = 1. */
bool spb_line_next(struct spb_lines *r);
bool spb_line_at_end(struct spb_lines *r);
const char *spb_line_word(struct spb_lines *r);
bool spb_line_skip(struct spb_lines *r, const char *word);              /* if it comes next */
const char *spb_line_keep(const struct spb_lines *r, const char *text); /* a copy that lives as long as words do */
struct spb_pair spb_line_pair(struct spb_lines *r);
uint32_t spb_pair_number(const struct spb_lines *r, const struct spb_pair *p);
/* A range: 5, 5..9 or 5.. */
void spb_pair_range(const struct spb_lines *r, const struct spb_pair *p, uint32_t *first, uint32_t *last);
/* A comma-separated list of names, as bits. */
uint32_t spb_pair_bits(const struct spb_lines *r, const struct spb_pair *p, const char *(*name)(uint32_t),
		       uint32_t count);
/* Likewise, for keys that take one name: its index. */
uint32_t spb_pair_name(const struct spb_lines *r, const struct spb_pair *p, const char *(*name)(uint32_t),
		       uint32_t count);
/* Index of the value in `words`, which ends in "". */
unsigned spb_pair_choice(const struct spb_lines *r, const struct spb_pair *p, const char *const *words);
noreturn void spb_pair_unknown(const struct spb_lines *r, const struct spb_pair *p, const char *known);

#endif
