/* SPDX-License-Identifier: Apache-2.0 */
/* The core alone: grammar, parsing, edits, and failing allocations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "assembled.h"
#include "caught.h"
#include "ir/ir.h"
#include "metered.h"
#include "results.h"

#define OP(op, count) ((uint32_t)(count) << 16 | (uint32_t)(op))
#define HEADER(bound) SpvMagicNumber, 0x00010300, 0, bound, 0

struct last {
	uint32_t code, word_offset, errors;
	char text[400], op[64];
};

static void remember(void *user, const spb_message *message)
{
	struct last *last = user;

	if (message->severity != SPB_SEVERITY_ERROR)
		return;
	last->errors++;
	last->code = message->code;
	last->word_offset = message->word_offset;
	snprintf(last->text, sizeof last->text, "%s", message->text);
	snprintf(last->op, sizeof last->op, "%s", message->op);
}

static spb_status add_words(const uint32_t *words, size_t count, struct last *last)
{
	const spb_callbacks callbacks = {remember, last};
	spb_context *context;
	spb_program *program;

	*last = (struct last){0};
	assert_int_equal(spb_context_create(NULL, &callbacks, &context), SPB_OK);
	assert_int_equal(spb_program_create(context, NULL, &program), SPB_OK);
	spb_status status = spb_program_add(program, "m", words, count, 0);
	spb_program_destroy(program);
	spb_context_destroy(context);
	return status;
}

static void expect_refused(const uint32_t *words, size_t count, uint32_t code, uint32_t at)
{
	struct last last;

	assert_int_equal(add_words(words, count, &last), SPB_ERROR_INVALID_SPIRV);
	assert_int_equal(last.code, code);
	assert_int_equal(last.word_offset, at);
	assert_int_equal(last.errors, 1);
}

#define EXPECT_REFUSED(code, at, ...)                                                                                  \
	do {                                                                                                           \
		const uint32_t words_[] = {__VA_ARGS__};                                                               \
		expect_refused(words_, sizeof words_ / sizeof words_[0], code, at);                                    \
	} while (0)

#define EXPECT_ACCEPTED(...)                                                                                           \
	do {                                                                                                           \
		const uint32_t words_[] = {__VA_ARGS__};                                                               \
		struct last last_;                                                                                     \
		spb_status status_ = add_words(words_, sizeof words_ / sizeof words_[0], &last_);                      \
		if (status_ != SPB_OK)                                                                                 \
			print_message("%u: %s\n", last_.code, last_.text);                                             \
		assert_int_equal(status_, SPB_OK);                                                                     \
	} while (0)

static void damaged_headers_are_told_apart(void **state)
{
	(void)state;
	expect_refused(NULL, 0, SPB_E_TOO_SHORT, 0);
	EXPECT_REFUSED(SPB_E_TOO_SHORT, 0, SpvMagicNumber, 0x10000, 0, 1);
	EXPECT_REFUSED(SPB_E_MAGIC, 0, 1, 0x10000, 0, 1, 0);
	EXPECT_REFUSED(SPB_E_VERSION, 0, SpvMagicNumber, 0x20000, 0, 1, 0);
	EXPECT_REFUSED(SPB_E_VERSION, 0, SpvMagicNumber, 0x10900, 0, 1, 0);
	EXPECT_REFUSED(SPB_E_BOUND, 0, SpvMagicNumber, 0x10000, 0, 0, 0);
	EXPECT_REFUSED(SPB_E_BOUND, 0, SpvMagicNumber, 0x10000, 0, 0xFFFFFFFF, 0);
	EXPECT_ACCEPTED(HEADER(1));
}

static void instructions_that_do_not_fit_are_refused_with_their_place(void **state)
{
	(void)state;
	EXPECT_REFUSED(SPB_E_WORD_COUNT, 5, HEADER(4), 0);
	EXPECT_REFUSED(SPB_E_WORD_COUNT, 7, HEADER(4), OP(SpvOpCapability, 2), 1, OP(SpvOpTypeVoid, 3), 1);
	EXPECT_REFUSED(SPB_E_OPERANDS, 5, HEADER(4), OP(SpvOpCapability, 1));
	EXPECT_REFUSED(SPB_E_OPERANDS, 5, HEADER(4), OP(SpvOpCapability, 3), 1, 1);
	EXPECT_REFUSED(SPB_E_OPERANDS, 5, HEADER(4), OP(SpvOpExtension, 2), 0x41414141); /* an unterminated string */
	EXPECT_REFUSED(SPB_E_ID_RANGE, 5, HEADER(4), OP(SpvOpTypeVoid, 2), 4);
	EXPECT_REFUSED(SPB_E_ID_RANGE, 5, HEADER(4), OP(SpvOpTypeVoid, 2), 0);
	/* Each position of an id, with the first invalid id. */
	EXPECT_REFUSED(SPB_E_ID_RANGE, 7, HEADER(4), OP(SpvOpTypeVoid, 2), 1, OP(SpvOpUndef, 3), 4, 2);
	EXPECT_REFUSED(SPB_E_ID_RANGE, 7, HEADER(4), OP(SpvOpTypeVoid, 2), 1, OP(SpvOpUndef, 3), 1, 4);
	EXPECT_REFUSED(SPB_E_ID_RANGE, 7, HEADER(4), OP(SpvOpTypeBool, 2), 1, OP(SpvOpTypeVector, 4), 2, 4, 2);
	EXPECT_REFUSED(SPB_E_ID_RANGE, 5, HEADER(4), OP(SpvOpName, 3), 4, 0x41);
	EXPECT_REFUSED(SPB_E_ID_TWICE, 7, HEADER(4), OP(SpvOpTypeVoid, 2), 1, OP(SpvOpTypeBool, 2), 1);
	EXPECT_REFUSED(SPB_E_ID_UNDEFINED, 5, HEADER(4), OP(SpvOpName, 3), 2, 0x41);
	EXPECT_REFUSED(SPB_E_SECTION, 7, HEADER(4), OP(SpvOpTypeVoid, 2), 1, OP(SpvOpCapability, 2), 1);
	EXPECT_REFUSED(SPB_E_NOT_A_TYPE, 5, HEADER(4), OP(SpvOpTypeVector, 4), 1, 2, 4, OP(SpvOpTypeFloat, 3), 2, 32);
	EXPECT_REFUSED(SPB_E_NOT_A_CONSTANT, 7, HEADER(4), OP(SpvOpTypeVoid, 2), 1, OP(SpvOpTypeArray, 4), 2, 1, 1);
}

