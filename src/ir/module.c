/* SPDX-License-Identifier: Apache-2.0 */
/* module: turns any bytes into an indexed module or a clear error.
 *
 * All checks on input are in this file; everywhere else, the invariants documented at struct spb_module are trusted.
 * One walk checks and indexes definitions. Notes are always indexed, uses only when a pass asks. No allocation depends
 * on a number in the input that has not been checked: the index takes at most 4 bytes per id, and SPIR-V 2.17,
 * "Universal Limits", limits ids to 4,194,303. */
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "ir/index.h"

enum { MAX_BOUND = 0x400000, MAX_WORDS = 0x3FFFFFFF };

/* Of opcodes that can make an opaque value other than by loading it: joins; OpUndef */
#define MAKES_OPAQUE (SPB_OP_JOINS | SPB_OP_IN_BODIES)

struct parse {
	struct spb_module *m;
	uint32_t *used; /* bits over ids: used before their definition, if they have one */
	int section;
	bool are_notes; /* the ids of this instruction */
	enum { OUTSIDE, PARAMETERS, BLOCK, BETWEEN, GRAPH } state;
	uint32_t *types;   /* bits over ids: types */
	uint32_t *opaque;  /* the same: types with opaque descriptors inside; NULL: there is none */
	spb_at lines;      /* beginning of the OpLines just passed; 0: none */
	uint32_t *forward; /* bits over ids: used by a type or constant before their declaration; NULL: there is none */
	SPB_LIST(struct spb_function) functions;
};

#define FAIL(code, at, ...) spb_fail(m, SPB_ERROR_INVALID_SPIRV, code, at, __VA_ARGS__)

static void check_header(struct spb_module *m, const uint32_t *words, size_t count)
{
	if (count < 5)
		FAIL(SPB_E_TOO_SHORT, 0,
		     "the input has only %u words, but the header of a SPIR-V module alone has 5; check that the "
		     "compiler wrote the whole file",
		     (unsigned)count);
	if (words[0] != SpvMagicNumber && words[0] != 0x03022307)
		FAIL(
		    SPB_E_MAGIC, 0,
		    "the first word is 0x%x, not SPIR-V's magic number 0x07230203; the input has to be a SPIR-V binary",
		    words[0]);
	if (count > MAX_WORDS)
		FAIL(SPB_E_TOO_LONG, 0, "the module has more than %u words; split it", (unsigned)MAX_WORDS);
	m->swapped = words[0] != SpvMagicNumber;
}

void spb_swap_words(uint32_t *to, const uint32_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = from[i] >> 24 | (from[i] >> 8 & 0xFF00) | (from[i] << 8 & 0xFF0000) | from[i] << 24;
}

void spb_set_words(struct spb_module *m, struct spb_arena *arena, const uint32_t *words, uint32_t count)
{
	static const uint32_t one = 1;

	m->words = m->text = words;
	m->count = count;
	if (!*(const unsigned char *)&one) { /* a big-endian host */
		uint32_t *text = spb_alloc_array(arena, count, sizeof *text);
		spb_swap_words(text, words, count);
		m->text = text;
	}
}

static void copy_words(struct spb_module *m, const uint32_t *words, size_t count)
{
	uint32_t *copy = spb_alloc_array(&m->keep, count, sizeof *copy);

	if (m->swapped)
		spb_swap_words(copy, words, count);
	else
		memcpy(copy, words, count * sizeof *copy);
	spb_set_words(m, &m->keep, copy, (uint32_t)count);
	m->given = copy;
	m->given_count = m->count;
	m->checked = 5;
	if (copy[1] >> 16 != 1 || (copy[1] >> 8 & 0xFF) > 6 || (copy[1] & 0xFF))
		FAIL(SPB_E_VERSION, 0,
		     "version word 0x%x does not name a version from SPIR-V 1.0 to 1.6; compile for one of these",
		     copy[1]);
	if (copy[3] < 1 || copy[3] > MAX_BOUND)
		FAIL(SPB_E_BOUND, 0,
		     "the id bound %u is not in the range 1 to %u; compact the ids of the module (spirv-opt "
		     "--compact-ids)",
		     copy[3], (unsigned)MAX_BOUND);
	m->bound = copy[3];
}

