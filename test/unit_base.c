/* SPDX-License-Identifier: Apache-2.0 */
/* The basics: sorting, hashes, texts, JSON and patterns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/layout/number.h"
#include "base/base.h"
#include "base/blake2.h"
#include "base/glob.h"
#include "base/json.h"
#include "caught.h"
#include "in_arena.h"

/* The digests are from Python's hashlib.blake2b(data, digest_size=32). */
static void digests_match_other_implementations(void **state)
{
	static const struct {
		size_t size;
		const char *wanted;
	} rows[] = {{0, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"},
		    {1, "ee155ace9c40292074cb6aff8c9ccdd273c81648ff1149ef36bcea6ebb8a3e25"},
		    {64, "bb447dddb2721745b8e7c3b373d844b8f6e070ca7d5a7993e631ab94f364caab"},
		    {127, "f609ab2904b340cd075920018e0e3c6f6a90a3dae3edf03d3cccc0634a81ffe3"},
		    {128, "0702c64922fb7635a1b799668a7e89ba9c5fe55ed7bd2fdecb001544073afad9"},
		    {129, "490091b32bad7b3380c9e593d341bce9b73ff9d4ebcf0091ff932bdff7279897"},
		    {255, "b579b3e762db9a4a9def50ea22419ca669a4875f015a167f52baa86547df7554"},
		    {256, "3d0cb2693dfbac42af5a6cc960953fea8714aa39c4bcd054ef61d6b5e98ade4a"},
		    {257, "080f7f2ee61cc8ffcf2ad907f7a9824a8445c5e4b194a0106c65f9b9c1ea6787"},
		    {1000, "a2ae1ecc90361e0bb07dab9789a4b0a724ee3cf05623ac6cefa1e6af3da4aae8"}};
	unsigned char data[1000], digest[DIGEST + 1], again[DIGEST];
	char text[2 * DIGEST + 1];

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		for (size_t k = 0; k < rows[i].size; k++)
			data[k] = (unsigned char)(k * 7 + rows[i].size);
		digest[DIGEST] = 0xA5;
		spb_blake2(data, rows[i].size, digest);
		assert_int_equal(digest[DIGEST], 0xA5);
		for (size_t k = 0; k < DIGEST; k++)
			snprintf(text + 2 * k, 3, "%02x", digest[k]);
		assert_string_equal(text, rows[i].wanted);
		for (size_t part = 1; part < 300; part += 63) { /* added in parts, it is the same */
			struct spb_blake2 b;
			spb_blake2_begin(&b);
			for (size_t at = 0; at < rows[i].size; at += part)
				spb_blake2_add(&b, data + at, rows[i].size - at < part ? rows[i].size - at : part);
			spb_blake2_end(&b, again);
			assert_memory_equal(again, digest, DIGEST);
		}
	}
}

/* Hashes are the same on every machine: these are computed in Python by the same formula. */
static void hashes_are_stable_across_versions(void **state)
{
	static const char bytes[] = "0123456789abcdefXYZ";
	static const uint64_t mixed[][3] = {{0x0, 0x0, 0xFB133A9C2847F4CC},
					    {0x1, 0x2, 0x40C207DCB2144445},
					    {0x2, 0x1, 0x95AC0308D4FBDC6F},
					    {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0x99733B2D292B62D1},
					    {0x123456789ABCDEF, 0x3, 0x7031B31E3882F8E2},
					    {0x8000000000000000, 0x10000000000, 0xDEEFF882D4B694B6}};
	static const struct {
		const char *text;
		uint64_t hash;
	} texts[] = {{"", 0xAE50695FAFCA026F},
		     {"a", 0xD04A1359A56A743D},
		     {"0123", 0xB6B47A7EF3EF5FC3},
		     {"01234", 0x0C1390B8B41DC3D9},
		     {"0123456", 0x96683E7EC732ECBD},
		     {"01234567", 0xC4823776F385EB15},
		     {"0123456789abcdefXYZ", 0x3F107CEDD719D958}};
	uint64_t all[20];

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(mixed); i++)
		assert_true(spb_hash_mix(mixed[i][0], mixed[i][1]) == mixed[i][2]);
	for (size_t i = 0; i < SPB_COUNT(texts); i++)
		assert_true(spb_hash_bytes(7, texts[i].text, strlen(texts[i].text)) == texts[i].hash);
	for (size_t i = 0; i < 20; i++) { /* each byte and the length matter, and nothing after them does */
		char copy[24];
		all[i] = spb_hash_bytes(7, bytes, i);
		memset(copy, '#', sizeof copy);
		memcpy(copy, bytes, i);
		assert_int_equal(spb_hash_bytes(7, copy, i), all[i]);
		for (size_t k = 0; k < i; k++) {
			assert_int_not_equal(all[k], all[i]);
			copy[k] ^= 1;
			assert_int_not_equal(spb_hash_bytes(7, copy, i), all[i]);
			copy[k] ^= 1;
		}
	}
}

