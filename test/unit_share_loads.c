/* SPDX-License-Identifier: Apache-2.0 */
/* Which loads of descriptors become one (pass/handles/share_loads.c): each kind of memory that an index comes from,
 * with each kind of instruction between two loads, against a model of what may be written; and what makes two
 * instructions equal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "parsed.h"
#include "pass/handles/handles.h"

#define GLOBALS                                                                                                        \
	"OpCapability Shader\nOpCapability RuntimeDescriptorArray\nOpCapability Geometry\n"                            \
	"OpExtension \"SPV_KHR_non_semantic_info\"\n"                                                                  \
	"%1 = OpExtInstImport \"GLSL.std.450\"\n%2 = OpExtInstImport \"NonSemantic.Remarks\"\n"                        \
	"%3 = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Logical GLSL450\n"                                         \
	"OpEntryPoint GLCompute %4 \"main\"\n%5 = OpString \"a\"\n%NOTES%"                                             \
	"OpDecorate %31 Volatile\nOpDecorate %32 Coherent\nOpMemberDecorate %41 1 Volatile\n"                          \
	"OpMemberDecorate %43 0 Coherent\n"                                                                            \
	"%10 = OpTypeVoid\n%11 = OpTypeFunction %10\n%12 = OpTypeInt 32 0\n%13 = OpTypeFloat 32\n"                     \
	"%14 = OpTypeImage %13 2D 0 0 0 1 Unknown\n%15 = OpTypeRuntimeArray %14\n"                                     \
	"%16 = OpTypePointer UniformConstant %15\n%17 = OpTypePointer UniformConstant %14\n%18 = OpConstant %12 0\n"   \
	"%19 = OpConstant %12 1\n%20 = OpTypeStruct %12 %12\n%21 = OpTypePointer StorageBuffer %20\n"                  \
	"%22 = OpTypePointer StorageBuffer %12\n%23 = OpTypePointer Uniform %20\n%24 = OpTypePointer Uniform %12\n"    \
	"%25 = OpTypePointer PushConstant %20\n%26 = OpTypePointer PushConstant %12\n"                                 \
	"%27 = OpTypePointer Private %12\n%28 = OpTypePointer Workgroup %12\n%29 = OpTypePointer Function %12\n"       \
	"%41 = OpTypeStruct %12 %12\n%42 = OpTypePointer StorageBuffer %41\n%43 = OpTypeStruct %12 %12\n"              \
	"%44 = OpTypeArray %43 %19\n%45 = OpTypePointer StorageBuffer %44\n%46 = OpTypeVector %12 2\n"                 \
	"%47 = OpTypeVector %13 2\n%48 = OpConstantNull %46\n%49 = OpTypePointer Private %13\n%50 = OpConstant %13 "   \
	"1\n"                                                                                                          \
	"%51 = OpTypeVector %13 4\n%52 = OpTypeImage %13 2D 0 0 0 2 R32f\n%53 = OpTypePointer UniformConstant %52\n"   \
	"%54 = OpTypeBool\n%55 = OpConstantTrue %54\n%56 = OpTypePointer PhysicalStorageBuffer %12\n"                  \
	"%57 = OpTypePointer PhysicalStorageBuffer %20\n%58 = OpTypeFunction %10 %57\n%59 = OpConstantNull %51\n"      \
	"%9 = OpVariable %16 UniformConstant\n%30 = OpVariable %21 StorageBuffer\n%31 = OpVariable %21 "               \
	"StorageBuffer\n"                                                                                              \
	"%32 = OpVariable %21 StorageBuffer\n%33 = OpVariable %23 Uniform\n%34 = OpVariable %25 PushConstant\n"        \
	"%35 = OpVariable %27 Private\n%36 = OpVariable %28 Workgroup\n%37 = OpVariable %42 StorageBuffer\n"           \
	"%38 = OpVariable %45 StorageBuffer\n%39 = OpVariable %21 StorageBuffer\n%40 = OpVariable %27 Private\n"       \
	"%80 = OpVariable %49 Private\n%81 = OpVariable %53 UniformConstant\n%82 = OpVariable %16 UniformConstant\n"   \
	"%4 = OpFunction %10 None %11\n%6 = OpLabel\n%7 = OpVariable %29 Function\n%8 = OpVariable %29 Function\n"     \
	"%83 = OpLoad %52 %81\n%84 = OpLoad %14 %17\n"
#define GLOBALS_END "OpReturn\nOpFunctionEnd\n%90 = OpFunction %10 None %11\n%91 = OpLabel\nOpReturn\nOpFunctionEnd\n"

enum { FIRST = 60, END = 80 };

struct job {
	struct spb_unit u;
	uint32_t *words;
	size_t count;
	struct said said;
	uint32_t before; /* defined ids */
	bool changed;
};

