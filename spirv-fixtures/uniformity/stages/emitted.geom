#version 460
// What a fragment shader receives as flat inputs, from every vertex that is emitted.
layout(triangles) in;
layout(triangle_strip, max_vertices = 4) out;
layout(push_constant) uniform Push { uint same, other; };
layout(binding = 1) uniform Draw { uint kinds[4]; };
layout(binding = 3) buffer Written { uint count; };
layout(location = 20) in uint given[];
layout(location = 21) in uint vertex[];
layout(location = 0) flat out uint handed;
layout(location = 1) flat out uint computed;
layout(location = 2) flat out uint varies;
layout(location = 3) flat out uint by_turn;
layout(location = 4) flat out uint two_values;
layout(location = 5) flat out uint left_out;
layout(location = 6) flat out uint read;
layout(location = 7) flat out uint of_primitive;
layout(location = 8) out Block { flat uint a; flat uint b; } block;
layout(location = 10) flat out uint chosen;
layout(location = 11) flat out uint kept;

void main()
{
	uint mine = same;
	for (int i = 0; i < 3; i++) {
		gl_Position = gl_in[i].gl_Position;
		handed = given[i];
		computed = kinds[other & 3u] * 3u + given[0];
		varies = vertex[i];
		by_turn = uint(i);
		two_values = same;
		left_out = same;
		read = count;
		of_primitive = gl_PrimitiveIDIn;
		block.a = other;
		block.b = vertex[0];
		chosen = same > 2u ? 1u : 2u;
		kept = mine;
		EmitVertex();
	}
	handed = given[1];
	computed = kinds[other & 3u] * 3u + given[2];
	varies = 1u;
	by_turn = 1u;
	two_values = other;
	read = 1u;
	of_primitive = 1u;
	block.a = other;
	block.b = 1u;
	chosen = same > 2u ? 1u : 2u;
	kept = mine;
	EmitVertex();
}