static bool is_debug_info(const struct spb_module *m, spb_at at)
{
	uint32_t set = spb_op(m, at) == SpvOpExtInst && spb_length(m, at) > 4 ? m->words[at + 3] : 0;

	return set && set < m->bound && spb_def_op(m, set) == SpvOpExtInstImport &&
	       spb_is_debug_info(spb_string(m, m->def[set] + 2));
}

/* glslang 12 has no debug information for some types, and writes id 0 for them. */
static noreturn void fail_range(const struct parse *p, spb_at at, uint32_t id)
{
	struct spb_module *m = p->m;

	FAIL(SPB_E_ID_RANGE, at, "%s names id %u, which is not in the range 1 to %u%s", spb_op_name(spb_op(m, at)), id,
	     m->bound - 1,
	     is_debug_info(m, at) ? "; the front end wrote invalid debug information, so compile with -g "
				    "instead of -gV or -gVS"
				  : "");
}

static void check_range(const struct parse *p, spb_at at, uint32_t id)
{
	if (id - 1u >= p->m->bound - 1u)
		fail_range(p, at, id);
}

/* Is the id defined already? If it is not, it has to be later. */
static bool see_use(struct parse *p, spb_at at, uint32_t id)
{
	struct spb_module *m = p->m;

	check_range(p, at, id);
	if (p->state != OUTSIDE)
		spb_set_bit(m->in_function, id);
	else if (p->are_notes)
		m->first_note[id]++;
	if (m->def[id])
		return true;
	spb_set_bit(p->used, id);
	return false;
}

static void see_forward(struct parse *p, uint32_t id)
{
	if (!p->forward)
		p->forward = spb_bits(&p->m->context->scratch, p->m->bound);
	spb_set_bit(p->forward, id);
}

/* SPIR-V 2.4, "Logical Layout of a Module": types and constants are declared before their use. The exception is a
 * pointer declared by OpTypeForwardPointer: any type may depend on it, even another pointer. In a module with unknown
 * opcodes, one of them may define an undeclared id; check_forward ensures that it does. */
static void check_declared(struct parse *p, spb_at at, uint32_t id)
{
	struct spb_module *m = p->m;

	if (m->def[id] || (p->forward && spb_bit(p->forward, id)))
		return;
	if (!m->has_unknown_ops)
		FAIL(SPB_E_NOT_A_TYPE, at,
		     "%s uses %%%u before its declaration; only a pointer that an "
		     "OpTypeForwardPointer declares can be used before it",
		     spb_op_name(spb_op(m, at)), id);
	see_forward(p, id);
}

/* VUID-StandaloneSpirv-OpTypeForwardPointer-04711: a forward pointer is in PhysicalStorageBuffer. As no other type can
 * be used before its declaration, a type contains itself only through such a pointer, and a walk over types that stops
 * there terminates. */
static void check_forward(const struct parse *p, spb_at at, uint32_t id)
{
	struct spb_module *m = p->m;

	if (spb_bit(p->forward, id) &&
	    (spb_op(m, at) != SpvOpTypePointer || m->words[at + 2] != SpvStorageClassPhysicalStorageBuffer))
		FAIL(SPB_E_NOT_A_TYPE, at,
		     "%s defines %%%u, which a type or constant before it uses; only an OpTypePointer to "
		     "PhysicalStorageBuffer that an OpTypeForwardPointer declares can be used before its declaration",
		     spb_op_name(spb_op(m, at)), id);
}

static bool is_opaque(const struct parse *p, uint32_t type)
{
	return p->opaque && spb_bit(p->opaque, type);
}

