/* SPDX-License-Identifier: Apache-2.0 */
/* descriptor: the kinds of descriptors, and the kind of each variable.
 *
 * A row holds everything about a kind; the layout, heaps, policies, JSON and the command all read it from there. */
#include "analysis/resources/resources.h"

#define NONE UINT32_MAX /* no such capability */

/* The capabilities for indexing arrays of a kind, and the features that Vulkan names after them. */
#define INDEXING(NAME)                                                                                                 \
	.dynamic = SpvCapability##NAME##ArrayDynamicIndexing,                                                          \
	.non_uniform = SpvCapability##NAME##ArrayNonUniformIndexing,                                                   \
	.dynamic_feature = "shader" #NAME "ArrayDynamicIndexing",                                                      \
	.non_uniform_feature = "shader" #NAME "ArrayNonUniformIndexing"

enum {
	TENSOR_DYNAMIC = 4175,     /* StorageTensorArrayDynamicIndexingARM */
	TENSOR_NON_UNIFORM = 4176, /* StorageTensorArrayNonUniformIndexingARM */
};

/* VkDescriptorType as numbers: the library needs no Vulkan headers. */
/* clang-format off */
const struct spb_descriptor_info spb_descriptor_infos[SPB_DESCRIPTOR_COUNT] = {
	[SPB_DESCRIPTOR_SAMPLER] = {
		.kind = "sampler", .title = "sampler",
		.vk_name = "VK_DESCRIPTOR_TYPE_SAMPLER", .vk_type = 0,
		INDEXING(SampledImage),
		.update_feature = "descriptorBindingSampledImageUpdateAfterBind",
		.class = {SPB_CLASS_S, SPB_CLASS_S}, .resource_kind = "Sampler",
		.heap = {"sampler", SPB_HEAP_SAMPLER, .typed = 0, .mutable = 0, .dxc = 1},
	},
	[SPB_DESCRIPTOR_COMBINED] = {
		.kind = "combined", .title = "combined image-sampler",
		.vk_name = "VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER", .vk_type = 1,
		INDEXING(SampledImage),
		.update_feature = "descriptorBindingSampledImageUpdateAfterBind",
		.class = {SPB_CLASS_T, SPB_CLASS_T},
		.heap = {"combined", SPB_HEAP_COMBINED, .typed = 1, .mutable = 1, .dxc = 0},
	},
	[SPB_DESCRIPTOR_TEXTURE] = {
		.kind = "texture", .title = "sampled image",
		.vk_name = "VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE", .vk_type = 2,
		INDEXING(SampledImage),
		.update_feature = "descriptorBindingSampledImageUpdateAfterBind",
		.class = {SPB_CLASS_T, SPB_CLASS_T},
		.heap = {"texture", SPB_HEAP_TEXTURE, .typed = 2, .mutable = 2, .dxc = 0, .may_mix = true},
	},
	[SPB_DESCRIPTOR_IMAGE] = {
		.kind = "image", .title = "storage image",
		.vk_name = "VK_DESCRIPTOR_TYPE_STORAGE_IMAGE", .vk_type = 3,
		INDEXING(StorageImage),
		.update_feature = "descriptorBindingStorageImageUpdateAfterBind",
		.class = {SPB_CLASS_U, SPB_CLASS_U}, .writable = true,
		.heap = {"image", SPB_HEAP_IMAGE, .typed = 3, .mutable = 2, .dxc = 0, .may_mix = true},
	},
	[SPB_DESCRIPTOR_UTEXBUF] = {
		.kind = "utexbuf", .title = "uniform texel buffer",
		.vk_name = "VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER", .vk_type = 4,
		INDEXING(UniformTexelBuffer), .implied = SpvCapabilitySampledBuffer,
		.update_feature = "descriptorBindingUniformTexelBufferUpdateAfterBind",
		.class = {SPB_CLASS_T, SPB_CLASS_T},
		.heap = {"utexbuf", SPB_HEAP_UTEXBUF, .typed = 4, .mutable = 2, .dxc = 0, .may_mix = true},
	},
	[SPB_DESCRIPTOR_STEXBUF] = {
		.kind = "stexbuf", .title = "storage texel buffer",
		.vk_name = "VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER", .vk_type = 5,
		INDEXING(StorageTexelBuffer), .implied = SpvCapabilityImageBuffer,
		.update_feature = "descriptorBindingStorageTexelBufferUpdateAfterBind",
		.class = {SPB_CLASS_U, SPB_CLASS_U}, .writable = true,
		.heap = {"stexbuf", SPB_HEAP_STEXBUF, .typed = 5, .mutable = 2, .dxc = 0, .may_mix = true},
	},
	[SPB_DESCRIPTOR_UBO] = {
		.kind = "ubo", .title = "uniform buffer",
		.vk_name = "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER", .vk_type = 6,
		INDEXING(UniformBuffer),
		.update_feature = "descriptorBindingUniformBufferUpdateAfterBind",
		.class = {SPB_CLASS_B, SPB_CLASS_B}, .resource_kind = "CBuffer",
		.heap = {"ubo", SPB_HEAP_UBO, .typed = 6, .mutable = 2, .dxc = 0, .may_mix = true},
	},
	[SPB_DESCRIPTOR_SSBO] = {
		.kind = "ssbo", .title = "storage buffer",
		.vk_name = "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER", .vk_type = 7,
		INDEXING(StorageBuffer),
		.update_feature = "descriptorBindingStorageBufferUpdateAfterBind",
		.class = {SPB_CLASS_T, SPB_CLASS_U}, .writable = true,
		.heap = {"ssbo", SPB_HEAP_SSBO, .typed = 7, .mutable = 2, .dxc = 0, .may_mix = true},
	},
	[SPB_DESCRIPTOR_AS] = {
		.kind = "as", .title = "acceleration structure",
		.vk_name = "VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR", .vk_type = 1000150000,
		.dynamic = NONE,
		.non_uniform = NONE,
		.update_feature = "descriptorBindingAccelerationStructureUpdateAfterBind",
		.class = {SPB_CLASS_T, SPB_CLASS_T}, .resource_kind = "RTAccelerationStructure",
		.heap = {"as", SPB_HEAP_AS, .typed = 8, .mutable = 3, .dxc = 0},
	},
	[SPB_DESCRIPTOR_INPUT_ATTACHMENT] = {
		.kind = "input-attachment", .title = "input attachment",
		.vk_name = "VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT", .vk_type = 10,
		INDEXING(InputAttachment), .implied = SpvCapabilityInputAttachment,
		.class = {SPB_CLASS_T, SPB_CLASS_T},
	},
	[SPB_DESCRIPTOR_TENSOR] = {
		.kind = "tensor", .title = "tensor",
		.vk_name = "VK_DESCRIPTOR_TYPE_TENSOR_ARM", .vk_type = 1000460000,
		.dynamic = TENSOR_DYNAMIC,
		.non_uniform = TENSOR_NON_UNIFORM,
		.dynamic_feature = "shaderStorageTensorArrayDynamicIndexing",
		.non_uniform_feature = "shaderStorageTensorArrayNonUniformIndexing",
		.update_feature = "descriptorBindingStorageTensorUpdateAfterBind",
		.class = {SPB_CLASS_U, SPB_CLASS_U}, .writable = true, .resource_kind = "Invalid",
	},
	[SPB_DESCRIPTOR_OTHER] = {
		.kind = "other", .title = "other",
		.vk_name = "VK_DESCRIPTOR_TYPE_MAX_ENUM", .vk_type = 0x7FFFFFFF,
		.dynamic = NONE,
		.non_uniform = NONE,
		.class = {SPB_CLASS_T, SPB_CLASS_T}, .resource_kind = "Invalid",
	},
};
/* clang-format on */

