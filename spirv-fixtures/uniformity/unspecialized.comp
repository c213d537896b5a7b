// The default of a specialization constant is not its value: pipelines may give it any.
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x_id = 0, local_size_y = 1, local_size_z = 1) in;
layout(constant_id = 1) const uint DIVISOR = 64;
layout(constant_id = 2) const bool PER_LANE = false;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[8];

void main()
{
	uint sum = 0, lane = gl_LocalInvocationIndex, i = 0;
	sum += b[gl_LocalInvocationID.y].v;               // group subgroup
	sum += b[gl_LocalInvocationID.x].v;               // divergent
	sum += b[gl_GlobalInvocationID.x / 64u].v;        // divergent
	sum += b[gl_LocalInvocationID.x / DIVISOR].v;     // divergent
	sum += b[gl_GlobalInvocationID.y / DIVISOR].v;    // group subgroup
	sum += b[min(lane, DIVISOR - 64u)].v;             // divergent
	sum += b[lane * (DIVISOR - 64u)].v;               // divergent
	if (PER_LANE)
		i = lane;
	sum += b[i].v;                                    // divergent
	sum += b[PER_LANE ? lane : 3u].v;                 // divergent
	sum += b[DIVISOR / 16u].v;                        // group subgroup
	o[gl_GlobalInvocationID.x] = sum;
}
