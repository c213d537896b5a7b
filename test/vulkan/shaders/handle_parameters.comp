#version 460
/* Functions whose parameters are dereferenced handles: glslang passes a value where they take a pointer. */
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

layout(AUTO) uniform utexture2D bound;
layout(AUTO) uniform utexture2D bounds[8];

vec4 sampled(texture2D t, sampler s, vec2 uv)
{
	return textureLod(sampler2D(t, s), uv, 0.0);
}

uint fetched(utexture2D t)
{
	return texelFetch(t, ivec2(0), 0).r;
}

uint fetched_through(uint before, utexture2D t)
{
	return before + fetched(t);
}

uint of_combined(usampler2D t)
{
	return texelFetch(t, ivec2(0), 0).r + uint(textureSize(t, 0).x);
}

vec4 sampled_combined(sampler2D t)
{
	return textureLod(t, vec2(0.5), 0.0);
}

uint texel(utextureBuffer b, int i)
{
	return i < 0 ? 7u : texelFetch(b, i).r;
}

uint not_even_loaded(bool now, utexture2D t)
{
	uint sum = 200u + PICK;
	if (now)
		sum = texelFetch(t, ivec2(0), 0).r;
	return sum;
}

/* rows: 0 texture2D, 1 sampler, 2 usampler2D, 3 sampler2D, 4 utexture2D, 5 utextureBuffer */
void main()
{
	vec2 middle = vec2(0.5);

	put(0, unorm(sampled(handle_texture2D(divergent(0)), handle_sampler(uniform_handle(1)), middle).r));
	put(1, sampler_number(sampled(handle_texture2D(uniform_handle(0)), handle_sampler(divergent(1)), vec2(-1.0))));
	put(2, fetched(handle_utexture2D(divergent(4))));
	put(3, fetched_through(1000u, handle_utexture2D(divergent(4))));
	put(4, fetched(bounds[nonuniformEXT(PICK)]) + fetched(bound));
	put(5, of_combined(handle_usampler2D(divergent(2))));
	put(6, unorm(sampled_combined(handle_sampler2D(divergent(3))).r));
	put(7, texel(handle_utextureBuffer(divergent(5)), 3));

	bool named = (LANE & 1u) != 0u; /* every other lane has an invalid handle */
	DescriptorHandle maybe = named ? divergent(4) : uvec2(100u);
	put(8, not_even_loaded(named, handle_utexture2D(nonuniform_handle(maybe))));

	uint sum = 0u;
	for (uint k = 0u; k < 8u; k++)
		sum += fetched(handle_utexture2D(nonuniform_handle(table.h[32u + ((PICK + k) & 7u)]))) * k - ((PICK + k) & 7u) * k;
	put(9, sum);
	put(10, unorm(sampled(handle_texture2D(uniform_handle(0)), handle_sampler(uniform_handle(1)), middle).r));
	put(11, fetched_through(fetched(handle_utexture2D(uniform_handle(4))), bound));
	put(12, texel(handle_utextureBuffer(uniform_handle(5)), 3));
}
