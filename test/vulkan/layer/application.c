/* SPDX-License-Identifier: Apache-2.0 */
/* An application for the test of the layer: creates pipelines in one of the ways that Vulkan has.
 *
 *     vulkan_layer WAY MODULE... [NAME=VALUE...]
 *
 * WAY       modules                              pipelines
 * graphics  vertex, fragment                     one, of modules with names, named afterwards
 * silent    vertex, fragment                     the same without VK_EXT_debug_utils
 * library   vertex, fragment                     linked of a library for each
 * compute   compute modules                      one each, of modules chained to the stage
 * objects   vertex, fragment, compute            shader objects: the first two linked
 * rays      ray generation, miss                 one, by a deferred operation
 * raylibs   ray generation, miss                 the same, linked of a library for each
 * threads   compute modules                      all of them, in 8 threads, again and again
 * killed    compute modules                      the same, until the process is killed
 *
 * The set layout of set 0 has the bindings below, for all stages. NAME=VALUE are settings of the layer, by
 * VK_EXT_layer_settings; spec=ID=VALUE is a specialization constant. Messages of the layer are printed, those of the
 * validation layer fail the run. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer/layer.h" /* for what Debian 12's headers do not have */

enum { MOST = 64, THREADS = 8, ROUNDS = 20 };

static struct {
	size_t size;
	uint32_t *words;
} modules[MOST];
static size_t module_count;
static VkInstance instance;
static VkDebugUtilsMessengerEXT messenger;
static VkDevice device;
static VkSamplerYcbcrConversion conversion;
static VkSampler sampler;
static VkDescriptorSetLayout set;
static VkPipelineLayout layout;
static PFN_vkSetDebugUtilsObjectNameEXT set_name;
static atomic_uint complaints, created;
static VkSpecializationMapEntry entry = {.size = 4};
static uint32_t spec_value;
static const VkSpecializationInfo spec = {1, &entry, 4, &spec_value};
static bool has_spec;

static void check(VkResult result, const char *what)
{
	if (result != VK_SUCCESS) {
		fprintf(stderr, "%s: %d\n", what, result);
		exit(1);
	}
}

static VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
					   VkDebugUtilsMessageTypeFlagsEXT type,
					   const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
	(void)user;
	if (data->pMessageIdName &&
	    (!strncmp(data->pMessageIdName, "SPB", 3) || !strcmp(data->pMessageIdName, "layout"))) {
		printf("messenger %s %s %s\n", data->pMessageIdName,
		       data->objectCount > 1 && data->pObjects[1].pObjectName ? data->pObjects[1].pObjectName : "-",
		       data->pMessage);
	} else if (type & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT &&
		   severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT) {
		fprintf(stderr, "%s\n", data->pMessage);
		atomic_fetch_add(&complaints, 1);
	}
	return VK_FALSE;
}

static void read_module(const char *path)
{
	FILE *file = fopen(path, "rb");
	static char buffer[1 << 20];

	if (!file || module_count == MOST) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(1);
	}
	modules[module_count].size = fread(buffer, 1, sizeof buffer, file);
	modules[module_count].words = malloc(modules[module_count].size);
	memcpy(modules[module_count].words, buffer, modules[module_count].size);
	module_count++;
	fclose(file);
}

static void name(VkObjectType type, uint64_t handle, const char *text)
{
	const VkDebugUtilsObjectNameInfoEXT info = {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, type,
						    handle, text};
	if (set_name)
		check(set_name(device, &info), "vkSetDebugUtilsObjectNameEXT");
}

static VkShaderModule make_module(size_t k, const char *label)
{
	const VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, modules[k].size,
					       modules[k].words};
	VkShaderModule module;

	check(vkCreateShaderModule(device, &info, NULL, &module), "vkCreateShaderModule");
	name(VK_OBJECT_TYPE_SHADER_MODULE, (uint64_t)module, label);
	return module;
}

static VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, VkShaderModule module)
{
	return (VkPipelineShaderStageCreateInfo){VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
						 NULL,
						 0,
						 stage,
						 module,
						 "main",
						 has_spec ? &spec : NULL};
}

/* Instance and device */

