/* SPDX-License-Identifier: Apache-2.0 */
/* Who refers to the resources of one module (analysis/resources): accesses, calls, pointers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "accessed.h"
#include "pass/waterfall/loops.h"

/* accesses */

/* SPIRV-Tools of Debian 12 does not know untyped pointers. */
#define UNTYPED_POINTER "!0x00031141 %uptr !12\n!0x00031141 %own_uptr !6\n"
#define UNTYPED(name)   "!0x00051142 %uptr " name " !12 "
#define VARIABLES                                                                                                      \
	"%images_v = OpVariable %p_images UniformConstant\n%one_v = OpVariable %p_image UniformConstant\n"             \
	"%many_v = OpVariable %p_many UniformConstant\n%some_v = OpVariable %p_some UniformConstant\n"                 \
	"%block_v = OpVariable %p_block StorageBuffer\n%blocks_v = OpVariable %p_blocks StorageBuffer\n"               \
	"%own_v = OpVariable %p_own Private\n%own_one = OpVariable %p_one Private\n%i = OpUndef %uint\n"               \
	"%differs = OpUndef %uint\n"

static void put_access(char *out, size_t size, const struct spb_module *m, const struct spb_variables *v,
		       const struct spb_access *a)
{
	size_t length = strlen(out);

	length += (size_t)snprintf(out + length, size - length, "%u %s", a->line, v->items[a->variable].name);
	if (a->index_id)
		length += (size_t)snprintf(out + length, size - length, "[%s]", spb_id_name(m, a->index_id));
	if (a->constant)
		length += (size_t)snprintf(out + length, size - length, "=%u", a->index);
	snprintf(out + length, size - length, "%s\n", a->non_uniform ? " differs" : "");
}

#define ACCESS_NAMES                                                                                                   \
	"%file = OpString \"f\"\nOpName %images_v \"images\"\nOpName %one_v \"one\"\nOpName %many_v \"many\"\n"        \
	"OpName %block_v \"block\"\nOpName %blocks_v \"blocks\"\nOpName %ut \"untyped\"\nOpName %uts \"untypeds\"\n"   \
	"OpName %other_v \"other\"\nOpName %i \"i\"\nOpName %differs \"d\"\nOpName %c0 \"c0\"\nOpName %c1 \"c1\"\n"    \
	"OpName %c2 \"c2\"\nOpName %spec \"spec\"\nOpDecorate %differs NonUniform\nOpDecorate %marked NonUniform\n"    \
	"OpDecorate %x20 NonUniform\nOpDecorate %blocks_v Aliased\n"
#define ACCESS_MAIN                                                                                                    \
	"OpLine %file 1 0\n%x1 = OpAccessChain %p_image %images_v %c2\n"                                               \
	"OpLine %file 2 0\n%x2 = OpInBoundsAccessChain %p_image %images_v %i\n"                                        \
	"OpLine %file 3 0\n%x3 = OpLoad %image %one_v\n"                                                               \
	"OpLine %file 4 0\n%x4 = OpLoad %images %images_v\n" /* of which descriptor? */                                \
	"OpLine %file 5 0\n%x5 = OpAccessChain %p_image %many_v %differs\n"                                            \
	"OpLine %file 6 0\n%marked = OpAccessChain %p_image %many_v %i\n"                                              \
	"OpLine %file 7 0\n%x7 = OpAccessChain %p_float %block_v %c1\n"                                                \
	"OpLine %file 8 0\n%x8 = OpAccessChain %p_float %blocks_v %c1 %c0\n"                                           \
	"OpLine %file 9 0\n%x9 = OpImageTexelPointer %p_texel %one_v %c0 %c0\n"                                        \
	"OpLine %file 10 0\n%x10 = OpArrayLength %uint %block_v 0\n"                                                   \
	"OpLine %file 11 0\n%x11 = OpAccessChain %p_image %images_v %spec\n"                                           \
	"OpLine %file 12 0\n!0x00061143 %uptr %x12 %block %ut %c1\n"                                                   \
	"OpLine %file 13 0\n!0x00071143 %uptr %x13 %blocks %uts %c1 %c0\n"                                             \
	"OpLine %file 14 0\n!0x00061149 %uint %x14 %block %ut !0\n"                                                    \
	"OpLine %file 15 0\n%x15 = OpLoad %image %own_one\n%y15 = OpAccessChain %p_one %own_v %c1\n"                   \
	"OpLine %file 16 0\n%x16 = OpAccessChain %p_float %x8\n"                                                       \
	"OpLine %file 17 0\n%x17 = OpAccessChain %p_images %images_v\n"                                                \
	"OpLine %file 18 0\n%x18 = OpFunctionCall %void %f %images_v %c1 %one_v\n"                                     \
	"OpLine %file 19 0\n!0x00061143 %uptr %x19 %block %uncertain %c1\n"                                            \
	"!0x00061143 %uptr %y19 %block %own_ut %c1\n"                                                                  \
	"OpLine %file 20 0\n%x20 = OpLoad %image %one_v\n"                                                             \
	"OpLine %file 21 0\n!0x00071144 %uptr %x21 %blocks %uts %c2 %c0\n"                                             \
	"OpLine %file 22 0\nOpStore %block_v %x3\n"                                                                    \
	"OpLine %file 23 0\n!0x00071406 %p_texel %x23 %image %one_v %c0 %c0\n"
