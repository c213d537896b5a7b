/* SPDX-License-Identifier: Apache-2.0 */
/* y is the handle of a buffer that says where the descriptors of x are at present. What a resolver dereferences itself is not
 * resolved: it is the descriptor number x. The buffers of the test hold 1000 * (number + 1), and so on. */
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#include "../../include/glsl/descriptor_handle.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Pages { uint page[]; };
DECLARE_BUFFER_HANDLE(Pages)

uint look_up(Pages pages, uint number)
{
	return pages.page[number * 3u & 15u] % 1000u;
}

uint getDescriptorIndexFromHandle(uvec2 handle)
{
	return look_up(handle_Pages(uvec2(handle.y, 0u)), handle.x);
}
