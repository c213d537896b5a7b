#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(location = 0) in uint per_vertex;
layout(location = 0) out uint o;
layout(binding = 1) readonly buffer B { uint v; } b[];
layout(binding = 2) uniform U { uint u; };

void main()
{
	o = b[gl_DrawID].v;                               // group
	o += b[gl_BaseVertex].v;                          // group
	o += b[gl_BaseInstance].v;                        // group
	o += b[gl_InstanceIndex].v;                       // divergent
	o += b[gl_VertexIndex].v;                         // divergent
	o += b[per_vertex].v;                              // divergent
	o += b[u].v;                                      // group
	o += b[gl_InstanceIndex - gl_BaseInstance].v;     // divergent
}
