/* SPDX-License-Identifier: Apache-2.0 */
/* Where pointers to the buffers of handles flow (pass/handles/handle_flow.c): each instruction that may move one, and
 * each reason to refuse; and which functions are called with which (pass/handles/handle_calls.c);
 * and which numbers become addresses again (pass/handles/handle_numbers.c). */
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

/* Handles of buffers: %60, a storage buffer, and %61, a uniform one. %62 is a device address, %63 a pointer to memory
 * that holds one. %52, %53 and %54 are variables, %59 is Private. */
#define FIVE " %3 %3 %3 %3 %3"
#define FLOW                                                                                                           \
	"OpCapability Shader\nOpCapability PhysicalStorageBufferAddresses\nOpCapability VariablePointers\n"            \
	"OpCapability Int64\nOpCapability Linkage\nOpCapability Addresses\n"                                           \
	"%80 = OpExtInstImport \"NonSemantic.DescriptorHandle\"\n"                                                     \
	"%81 = OpExtInstImport \"NonSemantic.Remarks\"\n%82 = OpExtInstImport \"GLSL.std.450\"\n"                      \
	"OpMemoryModel PhysicalStorageBuffer64 GLSL450\nOpDecorate %200 LinkageAttributes \"shared\" Export\n"         \
	"OpDecorate %203 LinkageAttributes \"elsewhere\" Import\n%1 = OpTypeInt 32 0\n%2 = OpTypeStruct %1\n"          \
	"%3 = OpTypePointer PhysicalStorageBuffer %2\n%4 = OpTypePointer PhysicalStorageBuffer %1\n"                   \
	"%5 = OpConstant %1 3\n%6 = OpTypeVoid\n%7 = OpTypeFunction %6\n%8 = OpTypeBool\n"                             \
	"%9 = OpConstant %1 0\n%10 = OpTypeVector %1 2\n%11 = OpConstantComposite %10 %5 %5\n"                         \
	"%12 = OpTypeInt 64 0\n%13 = OpTypePointer Function %3\n%14 = OpConstantTrue %8\n"                             \
	"%15 = OpConstant %12 4096\n%16 = OpTypeStruct %3\n%17 = OpTypePointer PhysicalStorageBuffer %16\n"            \
	"%18 = OpTypePointer PhysicalStorageBuffer %3\n%19 = OpTypeArray %3 %5\n"                                      \
	"%20 = OpTypeStruct %3 %1 %19\n%21 = OpTypePointer Function %20\n%22 = OpTypePointer Private %3\n"             \
	"%23 = OpConstantNull %3\n%24 = OpConstant %1 2\n%25 = OpTypeFunction %3 %3\n"                                 \
	"%26 = OpTypeFunction %3 %3 %3\n%27 = OpConstantNull %12\n%28 = OpConstant %12 0\n"                            \
	"%29 = OpConstantNull %10\n%30 = OpTypeFloat 32\n%31 = OpTypeVector %30 2\n"                                   \
	"%32 = OpTypeFunction %6 %4\n%33 = OpTypePointer Function %19\n%34 = OpUndef %3\n"                             \
	"%35 = OpTypeFunction %6 %3\n%36 = OpTypeFunction %6 %13\n%37 = OpTypeFunction %20 %20\n"                      \
	"%38 = OpConstantComposite %19 %23 %23 %23\n%39 = OpUndef %20\n%40 = OpTypeVector %1 4\n"                      \
	"%41 = OpTypeFunction %3 %3 %3 %13\n%42 = OpTypePointer Function %10\n%305 = OpUndef %2\n"                     \
	"%43 = OpTypeStruct" FIVE FIVE FIVE FIVE FIVE FIVE FIVE FIVE FIVE FIVE FIVE FIVE FIVE "\n"                     \
	"%44 = OpUndef %43\n%45 = OpTypeStruct %3 %3\n%46 = OpTypeImage %30 2D 0 0 0 1 Unknown\n"                      \
	"%47 = OpTypeSampledImage %46\n%48 = OpTypePointer UniformConstant %47\n"                                      \
	"%49 = OpVariable %48 UniformConstant\n%55 = OpTypePointer Private %20\n"                                      \
	"%58 = OpVariable %55 Private\n%56 = OpTypeFunction %3 %1\n%399 = OpTypeFunction %6 %22\n"                     \
	"%57 = OpTypeFunction %6 %3 %3 %3 %3 %3 %3 %3\n%59 = OpVariable %22 Private\n"                                 \
	"%398 = OpTypeVector %8 2\n%397 = OpTypePointer Function %12\n%396 = OpTypeArray %12 %5\n"                     \
	"%395 = OpTypePointer Function %396\n%394 = OpTypeFunction %12 %12 %12\n"                                      \
	"%50 = OpFunction %6 None %7\n%51 = OpLabel\n%52 = OpVariable %13 Function\n"                                  \
	"%53 = OpVariable %21 Function\n%54 = OpVariable %13 Function\n%86 = OpVariable %397 Function\n"               \
	"%87 = OpVariable %397 Function\n%88 = OpVariable %395 Function\n%60 = OpExtInst %3 %80 2 %11\n"               \
	"%61 = OpExtInst %3 %80 3 %11\n%63 = OpConvertUToPtr %17 %15\n%64 = OpAccessChain %18 %63 %9\n"                \
	"%62 = OpLoad %3 %64 Aligned 8\n"
/* Functions: %200 is exported and %203 imported; %210 returns its parameter, %220 one of two, %230 writes to it, %240
 * keeps it, %250 calls %255, which is like %220, the other way round, %260 fills memory, %270 returns a struct, %280
 * has a pointer into a buffer, %290 makes an address, %300 puts a handle into a struct and %310 an address, %320 keeps
 * a struct, %330 returns a handle, %340 writes to memory, %350 calls %210, %370 calls %205 with a handle, %380 reads
 * Private memory, and %390 returns the first of two numbers. */
