/* SPDX-License-Identifier: Apache-2.0 */
/* module: turns any bytes into an indexed module or a clear error.
 *
 * All checks on input are in this file, and in see_type.c for types; everywhere else, the invariants documented at
 * struct spb_module are trusted.
 * One walk checks and indexes definitions. Notes are always indexed, uses only when a pass needs them. No allocation
 * depends on an unchecked number of the input: the index takes at most 4 bytes per id, and SPIR-V 2.17, "Universal
 * Limits", limits ids to 4,194,303. */
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "ir/parse.h"

enum { MAX_BOUND = 0x400000, MAX_WORDS = 0x3FFFFFFF };

#define FAIL(code, at, ...) spb_fail(m, SPB_ERROR_INVALID_SPIRV, code, at, __VA_ARGS__)

static void check_header(struct spb_module *m, const uint32_t *words, size_t count)
{
	if (count < 5)
		FAIL(SPB_E_TOO_SHORT, 0,
		     "the input has only %u word%s, but the header of a SPIR-V module alone has 5" SPB_REMEDY
		     "Check that the compiler wrote the whole file.",
		     (unsigned)count, count == 1 ? "" : "s");
	if (words[0] != SpvMagicNumber && words[0] != 0x03022307)
		FAIL(SPB_E_MAGIC, 0,
		     "the first word is 0x%x, not SPIR-V's magic number 0x07230203" SPB_REMEDY
		     "The input has to be a SPIR-V binary.",
		     words[0]);
	if (count > MAX_WORDS)
		FAIL(SPB_E_TOO_LONG, 0, "the module has more than %u words" SPB_REMEDY "Split it.",
		     (unsigned)MAX_WORDS);
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
	uint32_t *copy = spb_alloc_array(&m->keep, count + 1, sizeof *copy);

	if (m->swapped)
		spb_swap_words(copy, words, count);
	else
		memcpy(copy, words, count * sizeof *copy);
	copy[count] = 0; /* stops accept.c */
	spb_set_words(m, &m->keep, copy, (uint32_t)count);
	m->given = copy;
	m->given_count = m->count;
	m->checked = 5;
	if (copy[1] >> 16 != 1 || (copy[1] >> 8 & 0xFF) > 6 || (copy[1] & 0xFF))
		FAIL(SPB_E_VERSION, 0,
		     "version word 0x%x does not name a version from SPIR-V 1.0 to 1.6" SPB_REMEDY
		     "Compile for one of these.",
		     copy[1]);
	if (copy[3] < 1 || copy[3] > MAX_BOUND)
		FAIL(SPB_E_BOUND, 0,
		     "the id bound %u is not in the range 1 to %u" SPB_REMEDY
		     "Compact the ids of the module (spirv-opt --compact-ids).",
		     copy[3], (unsigned)MAX_BOUND);
	m->bound = copy[3];
}

static void check_limits(const struct spb_module *m)
{
	const spb_limits *limits = &m->context->limits;
	uint32_t instructions = 0;

	if (m->bound > limits->ids)
		spb_fail(m, SPB_ERROR_LIMIT, SPB_E_LIMIT, 0,
			 "the id bound is %u, but the host allows %u" SPB_REMEDY
			 "Compact the ids of the module (spirv-opt --compact-ids).",
			 m->bound, limits->ids);
	if (m->count - 5 <= limits->instructions) /* each has a word at least */
		return;
	for (spb_at at = 5; at < m->count && spb_length(m, at); at = spb_next(m, at)) {
		if (instructions++ == limits->instructions)
			spb_fail(
			    m, SPB_ERROR_LIMIT, SPB_E_LIMIT, 0,
			    "the module has more than %u instructions, which is all that the host allows" SPB_REMEDY
			    "Split it.",
			    limits->instructions);
	}
}

/* Is the id defined already? If not, it must be defined later. */
static bool see_use(struct parse *p, spb_at at, uint32_t id)
{
	struct spb_module *m = p->m;

	spb_check_range(p, at, id);
	m->known[id] |= p->state != OUTSIDE ? ID_USED | ID_IN_FUNCTION : ID_USED;
	if (p->are_notes)
		m->first_note[id + 2]++;
	return m->known[id] & ID_DEFINED;
}

