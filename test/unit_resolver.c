/* SPDX-License-Identifier: Apache-2.0 */
/* Resolvers by the library: what it copies, what it refuses, and that each allocation may fail; and which signatures
 * the known functions may have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#define kDefaultMaxIdBound unit_kDefaultMaxIdBound /* src/lib/validate.c says why */
#include <spirv-tools/libspirv.h>
#undef kDefaultMaxIdBound

#include "assembled.h"
#include "base/base.h"
#include "metered.h"
#include "indexed.h"
#include "pass/resolver/resolver.h"

static const char *const resolvers[] = {SPB_FIXTURES "/resolvers/loop.spvasm",
					SPB_FIXTURES "/resolvers/choose-float.spvasm"};

/* Binds a module with both resolvers, of which nothing is left once the program is there. *out: a copy of the result.
 */
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
		status = spb_program_add_module(program, "m", words, count);
	if (status == SPB_OK)
		status = spb_program_bind(program);
	*out = NULL;
	if (status == SPB_OK) {
		const uint32_t *result = spb_program_words(program, 0, out_count);
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

static void what_is_no_resolver_is_refused(void **state)
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

/* What a newer caller asks for in words that this library does not know must not be ignored. */
static void reserved_words_must_be_zero(void **state)
{
	uint32_t *reserved[6];
	spb_options options;

	(void)state;
	spb_options_init(&options, sizeof options);
	reserved[0] = &options.layout.reserved[0];
	reserved[1] = &options.handles.reserved[1];
	reserved[2] = &options.heaps.reserved[14];
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

/* signatures */

struct search {
	struct parsed p;
	struct spb_known_functions known;
};

static void find_known(void *argument)
{
	struct search *s = argument;

	s->known = spb_find_known_functions(&s->p.m, &s->p.m.keep);
}

#define SIGNATURES                                                                                                     \
	"%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n%u16 = OpTypeInt 16 0\n"                   \
	"%float = OpTypeFloat 32\n%u2 = OpTypeVector %uint 2\n%u3 = OpTypeVector %uint 3\n%i2 = OpTypeVector %int 2\n" \
	"%p_u2 = OpTypePointer Function %u2\n%p_uint = OpTypePointer Function %uint\n"                                 \
	"%own_u2 = OpTypePointer Private %u2\n%tex = OpTypeImage %float 2D 0 0 0 1 Unknown\n%smp = OpTypeSampler\n"    \
	"%pair = OpTypeSampledImage %tex\n%as = OpTypeAccelerationStructureKHR\n"
#define INDEX   "getDescriptorIndexFromHandle"
#define ADDRESS "getDeviceAddressFromHandle"
#define WHOLE   "getDescriptorFromHandle"

/* Each signature that a known function may have, and each way to miss it. */
static void known_functions_have_signatures(void **state)
{
	static const struct {
		const char *name, *result, *parameters[3], *wanted;
	} rows[] = {
	    {INDEX, "%uint", {"%u2"}, "index"},
	    {INDEX, "%uint", {"%p_u2"}, "index"},
	    {INDEX, "%uint", {"%u2", "%uint"}, "index of a kind"},
	    {INDEX, "%uint", {"%p_u2", "%p_uint"}, "index of a kind"},
	    {INDEX "(vu2;", "%uint", {"%u2"}, "index"},
	    {INDEX "s", "%uint", {"%u2"}, "nothing"},
	    {"", "%uint", {"%u2"}, "nothing"},
	    {"g" INDEX, "%uint", {"%u2"}, "nothing"},
	    {INDEX, "%uint", {NULL}, "refused"},
	    {INDEX, "%uint", {"%u2", "%uint", "%uint"}, "refused"},
	    {INDEX, "%int", {"%u2"}, "refused"},
	    {INDEX, "%u16", {"%u2"}, "refused"},
	    {INDEX, "%float", {"%u2"}, "refused"},
	    {INDEX, "%uint", {"%u3"}, "refused"},
	    {INDEX, "%uint", {"%i2"}, "refused"},
	    {INDEX, "%uint", {"%uint"}, "refused"},
	    {INDEX, "%uint", {"%own_u2"}, "refused"},
	    {INDEX, "%uint", {"%u2", "%int"}, "refused"},
	    {INDEX, "%uint", {"%u2", "%float"}, "refused"},
	    {ADDRESS, "%u2", {"%u2"}, "address"},
	    {ADDRESS, "%u2", {"%p_u2"}, "address"},
	    {ADDRESS "(vu2;", "%u2", {"%p_u2"}, "address"},
	    {ADDRESS, "%uint", {"%u2"}, "refused"},
	    {ADDRESS, "%u3", {"%u2"}, "refused"},
	    {ADDRESS, "%u2", {"%uint"}, "refused"},
	    {ADDRESS, "%u2", {"%u2", "%uint"}, "refused"},
	    {ADDRESS, "%u2", {NULL}, "refused"},
	    {WHOLE, "%tex", {"%u2"}, "whole"},
	    {WHOLE, "%smp", {"%p_u2"}, "whole"},
	    {WHOLE, "%pair", {"%u2"}, "whole"},
	    {WHOLE, "%as", {"%u2"}, "whole"},
	    {WHOLE "_sampler", "%smp", {"%u2"}, "whole"},
	    {WHOLE, "%uint", {"%u2"}, "nothing"}, /* a name alone; what is exported has to fit */
	    {WHOLE, "%tex", {"%uint"}, "refused"},
	    {WHOLE, "%tex", {"%u2", "%uint"}, "refused"},
	    {WHOLE, "%tex", {NULL}, "refused"},
	};

	(void)state;
	for (size_t i = 0; i < 2 * SPB_COUNT(rows); i++) {
		const char *const *parameters = rows[i / 2].parameters, *wanted = rows[i / 2].wanted;
		const bool exported = i % 2;
		char text[3000];
		size_t n =
		    (size_t)snprintf(text, sizeof text,
				     "OpCapability Shader\nOpCapability Linkage\n"
				     "OpMemoryModel Logical GLSL450\n%s\"%s\"%s\n%s%%type = OpTypeFunction %s",
				     exported ? "OpDecorate %f LinkageAttributes " : "OpName %f ", rows[i / 2].name,
				     exported ? " Export" : "", SIGNATURES, rows[i / 2].result);
		for (size_t k = 0; k < 3 && parameters[k]; k++)
			n += (size_t)snprintf(text + n, sizeof text - n, " %s", parameters[k]);
		n += (size_t)snprintf(text + n, sizeof text - n, "\n%%f = OpFunction %s None %%type\n",
				      rows[i / 2].result);
		for (size_t k = 0; k < 3 && parameters[k]; k++)
			n += (size_t)snprintf(text + n, sizeof text - n, "%%p%u = OpFunctionParameter %s\n",
					      (unsigned)k, parameters[k]);
		snprintf(text + n, sizeof text - n, "%%l = OpLabel\nOpUnreachable\nOpFunctionEnd\n");
		if (exported && !strcmp(rows[i / 2].name, WHOLE) && !strcmp(rows[i / 2].result, "%uint"))
			wanted = "refused";
		struct search s;
		parse(&s.p, text);
		bool refused = caught(s.p.m.context, find_known, &s);
		const struct spb_known_functions *known = &s.known;
		const char *found = refused              ? "refused"
				    : known->index       ? known->takes_kind ? "index of a kind" : "index"
				    : known->address     ? "address"
				    : known->whole.count ? "whole"
							 : "nothing";
		if (strcmp(found, wanted) != 0)
			fail_msg("%s, not %s:\n%s", found, wanted, text);
		assert_int_equal(s.p.code, refused ? SPB_E_RESOLVER_SIGNATURE : 0);
		drop(&s.p);
	}
}

/* clang-format off */
#define OF(f, result, calls)                                                                                           \
	"%" #f " = OpFunction %" #result " None %of_" #result "\n%" #f "_h = OpFunctionParameter %u2\n%" #f            \
	"_l = OpLabel\n" calls "OpUnreachable\nOpFunctionEnd\n"
#define CALL(f, g)   "%" #f "_to_" #g " = OpFunctionCall %uint %" #g " %" #f "_h\n"
#define BODILESS(f)  "%" #f " = OpFunction %uint None %of_uint\n%" #f "_h = OpFunctionParameter %u2\nOpFunctionEnd\n"
#define NAME(f, of)  "OpName %" #f " \"" of "\"\n"
/* clang-format on */

/* What known functions call, and how many there may be. */
static void known_functions_are_clear(void **state)
{
	/* clang-format off */
	static const struct {
		const char *names, *functions;
		uint32_t code, whole;
	} rows[] = {
	    {NAME(f, INDEX), OF(f, uint, CALL(f, g)) OF(g, uint, CALL(g, h)) OF(h, uint, ""), 0, 0},
	    {NAME(f, INDEX), OF(f, uint, CALL(f, g) CALL(f, h)) OF(g, uint, CALL(g, k)) OF(h, uint, CALL(h, k)) OF(k,
	     uint, ""), 0, 0},
	    {NAME(f, INDEX), OF(f, uint, "") OF(g, uint, CALL(g, g)), 0, 0}, /* nobody calls it */
	    {NAME(f, INDEX), OF(f, uint, CALL(f, f)), SPB_E_RESOLVER_RECURSION, 0},
	    {NAME(f, INDEX), OF(f, uint, CALL(f, g)) OF(g, uint, CALL(g, f)), SPB_E_RESOLVER_RECURSION, 0},
	    {NAME(f, INDEX), OF(f, uint, CALL(f, k) CALL(f, g)) OF(g, uint, CALL(g, h)) OF(h, uint, CALL(h, g)) OF(k,
	     uint, ""),
	     SPB_E_RESOLVER_RECURSION, 0},
	    {NAME(f, INDEX), OF(f, uint, CALL(f, d)) BODILESS(d), SPB_E_RESOLVER_IMPORT, 0},
	    {NAME(f, INDEX), OF(f, uint, CALL(f, g)) OF(g, uint, CALL(g, d)) BODILESS(d), SPB_E_RESOLVER_IMPORT, 0},
	    {NAME(f, INDEX), OF(f, uint, "") OF(g, uint, CALL(g, d)) BODILESS(d), 0, 0},
	    {NAME(f, ADDRESS), OF(f, u2, "%x = OpFunctionCall %u2 %f %f_h\n"), SPB_E_RESOLVER_RECURSION, 0},
	    {NAME(f, WHOLE), OF(f, tex, "%x = OpFunctionCall %tex %f %f_h\n"), SPB_E_RESOLVER_RECURSION, 0},
	    {NAME(f, WHOLE) NAME(g, WHOLE "2"), OF(f, tex, "") OF(g, smp, "%x = OpFunctionCall %smp %g %g_h\n"),
	     SPB_E_RESOLVER_RECURSION, 0},
	    {NAME(f, INDEX) NAME(g, INDEX), OF(f, uint, "") OF(g, uint, ""), SPB_E_RESOLVER_TWICE, 0},
	    {NAME(f, INDEX) NAME(f, INDEX "(vu2;"), OF(f, uint, ""), 0, 0},
	    {NAME(f, ADDRESS) NAME(g, ADDRESS), OF(f, u2, "") OF(g, u2, ""), SPB_E_RESOLVER_TWICE, 0},
	    {NAME(f, ADDRESS) NAME(f, ADDRESS), OF(f, u2, ""), 0, 0},
	    {NAME(f, WHOLE) NAME(g, WHOLE "2"), OF(f, tex, "") OF(g, smp, ""), 0, 2},
	    {NAME(f, WHOLE) NAME(f, WHOLE), OF(f, tex, ""), 0, 1},
	    {NAME(f, WHOLE) NAME(g, WHOLE "2"), OF(f, tex, "") OF(g, tex, ""), SPB_E_RESOLVER_TWICE, 0},
	    {NAME(f, WHOLE) NAME(g, WHOLE "2") NAME(h, WHOLE "3"), OF(f, tex, "") OF(g, smp, "") OF(h, tex, ""),
	     SPB_E_RESOLVER_TWICE, 0},
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char text[3000];
		struct search s;
		snprintf(text, sizeof text,
			 "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%s%s%s%s",
			 rows[i].names, SIGNATURES,
			 "%of_uint = OpTypeFunction %uint %u2\n%of_u2 = OpTypeFunction %u2 %u2\n"
			 "%of_tex = OpTypeFunction %tex %u2\n%of_smp = OpTypeFunction %smp %u2\n",
			 rows[i].functions);
		parse(&s.p, text);
		bool refused = caught(s.p.m.context, find_known, &s);
		if (s.p.code != rows[i].code || refused != (rows[i].code != 0))
			fail_msg("%u, not %u:\n%s%s", s.p.code, rows[i].code, rows[i].names, rows[i].functions);
		if (!refused)
			assert_int_equal(s.known.whole.count, rows[i].whole);
		drop(&s.p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(resolvers_are_copied),
	    cmocka_unit_test(every_allocation_may_fail),
	    cmocka_unit_test(what_is_no_resolver_is_refused),
	    cmocka_unit_test(bounds_checks_need_a_length),
	    cmocka_unit_test(values_of_specialization_constants_need_an_array),
	    cmocka_unit_test(reserved_words_must_be_zero),
	    cmocka_unit_test(known_functions_have_signatures),
	    cmocka_unit_test(known_functions_are_clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
