#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "case.glsl"

layout(AUTO) uniform texture2D c[8];
layout(AUTO) uniform sampler cs[8];
layout(AUTO) uniform utexture2D u[8];
layout(AUTO) uniform sampler us;

void main()
{
	uint i = PICK;

	put(0, unorm(textureLod(sampler2D(c[nonuniformEXT(i)], cs[nonuniformEXT(i)]), vec2(0.5), 0.0).r));
	put(1, unorm(texelFetch(c[nonuniformEXT(i)], ivec2(0), 0).r));
	put(2, textureSize(c[nonuniformEXT(i)], 0).x);
	put(3, sampler_number(textureLod(sampler2D(c[nonuniformEXT(i)], cs[nonuniformEXT(i)]), vec2(-1.0), 0.0)));
	put(4, texelFetch(u[nonuniformEXT(i)], ivec2(0), 0).r);
}
