#version 460
// Terrain: the layers of a patch come from a uniform buffer, their weights from splat maps; the strongest casts detail.
#extension GL_EXT_nonuniform_qualifier : require
layout(location = 0) in vec3 world;
layout(location = 1) in vec2 uv;
layout(location = 2) flat in uint patch_id;
layout(location = 0) out vec4 albedo;
layout(location = 1) out vec4 normal_roughness;

struct Layer { uint albedo, normal_map; float tiling, height_scale; };
layout(set = 0, binding = 0) uniform Terrain {
	uvec4 layer_of[4];
	uint layer_count, noise, macro_color, splat_count;
	uvec4 splats;
};
layout(set = 0, binding = 1, std430) readonly buffer Layers { Layer layers[]; };
layout(set = 0, binding = 2, std430) readonly buffer Patches { uint hole_mask[]; };
layout(set = 1, binding = 0) uniform sampler2D maps[];
layout(push_constant) uniform Push { float blend; uint debug_layer; };

uint layer_at(uint i)
{
	return layer_of[i >> 2][i & 3u];
}

vec4 triplanar(uint map, vec3 at, vec3 w)
{
	vec4 sum = vec4(0);
	if (w.x > 0.01)
		sum += texture(maps[map], at.yz) * w.x;                                       // uniform
	if (w.y > 0.01)
		sum += texture(maps[map], at.xz) * w.y;                                       // uniform
	if (w.z > 0.01)
		sum += texture(maps[map], at.xy) * w.z;                                       // uniform
	return sum;
}

void main()
{
	if ((hole_mask[patch_id] & 1u) != 0u)
		discard;
	float weights[16];
	for (uint i = 0u; i < splat_count; i++) {
		vec4 w = texture(maps[splats[i]], uv);                                        // uniform
		weights[i * 4u] = w.x;
		weights[i * 4u + 1u] = w.y;
		weights[i * 4u + 2u] = w.z;
		weights[i * 4u + 3u] = w.w;
	}
	vec3 axes = normalize(max(abs(cross(dFdx(world), dFdy(world))), 0.001));
	vec4 color = vec4(0), bump = vec4(0);
	uint strongest = 0u, last = 0u;
	for (uint i = 0u; i < layer_count; i++) {
		if (weights[i] < 0.02)
			continue;
		Layer layer = layers[layer_at(i)];
		float h = texture(maps[noise], world.xz * layer.tiling).x * layer.height_scale;       // uniform
		color += triplanar(layer.albedo, world * layer.tiling, axes) * weights[i] * h;
		bump += texture(maps[layer.normal_map], world.xz * layer.tiling) * weights[i];        // uniform: those that did not skip it are in the same round
		if (weights[i] > weights[strongest])
			strongest = i;
		last = layer.albedo;
	}
	Layer top = layers[layer_at(strongest)];
	color *= texture(maps[top.albedo], world.xz * 16.0);                                  // divergent: the strongest layer of each pixel
	color += 0.0 * texture(maps[last], uv);                                               // divergent: the last that was not skipped
	if (debug_layer != ~0u)
		color = texture(maps[layers[layer_at(debug_layer)].albedo], uv);              // uniform
	color.rgb *= texture(maps[macro_color], uv).rgb;                                      // uniform
	albedo = color;
	normal_roughness = mix(bump, vec4(0, 0, 1, 1), blend);
}
