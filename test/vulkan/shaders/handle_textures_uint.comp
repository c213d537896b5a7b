#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 utexture1D, 1 utexture2D, 2 utexture3D, 3 utextureCube, 4 utexture1DArray, 5 utexture2DArray, 6 utextureCubeArray, 7 utexture2DMS, 8 utexture2DMSArray, 9 sampler */
void main()
{
	put(0, texelFetch(handle_utexture1D(divergent(0)), 0, 0).r);
	put(1, texelFetch(handle_utexture2D(divergent(1)), ivec2(0), 0).r);
	put(2, texelFetch(handle_utexture3D(divergent(2)), ivec3(0, 0, 1), 0).r);
	put(3, textureLod(usamplerCube(handle_utextureCube(divergent(3)), handle_sampler(uniform_handle(9))), vec3(1.0, 0.0, 0.0), 0.0).r);
	put(4, texelFetch(handle_utexture1DArray(divergent(4)), ivec2(0, 1), 0).r);
	put(5, texelFetch(handle_utexture2DArray(divergent(5)), ivec3(0, 0, 1), 0).r);
	put(6, textureLod(usamplerCubeArray(handle_utextureCubeArray(divergent(6)), handle_sampler(uniform_handle(9))), vec4(1.0, 0.0, 0.0, 1.0), 0.0).r);
	put(7, texelFetch(handle_utexture2DMS(divergent(7)), ivec2(0), 3).r);
	put(8, texelFetch(handle_utexture2DMSArray(divergent(8)), ivec3(0, 0, 1), 3).r);

	uint sum = 0u;
	sum += texelFetch(handle_utexture1D(uniform_handle(0)), 0, 0).r;
	sum += texelFetch(handle_utexture2D(uniform_handle(1)), ivec2(0), 0).r;
	sum += texelFetch(handle_utexture3D(uniform_handle(2)), ivec3(0, 0, 1), 0).r;
	sum += textureLod(usamplerCube(handle_utextureCube(uniform_handle(3)), handle_sampler(uniform_handle(9))), vec3(1.0, 0.0, 0.0), 0.0).r;
	sum += texelFetch(handle_utexture1DArray(uniform_handle(4)), ivec2(0, 1), 0).r;
	sum += texelFetch(handle_utexture2DArray(uniform_handle(5)), ivec3(0, 0, 1), 0).r;
	sum += textureLod(usamplerCubeArray(handle_utextureCubeArray(uniform_handle(6)), handle_sampler(uniform_handle(9))), vec4(1.0, 0.0, 0.0, 1.0), 0.0).r;
	sum += texelFetch(handle_utexture2DMS(uniform_handle(7)), ivec2(0), 3).r;
	sum += texelFetch(handle_utexture2DMSArray(uniform_handle(8)), ivec3(0, 0, 1), 3).r;
	put(9, sum);
}
