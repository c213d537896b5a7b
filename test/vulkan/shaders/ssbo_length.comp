#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO, std430) buffer b { uint v[]; } blocks[8];

void main()
{
	put(0, blocks[nonuniformEXT(PICK)].v.length());
}
