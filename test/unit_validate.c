/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of SPIRV-Tools, and the interpretation of its answers: environments, options, unknown features, and the options
 * with which a module would be valid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "lib/lib.h"
#include "metered.h"
#include "parsed.h"

struct asking {
	struct meter meter;
	spb_context *context;
	struct spb_validator *v;
};

static void begin(struct asking *a, spb_env env, uint32_t flags)
{
	spb_options options;

	a->meter = (struct meter){.fail_at = -1};
	assert_int_equal(spb_context_create(&(spb_allocator){metered, &a->meter}, NULL, &a->context), SPB_OK);
	spb_options_init(&options, sizeof options);
	options.validation.env = env;
	options.validation.flags = flags;
	a->v = spb_validator_create(a->context, &options);
	assert_non_null(a->v);
}

static void end(struct asking *a)
{
	spb_validator_destroy(a->v);
	spb_context_destroy(a->context);
	assert_int_equal(a->meter.out, 0);
}

/* `version`: the minor one. */
static uint32_t *module_of(const char *text, uint32_t version, size_t *count)
{
	uint32_t *words = words_of(text, count);

	words[1] = 0x10000 | version << 8;
	return words;
}

/* The verdict, and SPIRV-Tools' text in *said. */
static enum spb_verdict_kind judge(spb_env env, uint32_t flags, bool input, const char *text, uint32_t version,
				   char said[300])
{
	struct asking a;
	size_t count;
	uint32_t *words = module_of(text, version, &count);

	begin(&a, env, flags);
	struct spb_verdict verdict = spb_judge(a.v, words, count, input);
	if (said)
		snprintf(said, 300, "%s", verdict.text);
	spb_verdict_release(&verdict);
	end(&a);
	free(words);
	return verdict.kind;
}

#define BEGIN                                                                                                          \
	"OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\n"                     \
	"OpExecutionMode %1 LocalSize 1 1 1\n"
#define BODY                                                                                                           \
	"%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%4 = OpTypeInt 32 0\n%1 = OpFunction %2 None %3\n%5 = "              \
	"OpLabel\nOpReturn\n"                                                                                          \
	"OpFunctionEnd\n"

static void environments_are_those_of_spirv_tools(void **state)
{
	(void)state;
	assert_string_equal(spb_name(SPB_NAME_ENVIRONMENT, SPB_ENV_AUTO), "auto");
	for (int env = SPB_ENV_VULKAN_1_0; env <= SPB_ENV_VULKAN_1_3; env++)
		assert_non_null(spb_env_name((spb_env)env));
	assert_null(spb_env_name((spb_env)(SPB_ENV_VULKAN_1_4 + 1)));
	assert_null(spb_env_name((spb_env)-1));
	assert_string_equal(spb_validator_version(), spvSoftwareVersionString());
}

static spv_target_env created; /* the newest context of SPIRV-Tools */

spv_context __real_spvContextCreate(spv_target_env env);
spv_context __wrap_spvContextCreate(spv_target_env env);
spv_context __wrap_spvContextCreate(spv_target_env env)
{
	created = env;
	return __real_spvContextCreate(env);
}

/* Without a choice, the oldest environment that accepts the version. */
static void the_version_chooses_the_environment(void **state)
{
	static const spv_target_env expected[] = {SPV_ENV_VULKAN_1_0, SPV_ENV_VULKAN_1_1,           SPV_ENV_VULKAN_1_1,
						  SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_1_SPIRV_1_4, SPV_ENV_VULKAN_1_2,
						  SPV_ENV_VULKAN_1_3};

	(void)state;
	for (uint32_t version = 0; version < SPB_COUNT(expected); version++) {
		assert_int_equal(judge(SPB_ENV_AUTO, 0, false, BEGIN BODY, version, NULL), SPB_VERDICT_VALID);
		assert_int_equal(created, expected[version]);
	}
	assert_int_equal(judge(SPB_ENV_VULKAN_1_2, 0, false, BEGIN BODY, 0, NULL), SPB_VERDICT_VALID);
	assert_int_equal(created, SPV_ENV_VULKAN_1_2);
}

#define BLOCK(class, members, offsets)                                                                                 \
	BEGIN "OpDecorate %9 DescriptorSet 0\nOpDecorate %9 Binding 0\nOpDecorate %8 Block\n" offsets                  \
	      "%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%4 = OpTypeInt 32 0\n%6 = OpTypeVector %4 3\n%20 = "           \
	      "OpConstant %4 4\n"                                                                                      \
	      "%21 = OpTypeArray %4 %20\n%8 = OpTypeStruct " members                                                   \
	      "\n%7 = OpTypePointer " class " %8\n%9 = OpVariable %7 " class "\n%1 = OpFunction %2 None %3\n%5 = "     \
									     "OpLabel\nOpReturn\nOpFunctionEnd\n"

