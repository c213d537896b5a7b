/* SPDX-License-Identifier: Apache-2.0 */
/* The types of a module (analysis/resources): their sizes, equality with those of another module, and names in
 * messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "analysis/resources/resources.h"
#include "indexed.h"

#define HEAD                                                                                                           \
	"OpCapability Shader\nOpCapability Linkage\nOpCapability Int8\nOpCapability Int64\nOpCapability Int16\n"       \
	"OpCapability Float16\nOpCapability Float64\nOpMemoryModel Logical GLSL450\n"
#define BASIC                                                                                                          \
	"%float = OpTypeFloat 32\n%v2 = OpTypeVector %float 2\n%v4 = OpTypeVector %float 4\n"                          \
	"%m43 = OpTypeMatrix %v4 3\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n%byte = OpTypeInt 8 0\n"          \
	"%n0 = OpConstant %uint 0\n%n3 = OpConstant %uint 3\n%n5 = OpConstant %uint 5\n"
#define PTR "PhysicalStorageBuffer"

static void parse_type(struct parsed *p, const char *head, const char *notes, const char *types)
{
	char text[4000];

	assert_true((size_t)snprintf(text, sizeof text, "%s%sOpName %%x \"x\"\n%s\n%s%s\n", HEAD, head, notes, BASIC,
				     types) < sizeof text);
	parse(p, text);
}

static void types_have_sizes(void **state)
{
	static const struct {
		const char *notes, *types;
		uint32_t bytes;
	} rows[] = {
	    {"", "%x = OpTypeInt 16 1", 2},
	    {"", "%x = OpTypeFloat 64", 8},
	    {"", "%x = OpTypeVector %byte 3", 3},
	    {"", "%x = OpTypeVector %float 3", 12},
	    {"", "%x = OpTypeMatrix %v2 4", 32},
	    {"", "%x = OpTypeBool", 0},
	    {"", "%x = OpTypePointer " PTR " %float", 0}, /* counts as a member only */
	    {"", "%x = OpTypeRuntimeArray %float", 0},
	    /* arrays */
	    {"", "%x = OpTypeArray %float %n5", 20},
	    {"OpDecorate %x ArrayStride 16", "%x = OpTypeArray %float %n5", 80},
	    {"OpDecorate %x ArrayStride 16", "%y = OpTypeArray %float %n5\n%x = OpTypeArray %y %n3", 48},
	    {"OpDecorate %y ArrayStride 16", "%y = OpTypeArray %float %n5\n%x = OpTypeArray %y %n3", 240},
	    {"", "%p = OpTypePointer " PTR " %float\n%x = OpTypeArray %p %n3", 24},
	    {"", "%n = OpSpecConstant %uint 7\n%x = OpTypeArray %float %n", 28},
	    {"", "%n = OpSpecConstantOp %uint IAdd %n3 %n5\n%x = OpTypeArray %float %n", 32},
	    {"", "%n = OpConstantNull %uint\n%x = OpTypeArray %float %n", 0},
	    {"", "%n = OpConstant %byte 9\n%x = OpTypeArray %float %n", 36},
	    {"", "%n = OpConstant %ulong 9\n%x = OpTypeArray %float %n", 36},
	    {"", "%n = OpConstant %float 2\n%x = OpTypeArray %float %n", 0},
	    {"", "%n = OpConstant %ulong 4294967295\n%x = OpTypeArray %byte %n", UINT32_MAX},
	    {"", "%n = OpConstant %ulong 4294967296\n%x = OpTypeArray %byte %n", 0},
	    {"", "%n = OpConstant %ulong 4294967297\n%x = OpTypeArray %byte %n", 0},
	    {"", "%n = OpConstant %uint 4294967294\n%x = OpTypeArray %byte %n", 0xFFFFFFFE},
	    {"", "%n = OpConstant %uint 4294967295\n%x = OpTypeArray %byte %n", UINT32_MAX},
	    {"", "%n = OpConstant %uint 1073741824\n%x = OpTypeArray %float %n", UINT32_MAX},
	    {"", "%n = OpConstant %uint 4294967295\n%x = OpTypeArray %v4 %n", UINT32_MAX},
	    /* structs: members without an offset take no room */
	    {"OpMemberDecorate %y 0 Offset 16", "%x = OpTypeStruct %float\n%y = OpTypeStruct %float", 0},
	    {"", "%x = OpTypeStruct %float %v4", 0},
	    {"OpMemberDecorate %x 0 Offset 0", "%x = OpTypeStruct %float %v4", 4},
	    {"OpMemberDecorate %x 1 Offset 0", "%x = OpTypeStruct %float %v4", 16},
	    {"OpMemberDecorate %x 0 Offset 0\nOpMemberDecorate %x 1 Offset 16", "%x = OpTypeStruct %float %v4", 32},
	    {"OpMemberDecorate %x 0 Offset 16\nOpMemberDecorate %x 1 Offset 0", "%x = OpTypeStruct %float %v4", 20},
	    {"OpMemberDecorate %x 0 Offset 4", "%y = OpTypeBool\n%x = OpTypeStruct %y", 4},
	    {"OpMemberDecorate %x 0 Offset 4", "%p = OpTypePointer " PTR " %float\n%x = OpTypeStruct %p", 12},
	    {"OpMemberDecorate %x 0 Offset 4",
	     "OpTypeForwardPointer %p " PTR "\n%x = OpTypeStruct %p\n%p = OpTypePointer " PTR " %x", 12},
	    {"OpMemberDecorate %x 0 Offset 4\nOpMemberDecorate %y 0 Offset 8",
	     "%y = OpTypeStruct %float\n%x = OpTypeStruct %y", 16},
	    {"OpMemberDecorate %x 0 Offset 4294967280", "%x = OpTypeStruct %v4", UINT32_MAX},
	    {"OpMemberDecorate %x 0 Offset 4294967264", "%x = OpTypeStruct %v4", 0xFFFFFFF0},
	    {"OpMemberDecorate %y 0 Offset 100\nOpMemberDecorate %x 0 Offset 4",
	     "%y = OpTypeStruct %float\n%x = OpTypeStruct %float", 8},
	    {"OpMemberDecorate %x 0 Offset 0\nOpMemberDecorate %x 1 Offset 64", "%x = OpTypeStruct %float", 4},
	    /* words that only look like a decoration: '#' is Offset */
	    {"OpName %y \"abcd#\"\nOpName %y \"\\01\"\nOpMemberDecorate %y 0 Offset 4",
	     "%y = OpTypeStruct %float %float\n%x = OpTypeArray %y %n3", 24},
	    {"OpMemberName %y 0 \"#\"\nOpMemberDecorate %y 0 Offset 4",
	     "%y = OpTypeStruct %float %float\n%x = OpTypeArray %y %n3", 24},
	    /* matrices: columns of a stride, or rows */
	    {"OpMemberDecorate %x 0 Offset 0", "%x = OpTypeStruct %m43", 48},
	    {"OpMemberDecorate %x 0 Offset 0\nOpMemberDecorate %x 0 RowMajor", "%x = OpTypeStruct %m43", 48},
	    {"OpMemberDecorate %x 0 Offset 0\nOpMemberDecorate %x 0 MatrixStride 32", "%x = OpTypeStruct %m43", 96},
	    {"OpMemberDecorate %x 0 Offset 0\nOpMemberDecorate %x 0 MatrixStride 32\nOpMemberDecorate %x 0 ColMajor",
	     "%x = OpTypeStruct %m43", 96},
	    {"OpMemberDecorate %x 0 Offset 0\nOpMemberDecorate %x 0 MatrixStride 32\nOpMemberDecorate %x 0 RowMajor",
	     "%x = OpTypeStruct %m43", 128},
	    {"OpMemberDecorate %x 0 Offset 0\nOpMemberDecorate %x 0 MatrixStride 2147483648", "%x = OpTypeStruct %m43",
	     UINT32_MAX},
	    {"OpMemberDecorate %x 0 Offset 0\nOpMemberDecorate %x 0 MatrixStride 32\nOpMemberDecorate %x 0 RowMajor",
	     "%x = OpTypeStruct %v4", 16},
	    {"OpMemberDecorate %x 0 Offset 0\nOpMemberDecorate %x 0 MatrixStride 32\nOpDecorate %y ArrayStride 64",
	     "%y = OpTypeArray %m43 %n3\n%x = OpTypeStruct %y", 192},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct parsed p;
		struct spb_structs structs = {0};
		parse_type(&p, "", rows[i].notes, rows[i].types);
		const uint32_t *bytes = spb_type_sizes(&p.m, NULL, &p.m.keep), x = named(&p.m, "x");
		if (bytes[x] != rows[i].bytes)
			fail_msg("%u bytes, not %u:\n%s\n%s", bytes[x], rows[i].bytes, rows[i].notes, rows[i].types);
		assert_memory_equal(spb_type_sizes(&p.m, &structs, &p.m.keep), bytes, p.m.bound * sizeof *bytes);
		drop(&p);
	}
}

