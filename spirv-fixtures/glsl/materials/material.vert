// The vertex stage reads a displacement texture through a handle in push constants.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
#include "materials.glsl"

layout(push_constant) uniform Push { DescriptorHandle height; DescriptorHandle height_sampler; };
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec2 texcoord;
layout(location = 1) flat out uint material;

void main()
{
	float h = textureLod(sampler2D(handle_texture2D(height), handle_sampler(height_sampler)), uv, 0).r;
	texcoord = uv;
	material = gl_InstanceIndex;
	gl_Position = view_projection * vec4(position + vec3(0, h, 0), 1);
}