/* DXC keeps the counters of append and consume buffers, which are storage buffers, in a heap of their own. */
static const struct spb_heap_info counters = {"counter", SPB_HEAP_COUNTER, .typed = 9, .mutable = 4, .dxc = 2};

const char *spb_descriptor_vk_name(uint32_t kind)
{
	return spb_descriptor_infos[kind].vk_name;
}

bool spb_has_heap(enum spb_descriptor kind)
{
	return spb_descriptor_infos[kind].heap.name != NULL;
}

const struct spb_heap_info *spb_heap_info(spb_heap_kind kind)
{
	for (size_t i = 0; i < SPB_COUNT(spb_descriptor_infos); i++) {
		if (spb_descriptor_infos[i].heap.name && spb_descriptor_infos[i].heap.kind == kind)
			return &spb_descriptor_infos[i].heap;
	}
	return kind == counters.kind ? &counters : NULL;
}

const char *spb_heap_kind_name(uint32_t kind)
{
	const struct spb_heap_info *info = spb_heap_info((spb_heap_kind)kind);

	return info ? info->name : NULL;
}

/* Vulkan, VkSpirvResourceTypeFlagBitsEXT */
enum {
	MAP_SAMPLER = 1 << 0,
	MAP_SAMPLED_IMAGE = 1 << 1,
	MAP_READ_ONLY_IMAGE = 1 << 2,
	MAP_READ_WRITE_IMAGE = 1 << 3,
	MAP_COMBINED = 1 << 4,
	MAP_UNIFORM_BUFFER = 1 << 5,
	MAP_READ_ONLY_BUFFER = 1 << 6,
	MAP_READ_WRITE_BUFFER = 1 << 7,
	MAP_ACCELERATION_STRUCTURE = 1 << 8,
	MAP_TENSOR = 1 << 9
};

