/* SPDX-License-Identifier: Apache-2.0 */
/* Options of a program: sizes of the caller's struct, lists that are copied and sorted, pairs, passes, options that
 * imply others, and messages about those that match nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "lib/lib.h"
#include "parsed.h"
#include "results.h"

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
	for (uint32_t at = size; at < size + 3; at++) { /* unknown fields have to be 0 */
		o.bytes[at] = 1;
		o.known.struct_size = at;
		assert_true(is_accepted(&o.known));
		o.known.struct_size = at + 1;
		assert_false(is_accepted(&o.known));
		o.bytes[at] = 0;
	}
	/* fields that an older caller does not know are not read */
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

/* The program after its options have been settled. */
static spb_program *settle(const spb_options *o)
{
	spb_program *program = create(o);

	assert_int_equal(spb_program_bind(program), SPB_OK);
	return program;
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
	spb_program *program = settle(&o);
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
		assert_int_equal(is_accepted(&o), count < 1); /* a resolver without words is refused */
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
	spb_program *program = settle(&o);
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
	spb_program *program = settle(&o);
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
	assert_int_equal(spb_program_bind(program), SPB_OK);
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
	spb_program *program = settle(&o);
	assert_int_equal(program->options.heaps.combined, SPB_COMBINED_SPLIT);
	spb_program_destroy(program);
	o.heaps.model = SPB_HEAP_MODEL_MUTABLE;
	program = settle(&o);
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
	o.validation.which = SPB_VALIDATE_NONE; /* the environment is not used, but has to exist */
	assert_false(is_accepted(&o));
	o.validation.env = SPB_ENV_VULKAN_1_4;
	assert_true(is_accepted(&o));
	o = defaults();
	o.uniformity.lint = "nothing-such";
	assert_false(is_accepted(&o));
	assert_int_equal(spb_program_create(NULL, NULL, &program), SPB_ERROR_INVALID_ARGUMENT);
	assert_int_equal(spb_program_create(context, NULL, NULL), SPB_ERROR_INVALID_ARGUMENT);
}

/* A module with entry points FIRST, FIRST + 1, … */
static uint32_t *module_with_entries(uint32_t first, uint32_t entries, size_t *count)
{
	char text[4000] = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n", line[100];

	for (uint32_t i = 0; i < entries; i++) {
		snprintf(line, sizeof line, "OpEntryPoint GLCompute %%%u \"e%u\"\n", 10 + 2 * i, first + i);
		strcat(text, line);
	}
	for (uint32_t i = 0; i < entries; i++) {
		snprintf(line, sizeof line, "OpExecutionMode %%%u LocalSize 1 1 1\n", 10 + 2 * i);
		strcat(text, line);
	}
	strcat(text, "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n");
	for (uint32_t i = 0; i < entries; i++) {
		snprintf(line, sizeof line, "%%%u = OpFunction %%1 None %%2\n%%%u = OpLabel\nOpReturn\nOpFunctionEnd\n",
			 10 + 2 * i, 11 + 2 * i);
		strcat(text, line);
	}
	return words_of(text, count);
}

/* A misspelt name: the message lists all names, if they are few. */
static void missing_entry_points_are_reported(void **state)
{
	static const uint32_t counts[] = {0, 1, 2, 15, 16, 17, 20};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(counts) * 2; i++) {
		const uint32_t n = counts[i / 2], second = i % 2 ? n / 2 : 0, first = n - second;
		static const char *const names[] = {"e0", "nobody"};
		struct said said = {.count = 0};
		const spb_callbacks callbacks = {hear, &said};
		char wanted[1000] = "The entry points are ";
		spb_context *own;
		spb_program *program;
		spb_options o = defaults();
		size_t count;
		o.layout.entries = names + (n == 0);
		o.layout.entry_count = 2 - (n == 0);
		for (uint32_t k = 0; k < n && k < 16; k++)
			snprintf(wanted + strlen(wanted), 20, "%s\"e%u\"", k ? ", " : "", k);
		if (n > 16)
			snprintf(wanted + strlen(wanted), 30, " and %u more", n - 16);
		if (!n)
			strcat(wanted, "none");
		strcat(wanted, ".");
		assert_int_equal(spb_context_create(NULL, &callbacks, &own), SPB_OK);
		assert_int_equal(spb_program_create(own, &o, &program), SPB_OK);
		uint32_t *words = module_with_entries(0, first, &count);
		assert_int_equal(spb_program_add(program, NULL, words, count, 0), SPB_OK);
		free(words);
		words = module_with_entries(first, second, &count);
		if (second)
			assert_int_equal(spb_program_add(program, NULL, words, count, 0), SPB_OK);
		free(words);
		assert_int_equal(spb_program_bind(program), SPB_ERROR_INVALID_ARGUMENT);
		assert_string_equal(said.text, "-e nobody: no module of the program has an entry point of this name");
		assert_string_equal(said.remedy, wanted);
		assert_int_equal(said.last.code, SPB_E_ENTRY);
		assert_string_equal(said.module, "module 0");
		assert_string_equal(said.pass, "layout");
		assert_int_equal(spb_program_add(program, NULL, NULL, 0, 0), SPB_ERROR_INVALID_ARGUMENT);
		spb_program_destroy(program);
		spb_context_destroy(own);
	}
}

