#version 460
// why: an access to be looped, and an opcode from the future
// message: SPB5102
// spirv-bind: --waterfall --nonuniform=keep
// glslang: -g --target-env vulkan1.1
// edit: before 253 = 0x0001fff0
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(binding = 0) uniform texture2D maps[8];
layout(location = 0) flat in uint material;
layout(location = 0) out vec4 o;
void main()
{
	o = texelFetch(maps[nonuniformEXT(material)], ivec2(0), 0);
}
