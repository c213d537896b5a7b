/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a resolver of a module that dereferences handles, and as a module with a resolver: no crash, no hang,
 * and accepted modules come out complete, without remains of a dialect. */
#define kDefaultMaxIdBound fuzz_kDefaultMaxIdBound /* src/lib/validation/validate.c says why */
#include <spirv-tools/libspirv.h>
#undef kDefaultMaxIdBound

#include "fuzz.h"

static const char types[] = "%float = OpTypeFloat 32\n"
			    "%uint = OpTypeInt 32 0\n"
			    "%uint2 = OpTypeVector %uint 2\n"
			    "%float4 = OpTypeVector %float 4\n"
			    "%u0 = OpConstant %uint 0\n"
			    "%u9 = OpSpecConstant %uint 9\n"
			    "%words = OpTypeRuntimeArray %uint\n"
			    "%Table = OpTypeStruct %words\n"
			    "%ptable = OpTypePointer StorageBuffer %Table\n"
			    "%table = OpVariable %ptable StorageBuffer\n"
			    "%pword = OpTypePointer StorageBuffer %uint\n"
			    "%Push = OpTypeStruct %uint2\n"
			    "%ppush = OpTypePointer PushConstant %Push\n"
			    "%push = OpVariable %ppush PushConstant\n"
			    "%phandle = OpTypePointer PushConstant %uint2\n"
			    "%texture = OpTypeImage %float 2D 0 0 0 1 Unknown\n"
			    "%utexture = OpTypeImage %uint 2D 0 0 0 1 Unknown\n"
			    "%sampler = OpTypeSampler\n"
			    "%combined = OpTypeSampledImage %texture\n";

static const char notes[] = "OpName %Table \"translation\"\n"
			    "OpMemberName %Table 0 \"place\"\n"
			    "OpDecorate %u9 SpecId 4\n"
			    "OpDecorate %words ArrayStride 4\n"
			    "OpMemberDecorate %Table 0 Offset 0\n"
			    "OpMemberDecorate %Table 0 NonWritable\n"
			    "OpDecorate %Table Block\n"
			    "OpMemberDecorate %Push 0 Offset 0\n"
			    "OpDecorate %Push Block\n";

static const char module_begin[] = "OpCapability Shader\n"
				   "OpExtension \"SPV_KHR_storage_buffer_storage_class\"\n"
				   "%set = OpExtInstImport \"NonSemantic.DescriptorHandle\"\n"
				   "OpMemoryModel Logical GLSL450\n"
				   "OpEntryPoint GLCompute %main \"main\"\n"
				   "OpExecutionMode %main LocalSize 1 1 1\n";

static const char module_end[] = "%void = OpTypeVoid\n"
				 "%fn = OpTypeFunction %void\n"
				 "%int = OpTypeInt 32 1\n"
				 "%int2 = OpTypeVector %int 2\n"
				 "%i0 = OpConstant %int 0\n"
				 "%xy = OpConstantComposite %int2 %i0 %i0\n"
				 "%float2 = OpTypeVector %float 2\n"
				 "%f0 = OpConstant %float 0\n"
				 "%uv = OpConstantComposite %float2 %f0 %f0\n"
				 "%uint4 = OpTypeVector %uint 4\n"
				 "%main = OpFunction %void None %fn\n"
				 "%l = OpLabel\n"
				 "%hp = OpAccessChain %phandle %push %u0\n"
				 "%h = OpLoad %uint2 %hp\n"
				 "%t = OpExtInst %texture %set 1 %h\n"
				 "%v = OpImageFetch %float4 %t %xy Lod %i0\n"
				 "%ut = OpExtInst %utexture %set 1 %h\n"
				 "%uv4 = OpImageFetch %uint4 %ut %xy Lod %i0\n"
				 "%c = OpExtInst %combined %set 1 %h\n"
				 "%w = OpImageSampleExplicitLod %float4 %c %uv Lod %f0\n"
				 "OpReturn\n"
				 "OpFunctionEnd\n";

