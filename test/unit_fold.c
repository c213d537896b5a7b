/* SPDX-License-Identifier: Apache-2.0 */
/* What OpSpecConstantOp computes, by the rules of SPIR-V for each operation: narrow and wide integers, signs, and what
 * is undefined, for which there is no value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "caught.h"
#include "ir/ir.h"

#define OP(op, count) ((uint32_t)(count) << 16 | (uint32_t)(op))
#define UNDEFINED     0xBAD /* no row has this value */

enum { BOOL = 1, U8, U16, U32, U64, A, B, C, RESULT, VECTOR, STRUCT, MORE, BOUND = 200 };

struct row {
	uint32_t op, result, type, operands; /* the types of the result and of the operands */
	uint64_t a, b, wanted;
};

static const struct row rows[] = {
    {SpvOpUConvert, U32, U8, 1, 0xFF, 0, 0xFF},
    {SpvOpUConvert, U8, U32, 1, 0x1FE, 0, 0xFE},
    {SpvOpSConvert, U32, U8, 1, 0xFE, 0, 0xFFFFFFFE},
    {SpvOpSConvert, U64, U32, 1, 0x80000000, 0, 0xFFFFFFFF80000000},
    {SpvOpSConvert, U64, U32, 1, 0x7FFFFFFF, 0, 0x7FFFFFFF},
    {SpvOpSNegate, U8, U8, 1, 1, 0, 0xFF},
    {SpvOpSNegate, U64, U64, 1, 5, 0, 0xFFFFFFFFFFFFFFFB},
    {SpvOpNot, U16, U16, 1, 0x00F0, 0, 0xFF0F},
    {SpvOpIAdd, U8, U8, 2, 200, 100, 44},
    {SpvOpISub, U32, U32, 2, 1, 2, 0xFFFFFFFF},
    {SpvOpIMul, U64, U64, 2, 0x100000000, 3, 0x300000000},
    {SpvOpUDiv, U32, U32, 2, 0xFFFFFFF9, 2, 0x7FFFFFFC},
    {SpvOpUDiv, U32, U32, 2, 7, 0, UNDEFINED},
    {SpvOpUMod, U32, U32, 2, 0xFFFFFFF9, 10, 9},
    {SpvOpUMod, U32, U32, 2, 7, 0, UNDEFINED},
    {SpvOpSDiv, U8, U8, 2, 0xF9 /* -7 */, 2, 0xFD},
    {SpvOpSDiv, U8, U8, 2, 7, 0xFE /* -2 */, 0xFD},
    {SpvOpSDiv, U8, U8, 2, 0xF9, 0xFE, 3},
    {SpvOpSDiv, U8, U8, 2, 7, 2, 3},
    {SpvOpSDiv, U8, U8, 2, 7, 0, UNDEFINED},
    /* OpSRem has the sign of the first operand, OpSMod that of the second. */
    {SpvOpSRem, U32, U32, 2, 0xFFFFFFF9, 3, 0xFFFFFFFF},
    {SpvOpSRem, U32, U32, 2, 7, 0xFFFFFFFD, 1},
    {SpvOpSRem, U32, U32, 2, 0xFFFFFFF9, 0xFFFFFFFD, 0xFFFFFFFF},
    {SpvOpSRem, U32, U32, 2, 0xFFFFFFFA, 3, 0},
    {SpvOpSMod, U32, U32, 2, 0xFFFFFFF9, 3, 2},
    {SpvOpSMod, U32, U32, 2, 7, 0xFFFFFFFD, 0xFFFFFFFE},
    {SpvOpSMod, U32, U32, 2, 0xFFFFFFF9, 0xFFFFFFFD, 0xFFFFFFFF},
    {SpvOpSMod, U32, U32, 2, 0xFFFFFFFA, 3, 0},
    {SpvOpSMod, U32, U32, 2, 7, 0, UNDEFINED},
    /* A shift by the width or more is undefined, and how far is not signed. */
    {SpvOpShiftLeftLogical, U8, U8, 2, 3, 7, 0x80},
    {SpvOpShiftLeftLogical, U8, U8, 2, 3, 8, UNDEFINED},
    {SpvOpShiftRightLogical, U8, U8, 2, 0x81, 7, 1},
    {SpvOpShiftRightLogical, U8, U8, 2, 0x81, 8, UNDEFINED},
    {SpvOpShiftRightArithmetic, U8, U8, 2, 0x81, 1, 0xC0},
    {SpvOpShiftRightArithmetic, U8, U8, 2, 0x81, 7, 0xFF},
    {SpvOpShiftRightArithmetic, U8, U8, 2, 0x42, 1, 0x21},
    {SpvOpShiftRightArithmetic, U8, U8, 2, 0x81, 8, UNDEFINED},
    {SpvOpShiftRightArithmetic, U8, U8, 2, 0x81, 0xFF, UNDEFINED},
    {SpvOpShiftRightArithmetic, U64, U64, 2, 0x8000000000000000, 63, 0xFFFFFFFFFFFFFFFF},
    {SpvOpBitwiseOr, U8, U8, 2, 5, 3, 7},
    {SpvOpBitwiseXor, U8, U8, 2, 5, 3, 6},
    {SpvOpBitwiseAnd, U8, U8, 2, 5, 3, 1},
    {SpvOpLogicalOr, BOOL, BOOL, 2, 1, 0, 1},
    {SpvOpLogicalOr, BOOL, BOOL, 2, 0, 0, 0},
    {SpvOpLogicalAnd, BOOL, BOOL, 2, 1, 0, 0},
    {SpvOpLogicalAnd, BOOL, BOOL, 2, 1, 1, 1},
    {SpvOpLogicalNot, BOOL, BOOL, 1, 0, 0, 1},
    {SpvOpLogicalNot, BOOL, BOOL, 1, 1, 0, 0},
    {SpvOpLogicalEqual, BOOL, BOOL, 2, 0, 0, 1},
    {SpvOpLogicalEqual, BOOL, BOOL, 2, 0, 1, 0},
    {SpvOpLogicalNotEqual, BOOL, BOOL, 2, 0, 1, 1},
    {SpvOpLogicalNotEqual, BOOL, BOOL, 2, 1, 1, 0},
    {SpvOpIEqual, BOOL, U32, 2, 4, 4, 1},
    {SpvOpIEqual, BOOL, U32, 2, 4, 5, 0},
    {SpvOpINotEqual, BOOL, U32, 2, 4, 5, 1},
    {SpvOpINotEqual, BOOL, U32, 2, 4, 4, 0},
    {SpvOpUGreaterThan, BOOL, U8, 2, 0xFF, 1, 1},
    {SpvOpUGreaterThan, BOOL, U8, 2, 1, 1, 0},
    {SpvOpUGreaterThanEqual, BOOL, U8, 2, 1, 1, 1},
    {SpvOpUGreaterThanEqual, BOOL, U8, 2, 1, 0xFF, 0},
    {SpvOpULessThan, BOOL, U8, 2, 1, 0xFF, 1},
    {SpvOpULessThan, BOOL, U8, 2, 1, 1, 0},
    {SpvOpULessThanEqual, BOOL, U8, 2, 1, 1, 1},
    {SpvOpULessThanEqual, BOOL, U8, 2, 0xFF, 1, 0},
    {SpvOpSGreaterThan, BOOL, U8, 2, 1, 0xFF /* -1 */, 1},
    {SpvOpSGreaterThan, BOOL, U8, 2, 1, 1, 0},
    {SpvOpSGreaterThanEqual, BOOL, U8, 2, 1, 1, 1},
    {SpvOpSGreaterThanEqual, BOOL, U8, 2, 0xFF, 1, 0},
    {SpvOpSLessThan, BOOL, U8, 2, 0xFF, 1, 1},
    {SpvOpSLessThan, BOOL, U8, 2, 1, 1, 0},
    {SpvOpSLessThanEqual, BOOL, U8, 2, 1, 1, 1},
    {SpvOpSLessThanEqual, BOOL, U8, 2, 1, 0xFF, 0},
    {SpvOpSLessThanEqual, BOOL, U64, 2, 0x8000000000000000, 0x7FFFFFFFFFFFFFFF, 1},
    {SpvOpSLessThanEqual, BOOL, U64, 2, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0},
    {SpvOpSDiv, U64, U64, 2, 0xFFFFFFFFFFFFFFFA /* -6 */, 2, 0xFFFFFFFFFFFFFFFD},
    {SpvOpSDiv, U64, U64, 2, 0x6000000000000000, 2, 0x3000000000000000},
    {SpvOpShiftRightLogical, U64, U64, 2, 0x8000000000000000, 1, 0x4000000000000000},
    {SpvOpShiftRightArithmetic, U64, U64, 2, 0x4000000000000000, 1, 0x2000000000000000},
    /* What is none of these is not known. */
    {SpvOpBitCount, U32, U32, 1, 7, 0, UNDEFINED},
};

