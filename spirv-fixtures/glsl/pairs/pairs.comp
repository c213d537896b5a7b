#version 460
layout(local_size_x = 4) in;
layout(binding = 2) uniform texture2D picture; // one combined image-sampler, as DXC declares it
layout(binding = 2) uniform sampler picture_sampler;
layout(binding = 5) uniform texture2D other;
layout(binding = 5) uniform sampler other_sampler;
layout(binding = 1) uniform sampler2D whole;
layout(binding = 3) buffer Out { vec4 color[]; };

void main()
{
	vec2 at = vec2(gl_LocalInvocationIndex * 0.3, 0.6);
	color[gl_LocalInvocationIndex] = textureLod(sampler2D(picture, picture_sampler), at, 0) +
					 2 * textureLod(sampler2D(other, other_sampler), at, 0) +
					 4 * textureLod(whole, at, 0);
}
