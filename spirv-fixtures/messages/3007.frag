#version 460
// why: the size of heaps, in a program without handles
// message: SPB3007
// spirv-bind: --heap-size=1024
// glslang: -g --target-env vulkan1.1
layout(binding = 0) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0));
}
