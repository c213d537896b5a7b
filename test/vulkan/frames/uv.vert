#version 460
/* One triangle over the whole target; what is interpolated goes from 0 to 1. */
layout(location = 0) out vec2 uv;

void main()
{
	uv = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
	gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
