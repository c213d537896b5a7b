/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about a module against naive answers: names and decorations of ids with few notes and with many, parts,
 * constants, functions, remarks and sets; which operands are literals; and edits, one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "parsed.h"

#define OP(op, count) ((uint32_t)(count) << 16 | (uint32_t)(op))

struct text {
	char *items;
	size_t count;
};

static void add(struct text *t, const char *format, ...)
{
	va_list arguments;

	if (!t->items)
		t->items = malloc(20000);
	assert_non_null(t->items);
	va_start(arguments, format);
	t->count += (size_t)vsnprintf(t->items + t->count, 20000 - t->count, format, arguments);
	va_end(arguments);
	assert_true(t->count < 20000);
}

/* The words stay in p->words, which the caller frees. */
static void parse_text(struct parsed *p, const char *text)
{
	size_t count;
	uint32_t *words = words_of(text, &count);

	parse(p, words, count);
	if (p->refused)
		print_message("%s\n", p->said.text);
	assert_false(p->refused);
}

static void end_text(struct parsed *p)
{
	const uint32_t *words = p->words;

	end_parsed(p);
	free((void *)words);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* The first OpName, whatever stands before and behind it. */
static void names_are_found_among_any_number_of_notes(void **state)
{
	static const uint32_t entries[] = {0, 1, 3}, members[] = {0, 1, 14, 15, 16, 17, 18, 33}, names[] = {0, 1, 2};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(entries) * SPB_COUNT(members) * SPB_COUNT(names) * 2; i++) {
		const uint32_t entry_count = entries[i % 3], member_count = members[i / 3 % 8],
			       name_count = names[i / 24 % 3], decorations = i / 72 ? 20 : 0;
		struct text t = {.count = 0};
		struct parsed p;
		for (uint32_t k = 0; k < entry_count; k++)
			add(&t, "OpEntryPoint Fragment %%1 \"e%u\" %%3\n", k);
		for (uint32_t k = 0; k < member_count; k++)
			add(&t, "OpMemberName %%3 %u \"m%u\"\n", k, k);
		for (uint32_t k = 0; k < name_count; k++)
			add(&t, "OpName %%3 \"three%u\"\n", k);
		add(&t, "OpName %%4 \"four\"\nOpMemberName %%3 0 \"later\"\n");
		for (uint32_t k = 0; k < decorations; k++)
			add(&t, "OpMemberDecorate %%3 %u Offset 0\n", k);
		add(&t, "%%1 = OpTypeVoid\n%%4 = OpTypeFloat 32\n%%3 = OpTypeStruct %%4\n");
		parse_text(&p, t.items);
		for (int twice = 0; twice < 2; twice++) { /* a table is made by the first question at most */
			assert_string_equal(spb_id_name(&p.m, 3), name_count ? "three0" : "");
			assert_string_equal(spb_id_name(&p.m, 4), "four");
			assert_string_equal(spb_id_name(&p.m, 1), "");
			assert_int_equal(spb_decoration(&p.m, 3, SpvDecorationOffset), 0); /* that of a member */
		}
		end_text(&p);
		free(t.items);
	}
}

/* The last OpDecorate of an id with a decoration, as a walk over all finds it. */
static void decorations_are_found_among_any_number_of_notes(void **state)
{
	static const struct {
		const char *name;
		uint32_t number;
	} kinds[] = {{"RelaxedPrecision", SpvDecorationRelaxedPrecision},
		     {"Restrict", SpvDecorationRestrict},
		     {"Aliased", SpvDecorationAliased},
		     {"NonUniform", SpvDecorationNonUniform}};
	uint32_t seed = 3;

	(void)state;
	for (uint32_t notes = 0; notes < 150; notes += notes < 40 ? 1 : 5) {
		struct text t = {.count = 0};
		struct parsed p;
		for (uint32_t k = 0; k < next_random(&seed) % 3; k++)
			add(&t, "OpName %%%u \"n\"\n", 1 + k);
		for (uint32_t k = 0; k < notes; k++) {
			const uint32_t kind = next_random(&seed) % 4,
				       id = 1 + next_random(&seed) % (notes < 40 ? 1 : 3);
			if (next_random(&seed) % 5)
				add(&t, "OpDecorate %%%u %s\n", id, kinds[kind].name);
			else
				add(&t, "OpMemberDecorate %%%u 0 %s\n", id, kinds[kind].name);
		}
		add(&t, "%%1 = OpTypeFloat 32\n%%2 = OpTypeFloat 64\n%%3 = OpTypeFloat 16\n");
		parse_text(&p, t.items);
		for (uint32_t id = 1; id < p.m.bound; id++) {
			for (size_t k = 0; k < SPB_COUNT(kinds); k++) {
				uint32_t wanted = 0;
				for (spb_at at = 5; at < p.m.count; at = spb_next(&p.m, at)) {
					if (spb_op(&p.m, at) == SpvOpDecorate && p.m.words[at + 1] == id &&
					    p.m.words[at + 2] == kinds[k].number)
						wanted = at + 3;
				}
				assert_int_equal(spb_decoration(&p.m, id, kinds[k].number), wanted);
			}
		}
		end_text(&p);
		free(t.items);
	}
}

