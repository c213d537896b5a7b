#version 460
#extension GL_GOOGLE_include_directive : require
#include "case.glsl"

/* Structs of descriptors, in arrays, and with arrays in them, which Vulkan does not have. */
struct Inner { texture2D t[2]; sampler s; };
struct Pair { sampler2D a; sampler2D b[3]; Inner in_[2]; };
uniform Pair pairs[8];
uniform Pair one;

uint read(sampler2D s)
{
	return unorm(textureLod(s, vec2(0.5), 0.0).r);
}

uint read_b(Pair p, uint k)
{
	return read(p.b[k]);
}

uint read_of(sampler2D list[3], uint k)
{
	return unorm(textureLod(list[k], vec2(0.5), 0.0).r);
}

void main()
{
	uint i = PICK;

	put(0, unorm(textureLod(pairs[nonuniformEXT(i)].a, vec2(0.5), 0.0).r));
	put(1, unorm(textureLod(pairs[nonuniformEXT(i)].b[2], vec2(0.5), 0.0).r));
	put(2, unorm(textureLod(pairs[3].b[1], vec2(0.5), 0.0).r));
	put(3, read(pairs[nonuniformEXT(i)].b[1]));
	put(4, read_b(pairs[nonuniformEXT(i)], 2));
	put(5, read_of(pairs[nonuniformEXT(i)].b, 0));
	put(6, unorm(texelFetch(pairs[nonuniformEXT(i)].in_[1].t[0], ivec2(0), 0).r));
	put(7, unorm(textureLod(sampler2D(pairs[nonuniformEXT(i)].in_[0].t[1], pairs[0].in_[0].s), vec2(0.5), 0.0).r));
	put(8, read_b(one, 2));
	put(9, read(one.a) + read(pairs[5].a));
	put(10, unorm(textureLod(one.b[nonuniformEXT(i & 1u)], vec2(0.5), 0.0).r) - (i & 1u));
}
