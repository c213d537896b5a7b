// A fragment stage with textures and samplers of its own, and the camera it shares with the vertex stage.
#version 450
#define AUTO binding = 65534

layout(AUTO) uniform texture2D normal_map;
layout(AUTO) uniform texture2D albedo_map;
layout(AUTO) uniform sampler linear_repeat;
layout(AUTO) uniform sampler2DShadow shadow_map;
layout(AUTO) uniform Camera { mat4 view_projection; vec4 eye; };
layout(AUTO) uniform Lights { vec4 direction[4]; vec4 color[4]; } lights;
layout(AUTO) uniform samplerCube environment[2];
layout(AUTO, set = 1) uniform texture2D decal;

layout(location = 0) in vec3 world_normal;
layout(location = 1) in vec2 texcoord;
layout(location = 2) in vec3 to_eye;
layout(location = 0) out vec4 result;

void main()
{
	vec3 n = normalize(world_normal + texture(sampler2D(normal_map, linear_repeat), texcoord).xyz - 0.5);
	vec3 light = texture(environment[1], reflect(-to_eye, n)).rgb;
	for (int i = 0; i < 4; i++)
		light += max(dot(n, lights.direction[i].xyz), 0) * lights.color[i].rgb;
	light *= texture(shadow_map, vec3(texcoord, 0.5));
	vec4 base = texture(sampler2D(albedo_map, linear_repeat), texcoord);
	result = vec4(base.rgb * light * distance(eye.xyz, to_eye), base.a);
}
