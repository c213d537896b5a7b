/* SPDX-License-Identifier: Apache-2.0 */
/* build: finds or creates types.
 *
 * New globals go to the end of the GLOBAL section, after everything they depend on; so far only functions and new
 * variables need them. Pointer types may be declared twice (SPIR-V 2.8, "Types and Variables"), but an existing one is
 * reused. */
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

/* Non-aggregate types must not be declared twice (SPIR-V 2.8, "Types and Variables"). */
uint32_t spb_basic_type(struct spb_edit *e, uint32_t op, const uint32_t *operands, uint32_t count)
{
	const struct spb_module *m = e->m;
	uint32_t words[8]; /* OpTypeImage has seven operands */

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == op && spb_length(m, at) == count + 2 &&
		    (!count || !memcmp(m->words + at + 2, operands, count * sizeof *operands)))
			return m->words[at + 1];
	}
	assert(count < SPB_COUNT(words));
	words[0] = spb_new_id(e);
	for (uint32_t i = 0; i < count; i++)
		words[i + 1] = operands[i];
	spb_add_global(e, op, words, count + 1);
	return words[0];
}

/* VulkanMemoryModel allows the scope Device with a capability of its own only. */
uint32_t spb_device_scope(const struct spb_module *m)
{
	bool is_vulkan = m->words[m->section[SPB_SECTION_MEMORY_MODEL] + 2] == SpvMemoryModelVulkan;

	return is_vulkan ? SpvScopeQueueFamily : SpvScopeDevice;
}
