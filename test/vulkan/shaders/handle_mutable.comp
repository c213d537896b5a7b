#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 texture2D, 1 uimage2D, 2 utextureBuffer, 3 uimageBuffer: four descriptor types, with mutable heaps in one */
void main()
{
	put(0, unorm(texelFetch(handle_texture2D(divergent(0)), ivec2(0), 0).r));
	put(1, imageLoad(handle_uimage2D(divergent(1)), ivec2(0)).r);
	put(2, texelFetch(handle_utextureBuffer(divergent(2)), 3).r);
	put(3, imageLoad(handle_uimageBuffer(divergent(3)), 6).r);
	imageStore(handle_uimage2D(divergent(1)), ivec2(1, 0), uvec4(5000u + LANE));
	memoryBarrierImage();
	put(4, imageLoad(handle_uimage2D(divergent(1)), ivec2(1, 0)).r);
	put(5, unorm(texelFetch(handle_texture2D(uniform_handle(0)), ivec2(0), 0).r));
}