static const char types[] =
    "OpName %20 \"f\"\n"
    "OpDecorate %13 SpecId 4\nOpDecorate %14 SpecId 9\nOpDecorate %15 SpecId 2\n"
    "%1 = OpTypeVoid\n%2 = OpTypeInt 32 0\n%3 = OpTypeInt 64 0\n%4 = OpTypeInt 8 1\n%5 = OpTypeFloat 32\n"
    "%6 = OpTypeVector %5 3\n%7 = OpTypeMatrix %6 2\n%8 = OpTypeRuntimeArray %7\n%9 = OpTypeStruct %2 %3 %8\n"
    "%10 = OpTypeStruct\n%11 = OpConstant %2 7\n%12 = OpConstant %3 4294967298\n%13 = OpSpecConstant %2 5\n"
    "%14 = OpSpecConstant %4 6\n%15 = OpSpecConstant %3 8\n%16 = OpConstant %5 1\n%17 = OpConstantNull %2\n"
    "%18 = OpTypeArray %2 %11\n%19 = OpTypeFunction %1 %2 %2\n%21 = OpSpecConstant %2 3\n"
    "%20 = OpFunction %1 None %19\n%22 = OpFunctionParameter %2\nOpNoLine\n%23 = OpFunctionParameter %2\n"
    "OpNoLine\n%24 = OpLabel\nOpReturn\nOpFunctionEnd\n"
    "%25 = OpFunction %1 None %19\n%26 = OpFunctionParameter %2\n%27 = OpFunctionParameter %2\nOpFunctionEnd\n";

static void parts_of_types_have_types(void **state)
{
	static const struct {
		uint32_t type, index, part;
	} rows[] = {{6, 0, 5}, {6, 99, 5}, {7, 1, 6}, {8, 0, 7},  {18, 3, 2}, {9, 0, 2},
		    {9, 1, 3}, {9, 2, 8},  {9, 3, 0}, {10, 0, 0}, {2, 0, 0},  {1, 0, 0}};
	struct parsed p;

	(void)state;
	parse_text(&p, types);
	for (size_t i = 0; i < SPB_COUNT(rows); i++)
		assert_int_equal(spb_part_type(&p.m, rows[i].type, rows[i].index), rows[i].part);
	assert_int_equal(spb_part_type(&p.m, 9, UINT64_C(0x100000000)), 0);
	assert_int_equal(spb_result(&p.m, 0), 0);
	for (uint32_t id = 1; id < p.m.bound; id++)
		assert_int_equal(spb_result(&p.m, p.m.def[id]), id);
	assert_int_equal(spb_result(&p.m, spb_next(&p.m, p.m.def[24])), 0);
	end_text(&p);
}

static void constants_have_values(void **state)
{
	static const spb_spec_value given[] = {
	    {2, UINT64_C(0x900000001)}, {4, UINT64_C(0x700000003)}, {9, 0x1FF}, {11, 1}};
	static const struct {
		uint32_t id, count; /* of `given` */
		uint64_t value;
	} rows[] = {{11, 0, 7},    {12, 0, UINT64_C(4294967298)},
		    {13, 0, 5},    {14, 0, 6},
		    {15, 0, 8},    {21, 0, 3},
		    {11, 4, 7},    {13, 4, 3},
		    {14, 4, 0xFF}, {15, 4, UINT64_C(0x900000001)},
		    {21, 4, 3},    {13, 2, 3},
		    {14, 2, 6},    {15, 1, UINT64_C(0x900000001)},
		    {13, 1, 5}};
	struct parsed p;
	uint64_t value;

	(void)state;
	parse_text(&p, types);
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		p.m.spec_value = given;
		p.m.spec_value_count = rows[i].count;
		value = 99;
		assert_true(spb_constant_value(&p.m, rows[i].id, &value));
		assert_true(value == rows[i].value);
		assert_int_equal(spb_spec_value_of(&p.m, rows[i].id, &value),
				 (rows[i].id == 13 && rows[i].count > 1) || (rows[i].id == 14 && rows[i].count > 2) ||
				     (rows[i].id == 15 && rows[i].count > 0));
	}
	const uint32_t none[] = {0, 1, 2, 16, 17, 20, 22};
	for (size_t i = 0; i < SPB_COUNT(none); i++)
		assert_false(spb_constant_value(&p.m, none[i], &value));
	end_text(&p);
}

static void functions_are_found_around_their_instructions(void **state)
{
	struct parsed p;

	(void)state;
	parse_text(&p, types);
	for (spb_at at = 5; at < p.m.count; at = spb_next(&p.m, at)) {
		const struct spb_function *f = spb_function_around(&p.m, at);
		const uint32_t wanted = at >= p.m.def[25] ? 25 : at >= p.m.def[20] ? 20 : 0;
		assert_int_equal(f ? p.m.words[f->at + 2] : 0, wanted);
	}
	const uint32_t after[][2] = {{20, 22}, {22, 23}, {23, 24}, {25, 26}, {26, 27}};
	for (size_t i = 0; i < SPB_COUNT(after); i++)
		assert_int_equal(spb_next_parameter(&p.m, p.m.def[after[i][0]]), p.m.def[after[i][1]]);
	assert_int_equal(spb_op(&p.m, spb_next_parameter(&p.m, p.m.def[27])), SpvOpFunctionEnd);
	end_text(&p);
}

