/* SPDX-License-Identifier: Apache-2.0 */
/* What the passes for handles ask of types, operands and modules: leaves (handle_leaves.c), what an instruction does
 * with a pointer (handle_pointer_uses.c), and whether anything of a dialect is left (normalize_handles.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "caught.h"
#include "pass/handles/handle_flow.h"
#include "pass/handles/handles.h"

static char said[1000]; /* the last error */

static void note_error(void *user, const spb_message *message)
{
	(void)user;
	snprintf(said, sizeof said, "%s", message->text);
}

struct job {
	struct spb_unit unit;
	spv_binary binary;
};

static void parse(void *argument)
{
	struct job *job = argument;

	spb_module_parse(&job->unit.m, "m", job->binary->code, job->binary->wordCount);
	spb_module_need_index(&job->unit.m);
}

static void check_no_handles(void *argument)
{
	struct job *job = argument;

	spb_check_no_handles(&job->unit.m);
}

static void begin(struct job *job, const char *text)
{
	const spb_callbacks callbacks = {note_error, NULL};
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_5);
	spv_diagnostic diagnostic = NULL;

	*job = (struct job){0};
	said[0] = '\0';
	if (spvTextToBinaryWithOptions(context, text, strlen(text), SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS,
				       &job->binary, &diagnostic) != SPV_SUCCESS)
		fail_msg("line %u: %s", (unsigned)diagnostic->position.line + 1, diagnostic->error);
	spvContextDestroy(context);
	assert_int_equal(spb_context_create(NULL, &callbacks, &job->unit.m.context), SPB_OK);
	if (caught(job->unit.m.context, parse, job))
		fail_msg("%s", said);
}

static void end(struct job *job)
{
	spb_context *context = job->unit.m.context;

	spb_module_release(&job->unit.m);
	spb_context_destroy(context);
	spvBinaryDestroy(job->binary);
}

#define BEGINNING "OpCapability Shader\nOpCapability PhysicalStorageBufferAddresses\n"
#define MODEL     "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n"
#define TYPES                                                                                                          \
	"%1 = OpTypeInt 32 0\n%2 = OpTypeStruct %1\n%3 = OpTypePointer PhysicalStorageBuffer %2\n"                     \
	"%4 = OpTypePointer PhysicalStorageBuffer %1\n%5 = OpConstant %1 3\n"

enum {
	MANY = SPB_MANY_LEAVES,
	SIXTY_FOUR = 40,
	SIXTY_FIVE,
	MORE,
	AROUND,
	IN_ARRAY,
	POINTER,
	FOUR_TIMES,
	UNDEF,
	UNDEF_OF_MORE,
	NESTED = 100,
	ARRAYS = 140
};

/* Structs of 64 and 65 pointers, one with one more, and 34 structs within each other. */
static void add_large_types(char *text, size_t size)
{
	size_t used = strlen(text);

	for (int id = SIXTY_FOUR; id <= SIXTY_FIVE; id++) {
		used += (size_t)snprintf(text + used, size - used, "%%%d = OpTypeStruct", id);
		for (int i = 0; i < 64 + (id == SIXTY_FIVE); i++)
			used += (size_t)snprintf(text + used, size - used, " %%3");
		used += (size_t)snprintf(text + used, size - used, "\n");
	}
	used += (size_t)snprintf(text + used, size - used,
				 "%%%d = OpTypeStruct %%%d %%3\n%%%d = OpTypeStruct %%1 %%%d\n%%%d = OpTypeArray %%%d "
				 "%%5\n%%%d = OpTypePointer Function %%%d\n",
				 MORE, SIXTY_FOUR, AROUND, SIXTY_FIVE, IN_ARRAY, SIXTY_FIVE, POINTER, SIXTY_FOUR);
	used += (size_t)snprintf(text + used, size - used,
				 "%%%d = OpTypeStruct %%40 %%40 %%40 %%40\n%%%d = OpUndef %%%d\n%%%d = OpUndef %%%d\n",
				 FOUR_TIMES, UNDEF, SIXTY_FOUR, UNDEF_OF_MORE, SIXTY_FIVE);
	for (int i = 0; i < 34; i++)
		used += (size_t)snprintf(text + used, size - used,
					 "%%%d = OpTypeStruct %%%d %%1\n%%%d = OpTypeArray %%%d %%5\n", NESTED + i,
					 i ? NESTED + i - 1 : 3, ARRAYS + i, i ? ARRAYS + i - 1 : 3);
	assert_true(used < size);
}

