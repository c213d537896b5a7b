#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
// spirv-bind: --resolver=FIXTURES/resolvers/pages.glsl
#include "handle.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint head; uint second; uint v[]; };
DECLARE_BUFFER_HANDLE(Words)

/* 11 * 3 is 1, modulo 16; y: the buffer with the pages. */
#define paged(given) uvec2((given).x * 11u & 15u, push.h[2].x)

uint second_of(Words w)
{
	return w.second;
}

/* rows: 0 utexture2D, 1 Words, 2 Pages */
void main()
{
	Words w = handle_Words(nonuniform_handle(paged(table.h[8u + PICK])));

	put(0, texelFetch(handle_utexture2D(nonuniform_handle(paged(table.h[PICK]))), ivec2(0), 0).r);
	put(1, w.head);
	put(2, atomicAdd(w.v[19], 3u));
	w.v[20] = 6000u + LANE;
	put(3, second_of(LANE > 100u ? handle_Words(paged(push.h[1])) : w));
	put(4, handle_Words(paged(push.h[1])).v[3]);
}
