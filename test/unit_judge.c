/* SPDX-License-Identifier: Apache-2.0 */
/* The consequences of verdicts on the input, the output, and both. The verdicts come from a fake validator, which gives
 * prepared answers and records its calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "lib/lib.h"
#include "parsed.h"
#include "results.h"

/* Replaces validate.c */

enum { MOST_WORDS = 1000, MOST_ANSWERS = 4 };

struct spb_validator {
	spb_allocator allocator;
};

static struct {
	struct spb_verdict answers[MOST_ANSWERS]; /* in this order; afterwards everything is valid */
	uint32_t asked, released, cure, asked_for_cure, created, destroyed;
	bool of_input[MOST_ANSWERS];
	uint32_t words[MOST_ANSWERS][MOST_WORDS];
	size_t count[MOST_ANSWERS];
	/* Changes that the first answer makes to the program: the input module, and the passes that made ids. */
	spb_program *program;
	const uint32_t *given;
	size_t given_count;
	struct spb_made *made;
	size_t made_count;
} validator;

const char *spb_validator_version(void)
{
	return "v0";
}

const char *spb_env_name(spb_env env)
{
	return env <= SPB_ENV_VULKAN_1_3 ? "known" : NULL;
}

struct spb_validator *spb_validator_create(struct spb_context *context, const spb_options *options)
{
	struct spb_validator *v = context->allocator.resize(context->allocator.user, NULL, 0, sizeof *v);

	(void)options;
	assert_non_null(v);
	v->allocator = context->allocator;
	validator.created++;
	return v;
}

void spb_validator_destroy(struct spb_validator *v)
{
	v->allocator.resize(v->allocator.user, v, sizeof *v, 0);
	validator.destroyed++;
}

struct spb_verdict spb_judge(struct spb_validator *v, const uint32_t *words, size_t count, bool input)
{
	static const struct spb_verdict valid = {
	    .kind = SPB_VERDICT_VALID, .text = "", .unknown_capability = SpvCapabilityMax};
	const uint32_t n = validator.asked++;

	assert_non_null(v);
	if (n >= MOST_ANSWERS)
		return valid;
	assert_true(count <= MOST_WORDS);
	memcpy(validator.words[n], words, count * sizeof *words);
	validator.count[n] = count;
	validator.of_input[n] = input;
	if (n == 0 && validator.given) {
		struct spb_module *m = &validator.program->slots.items[0]->unit.m;
		m->given = validator.given;
		m->given_count = (uint32_t)validator.given_count;
	}
	if (n == 0 && validator.made) {
		struct spb_unit *u = &validator.program->slots.items[0]->unit;
		u->run.made.items = validator.made;
		u->run.made.count = validator.made_count;
	}
	if (validator.answers[n].kind == SPB_VERDICT_NONE)
		return valid;
	return validator.answers[n];
}

uint32_t spb_flags_that_cure(struct spb_validator *v, const uint32_t *words, size_t count)
{
	(void)v;
	(void)words;
	(void)count;
	validator.asked_for_cure++;
	return validator.cure;
}

void spb_verdict_release(struct spb_verdict *verdict)
{
	(void)verdict;
	validator.released++;
}

/* Modules: the first is unchanged, the second only lacks a binding, the third loses a variable */

#define BEGIN "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %1 \"main\"\n"
#define MODE                                                                                                           \
	"OpExecutionMode %1 OriginUpperLeft\nOpName %1 \"main\"\nOpName %9 \"tex\"\nOpDecorate %9 DescriptorSet 3\n"
#define END                                                                                                            \
	"%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%4 = OpTypeFloat 32\n%5 = OpTypeImage %4 2D 0 0 0 1 Unknown\n"       \
	"%6 = OpTypePointer UniformConstant %5\n%9 = OpVariable %6 UniformConstant\n"                                  \
	"%10 = OpVariable %6 UniformConstant\n%1 = OpFunction %2 None %3\n%7 = OpLabel\n%8 = OpLoad %5 %9\nOpReturn\n" \
	"OpFunctionEnd\n"
#define OTHER "OpDecorate %10 DescriptorSet 3\nOpDecorate %10 Binding 1\n"

static const char complete[] = BEGIN MODE "OpDecorate %9 Binding 0\n" OTHER END;
static const char unplaced[] = BEGIN MODE OTHER END;
static const char with_handles[] =
    "OpCapability Shader\n%20 = OpExtInstImport \"NonSemantic.DescriptorHandle\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %1 \"main\"\n" MODE OTHER END;

enum module { COMPLETE, UNPLACED, WITHOUT, HANDLES };

struct asked {
	enum module module;
	struct spb_verdict verdict, other, third; /* in the order of the calls */
	spb_validate which;
	bool unvalidated;
	uint32_t cure;
	const uint32_t *given; /* replaces the input module */
	size_t given_count;
	struct spb_made *made;
	size_t made_count;
};

struct outcome {
	spb_status status;
	struct said said;
	uint32_t asked, bound;
	uint32_t given[MOST_WORDS], out[MOST_WORDS];
	size_t given_count, out_count;
};

