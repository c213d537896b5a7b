/* SPDX-License-Identifier: Apache-2.0 */
/* run: one layout JSON -> set layouts, sets, pipeline layout; then programs, each a pipeline and its commands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum {
	OP_NOP = 0,
	OP_ENTRY_POINT = 15,
	OP_COPY_OBJECT = 83,
	OP_F_NEGATE = 127,
	OP_D_PDX = 207,
	OP_D_PDY = 208,
	OP_GROUP_NON_UNIFORM_BROADCAST_FIRST = 338,
	OP_DECORATE = 71,
	DECORATION_NON_UNIFORM = 5300,
	HEADER = 5
};

/* By the number of the execution model; 0: no entry point has a stage that vulkan_run supports. */
static VkShaderStageFlagBits stage_of(const struct program *p)
{
	static const struct {
		uint32_t model;
		VkShaderStageFlagBits stage;
	} stages[] = {
	    {0, VK_SHADER_STAGE_VERTEX_BIT},
	    {1, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
	    {2, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
	    {3, VK_SHADER_STAGE_GEOMETRY_BIT},
	    {4, VK_SHADER_STAGE_FRAGMENT_BIT},
	    {5, VK_SHADER_STAGE_COMPUTE_BIT},
	    {5313, VK_SHADER_STAGE_RAYGEN_BIT_KHR},
	    {5317, VK_SHADER_STAGE_MISS_BIT_KHR},
	    {5364, VK_SHADER_STAGE_TASK_BIT_EXT},
	    {5365, VK_SHADER_STAGE_MESH_BIT_EXT},
	};

	for (size_t at = HEADER; at < p->count && p->words[at] >> 16; at += p->words[at] >> 16) {
		for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
			if ((p->words[at] & 0xFFFF) == OP_ENTRY_POINT && p->words[at + 1] == stages[i].model)
				return stages[i].stage;
		}
	}
	return 0;
}

struct program program_read(const char *path)
{
	struct program p = {0};
	FILE *f = fopen(path, "rb");
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < HEADER * 4 || size % 4)
		die("%s is no SPIR-V module, or cannot be read", path);
	rewind(f);
	p.count = (size_t)size / 4;
	p.words = zeroed(p.count, 4);
	if (fread(p.words, 4, p.count, f) != p.count)
		die("cannot read %s", path);
	fclose(f);
	p.stage = stage_of(&p);
	return p;
}

void program_strip_nonuniform(struct program *p)
{
	size_t kept = HEADER;

	for (size_t at = HEADER, length; at < p->count; at += length) {
		length = p->words[at] >> 16;
		if (!length || length > p->count - at)
			die("the module is damaged at word %zu", at);
		if ((p->words[at] & 0xFFFF) == OP_DECORATE && length == 3 && p->words[at + 2] == DECORATION_NON_UNIFORM)
			continue;
		memmove(p->words + kept, p->words + at, length * 4);
		kept += length;
	}
	p->count = kept;
}

/* Every invocation uses its own index instead of that of the first, so all execute their accesses together. */
void program_break_waterfall(struct program *p)
{
	for (size_t at = HEADER, length; at < p->count; at += length) {
		length = p->words[at] >> 16;
		if (!length || length > p->count - at)
			die("the module is damaged at word %zu", at);
		if ((p->words[at] & 0xFFFF) != OP_GROUP_NON_UNIFORM_BROADCAST_FIRST)
			continue;
		p->words[at] = 4 << 16 | OP_COPY_OBJECT;
		p->words[at + 3] = p->words[at + 4];
		p->words[at + 4] = 1 << 16 | OP_NOP;
	}
}

/* Makes derivatives wrong. */
void program_break_gradients(struct program *p)
{
	for (size_t at = HEADER; at < p->count && p->words[at] >> 16; at += p->words[at] >> 16) {
		uint32_t op = p->words[at] & 0xFFFF;
		if (op == OP_D_PDX || op == OP_D_PDY)
			p->words[at] = 4 << 16 | OP_F_NEGATE;
	}
}

struct objects {
	VkDescriptorSetLayout set_layouts[MAX_SETS];
	VkDescriptorSet sets[MAX_SETS];
	uint32_t variable_count[MAX_SETS];
	VkDescriptorPool descriptor_pool;
	VkPipelineLayout pipeline_layout;
	struct pipeline *pipeline;
	VkCommandPool command_pool;
	VkCommandBuffer commands;
	struct acceleration *by_address[FILLED];
};

