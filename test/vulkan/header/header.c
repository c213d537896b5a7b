/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_header ICD TABLES.so: creates what the tables of --layout-header describe, with the validation layer:
 * descriptor set layouts, a set of each from a pool, update templates and the pipeline layout. Prints the tables, for a
 * comparison with the layout JSON. Those beyond the device's limits are printed, but not created. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../run.h"
#include "tables.h"

enum { MOST_SETS = 64, LARGE = 4096 };

struct vulkan {
	struct device device;
	VkPhysicalDeviceLimits limits;
	unsigned made, beyond, refused;
};

static const void *in_chain(const void *next, VkStructureType type)
{
	const VkBaseInStructure *s = next;

	while (s && s->sType != type)
		s = s->pNext;
	return s;
}

static void print_set(const struct set_tables *t)
{
	const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
	    in_chain(t->layout->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
	const VkMutableDescriptorTypeCreateInfoEXT *types =
	    in_chain(t->layout->pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);

	printf("set %u flags %u\n", t->set, t->layout->flags);
	for (uint32_t i = 0; i < t->layout->bindingCount; i++) {
		const VkDescriptorSetLayoutBinding *b = &t->layout->pBindings[i];
		printf("binding %u type %d count %u stages %u flags %u mutable", b->binding, (int)b->descriptorType,
		       b->descriptorCount, b->stageFlags, flags ? flags->pBindingFlags[i] : 0);
		for (uint32_t k = 0; types && k < types->pMutableDescriptorTypeLists[i].descriptorTypeCount; k++)
			printf(" %d", (int)types->pMutableDescriptorTypeLists[i].pDescriptorTypes[k]);
		printf("\n");
	}
}

static const char *beyond(const struct vulkan *v, const struct program_tables *p)
{
	if (p->sets > v->limits.maxBoundDescriptorSets || p->sets > MOST_SETS)
		return "the device has not so many sets";
	for (uint32_t i = 0; i < p->range_count; i++) {
		if (p->ranges[i].offset + p->ranges[i].size > v->limits.maxPushConstantsSize)
			return "push constants are larger than the device has";
	}
	for (uint32_t i = 0; i < p->table_count; i++) {
		const VkDescriptorSetLayoutCreateInfo *layout = p->tables[i].layout;
		for (uint32_t k = 0; k < layout->bindingCount; k++) {
			if (layout->pBindings[k].binding > LARGE || layout->pBindings[k].descriptorCount > LARGE)
				return "a binding or a count is larger than drivers take";
		}
	}
	return NULL;
}

static void make_template(struct vulkan *v, const struct set_tables *t, VkDescriptorSetLayout layout)
{
	VkDescriptorUpdateTemplate made = VK_NULL_HANDLE;
	VkDescriptorUpdateTemplateCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
	    .descriptorUpdateEntryCount = t->entry_count,
	    .pDescriptorUpdateEntries = t->entries,
	    .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
	    .descriptorSetLayout = layout,
	};

	if (!t->entries)
		return;
	check(vkCreateDescriptorUpdateTemplate(v->device.device, &info, NULL, &made),
	      "vkCreateDescriptorUpdateTemplate");
	vkDestroyDescriptorUpdateTemplate(v->device.device, made, NULL);
}

static void allocate(struct vulkan *v, const struct set_tables *t, VkDescriptorSetLayout layout)
{
	VkDescriptorPool pool = VK_NULL_HANDLE;
	VkDescriptorSet set;
	VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
	    .maxInlineUniformBlockBindings = t->inline_uniform_blocks,
	};
	VkDescriptorPoolCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
	    .pNext = t->inline_uniform_blocks ? &blocks : NULL,
	    .flags = t->layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
			 ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT
			 : 0,
	    .maxSets = 1,
	    .poolSizeCount = t->pool_size_count,
	    .pPoolSizes = t->pool_sizes,
	};

	check(vkCreateDescriptorPool(v->device.device, &info, NULL, &pool), "vkCreateDescriptorPool");
	check(vkAllocateDescriptorSets(
		  v->device.device,
		  &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
						 .descriptorPool = pool,
						 .descriptorSetCount = 1,
						 .pSetLayouts = &layout},
		  &set),
	      "vkAllocateDescriptorSets");
	vkDestroyDescriptorPool(v->device.device, pool, NULL);
}