static void structs_have_members(void **state)
{
	static const struct spb_block_member wanted[] = {
	    {"a", 0, 4, 0, false, true},   {"", 16, 64, 32, true, true}, {"c", 0, 0, 0, false, false},
	    {"d", 112, 8, 0, false, true}, {"", 0, 96, 32, false, true},
	};
	struct spb_structs structs = {0};
	struct parsed p;

	(void)state;
	parse_type(
	    &p,
	    "OpMemberName %x 0 \"a\"\nOpMemberName %x 2 \"c\"\nOpMemberName %x 3 \"d\"\nOpMemberName %x 4 \"\"\n"
	    "OpMemberName %x 7 \"e\"\nOpMemberName %y 1 \"f\"\n",
	    "OpMemberDecorate %x 0 Offset 0\nOpMemberDecorate %x 1 Offset 16\nOpMemberDecorate %x 1 RowMajor\n"
	    "OpMemberDecorate %x 1 MatrixStride 32\nOpMemberDecorate %x 3 Offset 112\n"
	    "OpMemberDecorate %x 3 NonWritable\nOpMemberDecorate %x 4 Offset 0\n"
	    "OpMemberDecorate %x 4 MatrixStride 32\nOpMemberDecorate %x 4 ColMajor\nOpDecorate %x Block",
	    "%m34 = OpTypeMatrix %v2 3\n%y = OpTypeStruct %float\n%x = OpTypeStruct %float %m34 %float %v2 %m43");
	spb_type_sizes(&p.m, &structs, &p.m.keep);
	assert_int_equal(structs.count, 2);
	assert_int_not_equal(structs.items[0].id, named(&p.m, "x"));
	assert_string_equal(structs.items[0].members[0].name, "");
	assert_int_equal(structs.items[1].id, named(&p.m, "x"));
	for (size_t i = 0; i < SPB_COUNT(wanted); i++) {
		const struct spb_block_member *found = &structs.items[1].members[i];
		assert_string_equal(found->name, wanted[i].name);
		assert_int_equal(found->offset, wanted[i].offset);
		assert_int_equal(found->stride, wanted[i].stride);
		assert_int_equal(found->row_major, wanted[i].row_major);
		assert_int_equal(found->placed, wanted[i].placed);
		assert_int_equal(found->size, wanted[i].size);
	}
	drop(&p);
}

