/* SPDX-License-Identifier: Apache-2.0 */
/* descriptor_handle.h: each form of a handle can be converted back, or is refused; a heap gives each index to one owner
 * at a time, and detects stale handles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "spirv-bind/descriptor_handle.h"

static void forms_round_trip(void **state)
{
	static const uint32_t numbers[] = {0, 1, 0xFFF, 0x1000, 0xFFFFE, 0xFFFFF, 0x100000, 0x7FFFFFFF, 0xFFFFFFFF};
	enum { COUNT = sizeof numbers / sizeof *numbers };

	(void)state;
	for (int i = 0; i < COUNT * COUNT; i++) {
		uint32_t x = numbers[i / COUNT], y = numbers[i % COUNT];
		spb_handle h = spb_handle_make(x, y);
		assert_true(spb_handle_equal(spb_handle_from_uint64(spb_handle_to_uint64(h)), h));
		assert_int_equal(spb_handle_to_uint64(h), (uint64_t)y * 0x100000000u + x);
		assert_int_equal(spb_handle_to_uint(h), x);
		uint32_t packed = spb_handle_to_packed(h);
		if (x <= 0xFFFFF && y <= 0xFFF)
			assert_true(spb_handle_equal(spb_handle_from_packed(packed), h));
		else
			assert_int_equal(packed, SPB_HANDLE_NONE);
		spb_handle bits = spb_handle_with_generation_bits(h);
		if (x <= 0xFFFFF) /* what packed.glsl reads */
			assert_int_equal(bits.x & 0xFFFFF, x);
		else
			assert_false(spb_handle_is_valid(bits));
	}
}

static void null_is_null_in_every_form(void **state)
{
	(void)state;
	assert_false(spb_handle_is_valid(spb_handle_null()));
	assert_true(spb_handle_equal(spb_handle_from_uint(spb_handle_to_uint(spb_handle_null())), spb_handle_null()));
	assert_int_equal(spb_handle_to_uint64(spb_handle_null()), UINT64_MAX);
	assert_int_equal(spb_handle_to_packed(spb_handle_null()), SPB_HANDLE_NONE);
	assert_true(spb_handle_is_valid(spb_handle_from_uint(0)));
}

static void a_full_heap_fails(void **state)
{
	uint32_t generations[3], links[3];
	spb_handle_heap heap;
	spb_handle held[3];

	(void)state;
	spb_handle_heap_init(&heap, 3, generations, links);
	for (uint32_t i = 0; i < 3; i++) {
		held[i] = spb_handle_allocate(&heap);
		assert_int_equal(held[i].x, i);
	}
	assert_false(spb_handle_is_valid(spb_handle_allocate(&heap)));
	assert_true(spb_handle_release(&heap, held[1]));
	assert_int_equal(spb_handle_allocate(&heap).x, 1);
	assert_false(spb_handle_is_valid(spb_handle_allocate(&heap)));
	spb_handle_heap_init(&heap, 0, generations, links);
	assert_false(spb_handle_is_valid(spb_handle_allocate(&heap)));
}

static void stale_handles_are_not_released(void **state)
{
	uint32_t generations[2], links[2];
	spb_handle_heap heap;

	(void)state;
	spb_handle_heap_init(&heap, 2, generations, links);
	spb_handle first = spb_handle_allocate(&heap);
	assert_false(spb_handle_release(&heap, spb_handle_null()));
	assert_false(spb_handle_release(&heap, spb_handle_make(1, 1))); /* never allocated */
	assert_true(spb_handle_release(&heap, first));
	assert_false(spb_handle_is_current(&heap, first));
	assert_false(spb_handle_release(&heap, first));
	spb_handle second = spb_handle_allocate(&heap);
	assert_int_equal(second.x, first.x);
	assert_false(spb_handle_is_current(&heap, first)); /* with the same index */
	assert_true(spb_handle_is_current(&heap, second));
	assert_int_equal(heap.count, 1);
}

static void an_index_without_generations_left_is_retired(void **state)
{
	uint32_t generations[1], links[1];
	spb_handle_heap heap;

	(void)state;
	spb_handle_heap_init(&heap, 1, generations, links);
	spb_handle first = spb_handle_allocate(&heap);
	generations[0] = first.y = SPB_HANDLE_NONE - 1;
	assert_true(spb_handle_release(&heap, first));
	assert_false(spb_handle_is_current(&heap, spb_handle_make(0, SPB_HANDLE_NONE)));
	assert_false(spb_handle_is_valid(spb_handle_allocate(&heap)));
}

static uint32_t longest_free(const bool *has, uint32_t capacity)
{
	uint32_t longest = 0, run = 0;

	for (uint32_t i = 0; i < capacity; i++) {
		run = has[i] ? 0 : run + 1;
		longest = run > longest ? run : longest;
	}
	return longest;
}

