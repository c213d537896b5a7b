#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(binding = 2) uniform utexture2D t[8];
layout(binding = 3, r32ui) uniform uimage2D written[2];
layout(binding = 4, r32ui) readonly uniform uimage2D read;
layout(binding = 5) uniform utextureBuffer texels;
layout(binding = 6) uniform sampler s[4];
layout(push_constant) uniform Push { uint same, other; };

void main()
{
	uint lane = gl_LocalInvocationIndex, sum = 0;
	ivec2 one = ivec2(int(same), 0), each = ivec2(int(lane), 0);
	sum += b[texelFetch(t[0], one, 0).x].v;                 // group subgroup
	sum += b[texelFetch(t[0], each, 0).x].v;                // divergent
	sum += b[texelFetch(t[same], one, 0).x].v;              // group subgroup group subgroup
	sum += b[texelFetch(t[lane], one, 0).x].v;              // divergent divergent
	sum += b[texelFetch(t[0], one, int(lane)).x].v;         // divergent
	sum += b[imageLoad(read, one).x].v;                     // group subgroup
	sum += b[imageLoad(written[0], one).x].v;               // unknown
	sum += b[imageAtomicAdd(written[0], one, 1u)].v;        // divergent
	sum += b[texelFetch(texels, int(other)).x].v;           // group subgroup
	sum += b[uint(textureSize(t[same], 0).x)].v;            // group subgroup group subgroup
	sum += b[uint(textureSize(t[lane], 0).x)].v;            // divergent divergent
	sum += textureLod(usampler2D(t[same], s[lane]), vec2(0), 0.0).x;  // group subgroup divergent
	imageStore(written[other & 1u], each, uvec4(sum));      // group subgroup
	o[lane] = sum;
}
