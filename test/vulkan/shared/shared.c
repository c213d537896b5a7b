/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_shared ICD SHARED.json {--program LAYOUT.json MODULE.spv...}...: programs of a manifest share one
 * VkDescriptorSet.
 *
 * Set 0 is made once, from the layout of the shared sets, and a pipeline layout for each program: the shared set
 * layout, followed by those of its own sets. All programs run in one command buffer. A compute program does not bind
 * set 0 if it is still bound, that is if the push constants of the pipeline layout before it are the same (Vulkan,
 * "Pipeline Layout Compatibility"); the validation layer checks whether that is right.
 *
 * Word 0 of each buffer is 1000 times the number that its name ends in, plus the number of the element in an array.
 * Prints "N: WORDS" for each program: the contents of the buffer whose name begins with "Out". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../run.h"

enum { WORDS = 16, BUFFER = 256 };

struct resource {
	VkDescriptorSetLayoutBinding binding;
	bool is_out;
	struct element *elements;
};

struct set {
	struct resource *resources;
	uint32_t count;
	VkDescriptorSetLayout layout;
	VkDescriptorPool pool;
	VkDescriptorSet set;
};

struct drawn { /* a program */
	struct layout *layout;
	struct program modules[MAX_COMPANIONS + 1];
	uint32_t module_count;
	struct set sets[MAX_SETS]; /* the first one is not used */
	uint32_t set_count;
	VkPipelineLayout pipeline_layout;
	VkPipeline compute;
	struct run run; /* of a draw */
	struct pipeline *draw;
};

static uint32_t bits_of(const struct named *table, json_t *list)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < json_array_size(list); i++) {
		for (const struct named *row = table; row->name; row++)
			bits |= strcmp(row->name, json_string_value(json_array_get(list, i))) ? 0 : row->value;
	}
	return bits;
}

/* Sets */

static uint32_t number_of(const char *name)
{
	size_t length = strlen(name);

	while (length && name[length - 1] >= '0' && name[length - 1] <= '9')
		length--;
	return (uint32_t)strtoul(name + length, NULL, 10);
}

static void add_resource(struct device *d, struct set *s, VkDescriptorSetLayoutBinding binding, const char *name)
{
	struct resource *r = &s->resources[s->count++];

	*r = (struct resource){binding, !strncmp(name, "Out", 3), zeroed(binding.descriptorCount, sizeof *r->elements)};
	for (uint32_t i = 0; i < binding.descriptorCount; i++) {
		r->elements[i] =
		    element_buffer(d, BUFFER, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
		memset(r->elements[i].words, 0, BUFFER);
		r->elements[i].words[0] = r->is_out ? 0 : 1000 * number_of(name) + i;
	}
}

static void write_descriptors(struct device *d, const struct set *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct resource *r = &s->resources[i];
		for (uint32_t k = 0; k < r->binding.descriptorCount; k++) {
			VkDescriptorBufferInfo buffer = {r->elements[k].buffer, 0, VK_WHOLE_SIZE};
			VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
						      .dstSet = s->set,
						      .dstBinding = r->binding.binding,
						      .dstArrayElement = k,
						      .descriptorCount = 1,
						      .descriptorType = r->binding.descriptorType,
						      .pBufferInfo = &buffer};
			vkUpdateDescriptorSets(d->device, 1, &write, 0, NULL);
		}
	}
}

static void make_set(struct device *d, struct set *s)
{
	VkDescriptorSetLayoutBinding *bindings = zeroed(s->count + 1, sizeof *bindings);
	VkDescriptorPoolSize *sizes = zeroed(s->count + 1, sizeof *sizes);

	for (uint32_t i = 0; i < s->count; i++) {
		bindings[i] = s->resources[i].binding;
		sizes[i] = (VkDescriptorPoolSize){bindings[i].descriptorType, bindings[i].descriptorCount};
	}
	sizes[s->count] = (VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_SAMPLER, 1}; /* an empty set needs a pool, too */
	check(vkCreateDescriptorSetLayout(
		  d->device,
		  &(VkDescriptorSetLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
						     .bindingCount = s->count,
						     .pBindings = bindings},
		  NULL, &s->layout),
	      "vkCreateDescriptorSetLayout");
	check(
	    vkCreateDescriptorPool(d->device,
				   &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
								 .maxSets = 1,
								 .poolSizeCount = s->count + 1,
								 .pPoolSizes = sizes},
				   NULL, &s->pool),
	    "vkCreateDescriptorPool");
	check(vkAllocateDescriptorSets(
		  d->device,
		  &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
						 .descriptorPool = s->pool,
						 .descriptorSetCount = 1,
						 .pSetLayouts = &s->layout},
		  &s->set),
	      "vkAllocateDescriptorSets");
	write_descriptors(d, s);
	free(bindings);
	free(sizes);
}

