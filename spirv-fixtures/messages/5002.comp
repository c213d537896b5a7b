#version 460
// why: an index from memory that the shader writes
// message: SPB5002
// spirv-bind: lint
// glslang: -g --target-env vulkan1.1
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;
layout(binding = 0) uniform texture2D maps[8];
layout(binding = 1, std430) buffer State { uint chosen; vec4 color; };
void main()
{
	color = texelFetch(maps[chosen], ivec2(0), 0);
	chosen = 3u;
}
