#version 460
/* Handles in data flow before they are dereferenced, with arrays that occupy sets 0 and 1 instead of the heaps. */
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

layout(AUTO, set = 1) uniform utexture2D bound[8];

/* row 0: utexture2D */
struct Material {
	uint weight;
	DescriptorHandle albedo;
};

uint fetch(DescriptorHandle h)
{
	return texelFetch(handle_utexture2D(nonuniform_handle(h)), ivec2(0), 0).r;
}

uint fetch_material(Material m)
{
	return m.weight + fetch(m.albedo);
}

void main()
{
	DescriptorHandle h = table.h[PICK];

	/* Every other lane has an invalid handle, and must not load it. */
	DescriptorHandle maybe = (LANE & 1u) != 0u ? h : uvec2(0x7FFFFFFFu);
	uint guarded = 200u + PICK;
	if (maybe.x != 0x7FFFFFFFu)
		guarded = texelFetch(handle_utexture2D(nonuniform_handle(maybe)), ivec2(0), 0).r;
	put(0, guarded);

	put(1, texelFetch(handle_utexture2D(table.h[nonuniformEXT(PICK)]), ivec2(0), 0).r); /* the mark further up */
	put(2, fetch(h));
	put(3, fetch_material(Material(7u, h)));
	bool own = (LANE & 2u) != 0u;
	put(4, fetch(own ? h : table.h[7u - PICK]) + (own ? 0u : 2u * PICK - 7u));

	uint sum = 0u;
	for (uint k = 0u; k < 8u; k++) {
		uint other = (PICK + k) & 7u;
		sum += texelFetch(handle_utexture2D(nonuniform_handle(table.h[other])), ivec2(0), 0).r * k - other * k;
	}
	put(5, sum + PICK);

	put(6, texelFetch(bound[nonuniformEXT(PICK)], ivec2(0), 0).r);
	put(7, textureSize(handle_utexture2D(nonuniform_handle(uvec2(h.x, 99u))), 0).x);
	put(8, texelFetch(handle_utexture2D(table.h[3]), ivec2(0), 0).r);
}
