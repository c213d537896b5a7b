#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 utextureBuffer, 1 textureBuffer and samplerBuffer, 2 uimageBuffer, 3 imageBuffer */
void main()
{
	put(0, texelFetch(handle_utextureBuffer(divergent(0)), 3).r);
	put(1, textureSize(handle_utextureBuffer(divergent(0))));
	put(2, texelFetch(handle_textureBuffer(divergent(1)), 4).r);
	put(3, texelFetch(handle_samplerBuffer(divergent(1)), 5).r);
	put(4, imageLoad(handle_uimageBuffer(divergent(2)), 6).r);
	put(5, imageSize(handle_uimageBuffer(divergent(2))));
	imageStore(handle_uimageBuffer(divergent(2)), 7, uvec4(5000u + LANE));
	memoryBarrierImage();
	put(6, imageLoad(handle_uimageBuffer(divergent(2)), 7).r);
	put(7, imageLoad(handle_imageBuffer(divergent(3)), 8).r);
	put(8, texelFetch(handle_utextureBuffer(uniform_handle(0)), 3).r);
	put(9, imageLoad(handle_uimageBuffer(uniform_handle(2)), 6).r);
}
