#version 460
// For glslang 16: heap elements as arguments. It passes untyped pointers for typed parameters, which no validator
// accepts; binding turns them into indexes.
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { uvec2 handles[]; };
layout(descriptor_heap) uniform texture2D textures[];
layout(descriptor_heap) uniform sampler samplers[];
layout(descriptor_heap) uniform utextureBuffer texels[];
float fetched(texture2D t, sampler s, vec2 at)
{
	return textureLod(sampler2D(t, s), at, 0.0).x;
}
float sampled(texture2D t, sampler s, vec2 at)
{
	return fetched(t, s, at) + float(textureSize(t, 0).x);
}
uint fetched(utextureBuffer texels)
{
	return texelFetch(texels, 3).x;
}
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	uint t = handles[n].x, s = handles[56u + n].x, b = handles[16u + n].x;
	result.value[at + 0u] = uint(sampled(textures[nonuniformEXT(t)], samplers[nonuniformEXT(s)], vec2(0.5)));
	result.value[at + 1u] = uint(fetched(textures[t], samplers[s], vec2(5.0)));
	result.value[at + 2u] = fetched(texels[b]);
	result.value[at + 3u] = fetched(texels[handles[16].x]);
}
