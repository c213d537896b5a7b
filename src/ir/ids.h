/* SPDX-License-Identifier: Apache-2.0 */
/* ids: walks over the ids among the operands of an instruction, except result type and result.
 *
 *     struct spb_operand o;
 *     struct spb_ids i;
 *     for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);)
 *             … m->words[i.word] …
 *
 * For most instructions, the row of the opcode shows which words are ids; the pattern of the grammar is decoded only
 * for the others. This is what makes parsing fast. */
#ifndef SPB_IDS_H
#define SPB_IDS_H

#include "ir/ir.h"

struct spb_ids {
	uint32_t word; /* the id is words[word] */
	/* private */
	uint32_t next, end;      /* these words are ids, … */
	uint32_t rest, rest_end; /* … and so are these */
	struct spb_operand *o;   /* NULL if the row of the opcode is enough */
};

/* SPIR-V 2.2.1, "Instructions": a string ends in a NUL. Returns the end of the string that begins at the word
 * `from`; more than `length` if it is not terminated. */
static inline uint32_t spb_end_of_string(const uint32_t *w, uint32_t from, uint32_t length)
{
	while (from < length && !((w[from] - 0x01010101u) & ~w[from] & 0x80808080u))
		from++;
	return from + 1;
}

/* Nearly all notes are names and decorations of an id or of a member. Word 1 of them is the id; returns the word
 * after the id and the member, which is a string or a decoration; 0 for other instructions. */
static inline uint32_t spb_tail_of_note(uint32_t op)
{
	switch (op) {
	case SpvOpName:
	case SpvOpDecorate:
		return 2;
	case SpvOpMemberName:
	case SpvOpMemberDecorate:
		return 3;
	default:
		return 0;
	}
}

/* The number of literals that follow a decoration; -1 if something else follows, or if the decoration is rare. */
static inline int spb_literals_after(uint32_t decoration)
{
	return decoration < SPB_FEW ? spb_decoration_literals[decoration] : -1;
}

/* spb_fits_row for an instruction with more than plain_words; leaves *rest alone if the tail has no ids. In
 * grammar.c. */
bool spb_fits_tail(const uint32_t *w, uint32_t length, const struct spb_op_facts *facts, uint32_t *rest);

/* Does the row show which words are ids, and do the operands fill the instruction? If so, all words from *rest on
 * are ids, too. */
static inline bool spb_fits_row(const uint32_t *w, uint32_t length, const struct spb_op_facts *facts, uint32_t *rest)
{
	*rest = length;
	return length <= facts->plain_words || spb_fits_tail(w, length, facts, rest);
}

/* May this be an OpExtInst with operands other than ids, so that the row is not enough? */
static inline bool spb_may_have_literals(const struct spb_module *m, const struct spb_op_facts *facts)
{
	return m->has_literals && facts->tail == SPB_TAIL_EXT_INST;
}

/* The instruction must have at least the words that its opcode needs. *o is used if the row is not enough; it is
 * separate from *i so that compilers can keep *i in registers. */
static inline void spb_ids_begin(struct spb_ids *i, struct spb_operand *o, const struct spb_module *m, spb_at at)
{
	const struct spb_op_facts *facts = spb_op_facts(spb_op(m, at));
	uint32_t length = spb_length(m, at), rest;

	*i = (struct spb_ids){0};
	if (spb_may_have_literals(m, facts) || !spb_fits_row(m->words + at, length, facts, &rest)) {
		*o = spb_operands(m, at);
		i->o = o;
		return;
	}
	i->next = at + facts->first_id;
	i->end = at + (facts->end_id < length ? facts->end_id : length);
	i->rest = at + rest;
	i->rest_end = at + length;
}

static inline bool spb_id_next(struct spb_ids *i)
{
	while (i->o) {
		if (!spb_operand_next(i->o))
			return false;
		i->word = i->o->word;
		if (i->o->kind == SPB_KIND_ID)
			return true;
	}
	if (i->next < i->end) {
		i->word = i->next++;
		return true;
	}
	i->word = i->rest++;
	return i->word < i->rest_end;
}

#endif
