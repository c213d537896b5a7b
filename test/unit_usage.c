/* SPDX-License-Identifier: Apache-2.0 */
/* What entry points reach, use and list, and what they access in order (analysis/resources), row by row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "accessed.h"

/* what is reached */

#define RESOURCES                                                                                                      \
	"%a = OpVariable %p_block StorageBuffer\n%b = OpVariable %p_block StorageBuffer\n"                             \
	"%c = OpVariable %p_block StorageBuffer\n%d = OpVariable %p_block StorageBuffer\n%undef = OpUndef %bool\n"     \
	"%sb = OpTypeInt 8 1\n%n1 = OpConstant %sb -1\n%p1 = OpConstant %sb 1\n%nn = OpConstantNull %uint\n"           \
	"%l5 = OpConstant %ulong 4294967301\n%takes = OpTypeFunction %void %uint\n"
#define ENTRY  "OpEntryPoint GLCompute %main \"main\" %d\nOpExecutionMode %main LocalSize 1 1 1\n"
#define USE(v) "%at_" #v " = OpAccessChain %p_float %" #v " %c0\n"
#define RETURN "OpReturn\nOpFunctionEnd\n"
#define NAMES  "OpName %a \"a\"\nOpName %b \"b\"\nOpName %c \"c\"\nOpName %d \"d\"\n"
/* a behind the first target, b behind the second, c behind both */
#define BRANCH(how, condition)                                                                                         \
	how "OpSelectionMerge %m None\nOpBranchConditional " condition                                                 \
	    " %y %n\n%y = OpLabel\n" USE(a) "OpBranch %m\n"                                                            \
					    "%n = OpLabel\n" USE(b) "OpBranch %m\n%m = OpLabel\n" USE(c)
#define SWITCH(selector, cases)                                                                                        \
	"OpSelectionMerge %m None\nOpSwitch " selector " %y " cases "\n%y = OpLabel\n" USE(                            \
	    a) "OpBranch %m\n"                                                                                         \
	       "%n = OpLabel\n" USE(b) "OpBranch %m\n%o = OpLabel\n" USE(c) "OpBranch %m\n%m = OpLabel\n"
#define COPY(x, y) "%k" #x " = OpCopyObject %bool %k" #y "\n"
#define COPIES                                                                                                         \
	"%k1 = OpCopyObject %bool %true\n" COPY(2, 1) COPY(3, 2) COPY(4, 3) COPY(5, 4) COPY(6, 5) COPY(7, 6)           \
	    COPY(8, 7) COPY(9, 8) COPY(10, 9) COPY(11, 10) COPY(12, 11) COPY(13, 12) COPY(14, 13) COPY(15, 14)         \
		COPY(16, 15) COPY(17, 16)

/* The names of what is used, in the order of ids. */
static const char *used_names(struct parsed *p)
{
	static char found[200];
	const uint32_t *used = spb_find_used(&p->m, &p->m.keep);

	found[0] = '\0';
	for (uint32_t id = 1; id < p->m.bound; id++) {
		if (*spb_id_name(&p->m, id) && spb_bit(used, id))
			strcat(found, spb_id_name(&p->m, id));
	}
	return found;
}

