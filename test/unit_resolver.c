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

#define P(x) "%" #x "_p = OpFunctionParameter %" #x "\n"
/* In modules that are not valid, functions may not be what their types say. */
static void known_functions_fit_their_types(void **state)
{
	static const struct {
		const char *name, *type, *function, *parameters;
		bool refused;
	} rows[] = {
	    {INDEX, "OpTypeFunction %uint %u2", "%uint None %type", P(u2), false},
	    {INDEX, "OpTypeFunction %uint %u2", "%uint None %type", "OpLine %file 1 1\n" P(u2), false},
	    {INDEX, "OpTypeFunction %uint %u2", "%int None %type", P(u2), true},
	    {INDEX, "OpTypeFunction %int %u2", "%uint None %type", P(u2), true},
	    {INDEX, "OpTypeFunction %uint %u2", "%uint None %type", "", true},
	    {INDEX, "OpTypeFunction %uint %u2", "%uint None %type", P(u2) P(uint), true},
	    {INDEX, "OpTypeFunction %uint %u2", "%uint None %type", P(i2), true},
	    {INDEX, "OpTypeFunction %uint %u2 %uint", "%uint None %type", P(u2), true},
	    {INDEX, "OpTypeFunction %uint %u2 %uint", "%uint None %type", P(u2) P(int), true},
	    {INDEX, "OpTypeVector %uint 4", "%uint None %type", P(u2), true},
	    {ADDRESS, "OpTypeFunction %u2 %u2", "%u2 None %type", P(u2), false},
	    {ADDRESS, "OpTypeFunction %u2 %u2", "%u2 None %type", P(p_u2), true},
	    {ADDRESS, "OpTypeFunction %u2 %u2", "%u2 None %type", "", true},
	    {ADDRESS, "OpTypeStruct %u2 %u2", "%u2 None %type", P(u2), true},
	    {WHOLE, "OpTypeFunction %tex %u2", "%tex None %type", P(u2), false},
	    {WHOLE, "OpTypeFunction %smp %u2", "%tex None %type", P(u2), true},
	    {WHOLE, "OpTypeFunction %tex %u2", "%tex None %type", P(u2) P(uint), true},
	    {WHOLE, "OpTypeFunction %tex %u2", "%tex None %type", "", true},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct search s;
		char text[3000];
		snprintf(text, sizeof text,
			 "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%%file = OpString \"file\"\n"
			 "OpName %%f \"%s\"\n%s%%type = %s\n%%f = OpFunction %s\n%s%%l = OpLabel\n"
			 "OpUnreachable\nOpFunctionEnd\n",
			 rows[i].name, SIGNATURES, rows[i].type, rows[i].function, rows[i].parameters);
		parse(&s.p, text);
		if (caught(s.p.m.context, find_known, &s) != rows[i].refused)
			fail_msg("%s:\n%s", rows[i].refused ? "accepted" : "refused", text);
		assert_int_equal(s.p.code, rows[i].refused ? SPB_E_RESOLVER_SIGNATURE : 0);
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

/* What the pass makes of dereferences: calls of functions, copies of handles, and what is left for the next pass. */

struct merging {
	struct parsed p;
	struct spb_unit unit;
	struct spb_resolver_module resolvers[3];
	uint32_t *words[3];
	size_t counts[3];
	bool changed;
};

static void run_pass(void *argument)
{
	struct merging *g = argument;
	struct spb_unit *u = &g->unit;

	for (size_t i = 0; i < u->resolver_count; i++) {
		static const char *const names[] = {"r0", "r1", "r2"};
		spb_resolver_read(&g->resolvers[i], names[i], g->words[i], g->counts[i]);
	}
	spb_arena_reset(&u->m.context->scratch);
	spb_edit_begin(&u->edit, &u->m, &u->m.context->scratch);
	g->changed = spb_pass_merge_resolver(u);
	if (g->changed)
		spb_edit_commit(&u->edit);
	spb_module_need_index(&u->m);
}

/* Exports i its index, k that of a kind, p that of a pointer, a its address, w and v whole textures of two types, b
 * both, s a whole scene. */
static void add_resolver(struct merging *g, char kind)
{
	static const struct {
		const char *kinds, *name, *result, *of, *more;
	} functions[] = {{"i", INDEX, "uint", "u2", ""},   {"k", INDEX, "uint", "u2", " %uint"},
			 {"p", INDEX, "uint", "p_u2", ""}, {"a", ADDRESS, "u2", "u2", ""},
			 {"wb", WHOLE, "tex", "u2", ""},   {"vb", WHOLE "_2", "itex", "u2", ""},
			 {"s", WHOLE "_3", "as", "u2", ""}};
	const size_t n = g->unit.resolver_count++;
	char text[6000], notes[600] = "", code[3000] = "";

	for (size_t i = 0; i < SPB_COUNT(functions); i++) {
		if (!strchr(functions[i].kinds, kind))
			continue;
		const size_t end_of_notes = strlen(notes), end = strlen(code);
		const char *result = functions[i].result, *of = functions[i].of, *more = functions[i].more;
		snprintf(notes + end_of_notes, sizeof notes - end_of_notes,
			 "OpDecorate %%f%u LinkageAttributes \"%s\" Export\n", (unsigned)i, functions[i].name);
		snprintf(code + end, sizeof code - end,
			 "%%of%u = OpTypeFunction %%%s %%%s%s\n%%value%u = OpUndef %%%s\n|%%f%u = OpFunction %%%s None "
			 "%%of%u\n%%h%u = OpFunctionParameter %%%s\n%s%%l%u = OpLabel\nOpReturnValue "
			 "%%value%u\nOpFunctionEnd\n!",
			 (unsigned)i, result, of, more, (unsigned)i, result, (unsigned)i, result, (unsigned)i,
			 (unsigned)i, of, *more ? "%k = OpFunctionParameter %uint\n" : "", (unsigned)i, (unsigned)i);
	}
	size_t length = (size_t)snprintf(text, sizeof text,
					 "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n");
	for (size_t i = 0; i < SPB_COUNT(functions); i++) {
		if (strchr(functions[i].kinds, kind))
			length += (size_t)snprintf(text + length, sizeof text - length, "OpName %%f%u \"%s\"\n",
						   (unsigned)i, functions[i].name);
	}
	length += (size_t)snprintf(text + length, sizeof text - length,
				   "%s%s%%itex = OpTypeImage %%int 2D 0 0 0 1 Unknown\n", notes, SIGNATURES);
	for (int of_functions = 0; of_functions < 2; of_functions++) { /* types first */
		for (const char *at = code; *at; at = strchr(at, '!') + 1) {
			const char *function = strchr(at, '|') + 1;
			length += of_functions ? (size_t)snprintf(text + length, sizeof text - length, "%.*s",
								  (int)strcspn(function, "!"), function)
					       : (size_t)snprintf(text + length, sizeof text - length, "%.*s",
								  (int)strcspn(at, "|"), at);
		}
	}
	struct parsed p;
	parse(&p, text);
	g->counts[n] = p.count;
	g->words[n] = malloc(p.count * sizeof *p.words);
	memcpy(g->words[n], p.words, p.count * sizeof *p.words);
	drop(&p);
	g->resolvers[n].unit.m.context = g->unit.m.context;
	g->resolvers[n].unit.options = g->unit.options;
}

/* The instructions of main that matter here, and what the pass says to those after it. */
static void tell(const struct merging *g, char *text, size_t size)
{
	const struct spb_module *m = &g->unit.m;
	size_t n = 0;

	text[0] = '\0';
	for (spb_at at = m->function[0].label; at < m->function[0].end; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpFunctionCall)
			n += (size_t)snprintf(text + n, size - n, "%s ", spb_id_name(m, m->words[at + 3]));
		else if (spb_op(m, at) == SpvOpCopyObject || spb_op(m, at) == SpvOpBitcast)
			n += (size_t)snprintf(text + n, size - n, "%s%s ", spb_op_name(spb_op(m, at)),
					      spb_is_plain_handle(&g->unit, m->words[at + 2]) ? " of a plain one" : "");
		else if (spb_op(m, at) == SpvOpExtInst)
			n += (size_t)snprintf(text + n, size - n, "%u ", m->words[at + 4]);
	}
	n += (size_t)snprintf(text + n, size - n, "|");
	for (size_t i = 0; i < g->unit.resolver_count; i++)
		n += (size_t)snprintf(text + n, size - n, "%s", g->resolvers[i].used ? " used" : " unused");
	if (g->unit.index_function)
		n += (size_t)snprintf(text + n, size - n, ", %s%s", spb_id_name(m, g->unit.index_function),
				      g->unit.index_takes_kind ? " of a kind" : "");
	if (g->unit.plain.count)
		n += (size_t)snprintf(text + n, size - n, ", %u plain", (unsigned)g->unit.plain.count);
	if (g->unit.whole_functions.count)
		n += (size_t)snprintf(text + n, size - n, ", %u whole", (unsigned)g->unit.whole_functions.count);
	if (spb_has_capability(m, SpvCapabilityLinkage))
		n += (size_t)snprintf(text + n, size - n, ", linkage");
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] == SpvDecorationLinkageAttributes)
			n += (size_t)snprintf(text + n, size - n, " of %s", spb_id_name(m, m->words[at + 1]));
		else
			n += (size_t)snprintf(text + n, size - n, " %s", spb_op_name(spb_op(m, at)));
	}
	if (m->function_count > 1)
		n += (size_t)snprintf(text + n, size - n, ", %u functions, %u of resolvers", m->function_count,
				      (unsigned)g->unit.resolver_functions.count);
	snprintf(text + n, size - n, "%s%s", g->unit.has_handles ? "" : ", no handles",
		 g->changed ? "" : ", unchanged");
}

