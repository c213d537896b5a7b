/* SPDX-License-Identifier: Apache-2.0 */
/* fold: the values of integer and Boolean constants. Specialization constants have the values that the pipeline
 * gives them; the others have their defaults, or are unknown.
 *
 *     %N = OpSpecConstant %uint 4                        4
 *     %2N = OpSpecConstantOp %uint IMul %N %uint_2       8
 *
 * SPIR-V 3.49.9, "Constant-Creation Instructions": OpSpecConstantOp is evaluated when the pipeline is created, with
 * the arithmetic of the instruction that it names. A constant is defined after its operands, so one walk over the
 * globals finds every value. A chain of a million operations, or one in which each operation uses the previous one
 * twice, therefore takes time linear in its words. */
#include "ir/ir.h"

static bool is_bool(const struct spb_module *m, uint32_t type)
{
	return spb_def_op(m, type) == SpvOpTypeBool;
}

static uint32_t width_of(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];

	if (spb_op(m, at) != SpvOpTypeInt || m->words[at + 2] > 64)
		return 0;
	return m->words[at + 2];
}

static uint64_t truncated(uint64_t value, uint32_t width)
{
	return width < 64 ? value & (((uint64_t)1 << width) - 1) : value;
}

/* The value as a two's complement number of the given width, extended to 64 bits. */
static uint64_t extended(uint64_t value, uint32_t width)
{
	uint64_t sign = width && width < 64 ? value >> (width - 1) & 1 : 0;

	return sign ? value | ~(((uint64_t)1 << width) - 1) : value;
}

static bool is_negative(uint64_t value)
{
	return value >> 63;
}

static uint64_t negated(uint64_t value)
{
	return ~value + 1;
}

static uint64_t magnitude(uint64_t value)
{
	return is_negative(value) ? negated(value) : value;
}

/* SPIR-V 3.49.13, "Arithmetic Instructions": OpSRem takes the sign of the first operand, OpSMod that of the second.
 * Division by zero and an overflowing quotient are undefined. */
static bool divide(uint32_t op, uint64_t a, uint64_t b, uint64_t *value)
{
	bool is_signed = op == SpvOpSDiv || op == SpvOpSRem || op == SpvOpSMod;
	uint64_t x = is_signed ? magnitude(a) : a, y = is_signed ? magnitude(b) : b;

	if (!b)
		return false;
	if (op == SpvOpUDiv || op == SpvOpSDiv) {
		*value = is_signed && is_negative(a) != is_negative(b) ? negated(x / y) : x / y;
		return true;
	}
	*value = is_signed && is_negative(a) ? negated(x % y) : x % y;
	if (op == SpvOpSMod && *value && is_negative(a) != is_negative(b))
		*value += b;
	return true;
}

/* A shift by the width or more is undefined. */
static bool shift(uint32_t op, uint64_t a, uint64_t b, uint32_t width, uint64_t *value)
{
	if (b >= width)
		return false;
	if (op == SpvOpShiftLeftLogical)
		*value = a << b;
	else if (op == SpvOpShiftRightArithmetic && is_negative(a))
		*value = ~(~a >> b);
	else /* only an arithmetic shift sign-extends its operand; the sign is 0 here */
		*value = truncated(a, width) >> b;
	return true;
}

/* Signed order equals unsigned order with the sign bit flipped. */
static uint64_t ordered(uint64_t value)
{
	return value ^ (uint64_t)1 << 63;
}

/* a and b are sign-extended for signed instructions. `width`: that of the operands. */
static bool compute(uint32_t op, uint64_t a, uint64_t b, uint32_t width, uint64_t *value)
{
	switch (op) {
	case SpvOpUConvert:
	case SpvOpSConvert:
		*value = a;
		return true;
	case SpvOpSNegate:
		*value = negated(a);
		return true;
	case SpvOpNot:
		*value = ~a;
		return true;
	case SpvOpIAdd:
		*value = a + b;
		return true;
	case SpvOpISub:
		*value = a - b;
		return true;
	case SpvOpIMul:
		*value = a * b;
		return true;
	case SpvOpUDiv:
	case SpvOpSDiv:
	case SpvOpUMod:
	case SpvOpSRem:
	case SpvOpSMod:
		return divide(op, a, b, value);
	case SpvOpShiftLeftLogical:
	case SpvOpShiftRightLogical:
	case SpvOpShiftRightArithmetic:
		return shift(op, a, b, width, value);
	case SpvOpBitwiseOr:
	case SpvOpLogicalOr:
		*value = a | b;
		return true;
	case SpvOpBitwiseXor:
		*value = a ^ b;
		return true;
	case SpvOpBitwiseAnd:
	case SpvOpLogicalAnd:
		*value = a & b;
		return true;
	case SpvOpLogicalNot:
		*value = !a;
		return true;
	case SpvOpLogicalEqual:
	case SpvOpIEqual:
		*value = a == b;
		return true;
	case SpvOpLogicalNotEqual:
	case SpvOpINotEqual:
		*value = a != b;
		return true;
	case SpvOpUGreaterThan:
		*value = a > b;
		return true;
	case SpvOpUGreaterThanEqual:
		*value = a >= b;
		return true;
	case SpvOpULessThan:
		*value = a < b;
		return true;
	case SpvOpULessThanEqual:
		*value = a <= b;
		return true;
	case SpvOpSGreaterThan:
		*value = ordered(a) > ordered(b);
		return true;
	case SpvOpSGreaterThanEqual:
		*value = ordered(a) >= ordered(b);
		return true;
	case SpvOpSLessThan:
		*value = ordered(a) < ordered(b);
		return true;
	case SpvOpSLessThanEqual:
		*value = ordered(a) <= ordered(b);
		return true;
	default:
		return false;
	}
}

