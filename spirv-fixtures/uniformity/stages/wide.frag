#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// The verdicts are those of the program with wide.vert; alone, all flat inputs differ.
layout(binding = 0) readonly buffer B { uint v; } b[];
layout(location = 0) flat in uint64_t one;
layout(location = 1, component = 2) flat in double beside;
layout(location = 1) flat in uvec2 narrow;
layout(location = 2) flat in dvec3 three;
layout(location = 4) flat in u64vec4 four;
layout(location = 6) flat in uint64_t array[2];
layout(location = 8) flat in dmat2 matrix;
layout(location = 0) out uint color;

void main()
{
	uint sum = 0;
	sum += b[uint(one)].v;              // group
	sum += b[uint(beside)].v;           // group
	sum += b[narrow.x].v;               // divergent
	sum += b[narrow.y].v;               // group
	sum += b[uint(three.x)].v;          // group
	sum += b[uint(three.y)].v;          // divergent
	sum += b[uint(three.z)].v;          // group: in the next location
	sum += b[uint(four.x)].v;           // divergent
	sum += b[uint(four.y + four.z)].v;  // group
	sum += b[uint(four.w)].v;           // divergent
	sum += b[uint(array[0])].v;         // divergent: elements are not told apart
	sum += b[uint(matrix[0].y)].v;      // group
	sum += b[uint(matrix[1].x)].v;      // group
	sum += b[uint(matrix[1].y)].v;      // divergent
	color = sum;
}