static void share(void *argument)
{
	struct job *job = argument;
	struct spb_module *m = &job->u.m;
	struct spb_context *c = m->context;
	const struct spb_heap heap = {.variable = 9, .kind = SPB_DESCRIPTOR_TEXTURE};
	const struct spb_heap remade = {.variable = 82, .kind = SPB_DESCRIPTOR_TEXTURE, .remade = true};

	spb_module_parse(m, "m", job->words, job->count);
	spb_module_need_index(m);
	SPB_PUSH(&m->keep, &job->u.heaps, heap);
	SPB_PUSH(&m->keep, &job->u.heaps, heap);
	SPB_PUSH(&m->keep, &job->u.heaps, remade);
	spb_edit_begin(&job->u.edit, m, &c->scratch);
	for (uint32_t id = FIRST; id < END; id++)
		job->before += m->def[id] != 0;
	job->changed = spb_pass_share_loads(&job->u);
	spb_edit_commit(&job->u.edit);
	spb_module_need_index(m);
	spb_module_check_defined(m);
}

/* "61 63N 71 73": which of these ids are still defined, with an N for each decoration. */
static void check(const char *notes, const char *body, const char *left)
{
	static char text[12000];
	const char *place = strstr(GLOBALS, "%NOTES%");
	char found[200] = "";
	struct job job = {0};
	const spb_callbacks callbacks = {hear, &job.said};

	snprintf(text, sizeof text, "%.*s%s%s%s%s", (int)(place - GLOBALS), GLOBALS, notes, place + 7, body,
		 GLOBALS_END);
	job.words = words_of(text, &job.count);
	assert_int_equal(spb_context_create(NULL, &callbacks, &job.u.m.context), SPB_OK);
	if (caught(job.u.m.context, share, &job))
		fail_msg("%s\n%s", job.said.text, body);
	uint32_t after = 0;
	for (uint32_t id = FIRST; id < END; id++) {
		const struct spb_module *m = &job.u.m;
		if (!m->def[id])
			continue;
		after++;
		snprintf(found + strlen(found), sizeof found - strlen(found), "%s%u", *found ? " " : "", id);
		for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++)
			strcat(found, spb_op(m, m->note[i].at) == SpvOpDecorate ? "N" : "");
	}
	assert_int_equal(job.changed, after < job.before);
	if (strcmp(found, left) != 0)
		fail_msg("%s%s is left of\n%s", notes, found, body);
	spb_context *context = job.u.m.context;
	spb_module_release(&job.u.m);
	spb_context_destroy(context);
	free(job.words);
}

enum { NOTHING, BUFFERS, OF_35, OF_7, OTHERS, ALL, BLOCK };
enum { BUFFER, VARIABLE_35, VARIABLE_7, VARIABLE_36, CONSTANT, OBSERVED };