static void make_instance(char **settings, bool is_silent)
{
	const VkDebugUtilsMessengerCreateInfoEXT listener = {
	    .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
	    .messageSeverity = 0x1111,
	    .messageType = 7,
	    .pfnUserCallback = hear};
	VkLayerSettingEXT given[MOST];
	const char *values[MOST];
	VkLayerSettingsCreateInfoEXT layer_settings = {VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, NULL, 0,
						       given};
	const char *extension = "VK_EXT_debug_utils";
	const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
					       .apiVersion = VK_API_VERSION_1_3};
	const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
					   .pNext = *settings ? &layer_settings : NULL,
					   .pApplicationInfo = &application,
					   .enabledExtensionCount = !is_silent,
					   .ppEnabledExtensionNames = &extension};

	for (; *settings; settings++) {
		char *equals = strchr(*settings, '=');
		*equals = '\0';
		values[layer_settings.settingCount] = equals + 1;
		given[layer_settings.settingCount] =
		    (VkLayerSettingEXT){"VK_LAYER_SPIRV_BIND", *settings, VK_LAYER_SETTING_TYPE_STRING_EXT, 1,
					&values[layer_settings.settingCount]};
		layer_settings.settingCount++;
	}
	check(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance");
	if (!is_silent)
		check(((PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
			  instance, "vkCreateDebugUtilsMessengerEXT"))(instance, &listener, NULL, &messenger),
		      "vkCreateDebugUtilsMessengerEXT");
}

static void make_device(bool has_objects)
{
	static const char *extensions[] = {
	    "VK_KHR_pipeline_library",       "VK_EXT_graphics_pipeline_library", "VK_KHR_deferred_host_operations",
	    "VK_KHR_acceleration_structure", "VK_KHR_ray_tracing_pipeline",      "VK_EXT_mutable_descriptor_type",
	    "VK_EXT_shader_object"};
	VkBaseOutStructure object = {.sType = (VkStructureType)1000482000};
	struct { /* VkPhysicalDeviceShaderObjectFeaturesEXT */
		VkBaseOutStructure head;
		VkBool32 shader_object;
	} objects = {object, VK_TRUE};
	VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT changing = {
	    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT, has_objects ? &objects : NULL,
	    VK_TRUE};
	VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
	    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
	    .pNext = &changing,
	    .accelerationStructure = VK_TRUE};
	VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays = {
	    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
	    .pNext = &structures,
	    .rayTracingPipeline = VK_TRUE};
	VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
	    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, &rays, VK_TRUE};
	VkPhysicalDeviceVulkan13Features vulkan13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
						     .pNext = &libraries,
						     .inlineUniformBlock = VK_TRUE,
						     .dynamicRendering = VK_TRUE};
	VkPhysicalDeviceVulkan11Features vulkan11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
						     .pNext = &vulkan13,
						     .samplerYcbcrConversion = VK_TRUE};
	VkPhysicalDeviceVulkan12Features vulkan12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
						     .pNext = &vulkan11,
						     .runtimeDescriptorArray = VK_TRUE,
						     .bufferDeviceAddress = VK_TRUE,
						     .shaderSampledImageArrayNonUniformIndexing = VK_TRUE};
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 0, 1, &priority};
	const VkPhysicalDeviceFeatures features = {.shaderSampledImageArrayDynamicIndexing = VK_TRUE};
	const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
					 .pNext = &vulkan12,
					 .queueCreateInfoCount = 1,
					 .pQueueCreateInfos = &queue,
					 .enabledExtensionCount = (uint32_t)LAYER_COUNT(extensions) - !has_objects,
					 .ppEnabledExtensionNames = extensions,
					 .pEnabledFeatures = &features};
	VkPhysicalDevice physical;
	uint32_t count = 1;

	vkEnumeratePhysicalDevices(instance, &count, &physical);
	check(vkCreateDevice(physical, &info, NULL, &device), "vkCreateDevice");
	set_name = (PFN_vkSetDebugUtilsObjectNameEXT)vkGetDeviceProcAddr(device, "vkSetDebugUtilsObjectNameEXT");
}