static void what_entry_points_reach_is_used(void **state)
{
	static const struct {
		const char *names, *globals, *functions, *used;
	} rows[] = {
	    {"", "", MAIN(""), ""}, /* an interface is no use */
	    {"", "", MAIN(USE(a)), "a"},
	    {"OpName %void \"v\"\n", "", MAIN(USE(a)), "av"}, /* the first of all globals */
	    {"", "%t = OpTypeFunction %p_block\n",
	     MAIN("%r = OpFunctionCall %p_block %f\n") "%f = OpFunction %p_block None %t\n"
						       "%f0 = OpLabel\nOpReturnValue %a\nOpFunctionEnd\n",
	     "a"},
	    {"", "",
	     MAIN("%r = OpFunctionCall %void %f\n") "%f = OpFunction %void None %fn\n%f0 = OpLabel\n" USE(b) RETURN
	     "%g = OpFunction %void None %fn\n%g0 = OpLabel\n" USE(c) RETURN,
	     "b"},
	    {"OpName %t \"t\"\n", "%t = OpTypeFunction %void %bool\n",
	     MAIN("%r = OpFunctionCall %void %f %true\n") "%f = OpFunction %void None %t\n"
							  "%f_p = OpFunctionParameter %bool\n%f0 = OpLabel\n" RETURN,
	     "t"},
	    {"OpName %f_t \"t\"\nOpName %f_u \"u\"\n", "%f_t = OpTypeInt 16 0\n%f_u = OpTypeInt 16 1\n",
	     "%f = OpFunction %void None %takes\n%f_p = OpFunctionParameter %f_t\n%f0 = OpLabel\n" RETURN MAIN(
		 "%r = OpFunctionCall %void %f %c0\n"),
	     "t"},
	    /* globals name others */
	    {"OpName %x \"x\"\nOpName %t \"t\"\n",
	     "%t = OpTypePointer Private %p_block\n%x = OpVariable %t Private %c\n", MAIN("%l = OpLoad %p_block %x\n"),
	     "cxt"},
	    {"OpName %x \"x\"\n", "%t = OpTypePointer Private %p_block\n%x = OpVariable %t Private %c\n", MAIN(USE(a)),
	     "a"},
	    {"OpName %n \"n\"\n", "%n = OpSpecConstant %uint 3\n%o = OpSpecConstantOp %uint IAdd %n %c1\n",
	     MAIN("%l = OpCopyObject %uint %o\n"), "n"},
	    {"", "%set = OpUndef %uint\n",
	     MAIN("%l = OpExtInst %void %debug 1 %a\n%k = OpExtInst %float %std Fract %b\n"), "b"},
	    /* branches */
	    {"", "", MAIN(BRANCH("", "%undef")), "abc"},
	    {"", "", MAIN(BRANCH("", "%sctrue")), "abc"}, /* the pipeline may set it */
	    {"", "", MAIN(BRANCH("", "%true")), "ac"},
	    {"", "", MAIN(BRANCH("", "%false")), "bc"},
	    {"OpName %false \"f\"\n", "", MAIN(BRANCH("", "%false")), "bcf"},
	    {"", "", MAIN(BRANCH("", "%null")), "bc"},
	    {"", "", MAIN(BRANCH("%x = OpLogicalNot %bool %true\n", "%x")), "bc"},
	    {"", "", MAIN(BRANCH("%x = OpLogicalNot %bool %false\n", "%x")), "ac"},
	    {"", "", MAIN(BRANCH("%x = OpLogicalNot %bool %null\n", "%x")), "ac"},
	    {"", "", MAIN(BRANCH("%x = OpLogicalNot %bool %undef\n", "%x")), "abc"},
	    {"", "", MAIN(BRANCH("%z = OpLogicalNot %bool %true\n%x = OpLogicalNot %bool %z\n", "%x")), "ac"},
	    {"", "", MAIN(BRANCH("%z = OpLogicalNot %bool %true\n%x = OpCopyObject %bool %z\n", "%x")), "bc"},
	    {"", "", MAIN(BRANCH("%x = OpLogicalAnd %bool %true %true\n", "%x")), "abc"},
	    {"", "", MAIN(BRANCH(COPIES, "%k16")), "ac"},
	    {"", "", MAIN(BRANCH(COPIES, "%k17")), "abc"}, /* copies may be in circles */
	    {"", "",
	     MAIN("OpSelectionMerge %m None\nOpBranchConditional %undef %y %n\n%y = OpLabel\nOpReturn\n"
		  "%n = OpLabel\nOpReturn\n%m = OpLabel\n" USE(a)),
	     ""}, /* a merge block that nobody reaches */
	    {"", "", MAIN("OpBranch %y\n%n = OpLabel\n" USE(b) "OpBranch %y\n%y = OpLabel\n" USE(a)), "a"},
	    /* switches */
	    {"", "", MAIN(SWITCH("%i", "1 %n 2 %o")), "abc"},
	    {"", "", MAIN(SWITCH("%c1", "1 %n 2 %o")), "b"},
	    {"", "", MAIN(SWITCH("%c2", "1 %n 2 %o")), "c"},
	    {"", "", MAIN(SWITCH("%c3", "1 %n 2 %o")), "a"},
	    {"", "", MAIN(SWITCH("%c1", "")), "a"},
	    {"", "", MAIN(SWITCH("%c1", "1 %y 2 %o")), "a"},
	    {"", "", MAIN(SWITCH("%nn", "1 %n 0 %o")), "c"},
	    {"", "", MAIN(SWITCH("%nn", "1 %n 2 %o")), "a"},
	    {"", "", MAIN(SWITCH("%spec", "9 %n 2 %o")), "abc"},
	    {"", "", MAIN("%x = OpCopyObject %uint %c1\n" SWITCH("%x", "1 %n 2 %o")), "b"},
	    {"", "", MAIN(SWITCH("%n1", "1 %n -1 %o")), "c"},
	    {"", "", MAIN(SWITCH("%p1", "-1 %n 1 %o")), "c"},
	    {"", "", MAIN(SWITCH("%p1", "2 %n 1 %o")), "c"},
	    {"", "", MAIN(SWITCH("%p1", "0 %n 1 %o")), "c"},
	    {"", "%z = OpUndef %uint\n!0x0004002B %sb %odd !0xFFFFFF02\n",
	     MAIN("%q = OpCopyObject %sb %odd\n" SWITCH("%q", "1 %n 2 %o")), "c"},
	    {"", "", MAIN("%x = OpCopyObject %ulong %c1\n" SWITCH("%x", "4294967297 %n 1 %o")),
	     "c"}, /* no value of its */
	    {"", "", MAIN(SWITCH("%l5", "5 %n 4294967301 %o")), "c"},
	    {"", "", MAIN(SWITCH("%l5", "8589934597 %n 6 %o")), "a"},
	    {"OpName %t \"t\"\n", "%t = OpTypePointer Private %block\n", MAIN("%x = OpPhi %t\n"), "t"},
	    /* a value of an OpPhi is named if its block is reached, before or after it */
	    {"", "",
	     MAIN("OpSelectionMerge %m None\nOpBranchConditional %true %y %n\n%y = OpLabel\nOpBranch %m\n%n = OpLabel\n"
		  "OpBranch %m\n%m = OpLabel\n%x = OpPhi %p_block %a %y %b %n\n"),
	     "a"},
	    {"", "",
	     MAIN(
		 "OpSelectionMerge %m None\nOpBranchConditional %undef %y %n\n%y = OpLabel\nOpBranch %m\n%n = OpLabel\n"
		 "OpBranch %m\n%m = OpLabel\n%x = OpPhi %p_block %a %y %b %n\n"),
	     "ab"},
	    {"OpName %p_block \"t\"\n", "",
	     MAIN("OpBranch %h\n%h = OpLabel\n%x = OpPhi %p_block %a %main0 %b %k %c %z\n"
		  "%u = OpPhi %p_block %a %main0 %d %k %c %z\n"
		  "OpLoopMerge %m %k None\nOpBranchConditional %undef %k %m\n%k = OpLabel\nOpBranch %h\n"
		  "%z = OpLabel\nOpBranch %h\n%m = OpLabel\n"),
	     "dabt"},
	    /* the value is one of a function */
	    {"", "",
	     MAIN("OpBranch %h\n%h = OpLabel\n%x = OpPhi %p_float %at_a %z %at_b %main0\nOpReturn\n%z = OpLabel\n" USE(
		 a) "OpBranch %h\n%w = OpLabel\n" USE(b)),
	     ""},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct parsed p;
		PARSE(&p,
		      CAPABILITIES
		      "OpExtension \"SPV_KHR_non_semantic_info\"\n%debug = OpExtInstImport \"NonSemantic.X\"\n"
		      "%std = OpExtInstImport \"GLSL.std.450\"\n" MODEL ENTRY NAMES,
		      rows[i].names, TYPES RESOURCES "%i = OpUndef %uint", rows[i].globals, rows[i].functions);
		const char *used = used_names(&p);
		if (strcmp(used, rows[i].used) != 0)
			fail_msg("%s, not %s: %s%s", used, rows[i].used, rows[i].globals, rows[i].functions);
		drop(&p);
	}
}