/* SPIR-V 2.4, "Logical Layout of a Module": types and constants are declared before their use. The exception is a
 * pointer declared by OpTypeForwardPointer: any type may depend on it, even another pointer. In a module with
 * unknown opcodes, one of them may define an undeclared id; check_forward ensures that it does. */
static void check_declared(struct parse *p, spb_at at, uint32_t id)
{
	struct spb_module *m = p->m;

	if (m->known[id] & (ID_DEFINED | ID_FORWARD))
		return;
	if (!m->has_unknown_ops)
		FAIL(SPB_E_NOT_A_TYPE, at,
		     "%s uses %%%u before its declaration" SPB_REMEDY
		     "Only a pointer that an OpTypeForwardPointer declares can be used before it.",
		     spb_op_name(spb_op(m, at)), id);
	m->known[id] |= ID_FORWARD;
}

/* VUID-StandaloneSpirv-OpTypeForwardPointer-04711: a forward pointer is in PhysicalStorageBuffer. As no other type can
 * be used before its declaration, a type contains itself only through such a pointer, and a walk over types that stops
 * there terminates. */
static void check_forward(const struct parse *p, spb_at at, uint32_t id)
{
	struct spb_module *m = p->m;

	if (m->known[id] & ID_FORWARD &&
	    (spb_op(m, at) != SpvOpTypePointer || m->words[at + 2] != SpvStorageClassPhysicalStorageBuffer))
		FAIL(SPB_E_NOT_A_TYPE, at,
		     "%s defines %%%u, which a type or constant before it uses" SPB_REMEDY
		     "Only an OpTypePointer to PhysicalStorageBuffer that an OpTypeForwardPointer declares can be used "
		     "before its declaration.",
		     spb_op_name(spb_op(m, at)), id);
}

/* o: the operand that is missing or does not match. */
static noreturn void fail_operands(const struct spb_module *m, spb_at at, const struct spb_operand *o)
{
	if (spb_op_facts(o->op)->tail == SPB_TAIL_EXT_INST && spb_length(m, at) > 4) {
		const struct spb_set *set = spb_set_of(m, at);
		const uint32_t number = m->words[at + 4], operands = spb_length(m, at) - 5;
		const uint32_t least = spb_least_operands(set, number);
		if (operands < least)
			FAIL(SPB_E_OPERANDS, at, "instruction %u of %s has %u operand%s, but needs at least %u", number,
			     spb_set_name(set), operands, operands == 1 ? "" : "s", least);
		if (set)
			FAIL(SPB_E_OPERANDS, at,
			     "the operands of instruction %u of %s do not match its grammar from word %u of the "
			     "OpExtInst on",
			     number, spb_set_name(set), o->next - at);
	}
	FAIL(SPB_E_OPERANDS, at,
	     "the operands of %s do not match the grammar of SPIR-V %s from word %u of the instruction on",
	     spb_op_name(o->op), spb_grammar_version(), o->next - at);
}

/* Operands whose positions only the pattern of the grammar gives. */
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
		fail_operands(m, at, &o);
	return defined;
}

/* An OpExtInst with an unusual set or operands. */
static bool see_extended(struct parse *p, spb_at at)
{
	struct spb_module *m = p->m;
	bool defined = see_pattern(p, at);

	if (spb_def_op(m, m->words[at + 3]) != SpvOpExtInstImport && !m->has_unknown_ops)
		FAIL(SPB_E_OPERANDS, at,
		     "%s executes an instruction of %%%u, which is not an OpExtInstImport before it",
		     spb_op_name(spb_op(m, at)), m->words[at + 3]);
	return defined;
}

