#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 utexture2D. The module contains its resolver. Compilers drop functions that are not called. */
uint getDescriptorIndexFromHandle(uvec2 handle)
{
	return handle.x >> 8;
}

void main()
{
	uvec2 h = table.h[PICK] << 8 | 0x5Au;

	put(0, texelFetch(handle_utexture2D(nonuniform_handle(h)), ivec2(0), 0).r);
	put(1, texelFetch(handle_utexture2D(uniform_handle(0) << 8), ivec2(0), 0).r);
	put(2, getDescriptorIndexFromHandle(uvec2(LANE << 8, 0u)));
}
