#version 460
// Virtual texturing: the page table of the draw's texture gives a page of one of several caches; misses go to feedback.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(early_fragment_tests) in;
layout(location = 0) in vec2 uv;
layout(location = 1) flat in uint object;
layout(location = 0) out vec4 color;

struct VirtualTexture { vec2 size; uint page_table, mip_count, cache, feedback; };
layout(push_constant) uniform Push { uint texture_id, frame, feedback_set; };
layout(set = 0, binding = 0, std430) readonly buffer Textures { VirtualTexture virtual_textures[]; };
layout(set = 0, binding = 1) uniform utexture2D page_tables[];
layout(set = 0, binding = 2) uniform sampler2D caches[];
layout(set = 0, binding = 3, std430) buffer Feedback { uint count; uint requests[]; } feedback[];
layout(set = 0, binding = 4, std430) readonly buffer Overrides { uint override_of_object[]; };
layout(set = 0, binding = 5, std430) buffer Statistics { uint cache_of_frame; uint misses; };

float wanted_mip(VirtualTexture t)
{
	vec2 dx = dFdx(uv * t.size), dy = dFdy(uv * t.size);
	return clamp(0.5 * log2(max(dot(dx, dx), dot(dy, dy))), 0.0, float(t.mip_count - 1u));
}

vec4 lookup(VirtualTexture t, int mip)
{
	for (int m = mip; m < int(t.mip_count); m++) {
		ivec2 page = ivec2(uv * t.size) >> (7 + m);
		uint entry = texelFetch(page_tables[t.page_table], page, m).x;                // divergent: of both callers, one differs
		if ((entry & 1u) != 0u) {
			vec2 in_page = fract(uv * t.size / float(128 << m));
			vec2 at = (vec2((entry >> 1) & 255u, (entry >> 9) & 255u) + in_page) / 256.0;
			return textureLod(caches[entry >> 24], at, 0.0);                      // divergent: the page says which cache
		}
	}
	return vec4(1, 0, 1, 1);
}

void main()
{
	VirtualTexture t = virtual_textures[texture_id];
	int mip = int(wanted_mip(t));
	uint entry = texelFetch(page_tables[t.page_table], ivec2(uv * t.size) >> (7 + mip), mip).x;   // uniform: of the draw, whichever the mip
	if ((entry & 1u) == 0u && ((uint(gl_FragCoord.x) ^ frame) & 7u) == 0u) {
		uint slot = atomicAdd(feedback[feedback_set].count, 1u);                      // uniform
		if (slot < 4096u)
			feedback[feedback_set].requests[slot] = entry;                        // uniform
		atomicAdd(misses, 1u);
	}
	vec4 c = lookup(t, mip);
	uint other = override_of_object[object];
	if (other != 0u)
		c = mix(c, lookup(virtual_textures[other], mip), 0.5);
	c += textureLod(caches[t.cache], uv, 0.0);                                            // uniform
	c *= textureLod(caches[cache_of_frame], uv, 0.0);                                     // uniform: its neighbour in the buffer is written, this member is not
	color = c;
}
