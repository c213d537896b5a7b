/* SPDX-License-Identifier: Apache-2.0 */
/* shape_put: keeps, drops or replaces the instructions of a function in place, or copies them into a new function with
 * new ids. */
#include "pass/shapes/shape.h"

/* Emits an instruction into the function being written. */
void spb_put(struct rewriter *r, uint32_t op, const uint32_t *operands, uint32_t count)
{
	if (r->late) {
		SPB_PUSH(r->p->arena, &r->p->writer.late, (count + 1) << 16 | op);
		for (uint32_t i = 0; i < count; i++)
			SPB_PUSH(r->p->arena, &r->p->writer.late, operands[i]);
		return;
	}
	spb_insert(r->p->e, r->clone ? r->p->m->count : r->at, op, operands, count);
}

uint32_t spb_mapped(const struct rewriter *r, uint32_t id)
{
	return r->p->writer.map[id] ? r->p->writer.map[id] : id;
}

void spb_map_id(struct rewriter *r, uint32_t id, uint32_t to)
{
	if (!r->p->writer.map[id])
		SPB_PUSH(r->p->arena, &r->p->writer.touched, id);
	r->p->writer.map[id] = to;
}

/* Copies names and decorations of an original id to the one that replaces it elsewhere. */
static void copy_notes(struct rewriter *r, uint32_t id, bool retyped)
{
	const struct spb_module *m = r->p->m;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		uint32_t op = spb_op(m, at);
		if (m->words[at + 1] != id ||
		    (op != SpvOpName && op != SpvOpDecorate && op != SpvOpDecorateId && op != SpvOpDecorateString))
			continue;
		if (retyped && op != SpvOpName && m->words[at + 2] != SpvDecorationNonUniform)
			continue;
		spb_copy_note(r->p->e, at, spb_mapped(r, id));
	}
}

/* Decorations of a descriptor, except names and NonUniform, do not apply to an index. */
static void drop_decorations(struct rewriter *r, uint32_t id)
{
	const struct spb_module *m = r->p->m;

	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		uint32_t op = spb_op(m, at);
		if (m->words[at + 1] == id && (op == SpvOpDecorate || op == SpvOpDecorateId) &&
		    m->words[at + 2] != SpvDecorationNonUniform)
			spb_remove(r->p->e, at);
	}
}

/* Drops the instruction. Its names and decorations stay if its id lives on as something else. */
void spb_drop(struct rewriter *r, bool with_notes)
{
	uint32_t id = spb_result(r->p->m, r->at);

	if (r->clone)
		return;
	spb_remove(r->p->e, r->at);
	if (with_notes && id)
		spb_remove_notes(r->p->e, id);
}

void spb_keep_notes(struct rewriter *r, uint32_t id, bool retyped)
{
	if (r->clone)
		copy_notes(r, id, retyped);
	else if (retyped)
		drop_decorations(r, id);
}

/* Keeps the instruction, with new ids where they have changed. */
void spb_keep(struct rewriter *r)
{
	const struct spb_module *m = r->p->m;
	const uint32_t *map = r->p->writer.map;

	if (r->clone) {
		spb_put(r, spb_op(m, r->at), spb_copy_operands(m, r->at, map, r->p->arena), spb_length(m, r->at) - 1);
		if (spb_result(m, r->at))
			copy_notes(r, spb_result(m, r->at), false);
		return;
	}
	for (struct spb_operand o = spb_operands(m, r->at); spb_operand_next(&o);) {
		if (o.kind == SPB_KIND_ID && map[m->words[o.word]])
			spb_patch(r->p->e, o.word, map[m->words[o.word]]);
	}
}

/* Replaces the instruction by another one with the same result id: words are the operands. */
void spb_put_instead(struct rewriter *r, uint32_t op, const uint32_t *words, uint32_t count, bool retyped)
{
	uint32_t id = spb_result(r->p->m, r->at);

	spb_put(r, op, words, count);
	spb_drop(r, false);
	if (id)
		spb_keep_notes(r, id, retyped);
}
