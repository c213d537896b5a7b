/* SPDX-License-Identifier: Apache-2.0 */
/* device: an instance with the validation layer, and for each case a device with only the features in its layout.
 *
 * Any error or warning of the layer, the loader or the driver fails the case, without exceptions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
						 VkDebugUtilsMessageTypeFlagsEXT type,
						 const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
	struct device *d = user;
	const char *id = data->pMessageIdName ? data->pMessageIdName : "";

	(void)type;
	d->complaints++;
	printf("%s: %s: %s: %s\n", now_running,
	       severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT ? "error" : "warning", id, data->pMessage);
	return VK_FALSE;
}

static void create_instance(struct device *d)
{
	static const char *const layers[] = {"VK_LAYER_KHRONOS_validation"};
	static const char *const extensions[] = {"VK_EXT_debug_utils"};
	VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = "vulkan_run"};
	uint32_t version;
	VkDebugUtilsMessengerCreateInfoEXT messages = {
	    .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
	    .messageSeverity =
		VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
	    .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
			   VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
			   VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
	    .pfnUserCallback = on_message,
	    .pUserData = d,
	};

	check(vkEnumerateInstanceVersion(&version), "vkEnumerateInstanceVersion");
	d->version = version < VK_API_VERSION_1_3 ? version : VK_API_VERSION_1_3;
	application.apiVersion = d->version;
	check(vkCreateInstance(&(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
						       .pNext = &messages,
						       .pApplicationInfo = &application,
						       .enabledLayerCount = d->unvalidated ? 0 : 1,
						       .ppEnabledLayerNames = layers,
						       .enabledExtensionCount = 1,
						       .ppEnabledExtensionNames = extensions},
			       NULL, &d->instance),
	      "vkCreateInstance (with VK_LAYER_KHRONOS_validation)");
	PFN_vkCreateDebugUtilsMessengerEXT create =
	    (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(d->instance, "vkCreateDebugUtilsMessengerEXT");
	check(create(d->instance, &messages, NULL, &d->messenger), "vkCreateDebugUtilsMessengerEXT");
}

bool device_has_extension(const struct device *d, const char *name)
{
	uint32_t count = 0;
	bool found = false;

	check(vkEnumerateDeviceExtensionProperties(d->physical, NULL, &count, NULL),
	      "vkEnumerateDeviceExtensionProperties");
	VkExtensionProperties *list = zeroed(count, sizeof *list);
	check(vkEnumerateDeviceExtensionProperties(d->physical, NULL, &count, list),
	      "vkEnumerateDeviceExtensionProperties");
	for (uint32_t i = 0; i < count; i++)
		found |= !strcmp(list[i].extensionName, name);
	free(list);
	return found;
}

/* The pNext chain through all members that the driver knows. */
static void chain(const struct device *d, struct features *f)
{
	*f = (struct features){0};
	f->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
	f->vulkan11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
	f->vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
	f->acceleration.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR;
	f->ray_query.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR;
	f->mutable_type.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT;
	f->mesh.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT;
	f->trace.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR;
	f->vulkan13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
	f->core.pNext = &f->vulkan11;
	f->vulkan11.pNext = &f->vulkan12;
	void **end = &f->vulkan12.pNext;
	if (d->version >= VK_API_VERSION_1_3) {
		*end = &f->vulkan13;
		end = &f->vulkan13.pNext;
	}
	if (d->ray_queries) {
		*end = &f->acceleration;
		f->acceleration.pNext = &f->ray_query;
		end = &f->ray_query.pNext;
	}
	if (d->meshes) {
		*end = &f->mesh;
		end = &f->mesh.pNext;
	}
	if (d->traces) {
		*end = &f->trace;
		end = &f->trace.pNext;
	}
	if (d->mutable_types)
		*end = &f->mutable_type;
}