static void types_have_the_leaves_of_their_parts(void **state)
{
	static char text[8000] = BEGINNING MODEL TYPES
	    "%6 = OpTypeArray %3 %5\n%7 = OpTypeStruct %3 %1 %6\n%8 = OpTypeStruct %3 %4\n"
	    "%9 = OpTypeStruct %1 %7 %8 %3\n%10 = OpTypePointer Function %7\n%11 = OpTypePointer Private %9\n"
	    "%12 = OpTypePointer Workgroup %3\n%13 = OpTypePointer StorageBuffer %7\n%14 = OpTypePointer Uniform %3\n"
	    "%15 = OpTypeRuntimeArray %3\n%16 = OpTypeStruct %1 %1\n%17 = OpTypeStruct %16 %3\n"
	    "%18 = OpTypeFloat 32\n%19 = OpTypeImage %18 2D 0 0 0 1 Unknown\n%20 = OpTypeSampledImage %19\n"
	    "%21 = OpTypePointer UniformConstant %20\n%22 = OpTypeArray %20 %5\n%23 = OpTypeRuntimeArray %20\n"
	    "%24 = OpTypePointer UniformConstant %23\n%25 = OpTypePointer Function %20\n"
	    "%26 = OpTypePointer UniformConstant %19\n%27 = OpTypeStruct %4 %3 %4\n";
	/* type, leaves, their common type; the same where the sampled image is a leaf; is it a single one? */
	const struct {
		uint32_t type, leaves, pointer, with_opaque, with_pointer;
		bool is_leaf, is_leaf_too;
	} rows[] = {
	    {1, 0, 0, 0, 0, false, false},   {2, 0, 0, 0, 0, false, false},   {3, 1, 3, 1, 3, true, true},
	    {4, 1, 4, 1, 4, true, true},     {6, 1, 3, 1, 3, false, false},   {7, 2, 3, 2, 3, false, false},
	    {8, 2, 0, 2, 0, false, false},   {9, 5, 0, 5, 0, false, false},   {10, 2, 3, 2, 3, false, false},
	    {11, 5, 0, 5, 0, false, false},  {12, 1, 3, 1, 3, false, false},  {13, 0, 0, 0, 0, false, false},
	    {14, 0, 0, 0, 0, false, false},  {15, 0, 0, 1, 3, false, false},  {16, 0, 0, 0, 0, false, false},
	    {17, 1, 3, 1, 3, false, false},  {19, 0, 0, 0, 0, false, false},  {20, 0, 0, 1, 20, false, true},
	    {21, 0, 0, 1, 20, false, true},  {22, 0, 0, 1, 20, false, false}, {23, 0, 0, 1, 20, false, false},
	    {24, 0, 0, 1, 20, false, false}, {25, 0, 0, 1, 20, false, false}, {26, 0, 0, 0, 0, false, false},
	    {27, 3, 0, 3, 0, false, false},
	};
	const uint32_t large[][2] = {{SIXTY_FOUR, 64},    {SIXTY_FIVE, MANY},  {MORE, MANY},       {AROUND, MANY},
				     {IN_ARRAY, MANY},    {POINTER, 64},       {NESTED, 1},        {NESTED + 31, 1},
				     {NESTED + 32, MANY}, {NESTED + 33, MANY}, {FOUR_TIMES, MANY}, {ARRAYS + 31, 1},
				     {ARRAYS + 32, MANY}};
	const struct {
		uint32_t type, index, part, before;
	} parts[] = {{7, 0, 3, 0},   {7, 1, 1, 1},  {7, 2, 6, 1},  {7, 3, 0, 0}, {9, 0, 1, 0},
		     {9, 1, 7, 0},   {9, 2, 8, 2},  {9, 3, 3, 4},  {6, 9, 3, 0}, {6, 6, 3, 0},
		     {17, 0, 16, 0}, {17, 1, 3, 0}, {27, 2, 4, 2}, {1, 0, 0, 0}};
	struct job job;

	(void)state;
	add_large_types(text, sizeof text);
	begin(&job, text);
	struct spb_arena *arena = &job.unit.m.context->scratch;
	uint32_t *opaque = spb_bits(arena, job.unit.m.bound);
	spb_set_bit(opaque, 20);
	struct spb_pointer_leaves plain = spb_find_pointer_leaves(&job.unit.m, arena, NULL);
	struct spb_pointer_leaves with = spb_find_pointer_leaves(&job.unit.m, arena, opaque);
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		uint32_t type = rows[i].type;
		if (plain.of_type[type] != rows[i].leaves || with.of_type[type] != rows[i].with_opaque)
			fail_msg("%%%u has %u and %u leaves", type, plain.of_type[type], with.of_type[type]);
		if (plain.pointer[type] != rows[i].pointer || with.pointer[type] != rows[i].with_pointer)
			fail_msg("%%%u has leaves of %%%u and %%%u", type, plain.pointer[type], with.pointer[type]);
		if (spb_is_leaf(&plain, type) != rows[i].is_leaf || spb_is_leaf(&with, type) != rows[i].is_leaf_too)
			fail_msg("%%%u is a leaf, or is none", type);
		assert_int_equal(spb_is_resource_pointer(&with, type), type == 21 || type == 24 || type == 26);
		assert_false(spb_is_resource_pointer(&plain, type));
		assert_int_equal(spb_is_local_pointer(&job.unit.m, type), (type >= 10 && type <= 12) || type == 25);
		assert_int_equal(spb_is_buffer_pointer(&job.unit.m, type), type == 3 || type == 4);
	}
	for (size_t i = 0; i < SPB_COUNT(large); i++)
		assert_int_equal(plain.of_type[large[i][0]], large[i][1]);
	assert_int_equal(spb_pointer_leaves_of(&plain, UNDEF), 64);
	assert_int_equal(spb_pointer_leaves_of(&plain, UNDEF_OF_MORE), 0); /* nothing flows through it */
	for (size_t i = 0; i < SPB_COUNT(parts); i++) {
		uint32_t before = 100;
		assert_int_equal(spb_leaf_part(&plain, parts[i].type, parts[i].index, &before), parts[i].part);
		assert_int_equal(before, 100 + parts[i].before);
	}
	end(&job);
}