static struct outcome bind(const struct asked *a)
{
	struct outcome o = {.bound = 0};
	const spb_callbacks callbacks = {hear, &o.said};
	size_t count;
	uint32_t *words = words_of(a->module == COMPLETE  ? complete
				   : a->module == HANDLES ? with_handles
							  : unplaced,
				   &count);
	spb_context *context;
	spb_program *program;
	spb_options options;

	memset(&validator, 0, sizeof validator);
	validator.answers[0] = a->verdict;
	validator.answers[1] = a->other;
	validator.answers[2] = a->third;
	validator.cure = a->cure;
	spb_options_init(&options, sizeof options);
	options.validation.which = a->which;
	options.validation.allow_unvalidated = a->unvalidated;
	options.layout.unused = a->module == WITHOUT ? SPB_UNUSED_REMOVE : SPB_UNUSED_COUNT;
	assert_int_equal(spb_context_create(NULL, &callbacks, &context), SPB_OK);
	assert_int_equal(spb_program_create(context, &options, &program), SPB_OK);
	assert_int_equal(spb_program_add(program, "m", words, count, 0), SPB_OK);
	validator.program = program;
	validator.given = a->given;
	validator.given_count = a->given_count;
	validator.made = a->made;
	validator.made_count = a->made_count;
	o.status = spb_program_bind(program);
	o.asked = validator.asked;
	assert_true(o.said.count <= 1);
	memcpy(o.given, words, count * sizeof *words);
	o.given_count = count;
	const uint32_t *out = spb_program_words(program, 0, SPB_WORDS_OUTPUT, &o.out_count);
	if (out)
		memcpy(o.out, out, o.out_count * sizeof *out);
	if (out)
		assert_int_equal(is_changed(program, 0), a->module != COMPLETE);
	spb_program_destroy(program);
	spb_context_destroy(context);
	/* For each judged module, it and what it was compared with, each time. */
	const bool of_input = a->which == SPB_VALIDATE_BOTH && a->module != HANDLES;
	const uint32_t judged = a->which == SPB_VALIDATE_NONE ? 0 : of_input && (o.asked > 1 || !o.status) ? 2 : 1;
	assert_int_equal(validator.released, 2 * judged + (o.asked == 3));
	assert_int_equal(validator.created, a->which == SPB_VALIDATE_BOTH && (!of_input || judged == 2)
						? 2
						: a->which != SPB_VALIDATE_NONE);
	assert_int_equal(validator.destroyed, validator.created);
	free(words);
	return o;
}

#define FAULT(words)                                                                                                   \
	{                                                                                                              \
		.kind = SPB_VERDICT_INVALID, .text = words, .unknown_capability = SpvCapabilityMax                     \
	}
#define UNKNOWN(words)                                                                                                 \
	{                                                                                                              \
		.kind = SPB_VERDICT_UNKNOWN, .text = words, .unknown_capability = SpvCapabilityMax                     \
	}
#define VALID                                                                                                          \
	{                                                                                                              \
		.kind = SPB_VERDICT_VALID, .text = "", .unknown_capability = SpvCapabilityMax                          \
	}
#define SHIM                                                                                                           \
	{                                                                                                              \
		.kind = SPB_VERDICT_SHIM, .text = "", .unknown_capability = SpvCapabilityMax                           \
	}
#define NO_MEMORY                                                                                                      \
	{                                                                                                              \
		.kind = SPB_VERDICT_OUT_OF_MEMORY, .text = "", .unknown_capability = SpvCapabilityMax                  \
	}

#define OF_INPUT "the module as given is not valid: "
#define OF_OUT   "the rewritten module is not valid: "
#define CANNOT   "SPIRV-Tools v0 cannot validate "

enum { SILENT = 0 };
#define STRICT SPB_VALIDATE_STRICT
#define BOTH   SPB_VALIDATE_BOTH
#define NONE   SPB_VALIDATE_NONE

