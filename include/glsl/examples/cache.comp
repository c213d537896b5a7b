#version 460
/* Handles are plain numbers: they can be compared, copied, stored, and converted from and to a 64-bit number. What an
 * invalid handle looks like is up to the program; behind the guard, its descriptor is not even read. */
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#include "descriptor_handle.glsl"

const DescriptorHandle NOTHING = DescriptorHandle(~0u);

struct Entry { uint64_t key; DescriptorHandle page; };

layout(local_size_x = 64) in;
layout(binding = 65534, std430) buffer Cache { Entry entries[]; };
layout(binding = 65534, std430) writeonly buffer Colors { vec4 colors[]; };
layout(push_constant) uniform Pass { uint64_t wanted; DescriptorHandle fallback; };

void main()
{
	uint i = gl_GlobalInvocationID.x;
	DescriptorHandle page = entries[i].key == wanted ? entries[i].page : fallback;

	if (handle_equal(page, handle_from_uint64(wanted)))
		page = fallback;
	entries[i].key = handle_to_uint64(page);
	colors[i] = vec4(0);
	if (!handle_equal(page, NOTHING))
		colors[i] = texelFetch(handle_texture2D(nonuniform_handle(page)), ivec2(0), 0);
}
