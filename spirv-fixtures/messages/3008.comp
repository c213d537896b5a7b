#version 460
// why: a reference made of a number whose two words are not at hand
// message: SPB3008
// spirv-bind: --lower-buffer-references
// glslang: -g --target-env vulkan1.2
#extension GL_EXT_buffer_reference2 : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430) buffer Numbers {
	uint n;
};
layout(push_constant) uniform Push {
	uint64_t numbers;
};
void main()
{
	Numbers(numbers).n = 1;
}
