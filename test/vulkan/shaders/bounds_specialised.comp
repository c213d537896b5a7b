#version 460
#extension GL_GOOGLE_include_directive : require
// The host makes the heap twice as long as the default of its constant, and says so to the layout.
// spirv-bind: --heap-size=4:3 --spec=3=8 --bounds-check=clamp
// run: --constant 3=8
#include "handle.glsl"

/* rows: 0 utexture2D */
void main()
{
	put(0, texelFetch(handle_utexture2D(divergent(0)), ivec2(0), 0).r);
	put(1, texelFetch(handle_utexture2D(nonuniform_handle(table.h[PICK] + 1000u)), ivec2(0), 0).r);
	put(2, texelFetch(handle_utexture2D(nonuniform_handle(table.h[PICK] | 0xFFFFFFF8u)), ivec2(0), 0).r);
	put(3, texelFetch(handle_utexture2D(uniform_handle(0)), ivec2(0), 0).r);
}
