#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 uimageBuffer, 1 imageBuffer */
void main()
{
	put(0, imageLoad(handle_uimageBuffer(divergent(0)), 6).r);
	put(1, imageSize(handle_uimageBuffer(divergent(0))));
	imageStore(handle_uimageBuffer(divergent(0)), 7, uvec4(5000u + LANE));
	memoryBarrierImage();
	put(2, imageLoad(handle_uimageBuffer(divergent(0)), 7).r);
	put(3, imageLoad(handle_imageBuffer(divergent(1)), 8).r);
	put(4, imageLoad(handle_uimageBuffer(uniform_handle(0)), 6).r);
}
