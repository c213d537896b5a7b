#version 460
// Path tracer by ray queries: geometry and textures are found by the instance that was hit.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_ray_query : require
layout(local_size_x = 8, local_size_y = 8) in;

struct Geometry { uint vertices, indices, material, alpha_map; };
struct Material { vec4 base, emission; uint albedo, smp; };
struct Portal { vec4 plane; uint scene, sky; };

layout(push_constant) uniform Push { uvec2 size; uint sky, frame, bounces, blue_noise, portal_count, scene, output_image; };
layout(set = 0, binding = 0) uniform accelerationStructureEXT scenes[4];
layout(set = 0, binding = 1, std430) readonly buffer Geometries { Geometry geometries[]; };
layout(set = 0, binding = 2, std430) readonly buffer Materials { Material materials[]; };
layout(set = 0, binding = 3, std430) readonly buffer Portals { Portal portals[]; };
layout(set = 1, binding = 0) uniform sampler2D textures[];
layout(set = 1, binding = 1, std430) readonly buffer Vertices { vec3 v[]; } vertices[];
layout(set = 1, binding = 2, std430) readonly buffer Indices { uvec3 i[]; } indices[];
layout(set = 1, binding = 3, rgba32f) uniform image2D outputs[];

vec2 random(uvec2 pixel, uint k)
{
	return texelFetch(textures[blue_noise], ivec2(pixel + k * 17u) & 127, 0).xy;          // uniform
}

bool occluded(uint which, vec3 from, vec3 to)
{
	rayQueryEXT q;
	rayQueryInitializeEXT(q, scenes[which], gl_RayFlagsTerminateOnFirstHitEXT, 255, from, 0.001, to, 1.0);  // divergent: some went through a portal
	while (rayQueryProceedEXT(q)) {
		Geometry g = geometries[rayQueryGetIntersectionInstanceCustomIndexEXT(q, false)];
		vec2 uv = rayQueryGetIntersectionBarycentricsEXT(q, false);
		if (textureLod(textures[g.alpha_map], uv, 0.0).a > 0.5)                       // divergent
			rayQueryConfirmIntersectionEXT(q);
	}
	return rayQueryGetIntersectionTypeEXT(q, true) != gl_RayQueryCommittedIntersectionNoneEXT;
}

void main()
{
	uvec2 pixel = gl_GlobalInvocationID.xy;
	if (pixel.x >= size.x || pixel.y >= size.y)
		return;
	vec3 at = vec3(0), to = normalize(vec3(vec2(pixel) / vec2(size) - 0.5, 1)), light = vec3(0), gain = vec3(1);
	uint where = scene, first_sky = sky;
	for (uint i = 0u; i < portal_count; i++)
		if (dot(portals[i].plane, vec4(to, 1)) > 0.0) {
			light += textureLod(textures[portals[i].sky], to.xy, 0.0).rgb;        // uniform, marked: what leaves the loop may run behind it, after other rounds
			where = portals[i].scene;
			break;
		}
	for (uint bounce = 0u; bounce < bounces; bounce++) {
		rayQueryEXT q;
		rayQueryInitializeEXT(q, scenes[where], gl_RayFlagsOpaqueEXT, 255, at, 0.001, to, 1e4);    // divergent
		while (rayQueryProceedEXT(q)) {
		}
		if (rayQueryGetIntersectionTypeEXT(q, true) == gl_RayQueryCommittedIntersectionNoneEXT) {
			light += gain * textureLod(textures[first_sky], to.xy, 0.0).rgb;      // uniform
			break;
		}
		Geometry g = geometries[rayQueryGetIntersectionInstanceCustomIndexEXT(q, true)];
		uvec3 t = indices[g.indices].i[rayQueryGetIntersectionPrimitiveIndexEXT(q, true)];     // divergent
		vec3 a = vertices[g.vertices].v[t.x], b = vertices[g.vertices].v[t.y];        // divergent; divergent
		Material m = materials[g.material];
		gain *= m.base.rgb * textureLod(textures[m.albedo], a.xy, 0.0).rgb;           // divergent
		light += gain * m.emission.rgb;
		at += to * rayQueryGetIntersectionTEXT(q, true);
		to = normalize(cross(a - at, b - at) + vec3(random(pixel, frame + bounce), 0));
		if (occluded(where, at, vec3(0, 100, 0)))
			gain *= 0.5;
	}
	light *= textureLod(textures[sky + 1u], vec2(0.5), 0.0).x;                            // uniform
	vec4 before = imageLoad(outputs[output_image], ivec2(pixel));                         // uniform
	imageStore(outputs[output_image], ivec2(pixel), mix(before, vec4(light, 1), 1.0 / float(frame + 1u)));   // uniform
}
