/* SPDX-License-Identifier: Apache-2.0 */
/* The last changes to a module: the remark about options, and the removal of names, lines and source text; and
 * descriptions of statuses and codes. Each output is compared with a text, word by word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "parsed.h"
#include "results.h"

#define HEAD   "OpCapability Shader\n"
#define MODEL  "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\nOpExecutionMode %1 LocalSize 1 1 1\n"
#define PLACED "OpDecorate %9 DescriptorSet 0\nOpDecorate %9 Binding 0\n"
#define TYPES                                                                                                          \
	"%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%4 = OpTypeInt 32 0\n%5 = OpTypeStruct %4\n"                         \
	"%6 = OpTypePointer Uniform %5\n%7 = OpConstant %4 30\n%9 = OpVariable %6 Uniform\n"
#define BLOCK  "OpDecorate %5 Block\nOpMemberDecorate %5 0 Offset 0\n"
#define BEGIN  "%1 = OpFunction %2 None %3\n%8 = OpLabel\n"
#define FINISH "OpReturn\nOpFunctionEnd\n"
#define INFO   "%20 = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n"
#define PRINT  "%21 = OpExtInstImport \"NonSemantic.DebugPrintf\"\n"

static const struct {
	const char *record; /* NULL: none */
	bool strips;
	uint32_t version;
	const char *input, *output; /* NULL: the input */
} rows[] = {
    /* Nothing to do. */
    {NULL, false, 3, HEAD MODEL "OpName %9 \"x\"\n" BLOCK PLACED TYPES BEGIN FINISH, NULL},
    {NULL, true, 3, HEAD MODEL BLOCK PLACED TYPES BEGIN FINISH, NULL},
    {"did", false, 3, HEAD MODEL "OpName %9 \"x\"\n" BLOCK PLACED TYPES BEGIN FINISH, NULL},
    {"did", true, 3, HEAD MODEL BLOCK PLACED TYPES BEGIN FINISH, NULL},
    /* A remark if something changed: after names and other remarks, before decorations. */
    {"did", false, 3,
     HEAD MODEL "OpName %9 \"x\"\nOpModuleProcessed \"a\"\n" BLOCK "OpDecorate %9 DescriptorSet 0\n" TYPES BEGIN FINISH,
     HEAD MODEL "OpName %9 \"x\"\nOpModuleProcessed \"a\"\nOpModuleProcessed \"spirv-bind: 0.1.0 did\"\n" BLOCK PLACED
	 TYPES BEGIN FINISH},
    {"", false, 3, HEAD MODEL BLOCK "OpDecorate %9 DescriptorSet 0\n" TYPES BEGIN FINISH,
     HEAD MODEL "OpModuleProcessed \"spirv-bind: 0.1.0\"\n" BLOCK PLACED TYPES BEGIN FINISH},
    {"abc", false, 3, HEAD MODEL BLOCK "OpDecorate %9 DescriptorSet 0\n" TYPES BEGIN FINISH,
     HEAD MODEL "OpModuleProcessed \"spirv-bind: 0.1.0 abc\"\n" BLOCK PLACED TYPES BEGIN FINISH},
    {"abcd", false, 3, HEAD MODEL BLOCK "OpDecorate %9 DescriptorSet 0\n" TYPES BEGIN FINISH,
     HEAD MODEL "OpModuleProcessed \"spirv-bind: 0.1.0 abcd\"\n" BLOCK PLACED TYPES BEGIN FINISH},
    {"\xC3\xBC", false, 3, HEAD MODEL BLOCK "OpDecorate %9 DescriptorSet 0\n" TYPES BEGIN FINISH,
     HEAD MODEL "OpModuleProcessed \"spirv-bind: 0.1.0 \xC3\xBC\"\n" BLOCK PLACED TYPES BEGIN FINISH},
    /* Only one. */
    {"did", false, 3,
     HEAD MODEL "OpModuleProcessed \"spirv-bind: 0.1.0 did\"\n" BLOCK
		"OpDecorate %9 DescriptorSet 0\n" TYPES BEGIN FINISH,
     HEAD MODEL "OpModuleProcessed \"spirv-bind: 0.1.0 did\"\n" BLOCK PLACED TYPES BEGIN FINISH},
    {"did", false, 3,
     HEAD MODEL "OpModuleProcessed \"spirv-bind: 0.1.0 did so\"\n" BLOCK
		"OpDecorate %9 DescriptorSet 0\n" TYPES BEGIN FINISH,
     HEAD MODEL
     "OpModuleProcessed \"spirv-bind: 0.1.0 did so\"\nOpModuleProcessed \"spirv-bind: 0.1.0 did\"\n" BLOCK PLACED TYPES
	 BEGIN FINISH},
    {"did", false, 3,
     HEAD MODEL "OpName %9 \"spirv-bind: 0.1.0 did\"\n" BLOCK "OpDecorate %9 DescriptorSet 0\n" TYPES BEGIN FINISH,
     HEAD MODEL "OpName %9 \"spirv-bind: 0.1.0 did\"\nOpModuleProcessed \"spirv-bind: 0.1.0 did\"\n" BLOCK PLACED TYPES
	 BEGIN FINISH},
    /* Before SPIR-V 1.1 another instruction, in another place. */
    {"did", false, 0,
     HEAD MODEL "OpSource GLSL 450\nOpSourceExtension \"y\"\nOpName %9 \"x\"\n" BLOCK
		"OpDecorate %9 DescriptorSet 0\n" TYPES BEGIN FINISH,
     HEAD MODEL
     "OpSource GLSL 450\nOpSourceExtension \"y\"\nOpSourceExtension \"spirv-bind: 0.1.0 did\"\nOpName %9 \"x\"\n" BLOCK
	 PLACED TYPES BEGIN FINISH},
    {"did", false, 1,
     HEAD MODEL "OpSource GLSL 450\nOpName %9 \"x\"\n" BLOCK "OpDecorate %9 DescriptorSet 0\n" TYPES BEGIN FINISH,
     HEAD MODEL "OpSource GLSL 450\nOpName %9 \"x\"\nOpModuleProcessed \"spirv-bind: 0.1.0 did\"\n" BLOCK PLACED TYPES
	 BEGIN FINISH},
    {"did", false, 0,
     HEAD MODEL "OpSourceExtension \"spirv-bind: 0.1.0 did\"\n" BLOCK
		"OpDecorate %9 DescriptorSet 0\n" TYPES BEGIN FINISH,
     HEAD MODEL "OpSourceExtension \"spirv-bind: 0.1.0 did\"\n" BLOCK PLACED TYPES BEGIN FINISH},
    /* Names, lines, sources and the notes of others go; ours stay. */
    {NULL, true, 3,
     HEAD MODEL
     "%10 = OpString \"f\"\nOpSource GLSL 450 %10 \"text\"\nOpSourceContinued \"more\"\nOpSourceExtension \"y\"\n"
     "OpName %9 \"x\"\nOpMemberName %5 0 \"m\"\nOpModuleProcessed \"a\"\n"
     "OpModuleProcessed \"spirv-bind: 0.1.0 before\"\nOpModuleProcessed \"spirv-bind:\"\n"
     "OpModuleProcessed \"spirv-bind; z\"\nOpModuleProcessed \"xpirv-bind: z\"\n" BLOCK PLACED
     "OpLine %10 1 1\n" TYPES BEGIN "OpLine %10 2 2\nOpNoLine\n" FINISH,
     HEAD MODEL "OpModuleProcessed \"spirv-bind: 0.1.0 before\"\n" BLOCK PLACED TYPES BEGIN FINISH},
    /* Stripping counts as a change. */
    {"did", true, 3, HEAD MODEL "OpName %9 \"x\"\n" BLOCK PLACED TYPES BEGIN FINISH,
     HEAD MODEL "OpModuleProcessed \"spirv-bind: 0.1.0 did\"\n" BLOCK PLACED TYPES BEGIN FINISH},
    {NULL, true, 3, HEAD MODEL BLOCK PLACED TYPES BEGIN "OpNoLine\n" FINISH,
     HEAD MODEL BLOCK PLACED TYPES BEGIN FINISH},
    {NULL, true, 3, HEAD MODEL "%10 = OpString \"f\"\n" BLOCK PLACED TYPES BEGIN FINISH,
     HEAD MODEL BLOCK PLACED TYPES BEGIN FINISH},
    /* Debug information and its import go, other instruction sets stay, with the strings that they name. */
    {NULL, true, 3,
     HEAD INFO PRINT MODEL "%30 = OpString \"f\"\n%31 = OpString \"printed\"\n%32 = OpString \"g\"\n" BLOCK PLACED TYPES
			   "%40 = OpExtInst %2 %20 DebugSource %30\n" BEGIN "%41 = OpExtInst %2 %21 1 %31 %7\n"
			   "%42 = OpExtInst %2 %20 DebugLine %40 %7 %7 %7 %7\n" FINISH,
     HEAD PRINT MODEL "%31 = OpString \"printed\"\n" BLOCK PLACED TYPES BEGIN
		      "%41 = OpExtInst %2 %21 1 %31 %7\n" FINISH},
    /* The number of an instruction is not an id. */
    {NULL, true, 3,
     HEAD PRINT MODEL "%31 = OpString \"printed\"\n%32 = OpString \"g\"\n" BLOCK PLACED TYPES BEGIN
		      "%41 = OpExtInst %2 %21 32 %31 %7\n" FINISH,
     HEAD PRINT MODEL "%31 = OpString \"printed\"\n" BLOCK PLACED TYPES BEGIN
		      "%41 = OpExtInst %2 %21 32 %31 %7\n" FINISH},
    /* In the old form, operands are literals, which may be any number. */
    {NULL, true, 3,
     HEAD
     "%22 = OpExtInstImport \"OpenCL.DebugInfo.100\"\n" MODEL "%31 = OpString \"f\"\n" BLOCK PLACED TYPES
     "%40 = OpExtInst %2 %22 DebugSource %31\n%41 = OpExtInst %2 %22 DebugCompilationUnit 4294967295 4 %40 HLSL\n" BEGIN
	 FINISH,
     NULL},
    {NULL, true, 3,
     HEAD PRINT MODEL "%31 = OpString \"printed\"\n" BLOCK PLACED TYPES BEGIN
		      "%41 = OpExtInst %2 %21 1 %31 %7\n" FINISH,
     NULL},
    {NULL, true, 3,
     HEAD PRINT MODEL "%31 = OpString \"p\"\n%64 = OpString \"q\"\n" BLOCK PLACED TYPES BEGIN
		      "%41 = OpExtInst %2 %21 1 %7 %64 %31\n" FINISH,
     NULL},
};

