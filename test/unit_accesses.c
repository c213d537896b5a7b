/* SPDX-License-Identifier: Apache-2.0 */
/* References to the resources of one module (analysis/resources): accesses, indexes outside arrays, calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "analysis/resources/resources.h"
#include "indexed.h"

#define CAPABILITIES "OpCapability Shader\nOpCapability Linkage\n"
#define MODEL        "OpMemoryModel Logical GLSL450\n"
#define TYPES                                                                                                          \
	"%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n"                 \
	"%ulong = OpTypeInt 64 0\n%float = OpTypeFloat 32\n%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n"       \
	"%c2 = OpConstant %uint 2\n%c3 = OpConstant %uint 3\n%c4 = OpConstant %uint 4\n%spec = OpSpecConstant %uint "  \
	"9\n"                                                                                                          \
	"%true = OpConstantTrue %bool\n%false = OpConstantFalse %bool\n%null = OpConstantNull %bool\n"                 \
	"%sctrue = OpSpecConstantTrue %bool\n%block = OpTypeStruct %float\n"                                           \
	"%image = OpTypeImage %float 2D 0 0 0 2 R32ui\n%images = OpTypeArray %image %c4\n"                             \
	"%many = OpTypeRuntimeArray %image\n%some = OpTypeArray %image %spec\n%blocks = OpTypeArray %block %c2\n"      \
	"%p_image = OpTypePointer UniformConstant %image\n%p_images = OpTypePointer UniformConstant %images\n"         \
	"%p_many = OpTypePointer UniformConstant %many\n%p_some = OpTypePointer UniformConstant %some\n"               \
	"%p_block = OpTypePointer StorageBuffer %block\n%p_blocks = OpTypePointer StorageBuffer %blocks\n"             \
	"%p_float = OpTypePointer StorageBuffer %float\n%p_own = OpTypePointer Private %images\n"                      \
	"%p_one = OpTypePointer Private %image\n%p_texel = OpTypePointer Image %float\n"                               \
	"%untyped = OpTypeVoid\n"
#define MAIN(body) "%main = OpFunction %void None %fn\n%main0 = OpLabel\n" body "OpReturn\nOpFunctionEnd\n"

static char text[20000];

static void parse_all(struct parsed *p, const char *const *parts, size_t count)
{
	size_t length = 0;

	for (size_t i = 0; i < count; i++)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s\n", parts[i]);
	assert_true(length < sizeof text);
	parse(p, text);
}

#define PARSE(p, ...)                                                                                                  \
	parse_all(p, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

struct collect {
	struct parsed *p;
	struct spb_variables variables;
};

static void collect(void *argument)
{
	struct collect *c = argument;

	c->variables = spb_collect_variables(&c->p->m, &c->p->m.keep);
}

static struct spb_variables collected(struct parsed *p)
{
	struct collect c = {p, {0}};

	if (caught(p->m.context, collect, &c))
		fail_msg("%s\n%s", p->said, text);
	return c.variables;
}

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
/* f and g call each other, h calls itself; one call has too few arguments, one too many. */
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

static void out_of_bounds_constant_indexes_are_reported(void **state)
{
#define OUTSIDE(index, name, n, last) "index " index " is outside " name ", which has " n " descriptors (0 to " last ")"
	static const struct {
		const char *body, *said; /* "": nothing */
	} rows[] = {
	    {"%x = OpAccessChain %p_image %images_v %c3", ""},
	    {"%x = OpAccessChain %p_image %images_v %c4", OUTSIDE("4", "\"images\"", "4", "3")},
	    {"%x = OpInBoundsAccessChain %p_image %images_v %c4", OUTSIDE("4", "\"images\"", "4", "3")},
	    {"%x = OpAccessChain %p_image %images_v %large", OUTSIDE("7", "\"images\"", "4", "3")},
	    {"%x = OpAccessChain %p_image %images_v %spec", ""}, /* of 9, but the pipeline decides */
	    {"%x = OpAccessChain %p_image %images_v %real", ""},
	    {"%x = OpAccessChain %p_image %images_v %none", ""},
	    {"%x = OpAccessChain %p_images %images_v", ""},
	    {"%x = OpAccessChain %p_image %many_v %c4", ""},
	    {"%x = OpAccessChain %p_image %some_v %large", ""},
	    {"%x = OpAccessChain %p_one %own_v %c4", ""}, /* no descriptors */
	    {"%x = OpAccessChain %p_float %block_v %c4", ""},
	    {"%x = OpAccessChain %p_float %blocks_v %c1 %c4", ""},
	    {"%x = OpAccessChain %p_float %blocks_v %c2 %c0", OUTSIDE("2", "\"blocks\"", "2", "1")},
	    {"%x = OpCopyObject %p_images %images_v\n%y = OpAccessChain %p_image %x %c4", OUTSIDE("4", "%9", "4", "3")},
	    {"%x = OpAccessChain %p_image %images_v %i\n%y = OpAccessChain %p_image %images_v %c4",
	     OUTSIDE("4", "\"images\"", "4", "3")},
	    {"%x = OpAccessChain %p_one %own_ut %c4", ""},
	    {"%x = OpAccessChain %p_image %ut %c4", OUTSIDE("4", "\"ut\"", "4", "3")},
	    {"OpReturn\nOpFunctionEnd\n%f = OpFunction %void None %takes\n%f_a = OpFunctionParameter %p_images\n"
	     "%f0 = OpLabel\n%x = OpAccessChain %p_image %f_a %c4",
	     OUTSIDE("4", "\"given\"", "4", "3")},
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
		const char *said = strchr(rows[i].said, '%'), *id = strchr(p.said, '%'); /* which is another one */
		assert_int_equal(refused, *rows[i].said != 0);
		assert_int_equal(p.code, refused ? SPB_E_INDEX_RANGE : 0);
		if (refused && said) {
			assert_memory_equal(p.said, rows[i].said, (size_t)(said - rows[i].said));
			assert_string_equal(strchr(id, ','), strchr(said, ','));
		} else if (refused) {
			assert_string_equal(p.said, rows[i].said);
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
		/* A graph is not a function, and a call in it, which is invalid, does not count. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(accesses_name_their_descriptor),
	    cmocka_unit_test(out_of_bounds_constant_indexes_are_reported),
	    cmocka_unit_test(calls_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
