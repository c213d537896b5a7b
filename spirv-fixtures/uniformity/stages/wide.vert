#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// Components of 64 bits take two places each, and more than two of them two locations: wide.frag.
layout(push_constant) uniform Push { uint same, other; };
layout(location = 0) flat out uint64_t one;
layout(location = 1, component = 2) flat out double beside;
layout(location = 1) flat out uvec2 narrow;
layout(location = 2) flat out dvec3 three;
layout(location = 4) flat out u64vec4 four;
layout(location = 6) flat out uint64_t array[2];
layout(location = 8) flat out dmat2 matrix;

void main()
{
	gl_Position = vec4(gl_VertexIndex, 0, 0, 1);
	one = same;
	beside = other;
	narrow = uvec2(gl_VertexIndex, same);
	three = dvec3(same, gl_VertexIndex, other);
	four = u64vec4(gl_VertexIndex, same, other, gl_InstanceIndex);
	array[0] = same;
	array[1] = gl_VertexIndex;
	matrix = dmat2(same, other, same, gl_VertexIndex);
}
