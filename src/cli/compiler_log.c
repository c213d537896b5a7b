/* SPDX-License-Identifier: Apache-2.0 */
/* compiler_log: turns a compiler's messages into ours, with their locations. Only severity, file and line are parsed,
 * never words.
 *
 *     ERROR: FILE:LINE: text      WARNING: text         glslangValidator
 *     FILE:LINE: error: text      FILE: warning: text   glslc
 *
 * Other lines are titles and summaries, unless they continue an error of the whole module. */
#include <stdlib.h>
#include <string.h>

#include "cli/resolvers.h"

static char *copy_of(const char *text, size_t length)
{
	char *copy = calloc(length + 1, 1);

	if (copy)
		memcpy(copy, text, length);
	return copy;
}

struct said {
	spb_severity severity;
	const char *file; /* NULL: no place */
	size_t file_length;
	uint32_t line, column;
	const char *text;
};

/* Reads :LINE: or :LINE:COLUMN: at this colon. Returns the rest, or NULL. */
static const char *read_numbers(const char *at, struct said *s)
{
	uint32_t numbers[2] = {0, 0};

	for (int i = 0; i < 2; i++) {
		const char *digit = at + 1;
		uint32_t n = 0;
		while (*digit >= '0' && *digit <= '9' && n < 100000000)
			n = n * 10 + (uint32_t)(*digit++ - '0');
		if (digit == at + 1 || *digit != ':')
			break;
		numbers[i] = n;
		at = digit;
	}
	s->line = numbers[0];
	s->column = numbers[1];
	return numbers[0] ? at + 1 : NULL;
}

/* Reads FILE:LINE: at the beginning. Returns the rest, or NULL. */
static const char *read_place(const char *line, struct said *s)
{
	for (const char *colon = strchr(line, ':'); colon; colon = strchr(colon + 1, ':')) {
		const char *rest = read_numbers(colon, s);
		if (!rest)
			continue;
		s->file = line;
		s->file_length = (size_t)(colon - line);
		return rest;
	}
	return NULL;
}

static const char *read_severity(const char *text, spb_severity *severity)
{
	static const struct {
		const char *word;
		spb_severity severity;
	} words[] = {{"ERROR: ", SPB_SEVERITY_ERROR},
		     {"WARNING: ", SPB_SEVERITY_WARNING},
		     {"error: ", SPB_SEVERITY_ERROR},
		     {"warning: ", SPB_SEVERITY_WARNING}};

	text += strspn(text, " ");
	for (size_t i = 0; i < SPB_COUNT(words); i++) {
		if (!strncmp(text, words[i].word, strlen(words[i].word))) {
			*severity = words[i].severity;
			return text + strlen(words[i].word);
		}
	}
	return NULL;
}

/* Whether the line has a severity. */
static bool read_line(const char *line, const struct compiler_log *log, struct said *s)
{
	const char *rest = read_severity(line, &s->severity), *text;
	const size_t own = strlen(log->compiled);

	s->file = NULL;
	s->line = s->column = 0;
	if (rest) {
		text = read_place(rest, s);
		s->text = text ? text : rest;
		return true;
	}
	if ((text = read_place(line, s)) && (s->text = read_severity(text, &s->severity)))
		return true;
	s->file = NULL;
	s->line = 0;
	return !strncmp(line, log->compiled, own) && line[own] == ':' &&
	       (s->text = read_severity(line + own + 1, &s->severity)) != NULL;
}

/* Terminates a line of the log, and returns the next one. NULL: it is the last. */
static char *end_line(char *line)
{
	char *end = strchr(line, '\n');

	if (end)
		*end = '\0';
	return end ? end + 1 : NULL;
}

void cli_scan_log(struct compiler_log *log)
{
	struct said s;
	char *copy = copy_of(log->text, strlen(log->text));

	for (char *line = copy, *next; line; line = next) {
		next = end_line(line);
		if (!read_line(line, log, &s))
			continue;
		if (s.severity == SPB_SEVERITY_ERROR)
			log->errors++;
		else
			log->warnings++;
		if (s.severity == SPB_SEVERITY_ERROR && s.line)
			log->placed_errors++;
		if (s.severity != SPB_SEVERITY_ERROR && !s.line)
			log->whole_warnings++;
	}
	free(copy);
}

static void say(const struct compiler_log *log, const struct said *s)
{
	const size_t own = strlen(log->compiled);
	const bool is_own = !s->file || (s->file_length == own && !memcmp(s->file, log->compiled, own));
	const char *begin = s->text + strspn(s->text, " ");
	size_t length = strlen(begin);

	while (length && strchr(" \n\r", begin[length - 1]))
		length--;
	char *text = copy_of(begin, length);
	char *file = is_own ? copy_of(log->path, strlen(log->path)) : copy_of(s->file, s->file_length);
	if (file && text)
		msg_report_compiled(s->severity, file, s->line, s->column, text);
	else
		msg_out_of_memory();
	free(file);
	free(text);
}

/* Errors about the module as a whole only repeat those with a location. */
void cli_report_log(const struct compiler_log *log)
{
	struct said s;

	for (char *line = log->text, *next; line; line = next) {
		next = end_line(line);
		if (!read_line(line, log, &s))
			continue;
		for (; !s.line && next && *next == ' '; next = end_line(next)) /* continued */
			next[-1] = '\n';
		if (s.line || s.severity != SPB_SEVERITY_ERROR || !log->placed_errors)
			say(log, &s);
	}
}

char *cli_plain_log(const struct compiler_log *log)
{
	const size_t own = strlen(log->compiled), other = strlen(log->path);
	size_t count = 0;

	for (const char *at = log->text; (at = strstr(at, log->compiled)); at += own)
		count++;
	char *plain = malloc(strlen(log->text) + count * other + 1), *to = plain;
	for (const char *at = log->text; plain && *at;) {
		const bool is_own = !strncmp(at, log->compiled, own);
		memcpy(to, is_own ? log->path : at, is_own ? other : 1);
		to += is_own ? other : 1;
		at += is_own ? own : 1;
	}
	if (plain)
		*to = '\0';
	return plain;
}
