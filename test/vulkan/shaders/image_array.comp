#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO, r32ui) uniform uimage2D m[8];
layout(AUTO, rgba8) readonly uniform image2D f[8];

void main()
{
	uint i = PICK;

	put(0, imageLoad(m[nonuniformEXT(i)], ivec2(0)).r);
	put(1, imageSize(m[nonuniformEXT(i)]).x);
	put(2, imageAtomicAdd(m[nonuniformEXT(i)], ivec2(1, 0), 7u));
	imageStore(m[nonuniformEXT(i)], ivec2(2, 0), uvec4(5000u + LANE));
	put(5, unorm(imageLoad(f[nonuniformEXT(i)], ivec2(0)).r));
}
