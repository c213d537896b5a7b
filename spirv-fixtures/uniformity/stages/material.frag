#version 460
#extension GL_EXT_nonuniform_qualifier : require
// The verdicts are those of the program with material.vert; alone, all flat inputs differ.
struct Nested { uint x; uvec2 y; };
layout(binding = 0) readonly buffer B { uint v; } b[];
layout(location = 0) flat in uint material;
layout(location = 1) flat in uvec4 parts;
layout(location = 2) in Block { flat uint a; flat uint b; float c; flat Nested n; } block;
layout(location = 8) flat in uint drawn;
layout(location = 9) flat in uint based;
layout(location = 10) flat in uint branched;
layout(location = 11) flat in uint array[2];
layout(location = 13) flat in uint partly[2];
layout(location = 15) flat in uint reordered;
layout(location = 16) flat in uint spoilt;
layout(location = 17) flat in uint chosen;
layout(location = 18) flat in uint by_vertex;
layout(location = 19) flat in uint read;
layout(location = 20) flat in uint counted;
layout(location = 22, component = 2) flat in uint packed;
layout(location = 22, component = 3) flat in uint packed_vertex;
layout(location = 23) flat in uint by_call;
layout(location = 24) flat in uint by_argument;
layout(location = 25) flat in uint never;
layout(location = 26) flat in uint in_loop;
layout(location = 27, component = 1) flat in uint wrong_place;
layout(location = 28) flat in uint unwritten;
layout(location = 0) out uint color;

void main()
{
	uint sum = 0;
	sum += b[material].v;                             // group
	sum += b[material * 2u + parts.x].v;              // group
	sum += b[parts.y].v;                              // divergent
	sum += b[parts.z].v;                              // group: a constant, but a subgroup may span draws
	sum += b[parts.w].v;                              // divergent: InstanceIndex
	sum += b[block.a].v;                              // group
	sum += b[block.b].v;                              // divergent
	sum += b[uint(block.c)].v;                        // divergent: interpolated, which rounds
	sum += b[block.n.x].v;                            // divergent
	sum += b[block.n.y.y].v;                          // group
	sum += b[drawn].v;                                // divergent: of draws that one command may pack together
	sum += b[based].v;                                // divergent: likewise
	sum += b[branched].v;                             // divergent: undefined on the other path
	sum += b[array[1]].v;                             // divergent: elements are not told apart
	sum += b[array[uint(gl_FragCoord.x) & 1u]].v;     // divergent: two elements
	sum += b[partly[0]].v;                            // divergent: likewise
	sum += b[reordered].v;                            // divergent: it held another value before
	sum += b[spoilt].v;                               // divergent
	sum += b[chosen].v;                               // group
	sum += b[by_vertex].v;                            // divergent
	sum += b[read].v;                                 // divergent
	sum += b[counted].v;                              // divergent: memory that the vertex shader writes
	sum += b[packed].v;                               // group
	sum += b[packed_vertex].v;                        // divergent
	sum += b[by_call].v;                              // group
	sum += b[by_argument].v;                          // divergent
	sum += b[never].v;                                // divergent
	sum += b[in_loop].v;                              // divergent
	sum += b[wrong_place].v;                          // divergent: another component
	sum += b[unwritten].v;                            // divergent
	if (gl_FragCoord.x > 3.0)
		sum += b[material].v;                         // group
	color = sum;
}
