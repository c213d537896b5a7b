/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of uniformity, against the rules of Vulkan and SPIR-V: facts, not the table again. uniformity_tables.py
 * checks that they are complete. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "analysis/uniformity/uniformity_tables.h"

enum { G = SPB_UNIFORM_GROUP, S = SPB_UNIFORM_SUBGROUP, GS = SPB_UNIFORM_BOTH };

enum { /* newer than the spirv.h of Debian 12 */
       UntypedArrayLength = 4425,
       CooperativeMatrixLoad = 4457,
       ImageSampleWeighted = 4480,
       UntypedImageTexelPointer = 5126,
       CooperativeVectorMatrixMulAdd = 5292,
       CooperativeVectorLoad = 5302,
       HitObjectTraceReorderExecute = 5311,
       ReorderThreadWithHint = 5314,
       HitObjectTraceRay = 5316,
       CooperativeMatrixReduce = 5366,
       CooperativeMatrixPerElement = 5369,
       RawAccessChain = 5398
};

/* Of the four groups of stages: workgroups, geometry, fragment, ray tracing. */
static void expect_builtin(uint32_t builtin, unsigned group, unsigned geometry, unsigned fragment, unsigned ray)
{
	assert_int_equal(spb_uniformity_builtin(builtin, SPB_COMPUTE_STAGE), group);
	assert_int_equal(spb_uniformity_builtin(builtin, SPB_GEOMETRY_STAGES), geometry);
	assert_int_equal(spb_uniformity_builtin(builtin, SPB_FRAGMENT_STAGE), fragment);
	assert_int_equal(spb_uniformity_builtin(builtin, SPB_RAY_STAGES), ray);
}

static void builtins_are_uniform_by_stage(void **state)
{
	(void)state;
	expect_builtin(SpvBuiltInWorkgroupId, GS, 0, 0, 0);
	expect_builtin(SpvBuiltInNumWorkgroups, GS, 0, 0, 0);
	expect_builtin(SpvBuiltInWorkgroupSize, GS, 0, 0, 0);
	expect_builtin(SpvBuiltInNumSubgroups, GS, 0, 0, 0);
	expect_builtin(SpvBuiltInSubgroupId, S, 0, 0, 0);
	expect_builtin(SpvBuiltInSubgroupSize, GS, S, S, S); /* "in compute dispatches uniform with command scope" */
	assert_int_equal(spb_uniformity_builtin(SpvBuiltInSubgroupSize, SPB_MESH_STAGES), S);
	assert_int_equal(spb_uniformity_builtin(SpvBuiltInSubgroupSize, SPB_GROUP_STAGES), S);
	assert_int_equal(spb_uniformity_builtin(SpvBuiltInWorkgroupId, SPB_MESH_STAGES), GS); /* like compute */
	assert_int_equal(spb_uniformity_builtin(SpvBuiltInDrawIndex, SPB_MESH_STAGES), GS);
	expect_builtin(SpvBuiltInPosition, 0, 0, 0, 0); /* the first row */
	expect_builtin(SpvBuiltInLocalInvocationId, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInLocalInvocationIndex, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInGlobalInvocationId, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInSubgroupLocalInvocationId, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInSubgroupEqMask, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInDrawIndex, GS, G, 0, 0);
	expect_builtin(SpvBuiltInBaseVertex, 0, G, 0, 0);
	expect_builtin(SpvBuiltInBaseInstance, 0, G, 0, 0);
	expect_builtin(SpvBuiltInPatchVertices, 0, G, 0, 0);
	expect_builtin(SpvBuiltInVertexIndex, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInInstanceIndex, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInPrimitiveId, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInViewIndex, 0, 0, 0, 0); /* several views may be one draw */
	expect_builtin(SpvBuiltInDeviceIndex, GS, G, G, G);
	expect_builtin(SpvBuiltInFragCoord, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInFrontFacing, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInHelperInvocation, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInLayer, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInSampleId, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInLaunchSizeKHR, 0, 0, 0, G);
	expect_builtin(SpvBuiltInLaunchIdKHR, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInInstanceCustomIndexKHR, 0, 0, 0, 0);
	expect_builtin(SpvBuiltInSMIDNV, S, S, S, 0);
	expect_builtin(SpvBuiltInSMCountNV, GS, G, G, G);
}

