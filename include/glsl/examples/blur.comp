#version 460
/* Storage images with a format, which need neither shaderStorageImageReadWithoutFormat nor
 * shaderStorageImageWriteWithoutFormat. */
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"

DECLARE_IMAGE_HANDLE(rgba16f, image2D, handle_rgba16f)
DECLARE_IMAGE_HANDLE(rgba8, image2D, handle_rgba8)

layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform Pass { DescriptorHandle from; DescriptorHandle to; };

void main()
{
	ivec2 at = ivec2(gl_GlobalInvocationID.xy), last = imageSize(handle_rgba16f(from)) - 1;
	vec4 sum = vec4(0);

	if (any(greaterThan(at, last)))
		return;
	for (int x = -2; x <= 2; x++)
		sum += imageLoad(handle_rgba16f(from), clamp(at + ivec2(x, 0), ivec2(0), last));
	imageStore(handle_rgba8(to), at, sum / 5.0);
}
