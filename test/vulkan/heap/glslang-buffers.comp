#version 460
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { uvec2 handles[]; };
struct Pair { uvec2 p; uint q; };
layout(descriptor_heap, std140) uniform Constants { uvec4 a; uvec4 b[4]; } constants[];
layout(descriptor_heap, std430) buffer Numbers { uint n; uint pad; Pair pair; uint d[]; } numbers[];
layout(descriptor_heap, std430) readonly buffer Pairs { Pair pairs[2]; } others[];
uint third(uint k) { return constants[k].a.z; }
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	uint u = handles[32u + n].x, s = handles[40u + n].x;
	result.value[at + 0u] = third(u);
	result.value[at + 1u] = constants[u].b[lane & 3u].y;
	result.value[at + 2u] = numbers[s].n;
	result.value[at + 3u] = numbers[s].d[lane];
	result.value[at + 4u] = atomicAdd(numbers[s].d[2], 7u);
	result.value[at + 5u] = numbers[s].d[2];
	numbers[s].pair.q = 70u + lane;
	Pair both = numbers[s].pair;
	result.value[at + 6u] = both.q;
	result.value[at + 7u] = both.p.y;
	result.value[at + 8u] = others[s].pairs[0].p.x;
	result.value[at + 9u] = others[s].pairs[1].q;
	result.value[at + 10u] = numbers[lane % 2u == 1u ? handles[40u].x : s].n;
}
