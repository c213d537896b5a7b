/* SPDX-License-Identifier: Apache-2.0 */
/* What is used, and the pass that removes the rest, on assembled modules; each result is valid and has nothing left to
 * remove. With arguments: the same with each file, which may be any module. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "caught.h"
#include "pass/pass.h"

struct words {
	uint32_t *items;
	size_t count;
	unsigned removed; /* variables that were removed */
};

static void say_error(void *user, const spb_message *message)
{
	(void)user;
	fprintf(stderr, "%s: %s\n", message->op, message->text);
}

static bool is_resource(const struct spb_module *m, spb_at at)
{
	uint32_t op = spb_op(m, at);

	return (op == SpvOpVariable || op == OpUntypedVariableKHR) && spb_is_resource_class(m->words[at + 3]);
}

struct job {
	struct spb_unit *u;
	struct words in, out;
};

/* Like pipeline.c. */
static void remove_unused(void *argument)
{
	struct job *job = argument;
	struct spb_unit *u = job->u;
	struct spb_module *m = &u->m;
	struct spb_context *c = m->context;

	spb_module_parse(m, "m", job->in.items, job->in.count);
	uint32_t *used = spb_find_used(m, &c->scratch);
	u->placed.removed = spb_bits(&m->keep, m->bound);
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (!is_resource(m, at) || spb_bit(used, m->words[at + 2]))
			continue;
		spb_set_bit(u->placed.removed, m->words[at + 2]);
		job->out.removed++;
	}
	spb_arena_reset(&c->scratch);
	spb_module_need_index(m);
	spb_edit_begin(&u->edit, m, &c->scratch);
	if (spb_pass_remove_unused(u)) {
		spb_edit_commit(&u->edit);
		spb_module_need_index(m);
		spb_module_check_defined(m);
		spb_module_check(m);
	}
}

/* Without items: it was refused. */
static struct words removed(struct words in, bool quiet)
{
	const spb_callbacks callbacks = {say_error, NULL};
	struct spb_unit unit = {0};
	struct job job = {.u = &unit, .in = in};

	assert_int_equal(spb_context_create(NULL, quiet ? NULL : &callbacks, &unit.m.context), SPB_OK);
	if (!caught(unit.m.context, remove_unused, &job)) {
		job.out.count = unit.m.count;
		job.out.items = malloc(unit.m.count * sizeof(uint32_t));
		memcpy(job.out.items, unit.m.words, unit.m.count * sizeof(uint32_t));
	}
	spb_context *context = unit.m.context;
	spb_module_release(&unit.m);
	spb_context_destroy(context);
	return job.out;
}

/* For every version of Vulkan that accepts the module's version of SPIR-V; empty: it is valid. */
static const char *why_invalid(struct words words, bool any_env)
{
	static const spv_target_env envs[] = {SPV_ENV_VULKAN_1_0, SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_1_SPIRV_1_4,
					      SPV_ENV_VULKAN_1_2, SPV_ENV_VULKAN_1_3};
	static const uint32_t versions[] = {0x10000, 0x10300, 0x10400, 0x10500, 0x10600};
	static char why[1000];

	why[0] = '\0';
	for (size_t i = 0; i < SPB_COUNT(envs); i++) {
		if (words.items[1] > versions[i])
			continue;
		spv_context context = spvContextCreate(any_env ? SPV_ENV_UNIVERSAL_1_6 : envs[i]);
		spv_validator_options options = spvValidatorOptionsCreate();
		spv_diagnostic diagnostic = NULL;
		spv_const_binary_t binary = {words.items, words.count};
		spvValidatorOptionsSetRelaxBlockLayout(options, true);
		if (spvValidateWithOptions(context, options, &binary, &diagnostic) != SPV_SUCCESS)
			snprintf(why, sizeof why, "Vulkan env %u: %s", (unsigned)i,
				 diagnostic ? diagnostic->error : "?");
		spvDiagnosticDestroy(diagnostic);
		spvValidatorOptionsDestroy(options);
		spvContextDestroy(context);
	}
	return why;
}

static struct words assembled(const char *text, size_t length, uint32_t minor)
{
	static const spv_target_env envs[] = {SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2,
					      SPV_ENV_UNIVERSAL_1_3, SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5,
					      SPV_ENV_UNIVERSAL_1_6};
	spv_context context = spvContextCreate(envs[minor]);
	spv_binary binary = NULL;
	spv_diagnostic diagnostic = NULL;
	struct words words = {0};

