#version 460
// why: a mark on a value that glslang does not carry to the operand of the sample
// message: SPB5005
// spirv-bind: lint
// glslang: -g --target-env vulkan1.2
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 0) uniform texture2D maps[8];
layout(binding = 2) uniform sampler nearest;
layout(binding = 1) buffer Out { vec4 o[]; };
void main()
{
	uint lane = gl_LocalInvocationIndex;
	o[lane] = textureLod(sampler2D(maps[nonuniformEXT(lane & 7u)], nearest), vec2(0), 0.0);
}
