#version 460
// why: a module and its lock disagree
// message: SPB4012
// spirv-bind: --lock=moved.lock
// glslang: -g --target-env vulkan1.1
layout(binding = 0) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0));
}
