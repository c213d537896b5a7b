// Handles of 4 bytes, typed handles, and a convention for the null handle. Bind with --combined=split.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "typed_handle.glsl"

layout(local_size_x = 64) in;

struct Decal {
	Texture2DHandle color;
	SamplerHandle smp;
	uint mask;                                              // a combined image-sampler: 20 bits and 12 bits
	uint detail;                                            // 4 bytes are enough for an index
};
layout(binding = 65534, std430) readonly buffer Decals { Decal decals[]; };
layout(binding = 65534, std430) writeonly buffer Colors { vec4 colors[]; };

Texture2DHandle color_of(Decal d)
{
	return handle_is_valid(untyped(texture2D, d.color)) ? d.color : Texture2DHandle(handle_from_uint(d.detail));
}

void main()
{
	Decal d = decals[gl_WorkGroupID.x];
	Texture2DHandle chosen = color_of(d);
	vec4 color = vec4(0);

	if (chosen != Texture2DHandle(handle_null()))
		color = textureLod(sampler2D(dereference(texture2D, chosen), dereference(sampler, d.smp)), vec2(0.5), 0.0);
	if (d.mask != 0xFFFFFFFFu)
		color.a = textureLod(handle_sampler2D(handle_from_packed(d.mask)), vec2(0.5), 0.0).x;
	colors[gl_GlobalInvocationID.x] = color;
}