static void an_operand_says_what_is_done_with_a_pointer(void **state)
{
	const char *text = BEGINNING
	    "%80 = OpExtInstImport \"GLSL.std.450\"\n%81 = OpExtInstImport \"NonSemantic.Remarks\"\n"
	    "%82 = OpExtInstImport \"OpenCL.std\"\n" MODEL TYPES
	    "%6 = OpTypeVoid\n%7 = OpTypeFunction %6 %3\n%8 = OpTypeBool\n%9 = OpConstant %1 0\n%10 = OpTypeFloat 32\n"
	    "%11 = OpTypeFunction %3 %3\n%12 = OpTypeInt 64 0\n%13 = OpTypePointer Function %3\n"
	    "%14 = OpConstantTrue %8\n"
	    "%20 = OpFunction %3 None %11\n%21 = OpFunctionParameter %3\n%22 = OpLabel\n"
	    "%23 = OpVariable %13 Function\n"
	    "%30 = OpAccessChain %4 %21 %9\n%31 = OpInBoundsAccessChain %4 %21 %9\n"
	    "%32 = OpPtrAccessChain %4 %21 %9 %9\n%33 = OpPtrAccessChain %4 %21 %5 %9\n%34 = OpIAdd %1 %9 %9\n"
	    "%35 = OpPtrAccessChain %4 %21 %34 %9\n%36 = OpLoad %2 %21\nOpStore %21 %36\nOpStore %23 %21\n"
	    "OpCopyMemory %21 %23\nOpCopyMemory %23 %21\n%37 = OpAtomicIAdd %1 %21 %5 %9 %9\n"
	    "%38 = OpAtomicLoad %1 %21 %5 %9\nOpAtomicStore %21 %5 %9 %9\n%39 = OpArrayLength %1 %21 0\n"
	    "%40 = OpSelect %3 %14 %21 %21\n%41 = OpFunctionCall %3 %20 %21\n"
	    "%42 = OpExtInst %10 %80 Modf %9 %21\n%43 = OpExtInst %6 %81 1 %21\n%44 = OpExtInst %1 %82 s_abs %21\n"
	    "%45 = OpCopyObject %3 %21\n%46 = OpBitcast %12 %21\n%47 = OpConvertPtrToU %12 %21\n"
	    "%48 = OpPtrEqual %8 %21 %21\nOpReturnValue %21\nOpFunctionEnd\n";
	const struct {
		uint32_t op;
		int uses[2]; /* of each operand that is the pointer, one after the other; -1: there is none */
	} rows[] = {
	    {SpvOpAccessChain, {SPB_POINTER_CHAIN, -1}},
	    {SpvOpInBoundsAccessChain, {SPB_POINTER_CHAIN, -1}},
	    {SpvOpPtrAccessChain, {SPB_POINTER_CHAIN, -1}}, /* element 0 */
	    {SpvOpPtrAccessChain, {SPB_POINTER_FLOWS, -1}},
	    {SpvOpPtrAccessChain, {SPB_POINTER_FLOWS, -1}},
	    {SpvOpLoad, {SPB_POINTER_READ, -1}},
	    {SpvOpStore, {SPB_POINTER_WRITTEN, -1}},
	    {SpvOpStore, {SPB_POINTER_FLOWS, -1}},
	    {SpvOpCopyMemory, {SPB_POINTER_WRITTEN, -1}},
	    {SpvOpCopyMemory, {SPB_POINTER_READ, -1}},
	    {SpvOpAtomicIAdd, {SPB_POINTER_WRITTEN, -1}},
	    {SpvOpAtomicLoad, {SPB_POINTER_WRITTEN, -1}},
	    {SpvOpAtomicStore, {SPB_POINTER_WRITTEN, -1}},
	    {SpvOpArrayLength, {SPB_POINTER_WRITTEN, -1}},
	    {SpvOpSelect, {SPB_POINTER_FLOWS, SPB_POINTER_FLOWS}},
	    {SpvOpFunctionCall, {SPB_POINTER_FLOWS, -1}},
	    {SpvOpExtInst, {SPB_POINTER_WRITTEN, -1}},
	    {SpvOpExtInst, {SPB_POINTER_REMARK, -1}},
	    {SpvOpExtInst, {SPB_POINTER_FLOWS, -1}},
	    {SpvOpCopyObject, {SPB_POINTER_FLOWS, -1}},
	    {SpvOpBitcast, {SPB_POINTER_FLOWS, -1}},
	    {SpvOpConvertPtrToU, {SPB_POINTER_FLOWS, -1}},
	    {SpvOpPtrEqual, {SPB_POINTER_FLOWS, SPB_POINTER_FLOWS}},
	    {SpvOpReturnValue, {SPB_POINTER_FLOWS, -1}},
	};
	struct job job;
	size_t row = 0;

	(void)state;
	begin(&job, text);
	const struct spb_module *m = &job.unit.m;
	for (spb_at at = spb_next(m, m->def[22]); at < m->function[0].end; at = spb_next(m, at)) {
		int n = 0;
		for (uint32_t w = at + 1; w < spb_next(m, at); w++) {
			bool is_id = w != at + 1 || spb_op(m, at) == SpvOpStore || spb_op(m, at) == SpvOpCopyMemory ||
				     spb_op(m, at) == SpvOpAtomicStore || spb_op(m, at) == SpvOpReturnValue;
			if (m->words[w] != 21 || !is_id)
				continue;
			assert_true(row < SPB_COUNT(rows) && n < 2);
			assert_int_equal(spb_op(m, at), rows[row].op);
			if ((int)spb_pointer_use(m, (struct spb_use){at, w}) != rows[row].uses[n])
				fail_msg("row %zu: operand %u of opcode %u", row, w - at, spb_op(m, at));
			assert_false(spb_uses_descriptor(m, (struct spb_use){at, w}));
			n++;
		}
		if (n)
			assert_true(n == 2 || rows[row].uses[1] == -1);
		row += n > 0;
	}
	assert_int_equal(row, SPB_COUNT(rows));
	assert_true(spb_is_int(m, 1, 32) && !spb_is_int(m, 1, 64) && spb_is_int(m, 12, 64) && !spb_is_int(m, 10, 32));
	end(&job);
}

