/* SPDX-License-Identifier: Apache-2.0 */
/* ids: walks over the ids among the operands of an instruction, without result type and result.
 *
 *     struct spb_ids i;
 *     for (spb_ids_begin(&i, m, at); spb_id_next(&i);)
 *             … m->words[i.word] …
 *
 * The row of the opcode tells for most instructions which words are ids; only for the others is the pattern of the
 * grammar decoded. That is what makes parsing fast. */
#ifndef SPB_IDS_H
#define SPB_IDS_H

#include "ir/ir.h"

struct spb_ids {
	uint32_t word; /* the id is words[word] */
	/* private */
	uint32_t plain, next, rest, end; /* ids among the words that are still to come; the next of them; the tail */
	bool by_pattern;
	struct spb_operand o;
};

static inline bool spb_has_zero_byte(uint32_t word)
{
	return ((word - 0x01010101u) & ~word & 0x80808080u) != 0;
}

/* Does the row tell which words are ids, and do the operands fill the instruction? Then all from *rest on are ids. */
static inline bool spb_fits_row(const struct spb_module *m, spb_at at, const struct spb_op_facts *facts, uint32_t *rest)
{
	const uint32_t *w = m->words + at;
	uint32_t length = w[0] >> 16, tail = facts->plain;
	int parameters;

	*rest = length;
	switch ((enum spb_tail)facts->tail) {
	case SPB_TAIL_NONE:
		return length <= tail;
	case SPB_TAIL_IDS:
		*rest = tail;
		return true;
	case SPB_TAIL_WORDS:
		return true;
	case SPB_TAIL_STRING: /* SPIR-V 2.2.1: ends in a 0 byte */
		while (tail < length && !spb_has_zero_byte(w[tail]))
			tail++;
		return tail + 1 == length;
	case SPB_TAIL_ID_PAIRS:
		*rest = tail;
		return length >= tail && (length - tail) % 2 == 0;
	case SPB_TAIL_MASK:
		return length <= tail || (length == tail + 1 && !w[tail]);
	case SPB_TAIL_VALUE:
		parameters = length > tail ? spb_literal_parameters(facts, w[tail]) : -1;
		return parameters >= 0 && length == tail + 1 + (uint32_t)parameters;
	case SPB_TAIL_PATTERN:
		break;
	}
	return false;
}

/* The instruction has at least the words that its opcode needs. */
static inline void spb_ids_begin(struct spb_ids *i, const struct spb_module *m, spb_at at)
{
	const struct spb_op_facts *facts = spb_op_facts(spb_op(m, at));
	uint32_t length = spb_length(m, at);

	i->by_pattern = !spb_fits_row(m, at, facts, &i->rest);
	if (i->by_pattern)
		i->o = spb_operands(m, at);
	i->plain = facts->ids & ((1u << (length < 16 ? length : 16)) - 1);
	i->next = at;
	i->rest += at;
	i->end = at + length;
}

static inline bool spb_id_next(struct spb_ids *i)
{
	while (i->by_pattern) {
		if (!spb_operand_next(&i->o))
			return false;
		i->word = i->o.word;
		if (i->o.kind == SPB_KIND_ID)
			return true;
	}
	while (i->plain) {
		bool is_id = i->plain & 1;
		i->plain >>= 1;
		i->word = i->next++;
		if (is_id)
			return true;
	}
	i->word = i->rest++;
	return i->word < i->end;
}

#endif
