// What --spec says of specialization constants holds, and their defaults do not.
// spirv-bind: --spec=0=32 --spec=1=64 --spec=2=0 --spec=3=7
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x_id = 0, local_size_y = 1, local_size_z = 1) in;
layout(constant_id = 1) const uint DIVISOR = 64;
layout(constant_id = 2) const bool PER_LANE = true;
layout(constant_id = 3) const int MODE = 0;
layout(constant_id = 4) const bool NOT_SAID = false;
layout(constant_id = 5) const uint SIZE_NOT_SAID = 64;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[8];

uint chosen(uint lane)
{
	if (MODE == 2)
		return lane;
	return MODE + 1;
}

void main()
{
	uint sum = 0, lane = gl_LocalInvocationIndex, i = 0, j = 0, k;
	sum += b[gl_LocalInvocationID.y].v;               // group subgroup
	sum += b[gl_LocalInvocationID.x].v;               // divergent
	sum += b[gl_GlobalInvocationID.x / 64u].v;        // group subgroup
	sum += b[gl_GlobalInvocationID.x / DIVISOR].v;    // group subgroup
	sum += b[gl_LocalInvocationID.x / (DIVISOR / 2)].v; // group subgroup
	sum += b[gl_LocalInvocationID.x / (DIVISOR / 4)].v; // divergent
	sum += b[min(lane, DIVISOR - 64u)].v;             // group subgroup
	sum += b[lane * (DIVISOR - 64u)].v;               // group subgroup
	if (PER_LANE)
		i = lane;
	sum += b[i].v;                                    // group subgroup
	sum += b[PER_LANE ? lane : 3u].v;                 // group subgroup
	switch (MODE) {
	case 0:
		j = lane;
		break;
	case 7:
		j = 5;
		break;
	default:
		j = lane + 1;
	}
	sum += b[j].v;                                    // group subgroup
	for (k = 0; k < 4; k++) {
		if (PER_LANE && lane == k)
			break;
	}
	sum += b[k].v;                                    // group subgroup
	sum += b[gl_LocalInvocationID.x / SIZE_NOT_SAID].v; // divergent
	sum += b[NOT_SAID ? lane : 3u].v;                 // divergent
	if (NOT_SAID)
		j = lane;
	sum += b[j].v;                                    // divergent
	sum += b[chosen(lane)].v;                         // group subgroup
	if (!PER_LANE)
		i = lane;
	sum += b[i].v;                                    // divergent
	o[gl_GlobalInvocationID.x] = sum;
}