/* What the type says about the descriptors of the module. Its operands are in range. */
static void see_shape(struct parse *p, spb_at at, uint32_t flags)
{
	struct spb_module *m = p->m;
	const uint32_t *w = m->words + at, length = w[0] >> 16, op = w[0] & 0xFFFF;
	bool opaque = flags & SPB_OP_OPAQUE;

	if (flags & SPB_OP_ELEMENTS) {
		opaque = is_opaque(p, w[2]);
	} else if (op == SpvOpTypeStruct) {
		for (uint32_t i = 2; i < length; i++)
			opaque |= is_opaque(p, w[i]);
		m->has |= opaque ? SPB_HAS_OPAQUE_FLOW : 0;
	} else if (op == SpvOpTypePointer) {
		if ((w[2] == SpvStorageClassFunction || w[2] == SpvStorageClassPrivate) && is_opaque(p, w[3]))
			m->has |= SPB_HAS_OPAQUE_FLOW;
		if (spb_op_is(spb_def_op(m, w[3]), SPB_OP_ARRAY)) /* a variable may have another storage class */
			m->has |= SPB_HAS_DESCRIPTOR_ARRAYS;
	} else if (op == OpTypeUntypedPointerKHR) {
		m->has |= SPB_HAS_DESCRIPTOR_ARRAYS;
	} else if (op == SpvOpTypeFunction) {
		for (uint32_t i = 2; i < length; i++) {
			spb_at type = m->def[w[i]];
			bool resource =
			    spb_op(m, type) == SpvOpTypePointer && m->words[type + 2] == SpvStorageClassUniformConstant;
			m->has |= resource || is_opaque(p, w[i]) ? SPB_HAS_OPAQUE_FLOW : 0;
		}
	}
	if (!opaque)
		return;
	if (!p->opaque)
		p->opaque = spb_bits(&m->context->scratch, m->bound);
	spb_set_bit(p->opaque, w[1]);
}

static void check_type(struct parse *p, spb_at at)
{
	struct spb_module *m = p->m;
	const uint32_t *w = m->words + at;
	uint32_t wanted = 0;

	switch (spb_op(m, at)) {
	case SpvOpTypeSampledImage:
		wanted = SpvOpTypeImage;
		break;
	case SpvOpTypePointer:
		if (m->def[w[3]] && !spb_op_is(spb_def_op(m, w[3]), SPB_OP_IS_TYPE) && !m->has_unknown_ops)
			FAIL(SPB_E_NOT_A_TYPE, at, "OpTypePointer points to %%%u, which is not a type", w[3]);
		break;
	case SpvOpTypeArray:
		if (!spb_is_constant(m, w[3]) && !m->has_unknown_ops)
			FAIL(SPB_E_NOT_A_CONSTANT, at, "the length of an OpTypeArray, %%%u, is not a constant", w[3]);
		break;
	default:
		break;
	}
	check_range(p, at, w[1]);
	spb_set_bit(p->types, w[1]);
	see_shape(p, at, spb_op_facts(spb_op(m, at))->flags);
	if (wanted && spb_def_op(m, w[2]) != wanted)
		FAIL(SPB_E_NOT_A_TYPE, at, "%s is made of %%%u, which is not an %s", spb_op_name(spb_op(m, at)), w[2],
		     spb_op_name(wanted));
}

/* Operands whose places only the pattern of the grammar tells. */
static bool see_pattern(struct parse *p, spb_at at)
{
	struct spb_module *m = p->m;
	struct spb_operand o = spb_operands(m, at);
	bool defined = true;

	while (spb_operand_next(&o)) {
		if (o.kind == SPB_KIND_ID)
			defined &= see_use(p, at, m->words[o.word]);
	}
	if (o.bad)
		FAIL(SPB_E_OPERANDS, at,
		     "the operands of %s do not match the grammar of SPIR-V %s from word %u of the instruction on",
		     spb_op_name(spb_op(m, at)), spb_grammar_version(), o.next - at);
	return defined;
}

