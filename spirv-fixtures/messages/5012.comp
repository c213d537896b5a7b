#version 460
// why: a comment that allows what is not found any more
// message: SPB5012
// spirv-bind: lint
// glslang: -g --target-env vulkan1.1
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
shared uint sum;
void main()
{
	sum = 0u;
	barrier(); // spirv-bind: allow SPB5007: all invocations get here
	o[gl_LocalInvocationIndex] = sum;
}
