/* SPDX-License-Identifier: Apache-2.0 */
/* heap_run: executes a compute shader with descriptors from the heaps of VK_EXT_descriptor_heap, and prints the numbers
 * in its output.
 *
 *     heap_run MODULE.spv RESOURCE_STRIDE SAMPLER_STRIDE      strides in bytes; size: of each type; unified: the larger
 *
 * Set 0 of the module is mapped: binding 0 is the output, binding 1 the handles, uvec2 for each resource: COUNT of each
 * kind in the order of enum kind. The contents of resource n of a kind:
 *
 *     TEXTURE   float, 200 + n, width 4 + n        UTEXEL   16 + n texels, texel j is 1000 * (n + 1) + j
 *     IMAGE     uint, 300 + n, width 4 + n         STEXEL   16 + n texels, texel j is 2000 * (n + 1) + j
 *     SAMPLER   to border: n odd: 1, else 0        UNIFORM  word j is 3000 * (n + 1) + j
 *     SCENE     one triangle at z = 10 + n         STORAGE  16 + n words, word j is 4000 * (n + 1) + j
 *
 * With MAPPED, the name of a layout header of prefix "mapped", set and binding of every resource is mapped as that
 * header does, and each gets the next resource of its kind; the buffer in set 0 is the output.
 *
 * The device has the features that heaps need, and none of descriptor indexing. COMBINED handles are a texture's (x)
 * and a sampler's (y). Every resource is host-visible or linear: no copies. The test compiles this program with the
 * Vulkan headers of the Debian suite of the driver, which know the extension. */
#define VK_NO_PROTOTYPES
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>
#ifdef MAPPED
#define mapped_mappings
#include MAPPED
#endif

enum { COUNT = 8, LANES = 8, COLUMNS = 16 };
enum kind { TEXTURE, IMAGE, UTEXEL, STEXEL, UNIFORM, STORAGE, SCENE, SAMPLER, COMBINED, KINDS };

#define FUNCTIONS(X)                                                                                                   \
	X(vkCreateInstance)                                                                                            \
	X(vkEnumeratePhysicalDevices)                                                                                  \
	X(vkGetPhysicalDeviceProperties2)                                                                              \
	X(vkGetPhysicalDeviceFeatures2)                                                                                \
	X(vkGetPhysicalDeviceMemoryProperties)                                                                         \
	X(vkEnumerateDeviceExtensionProperties)                                                                        \
	X(vkCreateDevice)                                                                                              \
	X(vkGetDeviceQueue)                                                                                            \
	X(vkCreateBuffer)                                                                                              \
	X(vkGetBufferMemoryRequirements)                                                                               \
	X(vkCreateImage)                                                                                               \
	X(vkGetImageMemoryRequirements)                                                                                \
	X(vkGetImageSubresourceLayout)                                                                                 \
	X(vkAllocateMemory)                                                                                            \
	X(vkMapMemory)                                                                                                 \
	X(vkBindBufferMemory)                                                                                          \
	X(vkBindImageMemory)                                                                                           \
	X(vkGetBufferDeviceAddress)                                                                                    \
	X(vkCreateShaderModule)                                                                                        \
	X(vkCreateComputePipelines)                                                                                    \
	X(vkCreateCommandPool)                                                                                         \
	X(vkAllocateCommandBuffers)                                                                                    \
	X(vkBeginCommandBuffer)                                                                                        \
	X(vkEndCommandBuffer)                                                                                          \
	X(vkCmdPipelineBarrier)                                                                                        \
	X(vkCmdBindPipeline)                                                                                           \
	X(vkCmdDispatch)                                                                                               \
	X(vkQueueSubmit)                                                                                               \
	X(vkQueueWaitIdle)                                                                                             \
	X(vkWriteSamplerDescriptorsEXT)                                                                                \
	X(vkWriteResourceDescriptorsEXT)                                                                               \
	X(vkCmdBindSamplerHeapEXT)                                                                                     \
	X(vkCmdBindResourceHeapEXT)                                                                                    \
	X(vkCmdPushDataEXT)                                                                                            \
	X(vkGetAccelerationStructureBuildSizesKHR)                                                                     \
	X(vkCreateAccelerationStructureKHR)                                                                            \
	X(vkGetAccelerationStructureDeviceAddressKHR)                                                                  \
	X(vkCmdBuildAccelerationStructuresKHR)

