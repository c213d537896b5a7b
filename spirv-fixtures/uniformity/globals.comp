#version 460
#extension GL_EXT_nonuniform_qualifier : require
// Module-scope variables: each field holds whatever is stored there at any time, and nothing before the first store.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(push_constant) uniform Push { uint same, other; };
uint reused, given, differs, branched, repeated, kept, early, array[4], inside, outside;
struct Pair { uint x, y; } pair;

uint called()
{
	return b[kept].v;                                 // group subgroup
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

void through(inout uint x)
{
	x += gl_LocalInvocationIndex;
}

void main()
{
	uint lane = gl_LocalInvocationIndex, sum = 0;
	reused = same;
	sum += b[reused].v;                               // divergent: it does from the next line on
	reused = lane;
	sum += b[reused].v;                               // divergent
	pair.x = lane;
	pair.y = same;
	sum += b[pair.x].v + b[pair.y].v;                 // divergent group subgroup
	sum += here();
	given = other;
	writes_given();
	sum += b[given].v;                                // group subgroup
	differs = same;
	through(differs);
	sum += b[differs].v;                              // divergent
	branched = same;
	if (lane > 7u)
		branched = other;
	sum += b[branched].v;                             // divergent: the branch decides
	repeated = same;
	while (repeated < other)
		repeated++;
	sum += b[repeated].v;                             // group subgroup
	kept = same;
	sum += called();
	kept = other;
	sum += called();
	sum += b[early].v;                                // unknown: nothing has been written
	early = same;
	array = uint[4](1u, same, other, 2u);
	sum += b[array[other & 3u]].v;                    // group subgroup
	o[lane] = sum;
}
