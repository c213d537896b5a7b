#version 460
#extension GL_GOOGLE_include_directive : require
#include "handle.glsl"

/* rows: 0 texture2D, 1 utexture2D, 2 sampler, 3 texture3D, 4 textureCube, 5 itexture2DArray */
void main()
{
	vec2 middle = vec2(0.5);

	put(0, unorm(textureLod(sampler2D(handle_texture2D(divergent(0)), handle_sampler(uniform_handle(2))), middle, 0.0).r));
	put(1, unorm(texelFetch(handle_texture2D(divergent(0)), ivec2(0), 0).r));
	put(2, texelFetch(handle_utexture2D(divergent(1)), ivec2(0), 0).r);
	put(3, textureSize(handle_utexture2D(divergent(1)), 0).x);
	put(4, sampler_number(textureLod(sampler2D(handle_texture2D(uniform_handle(0)), handle_sampler(divergent(2))),
	                                 vec2(-1.0), 0.0)));
	put(5, unorm(textureLod(sampler2D(handle_texture2D(divergent(0)), handle_sampler(divergent(2))), middle, 0.0).r));
	put(6, unorm(texelFetch(handle_texture3D(divergent(3)), ivec3(0), 0).r));
	put(7, unorm(textureLod(samplerCube(handle_textureCube(divergent(4)), handle_sampler(uniform_handle(2))),
	                        vec3(1.0, 0.0, 0.0), 0.0).r));
	put(8, texelFetch(handle_itexture2DArray(divergent(5)), ivec3(0, 0, 1), 0).r);
	put(9, unorm(textureLod(sampler2D(handle_texture2D(uniform_handle(0)), handle_sampler(uniform_handle(2))), middle, 0.0).r));
	put(10, texelFetch(handle_utexture2D(uniform_handle(1)), ivec2(0), 0).r);
	put(11, textureSize(usampler2D(handle_utexture2D(divergent(1)), handle_sampler(uniform_handle(2))), 0).x);
}
