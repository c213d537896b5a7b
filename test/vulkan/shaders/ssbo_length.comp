#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO, std430) buffer b { uint head; uint v[]; } blocks[8];

void main()
{
	uint i = PICK;

	put(0, blocks[nonuniformEXT(i)].v.length());
	put(1, blocks[nonuniformEXT(i)].head);
}
