#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* A depth of n / 16 is more than n of the references.
 * rows: 0 sampler1DShadow, 1 sampler2DShadow, 2 samplerCubeShadow, 3 sampler1DArrayShadow, 4 sampler2DArrayShadow, 5 samplerCubeArrayShadow */
void main()
{
	uint count[7] = uint[7](0u, 0u, 0u, 0u, 0u, 0u, 0u);

	for (uint k = 0u; k < 8u; k++) {
		float reference = (float(k) + 0.5) / 16.0;
		count[0] += uint(texture(handle_sampler1DShadow(divergent(0)), vec3(0.5, 0.0, reference)));
		count[1] += uint(texture(handle_sampler2DShadow(divergent(1)), vec3(0.5, 0.5, reference)));
		count[2] += uint(texture(handle_samplerCubeShadow(divergent(2)), vec4(1.0, 0.0, 0.0, reference)));
		count[3] += uint(texture(handle_sampler1DArrayShadow(divergent(3)), vec3(0.5, 1.0, reference)));
		count[4] += uint(texture(handle_sampler2DArrayShadow(divergent(4)), vec4(0.5, 0.5, 1.0, reference)));
		count[5] += uint(texture(handle_samplerCubeArrayShadow(divergent(5)), vec4(1.0, 0.0, 0.0, 1.0), reference));
		count[6] += uint(texture(handle_sampler1DShadow(uniform_handle(0)), vec3(0.5, 0.0, reference)));
		count[6] += uint(texture(handle_sampler2DShadow(uniform_handle(1)), vec3(0.5, 0.5, reference)));
		count[6] += uint(texture(handle_samplerCubeShadow(uniform_handle(2)), vec4(1.0, 0.0, 0.0, reference)));
		count[6] += uint(texture(handle_sampler1DArrayShadow(uniform_handle(3)), vec3(0.5, 1.0, reference)));
		count[6] += uint(texture(handle_sampler2DArrayShadow(uniform_handle(4)), vec4(0.5, 0.5, 1.0, reference)));
		count[6] += uint(texture(handle_samplerCubeArrayShadow(uniform_handle(5)), vec4(1.0, 0.0, 0.0, 1.0), reference));
	}
	for (uint i = 0u; i < 7u; i++)
		put(i, count[i]);
	put(7, textureSize(handle_sampler2DShadow(divergent(1)), 0).x);
}
