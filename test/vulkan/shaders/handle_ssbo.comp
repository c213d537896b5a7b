#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#include "handle.glsl"

struct Part { uint a; uint b[2]; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint head; uint second; uint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Parts { Part first; Part more[4]; };
DECLARE_BUFFER_HANDLE(Words)
layout(buffer_reference, std430) buffer Matrix { uvec4 before; layout(row_major) mat4x2 m; };
DECLARE_BUFFER_HANDLE(Parts)
DECLARE_BUFFER_HANDLE(Matrix)

uint element(Words w, uint i)
{
	return w.v[i];
}

Words choose(bool left, Words a, Words b)
{
	return left ? a : b;
}

struct Pair { Words words; uint factor; Parts parts[2]; };

uint sum(Pair p)
{
	return p.words.v[0] * p.factor + p.parts[1].more[1].b[1];
}

/* rows: 0 Words, 1 Parts */
void main()
{
	Words w = handle_Words(divergent(0));

	put(0, w.head);
	put(1, element(w, 2u + LANE));
	put(2, atomicAdd(w.v[19], 3u));
	w.v[20] = 6000u + LANE;

	Part part = handle_Parts(divergent(1)).more[2];
	put(4, part.b[1]);
	part.b[0] += 5u;
	handle_Parts(divergent(1)).more[3] = part;
	put(5, handle_Parts(divergent(1)).more[3].b[0]);

	Pair pair = Pair(w, 2u, Parts[2](handle_Parts(uniform_handle(1)), handle_Parts(divergent(1))));
	put(6, sum(pair));

	Words last;
	for (uint i = 0u; i <= PICK; i++)
		last = handle_Words(table.h[i]);
	put(7, choose(true, last, handle_Words(uniform_handle(0))).second);
	put(8, choose(LANE > 100u, last, handle_Words(uniform_handle(0))).second);
	put(9, handle_length(handle_Words(uniform_handle(0)), 2u));
	put(10, handle_Words(uniform_handle(0)).v[3]);
	if (LANE == 2u)
		handle_Words(uniform_handle(0)).v[30] = 77u;
	handle_Matrix(divergent(2)).before.x = floatBitsToUint(handle_Matrix(divergent(2)).m[0][1]);
	put(11, handle_Matrix(divergent(2)).before.x);
}
