/* SPDX-License-Identifier: Apache-2.0 */
/* src/cli/jobs/counting.c: a parse without a diagnostic shows at least the instructions of the module that
 * SPIRV-Tools finds itself, which it does with a diagnostic; and whatever is no such call is SPIRV-Tools' own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <spirv-tools/libspirv.h>

enum { MOST = 64, HEADER = 5 };

struct seen {
	uint32_t version, bound;
	size_t count, operands;
	uint16_t opcodes[MOST], lengths[MOST];
	size_t last; /* after so many, it wants no more */
};

static spv_result_t see_header(void *user, spv_endianness_t endianness, uint32_t magic, uint32_t version,
			       uint32_t generator, uint32_t bound, uint32_t schema)
{
	struct seen *s = user;
	const uint32_t one = 1;
	unsigned char first;

	memcpy(&first, &one, 1);
	assert_int_equal(endianness, first ? SPV_ENDIANNESS_LITTLE : SPV_ENDIANNESS_BIG);
	assert_int_equal(magic, 0x07230203);
	assert_int_equal(generator, 7);
	assert_int_equal(schema, 0);
	s->version = version;
	s->bound = bound;
	return SPV_SUCCESS;
}

static spv_result_t see(void *user, const spv_parsed_instruction_t *i)
{
	struct seen *s = user;

	assert_true(s->count < MOST);
	assert_int_equal(i->words[0], (uint32_t)i->num_words << 16 | i->opcode);
	s->opcodes[s->count] = i->opcode;
	s->lengths[s->count++] = i->num_words;
	s->operands += i->num_operands;
	return s->count == s->last ? SPV_REQUESTED_TERMINATION : SPV_SUCCESS;
}

/* OpCapability Shader, OpMemoryModel, OpTypeVoid, OpTypeFunction, OpFunction, OpLabel, OpReturn, OpFunctionEnd */
static const uint32_t module[] = {0x07230203,
				  0x10300,
				  7,
				  9,
				  0,
				  2 << 16 | 17,
				  1,
				  3 << 16 | 14,
				  0,
				  1,
				  2 << 16 | 19,
				  1,
				  3 << 16 | 33,
				  2,
				  1,
				  5 << 16 | 54,
				  1,
				  3,
				  0,
				  2,
				  2 << 16 | 248,
				  4,
				  1 << 16 | 253,
				  1 << 16 | 56};
enum { WORDS = sizeof module / sizeof *module, INSTRUCTIONS = 8 };

/* What the linker leads to counting.c, and what it calls then. */
spv_result_t __wrap_spvValidateWithOptions(spv_const_context context, spv_const_validator_options options,
					   spv_const_binary binary, spv_diagnostic *diagnostic);
spv_result_t __real_spvValidateWithOptions(spv_const_context context, spv_const_validator_options options,
					   spv_const_binary binary, spv_diagnostic *diagnostic);
spv_result_t __wrap_spvBinaryParse(spv_const_context context, void *user, const uint32_t *words, size_t count,
				   spv_parsed_header_fn_t header, spv_parsed_instruction_fn_t instruction,
				   spv_diagnostic *diagnostic);
spv_result_t __real_spvBinaryParse(spv_const_context context, void *user, const uint32_t *words, size_t count,
				   spv_parsed_header_fn_t header, spv_parsed_instruction_fn_t instruction,
				   spv_diagnostic *diagnostic);

static size_t own_parses; /* by SPIRV-Tools */
static spv_context universal;
static struct seen *first, *second; /* what the validator is shown */

spv_result_t __real_spvBinaryParse(spv_const_context context, void *user, const uint32_t *words, size_t count,
				   spv_parsed_header_fn_t header, spv_parsed_instruction_fn_t instruction,
				   spv_diagnostic *diagnostic)
{
	own_parses++;
	return spvBinaryParse(context, user, words, count, header, instruction, diagnostic);
}

/* A validator that parses twice, as SPIRV-Tools' does, and for a message once more. */
spv_result_t __real_spvValidateWithOptions(spv_const_context context, spv_const_validator_options options,
					   spv_const_binary binary, spv_diagnostic *diagnostic)
{
	spv_result_t result;

	(void)options;
	if (first)
		__wrap_spvBinaryParse(context, first, binary->code, binary->wordCount, see_header, see, NULL);
	if (second)
		*second = (struct seen){.last = second->last};
	result = __wrap_spvBinaryParse(context, second, binary->code, binary->wordCount, second ? see_header : NULL,
				       second ? see : NULL, diagnostic);
	if (first && second) {
		struct seen third = {.last = second->last};
		__wrap_spvBinaryParse(context, &third, binary->code, binary->wordCount, see_header, see, NULL);
		assert_int_equal(third.count, second->count);
		assert_int_equal(third.operands, second->operands);
	}
	return result;
}

static const char *version; /* NULL: that which it has */

const char *__real_spvSoftwareVersionString(void);
const char *__wrap_spvSoftwareVersionString(void);
const char *__wrap_spvSoftwareVersionString(void)
{
	return version ? version : __real_spvSoftwareVersionString();
}

/* Other versions are asked themselves. */
static bool is_known(void)
{
	return !strcmp(spvSoftwareVersionString(), "v2023.1");
}

