/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_header ICD TABLES.so: creates what the tables of --layout-header describe, with the validation layer:
 * descriptor set layouts, sets of each from a pool, update templates and the pipeline layout. Prints the tables, for a
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

static void print_set(uint32_t set, const VkDescriptorSetLayoutCreateInfo *layout)
{
	const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
	    in_chain(layout->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
	const VkMutableDescriptorTypeCreateInfoEXT *types =
	    in_chain(layout->pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);

	if (!layout->bindingCount)
		return;
	printf("set %u flags %u\n", set, layout->flags);
	for (uint32_t i = 0; i < layout->bindingCount; i++) {
		const VkDescriptorSetLayoutBinding *b = &layout->pBindings[i];
		printf("binding %u type %d count %u stages %u flags %u mutable", b->binding, (int)b->descriptorType,
		       b->descriptorCount, b->stageFlags, flags ? flags->pBindingFlags[i] : 0);
		for (uint32_t k = 0; types && k < types->pMutableDescriptorTypeLists[i].descriptorTypeCount; k++)
			printf(" %d", (int)types->pMutableDescriptorTypeLists[i].pDescriptorTypes[k]);
		printf("\n");
	}
}

/* What is not about descriptors. */
static void print_others(const struct program_tables *p)
{
	VkPhysicalDeviceVulkan13Features v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
	VkPhysicalDeviceVulkan12Features v12 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &v13};
	VkPhysicalDeviceVulkan11Features v11 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &v12};
	VkPhysicalDeviceFeatures2 core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v11};
	const struct {
		const void *features;
		size_t size;
	} all[] = {
	    {&core.features, sizeof core.features},
	    {&v11.storageBuffer16BitAccess,
	     sizeof v11 - offsetof(VkPhysicalDeviceVulkan11Features, storageBuffer16BitAccess)},
	    {&v12.samplerMirrorClampToEdge,
	     sizeof v12 - offsetof(VkPhysicalDeviceVulkan12Features, samplerMirrorClampToEdge)},
	    {&v13.robustImageAccess, sizeof v13 - offsetof(VkPhysicalDeviceVulkan13Features, robustImageAccess)}};
	const char *missing = p->enable_features ? p->enable_features(&core) : NULL;
	unsigned enabled = 0;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		for (size_t k = 0; k < all[i].size / sizeof(VkBool32); k++)
			enabled += ((const VkBool32 *)all[i].features)[k];
	}
	printf("features %u%s\n", enabled, missing ? " and others" : "");
	for (uint32_t i = 0; i < p->stage_count; i++)
		printf("stage %d %s\n", (int)p->stages[i].stage, p->stages[i].pName);
	for (uint32_t i = 0; p->vertex_input && i < p->vertex_input->vertexAttributeDescriptionCount; i++) {
		const VkVertexInputAttributeDescription *a = &p->vertex_input->pVertexAttributeDescriptions[i];
		printf("input %u format %d\n", a->location, (int)a->format);
	}
	for (uint32_t i = 0; p->specialization && i < p->specialization->mapEntryCount; i++) {
		const VkSpecializationMapEntry *e = &p->specialization->pMapEntries[i];
		const unsigned char *bytes = (const unsigned char *)p->specialization->pData + e->offset;
		printf("constant %u size %zu bytes", e->constantID, e->size);
		for (size_t k = 0; k < e->size; k++)
			printf(" %u", bytes[k]);
		printf("\n");
	}
}

static const char *beyond(const struct vulkan *v, const struct program_tables *p)
{
	if (p->layout->setLayoutCount > v->limits.maxBoundDescriptorSets || p->layout->setLayoutCount > MOST_SETS)
		return "the device has not so many sets";
	for (uint32_t i = 0; i < p->layout->pushConstantRangeCount; i++) {
		const VkPushConstantRange *range = &p->layout->pPushConstantRanges[i];
		if (range->offset + range->size > v->limits.maxPushConstantsSize)
			return "push constants are larger than the device has";
	}
	for (uint32_t i = 0; i < p->layout->setLayoutCount; i++) {
		const VkDescriptorSetLayoutCreateInfo *layout = p->set_layouts[i];
		for (uint32_t k = 0; k < layout->bindingCount; k++) {
			if (layout->pBindings[k].binding > LARGE || layout->pBindings[k].descriptorCount > LARGE)
				return "a binding or a count is larger than drivers take";
		}
	}
	return NULL;
}

