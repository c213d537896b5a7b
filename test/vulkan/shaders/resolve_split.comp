#version 460
#extension GL_GOOGLE_include_directive : require
// spirv-bind: --resolver=FIXTURES/resolvers/kind.glsl --combined=split
#include "handle.glsl"

/* rows: 0 texture2D, 1 sampler. The sampler of a combined handle is y: the resolver finds it in x, with its kind. */
void main()
{
	uvec2 h = uvec2(table.h[PICK].x + 20u, table.h[8u + PICK].x + 40u);

	put(0, unorm(textureLod(handle_sampler2D(nonuniform_handle(h)), vec2(0.5), 0.0).r));
	put(1, sampler_number(textureLod(handle_sampler2D(uvec2(uniform_handle(0).x + 20u, nonuniformEXT(h.y))), vec2(-1.0), 0.0)));
	put(2, unorm(texelFetch(handle_sampler2D(nonuniform_handle(h)), ivec2(0), 0).r));
	put(3, unorm(texelFetch(handle_texture2D(uniform_handle(0) + 20u), ivec2(0), 0).r));
	put(4, unorm(textureLod(sampler2D(handle_texture2D(uniform_handle(0) + 20u), handle_sampler(uniform_handle(1) + 40u)), vec2(0.5), 0.0).r));
}
