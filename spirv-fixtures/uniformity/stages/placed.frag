#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_ARB_enhanced_layouts : require
// The verdicts are those of the program with placed.vert; alone, all flat inputs differ.
layout(binding = 0) readonly buffer B { uint v; } b[];
layout(location = 3) flat in uint a;
layout(location = 1) in Block { layout(location = 2) flat uint loose; layout(location = 1) flat uint b; } block;
layout(location = 4, component = 1) flat in uint beside;
layout(location = 4, component = 2) flat in uint behind;
layout(location = 5, component = 2) flat in uint c;
layout(location = 6) flat in uvec2 d[2];
layout(location = 8) flat in float e;
layout(location = 9) flat in uint narrow;
layout(location = 10) flat in uint first_of_two;
layout(location = 10, component = 1) flat in uint second_of_two;
layout(location = 11) flat in uint nobody;
layout(location = 0) out uint color;

void main()
{
	uint sum = 0;
	sum += b[a].v;              // group
	sum += b[block.loose].v;    // group
	sum += b[block.b].v;        // divergent
	sum += b[beside].v;         // group
	sum += b[behind].v;         // divergent
	sum += b[c].v;              // group
	sum += b[d[1].x].v;         // divergent: elements are not told apart
	sum += b[d[0].y].v;         // divergent
	sum += b[uint(e)].v;        // group
	sum += b[narrow].v;         // group
	sum += b[first_of_two].v;   // divergent
	sum += b[second_of_two].v;  // group
	sum += b[nobody].v;         // divergent
	color = sum;
}
