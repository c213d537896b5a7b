/* SPDX-License-Identifier: Apache-2.0 */
/* query: facts about an id, an instruction, a decoration. Reads only. */
#include "ir/ir.h"

uint32_t spb_result(const struct spb_module *m, spb_at at)
{
	uint32_t flags = spb_op_facts(spb_op(m, at))->flags;

	if (!at || !(flags & SPB_OP_HAS_RESULT))
		return 0;
	return m->words[at + (flags & SPB_OP_HAS_TYPE ? 2 : 1)];
}

uint32_t spb_part_type(const struct spb_module *m, uint32_t type, uint64_t index)
{
	spb_at at = m->def[type];

	if (spb_op_is(spb_op(m, at), SPB_OP_ELEMENTS))
		return m->words[at + 2];
	return spb_op(m, at) == SpvOpTypeStruct && index < spb_length(m, at) - 2 ? m->words[at + 2 + index] : 0;
}

bool spb_is_short_string(const struct spb_module *m, spb_at at, uint32_t word)
{
	return spb_next(m, at) - word <= SPB_LONGEST_NAME / 4 + 1;
}

static const char *name_at(const struct spb_module *m, spb_at at)
{
	return at && spb_is_short_string(m, at, at + 2) ? spb_string(m, at + 2) : "";
}

/* Names of members may precede the name of their type, which is looked up for each of its variables. */
static spb_at find_among_many(const struct spb_module *m, uint32_t id)
{
	struct spb_late_names *names = m->late_names;

	if (!names->at) {
		names->at = spb_alloc_zeroed(names->arena, m->bound, sizeof *names->at);
		for (spb_at at = m->section[SPB_SECTION_NAME]; at < m->section[SPB_SECTION_PROCESSED];
		     at = spb_next(m, at)) {
			if (spb_op(m, at) == SpvOpName && !names->at[m->words[at + 1]])
				names->at[m->words[at + 1]] = at;
		}
	}
	return names->at[id];
}

const char *spb_id_name(const struct spb_module *m, uint32_t id)
{
	enum { FEW_NOTES = 16 };
	uint32_t low = m->first_note[id], high = m->first_note[id + 1];

	while (low < high) { /* entry points come first and may be numerous */
		uint32_t middle = low + (high - low) / 2;
		if (m->note[middle].at < m->section[SPB_SECTION_NAME])
			low = middle + 1;
		else
			high = middle;
	}
	for (uint32_t i = low; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		if (at >= m->section[SPB_SECTION_PROCESSED])
			break;
		if (spb_op(m, at) == SpvOpName)
			return name_at(m, at);
		if (i - low == FEW_NOTES)
			return name_at(m, find_among_many(m, id));
	}
	return "";
}

uint32_t spb_capability(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpCapability ? m->words[at + 1] : UINT32_MAX;
}

bool spb_has_capability(const struct spb_module *m, uint32_t capability)
{
	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_EXTENSION];
	     at = spb_next(m, at)) {
		if (spb_capability(m, at) == capability)
			return true;
	}
	return false;
}

spb_at spb_memory_model(const struct spb_module *m)
{
	spb_at at = m->section[SPB_SECTION_MEMORY_MODEL];

	while (at < m->section[SPB_SECTION_ENTRY_POINT] && spb_op(m, at) != SpvOpMemoryModel)
		at = spb_next(m, at);
	return at < m->section[SPB_SECTION_ENTRY_POINT] ? at : 0;
}

/* VulkanMemoryModel allows the scope Device only with another capability. */
uint32_t spb_device_scope(const struct spb_module *m)
{
	const spb_at at = spb_memory_model(m);

	return at && m->words[at + 2] == SpvMemoryModelVulkan ? SpvScopeQueueFamily : SpvScopeDevice;
}

bool spb_has_extension(const struct spb_module *m, const char *name)
{
	for (spb_at at = m->section[SPB_SECTION_EXTENSION]; at < m->section[SPB_SECTION_IMPORT]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtension && !strcmp(spb_string(m, at + 1), name))
			return true;
	}
	return false;
}

uint32_t spb_import(const struct spb_module *m, const char *set)
{
	for (spb_at at = m->section[SPB_SECTION_IMPORT]; at < m->section[SPB_SECTION_MEMORY_MODEL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtInstImport && !strcmp(spb_string(m, at + 2), set))
			return m->words[at + 1];
	}
	return 0;
}

spb_at spb_find_remark(const struct spb_module *m, const char *begin)
{
	return spb_next_remark(m, 0, begin);
}

