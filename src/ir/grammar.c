/* SPDX-License-Identifier: Apache-2.0 */
/* grammar: which words of an instruction are ids, literals or strings.
 *
 * The tables come from the grammar of SPIRV-Headers and from opcodes.txt (scripts/gen_grammar.py). Only this file
 * handles operands that depend on the module:
 *   - OpConstant, OpSpecConstant: the literal is the rest of the instruction;
 *   - OpSwitch: literals are as wide as the type of the selector;
 *   - OpExtInst: the operands are those of the instruction of its set, or ids if the set or the instruction is unknown;
 *   - OpSpecConstantOp: the operands are those of the nested opcode, without type and result;
 *   - masks (ImageOperands, MemoryAccess, LoopControl, ...): parameters follow in the order of the bits. */
#include "ir/ids.h"

struct enumerant_row {
	uint32_t value;
	uint8_t kind;
	uint16_t pattern;
};

struct name_row {
	uint32_t value, name;
};

struct spb_set {
	char name[44];
	uint16_t first, count; /* of instruction_rows, by number */
	bool has_versions;     /* modules append a dot and a version to the name */
	bool has_literals;
};

struct instruction_row {
	uint16_t pattern;
	uint8_t least, most;
};

enum { ANY_WORDS = 255 };

#include "ir/grammar_tables.inc"

const char *spb_grammar_version(void)
{
	return SPB_GRAMMAR_VERSION;
}

const char *spb_op_name(uint32_t op)
{
	return SPB_NAME(op_names[spb_op_facts(op) - spb_op_rows]);
}

static const char *find_name(const struct name_row *rows, size_t count, uint32_t value)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (rows[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && rows[low].value == value ? SPB_NAME(rows[low].name) : "?";
}

const char *spb_capability_name(uint32_t capability)
{
	return find_name(capability_names, SPB_COUNT(capability_names), capability);
}

const char *spb_builtin_name(uint32_t builtin)
{
	return find_name(builtin_names, SPB_COUNT(builtin_names), builtin);
}

const char *spb_storage_class_name(uint32_t storage_class)
{
	return find_name(storage_class_names, SPB_COUNT(storage_class_names), storage_class);
}

const char *spb_image_format_name(uint32_t format)
{
	return find_name(image_format_names, SPB_COUNT(image_format_names), format);
}

/* The pattern of an enumerant's parameters; empty if it has none or is unknown. */
static const uint8_t *parameters(uint8_t kind, uint32_t value)
{
	size_t low = 0, high = SPB_COUNT(enumerant_rows);

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct enumerant_row *row = &enumerant_rows[middle];
		if (row->kind < kind || (row->kind == kind && row->value < value))
			low = middle + 1;
		else
			high = middle;
	}
	if (low < SPB_COUNT(enumerant_rows) && enumerant_rows[low].kind == kind && enumerant_rows[low].value == value)
		return &pattern_bytes[enumerant_rows[low].pattern];
	return &pattern_bytes[0];
}

/* The number of parameters that follow a value of this kind, if all are one-word literals; otherwise -1. */
static int literal_parameters(uint8_t kind, uint32_t value)
{
	int count = 0;

	for (const uint8_t *p = parameters(kind, value); *p; p++, count++) {
		if (*p != SPB_KIND_LITERAL && *p != SPB_KIND_ENUM)
			return -1;
	}
	return count;
}

/* Is the value in word `from` followed only by its parameters, all of them one-word literals? */
static bool ends_in_literals(const uint32_t *w, uint32_t from, uint32_t length, uint8_t kind, const int8_t *few)
{
	int parameters = w[from] < SPB_FEW ? few[w[from]] : literal_parameters(kind, w[from]);
	return parameters >= 0 && length == from + 1 + (uint32_t)parameters;
}

