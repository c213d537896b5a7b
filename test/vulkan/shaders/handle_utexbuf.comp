#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 utextureBuffer, 1 textureBuffer */
void main()
{
	put(0, texelFetch(handle_utextureBuffer(divergent(0)), 3).r);
	put(1, textureSize(handle_utextureBuffer(divergent(0))));
	put(2, texelFetch(handle_textureBuffer(divergent(1)), 4).r);
	put(3, texelFetch(handle_utextureBuffer(uniform_handle(0)), 3).r);
}