/* Slang declares every pointer of a push constant forward, and uses it before it is declared. */
static void forward_pointers_are_accepted_and_cycles_without_them_refused(void **state)
{
	(void)state;
#define FORWARD(id, class)          OP(SpvOpTypeForwardPointer, 3), id, class
#define POINTER(id, class, pointee) OP(SpvOpTypePointer, 4), id, class, pointee
#define STRUCT(id, member)          OP(SpvOpTypeStruct, 3), id, member
#define ADDRESS                     SpvStorageClassPhysicalStorageBuffer
#define UNKNOWN                     OP(0xFFFF, 1)
	EXPECT_ACCEPTED(HEADER(5), FORWARD(1, ADDRESS), POINTER(2, SpvStorageClassPushConstant, 1), STRUCT(3, 1),
			POINTER(1, ADDRESS, 3));
	EXPECT_ACCEPTED(HEADER(5), FORWARD(1, ADDRESS), OP(SpvOpTypeRuntimeArray, 3), 2, 1, STRUCT(3, 2),
			POINTER(1, ADDRESS, 3));
	EXPECT_ACCEPTED(HEADER(6), OP(SpvOpTypeInt, 4), 4, 32, 0, OP(SpvOpConstant, 4), 4, 5, 2, FORWARD(1, ADDRESS),
			OP(SpvOpTypeArray, 4), 2, 1, 5, STRUCT(3, 2), POINTER(1, ADDRESS, 3));
	EXPECT_ACCEPTED(HEADER(4), FORWARD(1, ADDRESS), POINTER(2, ADDRESS, 1), POINTER(1, ADDRESS, 2));
	EXPECT_ACCEPTED(HEADER(4), UNKNOWN, STRUCT(1, 2)); /* the unknown opcode may define it */
	/* Undefined, of another class, not a pointer, or not declared forward. */
	EXPECT_REFUSED(SPB_E_ID_UNDEFINED, 5, HEADER(5), FORWARD(1, ADDRESS), POINTER(2, ADDRESS, 1));
	EXPECT_REFUSED(SPB_E_NOT_A_TYPE, 11, HEADER(5), FORWARD(1, SpvStorageClassFunction), STRUCT(3, 1),
		       POINTER(1, SpvStorageClassFunction, 3));
	EXPECT_REFUSED(SPB_E_NOT_A_TYPE, 11, HEADER(5), FORWARD(1, ADDRESS), STRUCT(2, 1), STRUCT(1, 2));
	EXPECT_REFUSED(SPB_E_NOT_A_TYPE, 8, HEADER(5), FORWARD(1, ADDRESS), STRUCT(2, 3), STRUCT(3, 2),
		       POINTER(1, ADDRESS, 3));
	EXPECT_REFUSED(SPB_E_NOT_A_TYPE, 9, HEADER(5), UNKNOWN, STRUCT(2, 3), STRUCT(3, 2));
	EXPECT_REFUSED(SPB_E_NOT_A_TYPE, 9, HEADER(5), OP(SpvOpTypeInt, 4), 1, 32, 0, OP(SpvOpConstantComposite, 4), 1,
		       2, 3, OP(SpvOpConstantComposite, 4), 1, 3, 2);
#undef FORWARD
#undef POINTER
#undef STRUCT
#undef ADDRESS
#undef UNKNOWN
}

static void functions_must_be_made_of_blocks(void **state)
{
	(void)state;
#define TYPES    OP(SpvOpTypeVoid, 2), 1, OP(SpvOpTypeFunction, 3), 2, 1
#define FUNCTION OP(SpvOpFunction, 5), 1, 3, 0, 2
	EXPECT_ACCEPTED(HEADER(5), TYPES, FUNCTION, OP(SpvOpLabel, 2), 4, OP(SpvOpReturn, 1), OP(SpvOpFunctionEnd, 1));
	EXPECT_REFUSED(SPB_E_FUNCTION, 0, HEADER(5), TYPES, FUNCTION, OP(SpvOpLabel, 2), 4, OP(SpvOpReturn, 1));
	EXPECT_REFUSED(SPB_E_FUNCTION, 17, HEADER(5), TYPES, FUNCTION, OP(SpvOpLabel, 2), 4, OP(SpvOpFunctionEnd, 1));
	EXPECT_REFUSED(SPB_E_FUNCTION, 15, HEADER(5), TYPES, FUNCTION, OP(SpvOpReturn, 1), OP(SpvOpFunctionEnd, 1));
	EXPECT_REFUSED(SPB_E_FUNCTION, 10, HEADER(5), TYPES, OP(SpvOpReturn, 1));
	EXPECT_REFUSED(SPB_E_FUNCTION, 15, HEADER(6), TYPES, FUNCTION, OP(SpvOpFunction, 5), 1, 5, 0, 2);
}

static void unknown_opcodes_are_kept_by_their_length(void **state)
{
	(void)state;
	EXPECT_ACCEPTED(HEADER(4), OP(SpvOpTypeVoid, 2), 1, OP(60000, 4), 77, 0, 0xFFFFFFFF);
}

