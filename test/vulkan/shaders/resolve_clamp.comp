#version 460
#extension GL_GOOGLE_include_directive : require
// spirv-bind: --resolver=FIXTURES/resolvers/clamp.glsl
#include "handle.glsl"

/* rows: 0 utexture2D */
void main()
{
	put(0, texelFetch(handle_utexture2D(divergent(0)), ivec2(0), 0).r);
	put(1, texelFetch(handle_utexture2D(nonuniform_handle(table.h[PICK] + 100u)), ivec2(0), 0).r);
	put(2, texelFetch(handle_utexture2D(uniform_handle(0)), ivec2(0), 0).r);
}
