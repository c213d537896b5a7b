// Ordinary arrays of descriptors with divergent indices: the operands stock glslang leaves without NonUniform.
#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
#define AUTO binding = 65534
layout(local_size_x = 8) in;

layout(AUTO) uniform utexture2D textures[8];
layout(AUTO) uniform sampler samplers[2];
layout(AUTO) uniform sampler2D combined[];
layout(AUTO, r32ui) uniform uimage2D images[8];
layout(AUTO) uniform Block { uvec4 value; } blocks[8];
layout(AUTO, std430) buffer Data { uint counter; uint data[]; } buffers[8];
layout(AUTO, std430) writeonly buffer Out { uvec4 result[]; };

void main()
{
	uint i = gl_GlobalInvocationID.x;
	uvec4 v = texelFetch(usampler2D(textures[nonuniformEXT(i)], samplers[0]), ivec2(0), 0);
	v.xy += uvec2(textureSize(usampler2D(textures[nonuniformEXT(i)], samplers[1]), 0));
	v += uvec4(textureLod(combined[nonuniformEXT(i)], vec2(0), 0));
	v += imageLoad(images[nonuniformEXT(i)], ivec2(0));
	v.z += imageAtomicAdd(images[nonuniformEXT(i)], ivec2(1), 1u);
	v += blocks[nonuniformEXT(i)].value;
	v.w += atomicAdd(buffers[nonuniformEXT(i)].counter, 1u);
	v.w += uint(buffers[nonuniformEXT(i)].data.length());
	buffers[nonuniformEXT(i)].data[i] = v.x;
	result[i] = v;
}
