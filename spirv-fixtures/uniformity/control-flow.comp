#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(push_constant) uniform Push { uint same, other, bound; };

uint early(uint x)
{
	if (gl_LocalInvocationIndex == x)
		return 1u;
	return 2u;
}
uint early_same(uint x)
{
	if (other == x)
		return 1u;
	return 2u;
}
uint behind_return()
{
	uint x = same;
	if (other == 9u) {
		x = bound;
		return x;
		x = gl_LocalInvocationIndex;
	}
	return x;
}
uint out_of_loop(uint x)
{
	for (uint i = 0; i < 4u; i++) {
		if (gl_LocalInvocationIndex == x)
			return 7u;
		x++;
	}
	return 8u;
}

void main()
{
	uint lane = gl_LocalInvocationIndex, sum = 0, x = 0, y = 0;
	if (lane > 4u) {
		uint inside = same;
		sum += b[inside].v;                       // group subgroup
		x = same;
	}
	sum += b[x].v;                                    // divergent: whose value is known by the branch
	if (other > 4u)
		y = same;
	sum += b[y].v;                                    // group subgroup
	if (lane > 9u)
		sum++;
	sum += b[y].v;                                    // group subgroup: that branch does not touch it
	sum += b[behind_return()].v;                      // group subgroup: what no invocation does is nothing
	uint choice = lane > 3u ? same : other;
	sum += b[choice].v;                               // divergent
	choice = other > 3u ? same : bound;
	sum += b[choice].v;                               // group subgroup
	uint z;
	if (other == 1u) {
		if (lane > 2u)
			z = 1u;
		else
			z = 2u;
		sum += b[z].v;                            // divergent
		z = 3u;
	} else {
		z = 4u;
	}
	sum += b[z].v;                                    // group subgroup: they have met again before
	switch (lane & 3u) {
	case 0u:
		x = 1u;
	case 1u:
		x += 2u;
		break;
	default:
		x = 3u;
	}
	sum += b[x].v;                                    // divergent
	switch (other) {
	case 0u:
		x = 1u;
		break;
	case 1u:
		x = 2u;
		break;
	default:
		x = 3u;
	}
	sum += b[x].v;                                    // group subgroup
	for (uint i = 0; i < bound; i++) {
		sum += b[i].v;                            // group subgroup
		if ((lane & i) != 0u)
			continue;
		sum += b[i + 1u].v;                       // group subgroup
		x = i;
	}
	sum += b[x].v;                                    // divergent: some went on before they stored
	uint n = 0;
	for (uint i = 0; i < lane; i++) {
		sum += b[i].v;                            // group subgroup: all that are there have the same round
		n = i;
	}
	sum += b[n].v;                                    // divergent
	sum += b[bound].v;                                // group subgroup
	uint k = 5u;
	do {
		k--;
		uint same_each_round = other + 1u;
		y = same_each_round;
		if (lane == k)
			break;
	} while (k != 0u);
	sum += b[k].v;                                    // divergent
	sum += b[early(same)].v;                          // divergent
	sum += b[early_same(same)].v;                     // group subgroup
	sum += b[out_of_loop(same)].v;                    // divergent
	for (uint i = 0; i < 3u; i++) {
		uint m = 0;
		for (uint j = 0; j < i; j++) {
			if (lane == j)
				break;
			m = j;
		}
		sum += b[m].v;                            // divergent: of the inner loop
		sum += b[i].v;                            // group subgroup: the outer is left together
	}
	for (uint i = 0; i < 3u; i++) {
		uint m;
		if (lane > 9u) {
			m = same;
			if (other == i)
				break;
		} else {
			m = bound;
			if (other == i + 1u)
				break;
		}
		sum += b[m].v;                            // divergent: both arms may leave, and both may meet
	}
	if (lane == 60u)
		return;
	sum += b[same].v;                                 // group subgroup: of those that are left
	o[lane] = sum;
}
