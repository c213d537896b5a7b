/* SPDX-License-Identifier: Apache-2.0 */
/* formats: machine-readable messages: JSON Lines, workflow commands of GitHub; and functions that sarif.c uses, too.
 *
 * Names in a module and names of files are not trusted: JSON is written in ASCII, and invalid UTF-8 becomes '?', as in
 * the layout; only a URI keeps every byte. Unknown values are left out. */
#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages/formats.h"

static const char *const findings[] = {"new", "known", "suppressed", "allowed"};

const char *const msg_severity_words[3] = {"error", "warning", "note"};

/* A value for which there is no memory is silently left out. That is recorded here, also by threads, which read
 * layouts, and checked at the end. */
static atomic_bool incomplete;

void *msg_value_memory(size_t size)
{
	void *memory = malloc(size);

	if (!memory)
		incomplete = true;
	return memory;
}

void msg_begin_values(void)
{
	incomplete = false;
	json_set_alloc_funcs(msg_value_memory, free);
}

bool msg_values_are_whole(void)
{
	return !incomplete;
}

/* The number of bytes of the character at p; 0: not valid UTF-8. jansson decides. */
static size_t utf8_length(const char *p)
{
	size_t most = strnlen(p, 4);

	for (size_t n = 1; n <= most; n++) {
		json_t *one = json_stringn(p, n);
		bool fits = one != NULL;
		json_decref(one);
		if (fits)
			return n;
	}
	return 0;
}

json_t *msg_text_value(const char *text)
{
	json_t *json = json_string(text);
	size_t size = strlen(text) + 1;
	char *copy = json ? NULL : msg_value_memory(size);

	if (copy)
		memcpy(copy, text, size);
	for (char *p = copy; p && *p;) {
		size_t length = utf8_length(p);
		if (!length)
			*p = '?'; /* which is read next */
		p += length;
	}
	if (copy)
		json = json_string(copy);
	free(copy);
	return json;
}

json_t *msg_known_value(const char *text)
{
	return *text ? msg_text_value(text) : NULL;
}

json_t *msg_number_value(uint64_t n)
{
	return n ? json_integer((json_int_t)n) : NULL;
}

void msg_set_value(json_t *object, const char *key, json_t *value)
{
	if (value)
		json_object_set_new(object, key, value);
}

json_t *msg_code_value(const spb_message *m)
{
	return m->code ? json_sprintf("SPB%04u", m->code) : NULL;
}

bool msg_has_source(const spb_message *m)
{
	return *m->file && m->line;
}

static void put_line(FILE *to, const json_t *json)
{
	char *line = json ? json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;

	fputs(line ? line : "{\"severity\":\"error\",\"text\":\"out of memory\"}", to);
	fputc('\n', to);
	free(line);
}

static json_t *steps(const spb_message *m)
{
	json_t *list = m->step_count ? json_array() : NULL;

	for (uint32_t i = 0; i < m->step_count; i++) {
		const spb_message_step *from = &m->steps[i];
		json_t *step = json_pack("{s:o}", "text", msg_text_value(from->text));
		msg_set_value(step, "file", msg_known_value(from->file));
		msg_set_value(step, "line", msg_number_value(from->line));
		msg_set_value(step, "column", msg_number_value(from->column));
		msg_set_value(step, "wordOffset", msg_number_value(from->word_offset));
		msg_set_value(step, "id", msg_number_value(from->id));
		msg_set_value(step, "name", msg_known_value(from->name));
		json_array_append_new(list, step);
	}
	return list;
}

void msg_put_json(FILE *to, const spb_message *m)
{
	json_t *json = json_pack("{s:s}", "severity", msg_severity_words[m->severity]);

	msg_set_value(json, "code", msg_code_value(m));
	msg_set_value(json, "module", msg_known_value(m->module));
	msg_set_value(json, "file", msg_known_value(m->file));
	msg_set_value(json, "line", msg_number_value(m->line));
	msg_set_value(json, "column", msg_number_value(m->column));
	msg_set_value(json, "wordOffset", msg_number_value(m->word_offset));
	msg_set_value(json, "op", msg_known_value(m->op));
	msg_set_value(json, "id", msg_number_value(m->id));
	msg_set_value(json, "name", msg_known_value(m->name));
	msg_set_value(json, "function", msg_known_value(m->function));
	msg_set_value(json, "pass", msg_known_value(m->pass));
	msg_set_value(json, "endColumn", msg_number_value(m->end_column));
	msg_set_value(json, "rule", msg_known_value(m->rule));
	msg_set_value(json, "fingerprint", msg_known_value(m->fingerprint));
	msg_set_value(json, "finding", m->finding ? json_string(findings[m->finding]) : NULL);
	msg_set_value(json, "justification", msg_known_value(m->justification));
	msg_set_value(json, "steps", steps(m));
	msg_set_value(json, "text", msg_text_value(m->text));
	put_line(to, json);
	json_decref(json);
}

void msg_put_github(FILE *to, const spb_message *m)
{
	static const char *const commands[] = {"error", "warning", "notice"};
	/* as actions/toolkit escapes them (packages/core/src/command.ts) */
	static const char in_property[] = "%\r\n:,", in_text[] = "%\r\n";
	const char *file = msg_has_source(m) ? m->file : m->module, *separator = " ";

	fprintf(to, "::%s", commands[m->severity]);
	if (*file) {
		fprintf(to, "%sfile=", separator);
		msg_put_escaped(to, file, in_property);
		separator = ",";
		if (m->line)
			fprintf(to, ",line=%u", m->line);
		if (m->line && m->column)
			fprintf(to, ",col=%u", m->column);
	}
	if (m->code)
		fprintf(to, "%stitle=SPB%04u", separator, m->code);
	fputs("::", to);
	msg_put_escaped(to, m->text, in_text);
	fputc('\n', to);
}