static const struct {
	struct asked asked;
	uint32_t code, times; /* the number of verdicts */
	spb_severity severity;
	const char *text;
} rows[] = {
    /* Valid modules, and modules that are not judged. */
    {{COMPLETE, .verdict = VALID}, SILENT, 1, 0, ""},
    {{COMPLETE, .verdict = SHIM}, SILENT, 1, 0, ""},
    {{UNPLACED, .verdict = VALID}, SILENT, 1, 0, ""},
    {{UNPLACED, .verdict = VALID, .which = BOTH}, SILENT, 2, 0, ""},
    {{UNPLACED, .verdict = FAULT("x"), .which = NONE}, SILENT, 0, 0, ""},
    /* A module that needs no change: a warning. */
    {{COMPLETE, .verdict = FAULT("x")}, SPB_E_INVALID_INPUT, 1, SPB_SEVERITY_WARNING, OF_INPUT "x"},
    {{COMPLETE, .verdict = FAULT("x"), .which = STRICT}, SPB_E_INVALID_INPUT, 1, SPB_SEVERITY_ERROR, OF_INPUT "x"},
    {{COMPLETE, .verdict = FAULT("x"), .which = STRICT, .unvalidated = true},
     SPB_E_INVALID_INPUT,
     1,
     SPB_SEVERITY_WARNING,
     OF_INPUT "x"},
    {{COMPLETE, .verdict = UNKNOWN("x")},
     SPB_E_NOT_VALIDATABLE,
     1,
     SPB_SEVERITY_WARNING,
     CANNOT "the module, which needed no change: x"},
    {{COMPLETE, .verdict = UNKNOWN("x"), .which = STRICT},
     SPB_E_NOT_VALIDATABLE,
     1,
     SPB_SEVERITY_ERROR,
     CANNOT "the module, which needed no change: x"},
    /* A rewritten module with the fault of its input. */
    {{WITHOUT, .verdict = FAULT("x"), .other = FAULT("x")}, SPB_E_INVALID_INPUT, 2, SPB_SEVERITY_ERROR, OF_INPUT "x"},
    {{WITHOUT, .verdict = FAULT("x"), .other = FAULT("x"), .unvalidated = true},
     SPB_E_INVALID_INPUT,
     2,
     SPB_SEVERITY_WARNING,
     OF_INPUT "x"},
    {{WITHOUT, .verdict = FAULT("x"), .other = FAULT("[VUID-1] x")},
     SPB_E_INVALID_INPUT,
     2,
     SPB_SEVERITY_ERROR,
     OF_INPUT "x"},
    {{WITHOUT, .verdict = FAULT("[VUID-1] x"), .other = UNKNOWN("x")},
     SPB_E_INVALID_INPUT,
     2,
     SPB_SEVERITY_ERROR,
     OF_INPUT "[VUID-1] x"},
    {{UNPLACED, .verdict = FAULT("x"), .other = FAULT("x")}, SPB_E_INVALID_INPUT, 2, SPB_SEVERITY_ERROR, OF_INPUT "x"},
    /* By SPIR-V's rules alone it has the same one. */
    {{WITHOUT, .verdict = FAULT("x"), .other = FAULT("y"), .third = FAULT("x")},
     SPB_E_INVALID_INPUT,
     3,
     SPB_SEVERITY_ERROR,
     OF_INPUT "x"},
    {{WITHOUT, .verdict = FAULT("x"), .other = FAULT("y"), .third = FAULT("y")},
     SPB_E_INVALID_OUTPUT,
     3,
     SPB_SEVERITY_ERROR,
     OF_OUT "x\n(the input has another fault: y)"},
    {{WITHOUT, .verdict = FAULT("x"), .other = FAULT("y"), .third = VALID},
     SPB_E_INVALID_OUTPUT,
     3,
     SPB_SEVERITY_ERROR,
     OF_OUT "x\n(the input has another fault: y)"},
    {{WITHOUT, .verdict = FAULT("x"), .other = VALID}, SPB_E_INVALID_OUTPUT, 2, SPB_SEVERITY_ERROR, OF_OUT "x"},
    {{WITHOUT, .verdict = FAULT("x"), .other = VALID, .unvalidated = true},
     SPB_E_INVALID_OUTPUT,
     2,
     SPB_SEVERITY_ERROR,
     OF_OUT "x"},
    {{UNPLACED, .verdict = FAULT("x"), .other = SHIM}, SPB_E_INVALID_OUTPUT, 2, SPB_SEVERITY_ERROR, OF_OUT "x"},
    /* The operands of an instruction do not count, its opcode does. */
    {{WITHOUT, .verdict = FAULT("x\n  %8 = OpLoad %5 %9"), .other = FAULT("x\n  %8 = OpLoad %4 %9\n")},
     SPB_E_INVALID_INPUT,
     2,
     SPB_SEVERITY_ERROR,
     OF_INPUT "x\n  %8 = OpLoad %5 %9 \"tex\""},
    {{WITHOUT, .verdict = FAULT("x\n  %8 = OpLoad %5 %9"), .other = FAULT("x\n  %8 = OpLoaf %5 %9"), .third = VALID},
     SPB_E_INVALID_OUTPUT,
     3,
     SPB_SEVERITY_ERROR,
     OF_OUT "x\n  %8 = OpLoad %5 %9 \"tex\"\n(the input has another fault: x\n  %8 = OpLoaf %5 %9 \"tex\")"},
    {{WITHOUT, .verdict = FAULT("x\n  %8 = OpLoad %5 %9"), .other = FAULT("x\n  %8 = OpLoads %5 %9"), .third = VALID},
     SPB_E_INVALID_OUTPUT,
     3,
     SPB_SEVERITY_ERROR,
     OF_OUT "x\n  %8 = OpLoad %5 %9 \"tex\"\n(the input has another fault: x\n  %8 = OpLoads %5 %9 \"tex\")"},
    {{WITHOUT, .verdict = FAULT("x = OpA b"), .other = FAULT("x = OpA c"), .third = VALID},
     SPB_E_INVALID_OUTPUT,
     3,
     SPB_SEVERITY_ERROR,
     OF_OUT "x = OpA b\n(the input has another fault: x = OpA c)"},
    {{WITHOUT, .verdict = FAULT("[x"), .other = FAULT("x"), .third = VALID},
     SPB_E_INVALID_OUTPUT,
     3,
     SPB_SEVERITY_ERROR,
     OF_OUT "[x\n(the input has another fault: x)"},
    {{WITHOUT, .verdict = FAULT("[a]x"), .other = FAULT("x")},
     SPB_E_INVALID_INPUT,
     2,
     SPB_SEVERITY_ERROR,
     OF_INPUT "[a]x"},
    /* With flags it would be valid. */
    {{COMPLETE, .verdict = FAULT("x"), .cure = SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT},
     SPB_E_INVALID_INPUT,
     1,
     SPB_SEVERITY_WARNING,
     "the module as given is valid only with --scalar-block-layout, which the device has to support: x"},
    {{WITHOUT, .verdict = FAULT("x"), .other = FAULT("x"),
      .cure = SPB_VALIDATOR_RELAX_BLOCK_LAYOUT | SPB_VALIDATOR_ALLOW_LOCALSIZEID},
     SPB_E_INVALID_INPUT,
     2,
     SPB_SEVERITY_ERROR,
     "the module as given is valid only with --relax-block-layout --allow-localsizeid, which the device has to "
     "support: "
     "x"},
    {{WITHOUT, .verdict = FAULT("x"), .other = VALID, .cure = SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT},
     SPB_E_INVALID_OUTPUT,
     2,
     SPB_SEVERITY_ERROR,
     OF_OUT "x"},
    /* SPIRV-Tools may be too old. Only decorations were changed: a warning; else an error, unless it is allowed. */
    {{UNPLACED, .verdict = UNKNOWN("x"), .other = UNKNOWN("x")},
     SPB_E_NOT_VALIDATABLE,
     2,
     SPB_SEVERITY_WARNING,
     CANNOT "the module, of which only decorations were changed: x"},
    {{UNPLACED, .verdict = UNKNOWN("x"), .other = UNKNOWN("x"), .which = STRICT},
     SPB_E_NOT_VALIDATABLE,
     2,
     SPB_SEVERITY_ERROR,
     CANNOT "the module, of which only decorations were changed: x"},
    {{WITHOUT, .verdict = UNKNOWN("x"), .other = UNKNOWN("x")},
     SPB_E_NOT_VALIDATABLE,
     2,
     SPB_SEVERITY_ERROR,
     CANNOT "the rewritten module: x"},
    {{WITHOUT, .verdict = UNKNOWN("x"), .other = UNKNOWN("x"), .unvalidated = true},
     SPB_E_NOT_VALIDATABLE,
     2,
     SPB_SEVERITY_WARNING,
     CANNOT "the rewritten module: x"},
    {{WITHOUT, .verdict = UNKNOWN("x"), .other = UNKNOWN("y"), .third = VALID},
     SPB_E_NOT_VALIDATABLE,
     3,
     SPB_SEVERITY_ERROR,
     CANNOT "the rewritten module: x"},
    /* What the input has, too, it knows there. */
    {{WITHOUT, .verdict = UNKNOWN("x"), .other = VALID}, SPB_E_INVALID_OUTPUT, 2, SPB_SEVERITY_ERROR, OF_OUT "x"},
    {{UNPLACED, .verdict = UNKNOWN("x"), .other = SHIM}, SPB_E_INVALID_OUTPUT, 2, SPB_SEVERITY_ERROR, OF_OUT "x"},
    /* The input, asked first. */
    {{UNPLACED, .verdict = FAULT("x"), .which = BOTH}, SPB_E_INVALID_INPUT, 1, SPB_SEVERITY_ERROR, OF_INPUT "x"},
    {{COMPLETE, .verdict = FAULT("x"), .which = BOTH}, SPB_E_INVALID_INPUT, 1, SPB_SEVERITY_ERROR, OF_INPUT "x"},
    {{COMPLETE, .verdict = FAULT("x"), .which = BOTH, .unvalidated = true, .cure = SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT},
     SPB_E_INVALID_INPUT,
     2,
     SPB_SEVERITY_WARNING,
     OF_INPUT "x"},
    {{COMPLETE, .verdict = UNKNOWN("x"), .which = BOTH},
     SPB_E_NOT_VALIDATABLE,
     1,
     SPB_SEVERITY_ERROR,
     CANNOT "the module as given: x"},
    /* Modules with handles cannot be valid before they are lowered. */
    {{HANDLES, .verdict = FAULT("x")}, SPB_E_INVALID_OUTPUT, 1, SPB_SEVERITY_ERROR, OF_OUT "x"},
    {{HANDLES, .verdict = UNKNOWN("x")},
     SPB_E_NOT_VALIDATABLE,
     1,
     SPB_SEVERITY_ERROR,
     CANNOT "the rewritten module: x"},
    {{HANDLES, .verdict = FAULT("x"), .which = BOTH}, SPB_E_INVALID_OUTPUT, 1, SPB_SEVERITY_ERROR, OF_OUT "x"},
    /* Names of ids in the message, but not of other numbers. */
    {{COMPLETE, .verdict = FAULT("id 9[%9] and %10, %_struct_9 %1 %99 %4294967305 %_structur9 %x 9 %")},
     SPB_E_INVALID_INPUT,
     1,
     SPB_SEVERITY_WARNING,
     OF_INPUT "id 9[%9 \"tex\"] and %10, %_struct_9 \"tex\" %1 \"main\" %99 %4294967305 %_structur9 %x 9 %"},
    {{COMPLETE, .verdict = FAULT("%9")}, SPB_E_INVALID_INPUT, 1, SPB_SEVERITY_WARNING, OF_INPUT "%9 \"tex\""},
};

