/* SPDX-License-Identifier: Apache-2.0 */
/* report: messages in the form that editors and build tools parse (file:line:column: severity: text), or passed on to
 * formats.c. --diagnostics applies to all messages after the command line has been read. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/messages/formats.h"

enum { LONGEST = 8192 }; /* bytes of a text of the command itself */

static struct {
	enum diagnostics form;
	bool quiet;
	bool colored;
	unsigned known, suppressed; /* findings that are not new */
	FILE *file;                 /* of --diagnostics=FORMAT:FILE; stderr then gets text */
	const char *file_name;
	struct sarif sarif;
} messages;

static _Thread_local struct msg_line followed; /* asked for what cannot be done */

struct msg_line msg_follow(struct msg_line line)
{
	const struct msg_line before = followed;

	followed = line;
	return before;
}

/* The first line of a text; returns what follows. The validator speaks in several. */
static const char *put_line(FILE *to, const char *text)
{
	while (*text && *text != '\n')
		msg_put_character(to, &text);
	return text;
}

/* All lines but the first are indented, so that each message begins one. */
static void put_more_lines(FILE *to, const char *text)
{
	while (*text) {
		fputs("\n    ", to);
		text = put_line(to, text + 1);
		if (*text == '\n' && !text[1])
			return;
	}
}

/* As compilers put it, so that editors open it: what has a place in a file has a line and a column. */
static void put_place(FILE *to, const struct msg_place *p)
{
	struct os_status st; /* a program may be called as a folder is */
	const bool is_file = p->line || (os_look_through(p->file, &st) && st.kind != OS_DIRECTORY);

	msg_put_text(to, *p->file ? p->file : "spirv-bind");
	if (is_file)
		fprintf(to, ":%u:%u", p->line ? p->line : 1, p->column ? p->column : 1);
	fputs(": ", to);
}

/* ECMA-48, "SGR": bold red, magenta and cyan, as in compilers; and reset. */
static void put_severity(FILE *to, spb_severity severity)
{
	static const char *const severities[] = {"error", "warning", "note"};
	static const char *const colors[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};

	fprintf(to, "%s%s: %s", messages.colored ? colors[severity] : "", severities[severity],
		messages.colored ? "\033[0m" : "");
}

static void put_quoted(FILE *to, const char *before, const char *name)
{
	if (!*name)
		return;
	fputs(before, to);
	fputc('"', to);
	msg_put_text(to, name);
	fputc('"', to);
}

/* For a place that no line names, and for one in a source that is not here. */
static void put_instruction(FILE *to, const spb_message *m, const struct msg_place *place)
{
	put_place(to, place);
	put_severity(to, SPB_SEVERITY_NOTE);
	fprintf(to, "word %u: %s", m->word_offset, m->op);
	if (m->id)
		fprintf(to, " %%%u", m->id);
	put_quoted(to, " ", m->name);
	put_quoted(to, " in ", m->function);
	if (*m->pass) {
		fputs(" (", to);
		msg_put_text(to, m->pass);
		fputc(')', to);
	}
	if (place->is_gone) {
		fputs(", compiled from ", to);
		msg_put_text(to, m->file);
		fprintf(to, ":%u", m->line);
	}
	fputc('\n', to);
}

static void put_note(FILE *to, const struct msg_place *place, const char *text)
{
	put_place(to, place);
	put_severity(to, SPB_SEVERITY_NOTE);
	put_more_lines(to, put_line(to, text));
	fputc('\n', to);
}

static void put_text_message(FILE *to, const spb_message *m)
{
	const struct msg_place place = msg_place_of(m);

	put_place(to, &place);
	put_severity(to, m->severity);
	const char *more = put_line(to, m->text);
	if (m->code)
		fprintf(to, " [SPB%04u]", m->code);
	put_more_lines(to, more);
	fputc('\n', to);
	if (messages.quiet)
		return;
	if (m->word_offset && place.word)
		put_instruction(to, m, &place);
	for (uint32_t i = 0; i < m->note_count; i++) {
		const struct msg_place other = msg_place_of_note(m, &m->notes[i]);
		put_note(to, &other, m->notes[i].text);
	}
	if (*m->remedy)
		put_note(to, &place, m->remedy);
}