/* No entry point: a library, of which what is exported counts, or all; graphs, and opcodes that nobody knows. */
static void what_libraries_reach_is_used(void **state)
{
#define LINKED(id, how) "OpDecorate " id " LinkageAttributes \"name\" " how "\n"
#define THREE                                                                                                          \
	"%f = OpFunction %void None %fn\n%f0 = OpLabel\n" USE(a) RETURN "%g = OpFunction %void None %fn\n"             \
									"%g0 = OpLabel\n" USE(b) RETURN                \
	    "%h = OpFunction %void None %fn\n" RETURN_OF_NOTHING
#define RETURN_OF_NOTHING "OpFunctionEnd\n"
	static const struct {
		const char *notes, *globals, *functions, *used;
	} rows[] = {
	    {"", "", THREE, "ab"},
	    {LINKED("%g", "Export"), "", THREE, "b"},
	    {LINKED("%d", "Export"), "", THREE, "abd"}, /* no function is exported, so all count */
	    {LINKED("%d", "Export") LINKED("%f", "Export"), "", THREE, "ad"},
	    {LINKED("%f", "Export") LINKED("%d", "Export"), "", THREE, "ad"},
	    {LINKED("%h", "Import"), "", THREE, "ab"},
	    {LINKED("%d", "Import") LINKED("%f", "Export"), "", THREE, "a"},
	    {"OpDecorate %f FPFastMathMode None\n", "", THREE, "ab"},
	    /* graphs: between and behind functions */
	    {"!0x00041056 %graph \"g\" %d\n" LINKED("%f", "Export"), "",
	     THREE "!0x00031057 %void %graph\n!0x0001105A\n", "ad"},
	    {LINKED("%f", "Export"), "", THREE "!0x00031057 %void %graph\n!0x00031059 %c %c0\n!0x0001105A\n", "ac"},
	    {LINKED("%f", "Export"), "",
	     "%f = OpFunction %void None %fn\n%f0 = OpLabel\n" USE(a) RETURN
	     "!0x00031057 %void %graph\n!0x00031059 %d %c0\n!0x0001105A\n"
	     "%g = OpFunction %void None %fn\n%g0 = OpLabel\n" USE(b) RETURN,
	     "ad"},
	    {LINKED("%f", "Export"), "%x = OpUndef %uint\n!0x0003FFF0 %void %d\n", THREE, "abcd"}, /* unknown */
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct parsed p;
		PARSE(&p, CAPABILITIES MODEL NAMES, rows[i].notes, TYPES RESOURCES, rows[i].globals, rows[i].functions);
		const char *used = used_names(&p);
		if (strcmp(used, rows[i].used) != 0)
			fail_msg("%s, not %s: %s%s%s", used, rows[i].used, rows[i].notes, rows[i].globals,
				 rows[i].functions);
		drop(&p);
	}
}

