/* SPDX-License-Identifier: Apache-2.0 */
/* modernize-module: raises a module of SPIR-V 1.0 to 1.2 to a version that allows SPV_EXT_descriptor_heap
 * (--heap-model=descriptor-heap). VK_EXT_descriptor_heap needs a device of Vulkan 1.1 or later, which accepts SPIR-V
 * 1.3.
 *
 *     OpDecorateId, for strides that only the driver knows        SPIR-V 1.2
 *     OpTypeBufferEXT StorageBuffer, and so no BufferBlock        SPIR-V 1.3
 *
 * All blocks of the module are changed (old_blocks.c), since a type may be that of a heap and of a bound buffer. */
#include "pass/builtin/builtin.h"

/* The version that the heaps need; 0: that of the module. SPIR-V 1.2 would do for decorations by id, but 1.3 needs no
 * extension for storage buffers. */
static uint32_t needed_version(const struct spb_unit *u, bool *blocks)
{
	const struct spb_module *m = &u->m;
	const spb_heap_options *o = &u->options->heaps;
	bool ids = false;

	for (size_t i = 0; i < u->handles.heaps.count; i++) {
		struct spb_heap heap = u->handles.heaps.items[i];
		bool sampler = heap.kind == SPB_DESCRIPTOR_SAMPLER;
		if (!spb_is_future_builtin(u, &heap))
			continue;
		*blocks |= spb_is_old_pointer(m, spb_type_of(m, heap.variable));
		ids |=
		    heap.remade ? heap.stride != SPB_STRIDE_BYTES : !(sampler ? o->sampler_stride : o->resource_stride);
	}
	if (spb_version_word(m) >= 0x00010300)
		return 0;
	return *blocks || (ids && spb_version_word(m) < 0x00010200) ? 0x00010300 : 0;
}

bool spb_pass_modernize_module(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	bool blocks = false;

	if (!spb_future_builtins(u))
		return false;
	uint32_t version = needed_version(u, &blocks);
	if (version) {
		spb_report(m, SPB_SEVERITY_NOTE, SPB_E_HEAP_VERSION, 0,
			   "the module becomes SPIR-V 1.3, which %s" SPB_REMEDY
			   "Every device with VK_EXT_descriptor_heap accepts it.",
			   blocks ? "has storage buffers that are no BufferBlocks"
				  : "has decorations for strides that only the driver knows");
		spb_patch(&u->edit, 1, version);
	}
	if (blocks)
		spb_modernize_blocks(u);
	return version || blocks;
}