	if (spvTextToBinaryWithOptions(context, text, length, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary,
				       &diagnostic) != SPV_SUCCESS)
		fail_msg("line %u: %s", (unsigned)diagnostic->position.line + 1, diagnostic->error);
	words.count = binary->wordCount;
	words.items = malloc(words.count * sizeof(uint32_t));
	memcpy(words.items, binary->code, words.count * sizeof(uint32_t));
	spvBinaryDestroy(binary);
	spvContextDestroy(context);
	return words;
}

static char *disassembled(struct words words)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_text text = NULL;

	assert_int_equal(spvBinaryToText(context, words.items, words.count,
					 SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_NO_HEADER, &text,
					 NULL),
			 SPV_SUCCESS);
	char *copy = calloc(text->length + 1, 1);
	memcpy(copy, text->str, text->length);
	spvTextDestroy(text);
	spvContextDestroy(context);
	return copy;
}

/* Runs the pass, and checks properties of the result. */
static struct words checked(struct words in, bool any_env)
{
	struct words out = removed(in, false);

	assert_non_null(out.items);
	const char *why = *why_invalid(in, any_env) ? "" : why_invalid(out, any_env);
	if (*why)
		fail_msg("not valid any more: %s\n%s", why, disassembled(out));
	struct words again = removed(out, false);
	assert_int_equal(again.removed, 0);
	assert_int_equal(again.count, out.count);
	assert_memory_equal(again.items, out.items, out.count * sizeof(uint32_t));
	if (!out.removed)
		assert_memory_equal(in.items, out.items, out.count * sizeof(uint32_t));
	free(again.items);
	return out;
}

/* fixtures */

static char *read_text(const char *path, size_t *length)
{
	FILE *f = fopen(path, "rb");
	char *text = calloc(1 << 22, 1);

	*length = f ? fread(text, 1, (1 << 22) - 1, f) : 0;
	if (f)
		fclose(f);
	return text;
}

static uint32_t minor_of(const char *text)
{
	const char *version = strstr(text, "; version: 1.");

	return version ? (uint32_t)(version[13] - '0') : 3;
}

/* fixtures.py compares results with x.expect.spvasm; here the pass runs alone, and a second run must find nothing to
 * do. */
static void try_fixture(const char *folder, const char *name)
{
	char path[600];
	size_t length;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	char *text = read_text(path, &length);
	struct words in = assembled(text, length, minor_of(text));
	const char *why = why_invalid(in, strstr(text, "OpCapability Linkage") != NULL);
	if (*why)
		fail_msg("%s is not valid as it is: %s", name, why);
	struct words out = checked(in, strstr(text, "OpCapability Linkage") != NULL);
	free(out.items);
	free(in.items);
	free(text);
}

static bool is_fixture(const char *name)
{
	size_t length = strlen(name);

	return length > 7 && !strcmp(name + length - 7, ".spvasm") && !strstr(name, ".expect.");
}

static void fixtures_stay_valid(void **state)
{
	const char *folder = SPB_FIXTURES "/remove-unused";
	DIR *d = opendir(folder);
	unsigned count = 0;

	(void)state;
	assert_non_null(d);
	for (struct dirent *entry; (entry = readdir(d));) {
		if (!is_fixture(entry->d_name))
			continue;
		print_message("  %s\n", entry->d_name);
		try_fixture(folder, entry->d_name);
		count++;
	}
	closedir(d);
	assert_true(count > 0);
}

/* x.expect.spvasm has the version of x.spvasm. */
static uint32_t minor_of_file(const char *path, const char *text)
{
	const char *expect = strstr(path, ".expect.");
	char of[600];
	size_t length;

	if (!expect)
		return minor_of(text);
	snprintf(of, sizeof of, "%.*s%s", (int)(expect - path), path, expect + strlen(".expect"));
	char *source = read_text(of, &length);
	uint32_t minor = minor_of(source);
	free(source);
	return minor;
}

