/* SPDX-License-Identifier: Apache-2.0 */
/* acceleration: structures that identify themselves: number n has one triangle, at z = 10 + n.
 *
 * A bottom-level structure holds the triangle, a top-level one an instance of it; both are built in the commands
 * of the run. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

struct level {
	VkAccelerationStructureKHR structure;
	struct element storage, scratch, input; /* input: the triangle, or the instance */
	VkAccelerationStructureGeometryKHR geometry;
	VkAccelerationStructureTypeKHR type;
};

struct acceleration {
	struct level bottom, top;
};

static PFN_vkVoidFunction function(const struct device *d, const char *name)
{
	PFN_vkVoidFunction f = vkGetDeviceProcAddr(d->device, name);

	if (!f)
		die("the device has no %s", name);
	return f;
}

static VkDeviceAddress address(const struct device *d, VkBuffer buffer)
{
	return vkGetBufferDeviceAddress(
	    d->device,
	    &(VkBufferDeviceAddressInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer});
}

static struct element input_buffer(struct device *d, const void *data, size_t size)
{
	struct element e = element_buffer(d, size,
					  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
					      VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);

	memcpy(e.words, data, size);
	return e;
}

static VkAccelerationStructureBuildGeometryInfoKHR build_info(const struct level *l)
{
	return (VkAccelerationStructureBuildGeometryInfoKHR){
	    .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
	    .type = l->type,
	    .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
	    .dstAccelerationStructure = l->structure,
	    .geometryCount = 1,
	    .pGeometries = &l->geometry,
	};
}

/* Storage and scratch for the one primitive of l->geometry. */
static void make_level(struct device *d, struct level *l)
{
	VkAccelerationStructureBuildGeometryInfoKHR info = build_info(l);
	VkAccelerationStructureBuildSizesInfoKHR sizes = {
	    .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};

	((PFN_vkGetAccelerationStructureBuildSizesKHR)function(d, "vkGetAccelerationStructureBuildSizesKHR"))(
	    d->device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info, &(uint32_t){1}, &sizes);
	l->storage = element_buffer(d, sizes.accelerationStructureSize,
				    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
					VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
	l->scratch = element_buffer(d, sizes.buildScratchSize + 256,
				    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
	check(((PFN_vkCreateAccelerationStructureKHR)function(d, "vkCreateAccelerationStructureKHR"))(
		  d->device,
		  &(VkAccelerationStructureCreateInfoKHR){
		      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
		      .buffer = l->storage.buffer,
		      .size = sizes.accelerationStructureSize,
		      .type = l->type,
		  },
		  NULL, &l->structure),
	      "vkCreateAccelerationStructureKHR");
}

static void make_bottom(struct device *d, struct level *l, uint32_t number)
{
	float z = 10.0f + (float)number;
	float triangle[3][3] = {{-50.0f, -50.0f, z}, {50.0f, -50.0f, z}, {0.0f, 50.0f, z}};

	l->type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
	l->input = input_buffer(d, triangle, sizeof triangle);
	l->geometry = (VkAccelerationStructureGeometryKHR){
	    .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
	    .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR,
	    .geometry.triangles = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
				   .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
				   .vertexData.deviceAddress = address(d, l->input.buffer),
				   .vertexStride = sizeof triangle[0],
				   .maxVertex = 2,
				   .indexType = VK_INDEX_TYPE_NONE_KHR},
	    .flags = VK_GEOMETRY_OPAQUE_BIT_KHR,
	};
	make_level(d, l);
}

static VkDeviceAddress address_of(const struct device *d, VkAccelerationStructureKHR structure)
{
	return (
	    (PFN_vkGetAccelerationStructureDeviceAddressKHR)function(d, "vkGetAccelerationStructureDeviceAddressKHR"))(
	    d->device, &(VkAccelerationStructureDeviceAddressInfoKHR){
			   .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
			   .accelerationStructure = structure});
}

static void make_top(struct device *d, struct level *l, VkAccelerationStructureKHR bottom)
{
	VkAccelerationStructureInstanceKHR instance = {
	    .transform = {.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
	    .mask = 0xFF,
	    .accelerationStructureReference = address_of(d, bottom),
	};

	l->type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR;
	l->input = input_buffer(d, &instance, sizeof instance);
	l->geometry = (VkAccelerationStructureGeometryKHR){
	    .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
	    .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
	    .geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
				   .data.deviceAddress = address(d, l->input.buffer)},
	};
	make_level(d, l);
}

struct acceleration *acceleration_make(struct device *d, uint32_t number)
{
	struct acceleration *a = zeroed(1, sizeof *a);

	make_bottom(d, &a->bottom, number);
	make_top(d, &a->top, a->bottom.structure);
	return a;
}

static void build_level(struct device *d, VkCommandBuffer commands, const struct level *l)
{
	VkAccelerationStructureBuildGeometryInfoKHR info = build_info(l);
	const VkAccelerationStructureBuildRangeInfoKHR one = {.primitiveCount = 1}, *ranges = &one;
	VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
				   .srcAccessMask = VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
				   .dstAccessMask = VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR};

	info.scratchData.deviceAddress = (address(d, l->scratch.buffer) + 255) & ~(VkDeviceAddress)255;
	((PFN_vkCmdBuildAccelerationStructuresKHR)function(d, "vkCmdBuildAccelerationStructuresKHR"))(commands, 1,
												      &info, &ranges);
	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
			     VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR |
				 VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
			     0, 1, &barrier, 0, NULL, 0, NULL);
}

void acceleration_build(struct device *d, VkCommandBuffer commands, struct acceleration *a)
{
	build_level(d, commands, &a->bottom);
	build_level(d, commands, &a->top);
}

const VkAccelerationStructureKHR *acceleration_handle(const struct acceleration *a)
{
	return &a->top.structure;
}

VkDeviceAddress acceleration_address(const struct device *d, const struct acceleration *a)
{
	return address_of(d, a->top.structure);
}

static void free_level(struct device *d, struct level *l)
{
	struct element *buffers[] = {&l->storage, &l->scratch, &l->input};

	((PFN_vkDestroyAccelerationStructureKHR)function(d, "vkDestroyAccelerationStructureKHR"))(d->device,
												  l->structure, NULL);
	for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
		vkDestroyBuffer(d->device, buffers[i]->buffer, NULL);
		vkFreeMemory(d->device, buffers[i]->buffer_memory, NULL);
	}
}

void acceleration_free(struct device *d, struct acceleration *a)
{
	free_level(d, &a->top);
	free_level(d, &a->bottom);
	free(a);
}
