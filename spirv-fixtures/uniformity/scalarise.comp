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
	// a mask of those that still wait, carried from one iteration to the next: its bits are invocations that run the loop
	uvec4 waiting = subgroupBallot(true);
	while (any(notEqual(waiting, uvec4(0u)))) {
		uint f = subgroupShuffle(m, subgroupBallotFindLSB(waiting));
		if (f == m)
			r = res[m].v[4]; // subgroup
		waiting &= ~subgroupBallot(f == m);
	}
	o[gl_LocalInvocationIndex + 128u] = r;
	// the same with one word of it, as HLSL does, and a ballot of the others
	uint word = subgroupBallot(m > 3u).x;
	for (bool todo = true; word != 0u;) {
		uint f = subgroupShuffle(m, findLSB(word));
		if (f == m && todo) {
			r = res[f].v[5]; // subgroup
			todo = false;
		}
		word = subgroupBallot(todo && m > 3u).x;
	}
	o[gl_LocalInvocationIndex + 160u] = r;
	// an invocation that has left may still be in the mask
	waiting = subgroupBallot(true);
	while (waiting.x != 0u) {
		uint f = subgroupShuffle(m, findLSB(waiting.x));
		r = res[f].v[6]; // divergent
		if (m == 7u)
			break;
		waiting.x &= waiting.x - 1u;
	}
	o[gl_LocalInvocationIndex + 192u] = r;
	// nobody has voted for these bits
	waiting.x = m;
	while (waiting.x != 0u) {
		uint f = subgroupShuffle(m, findLSB(waiting.x));
		r = res[f].v[7]; // unknown
		waiting.x &= waiting.x - 1u;
	}
	o[gl_LocalInvocationIndex + 224u] = r;
}
