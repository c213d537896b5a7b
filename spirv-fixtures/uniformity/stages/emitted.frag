#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(binding = 0) readonly buffer B { uint v; } b[];
layout(location = 0) flat in uint handed;
layout(location = 1) flat in uint computed;
layout(location = 2) flat in uint varies;
layout(location = 3) flat in uint by_turn;
layout(location = 4) flat in uint two_values;
layout(location = 5) flat in uint left_out;
layout(location = 6) flat in uint read;
layout(location = 7) flat in uint of_primitive;
layout(location = 8) in Block { flat uint a; flat uint b; } block;
layout(location = 10) flat in uint chosen;
layout(location = 11) in float not_flat;
layout(location = 0) out uint color;
void main()
{
	uint sum = b[handed].v;                           // group
	sum += b[computed].v;                             // group
	sum += b[varies].v;                               // divergent
	sum += b[by_turn].v;                              // divergent: another one for each vertex
	sum += b[two_values].v;                           // divergent: two values, each the same
	sum += b[left_out].v;                             // divergent: undefined for the last vertex
	sum += b[read].v;                                 // divergent
	sum += b[of_primitive].v;                         // divergent
	sum += b[block.a].v;                              // group
	sum += b[block.b].v;                              // divergent
	sum += b[chosen].v;                               // group
	sum += b[uint(not_flat)].v;                       // divergent
	color = sum;
}
