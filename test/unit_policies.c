/* SPDX-License-Identifier: Apache-2.0 */
/* Which lines of policies apply to a resource, against a check of each line; and that the work for many lines and many
 * resources grows with their sum, not with their product. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/layout/policy.h"

#include "caught.h"

static size_t looks;

size_t __real_spb_lower_bound(const void *items, size_t count, size_t size, const void *wanted,
			      int (*compare)(const void *, const void *));
size_t __wrap_spb_lower_bound(const void *items, size_t count, size_t size, const void *wanted,
			      int (*compare)(const void *, const void *));

size_t __wrap_spb_lower_bound(const void *items, size_t count, size_t size, const void *wanted,
			      int (*compare)(const void *, const void *))
{
	looks++;
	return __real_spb_lower_bound(items, count, size, wanted, compare);
}

static struct {
	spb_context *context;
	struct spb_arena keep;
	struct spb_policies policies;
	char text[1 << 20];
} t;

static int begin(void **state)
{
	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &t.context), SPB_OK);
	t.keep = (struct spb_arena){.context = t.context};
	t.policies = (struct spb_policies){0};
	t.text[0] = '\0';
	return 0;
}

static int end(void **state)
{
	(void)state;
	spb_arena_release(&t.keep);
	spb_context_destroy(t.context);
	return 0;
}

static void read(void *argument)
{
	(void)argument;
	spb_policy_read(&t.policies, t.context, "a.policy", t.text, &t.keep);
	spb_policy_index(&t.policies, &t.keep);
}

static uint32_t random_number(uint32_t below)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return (state >> 8) % below;
}

static void put(char *to, const char *from, uint32_t most)
{
	for (uint32_t length = random_number(most + 1); length--;)
		*to++ = from[random_number((uint32_t)strlen(from))];
	*to = '\0';
}

static bool applies(const struct spb_policy_line *line, const struct spb_policy_question *q)
{
	bool named = !line->name;

	for (int i = 0; i < 3; i++)
		named |= *q->names[i] && spb_glob(line->name ? line->name : "*", q->names[i]);
	return named && line->verb == SPB_POLICY_PLACE && (!line->has_from_set || line->from_set == q->set) &&
	       (!line->has_register ||
		(q->has_binding && q->binding >= line->first_register && q->binding <= line->last_register)) &&
	       (!line->kinds || line->kinds >> q->kind & 1);
}

static void the_index_of_lines_agrees_with_a_linear_search(void **state)
{
	enum { LINES = 400, QUESTIONS = 3000 };
	size_t found = 0;

	(void)state;
	for (int i = 0; i < LINES; i++) {
		char name[12], line[200];
		int length =
		    snprintf(line, sizeof line, random_number(20) ? "place" : "reserve set=1 range=1..2\nplace");
		put(name, random_number(2) ? "ab*?" : "abc", 6);
		if (*name)
			length += snprintf(line + length, sizeof line, " name=\"%s\"", name);
		if (!random_number(3))
			length += snprintf(line + length, sizeof line, " set=%u", random_number(3));
		if (!random_number(3))
			length += snprintf(line + length, sizeof line, " register=%u", random_number(4));
		else if (!random_number(5))
			length += snprintf(line + length, sizeof line, " register=%u..3", random_number(4));
		if (!random_number(4))
			length += snprintf(line + length, sizeof line, " kind=sampler");
		snprintf(line + length, sizeof line - (size_t)length, " -> order=1\n");
		strcat(t.text, line);
	}
	assert_false(caught(t.context, read, NULL));
	for (int i = 0; i < QUESTIONS; i++) {
		char names[3][8];
		struct spb_policy_question q = {.kind = (enum spb_descriptor)random_number(3),
						.set = random_number(3),
						.has_binding = random_number(3) != 0,
						.binding = random_number(5)};
		size_t next = 0;
		for (int k = 0; k < 3; k++) {
			put(names[k], "abc", 6);
			q.names[k] = names[k];
		}
		for (size_t k = 0; k < t.policies.lines.count; k++) {
			const struct spb_policy_line *line = &t.policies.lines.items[k];
			if (!applies(line, &q))
				continue;
			assert_ptr_equal(spb_policy_next(&t.policies, &q, &next), line);
			found++;
		}
		assert_null(spb_policy_next(&t.policies, &q, &next));
	}
	assert_true(found > 5 * QUESTIONS);
}

static void many_lines_and_resources_take_linear_time(void **state)
{
	static const struct {
		const char *before, *behind; /* the number of the line */
	} forms[] = {{"name=tex", "_x"},      {"name=tex", "_*"}, {"name=*tex", "_x"},
		     {"name=*x", "_*"},       {"register=", ""},  {"kind=sampler register=", ""},
		     {"set=0 register=", ""}, {"set=", ""},       {"register=0 set=", ""}};
	enum { MANY = 3000 };

	for (size_t form = 0; form < sizeof forms / sizeof *forms; form++) {
		end(state);
		begin(state);
		for (uint32_t i = 0, length = 0; i < MANY; i++) {
			length += (uint32_t)sprintf(t.text + length, "place %s%u%s -> order=1\n", forms[form].before, i,
						    forms[form].behind);
		}
		assert_false(caught(t.context, read, NULL));
		looks = 0;
		for (uint32_t i = 0; i < MANY; i++) {
			char name[16];
			snprintf(name, sizeof name, "tex%u_x", i);
			const struct spb_policy_question q = {
			    .names = {name, "", name}, .set = i % 7, .has_binding = true, .binding = i};
			for (size_t next = 0; spb_policy_next(&t.policies, &q, &next);)
				;
		}
		assert_true(looks <= 12 * MANY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(the_index_of_lines_agrees_with_a_linear_search, begin, end),
	    cmocka_unit_test_setup_teardown(many_lines_and_resources_take_linear_time, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
