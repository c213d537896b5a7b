#version 460
/* Atomics on images, which need the format r32ui or r32i, and a texture that is read with texelFetch, without a sampler. */
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"

DECLARE_IMAGE_HANDLE(r32ui, uimage1D, handle_histogram)
DECLARE_COHERENT_IMAGE_HANDLE(r32ui, uimageBuffer, handle_counts) // also read, after other workgroups have written

layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform Pass { DescriptorHandle picture; DescriptorHandle histogram; DescriptorHandle counts; };

void main()
{
	ivec2 at = ivec2(gl_GlobalInvocationID.xy);

	if (any(greaterThanEqual(at, textureSize(handle_texture2D(picture), 0))))
		return;
	vec4 color = texelFetch(handle_texture2D(picture), at, 0);
	imageAtomicAdd(handle_histogram(histogram), int(dot(color.rgb, vec3(85.0))), 1u);
	if (imageLoad(handle_counts(counts), 0).r < uint(color.a * 255.0)) // most pixels need no atomic
		imageAtomicMax(handle_counts(counts), 0, uint(color.a * 255.0));
}
