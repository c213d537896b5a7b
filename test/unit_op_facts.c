/* SPDX-License-Identifier: Apache-2.0 */
/* Two ways to find the ids of an instruction, by the row of its opcode and by the pattern of the grammar, agree: for
 * every opcode, many lengths, and words of several kinds. Facts that go together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/ids.h"

enum { LENGTHS = 12, BOUND = 8, MOST = 40 };

static uint32_t find_by_pattern(const struct spb_module *m, uint32_t *words, bool *bad)
{
	struct spb_operand o = spb_operands(m, 0);
	uint32_t count = 0;

	while (spb_operand_next(&o)) {
		if (o.kind == SPB_KIND_ID)
			words[count++] = o.word;
	}
	*bad = o.bad;
	return count;
}

/* Values that make masks empty or not, terminate strings or not, and have parameters or not. */
static uint32_t fill(uint32_t kind, uint32_t word, uint32_t length)
{
	switch (kind) {
	case 0:
		return 0;
	case 1:
		return 0x01010101;
	case 2:
		return word + 1 == length ? 0x00414141 : 0x41414141;
	case 3:
		return word == 2 ? 0x00414141 : 0x41414141;
	default:
		return kind - 4; /* decorations and execution modes with parameters, bits of masks */
	}
}

static void rows_find_the_ids_that_patterns_find(void **state)
{
	uint32_t buffer[MOST], rows = 0, patterns = 0;
	spb_at def[BOUND] = {0};
	struct spb_module m = {.words = buffer, .count = MOST, .bound = BOUND, .def = def};

	(void)state;
	for (uint32_t op = 0; op < SPB_OP_INDEX; op++) {
		const struct spb_op_facts *facts = spb_op_facts(op);
		if (!(facts->flags & SPB_OP_KNOWN))
			continue;
		for (uint32_t length = facts->min_words, more = 0; more < LENGTHS; length++, more++) {
			for (uint32_t kind = 0; kind < 64; kind++) {
				uint32_t wanted[MOST], count, n = 0;
				struct spb_operand o;
				struct spb_ids i;
				bool bad;
				buffer[0] = length << 16 | op;
				for (uint32_t w = 1; w < length; w++)
					buffer[w] = fill(kind, w, length);
				count = find_by_pattern(&m, wanted, &bad);
				spb_ids_begin(&i, &o, &m, 0);
				if (i.o) {
					patterns++;
					continue;
				}
				rows++;
				assert_false(bad);
				while (spb_id_next(&i)) {
					assert_true(n < count);
					assert_int_equal(i.word, wanted[n++]);
				}
				assert_int_equal(n, count);
			}
		}
	}
	assert_true(rows > 50000 && patterns > 50000); /* both ways were taken */
}

/* Common instructions do not need the pattern. */
static void common_instructions_are_found_by_their_row(void **state)
{
	const struct {
		uint32_t words[8];
		uint32_t ids; /* how many */
	} cases[] = {
	    {{SpvOpEntryPoint | 6 << 16, SpvExecutionModelFragment, 5, 0x00636261, 6, 7}, 3},
	    {{SpvOpName | 3 << 16, 7, 0x00636261}, 1},
	    {{SpvOpDecorate | 4 << 16, 7, SpvDecorationBinding, 3}, 1},
	    {{SpvOpDecorate | 3 << 16, 7, SpvDecorationNonUniform}, 1},
	    {{SpvOpMemberDecorate | 5 << 16, 7, 0, SpvDecorationOffset, 16}, 1},
	    {{SpvOpConstant | 4 << 16, 1, 2, 12345}, 0},
	    {{SpvOpTypeStruct | 5 << 16, 1, 2, 3, 4}, 3},
	    {{SpvOpVariable | 4 << 16, 1, 2, 3}, 0},
	    {{SpvOpVariable | 5 << 16, 1, 2, 3, 4}, 1},
	    {{SpvOpLoad | 4 << 16, 1, 2, 3}, 1},
	    {{SpvOpStore | 4 << 16, 1, 2, 0}, 2},
	    {{SpvOpExtInst | 7 << 16, 1, 2, 3, 40, 5, 6}, 3},
	    {{SpvOpCompositeExtract | 6 << 16, 1, 2, 3, 0, 1}, 1},
	    {{SpvOpPhi | 7 << 16, 1, 2, 3, 4, 5, 6}, 4},
	};

	(void)state;
	for (size_t n = 0; n < SPB_COUNT(cases); n++) {
		struct spb_module m = {.words = cases[n].words, .count = 8, .bound = BOUND};
		struct spb_operand o;
		struct spb_ids i;
		uint32_t count = 0;
		spb_ids_begin(&i, &o, &m, 0);
		assert_null(i.o);
		while (spb_id_next(&i))
			count++;
		assert_int_equal(count, cases[n].ids);
	}
}

/* Because share_loads.c and the uniformity analysis do not check for effects where the transfer tells enough. */
static void instructions_with_effects_have_unknown_values(void **state)
{
	uint32_t found = 0;

	(void)state;
	for (uint32_t op = 0; op < SPB_OP_INDEX; op++) {
		const struct spb_op_facts *facts = spb_op_facts(op);
		if (!(facts->flags & SPB_OP_KNOWN) ||
		    !(facts->flags & (SPB_OP_WRITES | SPB_OP_ATOMIC | SPB_OP_CALLS | SPB_OP_REPACKS)))
			continue;
		found++;
		assert_false(facts->flags & (SPB_OP_INERT | SPB_OP_LINE));
		assert_true(op == SpvOpFunctionCall || facts->transfer == SPB_TRANSFER_NONE ||
			    facts->transfer == SPB_TRANSFER_VARYING || facts->transfer == SPB_TRANSFER_UNKNOWN);
	}
	assert_true(found > 30);
}

/* The uniformity analysis assumes this, and checks only one of the facts. */
static void instructions_with_a_type_have_a_result(void **state)
{
	uint32_t typed = 0;

	(void)state;
	for (uint32_t op = 0; op < SPB_OP_INDEX; op++) {
		const struct spb_op_facts *row = spb_op_facts(op);
		if (row->flags & SPB_OP_HAS_TYPE) {
			typed++;
			assert_true(row->flags & SPB_OP_HAS_RESULT);
		}
	}
	assert_true(typed > 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rows_find_the_ids_that_patterns_find),
	    cmocka_unit_test(common_instructions_are_found_by_their_row),
	    cmocka_unit_test(instructions_with_effects_have_unknown_values),
	    cmocka_unit_test(instructions_with_a_type_have_a_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
