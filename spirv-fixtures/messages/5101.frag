#version 460
// why: a query takes derivatives that cannot be given
// message: SPB5101
// spirv-bind: --waterfall
// glslang: -g --target-env vulkan1.1
#extension GL_EXT_nonuniform_qualifier : require
layout(binding = 0) uniform sampler2D maps[8];
layout(location = 0) flat in uint material;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 o;
void main()
{
	o.xy = textureQueryLod(maps[material], uv);
}