static void several_stages_share_what_is_uniform_in_each(void **state)
{
	(void)state;
	assert_int_equal(spb_uniformity_builtin(SpvBuiltInDrawIndex, SPB_GROUP_STAGES | SPB_GEOMETRY_STAGES), G);
	assert_int_equal(spb_uniformity_builtin(SpvBuiltInDrawIndex, SPB_GROUP_STAGES | SPB_FRAGMENT_STAGE), 0);
	assert_int_equal(spb_uniformity_builtin(SpvBuiltInSubgroupSize, SPB_FRAGMENT_STAGE | SPB_RAY_STAGES), S);
	assert_int_equal(spb_uniformity_builtin(SpvBuiltInWorkgroupId, 0), 0);
}

static void unknown_builtins_differ(void **state)
{
	(void)state;
	assert_int_equal(spb_uniformity_builtin(2, SPB_GROUP_STAGES), 0); /* a hole in the numbers */
	assert_int_equal(spb_uniformity_builtin(UINT32_MAX, SPB_GROUP_STAGES), 0);
	assert_int_equal(spb_uniformity_builtin(65536 + SpvBuiltInWorkgroupId, SPB_GROUP_STAGES), 0);
}

/* A quad is part of one primitive, so built-ins of primitives are uniform in it, and so are a few others. */
static void some_builtins_belong_to_a_primitive_or_a_quad(void **state)
{
	(void)state;
	const uint32_t of_primitive[] = {SpvBuiltInPrimitiveId, SpvBuiltInLayer,     SpvBuiltInViewportIndex,
					 SpvBuiltInFrontFacing, SpvBuiltInViewIndex, SpvBuiltInDeviceIndex};
	const uint32_t of_quad[] = {SpvBuiltInSampleId, SpvBuiltInSamplePosition, SpvBuiltInShadingRateKHR,
				    SpvBuiltInFragSizeEXT};
	unsigned count = 0;

	for (size_t i = 0; i < SPB_COUNT(of_primitive); i++)
		assert_int_equal(spb_uniformity_of_fragments(of_primitive[i]), SPB_UNIFORM_BOTH);
	for (size_t i = 0; i < SPB_COUNT(of_quad); i++)
		assert_int_equal(spb_uniformity_of_fragments(of_quad[i]), SPB_UNIFORM_SUBGROUP);
	for (uint32_t builtin = 0; builtin <= UINT16_MAX; builtin++)
		count += spb_uniformity_of_fragments(builtin) != 0;
	assert_int_equal(count, SPB_COUNT(of_primitive) + SPB_COUNT(of_quad));
}

static void unknown_opcodes_are_missing(void **state)
{
	(void)state;
	const uint32_t unknown[] = {9, 108, 4000, 6919, 65535, 65536 + SpvOpLoad, UINT32_MAX};

	for (size_t i = 0; i < SPB_COUNT(unknown); i++) {
		const struct spb_op_facts *row = spb_op_facts(unknown[i]);
		assert_int_equal(row->transfer, SPB_TRANSFER_MISSING);
		assert_int_equal(row->resource | row->resource2 | row->flags, 0);
	}
}

static void every_opcode_of_the_grammar_has_its_row(void **state)
{
	(void)state;
	for (uint32_t op = 0; op <= UINT16_MAX; op++) {
		const struct spb_op_facts *row = spb_op_facts(op);
		assert_int_equal(row->transfer != SPB_TRANSFER_MISSING, spb_op_is(op, SPB_OP_KNOWN));
		if (!spb_op_is(op, SPB_OP_KNOWN))
			continue;
		bool has_value = spb_op_is(op, SPB_OP_HAS_TYPE);
		assert_int_equal(row->transfer != SPB_TRANSFER_NONE, has_value);
		assert_true(!row->resource || row->resource > (has_value ? 2 : 0));
		assert_true(row->resource < row->min_words && row->resource2 < row->min_words);
		assert_int_equal(!row->resource, row->kind == SPB_RESOURCE_NONE);
	}
}

/* Only the flags that concern uniformity are compared. */
static void expect_op(uint32_t op, enum spb_transfer transfer, unsigned resource, unsigned resource2, unsigned flags)
{
	const struct spb_op_facts *row = spb_op_facts(op);
	const uint32_t asked =
	    SPB_OP_WRITES | SPB_OP_REPACKS | SPB_OP_NEVER_DIFFERS | SPB_OP_DERIVES | SPB_OP_QUERY | SPB_OP_CALLS;

	assert_int_equal(row->transfer, transfer);
	assert_int_equal(row->resource, resource);
	assert_int_equal(row->resource2, resource2);
	assert_int_equal(row->flags & asked, flags);
}

