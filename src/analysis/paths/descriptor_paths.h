/* SPDX-License-Identifier: Apache-2.0 */
/* descriptor_paths: follows a descriptor from where it is selected to the instructions that access it.
 *
 *     %p = OpAccessChain %ptr %textures %i           a chain: its index selects
 *     %t = OpLoad %image %p                          ids on the path name the same descriptor
 *     %si = OpSampledImage %combined %t %s
 *     %x = OpImageSampleExplicitLod %v4 %si …        an access: Vulkan inspects the id in word 3
 *
 *     %q = OpSelect %ptr %c %buffer_a %buffer_b      a choice of pointers selects, too, whatever it chooses from;
 *     OpStore %kept %q                               so does a pointer that comes from a variable, a structure or
 *     %l = OpLoad %ptr %kept                         a function
 *
 * (VUID-RuntimeSpirv-None-10148, VUID-RuntimeSpirv-subgroupSize-10149: "the operand corresponding to that resource".)
 * An index inside a buffer, as in b.data[i], selects no descriptor. */
#ifndef SPB_DESCRIPTOR_PATHS_H
#define SPB_DESCRIPTOR_PATHS_H

#include "analysis/paths/pointer_targets.h"
#include "analysis/paths/selection.h"

struct spb_chain {
	spb_at at;
	struct spb_selection selection;
};

struct spb_operand_use {
	spb_at at;
	uint32_t word; /* word of the operand */
};

struct spb_paths {
	SPB_LIST(struct spb_chain) chains; /* those with a non-constant index; in module order */
	SPB_LIST(struct spb_operand_use) accesses;
	/* [bound] the id names a descriptor that was selected, by an index or as one of several pointers, or one of
	 * unknown origin: OpUndef, an exported parameter, … */
	bool *on_path;
	struct spb_targets targets;
};

/* `but`: variables to ignore, as bits over ids; NULL: none. */
struct spb_paths spb_find_paths(const struct spb_module *m, const struct spb_calls *calls, const uint32_t *but,
				struct spb_arena *arena);

/* effects.c: what a shader does through a pointer or descriptor. For modules with an index of uses. */
enum { SPB_EFFECT_READS = 1, SPB_EFFECT_WRITES = 2, SPB_EFFECT_BOTH = 3 };
struct spb_effects { /* what has been found out; only the arena is set at first */
	struct spb_arena *arena;
	uint8_t *known; /* [bound] */
};
uint32_t spb_effects_of(const struct spb_module *m, uint32_t id, struct spb_effects *x); /* 0: sizes only, or nothing */

uint32_t *spb_find_marks(const struct spb_module *m, struct spb_arena *arena); /* bits over ids decorated NonUniform */

#endif
