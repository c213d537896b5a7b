#version 460
#extension GL_GOOGLE_include_directive : require
// spirv-bind: --resolver=FIXTURES/resolvers/packed.glsl
#include "handle.glsl"

/* rows: 0 utexture2D */
void main()
{
	uvec2 h = table.h[PICK] | uvec2(LANE + 1u << 20, LANE), u = uniform_handle(0) | uvec2(7u << 20, 0u);

	put(0, texelFetch(handle_utexture2D(nonuniform_handle(h)), ivec2(0), 0).r);
	put(1, textureSize(handle_utexture2D(nonuniform_handle(h)), 0).x);
	put(2, texelFetch(handle_utexture2D(u), ivec2(0), 0).r);
	put(3, texelFetch(handle_utexture2D(uvec2(0xABC00003u, 9u)), ivec2(0), 0).r);
}
