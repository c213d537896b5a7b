// Five resources at one set and binding, told apart by resourceMask; an array; and a combined image-sampler.
#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform texture2D one;
layout(set = 0, binding = 0) uniform sampler border;
layout(set = 0, binding = 0, r32ui) uniform uimage2D numbers;
layout(set = 0, binding = 0, std140) uniform Uniform { uvec4 words[16]; } u;
layout(set = 1, binding = 0, std430) readonly buffer Read { uint words[]; } r;
layout(set = 0, binding = 0, std430) buffer Out { uint o[]; };
layout(set = 1, binding = 2) uniform texture2D many[3];
layout(set = 1, binding = 3) uniform sampler2D both;

void main()
{
	uint i = gl_LocalInvocationIndex, at = 16 * i;
	o[at] = uint(texelFetch(one, ivec2(0), 0).x);
	o[at + 1] = uint(textureLod(sampler2D(one, border), vec2(-1), 0).x);
	o[at + 2] = imageLoad(numbers, ivec2(0)).x;
	o[at + 3] = u.words[1].y;
	o[at + 4] = r.words[3];
	o[at + 5] = uint(texelFetch(many[2], ivec2(0), 0).x) + uint(textureSize(many[0], 0).x);
	o[at + 6] = uint(texelFetch(both, ivec2(0), 0).x) + uint(textureLod(both, vec2(-1), 0).x);
}