/* The fixtures of other passes; with sanitizers, which make it ten times slower, a fifth. */
#ifdef __SANITIZE_ADDRESS__
enum { EACH = 5 };
#else
enum { EACH = 1 };
#endif
static void all_other_fixtures_stay_valid(void **state)
{
	static const char *const folders[] = {
	    "assign-bindings",      "decorate-nonuniform", "expand-groups",       "lower-handles",  "carry-handles",
	    "lower-buffer-handles", "merge-combined",      "resolve-descriptors", "split-combined", "waterfall"};

	(void)state;
	for (size_t i = 0, n = 0; i < SPB_COUNT(folders); i++) {
		char path[600];
		snprintf(path, sizeof path, "%s/%s", SPB_FIXTURES, folders[i]);
		DIR *d = opendir(path);
		for (struct dirent *entry; (entry = readdir(d));) {
			size_t length;
			if (!strstr(entry->d_name, ".spvasm") || n++ % EACH)
				continue;
			snprintf(path, sizeof path, "%s/%s/%s", SPB_FIXTURES, folders[i], entry->d_name);
			char *text = read_text(path, &length);
			struct words in = assembled(text, length, minor_of_file(path, text));
			free(checked(in, false).items);
			free(in.items);
			free(text);
		}
		closedir(d);
	}
}

/* many */

struct text {
	char *items;
	size_t count, capacity;
};

static void put(struct text *t, const char *format, ...)
{
	va_list arguments;

	if (t->capacity - t->count < 1000) {
		t->capacity = t->capacity * 2 + 4000;
		t->items = realloc(t->items, t->capacity);
	}
	va_start(arguments, format);
	t->count += (size_t)vsnprintf(t->items + t->count, 1000, format, arguments);
	va_end(arguments);
}

