/* SPDX-License-Identifier: Apache-2.0 */
/* json: writes JSON into an arena. A JSON library would bypass the caller's allocator. */
#include "base/json.h"

const char spb_json_spaces[SPB_JSON_MOST_SPACES + 1] = "                        ";

#define ROWS(SPACE, LENGTH)                                                                                            \
	{"," SPACE, 1 + (LENGTH)},                                                                                     \
	{                                                                                                              \
		SPACE, LENGTH                                                                                          \
	}
const struct spb_before_key spb_before_key[2 * SPB_JSON_DEPTH] = {
    ROWS("\n", 1),       ROWS("\n  ", 3),       ROWS("\n    ", 5),
    ROWS("\n      ", 7), ROWS("\n        ", 9), ROWS("\n          ", 11),
    ROWS(" ", 1),        ROWS(" ", 1),          ROWS(" ", 1),
    ROWS(" ", 1),        ROWS(" ", 1),          ROWS(" ", 1),
    ROWS(" ", 1),
};
#undef ROWS

/* Strings in a module are UTF-8 according to SPIR-V 2.2.1, "Instructions", but this is not checked: an invalid byte
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

/* Bytes that need no escape; they are written as a run. */
static bool is_plain(unsigned char byte)
{
	return (byte >= 0x20) & (byte < 0x7F) & (byte != '"') & (byte != '\\');
}

static void put_escaped(struct spb_json *j, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

	spb_text_byte(&j->text, '"');
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
	spb_text_byte(&j->text, '"');
}

enum { AT_ONCE = 16 };

/* Tests every byte without leaving early, so that compilers vectorize it. */
static bool are_plain(const char *bytes)
{
	uint8_t faults[AT_ONCE];
	uint64_t halves[AT_ONCE / sizeof(uint64_t)];

	for (int i = 0; i < AT_ONCE; i++)
		faults[i] = (uint8_t)!is_plain((unsigned char)bytes[i]);
	memcpy(halves, faults, sizeof halves);
	return !(halves[0] | halves[1]);
}

/* Nearly all strings are plain, so the bytes are copied before that is known; what follows overwrites them if not. */
void spb_json_string(struct spb_json *j, const char *s)
{
	const size_t length = strlen(s);
	char *to = spb_text_room(&j->text, length + 2 + AT_ONCE);

	*to++ = '"';
	memcpy(to, s, length);
	memcpy(to + length, spb_json_spaces, AT_ONCE);
	for (size_t at = 0; at < length; at += AT_ONCE) {
		if (!are_plain(to + at)) {
			put_escaped(j, s);
			return;
		}
	}
	to[length] = '"';
	j->text.count += length + 2;
}

/* A word of our own, without escapes. */
static void put_word(struct spb_json *j, const char *s)
{
	size_t length = strlen(s);
	char *to = spb_text_room(&j->text, length + 2);

	*to = '"';
	memcpy(to + 1, s, length);
	to[length + 1] = '"';
	j->text.count += length + 2;
}

static void write_separator(struct spb_json *j, bool first)
{
	if (first)
		return;
	memcpy(spb_text_room(&j->text, 2), ", ", 2);
	j->text.count += 2;
}

void spb_json_bits(struct spb_json *j, uint32_t bits, uint32_t count, const char *(*name_of)(uint32_t))
{
	bool first = true;

	for (uint32_t i = 0; i < count && bits >> i; i++) {
		if (!(bits >> i & 1))
			continue;
		write_separator(j, first);
		put_word(j, name_of(i));
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

void spb_json_words(struct spb_json *j, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		write_separator(j, i == 0);
		put_word(j, words[i]);
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
