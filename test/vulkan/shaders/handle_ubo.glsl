/* SPDX-License-Identifier: Apache-2.0 */
/* Uniform buffers by handle: the cases differ in their heaps. */
#include "handle.glsl"

struct Inner { uvec4 u; uvec4 w; };

layout(buffer_reference, std140) readonly buffer Scene { uvec4 a; uvec4 list[3]; Inner inner[2]; };
DECLARE_UNIFORM_BUFFER_HANDLE(Scene)

uint third(Scene s, uint i)
{
	return s.list[i].z;
}

/* rows: 0 Scene */
void main()
{
	Scene s = handle_Scene(divergent(0));

	put(0, s.a.y);
	put(1, third(s, 2u));
	put(2, s.inner[1].w.x);
	put(3, handle_Scene(uniform_handle(0)).a.z);
}