static void make_templates(struct vulkan *v, const struct program_tables *p, const VkDescriptorSetLayout *sets,
			   VkPipelineLayout layout)
{
	for (uint32_t i = 0; i < p->template_count; i++) {
		VkDescriptorUpdateTemplate made = VK_NULL_HANDLE;
		VkDescriptorUpdateTemplateCreateInfo info = *p->templates[i];
		info.descriptorSetLayout = sets[info.set];
		info.pipelineLayout = layout;
		check(vkCreateDescriptorUpdateTemplate(v->device.device, &info, NULL, &made),
		      "vkCreateDescriptorUpdateTemplate");
		vkDestroyDescriptorUpdateTemplate(v->device.device, made, NULL);
	}
}

/* Every set as often as the pool is for. */
static void allocate(struct vulkan *v, const struct program_tables *p, const VkDescriptorSetLayout *sets)
{
	VkDescriptorPool pool = VK_NULL_HANDLE;
	VkDescriptorSet set;
	VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
	    .maxInlineUniformBlockBindings = p->pool_inline_uniform_blocks,
	};
	VkDescriptorPoolCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
	    .pNext = p->pool_inline_uniform_blocks ? &blocks : NULL,
	    .flags = p->pool_flags,
	    .maxSets = p->pool_sets,
	    .poolSizeCount = p->pool_size_count,
	    .pPoolSizes = p->pool_sizes,
	};

	if (!p->pool_sizes)
		return;
	check(vkCreateDescriptorPool(v->device.device, &info, NULL, &pool), "vkCreateDescriptorPool");
	for (uint32_t i = 0; i < p->layout->setLayoutCount * TIMES; i++) {
		const VkDescriptorSetLayoutCreateInfo *layout = p->set_layouts[i / TIMES];
		VkDescriptorSetAllocateInfo one = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
						   .descriptorPool = pool,
						   .descriptorSetCount = 1,
						   .pSetLayouts = &sets[i / TIMES]};
		if (layout->bindingCount && !(layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR))
			check(vkAllocateDescriptorSets(v->device.device, &one, &set), "vkAllocateDescriptorSets");
	}
	vkDestroyDescriptorPool(v->device.device, pool, NULL);
}

static void make(struct vulkan *v, const struct program_tables *p)
{
	VkDescriptorSetLayout sets[MOST_SETS] = {0};
	VkPipelineLayout layout = VK_NULL_HANDLE;
	VkPipelineLayoutCreateInfo info = *p->layout;

	info.pSetLayouts = sets;
	for (uint32_t i = 0; i < info.setLayoutCount; i++)
		check(vkCreateDescriptorSetLayout(v->device.device, p->set_layouts[i], NULL, &sets[i]),
		      "vkCreateDescriptorSetLayout");
	check(vkCreatePipelineLayout(v->device.device, &info, NULL, &layout), "vkCreatePipelineLayout");
	make_templates(v, p, sets, layout);
	allocate(v, p, sets);
	vkDestroyPipelineLayout(v->device.device, layout, NULL);
	for (uint32_t i = 0; i < info.setLayoutCount; i++)
		vkDestroyDescriptorSetLayout(v->device.device, sets[i], NULL);
}

static void try_program(struct vulkan *v, const struct program_tables *p)
{
	const char *why = beyond(v, p);

	now_running = p->name;
	v->device.complaints = 0;
	printf("program %s\n", p->name);
	for (uint32_t i = 0; i < p->layout->setLayoutCount; i++)
		print_set(i, p->set_layouts[i]);
	for (uint32_t i = 0; i < p->layout->pushConstantRangeCount; i++) {
		const VkPushConstantRange *range = &p->layout->pPushConstantRanges[i];
		printf("push stages %u offset %u size %u\n", range->stageFlags, range->offset, range->size);
	}
	print_others(p);
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
