/* SPDX-License-Identifier: Apache-2.0 */
/* loader: between the loader and the next layer (LoaderLayerInterface, version 2). */
#include <string.h>

#include "layer/layer.h"

#define EXPORT __attribute__((visibility("default")))

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER; /* instances and devices */

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
						      const VkAllocationCallbacks *allocator, VkInstance *handle)
{
	const VkLayerInstanceCreateInfo *link = info->pNext;
	PFN_vkGetInstanceProcAddr get;
	struct layer_instance *i;
	VkResult result;

	while (link &&
	       !(link->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO && link->function == VK_LAYER_LINK_INFO))
		link = link->pNext;
	if (!link || !link->u.pLayerInfo)
		return VK_ERROR_INITIALIZATION_FAILED;
	get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
	((VkLayerInstanceCreateInfo *)(uintptr_t)link)->u.pLayerInfo = link->u.pLayerInfo->pNext;
	result = ((PFN_vkCreateInstance)get(VK_NULL_HANDLE, "vkCreateInstance"))(info, allocator, handle);
	if (result != VK_SUCCESS)
		return result;

	pthread_mutex_lock(&making);
	i = layer_make_instance();
	if (i) {
		i->handle = *handle;
		i->get = get;
		i->destroy = (PFN_vkDestroyInstance)get(*handle, "vkDestroyInstance");
		i->submit = (PFN_vkSubmitDebugUtilsMessageEXT)get(*handle, "vkSubmitDebugUtilsMessageEXT");
		layer_table_init(&i->analysed);
		layer_table_init(&i->reported);
		layer_table_init(&i->faulty);
		layer_read_settings(&i->settings, info);
		i->output = layer_output_open(&i->settings);
		i->record = *i->settings.record ? layer_record_open(i->settings.record) : NULL;
		atomic_store(&i->key, layer_key_of(*handle));
	}
	pthread_mutex_unlock(&making);
	if (!i) { /* without an element, nothing could be passed on */
		((PFN_vkDestroyInstance)get(*handle, "vkDestroyInstance"))(*handle, allocator);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance handle, const VkAllocationCallbacks *allocator)
{
	struct layer_instance *i = handle ? layer_instance_of(handle) : NULL;
	PFN_vkDestroyInstance destroy;

	if (!i)
		return;
	destroy = i->destroy;
	pthread_mutex_lock(&making);
	layer_table_clear(&i->analysed, NULL);
	layer_table_clear(&i->reported, NULL);
	layer_table_clear(&i->faulty, NULL);
	layer_record_close(i->record);
	atomic_store(&i->key, NULL);
	if (layer_free_devices())
		layer_output_close_all();
	pthread_mutex_unlock(&making);
	destroy(handle, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
						    const VkAllocationCallbacks *allocator, VkDevice *handle)
{
	struct layer_instance *i = layer_instance_of(physical);
	const VkLayerDeviceCreateInfo *link = info->pNext;
	PFN_vkGetDeviceProcAddr get;
	struct layer_device *d;
	VkResult result;

	while (link &&
	       !(link->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO && link->function == VK_LAYER_LINK_INFO))
		link = link->pNext;
	if (!i || !link || !link->u.pLayerInfo)
		return VK_ERROR_INITIALIZATION_FAILED;
	get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
	((VkLayerDeviceCreateInfo *)(uintptr_t)link)->u.pLayerInfo = link->u.pLayerInfo->pNext;
	result = ((PFN_vkCreateDevice)i->get(i->handle, "vkCreateDevice"))(physical, info, allocator, handle);
	if (result != VK_SUCCESS)
		return result;

	pthread_mutex_lock(&making);
	d = layer_make_device();
	if (d) {
		d->handle = *handle;
		d->instance = i;
		d->get = get;
		layer_table_init(&d->modules);
		layer_table_init(&d->set_layouts);
		layer_table_init(&d->pipeline_layouts);
		layer_table_init(&d->converting);
		layer_table_init(&d->pipelines);
		layer_table_init(&d->deferred);
#define POINTER(name) d->name = (PFN_vk##name)get(*handle, "vk" #name);
		LAYER_DEVICE_FUNCTIONS(POINTER)
#undef POINTER
		atomic_store(&d->key, layer_key_of(*handle));
	}
	pthread_mutex_unlock(&making);
	if (!d) {
		((PFN_vkDestroyDevice)get(*handle, "vkDestroyDevice"))(*handle, allocator);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice handle, const VkAllocationCallbacks *allocator)
{
	struct layer_device *d = handle ? layer_device_of(handle) : NULL;
	PFN_vkDestroyDevice destroy;

	if (!d)
		return;
	destroy = d->DestroyDevice;
	pthread_mutex_lock(&making);
	layer_table_clear(&d->deferred, layer_deferred_release);
	layer_table_clear(&d->pipelines, layer_program_release);
	layer_table_clear(&d->pipeline_layouts, layer_layout_release);
	layer_table_clear(&d->set_layouts, layer_set_release);
	layer_table_clear(&d->converting, NULL);
	layer_table_clear(&d->modules, layer_module_release);
	atomic_store(&d->key, NULL);
	pthread_mutex_unlock(&making);
	destroy(handle, allocator);
}

static PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice handle, const char *name);
static PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance handle, const char *name);

static const struct layer_function of_devices[] = {
    {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device, offsetof(struct layer_device, get)},
    {"vkDestroyDevice", (PFN_vkVoidFunction)destroy_device, offsetof(struct layer_device, DestroyDevice)},
    {0}};
static const struct layer_function of_instances[] = {{"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance, 0},
						     {"vkCreateInstance", (PFN_vkVoidFunction)create_instance, 0},
						     {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance, 0},
						     {"vkCreateDevice", (PFN_vkVoidFunction)create_device, 0},
						     {0}};

static const struct layer_function *find(const struct layer_function *functions, const char *name)
{
	while (functions->name && strcmp(functions->name, name) != 0)
		functions++;
	return functions->name ? functions : NULL;
}

static const struct layer_function *find_of_device(const char *name)
{
	const struct layer_function *f = find(of_devices, name);

	if (!f)
		f = find(layer_object_functions, name);
	return f ? f : find(layer_pipeline_functions, name);
}

/* What the next layer does not have is not there. Some have functions of extensions that are not enabled, but not when
 * the device is created; these are passed on. */
static PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice handle, const char *name)
{
	struct layer_device *d = layer_device_of(handle);
	PFN_vkVoidFunction next = d ? d->get(handle, name) : NULL, known = NULL;
	const struct layer_function *f = next ? find_of_device(name) : NULL;

	if (f)
		memcpy(&known, (const char *)d + f->next, sizeof known);
	return known ? f->ours : next;
}

static PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance handle, const char *name)
{
	struct layer_instance *i = handle ? layer_instance_of(handle) : NULL;
	const struct layer_function *f = find(of_instances, name);
	PFN_vkVoidFunction next = i && !f ? i->get(handle, name) : NULL;

	if (next)
		f = find_of_device(name);
	return f ? f->ours : next;
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface)
{
	if (interface->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT || interface->loaderLayerInterfaceVersion < 2)
		return VK_ERROR_INITIALIZATION_FAILED;
	interface->loaderLayerInterfaceVersion = 2;
	interface->pfnGetInstanceProcAddr = get_instance;
	interface->pfnGetDeviceProcAddr = get_device;
	interface->pfnGetPhysicalDeviceProcAddr = NULL;
	return VK_SUCCESS;
}
