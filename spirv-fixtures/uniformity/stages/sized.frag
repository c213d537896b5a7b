#version 460
#extension GL_EXT_nonuniform_qualifier : require
// The verdicts are those of the program with sized.vert; alone, all flat inputs differ.
layout(constant_id = 0) const uint length = 1u;
layout(binding = 0) readonly buffer B { uint v; } b[];
layout(location = 0) flat in uint before;
layout(location = 1) in In { flat uint array[length]; flat uint behind; };
layout(location = 9) flat in uint placed;
layout(location = 0) out uint color;

void main()
{
	uint sum = 0;
	sum += b[before].v;   // group
	sum += b[array[0]].v; // divergent
	sum += b[behind].v;   // divergent: behind what has no known length
	sum += b[placed].v;   // group
	color = sum;
}
