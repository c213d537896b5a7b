/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SPB_JSON_H
#define SPB_JSON_H

#include "base/base.h"

struct spb_json {
	struct spb_text_buffer text;
	unsigned row; /* of spb_before_key: twice the depth, plus 1 until something is written there */
};

void spb_json_string(struct spb_json *j, const char *s);
/* The list after its opening bracket. */
void spb_json_numbers(struct spb_json *j, const uint32_t *values, size_t count);
void spb_json_names(struct spb_json *j, const char *const *names, size_t count);
void spb_json_words(struct spb_json *j, const char *const *words, size_t count); /* words of our own */
void spb_json_bits(struct spb_json *j, uint32_t bits, uint32_t count, const char *(*name_of)(uint32_t));

enum { SPB_JSON_DEPTH = 13 };       /* no layout nests this deep */
enum { SPB_JSON_ONE_LINE = 2 * 6 }; /* from this row on, keys share one line */

/* What precedes a key at each depth: with a comma, and without one for the first key. Deep keys share one line. */
struct spb_before_key {
	char text[15];
	uint8_t length;
};

extern const struct spb_before_key spb_before_key[2 * SPB_JSON_DEPTH];

/* A comma if this is not the first item, then a new line or a space; a whole row is copied. Returns where the caller
 * writes `length` bytes. Inline, since nothing is called more often. */
static inline char *spb_json_next(struct spb_json *j, size_t length)
{
	assert(j->row < 2 * SPB_JSON_DEPTH);
	const struct spb_before_key *row = &spb_before_key[j->row];
	const size_t before = row->length;
	char *to = spb_text_room(&j->text, sizeof *row + length);

	j->row &= ~1u;
	j->text.count += before + length;
	memcpy(to, row, sizeof *row);
	return to + before;
}

enum { SPB_JSON_MOST_SPACES = 2 * (SPB_JSON_DEPTH - 1), SPB_JSON_ITEM_BYTES = 1 + 1 + SPB_JSON_MOST_SPACES + 1 };

extern const char spb_json_spaces[];

/* A new line: writes the most spaces that any row has, the excess of which is overwritten later. Returns the end. */
static inline char *spb_json_write_line(char *to, unsigned row)
{
	assert(row < 2 * SPB_JSON_DEPTH);
	*to = '\n';
	memcpy(to + 1, spb_json_spaces, SPB_JSON_MOST_SPACES);
	return to + 1 + (row & ~1u);
}

static inline void spb_json_enter(struct spb_json *j)
{
	j->row = (j->row & ~1u) + 3;
}

static inline void spb_json_leave(struct spb_json *j)
{
	j->row = (j->row & ~1u) - 2;
}

static inline void spb_json_line(struct spb_json *j)
{
	char *to = spb_text_room(&j->text, SPB_JSON_ITEM_BYTES);

	j->text.count += (size_t)(spb_json_write_line(to, j->row) - to);
}

/* The next element of a list or object, on its own line: a comma if it is not the first, and a bracket. */
static inline void spb_json_item(struct spb_json *j, char bracket)
{
	char *begin = spb_text_room(&j->text, SPB_JSON_ITEM_BYTES), *to = begin;

	*to = ',';
	to = spb_json_write_line(to + !(j->row & 1), j->row);
	*to++ = bracket;
	j->text.count += (size_t)(to - begin);
	spb_json_enter(j);
}

static inline void spb_json_close(struct spb_json *j, char bracket, bool own_line)
{
	char *begin = spb_text_room(&j->text, SPB_JSON_ITEM_BYTES), *to = begin;

	if (own_line && !(j->row & 1))
		to = spb_json_write_line(to, j->row - 2);
	*to++ = bracket;
	j->text.count += (size_t)(to - begin);
	spb_json_leave(j);
}

/* Keys are literals, so their length is known at compile time and they need no escapes. Returns where the caller
 * writes `room` bytes for the value. */
static inline char *spb_json_key_of(struct spb_json *j, const char *name, size_t room)
{
	const size_t length = strlen(name);
	char *to = spb_json_next(j, length + 4 + room);

	*to = '"';
	memcpy(to + 1, name, length);
	memcpy(to + 1 + length, "\": ", 3);
	return to + 4 + length;
}

static inline void spb_json_key(struct spb_json *j, const char *name)
{
	(void)spb_json_key_of(j, name, 0);
}

static inline void spb_json_comma(struct spb_json *j)
{
	if (!(j->row & 1))
		spb_text_byte(&j->text, ',');
	j->row &= ~1u;
}

static inline void spb_json_open(struct spb_json *j, char bracket)
{
	spb_text_byte(&j->text, bracket);
	spb_json_enter(j);
}

/* A key whose value is a list or an object. */
static inline void spb_json_open_key(struct spb_json *j, const char *name, char bracket)
{
	*spb_json_key_of(j, name, 1) = bracket;
	spb_json_enter(j);
}

static inline void spb_json_number_key(struct spb_json *j, const char *name, uint32_t value)
{
	if (value < 10) { /* most are */
		*spb_json_key_of(j, name, 1) = (char)('0' + value);
		return;
	}
	spb_json_key(j, name);
	spb_text_number(&j->text, value);
}

static inline void spb_json_string_key(struct spb_json *j, const char *name, const char *value)
{
	spb_json_key(j, name);
	spb_json_string(j, value);
}

static inline void spb_json_word_key(struct spb_json *j, const char *name, const char *value)
{
	const size_t length = strlen(value);
	char *to = spb_json_key_of(j, name, length + 2);

	*to = '"';
	memcpy(to + 1, value, length);
	to[1 + length] = '"';
}

static inline void spb_json_bool_key(struct spb_json *j, const char *name, bool value)
{
	char *to = spb_json_key_of(j, name, value ? 4 : 5);

	memcpy(to, value ? "true" : "fals", 4);
	if (!value)
		to[4] = 'e';
}

static inline void spb_json_numbers_key(struct spb_json *j, const char *name, const uint32_t *values, size_t count)
{
	*spb_json_key_of(j, name, 1) = '[';
	spb_json_numbers(j, values, count);
}

/* A key with an empty list, as most lists are. */
static inline void spb_json_empty_key(struct spb_json *j, const char *name)
{
	memcpy(spb_json_key_of(j, name, 2), "[]", 2);
}

static inline void spb_json_name_list(struct spb_json *j, const char *name, const char *const *names, size_t count)
{
	if (!count) {
		spb_json_empty_key(j, name);
		return;
	}
	*spb_json_key_of(j, name, 1) = '[';
	spb_json_names(j, names, count);
}

static inline void spb_json_word_list(struct spb_json *j, const char *name, const char *const *words, size_t count)
{
	if (!count) {
		spb_json_empty_key(j, name);
		return;
	}
	*spb_json_key_of(j, name, 1) = '[';
	spb_json_words(j, words, count);
}

/* A list of the names of the bits that are set among the first `count`. */
static inline void spb_json_bits_key(struct spb_json *j, const char *name, uint32_t bits, uint32_t count,
				     const char *(*name_of)(uint32_t))
{
	if (!bits) {
		spb_json_empty_key(j, name);
		return;
	}
	*spb_json_key_of(j, name, 1) = '[';
	spb_json_bits(j, bits, count, name_of);
}

static inline void spb_json_count_key(struct spb_json *j, uint32_t count)
{
	if (count)
		spb_json_number_key(j, "count", count);
	else
		memcpy(spb_json_key_of(j, "count", 4), "null", 4);
}

#endif