/* Operands that depend on the context: each module parses, but not with one word more. */
static void context_dependent_operands_are_understood(void **state)
{
	(void)state;
#define INT64 OP(SpvOpTypeInt, 4), 1, 64, 0
	EXPECT_ACCEPTED(HEADER(5), INT64, OP(SpvOpConstant, 5), 1, 2, 7, 0);
#define SWITCH_MODULE(...)                                                                                             \
	HEADER(9), OP(SpvOpTypeVoid, 2), 1, OP(SpvOpTypeFunction, 3), 2, 1, OP(SpvOpTypeInt, 4), 3, 64, 0,             \
	    OP(SpvOpConstant, 5), 3, 4, 7, 0, OP(SpvOpFunction, 5), 1, 5, 0, 2, OP(SpvOpLabel, 2), 6, __VA_ARGS__,     \
	    OP(SpvOpLabel, 2), 7, OP(SpvOpReturn, 1), OP(SpvOpFunctionEnd, 1)
	EXPECT_ACCEPTED(SWITCH_MODULE(OP(SpvOpSwitch, 6), 4, 7, 1, 0, 7)); /* two words, then the label */
	EXPECT_REFUSED(SPB_E_OPERANDS, 31 - 5 + 0,
		       SWITCH_MODULE(OP(SpvOpSwitch, 5), 4, 7, 1, 7)); /* a literal of one word */
	/* OpSpecConstantOp: operands of the nested opcode */
	EXPECT_ACCEPTED(HEADER(5), OP(SpvOpTypeInt, 4), 1, 32, 0, OP(SpvOpConstant, 4), 1, 2, 7,
			OP(SpvOpSpecConstantOp, 6), 1, 3, SpvOpIAdd, 2, 2);
	EXPECT_REFUSED(SPB_E_OPERANDS, 13, HEADER(5), OP(SpvOpTypeInt, 4), 1, 32, 0, OP(SpvOpConstant, 4), 1, 2, 7,
		       OP(SpvOpSpecConstantOp, 5), 1, 3, SpvOpIAdd, 2);
	/* a decoration with a parameter, and without it */
	EXPECT_ACCEPTED(HEADER(5), OP(SpvOpDecorate, 4), 1, SpvDecorationBinding, 3, OP(SpvOpTypeVoid, 2), 1);
	EXPECT_REFUSED(SPB_E_OPERANDS, 5, HEADER(5), OP(SpvOpDecorate, 3), 1, SpvDecorationBinding,
		       OP(SpvOpTypeVoid, 2), 1);
	EXPECT_REFUSED(SPB_E_OPERANDS, 5, HEADER(5), OP(SpvOpDecorate, 4), 1, SpvDecorationNonUniform, 3,
		       OP(SpvOpTypeVoid, 2), 1);
}

static void mask_parameters_follow_in_the_order_of_the_bits(void **state)
{
	(void)state;
#define LOOP(...)                                                                                                      \
	HEADER(9), OP(SpvOpTypeVoid, 2), 1, OP(SpvOpTypeFunction, 3), 2, 1, OP(SpvOpFunction, 5), 1, 3, 0, 2,          \
	    OP(SpvOpLabel, 2), 4, __VA_ARGS__, OP(SpvOpBranch, 2), 4, OP(SpvOpLabel, 2), 5, OP(SpvOpReturn, 1),        \
	    OP(SpvOpFunctionEnd, 1)
	enum { DEPENDENCY = SpvLoopControlDependencyLengthMask, PARTIAL = SpvLoopControlPartialCountMask };
	EXPECT_ACCEPTED(LOOP(OP(SpvOpLoopMerge, 4), 5, 4, 1));
	EXPECT_ACCEPTED(LOOP(OP(SpvOpLoopMerge, 6), 5, 4, DEPENDENCY | PARTIAL | 1, 8, 9));
	EXPECT_REFUSED(SPB_E_OPERANDS, 17, LOOP(OP(SpvOpLoopMerge, 5), 5, 4, DEPENDENCY | PARTIAL, 8));
	EXPECT_REFUSED(SPB_E_OPERANDS, 17, LOOP(OP(SpvOpLoopMerge, 5), 5, 4, 1, 8));
}

/* Binds a module (twice, if it has names to merge by), with the layout as JSON; one allocation fails. */
static spb_status bind_with_failure(const uint32_t *words, size_t count, bool twice, bool registers,
				    struct meter *meter)
{
	const spb_allocator allocator = {metered, meter};
	spb_context *context = NULL;
	spb_program *program = NULL;
	spb_options options;
	spb_status status = spb_context_create(&allocator, NULL, &context);
	const spb_policy policies[] = {{"p", "place name=a -> order=3\nblock name=zz*\nshift class=t by=7\n"},
				       {"dx12-shifts", NULL}};

	spb_options_init(&options, sizeof options);
	if (registers) {
		options.uniformity.waterfall = SPB_WATERFALL_ALL;
		options.explain = 1;
		options.layout.rules = SPB_RULES_HLSL;
		options.layout.rebind = SPB_REBIND_CONFLICTS;
		options.layout.policies = policies;
		options.layout.policy_count = SPB_COUNT(policies);
		options.layout.lock = "lock version=1\nresource q set=0 binding=900\nremoved p set=0 binding=901\n";
	}
	if (status == SPB_OK)
		status = spb_program_create(context, &options, &program);
	if (status == SPB_OK)
		status = spb_program_add(program, "a", words, count, 0);
	if (status == SPB_OK && twice)
		status = spb_program_add(program, NULL, words, count, 0);
	if (status == SPB_OK)
		status = spb_program_bind(program);
	if (status == SPB_OK && (!spb_program_text(program, SPB_TEXT_LAYOUT_JSON, NULL, NULL) ||
				 !spb_program_text(program, SPB_TEXT_LOCK, NULL, NULL)))
		status = SPB_ERROR_OUT_OF_MEMORY;
	spb_program_destroy(program);
	spb_context_destroy(context);
	return status;
}

struct said {
	char text[8192];
	size_t length;
};

static void note_text(void *user, const spb_message *message)
{
	struct said *said = user;

	int n = snprintf(said->text + said->length, sizeof said->text - said->length, "%u %s %s %s\n",
			 (unsigned)message->code, message->module, message->text, message->fingerprint);
	said->length += (size_t)n;
	assert_true(said->length < sizeof said->text);
}

/* The messages about a module with texts in all options that take one; `baseline`: for the lint. `gone`: the texts are
 * overwritten and freed once the program exists. */
