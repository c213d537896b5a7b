#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO) uniform Block { uvec4 v[4]; } u[8];

void main()
{
	uint i = PICK;

	put(0, u[nonuniformEXT(i)].v[1].y);
	put(1, u[nonuniformEXT(i)].v[LANE & 3u].x - 4u * (LANE & 3u));
}
