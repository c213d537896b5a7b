#version 460
#extension GL_GOOGLE_include_directive : require
// spirv-bind: --resolver=FIXTURES/resolvers/choose.spvasm
#include "handle.glsl"

/* rows: 0 utexture2D */
void main()
{
	uint x = table.h[PICK].x;

	put(0, texelFetch(handle_utexture2D(nonuniform_handle(uvec2(x, 3u))), ivec2(0), 0).r);
	put(1, texelFetch(handle_utexture2D(nonuniform_handle(uvec2(1000u, x))), ivec2(0), 0).r);
	put(2, texelFetch(handle_utexture2D(nonuniform_handle(uvec2(x + 100u * (LANE & 1u) + (LANE & 1u), x))), ivec2(0), 0).r);
	put(3, texelFetch(handle_utexture2D(uniform_handle(0)), ivec2(0), 0).r);
}
