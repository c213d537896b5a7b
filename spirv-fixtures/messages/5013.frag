#version 460
// why: the texture of a sample with implicit level of detail differs within the quad, whether it is decorated or not
// message: SPB5013
// spirv-bind: lint
// glslang: -g --target-env vulkan1.1
#extension GL_EXT_nonuniform_qualifier : require
layout(binding = 0) uniform sampler2D maps[8];
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 o;
void main()
{
	uint k = uint(uv.x * 8.0);
	o = texture(maps[nonuniformEXT(k)], uv);
}