static void remarks_are_found_one_after_the_other(void **state)
{
	static const char text[] =
	    "%1 = OpString \"ab\"\nOpSourceExtension \"ab 1\"\nOpSourceExtension \"x\"\nOpSourceExtension \"ab\"\n"
	    "OpName %1 \"ab\"\nOpModuleProcessed \"ab 2\"\nOpModuleProcessed \"a\"\nOpModuleProcessed \"abc\"\n"
	    "%2 = OpTypeVoid\n";
	static const char *const wanted[] = {"ab 1", "ab", "ab 2", "abc"};
	struct parsed p;
	size_t found = 0;

	(void)state;
	parse_text(&p, text);
	for (spb_at at = spb_find_remark(&p.m, "ab"); at; at = spb_next_remark(&p.m, at, "ab")) {
		assert_true(found < SPB_COUNT(wanted));
		assert_string_equal(spb_string(&p.m, at + 1), wanted[found]);
		found++;
	}
	assert_int_equal(found, SPB_COUNT(wanted));
	assert_int_equal(spb_find_remark(&p.m, "abcd"), 0);
	assert_int_equal(spb_find_remark(&p.m, "ab 3"), 0);
	assert_int_equal(spb_next_remark(&p.m, p.m.def[2], ""), 0);
	end_text(&p);
}

static void sets_are_told_by_their_names(void **state)
{
	static const struct {
		const char *set;
		bool is_info, is_debug, is_remark;
	} sets[] = {{"NonSemantic.Shader.DebugInfo.100", true, true, true},
		    {"NonSemantic.Shader.DebugInfo.200", true, true, true},
		    {"NonSemantic.Shader.DebugInfo", false, false, true},
		    {"NonSemantic.Other", false, false, true},
		    {"NonSemantic.x", false, false, true},
		    {"OpenCL.DebugInfo.100", false, true, true},
		    {"DebugInfo", false, false, true},
		    {"GLSL.std.450", false, false, false}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(sets); i++) {
		const bool known = sets[i].set[0] != 'N' || i == 0;
		const bool old = sets[i].set[0] == 'O' || sets[i].set[0] == 'D';
		struct text t = {.count = 0};
		struct parsed p;
		add(&t,
		    "OpCapability Shader\nOpCapability Matrix\nOpExtension \"SPV_A\"\nOpExtension \"SPV_B\"\n"
		    "%%1 = OpExtInstImport \"GLSL.std.450\"\n%%2 = OpExtInstImport \"%s\"\n"
		    "OpMemoryModel Logical GLSL450\n%%3 = OpTypeVoid\n%%4 = OpTypeFloat 32\n%%5 = OpConstant %%4 1\n",
		    sets[i].set);
		add(&t, known ? (old ? "%%6 = OpExtInst %%3 %%2 DebugInfoNone\n"
				 : i ? "%%6 = OpExtInst %%4 %%2 Sqrt %%5\n"
				     : "%%6 = OpExtInst %%3 %%2 DebugInfoNone\n")
			      : "%%6 = OpExtInst %%3 %%2 0\n");
		parse_text(&p, t.items);
		assert_int_equal(spb_debug_info(&p.m), sets[i].is_info ? 2 : 0);
		assert_int_equal(spb_debug_set(&p.m), sets[i].is_debug ? 2 : 0);
		assert_int_equal(spb_is_non_semantic(&p.m, p.m.def[6]), sets[i].is_remark);
		assert_int_equal(spb_has_literals(spb_find_set(sets[i].set)), old);
		assert_false(spb_is_non_semantic(&p.m, p.m.def[5]));
		assert_int_equal(spb_import(&p.m, sets[i].set), i + 1 < SPB_COUNT(sets) ? 2 : 1);
		assert_int_equal(spb_import(&p.m, "GLSL.std"), 0);
		assert_true(spb_has_extension(&p.m, "SPV_A") && spb_has_extension(&p.m, "SPV_B"));
		assert_false(spb_has_extension(&p.m, "SPV_") || spb_has_extension(&p.m, "SPV_AB"));
		assert_true(spb_has_capability(&p.m, 0) && spb_has_capability(&p.m, 1));
		assert_false(spb_has_capability(&p.m, 2) || spb_has_capability(&p.m, UINT32_MAX));
		assert_int_equal(spb_capability(&p.m, 5), 1);
		assert_int_equal(spb_capability(&p.m, 9), UINT32_MAX);
		end_text(&p);
		free(t.items);
	}
}

/* The name of a kind of sets ends in a dot. */
static void a_set_whose_name_only_begins_alike_is_another(void **state)
{
	size_t count;
	uint32_t *words =
	    words_of("%1 = OpExtInstImport \"NonSemantic.x\"\n%2 = OpTypeVoid\n%3 = OpExtInst %2 %1 1\n", &count);
	struct parsed p;

	(void)state;
	for (int other = 0; other < 2; other++) {
		if (other)
			words[9] ^= 0x01000000; /* "tic." */
		parse(&p, words, count);
		assert_false(p.refused);
		assert_int_equal(spb_is_non_semantic(&p.m, p.m.def[3]), !other);
		end_parsed(&p);
	}
	free(words);
}

