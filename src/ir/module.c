/* SPDX-License-Identifier: Apache-2.0 */
/* module: turns any bytes into an indexed module or a clear error.
 *
 * All checks on input are in this file; everywhere else, the invariants documented at struct spb_module are trusted.
 * One walk checks and indexes definitions. Notes are always indexed, uses only when a pass asks. No allocation depends
 * on a number in the input that has not been checked: the index takes at most 4 bytes per id, and SPIR-V 2.17,
 * "Universal Limits", limits ids to 4,194,303. */
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "ir/ids.h"

enum { MAX_BOUND = 0x400000, MAX_WORDS = 0x3FFFFFFF };

struct parse {
	struct spb_module *m;
	uint32_t *used;
	int section;
	enum { OUTSIDE, PARAMETERS, BLOCK, BETWEEN, GRAPH } state;
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

static void copy_words(struct spb_module *m, const uint32_t *words, size_t count)
{
	uint32_t *copy = spb_alloc_array(&m->keep, count, sizeof *copy);

	if (m->swapped)
		spb_swap_words(copy, words, count);
	else
		memcpy(copy, words, count * sizeof *copy);
	m->words = m->given = copy;
	m->count = m->given_count = (uint32_t)count;
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
static void check_id(const struct parse *p, spb_at at, uint32_t id)
{
	struct spb_module *m = p->m;

	if (id == 0 || id >= m->bound)
		FAIL(SPB_E_ID_RANGE, at, "%s names id %u, which is not in the range 1 to %u%s",
		     spb_op_name(spb_op(m, at)), id, m->bound - 1,
		     is_debug_info(m, at) ? "; the front end wrote invalid debug information, so compile with -g "
					    "instead of -gV or -gVS"
					  : "");
}

static inline void see_use(struct parse *p, spb_at at, uint32_t id)
{
	check_id(p, at, id);
	spb_set_bit(p->used, id);
	if (p->state != OUTSIDE)
		spb_set_bit(p->m->in_function, id);
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

	if (p->forward && spb_bit(p->forward, id) &&
	    (spb_op(m, at) != SpvOpTypePointer || m->words[at + 2] != SpvStorageClassPhysicalStorageBuffer))
		FAIL(SPB_E_NOT_A_TYPE, at,
		     "%s defines %%%u, which a type or constant before it uses; only an OpTypePointer to "
		     "PhysicalStorageBuffer that an OpTypeForwardPointer declares can be used before its declaration",
		     spb_op_name(spb_op(m, at)), id);
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
	if (wanted && spb_def_op(m, w[2]) != wanted)
		FAIL(SPB_E_NOT_A_TYPE, at, "%s is made of %%%u, which is not an %s", spb_op_name(spb_op(m, at)), w[2],
		     spb_op_name(wanted));
}

static void check_operands(struct parse *p, spb_at at, const struct spb_op_facts *facts, uint32_t length)
{
	struct spb_module *m = p->m;
	struct spb_operand o;
	struct spb_ids i;

	if (length < facts->min_words)
		FAIL(SPB_E_OPERANDS, at, "%s has %u words, but needs at least %u", spb_op_name(spb_op(m, at)), length,
		     (unsigned)facts->min_words);
	for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);)
		see_use(p, at, m->words[i.word]);
	if (i.o && o.bad)
		FAIL(SPB_E_OPERANDS, at,
		     "the operands of %s do not match the grammar of SPIR-V %s from word %u of the instruction on",
		     spb_op_name(spb_op(m, at)), spb_grammar_version(), o.next - at);
	if (facts->flags & (SPB_OP_IS_TYPE | SPB_OP_IS_CONSTANT)) {
		for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);)
			check_declared(p, at, m->words[i.word]);
	}
}

static void check_result(struct parse *p, spb_at at, uint32_t flags)
{
	struct spb_module *m = p->m;
	uint32_t word = at + 1;

	if (flags & SPB_OP_HAS_TYPE) {
		uint32_t type = m->words[word++];
		check_id(p, at, type);
		spb_set_bit(p->used, type);
		if (!spb_op_is(spb_def_op(m, type), SPB_OP_IS_TYPE) && !m->has_unknown_ops)
			FAIL(SPB_E_NOT_A_TYPE, at, "the result type of %s, %%%u, is not a type declared before it",
			     spb_op_name(spb_op(m, at)), type);
	}
	if (flags & SPB_OP_HAS_RESULT) {
		uint32_t id = m->words[word];
		check_id(p, at, id);
		if (m->def[id])
			FAIL(SPB_E_ID_TWICE, at, "%s defines %%%u, which the %s at word %u already defines",
			     spb_op_name(spb_op(m, at)), id, spb_op_name(spb_def_op(m, id)), m->def[id]);
		check_forward(p, at, id);
		m->def[id] = at;
	}
}

