/* SPDX-License-Identifier: Apache-2.0 */
/* What --reflect says of one module (analysis/reflection), part by part; the test `reflect` compares the whole with
 * SPIRV-Cross, where that is right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "analysis/reflection/reflection.h"
#include "indexed.h"

#define HEAD "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
#define TYPES                                                                                                          \
	"%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n"            \
	"%int = OpTypeInt 32 1\n%bool = OpTypeBool\n%double = OpTypeFloat 64\n%v4 = OpTypeVector %float 4\n"           \
	"%c1 = OpConstant %uint 1\n%c3 = OpConstant %uint 3\n%c5 = OpConstant %uint 5\n"                               \
	"%spec = OpSpecConstant %uint 4\n%block = OpTypeStruct %float %v4\n"
#define MAIN "%main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n"
#define VARIABLE(v, class, type)                                                                                       \
	"%p_" #v " = OpTypePointer " #class " " type "\n%" #v " = OpVariable %p_" #v " " #class "\n"
#define ENTRY(model, name, interface) "OpEntryPoint " model " %main \"" name "\" " interface "\n"
#define LOCAL_SIZE                    "OpExecutionMode %main LocalSize 8 4 2\n"
#define UNKNOWN(x, y)                 "!423799 " x " !17 !9 !8 " y "\n" /* an opcode that nobody knows */
#define RAW_POINT                     "!262159 !0 %main !97\n" /* of Vertex, called a: what is unknown can follow */
#define GROUPS(x, y, z, sx, sy, sz)                                                                                    \
	"\"workgroup_size\":[" x "," y "," z "],\"workgroup_size_is_spec_constant_id\":[" sx "," sy "," sz "]"
#define POINT(name, mode)           "{\"name\":\"" name "\",\"mode\":\"" mode "\"}"
#define COMPUTE(name, mode, groups) "{\"name\":\"" name "\",\"mode\":\"" mode "\"," groups "}"
#define POINTS(list)                "\"entryPoints\":[" list "]"
#define PLAIN_GROUPS                GROUPS("8", "4", "2", "false", "false", "false")

static char text[20000], found[20000];

/* Without blanks; ids are as the assembler numbers them, that is, in the order of their names. */
static const char *reflected(const char *head, const char *globals, uint32_t version)
{
	struct parsed p, again;
	size_t length, n = 0;
	int depth = 0;

	assert_true((size_t)snprintf(text, sizeof text, "%s%s\n%s%s\n%s", HEAD, head, TYPES, globals, MAIN) <
		    sizeof text);
	parse(&again, text);
	again.words[1] = version;
	p = again;
	p.m = (struct spb_module){.context = again.m.context};
	spb_module_release(&again.m);
	assert_false(caught(p.m.context, parse_words, &p));
	uint32_t *sizes = spb_type_sizes(&p.m, NULL, &p.m.keep);
	const char *json = spb_reflect_module(&p.m, sizes, &p.m.keep, &p.m.context->scratch, &length);
	assert_int_equal(strlen(json), length);
	for (const char *c = json; *c; c++) {
		if (!strchr(" \n\t", *c))
			found[n++] = *c;
		depth += *c == '{' || *c == '[' ? 1 : *c == '}' || *c == ']' ? -1 : 0;
	}
	found[n] = '\0';
	assert_int_equal(depth, 0);
	assert_string_equal(json + length - 2, "}\n");
	const char *types = strstr(found, "\"types\":");
	assert_true(!types || !strstr(types + 1, "\"types\":"));
	drop(&p);
	return found;
}

struct row {
	const char *head, *globals, *part; /* that the JSON has; with "!" before it: has not */
};

static void assert_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const bool without = *rows[i].part == '!';
		const char *json = reflected(rows[i].head, rows[i].globals, 0x10600);
		if ((strstr(json, rows[i].part + without) != NULL) == without)
			fail_msg("%s\n%s\nhas%s %s:\n%s", rows[i].head, rows[i].globals, without ? "" : " no",
				 rows[i].part + without, json);
	}
}