static void there_is_a_bit_for_each_number(void **state)
{
	static const uint32_t counts[] = {1, 31, 32, 33, 64, 100000};
	spb_context *context;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	for (size_t i = 0; i < SPB_COUNT(counts); i++) {
		const uint32_t n = counts[i];
		uint32_t *bits = spb_bits(&context->scratch, n), *others = spb_bits(&context->scratch, n);
		for (uint32_t k = 0; k < n; k++)
			assert_false(spb_bit(bits, k));
		for (uint32_t k = 0; k < n; k += 3)
			spb_set_bit(bits, k);
		spb_set_bit(bits, n - 1);
		for (uint32_t k = 0; k < n; k++) {
			assert_int_equal(spb_bit(bits, k), k % 3 == 0 || k == n - 1);
			assert_false(spb_bit(others, k));
		}
	}
	spb_context_destroy(context);
}

static void numbers_have_names(void **state)
{
	(void)state;
	assert_string_equal(spb_capability_name(SpvCapabilityMatrix), "Matrix");
	assert_string_equal(spb_capability_name(SpvCapabilityShader), "Shader");
	assert_string_equal(spb_capability_name(SpvCapabilityStorageImageArrayDynamicIndexing),
			    "StorageImageArrayDynamicIndexing");
	assert_string_equal(spb_capability_name(SpvCapabilityGroupNonUniform), "GroupNonUniform");
	assert_string_equal(spb_capability_name(SpvCapabilityShaderNonUniform), "ShaderNonUniform");
	assert_string_equal(spb_capability_name(60000), "?");
	assert_string_equal(spb_capability_name(UINT32_MAX), "?");
	assert_string_equal(spb_builtin_name(SpvBuiltInPosition), "Position");
	assert_string_equal(spb_builtin_name(SpvBuiltInFragCoord), "FragCoord");
	assert_string_equal(spb_builtin_name(SpvBuiltInViewIndex), "ViewIndex");
	assert_string_equal(spb_builtin_name(2), "?");
	assert_string_equal(spb_builtin_name(UINT32_MAX), "?");
	assert_string_equal(spb_storage_class_name(SpvStorageClassUniformConstant), "UniformConstant");
	assert_string_equal(spb_storage_class_name(SpvStorageClassStorageBuffer), "StorageBuffer");
	assert_string_equal(spb_storage_class_name(SpvStorageClassPhysicalStorageBuffer), "PhysicalStorageBuffer");
	assert_string_equal(spb_storage_class_name(999), "?");
	assert_string_equal(spb_image_format_name(SpvImageFormatUnknown), "Unknown");
	assert_string_equal(spb_image_format_name(SpvImageFormatR64i), "R64i");
	assert_string_equal(spb_image_format_name(SpvImageFormatR64i + 1), "?");
	for (uint32_t i = 0; i < SpvImageFormatR64i; i++)
		assert_string_not_equal(spb_image_format_name(i), "?");
	for (uint32_t i = 0; i < 6; i++)
		assert_string_not_equal(spb_storage_class_name(i), "?");
	assert_int_equal(spb_literal_parameters(SPB_KIND_DECORATION, SpvDecorationNonUniform), 0);
	assert_int_equal(spb_literal_parameters(SPB_KIND_DECORATION, SpvDecorationBinding), 1);
	assert_int_equal(spb_literal_parameters(SPB_KIND_DECORATION, SpvDecorationBuiltIn), 1);
	assert_int_equal(spb_literal_parameters(SPB_KIND_DECORATION, SpvDecorationLinkageAttributes), -1);
	assert_int_equal(spb_literal_parameters(SPB_KIND_DECORATION, SpvDecorationUniformId), -1);
	assert_int_equal(spb_literal_parameters(SPB_KIND_DECORATION, 60000), 0);
	assert_int_equal(spb_literal_parameters(SPB_KIND_EXECUTION_MODE, SpvExecutionModeLocalSize), 3);
	assert_int_equal(spb_literal_parameters(SPB_KIND_EXECUTION_MODE, SpvExecutionModeLocalSizeId), -1);
	assert_int_equal(spb_literal_parameters(SPB_KIND_EXECUTION_MODE, SpvExecutionModeOriginUpperLeft), 0);
}

/* The literals of an OpSwitch are as wide as its selector, whole words each. */
static void literals_of_a_switch_are_as_wide_as_its_selector(void **state)
{
	static const struct {
		uint32_t op, width, words; /* 0: it is no integer that a switch can have */
	} rows[] = {{SpvOpTypeInt, 1, 1},  {SpvOpTypeInt, 8, 1},    {SpvOpTypeInt, 32, 1},
		    {SpvOpTypeInt, 33, 2}, {SpvOpTypeInt, 64, 2},   {SpvOpTypeInt, 65, 0},
		    {SpvOpTypeInt, 0, 0},  {SpvOpTypeFloat, 32, 0}, {SpvOpTypeInt, 128, 0}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		for (uint32_t words = 1; words < 3; words++) {
			for (int how = 0; how < 4; how++) {
				uint32_t w[60] = {SpvMagicNumber, 0x10000, 0, 12, 0}, n = 5;
				struct parsed p;
#define PUT(...)                                                                                                       \
	do {                                                                                                           \
		const uint32_t put_[] = {__VA_ARGS__};                                                                 \
		memcpy(w + n, put_, sizeof put_);                                                                      \
		n += (uint32_t)SPB_COUNT(put_);                                                                        \
	} while (0)
				PUT(OP(SpvOpTypeVoid, 2), 1, OP(SpvOpTypeFunction, 3), 2, 1);
				if (rows[i].op == SpvOpTypeInt)
					PUT(OP(SpvOpTypeInt, 4), 3, rows[i].width, 0);
				else
					PUT(OP(SpvOpTypeFloat, 3), 3, rows[i].width);
				PUT(OP(SpvOpUndef, 3), 3, 4, OP(SpvOpFunction, 5), 1, 5, 0, 2, OP(SpvOpLabel, 2), 6);
				/* the selector; one that is no value; one that is defined later, and one that is not */
				PUT(OP(SpvOpSwitch, 4 + words),
				    how == 0   ? 4u
				    : how == 1 ? 1u
				    : how == 2 ? 11u
					       : 12u,
				    7, 9);
				if (words == 2)
					PUT(0);
				PUT(7, OP(SpvOpLabel, 2), 7, OP(SpvOpReturn, 1), OP(SpvOpFunctionEnd, 1));
				if (how == 2)
					PUT(OP(SpvOpFunction, 5), 1, 11, 0, 2, OP(SpvOpFunctionEnd, 1));
				parse(&p, w, n);
				const bool fits = how == 0 && rows[i].words == words;
				assert_int_equal(p.refused, !fits);
				const bool is_cut = how == 0 && rows[i].words == 1; /* its second word is no label */
				if (!fits)
					assert_int_equal(p.said.last.code,
							 how == 3 || is_cut ? SPB_E_ID_RANGE : SPB_E_OPERANDS);
				end_parsed(&p);
			}
		}
	}
}

