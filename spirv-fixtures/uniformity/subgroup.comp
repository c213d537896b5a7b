#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(push_constant) uniform Push { uint same; };

void main()
{
	uint lane = gl_LocalInvocationIndex, sum = 0;
	sum += b[subgroupBroadcastFirst(lane)].v;         // subgroup
	sum += b[subgroupBroadcastFirst(same)].v;         // group subgroup
	sum += b[subgroupBroadcast(lane, 3)].v;           // subgroup
	sum += b[subgroupAdd(lane)].v;                    // subgroup
	sum += b[subgroupMin(same)].v;                    // subgroup
	sum += b[subgroupInclusiveAdd(lane)].v;           // divergent
	sum += b[subgroupInclusiveAdd(1u)].v;             // divergent
	sum += b[subgroupExclusiveMax(same)].v;           // divergent
	sum += b[subgroupClusteredAdd(lane, 4)].v;        // divergent
	sum += b[subgroupBallot(lane > 3u).x].v;          // subgroup
	sum += b[subgroupBallotBitCount(subgroupBallot(lane > 3u))].v;           // subgroup
	sum += b[subgroupBallotExclusiveBitCount(subgroupBallot(lane > 3u))].v;  // divergent
	sum += b[subgroupBallotFindLSB(subgroupBallot(true))].v;                 // subgroup
	sum += b[subgroupBallotFindLSB(subgroupBallot(lane > 3u))].v;            // divergent: there may be none
	sum += b[subgroupAll(lane > 3u) ? 1u : 0u].v;     // subgroup
	sum += b[subgroupElect() ? 1u : 0u].v;            // divergent
	sum += b[subgroupShuffle(lane, 1u)].v;            // unknown: of one lane, if it runs
	sum += b[subgroupShuffle(same, 1u)].v;            // unknown: that lane may not run
	sum += b[subgroupQuadBroadcast(lane, 1u)].v;      // divergent
	// the scalar loop over what differs
	for (;;) {
		uint first = subgroupBroadcastFirst(lane);
		if (first == lane) {
			sum += b[first].v;                // divergent: some drivers run this behind the loop, for all at once
			break;
		}
	}
	bool done = false;
	while (!done) {
		uint first = subgroupBroadcastFirst(lane);
		if (first == lane) {
			sum += b[first].v;                // subgroup
			done = true;
		}
	}
	o[lane] = sum;
}
