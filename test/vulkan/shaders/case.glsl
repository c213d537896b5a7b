/* SPDX-License-Identifier: Apache-2.0 */
/* Common to all cases: 8 lanes, lane i uses descriptor PICK, column k of the results is results.v[8 * k ...]. In a
 * fragment shader (FRAGMENT) the lanes are the 4 x 2 pixels of the target, which are two quads. Stages match blocks by
 * the names of their types, not of their instances: so the host looks for out_data. */
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require

/* The binding that spirv-bind --auto-binding=65534 treats as missing. */
#define AUTO binding = 65534

#ifdef FRAGMENT
layout(location = 0) out uvec4 target;
#define LANE (uint(gl_FragCoord.x) + 4u * uint(gl_FragCoord.y))
#else
layout(local_size_x = 8) in;
#define LANE gl_LocalInvocationIndex
#endif
#ifdef EXPLICIT_OUT
layout(EXPLICIT_OUT, std430) buffer out_data { uint v[]; } results;
#else
layout(AUTO, std430) buffer out_data { uint v[]; } results;
#endif

#define PICK ((LANE * 5u + 3u) & 7u)
#define put(column, value) results.v[(column) * 8u + LANE] = uint(value)
#define unorm(x) uint((x) * 255.0 + 0.5)

/* Sampler n addresses outside its texture by n % 4 (run.h): returns n, if its upper bits are those of PICK. */
uint sampler_number(vec4 outside)
{
	uint mode = outside.a < 0.5 ? 1u : outside.r > 0.9 ? 3u : outside.r > 0.5 ? 0u : 2u;
	return mode + (PICK & ~3u);
}
