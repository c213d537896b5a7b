#version 460
// why: no source text, but the order of the source is asked for
// message: SPB2202
// spirv-bind: --auto-binding=65534 --order=source-strict
// glslang: --target-env vulkan1.1
layout(binding = 65534) uniform sampler2D first;
layout(binding = 65534) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0)) + texture(first, vec2(0));
}
