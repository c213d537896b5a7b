#version 460
/* Each pixel is a separate point: its neighbours in the quad are helper invocations. */
void main()
{
	gl_PointSize = 1.0;
	gl_Position = vec4((vec2(gl_VertexIndex & 3, gl_VertexIndex >> 2) + 0.5) * vec2(0.5, 1.0) - 1.0, 0.0, 1.0);
}
