#version 460
// why: a glob that matches nothing
// message: SPB4017
// spirv-bind: --place=shadow*=0.4
// glslang: -g --target-env vulkan1.1
layout(binding = 0) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0));
}
