/* SPDX-License-Identifier: Apache-2.0 */
/* lower_buffer_clean: after handles are lowered, removes unused types of pointers to buffers, and with the last of them
 * everything that only device addresses need:
 *
 *     OpCapability PhysicalStorageBufferAddresses          (gone)
 *     OpExtension "SPV_KHR_physical_storage_buffer"        (gone)
 *     OpMemoryModel PhysicalStorageBuffer64 GLSL450        OpMemoryModel Logical GLSL450
 *
 * The host then needs the feature bufferDeviceAddress only for modules that really use device addresses. */
#include "pass/handles/handle_flow.h"

static bool is_physical_extension(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpExtension && (!strcmp(spb_string(m, at + 1), "SPV_KHR_physical_storage_buffer") ||
						   !strcmp(spb_string(m, at + 1), "SPV_EXT_physical_storage_buffer"));
}

static void remove_addresses(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;

	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_ENTRY_POINT];
	     at = spb_next(m, at)) {
		if (spb_capability(m, at) == SpvCapabilityPhysicalStorageBufferAddresses ||
		    is_physical_extension(m, at))
			spb_remove(&u->edit, at);
		else if (spb_op(m, at) == SpvOpMemoryModel &&
			 m->words[at + 1] == SpvAddressingModelPhysicalStorageBuffer64)
			spb_patch(&u->edit, at + 1, SpvAddressingModelLogical);
	}
}

static bool is_int64(const struct spb_module *m, uint32_t id)
{
	return id && spb_def_op(m, id) == SpvOpTypeInt && m->words[m->def[id] + 2] == 64;
}

/* References made by way of a uint64 need Int64, which may now be unused. */
static void remove_int64(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->count; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if ((spb_op_is(spb_op(m, at), SPB_OP_HAS_TYPE) && is_int64(m, m->words[at + 1])) ||
		    (is_int64(m, id) && m->first_use[id] != m->first_use[id + 1]))
			return;
	}
	spb_remove_capability(&u->edit, SpvCapabilityInt64);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if (is_int64(m, id))
			spb_remove_id(&u->edit, id);
	}
}

void spb_clean_buffer_pointers(const struct spb_heaps *heaps, const uint32_t *gone)
{
	struct spb_unit *u = heaps->u;
	const struct spb_module *m = &u->m;
	uint32_t *pointers = spb_bits(&m->context->scratch, m->bound);

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_result(m, at) && spb_is_buffer_pointer(m, spb_result(m, at)))
			spb_set_bit(pointers, spb_result(m, at));
	}
	if (!spb_heaps_sweep(heaps, pointers, gone))
		remove_addresses(u);
	if (u->options->handles.lower_buffer_references)
		remove_int64(u);
}
