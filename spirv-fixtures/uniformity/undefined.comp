#version 460
// What is undefined may differ: variables that nothing was stored in, on every path or on one of them.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Buffer { uint v; } b[];
layout(push_constant) uniform Push { uint same, other; };
struct Pair { uint first, second; };
uint early, late, part;
uint reads_early() { return early; }
uint reads_late() { return late; }
void out_on_one_path(out uint x) { if (same > 3u) x = same; }
void out_always(out uint x) { x = same; }
void main()
{
	uint lane = gl_LocalInvocationIndex, sum = 0u;
	uint never, once, always;
	sum += b[never].v;                                // unknown
	if (same > 4u)
		once = same;
	sum += b[once].v;                                 // unknown
	if (same > 5u)
		always = same;
	else
		always = other;
	sum += b[always].v;                               // group subgroup
	Pair pair;
	pair.first = same;
	sum += b[pair.first].v;                           // group subgroup
	sum += b[pair.second].v;                          // unknown
	uint some[3];
	some[0] = same;
	some[2] = other;
	sum += b[some[other % 3u]].v;                     // unknown
	some[1] = same;
	sum += b[some[other % 3u]].v;                     // group subgroup
	uint all[3];
	all[0] = same;
	all[1] = other;
	all[2] = 3u;
	sum += b[all[other % 3u]].v;                      // group subgroup
	sum += b[reads_early()].v;                        // unknown
	early = same;
	late = same;
	sum += b[reads_late()].v;                         // group subgroup
	if (same > 6u)
		part = other;
	sum += b[part].v;                                 // unknown
	uint filled, maybe;
	out_on_one_path(maybe);
	out_always(filled);
	sum += b[maybe].v;                                // unknown
	sum += b[filled].v;                               // group subgroup
	for (uint i = 0u; i < other; i++) {
		uint before;
		if (i > 0u)
			sum += b[before].v;               // unknown
		before = same;
	}
	sum += b[subgroupShuffleUp(same, 1u)].v;          // unknown: the first lane has none before it
	sum += b[subgroupBroadcast(lane, 0u)].v;          // subgroup
	if (lane > 3u)
		sum += b[subgroupBroadcast(same, 0u)].v;  // unknown: the lane does not run
	b[0].v = sum;
}