static void entry_points_have_modes(void **state)
{
	static const struct row rows[] = {
	    {"", "", "!entryPoints"},
	    {ENTRY("Vertex", "a", ""), "", POINTS(POINT("a", "vert"))},
	    {ENTRY("TessellationControl", "a", ""), "", POINTS(POINT("a", "tesc"))},
	    {ENTRY("TessellationEvaluation", "a", ""), "", POINTS(POINT("a", "tese"))},
	    {ENTRY("Geometry", "a", ""), "", POINTS(POINT("a", "geom"))},
	    {ENTRY("Fragment", "a", ""), "", POINTS(POINT("a", "frag"))},
	    {ENTRY("RayGenerationKHR", "a", ""), "", POINTS(POINT("a", "rgen"))},
	    {ENTRY("IntersectionKHR", "a", ""), "", POINTS(POINT("a", "rint"))},
	    {ENTRY("AnyHitKHR", "a", ""), "", POINTS(POINT("a", "rahit"))},
	    {ENTRY("ClosestHitKHR", "a", ""), "", POINTS(POINT("a", "rchit"))},
	    {ENTRY("MissKHR", "a", ""), "", POINTS(POINT("a", "rmiss"))},
	    {ENTRY("CallableKHR", "a", ""), "", POINTS(POINT("a", "rcall"))},
	    {ENTRY("Kernel", "a", ""), "", POINTS(POINT("a", "???"))},
	    {ENTRY("Vertex", "a", "") ENTRY("Fragment", "b", ""), "",
	     POINTS(POINT("a", "vert") "," POINT("b", "frag"))},
	    {RAW_POINT UNKNOWN("%main", "!9") ENTRY("Fragment", "b", ""), "",
	     POINTS(POINT("a", "vert") "," POINT("b", "frag"))},
	    {ENTRY("Fragment", "a", "") LOCAL_SIZE, "", POINTS(POINT("a", "frag"))},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE, "", POINTS(COMPUTE("a", "comp", PLAIN_GROUPS))},
	    {ENTRY("TaskNV", "a", "") LOCAL_SIZE, "", POINTS(COMPUTE("a", "task", PLAIN_GROUPS))},
	    {ENTRY("MeshNV", "a", "") LOCAL_SIZE, "", POINTS(COMPUTE("a", "mesh", PLAIN_GROUPS))},
	    {ENTRY("TaskEXT", "a", "") LOCAL_SIZE, "", POINTS(COMPUTE("a", "task", PLAIN_GROUPS))},
	    {ENTRY("MeshEXT", "a", "") LOCAL_SIZE, "", POINTS(COMPUTE("a", "mesh", PLAIN_GROUPS))},
	    /* sizes of workgroups: the last one, or by constants, or that of the built-in */
	    {ENTRY("GLCompute", "a", ""), "", GROUPS("0", "0", "0", "false", "false", "false")},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE "OpExecutionMode %main LocalSize 1 2 3\n", "",
	     GROUPS("1", "2", "3", "false", "false", "false")},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE "OpExecutionMode %main OriginUpperLeft\n", "", PLAIN_GROUPS},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE "OpExecutionMode %fn LocalSize 1 2 3\n", "", PLAIN_GROUPS},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE UNKNOWN("%main", "!7"), "", PLAIN_GROUPS},
	    {ENTRY("GLCompute", "a", "") "OpExecutionModeId %main LocalSizeId %c3 %c5 %c1\n", "",
	     GROUPS("3", "5", "1", "false", "false", "false")},
	    {ENTRY("GLCompute", "a", "") "OpExecutionModeId %main LocalSizeId %c3 %spec %c1\nOpDecorate %spec SpecId 9",
	     "", GROUPS("3", "9", "1", "false", "true", "false")},
	    {ENTRY("GLCompute", "a",
		   "") "OpExecutionModeId %main LocalSizeId %spec %c1 %spec\nOpDecorate %spec SpecId 9",
	     "", GROUPS("9", "1", "9", "true", "false", "true")},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE "OpDecorate %size BuiltIn WorkgroupSize",
	     "%u3 = OpTypeVector %uint 3\n%size = OpConstantComposite %u3 %c5 %c3 %c1\n",
	     GROUPS("5", "3", "1", "false", "false", "false")},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE "OpDecorate %size BuiltIn WorkgroupSize\nOpDecorate %spec SpecId 9",
	     "%u3 = OpTypeVector %uint 3\n%size = OpSpecConstantComposite %u3 %c5 %c3 %spec\n",
	     GROUPS("5", "3", "9", "false", "false", "true")},
	    {ENTRY("GLCompute", "a", "") "OpDecorate %spec SpecId 9\nOpDecorate %size BuiltIn WorkgroupSize",
	     "%u3 = OpTypeVector %uint 3\n%no = OpUndef %uint\n%size = OpSpecConstantComposite %u3 %no %c3 %spec\n",
	     GROUPS("0", "3", "9", "false", "false", "true")},
	    /* 25 is WorkgroupSize, and NonReadable; 11 is BuiltIn */
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE "OpDecorate %size SpecId 25",
	     "%u3 = OpTypeVector %uint 3\n%size = OpConstantComposite %u3 %c5 %c3 %c1\n", PLAIN_GROUPS},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE "OpMemberDecorate %size 11 NonReadable",
	     "%u3 = OpTypeVector %uint 3\n%size = OpConstantComposite %u3 %c5 %c3 %c1\n", PLAIN_GROUPS},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE "OpDecorate %size BuiltIn Position",
	     "%u3 = OpTypeVector %uint 3\n%size = OpConstantComposite %u3 %c5 %c3 %c1\n", PLAIN_GROUPS},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE "OpDecorate %size BuiltIn WorkgroupSize",
	     "%u3 = OpTypeVector %uint 2\n%size = OpConstantComposite %u3 %c5 %c3\n", PLAIN_GROUPS},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE "OpDecorate %size BuiltIn WorkgroupSize",
	     "%u3 = OpTypeVector %uint 4\n%size = OpConstantComposite %u3 %c5 %c3 %c1 %c1\n", PLAIN_GROUPS},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE "OpDecorate %size BuiltIn WorkgroupSize",
	     "%u3 = OpTypeVector %uint 3\n%size = OpSpecConstantOp %u3 CompositeInsert %c5 %c1 0\n", PLAIN_GROUPS},
	    {ENTRY("GLCompute", "a", "") LOCAL_SIZE "OpDecorate %size BuiltIn WorkgroupSize",
	     "%u3 = OpTypeVector %uint 3\n%size = OpConstantNull %u3\n", PLAIN_GROUPS},
	};

	(void)state;
	assert_rows(rows, SPB_COUNT(rows));
}

#define IMAGE(v, kind)        "%i = OpTypeImage " kind "\n" VARIABLE(v, UniformConstant, "%i")
#define PAIR(kind)            "%i = OpTypeImage " kind "\n%s = OpTypeSampledImage %i\n"
#define SAMPLED(v, kind)      PAIR(kind) VARIABLE(v, UniformConstant, "%s")
#define ONE(list, type, more) "\"" list "\":[{\"type\":\"" type "\",\"name\":\"v\"" more "}]"
#define NAMED                 "OpName %v \"v\"\n"
#define LISTED                ENTRY("Fragment", "name", "%v") NAMED

