#version 460
/* Textures combined with their sampler, one of them a shadow map. With --combined=split, each such handle is the index of a
 * texture (x) and the index of a sampler (y). */
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"

layout(push_constant) uniform Draw { DescriptorHandle color; DescriptorHandle shadow_map; mat4 to_light; };
layout(location = 0) in vec4 position;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 color_out;

void main()
{
	vec4 p = to_light * position;
	float lit = texture(handle_sampler2DShadow(shadow_map), p.xyz / p.w);

	color_out = texture(handle_sampler2D(color), uv) * mix(0.2, 1.0, lit);
}