uint32_t spb_resource_mask(enum spb_descriptor kind, bool writable)
{
	switch (kind) {
	case SPB_DESCRIPTOR_SAMPLER:
		return MAP_SAMPLER;
	case SPB_DESCRIPTOR_COMBINED:
		return MAP_COMBINED;
	case SPB_DESCRIPTOR_TEXTURE:
	case SPB_DESCRIPTOR_UTEXBUF:
		return MAP_SAMPLED_IMAGE;
	case SPB_DESCRIPTOR_IMAGE:
	case SPB_DESCRIPTOR_STEXBUF:
		return writable ? MAP_READ_WRITE_IMAGE : MAP_READ_ONLY_IMAGE;
	case SPB_DESCRIPTOR_UBO:
		return MAP_UNIFORM_BUFFER;
	case SPB_DESCRIPTOR_SSBO:
		return writable ? MAP_READ_WRITE_BUFFER : MAP_READ_ONLY_BUFFER;
	case SPB_DESCRIPTOR_AS:
		return MAP_ACCELERATION_STRUCTURE;
	case SPB_DESCRIPTOR_TENSOR:
		return MAP_TENSOR;
	case SPB_DESCRIPTOR_INPUT_ATTACHMENT: /* an image that is not sampled, and never written */
	case SPB_DESCRIPTOR_OTHER:
	case SPB_DESCRIPTOR_COUNT:
		break;
	}
	return MAP_READ_ONLY_IMAGE | MAP_READ_WRITE_IMAGE;
}

uint32_t spb_mapping_mask(uint32_t mask, uint32_t others)
{
	static const uint32_t families[] = {MAP_READ_ONLY_IMAGE | MAP_READ_WRITE_IMAGE,
					    MAP_READ_ONLY_BUFFER | MAP_READ_WRITE_BUFFER};

	for (size_t i = 0; i < SPB_COUNT(families); i++)
		mask |= mask & families[i] ? families[i] & ~others : 0;
	return mask;
}

const char *spb_resource_mask_name(uint32_t bit)
{
	static const char *const names[] = {
	    "VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT",
	    "VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT",
	    "VK_SPIRV_RESOURCE_TYPE_READ_ONLY_IMAGE_BIT_EXT",
	    "VK_SPIRV_RESOURCE_TYPE_READ_WRITE_IMAGE_BIT_EXT",
	    "VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT",
	    "VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT",
	    "VK_SPIRV_RESOURCE_TYPE_READ_ONLY_STORAGE_BUFFER_BIT_EXT",
	    "VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT",
	    "VK_SPIRV_RESOURCE_TYPE_ACCELERATION_STRUCTURE_BIT_EXT",
	    "VK_SPIRV_RESOURCE_TYPE_TENSOR_BIT_ARM",
	};

	return bit < SPB_COUNT(names) ? names[bit] : NULL;
}

/* Types that the host chooses, where SPIR-V allows several. */
static const struct {
	uint32_t vk_type;
	const char *title, *vk_name;
} chosen[] = {
    {SPB_VK_UNIFORM_BUFFER_DYNAMIC, "dynamic uniform buffer", "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC"},
    {SPB_VK_STORAGE_BUFFER_DYNAMIC, "dynamic storage buffer", "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC"},
    {SPB_VK_INLINE_UNIFORM_BLOCK, "inline uniform block", "VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK"},
    {SPB_VK_MUTABLE, "mutable", "VK_DESCRIPTOR_TYPE_MUTABLE_EXT"},
};

const char *spb_descriptor_type_name(uint32_t type)
{
	for (size_t i = 0; i < SPB_COUNT(spb_descriptor_infos); i++) {
		if (spb_descriptor_infos[i].vk_type == type)
			return spb_descriptor_infos[i].title;
	}
	for (size_t i = 0; i < SPB_COUNT(chosen); i++) {
		if (chosen[i].vk_type == type)
			return chosen[i].title;
	}
	return "other";
}

