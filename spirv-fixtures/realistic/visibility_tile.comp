#version 460
// Material resolve of a visibility buffer, classified: each workgroup shades one material in one tile.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8, local_size_y = 8) in;

struct Tile { uint xy, material; };
struct Material { uint albedo, normal_map, roughness, smp, layer_count, first_layer, ramp, decal; };
struct Instance { mat4x3 world; uint vertices, indices, material; };

layout(push_constant) uniform Push { uint visibility_image, gbuffer, first_tile, decal_count; };
layout(set = 0, binding = 0, std430) readonly buffer Tiles { Tile tiles[]; };
layout(set = 0, binding = 1, std430) readonly buffer Materials { Material materials[]; };
layout(set = 0, binding = 2, std430) readonly buffer Instances { Instance instances[]; };
layout(set = 0, binding = 3, std430) readonly buffer Layers { uint layers[]; };
layout(set = 1, binding = 0) uniform texture2D textures[];
layout(set = 1, binding = 1) uniform utexture2D visibility[];
layout(set = 1, binding = 2) uniform sampler samplers[];
layout(set = 1, binding = 3, std430) readonly buffer Vertices { vec4 position_uv[]; } vertex_buffers[];
layout(set = 1, binding = 4, std430) readonly buffer IndexBuffer { uint i[]; } index_buffers[];
layout(set = 1, binding = 5, rgba8) uniform writeonly image2D targets[];

shared uint group_material;

void main()
{
	Tile tile = tiles[first_tile + gl_WorkGroupID.x];
	uvec2 pixel = uvec2(tile.xy & 0xffffu, tile.xy >> 16) * 8u + gl_LocalInvocationID.xy;
	uint seen = texelFetch(visibility[visibility_image], ivec2(pixel), 0).x;              // uniform
	Instance inst = instances[seen >> 16];
	if (gl_LocalInvocationIndex == 0u)
		group_material = tile.material;
	barrier();
	if (inst.material != tile.material)
		return;

	uint first = (seen & 0xffffu) * 3u;
	vec4 a = vertex_buffers[inst.vertices].position_uv[index_buffers[inst.indices].i[first]];            // divergent; divergent
	vec4 b = vertex_buffers[inst.vertices].position_uv[index_buffers[inst.indices].i[first + 1u]];       // divergent; divergent
	vec2 uv = mix(a.xy, b.zw, 0.5);
	Material m = materials[tile.material];
	vec4 color = textureGrad(sampler2D(textures[m.albedo], samplers[m.smp]), uv, a.xy, b.xy);            // uniform: a material for each workgroup
	vec2 n = textureGrad(sampler2D(textures[m.normal_map], samplers[m.smp]), uv, a.xy, b.xy).xy;         // uniform
	for (uint i = 0u; i < m.layer_count; i++) {
		uint layer = layers[m.first_layer + i];
		color += textureLod(sampler2D(textures[layer], samplers[m.smp]), uv, 0.0);            // uniform
	}
	// the same by way of shared memory
	Material same = materials[group_material];
	float roughness = textureLod(sampler2D(textures[same.roughness], samplers[0]), uv, 0.0).x;           // uniform
	// by way of the pixel, who tested that it is the same
	Material mine = materials[inst.material];
	vec4 ramp = textureLod(sampler2D(textures[mine.ramp], samplers[0]), vec2(n.x, 0), 0.0);              // uniform, marked: inst.material equals tile.material behind the test
	imageStore(targets[gbuffer], ivec2(pixel), color);                                    // uniform
	imageStore(targets[gbuffer + 1u], ivec2(pixel), vec4(n, roughness, ramp.x));          // uniform
}
