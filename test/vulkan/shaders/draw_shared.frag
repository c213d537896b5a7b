#version 460
// draw: edge.vert --vertices 6
/* Accesses by one index, some of which depend on results of others: the pass chooses which of them share a loop, but
 * results must not change. The level of `dependent` follows from a coordinate that the first texture returns. */
#extension GL_GOOGLE_include_directive : require
#define FRAGMENT
#include "case.glsl"

layout(AUTO) uniform sampler2D c[8];
layout(AUTO) uniform utextureBuffer t[8];
layout(AUTO) uniform sampler2D one;
layout(AUTO, std430) buffer Words { uint w[128]; } b[8];

void main()
{
	uint i = PICK;
	vec2 uv = gl_FragCoord.xy / 4.0;

	float first = texture(c[nonuniformEXT(i)], uv * 0.5).r;               /* level 1: (160 + i) / 255 */
	vec2 moved = uv * (1.0 + floor(first));                               /* floor(first) is 0 */
	float dependent = texture(c[nonuniformEXT(i)], moved).r;              /* level 2 */
	uint texel = texelFetch(t[nonuniformEXT(i)], int(unorm(dependent) - 120u - i)).x; /* 1000 * (i + 1) */
	float far = texture(c[nonuniformEXT(i)], uv, float(texel % 1000u) + 1.0).r; /* level 3, by a bias that was read */
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

	/* consecutive blocks: a level of detail before, after and between selections, by two indexes in turn; quad
	 * derivatives are computed before, though some invocations are helpers */
	uint j = (i + 1u) & 7u;
	float near = texture(c[nonuniformEXT(i)], uv * 0.5).r, sum = texture(c[nonuniformEXT(j)], uv).r;
	if ((LANE & 1u) != 0u)
		near += textureLod(c[nonuniformEXT(i)], uv, 1.0).r - textureLod(c[nonuniformEXT(j)], uv, 1.0).r;
	else
		sum += textureLod(c[nonuniformEXT(j)], uv, 2.0).r;
	float plain = texture(one, uv).r;
	float behind = texture(c[nonuniformEXT(i)], uv).r + texture(c[nonuniformEXT(j)], uv * 0.5).r;
	put(6, unorm(near) - ((LANE & 1u) != 0u ? i - j : 0u));  /* level 1 */
	put(7, unorm((LANE & 1u) != 0u ? sum : sum * 0.5) - j); /* level 2 */
	put(8, unorm(behind) - j);                              /* levels 2 and 1 */
	put(9, unorm(plain));                                   /* level 2 */
	target = uvec4(unorm(dependent), unorm(far), twice, 0u);
}