static bool reads_signed(uint32_t op)
{
	switch (op) {
	case SpvOpSConvert:
	case SpvOpSDiv:
	case SpvOpSRem:
	case SpvOpSMod:
	case SpvOpShiftRightArithmetic:
	case SpvOpSGreaterThan:
	case SpvOpSGreaterThanEqual:
	case SpvOpSLessThan:
	case SpvOpSLessThanEqual:
		return true;
	default:
		return false;
	}
}

static bool is_composite(uint32_t op)
{
	return op == SpvOpConstantComposite || op == SpvOpSpecConstantComposite;
}

/* OpCompositeExtract from an OpConstantComposite or the like, such as gl_WorkGroupSize.x. */
static bool extract(const struct spb_folded *f, spb_at at, uint64_t *value)
{
	const struct spb_module *m = f->m;
	uint32_t id = m->words[at + 4];

	for (uint32_t w = 5; w < spb_length(m, at); w++) {
		spb_at whole = m->def[id];
		uint32_t index = m->words[at + w];
		if (spb_op(m, whole) == SpvOpConstantNull) {
			*value = 0;
			return true;
		}
		if (!is_composite(spb_op(m, whole)) || index >= spb_length(m, whole) - 3)
			return false;
		id = m->words[whole + 3 + index];
	}
	return spb_folded_value(f, id, value);
}

static bool fold_operation(const struct spb_folded *f, spb_at at, uint64_t *value)
{
	const struct spb_module *m = f->m;
	uint32_t op = m->words[at + 3], operands = spb_length(m, at) - 4, width;
	uint64_t a = 0, b = 0, c = 0;

	if (op == SpvOpCompositeExtract)
		return extract(f, at, value);
	if (!operands || !spb_folded_value(f, m->words[at + 4], &a) ||
	    (operands > 1 && !spb_folded_value(f, m->words[at + 5], &b)) ||
	    (operands > 2 && !spb_folded_value(f, m->words[at + 6], &c)))
		return false;
	if (op == SpvOpSelect) {
		*value = a ? b : c;
		return true;
	}
	width = width_of(m, spb_type_of(m, m->words[at + 4]));
	if (reads_signed(op)) {
		a = extended(a, width);
		if (op != SpvOpShiftRightArithmetic) /* otherwise both have the same width */
			b = extended(b, width);
	}
	return compute(op, a, b, width, value);
}

static bool fold_one(const struct spb_folded *f, spb_at at, uint64_t *value)
{
	const struct spb_module *m = f->m;
	uint32_t id = m->words[at + 2], op = spb_op(m, at);
	bool by_default = op == SpvOpSpecConstant || op == SpvOpSpecConstantTrue || op == SpvOpSpecConstantFalse;
	bool given = by_default && spb_spec_value_of(m, id, value);

	if (by_default && !given && f->no_defaults)
		return false;
	if (given && op != SpvOpSpecConstant) {
		*value = *value != 0;
		return true;
	}
	switch (op) {
	case SpvOpConstant:
	case SpvOpSpecConstant:
		return spb_constant_value(m, id, value);
	case SpvOpConstantTrue:
	case SpvOpSpecConstantTrue:
		*value = 1;
		return true;
	case SpvOpConstantFalse:
	case SpvOpSpecConstantFalse:
	case SpvOpConstantNull:
		*value = 0;
		return true;
	case SpvOpSpecConstantOp:
		return fold_operation(f, at, value);
	default:
		return false;
	}
}

static struct spb_folded fold(const struct spb_module *m, bool no_defaults, struct spb_arena *arena)
{
	struct spb_folded f = {
	    .m = m, .value = spb_alloc_array(arena, m->bound, sizeof *f.value), .no_defaults = no_defaults};

	f.known = spb_bits(arena, m->bound);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint64_t value;
		if (!spb_op_is(spb_op(m, at), SPB_OP_IS_CONSTANT))
			continue;
		uint32_t type = m->words[at + 1], width = is_bool(m, type) ? 1 : width_of(m, type);
		if (!width || !fold_one(&f, at, &value))
			continue;
		f.value[m->words[at + 2]] = truncated(value, width);
		spb_set_bit(f.known, m->words[at + 2]);
	}
	return f;
}

struct spb_folded spb_fold_constants(const struct spb_module *m, struct spb_arena *arena)
{
	return fold(m, false, arena);
}

struct spb_folded spb_fold_known(const struct spb_module *m, struct spb_arena *arena)
{
	return fold(m, true, arena);
}

bool spb_folded_value(const struct spb_folded *f, uint32_t id, uint64_t *value)
{
	if (!spb_bit(f->known, id))
		return false;
	*value = f->value[id];
	return true;
}

static bool holds(const uint32_t *items, uint32_t count, uint32_t wanted)
{
	for (uint32_t i = 0; i < count; i++) {
		if (items[i] == wanted)
			return true;
	}
	return false;
}

uint32_t spb_spec_ids(const struct spb_module *m, uint32_t id, uint32_t *ids, uint32_t most)
{
	enum { NODES = 64 }; /* in an expression; a source line has fewer */
	uint32_t open[NODES] = {id}, count = 0, seen = 1;

	for (uint32_t next = 0; next < seen; next++) {
		spb_at at = m->def[open[next]];
		uint32_t op = spb_op(m, at), spec = spb_decoration(m, open[next], SpvDecorationSpecId);
		if (spec && count < most && !holds(ids, count, m->words[spec]))
			ids[count++] = m->words[spec];
		if (op != SpvOpSpecConstantOp && op != SpvOpSpecConstantComposite)
			continue;
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			if (o.kind == SPB_KIND_ID && seen < NODES && !holds(open, seen, m->words[o.word]))
				open[seen++] = m->words[o.word];
		}
	}
	return count;
}
