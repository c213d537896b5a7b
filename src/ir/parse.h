/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of parsing share: module.c checks any instruction with care; accept.c accepts ordinary ones
 * quickly, and leaves the others to it. */
#ifndef SPB_PARSE_H
#define SPB_PARSE_H

#include "ir/index.h"

/* What is known of an id: bits of m->known[id]. */
enum {
	ID_DEFINED = 1,
	ID_TYPE = 2,
	ID_POINTER = 4,  /* an OpTypePointer */
	ID_ARRAY = 8,    /* an array type, sized or not */
	ID_OPAQUE = 16,  /* a type with opaque descriptors inside */
	ID_FORWARD = 32, /* a type or constant may use it, or has used it, before its declaration */
	ID_USED = 64,
	ID_IN_FUNCTION = SPB_ID_IN_FUNCTION
};

/* Of opcodes that can make an opaque value other than by loading it: joins; OpUndef */
#define MAKES_OPAQUE (SPB_OP_JOINS | SPB_OP_IN_BODIES)

/* Where the next instruction stands, from the first function on: as what accept.c accepts there. */
enum {
	GRAPH, /* nothing */
	OUTSIDE = SPB_PLACE_FUNCTION,
	PARAMETERS = SPB_PLACE_PARAMETER,
	BLOCK = SPB_PLACE_BLOCK,
	BETWEEN = SPB_PLACE_LABEL
};

enum { SPB_FEW_SETS = 4 };

struct parse {
	struct spb_module *m;
	const struct spb_op_facts *rows; /* those of the grammar */
	int section;
	bool are_notes; /* the ids of this instruction */
	uint32_t state; /* OUTSIDE, … */
	spb_at lines;   /* beginning of the OpLines just passed; 0: none */
	struct {        /* the first imports */
		uint32_t id;
		const struct spb_set *set;
	} sets[SPB_FEW_SETS];
	uint32_t set_count;
	SPB_LIST(struct spb_function) functions;
	SPB_LIST(spb_at) calls;
	SPB_LIST(spb_at) variables;
};

static inline void spb_begin_section(struct parse *p, int section, spb_at begin)
{
	while (p->section < section)
		p->m->section[++p->section] = begin;
}

/* module.c: what a type is, as bits of m->known; fails if it is made of the wrong things. Its operands are in range. */
uint8_t spb_see_type(const struct parse *p, spb_at at, uint32_t flags);

/* Is its type, which is in range, a pointer? Takes down what it says about the descriptors of the module. */
static inline bool spb_see_variable(const struct parse *p, spb_at at)
{
	struct spb_module *m = p->m;
	const uint32_t type = m->words[at + 1];

	if (!(m->known[type] & ID_POINTER))
		return false;
	if (m->words[m->def[type] + 2] != m->words[at + 3]) /* invalid; which of them counts, passes decide */
		m->has |= SPB_HAS_OPAQUE_FLOW | SPB_HAS_DESCRIPTOR_ARRAYS | SPB_HAS_PUSH_CONSTANTS;
	return true;
}

/* module.c: takes down where a function is called. */
void spb_see_call(struct parse *p, spb_at at);

/* Do the number and the operands of an OpExtInst, ids all of them, fit its set? False also where only the pattern of
 * the grammar tells, and for sets behind the first. */
static inline bool spb_fits_set(const struct parse *p, const uint32_t *w, uint32_t length)
{
	for (uint32_t i = 0; i < p->set_count; i++) {
		if (p->sets[i].id == w[3])
			return spb_fits_instruction(p->sets[i].set, w[4], length);
	}
	return false;
}

/* accept.c: accepts instructions from `at` on for as long as there is nothing unusual about them, and they are in the
 * right order outside functions, or in the blocks of one. Returns the first that needs care. */
spb_at spb_accept_run(struct parse *p, spb_at at);

#endif