static void accesses_have_resource_operands(void **state)
{
	(void)state;
	const unsigned writes = SPB_OP_WRITES, query = SPB_OP_QUERY, lod = SPB_OP_DERIVES;
	const unsigned never = SPB_OP_NEVER_DIFFERS;

	expect_op(SpvOpLoad, SPB_TRANSFER_MEMORY, 3, 0, 0);
	expect_op(SpvOpStore, SPB_TRANSFER_NONE, 1, 0, writes);
	expect_op(SpvOpCopyMemory, SPB_TRANSFER_NONE, 1, 2, writes);
	expect_op(SpvOpCopyMemorySized, SPB_TRANSFER_NONE, 1, 2, writes);
	expect_op(SpvOpArrayLength, SPB_TRANSFER_MEMORY, 3, 0, query);
	expect_op(UntypedArrayLength, SPB_TRANSFER_MEMORY, 4, 0, query); /* after the structure type */
	expect_op(SpvOpImageSampleImplicitLod, SPB_TRANSFER_MEMORY, 3, 0, lod);
	expect_op(SpvOpImageSparseSampleProjDrefImplicitLod, SPB_TRANSFER_MEMORY, 3, 0, lod);
	expect_op(SpvOpImageSampleExplicitLod, SPB_TRANSFER_MEMORY, 3, 0, 0);
	expect_op(SpvOpImageFetch, SPB_TRANSFER_MEMORY, 3, 0, 0);
	expect_op(SpvOpImageGather, SPB_TRANSFER_MEMORY, 3, 0, 0);
	expect_op(SpvOpImageRead, SPB_TRANSFER_MEMORY, 3, 0, 0);
	expect_op(SpvOpImageWrite, SPB_TRANSFER_NONE, 1, 0, writes);
	expect_op(SpvOpImageQuerySize, SPB_TRANSFER_MEMORY, 3, 0, query);
	expect_op(SpvOpImageQueryLod, SPB_TRANSFER_MEMORY, 3, 0, query | lod);
	expect_op(SpvOpImageTexelPointer, SPB_TRANSFER_SPECIAL, 3, 0, 0);
	expect_op(UntypedImageTexelPointer, SPB_TRANSFER_SPECIAL, 4, 0, 0); /* after the image type */
	expect_op(SpvOpAtomicIAdd, SPB_TRANSFER_VARYING, 3, 0, writes);
	expect_op(SpvOpAtomicFAddEXT, SPB_TRANSFER_VARYING, 3, 0, writes);
	expect_op(SpvOpAtomicLoad, SPB_TRANSFER_VARYING, 3, 0, 0);
	expect_op(SpvOpAtomicStore, SPB_TRANSFER_NONE, 1, 0, writes);
	expect_op(SpvOpAtomicFlagClear, SPB_TRANSFER_NONE, 1, 0, writes);
	expect_op(SpvOpRayQueryInitializeKHR, SPB_TRANSFER_NONE, 2, 0, 0);
	expect_op(SpvOpFragmentMaskFetchAMD, SPB_TRANSFER_MEMORY, 3, 0, 0);
	expect_op(ImageSampleWeighted, SPB_TRANSFER_MEMORY, 3, 5, never);
	expect_op(CooperativeMatrixLoad, SPB_TRANSFER_UNKNOWN, 3, 0, never);
	expect_op(SpvOpCooperativeMatrixStoreNV, SPB_TRANSFER_NONE, 1, 0, writes | never);
	expect_op(CooperativeVectorLoad, SPB_TRANSFER_UNKNOWN, 3, 0, 0);
	expect_op(CooperativeVectorMatrixMulAdd, SPB_TRANSFER_UNKNOWN, 5, 8, 0); /* matrix and bias */
}

