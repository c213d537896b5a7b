#version 460
// why: a broadcast from an invocation that each invocation chooses for itself
// message: SPB5008
// spirv-bind: lint
// glslang: -g --target-env vulkan1.2
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
void main()
{
	uint lane = gl_LocalInvocationIndex;
	o[lane] = subgroupBroadcast(lane, lane ^ 1u);
}