struct text {
	uint32_t words[1200], count;
};

static void put(struct text *t, uint32_t word)
{
	assert_true(t->count < SPB_COUNT(t->words));
	t->words[t->count++] = word;
}

static void put_all(struct text *t, const uint32_t *words, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		put(t, words[i]);
}

#define PUT(t, ...) put_all(t, (const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

static void put_header(struct text *t)
{
	PUT(t, SpvMagicNumber, 0x00010300, 0, BOUND, 0);
}

static void put_types_only(struct text *t)
{
	PUT(t, OP(SpvOpTypeBool, 2), BOOL);
	for (uint32_t type = U8, width = 8; type <= U64; type++, width *= 2)
		PUT(t, OP(SpvOpTypeInt, 4), type, width, 0);
}

static void put_types(struct text *t)
{
	put_header(t);
	put_types_only(t);
}

static void put_constant(struct text *t, uint32_t type, uint32_t id, uint64_t value)
{
	if (type == BOOL)
		PUT(t, OP(value ? SpvOpConstantTrue : SpvOpConstantFalse, 3), type, id);
	else if (type == U64)
		PUT(t, OP(SpvOpConstant, 5), type, id, (uint32_t)value, (uint32_t)(value >> 32));
	else
		PUT(t, OP(SpvOpConstant, 4), type, id, (uint32_t)value);
}

