/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of descriptors that a value may be (pass/shapes/shape_candidates.c) against lists that are compared member by
 * member: equal lists have equal numbers, however many there are, and each join is that of its members. And
 * instructions whose operands do not match their types (pass/shapes/shape_check.c), beside those whose do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "metered.h"
#include "parsed.h"
#include "pass/shapes/shape.h"

enum { LEAVES = 6, MOST = 4000, STEPS = 6000 };

struct naive {
	uint32_t count;
	struct member members[LEAVES];
};

static struct naive known[MOST]; /* by number */
static uint32_t known_count, seed;

static uint32_t random_below(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static bool are_equal(const struct naive *a, const struct naive *b)
{
	bool equal = a->count == b->count;

	for (uint32_t i = 0; i < a->count && equal; i++)
		equal = a->members[i].leaf == b->members[i].leaf && a->members[i].index == b->members[i].index;
	return equal;
}

/* A number that a function returned, and the list that it has to stand for. */
static void check(const struct candidate_table *s, uint32_t number, const struct naive *wanted)
{
	struct naive found = {.count = candidates_at(s, number)->count};

	assert_true(found.count <= LEAVES);
	for (uint32_t i = 0; i < found.count; i++)
		found.members[i] = candidates_members(s, number)[i];
	assert_true(are_equal(&found, wanted));
	for (uint32_t i = 0; i < known_count; i++)
		assert_int_equal(are_equal(&known[i], wanted), i == number);
	if (number == known_count)
		known[known_count++] = *wanted;
	assert_true(number < known_count && known_count < MOST);
}

static uint32_t joined_index(uint32_t a, uint32_t b, enum join how)
{
	if (how == JOIN_CHOICE && a == DYNAMIC && b == DYNAMIC)
		return CHOSEN;
	if (a == b)
		return a;
	return a == CHOSEN || b == CHOSEN || how != JOIN_ANY ? CHOSEN : DYNAMIC;
}

static struct naive joined(const struct naive *a, const struct naive *b, enum join how)
{
	struct naive result = {0};

	for (uint32_t leaf = 0; leaf < LEAVES; leaf++) {
		const struct member *x = NULL, *y = NULL;
		for (uint32_t i = 0; i < a->count; i++)
			x = a->members[i].leaf == leaf ? &a->members[i] : x;
		for (uint32_t i = 0; i < b->count; i++)
			y = b->members[i].leaf == leaf ? &b->members[i] : y;
		if (x || y)
			result.members[result.count++] =
			    (struct member){leaf, x && y ? joined_index(x->index, y->index, how)
						  : x    ? x->index
							 : y->index};
	}
	return result;
}

static struct naive with_index(struct naive list, uint32_t index, bool all)
{
	for (uint32_t i = 0; i < list.count; i++) {
		if (all || list.members[i].index == DYNAMIC)
			list.members[i].index = index;
	}
	return list;
}

static void equal_lists_have_equal_numbers(void **state)
{
	const uint32_t indexes[] = {0, 1, 7, DYNAMIC, CHOSEN, INDEX_OF_ID + 3, INDEX_OF_ID + 9};
	struct meter meter = {.fail_at = -1};
	spb_context context = {.allocator = {metered, &meter}};
	struct spb_arena arena = {.context = &context};
	struct candidate_table s;

	(void)state;
	spb_candidates_init(&s, &arena);
	known_count = 0;
	seed = 1;
	check(&s, 0, &(struct naive){0}); /* never assigned */
	for (int step = 0; step < STEPS && known_count < MOST - 1; step++) {
		uint32_t a = random_below(known_count), b = random_below(known_count);
		uint32_t index = indexes[random_below(SPB_COUNT(indexes))], leaf = random_below(LEAVES);
		enum join how = (enum join)random_below(3);
		switch (random_below(4)) {
		case 0:
			check(&s, spb_candidates_of(&s, leaf, index), &(struct naive){1, {{leaf, index}}});
			break;
		case 1: {
			struct naive wanted = with_index(known[a], index, false);
			check(&s, spb_candidates_with_index(&s, a, index), &wanted);
			break;
		}
		case 2: {
			struct naive wanted = with_index(known[a], DYNAMIC, true);
			check(&s, spb_candidates_without_indexes(&s, a), &wanted);
			break;
		}
		default: {
			struct naive wanted = joined(&known[a], &known[b], how);
			check(&s, spb_candidates_join(&s, a, b, how), &wanted);
			check(&s, spb_candidates_join(&s, b, a, how), &wanted); /* remembered */
		}
		}
	}
	assert_true(known_count > 1000); /* tables grew several times */
	spb_arena_release(&arena);
	spb_drop_kept(&context);
	assert_int_equal(meter.out, 0);
}

#define MODULE                                                                                                         \
	"OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %60 \"main\" %50 %51 %52\n"        \
	"OpExecutionMode %60 LocalSize 1 1 1\nOpDecorate %25 SpecId 0\n"                                               \
	"%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%3 = OpTypeInt 32 0\n%4 = OpTypeInt 32 1\n%5 = OpTypeFloat 32\n"     \
	"%6 = OpTypeVector %5 4\n%7 = OpTypeVector %4 2\n%8 = OpConstant %3 0\n%9 = OpConstant %4 1\n"                 \
	"%10 = OpConstant %3 2\n%11 = OpConstant %3 3\n%12 = OpTypeImage %5 2D 0 0 0 1 Unknown\n%13 = OpTypeSampler\n" \
	"%14 = OpTypePointer UniformConstant %12\n%15 = OpTypePointer Function %12\n%16 = OpTypeArray %12 %10\n"       \
	"%17 = OpTypePointer Function %16\n%18 = OpTypeStruct %12 %13\n%19 = OpTypePointer Function %18\n"             \
	"%20 = OpTypePointer Function %13\n%21 = OpTypeArray %12 %11\n%22 = OpTypePointer Function %21\n"              \
	"%23 = OpTypeArray %16 %11\n%24 = OpTypeArray %21 %10\n%25 = OpSpecConstant %3 2\n%26 = OpTypeArray %12 %25\n" \
	"%27 = OpTypeStruct %12 %13\n%28 = OpTypeStruct %13 %12\n%29 = OpTypeStruct %12\n"                             \
	"%30 = OpTypeStruct %12 %13 %12\n%31 = OpConstant %4 2\n%32 = OpTypeArray %12 %31\n"                           \
	"%33 = OpTypeFunction %1 %15\n%34 = OpTypeFunction %12 %12\n%35 = OpTypePointer UniformConstant %13\n"         \
	"%36 = OpTypeImage %3 2D 0 0 0 2 R32ui\n%37 = OpTypePointer UniformConstant %36\n"                             \
	"%38 = OpTypePointer Function %36\n%39 = OpTypePointer Image %3\n%40 = OpTypePointer Function %3\n"            \
	"%41 = OpConstantComposite %7 %9 %9\n%42 = OpTypeBool\n%43 = OpConstantTrue %42\n%44 = OpConstant %5 0\n"      \
	"%45 = OpTypePointer Function %23\n%46 = OpTypePointer Function %24\n%47 = OpUndef %12\n"                      \
	"%48 = OpTypeStruct %18 %12\n%49 = OpTypeStruct %27 %12\n%53 = OpConstant %3 1\n%54 = OpUndef %18\n%55 = "     \
	"OpTypeStruct %13 %13\n%56 = OpTypeFunction %1 %12 %13\n"                                                      \
	"%50 = OpVariable %14 UniformConstant\n%51 = OpVariable %35 UniformConstant\n"                                 \
	"%52 = OpVariable %37 UniformConstant\n"                                                                       \
	"%60 = OpFunction %1 None %2\n%61 = OpLabel\n%62 = OpVariable %15 Function\n%63 = OpVariable %17 Function\n"   \
	"%64 = OpVariable %19 Function\n%65 = OpVariable %38 Function\n%66 = OpVariable %45 Function\n"                \
	"%70 = OpLoad %12 %50\n%71 = OpLoad %13 %51\n%72 = OpLoad %36 %52\nOpStore %62 %70\nOpStore %65 %72\n"         \
	"%73 = OpCompositeConstruct %16 %70 %70\n%74 = OpCompositeConstruct %18 %70 %71\nOpStore %63 %73\n"            \
	"OpStore %64 %74\n%75 = OpCompositeConstruct %21 %70 %70 %70\n%76 = OpCompositeConstruct %23 %73 %73 %73\n"    \
	"%77 = OpCompositeConstruct %24 %75 %75\n"
#define MODULE_END                                                                                                     \
	"OpReturn\nOpFunctionEnd\n%90 = OpFunction %1 None %33\n%91 = OpFunctionParameter %15\n%92 = OpLabel\n"        \
	"%93 = OpLoad %12 %91\nOpReturn\nOpFunctionEnd\n%94 = OpFunction %12 None %34\n"                               \
	"%95 = OpFunctionParameter %12\n%96 = OpLabel\nOpReturnValue %95\nOpFunctionEnd\n"                             \
	"%100 = OpFunction %1 None %56\n%101 = OpFunctionParameter %12\n%102 = OpFunctionParameter %13\n%103 = "       \
	"OpLabel\nOpReturn\nOpFunctionEnd\n"
#define OTHER_ROOM                                                                                                     \
	"OpReturn\nOpFunctionEnd\n%97 = OpFunction %12 None %34\n%98 = OpFunctionParameter %12\n%99 = OpLabel\n"

struct resolving {
	struct spb_unit u;
	uint32_t *words;
	size_t count;
};

static void resolve(void *argument)
{
	struct resolving *r = argument;
	struct spb_module *m = &r->u.m;

	spb_module_parse(m, "m", r->words, r->count);
	spb_module_need_index(m);
	spb_edit_begin(&r->u.edit, m, &m->context->scratch);
	spb_pass_resolve_descriptors(&r->u);
}

static void operands_match_their_types(void **state)
{
	static const struct {
		const char *body, *refusal; /* NULL: it is fine */
	} rows[] = {
	    {"", NULL},
	    {"%80 = OpAccessChain %15 %63 %9\n%81 = OpInBoundsAccessChain %15 %64 %8\n", NULL},
	    {"%80 = OpAccessChain %20 %64 %9\n%81 = OpAccessChain %17 %66 %8\n%82 = OpAccessChain %15 %66 %8 %9\n",
	     NULL},
	    {"%80 = OpIAdd %3 %8 %8\n%81 = OpAccessChain %15 %63 %80\n", NULL},
	    {"%80 = OpIAdd %3 %8 %8\n%81 = OpAccessChain %15 %64 %80\n",
	     "the index of a struct member is not a constant"},
	    {"%80 = OpAccessChain %15 %64 %25\n", "the index of a struct member is not a constant"},
	    {"%80 = OpAccessChain %15 %63 %44\n", "an index is not an integer"},
	    {"%80 = OpAccessChain %15 %63 %12\n", "an index is not an integer"},
	    {"%80 = OpAccessChain %20 %64 %10\n", "an index leads into a type that has no parts"},
	    {"%80 = OpAccessChain %15 %62 %8\n", "an index leads into a type that has no parts"},
	    {"%80 = OpAccessChain %15 %63 %8 %8\n", "an index leads into a type that has no parts"},
	    {"%80 = OpAccessChain %20 %63 %8\n", "the result type does not match the type that the indexes select"},
	    {"%80 = OpAccessChain %14 %63 %8\n", "the result type does not match the type that the indexes select"},
	    {"%80 = OpAccessChain %17 %63\n", NULL},
	    {"%80 = OpAccessChain %15 %70 %8\n", "its pointer operand is not a pointer"},
	    {"%80 = OpLoad %12 %62\n%81 = OpLoad %16 %63\n", NULL},
	    {"%80 = OpLoad %13 %62\n", "the result type does not match the memory"},
	    {"%80 = OpLoad %12 %70\n", "its pointer operand is not a pointer"},
	    {"OpStore %62 %71\n", "the type of the value does not match the memory"},
	    {"OpStore %70 %70\n", "its pointer operand is not a pointer"},
	    {"%80 = OpCompositeExtract %12 %73 1\n%81 = OpCompositeExtract %13 %74 1\n", NULL},
	    {"%80 = OpCompositeExtract %12 %73 2\n", "an index is outside the array"},
	    {"%80 = OpCompositeExtract %12 %76 2 1\n%81 = OpCompositeExtract %16 %76 2\n", NULL},
	    {"%80 = OpCompositeExtract %12 %76 3 1\n", "an index is outside the array"},
	    {"%80 = OpCompositeExtract %12 %76 2 2\n", "an index is outside the array"},
	    {"%80 = OpCompositeExtract %12 %76 2\n", "the indexes do not select a value of this type"},
	    {"%80 = OpCompositeExtract %13 %74 2\n", "the indexes do not select a value of this type"},
	    {"%80 = OpCompositeExtract %12 %74 1\n", "the indexes do not select a value of this type"},
	    {"%80 = OpCompositeInsert %16 %70 %73 1\n%81 = OpCompositeInsert %18 %71 %74 1\n", NULL},
	    {"%80 = OpCompositeInsert %23 %70 %76 2 1\n%81 = OpCompositeInsert %23 %73 %76 2\n", NULL},
	    {"%80 = OpCompositeInsert %16 %70 %73 2\n", "an index is outside the array"},
	    {"%80 = OpCompositeInsert %16 %71 %73 1\n", "the indexes do not select a value of this type"},
	    {"%80 = OpCompositeInsert %16 %70 %75 1\n", "the type of the composite does not match the result type"},
	    {"%80 = OpCompositeConstruct %18 %70 %71\n", NULL},
	    {"%80 = OpCompositeConstruct %16 %70\n", "the number of constituents does not match the type"},
	    {"%80 = OpCompositeConstruct %16 %70 %70 %70\n", "the number of constituents does not match the type"},
	    {"%80 = OpCompositeConstruct %26 %70 %70\n", "copies an array of descriptors whose size is unknown"},
	    {"%80 = OpCompositeConstruct %18 %70\n", "the number of constituents does not match the type"},
	    {"%80 = OpCompositeConstruct %18 %70 %71 %70\n", "the number of constituents does not match the type"},
	    {"%80 = OpCompositeConstruct %18 %71 %70\n", "a constituent has the wrong type"},
	    {"%80 = OpCompositeConstruct %18 %70 %70\n", "a constituent has the wrong type"},
	    {"%80 = OpCompositeConstruct %16 %70 %71\n", "a constituent has the wrong type"},
	    {"%80 = OpCopyLogical %27 %74\n%81 = OpCopyLogical %32 %73\n%82 = OpCopyLogical %18 %74\n", NULL},
	    {"%80 = OpCompositeConstruct %48 %74 %70\n%81 = OpCopyLogical %49 %80\n", NULL},
	    {"%80 = OpCopyLogical %28 %74\n", "the types do not match logically"},
	    {"%80 = OpCopyLogical %29 %74\n", "the types do not match logically"},
	    {"%80 = OpCopyLogical %30 %74\n", "the types do not match logically"},
	    {"%80 = OpCopyLogical %21 %73\n", "the types do not match logically"},
	    {"%80 = OpCopyLogical %24 %76\n", "the types do not match logically"},
	    {"%80 = OpCopyLogical %16 %74\n", "the types do not match logically"},
	    {"%80 = OpCopyLogical %18 %73\n", "the types do not match logically"},
	    {"%80 = OpCopyLogical %13 %70\n", "the types do not match logically"},
	    {"%80 = OpCopyLogical %16 %61\n", "the types do not match logically"},
	    {"%80 = OpCopyObject %16 %73\n", NULL},
	    {"%80 = OpCopyObject %18 %73\n", "the type of an operand does not match the result type"},
	    {"%80 = OpSelect %12 %43 %70 %47\n", NULL},
	    {"%80 = OpSelect %12 %43 %71 %70\n", "the type of an operand does not match the result type"},
	    {"%80 = OpSelect %12 %43 %70 %71\n", "the type of an operand does not match the result type"},
	    {"OpBranch %82\n%82 = OpLabel\n%80 = OpPhi %12 %70 %61\n", NULL},
	    {"OpBranch %82\n%82 = OpLabel\n%80 = OpPhi %12 %71 %61\n", "the type of an operand does not match"},
	    {"OpBranch %82\n%82 = OpLabel\n%80 = OpPhi %12 %70 %61 %71 %61\n", "the type of an operand does not match"},
	    {"%80 = OpFunctionCall %12 %94 %70\n%81 = OpFunctionCall %1 %90 %62\n", NULL},
	    {"%80 = OpFunctionCall %12 %94\n", "the number of arguments, or the result type, does not match"},
	    {"%80 = OpFunctionCall %12 %94 %70 %70\n", "the number of arguments, or the result type, does not match"},
	    {"%80 = OpFunctionCall %13 %94 %70\n", "the number of arguments, or the result type, does not match"},
	    {"%80 = OpFunctionCall %12 %94 %71\n", "the type of an argument does not match its parameter"},
	    {"%80 = OpFunctionCall %12 %61 %70\n", "the called id is not a function"},
	    {"%80 = OpImageTexelPointer %39 %65 %41 %8\n%81 = OpImageTexelPointer %39 %52 %41 %8\n", NULL},
	    {"%80 = OpImageTexelPointer %3 %65 %41 %8\n", "the result must be a pointer to a texel of a single image"},
	    {"%80 = OpImageTexelPointer %40 %65 %41 %8\n", "the result must be a pointer to a texel of a single image"},
	    {"%80 = OpImageTexelPointer %39 %63 %41 %8\n", "the result must be a pointer to a texel of a single image"},
	    {"%80 = OpImageTexelPointer %39 %72 %41 %8\n", "its pointer operand is not a pointer"},
	    {"OpStore %62 %95\n", "it uses an id that is defined in another function"},
	    {"OpStore %91 %70\n", "it uses an id that is defined in another function"},
	    {OTHER_ROOM "OpReturnValue %70\n%89 = OpLabel\n", "it uses an id that is defined in another function"},
	    {OTHER_ROOM "OpReturnValue %98\n%89 = OpLabel\n", NULL},
	    {OTHER_ROOM "OpReturnValue %47\n%89 = OpLabel\n", NULL},
	    {OTHER_ROOM "%88 = OpCompositeConstruct %29 %98\nOpReturnValue %88\n%89 = OpLabel\n",
	     "does not match the return type of the function"},
	    {"%80 = OpFAdd %15 %44 %44\n%81 = OpLoad %12 %80\n", "comes from an instruction that cannot make one"},
	    {"%80 = OpCopyObject %15 %62\n%81 = OpLoad %12 %80\n", NULL},
	    {"OpBranch %96\n%82 = OpLabel\n", "it branches into another function"},
	    {"OpBranch %82\n%82 = OpLabel\n", NULL},
	    {"%80 = OpAccessChain %15 %63 %8\n%81 = OpLoad %12 %80\n", NULL},
	    {"%80 = OpCopyLogical %55 %74\n", "the types do not match logically"},
	    {"%80 = OpCopyLogical %36 %70\n", "the types do not match logically"},
	    {OTHER_ROOM "%88 = OpCopyObject %24 %77\nOpReturnValue %98\n%89 = OpLabel\n",
	     "it uses an id that is defined in another function"},
	    {"%80 = OpFunctionCall %1 %100 %70 %71\n", NULL},
	    {"%80 = OpFunctionCall %1 %100 %70 %70\n", "the type of an argument does not match its parameter"},
	    {"%80 = OpCompositeConstruct %18 %71 %71\n", "a constituent has the wrong type"},
	    {"OpBranch %82\n%82 = OpLabel\n%80 = OpPhi %12 %70 %61 %70 %61\n", NULL},
	    {"OpStore %62 %70 Aligned 4\n", NULL},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		static char text[12000];
		struct resolving r = {0};
		struct said heard = {0};
		const spb_callbacks callbacks = {hear, &heard};
		spb_options options;
		snprintf(text, sizeof text, "%s%s%s", MODULE, rows[i].body, MODULE_END);
		r.words = words_of(text, &r.count);
		spb_options_init(&options, sizeof options);
		r.u.options = &options;
		assert_int_equal(spb_context_create(NULL, &callbacks, &r.u.m.context), SPB_OK);
		bool refused = caught(r.u.m.context, resolve, &r);
		if (refused != (rows[i].refusal != NULL) || (refused && !strstr(heard.text, rows[i].refusal)))
			fail_msg("%s%s", rows[i].body, heard.text);
		spb_context *context = r.u.m.context;
		spb_module_release(&r.u.m);
		spb_context_destroy(context);
		free(r.words);
	}
}

/* A module that Vulkan accepts. */
#define ACCEPTED                                                                                                       \
	"OpCapability Shader\nOpCapability RuntimeDescriptorArray\nOpCapability RayQueryKHR\n"                         \
	"OpMemoryModel Logical GLSL450\n%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%3 = OpTypeInt 32 0\n"                \
	"%4 = OpTypeFloat 32\n%5 = OpTypeImage %4 2D 0 0 0 1 Unknown\n%6 = OpTypeSampler\n"                            \
	"%7 = OpTypeSampledImage %5\n%8 = OpTypeAccelerationStructureKHR\n%9 = OpConstant %3 2\n"                      \
	"%10 = OpTypeArray %5 %9\n%11 = OpTypeArray %6 %9\n%12 = OpTypeArray %7 %9\n%13 = OpTypeArray %8 %9\n"         \
	"%14 = OpTypePointer UniformConstant %10\n%15 = OpTypePointer UniformConstant %11\n"                           \
	"%16 = OpTypePointer UniformConstant %12\n%17 = OpTypePointer UniformConstant %13\n"                           \
	"%18 = OpTypePointer UniformConstant %5\n%19 = OpTypePointer UniformConstant %6\n"                             \
	"%20 = OpTypePointer UniformConstant %7\n%21 = OpTypePointer UniformConstant %8\n"                             \
	"%22 = OpTypeFunction %1 %18\n%23 = OpTypeFunction %1 %19\n%24 = OpTypeFunction %1 %20\n"                      \
	"%25 = OpTypeFunction %1 %21\n%26 = OpTypeBool\n%27 = OpConstantTrue %26\n%28 = OpConstant %4 0\n"             \
	"%30 = OpVariable %14 UniformConstant\n%31 = OpVariable %15 UniformConstant\n"                                 \
	"%32 = OpVariable %16 UniformConstant\n%33 = OpVariable %17 UniformConstant\n"                                 \
	"%34 = OpVariable %18 UniformConstant\n%35 = OpVariable %14 UniformConstant\n"
#define BODY "%40 = OpFunction %1 None %2\n%41 = OpLabel\n%42 = OpLoad %5 %34\n"
#define DONE "OpReturn\nOpFunctionEnd\n"
#define FUNCTIONS                                                                                                      \
	"%50 = OpFunction %1 None %22\n%51 = OpFunctionParameter %18\n%52 = OpLabel\n" DONE                            \
	"%53 = OpFunction %1 None %23\n%54 = OpFunctionParameter %19\n%55 = OpLabel\n" DONE                            \
	"%56 = OpFunction %1 None %24\n%57 = OpFunctionParameter %20\n%58 = OpLabel\n" DONE                            \
	"%59 = OpFunction %1 None %25\n%60 = OpFunctionParameter %21\n%61 = OpLabel\n" DONE

struct asking {
	struct resolving r;
	uint32_t heap; /* id of a variable; 0: none */
	bool has_shapes;
};

static void ask(void *argument)
{
	struct asking *a = argument;
	struct spb_module *m = &a->r.u.m;
	const struct spb_heap heap = {.variable = a->heap, .kind = SPB_DESCRIPTOR_TEXTURE};

	spb_module_parse(m, "m", a->r.words, a->r.count);
	spb_module_need_index(m);
	if (a->heap)
		SPB_PUSH(&m->keep, &a->r.u.heaps, heap);
	a->has_shapes = spb_has_shapes(&a->r.u);
}

static void shapes_that_vulkan_rejects_are_seen(void **state)
{
	static const struct {
		const char *globals, *body;
		bool has_shapes;
		uint32_t heap;
	} rows[] = {
	    {"", BODY DONE FUNCTIONS, false, 0},
	    {"%70 = OpTypeStruct %4 %3\n%71 = OpTypePointer Function %4\n", BODY DONE, false, 0},
	    {"%70 = OpTypeStruct %5\n", BODY DONE, true, 0},
	    {"%70 = OpTypeStruct %4 %8\n", BODY DONE, true, 0},
	    {"%70 = OpTypeStruct %12\n", BODY DONE, true, 0},
	    {"%70 = OpTypePointer Function %5\n", BODY DONE, true, 0},
	    {"%70 = OpTypePointer Private %6\n", BODY DONE, true, 0},
	    {"%70 = OpTypePointer Function %10\n", BODY DONE, true, 0},
	    {"%70 = OpTypePointer Private %4\n", BODY DONE, false, 0},
	    {"%70 = OpTypePointer Workgroup %5\n", BODY DONE, false, 0},
	    /* arrays of arrays */
	    {"%70 = OpTypeArray %10 %9\n%71 = OpTypePointer UniformConstant %70\n%72 = OpVariable %71 "
	     "UniformConstant\n",
	     BODY DONE, true, 0},
	    {"%70 = OpTypeRuntimeArray %10\n%71 = OpTypePointer UniformConstant %70\n"
	     "%72 = OpVariable %71 UniformConstant\n",
	     BODY DONE, true, 0},
	    {"%70 = OpTypeArray %10 %9\n%71 = OpTypePointer UniformConstant %70\n", BODY DONE, false, 0},
	    {"%70 = OpTypeStruct %4\n%71 = OpTypeArray %70 %9\n%72 = OpTypeArray %71 %9\n"
	     "%73 = OpTypePointer StorageBuffer %72\n%74 = OpVariable %73 StorageBuffer\n",
	     BODY DONE, true, 0},
	    {"%70 = OpTypeStruct %4\n%71 = OpTypeArray %70 %9\n%72 = OpTypeArray %71 %9\n"
	     "%73 = OpTypePointer Uniform %72\n%74 = OpVariable %73 Uniform\n",
	     BODY DONE, true, 0},
	    {"%70 = OpTypeStruct %4\n%71 = OpTypeArray %70 %9\n%72 = OpTypeArray %71 %9\n"
	     "%73 = OpTypePointer Private %72\n%74 = OpVariable %73 Private\n",
	     BODY DONE, false, 0},
	    {"%70 = OpTypeStruct %4\n%71 = OpTypeArray %70 %9\n"
	     "%73 = OpTypePointer StorageBuffer %71\n%74 = OpVariable %73 StorageBuffer\n",
	     BODY DONE, false, 0},
	    /* by value */
	    {"%70 = OpTypeFunction %1 %5\n", BODY DONE, true, 0},
	    {"%70 = OpTypeFunction %1 %4 %6\n", BODY DONE, true, 0},
	    {"%70 = OpTypeFunction %5\n", BODY DONE, true, 0},
	    {"%70 = OpTypeFunction %4 %4\n", BODY DONE, false, 0},
	    {"", BODY "%70 = OpSelect %5 %27 %42 %42\n" DONE, true, 0},
	    {"", BODY "%70 = OpSelect %4 %27 %28 %28\n" DONE, false, 0},
	    {"", BODY "OpBranch %71\n%71 = OpLabel\n%70 = OpPhi %5 %42 %41\n" DONE, true, 0},
	    {"", BODY "OpBranch %71\n%71 = OpLabel\n%70 = OpPhi %4 %28 %41\n" DONE, false, 0},
	    {"", BODY "%70 = OpCopyObject %5 %42\n" DONE, false, 0},
	    /* not assigned */
	    {"%70 = OpUndef %5\n", BODY DONE, false, 0},
	    {"%70 = OpUndef %4\n", BODY "%71 = OpCopyObject %4 %70\n" DONE, false, 0},
	    {"%70 = OpUndef %5\n", BODY "%71 = OpCopyObject %5 %70\n" DONE, true, 0},
	    {"%70 = OpUndef %5\n", BODY "OpReturn\n%72 = OpLabel\n%71 = OpCopyObject %5 %70\n" DONE, false, 0},
	    {"", BODY "%70 = OpUndef %5\n" DONE, true, 0},
	    {"", BODY "%70 = OpUndef %4\n" DONE, false, 0},
	    /* arguments */
	    {"", BODY "%71 = OpFunctionCall %1 %50 %34\n" DONE FUNCTIONS, false, 0},
	    {"", BODY "%70 = OpAccessChain %18 %30 %9\n%71 = OpFunctionCall %1 %50 %70\n" DONE FUNCTIONS, false, 0},
	    {"", BODY "%70 = OpAccessChain %19 %31 %9\n%71 = OpFunctionCall %1 %53 %70\n" DONE FUNCTIONS, false, 0},
	    {"", BODY "%70 = OpAccessChain %20 %32 %9\n%71 = OpFunctionCall %1 %56 %70\n" DONE FUNCTIONS, true, 0},
	    {"", BODY "%70 = OpAccessChain %21 %33 %9\n%71 = OpFunctionCall %1 %59 %70\n" DONE FUNCTIONS, true, 0},
	    {"", BODY "%70 = OpInBoundsAccessChain %20 %32 %9\n%71 = OpFunctionCall %1 %56 %70\n" DONE FUNCTIONS, true,
	     0},
	    {"", BODY "%70 = OpAccessChain %20 %32 %9\n" DONE FUNCTIONS, false, 0},
	    {"", BODY "%70 = OpAccessChain %18 %30 %9\n%71 = OpFunctionCall %1 %50 %70\n" DONE FUNCTIONS, true, 30},
	    {"", BODY "%70 = OpAccessChain %18 %30 %9\n%71 = OpFunctionCall %1 %50 %70\n" DONE FUNCTIONS, false, 35},
	    {"", BODY "%70 = OpAccessChain %18 %30 %9\n%71 = OpLoad %5 %70\n" DONE FUNCTIONS, false, 30},
	    {"%72 = OpTypePointer Function %4\n%73 = OpTypeFunction %1 %72\n%74 = OpTypeArray %4 %9\n"
	     "%75 = OpTypePointer Function %74\n",
	     BODY
	     "%76 = OpVariable %75 Function\n%77 = OpAccessChain %72 %76 %9\n%71 = OpFunctionCall %1 %78 %77\n" DONE
	     "%78 = OpFunction %1 None %73\n%79 = OpFunctionParameter %72\n%80 = OpLabel\n" DONE,
	     false, 0},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		static char text[12000];
		struct asking a = {.heap = rows[i].heap};
		struct said heard = {0};
		const spb_callbacks callbacks = {hear, &heard};
		spb_options options;
		snprintf(text, sizeof text, "%s%s%s", ACCEPTED, rows[i].globals, rows[i].body);
		a.r.words = words_of(text, &a.r.count);
		spb_options_init(&options, sizeof options);
		a.r.u.options = &options;
		assert_int_equal(spb_context_create(NULL, &callbacks, &a.r.u.m.context), SPB_OK);
		if (caught(a.r.u.m.context, ask, &a))
			fail_msg("%s%s\n%s", rows[i].globals, rows[i].body, heard.text);
		if (a.has_shapes != rows[i].has_shapes)
			fail_msg("%s%s", rows[i].globals, rows[i].body);
		spb_context *context = a.r.u.m.context;
		spb_module_release(&a.r.u.m);
		spb_context_destroy(context);
		free(a.r.words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(equal_lists_have_equal_numbers),
	    cmocka_unit_test(operands_match_their_types),
	    cmocka_unit_test(shapes_that_vulkan_rejects_are_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
