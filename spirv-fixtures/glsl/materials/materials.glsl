// The material system: handles in a structure in a storage buffer, shared by the stages.
struct Material {
	DescriptorHandle albedo;
	DescriptorHandle normals;
	DescriptorHandle smp;
	DescriptorHandle detail; // with its sampler
	vec4 tint;
};
layout(binding = 65534, std430) readonly buffer Materials { Material materials[]; };
layout(binding = 65534) uniform Frame { mat4 view_projection; uint fallback; };
