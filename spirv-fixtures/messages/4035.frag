#version 460
// why: push constants of two stages that meet in bytes 48 to 63
// message: SPB4035
// spirv-bind: 
// glslang: -g --target-env vulkan1.1
// with: 4035-other.vert
layout(push_constant) uniform Tint { layout(offset = 48) vec4 color; } tint;
layout(location = 0) out vec4 o;
void main()
{
	o = tint.color;
}
