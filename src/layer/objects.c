/* SPDX-License-Identifier: Apache-2.0 */
/* objects: what an application creates before its pipelines. Each is kept as long as the application, or a pipeline
 * library, has it. */
#include <stdlib.h>
#include <string.h>

#include "layer/layer.h"

static bool is_last(atomic_uint *references)
{
	return atomic_fetch_sub(references, 1) == 1;
}

/* What was there was destroyed without the layer's knowledge. */
static void keep(struct layer_table *t, uint64_t handle, void *object, void (*release)(void *))
{
	void *old = NULL;

	if (!object)
		old = layer_table_take(t, handle);
	else if (!layer_table_put(t, handle, object, &old))
		old = object;
	release(old);
}

struct layer_module *layer_module_create(const void *code, size_t size)
{
	struct layer_module *m = code && size >= 20 && size % 4 == 0 ? malloc(sizeof *m + size) : NULL;
	struct layer_text name = {.data = m ? m->name : NULL, .capacity = sizeof m->name};

	if (!m)
		return NULL;
	*m = (struct layer_module){.references = 1, .word_count = size / 4};
	memcpy(m->words, code, size);
	m->hash = layer_hash(0, code, size);
	layer_add(&name, "%x.spv", m->hash);
	return m;
}

void layer_module_release(void *module)
{
	struct layer_module *m = module;

	if (m && is_last(&m->references)) {
		free(atomic_load(&m->label));
		free(m);
	}
}

