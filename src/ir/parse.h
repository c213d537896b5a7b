/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the parser share: accept.c accepts ordinary instructions quickly and leaves the others to
 * module.c, which checks any instruction carefully. */
#ifndef SPB_PARSE_H
#define SPB_PARSE_H

#include "ir/index.h"

/* Facts about an id: bits of m->known[id]. */
enum {
	ID_DEFINED = 1,
	ID_TYPE = 2,
	ID_POINTER = 4,  /* an OpTypePointer */
	ID_ARRAY = 8,    /* an array type, sized or not */
	ID_OPAQUE = 16,  /* a type that contains opaque descriptors */
	ID_FORWARD = 32, /* a type or constant may use it, or has used it, before its declaration */
	ID_USED = 64,
	ID_IN_FUNCTION = SPB_ID_IN_FUNCTION
};

/* Opcodes that can produce an opaque value other than by loading it: joins; OpUndef */
#define MAKES_OPAQUE (SPB_OP_JOINS | SPB_OP_IN_BODIES)

/* What may come next, from the first function on, in terms of accept.c. */
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
	const struct spb_op_facts *rows; /* the rows of the grammar */
	int section;
	bool are_notes; /* for the ids of this instruction */
	uint32_t state; /* OUTSIDE, … */
	spb_at lines;   /* beginning of the OpLines just passed; 0: none */
	struct {        /* the first imports */
		uint32_t id;
		const struct spb_set *set;
		bool computes; /* its instructions are allowed in blocks only */
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

/* see_type.c */

/* May it appear anywhere from the types on? "This section is the first section to allow use of […] Non-semantic
 * instructions with OpExtInst" (SPIR-V 2.4). clspv writes its reflection of kernels after the last function.
 * spirv-opt leaves source locations after terminators in modules from Slang, and before the first label in HLSL
 * modules from glslang. DXC leaves a DebugDeclare there. */
bool spb_is_remark(const struct spb_module *m, spb_at at);

noreturn void spb_fail_range(const struct parse *p, spb_at at, uint32_t id);

static inline void spb_check_range(const struct parse *p, spb_at at, uint32_t id)
{
	if (id - 1u >= p->m->bound - 1u)
		spb_fail_range(p, at, id);
}

/* What a type is, as bits of m->known. Fails if its parts have the wrong kind. Its operands must be in
 * range. */
uint8_t spb_see_type(const struct parse *p, spb_at at, uint32_t flags);

/* Is its type, which must be in range, a pointer? Records what the variable shows about the descriptors of the
 * module. */
static inline bool spb_see_variable(const struct parse *p, spb_at at)
{
	struct spb_module *m = p->m;
	const uint32_t type = m->words[at + 1];

	if (!(m->known[type] & ID_POINTER))
		return false;
	if (m->words[m->def[type] + 2] != m->words[at + 3]) /* invalid; each pass decides which of the two counts */
		m->has |= SPB_HAS_OPAQUE_FLOW | SPB_HAS_DESCRIPTOR_ARRAYS | SPB_HAS_PUSH_CONSTANTS;
	return true;
}

/* What a decoration that passes look for shows about the module, as SPB_HAS_…. */
static inline uint32_t spb_features_of_decoration(const uint32_t *w)
{
	const uint32_t op = *w & 0xFFFF;
	const uint32_t decoration = op == SpvOpDecorate ? w[2] : op == SpvOpMemberDecorate ? w[3] : UINT32_MAX;

	switch (decoration) {
	case SpvDecorationNonUniform:
		return op == SpvOpDecorate ? SPB_HAS_MARKS : 0;
	case SpvDecorationCoherent:
	case SpvDecorationVolatile:
	case SpvDecorationBufferBlock:
		return SPB_HAS_BUFFER_QUALIFIERS;
	default:
		return 0;
	}
}

/* Do the number and the operands of an OpExtInst, all of them ids, fit its set? Also false if only the pattern of
 * the grammar can tell, and for sets after the first few. */
static inline bool spb_fits_set(const struct parse *p, const uint32_t *w, uint32_t length)
{
	for (uint32_t i = 0; i < p->set_count; i++) {
		if (p->sets[i].id == w[3])
			return spb_fits_instruction(p->sets[i].set, w[4], length);
	}
	return false;
}

/* Is this an OpExtInst of a set whose instructions compute something? */
static inline bool spb_computes(const struct parse *p, const uint32_t *w)
{
	for (uint32_t i = 0; i < p->set_count; i++) {
		if (p->sets[i].id == w[3])
			return p->sets[i].computes;
	}
	return false;
}

/* accept.c: accepts instructions from `at` on as long as they are ordinary and in order, either outside functions or
 * in the blocks of one. Returns the first that needs care. */
spb_at spb_accept_run(struct parse *p, spb_at at);

#endif
