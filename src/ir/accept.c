/* SPDX-License-Identifier: Apache-2.0 */
/* accept: the fast path of the parser, which reads nearly all instructions by the rows of their opcodes.
 *
 * An unusual instruction is left to module.c, which checks everything again and reports what is wrong, if anything.
 * This file therefore affects only the speed of parsing: without it, the same modules would be accepted, with the
 * same index, and rejected with the same messages. Whatever it records before it gives up on an instruction,
 * module.c would record, too. */
#include "ir/parse.h"

/* The state of the loops, kept in local variables. */
struct run {
	const struct spb_op_facts *rows;
	const uint32_t *words;
	spb_at *def;
	uint8_t *known;
	uint32_t count, last; /* words of the module; the largest id */
};

static struct run begin(const struct parse *p)
{
	const struct spb_module *m = p->m;

	return (struct run){p->rows, m->words, m->def, m->known, m->count, m->bound - 1};
}

/* The row of an instruction that may appear here and has as many words as it needs; or NULL. A 0 word, which is not
 * an instruction, ends the module (module.c). */
static inline const struct spb_op_facts *find_row(const struct run *r, spb_at at, uint32_t place)
{
	const uint32_t op = r->words[at] & 0xFFFF, length = r->words[at] >> 16;

	if (op >= SPB_OP_INDEX)
		return NULL;
	const struct spb_op_facts *facts = &r->rows[spb_op_index[op]];
	if (!(facts->places & place) || length < facts->min_words || at + length > r->count)
		return NULL;
	return facts;
}

/* The end of the range of ids that the row describes. */
static inline uint32_t end_of_ids(const struct spb_op_facts *facts, uint32_t length)
{
	return facts->end_id < length ? facts->end_id : length;
}

/* Are the ids in range? Records that they are used; clears *defined if one of them is not defined yet. */
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

/* The words after those that the row describes one by one: ids from *rest on, or literals. */
static inline bool accept_tail(const struct parse *p, const struct run *r, const struct spb_op_facts *facts,
			       const uint32_t *w, uint32_t length, uint8_t use, uint32_t *rest, uint32_t *defined)
{
	if (facts->tail == SPB_TAIL_EXT_INST && !spb_fits_set(p, w, length))
		return false;
	return spb_fits_tail(w, length, facts, rest) && accept_ids(r, w + *rest, w + length, use, defined);
}

static inline bool accept_type(const struct run *r, uint32_t type)
{
	return type - 1 < r->last && r->known[type] & ID_TYPE;
}

static inline bool accept_result(const struct run *r, spb_at at, uint32_t id, uint8_t known)
{
	if (id - 1 >= r->last || r->known[id] & (ID_DEFINED | ID_FORWARD))
		return false;
	r->known[id] |= ID_DEFINED | known;
	r->def[id] = at;
	return true;
}

/* Type and result. known: further facts about the result. */
static inline bool accept_head(const struct parse *p, const struct run *r, spb_at at, uint32_t flags, uint8_t known)
{
	const uint32_t *w = r->words + at;

	if (!(flags & SPB_OP_HAS_TYPE))
		return !(flags & SPB_OP_HAS_RESULT) || accept_result(r, at, w[1], known);
	if (!accept_type(r, w[1]))
		return false;
	if (flags & MAKES_OPAQUE) {
		if ((*w & 0xFFFF) == SpvOpVariable && !spb_see_variable(p, at))
			return false;
		if (r->known[w[1]] & ID_OPAQUE)
			p->m->has |= SPB_HAS_OPAQUE_FLOW;
	}
	return accept_result(r, at, w[2], known);
}

/* The current section and those that may follow it, except the section of functions. */
static inline uint32_t places_after(const struct parse *p)
{
	return SPB_PLACE_BLOCK - (1u << p->section);
}

static void count_notes(struct spb_module *m, const uint32_t *id, const uint32_t *end)
{
	while (id < end)
		m->first_note[*id++ + 2]++;
}

/* The end of the operands of a name or decoration; 0 if its literals are not known here. */
static inline uint32_t end_of_note(const uint32_t *w, uint32_t tail, uint32_t length, bool is_name)
{
	if (is_name)
		return spb_end_of_string(w, tail, length);
	const int literals = spb_literals_after(w[tail]);
	return literals < 0 ? 0 : tail + 1 + (uint32_t)literals;
}

/* Names and decorations. */
static spb_at accept_notes(struct parse *p, spb_at at)
{
	const struct run r = begin(p);
	uint32_t *const notes = p->m->first_note + 2;

	for (uint32_t length;; at += length) { /* the 0 after the last instruction has no tail */
		const uint32_t *const w = r.words + at, op = *w & 0xFFFF, tail = spb_tail_of_note(op);
		const bool is_name = op == SpvOpName || op == SpvOpMemberName;
		const int section = is_name ? SPB_SECTION_NAME : SPB_SECTION_ANNOTATION;
		length = *w >> 16;
		if (!tail || tail >= length || length > r.count - at || section < p->section || w[1] - 1 >= r.last ||
		    end_of_note(w, tail, length, is_name) != length)
			break;
		r.known[w[1]] |= ID_USED;
		notes[w[1]]++;
		p->m->has |= spb_features_of_decoration(w);
		spb_begin_section(p, section, at);
	}
	return at;
}

