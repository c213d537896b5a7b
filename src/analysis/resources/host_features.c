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

/* The structs of features, and the version of Vulkan whose struct has their members, too. */
enum {
	IN_NONE,
	IN_CORE,
	IN_MULTIVIEW,
	IN_PARAMETERS,
	IN_16_BIT,
	IN_POINTERS,
	IN_INDEXING,
	IN_ADDRESS,
	IN_SMALL,
	IN_8_BIT,
	IN_MEMORY_MODEL,
	IN_ATOMIC_64,
	IN_VULKAN_1_2,
	IN_INLINE,
	IN_DEMOTE,
	IN_DOT,
	IN_VULKAN_1_4,
	IN_MUTABLE,
	IN_RAY_QUERY,
	IN_RAY_TRACING,
	IN_ACCELERATION,
	IN_MESH,
	IN_INTERLOCK,
	IN_BARYCENTRIC,
	IN_ATOMIC_FLOAT,
	IN_TENSOR,
	IN_UNTYPED,
	IN_HEAP,
	IN_BUFFER
};

#define S(name) "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_" name
static const struct spb_feature_struct structs[] = {
    [IN_CORE] = {"Features2", S("FEATURES_2"), 0, NULL},
    [IN_MULTIVIEW] = {"MultiviewFeatures", S("MULTIVIEW_FEATURES"), 1, NULL},
    [IN_PARAMETERS] = {"ShaderDrawParametersFeatures", S("SHADER_DRAW_PARAMETERS_FEATURES"), 1, NULL},
    [IN_16_BIT] = {"16BitStorageFeatures", S("16BIT_STORAGE_FEATURES"), 1, NULL},
    [IN_POINTERS] = {"VariablePointersFeatures", S("VARIABLE_POINTERS_FEATURES"), 1, NULL},
    [IN_INDEXING] = {"DescriptorIndexingFeatures", S("DESCRIPTOR_INDEXING_FEATURES"), 2, NULL},
    [IN_ADDRESS] = {"BufferDeviceAddressFeatures", S("BUFFER_DEVICE_ADDRESS_FEATURES"), 2, NULL},
    [IN_SMALL] = {"ShaderFloat16Int8Features", S("SHADER_FLOAT16_INT8_FEATURES"), 2, NULL},
    [IN_8_BIT] = {"8BitStorageFeatures", S("8BIT_STORAGE_FEATURES"), 2, NULL},
    [IN_MEMORY_MODEL] = {"VulkanMemoryModelFeatures", S("VULKAN_MEMORY_MODEL_FEATURES"), 2, NULL},
    [IN_ATOMIC_64] = {"ShaderAtomicInt64Features", S("SHADER_ATOMIC_INT64_FEATURES"), 2, NULL},
    [IN_VULKAN_1_2] = {NULL, NULL, 2, NULL},
    [IN_INLINE] = {"InlineUniformBlockFeatures", S("INLINE_UNIFORM_BLOCK_FEATURES"), 3, NULL},
    [IN_DEMOTE] = {"ShaderDemoteToHelperInvocationFeatures", S("SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES"), 3, NULL},
    [IN_DOT] = {"ShaderIntegerDotProductFeatures", S("SHADER_INTEGER_DOT_PRODUCT_FEATURES"), 3, NULL},
    [IN_VULKAN_1_4] = {NULL, NULL, 4, NULL}, /* an extension without a struct before */
    [IN_MUTABLE] = {"MutableDescriptorTypeFeaturesEXT", S("MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT"), 0, NULL},
    [IN_RAY_QUERY] = {"RayQueryFeaturesKHR", S("RAY_QUERY_FEATURES_KHR"), 0, NULL},
    [IN_RAY_TRACING] = {"RayTracingPipelineFeaturesKHR", S("RAY_TRACING_PIPELINE_FEATURES_KHR"), 0, NULL},
    [IN_ACCELERATION] = {"AccelerationStructureFeaturesKHR", S("ACCELERATION_STRUCTURE_FEATURES_KHR"), 0, NULL},
    [IN_MESH] = {"MeshShaderFeaturesEXT", S("MESH_SHADER_FEATURES_EXT"), 0, "VK_EXT_mesh_shader"},
    [IN_INTERLOCK] = {"FragmentShaderInterlockFeaturesEXT", S("FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT"), 0, NULL},
    [IN_BARYCENTRIC] = {"FragmentShaderBarycentricFeaturesKHR", S("FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR"), 0,
			"VK_KHR_fragment_shader_barycentric"},
    [IN_ATOMIC_FLOAT] = {"ShaderAtomicFloatFeaturesEXT", S("SHADER_ATOMIC_FLOAT_FEATURES_EXT"), 0, NULL},
    [IN_TENSOR] = {"TensorFeaturesARM", S("TENSOR_FEATURES_ARM"), 0, "VK_ARM_tensors"},
    [IN_UNTYPED] = {"ShaderUntypedPointersFeaturesKHR", S("SHADER_UNTYPED_POINTERS_FEATURES_KHR"), 0,
		    "VK_KHR_shader_untyped_pointers"},
    [IN_HEAP] = {"DescriptorHeapFeaturesEXT", S("DESCRIPTOR_HEAP_FEATURES_EXT"), 0, "VK_EXT_descriptor_heap"},
    [IN_BUFFER] = {"DescriptorBufferFeaturesEXT", S("DESCRIPTOR_BUFFER_FEATURES_EXT"), 0, "VK_EXT_descriptor_buffer"},
};

