/* SPDX-License-Identifier: Apache-2.0 */
/* sarif: a SARIF 2.1.0 log (OASIS standard of 27 March 2020; numbers below are its sections).
 *
 * Paths are relative to the folder in which the command runs, which is called %SRCROOT%: absolute paths into it become
 * relative, so that a log is the same on every machine. The explanation of a finding is a code flow, from the cause to
 * the instruction, and its steps are related locations. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages/formats.h"

#define BASE "%SRCROOT%"

/* 3.11.5: braces are placeholders unless they are doubled. */
static json_t *sarif_text(const char *text)
{
	char *doubled = msg_value_memory(2 * strlen(text) + 1), *to = doubled;
	json_t *json;

	if (!doubled)
		return NULL;
	for (; *text; text++) {
		if (*text == '{' || *text == '}')
			*to++ = *text;
		*to++ = *text;
	}
	*to = '\0';
	json = msg_text_value(doubled);
	free(doubled);
	return json_pack("{s:o}", "text", json);
}

/* What is wrong and, on a line of its own, what to do: viewers show nothing else beside the place. */
static json_t *whole_text(const spb_message *m)
{
	const size_t size = strlen(m->text) + strlen(m->remedy) + 2;
	char *text = msg_value_memory(size);
	json_t *json;

	if (!text)
		return NULL;
	snprintf(text, size, *m->remedy ? "%s\n%s" : "%s%s", m->text, m->remedy);
	json = sarif_text(text);
	free(text);
	return json;
}

/* The path within the folder in which the command runs; others stay as they are. */
static const char *inside(const struct sarif *s, const char *path)
{
	size_t length = strlen(s->folder);

	return length && !strncmp(path, s->folder, length) && path[length] == '/' ? path + length + 1 : path;
}

/* RFC 3986: everything except unreserved characters and the slash becomes %XX, so that a path may start with
 * anything. */
