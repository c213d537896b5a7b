#version 460
// why: a check of a module that has not been bound
// message: SPB4036
// spirv-bind: check
// glslang: -g --target-env vulkan1.1
layout(binding = 65534) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0));
}
