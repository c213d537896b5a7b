#version 460
// why: one name, other members
// glslang: -g --target-env vulkan1.1
layout(binding = 65534) uniform Camera { mat4 view; vec2 jitter; vec4 eye; } camera;
layout(location = 0) out vec4 o;
void main()
{
	o = camera.view * camera.eye + camera.jitter.xyxy;
}