/* entry points */

#define STAGES                                                                                                         \
	"OpEntryPoint Vertex %vs \"vs\" %a %d\nOpEntryPoint Fragment %fs \"fs\" %b %fs\n"                              \
	"OpEntryPoint Fragment %fs2 \"fs2\"\nOpEntryPoint GLCompute %cs \"cs\"\n"
#define FUNCTION(name, body)                                                                                           \
	"%" #name " = OpFunction %void None %fn\n%" #name "0 = OpLabel\n" body "OpReturn\nOpFunctionEnd\n"
#define CALL(from, to) "%call_" #from "_" #to " = OpFunctionCall %void %" #to "\n"
#define TAKE(from, v)  "%" #from "_" #v " = OpAccessChain %p_float %" #v " %c0\n"

enum { VERTEX = 1, FRAGMENT = 16, COMPUTE = 32 };

/* Stages that use, and that list; elsewhere: no chosen entry point does, but others do. */
static void assert_stages(const char *functions, const char *const *entries, uint32_t entry_count, bool unknown,
			  const uint32_t (*wanted)[3])
{
	for (int way = 0; way < 3; way++) { /* as parsed, with what may be debug information, and changed by a pass */
		struct spb_run run = {0};
		spb_options options;
		struct parsed p;
		spb_options_init(&options, sizeof options);
		options.layout.entries = entries;
		options.layout.entry_count = entry_count;
		PARSE(&p,
		      CAPABILITIES
		      "OpExtension \"SPV_KHR_non_semantic_info\"\n%debug = OpExtInstImport \"NonSemantic.X\"\n"
		      "%std = OpExtInstImport \"GLSL.std.450\"\n" MODEL STAGES NAMES,
		      TYPES RESOURCES "%x = OpUndef %uint", unknown ? "!0x0001FFF0" : "", functions);
		struct spb_variables v = collected(&p);
		p.m.has = way == 1 ? p.m.has | SPB_HAS_REMARKS : p.m.has & ~(uint32_t)SPB_HAS_REMARKS;
		p.m.run = way == 2 ? &run : NULL;
		v.items[0].stages = v.items[0].listed = 64; /* of an earlier call */
		spb_find_static_use(&options, &p.m, &v, &p.m.keep);
		p.m.run = NULL;
		assert_int_equal(v.count, 4);
		for (size_t i = 0; i < 4; i++) {
			const struct spb_variable *r = &v.items[i];
			if (r->stages != wanted[i][0] || r->listed != wanted[i][1] ||
			    r->elsewhere != (wanted[i][2] != 0))
				fail_msg("%s, way %d: %u %u %d\n%s", r->name, way, r->stages, r->listed, r->elsewhere,
					 functions);
		}
		drop(&p);
	}
}

