#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
// A branch that finds a value equal to a uniform one.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(push_constant) uniform Push { uint same, other; };

void main()
{
	uint i = gl_LocalInvocationIndex & 7u, sum = 0;
	uint f = subgroupBroadcastFirst(i);
	if (f == i) {
		sum += b[i].v;                                // subgroup
		sum += b[i + 1u].v;                           // subgroup
		uint copy = i;
		sum += b[copy].v;                             // subgroup
		if (sum > 3u)
			sum += b[i * same].v;                     // subgroup
		i += 8u;
		sum += b[i].v;                                // subgroup
		i = gl_LocalInvocationIndex;
		sum += b[i].v;                                // divergent: another value by now
	} else {
		sum += b[i].v;                                // divergent
	}
	i = gl_LocalInvocationIndex & 7u;
	sum += b[i].v;                                    // divergent
	if (i != same)
		sum += b[i].v;                                // divergent
	else
		sum += b[i].v;                                // group
	if (!(i != 3u))
		sum += b[i].v;                                // group subgroup
	if (!(i == 3u))
		sum += b[i].v;                                // divergent
	if (i == gl_LocalInvocationID.x)
		sum += b[i].v;                                // divergent: so is what it equals
	if (i == gl_WorkGroupID.x)
		sum += b[i].v;                                // group
	if (i >= same)
		sum += b[i].v;                                // divergent
	bool both = (i == same) && subgroupAny(i > 2u);   // evaluated in a branch of its own
	if (both)
		sum += b[i].v;                                // group: the condition is a phi
	bool eq = i == other, odd = (i & 1u) == 1u;
	uint before = i + 1u;
	if (eq) {
		sum += b[i].v;                                // group
		sum += b[before].v;                           // divergent: computed before
	}
	// what has been compared changes before it is used
	uint j = i;
	if (j == same) {
		if (odd)
			j = gl_LocalInvocationIndex;
		sum += b[j].v;                                // divergent
	}
	uint k = i;
	for (uint n = 0; n < 4u; n++) {
		if (k == same)
			sum += b[k].v;                            // group
		k += gl_LocalInvocationIndex;
		sum += b[k].v;                                // divergent
	}
	// one index of the subgroup at a time: what leaves the loop may be run by all of them together, after it
	for (;;) {
		uint first = subgroupBroadcastFirst(i);
		if (first == i) {
			sum += b[i].v + b[first].v;               // divergent divergent
			break;
		}
	}
	for (bool todo = true; todo;) {
		uint first = subgroupBroadcastFirst(i);
		if (first == i) {
			sum += b[i].v + b[first].v;               // subgroup subgroup
			todo = false;
		}
	}
	// compared in a loop, used behind it
	uint last = 0u;
	do {
		last = subgroupBroadcastFirst(i + last);
	} while (last < i);
	if (last == i)
		sum += b[i].v;                                // divergent: left in different iterations
	// an edge that is not the only way in
	if (odd || i == same)
		sum += b[i].v;                                // divergent
	// each term of && has a branch of its own
	i = gl_LocalInvocationIndex;
	if (o[i + 1u] > 2u && i == other && o[i + 2u] > 2u)
		sum += b[i].v;                                // group
	if (o[i + 3u] > 2u || i != other)
		sum += b[i].v;                                // divergent
	else
		sum += b[i].v;                                // group
	if (o[i + 4u] > 2u || i == other)
		sum += b[i].v;                                // divergent
	if (o[i + 5u] > 2u && i == subgroupBroadcastFirst(i))
		sum += b[i].v;                                // divergent: of those that have come to the second term
	switch (i) {
	case 2u:
		sum += b[i].v;                                // group subgroup
		i += gl_SubgroupInvocationID;
		sum += b[i].v;                                // group subgroup: a single invocation is here
		break;
	case 3u:
	case 4u:
		sum += b[i].v;                                // divergent: two labels
		break;
	case 5u:
		sum += b[i + same].v;                         // group subgroup
	case 6u:
		sum += b[i].v;                                // divergent: another way in
		break;
	default:
		sum += b[i].v;                                // divergent
	}
	sum += b[i].v;                                    // divergent
	o[gl_LocalInvocationIndex] = sum;
}