#define NAMES_A_FUNCTION(linkage)                                                                                      \
	"OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"                                   \
	"OpDecorate %4 LinkageAttributes " linkage "\n%1 = OpTypeInt 32 0\n%2 = OpTypeFunction %1\n"                   \
	"%4 = OpFunction %1 None %2\nOpFunctionEnd\n"

static void nothing_of_a_dialect_is_left(void **state)
{
	/* a module, and what is left in it; NULL: nothing */
	static const char *const rows[][2] = {
	    {"OpCapability Shader\nOpExtension \"SPV_KHR_multiview\"\n%1 = OpExtInstImport \"GLSL.std.450\"\n"
	     "OpMemoryModel Logical GLSL450\n",
	     NULL},
	    {"OpCapability BindlessTextureNV\nOpMemoryModel Logical GLSL450\n", "capability BindlessTextureNV"},
	    {"OpCapability Shader\nOpExtension \"SPV_NV_bindless_texture\"\nOpMemoryModel Logical GLSL450\n",
	     "SPV_NV_bindless_texture"},
	    {"OpCapability Shader\nOpExtension \"NonSemantic.DescriptorHandle\"\nOpMemoryModel Logical GLSL450\n",
	     "NonSemantic.DescriptorHandle"},
	    {"OpCapability Shader\n%1 = OpExtInstImport \"NonSemantic.DescriptorHandle\"\n"
	     "OpMemoryModel Logical GLSL450\n",
	     "NonSemantic.DescriptorHandle"},
	    {NAMES_A_FUNCTION("\"getDescriptorFromHandle_x\" Import"), "an import that dereferences handles"},
	    {NAMES_A_FUNCTION("\"defaultGetDescriptorFromHandle\" Import"), "an import that dereferences handles"},
	    {NAMES_A_FUNCTION("\"getDescriptorFromHandle_x\" Export"), NULL},
	    {NAMES_A_FUNCTION("\"getDescriptor\" Import"), NULL},
	    {"OpCapability Shader\nOpMemoryModel Logical GLSL450\n%1 = OpTypeInt 32 0\n%2 = OpTypeFunction %1\n"
	     "%3 = OpTypeSampler\n%4 = OpConstant %1 7\n%5 = OpFunction %1 None %2\n%6 = OpLabel\n"
	     "%7 = OpConvertUToSamplerNV %3 %4\nOpReturnValue %4\nOpFunctionEnd\n",
	     "OpConvertUToSamplerNV"},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct job job;
		begin(&job, rows[i][0]);
		bool found = caught(job.unit.m.context, check_no_handles, &job);
		if (found != (rows[i][1] != NULL) || (found && !strstr(said, rows[i][1])))
			fail_msg("row %zu: %s", i, said);
		end(&job);
	}
}

