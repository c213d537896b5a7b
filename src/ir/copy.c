/* SPDX-License-Identifier: Apache-2.0 */
/* copy: copies an instruction with its ids mapped, and notes with another target. */
#include "ir/ir.h"

uint32_t *spb_copy_operands(const struct spb_module *m, spb_at at, const uint32_t *map, struct spb_arena *arena)
{
	uint32_t count = spb_length(m, at) - 1, *words = spb_alloc_array(arena, count + 1, sizeof *words);

	memcpy(words, m->words + at + 1, count * sizeof *words);
	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t *word = &words[o.word - at - 1];
		if (spb_operand_is_id(&o) && map[*word])
			*word = map[*word];
	}
	return words;
}

void spb_put_note(struct spb_edit *e, uint32_t op, const uint32_t *operands, uint32_t count)
{
	bool name = op == SpvOpName || op == SpvOpMemberName;

	spb_insert(e, e->m->section[name ? SPB_SECTION_PROCESSED : SPB_SECTION_GLOBAL], op, operands, count);
}

void spb_copy_note(struct spb_edit *e, spb_at note, uint32_t to)
{
	const struct spb_module *m = e->m;
	uint32_t count = spb_length(m, note) - 1, *words = spb_alloc_array(e->arena, count, sizeof *words);

	memcpy(words, m->words + note + 1, count * sizeof *words);
	words[0] = to;
	spb_put_note(e, spb_op(m, note), words, count);
}
