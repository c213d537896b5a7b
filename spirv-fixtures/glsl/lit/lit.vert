// A vertex stage that shares its camera and transforms with the other stages; nothing has a binding yet.
#version 450
#define AUTO binding = 65534

layout(AUTO) uniform Camera { mat4 view_projection; vec4 eye; };
struct Instance { mat4 world; uint material; };
layout(AUTO, std430) readonly buffer Instances { Instance instances[]; };
layout(AUTO, std430) readonly buffer Visible { uint visible[]; };

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec3 world_normal;
layout(location = 1) out vec2 texcoord;
layout(location = 2) out vec3 to_eye;

void main()
{
	Instance i = instances[visible[gl_InstanceIndex]];
	vec4 world = i.world * vec4(position, 1);
	world_normal = mat3(i.world) * normal;
	texcoord = uv;
	to_eye = eye.xyz - world.xyz;
	gl_Position = view_projection * world;
}