static void variables_are_in_lists(void **state)
{
	static const struct row rows[] = {
	    {LISTED, VARIABLE(v, Input, "%float"), ONE("inputs", "float", "")},
	    {LISTED, VARIABLE(v, Output, "%v4"), ONE("outputs", "vec4", "")},
	    {LISTED "OpDecorate %v Location 3\nOpDecorate %v Index 1", VARIABLE(v, Output, "%v4"),
	     ONE("outputs", "vec4", ",\"location\":3,\"index\":1")},
	    {NAMED, VARIABLE(v, Input, "%float"), "!inputs"},
	    {UNKNOWN("%v", "%v") NAMED, VARIABLE(v, Input, "%float"), "!inputs"},
	    {RAW_POINT UNKNOWN("%v", "%v") NAMED, VARIABLE(v, Input, "%float"), "!inputs"},
	    {UNKNOWN("%main", "%main") LISTED, "%v = OpVariable %float Input\n", "!inputs"},
	    {ENTRY("Fragment", "n", "%v") NAMED, VARIABLE(v, Input, "%float"), ONE("inputs", "float", "")},
	    {ENTRY("Fragment", "na", "%v") NAMED, VARIABLE(v, Input, "%float"), ONE("inputs", "float", "")},
	    {ENTRY("Fragment", "name5", "%v") NAMED, VARIABLE(v, Input, "%float"), ONE("inputs", "float", "")},
	    {LISTED "OpDecorate %v Offset 20", VARIABLE(v, Output, "%v4"), ONE("outputs", "vec4", ",\"offset\":20")},
	    {ENTRY("Fragment", "nam", "%w %v") NAMED, VARIABLE(v, Input, "%float") VARIABLE(w, Private, "%float"),
	     ONE("inputs", "float", "")},
	    {LISTED "OpDecorate %v BuiltIn Position", VARIABLE(v, Output, "%v4"), "!outputs"},
	    {LISTED "OpMemberDecorate %block 0 BuiltIn Position", VARIABLE(v, Output, "%block"), "!outputs"},
	    {LISTED "OpMemberDecorate %block 0 Location 0", VARIABLE(v, Output, "%block"),
	     "\"outputs\":[{\"type\":\"_"},
	    {LISTED "OpName %block \"B\"", VARIABLE(v, Output, "%block"), "\"name\":\"v\"}]"},
	    {LISTED "OpName %block \"B\"\nOpDecorate %block Block", VARIABLE(v, Output, "%block"), "\"name\":\"B\"}]"},
	    {LISTED "OpName %block \"B\"\nOpDecorate %block Block", VARIABLE(v, Input, "%block"), "\"name\":\"B\"}]"},
	    {LISTED, VARIABLE(v, Private, "%v4"), "!\"v\""},
	    {LISTED, VARIABLE(v, Uniform, "%block"), "!\"v\""},
	    {LISTED "OpDecorate %block Block", VARIABLE(v, Uniform, "%block"), "\"ubos\":[{"},
	    {LISTED "OpDecorate %block BufferBlock", VARIABLE(v, Uniform, "%block"), "\"ssbos\":[{"},
	    {LISTED "OpDecorate %block Block", VARIABLE(v, StorageBuffer, "%block"), "\"ssbos\":[{"},
	    {LISTED "OpDecorate %block Block\nOpDecorate %v DescriptorSet 4\nOpDecorate %v Binding 5",
	     VARIABLE(v, PushConstant, "%block"), "\"name\":\"v\",\"push_constant\":true}]"},
	    {LISTED
	     "OpName %block \"B\"\nOpDecorate %block Block\nOpDecorate %v DescriptorSet 4\nOpDecorate %v Binding 5\n"
	     "OpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 1 Offset 16",
	     VARIABLE(v, Uniform, "%block"), "\"name\":\"B\",\"block_size\":32,\"set\":4,\"binding\":5}]"},
	    {"OpDecorate %block Block", VARIABLE(v, Uniform, "%block"),
	     "!\"ubos\""}, /* SPIR-V 1.4 and later lists all */
	    /* images */
	    {LISTED, IMAGE(v, "%float 2D 0 0 0 1 Unknown"), ONE("separate_images", "texture2D", "")},
	    {LISTED, IMAGE(v, "%uint 1D 0 1 0 1 Unknown"), ONE("separate_images", "utexture1DArray", "")},
	    {LISTED, IMAGE(v, "%int 2D 1 0 1 1 Unknown"), ONE("separate_images", "itexture2DMS", "")},
	    {LISTED, IMAGE(v, "%float Buffer 0 0 0 1 Unknown"), ONE("separate_images", "samplerBuffer", "")},
	    {LISTED, IMAGE(v, "%float Buffer 0 0 0 2 R32f"), ONE("images", "imageBuffer", ",\"format\":\"r32f\"")},
	    {LISTED, IMAGE(v, "%float 2D 0 0 0 2 Unknown"), ONE("images", "image2D", "")},
	    {LISTED, IMAGE(v, "%float !4173 !0 !0 !0 !2 !0"), ONE("images", "image2D", "")}, /* TileImageDataEXT */
	    {LISTED, IMAGE(v, "%float Cube 0 1 0 2 Rgba8Snorm"),
	     ONE("images", "imageCubeArray", ",\"format\":\"rgba8_snorm\"")},
	    {LISTED, IMAGE(v, "%uint 3D 0 0 0 2 Rgb10a2ui"), ONE("images", "uimage3D", ",\"format\":\"rgb10_a2ui\"")},
	    {LISTED, IMAGE(v, "%float Rect 0 0 0 2 R11fG11fB10f"),
	     ONE("images", "image2DRect", ",\"format\":\"r11f_g11f_b10f\"")},
	    {LISTED, IMAGE(v, "%float 2D 0 0 0 1 R32f"), ONE("separate_images", "texture2D", "")},
	    {LISTED, IMAGE(v, "%float !7 !0 !0 !0 !2 !0"), ONE("images", "image2D", "")},
	    {LISTED "OpDecorate %v InputAttachmentIndex 6", IMAGE(v, "%float SubpassData 0 0 0 2 Unknown"),
	     ONE("subpass_inputs", "subpassInput", ",\"input_attachment_index\":6")},
	    {LISTED, IMAGE(v, "%int SubpassData 0 0 1 2 Unknown"), ONE("subpass_inputs", "isubpassInputMS", "")},
	    {LISTED, SAMPLED(v, "%float 2D 1 0 0 1 Unknown"), ONE("textures", "sampler2DShadow", "")},
	    {LISTED, SAMPLED(v, "%float 2D 1 1 0 1 Unknown"), ONE("textures", "sampler2DArrayShadow", "")},
	    {LISTED, SAMPLED(v, "%float 2D 2 0 0 1 Unknown"), ONE("textures", "sampler2D", "")},
	    {LISTED, SAMPLED(v, "%float 2D 0 0 0 2 Unknown"), ONE("textures", "sampler2D", "")},
	    {LISTED, "%s = OpTypeSampler\n" VARIABLE(v, UniformConstant, "%s"),
	     ONE("separate_samplers", "sampler", "")},
	    {LISTED, "%s = OpTypeAccelerationStructureKHR\n" VARIABLE(v, UniformConstant, "%s"),
	     ONE("acceleration_structures", "accelerationStructureEXT", "")},
	    {LISTED, VARIABLE(v, UniformConstant, "%float"), "!\"v\""},
	    /* arrays: the innermost dimension first */
	    {LISTED, "%a = OpTypeArray %float %c3\n%b = OpTypeArray %a %c5\n" VARIABLE(v, Input, "%b"),
	     ONE("inputs", "float", ",\"array\":[3,5],\"array_size_is_literal\":[true,true]")},
	    {LISTED,
	     "%a = OpTypeArray %float %c1\n%b = OpTypeArray %a %c3\n%c = OpTypeArray %b %c5\n" VARIABLE(v, Input, "%c"),
	     ONE("inputs", "float", ",\"array\":[1,3,5],\"array_size_is_literal\":[true,true,true]")},
	    {LISTED,
	     "%a = OpTypeArray %float %c1\n%b = OpTypeArray %a %c3\n%c = OpTypeArray %b %c5\n%d = OpTypeArray %c "
	     "%c3\n" VARIABLE(v, Input, "%d"),
	     ONE("inputs", "float", ",\"array\":[1,3,5,3],\"array_size_is_literal\":[true,true,true,true]")},
	    {LISTED, "%s = OpTypeSampler\n%a = OpTypeRuntimeArray %s\n" VARIABLE(v, UniformConstant, "%a"),
	     ONE("separate_samplers", "sampler", ",\"array\":[0],\"array_size_is_literal\":[true]")},
	    {LISTED "OpName %spec \"n\"",
	     "%a = OpTypeArray %float %c5\n%b = OpTypeArray %a %spec\n" VARIABLE(v, Input, "%b"),
	     ONE("inputs", "float", ",\"array\":[5,3],\"array_size_is_literal\":[true,false]")},
	    {LISTED "OpName %spec \"n\"",
	     "%a = OpTypeArray %float %spec\n%b = OpTypeArray %a %c5\n" VARIABLE(v, Input, "%b"),
	     ONE("inputs", "float", ",\"array\":[3,5],\"array_size_is_literal\":[false,true]")},
	    /* qualifiers, of the variable or of all members */
	    {LISTED "OpDecorate %v NonReadable\nOpDecorate %v Restrict\nOpDecorate %v Coherent\nOpDecorate %v Volatile",
	     IMAGE(v, "%float 2D 0 0 0 2 Unknown"),
	     ONE("images", "image2D", ",\"writeonly\":true,\"restrict\":true,\"coherent\":true,\"volatile\":true")},
	    {LISTED "OpDecorate %v NonWritable", IMAGE(v, "%float 2D 0 0 0 2 Unknown"),
	     ONE("images", "image2D", ",\"readonly\":true")},
	    {LISTED "OpMemberDecorate %block 0 NonWritable\nOpMemberDecorate %block 1 NonWritable",
	     VARIABLE(v, StorageBuffer, "%block"), "\"name\":\"v\",\"readonly\":true,"},
	    {LISTED "OpMemberDecorate %block 1 NonWritable", VARIABLE(v, StorageBuffer, "%block"), "!readonly"},
	    {LISTED "OpMemberDecorate %block 0 NonReadable\nOpMemberDecorate %block 1 NonReadable",
	     VARIABLE(v, StorageBuffer, "%block"), "\"name\":\"v\",\"writeonly\":true,\"block_size\""},
	    {LISTED "OpMemberDecorate %block 0 Volatile\nOpMemberDecorate %block 1 Volatile",
	     VARIABLE(v, StorageBuffer, "%block"), "\"name\":\"v\",\"volatile\":true,\"block_size\""},
	    {LISTED
	     "OpDecorate %block Block\nOpMemberDecorate %block 0 NonWritable\nOpMemberDecorate %block 1 NonWritable",
	     VARIABLE(v, Uniform, "%block"), "!readonly"},
	    /* names of buffers */
	    {LISTED "OpName %block \"B\"", VARIABLE(v, StorageBuffer, "%block"), "\"name\":\"B\",\"block_size\""},
	    {ENTRY("Fragment", "m", "%v %w") "OpSource HLSL 600\n" NAMED "OpName %block \"B\"\n",
	     VARIABLE(v, StorageBuffer, "%block") VARIABLE(w, Private, "%block"), "\"name\":\"v\",\"block_size\""},
	    {ENTRY("Fragment", "m", "%v %w") NAMED "OpName %w \"w\"\nOpName %block \"B\"\n",
	     VARIABLE(v, StorageBuffer, "%block") VARIABLE(w, StorageBuffer, "%block"),
	     "\"name\":\"w\",\"block_size\""},
	    {ENTRY("Fragment", "m", "%v %w") "OpSource GLSL 450\n" NAMED "OpName %w \"w\"\nOpName %block \"B\"\n",
	     VARIABLE(v, StorageBuffer, "%block") VARIABLE(w, StorageBuffer, "%block"), "!\"w\""},
	    {ENTRY("Fragment", "m", "%v %w") "OpSource ESSL 310\n" NAMED "OpName %w \"w\"\nOpName %block \"B\"\n",
	     VARIABLE(v, StorageBuffer, "%block") VARIABLE(w, StorageBuffer, "%block"), "!\"w\""},
	    {ENTRY("Fragment", "m", "%v %w") NAMED "OpName %w \"w\"\nOpName %block \"B\"\nOpDecorate %block Block",
	     VARIABLE(v, Uniform, "%block") VARIABLE(w, Uniform, "%block"), "!\"w\""},
	    {ENTRY("Fragment", "m", "%v %w") NAMED "OpName %w \"w\"\nOpName %block \"B\"\n",
	     VARIABLE(v, StorageBuffer, "%block") "%t = OpTypeStruct %uint\n" VARIABLE(w, StorageBuffer, "%t"),
	     "\"name\":\"w\",\"block_size\""},
	    {ENTRY("Fragment", "m", "%v") "OpName %main \"m\"\nOpDecorate %block Block", VARIABLE(v, Uniform, "%block"),
	     "\"name\":\"_3_2\",\"block_size\""},
	    {ENTRY("Fragment", "m", "%v"), "%s = OpTypeSampler\n" VARIABLE(v, UniformConstant, "%s"),
	     "\"name\":\"_2\""},
	};

	(void)state;
	assert_rows(rows, SPB_COUNT(rows));
}

