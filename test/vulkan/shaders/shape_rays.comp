#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_ray_query : require
#include "case.glsl"

/* Acceleration structures in nested arrays and structs, and as arguments. */
struct Scene { accelerationStructureEXT near[2][4]; accelerationStructureEXT far; };
uniform Scene scene;
layout(AUTO) uniform accelerationStructureEXT all[4][2];

float distance_in(accelerationStructureEXT where)
{
	rayQueryEXT q;
	rayQueryInitializeEXT(q, where, gl_RayFlagsOpaqueEXT, 0xFF, vec3(0), 0.0, vec3(0, 0, 1), 100.0);
	while (rayQueryProceedEXT(q))
		;
	return rayQueryGetIntersectionTEXT(q, true);
}

void main()
{
	uint i = PICK;

	put(0, distance_in(all[nonuniformEXT(i >> 1)][nonuniformEXT(i & 1u)]) + 0.5);
	put(1, distance_in(scene.near[nonuniformEXT(i >> 2)][nonuniformEXT(i & 3u)]) + 0.5);
	put(2, distance_in(scene.far) + 0.5);
	put(3, distance_in(all[2][1]) + 0.5);
}