/* f and g call each other, h calls itself; one call has an argument too few, one has one too many. */
#define ACCESS_FUNCTIONS                                                                                               \
	"%f = OpFunction %void None %takes\n%f_all = OpFunctionParameter %p_images\n"                                  \
	"%f_n = OpFunctionParameter %uint\n%f_one = OpFunctionParameter %p_image\n%f0 = OpLabel\n"                     \
	"OpLine %file 30 0\n%z30 = OpAccessChain %p_image %f_all %f_n\n"                                               \
	"OpLine %file 31 0\n%z31 = OpLoad %image %f_one\n"                                                             \
	"OpLine %file 32 0\n%z32 = OpFunctionCall %void %g %f_all %c1 %z30\n"                                          \
	"%z33 = OpFunctionCall %void %g %f_all %c1 %f_one\nOpReturn\nOpFunctionEnd\n"                                  \
	"%g = OpFunction %void None %takes\n%g_all = OpFunctionParameter %p_images\n"                                  \
	"%g_n = OpFunctionParameter %uint\n%g_one = OpFunctionParameter %p_image\n%g0 = OpLabel\n"                     \
	"OpLine %file 40 0\n%z40 = OpLoad %image %g_one\n"                                                             \
	"OpLine %file 41 0\n%z41 = OpFunctionCall %void %f %g_all %c1 %g_one\n"                                        \
	"OpLine %file 42 0\n%z42 = OpFunctionCall %void %f %g_all %c1 %other_v\nOpReturn\nOpFunctionEnd\n"             \
	"%h = OpFunction %void None %takes1\n%h_b = OpFunctionParameter %p_block\n%h0 = OpLabel\n"                     \
	"OpLine %file 50 0\n%z50 = OpAccessChain %p_float %h_b %c0\n"                                                  \
	"%z51 = OpFunctionCall %void %h %h_b\n%z52 = OpFunctionCall %void %h %block_v\n"                               \
	"%z53 = OpFunctionCall %void %h %block_v %other_v\n%z54 = OpFunctionCall %void %last_f %c1\n"                  \
	"OpReturn\nOpFunctionEnd\n"                                                                                    \
	"%last_f = OpFunction %void None %takes\n%k_one = OpFunctionParameter %p_image\n"                              \
	"%k_n = OpFunctionParameter %uint\n%k_more = OpFunctionParameter %p_image\n%k0 = OpLabel\n"                    \
	"OpLine %file 60 0\n%z60 = OpLoad %image %k_one\n%z61 = OpLoad %image %k_more\nOpReturn\nOpFunctionEnd\n"

static void assert_accesses(struct parsed *p, const char *wanted)
{
	struct spb_variables variables = collected(p);
	struct spb_accesses accesses = spb_find_accesses(&p->m, &variables, &p->m.keep);
	char found[2000] = "";

	for (size_t i = 0; i < accesses.count; i++)
		put_access(found, sizeof found, &p->m, &variables, &accesses.items[i]);
	assert_string_equal(found, wanted);
	drop(p);
}

static void accesses_name_their_descriptor(void **state)
{
	struct parsed p;

	(void)state;
	PARSE(&p, CAPABILITIES MODEL ACCESS_NAMES TYPES VARIABLES,
	      "%other_v = OpVariable %p_image UniformConstant\n%takes = OpTypeFunction %void %p_images %uint %p_image\n"
	      "%takes1 = OpTypeFunction %void %p_block\n%last = OpUndef %uint\n" UNTYPED_POINTER,
	      UNTYPED("%ut") "%block\n" UNTYPED("%uts") "%blocks\n!0x00041142 %uptr %uncertain !12",
	      "!0x00051142 %own_uptr %own_ut !6 %block\n" MAIN(ACCESS_MAIN) ACCESS_FUNCTIONS);
	assert_accesses(&p, "1 images[c2]=2\n2 images[i]\n3 one=0\n5 many[d] differs\n6 many[i] differs\n7 block=0\n"
			    "8 blocks[c1]=1\n9 one=0\n10 block=0\n11 images[spec]\n12 untyped=0\n13 untypeds[c1]=1\n"
			    "14 untyped=0\n20 one=0 differs\n21 untypeds[c2]=2\n23 one=0\n30 images[]\n31 one=0\n"
			    "31 other=0\n40 one=0\n40 other=0\n50 block=0\n");
	/* a variable that has the last id */
	PARSE(&p, CAPABILITIES MODEL,
	      "%file = OpString \"f\"\nOpName %main \"m\"\nOpName %main0 \"m0\"\nOpName %x \"x\"", TYPES,
	      "%v = OpVariable %p_image UniformConstant\n", MAIN("OpLine %file 1 0\n%x = OpLoad %image %v\n"));
	assert_accesses(&p, "1 =0\n");
}

/* indexes out of bounds */

static void check(void *argument)
{
	spb_check_indexes(argument);
}

