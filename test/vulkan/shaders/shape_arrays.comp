#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

/* Arrays of arrays of descriptors: Vulkan has one dimension. */
layout(AUTO) uniform sampler2D t[2][4];
layout(AUTO, r32ui) uniform uimage2D m[4][2];
layout(AUTO) buffer storage { uint v[]; } b[2][2][2];
layout(AUTO) uniform block { uvec4 v[2]; } u[4][2];

uint read(sampler2D s)
{
	return unorm(textureLod(s, vec2(0.5), 0.0).r);
}

uint row(sampler2D list[4], uint k)
{
	return unorm(textureLod(list[nonuniformEXT(k)], vec2(0.5), 0.0).r);
}

void main()
{
	uint i = PICK;

	put(0, unorm(textureLod(t[nonuniformEXT(i >> 2)][nonuniformEXT(i & 3u)], vec2(0.5), 0.0).r));
	put(1, unorm(textureLod(t[1][2], vec2(0.5), 0.0).r));
	put(2, read(t[nonuniformEXT(i >> 2)][nonuniformEXT(i & 3u)]));
	put(3, row(t[nonuniformEXT(i >> 2)], i & 3u));
	put(4, row(t[1], i & 3u) + row(t[0], 3u - (i & 3u)));
	put(5, imageLoad(m[nonuniformEXT(i >> 1)][nonuniformEXT(i & 1u)], ivec2(0)).r);
	put(6, imageAtomicAdd(m[nonuniformEXT(i >> 1)][nonuniformEXT(i & 1u)], ivec2(1, 0), 7u));
	put(7, b[nonuniformEXT(i >> 2)][nonuniformEXT(i >> 1 & 1u)][nonuniformEXT(i & 1u)].v[3]);
	b[nonuniformEXT(i >> 2)][nonuniformEXT(i >> 1 & 1u)][nonuniformEXT(i & 1u)].v[21] = 6000u + LANE;
	put(8, b[1][0][1].v[4]);
	put(9, u[nonuniformEXT(i >> 1)][nonuniformEXT(i & 1u)].v[1].y);
}
