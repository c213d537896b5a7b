/* SPDX-License-Identifier: Apache-2.0 */
/* record: the messages and output of one job, kept as bytes until its turn.
 *
 * While a thread records, msg_report(), msg_report_error() and msg_say() add to its record, and msg_out() is a file in
 * memory instead of the standard output. The bytes hold each call with its arguments, and replay.c repeats the calls:
 * the formats know nothing of this, and a record can be kept in a file. */
#include <stdlib.h>
#include <string.h>

#include "cli/messages/formats.h"

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

static void put_note(struct record *r, const spb_message_note *s)
{
	put_string(r, s->text);
	put_string(r, s->module);
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
	const char *const texts[] = {m->module,      m->pass,          m->text,  m->op,
				     m->name,        m->function,      m->file,  m->rule,
				     m->fingerprint, m->justification, m->remedy};
	const uint32_t numbers[] = {
	    (uint32_t)m->severity, m->code, m->word_offset, m->id, m->line, m->column, m->end_column,
	    (uint32_t)m->finding};

	put_number(r, CALL_MESSAGE);
	for (size_t i = 0; i < SPB_COUNT(texts); i++)
		put_string(r, texts[i]);
	msg_add_to_record(r, numbers, sizeof numbers);
	put_number(r, m->note_count);
	for (uint32_t i = 0; i < m->note_count; i++)
		put_note(r, &m->notes[i]);
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