static void constant_indexes_stay_inside(void **state)
{
#define OUTSIDE(index, name, n, last)                                                                                  \
	"index " index " is outside " name ", which has " n " descriptors (0 to " last                                 \
	"); correct the index, or make "                                                                               \
	"the array larger"
	static const struct {
		const char *body, *said; /* "": nothing */
	} rows[] = {
	    {"%x = OpAccessChain %p_image %images_v %c3", ""},
	    {"%x = OpAccessChain %p_image %images_v %c4", OUTSIDE("4", "%7 \"images\"", "4", "3")},
	    {"%x = OpInBoundsAccessChain %p_image %images_v %c4", OUTSIDE("4", "%7 \"images\"", "4", "3")},
	    {"%x = OpAccessChain %p_image %images_v %large", OUTSIDE("7", "%7 \"images\"", "4", "3")},
	    {"%x = OpAccessChain %p_image %images_v %spec", ""}, /* of 9, but the pipeline decides */
	    {"%x = OpAccessChain %p_image %images_v %real", ""},
	    {"%x = OpAccessChain %p_image %images_v %none", ""},
	    {"%x = OpAccessChain %p_images %images_v", ""},
	    {"%x = OpAccessChain %p_image %many_v %c4", ""},
	    {"%x = OpAccessChain %p_image %some_v %large", ""},
	    {"%x = OpAccessChain %p_one %own_v %c4", ""}, /* no descriptors */
	    {"%x = OpAccessChain %p_float %block_v %c4", ""},
	    {"%x = OpAccessChain %p_float %blocks_v %c1 %c4", ""},
	    {"%x = OpAccessChain %p_float %blocks_v %c2 %c0", OUTSIDE("2", "%8 \"blocks\"", "2", "1")},
	    {"%x = OpCopyObject %p_images %images_v\n%y = OpAccessChain %p_image %x %c4", ""},
	    {"%x = OpAccessChain %p_image %images_v %i\n%y = OpAccessChain %p_image %images_v %c4",
	     OUTSIDE("4", "%7 \"images\"", "4", "3")},
	    {"%x = OpAccessChain %p_one %own_ut %c4", ""},
	    {"%x = OpAccessChain %p_image %ut %c4", OUTSIDE("4", "%8 \"ut\"", "4", "3")},
	    {"OpReturn\nOpFunctionEnd\n%f = OpFunction %void None %takes\n%f_a = OpFunctionParameter %p_images\n"
	     "%f0 = OpLabel\n%x = OpAccessChain %p_image %f_a %c4",
	     OUTSIDE("4", "%9 \"given\"", "4", "3")},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct parsed p;
		PARSE(
		    &p, CAPABILITIES MODEL,
		    "OpName %first \"a\"\nOpName %images_v \"images\"\nOpName %blocks_v \"blocks\"\nOpName %ut \"ut\"",
		    i == SPB_COUNT(rows) - 1 ? "OpName %f_a \"given\"" : "", TYPES VARIABLES,
		    "%large = OpConstant %ulong 7\n%real = OpConstant %float 100\n%none = OpConstantNull %uint\n"
		    "%takes = OpTypeFunction %void %p_images\n%first = OpTypeArray %image %c2\n%last = OpUndef "
		    "%uint\n" UNTYPED_POINTER UNTYPED("%ut") "%images\n!0x00051142 %own_uptr %own_ut !6 %images",
		    "%main = OpFunction %void None %fn\n%main0 = OpLabel", rows[i].body, "OpReturn\nOpFunctionEnd");
		bool refused = caught(p.m.context, check, &p.m);
		const char *said = strchr(rows[i].said, '%'), *name = strchr(p.said, '%');
		assert_int_equal(refused, *rows[i].said != 0);
		assert_int_equal(p.code, refused ? SPB_E_INDEX_RANGE : 0);
		if (refused) { /* but for its number */
			assert_memory_equal(p.said, rows[i].said, (size_t)(said - rows[i].said));
			assert_string_equal(strchr(name, ' '), strchr(said, ' '));
		}
		drop(&p);
	}
}

/* calls */

