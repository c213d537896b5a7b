/* SPDX-License-Identifier: Apache-2.0 */
/* Options of a program: sizes of the caller's struct, lists that are copied and put in order, pairs, passes, and what
 * one of them says about another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/lib.h"

static spb_context *context;

static int begin(void **state)
{
	(void)state;
	return spb_context_create(NULL, NULL, &context) != SPB_OK;
}

static int end(void **state)
{
	(void)state;
	spb_context_destroy(context);
	return 0;
}

static spb_program *create(const spb_options *options)
{
	spb_program *program = NULL;

	if (spb_program_create(context, options, &program) == SPB_OK)
		assert_non_null(program);
	else
		assert_null(program);
	return program;
}

static bool is_accepted(const spb_options *options)
{
	spb_program *program = create(options);

	spb_program_destroy(program);
	return program != NULL;
}

static spb_options defaults(void)
{
	spb_options o;

	spb_options_init(&o, sizeof o);
	return o;
}

static void callers_may_know_more_or_less(void **state)
{
	union {
		spb_options known;
		unsigned char bytes[5000];
	} o;
	const uint32_t size = sizeof(spb_options);

	(void)state;
	memset(&o, 0xFF, sizeof o);
	spb_options_init(&o.known, size);
	for (uint32_t i = 0; i < size; i++)
		assert_int_equal(o.bytes[i], i < 4 ? (size >> 8 * i & 0xFF) : 0);
	assert_int_equal(o.bytes[size], 0xFF);
	memset(&o, 0, sizeof o);
	for (uint32_t known = 0; known < 4100; known += known < 8 || known > 4090 ? 1 : 12) {
		o.known.struct_size = known;
		assert_int_equal(is_accepted(&o.known), known >= 4 && known <= 4096);
	}
	for (uint32_t at = size; at < size + 3; at++) { /* what only a newer library knows has to be 0 */
		o.bytes[at] = 1;
		o.known.struct_size = at;
		assert_true(is_accepted(&o.known));
		o.known.struct_size = at + 1;
		assert_false(is_accepted(&o.known));
		o.bytes[at] = 0;
	}
	/* what an older caller does not know is not read */
	o.known.layout.rebind = SPB_REBIND_ALL;
	o.known.output.strip_debug = 1;
	o.known.struct_size = offsetof(spb_options, output);
	spb_program *program = create(&o.known);
	assert_int_equal(program->options.layout.rebind, SPB_REBIND_ALL);
	assert_int_equal(program->options.output.strip_debug, 0);
	assert_int_equal(program->options.struct_size, size);
	spb_program_destroy(program);
	assert_true(is_accepted(NULL));
}

static void pairs_are_two_names(void **state)
{
	static const struct {
		const char *pair;
		bool right;
	} rows[] = {{"a:b", true}, {"tex:smp", true}, {"ab", false},   {"", false},     {":", false}, {"a:", false},
		    {":b", false}, {"a:b:c", false},  {"a::b", false}, {"a:b:", false}, {NULL, false}};
	spb_options o = defaults();

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		const char *const pairs[] = {"x:y", rows[i].pair};
		o.combined.merge = pairs;
		o.combined.merge_count = 2;
		assert_int_equal(is_accepted(&o), rows[i].right);
		o.combined.merge_count = 1;
		assert_true(is_accepted(&o));
	}
	char text[] = "x:y";
	const char *const pairs[] = {text, "z:w"};
	o.combined.merge = pairs;
	o.combined.merge_count = 2;
	spb_program *program = create(&o);
	text[0] = '*';
	assert_string_equal(program->options.combined.merge[0], "x:y");
	assert_string_equal(program->options.combined.merge[1], "z:w");
	assert_false(spb_bit(program->pairs_found, 0) || spb_bit(program->pairs_found, 1));
	spb_program_destroy(program);
}

static void lists_need_their_elements(void **state)
{
	static const spb_heap_place places[] = {{.kind = SPB_HEAP_COUNTER},
						{.kind = (spb_heap_kind)(SPB_HEAP_COUNTER + 1)}};
	static const char *const entries[] = {"main", NULL};
	static const spb_policy policies[] = {{"p", ""}, {NULL, ""}};
	static const spb_resolver resolvers[] = {{"r", NULL, 0}, {NULL, NULL, 0}, {"r", NULL, 5}};
	spb_options o;

	(void)state;
	for (uint32_t count = 0; count <= 2; count++) {
		o = defaults();
		o.heaps.places = places;
		o.heaps.place_count = count;
		assert_int_equal(is_accepted(&o), count < 2);
		o = defaults();
		o.layout.entries = entries;
		o.layout.entry_count = count;
		assert_int_equal(is_accepted(&o), count < 2);
		o = defaults();
		o.layout.policies = policies;
		o.layout.policy_count = count;
		assert_int_equal(is_accepted(&o), count < 2);
		o = defaults();
		o.handles.resolvers = resolvers;
		o.handles.resolver_count = count;
		assert_int_equal(is_accepted(&o), count < 1); /* a resolver of no words is none */
	}
	o = defaults();
	o.handles.resolvers = resolvers;
	o.handles.resolver_count = 1;
	spb_program *program = NULL;
	assert_int_equal(spb_program_create(context, &o, &program), SPB_ERROR_INVALID_SPIRV);
	o.handles.resolvers = resolvers + 1;
	assert_int_equal(spb_program_create(context, &o, &program), SPB_ERROR_INVALID_ARGUMENT);
	o.handles.resolvers = resolvers + 2;
	assert_int_equal(spb_program_create(context, &o, &program), SPB_ERROR_INVALID_ARGUMENT);
	assert_null(program);
}

