// Storage images by handle with a format each, and without one: three heap variables on one binding.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "descriptor_handle.glsl"
layout(local_size_x = 8, local_size_y = 8) in;

DECLARE_IMAGE_HANDLE(rgba8, image2D, handle_color)
DECLARE_IMAGE_HANDLE(r32ui, uimage2D, handle_luminance)

struct Tile { DescriptorHandle source, target, luminance, unformatted; };
layout(binding = 65534, std430) readonly buffer Tiles { Tile tiles[]; };

void main()
{
	ivec2 p = ivec2(gl_LocalInvocationID.xy);
	Tile t = tiles[gl_WorkGroupID.x];
	if (any(greaterThanEqual(p, imageSize(handle_color(t.source)))))
		return;
	vec4 c = imageLoad(handle_color(t.source), p);
	uint l = uint(dot(c.rgb, vec3(0.2126, 0.7152, 0.0722)) * 255.0);
	uint before = imageLoad(handle_luminance(nonuniform_handle(t.luminance)), p).r;
	imageStore(handle_luminance(nonuniform_handle(t.luminance)), p, uvec4(max(l, before)));
	imageStore(handle_color(t.target), p, c);
	imageStore(handle_image2D(t.unformatted), p, vec4(l));
}
