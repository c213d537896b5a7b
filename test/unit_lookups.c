/* SPDX-License-Identifier: Apache-2.0 */
/* src/cli/jobs/lookups.c: each question gets the answer that SPIRV-Tools gives, however often and in whatever order it
 * is asked; a question that was just asked is not asked again; and what is no question is SPIRV-Tools' own. The
 * look-ups behind it are of this test, since the real ones have no header: `outputs`, `golden` and the corpora go
 * through those. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <spirv-tools/libspirv.h>

#define OPCODE(p) p##_Z25spvOpcodeTableValueLookup14spv_target_envPK18spv_opcode_table_tN3spv2OpEPPK17spv_opcode_desc_t
/* clang-format off */
#define OPERAND(p) \
 p##_Z26spvOperandTableValueLookup14spv_target_envPK19spv_operand_table_t18spv_operand_type_tjPPK18spv_operand_desc_t
/* clang-format on */
#define find_opcode       OPCODE(__real_)
#define find_opcode_once  OPCODE(__wrap_)
#define find_operand      OPERAND(__real_)
#define find_operand_once OPERAND(__wrap_)

spv_result_t find_opcode(spv_target_env env, const void *table, uint32_t opcode, const void **found);
spv_result_t find_opcode_once(spv_target_env env, const void *table, uint32_t opcode, const void **found);
spv_result_t find_operand(spv_target_env env, const void *table, spv_operand_type_t type, uint32_t value,
			  const void **found);
spv_result_t find_operand_once(spv_target_env env, const void *table, spv_operand_type_t type, uint32_t value,
			       const void **found);

static size_t asked; /* how often the real ones were */
static const char tables[2], rows[1 << 16];

/* Every third value has no row; and one table, or no place for the row, is refused. */
static spv_result_t look_up(uint32_t env, const void *table, uint32_t type, uint32_t value, const void **found)
{
	asked++;
	if (!table)
		return SPV_ERROR_INVALID_TABLE;
	if (!found)
		return SPV_ERROR_INVALID_POINTER;
	if (value % 3 == 2)
		return SPV_ERROR_INVALID_LOOKUP;
	*found = rows + (value * 31 + type * 7 + env * 3 + (table == tables)) % sizeof rows;
	return SPV_SUCCESS;
}

spv_result_t find_opcode(spv_target_env env, const void *table, uint32_t opcode, const void **found)
{
	return look_up((uint32_t)env, table, 0, opcode, found);
}

spv_result_t find_operand(spv_target_env env, const void *table, spv_operand_type_t type, uint32_t value,
			  const void **found)
{
	return look_up((uint32_t)env, table, (uint32_t)type, value, found);
}

/* Asks for an opcode if `type` is 0, and compares with what the real look-up says. */
static void ask(uint32_t env, const void *table, uint32_t type, uint32_t value)
{
	const void *row = &asked, *expected = &asked; /* what stays if there is none */
	const size_t before = asked;
	const spv_result_t right = look_up(env, table, type, value, &expected);

	asked = before;
	assert_int_equal(type ? find_operand_once((spv_target_env)env, table, (spv_operand_type_t)type, value, &row)
			      : find_opcode_once((spv_target_env)env, table, value, &row),
			 right);
	assert_ptr_equal(row, expected);
}

static void test_each_question_gets_its_own_answer(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t value = 0; value < 3000; value++) { /* more than there are slots */
			for (uint32_t env = 0; env < 3; env++) {
				for (uint32_t type = 0; type < 4; type++) {
					ask(env, &tables[0], type, value);
					ask(env, &tables[1], type, value);
				}
			}
		}
	}
}

static void test_questions_that_differ_in_one_thing_only(void **state)
{
	(void)state;
	const struct question {
		uint32_t env, table, type, value;
	} base[] = {{1, 0, 0, 6}, {1, 0, 5, 6}, {1, 0, 0, 5}, {1, 0, 5, 5}};

	for (size_t i = 0; i < sizeof base / sizeof *base; i++) {
		const struct question q = base[i];
		const struct question others[] = {{q.env + 1, q.table, q.type, q.value},
						  {q.env, q.table + 1, q.type, q.value},
						  {q.env, q.table, q.type ? q.type + 512 : 0, q.value},
						  {q.env, q.table, q.type, q.value + 512},
						  {q.env, q.table, q.type, q.value + 1024}};
		for (size_t k = 0; k < sizeof others / sizeof *others; k++) { /* those of one slot take turns in it */
			ask(q.env, &tables[q.table], q.type, q.value);
			ask(others[k].env, &tables[others[k].table], others[k].type, others[k].value);
			ask(q.env, &tables[q.table], q.type, q.value);
		}
	}
}

static void test_what_was_asked_is_not_asked_again(void **state)
{
	(void)state;
	for (uint32_t type = 0; type < 60; type++) /* all that a module can be expected to have */
		for (uint32_t value = 0; value < 4; value++)
			ask(7, &tables[0], type, value);
	asked = 0;
	for (uint32_t i = 0; i < 3; i++) {
		ask(7, &tables[1], 0, 71);
		ask(7, &tables[1], 9, 71); /* 71: there is no row, which is an answer, too */
		ask(7, &tables[1], 0, 72);
		ask(7, &tables[1], 9, 72);
	}
	assert_int_equal(asked, 4);
}

static void test_neighbours_do_not_drive_each_other_out(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 2; round++) {
		asked = 0;
		for (uint32_t opcode = 0; opcode < 450; opcode++) /* all of SPIR-V 1.6 without extensions */
			ask(8, &tables[0], 0, opcode);
		assert_int_equal(asked, round ? 0 : 450);
	}
	for (uint32_t round = 0; round < 2; round++) {
		asked = 0;
		for (uint32_t type = 1; type < 9; type++)
			for (uint32_t value = 0; value < 32; value++)
				ask(8, &tables[0], type, value);
		assert_int_equal(asked, round ? 0 : 8 * 32);
	}
}

static void test_what_is_no_question_is_answered_by_spirv_tools(void **state)
{
	(void)state;
	const void *row = &asked;

	ask(9, &tables[0], 0, 0);
	ask(9, &tables[0], 3, 0);
	asked = 0;
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(find_opcode_once(9, NULL, 0, &row), SPV_ERROR_INVALID_TABLE);
		assert_int_equal(find_operand_once(9, NULL, 3, 0, &row), SPV_ERROR_INVALID_TABLE);
		assert_int_equal(find_opcode_once(9, &tables[0], 0, NULL), SPV_ERROR_INVALID_POINTER);
		assert_int_equal(find_operand_once(9, &tables[0], 3, 0, NULL), SPV_ERROR_INVALID_POINTER);
	}
	assert_int_equal(asked, 8);
	assert_ptr_equal(row, &asked);
	ask(9, &tables[0], 0, 0); /* what they said was not kept */
	ask(9, &tables[0], 3, 0);
	assert_int_equal(asked, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_each_question_gets_its_own_answer),
	    cmocka_unit_test(test_questions_that_differ_in_one_thing_only),
	    cmocka_unit_test(test_what_was_asked_is_not_asked_again),
	    cmocka_unit_test(test_neighbours_do_not_drive_each_other_out),
	    cmocka_unit_test(test_what_is_no_question_is_answered_by_spirv_tools),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
