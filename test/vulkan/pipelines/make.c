/* SPDX-License-Identifier: Apache-2.0 */
/* make: pipelines of all kinds, with as little state as Vulkan allows. */
#include <stdlib.h>
#include <string.h>

#include "pipelines.h"

enum { MOST_STAGES = 8 };

struct stages {
	VkPipelineShaderStageCreateInfo items[MOST_STAGES];
	const struct entry *entries[MOST_STAGES];
	uint32_t count;
	VkShaderStageFlags bits;
};

static const VkShaderStageFlags RAYS = VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
				       VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
				       VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
static const VkShaderStageFlags MESH = VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;

static VkPipelineShaderStageCreateInfo stage_info(struct maker *v, const struct module *m, const struct entry *e)
{
	VkPipelineShaderStageCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = e->stage, .pName = e->name};
	VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
					   .codeSize = m->program.count * sizeof(uint32_t),
					   .pCode = m->program.words};

	if (vkCreateShaderModule(v->device.device, &module, NULL, &info.module) != VK_SUCCESS)
		v->device.complaints++;
	return info;
}

static VkFormat format_of(enum scalar scalar, uint32_t width)
{
	static const VkFormat floats[] = {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT,
					  VK_FORMAT_R32G32B32A32_SFLOAT};
	static const VkFormat ints[] = {VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT, VK_FORMAT_R32G32B32_SINT,
					VK_FORMAT_R32G32B32A32_SINT};
	static const VkFormat uints[] = {VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32_UINT,
					 VK_FORMAT_R32G32B32A32_UINT};

	if (!width || width > 4)
		return VK_FORMAT_UNDEFINED;
	return scalar == SCALAR_INT ? ints[width - 1] : scalar == SCALAR_UINT ? uints[width - 1] : floats[width - 1];
}

/* A driver may do anything with what the layer rejects, so it is not called. */
static bool good(const struct maker *v)
{
	return !v->device.complaints;
}

static void done(struct maker *v, VkResult result, const VkPipeline *pipeline)
{
	if (result != VK_SUCCESS)
		v->device.complaints++;
	else
		vkDestroyPipeline(v->device.device, *pipeline, NULL);
}

static const char *make_compute(struct maker *v, const struct stages *s, VkPipelineLayout layout)
{
	VkComputePipelineCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = s->items[0], .layout = layout};
	VkPipeline pipeline;

	if (good(v))
		done(v, vkCreateComputePipelines(v->device.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
		     &pipeline);
	return NULL;
}

static const struct entry *find(const struct stages *s, VkShaderStageFlagBits stage)
{
	for (uint32_t i = 0; i < s->count; i++) {
		if (s->entries[i]->stage == stage)
			return s->entries[i];
	}
	return NULL;
}

static const char *make_graphics(struct maker *v, const struct stages *s, VkPipelineLayout layout)
{
	const struct entry *vertex = find(s, VK_SHADER_STAGE_VERTEX_BIT),
			   *geometry = find(s, VK_SHADER_STAGE_GEOMETRY_BIT);
	const struct entry *fragment = find(s, VK_SHADER_STAGE_FRAGMENT_BIT);
	bool tessellated = s->bits & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, alone = s->count == 1 && fragment;
	VkVertexInputAttributeDescription attributes[MOST_LOCATIONS];
	VkVertexInputBindingDescription binding = {.stride = 16 * MOST_LOCATIONS};
	VkFormat formats[8] = {0};
	VkPipelineColorBlendAttachmentState blend[8] = {{0}};
	VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
	VkPipelineVertexInputStateCreateInfo input = {.sType =
							  VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
						      .pVertexBindingDescriptions = &binding,
						      .pVertexAttributeDescriptions = attributes};
	VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
						   .pColorAttachmentFormats = formats};
	VkPipelineInputAssemblyStateCreateInfo assembly = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
	    .topology = tessellated ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
			: geometry  ? geometry->topology
				    : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
	VkPipelineTessellationStateCreateInfo tessellation = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
	VkPipelineViewportStateCreateInfo viewport = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
	VkPipelineRasterizationStateCreateInfo raster = {.sType =
							     VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
							 .rasterizerDiscardEnable = !fragment,
							 .lineWidth = 1.0f};
	VkPipelineMultisampleStateCreateInfo samples = {.sType =
							    VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
							.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
	VkPipelineDepthStencilStateCreateInfo depth = {.sType =
							   VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
	VkPipelineColorBlendStateCreateInfo colors = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
						      .pAttachments = blend};
	VkPipelineDynamicStateCreateInfo states = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
						   .dynamicStateCount = 2,
						   .pDynamicStates = dynamic};
	VkGraphicsPipelineLibraryCreateInfoEXT library = {
	    .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
	    .flags = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT};
	VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
					     .pNext = &rendering,
					     .flags = alone ? VK_PIPELINE_CREATE_LIBRARY_BIT_KHR : 0,
					     .stageCount = s->count,
					     .pStages = s->items,
					     .pVertexInputState = vertex ? &input : NULL,
					     .pInputAssemblyState = vertex ? &assembly : NULL,
					     .pTessellationState = tessellated ? &tessellation : NULL,
					     .pViewportState = alone ? NULL : &viewport,
					     .pRasterizationState = alone ? NULL : &raster,
					     .pMultisampleState = &samples,
					     .pDepthStencilState = &depth,
					     .pColorBlendState = alone ? NULL : &colors,
					     .pDynamicState = alone ? NULL : &states,
					     .layout = layout};
	VkPipeline pipeline;

	if (alone && !v->libraries)
		return "a fragment shader alone, and the device has no pipeline libraries";
	if (!vertex && !alone && !(s->bits & VK_SHADER_STAGE_MESH_BIT_EXT))
		return "no vertex shader";
	for (uint32_t i = 0; i < MOST_LOCATIONS && vertex; i++) {
		if (vertex->in[i] == SCALAR_OTHER)
			return "an attribute of 64 bits";
		if (vertex->in[i])
			attributes[input.vertexAttributeDescriptionCount++] = (VkVertexInputAttributeDescription){
			    .location = i, .format = format_of(vertex->in[i], vertex->in_width[i]), .offset = 16 * i};
	}
	input.vertexBindingDescriptionCount = input.vertexAttributeDescriptionCount != 0;
	for (uint32_t i = 0; i < 8 && fragment; i++) {
		if (!fragment->out[i])
			continue;
		formats[i] = format_of(fragment->out[i], 4);
		blend[i].colorWriteMask = 15;
		rendering.colorAttachmentCount = colors.attachmentCount = i + 1;
	}
	if (alone)
		rendering.pNext = &library;
	if (good(v))
		done(v, vkCreateGraphicsPipelines(v->device.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
		     &pipeline);
	return NULL;
}

