/* SPDX-License-Identifier: Apache-2.0 */
/* handle_pointer_uses: which instructions make a pointer to a handle's buffer. */
#include "pass/handles/handle_flow.h"

static bool is_pointer_to_buffer(const struct spb_module *m, uint32_t id)
{
	return spb_is_buffer_pointer(m, spb_type_of(m, id));
}

bool spb_is_buffer_dereference(const struct spb_module *m, uint32_t import, spb_at at)
{
	return spb_op(m, at) == SpvOpExtInst && m->words[at + 3] == import &&
	       (m->words[at + 4] == SPB_HANDLE_STORAGE_BUFFER || m->words[at + 4] == SPB_HANDLE_UNIFORM_BUFFER);
}

bool spb_is_int(const struct spb_module *m, uint32_t type, uint32_t width)
{
	return spb_def_op(m, type) == SpvOpTypeInt && m->words[m->def[type] + 2] == width;
}

bool spb_is_int2(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];

	return spb_op(m, at) == SpvOpTypeVector && m->words[at + 3] == 2 && spb_is_int(m, m->words[at + 2], 32);
}

/* Does the caller's option apply to references of this type? */
static bool is_requested(const struct spb_unit *u, uint32_t pointer)
{
	const struct spb_module *m = &u->m;
	const char *names = u->options->handles.buffer_reference_blocks;
	const char *name = spb_id_name(m, m->words[m->def[pointer] + 3]);

	while (names && *names) {
		size_t length = strcspn(names, ",");
		if (spb_glob(spb_copy_text(&m->context->scratch, names, length), name))
			return true;
		names += length + (names[length] == ',');
	}
	return !u->options->handles.buffer_reference_blocks;
}

uint32_t spb_reference_handle(const struct spb_unit *u, spb_at at)
{
	const struct spb_module *m = &u->m;
	uint32_t op = spb_op(m, at), from;

	if (!u->options->handles.lower_buffer_references || (op != SpvOpBitcast && op != SpvOpConvertUToPtr) ||
	    !is_pointer_to_buffer(m, m->words[at + 2]))
		return 0;
	from = m->words[at + 3];
	if (op == SpvOpConvertUToPtr || spb_is_int(m, spb_type_of(m, from), 64)) { /* a uint64 made from a uint2 */
		if (spb_def_op(m, from) != SpvOpBitcast)
			return 0;
		from = m->words[m->def[from] + 3];
	}
	return spb_is_int2(m, spb_type_of(m, from)) && is_requested(u, m->words[at + 1]) ? from : 0;
}

struct spb_references spb_find_references(const struct spb_unit *u)
{
	const struct spb_module *m = &u->m;
	struct spb_references found = {0};

	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if (spb_reference_handle(u, at)) {
			found.lowered = true;
		} else if ((op == SpvOpBitcast || op == SpvOpConvertUToPtr) &&
			   is_pointer_to_buffer(m, m->words[at + 2]) &&
			   spb_is_int(m, spb_type_of(m, m->words[at + 3]), 64) && is_requested(u, m->words[at + 1])) {
			found.address = found.address ? found.address : at;
			found.address_count++;
		}
	}
	return found;
}

bool spb_has_reference_to(const struct spb_module *m, const char *glob)
{
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpTypePointer && spb_is_buffer_pointer(m, m->words[at + 1]) &&
		    spb_glob(glob, spb_id_name(m, m->words[at + 3])))
			return true;
	}
	return false;
}

bool spb_has_buffer_handles(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;
	uint32_t import = spb_import(m, SPB_HANDLE_SET);
	bool references = u->options->handles.lower_buffer_references &&
			  spb_has_capability(m, SpvCapabilityPhysicalStorageBufferAddresses);

	if (import) {
		spb_module_need_uses(&u->m);
		for (uint32_t i = m->first_use[import]; i < m->first_use[import + 1]; i++) {
			if (spb_is_buffer_dereference(m, import, m->use[i].at))
				return true;
		}
	}
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; references && at < m->count; at = spb_next(m, at)) {
		if (spb_reference_handle(u, at))
			return true;
	}
	return false;
}

bool spb_has_carried_handles(struct spb_unit *u, uint32_t **opaque)
{
	*opaque = spb_carried_kinds(u);
	return *opaque || spb_has_buffer_handles(u);
}

enum spb_pointer_use spb_leaf_use(const struct spb_pointer_leaves *l, struct spb_use use)
{
	if (spb_is_buffer_pointer(l->m, spb_type_of(l->m, l->m->words[use.word])))
		return spb_pointer_use(l->m, use);
	if (spb_is_handle_remark(l->m, use.at))
		return SPB_POINTER_REMARK;
	return spb_uses_descriptor(l->m, use) ? SPB_POINTER_READ : SPB_POINTER_FLOWS;
}
