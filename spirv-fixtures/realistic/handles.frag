#version 460
// Materials as descriptor handles in a buffer; nothing is marked.
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 normal;
layout(location = 2) flat in uint decal_id;
layout(location = 0) out vec4 color;

struct Material { DescriptorHandle albedo, normal_map, smp; vec4 base; uint layer_count; };
struct Decal { DescriptorHandle image, smp; vec4 place; };
layout(push_constant) uniform Push { uint material_id, tint; DescriptorHandle environment, linear_sampler; };
layout(set = 0, binding = 0, std430) readonly buffer Materials { Material materials[]; };
layout(set = 0, binding = 1, std430) readonly buffer Decals { Decal decals[]; };
layout(set = 0, binding = 2, std430) readonly buffer Layers { DescriptorHandle layers[]; };

vec4 sampled(DescriptorHandle image, DescriptorHandle smp, vec2 at)
{
	return texture(sampler2D(handle_texture2D(image), handle_sampler(smp)), at);          // uniform; uniform
}

void main()
{
	Material m = materials[material_id];
	vec4 c = m.base * sampled(m.albedo, m.smp, uv);
	vec3 n = normalize(normal + sampled(m.normal_map, m.smp, uv).xyz);
	for (uint i = 0u; i < m.layer_count; i++) {
		DescriptorHandle layer = layers[material_id * 8u + i];
		if (handle_equal(layer, uvec2(0)))
			break;
		c *= texture(sampler2D(handle_texture2D(layer), handle_sampler(m.smp)), uv);  // uniform; uniform
	}
	Decal d = decals[decal_id];
	if (all(lessThan(abs(uv - d.place.xy), d.place.zw))) {
		vec4 ink = textureLod(sampler2D(handle_texture2D(d.image), handle_sampler(d.smp)), uv, 0.0);      // divergent; divergent
		c = mix(c, ink, ink.a);
		c += textureLod(sampler2D(handle_texture2D(d.image), handle_sampler(linear_sampler)), uv, 4.0);   // uniform: the image is that of the line above
	}
	c.rgb *= texture(samplerCube(handle_textureCube(environment), handle_sampler(linear_sampler)), n).rgb;    // uniform; uniform
	DescriptorHandle chosen = c.a > 0.5 ? m.albedo : m.normal_map;
	c += texture(sampler2D(handle_texture2D(chosen), handle_sampler(m.smp)), uv);         // divergent; uniform
	color = c;
}