struct folding {
	struct spb_module m;
	const struct text *t;
	const uint32_t *words; /* instead of *t */
	uint32_t word_count;
	const spb_spec_value *given; /* by the pipeline; NULL: nothing */
	bool no_defaults;
	uint64_t value;
	bool known;
	uint32_t asked, most, ids[100], id_count; /* the ids that `asked` depends on */
};

static void fold(void *argument)
{
	struct folding *k = argument;

	spb_module_parse(&k->m, "m", k->t ? k->t->words : k->words, k->t ? k->t->count : k->word_count);
	k->m.spec_value = k->given;
	k->m.spec_value_count = k->given ? 1 : 0;
	struct spb_folded f = k->no_defaults ? spb_fold_known(&k->m, &k->m.context->scratch)
					     : spb_fold_constants(&k->m, &k->m.context->scratch);
	if (k->asked)
		k->id_count = spb_spec_ids(&k->m, k->asked, k->ids, k->most);
	k->known = spb_folded_value(&f, RESULT, &k->value);
	spb_module_release(&k->m);
}

static void do_fold(struct folding *k)
{
	assert_int_equal(spb_context_create(NULL, NULL, &k->m.context), SPB_OK);
	spb_context *context = k->m.context;
	assert_false(caught(context, fold, k));
	spb_context_destroy(context);
}

/* The value of RESULT, or UNDEFINED. */
static uint64_t value_of(const struct text *t)
{
	struct folding k = {.t = t};

	do_fold(&k);
	return k.known ? k.value : UNDEFINED;
}

static void operations_have_the_values_of_the_specification(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < SPB_COUNT(rows); i++) {
		const struct row *r = &rows[i];
		struct text t = {.count = 0};
		put_types(&t);
		put_constant(&t, r->type, A, r->a);
		put_constant(&t, r->type, B, r->b);
		PUT(&t, OP(SpvOpSpecConstantOp, 4 + r->operands), r->result, RESULT, r->op, A);
		if (r->operands > 1)
			put(&t, B);
		uint64_t value = value_of(&t);
		if (value != r->wanted)
			print_message("row %u: %s\n", i, spb_op_name(r->op));
		assert_int_equal(value, r->wanted);
	}
}

