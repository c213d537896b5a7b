/* SPDX-License-Identifier: Apache-2.0 */
/* Arenas: what they allocate, keep and return, and their calls of the allocator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "caught.h"
#include "in_arena.h"

static size_t asked_for;
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
		spb_alloc_zeroed(&arena, SIZE_MAX - 1000, 1); /* exceeds SIZE_MAX with its header */
		break;
	case 6:
		asked_for = 0;
		spb_alloc_zeroed(&arena, 1 << 20, 4); /* larger than any memory */
		break;
	default:
		spb_alloc_array(&arena, 0, SIZE_MAX); /* that is nothing */
		break;
	}
}

static void *no_zeroed(struct spb_context *c, size_t size)
{
	(void)c;
	asked_for = size;
	return NULL;
}

static void oversized_requests_fail(void **state)
{
	(void)state;
	context.new_zeroed = no_zeroed;
	asked_for = 0;
	for (int number = 0; number < 7; number++) {
		context.status = SPB_OK;
		assert_true(caught(&context, too_much, &number));
		assert_int_equal(context.status, SPB_ERROR_OUT_OF_MEMORY);
		assert_true(number == 6 || !asked_for);
	}
	assert_true(asked_for >= 4 << 20 && asked_for < 5 << 20);
	int nothing = 7;
	assert_false(caught(&context, too_much, &nothing));
	asked_for = 0;
	const uint32_t *few = spb_alloc_zeroed(&arena, 1 << 10, 4); /* small ones come from the arena */
	assert_int_equal(asked_for, 0);
	for (size_t i = 0; i < 1 << 10; i++)
		assert_int_equal(few[i], 0);
}

static void allocations_are_aligned_disjoint_and_freed(void **state)
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

/* The calls of the allocator, one by one. */
enum { MOST_ASKED = 64 };
static struct {
	size_t old, size;
} asked[MOST_ASKED];
static size_t asked_count;

static void *noted(void *user, void *p, size_t old_size, size_t new_size)
{
	assert_true(asked_count < MOST_ASKED);
	asked[asked_count].old = old_size;
	asked[asked_count++].size = new_size;
	return metered(user, p, old_size, new_size);
}

struct header { /* of a chunk */
	void *next;
	size_t size, used;
	max_align_t memory[];
};

enum { HEAD = sizeof(struct header), UNIT = _Alignof(max_align_t), KIB = 1024, CHUNK = 64 * KIB };

#if defined __SANITIZE_ADDRESS__
#define SANITIZED true
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

/* With AddressSanitizer, zones separate requests, and nothing is kept or grows, so sizes differ. */
static bool begin_asking(void)
{
	context.allocator.resize = noted;
	asked_count = 0;
	return !SANITIZED;
}

static void assert_asked(size_t old, size_t size)
{
	assert_true(asked_count > 0);
	assert_int_equal(asked[0].old, old);
	assert_int_equal(asked[0].size, size);
	memmove(asked, asked + 1, --asked_count * sizeof *asked);
}

/* An arena whose chunks begin with so many bytes, or 0. */
static struct spb_arena another(uint32_t next)
{
	return (struct spb_arena){.context = &context, .next = next};
}

