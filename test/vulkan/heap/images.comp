#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { DescriptorHandle handles[]; };
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	DescriptorHandle i = handles[8u + n], b = handles[24u + n];
	result.value[at + 0u] = imageLoad(handle_uimage2D(i), ivec2(1)).x;
	imageStore(handle_uimage2D(i), ivec2(2, 1), uvec4(5000u + lane));
	result.value[at + 1u] = imageLoad(handle_uimage2D(i), ivec2(2, 1)).x;
	result.value[at + 2u] = uint(imageSize(handle_uimage2D(i)).x);
	result.value[at + 3u] = imageLoad(handle_uimageBuffer(b), 3).x;
	imageStore(handle_uimageBuffer(b), 4, uvec4(6000u + lane));
	result.value[at + 4u] = imageLoad(handle_uimageBuffer(b), 4).x;
	result.value[at + 5u] = uint(imageSize(handle_uimageBuffer(b)));
}
