/* SPDX-License-Identifier: Apache-2.0 */
/* counting: the first of the two times that SPIRV-Tools reads a module it validates.
 *
 * Its validator parses a module twice: first only to count the instructions and functions, for which it then has room,
 * and again to keep them. The second time, it finds all there is to find. The first is a seventh of the whole work,
 * since each operand is looked up; but the function it calls for each instruction sees to the opcode alone (2023.1,
 * ValidationState_t's constructor and CountInstructions in its validator). Here it gets no more:
 *
 *     spvValidateWithOptions
 *         spvBinaryParse(words, set header, count, no diagnostic)    each instruction's opcode and length
 *         spvBinaryParse(...)                                        SPIRV-Tools' own, as all other calls
 *
 * A module that cannot be parsed to its end counts for more than it has, which is only room. The linker leads the calls
 * of both functions to those below (--wrap). What another version does with what it is shown, nobody knows yet, so only
 * the versions in `known` are taken at their word. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The header defines a constant, which another file that includes it has, too. */
#define kDefaultMaxIdBound spb_counting_max_id_bound
#include <spirv-tools/libspirv.h>
#undef kDefaultMaxIdBound

/* The linker gives these names. */
spv_result_t __real_spvValidateWithOptions(spv_const_context context, spv_const_validator_options options,
					   spv_const_binary binary, spv_diagnostic *diagnostic);
spv_result_t __wrap_spvValidateWithOptions(spv_const_context context, spv_const_validator_options options,
					   spv_const_binary binary, spv_diagnostic *diagnostic);
spv_result_t __real_spvBinaryParse(spv_const_context context, void *user, const uint32_t *words, size_t count,
				   spv_parsed_header_fn_t see_header, spv_parsed_instruction_fn_t see_instruction,
				   spv_diagnostic *diagnostic);
spv_result_t __wrap_spvBinaryParse(spv_const_context context, void *user, const uint32_t *words, size_t count,
				   spv_parsed_header_fn_t see_header, spv_parsed_instruction_fn_t see_instruction,
				   spv_diagnostic *diagnostic);

enum { HEADER = 5 };

static const uint32_t magic = 0x07230203;
static _Thread_local bool is_first; /* a validation has begun, and has parsed nothing yet */

static bool is_known(void)
{
	static const char *const known[] = {"v2023.1"};
	const char *version = spvSoftwareVersionString();

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (!strcmp(version, known[i]))
			return true;
	}
	return false;
}

static spv_endianness_t own_endianness(void)
{
	const uint32_t one = 1;
	unsigned char first;

	memcpy(&first, &one, 1);
	return first ? SPV_ENDIANNESS_LITTLE : SPV_ENDIANNESS_BIG;
}

static spv_result_t show_opcodes(void *user, const uint32_t *words, size_t count,
				 spv_parsed_instruction_fn_t see_instruction)
{
	spv_result_t result = SPV_SUCCESS;
	spv_parsed_instruction_t found = {0};

	for (size_t at = HEADER; at < count && result == SPV_SUCCESS; at += found.num_words) {
		found.words = words + at;
		found.num_words = (uint16_t)(words[at] >> 16);
		found.opcode = (uint16_t)(words[at] & 0xFFFF);
		if (!found.num_words || found.num_words > count - at)
			return SPV_ERROR_INVALID_BINARY;
		result = see_instruction(user, &found);
	}
	return result;
}

spv_result_t __wrap_spvBinaryParse(spv_const_context context, void *user, const uint32_t *words, size_t count,
				   spv_parsed_header_fn_t see_header, spv_parsed_instruction_fn_t see_instruction,
				   spv_diagnostic *diagnostic)
{
	bool counts = is_first && see_header && see_instruction && !diagnostic;

	is_first = false;
	if (!counts || count < HEADER || words[0] != magic)
		return __real_spvBinaryParse(context, user, words, count, see_header, see_instruction, diagnostic);
	spv_result_t result = see_header(user, own_endianness(), words[0], words[1], words[2], words[3], words[4]);
	return result == SPV_SUCCESS ? show_opcodes(user, words, count, see_instruction) : result;
}

spv_result_t __wrap_spvValidateWithOptions(spv_const_context context, spv_const_validator_options options,
					   spv_const_binary binary, spv_diagnostic *diagnostic)
{
	is_first = is_known();
	spv_result_t result = __real_spvValidateWithOptions(context, options, binary, diagnostic);
	is_first = false;
	return result;
}
