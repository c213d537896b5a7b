#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 uimage1D, 1 iimage2D, 2 uimage3D, 3 uimageCube, 4 iimage1DArray, 5 uimage2DArray, 6 iimageCubeArray, 7 uimageBuffer, 8 iimageBuffer, 9 uimage2D */
DECLARE_IMAGE_HANDLE(r32ui, uimage1D, my_uimage1D)
DECLARE_IMAGE_HANDLE(r32i, iimage2D, my_iimage2D)
DECLARE_IMAGE_HANDLE(r32ui, uimage3D, my_uimage3D)
DECLARE_IMAGE_HANDLE(r32ui, uimageCube, my_uimageCube)
DECLARE_IMAGE_HANDLE(r32i, iimage1DArray, my_iimage1DArray)
DECLARE_IMAGE_HANDLE(r32ui, uimage2DArray, my_uimage2DArray)
DECLARE_IMAGE_HANDLE(r32i, iimageCubeArray, my_iimageCubeArray)
DECLARE_IMAGE_HANDLE(r32ui, uimageBuffer, my_uimageBuffer)
DECLARE_IMAGE_HANDLE(r32i, iimageBuffer, my_iimageBuffer)
DECLARE_IMAGE_HANDLE(r32ui, uimage2D, my_uimage2D)

void main()
{
	put(0, imageAtomicAdd(my_uimage1D(divergent(0)), 0, 7u));
	put(1, imageAtomicAdd(my_iimage2D(divergent(1)), ivec2(0), 7));
	put(2, imageAtomicAdd(my_uimage3D(divergent(2)), ivec3(0, 0, 1), 7u));
	put(3, imageAtomicAdd(my_uimageCube(divergent(3)), ivec3(0, 0, 5), 7u));
	put(4, imageAtomicAdd(my_iimage1DArray(divergent(4)), ivec2(0, 1), 7));
	put(5, imageAtomicAdd(my_uimage2DArray(divergent(5)), ivec3(0, 0, 1), 7u));
	put(6, imageAtomicAdd(my_iimageCubeArray(divergent(6)), ivec3(0, 0, 7), 7));
	put(7, imageAtomicAdd(my_uimageBuffer(divergent(7)), 3, 7u));
	put(8, imageAtomicAdd(my_iimageBuffer(divergent(8)), 3, 7));
	put(9, imageAtomicAdd(my_uimage2D(divergent(9)), ivec2(0), 7u));

	memoryBarrierImage();
	put(10, uint(imageLoad(my_uimage1D(divergent(0)), 0).r) + uint(imageLoad(my_iimage2D(divergent(1)), ivec2(0)).r) + uint(imageLoad(my_uimage3D(divergent(2)), ivec3(0, 0, 1)).r) + uint(imageLoad(my_uimageCube(divergent(3)), ivec3(0, 0, 5)).r) + uint(imageLoad(my_iimage1DArray(divergent(4)), ivec2(0, 1)).r) + uint(imageLoad(my_uimage2DArray(divergent(5)), ivec3(0, 0, 1)).r) + uint(imageLoad(my_iimageCubeArray(divergent(6)), ivec3(0, 0, 7)).r) + uint(imageLoad(my_uimage2D(divergent(9)), ivec2(0)).r));
	put(11, imageAtomicCompSwap(my_uimage2D(divergent(9)), ivec2(1, 0), 200u + PICK, 9u));
	put(12, imageAtomicMax(my_uimage2D(divergent(9)), ivec2(1, 0), 30u + PICK));
	put(13, imageAtomicExchange(my_uimage2D(divergent(9)), ivec2(1, 0), 1u));
	barrier();
	put(14, LANE == 0u ? imageAtomicAdd(my_uimage2D(uniform_handle(9)), ivec2(2, 0), 1u) : imageAtomicAdd(my_uimage2D(uniform_handle(9)), ivec2(3, 0), 0u));
}
