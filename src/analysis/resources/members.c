/* SPDX-License-Identifier: Apache-2.0 */
/* members: compares two blocks of the same name, member by member: is one a prefix of the other? */
#include "analysis/resources/resources.h"

struct member {
	uint64_t hash; /* of the type and the decorations that place it */
	uint32_t offset;
	const char *name;
};

struct members {
	struct member *items;
	uint32_t count;
	spb_at at; /* OpTypeStruct */
};

static bool places(uint32_t decoration)
{
	return decoration == SpvDecorationOffset || decoration == SpvDecorationMatrixStride ||
	       decoration == SpvDecorationRowMajor;
}

/* One walk over the notes of the struct. */
static struct members read_members(const struct spb_module *m, uint32_t type, const uint64_t *hashes,
				   struct spb_arena *arena)
{
	struct members list = {.at = m->def[type]};

	list.count = spb_length(m, list.at) - 2;
	list.items = spb_alloc_array(arena, list.count, sizeof *list.items);
	for (uint32_t i = 0; i < list.count; i++)
		list.items[i] = (struct member){hashes[m->words[list.at + 2 + i]], 0, ""};
	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		spb_at at = m->note[i].at;
		const uint32_t *w = m->words + at;
		uint32_t op = spb_op(m, at);
		if ((op != SpvOpMemberDecorate && op != SpvOpMemberName) || w[2] >= list.count)
			continue;
		struct member *member = &list.items[w[2]];
		if (op == SpvOpMemberName) {
			member->name = spb_string(m, at + 3);
			continue;
		}
		if (w[3] == SpvDecorationOffset)
			member->offset = w[4];
		if (places(w[3]))
			member->hash += spb_hash_bytes(3, w + 3, (spb_length(m, at) - 3) * sizeof *w);
	}
	return list;
}

/* "float", "float4", "float4x4", "float4[3]", "struct Light" */
static void put_type(struct spb_text_buffer *text, const struct spb_module *m, uint32_t type)
{
	SPB_LIST(uint32_t) arrays = {0};
	spb_at at = m->def[type];
	uint64_t length;

	while (spb_array_element(m, type) && arrays.count < 8) {
		SPB_PUSH(text->arena, &arrays, type);
		type = spb_array_element(m, type);
		at = m->def[type];
	}
	const uint32_t *w = m->words + at;
	if (spb_op(m, at) == SpvOpTypeStruct && *spb_id_name(m, type))
		spb_text_format(text, "struct %s", spb_id_name(m, type));
	else if (spb_op(m, at) == SpvOpTypeStruct)
		spb_text_put(text, "a struct");
	else if (spb_op(m, at) == SpvOpTypeVector)
		spb_text_format(text, "%s%u", spb_component_name(m, w[2]), w[3]);
	else if (spb_op(m, at) == SpvOpTypeMatrix && spb_def_op(m, w[2]) == SpvOpTypeVector)
		spb_text_format(text, "%s%ux%u", spb_component_name(m, m->words[m->def[w[2]] + 2]),
				m->words[m->def[w[2]] + 3], w[3]);
	else if (spb_op(m, at) == SpvOpTypePointer)
		spb_text_put(text, "a pointer");
	else
		spb_text_put(text, spb_component_name(m, type));
	for (size_t i = 0; i < arrays.count; i++) {
		at = m->def[arrays.items[i]];
		if (spb_op(m, at) == SpvOpTypeArray && spb_constant_value(m, m->words[at + 3], &length))
			spb_text_format(text, "[%u]", (unsigned)length);
		else
			spb_text_put(text, "[]");
	}
}

static void put_member(struct spb_text_buffer *text, const struct spb_module *m, const struct members *list, uint32_t i)
{
	spb_text_format(text, "\"%s\" (", list->items[i].name);
	put_type(text, m, m->words[list->at + 2 + i]);
	spb_text_format(text, ") at offset %u", list->items[i].offset);
}

const char *spb_differing_member(const struct spb_module *a, uint32_t type_a, const uint64_t *hashes_a,
				 const struct spb_module *b, uint32_t type_b, const uint64_t *hashes_b,
				 struct spb_arena *arena)
{
	struct members x = read_members(a, type_a, hashes_a, arena), y = read_members(b, type_b, hashes_b, arena);
	struct spb_text_buffer text = {.arena = arena};

	for (uint32_t i = 0; i < x.count && i < y.count; i++) {
		if (x.items[i].hash == y.items[i].hash)
			continue;
		spb_text_format(&text, "member %u is ", i);
		put_member(&text, a, &x, i);
		spb_text_put(&text, " here, but ");
		put_member(&text, b, &y, i);
		spb_text_format(&text, " in %s", b->name);
		return spb_text_end(&text);
	}
	return NULL;
}

struct spb_typed_member *spb_typed_members(const struct spb_module *m, uint32_t type, const uint64_t *hashes,
					   struct spb_arena *arena, uint32_t *count)
{
	struct members list = read_members(m, type, hashes, arena);
	struct spb_typed_member *members = spb_alloc_array(arena, list.count, sizeof *members);

	for (uint32_t i = 0; i < list.count; i++) {
		struct spb_text_buffer text = {.arena = arena};
		put_type(&text, m, m->words[list.at + 2 + i]);
		members[i] = (struct spb_typed_member){list.items[i].hash, list.items[i].name, spb_text_end(&text),
						       list.items[i].offset};
	}
	*count = list.count;
	return members;
}
