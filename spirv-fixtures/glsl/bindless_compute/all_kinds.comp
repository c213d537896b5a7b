// One compute shader that dereferences handles to every kind of descriptor.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;

struct Set { DescriptorHandle tex, smp, comb, img, tbuf, ibuf, counters; };
layout(binding = 65534, std430) readonly buffer Sets { Set sets[]; };
layout(binding = 65534, std430) writeonly buffer Out { vec4 result[]; };
layout(push_constant) uniform Push { DescriptorHandle lut; };

void main()
{
	uint i = gl_GlobalInvocationID.x;
	Set s = sets[nonuniformEXT(i)];
	vec4 v = textureLod(sampler2D(handle_texture2D(s.tex), handle_sampler(s.smp)), vec2(0.5), 0);
	v += textureLod(handle_sampler2D(s.comb), vec2(0.5), 0);
	v += texelFetch(handle_textureBuffer(s.tbuf), int(i));
	v += texelFetch(handle_samplerBuffer(lut), int(v.x));
	imageStore(handle_image2D(s.img), ivec2(i, 0), v);
	imageStore(handle_uimageBuffer(s.ibuf), int(i), uvec4(v));
	v += imageLoad(handle_iimage3D(s.counters), ivec3(0));
	result[i] = v + vec4(imageSize(handle_image2D(s.img)), textureSize(handle_sampler2D(s.comb), 0));
}
