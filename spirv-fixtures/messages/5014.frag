#version 460
// why: a derivative in a loop that fragments of one primitive leave in different iterations
// message: SPB5014
// spirv-bind: lint
// glslang: -g --target-env vulkan1.1
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 o;
void main()
{
	o = vec4(0);
	for (uint k = 0u; k < uint(uv.x * 4.0); k++)
		o += dFdx(uv).xyxy;
}
