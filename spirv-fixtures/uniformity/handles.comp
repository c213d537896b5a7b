#version 460
// A handle of which one component differs.
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { vec4 o[]; };
layout(binding = 1) readonly buffer Handles { DescriptorHandle handles[]; };
layout(push_constant) uniform Push { DescriptorHandle same; };

void main()
{
	uint lane = gl_LocalInvocationIndex;
	vec4 sum = texelFetch(handle_texture2D(same), ivec2(0), 0);            // group subgroup
	sum += texelFetch(handle_texture2D(uvec2(same.x, lane)), ivec2(0), 0); // group subgroup
	sum += texelFetch(handle_texture2D(uvec2(lane, same.y)), ivec2(0), 0); // divergent
	sum += texelFetch(handle_texture2D(handles[lane]), ivec2(0), 0);       // divergent
	sum += textureLod(sampler2D(handle_texture2D(handles[lane]), handle_sampler(same)), vec2(0), 0.0);  // group subgroup: the texture of the line above
	o[lane] = sum;
}