/* An OpLine belongs to what follows it, so a section begins at the lines before its first instruction. */
static spb_at begin_of_lines(spb_at *lines, spb_at at, uint32_t op)
{
	spb_at begin = *lines ? *lines : at;

	*lines = spb_op_is(op, SPB_OP_LINE) ? begin : 0;
	return begin;
}

static void enter_section(struct parse *p, spb_at at, uint32_t op, const struct spb_op_facts *facts)
{
	struct spb_module *m = p->m;
	int section = facts->section;
	spb_at begin = begin_of_lines(&p->lines, at, op);

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

static void scan(struct parse *p)
{
	struct spb_module *m = p->m;
	struct spb_function none = {0};

	for (spb_at at = 5; at < m->count;) {
		uint32_t op = spb_op(m, at), length = spb_length(m, at);
		const struct spb_op_facts *facts = spb_op_facts(op);
		uint32_t flags = facts->flags;

		if (length == 0 || length > m->count - at)
			FAIL(SPB_E_WORD_COUNT, at, "%s has a length of %u words, but only %u are left in the module",
			     spb_op_name(op), length, m->count - at);
		if (p->lines || flags & SPB_OP_LINE || facts->section != SPB_SECTION_ANY)
			enter_section(p, at, op, facts);
		if (op == SpvOpFunction) {
			none.at = at;
			SPB_PUSH(&m->context->scratch, &p->functions, none);
		}
		if (flags & (SPB_OP_FRAME | SPB_OP_TERMINATOR) || !(p->state == OUTSIDE || p->state == BLOCK))
			follow_function(p, at, op, flags);
		if (!(flags & SPB_OP_KNOWN)) {
			m->has_unknown_ops = true;
		} else {
			if (op >= SpvOpConvertUToImageNV && op <= SpvOpSamplerImageAddressingModeNV)
				m->has_bindless = true;
			check_operands(p, at, facts, length);
			if (flags & SPB_OP_IS_TYPE)
				check_type(p, at);
			if (flags & (SPB_OP_HAS_TYPE | SPB_OP_HAS_RESULT))
				check_result(p, at, flags);
			if (op == SpvOpTypeForwardPointer)
				see_forward(p, m->words[at + 1]);
			if (op == SpvOpVariable && spb_def_op(m, m->words[at + 1]) != SpvOpTypePointer &&
			    !m->has_unknown_ops)
				FAIL(SPB_E_NOT_A_TYPE, at, "the type of an OpVariable, %%%u, is not an OpTypePointer",
				     m->words[at + 1]);
		}
		at += length;
		m->checked = at;
	}
	if (p->state != OUTSIDE)
		FAIL(SPB_E_FUNCTION, 0, "the module ends inside a function; the input may be truncated");
	while (p->section < SPB_SECTION_COUNT)
		m->section[++p->section] = m->count;
}

/* A used id without a definition is legal only if an unknown opcode may define it. */
static void check_defined(struct parse *p)
{
	struct spb_module *m = p->m;

	if (m->has_unknown_ops)
		return;
	for (uint32_t id = 1; id < m->bound; id++) {
		if (!spb_bit(p->used, id) || m->def[id])
			continue;
		for (spb_at at = 5; at < m->count; at = spb_next(m, at)) {
			for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
				if (spb_operand_is_id(&o) && m->words[o.word] == id)
					FAIL(SPB_E_ID_UNDEFINED, at, "%s uses %%%u, which no instruction defines",
					     spb_op_name(spb_op(m, at)), id);
			}
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

static int by_decoration(const void *a, const void *b)
{
	const struct spb_decorated *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->decoration > y->decoration) - (x->decoration < y->decoration);
}

/* Makes a query for a decoration faster than a walk over all notes of a block with thousands of members. */
static void index_decorations(struct spb_module *m)
{
	struct spb_arena *arena = &m->gen[m->current];
	SPB_LIST(struct spb_decorated) list = {0};

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		uint32_t id = spb_op(m, at) == SpvOpDecorate ? m->words[at + 1] : 0;
		if (id && m->first_note[id + 1] - m->first_note[id] > SPB_MANY_NOTES)
			SPB_PUSH(arena, &list, ((struct spb_decorated){id, m->words[at + 2], at}));
	}
	spb_sort(arena, list.items, list.count, sizeof *list.items, by_decoration);
	m->decorated = list.items;
	m->decorated_count = (uint32_t)list.count;
}

/* Notes are uses before the GLOBAL section, almost all of them decorations and names. */
static void index_notes(struct spb_module *m)
{
	struct spb_arena *arena = &m->gen[m->current];
	spb_at end = m->section[SPB_SECTION_GLOBAL];
	struct spb_operand o;
	struct spb_ids i;
	uint32_t *first = spb_alloc_zeroed(arena, m->bound + 1, sizeof *first), most = 0;

	m->first_note = first;
	m->decorated_count = 0;
	for (int fill = 0; fill < 2; fill++) {
		for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < end; at = spb_next(m, at)) {
			for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);) {
				if (fill)
					m->note[first[m->words[i.word]]++] = (struct spb_use){at, i.word};
				else
					first[m->words[i.word]]++;
			}
		}
		if (fill) { /* first[id] is now the end of id's run, which is the beginning of the next one */
			memmove(first + 1, first, m->bound * sizeof *first);
			first[0] = 0;
		} else {
			uint32_t total = 0;
			for (uint32_t id = 0; id <= m->bound; id++) {
				uint32_t n = first[id];
				most = n > most ? n : most;
				first[id] = total;
				total += n;
			}
			m->note = spb_alloc_array(arena, total, sizeof *m->note);
		}
	}
	if (most > SPB_MANY_NOTES)
		index_decorations(m);
}