static void make_set_layout(struct run *r, struct objects *o, uint32_t set)
{
	const struct layout *l = r->layout;
	uint32_t most = l->binding_count;
	bool any_mutable = false;

	for (uint32_t i = 0; i < l->binding_count; i++) {
		if (l->bindings[i].set != set)
			continue;
		any_mutable |= l->bindings[i].mutable_count != 0;
		most += l->bindings[i].binding;
	}
	VkDescriptorSetLayoutBinding *bindings = zeroed(most, sizeof *bindings);
	VkDescriptorBindingFlags *flags = zeroed(most, sizeof *flags), all = 0;
	VkMutableDescriptorTypeListEXT *types = zeroed(most, sizeof *types);
	VkMutableDescriptorTypeCreateInfoEXT mutable_info = {
	    .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT, .pMutableDescriptorTypeLists = types};
	VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, .pBindingFlags = flags};
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->binding_count; i++) {
		const struct binding *b = &l->bindings[i];
		if (b->set != set)
			continue;
		/* the validation layer uses a binding's number as its position in the list of types */
		for (; any_mutable && n < b->binding; n++)
			bindings[n] = (VkDescriptorSetLayoutBinding){n, VK_DESCRIPTOR_TYPE_SAMPLER, 0, 0, NULL};
		bindings[n] = (VkDescriptorSetLayoutBinding){b->binding, b->descriptor, b->count, b->stages, NULL};
		types[n] = (VkMutableDescriptorTypeListEXT){b->mutable_count, b->mutable_types};
		all |= flags[n++] = b->flags;
		if (b->flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT)
			o->variable_count[set] = b->count;
	}
	flags_info.bindingCount = mutable_info.mutableDescriptorTypeListCount = n;
	flags_info.pNext = any_mutable ? &mutable_info : NULL;
	VkDescriptorSetLayoutCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
	    .pNext = all || any_mutable ? &flags_info : NULL,
	    .flags = all & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT
			 ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
			 : 0,
	    .bindingCount = n,
	    .pBindings = bindings,
	};
	check(vkCreateDescriptorSetLayout(r->device->device, &info, NULL, &o->set_layouts[set]),
	      "vkCreateDescriptorSetLayout");
	free(bindings);
	free(flags);
	free(types);
}

static void make_sets(struct run *r, struct objects *o)
{
	const struct layout *l = r->layout;
	VkDescriptorPoolSize *sizes = zeroed(l->binding_count, sizeof *sizes);

	for (uint32_t i = 0; i < l->binding_count; i++)
		sizes[i] = (VkDescriptorPoolSize){l->bindings[i].descriptor, l->bindings[i].count};
	check(vkCreateDescriptorPool(
		  r->device->device,
		  &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
						.flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
						.maxSets = l->set_count,
						.poolSizeCount = l->binding_count,
						.pPoolSizes = sizes},
		  NULL, &o->descriptor_pool),
	      "vkCreateDescriptorPool");
	free(sizes);
	for (uint32_t i = 0; i < l->set_count;
	     i++) { /* SwiftShader applies a count to any set's last binding, variable or not */
		VkDescriptorSetVariableDescriptorCountAllocateInfo counts = {
		    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
		    .descriptorSetCount = 1,
		    .pDescriptorCounts = &o->variable_count[i]};
		check(vkAllocateDescriptorSets(
			  r->device->device,
			  &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
							 .pNext = o->variable_count[i] ? &counts : NULL,
							 .descriptorPool = o->descriptor_pool,
							 .descriptorSetCount = 1,
							 .pSetLayouts = &o->set_layouts[i]},
			  &o->sets[i]),
		      "vkAllocateDescriptorSets");
	}
}

static void write_element(const struct run *r, VkDescriptorSet set, const struct binding *b, uint32_t k)
{
	const struct element *e = &b->elements[k];
	VkDescriptorImageInfo image = {e->sampler, e->view, VK_IMAGE_LAYOUT_GENERAL};
	VkDescriptorBufferInfo buffer = {e->buffer, 0, VK_WHOLE_SIZE};
	VkWriteDescriptorSetAccelerationStructureKHR acceleration = {
	    .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
	    .accelerationStructureCount = 1};
	VkWriteDescriptorSet write = {
	    .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
	    .dstSet = set,
	    .dstBinding = b->binding,
	    .dstArrayElement = k,
	    .descriptorCount = 1,
	    .descriptorType = e->type->descriptor,
	    .pImageInfo = &image,
	    .pBufferInfo = &buffer,
	    .pTexelBufferView = &e->texels,
	};

	if (e->acceleration) {
		acceleration.pAccelerationStructures = acceleration_handle(e->acceleration);
		write.pNext = &acceleration;
	}
	vkUpdateDescriptorSets(r->device->device, 1, &write, 0, NULL);
}

static void make_pipeline_layout(struct run *r, struct objects *o)
{
	check(
	    vkCreatePipelineLayout(r->device->device,
				   &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
								 .setLayoutCount = r->layout->set_count,
								 .pSetLayouts = o->set_layouts,
								 .pushConstantRangeCount = r->layout->push_count,
								 .pPushConstantRanges = r->layout->push},
				   NULL, &o->pipeline_layout),
	    "vkCreatePipelineLayout");
}