static void loads_are_shared_where_nothing_is_written(void **state)
{
	static const struct {
		const char *pointer, *operands;
		int kind;
	} memories[] = {
	    {"OpAccessChain %22 %30 %18", "", BUFFER},
	    {"OpInBoundsAccessChain %22 %30 %18", " Aligned 4", BUFFER},
	    {"OpAccessChain %22 %30 %18", " Volatile", OBSERVED},
	    {"OpAccessChain %22 %30 %18", " Volatile|Aligned 4", OBSERVED},
	    {"OpAccessChain %24 %33 %18", "", BUFFER},
	    {"OpAccessChain %26 %34 %18", "", CONSTANT},
	    {"OpAccessChain %22 %31 %18", "", OBSERVED},
	    {"OpAccessChain %22 %32 %18", "", OBSERVED},
	    {"OpAccessChain %22 %37 %18", "", OBSERVED}, /* some member is volatile */
	    {"OpAccessChain %22 %38 %18 %18", "", OBSERVED},
	    {"OpCopyObject %27 %35", "", VARIABLE_35},
	    {"OpCopyObject %28 %36", "", VARIABLE_36},
	    {"OpCopyObject %29 %7", "", VARIABLE_7},
	};
	static const struct {
		const char *text;
		int writes;
	} between[] = {
	    {"", NOTHING},
	    {"OpLine %5 1 1\nOpNoLine\n", NOTHING},
	    {"%100 = OpExtInst %10 %2 1 %18\n", NOTHING},
	    {"%100 = OpExtInst %13 %1 Sqrt %50\n", NOTHING},
	    {"%100 = OpExtInst %13 %1 Modf %50 %80\n", ALL},
	    {"%100 = OpExtInst %13 %1 Frexp %50 %80\n", ALL},
	    {"%100 = OpExtInst %13 %3 fract %50 %80\n", ALL},
	    {"%100 = OpIAdd %12 %18 %19\n%101 = OpSelect %12 %55 %18 %19\n", NOTHING},
	    {"%100 = OpVectorShuffle %46 %48 %48 0 1\n%101 = OpCompositeExtract %12 %48 0\n", NOTHING},
	    {"%100 = OpCompositeInsert %46 %18 %48 0\n%101 = OpCompositeConstruct %46 %18 %18\n", NOTHING},
	    {"%100 = OpLoad %12 %40\n%101 = OpAccessChain %22 %39 %18\n%102 = OpCopyObject %12 %18\n", NOTHING},
	    {"%101 = OpAccessChain %22 %39 %18\nOpStore %101 %18\n", BUFFERS},
	    {"%101 = OpAccessChain %22 %30 %19\nOpStore %101 %18 Aligned 4\n", BUFFERS},
	    {"%101 = OpAccessChain %22 %30 %19\nOpStore %101 %18 Volatile\n", ALL},
	    {"OpImageWrite %83 %48 %59\n", BUFFERS},
	    {"%100 = OpImageRead %51 %83 %48\n", NOTHING},
	    {"OpStore %35 %18\n", OF_35},
	    {"%100 = OpCopyObject %27 %35\n%101 = OpCopyObject %27 %100\nOpStore %101 %18\n", OF_35},
	    {"OpStore %7 %18\n", OF_7},
	    {"OpStore %40 %18\nOpStore %8 %18\nOpStore %80 %50\n", OTHERS},
	    {"OpStore %40 %18 Volatile\n", ALL},
	    {"%100 = OpSelect %27 %55 %40 %35\nOpStore %100 %18\n", ALL}, /* some variable */
	    {"OpCopyMemory %40 %7\n", ALL},
	    {"%100 = OpAtomicIAdd %12 %36 %19 %18 %18\n", ALL},
	    {"OpMemoryBarrier %19 %18\n", ALL},
	    {"OpControlBarrier %19 %19 %18\n", ALL},
	    {"%100 = OpFunctionCall %10 %90\n", ALL},
	    {"OpEmitVertex\n", ALL},
	    {"OpBranch %100\n%100 = OpLabel\n", BLOCK},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(memories); i++) {
		for (size_t k = 0; k < SPB_COUNT(between); k++) {
			char body[1000], left[100];
			const char *pointer = memories[i].pointer, *operands = memories[i].operands;
			int kind = memories[i].kind, writes = between[k].writes;
			bool chain = !strstr(pointer, "Copy"), lost = writes == BLOCK;
			lost |= kind == OBSERVED || (kind != CONSTANT && writes == ALL);
			lost |= (kind == BUFFER && writes == BUFFERS) || (kind == VARIABLE_35 && writes == OF_35) ||
				(kind == VARIABLE_7 && writes == OF_7);
			snprintf(body, sizeof body,
				 "%%60 = %s\n%%61 = OpLoad %%12 %%60%s\n%%62 = OpAccessChain %%17 %%9 %%61\n"
				 "%%63 = OpLoad %%14 %%62\n%s%%70 = %s\n%%71 = OpLoad %%12 %%70%s\n"
				 "%%72 = OpAccessChain %%17 %%9 %%71\n%%73 = OpLoad %%14 %%72\n",
				 pointer, operands, between[k].text, pointer, operands);
			/* a chain is the same as before; where the load is observed, nobody asks for its pointer */
			snprintf(left, sizeof left, "60 61 62 63%s%s",
				 !chain || writes == BLOCK || kind == OBSERVED ? " 70" : "", lost ? " 71 72 73" : "");
			check("OpName %63 \"first\"\nOpName %73 \"second\"\n", body, left);
		}
	}
}

