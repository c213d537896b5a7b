#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(vertices = 3) out;
layout(location = 0) in uint i[];
layout(location = 0) out uint o[];
layout(binding = 1) readonly buffer B { uint v; } b[];

void main()
{
	uint sum = b[gl_PatchVerticesIn].v;               // group
	sum += b[gl_InvocationID].v;                      // divergent
	sum += b[i[0]].v;                                 // divergent
	o[gl_InvocationID] = sum;
	sum += b[o[0]].v;                                 // divergent
	gl_TessLevelOuter[0] = float(sum);
}
