/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_accept ICD LAYOUT.json[:MODULE.spv]...: whether Vulkan accepts the layouts, with the validation layer.
 *
 * Makes the descriptor set layouts and the pipeline layout that each JSON describes and, of a compute shader, its
 * pipeline, which the layer compares with the layout. Layouts beyond the device's limits are counted, not created. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../run.h"

enum { MOST_ACCEPTED_SETS = 64, HIGHEST_BINDING = 4096, RUNTIME = 64 };

static const struct named flags[] = {
    {"VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT", VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT},
    {0},
};

struct vulkan {
	struct device device;
	VkPhysicalDeviceLimits limits;
	unsigned accepted, skipped, refused;
	const char *over; /* why a layout is not created; NULL: it is */
};

static uint32_t value_of(struct vulkan *v, const struct named *table, const char *name)
{
	for (; table->name; table++) {
		if (name && !strcmp(table->name, name))
			return table->value;
	}
	v->over = "the device or this program knows no such thing";
	return 0;
}

static uint32_t bits_of(struct vulkan *v, const struct named *table, json_t *list)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		bits |= value_of(v, table, json_string_value(json_array_get(list, i)));
	return bits;
}

static uint32_t number(json_t *object, const char *key)
{
	return (uint32_t)json_integer_value(json_object_get(object, key));
}

static VkDescriptorSetLayout make_set(struct vulkan *v, json_t *set)
{
	json_t *list = json_object_get(set, "bindings");
	size_t count = json_array_size(list);
	VkDescriptorSetLayoutBinding *bindings = zeroed(count + 1, sizeof *bindings);
	VkDescriptorBindingFlags *bits = zeroed(count + 1, sizeof *bits);
	VkMutableDescriptorTypeListEXT *types = zeroed(count + 1, sizeof *types);
	VkDescriptorType(*kinds)[MAX_TYPES] = zeroed(count + 1, sizeof *kinds);
	VkMutableDescriptorTypeCreateInfoEXT mutable_info = {
	    .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
	    .mutableDescriptorTypeListCount = (uint32_t)count,
	    .pMutableDescriptorTypeLists = types};
	VkDescriptorSetLayoutBindingFlagsCreateInfo more = {
	    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
	    .bindingCount = (uint32_t)count,
	    .pBindingFlags = bits};
	VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
						.pNext = &more,
						.bindingCount = (uint32_t)count,
						.pBindings = bindings};
	VkDescriptorSetLayout layout = VK_NULL_HANDLE;

	size_t i = 0;
	for (size_t item = 0; item < count; item++) {
		json_t *b = json_array_get(list, item), *n = json_object_get(b, "count");
		bool other = i && bindings[i - 1].binding == number(b, "binding");
		if (other) /* a descriptor at the same binding, which only another pipeline uses */
			continue;
		bindings[i].binding = number(b, "binding");
		bindings[i].descriptorType = (VkDescriptorType)value_of(
		    v, descriptor_names, json_string_value(json_object_get(b, "descriptorType")));
		bindings[i].descriptorCount = json_is_null(n) ? RUNTIME : (uint32_t)json_integer_value(n);
		bindings[i].stageFlags = bits_of(v, stage_names, json_object_get(b, "stages"));
		bits[i] = bits_of(v, flags, json_object_get(b, "flags"));
		json_t *mutable = json_object_get(b, "mutableTypes");
		for (size_t k = 0; k < json_array_size(mutable) && k < MAX_TYPES; k++) {
			kinds[i][k] = (VkDescriptorType)value_of(v, descriptor_names,
								 json_string_value(json_array_get(mutable, k)));
			types[i] = (VkMutableDescriptorTypeListEXT){(uint32_t)k + 1, kinds[i]};
			more.pNext = &mutable_info;
		}
		if (bindings[i].binding > HIGHEST_BINDING || bindings[i].descriptorCount > HIGHEST_BINDING)
			v->over = "a binding or a count is larger than drivers take";
		i++;
	}
	info.bindingCount = more.bindingCount = mutable_info.mutableDescriptorTypeListCount = (uint32_t)i;
	if (!v->over)
		check(vkCreateDescriptorSetLayout(v->device.device, &info, NULL, &layout),
		      "vkCreateDescriptorSetLayout");
	free(bindings);
	free(bits);
	free(types);
	free(kinds);
	return layout;
}

/* Vulkan requires one range for each stage: VUID-VkPipelineLayoutCreateInfo-pPushConstantRanges-00292. */
static uint32_t read_ranges(struct vulkan *v, json_t *json, VkPushConstantRange *ranges)
{
	json_t *list = json_object_get(json, "pushConstants");
	uint32_t count = 0;

	for (const struct named *stage = stage_names; stage->name; stage++) {
		uint32_t begin = UINT32_MAX, end = 0;
		for (size_t i = 0; i < json_array_size(list); i++) {
			json_t *r = json_array_get(list, i);
			if (!(bits_of(v, stage_names, json_object_get(r, "stages")) & stage->value))
				continue;
			uint32_t first = number(r, "offset"), last = first + number(r, "size");
			begin = first < begin ? first : begin;
			end = last > end ? last : end;
		}
		if (end > begin)
			ranges[count++] = (VkPushConstantRange){stage->value, begin, end - begin};
		if (end > v->limits.maxPushConstantsSize)
			v->over = "push constants are larger than the device has";
	}
	return count;
}

