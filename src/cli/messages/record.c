/* SPDX-License-Identifier: Apache-2.0 */
/* record: what one job says and prints, kept as bytes until it is its turn.
 *
 * While a thread records, msg_report(), msg_report_error() and msg_say() add to its record, and msg_out() is a file in
 * memory instead of the standard output. The bytes hold each call with its arguments, so that replaying them is calling
 * again: the formats know nothing of this, and a record can be kept in a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages/formats.h"

enum call { CALL_MESSAGE, CALL_ERROR, CALL_SAY };

static _Thread_local struct record *current;

bool msg_is_recording(void)
{
	return current != NULL;
}

struct record *msg_current_record(void)
{
	return current;
}

FILE *msg_out(void)
{
	return current ? current->out : stdout;
}

/* Writing */

void msg_add_to_record(struct record *r, const void *bytes, size_t size)
{
	if (r->size + size > r->capacity) {
		size_t capacity = (r->size + size) * 2;
		char *more = realloc(r->bytes, capacity);
		if (!more) {
			r->incomplete = true;
			return;
		}
		r->bytes = more;
		r->capacity = capacity;
	}
	if (size) /* otherwise `bytes` may be NULL */
		memcpy(r->bytes + r->size, bytes, size);
	r->size += size;
}

static void put_number(struct record *r, uint32_t n)
{
	msg_add_to_record(r, &n, sizeof n);
}

static void put_string(struct record *r, const char *text)
{
	size_t size = strlen(text) + 1;

	put_number(r, (uint32_t)size);
	msg_add_to_record(r, text, size);
}

static void put_step(struct record *r, const spb_message_step *s)
{
	put_string(r, s->text);
	put_string(r, s->file);
	put_string(r, s->name);
	put_number(r, s->line);
	put_number(r, s->column);
	put_number(r, s->word_offset);
	put_number(r, s->id);
}

void msg_record_message(const spb_message *m)
{
	struct record *r = current;
	const char *const texts[] = {m->module,   m->pass, m->text, m->op,          m->name,
				     m->function, m->file, m->rule, m->fingerprint, m->justification};
	const uint32_t numbers[] = {
	    (uint32_t)m->severity, m->code, m->word_offset, m->id, m->line, m->column, m->end_column,
	    (uint32_t)m->finding};

	put_number(r, CALL_MESSAGE);
	for (size_t i = 0; i < SPB_COUNT(texts); i++)
		put_string(r, texts[i]);
	msg_add_to_record(r, numbers, sizeof numbers);
	put_number(r, m->step_count);
	for (uint32_t i = 0; i < m->step_count; i++)
		put_step(r, &m->steps[i]);
}

void msg_record_error(const char *file, uint32_t code, const char *check, const char *text, const char *more)
{
	put_number(current, CALL_ERROR);
	put_number(current, code);
	put_string(current, file);
	put_string(current, check);
	put_string(current, text);
	put_string(current, more);
}

void msg_record_say(spb_severity severity, const char *const *words)
{
	size_t length = 1;

	for (const char *const *word = words; *word; word++)
		length += strlen(*word);
	put_number(current, CALL_SAY);
	put_number(current, (uint32_t)severity);
	put_number(current, (uint32_t)length);
	for (const char *const *word = words; *word; word++)
		msg_add_to_record(current, *word, strlen(*word));
	msg_add_to_record(current, "", 1);
}

/* Reading. A record that comes from a file need not be one: what does not fit ends the reading. */

struct reader {
	const char *at, *end;
	bool failed;
};

static void get_bytes(struct reader *r, void *bytes, size_t size)
{
	if ((size_t)(r->end - r->at) < size) {
		r->failed = true;
		memset(bytes, 0, size);
		return;
	}
	if (size)
		memcpy(bytes, r->at, size);
	r->at += size;
}

static uint32_t get_number(struct reader *r)
{
	uint32_t n;

	get_bytes(r, &n, sizeof n);
	return n;
}