/* All ids except the result and its type. Are they defined already? */
static bool see_operands(struct parse *p, spb_at at, const struct spb_op_facts *facts, uint32_t length)
{
	struct spb_module *m = p->m;
	const uint32_t *w = m->words + at;
	uint32_t rest, end = facts->end_id < length ? facts->end_id : length;
	bool defined = true;

	if (length < facts->min_words)
		FAIL(SPB_E_OPERANDS, at, "%s has %u words, but needs at least %u", spb_op_name(spb_op(m, at)), length,
		     (unsigned)facts->min_words);
	if (facts->tail == SPB_TAIL_EXT_INST && (m->has_literals || !spb_fits_set(p, w, length)))
		return see_extended(p, at);
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

static void check_result(struct parse *p, spb_at at, uint32_t flags, uint8_t known)
{
	struct spb_module *m = p->m;
	uint32_t word = at + 1;

	if (flags & SPB_OP_HAS_TYPE) {
		uint32_t type = m->words[word++];
		spb_check_range(p, at, type);
		if (!(m->known[type] & ID_TYPE) && !m->has_unknown_ops)
			FAIL(SPB_E_NOT_A_TYPE, at, "the result type of %s, %%%u, is not a type declared before it",
			     spb_op_name(spb_op(m, at)), type);
		if (flags & MAKES_OPAQUE && m->known[type] & ID_OPAQUE)
			m->has |= SPB_HAS_OPAQUE_FLOW;
	}
	if (flags & SPB_OP_HAS_RESULT) {
		uint32_t id = m->words[word];
		spb_check_range(p, at, id);
		if (m->def[id])
			FAIL(SPB_E_ID_TWICE, at, "%s defines %%%u, which the %s at word %u already defines",
			     spb_op_name(spb_op(m, at)), id, spb_op_name(spb_def_op(m, id)), m->def[id]);
		check_forward(p, at, id);
		m->known[id] |= ID_DEFINED | known;
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
	if (section < p->section && spb_is_remark(m, at))
		return;
	if (section < p->section) {
		FAIL(SPB_E_SECTION, at,
		     "%s appears too late in the module (SPIR-V 2.4, \"Logical Layout of a Module\")", spb_op_name(op));
	}
	spb_begin_section(p, section, begin);
}

/* Does it compute something? Nothing may before the first function. */
static bool is_for_blocks(const struct spb_module *m, spb_at at, uint32_t op, uint32_t flags)
{
	if (op != SpvOpExtInst)
		return flags & SPB_OP_IN_BLOCK;
	return spb_length(m, at) > 4 && m->words[at + 3] < m->bound &&
	       spb_def_op(m, m->words[at + 3]) == SpvOpExtInstImport && !spb_is_non_semantic(m, at);
}

/* SPIR-V 2.4, "Logical Layout of a Module": functions consist of blocks, and blocks end in a terminator. */
static void follow_function(struct parse *p, spb_at at, uint32_t op, uint32_t flags)
{
	struct spb_module *m = p->m;
	struct spb_function *f = p->functions.count ? &p->functions.items[p->functions.count - 1] : NULL;
	bool fits;

	if (!(flags & (SPB_OP_FRAME | SPB_OP_TERMINATOR)) &&
	    (p->state == BLOCK || (p->section != SPB_SECTION_FUNCTION && !is_for_blocks(m, at, op, flags))))
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
			f->body = at;
		p->state = BLOCK;
		break;
	case SpvOpFunctionEnd:
		fits = p->state == PARAMETERS || p->state == BETWEEN;
		if (fits)
			spb_end_function(f, at);
		p->state = OUTSIDE;
		break;
	case OpGraphEntryPointARM:
		fits = p->state == OUTSIDE;
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
		} else if (flags & SPB_OP_LINE || op == SpvOpNop) {
			return;
		} else { /* DebugFunctionDefinition, for example, is inside blocks; unknown opcodes may be anywhere */
			fits =
			    p->state == BLOCK || p->state == GRAPH || !(flags & SPB_OP_KNOWN) || spb_is_remark(m, at);
		}
		break;
	}
	if (!fits)
		FAIL(SPB_E_FUNCTION, at,
		     "%s cannot appear here: functions consist of blocks that end in a branch, a return or a kill "
		     "(SPIR-V 2.4)",
		     spb_op_name(op));
}

