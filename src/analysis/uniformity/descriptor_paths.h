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

#include "analysis/uniformity/pointer_targets.h"

struct spb_selection {    /* of an access chain: words */
	uint32_t base;    /* of its base */
	uint32_t end;     /* after the last index that selects a descriptor; at most base + 1 if none does */
	uint32_t dynamic; /* of the first of these indexes that is not a constant; 0: all are constant */
	enum spb_descriptor kind;
};

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

/* Is the opcode an access chain of any kind, for typed or untyped pointers? */
bool spb_is_any_chain(uint32_t op);
/* Which indexes of an access chain of any kind select a descriptor. */
struct spb_selection spb_selection_of(const struct spb_module *m, spb_at chain);
/* Does the value name a descriptor: is it one, or a pointer to or into one? */
bool spb_names_descriptor(const struct spb_module *m, uint32_t id);
/* The operand words through which an instruction on the path receives the descriptor: *first … *end, all ids. False:
 * the instruction does not pass descriptors on. */
bool spb_path_operands(const struct spb_module *m, spb_at at, uint32_t *first, uint32_t *end);
uint32_t *spb_find_marks(const struct spb_module *m, struct spb_arena *arena); /* bits over ids decorated NonUniform */
bool spb_is_opaque_type(const struct spb_module *m, uint32_t type);
/* May there be a pointer that is not a variable, a parameter, or an access chain on one? Judged by capabilities. */
bool spb_may_choose(const struct spb_module *m);
/* Are there pointers or descriptors that come from a choice, from memory, or from a function? */
bool spb_has_choices(const struct spb_module *m);
/* Is any descriptor selected? Most modules need no further analysis. */
bool spb_has_paths(const struct spb_module *m);

#endif