enum { FUNCTIONS = 9 };

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Random calls, against a matrix of who calls whom how often. */
static void calls_are_found(void **state)
{
	for (uint32_t seed = 1, n = 0; n < 40; n++) {
		uint32_t parameters[FUNCTIONS], calls[FUNCTIONS][FUNCTIONS] = {{0}}, before = 0, ids[FUNCTIONS];
		bool reaches[FUNCTIONS][FUNCTIONS];
		/* A graph is none of the functions, and what it calls by mistake is no call of theirs. */
		char body[9000] =
		    "%g = OpUndef %uint\n!0x00031057 %void %graph\n!0x00040039 %void %none %c0\n!0x0001105A\n";
		size_t length = strlen(body);
		struct parsed p;
		(void)state;
		for (uint32_t f = 0; f < FUNCTIONS; f++)
			parameters[f] = next_random(&seed) % 5;
		for (uint32_t f = 0; f < FUNCTIONS; f++) {
			length +=
			    (size_t)sprintf(body + length, "%%f%u = OpFunction %%void None %%t%u\n", f, parameters[f]);
			for (uint32_t i = 0; i < parameters[f]; i++)
				length += (size_t)sprintf(body + length, "%%f%u_%u = OpFunctionParameter %%uint\n%s", f,
							  i, next_random(&seed) % 3 ? "" : "OpNoLine\n");
			length += (size_t)sprintf(body + length, "%%l%u = OpLabel\n", f);
			for (uint32_t k = next_random(&seed) % 4; k--;) {
				uint32_t callee = next_random(&seed) % FUNCTIONS;
				calls[f][callee]++;
				length += (size_t)sprintf(
				    body + length, "%%r%u_%u_%u = OpFunctionCall %%void %%f%u%s\n", f, callee,
				    calls[f][callee], callee, &" %c0 %c0 %c0 %c0"[16 - 4 * parameters[callee]]);
			}
			length += (size_t)sprintf(body + length, "OpReturn\nOpFunctionEnd\n");
		}
		PARSE(&p, CAPABILITIES MODEL,
		      "OpName %f0 \"f0\"\nOpName %f1 \"f1\"\nOpName %f2 \"f2\"\nOpName %f3 \"f3\"\n"
		      "OpName %f4 \"f4\"\nOpName %f5 \"f5\"\nOpName %f6 \"f6\"\nOpName %f7 \"f7\"\nOpName %f8 \"f8\"",
		      TYPES,
		      "%t0 = OpTypeFunction %void\n%t1 = OpTypeFunction %void %uint\n"
		      "%t2 = OpTypeFunction %void %uint %uint\n%t3 = OpTypeFunction %void %uint %uint %uint\n"
		      "%t4 = OpTypeFunction %void %uint %uint %uint %uint",
		      body);
		struct spb_calls g = spb_find_calls(&p.m, &p.m.keep);
		struct spb_sites sites = spb_find_sites(&p.m, &g, &p.m.keep);
		assert_int_equal(g.function_count, FUNCTIONS);
		for (uint32_t f = 0; f < FUNCTIONS; f++) {
			char name[] = {'f', (char)('0' + f), '\0'};
			ids[f] = named(&p.m, name);
			uint32_t found[FUNCTIONS] = {0}, count = 0;
			assert_int_equal(g.function_of[ids[f]], f + 1);
			for (uint32_t i = g.first[f]; i < g.first[f + 1]; i++)
				found[g.callees.items[i]]++;
			assert_memory_equal(found, calls[f], sizeof found);
			assert_int_equal(g.first_parameter[f], before);
			before += parameters[f];
			assert_int_equal(g.first_parameter[f + 1], before);
			for (uint32_t i = 0; i < parameters[f]; i++) {
				uint32_t id = g.parameters.items[g.first_parameter[f] + i];
				assert_int_equal(spb_def_op(&p.m, id), SpvOpFunctionParameter);
				assert_true(p.m.def[id] > p.m.function[f].at && p.m.def[id] < p.m.function[f].end);
				assert_int_equal(spb_parameter_number(&p.m, &g, id), i + 1);
			}
			for (uint32_t i = sites.first[f + 1]; i < sites.first[f + 2]; i++, count++) {
				assert_int_equal(p.m.words[sites.at[i] + 3], ids[f]);
				assert_true(i == sites.first[f + 1] || sites.at[i - 1] < sites.at[i]);
			}
			for (uint32_t k = 0; k < FUNCTIONS; k++) {
				count -= calls[k][f];
				reaches[f][k] = f == k || calls[f][k];
			}
			assert_int_equal(count, 0);
		}
		for (uint32_t k = 0; k < FUNCTIONS; k++) {
			for (uint32_t f = 0; f < FUNCTIONS; f++) {
				for (uint32_t i = 0; i < FUNCTIONS; i++)
					reaches[f][i] |= reaches[f][k] && reaches[k][i];
			}
		}
		for (uint32_t f = 0; f < FUNCTIONS; f++) {
			uint32_t count = spb_reach(&g, ids[f]), wanted = 0;
			for (uint32_t k = 0; k < FUNCTIONS; k++)
				wanted += reaches[f][k];
			assert_int_equal(count, wanted);
			for (uint32_t i = 0; i < count; i++)
				assert_true(reaches[f][g.reached[i]]);
			assert_int_equal(spb_reach(&g, p.m.words[p.m.def[ids[f]] + 1]), 0); /* not a function */
		}
		drop(&p);
	}
}

/* What is passed on: a chain, a copy, and copies of copies refer to the variable or the parameter. */
static void pointers_have_bases(void **state)
{
	struct parsed p;

	(void)state;
	PARSE(&p, CAPABILITIES MODEL,
	      "OpName %images_v \"v\"\nOpName %a \"a\"\nOpName %b \"b\"\nOpName %c \"c\"\nOpName %d \"d\"\nOpName %e "
	      "\"e\"",
	      TYPES VARIABLES, "%takes = OpTypeFunction %void %p_blocks\n%f = OpFunction %void None %takes",
	      "%e = OpFunctionParameter %p_blocks\n%f0 = OpLabel\n%a = OpCopyObject %p_images %images_v\n"
	      "%b = OpInBoundsAccessChain %p_image %a %c1\n%c = OpPtrAccessChain %p_float %e %c0 %c1 %c0\n"
	      "%d = OpCopyObject %p_float %c\n%x = OpLoad %float %d\nOpReturn\nOpFunctionEnd");
	const uint32_t *bases = spb_pointer_bases(&p.m, &p.m.keep), v = named(&p.m, "v"), e = named(&p.m, "e");
	assert_int_equal(bases[named(&p.m, "a")], v);
	assert_int_equal(bases[named(&p.m, "b")], v);
	assert_int_equal(bases[named(&p.m, "c")], e);
	assert_int_equal(bases[named(&p.m, "d")], e);
	for (uint32_t id = 0; id < p.m.bound; id++)
		assert_true(!bases[id] || strchr("abcd", *spb_id_name(&p.m, id)));
	drop(&p);
}

/* What an instruction does besides computing its result, as loops of waterfall have to heed it: nothing, a read, a
 * write, or whatever it is; "together": it depends on who does it at the same time; then which memory. */
