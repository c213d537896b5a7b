#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 isampler1D, 1 isampler2D, 2 isampler3D, 3 isamplerCube, 4 isampler1DArray, 5 isampler2DArray, 6 isamplerCubeArray, 7 isampler2DMS, 8 isampler2DMSArray */
void main()
{
	put(0, uint(texelFetch(handle_isampler1D(divergent(0)), 0, 0).r));
	put(1, uint(texelFetch(handle_isampler2D(divergent(1)), ivec2(0), 0).r));
	put(2, uint(texelFetch(handle_isampler3D(divergent(2)), ivec3(0, 0, 1), 0).r));
	put(3, uint(textureLod(handle_isamplerCube(divergent(3)), vec3(1.0, 0.0, 0.0), 0.0).r));
	put(4, uint(texelFetch(handle_isampler1DArray(divergent(4)), ivec2(0, 1), 0).r));
	put(5, uint(texelFetch(handle_isampler2DArray(divergent(5)), ivec3(0, 0, 1), 0).r));
	put(6, uint(textureLod(handle_isamplerCubeArray(divergent(6)), vec4(1.0, 0.0, 0.0, 1.0), 0.0).r));
	put(7, uint(texelFetch(handle_isampler2DMS(divergent(7)), ivec2(0), 3).r));
	put(8, uint(texelFetch(handle_isampler2DMSArray(divergent(8)), ivec3(0, 0, 1), 3).r));

	uint sum = 0u;
	sum += uint(texelFetch(handle_isampler1D(uniform_handle(0)), 0, 0).r);
	sum += uint(texelFetch(handle_isampler2D(uniform_handle(1)), ivec2(0), 0).r);
	sum += uint(texelFetch(handle_isampler3D(uniform_handle(2)), ivec3(0, 0, 1), 0).r);
	sum += uint(textureLod(handle_isamplerCube(uniform_handle(3)), vec3(1.0, 0.0, 0.0), 0.0).r);
	sum += uint(texelFetch(handle_isampler1DArray(uniform_handle(4)), ivec2(0, 1), 0).r);
	sum += uint(texelFetch(handle_isampler2DArray(uniform_handle(5)), ivec3(0, 0, 1), 0).r);
	sum += uint(textureLod(handle_isamplerCubeArray(uniform_handle(6)), vec4(1.0, 0.0, 0.0, 1.0), 0.0).r);
	sum += uint(texelFetch(handle_isampler2DMS(uniform_handle(7)), ivec2(0), 3).r);
	sum += uint(texelFetch(handle_isampler2DMSArray(uniform_handle(8)), ivec3(0, 0, 1), 3).r);
	put(9, sum);
}
