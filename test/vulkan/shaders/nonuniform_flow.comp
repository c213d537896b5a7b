#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

/* Accesses by a divergent index, in every kind of block. Word j of block n is 1000 * (n + 1) + j. */
layout(AUTO, std430) buffer b { uint v[32]; } blocks[8];
layout(AUTO) uniform texture2D one;
layout(AUTO) uniform sampler s;

#define AT(j) blocks[nonuniformEXT(i)].v[j]

uint early(uint i, uint n)
{
	for (uint k = 0; k < 8; k++) {
		if (k == n)
			return AT(k);
	}
	return 0;
}

void main()
{
	uint i = PICK, sum = 0, k = 0, last = 0;

	for (k = 0; k < AT(0) % 7 + 2; k++) /* the condition; that many iterations */
		last = k;
	put(0, last + 1 - (1000 * (i + 1)) % 7);
	for (k = 1; k < 1000 * (i + 1) + 5; k += AT(5)) /* the continue construct: one iteration */
		sum += k;
	put(1, k + sum);
	k = 0;
	do { /* a loop that is left after one to eight iterations */
		last = AT(k);
		k++;
	} while (last < 1000 * (i + 1) + LANE && k < 9);
	put(2, last);
	switch (LANE & 3u) {
	case 0:
		last = AT(0);
		break;
	case 1:
		last = AT(1) - 1;
	case 2:
		last = (LANE & 3u) == 1 ? last : AT(2) - 2;
		break;
	default:
		last = 1000 * (i + 1);
	}
	put(3, last);
	put(4, LANE % 2 == 0 ? AT(6) : AT(7) - 1);
	put(5, early(i, LANE));
	/* texture and sampler are loaded before the coordinate, which is computed in loops */
	put(6, unorm(textureLod(sampler2D(one, s), vec2(float(AT(3)) * 0.0, float(AT(4)) * 0.0), 0.0).r) + 1000 * i);
	sum = 0;
	for (uint n = 0; n < 3; n++) {
		for (uint t = 0; t < 2; t++) {
			if (AT(n) == 0)
				break;
			if ((n + t) % 2 == 1)
				continue;
			sum += AT(n) - n;
		}
	}
	put(7, sum);
	put(8, LANE < 4 || AT(0) == 0 ? AT(0) : AT(1) - 1);
	atomicAdd(blocks[nonuniformEXT(i)].v[20], AT(21) - AT(20) + 6); /* 1 + 6: in the order of the program */
	AT(22) = AT(20) + LANE;
	put(9, AT(22));
}
