#version 460
// One material for each draw, by a push constant: forward pass of an engine that binds nothing between draws.
#extension GL_EXT_nonuniform_qualifier : require
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 vertex_color;
layout(location = 0) out vec4 color;

struct Texture { uint image; uint smp; float scale; uint uv_set; };
struct Material {
	vec4 base;
	Texture albedo, detail_mask;
	Texture details[4];
	uint detail_count, flags, probe_set;
};
struct Probe { vec4 center_radius; uint cube; };

layout(push_constant) uniform Draw { uint material_id, probe_count; float time; };
layout(set = 0, binding = 0, std430) readonly buffer Materials { Material materials[]; };
layout(set = 0, binding = 1, std430) readonly buffer Probes { Probe probes[]; } probe_sets[];
layout(set = 1, binding = 0) uniform texture2D images[];
layout(set = 1, binding = 1) uniform sampler samplers[];
layout(set = 1, binding = 2) uniform samplerCube cubes[];

vec4 sample_texture(Texture t, vec2 at)
{
	return texture(sampler2D(images[t.image], samplers[t.smp]), at * t.scale);            // uniform: every caller passes what the material says
}

uint nearest_probe(uint set, vec3 at)
{
	uint best = 0;
	float least = 1e30;
	for (uint i = 0; i < probe_count; i++) {
		vec4 sphere = probe_sets[set].probes[i].center_radius;                        // uniform
		float d = distance(at, sphere.xyz) - sphere.w;
		if (d < least) {
			least = d;
			best = i;
		}
	}
	return best;
}

void main()
{
	Material m = materials[material_id];
	vec4 base = m.base * sample_texture(m.albedo, uv);
	if ((m.flags & 1u) != 0u && base.a < 0.333)
		discard;
	vec4 mask = sample_texture(m.detail_mask, uv);
	for (uint i = 0; i < m.detail_count; i++) {
		if (mask[i] < 0.01)
			continue;
		base.rgb = mix(base.rgb, sample_texture(m.details[i], uv + time).rgb, mask[i]);
	}
	uint p = nearest_probe(m.probe_set, world);
	uint cube = probe_sets[m.probe_set].probes[p].cube;                                   // uniform
	vec3 sky = texture(cubes[cube], reflect(world, normal)).rgb;                          // divergent: the nearest probe of each pixel
	vec3 wide = texture(cubes[probe_sets[m.probe_set].probes[0].cube], normal).rgb;       // uniform; uniform
	color = vec4(base.rgb * (sky + wide), base.a) * vertex_color;
}
