/* SPDX-License-Identifier: Apache-2.0 */
/* findings: go to the messengers of VK_EXT_debug_utils, and to a file, each once for a shader. The forms are those of
 * the command: text, JSON Lines, or a SARIF log, which ends in `tail`: the next result is written over it in one call,
 * so that the log of a killed application is whole. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer/layer.h"

struct layer_output {
	struct layer_output *next;
	char path[sizeof((struct layer_settings *)0)->report];
	int fd;
	enum layer_format format;
	pthread_mutex_t lock;
	off_t end; /* of a SARIF log, without the tail */
};

static const char head[] = "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\","
			   "\"runs\":[{\"tool\":{\"driver\":{\"name\":\"spirv-bind\"}},\"results\":[\n";
static const char tail[] = "]}]}\n";
static const char *const severities[] = {"error", "warning", "note"};

/* Those of all instances, by name; they stay open. With the lock of loader.c. */
static struct layer_output *outputs;

/* A log is continued, like the other forms: an application may create one instance after the other. */
static void find_end(struct layer_output *o)
{
	const off_t end = lseek(o->fd, 0, SEEK_END) - (off_t)(sizeof tail - 1);
	char found[sizeof tail] = "";

	if (end > 0 && pread(o->fd, found, sizeof tail - 1, end) == sizeof tail - 1 && !strcmp(found, tail))
		o->end = end;
	else if (end + (off_t)(sizeof tail - 1) > 0 && ftruncate(o->fd, 0) != 0)
		layer_complain("the report cannot be written: ", o->path);
}

struct layer_output *layer_output_open(const struct layer_settings *s)
{
	const bool is_sarif = s->format == LAYER_FORMAT_SARIF, is_error = !strcmp(s->report, "stderr"),
		   is_stream = is_error || !strcmp(s->report, "stdout");
	struct layer_output *o = outputs;

	if (!strcmp(s->report, "none"))
		return NULL;
	if (is_sarif && is_stream) {
		layer_complain("a SARIF log needs a file, not ", s->report);
		return NULL;
	}
	while (o && strcmp(o->path, s->report) != 0)
		o = o->next;
	if (o || !(o = calloc(1, sizeof *o)))
		return o;
	memcpy(o->path, s->report, sizeof o->path);
	o->format = s->format;
	if (is_stream)
		o->fd = dup(is_error ? STDERR_FILENO : STDOUT_FILENO);
	else
		o->fd = open(s->report, O_RDWR | O_CREAT | O_CLOEXEC | (is_sarif ? 0 : O_APPEND), 0666);
	if (o->fd < 0) {
		layer_complain("the report cannot be written: ", s->report);
		free(o);
		return NULL;
	}
	if (is_sarif)
		find_end(o);
	pthread_mutex_init(&o->lock, NULL);
	o->next = outputs;
	outputs = o;
	return o;
}

void layer_output_close_all(void)
{
	while (outputs) {
		struct layer_output *o = outputs;
		outputs = o->next;
		close(o->fd);
		pthread_mutex_destroy(&o->lock);
		free(o);
	}
}

static void put_result(struct layer_output *o, const struct layer_text *result)
{
	struct layer_text t = {0};

	layer_add(&t, "%r", o->end ? ",\n" : head);
	layer_add(&t, "%r%r", result->data, tail);
	if (!t.lost && pwrite(o->fd, t.data, t.length, o->end) == (ssize_t)t.length)
		o->end += (off_t)(t.length - (sizeof tail - 1));
	free(t.data);
}

static void put(struct layer_output *o, const struct layer_text *t)
{
	if (!o || t->lost)
		return;
	pthread_mutex_lock(&o->lock);
	if (o->format == LAYER_FORMAT_SARIF)
		put_result(o, t);
	else
		layer_write(o->fd, t->data, t->length);
	pthread_mutex_unlock(&o->lock);
}

/* What a finding is about. */
struct about {
	const struct layer_program *program;
	const struct layer_stage *stage;
	const spb_message *m;
};

struct code {
	char text[32];
};

static struct code code_of(const spb_message *m)
{
	struct code c;

	snprintf(c.text, sizeof c.text, m->code ? "SPB%04u" : "%.0u%s", m->code, m->code ? "" : m->rule);
	return c;
}

/* FILE:LINE:COLUMN: severity: text, as compilers put it; the file is the source if it is known. */
static void add_line(struct layer_text *t, const spb_message *m, const char *file, uint32_t line, uint32_t column,
		     spb_severity severity, const char *text)
{
	const bool known = *file && line;

	layer_add(t, "%s:%u:%u: %s: %s\n", known ? file : m->module, known ? line : 1, known && column ? column : 1,
		  severities[severity], text);
}

