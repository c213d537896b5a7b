#version 460
// why: a comment that allows what is no rule
// message: SPB5011
// spirv-bind: lint
// glslang: -g --target-env vulkan1.1
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
void main()
{
	// spirv-bind: allow barrier
	barrier();
	o[gl_LocalInvocationIndex] = 0u;
}
