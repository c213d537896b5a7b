#version 460
// Outputs that functions write which main calls: helpers.frag. Each has to be stored wherever main ends.
struct Material { uint albedo, normal; };
layout(push_constant) uniform Push { uint same, other; };
layout(binding = 1) uniform Draw { uint kind; };
layout(location = 0) flat out uint plain;
layout(location = 1) flat out uint nested;
layout(location = 2) flat out uint by_value;
layout(location = 3) flat out uint two_calls;
layout(location = 4) flat out uint two_values;
layout(location = 5) flat out uint of_vertex;
layout(location = 6) flat out uint sometimes;
layout(location = 7) flat out uint some_vertices;
layout(location = 8) flat out uint after_return;
layout(location = 9) flat out uvec2 parts;
layout(location = 10) flat out Material material;
layout(location = 12) flat out uint main_too;
layout(location = 13) flat out uint main_last;
layout(location = 14) flat out uint by_turn;
layout(location = 15) flat out uint either;
layout(location = 16) flat out uint late;
layout(location = 17) flat out uint by_out;

void deeper() { nested = kind; }

void simple()
{
	gl_Position = vec4(gl_VertexIndex, 0, 0, 1);
	plain = same;
	of_vertex = gl_VertexIndex;
	parts.x = other;
	parts.y = gl_InstanceIndex;
	material.albedo = other;
	material.normal = gl_VertexIndex;
	deeper();
}

void store(uint value) { by_value = value; }
void twice(uint value) { two_calls = value; }
void differs(uint value) { two_values = value; }
void if_set() { if (same > 2u) sometimes = 1u; }
void if_vertex() { some_vertices = 1u; }
void returns() { if (gl_VertexIndex > 3) return; after_return = 1u; }
void also() { main_too = other; main_last = gl_VertexIndex; }
void turn(uint i) { by_turn = i; }
void one_way() { either = same; }
void other_way() { either = other; }
void at_last() { late = same; }
void give(out uint to) { to = same; }

void main()
{
	simple();
	store(same + 1u);
	twice(1u);
	twice(other);
	differs(1u);
	differs(gl_VertexIndex);
	if_set();
	if (gl_VertexIndex > 3)
		if_vertex();
	returns();
	main_too = same;
	main_last = 1u;
	also();
	main_last = same;
	for (uint i = 0u; i < gl_VertexIndex; i++)
		turn(i);
	if (same > 1u)
		one_way();
	else
		other_way();
	give(by_out);
	if (other > 7u)
		return;
	at_last();
}