#define FLOW_END                                                                                                       \
	"OpReturn\nOpFunctionEnd\n%200 = OpFunction %3 None %25\n%201 = OpFunctionParameter %3\n"                      \
	"%202 = OpLabel\nOpReturnValue %23\nOpFunctionEnd\n%203 = OpFunction %6 None %35\n"                            \
	"%204 = OpFunctionParameter %3\nOpFunctionEnd\n%210 = OpFunction %3 None %25\n"                                \
	"%211 = OpFunctionParameter %3\n%212 = OpLabel\nOpReturnValue %211\nOpFunctionEnd\n"                           \
	"%220 = OpFunction %3 None %26\n%221 = OpFunctionParameter %3\n%222 = OpFunctionParameter %3\n"                \
	"%223 = OpLabel\n%224 = OpSelect %3 %14 %221 %222\nOpReturnValue %224\nOpFunctionEnd\n"                        \
	"%230 = OpFunction %6 None %35\n%231 = OpFunctionParameter %3\n%232 = OpLabel\n"                               \
	"%233 = OpAccessChain %4 %231 %9\nOpStore %233 %5 Aligned 4\nOpReturn\nOpFunctionEnd\n"                        \
	"%240 = OpFunction %6 None %35\n%241 = OpFunctionParameter %3\n%242 = OpLabel\nOpStore %59 %241\n"             \
	"OpReturn\nOpFunctionEnd\n%250 = OpFunction %3 None %26\n%251 = OpFunctionParameter %3\n"                      \
	"%252 = OpFunctionParameter %3\n%253 = OpLabel\n%254 = OpFunctionCall %3 %255 %252 %251\n"                     \
	"OpReturnValue %251\nOpFunctionEnd\n%255 = OpFunction %3 None %26\n%256 = OpFunctionParameter %3\n"            \
	"%257 = OpFunctionParameter %3\n%258 = OpLabel\n%259 = OpSelect %3 %14 %256 %257\nOpReturnValue "              \
	"%259\nOpFunctionEnd\n"                                                                                        \
	"%260 = OpFunction %6 None %36\n%261 = OpFunctionParameter %13\n"                                              \
	"%262 = OpLabel\n%263 = OpExtInst %3 %80 2 %11\nOpStore %261 %263\nOpReturn\nOpFunctionEnd\n"                  \
	"%270 = OpFunction %20 None %37\n%271 = OpFunctionParameter %20\n%272 = OpLabel\nOpReturnValue %271\n"         \
	"OpFunctionEnd\n%280 = OpFunction %6 None %32\n%281 = OpFunctionParameter %4\n%282 = OpLabel\n"                \
	"OpReturn\nOpFunctionEnd\n%290 = OpFunction %3 None %25\n%291 = OpFunctionParameter %3\n"                      \
	"%292 = OpLabel\n%293 = OpConvertUToPtr %3 %15\n%294 = OpSelect %3 %14 %291 %293\n"                            \
	"OpReturnValue %294\nOpFunctionEnd\n%300 = OpFunction %20 None %37\n%301 = OpFunctionParameter %20\n"          \
	"%302 = OpLabel\n%303 = OpExtInst %3 %80 2 %11\nOpStore %303 %305\n"                                           \
	"%304 = OpCompositeInsert %20 %303 %301 2 0\nOpReturnValue %304\nOpFunctionEnd\n"                              \
	"%310 = OpFunction %20 None %37\n%311 = OpFunctionParameter %20\n%312 = OpLabel\n"                             \
	"%313 = OpConvertUToPtr %3 %15\n%314 = OpCompositeInsert %20 %313 %311 2 0\nOpReturnValue %314\n"              \
	"OpFunctionEnd\n%320 = OpFunction %20 None %37\n%321 = OpFunctionParameter %20\n%322 = OpLabel\n"              \
	"OpStore %58 %321\nOpReturnValue %321\nOpFunctionEnd\n%330 = OpFunction %3 None %56\n"                         \
	"%331 = OpFunctionParameter %1\n%332 = OpLabel\n%333 = OpExtInst %3 %80 2 %11\nOpReturnValue %333\n"           \
	"OpFunctionEnd\n%340 = OpFunction %6 None %32\n%341 = OpFunctionParameter %4\n%342 = OpLabel\n"                \
	"OpStore %341 %5 Aligned 4\nOpReturn\nOpFunctionEnd\n%350 = OpFunction %3 None %25\n"                          \
	"%351 = OpFunctionParameter %3\n%352 = OpLabel\n%353 = OpFunctionCall %3 %210 %351\n"                          \
	"OpReturnValue %353\nOpFunctionEnd\n%205 = OpFunction %3 None %25\n%206 = OpFunctionParameter %3\n"            \
	"%207 = OpLabel\nOpReturnValue %206\nOpFunctionEnd\n%370 = OpFunction %6 None %7\n%371 = OpLabel\n"            \
	"%372 = OpExtInst %3 %80 2 %11\n%373 = OpFunctionCall %3 %205 %372\nOpReturn\nOpFunctionEnd\n"                 \
	"%390 = OpFunction %12 None %394\n%391 = OpFunctionParameter %12\n%392 = OpFunctionParameter %12\n"            \
	"%393 = OpLabel\nOpReturnValue %391\nOpFunctionEnd\n%380 = OpFunction %6 None %399\n"                          \
	"%381 = OpFunctionParameter %22\n%382 = OpLabel\n%383 = OpLoad %3 %381\nOpReturn\nOpFunctionEnd\n"

struct flow_job {
	struct job job;
	struct spb_handle_flow f;
};

static void follow(void *argument)
{
	struct flow_job *flow = argument;

	struct spb_module *m = &flow->job.unit.m;
	uint32_t *opaque = spb_bits(&m->context->scratch, m->bound);

	spb_set_bit(opaque, 47);
	spb_follow_handles(&flow->f, &flow->job.unit, opaque);
}

/* "60 S 53 S,A": the leaves of ids; S: of handles of storage buffers, U: of uniform ones, A: of addresses, and which of
 * them are W: written and G: seen by all functions. */