/* Rows with the same number are the same type, all others differ, whatever their ids and names. */
static void equal_types_have_equal_hashes(void **state)
{
	static const struct {
		unsigned number;
		const char *notes, *types;
	} rows[] = {
	    {1, "", "%x = OpTypeInt 32 1"},
	    {2, "", "%x = OpTypeInt 16 0"},
	    {3, "", "%x = OpTypeVector %float 3"},
	    {4, "", "%x = OpTypeVector %uint 3"},
	    {5, "", "%x = OpTypeVector %uint 4"},
	    {6, "", "%x = OpTypeArray %float %n3"},
	    {6, "", "%a = OpConstant %uint 3\n%x = OpTypeArray %float %a"},
	    {7, "", "%x = OpTypeArray %float %n5"},
	    {8, "", "%x = OpTypeRuntimeArray %float"},
	    {9, "OpDecorate %x ArrayStride 16", "%x = OpTypeRuntimeArray %float"},
	    {10, "OpDecorate %x ArrayStride 32", "%x = OpTypeRuntimeArray %float"},
	    {11, "OpDecorate %x ArrayStride 16", "%x = OpTypeArray %float %n3"},
	    {12, "OpDecorate %a SpecId 1", "%a = OpSpecConstant %uint 3\n%x = OpTypeArray %float %a"},
	    {13, "OpDecorate %a SpecId 2", "%a = OpSpecConstant %uint 3\n%x = OpTypeArray %float %a"},
	    {14, "OpDecorate %a SpecId 2", "%a = OpSpecConstant %uint 4\n%x = OpTypeArray %float %a"},
	    {15, "", "%x = OpTypeStruct %float %v4"},
	    {15, "OpMemberDecorate %x 0 NonWritable\nOpMemberDecorate %x 1 Coherent", "%x = OpTypeStruct %float %v4"},
	    {15, "OpDecorate %x Restrict\nOpDecorateString %x UserSemantic \"s\"", "%x = OpTypeStruct %float %v4"},
	    {16, "", "%x = OpTypeStruct %v4 %float"},
	    {17, "", "%x = OpTypeStruct %float"},
	    {18, "OpDecorate %x Block", "%x = OpTypeStruct %float"},
	    {19, "OpDecorate %x BufferBlock", "%x = OpTypeStruct %float"},
	    {20, "OpMemberDecorate %x 0 Offset 0", "%x = OpTypeStruct %float"},
	    {21, "OpMemberDecorate %x 0 Offset 16", "%x = OpTypeStruct %float"},
	    {22, "OpMemberDecorate %x 0 Offset 16\nOpDecorate %x Block", "%x = OpTypeStruct %float"},
	    {22, "OpDecorate %x Block\nOpMemberDecorate %x 0 Offset 16", "%x = OpTypeStruct %float"},
	    {23, "OpMemberDecorate %x 0 Offset 0\nOpMemberDecorate %x 1 Offset 16", "%x = OpTypeStruct %v4 %v4"},
	    {23, "OpMemberDecorate %x 1 Offset 16\nOpMemberDecorate %x 0 Offset 0", "%x = OpTypeStruct %v4 %v4"},
	    {24, "OpMemberDecorate %x 1 Offset 0\nOpMemberDecorate %x 0 Offset 16", "%x = OpTypeStruct %v4 %v4"},
	    {25, "OpMemberDecorate %x 0 RowMajor", "%x = OpTypeStruct %m43 %m43"},
	    {26, "OpMemberDecorate %x 1 RowMajor", "%x = OpTypeStruct %m43 %m43"},
	    {27, "OpMemberDecorate %x 0 ColMajor", "%x = OpTypeStruct %m43 %m43"},
	    {28, "OpMemberDecorate %x 0 MatrixStride 16", "%x = OpTypeStruct %m43 %m43"},
	    {29, "OpMemberDecorate %x 0 MatrixStride 32", "%x = OpTypeStruct %m43 %m43"},
	    {30, "", "%x = OpTypePointer Uniform %float"},
	    {31, "", "%x = OpTypePointer Private %float"},
	    {32, "", "%a = OpTypeStruct %float\n%x = OpTypePointer Private %a"},
	    {33, "OpDecorate %a Block", "%a = OpTypeStruct %float\n%x = OpTypePointer Private %a"},
	    {34, "", "OpTypeForwardPointer %x " PTR "\n%a = OpTypeStruct %x\n%x = OpTypePointer " PTR " %a"},
	    {35, "", "%x = OpTypeImage %float 2D 0 0 0 1 Unknown"},
	    {36, "", "%x = OpTypeImage %float 2D 0 0 0 2 R32f"},
	    {37, "", "%a = OpTypeImage %float 2D 0 0 0 1 Unknown\n%x = OpTypeSampledImage %a"},
	    {38, "", "%x = OpTypeSampler"},
	    {39, "", "%a = OpTypeStruct\n%x = OpTypeArray %a %n3"},
	    {40, "", "%a = OpTypeBool\n%x = OpTypeArray %a %n3"},
	};
	uint64_t hashes[2 * SPB_COUNT(rows)];

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(hashes); i++) {
		static const char *const heads[] = {"", "OpName %v2 \"v\"\nOpName %n5 \"n\"\nOpName %float \"f\"\n"};
		struct parsed p;
		parse_type(&p, heads[i % 2], rows[i / 2].notes, rows[i / 2].types);
		const uint64_t *hash = spb_type_hashes(&p.m, &p.m.keep);
		hashes[i] = hash[named(&p.m, "x")];
		assert_true(hashes[i] && hash[0] == 0);
		drop(&p);
	}
	for (size_t i = 0; i < SPB_COUNT(hashes); i++) {
		for (size_t k = 0; k < i; k++) {
			if ((hashes[i] == hashes[k]) != (rows[i / 2].number == rows[k / 2].number))
				fail_msg("rows %u and %u: %s\n%s", (unsigned)i / 2, (unsigned)k / 2, rows[i / 2].types,
					 rows[k / 2].types);
		}
	}
}

