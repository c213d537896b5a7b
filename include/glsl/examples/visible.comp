#version 460
/* An acceleration structure by handle: from a heap, or, with --heap=as=address, by its device address. */
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_ray_query : require
#define DESCRIPTOR_HANDLE_ACCELERATION_STRUCTURE
#include "descriptor_handle.glsl"

layout(local_size_x = 64) in;
layout(push_constant) uniform Scene { DescriptorHandle scene; vec4 light; };
layout(binding = 65534, std430) readonly buffer Points { vec4 points[]; };
layout(binding = 65534, std430) writeonly buffer Visible { uint visible[]; };

void main()
{
	uint i = gl_GlobalInvocationID.x;
	vec3 way = light.xyz - points[i].xyz;
	rayQueryEXT ray;

	rayQueryInitializeEXT(ray, handle_accelerationStructureEXT(scene), gl_RayFlagsTerminateOnFirstHitEXT, 0xFF,
	                      points[i].xyz, 0.001, normalize(way), length(way));
	while (rayQueryProceedEXT(ray))
		;
	visible[i] = uint(rayQueryGetIntersectionTypeEXT(ray, true) == gl_RayQueryCommittedIntersectionNoneEXT);
}
