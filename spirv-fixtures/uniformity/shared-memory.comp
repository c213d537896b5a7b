#version 460
#extension GL_EXT_nonuniform_qualifier : require
// Shared memory: what all read between two barriers, if nobody writes it there.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(push_constant) uniform Push { uint same, turns; };
shared uint one, any, counted, looped, raced, early, never, ahead, entered, apart, other;
shared uint row[64];
uint sum;

void store(uint what)
{
	if (gl_LocalInvocationIndex == 0u)
		entered = what;
	barrier();
}

void only_store(uint what)
{
	ahead = what;
}

void read_it()
{
	sum += b[entered].v;                              // group subgroup: as at each call
}

uint pure(uint x)
{
	return x * 3u + 1u;
}

void main()
{
	uint i = gl_LocalInvocationIndex;
	sum = b[early].v;                                 // unknown: nobody has written it yet
	early = 1u;
	if (i == 0u)
		one = o[70];
	sum += b[one].v;                                  // unknown: not behind the barrier
	any = i;
	row[i] = o[i];
	atomicAdd(counted, i);
	sum += pure(i);
	barrier();
	sum += b[one].v;                                  // group subgroup
	sum += b[any].v;                                  // group subgroup: whoever has won
	sum += b[counted].v;                              // group subgroup
	sum += b[row[3]].v;                               // group subgroup
	sum += b[row[same]].v;                            // group subgroup
	sum += b[row[i]].v;                               // divergent
	sum += b[never].v;                                // unknown: undefined
	if (i > 5u)
		sum += b[one + pure(same)].v;                 // group subgroup: in a branch, too
	memoryBarrierShared();
	sum += b[any].v;                                  // group subgroup
	for (uint k = 0u; k < turns; k++) {
		if (i == k)
			looped = k * 7u;
		barrier();
		sum += b[looped].v;                           // group subgroup
		barrier();
		sum += b[looped].v;                           // unknown: the next turn may write it already
		if (i == k)
			raced = k;
		memoryBarrierShared();
		sum += b[raced].v;                            // unknown: a memory barrier is none
	}
	barrier();
	sum += b[looped].v;                               // group subgroup
	if (i == 9u)
		apart = i;
	else
		sum += b[apart].v;                            // unknown: others write it meanwhile
	barrier();
	if (i < 3u)
		sum += b[apart].v;                            // unknown: it may be written below
	else if (i == 7u)
		apart = 2u;
	store(same);
	read_it();
	sum += b[entered].v;                              // group subgroup
	barrier();
	store(i);
	read_it();
	barrier();
	only_store(i);
	sum += b[ahead].v;                                // unknown
	barrier();
	sum += b[ahead].v;                                // group subgroup
	if (same > 4u) {
		other = i;
		barrier();
	}
	sum += b[other].v;                                // unknown: nobody need have written it
	barrier();
	only_store(3u);
	o[i] = sum;
}
