#version 460
#extension GL_GOOGLE_include_directive : require
// spirv-bind: --resolver=FIXTURES/resolvers/generation.glsl
#include "handle.glsl"

/* rows: 0 utexture2D. Word i of a buffer is 1000 + i: the generation of handle i. */
void main()
{
	uint x = table.h[PICK].x;
	uvec2 right = uvec2(x, 1000u + x), gone = uvec2(x, 999u + x), beyond = uvec2(x + 4096u, 0u);

	put(0, texelFetch(handle_utexture2D(nonuniform_handle(right)), ivec2(0), 0).r);
	put(1, texelFetch(handle_utexture2D(nonuniform_handle(gone)), ivec2(0), 0).r);
	put(2, texelFetch(handle_utexture2D(nonuniform_handle(beyond)), ivec2(0), 0).r);
	put(3, texelFetch(handle_utexture2D(uvec2(uniform_handle(0).x, 1000u + uniform_handle(0).x)), ivec2(0), 0).r);
}
