/* SPDX-License-Identifier: Apache-2.0 */
/* formats: messages for programs: JSON Lines, a SARIF 2.1.0 log, workflow commands of GitHub.
 *
 * Names in a module and names of files are not trusted: a line of JSON is ASCII, whatever they hold, and what is no
 * UTF-8 becomes '?', as in the layout; only a URI keeps every byte. What is not known is left out. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const char *const severities[] = {"error", "warning", "note"};

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

/* NULL: out of memory. */
static json_t *string(const char *text)
{
	json_t *json = json_string(text);
	char *copy = json ? NULL : strdup(text);

	for (char *p = copy; p && *p;) {
		size_t length = utf8_length(p);
		if (!length)
			*p = '?';
		p += length ? length : 1;
	}
	if (copy)
		json = json_string(copy);
	free(copy);
	return json;
}

static json_t *known(const char *text)
{
	return *text ? string(text) : NULL;
}

static json_t *number(uint64_t n)
{
	return n ? json_integer((json_int_t)n) : NULL;
}

static void set(json_t *object, const char *key, json_t *value)
{
	if (value)
		json_object_set_new(object, key, value);
}

static json_t *code(const spb_message *m)
{
	return m->code ? json_sprintf("SPB%04u", m->code) : NULL;
}

static bool has_source(const spb_message *m)
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

void put_json_message(FILE *to, const spb_message *m)
{
	json_t *json = json_pack("{s:s}", "severity", severities[m->severity]);

	set(json, "code", code(m));
	set(json, "module", known(m->module));
	set(json, "file", known(m->file));
	set(json, "line", number(m->line));
	set(json, "column", number(m->column));
	set(json, "wordOffset", number(m->word_offset));
	set(json, "op", known(m->op));
	set(json, "id", number(m->id));
	set(json, "name", known(m->name));
	set(json, "function", known(m->function));
	set(json, "pass", known(m->pass));
	set(json, "text", string(m->text));
	put_line(to, json);
	json_decref(json);
}

void put_github_message(FILE *to, const spb_message *m)
{
	static const char *const commands[] = {"error", "warning", "notice"};
	/* as actions/toolkit escapes them (packages/core/src/command.ts) */
	static const char in_property[] = "%\r\n:,", in_text[] = "%\r\n";
	const char *file = has_source(m) ? m->file : m->module, *separator = " ";

	fprintf(to, "::%s", commands[m->severity]);
	if (*file) {
		fprintf(to, "%sfile=", separator);
		put_escaped(to, file, in_property);
		separator = ",";
		if (m->line)
			fprintf(to, ",line=%u", m->line);
		if (m->line && m->column)
			fprintf(to, ",col=%u", m->column);
	}
	if (m->code)
		fprintf(to, "%stitle=SPB%04u", separator, m->code);
	fputs("::", to);
	put_escaped(to, m->text, in_text);
	fputc('\n', to);
}

/* SARIF 3.11.5: braces are placeholders unless they are doubled. */
static json_t *sarif_text(const char *text)
{
	char *doubled = malloc(2 * strlen(text) + 1), *to = doubled;
	json_t *json;

	if (!doubled)
		return NULL;
	for (; *text; text++) {
		if (*text == '{' || *text == '}')
			*to++ = *text;
		*to++ = *text;
	}
	*to = '\0';
	json = string(doubled);
	free(doubled);
	return json_pack("{s:o}", "text", json);
}

/* RFC 3986: everything but what is unreserved and the slash becomes %XX, so that the path may start with anything. */
static json_t *uri(const char *path)
{
	static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
	const char *scheme = *path == '/' ? "file://" : "";
	char *text = malloc(strlen(scheme) + 3 * strlen(path) + 1), *to = text;
	json_t *json;

	if (!text)
		return NULL;
	for (to += sprintf(to, "%s", scheme); *path; path++) {
		if (strchr(unreserved, *path))
			*to++ = *path;
		else
			to += sprintf(to, "%%%02X", (unsigned)(unsigned char)*path);
	}
	*to = '\0';
	json = json_string(text);
	free(text);
	return json;
}

