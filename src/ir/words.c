/* SPDX-License-Identifier: Apache-2.0 */
/* words: what messages call things. A shader's author knows barrier(), gl_LocalInvocationIndex and albedo, not
 * OpControlBarrier, LocalInvocationIndex and %31. Where the language is unknown, or has no word, SPIR-V's is used. */
#include "ir/ir.h"

/* Rows without an HLSL word are the same there, or do not exist. */
struct words {
	uint32_t number; /* of an opcode or a built-in */
	const char *glsl, *hlsl;
};

static const struct words ops[] = {
    {SpvOpImageSampleImplicitLod, "texture()", "Sample()"},
    {SpvOpImageSampleExplicitLod, "textureLod()", "SampleLevel()"},
    {SpvOpImageSampleDrefImplicitLod, "texture()", "SampleCmp()"},
    {SpvOpImageSampleDrefExplicitLod, "textureLod()", "SampleCmpLevelZero()"},
    {SpvOpImageSampleProjImplicitLod, "textureProj()", NULL},
    {SpvOpImageSampleProjDrefImplicitLod, "textureProj()", NULL},
    {SpvOpImageFetch, "texelFetch()", "Load()"},
    {SpvOpImageGather, "textureGather()", "Gather()"},
    {SpvOpImageDrefGather, "textureGather()", "GatherCmp()"},
    {SpvOpImageRead, "imageLoad()", "Load()"},
    {SpvOpImageWrite, "imageStore()", "operator[]"},
    {SpvOpImageQueryLod, "textureQueryLod()", "CalculateLevelOfDetail()"},
    {SpvOpImageQuerySize, "textureSize()", "GetDimensions()"},
    {SpvOpImageQuerySizeLod, "textureSize()", "GetDimensions()"},
    {SpvOpImageTexelPointer, "imageAtomic...()", "Interlocked...()"},
    {SpvOpDPdx, "dFdx()", "ddx()"},
    {SpvOpDPdy, "dFdy()", "ddy()"},
    {SpvOpFwidth, "fwidth()", "fwidth()"},
    {SpvOpDPdxFine, "dFdxFine()", "ddx_fine()"},
    {SpvOpDPdyFine, "dFdyFine()", "ddy_fine()"},
    {SpvOpFwidthFine, "fwidthFine()", NULL},
    {SpvOpDPdxCoarse, "dFdxCoarse()", "ddx_coarse()"},
    {SpvOpDPdyCoarse, "dFdyCoarse()", "ddy_coarse()"},
    {SpvOpFwidthCoarse, "fwidthCoarse()", NULL},
    {SpvOpControlBarrier, "barrier()", "GroupMemoryBarrierWithGroupSync()"},
    {SpvOpEmitMeshTasksEXT, "EmitMeshTasksEXT()", "DispatchMesh()"},
    {SpvOpSetMeshOutputsEXT, "SetMeshOutputsEXT()", "SetMeshOutputCounts()"},
    {SpvOpGroupNonUniformBroadcast, "subgroupBroadcast()", "WaveReadLaneAt()"},
    {SpvOpGroupNonUniformQuadBroadcast, "subgroupQuadBroadcast()", "QuadReadLaneAt()"},
    {SpvOpGroupNonUniformRotateKHR, "subgroupRotate()", NULL},
    {SpvOpSubgroupReadInvocationKHR, "readInvocationARB()", NULL},
    {SpvOpCooperativeMatrixLoadNV, "coopMatLoadNV()", NULL},
    {SpvOpCooperativeMatrixStoreNV, "coopMatStoreNV()", NULL},
    {SpvOpCooperativeMatrixMulAddNV, "coopMatMulAddNV()", NULL},
    {SpvOpFunctionCall, "a call", "a call"},
    {SpvOpReturnValue, "return", "return"},
    {SpvOpSelect, "?:", "?:"},
    {SpvOpAccessChain, "an index or member", "an index or member"},
    {SpvOpLoad, "a read", "a read"},
    {SpvOpStore, "an assignment", "an assignment"},
};

