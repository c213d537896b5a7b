/* SPDX-License-Identifier: Apache-2.0 */
/* handle_types: types and constants in which some pointers to buffers have become handles. Each is created once per set
 * of leaves. Recursion is bounded by the depth limit of handle_leaves. */
#include "pass/handles/handle_types.h"

void spb_retyper_begin(struct spb_retyper *r, struct spb_handle_flow *f, struct spb_edit *e)
{
	*r = (struct spb_retyper){.f = f, .e = e};
	r->first = spb_alloc_zeroed(f->arena, f->m->bound, sizeof *r->first);
}

static uint32_t find(const struct spb_retyper *r, uint32_t original, uint64_t handles)
{
	uint32_t i = r->first[original];

	while (i && r->list.items[i - 1].handles != handles)
		i = r->list.items[i - 1].next;
	return i ? r->list.items[i - 1].id : 0;
}

static uint32_t remember(struct spb_retyper *r, uint32_t original, uint64_t handles, uint32_t id)
{
	SPB_PUSH(r->f->arena, &r->list, ((struct spb_retyped){handles, id, r->first[original]}));
	r->first[original] = (uint32_t)r->list.count;
	return id;
}

static uint64_t part(uint64_t handles, uint32_t first, uint32_t count)
{
	return count ? handles >> first & UINT64_MAX >> (64 - count) : 0;
}

static bool says_of_pointer(uint32_t decoration)
{
	return decoration == SpvDecorationRestrictPointer || decoration == SpvDecorationAliasedPointer;
}

/* Copies names and decorations, except those that apply to the pointers themselves. */
static void copy_notes(struct spb_retyper *r, uint32_t type, uint32_t id)
{
	const struct spb_module *m = r->f->m;

	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		spb_at at = m->note[i].at;
		uint32_t op = spb_op(m, at);
		bool name = op == SpvOpName || op == SpvOpMemberName, member = op == SpvOpMemberDecorate;
		if ((!name && !member && op != SpvOpDecorate) || (member && says_of_pointer(m->words[at + 3])))
			continue;
		spb_copy_note(r->e, at, id);
	}
}

static uint32_t retype_struct(struct spb_retyper *r, uint32_t type, uint64_t handles)
{
	const struct spb_module *m = r->f->m;
	spb_at at = m->def[type];
	uint32_t count = spb_length(m, at) - 1;
	uint32_t *words = spb_alloc_array(r->f->arena, count, sizeof *words);

	for (uint32_t i = 1; i < count; i++) {
		uint32_t first = 0, member = spb_leaf_part(&r->f->leaves, type, i - 1, &first);
		words[i] = spb_retype(r, member, part(handles, first, r->f->leaves.of_type[member]));
	}
	words[0] = spb_new_id(r->e);
	spb_add_global(r->e, SpvOpTypeStruct, words, count);
	copy_notes(r, type, words[0]);
	return words[0];
}

uint32_t spb_retype(struct spb_retyper *r, uint32_t type, uint64_t handles)
{
	const struct spb_module *m = r->f->m;
	spb_at at = m->def[type];
	uint32_t id, inner;

	if (!handles)
		return type;
	if (spb_is_leaf(&r->f->leaves, type))
		return spb_uint2_type(r->e);
	id = find(r, type, handles);
	if (id)
		return id;
	switch (spb_op(m, at)) {
	case SpvOpTypePointer:
		id = spb_pointer_type(r->e, m->words[at + 2], spb_retype(r, m->words[at + 3], handles));
		break;
	case SpvOpTypeArray:
		inner = spb_retype(r, m->words[at + 2], handles);
		id = spb_new_id(r->e);
		spb_add_global(r->e, SpvOpTypeArray, W(id, inner, m->words[at + 3]));
		copy_notes(r, type, id);
		break;
	default:
		assert(spb_op(m, at) == SpvOpTypeStruct);
		id = retype_struct(r, type, handles);
		break;
	}
	return remember(r, type, handles, id);
}

uint32_t spb_retype_constant(struct spb_retyper *r, uint32_t constant, uint64_t handles)
{
	const struct spb_module *m = r->f->m;
	spb_at at = m->def[constant];
	uint32_t id = find(r, constant, handles), type = m->words[at + 1], count = spb_length(m, at) - 1;

	if (!handles)
		return constant;
	if (id)
		return id;
	uint32_t *words = spb_alloc_array(r->f->arena, count, sizeof *words);
	if (spb_op(m, at) != SpvOpConstantNull && spb_op(m, at) != SpvOpUndef &&
	    spb_op(m, at) != SpvOpConstantComposite)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_FLOW, at,
			 "%s contains pointers to buffers that have to become handles, which only OpConstantNull, "
			 "OpUndef and OpConstantComposite support" SPB_REMEDY "Use one of these.",
			 spb_label(r->f->arena, m, constant));
	for (uint32_t i = 2; i < count; i++) {
		uint32_t first = 0, member = spb_leaf_part(&r->f->leaves, type, i - 2, &first),
			 id_of_member = m->words[at + 1 + i];
		bool fits = member && spb_type_of(m, id_of_member) == member;
		words[i] =
		    spb_retype_constant(r, id_of_member, part(handles, first, fits ? r->f->leaves.of_type[member] : 0));
	}
	words[0] = spb_retype(r, type, handles);
	words[1] = spb_new_id(r->e);
	spb_add_global(r->e, spb_op(m, at), words, count);
	return remember(r, constant, handles, words[1]);
}