/* A module is valid with one flag, and invalid with any other; the cure is that flag. */
static void each_flag_fixes_its_error(void **state)
{
	static const struct {
		const char *text;
		spb_env env;
		uint32_t version, flag, also; /* which permits the same, and more */
	} rows[] = {
	    {BLOCK("Uniform", "%4 %6", "OpMemberDecorate %8 0 Offset 0\nOpMemberDecorate %8 1 Offset 4\n"),
	     SPB_ENV_VULKAN_1_0, 0, SPB_VALIDATOR_RELAX_BLOCK_LAYOUT, SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT},
	    {BLOCK("Uniform", "%21", "OpDecorate %21 ArrayStride 4\nOpMemberDecorate %8 0 Offset 0\n"),
	     SPB_ENV_VULKAN_1_1, 3, SPB_VALIDATOR_UNIFORM_BUFFER_STANDARD_LAYOUT, SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT},
	    {BLOCK("StorageBuffer", "%4 %6", "OpMemberDecorate %8 0 Offset 0\nOpMemberDecorate %8 1 Offset 8\n"),
	     SPB_ENV_VULKAN_1_1, 3, SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT, 0},
	    {"OpCapability Shader\nOpCapability WorkgroupMemoryExplicitLayoutKHR\n"
	     "OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"\nOpMemoryModel Logical GLSL450\n"
	     "OpEntryPoint GLCompute %1 \"main\" %9\nOpExecutionMode %1 LocalSize 1 1 1\nOpDecorate %8 Block\n"
	     "OpMemberDecorate %8 0 Offset 0\nOpMemberDecorate %8 1 Offset 8\n%2 = OpTypeVoid\n"
	     "%3 = OpTypeFunction %2\n%4 = OpTypeInt 32 0\n%6 = OpTypeVector %4 3\n%8 = OpTypeStruct %4 %6\n"
	     "%7 = OpTypePointer Workgroup %8\n%9 = OpVariable %7 Workgroup\n%1 = OpFunction %2 None %3\n"
	     "%5 = OpLabel\nOpReturn\nOpFunctionEnd\n",
	     SPB_ENV_VULKAN_1_2, 5, SPB_VALIDATOR_WORKGROUP_SCALAR_BLOCK_LAYOUT, 0},
	    {"OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\n"
	     "OpExecutionModeId %1 LocalSizeId %6 %6 %6\n%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%4 = OpTypeInt 32 0\n"
	     "%6 = OpConstant %4 1\n%1 = OpFunction %2 None %3\n%5 = OpLabel\nOpReturn\nOpFunctionEnd\n",
	     SPB_ENV_VULKAN_1_2, 5, SPB_VALIDATOR_ALLOW_LOCALSIZEID, 0},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		size_t count;
		uint32_t *words = module_of(rows[i].text, rows[i].version, &count);
		for (uint32_t flag = 0; flag <= 16; flag = flag ? flag * 2 : 1) {
			char said[300];
			const bool right = flag && (flag == rows[i].flag || flag == rows[i].also);
			const enum spb_verdict_kind kind =
			    judge(rows[i].env, flag, false, rows[i].text, rows[i].version, said);
			if (kind != (right ? SPB_VERDICT_VALID : SPB_VERDICT_INVALID))
				print_message("row %u, flag %u: %s\n", (unsigned)i, flag, said);
			assert_int_equal(kind, right ? SPB_VERDICT_VALID : SPB_VERDICT_INVALID);
			struct asking a;
			begin(&a, rows[i].env, flag);
			assert_int_equal(spb_flags_that_cure(a.v, words, count), right ? 0 : rows[i].flag);
			struct spb_verdict after = spb_judge(a.v, words, count, false); /* the flags are unchanged */
			assert_int_equal(after.kind, kind);
			spb_verdict_release(&after);
			end(&a);
		}
		free(words);
	}
	/* No flag is the cure. */
	struct asking a;
	size_t count;
	uint32_t *words = module_of(BEGIN "OpDecorate %9 DescriptorSet 0\n" BODY, 0, &count);
	begin(&a, SPB_ENV_AUTO, 0);
	assert_int_equal(spb_flags_that_cure(a.v, words, count), 0);
	end(&a);
	free(words);
}

