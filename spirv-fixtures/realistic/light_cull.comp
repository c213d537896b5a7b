#version 460
// Light culling: a workgroup for a tile of the screen and a view; the list of the tile grows in shared memory. Then each
// light of the list asks its shadow map whether the tile sees it at all.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 16, local_size_y = 16) in;

struct Light { vec4 position_radius; vec4 direction_angle; uint shadow_map, kind, group, pad; };
struct View { mat4 view, inverse_projection; uvec2 size; uint depth, light_list, tiles_x, list_out; };

layout(set = 0, binding = 0, std430) readonly buffer Views { View views[]; };
layout(set = 0, binding = 1, std430) readonly buffer Lights { uint count; Light lights[]; } light_lists[];
layout(set = 0, binding = 2) uniform texture2D depths[];
layout(set = 0, binding = 3) uniform texture2D shadow_maps[];
layout(set = 0, binding = 4, std430) writeonly buffer Lists { uint counts_and_indices[]; } tile_lists[];

const uint MOST = 256u;
shared uint depth_min, depth_max, tile_count;
shared uint tile_lights[MOST];

bool touches(vec4 sphere, View view, float near, float far)
{
	vec3 center = (view.view * vec4(sphere.xyz, 1)).xyz;
	return center.z - sphere.w < far && center.z + sphere.w > near;
}

void main()
{
	uint lane = gl_LocalInvocationIndex;
	View view = views[gl_WorkGroupID.z];
	if (lane == 0u) {
		depth_min = 0xffffffffu;
		depth_max = 0u;
		tile_count = 0u;
	}
	barrier();
	uvec2 pixel = min(gl_GlobalInvocationID.xy, view.size - 1u);
	float depth = texelFetch(depths[view.depth], ivec2(pixel), 0).x;                      // uniform
	atomicMin(depth_min, floatBitsToUint(depth));
	atomicMax(depth_max, floatBitsToUint(depth));
	barrier();
	float near = uintBitsToFloat(depth_min), far = uintBitsToFloat(depth_max);

	uint count = light_lists[view.light_list].count;                                      // uniform
	for (uint i = lane; i < count; i += 256u) {
		vec4 sphere = light_lists[view.light_list].lights[i].position_radius;         // uniform
		if (!touches(sphere, view, near, far))
			continue;
		uint slot = atomicAdd(tile_count, 1u);
		if (slot < MOST)
			tile_lights[slot] = i;
	}
	barrier();

	uint found = min(tile_count, MOST), kept = 0u;
	for (uint i = 0u; i < found; i++) {
		Light light = light_lists[view.light_list].lights[tile_lights[i]];            // uniform
		float occluder = texelFetch(shadow_maps[light.shadow_map], ivec2(pixel) >> 3, 0).x;        // uniform
		if (occluder < far)
			kept++;
	}
	for (uint i = lane; i < found; i += 256u) {
		Light light = light_lists[view.light_list].lights[tile_lights[i]];            // uniform
		if (texelFetch(shadow_maps[light.shadow_map], ivec2(gl_WorkGroupID.xy), 4).x > near)       // divergent: a light for each lane
			kept++;
	}
	uint tile = gl_WorkGroupID.y * view.tiles_x + gl_WorkGroupID.x, base = tile * (MOST + 1u);
	if (lane == 0u)
		tile_lists[view.list_out].counts_and_indices[base] = found;                   // uniform
	for (uint i = lane; i < found; i += 256u)
		tile_lists[view.list_out].counts_and_indices[base + 1u + i] = tile_lights[i] + min(kept, 0u);      // uniform
}
