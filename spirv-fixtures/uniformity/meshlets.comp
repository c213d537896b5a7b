#version 460
#extension GL_EXT_nonuniform_qualifier : require
// The kinds of index that software renderers mark although the workgroup has one value, each beside its neighbour that
// differs: a record of a list by gl_WorkGroupID, a shared list that all walk together, and a shared choice of one.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
struct Cluster { uint first, bucket; };
layout(binding = 2) readonly buffer Clusters { Cluster clusters[]; };
layout(binding = 3) readonly buffer Visible { uvec2 visible[]; };
layout(binding = 4) buffer Written { Cluster written[]; };
layout(binding = 5) readonly buffer Twins { Cluster twins[]; } twin[2];
layout(push_constant) uniform Push { uint total; };
shared uint count, list[256], current, left, unready;

uint fetch(uint bucket, uint lane)
{
	return b[bucket >> 16].v + lane;                  // divergent: whoever calls
}

uint fetch_same(uint bucket, uint lane)
{
	return b[bucket >> 16].v + lane;                  // group subgroup: at each call
}

void main()
{
	uint lane = gl_LocalInvocationIndex, sum = 0u;
	Cluster own = clusters[visible[gl_WorkGroupID.x + total].x];
	sum += fetch_same(own.bucket, lane);
	if (lane < own.first)
		sum += b[own.bucket].v;                   // group subgroup: of one record, whoever reads it
	sum += b[clusters[gl_GlobalInvocationID.x].bucket].v; // divergent: not of the workgroup
	sum += b[clusters[visible[lane].y].bucket].v;     // divergent
	sum += b[written[gl_WorkGroupID.x].bucket].v;     // unknown: another invocation may have written it meanwhile
	sum += b[twin[own.first].twins[0].bucket].v;      // group subgroup group subgroup
	sum += fetch(own.bucket, lane);
	written[lane].bucket = sum;

	count = 0u;
	barrier();
	for (uint i = lane; i < total; i += 64u) {
		if (clusters[i].first > 3u)
			list[atomicAdd(count, 1u) & 255u] = i;
		sum += b[clusters[i].bucket].v;           // divergent: each has turns of its own
	}
	sum += b[list[0]].v;                              // unknown: before the barrier
	barrier();
	for (uint i = 0u; i < count; i++) {
		sum += b[clusters[list[i]].bucket].v;     // group subgroup: all walk the list together
		sum += fetch_same(clusters[list[i]].bucket, lane);
		barrier();
	}
	for (uint i = lane; i < count; i++)
		sum += b[clusters[list[i]].bucket].v;     // divergent: each starts elsewhere
	barrier();

	left = total;
	barrier();
	while (left != 0u) {
		barrier();
		if (lane == 0u) {
			current = findLSB(left);
			left &= left - 1u;
			unready = current;
		}
		sum += b[clusters[unready].bucket].v;     // unknown: before the barrier
		barrier();
		sum += b[clusters[current].bucket].v;     // group subgroup: one chose, and all wait
		sum += fetch(clusters[lane].bucket, lane);
	}
	o[gl_GlobalInvocationID.x] = sum;
}