/* Of any width up to 64, also those that no device has. */
static void integers_wrap_at_their_width(void **state)
{
	static const uint32_t widths[] = {1, 7, 31, 32, 33, 62, 63, 64, 65, 128};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(widths); i++) {
		const uint32_t width = widths[i], words = (width + 31) / 32;
		const uint64_t most = UINT64_MAX >> (width < 64 ? 64 - width : 0);
		const struct {
			uint32_t op, type;
			uint64_t value;
		} wanted[] = {{SpvOpIAdd, MORE, 0},
			      {SpvOpISub, MORE, most - 1},
			      {SpvOpSLessThan, BOOL, width > 1},
			      {SpvOpSDiv, MORE, most}}; /* -1 / 1 */
		for (size_t k = 0; k < SPB_COUNT(wanted); k++) {
			struct text t = {.count = 0};
			put_types(&t);
			PUT(&t, OP(SpvOpTypeInt, 4), MORE, width, 1);
			PUT(&t, OP(SpvOpConstant, 3 + words), MORE, A);
			for (uint32_t w = 0; w < words; w++)
				put(&t, w < 2 ? (uint32_t)(most >> 32 * w) : 0);
			PUT(&t, OP(SpvOpConstant, 3 + words), MORE, B, 1);
			for (uint32_t w = 1; w < words; w++)
				put(&t, 0);
			PUT(&t, OP(SpvOpSpecConstantOp, 6), wanted[k].type, RESULT, wanted[k].op, A, B);
			if (width > 64)
				assert_int_equal(value_of(&t), UNDEFINED);
			else
				assert_true(value_of(&t) == wanted[k].value);
		}
	}
}

/* Neither numbers of other types, nor wholes of several. */
static void only_integers_have_values(void **state)
{
	(void)state;
	for (int which = 0; which < 3; which++) {
		struct text t = {.count = 0};
		put_types(&t);
		PUT(&t, OP(SpvOpTypeFloat, 3), MORE, 32);
		put_constant(&t, U32, A, 3);
		if (which == 0)
			PUT(&t, OP(SpvOpConstantNull, 3), MORE, RESULT);
		else if (which == 1)
			PUT(&t, OP(SpvOpConstantComposite, 4), U32, RESULT, A);
		else
			PUT(&t, OP(SpvOpConstant, 4), MORE, RESULT, 5);
		assert_int_equal(value_of(&t), UNDEFINED);
	}
}

static void a_selection_has_the_value_that_its_condition_selects(void **state)
{
	(void)state;
	for (uint32_t condition = 0; condition < 2; condition++) {
		struct text t = {.count = 0};
		put_types(&t);
		put_constant(&t, BOOL, C, condition);
		put_constant(&t, U16, A, 1000);
		put_constant(&t, U16, B, 2000);
		PUT(&t, OP(SpvOpSpecConstantOp, 7), U16, RESULT, SpvOpSelect, C, A, B);
		assert_int_equal(value_of(&t), condition ? 1000 : 2000);
	}
}

/* What no rule computes has no value, and neither has what is computed from it. */
static void what_is_not_known_makes_nothing_known(void **state)
{
	static const uint32_t operations[] = {SpvOpIAdd, SpvOpSelect, SpvOpNot, SpvOpBitwiseAnd};

	(void)state;
	for (uint32_t i = 0; i < SPB_COUNT(operations); i++) {
		for (uint32_t unknown = 0; unknown < 3; unknown++) {
			uint32_t operands = operations[i] == SpvOpSelect ? 3 : operations[i] == SpvOpNot ? 1 : 2;
			const uint32_t types[] = {operands == 3 ? BOOL : U32, U32, U32};
			struct text t = {.count = 0};
			put_types(&t);
			for (uint32_t k = 0; k < 3; k++) {
				if (k == unknown)
					PUT(&t, OP(SpvOpUndef, 3), types[k], A + k);
				else
					put_constant(&t, types[k], A + k, 1);
			}
			PUT(&t, OP(SpvOpSpecConstantOp, 4 + operands), U32, RESULT, operations[i]);
			for (uint32_t k = 0; k < operands; k++)
				put(&t, A + k);
			assert_true((value_of(&t) == UNDEFINED) == (unknown < operands));
		}
	}
}

