/* SPDX-License-Identifier: Apache-2.0 */
/* handle_types: types and constants in which some pointers to buffers have become handles.
 *
 *     %p = OpTypePointer PhysicalStorageBuffer %block     %v2uint
 *     %s = OpTypeStruct %p %uint %p                       with leaf 0 alone a handle: OpTypeStruct %v2uint %uint %p
 *
 * In `handles`, bit k is set if leaf k is a handle. */
#ifndef SPB_HANDLE_TYPES_H
#define SPB_HANDLE_TYPES_H

#include "pass/handles/handle_flow.h"

struct spb_retyped {
	uint64_t handles;
	uint32_t id, next; /* next one of the same original, + 1 */
};

struct spb_retyper {
	struct spb_handle_flow *f;
	struct spb_edit *e;
	uint32_t *first; /* [bound] type or constant -> its first entry in `list`, + 1 */
	SPB_LIST(struct spb_retyped) list;
};

void spb_retyper_begin(struct spb_retyper *r, struct spb_handle_flow *f, struct spb_edit *e);
uint32_t spb_retype(struct spb_retyper *r, uint32_t type, uint64_t handles);
uint32_t spb_retype_constant(struct spb_retyper *r, uint32_t constant, uint64_t handles);

#endif
