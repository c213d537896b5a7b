#version 460
#define AUTO binding = 65534

struct Material {
	texture2D albedo;
	texture2D normal;
	sampler filtered;
	sampler2D detail[2];
};

layout(location = 0) in vec3 position;
layout(location = 1) in uint which;
layout(location = 0) out vec2 uv;
layout(location = 1) flat out uint material;

layout(AUTO) uniform Camera { mat4 projection; } camera;
uniform Material materials[16];

void main()
{
	uv = position.xz;
	material = which;
	float height = textureLod(sampler2D(materials[3].normal, materials[3].filtered), uv, 0.0).a;
	gl_Position = camera.projection * vec4(position + vec3(0, height, 0), 1.0);
}
