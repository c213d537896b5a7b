/* SPDX-License-Identifier: Apache-2.0 */
/* The host stores addresses high word first. With --heap=as=address. */
#version 460

uvec2 getDeviceAddressFromHandle(uvec2 handle)
{
	return handle.yx;
}
