#version 460
/* Functions that take textures, samplers and images, both from handles and from bindings. A storage image that is passed to
 * a function must have no format, because parameters cannot have one. */
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"

layout(binding = 65534) uniform texture2D ground;
layout(binding = 65534) uniform sampler ground_sampler;
layout(push_constant) uniform Draw { DescriptorHandle layers[4]; DescriptorHandle smp; DescriptorHandle log; };
layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 weights;
layout(location = 0) out vec4 color;

vec4 triplanar(texture2D t, sampler s, vec3 p)
{
	return texture(sampler2D(t, s), p.xy) + texture(sampler2D(t, s), p.yz) + texture(sampler2D(t, s), p.zx);
}

void note(image2D i, ivec2 at, vec4 value)
{
	imageStore(i, at, value);
}

void main()
{
	vec3 p = vec3(uv, uv.x + uv.y);

	color = triplanar(ground, ground_sampler, p);
	for (int i = 0; i < 4; i++)
		color += weights[i] * triplanar(handle_texture2D(layers[i]), handle_sampler(smp), p);
	note(handle_image2D(log), ivec2(gl_FragCoord.xy), color);
}
