#version 460
/* Buffers by handle are buffer references and can do everything that a reference can. None needs a device address. */
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#include "descriptor_handle.glsl"

layout(buffer_reference, std430) buffer Particles { uint alive; vec4 position[]; };
layout(buffer_reference, std140) readonly buffer Wind { vec4 direction; };
DECLARE_BUFFER_HANDLE(Particles)
DECLARE_UNIFORM_BUFFER_HANDLE(Wind)

struct Emitter { DescriptorHandle particles; DescriptorHandle wind; vec4 origin; };

layout(local_size_x = 64) in;
layout(binding = 65534, std430) readonly buffer Emitters { Emitter emitters[]; };

void emit(Particles p, vec4 at)
{
	uint i = atomicAdd(p.alive, 1u);

	if (i < handle_length(p, 1u)) /* the length of member 1; GLSL has no .length() for references */
		p.position[i] = at;
}

void main()
{
	Emitter e = emitters[gl_GlobalInvocationID.x];

	emit(handle_Particles(nonuniform_handle(e.particles)), e.origin + handle_Wind(nonuniform_handle(e.wind)).direction);
}
