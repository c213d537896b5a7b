#version 460
// Five values that spirv-lint of SPIRV-Tools calls uniform, and that are not.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[16];
layout(binding = 2) uniform U { uvec4 table[64]; };
layout(binding = 3) buffer Counter { uint counter; };
uint global;
shared uint together[64];

uint lane() { return gl_LocalInvocationIndex; }

void main()
{
	uint sum = 0;
	sum += b[lane() & 15u].v;                             // divergent: what a call without arguments returns
	sum += b[table[gl_LocalInvocationIndex].x & 15u].v;   // divergent: uniform memory, but not at one place
	sum += b[table[gl_WorkGroupID.x].x & 15u].v;          // group subgroup
	global = gl_LocalInvocationIndex;
	sum += b[global & 15u].v;                             // divergent: a private variable
	together[gl_LocalInvocationIndex] = gl_WorkGroupID.x;
	sum += b[together[0] & 15u].v;                        // unknown: shared memory, written
	sum += b[atomicAdd(counter, 1u) & 15u].v;             // divergent: each gets another number
	sum += b[subgroupElect() ? 1u : 0u].v;                // divergent: one of them
	uint i = 0;
	while (i < 9u) {
		sum += b[i].v;                                // group subgroup
		if (i == gl_LocalInvocationIndex)
			break;
		i++;
	}
	sum += b[i].v;                                        // divergent: the loop is left at different times
	o[gl_LocalInvocationIndex] = sum;
}