static void each_pair_of_verdicts_has_its_message(void **state)
{
	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		const struct outcome o = bind(&rows[i].asked);
		const bool fails = rows[i].code && rows[i].severity == SPB_SEVERITY_ERROR;
		if (strcmp(o.said.text, rows[i].text) != 0 || o.asked != rows[i].times)
			print_message("row %u, asked %u times: %s\n", (unsigned)i, o.asked, o.said.text);
		assert_string_equal(o.said.text, rows[i].text);
		assert_int_equal(o.said.last.code, rows[i].code);
		assert_int_equal(o.said.last.severity, rows[i].severity);
		assert_int_equal(o.status, fails ? SPB_ERROR_VALIDATION : SPB_OK);
		assert_int_equal(o.asked, rows[i].times);
		if (rows[i].code)
			assert_string_equal(o.said.pass, "validate");
		assert_int_equal(o.said.last.word_offset, 0);
		assert_int_equal(o.out_count != 0, !fails);
		const bool may_be_cured =
		    rows[i].code == SPB_E_INVALID_INPUT && rows[i].asked.which != SPB_VALIDATE_BOTH;
		assert_int_equal(validator.asked_for_cure, may_be_cured);
		/* only the input is judged by SPIR-V's rules */
		for (uint32_t k = 0; k < o.asked; k++)
			assert_int_equal(validator.of_input[k],
					 k == 2 || (k == 0 && rows[i].asked.which == SPB_VALIDATE_BOTH &&
						    rows[i].asked.module != HANDLES));
	}
}

