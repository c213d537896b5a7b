/* SPDX-License-Identifier: Apache-2.0 */
/* build: types, found or made.
 *
 * New globals go to the end of the GLOBAL section, where everything they are made of already stands; so far
 * only functions and new variables need them. Pointer types may be declared twice
 * (SPIR-V 2.8), but one that exists is used. */
#include "ir/ir.h"

uint32_t spb_pointer_type(struct spb_edit *e, uint32_t storage_class, uint32_t pointee)
{
	const struct spb_module *m = e->m;

	if (pointee < m->bound) {
		for (uint32_t i = m->first_use[pointee]; i < m->first_use[pointee + 1]; i++) {
			spb_at at = m->use[i].at;
			if (at >= m->section[SPB_SECTION_FUNCTION])
				break;
			if (spb_op(m, at) == SpvOpTypePointer && m->words[at + 2] == storage_class &&
			    m->first_note[m->words[at + 1]] == m->first_note[m->words[at + 1] + 1])
				return m->words[at + 1];
		}
	}
	uint32_t id = spb_new_id(e);
	spb_add_global(e, SpvOpTypePointer, W(id, storage_class, pointee));
	return id;
}
