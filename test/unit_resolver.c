/* SPDX-License-Identifier: Apache-2.0 */
/* Resolvers in the library: what it copies and refuses, and failing allocations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#define kDefaultMaxIdBound unit_kDefaultMaxIdBound /* src/lib/validation/validate.c says why */
#include <spirv-tools/libspirv.h>
#undef kDefaultMaxIdBound

#include "assembled.h"
#include "base/base.h"
#include "metered.h"
#include "pass/resolver/resolver.h"

static const char *const resolvers[] = {SPB_FIXTURES "/resolvers/loop.spvasm",
					SPB_FIXTURES "/resolvers/choose-float.spvasm"};

/* Binds a module with both resolvers, which are freed once the program exists. *out: a copy of the result. */
static spb_status bind(struct meter *meter, uint32_t **out, size_t *out_count)
{
	const spb_allocator allocator = {metered, meter};
	spb_context *context = NULL;
	spb_program *program = NULL;
	spb_resolver list[2];
	spb_options options;
	size_t count;
	uint32_t *words = assemble(SPB_FIXTURES "/merge-resolver/whole.spvasm", &count), *copies[2];
	spb_status status = spb_context_create(&allocator, NULL, &context);

	spb_options_init(&options, sizeof options);
	options.validation.which = SPB_VALIDATE_NONE;
	for (size_t i = 0; i < 2; i++) {
		char *name = malloc(16);
		snprintf(name, 16, "resolver %zu", i);
		list[i].name = name;
		list[i].words = copies[i] = assemble(resolvers[i], &list[i].word_count);
	}
	options.handles.resolvers = list;
	options.handles.resolver_count = 2;
	if (status == SPB_OK)
		status = spb_program_create(context, &options, &program);
	for (size_t i = 0; i < 2; i++) {
		memset(copies[i], 0xDD, list[i].word_count * sizeof *copies[i]);
		free(copies[i]);
		free((void *)(uintptr_t)list[i].name);
	}
	memset(list, 0xDD, sizeof list);
	if (status == SPB_OK)
		status = spb_program_add(program, "m", words, count, 0);
	if (status == SPB_OK)
		status = spb_program_bind(program);
	*out = NULL;
	if (status == SPB_OK) {
		const uint32_t *result = spb_program_words(program, 0, SPB_WORDS_OUTPUT, out_count);
		*out = malloc(*out_count * sizeof **out);
		memcpy(*out, result, *out_count * sizeof **out);
	}
	free(words);
	spb_program_destroy(program);
	spb_context_destroy(context);
	return status;
}

static void resolvers_are_copied(void **state)
{
	struct meter meter = {.fail_at = -1};
	uint32_t *words;
	size_t count;

	(void)state;
	assert_int_equal(bind(&meter, &words, &count), SPB_OK);
	assert_non_null(words);
	assert_int_equal(meter.out, 0);
	free(words);
}

static void every_allocation_may_fail(void **state)
{
	uint32_t *words;
	size_t count;
	long n = 0;
	spb_status status;

	(void)state;
	do {
		struct meter meter = {.fail_at = n++};
		status = bind(&meter, &words, &count);
		assert_true(status == SPB_OK || status == SPB_ERROR_OUT_OF_MEMORY);
		assert_int_equal(meter.out, 0);
		free(words);
	} while (status != SPB_OK);
	assert_true(n > 10);
}

static spb_status create(const spb_options *options)
{
	spb_context *context;
	spb_program *program;

	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	spb_status status = spb_program_create(context, options, &program);
	assert_true((program != NULL) == (status == SPB_OK));
	spb_program_destroy(program);
	spb_context_destroy(context);
	return status;
}

static void modules_that_are_not_resolvers_are_refused(void **state)
{
	const uint32_t zeros[8] = {0};
	spb_resolver one = {"r", zeros, 8};
	spb_options options;

	(void)state;
	spb_options_init(&options, sizeof options);
	options.handles.resolver_count = 1;
	assert_int_equal(create(&options), SPB_ERROR_INVALID_ARGUMENT);
	options.handles.resolvers = &one;
	assert_int_equal(create(&options), SPB_ERROR_INVALID_SPIRV);
	one.name = NULL;
	assert_int_equal(create(&options), SPB_ERROR_INVALID_ARGUMENT);
	one.name = "r";
	one.words = NULL;
	assert_int_equal(create(&options), SPB_ERROR_INVALID_ARGUMENT);
	one.word_count = 0;
	assert_int_equal(create(&options), SPB_ERROR_INVALID_SPIRV);
}

static void bounds_checks_need_a_length(void **state)
{
	spb_options options;

	(void)state;
	spb_options_init(&options, sizeof options);
	options.heaps.bounds_check = SPB_BOUNDS_CHECK_CLAMP;
	assert_int_equal(create(&options), SPB_ERROR_INVALID_ARGUMENT);
	options.heaps.size = 1;
	assert_int_equal(create(&options), SPB_OK);
	options.heaps.bounds_check = (spb_bounds_check)3;
	assert_int_equal(create(&options), SPB_ERROR_INVALID_ARGUMENT);
}

