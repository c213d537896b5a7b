// A vertex stage that shares textures and samplers with its fragment stage, and uses them in another order than it.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "terrain.glsl"

layout(AUTO, std430) readonly buffer Patches { vec4 corner_and_scale[]; };
layout(location = 0) in vec2 grid;
layout(location = 0) out vec2 map;
layout(location = 1) out float height;

void main()
{
	vec4 piece = corner_and_scale[gl_InstanceIndex];
	vec2 place = piece.xy + grid * piece.z;
	map = (place - origin_and_size.xy) / origin_and_size.zw;
	height = textureLod(sampler2D(height_map, clamped), map, piece.w).r;
	gl_Position = view_projection * vec4(place.x, height, place.y, 1);
}