static void barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags wrote, VkPipelineStageFlags to,
		    VkAccessFlags uses)
{
	VkMemoryBarrier all = {
	    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = wrote, .dstAccessMask = uses};

	vkCmdPipelineBarrier(commands, from, to, 0, 1, &all, 0, NULL, 0, NULL);
}

static void record(struct run *r, struct objects *o)
{
	const struct layout *l = r->layout;
	VkCommandBuffer c = o->commands;

	check(
	    vkBeginCommandBuffer(c, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}),
	    "vkBeginCommandBuffer");
	for (uint32_t i = 0; i < l->binding_count; i++)
		elements_upload(r->device, c, &l->bindings[i]);
	for (uint32_t i = 0; i < FILLED && o->by_address[i]; i++)
		acceleration_build(r->device, c, o->by_address[i]);
	barrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
	pipeline_record(r, o->pipeline, o->pipeline_layout, o->sets, c);
	barrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_SHADER_WRITE_BIT,
		VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
		VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT);
	for (uint32_t i = 0; i < l->binding_count; i++)
		elements_download(c, &l->bindings[i]);
	barrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
		VK_ACCESS_HOST_READ_BIT);
	check(vkEndCommandBuffer(c), "vkEndCommandBuffer");
}

static void submit(struct run *r, struct objects *o)
{
	VkDevice device = r->device->device;

	check(vkCreateCommandPool(device,
				  &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
							     .queueFamilyIndex = r->device->family},
				  NULL, &o->command_pool),
	      "vkCreateCommandPool");
	check(vkAllocateCommandBuffers(
		  device,
		  &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
						 .commandPool = o->command_pool,
						 .commandBufferCount = 1},
		  &o->commands),
	      "vkAllocateCommandBuffers");
	record(r, o);
	check(vkQueueSubmit(r->device->queue, 1,
			    &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
					    .commandBufferCount = 1,
					    .pCommandBuffers = &o->commands},
			    VK_NULL_HANDLE),
	      "vkQueueSubmit");
	check(vkQueueWaitIdle(r->device->queue), "vkQueueWaitIdle");
	vkDestroyCommandPool(device, o->command_pool, NULL);
}

static void make_by_address(struct run *r, struct objects *o)
{
	for (uint32_t i = 0; i < r->layout->binding_count; i++) {
		if (r->layout->bindings[i].descriptor == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR)
			return;
	}
	for (uint32_t i = 0; i < FILLED && r->device->uses.ray_query.rayQuery; i++)
		o->by_address[i] = acceleration_make(r->device, i);
}

VkDeviceAddress run_acceleration_address(const struct run *r, uint32_t number)
{
	if (!r->objects->by_address[number])
		die("no acceleration structure is known by its address");
	return acceleration_address(r->device, r->objects->by_address[number]);
}

void run_open(struct run *r)
{
	struct layout *l = r->layout;
	struct objects *o = r->objects = zeroed(1, sizeof *o);

	device_open(r->device, l);
	for (uint32_t i = 0; i < l->binding_count; i++)
		elements_make(r->device, &l->bindings[i]);
	for (uint32_t i = 0; i < l->set_count; i++)
		make_set_layout(r, o, i);
	make_sets(r, o);
	for (uint32_t i = 0; i < l->binding_count; i++) {
		for (uint32_t k = 0; k < l->bindings[i].filled; k++)
			write_element(r, o->sets[l->bindings[i].set], &l->bindings[i], k);
	}
	make_pipeline_layout(r, o);
	make_by_address(r, o);
}

void run_program(struct run *r)
{
	r->objects->pipeline = pipeline_make(r, r->objects->pipeline_layout);
	r->fill(r);
	submit(r, r->objects);
	r->read(r);
	pipeline_free(r, r->objects->pipeline);
}

void run_close(struct run *r)
{
	VkDevice device = r->device->device;
	struct objects *o = r->objects;

	vkDestroyPipelineLayout(device, o->pipeline_layout, NULL);
	vkDestroyDescriptorPool(device, o->descriptor_pool, NULL);
	for (uint32_t i = 0; i < r->layout->set_count; i++)
		vkDestroyDescriptorSetLayout(device, o->set_layouts[i], NULL);
	for (uint32_t i = 0; i < r->layout->binding_count; i++)
		elements_free(r->device, &r->layout->bindings[i]);
	for (uint32_t i = 0; i < FILLED && o->by_address[i]; i++)
		acceleration_free(r->device, o->by_address[i]);
	device_close(r->device);
	free(o);
}

void run_once(struct run *r)
{
	run_open(r);
	run_program(r);
	run_close(r);
}
