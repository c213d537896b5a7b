#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 rgba8, 1 rgba32f, 2 r32f, 3 rgba32i, 4 r32i, 5 rgba32ui, 6 r32ui, 7 rgba8ui */
DECLARE_IMAGE_HANDLE(rgba8, image2D, my_rgba8)
DECLARE_IMAGE_HANDLE(rgba32f, image2D, my_rgba32f)
DECLARE_IMAGE_HANDLE(r32f, image2D, my_r32f)
DECLARE_IMAGE_HANDLE(rgba32i, iimage2D, my_rgba32i)
DECLARE_IMAGE_HANDLE(r32i, iimage2D, my_r32i)
DECLARE_IMAGE_HANDLE(rgba32ui, uimage2D, my_rgba32ui)
DECLARE_IMAGE_HANDLE(r32ui, uimage2D, my_r32ui)
DECLARE_IMAGE_HANDLE(rgba8ui, uimage2D, my_rgba8ui)

void main()
{
	put(0, unorm(imageLoad(my_rgba8(divergent(0)), ivec2(0)).r));
	put(1, uint(imageLoad(my_rgba32f(divergent(1)), ivec2(0)).r));
	put(2, uint(imageLoad(my_r32f(divergent(2)), ivec2(0)).r));
	put(3, uint(imageLoad(my_rgba32i(divergent(3)), ivec2(0)).r));
	put(4, uint(imageLoad(my_r32i(divergent(4)), ivec2(0)).r));
	put(5, uint(imageLoad(my_rgba32ui(divergent(5)), ivec2(0)).r));
	put(6, uint(imageLoad(my_r32ui(divergent(6)), ivec2(0)).r));
	put(7, uint(imageLoad(my_rgba8ui(divergent(7)), ivec2(0)).r));
	put(8, unorm(imageLoad(my_rgba8(uniform_handle(0)), ivec2(0)).r) + uint(imageLoad(my_rgba32f(uniform_handle(1)), ivec2(0)).r) + uint(imageLoad(my_r32f(uniform_handle(2)), ivec2(0)).r) + uint(imageLoad(my_rgba32i(uniform_handle(3)), ivec2(0)).r) + uint(imageLoad(my_r32i(uniform_handle(4)), ivec2(0)).r) + uint(imageLoad(my_rgba32ui(uniform_handle(5)), ivec2(0)).r) + uint(imageLoad(my_r32ui(uniform_handle(6)), ivec2(0)).r) + uint(imageLoad(my_rgba8ui(uniform_handle(7)), ivec2(0)).r));
}
