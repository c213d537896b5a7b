/* SPDX-License-Identifier: Apache-2.0 */
/* Each kind of descriptor has numbers of its own. Kinds are those of spb_heap_kind. */
#version 460

const uint SAMPLER = 0u, TEXTURE = 2u;

uint getDescriptorIndexFromHandle(uvec2 handle, uint kind)
{
	switch (kind) {
	case SAMPLER:
		return handle.x - 40u;
	case TEXTURE:
		return handle.x - 20u;
	default:
		return handle.x;
	}
}