static void chunks_fit_their_contents(void **state)
{
	enum { LEFT = CHUNK - HEAD, QUARTER = CHUNK / 4, MOST_REQUESTS = 7 };
	static const struct {
		uint32_t next;
		size_t requests[MOST_REQUESTS], asked[MOST_REQUESTS]; /* 0: the allocator is not called */
	} rows[] = {
	    {0, {1, LEFT - UNIT, 1}, {CHUNK, 0, CHUNK}},
	    {0, {1, LEFT - UNIT + 1, 1}, {CHUNK, HEAD + LEFT, 0}},
	    {0, {LEFT - QUARTER, QUARTER, UNIT}, {HEAD + LEFT - QUARTER, CHUNK, 0}},
	    {0, {UNIT, LEFT - QUARTER, QUARTER + 1, QUARTER - UNIT}, {CHUNK, 0, HEAD + QUARTER + UNIT, 0}},
	    {0, {QUARTER, 2 * QUARTER, QUARTER + 1, QUARTER}, {CHUNK, 0, HEAD + QUARTER + UNIT, CHUNK}},
	    {0, {QUARTER + 1, 1, 100 * KIB, 1}, {HEAD + QUARTER + UNIT, CHUNK, HEAD + 100 * KIB, 0}},
	    {KIB, {1, KIB - HEAD, 1, 2 * KIB}, {KIB, HEAD + KIB - HEAD, 0, HEAD + 2 * KIB}},
	    {KIB, {256, 256, 256, 256}, {KIB, 0, 0, 2 * KIB}},
	    {KIB, {257, 256, 1}, {HEAD + 256 + UNIT + 256, 0, KIB}},
	    {16 * KIB,
	     {4 * KIB, 8 * KIB, 8 * KIB, 16 * KIB, 16 * KIB, 40 * KIB, 16 * KIB},
	     {16 * KIB, 0, 32 * KIB, 0, 64 * KIB, 0, 64 * KIB}},
	};

	(void)state;
	if (!begin_asking())
		return;
	const char *copy = spb_copy_text(&arena, "0123456789abcdef0123456789abcdef", UNIT); /* and its end */
	assert_ptr_equal((char *)spb_alloc(&arena, 1), copy + 2 * UNIT);
	asked_count = 0;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct spb_arena one = another(rows[i].next);
		for (size_t k = 0; k < MOST_REQUESTS && rows[i].requests[k]; k++) {
			spb_alloc(&one, rows[i].requests[k]);
			assert_int_equal(asked_count, rows[i].asked[k] != 0);
			if (asked_count)
				assert_asked(0, rows[i].asked[k]);
		}
		spb_arena_release(&one);
		spb_drop_kept(&context);
		asked_count = 0;
	}
}

/* An arena with one chunk of so many bytes. */
static struct spb_arena with_chunk(uint32_t size)
{
	struct spb_arena one = another(size);

	spb_alloc(&one, 1);
	return one;
}

/* The context keeps the last eight small chunks, and reuses one unless it is twice as large as needed. */
static void small_chunks_are_kept_for_the_next_program(void **state)
{
	enum { MOST_KEPT = 8 };
	struct spb_arena all[MOST_KEPT + 2];

	(void)state;
	if (!begin_asking())
		return;
	for (uint32_t i = 0; i < SPB_COUNT(all); i++)
		all[i] = with_chunk((uint32_t)KIB << (i < 7 ? i : 0)); /* 1 KiB to 64, and three of 1 */
	asked_count = 0;
	for (uint32_t i = 0; i < SPB_COUNT(all); i++) {
		assert_int_equal(asked_count, i > MOST_KEPT);
		spb_arena_release(&all[i]);
	}
	assert_asked(KIB, 0); /* the oldest */
	assert_asked(2 * KIB, 0);
	assert_int_equal(context.kept_count, MOST_KEPT);

	struct spb_arena one = another(0), other = another(0);
	spb_alloc(&one, 1); /* 64 KiB, after three others */
	assert_int_equal(asked_count, 0);
	spb_alloc(&one, CHUNK); /* too large to be kept */
	assert_asked(0, HEAD + CHUNK);
	spb_arena_release(&one);
	assert_asked(HEAD + CHUNK, 0);
	assert_int_equal(asked_count, 0);
	assert_int_equal(context.kept_count, MOST_KEPT);

	spb_alloc(&one, CHUNK - HEAD + 1); /* slightly larger than any */
	assert_asked(0, CHUNK + UNIT);
	spb_alloc(&other, CHUNK - HEAD); /* as large as one */
	assert_int_equal(asked_count, 0);
	spb_arena_release(&one);
	assert_asked(CHUNK + UNIT, 0);
	spb_arena_release(&other);
	one = with_chunk(16 * KIB);
	other = with_chunk(16 * KIB); /* takes twice as much */
	assert_int_equal(asked_count, 0);
	spb_arena_release(&one);
	spb_arena_release(&other);
	one = another(KIB);
	spb_alloc(&one, 32 * KIB - UNIT - HEAD - 256); /* half of 64 KiB is more than that and its room */
	assert_int_equal(asked_count, 0);
	spb_alloc(&one, 16 * KIB - UNIT - HEAD);
	assert_int_equal(asked_count, 0);
	spb_arena_release(&one);

	spb_drop_kept(&context);
	assert_int_equal(asked_count, MOST_KEPT);
	assert_int_equal(context.kept_count, 0);
	assert_null(context.kept);
	asked_count = 0;
	one = with_chunk(4 * KIB);
	spb_arena_release(&one);
	asked_count = 0;
	one = another(KIB);
	spb_alloc(&one, 2 * KIB - UNIT - HEAD - 256); /* the one of 4 KiB is twice as large */
	assert_asked(0, 2 * KIB - UNIT);
	spb_arena_release(&one);
}

