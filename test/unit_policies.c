/* SPDX-License-Identifier: Apache-2.0 */
/* Which lines of policies apply to a resource, against a model that tries each line; and that the time for many lines
 * and many resources grows with their numbers, not with the product of these. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "analysis/layout/policy.h"

#include "caught.h"

static struct {
	spb_context *context;
	struct spb_arena keep;
	struct spb_policies policies;
	char text[1 << 21];
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
	return named && line->verb != SPB_POLICY_RESERVE &&
	       (line->verb == SPB_POLICY_DESCRIPTOR) == q->about_descriptor &&
	       (!line->has_from_set || line->from_set == q->set) &&
	       (!line->has_register ||
		(q->has_binding && q->binding >= line->first_register && q->binding <= line->last_register)) &&
	       (!line->kinds || line->kinds >> q->kind & 1) && (!line->classes || line->classes >> q->class & 1) &&
	       (!line->stages || line->stages & q->stages) && (!line->has_access || line->writes == q->writable);
}

/* The first line that gives each thing counts. */
enum { GIFTS = 8 };
struct gifts {
	const struct spb_policy_line *first[GIFTS];
};

static void take(struct gifts *g, const struct spb_policy_line *line)
{
	const bool place = line->verb == SPB_POLICY_PLACE;
	const bool gives[GIFTS] = {line->verb == SPB_POLICY_BLOCK,
				   line->verb == SPB_POLICY_REFUSE,
				   place && line->has_set,
				   place && (line->has_binding || line->has_range || line->open),
				   line->has_order,
				   line->has_form,
				   line->has_samplers,
				   line->has_flags};

	for (int i = 0; i < GIFTS; i++) {
		if (gives[i] && !g->first[i])
			g->first[i] = line;
	}
}

static void put_line(void)
{
	static const char *const gifts[] = {"order=1",      "set=2",         "binding=3",    "range=4..9",
					    "binding=auto", "order=2 set=4", "set=1 order=3"};
	static const char *const decisions[] = {"type=dynamic", "samplers=immutable", "flags=none",
						"type=mutable flags=none"};
	static const char *const others[] = {" kind=sampler",   " kind=texture,sampler",  " class=t",
					     " stage=fragment", " stage=vertex,fragment", " access=write"};
	char name[12], line[300];
	const uint32_t verb = random_number(12);
	const char *const number = verb == 1 ? "binding" : "register";
	int length = snprintf(line, sizeof line, "%s",
			      verb == 0   ? "reserve set=1 range=1..2\nplace"
			      : verb == 1 ? "descriptor"
			      : verb == 2 ? "block name=*"
			      : verb == 3 ? "refuse"
					  : "place");

	put(name, random_number(2) ? "ab*?" : "abc", 6);
	if (*name && verb != 2)
		length += snprintf(line + length, 40, " name=\"%s\"", name);
	if (!random_number(3))
		length += snprintf(line + length, 40, " set=%u", random_number(3));
	if (!random_number(3))
		length += snprintf(line + length, 40, " %s=%u", number, random_number(4));
	else if (!random_number(3))
		length += snprintf(line + length, 40, " %s=%u..%u", number, random_number(4),
				   random_number(3) ? 3 + random_number(9) : UINT32_MAX - random_number(2));
	if (!random_number(3))
		length += snprintf(line + length, 40, "%s", others[random_number(6)]);
	snprintf(line + length, sizeof line - (size_t)length, " -> %s\n",
		 verb == 1   ? decisions[random_number(4)]
		 : verb == 2 ? "set=5"
		 : verb == 3 ? "say=no"
			     : gifts[random_number(7)]);
	strcat(t.text, line);
}

static struct spb_policy_question random_question(char names[3][8])
{
	static const uint32_t bindings[] = {0, 1, 2, 3, 4, 7, 8, 9, UINT32_MAX - 1, UINT32_MAX};
	struct spb_policy_question q = {.kind = (enum spb_descriptor)random_number(3),
					.class = (enum spb_class)random_number(3),
					.stages = random_number(64),
					.writable = random_number(2),
					.set = random_number(3),
					.about_descriptor = !random_number(4),
					.counts = random_number(2),
					.has_binding = random_number(3) != 0,
					.binding = bindings[random_number(10)]};

	for (int k = 0; k < 3; k++) {
		put(names[k], "abc", 6);
		q.names[k] = names[k];
	}
	return q;
}

static void the_index_of_lines_agrees_with_a_linear_search(void **state)
{
	enum { LINES = 400, QUESTIONS = 3000 };
	static bool matched[2 * LINES];
	size_t found = 0, idle = 0;

	(void)state;
	for (int i = 0; i < LINES; i++)
		put_line();
	assert_false(caught(t.context, read, NULL));
	for (int i = 0; i < QUESTIONS; i++) {
		char names[3][8];
		const struct spb_policy_question q = random_question(names);
		const struct spb_policy_found all = spb_policy_find(&t.policies, &q, &t.keep);
		struct gifts wanted = {{NULL}}, given = {{NULL}};
		size_t next = 0;
		for (size_t k = 0; k < t.policies.lines.count; k++) {
			const struct spb_policy_line *line = &t.policies.lines.items[k];
			if (!applies(line, &q))
				continue;
			take(&wanted, line);
			matched[k] |= q.counts;
			if (next < all.count && all.items[next] == line)
				next++;
			else
				idle++;
			found++;
		}
		assert_int_equal(next, all.count); /* in this order, and no others */
		for (size_t k = 0; k < all.count; k++)
			take(&given, all.items[k]);
		assert_memory_equal(&given, &wanted, sizeof wanted);
	}
	assert_true(found > 5 * QUESTIONS && idle > QUESTIONS / 10);
	spb_policy_note_matched(&t.policies);
	for (size_t k = 0; k < t.policies.lines.count; k++)
		assert_int_equal(t.policies.lines.items[k].matched, matched[k]);
	spb_policy_forget_matched(&t.policies);
	spb_policy_note_matched(&t.policies);
	for (size_t k = 0; k < t.policies.lines.count; k++)
		assert_false(t.policies.lines.items[k].matched);
}

