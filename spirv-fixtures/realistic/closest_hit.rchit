#version 460
// Closest hit: the shader record says which material, the instance which geometry; the trace command is the group.
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_nonuniform_qualifier : require
layout(location = 0) rayPayloadInEXT vec4 radiance;
layout(location = 1) rayPayloadEXT float visible;
hitAttributeEXT vec2 bary;

struct Geometry { uint vertices, indices, lightmap; };
struct Light { vec4 position; vec4 color; uint ies_profile, mask; };
layout(shaderRecordEXT, std430) buffer Record { uint albedo, normal_map; vec4 tint; } record;
layout(push_constant) uniform Push { uint shadow_scene, light_count, sky, exposure_map; };
layout(set = 0, binding = 0) uniform accelerationStructureEXT scenes[2];
layout(set = 0, binding = 1, std430) readonly buffer Geometries { Geometry geometries[]; };
layout(set = 0, binding = 2, std430) readonly buffer Lights { Light lights[]; };
layout(set = 1, binding = 0) uniform sampler2D textures[];
layout(set = 1, binding = 1, std430) readonly buffer Vertices { vec4 v[]; } vertices[];
layout(set = 1, binding = 2, std430) readonly buffer Indices { uvec3 i[]; } indices[];
layout(set = 1, binding = 3) uniform sampler1D profiles[];

vec3 normal_at(Geometry g, uvec3 t)
{
	vec3 w = vec3(1.0 - bary.x - bary.y, bary);
	vec3 n = vec3(0);
	for (int k = 0; k < 3; k++)
		n += w[k] * vertices[g.vertices].v[t[k]].xyz;                                 // divergent
	return normalize(n);
}

void main()
{
	Geometry g = geometries[gl_InstanceCustomIndexEXT + gl_GeometryIndexEXT];
	uvec3 t = indices[g.indices].i[gl_PrimitiveID];                                       // divergent
	vec3 n = normal_at(g, t);
	vec4 base = record.tint * textureLod(textures[record.albedo], bary, 0.0);             // divergent: records differ by what was hit
	n += textureLod(textures[record.normal_map], bary, 0.0).xyz;                          // divergent
	vec3 at = gl_WorldRayOriginEXT + gl_WorldRayDirectionEXT * gl_HitTEXT, sum = vec3(0);
	for (uint i = 0u; i < light_count; i++) {
		Light light = lights[i];
		vec3 to = light.position.xyz - at;
		if (dot(to, n) <= 0.0)
			continue;
		visible = 0.0;
		traceRayEXT(scenes[shadow_scene], gl_RayFlagsTerminateOnFirstHitEXT | gl_RayFlagsSkipClosestHitShaderEXT, light.mask, 0, 0, 0, at, 0.001, to, 1.0, 1);   // uniform
		sum += visible * light.color.rgb * textureLod(profiles[light.ies_profile], to.z, 0.0).x;   // uniform: after a trace those of one round still have one
	}
	sum += textureLod(textures[g.lightmap], bary, 0.0).rgb;                               // divergent
	sum += textureLod(textures[sky], n.xy, 0.0).rgb;                                      // uniform
	float exposure = textureLod(textures[exposure_map], vec2(0.5), 0.0).x;                // uniform
	radiance = vec4(sum * base.rgb * exposure, radiance.w + 1.0);
}