static void fill(char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = (char)(i % 101);
}

/* Makes room for one more byte, and returns whether the list has not moved. Its contents stay. */
static bool grows(struct spb_arena *one, char **list, size_t *capacity)
{
	size_t before = *capacity;
	uintptr_t place = (uintptr_t)*list;

	fill(*list, before);
	*list = spb_reserve(one, *list, before, 1, capacity, 1);
	assert_int_equal(*capacity, 2 * before);
	for (size_t i = 0; i < before; i++)
		assert_int_equal((*list)[i], i % 101);
	return (uintptr_t)*list == place;
}

/* A list at the end of a chunk grows in place, if there is room; otherwise it is copied. */
static void the_last_list_of_a_chunk_grows_where_it_is(void **state)
{
	enum { BYTES = 8 * KIB };

	(void)state;
	if (!begin_asking())
		return;
	for (int less = -1; less <= 1; less++) { /* less room than it needs, in units */
		struct spb_arena one = another(0);
		size_t capacity = BYTES, before = (size_t)(CHUNK - HEAD - UNIT - 2 * BYTES + less * UNIT);
		spb_alloc(&one, 1);
		spb_alloc(&one, before);
		char *list = spb_alloc(&one, BYTES);
		asked_count = 0;
		assert_int_equal(grows(&one, &list, &capacity), less <= 0);
		assert_int_equal(asked_count, less > 0);
		spb_alloc(&one, less < 0 ? UNIT : 0); /* the rest of the chunk */
		assert_int_equal(asked_count, less > 0);
		spb_arena_release(&one);
		spb_drop_kept(&context);
		asked_count = 0;
	}
	struct spb_arena one = another(0);
	size_t capacity = BYTES;
	char *list = spb_alloc(&one, BYTES), *behind = spb_alloc(&one, 1);
	assert_false(grows(&one, &list, &capacity));
	assert_ptr_equal(list, behind + UNIT);
	spb_arena_release(&one);

	char elsewhere[BYTES]; /* is copied when it grows, and the first chunk is made then */
	list = elsewhere;
	capacity = BYTES;
	assert_false(grows(&one, &list, &capacity));
	spb_arena_release(&one);
}

