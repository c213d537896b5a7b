#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

/* Runtime arrays of the author, each in a separate set, where the last binding may have a variable count. */
layout(AUTO, set = 1) uniform texture2D t[];
layout(AUTO, set = 2) uniform sampler s[];
layout(AUTO, set = 3, std430) buffer b { uint v[]; } blocks[];

void main()
{
	uint i = PICK;

	put(0, unorm(textureLod(sampler2D(t[nonuniformEXT(i)], s[0]), vec2(0.5), 0.0).r));
	put(1, sampler_number(textureLod(sampler2D(t[0], s[nonuniformEXT(i)]), vec2(-1.0), 0.0)));
	put(2, blocks[nonuniformEXT(i)].v[2]);
	put(3, atomicAdd(blocks[nonuniformEXT(i)].v[3], 1u));
	put(4, unorm(texelFetch(t[5], ivec2(0), 0).r));
}
