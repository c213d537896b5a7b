#version 460
#extension GL_EXT_nonuniform_qualifier : require
// Module-scope variables in the order of the entry point, as far as calls permit.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(push_constant) uniform Push { uint same, other; };
uint later, reused, given, deep, branched, repeated, kept, early, array[4], inside, outside;
struct Pair { uint x, y; } pair;

uint called()
{
	return b[kept].v;                                 // divergent: a function other than the entry point's
}

uint here()
{
	if (same > 2u) {
		inside = other;
		outside = other;
		return b[inside].v;                       // group subgroup: stored in this block
	}
	return b[outside].v;                              // unknown: not stored in this one
}

void writes_given()
{
	given = same;
}

void writes_deep()
{
	if (same > 3u)
		writes_given();
	deep = gl_LocalInvocationIndex;
}

void through(inout uint x)
{
	x += gl_LocalInvocationIndex;
}

void main()
{
	uint lane = gl_LocalInvocationIndex, sum = 0;
	later = same;
	sum += b[later].v;                                // group subgroup: it differs only from the next line on
	later = lane;
	sum += b[later].v;                                // divergent
	later = other;
	sum += b[later].v;                                // group subgroup
	pair.x = lane;
	pair.y = same;
	sum += b[pair.x].v + b[pair.y].v;                 // divergent group subgroup
	pair.x = other;
	sum += b[pair.x].v;                               // group subgroup
	pair.x = lane;
	sum += b[pair.y].v + here();                      // group subgroup
	given = lane;
	given = other;
	sum += b[given].v;                                // group subgroup
	writes_given();
	sum += b[given].v;                                // divergent: of what a call writes the order is not known
	given = same;
	sum += b[given].v;                                // group subgroup
	deep = same;
	sum += b[deep].v;                                 // group subgroup
	writes_deep();
	sum += b[deep].v + b[given].v;                    // divergent divergent
	deep = same;
	through(deep);
	sum += b[deep].v;                                 // divergent
	branched = same;
	if (lane > 7u)
		branched = other;
	sum += b[branched].v;                             // divergent: the branch decides
	branched = same;
	if (other > 7u)
		branched = other;
	sum += b[branched].v;                             // group subgroup
	repeated = same;
	while (repeated < lane)
		repeated++;
	sum += b[repeated].v;                             // divergent: not all leave the loop together
	repeated = same;
	while (repeated < other)
		repeated++;
	sum += b[repeated].v;                             // group subgroup
	kept = same;
	sum += called();
	kept = lane;
	sum += called();
	sum += b[early].v;                                // unknown: nothing has been written
	early = lane;
	array = uint[4](1u, same, other, 2u);
	sum += b[array[other & 3u]].v;                    // group subgroup
	array[lane & 3u] = same;
	sum += b[array[0]].v;                             // divergent
	o[lane] = sum;
}
