/* SPDX-License-Identifier: Apache-2.0 */
/* A handle is a number of the application's own; a buffer says where its descriptor is at present. The buffers of the test
 * hold 1000, 1001, ... */
#version 460

layout(binding = 65534, std430) readonly buffer translation { uint place[]; };

uint getDescriptorIndexFromHandle(uvec2 handle)
{
	return place[handle.x * 3u & 7u] - 1000u;
}
