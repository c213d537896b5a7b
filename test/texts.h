/* SPDX-License-Identifier: Apache-2.0 */
/* What tests with tables of texts have in common. After cmocka.h. */
#ifndef SPB_TEST_TEXTS_H
#define SPB_TEST_TEXTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spirv-bind/workspace.h"

enum { LONG = 200000 };

struct text {
	char items[LONG];
	size_t count;
};

static inline void clear(struct text *t)
{
	t->count = 0;
	t->items[0] = 0;
}

static inline void put(struct text *t, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	t->count += (size_t)vsnprintf(t->items + t->count, LONG - t->count, format, arguments);
	va_end(arguments);
	assert_true(t->count < LONG);
}

/* The word at *at, up to a blank or semicolon, behind which *at is then. */
static inline const char *word_of(const char **at, char *word)
{
	size_t length;

	*at += strspn(*at, " ");
	length = strcspn(*at, " ;");
	assert_true(length < 200);
	memcpy(word, *at, length);
	word[length] = 0;
	*at += length;
	return word;
}

static inline void keep_message(void *user, const spb_message *message)
{
	struct text *said = user;

	put(said, "%c %s", "!?."[message->severity], message -> module);
	if (message->line)
		put(said, ":%u", message->line);
	put(said, ": %s\n", message->text);
}

static inline void expect(const char *got, const char *expected, const char *what)
{
	if (strcmp(got, expected) != 0)
		fail_msg("%s\n got      %s\n expected %s", what, got, expected);
}

#endif