/* Uses from the GLOBAL section on, except result types, since nothing asks for the values of a type. */
static void index_uses(struct spb_module *m)
{
	struct spb_arena *arena = &m->gen[m->current];
	uint32_t *first_use = spb_alloc_zeroed(arena, m->bound + 1, sizeof *first_use);
	struct spb_operand o;
	struct spb_ids i;

	for (int fill = 0; fill < 2; fill++) {
		for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->count; at = spb_next(m, at)) {
			for (spb_ids_begin(&i, &o, m, at); spb_id_next(&i);) {
				if (fill)
					m->use[first_use[m->words[i.word]]++] = (struct spb_use){at, i.word};
				else
					first_use[m->words[i.word]]++;
			}
		}
		if (fill) {
			memmove(first_use + 1, first_use, m->bound * sizeof *first_use);
			first_use[0] = 0;
		} else {
			uint32_t total = 0;
			for (uint32_t id = 0; id <= m->bound; id++) {
				uint32_t n = first_use[id];
				first_use[id] = total;
				total += n;
			}
			m->use = spb_alloc_array(arena, total, sizeof *m->use);
		}
	}
	m->first_use = first_use;
}

void spb_module_need_uses(struct spb_module *m)
{
	spb_module_need_index(m);
	if (!m->first_use)
		index_uses(m);
}

void spb_module_drop_index(struct spb_module *m)
{
	m->indexed = false;
	m->def = NULL;
	m->first_note = m->first_use = NULL;
	m->note = m->use = NULL;
	m->decorated = NULL;
	m->function = NULL;
	m->decorated_count = m->function_count = 0;
}

/* Indexes definitions, sections and functions of words that are known to be valid. */
void spb_module_need_index(struct spb_module *m)
{
	if (m->indexed)
		return;
	int section = -1;
	spb_at lines = 0;
	struct spb_arena *arena = &m->gen[m->current];
	SPB_LIST(struct spb_function) functions = {0};

	m->bound = m->words[3];
	m->def = spb_alloc_zeroed(arena, m->bound, sizeof *m->def);
	m->first_use = NULL;
	for (spb_at at = 5; at < m->count; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at), flags = spb_op_facts(op)->flags;
		if (flags & SPB_OP_HAS_RESULT)
			m->def[m->words[at + (flags & SPB_OP_HAS_TYPE ? 2 : 1)]] = at;
		if (section < SPB_SECTION_FUNCTION) {
			int s = spb_op_facts(op)->section;
			spb_at begin = begin_of_lines(&lines, at, op);
			while (section < s)
				m->section[++section] = begin;
		}
		if (op == SpvOpFunction)
			SPB_PUSH(arena, &functions, (struct spb_function){.at = at});
		else if (op == SpvOpFunctionEnd)
			functions.items[functions.count - 1].end = at;
		else if (op == SpvOpLabel && !functions.items[functions.count - 1].label)
			functions.items[functions.count - 1].label = at;
	}
	while (section < SPB_SECTION_COUNT)
		m->section[++section] = m->count;
	m->function = functions.items;
	m->function_count = (uint32_t)functions.count;
	index_notes(m);
	m->indexed = true;
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
	m->in_function = spb_bits(&m->keep, m->bound);
	m->in_function_bound = m->bound;
	m->def = spb_alloc_zeroed(&m->gen[0], m->bound, sizeof *m->def);
	scan(&p);
	check_defined(&p);
	m->function_count = (uint32_t)p.functions.count;
	m->function = spb_alloc_array(&m->gen[0], p.functions.count, sizeof *m->function);
	if (p.functions.count)
		memcpy(m->function, p.functions.items, p.functions.count * sizeof *m->function);
	m->source_language = find_source_language(m);
	index_notes(m);
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
