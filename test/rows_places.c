/* SPDX-License-Identifier: Apache-2.0 */
/* rows/places: the locations of instructions in messages.
 *
 *     module    instructions; after each, as a comment, its location in a message: `FILE:LINE:COLUMN-END in
 * FUNCTION` as far as they are known */
#include "rows.h"

enum part { OPTIONS, MODULE };

static const char *const part_names[] = {"options", "module", NULL};

static void hear(void *user, const spb_message *m)
{
	struct text *place = user;

	clear(place);
	if (m->line || m->column || *m->file)
		put(place, "%s:%u:%u", m->file, m->line, m->column);
	if (m->end_column)
		put(place, "-%u", m->end_column);
	if (*m->function)
		put(place, "%sin %s", place->count ? " " : "", m->function);
}

/* The comment after the instruction at `line`. */
static const char *comment_of(const char *line, int *length)
{
	const char *comment = strstr(line, " ; ");
	const int whole = length_of_line(line);

	if (!comment || comment > line + whole) {
		*length = 0;
		return "";
	}
	*length = (int)(line + whole - comment) - 3;
	return comment + 3;
}

static void answer(const struct row *row, struct text *got)
{
	static struct text place;
	const char *line = row->parts[MODULE].items;
	struct words words = assembled(row, line, 0);
	struct spb_module m;

	(void)got;
	begin_module(row, &m, words);
	m.context->callbacks = (spb_callbacks){.user = &place, .message = hear};
	for (spb_at at = m.section[SPB_SECTION_CAPABILITY]; at < m.count;
	     at = spb_next(&m, at), line = next_line(line)) {
		int length;
		const char *wanted = comment_of(line, &length);
		spb_report(&m, SPB_SEVERITY_NOTE, 1, at, "here");
		if ((size_t)length != place.count || memcmp(wanted, place.items, place.count) != 0)
			wrong(row, "%.*s\n  is at %s", length_of_line(line), line, place.items);
	}
	if (*line)
		unreadable(row, "not one instruction in each line");
	end_module(&m, words);
}

const struct rows_kind rows_of_places = {"places", part_names, NULL, answer};
