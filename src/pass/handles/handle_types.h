/* SPDX-License-Identifier: Apache-2.0 */
/* handle_types: types and constants in which some pointers to buffers have become handles.
 *
 *     %p = OpTypePointer PhysicalStorageBuffer %block     %v2uint
 *     %s = OpTypeStruct %p %uint %p                       with leaf 0 alone of handles: OpTypeStruct %v2uint %uint %p
 *
 * `handles`: bit k, the k-th leaf is one. */
#ifndef SPB_HANDLE_TYPES_H
#define SPB_HANDLE_TYPES_H

#include "pass/handles/handle_flow.h"

struct spb_retyped {
	uint64_t handles;
	uint32_t id, next; /* of the same original, + 1 */
};

struct spb_retyper {
	struct spb_handle_flow *f;
	struct spb_edit *e;
	uint32_t uint2, bool2; /* 0: not asked for yet */
	uint32_t *first;       /* [bound] of a type or constant: into list, + 1 */
	SPB_LIST(struct spb_retyped) list;
	uint32_t *slots, slot_mask; /* function types, by what they consist of: into functions, + 1 */
	struct {
		struct {
			const uint32_t *words; /* result, parameters */
			uint32_t count, id;
		} * items;
		size_t count, capacity;
	} functions;
};

void spb_retyper_begin(struct spb_retyper *r, struct spb_handle_flow *f, struct spb_edit *e);
uint32_t spb_uint2_type(struct spb_retyper *r);
uint32_t spb_bool2_type(struct spb_retyper *r);
uint32_t spb_retype(struct spb_retyper *r, uint32_t type, uint64_t handles);
uint32_t spb_retype_constant(struct spb_retyper *r, uint32_t constant, uint64_t handles);
uint32_t spb_retype_function(struct spb_retyper *r, const uint32_t *words, uint32_t count); /* result, parameters */

#endif
