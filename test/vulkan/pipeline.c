/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline: a pipeline with the stages of a run, and the commands that run it: a dispatch, rays of one ray generation
 * shader that meet nothing, or a draw. A draw without fragment shader is not rasterized. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { MAX_STAGES = MAX_COMPANIONS + 1, CONTROL_POINTS = 3, HANDLE_ROOM = 256 };

struct pipeline {
	VkPipeline pipeline;
	VkPipelineBindPoint point;
	VkShaderStageFlags stages;
	struct element target, table; /* of a draw; the shader binding table of rays */
	uint32_t handle_size;
};

struct stages {
	VkPipelineShaderStageCreateInfo info[MAX_STAGES];
	uint32_t count;
	VkShaderStageFlags all;
};

static void add_stage(struct run *r, struct stages *s, const struct program *p, const char *entry)
{
	VkPipelineShaderStageCreateInfo *info = &s->info[s->count++];

	*info = (VkPipelineShaderStageCreateInfo){
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = p->stage, .pName = entry};
	check(vkCreateShaderModule(r->device->device,
				   &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
							       .codeSize = p->count * 4,
							       .pCode = p->words},
				   NULL, &info->module),
	      "vkCreateShaderModule");
	if (s->all & p->stage)
		die("two programs of one stage");
	s->all |= p->stage;
}

static VkPipeline make_compute(struct run *r, VkPipelineLayout layout, const struct stages *s)
{
	VkPipeline pipeline;
	VkComputePipelineCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = s->info[0], .layout = layout};

	check(vkCreateComputePipelines(r->device->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	      "vkCreateComputePipelines");
	return pipeline;
}

