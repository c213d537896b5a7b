#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO) uniform texture2D t[8];
layout(AUTO) uniform sampler s[8];

void main()
{
	uint i = PICK;

	put(0, unorm(textureLod(sampler2D(t[nonuniformEXT(i)], s[0]), vec2(0.5), 0.0).r));
	put(1, unorm(texelFetch(t[nonuniformEXT(i)], ivec2(0), 0).r));
	put(2, textureSize(t[nonuniformEXT(i)], 0).x);
	put(3, unorm(textureGather(sampler2D(t[nonuniformEXT(i)], s[0]), vec2(0.5)).x));
	put(4, sampler_number(textureLod(sampler2D(t[0], s[nonuniformEXT(i)]), vec2(-1.0), 0.0)));
	put(5, unorm(textureLod(sampler2D(t[nonuniformEXT(i)], s[nonuniformEXT(i)]), vec2(0.5), 0.0).r));
}