static void bind_with_texts(const uint32_t *words, size_t count, const char *baseline, bool gone, struct said *said)
{
	const char *const texts[] = {"lock version=1\nresource q set=0 binding=900\n",
				     "the lock",
				     "all,subgroup=note",
				     "barriers@nobody,nonuniform@nobody",
				     baseline ? baseline : "",
				     "nobody",
				     "nothing",
				     "main",
				     "a policy",
				     "place name=zz -> set=7\nplace -> order=3\n",
				     "waterfall",
				     "what was recorded",
				     "adopt-heaps,decorate-nonuniform,waterfall,assign-bindings"};
	const spb_callbacks callbacks = {note_text, said};
	char *copies[SPB_COUNT(texts)], *p = NULL;
	spb_context *context;
	spb_program *program;
	spb_options options;

	for (size_t i = 0; i < SPB_COUNT(texts); i++) {
		copies[i] = p = malloc(strlen(texts[i]) + 1);
		assert_non_null(p);
		strcpy(p, texts[i]);
	}
	spb_options_init(&options, sizeof options);
	options.layout.lock = copies[0];
	options.layout.lock_name = copies[1];
	options.mode = baseline ? SPB_MODE_LINT : SPB_MODE_BIND;
	options.uniformity.lint = copies[2];
	options.uniformity.suppress = copies[3];
	options.uniformity.baseline = copies[4];
	options.uniformity.ycbcr = copies[5];
	options.handles.lower_buffer_references = 1;
	options.handles.buffer_reference_blocks = copies[6];
	options.layout.entries = (const char *const *)&copies[7];
	options.layout.entry_count = 1;
	options.debug.dump_after = copies[10];
	options.output.record = copies[11];
	options.debug.only = copies[12];
	const spb_policy policies[] = {{copies[8], copies[9]}};
	options.layout.policies = policies;
	options.layout.policy_count = 1;
	said->length = 0;
	assert_int_equal(spb_context_create(NULL, &callbacks, &context), SPB_OK);
	assert_int_equal(spb_program_create(context, &options, &program), SPB_OK);
	for (size_t i = 0; gone && i < SPB_COUNT(texts); i++) {
		memset(copies[i], '*', strlen(copies[i]));
		free(copies[i]);
	}
	assert_int_equal(spb_program_add(program, "m", words, count, 0), SPB_OK);
	spb_message end = {.code = (uint32_t)spb_program_bind(program), .module = "", .text = "", .fingerprint = ""};
	const uint32_t *bound = spb_program_words(program, 0, SPB_WORDS_OUTPUT, &count);
	for (size_t i = 0; i < count; i++)
		end.code = 31 * end.code + bound[i];
	note_text(said, &end);
	for (size_t i = 0; !gone && i < SPB_COUNT(texts); i++)
		free(copies[i]);
	spb_program_destroy(program);
	spb_context_destroy(context);
}

/* As the header says: "Copied". */
static void option_strings_may_be_freed_after_creation(void **state)
{
	static const char fingerprint[] = "a037a8f4972a0bca";
	static struct said kept, gone;
	size_t count;
	uint32_t *words = assemble(SPB_FIXTURES "/decorate-nonuniform/through-call.spvasm", &count);

	(void)state;
	bind_with_texts(words, count, NULL, false, &kept);
	assert_null(strstr(kept.text, fingerprint));
	bind_with_texts(words, count, "", false, &kept);
	assert_non_null(strstr(kept.text, fingerprint));
	bind_with_texts(words, count, fingerprint, false, &kept); /* which identifies the finding */
	bind_with_texts(words, count, fingerprint, true, &gone);
	assert_string_equal(kept.text, gone.text);
	bind_with_texts(words, count, NULL, false, &kept);
	bind_with_texts(words, count, NULL, true, &gone);
	assert_string_equal(kept.text, gone.text);
	free(words);
}

static void every_allocation_may_fail(void **state)
{
	static const char *const fixtures[] = {"/lower-handles/copies.spvasm",
					       "/decorate-nonuniform/through-call.spvasm",
					       "/expand-groups/group.spvasm",
					       "/assign-bindings/by-source.spvasm",
					       "/resolve-descriptors/split-parameter.spvasm",
					       "/resolve-descriptors/local-several-resources.spvasm",
					       "/waterfall/loop-of-one-block.spvasm",
					       "/waterfall/bias.spvasm",
					       "/decorate-nonuniform/auto-through-function.spvasm"};

	(void)state;
	for (size_t k = 0; k < 2 * SPB_COUNT(fixtures); k++) { /* by Slang's rules, and by all others */
		size_t i = k / 2;
		char path[512];
		size_t count;
		snprintf(path, sizeof path, "%s%s", SPB_FIXTURES, fixtures[i]);
		uint32_t *words = assemble(path, &count);
		spb_status status;
		long n = 0;
		do {
			struct meter meter = {.fail_at = n++};
			status = bind_with_failure(words, count, i != 1 && i < 6, k % 2, &meter);
			assert_int_equal(meter.out, 0);
			assert_true(status == SPB_OK || status == SPB_ERROR_OUT_OF_MEMORY);
		} while (status != SPB_OK);
		assert_true(n > 4); /* arenas allocate rarely */
		free(words);
	}
}

struct shared_input {
	const uint32_t *words;
	size_t count;
	uint32_t *out; /* of the first round, for comparison */
	size_t out_count;
};

/* Returns 0 if every round gave the same words. */
static int bind_many_times(void *argument)
{
	struct shared_input *in = argument;
	int wrong = 0;

	for (int round = 0; round < 50; round++) {
		spb_context *context;
		spb_program *program;
		size_t count = 0;
		wrong += spb_context_create(NULL, NULL, &context) != SPB_OK;
		wrong += spb_program_create(context, NULL, &program) != SPB_OK;
		wrong += spb_program_add(program, "m", in->words, in->count, 0) != SPB_OK;
		wrong += spb_program_bind(program) != SPB_OK;
		const uint32_t *words = spb_program_words(program, 0, SPB_WORDS_OUTPUT, &count);
		if (!in->out) {
			in->out = malloc(count * sizeof *words + 1);
			memcpy(in->out, words, count * sizeof *words);
			in->out_count = count;
		}
		wrong += count != in->out_count || memcmp(words, in->out, count * sizeof *words) != 0;
		spb_program_destroy(program);
		spb_context_destroy(context);
	}
	return wrong;
}