static void passes_are_listed_with_commas(void **state)
{
	static const struct {
		const char *list;
		bool all, one;
	} rows[] = {{"waterfall", true, true},
		    {"waterfall,assign-bindings", true, false},
		    {"assign-bindings,waterfall,remove-unused", true, false},
		    {"", false, false},
		    {"waterfal", false, false},
		    {"waterfalls", false, false},
		    {"waterfall,", false, false},
		    {",waterfall", false, false},
		    {"waterfall,,assign-bindings", false, false},
		    {"waterfall assign-bindings", false, false},
		    {"waterfall,nothing", false, false}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		spb_options o = defaults();
		o.debug.only = rows[i].list;
		assert_int_equal(is_accepted(&o), rows[i].all);
		o = defaults();
		o.debug.dump_after = rows[i].list;
		assert_int_equal(is_accepted(&o), rows[i].one);
	}
	spb_options o = defaults();
	o.debug.only = "waterfall";
	o.validation.which = SPB_VALIDATE_BOTH;
	spb_program *program = create(&o);
	assert_int_equal(program->options.validation.which, SPB_VALIDATE_NONE);
	spb_program_destroy(program);
}

static void entries_are_sorted_and_each_is_there_once(void **state)
{
	static const char *const given[] = {"b", "a", "c", "a", "b", "ab", "b"}, *const wanted[] = {"a", "ab", "b",
												    "c"};
	spb_options o = defaults();

	(void)state;
	o.layout.entries = given;
	o.layout.entry_count = SPB_COUNT(given);
	spb_program *program = create(&o);
	assert_int_equal(program->options.layout.entry_count, SPB_COUNT(wanted));
	for (size_t i = 0; i < SPB_COUNT(wanted); i++)
		assert_string_equal(program->options.layout.entries[i], wanted[i]);
	spb_program_destroy(program);
}

static void the_last_value_of_a_specialization_constant_counts(void **state)
{
	spb_spec_value given[] = {{7, 70}, {3, 30}, {7, 71}, {UINT32_MAX, 1}, {0, 5}, {3, 31}, {7, 72}};
	static const spb_spec_value wanted[] = {{0, 5}, {3, 31}, {7, 72}, {UINT32_MAX, 1}};
	spb_options o = defaults();

	(void)state;
	o.layout.spec_value_count = 1;
	assert_false(is_accepted(&o));
	o.layout.spec_values = given;
	o.layout.spec_value_count = SPB_COUNT(given);
	spb_program *program = create(&o);
	memset(given, 0xFF, sizeof given);
	assert_int_equal(program->options.layout.spec_value_count, SPB_COUNT(wanted));
	for (size_t i = 0; i < SPB_COUNT(wanted); i++) {
		assert_int_equal(program->options.layout.spec_values[i].id, wanted[i].id);
		assert_int_equal(program->options.layout.spec_values[i].value, wanted[i].value);
	}
	spb_program_destroy(program);
}

static void places_of_heaps_are_copied(void **state)
{
	spb_heap_place given[] = {{.kind = SPB_HEAP_SAMPLER, .set = 1, .binding = 2}, {.kind = SPB_HEAP_AS, .set = 3}};
	spb_options o = defaults();

	(void)state;
	o.heaps.places = given;
	o.heaps.place_count = 2;
	spb_program *program = create(&o);
	const spb_heap_place *copy = program->options.heaps.places;
	memset(given, 0, sizeof given);
	assert_int_equal(copy[0].set, 1);
	assert_int_equal(copy[0].binding, 2);
	assert_int_equal(copy[1].kind, SPB_HEAP_AS);
	assert_int_equal(copy[1].set, 3);
	spb_program_destroy(program);
}

static void options_say_something_about_others(void **state)
{
	static char record[UINT16_MAX + 2];
	spb_options o = defaults();

	(void)state;
	o.heaps.model = SPB_HEAP_MODEL_DESCRIPTOR_HEAP;
	spb_program *program = create(&o);
	assert_int_equal(program->options.heaps.combined, SPB_COMBINED_SPLIT);
	spb_program_destroy(program);
	o.heaps.model = SPB_HEAP_MODEL_MUTABLE;
	program = create(&o);
	assert_int_equal(program->options.heaps.combined, SPB_COMBINED_NATIVE);
	spb_program_destroy(program);
	memset(record, 'r', UINT16_MAX);
	o = defaults();
	o.output.record = record;
	assert_true(is_accepted(&o));
	record[UINT16_MAX] = 'r';
	assert_false(is_accepted(&o));
	o = defaults();
	o.validation.env = (spb_env)(SPB_ENV_VULKAN_1_4 + 1);
	assert_false(is_accepted(&o));
	o.validation.which = SPB_VALIDATE_NONE; /* nobody looks at an environment, but it has to be one */
	assert_false(is_accepted(&o));
	o.validation.env = SPB_ENV_VULKAN_1_4;
	assert_true(is_accepted(&o));
	o = defaults();
	o.uniformity.lint = "nothing-such";
	assert_false(is_accepted(&o));
	assert_int_equal(spb_program_create(NULL, NULL, &program), SPB_ERROR_INVALID_ARGUMENT);
	assert_int_equal(spb_program_create(context, NULL, NULL), SPB_ERROR_INVALID_ARGUMENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(callers_may_know_more_or_less),
	    TEST(pairs_are_two_names),
	    TEST(lists_need_their_elements),
	    TEST(passes_are_listed_with_commas),
	    TEST(entries_are_sorted_and_each_is_there_once),
	    TEST(the_last_value_of_a_specialization_constant_counts),
	    TEST(places_of_heaps_are_copied),
	    TEST(options_say_something_about_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
