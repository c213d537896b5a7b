#version 460
// In graphics a subgroup may hold invocations of several draws: what a draw has in common and what a subgroup has are two
// things, and their sum is neither.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_EXT_multiview : require
layout(location = 0) out uint o;
layout(location = 0) flat in uint material;
layout(location = 1) in vec2 uv;
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(binding = 2) uniform sampler2D t;
layout(input_attachment_index = 0, binding = 3) uniform subpassInput before;
layout(push_constant) uniform Push { uint draw; };

void main()
{
	uint sum = 0;
	sum += b[draw].v;                                 // group
	sum += b[subgroupBroadcastFirst(uint(uv.x))].v;   // subgroup
	sum += b[subgroupBroadcastFirst(draw)].v;         // subgroup
	sum += b[draw + subgroupBroadcastFirst(7u)].v;    // divergent
	sum += b[subgroupAll(uv.x > 3.0) ? 1u : 0u].v;    // subgroup
	sum += b[material].v;                             // divergent: flat, but per primitive
	sum += b[uint(uv.x)].v;                           // divergent
	sum += b[uint(gl_FragCoord.x)].v;                 // divergent
	sum += b[gl_PrimitiveID].v;                       // divergent
	sum += b[gl_ViewIndex].v;                         // divergent
	sum += b[gl_HelperInvocation ? 1 : 0].v;          // divergent
	sum += b[gl_SubgroupSize].v;                      // subgroup
	sum += b[uint(dFdx(uv.x))].v;                     // divergent
	sum += b[uint(dFdx(float(draw)))].v;              // group
	sum += b[uint(texture(t, uv).x)].v;               // divergent
	sum += b[uint(texture(t, vec2(draw)).x)].v;       // group
	sum += b[uint(interpolateAtCentroid(uv).x)].v;    // divergent
	sum += b[uint(interpolateAtSample(uv, 0).x)].v;   // divergent
	sum += b[uint(subpassLoad(before).x)].v;          // divergent
	if (uv.x > 0.5)
		discard;
	sum += b[draw].v;                                 // group
	o = sum;
}
