#version 460
layout(push_constant) uniform Push { uint same; };
layout(location = 0) out uint material;
layout(location = 1) out uint vertex;
void main()
{
	material = same;
	vertex = gl_VertexIndex;
}