spb_at spb_next_remark(const struct spb_module *m, spb_at after, const char *begin)
{
	static const enum spb_section sections[] = {SPB_SECTION_SOURCE, SPB_SECTION_PROCESSED};

	for (size_t i = 0; i < SPB_COUNT(sections); i++) {
		spb_at at = m->section[sections[i]], end = m->section[sections[i] + 1];
		if (after >= at)
			at = after < end ? spb_next(m, after) : end;
		for (; at < end; at = spb_next(m, at)) {
			uint32_t op = spb_op(m, at);
			if ((op == SpvOpModuleProcessed || op == SpvOpSourceExtension) &&
			    !strncmp(spb_string(m, at + 1), begin, strlen(begin)))
				return at;
		}
	}
	return 0;
}

bool spb_is_non_semantic(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);
	spb_at set = op == SpvOpExtInst || op == OpExtInstWithForwardRefsKHR ? m->def[m->words[at + 3]] : 0;

	return spb_op(m, set) == SpvOpExtInstImport && spb_is_non_semantic_set(spb_string(m, set + 2));
}

uint32_t spb_debug_info(const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_IMPORT]; at < m->section[SPB_SECTION_MEMORY_MODEL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtInstImport && spb_is_debug_info(spb_string(m, at + 2)))
			return m->words[at + 1];
	}
	return 0;
}

uint32_t spb_debug_set(const struct spb_module *m)
{
	uint32_t set = spb_debug_info(m);

	return set || !m->has_literals ? set : spb_import(m, "OpenCL.DebugInfo.100");
}

/* The last one, as in the walk below. */
static uint32_t find_decorated(const struct spb_module *m, uint32_t id, uint32_t decoration)
{
	uint32_t low = 0, high = m->decorated_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct spb_decorated *d = &m->decorated[middle];
		if (d->id < id || (d->id == id && d->decoration <= decoration))
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || m->decorated[low - 1].id != id || m->decorated[low - 1].decoration != decoration)
		return 0;
	return m->decorated[low - 1].at + 3;
}

uint32_t spb_decoration(const struct spb_module *m, uint32_t id, uint32_t decoration)
{
	if (m->first_note[id + 1] - m->first_note[id] > SPB_MANY_NOTES)
		return find_decorated(m, id, decoration);
	for (uint32_t i = m->first_note[id + 1]; i > m->first_note[id]; i--) { /* decorations are the last notes */
		spb_at at = m->note[i - 1].at;
		if (at < m->section[SPB_SECTION_ANNOTATION])
			break;
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 1] == id && m->words[at + 2] == decoration)
			return at + 3;
	}
	return 0;
}

bool spb_spec_value_of(const struct spb_module *m, uint32_t id, uint64_t *value)
{
	uint32_t spec = m->spec_value_count ? spb_decoration(m, id, SpvDecorationSpecId) : 0;
	uint32_t low = 0, high = m->spec_value_count;

	if (!spec)
		return false;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (m->spec_value[middle].id < m->words[spec])
			low = middle + 1;
		else
			high = middle;
	}
	if (low == m->spec_value_count || m->spec_value[low].id != m->words[spec])
		return false;
	*value = m->spec_value[low].value;
	return true;
}

bool spb_constant_value(const struct spb_module *m, uint32_t id, uint64_t *value)
{
	spb_at at = m->def[id];

	if (spb_op(m, at) != SpvOpConstant && spb_op(m, at) != SpvOpSpecConstant)
		return false;
	if (spb_def_op(m, m->words[at + 1]) != SpvOpTypeInt)
		return false;
	if (spb_op(m, at) == SpvOpSpecConstant && spb_spec_value_of(m, id, value)) {
		uint32_t width = m->words[m->def[m->words[at + 1]] + 2];
		if (width < 64)
			*value &= ((uint64_t)1 << width) - 1;
		return true;
	}
	*value = m->words[at + 3];
	if (spb_length(m, at) > 4)
		*value |= (uint64_t)m->words[at + 4] << 32;
	return true;
}

const struct spb_function *spb_function_around(const struct spb_module *m, spb_at at)
{
	uint32_t low = 0, high = m->function_count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (m->function[middle].end < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < m->function_count && m->function[low].at <= at ? &m->function[low] : NULL;
}

spb_at spb_next_parameter(const struct spb_module *m, spb_at at)
{
	uint32_t op;

	do {
		at = spb_next(m, at);
		op = spb_op(m, at);
	} while (op != SpvOpFunctionParameter && op != SpvOpLabel && op != SpvOpFunctionEnd);
	return at;
}

uint32_t *spb_bits(struct spb_arena *arena, uint32_t count)
{
	return spb_alloc_zeroed(arena, count / 32 + 1, sizeof(uint32_t));
}
