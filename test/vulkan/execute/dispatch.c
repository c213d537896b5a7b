/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch: a list of bindings becomes set layouts, sets, a pipeline layout and a pipeline; then one dispatch. */
#include <stdlib.h>
#include <string.h>

#include "execute.h"

static void make_set(struct maker *v, struct pipeline *p, uint32_t set)
{
	VkDescriptorSetLayoutBinding bindings[MOST_RESOURCES];
	VkDescriptorBindingFlags flags[MOST_RESOURCES];
	VkDescriptorSetLayoutBindingFlagsCreateInfo more = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, .pBindingFlags = flags};
	VkDescriptorSetLayoutCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .pNext = &more, .pBindings = bindings};

	for (uint32_t i = 0; i < p->count; i++) {
		const struct descriptor *d = &p->items[i];
		if (d->set != set)
			continue;
		flags[info.bindingCount] = d->runtime ? VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT : 0;
		bindings[info.bindingCount++] = (VkDescriptorSetLayoutBinding){
		    d->binding, d->type, d->runtime ? MOST_DESCRIPTORS : d->count, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
	}
	more.bindingCount = info.bindingCount;
	check(vkCreateDescriptorSetLayout(v->device.device, &info, NULL, &p->set_layouts[set]),
	      "vkCreateDescriptorSetLayout");
}

static void make_sets(struct maker *v, struct pipeline *p)
{
	VkDescriptorPoolSize sizes[MOST_RESOURCES];

	for (uint32_t i = 0; i < p->count; i++)
		sizes[i] = (VkDescriptorPoolSize){p->items[i].type,
						  p->items[i].runtime ? MOST_DESCRIPTORS : p->items[i].count};
	check(
	    vkCreateDescriptorPool(v->device.device,
				   &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
								 .maxSets = p->set_count,
								 .poolSizeCount = p->count,
								 .pPoolSizes = sizes},
				   NULL, &p->pool),
	    "vkCreateDescriptorPool");
	check(vkAllocateDescriptorSets(
		  v->device.device,
		  &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
						 .descriptorPool = p->pool,
						 .descriptorSetCount = p->set_count,
						 .pSetLayouts = p->set_layouts},
		  p->sets),
	      "vkAllocateDescriptorSets");
}

static void write_descriptor(struct maker *v, const struct pipeline *p, const struct descriptor *d)
{
	const struct resource *from = d->image ? d->image : d->sampler;
	uint32_t count = d->runtime ? MOST_DESCRIPTORS : d->count;

	if (d->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER && !d->image)
		return; /* its image is unused, so it is never accessed */
	for (uint32_t k = 0; from && k < count && k < from->at.filled; k++) {
		const struct element *e = &from->at.elements[k];
		const struct element *s = e;
		if (d->sampler && d->sampler->at.filled) /* one sampler may serve an array of images */
			s = &d->sampler->at.elements[k < d->sampler->at.filled ? k : 0];
		VkDescriptorImageInfo image = {s->sampler ? s->sampler : p->sampler, e->view, VK_IMAGE_LAYOUT_GENERAL};
		VkDescriptorBufferInfo buffer = {e->buffer, 0, VK_WHOLE_SIZE};
		VkWriteDescriptorSetAccelerationStructureKHR acceleration = {
		    .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
		    .accelerationStructureCount = 1};
		VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
					      .dstSet = p->sets[d->set],
					      .dstBinding = d->binding,
					      .dstArrayElement = k,
					      .descriptorCount = 1,
					      .descriptorType = d->type,
					      .pImageInfo = &image,
					      .pBufferInfo = &buffer,
					      .pTexelBufferView = &e->texels};
		if (e->acceleration) {
			acceleration.pAccelerationStructures = acceleration_handle(e->acceleration);
			write.pNext = &acceleration;
		}
		vkUpdateDescriptorSets(v->device.device, 1, &write, 0, NULL);
	}
}

/* Whether a binding's resource matches its type; if not, it must not be passed to a driver. */
static bool fits(const struct descriptor *d)
{
	VkDescriptorType image = d->image ? d->image->at.descriptor : d->type;
	VkDescriptorType sampler = d->sampler ? d->sampler->at.descriptor : d->type;
	VkDescriptorType combined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;

	switch ((int)d->type) {
	case VK_DESCRIPTOR_TYPE_SAMPLER:
		return !d->image && (sampler == d->type || sampler == combined);
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
		return image == d->type || image == combined;
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
		return (image == combined || image == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE) &&
		       (sampler == combined || sampler == VK_DESCRIPTOR_TYPE_SAMPLER);
	default:
		return image == d->type && sampler == d->type;
	}
}

