#version 460
// why: the name of an entry point that no module has
// message: SPB4022
// spirv-bind: -e shade
// glslang: -g --target-env vulkan1.1
layout(binding = 0) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0));
}