static void entry_points_use_what_they_call(void **state)
{
	static const char all[] =
	    FUNCTION(vs, CALL(vs, f) TAKE(vs, c)) FUNCTION(fs, TAKE(fs, b)) FUNCTION(f, CALL(f, g))
		FUNCTION(g, TAKE(g, b)) FUNCTION(fs2, CALL(fs2, h)) FUNCTION(cs, CALL(cs, g) TAKE(cs, c) TAKE(cs, a))
		    FUNCTION(h, CALL(h, k)) FUNCTION(k, CALL(k, h) TAKE(k, c)) FUNCTION(nobody, TAKE(nobody, d)),
			  one[] = FUNCTION(vs, TAKE(vs, a) "%n = OpExtInst %void %debug 1 %c\n") FUNCTION(fs, "")
			      FUNCTION(fs2, "") FUNCTION(cs, TAKE(cs, b)),
			  extended[] = FUNCTION(vs, "%n = OpExtInst %float %std Fract %a\n") FUNCTION(fs, "")
			      FUNCTION(fs2, "") FUNCTION(cs, ""),
			  again[] = FUNCTION(h, TAKE(h, c) "%h1 = OpCopyObject %p_block %c\n%h2 = OpCopyObject "
							   "%p_block %c\n%h3 = OpCopyObject %p_block %c\n")
			      FUNCTION(vs, CALL(vs, h)) FUNCTION(fs, CALL(fs, h)) FUNCTION(fs2, CALL(fs2, h))
				  FUNCTION(cs, CALL(cs, h) TAKE(cs, d) TAKE(cs, a));
	static const char *const vs[] = {"vs"}, *const some[] = {"cs", "fs", "none"};

	(void)state;
	assert_stages(all, NULL, 0, false,
		      (const uint32_t[4][3]){{COMPUTE, VERTEX, 0},
					     {VERTEX | FRAGMENT | COMPUTE, FRAGMENT, 0},
					     {VERTEX | FRAGMENT | COMPUTE, 0, 0},
					     {0, VERTEX, 0}});
	assert_stages(all, vs, 1, false,
		      (const uint32_t[4][3]){{0, VERTEX, 0}, {VERTEX, 0, 0}, {VERTEX, 0, 0}, {0, VERTEX, 0}});
	assert_stages(
	    all, some, 3, false,
	    (const uint32_t[4][3]){{COMPUTE, 0, 0}, {FRAGMENT | COMPUTE, FRAGMENT, 0}, {COMPUTE, 0, 0}, {0, 0, 1}});
	assert_stages(all, some, 3, true,
		      (const uint32_t[4][3]){{COMPUTE, FRAGMENT | COMPUTE, 0},
					     {FRAGMENT | COMPUTE, FRAGMENT | COMPUTE, 0},
					     {COMPUTE, FRAGMENT | COMPUTE, 0},
					     {0, FRAGMENT | COMPUTE, 0}});
	assert_stages(one, NULL, 0, false,
		      (const uint32_t[4][3]){{VERTEX, VERTEX, 0}, {COMPUTE, FRAGMENT, 0}, {0, 0, 0}, {0, VERTEX, 0}});
	assert_stages(extended, NULL, 0, false,
		      (const uint32_t[4][3]){{VERTEX, VERTEX, 0}, {0, FRAGMENT, 0}, {0, 0, 0}, {0, VERTEX, 0}});
	assert_stages(one, vs, 1, false,
		      (const uint32_t[4][3]){{VERTEX, VERTEX, 0}, {0, 0, 1}, {0, 0, 0}, {0, VERTEX, 0}});
	/* the one that is named four times is not taken for all of them */
	assert_stages(
	    again, NULL, 0, false,
	    (const uint32_t[4][3]){
		{COMPUTE, VERTEX, 0}, {0, FRAGMENT, 0}, {VERTEX | FRAGMENT | COMPUTE, 0, 0}, {COMPUTE, VERTEX, 0}});
}

