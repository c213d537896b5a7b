// SPDX-License-Identifier: Apache-2.0
// A whole dereference that returns an element of one of two arrays.
Texture2D near[];
Texture2D far[8];
Texture2D getDescriptorFromHandle2D(uint2 handle)
{
	if (handle.y == 0)
		return near[handle.x];
	return far[handle.x - 100];
}
