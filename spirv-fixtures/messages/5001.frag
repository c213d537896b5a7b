#version 460
// why: an input of each invocation is an index
// message: SPB5001
// spirv-bind: lint
// glslang: -g --target-env vulkan1.1
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(binding = 0) uniform texture2D maps[8];
layout(location = 0) flat in uint material;
layout(location = 0) out vec4 o;
void main()
{
	o = texelFetch(maps[material], ivec2(0), 0);
}