static void see_import(struct parse *p, spb_at at)
{
	struct spb_module *m = p->m;
	const char *name = spb_string(m, at + 2);
	const struct spb_set *set = spb_find_set(name);

	if (strcmp(name, "GLSL.std.450") != 0)
		m->has |= SPB_HAS_REMARKS;
	m->has_literals |= spb_has_literals(set);
	if (p->set_count < SPB_FEW_SETS) {
		p->sets[p->set_count].id = m->words[at + 1];
		p->sets[p->set_count].computes = !spb_is_non_semantic_set(name);
		p->sets[p->set_count++].set = set;
	}
}

/* Records features that passes look for. */
static void see_feature(struct parse *p, spb_at at, uint32_t op)
{
	struct spb_module *m = p->m;

	switch (op) {
	case SpvOpDecorate:
	case SpvOpMemberDecorate:
		m->has |= spb_features_of_decoration(m->words + at);
		break;
	case SpvOpDecorationGroup:
	case SpvOpGroupDecorate:
	case SpvOpGroupMemberDecorate:
		m->has |= SPB_HAS_GROUPS;
		break;
	case SpvOpExtInstImport:
		see_import(p, at);
		break;
	default:
		m->has_bindless |= op >= SpvOpConvertUToImageNV && op <= SpvOpSamplerImageAddressingModeNV;
		break;
	}
}

/* All checks that do not depend on the position in the module. */
static void see_instruction(struct parse *p, spb_at at, uint32_t op, const struct spb_op_facts *facts, uint32_t length)
{
	struct spb_module *m = p->m;
	uint32_t flags = facts->flags;
	bool defined = see_operands(p, at, facts, length);

	if (flags & (SPB_OP_IS_TYPE | SPB_OP_IS_CONSTANT) && !defined)
		check_all_declared(p, at);
	uint8_t known = flags & SPB_OP_IS_TYPE ? spb_see_type(p, at, flags) : 0;
	if (flags & (SPB_OP_HAS_TYPE | SPB_OP_HAS_RESULT))
		check_result(p, at, flags, known);
	if (op == SpvOpVariable && !spb_see_variable(p, at) && !m->has_unknown_ops)
		FAIL(SPB_E_NOT_A_TYPE, at, "the type of an OpVariable, %%%u, is not an OpTypePointer",
		     m->words[at + 1]);
	if (p->state == OUTSIDE && spb_declares_resource(m->words + at))
		SPB_PUSH(&m->context->scratch, &p->variables, at);
	if (op == SpvOpFunctionCall)
		SPB_PUSH(&m->context->scratch, &p->calls, at);
	if (op == SpvOpTypeForwardPointer)
		m->known[m->words[at + 1]] |= ID_FORWARD;
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
	see_feature(p, at, op);
}

/* May accept.c continue? It needs a section, cannot handle lines before the next section, and knows no sets with
 * literals. */
static bool may_be_ordinary(const struct parse *p)
{
	return !p->m->has_literals && p->section >= 0 && (!p->lines || p->section == SPB_SECTION_FUNCTION);
}

static void scan(struct parse *p)
{
	struct spb_module *m = p->m;

	for (spb_at at = 5; at < m->count;) {
		uint32_t length = spb_length(m, at);
		see_with_care(p, at, length);
		m->checked = at += length;
		if (may_be_ordinary(p))
			m->checked = at = spb_accept_run(p, at);
	}
	if (p->state != OUTSIDE)
		FAIL(SPB_E_FUNCTION, 0, "the module ends inside a function" SPB_REMEDY "The input may be truncated.");
	spb_begin_section(p, SPB_SECTION_COUNT, m->count);
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

/* Is there a used id without a definition? Tests eight at a time. */
static bool is_any_undefined(const struct spb_module *m)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t undefined = 0;
	uint32_t id = 0;

	for (; m->bound - id >= sizeof undefined; id += sizeof undefined) {
		uint64_t known;
		memcpy(&known, m->known + id, sizeof known);
		undefined |= known / ID_USED & ~(known / ID_DEFINED) & each;
	}
	for (; id < m->bound; id++)
		undefined |= (m->known[id] & (ID_USED | ID_DEFINED)) == ID_USED;
	return undefined != 0;
}

