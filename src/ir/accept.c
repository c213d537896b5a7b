/* SPDX-License-Identifier: Apache-2.0 */
/* accept: the loop that reads nearly all instructions of a module, by the rows of their opcodes.
 *
 * An instruction about which anything is unusual is left to module.c, which checks everything again and says what is
 * wrong, if anything is. So this file decides how fast parsing is, and nothing else: without it, the same modules would
 * be accepted, with the same index, and refused with the same messages. What it writes before it gives up, module.c
 * would write, too. */
#include "ir/parse.h"

/* What the loops read and write, in local variables. */
struct run {
	const uint32_t *words;
	spb_at *def;
	uint8_t *known;
	uint32_t count, last; /* words; the largest id */
};

static struct run begin(const struct spb_module *m)
{
	return (struct run){m->words, m->def, m->known, m->count, m->bound - 1};
}

/* The row of the instruction at `at`, if it can stand in this place and has the words it needs; or NULL. */
static inline const struct spb_op_facts *find_row(const struct run *r, spb_at at, uint32_t place)
{
	const uint32_t op = r->words[at] & 0xFFFF, length = r->words[at] >> 16;

	if (op >= SPB_OP_INDEX)
		return NULL;
	const struct spb_op_facts *facts = &spb_op_rows[spb_op_index[op]];
	return facts->places & place && length <= r->count - at && length >= facts->min_words ? facts : NULL;
}

/* The end of the ids that the row gives a range. */
static inline uint32_t end_of_ids(const struct spb_op_facts *facts, uint32_t length)
{
	return facts->end_id < length ? facts->end_id : length;
}

/* Are the ids in range? Takes down that they are used; clears *defined if one of them is not defined yet. */
static inline bool accept_ids(const struct run *r, const uint32_t *id, const uint32_t *end, uint8_t use,
			      uint32_t *defined)
{
	for (; id < end; id++) {
		if (*id - 1 >= r->last)
			return false;
		*defined &= r->known[*id];
		r->known[*id] |= use;
	}
	return true;
}

static inline bool accept_type(const struct run *r, uint32_t type)
{
	return type - 1 < r->last && r->known[type] & ID_TYPE;
}

static inline bool accept_result(const struct run *r, uint32_t id, spb_at at)
{
	if (id - 1 >= r->last || r->known[id] & (ID_DEFINED | ID_FORWARD))
		return false;
	r->known[id] |= ID_DEFINED;
	r->def[id] = at;
	return true;
}

/* Type and result. */
static inline bool accept_head(const struct parse *p, const struct run *r, spb_at at, uint32_t flags)
{
	const uint32_t *w = r->words + at;

	if (!(flags & SPB_OP_HAS_TYPE))
		return !(flags & SPB_OP_HAS_RESULT) || accept_result(r, w[1], at);
	if (!accept_type(r, w[1]))
		return false;
	if (flags & MAKES_OPAQUE) {
		if ((*w & 0xFFFF) == SpvOpVariable && !spb_see_variable(p, at))
			return false;
		p->m->has |= r->known[w[1]] & ID_OPAQUE ? SPB_HAS_OPAQUE_FLOW : 0;
	}
	return accept_result(r, w[2], at);
}

static void count_notes(struct spb_module *m, const uint32_t *id, const uint32_t *end)
{
	while (id < end)
		m->first_note[*id++ + 2]++;
}

/* Outside functions: this section and later ones, but that of functions. */
static spb_at accept_globals(struct parse *p, spb_at at)
{
	struct spb_module *m = p->m;
	const struct run r = begin(m);

	for (uint32_t length; at < r.count; at += length) {
		const struct spb_op_facts *facts = find_row(&r, at, SPB_PLACE_BLOCK - (1u << p->section));
		if (!facts)
			break;
		const uint32_t *const w = r.words + at, flags = facts->flags;
		length = *w >> 16;
		uint32_t end = end_of_ids(facts, length), rest, defined = ID_DEFINED;
		if (!accept_ids(&r, w + facts->first_id, w + end, ID_USED, &defined))
			break;
		if (!spb_fits_row(w, length, facts, &rest) || !accept_ids(&r, w + rest, w + length, ID_USED, &defined))
			break;
		if (flags & (SPB_OP_IS_TYPE | SPB_OP_IS_CONSTANT) && !defined)
			break;
		if (flags & SPB_OP_IS_TYPE)
			spb_see_type(p, at);
		if (!accept_head(p, &r, at, flags))
			break;
		spb_begin_section(p, facts->section, at);
		if (spb_has_notes(p->section)) {
			count_notes(m, w + facts->first_id, w + end);
			count_notes(m, w + rest, w + length);
		}
	}
	return at;
}

/* In a function, from its first block on. */
static spb_at accept_blocks(struct parse *p, spb_at at)
{
	const struct run r = begin(p->m);
	uint32_t place = p->state == BLOCK ? SPB_PLACE_BLOCK : SPB_PLACE_LABEL, defined = 0;

	for (uint32_t length; at < r.count; at += length) {
		const struct spb_op_facts *facts = find_row(&r, at, place);
		if (!facts)
			break;
		const uint32_t *const w = r.words + at, flags = facts->flags;
		const uint8_t use = ID_USED | ID_IN_FUNCTION;
		length = *w >> 16;
		uint32_t end = end_of_ids(facts, length), rest;
		if (!accept_ids(&r, w + facts->first_id, w + end, use, &defined))
			break;
		if (!spb_fits_row(w, length, facts, &rest) || !accept_ids(&r, w + rest, w + length, use, &defined))
			break;
		if (!accept_head(p, &r, at, flags))
			break;
		if (flags & (SPB_OP_TERMINATOR | SPB_OP_FRAME))
			place = flags & SPB_OP_TERMINATOR ? SPB_PLACE_LABEL : SPB_PLACE_BLOCK;
	}
	p->state = place == SPB_PLACE_BLOCK ? BLOCK : BETWEEN;
	return at;
}

spb_at spb_accept_run(struct parse *p, spb_at at)
{
	return p->state == OUTSIDE ? accept_globals(p, at) : accept_blocks(p, at);
}
