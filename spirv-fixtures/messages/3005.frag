#version 460
// why: a handle, and an opcode from the future
// message: SPB3005
// spirv-bind: 
// glslang: -g --target-env vulkan1.1
// edit: before 253 = 0x0001fff0
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(push_constant) uniform Push { DescriptorHandle h; };
layout(location = 0) out vec4 o;
void main()
{
	o = texelFetch(handle_texture2D(h), ivec2(0), 0);
}