static void the_output_has_the_remaining_instructions(void **state)
{
	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		const char *output = rows[i].output ? rows[i].output : rows[i].input;
		size_t count, expected_count, out_count;
		uint32_t *words = words_of(rows[i].input, &count), *expected = words_of(output, &expected_count);
		spb_context *context;
		spb_program *program;
		spb_options options;
		spb_options_init(&options, sizeof options);
		options.output.record = rows[i].record;
		options.output.strip_debug = rows[i].strips;
		options.validation.which = SPB_VALIDATE_NONE;
		words[1] = expected[1] = 0x10000 | rows[i].version << 8;
		expected[3] = words[3];
		assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
		assert_int_equal(spb_program_create(context, &options, &program), SPB_OK);
		assert_int_equal(spb_program_add(program, "m", words, count, 0), SPB_OK);
		assert_int_equal(spb_program_bind(program), SPB_OK);
		const uint32_t *out = spb_program_words(program, 0, SPB_WORDS_OUTPUT, &out_count);
		if (out_count != expected_count || memcmp(out, expected, expected_count * sizeof *out) != 0)
			print_message("row %u\n", (unsigned)i);
		assert_int_equal(out_count, expected_count);
		assert_memory_equal(out, expected, expected_count * sizeof *out);
		assert_int_equal(is_changed(program, 0), rows[i].output != NULL);
		spb_program_destroy(program);
		spb_context_destroy(context);
		free(expected);
		free(words);
	}
}