/* The first parse of a validation, and the second. */
static void parse_both(const uint32_t *words, size_t count, struct seen *counted, struct seen *parsed)
{
	struct spv_const_binary_t binary = {words, count};
	spv_diagnostic diagnostic = NULL;

	first = counted;
	second = parsed;
	own_parses = 0;
	__wrap_spvValidateWithOptions(universal, NULL, &binary, &diagnostic);
	spvDiagnosticDestroy(diagnostic);
	first = second = NULL;
}

static void as_many(void **state)
{
	(void)state;
	struct seen counted = {0}, parsed = {0};

	parse_both(module, WORDS, &counted, &parsed);
	assert_int_equal(parsed.count, INSTRUCTIONS);
	assert_int_equal(counted.count, INSTRUCTIONS);
	assert_int_equal(counted.version, parsed.version);
	assert_int_equal(counted.bound, parsed.bound);
	assert_memory_equal(counted.opcodes, parsed.opcodes, sizeof counted.opcodes);
	assert_memory_equal(counted.lengths, parsed.lengths, sizeof counted.lengths);
	assert_true(parsed.operands > 0);
	assert_int_equal(counted.operands, is_known() ? 0 : parsed.operands);
	assert_int_equal(own_parses, is_known() ? 2 : 3);
}

/* Each word is spoiled, and each end missing: never fewer than there are. */
static void never_fewer(void **state)
{
	(void)state;
	static const uint32_t values[] = {0, 1, 0xFFFF, 0x10000, 0x20000, 0x1FFFF, 0x7FFFFFFF, 0xFFFF0001, UINT32_MAX};
	uint32_t words[WORDS];

	for (size_t at = HEADER; at < WORDS; at++) {
		struct seen counted = {0}, parsed = {0};
		parse_both(module, at, &counted, &parsed);
		assert_true(counted.count >= parsed.count);
		size_t seen = HEADER;
		for (size_t i = 0; i < counted.count; i++)
			seen += counted.lengths[i];
		assert_true(seen <= at); /* none goes on behind the end */
		for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
			memcpy(words, module, sizeof words);
			words[at] = values[i];
			counted = parsed = (struct seen){0};
			parse_both(words, WORDS, &counted, &parsed);
			assert_true(counted.count >= parsed.count);
			assert_memory_equal(counted.opcodes, parsed.opcodes, parsed.count * sizeof *parsed.opcodes);
		}
	}
}

static void unknown_versions_are_asked_themselves(void **state)
{
	static const struct {
		const char *version;
		size_t own_parses;
	} rows[] = {{"v2023.1", 2}, {"v2023.2", 3}, {"", 3}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct seen counted = {0}, parsed = {0};
		version = rows[i].version;
		parse_both(module, WORDS, &counted, &parsed);
		version = NULL;
		assert_int_equal(own_parses, rows[i].own_parses);
		assert_int_equal(counted.operands, own_parses == 2 ? 0 : parsed.operands);
	}
}

static void ends_when_told(void **state)
{
	(void)state;
	for (size_t last = 1; last <= INSTRUCTIONS; last++) {
		struct seen counted = {.last = last}, parsed = {.last = last};
		parse_both(module, WORDS, &counted, &parsed);
		assert_int_equal(counted.count, last);
		assert_int_equal(parsed.count, last);
	}
}

/* What SPIRV-Tools says of a header, it says itself. */
static void headers_are_not_judged(void **state)
{
	(void)state;
	uint32_t words[WORDS];

	memcpy(words, module, sizeof words);
	words[0] ^= 1;
	for (size_t count = 0; count <= WORDS; count = count < HEADER ? count + 1 : count + WORDS - HEADER) {
		struct seen counted = {0}, parsed = {0};
		parse_both(words, count, &counted, &parsed);
		assert_int_equal(own_parses, 3);
		assert_int_equal(counted.count, 0);
	}
	for (size_t count = 0; count < HEADER; count++) {
		struct seen counted = {0}, parsed = {0};
		parse_both(module, count, &counted, &parsed);
		assert_int_equal(own_parses, 3);
		assert_int_equal(counted.count, 0);
	}
}

/* Only the first parse of a validation counts, and only if it asks for it. */
static void other_calls_are_its_own(void **state)
{
	(void)state;
	struct spv_const_binary_t binary = {module, WORDS};
	struct seen seen = {0}, parsed = {0};
	spv_diagnostic diagnostic = NULL;

	own_parses = 0;
	__wrap_spvBinaryParse(universal, &seen, module, WORDS, see_header, see, NULL);
	assert_int_equal(own_parses, 1);
	assert_true(seen.operands > 0);
	second = &parsed; /* the first one has a diagnostic */
	__wrap_spvValidateWithOptions(universal, NULL, &binary, &diagnostic);
	assert_int_equal(own_parses, 2);
	assert_true(parsed.operands > 0);
	second = NULL; /* it has no functions */
	__wrap_spvValidateWithOptions(universal, NULL, &binary, &diagnostic);
	assert_int_equal(own_parses, 3);
	seen = (struct seen){0}; /* after a validation */
	__wrap_spvBinaryParse(universal, &seen, module, WORDS, see_header, see, NULL);
	assert_int_equal(own_parses, 4);
	assert_true(seen.operands > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(as_many),
	    cmocka_unit_test(never_fewer),
	    cmocka_unit_test(unknown_versions_are_asked_themselves),
	    cmocka_unit_test(ends_when_told),
	    cmocka_unit_test(headers_are_not_judged),
	    cmocka_unit_test(other_calls_are_its_own),
	};
	int failed;

	universal = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	spvContextDestroy(universal);
	return failed;
}