static void say_flags(struct spb_handle_flow *f, const uint32_t *ids, char *text, size_t size)
{
	size_t used = 0;

	for (; *ids; ids++) {
		used += (size_t)snprintf(text + used, size - used, "%s%u ", used ? " " : "", *ids);
		for (uint32_t k = 0; f->node_of[*ids] && k < spb_pointer_leaves_of(&f->leaves, *ids); k++) {
			unsigned flags = f->nodes.items[spb_leaf_class(f, f->node_of[*ids] - 1 + k)].flags;
			used += (size_t)snprintf(text + used, size - used, "%s", k ? "," : "");
			for (int bit = 0; bit < 5; bit++) {
				if (flags & 1u << bit)
					used += (size_t)snprintf(text + used, size - used, "%c", "SUAWG"[bit]);
			}
		}
	}
}

/* With --lower-buffer-references, or without. `flags`: as above, or what is said of a module that is refused. */
static void check_flow(const char *body, const uint32_t *ids, const char *flags, bool references)
{
	static char text[20000];
	char found[300] = "";
	struct flow_job flow = {0};
	spb_options options;

	snprintf(text, sizeof text, "%s%s%s", FLOW, body, FLOW_END);
	begin(&flow.job, text);
	spb_options_init(&options, sizeof options);
	options.handles.lower_buffer_references = references;
	options.heaps.combined = references ? SPB_COMBINED_NATIVE : SPB_COMBINED_SPLIT;
	flow.job.unit.options = &options;
	if (!caught(flow.job.unit.m.context, follow, &flow))
		say_flags(&flow.f, ids, found, sizeof found);
	else if (strstr(said, flags))
		snprintf(found, sizeof found, "%s", flags);
	if (strcmp(found, flags) != 0)
		fail_msg("%s%s\n%s", body, found, said);
	end(&flow.job);
}

