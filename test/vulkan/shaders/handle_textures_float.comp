#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 texture1D, 1 texture2D, 2 texture3D, 3 textureCube, 4 texture1DArray, 5 texture2DArray, 6 textureCubeArray, 7 texture2DMS, 8 texture2DMSArray, 9 sampler */
void main()
{
	put(0, unorm(texelFetch(handle_texture1D(divergent(0)), 0, 0).r));
	put(1, unorm(texelFetch(handle_texture2D(divergent(1)), ivec2(0), 0).r));
	put(2, unorm(texelFetch(handle_texture3D(divergent(2)), ivec3(0, 0, 1), 0).r));
	put(3, unorm(textureLod(samplerCube(handle_textureCube(divergent(3)), handle_sampler(uniform_handle(9))), vec3(1.0, 0.0, 0.0), 0.0).r));
	put(4, unorm(texelFetch(handle_texture1DArray(divergent(4)), ivec2(0, 1), 0).r));
	put(5, unorm(texelFetch(handle_texture2DArray(divergent(5)), ivec3(0, 0, 1), 0).r));
	put(6, unorm(textureLod(samplerCubeArray(handle_textureCubeArray(divergent(6)), handle_sampler(uniform_handle(9))), vec4(1.0, 0.0, 0.0, 1.0), 0.0).r));
	put(7, unorm(texelFetch(handle_texture2DMS(divergent(7)), ivec2(0), 3).r));
	put(8, unorm(texelFetch(handle_texture2DMSArray(divergent(8)), ivec3(0, 0, 1), 3).r));

	uint sum = 0u;
	sum += unorm(texelFetch(handle_texture1D(uniform_handle(0)), 0, 0).r);
	sum += unorm(texelFetch(handle_texture2D(uniform_handle(1)), ivec2(0), 0).r);
	sum += unorm(texelFetch(handle_texture3D(uniform_handle(2)), ivec3(0, 0, 1), 0).r);
	sum += unorm(textureLod(samplerCube(handle_textureCube(uniform_handle(3)), handle_sampler(uniform_handle(9))), vec3(1.0, 0.0, 0.0), 0.0).r);
	sum += unorm(texelFetch(handle_texture1DArray(uniform_handle(4)), ivec2(0, 1), 0).r);
	sum += unorm(texelFetch(handle_texture2DArray(uniform_handle(5)), ivec3(0, 0, 1), 0).r);
	sum += unorm(textureLod(samplerCubeArray(handle_textureCubeArray(uniform_handle(6)), handle_sampler(uniform_handle(9))), vec4(1.0, 0.0, 0.0, 1.0), 0.0).r);
	sum += unorm(texelFetch(handle_texture2DMS(uniform_handle(7)), ivec2(0), 3).r);
	sum += unorm(texelFetch(handle_texture2DMSArray(uniform_handle(8)), ivec3(0, 0, 1), 3).r);
	put(9, sum);
}
