#version 460
// why: a resolver with an opcode from the future
// message: SPB3106
// spirv-bind: --resolver=unknown.spvasm
// glslang: -g --target-env vulkan1.1
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(push_constant) uniform Push { DescriptorHandle h; };
layout(location = 0) out vec4 o;
void main()
{
	o = texelFetch(handle_texture2D(h), ivec2(0), 0);
}