/* One function, which is all the module has; it is an entry point, twice, or none. */
static void a_function_may_be_alone(void **state)
{
	static const struct {
		const char *head, *more;
		uint32_t stages, of_b;
	} rows[] = {
	    {"OpEntryPoint Vertex %f \"f\"", "", VERTEX, 0},
	    {"OpEntryPoint Vertex %f \"f\"\nOpEntryPoint Fragment %f \"g\"", "", VERTEX | FRAGMENT, 0},
	    {"OpEntryPoint Vertex %f \"f\"\nOpEntryPoint Fragment %fn \"g\"", "", VERTEX, 0}, /* not of a function */
	    {"OpEntryPoint Vertex %a \"a\"", "", 0, 0},
	    {"", "", 0, 0},
	    /* or there are two */
	    {"OpEntryPoint Vertex %f \"f\"\nOpEntryPoint Fragment %g \"g\"", FUNCTION(g, TAKE(g, b)), VERTEX, FRAGMENT},
	    {"OpEntryPoint Vertex %f \"f\"\nOpEntryPoint Fragment %g \"g\"", FUNCTION(g, CALL(g, f)), VERTEX | FRAGMENT,
	     0},
	    {"OpEntryPoint Fragment %g \"g\"", FUNCTION(g, CALL(g, f)), FRAGMENT, 0},
	};

	(void)state;
	for (size_t i = 0; i < 2 * SPB_COUNT(rows); i++) {
		struct parsed p;
		spb_options options;
		spb_options_init(&options, sizeof options);
		PARSE(&p, CAPABILITIES MODEL, rows[i / 2].head, NAMES, TYPES RESOURCES,
		      FUNCTION(f, TAKE(f, a) CALL(f, f)), rows[i / 2].more);
		struct spb_variables v = collected(&p);
		p.m.has = i % 2 ? p.m.has | SPB_HAS_REMARKS : p.m.has;
		spb_find_static_use(&options, &p.m, &v, &p.m.keep);
		assert_int_equal(v.items[0].stages, rows[i / 2].stages);
		assert_int_equal(v.items[1].stages, rows[i / 2].of_b);
		assert_int_equal(v.items[0].listed | v.items[1].listed, 0);
		drop(&p);
	}
}

