#version 460
#extension GL_GOOGLE_include_directive : require
// spirv-bind: --resolver=FIXTURES/resolvers/kind.glsl
#include "handle.glsl"

/* rows: 0 texture2D, 1 sampler */
void main()
{
	uvec2 t = table.h[PICK] + 20u, s = table.h[8u + PICK] + 40u;

	put(0, unorm(texelFetch(handle_texture2D(nonuniform_handle(t)), ivec2(0), 0).r));
	put(1, unorm(textureLod(sampler2D(handle_texture2D(nonuniform_handle(t)), handle_sampler(nonuniform_handle(s))),
	                        vec2(0.5), 0.0).r));
	put(2, sampler_number(textureLod(sampler2D(handle_texture2D(uniform_handle(0) + 20u),
	                                           handle_sampler(nonuniform_handle(s))), vec2(-1.0), 0.0)));
	put(3, unorm(texelFetch(handle_texture2D(uniform_handle(0) + 20u), ivec2(0), 0).r));
}
