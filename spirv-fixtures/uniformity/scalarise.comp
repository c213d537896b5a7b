#version 460
// why: the loop that takes one index of the subgroup at a time. What runs in an iteration and then leaves the loop is
// not part of it: its blocks cannot reach the header again. SwiftShader runs them after the loop, once for all
// invocations, each with the index that it left with. So the access needs NonUniform, though the index has just been
// broadcast; that of a loop that goes on to its end after the access does not, in the subgroup.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Res { uint v[]; } res[16];
layout(binding = 1) buffer Out { uint o[]; };
void main()
{
	uint m = (gl_LocalInvocationIndex * 7u) & 15u, r = 0u;
	for (;;) {
		uint f = subgroupBroadcastFirst(m);
		if (f == m) {
			r = res[f].v[0]; // divergent: it leaves the loop, and is executed after it
			break;
		}
	}
	o[gl_LocalInvocationIndex] = r;
	for (bool todo = true; todo;) {
		uint f = subgroupBroadcastFirst(m);
		if (f == m) {
			r = res[f].v[1]; // subgroup: the iteration goes on to its end
			todo = false;
		}
	}
	o[gl_LocalInvocationIndex + 32u] = r;
	// the same by a ballot of those that run, and a shuffle from the first of them
	for (bool todo = true; todo;) {
		uint f = subgroupShuffle(m, subgroupBallotFindLSB(subgroupBallot(true)));
		if (f == m) {
			r = res[m].v[2]; // subgroup
			todo = false;
		}
	}
	o[gl_LocalInvocationIndex + 64u] = r;
	// the fast path of a vote, and the loop for the others
	if (subgroupAllEqual(m)) {
		r = res[m].v[3]; // subgroup
	} else {
		for (bool todo = true; todo;) {
			if (subgroupBroadcastFirst(m) == m) {
				r = res[m].v[3]; // subgroup
				todo = false;
			}
		}
	}
	o[gl_LocalInvocationIndex + 96u] = r;
}
