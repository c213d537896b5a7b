/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_tables: what each instruction and each built-in variable says about uniformity, one row each.
 *
 *     [61] = {61, MEMORY, 3, 0, 0},      OpLoad %type %result %pointer: reads memory through word 3
 *     [62] = {62, NONE, 1, 0, WRITES},   OpStore %pointer %object: no value; writes through word 1
 *     {4426, {BOTH, GROUP, 0, 0}},       DrawIndex: workgroup stages, geometry stages, fragment, ray tracing
 *
 * How the rows were chosen. Where nothing is known, or what a vendor extension says leaves a doubt, the row says
 * UNKNOWN or 0: that costs a decoration, never a wrong result. NONE is what has no result type: also types, labels,
 * strings. Functions are CONSTANT: the id stands for the same code in every invocation.
 *
 *   - LANEWISE needs a result that is a scalar or vector and operands of as many components, or scalars. Instructions
 *     that give a struct (OpIAddCarry), work on matrices, or see bits across components (OpBitcast, OpDot) are JOIN.
 *   - SPECIAL group operations (OpGroupNonUniformIAdd, OpGroupIAdd, OpGroupIAddNonUniformAMD, BallotBitCount …) have
 *     the Execution scope in word 3, the GroupOperation in word 4: a literal, which decides. Reduce is uniform in its
 *     scope; scans, clustered and partitioned operations differ. OpGroup* are BY_SCOPE only where there is no such
 *     literal; their scope, too, is word 3.
 *   - MEMORY with QUERY: every operand counts, not only the resource (the level of OpImageQuerySizeLod). With
 *     IMPLICIT_LOD the coordinate must be uniform for a uniform result, as it is derived from its neighbours.
 *   - WRITES with anything but OpStore and OpCopyMemory* writes what is not known. Rows with WRITES and resource2
 *     read through resource2.
 *   - OpTensorReadARM is UNKNOWN, not MEMORY: tensors may be written like storage images.
 *   - Repacks are those of Vulkan ("Ray Tracing", "Shader Calls"), and whatever else traces a ray or executes a
 *     shader: the NV instructions that came before. Recording a hit calls nothing.
 *   - OpCompositeConstructContinuedINTEL has no value; it adds constituents to the composite before it.
 *
 * Built-ins say what Vulkan ("Built-In Variables") says of one command. What belongs to the device (SMCountNV) counts
 * as DeviceIndex does: whether a subgroup spans devices is nowhere said. In ray tracing stages SubgroupSize holds until
 * the next repack, and must be Volatile. */
#include <spirv/unified1/GLSL.std.450.h>

#include "analysis/uniformity/uniformity_tables.h"

enum {
	NONE = SPB_TRANSFER_NONE,
	CONSTANT = SPB_TRANSFER_CONSTANT,
	LANEWISE = SPB_TRANSFER_LANEWISE,
	JOIN = SPB_TRANSFER_JOIN,
	VARYING = SPB_TRANSFER_VARYING,
	UNKNOWN = SPB_TRANSFER_UNKNOWN,
	SUBGROUP_UNIFORM = SPB_TRANSFER_SUBGROUP,
	BROADCAST = SPB_TRANSFER_BROADCAST,
	SHUFFLE = SPB_TRANSFER_SHUFFLE,
	BY_SCOPE = SPB_TRANSFER_BY_SCOPE,
	MEMORY = SPB_TRANSFER_MEMORY,
	SPECIAL = SPB_TRANSFER_SPECIAL
};

enum {
	WRITES = SPB_UNIFORMITY_WRITES,
	REPACKS = SPB_UNIFORMITY_REPACKS,
	NEVER_DIFFERS = SPB_UNIFORMITY_NEVER_DIFFERS,
	IMPLICIT_LOD = SPB_UNIFORMITY_IMPLICIT_LOD,
	QUERY = SPB_UNIFORMITY_QUERY,
	CALLS = SPB_UNIFORMITY_CALLS
};

enum { GROUP = SPB_UNIFORM_GROUP, SUBGROUP = SPB_UNIFORM_SUBGROUP, BOTH = SPB_UNIFORM_BOTH, STAGE_GROUPS = 4 };

/* By opcode; what no row names is zero, that is SPB_TRANSFER_MISSING. */
static const struct spb_uniformity_op ops[] = {
#include "analysis/uniformity/uniformity_ops.inc"
};

static const struct builtin_row {
	uint16_t builtin;
	uint8_t bits[STAGE_GROUPS]; /* ORDER STAGE GROUPS: the bits SPB_GROUP_STAGES … SPB_RAY_STAGES */
} builtins[] = {
#include "analysis/uniformity/uniformity_builtins.inc"
};

