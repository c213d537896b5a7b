#version 460
/* Textures and samplers by handle, from a buffer of materials. The material may differ from pixel to pixel. */
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"

struct Material {
	DescriptorHandle albedo;
	DescriptorHandle normal;
	DescriptorHandle smp;
	vec2 scale;
};

layout(binding = 65534, std430) readonly buffer Materials { Material materials[]; };
layout(location = 0) in vec2 uv;
layout(location = 1) flat in uint id;
layout(location = 0) out vec4 albedo;
layout(location = 1) out vec4 normal;

void main()
{
	Material m = materials[id];

	albedo = texture(sampler2D(handle_texture2D(nonuniform_handle(m.albedo)), handle_sampler(m.smp)), uv * m.scale);
	normal = texture(sampler2D(handle_texture2D(nonuniform_handle(m.normal)), handle_sampler(m.smp)), uv * m.scale);
}