static void pointers_flow_where_instructions_take_them(void **state)
{
	static const struct {
		const char *body;
		uint32_t ids[6];
		const char *flags; /* or what is said of a module that is refused */
	} rows[] = {
	    {"", {60, 61, 62, 64, 52}, "60 S 61 U 62 A 64  52 "},
	    /* memory of the invocation */
	    {"OpStore %52 %60\n%70 = OpLoad %3 %52\n", {52, 70, 54}, "52 S 70 S 54 "},
	    {"OpStore %59 %60\n%70 = OpLoad %3 %59\n", {59, 70}, "59 SG 70 SG"},
	    {"%70 = OpAccessChain %13 %53 %9\nOpStore %70 %60\n", {53, 70}, "53 S, 70 S"},
	    {"%70 = OpAccessChain %13 %53 %24 %5\nOpStore %70 %61\n", {53, 70}, "53 ,U 70 U"},
	    {"%70 = OpInBoundsAccessChain %33 %53 %24\n%71 = OpAccessChain %13 %70 %1\nOpStore %71 %61\n",
	     {53, 70, 71},
	     "53 ,U 70 U 71 U"},
	    {"%70 = OpAccessChain %13 %53 %9\nOpStore %70 %60\n%71 = OpLoad %20 %53\n"
	     "%72 = OpCompositeExtract %3 %71 0\n%73 = OpCompositeExtract %3 %71 2 1\n"
	     "%74 = OpCompositeExtract %19 %71 2\n%75 = OpCompositeExtract %1 %71 1\n",
	     {71, 72, 73, 74, 75},
	     "71 S, 72 S 73  74  75 "},
	    {"%70 = OpCompositeConstruct %19 %61 %61 %23\n%71 = OpCompositeConstruct %20 %60 %5 %70\n"
	     "OpStore %53 %71\n",
	     {70, 71, 53},
	     "70 U 71 S,U 53 S,U"},
	    {"%70 = OpCompositeConstruct %20 %62 %5 %38\n%71 = OpCompositeInsert %20 %60 %70 2 0\n",
	     {70, 71},
	     "70 A,S 71 A,S"},
	    {"%71 = OpCompositeInsert %20 %60 %39 0\n", {71}, "71 S,"},
	    {"%71 = OpCompositeInsert %20 %60 %39 1 0\n", {71}, "71 ,"},
	    {"%71 = OpCompositeInsert %20 %5 %39 1\n%72 = OpCompositeInsert %20 %60 %71 2 1\n",
	     {71, 72},
	     "71 ,S 72 ,S"},
	    {"%70 = OpAccessChain %4 %60 %9\n%71 = OpCompositeInsert %20 %70 %39 0\n",
	     {60},
	     "is used in a way that only a device address allows here (OpCompositeInsert)"},
	    {"OpStore %52 %60\nOpCopyMemory %54 %52\n", {54}, "54 S"},
	    {"OpStore %52 %62\nOpCopyMemory %54 %52\n", {54}, "54 A"},
	    {"OpStore %52 %60\n%70 = OpCopyObject %13 %52\n%71 = OpLoad %3 %70\n", {70, 71}, "70 S 71 S"},
	    {"%70 = OpCopyObject %3 %60\n%71 = OpCopyLogical %3 %61\n", {70, 71}, "70 S 71 U"},
	    /* memory of a buffer */
	    {"OpStore %64 %60 Aligned 8\n",
	     {0},
	     "the buffer dereferenced as %60 is stored to memory outside the invocation here (OpStore), which is "
	     "impossible for a descriptor in a heap; store the handle, a uint2, and dereference it where it is read"},
	    {"OpStore %64 %62 Aligned 8\n", {63, 62}, "63 AW 62 A"},
	    {"OpStore %52 %60\nOpCopyMemory %64 %52\n", {0}, "outside the invocation here (OpCopyMemory)"},
	    {"OpCopyMemory %52 %64\nOpStore %52 %60\n", {0}, "outside the invocation here (OpCopyMemory)"},
	    {"OpCopyMemory %52 %64\n", {52, 63}, "52 A 63 A"},
	    {"OpCopyMemory %60 %61\n", {60, 61}, "60 SW 61 U"},
	    {"OpCopyMemory %61 %60\n", {0}, "OpCopyMemory needs a storage buffer, but"},
	    {"%70 = OpLoad %2 %61 Aligned 4\nOpStore %60 %70 Aligned 4\n", {60, 61}, "60 SW 61 U"},
	    {"%70 = OpLoad %2 %60 Aligned 4\nOpStore %61 %70 Aligned 4\n", {0}, "OpStore needs a storage buffer"},
	    {"%70 = OpAccessChain %4 %60 %9\n%71 = OpCopyObject %4 %70\nOpStore %71 %5 Aligned 4\n",
	     {60, 70, 71},
	     "60 SW 70  71 "},
	    {"%70 = OpAccessChain %4 %61 %9\n%71 = OpCopyObject %4 %70\nOpStore %71 %5 Aligned 4\n",
	     {0},
	     "OpStore needs a storage buffer"},
	    {"%70 = OpAccessChain %4 %61 %9\n%71 = OpAtomicIAdd %1 %70 %5 %9 %5\n",
	     {0},
	     "OpAtomicIAdd needs a storage"},
	    {"%70 = OpAccessChain %4 %60 %9\n%71 = OpAtomicIAdd %1 %70 %5 %9 %5\n", {60}, "60 SW"},
	    {"%70 = OpExtInst %30 %82 Modf %30 %62\n", {62}, "62 AW"},
	    {"%70 = OpPtrAccessChain %4 %60 %9 %9\n", {60, 70}, "60 S 70 "},
	    {"%70 = OpPtrAccessChain %4 %60 %5 %9\n",
	     {0},
	     "is the base of pointer arithmetic here (OpPtrAccessChain), which is impossible for a descriptor in a "
	     "heap; index an array in the block"},
	    {"%70 = OpInBoundsPtrAccessChain %4 %60 %5 %9\n", {0}, "is the base of pointer arithmetic"},
	    {"%70 = OpAccessChain %13 %60 %9\n", {0}, "is used in a way that only a device address allows"},
	    /* choices */
	    {"%70 = OpSelect %3 %14 %60 %60\n%71 = OpSelect %3 %14 %62 %23\n%72 = OpSelect %3 %14 %34 %61\n",
	     {70, 71, 72},
	     "70 S 71 A 72 U"},
	    {"%70 = OpSelect %3 %14 %60 %62\n",
	     {0},
	     "dereferenced as %60 meets a device address that is loaded from memory here (OpLoad), which is impossible "
	     "for a descriptor in a heap; keep handles and device addresses in separate"},
	    {"%70 = OpSelect %3 %14 %62 %60\n", {0}, "meets a device address that is loaded from memory here (OpLoad)"},
	    {"%70 = OpSelect %3 %14 %60 %61\n", {0}, "meets one that is dereferenced the other way"},
	    {"OpBranch %90\n%90 = OpLabel\n%70 = OpPhi %3 %60 %51 %70 %90\nOpBranch %90\n%91 = OpLabel\n"
	     "%71 = OpPhi %3 %23 %51 %62 %90\n",
	     {70, 71},
	     "70 S 71 A"},
	    {"OpBranch %90\n%90 = OpLabel\n%70 = OpPhi %3 %23 %51 %61 %90\n", {70}, "70 U"},
	    {"%70 = OpSelect %1 %14 %5 %9\n", {70}, "70 "},
	    /* numbers */
	    {"%70 = OpConvertUToPtr %3 %15\n%71 = OpSelect %3 %14 %70 %60\n",
	     {0},
	     "meets a device address that is converted from an integer here (OpConvertUToPtr)"},
	    {"%70 = OpBitcast %3 %11\n%71 = OpSelect %3 %14 %70 %60\n",
	     {0},
	     "dereferenced as %60 meets a device address that is converted from an integer here (OpBitcast), which is "
	     "impossible for a descriptor in a heap; keep handles and device addresses in separate"},
	    {"%70 = OpConvertUToPtr %3 %27\n%71 = OpSelect %3 %14 %70 %60\n", {70}, "70 S"},
	    {"%70 = OpConvertUToPtr %3 %28\n%71 = OpSelect %3 %14 %70 %60\n", {70}, "70 S"},
	    {"%70 = OpBitcast %3 %29\n%71 = OpSelect %3 %14 %61 %70\n", {70}, "70 U"},
	    {"%70 = OpConvertUToPtr %3 %15\n%71 = OpConvertUToPtr %3 %28\n", {70, 71}, "70 A 71 "},
	    {"%70 = OpConvertPtrToU %12 %60\n%71 = OpBitcast %10 %61\n%72 = OpBitcast %12 %60\n",
	     {60, 61, 70},
	     "60 S 61 U 70 "},
	    {"%70 = OpBitcast %31 %60\n",
	     {0},
	     "%60 is converted to something other than a pointer, a uint2 or a 64-bit"},
	    {"%70 = OpAccessChain %4 %60 %9\n%71 = OpConvertPtrToU %12 %70\n",
	     {0},
	     "%60 is converted to a number as a pointer into the buffer here (OpConvertPtrToU), which"},
	    {"%70 = OpBitcast %4 %60\n", {70}, "70 S"},
	    {"%70 = OpAccessChain %4 %60 %9\n%71 = OpBitcast %3 %70\n",
	     {0},
	     "%60 is cast as a pointer into the buffer here"},
	    /* calls */
	    {"%70 = OpFunctionCall %3 %210 %60\n%71 = OpFunctionCall %3 %210 %62\n%72 = OpFunctionCall %3 %210 %61\n",
	     {70, 71, 72, 211},
	     "70 S 71 A 72 U 211 "},
	    {"%70 = OpFunctionCall %3 %220 %60 %60\n%71 = OpFunctionCall %3 %220 %62 %23\n"
	     "%72 = OpFunctionCall %3 %220 %34 %61\n",
	     {70, 71, 72, 224},
	     "70 S 71 A 72 U 224 "},
	    {"%70 = OpFunctionCall %3 %220 %60 %62\n", {0}, "that is loaded from memory"},
	    {"%70 = OpFunctionCall %3 %220 %61 %60\n", {0}, "the other way"},
	    {"%70 = OpFunctionCall %6 %230 %60\n", {60, 231, 61}, "60 SW 231 W 61 U"},
	    {"%70 = OpFunctionCall %6 %230 %61\n", {0}, "OpStore needs a storage buffer"},
	    {"%70 = OpFunctionCall %6 %240 %60\n%71 = OpLoad %3 %59\n", {60, 59, 71, 241}, "60 SG 59 SG 71 SG 241 SG"},
	    {"%70 = OpFunctionCall %6 %240 %60\n%71 = OpFunctionCall %6 %240 %62\n", {0}, "loaded from memory"},
	    {"%70 = OpFunctionCall %3 %250 %60 %60\n", {251, 252, 254, 70}, "251  252  254  70 S"},
	    {"%70 = OpFunctionCall %3 %250 %60 %62\n", {0}, "loaded from memory"},
	    {"%70 = OpFunctionCall %6 %260 %52\n%71 = OpFunctionCall %6 %260 %54\nOpStore %54 %60\n",
	     {52, 54, 261},
	     "52 S 54 S 261 S"},
	    {"OpStore %52 %62\n%70 = OpFunctionCall %6 %260 %52\n", {0}, "loaded from memory"},
	    {"%70 = OpCompositeInsert %20 %60 %39 0\n%71 = OpCompositeInsert %20 %62 %70 2 2\n"
	     "%72 = OpFunctionCall %20 %270 %71\n",
	     {72, 271},
	     "72 S,A 271 ,"},
	    {"%70 = OpFunctionCall %3 %290 %23\n", {70, 291}, "70 A 291 A"},
	    {"%70 = OpFunctionCall %3 %290 %60\n", {0}, "converted from an integer here (OpConvertUToPtr)"},
	    {"%70 = OpAccessChain %4 %60 %9\n%71 = OpFunctionCall %6 %280 %70\n",
	     {0},
	     "passed to a function as a pointer into the buffer here (OpFunctionCall), which is impossible for a "
	     "descriptor in a heap; pass the whole block, and"},
	    {"%70 = OpFunctionCall %6 %280 %60\n", {60, 281}, "60 S 281 "},
	    {"%70 = OpFunctionCall %3 %210 %60 %62\n", {62, 70}, "62 A 70 S"},
	    {"%70 = OpFunctionCall %3 %210 %62 %60\n", {0}, "passed to a function as a pointer"},
	    {"%70 = OpFunctionCall %3 %60 %62\n", {70, 62}, "70 A 62 A"},
	    {"%70 = OpFunctionCall %4 %210 %60\n", {70, 60, 210}, "70 A 60 S 210 "},
	    {"%70 = OpFunctionCall %3 %200 %23\n", {70, 200, 201}, "70 A 200 A 201 A"},
	    {"%70 = OpFunctionCall %3 %200 %60\n", {0}, "only a device address allows here (OpFunction)"},
	    {"%70 = OpFunctionCall %6 %203 %60\n", {0}, "only a device address allows here (OpFunction)"},
	    {"%70 = OpCompositeInsert %20 %60 %39 0\n%73 = OpCopyObject %20 %39\n"
	     "%71 = OpCompositeInsert %20 %62 %70 2 2\n%74 = OpCopyObject %20 %39\n%72 = OpFunctionCall %20 %270 %71\n",
	     {72},
	     "72 S,A"},
	    {"%73 = OpCopyObject %20 %39\n%70 = OpFunctionCall %20 %300 %39\n", {73, 70, 301}, "73 , 70 ,SW 301 ,SW"},
	    {"%73 = OpCopyObject %20 %39\n%70 = OpFunctionCall %20 %310 %39\n", {73, 70}, "73 , 70 ,A"},
	    {"%73 = OpCopyObject %20 %39\n%70 = OpCompositeInsert %20 %60 %73 2 2\n%74 = OpCopyObject %20 %39\n"
	     "%71 = OpFunctionCall %20 %320 %70\n",
	     {58, 74, 71},
	     "58 G,SG 74 , 71 G,SG"},
	    {"%70 = OpFunctionCall %3 %330 %5\n", {70}, "70 S"},
	    {"%70 = OpFunctionCall %3 %61 %60\n", {0}, "passed to a function as a pointer"},
	    /* what does not fit */
	    {"%70 = OpAccessChain %4 %60 %9\n%71 = OpSelect %4 %14 %70 %70\n", {0}, "address allows here (OpSelect)"},
	    {"%70 = OpCompositeInsert %43 %60 %44 3\n", {0}, "address allows here (OpCompositeInsert)"},
	    {"%71 = OpCopyObject %43 %44\n%70 = OpCompositeExtract %3 %71 5\n", {70}, "70 A"},
	    {"%70 = OpSelect %3 %14 %39 %39\n", {70}, "70 A"},
	    {"%71 = OpCompositeInsert %20 %60 %39 0\n%70 = OpSelect %3 %14 %71 %71\n", {0}, "allows here (OpSelect)"},
	    {"%70 = OpAccessChain %13 %62 %9\n", {70}, "70 A"},
	    {"OpStore %52 %60\n%70 = OpPtrAccessChain %13 %52 %5\n", {0}, "is the base of pointer arithmetic"},
	    {"%70 = OpExtInst %17 %80 2 %11\n%71 = OpAccessChain %18 %70 %9\nOpCopyMemory %52 %71\n",
	     {70, 52},
	     "70 S 52 A"},
	    {"%70 = OpCompositeConstruct %45 %60 %61\n", {70}, "70 S,U"},
	    {"%70 = OpLoad %3 %52\nOpStore %52 %60\n", {52, 70}, "52 S 70 S"},
	    /* messages name the first of several */
	    {"%71 = OpCopyObject %3 %23\nOpStore %71 %305 Aligned 4\n%72 = OpSelect %3 %14 %61 %71\n",
	     {0},
	     "OpStore needs a storage buffer, but %61 dereferences the buffer as a uniform one"},
	    {"OpStore %61 %305 Aligned 4\n%70 = OpAccessChain %4 %61 %9\n%71 = OpAtomicIAdd %1 %70 %5 %9 %5\n",
	     {0},
	     "OpStore needs a storage buffer, but %61 dereferences"},
	    /* opaque values */
	    {"%70 = OpExtInst %47 %80 1 %11\n%71 = OpLoad %47 %49\n%72 = OpImage %46 %70\n",
	     {70, 71, 49},
	     "70 S 71 AG 49 AG"},
	    {"%70 = OpExtInst %47 %80 1 %11\n%71 = OpLoad %47 %49\n%72 = OpSelect %47 %14 %70 %71\n",
	     {0},
	     "the descriptor dereferenced as %70 meets one with a binding, or goes where no handle can (a resource); "
	     "keep handles and bound resources in separate variables, or use --combined=native"},
	    {"%70 = OpExtInst %47 %80 1 %11\n%71 = OpExtInst %30 %82 FAbs %70\n",
	     {0},
	     "the descriptor dereferenced as %70 meets one with a binding, or goes where no handle can (OpExtInst); "
	     "keep"},
	    /* the rest */
	    {"%70 = OpExtInst %3 %80 9 %11\n%71 = OpExtInst %3 %81 9 %11\n", {70, 71}, "70 A 71 "},
	    {"%70 = OpExtInst %31 %82 UnpackSnorm2x16 %5\n", {60}, "60 S"}, /* its number is 60, too */
	    {"%70 = OpPtrEqual %8 %60 %60\n", {0}, "only a device address allows here (OpPtrEqual)"},
	    {"%70 = OpAccessChain %4 %60 %9\n%71 = OpPtrEqual %8 %70 %70\n", {0}, "address allows here (OpPtrEqual)"},
	    {"%70 = OpExtInst %6 %81 1 %60 %52\n", {60, 52}, "60 S 52 "},
	    {"%70 = OpExtInst %3 %82 FAbs %23\n", {70}, "70 A"},
	    {"OpStore %52 %60\n%70 = OpPtrEqual %8 %52 %54\n", {0}, "only a device address allows here (OpPtrEqual)"},
	    {"%70 = OpExtInst %3 %80 2 %11 %11\n", {0}, "instruction 2 of NonSemantic.DescriptorHandle has 2 operands"},
	    {"%70 = OpExtInst %1 %80 2 %11\n", {0}, "a handle is dereferenced to a buffer, but"},
	    {"%70 = OpExtInst %3 %80 2 %5\n", {0}, "is not a vector of two 32-bit integers"},
	};

	static const struct {
		const char *body;
		uint32_t ids[2];
		const char *flags;
	} of_references[] = {
	    {"%70 = OpBitcast %3 %11\n%71 = OpSelect %3 %14 %70 %60\n", {70}, "70 S"},
	    {"%70 = OpBitcast %3 %11\n%71 = OpSelect %3 %14 %62 %70\n", {0}, "dereferenced as %70 meets a device"},
	    {"%70 = OpExtInst %47 %80 1 %11\n%71 = OpLoad %47 %49\n%72 = OpSelect %47 %14 %70 %71\n",
	     {0},
	     "(a resource); keep handles and bound resources in separate variables"},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++)
		check_flow(rows[i].body, rows[i].ids, rows[i].flags, false);
	for (size_t i = 0; i < SPB_COUNT(of_references); i++)
		check_flow(of_references[i].body, of_references[i].ids, of_references[i].flags, true);
}

