#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { DescriptorHandle handles[]; };
layout(buffer_reference, std430) buffer Numbers { uint n; uint d[]; };
DECLARE_BUFFER_HANDLE(Numbers)
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	result.value[at + 0u] = handle_length(handle_Numbers(handles[40u + n]), 1u);
	result.value[at + 1u] = handle_Numbers(handles[40u + n]).d[1];
	result.value[at + 2u] = handle_length(handle_Numbers(handles[47]), 1u);
}
