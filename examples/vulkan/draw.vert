#version 450
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texcoord;
layout(location = 0) out vec2 uv;
uniform Camera { mat4 view; };
layout(push_constant) uniform Push { vec2 offset; uint pattern; };

void main()
{
	uv = texcoord + offset;
	gl_Position = view * vec4(position, 0, 1);
}