static void values_of_specialization_constants_need_an_array(void **state)
{
	const spb_spec_value values[] = {{3, 4}, {1, 2}, {3, UINT64_MAX}};
	spb_options options;

	(void)state;
	spb_options_init(&options, sizeof options);
	options.layout.spec_value_count = 3;
	assert_int_equal(create(&options), SPB_ERROR_INVALID_ARGUMENT);
	options.layout.spec_values = values;
	assert_int_equal(create(&options), SPB_OK);
}

/* Options of a newer caller in reserved words must not be ignored. */
static void reserved_words_must_be_zero(void **state)
{
	uint32_t *reserved[6];
	spb_options options;

	(void)state;
	spb_options_init(&options, sizeof options);
	reserved[0] = &options.layout.reserved[0];
	reserved[1] = &options.handles.reserved[1];
	reserved[2] = &options.heaps.reserved[13];
	reserved[3] = &options.combined.reserved[2];
	reserved[4] = &options.uniformity.reserved[3];
	reserved[5] = &options.validation.reserved[4];
	assert_int_equal(create(&options), SPB_OK);
	for (size_t i = 0; i < 6; i++) {
		*reserved[i] = 1;
		assert_int_equal(create(&options), SPB_ERROR_INVALID_ARGUMENT);
		*reserved[i] = 0;
	}
}

#define SIGNATURES                                                                                                     \
	"%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n%u16 = OpTypeInt 16 0\n"                   \
	"%float = OpTypeFloat 32\n%u2 = OpTypeVector %uint 2\n%u3 = OpTypeVector %uint 3\n%i2 = OpTypeVector %int 2\n" \
	"%p_u2 = OpTypePointer Function %u2\n%p_uint = OpTypePointer Function %uint\n"                                 \
	"%own_u2 = OpTypePointer Private %u2\n%tex = OpTypeImage %float 2D 0 0 0 1 Unknown\n%smp = OpTypeSampler\n"    \
	"%pair = OpTypeSampledImage %tex\n%as = OpTypeAccelerationStructureKHR\n"
#define INDEX "getDescriptorIndexFromHandle"

/* If each function calls the next one twice, the number of paths is exponential. */
static void functions_are_visited_once(void **state)
{
	enum { DEPTH = 60 };
	static char text[20000];
	size_t n = (size_t)snprintf(
	    text, sizeof text,
	    "OpCapability Shader\n%%set = OpExtInstImport \"" SPB_HANDLE_SET "\"\nOpMemoryModel Logical GLSL450\n"
	    "OpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize 1 1 1\n"
	    "OpName %%f0 \"" INDEX "\"\n%s%%of_uint = OpTypeFunction %%uint %%u2\n%%fn = OpTypeFunction %%void\n"
	    "%%c0 = OpConstant %%uint 0\n%%h = OpConstantComposite %%u2 %%c0 %%c0\n%%zz = OpConstantNull %%i2\n"
	    "%%v4 = OpTypeVector %%float 4\n"
	    "%%main = OpFunction %%void None %%fn\n%%m = OpLabel\n%%t = OpExtInst %%tex %%set 1 %%h\n"
	    "%%v = OpImageFetch %%v4 %%t %%zz\nOpReturn\nOpFunctionEnd\n",
	    SIGNATURES);
	spb_context *context;
	spb_program *program;
	spb_options options;
	spv_binary binary = NULL;
	spv_context tools = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);

	(void)state;
	for (int i = 0; i < DEPTH; i++) {
		n += (size_t)snprintf(text + n, sizeof text - n,
				      "%%f%d = OpFunction %%uint None %%of_uint\n%%p%d = OpFunctionParameter %%u2\n"
				      "%%l%d = OpLabel\n",
				      i, i, i);
		for (int call = 0; call < 2 && i < DEPTH - 1; call++)
			n += (size_t)snprintf(text + n, sizeof text - n,
					      "%%x%d_%d = OpFunctionCall %%uint %%f%d %%p%d\n", i, call, i + 1, i);
		n += (size_t)snprintf(text + n, sizeof text - n, "OpReturnValue %%c0\nOpFunctionEnd\n");
	}
	assert_int_equal(spvTextToBinary(tools, text, n, &binary, NULL), SPV_SUCCESS);
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	spb_options_init(&options, sizeof options);
	options.validation.which = SPB_VALIDATE_NONE;
	assert_int_equal(spb_program_create(context, &options, &program), SPB_OK);
	assert_int_equal(spb_program_add(program, "m", binary->code, binary->wordCount, 0), SPB_OK);
	assert_int_equal(spb_program_bind(program), SPB_OK);
	spb_program_destroy(program);
	spb_context_destroy(context);
	spvBinaryDestroy(binary);
	spvContextDestroy(tools);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(resolvers_are_copied),
	    cmocka_unit_test(every_allocation_may_fail),
	    cmocka_unit_test(modules_that_are_not_resolvers_are_refused),
	    cmocka_unit_test(bounds_checks_need_a_length),
	    cmocka_unit_test(values_of_specialization_constants_need_an_array),
	    cmocka_unit_test(reserved_words_must_be_zero),
	    cmocka_unit_test(functions_are_visited_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
