#version 460
// why: a key that does not exist
// message: SPB4010
// spirv-bind: --profile=mistyped.policy
// glslang: -g --target-env vulkan1.1
layout(binding = 0) uniform sampler2D tex;
layout(location = 0) out vec4 o;
void main()
{
	o = texture(tex, vec2(0));
}
