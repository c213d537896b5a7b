#version 460
/* Two triangles whose common edge crosses every quad, so that each quad runs twice, with helper invocations. */
void main()
{
	vec2 corner = vec2[](vec2(-1), vec2(1, -1), vec2(-1, 1), vec2(1, -1), vec2(-1, 1), vec2(1))[gl_VertexIndex];
	gl_Position = vec4(corner, 0.0, 1.0);
}
