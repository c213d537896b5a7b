// The fragment stage uses the layers first, so stock glslang writes the shared variables in another order than in the vertex stage.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "terrain.glsl"

layout(AUTO) uniform texture2D weights[2];
layout(location = 0) in vec2 map;
layout(location = 1) in float height;
layout(location = 0) out vec4 color;

vec3 layer(int i)
{
	return texture(sampler2DArray(layers, repeated), vec3(map * layer_scale[i], i)).rgb;
}

void main()
{
	vec3 sum = vec3(0);
	vec4 weight = texture(sampler2D(weights[0], clamped), map);
	for (int i = 0; i < 4; i++)
		sum += layer(i) * weight[i];
	vec2 texel = 1.0 / vec2(textureSize(sampler2D(height_map, clamped), 0));
	float right = textureOffset(sampler2D(height_map, clamped), map, ivec2(1, 0)).r;
	float up = textureOffset(sampler2D(height_map, clamped), map, ivec2(0, 1)).r;
	vec3 normal = normalize(vec3(height - right, texel.x + texel.y, height - up));
	color = vec4(sum * max(normal.y, 0) * texture(sampler2D(weights[1], repeated), map).r, 1);
}
