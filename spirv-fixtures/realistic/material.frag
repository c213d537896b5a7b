#version 460
// A bindless uber shader: one draw of many meshes, whose material comes with each primitive.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) flat in uint material_id;
layout(location = 0) out vec4 color;

struct Material {
	vec4 base;
	vec2 roughness_metal;
	uint albedo, normal_map, orm, emissive;
	uint smp, flags;
};
const uint HAS_NORMAL_MAP = 1u, HAS_EMISSIVE = 2u, CLIPPED = 4u;

layout(set = 0, binding = 0) uniform Frame {
	mat4 view_projection;
	vec4 eye, sun, sun_color;
	uint environment, brdf_table, shadow_map;
	uint default_sampler;
};
layout(set = 0, binding = 1, std430) readonly buffer Materials { Material materials[]; };
layout(set = 1, binding = 0) uniform texture2D textures[];
layout(set = 1, binding = 1) uniform textureCube cubes[];
layout(set = 1, binding = 2) uniform sampler samplers[16];

vec3 shading_normal(Material m)
{
	vec3 n = normalize(normal);
	if ((m.flags & HAS_NORMAL_MAP) == 0u)
		return n;
	vec2 xy = texture(sampler2D(textures[m.normal_map], samplers[m.smp]), uv).xy * 2.0 - 1.0;     // divergent
	vec3 t = normalize(tangent.xyz), b = cross(n, t) * tangent.w;
	return normalize(t * xy.x + b * xy.y + n * sqrt(max(0.0, 1.0 - dot(xy, xy))));
}

void main()
{
	Material m = materials[material_id];
	vec4 base = m.base;
	if (m.albedo != 0u)
		base *= texture(sampler2D(textures[m.albedo], samplers[m.smp]), uv);                  // divergent
	if ((m.flags & CLIPPED) != 0u && base.a < 0.5)
		discard;
	vec3 orm = texture(sampler2D(textures[m.orm], samplers[default_sampler]), uv).xyz;            // divergent; uniform
	vec3 n = shading_normal(m), v = normalize(eye.xyz - world), r = reflect(-v, n);
	float roughness = orm.y * m.roughness_metal.x, metal = orm.z * m.roughness_metal.y;

	vec3 sky = textureLod(samplerCube(cubes[environment], samplers[default_sampler]), r, roughness * 7.0).rgb;       // uniform
	vec2 brdf = textureLod(sampler2D(textures[brdf_table], samplers[0]), vec2(dot(n, v), roughness), 0.0).xy;        // uniform: after discard, too
	float lit = texelFetch(textures[shadow_map], ivec2(gl_FragCoord.xy) >> 1, 0).x;               // uniform
	vec3 f0 = mix(vec3(0.04), base.rgb, metal);
	vec3 sum = sky * (f0 * brdf.x + brdf.y) * orm.x;
	sum += base.rgb * (1.0 - metal) * max(dot(n, -sun.xyz), 0.0) * sun_color.rgb * lit;
	if ((m.flags & HAS_EMISSIVE) != 0u)
		sum += texture(sampler2D(textures[m.emissive], samplers[m.smp]), uv).rgb;             // divergent
	color = vec4(sum, base.a);
}