static void instructions_do_what_loops_heed(void **state)
{
#define VARIABLE_OF(class)                                                                                             \
	"%pp_" class " = OpTypePointer " class " %pair\n%p_" class " = OpTypePointer " class " %float\n%" class        \
	    "_v = OpVariable %pp_" class " " class "\n%" class "_w = OpVariable %pp_" class " " class "\n"
#define PART(name, class) "%" name " = OpAccessChain %p_" class " %" class "_v %c0\n"
	static const char
	    heads[] = "%glsl = OpExtInstImport \"GLSL.std.450\"\n%other = OpExtInstImport \"OpenCL.std\"\n%remarks = "
		      "OpExtInstImport \"NonSemantic.Mine\"\n",
	    names[] =
		"OpName %Function_v \"f\"\nOpName %Function_w \"g\"\nOpName %Private_v \"p\"\nOpName %Output_v \"o\"\n",
	    types[] = "%pair = OpTypeStruct %float %float\n%v2 = OpTypeVector %float 2\n%v4 = OpTypeVector %float "
		      "4\n%one = OpConstant %float 1\n%xy = OpConstantComposite %v2 %one "
		      "%one\n%xyzw = OpConstantComposite %v4 %one %one %one %one\n%at = OpConstantComposite %u2 %c0 "
		      "%c0\n%combined = OpTypeSampledImage %sampled\n%p_combined = OpTypePointer UniformConstant "
		      "%combined\n%combined_v = OpVariable %p_combined UniformConstant\n%image_v = OpVariable %p_image "
		      "UniformConstant\n%yes = OpConstant %uint 72\n%signed = OpTypeInt 32 1\n",
	    variables[] = VARIABLE_OF("Input") VARIABLE_OF("PushConstant") VARIABLE_OF("Private") VARIABLE_OF("Output")
		VARIABLE_OF("Workgroup") VARIABLE_OF("StorageBuffer") VARIABLE_OF("Uniform");
	static const struct {
		const char *text, *does;
	} rows[] = {
	    {"%r = OpLoad %pair %Input_v", "reads -"},
	    {"%r = OpLoad %pair %PushConstant_v", "reads -"},
	    {"%i = OpLoad %image %image_v", "reads -"},
	    {"%c = OpLoad %combined %combined_v", "reads -"},
	    {"%r = OpLoad %pair %Private_v", "reads p"},
	    {"%r = OpLoad %pair %Function_v", "reads f"},
	    {"%r = OpLoad %pair %Output_v", "reads o"},
	    {"%r = OpLoad %pair %Workgroup_v", "reads shared"},
	    {"%r = OpLoad %pair %StorageBuffer_v", "reads shared"},
	    {"%r = OpLoad %pair %Uniform_v", "reads shared"},
	    {"%a = OpAccessChain %p_Function %Function_v %c1", "nothing"},
	    {"%b = OpInBoundsAccessChain %p_Function %a", "nothing"},
	    {"%e = OpCopyObject %p_Function %b", "nothing"},
	    {"%r = OpLoad %float %e", "reads f"},
	    {"OpStore %a %one", "writes f"},
	    {"%chosen = OpSelect %p_Function %true %a %b", "nothing"},
	    {"%r = OpLoad %float %chosen", "reads own"},
	    {"OpStore %chosen %one", "writes own"},
	    {"%g = OpAccessChain %p_Output %Output_v %c1", "nothing"},
	    {"%h = OpSelect %p_Output %true %g %g", "nothing"},
	    {"%r = OpLoad %float %h", "reads shared"},
	    {"%r = OpLoad %pair %Function_v None", "reads f"},
	    {"%r = OpLoad %pair %Function_v Aligned 4", "reads f"},
	    {"%r = OpLoad %pair %Function_v Nontemporal", "reads f"},
	    {"%r = OpLoad %pair %Function_v Volatile", "stops together shared"},
	    {"OpStore %Function_v %zero Volatile", "stops together shared"},
	    {"OpStore %Function_v %zero Aligned 8", "writes f"},
	    {"OpCopyMemory %Function_v %Private_v", "stops together shared"},
	    {"%r = OpAtomicLoad %uint %Workgroup_v %c1 %c0", "writes shared"},
	    {"%r = OpAtomicLoad %uint %Workgroup_v %c1 %yes", "stops together shared"},
	    {"OpAtomicStore %Workgroup_v %c1 %c0 %c1", "writes shared"},
	    {"OpAtomicStore %Workgroup_v %c1 %yes %c0", "stops together shared"},
	    {"%r = OpAtomicCompareExchange %uint %Workgroup_v %c1 %c0 %c0 %c1 %c1", "writes shared"},
	    {"%r = OpAtomicCompareExchange %uint %Workgroup_v %c1 %yes %c0 %c1 %c1", "stops together shared"},
	    {"%r = OpAtomicCompareExchange %uint %Workgroup_v %c1 %c0 %yes %c1 %c1", "stops together shared"},
	    {"%r = OpAtomicIAdd %uint %Workgroup_v %c1 %spec %c1", "stops together shared"},
	    {"%r = OpAtomicFlagTestAndSet %bool %Workgroup_v %c1 %c0", "stops together shared"},
	    {"OpAtomicFlagClear %Workgroup_v %c1 %c0", "stops together shared"},
	    {"%r = OpImageRead %v4 %i %at", "reads shared"},
	    {"%r = OpImageRead %v4 %i %at Sample %c0", "reads shared"},
	    {"%r = OpImageRead %v4 %i %at NonPrivateTexel", "stops together shared"},
	    {"%r = OpImageRead %v4 %i %at VolatileTexel", "stops together shared"},
	    {"%r = OpImageRead %v4 %i %at MakeTexelVisible %c1", "stops together shared"},
	    {"%r = OpImageSparseRead %v4 %i %at NonPrivateTexel", "stops together shared"},
	    {"%r = OpImageSparseRead %v4 %i %at", "reads shared"},
	    {"OpImageWrite %i %at %xyzw", "writes shared"},
	    {"OpImageWrite %i %at %xyzw NonPrivateTexel", "stops together shared"},
	    {"OpImageWrite %i %at %xyzw MakeTexelAvailable %c1", "stops together shared"},
	    {"%r = OpImageFetch %v4 %i %at", "reads shared"},
	    {"%r = OpImageSampleImplicitLod %v4 %c %xy", "reads together shared"},
	    {"%r = OpImageSampleExplicitLod %v4 %c %xy Lod %one", "reads shared"},
	    {"%r = OpImageGather %v4 %c %xy %c0", "reads shared"},
	    {"%r = OpImageQuerySize %u2 %i", "nothing"},
	    {"%r = OpImageQueryLod %v2 %c %xy", "nothing together"},
	    {"%r = OpImageQueryLevels %uint %i", "nothing"},
	    {"%r = OpImageTexelPointer %p_texel %image_v %at %c0", "nothing"},
	    {"%r = OpSampledImage %combined %i %i", "nothing"},
	    {"%r = OpImage %sampled %c", "nothing"},
	    {"%r = OpExtInst %float %glsl Sqrt %one", "nothing"},
	    {"%r = OpExtInst %float %glsl Modf %one %a", "stops together shared"},
	    {"%r = OpExtInst %float %glsl ModfStruct %one", "nothing"},
	    {"%r = OpExtInst %float %glsl Frexp %one %a", "stops together shared"},
	    {"%r = OpExtInst %float %glsl InterpolateAtCentroid %Input_v", "nothing together"},
	    {"%r = OpExtInst %float %glsl InterpolateAtSample %Input_v %c0", "nothing together"},
	    {"%r = OpExtInst %float %glsl InterpolateAtOffset %Input_v %xy", "nothing together"},
	    {"%r = OpExtInst %float %glsl FMin %one %one", "nothing"},
	    {"%r = OpExtInst %float %other cos %one", "stops together shared"},
	    {"%r = OpExtInst %void %remarks 4 %one", "a remark"},
	    {"OpNoLine", "a remark"},
	    {"%r = OpDPdx %float %one", "nothing together"},
	    {"%r = OpFwidthCoarse %float %one", "nothing together"},
	    {"%r = OpDPdyFine %float %one", "nothing together"},
	    {"%r = OpDot %float %xy %xy", "nothing"},
	    {"%r = OpFAdd %float %one %one", "nothing"},
	    {"%r = OpVectorShuffle %v2 %xy %xy 0 1", "nothing"},
	    {"%r = OpVectorExtractDynamic %float %xy %c0", "nothing"},
	    {"%r = OpVectorInsertDynamic %v2 %xy %one %c0", "nothing"},
	    {"%r = OpCompositeConstruct %v2 %one %one", "nothing"},
	    {"%r = OpCompositeExtract %float %xy 0", "nothing"},
	    {"%r = OpCompositeInsert %v2 %one %xy 0", "nothing"},
	    {"%r = OpCopyLogical %v2 %xy", "nothing"},
	    {"%r = OpUndef %float", "nothing"},
	    {"%r = OpArrayLength %uint %StorageBuffer_v 0", "nothing"},
	    {"%r = OpGroupNonUniformElect %bool %c3", "stops together shared"},
	    {"%r = OpGroupNonUniformAll %bool %c3 %true", "nothing together"},
	    {"%r = OpGroupNonUniformBroadcastFirst %uint %c3 %c0", "nothing together"},
	    {"%r = OpGroupNonUniformShuffle %uint %c3 %c0 %c1", "nothing together"},
	    {"%r = OpGroupNonUniformIAdd %uint %c3 Reduce %c0", "nothing together"},
	    {"OpControlBarrier %c2 %c2 %c0", "stops together shared"},
	    {"OpMemoryBarrier %c2 %c0", "stops together shared"},
	    {"OpKill", "stops together shared"},
	};
	static const char *const kinds[] = {"nothing", "reads", "writes", "stops", "a remark"};
	static char body[10000];
	struct parsed p;
	size_t length = 0;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) { /* each result has a name of its own */
		char name[12] = "";
		const bool again = !strncmp(rows[i].text, "%r ", 3);
		if (again)
			snprintf(name, sizeof name, "%%r%u", (unsigned)i);
		length += (size_t)snprintf(body + length, sizeof body - length, "%s%s\n", name,
					   rows[i].text + (again ? 2 : 0));
	}
	PARSE(&p, CAPABILITIES, heads, MODEL, names, TYPES,
	      "%u2 = OpTypeVector %uint 2\n%sampled = OpTypeImage %float 2D 0 0 0 1 Unknown", types, variables,
	      "%pp_Function = OpTypePointer Function %pair\n%p_Function = OpTypePointer Function %float\n%zero = "
	      "OpConstantNull %pair\n%main = OpFunction %void None "
	      "%fn\n%main0 = OpLabel\n%Function_v = OpVariable %pp_Function Function\n%Function_w = OpVariable "
	      "%pp_Function Function",
	      body, "OpFunctionEnd");
	spb_at at = p.m.function[0].label;
	for (int i = 0; i < 3; i++) /* the label and the variables */
		at = spb_next(&p.m, at);
	for (size_t i = 0; i < SPB_COUNT(rows); i++, at = spb_next(&p.m, at)) {
		const struct spb_effect effect = spb_waterfall_effect(&p.m, at);
		const bool touches = effect.kind != SPB_DOES_NOTHING && effect.kind != SPB_DOES_REMARK;
		char does[60];
		snprintf(does, sizeof does, "%s%s%s%s", kinds[effect.kind], effect.converges ? " together" : "",
			 touches ? " " : "",
			 !touches                               ? ""
			 : effect.memory == SPB_MEMORY_CONSTANT ? "-"
			 : effect.memory == SPB_MEMORY_OWN      ? "own"
			 : effect.memory == SPB_MEMORY_SHARED   ? "shared"
								: spb_id_name(&p.m, effect.memory));
		if (strcmp(does, rows[i].does))
			fail_msg("%s: %s instead of %s", rows[i].text, does, rows[i].does);
	}
	drop(&p);
}