static void unknown_extensions_are_named(void **state)
{
	static const struct {
		const char *extension;
		uint32_t capability;
		const char *text;
	} unknown[] = {
	    {"SPV_X", SpvCapabilityMax, "it does not know SPV_X\n  x"},
	    {"SPV_X", SpvCapabilityShader, "it does not know SPV_X\n  x"},
	    {"", SpvCapabilityShader, "it does not know the capability Shader (1)\n  x"},
	    {"SPV_X", CapabilityDescriptorHeapEXT, "it does not know SPV_EXT_descriptor_heap, which 2026.1 does\n  x"},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(unknown); i++) {
		struct asked a = {.module = COMPLETE, .verdict = UNKNOWN("x")};
		char text[300];
		a.verdict.unknown_capability = unknown[i].capability;
		strcpy(a.verdict.unknown_extension, unknown[i].extension);
		const struct outcome o = bind(&a);
		snprintf(text, sizeof text, CANNOT "the module, which needed no change: %s", unknown[i].text);
		assert_string_equal(o.said.text, text);
	}
}

#define OP(op, count) ((uint32_t)(count) << 16 | (uint32_t)(op))

/* Instructions that only the input has, at its beginning or after its memory model: whether only decorations differ,
 * and whether its capabilities and extensions are those of the output. */
static const struct {
	uint32_t words[10];
	bool behind, moved, same;
} differences[] = {
    {{OP(SpvOpCapability, 2), SpvCapabilityUniformBufferArrayDynamicIndexing - 1}, false, false, false},
    {{OP(SpvOpCapability, 2), SpvCapabilityUniformBufferArrayDynamicIndexing}, false, true, false},
    {{OP(SpvOpCapability, 2), SpvCapabilitySampledImageArrayDynamicIndexing}, false, true, false},
    {{OP(SpvOpCapability, 2), SpvCapabilityStorageImageArrayDynamicIndexing}, false, true, false},
    {{OP(SpvOpCapability, 2), SpvCapabilityStorageImageArrayDynamicIndexing + 1}, false, false, false},
    {{OP(SpvOpCapability, 2), SpvCapabilityRuntimeDescriptorArray}, false, true, false},
    {{OP(SpvOpCapability, 2), SpvCapabilityShaderNonUniform - 1}, false, false, false},
    {{OP(SpvOpCapability, 2), SpvCapabilityShaderNonUniform}, false, true, false},
    {{OP(SpvOpCapability, 2), SpvCapabilityStorageTexelBufferArrayNonUniformIndexing}, false, true, false},
    {{OP(SpvOpCapability, 2), SpvCapabilityStorageTexelBufferArrayNonUniformIndexing + 1}, false, false, false},
    {{OP(SpvOpCapability, 2), SpvCapabilityMatrix}, false, false, false},
    {{OP(SpvOpExtension, 8), 0x5F565053, 0x5F545845, 0x63736564, 0x74706972, 0x695F726F, 0x7865646E, 0x00676E69},
     false,
     true,
     false}, /* SPV_EXT_descriptor_indexing */
    {{OP(SpvOpExtension, 8), 0x5F565053, 0x5F545845, 0x63736564, 0x74706972, 0x695F726F, 0x7865646E, 0x00006E69},
     false,
     false,
     false}, /* …indexin */
    {{OP(SpvOpExtension, 9), 0x5F565053, 0x5F545845, 0x63736564, 0x74706972, 0x695F726F, 0x7865646E, 0x32676E69, 0},
     false,
     false,
     false}, /* …indexing2 */
    {{OP(SpvOpExtension, 3), 0x5F565053, 0x00000058}, false, false, false},
    {{OP(SpvOpModuleProcessed, 2), 'x'}, true, true, true},
    {{OP(SpvOpSourceExtension, 2), 'x'}, true, true, true},
    {{OP(SpvOpString, 3), 19, 'x'}, true, false, true},
    {{OP(SpvOpName, 3), 9, 'x'}, true, false, true},
    {{OP(SpvOpExtInstImport, 3), 19, 'x'}, false, false, false},
    {{OP(SpvOpDecorate, 3), 9, SpvDecorationNonUniform}, true, true, true},
    {{OP(SpvOpDecorate, 3), 9, SpvDecorationRelaxedPrecision}, true, false, true},
    {{OP(SpvOpDecorate, 4), 9, SpvDecorationBinding, 7}, true, true, true},
    {{OP(SpvOpDecorate, 4), 9, SpvDecorationDescriptorSet, 7}, true, true, true},
    {{OP(SpvOpDecorate, 4), 9, SpvDecorationLocation, 7}, true, false, true},
    {{OP(SpvOpNop, 1)}, true, false, true},
};

