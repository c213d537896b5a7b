#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 itextureBuffer, 1 r32i iimageBuffer, 2 r32f imageBuffer, 3 rgba32ui uimageBuffer */
DECLARE_IMAGE_HANDLE(r32i, iimageBuffer, my_iimageBuffer)
DECLARE_IMAGE_HANDLE(r32f, imageBuffer, my_imageBuffer)
DECLARE_IMAGE_HANDLE(rgba32ui, uimageBuffer, my_uimageBuffer)

void main()
{
	put(0, texelFetch(handle_itextureBuffer(divergent(0)), 3).r);
	put(1, imageLoad(my_iimageBuffer(divergent(1)), 4).r);
	put(2, texelFetch(handle_isamplerBuffer(divergent(0)), 5).r);
	put(3, imageLoad(my_imageBuffer(divergent(2)), 6).r);
	put(4, imageLoad(my_uimageBuffer(divergent(3)), 7).r);
	imageStore(my_iimageBuffer(divergent(1)), 8, ivec4(5000 + int(LANE)));
	memoryBarrierImage();
	put(5, imageLoad(my_iimageBuffer(divergent(1)), 8).r);
	put(6, imageSize(my_imageBuffer(divergent(2))));
	put(7, uint(texelFetch(handle_itextureBuffer(uniform_handle(0)), 3).r) + uint(imageLoad(my_imageBuffer(uniform_handle(2)), 6).r));
}
