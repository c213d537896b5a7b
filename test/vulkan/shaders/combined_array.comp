#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO) uniform sampler2D c[8];
layout(AUTO) uniform usampler2D u[8];

void main()
{
	uint i = PICK;

	put(0, unorm(textureLod(c[nonuniformEXT(i)], vec2(0.5), 0.0).r));
	put(1, unorm(texelFetch(c[nonuniformEXT(i)], ivec2(0), 0).r));
	put(2, textureSize(c[nonuniformEXT(i)], 0).x);
	put(3, sampler_number(textureLod(c[nonuniformEXT(i)], vec2(-1.0), 0.0)));
	put(4, texelFetch(u[nonuniformEXT(i)], ivec2(0), 0).r);
}