bool spb_fits_tail(const uint32_t *w, uint32_t length, const struct spb_op_facts *facts, uint32_t *rest)
{
	const uint32_t tail = facts->plain;

	switch ((enum spb_tail)facts->tail) {
	case SPB_TAIL_IDS:
		*rest = tail;
		return true;
	case SPB_TAIL_STRING:
		return spb_end_of_string(w, tail, length) == length;
	case SPB_TAIL_STRING_IDS:
		*rest = spb_end_of_string(w, tail, length);
		return *rest <= length;
	case SPB_TAIL_ID_PAIRS:
		*rest = tail;
		return (length - tail) % 2 == 0;
	case SPB_TAIL_MASK:
		return length == tail + 1 && !w[tail];
	case SPB_TAIL_EXECUTION_MODE:
		return ends_in_literals(w, tail, length, SPB_KIND_EXECUTION_MODE, execution_mode_literals);
	case SPB_TAIL_DECORATION:
		return ends_in_literals(w, tail, length, SPB_KIND_DECORATION, spb_decoration_literals);
	case SPB_TAIL_EXT_INST:
		*rest = tail + 1;
		return true;
	case SPB_TAIL_NONE:
	case SPB_TAIL_PATTERN:
		break;
	}
	return false;
}

/* The number of words of an OpSwitch literal, which is as wide as the type of the selector (SPIR-V 3.3.17,
 * "Control-Flow Instructions"); 0 if that is not an integer. */
static uint32_t switch_literal_words(const struct spb_module *m, spb_at at)
{
	uint32_t selector = m->words[at + 1];

	if (selector >= m->bound || !m->def[selector])
		return 0;
	spb_at def = m->def[selector];
	if (!spb_op_is(spb_op(m, def), SPB_OP_HAS_TYPE))
		return 0;
	spb_at type = m->def[m->words[def + 1]];
	if (spb_op(m, type) != SpvOpTypeInt)
		return 0;
	uint32_t width = m->words[type + 2];
	return width >= 1 && width <= 64 ? (width + 31) / 32 : 0;
}

