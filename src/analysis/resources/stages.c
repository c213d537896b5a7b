/* SPDX-License-Identifier: Apache-2.0 */
/* stages: execution models as the bits and names of VkShaderStageFlagBits. */
#include "analysis/resources/resources.h"

/* Each execution model is one bit, in this order; the last two are the EXT forms of the two before them. */
static const struct {
	uint32_t model;
	const char *name, *vk_name;
} stages[] = {
    {SpvExecutionModelVertex, "vertex", "VK_SHADER_STAGE_VERTEX_BIT"},
    {SpvExecutionModelTessellationControl, "tesscontrol", "VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT"},
    {SpvExecutionModelTessellationEvaluation, "tesseval", "VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT"},
    {SpvExecutionModelGeometry, "geometry", "VK_SHADER_STAGE_GEOMETRY_BIT"},
    {SpvExecutionModelFragment, "fragment", "VK_SHADER_STAGE_FRAGMENT_BIT"},
    {SpvExecutionModelGLCompute, "compute", "VK_SHADER_STAGE_COMPUTE_BIT"},
    {SpvExecutionModelRayGenerationKHR, "raygen", "VK_SHADER_STAGE_RAYGEN_BIT_KHR"},
    {SpvExecutionModelAnyHitKHR, "anyhit", "VK_SHADER_STAGE_ANY_HIT_BIT_KHR"},
    {SpvExecutionModelClosestHitKHR, "closesthit", "VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR"},
    {SpvExecutionModelMissKHR, "miss", "VK_SHADER_STAGE_MISS_BIT_KHR"},
    {SpvExecutionModelIntersectionKHR, "intersection", "VK_SHADER_STAGE_INTERSECTION_BIT_KHR"},
    {SpvExecutionModelCallableKHR, "callable", "VK_SHADER_STAGE_CALLABLE_BIT_KHR"},
    {SpvExecutionModelTaskNV, "task", "VK_SHADER_STAGE_TASK_BIT_EXT"},
    {SpvExecutionModelMeshNV, "mesh", "VK_SHADER_STAGE_MESH_BIT_EXT"},
    {5364, "task", "VK_SHADER_STAGE_TASK_BIT_EXT"}, /* TaskEXT, MeshEXT: newer than some spirv.h */
    {5365, "mesh", "VK_SHADER_STAGE_MESH_BIT_EXT"},
};

_Static_assert(SPB_COUNT(stages) == SPB_STAGE_COUNT + 2, "two names for two of them");

uint32_t spb_stage_bit(uint32_t model)
{
	for (uint32_t i = 0; i < SPB_COUNT(stages); i++) {
		if (stages[i].model == model)
			return 1u << (i >= SPB_STAGE_COUNT ? i - 2 : i);
	}
	return 0;
}

uint32_t spb_pipeline_rank(uint32_t bits)
{
	static const uint8_t ranks[SPB_STAGE_COUNT] = {2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 9, 13, 0, 1};
	uint32_t least = SPB_STAGE_COUNT;

	for (uint32_t i = 0; i < SPB_STAGE_COUNT; i++)
		least = bits >> i & 1 && ranks[i] < least ? ranks[i] : least;
	return least;
}

const char *spb_stage_vk_name(uint32_t index)
{
	return stages[index].vk_name;
}

const char *spb_stage_name(uint32_t index)
{
	return stages[index].name;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

uint32_t spb_find_entry(const spb_options *options, const char *name)
{
	const char *const *names = options->layout.entries;
	uint32_t count = options->layout.entry_count;
	size_t i = spb_lower_bound(names, count, sizeof *names, &name, by_name);

	return i < count && !strcmp(names[i], name) ? (uint32_t)i + 1 : 0;
}

bool spb_is_wanted_entry_point(const spb_options *options, const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpEntryPoint &&
	       (!options->layout.entry_count || spb_find_entry(options, spb_string(m, at + 3)));
}

uint32_t spb_module_stages(const spb_options *options, const struct spb_module *m)
{
	uint32_t bits = 0;

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (spb_is_wanted_entry_point(options, m, at))
			bits |= spb_stage_bit(m->words[at + 1]);
	}
	return bits;
}

static const uint16_t flags[SPB_STAGE_COUNT] = {0x1,   0x2,   0x4,   0x8,    0x10,   0x20, 0x100,
						0x200, 0x400, 0x800, 0x1000, 0x2000, 0x40, 0x80};

uint32_t spb_stage_flags(uint32_t bits)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < SPB_STAGE_COUNT; i++)
		set |= bits >> i & 1 ? flags[i] : 0u;
	return set;
}

uint32_t spb_stages_of_flags(uint32_t set)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < SPB_STAGE_COUNT; i++)
		bits |= set & flags[i] ? 1u << i : 0u;
	return bits;
}