void device_choose(struct device *d, const char *icd)
{
	uint32_t count = 1;
	VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
	VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
						  .pNext = &driver};

	setenv("VK_DRIVER_FILES", icd, 1);
	setenv("VK_ICD_FILENAMES", icd, 1); /* its older name */
	setenv("NODEVICE_SELECT", "1", 1);  /* Mesa's implicit layer looks for a display */
	setenv("VK_LOADER_DEBUG", "none", 1);
	setenv("VK_LAYER_ENABLE_MESSAGE_LIMIT", "false", 1); /* newer layers repeat a message only ten times */
	create_instance(d);
	VkResult result = vkEnumeratePhysicalDevices(d->instance, &count, &d->physical);
	if ((result != VK_SUCCESS && result != VK_INCOMPLETE) || !count)
		die("%s offers no device (VkResult %d)", icd, (int)result);
	vkGetPhysicalDeviceProperties2(d->physical, &properties);
	if (properties.properties.apiVersion < d->version)
		d->version = properties.properties.apiVersion;
	if (d->version < VK_API_VERSION_1_2)
		die("%s is no Vulkan 1.2 device", properties.properties.deviceName);
	d->driver = driver.driverID == VK_DRIVER_ID_MESA_LLVMPIPE        ? LAVAPIPE
		    : driver.driverID == VK_DRIVER_ID_GOOGLE_SWIFTSHADER ? SWIFTSHADER
									 : DRIVER_OTHER;
	d->driver_name = d->driver == LAVAPIPE ? "lavapipe" : d->driver == SWIFTSHADER ? "swiftshader" : "other";
	d->ray_queries = device_has_extension(d, "VK_KHR_ray_query");
	d->mutable_types = device_has_extension(d, "VK_EXT_mutable_descriptor_type");
	d->meshes = device_has_extension(d, "VK_EXT_mesh_shader");
	d->traces = d->ray_queries && device_has_extension(d, "VK_KHR_ray_tracing_pipeline");
	vkGetPhysicalDeviceMemoryProperties(d->physical, &d->memory);
	chain(d, &d->has);
	vkGetPhysicalDeviceFeatures2(d->physical, &d->has.core);
}

