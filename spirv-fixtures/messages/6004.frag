#version 460
// why: an index that varies, and a host without non-uniform indexing
// message: SPB6004
// spirv-bind: --host-features=vulkan1.4
// glslang: -g --target-env vulkan1.1
layout(binding = 0) uniform sampler2D maps[8];
layout(location = 0) flat in uint material;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(maps[material], uv);
}
