/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_tables: facts about the uniformity of each SPIR-V built-in variable and each instruction of GLSL.std.450.
 * Those about opcodes are in src/ir/opcodes.txt.
 *
 * Two bits: uniform in the invocation group (workgroup, draw, or part of a ray tracing launch), and uniform in the
 * subgroup. Outside workgroup stages neither implies the other (Vulkan, "Shaders", "Scope"). */
#ifndef SPB_UNIFORMITY_TABLES_H
#define SPB_UNIFORMITY_TABLES_H

#include "ir/ir.h"

enum { SPB_UNIFORM_GROUP = 1, SPB_UNIFORM_SUBGROUP = 2, SPB_UNIFORM_BOTH = 3 };

/* Groups of stages that the rules distinguish, as bits. */
enum {
	SPB_COMPUTE_STAGE = 1,
	SPB_GEOMETRY_STAGES = 2, /* vertex, tessellation, geometry */
	SPB_FRAGMENT_STAGE = 4,
	SPB_RAY_STAGES = 8,
	SPB_MESH_STAGES = 16,                                   /* task, mesh */
	SPB_GROUP_STAGES = SPB_COMPUTE_STAGE | SPB_MESH_STAGES, /* the invocation group is the workgroup, and a subgroup
								 * is part of it */
	SPB_ALL_STAGES = 31
};

/* Bits of an input or built-in variable in a group of stages; for several groups, what holds in all of them. Unknown,
 * or not a built-in of that stage: 0. */
uint8_t spb_uniformity_builtin(uint32_t builtin, uint32_t stages);
/* Of a fragment's built-in: SPB_UNIFORM_BOTH if it is the same in the whole primitive, SPB_UNIFORM_SUBGROUP if it is in
 * each quad. */
uint8_t spb_uniformity_of_fragments(uint32_t builtin);

/* Transfer function of an extended instruction of GLSL.std.450. */
enum spb_transfer spb_uniformity_glsl(uint32_t instruction);

#endif