static const char *get_string(struct reader *r)
{
	uint32_t size = get_number(r);
	const char *text = r->at;

	if (!size || (size_t)(r->end - r->at) < size || text[size - 1]) {
		r->failed = true;
		return "";
	}
	r->at += size;
	return text;
}

static spb_message_step *get_steps(struct reader *r, uint32_t count)
{
	enum { LEAST = 7 * sizeof(uint32_t) }; /* bytes of a step */
	bool fits = count <= (size_t)(r->end - r->at) / LEAST;
	spb_message_step *steps = fits && count ? calloc(count, sizeof *steps) : NULL;

	if (fits && count && !steps)
		msg_say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
	r->failed |= count && !steps;
	for (uint32_t i = 0; steps && i < count; i++) {
		spb_message_step *s = &steps[i];
		s->text = get_string(r);
		s->file = get_string(r);
		s->name = get_string(r);
		s->line = get_number(r);
		s->column = get_number(r);
		s->word_offset = get_number(r);
		s->id = get_number(r);
	}
	return steps;
}

static void replay_message(struct reader *r)
{
	spb_message m = {.struct_size = sizeof m};
	const char **const texts[] = {&m.module,   &m.pass, &m.text, &m.op,          &m.name,
				      &m.function, &m.file, &m.rule, &m.fingerprint, &m.justification};
	uint32_t numbers[8];

	for (size_t i = 0; i < SPB_COUNT(texts); i++)
		*texts[i] = get_string(r);
	get_bytes(r, numbers, sizeof numbers);
	r->failed |= numbers[0] > SPB_SEVERITY_NOTE || numbers[7] > SPB_FINDING_ALLOWED;
	m.code = numbers[1];
	m.word_offset = numbers[2];
	m.id = numbers[3];
	m.line = numbers[4];
	m.column = numbers[5];
	m.end_column = numbers[6];
	m.step_count = get_number(r);
	spb_message_step *steps = get_steps(r, m.step_count);
	m.steps = steps;
	if (!r->failed) {
		m.severity = (spb_severity)numbers[0];
		m.finding = (spb_finding)numbers[7];
		msg_report(NULL, &m);
	}
	free(steps);
}

static void replay_error(struct reader *r)
{
	uint32_t code = get_number(r);
	const char *file = get_string(r), *check = get_string(r), *text = get_string(r), *more = get_string(r);

	if (!r->failed)
		msg_report_error(file, code, check, text, more);
}

static void replay_say(struct reader *r)
{
	uint32_t severity = get_number(r);
	const char *text = get_string(r);

	r->failed |= severity > SPB_SEVERITY_NOTE;
	if (!r->failed)
		msg_say((spb_severity)severity, WORDS(text));
}

bool msg_replay(const char *bytes, size_t size)
{
	struct reader r = {bytes, bytes + size, false};

	while (r.at < r.end && !r.failed) {
		switch (get_number(&r)) {
		case CALL_MESSAGE:
			replay_message(&r);
			break;
		case CALL_ERROR:
			replay_error(&r);
			break;
		case CALL_SAY:
			replay_say(&r);
			break;
		default:
			r.failed = true;
		}
	}
	return !r.failed;
}

/* The record of a thread */

bool msg_open_record(struct record *r)
{
	*r = (struct record){0};
	r->out = os_open_text(&r->printed, &r->printed_size);
	return r->out != NULL;
}

void msg_close_record(struct record *r)
{
	if (r->out)
		os_close_text(r->out);
	free(r->printed);
	free(r->bytes);
}

void msg_begin_recording(struct record *r)
{
	r->size = 0;
	r->incomplete = false;
	rewind(r->out);
	current = r;
}

bool msg_end_recording(struct record *r)
{
	current = NULL;
	return os_flush_text(r->out) && !r->incomplete;
}

int msg_flush(void)
{
	if (msg_is_recording()) /* msg_end_recording() will tell */
		return EXIT_DONE;
	fflush(stdout);
	if (!ferror(stdout))
		return EXIT_DONE;
	msg_say(SPB_SEVERITY_ERROR, WORDS("cannot write to stdout: ", strerror(errno)));
	return EXIT_IO;
}
