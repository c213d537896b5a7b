/* SPDX-License-Identifier: Apache-2.0 */
/* own_buffers: storage buffers that passes declare for their run-time counters. */
#include "pass/pass.h"

void spb_place_member(struct spb_unit *u, uint32_t type, uint32_t member, uint32_t offset, const char *name)
{
	struct spb_edit *e = &u->edit;

	spb_add_member_name(e, type, member, name);
	spb_put_note(e, SpvOpMemberDecorate, W(type, member, SpvDecorationOffset, offset));
}

/* SPIR-V 3.3.6, "Mode-Setting Instructions" (OpEntryPoint): from 1.4 on, the interface lists all global variables. */
void spb_list_everywhere(struct spb_unit *u, uint32_t variable)
{
	const struct spb_module *m = &u->m;

	if (spb_version_word(m) < 0x00010400)
		return;
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpEntryPoint)
			spb_interface_add(&u->edit, at, variable);
	}
}

uint32_t spb_add_own_buffer(struct spb_unit *u, uint32_t type, const char *name)
{
	struct spb_edit *e = &u->edit;
	uint32_t pointer = spb_pointer_type(e, SpvStorageClassStorageBuffer, type), id = spb_new_id(e);

	spb_add_decoration(e, type, SpvDecorationBlock, NULL, 0);
	spb_add_global(e, SpvOpVariable, W(pointer, id, SpvStorageClassStorageBuffer));
	spb_add_name(e, type, name);
	spb_add_name(e, id, name);
	spb_list_everywhere(u, id);
	return id;
}
