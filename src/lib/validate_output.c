/* SPDX-License-Identifier: Apache-2.0 */
/* validate_output: whether an output is valid, for who has put that off.
 *
 * Only "yes" is an answer. What SPIRV-Tools says otherwise may be the fault of the input, or of SPIRV-Tools, and the
 * output alone does not tell (judge.c): then the program is bound again, with validation. */
#include "lib/lib.h"

enum { HEADER = 5 };

/* The other byte order is that of an input, and was given back to it. */
static bool is_in_own_order(const uint32_t *words, size_t count)
{
	return count >= HEADER && words[0] == SpvMagicNumber;
}

spb_status spb_validate_output(spb_context *c, const spb_options *options, const uint32_t *words, size_t count)
{
	spb_options read = {0};

	if (!c || !words || !spb_read_options(options, &read) || !spb_has_env(read.validation.env))
		return SPB_ERROR_INVALID_ARGUMENT;
	if (!is_in_own_order(words, count))
		return SPB_ERROR_VALIDATION;
	struct spb_validator *v = spb_validator_create(c, &read);
	if (!v)
		return SPB_ERROR_OUT_OF_MEMORY;
	struct spb_verdict verdict = spb_judge(v, words, count, false);
	spb_verdict_release(&verdict);
	spb_validator_destroy(v);
	if (verdict.kind == SPB_VERDICT_OUT_OF_MEMORY)
		return SPB_ERROR_OUT_OF_MEMORY;
	return spb_is_accepted(verdict.kind) ? SPB_OK : SPB_ERROR_VALIDATION;
}