/* Features that have nothing to do with descriptors, so --host-features does not ask for them. Numbers are capabilities
 * newer than some spirv.h. */
static const struct {
	uint32_t capability;
	uint8_t in;
	const char *name;
} others[] = {
    {SpvCapabilityGeometry, IN_CORE, "geometryShader"},
    {SpvCapabilityTessellation, IN_CORE, "tessellationShader"},
    {SpvCapabilityTessellationPointSize, IN_CORE, "shaderTessellationAndGeometryPointSize"},
    {SpvCapabilityGeometryPointSize, IN_CORE, "shaderTessellationAndGeometryPointSize"},
    {SpvCapabilityFloat64, IN_CORE, "shaderFloat64"},
    {SpvCapabilityInt64, IN_CORE, "shaderInt64"},
    {SpvCapabilityInt16, IN_CORE, "shaderInt16"},
    {SpvCapabilityClipDistance, IN_CORE, "shaderClipDistance"},
    {SpvCapabilityCullDistance, IN_CORE, "shaderCullDistance"},
    {SpvCapabilitySampleRateShading, IN_CORE, "sampleRateShading"},
    {SpvCapabilityInterpolationFunction, IN_CORE, "sampleRateShading"},
    {SpvCapabilityMultiViewport, IN_CORE, "multiViewport"},
    {SpvCapabilityImageGatherExtended, IN_CORE, "shaderImageGatherExtended"},
    {SpvCapabilityMinLod, IN_CORE, "shaderResourceMinLod"},
    {SpvCapabilitySparseResidency, IN_CORE, "shaderResourceResidency"},
    {SpvCapabilityStorageImageExtendedFormats, IN_CORE, "shaderStorageImageExtendedFormats"},
    {SpvCapabilityMultiView, IN_MULTIVIEW, "multiview"},
    {SpvCapabilityDrawParameters, IN_PARAMETERS, "shaderDrawParameters"},
    {SpvCapabilityStorageBuffer16BitAccess, IN_16_BIT, "storageBuffer16BitAccess"},
    {SpvCapabilityStorageUniform16, IN_16_BIT, "uniformAndStorageBuffer16BitAccess"},
    {SpvCapabilityStoragePushConstant16, IN_16_BIT, "storagePushConstant16"},
    {SpvCapabilityStorageInputOutput16, IN_16_BIT, "storageInputOutput16"},
    {SpvCapabilityVariablePointersStorageBuffer, IN_POINTERS, "variablePointersStorageBuffer"},
    {SpvCapabilityVariablePointers, IN_POINTERS, "variablePointers"},
    {SpvCapabilityFloat16, IN_SMALL, "shaderFloat16"},
    {SpvCapabilityInt8, IN_SMALL, "shaderInt8"},
    {SpvCapabilityStorageBuffer8BitAccess, IN_8_BIT, "storageBuffer8BitAccess"},
    {SpvCapabilityUniformAndStorageBuffer8BitAccess, IN_8_BIT, "uniformAndStorageBuffer8BitAccess"},
    {SpvCapabilityStoragePushConstant8, IN_8_BIT, "storagePushConstant8"},
    {SpvCapabilityVulkanMemoryModel, IN_MEMORY_MODEL, "vulkanMemoryModel"},
    {SpvCapabilityVulkanMemoryModelDeviceScope, IN_MEMORY_MODEL, "vulkanMemoryModelDeviceScope"},
    {SpvCapabilityInt64Atomics, IN_ATOMIC_64, "shaderBufferInt64Atomics"},
    {SpvCapabilityShaderViewportIndex, IN_VULKAN_1_2, "shaderOutputViewportIndex"},
    {SpvCapabilityShaderLayer, IN_VULKAN_1_2, "shaderOutputLayer"},
    {SpvCapabilityDemoteToHelperInvocation, IN_DEMOTE, "shaderDemoteToHelperInvocation"},
    {6019, IN_DOT, "shaderIntegerDotProduct"},
    {5283, IN_MESH, "meshShader"},
    {SpvCapabilityFragmentShaderSampleInterlockEXT, IN_INTERLOCK, "fragmentShaderSampleInterlock"},
    {SpvCapabilityFragmentShaderPixelInterlockEXT, IN_INTERLOCK, "fragmentShaderPixelInterlock"},
    {5284, IN_BARYCENTRIC, "fragmentShaderBarycentric"},
    {UINT32_MAX, IN_CORE, "fragmentStoresAndAtomics"}, /* resources need these two, not capabilities */
    {UINT32_MAX, IN_CORE, "vertexPipelineStoresAndAtomics"},
    {SpvCapabilityAtomicFloat32AddEXT, IN_ATOMIC_FLOAT, "shaderBufferFloat32AtomicAdd"},
};

