#version 460
/* One triangle that covers the whole target. */
void main()
{
	gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