/* In builds with AddressSanitizer, which otherwise would only see one chunk of memory. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>

static void unrequested_sections_may_not_be_edited(void **state)
{
	spb_context *context;
	size_t capacity = 0;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	struct spb_arena arena = {.context = context};
	for (size_t size = 1; size < 100000; size = 2 * size + 3) {
		char *a = spb_alloc(&arena, size), *b = spb_alloc(&arena, size);
		assert_null(__asan_region_is_poisoned(a, size));
		assert_null(__asan_region_is_poisoned(b, size));
		assert_true(__asan_address_is_poisoned(a + size));
		assert_true(__asan_address_is_poisoned(b + size));
	}
	char *list = spb_reserve(&arena, NULL, 0, 1, &capacity, 1);
	char *grown = spb_reserve(&arena, list, capacity, 1, &capacity, 1);
	assert_true(__asan_address_is_poisoned(list));
	assert_null(__asan_region_is_poisoned(grown, capacity));
	spb_arena_reset(&arena);
	assert_true(__asan_address_is_poisoned(grown));
	assert_null(__asan_region_is_poisoned(spb_alloc(&arena, 5), 5));
	spb_arena_release(&arena);
	spb_context_destroy(context);
}
#endif

struct sorted {
	uint32_t key[3], position;
};

static int by_keys(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	for (int i = 0; i < 3; i++) {
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	}
	return 0;
}

/* Keys of few and of many values, so that equal ones and all four bytes occur; with few items and with many. */
static void sorting_by_words_is_stable(void **state)
{
	static const uint32_t values[] = {2, 300, 70000, UINT32_MAX};
	static const size_t counts[] = {0, 1, 2, 7, 24, 25, 300, 2000};
	struct sorted items[2000], expected[2000];
	spb_context *context;
	uint64_t draw = 1;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	for (size_t n = 0; n < SPB_COUNT(counts); n++) {
		for (size_t v = 0; v < SPB_COUNT(values) * SPB_COUNT(values); v++) {
			for (uint32_t i = 0; i < counts[n]; i++) {
				for (size_t k = 0; k < 3; k++) {
					draw = spb_hash_mix(draw, i);
					items[i].key[k] = (uint32_t)draw % values[(v >> (k & 1) * 2) % 4];
				}
				items[i].position = i;
			}
			memcpy(expected, items, counts[n] * sizeof *items);
			spb_sort(&context->scratch, expected, counts[n], sizeof *expected, by_keys);
			spb_sort_by_words(&context->scratch, items, counts[n], sizeof *items, 3);
			assert_memory_equal(items, expected, counts[n] * sizeof *items);
			spb_arena_reset(&context->scratch);
		}
	}
	spb_context_destroy(context);
}

static void contexts_in_two_threads_are_independent(void **state)
{
	size_t count;
	uint32_t *words = assemble(SPB_FIXTURES "/lower-handles/copies.spvasm", &count);
	struct shared_input in[2] = {{words, count, NULL, 0}, {words, count, NULL, 0}};
	thrd_t thread[2];
	int wrong[2];

	(void)state;
	for (int i = 0; i < 2; i++)
		assert_int_equal(thrd_create(&thread[i], bind_many_times, &in[i]), thrd_success);
	for (int i = 0; i < 2; i++)
		thrd_join(thread[i], &wrong[i]);
	assert_int_equal(wrong[0] + wrong[1], 0);
	assert_int_equal(in[0].out_count, in[1].out_count);
	assert_memory_equal(in[0].out, in[1].out, in[0].out_count * sizeof *words);
	free(in[0].out);
	free(in[1].out);
	free(words);
}

static void each_id_that_is_used_has_a_definition(void **state)
{
	enum { BOUND = 100 };
	struct last last;

	(void)state;
	for (uint32_t id = 0; id < BOUND + 40; id++) {
		const uint32_t words[] = {HEADER(BOUND), OP(SpvOpDecorate, 3), id, SpvDecorationRelaxedPrecision};
		assert_int_equal(add_words(words, SPB_COUNT(words), &last), SPB_ERROR_INVALID_SPIRV);
		assert_int_equal(last.code, id && id < BOUND ? SPB_E_ID_UNDEFINED : SPB_E_ID_RANGE);
		assert_int_equal(last.word_offset, 5);
	}
	for (uint32_t id = 1; id < BOUND; id++) {
		const uint32_t words[] = {
		    HEADER(BOUND), OP(SpvOpDecorate, 3), id, SpvDecorationRelaxedPrecision, OP(SpvOpTypeVoid, 2), id};
		assert_int_equal(add_words(words, SPB_COUNT(words), &last), SPB_OK);
	}
}

static spb_status create_with(const spb_options *options)
{
	spb_context *context;
	spb_program *program;

	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	spb_status status = spb_program_create(context, options, &program);
	if (status == SPB_OK)
		spb_program_destroy(program);
	spb_context_destroy(context);
	return status;
}

/* Options of a later library must not be ignored. */
static void reserved_fields_must_be_zero(void **state)
{
	spb_options o;
	struct {
		uint32_t *words;
		size_t count;
	} groups[] = {{o.layout.reserved, SPB_COUNT(o.layout.reserved)},
		      {o.handles.reserved, SPB_COUNT(o.handles.reserved)},
		      {o.heaps.reserved, SPB_COUNT(o.heaps.reserved)},
		      {o.combined.reserved, SPB_COUNT(o.combined.reserved)},
		      {o.uniformity.reserved, SPB_COUNT(o.uniformity.reserved)},
		      {o.validation.reserved, SPB_COUNT(o.validation.reserved)},
		      {o.debug.reserved, SPB_COUNT(o.debug.reserved)},
		      {o.output.reserved, SPB_COUNT(o.output.reserved)}};

	(void)state;
	for (size_t g = 0; g < SPB_COUNT(groups); g++) {
		for (size_t i = 0; i < groups[g].count; i++) {
			spb_options_init(&o, sizeof o);
			groups[g].words[i] = 1;
			assert_int_equal(create_with(&o), SPB_ERROR_INVALID_ARGUMENT);
			groups[g].words[i] = 0;
			assert_int_equal(create_with(&o), SPB_OK);
		}
	}
}