static const char prelude[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
    "OpExecutionMode %main LocalSize 1 1 1\nOpName %r \"r\"\nOpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0\n"
    "OpDecorate %r DescriptorSet 0\nOpDecorate %r Binding 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
    "%int = OpTypeInt 32 1\n%bool = OpTypeBool\n%false = OpConstantFalse %bool\n%zero = OpConstant %int 0\n"
    "%s = OpTypeStruct %int\n%ps = OpTypePointer Uniform %s\n%pi = OpTypePointer Uniform %int\n"
    "%r = OpVariable %ps Uniform\n";

/* A chain of uncalled functions, the last of which uses the resource. */
static void put_functions(struct text *t, unsigned count)
{
	put(t, "%%main = OpFunction %%void None %%fn\n%%main0 = OpLabel\nOpReturn\nOpFunctionEnd\n");
	for (unsigned i = 0; i < count; i++) {
		put(t, "%%f%u = OpFunction %%void None %%fn\n%%l%u = OpLabel\n", i, i);
		if (i + 1 < count)
			put(t, "%%c%u = OpFunctionCall %%void %%f%u\n", i, i + 1);
		else
			put(t, "%%p = OpAccessChain %%pi %%r %%zero\n%%v = OpLoad %%int %%p\n");
		put(t, "OpReturn\nOpFunctionEnd\n");
	}
}

/* Consecutive selections, each with a dead arm that uses the resource, and an OpPhi. */
static void put_blocks(struct text *t, unsigned count)
{
	put(t, "%%main = OpFunction %%void None %%fn\n%%m0 = OpLabel\n");
	for (unsigned i = 0; i < count; i++) {
		put(t, "OpSelectionMerge %%m%u None\nOpBranchConditional %%false %%t%u %%m%u\n", i + 1, i, i + 1);
		put(t, "%%t%u = OpLabel\n%%p%u = OpAccessChain %%pi %%r %%zero\n%%v%u = OpLoad %%int %%p%u\n", i, i, i,
		    i);
		put(t, "OpBranch %%m%u\n%%m%u = OpLabel\n%%x%u = OpPhi %%int %%zero %%m%u %%v%u %%t%u\n", i + 1, i + 1,
		    i, i, i, i);
	}
	put(t, "OpReturn\nOpFunctionEnd\n");
}

/* Loops in the continue constructs of loops, each with a dead block that uses the resource. */
static void put_loops(struct text *t, unsigned depth)
{
	put(t, "%%main = OpFunction %%void None %%fn\n%%e = OpLabel\nOpBranch %%h0\n");
	for (unsigned i = 0; i < depth; i++)
		put(t,
		    "%%h%u = OpLabel\nOpLoopMerge %%m%u %%c%u None\nOpBranchConditional %%u %%c%u %%m%u\n%%c%u = "
		    "OpLabel\n"
		    "OpBranch %%h%u\n",
		    i, i, i, i, i, i, i + 1);
	put(t, "%%h%u = OpLabel\nOpBranch %%d%u\n", depth, depth);
	for (unsigned i = depth; i-- > 0;) {
		put(t,
		    "%%d%u = OpLabel\nOpSelectionMerge %%s%u None\nOpBranchConditional %%false %%t%u %%s%u\n%%t%u = "
		    "OpLabel\n",
		    i + 1, i, i, i, i);
		put(t, "%%p%u = OpAccessChain %%pi %%r %%zero\n%%v%u = OpLoad %%int %%p%u\nOpBranch %%s%u\n", i, i, i,
		    i);
		put(t, "%%s%u = OpLabel\nOpBranch %%h%u\n%%m%u = OpLabel\nOpBranch %%d%u\n", i, i, i, i);
	}
	put(t, "%%d0 = OpLabel\nOpReturn\nOpFunctionEnd\n");
}

static double seconds_for(void (*write)(struct text *, unsigned), unsigned count, size_t *left, bool validate)
{
	struct text t = {0};

	put(&t, "%s%%u = OpUndef %%bool\n", prelude);
	write(&t, count);
	struct words in = assembled(t.items, t.count, 0);
	clock_t begin = clock();
	struct words out = removed(in, false);
	double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
	assert_int_equal(out.removed, 1);
	*left = out.count;
	if (validate) {
		assert_string_equal(why_invalid(in, false), "");
		free(checked(in, false).items);
	}
	free(out.items);
	free(in.items);
	free(t.items);
	return seconds;
}

static void the_time_is_linear(void **state)
{
	void (*const writers[])(struct text *, unsigned) = {put_functions, put_blocks, put_loops};

	(void)state;
	for (size_t i = 0; i < SPB_COUNT(writers); i++) {
		size_t left;
		seconds_for(writers[i], i == 2 ? 5 : 50, &left, true);
		double small = seconds_for(writers[i], 1000, &left, false);
		double large = seconds_for(writers[i], 10000, &left, false);
		print_message("  %u: %.3f s for 1000, %.3f s for 10000, %u words left\n", (unsigned)i, small, large,
			      (unsigned)left);
		assert_true(large < 40 * small + 0.2); /* ten times as much; quadratic would be a hundred */
	}
}

/* files */

/* The number of accepted modules that the pass changes. */
static unsigned mutants_do_no_harm(struct words in, unsigned count)
{
	static const uint32_t values[] = {0, 1, 2, 5, 0x7FFFFFFF, 0xFFFFFFFF, 0x0004003B, 0x00020014};
	uint64_t random = 88172645463325252u;
	unsigned accepted = 0;

	for (unsigned n = 0; n < count; n++) {
		struct words copy = {malloc(in.count * sizeof(uint32_t)), in.count, 0};
		memcpy(copy.items, in.items, in.count * sizeof(uint32_t));
		for (unsigned k = 0; k <= n % 3; k++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			uint32_t value = random >> 60 ? in.items[(random >> 8) % in.count] : values[(random >> 40) % 8];
			copy.items[5 + (random >> 16) % (in.count - 5)] = value;
		}
		struct words out = removed(copy, true);
		accepted += out.removed && out.items;
		free(out.items);
		free(copy.items);
	}
	return accepted;
}

static int try_file(const char *path)
{
	struct words in = {calloc(1, 1 << 26), 0, 0};
	FILE *f = fopen(path, "rb");

	if (!f)
		return 1;
	in.count = fread(in.items, sizeof(uint32_t), (1 << 26) / sizeof(uint32_t), f);
	fclose(f);
	struct words out = removed(in, false);
	if (!out.items) {
		printf("%s: 0 refused\n", path);
		free(in.items);
		return 0;
	}
	bool was_valid = !*why_invalid(in, false);
	const char *why = was_valid ? why_invalid(out, false) : "";
	struct words again = removed(out, false);
	bool stable = again.items && again.count == out.count && !memcmp(again.items, out.items, out.count * 4);
	printf("%s: %u removed, %u of %u words left%s%s%s\n", path, out.removed, (unsigned)out.count,
	       (unsigned)in.count, was_valid ? "" : ", was not valid", stable ? "" : ", NOT STABLE", why);
	if (getenv("SPB_MUTATE"))
		printf("%u mutants were accepted and changed\n",
		       mutants_do_no_harm(in, (unsigned)atoi(getenv("SPB_MUTATE"))));
	if (getenv("SPB_OUT")) {
		f = fopen(getenv("SPB_OUT"), "wb");
		fwrite(out.items, sizeof(uint32_t), out.count, f);
		fclose(f);
	}
	free(again.items);
	free(out.items);
	free(in.items);
	return *why || !stable;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fixtures_stay_valid),
	    cmocka_unit_test(all_other_fixtures_stay_valid),
	    cmocka_unit_test(the_time_is_linear),
	};
	int wrong = 0;

	for (int i = 1; i < argc; i++)
		wrong += try_file(argv[i]);
	return argc > 1 ? wrong != 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