/* A large list with its own chunk is resized, unless that chunk comes after too many others. */
static void large_lists_grow_by_the_allocator(void **state)
{
	static const struct {
		size_t bytes;
		int others; /* chunks before its own, apart from the one being filled */
		bool resized;
	} rows[] = {{16 * KIB, 0, true},   {16 * KIB - UNIT, 0, false}, {16 * KIB, 15, true},
		    {16 * KIB, 16, false}, {20 * KIB, 19, true},        {20 * KIB, 20, false}};

	(void)state;
	if (!begin_asking())
		return;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct spb_arena one = another(KIB);
		size_t capacity = rows[i].bytes;
		spb_alloc(&one, 1);
		char *list = spb_alloc(&one, capacity);
		for (int k = 0; k < rows[i].others; k++)
			spb_alloc(&one, rows[i].bytes);
		char *small = spb_alloc(&one, 8);
		memset(small, 'x', 8);
		asked_count = 0;
		grows(&one, &list, &capacity);
		assert_asked(rows[i].resized ? HEAD + rows[i].bytes : 0, HEAD + 2 * rows[i].bytes);
		grows(&one, &list, &capacity);
		assert_asked(HEAD + 2 * rows[i].bytes, HEAD + 4 * rows[i].bytes);
		assert_memory_equal(small, "xxxxxxxx", 8);
		assert_ptr_equal((char *)spb_alloc(&one, 8),
				 small + UNIT); /* that chunk is still the one being filled */
		asked_count = 0;
		spb_arena_release(&one);
		spb_drop_kept(&context);
		asked_count = 0;
	}

	/* A list that fills only a part of its own chunk, or is the first of many in one. */
	struct spb_arena one = another(0), other = another(KIB);
	size_t capacity = 16 * KIB, first = 16 * KIB;
	char *list = spb_alloc(&one, capacity), *roomy = spb_alloc(&other, first);
	spb_alloc(&one, 40 * KIB);
	spb_alloc(&one, CHUNK - HEAD - 56 * KIB);
	spb_alloc(&other, 256);
	asked_count = 0;
	assert_false(grows(&one, &list, &capacity));
	assert_asked(0, HEAD + 32 * KIB);
	assert_false(grows(&other, &roomy, &first));
	assert_asked(0, HEAD + 32 * KIB);
	spb_arena_release(&one);
	spb_arena_release(&other);
}

/* After a reset, the newest small chunk is empty and stays; a rewind returns what was allocated since the mark. */
static void discarded_memory_is_reused(void **state)
{
	(void)state;
	if (!begin_asking())
		return;
	struct spb_arena one = another(0);
	spb_alloc(&one, 1);
	spb_alloc(&one, CHUNK - HEAD - UNIT);
	spb_alloc(&one, 1); /* the second chunk */
	spb_alloc(&one, 100 * KIB);
	struct spb_mark mark = spb_arena_mark(&one);
	spb_alloc(&one, 200 * KIB);
	spb_alloc(&one, 300 * KIB);
	spb_alloc(&one, CHUNK - HEAD - UNIT); /* to the end of the second one */
	spb_alloc(&one, 1);
	asked_count = 0;
	spb_arena_rewind(&one, mark);
	assert_asked(HEAD + 300 * KIB, 0);
	assert_asked(HEAD + 200 * KIB, 0);
	assert_int_equal(asked_count, 0);
	assert_int_equal(context.kept_count, 1);
	spb_alloc(&one, CHUNK - HEAD - UNIT); /* is free again */
	assert_int_equal(asked_count, 0);

	spb_arena_reset(&one);
	assert_asked(HEAD + 100 * KIB, 0);
	assert_int_equal(asked_count, 0);
	assert_int_equal(context.kept_count, 2);
	spb_alloc(&one, CHUNK - HEAD); /* the whole of it */
	assert_int_equal(context.kept_count, 2);
	spb_alloc(&one, 1);
	assert_int_equal(context.kept_count, 1);
	assert_int_equal(asked_count, 0);
	spb_arena_reset(&one);
	spb_arena_release(&one);
	assert_null(one.head);
	assert_int_equal(context.kept_count, 3);

	mark = spb_arena_mark(&one); /* of an empty arena */
	spb_alloc(&one, 1);
	spb_alloc(&one, 100 * KIB);
	asked_count = 0;
	spb_arena_rewind(&one, mark);
	assert_asked(HEAD + 100 * KIB, 0);
	assert_null(one.head);
	spb_alloc(&one, 100 * KIB);
	asked_count = 0;
	spb_arena_reset(&one); /* it has no small chunk */
	assert_asked(HEAD + 100 * KIB, 0);
	assert_null(one.head);
}