static int by_first_byte(const void *a, const void *b)
{
	return *(const unsigned char *)a - *(const unsigned char *)b;
}

static int by_word(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

enum { MOST = 120, GUARD = 32 };
enum before { RANDOM, RISING, FALLING };

/* Compares a sort with naive insertion: stable, nothing written beyond the items, no memory kept. by: 0: a byte;
 * otherwise words. */
static void sort_some(size_t count, size_t size, unsigned by, enum before before, uint32_t *seed)
{
	static unsigned char items[MOST * 32 + GUARD], wanted[MOST * 32], one[32];
	struct spb_mark mark = spb_arena_mark(&arena), after;
	size_t places = 0;

	for (size_t i = 0; i < count * size; i++)
		items[i] = (unsigned char)(before == RANDOM   ? next_random(seed) % 5
					   : before == RISING ? i / size * 5 / count
							      : 4 - i / size * 5 / count);
	for (size_t i = 0; i < count && by * 4 < size; i++)
		items[i * size + size - 1] = (unsigned char)i; /* distinguishes equal ones */
	memset(items + count * size, 0xA5, GUARD);
	for (size_t i = 0; i < count; i++) {
		size_t to = places++;
		memcpy(one, items + i * size, size);
		for (; to; to--) {
			const unsigned char *other = wanted + (to - 1) * size;
			int order = by ? 0 : by_first_byte(other, one);
			for (unsigned w = 0; by && !order && w < by; w++) {
				uint32_t x, y;
				memcpy(&x, other + w * sizeof x, sizeof x);
				memcpy(&y, one + w * sizeof y, sizeof y);
				order = by_word(&x, &y);
			}
			if (order <= 0)
				break;
			memcpy(wanted + to * size, other, size);
		}
		memcpy(wanted + to * size, one, size);
	}
	if (by)
		spb_sort_by_words(&arena, items, count, size, by);
	else
		spb_sort(&arena, items, count, size, by_first_byte);
	assert_memory_equal(items, wanted, count * size);
	for (size_t i = 0; i < GUARD; i++)
		assert_int_equal(items[count * size + i], 0xA5);
	after = spb_arena_mark(&arena);
	assert_true(mark.head == after.head && mark.next == after.next && mark.used == after.used);
}

static void sorting_is_stable_and_keeps_no_memory(void **state)
{
	static const size_t sizes[] = {4, 8, 12, 16, 20, 24, 28}, counts[] = {0, 1, 2, 3, 5, 23, 24, 25, 26, 119};
	uint32_t seed = 5;

	(void)state;
	spb_alloc(&arena, 100);
	for (size_t i = 0; i < SPB_COUNT(sizes); i++) {
		for (size_t k = 0; k < SPB_COUNT(counts); k++) {
			for (unsigned by = 0; by * 4 <= sizes[i]; by++) {
				for (enum before before = RANDOM; before <= FALLING; before++)
					sort_some(counts[k], sizes[i], by, before, &seed);
			}
		}
	}
}

/* A word whose numbers ascend once the words after it are sorted, although their lowest bytes do not. */
static void ascending_runs_stay_in_order(void **state)
{
	enum { MANY = 60 };
	static const uint32_t steps[] = {1, 37, 100, 300, 0x10001, 0x1000001};
	uint32_t items[MANY][2];

	(void)state;
	for (size_t k = 0; k < SPB_COUNT(steps); k++) {
		for (uint32_t i = 0; i < MANY; i++)
			items[i][0] = items[i][1] = (MANY - 1 - i) * steps[k];
		spb_sort_by_words(&arena, items, MANY, sizeof *items, 2);
		for (uint32_t i = 0; i < MANY; i++) {
			assert_int_equal(items[i][0], i * steps[k]);
			assert_int_equal(items[i][1], i * steps[k]);
		}
	}
}

static void sort_falling(void *count)
{
	static uint32_t items[20000];
	const uint32_t n = *(uint32_t *)count;

	for (uint32_t i = 0; i < n; i++)
		items[i] = n - i;
	spb_sort_by_words(&arena, items, n, sizeof *items, 1);
	assert_int_equal(items[0], 1);
}

/* Linear time takes memory: without it, only few items can be sorted, or sorted ones. */
static void many_numbers_are_not_sorted_by_insertion(void **state)
{
	uint32_t few = 24, many = 20000, none = 1;

	(void)state;
	spb_alloc(&arena, 1); /* the first chunk */
	meter.count = meter.fail_at = 0;
	assert_false(caught(&context, sort_falling, &none));
	assert_false(caught(&context, sort_falling, &few));
	assert_true(caught(&context, sort_falling, &many));
	assert_false(caught(&context, sort_falling, &many)); /* it failed once */
}

static void lower_bound_is_the_first_not_less(void **state)
{
	const uint32_t items[] = {1, 3, 3, 3, 5};
	const size_t bounds[] = {0, 0, 1, 1, 4, 4, 5};

	(void)state;
	for (uint32_t wanted = 0; wanted < SPB_COUNT(bounds); wanted++)
		assert_int_equal(spb_lower_bound(items, SPB_COUNT(items), sizeof *items, &wanted, by_word),
				 bounds[wanted]);
	assert_int_equal(spb_lower_bound(items, 0, sizeof *items, &items[4], by_word), 0);
}

static const char *letter(uint32_t i)
{
	static const char *const letters[] = {"a", "b", "c", "d"};

	return letters[i];
}

static void texts_are_concatenated(void **state)
{
	static const char *const names[] = {"x", "a\"b\\", "\n\x01", "0123456\t", ""};
	const uint32_t numbers[] = {0, 9, 10, 19, 90, 99, 100, 999, 1000, UINT32_MAX};
	struct spb_text_buffer text = {.arena = &arena};
	struct spb_json json = {.text = {.arena = &arena}};

	(void)state;
	memset(spb_alloc(&arena, 4000), 'x', 4000); /* fill it, so that nothing is zero by chance */
	spb_arena_reset(&arena);
	spb_text_format(&text, "%s|%u|%u|%u|%x|%x|%x|%c|%%", "a", 0u, 10u, UINT32_MAX, 0u, 0x1F0u, 0xABCDEF98u, '!');
	spb_text_number(&text, UINT64_MAX);
	spb_text_add(&text, "xyz", 2);
	assert_string_equal(spb_text_end(&text), "a|0|10|4294967295|0|1f0|abcdef98|!|%18446744073709551615xy");
	spb_json_names(&json, names, SPB_COUNT(names));
	spb_json_numbers(&json, numbers, SPB_COUNT(numbers));
	spb_json_bits(&json, 11, 4, letter);
	spb_json_bits(&json, 4, 4, letter);
	spb_json_bits(&json, 0xFFFFFFF0, 4, letter); /* these have no names */
	assert_string_equal(spb_text_end(&json.text), "\"x\", \"a\\\"b\\\\\", \"\\u000a\\u0001\", \"0123456\\u0009\", "
						      "\"\"]0, 9, 10, 19, 90, 99, 100, 999, 1000, 4294967295]"
						      "\"a\", \"b\", \"d\"]\"c\"]]");
	assert_int_equal(json.text.count, strlen(json.text.items)); /* the end does not count */
	struct spb_json plain = {.text = {.arena = &arena}};
	spb_json_string(&plain, "a text of which all bytes are plain");
	spb_json_string(&plain, "sixteen of them, \"");
	assert_string_equal(spb_text_end(&plain.text), "\"a text of which all bytes are plain\""
						       "\"sixteen of them, \\\"\"");
	struct spb_text_buffer empty = {.arena = &arena};
	assert_string_equal(spb_text_end(&empty), "");
	assert_string_equal(spb_base_name("a/b\\c.d"), "c.d");
	assert_string_equal(spb_base_name("a/"), "");
	assert_string_equal(spb_base_name("c"), "c");
	assert_string_equal(spb_copy_text(&arena, "abc", 2), "ab");
}

static struct spb_json json_of(void)
{
	return (struct spb_json){.text = {.arena = &arena}, .row = 1};
}

/* A JSON string (RFC 8259, 7), byte by byte; '?' for invalid UTF-8. */
static void put_naively(char *to, const char *text, size_t length, bool valid)
{
	to += sprintf(to, "\"");
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c == '"' || c == '\\')
			to += sprintf(to, "\\%c", c);
		else if (c < 0x20 || c == 0x7F)
			to += sprintf(to, "\\u%04x", c);
		else
			to += sprintf(to, "%c", c < 0x80 || valid ? c : '?');
	}
	sprintf(to, "\"");
}