/* Which operands of an instruction of an old set are ids. The numbers are those of the sets' grammars. */
static void instructions_of_some_sets_have_literals(void **state)
{
	static const struct {
		const char *set;
		uint32_t instruction;
		const char *operands; /* a letter for each: i: an id; l: a literal */
	} rows[] = {{"OpenCL.DebugInfo.100", 0, ""},
		    {"OpenCL.DebugInfo.100", 1, "llil"},
		    {"OpenCL.DebugInfo.100", 2, "iil"},
		    {"OpenCL.DebugInfo.100", 3, "ill"},
		    {"OpenCL.DebugInfo.100", 25, "li"},
		    {"OpenCL.DebugInfo.100", 25, "lii"},
		    {"OpenCL.DebugInfo.100", 26, "iiillill"},
		    {"OpenCL.DebugInfo.100", 28, "iii"},
		    {"OpenCL.DebugInfo.100", 30, "llllllll"},
		    {"OpenCL.DebugInfo.100", 36, "iiiliiil"},
		    {"OpenCL.DebugInfo.100", 37, "iiii"},
		    {"OpenCL.DebugInfo.100", 4294967295u, "iiii"},
		    {"DebugInfo", 0, ""},
		    {"DebugInfo", 1, "ill"},
		    {"DebugInfo", 2, "iil"},
		    {"DebugInfo", 30, "llllllllll"},
		    {"DebugInfo", 33, "ili"},
		    {"DebugInfo", 34, "iiii"},
		    {"DebugInfo", 4294967295u, "iiii"},
		    {"OpenCL.std", 171, "iil"},
		    {"OpenCL.std", 12, "i"},
		    {"GLSL.std.450", 1, "i"}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		uint32_t w[80] = {SpvMagicNumber, 0x10000, 0, 12, 0}, n = 5;
		const size_t length = strlen(rows[i].set) / 4 + 1, operands = strlen(rows[i].operands);
		struct parsed p;
		PUT(OP(SpvOpExtInstImport, 2 + length), 1);
		memcpy(w + n, rows[i].set, strlen(rows[i].set));
		n += (uint32_t)length;
		if (i + 1 == SPB_COUNT(rows)) { /* another set beside one with literals */
			PUT(OP(SpvOpExtInstImport, 5), 9, 0x75626544, 0x666E4967, 0x0000006F);
		}
		PUT(OP(SpvOpTypeVoid, 2), 2, OP(SpvOpExtInst, 5 + operands), 2, 3, 1, rows[i].instruction);
		for (size_t k = 0; k < operands; k++)
			PUT(rows[i].operands[k] == 'l' ? 0xFFFFu : 2u);
		parse(&p, w, n);
		if (p.refused)
			print_message("row %u: %s\n", (unsigned)i, p.said.text);
		assert_false(p.refused);
		struct spb_operand o = spb_operands(&p.m, p.m.def[3]);
		for (size_t k = 0; k < 4; k++) /* type, result, set, instruction */
			assert_true(spb_operand_next(&o));
		for (size_t k = 0; k < operands; k++) {
			assert_true(spb_operand_next(&o));
			assert_int_equal(spb_operand_is_id(&o), rows[i].operands[k] == 'i');
		}
		assert_false(spb_operand_next(&o));
		assert_false(o.bad);
		end_parsed(&p);
	}
}

/* Edits: what a pass records, and the text that it leaves. */

static const char before[] =
    "OpCapability Shader\nOpExtension \"SPV_A\"\n%1 = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %2 \"main\" %3 %4 %5\nOpEntryPoint Fragment %6 \"other\" %4\nOpExecutionMode %2 "
    "OriginUpperLeft\n"
    "OpName %3 \"three\"\nOpDecorate %3 Location 0\nOpDecorate %4 Location 1\n"
    "%7 = OpTypeVoid\n%8 = OpTypeFloat 32\n%9 = OpTypePointer Input %8\n%10 = OpTypeFunction %7\n%3 = OpVariable %9 "
    "Input\n"
    "%4 = OpVariable %9 Input\n%5 = OpVariable %9 Input\n%2 = OpFunction %7 None %10\n%11 = OpLabel\nOpReturn\n"
    "OpFunctionEnd\n%6 = OpFunction %7 None %10\n%12 = OpLabel\nOpReturn\nOpFunctionEnd\n";