/* A library: it needs no ray generation shader. */
static const char *make_rays(struct maker *v, const struct stages *s, VkPipelineLayout layout)
{
	PFN_vkCreateRayTracingPipelinesKHR create =
	    (PFN_vkCreateRayTracingPipelinesKHR)vkGetDeviceProcAddr(v->device.device, "vkCreateRayTracingPipelinesKHR");
	VkRayTracingShaderGroupCreateInfoKHR groups[MOST_STAGES];
	VkRayTracingPipelineInterfaceCreateInfoKHR interface = {
	    .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_INTERFACE_CREATE_INFO_KHR,
	    .maxPipelineRayPayloadSize = 128,
	    .maxPipelineRayHitAttributeSize = 32};
	VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
						  .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
						  .stageCount = s->count,
						  .pStages = s->items,
						  .groupCount = s->count,
						  .pGroups = groups,
						  .maxPipelineRayRecursionDepth = 1,
						  .pLibraryInterface = &interface,
						  .layout = layout};
	VkPipeline pipeline;

	if (!v->ray_tracing || !create)
		return "the device traces no rays";
	for (uint32_t i = 0; i < s->count; i++) {
		VkShaderStageFlagBits stage = s->items[i].stage;
		VkRayTracingShaderGroupCreateInfoKHR group = {
		    .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
		    .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
		    .generalShader = VK_SHADER_UNUSED_KHR,
		    .closestHitShader = VK_SHADER_UNUSED_KHR,
		    .anyHitShader = VK_SHADER_UNUSED_KHR,
		    .intersectionShader = VK_SHADER_UNUSED_KHR};
		if (stage == VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR)
			group.closestHitShader = i;
		else if (stage == VK_SHADER_STAGE_ANY_HIT_BIT_KHR)
			group.anyHitShader = i;
		else if (stage == VK_SHADER_STAGE_INTERSECTION_BIT_KHR)
			group.intersectionShader = i;
		else
			group.generalShader = i;
		if (stage == VK_SHADER_STAGE_INTERSECTION_BIT_KHR)
			group.type = VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
		else if (group.generalShader == VK_SHADER_UNUSED_KHR)
			group.type = VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR;
		groups[i] = group;
	}
	if (good(v))
		done(v, create(v->device.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), &pipeline);
	return NULL;
}

static const char *make_one(struct maker *v, const struct stages *s, VkPipelineLayout layout)
{
	VkShaderStageFlags tessellation =
	    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;

	if (s->bits & RAYS)
		return make_rays(v, s, layout);
	if (s->bits & VK_SHADER_STAGE_COMPUTE_BIT)
		return make_compute(v, s, layout);
	if (s->bits & MESH && !v->mesh)
		return "the device has no mesh shaders";
	if ((s->bits & tessellation) && (s->bits & tessellation) != tessellation)
		return "half of a tessellation";
	return make_graphics(v, s, layout);
}

/* Entry points of one stage get separate pipelines; ray tracing takes them all. */
const char *make_pipelines(struct maker *v, struct module *modules, uint32_t count, VkPipelineLayout layout)
{
	struct stages s = {.count = 0};
	const char *unmade = NULL;

	for (uint32_t i = 0; i < count && !unmade; i++) {
		for (uint32_t k = 0; k < modules[i].entry_count && !unmade; k++) {
			const struct entry *e = &modules[i].entries[k];
			bool again = s.bits & (VkShaderStageFlags)e->stage && !(RAYS & (VkShaderStageFlags)e->stage);
			if (s.count == MOST_STAGES)
				return "more stages than this program makes pipelines of";
			if (again && e->stage != VK_SHADER_STAGE_COMPUTE_BIT)
				return "several entry points of one graphics stage";
			if (again) {
				unmade = make_one(v, &s, layout);
				s = (struct stages){.count = 0};
			}
			s.items[s.count] = stage_info(v, &modules[i], e);
			s.entries[s.count++] = e;
			s.bits |= (VkShaderStageFlags)e->stage;
		}
	}
	return unmade ? unmade : s.count ? make_one(v, &s, layout) : "no entry point";
}