/* SPIR-V 2.17, OpEntryPoint: from 1.4 on, interfaces list all variables; before, inputs and outputs only. */
static void versions_list_more_or_less(void **state)
{
	static const char notes[] = "OpEntryPoint Vertex %main \"main\"\nOpDecorate %block Block\n",
			  variables[] =
			      VARIABLE(v, Uniform, "%block") VARIABLE(w, Output, "%v4") VARIABLE(x, Input, "%v4");

	(void)state;
	assert_non_null(strstr(reflected(notes, variables, 0x10000), "\"ubos\""));
	assert_non_null(strstr(reflected(notes, variables, 0x10300), "\"ubos\""));
	/* the block is number 2, which is Uniform; the pointer to it is no variable of that class */
	assert_null(strstr(strstr(found, "\"block_size\"") + 1, "\"block_size\""));
	assert_null(strstr(reflected(notes, variables, 0x10400), "\"ubos\""));
	assert_null(strstr(reflected(notes, variables, 0x10000), "puts\""));
}

/* Once in full, then by its number if it is long. */
static void long_names_are_said_once(void **state)
{
	(void)state;
	for (int length = 1022; length < 1026; length++) {
		char notes[3000], name[1100] = "";
		memset(name, 'n', (size_t)length);
		snprintf(notes, sizeof notes, "%sOpName %%block \"%s\"\nOpDecorate %%block Block\n",
			 ENTRY("Vertex", "m", "%v"), name);
		const char *json = reflected(notes, VARIABLE(v, Uniform, "%block"), 0x10600),
			   *first = strstr(json, name);
		assert_non_null(first);
		assert_int_equal(strstr(first + length, name) != NULL, length <= 1023);
		assert_int_equal(strstr(json, "\"name\":\"_3\"") != NULL, length > 1023);
	}
}

