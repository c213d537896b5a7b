#version 460
/* Clustered forward shading: textures by material number, lights by the pixel's cluster. */
#extension GL_EXT_nonuniform_qualifier : require

struct Material { uint albedo, normal, surface, flags; vec4 tint; };
struct Light { vec4 place; vec4 color; };

layout(binding = 0, std430) readonly buffer Frame { vec4 eye; uvec4 grid; uint smp; } frame;
layout(binding = 1, std430) readonly buffer Materials { Material materials[]; };
layout(binding = 2, std430) readonly buffer Lights { Light lights[]; };
layout(binding = 3, std430) readonly buffer Clusters { uint clusters[]; };
layout(binding = 4, std430) buffer Log { uint log[]; };
layout(binding = 5) uniform texture2D textures[8];
layout(binding = 6) uniform sampler samplers[8];
layout(location = 0) out uvec4 target;

const uint TINTED = 1u, FLAT = 2u;

vec4 read(uint number, vec2 uv)
{
	return texture(sampler2D(textures[nonuniformEXT(number)], samplers[frame.smp]), uv);
}

vec3 bump(Material m, vec2 uv, vec3 normal)
{
	if ((m.flags & FLAT) != 0u)
		return normal;
	vec3 t = read(m.normal, uv).xyz * 2.0 - 1.0;
	return normalize(normal + 0.5 * vec3(t.xy, 0.0));
}

float specular(vec3 n, vec3 h, float roughness)
{
	float a = roughness * roughness, nh = max(dot(n, h), 0.0), d = nh * nh * (a * a - 1.0) + 1.0;
	return a * a / max(3.14159 * d * d, 1e-4);
}

vec3 lit(Light light, Material m, vec3 place, vec3 n, vec3 albedo, vec3 surface)
{
	vec3 to = light.place.xyz - place, view = normalize(frame.eye.xyz - place);
	float range = light.place.w, fade = clamp(1.0 - dot(to, to) / (range * range), 0.0, 1.0);
	vec3 l = normalize(to), h = normalize(l + view);
	vec3 diffuse = albedo * (1.0 - surface.z);
	vec3 gloss = specular(n, h, surface.y) * mix(vec3(0.04), albedo, surface.z);
	return light.color.rgb * fade * max(dot(n, l), 0.0) * (diffuse + gloss);
}

void main()
{
	uvec2 pixel = uvec2(gl_FragCoord.xy);
	uint lane = pixel.x + 4u * pixel.y;
	vec2 uv = gl_FragCoord.xy / 16.0;
	Material m = materials[(lane * 5u + 3u) & 7u];

	vec4 albedo = read(m.albedo, uv);
	if ((m.flags & TINTED) != 0u)
		albedo *= m.tint;
	vec3 surface = read(m.surface, uv).xyz;
	vec3 n = bump(m, uv, vec3(0.0, 0.0, 1.0));
	vec3 place = vec3(gl_FragCoord.xy, 0.0);

	uint cluster = (pixel.x / frame.grid.x + pixel.y / frame.grid.y * frame.grid.z) * 2u;
	uint first = clusters[cluster], count = clusters[cluster + 1u];
	vec3 sum = albedo.rgb * 0.1;
	for (uint i = first; i < first + count; i++)
		sum += lit(lights[clusters[i]], m, place, n, albedo.rgb, surface);
	uvec3 rounded = uvec3(min(sum, vec3(16.0)) * 255.0);
	for (uint k = 0u; k < 3u; k++)
		log[lane * 4u + k] = rounded[k];
	log[lane * 4u + 3u] = uint(albedo.r * 255.0 + 0.5);
	target = uvec4(rounded, 255u);
}
