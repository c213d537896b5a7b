#version 460
// why: a texture and a uniform block at one binding, both of which the entry point uses
// message: SPB4001
// spirv-bind: 
// glslang: -g --target-env vulkan1.1
layout(binding = 3) uniform sampler2D albedo;
layout(binding = 3) uniform Camera { vec4 eye; };
layout(location = 0) out vec4 o;
void main()
{
	o = texture(albedo, vec2(0)) + eye;
}