const char *spb_kind_name(uint32_t kind)
{
	return spb_descriptor_info((enum spb_descriptor)kind)->kind;
}

const char *spb_vk_type_name(uint32_t vk_type)
{
	for (size_t i = 0; i < SPB_COUNT(spb_descriptor_infos); i++) {
		if (spb_descriptor_infos[i].vk_type == vk_type)
			return spb_descriptor_infos[i].vk_name;
	}
	for (size_t i = 0; i < SPB_COUNT(chosen); i++) {
		if (chosen[i].vk_type == vk_type)
			return chosen[i].vk_name;
	}
	return spb_descriptor_infos[SPB_DESCRIPTOR_OTHER].vk_name;
}

static const struct {
	const char *name, *vk_name, *feature;
} flags[SPB_FLAG_COUNT] = {
    [SPB_FLAG_UPDATE_AFTER_BIND] = {"update-after-bind", "VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT", NULL},
    [SPB_FLAG_UPDATE_UNUSED_WHILE_PENDING] = {"update-unused-while-pending",
					      "VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT",
					      "descriptorBindingUpdateUnusedWhilePending"},
    [SPB_FLAG_PARTIALLY_BOUND] = {"partially-bound", "VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT",
				  "descriptorBindingPartiallyBound"},
    [SPB_FLAG_VARIABLE_COUNT] = {"variable-count", "VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT",
				 "descriptorBindingVariableDescriptorCount"},
};

const char *spb_flag_name(uint32_t bit)
{
	return bit < SPB_FLAG_COUNT ? flags[bit].name : NULL;
}

const char *spb_flag_vk_name(uint32_t bit)
{
	return flags[bit].vk_name;
}

const char *spb_set_flag_vk_name(uint32_t bit)
{
	static const char *const names[SPB_SET_FLAG_COUNT] = {
	    [SPB_SET_PUSH_DESCRIPTOR] = "VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR",
	    [SPB_SET_UPDATE_AFTER_BIND_POOL] = "VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT",
	    [SPB_SET_DESCRIPTOR_BUFFER] = "VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT",
	};

	return names[bit];
}

const char *spb_flag_feature(uint32_t bit, enum spb_descriptor type, uint32_t vk_type)
{
	if (bit != SPB_FLAG_UPDATE_AFTER_BIND)
		return flags[bit].feature;
	return vk_type == SPB_VK_INLINE_UNIFORM_BLOCK ? "descriptorBindingInlineUniformBlockUpdateAfterBind"
						      : spb_descriptor_infos[type].update_feature;
}

bool spb_is_indexing(uint32_t capability)
{
	return (capability >= SpvCapabilityUniformBufferArrayDynamicIndexing &&
		capability <= SpvCapabilityStorageImageArrayDynamicIndexing) ||
	       spb_is_descriptor_indexing(capability) || capability == TENSOR_DYNAMIC ||
	       capability == TENSOR_NON_UNIFORM;
}

bool spb_is_descriptor_indexing(uint32_t capability)
{
	return capability >= SpvCapabilityShaderNonUniform &&
	       capability <= SpvCapabilityStorageTexelBufferArrayNonUniformIndexing;
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
	case SpvOpTypeSampledImage: /* of a Buffer image: stock glslang writes this for samplerBuffer */
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

	for (uint32_t i = 0; i < SPB_DESCRIPTOR_COUNT && !strncmp(name, begin, sizeof begin - 1); i++) {
		const struct spb_descriptor_info *info = &spb_descriptor_infos[i];
		const char *kind = name + sizeof begin - 1;
		size_t length = strcspn(kind, "_");
		if (info->heap.name && !strncmp(info->kind, kind, length) && !info->kind[length])
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
	static const struct {
		uint32_t width;
		const char *names[2]; /* unsigned, signed */
	} integers[] = {{8, {"uint8", "int8"}}, {16, {"uint16", "int16"}}, {64, {"uint64", "int64"}}};
	spb_at at = m->def[type];

	switch (spb_op(m, at)) {
	case SpvOpTypeFloat:
		return m->words[at + 2] == 16 ? "half" : m->words[at + 2] == 64 ? "double" : "float";
	case SpvOpTypeInt:
		for (uint32_t i = 0; i < SPB_COUNT(integers); i++) {
			if (integers[i].width == m->words[at + 2])
				return integers[i].names[m->words[at + 3] & 1];
		}
		return m->words[at + 3] ? "int" : "uint";
	case SpvOpTypeBool:
		return "bool";
	case SpvOpTypeVoid:
		return "void";
	default:
		return "other";
	}
}
