#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 8, local_size_y = 4, local_size_z = 1) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];

void main()
{
	uint sum = 0;
	sum += b[gl_WorkGroupID.y].v;                     // group subgroup
	sum += b[gl_NumWorkGroups.x].v;                   // group subgroup
	sum += b[gl_LocalInvocationIndex].v;              // divergent
	sum += b[gl_LocalInvocationID.x].v;               // divergent
	sum += b[gl_GlobalInvocationID.y].v;              // divergent
	sum += b[gl_SubgroupID].v;                        // subgroup
	sum += b[gl_NumSubgroups].v;                      // group subgroup
	sum += b[gl_SubgroupSize].v;                      // group subgroup
	sum += b[gl_SubgroupInvocationID].v;              // divergent
	sum += b[gl_SubgroupEqMask.x].v;                  // divergent
	// what the size of the workgroup tells
	sum += b[gl_LocalInvocationID.z].v;               // group subgroup
	sum += b[gl_GlobalInvocationID.z].v;              // group subgroup
	sum += b[gl_GlobalInvocationID.x / 8u].v;         // group subgroup
	sum += b[gl_GlobalInvocationID.x / 16u].v;        // group subgroup
	sum += b[gl_GlobalInvocationID.x / 4u].v;         // divergent
	sum += b[gl_GlobalInvocationID.x / 12u].v;        // divergent
	sum += b[gl_GlobalInvocationID.x >> 3].v;         // group subgroup
	sum += b[gl_GlobalInvocationID.x >> 2].v;         // divergent
	sum += b[gl_GlobalInvocationID.y >> 2].v;         // group subgroup
	sum += b[gl_GlobalInvocationID.x & ~7u].v;        // group subgroup
	sum += b[gl_GlobalInvocationID.x & ~3u].v;        // divergent
	sum += b[gl_LocalInvocationID.x / 8u].v;          // group subgroup
	sum += b[gl_LocalInvocationID.x >> 2].v;          // divergent
	sum += b[gl_LocalInvocationIndex / 32u].v;        // group subgroup
	sum += b[gl_LocalInvocationIndex / 31u].v;        // divergent
	sum += b[gl_GlobalInvocationID.x - gl_LocalInvocationID.x].v;  // group subgroup
	sum += b[gl_GlobalInvocationID.x - gl_LocalInvocationID.y].v;  // divergent
	sum += b[gl_LocalInvocationIndex * 0u].v;         // group subgroup
	sum += b[gl_LocalInvocationIndex % 1u].v;         // group subgroup
	sum += b[gl_LocalInvocationIndex % 2u].v;         // divergent
	sum += b[int(gl_LocalInvocationIndex) % 1].v;     // group subgroup
	sum += b[1u % (gl_LocalInvocationIndex + 1u)].v;  // divergent
	sum += b[min(gl_LocalInvocationIndex, 0u)].v;     // group subgroup
	sum += b[min(0u, gl_LocalInvocationIndex)].v;     // group subgroup
	sum += b[min(gl_LocalInvocationIndex, 1u)].v;     // divergent
	sum += b[max(gl_LocalInvocationIndex, 0u)].v;     // divergent
	sum += b[max(gl_LocalInvocationIndex, ~0u) & 1u].v;  // group subgroup
	sum += b[min(int(gl_LocalInvocationIndex), 0) + 1].v;  // divergent
	sum += b[clamp(gl_LocalInvocationIndex, 2u, 2u)].v;  // group subgroup
	sum += b[clamp(gl_LocalInvocationIndex, 2u, 3u)].v;  // divergent
	sum += b[clamp(int(gl_LocalInvocationIndex), 2, 2)].v;  // group subgroup
	uvec2 lanes = uvec2(gl_LocalInvocationIndex);
	sum += b[min(lanes, uvec2(1u, 0u)).x].v;          // divergent: components are told apart
	sum += b[min(lanes, uvec2(1u, 0u)).y].v;          // group subgroup
	sum += b[max(uvec2(~0u, 3u), lanes).x & 1u].v;    // group subgroup
	sum += b[max(uvec2(~0u, 3u), lanes).y & 1u].v;    // divergent
	sum += b[clamp(lanes, uvec2(2u), uvec2(2u, 3u)).x].v;  // group subgroup
	sum += b[clamp(lanes, uvec2(2u), uvec2(2u, 3u)).y].v;  // divergent
	sum += b[gl_LocalInvocationIndex > 3u ? 2u : 2u].v;  // group subgroup
	sum += b[gl_LocalInvocationIndex > 3u ? 2u : 3u].v;  // divergent
	uvec2 tile = gl_GlobalInvocationID.xy / uvec2(8, 4);
	sum += b[tile.x + tile.y].v;                      // group subgroup
	uint g = gl_GlobalInvocationID.x, w = g / 8u;
	sum += b[w].v;                                    // group subgroup
	o[gl_LocalInvocationIndex] = sum;
}