/* clang-format off */
#define M(i, type)          "{\"name\":\"_m" #i "\",\"type\":\"" type "\"}"
#define WITH(i, type, more) "{\"name\":\"_m" #i "\",\"type\":\"" type "\"," more "}"
#define X                   "OpName %x \"x\"\n"
#define POINTER(p, type)    "%" #p " = OpTypePointer PhysicalStorageBuffer " type "\n"
#define MANY_UINTS          "%a = OpTypeRuntimeArray %uint\n" POINTER(p, "%a")
#define UINTS               "OpName %a \"A\"\nOpDecorate %a ArrayStride 8", MANY_UINTS
static void types_are_those_of_glsl(void **state)
{
	static const struct row rows[] = {
	    {"", "", "\"types\":{\"_"},
	    {"OpName %block \"B\"\n", "", "\"_1\":{\"name\":\"B\",\"members\":[" M(0, "float") "," M(1, "vec4") "]}"},
	    {"OpName %block \"B\"\nOpMemberName %block 1 \"b\"\nOpMemberName %block 0 \"\"\n"
	     "OpMemberDecorate %block 1 Offset 16\nOpMemberDecorate %block 0 Offset 0", "",
	     "[" WITH(0, "float", "\"offset\":0") ",{\"name\":\"b\",\"type\":\"vec4\",\"offset\":16}]"},
	    {X "OpMemberDecorate %x 0 RowMajor\nOpMemberDecorate %x 0 MatrixStride 16\n"
	     "OpMemberDecorate %x 1 Location 7\n"
	     "OpDecorate %a ArrayStride 32",
	     "%m = OpTypeMatrix %v4 3\n%a = OpTypeArray %m %c3\n%x = OpTypeStruct %a %uint\n",
	     WITH(0, "mat3x4", "\"row_major\":true,\"array\":[3],\"array_size_is_literal\":[true],\"array_stride\":32,"
	     "\"matrix_stride\":16") "," WITH(1, "uint", "\"location\":7")},
	    {X, "%m = OpTypeMatrix %v4 4\n%x = OpTypeStruct %m %bool %double\n", M(0, "mat4") "," M(1, "bool") ","
	     M(2, "double")},
	    {X, "%d3 = OpTypeVector %double 3\n%m = OpTypeMatrix %d3 2\n%b2 = OpTypeVector %bool 2\n"
	     "%u2 = OpTypeVector %uint 2\n"
	     "%i2 = OpTypeVector %int 2\n%x = OpTypeStruct %m %d3 %b2 %u2 %i2\n",
	     M(0, "dmat2x3") "," M(1, "dvec3") "," M(2, "bvec2") "," M(3, "uvec2") "," M(4, "ivec2")},
	    {X, "%i8 = OpTypeInt 8 1\n%u8 = OpTypeInt 8 0\n%i16 = OpTypeInt 16 1\n%u16 = OpTypeInt 16 0\n"
	     "%i64 = OpTypeInt 64 1\n"
	     "%u64 = OpTypeInt 64 0\n"
	     "%half = OpTypeFloat 16\n"
	     "%x = OpTypeStruct %i8 %u8 %i16 %u16 %i64 %u64 %half %int\n",
	     M(0, "int8_t") "," M(1, "uint8_t") "," M(2, "int16_t") "," M(3, "uint16_t") "," M(4, "int64_t") ","
	     M(5, "uint64_t") "," M(6, "float16_t") "," M(7, "int")},
	    {X, "%i8 = OpTypeInt 8 1\n%u8 = OpTypeInt 8 0\n%i16 = OpTypeInt 16 1\n%u64 = OpTypeInt 64 0\n"
	     "%half = OpTypeFloat 16\n"
	     "%a = OpTypeVector %i8 2\n%b = OpTypeVector %u8 2\n%c = OpTypeVector %i16 2\n%d = OpTypeVector %u64 2\n"
	     "%e = OpTypeVector %half 2\n%x = OpTypeStruct %a %b %c %d %e\n",
	     M(0, "i8vec2") "," M(1, "u8vec2") "," M(2, "i16vec2") "," M(3, "u64vec2") "," M(4, "f16vec2")},
	    {"OpName %block \"B\"\n" X, "%a = OpTypeArray %block %c5\n%x = OpTypeStruct %a %block\n",
	     WITH(0, "_1", "\"array\":[5],\"array_size_is_literal\":[true]") "," M(1, "_1")},
	    /* pointers to memory */
	    {"OpName %block \"B\"\n" X, POINTER(p, "%block") "%x = OpTypeStruct %p\n", WITH(0, "_1",
	     "\"physical_pointer\":true")},
	    {"OpName %v4 \"V\"\n" X, POINTER(p, "%v4") "%x = OpTypeStruct %p\n", WITH(0, "_1",
	     "\"physical_pointer\":true")},
	    {"OpName %v4 \"V\"\n", POINTER(p, "%v4") POINTER(q, "%v4"), "\"_1\":{\"name\":\"vec4\",\"members\":[]}}"},
	    {"OpName %v4 \"V\"\n", POINTER(p, "%v4") POINTER(q, "%v4"), "!\"members\":[]},\"_1\""},
	    {"OpName %v4 \"V\"\n", "%p = OpTypePointer Private %v4\n", "!\"_1\""},
	    {X, "%p = OpTypePointer Private %v4\n%x = OpTypeStruct %p\n", M(0, "vec4") "]"},
	    {"OpName %float \"F\"\n", "%a = OpTypeArray %float %c3\n", "!\"_1\":"},
	    {"OpName %p \"P\"\n", POINTER(p, "%block"), "!\"_1\":"},
	    {"OpName %p \"P\"\nOpName %block \"B\"\n",
	     "%u2 = OpTypeVector %uint 2\n" POINTER(p, "%block") "%a = OpTypeArray %p %c3\n",
	     "\"_1\":{\"name\":\"B\",\"type\":\"_2\",\"physical_pointer\":true}"},
	    {UINTS, "\"_1\":{\"name\":\"uint\",\"array\":[0],\"array_size_is_literal\":[true],\"type\":\"_"},
	    {UINTS, "\"array_stride\":8}"},
	    {"OpName %p \"P\"\nOpName %block \"B\"\n", POINTER(p, "%block") "%a = OpTypeArray %p %c3\n",
	     "\"_1\":{\"name\":\"B\",\"type\":\"_2\",\"physical_pointer\":true}"},
	    {"OpName %p \"P\"\n" X, POINTER(p, "%block") "%a = OpTypeArray %p %c3\n%x = OpTypeStruct %a\n",
	     WITH(0, "_1", "\"array\":[3],\"array_size_is_literal\":[true]")},
	    /* what only looks like a decoration: '#' is Offset */
	    {"OpName %block \"abcd#\"\nOpName %block \"b\"", "", "\"name\":\"abcd#\",\"members\":[" M(0, "float")},
	    {"OpDecorate %block SpecId 35", "", "\"members\":[" M(0, "float") "," M(1, "vec4") "]"},
	    {"OpMemberDecorate %block 2 Offset 4", "", "!offset"},
	    /* each struct has its own notes */
	    {X "OpMemberName %y 0 \"q\"\n", "%x = OpTypeStruct %float\n%y = OpTypeStruct %uint\n",
	     "\"_1\":{\"name\":\"x\",\"members\":[" M(0, "float") "]}"},
	    {X "OpMemberName %y 0 \"q\"\n", "%x = OpTypeStruct %float\n%y = OpTypeStruct %uint\n",
	     "\"_2\":{\"name\":\"_2\",\"members\":[{\"name\":\"q\",\"type\":\"uint\"}]}"},
	    /* types that variables rarely have */
	    {LISTED, "%q = OpTypeRayQueryKHR\n" VARIABLE(v, Input, "%q"), ONE("inputs", "rayQueryEXT", "")},
	    {LISTED "OpName %block \"B\"",
	     "%u2 = OpTypeVector %uint 2\n%p = OpTypePointer Private %block\n" VARIABLE(v, Input, "%p"),
	     ONE("inputs", "B", "")},
	    {LISTED "OpName %void \"\"", VARIABLE(v, Input, "%void"), ONE("inputs", "_3", "")},
	    {LISTED "OpName %m \"M\"", "%m = OpTypeMatrix %float 3\n" VARIABLE(v, Input, "%m"), ONE("inputs", "M", "")},
	};

	(void)state;
	assert_rows(rows, SPB_COUNT(rows));
}
/* clang-format on */

