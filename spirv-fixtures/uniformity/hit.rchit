#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(location = 0) rayPayloadInEXT uint payload;
hitAttributeEXT vec2 where;

void main()
{
	payload += b[gl_InstanceCustomIndexEXT].v;                // divergent
	payload += b[gl_PrimitiveID].v;                           // divergent
	payload += b[uint(where.x)].v;                            // divergent
	payload += b[subgroupBroadcastFirst(gl_PrimitiveID)].v;   // subgroup: nothing is traced here
}