struct variants_job {
	struct flow_job flow;
	struct spb_variants found;
	spb_options options;
};

static void find_variants(void *argument)
{
	struct variants_job *v = argument;

	follow(&v->flow);
	v->found = spb_find_variants(&v->flow.f);
}

static size_t say_key(struct variants_job *v, uint32_t variant, char *text, size_t size)
{
	const struct spb_function_variant *found = &v->found.list.items[variant];
	const struct spb_handle_flow *f = &v->flow.f;
	uint32_t first = f->calls.first_parameter[found->function], leaves = 0;
	uint32_t end = f->calls.first_parameter[found->function + 1];
	uint32_t id = f->m->words[f->m->function[found->function].at + 2];
	size_t used = (size_t)snprintf(text, size, " ");

	for (uint32_t i = first; i < end; i++)
		leaves += spb_pointer_leaves_of(&f->leaves, f->calls.parameters.items[i]);
	leaves += spb_pointer_leaves_of(&f->leaves, id);
	for (uint32_t k = 0; k < leaves; k++)
		used += (size_t)snprintf(text + used, size - used, "%c", "-SU-A"[found->key[k]]);
	return used;
}

/* "210 SS AA": the variants of functions, in their order, with the kind of each pointer that is a parameter or result;
 * "350 SS > SS AA > AA": with those that each calls. */
