/* SPDX-License-Identifier: Apache-2.0 */
/* report: messages in the form that editors and build tools parse (file:line:column: severity: text). */
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

/* The validator speaks in several lines: all but the first are indented, so that each message begins one. */
static void put_lines(FILE *to, const char *text)
{
	for (; *text; text++) {
		const char one[] = {*text, '\0'};
		if (*text != '\n')
			put_text(to, one);
		else if (text[1])
			fputs("\n    ", to);
	}
}

static void put_place(FILE *to, const spb_message *m)
{
	put_text(to, m->module);
	if (*m->file && m->line) {
		fputc(':', to);
		put_text(to, m->file);
		fprintf(to, ":%u", m->line);
		if (m->column)
			fprintf(to, ":%u", m->column);
	} else if (m->line) { /* of a policy or a lock file */
		fprintf(to, ":%u", m->line);
	} else if (m->word_offset) {
		fprintf(to, ":word %u", m->word_offset);
	}
	fputs(": ", to);
}

void report_message(void *user, const spb_message *m)
{
	static const char *const severities[] = {"error", "warning", "note"};
	struct reporter *r = user;
	FILE *to = r->to;

	if (m->severity == SPB_SEVERITY_ERROR)
		r->errors++;
	else if (r->quiet)
		return;
	r->warnings += m->severity == SPB_SEVERITY_WARNING;
	put_place(to, m);
	fprintf(to, "%s: [SPB%04u] ", severities[m->severity], m->code);
	put_lines(to, m->text);
	fputc('\n', to);
	if (!m->word_offset || r->quiet)
		return;
	put_text(to, m->module);
	fprintf(to, ":word %u: note: %s", m->word_offset, m->op);
	if (m->id)
		fprintf(to, " %%%u", m->id);
	if (*m->name) {
		fputs(" \"", to);
		put_text(to, m->name);
		fputc('"', to);
	}
	if (*m->function) {
		fputs(" in \"", to);
		put_text(to, m->function);
		fputc('"', to);
	}
	if (*m->pass) {
		fputs(" (", to);
		put_text(to, m->pass);
		fputc(')', to);
	}
	fputc('\n', to);
}