/* Pointers to buffers: %3 and, in a circle with %10, %9. %4, %5, %7, %11 and %12 depend on them, %6 is a constant. */
#define DEPENDENT                                                                                                      \
	BEGINNING "%80 = OpExtInstImport \"NonSemantic.Remarks\"\n" MODEL                                              \
		  "OpName %3 \"three\"\nOpName %4 \"four\"\nOpName %6 \"six\"\nOpDecorate %7 ArrayStride 8\n"          \
		  "%1 = OpTypeInt 32 0\n%2 = OpTypeStruct %1\n%15 = OpConstant %1 3\n"                                 \
		  "OpTypeForwardPointer %9 PhysicalStorageBuffer\n%3 = OpTypePointer PhysicalStorageBuffer %2\n"       \
		  "%4 = OpTypeStruct %3\n%5 = OpTypePointer Function %4\n%6 = OpConstantNull %3\n"                     \
		  "%7 = OpTypeArray %3 %15\n%10 = OpTypeStruct %9 %1\n%9 = OpTypePointer PhysicalStorageBuffer %10\n"  \
		  "%13 = OpTypeVoid\n%14 = OpTypeFunction %13\n%11 = OpTypeFunction %13 %3\n"                          \
		  "%12 = OpTypeFunction %13 %5\n%8 = OpUndef %4\n"
