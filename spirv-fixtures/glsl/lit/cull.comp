// A compute stage of the same program: writes what the vertex stage reads.
#version 450
#define AUTO binding = 65534
layout(local_size_x = 64) in;

struct Instance { mat4 world; uint material; };
layout(AUTO, std430) readonly buffer Instances { Instance instances[]; };
layout(AUTO, std430) buffer Visible { uint visible[]; };
layout(AUTO, std430) buffer Draw { uint index_count, instance_count, first_index, vertex_offset; } draw;
layout(AUTO) uniform Camera { mat4 view_projection; vec4 eye; };
layout(push_constant) uniform Push { uint count; };

void main()
{
	uint i = gl_GlobalInvocationID.x;
	if (i >= count)
		return;
	vec4 p = view_projection * instances[i].world * vec4(0, 0, 0, 1);
	if (all(lessThan(abs(p.xy), vec2(p.w))))
		visible[atomicAdd(draw.instance_count, 1)] = i;
}
