/* SPDX-License-Identifier: Apache-2.0 */
/* slots: a layout as a list of bindings, and its descriptor set layouts and pipeline layout. */
#include <stdlib.h>
#include <string.h>

#include "pipelines.h"

enum { HIGHEST = 4096, RUNTIME = 16 };

static bool is_part_of_combined(VkDescriptorType type)
{
	return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
	       type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

/* Vulkan, "DescriptorSet and Binding Assignment": a texture, a sampler and a combined image-sampler at one binding are
 * views of one combined image-sampler. For any other two types, the layer has to complain. */
void slots_add(struct slots *slots, struct slot add)
{
	for (uint32_t i = 0; i < slots->count; i++) {
		struct slot *s = &slots->items[i];
		if (s->set != add.set || s->binding != add.binding)
			continue;
		if (s->type != add.type && is_part_of_combined(s->type) && is_part_of_combined(add.type))
			s->type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
		s->stages |= add.stages;
		s->runtime |= add.runtime;
		s->count = add.count > s->count ? add.count : s->count;
		return;
	}
	if (slots->count == MOST_SLOTS)
		slots->unmade = "too many bindings";
	else
		slots->items[slots->count++] = add;
}

void slots_push(struct slots *slots, VkShaderStageFlags stages, uint32_t begin, uint32_t end)
{
	for (uint32_t i = 0; i < 32; i++) {
		if (!(stages >> i & 1) || end <= begin)
			continue;
		bool none = slots->push[i].end == 0;
		slots->push[i].begin = none || begin < slots->push[i].begin ? begin : slots->push[i].begin;
		slots->push[i].end = end > slots->push[i].end ? end : slots->push[i].end;
	}
}

static uint32_t value_of(struct slots *slots, const struct named *table, const char *name)
{
	for (; table->name; table++) {
		if (name && !strcmp(table->name, name))
			return table->value;
	}
	slots->unmade = "the layout names a type or stage that is not known here";
	return 0;
}

static uint32_t number(json_t *object, const char *key)
{
	return (uint32_t)json_integer_value(json_object_get(object, key));
}

static uint32_t stages_of(struct slots *slots, json_t *object)
{
	json_t *list = json_object_get(object, "stages");
	uint32_t bits = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		bits |= value_of(slots, stage_names, json_string_value(json_array_get(list, i)));
	return bits;
}

void slots_read(struct slots *slots, const char *json_path)
{
	json_error_t error;
	json_t *json = json_load_file(json_path, 0, &error), *set, *binding, *range;
	size_t i, k;

	if (!json)
		die("%s:%d: %s", json_path, error.line, error.text);
	json_array_foreach(json_object_get(json, "sets"), i, set)
	{
		json_array_foreach(json_object_get(set, "bindings"), k, binding)
		{
			json_t *count = json_object_get(binding, "count"),
			       *types = json_object_get(binding, "mutableTypes");
			struct slot slot = (struct slot){
			    .set = number(set, "set"),
			    .binding = number(binding, "binding"),
			    .count = json_is_null(count) ? 1 : (uint32_t)json_integer_value(count),
			    .runtime = json_is_null(count),
			    .type = (VkDescriptorType)value_of(
				slots, descriptor_names, json_string_value(json_object_get(binding, "descriptorType"))),
			    .stages = stages_of(slots, binding),
			};
			for (; slot.mutable_count < json_array_size(types) && slot.mutable_count < MAX_TYPES;
			     slot.mutable_count++)
				slot.mutable_types[slot.mutable_count] = (VkDescriptorType)value_of(
				    slots, descriptor_names,
				    json_string_value(json_array_get(types, slot.mutable_count)));
			slots_add(slots, slot);
		}
	}
	json_array_foreach(json_object_get(json, "pushConstants"), i, range) slots_push(
	    slots, stages_of(slots, range), number(range, "offset"), number(range, "offset") + number(range, "size"));
	json_decref(json);
}

static VkDescriptorSetLayout make_set(struct maker *v, const struct slots *slots, uint32_t set)
{
	static VkDescriptorSetLayoutBinding bindings[MOST_SLOTS];
	static VkDescriptorBindingFlags flags[MOST_SLOTS];
	static VkMutableDescriptorTypeListEXT types[MOST_SLOTS];
	VkMutableDescriptorTypeCreateInfoEXT mutable_info = {
	    .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT, .pMutableDescriptorTypeLists = types};
	VkDescriptorSetLayoutBindingFlagsCreateInfo more = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, .pBindingFlags = flags};
	VkDescriptorSetLayoutCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .pNext = &more, .pBindings = bindings};
	VkDescriptorSetLayout made = VK_NULL_HANDLE;

	for (uint32_t i = 0; i < slots->count; i++) {
		const struct slot *s = &slots->items[i];
		if (s->set != set)
			continue;
		types[info.bindingCount] = (VkMutableDescriptorTypeListEXT){s->mutable_count, s->mutable_types};
		more.pNext = s->mutable_count ? &mutable_info : more.pNext;
		flags[info.bindingCount] = s->runtime ? VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT : 0;
		bindings[info.bindingCount++] = (VkDescriptorSetLayoutBinding){
		    .binding = s->binding,
		    .descriptorType = s->type,
		    .descriptorCount = s->runtime ? RUNTIME : s->count,
		    .stageFlags = s->stages,
		};
	}
	more.bindingCount = mutable_info.mutableDescriptorTypeListCount = info.bindingCount;
	check(vkCreateDescriptorSetLayout(v->device.device, &info, NULL, &made), "vkCreateDescriptorSetLayout");
	return made;
}

VkPipelineLayout slots_make(struct maker *v, struct slots *slots, VkDescriptorSetLayout *sets)
{
	VkPushConstantRange ranges[32];
	VkPipelineLayoutCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .pSetLayouts = sets, .pPushConstantRanges = ranges};
	VkPipelineLayout layout = VK_NULL_HANDLE;

	for (uint32_t i = 0; i < slots->count; i++) {
		const struct slot *s = &slots->items[i];
		if (s->set >= MOST_SETS || s->set >= v->limits.maxBoundDescriptorSets || s->binding > HIGHEST ||
		    s->count > HIGHEST)
			slots->unmade = "a set, binding or count is beyond the device";
		else if (s->mutable_count && !v->mutable_types)
			slots->unmade = "the device has no mutable descriptors";
		else if (s->set >= info.setLayoutCount)
			info.setLayoutCount = s->set + 1;
	}
	for (uint32_t i = 0; i < 32; i++) {
		if (slots->push[i].end > v->limits.maxPushConstantsSize)
			slots->unmade = "push constants are larger than the device has";
		else if (slots->push[i].end)
			ranges[info.pushConstantRangeCount++] = (VkPushConstantRange){
			    1u << i, slots->push[i].begin, slots->push[i].end - slots->push[i].begin};
	}
	if (slots->unmade)
		return layout;
	for (uint32_t i = 0; i < info.setLayoutCount; i++)
		sets[i] = make_set(v, slots, i);
	check(vkCreatePipelineLayout(v->device.device, &info, NULL, &layout), "vkCreatePipelineLayout");
	return layout;
}