typedef void edit(struct spb_edit *e, struct spb_module *m);

struct editing {
	struct parsed *p;
	edit *how;
};

static void run_edit(void *argument)
{
	const struct editing *d = argument;
	struct spb_edit e;

	spb_module_need_uses(&d->p->m);
	spb_edit_begin(&e, &d->p->m, &d->p->m.context->scratch);
	d->how(&e, &d->p->m);
	spb_edit_commit(&e);
	spb_module_need_index(&d->p->m);
}

/* Replaces `what` in `before` by `with`, for each pair, and compares. */
static void expect_edit(edit *how, uint32_t version, const char *const changes[][2], size_t change_count,
			uint32_t bound)
{
	char *text = malloc(5000), *rest = malloc(5000);
	struct parsed p;
	size_t count;

	assert_non_null(text);
	assert_non_null(rest);
	strcpy(text, before);
	for (size_t i = 0; i < change_count; i++) {
		char *at = strstr(text, changes[i][0]);
		assert_non_null(at);
		strcpy(rest, at + strlen(changes[i][0]));
		strcpy(at, changes[i][1]);
		strcat(at, rest);
	}
	uint32_t *wanted = words_of(text, &count);
	wanted[1] = version;
	wanted[3] = bound;
	size_t given_count;
	uint32_t *given = words_of(before, &given_count);
	given[1] = version;
	parse(&p, given, given_count);
	assert_false(p.refused);
	struct editing d = {&p, how};
	assert_false(caught(p.m.context, run_edit, &d));
	if (p.m.count != count || memcmp(p.m.words, wanted, count * sizeof *wanted) != 0)
		print_message("wanted:\n%s\n", text);
	assert_int_equal(p.m.count, count);
	assert_memory_equal(p.m.words, wanted, count * sizeof *wanted);
	end_parsed(&p);
	free(given);
	free(wanted);
	free(rest);
	free(text);
}

#define EXPECT_EDIT(how, version, bound, ...)                                                                          \
	do {                                                                                                           \
		static const char *const changes_[][2] = {__VA_ARGS__};                                                \
		expect_edit(how, version, changes_, SPB_COUNT(changes_), bound);                                       \
	} while (0)

static void declare(struct spb_edit *e, struct spb_module *m)
{
	(void)m;
	spb_add_capability(e, SpvCapabilityShader); /* there is one */
	spb_add_capability(e, SpvCapabilityInt64);
	spb_add_capability(e, SpvCapabilityInt64); /* once */
	spb_add_extension(e, "SPV_A");
	spb_add_extension(e, "SPV_BCD");
	spb_add_extension(e, "SPV_BCD");
	assert_int_equal(spb_add_import(e, "NonSemantic.ab"), 13);
}

static void declare_twice(struct spb_edit *e, struct spb_module *m)
{
	(void)m;
	for (int i = 0; i < 2; i++) {
		spb_add_capability(e, SpvCapabilityInt64);
		spb_add_extension(e, "SPV_BCD");
	}
}

static void undeclare(struct spb_edit *e, struct spb_module *m)
{
	(void)m;
	spb_remove_capability(e, SpvCapabilityInt64); /* there is none */
	spb_remove_capability(e, SpvCapabilityShader);
}

static void annotate(struct spb_edit *e, struct spb_module *m)
{
	static const uint32_t one[] = {7}, two[] = {8, 9};

	(void)m;
	spb_add_decoration(e, 4, SpvDecorationFlat, NULL, 0);
	spb_add_name(e, 4, "four\xC3\xBC");
	spb_add_decoration(e, 4, SpvDecorationBinding, one, 1);
	spb_add_member_name(e, 8, 2, "abc");
	spb_add_decoration_id(e, 5, SpvDecorationUniformId, 3);
	spb_add_decoration(e, 4, SpvDecorationXfbStride, two, 1);
	spb_put_remark(e, 0, "did it");
}

static void add_globals(struct spb_edit *e, struct spb_module *m)
{
	for (int i = 0; i < 2; i++) { /* each once */
		assert_int_equal(spb_pointer_type(e, SpvStorageClassInput, 8), 9);
		assert_int_equal(spb_pointer_type(e, SpvStorageClassOutput, 8), 13);
		assert_int_equal(spb_pointer_type(e, SpvStorageClassOutput, 13), 14); /* of a new type */
		assert_int_equal(spb_make(e, SpvOpTypeFloat, W(32)), 8);
		assert_int_equal(spb_make(e, SpvOpTypeFloat, W(64)), 15);
		assert_int_equal(spb_make(e, SpvOpTypeVoid, NULL, 0), 7);
		assert_int_equal(spb_bool_type(e), 16);
		assert_int_equal(spb_uint_constant(e, 5), 18);
		assert_int_equal(spb_uint2_type(e), 19);
		assert_int_equal(spb_make(e, SpvOpConstantNull, W(17)), 20);
	}
	assert_int_equal(spb_find_made(e, SpvOpConstant, W(17, 6)), 0);
	spb_note_made(e, SpvOpConstant, W(17, 6), 21);
	assert_int_equal(spb_uint_constant(e, 6), 21);
	for (uint32_t i = 0; i < 300; i++) /* the table grows */
		spb_note_made(e, SpvOpConstant, W(17, 100 + i), 1000 + i);
	for (uint32_t i = 0; i < 300; i++)
		assert_int_equal(spb_uint_constant(e, 100 + i), 1000 + i);
	assert_int_equal(spb_device_scope(m), SpvScopeDevice);
}

