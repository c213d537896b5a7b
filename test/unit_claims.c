/* SPDX-License-Identifier: Apache-2.0 */
/* What analysis/uniformity says of values, body by body: what is claimed to be the same, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "analysis/uniformity/uniformity.h"
#include "indexed.h"

/* A question about a value: an instruction that has no result, and writes nothing. Texts have it written out. */
#define ASK(value) "OpReleaseEvent %" value "\n"

/* %s is the same in all invocations, %d differs, and so do the conditions %sam and %dif. */
#define TYPES                                                                                                          \
	"%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n"                 \
	"%int = OpTypeInt 32 1\n%ulong = OpTypeInt 64 0\n%float = OpTypeFloat 32\n%v2 = OpTypeVector %uint 2\n"        \
	"%v3 = OpTypeVector %uint 3\n%v4 = OpTypeVector %uint 4\n%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n" \
	"%c2 = OpConstant %uint 2\n%c3 = OpConstant %uint 3\n%c4 = OpConstant %uint 4\n%c8 = OpConstant %uint 8\n"     \
	"%c64 = OpConstant %uint 64\n%c264 = OpConstant %uint 264\n%true = OpConstantTrue %bool\n"                     \
	"%null = OpConstantNull %uint\n%spec = OpSpecConstant %uint 8\n%undef = OpUndef %uint\n"                       \
	"%Push = OpTypeStruct %uint %uint\n%p_push = OpTypePointer PushConstant %Push\n"                               \
	"%p_push_u = OpTypePointer PushConstant %uint\n%push = OpVariable %p_push PushConstant\n"                      \
	"%p_in = OpTypePointer Input %uint\n%p_in3 = OpTypePointer Input %v3\n%lane = OpVariable %p_in Input\n"        \
	"%lid = OpVariable %p_in3 Input\n%gid = OpVariable %p_in3 Input\n%pf = OpTypePointer Function %uint\n"         \
	"%pp = OpTypePointer Private %uint\n%pw = OpTypePointer Workgroup %uint\n%Buf = OpTypeStruct %uint %uint\n"    \
	"%p_buf = OpTypePointer StorageBuffer %Buf\n%pb = OpTypePointer StorageBuffer %uint\n"                         \
	"%read = OpVariable %p_buf StorageBuffer\n%buf2 = OpVariable %p_buf StorageBuffer\n"
#define NOTES                                                                                                          \
	"OpDecorate %lane BuiltIn LocalInvocationIndex\nOpDecorate %lid BuiltIn LocalInvocationId\n"                   \
	"OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorate %Push Block\nOpDecorate %spec SpecId 7\n"              \
	"OpDecorate %Buf Block\nOpDecorate %read DescriptorSet 9\nOpDecorate %read Binding 1\n"                        \
	"OpDecorate %buf2 DescriptorSet 9\nOpDecorate %buf2 Binding 2\n"
#define SAME_AND_DIFFERENT                                                                                             \
	"%d = OpLoad %uint %lane\n%p_s = OpAccessChain %p_push_u %push %c0\n%s = OpLoad %uint %p_s\n"                  \
	"%dif = OpULessThan %bool %d %c4\n%sam = OpULessThan %bool %s %c4\n"
/* What a buffer holds that nobody is known to write. */
#define READ               "%p_read = OpAccessChain %pb %read %c0\n%read_v = OpLoad %uint %p_read\n" ASK("read_v")
#define ENTRY(model, name) "OpEntryPoint " model " %" name " \"" name "\"\n"
#define COMPUTE            ENTRY("GLCompute", "main") "OpExecutionMode %main LocalSize 8 4 2\n"
#define FUNCTION(name, type, parameters, body)                                                                         \
	"%" name " = OpFunction %void None %" type "\n" parameters "%" name "_0 = OpLabel\n" body                      \
	"OpReturn\nOpFunctionEnd\n"

struct claim {
	const char *about;
	const char *said; /* a sign for each question, in the order of the module: see sign_of */
	const char *body; /* of main */
	const char *functions, *types, *notes, *entries, *capabilities;
	struct spb_uniformity_wishes wishes;
	bool control; /* the questions are whether all get there */
};

/* =: the same in the group and in the subgroup; g, s: in one of them; x: differs; ?: nothing is known; u: it is not
 * defined */
static char sign_of(const struct spb_uniformity *u, uint32_t question)
{
	uint8_t uniform = spb_uniformity_of(u, question);

	if (uniform)
		return "?gs="[uniform];
	return spb_uniformity_is_certain(u, question, SPB_UNIFORM_BOTH)     ? 'x'
	       : spb_uniformity_is_undefined(u, question, SPB_UNIFORM_BOTH) ? 'u'
									    : '?';
}

static char text[1 << 17];

struct asking {
	struct parsed *p;
	const struct claim *claim;
	char said[300];
};

static void ask(void *argument)
{
	struct asking *a = argument;
	const struct spb_module *m = &a->p->m;
	struct spb_arena *arena = &a->p->m.keep;
	struct spb_calls calls = spb_find_calls(m, arena);
	struct spb_uniformity *u = spb_uniformity_begin(m, &calls, arena, a->claim->wishes);
	uint32_t questions[300], count = 0;

	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpReleaseEvent)
			questions[count++] = a->claim->control ? spb_uniformity_ask_control(u, at)
							       : spb_uniformity_ask_whole(u, at, at + 1);
	}
	spb_uniformity_solve(u);
	for (uint32_t i = 0; i < count; i++)
		a->said[i] = sign_of(u, questions[i]);
}

#define OR(text, otherwise) ((text) ? (text) : (otherwise))

static bool check_claim(const struct claim *c)
{
	struct parsed p;
	struct asking a = {.p = &p, .claim = c};

	const char *const parts[] = {OR(c->capabilities, "OpCapability Shader\n"),
				     "%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n",
				     OR(c->entries, COMPUTE),
				     NOTES,
				     OR(c->notes, ""),
				     TYPES,
				     OR(c->types, ""),
				     "%main = OpFunction %void None %fn\n%main_0 = OpLabel\n" SAME_AND_DIFFERENT,
				     OR(c->body, ""),
				     "OpReturn\nOpFunctionEnd\n",
				     OR(c->functions, "")};
	size_t length = 0;

	for (size_t i = 0; i < SPB_COUNT(parts); i++)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s", parts[i]);
	assert_true(length < sizeof text);
	parse(&p, text);
	if (caught(p.m.context, ask, &a))
		fail_msg("%s: %s", c->about, p.said);
	bool right = !strcmp(a.said, c->said);
	if (!right)
		print_error("%s: %s instead of %s\n", c->about, a.said, c->said);
	drop(&p);
	return right;
}

static void check_claims(const struct claim *claims, size_t count)
{
	bool right = true;

	for (size_t i = 0; i < count; i++)
		right &= check_claim(&claims[i]);
	assert_true(right);
}

/* the size of the workgroup */

#define PARTS                                                                                                          \
	"%gv = OpLoad %v3 %gid\n%gx = OpCompositeExtract %uint %gv 0\n%gy = OpCompositeExtract %uint %gv 1\n"          \
	"%gz = OpCompositeExtract %uint %gv 2\n%lv = OpLoad %v3 %lid\n%lx = OpCompositeExtract %uint %lv 0\n"          \
	"%ly = OpCompositeExtract %uint %lv 1\n%lz = OpCompositeExtract %uint %lv 2\n"
#define COMPUTED(name, op, a, b) "%" name " = " op " %uint %" a " %" b "\n" ASK(name)
#define BY_SIZE                                                                                                        \
	PARTS COMPUTED("a", "OpUDiv", "gx", "c8") COMPUTED("b", "OpUDiv", "gy", "c4")                                  \
	    COMPUTED("c", "OpUDiv", "gz", "c2") COMPUTED("e", "OpUDiv", "lx", "c8")                                    \
		COMPUTED("f", "OpUDiv", "ly", "c4") COMPUTED("g", "OpUDiv", "lz", "c2")                                \
		    COMPUTED("h", "OpUDiv", "d", "c64") ASK("lx") ASK("ly") ASK("lz") ASK("d")
#define OTHER(model)      ENTRY(model, "other")
#define OTHER_FUNCTION    FUNCTION("other", "fn", "", "")
#define SIZE(of, x, y, z) "OpExecutionMode %" of " LocalSize " x " " y " " z "\n"

#define EXT(name, op, operands) "%" name " = OpExtInst %uint %glsl " op " " operands "\n" ASK(name)