#define DECLARE(name) static PFN_##name name;
FUNCTIONS(DECLARE)

static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;
static VkPhysicalDeviceMemoryProperties memory;
static VkPhysicalDeviceDescriptorHeapPropertiesEXT heap_properties = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT};
static VkCommandBuffer commands;
static VkQueue queue;

static _Noreturn void die(const char *what, long number)
{
	fprintf(stderr, "heap_run: %s (%ld)\n", what, number);
	exit(1);
}

static void check(VkResult result, const char *what)
{
	if (result != VK_SUCCESS)
		die(what, (long)result);
}

static void load(PFN_vkGetInstanceProcAddr get)
{
#define LOAD(name) name = (PFN_##name)get(instance, #name);
	FUNCTIONS(LOAD)
}

/* Memory */

struct buffer {
	VkBuffer buffer;
	VkDeviceAddress address;
	VkDeviceSize size;
	uint32_t *words;
};

static VkDeviceMemory allocate(VkMemoryRequirements needs, void **mapped)
{
	const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
	VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
					   .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
	VkMemoryAllocateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &flags, .allocationSize = needs.size};
	VkDeviceMemory made;

	while (info.memoryTypeIndex < memory.memoryTypeCount &&
	       (!(needs.memoryTypeBits >> info.memoryTypeIndex & 1) ||
		(memory.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted))
		info.memoryTypeIndex++;
	if (info.memoryTypeIndex == memory.memoryTypeCount)
		die("no host-visible memory", 0);
	check(vkAllocateMemory(device, &info, NULL, &made), "vkAllocateMemory");
	check(vkMapMemory(device, made, 0, VK_WHOLE_SIZE, 0, mapped), "vkMapMemory");
	return made;
}

static struct buffer make_buffer(VkDeviceSize size, VkBufferUsageFlags2 usage)
{
	VkBufferUsageFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
					       .usage = usage | VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
	VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = &flags, .size = size};
	struct buffer b = {.size = size};
	VkMemoryRequirements needs;
	void *mapped;

	check(vkCreateBuffer(device, &info, NULL, &b.buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(device, b.buffer, &needs);
	check(vkBindBufferMemory(device, b.buffer, allocate(needs, &mapped), 0), "vkBindBufferMemory");
	b.words = mapped;
	memset(mapped, 0, size);
	b.address = vkGetBufferDeviceAddress(
	    device,
	    &(VkBufferDeviceAddressInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = b.buffer});
	return b;
}

static struct buffer make_words(uint32_t count, uint32_t first, VkBufferUsageFlags2 usage)
{
	struct buffer b = make_buffer(count * sizeof(uint32_t), usage);

	for (uint32_t i = 0; i < count; i++)
		b.words[i] = first + i;
	return b;
}

static VkImageViewCreateInfo make_image(uint32_t n, VkFormat format, VkImageUsageFlags usage, uint32_t texel)
{
	VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
				  .imageType = VK_IMAGE_TYPE_2D,
				  .format = format,
				  .extent = {4 + n, 4, 1},
				  .mipLevels = 1,
				  .arrayLayers = 1,
				  .samples = VK_SAMPLE_COUNT_1_BIT,
				  .tiling = VK_IMAGE_TILING_LINEAR,
				  .usage = usage,
				  .initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED};
	VkImageSubresource part = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
	VkSubresourceLayout layout;
	VkMemoryRequirements needs;
	VkImage image;
	void *mapped;

	check(vkCreateImage(device, &info, NULL, &image), "vkCreateImage");
	vkGetImageMemoryRequirements(device, image, &needs);
	check(vkBindImageMemory(device, image, allocate(needs, &mapped), 0), "vkBindImageMemory");
	vkGetImageSubresourceLayout(device, image, &part, &layout);
	for (uint32_t y = 0; y < 4; y++) {
		for (uint32_t x = 0; x < 4 + n; x++)
			memcpy((char *)mapped + layout.offset + y * layout.rowPitch + 4 * x, &texel, 4);
	}
	vkCmdPipelineBarrier(
	    commands, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, NULL, 0, NULL, 1,
	    &(VkImageMemoryBarrier){.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
				    .srcAccessMask = VK_ACCESS_HOST_WRITE_BIT,
				    .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
				    .oldLayout = VK_IMAGE_LAYOUT_PREINITIALIZED,
				    .newLayout = VK_IMAGE_LAYOUT_GENERAL,
				    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
				    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
				    .image = image,
				    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}});
	return (VkImageViewCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
				       .image = image,
				       .viewType = VK_IMAGE_VIEW_TYPE_2D,
				       .format = format,
				       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
}