static void *zeroed(struct spb_context *c, size_t size)
{
	(void)c;
	asked_for = size;
	meter.out += size;
	return calloc(1, size);
}

/* Where zeroed memory is free, large arrays come from the system, in separate chunks. */
static void large_zeroed_arrays_come_from_the_system(void **state)
{
	enum { LARGE = 1024 * KIB };
	static const struct {
		size_t count, size;
		bool large;
	} rows[] = {{LARGE, 1, true},
		    {LARGE - 1, 1, false},
		    {LARGE / 4, 4, true},
		    {LARGE / 4 - 1, 4, false},
		    {1, LARGE + 1, true},
		    {1, LARGE / 2, false},
		    {0, 8, false},
		    {LARGE / 12 + 1, 12, true},
		    {SPB_COUNT(asked), 0, false}};

	(void)state;
	if (!begin_asking())
		return;
	context.new_zeroed = zeroed;
	for (int filled = 0; filled < 2; filled++) {
		for (size_t i = 0; i < SPB_COUNT(rows); i++) {
			size_t bytes = rows[i].count * rows[i].size;
			struct spb_arena one = another(0);
			if (filled)
				spb_alloc(&one, CHUNK); /* after the one being filled */
			char *before = filled ? spb_alloc(&one, 8) : NULL;
			asked_for = 0;
			const char *array = spb_alloc_zeroed(&one, rows[i].count, rows[i].size);
			assert_int_equal(asked_for, rows[i].large ? HEAD + (bytes + UNIT - 1) / UNIT * UNIT : 0);
			for (size_t k = 0; k < bytes; k += 61)
				assert_int_equal(array[k], 0);
			if (filled && rows[i].large) /* the other one is still being filled */
				assert_ptr_equal((char *)spb_alloc(&one, 8), before + UNIT);
			spb_arena_release(&one);
			spb_drop_kept(&context);
			assert_int_equal(meter.out, 0);
			asked_count = 0;
		}
	}
}

static void allocate(void *number)
{
	size_t capacity = 20 * KIB;

	switch (*(int *)number) {
	case 0:
		spb_alloc(&arena, 1);
		break;
	case 1:
		spb_alloc(&arena, 2 * CHUNK);
		break;
	default: /* the allocation of a large list grows */
		spb_reserve(&arena, spb_alloc(&arena, capacity), capacity, 1, &capacity, 1);
		break;
	}
}

/* A refusal of the allocator ends the call, and earlier allocations stay. */
static void each_refusal_of_the_allocator_ends_the_call(void **state)
{
	(void)state;
	for (int number = 0; number < 3; number++) {
		if (number == 2) {
			spb_alloc(&arena, 60 * KIB); /* there is no room left for it */
		}
		meter.count = 0;
		meter.fail_at = number == 2 ? 1 : 0;
		context.status = SPB_OK;
		assert_true(caught(&context, allocate, &number));
		assert_int_equal(context.status, SPB_ERROR_OUT_OF_MEMORY);
		meter.fail_at = -1;
		assert_false(caught(&context, allocate, &number));
	}
}

/* Lists of every element size keep their contents while they grow, also when others grow in between. */
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
	text = spb_reserve(&arena, text, 16, 17, &capacity, 1);
	assert_int_equal(capacity, 64);
	spb_reserve(&arena, text, 60, 80, &capacity, 1);
	assert_int_equal(capacity, 256);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(oversized_requests_fail),
	    TEST(allocations_are_aligned_disjoint_and_freed),
	    TEST(chunks_fit_their_contents),
	    TEST(small_chunks_are_kept_for_the_next_program),
	    TEST(the_last_list_of_a_chunk_grows_where_it_is),
	    TEST(large_lists_grow_by_the_allocator),
	    TEST(discarded_memory_is_reused),
	    TEST(large_zeroed_arrays_come_from_the_system),
	    TEST(each_refusal_of_the_allocator_ends_the_call),
	    TEST(lists_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
