/* SPDX-License-Identifier: Apache-2.0 */
/* opened: a device with every extension and feature that shaders of the corpora may need and that it has. */
#include "pipelines.h"

static const char *const wanted[] = {"VK_EXT_mesh_shader",
				     "VK_KHR_ray_tracing_pipeline",
				     "VK_KHR_acceleration_structure",
				     "VK_KHR_ray_query",
				     "VK_KHR_deferred_host_operations",
				     "VK_KHR_pipeline_library",
				     "VK_EXT_graphics_pipeline_library",
				     "VK_EXT_fragment_shader_interlock",
				     "VK_EXT_shader_atomic_float",
				     "VK_KHR_fragment_shader_barycentric",
				     "VK_EXT_shader_stencil_export",
				     "VK_EXT_post_depth_coverage",
				     "VK_EXT_shader_subgroup_ballot",
				     "VK_EXT_shader_subgroup_vote",
				     "VK_KHR_shader_clock",
				     "VK_EXT_shader_image_atomic_int64",
				     "VK_KHR_workgroup_memory_explicit_layout",
				     "VK_EXT_transform_feedback",
				     "VK_GOOGLE_hlsl_functionality1",
				     "VK_GOOGLE_user_type",
				     "VK_EXT_robustness2",
				     "VK_EXT_mutable_descriptor_type"};

static struct {
	VkPhysicalDeviceMeshShaderFeaturesEXT mesh;
	VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays;
	VkPhysicalDeviceAccelerationStructureFeaturesKHR acceleration;
	VkPhysicalDeviceRayQueryFeaturesKHR query;
	VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries;
	VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT interlock;
	VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float;
	VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR barycentric;
	VkPhysicalDeviceShaderClockFeaturesKHR clock;
	VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT image64;
	VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR workgroup;
	VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback;
	VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_type;
	VkPhysicalDeviceVulkan11Features v11;
	VkPhysicalDeviceVulkan12Features v12;
	VkPhysicalDeviceVulkan13Features v13;
	VkPhysicalDeviceFeatures2 core;
} features;

/* sType and pNext stand first in every structure. */
static void link_features(const struct device *d, void *structure, VkStructureType type, const char *extension)
{
	VkBaseOutStructure *s = structure;

	s->sType = type;
	if (extension && !device_has_extension(d, extension))
		return;
	s->pNext = features.core.pNext;
	features.core.pNext = s;
}

void open_device(struct maker *v, bool robust)
{
	struct device *d = &v->device;
	const char *extensions[sizeof wanted / sizeof wanted[0]];
	VkPhysicalDeviceProperties properties;
	uint32_t count = 0;

	vkGetPhysicalDeviceProperties(d->physical, &properties);
	v->limits = properties.limits;
	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
		if (device_has_extension(d, wanted[i]))
			extensions[count++] = wanted[i];
	}
	features.core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
#define LINK(member, type, extension)                                                                                  \
	link_features(d, &features.member, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type, extension)
	LINK(v11, VULKAN_1_1_FEATURES, NULL);
	LINK(v12, VULKAN_1_2_FEATURES, NULL);
	if (d->version >= VK_API_VERSION_1_3)
		LINK(v13, VULKAN_1_3_FEATURES, NULL);
	LINK(mesh, MESH_SHADER_FEATURES_EXT, "VK_EXT_mesh_shader");
	LINK(rays, RAY_TRACING_PIPELINE_FEATURES_KHR, "VK_KHR_ray_tracing_pipeline");
	LINK(acceleration, ACCELERATION_STRUCTURE_FEATURES_KHR, "VK_KHR_acceleration_structure");
	LINK(query, RAY_QUERY_FEATURES_KHR, "VK_KHR_ray_query");
	LINK(libraries, GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, "VK_EXT_graphics_pipeline_library");
	LINK(interlock, FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT, "VK_EXT_fragment_shader_interlock");
	LINK(atomic_float, SHADER_ATOMIC_FLOAT_FEATURES_EXT, "VK_EXT_shader_atomic_float");
	LINK(barycentric, FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR, "VK_KHR_fragment_shader_barycentric");
	LINK(clock, SHADER_CLOCK_FEATURES_KHR, "VK_KHR_shader_clock");
	LINK(image64, SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT, "VK_EXT_shader_image_atomic_int64");
	LINK(workgroup, WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, "VK_KHR_workgroup_memory_explicit_layout");
	LINK(feedback, TRANSFORM_FEEDBACK_FEATURES_EXT, "VK_EXT_transform_feedback");
	LINK(mutable_type, MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT, "VK_EXT_mutable_descriptor_type");
	vkGetPhysicalDeviceFeatures2(d->physical, &features.core);
	features.core.features.robustBufferAccess = robust;
	features.mesh.multiviewMeshShader = features.mesh.primitiveFragmentShadingRateMeshShader = VK_FALSE;
	v->mesh = features.mesh.meshShader;
	v->ray_tracing = features.rays.rayTracingPipeline;
	v->mutable_types = features.mutable_type.mutableDescriptorType;
	v->libraries = features.libraries.graphicsPipelineLibrary;
	device_create(d, &features.core, extensions, count);
}