static void values_behind_the_last_of_an_enumeration_are_refused(void **state)
{
	spb_options o;
	const struct {
		void *field;
		uint32_t last;
	} fields[] = {{&o.layout.rules, SPB_RULES_HLSL},
		      {&o.layout.unused, SPB_UNUSED_REMOVE},
		      {&o.layout.rebind, SPB_REBIND_ALL_SETS},
		      {&o.layout.order, SPB_ORDER_SOURCE_STRICT},
		      {&o.layout.module_order, SPB_MODULE_ORDER_PIPELINE},
		      {&o.mode, SPB_MODE_COLLECT},
		      {&o.uniformity.mode, SPB_NONUNIFORM_ALL},
		      {&o.uniformity.check_assertions, SPB_ASSERTIONS_OFF},
		      {&o.uniformity.scope, SPB_UNIFORM_SCOPE_GROUP_OR_SUBGROUP},
		      {&o.uniformity.waterfall, SPB_WATERFALL_DRIVERS},
		      {&o.validation.which, SPB_VALIDATE_STRICT},
		      {&o.validation.env, SPB_ENV_VULKAN_1_3},
		      {&o.heaps.combined, SPB_COMBINED_SPLIT},
		      {&o.heaps.model, SPB_HEAP_MODEL_DESCRIPTOR_HEAP},
		      {&o.heaps.bounds_check, SPB_BOUNDS_CHECK_NULL}};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(fields); i++) {
		for (uint32_t value = 0; value < fields[i].last + 2; value++) {
			spb_options_init(&o, sizeof o);
			o.heaps.size = 4;
			memcpy(fields[i].field, &value, sizeof value);
			assert_int_equal(create_with(&o), value > fields[i].last ? SPB_ERROR_INVALID_ARGUMENT : SPB_OK);
		}
	}
	spb_options_init(&o, sizeof o);
	o.heaps.bounds_check = SPB_BOUNDS_CHECK_NULL; /* of no size */
	assert_int_equal(create_with(&o), SPB_ERROR_INVALID_ARGUMENT);
	spb_options_init(&o, sizeof o);
	o.heaps.unified_stride = 1;
	assert_int_equal(create_with(&o), SPB_OK);
	o.heaps.resource_stride = 64;
	assert_int_equal(create_with(&o), SPB_ERROR_INVALID_ARGUMENT);
}

/* In a library without functions, nothing is read past the last instruction, as AddressSanitizer would notice. */
static void the_last_instruction_may_have_one_word(void **state)
{
	static const uint32_t words[] = {SpvMagicNumber,
					 0x00010300,
					 0,
					 8,
					 0,
					 2 << 16 | SpvOpCapability,
					 SpvCapabilityShader,
					 2 << 16 | SpvOpCapability,
					 SpvCapabilityLinkage,
					 3 << 16 | SpvOpMemoryModel,
					 SpvAddressingModelLogical,
					 SpvMemoryModelGLSL450,
					 2 << 16 | SpvOpTypeVoid,
					 1,
					 1 << 16 | SpvOpNoLine};
	spb_context *context;
	spb_program *program;
	spb_options o;

	(void)state;
	for (unsigned split = 0; split < 2; split++) {
		spb_options_init(&o, sizeof o);
		o.validation.which = SPB_VALIDATE_NONE;
		o.combined.split = split;
		assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
		assert_int_equal(spb_program_create(context, &o, &program), SPB_OK);
		assert_int_equal(spb_program_add(program, "m", words, SPB_COUNT(words), 0), SPB_OK);
		assert_int_equal(spb_program_bind(program), SPB_OK);
		assert_false(is_changed(program, 0));
		spb_program_destroy(program);
		spb_context_destroy(context);
	}
}

static void null_lists_are_refused(void **state)
{
	static const char *const pairs[] = {"tex:smp", "tex", "tex:", ":smp", "", "a:b:c", "a::b", ":", NULL};
	static const char *const no_name[] = {NULL};
	const spb_heap_place no_heap = {.kind = (spb_heap_kind)99};
	spb_options o;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(pairs); i++) {
		spb_options_init(&o, sizeof o);
		o.combined.merge_count = 1;
		assert_int_equal(create_with(&o), SPB_ERROR_INVALID_ARGUMENT);
		o.combined.merge = &pairs[i];
		assert_int_equal(create_with(&o), i ? SPB_ERROR_INVALID_ARGUMENT : SPB_OK);
	}
	spb_options_init(&o, sizeof o);
	o.heaps.place_count = 1;
	assert_int_equal(create_with(&o), SPB_ERROR_INVALID_ARGUMENT);
	o.heaps.places = &no_heap;
	assert_int_equal(create_with(&o), SPB_ERROR_INVALID_ARGUMENT);
	spb_options_init(&o, sizeof o);
	o.layout.entry_count = 1;
	assert_int_equal(create_with(&o), SPB_ERROR_INVALID_ARGUMENT);
	o.layout.entries = no_name;
	assert_int_equal(create_with(&o), SPB_ERROR_INVALID_ARGUMENT);
	spb_options_init(&o, sizeof o);
	o.layout.spec_value_count = 1;
	assert_int_equal(create_with(&o), SPB_ERROR_INVALID_ARGUMENT);
	for (uint32_t size = 0; size < sizeof o.struct_size; size++) {
		spb_options_init(&o, sizeof o);
		o.struct_size = size;
		assert_int_equal(create_with(&o), SPB_ERROR_INVALID_ARGUMENT);
	}
	assert_int_equal(create_with(NULL), SPB_OK);
	assert_int_equal(spb_version() >> 16, SPB_VERSION_MAJOR);
	assert_int_equal(spb_version() >> 8 & 0xFF, SPB_VERSION_MINOR);
	assert_int_equal(spb_version() & 0xFF, SPB_VERSION_PATCH);
}

static void names_of_passes_are_known(void **state)
{
	static const struct {
		const char *text;
		bool list, one;
	} rows[] = {{"assign-bindings", true, true},
		    {"expand-groups", true, true},
		    {"assign-bindings,expand-groups", true, false},
		    {"expand-groups,assign-bindings,expand-groups", true, false},
		    {"", false, false},
		    {",", false, false},
		    {"assign-bindings,", false, false},
		    {",assign-bindings", false, false},
		    {"assign-bindings,,expand-groups", false, false},
		    {"assign-bindings,expand", false, false},
		    {"assign-binding", false, false},
		    {"assign-bindingss", false, false},
		    {"assign-bindings ,expand-groups", false, false}};
	spb_options o;

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		spb_options_init(&o, sizeof o);
		o.debug.only = rows[i].text;
		assert_int_equal(create_with(&o), rows[i].list ? SPB_OK : SPB_ERROR_INVALID_ARGUMENT);
		spb_options_init(&o, sizeof o);
		o.debug.dump_after = rows[i].text;
		assert_int_equal(create_with(&o), rows[i].one ? SPB_OK : SPB_ERROR_INVALID_ARGUMENT);
	}
}