static void say_variants(struct variants_job *v, const uint32_t *ids, char *text, size_t size)
{
	const struct spb_module *m = v->flow.f.m;
	size_t used = 0;

	for (; *ids; ids++) {
		uint32_t function = v->flow.f.calls.function_of[*ids] - 1;
		used += (size_t)snprintf(text + used, size - used, "%s%u", used ? " " : "", *ids);
		for (uint32_t n = v->found.of_function[function]; n; n = v->found.list.items[n - 1].next) {
			uint32_t call = v->found.list.items[n - 1].first_call;
			const char *before = " >";
			used += say_key(v, n - 1, text + used, size - used);
			for (spb_at at = m->def[*ids]; at < m->function[function].end; at = spb_next(m, at)) {
				if (spb_op(m, at) != SpvOpFunctionCall)
					continue;
				used += (size_t)snprintf(text + used, size - used, "%s", before);
				used += say_key(v, v->found.calls.items[call++], text + used, size - used);
				before = "";
			}
		}
	}
}

static void begin_variants(struct variants_job *v, const char *body, const char *end_of_it)
{
	static char text[40000];

	*v = (struct variants_job){0};
	snprintf(text, sizeof text, "%s%s%s", FLOW, body, end_of_it);
	begin(&v->flow.job, text);
	spb_options_init(&v->options, sizeof v->options);
	v->flow.job.unit.options = &v->options;
}