static void free_set(struct device *d, struct set *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		for (uint32_t k = 0; k < s->resources[i].binding.descriptorCount; k++) {
			vkDestroyBuffer(d->device, s->resources[i].elements[k].buffer, NULL);
			vkFreeMemory(d->device, s->resources[i].elements[k].buffer_memory, NULL);
		}
		free(s->resources[i].elements);
	}
	free(s->resources);
	vkDestroyDescriptorPool(d->device, s->pool, NULL);
	vkDestroyDescriptorSetLayout(d->device, s->layout, NULL);
}

/* Set 0 of all programs. */
static struct set read_shared(struct device *d, const char *path)
{
	json_error_t error;
	json_t *json = json_load_file(path, 0, &error), *sets = json_object_get(json, "sets");
	struct set s = {0};

	for (size_t i = 0; i < json_array_size(sets); i++) {
		json_t *set = json_array_get(sets, i), *list = json_object_get(set, "bindings");
		const char *programs = json_string_value(json_object_get(set, "programs"));
		if (!programs || strcmp(programs, "*") != 0 || json_integer_value(json_object_get(set, "set")))
			continue;
		s.resources = zeroed(json_array_size(list), sizeof *s.resources);
		for (size_t k = 0; k < json_array_size(list); k++) {
			json_t *b = json_array_get(list, k),
			       *type = json_pack("[O]", json_object_get(b, "descriptorType"));
			add_resource(d, &s,
				     (VkDescriptorSetLayoutBinding){
					 .binding = (uint32_t)json_integer_value(json_object_get(b, "binding")),
					 .descriptorType = (VkDescriptorType)bits_of(descriptor_names, type),
					 .descriptorCount = (uint32_t)json_integer_value(json_object_get(b, "count")),
					 .stageFlags = bits_of(stage_names, json_object_get(b, "stages"))},
				     json_string_value(json_object_get(b, "name")));
			json_decref(type);
		}
	}
	if (!s.count)
		die("%s has no set 0 of all programs", path);
	make_set(d, &s);
	json_decref(json);
	return s;
}

/* Programs */

static void make_compute(struct device *d, struct drawn *p)
{
	VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
					    .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
						      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
						      .pName = p->layout->entry_point},
					    .layout = p->pipeline_layout};

	check(vkCreateShaderModule(d->device,
				   &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
							       .codeSize = p->modules[0].count * sizeof(uint32_t),
							       .pCode = p->modules[0].words},
				   NULL, &info.stage.module),
	      "vkCreateShaderModule");
	check(vkCreateComputePipelines(d->device, VK_NULL_HANDLE, 1, &info, NULL, &p->compute),
	      "vkCreateComputePipelines");
	vkDestroyShaderModule(d->device, info.stage.module, NULL);
}

static void make_program(struct device *d, const struct set *shared, struct drawn *p)
{
	const struct layout *l = p->layout;
	VkDescriptorSetLayout layouts[MAX_SETS] = {shared->layout};

	p->set_count = l->set_count ? l->set_count : 1;
	for (uint32_t n = 1; n < p->set_count; n++) {
		p->sets[n].resources = zeroed(l->binding_count + 1, sizeof *p->sets[n].resources);
		for (uint32_t i = 0; i < l->binding_count; i++) {
			const struct binding *b = &l->bindings[i];
			if (b->set == n)
				add_resource(d, &p->sets[n],
					     (VkDescriptorSetLayoutBinding){b->binding, b->descriptor, b->count,
									    b->stages, NULL},
					     b->name);
		}
		make_set(d, &p->sets[n]);
		layouts[n] = p->sets[n].layout;
	}
	check(
	    vkCreatePipelineLayout(d->device,
				   &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
								 .setLayoutCount = p->set_count,
								 .pSetLayouts = layouts,
								 .pushConstantRangeCount = l->push_count,
								 .pPushConstantRanges = l->push},
				   NULL, &p->pipeline_layout),
	    "vkCreatePipelineLayout");
	if (p->modules[0].stage == VK_SHADER_STAGE_COMPUTE_BIT) {
		make_compute(d, p);
		return;
	}
	p->run = (struct run){.device = d,
			      .layout = p->layout,
			      .program = &p->modules[0],
			      .companions = p->modules + 1,
			      .companion_count = p->module_count - 1};
	p->draw = pipeline_make(&p->run, p->pipeline_layout);
}

static void free_program(struct device *d, struct drawn *p)
{
	if (p->draw)
		pipeline_free(&p->run, p->draw);
	vkDestroyPipeline(d->device, p->compute, NULL);
	vkDestroyPipelineLayout(d->device, p->pipeline_layout, NULL);
	for (uint32_t n = 1; n < p->set_count; n++)
		free_set(d, &p->sets[n]);
	for (uint32_t i = 0; i < p->module_count; i++)
		free(p->modules[i].words);
	layout_free(p->layout);
}

/* Running */

static bool has_same_push(const struct layout *a, const struct layout *b)
{
	return a->push_count == b->push_count && !memcmp(a->push, b->push, a->push_count * sizeof *a->push);
}

