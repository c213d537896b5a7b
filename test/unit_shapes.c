/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of descriptors that a value may be (pass/shapes/shape_candidates.c) against lists that are compared member by
 * member: equal lists have equal numbers, however many there are, and each join is that of its members. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "metered.h"
#include "pass/shapes/shape.h"

enum { LEAVES = 6, MOST = 4000, STEPS = 6000 };

struct naive {
	uint32_t count;
	struct member members[LEAVES];
};

static struct naive known[MOST]; /* by number */
static uint32_t known_count, seed;

static uint32_t random_below(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static bool are_equal(const struct naive *a, const struct naive *b)
{
	bool equal = a->count == b->count;

	for (uint32_t i = 0; i < a->count && equal; i++)
		equal = a->members[i].leaf == b->members[i].leaf && a->members[i].index == b->members[i].index;
	return equal;
}

/* A number that a function returned, and the list that it has to stand for. */
static void check(const struct candidate_table *s, uint32_t number, const struct naive *wanted)
{
	struct naive found = {.count = candidates_at(s, number)->count};

	assert_true(found.count <= LEAVES);
	for (uint32_t i = 0; i < found.count; i++)
		found.members[i] = candidates_members(s, number)[i];
	assert_true(are_equal(&found, wanted));
	for (uint32_t i = 0; i < known_count; i++)
		assert_int_equal(are_equal(&known[i], wanted), i == number);
	if (number == known_count)
		known[known_count++] = *wanted;
	assert_true(number < known_count && known_count < MOST);
}

static uint32_t joined_index(uint32_t a, uint32_t b, enum join how)
{
	if (how == JOIN_CHOICE && a == DYNAMIC && b == DYNAMIC)
		return CHOSEN;
	if (a == b)
		return a;
	return a == CHOSEN || b == CHOSEN || how != JOIN_ANY ? CHOSEN : DYNAMIC;
}

static struct naive joined(const struct naive *a, const struct naive *b, enum join how)
{
	struct naive result = {0};

	for (uint32_t leaf = 0; leaf < LEAVES; leaf++) {
		const struct member *x = NULL, *y = NULL;
		for (uint32_t i = 0; i < a->count; i++)
			x = a->members[i].leaf == leaf ? &a->members[i] : x;
		for (uint32_t i = 0; i < b->count; i++)
			y = b->members[i].leaf == leaf ? &b->members[i] : y;
		if (x || y)
			result.members[result.count++] =
			    (struct member){leaf, x && y ? joined_index(x->index, y->index, how)
						  : x    ? x->index
							 : y->index};
	}
	return result;
}

static struct naive with_index(struct naive list, uint32_t index, bool all)
{
	for (uint32_t i = 0; i < list.count; i++) {
		if (all || list.members[i].index == DYNAMIC)
			list.members[i].index = index;
	}
	return list;
}

static void equal_lists_have_equal_numbers(void **state)
{
	const uint32_t indexes[] = {0, 1, 7, DYNAMIC, CHOSEN, INDEX_OF_ID + 3, INDEX_OF_ID + 9};
	struct meter meter = {.fail_at = -1};
	spb_context context = {.allocator = {metered, &meter}};
	struct spb_arena arena = {.context = &context};
	struct candidate_table s;

	(void)state;
	spb_candidates_init(&s, &arena);
	known_count = 0;
	seed = 1;
	check(&s, 0, &(struct naive){0}); /* never assigned */
	for (int step = 0; step < STEPS && known_count < MOST - 1; step++) {
		uint32_t a = random_below(known_count), b = random_below(known_count);
		uint32_t index = indexes[random_below(SPB_COUNT(indexes))], leaf = random_below(LEAVES);
		enum join how = (enum join)random_below(3);
		switch (random_below(4)) {
		case 0:
			check(&s, spb_candidates_of(&s, leaf, index), &(struct naive){1, {{leaf, index}}});
			break;
		case 1: {
			struct naive wanted = with_index(known[a], index, false);
			check(&s, spb_candidates_with_index(&s, a, index), &wanted);
			break;
		}
		case 2: {
			struct naive wanted = with_index(known[a], DYNAMIC, true);
			check(&s, spb_candidates_without_indexes(&s, a), &wanted);
			break;
		}
		default: {
			struct naive wanted = joined(&known[a], &known[b], how);
			check(&s, spb_candidates_join(&s, a, b, how), &wanted);
			check(&s, spb_candidates_join(&s, b, a, how), &wanted); /* remembered */
		}
		}
	}
	assert_true(known_count > 1000); /* tables grew several times */
	spb_arena_release(&arena);
	spb_drop_kept(&context);
	assert_int_equal(meter.out, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(equal_lists_have_equal_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
