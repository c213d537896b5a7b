#version 460
// why: two textures of different types at one binding, both of which the entry point uses
// message: SPB4001 "albedo"
// spirv-bind: 
// glslang: -g --target-env vulkan1.1
layout(binding = 3) uniform sampler2D albedo;
layout(binding = 3) uniform usampler2D ids;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(albedo, vec2(0)) + vec4(texture(ids, vec2(0)));
}
