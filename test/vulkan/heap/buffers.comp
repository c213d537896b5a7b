#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { DescriptorHandle handles[]; };
struct Pair { uvec2 p; uint q; };
layout(buffer_reference, std140) readonly buffer Constants { uvec4 a; uvec4 b[4]; };
layout(buffer_reference, std430) buffer Numbers { uint n; uint pad; Pair pair; uint d[]; };
DECLARE_UNIFORM_BUFFER_HANDLE(Constants)
DECLARE_BUFFER_HANDLE(Numbers)
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	DescriptorHandle u = handles[32u + n], s = handles[40u + n];
	result.value[at + 0u] = handle_Constants(u).a.z;
	result.value[at + 1u] = handle_Constants(u).b[lane & 3u].y;
	result.value[at + 2u] = handle_Numbers(s).n;
	result.value[at + 3u] = handle_Numbers(s).d[lane];
	result.value[at + 4u] = atomicAdd(handle_Numbers(s).d[2], 7u);
	result.value[at + 5u] = handle_Numbers(s).d[2];
	handle_Numbers(s).pair.q = 70u + lane;
	Pair both = handle_Numbers(s).pair;
	result.value[at + 6u] = both.q;
	result.value[at + 7u] = both.p.y;
	Numbers flows = handle_Numbers(s);
	if (lane % 2u == 1u)
		flows = handle_Numbers(handles[40u]);
	result.value[at + 8u] = flows.n;
}
