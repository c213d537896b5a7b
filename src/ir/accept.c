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
	const uint32_t *w; /* the next instruction */
	uint32_t left;     /* words from there on */
	spb_at *def;
	uint8_t *known;
	uint32_t count, last; /* words of the module; the largest id */
};

static struct run begin(const struct spb_module *m, spb_at at)
{
	return (struct run){m->words + at, m->count - at, m->def, m->known, m->count, m->bound - 1};
}

static inline spb_at place_of(const struct run *r)
{
	return r->count - r->left;
}

static inline void go_on(struct run *r, uint32_t length)
{
	r->w += length;
	r->left -= length;
}

/* The row of the next instruction, if there is one that can stand in this place and has the words it needs; or NULL.
 * Behind the last one there is a 0 (module.c), which is no instruction. */
static inline const struct spb_op_facts *find_row(const struct run *r, uint32_t place)
{
	const uint32_t op = *r->w & 0xFFFF, length = *r->w >> 16;

	if (op >= SPB_OP_INDEX)
		return NULL;
	const struct spb_op_facts *facts = &spb_op_rows[spb_op_index[op]];
	return facts->places & place && length <= r->left && length >= facts->min_words ? facts : NULL;
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

static inline bool accept_result(const struct run *r, uint32_t id)
{
	if (id - 1 >= r->last || r->known[id] & (ID_DEFINED | ID_FORWARD))
		return false;
	r->known[id] |= ID_DEFINED;
	r->def[id] = place_of(r);
	return true;
}

/* Type and result. */
static inline bool accept_head(const struct parse *p, const struct run *r, uint32_t flags)
{
	const uint32_t *w = r->w;

	if (!(flags & SPB_OP_HAS_TYPE))
		return !(flags & SPB_OP_HAS_RESULT) || accept_result(r, w[1]);
	if (!accept_type(r, w[1]))
		return false;
	if (flags & MAKES_OPAQUE) {
		if ((*w & 0xFFFF) == SpvOpVariable && !spb_see_variable(p, place_of(r)))
			return false;
		if (r->known[w[1]] & ID_OPAQUE)
			p->m->has |= SPB_HAS_OPAQUE_FLOW;
	}
	return accept_result(r, w[2]);
}

/* The sections that may follow, and this one, but not that of functions. */
static inline uint32_t places_after(const struct parse *p)
{
	return SPB_PLACE_BLOCK - (1u << p->section);
}

static void count_notes(struct spb_module *m, const uint32_t *id, const uint32_t *end)
{
	while (id < end)
		m->first_note[*id++ + 2]++;
}

/* Names and decorations. */
static spb_at accept_notes(struct parse *p, spb_at at)
{
	struct run r = begin(p->m, at);
	uint32_t *const notes = p->m->first_note + 2;
	const struct spb_op_facts *facts;

	for (uint32_t places = places_after(p); (facts = find_row(&r, places)); go_on(&r, *r.w >> 16)) {
		const uint32_t *const w = r.w;
		if (!spb_names_one_id(w, facts) || spb_end_of_note(w, *w >> 16, facts) != *w >> 16 ||
		    w[1] - 1 >= r.last)
			break;
		r.known[w[1]] |= ID_USED;
		notes[w[1]]++;
		if (facts->section > p->section) {
			spb_begin_section(p, facts->section, place_of(&r));
			places = places_after(p);
		}
	}
	return place_of(&r);
}

/* Outside functions: this section and later ones. Stops before names and decorations. */
static spb_at accept_globals(struct parse *p, spb_at at)
{
	struct run r = begin(p->m, at);
	const struct spb_op_facts *facts;
	uint32_t length;

	for (uint32_t places = places_after(p); (facts = find_row(&r, places)); go_on(&r, length)) {
		const uint32_t *const w = r.w, flags = facts->flags;
		if (flags & SPB_OP_NOTE && place_of(&r) != at)
			break;
		length = *w >> 16;
		uint32_t end = end_of_ids(facts, length), rest = length, defined = ID_DEFINED;
		if (!accept_ids(&r, w + facts->first_id, w + end, ID_USED, &defined))
			break;
		if (length > facts->plain_words && (!spb_fits_tail(w, length, facts, &rest) ||
						    !accept_ids(&r, w + rest, w + length, ID_USED, &defined)))
			break;
		if (flags & (SPB_OP_IS_TYPE | SPB_OP_IS_CONSTANT) && !defined)
			break;
		if (flags & SPB_OP_IS_TYPE)
			spb_see_type(p, place_of(&r), flags);
		if (!accept_head(p, &r, flags))
			break;
		if (facts->section > p->section) {
			spb_begin_section(p, facts->section, place_of(&r));
			places = places_after(p);
		}
		if (spb_has_notes(p->section)) {
			count_notes(p->m, w + facts->first_id, w + end);
			count_notes(p->m, w + rest, w + length);
			if ((*w & 0xFFFF) == SpvOpDecorate && w[2] == SpvDecorationNonUniform)
				p->m->has |= SPB_HAS_MARKS;
		}
	}
	return place_of(&r);
}

/* In a function, from its first block on. */
static spb_at accept_blocks(struct parse *p, spb_at at)
{
	struct run r = begin(p->m, at);
	uint32_t place = p->state == BLOCK ? SPB_PLACE_BLOCK : SPB_PLACE_LABEL, defined = 0, length;
	const struct spb_op_facts *facts;

	for (; (facts = find_row(&r, place)); go_on(&r, length)) {
		const uint32_t *const w = r.w, flags = facts->flags;
		const uint8_t use = ID_USED | ID_IN_FUNCTION;
		length = *w >> 16;
		if (!accept_ids(&r, w + facts->first_id, w + end_of_ids(facts, length), use, &defined))
			break;
		uint32_t rest = length;
		if (length > facts->plain_words &&
		    (!spb_fits_tail(w, length, facts, &rest) || !accept_ids(&r, w + rest, w + length, use, &defined)))
			break;
		if (!accept_head(p, &r, flags))
			break;
		if (!(flags & (SPB_OP_TERMINATOR | SPB_OP_FRAME | SPB_OP_HANDS_ON)))
			continue;
		if (flags & (SPB_OP_TERMINATOR | SPB_OP_FRAME))
			place = flags & SPB_OP_TERMINATOR ? SPB_PLACE_LABEL : SPB_PLACE_BLOCK;
		else if ((*w & 0xFFFF) == SpvOpFunctionCall)
			spb_see_call(p, place_of(&r));
	}
	p->state = place == SPB_PLACE_BLOCK ? BLOCK : BETWEEN;
	return place_of(&r);
}

spb_at spb_accept_run(struct parse *p, spb_at at)
{
	spb_at from;

	if (p->state != OUTSIDE)
		return accept_blocks(p, at);
	do {
		from = accept_notes(p, at);
		at = accept_globals(p, from);
	} while (at != from);
	return at;
}
