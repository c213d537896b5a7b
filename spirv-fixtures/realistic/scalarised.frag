#version 460
// Deferred materials, scalarised by hand: a round for each material that the subgroup sees.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

struct Material { uint albedo, normal_map, smp, layer; };
struct Decal { vec4 box; uint image, next; };
layout(push_constant) uniform Push { uint id_image, depth_image, decal_image, default_material; };
layout(set = 0, binding = 0, std430) readonly buffer Materials { Material materials[]; };
layout(set = 0, binding = 1, std430) readonly buffer Decals { Decal decals[]; };
layout(set = 0, binding = 2, std430) readonly buffer Masks { uint decal_mask[]; };
layout(set = 1, binding = 0) uniform texture2D textures[];
layout(set = 1, binding = 1) uniform utexture2D id_images[];
layout(set = 1, binding = 2) uniform sampler samplers[];

vec4 shade(uint image, vec2 at)
{
	return textureLod(sampler2D(textures[image], samplers[0]), at, 0.0);                  // subgroup: the callers have made it so
}

void main()
{
	ivec2 pixel = ivec2(gl_FragCoord.xy);
	uint mine = texelFetch(id_images[id_image], pixel, 0).x;                              // uniform
	vec4 sum = vec4(0);
	// round by round of the texture: what is broadcast names the descriptor
	uint image = materials[mine].albedo;
	bool todo = true;
	while (todo) {
		uint one = subgroupBroadcastFirst(image);
		if (one == image) {
			sum = shade(one, uv);
			todo = false;
		}
	}
	// round by round of the material: what is read from a buffer of the draw is of the subgroup only if that is of one draw
	for (todo = true; todo;) {
		uint one = subgroupBroadcastFirst(mine);
		if (one == mine) {
			Material m = materials[one];
			sum += textureLod(sampler2D(textures[m.normal_map], samplers[m.smp]), uv, 0.0);       // divergent: draws of one subgroup may have other buffers
			todo = false;
		}
	}
	// if all agree, which is mostly so, without a loop
	uint first = subgroupBroadcastFirst(image);
	if (subgroupAllEqual(image)) {
		sum += textureLod(sampler2D(textures[first], samplers[0]), uv, 1.0);                  // subgroup
		sum += textureLod(sampler2D(textures[image], samplers[0]), uv, 2.0);                  // subgroup
	} else {
		Material m = materials[mine];
		sum += textureLod(sampler2D(textures[m.albedo], samplers[m.smp]), uv, 0.0);           // divergent
	}
	// decals of the subgroup, bit by bit
	uint bits = subgroupOr(decal_mask[(uint(pixel.y) >> 3) * 256u + (uint(pixel.x) >> 3)]);
	while (bits != 0u) {
		uint i = uint(findLSB(bits));
		bits &= bits - 1u;
		sum = mix(sum, textureLod(sampler2D(textures[128u + i], samplers[0]), uv, 0.0), 0.5);         // subgroup
		Decal d = decals[i];
		if (all(lessThan(abs(uv - d.box.xy), d.box.zw)))
			sum = mix(sum, textureLod(sampler2D(textures[d.image], samplers[0]), uv, 0.0), 0.5);  // divergent: as above
	}
	// a number of the draw, and one of the subgroup: neither
	sum += texelFetch(textures[depth_image + (first & 1u)], pixel, 0);                    // divergent: a subgroup may hold several draws
	Material fallback = materials[default_material];
	sum += textureLod(sampler2D(textures[fallback.albedo], samplers[fallback.smp]), uv, 0.0);             // uniform
	color = sum;
}
