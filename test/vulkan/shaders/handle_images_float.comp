#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 image1D, 1 image2D, 2 image3D, 3 imageCube, 4 image1DArray, 5 image2DArray, 6 imageCubeArray */
DECLARE_IMAGE_HANDLE(r32f, image1D, my_1D)
DECLARE_IMAGE_HANDLE(r32f, image2D, my_2D)
DECLARE_IMAGE_HANDLE(r32f, image3D, my_3D)
DECLARE_IMAGE_HANDLE(r32f, imageCube, my_Cube)
DECLARE_IMAGE_HANDLE(r32f, image1DArray, my_1DArray)
DECLARE_IMAGE_HANDLE(r32f, image2DArray, my_2DArray)
DECLARE_IMAGE_HANDLE(r32f, imageCubeArray, my_CubeArray)

void main()
{
	put(0, imageLoad(my_1D(divergent(0)), 0).r);
	put(1, imageLoad(my_2D(divergent(1)), ivec2(0)).r);
	put(2, imageLoad(my_3D(divergent(2)), ivec3(0, 0, 1)).r);
	put(3, imageLoad(my_Cube(divergent(3)), ivec3(0, 0, 1)).r);
	put(4, imageLoad(my_1DArray(divergent(4)), ivec2(0, 1)).r);
	put(5, imageLoad(my_2DArray(divergent(5)), ivec3(0, 0, 1)).r);
	put(6, imageLoad(my_CubeArray(divergent(6)), ivec3(0, 0, 7)).r);

	imageStore(my_1D(divergent(0)), 0, vec4(3000 + LANE));
	imageStore(my_2D(divergent(1)), ivec2(0), vec4(3000 + LANE));
	imageStore(my_3D(divergent(2)), ivec3(0, 0, 1), vec4(3000 + LANE));
	imageStore(my_Cube(divergent(3)), ivec3(0, 0, 1), vec4(3000 + LANE));
	imageStore(my_1DArray(divergent(4)), ivec2(0, 1), vec4(3000 + LANE));
	imageStore(my_2DArray(divergent(5)), ivec3(0, 0, 1), vec4(3000 + LANE));
	imageStore(my_CubeArray(divergent(6)), ivec3(0, 0, 7), vec4(3000 + LANE));
	memoryBarrierImage();
	put(7, uint(imageLoad(my_1D(divergent(0)), 0).r) + uint(imageLoad(my_2D(divergent(1)), ivec2(0)).r) + uint(imageLoad(my_3D(divergent(2)), ivec3(0, 0, 1)).r) + uint(imageLoad(my_Cube(divergent(3)), ivec3(0, 0, 1)).r) + uint(imageLoad(my_1DArray(divergent(4)), ivec2(0, 1)).r) + uint(imageLoad(my_2DArray(divergent(5)), ivec3(0, 0, 1)).r) + uint(imageLoad(my_CubeArray(divergent(6)), ivec3(0, 0, 7)).r));
	put(8, uint(imageLoad(my_1D(uniform_handle(0)), 1).r) + uint(imageLoad(my_2D(uniform_handle(1)), ivec2(1)).r) + uint(imageLoad(my_3D(uniform_handle(2)), ivec3(1, 0, 1)).r) + uint(imageLoad(my_Cube(uniform_handle(3)), ivec3(1, 0, 1)).r) + uint(imageLoad(my_1DArray(uniform_handle(4)), ivec2(1, 1)).r) + uint(imageLoad(my_2DArray(uniform_handle(5)), ivec3(1, 0, 1)).r) + uint(imageLoad(my_CubeArray(uniform_handle(6)), ivec3(1, 0, 7)).r));
}