/* Acceleration structures */

static VkDeviceAddressRangeEXT build(VkAccelerationStructureTypeKHR type, VkAccelerationStructureGeometryKHR geometry)
{
	VkAccelerationStructureBuildGeometryInfoKHR info = {
	    .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
	    .type = type,
	    .geometryCount = 1,
	    .pGeometries = &geometry};
	VkAccelerationStructureBuildSizesInfoKHR sizes = {
	    .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
	VkAccelerationStructureCreateInfoKHR create = {
	    .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR, .type = type};
	VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
				   .srcAccessMask = VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
				   .dstAccessMask = VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR};

	vkGetAccelerationStructureBuildSizesKHR(device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info,
						&(uint32_t){1}, &sizes);
	create.size = sizes.accelerationStructureSize;
	create.buffer = make_buffer(create.size, VK_BUFFER_USAGE_2_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR).buffer;
	check(vkCreateAccelerationStructureKHR(device, &create, NULL, &info.dstAccelerationStructure),
	      "vkCreateAccelerationStructureKHR");
	info.scratchData.deviceAddress =
	    (make_buffer(sizes.buildScratchSize + 256, VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT).address + 255) & ~255ull;
	vkCmdBuildAccelerationStructuresKHR(commands, 1, &info,
					    &(const VkAccelerationStructureBuildRangeInfoKHR *){
						&(VkAccelerationStructureBuildRangeInfoKHR){.primitiveCount = 1}});
	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
	VkAccelerationStructureDeviceAddressInfoKHR whose = {
	    .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
	    .accelerationStructure = info.dstAccelerationStructure};
	return (VkDeviceAddressRangeEXT){vkGetAccelerationStructureDeviceAddressKHR(device, &whose), create.size};
}