/* Seconds of the processor that as many lines, # being the number of the line, take for as many resources. */
static double seconds_for(const char *form, uint32_t many)
{
	end(NULL);
	begin(NULL);
	char *to = t.text;
	for (uint32_t i = 0; i < many; i++) {
		for (const char *from = form; *from; from++) {
			if (*from == '#')
				to += sprintf(to, "%u", i);
			else
				*to++ = *from;
		}
		to += sprintf(to, "\n");
	}
	const clock_t begun = clock();
	assert_false(caught(t.context, read, NULL));
	for (uint32_t i = 0; i < many; i++) {
		char name[16];
		snprintf(name, sizeof name, "tex%u_x", i);
		struct spb_policy_question q = {.names = {name, "", name},
						.kind = SPB_DESCRIPTOR_TEXTURE,
						.counts = true,
						.set = i % 7,
						.stages = 1,
						.has_binding = true,
						.binding = i};
		const struct spb_shift_question shift = {.kinds = 1u << SPB_DESCRIPTOR_TEXTURE, .stages = 1, .set = i};
		spb_policy_find(&t.policies, &q, &t.keep);
		q.about_descriptor = true;
		spb_policy_find(&t.policies, &q, &t.keep);
		spb_policy_shift(&t.policies, &shift);
		spb_policy_lane_shift(&t.policies, SPB_CLASS_T, 1, i);
	}
	return (double)(clock() - begun) / CLOCKS_PER_SEC;
}

static void many_lines_and_resources_take_linear_time(void **state)
{
	static const char *const forms[] = {"place name=tex#_x -> order=1",
					    "place name=tex#_* -> order=1",
					    "place name=*tex#_x -> order=1",
					    "place name=*x#_* -> order=1",
					    "place name=tex*#_x -> order=1", /* which all begin alike */
					    "place name=*tex*#_* -> order=1",
					    "place name=te?#_x -> order=1",
					    "place name=tex* -> order=1",
					    "place name=*x -> order=1",
					    "place name=tex* register=# -> order=1",
					    "place register=# -> order=1",
					    "place register=#..#9 -> order=1",
					    "place register=0..# -> order=1",
					    "place register=#..4294967295 -> order=1",
					    "place register=7..100000 -> order=1",
					    "place set=3 register=#..#0 -> order=1",
					    "place kind=sampler register=# -> order=1",
					    "place set=0 register=# -> order=1",
					    "place set=# -> order=1",
					    "place register=0 set=# -> order=1",
					    "place kind=texture -> order=1",
					    "place kind=sampler -> order=1",
					    "place kind=texture stage=vertex class=t access=read -> set=#",
					    "place name=* -> order=1",
					    "block name=tex#_* -> set=2",
					    "block name=tex* -> set=#",
					    "refuse kind=sampler -> say=no",
					    "descriptor kind=texture -> flags=none",
					    "descriptor binding=#..#9 -> flags=none",
					    "shift class=t set=# by=1",
					    "shift class=t by=#",
					    "shift kind=sampler set=3 by=#",
					    "push set=3",
					    "reserve set=# range=0..1"};
	enum { FEW = 750, TIMES = 16, TRIES = 5 };

	(void)state;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		double few = 0, many = 1;
		for (int tries = 0; tries < TRIES && many > 4 * TIMES * few; tries++) { /* and not TIMES * TIMES */
			few = seconds_for(forms[i], FEW);
			many = seconds_for(forms[i], TIMES * FEW);
		}
		if (many > 4 * TIMES * few)
			fail_msg("%s: %g s, and %g s for %d times as many", forms[i], few, many, TIMES);
	}
}

/* All have the texts of all others, so no index tells them apart. */
static void put_wildcards(uint32_t lines)
{
	static const char *const gaps[] = {"?", "*", "?*"};
	char *to = t.text;

	for (uint32_t i = 0; i < lines; i++) {
		to += sprintf(to, "place name=");
		for (uint32_t rest = i + 1, k = 0; k < 12; k++, rest /= 3)
			to += sprintf(to, "a%s", gaps[rest % 3]);
		to += sprintf(to, "a -> order=1\n");
	}
}

static void ask(void *argument)
{
	const uint32_t *many = argument;
	char name[64];

	for (uint32_t i = 0; i < *many; i++) {
		snprintf(name, sizeof name, "abababababababababababab%ua", i);
		const struct spb_policy_question q = {.names = {name, "", ""}};
		const struct spb_mark mark = spb_arena_mark(&t.keep);
		spb_policy_find(&t.policies, &q, &t.keep);
		spb_arena_rewind(&t.keep, mark);
	}
}

static void the_work_of_lines_with_the_same_texts_is_limited(void **state)
{
	uint32_t few = 10, many = 12000;

	(void)state;
	put_wildcards(12000);
	assert_false(caught(t.context, read, NULL));
	assert_false(caught(t.context, ask, &few));
	assert_true(caught(t.context, ask, &many));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(the_index_of_lines_agrees_with_a_linear_search, begin, end),
	    cmocka_unit_test_setup_teardown(the_work_of_lines_with_the_same_texts_is_limited, begin, end),
	    cmocka_unit_test_setup_teardown(many_lines_and_resources_take_linear_time, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