/* Constituents of what is spelled out, or null. */
static void parts_of_composites_are_those_at_their_indexes(void **state)
{
	enum { V = MORE, S, NULLS, SPEC, UNKNOWN, NONE = 99 };
	static const struct {
		uint32_t whole, first, second;
		uint64_t wanted;
	} parts[] = {{V, 0, NONE, 11},        {V, 1, NONE, 22},        {V, 2, NONE, 33},
		     {V, 3, NONE, UNDEFINED}, {S, 0, 0, 11},           {S, 0, 2, 33},
		     {S, 1, NONE, 22},        {S, 0, 3, UNDEFINED},    {S, 2, NONE, UNDEFINED},
		     {S, 1, 0, UNDEFINED},    {S, 0, NONE, UNDEFINED}, {NULLS, 1, NONE, 0},
		     {NULLS, 0, 2, 0},        {SPEC, 1, NONE, 22},     {UNKNOWN, 0, NONE, UNDEFINED}};

	(void)state;
	for (uint32_t i = 0; i < SPB_COUNT(parts); i++) {
		struct text t = {.count = 0};
		put_types(&t);
		PUT(&t, OP(SpvOpTypeVector, 4), VECTOR, U32, 3, OP(SpvOpTypeStruct, 4), STRUCT, VECTOR, U32);
		put_constant(&t, U32, A, 11);
		put_constant(&t, U32, B, 22);
		put_constant(&t, U32, C, 33);
		PUT(&t, OP(SpvOpConstantComposite, 6), VECTOR, V, A, B, C);
		PUT(&t, OP(SpvOpConstantComposite, 5), STRUCT, S, V, B, OP(SpvOpConstantNull, 3), STRUCT, NULLS);
		PUT(&t, OP(SpvOpSpecConstantComposite, 6), VECTOR, SPEC, A, B, C, OP(SpvOpUndef, 3), VECTOR, UNKNOWN);
		bool two = parts[i].second != NONE;
		PUT(&t, OP(SpvOpSpecConstantOp, two ? 7 : 6), U32, RESULT, SpvOpCompositeExtract, parts[i].whole,
		    parts[i].first);
		if (two)
			put(&t, parts[i].second);
		assert_int_equal(value_of(&t), parts[i].wanted);
	}
}

/* Behind its last constituent there is none, even where what comes next looks like one. */
static void what_is_behind_a_composite_is_no_part_of_it(void **state)
{
	enum { LIKE_AN_ID = OP(SpvOpConstantNull, 3), V = MORE };
	struct text t = {.count = 0};

	(void)state;
	PUT(&t, SpvMagicNumber, 0x00010300, 0, LIKE_AN_ID + 1, 0);
	put_types_only(&t);
	PUT(&t, OP(SpvOpTypeVector, 4), VECTOR, U32, 2);
	put_constant(&t, U32, LIKE_AN_ID, 11);
	PUT(&t, OP(SpvOpConstantComposite, 5), VECTOR, V, LIKE_AN_ID, LIKE_AN_ID, OP(SpvOpConstantNull, 3), U32, A);
	for (uint32_t index = 0; index < 4; index++) {
		struct text more = t;
		PUT(&more, OP(SpvOpSpecConstantOp, 6), U32, RESULT, SpvOpCompositeExtract, V, index);
		assert_int_equal(value_of(&more), index < 2 ? 11 : UNDEFINED);
	}
}