static bool is_compute(json_t *json)
{
	json_t *modules = json_object_get(json, "modules"), *entry;

	entry = json_array_get(json_object_get(json_array_get(modules, 0), "entryPoints"), 0);
	const char *stage = json_string_value(json_object_get(entry, "stage"));
	return json_array_size(modules) == 1 && stage && !strcmp(stage, "VK_SHADER_STAGE_COMPUTE_BIT");
}

static void make_pipeline(struct vulkan *v, VkPipelineLayout layout, json_t *json, const char *path)
{
	struct program p = program_read(path);
	json_t *modules = json_object_get(json, "modules");
	json_t *entry = json_array_get(json_object_get(json_array_get(modules, 0), "entryPoints"), 0);
	VkShaderModule module;
	VkPipeline pipeline;
	VkComputePipelineCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
	    .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
		      .pName = json_string_value(json_object_get(entry, "name"))},
	    .layout = layout,
	};

	check(vkCreateShaderModule(v->device.device,
				   &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
							       .codeSize = p.count * sizeof(uint32_t),
							       .pCode = p.words},
				   NULL, &module),
	      "vkCreateShaderModule");
	info.stage.module = module;
	if (!v->device.complaints) { /* a driver may crash on layouts that the layer rejects */
		check(vkCreateComputePipelines(v->device.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
		      "vkCreateComputePipelines");
		vkDestroyPipeline(v->device.device, pipeline, NULL);
	}
	vkDestroyShaderModule(v->device.device, module, NULL);
	free(p.words);
}

static void try_layout(struct vulkan *v, json_t *json, const char *module)
{
	VkDescriptorSetLayout sets[MOST_ACCEPTED_SETS] = {0};
	VkPushConstantRange ranges[16];
	VkPipelineLayout layout;
	json_t *list = json_object_get(json, "sets"), *none = json_pack("{s:[]}", "bindings");
	uint32_t count = 0, range_count = read_ranges(v, json, ranges);

	for (size_t i = 0; i < json_array_size(list); i++) {
		uint32_t set = number(json_array_get(list, i), "set");
		if (set >= MOST_ACCEPTED_SETS || set >= v->limits.maxBoundDescriptorSets)
			v->over = "the device has not so many sets";
		else
			sets[set] = make_set(v, json_array_get(list, i));
		count = !v->over && set + 1 > count ? set + 1 : count;
	}
	for (uint32_t i = 0; i < count && !v->over; i++)
		sets[i] = sets[i] ? sets[i] : make_set(v, none);
	if (!v->over) {
		VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
						   .setLayoutCount = count,
						   .pSetLayouts = sets,
						   .pushConstantRangeCount = range_count,
						   .pPushConstantRanges = ranges};
		check(vkCreatePipelineLayout(v->device.device, &info, NULL, &layout), "vkCreatePipelineLayout");
		if (module && is_compute(json))
			make_pipeline(v, layout, json, module);
		vkDestroyPipelineLayout(v->device.device, layout, NULL);
	}
	for (uint32_t i = 0; i < MOST_ACCEPTED_SETS; i++)
		vkDestroyDescriptorSetLayout(v->device.device, sets[i], NULL);
	json_decref(none);
}

static void try_file(struct vulkan *v, char *argument)
{
	char *module = strchr(argument, ':');
	json_error_t error;

	if (module)
		*module++ = '\0';
	now_running = argument;
	json_t *json = json_load_file(argument, 0, &error);
	if (!json)
		die("line %d: %s", error.line, error.text);
	v->over = NULL;
	v->device.complaints = 0;
	try_layout(v, json, module);
	if (v->device.complaints) {
		printf("%s: REFUSED\n", argument);
		v->refused++;
	} else if (v->over) {
		printf("%s: not made: %s\n", argument, v->over);
		v->skipped++;
	} else {
		v->accepted++;
	}
	json_decref(json);
}

/* With all features of the device: this tests layouts, not the features that they need. */
static void open_device(struct vulkan *v)
{
	static const char *const wanted[] = {"VK_EXT_mutable_descriptor_type",
					     "VK_KHR_acceleration_structure",
					     "VK_KHR_deferred_host_operations",
					     "VK_KHR_ray_query",
					     "VK_EXT_shader_subgroup_ballot",
					     "VK_GOOGLE_hlsl_functionality1",
					     "VK_GOOGLE_user_type"};

	v->device.has.core.features.robustBufferAccess = VK_FALSE; /* it costs time */
	v->limits = device_create_whole(&v->device, wanted, sizeof wanted / sizeof wanted[0]);
}

int main(int argc, char **argv)
{
	struct vulkan v = {.accepted = 0};

	if (argc < 3) {
		fputs("usage: vulkan_accept ICD LAYOUT.json[:MODULE.spv]...\n", stderr);
		return 2;
	}
	device_choose(&v.device, argv[1]);
	open_device(&v);
	for (int i = 2; i < argc; i++)
		try_file(&v, argv[i]);
	device_close(&v.device);
	device_forget(&v.device);
	printf("%s: %u accepted, %u refused, %u beyond the device\n", v.device.driver_name, v.accepted, v.refused,
	       v.skipped);
	return v.refused || !v.accepted;
}
