/* SPDX-License-Identifier: Apache-2.0 */
/* expand-groups: replaces decoration groups by plain decorations, so that later passes never meet a group.
 *
 *     OpDecorate %group NonUniform                 (gone)
 *     %group = OpDecorationGroup                   (gone)
 *     OpGroupDecorate %group %a %b                 OpDecorate %a NonUniform
 *                                                  OpDecorate %b NonUniform
 *     OpGroupMemberDecorate %group %s 1            OpMemberDecorate %s 1 …
 *
 * Groups are deprecated (SPIR-V 3.3.8, "Annotation Instructions") and ignored by several drivers. The decorations of a
 * group precede it. Refused: an id of a group that is used elsewhere than in OpGroup… instructions
 * (SPB_E_DECORATION_GROUP). */
#include "pass/pass.h"

static uint32_t member_op(const struct spb_module *m, spb_at at)
{
	switch (spb_op(m, at)) {
	case SpvOpDecorate:
		return SpvOpMemberDecorate;
	case SpvOpDecorateString:
		return SpvOpMemberDecorateString;
	default:
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_DECORATION_GROUP, at,
			 "%s in a decoration group cannot be applied to a member", spb_word_of(m, at));
	}
}

/* Applies the decorations of `group` to `target` (or to one of its members). If a decoration names the group other than
 * as its target, the module is refused when the group is removed. */
static void give(struct spb_unit *u, spb_at at, uint32_t group, uint32_t target, const uint32_t *member)
{
	const struct spb_module *m = &u->m;

	for (uint32_t i = m->first_note[group]; i < m->first_note[group + 1]; i++) {
		spb_at from = m->note[i].at;
		uint32_t op = spb_op(m, from), length = spb_length(m, from);
		if (op != SpvOpDecorate && op != SpvOpDecorateId && op != SpvOpDecorateString)
			continue;
		uint32_t *words = spb_alloc_array(&m->context->scratch, length, sizeof *words);
		uint32_t n = 0;
		words[n++] = target;
		if (member)
			words[n++] = *member;
		for (uint32_t w = from + 2; w < from + length; w++)
			words[n++] = m->words[w];
		if (u->edit.pool.count > 4 * (size_t)m->count + 65536)
			spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_DECORATION_GROUP, at,
				 "expanding the decoration groups would make the module more than five times as "
				 "large" SPB_REMEDY "Decorate the ids directly.");
		spb_insert(&u->edit, at, member ? member_op(m, from) : op, words, n);
	}
}

static uint32_t group_of(const struct spb_module *m, spb_at at)
{
	uint32_t group = m->words[at + 1];

	if (spb_def_op(m, group) != SpvOpDecorationGroup)
		spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_DECORATION_GROUP, at, "%%%u is not an OpDecorationGroup",
			 group);
	return group;
}

/* A group may be named only in annotations; any other use would be left without a definition. */
static void refuse_other_uses(const struct spb_module *m, uint32_t group)
{
	if (m->first_use[group] != m->first_use[group + 1])
		spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_DECORATION_GROUP, m->use[m->first_use[group]].at,
			 "the decoration group %%%u is used as a value", group);
}

bool spb_pass_expand_groups(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	bool changed = false;

	spb_module_need_uses(m);
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at), end = at + spb_length(m, at);
		if (op != SpvOpDecorationGroup && op != SpvOpGroupDecorate && op != SpvOpGroupMemberDecorate)
			continue;
		changed = true;
		spb_remove(&u->edit, at);
		if (op == SpvOpDecorationGroup) {
			refuse_other_uses(m, m->words[at + 1]);
			spb_remove_notes(&u->edit, m->words[at + 1]);
		} else if (op == SpvOpGroupDecorate) {
			for (uint32_t w = at + 2; w < end; w++)
				give(u, at, group_of(m, at), m->words[w], NULL);
		} else {
			for (uint32_t w = at + 2; w < end; w += 2)
				give(u, at, group_of(m, at), m->words[w], &m->words[w + 1]);
		}
	}
	return changed;
}
