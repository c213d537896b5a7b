#version 460
// why: two modules declare one resource
// message: SPB4016
// spirv-bind: check -v
// glslang: -g --target-env vulkan1.1
// with: 4016-other.frag
layout(binding = 0) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0));
}