void device_forget(struct device *d)
{
	PFN_vkDestroyDebugUtilsMessengerEXT destroy =
	    (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(d->instance, "vkDestroyDebugUtilsMessengerEXT");

	destroy(d->instance, d->messenger, NULL);
	vkDestroyInstance(d->instance, NULL);
}

#define CORE(name)                                                                                                     \
	{                                                                                                              \
#name, offsetof(struct features, core.features.name)                                                   \
	}
#define V12(name)                                                                                                      \
	{                                                                                                              \
#name, offsetof(struct features, vulkan12.name)                                                        \
	}

#define V11(name)                                                                                                      \
	{                                                                                                              \
#name, offsetof(struct features, vulkan11.name)                                                        \
	}

static const struct {
	const char *name;
	size_t offset;
} feature_table[] = {
    V11(variablePointersStorageBuffer),
    V11(variablePointers),
    CORE(shaderUniformBufferArrayDynamicIndexing),
    CORE(shaderSampledImageArrayDynamicIndexing),
    CORE(shaderStorageBufferArrayDynamicIndexing),
    CORE(shaderStorageImageArrayDynamicIndexing),
    CORE(shaderStorageImageReadWithoutFormat),
    CORE(shaderStorageImageWriteWithoutFormat),
    CORE(shaderStorageImageMultisample),
    CORE(imageCubeArray),
    CORE(shaderInt64),
    V12(shaderInputAttachmentArrayDynamicIndexing),
    V12(shaderUniformTexelBufferArrayDynamicIndexing),
    V12(shaderStorageTexelBufferArrayDynamicIndexing),
    V12(shaderUniformBufferArrayNonUniformIndexing),
    V12(shaderSampledImageArrayNonUniformIndexing),
    V12(shaderStorageBufferArrayNonUniformIndexing),
    V12(shaderStorageImageArrayNonUniformIndexing),
    V12(shaderInputAttachmentArrayNonUniformIndexing),
    V12(shaderUniformTexelBufferArrayNonUniformIndexing),
    V12(shaderStorageTexelBufferArrayNonUniformIndexing),
    V12(descriptorBindingUniformBufferUpdateAfterBind),
    V12(descriptorBindingSampledImageUpdateAfterBind),
    V12(descriptorBindingStorageImageUpdateAfterBind),
    V12(descriptorBindingStorageBufferUpdateAfterBind),
    V12(descriptorBindingUniformTexelBufferUpdateAfterBind),
    V12(descriptorBindingStorageTexelBufferUpdateAfterBind),
    V12(descriptorBindingPartiallyBound),
    V12(descriptorBindingVariableDescriptorCount),
    V12(runtimeDescriptorArray),
    V12(bufferDeviceAddress),
    {"accelerationStructure", offsetof(struct features, acceleration.accelerationStructure)},
    {"descriptorBindingAccelerationStructureUpdateAfterBind",
     offsetof(struct features, acceleration.descriptorBindingAccelerationStructureUpdateAfterBind)},
    CORE(fragmentStoresAndAtomics),
    CORE(vertexPipelineStoresAndAtomics),
    CORE(tessellationShader),
    CORE(geometryShader),
    {"dynamicRendering", offsetof(struct features, vulkan13.dynamicRendering)},
    {"shaderDemoteToHelperInvocation", offsetof(struct features, vulkan13.shaderDemoteToHelperInvocation)},
    {"meshShader", offsetof(struct features, mesh.meshShader)},
    {"taskShader", offsetof(struct features, mesh.taskShader)},
    {"rayTracingPipeline", offsetof(struct features, trace.rayTracingPipeline)},
    {"rayQuery", offsetof(struct features, ray_query.rayQuery)},
    {"mutableDescriptorType", offsetof(struct features, mutable_type.mutableDescriptorType)},
};

static bool enable_if_there(struct device *d, const char *name)
{
	for (size_t i = 0; i < sizeof feature_table / sizeof feature_table[0]; i++) {
		size_t at = feature_table[i].offset;
		if (strcmp(feature_table[i].name, name) != 0)
			continue;
		if (!*(const VkBool32 *)((const char *)&d->has + at))
			return false;
		*(VkBool32 *)((char *)&d->uses + at) = VK_TRUE;
		return true;
	}
	die("the layout asks for the feature %s, which this runner does not know", name);
}

static void enable(void *user, const char *name)
{
	if (!enable_if_there(user, name))
		die("the device lacks the feature %s", name);
}

static const char *update_after_bind_feature(VkDescriptorType type)
{
	switch ((int)type) {
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
		return "descriptorBindingStorageImageUpdateAfterBind";
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
		return "descriptorBindingUniformTexelBufferUpdateAfterBind";
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
		return "descriptorBindingStorageTexelBufferUpdateAfterBind";
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
		return "descriptorBindingUniformBufferUpdateAfterBind";
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
		return "descriptorBindingStorageBufferUpdateAfterBind";
	case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
		return "descriptorBindingAccelerationStructureUpdateAfterBind";
	default:
		return "descriptorBindingSampledImageUpdateAfterBind";
	}
}

/* Runtime arrays, with the flags of a bindless host. Only the last binding of a set may have a variable count. */
static void add_runtime_flags(struct device *d, struct layout *l)
{
	for (uint32_t i = 0; i < l->binding_count; i++) {
		struct binding *b = &l->bindings[i];
		bool last = i + 1 == l->binding_count || l->bindings[i + 1].set != b->set;
		if (!b->runtime)
			continue;
		if (!(b->flags & VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT))
			die("the layout does not say that the runtime array %s is partially bound", b->name);
		bool all = true;
		for (uint32_t k = 0; k < b->type_count; k++)
			all &= enable_if_there(d, update_after_bind_feature(b->types[k].descriptor));
		if (all)
			b->flags |= VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
		if (last && enable_if_there(d, "descriptorBindingVariableDescriptorCount"))
			b->flags |= VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
	}
}

struct extension_list {
	const char *names[8];
	uint32_t count;
};

static void add_extensions_of(void *user, const char *spirv)
{
	struct extension_list *list = user;

	if (!strcmp(spirv, "SPV_KHR_shader_ballot"))
		list->names[list->count++] = "VK_EXT_shader_subgroup_ballot";
	if (!strcmp(spirv, "SPV_KHR_ray_query")) {
		list->names[list->count++] = "VK_KHR_ray_query";
		list->names[list->count++] = "VK_KHR_acceleration_structure";
		list->names[list->count++] = "VK_KHR_deferred_host_operations";
	}
}

/* The features needed to run a stage at all. */
static void enable_stage(struct device *d, VkShaderStageFlagBits stage, struct extension_list *list)
{
	d->draws = false;
	if (stage == VK_SHADER_STAGE_COMPUTE_BIT)
		return;
	if (stage == VK_SHADER_STAGE_RAYGEN_BIT_KHR) {
		enable(d, "rayTracingPipeline");
		enable(d, "accelerationStructure");
		enable(d, "bufferDeviceAddress");
		list->names[list->count++] = "VK_KHR_ray_tracing_pipeline";
		list->names[list->count++] = "VK_KHR_acceleration_structure";
		list->names[list->count++] = "VK_KHR_deferred_host_operations";
		return;
	}
	d->draws = true;
	enable(d, "dynamicRendering");
	enable(d,
	       stage == VK_SHADER_STAGE_FRAGMENT_BIT ? "fragmentStoresAndAtomics" : "vertexPipelineStoresAndAtomics");
	if (stage == VK_SHADER_STAGE_FRAGMENT_BIT) {
		enable_if_there(d, "shaderDemoteToHelperInvocation");
		enable_if_there(d, "geometryShader"); /* for PrimitiveId */
	}
	if (stage == VK_SHADER_STAGE_GEOMETRY_BIT)
		enable(d, "geometryShader");
	if (stage & (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT))
		enable(d, "tessellationShader");
	if (stage & (VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)) {
		enable(d, "meshShader");
		enable(d, "taskShader");
		list->names[list->count++] = "VK_EXT_mesh_shader";
	}
}

void device_create(struct device *d, const VkPhysicalDeviceFeatures2 *features, const char *const *extensions,
		   uint32_t count)
{
	check(vkCreateDevice(d->physical,
			     &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
						   .pNext = features,
						   .queueCreateInfoCount = 1,
						   .pQueueCreateInfos =
						       &(VkDeviceQueueCreateInfo){
							   .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
							   .queueFamilyIndex = d->family,
							   .queueCount = 1,
							   .pQueuePriorities = &(float){1.0f},
						       },
						   .enabledExtensionCount = count,
						   .ppEnabledExtensionNames = extensions},
			     NULL, &d->device),
	      "vkCreateDevice");
}

