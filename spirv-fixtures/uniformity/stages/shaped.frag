#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(binding = 0) readonly buffer B { uint v; } b[];
layout(location = 0) flat in uint shaped;
layout(location = 1) flat in uint vertex;
layout(location = 0) out uint color;
void main()
{
	color = b[shaped].v;                              // divergent: what the geometry shader writes is not followed
	color += b[vertex].v;                             // divergent
}
