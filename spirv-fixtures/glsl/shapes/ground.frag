#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_nonuniform_qualifier : require

/* Materials as structs of descriptors, and texture arrays of arrays: what authors write, and Vulkan does not have. */
#define AUTO binding = 65534

struct Material {
	texture2D albedo;
	texture2D normal;
	sampler filtered;
	sampler2D detail[2];
};

layout(location = 0) in vec2 uv;
layout(location = 1) flat in uint material;
layout(location = 0) out vec4 color;

uniform Material materials[16];
uniform Material fallback;
layout(AUTO) uniform sampler2D layers[4][3];
layout(AUTO) buffer Counters { uint touched[]; } counters[2][2];
layout(AUTO) uniform Settings { vec4 tint; uint layer; } settings;

vec4 detail_of(sampler2D map, float scale)
{
	return texture(map, uv * scale);
}

vec3 normal_of(Material m)
{
	return texture(sampler2D(m.normal, m.filtered), uv).xyz * 2.0 - 1.0;
}

vec4 shade(Material m, uint which)
{
	return texture(sampler2D(m.albedo, m.filtered), uv) * detail_of(m.detail[which], 8.0) * max(normal_of(m).z, 0.0);
}

vec4 blend(sampler2D row[3], vec3 weights)
{
	return texture(row[0], uv) * weights.x + texture(row[1], uv) * weights.y + texture(row[2], uv) * weights.z;
}

void main()
{
	vec4 c = material < 16u ? shade(materials[nonuniformEXT(material)], 1u) : shade(fallback, 0u);
	c += blend(layers[settings.layer], vec3(0.2, 0.3, 0.5)) * detail_of(layers[3][2], 2.0);
	atomicAdd(counters[1][settings.layer & 1u].touched[material], 1u);
	color = c * settings.tint;
}
