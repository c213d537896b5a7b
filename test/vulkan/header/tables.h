/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of headers by --layout-header, as a shared object passes them to vulkan_header. */
#ifndef SPB_TEST_TABLES_H
#define SPB_TEST_TABLES_H

#include <vulkan/vulkan_core.h>

struct set_tables {
	uint32_t set;
	const VkDescriptorSetLayoutCreateInfo *layout;
	const VkDescriptorPoolSize *pool_sizes;
	uint32_t pool_size_count, inline_uniform_blocks;
	const VkDescriptorUpdateTemplateEntry *entries; /* NULL: no descriptor is updated this way */
	uint32_t entry_count;
};

struct program_tables {
	const char *name;
	uint32_t sets; /* the highest set plus 1 */
	const struct set_tables *tables;
	uint32_t table_count;
	const VkPushConstantRange *ranges;
	uint32_t range_count;
};

enum { SAMPLERS = 256 };

#endif
