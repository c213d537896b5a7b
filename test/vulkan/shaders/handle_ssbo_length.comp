#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#include "handle.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint head; uint v[]; };
DECLARE_BUFFER_HANDLE(Words)

/* rows: 0 Words */
void main()
{
	put(0, handle_length(handle_Words(divergent(0)), 1u));
	put(1, handle_Words(divergent(0)).head);
}