/* Of arrays with more dimensions than structures may be nested, the outer ones are said; the rest is a type. */
static void dimensions_are_cut(void **state)
{
	enum { MOST = 255 };
	static char types[16000], wanted[1000];

	(void)state;
	for (int count = MOST - 1; count <= MOST + 1; count++) {
		size_t n = (size_t)sprintf(types, "%%a0 = OpTypeArray %%float %%c3\n");
		for (int i = 1; i < count; i++)
			n += (size_t)sprintf(types + n, "%%a%d = OpTypeArray %%a%d %%c1\n", i, i - 1);
		sprintf(types + n, "%%p = OpTypePointer Input %%a%d\n%%v = OpVariable %%p Input\n", count - 1);
		n = (size_t)sprintf(wanted, "{\"type\":\"%s\",\"name\":\"v\",\"array\":[%d",
				    count > MOST ? "rest" : "float", count > MOST ? 1 : 3);
		for (int i = 1; i < count && i < MOST; i++)
			n += (size_t)sprintf(wanted + n, ",1");
		sprintf(wanted + n, "],");
		assert_non_null(strstr(reflected(LISTED "OpName %a0 \"rest\"\n", types, 0x10600), wanted));
	}
}

#define CONSTANT(name, id, type, number, value)                                                                        \
	"{\"name\":\"" name "\",\"id\":" id ",\"type\":\"" type "\",\"variable_id\":" number                           \
	",\"default_value\":" value "}"