/* All ids but the result and its type. Are they defined already? */
static bool see_operands(struct parse *p, spb_at at, const struct spb_op_facts *facts, uint32_t length)
{
	struct spb_module *m = p->m;
	const uint32_t *w = m->words + at;
	uint32_t rest, end = facts->end_id < length ? facts->end_id : length;
	bool defined = true;

	if (length < facts->min_words)
		FAIL(SPB_E_OPERANDS, at, "%s has %u words, but needs at least %u", spb_op_name(spb_op(m, at)), length,
		     (unsigned)facts->min_words);
	if (!spb_fits_row(w, length, facts, &rest))
		return see_pattern(p, at);
	for (uint32_t i = facts->first_id; i < end; i++)
		defined &= see_use(p, at, w[i]);
	for (uint32_t i = rest; i < length; i++)
		defined &= see_use(p, at, w[i]);
	return defined;
}

static void check_all_declared(struct parse *p, spb_at at)
{
	struct spb_operand o;
	struct spb_ids i;

	for (spb_ids_begin(&i, &o, p->m, at); spb_id_next(&i);)
		check_declared(p, at, p->m->words[i.word]);
}

static void check_result(struct parse *p, spb_at at, uint32_t flags)
{
	struct spb_module *m = p->m;
	uint32_t word = at + 1;

	if (flags & SPB_OP_HAS_TYPE) {
		uint32_t type = m->words[word++];
		check_range(p, at, type);
		if (!spb_op_is(spb_def_op(m, type), SPB_OP_IS_TYPE) && !m->has_unknown_ops)
			FAIL(SPB_E_NOT_A_TYPE, at, "the result type of %s, %%%u, is not a type declared before it",
			     spb_op_name(spb_op(m, at)), type);
		if (flags & MAKES_OPAQUE && is_opaque(p, type))
			m->has |= SPB_HAS_OPAQUE_FLOW;
	}
	if (flags & SPB_OP_HAS_RESULT) {
		uint32_t id = m->words[word];
		check_range(p, at, id);
		if (m->def[id])
			FAIL(SPB_E_ID_TWICE, at, "%s defines %%%u, which the %s at word %u already defines",
			     spb_op_name(spb_op(m, at)), id, spb_op_name(spb_def_op(m, id)), m->def[id]);
		if (p->forward)
			check_forward(p, at, id);
		m->def[id] = at;
	}
}

static void enter_section(struct parse *p, spb_at at, uint32_t op, const struct spb_op_facts *facts)
{
	struct spb_module *m = p->m;
	int section = facts->section;
	spb_at begin = spb_begin_of_lines(&p->lines, at, facts->flags);

	if (section == SPB_SECTION_ANY || section == p->section)
		return;
	if (facts->flags & SPB_OP_IN_BODIES && p->state != OUTSIDE)
		return;
	if (section < p->section) {
		FAIL(SPB_E_SECTION, at,
		     "%s appears too late in the module (SPIR-V 2.4, \"Logical Layout of a Module\")", spb_op_name(op));
	}
	while (p->section < section)
		m->section[++p->section] = begin;
}

/* The begin and end of source places. spirv-opt leaves them wherever OpLine may be, which is also outside blocks: after
 * terminators in modules of Slang, before the first label in modules of glslang from HLSL. */
static bool is_debug_place(const struct spb_module *m, spb_at at)
{
	if (!is_debug_info(m, at))
		return false;
	switch (m->words[at + 4]) {
	case NonSemanticShaderDebugInfo100DebugScope:
	case NonSemanticShaderDebugInfo100DebugNoScope:
	case NonSemanticShaderDebugInfo100DebugLine:
	case NonSemanticShaderDebugInfo100DebugNoLine:
		return true;
	default:
		return false;
	}
}

