#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO, r32ui) uniform uimageBuffer m[8];

void main()
{
	uint i = PICK;

	put(0, imageLoad(m[nonuniformEXT(i)], 3).r);
	put(1, imageSize(m[nonuniformEXT(i)]));
	put(2, imageAtomicAdd(m[nonuniformEXT(i)], 4, 7u));
	imageStore(m[nonuniformEXT(i)], 5, uvec4(5000u + LANE));
}
