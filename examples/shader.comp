#version 450
// No set and no binding: spirv-bind assigns them.
buffer Numbers { uint numbers[]; };

void main()
{
	numbers[gl_GlobalInvocationID.x] *= 2u;
}