static void make_layouts(void)
{
	static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
	const VkMutableDescriptorTypeListEXT lists[] = {{0}, {0}, {0}, {2, types}, {0}};
	const VkMutableDescriptorTypeCreateInfoEXT mutable = {VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
							      NULL, 5, lists};
	const VkSamplerYcbcrConversionCreateInfo planes = {.sType =
							       VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
							   .format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM};
	VkSamplerYcbcrConversionInfo converted = {VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, NULL, NULL};
	const VkSamplerCreateInfo sampling = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
					      .pNext = &converted,
					      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
					      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
					      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
	check(vkCreateSamplerYcbcrConversion(device, &planes, NULL, &conversion), "vkCreateSamplerYcbcrConversion");
	converted.conversion = conversion;
	check(vkCreateSampler(device, &sampling, NULL, &sampler), "vkCreateSampler");
	const VkSampler samplers[] = {sampler, sampler};
	const VkDescriptorSetLayoutBinding bindings[] = {
	    {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 4, VK_SHADER_STAGE_ALL, NULL},
	    {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
	    {2, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 16, VK_SHADER_STAGE_ALL, NULL},
	    {3, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 1, VK_SHADER_STAGE_ALL, NULL},
	    {4, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2, VK_SHADER_STAGE_ALL, samplers}};
	const VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &mutable, 0,
						      5, bindings};
	const VkPipelineLayoutCreateInfo all = {
	    VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &set, 0, NULL};

	check(vkCreateDescriptorSetLayout(device, &info, NULL, &set), "vkCreateDescriptorSetLayout");
	check(vkCreatePipelineLayout(device, &all, NULL, &layout), "vkCreatePipelineLayout");
}

/* Pipelines */

static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;

static VkPipeline make_graphics(const void *chain, VkPipelineCreateFlags flags, uint32_t count,
				const VkPipelineShaderStageCreateInfo *stages)
{
	const VkPipelineVertexInputStateCreateInfo input = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
	const VkPipelineInputAssemblyStateCreateInfo assembly = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
	    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
	const VkViewport viewport = {0, 0, 8, 8, 0, 1};
	const VkRect2D scissor = {{0, 0}, {8, 8}};
	const VkPipelineViewportStateCreateInfo view = {
	    VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, NULL, 0, 1, &viewport, 1, &scissor};
	const VkPipelineRasterizationStateCreateInfo raster = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
	const VkPipelineMultisampleStateCreateInfo samples = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
	    .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
	const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 15};
	const VkPipelineColorBlendStateCreateInfo blend = {.sType =
							       VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
							   .attachmentCount = 1,
							   .pAttachments = &attachment};
	const VkPipelineDepthStencilStateCreateInfo depth = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
	const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
						   .pNext = chain,
						   .flags = flags,
						   .stageCount = count,
						   .pStages = stages,
						   .pVertexInputState = &input,
						   .pInputAssemblyState = &assembly,
						   .pViewportState = &view,
						   .pRasterizationState = &raster,
						   .pMultisampleState = &samples,
						   .pDepthStencilState = &depth,
						   .pColorBlendState = &blend,
						   .layout = layout};
	VkPipeline pipeline;

	check(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	      "vkCreateGraphicsPipelines");
	return pipeline;
}

static void graphics(bool as_libraries)
{
	static const VkGraphicsPipelineLibraryFlagsEXT parts[] = {
	    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
		VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
	    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
		VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT};
	VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
						   .colorAttachmentCount = 1,
						   .pColorAttachmentFormats = &format};
	const VkShaderModule handles[] = {make_module(0, "the vertices"), make_module(1, "the \"pixels\"")};
	const VkPipelineShaderStageCreateInfo stages[] = {stage_of(VK_SHADER_STAGE_VERTEX_BIT, handles[0]),
							  stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, handles[1])};
	VkPipeline libraries[2], pipeline;
	VkPipelineLibraryCreateInfoKHR link = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, NULL, 2, libraries};

	for (uint32_t k = 0; as_libraries && k < 2; k++) {
		rendering.colorAttachmentCount = k; /* of the fragment output interface */
		const VkGraphicsPipelineLibraryCreateInfoEXT part = {
		    VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, &rendering, parts[k]};
		libraries[k] = make_graphics(&part, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, 1, &stages[k]);
	}
	for (int k = 0; as_libraries && k < 2; k++) /* the layer still has them */
		vkDestroyShaderModule(device, handles[k], NULL);
	pipeline = as_libraries ? make_graphics(&link, 0, 0, NULL) : make_graphics(&rendering, 0, 2, stages);
	name(VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline, "the pipeline");
	vkDestroyPipeline(device, pipeline, NULL);
	for (int k = 0; k < 2; k++) {
		if (as_libraries)
			vkDestroyPipeline(device, libraries[k], NULL);
		else
			vkDestroyShaderModule(device, handles[k], NULL);
	}
}

