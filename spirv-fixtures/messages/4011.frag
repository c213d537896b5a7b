#version 460
// why: a lock that somebody edited
// message: SPB4011
// spirv-bind: --lock=mistyped.lock
// glslang: -g --target-env vulkan1.1
layout(binding = 0) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0));
}