/* In any order of calls, no index has two owners, and an allocation fails exactly if there is no room. */
static void each_index_has_one_owner(void **state)
{
	enum { FIRST = 20, CAPACITY = 37, STEPS = 20000 };
	uint32_t generations[CAPACITY], links[CAPACITY], random = 12345, owned = 0;
	spb_handle held[CAPACITY], stale[CAPACITY];
	bool has[CAPACITY] = {false}, had[CAPACITY] = {false};
	spb_handle_heap heap;

	(void)state;
	spb_handle_heap_init(&heap, FIRST, generations, links);
	for (int step = 0; step < STEPS; step++) {
		random = random * 1664525u + 1013904223u;
		uint32_t slot = (random >> 16) % CAPACITY, range = (random >> 8) % 7;
		if (step == STEPS / 2)
			spb_handle_heap_grow(&heap, CAPACITY, generations, links);
		if (random >> 31 && range) {
			uint32_t room = longest_free(has, heap.capacity);
			spb_handle h = spb_handle_allocate_range(&heap, range);
			assert_int_equal(spb_handle_is_valid(h), range <= room);
			for (uint32_t i = 0; i < range && spb_handle_is_valid(h); i++) {
				assert_true(h.x + i < heap.capacity && !has[h.x + i]);
				held[h.x + i] = spb_handle_at(&heap, h.x + i);
				has[h.x + i] = true;
				owned++;
			}
		} else if (random >> 31) {
			spb_handle h = spb_handle_allocate(&heap);
			assert_int_equal(spb_handle_is_valid(h), owned < heap.capacity);
			if (!spb_handle_is_valid(h))
				continue;
			assert_true(h.x < heap.capacity && !has[h.x]);
			held[h.x] = h;
			has[h.x] = true;
			owned++;
		} else if (has[slot]) {
			assert_true(spb_handle_release(&heap, held[slot]));
			stale[slot] = held[slot];
			had[slot] = true;
			has[slot] = false;
			owned--;
		}
		assert_int_equal(heap.count, owned);
		assert_int_equal(spb_handle_is_used(&heap, slot), has[slot]);
		assert_int_equal(has[slot], has[slot] && spb_handle_is_current(&heap, held[slot]));
		assert_false(had[slot] && spb_handle_is_current(&heap, stale[slot]));
	}
}

static void the_index_released_first_comes_first(void **state)
{
	uint32_t generations[3], links[3];
	spb_handle_heap heap;
	spb_handle held[3];

	(void)state;
	spb_handle_heap_init(&heap, 3, generations, links);
	for (uint32_t i = 0; i < 3; i++)
		held[i] = spb_handle_allocate(&heap);
	assert_true(spb_handle_release(&heap, held[2]) && spb_handle_release(&heap, held[0]));
	assert_int_equal(spb_handle_allocate(&heap).x, 2);
	assert_int_equal(spb_handle_allocate(&heap).x, 0);
}

static void handles_are_released_after_their_last_frame(void **state)
{
	uint32_t generations[8], links[8];
	uint64_t frames[3];
	spb_handle handles[3];
	spb_handle_heap heap;
	spb_handle_retired retired;

	(void)state;
	spb_handle_heap_init(&heap, 8, generations, links);
	spb_handle_retired_init(&retired, 3, handles, frames);
	for (uint64_t frame = 1; frame < 20; frame++) { /* two frames in flight */
		spb_handle h = spb_handle_allocate(&heap);
		assert_true(spb_handle_retire(&retired, h, frame));
		assert_true(spb_handle_is_current(&heap, h));
		assert_int_equal(spb_handle_release_retired(&retired, &heap, frame > 2 ? frame - 2 : 0), frame > 2);
		assert_int_equal(heap.count, frame < 2 ? frame : 2);
	}
	assert_true(spb_handle_retire(&retired, spb_handle_allocate(&heap), 20));
	assert_false(spb_handle_retire(&retired, spb_handle_allocate(&heap), 20)); /* full */
	assert_int_equal(spb_handle_release_retired(&retired, &heap, 20), 3);
}

/* What --instrument-handles reads. */
static void the_table_has_the_generations_in_use(void **state)
{
	uint32_t generations[4], links[4], table[2 * SPB_HANDLE_KINDS + 4];
	spb_handle_heap textures;
	const spb_handle_heap *heaps[SPB_HANDLE_KINDS] = {[2] = &textures};
	const spb_handle_fault faults[] = {{0, 0}, {3, 7}, {0, 0}};

	(void)state;
	spb_handle_heap_init(&textures, 4, generations, links);
	spb_handle first = spb_handle_allocate(&textures);
	for (int i = 0; i < 2; i++)
		assert_true(spb_handle_is_valid(spb_handle_allocate(&textures)));
	assert_true(spb_handle_release(&textures, first));
	assert_int_equal(spb_handle_table_words(heaps), sizeof table / sizeof *table);
	spb_handle_table_write(heaps, table);
	assert_int_equal(table[4], 3);
	assert_int_equal(table[5], 1);
	assert_int_equal(table[6], 0);
	const uint32_t entries[] = {0, 0, 1, 1}; /* the first is for indices beyond the end, the second was released */
	assert_memory_equal(table + 2 * SPB_HANDLE_KINDS, entries, sizeof entries);
	assert_int_equal(spb_handle_next_fault(faults, 3, 0), 1);
	assert_int_equal(spb_handle_next_fault(faults, 3, 2), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(forms_round_trip),
	    cmocka_unit_test(null_is_null_in_every_form),
	    cmocka_unit_test(a_full_heap_fails),
	    cmocka_unit_test(stale_handles_are_not_released),
	    cmocka_unit_test(an_index_without_generations_left_is_retired),
	    cmocka_unit_test(each_index_has_one_owner),
	    cmocka_unit_test(the_index_released_first_comes_first),
	    cmocka_unit_test(handles_are_released_after_their_last_frame),
	    cmocka_unit_test(the_table_has_the_generations_in_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
