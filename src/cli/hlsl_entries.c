/* SPDX-License-Identifier: Apache-2.0 */
/* hlsl_entries: finds possible entry points in an HLSL file, for the message about a missing one; writes a main for a
 * resolver; and checks whether a compiler has written a shader that does nothing. */
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/resolvers.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t word_length(const char *at)
{
	size_t length = 0;

	while (is_letter(at[length]) || (length && at[length] >= '0' && at[length] <= '9'))
		length++;
	return length;
}

static const char *skip_spaces(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

/* Replaces comments, strings and preprocessor lines by spaces. */
static void blank(char *text)
{
	static const struct {
		const char *begin, *end;
	} skipped[] = {{"//", "\n"}, {"/*", "*/"}, {"\"", "\""}, {"#", "\n"}};

	for (char *at = text; *at; at++) {
		for (size_t i = 0; i < SPB_COUNT(skipped); i++) {
			if (strncmp(at, skipped[i].begin, strlen(skipped[i].begin)) != 0)
				continue;
			const char *end = strstr(at + strlen(skipped[i].begin), skipped[i].end);
			size_t length = end ? (size_t)(end - at) + strlen(skipped[i].end) : strlen(at);
			memset(at, ' ', length);
			at += length - 1;
			break;
		}
	}
}

/* The next word before a parenthesis, and the number of open braces there. NULL: none. */
static const char *next_call(const char *at, unsigned *depth, size_t *length)
{
	for (; *at; at += *length ? *length : 1) {
		*length = word_length(at);
		*depth += *at == '{';
		*depth -= *at == '}' && *depth;
		if (*length && *skip_spaces(at + *length) == '(')
			return at;
	}
	return NULL;
}

/* NAME(...) : SEMANTIC { */
static bool is_definition(const char *at, size_t length)
{
	unsigned open = 0;

	for (at = skip_spaces(at + length); *at; at++) {
		open += *at == '(';
		if (*at == ')' && !--open)
			break;
	}
	at = *at ? skip_spaces(at + 1) : at;
	if (*at == ':') {
		at = skip_spaces(at + 1);
		at = skip_spaces(at + word_length(at));
	}
	return *at == '{';
}

/* Words are compared up to their ends. */
static int by_word(const void *left, const void *right)
{
	const char *a = *(const char *const *)left, *b = *(const char *const *)right;
	size_t length = word_length(a), other = word_length(b);
	int order = strncmp(a, b, length < other ? length : other);

	return order ? order : (length > other) - (length < other);
}

/* The calls in function bodies, sorted. `calls` has room for all; returns how many there are. */
static size_t sort_calls(const char *text, const char **calls)
{
	unsigned depth = 0;
	size_t count = 0, length;

	for (const char *at = text; (at = next_call(at, &depth, &length)); at += length) {
		if (depth)
			calls[count++] = at;
	}
	qsort(calls, count, sizeof *calls, by_word);
	return count;
}

char *cli_list_functions(const char *text)
{
	enum { MOST = 8 };
	size_t length, room = strlen(text) + 3 * MOST;
	char *copy = malloc(room), *list = calloc(room, 1);
	const char **calls = malloc(room * sizeof *calls);
	unsigned depth = 0, found = 0;

	if (copy && list && calls) {
		strcpy(copy, text);
		blank(copy);
		size_t count = sort_calls(copy, calls);
		for (const char *at = copy; found < MOST && (at = next_call(at, &depth, &length)); at += length) {
			if (depth || !is_definition(at, length) || bsearch(&at, calls, count, sizeof *calls, by_word))
				continue;
			strcat(list, found++ ? ", " : "");
			strncat(list, at, length);
		}
	}
	const bool failed = !copy || !calls;
	free(copy);
	free(calls);
	if (failed) {
		free(list);
		list = NULL;
	}
	return list;
}

/* The number of parameters after the parenthesis: 2 for (uint2 handle, uint kind). */
static unsigned count_parameters(const char *at)
{
	unsigned count = 1;

	for (; *at && *at != ')'; at++)
		count += *at == ',';
	return count;
}

char *cli_call_resolvers(const char *text)
{
	static const char head[] = "[numthreads(1, 1, 1)] void main() {", first[] = "(uint2(0, 0)", more[] = ", 0";
	static const char *const names[] = {"getDescriptor", "getDeviceAddressFromHandle"};
	size_t length, room = sizeof head + sizeof "}" + strlen(text) * sizeof first;
	char *copy = malloc(strlen(text) + 1), *main = calloc(room, 1), *to = main;
	unsigned depth = 0;

	if (!copy || !main) {
		free(copy);
		free(main);
		return NULL;
	}
	strcpy(copy, text);
	blank(copy);
	to += sprintf(to, "%s", head);
	for (const char *at = copy; (at = next_call(at, &depth, &length)); at += length) {
		if (depth || !is_definition(at, length) ||
		    (strncmp(at, names[0], strlen(names[0])) != 0 && strncmp(at, names[1], strlen(names[1])) != 0))
			continue;
		to += sprintf(to, " %.*s%s", (int)length, at, first);
		for (unsigned i = 1, count = count_parameters(skip_spaces(at + length)); i < count; i++)
			to += sprintf(to, "%s", more);
		to += sprintf(to, ");");
	}
	sprintf(to, " }");
	free(copy);
	return main;
}

bool cli_is_empty_shader(const uint32_t *words, size_t count)
{
	uint32_t entry = 0;
	bool inside = false;

	for (size_t at = 5, length; at < count; at += length) {
		const uint32_t op = words[at] & 0xFFFF;
		length = words[at] >> 16;
		if (!length || length > count - at)
			return false;
		if (op == SpvOpEntryPoint && length > 2)
			entry = words[at + 2];
		else if (op == SpvOpFunction && length > 2)
			inside = words[at + 2] == entry;
		else if (inside && op == SpvOpReturn)
			return true;
		else if (inside && op != SpvOpLabel && op != SpvOpLine && op != SpvOpNoLine)
			return false;
	}
	return false;
}
