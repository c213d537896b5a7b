#version 460
// Particles: a row of workgroups for each emitter; its particles live in buffers of the emitter, ping and pong.
#extension GL_EXT_nonuniform_qualifier : require
#define AUTO binding = 65534
layout(local_size_x = 128) in;

struct Particle { vec4 position_age; vec4 velocity_seed; uint kind, parent, next, pad; };
struct Emitter { uint buffers, capacity, field, collision, curve_count, first_curve, flags, spawn_list; };

layout(push_constant) uniform Push { uint parity; float dt; uint first_emitter; };
layout(AUTO, std430) readonly buffer Emitters { Emitter emitters[]; };
layout(AUTO, std430) buffer Particles { Particle p[]; } particles[];
layout(AUTO, std430) buffer Alive { uint count, list[]; } alive[];
layout(AUTO, std430) readonly buffer Curve { vec4 keys[16]; } curves[];
layout(AUTO) uniform sampler3D fields[];
layout(AUTO) uniform sampler2D depths[2];
layout(AUTO, std430) readonly buffer Kinds { uint curve_of_kind[]; };
layout(AUTO, std430) buffer Spawns { uint emitter_of_slot[]; } spawns;

vec4 evaluate(uint curve, float t)
{
	uint k = min(uint(t * 15.0), 14u);
	return mix(curves[curve].keys[k], curves[curve].keys[k + 1u], fract(t * 15.0));       // divergent; divergent: called with the curve of a particle, too
}

uint emitter_of_group()
{
	return first_emitter + gl_WorkGroupID.y;
}

void main()
{
	Emitter e = emitters[emitter_of_group()];
	uint from = e.buffers + parity, to = e.buffers + (parity ^ 1u);
	uint index = gl_GlobalInvocationID.x, block = gl_GlobalInvocationID.x / 128u;
	uint count = alive[from].count;                                                       // uniform
	if (index >= count || index >= e.capacity)
		return;
	uint self = alive[from].list[index];                                                  // uniform
	Particle p = particles[from].p[self];                                                 // uniform
	p.position_age.w += dt;
	if (p.position_age.w > 1.0)
		return;
	vec3 wind = vec3(0);
	if (e.field != ~0u)
		wind = textureLod(fields[e.field], p.position_age.xyz, 0.0).xyz;              // uniform
	for (uint i = 0u; i < e.curve_count; i++)
		wind += evaluate(e.first_curve + i, p.position_age.w).xyz;
	wind += evaluate(curve_of_kind[p.kind], p.position_age.w).xyz;
	if ((e.flags & 1u) != 0u)
		wind += curves[block].keys[0].xyz;                                            // uniform: gl_GlobalInvocationID / size is the workgroup
	p.velocity_seed.xyz += wind * dt;
	p.position_age.xyz += p.velocity_seed.xyz * dt;
	if (textureLod(depths[e.collision & 1u], p.position_age.xy, 0.0).x < p.position_age.z)         // uniform
		p.velocity_seed.xyz = -p.velocity_seed.xyz;
	uint slot = atomicAdd(alive[to].count, 1u);                                           // uniform
	alive[to].list[slot] = self;                                                          // uniform
	particles[to].p[self] = p;                                                            // uniform
	if ((e.flags & 2u) != 0u) {
		uint owner = emitters[p.parent].buffers;
		particles[owner].p[0].next = self;                                            // divergent: the emitter of the parent
		uint target = spawns.emitter_of_slot[gl_WorkGroupID.y];
		particles[target].p[self].pad = 1u;                                           // divergent: written below while others read
		spawns.emitter_of_slot[p.next] = owner;
	}
}
