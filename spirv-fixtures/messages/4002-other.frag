#version 460
// why: one name, two types
// glslang: -g --target-env vulkan1.1
layout(binding = 0) uniform usampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = vec4(texture(tex, vec2(0)));
}
