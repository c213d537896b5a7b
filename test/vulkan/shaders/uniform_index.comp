#version 460
/* Indices that are not constant but uniform: no marks are needed, but the DynamicIndexing features are. */
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO) uniform texture2D t[8];
layout(AUTO) uniform sampler s;
layout(AUTO) uniform sampler2D c[8];
layout(AUTO, r32ui) uniform uimage2D m[8];
layout(AUTO) uniform utextureBuffer u[8];
layout(AUTO, r32ui) uniform uimageBuffer n[8];
layout(AUTO) uniform Block { uvec4 v[4]; } blocks[8];
layout(AUTO, std430) buffer b { uint v[]; } buffers[8];

void main()
{
	uint i = gl_NumWorkGroups.x + 1u; /* 2 */

	put(0, unorm(textureLod(sampler2D(t[i], s), vec2(0.5), 0.0).r));
	put(1, unorm(textureLod(c[i], vec2(0.5), 0.0).r));
	put(2, imageLoad(m[i], ivec2(0)).r);
	put(3, texelFetch(u[i], 3).r);
	put(4, imageLoad(n[i], 4).r);
	put(5, blocks[i].v[1].y);
	put(6, buffers[i].v[6]);
	put(7, textureSize(t[i], 0).x);
	put(8, buffers[i].v.length());
}