static void expect_difference(const uint32_t *given, size_t count, bool moved, bool same)
{
	const struct asked both = {.module = UNPLACED,
				   .verdict = UNKNOWN("x"),
				   .other = UNKNOWN("x"),
				   .given = given,
				   .given_count = count},
			   output = {.module = UNPLACED,
				     .verdict = UNKNOWN("x"),
				     .other = VALID,
				     .given = given,
				     .given_count = count};
	struct outcome o = bind(&both);

	assert_int_equal(o.said.last.severity, moved ? SPB_SEVERITY_WARNING : SPB_SEVERITY_ERROR);
	assert_string_equal(o.said.text, moved ? CANNOT "the module, of which only decorations were changed: x"
					       : CANNOT "the rewritten module: x");
	o = bind(&output);
	assert_int_equal(o.said.last.code, same ? SPB_E_INVALID_OUTPUT : SPB_E_NOT_VALIDATABLE);
}

static void only_differences_without_a_rule_are_allowed(void **state)
{
	size_t count;
	uint32_t *words = words_of(unplaced, &count), given[MOST_WORDS];

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(differences); i++) {
		const size_t length = differences[i].words[0] >> 16, at = differences[i].behind ? 10 : 5;
		memcpy(given, words, at * sizeof *given);
		memcpy(given + at, differences[i].words, length * sizeof *given);
		memcpy(given + at + length, words + at, (count - at) * sizeof *given);
		expect_difference(given, count + length, differences[i].moved, differences[i].same);
	}
	for (size_t at = 1; at < 5; at++) { /* the header matters */
		memcpy(given, words, count * sizeof *given);
		given[at]++;
		expect_difference(given, count, false, true);
	}
	memcpy(given, words, count * sizeof *given);
	given[count] = OP(SpvOpNop, 1); /* one of them ends earlier, … */
	expect_difference(given, count + 1, false, true);
	expect_difference(given, count - 1, false, true); /* … or the other */
	given[count] = OP(SpvOpModuleProcessed, 2);
	given[count + 1] = 'x';
	expect_difference(given, count + 2, true, true);
	given[count - 2] = OP(SpvOpUnreachable, 1); /* another instruction */
	expect_difference(given, count, false, true);
	/* the extension after the capabilities of the output */
	memcpy(given, words, 7 * sizeof *given);
	given[7] = OP(SpvOpExtInstImport, 3);
	given[8] = 19;
	given[9] = 'x';
	memcpy(given + 10, words + 7, (count - 7) * sizeof *given);
	expect_difference(given, count + 3, false, true);
	free(words);
}

/* The pass that made the newest of the named ids. */
static void a_fault_names_the_pass_of_its_ids(void **state)
{
	static const struct {
		const char *words, *pass;
	} texts[] = {{"", NULL},
		     {"no id", NULL},
		     {"%19", NULL},
		     {"%20", "one"},
		     {"%25 %3", "one"},
		     {"%3 %25", "one"},
		     {"%30", "two"},
		     {"%29", "one"},
		     {"%20 %31 %2", "two"},
		     {"%_struct_31", "two"},
		     {"%4294967330", NULL},
		     {"%", NULL},
		     {"% 31", NULL}};
	struct spb_made made[] = {{"one", 20}, {"two", 30}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(texts); i++) {
		struct asked a = {
		    .module = WITHOUT, .verdict = FAULT(""), .other = VALID, .made = made, .made_count = 2};
		char text[200];
		a.verdict.text = texts[i].words;
		const struct outcome o = bind(&a);
		snprintf(text, sizeof text, "the rewritten module is not valid%s%s%s: %s",
			 texts[i].pass ? ", and the pass " : "", texts[i].pass ? texts[i].pass : "",
			 texts[i].pass ? " made what is wrong" : "", texts[i].words);
		assert_string_equal(o.said.text, text);
	}
}

static void allocations_may_fail(void **state)
{
	const struct asked output = {.module = COMPLETE, .verdict = NO_MEMORY},
			   input = {.module = UNPLACED, .verdict = NO_MEMORY, .which = SPB_VALIDATE_BOTH};

	(void)state;
	assert_int_equal(bind(&output).status, SPB_ERROR_OUT_OF_MEMORY);
	assert_int_equal(bind(&input).status, SPB_ERROR_OUT_OF_MEMORY);
}