static void stages_have_one_entry_point_or_more(void **state)
{
	static const char *const names[] = {"fs", "vs"};
	spb_options options;
	struct parsed p;

	(void)state;
	spb_options_init(&options, sizeof options);
	PARSE(&p, CAPABILITIES MODEL STAGES, TYPES RESOURCES,
	      FUNCTION(vs, "") FUNCTION(fs, "") FUNCTION(fs2, "") FUNCTION(cs, ""));
	assert_int_equal(spb_single_stages(&options, &p.m), VERTEX | COMPUTE);
	assert_int_equal(spb_module_stages(&options, &p.m), VERTEX | FRAGMENT | COMPUTE);
	options.layout.entries = names;
	options.layout.entry_count = 2;
	assert_int_equal(spb_single_stages(&options, &p.m), VERTEX | FRAGMENT);
	assert_int_equal(spb_module_stages(&options, &p.m), VERTEX | FRAGMENT);
	options.layout.entry_count = 1;
	assert_int_equal(spb_single_stages(&options, &p.m), FRAGMENT);
	drop(&p);
}

/* a and b are of one side, c and d of the other: which is the first entry point that has both? */
static void entry_points_share_sides(void **state)
{
	static const struct {
		const char *functions, *wanted; /* "": none */
	} rows[] = {
	    {FUNCTION(vs, TAKE(vs, a) TAKE(vs, b)) FUNCTION(fs, TAKE(fs, c) TAKE(fs, d)) FUNCTION(fs2, "")
		 FUNCTION(cs, ""),
	     ""},
	    {FUNCTION(vs, TAKE(vs, a) TAKE(vs, b)) FUNCTION(fs, TAKE(fs, b) TAKE(fs, d)) FUNCTION(fs2, "")
		 FUNCTION(cs, ""),
	     "fs"},
	    {FUNCTION(vs, "") FUNCTION(fs, "") FUNCTION(fs2, TAKE(fs2, a) CALL(fs2, f)) FUNCTION(cs, "")
		 FUNCTION(f, CALL(f, g)) FUNCTION(g, TAKE(g, c)),
	     "fs2"},
	    {FUNCTION(vs, "") FUNCTION(fs, "") FUNCTION(fs2, "") FUNCTION(cs, CALL(cs, f) CALL(cs, g))
		 FUNCTION(f, TAKE(f, a)) FUNCTION(g, TAKE(g, c) CALL(g, g)),
	     "cs"},
	    {FUNCTION(vs, CALL(vs, f)) FUNCTION(fs, CALL(fs, f)) FUNCTION(fs2, "") FUNCTION(cs, TAKE(cs, a))
		 FUNCTION(f, CALL(f, g)) FUNCTION(g, TAKE(g, c) CALL(g, f)),
	     ""},
	    {FUNCTION(vs, CALL(vs, f)) FUNCTION(fs, CALL(fs, f)) FUNCTION(fs2, "") FUNCTION(cs, TAKE(cs, a))
		 FUNCTION(f, CALL(f, g) TAKE(f, b)) FUNCTION(g, TAKE(g, c) CALL(g, f)),
	     "vs"},
	    {FUNCTION(vs, TAKE(vs, a) "%n = OpExtInst %void %debug 1 %c\n") FUNCTION(fs, "") FUNCTION(fs2, "")
		 FUNCTION(cs, ""),
	     ""},
	};
	static const char *const chosen[] = {"cs", "fs2"};

	(void)state;
	for (size_t i = 0; i < 2 * SPB_COUNT(rows); i++) {
		const char *wanted = rows[i / 2].wanted;
		struct parsed p;
		spb_options options;
		spb_options_init(&options, sizeof options);
		options.layout.entries = chosen;
		options.layout.entry_count = i % 2 ? 2 : 0;
		if (i % 2 && (!strcmp(wanted, "vs") || !strcmp(wanted, "fs")))
			wanted = "";
		PARSE(&p,
		      CAPABILITIES
		      "OpExtension \"SPV_KHR_non_semantic_info\"\n%debug = OpExtInstImport \"NonSemantic.X\"\n" MODEL
			  STAGES NAMES,
		      TYPES RESOURCES, rows[i / 2].functions);
		uint8_t *side = spb_alloc_zeroed(&p.m.keep, p.m.bound, 1);
		side[named(&p.m, "a")] = side[named(&p.m, "b")] = 1;
		side[named(&p.m, "c")] = side[named(&p.m, "d")] = 2;
		spb_at at = spb_shared_entry_point(&options, &p.m, side, &p.m.keep);
		if ((at != 0) != (*wanted != 0) || (at && strcmp(spb_string(&p.m, at + 3), wanted) != 0))
			fail_msg("%s, not %s: %s", at ? spb_string(&p.m, at + 3) : "none", wanted,
				 rows[i / 2].functions);
		drop(&p);
	}
}

