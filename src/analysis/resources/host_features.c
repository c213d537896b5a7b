/* SPDX-License-Identifier: Apache-2.0 */
/* host_features: what the host has to enable for the descriptors and the capabilities of a module, by the names of
 * vulkan.h, and what --host-features says that it does enable. */
#include "analysis/resources/resources.h"

/* Sets of features that every device of a version or a profile has (Vulkan, "Feature Requirements" and "Roadmap
 * Milestones"). A row of a feature has the bits of all sets that contain it. */
enum {
	OF_2026 = 1,           /* VP_KHR_roadmap_2026 */
	OF_2024 = 2 | OF_2026, /* VP_KHR_roadmap_2024 */
	OF_2022 = 4 | OF_2024, /* VP_KHR_roadmap_2022 */
	OF_1_4 = 8 | OF_2026,  /* VK_VERSION_1_4 */
	OF_1_3 = 16 | OF_1_4 | OF_2022,
	OF_NONE = 0
};

static const struct {
	const char *name;
	uint32_t of;
} sets[] = {{"none", OF_NONE},      {"vulkan1.0", OF_NONE}, {"vulkan1.1", OF_NONE},
	    {"vulkan1.2", OF_NONE}, {"vulkan1.3", 16},      {"vulkan1.4", 8},
	    {"roadmap2022", 4},     {"roadmap2024", 2},     {"roadmap2026", 1}};

/* Those of kinds of descriptors and of their flags are named in descriptor.c. */
static const struct {
	const char *name;
	uint32_t of;
	uint32_t capability; /* that needs it; 0: none, or one of a kind of descriptors */
	bool is_no_feature;  /* a property or an extension, in the words of vulkan.h */
	uint32_t also;       /* another capability that needs it; 0: none */
} features[] = {
    {"shaderUniformBufferArrayDynamicIndexing", OF_1_4 | OF_2022, 0, false, 0},
    {"shaderSampledImageArrayDynamicIndexing", OF_1_4 | OF_2022, 0, false, 0},
    {"shaderStorageBufferArrayDynamicIndexing", OF_1_4 | OF_2022, 0, false, 0},
    {"shaderStorageImageArrayDynamicIndexing", OF_1_4 | OF_2022, 0, false, 0},
    {"shaderUniformTexelBufferArrayDynamicIndexing", OF_1_4 | OF_2022, 0, false, 0},
    {"shaderStorageTexelBufferArrayDynamicIndexing", OF_1_4 | OF_2022, 0, false, 0},
    {"shaderInputAttachmentArrayDynamicIndexing", OF_NONE, 0, false, 0},
    {"shaderStorageTensorArrayDynamicIndexing", OF_NONE, 0, false, 0},
    {"shaderUniformBufferArrayNonUniformIndexing", OF_2022, 0, false, 0},
    {"shaderSampledImageArrayNonUniformIndexing", OF_2022, 0, false, 0},
    {"shaderStorageBufferArrayNonUniformIndexing", OF_2022, 0, false, 0},
    {"shaderStorageImageArrayNonUniformIndexing", OF_2022, 0, false, 0},
    {"shaderUniformTexelBufferArrayNonUniformIndexing", OF_2022, 0, false, 0},
    {"shaderStorageTexelBufferArrayNonUniformIndexing", OF_2022, 0, false, 0},
    {"shaderInputAttachmentArrayNonUniformIndexing", OF_NONE, 0, false, 0},
    {"shaderStorageTensorArrayNonUniformIndexing", OF_NONE, 0, false, 0},
    {"runtimeDescriptorArray", OF_2022, SpvCapabilityRuntimeDescriptorArray, false, 0},
    {"shaderStorageImageReadWithoutFormat", OF_1_3, SpvCapabilityStorageImageReadWithoutFormat, false, 0},
    {"shaderStorageImageWriteWithoutFormat", OF_1_3, SpvCapabilityStorageImageWriteWithoutFormat, false, 0},
    {"shaderStorageImageMultisample", OF_NONE, SpvCapabilityStorageImageMultisample, false, 0},
    {"imageCubeArray", OF_1_4 | OF_2022, SpvCapabilityImageCubeArray, false, SpvCapabilitySampledCubeArray},
    {"rayQuery", OF_NONE, SpvCapabilityRayQueryKHR, false, 0},
    {"rayTracingPipeline", OF_NONE, SpvCapabilityRayTracingKHR, false, 0},
    {"bufferDeviceAddress", OF_1_3, SpvCapabilityPhysicalStorageBufferAddresses, false, 0},
    {"shaderUntypedPointers", OF_2026, CapabilityUntypedPointersKHR, false, 0},
    {"descriptorHeap", OF_NONE, CapabilityDescriptorHeapEXT, false, 0},
    {"descriptorBindingUniformBufferUpdateAfterBind", OF_NONE, 0, false, 0},
    {"descriptorBindingSampledImageUpdateAfterBind", OF_2022, 0, false, 0},
    {"descriptorBindingStorageImageUpdateAfterBind", OF_2022, 0, false, 0},
    {"descriptorBindingStorageBufferUpdateAfterBind", OF_2022, 0, false, 0},
    {"descriptorBindingUniformTexelBufferUpdateAfterBind", OF_2022, 0, false, 0},
    {"descriptorBindingStorageTexelBufferUpdateAfterBind", OF_2022, 0, false, 0},
    {"descriptorBindingAccelerationStructureUpdateAfterBind", OF_NONE, 0, false, 0},
    {"descriptorBindingStorageTensorUpdateAfterBind", OF_NONE, 0, false, 0},
    {"descriptorBindingInlineUniformBlockUpdateAfterBind", OF_1_3, 0, false, 0},
    {"descriptorBindingUpdateUnusedWhilePending", OF_2022, 0, false, 0},
    {"descriptorBindingPartiallyBound", OF_2022, 0, false, 0},
    {"descriptorBindingVariableDescriptorCount", OF_2022, 0, false, 0},
    {"mutableDescriptorType", OF_NONE, 0, false, 0},
    {"inlineUniformBlock", OF_1_3, 0, false, 0},
    {"pushDescriptor", OF_1_4 | OF_2024, 0, false, 0},
    {"VK_SUBGROUP_FEATURE_VOTE_BIT", OF_2022, SpvCapabilityGroupNonUniformVote, true, 0},
    {"VK_SUBGROUP_FEATURE_BALLOT_BIT", OF_2022, SpvCapabilityGroupNonUniformBallot, true, 0},
    {"VK_EXT_shader_subgroup_ballot", OF_NONE, SpvCapabilitySubgroupBallotKHR, true, 0},
};