/* https://no-color.org: NO_COLOR matters if it is not empty. */
static bool is_colored(enum color_mode mode)
{
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

	if (mode != COLOR_AUTO)
		return mode == COLOR_ALWAYS;
	return !(no && *no) && terminal && strcmp(terminal, "dumb") != 0 && os_is_terminal(STDERR_FILENO);
}

bool msg_begin(const struct msg_options *o)
{
	memset(&messages, 0, sizeof messages);
	messages.quiet = o->quiet;
	messages.colored = is_colored(o->color);
	if (o->diagnostics_file) {
		messages.file_name = o->diagnostics_file;
		messages.file = os_open_stream(o->diagnostics_file, "wb");
		if (!messages.file) {
			msg_say(SPB_SEVERITY_ERROR, WORDS("cannot write ", o->diagnostics_file, ": ", strerror(errno)));
			return false;
		}
	}
	messages.form = o->diagnostics;
	msg_begin_values();
	if (messages.form == DIAGNOSTICS_SARIF)
		msg_begin_sarif(&messages.sarif, o->has_baseline, o->is_lint);
	return true;
}

/* Prints how many findings of the lint have not been shown. */
static void put_hidden(void)
{
	if (messages.quiet || !(messages.known || messages.suppressed))
		return;
	fprintf(stderr, "spirv-bind: hidden: %u in the baseline, %u suppressed\n", messages.known, messages.suppressed);
}

int msg_end(int status)
{
	FILE *to = messages.file ? messages.file : stderr;
	bool lost;

	if (messages.form == DIAGNOSTICS_SARIF)
		msg_end_sarif(&messages.sarif, to, status);
	if (messages.form == DIAGNOSTICS_TEXT || messages.file)
		put_hidden();
	fflush(to);
	lost = messages.form != DIAGNOSTICS_TEXT && ferror(to);
	messages.form = DIAGNOSTICS_TEXT;
	if (messages.file) {
		lost |= fclose(messages.file) != 0;
		messages.file = NULL;
		if (lost)
			msg_say(SPB_SEVERITY_ERROR, WORDS("cannot write ", messages.file_name, ": ", strerror(errno)));
	}
	if (!msg_values_are_whole())
		status = msg_out_of_memory();
	messages.quiet = false; /* a next run of the process reads its arguments before msg_begin() */
	return lost ? EXIT_IO : status;
}

/* Findings that are not new go to machine-readable formats, which mark them; in text they are only counted. */
static void put_message(enum diagnostics form, FILE *to, const spb_message *m)
{
	switch (form) {
	case DIAGNOSTICS_TEXT:
		if (m->finding == SPB_FINDING_NEW)
			put_text_message(to, m);
		messages.known += m->finding == SPB_FINDING_KNOWN;
		messages.suppressed += m->finding == SPB_FINDING_SUPPRESSED || m->finding == SPB_FINDING_ALLOWED;
		break;
	case DIAGNOSTICS_SARIF:
		msg_add_sarif(&messages.sarif, m);
		break;
	case DIAGNOSTICS_JSON:
		msg_put_json(to, m);
		break;
	case DIAGNOSTICS_GITHUB:
		if (m->finding == SPB_FINDING_NEW)
			msg_put_github(to, m);
		break;
	}
}

void msg_report(void *unused, const spb_message *m)
{
	(void)unused;
	if (msg_is_recording()) {
		msg_record_message(m);
		return;
	}
	if (messages.quiet && m->severity != SPB_SEVERITY_ERROR)
		return;
	if (messages.file)
		put_message(messages.form, messages.file, m);
	put_message(messages.file ? DIAGNOSTICS_TEXT : messages.form, stderr, m);
}