static void assert_string(const char *text, size_t length, bool valid)
{
	struct spb_json json = json_of();
	char wanted[200];

	put_naively(wanted, text, length, valid);
	spb_json_string(&json, text);
	assert_string_equal(spb_text_end(&json.text), wanted);
}

/* Each byte at each position of a text that is written eight bytes at a time. */
static void bytes_are_escaped_for_json(void **state)
{
	(void)state;
	for (size_t length = 0; length < 19; length++) {
		for (size_t at = 0; at < length; at += length < 10 ? 1 : 3) {
			for (unsigned byte = 1; byte < 256; byte++) {
				char text[20] = "ab defghijk mnopqrs";
				text[length] = '\0';
				text[at] = (char)byte;
				assert_string(text, length, false);
			}
		}
		assert_string(&"ab defghijk mnopqrs"[19 - length], length, false);
	}
}

/* Encodes a code point in so many bytes, possibly more than needed. */
static void encode(char *to, uint32_t point, size_t length)
{
	static const unsigned char leads[] = {0, 0, 0xC0, 0xE0, 0xF0};

	to[length] = '\0';
	for (size_t i = length; --i; point >>= 6)
		to[i] = (char)(0x80 | (point & 0x3F));
	to[0] = (char)(leads[length] | point);
}

/* RFC 3629: the shortest form, no surrogates, nothing above U+10FFFF; and complete. */
/* With a comma between items, and none before the first. */
static void lists_have_their_separators(void **state)
{
	static const char *const names[] = {"a", "b<", "c"};
	static const uint32_t numbers[] = {1, 22, 333};
	static const char *const wanted[][4] = {
	    {"]", "\"a\"]", "\"a\", \"b<\"]", "\"a\", \"b<\", \"c\"]"},
	    {"]", "\"a\"]", "\"a\", \"b<\"]", "\"a\", \"b<\", \"c\"]"},
	    {"]", "1]", "1, 22]", "1, 22, 333]"},
	    {"]", "\"a\"]", "\"a\", \"b\"]", "\"a\", \"b\", \"c\"]"},
	};

	(void)state;
	for (size_t count = 0; count < 4; count++) {
		struct spb_json json = json_of();
		spb_json_names(&json, names, count);
		assert_string_equal(spb_text_end(&json.text), wanted[0][count]);
		json = json_of();
		spb_json_words(&json, names, count);
		assert_string_equal(spb_text_end(&json.text), wanted[1][count]);
		json = json_of();
		spb_json_numbers(&json, numbers, count);
		assert_string_equal(spb_text_end(&json.text), wanted[2][count]);
		json = json_of();
		spb_json_bits(&json, (1u << count) - 1, 3, letter);
		assert_string_equal(spb_text_end(&json.text), wanted[3][count]);
	}
}