static void compute(void)
{
	for (size_t k = 0; k < module_count; k++) {
		const VkShaderModuleCreateInfo code = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0,
						       modules[k].size, modules[k].words};
		VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
						    .stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, VK_NULL_HANDLE),
						    .layout = layout};
		VkPipeline pipeline;
		info.stage.pNext = &code;
		check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
		      "vkCreateComputePipelines");
		vkDestroyPipeline(device, pipeline, NULL);
	}
}

static void objects(void)
{
	static const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT,
						       VK_SHADER_STAGE_COMPUTE_BIT};
	PFN_vkCreateShadersEXT create = (PFN_vkCreateShadersEXT)vkGetDeviceProcAddr(device, "vkCreateShadersEXT");
	PFN_vkDestroyShaderEXT destroy = (PFN_vkDestroyShaderEXT)vkGetDeviceProcAddr(device, "vkDestroyShaderEXT");
	VkShaderCreateInfoEXT infos[3];
	VkShaderEXT shaders[3];

	for (int k = 0; k < 3; k++)
		infos[k] = (VkShaderCreateInfoEXT){.sType = (VkStructureType)1000482002,
						   .flags = k < 2 ? VK_SHADER_CREATE_LINK_STAGE_BIT_EXT : 0,
						   .stage = stages[k],
						   .nextStage = k ? 0 : VK_SHADER_STAGE_FRAGMENT_BIT,
						   .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
						   .codeSize = modules[k].size,
						   .pCode = modules[k].words,
						   .pName = "main",
						   .setLayoutCount = 1,
						   .pSetLayouts = &set};
	check(create(device, 3, infos, NULL, shaders), "vkCreateShadersEXT");
	name((VkObjectType)1000482000, (uint64_t)shaders[1], "the shader");
	for (int k = 0; k < 3; k++)
		destroy(device, shaders[k], NULL);
}

#define DEVICE_FUNCTION(name) PFN_vk##name name = (PFN_vk##name)vkGetDeviceProcAddr(device, "vk" #name)

/* A ray tracing pipeline by a deferred operation. Two threads join it: either may be the one that completes it. */
static struct {
	PFN_vkDeferredOperationJoinKHR join;
	VkDeferredOperationKHR operation;
} deferred;

static void *join(void *unused)
{
	VkResult result = deferred.join(device, deferred.operation);

	(void)unused;
	if (result != VK_THREAD_DONE_KHR && result != VK_THREAD_IDLE_KHR)
		check(result, "vkDeferredOperationJoinKHR");
	return NULL;
}

static VkPipeline make_rays(VkPipelineCreateFlags flags, uint32_t count, const VkPipelineShaderStageCreateInfo *stages,
			    const VkPipelineLibraryCreateInfoKHR *libraries)
{
	DEVICE_FUNCTION(CreateDeferredOperationKHR);
	DEVICE_FUNCTION(DeferredOperationJoinKHR);
	DEVICE_FUNCTION(GetDeferredOperationResultKHR);
	DEVICE_FUNCTION(DestroyDeferredOperationKHR);
	DEVICE_FUNCTION(CreateRayTracingPipelinesKHR);
	const uint32_t none = VK_SHADER_UNUSED_KHR;
	const VkRayTracingPipelineInterfaceCreateInfoKHR interface = {
	    VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR, NULL, 16, 16};
	VkRayTracingShaderGroupCreateInfoKHR groups[2];
	const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
							.flags = flags,
							.stageCount = count,
							.pStages = stages,
							.groupCount = count,
							.pGroups = groups,
							.maxPipelineRayRecursionDepth = 1,
							.pLibraryInfo = libraries,
							.pLibraryInterface = flags || libraries ? &interface : NULL,
							.layout = layout};
	VkPipeline pipeline = VK_NULL_HANDLE;
	pthread_t other;
	VkResult result;

	for (uint32_t k = 0; k < count; k++)
		groups[k] =
		    (VkRayTracingShaderGroupCreateInfoKHR){VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
							   NULL,
							   VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
							   k,
							   none,
							   none,
							   none,
							   NULL};
	check(CreateDeferredOperationKHR(device, NULL, &deferred.operation), "vkCreateDeferredOperationKHR");
	deferred.join = DeferredOperationJoinKHR;
	result = CreateRayTracingPipelinesKHR(device, deferred.operation, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
	if (result == VK_OPERATION_DEFERRED_KHR) {
		if (GetDeferredOperationResultKHR(device, deferred.operation) == VK_NOT_READY && !pipeline)
			printf("deferred\n");
		pthread_create(&other, NULL, join, NULL);
		join(NULL);
		pthread_join(other, NULL);
	} else if (result != VK_OPERATION_NOT_DEFERRED_KHR) {
		check(result, "vkCreateRayTracingPipelinesKHR");
	}
	check(GetDeferredOperationResultKHR(device, deferred.operation), "vkGetDeferredOperationResultKHR");
	DestroyDeferredOperationKHR(device, deferred.operation, NULL);
	return pipeline;
}