const struct spb_set *spb_find_set(const char *name)
{
	size_t low = 0, high = SPB_COUNT(set_rows);

	while (low < high) {
		const size_t middle = (low + high) / 2;
		const struct spb_set *row = &set_rows[middle];
		const size_t length = strlen(row->name);
		int order = strncmp(row->name, name, length);
		if (!order)
			order = (row->has_versions ? '.' : 0) - (unsigned char)name[length];
		if (!order)
			return row;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

bool spb_has_literals(const struct spb_set *set)
{
	return set && set->has_literals;
}

/* NULL if the set or the number is unknown. */
static const struct instruction_row *find_instruction(const struct spb_set *set, uint32_t number)
{
	if (!set || number >= set->count || !instruction_rows[set->first + number].most)
		return NULL;
	return &instruction_rows[set->first + number];
}

bool spb_fits_instruction(const struct spb_set *set, uint32_t number, uint32_t length)
{
	const struct instruction_row *row = find_instruction(set, number);

	return !row || (length >= row->least && (length <= row->most || row->most == ANY_WORDS));
}

uint32_t spb_least_operands(const struct spb_set *set, uint32_t number)
{
	const struct instruction_row *row = find_instruction(set, number);

	return row ? row->least - 5u : 0;
}

const char *spb_set_name(const struct spb_set *set)
{
	return set->name;
}

const struct spb_set *spb_set_of(const struct spb_module *m, spb_at at)
{
	uint32_t set = m->words[at + 3];
	spb_at import = set < m->bound ? m->def[set] : 0;

	return spb_op(m, import) == SpvOpExtInstImport ? spb_find_set(spb_string(m, import + 2)) : NULL;
}

struct spb_operand spb_operands(const struct spb_module *m, spb_at at)
{
	const struct spb_op_facts *facts = spb_op_facts(spb_op(m, at));
	struct spb_operand o = {
	    .m = m,
	    .at = at,
	    .next = at + 1,
	    .end = at + spb_length(m, at),
	    .op = spb_op(m, at),
	    .pattern = &pattern_bytes[facts->pattern],
	    .inner = &pattern_bytes[0],
	};
	if (!(facts->flags & SPB_OP_KNOWN))
		o.next = o.end; /* kept unchanged, by its length */
	return o;
}

static bool bad(struct spb_operand *o)
{
	o->bad = true;
	return false;
}

static bool take(struct spb_operand *o, uint8_t kind, uint32_t count)
{
	if (!count || count > o->end - o->next)
		return bad(o);
	o->kind = kind;
	o->word = o->next;
	o->count = count;
	o->next += count;
	return true;
}

static bool take_string(struct spb_operand *o)
{
	for (uint32_t n = o->next; n < o->end; n++) {
		uint32_t w = o->m->words[n];
		if (!(w & 0xFF) || !(w & 0xFF00) || !(w & 0xFF0000) ||
		    !(w & 0xFF000000)) /* SPIR-V 2.2.1, "Instructions": it ends in a NUL */
			return take(o, SPB_KIND_STRING, n + 1 - o->next);
	}
	return bad(o);
}

/* The operands of the opcode nested in OpSpecConstantOp, without type and result. */
static const uint8_t *nested_pattern(uint32_t op)
{
	const struct spb_op_facts *facts = spb_op_facts(op);

	if (!(facts->flags & SPB_OP_HAS_TYPE) || !(facts->flags & SPB_OP_HAS_RESULT))
		return NULL;
	return &pattern_bytes[facts->pattern] + 2;
}

static bool take_literal_in_pair(struct spb_operand *o)
{
	uint32_t words = o->op == SpvOpSwitch ? switch_literal_words(o->m, o->at) : 1;

	return take(o, SPB_KIND_CONTEXT_LITERAL, words);
}

/* If the extended instruction is known, continues with its operands. */
static void take_instruction(struct spb_operand *o)
{
	const struct instruction_row *row = NULL;

	if (spb_op_facts(o->op)->tail == SPB_TAIL_EXT_INST) /* and it is not nested in an OpSpecConstantOp */
		row = find_instruction(spb_set_of(o->m, o->at), o->m->words[o->word]);
	if (row)
		o->pattern = &pattern_bytes[row->pattern];
}

static bool take_kind(struct spb_operand *o, uint8_t kind)
{
	switch (kind) {
	case SPB_KIND_STRING:
		return take_string(o);
	case SPB_KIND_CONTEXT_LITERAL:
		return take(o, kind, o->end - o->next);
	case SPB_KIND_SPEC_OP:
		if (!take(o, kind, 1))
			return false;
		o->inner = nested_pattern(o->m->words[o->word]);
		return o->inner ? true : bad(o);
	case SPB_KIND_PAIR_ID_ID:
		o->second = SPB_KIND_ID;
		return take(o, SPB_KIND_ID, 1);
	case SPB_KIND_PAIR_ID_LITERAL:
		o->second = SPB_KIND_LITERAL;
		return take(o, SPB_KIND_ID, 1);
	case SPB_KIND_PAIR_LITERAL_ID:
		o->second = SPB_KIND_ID;
		return take_literal_in_pair(o);
	case SPB_KIND_EXT_INST:
		if (!take(o, kind, 1))
			return false;
		take_instruction(o);
		return true;
	default:
		if (!take(o, kind, 1))
			return false;
		if (kind >= SPB_KIND_FIRST_MASK) {
			o->mask = o->m->words[o->word];
			o->mask_kind = kind;
		} else if (kind > SPB_KIND_ENUM) {
			o->inner = parameters(kind, o->m->words[o->word]);
		}
		return true;
	}
}

bool spb_operand_next(struct spb_operand *o)
{
	if (o->second) {
		uint8_t kind = o->second;
		o->second = 0;
		return take(o, kind, 1);
	}
	for (;;) {
		bool outer = !*o->inner;
		if (outer && o->mask) {
			uint32_t bit = o->mask & (~o->mask + 1);
			o->mask &= o->mask - 1;
			o->inner = parameters(o->mask_kind, bit);
			continue;
		}
		const uint8_t **pattern = outer ? &o->pattern : &o->inner;
		uint8_t kind = **pattern;
		if (!kind)
			return o->next == o->end ? false : bad(o);
		if (o->next == o->end) {
			if (!(kind & (SPB_OPTIONAL | SPB_VARIADIC)))
				return bad(o);
			++*pattern; /* no words are left for it; all that follow must be optional, too */
			continue;
		}
		if (!(kind & SPB_VARIADIC))
			++*pattern;
		return take_kind(o, (uint8_t)(kind & ~(SPB_OPTIONAL | SPB_VARIADIC)));
	}
}