/* A specialization constant has the value of the pipeline, cut to its type, else its default, if that counts. */
static void specialization_constants_have_the_values_of_the_pipeline(void **state)
{
	enum { SPEC_ID = 7 };
	static const struct {
		uint32_t op, type;
		uint64_t given, wanted, wanted_by_default;
	} specs[] = {{SpvOpSpecConstant, U32, 300, 300, 5},     {SpvOpSpecConstant, U32, 0, 0, 5},
		     {SpvOpSpecConstant, U8, 0x1FF, 0xFF, 5},   {SpvOpSpecConstant, U64, 0x100000001, 0x100000001, 5},
		     {SpvOpSpecConstantTrue, BOOL, 0, 0, 1},    {SpvOpSpecConstantTrue, BOOL, 2, 1, 1},
		     {SpvOpSpecConstantFalse, BOOL, 4, 1, 0},   {SpvOpSpecConstantFalse, BOOL, 0, 0, 0},
		     {SpvOpConstantTrue, BOOL, 0, 1, 1},        {SpvOpConstantFalse, BOOL, 1, 0, 0},
		     {SpvOpConstantNull, U32, 1, 0, 0},         {SpvOpConstantNull, BOOL, 1, 0, 0},
		     {SpvOpUndef, U32, 1, UNDEFINED, UNDEFINED}};

	(void)state;
	for (uint32_t i = 0; i < SPB_COUNT(specs); i++) {
		for (uint32_t way = 0; way < 12; way++) { /* decorated or not; given, another one given, none; known */
			bool decorated = way & 1, no_defaults = way & 2, given = way / 4 == 1;
			const spb_spec_value value = {.id = given ? SPEC_ID : SPEC_ID + 1, .value = specs[i].given};
			uint32_t op = specs[i].op;
			bool is_spec =
			    op == SpvOpSpecConstant || op == SpvOpSpecConstantTrue || op == SpvOpSpecConstantFalse;
			struct text t = {.count = 0};
			put_header(&t);
			if (decorated && is_spec)
				PUT(&t, OP(SpvOpDecorate, 4), RESULT, SpvDecorationSpecId, SPEC_ID);
			put_types_only(&t);
			if (op == SpvOpSpecConstant && specs[i].type == U64)
				PUT(&t, OP(op, 5), specs[i].type, RESULT, 5, 0);
			else if (op == SpvOpSpecConstant)
				PUT(&t, OP(op, 4), specs[i].type, RESULT, 5);
			else
				PUT(&t, OP(op, 3), specs[i].type, RESULT);
			struct folding k = {.t = &t, .given = way < 8 ? &value : NULL, .no_defaults = no_defaults};
			do_fold(&k);
			bool has_given = is_spec && decorated && given;
			bool known = op != SpvOpUndef && (has_given || !is_spec || !no_defaults);
			assert_int_equal(k.known, known);
			if (known)
				assert_int_equal(k.value, has_given ? specs[i].wanted : specs[i].wanted_by_default);
		}
	}
}

static uint32_t count_ids(const struct text *t, uint32_t id, uint32_t most, uint32_t first, uint32_t last)
{
	struct folding k = {.t = t, .asked = id, .most = most};

	do_fold(&k);
	if (k.id_count) {
		assert_int_equal(k.ids[0], first);
		assert_int_equal(k.ids[k.id_count - 1], last);
	}
	assert_int_equal(k.ids[k.id_count], 0); /* nothing behind them is written */
	return k.id_count;
}

