#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 usampler1D, 1 usampler2D, 2 usampler3D, 3 usamplerCube, 4 usampler1DArray, 5 usampler2DArray, 6 usamplerCubeArray, 7 usampler2DMS, 8 usampler2DMSArray */
void main()
{
	put(0, texelFetch(handle_usampler1D(divergent(0)), 0, 0).r);
	put(1, texelFetch(handle_usampler2D(divergent(1)), ivec2(0), 0).r);
	put(2, texelFetch(handle_usampler3D(divergent(2)), ivec3(0, 0, 1), 0).r);
	put(3, textureLod(handle_usamplerCube(divergent(3)), vec3(1.0, 0.0, 0.0), 0.0).r);
	put(4, texelFetch(handle_usampler1DArray(divergent(4)), ivec2(0, 1), 0).r);
	put(5, texelFetch(handle_usampler2DArray(divergent(5)), ivec3(0, 0, 1), 0).r);
	put(6, textureLod(handle_usamplerCubeArray(divergent(6)), vec4(1.0, 0.0, 0.0, 1.0), 0.0).r);
	put(7, texelFetch(handle_usampler2DMS(divergent(7)), ivec2(0), 3).r);
	put(8, texelFetch(handle_usampler2DMSArray(divergent(8)), ivec3(0, 0, 1), 3).r);

	uint sum = 0u;
	sum += texelFetch(handle_usampler1D(uniform_handle(0)), 0, 0).r;
	sum += texelFetch(handle_usampler2D(uniform_handle(1)), ivec2(0), 0).r;
	sum += texelFetch(handle_usampler3D(uniform_handle(2)), ivec3(0, 0, 1), 0).r;
	sum += textureLod(handle_usamplerCube(uniform_handle(3)), vec3(1.0, 0.0, 0.0), 0.0).r;
	sum += texelFetch(handle_usampler1DArray(uniform_handle(4)), ivec2(0, 1), 0).r;
	sum += texelFetch(handle_usampler2DArray(uniform_handle(5)), ivec3(0, 0, 1), 0).r;
	sum += textureLod(handle_usamplerCubeArray(uniform_handle(6)), vec4(1.0, 0.0, 0.0, 1.0), 0.0).r;
	sum += texelFetch(handle_usampler2DMS(uniform_handle(7)), ivec2(0), 3).r;
	sum += texelFetch(handle_usampler2DMSArray(uniform_handle(8)), ivec3(0, 0, 1), 3).r;
	put(9, sum);
}
