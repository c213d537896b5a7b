#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { DescriptorHandle handles[]; };
DECLARE_IMAGE_HANDLE(r32ui, uimage2D, handle_counter)
DECLARE_IMAGE_HANDLE(r32ui, uimageBuffer, handle_counters)
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	result.value[at + 0u] = imageAtomicAdd(handle_counter(handles[8u + n]), ivec2(1), 7u);
	result.value[at + 1u] = imageLoad(handle_counter(handles[8u + n]), ivec2(1)).x;
	result.value[at + 2u] = imageAtomicMax(handle_counters(handles[24u + n]), 3, 7u);
	result.value[at + 3u] = imageAtomicCompSwap(handle_counters(handles[24u + n]), 3, 2003u + 2000u * n, 5u);
	result.value[at + 4u] = imageLoad(handle_counters(handles[24u + n]), 3).x;
}