/* And one that exists in one of the modules. */
static void entry_points_are_searched_in_all_modules(void **state)
{
	static const char *const names[] = {"e0", "e3"};
	spb_options o = defaults();
	size_t count;

	(void)state;
	o.layout.entries = names;
	o.layout.entry_count = 2;
	spb_program *program = create(&o);
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t *words = module_with_entries(2 * i, 2, &count);
		assert_int_equal(spb_program_add(program, NULL, words, count, 0), SPB_OK);
		free(words);
	}
	assert_int_equal(spb_program_bind(program), SPB_OK);
	spb_program_destroy(program);
	program = create(&o); /* without modules, nothing is checked */
	assert_int_equal(spb_program_bind(program), SPB_OK);
	assert_int_equal(spb_program_bind(program), SPB_ERROR_INVALID_ARGUMENT);
	spb_program_destroy(program);
}

static void missing_pairs_are_reported(void **state)
{
	static const char *const pairs[] = {"tex:smp"};
	struct said said = {.count = 0};
	const spb_callbacks callbacks = {hear, &said};
	spb_context *own;
	spb_program *program;
	spb_options o = defaults();
	size_t count;

	(void)state;
	o.combined.merge = pairs;
	o.combined.merge_count = 1;
	assert_int_equal(spb_context_create(NULL, &callbacks, &own), SPB_OK);
	assert_int_equal(spb_program_create(own, &o, &program), SPB_OK);
	assert_int_equal(spb_program_bind(program), SPB_OK); /* without modules */
	spb_program_destroy(program);
	assert_int_equal(spb_program_create(own, &o, &program), SPB_OK);
	uint32_t *words = module_with_entries(0, 1, &count);
	assert_int_equal(spb_program_add(program, "m", words, count, 0), SPB_OK);
	assert_int_equal(spb_program_bind(program), SPB_ERROR_UNSUPPORTED);
	assert_int_equal(said.last.code, SPB_E_MERGE_NAME);
	assert_non_null(strstr(said.text, "--merge-combined=tex:smp: no module of the program has both"));
	spb_program_destroy(program);
	spb_context_destroy(own);
	free(words);
}

/* In the byte order of the input. */
static void words_are_returned_in_order(void **state)
{
	size_t count, out_count[2];
	const uint32_t *out[2];
	uint32_t *words =
	    words_of("OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
		     "OpEntryPoint GLCompute %1 \"main\" \nOpExecutionMode %1 LocalSize 1 1 1\n"
		     "OpName %7 \"b\"\nOpDecorate %5 Block\nOpMemberDecorate %5 0 Offset 0\n"
		     "OpDecorate %7 DescriptorSet 0\n%2 = OpTypeVoid\n"
		     "%3 = OpTypeFunction %2\n%4 = OpTypeInt 32 0\n%5 = OpTypeStruct %4\n"
		     "%6 = OpTypePointer Uniform %5\n%7 = OpVariable %6 Uniform\n%1 = OpFunction %2 None %3\n"
		     "%8 = OpLabel\nOpReturn\nOpFunctionEnd\n",
		     &count);
	uint32_t *swapped = malloc(count * sizeof *swapped), *back;

	(void)state;
	words[1] = 0x10300;
	spb_swap_words(swapped, words, count);
	spb_program *program = create(NULL);
	assert_int_equal(spb_program_add(program, NULL, words, count, 0), SPB_OK);
	assert_int_equal(spb_program_add(program, NULL, swapped, count, 0), SPB_OK);
	assert_int_equal(spb_program_bind(program), SPB_OK);
	for (size_t i = 0; i < 2; i++) {
		out[i] = spb_program_words(program, i, SPB_WORDS_OUTPUT, &out_count[i]);
		assert_true(is_changed(program, i));
		assert_int_equal(info_of(program, i).stages, 0x20); /* VK_SHADER_STAGE_COMPUTE_BIT */
	}
	assert_int_equal(out_count[0], out_count[1]);
	assert_true(out_count[0] > count);
	back = malloc(out_count[1] * sizeof *back);
	spb_swap_words(back, out[1], out_count[1]);
	assert_memory_equal(out[0], back, out_count[0] * sizeof *back);
	assert_null(spb_program_words(program, 2, SPB_WORDS_OUTPUT, NULL));
	assert_false(is_changed(program, 2));
	assert_int_equal(info_of(program, 2).stages, 0);
	spb_program_destroy(program);
	free(back);
	free(swapped);
	free(words);
}

