// The fragment stage picks its material by a flat input: the handles differ within a subgroup, and say so.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
#include "materials.glsl"

layout(location = 0) in vec2 texcoord;
layout(location = 1) flat in uint material;
layout(location = 0) out vec4 color;

void main()
{
	Material m = materials[material];
	vec4 base = texture(sampler2D(handle_texture2D(nonuniform_handle(m.albedo)), handle_sampler(nonuniform_handle(m.smp))), texcoord);
	if (!handle_equal(m.detail, DescriptorHandle(0)))
		base *= texture(handle_sampler2D(nonuniform_handle(m.detail)), texcoord * 8);
	vec3 n = texelFetch(handle_texture2D(nonuniform_handle(m.normals)), ivec2(gl_FragCoord.xy), 0).xyz;
	vec2 size = vec2(textureSize(handle_texture2D(nonuniform_handle(m.albedo)), 0));
	color = vec4(base.rgb * n * m.tint.rgb / size.x, float(fallback));
}