static json_t *uri(const char *path)
{
	static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
	const char *scheme = *path == '/' ? "file://" : "";
	char *text = msg_value_memory(strlen(scheme) + 3 * strlen(path) + 1), *to = text;
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

/* 3.30: a line of the source, of a policy or of a lock file, or else the bytes of the module. */
static json_t *region(const struct msg_place *p)
{
	if (p->line)
		return json_pack("{s:o, s:o*, s:o*}", "startLine", msg_number_value(p->line), "startColumn",
				 msg_number_value(p->column), "endColumn", msg_number_value(p->end_column));
	if (p->word)
		return json_pack("{s:o}", "byteOffset", msg_number_value((uint64_t)p->word * 4));
	return NULL;
}

static json_t *physical_location(const struct sarif *s, const struct msg_place *p)
{
	const char *path = inside(s, p->file);

	if (!*path)
		return NULL;
	return json_pack("{s:{s:o, s:s*}, s:o*}", "artifactLocation", "uri", uri(path), "uriBaseId",
			 *path == '/' ? NULL : BASE, "region", region(p));
}

static json_t *location(const struct sarif *s, const spb_message *m)
{
	struct msg_place p = msg_place_of(m);
	json_t *physical = physical_location(s, &p), *logical = NULL;

	if (*m->function)
		logical = json_pack("[{s:o, s:o, s:s}]", "name", msg_text_value(m->function), "fullyQualifiedName",
				    msg_text_value(m->function), "kind", "function");
	if (!physical && !logical)
		return NULL;
	return json_pack("{s:o*, s:o*}", "physicalLocation", physical, "logicalLocations", logical);
}

static json_t *note_location(const struct sarif *s, const spb_message *m, uint32_t i)
{
	struct msg_place p = msg_place_of_note(m, &m->notes[i]);

	return json_pack("{s:i, s:o*, s:o}", "id", (int)i + 1, "physicalLocation", physical_location(s, &p), "message",
			 sarif_text(m->notes[i].text));
}

/* 3.36: from the cause, the last note of the explanation, to the instruction. */
static json_t *code_flows(const struct sarif *s, const spb_message *m)
{
	json_t *locations = json_array(), *here = location(s, m);

	for (uint32_t i = m->note_count; i-- > 0;)
		json_array_append_new(locations, json_pack("{s:o}", "location", note_location(s, m, i)));
	msg_set_value(here, "message", sarif_text(m->op));
	json_array_append_new(locations, json_pack("{s:o}", "location", here));
	return json_pack("[{s:[{s:o}]}]", "threadFlows", "locations", locations);
}

static json_t *related_locations(const struct sarif *s, const spb_message *m)
{
	json_t *locations = json_array();

	for (uint32_t i = 0; i < m->note_count; i++)
		json_array_append_new(locations, note_location(s, m, i));
	return locations;
}

/* The default severity of a finding of the lint; other messages have a fixed severity. A rule has one level, that of
 * certain findings. */
static const char *default_level(const spb_message *m)
{
	static const uint32_t warnings[] = {5002, 5005, 5006, 5011, 5012, 5013};

	if (!*m->rule)
		return msg_severity_words[m->severity];
	for (size_t i = 0; i < SPB_COUNT(warnings); i++) {
		if (m->code == warnings[i])
			return "warning";
	}
	return "error";
}

/* 3.49: the texts about the code in docs/messages.md. */
static json_t *make_rule(const char *id, const spb_message *m)
{
	const char *cause, *remedy;
	json_t *rule = json_pack("{s:s}", "id", id), *link;
	char anchor[] = "spb0000", folder[1024];

	if (!m->code || !spb_describe_code(m->code, &cause, &remedy))
		return rule;
	snprintf(anchor, sizeof anchor, "spb%04u", m->code % 10000);
	os_installed_folder(folder, sizeof folder, "", "share/doc/spirv-bind", SPB_DOC_DIRECTORY);
	link = json_sprintf("file://%s/docs/messages.md#%s", folder, anchor);
	msg_set_value(rule, "helpUri", link);
	msg_set_value(rule, "shortDescription", sarif_text(cause));
	msg_set_value(rule, "defaultConfiguration", json_pack("{s:s}", "level", default_level(m)));
	msg_set_value(rule, "help",
		      json_pack("{s:o, s:o}", "text", msg_text_value(remedy), "markdown",
				json_sprintf("%s\n\n[%s](file://%s/docs/messages.md#%s)", remedy, id, folder, anchor)));
	if (*m->rule)
		msg_set_value(rule, "properties", json_pack("{s:[s]}", "tags", m->rule));
	return rule;
}

/* The place of the rule in the list; SIZE_MAX: out of memory. */
static size_t find_rule(struct sarif *s, const char *id, const spb_message *m)
{
	size_t count = json_array_size(s->rules);

	for (size_t i = 0; i < count; i++) {
		if (!strcmp(json_string_value(json_object_get(json_array_get(s->rules, i), "id")), id))
			return i;
	}
	return json_array_append_new(s->rules, make_rule(id, m)) ? SIZE_MAX : count;
}

/* 3.35. By 3.27.23, either all results of a run have this list or none. */
static json_t *suppressions(const spb_message *m)
{
	switch (m->finding) {
	case SPB_FINDING_SUPPRESSED:
		return json_pack("[{s:s}]", "kind", "external");
	case SPB_FINDING_ALLOWED:
		return json_pack("[{s:s, s:o*}]", "kind", "inSource", "justification",
				 msg_known_value(m->justification));
	case SPB_FINDING_NEW:
	case SPB_FINDING_KNOWN:
		break;
	}
	return json_array();
}

/* 3.27.16, 3.27.17, 3.27.23, 3.27.24: the identity of a finding across runs, and its state. */
static void add_state(const struct sarif *s, json_t *result, const spb_message *m)
{
	if (*m->fingerprint)
		msg_set_value(result, "partialFingerprints", json_pack("{s:s}", SARIF_FINGERPRINT, m->fingerprint));
	if (s->has_baseline && *m->fingerprint)
		msg_set_value(result, "baselineState",
			      json_string(m->finding == SPB_FINDING_KNOWN ? "unchanged" : "new"));
	if (s->is_lint)
		msg_set_value(result, "suppressions", suppressions(m));
	if (m->note_count && *m->rule)
		msg_set_value(result, "codeFlows", code_flows(s, m));
	if (m->note_count)
		msg_set_value(result, "relatedLocations", related_locations(s, m));
}

/* A rule is a message code, or the option of the command that found the difference. */
static void add_result(struct sarif *s, const spb_message *m)
{
	json_t *id = m->code ? msg_code_value(m) : msg_text_value(m->pass), *properties, *json, *where;
	size_t rule = id ? find_rule(s, json_string_value(id), m) : SIZE_MAX;

	if (rule == SIZE_MAX) {
		json_decref(id);
		return;
	}
	properties = json_object();
	msg_set_value(properties, "module", msg_known_value(m->module));
	msg_set_value(properties, "wordOffset", msg_number_value(m->word_offset));
	msg_set_value(properties, "op", msg_known_value(m->op));
	msg_set_value(properties, "id", msg_number_value(m->id));
	msg_set_value(properties, "name", msg_known_value(m->name));
	msg_set_value(properties, "pass", msg_known_value(m->pass));
	json = json_pack("{s:o, s:i, s:s, s:o}", "ruleId", id, "ruleIndex", (int)rule, "level",
			 msg_severity_words[m->severity], "message", whole_text(m));
	where = location(s, m);
	msg_set_value(json, "locations", where ? json_pack("[o]", where) : NULL);
	add_state(s, json, m);
	msg_set_value(json, "properties", properties);
	json_array_append_new(s->results, json);
}

void msg_begin_sarif(struct sarif *s, bool has_baseline, bool is_lint)
{
	*s = (struct sarif){.rules = json_array(),
			    .results = json_array(),
			    .notifications = json_array(),
			    .has_baseline = has_baseline,
			    .is_lint = is_lint};
	if (!os_current_folder(s->folder, sizeof s->folder))
		s->folder[0] = '\0';
}

/* A message with neither a code nor a pass is not about a module but about the run, such as a file that cannot be
 * read. */
void msg_add_sarif(struct sarif *s, const spb_message *m)
{
	if (m->code || *m->pass) {
		add_result(s, m);
		return;
	}
	s->failed |= m->severity == SPB_SEVERITY_ERROR;
	json_array_append_new(s->notifications, json_pack("{s:s, s:o}", "level", msg_severity_words[m->severity],
							  "message", sarif_text(m->text)));
}

void msg_end_sarif(struct sarif *s, FILE *to, int status)
{
	static const char none[] = "{\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"spirv-bind\"}},"
				   "\"invocations\":[{\"executionSuccessful\":false,\"toolExecutionNotifications\":[{"
				   "\"level\":\"error\",\"message\":{\"text\":\"out of memory\"}}]}],\"results\":[]}]}";
	uint32_t v = spb_version();
	json_t *version = json_sprintf("%u.%u.%u", v >> 16, v >> 8 & 0xFF, v & 0xFF), *log;
	char *text = NULL;

	log = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:o, s:o}}, s:{s:{s:{s:s}}}, s:[{s:b, s:i, s:o}], s:o}]}", "$schema",
			"https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs", "tool", "driver",
			"name", "spirv-bind", "version", version, "rules", s->rules, "originalUriBaseIds", BASE,
			"description", "text", "The folder in which spirv-bind ran.", "invocations",
			"executionSuccessful", !s->failed, "exitCode", status, "toolExecutionNotifications",
			s->notifications, "results", s->results);
	if (log && msg_values_are_whole())
		text = json_dumps(log, JSON_COMPACT | JSON_ENSURE_ASCII);
	fputs(text ? text : none, to);
	fputc('\n', to);
	free(text);
	json_decref(log);
	*s = (struct sarif){0};
}
