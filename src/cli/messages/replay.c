/* SPDX-License-Identifier: Apache-2.0 */
/* replay: repeats the messages of a record. A record from a file may be damaged: reading ends at the first fault. */
#include <stdlib.h>
#include <string.h>

#include "cli/messages/formats.h"

struct reader {
	const char *at, *end;
	bool failed;
	bool silent; /* only checks the record */
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

static spb_message_note *get_notes(struct reader *r, uint32_t count)
{
	enum { LEAST = 8 * sizeof(uint32_t) }; /* bytes of a note */
	bool fits = count <= (size_t)(r->end - r->at) / LEAST;
	spb_message_note *notes = fits && count && !r->silent ? calloc(count, sizeof *notes) : NULL;

	if (fits && count && !notes && !r->silent)
		msg_say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
	r->failed |= count && !notes && !(fits && r->silent);
	for (uint32_t i = 0; !r->failed && i < count; i++) {
		spb_message_note s = {.text = get_string(r)};
		s.module = get_string(r);
		s.file = get_string(r);
		s.name = get_string(r);
		s.line = get_number(r);
		s.column = get_number(r);
		s.word_offset = get_number(r);
		s.id = get_number(r);
		if (notes)
			notes[i] = s;
	}
	return notes;
}

static void replay_message(struct reader *r)
{
	spb_message m = {.struct_size = sizeof m};
	const char **const texts[] = {&m.module,      &m.pass,          &m.text,  &m.op,
				      &m.name,        &m.function,      &m.file,  &m.rule,
				      &m.fingerprint, &m.justification, &m.remedy};
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
	m.note_count = get_number(r);
	spb_message_note *notes = get_notes(r, m.note_count);
	m.notes = notes;
	if (!r->failed && !r->silent) {
		m.severity = (spb_severity)numbers[0];
		m.finding = (spb_finding)numbers[7];
		msg_report(NULL, &m);
	}
	free(notes);
}

static void replay_error(struct reader *r)
{
	uint32_t code = get_number(r);
	const char *file = get_string(r), *check = get_string(r), *text = get_string(r), *more = get_string(r);

	if (!r->failed && !r->silent)
		msg_report_error(file, code, check, text, more);
}

static void replay_say(struct reader *r)
{
	uint32_t severity = get_number(r);
	const char *text = get_string(r);

	r->failed |= severity > SPB_SEVERITY_NOTE;
	if (!r->failed && !r->silent)
		msg_say((spb_severity)severity, WORDS(text));
}

static bool replay(struct reader *r)
{
	while (r->at < r->end && !r->failed) {
		switch (get_number(r)) {
		case CALL_MESSAGE:
			replay_message(r);
			break;
		case CALL_ERROR:
			replay_error(r);
			break;
		case CALL_SAY:
			replay_say(r);
			break;
		default:
			r->failed = true;
		}
	}
	return !r->failed;
}

bool msg_is_record(const char *bytes, size_t size)
{
	return replay(&(struct reader){bytes, bytes + size, .silent = true});
}

bool msg_replay(const char *bytes, size_t size)
{
	return replay(&(struct reader){bytes, bytes + size, .silent = false});
}
