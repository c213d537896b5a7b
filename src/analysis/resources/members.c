/* SPDX-License-Identifier: Apache-2.0 */
/* members: the members of a block, to compare two blocks with the same name. Blocks are compatible if one is a prefix
 * of the other. */
#include "analysis/resources/resources.h"

static bool places(uint32_t decoration)
{
	return decoration == SpvDecorationOffset || decoration == SpvDecorationMatrixStride ||
	       decoration == SpvDecorationRowMajor;
}

/* "float", "float4", "float4x4", "float4[3]", "struct Light" */
static const char *type_text(const struct spb_module *m, uint32_t type, struct spb_arena *arena)
{
	struct spb_text_buffer text = {.arena = arena};
	SPB_LIST(uint32_t) arrays = {0};
	spb_at at = m->def[type];
	uint64_t length;

	while (spb_array_element(m, type) && arrays.count < 8) {
		SPB_PUSH(arena, &arrays, type);
		type = spb_array_element(m, type);
		at = m->def[type];
	}
	const uint32_t *w = m->words + at;
	if (spb_op(m, at) == SpvOpTypeStruct && *spb_id_name(m, type))
		spb_text_format(&text, "struct %s", spb_id_name(m, type));
	else if (spb_op(m, at) == SpvOpTypeStruct)
		spb_text_put(&text, "a struct");
	else if (spb_op(m, at) == SpvOpTypeVector)
		spb_text_format(&text, "%s%u", spb_component_name(m, w[2]), w[3]);
	else if (spb_op(m, at) == SpvOpTypeMatrix && spb_def_op(m, w[2]) == SpvOpTypeVector)
		spb_text_format(&text, "%s%ux%u", spb_component_name(m, m->words[m->def[w[2]] + 2]),
				m->words[m->def[w[2]] + 3], w[3]);
	else if (spb_op(m, at) == SpvOpTypePointer)
		spb_text_put(&text, "a pointer");
	else
		spb_text_put(&text, spb_component_name(m, type));
	for (size_t i = 0; i < arrays.count; i++) {
		at = m->def[arrays.items[i]];
		if (spb_op(m, at) == SpvOpTypeArray && spb_constant_value(m, m->words[at + 3], &length))
			spb_text_format(&text, "[%u]", (unsigned)length);
		else
			spb_text_put(&text, "[]");
	}
	return spb_text_end(&text);
}

struct spb_typed_member *spb_typed_members(const struct spb_module *m, uint32_t type, const uint64_t *hashes,
					   struct spb_arena *arena, uint32_t *count)
{
	const spb_at definition = m->def[type];
	struct spb_typed_member *members;

	*count = spb_length(m, definition) - 2;
	members = spb_alloc_array(arena, *count, sizeof *members);
	for (uint32_t i = 0; i < *count; i++) {
		uint32_t of = m->words[definition + 2 + i];
		members[i] = (struct spb_typed_member){.hash = hashes[of], .name = "", .type = type_text(m, of, arena)};
	}
	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		spb_at at = m->note[i].at;
		const uint32_t *w = m->words + at;
		uint32_t op = spb_op(m, at);
		if ((op != SpvOpMemberDecorate && op != SpvOpMemberName) || w[2] >= *count)
			continue;
		struct spb_typed_member *member = &members[w[2]];
		if (op == SpvOpMemberName) {
			member->name = spb_string(m, at + 3);
			continue;
		}
		if (w[3] == SpvDecorationOffset)
			member->offset = w[4];
		if (places(w[3]))
			member->hash += spb_hash_bytes(3, w + 3, (spb_length(m, at) - 3) * sizeof *w);
	}
	return members;
}

uint32_t spb_differing_member(const struct spb_typed_member *a, const struct spb_typed_member *b, uint32_t count)
{
	uint32_t i = 0;

	while (i < count && a[i].hash == b[i].hash)
		i++;
	return i;
}
