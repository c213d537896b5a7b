#version 460
// why: one name, two bindings
// message: SPB4003
// spirv-bind: 
// glslang: -g --target-env vulkan1.1
// with: 4003-other.frag
layout(binding = 0) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0));
}