/* Those of kinds of descriptors and of their flags are named in descriptor.c. */
static const struct {
	const char *name;
	uint32_t of;
	uint32_t capability; /* that needs it; 0: none, or one of a kind of descriptors */
	bool is_no_feature;  /* a property or an extension, in the words of vulkan.h */
	uint32_t also;       /* another capability that needs it; 0: none */
	uint8_t in;          /* IN_* */
} features[] = {
    {"shaderUniformBufferArrayDynamicIndexing", OF_1_4 | OF_2022, 0, false, 0, IN_CORE},
    {"shaderSampledImageArrayDynamicIndexing", OF_1_4 | OF_2022, 0, false, 0, IN_CORE},
    {"shaderStorageBufferArrayDynamicIndexing", OF_1_4 | OF_2022, 0, false, 0, IN_CORE},
    {"shaderStorageImageArrayDynamicIndexing", OF_1_4 | OF_2022, 0, false, 0, IN_CORE},
    {"shaderUniformTexelBufferArrayDynamicIndexing", OF_1_4 | OF_2022, 0, false, 0, IN_INDEXING},
    {"shaderStorageTexelBufferArrayDynamicIndexing", OF_1_4 | OF_2022, 0, false, 0, IN_INDEXING},
    {"shaderInputAttachmentArrayDynamicIndexing", OF_NONE, 0, false, 0, IN_INDEXING},
    {"shaderStorageTensorArrayDynamicIndexing", OF_NONE, 0, false, 0, IN_TENSOR},
    {"shaderUniformBufferArrayNonUniformIndexing", OF_2022, 0, false, 0, IN_INDEXING},
    {"shaderSampledImageArrayNonUniformIndexing", OF_2022, 0, false, 0, IN_INDEXING},
    {"shaderStorageBufferArrayNonUniformIndexing", OF_2022, 0, false, 0, IN_INDEXING},
    {"shaderStorageImageArrayNonUniformIndexing", OF_2022, 0, false, 0, IN_INDEXING},
    {"shaderUniformTexelBufferArrayNonUniformIndexing", OF_2022, 0, false, 0, IN_INDEXING},
    {"shaderStorageTexelBufferArrayNonUniformIndexing", OF_2022, 0, false, 0, IN_INDEXING},
    {"shaderInputAttachmentArrayNonUniformIndexing", OF_NONE, 0, false, 0, IN_INDEXING},
    {"shaderStorageTensorArrayNonUniformIndexing", OF_NONE, 0, false, 0, IN_TENSOR},
    {"runtimeDescriptorArray", OF_2022, SpvCapabilityRuntimeDescriptorArray, false, 0, IN_INDEXING},
    {"shaderStorageImageReadWithoutFormat", OF_1_3, SpvCapabilityStorageImageReadWithoutFormat, false, 0, IN_CORE},
    {"shaderStorageImageWriteWithoutFormat", OF_1_3, SpvCapabilityStorageImageWriteWithoutFormat, false, 0, IN_CORE},
    {"shaderStorageImageMultisample", OF_NONE, SpvCapabilityStorageImageMultisample, false, 0, IN_CORE},
    {"imageCubeArray", OF_1_4 | OF_2022, SpvCapabilityImageCubeArray, false, SpvCapabilitySampledCubeArray, IN_CORE},
    {"rayQuery", OF_NONE, SpvCapabilityRayQueryKHR, false, 0, IN_RAY_QUERY},
    {"rayTracingPipeline", OF_NONE, SpvCapabilityRayTracingKHR, false, 0, IN_RAY_TRACING},
    {"bufferDeviceAddress", OF_1_3, SpvCapabilityPhysicalStorageBufferAddresses, false, 0, IN_ADDRESS},
    {"shaderUntypedPointers", OF_2026, CapabilityUntypedPointersKHR, false, 0, IN_UNTYPED},
    {"descriptorHeap", OF_NONE, CapabilityDescriptorHeapEXT, false, 0, IN_HEAP},
    {"descriptorBindingUniformBufferUpdateAfterBind", OF_NONE, 0, false, 0, IN_INDEXING},
    {"descriptorBindingSampledImageUpdateAfterBind", OF_2022, 0, false, 0, IN_INDEXING},
    {"descriptorBindingStorageImageUpdateAfterBind", OF_2022, 0, false, 0, IN_INDEXING},
    {"descriptorBindingStorageBufferUpdateAfterBind", OF_2022, 0, false, 0, IN_INDEXING},
    {"descriptorBindingUniformTexelBufferUpdateAfterBind", OF_2022, 0, false, 0, IN_INDEXING},
    {"descriptorBindingStorageTexelBufferUpdateAfterBind", OF_2022, 0, false, 0, IN_INDEXING},
    {"descriptorBindingAccelerationStructureUpdateAfterBind", OF_NONE, 0, false, 0, IN_ACCELERATION},
    {"descriptorBindingStorageTensorUpdateAfterBind", OF_NONE, 0, false, 0, IN_TENSOR},
    {"descriptorBindingInlineUniformBlockUpdateAfterBind", OF_1_3, 0, false, 0, IN_INLINE},
    {"descriptorBindingUpdateUnusedWhilePending", OF_2022, 0, false, 0, IN_INDEXING},
    {"descriptorBindingPartiallyBound", OF_2022, 0, false, 0, IN_INDEXING},
    {"descriptorBindingVariableDescriptorCount", OF_2022, 0, false, 0, IN_INDEXING},
    {"mutableDescriptorType", OF_NONE, 0, false, 0, IN_MUTABLE},
    {"inlineUniformBlock", OF_1_3, 0, false, 0, IN_INLINE},
    {"pushDescriptor", OF_1_4 | OF_2024, 0, false, 0, IN_VULKAN_1_4},
    {"descriptorBuffer", OF_NONE, 0, false, 0, IN_BUFFER},
    {"descriptorBufferPushDescriptors", OF_NONE, 0, false, 0, IN_BUFFER},
    {"VK_SUBGROUP_FEATURE_VOTE_BIT", OF_2022, SpvCapabilityGroupNonUniformVote, true, 0, IN_NONE},
    {"VK_SUBGROUP_FEATURE_BALLOT_BIT", OF_2022, SpvCapabilityGroupNonUniformBallot, true, 0, IN_NONE},
    {"VK_EXT_shader_subgroup_ballot", OF_NONE, SpvCapabilitySubgroupBallotKHR, true, 0, IN_NONE},
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

const char *spb_other_feature_of(uint32_t capability)
{
	for (size_t i = 0; i < SPB_COUNT(others); i++) {
		if (others[i].capability == capability)
			return others[i].name;
	}
	return NULL;
}

const struct spb_feature_struct *spb_struct_of_feature(const char *feature)
{
	for (size_t i = 0; i < SPB_COUNT(features); i++) {
		if (!strcmp(features[i].name, feature))
			return &structs[features[i].in];
	}
	for (size_t i = 0; i < SPB_COUNT(others); i++) {
		if (!strcmp(others[i].name, feature))
			return &structs[others[i].in];
	}
	return &structs[IN_NONE];
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
