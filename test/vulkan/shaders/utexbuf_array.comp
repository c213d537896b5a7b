#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO) uniform utextureBuffer u[8];
layout(AUTO) uniform textureBuffer f[8];

void main()
{
	uint i = PICK;

	put(0, texelFetch(u[nonuniformEXT(i)], 3).r);
	put(1, textureSize(u[nonuniformEXT(i)]));
	put(2, texelFetch(f[nonuniformEXT(i)], 4).r);
}