static VkDeviceAddressRangeEXT make_scene(uint32_t n)
{
	const float z = 10.0f + (float)n, corners[9] = {-9, -9, z, 9, -9, z, 0, 9, z};
	struct buffer vertices =
	    make_buffer(sizeof corners, VK_BUFFER_USAGE_2_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
	struct buffer instances = make_buffer(sizeof(VkAccelerationStructureInstanceKHR),
					      VK_BUFFER_USAGE_2_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
	VkAccelerationStructureGeometryKHR geometry = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
						       .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR};

	memcpy(vertices.words, corners, sizeof corners);
	geometry.geometry.triangles = (VkAccelerationStructureGeometryTrianglesDataKHR){
	    .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
	    .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
	    .vertexData.deviceAddress = vertices.address,
	    .vertexStride = 12,
	    .maxVertex = 2,
	    .indexType = VK_INDEX_TYPE_NONE_KHR};
	VkAccelerationStructureInstanceKHR one = {
	    .transform = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
	    .mask = 0xFF,
	    .accelerationStructureReference = build(VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, geometry).address};
	memcpy(instances.words, &one, sizeof one);
	geometry.geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR;
	geometry.geometry.instances = (VkAccelerationStructureGeometryInstancesDataKHR){
	    .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
	    .data.deviceAddress = instances.address};
	return build(VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, geometry);
}

/* Descriptors */

static struct buffer resource_heap, sampler_heap, handles, output;
static VkDeviceSize image_stride, buffer_stride, sampler_stride;
static uint32_t next_image, next_buffer, next_sampler; /* indexes */

static VkDeviceSize larger(VkDeviceSize a, VkDeviceSize b)
{
	return a > b ? a : b;
}

static void read_strides(const char *resources, const char *samplers)
{
	const VkPhysicalDeviceDescriptorHeapPropertiesEXT *p = &heap_properties;
	unsigned given = (unsigned)strtoul(resources, NULL, 10);

	image_stride = p->imageDescriptorSize;
	buffer_stride = p->bufferDescriptorSize;
	sampler_stride = !strcmp(samplers, "size") ? p->samplerDescriptorSize : strtoul(samplers, NULL, 10);
	if (strcmp(resources, "size") != 0)
		image_stride = buffer_stride = given ? given : larger(image_stride, buffer_stride);
}

static uint32_t *handle_of(enum kind kind, uint32_t n)
{
	return handles.words + 2 * (kind * COUNT + n);
}

static void write_resource(enum kind kind, uint32_t n, VkResourceDescriptorInfoEXT info, bool buffer)
{
	VkDeviceSize stride = buffer ? buffer_stride : image_stride;
	VkDeviceSize size = buffer ? heap_properties.bufferDescriptorSize : heap_properties.imageDescriptorSize;
	uint32_t index = buffer ? next_buffer++ : next_image++;
	VkHostAddressRangeEXT place = {(char *)resource_heap.words + index * stride, size};

	check(vkWriteResourceDescriptorsEXT(device, 1, &info, &place), "vkWriteResourceDescriptorsEXT");
	handle_of(kind, n)[0] = index;
	handle_of(kind, n)[1] = 77; /* it must not be used */
}

static void write_image(enum kind kind, uint32_t n, VkDescriptorType type, VkImageViewCreateInfo view)
{
	VkImageDescriptorInfoEXT image = {
	    .sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT, .pView = &view, .layout = VK_IMAGE_LAYOUT_GENERAL};

	write_resource(kind, n,
		       (VkResourceDescriptorInfoEXT){.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
						     .type = type,
						     .data.pImage = &image},
		       false);
}

static void write_texels(enum kind kind, uint32_t n, VkDescriptorType type, struct buffer b)
{
	VkTexelBufferDescriptorInfoEXT texels = {.sType = VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT,
						 .format = VK_FORMAT_R32_UINT,
						 .addressRange = {b.address, b.size}};

	write_resource(kind, n,
		       (VkResourceDescriptorInfoEXT){.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
						     .type = type,
						     .data.pTexelBuffer = &texels},
		       false);
}

static void write_range(enum kind kind, uint32_t n, VkDescriptorType type, VkDeviceAddressRangeEXT range)
{
	write_resource(kind, n,
		       (VkResourceDescriptorInfoEXT){.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
						     .type = type,
						     .data.pAddressRange = &range},
		       true);
}

static void write_sampler(uint32_t n)
{
	VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
				    .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
				    .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
				    .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
				    .borderColor = n % 2 ? VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE
							 : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK};
	uint32_t index = next_sampler++;
	VkHostAddressRangeEXT place = {(char *)sampler_heap.words + index * sampler_stride,
				       heap_properties.samplerDescriptorSize};

	check(vkWriteSamplerDescriptorsEXT(device, 1, &info, &place), "vkWriteSamplerDescriptorsEXT");
	handle_of(SAMPLER, n)[0] = index;
	handle_of(SAMPLER, n)[1] = 77;
}

/* Images first, then buffers, with different strides: an index of one is not an index of the other. */
static void fill_heaps(bool scenes)
{
	union {
		float f;
		uint32_t u;
	} texel;

	next_image = 5; /* so that index 0 is unused */
	next_sampler = 3;
	for (uint32_t n = 0; n < COUNT; n++) {
		texel.f = 200.0f + (float)n;
		write_image(TEXTURE, n, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
			    make_image(n, VK_FORMAT_R32_SFLOAT, VK_IMAGE_USAGE_SAMPLED_BIT, texel.u));
		write_image(IMAGE, n, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
			    make_image(n, VK_FORMAT_R32_UINT, VK_IMAGE_USAGE_STORAGE_BIT, 300 + n));
		write_texels(UTEXEL, n, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
			     make_words(16 + n, 1000 * (n + 1), VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT));
		write_texels(STEXEL, n, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
			     make_words(16 + n, 2000 * (n + 1), VK_BUFFER_USAGE_2_STORAGE_TEXEL_BUFFER_BIT));
		write_sampler(n);
	}
	next_buffer = (uint32_t)((next_image * image_stride + buffer_stride - 1) / buffer_stride);
	for (uint32_t n = 0; n < COUNT; n++) {
		struct buffer uniform = make_words(64, 3000 * (n + 1), VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT);
		struct buffer storage = make_words(16 + n, 4000 * (n + 1), VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT);
		write_range(UNIFORM, n, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
			    (VkDeviceAddressRangeEXT){uniform.address, uniform.size});
		write_range(STORAGE, n, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
			    (VkDeviceAddressRangeEXT){storage.address, storage.size});
		if (scenes)
			write_range(SCENE, n, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, make_scene(n));
		handle_of(COMBINED, n)[0] = handle_of(TEXTURE, n)[0];
		handle_of(COMBINED, n)[1] = handle_of(SAMPLER, COUNT - 1 - n)[0];
	}
	if (next_buffer * buffer_stride > resource_heap.size / 2 ||
	    next_sampler * sampler_stride > sampler_heap.size / 2)
		die("the heaps are too small", 0);
}

