/* SPDX-License-Identifier: Apache-2.0 */
/* handle_values: a DescriptorHandle is a vector of two 32-bit integers. Shared by all rooms that deal with handles. */
#include "pass/pass.h"

static bool is_word(const struct spb_module *m, uint32_t type)
{
	return spb_def_op(m, type) == SpvOpTypeInt && m->words[m->def[type] + 2] == 32;
}

bool spb_is_handle_type(const struct spb_module *m, uint32_t type)
{
	const spb_at at = m->def[type];

	return spb_op(m, at) == SpvOpTypeVector && m->words[at + 3] == 2 && is_word(m, m->words[at + 2]);
}

void spb_check_handle_type(const struct spb_module *m, spb_at at, uint32_t handle)
{
	if (!spb_is_handle_type(m, spb_type_of(m, handle)))
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_TYPE, at,
			 "%s is dereferenced as a DescriptorHandle, but is not a vector of two 32-bit integers (uvec2, "
			 "uint2)",
			 spb_label(&m->context->scratch, m, handle));
}

uint32_t spb_put_uint2(struct spb_unit *u, uint32_t at, uint32_t handle, uint32_t uint2)
{
	if (spb_type_of(&u->m, handle) == uint2)
		return handle;
	uint32_t same = spb_new_id(&u->edit);
	spb_insert(&u->edit, at, SpvOpBitcast, W(uint2, same, handle));
	return same;
}
