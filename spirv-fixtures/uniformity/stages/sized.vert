#version 460
// Where the pipeline gives an array its length, nobody knows the locations of what follows: sized.frag.
layout(constant_id = 0) const uint length = 1u;
layout(push_constant) uniform Push { uint same, other; };
layout(location = 0) flat out uint before;
layout(location = 1) out Out { flat uint array[length]; flat uint behind; };
layout(location = 9) flat out uint placed;

void main()
{
	gl_Position = vec4(gl_VertexIndex, 0, 0, 1);
	before = same;
	array[0] = gl_VertexIndex;
	behind = same;
	placed = other;
}
