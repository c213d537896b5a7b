#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(location = 0) in vec2 uv;
layout(location = 1) flat in uint brightness;
layout(location = 0) out uvec4 color;
struct Material { DescriptorHandle albedo, smp; };
layout(binding = 65534, std430) readonly buffer materials { Material m[]; };
layout(binding = 65534, std430) buffer Log { uint words[]; };
void main()
{
	uint pixel = uint(gl_FragCoord.x) + 4u * uint(gl_FragCoord.y);
	Material mine = m[pixel];
	vec4 c = texture(sampler2D(handle_texture2D(mine.albedo), handle_sampler(mine.smp)), uv);
	words[pixel] = uint(c.x * 255.0 + 0.5) + brightness;
	color = uvec4(words[pixel]);
}