static void an_expression_depends_on_the_ids_in_it_each_once(void **state)
{
	enum { PRODUCT = MORE, PLAIN, COMPOSITE, ALL, SAME, BOTH, MANY = 100, MANIES = 70 };
	struct text t = {.count = 0};

	(void)state;
	put_header(&t);
	PUT(&t, OP(SpvOpDecorate, 4), A, SpvDecorationSpecId, 3, OP(SpvOpDecorate, 4), B, SpvDecorationSpecId, 5);
	PUT(&t, OP(SpvOpDecorate, 4), SAME, SpvDecorationSpecId, 3);
	for (uint32_t i = 0; i < MANIES; i++)
		PUT(&t, OP(SpvOpDecorate, 4), MANY + i, SpvDecorationSpecId, 1000 + i);
	put_types_only(&t);
	PUT(&t, OP(SpvOpSpecConstant, 4), U32, A, 1, OP(SpvOpSpecConstant, 4), U32, B, 1);
	PUT(&t, OP(SpvOpConstant, 4), U32, PLAIN, 9, OP(SpvOpTypeVector, 4), VECTOR, U32, 2);
	PUT(&t, OP(SpvOpSpecConstantOp, 6), U32, PRODUCT, SpvOpIMul, A, B);
	PUT(&t, OP(SpvOpSpecConstantOp, 6), U32, RESULT, SpvOpIAdd, PRODUCT, B);
	PUT(&t, OP(SpvOpSpecConstantComposite, 5), VECTOR, COMPOSITE, PLAIN, B);
	PUT(&t, OP(SpvOpSpecConstant, 4), U32, SAME, 1, OP(SpvOpSpecConstantOp, 6), U32, BOTH, SpvOpIMul, A, SAME);
	PUT(&t, OP(SpvOpTypeStruct, MANIES + 2), STRUCT);
	for (uint32_t i = 0; i < MANIES; i++)
		put(&t, U32);
	for (uint32_t i = 0; i < MANIES; i++)
		PUT(&t, OP(SpvOpSpecConstant, 4), U32, MANY + i, i);
	PUT(&t, OP(SpvOpSpecConstantComposite, MANIES + 3), STRUCT, ALL);
	for (uint32_t i = 0; i < MANIES; i++)
		put(&t, MANY + i);
	assert_int_equal(count_ids(&t, A, 9, 3, 3), 1);
	assert_int_equal(count_ids(&t, PLAIN, 9, 0, 0), 0);
	assert_int_equal(count_ids(&t, PRODUCT, 9, 3, 5), 2);
	assert_int_equal(count_ids(&t, RESULT, 9, 5, 3), 2);
	assert_int_equal(count_ids(&t, RESULT, 2, 5, 3), 2);
	assert_int_equal(count_ids(&t, RESULT, 1, 5, 5), 1);
	assert_int_equal(count_ids(&t, RESULT, 0, 0, 0), 0);
	assert_int_equal(count_ids(&t, COMPOSITE, 9, 5, 5), 1);
	assert_int_equal(count_ids(&t, BOTH, 9, 3, 3), 1);        /* two constants of one id */
	assert_int_equal(count_ids(&t, ALL, 90, 1000, 1062), 63); /* with itself, no more than 64 are looked at */
}

/* What is no constant has no type in its second word, nor need it have one: behind OpNoLine is the next instruction,
 * here one that is so long that its first word leads far away. */
static void only_constants_are_looked_at(void **state)
{
	enum { MEMBERS = 30000 };
	static uint32_t words[MEMBERS + 100];
	struct text before = {.count = 0}, after = {.count = 0};
	spb_context *context;
	uint32_t count;

	(void)state;
	put_types(&before);
	PUT(&before, OP(SpvOpNoLine, 1), OP(SpvOpTypeStruct, MEMBERS + 2), STRUCT);
	count = before.count + MEMBERS;
	memcpy(words, before.words, before.count * sizeof *words);
	for (uint32_t i = before.count; i < count; i++)
		words[i] = U32;
	put_constant(&after, U32, RESULT, 7);
	memcpy(words + count, after.words, after.count * sizeof *words);
	count += after.count;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	struct folding k = {.words = words, .word_count = count, .m = {.context = context}};
	assert_false(caught(context, fold, &k));
	assert_true(k.known);
	assert_int_equal(k.value, 7);
	spb_context_destroy(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(operations_have_the_values_of_the_specification),
	    cmocka_unit_test(integers_wrap_at_their_width),
	    cmocka_unit_test(only_integers_have_values),
	    cmocka_unit_test(a_selection_has_the_value_that_its_condition_selects),
	    cmocka_unit_test(what_is_not_known_makes_nothing_known),
	    cmocka_unit_test(parts_of_composites_are_those_at_their_indexes),
	    cmocka_unit_test(what_is_behind_a_composite_is_no_part_of_it),
	    cmocka_unit_test(specialization_constants_have_the_values_of_the_pipeline),
	    cmocka_unit_test(an_expression_depends_on_the_ids_in_it_each_once),
	    cmocka_unit_test(only_constants_are_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
