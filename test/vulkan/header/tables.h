/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of headers by --layout-header, as a shared object passes them to vulkan_header. */
#ifndef SPB_TEST_TABLES_H
#define SPB_TEST_TABLES_H

#include <vulkan/vulkan_core.h>

enum { TIMES = 2, SAMPLERS = 256 }; /* TIMES: how many sets of each layout the pool has */

struct program_tables {
	const char *name;
	const VkPipelineLayoutCreateInfo *layout;
	const VkDescriptorSetLayoutCreateInfo *const *set_layouts; /* NULL: more than a list has */
	const VkDescriptorUpdateTemplateCreateInfo *const *templates;
	uint32_t template_count;
	const VkDescriptorPoolSize *pool_sizes; /* NULL: no set is allocated */
	uint32_t pool_size_count, pool_sets, pool_flags, pool_inline_uniform_blocks;
	const VkPipelineVertexInputStateCreateInfo *vertex_input; /* NULL: it has none */
	const VkSpecializationInfo *specialization;               /* NULL: it has none */
	const VkPipelineShaderStageCreateInfo *stages;            /* NULL: it has none */
	uint32_t stage_count;
	const char *(*enable_features)(void *chain); /* NULL: it needs none */
};

#endif
