/* SPDX-License-Identifier: Apache-2.0 */
/* handles: turns dereferences of DescriptorHandles into accesses to heaps, that is, to descriptor arrays whose
 * bindings the layout assigns. This header is for other rooms; the files of this room share heaps.h (heaps),
 * handle_flow.h (handles that flow) and handle_types.h. */
#ifndef SPB_HANDLES_H
#define SPB_HANDLES_H

#include "pass/pass.h"

/* The passes of this room, in order. */

bool spb_pass_normalize_handles(struct spb_unit *u);
bool spb_pass_clone_handle_functions(struct spb_unit *u);
bool spb_pass_carry_handles(struct spb_unit *u);
bool spb_pass_lower_buffer_handles(struct spb_unit *u);
bool spb_pass_lower_handles(struct spb_unit *u);
bool spb_pass_check_heaps(struct spb_unit *u);
bool spb_pass_qualify_heaps(struct spb_unit *u);
bool spb_pass_share_loads(struct spb_unit *u);

bool spb_may_check_heaps(const struct spb_unit *u); /* in the module as parsed */
bool spb_is_instrumented(const struct spb_module *m);

/* normalize_handles.c */

/* Does the preamble allow for handles in any dialect? If not, no pass about handles has work to do. */
bool spb_may_have_handles(const struct spb_unit *u);

/* Checks on every output that no instruction of a handle dialect is left (spirv-val accepts most of them); fails if
 * one is. */
void spb_check_no_handles(const struct spb_module *m);

/* handle_uses.c */

/* Decorations that describe how the memory of a variable is used: Restrict, Aliased, Volatile, Coherent, NonWritable,
 * NonReadable. */
enum { SPB_MEMORY_QUALIFIERS = 6 };
extern const uint32_t spb_memory_qualifiers[SPB_MEMORY_QUALIFIERS];
bool spb_is_memory_qualifier(uint32_t decoration);

/* handle_pointer_uses.c */

/* What --lower-buffer-references finds in the original module. */
struct spb_references {
	bool lowered;           /* a reference is made from a uint2 */
	spb_at address;         /* the first one that is made from another 64-bit number; 0: none */
	uint32_t address_count; /* the number of these */
};

struct spb_references spb_find_references(const struct spb_unit *u);
/* Does the module have references to a block with a name that matches? */
bool spb_has_reference_to(const struct spb_module *m, const char *glob);

#endif
