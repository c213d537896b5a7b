#version 460
// What is one variable here is several in split.frag: each component has a place, whatever it is declared with.
layout(constant_id = 0) const uint length = 1u;
layout(push_constant) uniform Push { uint same, other; };
struct Pair { uint x; uvec2 y; };
struct Open { uint known; uint array[length]; };
layout(location = 0) flat out uint three[3];
layout(location = 3) out Arrays { flat uint two[2]; flat uint behind; } arrays;
layout(location = 6) out Nested { flat Pair pair; flat uint behind; } nested;
layout(location = 9) out Wide { flat dvec3 three; flat uint behind; } wide;
layout(location = 12) out Exact { flat dvec2 two; flat uint behind; } exact;
layout(location = 14) out Unknown { flat Open open; } unknown;
layout(location = 20) flat out Open opened[2];

void main()
{
	gl_Position = vec4(gl_VertexIndex, 0, 0, 1);
	three[0] = three[1] = three[2] = same;
	arrays.two[0] = arrays.two[1] = same;
	arrays.behind = gl_VertexIndex;
	nested.pair = Pair(same, uvec2(gl_VertexIndex, other));
	nested.behind = same;
	wide.three = dvec3(same, gl_VertexIndex, other);
	wide.behind = other;
	exact.two = dvec2(gl_VertexIndex, same);
	exact.behind = same;
	unknown.open.known = same;
	opened[0].known = opened[1].known = same;
}