static void functions_have_a_variant_for_each_kind_of_call(void **state)
{
	static const struct {
		const char *body;
		uint32_t ids[3]; /* functions */
		const char *variants;
	} rows[] = {
	    {"", {50, 210, 270}, "50  210 AA 270 AAAA"},
	    {"%70 = OpFunctionCall %3 %210 %62\n%71 = OpFunctionCall %3 %210 %60\n%72 = OpFunctionCall %3 %210 %61\n"
	     "%73 = OpFunctionCall %3 %210 %60\n",
	     {210, 50},
	     "210 AA SS UU 50  > AA SS UU SS"},
	    {"%70 = OpFunctionCall %3 %350 %62\n%71 = OpFunctionCall %3 %350 %60\n",
	     {350, 210},
	     "350 AA > AA SS > SS 210 AA SS"},
	    {"%70 = OpFunctionCall %3 %220 %60 %23\n%71 = OpFunctionCall %3 %220 %34 %61\n"
	     "%72 = OpFunctionCall %3 %220 %34 %23\n",
	     {220},
	     "220 SSS UUU AAA"},
	    {"%70 = OpFunctionCall %3 %210 %23\n%71 = OpSelect %3 %14 %70 %60\n", {210}, "210 SS AA"},
	    {"%70 = OpFunctionCall %6 %230 %60\n%71 = OpFunctionCall %6 %230 %62\n", {230}, "230 S A"},
	    {"%70 = OpFunctionCall %6 %240 %60\n%71 = OpFunctionCall %6 %240 %23\n", {240}, "240 S"},
	    {"%70 = OpFunctionCall %3 %250 %60 %60\n", {250}, "250 SSS > SSS"},
	    {"OpStore %52 %60\n%70 = OpFunctionCall %6 %260 %52\n", {260}, "260 S"},
	    {"%70 = OpFunctionCall %6 %260 %54\n", {260}, "260 S"},
	    {"%70 = OpCompositeInsert %20 %60 %39 0\n%71 = OpCompositeInsert %20 %62 %70 2 2\n"
	     "%72 = OpFunctionCall %20 %270 %71\n%73 = OpFunctionCall %20 %270 %39\n",
	     {270},
	     "270 SASA AAAA"},
	    {"%70 = OpFunctionCall %3 %330 %5\n", {330}, "330 S"},
	    {"%70 = OpFunctionCall %3 %290 %23\n", {290}, "290 AA"},
	    {"%70 = OpFunctionCall %20 %300 %39\n", {300}, "300 ASAS"},
	    {"%70 = OpFunctionCall %3 %210\n", {210}, "210 AA"},
	    {"%70 = OpFunctionCall %3 %210 %60 %62\n", {210}, "210 SS AA"},
	    {"%70 = OpFunctionCall %3 %220 %60 %60\n", {220, 50}, "220 SSS 50  > SSS"},
	    {"", {250, 205, 370}, "250 AAA > AAA 205 SS 370  > SS"},
	    {"OpStore %59 %60\n%70 = OpFunctionCall %6 %380 %59\n", {380}, "380 S"},
	    /* what nothing decides is as all others of its type */
	    {"", {280, 340}, "280 A 340 A"},
	    {"%70 = OpExtInst %4 %80 2 %11\n", {280, 340}, "280 S 340 S"},
	    {"%70 = OpExtInst %4 %80 3 %11\n", {280, 340}, "280 U 340 A"},
	    {"%70 = OpExtInst %4 %80 3 %11\n%71 = OpExtInst %4 %80 2 %11\n", {280, 340}, "280 S 340 S"},
	    {"%70 = OpExtInst %4 %80 2 %11\n%71 = OpConvertUToPtr %4 %15\n", {280, 340}, "280 A 340 A"},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char found[300] = "";
		struct variants_job v;
		begin_variants(&v, rows[i].body, FLOW_END);
		if (caught(v.flow.job.unit.m.context, find_variants, &v))
			fail_msg("%s%s", rows[i].body, said);
		say_variants(&v, rows[i].ids, found, sizeof found);
		if (strcmp(found, rows[i].variants) != 0)
			fail_msg("%s%s", rows[i].body, found);
		end(&v.flow.job);
	}
}

/* Where each function has one variant, that of each pointer is final. */
static void pointers_have_a_status(void **state)
{
	static const struct {
		const char *body;
		uint32_t ids[8];
		const char *status;
	} rows[] = {
	    {"", {49, 58, 59, 60, 61, 62, 52}, "AAASUAA"},
	    {"OpStore %52 %60\n%70 = OpLoad %3 %52\n%71 = OpSelect %3 %14 %61 %23\n%72 = OpCopyObject %3 %23\n",
	     {52, 70, 54, 71, 72},
	     "SSAUA"},
	    {"%70 = OpFunctionCall %3 %220 %60 %23\n", {221, 222, 224, 70}, "SSSS"},
	    {"%70 = OpFunctionCall %3 %220 %23 %61\n", {221, 222, 224, 70}, "UUUU"},
	    {"%70 = OpExtInst %4 %80 2 %11\n", {281, 341, 70}, "SSS"},
	    {"%70 = OpExtInst %4 %80 3 %11\n", {281, 341, 70}, "UAU"},
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		char found[300] = "";
		struct variants_job v;
		begin_variants(&v, rows[i].body, FLOW_END);
		if (caught(v.flow.job.unit.m.context, find_variants, &v))
			fail_msg("%s%s", rows[i].body, said);
		for (const uint32_t *id = rows[i].ids; *id; id++) {
			uint8_t status = spb_leaf_status(&v.flow.f, v.flow.f.node_of[*id] - 1);
			snprintf(found + strlen(found), sizeof found - strlen(found), "%c", "-SU-A"[status]);
		}
		if (strcmp(found, rows[i].status) != 0)
			fail_msg("%s%s", rows[i].body, found);
		end(&v.flow.job);
	}
}

static void check_numbers(void *argument)
{
	struct variants_job *v = argument;

	find_variants(v);
	spb_module_need_uses(&v->flow.job.unit.m);
	spb_check_handle_numbers(&v->flow.f);
}

#define NUMBER "%70 = OpConvertPtrToU %12 %60\n"

