#version 460
// why: a struct of descriptors, and an opcode from the future
// message: SPB2006
// spirv-bind: --auto-binding=65534
// glslang: -g --target-env vulkan1.1
// edit: before 253 = 0x0001fff0
struct Pair { sampler2D a; sampler2D b; };
layout(location = 0) uniform Pair pair;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(pair.b, vec2(0));
}