VkPhysicalDeviceLimits device_create_whole(struct device *d, const char *const *wanted, size_t count)
{
	const char *extensions[16];
	uint32_t there = 0;
	VkPhysicalDeviceProperties properties;

	vkGetPhysicalDeviceProperties(d->physical, &properties);
	for (size_t i = 0; i < count && there < sizeof extensions / sizeof extensions[0]; i++) {
		if (device_has_extension(d, wanted[i]))
			extensions[there++] = wanted[i];
	}
	device_create(d, &d->has.core, extensions, there);
	return properties.limits;
}

void device_open(struct device *d, struct layout *l)
{
	uint32_t count = 16;
	VkQueueFamilyProperties families[16];
	struct extension_list extensions = {.count = 0};

	chain(d, &d->uses);
	d->uses.vulkan13.maintenance4 =
	    d->has.vulkan13.maintenance4; /* LocalSizeId, which glslang writes for Vulkan 1.3 */
	layout_each_required(l, "vulkanFeatures", enable, d);
	enable_if_there(d, "shaderInt64"); /* features of the shader itself; the layout names those of descriptors */
	if (enable_if_there(d, "variablePointersStorageBuffer"))
		enable_if_there(d, "variablePointers");
	if (d->uses.ray_query.rayQuery) { /* the host's side of it: no shader names these */
		enable(d, "accelerationStructure");
		enable(d, "bufferDeviceAddress");
	}
	add_runtime_flags(d, l);
	enable_stage(d, l->stage, &extensions);
	layout_each_required(l, "extensions", add_extensions_of, &extensions);
	if (d->uses.mutable_type.mutableDescriptorType)
		extensions.names[extensions.count++] = "VK_EXT_mutable_descriptor_type";
	vkGetPhysicalDeviceQueueFamilyProperties(d->physical, &count, families);
	VkQueueFlags all = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT;
	for (d->family = 0; d->family < count && (families[d->family].queueFlags & all) != all; d->family++)
		;
	if (d->family == count)
		die("the device has no queue for everything");
	device_create(d, &d->uses.core, extensions.names, extensions.count);
	vkGetDeviceQueue(d->device, d->family, 0, &d->queue);
}

void device_close(struct device *d)
{
	vkDestroyDevice(d->device, NULL);
}