/* GLSL's other names are gl_ and SPIR-V's. */
static const struct words built_ins[] = {
    {SpvBuiltInPointSize, "gl_PointSize", "PSIZE"},
    {SpvBuiltInVertexIndex, "gl_VertexIndex", "SV_VertexID"},
    {SpvBuiltInInstanceIndex, "gl_InstanceIndex", "SV_InstanceID"},
    {SpvBuiltInPrimitiveId, "gl_PrimitiveID", "SV_PrimitiveID"},
    {SpvBuiltInInvocationId, "gl_InvocationID", "SV_OutputControlPointID"},
    {SpvBuiltInSampleId, "gl_SampleID", "SV_SampleIndex"},
    {SpvBuiltInFragCoord, "gl_FragCoord", "SV_Position"},
    {SpvBuiltInFrontFacing, "gl_FrontFacing", "SV_IsFrontFace"},
    {SpvBuiltInLayer, "gl_Layer", "SV_RenderTargetArrayIndex"},
    {SpvBuiltInViewportIndex, "gl_ViewportIndex", "SV_ViewportArrayIndex"},
    {SpvBuiltInTessCoord, "gl_TessCoord", "SV_DomainLocation"},
    {SpvBuiltInWorkgroupId, "gl_WorkGroupID", "SV_GroupID"},
    {SpvBuiltInWorkgroupSize, "gl_WorkGroupSize", NULL},
    {SpvBuiltInNumWorkgroups, "gl_NumWorkGroups", NULL},
    {SpvBuiltInLocalInvocationId, "gl_LocalInvocationID", "SV_GroupThreadID"},
    {SpvBuiltInGlobalInvocationId, "gl_GlobalInvocationID", "SV_DispatchThreadID"},
    {SpvBuiltInLocalInvocationIndex, "gl_LocalInvocationIndex", "SV_GroupIndex"},
    {SpvBuiltInSubgroupId, "gl_SubgroupID", NULL},
    {SpvBuiltInSubgroupLocalInvocationId, "gl_SubgroupInvocationID", "WaveGetLaneIndex()"},
    {SpvBuiltInSubgroupSize, "gl_SubgroupSize", "WaveGetLaneCount()"},
    {SpvBuiltInDrawIndex, "gl_DrawID", NULL},
    {SpvBuiltInViewIndex, "gl_ViewIndex", "SV_ViewID"},
    {SpvBuiltInLaunchIdKHR, "gl_LaunchIDEXT", "DispatchRaysIndex()"},
    {SpvBuiltInLaunchSizeKHR, "gl_LaunchSizeEXT", "DispatchRaysDimensions()"},
    {SpvBuiltInInstanceCustomIndexKHR, "gl_InstanceCustomIndexEXT", "InstanceID()"},
};

enum spb_language spb_language_of(const struct spb_module *m)
{
	switch (spb_source_language(m)) {
	case SpvSourceLanguageGLSL:
	case SpvSourceLanguageESSL:
		return SPB_LANGUAGE_GLSL;
	case SpvSourceLanguageHLSL:
	case SPB_SOURCE_LANGUAGE_SLANG:
		return SPB_LANGUAGE_HLSL;
	default:
		return SPB_LANGUAGE_UNKNOWN;
	}
}

static const char *find(enum spb_language language, const struct words *rows, size_t count, uint32_t number)
{
	for (size_t i = 0; language != SPB_LANGUAGE_UNKNOWN && i < count; i++) {
		if (rows[i].number == number)
			return language == SPB_LANGUAGE_GLSL ? rows[i].glsl : rows[i].hlsl;
	}
	return NULL;
}

const char *spb_word_of(const struct spb_module *m, spb_at at)
{
	const char *word = find(spb_language_of(m), ops, SPB_COUNT(ops), spb_op(m, at));

	return word ? word : spb_op_name(spb_op(m, at));
}

const char *spb_builtin_word(const struct spb_module *m, uint32_t builtin)
{
	const char *word = find(spb_language_of(m), built_ins, SPB_COUNT(built_ins), builtin);

	return word ? word : spb_builtin_name(builtin);
}