/* Between the beginning and the end of the interlock, or in a function that is called there. */
static void what_is_ordered_stands_in_the_interlock(void **state)
{
#define BEGIN "OpBeginInvocationInterlockEXT\n"
#define END   "OpEndInvocationInterlockEXT\n"
	static const struct {
		const char *functions, *ordered;
	} rows[] = {
	    {MAIN(USE(a) BEGIN USE(b) END USE(c)), "b"},
	    {MAIN(USE(a) BEGIN "%l = OpLoad %float %at_a\n" END USE(c)), "a"},
	    {MAIN("%o = OpCopyObject %p_block %a\n" BEGIN "%l = OpLoad %block %o\n" USE(d) END USE(c)), "ad"},
	    {MAIN(USE(a) BEGIN USE(b)) FUNCTION(g, USE(c)), "b"},
	    {MAIN(BEGIN "%l = OpLoad %block %d\n%e = OpCompositeExtract %float %l 2\n" END), "d"}, /* 2 is no id */
	    {MAIN(END USE(a) BEGIN END BEGIN USE(b) BEGIN USE(c) END USE(d)), "bc"},
	    {MAIN(BEGIN CALL(main, f) END) FUNCTION(f, USE(a) CALL(f, g)) FUNCTION(g, USE(b)) FUNCTION(h, USE(c)),
	     "ab"},
	    {MAIN(CALL(main, f) BEGIN CALL(main, g) END) FUNCTION(f, USE(a)) FUNCTION(g, USE(b)) FUNCTION(h, USE(c)),
	     "b"},
	    {MAIN(BEGIN CALL(main, g) "%again = OpFunctionCall %void %g\n" CALL(main, h) END) FUNCTION(f, USE(a))
		 FUNCTION(g, USE(b)) FUNCTION(h, USE(c)),
	     "bc"},
	};

	(void)state;
	for (size_t i = 0; i < 2 * SPB_COUNT(rows); i++) {
		char found[8] = "";
		struct parsed p;
		PARSE(&p, CAPABILITIES, i % 2 ? "" : "OpExtension \"SPV_EXT_fragment_shader_interlock\"", MODEL NAMES,
		      TYPES RESOURCES, rows[i / 2].functions);
		const uint32_t *bits = spb_find_ordered(&p.m, &p.m.keep);
		assert_int_equal(!bits, i % 2);
		for (uint32_t id = 1; bits && id < p.m.bound; id++) {
			if (spb_bit(bits, id))
				strcat(found, *spb_id_name(&p.m, id) ? spb_id_name(&p.m, id) : "?");
		}
		assert_string_equal(found, bits ? rows[i / 2].ordered : "");
		drop(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_entry_points_reach_is_used),         cmocka_unit_test(what_libraries_reach_is_used),
	    cmocka_unit_test(entry_points_use_what_they_call),         cmocka_unit_test(a_function_may_be_alone),
	    cmocka_unit_test(stages_have_one_entry_point_or_more),     cmocka_unit_test(entry_points_share_sides),
	    cmocka_unit_test(what_is_ordered_stands_in_the_interlock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
