#version 460
// why: one name, two bindings
// glslang: -g --target-env vulkan1.1
layout(binding = 7) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0));
}