#define DEREF(x, type, from) "%" #x " = OpExtInst %" #type " %set 1 %" #from "\n"
#define OF_KIND(x, type, n)  "%" #x " = OpExtInst %" #type " %set " #n " %h\n"

static void dereferences_are_resolved(void **state)
{
	static const struct {
		const char *resolvers; /* @: addresses of acceleration structures; *: references are lowered, & and ~
					* without the option or the capability; x: o is exported, y: g is */
		const char *defaults, *body, *wanted; /* body: of main; behind | are functions of the module */
	} rows[] = {
	    {"i", "", DEREF(t, tex, h), "1 | used, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers"},
	    {"k", "", DEREF(t, tex, h),
	     "1 | used, getDescriptorIndexFromHandle of a kind, 2 functions, 1 of resolvers"},
	    {"w", "", DEREF(t, tex, h), "getDescriptorFromHandle | used, 1 whole, 2 functions, 1 of resolvers"},
	    {"w", "", DEREF(t, tex, ih),
	     "OpBitcast getDescriptorFromHandle | used, 1 whole, 2 functions, 1 of resolvers"},
	    {"w", "", DEREF(t, itex, h), "1 | unused"},
	    {"wi", "", DEREF(t, tex, h), "getDescriptorFromHandle | used unused, 1 whole, 2 functions, 1 of resolvers"},
	    {"iw", "", DEREF(t, tex, h), "getDescriptorFromHandle | unused used, 1 whole, 2 functions, 1 of resolvers"},
	    {"iw", "", DEREF(t, itex, h), "1 | used unused, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers"},
	    {"iw", "", DEREF(t, tex, h) DEREF(u, itex, h),
	     "getDescriptorFromHandle 1 | used used, getDescriptorIndexFromHandle, 1 whole, 3 functions, 2 of "
	     "resolvers"},
	    {"wv", "", DEREF(t, tex, h) DEREF(u, itex, h),
	     "getDescriptorFromHandle getDescriptorFromHandle_2 | used used, 2 whole, 3 functions, 2 of resolvers"},
	    {"wv", "", DEREF(t, itex, h) DEREF(u, itex, h),
	     "getDescriptorFromHandle_2 getDescriptorFromHandle_2 | unused used, 2 whole, 2 functions, 1 of resolvers"},
	    {"ww", "", DEREF(t, itex, h), "1 | unused unused"},
	    {"ww", "", DEREF(t, tex, h),
	     "%1 \"getDescriptorFromHandle\" of r0 and %1 \"getDescriptorFromHandle\" of r1 both define which "
	     "descriptor a handle refers to; remove one of them"},
	    {"ii", "", DEREF(t, tex, h),
	     "%1 \"getDescriptorIndexFromHandle\" of r0 and %1 \"getDescriptorIndexFromHandle\" of r1 both define "
	     "which descriptor a handle refers to; remove one of them"},
	    {"aa", "", DEREF(t, tex, h),
	     "%1 \"getDeviceAddressFromHandle\" of r0 and %1 \"getDeviceAddressFromHandle\" of r1 both define which "
	     "descriptor a handle refers to; remove one of them"},
	    /* other things that are done with handles, and other instructions */
	    {"w", "", OF_KIND(t, tex, 2), "2 | unused"},
	    {"wi", "", OF_KIND(t, tex, 2),
	     "2 | unused used, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers"},
	    {"wi", "", OF_KIND(t, tex, 3),
	     "3 | unused used, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers"},
	    {"wi", "", OF_KIND(t, tex, 4),
	     "4 | unused used, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers"},
	    {"wi", "", "%t = OpExtInst %tex %set 1 %h %h\n", "1 | unused unused, no handles, unchanged"},
	    {"wi", "", "%t = OpExtInst %float %std Round %f1\n", "1 | unused unused, no handles, unchanged"},
	    {"wi", "", DEREF(t, tex, h) "%u = OpExtInst %float %std Round %f1\n",
	     "getDescriptorFromHandle 1 | used unused, 1 whole, 2 functions, 1 of resolvers"},
	    {"i", "", "", "| unused, no handles, unchanged"},
	    /* those that bypass it */
	    {"i", "t", DEREF(t, tex, h), "OpCopyObject of a plain one 1 | unused, 1 plain"},
	    {"iw", "t", DEREF(t, tex, h), "OpCopyObject of a plain one 1 | unused unused, 1 plain"},
	    {"iw", "t", DEREF(t, tex, h) DEREF(u, tex, h),
	     "OpCopyObject of a plain one 1 getDescriptorFromHandle | unused used, 1 plain, 1 whole, 2 functions, 1 of "
	     "resolvers"},
	    {"iw", "u", DEREF(t, tex, h) DEREF(u, tex, h),
	     "getDescriptorFromHandle OpCopyObject of a plain one 1 | unused used, 1 plain, 1 whole, 2 functions, 1 of "
	     "resolvers"},
	    {"iw", "tu", DEREF(t, tex, h) DEREF(u, itex, h),
	     "OpCopyObject of a plain one 1 OpCopyObject of a plain one 1 | unused unused, 2 plain"},
	    {"iw", "u", DEREF(t, tex, h) DEREF(u, itex, h),
	     "getDescriptorFromHandle OpCopyObject of a plain one 1 | unused used, 1 plain, 1 whole, 2 functions, 1 of "
	     "resolvers"},
	    {"iw", "t", DEREF(t, tex, h) DEREF(u, itex, h),
	     "OpCopyObject of a plain one 1 1 | used unused, getDescriptorIndexFromHandle, 1 plain, 2 functions, 1 of "
	     "resolvers"},
	    /* acceleration structures, as addresses or from a heap */
	    {"ai", "", DEREF(t, as, h), "1 | unused used, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers"},
	    {"@ai", "", DEREF(t, as, h),
	     "getDeviceAddressFromHandle 1 | used unused, 1 whole, 2 functions, 1 of resolvers"},
	    {"@a", "", DEREF(t, as, ih),
	     "OpBitcast getDeviceAddressFromHandle 1 | used, 1 whole, 2 functions, 1 of resolvers"},
	    {"@ai", "", DEREF(t, tex, h), "1 | unused used, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers"},
	    {"@ai", "", DEREF(t, as, h) DEREF(u, tex, h),
	     "getDeviceAddressFromHandle 1 1 | used used, getDescriptorIndexFromHandle, 1 whole, 3 functions, 2 of "
	     "resolvers"},
	    {"@as", "", DEREF(t, as, h),
	     "getDescriptorFromHandle_3 | unused used, 1 whole, 2 functions, 1 of resolvers"},
	    {"as", "", DEREF(t, as, h),
	     "getDescriptorFromHandle_3 | unused used, 1 whole, 2 functions, 1 of resolvers"},
	    {"@ai", "t", DEREF(t, as, h), "OpCopyObject of a plain one 1 | unused unused, 1 plain"},
	    {"@ai", "", OF_KIND(t, as, 2),
	     "2 | unused used, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers"},
	    {"@i", "", DEREF(t, as, h), "1 | unused"},
	    /* references become dereferences later */
	    {"*i", "", "", "| used, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers, no handles"},
	    {"*iw", "", DEREF(t, tex, h),
	     "getDescriptorFromHandle | used used, getDescriptorIndexFromHandle, 1 whole, 3 functions, 2 of resolvers"},
	    {"*w", "", "", "| unused, no handles"},
	    /* those of the module */
	    {"", "", DEREF(t, tex, h), "1 |, unchanged"},
	    {"", "", DEREF(t, tex, h) "|" OF(o, uint, ""),
	     "1 |, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers"},
	    {"i", "", DEREF(t, tex, h) "|" OF(o, uint, ""),
	     "%1 \"getDescriptorIndexFromHandle\" of r0 and %5 \"getDescriptorIndexFromHandle\" of m both define which "
	     "descriptor a handle refers to; remove one of them"},
	    {"w", "", DEREF(t, tex, h) "|" OF(o, uint, ""),
	     "getDescriptorFromHandle | used, 1 whole, 3 functions, 2 of resolvers"},
	    {"w", "", "|" OF(o, uint, DEREF(t, tex, o_h)), "| unused, 2 functions, 1 of resolvers"},
	    {"w", "", DEREF(t, tex, h) "|" OF(o, uint, CALL(o, g)) OF(g, uint, DEREF(u, tex, g_h)),
	     "getDescriptorFromHandle | used, 1 whole, 4 functions, 3 of resolvers"},
	    {"w", "", DEREF(t, tex, h) "|" OF(o, uint, "") OF(g, uint, DEREF(u, tex, g_h)),
	     "getDescriptorFromHandle | used, 2 whole, 4 functions, 2 of resolvers"},
	    {"w", "", "|" OF(w, tex, DEREF(u, tex, w_h)), "| unused, 2 functions, 1 of resolvers"},
	    {"", "", DEREF(t, tex, h) "|" OF(w, tex, DEREF(u, tex, w_h)),
	     "getDescriptorFromHandle |, 1 whole, 2 functions, 1 of resolvers"},
	    {"w", "", DEREF(t, tex, h) "|" OF(w, tex, ""),
	     "%1 \"getDescriptorFromHandle\" of r0 and %5 \"getDescriptorFromHandle\" of m both define which "
	     "descriptor a handle refers to; remove one of them"},
	    {"@", "", DEREF(t, as, h) "|" OF(a, u2, DEREF(u, as, a_h)),
	     "getDeviceAddressFromHandle 1 |, 1 whole, 2 functions, 1 of resolvers"},
	    {"@", "", "|" OF(a, u2, DEREF(u, as, a_h)), "|, 2 functions, 1 of resolvers"},
	    {"", "", DEREF(t, tex, h) "|" OF(o, uint, CALL(o, g) CALL(o, k)) OF(g, uint, CALL(g, k)) OF(k, uint, ""),
	     "1 |, getDescriptorIndexFromHandle, 4 functions, 3 of resolvers"},
	    /* several functions, and pointers */
	    {"b", "", DEREF(t, itex, h), "getDescriptorFromHandle_2 | used, 1 whole, 2 functions, 1 of resolvers"},
	    {"b", "", DEREF(t, tex, ih),
	     "OpBitcast getDescriptorFromHandle | used, 1 whole, 2 functions, 1 of resolvers"},
	    {"b", "", DEREF(t, tex, h) DEREF(u, itex, ih),
	     "getDescriptorFromHandle OpBitcast getDescriptorFromHandle_2 | used, 2 whole, 3 functions, 2 of "
	     "resolvers"},
	    {"p", "", DEREF(t, tex, h), "1 | used, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers"},
	    {"bv", "", DEREF(t, itex, h),
	     "%2 \"getDescriptorFromHandle_2\" of r0 and %1 \"getDescriptorFromHandle_2\" of r1 both define which "
	     "descriptor a handle refers to; remove one of them"},
	    {"wi", "", DEREF(t, tex, f1),
	     "%27 is dereferenced as a DescriptorHandle, but is not a vector of two 32-bit integers (uvec2, uint2)"},
	    {"wi", "", "%t = OpExtInst %tex %set 5 %h\n", "5 | unused unused, no handles, unchanged"},
	    /* what is exported need not be, once it is called */
	    {"x", "", DEREF(t, tex, h) "|" OF(o, uint, ""),
	     "1 |, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers"},
	    {"xy", "", DEREF(t, tex, h) "|" OF(o, uint, "") OF(g, uint, ""),
	     "1 |, getDescriptorIndexFromHandle, linkage of g, 3 functions, 1 of resolvers"},
	    {"y", "", DEREF(t, tex, h) "|" OF(o, uint, "") OF(g, uint, ""),
	     "1 |, getDescriptorIndexFromHandle, linkage of g, 3 functions, 1 of resolvers"},
	    {"yi", "", DEREF(t, tex, h) "|" OF(g, uint, ""),
	     "1 | used, getDescriptorIndexFromHandle, linkage of g, 3 functions, 1 of resolvers"},
	    {"&i", "", "", "| unused, no handles, unchanged"},
	    {"&i", "", DEREF(t, tex, h), "1 | used, getDescriptorIndexFromHandle, 2 functions, 1 of resolvers"},
	    {"~i", "", "", "| unused, no handles, unchanged"},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char text[6000], found[500];
		struct merging g = {.changed = false};
		const char *body = rows[i].body, *own = strchr(body, '|');
		const bool both = strchr(rows[i].resolvers, '*') != NULL, x = strchr(rows[i].resolvers, 'x') != NULL,
			   y = strchr(rows[i].resolvers, 'y') != NULL;
		spb_options options = {.heaps.as_address = strchr(rows[i].resolvers, '@') != NULL,
				       .handles.lower_buffer_references = both || strchr(rows[i].resolvers, '~')};
		snprintf(
		    text, sizeof text,
		    "OpCapability Shader\n%s%s%%std = OpExtInstImport \"GLSL.std.450\"\n%%set = OpExtInstImport "
		    "\"" SPB_HANDLE_SET "\"\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\n"
		    "%s%s%s%s%s%s%s%s%%itex = OpTypeImage %%int 2D 0 0 0 1 Unknown\n%%fn = OpTypeFunction %%void\n"
		    "%%of_uint = OpTypeFunction %%uint %%u2\n%%of_u2 = OpTypeFunction %%u2 %%u2\n%%of_tex = "
		    "OpTypeFunction %%tex %%u2\n%%h = OpConstantNull %%u2\n%%ih = OpConstantNull %%i2\n"
		    "%%f1 = OpConstant %%float 1\n%%main = OpFunction %%void None %%fn\n%%m = OpLabel\n%.*sOpReturn\n"
		    "OpFunctionEnd\n%s",
		    both || strchr(rows[i].resolvers, '&') ? "OpCapability PhysicalStorageBufferAddresses\n" : "",
		    x || y ? "OpCapability Linkage\n" : "", strstr(body, "%t =") ? "OpName %t \"t\"\n" : "",
		    strstr(body, "%u =") ? "OpName %u \"u\"\n" : "",
		    own && strstr(own, "%o =") ? "OpName %o \"" INDEX "\"\n" : "",
		    own && strstr(own, "%w =") ? "OpName %w \"" WHOLE "\"\n" : "",
		    own && strstr(own, "%a =") ? "OpName %a \"" ADDRESS "\"\n" : "",
		    y ? "OpName %g \"g\"\nOpDecorate %g LinkageAttributes \"g\" Export\n" : "",
		    x ? "OpDecorate %o LinkageAttributes \"" INDEX "\" Export\n" : "", SIGNATURES,
		    (int)strcspn(body, "|"), body, own ? own + 1 : "");
		parse(&g.p, text);
		g.unit.m = g.p.m;
		g.unit.options = &options;
		g.unit.resolvers = g.resolvers;
		for (const char *kind = rows[i].resolvers + strspn(rows[i].resolvers, "@*&~xy"); *kind; kind++)
			add_resolver(&g, *kind);
		for (const char *c = rows[i].defaults; *c; c++)
			SPB_PUSH(&g.unit.m.keep, &g.unit.defaults, named(&g.unit.m, (char[]){*c, '\0'}));
		if (caught(g.unit.m.context, run_pass, &g))
			snprintf(found, sizeof found, "%s", g.p.said);
		else
			tell(&g, found, sizeof found);
		if (strcmp(found, rows[i].wanted) != 0)
			fail_msg("%u: %s, not %s", (unsigned)i, found, rows[i].wanted);
		for (size_t k = 0; k < g.unit.resolver_count; k++) {
			spb_module_release(&g.resolvers[k].unit.m);
			free(g.words[k]);
		}
		g.p.m = g.unit.m;
		drop(&g.p);
	}
}

/* Of functions that call each other twice there are more ways than anybody could walk. */
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
	assert_int_equal(spb_program_add_module(program, "m", binary->code, binary->wordCount), SPB_OK);
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
	    cmocka_unit_test(what_is_no_resolver_is_refused),
	    cmocka_unit_test(bounds_checks_need_a_length),
	    cmocka_unit_test(values_of_specialization_constants_need_an_array),
	    cmocka_unit_test(reserved_words_must_be_zero),
	    cmocka_unit_test(known_functions_have_signatures),
	    cmocka_unit_test(known_functions_fit_their_types),
	    cmocka_unit_test(known_functions_are_clear),
	    cmocka_unit_test(dereferences_are_resolved),
	    cmocka_unit_test(functions_are_visited_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
