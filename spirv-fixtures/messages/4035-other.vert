#version 460
// why: push constants of two stages that meet in bytes 48 to 63
// glslang: -g --target-env vulkan1.1
layout(push_constant) uniform Camera { mat4 view; } camera;
void main()
{
	gl_Position = camera.view[0];
}
