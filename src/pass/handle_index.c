/* SPDX-License-Identifier: Apache-2.0 */
/* handle_index: from a DescriptorHandle to the index of a descriptor in its heap.
 *
 *     %x = OpCompositeExtract %uint %handle 0
 *
 * The index of a handle that is a constant stays one. */
#include "pass/heaps.h"

void spb_check_handle_type(const struct spb_module *m, spb_at at, uint32_t handle)
{
	spb_at type = m->def[spb_type_of(m, handle)];
	spb_at part = spb_op(m, type) == SpvOpTypeVector ? m->def[m->words[type + 2]] : 0;

	if (!part || m->words[type + 3] != 2 || spb_op(m, part) != SpvOpTypeInt || m->words[part + 2] != 32)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_TYPE, at,
			 "%s is dereferenced as a DescriptorHandle, but it is no vector of two 32-bit integers (uvec2, "
			 "uint2)",
			 spb_label(&m->context->scratch, m, handle));
}

uint32_t spb_put_handle_index(struct spb_heaps *h, uint32_t at, uint32_t heap, uint32_t handle, uint32_t component,
			      bool marked, bool *constant)
{
	const struct spb_module *m = &h->u->m;
	struct spb_edit *e = &h->u->edit;
	spb_at def = m->def[handle];
	spb_at vector = m->def[spb_type_of(m, handle)];

	*constant = spb_op(m, def) == SpvOpConstantComposite || spb_op(m, def) == SpvOpSpecConstantComposite;
	if (*constant)
		return m->words[def + 3 + component];
	uint32_t index = spb_new_id(e);
	spb_insert(e, at, SpvOpCompositeExtract, W(m->words[vector + 2], index, handle, component));
	h->dynamic[h->list.items[heap].kind] = true;
	if (marked)
		spb_add_decoration(e, index, SpvDecorationNonUniform, NULL, 0);
	return index;
}
