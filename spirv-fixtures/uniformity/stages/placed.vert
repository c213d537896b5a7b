#version 460
#extension GL_ARB_enhanced_layouts : require
// Members of blocks that say themselves where they are, in both stages or in one: placed.frag.
layout(push_constant) uniform Push { uint same, other; };
layout(location = 0) out First { layout(location = 3) flat uint a; layout(location = 1) flat uint b; } first;
layout(location = 2) flat out uint loose;
layout(location = 4, component = 1) flat out uvec2 beside;
layout(location = 5) out Second { layout(location = 5, component = 2) flat uint c; layout(location = 6) flat uvec2 d[2];
	layout(location = 8) float e; } second;
layout(location = 9) flat out uint narrow;
layout(location = 10) flat out uvec2 pair;

void main()
{
	gl_Position = vec4(gl_VertexIndex, 0, 0, 1);
	first.a = same;
	first.b = gl_VertexIndex;
	loose = other;
	beside = uvec2(same, gl_VertexIndex);
	second.c = same;
	second.d[0] = uvec2(same, gl_VertexIndex);
	second.d[1] = uvec2(other, 3u);
	second.e = 1.0;
	narrow = same;
	pair = uvec2(gl_VertexIndex, same);
}