static void sizes_of_workgroups_prove_what_they_prove(void **state)
{
	static const struct claim claims[] = {
	    {"the size is known", "=======xxxx", .body = BY_SIZE},
	    {"another entry point has none", "xxxxxxxxxxx", .body = BY_SIZE, OTHER_FUNCTION,
	     .entries = ENTRY("GLCompute", "main") OTHER("GLCompute") SIZE("main", "8", "4", "2")},
	    {"another one has the same, and a third kind needs none", "=======xxxx", .body = BY_SIZE,
	     OTHER_FUNCTION FUNCTION("third", "fn", "", ""),
	     .entries = ENTRY("GLCompute", "main") OTHER("GLCompute") ENTRY("Vertex", "third")
		 SIZE("main", "8", "4", "2") SIZE("other", "8", "4", "2")},
	    {"one of three dimensions is not that of the other", "=x==x=xxxxx", .body = BY_SIZE, OTHER_FUNCTION,
	     .entries = ENTRY("GLCompute", "main") OTHER("GLCompute") SIZE("main", "8", "4", "2")
		 SIZE("other", "8", "2", "2")},
	    {"what differs once is not known any more", "x==x==xxxxx", .body = BY_SIZE,
	     OTHER_FUNCTION FUNCTION("third", "fn", "", ""),
	     .entries = ENTRY("GLCompute", "main") OTHER("GLCompute") ENTRY("GLCompute", "third")
		 SIZE("main", "4", "4", "2") SIZE("other", "8", "4", "2") SIZE("third", "8", "4", "2")},
	    {"one entry point says it twice", "xxxxxxxxxxx", .body = BY_SIZE,
	     .entries = ENTRY("GLCompute", "main") SIZE("main", "8", "4", "2") SIZE("main", "8", "4", "2")},
	    {"one is all there is in a dimension", "==x",
	     .body = PARTS "OpReleaseEvent %ly\nOpReleaseEvent %gy\nOpReleaseEvent %d\n",
	     .entries = ENTRY("GLCompute", "main") SIZE("main", "8", "1", "2")},
	    {"one is all there is",
	     "====", .body = PARTS "OpReleaseEvent %lx\nOpReleaseEvent %ly\nOpReleaseEvent %lz\nOpReleaseEvent %d\n",
	     .entries = ENTRY("GLCompute", "main") SIZE("main", "1", "1", "1")},
	    {"too large for a product", "xx",
	     .body = COMPUTED("a", "OpUDiv", "d", "huge") COMPUTED("b", "OpShiftRightLogical", "d", "c31"),
	     .types = "%huge = OpConstant %uint 0xFFFFFFFF\n%c31 = OpConstant %uint 31\n",
	     .entries = ENTRY("GLCompute", "main") SIZE("main", "1024", "1024", "1")},
	    {"by constants", "=======xxxx", .body = BY_SIZE,
	     .entries = ENTRY("GLCompute", "main") "OpExecutionModeId %main LocalSizeId %c8 %c4 %c2\n"},
	    {"by constants of which the pipeline sets one", "x==x==xxxxx", .body = BY_SIZE,
	     .entries = ENTRY("GLCompute", "main") "OpExecutionModeId %main LocalSizeId %spec %c4 %c2\n"},
	    {"divided by such a constant", "=x=xx",
	     .body = PARTS COMPUTED("a", "OpUDiv", "gx", "spec") COMPUTED("b", "OpUDiv", "gy", "spec")
		 COMPUTED("c", "OpUDiv", "lx", "spec") COMPUTED("e", "OpUMod", "gx", "spec")
		     COMPUTED("f", "OpUDiv", "d", "spec"),
	     .entries = ENTRY("GLCompute", "main") "OpExecutionModeId %main LocalSizeId %spec %c4 %c2\n"},
	    {"divided by it, of two entry points", "x", .body = PARTS COMPUTED("a", "OpUDiv", "gx", "spec"),
	     OTHER_FUNCTION,
	     .entries =
		 ENTRY("GLCompute", "main") OTHER("GLCompute") "OpExecutionModeId %main LocalSizeId %spec %c4 %c2\n"
							       "OpExecutionModeId %other LocalSizeId %spec %c4 %c2\n"},
	    {"the built-in goes before the mode", "x=====x=x",
	     .body = PARTS COMPUTED("a", "OpUDiv", "gx", "c8") COMPUTED("b", "OpUDiv", "gy", "c4") COMPUTED(
		 "c", "OpUDiv", "gz", "c2") COMPUTED("e", "OpUDiv", "gx", "spec") COMPUTED("f", "OpUDiv", "gy", "c2")
		 COMPUTED("g", "OpUDiv", "gz", "c264") COMPUTED("h", "OpUDiv", "gy", "spec")
		     COMPUTED("i", "OpUDiv", "gx", "twin") COMPUTED("j", "OpUDiv", "gx", "cousin"),
	     .notes = "OpDecorate %size BuiltIn WorkgroupSize\nOpDecorate %twin SpecId 7\n"
		      "OpDecorate %cousin SpecId 8\n",
	     .types = "%size = OpSpecConstantComposite %v3 %spec %c2 %c1\n%twin = OpSpecConstant %uint 8\n"
		      "%cousin = OpSpecConstant %uint 8\n"},
	    {"parts of the built-in, and of what has more or fewer", "=xx=x===x",
	     .body = PARTS "%e0 = OpCompositeExtract %uint %size 0\n%e1 = OpCompositeExtract %uint %size 1\n" COMPUTED(
		 "a", "OpUDiv", "gx", "e0") COMPUTED("b", "OpUDiv", "gx", "e1") COMPUTED("c", "OpUDiv", "gy", "e0")
		 COMPUTED("e", "OpUDiv", "gx", "o0") COMPUTED("f", "OpUDiv", "gx", "o1")
		     COMPUTED("g", "OpUDiv", "gx", "o4")
			 COMPUTED("h", "OpUDiv", "gx",
				  "o5") "%i = OpUDiv %v3 %gv %size\nOpReleaseEvent %i\n%j = OpUDiv %v3 %gv %turned\n"
					"OpReleaseEvent %j\n",
	     .notes = "OpDecorate %size BuiltIn WorkgroupSize\n",
	     .types = "%size = OpSpecConstantComposite %v3 %spec %c2 %c1\n%c6 = OpConstant %uint 6\n"
		      "%turned = OpSpecConstantComposite %v3 %c2 %spec %c1\n%six = OpTypeArray %uint %c6\n"
		      "%list = OpSpecConstantComposite %six %c3 %c3 %c3 %c3 %spec %spec\n"
		      "%o0 = OpSpecConstantOp %uint CompositeExtract %size 0\n"
		      "%o1 = OpSpecConstantOp %uint CompositeExtract %size 1\n"
		      "%o4 = OpSpecConstantOp %uint CompositeExtract %list 4\n"
		      "%o5 = OpSpecConstantOp %uint CompositeExtract %list 5\n"},
	    {"a line between what is said of it", "=======xxxx", .body = BY_SIZE,
	     .entries = "OpNoLine\n" ENTRY("GLCompute", "main") "OpNoLine\n" SIZE("main", "8", "4", "2") "OpNoLine\n"},
	    {"other modes say nothing of it", "=======xxxx", .body = BY_SIZE,
	     .entries = ENTRY("GLCompute", "main")
		 SIZE("main", "8", "4", "2") "OpExecutionMode %main LocalSizeHint 2 2 2\n"
					     "OpExecutionModeId %main LocalSizeHintId %c2 %c2 %c2\n"},
	    {"half the size", "xxxx",
	     .body = PARTS COMPUTED("a", "OpUDiv", "d", "c32") COMPUTED("b", "OpUDiv", "gx", "c4")
		 COMPUTED("c", "OpUDiv", "lx", "c4") COMPUTED("e", "OpUDiv", "gy", "c2"),
	     .types = "%c32 = OpConstant %uint 32\n"},
	    {"copies, parts and what was stored are still those ids", "===u====",
	     .body = PARTS "%copy = OpCopyObject %uint %gx\n" COMPUTED(
		 "a", "OpUDiv", "copy",
		 "c8") "%sh = OpVectorShuffle %v3 %gv %lv 1 4 0xFFFFFFFF\n"
		       "%s0 = OpCompositeExtract %uint %sh 0\n%s1 = OpCompositeExtract %uint %sh 1\n"
		       "%s2 = OpCompositeExtract %uint %sh 2\n" COMPUTED("b", "OpUDiv", "s0", "c4")
			   COMPUTED("c", "OpUDiv", "s1", "c4") COMPUTED(
			       "e", "OpUDiv", "s2",
			       "c4") "%v = OpVariable %pf_two Function\n%v1 = OpAccessChain %pf3 %v %c1\nOpStore %v1 "
				     "%gv\n"
				     "%v10 = OpAccessChain %pf %v %c1 %c0\n%v12 = OpAccessChain %pf %v %c1 %c2\n"
				     "%l0 = OpLoad %uint %v10\n%l2 = OpLoad %uint %v12\n" COMPUTED("f", "OpUDiv", "l0",
												   "c8")
					 COMPUTED(
					     "g",
					     "OpUDiv", "l2",
					     "c2") "%w = OpVariable %pf Function\n%r = OpFunctionCall %void %h %w %gx\n"
						   "%lw = OpLoad %uint %w\nOpStore %w %lx\n%lw2 = OpLoad %uint "
						   "%w\n" COMPUTED("i", "OpUDiv", "lw2", "c8"),
	     .functions =
		 FUNCTION("h", "takes", "%h_p = OpFunctionParameter %pf\n%h_x = OpFunctionParameter %uint\n",
			  "%h_g = OpLoad %v3 %gid\n%h_0x = OpCompositeExtract %uint %h_g 0\n"
			  "OpStore %h_p %h_0x\n%h_l = OpLoad %uint %h_p\n" COMPUTED("h_q", "OpUDiv", "h_l", "c8")),
	     .types = "%two = OpTypeStruct %uint %v3\n%pf_two = OpTypePointer Function %two\n"
		      "%pf3 = OpTypePointer Function %v3\n%takes = OpTypeFunction %void %pf %uint\n"},
	    {"bounds that leave nothing to choose", "====xx=xx=x",
	     .body = EXT("a", "UMin", "%d %c0") EXT("b", "UMin", "%null %d") EXT("c", "UMax", "%d %most")
		 EXT("e", "UMax", "%most %d") EXT("f", "UMax", "%d %c0") EXT("g", "UMin", "%d %c1")
		     EXT("h", "UClamp", "%d %c4 %c4") EXT("i", "UClamp", "%d %c3 %c4") EXT("j", "UClamp", "%d %s %spec")
			 COMPUTED("k", "OpBitwiseXor", "d", "d") COMPUTED("l", "OpBitwiseXor", "d", "s"),
	     .types = "%most = OpConstant %uint 0xFFFFFFFF\n"},
	    {"divisions that heed signs", "==xx",
	     .body = PARTS COMPUTED("a", "OpSDiv", "lx", "c8") COMPUTED("b", "OpSDiv", "d", "half")
		 COMPUTED("c", "OpSDiv", "d", "more") COMPUTED("e", "OpSDiv", "gx", "c8"),
	     .types = "%half = OpConstant %uint 0x7FFFFFFF\n%more = OpConstant %uint 0x80000000\n"},
	    {"differences", "=xxx==",
	     .body = PARTS COMPUTED("a", "OpISub", "gx", "lx") COMPUTED("b", "OpISub", "gx", "ly")
		 COMPUTED("c", "OpISub", "gx", "s") COMPUTED("e", "OpISub", "s", "lx") COMPUTED("f", "OpISub", "d", "d")
		     COMPUTED("g", "OpISub", "gz", "lz")},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* The same, of each operation, each built-in and many numbers, against what each invocation of some workgroups finds.
 */

enum { OPS = 5, ORIGINS = 7 };

static uint32_t operated(uint32_t op, uint32_t x, uint32_t by)
{
	switch (op) {
	case 0:
		return x / by;
	case 1:
		return (uint32_t)((int64_t)(int32_t)x / (int32_t)by);
	case 2:
		return x >> (by < 32 ? by : 31); /* more is not defined */
	default:
		return x & by;
	}
}

/* `origin`: the components of LocalInvocationId, those of GlobalInvocationId, LocalInvocationIndex. */
static uint32_t original(uint32_t origin, const uint32_t *size, uint32_t index, uint32_t group)
{
	const uint32_t local[] = {index % size[0], index / size[0] % size[1], index / size[0] / size[1]};

	return origin == 6 ? index : origin < 3 ? local[origin] : group * size[origin - 3] + local[origin - 3];
}

static bool is_the_same(uint32_t op, uint32_t origin, const uint32_t *size, uint32_t by)
{
	/* where the result steps up, perhaps */
	const uint32_t around = (op == 2 ? 1u << (by < 32 ? by : 31) : by) / size[origin % 3];
	const uint32_t groups[] = {0, 1, 2, 3, 4, 7, 8, 31, 32, 100, 0xFFFF, 0x100000, around};

	for (size_t g = 0; g < SPB_COUNT(groups); g++) {
		if ((uint64_t)(groups[g] + 1) * size[origin % 3] > (uint64_t)UINT32_MAX + 1)
			continue; /* ids have 32 bits */
		for (uint32_t i = 1; i < size[0] * size[1] * size[2]; i++) {
			if (operated(op, original(origin, size, i, groups[g]), by) !=
			    operated(op, original(origin, size, 0, groups[g]), by))
				return false;
		}
	}
	return true;
}

static void sizes_prove_what_a_naive_model_says(void **state)
{
	static const uint32_t sizes[][3] = {{8, 4, 2}, {6, 1, 5}, {1, 16, 3}, {128, 1, 1}};
	static const uint32_t numbers[] = {1,  2,   3,    4,    5,          6,          7,          8,         10, 11,
					   12, 15,  16,   24,   30,         31,         32,         48,        63, 64,
					   96, 128, 1024, 2048, 0xFFFFFFC0, 0xFFFFFFF8, 0x7FFFFFFF, 0x80000000};
	static const char *const ops[OPS] = {"OpUDiv", "OpSDiv", "OpShiftRightLogical", "OpBitwiseAnd", "OpBitwiseAnd"};
	static const char *const origins[ORIGINS] = {"lx", "ly", "lz", "gx", "gy", "gz", "d"};
	static char body[20000], types[4000], entries[200];
	uint32_t proved = 0;

	(void)state;
	for (size_t k = 0; k < SPB_COUNT(sizes); k++) {
		for (uint32_t origin = 0; origin < ORIGINS; origin++) {
			size_t length = (size_t)snprintf(body, sizeof body, "%s", PARTS), declared = 0;
			for (size_t n = 0; n < SPB_COUNT(numbers); n++)
				declared += (size_t)snprintf(types + declared, sizeof types - declared,
							     "%%n%u = OpConstant %%uint %u\n", (unsigned)n, numbers[n]);
			for (uint32_t op = 0; op < OPS; op++) {
				for (unsigned n = 0; n < SPB_COUNT(numbers); n++) {
					char number[12], from[12];
					snprintf(number, sizeof number, "%%n%u", n);
					snprintf(from, sizeof from, "%%%s", origins[origin]);
					length += (size_t)snprintf(body + length, sizeof body - length,
								   "%%r%u_%u = %s %%uint %s %s\n", op, n, ops[op],
								   op == 4 ? number : from, op == 4 ? from : number);
					length += (size_t)snprintf(body + length, sizeof body - length,
								   "OpReleaseEvent %%r%u_%u\n", op, n);
				}
			}
			snprintf(entries, sizeof entries,
				 "OpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize %u %u %u\n",
				 sizes[k][0], sizes[k][1], sizes[k][2]);
			char said[OPS * SPB_COUNT(numbers) + 1];
			for (uint32_t op = 0; op < OPS; op++) {
				for (size_t n = 0; n < SPB_COUNT(numbers); n++) {
					/* of a global id as a number with a sign, and of one that is no power of two,
					 * nothing is said */
					const uint32_t range = origin < 3 || origin == 6 ? 0 : sizes[k][origin - 3];
					const bool one = origin == 6 ? sizes[k][0] * sizes[k][1] * sizes[k][2] == 1
								     : sizes[k][origin % 3] == 1;
					const bool heeded =
					    one || ((!range || (op != 1 && (op < 3 || !(range & (range - 1))))) &&
						    (op != 1 || numbers[n] <= INT32_MAX));
					const bool same = heeded && is_the_same(op, origin, sizes[k], numbers[n]);
					said[op * SPB_COUNT(numbers) + n] = same ? '=' : 'x';
					proved += same;
				}
			}
			said[OPS * SPB_COUNT(numbers)] = '\0';
			const struct claim claim = {origins[origin], said, .body = body, .types = types,
						    .entries = entries};
			assert_true(check_claim(&claim));
		}
	}
	assert_true(proved > 500);
}

/* variables */

#define FIVE(type)       " %" type " %" type " %" type " %" type " %" type
#define TEN(type)        FIVE(type) FIVE(type)
#define MANY(name, type) "%" name " = OpTypeStruct" TEN(type) TEN(type) TEN(type) TEN(type) "\n"
/* Two structures that have as many components as each other if those of either array were told apart in one of them. */
#define SIDE(x)                                                                                                        \
	"%" x "3 = OpTypeArray %uint %c3\n%" x "15 = OpTypeArray %uint %c15\n%" x "16 = OpTypeArray %uint %c16\n%" x   \
	"s = OpTypeStruct" TEN(x "3") TEN(x "3")                                                                       \
	    TEN(x "3") "\n%" x "t = OpTypeStruct %" x "15 %" x "16\n%" x " = OpTypeStruct %" x "s %" x "t\n%pf_" x     \
		       " = OpTypePointer Function %" x "\n%null_" x " = OpConstantNull %" x "\n"
#define LOGICAL "%c15 = OpConstant %uint 15\n%c16 = OpConstant %uint 16\n" SIDE("x") SIDE("y")

/* Arrays that are indexed by what is no constant, so that no element has a component of its own; all differ at first.
 */
#define ARRAYS                                                                                                         \
	"%h = OpTypeStruct" TEN("uint") TEN("uint") TEN("uint")                                                        \
	    TEN("uint") "\n%hh = OpTypeStruct %h %h\n"                                                                 \
			"%null_h = OpConstantNull %h\n%pf_h = OpTypePointer Function %h\n%pf_hh = OpTypePointer "      \
			"Function %hh\n"                                                                               \
			"%ac2 = OpTypeArray %uint %c2\n%ac3 = OpTypeArray %uint %c3\n%nest = OpTypeArray %ac2 %c2\n"   \
			"%pf_c2 = OpTypePointer Function %ac2\n%pf_c3 = OpTypePointer Function %ac3\n"                 \
			"%pf_n = OpTypePointer Function %nest\n"
#define ELEMENTS(n)                                                                                                    \
	"%v = OpVariable %pf_" n " Function\n%v0 = OpAccessChain %pf %v %c0\n%v1 = OpAccessChain %pf %v %c1\n"         \
	"%vs = OpAccessChain %pf %v %s\nOpStore %vs %d\n"
#define NESTS                                                                                                          \
	"%n = OpVariable %pf_n Function\n%ns = OpAccessChain %pf %n %s %s\n%n0 = OpAccessChain %pf_c2 %n %c0\n"        \
	"%n00 = OpAccessChain %pf %n0 %c0\n%n01 = OpAccessChain %pf %n %c0 %c1\n%n10 = OpAccessChain %pf %n %c1 %c0\n" \
	"%n11 = OpAccessChain %pf %n %c1 %c1\nOpStore %ns %d\n"
#define LARGE                                                                                                          \
	"%g = OpVariable %pf_hh Function\n%g03 = OpAccessChain %pf %g %c0 %c3\n%g0 = OpAccessChain %pf_h %g %c0\n"     \
	"%g1 = OpAccessChain %pf_h %g %c1\nOpStore %g03 %d\n"
#define LOOP(x, end)                                                                                                   \
	"%" x "v = OpVariable %pf Function\nOpStore %" x "v %c0\nOpBranch %" x "h\n%" x "h = OpLabel\n%" x             \
	"i = OpLoad %uint %" x "v\n%" x "n = OpIAdd %uint %" x "i %c1\nOpStore %" x "v %" x "n\n%" x                   \
	"c = OpULessThan %bool %" x "n %" end "\nOpLoopMerge %" x "e %" x "k None\nOpBranchConditional %" x "c %" x    \
	"k %" x "e\n%" x "k = OpLabel\nOpBranch %" x "h\n%" x "e = OpLabel\n%" x "l = OpLoad %uint %" x                \
	"v\n" ASK(x "l")

static void variables_hold_what_was_stored(void **state)
{
	static const struct claim claims[] = {
	    {"a number beside a pointer whose type is declared later", "=xx=",
	     .body = "%v = OpVariable %pf_S Function\n%n = OpConvertUToPtr %pn %lo\n%m0 = OpAccessChain %pf_pn %v %c0\n"
		     "%m1 = OpAccessChain %pf %v %c1\n%m2 = OpAccessChain %pf %v %c2\nOpStore %m2 %d\nOpStore %m0 %n\n"
		     "OpStore %m1 %s\n%l = OpLoad %uint %m1\n%k = OpLoad %uint %m2\n" ASK("l") ASK(
			 "k") "%w = OpVariable %pf_S Function\n%x = OpCompositeConstruct %S %n %d %s\nOpStore %w %x\n"
			      "%w1 = OpAccessChain %pf %w %c1\n%w2 = OpAccessChain %pf %w %c2\n%wl = OpLoad %uint %w1\n"
			      "%wk = OpLoad %uint %w2\n" ASK("wl") ASK("wk"),
	     .types = "OpTypeForwardPointer %pn PhysicalStorageBuffer\n%S = OpTypeStruct %pn %uint %uint\n"
		      "%Node = OpTypeStruct %S\n%pn = OpTypePointer PhysicalStorageBuffer %Node\n"
		      "%pf_S = OpTypePointer Function %S\n%pf_pn = OpTypePointer Function %pn\n"
		      "%lo = OpConstant %ulong 4096\n"},
	    {"an array that the pipeline indexes has one component for all", "xx",
	     .body = "%v = OpVariable %pf_c2 Function\n%m0 = OpAccessChain %pf %v %c0\n%m1 = OpAccessChain %pf %v %c1\n"
		     "%mp = OpAccessChain %pf %v %spec\nOpStore %mp %d\nOpStore %m0 %s\n"
		     "%l0 = OpLoad %uint %m0\n%l1 = OpLoad %uint %m1\n" ASK("l0") ASK("l1"),
	     .types = ARRAYS},
	    {"a null has a value", "===xx",
	     .body = COMPUTED("a", "OpIMul", "d", "null") COMPUTED("b", "OpIMul", "null", "d")
		 COMPUTED("c", "OpBitwiseAnd", "d", "null") COMPUTED("e", "OpUDiv", "d", "null")
		     COMPUTED("f", "OpUMod", "d", "null")},
	    {"elements of an array of arrays that shared memory has, too, have all one", "xx",
	     .body = "%v = OpVariable %pf_b Function\n%v0 = OpAccessChain %pf %v %c0\n"
		     "%v1 = OpAccessChain %pf %v %c1\nOpStore %v0 %s\nOpStore %v1 %d\n"
		     "%l0 = OpLoad %uint %v0\n%l1 = OpLoad %uint %v1\nOpReleaseEvent %l0\n"
		     "OpReleaseEvent %l1\n",
	     .types = "%b = OpTypeArray %uint %c3\n%a = OpTypeArray %b %c2\n"
		      "%pw_a = OpTypePointer Workgroup %a\n%pf_b = OpTypePointer Function %b\n"},
	    {"otherwise they have their own", "=x",
	     .body = "%v = OpVariable %pf_b Function\n%v0 = OpAccessChain %pf %v %c0\n"
		     "%v1 = OpAccessChain %pf %v %c1\nOpStore %v0 %s\nOpStore %v1 %d\n"
		     "%l0 = OpLoad %uint %v0\n%l1 = OpLoad %uint %v1\nOpReleaseEvent %l0\n"
		     "OpReleaseEvent %l1\n",
	     .types = "%b = OpTypeArray %uint %c3\n%a = OpTypeArray %b %c2\n"
		      "%pf_a = OpTypePointer Function %a\n%pf_b = OpTypePointer Function %b\n"},
	    {"neither side of a logical copy has elements of its own", "xxxx",
	     .body = "%v = OpVariable %pf_x Function\n%w = OpVariable %pf_y Function\n"
		     "%v0 = OpAccessChain %pf %v %c0 %c0\n%v1 = OpAccessChain %pf %v %c0 %c1\n"
		     "%w0 = OpAccessChain %pf %w %c0 %c0\n%w1 = OpAccessChain %pf %w %c0 %c1\n"
		     "OpStore %v0 %s\nOpStore %v1 %d\n%x0 = OpLoad %x %v\n%y0 = OpCopyLogical %y %x0\n"
		     "OpStore %w %y0\n%l0 = OpLoad %uint %v0\n%l1 = OpLoad %uint %v1\n"
		     "%m0 = OpLoad %uint %w0\n%m1 = OpLoad %uint %w1\nOpReleaseEvent %l0\n"
		     "OpReleaseEvent %l1\nOpReleaseEvent %m0\nOpReleaseEvent %m1\n",
	     .types = "%xa = OpTypeArray %uint %c2\n%ya = OpTypeArray %uint %c2\n%x = OpTypeStruct %xa\n"
		      "%y = OpTypeStruct %ya\n%pf_x = OpTypePointer Function %x\n"
		      "%pf_y = OpTypePointer Function %y\n",
	     .notes = "OpDecorate %xa ArrayStride 4\n"},
	    {"components of a logical copy are not mistaken for others", "x",
	     .body = "%v = OpVariable %pf_x Function %null_x\n%w = OpVariable %pf_y Function %null_y\n"
		     "%v0 = OpAccessChain %pf %v %c1 %c0 %c0\n%w0 = OpAccessChain %pf %w %c1 %c0 %c0\n"
		     "OpStore %v0 %d\n%x0 = OpLoad %x %v\n%y0 = OpCopyLogical %y %x0\nOpStore %w %y0\n"
		     "%l = OpLoad %uint %w0\nOpReleaseEvent %l\n",
	     .types = LOGICAL},
	    {"nor the other way round", "x",
	     .body = "%v = OpVariable %pf_x Function %null_x\n%w = OpVariable %pf_y Function %null_y\n"
		     "%v0 = OpAccessChain %pf %v %c0 %c1 %c0\n%w0 = OpAccessChain %pf %w %c0 %c1 %c0\n"
		     "OpStore %v0 %d\n%x0 = OpLoad %x %v\n%y0 = OpCopyLogical %y %x0\nOpStore %w %y0\n"
		     "%l = OpLoad %uint %w0\nOpReleaseEvent %l\n",
	     .types = LOGICAL},
	    {"members of what a call writes", "x=x=x=",
	     .body = "%v = OpVariable %pf_b Function\n%r1 = OpFunctionCall %void %f %v %d %s\n"
		     "%p0 = OpAccessChain %pf %v %c0\n%p1 = OpAccessChain %pf %v %c1\n"
		     "%l0 = OpLoad %uint %p0\n%l1 = OpLoad %uint %p1\nOpReleaseEvent %l0\n"
		     "OpReleaseEvent %l1\n%w = OpVariable %pf_c Function %null_c\n"
		     "%w1 = OpAccessChain %pf_b %w %c1\n%r2 = OpFunctionCall %void %f %w1 %d %s\n"
		     "%q0 = OpAccessChain %pf %w %c1 %c0\n%q1 = OpAccessChain %pf %w %c1 %c1\n"
		     "%m0 = OpLoad %uint %q0\n%m1 = OpLoad %uint %q1\nOpReleaseEvent %m0\n"
		     "OpReleaseEvent %m1\n%r3 = OpFunctionCall %void %import %w1\n%n0 = OpLoad %uint %q0\n"
		     "%q2 = OpAccessChain %pf %w %c0\n%n1 = OpLoad %uint %q2\nOpReleaseEvent %n0\n"
		     "OpReleaseEvent %n1\n",
	     "%import = OpFunction %void None %fn_b\n%import_p = OpFunctionParameter %pf_b\n"
	     "OpFunctionEnd\n" FUNCTION("f", "fn3",
					"%f_p = OpFunctionParameter %pf_b\n%f_d = OpFunctionParameter %uint\n"
					"%f_s = OpFunctionParameter %uint\n",
					"%f_0p = OpAccessChain %pf %f_p %c0\n%f_1p = OpAccessChain %pf %f_p %c1\n"
					"OpStore %f_0p %f_d\nOpStore %f_1p %f_s\n"),
	     .types = "%b = OpTypeStruct %uint %uint\n%c = OpTypeStruct %uint %b\n"
		      "%null_c = OpConstantNull %c\n%pf_b = OpTypePointer Function %b\n"
		      "%pf_c = OpTypePointer Function %c\n%fn3 = OpTypeFunction %void %pf_b %uint %uint\n"
		      "%fn_b = OpTypeFunction %void %pf_b\n"},
	    {"a part of more than is told apart", "x",
	     .body = "%v = OpVariable %pf_l Function\n%v1 = OpAccessChain %pf_b %v %c1\n"
		     "%r1 = OpFunctionCall %void %f %v1 %d %s\n%p1 = OpAccessChain %pf %v %c1 %c1\n"
		     "%l1 = OpLoad %uint %p1\nOpReleaseEvent %l1\n",
	     FUNCTION("f", "fn3",
		      "%f_p = OpFunctionParameter %pf_b\n%f_d = OpFunctionParameter %uint\n"
		      "%f_s = OpFunctionParameter %uint\n",
		      "%f_0p = OpAccessChain %pf %f_p %c0\n%f_1p = OpAccessChain %pf %f_p %c1\n"
		      "OpStore %f_0p %f_d\nOpStore %f_1p %f_s\n"),
	     .types = "%b = OpTypeStruct %uint %uint\n" MANY(
		 "l", "b") "%pf_b = OpTypePointer Function %b\n%pf_l = OpTypePointer Function %l\n"
			   "%fn3 = OpTypeFunction %void %pf_b %uint %uint\n"},
	    {"a parameter that is another's variable holds what is stored there", "xx=",
	     .body = "%v = OpVariable %pf Function\n%w = OpVariable %pf Function\nOpStore %w %s\n"
		     "%r = OpFunctionCall %void %f %v %v %d\n%r2 = OpFunctionCall %void %g %w %d\n"
		     "%l = OpLoad %uint %w\n",
	     FUNCTION("f", "fn3",
		      "%f_p = OpFunctionParameter %pf\n%f_q = OpFunctionParameter %pf\n"
		      "%f_d = OpFunctionParameter %uint\n",
		      "OpStore %f_p %c1\nOpStore %f_q %f_d\n%f_l = OpLoad %uint %f_p\nOpReleaseEvent %f_l\n"
		      "OpStore %f_p %c2\n%f_m = OpLoad %uint %f_q\nOpReleaseEvent %f_m\n")
		 FUNCTION("g", "fn2", "%g_p = OpFunctionParameter %pf\n%g_d = OpFunctionParameter %uint\n",
			  "OpStore %g_p %g_d\nOpStore %g_p %c1\n%g_l = OpLoad %uint %g_p\nOpReleaseEvent %g_l\n"),
	     .types = "%fn3 = OpTypeFunction %void %pf %pf %uint\n%fn2 = OpTypeFunction %void %pf %uint\n"},
	    {"all elements have been overwritten", "=x",
	     .body = ELEMENTS("c2") "OpStore %v0 %s\nOpStore %v1 %c1\n%l = OpLoad %uint %vs\nOpReleaseEvent %l\n"
				    "OpStore %v0 %d\nOpStore %v0 %s\nOpStore %v0 %c1\n%l2 = OpLoad %uint %vs\n"
				    "OpReleaseEvent %l2\n",
	     .types = ARRAYS},
	    {"all but one have", "x",
	     .body = ELEMENTS("c3") "OpStore %v0 %s\nOpStore %v1 %c1\n%l = OpLoad %uint %vs\nOpReleaseEvent %l\n",
	     .types = ARRAYS},
	    {"all elements of elements have been overwritten", "=",
	     .body = NESTS "OpStore %n00 %s\nOpStore %n01 %c1\nOpStore %n10 %s\nOpStore %n11 %s\n"
			   "%l = OpLoad %uint %ns\nOpReleaseEvent %l\n",
	     .types = ARRAYS},
	    {"all but one of them have", "x",
	     .body = NESTS "OpStore %n00 %s\nOpStore %n01 %c1\nOpStore %n10 %s\nOpStore %n10 %s\n"
			   "%l = OpLoad %uint %ns\nOpReleaseEvent %l\n",
	     .types = ARRAYS},
	    {"both of two large parts have been overwritten", "=",
	     .body = LARGE "OpStore %g0 %null_h\nOpStore %g1 %null_h\n%l = OpLoad %uint %g03\n"
			   "OpReleaseEvent %l\n",
	     .types = ARRAYS},
	    {"one of them has", "x",
	     .body = LARGE "OpStore %g1 %null_h\nOpStore %g1 %null_h\n%l = OpLoad %uint %g03\n"
			   "OpReleaseEvent %l\n",
	     .types = ARRAYS},
	    {"what extended instructions store", "=x",
	     .body = "%v = OpVariable %pff Function\n%fs = OpConvertUToF %float %s\n"
		     "%fd = OpConvertUToF %float %d\nOpStore %v %fd\n"
		     "%m = OpExtInst %float %glsl Modf %fs %v\n%l = OpLoad %float %v\nOpReleaseEvent %l\n"
		     "%m2 = OpExtInst %float %glsl Modf %fd %v\n%l2 = OpLoad %float %v\n"
		     "OpReleaseEvent %l2\n",
	     .types = "%pff = OpTypePointer Function %float\n"},
	    {"what is copied from memory", "=x=?=",
	     .body = "%v = OpVariable %pf Function\n%w = OpVariable %pf Function\nOpStore %w %s\n"
		     "OpStore %v %d\nOpCopyMemory %v %w\n%l0 = OpLoad %uint %v\nOpReleaseEvent %l0\n"
		     "OpCopyMemory %v %lane\n%l1 = OpLoad %uint %v\nOpReleaseEvent %l1\n"
		     "%p_read = OpAccessChain %pb %read %c0\nOpCopyMemory %v %p_read\n"
		     "%l2 = OpLoad %uint %v\nOpReleaseEvent %l2\n%p2 = OpAccessChain %pb %buf2 %c0\n"
		     "OpStore %p2 %c1\nOpCopyMemory %v %p2\n%l3 = OpLoad %uint %v\nOpReleaseEvent %l3\n"
		     "OpCopyMemorySized %v %w %c4\n%l4 = OpLoad %uint %w\n" ASK("l4")},
	    {"volatile memory", "?", .body = READ, .notes = "OpDecorate %read Volatile\n"},
	    {"a volatile member", "?", .body = READ, .notes = "OpMemberDecorate %Buf 0 Volatile\n"},
	    {"a loop that all leave together, and one that they do not", "=x", .body = LOOP("a", "s") LOOP("b", "d")},
	    {"the value of an invocation that may not be there", "=x",
	     .body = "OpSelectionMerge %m None\nOpBranchConditional %sam %t %m\n%t = OpLabel\n"
		     "%x = OpGroupNonUniformBroadcast %uint %c3 %s %c1\nOpReleaseEvent %x\nOpBranch %m\n"
		     "%m = OpLabel\nOpSelectionMerge %n None\nOpBranchConditional %dif %u %n\n"
		     "%u = OpLabel\n%y = OpGroupNonUniformBroadcast %uint %c3 %s %c1\nOpReleaseEvent %y\n"
		     "OpBranch %n\n%n = OpLabel\n"},
	    {"members of a variable of the module that others store",
	     "x=", .body = "%r = OpFunctionCall %void %f %d %s\n%r2 = OpFunctionCall %void %g\n",
	     .functions = FUNCTION("f", "takes", "%f_d = OpFunctionParameter %uint\n%f_s = OpFunctionParameter %uint\n",
				   "%p0 = OpAccessChain %pp %v %c0\n%p1 = OpAccessChain %pp %v %c1\nOpStore %p0 %f_d\n"
				   "OpStore %p1 %f_s\n")
		 FUNCTION("g", "fn", "",
			  "%q0 = OpAccessChain %pp %v %c0\n%q1 = OpAccessChain %pp %v %c1\n"
			  "%l0 = OpLoad %uint %q0\n%l1 = OpLoad %uint %q1\nOpReleaseEvent %l0\n"
			  "OpReleaseEvent %l1\n"),
	     .types = "%two = OpTypeStruct %uint %uint\n%pp_two = OpTypePointer Private %two\n"
		      "%v = OpVariable %pp_two Private\n%takes = OpTypeFunction %void %uint %uint\n"},
	    {"of which one is stored by some", "x=",
	     .body = "%r = OpFunctionCall %void %f %dif %s\n"
		     "%r2 = OpFunctionCall %void %g\n",
	     .functions = FUNCTION(
		 "f", "takes",
		 "%f_c = OpFunctionParameter %bool\n"
		 "%f_s = OpFunctionParameter %uint\n",
		 "%p0 = OpAccessChain %pp %v %c0\n%p1 = OpAccessChain %pp %v %c1\n"
		 "OpStore %p0 %c1\nOpStore %p1 %f_s\nOpSelectionMerge %f_2 None\nOpBranchConditional %f_c %f_1 %f_2\n"
		 "%f_1 = OpLabel\nOpStore %p0 %c2\nOpBranch %f_2\n%f_2 = OpLabel\n")
		 FUNCTION("g", "fn", "",
			  "%q0 = OpAccessChain %pp %v %c0\n%q1 = OpAccessChain %pp %v %c1\n%l0 = OpLoad %uint %q0\n"
			  "%l1 = OpLoad %uint %q1\nOpReleaseEvent %l0\nOpReleaseEvent %l1\n"),
	     .types = "%two = OpTypeStruct %uint %uint\n%pp_two = OpTypePointer Private %two\n"
		      "%v = OpVariable %pp_two Private\n%takes = OpTypeFunction %void %bool %uint\n"},
	    {"an index that the pipeline sets is none that is known", "x",
	     .body = "%v = OpVariable %pf_a Function\n"
		     "%v0 = OpAccessChain %pf %v %c0\n%v1 = OpAccessChain %pf %v %one\nOpStore %v0 %s\nOpStore %v1 %d\n"
		     "%l = OpLoad %uint %v0\nOpReleaseEvent %l\n",
	     .types = "%one = OpSpecConstant %uint 1\n"
		      "%a = OpTypeArray %uint %c2\n%pf_a = OpTypePointer Function %a\n"},
	    {"by marks alone, branches do not count for what is stored anywhere", "=x",
	     .body = "%mk = OpCopyObject %bool %sam\n%md = OpCopyObject %uint %s\nOpSelectionMerge %m None\n"
		     "OpBranchConditional %mk %t %m\n%t = OpLabel\n%r = OpFunctionCall %void %f %md\nOpBranch %m\n%m = "
		     "OpLabel\n"
		     "%r2 = OpFunctionCall %void %g\n",
	     .functions =
		 FUNCTION("f", "takes", "%f_d = OpFunctionParameter %uint\n", "OpStore %v %c1\nOpStore %w %f_d\n")
		     FUNCTION("g", "fn", "",
			      "%l = OpLoad %uint %v\nOpReleaseEvent %l\n"
			      "%l2 = OpLoad %uint %w\nOpReleaseEvent %l2\n"),
	     .types = "%v = OpVariable %pp Private\n%w = OpVariable %pp Private\n%takes = OpTypeFunction %void %uint\n",
	     .notes = "OpDecorate %mk NonUniform\nOpDecorate %md NonUniform\n",
	     .wishes = {.marks_only = true, .heed_marks = true}},
	    {"who gets there: branches in branches, loops, and calls", "=xx=x=x", .control = true,
	     .body = "OpReleaseEvent %s\nOpSelectionMerge %m None\nOpBranchConditional %dif %t %m\n%t = OpLabel\n"
		     "OpReleaseEvent %s\nOpSelectionMerge %u None\nOpBranchConditional %sam %w %u\n%w = OpLabel\n"
		     "OpReleaseEvent %s\n%r0 = OpFunctionCall %void %f\nOpBranch %u\n%u = OpLabel\nOpBranch %m\n%m = "
		     "OpLabel\n"
		     "OpReleaseEvent %s\nOpBranch %h\n%h = OpLabel\nOpLoopMerge %e %k None\nOpBranchConditional %dif "
		     "%k %e\n"
		     "%k = OpLabel\nOpReleaseEvent %s\nOpBranch %h\n%e = OpLabel\nOpReleaseEvent %s\n",
	     .functions = FUNCTION("f", "fn", "", "%x = OpLoad %uint %lane\nOpReleaseEvent %x\n")},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* module-scope variables */

static void private_variables_hold_what_was_stored_before(void **state)
{
#define STORES(n) FUNCTION("e" n, "fn", "", "OpStore %v %c1\n%r" n " = OpFunctionCall %void %large\n")
#define FOUR      ENTRY("Vertex", "e1") ENTRY("Vertex", "e1") ENTRY("Vertex", "e1") ENTRY("Vertex", "e1")
#define LINES_8   "OpNop\nOpNop\nOpNop\nOpNop\nOpNop\nOpNop\nOpNop\nOpNop\n"
#define LINES     LINES_8 LINES_8 LINES_8 LINES_8 LINES_8 LINES_8 LINES_8 LINES_8 LINES_8 LINES_8 LINES_8 LINES_8
	static const struct claim claims[] = {
	    {"written by what a function calls", "=x=",
	     .body = "OpStore %pv %s\n%l0 = OpLoad %uint %pv\n" ASK(
		 "l0") "%r0 = OpFunctionCall %void %f\n%l1 = OpLoad %uint %pv\n" ASK("l1") "OpStore %pv %s\n%r1 = "
											   "OpFunctionCall %void "
											   "%idle\n%l2 = OpLoad %uint "
											   "%pv\n" ASK("l2"),
	     .functions = FUNCTION("f", "fn", "", "%fr = OpFunctionCall %void %g\n") FUNCTION("idle", "fn", "", "")
		 FUNCTION("g", "fn", "", "%gr = OpFunctionCall %void %h\n")
		     FUNCTION("h", "fn", "", "%hl = OpLoad %uint %lane\nOpStore %pv %hl\n"),
	     .types = "%pv = OpVariable %pp Private\n"},
	    {"the same, where callees stand in front", "=x",
	     .body = "OpStore %pv %s\n%l0 = OpLoad %uint %pv\n" ASK(
		 "l0") "%r0 = OpFunctionCall %void %f\n%l1 = OpLoad %uint %pv\n" ASK("l1"),
	     .functions = FUNCTION("h", "fn", "", "%hl = OpLoad %uint %lane\nOpStore %pv %hl\n")
		 FUNCTION("g", "fn", "", "%gr = OpFunctionCall %void %h\n")
		     FUNCTION("f", "fn", "", "%fr = OpFunctionCall %void %g\n"),
	     .types = "%pv = OpVariable %pp Private\n"},
	    {"copied to, and then read by a function", "=",
	     .body = "OpCopyMemory %pv %p_s\n%r = OpFunctionCall %void %f\n",
	     .functions = FUNCTION("f", "fn", "", "%fl = OpLoad %uint %pv\n" ASK("fl")),
	     .types = "%pv = OpVariable %pp Private\n"},
	    {"copied from before it is written", "u", .body = "%r0 = OpFunctionCall %void %f\nOpStore %pv %c1\n",
	     .functions =
		 FUNCTION("f", "fn", "",
			  "%fv = OpVariable %pf Function\nOpCopyMemory %fv %pv\n%fl = OpLoad %uint %fv\n" ASK("fl")),
	     .types = "%pv = OpVariable %pp Private\n"},
	    {"read before where nobody gets", "=",
	     .body = "OpBranch %b\n%a = OpLabel\n%l = OpLoad %uint %pv\nOpBranch %b\n%b = OpLabel\nOpStore %pv "
		     "%c1\n%r0 = OpFunctionCall %void %f\n",
	     .functions = FUNCTION("f", "fn", "", "%fl = OpLoad %uint %pv\n" ASK("fl")),
	     .types = "%pv = OpVariable %pp Private\n"},
	    {"what only leads to it does not read it", "=",
	     .body = "%e = OpAccessChain %pp %v\n%g = OpCopyObject %pp %e\n"
		     "%h = OpInBoundsAccessChain %pp %v\n%i = OpExtInst %void %extra 1 %v\n"
		     "OpLifetimeStart %v 0\nOpStore %g %s\n%r = OpFunctionCall %void %f\n",
	     FUNCTION("f", "fn", "", "%l = OpLoad %uint %v\nOpReleaseEvent %l\n"),
	     .capabilities = "OpCapability Shader\n%extra = OpExtInstImport \"NonSemantic.other\"\n",
	     .types = "%v = OpVariable %pp Private\n"},
	    {"read before it is stored", "uu",
	     .body = "%k = OpLoad %uint %v\nOpStore %v %s\n%l = OpLoad %uint %v\nOpReleaseEvent %k\n"
		     "OpReleaseEvent %k\n",
	     .types = "%v = OpVariable %pp Private\n"},
	    {"with that many entry points nobody looks any more", "u",
	     .body = "OpStore %v %s\n%r = OpFunctionCall %void %f\n",
	     FUNCTION("f", "fn", "", "%l = OpLoad %uint %v\nOpReleaseEvent %l\n") STORES("1")
		 FUNCTION("large", "fn", "", LINES LINES LINES LINES),
	     .entries = FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR COMPUTE,
	     .types = "%v = OpVariable %pp Private\n"},
	    {"but with two", "=", .body = "OpStore %v %s\n%r = OpFunctionCall %void %f\n",
	     FUNCTION("f", "fn", "", "%l = OpLoad %uint %v\nOpReleaseEvent %l\n") STORES("1")
		 FUNCTION("large", "fn", "", LINES LINES LINES LINES),
	     .entries = ENTRY("Vertex", "e1") COMPUTE, .types = "%v = OpVariable %pp Private\n"},
	    {"stored in the same block, member by member", "==",
	     .body = "OpSelectionMerge %m None\nOpBranchConditional %sam %t %m\n%t = OpLabel\n"
		     "%r = OpFunctionCall %void %f %s\nOpBranch %m\n%m = OpLabel\n",
	     .functions = FUNCTION("f", "takes", "%f_s = OpFunctionParameter %uint\n",
				   "%p0 = OpAccessChain %pp %v %c0\n%p1 = OpAccessChain %pp %v %c1\nOpStore %p0 %f_s\n"
				   "OpStore %p1 %f_s\n%l0 = OpLoad %uint %p0\n%l1 = OpLoad %uint %p1\n"
				   "OpReleaseEvent %l0\nOpReleaseEvent %l1\n"),
	     .types = "%two = OpTypeStruct %uint %uint\n%pp_two = OpTypePointer Private %two\n"
		      "%v = OpVariable %pp_two Private\n%takes = OpTypeFunction %void %uint\n"},
	    {"stored only there, and read elsewhere", "u",
	     .body = "OpSelectionMerge %m None\nOpBranchConditional %sam %t %m\n%t = OpLabel\n"
		     "%r = OpFunctionCall %void %f\nOpBranch %m\n%m = OpLabel\n"
		     "%r2 = OpFunctionCall %void %g\n",
	     .functions = FUNCTION("f", "fn", "", "OpStore %v %c1\n")
		 FUNCTION("g", "fn", "", "%l = OpLoad %uint %v\nOpReleaseEvent %l\n"),
	     .types = "%v = OpVariable %pp Private\n"},
	    {"ten functions are not too many", "==========",
	     .body = "OpStore %v %s\n%r0 = OpFunctionCall %void %f0\n%r1 = OpFunctionCall %void %f1\n"
		     "%r2 = OpFunctionCall %void %f2\n%r3 = OpFunctionCall %void %f3\n"
		     "%r4 = OpFunctionCall %void %f4\n%r5 = OpFunctionCall %void %f5\n"
		     "%r6 = OpFunctionCall %void %f6\n%r7 = OpFunctionCall %void %f7\n"
		     "%r8 = OpFunctionCall %void %f8\n%r9 = OpFunctionCall %void %f9\n",
#define READS(n) FUNCTION("f" n, "fn", "", "%l" n " = OpLoad %uint %v\n" ASK("l" n))
	     READS("0") READS("1") READS("2") READS("3") READS("4") READS("5") READS("6") READS("7") READS("8")
		 READS("9"),
	     .types = "%v = OpVariable %pp Private\n"},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* entry points */

static void each_entry_point_counts(void **state)
{
#define COMPUTED_IN(f, type)                                                                                           \
	FUNCTION(f, "fn", "",                                                                                          \
		 "%" f "_l = OpLoad %uint %lane\n%" f "_s = OpLoad %uint %index\n"                                     \
		 "%" f "_r = OpFunctionCall %void %" f "g %" f "_s %c1\n")                                             \
	FUNCTION(f "g", type, "%" f "_p = OpFunctionParameter %uint\n%" f "_q = OpFunctionParameter %uint\n",          \
		 ASK(f "_p") ASK(f "_q"))
#define VERTEX(f) ENTRY("Vertex", f)
	static const char types[] = "%index = OpVariable %p_in Input\n%takes = OpTypeFunction %void %uint %uint\n",
			  notes[] = "OpDecorate %index BuiltIn WorkgroupId\n";
	static const struct claim claims[] = {
	    {"two", "==x=", .body = "%r = OpFunctionCall %void %ag %s %s\n",
	     COMPUTED_IN("a", "takes") COMPUTED_IN("b", "takes"), .types = types, .notes = notes,
	     .entries = ENTRY("Vertex", "b") COMPUTE},
	    {"of ten, those of one kind count as one", "==x=", .body = "%r = OpFunctionCall %void %ag %s %s\n",
	     COMPUTED_IN("a", "takes") COMPUTED_IN("b", "takes"), .types = types, .notes = notes,
	     .entries = VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b")
		 ENTRY("Geometry", "b") COMPUTE},
	    {"one of ten differs", "x===", .body = "%r = OpFunctionCall %void %ag %d %s\n",
	     COMPUTED_IN("a", "takes") FUNCTION("b", "fn", "", "%b_r = OpFunctionCall %void %bg %c1 %c1\n")
		 FUNCTION("bg", "takes", "%b_p = OpFunctionParameter %uint\n%b_q = OpFunctionParameter %uint\n",
			  "OpReleaseEvent %b_p\nOpReleaseEvent %b_q\n"),
	     .types = types, .notes = notes,
	     .entries = VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b")
		 ENTRY("Geometry", "b") COMPUTE},
	    {"of ten, one is alone with what it calls, and stands in front of what the others are", "gg",
	     .functions = FUNCTION("a", "fn", "", "%a_i = OpLoad %uint %draw\n" ASK("a_i"))
		 FUNCTION("b", "fn", "", "%b_i = OpLoad %uint %draw\n" ASK("b_i")),
	     .types = "%draw = OpVariable %p_in Input\n", .notes = "OpDecorate %draw BuiltIn DrawIndex\n",
	     .entries = VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b") VERTEX("b")
		 VERTEX("a") COMPUTE},
	    {"what no entry point calls is called by anybody", "??",
	     .functions = FUNCTION("g", "takes", "%p = OpFunctionParameter %uint\n%q = OpFunctionParameter %uint\n",
				   "OpReleaseEvent %p\nOpReleaseEvent %q\n"),
	     .types = types},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* operations of subgroups and quads, and those that nobody knows */

static void operations_make_uniform_what_they_make(void **state)
{
#define OF_UINT(name, op, operands) "%" name " = " op " %uint %c3 " operands "\n" ASK(name)
#define OPERATIONS                                                                                                     \
	"%qa = OpGroupNonUniformAll %bool %c3 %dif\n" ASK("qa") "!0x000413F6 %bool %qb %dif\n" ASK(                    \
	    "qb") "!0x000413F7 %bool %qc %dif\n" ASK("qc") OF_UINT("qd", "OpGroupNonUniformQuadBroadcast", "%d %c1")   \
	    OF_UINT("qe", "OpGroupNonUniformBroadcast", "%s %c1")                                                      \
		OF_UINT("qf", "OpGroupNonUniformBroadcast", "%d %c1")                                                  \
		    OF_UINT("qg", "OpGroupNonUniformIAdd", "Reduce %d")                                                \
			OF_UINT("qh", "OpGroupNonUniformIAdd", "InclusiveScan %d")                                     \
			    OF_UINT("qi", "OpGroupNonUniformQuadSwap", "%s %c1")                                       \
				OF_UINT("qj", "OpGroupNonUniformQuadSwap", "%d %c1")
#define UNKNOWN                                                                                                        \
	"!0x0006000C %uint %ua %glsl !9999 %s\n" ASK("ua") "!0x0006000C %uint %ub %glsl !9999 %d\n" ASK(               \
	    "ub") "%uc = OpIsValidEvent %bool %s\n" ASK("uc") "%ud = OpIsValidEvent %bool %d\n" ASK("ud") "%ue = "     \
													  "OpSubgroup" \
													  "ReadInvoca" \
													  "tionKHR "   \
													  "%uint %s "  \
													  "%c1\n" ASK( \
													      "ue")
	static const struct claim claims[] = {
	    {"in a workgroup", "sxxx=ssx?x", .body = OPERATIONS},
	    {"in a quad", "sssssssx?x", .body = OPERATIONS, .entries = ENTRY("Fragment", "main"),
	     .wishes = {.quad = true}},
	    {"in a fragment", "sxxxsssxxx", .body = OPERATIONS, .entries = ENTRY("Fragment", "main")},
	    {"what is unknown differs for sure if what it is computed from does", "?x?x=", .body = UNKNOWN},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* what branches have compared */

static void branches_show_what_is_equal(void **state)
{
#define ARMS(condition, then, otherwise, behind)                                                                       \
	"OpSelectionMerge %j None\nOpBranchConditional %" condition " %t %f\n%t = OpLabel\n" then                      \
	"OpBranch %j\n%f = OpLabel\n" otherwise "OpBranch %j\n%j = OpLabel\n" behind
#define EACH          ARMS("e", ASK("d"), ASK("d"), ASK("d"))
#define EQUAL(a, b)   "%e = OpIEqual %bool %" a " %" b "\n"
#define DIFFERS(a, b) "%e = OpINotEqual %bool %" a " %" b "\n"
#define TWO(op)       "%e1 = OpIEqual %bool %d %s\n%e = " op " %bool %e1 %sam\n"
#define BROADCAST(x)  "%f0 = OpGroupNonUniformBroadcastFirst %uint %c3 %" x "\n"
#define LANE(y)       "%w = OpLoad %v3 %lid\n%" y " = OpCompositeExtract %uint %w 1\n"
#define BOOL          "%vb = OpVariable %pf_bool Function\n"
#define LEFT                                                                                                           \
	"%e1 = OpIEqual %bool %d %s\n%e2 = OpLogicalAnd %bool %e1 %sam\n"                                              \
	"%e3 = OpLogicalAnd %bool %e2 %sam\n"
#define COPY(to, of) "%k" #to " = OpCopyObject %uint %" of "\n"
#define COPIES                                                                                                         \
	COPY(1, "d")                                                                                                   \
	COPY(2, "k1")                                                                                                  \
	COPY(3, "k2")                                                                                                  \
	COPY(4, "k3")                                                                                                  \
	COPY(5, "k4") COPY(6, "k5") COPY(7, "k6") COPY(8, "k7") COPY(9, "k8") COPY(10, "k9") COPY(11, "k10")
#define LOCAL "%v = OpVariable %pf Function\n"
/* A block that is entered if %first, and gives the phi %e, which is %skipped otherwise. */
#define MEETING(first, body, value, skipped)                                                                           \
	"%e1 = OpIEqual %bool %d %s\n%n1 = OpINotEqual %bool %d %s\n%x1 = OpLogicalNot %bool %n1\n"                    \
	"OpSelectionMerge %m None\nOpBranchConditional %" first " %a %m\n%a = OpLabel\n" body                          \
	"OpBranch %m\n%m = OpLabel\n%e = OpPhi %bool %" skipped " %main_0 %" value " %a\n"
#define LOGICALS "%false = OpConstantFalse %bool\n%pf_bool = OpTypePointer Function %bool\n"
/* One of two bodies, by invocations that differ. */
#define EITHER(a, b)                                                                                                   \
	"OpSelectionMerge %m None\nOpBranchConditional %dif %a %b\n%a = OpLabel\n" a "OpBranch %m\n%b = OpLabel\n" b   \
	"OpBranch %m\n%m = OpLabel\n"
#define SWITCH(selector, labels) "OpSelectionMerge %j None\nOpSwitch %" selector " %f " labels "\n"
#define CASES                                                                                                          \
	"%t = OpLabel\n" ASK("d") "OpBranch %j\n%t2 = OpLabel\n" ASK("d") "OpBranch %j\n%f = OpLabel\n" ASK(           \
	    "d") "OpBranch %j\n%j = OpLabel\n" ASK("d")
	/* Other cases whose literals are all the numbers that ids have. */
	static char labels[8000], comparisons[8000];
	size_t length = (size_t)snprintf(labels, sizeof labels, "OpSelectionMerge %%j None\nOpSwitch %%d %%f 1 %%t");
	for (unsigned i = 2; i < 200; i++)
		length += (size_t)snprintf(labels + length, sizeof labels - length, " %u %%f", i);
	snprintf(labels + length, sizeof labels - length,
		 "\n%%t = OpLabel\n"
		 "OpReleaseEvent %%d\n"
		 "OpBranch %%j\n%%f = OpLabel\n"
		 "OpReleaseEvent %%d\n"
		 "OpBranch %%j\n%%j = OpLabel\n");
	/* 31 of the lane; then two at once */
	length = (size_t)snprintf(comparisons, sizeof comparisons, "%s",
				  "%w = OpLoad %v3 %lid\n%x = OpCompositeExtract %uint %w 0\n%y = OpCompositeExtract "
				  "%uint %w 1\n%z = OpCompositeExtract %uint %w 2\n");
	for (unsigned i = 0; i < 31; i++)
		length += (size_t)snprintf(
		    comparisons + length, sizeof comparisons - length,
		    "%%e%u = OpIEqual %%bool %%z %%c1\nOpSelectionMerge %%j%u None\nOpBranchConditional %%e%u %%t%u "
		    "%%j%u\n%%t%u = OpLabel\n%sOpBranch %%j%u\n%%j%u = OpLabel\n",
		    i, i, i, i, i, i, i == 30 ? ASK("z") : "", i, i);
	snprintf(comparisons + length, sizeof comparisons - length, "%s",
		 "%ex = OpIEqual %bool %x %c1\n%ey = OpIEqual %bool %y %c1\n%e = OpLogicalAnd %bool %ex %ey\n" ARMS(
		     "e", ASK("x") ASK("y"), "", ""));
	static const struct claim claims[] = {
	    {"to a constant", "=xx", .body = EQUAL("d", "c1") EACH},
	    {"from the other side", "=xx", .body = EQUAL("c1", "d") EACH},
	    {"to what is pushed", "gxx", .body = EQUAL("d", "s") EACH},
	    {"to what differs", "xxx",
	     .body = "%l = OpLoad %v3 %lid\n%y = OpCompositeExtract %uint %l 1\n" EQUAL("d", "y") EACH},
	    {"to a broadcast", "sxx", .body = BROADCAST("d") EQUAL("d", "f0") EACH},
	    {"not equal", "x=x", .body = DIFFERS("d", "c1") EACH},
	    {"less is not equal", "xxx", .body = "%e = OpULessThan %bool %d %c1\n" EACH},
	    {"negated", "x=x", .body = "%e0 = OpIEqual %bool %d %c1\n%e = OpLogicalNot %bool %e0\n" EACH},
	    {"negated twice", "=xx",
	     .body = "%e0 = OpIEqual %bool %d %c1\n%e1 = OpLogicalNot %bool %e0\n%e = OpLogicalNot %bool %e1\n" EACH},
	    {"and more", "gxx", .body = TWO("OpLogicalAnd") EACH},
	    {"or more", "xxx", .body = TWO("OpLogicalOr") EACH},
	    {"neither differs", "xgx",
	     .body = "%e1 = OpINotEqual %bool %sam %sam\n"
		     "%e2 = OpINotEqual %bool %d %s\n%e = OpLogicalOr %bool %sam %e2\n" EACH},
	    {"both arms are one", "x",
	     .body =
		 EQUAL("d", "c1") "OpSelectionMerge %t None\nOpBranchConditional %e %t %t\n%t = OpLabel\n" ASK("d")},
	    {"one arm is where they meet", "=x",
	     .body = EQUAL("d", "c1") "OpSelectionMerge %j None\nOpBranchConditional %e %t %j\n%t = OpLabel\n" ASK(
		 "d") "OpBranch %j\n%j = OpLabel\n" ASK("d")},
	    {"what is loaded again", "=x",
	     .body = LOCAL "OpStore %v %d\n%l = OpLoad %uint %v\n" EQUAL("l", "c1")
		 ARMS("e", "%l2 = OpLoad %uint %v\n" ASK("l2"), "%l3 = OpLoad %uint %v\n" ASK("l3"), "")},
	    {"what is written in between", "x",
	     .body = LOCAL "OpStore %v %d\n%l = OpLoad %uint %v\n" EQUAL("l", "c1") ARMS(
		 "e",
		 "%w = OpLoad %v3 %lid\n%n = OpCompositeExtract %uint %w 1\nOpStore %v %n\n%l2 = OpLoad %uint %v\n" ASK(
		     "l2"),
		 "", "")},
	    {"a copy", "=x", .body = "%c = OpCopyObject %uint %d\n" EQUAL("c", "c1") ARMS("e", ASK("d"), ASK("d"), "")},
	    {"of &&", "gxx", .body = MEETING("e1", "", "dif", "e1") EACH},
	    {"of &&, skipped by a constant", "gxx", .body = MEETING("e1", "", "dif", "false") EACH, .types = LOGICALS},
	    {"of || of two that are not", "xgx", .body = MEETING("x1", "", "dif", "true") EACH},
	    {"of ||", "xgx", .body = MEETING("n1", "", "n1", "true") EACH},
	    {"case by case", "==xx", .body = SWITCH("d", "1 %t 2 %t2") CASES},
	    {"a case that two labels lead to", "x=xx", .body = SWITCH("d", "1 %t 3 %t 2 %t2") CASES},
	    {"a case that is the default, too", "=xx",
	     .body = SWITCH("d", "1 %t 2 %f") "%t = OpLabel\n" ASK("d") "OpBranch %j\n%f = OpLabel\n" ASK(
		 "d") "OpBranch %j\n%j = OpLabel\n" ASK("d")},
	    {"a case that falls through", "=xxx",
	     .body = SWITCH("d", "1 %t 2 %t2") "%t = OpLabel\n" ASK("d") "OpBranch %t2\n%t2 = OpLabel\n" ASK(
		 "d") "OpBranch %j\n%f = OpLabel\n" ASK("d") "OpBranch %j\n%j = OpLabel\n" ASK("d")},
	    {"a case of 64 bits, of which the literal has two words", "xx",
	     .body = "%w = OpUConvert %ulong %d\nOpSelectionMerge %j None\nOpSwitch %w %j 1 %t\n%t = OpLabel\n" ASK(
		 "w") "OpBranch %j\n%j = OpLabel\n" ASK("w")},
	    {"a variable, in a block behind", "=x",
	     .body = LOCAL "OpStore %v %d\n%l = OpLoad %uint %v\n" EQUAL("l", "c1") ARMS(
		 "e",
		 "OpSelectionMerge %tj None\nOpBranchConditional %dif %ta %tj\n%ta = OpLabel\nOpBranch %tj\n%tj = "
		 "OpLabel\n%l2 = OpLoad %uint %v\n" ASK("l2"),
		 "", ASK("l"))},
	    {"a variable that is written later", "xx",
	     .body = LOCAL LANE("y") "OpStore %v %d\n%l = OpLoad %uint %v\nOpStore %v %y\n" EQUAL("l", "c1")
		 ARMS("e", "%l2 = OpLoad %uint %v\n" ASK("l2"), "%l3 = OpLoad %uint %v\n" ASK("l3"), "")},
	    {"a phi of a variable", "=x",
	     .body = LOCAL LANE("y") EITHER("OpStore %v %d\n", "OpStore %v %y\n") "%l = OpLoad %uint %v\n" EQUAL(
		 "l", "c1") ARMS("e", "%l2 = OpLoad %uint %v\n" ASK("l2"), "%l3 = OpLoad %uint %v\n" ASK("l3"), "")},
	    {"components of a variable", "=xx",
	     .body = "%v = OpVariable %pf_v2 Function\n%w = OpLoad %v3 %lid\n%y = OpVectorShuffle %v2 %w %w 1 "
		     "2\nOpSelectionMerge %m None\nOpBranchConditional %dif %a %b\n%a = OpLabel\nOpStore %v "
		     "%y\nOpBranch %m\n%b = OpLabel\n%y2 = OpVectorShuffle %v2 %w %w 0 0\nOpStore %v %y2\nOpBranch "
		     "%m\n%m = OpLabel\n%v1 = OpAccessChain %pf %v %c1\n%l = OpLoad %uint %v1\n" EQUAL("l", "c1") ARMS(
			 "e",
			 "%l2 = OpLoad %uint %v1\n" ASK("l2") "%v0 = OpAccessChain %pf %v %c0\n%l3 = OpLoad %uint "
							      "%v0\n" ASK("l3") "%l4 = OpLoad %v2 %v\n%x4 = "
										"OpCompositeExtract %uint %l4 1\n" ASK(
										    "x4"),
			 "", ""),
	     .types = "%pf_v2 = OpTypePointer Function %v2\n"},
	    {"a component of what was stored", "=x",
	     .body = "%v = OpVariable %pf_v2 Function\n%w = OpLoad %v3 %lid\n%y = OpCompositeExtract %uint %w 1\n%y2 = "
		     "OpCompositeConstruct %v2 %y %d\nOpStore %v %y2\n%v1 = OpAccessChain %pf %v %c1\n%l = OpLoad "
		     "%uint %v1\n" EQUAL("l", "c1") ARMS(
			 "e",
			 "%l2 = OpLoad %uint %v1\n" ASK(
			     "l2") "%v0 = OpAccessChain %pf %v %c0\n%l3 = OpLoad %uint %v0\n" ASK("l3"),
			 "", ""),
	     .types = "%pf_v2 = OpTypePointer Function %v2\n"},
	    {"what is read as volatile", "xx",
	     .body = LOCAL LANE("y")
		 EITHER("OpStore %v %d\n", "OpStore %v %y\n") "%l = OpLoad %uint %v Volatile\n" EQUAL("l", "c1")
		     ARMS("e", "%l2 = OpLoad %uint %v Volatile\n" ASK("l2"), "%l3 = OpLoad %uint %v\n" ASK("l3"), "")},
	    {"the built-in that is the same in a group", "gx",
	     .body = "%g = OpLoad %uint %wg\n" EQUAL("d", "g") ARMS("e", ASK("d"), ASK("d"), ""),
	     .types = "%wg = OpVariable %p_in Input\n", .notes = "OpDecorate %wg BuiltIn WorkgroupId\n"},
	    {"the built-in that differs", "xx",
	     .body = "%g = OpLoad %uint %wg\n" EQUAL("d", "g") ARMS("e", ASK("d"), ASK("d"), ""),
	     .types = "%wg = OpVariable %p_in Input\n", .notes = "OpDecorate %wg BuiltIn LocalInvocationId\n"},
	    {"the built-in that is the same in a subgroup", "xx",
	     .body = "%g = OpLoad %uint %wg\n" EQUAL("d", "g") ARMS("e", ASK("d"), ASK("d"), ""),
	     .types = "%wg = OpVariable %p_in Input\n", .notes = "OpDecorate %wg BuiltIn SubgroupId\n"},
	    {"a broadcast in another branch", "xs",
	     .body = "OpSelectionMerge %m None\nOpBranchConditional %dif %a %m\n%a = OpLabel\n" BROADCAST(
		 "d") "%e0 = OpIEqual %bool %d %f0\nOpBranch %m\n%m = OpLabel\n%e = OpPhi %bool %dif %main_0 %e0 "
		      "%a\n" ARMS("e", ASK("d"), "",
				  "") "OpSelectionMerge %m2 None\nOpBranchConditional %dif %a2 %m2\n%a2 = OpLabel\n%f2 "
				      "= OpGroupNonUniformBroadcastFirst %uint %c3 %d\n%g2 = OpIEqual %bool %d "
				      "%f2\nOpSelectionMerge %m3 None\nOpBranchConditional %g2 %a3 %m3\n%a3 = "
				      "OpLabel\n" ASK("d") "OpBranch %m3\n%m3 = OpLabel\nOpBranch %m2\n%m2 = "
							   "OpLabel\n"},
	    {"a switch with as many labels as there are ids", "=x", .body = labels},
	    {"to what is not defined", "xx", .body = EQUAL("d", "undef") ARMS("e", ASK("d"), ASK("d"), "")},
	    {"to what a buffer holds, which may be anything", "xx",
	     .body = "%p_r = OpAccessChain %pb %read %c0\n%r = OpLoad %uint %p_r\n" EQUAL("d", "r")
		 ARMS("e", ASK("d"), ASK("d"), "")},
	    {"a comparison that was stored", "=x",
	     .body =
		 BOOL EQUAL("d", "c1") "OpStore %vb %e\n%eb = OpLoad %bool %vb\n" ARMS("eb", ASK("d"), ASK("d"), ""),
	     .types = LOGICALS},
	    {"to what was stored", "gx",
	     .body = LOCAL "OpStore %v %s\n%l = OpLoad %uint %v\n" EQUAL("d", "l") ARMS("e", ASK("d"), ASK("d"), "")},
	    {"to what was stored, from the other side", "gx",
	     .body = LOCAL "OpStore %v %s\n%l = OpLoad %uint %v\n" EQUAL("l", "d") ARMS("e", ASK("d"), ASK("d"), "")},
	    {"what was stored itself", "=x",
	     .body = LOCAL "OpStore %v %d\n%l = OpLoad %uint %v\n" EQUAL("l", "c1") ARMS("e", ASK("d"), ASK("d"), "")},
	    {"what was stored as a component", "=x",
	     .body = "%v = OpVariable %pf_v2 Function\n%v1 = OpAccessChain %pf %v %c1\nOpStore %v1 %d\n%l = OpLoad "
		     "%uint %v1\n" EQUAL("l", "c1") ARMS("e", ASK("d"), ASK("d"), ""),
	     .types = "%pf_v2 = OpTypePointer Function %v2\n"},
	    {"what was stored beside it", "x=",
	     .body = "%v = OpVariable %pf_v2 Function\n" LANE(
		 "y") "%v0 = OpAccessChain %pf %v %c0\n%v1 = OpAccessChain %pf %v %c1\nOpStore %v1 %d\nOpStore %v0 "
		      "%y\n%l = OpLoad %uint %v1\n" EQUAL("l", "c1")
			  ARMS("e", ASK("y") "%l1 = OpLoad %uint %v1\n" ASK("l1"), "", ""),
	     .types = "%pf_v2 = OpTypePointer Function %v2\n"},
	    {"a component of a copy", "=x",
	     .body = "%v = OpVariable %pf_v2 Function\n%u = OpVariable %pf_v2 Function\n" LANE(
		 "y") "%y2 = OpCompositeConstruct %v2 %y %d\nOpStore %v %y2\n%all = OpLoad %v2 %v\nOpStore %u "
		      "%all\n%v0 = OpAccessChain %pf %v %c0\n%v1 = OpAccessChain %pf %v %c1\n%u1 = OpAccessChain %pf "
		      "%u %c1\n%l = OpLoad %uint %u1\n" EQUAL("l", "c1")
			  ARMS("e", "%l1 = OpLoad %uint %v1\n" ASK("l1") "%l0 = OpLoad %uint %v0\n" ASK("l0"), "", ""),
	     .types = "%pf_v2 = OpTypePointer Function %v2\n"},
	    {"twelve copies", "=",
	     .body = COPIES "%k12 = OpCopyObject %uint %k11\n" EQUAL("k12", "c1") ARMS("e", ASK("d"), "", "")},
	    {"thirteen", "x",
	     .body = COPIES "%k12 = OpCopyObject %uint %k11\n%k13 = OpCopyObject %uint %k12\n" EQUAL("k13", "c1")
		 ARMS("e", ASK("d"), "", "")},
	    {"a variable of the module, in the function that stores it, and in another one", "=x",
	     .body = "OpStore %pv %d\n" LANE("y") "%l = OpLoad %uint %pv\n" EQUAL("l", "c1")
		 ARMS("e", "%l2 = OpLoad %uint %pv\n" ASK("l2"), "", "OpStore %pv %y\n%r = OpFunctionCall %void %g\n"),
	     .functions = FUNCTION(
		 "g", "fn", "",
		 "%gl = OpLoad %uint %pv\n%ge = OpIEqual %bool %gl %c1\nOpSelectionMerge %gj None\nOpBranchConditional "
		 "%ge %gt %gj\n%gt = OpLabel\n%gl2 = OpLoad %uint %pv\n" ASK("gl2") "OpBranch %gj\n%gj = OpLabel\n"),
	     .types = "%pv = OpVariable %pp Private\n"},
	    {"of ||, which branches on the opposite", "xgx", .body = MEETING("x1", "", "dif", "n1") EACH},
	    {"a branch with one target shows nothing", "xx",
	     .body = "%e1 = OpIEqual %bool %d %s\n%n2 = OpINotEqual %bool %d %c1\nOpSelectionMerge %m "
		     "None\nOpBranchConditional %dif %a %b\n%a = OpLabel\nOpBranchConditional %e1 %m %m\n%b = "
		     "OpLabel\nOpBranch %m\n%m = OpLabel\n%e = OpPhi %bool %e1 %a %n2 %b\n" ARMS("e", "", ASK("d"),
												 ASK("d"))},
	    {"four terms on the left", "g",
	     .body = LEFT "%e = OpLogicalAnd %bool %e3 %sam\n" ARMS("e", ASK("d"), "", "")},
	    {"five", "x",
	     .body = LEFT
	     "%e4 = OpLogicalAnd %bool %e3 %sam\n%e = OpLogicalAnd %bool %e4 %sam\n" ARMS("e", ASK("d"), "", "")},
	    {"two that are negated twice", "g",
	     .body = LEFT "%e4 = OpLogicalNot %bool %e2\n%e = OpLogicalNot %bool %e4\n" ARMS("e", ASK("d"), "", "")},
	    {"three", "x",
	     .body = LEFT "%e4 = OpLogicalNot %bool %e3\n%e = OpLogicalNot %bool %e4\n" ARMS("e", ASK("d"), "", "")},
	    {"two behind a phi", "g",
	     .body = LEFT "OpSelectionMerge %m None\nOpBranchConditional %dif %a %m\n%a = OpLabel\nOpBranch %m\n%m = "
			  "OpLabel\n%e = OpPhi %bool %false %main_0 %e3 %a\n" ARMS("e", ASK("d"), "", ""),
	     .types = LOGICALS},
	    {"three behind a phi", "x",
	     .body = LEFT
	     "%e4 = OpLogicalAnd %bool %e3 %sam\nOpSelectionMerge %m None\nOpBranchConditional %dif %a %m\n%a = "
	     "OpLabel\nOpBranch %m\n%m = OpLabel\n%e = OpPhi %bool %false %main_0 %e4 %a\n" ARMS("e", ASK("d"), "", ""),
	     .types = LOGICALS},
	    {"two in front of it", "g",
	     .body = LEFT "OpSelectionMerge %m None\nOpBranchConditional %e3 %a %m\n%a = OpLabel\nOpBranch %m\n%m = "
			  "OpLabel\n%e = OpPhi %bool %false %main_0 %dif %a\n" ARMS("e", ASK("d"), "", ""),
	     .types = LOGICALS},
	    {"three in front of it", "x",
	     .body = LEFT "%e4 = OpLogicalAnd %bool %e3 %sam\nOpSelectionMerge %m None\nOpBranchConditional %e4 %a "
			  "%m\n%a = OpLabel\nOpBranch %m\n%m = OpLabel\n%e = OpPhi %bool %false %main_0 %dif %a\n" ARMS(
			      "e", ASK("d"), "", ""),
	     .types = LOGICALS},
	    {"as many comparisons as are kept, and one more", "==x", .body = comparisons},
	    {"what is marked, and heeded", "xx", .body = EQUAL("d", "c1") ARMS("e", ASK("d"), ASK("d"), ""),
	     .notes = "OpDecorate %d NonUniform\n", .wishes = {.heed_marks = true}},
	    {"what is marked, and not heeded", "=x", .body = EQUAL("d", "c1") ARMS("e", ASK("d"), ASK("d"), ""),
	     .notes = "OpDecorate %d NonUniform\n"},
	    {"in a quad nothing is", "xx", .body = EQUAL("d", "c1") ARMS("e", ASK("d"), ASK("d"), ""),
	     .wishes = {.quad = true}},
	    {"a phi that both ways can make true", "xxx", .body = MEETING("dif", "", "e1", "sam") EACH},
	    {"a phi of a block whose branch has one target", "xx",
	     .body = "%e1 = OpIEqual %bool %d %s\nOpSelectionMerge %m None\nOpBranchConditional %dif %a %b\n%a = "
		     "OpLabel\nOpBranchConditional %e1 %m %m\n%b = OpLabel\nOpBranch %m\n%m = OpLabel\n%e = OpPhi "
		     "%bool %e1 %a %false %b\n" ARMS("e", "", ASK("d"), ASK("d")),
	     .types = LOGICALS},
	    {"behind a loop that has compared", "==",
	     .body =
		 "OpBranch %h\n%h = OpLabel\n%i = OpPhi %uint %d %main_0 %n %k\nOpLoopMerge %x %k None\nOpBranch "
		 "%b\n%b = OpLabel\n" EQUAL("i", "c1") "OpBranchConditional %e %q %k\n%q = OpLabel\n" ASK(
		     "i") "OpBranch %x\n%k = OpLabel\n%n = OpIAdd %uint %i %c1\nOpBranch %h\n%x = OpLabel\n" ASK("i")},
	    {"behind a loop, what another one is", "x",
	     .body = "OpBranch %h\n%h = OpLabel\n" BROADCAST("d")
		 EQUAL("d", "f0") "OpLoopMerge %x %k None\nOpBranchConditional %e %x %k\n%k = OpLabel\nOpBranch %h\n%x "
				  "= OpLabel\n" ASK("d")},
	    {"four terms are seen", "g",
	     .body = "%e1 = OpIEqual %bool %d %s\n%e2 = OpLogicalAnd %bool %sam %e1\n%e3 = OpLogicalAnd %bool %sam "
		     "%e2\n%e = OpLogicalAnd %bool %sam %e3\n" ARMS("e", ASK("d"), "", "")},
	    {"five are not", "x",
	     .body = "%e1 = OpIEqual %bool %d %s\n%e2 = OpLogicalAnd %bool %sam %e1\n%e3 = OpLogicalAnd %bool %sam "
		     "%e2\n%e4 = OpLogicalAnd %bool %sam %e3\n%e = OpLogicalAnd %bool %sam %e4\n" ARMS("e", ASK("d"),
												       "", "")},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* what is computed in a loop and used behind it, where invocations may leave in different iterations */

static void loops_leave_what_they_do_not_change(void **state)
{
#define LEAVING(before, body, behind)                                                                                  \
	before "OpBranch %h\n%h = OpLabel\n%i = OpPhi %uint %c0 %main_0 %n %k\n" body                                  \
	       "%q = OpULessThan %bool %i %d\nOpLoopMerge %e %k None\nOpBranchConditional %q %k %e\n%k = OpLabel\n"    \
	       "%n = OpIAdd %uint %i %c1\nOpBranch %h\n%e = OpLabel\n" behind
#define ADD(to, from) "%a" #to " = OpIAdd %uint %" from " %c1\n"
#define ADDS          ADD(1, "s") ADD(2, "a1") ADD(3, "a2") ADD(4, "a3") ADD(5, "a4")
#define KEPT          "%v = OpVariable %pf Function\nOpStore %v %s\n"
#define LOADED        "%l = OpLoad %uint %v\n"
	static char as_many[10000], one_more[10000];
	size_t length = (size_t)snprintf(as_many, sizeof as_many, "%s", "%v = OpVariable %pf Function\n");
	for (unsigned i = 0; i < 511; i++)
		length += (size_t)snprintf(as_many + length, sizeof as_many - length, "OpStore %%v %%s\n");
	snprintf(as_many + length, sizeof as_many - length, "%s", LEAVING("", LOADED, ASK("l")));
	snprintf(one_more, sizeof one_more, "%.*sOpStore %%v %%s\n%s", (int)length, as_many, as_many + length);
	static const struct claim claims[] = {
	    {"what each iteration changes", "x", .body = LEAVING("", "", ASK("i"))},
	    {"what comes from outside", "=", .body = LEAVING("", ADD(1, "s"), ASK("a1"))},
	    {"what comes from what changes", "x", .body = LEAVING("", ADD(1, "i"), ASK("a1"))},
	    {"what does in part", "x", .body = LEAVING("", ADD(1, "s") "%b = OpIAdd %uint %a1 %i\n", ASK("b"))},
	    {"five steps", "=", .body = LEAVING("", ADDS, ASK("a5"))},
	    {"six", "x", .body = LEAVING("", ADDS ADD(6, "a5"), ASK("a6"))},
	    {"eight words", "=", .body = LEAVING("", "%c = OpCompositeConstruct %five %s %s %s %s %s\n", ASK("c")),
	     .types = "%five = OpTypeStruct" FIVE("uint") "\n"},
	    {"nine", "x", .body = LEAVING("", "%c = OpCompositeConstruct %six %s %s %s %s %s %s\n", ASK("c")),
	     .types = "%six = OpTypeStruct" FIVE("uint") " %uint\n"},
	    {"a copy, a part, what is shuffled", "===",
	     .body = LEAVING("",
			     "%c = OpCopyObject %uint %s\n%w = OpCompositeConstruct %v2 %s %s\n%y = OpVectorShuffle "
			     "%v2 %w %w 1 0\n%x = OpCompositeExtract %uint %y 1\n",
			     ASK("c") ASK("x") ASK("y"))},
	    {"what a subgroup finds together", "x",
	     .body = LEAVING("", "%c = OpGroupNonUniformBroadcastFirst %uint %c3 %s\n", ASK("c"))},
	    {"a variable that is written before", "=", .body = LEAVING(KEPT, LOADED, ASK("l"))},
	    {"behind a loop that writes it, too", "x", .body = LEAVING(KEPT, LOADED "OpStore %v %i\n", ASK("l"))},
	    {"in the first part of what repeats", "x", .body = LEAVING(KEPT, "OpStore %v %i\n" LOADED, ASK("l"))},
	    {"read as volatile", "x", .body = LEAVING(KEPT, "%l = OpLoad %uint %v Volatile\n", ASK("l"))},
	    {"an element that the loop chooses", "x",
	     .body = LEAVING("%v = OpVariable %pf_v2 Function\nOpStore %v %sv\n",
			     "%o = OpAccessChain %pf %v %i\n%l = OpLoad %uint %o\n", ASK("l")),
	     .types = "%pf_v2 = OpTypePointer Function %v2\n%sv = OpConstantComposite %v2 %c1 %c2\n"},
	    {"an element that is always the same", "=",
	     .body = LEAVING("%v = OpVariable %pf_v2 Function\nOpStore %v %sv\n",
			     "%o = OpAccessChain %pf %v %c1\n%l = OpLoad %uint %o\n", ASK("l")),
	     .types = "%pf_v2 = OpTypePointer Function %v2\n%sv = OpConstantComposite %v2 %c1 %c2\n"},
	    {"a variable of the module", "x", .body = LEAVING("OpStore %pv %s\n", "%l = OpLoad %uint %pv\n", ASK("l")),
	     .types = "%pv = OpVariable %pp Private\n"},
	    {"what is pushed", "=", .body = LEAVING("", "%l = OpLoad %uint %p_s\n", ASK("l"))},
	    {"what a buffer holds that nobody writes", "=",
	     .body = LEAVING("", "%p = OpAccessChain %pb %read %c0\n%l = OpLoad %uint %p\n", ASK("l"))},
	    {"as many stores as are looked at", "=", .body = as_many},
	    {"one more", "x", .body = one_more},
	    {"a parameter", "=x", .body = "%r = OpFunctionCall %void %g %s %d\n",
	     .functions = FUNCTION(
		 "g", "takes", "%gs = OpFunctionParameter %uint\n%gd = OpFunctionParameter %uint\n",
		 "OpBranch %h\n%h = OpLabel\n%i = OpPhi %uint %c0 %g_0 %n %k\n%a = OpIAdd %uint %gs %c1\n%b = OpIAdd "
		 "%uint %i %c1\n%q = OpULessThan %bool %i %gd\nOpLoopMerge %e %k None\nOpBranchConditional %q %k "
		 "%e\n%k = OpLabel\n%n = OpIAdd %uint %i %c1\nOpBranch %h\n%e = OpLabel\n" ASK("a") ASK("b")),
	     .types = "%takes = OpTypeFunction %void %uint %uint\n"},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* constants that are not defined in part */

static void undefined_parts_are_told_apart(void **state)
{
#define PART(name, of, at) "%" name " = OpCompositeExtract %uint %" of " " at "\n" ASK(name)
#define IN_PART                                                                                                        \
	"%half = OpConstantComposite %v2 %c1 %undef\n%in = OpTypeStruct %v2 %uint %v2\n"                               \
	"%whole = OpConstantComposite %v2 %c1 %c2\n%nest = OpConstantComposite %in %whole %c3 %half\n"                 \
	"%other = OpConstantComposite %in %whole %undef %whole\n%spec2 = OpSpecConstantComposite %v2 %undef %spec\n"   \
	"%list = OpTypeArray %uint %c2\n%lists = OpConstantComposite %list %c1 %undef\n%nothing = OpUndef %v2\n"       \
	"%nots = OpSpecConstantComposite %v2 %spec %spec\n"
	static const struct claim claims[] = {
	    {"of a vector", "=uu=", .body = PART("a", "half", "0") PART("b", "half", "1") ASK("half") ASK("whole"),
	     .types = IN_PART},
	    {"of a structure",
	     "==="
	     "=u"
	     "==u==",
	     .body = PART("a", "nest", "0 0") PART("b", "nest", "0 1") PART("c", "nest", "1") PART("e", "nest", "2 0")
		 PART("f", "nest", "2 1") PART("g", "other", "0 0") PART("h", "other", "0 1") PART("i", "other", "1")
		     PART("j", "other", "2 0") PART("k", "other", "2 1"),
	     .types = IN_PART},
	    {"that the pipeline sets",
	     "u===", .body = PART("a", "spec2", "0") PART("b", "spec2", "1") PART("c", "nots", "0") ASK("nots"),
	     .types = IN_PART},
	    {"of an array", "uu", .body = PART("a", "lists", "0") PART("b", "lists", "1"), .types = IN_PART},
	    {"of what is not defined at all", "uu", .body = PART("a", "nothing", "0") ASK("nothing"), .types = IN_PART},
	    {"which are one in a subgroup that has broadcast them", "su",
	     .body = "%f = OpGroupNonUniformBroadcastFirst %uint %c3 %undef\n" ASK(
		 "f") "%n = OpIAdd %uint %undef %c1\n" ASK("n"),
	     .types = IN_PART},
	    {"where only marks count", "===", .body = PART("a", "half", "1") ASK("half") ASK("undef"), .types = IN_PART,
	     .wishes = {.marks_only = true}},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* decorations that say what is the same, or is not */

static void decorations_count_as_wished(void **state)
{
#define NEXT         ASK("d") "%n = OpIAdd %uint %d %c1\n" ASK("n")
#define NEXT_SAME    ASK("s") "%n = OpIAdd %uint %s %c1\n" ASK("n")
#define TRUSTS       .wishes = {.trust_uniform = true }
#define HEEDS        .wishes = {.heed_marks = true}
#define MARKS_ONLY   .wishes = {.marks_only = true}
#define SAYS(id, in) "OpDecorateId %" id " UniformId %" in "\n"
	static const struct claim claims[] = {
	    {"said to be the same, which is in a subgroup", "ss", .body = NEXT, .notes = "OpDecorate %d Uniform\n",
	     TRUSTS},
	    {"which is not trusted", "xx", .body = NEXT, .notes = "OpDecorate %d Uniform\n"},
	    {"in a workgroup", "gg", .body = NEXT, .notes = SAYS("d", "c2"), TRUSTS},
	    {"in a subgroup", "ss", .body = NEXT, .notes = SAYS("d", "c3"), TRUSTS},
	    {"in one invocation", "xx", .body = NEXT, .notes = SAYS("d", "c4"), TRUSTS},
	    {"what is computed from what differs", "xs", .body = NEXT, .notes = "OpDecorate %n Uniform\n", TRUSTS},
	    {"what is computed from that", "xss", .body = NEXT "%m = OpIMul %uint %n %n\n" ASK("m"),
	     .notes = "OpDecorate %n Uniform\n", TRUSTS},
	    {"marked", "xx", .body = NEXT_SAME, .notes = "OpDecorate %s NonUniform\n", HEEDS},
	    {"which is not heeded", "==", .body = NEXT_SAME, .notes = "OpDecorate %s NonUniform\n"},
	    {"only behind it", "=x", .body = NEXT_SAME, .notes = "OpDecorate %n NonUniform\n", HEEDS},
	    {"marked, and said to be the same", "xx", .body = NEXT,
	     .notes = "OpDecorate %d NonUniform\nOpDecorate %d Uniform\n",
	     .wishes = {.heed_marks = true, .trust_uniform = true}},
	    {"where only marks count", "==", .body = NEXT, MARKS_ONLY},
	    {"where they are heeded, too", "xx", .body = NEXT, .notes = "OpDecorate %d NonUniform\n",
	     .wishes = {.heed_marks = true, .marks_only = true}},
	    {"what a function returns that differs by itself",
	     "x=", .body = "%r = OpFunctionCall %uint %f %c1\n" ASK("r") "%q = OpFunctionCall %uint %g %c1\n" ASK("q"),
	     .functions = "%f = OpFunction %uint None %get\n%fp = OpFunctionParameter %uint\n%f_0 = OpLabel\n%fl = "
			  "OpLoad %uint %lane\nOpReturnValue %fl\nOpFunctionEnd\n%g = OpFunction %uint None %get\n%gp "
			  "= OpFunctionParameter %uint\n%g_0 = OpLabel\nOpReturnValue %c1\nOpFunctionEnd\n",
	     .types = "%get = OpTypeFunction %uint %uint\n"},
	    {"and where nobody asks why", "x=x=",
	     .body = "%r = OpFunctionCall %uint %f %d\n" ASK("r") "%q = OpFunctionCall %uint %f %s\n" ASK("q") ASK("d")
		 ASK("s"),
	     .functions = "%f = OpFunction %uint None %get\n%fp = OpFunctionParameter %uint\n%f_0 = "
			  "OpLabel\nOpReturnValue %fp\nOpFunctionEnd\n",
	     .types = "%get = OpTypeFunction %uint %uint\n", .wishes = {.silent = true}},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* what single instructions make of their operands, part by part */

static void values_follow_from_their_operands(void **state)
{
#define PAIR                                                                                                           \
	"%p2 = OpCompositeConstruct %v2 %s %d\n%ss = OpCompositeConstruct %v2 %s %s\n"                                 \
	"%fd = OpConvertUToF %float %d\n%fs = OpConvertUToF %float %s\n"
#define PARTS_TYPES                                                                                                    \
	"%in = OpTypeStruct %v2 %uint %v2\n%three = OpTypeArray %uint %c3\n%one_for_all = OpTypeArray %uint %c2\n"     \
	"%shared_1 = OpTypePointer Workgroup %one_for_all\n%vs = OpTypeArray %v2 %c2\n"                                \
	"%shared_2 = OpTypePointer Workgroup %vs\n"                                                                    \
	"%bv2 = OpTypeVector %bool 2\n%fv2 = OpTypeVector %float 2\n"                                                  \
	"%fm2 = OpTypeMatrix %fv2 2\n"
#define MADE_OF   .types = PARTS_TYPES
#define EACH_2(x) PART("y0", x, "0") PART("y1", x, "1")
#define VARIABLE_OF(name, class)                                                                                       \
	"%ptr_" name " = OpTypePointer " class " %uint\n%" name " = OpVariable %ptr_" name " " class "\n"
#define GOT(name, at) "%" name " = OpLoad %uint %" at "\n" ASK(name)
#define INPUTS_READ   GOT("l0", "flat") GOT("l1", "smooth") GOT("l2", "each") GOT("l3", "primitive") GOT("l4", "sample")
#define INPUTS                                                                                                         \
	VARIABLE_OF("flat", "Input")                                                                                   \
	VARIABLE_OF("smooth", "Input")                                                                                 \
	VARIABLE_OF("each", "Input") VARIABLE_OF("primitive", "Input") VARIABLE_OF("sample", "Input")
#define OF_INPUTS                                                                                                      \
	"OpDecorate %flat Flat\nOpDecorate %each PerPrimitiveNV\nOpDecorate %primitive BuiltIn PrimitiveId\n"          \
	"OpDecorate %sample BuiltIn SampleId\nOpDecorate %sample Flat\n"
#define IMAGE_TYPES                                                                                                    \
	PARTS_TYPES                                                                                                    \
	"%fv4 = OpTypeVector %float 4\n%sampled = OpTypeImage %float 2D 0 0 0 1 Unknown\n%written = OpTypeImage "      \
	"%float 2D 0 0 0 2 Rgba8\n%subpass = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n%sampler = "              \
	"OpTypeSampler\n%si_type = OpTypeSampledImage %sampled\n%p_sampled = OpTypePointer UniformConstant "           \
	"%sampled\n%p_written = OpTypePointer UniformConstant %written\n%p_subpass = OpTypePointer "                   \
	"UniformConstant %subpass\n%p_sampler = OpTypePointer UniformConstant %sampler\n%sampled_v = OpVariable "      \
	"%p_sampled UniformConstant\n%written_v = OpVariable %p_written UniformConstant\n%subpass_v = OpVariable "     \
	"%p_subpass UniformConstant\n%sampler_v = OpVariable %p_sampler UniformConstant\n"
#define IMAGE_NOTES                                                                                                    \
	"OpDecorate %sampled_v DescriptorSet 0\nOpDecorate %sampled_v Binding 0\nOpDecorate %written_v DescriptorSet " \
	"0\nOpDecorate %written_v Binding 1\nOpDecorate %subpass_v DescriptorSet 0\nOpDecorate %subpass_v Binding 2\n"
#define IMAGES                 PAIR "%at_s = OpLoad %sampled %sampled_v\n%w = OpLoad %written %written_v\n"
#define TEXEL(name, image, at) "%" name " = OpImageFetch %fv4 " image " %" at "\n" ASK(name)
	static const struct claim claims[] = {
	    {"a vector", "=xx", .body = PAIR EACH_2("p2") ASK("p2"), MADE_OF},
	    {"with another part", "x=", .body = PAIR "%i = OpCompositeInsert %v2 %d %ss 0\n" EACH_2("i"), MADE_OF},
	    {"with its last part", "=x", .body = PAIR "%i = OpCompositeInsert %v2 %d %ss 1\n" EACH_2("i"), MADE_OF},
	    {"without what differs", "==", .body = PAIR "%i = OpCompositeInsert %v2 %s %p2 1\n" EACH_2("i"), MADE_OF},
	    {"a structure", "==x=x",
	     .body = PAIR "%i = OpCompositeConstruct %in %ss %d %p2\n" PART("a", "i", "0 0") PART("b", "i", "0 1")
		 PART("c", "i", "1") PART("e", "i", "2 0") PART("f", "i", "2 1"),
	     MADE_OF},
	    {"with another part of a part", "===x=",
	     .body = PAIR "%j = OpCompositeConstruct %in %ss %s %ss\n%i = OpCompositeInsert %in %d %j 2 0\n" PART(
		 "a", "i", "0 0") PART("b", "i", "0 1") PART("c", "i", "1") PART("e", "i", "2 0") PART("f", "i", "2 1"),
	     MADE_OF},
	    {"with a part of two", "=x===",
	     .body = PAIR "%j = OpCompositeConstruct %in %ss %s %ss\n%i = OpCompositeInsert %in %p2 %j 0\n" PART(
		 "a", "i", "0 0") PART("b", "i", "0 1") PART("c", "i", "1") PART("e", "i", "2 0") PART("f", "i", "2 1"),
	     MADE_OF},
	    {"a part of a structure as a whole", "=x",
	     .body = PAIR "%j = OpCompositeConstruct %in %ss %s %p2\n%a = OpCompositeExtract %v2 %j 0\n" ASK(
		 "a") "%b = OpCompositeExtract %v2 %j 2\n" ASK("b"),
	     MADE_OF},
	    {"an array that is told apart", "=x==x",
	     .body = PAIR "%i = OpCompositeConstruct %three %s %d %s\n" PART("a", "i", "0") PART("b", "i", "1")
		 PART("c", "i", "2") "%j = OpCompositeInsert %three %d %i 2\n" PART("e", "j", "0") PART("f", "j", "2"),
	     MADE_OF},
	    {"one that is not", "xx=x",
	     .body = PAIR "%i = OpCompositeConstruct %one_for_all %s %d\n" EACH_2(
		 "i") "%j = OpCompositeConstruct %one_for_all %s %s\n" ASK("j") "%k = OpCompositeInsert %one_for_all "
										"%d %j 0\n" PART("e", "k", "1"),
	     MADE_OF},
	    {"without what differs, perhaps", "x",
	     .body = PAIR
	     "%i = OpCompositeConstruct %one_for_all %s %d\n%k = OpCompositeInsert %one_for_all %s %i 1\n" PART(
		 "e", "k", "1"),
	     MADE_OF},
	    {"an array of vectors", "=x=x",
	     .body = PAIR "%i = OpCompositeConstruct %vs %ss %p2\n" PART("a", "i", "0 0") PART("b", "i", "0 1")
		 PART("c", "i", "1 0") PART("e", "i", "1 1"),
	     MADE_OF},
	    {"a vector of it replaced", "=x",
	     .body = PAIR "%j = OpCompositeConstruct %vs %ss %ss\n%i = OpCompositeInsert %vs %p2 %j 1\n" PART(
		 "a", "i", "0 0") PART("b", "i", "0 1"),
	     MADE_OF},
	    {"a number in it replaced", "x=",
	     .body = PAIR "%j = OpCompositeConstruct %vs %ss %ss\n%i = OpCompositeInsert %vs %d %j 1 0\n" PART(
		 "a", "i", "0 0") PART("b", "i", "0 1"),
	     MADE_OF},
	    {"what is too large to be told apart", "x=xx",
	     .body = PAIR "%i = OpCompositeInsert %large %d %null_l 3 1\n" PART(
		 "a", "i",
		 "0 0") "%j = OpCompositeInsert %large %s %null_l 3 1\n" PART("b", "j",
									      "0 0") "%k = OpCompositeInsert %large %s "
										     "%i 3 1\n" PART(
											 "c", "k",
											 "3 1") "%v = "
												"OpComposit"
												"eConstruct"
												" %v4 %s "
												"%s %s "
												"%d\n%l = "
												"OpComposit"
												"eConstruct"
												" %"
												"large" TEN("v")
												    TEN("v") "\n" PART(
													"e", "l",
													"0 "
													"0"),
	     .types = PARTS_TYPES "%large = OpTypeStruct" TEN("v4") TEN("v4") "\n%null_l = OpConstantNull %large\n"},
	    {"shuffled", "x=u=",
	     .body = PAIR "%i = OpVectorShuffle %v4 %ss %p2 3 0 0xFFFFFFFF 2\n" EACH_2("i") PART("c", "i", "2")
		 PART("e", "i", "3"),
	     MADE_OF},
	    {"shuffled where only marks count", "====",
	     .body = PAIR "%i = OpVectorShuffle %v4 %ss %p2 3 0 0xFFFFFFFF 2\n" EACH_2("i") PART("c", "i", "2")
		 PART("e", "i", "3"),
	     MADE_OF, .wishes = {.marks_only = true}},
	    {"a component by an index", "=xxx",
	     .body = PAIR
	     "%a = OpVectorExtractDynamic %uint %ss %s\n" ASK("a") "%b = OpVectorExtractDynamic %uint %ss %d\n" ASK(
		 "b") "%c = OpVectorExtractDynamic %uint %p2 %s\n" ASK("c") "%e = OpVectorExtractDynamic %uint %p2 "
									    "%c0\n" ASK("e"),
	     MADE_OF},
	    {"a component replaced by an index",
	     "=="
	     "xx"
	     "xx"
	     "=x",
	     .body = PAIR "%a = OpVectorInsertDynamic %v2 %ss %s %s\n" EACH_2(
		 "a") "%b = OpVectorInsertDynamic %v2 %ss %d %s\n" PART("b0", "b", "0")
		 PART("b1", "b", "1") "%c = OpVectorInsertDynamic %v2 %ss %s %d\n" PART("g0", "c", "0")
		     PART("g1", "c", "1") "%e = OpVectorInsertDynamic %v2 %p2 %s %s\n" PART("e0", "e", "0")
			 PART("e1", "e", "1"),
	     MADE_OF},
	    {"taken for another type", "=x",
	     .body = PAIR "%a = OpBitcast %int %s\n" ASK("a") "%b = OpBitcast %int %d\n" ASK("b"), MADE_OF},
	    {"a matrix and its transpose",
	     "=x"
	     "x=",
	     .body =
		 PAIR "%a = OpCompositeConstruct %fv2 %fs %fs\n%b = OpCompositeConstruct %fv2 %fs %fd\n%m = "
		      "OpCompositeConstruct %fm2 %a %b\n%e0 = OpCompositeExtract %float %m 1 0\n" ASK(
			  "e0") "%e1 = OpCompositeExtract %float %m 1 1\n" ASK("e1") "%t = OpTranspose %fm2 %m\n%e2 = "
										     "OpCompositeExtract %float %t 0 "
										     "0\n" ASK("e2") "%n = "
												     "OpCompositeConstr"
												     "uct %fm2 %a "
												     "%a\n%o = "
												     "OpTranspose %fm2 "
												     "%n\n" ASK("o"),
	     MADE_OF},
	    {"selected", "=x=xx",
	     .body = PAIR "%a = OpSelect %uint %sam %s %c1\n" ASK("a") "%b = OpSelect %uint %dif %s %c1\n" ASK(
		 "b") "%c = OpSelect %uint %dif %s %s\n" ASK("c") "%e = OpSelect %uint %sam %s %d\n" ASK("e") "%f = "
													      "OpSelect"
													      " %uint "
													      "%sam %d "
													      "%s"
													      "\n" ASK(
														  "f"),
	     MADE_OF},
	    {"selected component by component", "=x",
	     .body = PAIR "%w = OpCompositeConstruct %bv2 %sam %dif\n%o = OpCompositeConstruct %v2 %c1 %c2\n%a = "
			  "OpSelect %v2 %w %ss %o\n" EACH_2("a"),
	     MADE_OF},
	    {"functions of GLSL",
	     "=x"
	     "=x",
	     .body = PAIR
	     "%a = OpExtInst %v2 %glsl UMin %p2 %ss\n" EACH_2("a") "%l = OpExtInst %float %glsl Sqrt %fs\n" ASK(
		 "l") "%k = OpExtInst %float %glsl Sqrt %fd\n" ASK("k"),
	     MADE_OF},
	    {"what interpolates, and what joins", "x=x",
	     .body = PAIR "%a = OpExtInst %uint %glsl InterpolateAtCentroid %at\n" ASK(
		 "a") "%v = OpCompositeConstruct "
		      "%fv2 %fs %fs\n%l = OpExtInst "
		      "%float %glsl Length %v\n" ASK("l") "%w = "
							  "OpCompositeConstruct "
							  "%fv2 %fs %fd\n%k = "
							  "OpExtInst %float "
							  "%glsl Length "
							  "%w\n" ASK("k"),
	     .types = PARTS_TYPES "%at = OpVariable %p_in Input\n"},
	    {"all of a group", "s=?",
	     .body = "%a = OpGroupAll %bool %c3 %dif\n" ASK("a") "%b = OpGroupAll %bool %c2 %dif\n" ASK(
		 "b") "%c = OpGroupAll %bool %c4 %dif\n" ASK("c")},
	    {"the bits of a ballot", "=xx",
	     .body =
		 "%b = OpCompositeConstruct %v4 %s %s %s %s\n%a = OpGroupNonUniformBallotBitCount %uint %c3 Reduce "
		 "%b\n" ASK("a") "%c = OpCompositeConstruct %v4 %s %s %s %d\n%e = OpGroupNonUniformBallotBitCount "
				 "%uint %c3 Reduce %c\n" ASK(
				     "e") "%f = OpGroupNonUniformBallotBitCount %uint %c3 InclusiveScan %b\n" ASK("f")},
	    {"functions of another module", "?x",
	     .body = "%a = OpFunctionCall %uint %f %s\n" ASK("a") "%b = OpFunctionCall %uint %f %d\n" ASK("b"),
	     .functions = "%f = OpFunction %uint None %get\n%fp = OpFunctionParameter %uint\nOpFunctionEnd\n",
	     .types = "%get = OpTypeFunction %uint %uint\n"},
	    {"called with too little",
	     "==", .body = "%a = OpFunctionCall %void %g %s\n%b = OpFunctionCall %void %g %s %c1\n",
	     .functions = FUNCTION("g", "takes", "%gp = OpFunctionParameter %uint\n%gq = OpFunctionParameter %uint\n",
				   ASK("gp") ASK("gq")),
	     .types = "%takes = OpTypeFunction %void %uint %uint\n"},
	    {"a loop with two entries", "?",
	     .body = "OpSelectionMerge %j None\nOpBranchConditional %sam %a %b\n%a = OpLabel\nOpBranch %b\n%b = "
		     "OpLabel\n%n = OpIAdd %uint %s %c1\nOpBranchConditional %sam %a %j\n%j = OpLabel\n" ASK("n")},
	    {"members of inputs that are built in", "x=x=",
	     .body = "%m0 = OpAccessChain %p_in %block %c0\n%l0 = OpLoad %uint %m0\n" ASK(
		 "l0") "%m1 = OpAccessChain "
		       "%p_in %block %c1\n%l1 "
		       "= OpLoad %uint "
		       "%m1\n" ASK("l1") "%m2 "
					 "= "
					 "OpAc"
					 "cess"
					 "Chai"
					 "n "
					 "%p_"
					 "in "
					 "%blo"
					 "ck "
					 "%c2"
					 "\n%"
					 "l2 "
					 "= "
					 "OpLo"
					 "ad "
					 "%uin"
					 "t "
					 "%m2"
					 "\n" ASK("l2") "%m3 = OpAccessChain %p_in %blocks %c0 %c1\n%l3 = OpLoad %uint "
							"%m3\n" ASK("l3"),
	     .types =
		 "%B = OpTypeStruct %uint %uint %uint\n%p_B = OpTypePointer Input %B\n%block = OpVariable %p_B "
		 "Input\n%Bs = OpTypeArray %B %c3\n%p_Bs = OpTypePointer Input %Bs\n%blocks = OpVariable %p_Bs Input\n",
	     .notes = "OpMemberDecorate %B 0 BuiltIn LocalInvocationIndex\nOpMemberDecorate %B 1 BuiltIn "
		      "WorkgroupId\nOpMemberDecorate %B 2 Location 3\n"},
	    {"memory of other kinds", "xxxxx?",
	     .body = GOT("l0", "out") GOT("l1", "payload") GOT("l2", "attribute") GOT("l3", "record")
		 GOT("l4", "called") GOT("l5", "far"),
	     .types = VARIABLE_OF("out", "Output") VARIABLE_OF("payload", "IncomingRayPayloadKHR")
		 VARIABLE_OF("attribute", "HitAttributeKHR") VARIABLE_OF("record", "ShaderRecordBufferKHR")
		     VARIABLE_OF("called", "CallableDataKHR") VARIABLE_OF("far", "CrossWorkgroup")},
	    {"what a task shader gives to a mesh shader", "=", .body = "%l = OpLoad %uint %given\n" ASK("l"),
	     .types = VARIABLE_OF("given", "TaskPayloadWorkgroupEXT"),
	     .entries = ENTRY("MeshEXT", "main") SIZE("main", "8", "4", "2")},
	    {"what a task shader writes there", "?", .body = "OpStore %given %d\n%l = OpLoad %uint %given\n" ASK("l"),
	     .types = VARIABLE_OF("given", "TaskPayloadWorkgroupEXT"),
	     .entries = ENTRY("TaskEXT", "main") SIZE("main", "8", "4", "2")},
	    {"inputs of fragments in a quad", "sxssx", .body = INPUTS_READ, .types = INPUTS, .notes = OF_INPUTS,
	     .entries = ENTRY("Fragment", "main"), .wishes = {.quad = true}},
	    {"where nobody asks for quads", "xxxxx", .body = INPUTS_READ, .types = INPUTS, .notes = OF_INPUTS,
	     .entries = ENTRY("Fragment", "main")},
	    {"texels", "=x==",
	     .body = IMAGES TEXEL("a", "%at_s", "ss") TEXEL("b", "%at_s", "p2") "%c = OpImageRead %fv4 %w %ss\n" ASK(
		 "c") "%si = OpLoad %sampler %sampler_v\n%both = OpSampledImage %si_type %at_s %si\n%im = OpImage "
		      "%sampled %both\n" TEXEL("e", "%im", "ss"),
	     .types = IMAGE_TYPES, .notes = IMAGE_NOTES},
	    {"of an image that is written, and of a subpass", "=?x",
	     .body = IMAGES "%one = OpCompositeConstruct %fv4 %fs %fs %fs %fs\nOpImageWrite %w %ss %one\n" TEXEL(
		 "a", "%at_s", "ss") "%c = OpImageRead %fv4 %w %ss\n" ASK("c") "%sub = OpLoad %subpass %subpass_v\n%r "
									       "= OpImageRead %fv4 %sub %ss\n" ASK("r"),
	     .types = IMAGE_TYPES, .notes = IMAGE_NOTES},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* memory that is copied, and what functions make of what they are given */

static void contents_follow_what_is_written(void **state)
{
#define TWO_VECTORS                                                                                                    \
	"%v = OpVariable %pf_v2 Function\n%w = OpVariable %pf_v2 Function\n%a0 = OpAccessChain %pf %v %c0\n"           \
	"%a1 = OpAccessChain %pf %v %c1\n%b0 = OpAccessChain %pf %w %c0\n%b1 = OpAccessChain %pf %w %c1\n"             \
	"%p2 = OpCompositeConstruct %v2 %s %d\n%ss = OpCompositeConstruct %v2 %s %s\n"
#define LOOK(name, at) "%" name " = OpLoad %uint %" at "\n" ASK(name)
#define BOTH           LOOK("l0", "b0") LOOK("l1", "b1")
#define VECTORS                                                                                                        \
	.types = "%pf_v2 = OpTypePointer Function %v2\n%pff = OpTypePointer Function %float\n%takes = OpTypeFunction " \
		 "%void %pf_v2\n%takes1 = OpTypeFunction %void %pf\n%gets = OpTypeFunction %uint %pf\n%takes2 = "      \
		 "OpTypeFunction %void %bool %pf\n"
#define GIVEN(body)                                                                                                    \
	FUNCTION("g", "takes", "%gp = OpFunctionParameter %pf_v2\n",                                                   \
		 "%g0 = OpAccessChain %pf %gp %c0\n%g1 = OpAccessChain %pf %gp %c1\n%gd = OpLoad %uint %lane\n" body)
#define CALLED "%r = OpFunctionCall %void %g %w\n"
	static const struct claim claims[] = {
	    {"copied as a whole", "=x", .body = TWO_VECTORS "OpStore %v %p2\nOpCopyMemory %w %v\n" BOTH, VECTORS},
	    {"copied in part", "x=",
	     .body = TWO_VECTORS "OpStore %v %p2\nOpStore %w %p2\nOpCopyMemory %b1 %a0\nOpCopyMemory %b0 %a1\n" BOTH,
	     VECTORS},
	    {"copied before it is written", "=x",
	     .body =
		 TWO_VECTORS "OpStore %v %ss\nOpCopyMemory %w %v\nOpStore %v %p2\n" LOOK("l0", "b1") LOOK("l1", "a1"),
	     VECTORS},
	    {"copied from elsewhere", "x==?",
	     .body = TWO_VECTORS "OpCopyMemory %b0 %lane\n" LOOK("l0", "b0") "OpCopyMemory %b0 %p_s\n" LOOK(
		 "l1", "b0") "%q = OpAccessChain %pb %read %c0\nOpCopyMemory %b0 "
			     "%q\n" LOOK("l2", "b0") "%z = OpAccessChain %pb "
						     "%buf2 %c0\nOpCopyMemory %b0 "
						     "%z\n" LOOK("l3", "b0") "OpStore "
									     "%z %c1\n",
	     VECTORS},
	    {"copied from where an index says", "x",
	     .body = TWO_VECTORS "OpStore %v %ss\n%o = OpAccessChain %pf %v %d\nOpCopyMemory %b0 %o\n" LOOK("l0", "b0"),
	     VECTORS},
	    {"where only marks count", "====",
	     .body = TWO_VECTORS "OpCopyMemory %b0 %lane\n" LOOK("l0", "b0") "OpCopyMemory %b0 %p_s\n" LOOK(
		 "l1",
		 "b0") "%z = OpAccessChain %pb %buf2 %c0\nOpCopyMemory %b0 %z\n" LOOK("l3",
										      "b0") "OpStore %z %c1\n%at = "
											    "OpAtomicIAdd %uint %b0 "
											    "%c1 %c0 %c1\n" LOOK("l4",
														 "b0"),
	     VECTORS, .wishes = {.marks_only = true}},
	    {"counted up", "?",
	     .body = TWO_VECTORS "OpStore %w %ss\n%at = OpAtomicIAdd %uint %b0 %c1 %c0 %c1\n" LOOK("l0", "b0"),
	     VECTORS},
	    {"what GLSL writes beside its result", "=x",
	     .body = "%fv = OpVariable %pff Function\n%fs = OpConvertUToF %float %s\n%fd = OpConvertUToF %float %d\n%m "
		     "= OpExtInst %float %glsl Modf %fs %fv\n%l = OpLoad %float %fv\n" ASK(
			 "l") "%n = OpExtInst %float %glsl Modf %fd %fv\n%k = OpLoad %float %fv\n" ASK("k"),
	     VECTORS},
	    {"what a function writes in part", "x=", .body = TWO_VECTORS "OpStore %w %ss\n" CALLED BOTH,
	     .functions = GIVEN("OpStore %g0 %gd\n"), VECTORS},
	    {"and in the other part", "=x", .body = TWO_VECTORS "OpStore %w %ss\n" CALLED BOTH,
	     .functions = GIVEN("OpStore %g1 %gd\n"), VECTORS},
	    {"what it leaves as it is", "=x", .body = TWO_VECTORS "OpStore %w %p2\n" CALLED BOTH,
	     .functions = GIVEN(""), VECTORS},
	    {"what it overwrites", "==", .body = TWO_VECTORS "OpStore %w %p2\n" CALLED BOTH,
	     .functions = GIVEN("OpStore %g1 %c1\n"), VECTORS},
	    {"what it finds", "=x", .body = TWO_VECTORS "OpStore %w %p2\n" CALLED,
	     .functions = GIVEN(LOOK("f0", "g0") LOOK("f1", "g1")), VECTORS},
	    {"what it finds in one of two", "xx",
	     .body = TWO_VECTORS "OpStore %w %p2\n%ds = OpCompositeConstruct %v2 %d %s\nOpStore %v %ds\n" CALLED
				 "%r2 = OpFunctionCall %void %g %v\n",
	     .functions = GIVEN(LOOK("f0", "g0") LOOK("f1", "g1")), VECTORS},
	    {"what another module does", "??", .body = TWO_VECTORS "OpStore %w %ss\n" CALLED BOTH,
	     .functions = "%g = OpFunction %void None %takes\n%gp = OpFunctionParameter %pf_v2\nOpFunctionEnd\n",
	     VECTORS},
	    {"a part that is given", "=x",
	     .body = TWO_VECTORS "OpStore %w %ss\n%r = OpFunctionCall %void %h %b1\n" BOTH,
	     .functions = FUNCTION("h", "takes1", "%hp = OpFunctionParameter %pf\n",
				   "%hd = OpLoad %uint %lane\nOpStore %hp %hd\n"),
	     VECTORS},
	    {"what each call returns", "=x=",
	     .body = TWO_VECTORS "OpStore %w %p2\n%r0 = OpFunctionCall %uint %h %b0\n" ASK(
		 "r0") "%r1 = OpFunctionCall %uint %h %b1\n" ASK("r1") "%r2 = OpFunctionCall %uint %h %b0\n" ASK("r2"),
	     .functions = "%h = OpFunction %uint None %gets\n%hp = OpFunctionParameter %pf\n%h_0 = OpLabel\n%hl = "
			  "OpLoad %uint %hp\nOpReturnValue %hl\nOpFunctionEnd\n",
	     VECTORS},
	    {"written by a branch in the function", "=x",
	     .body = TWO_VECTORS "OpStore %w %ss\nOpStore %v %ss\n%r0 = OpFunctionCall %void %h %sam %b0\n%r1 = "
				 "OpFunctionCall %void %h %dif %a0\n" LOOK("l0", "b0") LOOK("l1", "a0"),
	     .functions =
		 "%h = OpFunction %void None %takes2\n%hc = OpFunctionParameter %bool\n%hp = OpFunctionParameter "
		 "%pf\n%h_0 = OpLabel\nOpSelectionMerge %h_2 None\nOpBranchConditional %hc %h_1 %h_2\n%h_1 = "
		 "OpLabel\nOpStore %hp %c1\nOpBranch %h_2\n%h_2 = OpLabel\nOpReturn\nOpFunctionEnd\n",
	     VECTORS},
	    {"called with too little", "=",
	     .body = TWO_VECTORS "OpStore %w %ss\n%r0 = OpFunctionCall %void %g\n" CALLED,
	     .functions = GIVEN(LOOK("f0", "g0")), VECTORS},
	    {"what nobody gives", "?", .functions = GIVEN(LOOK("f0", "g0")), VECTORS},
	    {"what a variable begins with", "=u",
	     .body = "%v = OpVariable %pf Function %c1\n%w = OpVariable %pf Function\n" LOOK("l0", "v") LOOK("l1", "w"),
	     VECTORS},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* addresses */

static void addresses_may_be_those_of_any_buffer(void **state)
{
#define AT_ADDRESS                                                                                                     \
	"%a1 = OpConvertUToPtr %phys %lo\n%e1 = OpAccessChain %phys_u %a1 %c0\n"                                       \
	"%la = OpLoad %uint %e1 Aligned 4\n" ASK("la")
#define WRITE_THERE "OpStore %e1 %c1 Aligned 4\n"
#define WRITE_OTHER "%p2 = OpAccessChain %pb %buf2 %c0\nOpStore %p2 %c1\n"
#define PHYSICAL                                                                                                       \
	"%phys = OpTypePointer PhysicalStorageBuffer %Buf\n%phys_u = OpTypePointer PhysicalStorageBuffer %uint\n"      \
	"%lo = OpConstant %ulong 4096\n"
	static const struct claim claims[] = {
	    {"nothing is written", "==", .body = READ AT_ADDRESS, .types = PHYSICAL},
	    {"written by address", "=?", .body = READ AT_ADDRESS WRITE_THERE, .types = PHYSICAL},
	    {"written by address, which may be that of a descriptor", "??", .body = READ AT_ADDRESS WRITE_THERE,
	     .types = PHYSICAL, .wishes = {.by_address = true}},
	    {"written by address, beside an aliased buffer", "??", .body = READ AT_ADDRESS WRITE_THERE,
	     .types = PHYSICAL, .notes = "OpDecorate %read Aliased\n"},
	    {"another buffer is written", "=?", .body = READ AT_ADDRESS WRITE_OTHER, .types = PHYSICAL},
	    {"another buffer is written, which may have an address", "=?", .body = READ AT_ADDRESS WRITE_OTHER,
	     .types = PHYSICAL, .wishes = {.by_address = true}},
	    {"one of two buffers is written", "??",
	     .body = READ AT_ADDRESS "%p2 = OpAccessChain %pb %buf2 %c0\n%p3 = OpAccessChain %pb %buf2 %c1\n"
				     "%p4 = OpSelect %pb %sam %p2 %p3\nOpStore %p4 %c1\n",
	     .types = PHYSICAL},
	    {"a function that others call writes by address", "??", .body = "",
	     .functions = FUNCTION("f", "takes", "%f_p = OpFunctionParameter %phys\n",
				   "%e = OpAccessChain %phys_u %f_p %c0\nOpStore %e %c1 Aligned 4\n" READ AT_ADDRESS),
	     .types = PHYSICAL "%takes = OpTypeFunction %void %phys\n", .notes = "OpDecorate %read Aliased\n"},
	    {"another member of the buffer is written", "=",
	     .body = READ "%p2 = OpAccessChain %pb %read %c1\nOpStore %p2 %c1\n"
			  "%at = OpAtomicIAdd %uint %p2 %c1 %c0 %c1\nOpCopyMemory %p2 %p_s\n"},
	    {"the member is written", "?", .body = READ "OpCopyMemory %p_read %p_s\n"},
	    {"the member is counted up", "?", .body = READ "%at = OpAtomicIAdd %uint %p_read %c1 %c0 %c1\n"},
	    {"one of two functions' results, by branches that differ", "x=xx=",
	     .body = "%r0 = OpFunctionCall %uint %f %dif %s\nOpReleaseEvent %r0\n"
		     "%r1 = OpFunctionCall %uint %f %sam %s\nOpReleaseEvent %r1\n"
		     "%r2 = OpFunctionCall %uint %f %sam %d\nOpReleaseEvent %r2\n"
		     "%v = OpVariable %pf Function\n%r3 = OpFunctionCall %void %g %dif %v\n"
		     "%l3 = OpLoad %uint %v\nOpReleaseEvent %l3\n%r4 = OpFunctionCall %void %g %sam %v\n"
		     "%l4 = OpLoad %uint %v\nOpReleaseEvent %l4\n",
	     .functions = "%f = OpFunction %uint None %ff\n%f_c = OpFunctionParameter %bool\n"
			  "%f_v = OpFunctionParameter %uint\n%f_0 = OpLabel\nOpSelectionMerge %f_2 None\n"
			  "OpBranchConditional %f_c %f_1 %f_2\n%f_1 = OpLabel\nOpReturnValue %f_v\n"
			  "%f_2 = OpLabel\nOpReturnValue %c1\nOpFunctionEnd\n%g = OpFunction %void None %gg\n"
			  "%g_c = OpFunctionParameter %bool\n%g_v = OpFunctionParameter %pf\n%g_0 = OpLabel\n"
			  "OpSelectionMerge %g_2 None\nOpBranchConditional %g_c %g_1 %g_2\n%g_1 = OpLabel\n"
			  "OpStore %g_v %c1\nOpReturn\n%g_2 = OpLabel\nOpStore %g_v %c2\nOpReturn\n"
			  "OpFunctionEnd\n",
	     .types = "%ff = OpTypeFunction %uint %bool %uint\n%gg = OpTypeFunction %void %bool %pf\n"},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* rays */

static void traced_rays_may_move_invocations(void **state)
{
#define AGAIN           ASK("v")
#define TRACE           "OpExecuteCallableKHR %c1 %data\n"
#define SUBGROUP_VALUE  "%v = OpGroupNonUniformBroadcast %uint %c3 %d %c1\n"
#define SUBGROUP        SUBGROUP_VALUE AGAIN
#define SUBGROUP_STORED SUBGROUP_VALUE "%w = OpVariable %pf Function\nOpStore %w %v\n"
#define SUBGROUP_F      "%fl = OpLoad %uint %lane\n%fv = OpGroupNonUniformBroadcast %uint %c3 %fl %c1\n"
#define RAYS            .entries = ENTRY("RayGenerationKHR", "main")
#define DATA            "%data = OpVariable %pp Private\n"
#define MET(first, then, value)                                                                                        \
	"%cv = OpULessThan %bool %v %c4\n" first                                                                       \
	"OpSelectionMerge %j None\nOpBranchConditional %cv %t %f\n%t = OpLabel\n" then                                 \
	"OpBranch %j\n%f = OpLabel\nOpBranch %j\n%j = OpLabel\n%phi = OpPhi %uint " value " %t %c2 %f\n" ASK("phi")
#define GO(n) "%t" n " = OpFunctionCall %void %" n "\n"
	static const struct claim claims[] = {
	    {"a trace", "sx", .body = SUBGROUP TRACE AGAIN, .types = "%data = OpVariable %pp Private\n", RAYS},
	    {"a call that traces, and one that does not", "ssx", .body = SUBGROUP GO("idle") AGAIN GO("outer") AGAIN,
	     .functions = FUNCTION("idle", "fn", "", "") FUNCTION("outer", "fn", "", GO("middle"))
		 FUNCTION("middle", "fn", "", GO("inner")) FUNCTION("inner", "fn", "", TRACE),
	     .types = "%data = OpVariable %pp Private\n", RAYS},
	    {"in a loop, the trace behind it is before it, too", "sx",
	     .body = SUBGROUP "OpBranch %h\n%h = OpLabel\n" AGAIN
			      "OpLoopMerge %e %k None\nOpBranchConditional %sam %k %e\n%k = OpLabel\n" TRACE
			      "OpBranch %h\n%e = OpLabel\n",
	     .types = "%data = OpVariable %pp Private\n", RAYS},
	    {"what a variable keeps", "sx",
	     .body = SUBGROUP_STORED "%l1 = OpLoad %uint %w\n" ASK("l1") TRACE "%l2 = OpLoad %uint %w\n" ASK("l2"),
	     .types = DATA, RAYS},
	    {"a constant that it keeps", "==",
	     .body = "%w = OpVariable %pf Function\nOpStore %w %c1\n%l1 = OpLoad %uint %w\n" ASK("l1") TRACE
	     "%l2 = OpLoad %uint %w\n" ASK("l2"),
	     .types = DATA, RAYS},
	    {"one of two constants, by what is the same in a subgroup", "sx",
	     .body = SUBGROUP_VALUE
	     "%w = OpVariable %pf Function\nOpStore %w %c1\n%cv = OpULessThan %bool %v %c4\nOpSelectionMerge %j "
	     "None\nOpBranchConditional %cv %t %j\n%t = OpLabel\nOpStore %w %c2\nOpBranch %j\n%j = OpLabel\n%l1 = "
	     "OpLoad %uint %w\n" ASK("l1") TRACE "%l2 = OpLoad %uint %w\n" ASK("l2"),
	     .types = DATA, RAYS},
	    {"a constant beside it", "gx",
	     .body = SUBGROUP_VALUE "%w = OpVariable %pf_v2 Function\n%w0 = OpAccessChain %pf %w %c0\n%w1 = "
				    "OpAccessChain %pf %w %c1\nOpStore %w1 %v\nOpStore %w0 %c1\n" TRACE
				    "%l0 = OpLoad %uint %w0\n" ASK("l0") "%l1 = OpLoad %uint %w1\n" ASK("l1"),
	     .types = DATA "%pf_v2 = OpTypePointer Function %v2\n", RAYS},
	    {"what is undefined in part, and kept", "x",
	     .body = "%w = OpVariable %pf_v2 Function\nOpStore %w %cu\n" TRACE "%l = OpLoad %v2 %w\n" ASK("l"),
	     .types = DATA "%pf_v2 = OpTypePointer Function %v2\n%cu = OpConstantComposite %v2 %c1 %undef\n", RAYS},
	    {"where branches meet", "s", .body = SUBGROUP_VALUE MET("", "", "%c1"), .types = DATA, RAYS},
	    {"of which one traces", "x", .body = SUBGROUP_VALUE MET("", TRACE, "%c1"), .types = DATA, RAYS},
	    {"that were decided before", "x", .body = SUBGROUP_VALUE MET(TRACE, "", "%c1"), .types = DATA, RAYS},
	    {"behind which is a trace", "sx", .body = SUBGROUP_VALUE MET("", "", "%c1") TRACE ASK("phi"), .types = DATA,
	     RAYS},
	    {"a value from before the trace of its branch", "x", .body = SUBGROUP_VALUE MET("", TRACE, "%v"),
	     .types = DATA, RAYS},
	    {"in another block", "sx",
	     .body = SUBGROUP_VALUE "OpBranch %t\n%t = OpLabel\n" ASK("v") "OpBranch %f\n%f = OpLabel\n" TRACE ASK("v"),
	     .types = DATA, RAYS},
	    {"what is computed from it on either side", "sxx",
	     .body = SUBGROUP_VALUE "%n1 = OpIAdd %uint %v %c1\n" ASK("n1") TRACE
	     "%n2 = OpIAdd %uint %v %c1\n" ASK("n1") ASK("n2"),
	     .types = DATA, RAYS},
	    {"given to a function", "sx", .body = SUBGROUP_VALUE "%r = OpFunctionCall %void %g %v\n",
	     .functions = FUNCTION("g", "takes", "%gp = OpFunctionParameter %uint\n", ASK("gp") TRACE ASK("gp")),
	     .types = DATA "%takes = OpTypeFunction %void %uint\n", RAYS},
	    {"given to it behind a trace", "xx", .body = SUBGROUP_VALUE TRACE "%r = OpFunctionCall %void %g %v\n",
	     .functions = FUNCTION("g", "takes", "%gp = OpFunctionParameter %uint\n", ASK("gp") TRACE ASK("gp")),
	     .types = DATA "%takes = OpTypeFunction %void %uint\n", RAYS},
	    {"a variable of the module, read by a function", "x",
	     .body = SUBGROUP_VALUE "OpStore %pv %v\n" TRACE "%r = OpFunctionCall %void %g\n",
	     .functions = FUNCTION("g", "fn", "", "%gl = OpLoad %uint %pv\n" ASK("gl")),
	     .types = DATA "%pv = OpVariable %pp Private\n", RAYS},
	    {"written by one, read by another", "x",
	     .body = "%r1 = OpFunctionCall %void %f\n" TRACE "%r = OpFunctionCall %void %g\n",
	     .functions = FUNCTION("f", "fn", "", SUBGROUP_F "OpStore %pv %fv\n")
		 FUNCTION("g", "fn", "", "%gl = OpLoad %uint %pv\n" ASK("gl")),
	     .types = DATA "%pv = OpVariable %pp Private\n", RAYS},
	    {"a pointer that is given", "x", .body = SUBGROUP_STORED TRACE "%r = OpFunctionCall %void %g %w\n",
	     .functions =
		 FUNCTION("g", "takes", "%gp = OpFunctionParameter %pf\n", "%gl = OpLoad %uint %gp\n" ASK("gl")),
	     .types = DATA "%takes = OpTypeFunction %void %pf\n", RAYS},
	    {"written through a pointer", "x",
	     .body = "%w = OpVariable %pf Function\n%r = OpFunctionCall %void %g %w\n" TRACE
		     "%l = OpLoad %uint %w\n" ASK("l"),
	     .functions = FUNCTION("g", "takes", "%gp = OpFunctionParameter %pf\n", SUBGROUP_F "OpStore %gp %fv\n"),
	     .types = DATA "%takes = OpTypeFunction %void %pf\n", RAYS},
	    {"what a function returns", "sx", .body = "%r = OpFunctionCall %uint %g %c1\n" ASK("r") TRACE ASK("r"),
	     .functions =
		 "%g = OpFunction %uint None %get\n%gp = OpFunctionParameter %uint\n%g_0 = OpLabel\n" SUBGROUP_F
		 "OpReturnValue %fv\nOpFunctionEnd\n",
	     .types = DATA "%get = OpTypeFunction %uint %uint\n", RAYS},
	    {"what it returns behind a trace", "x", .body = "%r = OpFunctionCall %uint %g %c1\n" ASK("r"),
	     .functions =
		 "%g = OpFunction %uint None %get\n%gp = OpFunctionParameter %uint\n%g_0 = OpLabel\n" SUBGROUP_F TRACE
		 "OpReturnValue %fv\nOpFunctionEnd\n",
	     .types = DATA "%get = OpTypeFunction %uint %uint\n", RAYS},
	    {"where only marks count", "==", .body = SUBGROUP TRACE AGAIN, .types = DATA, RAYS,
	     .wishes = {.marks_only = true}},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* memory of a workgroup */

static void nobody_writes_between_two_barriers(void **state)
{
#define BARRIER                        "OpControlBarrier %c2 %c2 %c264\n"
#define STORE                          "OpStore %w %d\n"
#define LOAD                           "%l = OpLoad %uint %w\n" ASK("l")
#define STORE_1                        "OpStore %w %c1\n"
#define WAIT(execution, memory, order) "OpControlBarrier %" execution " %" memory " %" order "\n"
#define LOAD_AS(l)                     "%" l " = OpLoad %uint %w\n" ASK(l)
#define WORDS                                                                                                          \
	"%w = OpVariable %pw Workgroup\n%w2 = OpVariable %pw Workgroup\n%takes = OpTypeFunction %void %pw\n"           \
	"%c5 = OpConstant %uint 5\n%c256 = OpConstant %uint 256\n%c272 = OpConstant %uint 272\n"                       \
	"%gives = OpTypeFunction %uint\n"
#define CALL(f) "%r_" f " = OpFunctionCall %void %" f "\n"
#define DEEP    FUNCTION("outer", "fn", "", CALL("middle")) FUNCTION("middle", "fn", "", CALL("inner"))
	static const struct claim claims[] = {
	    {"a barrier between store and load", "=", .body = STORE BARRIER LOAD,
	     .types = "%w = OpVariable %pw Workgroup\n"},
	    {"none", "?", .body = STORE LOAD BARRIER, .types = "%w = OpVariable %pw Workgroup\n"},
	    {"a quad", "?", .body = STORE BARRIER LOAD, .types = "%w = OpVariable %pw Workgroup\n",
	     .wishes = {.quad = true}},
	    {"an instruction that nobody knows", "?", .body = STORE BARRIER LOAD "!0x0001FFF0\n",
	     .types = "%w = OpVariable %pw Workgroup\n"},
	    {"a call that is none of OpFunctionCall", "?",
	     .body = STORE BARRIER LOAD "%other = OpFunctionPointerCallINTEL %uint %s\n",
	     .types = "%w = OpVariable %pw Workgroup\n"},
	    {"what neither writes nor waits is passed over, wherever else it is called", "=",
	     .body = CALL("outer") STORE "%r1 = OpFunctionCall %void %idle\n" BARRIER
					 "%r2 = OpFunctionCall %void %idle\n" LOAD,
	     DEEP FUNCTION("inner", "fn", "", BARRIER) FUNCTION("idle", "fn", "", ""),
	     .types = "%w = OpVariable %pw Workgroup\n"},
	    {"what nobody writes is not defined", "?", .body = BARRIER LOAD,
	     .types = "%w = OpVariable %pw Workgroup\n"},
	    {"a store that is called", "?", .body = STORE BARRIER CALL("outer") LOAD,
	     DEEP FUNCTION("inner", "fn", "", STORE), .types = "%w = OpVariable %pw Workgroup\n"},
	    {"a barrier that is called", "=", .body = STORE CALL("outer") LOAD,
	     DEEP FUNCTION("inner", "fn", "", BARRIER), .types = "%w = OpVariable %pw Workgroup\n"},
	    {"a barrier that orders the memory of the device", "=", .body = STORE WAIT("c2", "c1", "c264") LOAD,
	     .types = WORDS},
	    {"of all queues", "=", .body = STORE WAIT("c2", "c5", "c264") LOAD, .types = WORDS},
	    {"of the workgroup, in one order for all", "=", .body = STORE WAIT("c2", "c2", "c272") LOAD,
	     .types = WORDS},
	    {"barriers of a subgroup", "??",
	     .body = STORE WAIT("c2", "c3", "c264") LOAD WAIT("c3", "c2", "c264") LOAD_AS("l2"), .types = WORDS},
	    {"barriers that order something else, or nothing", "??",
	     .body = STORE WAIT("c2", "c2", "c256") LOAD WAIT("c2", "c2", "c8") LOAD_AS("l2"), .types = WORDS},
	    {"a store behind it", "?", .body = BARRIER "OpStore %w2 %d\n" LOAD STORE, .types = WORDS},
	    {"a store to another variable", "=", .body = STORE BARRIER "OpStore %w2 %d\n" LOAD, .types = WORDS},
	    {"a copy from it, and one to it", "=?",
	     .body = "%v = OpVariable %pf Function\n" STORE BARRIER "OpCopyMemory %v %w\n" LOAD BARRIER
		     "OpCopyMemory %w %v\n" LOAD_AS("l2"),
	     .types = WORDS},
	    {"counted up, and another one that is", "?=",
	     .body = STORE BARRIER "%at = OpAtomicIAdd %uint %w %c1 %c0 %c1\n" LOAD BARRIER
				   "%in = OpAtomicIAdd %uint %w2 %c1 %c0 %c1\n" LOAD_AS("l2"),
	     .types = WORDS},
	    {"a store to another name of it", "?", .body = STORE BARRIER "OpStore %w2 %d\n" LOAD, .types = WORDS,
	     .notes = "OpDecorate %w Aliased\nOpDecorate %w2 Aliased\n"},
	    {"a store to another one, which only one side calls aliased", "=",
	     .body = STORE BARRIER "OpStore %w2 %d\n" LOAD, .types = WORDS, .notes = "OpDecorate %w Aliased\n"},
	    {"a store through a pointer that may be any", "?",
	     .body = STORE BARRIER "%r = OpFunctionCall %void %f %w2\n" LOAD,
	     .functions = FUNCTION("f", "takes", "%f_w = OpFunctionParameter %pw\n", "OpStore %f_w %c1\n"),
	     .types = WORDS},
	    {"a load through one", "?", .body = STORE BARRIER "OpStore %w2 %d\n%r = OpFunctionCall %void %f %w\n",
	     .functions = FUNCTION("f", "takes", "%f_w = OpFunctionParameter %pw\n",
				   "%l = OpLoad %uint %f_w\nOpReleaseEvent %l\n"),
	     .types = WORDS},
	    {"before the first barrier", "?", .body = LOAD BARRIER STORE, .types = WORDS},
	    {"in a later block than the barrier", "=", .body = STORE BARRIER "OpBranch %next\n%next = OpLabel\n" LOAD,
	     .types = WORDS},
	    {"a store in a function that is called next", "?", .body = BARRIER LOAD CALL("f"),
	     .functions = FUNCTION("f", "fn", "", STORE_1 "OpBranch %f_next\n%f_next = OpLabel\n"), .types = WORDS},
	    {"a store behind a function with the barrier", "?", .body = CALL("f") STORE,
	     .functions = FUNCTION("f", "fn", "", BARRIER LOAD), .types = WORDS},
	    {"a store behind one that returns something", "?", .body = "%r = OpFunctionCall %uint %f\n" STORE,
	     .functions = "%f = OpFunction %uint None %gives\n%f_0 = OpLabel\n" BARRIER LOAD
			  "OpReturnValue %c1\nOpFunctionEnd\n",
	     .types = WORDS},
	    {"a function of another module", "?", .body = STORE BARRIER CALL("f") LOAD,
	     .functions = "%f = OpFunction %void None %fn\nOpFunctionEnd\n", .types = WORDS},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* names of one memory */

enum { BUFFER, BLOCK, IMAGE, KINDS }; /* a storage buffer, a uniform block, a storage image */

struct pair {
	int kind[2]; /* what is read, what is written */
	bool many[2];
};

static void put(const char *format, ...)
{
	size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	length += (size_t)vsnprintf(text + length, sizeof text - length, format, arguments);
	va_end(arguments);
	assert_true(length < sizeof text);
}

/* May what is written at one binding be what is read at the other, or at the same? */
static bool may_alias(const struct pair *p, struct spb_uniformity_wishes w, bool same_binding)
{
	bool move[2] = {p->many[0] && w.they_move, p->many[1] && w.they_move};

	if (move[0] != move[1])
		return false;
	if (move[0] ? (p->kind[0] == BUFFER) != (p->kind[1] == BUFFER) || p->kind[0] != p->kind[1] : !same_binding)
		return false;
	if ((!p->many[0] || !p->many[1]) && !w.one_place)
		return false;
	return w.any_type || (p->many[0] && p->many[1]) || p->kind[0] == p->kind[1];
}

static const char *const pointer_of[] = {"p_sb", "p_ub", "p_si"}, *const class_of[] = {"StorageBuffer", "Uniform",
										       "UniformConstant"};

static void put_pair(const struct pair *p, uint32_t number)
{
	for (int i = 0; i < 2; i++)
		put("%%v%u_%d = OpVariable %%%s%s %s\n", number, i, pointer_of[p->kind[i]], p->many[i] ? "s" : "",
		    class_of[p->kind[i]]);
}

static void put_uses(const struct pair *p, uint32_t number)
{
	for (int i = 1; i >= 0; i--) {
		const char *index = p->many[i] ? "%c0" : "";
		if (p->kind[i] == IMAGE) {
			put("%%e%u_%d = OpAccessChain %%p_si %%v%u_%d %s\n%%i%u_%d = OpLoad %%si %%e%u_%d\n", number, i,
			    number, i, index, number, i, number, i);
			if (i)
				put("OpImageWrite %%i%u_1 %%at %%none4\n", number);
			else
				put("%%l%u = OpImageRead %%v4 %%i%u_0 %%at\nOpReleaseEvent %%l%u\n", number, number,
				    number);
		} else {
			put("%%e%u_%d = OpAccessChain %%p_%s %%v%u_%d %s %%c0\n", number, i,
			    p->kind[i] == BUFFER ? "sb_u" : "ub_u", number, i, index);
			if (i)
				put("OpStore %%e%u_1 %%c1\n", number);
			else
				put("%%l%u = OpLoad %%uint %%e%u_0\nOpReleaseEvent %%l%u\n", number, number, number);
		}
	}
}

static bool check_pairs(const struct pair *pairs, uint32_t count, struct spb_uniformity_wishes wishes, bool same)
{
	const struct claim claim = {.wishes = wishes};
	struct parsed p;
	struct asking a = {.p = &p, .claim = &claim};
	bool right = true;

	*text = '\0';
	put("%s", "OpCapability Shader\nOpMemoryModel Logical GLSL450\n" COMPUTE NOTES
		  "OpDecorate %sb Block\nOpDecorate %ub Block\nOpMemberDecorate %sb 0 Offset 0\n");
	for (uint32_t i = 0; i < count; i++)
		put("OpDecorate %%v%u_0 DescriptorSet %u\nOpDecorate %%v%u_0 Binding 3\n"
		    "OpDecorate %%v%u_1 DescriptorSet %u\nOpDecorate %%v%u_1 Binding %d\n",
		    i, i, i, i, i, i, same ? 3 : 4);
	put("%s", TYPES "%none4 = OpConstantNull %v4\n%at = OpConstantNull %v2\n%sb = OpTypeStruct %uint\n"
			"%ub = OpTypeStruct %uint %uint\n%si = OpTypeImage %uint 2D 0 0 0 2 R32ui\n"
			"%sbs = OpTypeRuntimeArray %sb\n%ubs = OpTypeRuntimeArray %ub\n"
			"%sis = OpTypeRuntimeArray %si\n%p_sb = OpTypePointer StorageBuffer %sb\n"
			"%p_ub = OpTypePointer Uniform %ub\n%p_si = OpTypePointer UniformConstant %si\n"
			"%p_sbs = OpTypePointer StorageBuffer %sbs\n%p_ubs = OpTypePointer Uniform %ubs\n"
			"%p_sis = OpTypePointer UniformConstant %sis\n"
			"%p_sb_u = OpTypePointer StorageBuffer %uint\n%p_ub_u = OpTypePointer Uniform %uint\n");
	for (uint32_t i = 0; i < count; i++)
		put_pair(&pairs[i], i);
	put("%s", "%main = OpFunction %void None %fn\n%main_0 = OpLabel\n");
	for (uint32_t i = 0; i < count; i++)
		put_uses(&pairs[i], i);
	put("%s", "OpReturn\nOpFunctionEnd\n");
	parse(&p, text);
	assert_false(caught(p.m.context, ask, &a));
	for (uint32_t i = 0; i < count; i++) {
		if (a.said[i] == (may_alias(&pairs[i], wishes, same) ? '?' : '='))
			continue;
		right = false;
		print_error("kinds %d%s and %d%s, %s binding, wishes %d %d %d: %c\n", pairs[i].kind[0],
			    pairs[i].many[0] ? "[]" : "", pairs[i].kind[1], pairs[i].many[1] ? "[]" : "",
			    same ? "same" : "another", wishes.one_place, wishes.any_type, wishes.they_move, a.said[i]);
	}
	drop(&p);
	return right;
}

static void memory_is_written_under_each_of_its_names(void **state)
{
	struct pair pairs[KINDS * 2 * 4];
	uint32_t count = 0;
	bool right = true;

	(void)state;
	for (int of = 0; of < KINDS * 2; of++) {
		for (int many = 0; many < 4; many++)
			pairs[count++] = (struct pair){{of / 2, of % 2 ? IMAGE : BUFFER}, {many & 1, many >> 1}};
	}
	for (int bits = 0; bits < 8; bits++) {
		struct spb_uniformity_wishes w = {.one_place = bits & 1, .any_type = (bits & 2) != 0};
		right &= check_pairs(pairs, count, w, (bits & 4) != 0);
		w.they_move = true; /* all runtime arrays, so there may be no others */
		for (uint32_t i = 0; i < count && bits < 5; i++)
			right &= check_pairs(pairs + i, 1, w, (bits & 4) != 0);
	}
	assert_true(right);
}

/* pointers that somebody else writes through */

static void unknown_pointers_may_be_any(void **state)
{
#define IMPORT(type)                                                                                                   \
	"%import = OpFunction %void None %takes\n%import_p = OpFunctionParameter %" type "\nOpFunctionEnd\n"
	static const struct claim claims[] = {
	    {"a function of another module is given a buffer", "?=",
	     .body = READ "%p2 = OpAccessChain %pb %buf2 %c1\n%l2 = OpLoad %uint %p2\nOpReleaseEvent %l2\n"
			  "%r = OpFunctionCall %void %import %p_read\n",
	     IMPORT("pb"), .types = "%takes = OpTypeFunction %void %pb\n"},
	    {"or a number", "=", .body = READ "%r = OpFunctionCall %void %import %d\n", IMPORT("uint"),
	     .types = "%takes = OpTypeFunction %void %uint\n"},
	    {"or one of two buffers", "?",
	     .body = READ "%p2 = OpAccessChain %pb %buf2 %c1\n%p3 = OpAccessChain %pb %buf2 %c0\n"
			  "%p4 = OpSelect %pb %sam %p2 %p3\n%r = OpFunctionCall %void %import %p4\n",
	     IMPORT("pb"), .types = "%takes = OpTypeFunction %void %pb\n"},
	    {"one of two variables is written", "=??",
	     .body = READ "%a = OpVariable %pf Function\n%b = OpVariable %pf Function\n"
			  "%e = OpVariable %pf Function\nOpStore %a %s\nOpStore %e %s\n"
			  "%p4 = OpSelect %pf %sam %a %b\n%r = OpFunctionCall %void %f %p4 %d\n"
			  "%la = OpLoad %uint %a\n%le = OpLoad %uint %e\nOpReleaseEvent %la\n"
			  "OpReleaseEvent %le\n",
	     FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n%f_d = OpFunctionParameter %uint\n",
		      "OpStore %f_p %f_d\n"),
	     .types = "%takes = OpTypeFunction %void %pf %uint\n"},
	    {"one of two buffers is read", "==",
	     .body = READ "%p2 = OpAccessChain %pb %buf2 %c1\n%p3 = OpAccessChain %pb %buf2 %c0\n"
			  "%p4 = OpSelect %pb %sam %p2 %p3\n%r = OpFunctionCall %void %f %p4 %d\n",
	     FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pb\n%f_d = OpFunctionParameter %uint\n",
		      "%l = OpLoad %uint %f_p\nOpReleaseEvent %l\n"),
	     .types = "%takes = OpTypeFunction %void %pb %uint\n"},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* calls in calls */

enum { DEPTH = 140 };

/* Each function calls the next one, with all that it is given; the last one stores and asks. In the module they stand
 * in the order of the calls, or so that whoever walks over the calls, to and fro, gets only one step further. */
static const char *nested(bool in_order)
{
	static char functions[1 << 16];
	size_t length = 0;

	for (uint32_t i = 0; i < DEPTH; i++) {
		uint32_t k = in_order ? i : i < DEPTH / 2 ? 2 * i : 2 * (i - DEPTH / 2) + 1;
		length += (size_t)snprintf(functions + length, sizeof functions - length,
					   "%%f%u = OpFunction %%void None %%fn3\n%%p%u = OpFunctionParameter %%pf\n"
					   "%%q%u = OpFunctionParameter %%pf\n%%d%u = OpFunctionParameter %%uint\n"
					   "%%f%u_0 = OpLabel\n",
					   k, k, k, k, k);
		if (k + 1 < DEPTH)
			length += (size_t)snprintf(functions + length, sizeof functions - length,
						   "%%r%u = OpFunctionCall %%void %%f%u %%p%u %%q%u %%d%u\n", k, k + 1,
						   k, k, k);
		else
			length += (size_t)snprintf(
			    functions + length, sizeof functions - length,
			    "OpStore %%g %%d%u\nOpStore %%w %%d%u\nOpStore %%p%u %%c1\nOpStore %%q%u %%d%u\n"
			    "%%last = OpLoad %%uint %%p%u\nOpReleaseEvent %%last\n%%lh = OpLoad %%uint %%h\n"
			    "OpReleaseEvent %%lh\n",
			    k, k, k, k, k, k);
		length += (size_t)snprintf(functions + length, sizeof functions - length, "OpReturn\nOpFunctionEnd\n");
	}
	assert_true(length < sizeof functions);
	return functions;
}

/* Functions that return one of many parameters, called with one argument that differs. */
static void check_results(uint32_t parameters, bool exact)
{
	const uint32_t which[] = {0, 1, parameters / 2, parameters - 2, parameters - 1};
	enum { COUNT = SPB_COUNT(which) };
	const struct claim claim = {0};
	struct parsed p;
	struct asking a = {.p = &p, .claim = &claim};

	*text = '\0';
	put("%s", "OpCapability Shader\nOpMemoryModel Logical GLSL450\n" COMPUTE NOTES TYPES);
	put("%%many = OpConstant %%uint %u\n%%list = OpTypeArray %%uint %%many\n%%takes = OpTypeFunction %%uint",
	    parameters);
	for (uint32_t i = 0; i < parameters; i++)
		put(" %%uint");
	put("%s", "\n%main = OpFunction %void None %fn\n%main_0 = OpLabel\n" SAME_AND_DIFFERENT);
	for (uint32_t f = 0; f < COUNT; f++) {
		for (uint32_t differs = 0; differs < COUNT; differs++) {
			put("%%r%u_%u = OpFunctionCall %%uint %%f%u", f, differs, f);
			for (uint32_t i = 0; i < parameters; i++)
				put("%s", i == which[differs] ? " %d" : " %s");
			put("\nOpReleaseEvent %%r%u_%u\n", f, differs);
		}
	}
	put("OpReturn\nOpFunctionEnd\n");
	for (uint32_t f = 0; f < COUNT; f++) {
		put("%%f%u = OpFunction %%uint None %%takes\n", f);
		for (uint32_t i = 0; i < parameters; i++)
			put("%%f%u_%u = OpFunctionParameter %%uint\n", f, i);
		put("%%f%u_l = OpLabel\n%%f%u_all = OpCompositeConstruct %%list", f, f);
		for (uint32_t i = 0; i < parameters; i++)
			put(" %%f%u_%u", f, i);
		put("\nOpReleaseEvent %%f%u_all\nOpReturnValue %%f%u_%u\nOpFunctionEnd\n", f, f, which[f]);
	}
	parse(&p, text);
	assert_false(caught(p.m.context, ask, &a));
	for (uint32_t f = 0; f < COUNT; f++) {
		for (uint32_t differs = 0; differs < COUNT; differs++) {
			if (f == differs || exact)
				assert_int_equal(a.said[f * COUNT + differs], f == differs ? 'x' : '=');
		}
	}
	drop(&p);
}

static void results_follow_from_the_arguments_that_they_are_made_of(void **state)
{
	(void)state;
	check_results(63, true);
	check_results(64, true);
	check_results(70, false); /* more than are told apart */
}

static void deep_calls_are_not_forgotten(void **state)
{
#define NESTED(x, y)                                                                                                   \
	"%a = OpVariable %pf Function\n%b = OpVariable %pf Function\n%e = OpVariable %pf Function\nOpStore %b %s\n"    \
	"OpStore %e %s\nOpStore %g %s\nOpStore %h %s\n" BARRIER "%r = OpFunctionCall %void %f0 %" x " %" y " %d\n"     \
	"%lb = OpLoad %uint %b\n%lg = OpLoad %uint %g\n%lw = OpLoad %uint %w\n%le = OpLoad %uint %e\n" ASK("lb")       \
	    ASK("lg") ASK("lw") ASK("le") READ
	struct claim claims[] = {
	    {"in order", "xx?===u", .body = NESTED("a", "b")},
	    {"to and fro", "xx?=?uu", .body = NESTED("a", "b")},
	    {"twice the same, in order", "xx?==xu", .body = NESTED("b", "b")},
	    {"twice the same, to and fro", "xx?=?xu", .body = NESTED("b", "b")},
	};
	bool right = true;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(claims); i++) {
		claims[i].functions = nested(i % 2 == 0);
		claims[i].types = "%fn3 = OpTypeFunction %void %pf %pf %uint\n%g = OpVariable %pp Private\n"
				  "%w = OpVariable %pw Workgroup\n%h = OpVariable %pp Private\n";
		right &= check_claim(&claims[i]);
	}
	assert_true(right);
}

/* stages: what a fragment gets that all vertices of a draw write alike */

struct stages {
	const char *about;
	const char *said;          /* g: the same for the draw */
	const char *notes, *types; /* of both: %o, of type %t, is the output or input; %f points into it */
	const char *flat;          /* decorations of the fragment's alone */
	const char *written, *read;
	const char *also;              /* what another vertex shader writes; NULL: there is none */
	const char *model, *functions; /* of the stage before; NULL: it is a vertex shader */
	const char *later;             /* model of the stage that reads; NULL: a fragment shader */
};

struct linking {
	struct parsed *before, *after, *also;
	char said[40];
};

static void ask_behind_stages(void *argument)
{
	struct linking *l = argument;
	struct spb_module *m = &l->after->m, *modules[] = {&l->before->m, m, l->also ? &l->also->m : NULL};
	struct spb_arena *arena = &m->keep;
	struct spb_calls calls = spb_find_calls(m, arena);
	struct spb_uniformity *u = spb_uniformity_begin(m, &calls, arena, (struct spb_uniformity_wishes){0});
	uint32_t questions[40], count = 0;

	spb_uniformity_inherit(u, (struct spb_program_modules){modules, l->also ? 3 : 2});
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpReleaseEvent)
			questions[count++] = spb_uniformity_ask_whole(u, at, at + 1);
	}
	spb_uniformity_solve(u);
	for (uint32_t i = 0; i < count; i++)
		l->said[i] = sign_of(u, questions[i]);
}

static void parse_stage(struct parsed *p, const char *model, const char *notes, const char *types,
			const char *storage_class, const char *body, const char *functions)
{
	*text = '\0';
	put("OpCapability Shader\n%%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
	    "OpEntryPoint %s %%main \"main\" %%o\n%s%s%s%%f = OpTypePointer %s %%uint\n"
	    "%s%%p_o = OpTypePointer %s %%t\n%%o = OpVariable %%p_o %s\n"
	    "%%main = OpFunction %%void None %%fn\n%%main_0 = OpLabel\n%s%sOpReturn\n"
	    "OpFunctionEnd\n%s",
	    model, notes, NOTES, TYPES, storage_class, types, storage_class, storage_class, SAME_AND_DIFFERENT, body,
	    functions);
	parse(p, text);
}

static void stages_hand_on_what_is_flat_and_the_same(void **state)
{
#define STRUCT      "%t = OpTypeStruct %uint %uint\n"
#define AT(n)       "%p" #n " = OpAccessChain %f %o %c" #n "\n"
#define WRITE(n, v) AT(n) "OpStore %p" #n " %" v "\n"
#define GET(n)      AT(n) "%l" #n " = OpLoad %uint %p" #n "\n" ASK("l" #n)
#define ONE         "OpStore %o %s\n"
#define GET_ONE     "%l = OpLoad %uint %o\n" ASK("l")
#define MEMBERS                                                                                                        \
	"OpMemberDecorate %t 0 Location 0\nOpMemberDecorate %t 1 Location 0\n"                                         \
	"OpMemberDecorate %t 0 Component 2\nOpMemberDecorate %t 1 Component 1\n"
#define NESTED_IN(inner) "%in = OpTypeStruct" inner "\n%t = OpTypeStruct %in\n"
#define FIRST            "%p = OpAccessChain %f %o %c0 %c0\n"
#define SCALAR           "%t = OpTypeInt 32 0\n"
#define IS_FLAT          "OpDecorate %o Location 1\n", SCALAR, "OpDecorate %o Flat\n"
#define IS_FLAT_PAIR                                                                                                   \
	"OpDecorate %o Location 1\n",                                                                                  \
	    "%t = OpTypeVector %int 2\n%half = OpConstantComposite %t %c1 %undef\n%whole = OpConstantComposite %t "    \
	    "%c1 %c2\n",                                                                                               \
	    "OpDecorate %o Flat\n"
#define AGAIN_AS(model)     model " %main \"a\" %o\nOpEntryPoint "
#define PUT_C(value)        "OpStore %o %" value "\nOpEmitVertex\n"
#define SUM(name, op, a, b) "%" name " = " op " %uint %" a " %" b "\n"
#define SIX                                                                                                            \
	SUM("k1", "OpIAdd", "s", "c1")                                                                                 \
	SUM("k2", "OpIAdd", "k1", "c1")                                                                                \
	SUM("k3", "OpIAdd", "k2", "c1")                                                                                \
	SUM("k4", "OpIAdd", "k3", "c1") SUM("k5", "OpIAdd", "k4", "c1") SUM("k6", "OpIAdd", "k5", "c1")
	static const char scalar[] = SCALAR;
	static const struct stages stages[] = {
	    {"flat", "g", "OpDecorate %o Location 1\n", scalar, "OpDecorate %o Flat\n", ONE, GET_ONE, .also = NULL},
	    {"interpolated", "x", "OpDecorate %o Location 1\n", scalar, "", ONE, GET_ONE, .also = NULL},
	    {"different", "x", "OpDecorate %o Location 1\n", scalar, "OpDecorate %o Flat\n", "OpStore %o %d\n", GET_ONE,
	     .also = NULL},
	    {"members", "gx", MEMBERS, STRUCT, "OpMemberDecorate %t 0 Flat\nOpMemberDecorate %t 1 Flat\n",
	     WRITE(0, "s") WRITE(1, "d"), GET(0) GET(1), .also = NULL},
	    {"members of which one is flat", "xg", MEMBERS, STRUCT, "OpMemberDecorate %t 1 Flat\n",
	     WRITE(0, "s") WRITE(1, "s"), GET(0) GET(1), .also = NULL},
	    {"members with components, none of them flat", "xx", MEMBERS, STRUCT, "", WRITE(0, "s") WRITE(1, "s"),
	     GET(0) GET(1), .also = NULL},
	    {"members of one patch", "xg", MEMBERS, STRUCT,
	     "OpMemberDecorate %t 0 Patch\nOpMemberDecorate %t 0 Flat\n"
	     "OpMemberDecorate %t 1 Flat\n",
	     WRITE(0, "s") WRITE(1, "s"), GET(0) GET(1), .also = NULL},
	    {"a structure of one", "g", "OpMemberDecorate %t 0 Location 1\n", NESTED_IN(" %uint"),
	     "OpDecorate %o Flat\n", FIRST "OpStore %p %s\n", FIRST "%l = OpLoad %uint %p\nOpReleaseEvent %l\n",
	     .also = NULL},
	    {"a structure of two", "g", "OpMemberDecorate %t 0 Location 1\n", NESTED_IN(" %uint %uint"),
	     "OpDecorate %o Flat\n", FIRST "OpStore %p %s\n", FIRST "%l = OpLoad %uint %p\nOpReleaseEvent %l\n",
	     .also = NULL},
	    {"as many members as are told apart", "g", "OpMemberDecorate %t 0 Location 1\n",
	     NESTED_IN(TEN("uint") TEN("uint") TEN("uint") TEN("uint") TEN("uint")
			   TEN("uint") " %uint %uint %uint %uint"),
	     "OpDecorate %o Flat\n", FIRST "OpStore %p %s\n", FIRST "%l = OpLoad %uint %p\nOpReleaseEvent %l\n",
	     .also = NULL},
	    {"one more", "x", "OpMemberDecorate %t 0 Location 1\n",
	     NESTED_IN(TEN("uint") TEN("uint") TEN("uint") TEN("uint") TEN("uint") TEN("uint") FIVE("uint")),
	     "OpDecorate %o Flat\n", FIRST "OpStore %p %s\n", FIRST "%l = OpLoad %uint %p\nOpReleaseEvent %l\n",
	     .also = NULL},
	    {"of two that may come before, one writes it different", "x", "OpDecorate %o Location 1\n", scalar,
	     "OpDecorate %o Flat\n", ONE, GET_ONE, .also = "OpStore %o %d\n"},
	    {"the other way round", "x", "OpDecorate %o Location 1\n", scalar, "OpDecorate %o Flat\n",
	     "OpStore %o %d\n", GET_ONE, .also = ONE},
	    {"both write it the same", "g", "OpDecorate %o Location 1\n", scalar, "OpDecorate %o Flat\n", ONE, GET_ONE,
	     .also = "OpStore %o %c4\n"},
	    {"members of two", "xgx", MEMBERS, STRUCT, "OpMemberDecorate %t 0 Flat\nOpMemberDecorate %t 1 Flat\n",
	     WRITE(0, "s") WRITE(1, "s"), GET(0) GET(1) "%all = OpLoad %t %o\nOpReleaseEvent %all\n",
	     .also = WRITE(0, "d") WRITE(1, "c4")},
	    {"a geometry shader that emits a constant", "g", IS_FLAT, PUT_C("c1") PUT_C("c1"), GET_ONE,
	     .model = "Geometry"},
	    {"that emits once", "g", IS_FLAT, PUT_C("c1"), GET_ONE, .model = "Geometry"},
	    {"to a stream", "g", IS_FLAT, "OpStore %o %c1\nOpEmitStreamVertex %c0\n", GET_ONE, .model = "Geometry"},
	    {"that emits two constants", "x", IS_FLAT, PUT_C("c1") PUT_C("c2"), GET_ONE, .model = "Geometry"},
	    {"that stores nothing before the second vertex", "x", IS_FLAT, PUT_C("c1") "OpEmitVertex\n", GET_ONE,
	     .model = "Geometry"},
	    {"that emits nothing", "x", IS_FLAT, "OpStore %o %c1\n", GET_ONE, .model = "Geometry"},
	    {"that emits in the next block", "x", IS_FLAT, "OpStore %o %c1\nOpBranch %n\n%n = OpLabel\nOpEmitVertex\n",
	     GET_ONE, .model = "Geometry"},
	    {"that stores and emits in each block", "g", IS_FLAT, PUT_C("c1") "OpBranch %n\n%n = OpLabel\n" PUT_C("c1"),
	     GET_ONE, .model = "Geometry"},
	    {"that emits in a function", "x", IS_FLAT, PUT_C("c1") "%r = OpFunctionCall %void %g\n", GET_ONE,
	     .model = "Geometry", .functions = FUNCTION("g", "fn", "", PUT_C("c1"))},
	    {"that emits what is pushed", "g", IS_FLAT, PUT_C("s") PUT_C("s"), GET_ONE, .model = "Geometry"},
	    {"that loads it each time", "g", IS_FLAT, PUT_C("s") "%s2 = OpLoad %uint %p_s\n" PUT_C("s2"), GET_ONE,
	     .model = "Geometry"},
	    {"that loads two members of it", "x", IS_FLAT,
	     PUT_C("s") "%p2 = OpAccessChain %p_push_u %push %c1\n%s2 = OpLoad %uint %p2\n" PUT_C("s2"), GET_ONE,
	     .model = "Geometry"},
	    {"that points to it each time", "g", IS_FLAT,
	     PUT_C("s") "%p2 = OpAccessChain %p_push_u %push %c0\n%s2 = OpLoad %uint %p2\n" PUT_C("s2"), GET_ONE,
	     .model = "Geometry"},
	    {"that loads it as volatile", "x", IS_FLAT, "%s2 = OpLoad %uint %p_s Volatile\n" PUT_C("s2"), GET_ONE,
	     .model = "Geometry"},
	    {"that emits what differs", "x", IS_FLAT, PUT_C("d") PUT_C("d"), GET_ONE, .model = "Geometry"},
	    {"that emits what a buffer holds", "g", IS_FLAT,
	     "%p2 = OpAccessChain %pb %read %c0\n%b2 = OpLoad %uint %p2\n" PUT_C("b2"), GET_ONE, .model = "Geometry"},
	    {"that writes there", "x", IS_FLAT,
	     "%p2 = OpAccessChain %pb %read %c0\nOpStore %p2 %c1\n%b2 = OpLoad %uint %p2\n" PUT_C("b2"), GET_ONE,
	     .model = "Geometry"},
	    {"that emits a variable of its own", "x", IS_FLAT,
	     "%v = OpVariable %pf Function\nOpStore %v %c1\n%v2_ = OpLoad %uint %v\n" PUT_C("v2_"), GET_ONE,
	     .model = "Geometry"},
	    {"that emits what is not defined", "x", IS_FLAT, PUT_C("undef"), GET_ONE, .model = "Geometry"},
	    {"that computes it twice", "g", IS_FLAT,
	     SUM("a", "OpIAdd", "s", "c1") PUT_C("a") SUM("b", "OpIAdd", "s", "c1") PUT_C("b"), GET_ONE,
	     .model = "Geometry"},
	    {"that computes it otherwise", "x", IS_FLAT,
	     SUM("a", "OpIAdd", "s", "c1") PUT_C("a") SUM("b", "OpIMul", "s", "c1") PUT_C("b"), GET_ONE,
	     .model = "Geometry"},
	    {"that computes it from something else", "x", IS_FLAT,
	     SUM("a", "OpIAdd", "s", "c1") PUT_C("a") SUM("b", "OpIAdd", "s", "c2") PUT_C("b"), GET_ONE,
	     .model = "Geometry"},
	    {"that computes it from what differs", "x", IS_FLAT, SUM("a", "OpIAdd", "s", "d") PUT_C("a") PUT_C("a"),
	     GET_ONE, .model = "Geometry"},
	    {"that selects, copies and takes it out", "g", IS_FLAT,
	     "%a = OpSelect %uint %sam %s %c1\n%b = OpCopyObject %uint %a\n%c = OpCompositeConstruct %v2 %b %s\n%e = "
	     "OpVectorShuffle %v2 %c %c 1 0\n%g = OpCompositeExtract %uint %e 1\n" PUT_C("g"),
	     GET_ONE, .model = "Geometry"},
	    {"that takes out another part", "x", IS_FLAT,
	     "%c = OpCompositeConstruct %v2 %c1 %s\n%a = OpCompositeExtract %uint %c 0\n%b = OpCompositeExtract %uint "
	     "%c 1\n" PUT_C("a") PUT_C("b"),
	     GET_ONE, .model = "Geometry"},
	    {"that asks others", "x", IS_FLAT, "%a = OpGroupNonUniformBroadcastFirst %uint %c3 %s\n" PUT_C("a"),
	     GET_ONE, .model = "Geometry"},
	    {"that uses a function of GLSL", "x", IS_FLAT, "%a = OpExtInst %uint %glsl UMin %s %c1\n" PUT_C("a"),
	     GET_ONE, .model = "Geometry"},
	    {"that computes in six steps", "g", IS_FLAT, SIX PUT_C("k6"), GET_ONE, .model = "Geometry"},
	    {"in seven", "x", IS_FLAT, SIX SUM("k7", "OpIAdd", "k6", "c1") PUT_C("k7"), GET_ONE, .model = "Geometry"},
	    {"that copies it there", "x", IS_FLAT, "OpCopyMemory %o %p_s\nOpEmitVertex\n", GET_ONE,
	     .model = "Geometry"},
	    {"that emits one of two members", "gx", MEMBERS, STRUCT,
	     "OpMemberDecorate %t 0 Flat\nOpMemberDecorate %t 1 Flat\n", WRITE(0, "s") WRITE(1, "d") "OpEmitVertex\n",
	     GET(0) GET(1), .model = "Geometry"},
	    {"that emits one of them only once", "gx", MEMBERS, STRUCT,
	     "OpMemberDecorate %t 0 Flat\nOpMemberDecorate %t 1 Flat\n",
	     WRITE(0, "s") WRITE(1, "s") "OpEmitVertex\nOpStore %p0 %s\nOpEmitVertex\n", GET(0) GET(1),
	     .model = "Geometry"},
	    {"that stores all of them or one", "gx", MEMBERS, STRUCT,
	     "OpMemberDecorate %t 0 Flat\nOpMemberDecorate %t 1 Flat\n",
	     "%all = OpCompositeConstruct %t %s %s\nOpStore %o %all\nOpEmitVertex\nOpStore %o %all\n" WRITE(
		 1, "s") "OpEmitVertex\n",
	     GET(0) GET(1), .model = "Geometry"},
	    {"a constant of which a part is not defined", "x", IS_FLAT_PAIR, "OpStore %o %half\nOpEmitVertex\n",
	     "%l = OpLoad %t %o\n" ASK("l"), .model = "Geometry"},
	    {"one that is all defined", "g", IS_FLAT_PAIR, "OpStore %o %whole\nOpEmitVertex\n",
	     "%l = OpLoad %t %o\n" ASK("l"), .model = "Geometry"},
	    {"as many that may come before as are asked", "g", IS_FLAT, ONE, GET_ONE,
	     .model = AGAIN_AS("Vertex") AGAIN_AS("Vertex") AGAIN_AS("Vertex") AGAIN_AS("Vertex") AGAIN_AS("Vertex")
		 AGAIN_AS("Vertex") AGAIN_AS("Vertex") "Vertex"},
	    {"one more", "x", IS_FLAT, ONE, GET_ONE,
	     .model = AGAIN_AS("Vertex") AGAIN_AS("Vertex") AGAIN_AS("Vertex") AGAIN_AS("Vertex") AGAIN_AS("Vertex")
		 AGAIN_AS("Vertex") AGAIN_AS("Vertex") AGAIN_AS("Vertex") "Vertex"},
	    {"read by two", "x", IS_FLAT, ONE, GET_ONE, .later = AGAIN_AS("Fragment") "Fragment"},
	    {"a line in front of an entry point", "g", IS_FLAT, ONE, GET_ONE,
	     .model = "Vertex %main \"a\" %o\nOpNoLine\nOpEntryPoint Vertex",
	     .later = "Fragment %main \"a\"\nOpNoLine\nOpEntryPoint Fragment"},
	    {"stages that nothing comes before", "x", IS_FLAT, ONE, GET_ONE, .later = "Vertex"},
	    {"a fragment shader is none that comes before", "x", IS_FLAT, ONE, GET_ONE, .model = "Fragment"},
	    {"a group of decorations", "x", "OpDecorate %o Location 1\n%group = OpDecorationGroup\n", SCALAR,
	     "OpDecorate %o Flat\n", ONE, GET_ONE, .also = NULL},
	    {"written on one of two ways", "x", IS_FLAT,
	     "OpSelectionMerge %j None\nOpBranchConditional %sam %jt %j\n%jt = OpLabel\n" ONE
	     "OpBranch %j\n%j = OpLabel\n",
	     GET_ONE, .also = NULL},
	    {"written on both, by what is the same", "g", IS_FLAT,
	     "OpSelectionMerge %j None\nOpBranchConditional %sam %jt %jf\n%jt = OpLabel\n" ONE
	     "OpBranch %j\n%jf = OpLabel\nOpStore %o %c1\nOpBranch %j\n%j = OpLabel\n",
	     GET_ONE, .also = NULL},
	    {"written by a function", "g", IS_FLAT, "%r = OpFunctionCall %void %h\n", GET_ONE,
	     .functions = FUNCTION("h", "fn", "", "OpStore %o %c1\n")},
	    {"written by a function on one of two ways", "x", IS_FLAT,
	     "OpSelectionMerge %j None\nOpBranchConditional %sam %jt %j\n%jt = OpLabel\n%r = OpFunctionCall %void "
	     "%h\nOpBranch %j\n%j = OpLabel\n",
	     GET_ONE, .functions = FUNCTION("h", "fn", "", "OpStore %o %c1\n")},
	    {"written by a function that differs", "x", IS_FLAT, "%r = OpFunctionCall %void %h\n", GET_ONE,
	     .functions = FUNCTION("h", "fn", "", "%hl = OpLoad %uint %lane\nOpStore %o %hl\n")},
	    {"tessellation", "g", IS_FLAT, ONE, GET_ONE, .model = "TessellationEvaluation"},
	    {"a stage that hands on nothing", "x", IS_FLAT, ONE, GET_ONE, .model = "TessellationControl"},
	    {"a mesh shader beside a vertex shader", "x", IS_FLAT, ONE, GET_ONE, .also = ONE, .model = "MeshEXT"},
	    {"components", "gxx", "OpDecorate %o Location 1\n", "%t = OpTypeVector %int 2\n", "OpDecorate %o Flat\n",
	     "%x = OpCompositeConstruct %t %s %d\nOpStore %o %x\n",
	     "%l = OpLoad %t %o\n%l0 = OpCompositeExtract %uint %l 0\n%l1 = OpCompositeExtract %uint %l 1\n"
	     "OpReleaseEvent %l0\nOpReleaseEvent %l1\nOpReleaseEvent %l\n",
	     .also = NULL},
	};
	bool right = true;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(stages); i++) {
		const struct stages *s = &stages[i];
		struct parsed before, after, also;
		struct linking l = {&before, &after, s->also ? &also : NULL, ""};
		char notes[600];
		parse_stage(&before, OR(s->model, "Vertex"), s->notes, s->types, "Output", s->written,
			    OR(s->functions, ""));
		if (s->also)
			parse_stage(&also, "Vertex", s->notes, s->types, "Output", s->also, "");
		snprintf(notes, sizeof notes, "%s%s", s->notes, s->flat);
		parse_stage(&after, OR(s->later, "Fragment"), notes, s->types, "Input", s->read, "");
		assert_false(caught(after.m.context, ask_behind_stages, &l));
		if (strcmp(l.said, s->said)) {
			print_error("%s: %s instead of %s\n", s->about, l.said, s->said);
			right = false;
		}
		drop(&after);
		drop(&before);
		if (s->also)
			drop(&also);
	}
	assert_true(right);
}

enum { PLACES = 16, PER_LOCATION = 4, MOST_PARTS = 4 };

/* The stage before writes 16 components, each by itself, of which one differs. */
static void write_places(struct parsed *p, uint32_t different)
{
	static char notes[2000], body[2000];
	size_t length = 0, at = 0;

	for (uint32_t i = 0; i < PLACES; i++) {
		at += (size_t)snprintf(notes + at, sizeof notes - at,
				       "OpMemberDecorate %%t %u Location %u\nOpMemberDecorate %%t %u Component %u\n", i,
				       i / PER_LOCATION, i, i % PER_LOCATION);
		length += (size_t)snprintf(body + length, sizeof body - length,
					   "%%w%u = OpAccessChain %%f %%o %%n%u\nOpStore %%w%u %%%s\n", i, i, i,
					   i == different ? "d" : "s");
	}
	static char types[1000];
	length = (size_t)snprintf(types, sizeof types,
				  "%%t = OpTypeStruct"
				  "%s %%uint\n",
				  TEN("uint") FIVE("uint"));
	for (uint32_t i = 0; i < PLACES; i++)
		length +=
		    (size_t)snprintf(types + length, sizeof types - length, "%%n%u = OpConstant %%uint %u\n", i, i);
	parse_stage(p, "Vertex", notes, types, "Output", body, "");
}

/* Which components each type takes: those whose difference it notices. */
static void inputs_take_the_components_of_their_types(void **state)
{
#define WHOLE  "%l = OpLoad %t %o\n" ASK("l")
#define BEHIND "%l = OpLoad %t %o\n%y = OpCompositeExtract %v2 %l 1\n" ASK("y")
#define AT_1   "OpDecorate %o Location 1\n"
#define SEVEN                                                                                                          \
	"%t0 = OpTypeArray %uint %c1\n%t1 = OpTypeArray %t0 %c1\n%t2 = OpTypeArray %t1 %c1\n%t3 = OpTypeArray %t2 "    \
	"%c1\n%t4 = OpTypeArray %t3 %c1\n%t5 = OpTypeArray %t4 %c1\n%t6 = OpTypeArray %t5 %c1\n"
#define NONE_OF "xxxxxxxxxxxxxxxx"
	static const struct {
		const char *about, *notes, *types, *read;
		const char *said[MOST_PARTS];
	} rows[] = {
	    {"a number", AT_1, "%t = OpTypeInt 32 0\n", WHOLE, {"ggggxggggggggggg"}},
	    {"in the third component",
	     AT_1 "OpDecorate %o Component 2\n",
	     "%t = OpTypeInt 32 0\n",
	     WHOLE,
	     {"ggggggxggggggggg"}},
	    {"a float of 16 bits", AT_1, "%t = OpTypeFloat 16\n", WHOLE, {"ggggxggggggggggg"}},
	    {"64 bits", AT_1, "%t = OpTypeFloat 64\n", WHOLE, {"ggggxxgggggggggg"}},
	    {"a boolean", AT_1, "%t = OpTypeBool\n", WHOLE, {NONE_OF}},
	    {"a vector",
	     AT_1 "OpDecorate %o Component 1\n",
	     "%t = OpTypeVector %int 3\n",
	     WHOLE "%x = OpCompositeExtract %int %l 1\n" ASK("x"),
	     {"gggggxxxgggggggg", "ggggggxggggggggg"}},
	    {"two of 64 bits",
	     AT_1,
	     "%double = OpTypeFloat 64\n%t = OpTypeVector %double 2\n",
	     WHOLE,
	     {"ggggxxxxgggggggg"}},
	    {"three",
	     AT_1,
	     "%double = OpTypeFloat 64\n%t = OpTypeVector %double 3\n",
	     WHOLE "%x = OpCompositeExtract %double %l 2\n" ASK("x"),
	     {"ggggxxxxxxgggggg", "ggggggggxxgggggg"}},
	    {"four", AT_1, "%double = OpTypeFloat 64\n%t = OpTypeVector %double 4\n", WHOLE, {"ggggxxxxxxxxgggg"}},
	    {"an array",
	     "OpDecorate %o Location 0\nOpDecorate %o Component 2\n",
	     "%t = OpTypeArray %uint %c3\n",
	     WHOLE "%x = OpAccessChain %f %o %c1\n%y = OpLoad %uint %x\n" ASK("y"),
	     {"ggxgggxgggxggggg", "ggxgggxgggxggggg"}},
	    {"an array of two times two locations",
	     "OpDecorate %o Location 0\n",
	     "%double = OpTypeFloat 64\n%dv3 = OpTypeVector %double 3\n%t = OpTypeArray %dv3 %c2\n",
	     WHOLE,
	     {"xxxxxxggxxxxxxgg"}},
	    {"an array of two times one location",
	     "OpDecorate %o Location 1\n",
	     "%double = OpTypeFloat 64\n%dv2 = OpTypeVector %double 2\n%t = OpTypeArray %dv2 %c2\n",
	     WHOLE,
	     {"ggggxxxxxxxxgggg"}},
	    {"an array of more than is written", AT_1, "%t = OpTypeArray %uint %c4\n", WHOLE, {NONE_OF}},
	    {"an array whose length the pipeline sets", AT_1, "%t = OpTypeArray %uint %spec\n", WHOLE, {NONE_OF}},
	    {"arrays in arrays, as deep as is looked at",
	     AT_1,
	     SEVEN "%t = OpTypeArray %t5 %c1\n",
	     WHOLE,
	     {"ggggxggggggggggg"}},
	    {"one deeper", AT_1, SEVEN "%t = OpTypeArray %t6 %c1\n", WHOLE, {NONE_OF}},
	    {"a matrix",
	     AT_1,
	     "%fv2 = OpTypeVector %float 2\n%t = OpTypeMatrix %fv2 2\n",
	     WHOLE "%x = OpCompositeExtract %float %l 1 0\n" ASK("x") "%y = OpCompositeExtract %fv2 %l 0\n" ASK("y"),
	     {"ggggxxggxxgggggg", "ggggggggxggggggg", "ggggxxgggggggggg"}},
	    {"a structure",
	     AT_1,
	     "%t = OpTypeStruct %uint %v2\n",
	     WHOLE "%x = OpCompositeExtract %uint %l 0\n" ASK("x") "%y = OpCompositeExtract %v2 %l 1\n" ASK("y"),
	     {"ggggxgggxxgggggg", "ggggxggggggggggg", "ggggggggxxgggggg"}},
	    {"a structure in another",
	     "OpDecorate %o Location 0\n",
	     "%in = OpTypeStruct %uint %v2\n%t = OpTypeStruct %uint %in %v2\n",
	     WHOLE "%x = OpCompositeExtract %v2 %l 1 1\n" ASK("x") "%y = OpCompositeExtract %v2 %l 2\n" ASK("y"),
	     {"xgggxgggxxggxxgg", "ggggggggxxgggggg", "ggggggggggggxxgg"}},
	    {"an array in a structure",
	     "OpDecorate %o Location 0\n",
	     "%in = OpTypeArray %uint %c2\n%t = OpTypeStruct %uint %in %v2\n",
	     WHOLE "%x = OpCompositeExtract %uint %l 1 1\n" ASK("x") "%y = OpCompositeExtract %v2 %l 2\n" ASK("y"),
	     {"xgggxgggxgggxxgg", "ggggxgggxggggggg", "ggggggggggggxxgg"}},
	    {"an array of structures",
	     "OpDecorate %o Location 0\n",
	     "%in = OpTypeStruct %uint %v2\n%t = OpTypeArray %in %c2\n",
	     WHOLE "%x = OpCompositeExtract %v2 %l 1 1\n" ASK("x"),
	     {"xgggxxggxgggxxgg", "ggggxxggggggxxgg"}},
	    {"members that say where they are",
	     "OpMemberDecorate %t 0 Location 2\nOpMemberDecorate %t 1 Location 0\nOpMemberDecorate %t 1 Component 1\n",
	     "%t = OpTypeStruct %uint %v2\n",
	     WHOLE "%x = OpCompositeExtract %uint %l 0\n" ASK("x") "%y = OpCompositeExtract %v2 %l 1\n" ASK("y"),
	     {"gxxgggggxggggggg", "ggggggggxggggggg", "gxxggggggggggggg"}},
	    {"of which only the first does",
	     "OpMemberDecorate %t 0 Location 2\nOpMemberDecorate %t 0 Component 3\n",
	     "%t = OpTypeStruct %uint %v2\n",
	     WHOLE "%y = OpCompositeExtract %v2 %l 1\n" ASK("y"),
	     {"gggggggggggxxxgg", "ggggggggggggxxgg"}},
	    {"of which only the second does",
	     "OpMemberDecorate %t 1 Location 2\n",
	     "%t = OpTypeStruct %uint %v2\n",
	     WHOLE "%y = OpCompositeExtract %v2 %l 1\n" ASK("y"),
	     {NONE_OF, "ggggggggxxgggggg"}},
	    {"behind a built-in",
	     "OpDecorate %o Location 1\nOpMemberDecorate %t 0 BuiltIn PointSize\n",
	     "%t = OpTypeStruct %uint %v2\n",
	     WHOLE "%y = OpCompositeExtract %v2 %l 1\n" ASK("y"),
	     {NONE_OF, NONE_OF}},
	    {"behind one of a primitive, with a place of its own",
	     "OpDecorate %o Location 1\nOpMemberDecorate %t 0 PerPrimitiveNV\nOpMemberDecorate %t 1 Location 3\n",
	     "%t = OpTypeStruct %uint %v2\n",
	     WHOLE "%y = OpCompositeExtract %v2 %l 1\n" ASK("y"),
	     {NONE_OF, "ggggggggggggxxgg"}},
	    {"behind what no interface has",
	     "OpDecorate %o Location 1\n",
	     "%t = OpTypeStruct %bool %v2\n",
	     "%all = OpLoad %t %o\n%y = OpCompositeExtract %v2 %all 1\n" ASK("y"),
	     {NONE_OF}},
	    {"behind a matrix",
	     "OpDecorate %o Location 0\n",
	     "%fv2 = OpTypeVector %float 2\n%fm2 = OpTypeMatrix %fv2 2\n%t = OpTypeStruct %fm2 %v2\n",
	     "%l = OpLoad %t %o\n%y = OpCompositeExtract %v2 %l 1\n" ASK("y"),
	     {"ggggggggxxgggggg"}},
	    {"behind an array of a length that the pipeline sets",
	     AT_1,
	     "%in = OpTypeArray %uint %spec\n%t = OpTypeStruct %in %v2\n",
	     BEHIND,
	     {NONE_OF}},
	    {"behind an array of what no interface has",
	     AT_1,
	     "%in = OpTypeArray %bool %c2\n%t = OpTypeStruct %in %v2\n",
	     BEHIND,
	     {NONE_OF}},
	    {"behind a structure of it, and beside it",
	     AT_1,
	     "%in = OpTypeStruct %uint %bool\n%t = OpTypeStruct %in %v2\n",
	     BEHIND "%x = OpCompositeExtract %uint %l 0 0\n" ASK("x"),
	     {NONE_OF, NONE_OF}},
	    {"in an array of it",
	     AT_1,
	     "%in = OpTypeStruct %uint %bool\n%t = OpTypeArray %in %c2\n",
	     "%l = OpLoad %t %o\n%x = OpCompositeExtract %uint %l 0 0\n" ASK("x"),
	     {NONE_OF}},
	    {"behind a structure that is not told apart",
	     AT_1,
	     "%in = OpTypeStruct" TEN("v4")
		 FIVE("v4") " %v4 %uint\n%two = OpTypeStruct %in %in\n%t = OpTypeStruct %uint %two %v2\n",
	     "%l = OpLoad %t %o\n%x = OpCompositeExtract %uint %l 0\n" ASK(
		 "x") "%y = OpCompositeExtract %v2 %l 2\n" ASK("y"),
	     {"ggggxggggggggggg", NONE_OF}},
	    {"behind what is as deep as is looked at",
	     AT_1,
	     SEVEN "%t = OpTypeStruct %t6 %v2\n",
	     BEHIND,
	     {"ggggggggxxgggggg"}},
	    {"behind what is one deeper",
	     AT_1,
	     SEVEN "%t7 = OpTypeArray %t6 %c1\n%t = OpTypeStruct %t7 %v2\n",
	     BEHIND,
	     {NONE_OF}},
	    {"behind a long vector",
	     AT_1,
	     "%v8 = OpTypeVector %uint 8\n%t = OpTypeStruct %v8 %v2\n",
	     BEHIND,
	     {NONE_OF}},
	    {"what is of a patch",
	     "OpDecorate %o Location 1\nOpDecorate %o Patch\n",
	     "%t = OpTypeInt 32 0\n",
	     WHOLE,
	     {NONE_OF}},
	    {"what is of a primitive",
	     "OpDecorate %o Location 1\nOpDecorate %o PerPrimitiveNV\n",
	     "%t = OpTypeInt 32 0\n",
	     WHOLE,
	     {NONE_OF}},
	    {"what is of each vertex",
	     "OpDecorate %o Location 1\nOpDecorate %o PerVertexKHR\n",
	     "%t = OpTypeArray %uint %c3\n",
	     WHOLE,
	     {NONE_OF}},
	    {"without a place", "", "%t = OpTypeInt 32 0\n", WHOLE, {NONE_OF}},
	};
	bool right = true;

	(void)state;
	for (uint32_t different = 0; different < PLACES; different++) {
		struct parsed before;
		write_places(&before, different);
		for (size_t i = 0; i < SPB_COUNT(rows); i++) {
			struct parsed after;
			struct linking l = {&before, &after, NULL, ""};
			char notes[600];
			snprintf(notes, sizeof notes, "%sOpDecorate %%o Flat\n", rows[i].notes);
			parse_stage(&after, "Fragment", notes, rows[i].types, "Input", rows[i].read, "");
			assert_false(caught(after.m.context, ask_behind_stages, &l));
			for (uint32_t k = 0; k < MOST_PARTS && (rows[i].said[k] || l.said[k]); k++) {
				if (rows[i].said[k] && l.said[k] == rows[i].said[k][different])
					continue;
				print_error("%s, part %u, place %u: %c\n", rows[i].about, k, different, l.said[k]);
				right = false;
			}
			drop(&after);
		}
		drop(&before);
	}
	assert_true(right);
}

/* pointers that are chosen, stored, passed and returned */

struct aim {
	const char *about;
	const char *said; /* what %x names, see put_aim; "on": it is on the path of what is selected */
	const char *body, *functions, *notes;
};

/* The variable and the index that a value always names, if any: "b", "b2", "b?"; "?": anything, "-": nothing. */
static void put_aim(char *out, size_t size, const struct spb_module *m, const struct spb_paths *paths, uint32_t id)
{
	const struct spb_targets *t = &paths->targets;
	uint32_t variable = spb_target_variable(t, id);

	if (!t->of)
		snprintf(out, size, "none%s", paths->on_path[id] ? " on" : "");
	else if (!variable)
		snprintf(out, size, "%s%s", t->of[id].root ? "?" : "-", paths->on_path[id] ? " on" : "");
	else if (!spb_has_one_target(t, id))
		snprintf(out, size, "%s?%s", spb_name(m, variable), paths->on_path[id] ? " on" : "");
	else if (t->of[id].element)
		snprintf(out, size, "%s%u%s", spb_name(m, variable), (unsigned)t->of[id].element - 1,
			 paths->on_path[id] ? " on" : "");
	else
		snprintf(out, size, "%s%s", spb_name(m, variable), paths->on_path[id] ? " on" : "");
}

struct aiming {
	struct parsed *p;
	char said[40];
};

static void find_aim(void *argument)
{
	struct aiming *a = argument;
	const struct spb_module *m = &a->p->m;
	struct spb_arena *arena = &a->p->m.keep;
	struct spb_calls calls = spb_find_calls(m, arena);
	struct spb_paths paths = spb_find_paths(m, &calls, NULL, arena);

	put_aim(a->said, sizeof a->said, m, &paths, named(m, "x"));
}

#define AIMED                                                                                                          \
	"OpCapability Shader\nOpCapability VariablePointers\nOpCapability Linkage\n"                                   \
	"OpMemoryModel Logical GLSL450\n" COMPUTE "OpName %tex \"t\"\nOpName %m \"m\"\nOpName %b \"b\"\nOpName %a "    \
	"\"a\"\nOpName %x \"x\"\nOpName %c \"c\"\n" NOTES
#define AIM_TYPES                                                                                                      \
	TYPES "%bufs = OpTypeArray %Buf %c4\n%pbs = OpTypePointer StorageBuffer %bufs\n"                               \
	      "%bufss = OpTypeArray %bufs %c4\n%pbss = OpTypePointer StorageBuffer %bufss\n"                           \
	      "%b = OpVariable %pbs StorageBuffer\n%a = OpVariable %pbss StorageBuffer\n"                              \
	      "%c = OpVariable %p_buf StorageBuffer\n%fp = OpTypePointer Function %p_buf\n"                            \
	      "%kept = OpTypePointer Private %p_buf\n%null_p = OpConstantNull %p_buf\n"                                \
	      "%nowhere = OpUndef %p_buf\n%two = OpTypeStruct %p_buf %uint\n%get = OpTypeFunction %p_buf %p_buf\n"     \
	      "%put = OpTypeFunction %void %fp %p_buf\n%large = OpConstant %ulong 0xFFFFFFFF\n"                        \
	      "%pass = OpTypeFunction %void %p_buf\n%kept_v = OpVariable %kept Private %c\n"                           \
	      "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%images = OpTypeArray %image %c4\n"                     \
	      "%p_image = OpTypePointer UniformConstant %image\n%p_images = OpTypePointer UniformConstant %images\n"   \
	      "%both = OpTypeSampledImage %image\n%p_both = OpTypePointer UniformConstant %both\n"                     \
	      "%m = OpVariable %p_both UniformConstant\n"                                                              \
	      "%tex = OpVariable %p_images UniformConstant\n"

static bool check_aim(const struct aim *aim)
{
	struct parsed p;
	struct aiming a = {.p = &p};

	*text = '\0';
	put("%s%s%s%%main = OpFunction %%void None %%fn\n%%main_0 = OpLabel\n%s%sOpReturn\nOpFunctionEnd\n%s", AIMED,
	    OR(aim->notes, ""), AIM_TYPES, SAME_AND_DIFFERENT, aim->body, OR(aim->functions, ""));
	parse(&p, text);
	assert_false(caught(p.m.context, find_aim, &a));
	bool right = !strcmp(a.said, aim->said);
	if (!right)
		print_error("%s: %s instead of %s\n", aim->about, a.said, aim->said);
	drop(&p);
	return right;
}

/* A pointer is passed from function to function, which stand in the order of the calls or the other way round. */
static const char *passed_on(bool in_order)
{
	static char functions[1 << 15];
	size_t length = 0;

	for (uint32_t i = 0; i < DEPTH; i++) {
		uint32_t k = in_order ? i : DEPTH - 1 - i;
		length +=
		    (size_t)snprintf(functions + length, sizeof functions - length,
				     "%%f%u = OpFunction %%void None %%pass\n%%p%u = OpFunctionParameter %%p_buf\n"
				     "%%l%u = OpLabel\n",
				     k, k, k);
		if (k + 1 < DEPTH)
			length += (size_t)snprintf(functions + length, sizeof functions - length,
						   "%%r%u = OpFunctionCall %%void %%f%u %%p%u\n", k, k + 1, k);
		else
			length += (size_t)snprintf(functions + length, sizeof functions - length,
						   "%%x = OpCopyObject %%p_buf %%p%u\n", k);
		length += (size_t)snprintf(functions + length, sizeof functions - length, "OpReturn\nOpFunctionEnd\n");
	}
	assert_true(length < sizeof functions);
	return functions;
}

static void pointers_name_what_they_may(void **state)
{
#define CHOSEN                                                                                                         \
	"%b1 = OpAccessChain %p_buf %b %c1\n%again = OpAccessChain %p_buf %b %c1\n"                                    \
	"%b2 = OpAccessChain %p_buf %b %c2\n%bd = OpAccessChain %p_buf %b %d\n"
#define RETURNS(f, body)                                                                                               \
	"%" f " = OpFunction %p_buf None %get\n%" f "_p = OpFunctionParameter %p_buf\n%" f "_0 = OpLabel\n" body       \
	"OpReturnValue %" f "_p\nOpFunctionEnd\n"
	static const struct aim aims[] = {
	    {"of two that are one", "b1", .body = CHOSEN "%x = OpSelect %p_buf %dif %b1 %again\n"},
	    {"of two elements", "b? on", .body = CHOSEN "%x = OpSelect %p_buf %dif %b1 %b2\n"},
	    {"of two variables", "? on", .body = CHOSEN "%x = OpSelect %p_buf %dif %b1 %c\n"},
	    {"or none", "b1", .body = CHOSEN "%x = OpSelect %p_buf %dif %b1 %null_p\n"},
	    {"or not defined", "? on", .body = CHOSEN "%x = OpSelect %p_buf %dif %b1 %nowhere\n"},
	    {"an element that differs", "b? on",
	     .body = CHOSEN "%y = OpSelect %p_buf %dif %b1 %b1\n%x = OpCopyObject %p_buf %bd\n"},
	    {"an element of an element", "a? on",
	     .body = "%e = OpAccessChain %pbs %a %c1\n%f = OpAccessChain %p_buf %e %c2\n"
		     "%x = OpSelect %p_buf %dif %f %f\n"},
	    {"two indexes at once", "a? on",
	     .body = "%f = OpAccessChain %p_buf %a %c1 %c2\n%x = OpSelect %p_buf %dif %f %f\n"},
	    {"a part of it", "b1",
	     .body = CHOSEN "%y = OpSelect %p_buf %dif %b1 %again\n%x = OpAccessChain %pb %y %c1\n"},
	    {"an element at the end", "b? on",
	     .body = "%f = OpAccessChain %p_buf %b %large\n%x = OpSelect %p_buf %dif %f %f\n"},
	    {"a step from an element", "b?",
	     .body = CHOSEN "%y = OpSelect %p_buf %dif %b1 %b1\n%x = OpPtrAccessChain %p_buf %y %c1\n"},
	    {"out of a structure", "b1",
	     .body = CHOSEN "%y = OpCompositeConstruct %two %b1 %c1\n%x = OpCompositeExtract %p_buf %y 0\n"},
	    {"a structure of two", "? on",
	     .body = CHOSEN "%y = OpCompositeConstruct %two %b1 %c1\n%z = OpCompositeInsert %two %c %y 0\n"
			    "%x = OpCompositeExtract %p_buf %z 0\n"},
	    {"out of a variable", "b1",
	     .body = CHOSEN "%v = OpVariable %fp Function\nOpStore %v %b1\n%x = OpLoad %p_buf %v\n"},
	    {"of another's contents", "b1",
	     .body = CHOSEN "%v = OpVariable %fp Function\n%w = OpVariable %fp Function\nOpStore %v %b1\n"
			    "OpCopyMemory %w %v\n%x = OpLoad %p_buf %w\n"},
	    {"out of a variable with two", "b? on",
	     .body = CHOSEN "%v = OpVariable %fp Function\nOpStore %v %b1\nOpStore %v %b2\n"
			    "%x = OpLoad %p_buf %v\n"},
	    {"out of one with a beginning", "c", .body = "%x = OpLoad %p_buf %kept_v\n"},
	    {"with another beginning", "? on", .body = CHOSEN "OpStore %kept_v %b1\n%x = OpLoad %p_buf %kept_v\n"},
	    {"what a function returns", "b1", .body = CHOSEN "%x = OpFunctionCall %p_buf %f %b1\n",
	     "%f = OpFunction %p_buf None %get\n%f_p = OpFunctionParameter %p_buf\n"
	     "%f_0 = OpLabel\nOpReturnValue %f_p\nOpFunctionEnd\n"},
	    {"called with two", "b? on",
	     .body = CHOSEN "%y = OpFunctionCall %p_buf %f %b2\n%x = OpFunctionCall %p_buf %f %b1\n",
	     "%f = OpFunction %p_buf None %get\n%f_p = OpFunctionParameter %p_buf\n"
	     "%f_0 = OpLabel\nOpReturnValue %f_p\nOpFunctionEnd\n"},
	    {"of another module", "? on", .body = CHOSEN "%x = OpFunctionCall %p_buf %f %b1\n",
	     "%f = OpFunction %p_buf None %get\n%f_p = OpFunctionParameter %p_buf\nOpFunctionEnd\n"},
	    {"one argument more than it takes", "b1", .body = CHOSEN "%x = OpFunctionCall %p_buf %f %b1 %c\n",
	     "%f = OpFunction %p_buf None %get\n%f_p = OpFunctionParameter %p_buf\n"
	     "%f_0 = OpLabel\nOpReturnValue %f_p\nOpFunctionEnd\n"
	     "%g = OpFunction %p_buf None %get\n%g_p = OpFunctionParameter %p_buf\n"
	     "%g_0 = OpLabel\nOpReturnValue %g_p\nOpFunctionEnd\n"},
	    {"what a function stores", "b1",
	     .body = CHOSEN "%v = OpVariable %fp Function\n%r = OpFunctionCall %void %f %v %b1\n"
			    "%x = OpLoad %p_buf %v\n",
	     "%f = OpFunction %void None %put\n%f_v = OpFunctionParameter %fp\n"
	     "%f_p = OpFunctionParameter %p_buf\n%f_0 = OpLabel\nOpStore %f_v %f_p\nOpReturn\n"
	     "OpFunctionEnd\n"},
	    {"a variable given to another module", "none on",
	     .body = CHOSEN "%v = OpVariable %fp Function\n%r = OpFunctionCall %void %f %v %b1\n"
			    "%x = OpLoad %p_buf %v\n",
	     "%f = OpFunction %void None %put\n%f_v = OpFunctionParameter %fp\n"
	     "%f_p = OpFunctionParameter %p_buf\nOpFunctionEnd\n"},
	    {"one variable more than it takes", "none on",
	     .body = CHOSEN "%v = OpVariable %fp Function\nOpStore %v %b1\n%r = OpFunctionCall %p_buf %f %b1 %v\n"
			    "%x = OpLoad %p_buf %v\n",
	     "%f = OpFunction %p_buf None %get\n%f_p = OpFunctionParameter %p_buf\n"
	     "%f_0 = OpLabel\nOpReturnValue %f_p\nOpFunctionEnd\n"},
	    {"paths that meet", "b? on",
	     .body = CHOSEN "OpBranchConditional %dif %t %j\n%t = OpLabel\nOpBranch %j\n%j = OpLabel\n"
			    "%x = OpPhi %p_buf %b1 %main_0 %b2 %t\n"},
	    {"a loop that hands on what stands below", "b? on",
	     .body = CHOSEN "OpBranch %t\n%t = OpLabel\n%x = OpPhi %p_buf %b1 %main_0 %y %t\n"
			    "%y = OpCopyObject %p_buf %bd\nOpBranchConditional %dif %t %j\n%j = OpLabel\n"},
	    {"what is given beside all parameters is not given to the next function", "-",
	     .body = CHOSEN "%y = OpFunctionCall %p_buf %f %b1 %c\n",
	     .functions = RETURNS("f", "") RETURNS("g", "%x = OpCopyObject %p_buf %g_p\n")},
	    {"what others may call", "? on", .body = CHOSEN "%y = OpFunctionCall %p_buf %f %b1\n",
	     .functions = RETURNS("f", "%x = OpCopyObject %p_buf %f_p\n") RETURNS("g", ""),
	     .notes = "OpDecorate %f LinkageAttributes \"f\" Export\n"},
	    {"what stands behind it", "b1", .body = CHOSEN "%y = OpFunctionCall %p_buf %g %b1\n",
	     .functions = RETURNS("f", "") RETURNS("g", "%x = OpCopyObject %p_buf %g_p\n"),
	     .notes = "OpDecorate %f LinkageAttributes \"f\" Export\n"},
	    {"an image", "t1",
	     .body = CHOSEN "%y = OpSelect %p_buf %dif %b1 %b2\n"
			    "%e = OpAccessChain %p_image %tex %c1\n%x = OpLoad %image %e\n"},
	    {"one of all images", "t? on",
	     .body = CHOSEN "%y = OpSelect %p_buf %dif %b1 %b2\n"
			    "%e = OpAccessChain %p_image %tex %d\n%x = OpLoad %image %e\n"},
	    {"of the contents of one of two", "? on",
	     .body =
		 CHOSEN "%v = OpVariable %fp Function\n"
			"%u = OpVariable %fp Function\n%w = OpVariable %fp Function\nOpStore %u %b1\nOpStore %w %b1\n"
			"%q = OpSelect %fp %dif %u %w\nOpCopyMemory %v %q\n%x = OpLoad %p_buf %v\n"},
	    {"contents that go to one of two", "none on",
	     .body = CHOSEN "%v = OpVariable %fp Function\n"
			    "%u = OpVariable %fp Function\n%w = OpVariable %fp Function\nOpStore %v %b1\n"
			    "%q = OpSelect %fp %dif %u %w\nOpCopyMemory %q %v\n%x = OpLoad %p_buf %v\n"},
	    {"what is known of one only after it is known of another", "b? on",
	     .body = CHOSEN
	     "OpBranch %l\n%l = OpLabel\n%x = OpPhi %p_buf %b1 %main_0 %y %l\n%z = OpPhi %p_buf %b1 %main_0 %w %l\n"
	     "%y = OpCopyObject %p_buf %z\n%w = OpCopyObject %p_buf %b2\nOpBranchConditional %dif %l %j\n%j = "
	     "OpLabel\n"},
	    {"what is selected elsewhere", "c",
	     .body = CHOSEN "OpBranch %l\n%l = OpLabel\n%z = OpPhi %p_buf %b1 %main_0 %w %l\n"
			    "%w = OpCopyObject %p_buf %bd\nOpBranchConditional %dif %l %j\n%j = OpLabel\n"
			    "%y = OpFunctionCall %p_buf %f %c\n",
	     .functions = RETURNS("f", "%x = OpCopyObject %p_buf %f_p\n")},
	    {"the image of a sampled image", "m",
	     .body = CHOSEN "%y = OpSelect %p_buf %dif %b1 %b2\n"
			    "%e = OpLoad %both %m\n%x = OpImage %image %e\n"},
	};
	bool right = true;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(aims); i++)
		right &= check_aim(&aims[i]);
	for (int in_order = 0; in_order < 2; in_order++) {
		struct aim aim = {.about = in_order ? "passed on and on" : "passed on to what stands above",
				  .said = in_order ? "b? on" : "none on",
				  .body = CHOSEN "%choice = OpSelect %p_buf %dif %b1 %b2\n"
						 "%start = OpFunctionCall %void %f0 %bd\n",
				  .functions = passed_on(in_order)};
		right &= check_aim(&aim);
	}
	assert_true(right);
}

/* what cannot be followed */

static void what_cannot_be_followed_is_not_claimed(void **state)
{
	static const struct claim claims[] = {
	    {"a counter of the invocation's own, which only marks would make different", "?",
	     .types = "%v = OpVariable %pp Private\n",
	     .body = "OpStore %v %s\n%a = OpAtomicIAdd %uint %v %c1 %c0 %c1\n%l = OpLoad %uint %v\n"
		     "OpReleaseEvent %l\n"},
	    {"by marks alone", "=", .types = "%v = OpVariable %pp Private\n",
	     .body = "OpStore %v %s\n%a = OpAtomicIAdd %uint %v %c1 %c0 %c1\n%l = OpLoad %uint %v\n"
		     "OpReleaseEvent %l\n",
	     .wishes = {.marks_only = true}},
	    {"copied from a buffer, by marks alone", "=",
	     .body = "%v = OpVariable %pf Function\n%p2 = OpAccessChain %pb %buf2 %c0\nOpStore %p2 %c1\n"
		     "OpCopyMemory %v %p2\n%l = OpLoad %uint %v\nOpReleaseEvent %l\n",
	     .wishes = {.marks_only = true}},
	    {"two of a structure copied to two of another, and to one", "=x",
	     .body = "%v = OpVariable %pf_two Function\n%w = OpVariable %pf_two Function\n"
		     "%v0 = OpAccessChain %pf %v %c0\n%v1 = OpAccessChain %pf %v %c1\nOpStore %v0 %s\n"
		     "OpStore %v1 %d\nOpCopyMemory %w %v\n%w0 = OpAccessChain %pf %w %c0\n"
		     "%w1 = OpAccessChain %pf %w %c1\n%l0 = OpLoad %uint %w0\nOpReleaseEvent %l0\n"
		     "%l1 = OpLoad %uint %w1\nOpReleaseEvent %l1\n",
	     .types = "%two = OpTypeStruct %uint %uint\n%pf_two = OpTypePointer Function %two\n"},
	    {"a member behind the one that a call writes", "x=",
	     .body = "%v = OpVariable %pf_two Function\n%v0 = OpAccessChain %pf %v %c0\n"
		     "%v1 = OpAccessChain %pf %v %c1\nOpStore %v0 %s\nOpStore %v1 %s\n"
		     "%r = OpFunctionCall %void %f %v0 %d\n%l0 = OpLoad %uint %v0\nOpReleaseEvent %l0\n"
		     "%l1 = OpLoad %uint %v1\nOpReleaseEvent %l1\n",
	     .functions = FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n%f_d = OpFunctionParameter %uint\n",
				   "OpStore %f_p %f_d\n"),
	     .types = "%two = OpTypeStruct %uint %uint\n%pf_two = OpTypePointer Function %two\n"
		      "%takes = OpTypeFunction %void %pf %uint\n"},
	    {"one of two variables, handed on", "?",
	     .body = "%v = OpVariable %pf Function\n%w = OpVariable %pf Function\nOpStore %v %s\n"
		     "OpStore %w %s\n%x = OpSelect %pf %sam %v %w\n%r = OpFunctionCall %void %f %x\n",
	     .functions = FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n",
				   "%l = OpLoad %uint %f_p\nOpReleaseEvent %l\n"),
	     .types = "%takes = OpTypeFunction %void %pf\n"},
	    {"one of two variables, handed on, by marks alone", "=",
	     .body = "%v = OpVariable %pf Function\n%w = OpVariable %pf Function\nOpStore %v %s\n"
		     "OpStore %w %s\n%x = OpSelect %pf %sam %v %w\n%r = OpFunctionCall %void %f %x\n",
	     .functions = FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n",
				   "%l = OpLoad %uint %f_p\nOpReleaseEvent %l\n"),
	     .types = "%takes = OpTypeFunction %void %pf\n", .wishes = {.marks_only = true}},
	    {"one of two variables, handed on beside one of them", "?=",
	     .body = "%v = OpVariable %pf Function\n%w = OpVariable %pf Function\nOpStore %v %s\n"
		     "OpStore %w %s\n%x = OpSelect %pf %sam %v %w\n%r = OpFunctionCall %void %f %x %v\n",
	     .functions =
		 FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n%f_q = OpFunctionParameter %pf\n",
			  "%l = OpLoad %uint %f_p\nOpReleaseEvent %l\n%l2 = OpLoad %uint %f_q\nOpReleaseEvent %l2\n"),
	     .types = "%takes = OpTypeFunction %void %pf %pf\n"},
	    {"the same by marks alone", "==",
	     .body = "%v = OpVariable %pf Function\n%w = OpVariable %pf Function\nOpStore %v %s\n"
		     "OpStore %w %s\n%x = OpSelect %pf %sam %v %w\n%r = OpFunctionCall %void %f %x %v\n",
	     .functions =
		 FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n%f_q = OpFunctionParameter %pf\n",
			  "%l = OpLoad %uint %f_p\nOpReleaseEvent %l\n%l2 = OpLoad %uint %f_q\nOpReleaseEvent %l2\n"),
	     .types = "%takes = OpTypeFunction %void %pf %pf\n", .wishes = {.marks_only = true}},
	    {"nothing, handed on", "?", .body = "%x = OpUndef %pf\n%r = OpFunctionCall %void %f %x\n",
	     .functions = FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n",
				   "%l = OpLoad %uint %f_p\nOpReleaseEvent %l\n"),
	     .types = "%takes = OpTypeFunction %void %pf\n"},
	    {"a call that hands on too little", "?", .body = "%r = OpFunctionCall %void %f \n",
	     .functions = FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n",
				   "%l = OpLoad %uint %f_p\nOpReleaseEvent %l\n"),
	     .types = "%takes = OpTypeFunction %void %pf\n"},
	    {"a call that hands on too little, and one that does not", "x",
	     .body = "%v = OpVariable %pf Function\nOpStore %v %d\n%r = OpFunctionCall %void %f \n"
		     "%r2 = OpFunctionCall %void %f %v\n",
	     .functions = FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n",
				   "%l = OpLoad %uint %f_p\nOpReleaseEvent %l\n"),
	     .types = "%takes = OpTypeFunction %void %pf\n"},
	    {"a call that hands on too little, of the same twice", "xx",
	     .body = "%v = OpVariable %pf Function\nOpStore %v %d\n%r = OpFunctionCall %void %f %v\n"
		     "%r2 = OpFunctionCall %void %f %v %v\n",
	     .functions =
		 FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n%f_q = OpFunctionParameter %pf\n",
			  "%l = OpLoad %uint %f_p\nOpReleaseEvent %l\n%l2 = OpLoad %uint %f_q\nOpReleaseEvent %l2\n"),
	     .types = "%takes = OpTypeFunction %void %pf %pf\n"},
	    {"an element behind the last one", "x",
	     .body = ELEMENTS("c3") "%v9 = OpAccessChain %pf %v %c8\nOpStore %v0 %s\nOpStore %v1 %s\nOpStore %v9 %s\n"
				    "%l = OpLoad %uint %vs\nOpReleaseEvent %l\n",
	     .types = ARRAYS},
	    {"the element behind the last one", "x",
	     .body = ELEMENTS(
		 "c2") "%vv = OpAccessChain %pf %v %c2\nOpStore %v0 %s\nOpStore %vv %s\n%l = OpLoad %uint %vs\n"
		       "OpReleaseEvent %l\n",
	     .types = ARRAYS},
	    {"an untyped variable", "u=", .capabilities = "OpCapability Shader\n!0x00020011 !4473\n",
	     .types = "%own = OpTypeArray %uint %c2\n!0x00031141 %up !7\n",
	     .body = "!0x00051142 %up %v !7 %uint\n!0x00061142 %up %w !7 %uint %c1\n%l = OpLoad %uint %v\n"
		     "%l2 = OpLoad %uint %w\nOpReleaseEvent %l\nOpReleaseEvent %l2\n"},
	    {"a function that returns nothing in between", "=",
	     .body = "%r = OpFunctionCall %uint %f %sam %s\nOpReleaseEvent %r\n",
	     .functions = "%f = OpFunction %uint None %ff\n%f_c = OpFunctionParameter %bool\n"
			  "%f_v = OpFunctionParameter %uint\n%f_0 = OpLabel\nOpSelectionMerge %f_2 None\n"
			  "OpBranchConditional %f_c %f_1 %f_2\n%f_1 = OpLabel\nOpReturn\n%f_2 = OpLabel\n"
			  "OpReturnValue %f_v\nOpFunctionEnd\n",
	     .types = "%ff = OpTypeFunction %uint %bool %uint\n"},
	    {"a function that returns nothing in between, by a branch that differs", "=",
	     .body = "%r = OpFunctionCall %uint %f %dif %s\nOpReleaseEvent %r\n",
	     .functions = "%f = OpFunction %uint None %ff\n%f_c = OpFunctionParameter %bool\n"
			  "%f_v = OpFunctionParameter %uint\n%f_0 = OpLabel\nOpSelectionMerge %f_2 None\n"
			  "OpBranchConditional %f_c %f_1 %f_2\n%f_1 = OpLabel\nOpReturn\n%f_2 = OpLabel\n"
			  "OpReturnValue %f_v\nOpFunctionEnd\n",
	     .types = "%ff = OpTypeFunction %uint %bool %uint\n"},
	    {"the same value, returned in two places by a branch that differs", "=",
	     .body = "%r = OpFunctionCall %uint %f %dif %s\nOpReleaseEvent %r\n",
	     .functions = "%f = OpFunction %uint None %ff\n%f_c = OpFunctionParameter %bool\n"
			  "%f_v = OpFunctionParameter %uint\n%f_0 = OpLabel\nOpSelectionMerge %f_2 None\n"
			  "OpBranchConditional %f_c %f_1 %f_2\n%f_1 = OpLabel\nOpReturnValue %f_v\n%f_2 = OpLabel\n"
			  "OpReturnValue %f_v\nOpFunctionEnd\n",
	     .types = "%ff = OpTypeFunction %uint %bool %uint\n"},
	    {"a promise of a scope that the pipeline sets", "x=",
	     .body = "%q = OpIAdd %uint %d %c1\nOpReleaseEvent %q\n%q2 = OpIAdd %uint %d %c2\nOpReleaseEvent %q2\n",
	     .notes =
		 "OpDecorateId %q UniformId %spec\nOpDecorateId %q2 UniformId %c2\nOpDecorateId %q2 UniformId %c3\n",
	     .wishes = {.trust_uniform = true}},
	    {"promises of scopes", "sxgs",
	     .body = "%q = OpIAdd %uint %d %c1\nOpReleaseEvent %q\n%q2 = OpIAdd %uint %d %c2\n"
		     "OpReleaseEvent %q2\n%q3 = OpIAdd %uint %d %c2\nOpReleaseEvent %q3\n"
		     "%q4 = OpIAdd %uint %d %c2\nOpReleaseEvent %q4\n",
	     .notes = "OpDecorateId %q UniformId %c3\nOpDecorateId %q2 UniformId %c4\n"
		      "OpDecorateId %q3 UniformId %c2\nOpDecorate %q4 Uniform\n",
	     .wishes = {.trust_uniform = true}},
	    {"an instruction that nobody knows, by marks alone", "=", .types = "%v = OpVariable %pp Private\n",
	     .body = "OpStore %v %s\n%nil = OpIAdd %uint %s %s\n!0x0001FFF0\n",
	     .functions = FUNCTION("g", "fn", "", "%l = OpLoad %uint %v\nOpReleaseEvent %l\n"),
	     .wishes = {.marks_only = true}},
	    {"an instruction that nobody knows", "?", .types = "%v = OpVariable %pp Private\n",
	     .body = "OpStore %v %s\n%nil = OpIAdd %uint %s %s\n!0x0001FFF0\n",
	     .functions = FUNCTION("g", "fn", "", "%l = OpLoad %uint %v\nOpReleaseEvent %l\n")},
	    {"rays, by marks alone", "=", .types = "%v = OpVariable %pp Private\n%data = OpVariable %pp Private\n",
	     .entries = ENTRY("RayGenerationKHR", "main"), .body = "OpStore %v %s\n" TRACE CALL("g"),
	     .functions = FUNCTION("g", "fn", "", "%l = OpLoad %uint %v\nOpReleaseEvent %l\n"),
	     .wishes = {.marks_only = true}},
	    {"rays", "g", .types = "%v = OpVariable %pp Private\n%data = OpVariable %pp Private\n",
	     .entries = ENTRY("RayGenerationKHR", "main"), .body = "OpStore %v %s\n" TRACE CALL("g"),
	     .functions = FUNCTION("g", "fn", "", "%l = OpLoad %uint %v\nOpReleaseEvent %l\n")},
	    {"a variable copied to itself", "=", .types = "%v = OpVariable %pp Private\n",
	     .body = "OpStore %v %s\n" CALL("g"),
	     .functions = FUNCTION("g", "fn", "", "OpCopyMemory %v %v\n%l = OpLoad %uint %v\nOpReleaseEvent %l\n")},
	    {"a buffer, handed on as a variable", "?", .body = "%r = OpFunctionCall %void %f %read\n",
	     .functions = FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n",
				   "%l = OpLoad %uint %f_p\nOpReleaseEvent %l\n"),
	     .types = "%takes = OpTypeFunction %void %pf\n"},
	    {"a buffer, handed on as a variable, by marks alone", "=", .body = "%r = OpFunctionCall %void %f %read\n",
	     .functions = FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n",
				   "%l = OpLoad %uint %f_p\nOpReleaseEvent %l\n"),
	     .types = "%takes = OpTypeFunction %void %pf\n", .wishes = {.marks_only = true}},
	    {"one of two buffers, handed on as a variable", "?",
	     .body = "%x = OpSelect %p_buf %sam %read %buf2\n%r = OpFunctionCall %void %f %x\n",
	     .functions = FUNCTION("f", "takes", "%f_p = OpFunctionParameter %pf\n",
				   "%l = OpLoad %uint %f_p\nOpReleaseEvent %l\n"),
	     .types = "%takes = OpTypeFunction %void %pf\n"},
	    {"a phi that is its own value", "=",
	     .body = "OpBranch %h\n%h = OpLabel\n%x = OpPhi %uint %s %main_0 %x %k\nOpReleaseEvent %x\n"
		     "OpLoopMerge %e %k None\nOpBranchConditional %sam %k %e\n%k = OpLabel\nOpBranch %h\n"
		     "%e = OpLabel\n"},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* values that are made of others */

static void values_follow_from_the_parts_that_they_are_made_of(void **state)
{
	static const struct claim claims[] = {
	    {"parts of a vector", "=x==",
	     .body = "%mixed = OpCompositeConstruct %v2 %s %d\n%alike = OpCompositeConstruct %v2 %s %s\n"
		     "%mixed_0 = OpCompositeExtract %uint %mixed 0\nOpReleaseEvent %mixed_0\n"
		     "%mixed_1 = OpCompositeExtract %uint %mixed 1\nOpReleaseEvent %mixed_1\n"
		     "%alike_0 = OpCompositeExtract %uint %alike 0\nOpReleaseEvent %alike_0\n"
		     "%alike_1 = OpCompositeExtract %uint %alike 1\nOpReleaseEvent %alike_1\n"},
	    {"one component replaced", "===xxxx=",
	     .body = "%mixed = OpCompositeConstruct %v2 %s %d\n%alike = OpCompositeConstruct %v2 %s %s\n"
		     "%a = OpCompositeInsert %v2 %s %mixed 1\n%a_0 = OpCompositeExtract %uint %a 0\n"
		     "OpReleaseEvent %a_0\n%a_1 = OpCompositeExtract %uint %a 1\nOpReleaseEvent %a_1\n"
		     "%b = OpCompositeInsert %v2 %s %mixed 0\n%b_0 = OpCompositeExtract %uint %b 0\n"
		     "OpReleaseEvent %b_0\n%b_1 = OpCompositeExtract %uint %b 1\nOpReleaseEvent %b_1\n"
		     "%c = OpCompositeInsert %v2 %d %mixed 0\n%c_0 = OpCompositeExtract %uint %c 0\n"
		     "OpReleaseEvent %c_0\n%c_1 = OpCompositeExtract %uint %c 1\nOpReleaseEvent %c_1\n"
		     "%e = OpCompositeInsert %v2 %d %alike 0\n%e_0 = OpCompositeExtract %uint %e 0\n"
		     "OpReleaseEvent %e_0\n%e_1 = OpCompositeExtract %uint %e 1\nOpReleaseEvent %e_1\n"},
	    {"parts of parts", "x=x=====x=x",
	     .body = "%mixed = OpCompositeConstruct %v2 %s %d\n%alike = OpCompositeConstruct %v2 %s %s\n"
		     "%a = OpCompositeConstruct %pair %d %mixed\n%a0 = OpCompositeExtract %uint %a 0\n"
		     "OpReleaseEvent %a0\n%a1 = OpCompositeExtract %uint %a 1 0\nOpReleaseEvent %a1\n"
		     "%a2 = OpCompositeExtract %uint %a 1 1\nOpReleaseEvent %a2\n"
		     "%b = OpCompositeInsert %pair %s %a 0\n%b0 = OpCompositeExtract %uint %b 0\n"
		     "OpReleaseEvent %b0\n%b1 = OpCompositeExtract %uint %b 1 0\nOpReleaseEvent %b1\n"
		     "%c = OpCompositeInsert %pair %alike %a 1\n%ck0 = OpCompositeExtract %uint %c 1 0\n"
		     "OpReleaseEvent %ck0\n%ck1 = OpCompositeExtract %uint %c 1 1\nOpReleaseEvent %ck1\n"
		     "%e = OpCompositeExtract %v2 %a 1\n%e_0 = OpCompositeExtract %uint %e 0\n"
		     "OpReleaseEvent %e_0\n%e_1 = OpCompositeExtract %uint %e 1\nOpReleaseEvent %e_1\n"
		     "%f = OpCompositeInsert %pair %s %a 1 0\n%f0 = OpCompositeExtract %uint %f 1 0\n"
		     "OpReleaseEvent %f0\n%f1 = OpCompositeExtract %uint %f 1 1\nOpReleaseEvent %f1\n",
	     .types = "%pair = OpTypeStruct %uint %v2\n"},
	    {"elements of an array that is indexed by what differs", "xx==xx",
	     .body = "%v = OpVariable %pf_a Function\n%v_d = OpAccessChain %pf %v %d\nOpStore %v_d %s\n"
		     "%a = OpCompositeConstruct %arr %s %d\n%a_0 = OpCompositeExtract %uint %a 0\n"
		     "OpReleaseEvent %a_0\n%a_1 = OpCompositeExtract %uint %a 1\nOpReleaseEvent %a_1\n"
		     "%b = OpCompositeConstruct %arr %s %s\n%b_0 = OpCompositeExtract %uint %b 0\n"
		     "OpReleaseEvent %b_0\n%b_1 = OpCompositeExtract %uint %b 1\nOpReleaseEvent %b_1\n"
		     "%c = OpCompositeInsert %arr %s %a 1\n%c_0 = OpCompositeExtract %uint %c 0\n"
		     "OpReleaseEvent %c_0\n%c_1 = OpCompositeExtract %uint %c 1\nOpReleaseEvent %c_1\n",
	     .types = "%arr = OpTypeArray %uint %c2\n%pf_a = OpTypePointer Function %arr\n"},
	    {"elements of another", "=x===x",
	     .body = "%a = OpCompositeConstruct %arr %s %d\n%a_0 = OpCompositeExtract %uint %a 0\n"
		     "OpReleaseEvent %a_0\n%a_1 = OpCompositeExtract %uint %a 1\nOpReleaseEvent %a_1\n"
		     "%b = OpCompositeInsert %arr %s %a 1\n%b_0 = OpCompositeExtract %uint %b 0\n"
		     "OpReleaseEvent %b_0\n%b_1 = OpCompositeExtract %uint %b 1\nOpReleaseEvent %b_1\n"
		     "%c = OpCompositeInsert %arr %s %a 0\n%c_0 = OpCompositeExtract %uint %c 0\n"
		     "OpReleaseEvent %c_0\n%c_1 = OpCompositeExtract %uint %c 1\nOpReleaseEvent %c_1\n",
	     .types = "%arr = OpTypeArray %uint %c2\n"},
	    {"members of a structure that has too many", "xx==",
	     .body = "%a = OpCompositeInsert %l %d %null_l 1 0\n%a0 = OpCompositeExtract %uint %a 0 0\n"
		     "OpReleaseEvent %a0\n%a1 = OpCompositeExtract %uint %a 1 0\nOpReleaseEvent %a1\n"
		     "%b = OpCompositeInsert %l %s %null_l 1 0\n%b0 = OpCompositeExtract %uint %b 0 0\n"
		     "OpReleaseEvent %b0\n%b1 = OpCompositeExtract %uint %b 1 0\nOpReleaseEvent %b1\n",
	     .types = "%two = OpTypeStruct %uint %uint\n" MANY("l", "two") "%null_l = OpConstantNull %l\n"},
	    {"shuffled", "x==xx=",
	     .body = "%mixed = OpCompositeConstruct %v2 %s %d\n%alike = OpCompositeConstruct %v2 %s %s\n"
		     "%a = OpVectorShuffle %v2 %mixed %alike 1 2\n%a_0 = OpCompositeExtract %uint %a 0\n"
		     "OpReleaseEvent %a_0\n%a_1 = OpCompositeExtract %uint %a 1\nOpReleaseEvent %a_1\n"
		     "%b = OpVectorShuffle %v2 %alike %mixed 2 3\n%b_0 = OpCompositeExtract %uint %b 0\n"
		     "OpReleaseEvent %b_0\n%b_1 = OpCompositeExtract %uint %b 1\nOpReleaseEvent %b_1\n"
		     "%c = OpVectorShuffle %v2 %mixed %alike 1 0\n%c_0 = OpCompositeExtract %uint %c 0\n"
		     "OpReleaseEvent %c_0\n%c_1 = OpCompositeExtract %uint %c 1\nOpReleaseEvent %c_1\n"},
	    {"shuffled, and no component of either", "u=",
	     .body = "%mixed = OpCompositeConstruct %v2 %s %d\n%alike = OpCompositeConstruct %v2 %s %s\n"
		     "%a = OpVectorShuffle %v2 %mixed %alike 0xFFFFFFFF 0\n"
		     "%a_0 = OpCompositeExtract %uint %a 0\nOpReleaseEvent %a_0\n"
		     "%a_1 = OpCompositeExtract %uint %a 1\nOpReleaseEvent %a_1\n"},
	    {"the same by marks alone", "==",
	     .body = "%mixed = OpCompositeConstruct %v2 %s %d\n%alike = OpCompositeConstruct %v2 %s %s\n"
		     "%a = OpVectorShuffle %v2 %mixed %alike 0xFFFFFFFF 0\n"
		     "%a_0 = OpCompositeExtract %uint %a 0\nOpReleaseEvent %a_0\n"
		     "%a_1 = OpCompositeExtract %uint %a 1\nOpReleaseEvent %a_1\n",
	     .wishes = {.marks_only = true}},
	    {"a component that is computed", "==xxxx=xxx",
	     .body = "%mixed = OpCompositeConstruct %v2 %s %d\n%alike = OpCompositeConstruct %v2 %s %s\n"
		     "%a = OpVectorInsertDynamic %v2 %alike %s %s\n%a_0 = OpCompositeExtract %uint %a 0\n"
		     "OpReleaseEvent %a_0\n%a_1 = OpCompositeExtract %uint %a 1\nOpReleaseEvent %a_1\n"
		     "%b = OpVectorInsertDynamic %v2 %alike %d %s\n%b_0 = OpCompositeExtract %uint %b 0\n"
		     "OpReleaseEvent %b_0\n%b_1 = OpCompositeExtract %uint %b 1\nOpReleaseEvent %b_1\n"
		     "%c = OpVectorInsertDynamic %v2 %alike %s %d\n%c_0 = OpCompositeExtract %uint %c 0\n"
		     "OpReleaseEvent %c_0\n%c_1 = OpCompositeExtract %uint %c 1\nOpReleaseEvent %c_1\n"
		     "%e = OpVectorInsertDynamic %v2 %mixed %s %s\n%e_0 = OpCompositeExtract %uint %e 0\n"
		     "OpReleaseEvent %e_0\n%e_1 = OpCompositeExtract %uint %e 1\nOpReleaseEvent %e_1\n"
		     "%f = OpVectorExtractDynamic %uint %mixed %s\nOpReleaseEvent %f\n"
		     "%g = OpVectorExtractDynamic %uint %alike %d\nOpReleaseEvent %g\n"},
	    {"a component that is computed, of what is the same", "=",
	     .body = "%mixed = OpCompositeConstruct %v2 %s %d\n%alike = OpCompositeConstruct %v2 %s %s\n"
		     "%g = OpVectorExtractDynamic %uint %alike %s\nOpReleaseEvent %g\n"},
	    {"turned and taken for something else", "xx=x",
	     .body = "%fs = OpConvertUToF %float %s\n%fd = OpConvertUToF %float %d\n"
		     "%x = OpCompositeConstruct %vf %fs %fs\n%y = OpCompositeConstruct %vf %fs %fd\n"
		     "%z = OpCompositeConstruct %mf %x %y\n%t = OpTranspose %mf %z\n"
		     "%t0 = OpCompositeExtract %float %t 0 0\nOpReleaseEvent %t0\n"
		     "%t1 = OpCompositeExtract %float %t 1 1\nOpReleaseEvent %t1\n%b = OpBitcast %float %s\n"
		     "OpReleaseEvent %b\n%c = OpBitcast %float %d\nOpReleaseEvent %c\n",
	     .types = "%vf = OpTypeVector %float 2\n%mf = OpTypeMatrix %vf 2\n"},
	    {"chosen", "=xx=xx=x",
	     .body = "%mixed = OpCompositeConstruct %v2 %s %d\n%alike = OpCompositeConstruct %v2 %s %s\n"
		     "%a = OpSelect %uint %dif %s %s\nOpReleaseEvent %a\n%b = OpSelect %uint %dif %s %c1\n"
		     "OpReleaseEvent %b\n%c = OpSelect %uint %sam %s %d\nOpReleaseEvent %c\n"
		     "%e = OpSelect %uint %sam %s %c1\nOpReleaseEvent %e\n"
		     "%f = OpSelect %v2 %dif %alike %mixed\n%f_0 = OpCompositeExtract %uint %f 0\n"
		     "OpReleaseEvent %f_0\n%f_1 = OpCompositeExtract %uint %f 1\nOpReleaseEvent %f_1\n"
		     "%cond = OpCompositeConstruct %b2 %sam %dif\n%ones = OpCompositeConstruct %v2 %c1 %c1\n"
		     "%g = OpSelect %v2 %cond %alike %ones\n%g_0 = OpCompositeExtract %uint %g 0\n"
		     "OpReleaseEvent %g_0\n%g_1 = OpCompositeExtract %uint %g 1\nOpReleaseEvent %g_1\n",
	     .types = "%b2 = OpTypeVector %bool 2\n"},
	    {"of a set of instructions that is known, of one that is not", "=x?x",
	     .capabilities = "OpCapability Shader\n%other = OpExtInstImport \"NonSemantic.other\"\n",
	     .body = "%a = OpExtInst %uint %glsl UMin %s %c1\nOpReleaseEvent %a\n"
		     "%b = OpExtInst %uint %glsl UMin %s %d\nOpReleaseEvent %b\n"
		     "%c = OpExtInst %uint %other 38 %s %c1\nOpReleaseEvent %c\n"
		     "%e = OpExtInst %uint %other 38 %s %d\nOpReleaseEvent %e\n"},
	    {"by marks alone", "===x",
	     .capabilities = "OpCapability Shader\n%other = OpExtInstImport \"NonSemantic.other\"\n",
	     .body = "%a = OpExtInst %uint %glsl UMin %s %c1\nOpReleaseEvent %a\n"
		     "%b = OpExtInst %uint %glsl UMin %s %d\nOpReleaseEvent %b\n"
		     "%c = OpExtInst %uint %other 38 %s %c1\nOpReleaseEvent %c\n%m = OpCopyObject %uint %s\n"
		     "%e = OpExtInst %uint %glsl UMin %m %d\nOpReleaseEvent %e\n",
	     .notes = "OpDecorate %m NonUniform\n", .wishes = {.marks_only = true, .heed_marks = true}},
	    {"reduced in a workgroup, a subgroup, a device, and where the pipeline says", "=sxx",
	     .types = "%far = OpConstant %uint 1\n%where = OpSpecConstant %uint 3\n",
	     .body = "%a = OpGroupNonUniformIAdd %uint %c2 Reduce %d\nOpReleaseEvent %a\n"
		     "%b = OpGroupNonUniformIAdd %uint %c3 Reduce %d\nOpReleaseEvent %b\n"
		     "%c = OpGroupNonUniformIAdd %uint %far Reduce %d\nOpReleaseEvent %c\n"
		     "%e = OpGroupNonUniformIAdd %uint %where Reduce %d\nOpReleaseEvent %e\n"},
	    {"counted", "=xxx",
	     .body = "%a4 = OpCompositeConstruct %v4 %s %s %s %s\n%d4 = OpCompositeConstruct %v4 %s %d %s %s\n"
		     "%a = OpGroupNonUniformBallotBitCount %uint %c3 Reduce %a4\nOpReleaseEvent %a\n"
		     "%b = OpGroupNonUniformBallotBitCount %uint %c3 Reduce %d4\nOpReleaseEvent %b\n"
		     "%c = OpGroupNonUniformBallotBitCount %uint %c3 InclusiveScan %a4\nOpReleaseEvent %c\n"
		     "%e = OpGroupNonUniformBallotBitCount %uint %c3 ExclusiveScan %a4\nOpReleaseEvent %e\n"},
	    {"votes of a workgroup, a subgroup, and where the pipeline says", "=s?",
	     .types = "%where = OpSpecConstant %uint 3\n",
	     .body = "%a = OpGroupAll %bool %c2 %dif\nOpReleaseEvent %a\n%b = OpGroupAll %bool %c3 %dif\n"
		     "OpReleaseEvent %b\n%c = OpGroupAll %bool %where %dif\nOpReleaseEvent %c\n"},
	    {"from an invocation whose number is computed, where all are and where not", "sx",
	     .body = "%a = OpGroupNonUniformBroadcast %uint %c3 %d %s\nOpReleaseEvent %a\n"
		     "OpSelectionMerge %t_m None\nOpBranchConditional %dif %t %t_m\n%t = OpLabel\n"
		     "%b = OpGroupNonUniformBroadcast %uint %c3 %d %c1\nOpReleaseEvent %b\nOpBranch %t_m\n"
		     "%t_m = OpLabel\n"},
	    {"from a function of another module", "?x",
	     .body = "%a = OpFunctionCall %uint %f %s\nOpReleaseEvent %a\n%b = OpFunctionCall %uint %f %d\n"
		     "OpReleaseEvent %b\n",
	     .functions = "%f = OpFunction %uint None %ff\n%f_p = OpFunctionParameter %uint\nOpFunctionEnd\n",
	     .types = "%ff = OpTypeFunction %uint %uint\n"},
	    {"a parameter that gets more than it takes", "?",
	     .body = "%mixed = OpCompositeConstruct %v2 %s %d\n%alike = OpCompositeConstruct %v2 %s %s\n"
		     "%r = OpFunctionCall %void %f %alike\n",
	     .functions = FUNCTION("f", "takes", "%f_p = OpFunctionParameter %uint\n", "OpReleaseEvent %f_p\n"),
	     .types = "%takes = OpTypeFunction %void %uint\n"},
	    {"a parameter that gets a constant, a null, and too little", "==?",
	     .body = "%r = OpFunctionCall %void %f %c1 %null\n",
	     .functions = FUNCTION("f", "takes",
				   "%f_p = OpFunctionParameter %uint\n%f_q = OpFunctionParameter %uint\n"
				   "%f_r = OpFunctionParameter %uint\n",
				   "OpReleaseEvent %f_p\nOpReleaseEvent %f_q\nOpReleaseEvent %f_r\n"),
	     .types = "%takes = OpTypeFunction %void %uint %uint %uint\n"},
	    {"a parameter, and calls that nobody follows", "?",
	     .body = "%r = OpFunctionCall %void %f %s\n%other = OpFunctionPointerCallINTEL %uint %s\n",
	     .functions = FUNCTION("f", "takes", "%f_p = OpFunctionParameter %uint\n", "OpReleaseEvent %f_p\n"),
	     .types = "%takes = OpTypeFunction %void %uint\n"},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

static void loads_follow_from_the_storage_class(void **state)
{
	static const struct {
		const char *class, *said; /* of a load, and of a volatile one */
	} loads[] = {{"UniformConstant", "=?"},
		     {"PushConstant", "=?"},
		     {"Uniform", "=?"},
		     {"StorageBuffer", "=?"},
		     {"Input", "xx"},
		     {"Output", "xx"},
		     {"Workgroup", "??"},
		     {"Private", "uu"},
		     {"RayPayloadKHR", "xx"},
		     {"IncomingRayPayloadKHR", "xx"},
		     {"HitAttributeKHR", "xx"},
		     {"CallableDataKHR", "xx"},
		     {"IncomingCallableDataKHR", "xx"},
		     {"ShaderRecordBufferKHR", "xx"},
		     {"CrossWorkgroup", "??"},
		     {"TaskPayloadWorkgroupEXT", "=="}};
	bool right = true;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(loads); i++) {
		char types[200];
		struct claim claim = {loads[i].class, loads[i].said, .types = types,
				      .body = "%l = OpLoad %uint %v\nOpReleaseEvent %l\n%m = OpLoad %uint %v Volatile\n"
					      "OpReleaseEvent %m\n"};
		snprintf(types, sizeof types, "%%p_c = OpTypePointer %s %%uint\n%%v = OpVariable %%p_c %s\n",
			 loads[i].class, loads[i].class);
		right &= check_claim(&claim);
	}
	assert_true(right);
}

static void inputs_may_be_those_of_a_primitive(void **state)
{
#define FIGURES                                                                                                        \
	"%prim = OpVariable %p_in Input\n%flat = OpVariable %p_in Input\n"                                             \
	"%per = OpVariable %p_in Input\n%other = OpVariable %p_in Input\n"                                             \
	"%Many = OpTypeStruct %uint %uint\n%many = OpTypeArray %Many %c3\n"                                            \
	"%p_one = OpTypePointer Input %Many\n%p_many = OpTypePointer Input %many\n"                                    \
	"%one = OpVariable %p_one Input\n%all = OpVariable %p_many Input\n"
#define FIGURE_NOTES                                                                                                   \
	"OpDecorate %prim BuiltIn PrimitiveId\nOpDecorate %flat Flat\n"                                                \
	"OpDecorate %per PerPrimitiveEXT\nOpMemberDecorate %Many 0 BuiltIn SampleId\n"                                 \
	"OpMemberDecorate %Many 1 BuiltIn PrimitiveId\n"
#define LOAD_FIGURES                                                                                                   \
	"%i0 = OpLoad %uint %prim\nOpReleaseEvent %i0\n%i1 = OpLoad %uint %flat\n"                                     \
	"OpReleaseEvent %i1\n%i2 = OpLoad %uint %per\nOpReleaseEvent %i2\n"                                            \
	"%i3 = OpLoad %uint %other\nOpReleaseEvent %i3\n%q0 = OpAccessChain %p_in %one %c0\n"                          \
	"%q1 = OpAccessChain %p_in %one %c1\n%q2 = OpAccessChain %p_in %all %s %c0\n"                                  \
	"%q3 = OpAccessChain %p_in %all %s %c1\n%k0 = OpLoad %uint %q0\nOpReleaseEvent %k0\n"                          \
	"%k1 = OpLoad %uint %q1\nOpReleaseEvent %k1\n%k2 = OpLoad %uint %q2\nOpReleaseEvent %k2\n"                     \
	"%k3 = OpLoad %uint %q3\nOpReleaseEvent %k3\n"
	static const struct claim claims[] = {
	    {"in a quad", "sssxxsxs", .body = LOAD_FIGURES, .types = FIGURES, .notes = FIGURE_NOTES,
	     .entries = ENTRY("Fragment", "main"), .wishes = {.quad = true}},
	    {"in a fragment", "xxxxxxxx", .body = LOAD_FIGURES, .types = FIGURES, .notes = FIGURE_NOTES,
	     .entries = ENTRY("Fragment", "main")},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

static void reads_of_images_are_the_same_if_nobody_writes_them(void **state)
{
#define SOME_IMAGES                                                                                                    \
	"%si = OpTypeImage %uint 2D 0 0 0 2 R32ui\n%ti = OpTypeImage %uint 2D 0 0 0 1 Unknown\n"                       \
	"%pass = OpTypeImage %uint SubpassData 0 0 0 2 Unknown\n"                                                      \
	"%p_si = OpTypePointer UniformConstant %si\n%p_ti = OpTypePointer UniformConstant %ti\n"                       \
	"%p_pass = OpTypePointer UniformConstant %pass\n"                                                              \
	"%read_i = OpVariable %p_si UniformConstant\n"                                                                 \
	"%written_i = OpVariable %p_si UniformConstant\n%tex = OpVariable %p_ti UniformConstant\n"                     \
	"%in = OpVariable %p_pass UniformConstant\n%at_s = OpConstantNull %v2\n"                                       \
	"%vf = OpTypeVector %float 2\n%half = OpConstantNull %vf\n"                                                    \
	"%both = OpTypeSampledImage %ti\n%smp = OpTypeSampler\n"                                                       \
	"%p_smp = OpTypePointer UniformConstant %smp\n"                                                                \
	"%sampler = OpVariable %p_smp UniformConstant\n%zero = OpConstant %float 0\n"                                  \
	"%f4 = OpTypeVector %float 4\n%pi_u = OpTypePointer Image %uint\n"
#define USE_SOME_IMAGES                                                                                                \
	"%i0 = OpLoad %si %read_i\n%i1 = OpLoad %si %written_i\n%i2 = OpLoad %ti %tex\n"                               \
	"%i3 = OpLoad %pass %in\n%k0 = OpImageRead %v4 %i0 %at_s\nOpReleaseEvent %k0\n"                                \
	"%k1 = OpImageRead %v4 %i1 %at_s\nOpReleaseEvent %k1\n%k2 = OpImageFetch %v4 %i2 %at_s\n"                      \
	"OpReleaseEvent %k2\n%k3 = OpImageRead %v4 %i3 %at_s\nOpReleaseEvent %k3\n"                                    \
	"%y0 = OpCopyObject %si %i0\n%y1 = OpCopyObject %si %i1\n%z0 = OpCopyObject %si %y0\n"                         \
	"%k4 = OpImageRead %v4 %z0 %at_s\nOpReleaseEvent %k4\n%k5 = OpImageRead %v4 %y1 %at_s\n"                       \
	"OpReleaseEvent %k5\n%sm = OpLoad %smp %sampler\n%b = OpSampledImage %both %i2 %sm\n"                          \
	"%k6 = OpImageSampleExplicitLod %v4 %b %half Lod %zero\nOpReleaseEvent %k6\n"                                  \
	"%im = OpImage %ti %b\n%k7 = OpImageFetch %v4 %im %at_s\n"                                                     \
	"OpReleaseEvent %k7\n%k8 = OpImageQuerySize %v2 %i1\nOpReleaseEvent %k8\n"                                     \
	"%dd = OpCompositeConstruct %v2 %d %d\n%k9 = OpImageFetch %v4 %i2 %dd\n"                                       \
	"OpReleaseEvent %k9\n"
	static const struct claim claims[] = {
	    {"one is written", "=?=x=?===x", .body = USE_SOME_IMAGES "OpImageWrite %i1 %at_s %k0\n",
	     .types = SOME_IMAGES},
	    {"one is counted in", "=?=x=?===x",
	     .body = USE_SOME_IMAGES
	     "%tp = OpImageTexelPointer %pi_u %written_i %at_s %c0\n%n = OpAtomicIAdd %uint %tp %c1 %c0 %c1\n",
	     .types = SOME_IMAGES},
	    {"none is", "===x=====x", .body = USE_SOME_IMAGES, .types = SOME_IMAGES},
	    {"by marks alone", "=========x", .body = USE_SOME_IMAGES "OpImageWrite %i1 %at_s %k0\n",
	     .types = SOME_IMAGES, .notes = "OpDecorate %dd NonUniform\n",
	     .wishes = {.marks_only = true, .heed_marks = true}},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

/* what is an id of an invocation, and what is not */

static void ids_are_followed_to_where_they_come_from(void **state)
{
	static const struct claim claims[] = {
	    {"through thirteen copies, a part and a load; not through one more", "==xx",
	     .body = PARTS "%q1 = OpCopyObject %uint %gx\n%q2 = OpCopyObject %uint %q1\n"
			   "%q3 = OpCopyObject %uint %q2\n%q4 = OpCopyObject %uint %q3\n"
			   "%q5 = OpCopyObject %uint %q4\n%q6 = OpCopyObject %uint %q5\n"
			   "%q7 = OpCopyObject %uint %q6\n%q8 = OpCopyObject %uint %q7\n"
			   "%q9 = OpCopyObject %uint %q8\n%q10 = OpCopyObject %uint %q9\n"
			   "%q11 = OpCopyObject %uint %q10\n%q12 = OpCopyObject %uint %q11\n"
			   "%q13 = OpCopyObject %uint %q12\n%q14 = OpCopyObject %uint %q13\n"
			   "%q15 = OpCopyObject %uint %q14\n%q16 = OpCopyObject %uint %q15\n"
			   "%a = OpUDiv %uint %q13 %c8\nOpReleaseEvent %a\n%b = OpUDiv %uint %q14 %c8\n"
			   "OpReleaseEvent %b\n%e = OpUDiv %uint %q15 %c8\nOpReleaseEvent %e\n"
			   "%f = OpUDiv %uint %q16 %c8\nOpReleaseEvent %f\n"},
	    {"the fourth component is none", "=x",
	     .body = "%iv = OpLoad %v4 %lid4\n%i0 = OpCompositeExtract %uint %iv 0\n"
		     "%i3 = OpCompositeExtract %uint %iv 3\n%a = OpUDiv %uint %i0 %c8\nOpReleaseEvent %a\n"
		     "%b = OpUDiv %uint %i3 %c8\nOpReleaseEvent %b\n",
	     .types = "%p_in4 = OpTypePointer Input %v4\n%lid4 = OpVariable %p_in4 Input\n",
	     .notes = "OpDecorate %lid4 BuiltIn LocalInvocationId\n"},
	    {"the fourth component of the other is none", "=xx",
	     .body = "%iv = OpLoad %v4 %lid4\n%i0 = OpCompositeExtract %uint %iv 0\n"
		     "%i3 = OpCompositeExtract %uint %iv 3\n%a = OpUDiv %uint %i0 %c8\nOpReleaseEvent %a\n"
		     "%b = OpUDiv %uint %i3 %c8\nOpReleaseEvent %b\n%e = OpUDiv %uint %i3 %spec\n"
		     "OpReleaseEvent %e\n",
	     .types = "%p_in4 = OpTypePointer Input %v4\n%lid4 = OpVariable %p_in4 Input\n",
	     .notes = "OpDecorate %lid4 BuiltIn GlobalInvocationId\n"},
	    {"an output of that name is none", "x",
	     .body = "%iv = OpLoad %v3 %out\n%i0 = OpCompositeExtract %uint %iv 0\n%a = OpUDiv %uint %i0 %c8\n"
		     "OpReleaseEvent %a\n",
	     .types = "%p_out = OpTypePointer Output %v3\n%out = OpVariable %p_out Output\n",
	     .notes = "OpDecorate %out BuiltIn LocalInvocationId\n"},
	    {"one of two is none", "x",
	     .body = "%which = OpSelect %p_in3 %sam %lid %gid\n%iv = OpLoad %v3 %which\n"
		     "%i0 = OpCompositeExtract %uint %iv 0\n%a = OpUDiv %uint %i0 %c8\nOpReleaseEvent %a\n"},
	    {"a component that is computed is none", "x",
	     .body = "%which = OpAccessChain %p_in %lid %s\n%i0 = OpLoad %uint %which\n"
		     "%a = OpUDiv %uint %i0 %c8\nOpReleaseEvent %a\n"},
	    {"a component that is named is one", "==",
	     .body = "%which = OpAccessChain %p_in %lid %c0\n%i0 = OpLoad %uint %which\n"
		     "%a = OpUDiv %uint %i0 %c8\nOpReleaseEvent %a\n%which1 = OpAccessChain %p_in %gid %c1\n"
		     "%i1 = OpLoad %uint %which1\n%b = OpUDiv %uint %i1 %c4\nOpReleaseEvent %b\n"},
	    {"what is stored beside it last hides it", "x",
	     .body = PARTS "%v = OpVariable %pf3 Function\n%v0 = OpAccessChain %pf %v %c0\n"
			   "%v1 = OpAccessChain %pf %v %c1\nOpStore %v %gv\nOpStore %v1 %d\n%l = OpLoad %uint %v0\n"
			   "%a = OpUDiv %uint %l %c8\nOpReleaseEvent %a\n",
	     .types = "%pf3 = OpTypePointer Function %v3\n"},
	    {"what is stored before it last hides it", "x",
	     .body = PARTS "%v = OpVariable %pf3 Function\n%v0 = OpAccessChain %pf %v %c0\n"
			   "%v1 = OpAccessChain %pf %v %c1\nOpStore %v1 %gx\nOpStore %v0 %d\n%l = OpLoad %uint %v1\n"
			   "%a = OpUDiv %uint %l %c8\nOpReleaseEvent %a\n",
	     .types = "%pf3 = OpTypePointer Function %v3\n"},
	    {"a place that is computed hides it", "xx",
	     .body = PARTS "%v = OpVariable %pf3 Function\n%v0 = OpAccessChain %pf %v %s\nOpStore %v %gv\n"
			   "%l = OpLoad %uint %v0\n%a = OpUDiv %uint %l %c8\nOpReleaseEvent %a\nOpStore %v0 %gx\n"
			   "%l2 = OpLoad %uint %v0\n%b = OpUDiv %uint %l2 %c8\nOpReleaseEvent %b\n",
	     .types = "%pf3 = OpTypePointer Function %v3\n"},
	    {"nothing is stored, or a copy", "ux",
	     .body = "%v = OpVariable %pf3 Function\n%v0 = OpAccessChain %pf %v %c0\n%l = OpLoad %uint %v0\n"
		     "%a = OpUDiv %uint %l %c8\nOpReleaseEvent %a\nOpCopyMemory %v %gid\n"
		     "%l2 = OpLoad %uint %v0\n%b = OpUDiv %uint %l2 %c8\nOpReleaseEvent %b\n",
	     .types = "%pf3 = OpTypePointer Function %v3\n"},
	    {"parts of a structure and of a matrix are not followed", "xx",
	     .body = PARTS "%st = OpCompositeConstruct %hold %gv\n%e = OpCompositeExtract %uint %st 0 0\n"
			   "%a = OpUDiv %uint %e %c8\nOpReleaseEvent %a\n%e3 = OpCompositeExtract %v3 %st 0\n"
			   "%e0 = OpCompositeExtract %uint %e3 0\n%b = OpUDiv %uint %e0 %c8\nOpReleaseEvent %b\n",
	     .types = "%hold = OpTypeStruct %v3\n"},
	    {"shuffled, of the second", "==",
	     .body = PARTS "%sh = OpVectorShuffle %v2 %lv %gv 3 0\n%e = OpCompositeExtract %uint %sh 0\n"
			   "%a = OpUDiv %uint %e %c8\nOpReleaseEvent %a\n%sh2 = OpVectorShuffle %v2 %lv %gv 4 0\n"
			   "%e2 = OpCompositeExtract %uint %sh2 0\n%b = OpUDiv %uint %e2 %c8\nOpReleaseEvent %b\n"},
	    {"a size of nothing", "xx",
	     .body = PARTS "%a = OpUDiv %uint %gx %c8\nOpReleaseEvent %a\n%b = OpUDiv %uint %gx %spec\n"
			   "OpReleaseEvent %b\n",
	     .notes = "OpDecorate %size BuiltIn WorkgroupSize\n", .types = "%size = OpConstantNull %v3\n"},
	    {"a size that is too large for a number", "x=",
	     .body = PARTS "%a = OpUDiv %uint %gx %c8\nOpReleaseEvent %a\n%b = OpUDiv %uint %gx %large\n"
			   "OpReleaseEvent %b\n",
	     .notes = "OpDecorate %size BuiltIn WorkgroupSize\n",
	     .types = "%large = OpConstant %ulong 0x100000008\n%vl = OpTypeVector %ulong 3\n"
		      "%size = OpConstantComposite %vl %large %large %large\n"},
	    {"a size of two numbers", "=x",
	     .body = PARTS "%a = OpUDiv %uint %gx %c8\nOpReleaseEvent %a\n%b = OpUDiv %uint %gz %c8\n"
			   "OpReleaseEvent %b\n",
	     .notes = "OpDecorate %size BuiltIn WorkgroupSize\n", .types = "%size = OpConstantComposite %v2 %c8 %c8\n"},
	    {"constants that have one number, and those that only look so", "=xxx",
	     .body = PARTS "%a = OpUDiv %uint %gx %same\nOpReleaseEvent %a\n%b = OpUDiv %uint %gx %less\n"
			   "OpReleaseEvent %b\n%e = OpUDiv %uint %gx %wide\nOpReleaseEvent %e\n"
			   "%f = OpUDiv %uint %gx %flag\nOpReleaseEvent %f\n",
	     .notes = "OpDecorate %same SpecId 7\nOpDecorate %less SpecId 7\nOpDecorate %wide SpecId 7\n"
		      "OpDecorate %flag SpecId 7\n",
	     .types = "%same = OpSpecConstant %uint 8\n%less = OpSpecConstant %uint 4\n"
		      "%wide = OpSpecConstant %ulong 8\n%flag = OpSpecConstantTrue %bool\n",
	     .entries = ENTRY("GLCompute", "main") "OpExecutionModeId %main LocalSizeId %spec %c4 %c2\n"},
	    {"bounds in sixty-four bits are others", "xx=",
	     .body = "%dl = OpUConvert %ulong %d\n%a = OpExtInst %ulong %glsl UMin %dl %zero\n"
		     "OpReleaseEvent %a\n%b = OpExtInst %ulong %glsl UMax %dl %most\nOpReleaseEvent %b\n"
		     "%e = OpExtInst %v2 %glsl UMin %dv %none\n%e0 = OpCompositeExtract %uint %e 0\n"
		     "OpReleaseEvent %e0\n",
	     .types = "%zero = OpConstant %ulong 0\n%most = OpConstant %ulong 0xFFFFFFFF\n"
		      "%none = OpConstantComposite %v2 %c0 %c1\n%dv = OpConstantNull %v2\n"},
	    {"modulo one and two, whole vectors, in their signs", "=x=x=xx=",
	     .body = "%a = OpUMod %uint %d %c1\nOpReleaseEvent %a\n%b = OpUMod %uint %d %c2\n"
		     "OpReleaseEvent %b\n%e = OpSRem %uint %d %c1\nOpReleaseEvent %e\n"
		     "%f = OpSRem %uint %d %c2\nOpReleaseEvent %f\n%g = OpSMod %uint %d %c1\n"
		     "OpReleaseEvent %g\n%h = OpSMod %uint %d %spec\nOpReleaseEvent %h\n"
		     "%i = OpSMod %uint %d %c2\nOpReleaseEvent %i\n%dv = OpCompositeConstruct %v2 %d %d\n"
		     "%j = OpUMod %v2 %dv %ones\nOpReleaseEvent %j\n",
	     .types = "%ones = OpConstantComposite %v2 %c1 %c1\n"},
	    {"differences of components", "=x=",
	     .body = PARTS "%a = OpISub %uint %gx %lx\nOpReleaseEvent %a\n%b = OpISub %uint %gx %ly\n"
			   "OpReleaseEvent %b\n%e = OpISub %uint %d %d\nOpReleaseEvent %e\n"},
	    {"one of two variables", "?=",
	     .body = "%v = OpVariable %pf Function\n%w = OpVariable %pf Function\nOpStore %v %s\n"
		     "OpStore %w %s\n%x = OpSelect %pf %sam %v %w\n%l = OpLoad %uint %x\nOpReleaseEvent %l\n"
		     "%l2 = OpLoad %uint %v\nOpReleaseEvent %l2\n"},
	    {"one of two inputs in a quad", "x",
	     .body = "%x = OpSelect %p_in %sam %one %two\n%l = OpLoad %uint %x\nOpReleaseEvent %l\n",
	     .types = "%one = OpVariable %p_in Input\n%two = OpVariable %p_in Input\n",
	     .notes = "OpDecorate %one Flat\nOpDecorate %two Flat\n", .entries = ENTRY("Fragment", "main"),
	     .wishes = {.quad = true}},
	    {"a structure of too many, made of what differs", "x=",
	     .body = "%dd = OpCompositeConstruct %two %d %s\n%ss = OpCompositeConstruct %two %s %s\n"
		     "%k = OpCompositeConstruct %l" TEN("ss") TEN("ss") TEN("ss")
			 TEN("dd") "\n%k2 = OpCompositeConstruct %l" TEN("ss") TEN("ss") TEN("ss")
			     TEN("ss") "\n%k0 = OpCompositeExtract %uint %k 0 0\nOpReleaseEvent %k0\n"
				       "%k3 = OpCompositeExtract %uint %k2 3 1\nOpReleaseEvent %k3\n",
	     .types = "%two = OpTypeStruct %uint %uint\n" MANY("l", "two")},
	};

	(void)state;
	check_claims(claims, SPB_COUNT(claims));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sizes_of_workgroups_prove_what_they_prove),
	    cmocka_unit_test(sizes_prove_what_a_naive_model_says),
	    cmocka_unit_test(variables_hold_what_was_stored),
	    cmocka_unit_test(private_variables_hold_what_was_stored_before),
	    cmocka_unit_test(each_entry_point_counts),
	    cmocka_unit_test(operations_make_uniform_what_they_make),
	    cmocka_unit_test(branches_show_what_is_equal),
	    cmocka_unit_test(loops_leave_what_they_do_not_change),
	    cmocka_unit_test(undefined_parts_are_told_apart),
	    cmocka_unit_test(decorations_count_as_wished),
	    cmocka_unit_test(values_follow_from_their_operands),
	    cmocka_unit_test(contents_follow_what_is_written),
	    cmocka_unit_test(addresses_may_be_those_of_any_buffer),
	    cmocka_unit_test(traced_rays_may_move_invocations),
	    cmocka_unit_test(nobody_writes_between_two_barriers),
	    cmocka_unit_test(memory_is_written_under_each_of_its_names),
	    cmocka_unit_test(unknown_pointers_may_be_any),
	    cmocka_unit_test(results_follow_from_the_arguments_that_they_are_made_of),
	    cmocka_unit_test(deep_calls_are_not_forgotten),
	    cmocka_unit_test(stages_hand_on_what_is_flat_and_the_same),
	    cmocka_unit_test(inputs_take_the_components_of_their_types),
	    cmocka_unit_test(pointers_name_what_they_may),
	    cmocka_unit_test(what_cannot_be_followed_is_not_claimed),
	    cmocka_unit_test(values_follow_from_the_parts_that_they_are_made_of),
	    cmocka_unit_test(loads_follow_from_the_storage_class),
	    cmocka_unit_test(inputs_may_be_those_of_a_primitive),
	    cmocka_unit_test(reads_of_images_are_the_same_if_nobody_writes_them),
	    cmocka_unit_test(ids_are_followed_to_where_they_come_from),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
