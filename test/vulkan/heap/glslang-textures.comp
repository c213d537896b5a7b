#version 460
// For glslang 16: the extension's heaps, as in GL_EXT_descriptor_heap.
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { uvec2 handles[]; };
layout(descriptor_heap) uniform texture2D textures[];
layout(descriptor_heap) uniform utextureBuffer texels[];
layout(descriptor_heap) uniform sampler samplers[];
float sampled(uint t, uint s, vec2 at)
{
	return textureLod(sampler2D(textures[nonuniformEXT(t)], samplers[nonuniformEXT(s)]), at, 0.0).x;
}
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	uint t = handles[n].x, s = handles[56u + n].x;
	result.value[at + 0u] = uint(sampled(t, s, vec2(0.5)));
	result.value[at + 1u] = uint(texelFetch(textures[t], ivec2(1), 0).x);
	result.value[at + 2u] = uint(textureSize(textures[t], 0).x);
	result.value[at + 3u] = uint(sampled(t, s, vec2(5.0)));
	result.value[at + 4u] = uint(texelFetch(texels[handles[16u + n].x], 3).x);
	result.value[at + 5u] = uint(textureSize(texels[handles[16u + n].x]));
	result.value[at + 6u] = uint(texelFetch(textures[handles[5].x], ivec2(1), 0).x);
}
