/* SPDX-License-Identifier: Apache-2.0 */
/* reflect: a module as seen by SPIRV-Cross, which is independent of us. */
#include <spirv_cross_c.h>
#include <stdlib.h>
#include <string.h>

#include "pipelines.h"

static const struct {
	SpvExecutionModel model;
	VkShaderStageFlagBits stage;
} stages[] = {
    {SpvExecutionModelVertex, VK_SHADER_STAGE_VERTEX_BIT},
    {SpvExecutionModelTessellationControl, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
    {SpvExecutionModelTessellationEvaluation, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
    {SpvExecutionModelGeometry, VK_SHADER_STAGE_GEOMETRY_BIT},
    {SpvExecutionModelFragment, VK_SHADER_STAGE_FRAGMENT_BIT},
    {SpvExecutionModelGLCompute, VK_SHADER_STAGE_COMPUTE_BIT},
    {SpvExecutionModelTaskEXT, VK_SHADER_STAGE_TASK_BIT_EXT},
    {SpvExecutionModelMeshEXT, VK_SHADER_STAGE_MESH_BIT_EXT},
    {SpvExecutionModelRayGenerationKHR, VK_SHADER_STAGE_RAYGEN_BIT_KHR},
    {SpvExecutionModelIntersectionKHR, VK_SHADER_STAGE_INTERSECTION_BIT_KHR},
    {SpvExecutionModelAnyHitKHR, VK_SHADER_STAGE_ANY_HIT_BIT_KHR},
    {SpvExecutionModelClosestHitKHR, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR},
    {SpvExecutionModelMissKHR, VK_SHADER_STAGE_MISS_BIT_KHR},
    {SpvExecutionModelCallableKHR, VK_SHADER_STAGE_CALLABLE_BIT_KHR},
};

static enum scalar scalar_of(spvc_type type)
{
	switch ((int)spvc_type_get_basetype(type)) {
	case SPVC_BASETYPE_FP16:
	case SPVC_BASETYPE_FP32:
		return SCALAR_FLOAT;
	case SPVC_BASETYPE_INT8:
	case SPVC_BASETYPE_INT16:
	case SPVC_BASETYPE_INT32:
		return SCALAR_INT;
	case SPVC_BASETYPE_UINT8:
	case SPVC_BASETYPE_UINT16:
	case SPVC_BASETYPE_UINT32:
		return SCALAR_UINT;
	default:
		return SCALAR_OTHER;
	}
}

static uint32_t elements(spvc_type type, bool *runtime)
{
	uint32_t count = 1;

	for (unsigned i = 0; i < spvc_type_get_num_array_dimensions(type); i++) {
		uint32_t n = spvc_type_get_array_dimension(type, i);
		if (!spvc_type_array_dimension_is_literal(type, i))
			n = 1; /* the default of a specialization constant: good enough for a layout */
		if (!n && runtime)
			*runtime = true;
		count *= n ? n : 1;
	}
	return count;
}

static void read_locations(spvc_compiler c, const spvc_reflected_resource *list, size_t count, enum scalar *kinds,
			   uint32_t *widths)
{
	for (size_t i = 0; i < count; i++) {
		spvc_type type = spvc_compiler_get_type_handle(c, list[i].type_id);
		uint32_t first = spvc_compiler_get_decoration(c, list[i].id, SpvDecorationLocation);
		uint32_t n = elements(type, NULL) * spvc_type_get_columns(type);
		for (uint32_t k = first; k < first + n && k < MOST_LOCATIONS; k++) {
			kinds[k] = scalar_of(type);
			if (widths)
				widths[k] = spvc_type_get_vector_size(type);
		}
	}
}

static VkDescriptorType type_of(spvc_compiler c, spvc_resource_type kind, spvc_type_id id)
{
	spvc_type type = spvc_compiler_get_type_handle(c, id);
	bool image = kind == SPVC_RESOURCE_TYPE_STORAGE_IMAGE || kind == SPVC_RESOURCE_TYPE_SAMPLED_IMAGE ||
		     kind == SPVC_RESOURCE_TYPE_SEPARATE_IMAGE;
	bool buffer = image && spvc_type_get_image_dimension(type) == SpvDimBuffer;

	switch ((int)kind) {
	case SPVC_RESOURCE_TYPE_UNIFORM_BUFFER:
		return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
	case SPVC_RESOURCE_TYPE_STORAGE_BUFFER:
		return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
	case SPVC_RESOURCE_TYPE_STORAGE_IMAGE:
		return buffer ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
	case SPVC_RESOURCE_TYPE_SAMPLED_IMAGE:
		return buffer ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
	case SPVC_RESOURCE_TYPE_SEPARATE_IMAGE:
		return buffer ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
	case SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS:
		return VK_DESCRIPTOR_TYPE_SAMPLER;
	case SPVC_RESOURCE_TYPE_SUBPASS_INPUT:
		return VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
	default:
		return VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
	}
}

static void read_resources(spvc_compiler c, spvc_resources resources, VkShaderStageFlagBits stage, struct slots *slots)
{
	static const spvc_resource_type kinds[] = {
	    SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, SPVC_RESOURCE_TYPE_STORAGE_BUFFER,
	    SPVC_RESOURCE_TYPE_STORAGE_IMAGE,  SPVC_RESOURCE_TYPE_SAMPLED_IMAGE,
	    SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS,
	    SPVC_RESOURCE_TYPE_SUBPASS_INPUT,  SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE};
	const spvc_reflected_resource *list;
	size_t count;

	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		spvc_resources_get_resource_list_for_type(resources, kinds[k], &list, &count);
		for (size_t i = 0; i < count; i++) {
			struct slot s = {.set = spvc_compiler_get_decoration(c, list[i].id, SpvDecorationDescriptorSet),
					 .binding = spvc_compiler_get_decoration(c, list[i].id, SpvDecorationBinding),
					 .stages = stage};
			s.count = elements(spvc_compiler_get_type_handle(c, list[i].type_id), &s.runtime);
			s.type = type_of(c, kinds[k], list[i].base_type_id);
			slots_add(slots, s);
		}
	}
	spvc_resources_get_resource_list_for_type(resources, SPVC_RESOURCE_TYPE_PUSH_CONSTANT, &list, &count);
	for (size_t i = 0; i < count; i++) {
		size_t size = 0;
		spvc_compiler_get_declared_struct_size(c, spvc_compiler_get_type_handle(c, list[i].base_type_id),
						       &size);
		slots_push(slots, stage, 0, (uint32_t)(size + 3) / 4 * 4);
	}
}

static VkPrimitiveTopology topology_of(spvc_compiler c)
{
	const SpvExecutionMode *modes;
	size_t count = 0;

	spvc_compiler_get_execution_modes(c, &modes, &count);
	for (size_t i = 0; i < count; i++) {
		switch ((int)modes[i]) {
		case SpvExecutionModeInputPoints:
			return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
		case SpvExecutionModeInputLines:
			return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
		case SpvExecutionModeInputLinesAdjacency:
			return VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY;
		case SpvExecutionModeInputTrianglesAdjacency:
			return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
		default:
			break;
		}
	}
	return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
}

static const char *read_entry(spvc_compiler c, const spvc_entry_point *from, struct entry *e, struct slots *slots)
{
	const spvc_reflected_resource *list;
	spvc_resources resources;
	spvc_set active;
	size_t count;

	for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
		if (stages[i].model == from->execution_model)
			e->stage = stages[i].stage;
	}
	if (!e->stage || strlen(from->name) >= sizeof e->name)
		return "an entry point that no pipeline here can have";
	strcpy(e->name, from->name);
	if (spvc_compiler_set_entry_point(c, from->name, from->execution_model) != SPVC_SUCCESS ||
	    spvc_compiler_get_active_interface_variables(c, &active) != SPVC_SUCCESS ||
	    spvc_compiler_create_shader_resources_for_active_variables(c, &resources, active) != SPVC_SUCCESS)
		return "SPIRV-Cross does not reflect it";
	spvc_resources_get_resource_list_for_type(resources, SPVC_RESOURCE_TYPE_STAGE_INPUT, &list, &count);
	read_locations(c, list, count, e->in, e->in_width);
	spvc_resources_get_resource_list_for_type(resources, SPVC_RESOURCE_TYPE_STAGE_OUTPUT, &list, &count);
	read_locations(c, list, count, e->out, NULL);
	e->topology = topology_of(c);
	if (slots)
		read_resources(c, resources, e->stage, slots);
	return NULL;
}

const char *reflect(struct module *m, const char *path, struct slots *slots)
{
	const char *left_out = "SPIRV-Cross does not read it";
	const spvc_entry_point *entries;
	spvc_context context;
	spvc_compiler c;
	spvc_parsed_ir ir;
	size_t count = 0;

	m->program = program_read(path);
	if (spvc_context_create(&context) != SPVC_SUCCESS)
		die("spvc_context_create");
	if (spvc_context_parse_spirv(context, m->program.words, m->program.count, &ir) == SPVC_SUCCESS &&
	    spvc_context_create_compiler(context, SPVC_BACKEND_NONE, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &c) ==
		SPVC_SUCCESS &&
	    spvc_compiler_get_entry_points(c, &entries, &count) == SPVC_SUCCESS) {
		left_out = count && count <= MOST_ENTRIES ? NULL : "no entry points, or too many";
		for (size_t i = 0; i < count && !left_out; i++)
			left_out = read_entry(c, &entries[i], &m->entries[m->entry_count++], slots);
	}
	spvc_context_destroy(context);
	return left_out;
}