/* Device, pipeline, dispatch */

static bool open_device(void)
{
	static const char *const wanted[] = {"VK_EXT_descriptor_heap",        "VK_KHR_shader_untyped_pointers",
					     "VK_KHR_maintenance5",           "VK_KHR_ray_query",
					     "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"};
	enum { NEEDED = 3, ALL = 6 };
	VkPhysicalDeviceRayQueryFeaturesKHR ray = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR};
	VkPhysicalDeviceAccelerationStructureFeaturesKHR scene = {
	    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, .pNext = &ray};
	VkPhysicalDeviceMaintenance5Features maintenance = {
	    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES};
	VkPhysicalDeviceShaderUntypedPointersFeaturesKHR untyped = {
	    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_UNTYPED_POINTERS_FEATURES_KHR, .pNext = &maintenance};
	VkPhysicalDeviceDescriptorHeapFeaturesEXT heap = {
	    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT, .pNext = &untyped};
	VkPhysicalDeviceVulkan13Features vulkan13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
						     .pNext = &heap};
	VkPhysicalDeviceVulkan12Features vulkan12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
						     .pNext = &vulkan13};
	VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
					      .pNext = &vulkan12};
	VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
						  .pNext = &heap_properties};
	uint32_t count = 0, found = 0;

	vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL);
	VkExtensionProperties *there = calloc(count, sizeof *there);
	vkEnumerateDeviceExtensionProperties(physical, NULL, &count, there);
	while (found < ALL) {
		uint32_t i = 0;
		while (i < count && strcmp(there[i].extensionName, wanted[found]) != 0)
			i++;
		if (i == count)
			break;
		found++;
	}
	if (found < NEEDED)
		die(wanted[found], 0);
	if (found == ALL)
		maintenance.pNext = &scene;
	vkGetPhysicalDeviceFeatures2(physical, &features);
	if (!heap.descriptorHeap || !untyped.shaderUntypedPointers)
		die("the device lacks descriptorHeap or shaderUntypedPointers", 0);
	/* The features of the shaders, and none of descriptor indexing. */
	memset(&features.features, 0, sizeof features.features);
	features.features.shaderStorageImageReadWithoutFormat = VK_TRUE;
	features.features.shaderStorageImageWriteWithoutFormat = VK_TRUE;
	features.features.shaderInt64 = VK_TRUE;
	vulkan12 = (VkPhysicalDeviceVulkan12Features){
	    .sType = vulkan12.sType, .pNext = vulkan12.pNext, .bufferDeviceAddress = VK_TRUE};
	vulkan13 = (VkPhysicalDeviceVulkan13Features){
	    .sType = vulkan13.sType, .pNext = vulkan13.pNext, .maintenance4 = VK_TRUE};
	vkGetPhysicalDeviceProperties2(physical, &properties);
	vkGetPhysicalDeviceMemoryProperties(physical, &memory);
	VkDeviceQueueCreateInfo queues = {
	    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &(float){1.0f}};
	VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
				   .pNext = &features,
				   .queueCreateInfoCount = 1,
				   .pQueueCreateInfos = &queues,
				   .enabledExtensionCount = found == ALL ? ALL : NEEDED,
				   .ppEnabledExtensionNames = wanted};
	check(vkCreateDevice(physical, &info, NULL, &device), "vkCreateDevice");
	return found == ALL;
}

