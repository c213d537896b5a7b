/* SPDX-License-Identifier: Apache-2.0 */
/* Rows: an input, and what is right. rows.c reads them; each folder of test/rows has a kind, which answers them. */
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
/* The word at *at, up to a blank or the end of the line, or in single quotes; *at is then behind it. False: there is no
 * other. */
bool next_word(const char **at, char *word, size_t size);

enum { MOST_PARTS = 20 };

struct row {
	const char *file;
	unsigned line; /* of its first part */
	char title[200];
	struct text parts[MOST_PARTS];
};

/* What a folder of rows has. */
struct rows_kind {
	const char *folder;
	const char *const *parts; /* their names, the first is options; ends with NULL */
	const char *right;        /* the part that says what is right; NULL: comments in the others do */
	void (*answer)(const struct row *row, struct text *got);
};

extern const struct rows_kind rows_of_conditions, rows_of_constants, rows_of_layout, rows_of_loops, rows_of_merging,
    rows_of_passes, rows_of_places, rows_of_resolvers, rows_of_uniformity, rows_of_usage, rows_of_workspace;

/* Says that the row went wrong, and where. */
void wrong(const struct row *row, const char *format, ...);
/* Ends the program: the row cannot be read. */
_Noreturn void unreadable(const struct row *row, const char *format, ...);

/* `%12 "name"` becomes "name", whatever its number. */
void put_message_text(struct text *to, const char *text);
/* OpName for each id that a line of `text` defines: its own. */
void put_names(struct text *to, const char *text);
struct words {
	uint32_t *items; /* to be freed by the caller */
	size_t count;
};

/* `version`: 0 for that of the assembler. */
struct words assembled(const struct row *row, const char *text, uint32_t version);
/* Is it, by spirv-val? */
void check_valid(const struct row *row, const struct words *words);
void put_disassembled(struct text *to, const uint32_t *words, size_t count);
/* Parses words, which end_module() frees. */
void begin_module(const struct row *row, struct spb_module *m, struct words words);
void end_module(struct spb_module *m, struct words words);
/* `! SPB4003 m0 "b": text` */
void put_message(struct text *to, const spb_message *message);
/* Runs the passes that the options name, by the plug-in. False: it says why not. `resolver`: without items, none. */
bool run_passes(const struct row *row, const char *options, struct words module, struct words resolver,
		void (*hear)(void *user, const spb_message *message), void *user, struct words *made);
/* Whether what ran has thrown. */
bool throws(spb_context *context, void (*run)(void *), void *argument);

#endif