static const uint8_t glsl[] = {
    [GLSLstd450Round] = LANEWISE,
    [GLSLstd450RoundEven] = LANEWISE,
    [GLSLstd450Trunc] = LANEWISE,
    [GLSLstd450FAbs] = LANEWISE,
    [GLSLstd450SAbs] = LANEWISE,
    [GLSLstd450FSign] = LANEWISE,
    [GLSLstd450SSign] = LANEWISE,
    [GLSLstd450Floor] = LANEWISE,
    [GLSLstd450Ceil] = LANEWISE,
    [GLSLstd450Fract] = LANEWISE,
    [GLSLstd450Radians] = LANEWISE,
    [GLSLstd450Degrees] = LANEWISE,
    [GLSLstd450Sin] = LANEWISE,
    [GLSLstd450Cos] = LANEWISE,
    [GLSLstd450Tan] = LANEWISE,
    [GLSLstd450Asin] = LANEWISE,
    [GLSLstd450Acos] = LANEWISE,
    [GLSLstd450Atan] = LANEWISE,
    [GLSLstd450Sinh] = LANEWISE,
    [GLSLstd450Cosh] = LANEWISE,
    [GLSLstd450Tanh] = LANEWISE,
    [GLSLstd450Asinh] = LANEWISE,
    [GLSLstd450Acosh] = LANEWISE,
    [GLSLstd450Atanh] = LANEWISE,
    [GLSLstd450Atan2] = LANEWISE,
    [GLSLstd450Pow] = LANEWISE,
    [GLSLstd450Exp] = LANEWISE,
    [GLSLstd450Log] = LANEWISE,
    [GLSLstd450Exp2] = LANEWISE,
    [GLSLstd450Log2] = LANEWISE,
    [GLSLstd450Sqrt] = LANEWISE,
    [GLSLstd450InverseSqrt] = LANEWISE,
    [GLSLstd450Determinant] = JOIN,
    [GLSLstd450MatrixInverse] = JOIN,
    [GLSLstd450Modf] = SPECIAL, /* writes through a pointer: its last operand */
    [GLSLstd450ModfStruct] = JOIN,
    [GLSLstd450FMin] = LANEWISE,
    [GLSLstd450UMin] = LANEWISE,
    [GLSLstd450SMin] = LANEWISE,
    [GLSLstd450FMax] = LANEWISE,
    [GLSLstd450UMax] = LANEWISE,
    [GLSLstd450SMax] = LANEWISE,
    [GLSLstd450FClamp] = LANEWISE,
    [GLSLstd450UClamp] = LANEWISE,
    [GLSLstd450SClamp] = LANEWISE,
    [GLSLstd450FMix] = LANEWISE,
    [GLSLstd450IMix] = UNKNOWN, /* reserved: nothing says what it does */
    [GLSLstd450Step] = LANEWISE,
    [GLSLstd450SmoothStep] = LANEWISE,
    [GLSLstd450Fma] = LANEWISE,
    [GLSLstd450Frexp] = SPECIAL, /* as Modf */
    [GLSLstd450FrexpStruct] = JOIN,
    [GLSLstd450Ldexp] = LANEWISE,
    [GLSLstd450PackSnorm4x8] = JOIN,
    [GLSLstd450PackUnorm4x8] = JOIN,
    [GLSLstd450PackSnorm2x16] = JOIN,
    [GLSLstd450PackUnorm2x16] = JOIN,
    [GLSLstd450PackHalf2x16] = JOIN,
    [GLSLstd450PackDouble2x32] = JOIN,
    [GLSLstd450UnpackSnorm2x16] = JOIN,
    [GLSLstd450UnpackUnorm2x16] = JOIN,
    [GLSLstd450UnpackHalf2x16] = JOIN,
    [GLSLstd450UnpackSnorm4x8] = JOIN,
    [GLSLstd450UnpackUnorm4x8] = JOIN,
    [GLSLstd450UnpackDouble2x32] = JOIN,
    [GLSLstd450Length] = JOIN,
    [GLSLstd450Distance] = JOIN,
    [GLSLstd450Cross] = JOIN,
    [GLSLstd450Normalize] = JOIN,
    [GLSLstd450FaceForward] = JOIN,
    [GLSLstd450Reflect] = JOIN,
    [GLSLstd450Refract] = JOIN,
    [GLSLstd450FindILsb] = LANEWISE,
    [GLSLstd450FindSMsb] = LANEWISE,
    [GLSLstd450FindUMsb] = LANEWISE,
    [GLSLstd450InterpolateAtCentroid] = VARYING,
    [GLSLstd450InterpolateAtSample] = VARYING,
    [GLSLstd450InterpolateAtOffset] = VARYING,
    [GLSLstd450NMin] = LANEWISE,
    [GLSLstd450NMax] = LANEWISE,
    [GLSLstd450NClamp] = LANEWISE,
};

const struct spb_uniformity_op *spb_uniformity_op(uint32_t op)
{
	static const struct spb_uniformity_op missing = {.transfer = SPB_TRANSFER_MISSING};

	return op < SPB_COUNT(ops) ? &ops[op] : &missing;
}

static const struct builtin_row *builtin_row(uint32_t builtin)
{
	size_t low = 0, high = SPB_COUNT(builtins);

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (builtins[middle].builtin < builtin)
			low = middle + 1;
		else
			high = middle;
	}
	return low < SPB_COUNT(builtins) && builtins[low].builtin == builtin ? &builtins[low] : NULL;
}

uint8_t spb_uniformity_builtin(uint32_t builtin, uint32_t stages)
{
	const struct builtin_row *row = builtin_row(builtin);
	unsigned bits = SPB_UNIFORM_BOTH;

	if (!row || !stages)
		return 0;
	for (unsigned i = 0; i < STAGE_GROUPS; i++) {
		if (stages & 1u << i)
			bits &= row->bits[i];
	}
	return (uint8_t)bits;
}

bool spb_uniformity_knows_builtin(uint32_t builtin)
{
	return builtin_row(builtin) != NULL;
}

enum spb_transfer spb_uniformity_glsl(uint32_t instruction)
{
	return instruction < SPB_COUNT(glsl) ? (enum spb_transfer)glsl[instruction] : SPB_TRANSFER_MISSING;
}
