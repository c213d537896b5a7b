#version 460
/* samplerBuffer is a sampled image of a Buffer, which SPIR-V 1.6 no longer has: its heap is that of textureBuffer. */
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 samplerBuffer and textureBuffer, 1 usamplerBuffer */
void main()
{
	put(0, texelFetch(handle_samplerBuffer(divergent(0)), 5).r);
	put(1, texelFetch(handle_textureBuffer(divergent(0)), 4).r);
	put(2, textureSize(handle_samplerBuffer(divergent(0))));
	put(3, texelFetch(handle_usamplerBuffer(divergent(1)), 3).r);
}
