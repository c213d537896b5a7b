#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(push_constant) uniform Push { uint same, other; };
uint global, kept;

uint plus(uint x) { return x + 1u; }
uint twice(uint x) { return plus(plus(x)); }
uint first(uint x, uint y) { return x; }
void give(uint x, out uint y, inout uint z) { y = x; z += 1u; }
void swap(inout uint x, inout uint y) { uint t = x; x = y; y = t; }
void keep(uint x) { global = x; }
void store() { kept = same; }
uint used_by_all(uint x) { return b[x].v; }               // divergent: some callers' x is
uint used_by_some(uint x) { return b[x].v; }              // group subgroup
uint both(uint x) { if (x > 3u) return other; return same; }
uint picks(uint x, uint y, bool c) { return c ? x : y; }
uvec2 pair(uint x, uint y) { return uvec2(x, y); }

void main()
{
	uint lane = gl_LocalInvocationIndex, sum = 0;
	sum += b[plus(lane)].v;                           // divergent
	sum += b[plus(same)].v;                           // group subgroup: another caller's lane does not matter
	sum += b[twice(lane)].v;                          // divergent
	sum += b[twice(same)].v;                          // group subgroup
	sum += b[first(same, lane)].v;                    // group subgroup
	sum += b[first(lane, same)].v;                    // divergent
	uint y, z = same;
	give(lane, y, z);
	sum += b[y].v;                                    // divergent
	sum += b[z].v;                                    // group subgroup
	give(same, y, z);
	sum += b[y].v;                                    // group subgroup
	uint p = lane, q = same;
	swap(p, q);
	sum += b[p].v;                                    // group subgroup
	sum += b[q].v;                                    // divergent
	keep(lane);
	sum += b[global].v;                               // divergent
	if (lane > 3u)
		store();
	sum += b[kept].v;                                 // divergent: not all have called
	sum += used_by_all(same) + used_by_all(lane);
	sum += used_by_some(same) + used_by_some(other);
	sum += b[both(same)].v;                           // group subgroup
	sum += b[both(lane)].v;                           // divergent: it decides which return
	sum += b[picks(same, other, other > 1u)].v;       // group subgroup
	sum += b[picks(same, other, lane > 1u)].v;        // divergent
	sum += b[pair(same, lane).x].v;                   // group subgroup
	sum += b[pair(same, lane).y].v;                   // divergent
	o[lane] = sum;
}
