#version 460
// why: an assertion that the analysis can disprove
// message: SPB5010
// spirv-bind:
// glslang: -g --target-env vulkan1.1
#extension GL_EXT_spirv_intrinsics : require
spirv_instruction(extensions = ["SPV_KHR_non_semantic_info"], set = "NonSemantic.AssertUniform", id = 1)
void assert_uniform_workgroup(uint x);
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
void main()
{
	uint tile = gl_GlobalInvocationID.x / 32u;
	assert_uniform_workgroup(tile);
	o[gl_GlobalInvocationID.x] = tile;
}
