#version 460
// SPDX-License-Identifier: Apache-2.0
layout(location = 0) out vec2 uv;
layout(location = 1) out uint brightness;
void main()
{
	uv = vec2(0.5);
	brightness = 1000u;
	gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
