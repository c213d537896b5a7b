#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(push_constant) uniform Push { uint same, other; };
struct Pair { uint x, y; };
struct Holder { uint n; uint e[3]; };
shared uint shared_[6];
uint kept[8], early[8];

void set(inout uint a[5], uint x)
{
	a[1] = x;
}

uint third(uint a[5])
{
	return a[3];
}

void main()
{
	uint lane = gl_LocalInvocationIndex, sum = 0;
	uvec4 most[16];                                   // as many components as are told apart
	most[0] = uvec4(same);
	most[15] = uvec4(same, same, lane, same);
	sum += b[most[0].y].v;                            // group subgroup
	sum += b[most[15].w].v;                           // group subgroup
	sum += b[most[15].z].v;                           // divergent
	uvec4 more[17];
	more[0] = uvec4(same);
	more[16] = uvec4(same, same, lane, same);
	sum += b[more[0].y].v;                            // unknown: elements of larger arrays are not
	uint a[4] = uint[4](same, lane, 1u, other);       // arrays of 4 are indexed by constants only
	sum += b[a[0]].v;                                 // group subgroup
	sum += b[a[1]].v;                                 // divergent
	sum += b[a[2] + a[3]].v;                          // group subgroup
	a[1] = same;
	sum += b[a[1]].v;                                 // group subgroup
	if (lane > 3u)
		a[2] = other;
	sum += b[a[2]].v;                                 // divergent: the branch decides
	sum += b[a[3]].v;                                 // group subgroup
	if (lane > 5u) {
		if (lane > 9u)
			a[0] = lane;
		else
			a[2] = lane;
	}
	sum += b[a[0]].v;                                 // divergent: one of the branches
	sum += b[a[1] + a[3]].v;                          // group subgroup
	uint d[4] = uint[4](same, lane, 1u, other);
	sum += b[d[3]].v;                                 // group subgroup
	uint c[4] = d;
	c[0] = lane;
	sum += b[c[0]].v;                                 // divergent
	sum += b[c[1]].v;                                 // divergent
	sum += b[c[3]].v;                                 // group subgroup
	uint u[4];
	u[0] = same;
	sum += b[u[0]].v;                                 // group subgroup
	sum += b[u[1]].v;                                 // unknown: nothing is stored there
	Pair pairs[2];
	pairs[0] = Pair(same, lane);
	pairs[1] = Pair(lane, other);
	sum += b[pairs[0].x].v;                           // group subgroup
	sum += b[pairs[0].y].v;                           // divergent
	sum += b[pairs[1].x].v;                           // divergent
	sum += b[pairs[1].y].v;                           // group subgroup
	Holder h;
	h.n = lane;
	h.e = uint[3](lane, same, lane);
	sum += b[h.n].v;                                  // divergent
	sum += b[h.e[0]].v;                               // divergent
	sum += b[h.e[1]].v;                               // group subgroup
	uint grid[2][3];                                  // of 3: told apart, as in Holder
	grid[0] = h.e;
	grid[1] = uint[3](same, same, same);
	grid[1][2] = lane;
	sum += b[grid[0][1]].v;                           // group subgroup
	sum += b[grid[0][2]].v;                           // divergent
	sum += b[grid[1][1]].v;                           // group subgroup
	sum += b[grid[1][2]].v;                           // divergent
	// given to functions
	uint p[5] = uint[5](same, same, lane, other, lane);
	sum += b[third(p)].v;                             // group subgroup
	set(p, lane);
	sum += b[p[0]].v;                                 // group subgroup
	sum += b[p[1]].v;                                 // divergent
	set(p, 2u);
	sum += b[p[1]].v;                                 // group subgroup
	// in loops
	uint l[4] = uint[4](0u, 0u, 0u, 0u);
	for (uint i = 0; i < same; i++) {
		l[0] += i;
		l[1] += lane;
	}
	sum += b[l[0]].v;                                 // group subgroup
	sum += b[l[1]].v;                                 // divergent
	sum += b[l[3]].v;                                 // group subgroup
	for (uint i = 0; i < lane; i++)
		l[2]++;
	sum += b[l[2]].v;                                 // divergent: left at different times
	sum += b[l[0] + l[3]].v;                          // group subgroup
	for (uint i = 0; i < lane; i++) {
		if (l[0] > i)
			l[1] = same;
		for (uint k = 0; k < lane; k++)
			l[2] += k;
	}
	sum += b[l[1]].v;                                 // divergent
	sum += b[l[0] + l[3]].v;                          // group subgroup
	Pair changing = Pair(0u, 0u);
	for (uint i = 0; i < lane; i++) {
		if (lane > 7u)
			changing.y = lane;
		changing.x++;
	}
	sum += b[changing.x].v;                           // divergent: left at different times
	// module-scope ones
	kept[0] = same;
	kept[1] = lane;
	sum += b[kept[0]].v;                              // group subgroup
	sum += b[kept[1]].v;                              // divergent
	sum += b[early[2]].v;                             // unknown: nothing is stored there yet
	early[2] = same;
	sum += b[early[2]].v;                             // group subgroup
	// one index that is not constant, in a load or in a store, and all arrays of the type keep nothing apart
	uint r[7] = uint[7](same, lane, 1u, 1u, 1u, 1u, 1u);
	sum += b[r[0]].v;                                 // divergent
	sum += r[same];
	uint w[9];
	w[0] = w[1] = w[2] = w[3] = w[4] = w[5] = w[6] = w[7] = w[8] = 1u;
	w[lane & 7u] = lane;
	sum += b[w[0]].v;                                 // divergent
	// so do arrays that are shared, too
	uint s[6] = uint[6](same, lane, 1u, 1u, 1u, 1u);
	shared_[0] = s[1];
	sum += b[s[0]].v;                                 // divergent
	o[lane] = sum + shared_[1];
}
