#version 460
// 65534: spirv-bind assigns the binding (--auto-binding=65534). LIGHTS comes from the command line.
layout(binding = 65534) buffer Numbers { uint numbers[]; };

void main()
{
	numbers[gl_GlobalInvocationID.x] *= uint(LIGHTS);
}