/* text: what follows MSG_REMEDY is taken out of it. */
static spb_message own_message(spb_severity severity, const char *file, uint32_t code, const char *check, char *text)
{
	const char *cause, *remedy = "";
	char *parted = strchr(text, *MSG_REMEDY);

	(void)spb_describe_code(code, &cause, &remedy);
	if (parted) {
		*parted = '\0';
		remedy = parted + 1;
	}
	return (spb_message){.struct_size = sizeof(spb_message),
			     .severity = severity,
			     .code = code,
			     .module = file,
			     .pass = check,
			     .text = text,
			     .op = "",
			     .name = "",
			     .function = "",
			     .file = "",
			     .rule = "",
			     .remedy = remedy,
			     .fingerprint = "",
			     .justification = ""};
}

static void put_lines_as_they_are(FILE *to, const char *text)
{
	while (*text) {
		if (*text == '\n')
			fputc(*text++, to);
		else
			msg_put_character(to, &text);
	}
}

void msg_report_error(const char *file, uint32_t code, const char *check, const char *text, const char *more)
{
	const bool plain = messages.form == DIAGNOSTICS_TEXT;

	if (msg_is_recording()) {
		msg_record_error(file, code, check, text, more);
		return;
	}
	const size_t first = strcspn(text, MSG_REMEDY), length = strlen(text) + strlen(more) + 2;
	char *all = malloc(length);

	if (!all) {
		msg_out_of_memory();
		return;
	}
	snprintf(all, length, "%.*s%s%s%s", (int)first, text, *more && !plain ? "\n" : "", plain ? "" : more,
		 text + first);
	spb_message m = own_message(SPB_SEVERITY_ERROR, file, code, check, all);
	msg_report(NULL, &m);
	if (plain)
		put_lines_as_they_are(stderr, more);
	free(all);
}

/* Joins words to the text of a message, which is one line as text, whatever files are called. */
static void join(char *text, size_t size, const char *const *words)
{
	size_t length = 0;

	for (*text = '\0'; *words && length < size; words++)
		length += (size_t)snprintf(text + length, size - length, "%s", *words);
	for (char *at = text; messages.form == DIAGNOSTICS_TEXT && (at = strchr(at, '\n'));)
		*at = '?';
}

void msg_report_line(const char *file, unsigned line, const char *check, const char *const *words)
{
	char text[LONGEST];

	join(text, sizeof text, words);
	spb_message m = own_message(SPB_SEVERITY_ERROR, file, 0, check, text);
	m.line = line;
	msg_report(NULL, &m);
}

void msg_report_compiled(spb_severity severity, const char *file, uint32_t line, uint32_t column, const char *text)
{
	spb_message m = own_message(severity, file, 0, "input", (char[]){""});

	m.text = text; /* a compiler's: it has no remedy */
	m.file = line ? file : "";
	m.line = line;
	m.column = column;
	msg_report(NULL, &m);
}

/* What the run did, and what it waits for, is not about a fault. */
static void put_progress(FILE *to, const char *text)
{
	fputs("spirv-bind: ", to);
	msg_put_text(to, text);
	fputc('\n', to);
}

void msg_say(spb_severity severity, const char *const *words)
{
	char text[LONGEST]; /* "out of memory" must need none */

	if (msg_is_recording()) {
		msg_record_say(severity, words);
		return;
	}
	join(text, sizeof text, words);
	const bool placed = followed.file && severity != SPB_SEVERITY_NOTE;
	spb_message m = own_message(severity, placed ? followed.file : "", 0, "", text);
	m.line = placed ? followed.line : 0;
	if (severity != SPB_SEVERITY_NOTE || (messages.form != DIAGNOSTICS_TEXT && !messages.file)) {
		msg_report(NULL, &m);
		return;
	}
	put_progress(stderr, text);
	if (messages.form != DIAGNOSTICS_TEXT)
		put_message(messages.form, messages.file, &m);
}

int msg_out_of_memory(void)
{
	msg_say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
	return EXIT_IO;
}

int msg_flush(void)
{
	if (msg_is_recording()) /* msg_end_recording() will report it */
		return EXIT_DONE;
	fflush(stdout);
	if (!ferror(stdout))
		return EXIT_DONE;
	msg_say(SPB_SEVERITY_ERROR, WORDS("cannot write to stdout: ", strerror(errno)));
	return EXIT_IO;
}