static void types_have_names_in_messages(void **state)
{
	static const struct {
		const char *type, *name;
	} rows[] = {
	    {"%t = OpTypeFloat 16", "half"},
	    {"%t = OpTypeFloat 64", "double"},
	    {"%t = OpTypeVector %float 1", "float1"},
	    {"%t = OpTypeInt 32 1", "int"},
	    {"%t = OpTypeInt 16 0", "uint16"},
	    {"%t = OpTypeInt 64 1", "int64"},
	    {"%t = OpTypeVector %ulong 2", "uint642"},
	    {"%t = OpTypeVector %float 4", "float4"},
	    {"%t = OpTypeMatrix %v4 3", "float4x3"},
	    {"%t = OpTypeMatrix %v2 4", "float2x4"},
	    {"%t = OpTypeMatrix %float 4", "other"}, /* no vector */
	    {"%d = OpTypeFloat 64\n%b = OpTypeBool\n%v = OpTypeVector %d 3\n%t = OpTypeMatrix %v 2", "double3x2"},
	    {"%a = OpTypeArray %float %n3\n%b = OpTypeArray %a %n3\n%c = OpTypeArray %b %n3\n%d = OpTypeArray %c %n3\n"
	     "%e = OpTypeArray %d %n3\n%f = OpTypeArray %e %n3\n%g = OpTypeArray %f %n3\n%h = OpTypeArray %g %n3\n"
	     "%t = OpTypeArray %h %n5",
	     "other[5][3][3][3][3][3][3][3]"}, /* the ninth dimension is left out */
	    {"%t = OpTypeVoid", "void"},
	    {"%t = OpTypeBool", "bool"},
	    {"%t = OpTypePointer " PTR " %float", "a pointer"},
	    {"%t = OpTypeArray %float %n3", "float[3]"},
	    {"%t = OpTypeRuntimeArray %v2", "float2[]"},
	    {"%u = OpTypeArray %float %n3\n%t = OpTypeArray %u %n5", "float[5][3]"},
	    {"%n = OpSpecConstant %uint 7\n%t = OpTypeArray %float %n", "float[7]"},
	    {"%n = OpSpecConstantOp %uint IAdd %n3 %n3\n%t = OpTypeArray %float %n", "float[]"},
	    {"%a = OpTypeArray %float %n3\n%b = OpTypeArray %a %n3\n%c = OpTypeArray %b %n3\n%d = OpTypeArray %c %n3\n"
	     "%e = OpTypeArray %d %n3\n%f = OpTypeArray %e %n3\n%g = OpTypeArray %f %n3\n%t = OpTypeArray %g %n5",
	     "float[5][3][3][3][3][3][3][3]"},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char types[1000];
		struct parsed p;
		uint32_t count;
		snprintf(types, sizeof types, "%%light = OpTypeStruct %%byte\n%s\n%%x = OpTypeStruct %%t %%v2",
			 rows[i].type);
		parse_type(&p, "OpName %light \"Light\"\nOpMemberName %x 1 \"second\"\n",
			   "OpMemberDecorate %x 1 Offset 8", types);
		const uint64_t *hash = spb_type_hashes(&p.m, &p.m.keep);
		const struct spb_typed_member *m = spb_typed_members(&p.m, named(&p.m, "x"), hash, &p.m.keep, &count);
		assert_int_equal(count, 2);
		assert_string_equal(m[0].type, rows[i].name);
		assert_string_equal(m[0].name, "");
		assert_int_equal(m[0].offset, 0);
		assert_string_equal(m[1].type, "float2");
		assert_string_equal(m[1].name, "second");
		assert_int_equal(m[1].offset, 8);
		drop(&p);
	}
}

