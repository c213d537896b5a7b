#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { DescriptorHandle handles[]; };
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	result.value[at + 0u] = imageAtomicAdd(handle_uimage2D(handles[8u + n]), ivec2(1), 7u);
	result.value[at + 1u] = imageLoad(handle_uimage2D(handles[8u + n]), ivec2(1)).x;
}
