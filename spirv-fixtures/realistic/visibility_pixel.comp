#version 460
// Material resolve of a visibility buffer, unclassified: each pixel has its own material.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8, local_size_y = 8) in;

struct Material { uint albedo, normal_map, roughness, smp; };
struct Instance { mat4x3 world; uint vertices, indices, material; };
struct Surface { vec2 uv, ddx, ddy; vec3 normal; };

layout(push_constant) uniform Push { uint visibility_image, gbuffer; uvec2 size; };
layout(set = 0, binding = 1, std430) readonly buffer Materials { Material materials[]; };
layout(set = 0, binding = 2, std430) readonly buffer Instances { Instance instances[]; };
layout(set = 1, binding = 0) uniform texture2D textures[];
layout(set = 1, binding = 1) uniform utexture2D visibility[];
layout(set = 1, binding = 2) uniform sampler samplers[];
layout(set = 1, binding = 3, std430) readonly buffer Vertices { vec4 position_uv[]; } vertex_buffers[];
layout(set = 1, binding = 4, std430) readonly buffer IndexBuffer { uint i[]; } index_buffers[];
layout(set = 1, binding = 5, rgba8) uniform writeonly image2D targets[4];

Surface interpolate(Instance inst, uint triangle, vec2 at)
{
	vec4 corner[3];
	for (uint k = 0u; k < 3u; k++) {
		uint index = index_buffers[inst.indices].i[triangle * 3u + k];                // divergent
		corner[k] = vertex_buffers[inst.vertices].position_uv[index];                 // divergent
	}
	Surface s;
	s.uv = corner[0].zw + at * (corner[1].zw - corner[2].zw);
	s.ddx = corner[1].zw - corner[0].zw;
	s.ddy = corner[2].zw - corner[0].zw;
	s.normal = normalize(cross(corner[1].xyz - corner[0].xyz, corner[2].xyz - corner[0].xyz));
	return s;
}

vec4 sampled(uint image, uint smp, Surface s)
{
	return textureGrad(sampler2D(textures[image], samplers[smp]), s.uv, s.ddx, s.ddy);    // divergent
}

void main()
{
	uvec2 pixel = gl_GlobalInvocationID.xy;
	if (any(greaterThanEqual(pixel, size)))
		return;
	uint seen = texelFetch(visibility[visibility_image], ivec2(pixel), 0).x;              // uniform: of those that are left
	uvec2 motion = texelFetch(visibility[visibility_image + 1u], ivec2(pixel), 0).xy;     // uniform
	if (seen == 0u) {
		imageStore(targets[gbuffer], ivec2(pixel), vec4(0));                          // uniform
		return;
	}
	Instance inst = instances[seen >> 16];
	Surface s = interpolate(inst, seen & 0xffffu, vec2(pixel) / vec2(size));
	Material m = materials[inst.material];
	vec4 albedo = sampled(m.albedo, m.smp, s);
	vec2 n = sampled(m.normal_map, m.smp, s).xy;
	float rough = sampled(m.roughness, m.smp, s).x;
	vec4 out_values[4] = vec4[4](albedo, vec4(n, s.normal.xy), vec4(rough), vec4(motion, 0, 0));
	for (uint i = 0u; i < 4u; i++)
		imageStore(targets[i], ivec2(pixel), out_values[i]);                          // uniform: all are in the same round
}