/* Inputs need no bindings. */
static void inputs_are_validated_by_the_rules_of_spirv(void **state)
{
	static const char text[] =
	    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %1 \"main\"\n"
	    "OpExecutionMode %1 OriginUpperLeft\n%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%4 = OpTypeFloat 32\n"
	    "%6 = OpTypeImage %4 2D 0 0 0 1 Unknown\n%7 = OpTypePointer UniformConstant %6\n%8 = OpVariable %7 "
	    "UniformConstant\n"
	    "%1 = OpFunction %2 None %3\n%5 = OpLabel\n%9 = OpLoad %6 %8\nOpReturn\nOpFunctionEnd\n";
	char said[300];

	(void)state;
	for (uint32_t version = 0; version < 4; version++) {
		assert_int_equal(judge(SPB_ENV_AUTO, 0, true, text, version, said), SPB_VERDICT_VALID);
		assert_string_equal(said, "");
		assert_int_equal(judge(SPB_ENV_AUTO, 0, false, text, version, said), SPB_VERDICT_INVALID);
		assert_non_null(strstr(said, "DescriptorSet"));
	}
}

/* Names cost time, and no rule depends on them: not even their ids are checked. Names of members stay. */
static void names_are_not_shown(void **state)
{
	(void)state;
	assert_int_equal(
	    judge(SPB_ENV_AUTO, 0, false, BEGIN "OpName %7 \"nothing\"\nOpName %2 \"void\"\n" BODY, 0, NULL),
	    SPB_VERDICT_VALID);
	assert_int_equal(judge(SPB_ENV_AUTO, 0, false, BEGIN "OpMemberName %7 0 \"nothing\"\n" BODY, 0, NULL),
			 SPB_VERDICT_INVALID);
}

/* 203 characters, in 51 words: longer ones do not count as extensions. */
#define TEN     "_nine_more"
#define FIFTY   TEN TEN TEN TEN TEN
#define LONGEST "SPV" FIFTY FIFTY FIFTY FIFTY

/* Features that this SPIRV-Tools does not know are replaced by known ones, and then judged. */
static void unknown_extensions_are_removed_for_validation(void **state)
{
	static const struct {
		uint32_t language, capability;
		const char *extension, *more;
		enum spb_verdict_kind kind;
		bool names_capability;
	} rows[] = {
	    {6, SpvCapabilityShader, NULL, "", SPB_VERDICT_VALID, false},
	    {60000, SpvCapabilityShader, NULL, "", SPB_VERDICT_SHIM, false},
	    {2, 60000, NULL, "", SPB_VERDICT_SHIM, false},
	    {60000, 60000, NULL, "", SPB_VERDICT_SHIM, false},
	    {2, SpvCapabilityShader, "SPV_NEW_thing", "", SPB_VERDICT_VALID, false},
	    {2, SpvCapabilityShader, NULL, "OpDecorate %30 Flat\n", SPB_VERDICT_INVALID, false},
	    {60000, SpvCapabilityShader, NULL, "OpDecorate %30 Flat\n", SPB_VERDICT_INVALID, false},
	    {2, 60000, NULL, "OpDecorate %30 Flat\n", SPB_VERDICT_UNKNOWN, true},
	    {2, SpvCapabilityShader, "SPV_NEW_thing", "OpDecorate %30 Flat\n", SPB_VERDICT_UNKNOWN, false},
	    {2, SpvCapabilityShader, "SPV_EXT_descriptor_indexing", "OpDecorate %30 Flat\n", SPB_VERDICT_INVALID,
	     false},
	    {2, SpvCapabilityShader, "SPV_NEW_thing_of_a_name_that_is_so_long_that_it_has_no_room_at_all",
	     "OpDecorate %30 Flat\n", SPB_VERDICT_UNKNOWN, false},
	    {2, SpvCapabilityShader, LONGEST, "OpDecorate %30 Flat\n", SPB_VERDICT_UNKNOWN, false},
	    {2, SpvCapabilityShader, LONGEST "x", "OpDecorate %30 Flat\n", SPB_VERDICT_INVALID, false},
	    /* the Vulkan table may lack what SPIR-V permits by itself or by an extension */
	    {2, SpvCapabilityGroups, NULL, "", SPB_VERDICT_SHIM, false},
	    {2, SpvCapabilityAtomicFloat32AddEXT, NULL, "", SPB_VERDICT_INVALID, false},
	    {2, SpvCapabilityAtomicFloat32AddEXT, "SPV_EXT_shader_atomic_float_add", "", SPB_VERDICT_VALID, false},
	    {2, SpvCapabilityAtomicFloat32AddEXT, "SPV_NEW_thing", "", SPB_VERDICT_SHIM, false},
	    /* these always belong to OpenCL */
	    {2, SpvCapabilityKernel, "SPV_NEW_thing", "", SPB_VERDICT_UNKNOWN, false},
	    {2, SpvCapabilityAddresses, NULL, "", SPB_VERDICT_INVALID, false},
	    {2, SpvCapabilityPipeStorage, NULL, "", SPB_VERDICT_INVALID, false},
	    {2, SpvCapabilityKernel, NULL, "", SPB_VERDICT_INVALID, false},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char text[2000], extension[300] = "";
		size_t count;
		if (rows[i].extension)
			snprintf(extension, sizeof extension, "OpExtension \"%s\"\n", rows[i].extension);
		snprintf(text, sizeof text, "%s%s%s%s%s", "OpCapability Shader\nOpCapability Matrix\n", extension,
			 "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\n"
			 "OpExecutionMode %1 LocalSize 1 1 1\nOpSource GLSL 450\n",
			 rows[i].more, BODY);
		uint32_t *words = module_of(text, 3, &count);
		words[8] =
		    rows[i].capability == SpvCapabilityShader ? (uint32_t)SpvCapabilityMatrix : rows[i].capability;
		for (size_t at = 5; at < count; at += words[at] >> 16) {
			if ((words[at] & 0xFFFF) == SpvOpSource)
				words[at + 1] = rows[i].language;
		}
		struct asking a;
		begin(&a, SPB_ENV_AUTO, 0);
		for (int twice = 0; twice < 2; twice++) {
			struct spb_verdict verdict = spb_judge(a.v, words, count, false);
			if (verdict.kind != rows[i].kind)
				print_message("row %u: %s\n", (unsigned)i, verdict.text);
			assert_int_equal(verdict.kind, rows[i].kind);
			assert_int_equal(verdict.unknown_capability,
					 rows[i].names_capability ? 60000 : SpvCapabilityMax);
			char known[64] = "";
			if (rows[i].kind == SPB_VERDICT_UNKNOWN && rows[i].extension)
				snprintf(known, sizeof known, "%s", rows[i].extension);
			assert_string_equal(verdict.unknown_extension, known);
			assert_int_equal(*verdict.text != 0,
					 rows[i].kind == SPB_VERDICT_UNKNOWN || rows[i].kind == SPB_VERDICT_INVALID);
			spb_verdict_release(&verdict);
		}
		end(&a);
		free(words);
	}
}

