#version 460
// why: heaps are asked for in a set that is taken
// message: SPB4006
// spirv-bind: --heap-set=0
// glslang: -g --target-env vulkan1.1
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(push_constant) uniform Push { DescriptorHandle h; };
layout(binding = 0) uniform texture2D fixed_one;
layout(location = 0) out vec4 o;
void main()
{
	o = texelFetch(handle_texture2D(h), ivec2(0), 0);
}
