#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 uimage2DMS, 1 image2DMSArray */
void main()
{
	put(0, imageLoad(handle_uimage2DMS(divergent(0)), ivec2(0), 3).r);
	put(1, imageLoad(handle_image2DMSArray(divergent(1)), ivec3(0, 0, 1), 2).r);
	imageStore(handle_uimage2DMS(divergent(0)), ivec2(1, 0), 3, uvec4(5000u + LANE));
	memoryBarrierImage();
	put(2, imageLoad(handle_uimage2DMS(divergent(0)), ivec2(1, 0), 3).r);
	put(3, imageLoad(handle_uimage2DMS(divergent(0)), ivec2(1, 0), 2).r);
	put(4, imageLoad(handle_uimage2DMS(uniform_handle(0)), ivec2(0), 1).r);
	put(5, imageSamples(handle_uimage2DMS(uniform_handle(0))));
}
