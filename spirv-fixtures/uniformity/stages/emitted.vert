#version 460
layout(push_constant) uniform Push { uint same; };
layout(location = 20) out uint given;
layout(location = 21) out uint vertex;
void main()
{
	gl_Position = vec4(0.0);
	given = same;
	vertex = gl_VertexIndex;
}
