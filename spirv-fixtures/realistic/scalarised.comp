#version 460
// The same in compute, over lists of lights: each subgroup walks the lights that any of its lanes has, in order.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;

struct Light { vec4 sphere; uint shadow_map, cookie; };
layout(push_constant) uniform Push { uint width, output_image, light_set; };
layout(set = 0, binding = 0, std430) readonly buffer Lists { uvec2 offset_count[]; };
layout(set = 0, binding = 1, std430) readonly buffer Indices { uint indices[]; };
layout(set = 0, binding = 2, std430) readonly buffer Lights { Light l[]; } light_sets[];
layout(set = 1, binding = 0) uniform sampler2D maps[];
layout(set = 1, binding = 1, rgba8) uniform image2D images[];
layout(set = 1, binding = 2, std430) buffer Counters { uint n[]; } counters[];

float lit(uint map, vec2 at)
{
	return textureLod(maps[map], at, 0.0).x;                                              // divergent: the second caller has one for each lane
}

void main()
{
	uint pixel = gl_GlobalInvocationID.x;
	ivec2 at = ivec2(pixel % width, pixel / width);
	uvec2 list = offset_count[pixel >> 4];
	float sum = 0.0;
	uint k = 0u;
	while (true) {
		uint mine = k < list.y ? indices[list.x + k] : ~0u;
		uint next = subgroupMin(mine);
		if (next == ~0u)
			break;
		Light light = light_sets[light_set].l[next];                                  // uniform
		if (mine == next) {
			k++;
			sum += textureLod(maps[light.cookie], light.sphere.xy, 0.0).x;        // subgroup
			sum += lit(light.shadow_map, light.sphere.xy);
		}
	}
	for (uint i = 0u; i < list.y; i++)
		sum += lit(light_sets[light_set].l[indices[list.x + i]].cookie, vec2(at));    // uniform
	uint bucket = gl_WorkGroupID.x & 3u;
	uint total = subgroupAdd(uint(sum));
	if (subgroupElect())
		atomicAdd(counters[bucket].n[0], total);                                      // uniform
	atomicAdd(counters[gl_SubgroupID & 3u].n[1], 1u);                                     // subgroup
	atomicAdd(counters[subgroupBroadcastFirst(bucket)].n[2], 1u);                         // uniform: the same in all subgroups of a workgroup
	imageStore(images[output_image], at, vec4(sum));                                      // uniform
}
