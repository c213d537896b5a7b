#version 460
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_ray_query : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { uvec2 handles[]; };
layout(descriptor_heap) uniform accelerationStructureEXT scenes[];
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u;
	rayQueryEXT query;
	rayQueryInitializeEXT(query, scenes[handles[48u + n].x], gl_RayFlagsOpaqueEXT, 0xFF, vec3(0.0), 0.1, vec3(0.0, 0.0, 1.0), 100.0);
	while (rayQueryProceedEXT(query))
		;
	bool hit = rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionTriangleEXT;
	result.value[lane * 16u] = hit ? uint(rayQueryGetIntersectionTEXT(query, true)) : 1u;
}
