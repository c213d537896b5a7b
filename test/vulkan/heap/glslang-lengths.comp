#version 460
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { uvec2 handles[]; };
layout(descriptor_heap, std430) buffer Numbers { uint n; uint d[]; } numbers[];
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	result.value[at + 0u] = uint(numbers[handles[47].x].d.length());
	result.value[at + 1u] = numbers[handles[40u + n].x].d[1];
}