#define MAIN "%20 = OpFunction %13 None %14\n%21 = OpLabel\n"
#define DONE "OpReturn\nOpFunctionEnd\n"

struct types_job {
	struct job job;
	uint32_t gone, element; /* ids; 0: none */
	bool left;
};

static void remove_types(void *argument)
{
	struct types_job *t = argument;
	struct spb_unit *u = &t->job.unit;
	struct spb_module *m = &u->m;
	struct spb_heaps heaps;

	spb_module_need_uses(m);
	spb_edit_begin(&u->edit, m, &m->context->scratch);
	uint32_t *types = spb_bits(&m->context->scratch, m->bound), *gone = spb_bits(&m->context->scratch, m->bound);
	spb_heaps_begin(&heaps, u);
	if (t->element)
		spb_heap_of(&heaps, t->element, SpvStorageClassStorageBuffer, SPB_DESCRIPTOR_SSBO);
	spb_set_bit(types, 3);
	spb_set_bit(types, 9);
	if (t->gone)
		spb_set_bit(gone, t->gone);
	t->left = spb_remove_unneeded_types(&heaps, types, gone);
	spb_edit_commit(&u->edit);
	spb_module_need_index(m);
	if (!t->gone)
		spb_module_check_defined(m);
}

static void types_that_nothing_needs_go(void **state)
{
	static const struct {
		const char *body;
		uint32_t gone, element;
		const char *left; /* of %3 to %12 */
	} rows[] = {
	    {MAIN DONE, 0, 0, ""},
	    {MAIN "%30 = OpVariable %5 Function\n" DONE, 0, 0, "3 4 5 6 8"},
	    {MAIN "%30 = OpUndef %3\n" DONE, 0, 0, "3 6"},
	    {MAIN "%30 = OpUndef %3\n" DONE, 30, 0, ""},
	    {MAIN "%30 = OpUndef %7\n" DONE, 0, 0, "3 6 7"},
	    {MAIN "%30 = OpUndef %9\n" DONE, 0, 0, "9 10"},
	    {MAIN "%30 = OpUndef %10\n" DONE, 0, 0, "9 10"},
	    {MAIN "%30 = OpCompositeExtract %1 %6 0\n" DONE, 0, 0, "3 6"},
	    {MAIN "%30 = OpCompositeExtract %1 %8 0 0\n" DONE, 0, 0, "3 4 6 8"},
	    {MAIN DONE "%40 = OpFunction %13 None %11\n%41 = OpFunctionParameter %3\n%42 = OpLabel\n" DONE, 0, 0,
	     "3 6 11"},
	    {MAIN DONE "%40 = OpFunction %13 None %12\n%42 = OpLabel\n" DONE, 0, 0, "3 4 5 6 8 12"},
	    {MAIN "%30 = OpExtInst %13 %80 1 %4\n" DONE, 0, 0, "3 4 6 8"}, /* an operand that is a type */
	    {MAIN "%30 = OpExtInst %13 %80 1 %4\n" DONE, 30, 0, ""},
	    {MAIN DONE, 0, 4, "3 4 6 8"},
	    {MAIN DONE, 0, 2, ""},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct types_job t = {.gone = rows[i].gone, .element = rows[i].element};
		char text[4000], found[100] = "";
		snprintf(text, sizeof text, "%s%s", DEPENDENT, rows[i].body);
		begin(&t.job, text);
		if (caught(t.job.unit.m.context, remove_types, &t))
			fail_msg("%s%s", rows[i].body, said);
		const struct spb_module *m = &t.job.unit.m;
		for (uint32_t id = 3; id <= 12; id++) {
			if (m->def[id])
				snprintf(found + strlen(found), sizeof found - strlen(found), "%s%u", *found ? " " : "",
					 id);
		}
		assert_int_equal(t.left, *found != 0);
		if (strcmp(found, rows[i].left) != 0)
			fail_msg("%s%s is left", rows[i].body, found);
		assert_true(m->def[1] && m->def[2] && m->def[13] && m->def[14] && m->def[15]);
		end(&t.job);
	}
}