static void record_compute(const struct drawn *p, const struct drawn *before, const struct set *shared,
			   VkCommandBuffer c)
{
	static const uint32_t zeros[64];
	const struct layout *l = p->layout;

	vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p->compute);
	if (!before || !has_same_push(before->layout, l))
		vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline_layout, 0, 1, &shared->set, 0,
					NULL);
	for (uint32_t n = 1; n < p->set_count; n++)
		vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline_layout, n, 1, &p->sets[n].set, 0,
					NULL);
	for (uint32_t i = 0; i < l->push_count; i++)
		vkCmdPushConstants(c, p->pipeline_layout, l->push[i].stageFlags, l->push[i].offset, l->push[i].size,
				   zeros);
	vkCmdDispatch(c, 1, 1, 1);
}

static void record_draw(const struct drawn *p, const struct set *shared, VkCommandBuffer c)
{
	VkDescriptorSet sets[MAX_SETS] = {shared->set};

	for (uint32_t n = 1; n < p->set_count; n++)
		sets[n] = p->sets[n].set;
	pipeline_record(&p->run, p->draw, p->pipeline_layout, sets, c);
}

static void record(struct drawn *programs, size_t count, const struct set *shared, VkCommandBuffer c)
{
	const struct drawn *before = NULL;
	VkMemoryBarrier written = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
				   .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
				   .dstAccessMask = VK_ACCESS_HOST_READ_BIT};

	check(
	    vkBeginCommandBuffer(c, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}),
	    "vkBeginCommandBuffer");
	for (size_t i = 0; i < count; i++) {
		if (programs[i].draw) {
			record_draw(&programs[i], shared, c);
		} else {
			record_compute(&programs[i], before, shared, c);
			before = &programs[i];
		}
	}
	vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &written, 0, NULL,
			     0, NULL);
	check(vkEndCommandBuffer(c), "vkEndCommandBuffer");
}

static void submit(struct device *d, struct drawn *programs, size_t count, const struct set *shared)
{
	VkCommandPool pool;
	VkCommandBuffer commands;

	check(vkCreateCommandPool(d->device,
				  &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
							     .queueFamilyIndex = d->family},
				  NULL, &pool),
	      "vkCreateCommandPool");
	check(vkAllocateCommandBuffers(
		  d->device,
		  &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
						 .commandPool = pool,
						 .commandBufferCount = 1},
		  &commands),
	      "vkAllocateCommandBuffers");
	record(programs, count, shared, commands);
	check(vkQueueSubmit(d->queue, 1,
			    &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
					    .commandBufferCount = 1,
					    .pCommandBuffers = &commands},
			    VK_NULL_HANDLE),
	      "vkQueueSubmit");
	check(vkQueueWaitIdle(d->queue), "vkQueueWaitIdle");
	vkDestroyCommandPool(d->device, pool, NULL);
}

static void print_out(const struct drawn *p, size_t number)
{
	printf("%zu:", number);
	for (uint32_t n = 1; n < p->set_count; n++) {
		for (uint32_t i = 0; i < p->sets[n].count; i++) {
			for (uint32_t k = 0; p->sets[n].resources[i].is_out && k < WORDS; k++)
				printf(" %u", p->sets[n].resources[i].elements[0].words[k]);
		}
	}
	printf("\n");
}

static size_t read_programs(struct drawn *programs, int argc, char **argv)
{
	size_t count = 0;

	for (int i = 3; i < argc; i++) {
		if (!strcmp(argv[i], "--program") && i + 2 < argc) {
			programs[count++].layout = layout_read(argv[++i]);
			continue;
		}
		struct drawn *p = count ? &programs[count - 1] : NULL;
		if (!p || p->module_count > MAX_COMPANIONS)
			die("%s: not a module of a program", argv[i]);
		p->modules[p->module_count++] = program_read(argv[i]);
	}
	return count;
}

int main(int argc, char **argv)
{
	struct device d = {0};
	struct drawn *programs = zeroed((size_t)argc, sizeof *programs);

	if (argc < 4) {
		fputs("usage: vulkan_shared ICD SHARED.json {--program LAYOUT.json MODULE.spv...}...\n", stderr);
		return 2;
	}
	now_running = argv[2];
	size_t count = read_programs(programs, argc, argv);
	device_choose(&d, argv[1]);
	d.has.core.features.robustBufferAccess = VK_FALSE;
	device_create(&d, &d.has.core, NULL, 0);
	vkGetDeviceQueue(d.device, d.family, 0, &d.queue);
	struct set shared = read_shared(&d, argv[2]);
	for (size_t i = 0; i < count; i++)
		make_program(&d, &shared, &programs[i]);
	if (!d.complaints) /* a driver may crash on what the layer rejects */
		submit(&d, programs, count, &shared);
	for (size_t i = 0; i < count; i++)
		print_out(&programs[i], i);
	for (size_t i = 0; i < count; i++)
		free_program(&d, &programs[i]);
	free_set(&d, &shared);
	device_close(&d);
	device_forget(&d);
	free(programs);
	return d.complaints ? 1 : 0;
}