/* The probe for a capability has the extensions of the module. If they do not fit, a rejection stands. */
static void a_probe_has_room_for_some_extensions(void **state)
{
	enum { WORDS = 8, ROOM = 1024, HEAD = 5 + 2 + 4, END = 3 };
	static char text[20000];

	(void)state;
	for (uint32_t more = 0; more < 2; more++) {
		uint32_t many = (ROOM - HEAD - END) / WORDS + more;
		strcpy(text, "OpCapability Shader\nOpCapability Groups\n");
		for (uint32_t i = 0; i < many; i++)
			strcat(text, "OpExtension \"SPV_EXT_descriptor_indexing\"\n");
		strcat(text, "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\n"
			     "OpExecutionMode %1 LocalSize 1 1 1\n" BODY);
		assert_int_equal(judge(SPB_ENV_AUTO, 0, false, text, 3, NULL),
				 more ? SPB_VERDICT_INVALID : SPB_VERDICT_SHIM);
	}
}

static void allocations_may_fail(void **state)
{
	struct asking a;
	size_t count;
	uint32_t *words = module_of(BEGIN BODY, 0, &count);
	spb_options options;

	(void)state;
	spb_options_init(&options, sizeof options);
	begin(&a, SPB_ENV_AUTO, 0);
	a.meter.count = a.meter.fail_at = 0;
	struct spb_verdict verdict = spb_judge(a.v, words, count, false);
	assert_int_equal(verdict.kind, SPB_VERDICT_OUT_OF_MEMORY);
	assert_string_equal(verdict.text, "");
	spb_verdict_release(&verdict);
	a.meter.count = a.meter.fail_at = 0;
	assert_null(spb_validator_create(a.context, &options));
	a.meter.fail_at = -1;
	spb_validator_destroy(NULL);
	end(&a);
	free(words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(environments_are_those_of_spirv_tools),
	    cmocka_unit_test(the_version_chooses_the_environment),
	    cmocka_unit_test(each_flag_fixes_its_error),
	    cmocka_unit_test(inputs_are_validated_by_the_rules_of_spirv),
	    cmocka_unit_test(names_are_not_shown),
	    cmocka_unit_test(unknown_extensions_are_removed_for_validation),
	    cmocka_unit_test(a_probe_has_room_for_some_extensions),
	    cmocka_unit_test(allocations_may_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
