#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 sampler2D, 1 usampler2D, 2 samplerCube */
void main()
{
	put(0, unorm(textureLod(handle_sampler2D(divergent(0)), vec2(0.5), 0.0).r));
	put(1, sampler_number(textureLod(handle_sampler2D(divergent(0)), vec2(-1.0), 0.0)));
	put(2, texelFetch(handle_usampler2D(divergent(1)), ivec2(0), 0).r);
	put(3, textureSize(handle_usampler2D(divergent(1)), 0).x);
	put(4, unorm(textureLod(handle_samplerCube(divergent(2)), vec3(1.0, 0.0, 0.0), 0.0).r));
	put(5, unorm(textureLod(handle_sampler2D(uniform_handle(0)), vec2(0.5), 0.0).r));
	put(6, texelFetch(handle_usampler2D(uniform_handle(1)), ivec2(0), 0).r);
}
