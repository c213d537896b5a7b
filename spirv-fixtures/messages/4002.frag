#version 460
// why: one name, other members
// message: SPB4002
// spirv-bind: --auto-binding=65534
// glslang: -g --target-env vulkan1.1
// with: 4002-other.frag
layout(binding = 65534) uniform Camera { mat4 view; vec4 eye; } camera;
layout(location = 0) out vec4 o;
void main()
{
	o = camera.view * camera.eye;
}