/* Only of the selected entry points. */
static void push_constants_are_those_of_the_entry_points(void **state)
{
	static const char text[] =
	    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"small\"\n"
	    "OpEntryPoint GLCompute %2 \"large\"\nOpExecutionMode %1 LocalSize 1 1 1\nOpExecutionMode %2 LocalSize 1 1 "
	    "1\n"
	    "OpName %10 \"S\"\nOpName %11 \"L\"\nOpDecorate %10 Block\nOpMemberDecorate %10 0 Offset 4\n"
	    "OpDecorate %11 Block\nOpMemberDecorate %11 0 Offset 0\nOpMemberDecorate %11 1 Offset 60\n"
	    "%3 = OpTypeVoid\n%4 = OpTypeFunction %3\n%5 = OpTypeInt 32 0\n%6 = OpConstant %5 0\n"
	    "%10 = OpTypeStruct %5\n%11 = OpTypeStruct %5 %5\n%12 = OpTypePointer PushConstant %10\n"
	    "%13 = OpTypePointer PushConstant %11\n%14 = OpTypePointer PushConstant %5\n"
	    "%20 = OpVariable %12 PushConstant\n%21 = OpVariable %13 PushConstant\n"
	    "%1 = OpFunction %3 None %4\n%30 = OpLabel\n%31 = OpAccessChain %14 %20 %6\n%32 = OpLoad %5 %31\nOpReturn\n"
	    "OpFunctionEnd\n%2 = OpFunction %3 None %4\n%40 = OpLabel\n%41 = OpAccessChain %14 %21 %6\n"
	    "%42 = OpLoad %5 %41\nOpReturn\nOpFunctionEnd\n";
	static const char *const names[] = {"small", "large"};
	static const struct {
		uint32_t first, count, offset, size;
		const char *name;
	} rows[] = {{0, 1, 4, 4, "S"}, {1, 1, 0, 64, "L"}, {0, 2, 0, 64, ""}, {0, 0, 0, 64, ""}};
	size_t count;
	uint32_t *words = words_of(text, &count);

	(void)state;
	words[1] = 0x10300;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		const spb_push_constant_range *ranges;
		spb_options o = defaults();
		o.validation.which = SPB_VALIDATE_NONE;
		o.layout.entries = names + rows[i].first;
		o.layout.entry_count = rows[i].count;
		spb_program *program = create(&o);
		assert_int_equal(spb_program_add(program, "m", words, count, 0), SPB_OK);
		assert_int_equal(spb_program_bind(program), SPB_OK);
		assert_int_equal(spb_program_push_constants(program, sizeof *ranges, &ranges), 1);
		assert_int_equal(ranges->offset, rows[i].offset);
		assert_int_equal(ranges->size, rows[i].size);
		assert_string_equal(ranges->name, rows[i].name);
		assert_int_equal(ranges->stages, 0x20);
		spb_program_destroy(program);
	}
	free(words);
}

