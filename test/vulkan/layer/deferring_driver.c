/* SPDX-License-Identifier: Apache-2.0 */
/* A driver for the test of the layer: that of REAL_DRIVER, but ray tracing pipelines with a deferred operation are not
 * made before it is joined, which lavapipe does not do. For one operation at a time. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#define EXPORT __attribute__((visibility("default")))

static PFN_vkGetDeviceProcAddr get_real;
static PFN_vkCreateRayTracingPipelinesKHR create;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	enum { DEFERRED, RUNNING, COMPLETE } state;
	VkDeferredOperationKHR operation;
	VkPipelineCache cache;
	uint32_t count;
	const VkRayTracingPipelineCreateInfoKHR *infos;
	const VkAllocationCallbacks *allocator;
	VkPipeline *handles;
	VkResult result;
} call;

static VKAPI_ATTR VkResult VKAPI_CALL create_later(VkDevice device, VkDeferredOperationKHR operation,
						   VkPipelineCache cache, uint32_t count,
						   const VkRayTracingPipelineCreateInfoKHR *infos,
						   const VkAllocationCallbacks *allocator, VkPipeline *handles)
{
	if (!operation)
		return create(device, operation, cache, count, infos, allocator, handles);
	pthread_mutex_lock(&lock);
	call.state = DEFERRED;
	call.operation = operation;
	call.cache = cache;
	call.count = count;
	call.infos = infos;
	call.allocator = allocator;
	call.handles = handles;
	pthread_mutex_unlock(&lock);
	return VK_OPERATION_DEFERRED_KHR;
}

static VKAPI_ATTR VkResult VKAPI_CALL join(VkDevice device, VkDeferredOperationKHR operation)
{
	VkResult result = VK_SUCCESS;

	(void)operation;
	pthread_mutex_lock(&lock);
	if (call.state == RUNNING)
		result = VK_THREAD_DONE_KHR;
	if (call.state == DEFERRED) {
		call.state = RUNNING;
		pthread_mutex_unlock(&lock);
		call.result =
		    create(device, VK_NULL_HANDLE, call.cache, call.count, call.infos, call.allocator, call.handles);
		pthread_mutex_lock(&lock);
		call.state = COMPLETE;
	}
	pthread_mutex_unlock(&lock);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL get_result(VkDevice device, VkDeferredOperationKHR operation)
{
	VkResult result;

	(void)device;
	(void)operation;
	pthread_mutex_lock(&lock);
	result = call.state == COMPLETE ? call.result : VK_NOT_READY;
	pthread_mutex_unlock(&lock);
	return result;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_function(VkDevice device, const char *name)
{
	PFN_vkVoidFunction real = get_real(device, name);

	if (!strcmp(name, "vkCreateRayTracingPipelinesKHR")) {
		create = (PFN_vkCreateRayTracingPipelinesKHR)real;
		return (PFN_vkVoidFunction)create_later;
	}
	if (!strcmp(name, "vkDeferredOperationJoinKHR"))
		return (PFN_vkVoidFunction)join;
	if (!strcmp(name, "vkGetDeferredOperationResultKHR"))
		return (PFN_vkVoidFunction)get_result;
	return real;
}

/* What the loader calls, of the real driver */

static void *real_function(const char *name)
{
	static void *driver;

	if (!driver && !(driver = dlopen(getenv("REAL_DRIVER"), RTLD_NOW)))
		abort();
	return dlsym(driver, name);
}

EXPORT VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
	VkResult (*negotiate)(uint32_t *);

	*(void **)&negotiate = real_function("vk_icdNegotiateLoaderICDInterfaceVersion");
	return negotiate(version);
}

EXPORT PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char *name)
{
	PFN_vkGetInstanceProcAddr get;

	*(void **)&get = real_function("vk_icdGetInstanceProcAddr");
	if (strcmp(name, "vkGetDeviceProcAddr") != 0)
		return get(instance, name);
	get_real = (PFN_vkGetDeviceProcAddr)get(instance, name);
	return (PFN_vkVoidFunction)get_device_function;
}

EXPORT PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *name)
{
	PFN_vkGetInstanceProcAddr get;

	*(void **)&get = real_function("vk_icdGetPhysicalDeviceProcAddr");
	return get(instance, name);
}
