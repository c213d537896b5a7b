/* SPDX-License-Identifier: Apache-2.0 */
/* descriptor_paths: leads from the index of a descriptor array to the instructions that access what it selects.
 *
 *     %p = OpAccessChain %ptr %textures %i           a chain: it selects
 *     %t = OpLoad %image %p                          ids on the path name the same descriptor
 *     %si = OpSampledImage %combined %t %s
 *     %x = OpImageSampleExplicitLod %v4 %si …        an access: word 3, and Vulkan looks at what it names
 *
 * (VUID-RuntimeSpirv-None-10148, VUID-RuntimeSpirv-subgroupSize-10149: "the operand corresponding to that resource".)
 * An index inside a buffer, as in b.data[i], selects no descriptor. */
#ifndef SPB_DESCRIPTOR_PATHS_H
#define SPB_DESCRIPTOR_PATHS_H

#include "analysis/resources/resources.h"

struct spb_chain {
	spb_at at;
	enum spb_descriptor kind;
};

struct spb_operand_use {
	spb_at at;
	uint32_t word; /* word of the operand */
};

struct spb_paths {
	SPB_LIST(struct spb_chain) chains; /* those with a non-constant index; in module order */
	SPB_LIST(struct spb_operand_use) accesses;
	uint8_t *on_path; /* [bound] 1: names a descriptor selected by such a chain */
};

/* but: bits over ids of variables to ignore; NULL: none. */
struct spb_paths spb_find_paths(const struct spb_module *m, const struct spb_calls *calls, const uint32_t *but,
				struct spb_arena *arena);

/* Does `base` point to an array of descriptors, and of which kind? */
bool spb_selects_descriptor(const struct spb_module *m, uint32_t base, enum spb_descriptor *kind);
/* The operand words through which an instruction on the path receives the descriptor: *first … *end, all ids. False:
 * the instruction does not pass descriptors on. */
bool spb_path_operands(const struct spb_module *m, spb_at at, uint32_t *first, uint32_t *end);
bool spb_is_opaque_type(const struct spb_module *m, uint32_t type);
/* Is there such a chain at all? For most modules no further question needs to be asked. */
bool spb_has_dynamic_chain(const struct spb_module *m);

#endif