/* SPIR-V 2.4, "Logical Layout of a Module": functions consist of blocks, and blocks end in a terminator. */
static void follow_function(struct parse *p, spb_at at, uint32_t op, uint32_t flags)
{
	struct spb_module *m = p->m;
	struct spb_function *f = p->functions.count ? &p->functions.items[p->functions.count - 1] : NULL;
	bool fits;

	if (!(flags & (SPB_OP_FRAME | SPB_OP_TERMINATOR)) && (p->state == OUTSIDE || p->state == BLOCK))
		return;
	switch (op) {
	case SpvOpFunction:
		fits = p->state == OUTSIDE;
		p->state = PARAMETERS;
		break;
	case SpvOpFunctionParameter:
		fits = p->state == PARAMETERS;
		break;
	case SpvOpLabel:
		fits = p->state == PARAMETERS || p->state == BETWEEN;
		if (fits && p->state == PARAMETERS)
			f->label = at;
		p->state = BLOCK;
		break;
	case SpvOpFunctionEnd:
		fits = p->state == PARAMETERS || p->state == BETWEEN;
		if (fits)
			f->end = at;
		p->state = OUTSIDE;
		break;
	case OpGraphARM:
		fits = p->state == OUTSIDE;
		p->state = GRAPH;
		break;
	case OpGraphEndARM:
		fits = p->state == GRAPH;
		p->state = OUTSIDE;
		break;
	default:
		if (flags & SPB_OP_TERMINATOR) {
			fits = p->state == BLOCK;
			p->state = BETWEEN;
		} else if (flags & SPB_OP_LINE) {
			return;
		} else { /* DebugFunctionDefinition, for example, is inside blocks; unknown opcodes may be anywhere */
			fits = p->state == BLOCK || p->state == GRAPH || !(flags & SPB_OP_KNOWN) ||
			       p->state == OUTSIDE || is_debug_place(m, at);
		}
		break;
	}
	if (!fits)
		FAIL(SPB_E_FUNCTION, at,
		     "%s cannot appear here: functions consist of blocks that end in a branch, a return or a kill "
		     "(SPIR-V 2.4)",
		     spb_op_name(op));
}

static inline bool is_bindless(uint32_t op)
{
	return op >= SpvOpConvertUToImageNV && op <= SpvOpSamplerImageAddressingModeNV;
}

/* Everything that is not about its place in the module. */
static void see_instruction(struct parse *p, spb_at at, uint32_t op, const struct spb_op_facts *facts, uint32_t length)
{
	struct spb_module *m = p->m;
	uint32_t flags = facts->flags;
	bool defined = see_operands(p, at, facts, length);

	if (flags & (SPB_OP_IS_TYPE | SPB_OP_IS_CONSTANT) && !defined)
		check_all_declared(p, at);
	if (flags & SPB_OP_IS_TYPE)
		check_type(p, at);
	if (flags & (SPB_OP_HAS_TYPE | SPB_OP_HAS_RESULT))
		check_result(p, at, flags);
	if (op == SpvOpVariable && spb_def_op(m, m->words[at + 1]) != SpvOpTypePointer && !m->has_unknown_ops)
		FAIL(SPB_E_NOT_A_TYPE, at, "the type of an OpVariable, %%%u, is not an OpTypePointer",
		     m->words[at + 1]);
	if (op == SpvOpTypeForwardPointer)
		see_forward(p, m->words[at + 1]);
}

