/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_tables: facts about the uniformity of each built-in variable and each instruction of GLSL.std.450.
 *
 *     {4426, {BOTH, GROUP, 0, 0}},       DrawIndex: workgroup stages, geometry stages, fragment, ray tracing
 *
 * The facts about built-ins are those of Vulkan, "Built-In Variables", for one command. Built-ins that identify parts
 * of the device (SMCountNV) are treated like DeviceIndex, because no specification says whether a subgroup may span
 * devices. In ray tracing stages SubgroupSize is valid until the next repack, and must be Volatile. */
#include <spirv/unified1/GLSL.std.450.h>

#include "analysis/uniformity/uniformity_tables.h"

enum {
	LANEWISE = SPB_TRANSFER_LANEWISE,
	JOIN = SPB_TRANSFER_JOIN,
	VARYING = SPB_TRANSFER_VARYING,
	UNKNOWN = SPB_TRANSFER_UNKNOWN,
	SPECIAL = SPB_TRANSFER_SPECIAL
};

enum { GROUP = SPB_UNIFORM_GROUP, SUBGROUP = SPB_UNIFORM_SUBGROUP, BOTH = SPB_UNIFORM_BOTH, STAGE_GROUPS = 4 };

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
    [GLSLstd450Modf] = SPECIAL, /* writes through a pointer, its last operand */
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
    [GLSLstd450IMix] = UNKNOWN, /* reserved: its effect is not specified */
    [GLSLstd450Step] = LANEWISE,
    [GLSLstd450SmoothStep] = LANEWISE,
    [GLSLstd450Fma] = LANEWISE,
    [GLSLstd450Frexp] = SPECIAL, /* like Modf */
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
