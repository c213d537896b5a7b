#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 sampler1D, 1 sampler2D, 2 sampler3D, 3 samplerCube, 4 sampler1DArray, 5 sampler2DArray, 6 samplerCubeArray, 7 sampler2DMS, 8 sampler2DMSArray */
void main()
{
	put(0, unorm(texelFetch(handle_sampler1D(divergent(0)), 0, 0).r));
	put(1, unorm(texelFetch(handle_sampler2D(divergent(1)), ivec2(0), 0).r));
	put(2, unorm(texelFetch(handle_sampler3D(divergent(2)), ivec3(0, 0, 1), 0).r));
	put(3, unorm(textureLod(handle_samplerCube(divergent(3)), vec3(1.0, 0.0, 0.0), 0.0).r));
	put(4, unorm(texelFetch(handle_sampler1DArray(divergent(4)), ivec2(0, 1), 0).r));
	put(5, unorm(texelFetch(handle_sampler2DArray(divergent(5)), ivec3(0, 0, 1), 0).r));
	put(6, unorm(textureLod(handle_samplerCubeArray(divergent(6)), vec4(1.0, 0.0, 0.0, 1.0), 0.0).r));
	put(7, unorm(texelFetch(handle_sampler2DMS(divergent(7)), ivec2(0), 3).r));
	put(8, unorm(texelFetch(handle_sampler2DMSArray(divergent(8)), ivec3(0, 0, 1), 3).r));

	uint sum = 0u;
	sum += unorm(texelFetch(handle_sampler1D(uniform_handle(0)), 0, 0).r);
	sum += unorm(texelFetch(handle_sampler2D(uniform_handle(1)), ivec2(0), 0).r);
	sum += unorm(texelFetch(handle_sampler3D(uniform_handle(2)), ivec3(0, 0, 1), 0).r);
	sum += unorm(textureLod(handle_samplerCube(uniform_handle(3)), vec3(1.0, 0.0, 0.0), 0.0).r);
	sum += unorm(texelFetch(handle_sampler1DArray(uniform_handle(4)), ivec2(0, 1), 0).r);
	sum += unorm(texelFetch(handle_sampler2DArray(uniform_handle(5)), ivec3(0, 0, 1), 0).r);
	sum += unorm(textureLod(handle_samplerCubeArray(uniform_handle(6)), vec4(1.0, 0.0, 0.0, 1.0), 0.0).r);
	sum += unorm(texelFetch(handle_sampler2DMS(uniform_handle(7)), ivec2(0), 3).r);
	sum += unorm(texelFetch(handle_sampler2DMSArray(uniform_handle(8)), ivec3(0, 0, 1), 3).r);
	put(9, sum);
}