/* One instruction, with all checks. */
static void see_with_care(struct parse *p, spb_at at, uint32_t length)
{
	struct spb_module *m = p->m;
	uint32_t op = spb_op(m, at);
	const struct spb_op_facts *facts = spb_op_facts(op);

	if (length == 0 || length > m->count - at)
		FAIL(SPB_E_WORD_COUNT, at, "%s has a length of %u words, but only %u are left in the module",
		     spb_op_name(op), length, m->count - at);
	if (p->lines || facts->flags & SPB_OP_LINE || facts->section != SPB_SECTION_ANY)
		enter_section(p, at, op, facts);
	if (op == SpvOpFunction)
		SPB_PUSH(&m->context->scratch, &p->functions, (struct spb_function){.at = at});
	follow_function(p, at, op, facts->flags);
	p->are_notes = spb_has_notes(facts->section);
	if (!(facts->flags & SPB_OP_KNOWN))
		m->has_unknown_ops = true;
	else
		see_instruction(p, at, op, facts, length);
	m->has_bindless |= is_bindless(op);
	if (op == SpvOpDecorationGroup || op == SpvOpGroupDecorate || op == SpvOpGroupMemberDecorate)
		m->has |= SPB_HAS_GROUPS;
	if (op == SpvOpExtInstImport && strcmp(spb_string(m, at + 2), "GLSL.std.450") != 0)
		m->has |= SPB_HAS_REMARKS;
}

/* What accept_run reads and writes, in local variables. */
struct run {
	enum where { AS_NOTES, AS_GLOBALS, IN_BLOCKS } where;
	struct parse *p;
	const uint32_t *words, *types, *forward;
	uint32_t last, *used, *notes, *in_function; /* last: the largest id */
	spb_at *def;
};

/* Counts a use. Is the id in range? Clears *defined if it is not defined yet. */
static inline bool accept_id(const struct run *r, uint32_t id, bool *defined)
{
	if (id - 1 >= r->last)
		return false;
	if (r->where == AS_NOTES)
		r->notes[id]++;
	if (r->where == IN_BLOCKS)
		spb_set_bit(r->in_function, id);
	if (!r->def[id]) {
		spb_set_bit(r->used, id);
		*defined = false;
	}
	return true;
}

static inline bool accept_operands(const struct run *r, const uint32_t *w, const struct spb_op_facts *facts,
				   uint32_t length, bool *defined)
{
	uint32_t rest, end = facts->end_id < length ? facts->end_id : length;

	if (!spb_fits_row(w, length, facts, &rest))
		return false;
	for (uint32_t i = facts->first_id; i < end; i++) {
		if (!accept_id(r, w[i], defined))
			return false;
	}
	for (; rest < length; rest++) {
		if (!accept_id(r, w[rest], defined))
			return false;
	}
	return true;
}

static inline bool accept_result(const struct run *r, const uint32_t *w, uint32_t flags)
{
	const uint32_t *next = w + 1;

	if (flags & SPB_OP_HAS_TYPE) {
		uint32_t type = *next++;
		if (type - 1 >= r->last || !spb_bit(r->types, type))
			return false;
		if (flags & MAKES_OPAQUE && is_opaque(r->p, type))
			r->p->m->has |= SPB_HAS_OPAQUE_FLOW;
	}
	if (flags & SPB_OP_HAS_RESULT) {
		uint32_t id = *next;
		if (id - 1 >= r->last || r->def[id] || (r->forward && spb_bit(r->forward, id)))
			return false;
		r->def[id] = (spb_at)(w - r->words);
	}
	return true;
}

/* Instructions with checks of their own that accept_run does not know. */
static inline bool has_own_checks(const struct run *r, const uint32_t *w, uint32_t op)
{
	if (op == SpvOpVariable)
		return w[1] - 1 >= r->last || (r->words[r->def[w[1]]] & 0xFFFF) != SpvOpTypePointer;
	if (r->where == AS_NOTES)
		return op >= SpvOpDecorationGroup && op <= SpvOpGroupMemberDecorate;
	return r->where == AS_GLOBALS ? op == SpvOpTypeForwardPointer : is_bindless(op);
}

/* May the instruction come next? In blocks, and between them. */
static inline bool follows(bool *between, uint32_t op, uint32_t flags)
{
	if (*between) {
		*between = op != SpvOpLabel;
		return op == SpvOpLabel;
	}
	*between = flags & SPB_OP_TERMINATOR;
	return flags & (SPB_OP_IN_BLOCK | SPB_OP_TERMINATOR);
}

