#version 460
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_structured_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_shader_image_load_formatted : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
struct Row { texture2D color; uimage2D image; utextureBuffer texels; uimageBuffer counters; };
resourceheap Resources { texture2D before[5]; Row rows[8]; } resources; /* in the order of fill_heaps() of heap_run.c */
samplerheap Samplers { sampler before[3]; sampler samplers[8]; } samplers;
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	result.value[at + 0u] = uint(texelFetch(resources.rows[n].color, ivec2(1), 0).x);
	result.value[at + 1u] = imageLoad(resources.rows[n].image, ivec2(1)).x;
	result.value[at + 2u] = texelFetch(resources.rows[n].texels, 3).x;
	result.value[at + 3u] = imageLoad(resources.rows[n].counters, 3).x;
	result.value[at + 4u] = uint(textureLod(sampler2D(resources.rows[n].color, samplers.samplers[n]), vec2(5.0), 0.0).x);
	result.value[at + 5u] = uint(texelFetch(resources.rows[6].color, ivec2(1), 0).x);
}
