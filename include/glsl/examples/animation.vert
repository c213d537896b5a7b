#version 460
/* Texel buffers hold formatted data and are read as a textureBuffer, without a sampler. */
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"

struct Mesh { DescriptorHandle positions; DescriptorHandle bones; uint first; };

layout(binding = 65534, std430) readonly buffer Meshes { Mesh meshes[]; };
layout(push_constant) uniform Draw { mat4 projection; };

void main()
{
	Mesh m = meshes[gl_InstanceIndex]; /* varies between invocations, so its handles are marked */
	int i = int(m.first) + gl_VertexIndex;
	vec4 p = texelFetch(handle_textureBuffer(nonuniform_handle(m.positions)), i);
	uint bone = texelFetch(handle_utextureBuffer(nonuniform_handle(m.bones)), i).r;

	gl_Position = projection * vec4(p.xyz + vec3(float(bone)), 1.0);
}
