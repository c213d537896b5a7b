/* SPDX-License-Identifier: Apache-2.0 */
/* report: messages in the form that editors and build tools parse (file:line:column: severity: text), and the
 * layout as a table. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

void put_text(FILE *to, const char *text)
{
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;
		fputc(byte < 0x20 || byte == 0x7F ? '?' : byte, to);
	}
}

static void put(const char *text)
{
	put_text(stderr, text);
}

/* The validator speaks in several lines: all but the first are indented, so that each message begins one. */
static void put_lines(const char *text)
{
	for (; *text; text++) {
		const char one[] = {*text, '\0'};
		if (*text != '\n')
			put(one);
		else if (text[1])
			fputs("\n    ", stderr);
	}
}

static void put_place(const spb_message *m)
{
	put(m->module);
	if (*m->file && m->line) {
		fputc(':', stderr);
		put(m->file);
		fprintf(stderr, ":%u", m->line);
		if (m->column)
			fprintf(stderr, ":%u", m->column);
	} else if (m->word_offset) {
		fprintf(stderr, ":word %u", m->word_offset);
	}
	fputs(": ", stderr);
}

void report_message(void *user, const spb_message *m)
{
	static const char *const severities[] = {"error", "warning", "note"};
	struct reporter *r = user;

	if (m->severity == SPB_SEVERITY_ERROR)
		r->errors++;
	else if (r->quiet)
		return;
	put_place(m);
	fprintf(stderr, "%s: [SPB%04u] ", severities[m->severity], m->code);
	put_lines(m->text);
	fputc('\n', stderr);
	if (!m->word_offset || r->quiet)
		return;
	put(m->module);
	fprintf(stderr, ":word %u: note: %s", m->word_offset, m->op);
	if (m->id)
		fprintf(stderr, " %%%u", m->id);
	if (*m->name) {
		fputs(" \"", stderr);
		put(m->name);
		fputc('"', stderr);
	}
	if (*m->function) {
		fputs(" in \"", stderr);
		put(m->function);
		fputc('"', stderr);
	}
	if (*m->pass) {
		fputs(" (", stderr);
		put(m->pass);
		fputc(')', stderr);
	}
	fputc('\n', stderr);
}

static const char *type_name(uint32_t type)
{
	static const char *const names[] = {"sampler",        "combined image-sampler", "sampled image",
					    "storage image",  "uniform texel",          "storage texel",
					    "uniform buffer", "storage buffer",         "uniform buffer",
					    "storage buffer", "input attachment"};

	if (type < sizeof names / sizeof names[0])
		return names[type];
	return type == 1000150000 ? "acceleration structure" : "other";
}

void print_layout(const spb_program *program)
{
	const spb_resource *r;
	size_t count = spb_program_resources(program, &r);

	printf("%-4s %-8s %-6s %-23s %s\n", "set", "binding", "count", "type", "name");
	for (size_t i = 0; i < count; i++) {
		if (r[i].removed)
			continue;
		if (i && r[i].set == r[i - 1].set && r[i].binding == r[i - 1].binding &&
		    !strcmp(r[i].name, r[i - 1].name))
			continue; /* the same in another module */
		printf("%-4u %-8u ", r[i].set, r[i].binding);
		if (r[i].count)
			printf("%-6u ", r[i].count);
		else
			printf("%-6s ", "[]");
		printf("%-23s ", type_name(r[i].descriptor_type));
		put_text(stdout, r[i].name);
		putchar('\n');
	}
}
