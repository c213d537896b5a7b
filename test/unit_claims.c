/* SPDX-License-Identifier: Apache-2.0 */
/* Two rules of analysis/uniformity against naive models: what the size of the workgroup proves, and which resources may
 * share memory. Function bodies are tested in rows/uniformity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "analysis/uniformity/uniformity.h"
#include "indexed.h"

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
#define COMPUTE "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 8 4 2\n"

struct claim {
	const char *about;
	const char *said; /* a letter for each question, in module order: see sign_of */
	const char *body; /* of main */
	const char *types, *entries;
	struct spb_uniformity_settings settings;
};

/* =: uniform in the group and the subgroup; g, s: in one of them; x: differs; ?: unknown; u: by undefined values or in
 * a dispatch of 2^31 invocations only */
static char sign_of(const struct spb_uniformity *u, uint32_t question)
{
	uint8_t uniform = spb_uniformity_of(u, question);

	if (uniform)
		return "?gs="[uniform];
	return spb_uniformity_is_certain(u, question, SPB_UNIFORM_BOTH)    ? 'x'
	       : spb_uniformity_is_unlikely(u, question, SPB_UNIFORM_BOTH) ? 'u'
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
	struct spb_uniformity *u = spb_uniformity_begin(m, &calls, arena, a->claim->settings);
	uint32_t questions[300], count = 0;

	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpReleaseEvent)
			questions[count++] = spb_uniformity_ask_whole(u, at, at + 1);
	}
	spb_uniformity_solve(u);
	for (uint32_t i = 0; i < count; i++)
		a->said[i] = sign_of(u, questions[i]);
}

static bool check_claim(const struct claim *c)
{
	struct parsed p;
	struct asking a = {.p = &p, .claim = c};
	const char *const parts[] = {"OpCapability Shader\nOpMemoryModel Logical GLSL450\n",
				     c->entries,
				     NOTES,
				     TYPES,
				     c->types,
				     "%main = OpFunction %void None %fn\n%main_0 = OpLabel\n" SAME_AND_DIFFERENT,
				     c->body,
				     "OpReturn\nOpFunctionEnd\n"};
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

#define PARTS                                                                                                          \
	"%gv = OpLoad %v3 %gid\n%gx = OpCompositeExtract %uint %gv 0\n%gy = OpCompositeExtract %uint %gv 1\n"          \
	"%gz = OpCompositeExtract %uint %gv 2\n%lv = OpLoad %v3 %lid\n%lx = OpCompositeExtract %uint %lv 0\n"          \
	"%ly = OpCompositeExtract %uint %lv 1\n%lz = OpCompositeExtract %uint %lv 2\n"

/* Each operation, each built-in and many numbers, against the values in each invocation of some workgroups. */

enum { OPS = 5, ORIGINS = 7 };

static uint32_t operated(uint32_t op, uint32_t x, uint32_t by)
{
	switch (op) {
	case 0:
		return x / by;
	case 1:
		return (uint32_t)((int64_t)(int32_t)x / (int32_t)by);
	case 2:
		return x >> (by < 32 ? by : 31); /* larger shifts are undefined */
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

static void proofs_from_sizes_agree_with_a_naive_model(void **state)
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
					/* for a divisor of a global id that is not a power of two, nothing is known;
					 * signed, it is only likely to be uniform */
					const uint32_t range = origin < 3 || origin == 6 ? 0 : sizes[k][origin - 3];
					const bool one = origin == 6 ? sizes[k][0] * sizes[k][1] * sizes[k][2] == 1
								     : sizes[k][origin % 3] == 1;
					const bool heeded =
					    one || ((!range || (op != 1 && (op < 3 || !(range & (range - 1))))) &&
						    (op != 1 || numbers[n] <= INT32_MAX));
					const bool same = heeded && is_the_same(op, origin, sizes[k], numbers[n]);
					const bool likely =
					    op == 1 && range && numbers[n] <= INT32_MAX && numbers[n] % range == 0;
					said[op * SPB_COUNT(numbers) + n] = same ? '=' : likely ? 'u' : 'x';
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

/* aliases */

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

/* May a write at one binding affect a read at the other, or at the same one? */
static bool may_alias(const struct pair *p, struct spb_uniformity_settings w, bool same_binding)
{
	bool move[2] = {p->many[0] && w.may_rebind, p->many[1] && w.may_rebind};

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

static bool check_pairs(const struct pair *pairs, uint32_t count, struct spb_uniformity_settings settings, bool same)
{
	const struct claim claim = {.settings = settings};
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
		if (a.said[i] == (may_alias(&pairs[i], settings, same) ? '?' : '='))
			continue;
		right = false;
		print_error("kinds %d%s and %d%s, %s binding, settings %d %d %d: %c\n", pairs[i].kind[0],
			    pairs[i].many[0] ? "[]" : "", pairs[i].kind[1], pairs[i].many[1] ? "[]" : "",
			    same ? "same" : "another", settings.one_place, settings.any_type, settings.may_rebind,
			    a.said[i]);
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
		struct spb_uniformity_settings w = {.one_place = bits & 1, .any_type = (bits & 2) != 0};
		right &= check_pairs(pairs, count, w, (bits & 4) != 0);
		w.may_rebind = true; /* all runtime arrays, so there may be no others */
		for (uint32_t i = 0; i < count && bits < 5; i++)
			right &= check_pairs(pairs + i, 1, w, (bits & 4) != 0);
	}
	assert_true(right);
}
int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(proofs_from_sizes_agree_with_a_naive_model),
	    cmocka_unit_test(memory_is_written_under_each_of_its_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
