/* SPDX-License-Identifier: Apache-2.0 */
/* pipelines: which stages run together. They are analysed before the driver gets them, so that nothing is lost if it
 * fails. Libraries keep theirs until they are linked. */
#include <stdlib.h>
#include <string.h>

#include "layer/layer.h"

static struct layer_layout *layout_of(struct layer_device *d, VkPipelineLayout handle)
{
	struct layer_layout *l = handle ? layer_table_get(&d->pipeline_layouts, LAYER_KEY(handle)) : NULL;

	if (l)
		atomic_fetch_add(&l->references, 1);
	return l;
}

static void add_pipeline_stage(struct layer_program *p, const VkPipelineShaderStageCreateInfo *info,
			       VkPipelineLayout layout)
{
	struct layer_device *d = p->device;
	const VkDebugUtilsObjectNameInfoEXT *name =
	    layer_chained(info->pNext, VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
	const VkShaderModuleCreateInfo *code = layer_chained(info->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
	struct layer_module *m = NULL;

	if (info->module) {
		m = layer_table_get(&d->modules, LAYER_KEY(info->module));
		if (m)
			atomic_fetch_add(&m->references, 1);
	} else if (code) { /* otherwise, all that is known is an identifier */
		m = layer_module_create(code->pCode, code->codeSize);
	}
	layer_add_stage(p, layer_make_stage(info->stage, m, layout_of(d, layout), info->pName,
					    name && name->pObjectName ? name->pObjectName : "",
					    info->pSpecializationInfo));
}

static void add_libraries(struct layer_program *p, const VkPipelineLibraryCreateInfoKHR *libraries)
{
	for (uint32_t k = 0; libraries && k < libraries->libraryCount; k++) {
		struct layer_program *from =
		    layer_table_get(&p->device->pipelines, LAYER_KEY(libraries->pLibraries[k]));
		for (size_t n = 0; from && n < from->count; n++) {
			atomic_fetch_add(&from->stages[n]->references, 1);
			layer_add_stage(p, from->stages[n]);
		}
	}
}

static bool is_library(VkPipelineCreateFlags flags, const void *chain)
{
	const VkPipelineCreateFlags2CreateInfoKHR *more =
	    layer_chained(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);

	return (more ? more->flags : flags) & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
}

/* Once for each program. */
static void run(struct layer_program *p)
{
	struct layer_instance *i = p->device->instance;

	for (size_t k = 0; k < p->count; k++) {
		const struct layer_stage *s = p->stages[k];
		p->key = layer_hash(p->key ^ s->hash, &k, sizeof k);
		p->key = layer_hash(p->key, s->layout ? &s->layout->hash : &s->hash, sizeof s->hash);
	}
	if (p->is_library || !p->count || !layer_table_add(&i->analysed, p->key))
		return;
	layer_complete_program(p);
	if (p->modules && i->record)
		layer_record_program(i->record, p);
	if (p->modules)
		layer_analyse(p);
}

/* After the call: what a library has, and what a name or a link may refer to, is kept. */
static void keep(struct layer_program *p, uint64_t handle)
{
	void *old = p;

	if (p && handle) {
		if (!p->is_library)
			layer_drop_stages(p);
		if (!layer_table_put(&p->device->pipelines, handle, p, &old))
			old = p;
	}
	layer_program_release(old);
}

static void keep_all(struct layer_program **programs, uint32_t count, const VkPipeline *handles)
{
	for (uint32_t k = 0; programs && k < count; k++)
		keep(programs[k], LAYER_KEY(handles[k]));
	free(programs);
}

/* With VK_EXT_graphics_pipeline_library, only two of the four parts have stages. */
static bool has_stages(const VkGraphicsPipelineCreateInfo *info)
{
	const VkGraphicsPipelineLibraryCreateInfoEXT *parts =
	    layer_chained(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);

	return info->pStages &&
	       (!parts || parts->flags & (VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
					  VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT));
}

static struct layer_program *graphics_program(struct layer_device *d, const void *from)
{
	const VkGraphicsPipelineCreateInfo *info = from;
	struct layer_program *p = layer_make_program(d, "graphics pipeline");

	if (!p)
		return NULL;
	p->is_library = is_library(info->flags, info->pNext);
	for (uint32_t k = 0; has_stages(info) && k < info->stageCount; k++)
		add_pipeline_stage(p, &info->pStages[k], info->layout);
	add_libraries(p, layer_chained(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR));
	run(p);
	return p;
}

static struct layer_program *compute_program(struct layer_device *d, const void *from)
{
	const VkComputePipelineCreateInfo *info = from;
	struct layer_program *p = layer_make_program(d, "compute pipeline");

	if (p) {
		add_pipeline_stage(p, &info->stage, info->layout);
		run(p);
	}
	return p;
}

static struct layer_program *ray_tracing_program(struct layer_device *d, const void *from)
{
	const VkRayTracingPipelineCreateInfoKHR *info = from;
	struct layer_program *p = layer_make_program(d, "ray tracing pipeline");

	if (!p)
		return NULL;
	p->is_library = is_library(info->flags, info->pNext);
	for (uint32_t k = 0; k < info->stageCount; k++)
		add_pipeline_stage(p, &info->pStages[k], info->layout);
	add_libraries(p, info->pLibraryInfo);
	run(p);
	return p;
}

/* Programs of consecutive infos; NULL: out of memory. */
static struct layer_program **make_programs(struct layer_device *d, uint32_t count, const void *infos, size_t size,
					    struct layer_program *(*make)(struct layer_device *d, const void *info))
{
	struct layer_program **programs = calloc(count, sizeof(struct layer_program *));

	for (uint32_t k = 0; programs && k < count; k++)
		programs[k] = make(d, (const char *)infos + k * size);
	return programs;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_graphics_pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
								const VkGraphicsPipelineCreateInfo *infos,
								const VkAllocationCallbacks *allocator,
								VkPipeline *handles)
{
	struct layer_device *d = layer_device_of(device);
	struct layer_program **programs = make_programs(d, count, infos, sizeof *infos, graphics_program);
	VkResult result = d->CreateGraphicsPipelines(device, cache, count, infos, allocator, handles);

	keep_all(programs, count, handles);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_compute_pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
							       const VkComputePipelineCreateInfo *infos,
							       const VkAllocationCallbacks *allocator,
							       VkPipeline *handles)
{
	struct layer_device *d = layer_device_of(device);
	struct layer_program **programs = make_programs(d, count, infos, sizeof *infos, compute_program);
	VkResult result = d->CreateComputePipelines(device, cache, count, infos, allocator, handles);

	keep_all(programs, count, handles);
	return result;
}

/* Deferred calls: their handles are written when the operation is complete. */
struct deferred {
	struct layer_program **programs;
	uint32_t count;
	const VkPipeline *handles;
};

void layer_deferred_release(void *deferred)
{
	struct deferred *f = deferred;

	for (uint32_t k = 0; f && k < f->count; k++)
		layer_program_release(f->programs[k]);
	if (f)
		free(f->programs);
	free(f);
}

static void defer(struct layer_device *d, VkDeferredOperationKHR operation, struct deferred it)
{
	struct deferred *f = it.programs ? malloc(sizeof *f) : NULL;
	void *old = NULL;

	if (!f)
		return;
	*f = it;
	if (!layer_table_put(&d->deferred, LAYER_KEY(operation), f, &old))
		old = f;
	layer_deferred_release(old);
}

static void complete(struct layer_device *d, VkDeferredOperationKHR operation)
{
	struct deferred *f = layer_table_take(&d->deferred, LAYER_KEY(operation));

	if (f)
		keep_all(f->programs, f->count, f->handles);
	free(f);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_ray_tracing_pipelines(VkDevice device, VkDeferredOperationKHR operation,
								   VkPipelineCache cache, uint32_t count,
								   const VkRayTracingPipelineCreateInfoKHR *infos,
								   const VkAllocationCallbacks *allocator,
								   VkPipeline *handles)
{
	struct layer_device *d = layer_device_of(device);
	struct layer_program **programs = make_programs(d, count, infos, sizeof *infos, ray_tracing_program);
	VkResult result = d->CreateRayTracingPipelinesKHR(device, operation, cache, count, infos, allocator, handles);

	if (result == VK_OPERATION_DEFERRED_KHR)
		defer(d, operation, (struct deferred){programs, count, handles});
	else
		keep_all(programs, count, handles);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL join_deferred(VkDevice device, VkDeferredOperationKHR operation)
{
	struct layer_device *d = layer_device_of(device);
	VkResult result = d->DeferredOperationJoinKHR(device, operation);

	if (result == VK_SUCCESS)
		complete(d, operation);
	return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL get_deferred_result(VkDevice device, VkDeferredOperationKHR operation)
{
	struct layer_device *d = layer_device_of(device);
	VkResult result = d->GetDeferredOperationResultKHR(device, operation);

	if (result != VK_NOT_READY)
		complete(d, operation);
	return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_pipeline(VkDevice device, VkPipeline handle,
						   const VkAllocationCallbacks *allocator)
{
	struct layer_device *d = layer_device_of(device);

	layer_program_release(layer_table_take(&d->pipelines, LAYER_KEY(handle)));
	d->DestroyPipeline(device, handle, allocator);
}

/* Shader objects */

static void add_shader(struct layer_program *p, const VkShaderCreateInfoEXT *info)
{
	struct layer_device *d = p->device;
	const VkSpecializationInfo *values = info->pSpecializationInfo;

	if (info->codeType == VK_SHADER_CODE_TYPE_SPIRV_EXT)
		layer_add_stage(
		    p, layer_make_stage(info->stage, layer_module_create(info->pCode, info->codeSize),
					layer_layout_create(d, info->setLayoutCount, info->pSetLayouts,
							    info->pushConstantRangeCount, info->pPushConstantRanges),
					info->pName, "", values));
}

/* One of them alone, or all that are linked. */
static struct layer_program *shader_program(struct layer_device *d, uint32_t count, const VkShaderCreateInfoEXT *infos,
					    bool linked)
{
	struct layer_program *p = layer_make_program(d, linked ? "linked shader objects" : "shader object");

	for (uint32_t k = 0; p && k < count; k++) {
		if (!linked || infos[k].flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT)
			add_shader(p, &infos[k]);
	}
	if (p)
		run(p);
	return p;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_shaders(VkDevice device, uint32_t count,
						     const VkShaderCreateInfoEXT *infos,
						     const VkAllocationCallbacks *allocator, VkShaderEXT *handles)
{
	struct layer_device *d = layer_device_of(device);
	struct layer_program **programs = calloc(count, sizeof *programs), *linked;
	VkResult result;

	linked = shader_program(d, count, infos, true);
	for (uint32_t k = 0; programs && linked && k < count; k++) {
		if (!(infos[k].flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT))
			programs[k] = shader_program(d, 1, &infos[k], false);
		else if ((programs[k] = layer_make_program(d, linked->kind)) != NULL)
			programs[k]->key = linked->key; /* which each of their names is about */
	}
	layer_program_release(linked);
	result = d->CreateShadersEXT(device, count, infos, allocator, handles);
	for (uint32_t k = 0; programs && k < count; k++)
		keep(programs[k], LAYER_KEY(handles[k]));
	free(programs);
	return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_shader(VkDevice device, VkShaderEXT handle,
						 const VkAllocationCallbacks *allocator)
{
	struct layer_device *d = layer_device_of(device);

	layer_program_release(layer_table_take(&d->pipelines, LAYER_KEY(handle)));
	d->DestroyShaderEXT(device, handle, allocator);
}

/* Names */

static void name_module(struct layer_module *m, const char *name)
{
	char *copy = m ? malloc(strlen(name) + 1) : NULL, *none = NULL;

	if (!copy)
		return;
	memcpy(copy, name, strlen(name) + 1);
	if (!atomic_compare_exchange_strong(&m->label, &none, copy)) /* a thread may be reading the first name */
		free(copy);
}

static VKAPI_ATTR VkResult VKAPI_CALL set_object_name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info)
{
	struct layer_device *d = layer_device_of(device);
	struct layer_instance *i = d->instance;
	const VkObjectType type = info->objectType;
	const struct layer_program *p = NULL;

	if (info->pObjectName && type == VK_OBJECT_TYPE_SHADER_MODULE)
		name_module(layer_table_get(&d->modules, info->objectHandle), info->pObjectName);
	if (info->pObjectName &&
	    (type == VK_OBJECT_TYPE_PIPELINE || type == (VkObjectType)1000482000)) /* VkShaderEXT */
		p = layer_table_get(&d->pipelines, info->objectHandle);
	if (p && i->record)
		layer_record_name(i->record, p, info->pObjectName);
	if (p && layer_table_get(&i->faulty, p->key))
		layer_report_name(i, p, info->pObjectName);
	return d->SetDebugUtilsObjectNameEXT ? d->SetDebugUtilsObjectNameEXT(device, info) : VK_SUCCESS;
}

#define ROW(name, function)                                                                                            \
	{                                                                                                              \
		"vk" #name, (PFN_vkVoidFunction)(function), offsetof(struct layer_device, name)                        \
	}
const struct layer_function layer_pipeline_functions[] = {
    ROW(CreateGraphicsPipelines, create_graphics_pipelines),
    ROW(CreateComputePipelines, create_compute_pipelines),
    ROW(CreateRayTracingPipelinesKHR, create_ray_tracing_pipelines),
    ROW(DeferredOperationJoinKHR, join_deferred),
    ROW(GetDeferredOperationResultKHR, get_deferred_result),
    ROW(DestroyPipeline, destroy_pipeline),
    ROW(CreateShadersEXT, create_shaders),
    ROW(DestroyShaderEXT, destroy_shader),
    ROW(SetDebugUtilsObjectNameEXT, set_object_name),
    {0},
};
