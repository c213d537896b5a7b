#version 460
/* Stores, atomics, variables and another index between accesses by one index. */
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

layout(AUTO, std430) buffer Words { uint w[128]; } b[8];
layout(AUTO, std430) buffer Own { uint v[64]; } own;

uint twice(uint x)
{
	return 2u * x;
}

void main()
{
	uint i = PICK, j = LANE, n = 40u + LANE;

	/* a store to the same word, through the same index and through another one that aliases it */
	uint before = b[nonuniformEXT(i)].w[n];
	b[nonuniformEXT(i)].w[n] = 7u;
	uint after = b[nonuniformEXT(i)].w[n];
	uint k = i + (own.v[0] & 0u);
	b[nonuniformEXT(k)].w[n] = after + 1u;
	uint other = b[nonuniformEXT(i)].w[n];
	put(0, before);
	put(1, after);
	put(2, other);

	/* atomics, and a plain buffer that is written and read between */
	uint a = atomicAdd(b[nonuniformEXT(i)].w[n], 10u);
	own.v[LANE] = a;
	uint c = atomicAdd(b[nonuniformEXT(i)].w[n], own.v[LANE]);
	own.v[LANE] = c + 1u;
	uint d = b[nonuniformEXT(i)].w[n];
	put(3, a);
	put(4, c);
	put(5, d);
	put(6, own.v[LANE]);

	/* knowledge about a variable ends at writes; a call, and a barrier */
	uint v = 1u;
	uint x = b[nonuniformEXT(i)].w[v];
	v = x % 1000u + 1u;
	uint y = b[nonuniformEXT(i)].w[v];
	i = j;
	uint z = b[nonuniformEXT(i)].w[twice(v)];
	put(7, x);
	put(8, y);
	put(9, z);
	memoryBarrierBuffer();
	barrier();
	put(10, b[nonuniformEXT(i)].w[3]);

	/* by two indexes in turn, one of them in a branch that some lanes take */
	uint sum = 0u, p = PICK;
	sum += b[nonuniformEXT(p)].w[1] / 1000u;
	sum += b[nonuniformEXT(i)].w[1] / 1000u * 10u;
	if ((LANE & 1u) != 0u) {
		sum += b[nonuniformEXT(p)].w[2] / 1000u * 100u;
		sum += b[nonuniformEXT(p)].w[3] / 1000u * 100u;
	} else {
		sum += b[nonuniformEXT(p)].w[2] / 1000u * 200u;
	}
	sum += b[nonuniformEXT(p)].w[4] / 1000u;
	put(11, sum);

	/* a variable that has to be written in the loop, and another part of which is used after it */
	uvec2 pair = uvec2(0u, LANE);
	pair.x += b[nonuniformEXT(p)].w[1] / 1000u;
	uint low = pair.y, found = b[nonuniformEXT(p)].w[pair.y] / 1000u;
	put(12, pair.x * 100u + low + found * 10u);
}
