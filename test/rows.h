/* SPDX-License-Identifier: Apache-2.0 */
/* Rows: an input, and the right answer. rows.c reads them; each folder of test/rows has a kind, which computes
 * answers. */
#ifndef SPB_TEST_ROWS_H
#define SPB_TEST_ROWS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ir.h"
#include "spirv-bind/plugin.h"

/* A growing string, never NULL after clear(). */
struct text {
	char *items;
	size_t count, room;
};

void clear(struct text *t);
void put(struct text *t, const char *format, ...);

const char *next_line(const char *at);
int length_of_line(const char *at);
/* The word at *at, up to a blank or the end of the line, or in single quotes; *at is advanced past it. False: there is
 * no other. */
bool next_word(const char **at, char *word, size_t size);

enum { MOST_PARTS = 20 };

struct row {
	const char *file;
	unsigned line; /* of its first part */
	char title[200];
	struct text parts[MOST_PARTS];
};

/* The kind of rows in a folder. */
struct rows_kind {
	const char *folder;
	const char *const *parts; /* their names, the first is options; ends with NULL */
	const char *right;        /* the part with the right answer; NULL: comments in the others have it */
	void (*answer)(const struct row *row, struct text *got);
};

extern const struct rows_kind rows_of_conditions, rows_of_constants, rows_of_layout, rows_of_loops, rows_of_merging,
    rows_of_passes, rows_of_places, rows_of_resolvers, rows_of_uniformity, rows_of_usage, rows_of_workspace;

/* Reports that the row failed, and where. */
void wrong(const struct row *row, const char *format, ...);
/* Ends the program: the row cannot be read. */
_Noreturn void unreadable(const struct row *row, const char *format, ...);

/* Replaces `%12 "name"` by "name", whatever the number. */
void put_message_text(struct text *to, const char *text);
/* Adds an OpName for each id that a line of `text` defines. */
void put_names(struct text *to, const char *text);
struct words {
	uint32_t *items; /* to be freed by the caller */
	size_t count;
};

/* `version`: 0 for that of the assembler. */
struct words assembled(const struct row *row, const char *text, uint32_t version);
/* Validates it with spirv-val. */
void check_valid(const struct row *row, const struct words *words);
void put_disassembled(struct text *to, const uint32_t *words, size_t count);
/* Parses words, which end_module() frees. */
void begin_module(const struct row *row, struct spb_module *m, struct words words);
void end_module(struct spb_module *m, struct words words);
/* `! SPB4003 m0 "b": text` */
void put_message(struct text *to, const spb_message *message);
/* Runs the passes that the options name, by the plug-in. False, after reporting why. `resolver`: empty if there is
 * none. */
bool run_passes(const struct row *row, const char *options, struct words module, struct words resolver,
		void (*hear)(void *user, const spb_message *message), void *user, struct words *made);
/* Whether the function has thrown. */
bool throws(spb_context *context, void (*run)(void *), void *argument);

#endif
