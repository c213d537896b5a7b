#version 460
/* The two triangles of edge.vert, with an interpolated value and one that is constant in a triangle. */
layout(location = 0) out vec2 smooth_;
layout(location = 1) flat out uint flat_;

void main()
{
	vec2 corner = vec2[](vec2(-1), vec2(1, -1), vec2(-1, 1), vec2(1, -1), vec2(-1, 1), vec2(1))[gl_VertexIndex];
	smooth_ = corner * 3.0 + 3.0;
	flat_ = gl_VertexIndex;
	gl_Position = vec4(corner, 0.0, 1.0);
}