#define N         "OpName %n \"n\"\nOpDecorate %n SpecId 0"
#define RAW(word) "!262194 %h %n" word "\n" /* OpSpecConstant */

static void constants_have_defaults(void **state)
{
	static const struct row rows[] = {
	    {"", "", "!specialization_constants"},
	    {"OpName %spec \"s\"\nOpDecorate %spec SpecId 7", "",
	     "\"specialization_constants\":[" CONSTANT("s", "7", "uint", "1", "4") "]"},
	    {"OpName %t \"t\"\nOpName %f \"f\"\nOpDecorate %t SpecId 1\nOpDecorate %f SpecId 2",
	     "%t = OpSpecConstantTrue %bool\n%f = OpSpecConstantFalse %bool\n",
	     "[" CONSTANT("t", "1", "bool", "1", "true") "," CONSTANT("f", "2", "bool", "2", "false") "]"},
	    {"OpName %n \"\"\nOpDecorate %n SpecId 0", "%n = OpSpecConstant %int -5\n",
	     CONSTANT("", "0", "int", "1", "-5")},
	    {"OpName %n \"n\"\nOpDecorate %n SpecId 0", "%n = OpSpecConstant %float 0.1\n",
	     CONSTANT("n", "0", "float", "1", "0.1")},
	    {"OpName %n \"n\"\nOpDecorate %n SpecId 0", "%n = OpSpecConstant %double 0.1\n",
	     CONSTANT("n", "0", "double", "1", "0.1")},
	    {"OpName %n \"n\"\nOpDecorate %n SpecId 0", "%h = OpTypeFloat 16\n%n = OpSpecConstant %h -1.5\n",
	     CONSTANT("n", "0", "float16_t", "1", "-1.5")},
	    {"OpName %n \"n\"\nOpDecorate %n SpecId 0",
	     "%h = OpTypeInt 64 0\n%n = OpSpecConstant %h 18446744073709551615\n",
	     CONSTANT("n", "0", "uint64_t", "1", "18446744073709551615")},
	    {"OpName %n \"n\"\nOpDecorate %n SpecId 0", "%n = OpSpecConstantOp %uint IAdd %c1 %c3\n",
	     "!specialization_constants"},
	    /* widths that no integer has, and bits beyond the width */
	    {N, "%h = OpTypeInt 8 0\n" RAW(" !511"), CONSTANT("n", "0", "uint8_t", "1", "255")},
	    {N, "%h = OpTypeInt 8 1\n" RAW(" !511"), CONSTANT("n", "0", "int8_t", "1", "-1")},
	    {N, "%h = OpTypeInt 1 0\n" RAW(" !3"), CONSTANT("n", "0", "uint", "1", "1")},
	    {N, "%h = OpTypeInt 0 0\n" RAW(" !3"), CONSTANT("n", "0", "uint", "1", "null")},
	    {N, "%h = OpTypeInt 65 0\n" RAW(" !3"), CONSTANT("n", "0", "uint", "1", "null")},
	    {N, "%h = OpTypeInt 64 0\n" RAW(" !3"), CONSTANT("n", "0", "uint64_t", "1", "3")},
	    {N, "%h = OpTypeInt 64 0\n!327730 %h %n !3 !1\n", CONSTANT("n", "0", "uint64_t", "1", "4294967299")},
	    {N, "%h = OpTypeFloat 8\n" RAW(" !1065353216"), CONSTANT("n", "0", "float", "1", "1")},
	    {N, "%h = OpTypeFloat 16\n" RAW(" !81920"), CONSTANT("n", "0", "float16_t", "1", "2")},
	    {N, "%h = OpTypeBool\n" RAW(" !3"), CONSTANT("n", "0", "bool", "1", "null")},
	};

	(void)state;
	assert_rows(rows, SPB_COUNT(rows));
}

