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

/* A source is named as its compiler found it, which may have run in the folder of the module or in another place. */
static struct msg_place place_of(const char *module, const char *file, uint32_t line, uint32_t column, uint32_t word)
{
	const bool known = *file && line;

	if (known && (os_is_there(file) || !strcmp(file, module)))
		return (struct msg_place){.file = file, .line = line, .column = column};
	return (struct msg_place){.file = module, .line = *file ? 0 : line, .word = word, .is_gone = known};
}

struct msg_place msg_place_of(const spb_message *m)
{
	struct msg_place place = place_of(m->module, m->file, m->line, m->column, m->word_offset);

	place.end_column = place.column ? m->end_column : 0;
	return place;
}

struct msg_place msg_place_of_note(const spb_message *m, const spb_message_note *n)
{
	return place_of(*n->module ? n->module : m->module, n->file, *n->file ? n->line : 0, n->column, n->word_offset);
}

/* "lit.frag:12:9"; NULL: it is the place, or there is none. */
static json_t *source_that_is_gone(struct msg_place place, const char *file, uint32_t line, uint32_t column)
{
	json_t *json = NULL, *name;

	if (!place.is_gone || !(name = msg_text_value(file)))
		return NULL;
	json = column ? json_sprintf("%s:%u:%u", json_string_value(name), line, column)
		      : json_sprintf("%s:%u", json_string_value(name), line);
	json_decref(name);
	return json;
}

static void put_line(FILE *to, const json_t *json)
{
	char *line = json ? json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;

	fputs(line ? line : "{\"severity\":\"error\",\"text\":\"out of memory\"}", to);
	fputc('\n', to);
	free(line);
}

/* For a place that is the module, the line of text files that are not: policies and locks. */
static void set_place(json_t *json, struct msg_place place, const char *file, uint32_t line, uint32_t column)
{
	const bool is_source = place.line && !strcmp(place.file, file);

	msg_set_value(json, "file", is_source ? msg_known_value(file) : NULL);
	msg_set_value(json, "line", msg_number_value(place.line));
	msg_set_value(json, "column", msg_number_value(place.column));
	msg_set_value(json, "source", source_that_is_gone(place, file, line, column));
}

static json_t *notes(const spb_message *m)
{
	json_t *list = m->note_count ? json_array() : NULL;

	for (uint32_t i = 0; i < m->note_count; i++) {
		const spb_message_note *from = &m->notes[i];
		json_t *note = json_pack("{s:o}", "text", msg_text_value(from->text));
		msg_set_value(note, "module",
			      strcmp(from->module, m->module) != 0 ? msg_known_value(from->module) : NULL);
		set_place(note, msg_place_of_note(m, from), from->file, from->line, from->column);
		msg_set_value(note, "wordOffset", msg_number_value(from->word_offset));
		msg_set_value(note, "id", msg_number_value(from->id));
		msg_set_value(note, "name", msg_known_value(from->name));
		json_array_append_new(list, note);
	}
	return list;
}

void msg_put_json(FILE *to, const spb_message *m)
{
	json_t *json = json_pack("{s:s}", "severity", msg_severity_words[m->severity]);
	const struct msg_place place = msg_place_of(m);

	msg_set_value(json, "code", msg_code_value(m));
	msg_set_value(json, "module", msg_known_value(m->module));
	set_place(json, place, m->file, m->line, m->column);
	msg_set_value(json, "wordOffset", msg_number_value(m->word_offset));
	msg_set_value(json, "op", msg_known_value(m->op));
	msg_set_value(json, "id", msg_number_value(m->id));
	msg_set_value(json, "name", msg_known_value(m->name));
	msg_set_value(json, "function", msg_known_value(m->function));
	msg_set_value(json, "pass", msg_known_value(m->pass));
	msg_set_value(json, "endColumn", msg_number_value(place.end_column));
	msg_set_value(json, "rule", msg_known_value(m->rule));
	msg_set_value(json, "fingerprint", msg_known_value(m->fingerprint));
	msg_set_value(json, "finding", m->finding ? json_string(findings[m->finding]) : NULL);
	msg_set_value(json, "justification", msg_known_value(m->justification));
	msg_set_value(json, "text", msg_text_value(m->text));
	msg_set_value(json, "notes", notes(m));
	msg_set_value(json, "remedy", msg_known_value(m->remedy));
	put_line(to, json);
	json_decref(json);
}

void msg_put_github(FILE *to, const spb_message *m)
{
	static const char *const commands[] = {"error", "warning", "notice"};
	/* as actions/toolkit escapes them (packages/core/src/command.ts) */
	static const char in_property[] = "%\r\n:,", in_text[] = "%\r\n";
	const struct msg_place place = msg_place_of(m);
	const char *separator = " ";

	fprintf(to, "::%s", commands[m->severity]);
	if (*place.file) {
		fprintf(to, "%sfile=", separator);
		msg_put_escaped(to, place.file, in_property);
		separator = ",";
		if (place.line)
			fprintf(to, ",line=%u", place.line);
		if (place.column)
			fprintf(to, ",col=%u", place.column);
	}
	if (m->code)
		fprintf(to, "%stitle=SPB%04u", separator, m->code);
	fputs("::", to);
	msg_put_escaped(to, m->text, in_text);
	if (*m->remedy) {
		fputs("%0A", to);
		msg_put_escaped(to, m->remedy, in_text);
	}
	fputc('\n', to);
}