/* Accepts instructions from `at` on for as long as there is nothing unusual about them, and they are in the current
 * section, or in the blocks of one function. Returns the first that needs care, which diagnoses what is wrong with it,
 * if anything is. Most instructions are accepted here, so this is what makes parsing fast. */
static inline spb_at accept_run(struct parse *p, spb_at at, enum where where)
{
	struct spb_module *m = p->m;
	const struct run r = {where,        p,       m->words,      p->types,       p->forward,
			      m->bound - 1, p->used, m->first_note, m->in_function, m->def};
	const uint32_t count = m->count;
	const int section = p->section;
	bool between = false, before = false;

	for (uint32_t length; at < count; at += length) {
		const uint32_t *w = r.words + at, op = *w & 0xFFFF;
		const struct spb_op_facts *facts = spb_op_facts(op);
		const uint32_t flags = facts->flags;
		bool defined = true;

		before = between;
		length = *w >> 16;
		if (length > count - at || length < facts->min_words)
			break;
		if (where == IN_BLOCKS ? !follows(&between, op, flags) : facts->section != section)
			break;
		if (has_own_checks(&r, w, op) || !accept_operands(&r, w, facts, length, &defined))
			break;
		if (where == AS_GLOBALS) {
			if (!defined && flags & (SPB_OP_IS_TYPE | SPB_OP_IS_CONSTANT))
				break;
			if (flags & SPB_OP_IS_TYPE)
				check_type(p, at);
		}
		if (!accept_result(&r, w, flags))
			break;
		before = between;
	}
	if (where == IN_BLOCKS)
		p->state = before ? BETWEEN : BLOCK;
	m->checked = at;
	return at;
}

static void scan(struct parse *p)
{
	struct spb_module *m = p->m;

	for (spb_at at = 5; at < m->count;) {
		uint32_t length = spb_length(m, at);
		see_with_care(p, at, length);
		m->checked = at += length;
		if (p->state == BLOCK)
			at = accept_run(p, at, IN_BLOCKS);
		else if (p->state == OUTSIDE && !p->lines && p->section == SPB_SECTION_GLOBAL)
			at = accept_run(p, at, AS_GLOBALS);
		else if (p->state == OUTSIDE && !p->lines && spb_has_notes(p->section))
			at = accept_run(p, at, AS_NOTES);
	}
	if (p->state != OUTSIDE)
		FAIL(SPB_E_FUNCTION, 0, "the module ends inside a function; the input may be truncated");
	while (p->section < SPB_SECTION_COUNT)
		m->section[++p->section] = m->count;
}

static noreturn void fail_undefined(const struct spb_module *m, uint32_t id)
{
	for (spb_at at = 5; at < m->count; at = spb_next(m, at)) {
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (spb_operand_is_id(&o) && m->words[o.word] == id)
				FAIL(SPB_E_ID_UNDEFINED, at, "%s uses %%%u, which no instruction defines",
				     spb_op_name(spb_op(m, at)), id);
		}
	}
	FAIL(SPB_E_ID_UNDEFINED, 0, "%%%u is used, but no instruction defines it", id);
}

/* A used id without a definition is legal only if an unknown opcode may define it. */
static void check_defined(struct parse *p)
{
	struct spb_module *m = p->m;

	for (uint32_t i = 0; i <= (m->bound - 1) / 32 && !m->has_unknown_ops; i++) {
		uint32_t id = 32 * i;
		for (uint32_t used = p->used[i]; used; used >>= 1, id++) {
			if (used & 1 && !m->def[id])
				fail_undefined(m, id);
		}
	}
}

/* After a pass that removed definitions: is any of them still used? That can happen only if the module was never valid,
 * or if the pass does not know the use. */
