#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO, std430) buffer Block { uint v[]; } b[8];

void main()
{
	put(0, b[nonuniformEXT(PICK)].v.length());
}
