/* Samples whose level of detail follows from derivatives: the coordinate moves by 4 texels from pixel to pixel, so the
 * level is 2. */
#extension GL_GOOGLE_include_directive : require
#define FRAGMENT
#include "case.glsl"

layout(AUTO) uniform texture2D t[8];
layout(AUTO) uniform sampler s[8];
layout(AUTO) uniform sampler2D c[8];

void main()
{
	uint i = PICK;
	vec2 uv = gl_FragCoord.xy / 4.0;

	put(0, unorm(texture(sampler2D(t[nonuniformEXT(i)], s[0]), uv).r));
	put(1, unorm(texture(sampler2D(t[nonuniformEXT(i)], s[0]), uv, 1.0).r));
	put(2, unorm(textureProj(sampler2D(t[nonuniformEXT(i)], s[0]), vec3(uv * 2.0, 2.0)).r));
	put(3, unorm(textureLod(sampler2D(t[nonuniformEXT(i)], s[0]), uv, 1.0).r));
	put(4, unorm(texture(c[nonuniformEXT(i)], uv * 0.5).r));
	target = uvec4(unorm(texture(c[nonuniformEXT(i)], uv * 0.25).r), i, LANE, gl_HelperInvocation);
}