#define OFFSETS(a, b)   "OpMemberDecorate %x 0 Offset " #a "\nOpMemberDecorate %x 1 Offset " #b "\n"
#define NAMES(a, b)     "OpMemberName %x 0 \"" #a "\"\nOpMemberName %x 1 \"" #b "\"\n"
#define MATRIX(k, more) "OpMemberDecorate %x " #k " MatrixStride 16\n" more
#define ROWS(k)         "OpMemberDecorate %x " #k " RowMajor\n"
#define HLSL            "OpSource HLSL 500\n"

static void contents_are_compared(void **state)
{
	static const struct {
		const char *heads[2], *notes[2], *types[2], *found; /* "": they are equal */
	} rows[] = {
	    {{"", ""}, {OFFSETS(0, 16), OFFSETS(0, 16)}, {"%float %v4", "%float %v4"}, ""},
	    {{"", ""},
	     {OFFSETS(0, 16), OFFSETS(0, 16) "OpMemberDecorate %x 1 NonWritable\n"},
	     {"%float %v4", "%float %v4"},
	     ""},
	    /* one lacks members */
	    {{"", ""}, {OFFSETS(0, 16), "OpMemberDecorate %x 0 Offset 0\n"}, {"%float %v4", "%float"}, ""},
	    {{"", ""}, {OFFSETS(0, 16), "OpMemberDecorate %x 0 Offset 16\n"}, {"%float %v4", "%v4"}, ""},
	    {{"", ""},
	     {OFFSETS(0, 16), "OpMemberDecorate %x 0 Offset 16\n"},
	     {"%float %v4", "%v2"},
	     "\"\" (float4) is at offset 16 here, but \"\" (float2) at offset 16 in y"},
	    /* members overlap */
	    {{"", ""},
	     {OFFSETS(0, 16), OFFSETS(0, 20)},
	     {"%float %v2", "%float %v2"},
	     "\"\" (float2) is at offset 16 here, but \"\" (float2) at offset 20 in y"},
	    {{"", ""}, {OFFSETS(0, 16), OFFSETS(0, 24)}, {"%float %v2", "%float %v2"}, ""},
	    {{"", ""},
	     {OFFSETS(0, 16), OFFSETS(0, 32)},
	     {"%float %array", "%float %v2"},
	     "\"\" (float[3]) is at offset 16 here, but \"\" (float2) at offset 32 in y"},
	    /* types, strides, order */
	    {{"", ""},
	     {OFFSETS(0, 16), OFFSETS(0, 16)},
	     {"%float %v4", "%uint %v4"},
	     "\"\" (float) is at offset 0 here, but \"\" (uint) at offset 0 in y"},
	    {{"", ""},
	     {OFFSETS(0, 16) MATRIX(1, ""), OFFSETS(0, 16) MATRIX(1, ROWS(1))},
	     {"%float %m43", "%float %m43"},
	     "\"\" (float4x3) at offset 16 has another stride or matrix order in y"},
	    {{"", ""},
	     {OFFSETS(0, 64) "OpMemberDecorate %x 0 MatrixStride 16\n",
	      OFFSETS(0, 64) "OpMemberDecorate %x 0 MatrixStride 32\n"},
	     {"%m43 %v2", "%m43 %v2"},
	     "\"\" (float4x3) at offset 0 has another stride or matrix order in y"},
	    {{"", ""},
	     {OFFSETS(0, 64) "OpMemberDecorate %x 0 NonWritable\n" MATRIX(0, ""),
	      OFFSETS(0, 64) MATRIX(0, "") "OpMemberDecorate %x 0 ColMajor\n"},
	     {"%m43 %v2", "%m43 %v2"},
	     ""},
	    /* HLSL transposes: its float3x4 in columns is GLSL's mat4x3 in rows */
	    {{HLSL, ""},
	     {OFFSETS(0, 64) MATRIX(0, ROWS(0)), OFFSETS(0, 64) MATRIX(0, "")},
	     {"%m43 %v2", "%m34 %v2"},
	     ""},
	    {{HLSL, HLSL},
	     {OFFSETS(0, 64) MATRIX(0, ROWS(0)), OFFSETS(0, 64) MATRIX(0, ROWS(0))},
	     {"%m43 %v2", "%m43 %v2"},
	     ""},
	    {{HLSL, ""},
	     {OFFSETS(0, 64) MATRIX(0, ""), OFFSETS(0, 64) MATRIX(0, "")},
	     {"%m43 %v2", "%m34 %v2"},
	     "\"\" (float4x3) is at offset 0 here, but \"\" (float3x4) at offset 0 in y"},
	    /* names */
	    {{NAMES(a, b), NAMES(a, c)},
	     {OFFSETS(0, 16), OFFSETS(0, 16)},
	     {"%v4 %v4", "%v4 %v4"},
	     "renamed: \"b\" (float4) is at offset 16 here, but \"c\" (float4) at offset 16 in y"},
	    {{NAMES(a, b), NAMES(b, a)},
	     {OFFSETS(0, 16), OFFSETS(0, 16)},
	     {"%v4 %v4", "%v4 %v4"},
	     "\"a\" (float4) is at offset 0 here, but \"a\" (float4) at offset 16 in y"},
	    {{NAMES(a, b), NAMES(b, c)},
	     {OFFSETS(0, 16), OFFSETS(0, 16)},
	     {"%v4 %v4", "%v4 %v4"},
	     "\"b\" (float4) is at offset 16 here, but \"b\" (float4) at offset 0 in y"},
	    {{NAMES(a, b), NAMES(a, b)},
	     {OFFSETS(0, 16), OFFSETS(0, 32)},
	     {"%v4 %v4", "%v4 %v4"},
	     "\"b\" (float4) is at offset 16 here, but \"b\" (float4) at offset 32 in y"},
	    {{NAMES(a, b), ""}, {OFFSETS(0, 16), OFFSETS(0, 16)}, {"%v4 %v4", "%v4 %v4"}, ""},
	    /* members of a struct belong to the block */
	    {{"OpMemberName %x 0 \"s\"\nOpMemberName %s 0 \"n\"\n", "OpMemberName %x 0 \"s_n\"\n"},
	     {"OpMemberDecorate %x 0 Offset 16\nOpMemberDecorate %s 0 Offset 16\n",
	      "OpMemberDecorate %x 0 Offset 32\n"},
	     {"%s", "%uint"},
	     "renamed: \"s.n\" (uint) is at offset 32 here, but \"s_n\" (uint) at offset 32 in y"},
	    {{"", ""},
	     {"OpMemberDecorate %x 0 Offset 16\nOpMemberDecorate %s 0 Offset 16\n",
	      "OpMemberDecorate %x 0 Offset 32\n"},
	     {"%s", "%float"},
	     "\"\" (uint) is at offset 32 here, but \"\" (float) at offset 32 in y"},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct parsed p[2];
		struct spb_contents c[2];
		struct spb_difference d;
		for (size_t k = 0; k < 2; k++) {
			char types[400];
			snprintf(types, sizeof types,
				 "%%v3 = OpTypeVector %%float 3\n%%m34 = OpTypeMatrix %%v3 4\n%%array = OpTypeArray "
				 "%%float %%n3\n%%s = OpTypeStruct "
				 "%%uint\n%%x = OpTypeStruct %s",
				 rows[i].types[k]);
			parse_type(&p[k], rows[i].heads[k], rows[i].notes[k], types);
			c[k].members =
			    spb_typed_members(&p[k].m, named(&p[k].m, "x"), spb_type_hashes(&p[k].m, &p[k].m.keep),
					      &p[k].m.keep, &c[k].count);
		}
		const enum spb_sameness same = spb_compare_contents(&c[0], &c[1], &p[0].m.keep, &d);
		char found[200] = "";
		if (same != SPB_SAME)
			snprintf(found, sizeof found, "%s%s", same == SPB_RENAMED ? "renamed: " : "",
				 spb_difference_text(&d, "y", &p[0].m.keep));
		assert_string_equal(found, rows[i].found);
		drop(&p[0]);
		drop(&p[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(types_have_sizes),
	    cmocka_unit_test(structs_have_members),
	    cmocka_unit_test(equal_types_have_equal_hashes),
	    cmocka_unit_test(types_have_names_in_messages),
	    cmocka_unit_test(contents_are_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