static void change_interfaces(struct spb_edit *e, struct spb_module *m)
{
	const spb_at first = m->section[SPB_SECTION_ENTRY_POINT], second = spb_next(m, first);

	spb_interface_add(e, first, 3);
	spb_interface_remove(e, first, 5);
	spb_interface_add(e, second, 5);
	spb_interface_remove(e, first, 3);
	spb_interface_add(e, second, 3);
	spb_interface_remove(e, second, 9); /* which is not there */
}

static void remove_notes(struct spb_edit *e, struct spb_module *m)
{
	spb_remove_notes(e, 3);
	spb_remove_notes(e, 4);
	spb_remove(e, m->def[3]);
	spb_remove(e, m->def[4]);
}

static void replace_and_insert(struct spb_edit *e, struct spb_module *m)
{
	spb_replace(e, m->def[8], SpvOpTypeFloat, W(8, 16));
	spb_insert(e, m->def[8], SpvOpTypeBool, W(spb_new_id(e))); /* goes before what is replaced there */
	spb_insert(e, m->section[SPB_SECTION_FUNCTION], SpvOpNoLine, NULL, 0);
	spb_add_global(e, SpvOpTypeInt, W(spb_new_id(e), 8, 0)); /* before it, being a global */
	spb_patch(e, m->def[9] + 2, SpvStorageClassOutput);
}

static void passes_edit_modules(void **state)
{
	(void)state;
	EXPECT_EDIT(declare, 0x10300, 14, {"Shader\n", "Shader\nOpCapability Int64\n"},
		    {"\"SPV_A\"\n", "\"SPV_A\"\nOpExtension \"SPV_BCD\"\n"},
		    {"\"GLSL.std.450\"\n", "\"GLSL.std.450\"\n%13 = OpExtInstImport \"NonSemantic.ab\"\n"});
	EXPECT_EDIT(declare_twice, 0x10300, 13, {"Shader\n", "Shader\nOpCapability Int64\n"},
		    {"\"SPV_A\"\n", "\"SPV_A\"\nOpExtension \"SPV_BCD\"\n"});
	EXPECT_EDIT(undeclare, 0x10300, 13, {"OpCapability Shader\n", ""});
	EXPECT_EDIT(
	    annotate, 0x10300, 13,
	    {"\"three\"\n", "\"three\"\nOpName %4 \"four\xC3\xBC\"\nOpMemberName %8 2 \"abc\"\nOpModuleProcessed "
			    "\"did it\"\n"},
	    {"Location 1\n", "Location 1\nOpDecorate %4 Flat\nOpDecorate %4 Binding 7\nOpDecorateId %5 UniformId "
			     "%3\nOpDecorate %4 XfbStride 8\n"});
	EXPECT_EDIT(
	    annotate, 0x10000, 13,
	    {"OpName %3 \"three\"\n", "OpSourceExtension \"did it\"\nOpName %3 \"three\"\nOpName %4 \"four\xC3\xBC\"\n"
				      "OpMemberName %8 2 \"abc\"\n"},
	    {"Location 1\n", "Location 1\nOpDecorate %4 Flat\nOpDecorate %4 Binding 7\nOpDecorateId %5 UniformId "
			     "%3\nOpDecorate %4 XfbStride 8\n"});
	EXPECT_EDIT(add_globals, 0x10300, 21,
		    {"%5 = OpVariable %9 Input\n",
		     "%5 = OpVariable %9 Input\n%13 = OpTypePointer Output %8\n%14 = OpTypePointer Output %13\n"
		     "%15 = OpTypeFloat 64\n%16 = OpTypeBool\n%17 = OpTypeInt 32 0\n%18 = OpConstant %17 5\n"
		     "%19 = OpTypeVector %17 2\n%20 = OpConstantNull %17\n"});
	EXPECT_EDIT(change_interfaces, 0x10300, 13, {"\"main\" %3 %4 %5\n", "\"main\" %4 %3\n"},
		    {"\"other\" %4\n", "\"other\" %4 %5 %3\n"});
	EXPECT_EDIT(remove_notes, 0x10300, 13, {"\"main\" %3 %4 %5\n", "\"main\" %5\n"},
		    {"\"other\" %4\n", "\"other\"\n"},
		    {"OpName %3 \"three\"\nOpDecorate %3 Location 0\nOpDecorate %4 Location 1\n", ""},
		    {"%3 = OpVariable %9 Input\n%4 = OpVariable %9 Input\n", ""});
	EXPECT_EDIT(replace_and_insert, 0x10300, 15,
		    {"%8 = OpTypeFloat 32\n", "%13 = OpTypeBool\n%8 = OpTypeFloat 16\n"},
		    {"Pointer Input", "Pointer Output"},
		    {"%5 = OpVariable %9 Input\n", "%5 = OpVariable %9 Input\n%14 = OpTypeInt 8 0\nOpNoLine\n"});
}