static void six_decorations_qualify_memory(void **state)
{
	(void)state;
	for (uint32_t decoration = 0; decoration < 7000; decoration++) {
		bool wanted = decoration == SpvDecorationRestrict || decoration == SpvDecorationAliased ||
			      decoration == SpvDecorationVolatile || decoration == SpvDecorationCoherent ||
			      decoration == SpvDecorationNonWritable || decoration == SpvDecorationNonReadable;
		assert_int_equal(spb_is_memory_qualifier(decoration), wanted);
	}
}

/* Of the set, the first instruction, with one operand. */
static void a_dereference_is_told_from_all_else(void **state)
{
	static const struct {
		const char *instruction;
		bool is;
	} rows[] = {
	    {"%9 = OpExtInst %6 %1 1 %7", true},
	    {"%9 = OpExtInst %6 %2 1 %7", false},
	    {"%9 = OpExtInst %6 %1 2 %7", false},
	    {"%9 = OpExtInst %6 %1 0 %7", false},
	    {"%9 = OpExtInst %6 %1 1 %7 %7", false},
	    {"%9 = OpSelect %6 %1 %1 %7", false}, /* the same words, but for the opcode */
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct job job;
		char text[1000];
		snprintf(text, sizeof text,
			 "OpCapability Shader\n%%1 = OpExtInstImport \"NonSemantic.DescriptorHandle\"\n"
			 "%%2 = OpExtInstImport \"NonSemantic.Other\"\nOpMemoryModel Logical GLSL450\n"
			 "%%3 = OpTypeVoid\n%%4 = OpTypeFunction %%3\n%%5 = OpTypeInt 32 0\n%%6 = OpTypeSampler\n"
			 "%%7 = OpConstant %%5 0\n%%8 = OpFunction %%3 None %%4\n%%10 = OpLabel\n%s\nOpReturn\n"
			 "OpFunctionEnd\n",
			 rows[i].instruction);
		begin(&job, text);
		assert_int_equal(spb_is_opaque_dereference(&job.unit.m, 1, job.unit.m.def[9]), rows[i].is);
		end(&job);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(types_have_the_leaves_of_their_parts),
	    cmocka_unit_test(an_operand_says_what_is_done_with_a_pointer),
	    cmocka_unit_test(nothing_of_a_dialect_is_left),
	    cmocka_unit_test(types_that_nothing_needs_go),
	    cmocka_unit_test(six_decorations_qualify_memory),
	    cmocka_unit_test(a_dereference_is_told_from_all_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
