/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts that are kept: of equal questions only, of accepted modules only, and within their bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/lib.h"
#include "metered.h"

enum { LARGEST = 65536, MOST = 4 * LARGEST }; /* words of one module, and of all */

static struct meter meter;
static spb_context *context;

static int begin(void **state)
{
	const spb_allocator allocator = {metered, &meter};

	(void)state;
	meter = (struct meter){.fail_at = -1};
	return spb_context_create(&allocator, NULL, &context) != SPB_OK;
}

static int end(void **state)
{
	(void)state;
	spb_context_destroy(context);
	return meter.out != 0;
}

static uint32_t words[LARGEST + 1];

static struct spb_question question(uint32_t first, size_t count)
{
	words[0] = first;
	return (struct spb_question){.words = words, .count = count, .environment = 3, .flags = 5};
}

static enum spb_verdict_kind ask(struct spb_question q)
{
	return spb_known_verdict(context, &q);
}

static void tell(struct spb_question q, enum spb_verdict_kind kind)
{
	spb_known_verdict(context, &q);
	spb_keep_verdict(context, &q, kind);
}

static void only_acceptance_is_kept(void **state)
{
	static const enum spb_verdict_kind kinds[] = {SPB_VERDICT_NONE,    SPB_VERDICT_VALID,
						      SPB_VERDICT_SHIM,    SPB_VERDICT_UNKNOWN,
						      SPB_VERDICT_INVALID, SPB_VERDICT_OUT_OF_MEMORY};

	(void)state;
	for (uint32_t i = 0; i < SPB_COUNT(kinds); i++) {
		assert_int_equal(ask(question(i, 10)), SPB_VERDICT_NONE);
		tell(question(i, 10), kinds[i]);
		const bool kept = kinds[i] == SPB_VERDICT_VALID || kinds[i] == SPB_VERDICT_SHIM;
		assert_int_equal(ask(question(i, 10)), kept ? kinds[i] : SPB_VERDICT_NONE);
	}
	assert_int_equal(ask(question(1, 10)), SPB_VERDICT_VALID);
	tell(question(1, 10), SPB_VERDICT_SHIM); /* the last one counts */
	assert_int_equal(ask(question(1, 10)), SPB_VERDICT_SHIM);
	spb_forget_verdicts(context);
	assert_int_equal(ask(question(1, 10)), SPB_VERDICT_NONE);
	spb_forget_verdicts(context);
}

static void another_question_has_no_answer(void **state)
{
	struct spb_question q = question(1, 10);

	(void)state;
	tell(q, SPB_VERDICT_VALID);
	q.environment++;
	assert_int_equal(ask(q), SPB_VERDICT_NONE);
	q.environment--;
	q.flags++;
	assert_int_equal(ask(q), SPB_VERDICT_NONE);
	q.flags--;
	q.count++;
	assert_int_equal(ask(q), SPB_VERDICT_NONE);
	q.count--;
	words[9]++;
	assert_int_equal(ask(q), SPB_VERDICT_NONE);
	words[9]--;
	assert_int_equal(ask(q), SPB_VERDICT_VALID);
	/* Nothing rests on the hash: with that of another, it is no other. */
	spb_known_verdict(context, &q);
	struct spb_question other = q;
	other.environment++;
	spb_keep_verdict(context, &other, SPB_VERDICT_SHIM); /* in the slot of the first */
	assert_int_equal(ask(q), SPB_VERDICT_NONE);
}

static void memory_is_bounded(void **state)
{
	static const uint32_t first[] = {10, 11, 12, 13};
	const size_t before = meter.out;

	(void)state;
	tell(question(1, LARGEST + 1), SPB_VERDICT_VALID); /* too large to be kept */
	assert_int_equal(ask(question(1, LARGEST + 1)), SPB_VERDICT_NONE);
	assert_int_equal(meter.out, before);
	for (size_t i = 0; i < 4; i++) /* so many words are kept */
		tell(question(first[i], LARGEST), SPB_VERDICT_VALID);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(ask(question(first[i], LARGEST)), SPB_VERDICT_VALID);
	assert_true(meter.out > before + MOST * sizeof *words);
	tell(question(14, 1), SPB_VERDICT_VALID); /* one more, and all others are forgotten */
	assert_int_equal(ask(question(14, 1)), SPB_VERDICT_VALID);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(ask(question(first[i], LARGEST)), SPB_VERDICT_NONE);
	/* In one slot, the newest replaces the one before it. */
	for (int i = 0; i < 100; i++)
		tell(question(first[0], LARGEST), i % 2 ? SPB_VERDICT_VALID : SPB_VERDICT_SHIM);
	assert_int_equal(ask(question(14, 1)), SPB_VERDICT_VALID);
	/* Forgotten words do not count any more. */
	for (size_t i = 0; i < 3; i++)
		tell(question(first[i], LARGEST), SPB_VERDICT_VALID);
	tell(question(first[3], LARGEST - 1), SPB_VERDICT_VALID);
	assert_int_equal(ask(question(14, 1)), SPB_VERDICT_VALID);
	assert_int_equal(ask(question(first[3], LARGEST - 1)), SPB_VERDICT_VALID);
}

/* Without memory nothing is kept, and nothing is lost. */
static void memory_may_run_out(void **state)
{
	(void)state;
	for (long n = 0; n < 2; n++) {
		meter.count = 0;
		meter.fail_at = n;
		tell(question(1, LARGEST), SPB_VERDICT_VALID);
		meter.fail_at = -1;
		assert_int_equal(ask(question(1, LARGEST)), SPB_VERDICT_NONE);
	}
	for (uint32_t i = 0; i < 4; i++) /* what was not kept takes no room */
		tell(question(10 + i, LARGEST), SPB_VERDICT_VALID);
	assert_int_equal(ask(question(10, LARGEST)), SPB_VERDICT_VALID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(only_acceptance_is_kept, begin, end),
	    cmocka_unit_test_setup_teardown(another_question_has_no_answer, begin, end),
	    cmocka_unit_test_setup_teardown(memory_is_bounded, begin, end),
	    cmocka_unit_test_setup_teardown(memory_may_run_out, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