static void make_layout(struct maker *v, struct pipeline *p, const struct original *o)
{
	VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, o->push_size};

	for (uint32_t i = 0; i < p->set_count; i++)
		make_set(v, p, i);
	if (p->set_count)
		make_sets(v, p);
	check(vkCreateSampler(v->device.device, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO},
			      NULL, &p->sampler),
	      "vkCreateSampler");
	for (uint32_t i = 0; i < p->count; i++)
		write_descriptor(v, p, &p->items[i]);
	check(
	    vkCreatePipelineLayout(v->device.device,
				   &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
								 .setLayoutCount = p->set_count,
								 .pSetLayouts = p->set_layouts,
								 .pushConstantRangeCount = o->push_size != 0,
								 .pPushConstantRanges = &range},
				   NULL, &p->layout),
	    "vkCreatePipelineLayout");
}

const char *dispatch_make(struct maker *v, struct pipeline *p, const struct original *o, const struct program *program)
{
	VkShaderModule module;

	for (uint32_t i = 0; i < p->count; i++) {
		if (p->items[i].set >= MAX_SETS || p->items[i].set >= v->limits.maxBoundDescriptorSets)
			return "left out: more sets than the device has";
		if (!fits(&p->items[i]))
			return "the layout names a descriptor type that the resource does not have";
		if (p->set_count <= p->items[i].set)
			p->set_count = p->items[i].set + 1;
	}
	if (o->push_size > v->limits.maxPushConstantsSize)
		return "left out: push constants are larger than the device has";
	make_layout(v, p, o);
	check(vkCreateShaderModule(v->device.device,
				   &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
							       .codeSize = program->count * 4,
							       .pCode = program->words},
				   NULL, &module),
	      "vkCreateShaderModule");
	VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
					    .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
						      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
						      .module = module,
						      .pName = o->entry},
					    .layout = p->layout};
	VkResult result = vkCreateComputePipelines(v->device.device, VK_NULL_HANDLE, 1, &info, NULL, &p->pipeline);
	vkDestroyShaderModule(v->device.device, module, NULL);
	return result == VK_SUCCESS ? NULL : "the driver makes no pipeline";
}

static void barrier(VkCommandBuffer commands)
{
	VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
			       .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
			       .dstAccessMask =
				   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT};

	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0, NULL, 0,
			     NULL);
}

static void record(struct maker *v, const struct pipeline *p, struct original *o, uint32_t pattern, VkCommandBuffer c)
{
	uint32_t push[64];

	for (uint32_t i = 0; i < 64; i++)
		push[i] = pattern_word(o, pattern, MOST_RESOURCES, 0, i);
	check(
	    vkBeginCommandBuffer(c, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}),
	    "vkBeginCommandBuffer");
	for (uint32_t i = 0; i < o->count; i++)
		elements_upload(&v->device, c, &o->items[i].at);
	barrier(c);
	vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
	if (p->set_count)
		vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, p->set_count, p->sets, 0,
					NULL);
	if (o->push_size)
		vkCmdPushConstants(c, p->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, o->push_size, push);
	vkCmdDispatch(c, 1, 1, 1); /* several groups may write one word in any order */
	barrier(c);
	for (uint32_t i = 0; i < o->count; i++)
		elements_download(c, &o->items[i].at);
	barrier(c);
	check(vkEndCommandBuffer(c), "vkEndCommandBuffer");
}

void dispatch_run(struct maker *v, const struct pipeline *p, struct original *o, uint32_t pattern)
{
	VkDevice device = v->device.device;
	VkCommandPool pool;
	VkCommandBuffer commands;

	check(vkCreateCommandPool(
		  device, &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO}, NULL, &pool),
	      "vkCreateCommandPool");
	check(vkAllocateCommandBuffers(
		  device,
		  &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
						 .commandPool = pool,
						 .commandBufferCount = 1},
		  &commands),
	      "vkAllocateCommandBuffers");
	original_fill(o, pattern);
	record(v, p, o, pattern, commands);
	check(vkQueueSubmit(v->device.queue, 1,
			    &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
					    .commandBufferCount = 1,
					    .pCommandBuffers = &commands},
			    VK_NULL_HANDLE),
	      "vkQueueSubmit");
	check(vkQueueWaitIdle(v->device.queue), "vkQueueWaitIdle");
	vkDestroyCommandPool(device, pool, NULL);
}

void dispatch_free(struct maker *v, struct pipeline *p)
{
	VkDevice device = v->device.device;

	vkDestroyPipeline(device, p->pipeline, NULL);
	vkDestroySampler(device, p->sampler, NULL);
	vkDestroyPipelineLayout(device, p->layout, NULL);
	vkDestroyDescriptorPool(device, p->pool, NULL);
	for (uint32_t i = 0; i < p->set_count; i++)
		vkDestroyDescriptorSetLayout(device, p->set_layouts[i], NULL);
}