#ifdef MAPPED

enum { MAPPINGS = mapped_mapping_count };

/* Copies descriptors that are in the heaps already: the next one of a kind. */
static void copy_resource(enum kind kind, uint32_t n, uint32_t offset)
{
	const bool buffer = kind == UNIFORM || kind == STORAGE;
	const VkDeviceSize size = buffer ? heap_properties.bufferDescriptorSize : heap_properties.imageDescriptorSize;
	const VkDeviceSize from = handle_of(kind, n)[0] * (buffer ? buffer_stride : image_stride);

	memcpy((char *)resource_heap.words + offset, (char *)resource_heap.words + from, size);
}

static void copy_sampler(uint32_t n, uint32_t offset)
{
	memcpy((char *)sampler_heap.words + offset,
	       (char *)sampler_heap.words + handle_of(SAMPLER, n)[0] * sampler_stride,
	       heap_properties.samplerDescriptorSize);
}

static void fill_mapping(const VkDescriptorSetAndBindingMappingEXT *m, uint32_t element, uint32_t next[KINDS])
{
	const VkDescriptorMappingSourceConstantOffsetEXT *at = &m->sourceData.constantOffset;
	const uint32_t offset = at->heapOffset + element * at->heapArrayStride;
	const uint32_t images =
	    VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT | VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT;

	if (m->resourceMask == VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT) {
		copy_sampler(next[SAMPLER]++, offset);
	} else if (m->resourceMask & images) {
		copy_resource(TEXTURE, next[TEXTURE]++, offset);
		if (m->resourceMask & VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT)
			copy_sampler(next[SAMPLER]++, at->samplerHeapOffset + element * at->samplerHeapArrayStride);
	} else if (m->resourceMask & VK_SPIRV_RESOURCE_TYPE_READ_WRITE_IMAGE_BIT_EXT) {
		copy_resource(IMAGE, next[IMAGE]++, offset);
	} else if (m->resourceMask & VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT) {
		copy_resource(UNIFORM, next[UNIFORM]++, offset);
	} else if (m->descriptorSet == 0) {
		VkDeviceAddressRangeEXT range = {output.address, output.size};
		VkResourceDescriptorInfoEXT info = {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
						    .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
						    .data.pAddressRange = &range};
		VkHostAddressRangeEXT place = {(char *)resource_heap.words + offset,
					       heap_properties.bufferDescriptorSize};
		check(vkWriteResourceDescriptorsEXT(device, 1, &info, &place), "vkWriteResourceDescriptorsEXT");
	} else {
		copy_resource(STORAGE, next[STORAGE]++, offset);
	}
}

static void put_mappings(VkDescriptorSetAndBindingMappingEXT mappings[MAPPINGS])
{
	uint32_t resources = (uint32_t)(next_buffer * buffer_stride), next[KINDS] = {0};
	uint32_t samplers = (uint32_t)(next_sampler * sampler_stride);

	mapped_put_mappings(&heap_properties, &resources, &samplers, mappings);
	if (resources > resource_heap.size / 2 || samplers > sampler_heap.size / 2)
		die("the heaps are too small", 0);
	for (uint32_t i = 0; i < MAPPINGS; i++) {
		for (uint32_t k = 0; k < mapped_mapping_rows[i][2]; k++)
			fill_mapping(&mappings[i], k, next);
	}
}

#else

enum { MAPPINGS = 2 };

static void put_mappings(VkDescriptorSetAndBindingMappingEXT mappings[MAPPINGS])
{
	for (uint32_t i = 0; i < MAPPINGS; i++)
		mappings[i] = (VkDescriptorSetAndBindingMappingEXT){
		    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
		    .firstBinding = i,
		    .bindingCount = 1,
		    .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
		    .source = VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT,
		    .sourceData.pushAddressOffset = 8 * i};
}

#endif

