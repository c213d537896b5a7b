#version 460
/* A storage image parameter has no format, so neither has the argument. */
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

uint loaded(uimage2D i, ivec2 at)
{
	return imageLoad(i, at).r;
}

void stored(uimage2D i, ivec2 at, uint value)
{
	imageStore(i, at, uvec4(value));
	memoryBarrierImage();
}

uint width(uimage2D i, uimageBuffer b)
{
	return imageSize(i).x * 100 + imageSize(b);
}

/* rows: 0 uimage2D, 1 uimageBuffer */
void main()
{
	put(0, loaded(handle_uimage2D(divergent(0)), ivec2(0)));
	stored(handle_uimage2D(divergent(0)), ivec2(1, 0), 5000u + LANE);
	put(1, loaded(handle_uimage2D(divergent(0)), ivec2(1, 0)));
	put(2, loaded(handle_uimage2D(uniform_handle(0)), ivec2(0)));
	put(3, width(handle_uimage2D(divergent(0)), handle_uimageBuffer(uniform_handle(1))));
	put(4, width(handle_uimage2D(uniform_handle(0)), handle_uimageBuffer(divergent(1))));
}
