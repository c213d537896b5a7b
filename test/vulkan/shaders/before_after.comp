#version 460
/* A finished program: run unchanged, and again after spirv-bind --rebind=all,sets has moved everything. No rule would
 * assign its binding numbers. */
#extension GL_GOOGLE_include_directive : require
#define EXPLICIT_OUT set = 0, binding = 29
#include "case.glsl"

layout(set = 2, binding = 3) uniform texture2D t[8];
layout(set = 1, binding = 7) uniform sampler s;
layout(set = 1, binding = 4, r32ui) uniform uimage2D m;
layout(set = 3, binding = 1) uniform Block { uvec4 v[4]; } u;
layout(set = 0, binding = 5, std430) buffer b { uint v[]; } blocks[8];

void main()
{
	uint i = PICK;

	put(0, unorm(textureLod(sampler2D(t[nonuniformEXT(i)], s), vec2(0.5), 0.0).r));
	put(1, u.v[2].z);
	put(2, blocks[nonuniformEXT(i)].v[LANE]);
	blocks[nonuniformEXT(i)].v[9] = imageLoad(m, ivec2(0)).r + LANE;
	put(3, blocks[3].v[10]);
	put(4, imageLoad(m, ivec2(0)).r);
}
