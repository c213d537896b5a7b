/* SPDX-License-Identifier: Apache-2.0 */
/* Packed bits: the index in the low 20, whatever the application keeps above them. */
#version 460

uint getDescriptorIndexFromHandle(uvec2 handle)
{
	return handle.x & 0xFFFFFu;
}
