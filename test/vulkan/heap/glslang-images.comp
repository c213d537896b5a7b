#version 460
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { uvec2 handles[]; };
layout(descriptor_heap, r32ui) uniform uimage2D images[];
layout(descriptor_heap, r32ui) readonly uniform uimage2D same[];
layout(descriptor_heap, r32ui) uniform uimageBuffer texels[];
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	uint i = handles[8u + n].x, b = handles[24u + n].x;
	result.value[at + 0u] = imageLoad(same[i], ivec2(1)).x;
	imageStore(images[i], ivec2(2, 1), uvec4(5000u + lane));
	result.value[at + 1u] = imageLoad(images[i], ivec2(2, 1)).x;
	result.value[at + 2u] = uint(imageSize(images[i]).x);
	result.value[at + 3u] = imageAtomicAdd(images[i], ivec2(1), 7u);
	result.value[at + 4u] = imageLoad(images[i], ivec2(1)).x;
	result.value[at + 5u] = imageAtomicMax(texels[b], 3, 7u);
	result.value[at + 6u] = imageAtomicCompSwap(texels[b], 3, 2003u + 2000u * n, 5u);
	result.value[at + 7u] = imageLoad(texels[b], 3).x;
	result.value[at + 8u] = uint(imageSize(texels[b]));
}
