#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(binding = 2) readonly buffer ReadOnly { uint ro[]; };
layout(binding = 3) buffer NeverWritten { uint nw[]; };
layout(binding = 4) uniform Uniform { uvec4 un[4]; };
layout(binding = 5) buffer Volatile { volatile uint vo; };
struct Element { uint stays, moves; };
layout(binding = 6) buffer Mixed { uint kept; uvec2 pair; uint count; Element elements[]; };
layout(binding = 7) buffer Several { uint kept, count; } several[2];
struct Whole { uint kept, moves; };
layout(binding = 8) buffer Wholes { Whole whole; uint apart; };
layout(push_constant) uniform Push { uint same, other; };
struct Inner { uint p; uint q[2]; };
struct Outer { uint a; uvec2 b; Inner i; };
struct Big { uvec4 m[3]; mat4 t; uint e; };
uint one, two = 3u;
Outer everywhere;

void main()
{
	uint lane = gl_LocalInvocationIndex, sum = 0;
	uvec4 v = uvec4(same, lane, 1u, other);
	sum += b[v.x].v;                                  // group subgroup
	sum += b[v.y].v;                                  // divergent
	sum += b[v.wzyx.w].v;                             // group subgroup
	sum += b[v.xz.y + v.w].v;                         // group subgroup
	sum += b[(v + 1u).w].v;                           // group subgroup
	sum += b[v[same & 3u]].v;                         // divergent: any of them
	v.y = 5u;
	sum += b[v.y].v;                                  // group subgroup
	sum += b[v[lane & 3u]].v;                         // divergent
	Outer s = Outer(same, uvec2(lane, other), Inner(lane, uint[2](same, 1u)));
	sum += b[s.a].v;                                  // group subgroup
	sum += b[s.b.x].v;                                // divergent
	sum += b[s.b.y].v;                                // group subgroup
	sum += b[s.i.p].v;                                // divergent
	sum += b[s.i.q[1]].v;                             // group subgroup
	s.i.q[lane & 1u] = 4u;
	sum += b[s.i.q[0]].v;                             // divergent: each wrote another element
	Outer copy = s;
	sum += b[copy.b.y].v;                             // group subgroup
	s = Outer(1u, uvec2(2u), Inner(3u, uint[2](4u, 5u)));
	sum += b[s.i.q[0]].v;                             // group subgroup
	sum += b[copy.i.q[0]].v;                          // divergent
	uint array[4] = uint[4](1u, 2u, same, 4u);
	sum += b[array[other & 3u]].v;                    // group subgroup
	sum += b[array[lane & 3u]].v;                     // divergent
	array[1] = lane;
	sum += b[array[2]].v;                             // divergent: an array of the type is indexed by what is no constant
	Big big;
	big.e = same;
	big.t[1][2] = float(lane);
	sum += b[big.e].v;                                // group subgroup
	sum += b[uint(big.t[1][2])].v;                    // divergent
	one = same;
	sum += b[one + two].v;                            // group subgroup
	everywhere.a = lane;
	everywhere.b.x = same;
	sum += b[everywhere.b.x].v;                       // group subgroup
	sum += b[everywhere.a].v;                         // divergent
	if (lane > 3u)
		everywhere.b.y = same;
	sum += b[everywhere.b.y].v;                       // divergent
	sum += b[ro[same]].v;                             // group subgroup
	sum += b[ro[lane]].v;                             // divergent
	sum += b[nw[same]].v;                             // group subgroup: the module does not write it
	sum += b[o[same]].v;                              // unknown: it writes this one
	// members of one block that nobody writes, while others are written
	atomicAdd(count, 1u);
	pair.x = lane;
	elements[lane].moves = lane;
	sum += b[kept].v;                                 // group subgroup
	sum += b[count].v;                                // unknown
	sum += b[pair.x].v;                               // unknown
	sum += b[pair.y].v;                               // group subgroup
	sum += b[pair[same & 1u]].v;                      // unknown
	sum += b[elements[same].stays].v;                 // group subgroup
	sum += b[elements[same].moves].v;                 // unknown
	several[1].count = lane;
	sum += b[several[0].kept].v;                      // unknown: the memory of another of them may overlap
	whole = Whole(lane, lane);
	sum += b[whole.kept].v;                           // unknown
	sum += b[apart].v;                                // group subgroup
	sum += b[un[same & 3u].y].v;                      // group subgroup
	sum += b[un[0][lane & 3u]].v;                     // divergent
	sum += b[b[same].v].v;                            // group subgroup group subgroup
	sum += b[b[lane].v].v;                            // divergent divergent
	sum += b[vo].v;                                   // unknown
	float whole;
	float part = modf(float(same), whole);
	sum += b[uint(whole + part)].v;                   // group subgroup
	part = modf(float(lane), whole);
	sum += b[uint(whole)].v;                          // divergent
	uint high, low;
	umulExtended(same, 5u, high, low);
	sum += b[low].v;                                  // group subgroup
	umulExtended(lane, 5u, high, low);
	sum += b[high].v;                                 // divergent
	o[lane] = sum;
}