const char *spb_host_feature_name(uint32_t index)
{
	if (index < SPB_COUNT(features))
		return features[index].name;
	return index - SPB_COUNT(features) < SPB_COUNT(sets) ? sets[index - SPB_COUNT(features)].name : NULL;
}

const char *spb_feature_of(uint32_t capability, bool *is_feature)
{
	*is_feature = true;
	for (uint32_t kind = 0; kind < SPB_DESCRIPTOR_COUNT && spb_is_indexing(capability); kind++) {
		const struct spb_descriptor_info *info = spb_descriptor_info((enum spb_descriptor)kind);
		if (info->dynamic == capability)
			return info->dynamic_feature;
		if (info->non_uniform == capability)
			return info->non_uniform_feature;
	}
	for (size_t i = 0; i < SPB_COUNT(features); i++) {
		if (!capability || (features[i].capability != capability && features[i].also != capability))
			continue;
		*is_feature = !features[i].is_no_feature;
		return features[i].name;
	}
	return NULL;
}

static uint32_t sets_with(const char *feature)
{
	for (size_t i = 0; i < SPB_COUNT(features); i++) {
		if (!strcmp(features[i].name, feature))
			return features[i].of;
	}
	return OF_NONE;
}

bool spb_host_has(const char *list, const char *feature)
{
	const size_t length = strlen(feature);
	const uint32_t of = list ? sets_with(feature) : 0;

	for (const char *p = list; p; p = strchr(p, ',')) {
		p += *p == ',';
		const size_t word = strcspn(p, ",");
		if (word == length && !memcmp(p, feature, length))
			return true;
		for (size_t i = 0; i < SPB_COUNT(sets); i++) {
			if (of & sets[i].of && strlen(sets[i].name) == word && !memcmp(p, sets[i].name, word))
				return true;
		}
	}
	return !list;
}
