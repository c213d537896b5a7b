#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 itexture1D, 1 itexture2D, 2 itexture3D, 3 itextureCube, 4 itexture1DArray, 5 itexture2DArray, 6 itextureCubeArray, 7 itexture2DMS, 8 itexture2DMSArray, 9 sampler */
void main()
{
	put(0, uint(texelFetch(handle_itexture1D(divergent(0)), 0, 0).r));
	put(1, uint(texelFetch(handle_itexture2D(divergent(1)), ivec2(0), 0).r));
	put(2, uint(texelFetch(handle_itexture3D(divergent(2)), ivec3(0, 0, 1), 0).r));
	put(3, uint(textureLod(isamplerCube(handle_itextureCube(divergent(3)), handle_sampler(uniform_handle(9))), vec3(1.0, 0.0, 0.0), 0.0).r));
	put(4, uint(texelFetch(handle_itexture1DArray(divergent(4)), ivec2(0, 1), 0).r));
	put(5, uint(texelFetch(handle_itexture2DArray(divergent(5)), ivec3(0, 0, 1), 0).r));
	put(6, uint(textureLod(isamplerCubeArray(handle_itextureCubeArray(divergent(6)), handle_sampler(uniform_handle(9))), vec4(1.0, 0.0, 0.0, 1.0), 0.0).r));
	put(7, uint(texelFetch(handle_itexture2DMS(divergent(7)), ivec2(0), 3).r));
	put(8, uint(texelFetch(handle_itexture2DMSArray(divergent(8)), ivec3(0, 0, 1), 3).r));

	uint sum = 0u;
	sum += uint(texelFetch(handle_itexture1D(uniform_handle(0)), 0, 0).r);
	sum += uint(texelFetch(handle_itexture2D(uniform_handle(1)), ivec2(0), 0).r);
	sum += uint(texelFetch(handle_itexture3D(uniform_handle(2)), ivec3(0, 0, 1), 0).r);
	sum += uint(textureLod(isamplerCube(handle_itextureCube(uniform_handle(3)), handle_sampler(uniform_handle(9))), vec3(1.0, 0.0, 0.0), 0.0).r);
	sum += uint(texelFetch(handle_itexture1DArray(uniform_handle(4)), ivec2(0, 1), 0).r);
	sum += uint(texelFetch(handle_itexture2DArray(uniform_handle(5)), ivec3(0, 0, 1), 0).r);
	sum += uint(textureLod(isamplerCubeArray(handle_itextureCubeArray(uniform_handle(6)), handle_sampler(uniform_handle(9))), vec4(1.0, 0.0, 0.0, 1.0), 0.0).r);
	sum += uint(texelFetch(handle_itexture2DMS(uniform_handle(7)), ivec2(0), 3).r);
	sum += uint(texelFetch(handle_itexture2DMSArray(uniform_handle(8)), ivec3(0, 0, 1), 3).r);
	put(9, sum);
}
