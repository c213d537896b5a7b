#version 460
// why: a cooperative matrix that each invocation loads from an address of its own
// message: SPB5009
// spirv-bind: lint
// glslang: -g --target-env vulkan1.1
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { float w[]; };
layout(binding = 1) buffer Out { float o[]; };
void main()
{
	uint lane = gl_LocalInvocationIndex;
	fcoopmatNV<32, gl_ScopeSubgroup, 8, 8> m;
	coopMatLoadNV(m, w, lane, 8, false);
	o[lane] = m[0];
}
