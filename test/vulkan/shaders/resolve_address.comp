#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_ray_query : require
// spirv-bind: --resolver=FIXTURES/resolvers/swapped-address.glsl
#define DESCRIPTOR_HANDLE_ACCELERATION_STRUCTURE
#include "handle.glsl"

/* row 0: accelerationStructureEXT */
void main()
{
	rayQueryEXT a, b;

	rayQueryInitializeEXT(a, handle_accelerationStructureEXT(divergent(0).yx), 0u, 0xFFu, vec3(0.0), 0.0, vec3(0.0, 0.0, 1.0), 100.0);
	while (rayQueryProceedEXT(a))
		;
	put(0, rayQueryGetIntersectionTEXT(a, true) + 0.5);
	rayQueryInitializeEXT(b, handle_accelerationStructureEXT(uniform_handle(0).yx), 0u, 0xFFu, vec3(0.0), 0.0, vec3(0.0, 0.0, 1.0),
	                      100.0);
	while (rayQueryProceedEXT(b))
		;
	put(1, rayQueryGetIntersectionTEXT(b, true) + 0.5);
}
