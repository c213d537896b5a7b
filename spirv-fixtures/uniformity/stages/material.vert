#version 460
#extension GL_ARB_shader_draw_parameters : require
// What a fragment shader receives as flat inputs: material.frag, material.geom.
struct Nested { uint x; uvec2 y; };
layout(push_constant) uniform Push { uint same, other; };
layout(binding = 1) uniform Draw { uint kind; };
layout(binding = 2) readonly buffer Materials { uint of[]; };
layout(binding = 3) buffer Written { uint count; };
layout(location = 0) flat out uint material;
layout(location = 1) flat out uvec4 parts;
layout(location = 2) out Block { flat uint a; flat uint b; float c; flat Nested n; } block;
layout(location = 8) flat out uint drawn;
layout(location = 9) flat out uint based;
layout(location = 10) flat out uint branched;
layout(location = 11) flat out uint array[2];
layout(location = 13) flat out uint partly[2];
layout(location = 15) flat out uint reordered;
layout(location = 16) flat out uint spoilt;
layout(location = 17) flat out uint chosen;
layout(location = 18) flat out uint by_vertex;
layout(location = 19) flat out uint read;
layout(location = 20) flat out uint counted;
layout(location = 21) out uint not_flat;
layout(location = 22, component = 2) flat out uvec2 packed;
layout(location = 23) flat out uint by_call;
layout(location = 24) flat out uint by_argument;
layout(location = 25) flat out uint never;
layout(location = 26) flat out uint in_loop;
layout(location = 27) flat out uint wrong_place;

void call()
{
	by_call = same;
}

void write(out uint to)
{
	to = gl_VertexIndex;
}

void main()
{
	gl_Position = vec4(gl_VertexIndex, 0, 0, 1);
	material = same;
	parts = uvec4(same, gl_VertexIndex, 3u, gl_InstanceIndex);
	block.a = kind;
	block.b = gl_VertexIndex;
	block.c = 1.0;
	block.n = Nested(gl_InstanceIndex, uvec2(other, same));
	drawn = gl_DrawIDARB;
	based = gl_BaseInstance;
	if (same > 3u)
		branched = 2u;
	array[0] = same;
	array[1] = 5u;
	partly[0] = same;
	reordered = gl_VertexIndex;
	reordered = other;
	spoilt = other;
	if (same > 2u)
		spoilt = gl_VertexIndex;
	chosen = 1u;
	if (other > 2u)
		chosen = of[same];
	by_vertex = 1u;
	if (gl_VertexIndex > 2)
		by_vertex = 2u;
	read = of[gl_VertexIndex];
	count = 3u;
	counted = count;
	not_flat = same;
	packed = uvec2(same, gl_VertexIndex);
	call();
	write(by_argument);
	in_loop = same;
	for (uint i = 0; i < gl_VertexIndex; i++)
		in_loop = other + i;
	wrong_place = same;
}
