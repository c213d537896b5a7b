#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO, std430) buffer Block { uint head; uint v[]; } b[8];

void main()
{
	uint i = PICK;

	put(0, b[nonuniformEXT(i)].head);
	put(1, b[nonuniformEXT(i)].v[2u + LANE]);
	put(2, atomicAdd(b[nonuniformEXT(i)].v[19], 3u));
	b[nonuniformEXT(i)].v[20] = 6000u + LANE;
	put(5, atomicCompSwap(b[nonuniformEXT(i)].v[21], 1022u + 1000u * i, 7u));
}
