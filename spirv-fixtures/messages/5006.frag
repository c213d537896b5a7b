#version 460
// why: a sample with implicit level of detail behind a branch on an interpolated input
// message: SPB5006
// spirv-bind: lint
// glslang: -g --target-env vulkan1.1
layout(binding = 0) uniform sampler2D map;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 o;
void main()
{
	o = vec4(0);
	if (uv.x > 0.5)
		o = texture(map, uv);
}
