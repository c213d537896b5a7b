/* SPDX-License-Identifier: Apache-2.0 */
/* handle_uses: what instructions do with a descriptor that was dereferenced. */
#include "pass/heaps.h"

bool spb_uses_descriptor(const struct spb_module *m, struct spb_use use)
{
	switch (spb_op(m, use.at)) {
	case SpvOpSampledImage:
	case SpvOpImage:
	case SpvOpImageSampleImplicitLod:
	case SpvOpImageSampleExplicitLod:
	case SpvOpImageSampleDrefImplicitLod:
	case SpvOpImageSampleDrefExplicitLod:
	case SpvOpImageSampleProjImplicitLod:
	case SpvOpImageSampleProjExplicitLod:
	case SpvOpImageSampleProjDrefImplicitLod:
	case SpvOpImageSampleProjDrefExplicitLod:
	case SpvOpImageFetch:
	case SpvOpImageGather:
	case SpvOpImageDrefGather:
	case SpvOpImageRead:
	case SpvOpImageWrite:
	case SpvOpImageQueryFormat:
	case SpvOpImageQueryOrder:
	case SpvOpImageQuerySizeLod:
	case SpvOpImageQuerySize:
	case SpvOpImageQueryLod:
	case SpvOpImageQueryLevels:
	case SpvOpImageQuerySamples:
	case SpvOpImageSparseSampleImplicitLod:
	case SpvOpImageSparseSampleExplicitLod:
	case SpvOpImageSparseSampleDrefImplicitLod:
	case SpvOpImageSparseSampleDrefExplicitLod:
	case SpvOpImageSparseFetch:
	case SpvOpImageSparseGather:
	case SpvOpImageSparseDrefGather:
	case SpvOpImageSparseRead:
	case SpvOpTraceRayKHR:
	case SpvOpTraceRayMotionNV:
	case SpvOpTraceMotionNV:
	case SpvOpTraceNV:
	case SpvOpRayQueryInitializeKHR:
	case SpvOpFragmentFetchAMD:
	case SpvOpFragmentMaskFetchAMD:
	case SpvOpImageSampleFootprintNV:
		return true;
	default:
		return false;
	}
}

bool spb_is_handle_set(const struct spb_module *m, uint32_t id)
{
	return spb_def_op(m, id) == SpvOpExtInstImport && !strcmp(spb_string(m, m->def[id] + 2), SPB_HANDLE_SET);
}

bool spb_is_handle_remark(const struct spb_module *m, spb_at at)
{
	return spb_is_non_semantic(m, at) && !spb_is_handle_set(m, m->words[at + 3]);
}
