/* SPDX-License-Identifier: Apache-2.0 */
/* What everything is made of: arenas, sorting, hashes, texts and patterns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/layout/gaps.h"
#include "base/base.h"
#include "base/blake2.h"
#include "base/glob.h"
#include "base/json.h"
#include "caught.h"
#include "metered.h"

static struct meter meter;
static spb_context context;
static struct spb_arena arena;

static int begin(void **state)
{
	(void)state;
	meter = (struct meter){.fail_at = -1};
	context = (spb_context){.allocator = {metered, &meter}};
	arena = (struct spb_arena){.context = &context};
	return 0;
}

static int end(void **state)
{
	(void)state;
	spb_arena_release(&arena);
	spb_drop_kept(&context);
	return meter.out != 0;
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* The digests are those of Python's hashlib.blake2b(data, digest_size=32). */
static void digests_are_those_of_others(void **state)
{
	static const struct {
		size_t size;
		const char *begins;
	} rows[] = {{0, "0e5751c026e543b2"},   {1, "ee155ace9c402920"},   {64, "bb447dddb2721745"},
		    {127, "f609ab2904b340cd"}, {128, "0702c64922fb7635"}, {129, "490091b32bad7b33"},
		    {255, "b579b3e762db9a4a"}, {256, "3d0cb2693dfbac42"}, {257, "080f7f2ee61cc8ff"},
		    {1000, "a2ae1ecc90361e0b"}};
	unsigned char data[1000], digest[DIGEST], again[DIGEST];
	char text[17];

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		for (size_t k = 0; k < rows[i].size; k++)
			data[k] = (unsigned char)(k * 7 + rows[i].size);
		spb_blake2(data, rows[i].size, digest);
		for (size_t k = 0; k < 8; k++)
			snprintf(text + 2 * k, 3, "%02x", digest[k]);
		assert_string_equal(text, rows[i].begins);
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

/* A table is the same on every machine, so the numbers are, too. */
static void hashes_stay_what_they_are(void **state)
{
	static const char bytes[] = "0123456789abcdefXYZ";
	uint64_t all[20], mixed = spb_hash_mix(1, 2);

	(void)state;
	assert_int_equal(mixed, spb_hash_mix(1, 2));
	assert_int_not_equal(mixed, spb_hash_mix(2, 1));
	for (size_t i = 0; i < 20; i++) { /* each byte and the length count, and nothing behind them does */
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

/* Sorts as a naive insertion does: stable, nothing beyond the items, no memory kept. by: 0: a byte; else words. */
static void sort_some(size_t count, size_t size, unsigned by, uint32_t *seed)
{
	static unsigned char items[MOST * 32 + GUARD], wanted[MOST * 32], one[32];
	struct spb_mark before = spb_arena_mark(&arena), after;
	size_t places = 0;

	for (size_t i = 0; i < count * size; i++)
		items[i] = (unsigned char)(next_random(seed) % 5);
	for (size_t i = 0; i < count; i++)
		items[i * size + size - 1] = (unsigned char)i; /* tells equal ones apart */
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
	assert_true(before.head == after.head && before.next == after.next && before.used == after.used);
}

static void sorting_is_stable_and_keeps_no_memory(void **state)
{
	static const size_t sizes[] = {4, 8, 12, 16, 20, 24, 28}, counts[] = {0, 1, 2, 3, 5, 23, 24, 25, 26, 119};
	uint32_t seed = 5;

	(void)state;
	spb_alloc(&arena, 100);
	for (size_t i = 0; i < SPB_COUNT(sizes); i++) {
		for (size_t k = 0; k < SPB_COUNT(counts); k++) {
			for (unsigned by = 0; by * 4 <= sizes[i]; by++)
				sort_some(counts[k], sizes[i], by, &seed);
		}
	}
}

static void a_bound_is_the_first_that_is_not_below(void **state)
{
	const uint32_t items[] = {1, 3, 3, 3, 5};
	const size_t bounds[] = {0, 0, 1, 1, 4, 4, 5};

	(void)state;
	for (uint32_t wanted = 0; wanted < SPB_COUNT(bounds); wanted++)
		assert_int_equal(spb_lower_bound(items, SPB_COUNT(items), sizeof *items, &wanted, by_word),
				 bounds[wanted]);
	assert_int_equal(spb_lower_bound(items, 0, sizeof *items, &items[4], by_word), 0);
}

static const size_t half = (size_t)1 << sizeof(size_t) * 4;

static void too_much(void *number)
{
	switch (*(int *)number) {
	case 0:
		spb_alloc(&arena, SIZE_MAX);
		break;
	case 1:
		spb_alloc_array(&arena, half, half); /* whose product is 0 */
		break;
	case 2:
		spb_alloc_array(&arena, 2, SIZE_MAX / 2 + 2);
		break;
	case 3:
		spb_alloc_array(&arena, SIZE_MAX / 2 + 2, 2);
		break;
	case 4:
		spb_alloc_zeroed(&arena, half, half);
		break;
	case 5:
		spb_alloc_zeroed(&arena, 1 << 20, 4); /* nobody has such memory */
		break;
	default:
		spb_alloc_array(&arena, 0, SIZE_MAX); /* that is nothing */
		break;
	}
}

static size_t asked_for;

static void *no_zeroed(size_t size)
{
	asked_for = size;
	return NULL;
}

static void too_much_is_no_memory(void **state)
{
	(void)state;
	context.new_zeroed = no_zeroed;
	for (int number = 0; number < 6; number++) {
		context.status = SPB_OK;
		assert_true(caught(&context, too_much, &number));
		assert_int_equal(context.status, SPB_ERROR_OUT_OF_MEMORY);
	}
	assert_true(asked_for >= 4 << 20 && asked_for < 5 << 20);
	int nothing = 6;
	assert_false(caught(&context, too_much, &nothing));
	asked_for = 0;
	const uint32_t *few = spb_alloc_zeroed(&arena, 1 << 10, 4); /* small ones come from the arena */
	assert_int_equal(asked_for, 0);
	for (size_t i = 0; i < 1 << 10; i++)
		assert_int_equal(few[i], 0);
}

static void what_is_allocated_is_aligned_apart_and_given_back(void **state)
{
	enum { COUNT = 400 };
	unsigned char *all[COUNT];
	uint32_t seed = 3;
	struct spb_mark mark = {0};
	size_t out = 0;

	(void)state;
	for (unsigned i = 0; i < COUNT; i++) {
		size_t size = next_random(&seed) % (i % 10 ? 200 : 90000);
		if (i == COUNT / 2) {
			mark = spb_arena_mark(&arena);
			spb_drop_kept(&context);
			out = meter.out;
		}
		all[i] = spb_alloc(&arena, size + 1);
		assert_int_equal((uintptr_t)all[i] % sizeof(void *), 0);
		memset(all[i], (int)(i % 251), size + 1);
		all[i][size] = 255; /* the end */
	}
	for (unsigned i = 0; i < COUNT; i++) {
		const unsigned char *at = all[i];
		while (*at == i % 251)
			at++;
		assert_int_equal(*at, 255);
	}
	spb_arena_rewind(&arena, mark);
	spb_drop_kept(&context);
	assert_int_equal(meter.out, out);
	struct spb_mark after = spb_arena_mark(&arena);
	assert_true(mark.head == after.head && mark.next == after.next && mark.used == after.used);
	spb_arena_reset(&arena); /* one chunk stays, for the next pass */
	spb_drop_kept(&context);
	assert_true(meter.out > 0 && meter.out <= 64 * 1024);
	long count = meter.count;
	spb_alloc(&arena, 100);
	assert_int_equal(meter.count, count);
}

/* Lists of every element size keep what is in them while they grow, also when others grow between. */
static void lists_grow(void **state)
{
	SPB_LIST(uint32_t) a = {0}, b = {0};

	(void)state;
	for (uint32_t i = 0; i < 200000; i++) {
		SPB_PUSH(&arena, &a, i);
		if (i % 3 == 0)
			SPB_PUSH(&arena, &b, ~i);
		assert_true(a.count <= a.capacity && b.count <= b.capacity);
	}
	for (uint32_t i = 0; i < 200000; i++) {
		assert_int_equal(a.items[i], i);
		if (i % 3 == 0)
			assert_int_equal(b.items[i / 3], ~i);
	}
	size_t capacity = 0;
	char *text = spb_reserve(&arena, NULL, 0, 17, &capacity, 1); /* more than a first list has */
	assert_int_equal(capacity, 32);
	assert_ptr_equal(spb_reserve(&arena, text, 15, 17, &capacity, 1), text);
	assert_int_equal(capacity, 32);
	spb_reserve(&arena, text, 16, 17, &capacity, 1);
	assert_int_equal(capacity, 64);
}

static const char *letter(uint32_t i)
{
	static const char *const letters[] = {"a", "b", "c", "d"};

	return letters[i];
}

static void texts_are_what_is_put_together(void **state)
{
	static const char *const names[] = {"x", "a\"b\\", "\n\x01", "0123456\t", ""};
	const uint32_t numbers[] = {0, 9, 10, UINT32_MAX};
	struct spb_text_buffer text = {.arena = &arena};
	struct spb_json json = {.text = {.arena = &arena}};

	(void)state;
	spb_text_format(&text, "%s|%u|%u|%u|%x|%x|%x|%c|%%", "a", 0u, 10u, UINT32_MAX, 0u, 0x1F0u, 0xABCDEF98u, '!');
	spb_text_number(&text, UINT64_MAX);
	spb_text_add(&text, "xyz", 2);
	assert_string_equal(spb_text_end(&text), "a|0|10|4294967295|0|1f0|abcdef98|!|%18446744073709551615xy");
	spb_json_names(&json, names, SPB_COUNT(names));
	spb_json_numbers(&json, numbers, SPB_COUNT(numbers));
	spb_json_bits(&json, 11, 4, letter);
	spb_json_bits(&json, 4, 4, letter);
	spb_json_bits(&json, 0xFFFFFFF0, 4, letter); /* no name is known for these */
	assert_string_equal(spb_text_end(&json.text),
			    "\"x\", \"a\\\"b\\\\\", \"\\u000a\\u0001\", \"0123456\\u0009\", \"\"]0, 9, 10, 4294967295]"
			    "\"a\", \"b\", \"d\"]\"c\"]]");
	assert_string_equal(spb_base_name("a/b\\c.d"), "c.d");
	assert_string_equal(spb_base_name("a/"), "");
	assert_string_equal(spb_base_name("c"), "c");
	assert_string_equal(spb_copy_text(&arena, "abc", 2), "ab");
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
	assert_true(spb_is_glob("a?") && spb_is_glob("*"));
	assert_false(spb_is_glob("a.b") || spb_is_glob(""));
}

/* Gaps against one flag for each number. */

enum { NUMBERS = 48 };

/* The first of `length` free numbers in a row from `least` on; NUMBERS: there are none. */
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
	for (int turn = 0; turn < 2; turn++) { /* the second time, nothing is left behind the last cut */
		uint64_t expected = NUMBERS, first = NUMBERS;
		while (expected > (cut_count ? cuts[cut_count - 1] : 0) && is_free[expected - 1])
			is_free[--expected] = false;
		assert_int_equal(spb_gaps_take_rest(g, &arena, NUMBERS, &first), expected < NUMBERS);
		assert_int_equal(first, expected);
	}
}

static void gaps_are_filled_from_their_beginning(void **state)
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
	    TEST(digests_are_those_of_others),
	    TEST(hashes_stay_what_they_are),
	    TEST(sorting_is_stable_and_keeps_no_memory),
	    TEST(a_bound_is_the_first_that_is_not_below),
	    TEST(too_much_is_no_memory),
	    TEST(what_is_allocated_is_aligned_apart_and_given_back),
	    TEST(lists_grow),
	    TEST(texts_are_what_is_put_together),
	    TEST(equal_names_are_kept_once),
	    TEST(patterns),
	    TEST(gaps_are_filled_from_their_beginning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
