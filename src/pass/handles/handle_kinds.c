/* SPDX-License-Identifier: Apache-2.0 */
/* handle_kinds: opaque types for which the whole handle has to flow, not only an index.
 *
 * Where a dereferenced value flows, resolve-descriptors lets the index of its descriptor flow. For three kinds this
 * is not possible: a combined image-sampler with --combined=split has two indexes, the heap of a samplerBuffer holds
 * another type, and an acceleration structure given by its address has no heap. For these the whole handle flows, as
 * it does for buffers. */
#include "pass/handles/handle_flow.h"

static bool is_candidate(const struct spb_unit *u, uint32_t type)
{
	const struct spb_module *m = &u->m;
	uint32_t op = spb_def_op(m, type);

	if (op == SpvOpTypeAccelerationStructureKHR)
		return u->options->heaps.as_address;
	return op == SpvOpTypeSampledImage &&
	       (u->options->heaps.combined == SPB_COMBINED_SPLIT ||
		spb_descriptor_of(m, SpvStorageClassUniformConstant, type) == SPB_DESCRIPTOR_UTEXBUF);
}

/* Bits over the candidate types to which some handle is dereferenced; NULL: none. */
static uint32_t *find_candidates(struct spb_unit *u, uint32_t import)
{
	const struct spb_module *m = &u->m;
	uint32_t *types = NULL;

	for (uint32_t i = m->first_use[import]; i < m->first_use[import + 1]; i++) {
		spb_at at = m->use[i].at;
		if (!spb_is_opaque_dereference(m, import, at) || !is_candidate(u, m->words[at + 1]))
			continue;
		if (!types)
			types = spb_bits(&m->context->scratch, m->bound);
		spb_set_bit(types, m->words[at + 1]);
	}
	return types;
}

bool spb_is_opaque_dereference(const struct spb_module *m, uint32_t import, spb_at at)
{
	return spb_op(m, at) == SpvOpExtInst && m->words[at + 3] == import && m->words[at + 4] == SPB_HANDLE_OPAQUE &&
	       spb_length(m, at) == 6;
}

uint32_t *spb_carried_kinds(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;
	uint32_t import = spb_import(m, SPB_HANDLE_SET), *types, *flows = NULL;

	if (!import)
		return NULL;
	spb_module_need_uses(&u->m);
	types = find_candidates(u, import);
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; types && at < m->count; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpCopyObject || spb_op(m, at) == SpvOpLoad || spb_is_handle_remark(m, at))
			continue; /* a load from the value itself is a copy, too (lower_handles.c) */
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			uint32_t type = o.kind == SPB_KIND_ID ? spb_type_of(m, m->words[o.word]) : 0;
			if (!type || !spb_bit(types, type) || spb_uses_descriptor(m, (struct spb_use){at, o.word}))
				continue;
			if (!flows)
				flows = spb_bits(&m->context->scratch, m->bound);
			spb_set_bit(flows, type);
		}
	}
	return flows;
}
