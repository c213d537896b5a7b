#version 460
// draw: edge.vert --vertices 6
/* Accesses by one index, of which some need what others find: which of them share a loop is the pass's choice, what they
 * find is not. The level of `dependent` is that of a coordinate which the first texture gives. */
#extension GL_GOOGLE_include_directive : require
#define FRAGMENT
#include "case.glsl"

layout(AUTO) uniform sampler2D c[8];
layout(AUTO) uniform utextureBuffer t[8];
layout(AUTO, std430) buffer Words { uint w[128]; } b[8];

void main()
{
	uint i = PICK;
	vec2 uv = gl_FragCoord.xy / 4.0;

	float first = texture(c[nonuniformEXT(i)], uv * 0.5).r;               /* level 1: (160 + i) / 255 */
	vec2 moved = uv * (1.0 + floor(first));                               /* floor(first) is 0 */
	float dependent = texture(c[nonuniformEXT(i)], moved).r;              /* level 2 */
	uint texel = texelFetch(t[nonuniformEXT(i)], int(unorm(dependent) - 120u - i)).x; /* 1000 * (i + 1) */
	float far = texture(c[nonuniformEXT(i)], uv, float(texel % 1000u) + 1.0).r; /* level 3, by a bias that is found */
	b[nonuniformEXT(i)].w[64u + LANE] = texel + 1u;
	uint back = b[nonuniformEXT(i)].w[64u + LANE];
	b[nonuniformEXT(i)].w[64u + LANE] = back + 1u;
	uint twice = b[nonuniformEXT(i)].w[64u + LANE];
	put(0, unorm(first));
	put(1, unorm(dependent));
	put(2, texel);
	put(3, unorm(far));
	put(4, back);
	put(5, twice);
	target = uvec4(unorm(dependent), unorm(far), twice, 0u);
}
