#version 460
// One multi-draw-indirect for the scene: vertices pulled from the buffers of each mesh.
#extension GL_EXT_nonuniform_qualifier : require
layout(location = 0) out vec3 normal;
layout(location = 1) out vec2 uv;
layout(location = 2) flat out uint material;
layout(location = 3) out vec3 motion;

struct DrawData { uint mesh, first_instance, flags, material_override; };
struct Mesh { uint positions, attributes, skin, pad; };
struct Instance { mat4x3 world, before; uint material, bones; };
struct Bone { mat4x3 m; };

layout(set = 0, binding = 0) uniform Camera { mat4 view_projection, view_projection_before; };
layout(set = 0, binding = 1, std430) readonly buffer Draws { DrawData draws[]; };
layout(set = 0, binding = 2, std430) readonly buffer Meshes { Mesh meshes[]; };
layout(set = 0, binding = 3, std430) readonly buffer Instances { Instance instances[]; };
layout(set = 0, binding = 4, std430) readonly buffer Batches { uint batch_of_draw[]; };
layout(set = 1, binding = 0, std430) readonly buffer Positions { vec3 v[]; } positions[];
layout(set = 1, binding = 1, std430) readonly buffer Attributes { uvec2 v[]; } attributes[];
layout(set = 1, binding = 2, std430) readonly buffer Skins { uvec2 v[]; } skins[];
layout(set = 1, binding = 3, std430) readonly buffer Bones { Bone v[]; } bones[];
layout(set = 1, binding = 4) uniform texture2D wind_fields[];
layout(set = 1, binding = 5) uniform sampler linear_sampler;
layout(push_constant) uniform Pass { uint first_draw; float time; };

vec3 skinned(uint skin, uint set, vec3 at)
{
	uvec2 s = skins[skin].v[gl_VertexIndex];                                              // uniform: of the mesh of the draw
	vec4 weights = unpackUnorm4x8(s.y);
	vec3 sum = vec3(0);
	for (uint i = 0; i < 4u; i++) {
		if (weights[i] > 0.0)
			sum += weights[i] * (bones[set].v[bitfieldExtract(s.x, int(i) * 8, 8)].m * vec4(at, 1));   // divergent: of the instance
	}
	return sum;
}

void main()
{
	DrawData d = draws[first_draw + gl_DrawID];
	Mesh mesh = meshes[d.mesh];
	Instance inst = instances[gl_InstanceIndex];
	vec3 at = positions[mesh.positions].v[gl_VertexIndex];                                // uniform
	uvec2 packed = attributes[mesh.attributes].v[gl_VertexIndex];                         // uniform
	if (mesh.skin != ~0u)
		at = skinned(mesh.skin, inst.bones, at);
	vec3 world = inst.world * vec4(at, 1), before = inst.before * vec4(at, 1);
	if ((d.flags & 1u) != 0u) {
		uint field = batch_of_draw[gl_BaseInstance];
		vec2 push = textureLod(sampler2D(wind_fields[field], linear_sampler), world.xz * 0.01 + time, 0.0).xy;   // uniform: BaseInstance is of the draw
		world.xz += push;
	}
	if ((d.flags & 2u) != 0u) {
		uint field = batch_of_draw[gl_InstanceIndex];
		world.y += textureLod(sampler2D(wind_fields[field], linear_sampler), world.xz, 0.0).z;    // divergent
	}
	vec4 here = view_projection * vec4(world, 1), there = view_projection_before * vec4(before, 1);
	motion = here.xyw - there.xyw;
	normal = unpackSnorm4x8(packed.x).xyz;
	uv = unpackHalf2x16(packed.y);
	material = d.material_override != 0u ? d.material_override : inst.material;
	gl_Position = here;
}
