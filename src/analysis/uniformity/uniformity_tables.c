/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_tables: facts about the uniformity of each built-in variable and each instruction of GLSL.std.450.
 *
 *     {4426, {BOTH, GROUP, 0, 0}},       DrawIndex: workgroup stages, geometry stages, fragment, ray tracing
 *
 * The facts about built-ins are those of Vulkan, "Built-In Variables", for one command. Built-ins that identify parts
 * of the device (SMCountNV) are treated like DeviceIndex, because no specification says whether a subgroup may span
 * devices. In ray tracing stages SubgroupSize is valid until the next repack, and must be Volatile. Vulkan says that
 * its value may vary across a draw, and "in compute dispatches must be uniform with command scope" ("SubgroupSize");
 * what task and mesh shaders see belongs to a draw. */
#include <spirv/unified1/GLSL.std.450.h>

#include "analysis/uniformity/uniformity_tables.h"

enum {
	COMPONENTWISE = SPB_TRANSFER_COMPONENTWISE,
	JOIN = SPB_TRANSFER_JOIN,
	VARYING = SPB_TRANSFER_VARYING,
	UNKNOWN = SPB_TRANSFER_UNKNOWN,
	SPECIAL = SPB_TRANSFER_SPECIAL
};

enum {
	GROUP = SPB_UNIFORM_GROUP,
	SUBGROUP = SPB_UNIFORM_SUBGROUP,
	BOTH = SPB_UNIFORM_BOTH,
	COMPUTE = SUBGROUP | 4, /* BOTH in compute, SUBGROUP in task and mesh */
	COLUMNS = 4
};

static const struct builtin_row {
	uint16_t builtin;
	uint8_t bits[COLUMNS]; /* ORDER STAGE GROUPS: the bits SPB_COMPUTE_STAGE … SPB_RAY_STAGES */
} builtins[] = {
#include "analysis/uniformity/uniformity_builtins.inc"
};

static const uint8_t glsl[] = {
    [GLSLstd450Round] = COMPONENTWISE,
    [GLSLstd450RoundEven] = COMPONENTWISE,
    [GLSLstd450Trunc] = COMPONENTWISE,
    [GLSLstd450FAbs] = COMPONENTWISE,
    [GLSLstd450SAbs] = COMPONENTWISE,
    [GLSLstd450FSign] = COMPONENTWISE,
    [GLSLstd450SSign] = COMPONENTWISE,
    [GLSLstd450Floor] = COMPONENTWISE,
    [GLSLstd450Ceil] = COMPONENTWISE,
    [GLSLstd450Fract] = COMPONENTWISE,
    [GLSLstd450Radians] = COMPONENTWISE,
    [GLSLstd450Degrees] = COMPONENTWISE,
    [GLSLstd450Sin] = COMPONENTWISE,
    [GLSLstd450Cos] = COMPONENTWISE,
    [GLSLstd450Tan] = COMPONENTWISE,
    [GLSLstd450Asin] = COMPONENTWISE,
    [GLSLstd450Acos] = COMPONENTWISE,
    [GLSLstd450Atan] = COMPONENTWISE,
    [GLSLstd450Sinh] = COMPONENTWISE,
    [GLSLstd450Cosh] = COMPONENTWISE,
    [GLSLstd450Tanh] = COMPONENTWISE,
    [GLSLstd450Asinh] = COMPONENTWISE,
    [GLSLstd450Acosh] = COMPONENTWISE,
    [GLSLstd450Atanh] = COMPONENTWISE,
    [GLSLstd450Atan2] = COMPONENTWISE,
    [GLSLstd450Pow] = COMPONENTWISE,
    [GLSLstd450Exp] = COMPONENTWISE,
    [GLSLstd450Log] = COMPONENTWISE,
    [GLSLstd450Exp2] = COMPONENTWISE,
    [GLSLstd450Log2] = COMPONENTWISE,
    [GLSLstd450Sqrt] = COMPONENTWISE,
    [GLSLstd450InverseSqrt] = COMPONENTWISE,
    [GLSLstd450Determinant] = JOIN,
    [GLSLstd450MatrixInverse] = JOIN,
    [GLSLstd450Modf] = SPECIAL, /* writes through a pointer, its last operand */
    [GLSLstd450ModfStruct] = JOIN,
    [GLSLstd450FMin] = COMPONENTWISE,
    [GLSLstd450UMin] = COMPONENTWISE,
    [GLSLstd450SMin] = COMPONENTWISE,
    [GLSLstd450FMax] = COMPONENTWISE,
    [GLSLstd450UMax] = COMPONENTWISE,
    [GLSLstd450SMax] = COMPONENTWISE,
    [GLSLstd450FClamp] = COMPONENTWISE,
    [GLSLstd450UClamp] = COMPONENTWISE,
    [GLSLstd450SClamp] = COMPONENTWISE,
    [GLSLstd450FMix] = COMPONENTWISE,
    [GLSLstd450IMix] = UNKNOWN, /* reserved: its effect is not specified */
    [GLSLstd450Step] = COMPONENTWISE,
    [GLSLstd450SmoothStep] = COMPONENTWISE,
    [GLSLstd450Fma] = COMPONENTWISE,
    [GLSLstd450Frexp] = SPECIAL, /* like Modf */
    [GLSLstd450FrexpStruct] = JOIN,
    [GLSLstd450Ldexp] = COMPONENTWISE,
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
    [GLSLstd450FindILsb] = COMPONENTWISE,
    [GLSLstd450FindSMsb] = COMPONENTWISE,
    [GLSLstd450FindUMsb] = COMPONENTWISE,
    [GLSLstd450InterpolateAtCentroid] = VARYING,
    [GLSLstd450InterpolateAtSample] = VARYING,
    [GLSLstd450InterpolateAtOffset] = VARYING,
    [GLSLstd450NMin] = COMPONENTWISE,
    [GLSLstd450NMax] = COMPONENTWISE,
    [GLSLstd450NClamp] = COMPONENTWISE,
};

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
	for (unsigned i = 0; i < COLUMNS; i++) {
		if (stages & 1u << i)
			bits &= i || row->bits[i] != COMPUTE ? row->bits[i] : BOTH;
	}
	if (stages & SPB_MESH_STAGES)
		bits &= row->bits[0];
	return (uint8_t)bits;
}

enum spb_transfer spb_uniformity_glsl(uint32_t instruction)
{
	return instruction < SPB_COUNT(glsl) ? (enum spb_transfer)glsl[instruction] : SPB_TRANSFER_MISSING;
}

/* Vulkan, "Scope", Quad: all fragments of a quad have the same layer and sample index, and their coordinates differ by
 * the size of one fragment. */
uint8_t spb_uniformity_of_fragments(uint32_t builtin)
{
	switch (builtin) {
	case SpvBuiltInPrimitiveId:
	case SpvBuiltInLayer:
	case SpvBuiltInViewportIndex:
	case SpvBuiltInFrontFacing:
	case SpvBuiltInViewIndex:
	case SpvBuiltInDeviceIndex:
		return SPB_UNIFORM_BOTH;
	case SpvBuiltInSampleId:
	case SpvBuiltInSamplePosition:
	case SpvBuiltInShadingRateKHR:
	case SpvBuiltInFragSizeEXT:
		return SPB_UNIFORM_SUBGROUP;
	default:
		return 0;
	}
}
