/* SPDX-License-Identifier: Apache-2.0 */
/* json: writes JSON into an arena; a JSON library would bypass the caller's allocator. */
#include "base/json.h"

/* The layout nests no deeper than that. */
static const char spaces[] = "                        ";

enum { MOST_SPACES = 2 * (SPB_JSON_DEPTH - 1), LINE_BYTES = 1 + MOST_SPACES, ITEM_BYTES = LINE_BYTES + 2 };

/* Writes all spaces, of which those that are too many are overwritten. Returns the end. */
static inline char *write_line(char *to, unsigned depth)
{
	static_assert(MOST_SPACES < sizeof spaces, "there are fewer");
	assert(depth < SPB_JSON_DEPTH);
	*to = '\n';
	memcpy(to + 1, spaces, MOST_SPACES);
	return to + 1 + 2 * (size_t)depth;
}

void spb_json_line(struct spb_json *j)
{
	char *to = spb_text_room(&j->text, LINE_BYTES);

	j->text.count += (size_t)(write_line(to, j->depth) - to);
}

void spb_json_item(struct spb_json *j, char bracket)
{
	char *begin = spb_text_room(&j->text, ITEM_BYTES), *to = begin;

	*to = ',';
	to = write_line(to + !j->first, j->depth);
	*to++ = bracket;
	j->text.count += (size_t)(to - begin);
	j->depth++;
	j->first = true;
}

#define ROWS(SPACE, LENGTH)                                                                                            \
	{                                                                                                              \
		{"," SPACE, 1 + (LENGTH)},                                                                             \
		{                                                                                                      \
			SPACE, LENGTH                                                                                  \
		}                                                                                                      \
	}
const struct spb_before_key spb_before_key[SPB_JSON_DEPTH][2] = {
    ROWS("\n", 1),       ROWS("\n  ", 3),       ROWS("\n    ", 5),
    ROWS("\n      ", 7), ROWS("\n        ", 9), ROWS("\n          ", 11),
    ROWS(" ", 1),        ROWS(" ", 1),          ROWS(" ", 1),
    ROWS(" ", 1),        ROWS(" ", 1),          ROWS(" ", 1),
    ROWS(" ", 1),
};
#undef ROWS

/* Strings in a module are UTF-8 according to SPIR-V 2.2.1, "Instructions", but that is not checked: an invalid byte
 * becomes '?'. */
static size_t utf8_length(const unsigned char *s)
{
	size_t n = s[0] >= 0xC2 && s[0] < 0xE0   ? 2
		   : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
		   : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
						 : 0;

	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return 0;
	}
	if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF0 && s[1] < 0x90) ||
	    (s[0] == 0xF4 && s[1] > 0x8F))
		return 0;
	return n;
}

/* Bytes that stand for themselves; they are written as a run. */
static bool is_plain(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

static void write_escaped(struct spb_json *j, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

	while (*p) {
		const unsigned char *run = p;
		while (is_plain(*p))
			p++;
		spb_text_add(&j->text, (const char *)run, (size_t)(p - run));
		if (!*p)
			break;
		size_t n = *p < 0x80 ? 1 : utf8_length(p);
		if (!n) {
			spb_text_byte(&j->text, '?');
			n = 1;
		} else if (*p == '"' || *p == '\\') {
			spb_text_format(&j->text, "\\%c", *p);
		} else if (n == 1) {
			spb_text_format(&j->text, *p < 0x10 ? "\\u000%x" : "\\u00%x", (unsigned)*p);
		} else {
			spb_text_add(&j->text, (const char *)p, n);
		}
		p += n;
	}
}

/* Are these eight bytes plain? A byte leaves its upper bit in one of the terms if it is not ASCII, is the last of
 * ASCII, comes before the space, or is a quote or a backslash. Borrows come only from bytes that are not plain. */
static bool are_plain(const char *bytes)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t x;

	memcpy(&x, bytes, sizeof x);
	return !((x | (x + each) | (x - each * ' ') | ((x ^ each * '"') - each) | ((x ^ each * '\\') - each)) &
		 each << 7);
}

/* Nearly all are plain, and are copied before that is known. */
void spb_json_string(struct spb_json *j, const char *s)
{
	size_t length = strlen(s), at = 0;
	char *to = spb_text_room(&j->text, length + 10);

	*to++ = '"';
	memcpy(to, s, length);
	memcpy(to + length, "        ", 8);
	while (at < length && are_plain(to + at))
		at += 8;
	if (at >= length) {
		to[length] = '"';
		j->text.count += length + 2;
		return;
	}
	j->text.count++;
	write_escaped(j, s);
	spb_text_byte(&j->text, '"');
}

void spb_json_word(struct spb_json *j, const char *s)
{
	size_t length = strlen(s);
	char *to = spb_text_room(&j->text, length + 2);

	*to = '"';
	memcpy(to + 1, s, length);
	to[length + 1] = '"';
	j->text.count += length + 2;
}

void spb_json_close(struct spb_json *j, char bracket, bool own_line)
{
	char *begin = spb_text_room(&j->text, ITEM_BYTES), *to = begin;

	j->depth--;
	if (own_line && !j->first)
		to = write_line(to, j->depth);
	*to++ = bracket;
	j->text.count += (size_t)(to - begin);
	j->first = false;
}

static void write_separator(struct spb_json *j, bool first)
{
	if (!first)
		spb_text_add(&j->text, ", ", 2);
}

void spb_json_bits(struct spb_json *j, uint32_t bits, uint32_t count, const char *(*name_of)(uint32_t))
{
	bool first = true;

	for (uint32_t i = 0; i < count && bits >> i; i++) {
		if (!(bits >> i & 1))
			continue;
		write_separator(j, first);
		spb_json_word(j, name_of(i));
		first = false;
	}
	spb_text_byte(&j->text, ']');
}

void spb_json_names(struct spb_json *j, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		write_separator(j, i == 0);
		spb_json_string(j, names[i]);
	}
	spb_text_byte(&j->text, ']');
}

void spb_json_numbers(struct spb_json *j, const uint32_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		write_separator(j, i == 0);
		spb_text_number(&j->text, values[i]);
	}
	spb_text_byte(&j->text, ']');
}