static VkPipeline make_pipeline(const char *path)
{
	VkDescriptorSetAndBindingMappingEXT mappings[MAPPINGS];
	VkShaderDescriptorSetAndBindingMappingInfoEXT mapping = {
	    .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
	    .mappingCount = MAPPINGS,
	    .pMappings = mappings};
	VkPipelineCreateFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
						  .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
	VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .pNext = &flags};
	VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
	static uint32_t words[1 << 16];
	FILE *file = fopen(path, "rb");
	VkPipeline pipeline;

	if (!file)
		die(path, 0);
	module.codeSize = fread(words, 1, sizeof words, file);
	fclose(file);
	module.pCode = words;
	put_mappings(mappings);
	info.stage = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
						       .pNext = &mapping,
						       .stage = VK_SHADER_STAGE_COMPUTE_BIT,
						       .pName = "main"};
	check(vkCreateShaderModule(device, &module, NULL, &info.stage.module), "vkCreateShaderModule");
	check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
	return pipeline;
}

/* The driver's reserved part of a heap is at its end. */
static VkBindHeapInfoEXT binding(struct buffer heap, VkDeviceSize reserved)
{
	return (VkBindHeapInfoEXT){.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
				   .heapRange = {heap.address, heap.size},
				   .reservedRangeOffset = heap.size - reserved,
				   .reservedRangeSize = reserved};
}

static void begin_commands(void)
{
	VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
	VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
					    .commandBufferCount = 1};
	VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};

	vkGetDeviceQueue(device, 0, 0, &queue);
	check(vkCreateCommandPool(device, &pool, NULL, &info.commandPool), "vkCreateCommandPool");
	check(vkAllocateCommandBuffers(device, &info, &commands), "vkAllocateCommandBuffers");
	check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
}

static void dispatch(VkPipeline pipeline)
{
	const VkDeviceAddress addresses[2] = {output.address, handles.address};
	VkBindHeapInfoEXT resources = binding(resource_heap, heap_properties.minResourceHeapReservedRange);
	VkBindHeapInfoEXT samplers = binding(sampler_heap, heap_properties.minSamplerHeapReservedRange);
	VkPushDataInfoEXT push = {.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT, .data = {addresses, sizeof addresses}};
	VkSubmitInfo submit = {
	    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};

	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
	vkCmdBindResourceHeapEXT(commands, &resources);
	vkCmdBindSamplerHeapEXT(commands, &samplers);
	vkCmdPushDataEXT(commands, &push);
	vkCmdDispatch(commands, 1, 1, 1);
	check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
	check(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
	check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}

static void run(const char *module, const char *resource_stride, const char *sampler_stride, bool scenes)
{
	begin_commands();
	read_strides(resource_stride, sampler_stride);
	resource_heap = make_buffer(larger(1 << 18, 2 * heap_properties.minResourceHeapReservedRange),
				    VK_BUFFER_USAGE_2_DESCRIPTOR_HEAP_BIT_EXT);
	sampler_heap = make_buffer(larger(1 << 16, 2 * heap_properties.minSamplerHeapReservedRange),
				   VK_BUFFER_USAGE_2_DESCRIPTOR_HEAP_BIT_EXT);
	handles = make_buffer(KINDS * COUNT * 8, VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT);
	output = make_buffer(LANES * COLUMNS * 4, VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT);
	fill_heaps(scenes);
	dispatch(make_pipeline(module));
	for (uint32_t i = 0; i < LANES * COLUMNS; i++)
		printf("%u%c", output.words[i], (i + 1) % COLUMNS ? ' ' : '\n');
	puts("-"); /* the layer's messages about this module precede it, too */
	fflush(stdout);
}

int main(int argc, char **argv)
{
	void *library = dlopen("libvulkan.so.1", RTLD_NOW);
	PFN_vkGetInstanceProcAddr get =
	    library ? (PFN_vkGetInstanceProcAddr)dlsym(library, "vkGetInstanceProcAddr") : NULL;
	VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
	VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
	uint32_t count = 1;

	if (argc < 4 || argc % 3 != 1)
		die("usage: heap_run (MODULE RESOURCE_STRIDE SAMPLER_STRIDE)…", argc);
	if (!get)
		die("there is no Vulkan loader", 0);
	load(get);
	check(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance");
	load(get);
	vkEnumeratePhysicalDevices(instance, &count, &physical);
	if (!count)
		die("there is no Vulkan device", 0);
	bool scenes = open_device();
	for (int i = 1; i < argc; i += 3)
		run(argv[i], argv[i + 1], argv[i + 2], scenes);
	return 0;
}
