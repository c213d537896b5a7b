/* SPDX-License-Identifier: Apache-2.0 */
/* A handle is an index and the generation it was made in. Descriptor 0 stands in for what is gone since. */
#version 460

layout(binding = 65534, std430) readonly buffer generations { uint generation[]; };

uint getDescriptorIndexFromHandle(uvec2 handle)
{
	return handle.x < generation.length() && generation[handle.x] == handle.y ? handle.x : 0u;
}