void spb_module_check_defined(const struct spb_module *m)
{
	for (spb_at at = 5; at < m->count && !m->has_unknown_ops; at = spb_next(m, at)) {
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (spb_operand_is_id(&o) && !m->def[m->words[o.word]])
				FAIL(SPB_E_ID_UNDEFINED, at,
				     "%s uses %%%u, which was removed with a shape or dialect that Vulkan does not "
				     "accept; if the module is valid, this is a bug in spirv-bind, please report it",
				     spb_op_name(spb_op(m, at)), m->words[o.word]);
		}
	}
}

/* That of the first OpSource. With -gV and -gVS, glslang writes none, but a DebugCompilationUnit, whose operands are
 * Version, DWARF Version, Source and Language. */
static uint32_t find_source_language(const struct spb_module *m)
{
	uint32_t set;
	uint64_t language;

	for (spb_at at = m->section[SPB_SECTION_SOURCE]; at < m->section[SPB_SECTION_NAME]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpSource)
			return m->words[at + 1];
	}
	set = spb_debug_info(m);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; set && at < m->section[SPB_SECTION_FUNCTION];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtInst && m->words[at + 3] == set && spb_length(m, at) > 8 &&
		    m->words[at + 4] == NonSemanticShaderDebugInfo100DebugCompilationUnit &&
		    spb_constant_value(m, m->words[at + 8], &language))
			return (uint32_t)language;
	}
	return SpvSourceLanguageUnknown;
}

void spb_module_parse(struct spb_module *m, const char *name, const uint32_t *words, size_t count)
{
	struct spb_context *c = m->context;
	struct parse p = {.m = m, .section = -1};

	m->gen[0].context = m->gen[1].context = m->keep.context = c;
	m->name = name;
	check_header(m, words, count);
	m->name = spb_copy_text(&m->keep, name, strlen(name));
	copy_words(m, words, count);
	spb_arena_reset(&c->scratch);
	p.used = spb_bits(&c->scratch, m->bound);
	p.types = spb_bits(&c->scratch, m->bound);
	m->in_function = spb_bits(&m->keep, m->bound);
	m->in_function_bound = m->bound;
	m->def = spb_alloc_zeroed(&m->gen[0], m->bound, sizeof *m->def);
	m->first_note = spb_alloc_zeroed(&m->gen[0], m->bound + 1, sizeof *m->first_note);
	scan(&p);
	check_defined(&p);
	m->function_count = (uint32_t)p.functions.count;
	m->function = spb_alloc_array(&m->gen[0], p.functions.count, sizeof *m->function);
	if (p.functions.count)
		memcpy(m->function, p.functions.items, p.functions.count * sizeof *m->function);
	m->source_language = find_source_language(m);
	spb_index_notes(m);
	m->indexed = true;
}

void spb_module_release(struct spb_module *m)
{
	spb_arena_release(&m->gen[0]);
	spb_arena_release(&m->gen[1]);
	spb_arena_release(&m->keep);
}

void spb_module_check(const struct spb_module *m)
{
#ifndef NDEBUG
	int section = -1;

	assert(m->bound == m->words[3]);
	for (spb_at at = 5; at < m->count; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		assert(spb_length(m, at) && spb_length(m, at) <= m->count - at);
		const struct spb_op_facts *facts = spb_op_facts(op);
		if (section < SPB_SECTION_FUNCTION && facts->section != SPB_SECTION_ANY) {
			assert(facts->section >= section);
			section = facts->section;
		}
		if (!(facts->flags & SPB_OP_KNOWN))
			continue;
		struct spb_operand o = spb_operands(m, at);
		while (spb_operand_next(&o)) {
			assert(!spb_operand_is_id(&o) || (m->words[o.word] && m->words[o.word] < m->bound));
			assert(o.kind != SPB_KIND_RESULT || m->def[m->words[o.word]] == at);
			assert(o.kind != SPB_KIND_ID || m->has_unknown_ops || m->def[m->words[o.word]]);
		}
		assert(!o.bad);
	}
#else
	(void)m;
#endif
}