/* Which effects must stay in order: of all pairs, those of which one writes what the other touches, perhaps. */
static void effects_collide_where_one_writes(void **state)
{
	enum { F = 7, G = 8 };
	const uint32_t memories[] = {SPB_MEMORY_CONSTANT, SPB_MEMORY_OWN, SPB_MEMORY_SHARED, F, G};
	static const bool meet[5][5] = {/* constant, own, shared, one variable, another one */
					{false, false, false, false, false},
					{false, true, false, true, true},
					{false, false, true, false, false},
					{false, true, false, true, false},
					{false, true, false, false, true}};

	(void)state;
	for (int a = SPB_DOES_NOTHING; a <= SPB_DOES_REMARK; a++) {
		for (int b = SPB_DOES_NOTHING; b <= SPB_DOES_REMARK; b++) {
			for (size_t x = 0; x < 5; x++) {
				for (size_t y = 0; y < 5; y++) {
					const bool touch = (a == SPB_DOES_READ || a == SPB_DOES_WRITE) &&
							   (b == SPB_DOES_READ || b == SPB_DOES_WRITE);
					const bool writes = a == SPB_DOES_WRITE || b == SPB_DOES_WRITE;
					const struct spb_effect one = {(enum spb_effect_kind)a, false, memories[x]},
								other = {(enum spb_effect_kind)b, false, memories[y]};
					assert_int_equal(spb_effects_collide(one, other),
							 touch && writes && meet[x][y]);
				}
			}
		}
	}
}

