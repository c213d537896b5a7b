#version 460
#extension GL_GOOGLE_include_directive : require
// spirv-bind: --resolver=FIXTURES/resolvers/table.glsl
#include "handle.glsl"

/* rows: 0 utexture2D. 3 * 3 is 1, modulo 8. */
void main()
{
	put(0, texelFetch(handle_utexture2D(nonuniform_handle(table.h[PICK] * 3u)), ivec2(0), 0).r);
	put(1, textureSize(handle_utexture2D(nonuniform_handle(table.h[PICK] * 3u)), 0).x);
	put(2, texelFetch(handle_utexture2D(uniform_handle(0) * 3u), ivec2(0), 0).r);
}