static const char resolver_begin[] = "OpCapability Shader\n"
				     "OpCapability Linkage\n"
				     "OpExtension \"SPV_KHR_storage_buffer_storage_class\"\n"
				     "%set = OpExtInstImport \"NonSemantic.DescriptorHandle\"\n"
				     "OpMemoryModel Logical GLSL450\n";

static const char exports[] = "OpDecorate %get LinkageAttributes \"getDescriptorIndexFromHandle\" Export\n"
			      "OpDecorate %whole LinkageAttributes \"getDescriptorFromHandle\" Export\n";

static const char resolver_end[] = "%index = OpTypeFunction %uint %uint2 %uint\n"
				   "%descriptor = OpTypeFunction %utexture %uint2\n"
				   "%get = OpFunction %uint None %index\n"
				   "%h = OpFunctionParameter %uint2\n"
				   "%k = OpFunctionParameter %uint\n"
				   "%l = OpLabel\n"
				   "%x = OpCompositeExtract %uint %h 0\n"
				   "%p = OpAccessChain %pword %table %u0 %x\n"
				   "%i = OpLoad %uint %p\n"
				   "%r = OpIAdd %uint %i %u9\n"
				   "OpReturnValue %r\n"
				   "OpFunctionEnd\n"
				   "%whole = OpFunction %utexture None %descriptor\n"
				   "%wh = OpFunctionParameter %uint2\n"
				   "%wl = OpLabel\n"
				   "%t = OpExtInst %utexture %set 1 %wh\n"
				   "OpReturnValue %t\n"
				   "OpFunctionEnd\n";

struct words {
	uint32_t *items;
	size_t count;
};

static struct words assemble(const char *begin, const char *more_notes, const char *end)
{
	char text[8192];
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
	spv_binary binary = NULL;
	struct words w;

	strcpy(text, begin);
	strcat(text, notes);
	strcat(text, more_notes);
	strcat(text, types);
	strcat(text, end);
	if (spvTextToBinary(context, text, strlen(text), &binary, NULL) != SPV_SUCCESS)
		abort();
	w.count = binary->wordCount;
	w.items = malloc(w.count * sizeof *w.items);
	memcpy(w.items, binary->code, w.count * sizeof *w.items);
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
	return w;
}

static spb_status bind(struct words module, struct words resolver, uint32_t choice)
{
	spb_options options;
	const spb_resolver one = {"resolver", resolver.items, resolver.count};
	const struct attempt attempt = {.options = &options,
					.words = module.items,
					.count = module.count,
					.more = bound_of(resolver.items, resolver.count) + resolver.count};

	spb_options_init(&options, sizeof options);
	options.validation.which = choice / 12 % 4 ? SPB_VALIDATE_NONE : SPB_VALIDATE_BOTH;
	options.handles.resolvers = &one;
	options.handles.resolver_count = 1;
	options.heaps.combined = (spb_combined)(choice & 1);
	options.heaps.size = choice & 2 ? 16 : 0;
	options.heaps.bounds_check = options.heaps.size ? (spb_bounds_check)(choice / 4 % 3) : SPB_BOUNDS_CHECK_OFF;
	return try_program(&attempt, choice * 0x9E3779B97F4A7C15u | 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct words module, resolver;
	struct words given = {malloc(size + 4), size / 4};
	uint32_t choice;

	if (!module.items) {
		module = assemble(module_begin, "", module_end);
		resolver = assemble(resolver_begin, exports, resolver_end);
		for (choice = 0; choice < 12; choice++) {
			MUST(bind(module, resolver, choice) == SPB_OK); /* otherwise nothing would be tested */
		}
	}
	if (given.count)
		memcpy(given.items, data, given.count * 4);
	choice = (uint32_t)number_of(data, size);
	bind(module, given, choice);
	bind(given, resolver, choice);
	free(given.items);
	return 0;
}