/* The beginning of the types, after the last decoration. */
static size_t first_type(const uint32_t *words)
{
	size_t at = 5;

	while ((words[at] & 0xFFFF) != SpvOpTypeVoid)
		at += words[at] >> 16;
	return at;
}

/* Missing bindings are not a fault of the input, so it is judged with those of the output, and otherwise unchanged. */
static void the_input_is_validated_with_the_outputs_bindings(void **state)
{
	static const uint32_t place[] = {4 << 16 | SpvOpDecorate, 9, SpvDecorationBinding, 0};

	(void)state;
	for (int without = 0; without < 2; without++) {
		const struct asked a = {.module = without ? WITHOUT : UNPLACED, .verdict = FAULT("x"), .other = VALID};
		const struct outcome o = bind(&a);
		const size_t end = first_type(o.given);
		assert_int_equal(o.asked, 2);
		assert_int_equal(validator.count[1], o.given_count + SPB_COUNT(place));
		assert_memory_equal(validator.words[1], o.given, end * sizeof *o.given);
		assert_memory_equal(validator.words[1] + end, place, sizeof place);
		assert_memory_equal(validator.words[1] + end + SPB_COUNT(place), o.given + end,
				    (o.given_count - end) * sizeof *o.given);
	}
}

/* Collecting facts gives no output, and inputs are judged only if requested. */
static void collected_inputs_are_validated_unchanged(void **state)
{
	static const struct {
		struct spb_verdict verdict;
		spb_validate which;
		spb_status status;
	} collected[] = {{FAULT("x"), SPB_VALIDATE_BOTH, SPB_ERROR_VALIDATION},
			 {VALID, SPB_VALIDATE_BOTH, SPB_OK},
			 {FAULT("x"), SPB_VALIDATE_OUTPUT, SPB_OK}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(collected); i++) {
		size_t count;
		uint32_t *words = words_of(complete, &count);
		struct said said = {.count = 0};
		const spb_callbacks callbacks = {hear, &said};
		spb_context *context;
		spb_program *program;
		spb_options options;
		memset(&validator, 0, sizeof validator);
		validator.answers[0] = collected[i].verdict;
		spb_options_init(&options, sizeof options);
		options.mode = SPB_MODE_COLLECT;
		options.validation.which = collected[i].which;
		assert_int_equal(spb_context_create(NULL, &callbacks, &context), SPB_OK);
		assert_int_equal(spb_program_create(context, &options, &program), SPB_OK);
		assert_int_equal(spb_program_add(program, "m", words, count, 0), SPB_OK);
		assert_int_equal(spb_program_bind(program), collected[i].status);
		assert_int_equal(validator.asked, collected[i].which == SPB_VALIDATE_BOTH);
		assert_int_equal(said.count, collected[i].status != SPB_OK);
		assert_int_equal(spb_program_text(program, SPB_TEXT_FACTS, NULL, NULL) != NULL,
				 collected[i].status == SPB_OK);
		spb_program_destroy(program);
		spb_context_destroy(context);
		free(words);
	}
}

/* For several modules, the input words are not kept, but restored for judging. */
static void dropped_inputs_are_validated_unchanged(void **state)
{
	static const struct spb_verdict fault = FAULT("x");
	size_t count;
	uint32_t *words = words_of(unplaced, &count);

	(void)state;
	for (int without = 0; without < 2; without++) { /* a variable that is removed */
		struct said said = {.count = 0};
		const spb_callbacks callbacks = {hear, &said};
		spb_context *context;
		spb_program *program;
		spb_options options;
		memset(&validator, 0, sizeof validator);
		validator.answers[1] = fault; /* of the second module */
		spb_options_init(&options, sizeof options);
		options.layout.unused = without ? SPB_UNUSED_REMOVE : SPB_UNUSED_COUNT;
		assert_int_equal(spb_context_create(NULL, &callbacks, &context), SPB_OK);
		assert_int_equal(spb_program_create(context, &options, &program), SPB_OK);
		assert_int_equal(spb_program_add(program, "m", words, count, 0), SPB_OK);
		assert_int_equal(spb_program_add(program, "n", words, count, 0), SPB_OK);
		assert_int_equal(spb_program_bind(program), SPB_ERROR_VALIDATION);
		assert_string_equal(said.text, OF_OUT "x");
		assert_string_equal(said.module, "n");
		const size_t end = first_type(words);
		assert_int_equal(validator.asked, 3);
		assert_int_equal(validator.count[2], count + 4);
		assert_memory_equal(validator.words[2], words, end * sizeof *words);
		assert_memory_equal(validator.words[2] + end + 4, words + end, (count - end) * sizeof *words);
		spb_program_destroy(program);
		spb_context_destroy(context);
	}
	free(words);
}