/* A resolver needs a name, and words if its count is not 0; a count without a list is refused. */
static void pointers_in_options_are_checked(void **state)
{
	static const uint32_t words[] = {HEADER(1)};
	static const spb_resolver wrong[] = {{.words = words, .word_count = 5}, {.name = "r", .word_count = 5}};
	static const spb_spec_value spec = {1, 2};
	struct {
		spb_options o;
		unsigned char beyond[4097];
	} large;
	spb_options o;
	char *record = malloc(65537);

	(void)state;
	for (size_t i = 0; i <= SPB_COUNT(wrong); i++) {
		spb_options_init(&o, sizeof o);
		o.handles.resolver_count = 1;
		o.handles.resolvers = i ? &wrong[i - 1] : NULL;
		assert_int_equal(create_with(&o), SPB_ERROR_INVALID_ARGUMENT);
		o.handles.resolver_count = 0;
		assert_int_equal(create_with(&o), SPB_OK);
	}
	spb_options_init(&o, sizeof o);
	o.layout.spec_value_count = 1;
	o.layout.spec_values = &spec;
	assert_int_equal(create_with(&o), SPB_OK);
	memset(record, 'x', 65537);
	for (size_t length = 65535; length < 65537; length++) {
		spb_options_init(&o, sizeof o);
		record[65536] = record[65535] = 0;
		record[65535] = length > 65535 ? 'x' : 0;
		o.output.record = record;
		assert_int_equal(create_with(&o), length > 65535 ? SPB_ERROR_INVALID_ARGUMENT : SPB_OK);
	}
	free(record);
	/* from a newer caller, as long as the unknown fields are zero */
	memset(&large, 0, sizeof large);
	large.o.struct_size = 4096;
	assert_int_equal(create_with(&large.o), SPB_OK);
	large.o.struct_size = 4097;
	assert_int_equal(create_with(&large.o), SPB_ERROR_INVALID_ARGUMENT);
	for (size_t at = sizeof large.o; at < 4096; at += at < sizeof large.o + 8 ? 1 : 100) {
		((unsigned char *)&large)[at] = 1;
		large.o.struct_size = (uint32_t)at + 1;
		assert_int_equal(create_with(&large.o), SPB_ERROR_INVALID_ARGUMENT);
		large.o.struct_size = (uint32_t)at;
		assert_int_equal(create_with(&large.o), SPB_OK);
		((unsigned char *)&large)[at] = 0;
	}
	/* and from an older one, which knows less */
	large.o.struct_size = sizeof large.o.struct_size;
	large.o.layout.rules = (spb_rules)77;
	assert_int_equal(create_with(&large.o), SPB_OK);
}

/* The caller's pointer becomes NULL. */
static void expect_no_program(spb_context *context, const spb_options *options)
{
	spb_program *program = (spb_program *)context;

	assert_int_equal(spb_program_create(context, options, &program), SPB_ERROR_INVALID_ARGUMENT);
	assert_null(program);
}

static void expect_no_context(const spb_allocator *allocator, spb_status status)
{
	spb_context *context = (spb_context *)(uintptr_t)&status;

	assert_int_equal(spb_context_create(allocator, NULL, &context), status);
	assert_null(context);
}

/* A function that returns a text or words returns NULL, and a length of 0. */
#define EXPECT_NOTHING(call, length)                                                                                   \
	do {                                                                                                           \
		(length) = 77;                                                                                         \
		assert_null(call);                                                                                     \
		assert_int_equal(length, 0);                                                                           \
	} while (0)

static void misuse_is_an_error(void **state)
{
	const uint32_t words[] = {HEADER(1)};
	struct meter none = {.fail_at = 0};
	spb_context *context;
	spb_program *program;
	spb_options options;
	size_t count;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, NULL), SPB_ERROR_INVALID_ARGUMENT);
	expect_no_context(&(const spb_allocator){NULL, NULL}, SPB_ERROR_INVALID_ARGUMENT);
	expect_no_context(&(const spb_allocator){.resize = metered, .user = &none}, SPB_ERROR_OUT_OF_MEMORY);
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	assert_int_equal(spb_program_create(NULL, NULL, &program), SPB_ERROR_INVALID_ARGUMENT);
	spb_options_init(&options, sizeof options);
	options.layout.rebind = (spb_rebind)77;
	expect_no_program(context, &options);
	options.layout.rebind = SPB_REBIND_MISSING;
	options.layout.policy_count = 1; /* of none */
	expect_no_program(context, &options);
	options.layout.policies = &(const spb_policy){"no-such-profile", NULL};
	expect_no_program(context, &options);
	options.layout.policies = &(const spb_policy){NULL, "place -> set=1"};
	expect_no_program(context, &options);
	options.layout.policies = &(const spb_policy){"p", "no such line"};
	expect_no_program(context, &options);
	assert_string_equal(spb_name(SPB_NAME_PROFILE, 0), "dx12-shifts");
	assert_null(spb_name(SPB_NAME_PROFILE, 1000));
	assert_string_equal(spb_name(SPB_NAME_HEAP_KIND, SPB_HEAP_SAMPLER), "sampler");
	assert_string_equal(spb_name(SPB_NAME_HEAP_KIND, SPB_HEAP_COUNTER), "counter");
	assert_null(spb_name(SPB_NAME_HEAP_KIND, SPB_HEAP_COUNTER + 1));
	assert_string_equal(spb_name(SPB_NAME_DESCRIPTOR_TYPE, 2), "sampled image");
	assert_string_equal(spb_name(SPB_NAME_DESCRIPTOR_TYPE, 1000150000), "acceleration structure");
	assert_string_equal(spb_name(SPB_NAME_DESCRIPTOR_TYPE, 11), "other");
	struct {
		spb_options known;
		uint32_t newer;
	} larger = {.newer = 0};
	spb_options_init(&larger.known, sizeof larger);
	larger.newer = 1; /* from a later library: refused, not ignored */
	expect_no_program(context, &larger.known);
	larger.newer = 0;
	assert_int_equal(spb_program_create(context, &larger.known, &program), SPB_OK);
	EXPECT_NOTHING(spb_program_words(program, 0, SPB_WORDS_OUTPUT, &count), count);
	EXPECT_NOTHING(spb_program_words(program, 0, SPB_WORDS_DUMP, &count), count);
	EXPECT_NOTHING(spb_program_text(program, SPB_TEXT_LAYOUT_JSON, NULL, &count), count);
	EXPECT_NOTHING(spb_program_text(program, SPB_TEXT_LAYOUT_HEADER, "a", &count), count);
	EXPECT_NOTHING(spb_program_text(program, SPB_TEXT_LAYOUT_GLSL, "a", &count), count);
	EXPECT_NOTHING(spb_program_text(program, SPB_TEXT_REPORT, NULL, &count), count);
	EXPECT_NOTHING(spb_program_text(program, SPB_TEXT_FACTS, NULL, &count), count);
	EXPECT_NOTHING(spb_program_text(program, SPB_TEXT_LOCK, NULL, &count), count);
	assert_null(spb_program_text(program, SPB_TEXT_LAYOUT_JSON, NULL, NULL));
	assert_int_equal(info_of(program, 0).stages, 0);
	assert_int_equal(spb_program_add(program, NULL, NULL, 4, 0), SPB_ERROR_INVALID_ARGUMENT);
	assert_int_equal(spb_program_add(program, NULL, words, 5, 0), SPB_OK);
	assert_int_equal(spb_program_add(program, NULL, words, 4, 0), SPB_ERROR_INVALID_SPIRV);
	spb_program_destroy(program);
	spb_program_destroy(NULL);
	spb_context_destroy(context);
	spb_context_destroy(NULL);
}

