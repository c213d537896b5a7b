#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO, std430) buffer b { uint head; uint v[]; } blocks[8];

void main()
{
	uint i = PICK;

	put(0, blocks[nonuniformEXT(i)].head);
	put(1, blocks[nonuniformEXT(i)].v[2u + LANE]);
	put(2, atomicAdd(blocks[nonuniformEXT(i)].v[19], 3u));
	blocks[nonuniformEXT(i)].v[20] = 6000u + LANE;
	put(5, atomicCompSwap(blocks[nonuniformEXT(i)].v[21], 1022u + 1000u * i, 7u));
}
