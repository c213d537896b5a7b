#version 460
#extension GL_EXT_nonuniform_qualifier : require
// A workgroup whose size the pipeline says: divided by the same constant, an id is that of the workgroup.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z = 2) in;
layout(constant_id = 2) const uint another = 1u;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
void main()
{
	uint sum = b[gl_GlobalInvocationID.x / gl_WorkGroupSize.x].v; // group subgroup
	sum += b[gl_GlobalInvocationID.y / gl_WorkGroupSize.y].v;     // group subgroup
	sum += b[(gl_GlobalInvocationID / gl_WorkGroupSize).y].v;     // group subgroup
	sum += b[gl_LocalInvocationID.y / gl_WorkGroupSize.y].v;      // group subgroup
	sum += b[gl_GlobalInvocationID.z / gl_WorkGroupSize.z].v;     // group subgroup
	sum += b[gl_GlobalInvocationID.x / gl_WorkGroupSize.y].v;     // divergent: the size of another dimension
	sum += b[gl_GlobalInvocationID.x / another].v;                // divergent: not the size
	sum += b[gl_GlobalInvocationID.x % gl_WorkGroupSize.x].v;     // divergent
	sum += b[(gl_GlobalInvocationID.x + 1u) / gl_WorkGroupSize.x].v; // divergent: the last one is in the next group
	o[gl_LocalInvocationIndex] = sum;
}