static void rays(bool as_libraries)
{
	const VkPipelineShaderStageCreateInfo stages[] = {
	    stage_of(VK_SHADER_STAGE_RAYGEN_BIT_KHR, make_module(0, "the rays")),
	    stage_of(VK_SHADER_STAGE_MISS_BIT_KHR, make_module(1, "those that miss"))};
	VkPipeline libraries[2], pipeline;
	const VkPipelineLibraryCreateInfoKHR link = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, NULL, 2,
						     libraries};

	for (uint32_t k = 0; as_libraries && k < 2; k++)
		libraries[k] = make_rays(VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, 1, &stages[k], NULL);
	for (int k = 0; as_libraries && k < 2; k++) /* the layer still has them */
		vkDestroyShaderModule(device, stages[k].module, NULL);
	pipeline = as_libraries ? make_rays(0, 0, NULL, &link) : make_rays(0, 2, stages, NULL);
	name(VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline, "the pipeline");
	vkDestroyPipeline(device, pipeline, NULL);
	for (int k = 0; k < 2; k++) {
		if (as_libraries)
			vkDestroyPipeline(device, libraries[k], NULL);
		else
			vkDestroyShaderModule(device, stages[k].module, NULL);
	}
}

static bool until_killed;

static void *create_all(void *from)
{
	for (size_t i = 0; i < ROUNDS || until_killed; i++) {
		const size_t k = (i + (size_t)from) % module_count;
		VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
						    .layout = layout};
		VkPipeline pipeline;
		info.stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, make_module(k, "one of many"));
		check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
		      "vkCreateComputePipelines");
		name(VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline, "one of many");
		vkDestroyPipeline(device, pipeline, NULL);
		vkDestroyShaderModule(device, info.stage.module, NULL);
		if (atomic_fetch_add(&created, 1) == 3 && until_killed) {
			printf("working\n"); /* for whoever kills it */
			fflush(stdout);
		}
	}
	return NULL;
}

static void threads(void)
{
	pthread_t all[THREADS];

	for (size_t k = 0; k < THREADS; k++)
		pthread_create(&all[k], NULL, create_all, (void *)k);
	for (size_t k = 0; k < THREADS; k++)
		pthread_join(all[k], NULL);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	int k = 2;

	for (; k < argc && !strchr(argv[k], '='); k++)
		read_module(argv[k]);
	if (k < argc && sscanf(argv[k], "spec=%u=%u", &entry.constantID, &spec_value) == 2) {
		has_spec = true;
		k++;
	}
	make_instance(argv + k, !strcmp(way, "silent"));
	make_device(!strcmp(way, "objects"));
	make_layouts();
	until_killed = !strcmp(way, "killed");
	if (!strcmp(way, "graphics") || !strcmp(way, "silent") || !strcmp(way, "library"))
		graphics(!strcmp(way, "library"));
	else if (!strcmp(way, "compute"))
		compute();
	else if (!strcmp(way, "objects"))
		objects();
	else if (!strcmp(way, "rays") || !strcmp(way, "raylibs"))
		rays(!strcmp(way, "raylibs"));
	else
		threads();
	vkDestroyPipelineLayout(device, layout, NULL);
	vkDestroyDescriptorSetLayout(device, set, NULL);
	vkDestroySampler(device, sampler, NULL);
	vkDestroySamplerYcbcrConversion(device, conversion, NULL);
	vkDestroyDevice(device, NULL);
	if (messenger)
		((PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
		    instance, "vkDestroyDebugUtilsMessengerEXT"))(instance, messenger, NULL);
	vkDestroyInstance(instance, NULL);
	return complaints != 0;
}