/* A block that no entry point uses belongs to those that list it, or to all if none does. */
static void unused_push_constants_belong_to_listing_entry_points(void **state)
{
	static const struct {
		const char *by_compute, *by_vertex;
		uint32_t stages;
	} rows[] = {{"", "", 0x21}, {"%20", "", 0x20}, {"", "%20", 0x01}, {"%20", "%20", 0x21}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		const spb_push_constant_range *ranges;
		char text[2000];
		size_t count;
		snprintf(text, sizeof text,
			 "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%1 \"c\" %s\n"
			 "OpEntryPoint Vertex %%2 \"v\" %s\nOpExecutionMode %%1 LocalSize 1 1 1\n"
			 "OpDecorate %%10 Block\nOpMemberDecorate %%10 0 Offset 0\n%%3 = OpTypeVoid\n"
			 "%%4 = OpTypeFunction %%3\n%%5 = OpTypeInt 32 0\n%%10 = OpTypeStruct %%5\n"
			 "%%12 = OpTypePointer PushConstant %%10\n%%20 = OpVariable %%12 PushConstant\n"
			 "%%1 = OpFunction %%3 None %%4\n%%30 = OpLabel\nOpReturn\nOpFunctionEnd\n"
			 "%%2 = OpFunction %%3 None %%4\n%%40 = OpLabel\nOpReturn\nOpFunctionEnd\n",
			 rows[i].by_compute, rows[i].by_vertex);
		uint32_t *words = words_of(text, &count);
		words[1] = 0x10400; /* from there on, an interface lists all variables */
		spb_options o = defaults();
		o.validation.which = SPB_VALIDATE_NONE;
		spb_program *program = create(&o);
		assert_int_equal(spb_program_add(program, "m", words, count, 0), SPB_OK);
		assert_int_equal(spb_program_bind(program), SPB_OK);
		assert_int_equal(spb_program_push_constants(program, sizeof *ranges, &ranges), 1);
		assert_int_equal(ranges->stages, rows[i].stages);
		spb_program_destroy(program);
		free(words);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

/* In addition to the lists of the struct, and beyond their capacity. */
static void options_by_name_add_to_those_of_the_struct(void **state)
{
	static const char *const rows[][2] = {{"entry", "b"},
					      {"entry", "a"},
					      {"entry", "c"},
					      {"merge-combined", "z:w"},
					      {"spec", "7=72"},
					      {"heap", "sampler=1.2"},
					      {"policy", "place -> set=1"},
					      {"profile", "one-set"},
					      {"shift", "t=5"},
					      {"--heap-size", "4"}};
	static const char *const entries[] = {"d", "e", "f"}, *const pairs[] = {"x:y"};
	static const spb_policy policies[] = {{"a.policy", "place kind=ssbo -> set=2\n"}};
	static const spb_spec_value specs[] = {{7, 70}, {8, 80}};
	spb_options o = defaults();

	(void)state;
	o.layout.entries = entries;
	o.layout.entry_count = 3;
	o.layout.policies = policies;
	o.layout.policy_count = 1;
	o.layout.spec_values = specs;
	o.layout.spec_value_count = 2;
	o.combined.merge = pairs;
	o.combined.merge_count = 1;
	spb_program *program = create(&o);
	for (size_t i = 0; i < SPB_COUNT(rows); i++)
		assert_int_equal(spb_program_set(program, rows[i][0], rows[i][1]), SPB_OK);
	const spb_options *set = &program->options;
	assert_int_equal(set->layout.entry_count, 6);
	assert_string_equal(set->layout.entries[2], "f");
	assert_string_equal(set->layout.entries[5], "c");
	assert_int_equal(set->combined.merge_count, 2);
	assert_string_equal(set->combined.merge[1], "z:w");
	assert_int_equal(set->layout.spec_value_count, 3);
	assert_int_equal(set->layout.spec_values[2].value, 72);
	assert_int_equal(set->heaps.place_count, 1);
	assert_int_equal(set->heaps.size, 4);
	assert_int_equal(set->layout.policy_count, 4);
	assert_string_equal(set->layout.policies[0].name, "--policy=place -> set=1");
	assert_string_equal(set->layout.policies[1].name, "a.policy");
	assert_string_equal(set->layout.policies[2].name, "one-set");
	assert_string_equal(set->layout.policies[3].name, "--shift=t=5");
	assert_int_equal(program->policies.lines.count, 3);
	assert_int_equal(program->policies.shifts.count, 1);
	spb_program_destroy(program);
}

static void rejected_values_change_nothing(void **state)
{
	static const char *const wrong[][2] = {
	    {"nothing", "1"},           {"heap-size", "many"},        {"lock", "a.lock"}, {"resolver", "r.spv"},
	    {"profile", "mine.policy"}, {"policy", "place nonsense"}, {"ycbcr", NULL},    {"ycbcr", ""}};
	spb_program *program = create(NULL);
	const spb_options before = program->options;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(wrong); i++) {
		assert_int_equal(spb_program_set(program, wrong[i][0], wrong[i][1]), SPB_ERROR_INVALID_ARGUMENT);
		assert_memory_equal(&before, &program->options, sizeof before);
		assert_int_equal(program->policies.lines.count, 0);
	}
	assert_int_equal(spb_program_set(NULL, "prune", NULL), SPB_ERROR_INVALID_ARGUMENT);
	assert_int_equal(spb_program_set(program, NULL, NULL), SPB_ERROR_INVALID_ARGUMENT);
	assert_int_equal(spb_program_set(program, "bounds-check", "clamp"), SPB_OK);
	assert_int_equal(spb_program_bind(program), SPB_ERROR_INVALID_ARGUMENT); /* of no size */
	spb_program_destroy(program);
	program = create(NULL);
	assert_int_equal(spb_program_bind(program), SPB_OK);
	assert_int_equal(spb_program_set(program, "prune", NULL), SPB_ERROR_INVALID_ARGUMENT);
	spb_program_destroy(program);
}

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
	    TEST(missing_entry_points_are_reported),
	    TEST(entry_points_are_searched_in_all_modules),
	    TEST(missing_pairs_are_reported),
	    TEST(words_are_returned_in_order),
	    TEST(push_constants_are_those_of_the_entry_points),
	    TEST(unused_push_constants_belong_to_listing_entry_points),
	    TEST(options_by_name_add_to_those_of_the_struct),
	    TEST(rejected_values_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
