#version 460
// Buffers by handle in all the ways in which GLSL lets a reference flow, and one device address.
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "descriptor_handle.glsl"

layout(local_size_x = 64) in;

struct Key { vec4 at; float times[3]; };

layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Log { uint count; uint lines[]; };
layout(buffer_reference, std430) buffer Curve { layout(row_major) mat3 basis; Key keys[2]; uvec2 next; };
layout(buffer_reference, std140) readonly buffer Scene { vec4 sun; uvec4 seeds[2]; };
DECLARE_BUFFER_HANDLE(Log)
DECLARE_BUFFER_HANDLE(Curve)
DECLARE_UNIFORM_BUFFER_HANDLE(Scene)

layout(push_constant) uniform Push { DescriptorHandle log, curve, scene; uvec2 address; } push;
layout(binding = 65534, std430) buffer Jobs { DescriptorHandle curves[]; } jobs;

struct Tracks { Curve first; uint n; Log logs[2]; };

Log mine;

float basis(Curve c, int row)
{
	return c.basis[row][2] + c.keys[row & 1].times[row];
}

Curve follow(Curve c, uint steps)
{
	for (uint i = 0u; i < steps && c.next != uvec2(0); i++)
		c = handle_Curve(c.next);
	return c;
}

void line(Log l, uint value)
{
	uint at = atomicAdd(l.count, 1u);
	if (at < handle_length(l, 1u))
		l.lines[at] = value;
}

uint seed(Scene s, uint i)
{
	return s.seeds[i & 1u].y + uint(s.sun.x);
}

void main()
{
	uint id = gl_GlobalInvocationID.x;
	Curve c = handle_Curve(nonuniform_handle(jobs.curves[id]));
	Log shared_log = handle_Log(push.log);
	Tracks t;

	t.first = follow(c, id & 3u);
	t.logs = Log[2](shared_log, handle_Log(uvec2(id & 7u, 0u)));
	t.n = seed(handle_Scene(push.scene), id);
	mine = (id & 1u) != 0u ? t.logs[0] : t.logs[t.n & 1u];
	line(mine, t.n);
	line(Log(push.address), uint(basis(t.first, 1)));
	Key key = c.keys[0];
	key.at *= 2.0;
	t.first.keys[1] = key;
	handle_Curve(push.curve).basis[0] += vec3(basis(handle_Curve(push.curve), 2));
}
