#version 460
/* Shading from a visibility buffer: each pixel has an instance and a triangle, and fetches everything else. */
#extension GL_EXT_nonuniform_qualifier : require

struct Instance { uint mesh, material, first, pad; vec4 offset; };
struct Material { uint color, mask, smp, pad; vec4 tint; };

layout(binding = 0, std430) readonly buffer Visible { uvec2 visible[]; };
layout(binding = 1, std430) readonly buffer Instances { Instance instances[]; };
layout(binding = 2, std430) readonly buffer Materials { Material materials[]; };
layout(binding = 3, std430) buffer Log { uint log[]; };
layout(binding = 4, std430) readonly buffer Mesh { uint words[]; } meshes[8];
layout(binding = 5) uniform texture2D textures[8];
layout(binding = 6) uniform sampler samplers[8];
layout(location = 0) out uvec4 target;

struct Vertex { vec2 place; vec2 uv; float shade; };

float part(uint word, uint at)
{
	return float((word >> at) & 15u) / 15.0;
}

Vertex vertex(Instance instance, uint number)
{
	uint word = meshes[nonuniformEXT(instance.mesh)].words[instance.first + number];
	vec2 place = vec2(part(word, 0u), part(word, 4u)) + instance.offset.xy;
	return Vertex(place, vec2(part(word, 2u), part(word, 6u)), part(word, 8u));
}

/* Barycentric coordinates of a point, and their derivatives. */
struct Weights { vec3 at, dx, dy; };

Weights weights(vec2 a, vec2 b, vec2 c, vec2 p)
{
	vec2 e = b - a, f = c - a;
	float area = e.x * f.y - e.y * f.x, inverse = 1.0 / (abs(area) < 1e-3 ? 1.0 : area);
	vec2 d = p - a;
	vec2 t = vec2(d.x * f.y - d.y * f.x, e.x * d.y - e.y * d.x) * inverse;
	vec2 dx = vec2(f.y, -e.y) * inverse / 16.0, dy = vec2(-f.x, e.x) * inverse / 16.0;
	return Weights(vec3(1.0 - t.x - t.y, t), vec3(-dx.x - dx.y, dx), vec3(-dy.x - dy.y, dy));
}

vec4 read(uint texture, uint smp, vec2 uv, vec2 dx, vec2 dy)
{
	return textureGrad(sampler2D(textures[nonuniformEXT(texture)], samplers[nonuniformEXT(smp)]), uv, dx, dy);
}

void main()
{
	uint lane = uint(gl_FragCoord.x) + 4u * uint(gl_FragCoord.y);
	uvec2 seen = visible[lane];
	Instance instance = instances[seen.x];
	Material m = materials[instance.material];
	Vertex v[3];
	for (uint k = 0u; k < 3u; k++)
		v[k] = vertex(instance, seen.y * 3u + k);

	Weights w = weights(v[0].place, v[1].place, v[2].place, gl_FragCoord.xy / 4.0);
	mat3x2 uvs = mat3x2(v[0].uv, v[1].uv, v[2].uv);
	vec2 uv = uvs * w.at, dx = uvs * w.dx, dy = uvs * w.dy;
	float shade = dot(vec3(v[0].shade, v[1].shade, v[2].shade), clamp(w.at, 0.0, 1.0));

	vec3 color = read(m.color, m.smp, uv, dx, dy).rrr * m.tint.rgb;
	float mask = read(m.mask, 0u, uv, dx, dy).r;
	uvec4 rounded = uvec4(vec4(color * mask, shade) * 255.0);
	for (uint k = 0u; k < 4u; k++)
		log[lane * 4u + k] = rounded[k];
	target = rounded;
}
