#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Output { uint value[]; } result;
layout(set = 0, binding = 1) readonly buffer Handles { DescriptorHandle handles[]; };
void main()
{
	uint lane = gl_LocalInvocationIndex, n = (lane * 5u + 3u) % 8u, at = lane * 16u;
	DescriptorHandle t = handles[0u + n], s = handles[56u + n], c = handles[64u + n];
	result.value[at + 0u] = uint(textureLod(sampler2D(handle_texture2D(t), handle_sampler(s)), vec2(0.5), 0.0).x);
	result.value[at + 1u] = uint(texelFetch(handle_texture2D(t), ivec2(1), 0).x);
	result.value[at + 2u] = uint(textureSize(handle_texture2D(t), 0).x);
	result.value[at + 3u] = uint(textureLod(sampler2D(handle_texture2D(t), handle_sampler(s)), vec2(5.0), 0.0).x);
	result.value[at + 4u] = uint(textureLod(handle_sampler2D(c), vec2(0.5), 0.0).x);
	result.value[at + 5u] = uint(textureLod(handle_sampler2D(c), vec2(5.0), 0.0).x);
	result.value[at + 6u] = uint(texelFetch(handle_utextureBuffer(handles[16u + n]), 3).x);
	result.value[at + 7u] = uint(textureSize(handle_utextureBuffer(handles[16u + n])));
	result.value[at + 8u] = uint(textureLod(sampler2D(handle_texture2D(handles[5]), handle_sampler(handles[56])), vec2(0.5), 0.0).x);
}
