/* SPDX-License-Identifier: Apache-2.0 */
/* The host says how long its heaps are when it makes the pipeline. */
#version 460

layout(constant_id = 7) const uint heap_length = 8u;

uint getDescriptorIndexFromHandle(uvec2 handle)
{
	return min(handle.x, heap_length - 1u);
}