/* A line of the source, of a policy or of a lock file, or else the bytes of the module. */
static json_t *region(const spb_message *m)
{
	if (m->line)
		return json_pack("{s:o, s:o*}", "startLine", number(m->line), "startColumn", number(m->column));
	if (m->word_offset)
		return json_pack("{s:o}", "byteOffset", number((uint64_t)m->word_offset * 4));
	return NULL;
}

static json_t *locations(const spb_message *m)
{
	const char *file = has_source(m) ? m->file : m->module;
	json_t *physical = NULL, *logical = NULL;

	if (*file)
		physical = json_pack("{s:{s:o}, s:o*}", "artifactLocation", "uri", uri(file), "region", region(m));
	if (*m->function)
		logical = json_pack("[{s:o, s:o, s:s}]", "name", string(m->function), "fullyQualifiedName",
				    string(m->function), "kind", "function");
	if (!physical && !logical)
		return NULL;
	return json_pack("[{s:o*, s:o*}]", "physicalLocation", physical, "logicalLocations", logical);
}

/* The place of the rule in the list; SIZE_MAX: out of memory. */
static size_t find_rule(struct sarif *s, const char *id)
{
	size_t count = json_array_size(s->rules);

	for (size_t i = 0; i < count; i++) {
		if (!strcmp(json_string_value(json_object_get(json_array_get(s->rules, i), "id")), id))
			return i;
	}
	return json_array_append_new(s->rules, json_pack("{s:s}", "id", id)) ? SIZE_MAX : count;
}

/* A rule is a message code, or the option of the command that found the difference. */
static bool add_result(struct sarif *s, const spb_message *m)
{
	json_t *id = m->code ? code(m) : string(m->pass), *properties, *json;
	size_t rule = id ? find_rule(s, json_string_value(id)) : SIZE_MAX;

	if (rule == SIZE_MAX) {
		json_decref(id);
		return false;
	}
	properties = json_object();
	set(properties, "module", known(m->module));
	set(properties, "wordOffset", number(m->word_offset));
	set(properties, "op", known(m->op));
	set(properties, "id", number(m->id));
	set(properties, "name", known(m->name));
	set(properties, "pass", known(m->pass));
	json = json_pack("{s:o, s:i, s:s, s:o}", "ruleId", id, "ruleIndex", (int)rule, "level", severities[m->severity],
			 "message", sarif_text(m->text));
	set(json, "locations", locations(m));
	set(json, "properties", properties);
	return !json_array_append_new(s->results, json);
}

void begin_sarif(struct sarif *s)
{
	*s = (struct sarif){.rules = json_array(), .results = json_array(), .notifications = json_array()};
}

/* A message with neither a code nor a pass is not about a module but about the run: a file cannot be read, say. */
void add_sarif_message(struct sarif *s, const spb_message *m)
{
	if (m->code || *m->pass) {
		s->incomplete |= !add_result(s, m);
		return;
	}
	s->failed |= m->severity == SPB_SEVERITY_ERROR;
	s->incomplete |=
	    json_array_append_new(s->notifications, json_pack("{s:s, s:o}", "level", severities[m->severity], "message",
							      sarif_text(m->text))) != 0;
}

void end_sarif(struct sarif *s, FILE *to, int status)
{
	static const char none[] = "{\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"spirv-bind\"}},"
				   "\"invocations\":[{\"executionSuccessful\":false,\"toolExecutionNotifications\":[{"
				   "\"level\":\"error\",\"message\":{\"text\":\"out of memory\"}}]}],\"results\":[]}]}";
	uint32_t v = spb_version();
	json_t *version = json_sprintf("%u.%u.%u", v >> 16, v >> 8 & 0xFF, v & 0xFF), *log;
	char *text = NULL;

	log = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:o, s:o}}, s:[{s:b, s:i, s:o}], s:o}]}", "$schema",
			"https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs", "tool", "driver",
			"name", "spirv-bind", "version", version, "rules", s->rules, "invocations",
			"executionSuccessful", !s->failed, "exitCode", status, "toolExecutionNotifications",
			s->notifications, "results", s->results);
	if (log && !s->incomplete)
		text = json_dumps(log, JSON_COMPACT | JSON_ENSURE_ASCII);
	fputs(text ? text : none, to);
	fputc('\n', to);
	free(text);
	json_decref(log);
	*s = (struct sarif){0};
}