/* A used id without a definition is legal only if an unknown opcode may define it. */
static void check_defined(const struct spb_module *m)
{
	if (!is_any_undefined(m) || m->has_unknown_ops)
		return;
	for (uint32_t id = 0; id < m->bound; id++) {
		if ((m->known[id] & (ID_USED | ID_DEFINED)) == ID_USED)
			fail_undefined(m, id);
	}
}

/* After a pass removed definitions: is one of them still used? That happens only if the module was never valid, or
 * if the pass does not know the use. */
void spb_module_check_defined(const struct spb_module *m)
{
	for (spb_at at = 5; at < m->count && !m->has_unknown_ops; at = spb_next(m, at)) {
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			uint32_t id = m->words[o.word];
			if (spb_operand_is_id(&o) && (id >= m->bound || !m->def[id]))
				FAIL(SPB_E_ID_UNDEFINED, at,
				     "%s uses %%%u, which was removed with a shape or dialect that Vulkan does not "
				     "accept" SPB_REMEDY
				     "If the module is valid, this is a bug in spirv-bind, please report it.",
				     spb_op_name(spb_op(m, at)), id);
		}
	}
}

/* The language of the first OpSource. With -gV and -gVS, glslang writes a DebugCompilationUnit instead, whose
 * operands are Version, DWARF Version, Source and Language. */
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
		if (spb_op(m, at) == SpvOpExtInst && m->words[at + 3] == set &&
		    m->words[at + 4] == NonSemanticShaderDebugInfo100DebugCompilationUnit &&
		    spb_constant_value(m, m->words[at + 8], &language))
			return (uint32_t)language;
	}
	return SpvSourceLanguageUnknown;
}

static spb_at *keep_places(struct spb_module *m, const spb_at *places, size_t count)
{
	spb_at *kept = count ? spb_alloc_array(spb_arena_of_index(m), count, sizeof *kept) : NULL;

	return count ? memcpy(kept, places, count * sizeof *kept) : NULL;
}

/* Copies the lists whose lengths are known only now. */
static void keep_lists(const struct parse *p)
{
	struct spb_module *m = p->m;

	m->function_count = (uint32_t)p->functions.count;
	m->function = spb_alloc_array(spb_arena_of_index(m), p->functions.count, sizeof *m->function);
	if (p->functions.count)
		memcpy(m->function, p->functions.items, p->functions.count * sizeof *m->function);
	m->call_count = (uint32_t)p->calls.count;
	m->call = keep_places(m, p->calls.items, p->calls.count);
	m->variable_count = (uint32_t)p->variables.count;
	m->variable = keep_places(m, p->variables.items, p->variables.count);
}

void spb_module_parse(struct spb_module *m, const char *name, const uint32_t *words, size_t count)
{
	struct spb_context *c = m->context;
	struct parse p = {.m = m, .rows = spb_op_rows, .section = -1, .state = OUTSIDE};

	m->gen[0] = m->gen[1] =
	    (struct spb_arena){.context = c, .next = m->shared ? SPB_SMALL_ARENA / 8 : SPB_SMALL_ARENA};
	m->keep = (struct spb_arena){.context = c, .next = m->shared ? SPB_SMALL_ARENA / 8 : SPB_SMALL_ARENA / 2};
	m->name = name;
	check_header(m, words, count);
	copy_words(m, words, count);
	check_limits(m);
	m->known = spb_alloc_zeroed(m->shared ? &m->shared->arena : &m->keep, m->bound, sizeof *m->known);
	m->known_bound = m->bound;
	if (!m->shared_keep)                                           /* which holds the name already */
		m->name = spb_copy_text(&m->keep, name, strlen(name)); /* in the space after it */
	spb_arena_reset(&c->scratch);
	spb_begin_index(m);
	scan(&p);
	check_defined(m);
	keep_lists(&p);
	m->source_language = find_source_language(m);
	spb_index_notes(m);
	m->indexed = true;
}

void spb_module_settle(struct spb_module *m)
{
	spb_arena_release(&m->gen[!m->current]);
}

void spb_module_release(struct spb_module *m)
{
	spb_module_leave_shared(m);
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
