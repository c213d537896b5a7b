#version 460
// why: a barrier that half of the workgroup does not reach
// message: SPB5007
// spirv-bind: lint
// glslang: -g --target-env vulkan1.1
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
shared uint sum;
void main()
{
	sum = 0u;
	if (gl_LocalInvocationIndex < 32u) {
		atomicAdd(sum, 1u);
		barrier();
	}
	o[gl_LocalInvocationIndex] = sum;
}
