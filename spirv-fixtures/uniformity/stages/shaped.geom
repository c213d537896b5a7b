#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(triangles) in;
layout(points, max_vertices = 1) out;
layout(binding = 0) readonly buffer B { uint v; } b[];
layout(location = 0) in uint material[];
layout(location = 1) in uint vertex[];
layout(location = 0) flat out uint shaped;
void main()
{
	shaped = b[material[1]].v;                        // group
	shaped += b[vertex[1]].v;                         // divergent
	EmitVertex();
}
