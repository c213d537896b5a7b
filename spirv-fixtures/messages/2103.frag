#version 460
// why: a combined image-sampler to be split, and an opcode from the future
// message: SPB2103
// spirv-bind: --split-combined
// glslang: -g --target-env vulkan1.1
// edit: before 253 = 0x0001fff0
layout(binding = 0) uniform sampler2D t;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(t, vec2(0));
}
