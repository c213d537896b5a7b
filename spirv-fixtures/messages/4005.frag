#version 460
// why: no source text
// message: SPB4005
// spirv-bind: --auto-binding=65534
// glslang: --target-env vulkan1.1
layout(binding = 65534) uniform sampler2D first;
layout(binding = 65534) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0)) + texture(first, vec2(0));
}