/* Instructions outside functions, in this section and later ones. Stops before names and decorations. */
static spb_at accept_globals(struct parse *p, spb_at from)
{
	const struct run r = begin(p);
	const struct spb_op_facts *facts;
	uint32_t length;
	spb_at at = from;

	for (uint32_t places = places_after(p); (facts = find_row(&r, at, places)); at += length) {
		const uint32_t *const w = r.words + at, flags = facts->flags;
		if (flags & SPB_OP_NOTE && at != from)
			break;
		length = *w >> 16;
		uint32_t end = end_of_ids(facts, length), rest = length, defined = ID_DEFINED;
		if (!accept_ids(&r, w + facts->first_id, w + end, ID_USED, &defined))
			break;
		if (length > facts->plain_words && !accept_tail(p, &r, facts, w, length, ID_USED, &rest, &defined))
			break;
		if (facts->tail == SPB_TAIL_EXT_INST && spb_computes(p, w))
			break;
		if (flags & (SPB_OP_IS_TYPE | SPB_OP_IS_CONSTANT) && !defined)
			break;
		uint8_t known = flags & SPB_OP_IS_TYPE ? ID_TYPE : 0;
		if (known && (*w & 0xFFFF) > SpvOpTypeFloat) /* void and scalars have no parts */
			known = spb_see_type(p, at, flags);
		if (!accept_head(p, &r, at, flags, known))
			break;
		if (flags & SPB_OP_IN_BODIES && spb_declares_resource(w))
			SPB_PUSH(&p->m->context->scratch, &p->variables, at);
		if (p->section == SPB_SECTION_GLOBAL)
			continue;
		if (facts->section > p->section) {
			spb_begin_section(p, facts->section, at);
			places = places_after(p);
		}
		if (spb_has_notes(p->section)) {
			count_notes(p->m, w + facts->first_id, w + end);
			count_notes(p->m, w + rest, w + length);
			p->m->has |= spb_features_of_decoration(w);
		}
	}
	return at;
}

/* An instruction that begins or ends a function, or begins its first block. Returns the state after it. */
static uint32_t see_frame(struct parse *p, spb_at at)
{
	switch (p->m->words[at] & 0xFFFF) {
	case SpvOpFunction:
		SPB_PUSH(&p->m->context->scratch, &p->functions, (struct spb_function){.at = at});
		return PARAMETERS;
	case SpvOpFunctionParameter:
		return PARAMETERS;
	case SpvOpFunctionEnd:
		spb_end_function(&p->functions.items[p->functions.count - 1], at);
		return OUTSIDE;
	default:
		p->functions.items[p->functions.count - 1].body = at;
		return BLOCK;
	}
}

/* Everything after the first OpFunction. */
static spb_at accept_functions(struct parse *p, spb_at at)
{
	const struct run r = begin(p);
	const uint8_t use = ID_USED | ID_IN_FUNCTION;
	uint32_t defined = 0, place = p->state, length;
	const struct spb_op_facts *facts;

	for (; (facts = find_row(&r, at, place)); at += length) {
		const uint32_t *const w = r.words + at, flags = facts->flags;
		length = *w >> 16;
		if (!accept_ids(&r, w + facts->first_id, w + end_of_ids(facts, length), use, &defined))
			break;
		if (length > facts->plain_words) {
			uint32_t rest = length;
			if (!accept_tail(p, &r, facts, w, length, use, &rest, &defined))
				break;
		}
		if (!accept_head(p, &r, at, flags, 0))
			break;
		if (!(flags & (SPB_OP_TERMINATOR | SPB_OP_FRAME | SPB_OP_MOVES)))
			continue;
		if (flags & SPB_OP_TERMINATOR)
			place = BETWEEN;
		else if (flags & SPB_OP_FRAME)
			place = place == BETWEEN && (*w & 0xFFFF) == SpvOpLabel ? BLOCK : see_frame(p, at);
		else if ((*w & 0xFFFF) == SpvOpFunctionCall)
			SPB_PUSH(&p->m->context->scratch, &p->calls, at);
	}
	p->state = place;
	return at;
}

spb_at spb_accept_run(struct parse *p, spb_at at)
{
	spb_at from;

	if (p->section == SPB_SECTION_FUNCTION)
		return accept_functions(p, at);
	do {
		from = accept_notes(p, at);
		at = accept_globals(p, from);
	} while (at != from);
	return at;
}
