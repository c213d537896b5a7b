#version 460
// why: a stripped module in a program of two
// message: SPB4004
// spirv-bind: --auto-binding=65534
// glslang: -g --target-env vulkan1.1
// edit: strip
// with: 4004-other.frag
layout(binding = 65534) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0));
}