static void layouts_record_how_a_module_was_validated(void **state)
{
	static const struct {
		struct spb_verdict verdict;
		spb_validate which;
		const char *text;
	} judged[] = {{VALID, SPB_VALIDATE_OUTPUT, "\"validated\": \"validated\""},
		      {SHIM, SPB_VALIDATE_OUTPUT, "\"validated\": \"validated with shim\""},
		      {VALID, SPB_VALIDATE_NONE, "\"validated\": \"not validated\""}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(judged); i++) {
		size_t count;
		uint32_t *words = words_of(complete, &count);
		spb_context *context;
		spb_program *program;
		spb_options options;
		memset(&validator, 0, sizeof validator);
		validator.answers[0] = judged[i].verdict;
		spb_options_init(&options, sizeof options);
		options.validation.which = judged[i].which;
		assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
		assert_int_equal(spb_program_create(context, &options, &program), SPB_OK);
		assert_int_equal(spb_program_add(program, "m", words, count, 0), SPB_OK);
		assert_int_equal(spb_program_bind(program), SPB_OK);
		assert_non_null(strstr(spb_program_text(program, SPB_TEXT_LAYOUT_JSON, NULL, NULL), judged[i].text));
		spb_program_destroy(program);
		spb_context_destroy(context);
		free(words);
	}
}

/* With -e, variables of other entry points may lack a set and a binding, and are judged as if they had them. */
static void resources_of_other_entry_points_are_validated_with_bindings(void **state)
{
	static const char text[] =
	    BEGIN "OpEntryPoint Fragment %21 \"other\"\nOpExecutionMode %1 OriginUpperLeft\n"
		  "OpExecutionMode %21 OriginUpperLeft\nOpDecorate %9 DescriptorSet 3\nOpDecorate %9 Binding 2\n"
		  "OpDecorate %30 DescriptorSet 5\nOpDecorate %31 Binding 6\n"
		  "%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%4 = OpTypeFloat 32\n"
		  "%5 = OpTypeImage %4 2D 0 0 0 1 Unknown\n%6 = OpTypePointer UniformConstant %5\n"
		  "%11 = OpTypePointer Private %4\n%9 = OpVariable %6 UniformConstant\n%12 = OpVariable %11 Private\n"
		  "%30 = OpVariable %6 UniformConstant\n%31 = OpVariable %6 UniformConstant\n"
		  "%32 = OpVariable %6 UniformConstant\n"
		  "%1 = OpFunction %2 None %3\n%7 = OpLabel\n%8 = OpLoad %5 %9\nOpReturn\nOpFunctionEnd\n"
		  "%21 = OpFunction %2 None %3\n%27 = OpLabel\n%28 = OpLoad %5 %30\n%29 = OpLoad %5 %31\n"
		  "%33 = OpLoad %5 %32\nOpReturn\nOpFunctionEnd\n";
	static const uint32_t made[] = {4 << 16 | SpvOpDecorate, 30, SpvDecorationBinding,       0,
					4 << 16 | SpvOpDecorate, 31, SpvDecorationDescriptorSet, 0,
					4 << 16 | SpvOpDecorate, 32, SpvDecorationDescriptorSet, 0,
					4 << 16 | SpvOpDecorate, 32, SpvDecorationBinding,       0};
	static const char *const entries[] = {"main"};
	struct said said = {.count = 0};
	const spb_callbacks callbacks = {hear, &said};
	size_t count, out_count;
	uint32_t *words = words_of(text, &count);
	spb_context *context;
	spb_program *program;
	spb_options options;

	(void)state;
	memset(&validator, 0, sizeof validator);
	spb_options_init(&options, sizeof options);
	options.layout.entries = entries;
	options.layout.entry_count = 1;
	options.validation.which = SPB_VALIDATE_BOTH; /* the original input */
	assert_int_equal(spb_context_create(NULL, &callbacks, &context), SPB_OK);
	assert_int_equal(spb_program_create(context, &options, &program), SPB_OK);
	assert_int_equal(spb_program_add(program, "m", words, count, 0), SPB_OK);
	assert_int_equal(spb_program_bind(program), SPB_OK);
	const uint32_t *out = spb_program_words(program, 0, SPB_WORDS_OUTPUT, &out_count);
	const size_t end = first_type(out);
	assert_int_equal(validator.asked, 2);
	assert_int_equal(validator.count[0], count);
	assert_memory_equal(validator.words[0], words, count * sizeof *words);
	assert_int_equal(validator.count[1], out_count + SPB_COUNT(made));
	assert_memory_equal(validator.words[1], out, end * sizeof *out);
	assert_memory_equal(validator.words[1] + end, made, sizeof made);
	assert_memory_equal(validator.words[1] + end + SPB_COUNT(made), out + end, (out_count - end) * sizeof *out);
	spb_program_destroy(program);
	spb_context_destroy(context);
	free(words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_pair_of_verdicts_has_its_message),
	    cmocka_unit_test(unknown_extensions_are_named),
	    cmocka_unit_test(only_differences_without_a_rule_are_allowed),
	    cmocka_unit_test(a_fault_names_the_pass_of_its_ids),
	    cmocka_unit_test(allocations_may_fail),
	    cmocka_unit_test(the_input_is_validated_with_the_outputs_bindings),
	    cmocka_unit_test(collected_inputs_are_validated_unchanged),
	    cmocka_unit_test(dropped_inputs_are_validated_unchanged),
	    cmocka_unit_test(layouts_record_how_a_module_was_validated),
	    cmocka_unit_test(resources_of_other_entry_points_are_validated_with_bindings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
