/* SPDX-License-Identifier: Apache-2.0 */
/* lines: the syntax of policies, locks and collected facts: words and key=value pairs; # begins a comment. */
#ifndef SPB_LINES_H
#define SPB_LINES_H

#include "base/base.h"

struct spb_lines {
	struct spb_context *c;
	struct spb_arena *keep;  /* arena for what is read */
	struct spb_names *names; /* what has been read before, and is not kept twice; NULL: it is */
	const char *file;        /* for messages */
	const char *at;          /* the rest of the line */
	uint32_t number;         /* of the line, from 1 */
	uint32_t code;           /* of messages, */
	const char *pass;        /* and theirs */
};

struct spb_pair { /* key=value */
	char key[32];
	const char *value;
};

/* Reports a fault in the line and fails with SPB_ERROR_INVALID_ARGUMENT. */
noreturn void spb_line_wrong(const struct spb_lines *r, const char *format, ...);
/* False after the last line. Begin with at = the text, number = 1. */
bool spb_line_next(struct spb_lines *r);
bool spb_line_at_end(struct spb_lines *r);
const char *spb_line_word(struct spb_lines *r);
const char *spb_line_keep(const struct spb_lines *r, const char *text); /* a copy, as words are kept */
struct spb_pair spb_line_pair(struct spb_lines *r);
uint32_t spb_pair_number(const struct spb_lines *r, const struct spb_pair *p);
/* 5, 5..9 or 5.. */
void spb_pair_range(const struct spb_lines *r, const struct spb_pair *p, uint32_t *first, uint32_t *last);
/* A comma-separated list of names, as bits. */
uint32_t spb_pair_bits(const struct spb_lines *r, const struct spb_pair *p, const char *(*name)(uint32_t),
		       uint32_t count);
/* Index of the value in `words` (one after the other, "" at the end). */
unsigned spb_pair_choice(const struct spb_lines *r, const struct spb_pair *p, const char *const *words);
noreturn void spb_pair_unknown(const struct spb_lines *r, const struct spb_pair *p, const char *known);

#endif
