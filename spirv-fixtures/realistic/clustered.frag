#version 460
// Forward+ lighting over the list of the pixel's cluster, with an array of shadow maps, and cascades of the sun.
#extension GL_EXT_nonuniform_qualifier : require
layout(early_fragment_tests) in;
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in float view_depth;
layout(location = 3) in vec4 albedo;
layout(location = 0) out vec4 color;

struct Light { vec4 position_radius; vec4 color; mat4 shadow_matrix; uint shadow_map, cookie, kind, pad; };
struct Sun { vec4 direction; vec4 color; vec4 splits; mat4 cascades[4]; uint cascade_map[4]; uint cloud_shadow; };

layout(set = 0, binding = 0) uniform Frame {
	uvec4 clusters;
	vec4 cluster_scale;
	uint sun_count, light_buffer;
	Sun suns[2];
};
layout(set = 0, binding = 1, std430) readonly buffer Cluster { uvec2 offset_count[]; };
layout(set = 0, binding = 2, std430) readonly buffer Indices { uint indices[]; };
layout(set = 0, binding = 3, std430) readonly buffer Lights { Light lights[]; } light_buffers[];
layout(set = 1, binding = 0) uniform texture2D maps[];
layout(set = 1, binding = 1) uniform sampler2DShadow shadow_maps[];
layout(set = 1, binding = 2) uniform sampler linear_sampler;

float shadow(uint map, mat4 m)
{
	vec4 p = m * vec4(world, 1);
	if (map == ~0u)
		return 1.0;
	float sum = 0.0;
	for (int y = -1; y <= 1; y++)
		for (int x = -1; x <= 1; x++)
			sum += textureLod(shadow_maps[map], p.xyz / p.w + vec3(x, y, 0) * 0.0005, 0.0);    // divergent: cascades and lights of each pixel
	return sum / 9.0;
}

vec3 of_sun(uint s)
{
	uint cascade = 3u;
	for (uint i = 0u; i < 4u; i++)
		if (view_depth < suns[s].splits[i]) {
			cascade = i;
			break;
		}
	float lit = shadow(suns[s].cascade_map[cascade], suns[s].cascades[cascade]);
	lit *= texture(sampler2D(maps[suns[s].cloud_shadow], linear_sampler), world.xz * 0.001).x;           // uniform: the suns are taken by all in turn
	return suns[s].color.rgb * lit * max(dot(normal, -suns[s].direction.xyz), 0.0);
}

vec3 of_light(uint index)
{
	Light light = light_buffers[light_buffer].lights[index];                              // uniform
	vec3 to = light.position_radius.xyz - world;
	float near = max(0.0, 1.0 - dot(to, to) / (light.position_radius.w * light.position_radius.w));
	if (near == 0.0)
		return vec3(0);
	vec3 c = light.color.rgb * near * shadow(light.shadow_map, light.shadow_matrix);
	if (light.cookie != 0u)
		c *= textureLod(sampler2D(maps[light.cookie], linear_sampler), to.xz, 0.0).rgb;       // divergent
	return c;
}

void main()
{
	vec3 sum = vec3(0);
	for (uint s = 0u; s < sun_count; s++)
		sum += of_sun(s);
	uvec3 at = uvec3(uvec2(gl_FragCoord.xy) / clusters.w, uint(log2(view_depth) * cluster_scale.x + cluster_scale.y));
	uvec2 list = offset_count[(at.z * clusters.y + at.y) * clusters.x + at.x];
	for (uint i = 0u; i < list.y; i++)
		sum += of_light(indices[list.x + i]);
	uint ambient = light_buffers[light_buffer].lights[0].cookie;                          // uniform
	sum += texture(sampler2D(maps[ambient], linear_sampler), normal.xy).rgb;              // uniform
	color = vec4(sum * albedo.rgb, albedo.a);
}
