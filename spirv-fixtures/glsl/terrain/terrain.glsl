// What both stages of the terrain see: the same textures and samplers, declared once.
#define AUTO binding = 65534

layout(AUTO) uniform texture2D height_map;
layout(AUTO) uniform texture2DArray layers;
layout(AUTO) uniform sampler clamped;
layout(AUTO) uniform sampler repeated;
layout(AUTO) uniform Terrain { mat4 view_projection; vec4 origin_and_size; vec4 layer_scale; };