static void chains_to_a_resource_are_not_accesses(void **state)
{
	(void)state;
	const uint32_t special[] = {SpvOpAccessChain,
				    SpvOpPtrAccessChain,
				    SpvOpCopyObject,
				    SpvOpSampledImage,
				    SpvOpImage,
				    SpvOpPhi,
				    SpvOpSelect,
				    SpvOpVariable,
				    SpvOpFunctionCall,
				    SpvOpFunctionParameter,
				    SpvOpCompositeExtract,
				    RawAccessChain};

	for (size_t i = 0; i < SPB_COUNT(special); i++)
		expect_op(special[i], SPB_TRANSFER_SPECIAL, 0, 0, 0);
	expect_op(SpvOpConvertUToAccelerationStructureKHR, SPB_TRANSFER_JOIN, 0, 0, 0); /* no descriptor */
}

static void invocation_reordering_is_that_of_vulkan(void **state)
{
	(void)state;
	expect_op(SpvOpTraceRayKHR, SPB_TRANSFER_NONE, 1, 0, SPB_OP_REPACKS);
	expect_op(SpvOpTraceRayMotionNV, SPB_TRANSFER_NONE, 1, 0, SPB_OP_REPACKS);
	expect_op(SpvOpExecuteCallableKHR, SPB_TRANSFER_NONE, 0, 0, SPB_OP_REPACKS);
	expect_op(SpvOpReportIntersectionKHR, SPB_TRANSFER_VARYING, 0, 0, SPB_OP_REPACKS);
	expect_op(SpvOpReorderThreadWithHintNV, SPB_TRANSFER_NONE, 0, 0, SPB_OP_REPACKS);
	expect_op(ReorderThreadWithHint, SPB_TRANSFER_NONE, 0, 0, SPB_OP_REPACKS);
	expect_op(SpvOpHitObjectTraceRayNV, SPB_TRANSFER_NONE, 2, 0, SPB_OP_REPACKS);
	expect_op(HitObjectTraceRay, SPB_TRANSFER_NONE, 2, 0, SPB_OP_REPACKS);
	expect_op(HitObjectTraceReorderExecute, SPB_TRANSFER_NONE, 2, 0, SPB_OP_REPACKS);
	expect_op(SpvOpHitObjectRecordHitNV, SPB_TRANSFER_NONE, 2, 0, 0); /* inspects a structure, calls nothing */
	expect_op(SpvOpRayQueryProceedKHR, SPB_TRANSFER_VARYING, 0, 0, 0);
}

static void expect_transfer(uint32_t op, enum spb_transfer transfer)
{
	expect_op(op, transfer, 0, 0, 0);
}

static void subgroup_operations_are_classified(void **state)
{
	(void)state;
	expect_transfer(SpvOpGroupNonUniformElect, SPB_TRANSFER_VARYING);
	expect_transfer(SpvOpGroupNonUniformBallot, SPB_TRANSFER_SUBGROUP);
	expect_transfer(SpvOpGroupNonUniformAllEqual, SPB_TRANSFER_SUBGROUP);
	expect_transfer(SpvOpSubgroupAnyKHR, SPB_TRANSFER_SUBGROUP);
	expect_transfer(SpvOpGroupNonUniformBroadcastFirst, SPB_TRANSFER_BROADCAST);
	expect_transfer(SpvOpSubgroupReadInvocationKHR, SPB_TRANSFER_BROADCAST);
	expect_transfer(SpvOpGroupNonUniformInverseBallot, SPB_TRANSFER_VARYING);
	expect_transfer(SpvOpGroupNonUniformBallotFindLSB, SPB_TRANSFER_JOIN);
	expect_transfer(SpvOpGroupNonUniformBallotBitCount, SPB_TRANSFER_GROUP_OPERATION);
	expect_transfer(SpvOpGroupNonUniformIAdd, SPB_TRANSFER_GROUP_OPERATION); /* a reduction, or a scan */
	expect_transfer(SpvOpGroupNonUniformShuffleXor, SPB_TRANSFER_SHUFFLE);
	expect_transfer(SpvOpGroupNonUniformQuadBroadcast, SPB_TRANSFER_SHUFFLE);
	expect_transfer(SpvOpGroupNonUniformPartitionNV, SPB_TRANSFER_VARYING);
	expect_transfer(SpvOpGroupAll, SPB_TRANSFER_BY_SCOPE);
	expect_transfer(SpvOpGroupBroadcast, SPB_TRANSFER_BY_SCOPE);
	expect_transfer(SpvOpGroupIAdd, SPB_TRANSFER_GROUP_OPERATION);
}

