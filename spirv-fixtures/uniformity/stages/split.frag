#version 460
#extension GL_EXT_nonuniform_qualifier : require
// The verdicts are those of the program with split.vert; alone, all flat inputs differ.
layout(binding = 0) readonly buffer B { uint v; } b[];
layout(location = 0) flat in uint three0;
layout(location = 2) flat in uint three2;
layout(location = 3) flat in uint two0;
layout(location = 4) flat in uint two1;
layout(location = 5) flat in uint behind_two;
layout(location = 6) flat in uint x;
layout(location = 7) flat in uint y0;
layout(location = 7, component = 1) flat in uint y1;
layout(location = 8) flat in uint behind_pair;
layout(location = 9) flat in dvec2 wide01;
layout(location = 10) flat in double wide2;
layout(location = 11) flat in uint behind_wide;
layout(location = 12) flat in double exact0;
layout(location = 12, component = 2) flat in double exact1;
layout(location = 13) flat in uint behind_exact;
layout(location = 14) flat in uint unknown;
layout(location = 20) flat in uint opened;
layout(location = 0) out uint color;

void main()
{
	uint sum = 0;
	sum += b[three0].v;         // divergent: elements are not told apart
	sum += b[three2].v;         // divergent
	sum += b[two0].v;           // divergent
	sum += b[two1].v;           // divergent
	sum += b[behind_two].v;     // divergent
	sum += b[x].v;              // group
	sum += b[y0].v;             // divergent
	sum += b[y1].v;             // group
	sum += b[behind_pair].v;    // group
	sum += b[uint(wide01.x)].v; // group
	sum += b[uint(wide01.y)].v; // divergent
	sum += b[uint(wide2)].v;    // group
	sum += b[behind_wide].v;    // group
	sum += b[uint(exact0)].v;   // divergent
	sum += b[uint(exact1)].v;   // group
	sum += b[behind_exact].v;   // group
	sum += b[unknown].v;        // divergent: in a structure whose size nobody knows
	sum += b[opened].v;         // divergent: so are the elements of this array
	color = sum;
}
