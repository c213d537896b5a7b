#version 450
#extension GL_GOOGLE_include_directive : require
#include "scale.glsl"
// No set and no binding: spirv-bind assigns them.
buffer Numbers { uint numbers[]; };

void main()
{
	numbers[gl_GlobalInvocationID.x] *= scale;
}