static void invalid_utf8_becomes_a_question_mark(void **state)
{
	static const uint32_t points[] = {0x80,     0x7FF,    0x800,  0xFFF,  0x1000,   0xCFFF,  0xD000,  0xD7FF,
					  0xD800,   0xDFFF,   0xE000, 0xFFFF, 0x10000,  0x3FFFF, 0x40000, 0xFFFFF,
					  0x100000, 0x10FFFF, 0x41,   0xBF,   0x110000, 0x13FFFF};
	char text[20];

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(points); i++) {
		const uint32_t point = points[i];
		const size_t shortest = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
		for (size_t length = shortest < 2 ? 2 : shortest; length <= 4; length++) {
			bool valid = length == shortest && point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
			encode(text, point, length);
			assert_string(text, length, valid);
			for (size_t k = 1; k < length; k++) { /* one byte is replaced, or the text ends there */
				char old = text[k];
				for (size_t n = 0; n < 3; n++) {
					text[k] = "\x7E\xC0\0"[n];
					assert_string(text, n < 2 ? length : k, false);
				}
				text[k] = old;
			}
		}
	}
	for (unsigned lead = 0x80; lead < 256; lead++) { /* nothing begins with these */
		for (size_t n = 0; n < 5 && (lead < 0xC2 || lead >= 0xF5); n++) {
			memcpy(text, "\0\x90\x80\x80\x80", 6);
			text[0] = (char)lead;
			text[1 + n] = '\0';
			assert_string(text, 1 + n, false);
		}
	}
}

