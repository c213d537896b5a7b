#version 460
/* Operands that glslang does not decorate with NonUniform: OpSampledImage of a marked image, and OpImage of that. */
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO) uniform utexture2D t[8];
layout(AUTO) uniform sampler s;

void main()
{
	uint i = PICK;

	put(0, texelFetch(usampler2D(t[nonuniformEXT(i)], s), ivec2(0), 0).r);
	put(1, textureSize(usampler2D(t[nonuniformEXT(i)], s), 0).x);
	put(2, textureLod(usampler2D(t[nonuniformEXT(i)], s), vec2(0.5), 0.0).r);
}
