/* SPDX-License-Identifier: Apache-2.0 */
/* uniformity_tables: what each instruction and each built-in variable of SPIR-V says about uniformity.
 *
 * Two bits: uniform in the invocation group (workgroup; draw; part of a ray tracing launch), and uniform in the
 * subgroup. Outside workgroup stages neither implies the other (Vulkan, "Shaders", "Scope"). */
#ifndef SPB_UNIFORMITY_TABLES_H
#define SPB_UNIFORMITY_TABLES_H

#include "ir/ir.h"

enum { SPB_UNIFORM_GROUP = 1, SPB_UNIFORM_SUBGROUP = 2, SPB_UNIFORM_BOTH = 3 };

/* How the value of an instruction follows from its operands. */
enum spb_transfer {
	SPB_TRANSFER_MISSING,   /* the table does not name the opcode: as UNKNOWN                                */
	SPB_TRANSFER_NONE,      /* no value: types, labels, decorations, stores, terminators, barriers           */
	SPB_TRANSFER_CONSTANT,  /* the same for all, whatever the operands                                        */
	SPB_TRANSFER_LANEWISE,  /* component i from component i of each operand; a scalar operand goes to all     */
	SPB_TRANSFER_JOIN,      /* every component from all of every operand                                      */
	SPB_TRANSFER_VARYING,   /* differs by nature: atomics, ray queries, scans, elect, clocks                  */
	SPB_TRANSFER_UNKNOWN,   /* may differ, nothing is known: vendor operations that read memory               */
	SPB_TRANSFER_SUBGROUP,  /* uniform in the subgroup whatever the operands, not in the group: ballot, all, any,
				   reduce */
	SPB_TRANSFER_BROADCAST, /* uniform in the subgroup; in the group if the operand is and a subgroup is part of it
				 */
	SPB_TRANSFER_SHUFFLE,   /* all operands joined where a subgroup is part of the group, else as VARYING      */
	SPB_TRANSFER_BY_SCOPE,  /* an operation of a whole scope: by its Scope operand uniform in workgroup (both bits)
				   or subgroup */
	SPB_TRANSFER_MEMORY,    /* reads memory; by address, storage class and writers: loads, image reads        */
	SPB_TRANSFER_SPECIAL    /* the analysis has code for it: OpPhi, OpSelect, OpFunctionCall, OpVariable,
				 * OpFunctionParameter, access chains, composites, OpVectorShuffle, OpExtInst …   */
};

struct spb_uniformity_op {
	uint16_t op;       /* 0 also where it is missing                                                    */
	uint8_t transfer;  /* enum spb_transfer                                                             */
	uint8_t resource;  /* word, counted from the opcode's, of the pointer, image, sampled image, acceleration
			    * structure or tensor by which the instruction accesses memory or asks a resource; 0: none */
	uint8_t resource2; /* a second one: OpCopyMemory, weight and block-match images                     */
	uint8_t flags;     /* SPB_UNIFORMITY_*                                                               */
};

enum {
	SPB_UNIFORMITY_WRITES = 1,  /* writes memory through its resource (OpStore, atomics, OpImageWrite)      */
	SPB_UNIFORMITY_REPACKS = 2, /* invocations may be in other subgroups afterwards (OpTraceRayKHR …)       */
	/* Its resources must not differ between invocations, marked or not: QCOM weight, box filter and block-match
	 * images (within a quad: VUIDs 06979, 06982, 06990, 09219), cooperative matrix loads and stores (within their
	 * scope). Cooperative vectors, of which each invocation has its own, may differ. */
	SPB_UNIFORMITY_NEVER_DIFFERS = 4,
	SPB_UNIFORMITY_IMPLICIT_LOD = 8, /* takes derivatives of its coordinate */
	SPB_UNIFORMITY_QUERY = 16,       /* asks a resource without reading what is in it: sizes, levels, lengths */
	SPB_UNIFORMITY_CALLS = 32        /* calls a function of the module (an operand names it, or nobody knows which)
					  * with arguments that differ: OpCooperativeMatrixPerElementOpEXT …        */
};

/* The row of an opcode; one with SPB_TRANSFER_MISSING if there is none. Never NULL. */
const struct spb_uniformity_op *spb_uniformity_op(uint32_t op);

/* Groups of stages that the rules tell apart, as bits. */
enum {
	SPB_GROUP_STAGES = 1,    /* compute, task, mesh: invocation group is the workgroup, a subgroup is part of it */
	SPB_GEOMETRY_STAGES = 2, /* vertex, tessellation, geometry */
	SPB_FRAGMENT_STAGE = 4,
	SPB_RAY_STAGES = 8
};

/* Bits of an input or built-in variable in a group of stages; of several groups, what holds in all of them. Not
 * known, or no built-in of that stage: 0. */
uint8_t spb_uniformity_builtin(uint32_t builtin, uint32_t stages);
bool spb_uniformity_knows_builtin(uint32_t builtin); /* the table names it */

/* Result of an extended instruction of GLSL.std.450: enum spb_transfer. */
enum spb_transfer spb_uniformity_glsl(uint32_t instruction);

#endif
