/* SPDX-License-Identifier: Apache-2.0 */
/* descriptor: the kinds of descriptors, and which one a variable is. */
#include "analysis/resources/resources.h"

#define NONE UINT32_MAX /* no such capability exists */

/* ORDER DESCRIPTOR. VkDescriptorType by its numbers: the library needs no Vulkan headers. */
static const struct spb_descriptor_info infos[] = {
    {"sampler", "VK_DESCRIPTOR_TYPE_SAMPLER", 0, SpvCapabilitySampledImageArrayDynamicIndexing,
     SpvCapabilitySampledImageArrayNonUniformIndexing},
    {"combined", "VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER", 1, SpvCapabilitySampledImageArrayDynamicIndexing,
     SpvCapabilitySampledImageArrayNonUniformIndexing},
    {"texture", "VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE", 2, SpvCapabilitySampledImageArrayDynamicIndexing,
     SpvCapabilitySampledImageArrayNonUniformIndexing},
    {"image", "VK_DESCRIPTOR_TYPE_STORAGE_IMAGE", 3, SpvCapabilityStorageImageArrayDynamicIndexing,
     SpvCapabilityStorageImageArrayNonUniformIndexing},
    {"utexbuf", "VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER", 4, SpvCapabilityUniformTexelBufferArrayDynamicIndexing,
     SpvCapabilityUniformTexelBufferArrayNonUniformIndexing},
    {"stexbuf", "VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER", 5, SpvCapabilityStorageTexelBufferArrayDynamicIndexing,
     SpvCapabilityStorageTexelBufferArrayNonUniformIndexing},
    {"ubo", "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER", 6, SpvCapabilityUniformBufferArrayDynamicIndexing,
     SpvCapabilityUniformBufferArrayNonUniformIndexing},
    {"ssbo", "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER", 7, SpvCapabilityStorageBufferArrayDynamicIndexing,
     SpvCapabilityStorageBufferArrayNonUniformIndexing},
    {"as", "VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR", 1000150000, NONE, NONE},
    {"input-attachment", "VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT", 10, SpvCapabilityInputAttachmentArrayDynamicIndexing,
     SpvCapabilityInputAttachmentArrayNonUniformIndexing},
    {"tensor", "VK_DESCRIPTOR_TYPE_TENSOR_ARM", 1000460000, 4175, 4176}, /* StorageTensorArray…IndexingARM */
    {"other", "VK_DESCRIPTOR_TYPE_MAX_ENUM", 0x7FFFFFFF, NONE, NONE},
};

_Static_assert(SPB_COUNT(infos) == SPB_DESCRIPTOR_COUNT, "one row for each kind");

const struct spb_descriptor_info *spb_descriptor_info(enum spb_descriptor kind)
{
	return &infos[kind];
}

static enum spb_descriptor of_image(const struct spb_module *m, spb_at type)
{
	uint32_t dim = m->words[type + 3], sampled = m->words[type + 7];

	if (dim == SpvDimSubpassData)
		return SPB_DESCRIPTOR_INPUT_ATTACHMENT;
	if (sampled != 1 && sampled != 2)
		return SPB_DESCRIPTOR_OTHER;
	if (dim == SpvDimBuffer)
		return sampled == 1 ? SPB_DESCRIPTOR_UTEXBUF : SPB_DESCRIPTOR_STEXBUF;
	return sampled == 1 ? SPB_DESCRIPTOR_TEXTURE : SPB_DESCRIPTOR_IMAGE;
}

enum spb_descriptor spb_descriptor_of(const struct spb_module *m, uint32_t storage_class, uint32_t type)
{
	spb_at at = m->def[type];

	if (storage_class == SpvStorageClassStorageBuffer)
		return spb_op(m, at) == SpvOpTypeStruct ? SPB_DESCRIPTOR_SSBO : SPB_DESCRIPTOR_OTHER;
	if (storage_class == SpvStorageClassUniform) {
		if (spb_op(m, at) != SpvOpTypeStruct)
			return SPB_DESCRIPTOR_OTHER;
		return spb_decoration(m, type, SpvDecorationBufferBlock) ? SPB_DESCRIPTOR_SSBO : SPB_DESCRIPTOR_UBO;
	}
	switch (spb_op(m, at)) {
	case SpvOpTypeSampler:
		return SPB_DESCRIPTOR_SAMPLER;
	case SpvOpTypeSampledImage: /* of a Buffer: what stock glslang writes for samplerBuffer */
		return of_image(m, m->def[m->words[at + 2]]) == SPB_DESCRIPTOR_UTEXBUF ? SPB_DESCRIPTOR_UTEXBUF
										       : SPB_DESCRIPTOR_COMBINED;
	case SpvOpTypeImage:
		return of_image(m, at);
	case SpvOpTypeAccelerationStructureKHR:
		return SPB_DESCRIPTOR_AS;
	case OpTypeTensorARM:
		return SPB_DESCRIPTOR_TENSOR;
	default:
		return SPB_DESCRIPTOR_OTHER;
	}
}

enum spb_descriptor spb_heap_named(const char *name)
{
	static const char begin[] = "heap_";

	for (uint32_t i = 0; i <= SPB_DESCRIPTOR_AS && !strncmp(name, begin, sizeof begin - 1); i++) {
		const char *kind = name + sizeof begin - 1;
		size_t length = strcspn(kind, "_");
		if (!strncmp(infos[i].kind, kind, length) && !infos[i].kind[length])
			return (enum spb_descriptor)i;
	}
	return SPB_DESCRIPTOR_OTHER;
}

const char *spb_dim_name(uint32_t dim)
{
	static const char *const names[] = {"1D", "2D", "3D", "Cube", "Rect", "Buffer", "SubpassData"};

	return dim < SPB_COUNT(names) ? names[dim] : "other";
}

const char *spb_component_name(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];

	switch (spb_op(m, at)) {
	case SpvOpTypeFloat:
		return m->words[at + 2] == 16 ? "half" : m->words[at + 2] == 64 ? "double" : "float";
	case SpvOpTypeInt:
		if (m->words[at + 2] == 64)
			return m->words[at + 3] ? "int64" : "uint64";
		return m->words[at + 3] ? "int" : "uint";
	case SpvOpTypeVoid:
		return "void";
	default:
		return "other";
	}
}