static void statuses_have_descriptions(void **state)
{
	static const char *const names[] = {"ok",         "invalid argument",      "invalid SPIR-V", "unsupported",
					    "conflict",   "validation failed",     "out of memory",  "internal error",
					    "lint error", "not in its final form", "limit exceeded"};

	(void)state;
	for (int i = 0; i < (int)SPB_COUNT(names); i++)
		assert_string_equal(spb_name(SPB_NAME_STATUS, (uint32_t)i), names[i]);
	assert_null(spb_name(SPB_NAME_STATUS, SPB_COUNT(names)));
	assert_null(spb_name((spb_name_kind)0, 0));
	assert_null(spb_name((spb_name_kind)(SPB_NAME_HOST_FEATURE + 1), 0));
}

static void only_known_codes_have_descriptions(void **state)
{
	static const uint32_t known[] = {
#define SPB_CODE(name, number, cause, remedy) number,
#include "base/codes.inc"
#undef SPB_CODE
	};
	uint32_t found = 0;

	(void)state;
	for (uint32_t code = 0; code < 10000; code++) {
		const char *cause = NULL, *remedy = NULL;
		bool wanted = false;
		for (size_t i = 0; i < SPB_COUNT(known); i++)
			wanted |= known[i] == code;
		assert_int_equal(spb_describe_code(code, &cause, &remedy), wanted);
		assert_int_equal(cause != NULL, wanted);
		assert_int_equal(remedy != NULL, wanted);
		found += wanted;
	}
	assert_int_equal(found, SPB_COUNT(known));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_output_has_the_remaining_instructions),
	    cmocka_unit_test(statuses_have_descriptions),
	    cmocka_unit_test(only_known_codes_have_descriptions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
