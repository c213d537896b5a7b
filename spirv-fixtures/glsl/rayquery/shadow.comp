// A ray query against an acceleration structure that a handle names.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_ray_query : require
#define DESCRIPTOR_HANDLE_ACCELERATION_STRUCTURE
#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;

layout(push_constant) uniform Push { DescriptorHandle scene; vec4 light; };
layout(binding = 65534, std430) buffer Rays { vec4 origin[]; };

void main()
{
	uint i = gl_GlobalInvocationID.x;
	rayQueryEXT q;
	rayQueryInitializeEXT(q, handle_accelerationStructureEXT(scene), gl_RayFlagsTerminateOnFirstHitEXT, 0xFF,
	                      origin[i].xyz, 0.01, light.xyz, 1000.0);
	while (rayQueryProceedEXT(q))
		;
	origin[i].w = float(rayQueryGetIntersectionTypeEXT(q, true));
}