/* Edits against naive ones: one at a time, from the back, on a copy. */
struct edit_round {
	spb_context *context;
	uint64_t *random;
};

static void edit_once(void *argument)
{
	struct edit_round *round = argument;
	uint32_t words[5 + 40 * 2], naive[1000], n = 5;
	const uint32_t header[] = {HEADER(2)};
	struct spb_module m = {.context = round->context};
	struct spb_edit e;

	memcpy(words, header, sizeof header);
	for (uint32_t i = 0; i < 40; i++) {
		words[n++] = OP(SpvOpCapability, 2);
		words[n++] = i;
	}
	spb_module_parse(&m, "m", words, n);
	spb_edit_begin(&e, &m, &round->context->scratch);
	memcpy(naive, words, n * sizeof *words);
	uint32_t length = n;
	for (uint32_t at = n - 2; at >= 5; at -= 2) { /* from the back, so that offsets stay right */
		*round->random = *round->random * 6364136223846793005u + 1442695040888963407u;
		unsigned what = (unsigned)(*round->random >> 33) % 8;
		if (what == 0) {
			spb_remove(&e, at);
			memmove(naive + at, naive + at + 2, (length - at - 2) * sizeof *naive);
			length -= 2;
		} else if (what == 1) {
			spb_patch(&e, at + 1, 99);
			naive[at + 1] = 99;
		} else if (what == 2) {
			spb_insert(&e, at, SpvOpCapability, W(7));
			spb_insert(&e, at, SpvOpCapability, W(8));
			memmove(naive + at + 4, naive + at, (length - at) * sizeof *naive);
			const uint32_t both[] = {OP(SpvOpCapability, 2), 7, OP(SpvOpCapability, 2), 8};
			memcpy(naive + at, both, sizeof both);
			length += 4;
		}
	}
	if (e.changes.count) {
		spb_edit_commit(&e);
		assert_int_equal(m.count, length);
		assert_memory_equal(m.words, naive, length * sizeof *naive);
		for (uint32_t i = 0; i < m.run_count; i++) /* kept words map to their original positions */
			assert_int_equal(m.words[m.run[i].now], words[m.run[i].was]);
		assert_int_equal(m.given_count, n);
		assert_memory_equal(m.given, words, n * sizeof *words);
		spb_module_need_index(&m);
		spb_module_check(&m);
	}
	spb_module_release(&m);
}

static void commit_equals_one_edit_at_a_time(void **state)
{
	uint64_t random = 12345;

	(void)state;
	for (int i = 0; i < 300; i++) {
		struct edit_round round = {.random = &random};
		assert_int_equal(spb_context_create(NULL, NULL, &round.context), SPB_OK);
		assert_false(caught(round.context, edit_once, &round));
		spb_context_destroy(round.context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(damaged_headers_are_told_apart),
	    cmocka_unit_test(instructions_that_do_not_fit_are_refused_with_their_place),
	    cmocka_unit_test(forward_pointers_are_accepted_and_cycles_without_them_refused),
	    cmocka_unit_test(functions_must_be_made_of_blocks),
	    cmocka_unit_test(unknown_opcodes_are_kept_by_their_length),
	    cmocka_unit_test(context_dependent_operands_are_understood),
	    cmocka_unit_test(mask_parameters_follow_in_the_order_of_the_bits),
	    cmocka_unit_test(option_strings_may_be_freed_after_creation),
	    cmocka_unit_test(every_allocation_may_fail),
#ifdef __SANITIZE_ADDRESS__
	    cmocka_unit_test(unrequested_sections_may_not_be_edited),
#endif
	    cmocka_unit_test(sorting_by_words_is_stable),
	    cmocka_unit_test(contexts_in_two_threads_are_independent),
	    cmocka_unit_test(each_id_that_is_used_has_a_definition),
	    cmocka_unit_test(reserved_fields_must_be_zero),
	    cmocka_unit_test(values_behind_the_last_of_an_enumeration_are_refused),
	    cmocka_unit_test(the_last_instruction_may_have_one_word),
	    cmocka_unit_test(null_lists_are_refused),
	    cmocka_unit_test(names_of_passes_are_known),
	    cmocka_unit_test(pointers_in_options_are_checked),
	    cmocka_unit_test(misuse_is_an_error),
	    cmocka_unit_test(commit_equals_one_edit_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
