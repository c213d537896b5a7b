#version 460
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_structured_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { uvec2 handles[]; };
layout(constant_id = 3) const uint WHICH = 2u;
layout(constant_id = 4) const uint BEGIN = 384u;
layout(descriptor_heap, descriptor_stride = 128, heap_offset = 256) uniform texture2D from_two[];
layout(descriptor_heap, descriptor_stride = 128, heap_offset = BEGIN) uniform texture2D from_begin[];
layout(descriptor_heap, descriptor_stride = 128) uniform texture2D textures[];
layout(descriptor_heap, descriptor_stride = 64, heap_offset = 64) uniform sampler from_one[];
layout(descriptor_heap, descriptor_stride = 128, heap_offset = 128) buffer Numbers { uint n; uint d[]; } numbers[];
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	uint t = handles[n].x, s = handles[56u + n].x;
	result.value[at + 0u] = uint(texelFetch(from_two[t - 2u], ivec2(1), 0).x);
	result.value[at + 1u] = uint(textureLod(sampler2D(textures[t], from_one[s - 1u]), vec2(0.5), 0.0).x);
	result.value[at + 2u] = uint(texelFetch(textures[handles[WHICH].x], ivec2(1), 0).x);
	result.value[at + 3u] = uint(texelFetch(from_begin[t - 3u], ivec2(1), 0).x);
	result.value[at + 4u] = numbers[handles[40].x - 1u].d[2];
	result.value[at + 5u] = uint(texelFetch(textures[handles[WHICH - 2u].x], ivec2(1), 0).x);
	result.value[at + 6u] = uint(texelFetch(from_begin[handles[(n + 1u) % 8u].x - BEGIN / 128u], ivec2(1), 0).x);
	result.value[at + 7u] = uint(textureLod(sampler2D(from_two[t - 2u], from_one[s - 1u]), vec2(5.0), 0.0).x);
}
