#version 460
/* A path tracer: spheres, materials with texture indexes, and a sky texture. */
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;

struct Sphere { vec4 place; uvec4 material; };
struct Material { uint color, glow; float mirror, pad; vec4 tint; };

layout(binding = 0, std430) readonly buffer Scene { vec4 eye; uint count, bounces, sky, pad; Sphere spheres[]; };
layout(binding = 1, std430) readonly buffer Materials { Material materials[]; };
layout(binding = 2, std430) buffer Log { uint log[]; };
layout(binding = 3) uniform sampler2D maps[8];

const float FAR = 1e6;
uint state;

float random()
{
	state = state * 747796405u + 2891336453u;
	uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
	return float((word >> 22u) ^ word & 0x3FFu) / 4194304.0;
}

vec4 read(uint map, vec2 uv)
{
	return textureLod(maps[nonuniformEXT(map)], uv, 0.0);
}

float hits(Sphere s, vec3 from, vec3 to)
{
	vec3 d = from - s.place.xyz;
	float b = dot(d, to), c = dot(d, d) - s.place.w * s.place.w, h = b * b - c;
	if (h < 0.0)
		return FAR;
	float t = -b - sqrt(h);
	return t > 1e-3 ? t : FAR;
}

uint nearest(vec3 from, vec3 to, out float t)
{
	uint found = count;
	t = FAR;
	for (uint i = 0u; i < count; i++) {
		float h = hits(spheres[i], from, to);
		if (h < t) {
			t = h;
			found = i;
		}
	}
	return found;
}

vec3 scatter(vec3 normal, vec3 to, float mirror)
{
	vec3 r = vec3(random(), random(), random()) * 2.0 - 1.0;
	return normalize(random() < mirror ? reflect(to, normal) : normal + 0.9 * normalize(r));
}

vec3 trace(vec3 from, vec3 to)
{
	vec3 sum = vec3(0.0), weight = vec3(1.0);
	for (uint bounce = 0u; bounce < bounces; bounce++) {
		float t;
		uint i = nearest(from, to, t);
		if (i == count) {
			sum += weight * read(sky, to.xy * 0.5 + 0.5).r * (to * 0.5 + 0.5);
			break;
		}
		Material m = materials[spheres[i].material.x];
		from += to * t;
		vec3 normal = normalize(from - spheres[i].place.xyz);
		vec2 uv = normal.xy * 0.5 + 0.5;
		sum += weight * read(m.glow, uv).r * 0.1;
		weight *= read(m.color, uv).r * m.tint.rgb;
		to = scatter(normal, to, m.mirror);
	}
	return sum;
}

void main()
{
	uint lane = gl_LocalInvocationIndex;
	vec3 sum = vec3(0.0);
	state = lane * 9781u + 1u;
	for (uint k = 0u; k < 4u; k++)
		sum += trace(eye.xyz, normalize(vec3(float(lane) - 3.5 + random(), random() * 4.0 - 2.0, 8.0)));
	for (uint k = 0u; k < 3u; k++)
		log[lane * 3u + k] = uint(sum[k] * 0.25 * 255.0);
}
