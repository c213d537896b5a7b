#version 460
// why: an array in push constants
// message: SPB5003
// spirv-bind: lint
// glslang: -g --target-env vulkan1.1
layout(push_constant) uniform Push { vec4 colors[4]; };
layout(location = 0) flat in uint material;
layout(location = 0) out vec4 o;
void main()
{
	o = colors[material];
}