static void add_text(struct layer_text *t, const struct about *a)
{
	const spb_message *m = a->m;
	const char *label = layer_label(a->stage);
	struct layer_text first = {0}, where = {0};

	layer_add(&first, "%s [%s]", m->text, code_of(m).text);
	if (m->word_offset && !m->line)
		layer_add(&where, "word %u: %s in ", m->word_offset, m->op);
	layer_add(&where, *label ? "%s \"%s\"" : "%s", a->stage->module->name, label);
	layer_add(&where, ", entry point %s of %s %x", a->stage->entry, a->program->kind, a->program->key);
	t->lost |= first.lost | where.lost;
	if (!t->lost)
		add_line(t, m, m->file, m->line, m->column, m->severity, first.data);
	for (uint32_t k = 0; k < m->note_count; k++)
		add_line(t, m, m->notes[k].file, m->notes[k].line, m->notes[k].column, SPB_SEVERITY_NOTE,
			 m->notes[k].text);
	if (!t->lost)
		add_line(t, m, m->file, m->line, m->column, SPB_SEVERITY_NOTE, where.data);
	if (*m->remedy)
		add_line(t, m, m->file, m->line, m->column, SPB_SEVERITY_NOTE, m->remedy);
	free(first.data);
	free(where.data);
}

/* As the command has it, and where it is in the application. */
static void add_json(struct layer_text *t, const struct about *a)
{
	const spb_message *m = a->m;

	layer_add(t, "{\"severity\":%j,\"code\":%j,\"module\":%j,\"file\":%j,\"line\":%u,\"column\":%u,",
		  severities[m->severity], code_of(m).text, m->module, m->file, m->line, m->column);
	layer_add(t, "\"wordOffset\":%u,\"op\":%j,\"id\":%u,\"name\":%j,\"function\":%j,", m->word_offset, m->op, m->id,
		  m->name, m->function);
	layer_add(t, "\"rule\":%j,\"fingerprint\":%j,\"text\":%j,\"remedy\":%j,\"notes\":[", m->rule, m->fingerprint,
		  m->text, m->remedy);
	for (uint32_t k = 0; k < m->note_count; k++)
		layer_add(t, "%s{\"text\":%j,\"file\":%j,\"line\":%u}", k ? "," : "", m->notes[k].text,
			  m->notes[k].file, m->notes[k].line);
	layer_add(t, "],\"program\":\"%x\",\"kind\":%j,\"label\":%j,\"entryPoint\":%j}\n", a->program->key,
		  a->program->kind, layer_label(a->stage), a->stage->entry);
}

static void add_sarif(struct layer_text *t, const struct about *a)
{
	const spb_message *m = a->m;
	const bool known = *m->file && m->line;
	struct layer_text text = {0};

	add_text(&text, a);
	layer_add(t, "{\"ruleId\":%j,\"level\":%j,\"message\":{\"text\":%j},", code_of(m).text, severities[m->severity],
		  text.lost ? m->text : text.data);
	layer_add(t, "\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"%p\"},",
		  known ? m->file : m->module);
	layer_add(t, "\"region\":{\"startLine\":%u}}}],\"partialFingerprints\":{\"spirvBindFinding/v1\":%j},",
		  known ? m->line : 1, m->fingerprint);
	layer_add(t, "\"properties\":");
	add_json(t, a);
	layer_add(t, "}");
	free(text.data);
}

static void submit(struct layer_instance *i, const struct about *a, const struct layer_text *text)
{
	static const VkDebugUtilsMessageSeverityFlagBitsEXT levels[] = {VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
									VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
									VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT};
	const struct code code = code_of(a->m);
	const VkDebugUtilsObjectNameInfoEXT objects[] = {
	    {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, VK_OBJECT_TYPE_DEVICE,
	     (uint64_t)(uintptr_t)a->program->device->handle, NULL},
	    {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, VK_OBJECT_TYPE_SHADER_MODULE,
	     a->stage->module->handle, *layer_label(a->stage) ? layer_label(a->stage) : NULL}};
	VkDebugUtilsMessengerCallbackDataEXT data = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
						     .pMessageIdName = code.text,
						     .messageIdNumber = (int32_t)a->m->code,
						     .pMessage = text->data,
						     .objectCount = a->stage->module->handle ? 2 : 1,
						     .pObjects = objects};

	if (!text->lost)
		i->submit(i->handle, levels[a->m->severity], VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, &data);
}

void layer_report(const struct layer_program *p, const spb_message *m)
{
	static void (*const forms[])(struct layer_text * t, const struct about *a) = {add_text, add_json, add_sarif};
	struct layer_instance *i = p->device->instance;
	const struct layer_stage *s = layer_stage_of(p, m->module);
	const struct about a = {p, s, m};
	const uint32_t what[] = {m->code, m->word_offset, m->id, m->line};
	struct layer_text text = {0}, formed = {0};

	layer_table_add(&i->faulty, p->key);
	if (!layer_table_add(&i->reported, layer_hash(s->module->hash, what, sizeof what)))
		return;
	add_text(&text, &a);
	if (i->submit)
		submit(i, &a, &text);
	if (i->output)
		forms[i->output->format](&formed, &a);
	put(i->output, &formed);
	free(text.data);
	free(formed.data);
}

void layer_report_name(struct layer_instance *i, const struct layer_program *p, const char *name)
{
	struct layer_text t = {0};

	if (!i->output || i->output->format == LAYER_FORMAT_SARIF ||
	    !layer_table_add(&i->reported, layer_hash(p->key, name, strlen(name))))
		return;
	if (i->output->format == LAYER_FORMAT_JSON)
		layer_add(&t, "{\"severity\":\"note\",\"program\":\"%x\",\"label\":%j}\n", p->key, name);
	else
		layer_add(&t, LAYER_NAME ": note: %s %x is called \"%s\"\n", p->kind, p->key, name);
	put(i->output, &t);
	free(t.data);
}
