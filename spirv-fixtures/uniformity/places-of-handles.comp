#version 460
// Names of one memory: what is written by one is written by all. A heap of handles has a name for each type.
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(local_size_x = 64) in;
DECLARE_IMAGE_HANDLE(rgba8ui, uimage2D, handle_of_bytes)
DECLARE_IMAGE_HANDLE(r32ui, uimage2D, handle_of_words)
layout(push_constant) uniform Push { DescriptorHandle bytes, words; uint same; };
layout(binding = 0) buffer Out { uint o[]; };
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(binding = 2) buffer Written { uint w; } written[];
layout(binding = 2) readonly buffer Again { uint w; } again[];       // the same place
layout(binding = 3) readonly buffer Other { uint w; } other[];
layout(binding = 65534) readonly buffer Read { uint open_read[]; };  // "assign it": two places
layout(binding = 65534) buffer Write { uint open_written[]; };
layout(binding = 65534, r32ui) uniform uimage2D open_images[];
layout(binding = 65534, r32ui) uniform writeonly uimage2D open_targets[];

void main()
{
	uint sum = 0;
	imageStore(handle_of_bytes(bytes), ivec2(0), uvec4(gl_LocalInvocationIndex));   // group subgroup
	uint word = imageLoad(handle_of_words(words), ivec2(0)).x;    // group subgroup
	sum += b[word].v;                                 // unknown: perhaps what was stored above
	written[same].w = gl_LocalInvocationIndex;        // group subgroup
	sum += b[written[same].w].v;                      // group subgroup unknown
	sum += b[again[same].w].v;                        // group subgroup unknown
	sum += b[other[same].w].v;                        // group subgroup group subgroup
	open_written[0] = gl_LocalInvocationIndex;
	sum += b[open_written[same]].v;                   // unknown
	sum += b[open_read[same]].v;                      // group subgroup
	imageStore(open_targets[same], ivec2(0), uvec4(gl_LocalInvocationIndex));   // group subgroup
	word = imageLoad(open_images[same], ivec2(0)).x;  // group subgroup
	sum += b[word].v;                                 // group subgroup
	o[0] = sum;
}