static VkPipeline make_graphics(struct run *r, VkPipelineLayout layout, const struct stages *s,
				const struct element *target)
{
	VkFormat format = VK_FORMAT_R32G32B32A32_UINT;
	bool patches = s->all & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
	VkPipelineTessellationStateCreateInfo tessellation = {
	    .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = CONTROL_POINTS};
	VkViewport viewport = {0, 0, (float)target->extent.width, (float)target->extent.height, 0, 1};
	VkRect2D scissor = {.extent = {target->extent.width, target->extent.height}};
	VkGraphicsPipelineCreateInfo info = {
	    .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
	    .pNext = &(VkPipelineRenderingCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
						      .colorAttachmentCount = 1,
						      .pColorAttachmentFormats = &format},
	    .stageCount = s->count,
	    .pStages = s->info,
	    .pVertexInputState =
		&(VkPipelineVertexInputStateCreateInfo){.sType =
							    VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO},
	    .pInputAssemblyState =
		&(VkPipelineInputAssemblyStateCreateInfo){
		    .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		    .topology = patches     ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
				: r->points ? VK_PRIMITIVE_TOPOLOGY_POINT_LIST
					    : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
	    .pTessellationState = patches ? &tessellation : NULL,
	    .pViewportState =
		&(VkPipelineViewportStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
						     .viewportCount = 1,
						     .pViewports = &viewport,
						     .scissorCount = 1,
						     .pScissors = &scissor},
	    .pRasterizationState =
		&(VkPipelineRasterizationStateCreateInfo){
		    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
		    .rasterizerDiscardEnable = !(s->all & VK_SHADER_STAGE_FRAGMENT_BIT),
		    .lineWidth = 1},
	    .pMultisampleState = &(
		VkPipelineMultisampleStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
						      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT},
	    .pColorBlendState =
		&(VkPipelineColorBlendStateCreateInfo){
		    .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
		    .attachmentCount = 1,
		    .pAttachments = &(VkPipelineColorBlendAttachmentState){.colorWriteMask = 15}},
	    .layout = layout,
	};
	VkPipeline pipeline;

	check(vkCreateGraphicsPipelines(r->device->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	      "vkCreateGraphicsPipelines");
	return pipeline;
}

static PFN_vkVoidFunction function(const struct run *r, const char *name)
{
	PFN_vkVoidFunction f = vkGetDeviceProcAddr(r->device->device, name);

	if (!f)
		die("the device has no %s", name);
	return f;
}

/* The shader binding table holds the one ray generation shader. */
static void make_rays(struct run *r, VkPipelineLayout layout, const struct stages *s, struct pipeline *p)
{
	VkRayTracingShaderGroupCreateInfoKHR group = {
	    .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
	    .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
	    .closestHitShader = VK_SHADER_UNUSED_KHR,
	    .anyHitShader = VK_SHADER_UNUSED_KHR,
	    .intersectionShader = VK_SHADER_UNUSED_KHR,
	};
	VkRayTracingPipelineCreateInfoKHR info = {
	    .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
	    .stageCount = s->count,
	    .pStages = s->info,
	    .groupCount = 1,
	    .pGroups = &group,
	    .maxPipelineRayRecursionDepth = 1,
	    .layout = layout,
	};
	VkPhysicalDeviceRayTracingPipelinePropertiesKHR limits = {
	    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR};
	VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
						  .pNext = &limits};

	check(((PFN_vkCreateRayTracingPipelinesKHR)function(r, "vkCreateRayTracingPipelinesKHR"))(
		  r->device->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, NULL, &p->pipeline),
	      "vkCreateRayTracingPipelinesKHR");
	vkGetPhysicalDeviceProperties2(r->device->physical, &properties);
	p->handle_size = limits.shaderGroupHandleSize;
	p->table =
	    element_buffer(r->device, HANDLE_ROOM,
			   VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
	check(((PFN_vkGetRayTracingShaderGroupHandlesKHR)function(r, "vkGetRayTracingShaderGroupHandlesKHR"))(
		  r->device->device, p->pipeline, 0, 1, p->handle_size, p->table.words),
	      "vkGetRayTracingShaderGroupHandlesKHR");
}

struct pipeline *pipeline_make(struct run *r, VkPipelineLayout layout)
{
	struct pipeline *p = zeroed(1, sizeof *p);
	struct stages s = {.count = 0};
	VkSpecializationMapEntry *entries = zeroed(r->constant_count, sizeof *entries);
	VkSpecializationInfo constants = {r->constant_count, entries, r->constant_count * sizeof *r->constants,
					  r->constants};

	for (uint32_t i = 0; i < r->constant_count; i++)
		entries[i] = (VkSpecializationMapEntry){i, i * (uint32_t)sizeof *r->constants, sizeof *r->constants};
	add_stage(r, &s, r->program, r->layout->entry_point);
	s.info[0].pSpecializationInfo = r->constant_count ? &constants : NULL;
	for (uint32_t i = 0; i < r->companion_count; i++)
		add_stage(r, &s, &r->companions[i], "main");
	p->stages = s.all;
	if (r->program->stage == VK_SHADER_STAGE_COMPUTE_BIT) {
		p->point = VK_PIPELINE_BIND_POINT_COMPUTE;
		p->pipeline = make_compute(r, layout, &s);
	} else if (r->program->stage == VK_SHADER_STAGE_RAYGEN_BIT_KHR) {
		p->point = VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR;
		make_rays(r, layout, &s, p);
	} else {
		p->point = VK_PIPELINE_BIND_POINT_GRAPHICS;
		p->target = target_make(r->device, WIDTH, HEIGHT);
		r->target = &p->target;
		p->pipeline = make_graphics(r, layout, &s, &p->target);
	}
	for (uint32_t i = 0; i < s.count; i++)
		vkDestroyShaderModule(r->device->device, s.info[i].module, NULL);
	free(entries);
	return p;
}

static void record_rays(const struct run *r, const struct pipeline *p, uint32_t groups, VkCommandBuffer c)
{
	VkStridedDeviceAddressRegionKHR none = {0},
					table = {vkGetBufferDeviceAddress(
						     r->device->device,
						     &(VkBufferDeviceAddressInfo){
							 .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
							 .buffer = p->table.buffer}),
						 HANDLE_ROOM, HANDLE_ROOM};

	((PFN_vkCmdTraceRaysKHR)function(r, "vkCmdTraceRaysKHR"))(c, &table, &none, &none, &none, LANES * groups, 1, 1);
}

static void record_draw(const struct run *r, const struct pipeline *p, uint32_t groups, VkCommandBuffer c)
{
	target_begin(&p->target, c);
	if (p->stages & VK_SHADER_STAGE_MESH_BIT_EXT)
		((PFN_vkCmdDrawMeshTasksEXT)function(r, "vkCmdDrawMeshTasksEXT"))(c, groups, 1, 1);
	else
		vkCmdDraw(c, r->vertices ? r->vertices : 3, 1, 0, 0);
	target_end(&p->target, c);
}

void pipeline_record(const struct run *r, struct pipeline *p, VkPipelineLayout layout, const VkDescriptorSet *sets,
		     VkCommandBuffer c)
{
	const struct layout *l = r->layout;
	uint32_t groups = r->groups ? r->groups : 1;

	vkCmdBindPipeline(c, p->point, p->pipeline);
	vkCmdBindDescriptorSets(c, p->point, layout, 0, l->set_count, sets, 0, NULL);
	for (uint32_t i = 0; i < l->push_count; i++)
		vkCmdPushConstants(c, layout, l->push[i].stageFlags, l->push[i].offset, l->push[i].size,
				   (const char *)r->push + l->push[i].offset);
	if (p->point == VK_PIPELINE_BIND_POINT_COMPUTE)
		vkCmdDispatch(c, groups, 1, 1);
	else if (p->point == VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR)
		record_rays(r, p, groups, c);
	else
		record_draw(r, p, groups, c);
}

void pipeline_free(struct run *r, struct pipeline *p)
{
	vkDestroyPipeline(r->device->device, p->pipeline, NULL);
	if (p->target.image)
		target_free(r->device, &p->target);
	vkDestroyBuffer(r->device->device, p->table.buffer, NULL);
	vkFreeMemory(r->device->device, p->table.buffer_memory, NULL);
	r->target = NULL;
	free(p);
}
