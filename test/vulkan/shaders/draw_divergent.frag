#version 460
// draw: triangle.vert --vertices 3
/* Implicit derivatives in control flow that diverges within a quad are undefined. If the whole quad ran it, the level
 * would be 2; here it depends on the driver. */
#extension GL_GOOGLE_include_directive : require
#define FRAGMENT
#include "case.glsl"

layout(AUTO) uniform sampler2D c;
layout(AUTO, std430) buffer Place { vec2 at[8]; } place;

void main()
{
	vec2 uv = gl_FragCoord.xy / 4.0;
	float branch = textureLod(c, uv, 2.0).r, loop = branch, read = branch, together;

	place.at[LANE] = uv; /* each invocation reads its own */
	if ((LANE & 1u) != 0u)
		branch = texture(c, uv).r;
	if ((LANE & 1u) != 0u)
		read = texture(c, place.at[LANE]).r;
	together = texture(c, place.at[LANE]).r;
	vec2 when = vec2(0.0); /* where each samples in turn, and before that */
	for (uint k = 0u; k < 4u; k++) {
		if (k == (LANE * 3u & 3u))
			when = uv;
		if (k + uint(when.x > 9.0) == (LANE * 3u & 3u)) /* the same, not so plainly */
			loop = texture(c, when).r;
	}
	put(0, unorm(branch));
	put(1, unorm(read));
	put(2, unorm(together));
	put(3, unorm(loop));
	target = uvec4(unorm(read), unorm(loop), 0, 0);
}
