#version 460
// why: a line that wants dynamic offsets for what is not a buffer
// message: SPB4024
// spirv-bind: --profile=dynamic.policy
// glslang: -g --target-env vulkan1.1
layout(binding = 0) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0));
}