/* The shortest decimals that are read back; each was checked with Python. */
static void floats_are_short(void **state)
{
	static const struct {
		unsigned width;
		uint64_t bits;
		const char *text;
	} rows[] = {
	    {32, 0x00000000, "0"},
	    {32, 0x80000000, "-0"},
	    {32, 0x3F800000, "1"},
	    {32, 0xBF800000, "-1"},
	    {32, 0x3DCCCCCD, "0.1"},
	    {32, 0x3EAAAAAB, "0.33333334"},
	    {32, 0x4C8C0396, "73407660"}, /* as far from the one below, which is read as this one, since it is even */
	    {16, 0x6C04, "4110"},
	    {16, 0x6C08, "4130"},
	    {16, 0x6C03, "4108"}, /* an odd one is not read at such a place, above or below */
	    {16, 0x6C09, "4132"},
	    {16, 0x0004, "2.4e-7"},
	    {16, 0x0009, "5.4e-7"},
	    {16, 0x0C00, "0.0002441"},
	    {16, 0x2000, "0.007813"}, /* powers of two, whose neighbours below are nearer */
	    {32, 0x21800000, "8.6736174e-19"},
	    {32, 0x0F800000, "1.2621775e-29"}, /* above, though one below has as few digits, and is nearer */
	    {32, 0x7F7FFFFF, "3.4028235e+38"},
	    {32, 0x00000001, "1e-45"},
	    {32, 0x00800000, "1.1754944e-38"},
	    {32, 0x007FFFFF, "1.1754942e-38"},
	    {32, 0x7F800000, "null"},
	    {32, 0xFF800000, "null"},
	    {32, 0x7FC00000, "null"},
	    {32, 0x4B800000, "16777216"},
	    {32, 0x42280000, "42"},
	    {32, 0x41200000, "10"},
	    {32, 0x4119999A, "9.6"},
	    {32, 0x37A7C5AC, "0.00002"},
	    {32, 0x3727C5AC, "0.00001"},
	    {32, 0x3727C5AB, "9.999999e-6"},
	    {32, 0x3586BD4D, "1.0038872e-6"},
	    {32, 0x5A0E1BCA, "1e+16"},
	    {32, 0x5B31A2BC, "5e+16"},
	    {64, 0x3FB999999999999A, "0.1"},
	    {64, 0x3FF0000000000000, "1"},
	    {64, 0x7FEFFFFFFFFFFFFF, "1.7976931348623157e+308"},
	    {64, 0x0000000000000001, "5e-324"},
	    {64, 0x0010000000000000, "2.2250738585072014e-308"},
	    {64, 0x7FF0000000000000, "null"},
	    {64, 0xC05EC00000000000, "-123"},
	    {64, 0x4341C37937E08000, "1e+16"},
	    {64, 0x430C6BF526340000, "1000000000000000"},
	    {64, 0x4376345785D8A000, "1e+17"},
	    {16, 0x0400, "0.00006104"},
	    {16, 0x0800, "0.0001221"},
	    {32, 0x01000000, "2.3509887e-38"},
	    {64, 0x0020000000000000, "4.450147717014403e-308"},
	    {16, 0x3C00, "1"},
	    {16, 0x2E66, "0.1"},
	    {16, 0x7BFF, "65500"},
	    {16, 0x0001, "6e-8"},
	    {16, 0x7C00, "null"},
	    {16, 0xC000, "-2"},
	    {16, 0x8000, "-0"},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		spb_context *context;
		assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
		struct spb_json j = {.text = {.arena = &context->scratch}};
		spb_reflect_float(&j, rows[i].bits, rows[i].width);
		assert_string_equal(spb_text_end(&j.text), rows[i].text);
		spb_context_destroy(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(entry_points_have_modes),    cmocka_unit_test(variables_are_in_lists),
	    cmocka_unit_test(versions_list_more_or_less), cmocka_unit_test(long_names_are_said_once),
	    cmocka_unit_test(types_are_those_of_glsl),    cmocka_unit_test(constants_have_defaults),
	    cmocka_unit_test(floats_are_short),           cmocka_unit_test(dimensions_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