static void numbers_of_handles_become_no_addresses(void **state)
{
	static const struct {
		const char *body, *op; /* which instruction is refused; NULL: none */
		bool references;
	} rows[] = {
	    {NUMBER "%71 = OpConvertUToPtr %3 %70\n", "OpConvertUToPtr", false},
	    {"%70 = OpBitcast %10 %61\n%71 = OpBitcast %3 %70\n", "OpBitcast", false},
	    {"%70 = OpBitcast %10 %61\n%71 = OpBitcast %3 %70\n", NULL, true}, /* a handle again */
	    {"%70 = OpConvertPtrToU %12 %62\n%71 = OpConvertUToPtr %3 %70\n", NULL, false},
	    {"%70 = OpBitcast %12 %62\n%71 = OpBitcast %3 %70\n", NULL, false},
	    {NUMBER "%71 = OpConvertUToPtr %3 %15\n", NULL, false},
	    {NUMBER "%72 = OpIAdd %12 %15 %70\n%73 = OpISub %12 %72 %15\n%71 = OpConvertUToPtr %3 %73\n",
	     "OpConvertUToPtr", false},
	    {NUMBER "%72 = OpIEqual %8 %70 %15\n%73 = OpSelect %12 %72 %15 %15\n%71 = OpConvertUToPtr %3 %73\n", NULL,
	     false},
	    {"%70 = OpBitcast %10 %60\n%72 = OpIEqual %398 %70 %11\n%73 = OpSelect %10 %72 %11 %11\n"
	     "%71 = OpBitcast %3 %73\n",
	     NULL, false},
	    {"%70 = OpBitcast %10 %60\n%72 = OpCompositeExtract %1 %70 0\n%73 = OpCompositeConstruct %10 %72 %5\n"
	     "%71 = OpBitcast %3 %73\n",
	     "OpBitcast", false},
	    {NUMBER "OpStore %86 %70\n%72 = OpLoad %12 %86\n%71 = OpConvertUToPtr %3 %72\n", "OpConvertUToPtr", false},
	    {NUMBER "%72 = OpLoad %12 %86\n%71 = OpConvertUToPtr %3 %72\nOpStore %86 %70\n", "OpConvertUToPtr", false},
	    {NUMBER "OpStore %86 %70\n%72 = OpLoad %12 %87\n%71 = OpConvertUToPtr %3 %72\n", NULL, false},
	    {NUMBER "%72 = OpAccessChain %397 %88 %9\nOpStore %72 %70\n%73 = OpAccessChain %397 %88 %5\n"
		    "%74 = OpLoad %12 %73\n%71 = OpConvertUToPtr %3 %74\n",
	     "OpConvertUToPtr", false},
	    {NUMBER "%72 = OpCopyObject %397 %86\nOpStore %72 %70\n%74 = OpLoad %12 %86\n"
		    "%71 = OpConvertUToPtr %3 %74\n",
	     "OpConvertUToPtr", false},
	    {NUMBER "%72 = OpAccessChain %397 %88 %70\n%73 = OpLoad %12 %72\n%71 = OpConvertUToPtr %3 %73\n", NULL,
	     false},
	    {NUMBER "%72 = OpFunctionCall %12 %390 %70 %15\n%71 = OpConvertUToPtr %3 %72\n", "OpConvertUToPtr", false},
	    {NUMBER "%72 = OpFunctionCall %12 %390 %15 %70\n%71 = OpConvertUToPtr %3 %72\n", NULL, false},
	    {NUMBER "%72 = OpFunctionCall %12 %390 %70 %15\n%73 = OpFunctionCall %12 %390 %15 %15\n"
		    "%71 = OpConvertUToPtr %3 %73\n",
	     "OpConvertUToPtr", false}, /* one body for both */
	    {NUMBER "%72 = OpFunctionCall %12 %390 %15 %15 %70\n%71 = OpConvertUToPtr %3 %72\n", NULL, false},
	    {NUMBER "%72 = OpFunctionCall %3 %205 %23 %70\n%73 = OpFunctionCall %12 %390 %15 %15\n"
		    "%71 = OpConvertUToPtr %3 %73\n",
	     NULL, false}, /* one too many is not the first one of the next function that has any */
	    {NUMBER "%72 = OpFunctionCall %12 %60 %70\n%71 = OpConvertUToPtr %3 %72\n", NULL, false},
	    {"%71 = OpBitcast %4 %60\n%72 = OpConvertUToPtr %3 %15\n", NULL, false}, /* no number */
	};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		struct variants_job v;
		char wanted[200];
		begin_variants(&v, rows[i].body, FLOW_END);
		v.options.handles.lower_buffer_references = rows[i].references;
		bool refused = caught(v.flow.job.unit.m.context, check_numbers, &v);
		snprintf(wanted, sizeof wanted, "%s makes a device address from a number that comes from a handle",
			 rows[i].op ? rows[i].op : "");
		if (refused != (rows[i].op != NULL) || (refused && !strstr(said, wanted)))
			fail_msg("%s%s", rows[i].body, said);
		end(&v.flow.job);
	}
}

static void a_function_has_64_variants(void **state)
{
	(void)state;
	for (uint32_t count = 64; count <= 65; count++) {
		static char body[8000];
		struct variants_job v;
		size_t used = 0;
		body[0] = 0;
		for (uint32_t i = 0; i < count; i++) {
			used += (size_t)snprintf(body + used, sizeof body - used, "%%%u = OpFunctionCall %%6 %%360",
						 500 + i);
			for (uint32_t bit = 0; bit < 7; bit++)
				used += (size_t)snprintf(body + used, sizeof body - used,
							 i & 1u << bit ? " %%60" : " %%62");
			used += (size_t)snprintf(body + used, sizeof body - used, "\n");
		}
		begin_variants(
		    &v, body,
		    FLOW_END
		    "%360 = OpFunction %6 None %57\n"
		    "%361 = OpFunctionParameter %3\n%362 = OpFunctionParameter %3\n%363 = OpFunctionParameter %3\n"
		    "%364 = OpFunctionParameter %3\n%365 = OpFunctionParameter %3\n%366 = OpFunctionParameter %3\n"
		    "%367 = OpFunctionParameter %3\n%368 = OpLabel\nOpReturn\nOpFunctionEnd\n");
		assert_int_equal(caught(v.flow.job.unit.m.context, find_variants, &v), count == 65);
		if (count == 65)
			assert_non_null(
			    strstr(said, "%360 is called with more than 64 combinations of handles and device"));
		end(&v.flow.job);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pointers_flow_where_instructions_take_them),
	    cmocka_unit_test(functions_have_a_variant_for_each_kind_of_call),
	    cmocka_unit_test(pointers_have_a_status),
	    cmocka_unit_test(numbers_of_handles_become_no_addresses),
	    cmocka_unit_test(a_function_has_64_variants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