/* Deep lists and objects, on separate lines and on one line. */
static void json_is_indented_by_its_depth(void **state)
{
	static const char *const names[] = {"a"};
	const uint32_t numbers[] = {7};
	struct spb_json json = json_of();

	(void)state;
	spb_json_open(&json, '{');
	spb_json_number_key(&json, "nine", 9);
	spb_json_number_key(&json, "ten", 10);
	spb_json_string_key(&json, "text", "\"");
	spb_json_word_key(&json, "word", "w");
	spb_json_bool_key(&json, "yes", true);
	spb_json_bool_key(&json, "no", false);
	spb_json_count_key(&json, 3);
	spb_json_count_key(&json, 0);
	spb_json_numbers_key(&json, "numbers", numbers, 1);
	spb_json_name_list(&json, "names", names, 1);
	spb_json_bits_key(&json, "bits", 2, 4, letter);
	spb_json_key(&json, "list");
	spb_json_open(&json, '[');
	spb_json_item(&json, '{');
	spb_json_close(&json, '}', true);
	spb_json_item(&json, '{');
	spb_json_key(&json, "x");
	spb_json_open(&json, '[');
	spb_json_close(&json, ']', true);
	spb_json_close(&json, '}', false);
	spb_json_comma(&json);
	spb_json_line(&json);
	spb_json_string(&json, "end");
	spb_json_close(&json, ']', true);
	spb_json_close(&json, '}', true);
	assert_string_equal(spb_text_end(&json.text),
			    "{\n  \"nine\": 9,\n  \"ten\": 10,\n  \"text\": \"\\\"\",\n  \"word\": \"w\",\n"
			    "  \"yes\": true,\n  \"no\": false,\n  \"count\": 3,\n  \"count\": null,\n"
			    "  \"numbers\": [7],\n  \"names\": [\"a\"],\n  \"bits\": [\"b\"],\n  \"list\": [\n    {},\n"
			    "    {\n      \"x\": []},\n    \"end\"\n  ]\n}");

	for (unsigned depth = 1; depth + 1 < SPB_JSON_DEPTH; depth++) {
		char wanted[2000], *to = wanted;
		json = json_of();
		for (unsigned i = 0; i < depth; i++) {
			spb_json_item(&json, '[');
			to += sprintf(to, "\n%*s[", (int)(2 * i), "");
		}
		spb_json_line(&json);
		to += sprintf(to, "\n%*s", (int)(2 * depth), "");
		json.row &= ~1u; /* something has been written there */
		for (unsigned i = depth; i--;) {
			spb_json_close(&json, ']', i % 3 != 0);
			to += i % 3 ? sprintf(to, "\n%*s]", (int)(2 * i), "") : sprintf(to, "]");
		}
		spb_json_item(&json, '{'); /* the next one */
		sprintf(to, ",\n{");
		assert_string_equal(spb_text_end(&json.text), wanted);
	}
}

static void equal_names_are_kept_once(void **state)
{
	struct spb_names names = {0};
	const char *kept[300];
	char name[16];

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 300; i++) {
			int length = snprintf(name, sizeof name, "n%d rest", i) - 5;
			const char *found = spb_keep_name(&names, &arena, name, (size_t)length);
			assert_int_equal(strlen(found), length);
			assert_memory_equal(found, name, (size_t)length);
			if (round)
				assert_ptr_equal(found, kept[i]);
			kept[i] = found;
		}
	}
}