static void overlap(struct spb_edit *e, struct spb_module *m)
{
	spb_patch(e, m->def[9] + 2, 1);
	spb_remove(e, m->def[9]);
}

static void many_in_an_interface(struct spb_edit *e, struct spb_module *m)
{
	for (uint32_t i = 0; i < 65536; i++)
		spb_interface_add(e, m->section[SPB_SECTION_ENTRY_POINT], 5);
}

static void notes_of_a_function(struct spb_edit *e, struct spb_module *m)
{
	(void)m;
	spb_remove_notes(e, 2);
}

static void new_ids(struct spb_edit *e, struct spb_module *m)
{
	(void)m;
	e->bound = 0x3FFFFF;
	assert_int_equal(spb_new_id(e), 0x3FFFFF);
	spb_new_id(e);
}

/* What cannot be written is refused, whatever the reason. */
static void edits_that_cannot_be_are_refused(void **state)
{
	static const struct {
		edit *how;
		uint32_t code;
		const char *op;
	} rows[] = {{overlap, SPB_E_INTERNAL, NULL},
		    {many_in_an_interface, SPB_E_WORD_COUNT, "OpEntryPoint"},
		    {notes_of_a_function, SPB_E_ID_UNDEFINED, "OpEntryPoint"},
		    {new_ids, SPB_E_BOUND, ""}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct parsed p;
		parse_text(&p, before);
		struct editing d = {&p, rows[i].how};
		assert_true(caught(p.m.context, run_edit, &d));
		assert_int_equal(p.said.last.code, rows[i].code);
		if (rows[i].op)
			assert_string_equal(p.said.op, rows[i].op);
		assert_int_equal(p.said.count, 1);
		end_text(&p);
	}
}

/* Of at most 4096 bytes; longer ones are none that a person would have given. */
static void names_have_a_length_that_people_give(void **state)
{
	enum { LONGEST = 4096 };

	(void)state;
	for (size_t length = LONGEST - 5; length < LONGEST + 9; length++) {
		struct text t = {.count = 0};
		struct parsed p;
		char name[LONGEST + 10] = "";
		memset(name, 'n', length);
		add(&t, "OpName %%1 \"%s\"\n%%1 = OpTypeVoid\n", name);
		parse_text(&p, t.items);
		assert_string_equal(spb_id_name(&p.m, 1), length / 4 <= LONGEST / 4 ? name : "");
		end_text(&p);
		free(t.items);
	}
}

/* What modules share is there until the last of them has left it. Who leaves has no index, and makes his own. */
static void what_is_shared_goes_with_the_last_module(void **state)
{
	enum { COUNT = 3 };
	struct parsed modules[COUNT] = {{.count = 0}};
	struct spb_shared shared = {.modules = COUNT};
	size_t count;
	uint32_t *words = words_of("OpName %1 \"x\"\n%1 = OpTypeVoid\n%2 = OpTypeFloat 32\n", &count);
	spb_context *context;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	shared.arena = (struct spb_arena){.context = context, .next = SPB_SMALL_ARENA};
	for (size_t i = 0; i < COUNT; i++) {
		modules[i] = (struct parsed){.words = words, .count = count};
		modules[i].m.context = context;
		modules[i].m.shared = &shared;
		assert_false(caught(context, parse_words, &modules[i]));
	}
	for (size_t i = 0; i < COUNT; i++) {
		struct spb_module *m = &modules[i].m;
		for (size_t again = 0; again < 2; again++) {
			spb_module_leave_shared(m);
			assert_true(!m->shared && !m->indexed && !m->known && !m->known_bound);
			assert_int_equal(shared.modules, COUNT - 1 - i);
			assert_int_equal(shared.arena.head != NULL, i + 1 < COUNT);
		}
		for (size_t k = i + 1; k < COUNT; k++)
			assert_true(modules[k].m.indexed && spb_def_op(&modules[k].m, 2) == SpvOpTypeFloat);
		spb_module_need_index(m);
		assert_true(m->indexed && spb_def_op(m, 2) == SpvOpTypeFloat);
		assert_string_equal(spb_id_name(m, 1), "x");
		assert_int_equal(shared.arena.head != NULL, i + 1 < COUNT);
	}
	for (size_t i = 0; i < COUNT; i++)
		spb_module_release(&modules[i].m);
	spb_context_destroy(context);
	free(words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_are_found_among_any_number_of_notes),
	    cmocka_unit_test(decorations_are_found_among_any_number_of_notes),
	    cmocka_unit_test(parts_of_types_have_types),
	    cmocka_unit_test(constants_have_values),
	    cmocka_unit_test(functions_are_found_around_their_instructions),
	    cmocka_unit_test(remarks_are_found_one_after_the_other),
	    cmocka_unit_test(sets_are_told_by_their_names),
	    cmocka_unit_test(a_set_whose_name_only_begins_alike_is_another),
	    cmocka_unit_test(there_is_a_bit_for_each_number),
	    cmocka_unit_test(numbers_have_names),
	    cmocka_unit_test(literals_of_a_switch_are_as_wide_as_its_selector),
	    cmocka_unit_test(instructions_of_some_sets_have_literals),
	    cmocka_unit_test(passes_edit_modules),
	    cmocka_unit_test(edits_that_cannot_be_are_refused),
	    cmocka_unit_test(names_have_a_length_that_people_give),
	    cmocka_unit_test(what_is_shared_goes_with_the_last_module),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
