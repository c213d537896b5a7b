#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 iimage1D, 1 iimage2D, 2 iimage3D, 3 iimageCube, 4 iimage1DArray, 5 iimage2DArray, 6 iimageCubeArray */
DECLARE_IMAGE_HANDLE(r32i, iimage1D, my_1D)
DECLARE_IMAGE_HANDLE(r32i, iimage2D, my_2D)
DECLARE_IMAGE_HANDLE(r32i, iimage3D, my_3D)
DECLARE_IMAGE_HANDLE(r32i, iimageCube, my_Cube)
DECLARE_IMAGE_HANDLE(r32i, iimage1DArray, my_1DArray)
DECLARE_IMAGE_HANDLE(r32i, iimage2DArray, my_2DArray)
DECLARE_IMAGE_HANDLE(r32i, iimageCubeArray, my_CubeArray)

void main()
{
	put(0, imageLoad(my_1D(divergent(0)), 0).r);
	put(1, imageLoad(my_2D(divergent(1)), ivec2(0)).r);
	put(2, imageLoad(my_3D(divergent(2)), ivec3(0, 0, 1)).r);
	put(3, imageLoad(my_Cube(divergent(3)), ivec3(0, 0, 1)).r);
	put(4, imageLoad(my_1DArray(divergent(4)), ivec2(0, 1)).r);
	put(5, imageLoad(my_2DArray(divergent(5)), ivec3(0, 0, 1)).r);
	put(6, imageLoad(my_CubeArray(divergent(6)), ivec3(0, 0, 7)).r);

	imageStore(my_1D(divergent(0)), 0, ivec4(3000 + LANE));
	imageStore(my_2D(divergent(1)), ivec2(0), ivec4(3000 + LANE));
	imageStore(my_3D(divergent(2)), ivec3(0, 0, 1), ivec4(3000 + LANE));
	imageStore(my_Cube(divergent(3)), ivec3(0, 0, 1), ivec4(3000 + LANE));
	imageStore(my_1DArray(divergent(4)), ivec2(0, 1), ivec4(3000 + LANE));
	imageStore(my_2DArray(divergent(5)), ivec3(0, 0, 1), ivec4(3000 + LANE));
	imageStore(my_CubeArray(divergent(6)), ivec3(0, 0, 7), ivec4(3000 + LANE));
	memoryBarrierImage();
	put(7, uint(imageLoad(my_1D(divergent(0)), 0).r) + uint(imageLoad(my_2D(divergent(1)), ivec2(0)).r) + uint(imageLoad(my_3D(divergent(2)), ivec3(0, 0, 1)).r) + uint(imageLoad(my_Cube(divergent(3)), ivec3(0, 0, 1)).r) + uint(imageLoad(my_1DArray(divergent(4)), ivec2(0, 1)).r) + uint(imageLoad(my_2DArray(divergent(5)), ivec3(0, 0, 1)).r) + uint(imageLoad(my_CubeArray(divergent(6)), ivec3(0, 0, 7)).r));
	put(8, uint(imageLoad(my_1D(uniform_handle(0)), 1).r) + uint(imageLoad(my_2D(uniform_handle(1)), ivec2(1)).r) + uint(imageLoad(my_3D(uniform_handle(2)), ivec3(1, 0, 1)).r) + uint(imageLoad(my_Cube(uniform_handle(3)), ivec3(1, 0, 1)).r) + uint(imageLoad(my_1DArray(uniform_handle(4)), ivec2(1, 1)).r) + uint(imageLoad(my_2DArray(uniform_handle(5)), ivec3(1, 0, 1)).r) + uint(imageLoad(my_CubeArray(uniform_handle(6)), ivec3(1, 0, 7)).r));
}