struct numbering {
	struct spb_loops loops;
	struct spb_block block;
};

static void number_block(void *argument)
{
	struct numbering *n = argument;
	const struct spb_module *m = n->loops.m;
	const spb_at end = m->function[0].end;

	spb_values_allocate(n->loops.arena, &n->block, m->bound);
	for (spb_at at = spb_next(m, m->function[0].label); at < end; at = spb_next(m, at))
		SPB_PUSH(n->loops.arena, &n->block,
			 ((struct spb_instruction){.at = at, .effect = spb_waterfall_effect(m, at)}));
	spb_waterfall_number(&n->loops, &n->block);
}

/* Which values of a block are one: each named after the first that it is. */
static void values_are_one_that_are_computed_alike(void **state)
{
	static const struct {
		const char *text, *is; /* is: the name of the first that has the value */
	} rows[] = {
	    {"%a1 = OpIAdd %uint %x %c1", "a1"},
	    {"%a2 = OpIAdd %uint %x %c1", "a1"},
	    {"%a3 = OpIAdd %uint %c1 %x", "a3"},
	    {"%a4 = OpIAdd %uint %x %c2", "a4"},
	    {"%a5 = OpISub %uint %x %c1", "a5"},
	    {"%b1 = OpIMul %uint %a1 %a3", "b1"},
	    {"%b2 = OpIMul %uint %a2 %a3", "b1"},
	    {"%b3 = OpCopyObject %uint %b2", "b1"},
	    {"%b4 = OpIAdd %uint %b3 %c1", "b4"},
	    {"%b5 = OpIAdd %uint %b1 %c1", "b4"},
	    {"%soft = OpIAdd %uint %x %c1", "soft"}, /* RelaxedPrecision */
	    {"%soft2 = OpIAdd %uint %x %c1", "soft"},
	    {"%u1 = OpUndef %uint", "u1"},
	    {"%u2 = OpUndef %uint", "u2"},
	    {"%g1 = OpGroupNonUniformBroadcastFirst %uint %c3 %x", "g1"},
	    {"%g2 = OpGroupNonUniformBroadcastFirst %uint %c3 %x", "g2"},
	    {"%e1 = OpCompositeExtract %uint %pair 0", "e1"},
	    {"%e2 = OpCompositeExtract %uint %pair 1", "e2"},
	    {"%e3 = OpCompositeExtract %uint %pair 0", "e1"},
	    {"%p1 = OpAccessChain %p_uint_f %f %c1", "p1"},
	    {"%p2 = OpAccessChain %p_uint_f %f %c1", "p1"},
	    {"%p3 = OpAccessChain %p_uint_f %f %c0", "p3"},
	    {"%l1 = OpLoad %uint %p1", "l1"},
	    {"%l2 = OpLoad %uint %p2", "l1"},
	    {"%l3 = OpLoad %uint %p3", "l3"},
	    {"OpStore %p1 %a4", ""},
	    {"%l4 = OpLoad %uint %p2", "a4"},
	    {"%l5 = OpLoad %uint %p3", "l5"}, /* a variable is written as a whole */
	    {"%l6 = OpLoad %uint %own", "l6"},
	    {"OpStore %f %pair", ""},
	    {"%l7 = OpLoad %uint %own", "l6"},
	    {"%l8 = OpLoad %uint %p2", "l8"},
	    {"%z1 = OpFunctionCall %void %main", "z1"},
	    {"%l9 = OpLoad %uint %own", "l9"},
	    {"%m1 = OpLoad %uint %in", "m1"},
	    {"%m2 = OpLoad %uint %in", "m1"},
	    {"OpStore %own %a1", ""},
	    {"%m3 = OpLoad %uint %in", "m1"},
	    {"%n1 = OpLoad %uint %own", "a1"},
	    {"OpMemoryBarrier %c2 %c0", ""},
	    {"%m4 = OpLoad %uint %in", "m4"},
	    {"%n2 = OpLoad %uint %own", "n2"},
	    {"%n3 = OpLoad %uint %own", "n2"},
	    {"%o1 = OpLoad %uint %out", "o1"},
	    {"%o2 = OpLoad %uint %out", "o2"},
	    {"%s1 = OpLoad %uint %shared", "s1"},
	    {"%s2 = OpLoad %uint %shared", "s2"},
	    {"%q1 = OpSelect %p_uint_p %true %own %own", "q1"},
	    {"OpStore %q1 %c1", ""}, /* to some variable */
	    {"%n4 = OpLoad %uint %own", "n4"},
	    {"%soft3 = OpLoad %uint %own", "soft3"}, /* RelaxedPrecision */
	    {"OpStore %own %a1", ""},
	    {"%soft4 = OpLoad %uint %own", "soft4"},
	    {"%n5 = OpLoad %uint %own", "a1"},
	};
	enum { MANY = 120 }; /* more than the first table of values has room for */
	static char body[12000], names[6000];
	size_t length = 0, named_to = 0;
	struct parsed p;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		length += (size_t)snprintf(body + length, sizeof body - length, "%s\n", rows[i].text);
		if (*rows[i].text == '%')
			named_to +=
			    (size_t)snprintf(names + named_to, sizeof names - named_to, "OpName %.*s \"%.*s\"\n",
					     (int)strcspn(rows[i].text, " "), rows[i].text,
					     (int)strcspn(rows[i].text, " ") - 1, rows[i].text + 1);
	}
	for (unsigned i = 0; i < MANY; i++) {
		length += (size_t)snprintf(
		    body + length, sizeof body - length,
		    "%%i%u = OpShiftLeftLogical %%uint %%%s%u %%c2\n%%k%u = OpShiftLeftLogical %%uint %%%s%u %%c2\n", i,
		    i ? "i" : "x", i ? i - 1 : 0, i, i ? "k" : "x", i ? i - 1 : 0);
		named_to += (size_t)snprintf(names + named_to, sizeof names - named_to,
					     "OpName %%i%u \"i%u\"\nOpName %%k%u \"k%u\"\n", i, i, i, i);
	}
	PARSE(&p, CAPABILITIES MODEL, names,
	      "OpDecorate %soft RelaxedPrecision\nOpDecorate %soft2 RelaxedPrecision\nOpDecorate %soft3 "
	      "RelaxedPrecision\nOpDecorate %soft4 RelaxedPrecision",
	      TYPES,
	      "%two = OpTypeStruct %uint %uint\n%pair = OpConstantNull %two\n%x = OpUndef %uint\n%x0 = OpUndef "
	      "%uint\n%p_two = OpTypePointer Function %two\n%p_uint_f = OpTypePointer Function %uint\n%p_uint_p = "
	      "OpTypePointer Private %uint\n%p_uint_i = OpTypePointer Input %uint\n%p_uint_o = OpTypePointer Output "
	      "%uint\n%p_uint_w = OpTypePointer Workgroup %uint\n%own = OpVariable %p_uint_p Private\n%in = OpVariable "
	      "%p_uint_i Input\n%out = OpVariable %p_uint_o Output\n%shared = OpVariable %p_uint_w Workgroup\n%main = "
	      "OpFunction %void None %fn\n%main0 = OpLabel\n%f = OpVariable %p_two Function",
	      body, "OpReturn\nOpFunctionEnd");
	struct numbering n = {.loops = {.m = &p.m, .arena = &p.m.keep}};
	assert_false(caught(p.m.context, number_block, &n));
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char name[12];
		if (*rows[i].text != '%')
			continue;
		snprintf(name, sizeof name, "%.*s", (int)strcspn(rows[i].text, " ") - 1, rows[i].text + 1);
		const uint32_t value = spb_waterfall_value(&n.block, named(&p.m, name));
		if (value != named(&p.m, rows[i].is))
			fail_msg("%s is %s, not %s", name, spb_id_name(&p.m, value), rows[i].is);
	}
	for (unsigned i = 0; i < MANY; i++) {
		char one[12], other[12];
		snprintf(one, sizeof one, "i%u", i);
		snprintf(other, sizeof other, "k%u", i);
		assert_int_equal(spb_waterfall_value(&n.block, named(&p.m, one)), named(&p.m, one));
		assert_int_equal(spb_waterfall_value(&n.block, named(&p.m, other)), named(&p.m, one));
	}
	drop(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(accesses_name_their_descriptor),
	    cmocka_unit_test(constant_indexes_stay_inside),
	    cmocka_unit_test(calls_are_found),
	    cmocka_unit_test(pointers_have_bases),
	    cmocka_unit_test(instructions_do_what_loops_heed),
	    cmocka_unit_test(effects_collide_where_one_writes),
	    cmocka_unit_test(values_are_one_that_are_computed_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