static VKAPI_ATTR VkResult VKAPI_CALL create_shader_module(VkDevice device, const VkShaderModuleCreateInfo *info,
							   const VkAllocationCallbacks *allocator,
							   VkShaderModule *handle)
{
	struct layer_device *d = layer_device_of(device);
	VkResult result = d->CreateShaderModule(device, info, allocator, handle);
	struct layer_module *m = result == VK_SUCCESS ? layer_module_create(info->pCode, info->codeSize) : NULL;

	if (m) {
		m->handle = LAYER_KEY(*handle);
		keep(&d->modules, m->handle, m, layer_module_release);
	}
	return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_shader_module(VkDevice device, VkShaderModule handle,
							const VkAllocationCallbacks *allocator)
{
	struct layer_device *d = layer_device_of(device);

	layer_module_release(layer_table_take(&d->modules, LAYER_KEY(handle)));
	d->DestroyShaderModule(device, handle, allocator);
}

/* Samplers with Y'CbCr conversion, which only immutable samplers have */

static VKAPI_ATTR VkResult VKAPI_CALL create_sampler(VkDevice device, const VkSamplerCreateInfo *info,
						     const VkAllocationCallbacks *allocator, VkSampler *handle)
{
	struct layer_device *d = layer_device_of(device);
	VkResult result = d->CreateSampler(device, info, allocator, handle);

	if (result == VK_SUCCESS && layer_chained(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO))
		layer_table_add(&d->converting, LAYER_KEY(*handle));
	return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_sampler(VkDevice device, VkSampler handle,
						  const VkAllocationCallbacks *allocator)
{
	struct layer_device *d = layer_device_of(device);

	layer_table_take(&d->converting, LAYER_KEY(handle));
	d->DestroySampler(device, handle, allocator);
}

static bool converts(struct layer_device *d, const VkDescriptorSetLayoutBinding *b)
{
	for (uint32_t k = 0; b->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER && b->pImmutableSamplers &&
			     k < b->descriptorCount;
	     k++) {
		if (layer_table_get(&d->converting, LAYER_KEY(b->pImmutableSamplers[k])))
			return true;
	}
	return false;
}

/* Layouts of descriptor sets */

uint32_t layer_type_bit(uint32_t type)
{
	return type <= VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT ? 1u << type : 0;
}

static struct layer_binding binding_of(struct layer_device *d, const VkDescriptorSetLayoutCreateInfo *info, uint32_t k)
{
	const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
	    layer_chained(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
	const VkMutableDescriptorTypeCreateInfoEXT *lists =
	    layer_chained(info->pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
	const VkDescriptorSetLayoutBinding *from = &info->pBindings[k];
	struct layer_binding b = {.binding = from->binding,
				  .type = (uint32_t)from->descriptorType,
				  .count = from->descriptorCount,
				  .stages = from->stageFlags,
				  .flags = flags && k < flags->bindingCount ? flags->pBindingFlags[k] : 0,
				  .converts = converts(d, from)};

	if (from->descriptorType == VK_DESCRIPTOR_TYPE_MUTABLE_EXT && lists &&
	    k < lists->mutableDescriptorTypeListCount) {
		const VkMutableDescriptorTypeListEXT *list = &lists->pMutableDescriptorTypeLists[k];
		for (uint32_t i = 0; i < list->descriptorTypeCount; i++)
			b.mutable_types |= layer_type_bit((uint32_t)list->pDescriptorTypes[i]);
	}
	return b;
}

static int by_number(const void *a, const void *b)
{
	const struct layer_binding *x = a, *y = b;

	return (x->binding > y->binding) - (x->binding < y->binding);
}

static struct layer_set *set_create(struct layer_device *d, const VkDescriptorSetLayoutCreateInfo *info)
{
	const size_t size = info->bindingCount * sizeof(struct layer_binding);
	struct layer_set *s = calloc(1, sizeof *s + size);

	if (!s)
		return NULL;
	s->references = 1;
	s->flags = info->flags;
	s->count = info->bindingCount;
	for (uint32_t k = 0; k < s->count; k++)
		s->bindings[k] = binding_of(d, info, k);
	qsort(s->bindings, s->count, sizeof *s->bindings, by_number);
	s->hash = layer_hash(s->flags, &s->count, sizeof s->count);
	for (uint32_t k = 0; k < s->count; k++) {
		const struct layer_binding *b = &s->bindings[k];
		const uint32_t words[] = {b->binding, b->type,          b->count,   b->stages,
					  b->flags,   b->mutable_types, b->converts};
		s->hash = layer_hash(s->hash, words, sizeof words);
	}
	return s;
}

void layer_set_release(void *set)
{
	struct layer_set *s = set;

	if (s && is_last(&s->references))
		free(s);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_descriptor_set_layout(VkDevice device,
								   const VkDescriptorSetLayoutCreateInfo *info,
								   const VkAllocationCallbacks *allocator,
								   VkDescriptorSetLayout *handle)
{
	struct layer_device *d = layer_device_of(device);
	VkResult result = d->CreateDescriptorSetLayout(device, info, allocator, handle);

	if (result == VK_SUCCESS)
		keep(&d->set_layouts, LAYER_KEY(*handle), set_create(d, info), layer_set_release);
	return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_descriptor_set_layout(VkDevice device, VkDescriptorSetLayout handle,
								const VkAllocationCallbacks *allocator)
{
	struct layer_device *d = layer_device_of(device);

	layer_set_release(layer_table_take(&d->set_layouts, LAYER_KEY(handle)));
	d->DestroyDescriptorSetLayout(device, handle, allocator);
}

/* Layouts of pipelines */

struct layer_layout *layer_layout_create(struct layer_device *d, uint32_t set_count, const VkDescriptorSetLayout *sets,
					 uint32_t push_count, const VkPushConstantRange *push)
{
	struct layer_layout *l = calloc(1, sizeof *l + set_count * sizeof *l->sets + push_count * sizeof *l->push);

	if (!l)
		return NULL;
	l->references = 1;
	l->set_count = set_count;
	l->push_count = push_count;
	l->sets = (struct layer_set **)(l + 1);
	l->push = (VkPushConstantRange *)(l->sets + set_count);
	if (push_count)
		memcpy(l->push, push, push_count * sizeof *push);
	l->hash = layer_hash(set_count, l->push, push_count * sizeof *push);
	for (uint32_t k = 0; k < set_count; k++) {
		l->sets[k] = sets[k] ? layer_table_get(&d->set_layouts, LAYER_KEY(sets[k])) : NULL;
		if (l->sets[k])
			atomic_fetch_add(&l->sets[k]->references, 1);
		l->hash = layer_hash(l->hash, l->sets[k] ? &l->sets[k]->hash : &l->hash, sizeof l->hash);
	}
	return l;
}

void layer_layout_release(void *layout)
{
	struct layer_layout *l = layout;

	if (!l || !is_last(&l->references))
		return;
	for (uint32_t k = 0; k < l->set_count; k++)
		layer_set_release(l->sets[k]);
	free(l);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pipeline_layout(VkDevice device, const VkPipelineLayoutCreateInfo *info,
							     const VkAllocationCallbacks *allocator,
							     VkPipelineLayout *handle)
{
	struct layer_device *d = layer_device_of(device);
	VkResult result = d->CreatePipelineLayout(device, info, allocator, handle);

	if (result == VK_SUCCESS)
		keep(&d->pipeline_layouts, LAYER_KEY(*handle),
		     layer_layout_create(d, info->setLayoutCount, info->pSetLayouts, info->pushConstantRangeCount,
					 info->pPushConstantRanges),
		     layer_layout_release);
	return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_pipeline_layout(VkDevice device, VkPipelineLayout handle,
							  const VkAllocationCallbacks *allocator)
{
	struct layer_device *d = layer_device_of(device);

	layer_layout_release(layer_table_take(&d->pipeline_layouts, LAYER_KEY(handle)));
	d->DestroyPipelineLayout(device, handle, allocator);
}

const struct layer_binding *layer_find_binding(const struct layer_layout *l, uint32_t set, uint32_t binding)
{
	const struct layer_set *s = l && set < l->set_count ? l->sets[set] : NULL;
	const struct layer_binding key = {.binding = binding};

	return s ? bsearch(&key, s->bindings, s->count, sizeof key, by_number) : NULL;
}

#define ROW(name, function)                                                                                            \
	{                                                                                                              \
		"vk" #name, (PFN_vkVoidFunction)(function), offsetof(struct layer_device, name)                        \
	}
const struct layer_function layer_object_functions[] = {
    ROW(CreateShaderModule, create_shader_module),
    ROW(DestroyShaderModule, destroy_shader_module),
    ROW(CreateSampler, create_sampler),
    ROW(DestroySampler, destroy_sampler),
    ROW(CreateDescriptorSetLayout, create_descriptor_set_layout),
    ROW(DestroyDescriptorSetLayout, destroy_descriptor_set_layout),
    ROW(CreatePipelineLayout, create_pipeline_layout),
    ROW(DestroyPipelineLayout, destroy_pipeline_layout),
    {0},
};
