/* SPDX-License-Identifier: Apache-2.0 */
/* lookups: what SPIRV-Tools has found in its tables of opcodes and operands, so that it searches for it once.
 *
 * Its parser looks up each opcode, and each enumerant and mask bit of the operands, by bisection of tables of hundreds
 * of rows: a tenth of a validation's instructions, for the same few dozen answers. An answer follows from the arguments
 * alone, and points into tables that are constant. So each thread keeps answers, one in each slot of a hash:
 *
 *     parser -> value look-up -> slot of the value: asked for the same?   the answer that is kept
 *                                                   asked for another?    SPIRV-Tools' own look-up, which is kept
 *
 * Both functions are inside SPIRV-Tools: these are their mangled names from 2023.1 on, until it got other tables in
 * 2025. The linker leads calls of them here (--wrap); a build for a library without such names does without this file.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The header defines a constant, which another file that includes it has, too. */
#define kDefaultMaxIdBound spb_lookups_max_id_bound
#include <spirv-tools/libspirv.h>
#undef kDefaultMaxIdBound

/* The linker gives these names. */
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

/* What was asked, and the answer. */
struct kept {
	const void *table; /* NULL: nothing is kept */
	const void *row;   /* NULL: the table has none */
	uint32_t env, type, value;
};

enum { SLOTS = 512 };

static _Thread_local struct kept opcodes[SLOTS], operands[SLOTS];

static bool is_kept(const struct kept *k, const struct kept *asked)
{
	return k->value == asked->value && k->type == asked->type && k->env == asked->env && k->table == asked->table;
}

/* A look-up that fails leaves what is at `found` as it is. */
static spv_result_t answer(const struct kept *k, const void **found)
{
	if (!k->row)
		return SPV_ERROR_INVALID_LOOKUP;
	*found = k->row;
	return SPV_SUCCESS;
}

static spv_result_t keep(struct kept *k, struct kept asked, spv_result_t result, const void *const *found)
{
	if (result == SPV_SUCCESS)
		asked.row = *found;
	if (result == SPV_SUCCESS || result == SPV_ERROR_INVALID_LOOKUP)
		*k = asked;
	return result;
}

spv_result_t find_opcode_once(spv_target_env env, const void *table, uint32_t opcode, const void **found)
{
	struct kept *k = &opcodes[opcode % SLOTS];
	const struct kept asked = {.table = table, .env = (uint32_t)env, .value = opcode};

	if (table && found && is_kept(k, &asked))
		return answer(k, found);
	return keep(k, asked, find_opcode(env, table, opcode, found), found);
}

spv_result_t find_operand_once(spv_target_env env, const void *table, spv_operand_type_t type, uint32_t value,
			       const void **found)
{
	struct kept *k =
	    &operands[((uint32_t)type * 37 + value) % SLOTS]; /* 37: neighbouring types have neighbouring values */
	const struct kept asked = {.table = table, .env = (uint32_t)env, .type = (uint32_t)type, .value = value};

	if (table && found && is_kept(k, &asked))
		return answer(k, found);
	return keep(k, asked, find_operand(env, table, type, value, found), found);
}
