/* SPDX-License-Identifier: Apache-2.0 */
/* heap_mappings: for hosts with VK_EXT_descriptor_heap, where each set and binding is in the two heaps.
 *
 *     set 0, binding 0: a texture, and a sampler     two mappings, one in each heap, told apart by resourceMask
 *
 * Descriptors lie one behind the other, in the order of the layout. Their sizes are known at run time only, so the
 * header has the rows, and a function that computes offsets from them. */
#include "analysis/resources/resources.h"
#include "lib/header/header.h"

static void put_mask(struct spb_text_buffer *text, uint32_t mask)
{
	const char *before = "";

	for (uint32_t i = 0; i < SPB_RESOURCE_MASK_BITS; i++) {
		if (!(mask >> i & 1))
			continue;
		spb_text_format(text, "%s%s", before, spb_resource_mask_name(i));
		before = " | ";
	}
}

size_t spb_count_mappings(const spb_descriptor_binding *descriptors, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += descriptors[i].resource_mask != 0;
	return n;
}

static void put_rows(const struct spb_heap_mappings *l, struct spb_text_buffer *text)
{
	spb_text_format(text,
			"static const uint32_t %s_mapping_rows[][4] = { /* set, binding, count, resourceMask */\n",
			l->prefix);
	for (size_t i = 0; i < l->count; i++) {
		const spb_descriptor_binding *d = &l->descriptors[i];
		if (!d->resource_mask)
			continue;
		spb_text_format(text, "\t{%s_%s_set, %s_%s_binding, ", l->prefix, l->names[i], l->prefix, l->names[i]);
		if (d->descriptor_type == SPB_VK_INLINE_UNIFORM_BLOCK)
			spb_text_put(text, "1u");
		else
			spb_text_format(text, "%s_%s_count", l->prefix, l->names[i]);
		spb_text_put(text, ", ");
		put_mask(text, d->resource_mask);
		spb_text_put(text, "},\n");
	}
	spb_text_put(text, "};\n");
	for (size_t i = 0, n = 0; i < l->count; i++) {
		if (l->descriptors[i].resource_mask)
			spb_text_format(text, "#define %s_%s_mapping %uu\n", l->prefix, l->names[i], (unsigned)n++);
	}
	spb_text_format(text, "#define %s_mapping_count %uu\n", l->prefix,
			(unsigned)spb_count_mappings(l->descriptors, l->count));
}

/* PREFIX_put_mappings; "@" in the text is the prefix. */
static void put_function(const char *prefix, struct spb_text_buffer *text)
{
	static const char function[] =
	    "static inline uint32_t @_mapping_stride(VkDeviceSize size, VkDeviceSize alignment)\n"
	    "{\n"
	    "\treturn (uint32_t)((size + alignment - 1) / alignment * alignment);\n"
	    "}\n\n"
	    "/* Fills the mappings of all stages: pMappings of VkShaderDescriptorSetAndBindingMappingInfoEXT. "
	    "`resources` and\n"
	    " * `samplers` are bytes in the two heaps: where the descriptors begin, and afterwards where they end. */\n"
	    "static inline void @_put_mappings(const VkPhysicalDeviceDescriptorHeapPropertiesEXT *heap, uint32_t "
	    "*resources,\n"
	    "\t\t\t\t  uint32_t *samplers, VkDescriptorSetAndBindingMappingEXT mappings[@_mapping_count])\n"
	    "{\n"
	    "\tconst uint32_t image = @_mapping_stride(heap->imageDescriptorSize, heap->imageDescriptorAlignment);\n"
	    "\tconst uint32_t buffer = @_mapping_stride(heap->bufferDescriptorSize, heap->bufferDescriptorAlignment);\n"
	    "\tconst uint32_t sampler = @_mapping_stride(heap->samplerDescriptorSize, "
	    "heap->samplerDescriptorAlignment);\n"
	    "\tconst uint32_t images = VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT |\n"
	    "\t\t\t\tVK_SPIRV_RESOURCE_TYPE_READ_ONLY_IMAGE_BIT_EXT |\n"
	    "\t\t\t\tVK_SPIRV_RESOURCE_TYPE_READ_WRITE_IMAGE_BIT_EXT |\n"
	    "\t\t\t\tVK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT;\n\n"
	    "\tmemset(mappings, 0, @_mapping_count * sizeof *mappings);\n"
	    "\tfor (uint32_t i = 0; i < @_mapping_count; i++) {\n"
	    "\t\tVkDescriptorSetAndBindingMappingEXT *m = &mappings[i];\n"
	    "\t\tVkDescriptorMappingSourceConstantOffsetEXT *at = &m->sourceData.constantOffset;\n"
	    "\t\tconst uint32_t count = @_mapping_rows[i][2], mask = @_mapping_rows[i][3];\n"
	    "\t\tuint32_t stride = mask & images ? image : buffer;\n\n"
	    "\t\tif (mask & images && mask & ~images && stride < buffer)\n"
	    "\t\t\tstride = buffer;\n"
	    "\t\tm->sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT;\n"
	    "\t\tm->descriptorSet = @_mapping_rows[i][0];\n"
	    "\t\tm->firstBinding = @_mapping_rows[i][1];\n"
	    "\t\tm->bindingCount = 1;\n"
	    "\t\tm->resourceMask = mask;\n"
	    "\t\tm->source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT;\n"
	    "\t\tif (mask & VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT) {\n"
	    "\t\t\tat->samplerHeapOffset = @_mapping_stride(*samplers, sampler);\n"
	    "\t\t\tat->samplerHeapArrayStride = sampler;\n"
	    "\t\t\t*samplers = at->samplerHeapOffset + count * sampler;\n"
	    "\t\t}\n"
	    "\t\tif (mask == VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT) {\n"
	    "\t\t\tat->heapOffset = @_mapping_stride(*samplers, sampler);\n"
	    "\t\t\tat->heapArrayStride = sampler;\n"
	    "\t\t\t*samplers = at->heapOffset + count * sampler;\n"
	    "\t\t} else {\n"
	    "\t\t\tat->heapOffset = @_mapping_stride(*resources, stride);\n"
	    "\t\t\tat->heapArrayStride = stride;\n"
	    "\t\t\t*resources = at->heapOffset + count * stride;\n"
	    "\t\t}\n"
	    "\t}\n"
	    "}\n";

	for (const char *c = function; *c; c++) {
		if (*c == '@')
			spb_text_put(text, prefix);
		else
			spb_text_byte(text, *c);
	}
}

void spb_put_asked_count(struct spb_text_buffer *text, const char *prefix, const char *name)
{
	spb_text_format(text,
			"#ifndef %s_%s_count\n#error \"define %s_%s_count, the number of descriptors "
			"of an array without a size\"\n#endif\n",
			prefix, name, prefix, name);
}

void spb_put_heap_mappings(const struct spb_heap_mappings *l, struct spb_text_buffer *text)
{
	if (!spb_count_mappings(l->descriptors, l->count))
		return;
	spb_text_format(text,
			"\n#if defined(%s_mappings) && !defined(%s_mappings_done)\n#define %s_mappings_done\n"
			"#include <string.h>\n#include <vulkan/vulkan_core.h>\n\n",
			l->file, l->prefix, l->prefix);
	for (size_t i = 0; i < l->count; i++) {
		if (l->descriptors[i].resource_mask && !l->descriptors[i].count)
			spb_put_asked_count(text, l->prefix, l->names[i]);
	}
	put_rows(l, text);
	spb_text_put(text, "\n");
	put_function(l->prefix, text);
	spb_text_put(text, "\n#endif\n");
}