static void patterns(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool matches;
	} rows[] = {{"", "", true},          {"", "a", false},     {"*", "", true},      {"*", "abc", true},
		    {"?", "", false},        {"?", "a", true},     {"?", "ab", false},   {"a*", "a", true},
		    {"a*", "ba", false},     {"*a", "ba", true},   {"*a", "bab", false}, {"a*b*c", "aXbYbZc", true},
		    {"a*b*c", "acb", false}, {"*ab", "aab", true}, {"**a**", "a", true}, {"a?c", "abc", true},
		    {"a?c", "ac", false},    {"abc", "ab", false}, {"ab", "abc", false}, {"*?", "a", true},
		    {"*?", "", false}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++)
		assert_int_equal(spb_glob(rows[i].pattern, rows[i].text), rows[i].matches);
}

/* Gaps against one flag for each number. */

enum { NUMBERS = 48 };

/* The first of `length` consecutive free numbers from `least` on; NUMBERS: there are none. */
static uint64_t naive_take(bool *is_free, uint64_t least, uint64_t length)
{
	for (uint64_t i = least; i + length <= NUMBERS; i++) {
		uint64_t k = 0;
		while (k < length && is_free[i + k])
			k++;
		if (k < length)
			continue;
		memset(is_free + i, false, length);
		return i;
	}
	return NUMBERS;
}

static void take_at_random(struct spb_gaps *g, bool *is_free, const uint64_t *cuts, size_t cut_count, uint32_t *random)
{
	for (int turn = 0; turn < 20; turn++) {
		const uint64_t length = 1 + next_random(random) % (turn < 10 ? 9 : 3);
		const size_t from = next_random(random) % (cut_count + 1);
		const uint64_t least = from ? cuts[from - 1] : 0, expected = naive_take(is_free, least, length);
		uint64_t first = NUMBERS;
		assert_int_equal(spb_gaps_take(g, &arena, least, length, &first), expected < NUMBERS);
		assert_int_equal(first, expected);
	}
	for (int turn = 0; turn < 2; turn++) { /* the second time, nothing is free after the last cut */
		uint64_t expected = NUMBERS, first = NUMBERS;
		while (expected > (cut_count ? cuts[cut_count - 1] : 0) && is_free[expected - 1])
			is_free[--expected] = false;
		assert_int_equal(spb_gaps_take_rest(g, &arena, NUMBERS, &first), expected < NUMBERS);
		assert_int_equal(first, expected);
	}
}

static void gaps_are_filled_from_the_start(void **state)
{
	struct spb_gaps g = {0};
	uint64_t cuts[NUMBERS];
	uint32_t random = 1;

	(void)state;
	for (int round = 0; round < 600; round++) {
		bool is_free[NUMBERS] = {false};
		size_t cut_count = 0;
		for (uint64_t i = 1; i < NUMBERS; i++) {
			if (!next_random(&random) % (round % 3 ? 9 : 40))
				cuts[cut_count++] = i;
		}
		g.cuts = cuts;
		g.cut_count = cut_count;
		spb_gaps_begin(&g);
		for (uint64_t begin = next_random(&random) % 4, end; begin < NUMBERS;
		     begin = end + next_random(&random) % 5) {
			end = begin + next_random(&random) % (round % 2 ? 12 : 30);
			end = end < NUMBERS ? end : NUMBERS;
			memset(is_free + begin, true, end - begin);
			spb_gaps_add(&g, &arena, begin, end);
		}
		take_at_random(&g, is_free, cuts, cut_count, &random);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(digests_match_other_implementations),
	    TEST(hashes_are_stable_across_versions),
	    TEST(sorting_is_stable_and_keeps_no_memory),
	    TEST(ascending_runs_stay_in_order),
	    TEST(many_numbers_are_not_sorted_by_insertion),
	    TEST(lower_bound_is_the_first_not_less),
	    TEST(texts_are_concatenated),
	    TEST(bytes_are_escaped_for_json),
	    TEST(lists_have_their_separators),
	    TEST(invalid_utf8_becomes_a_question_mark),
	    TEST(json_is_indented_by_its_depth),
	    TEST(equal_names_are_kept_once),
	    TEST(patterns),
	    TEST(gaps_are_filled_from_the_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