/* Two images: %63 and %73, whose indexes are computed in between, from loads that are shared. */
static void equal_instructions_have_equal_operands(void **state)
{
	static const struct {
		const char *notes, *body, *left;
	} rows[] = {
	    {"", "%61 = OpIAdd %12 %18 %19\n%71 = OpIAdd %12 %18 %19\n", "61 62 63"},
	    {"", "%61 = OpIAdd %12 %18 %19\n%71 = OpIAdd %12 %19 %18\n", "61 62 63 71 72 73"},
	    {"", "%61 = OpIAdd %12 %18 %19\n%71 = OpISub %12 %18 %19\n", "61 62 63 71 72 73"},
	    {"", "%61 = OpCopyObject %12 %18\n%71 = OpCopyObject %12 %18\n", "61 62 63 71"},
	    {"", "%61 = OpCopyObject %12 %18\n%71 = OpCopyObject %12 %19\n", "61 62 63 71 72 73"},
	    {"", "%61 = OpCompositeExtract %12 %48 0\n%71 = OpCompositeExtract %12 %48 0\n", "61 62 63"},
	    {"", "%61 = OpCompositeExtract %12 %48 0\n%71 = OpCompositeExtract %12 %48 1\n", "61 62 63 71 72 73"},
	    {"",
	     "%60 = OpCompositeConstruct %46 %18 %19\n%61 = OpCompositeExtract %12 %60 0\n"
	     "%70 = OpCompositeConstruct %46 %18 %19\n%71 = OpCompositeExtract %12 %70 0\n",
	     "60 61 62 63"},
	    {"",
	     "%60 = OpVectorShuffle %46 %48 %48 0 1\n%61 = OpCompositeExtract %12 %60 0\n"
	     "%70 = OpVectorShuffle %46 %48 %48 0 1\n%71 = OpCompositeExtract %12 %70 0\n",
	     "60 61 62 63"},
	    {"",
	     "%60 = OpVectorShuffle %46 %48 %48 0 1\n%61 = OpCompositeExtract %12 %60 0\n"
	     "%70 = OpVectorShuffle %46 %48 %48 0 3\n%71 = OpCompositeExtract %12 %70 0\n",
	     "60 61 62 63 70 71 72 73"},
	    {"",
	     "%60 = OpDPdx %13 %50\n%61 = OpConvertFToU %12 %60\n%70 = OpDPdx %13 %50\n"
	     "%71 = OpConvertFToU %12 %70\n",
	     "60 61 62 63 70 71 72 73"},
	    {"", "%61 = OpSelect %12 %55 %18 %19\n%71 = OpSelect %12 %55 %18 %19\n", "61 62 63 71 72 73"},
	    /* decorations */
	    {"OpDecorate %71 NonUniform\n", "%61 = OpIAdd %12 %18 %19\n%71 = OpIAdd %12 %18 %19\n", "61N 62 63"},
	    {"OpDecorate %61 NonUniform\n", "%61 = OpIAdd %12 %18 %19\n%71 = OpIAdd %12 %18 %19\n", "61N 62 63"},
	    {"OpDecorate %73 NonUniform\nOpDecorate %72 NonUniform\n",
	     "%61 = OpIAdd %12 %18 %19\n%71 = OpIAdd %12 %18 %19\n", "61 62N 63N"},
	    {"OpDecorate %71 RelaxedPrecision\n", "%61 = OpIAdd %12 %18 %19\n%71 = OpIAdd %12 %18 %19\n",
	     "61 62 63 71N 72 73"},
	    {"OpDecorate %61 RelaxedPrecision\n", "%61 = OpIAdd %12 %18 %19\n%71 = OpIAdd %12 %18 %19\n",
	     "61N 62 63 71 72 73"},
	    {"OpDecorate %71 NonUniform\n", "%61 = OpCopyObject %12 %18\n%71 = OpCopyObject %12 %18\n",
	     "61 62 63 71N 72 73"}, /* another value: only the copy is marked */
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char body[1000];
		snprintf(body, sizeof body,
			 "%s%%62 = OpAccessChain %%17 %%9 %%61\n%%63 = OpLoad %%14 %%62\n"
			 "%%72 = OpAccessChain %%17 %%9 %%71\n%%73 = OpLoad %%14 %%72\n",
			 rows[i].body);
		check(rows[i].notes, body, rows[i].left);
	}
	check("OpDecorate %72 RelaxedPrecision\n", /* which is not that of %71 */
	      "%61 = OpIAdd %12 %18 %19\n%62 = OpAccessChain %17 %9 %61\n%63 = OpLoad %14 %62\n"
	      "%71 = OpIAdd %12 %18 %19\n%72 = OpAccessChain %17 %9 %71\n%73 = OpLoad %14 %72\n",
	      "61 62 63 72N 73");
	check("OpDecorate %72 NonUniform\nOpDecorate %74 NonUniform\n", /* said once of the one that is left */
	      "%62 = OpAccessChain %17 %9 %18\n%72 = OpAccessChain %17 %9 %18\n%74 = OpAccessChain %17 %9 %18\n",
	      "62N");
	check("", "%62 = OpAccessChain %17 %9 %18\n%72 = OpAccessChain %17 %9 %18\n", "62");
	check("", "%62 = OpAccessChain %17 %9 %18\n", "62");
	check("", /* pointers in a circle, of no variable */
	      "%60 = OpCopyObject %27 %70\n%61 = OpLoad %12 %60\n%62 = OpAccessChain %17 %9 %61\n"
	      "%63 = OpLoad %14 %62\n%70 = OpCopyObject %27 %60\n%71 = OpLoad %12 %70\n"
	      "%72 = OpAccessChain %17 %9 %71\n%73 = OpLoad %14 %72\n",
	      "60 61 62 63 70 71 72 73");
	check("", /* of another heap, or of one that is made anew from built-in ones */
	      "%62 = OpAccessChain %17 %9 %18\n%63 = OpLoad %14 %62\n%72 = OpAccessChain %17 %82 %18\n"
	      "%73 = OpLoad %14 %72\n%74 = OpAccessChain %17 %82 %18\n%75 = OpLoad %14 %74\n",
	      "62 63 72 73 74 75");
	check("", /* three */
	      "%62 = OpAccessChain %17 %9 %18\n%63 = OpLoad %14 %62\n%72 = OpAccessChain %17 %9 %18\n"
	      "%73 = OpLoad %14 %72\n%74 = OpInBoundsAccessChain %17 %9 %18\n%75 = OpLoad %14 %72\n"
	      "%76 = OpLoad %14 %74\n%77 = OpCopyObject %14 %76\n",
	      "62 63 74 76 77");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(loads_are_shared_where_nothing_is_written),
	    cmocka_unit_test(equal_instructions_have_equal_operands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
