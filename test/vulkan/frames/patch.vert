#version 460
/* Corners of patches, or points: nothing is rasterized. */
void main()
{
	gl_Position = vec4(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1, 0.0, 1.0);
}
