#version 460
/* Handles that change between two loads in one block, and one that does not: share-loads must tell them apart. */
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* row 0: utexture2D */
shared uvec2 memory[8];
uvec2 global;

#define FETCH(h) texelFetch(handle_utexture2D(h), ivec2(0), 0).r
#define OTHER table.h[7u - PICK]

void change()
{
	global = OTHER;
}

void main()
{
	uint lane = LANE, next = (lane + 1u) & 7u, before;

	put(0, FETCH(table.h[PICK]) + FETCH(table.h[PICK]) + FETCH(table.h[PICK]));
	uvec2 local[2] = uvec2[](table.h[PICK], OTHER);
	before = 2u * FETCH(local[0]);
	local[0] = local[1];
	put(1, before + FETCH(local[0]));
	global = table.h[PICK];
	before = 2u * FETCH(global);
	change();
	put(2, before + FETCH(global));
	results.v[24u + lane] = table.h[PICK].x;
	before = 2u * FETCH(uvec2(results.v[24u + lane], 0u));
	atomicExchange(results.v[24u + lane], OTHER.x);
	put(3, before + FETCH(uvec2(results.v[24u + lane], 0u)));
	memory[lane] = table.h[PICK];
	before = 2u * FETCH(memory[lane]);
	barrier();
	memory[next] = table.h[7u - ((next * 5u + 3u) & 7u)];
	barrier();
	put(4, before + FETCH(memory[lane]));
}