static void values_follow_from_operands(void **state)
{
	(void)state;
	expect_transfer(SpvOpConstant, SPB_TRANSFER_CONSTANT);
	expect_transfer(SpvOpSpecConstantOp, SPB_TRANSFER_CONSTANT);
	expect_transfer(SpvOpUndef, SPB_TRANSFER_UNKNOWN);
	expect_transfer(SpvOpIAdd, SPB_TRANSFER_COMPONENTWISE);
	expect_transfer(SpvOpUConvert, SPB_TRANSFER_COMPONENTWISE);
	expect_transfer(SpvOpVectorTimesScalar, SPB_TRANSFER_COMPONENTWISE);
	expect_transfer(SpvOpIAddCarry, SPB_TRANSFER_JOIN); /* a struct of two vectors */
	expect_transfer(SpvOpBitcast, SPB_TRANSFER_JOIN);   /* uvec2 to uint64_t */
	expect_transfer(SpvOpDot, SPB_TRANSFER_JOIN);
	expect_transfer(SpvOpMatrixTimesVector, SPB_TRANSFER_JOIN);
	expect_transfer(SpvOpDPdx, SPB_TRANSFER_JOIN);
	expect_transfer(SpvOpReadClockKHR, SPB_TRANSFER_VARYING);
	expect_transfer(SpvOpIsHelperInvocationEXT, SPB_TRANSFER_VARYING);
	expect_transfer(SpvOpLabel, SPB_TRANSFER_NONE);
	expect_transfer(SpvOpTypeInt, SPB_TRANSFER_NONE);
	expect_op(CooperativeMatrixPerElement, SPB_TRANSFER_UNKNOWN, 0, 0, SPB_OP_CALLS);
	expect_op(CooperativeMatrixReduce, SPB_TRANSFER_UNKNOWN, 0, 0, SPB_OP_CALLS);
}

static void functions_of_glsl_follow_from_operands(void **state)
{
	(void)state;
	assert_int_equal(spb_uniformity_glsl(GLSLstd450UMin), SPB_TRANSFER_COMPONENTWISE);
	assert_int_equal(spb_uniformity_glsl(GLSLstd450FindUMsb), SPB_TRANSFER_COMPONENTWISE);
	assert_int_equal(spb_uniformity_glsl(GLSLstd450Normalize), SPB_TRANSFER_JOIN);
	assert_int_equal(spb_uniformity_glsl(GLSLstd450UnpackHalf2x16), SPB_TRANSFER_JOIN);
	assert_int_equal(spb_uniformity_glsl(GLSLstd450FrexpStruct), SPB_TRANSFER_JOIN);
	assert_int_equal(spb_uniformity_glsl(GLSLstd450Modf), SPB_TRANSFER_SPECIAL);
	assert_int_equal(spb_uniformity_glsl(GLSLstd450Frexp), SPB_TRANSFER_SPECIAL);
	assert_int_equal(spb_uniformity_glsl(GLSLstd450InterpolateAtSample), SPB_TRANSFER_VARYING);
	assert_int_equal(spb_uniformity_glsl(GLSLstd450Bad), SPB_TRANSFER_MISSING);
	assert_int_equal(spb_uniformity_glsl(GLSLstd450NClamp), SPB_TRANSFER_COMPONENTWISE);
	assert_int_equal(spb_uniformity_glsl(GLSLstd450NClamp + 1), SPB_TRANSFER_MISSING);
	assert_int_equal(spb_uniformity_glsl(UINT32_MAX), SPB_TRANSFER_MISSING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(builtins_are_uniform_by_stage),
	    cmocka_unit_test(several_stages_share_what_is_uniform_in_each),
	    cmocka_unit_test(unknown_builtins_differ),
	    cmocka_unit_test(some_builtins_belong_to_a_primitive_or_a_quad),
	    cmocka_unit_test(unknown_opcodes_are_missing),
	    cmocka_unit_test(every_opcode_of_the_grammar_has_its_row),
	    cmocka_unit_test(accesses_have_resource_operands),
	    cmocka_unit_test(chains_to_a_resource_are_not_accesses),
	    cmocka_unit_test(invocation_reordering_is_that_of_vulkan),
	    cmocka_unit_test(subgroup_operations_are_classified),
	    cmocka_unit_test(values_follow_from_operands),
	    cmocka_unit_test(functions_of_glsl_follow_from_operands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