static VkDescriptorSetLayout make_layout(struct vulkan *v, const VkDescriptorSetLayoutCreateInfo *info)
{
	VkDescriptorSetLayout layout = VK_NULL_HANDLE;

	check(vkCreateDescriptorSetLayout(v->device.device, info, NULL, &layout), "vkCreateDescriptorSetLayout");
	return layout;
}

static void make(struct vulkan *v, const struct program_tables *p)
{
	VkDescriptorSetLayout sets[MOST_SETS] = {0};
	VkPipelineLayout layout = VK_NULL_HANDLE;
	VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
					   .setLayoutCount = p->sets,
					   .pSetLayouts = sets,
					   .pushConstantRangeCount = p->range_count,
					   .pPushConstantRanges = p->ranges};
	static const VkDescriptorSetLayoutCreateInfo none = {.sType =
								 VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};

	for (uint32_t i = 0; i < p->table_count; i++) {
		const struct set_tables *t = &p->tables[i];
		sets[t->set] = make_layout(v, t->layout);
		if (t->layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR)
			continue; /* without sets */
		make_template(v, t, sets[t->set]);
		allocate(v, t, sets[t->set]);
	}
	for (uint32_t i = 0; i < p->sets; i++)
		sets[i] = sets[i] ? sets[i] : make_layout(v, &none);
	check(vkCreatePipelineLayout(v->device.device, &info, NULL, &layout), "vkCreatePipelineLayout");
	vkDestroyPipelineLayout(v->device.device, layout, NULL);
	for (uint32_t i = 0; i < p->sets; i++)
		vkDestroyDescriptorSetLayout(v->device.device, sets[i], NULL);
}

static void try_program(struct vulkan *v, const struct program_tables *p)
{
	const char *why = beyond(v, p);

	now_running = p->name;
	v->device.complaints = 0;
	printf("program %s\n", p->name);
	for (uint32_t i = 0; i < p->table_count; i++)
		print_set(&p->tables[i]);
	for (uint32_t i = 0; i < p->range_count; i++)
		printf("push stages %u offset %u size %u\n", p->ranges[i].stageFlags, p->ranges[i].offset,
		       p->ranges[i].size);
	if (!why)
		make(v, p);
	if (v->device.complaints)
		printf("REFUSED %s\n", p->name);
	if (why)
		printf("not made: %s\n", why);
	v->beyond += why != NULL;
	v->refused += v->device.complaints != 0;
	v->made += !why && !v->device.complaints;
}

static void open_device(struct vulkan *v)
{
	static const char *const wanted[] = {"VK_EXT_mutable_descriptor_type", "VK_KHR_acceleration_structure",
					     "VK_KHR_deferred_host_operations", "VK_KHR_push_descriptor",
					     "VK_KHR_ray_query"};

	v->limits = device_create_whole(&v->device, wanted, sizeof wanted / sizeof wanted[0]);
}

int main(int argc, char **argv)
{
	struct vulkan v = {.made = 0};
	VkSampler *samplers, sampler;

	if (argc != 3) {
		fputs("usage: vulkan_header ICD TABLES.so\n", stderr);
		return 2;
	}
	void *library = dlopen(argv[2], RTLD_NOW);
	const struct program_tables *p = library ? dlsym(library, "programs") : NULL;
	if (!p || !(samplers = dlsym(library, "samplers"))) {
		fprintf(stderr, "%s\n", dlerror());
		return 2;
	}
	device_choose(&v.device, argv[1]);
	open_device(&v);
	check(vkCreateSampler(v.device.device, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO},
			      NULL, &sampler),
	      "vkCreateSampler");
	for (int i = 0; i < SAMPLERS; i++)
		samplers[i] = sampler;
	for (; p->name; p++)
		try_program(&v, p);
	vkDestroySampler(v.device.device, sampler, NULL);
	device_close(&v.device);
	device_forget(&v.device);
	printf("made %u, refused %u, beyond the device %u\n", v.made, v.refused, v.beyond);
	return v.refused || !v.made;
}
