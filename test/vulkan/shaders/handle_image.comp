#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 image2D, 1 uimage2D */
void main()
{
	put(0, imageLoad(handle_image2D(divergent(0)), ivec2(0)).r);
	put(1, imageLoad(handle_uimage2D(divergent(1)), ivec2(0)).r);
	put(2, imageSize(handle_uimage2D(divergent(1))).x);
	imageStore(handle_uimage2D(divergent(1)), ivec2(1, 0), uvec4(5000u + LANE));
	memoryBarrierImage();
	put(3, imageLoad(handle_uimage2D(divergent(1)), ivec2(1, 0)).r);
	put(4, imageLoad(handle_image2D(uniform_handle(0)), ivec2(0)).r);
	put(5, imageSize(handle_uimage2D(uniform_handle(1))).x);
}
