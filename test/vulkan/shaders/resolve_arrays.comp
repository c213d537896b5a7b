#version 460
#extension GL_GOOGLE_include_directive : require
// spirv-bind: --resolver=FIXTURES/resolvers/arrays.hlsl
#include "descriptor_handle.glsl"
#include "case.glsl"

/* Only the first eight elements of each array are written. */
void main()
{
	uint x = PICK, y = LANE & 1u;

	put(0, unorm(texelFetch(handle_texture2D(nonuniform_handle(uvec2(x, 0u))), ivec2(0), 0).r));
	put(1, unorm(texelFetch(handle_texture2D(nonuniform_handle(uvec2(x + 100u, 1u))), ivec2(0), 0).r));
	put(2, unorm(texelFetch(handle_texture2D(nonuniform_handle(uvec2(x + 100u * y, y))), ivec2(0), 0).r));
	put(3, unorm(texelFetch(handle_texture2D(DescriptorHandle(105u, 1u)), ivec2(0), 0).r));
}
