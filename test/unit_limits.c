/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of a context: each of them met exactly, and exceeded by one. After that, the call is made again with more, and
 * does what it would have done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "parsed.h"
#include "spirv-bind/plugin.h"
#include "spirv-bind/workspace.h"

enum { TEXTURES = 3 };

/* Three arrays of textures, all indexed by an input that may differ: a finding for each. */
static const char text[] =
    "OpCapability Shader\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %1 \"main\" %2\n"
    "OpExecutionMode %1 OriginUpperLeft\n"
    "OpName %3 \"a\"\nOpName %4 \"b\"\nOpName %5 \"c\"\n"
    "OpDecorate %2 Location 0\nOpDecorate %2 Flat\n"
    "OpDecorate %3 DescriptorSet 0\nOpDecorate %4 DescriptorSet 0\nOpDecorate %5 DescriptorSet 0\n"
    "%6 = OpTypeVoid\n%7 = OpTypeFunction %6\n%8 = OpTypeInt 32 0\n%9 = OpTypeFloat 32\n"
    "%10 = OpTypeImage %9 2D 0 0 0 1 Unknown\n%11 = OpConstant %8 4\n%12 = OpTypeArray %10 %11\n"
    "%13 = OpTypePointer UniformConstant %12\n%14 = OpTypePointer UniformConstant %10\n"
    "%15 = OpTypePointer Input %8\n%24 = OpTypeVector %9 4\n%25 = OpTypeVector %8 2\n"
    "%26 = OpConstantComposite %25 %11 %11\n"
    "%2 = OpVariable %15 Input\n"
    "%3 = OpVariable %13 UniformConstant\n%4 = OpVariable %13 UniformConstant\n%5 = OpVariable %13 UniformConstant\n"
    "%1 = OpFunction %6 None %7\n%16 = OpLabel\n%17 = OpLoad %8 %2\n"
    "%18 = OpAccessChain %14 %3 %17\n%19 = OpLoad %10 %18\n%27 = OpImageFetch %24 %19 %26\n"
    "%20 = OpAccessChain %14 %4 %17\n%21 = OpLoad %10 %20\n%28 = OpImageFetch %24 %21 %26\n"
    "%22 = OpAccessChain %14 %5 %17\n%23 = OpLoad %10 %22\n%29 = OpImageFetch %24 %23 %26\n"
    "OpReturn\nOpFunctionEnd\n";

static uint32_t *words;
static size_t word_count;

static uint32_t instruction_count(void)
{
	uint32_t count = 0;

	for (size_t at = 5; at < word_count; at += words[at] >> 16)
		count++;
	return count;
}

static int assemble_it(void **state)
{
	(void)state;
	words = words_of(text, &word_count);
	return 0;
}

static int free_it(void **state)
{
	(void)state;
	free(words);
	return 0;
}

/* Memory of the caller, who counts it */

static size_t now, most;

static void *resize(void *user, void *p, size_t old_size, size_t new_size)
{
	(void)user;
	now += new_size - old_size;
	most = now > most ? now : most;
	if (new_size)
		return realloc(p, new_size);
	free(p);
	return NULL;
}

static const spb_allocator counted = {resize, NULL};

struct heard {
	uint32_t limits, findings, others;
	char text[300];
};

static void listen(void *user, const spb_message *message)
{
	struct heard *h = user;

	if (message->code == SPB_E_LIMIT) {
		h->limits++;
		assert_int_equal(message->severity, SPB_SEVERITY_ERROR);
		snprintf(h->text, sizeof h->text, "%s", message->text);
	} else if (*message->rule) {
		h->findings++;
	} else {
		h->others++;
	}
}

static spb_context *context_for(struct heard *h, const spb_limits *limits)
{
	const spb_callbacks callbacks = {listen, h};
	spb_context *c;

	*h = (struct heard){0};
	assert_int_equal(spb_context_create(&counted, &callbacks, &c), SPB_OK);
	if (limits)
		assert_int_equal(spb_context_limit(c, limits), SPB_OK);
	return c;
}

static spb_program *program_for(spb_context *c, spb_mode mode)
{
	spb_options o;
	spb_program *p;

	spb_options_init(&o, sizeof o);
	o.mode = mode;
	o.explain = true;
	o.validation.which = SPB_VALIDATE_NONE;
	assert_int_equal(spb_program_create(c, &o, &p), SPB_OK);
	return p;
}

#define LIMITS(...) (&(const spb_limits){.struct_size = sizeof(spb_limits), __VA_ARGS__})

/* The module is refused by the first limits, and accepted by the second ones. */
static void expect_at_parsing(const spb_limits *less, const spb_limits *enough, const char *why)
{
	struct heard h;
	spb_context *c = context_for(&h, less);
	spb_program *p = program_for(c, SPB_MODE_BIND);

	for (int i = 0; i < 2; i++) {
		assert_int_equal(spb_program_add(p, "m", words, word_count, 0), SPB_ERROR_LIMIT);
		assert_string_equal(h.text, why);
	}
	assert_int_equal(h.limits, 2);
	assert_int_equal(spb_context_limit(c, enough), SPB_OK);
	assert_int_equal(spb_program_add(p, "m", words, word_count, 0), SPB_OK);
	assert_int_equal(spb_program_bind(p), SPB_OK);
	assert_int_equal(h.limits, 2);
	spb_program_destroy(p);
	spb_context_destroy(c);
	assert_int_equal(now, 0);
}

static void ids_and_instructions_are_counted(void **state)
{
	const uint32_t bound = words[3], count = instruction_count();
	char why[200];

	(void)state;
	snprintf(why, sizeof why, "the id bound is %u, but the host allows %u", bound, bound - 1);
	expect_at_parsing(LIMITS(.ids = bound - 1), LIMITS(.ids = bound), why);
	snprintf(why, sizeof why, "the module has more than %u instructions, which is all that the host allows",
		 count - 1);
	expect_at_parsing(LIMITS(.instructions = count - 1), LIMITS(.instructions = count), why);
}

/* A length of 0 ends the count, and is reported as what it is. */
static void damaged_lengths_are_not_counted(void **state)
{
	uint32_t damaged[8] = {SpvMagicNumber, 0x10000, 0, 5, 0, 0, 0, 0};
	struct heard h;
	spb_context *c = context_for(&h, LIMITS(.instructions = 1));
	spb_program *p = program_for(c, SPB_MODE_BIND);

	(void)state;
	assert_int_equal(spb_program_add(p, "m", damaged, 8, 0), SPB_ERROR_INVALID_SPIRV);
	damaged[5] = damaged[6] = 1u << 16 | SpvOpNop;
	damaged[7] = 0xFFFFu << 16 | SpvOpNop;
	assert_int_equal(spb_program_add(p, "m", damaged, 8, 0), SPB_ERROR_LIMIT);
	assert_int_equal(h.limits, 1);
	damaged[6] = 0xFFFFu << 16 | SpvOpNop;
	assert_int_equal(spb_program_add(p, "m", damaged, 8, 0), SPB_ERROR_LIMIT);
	spb_program_destroy(p);
	spb_context_destroy(c);
}

static void findings_are_counted(void **state)
{
	struct heard h;
	spb_context *c = context_for(&h, LIMITS(.findings = TEXTURES - 1));
	spb_program *p = program_for(c, SPB_MODE_LINT);

	(void)state;
	assert_int_equal(spb_program_add(p, "m", words, word_count, 0), SPB_OK);
	for (int i = 0; i < 2; i++)
		assert_int_equal(spb_program_bind(p), SPB_ERROR_LIMIT);
	assert_string_equal(h.text, "there are more than 2 findings, which is all that the host allows");
	assert_int_equal(h.findings, 0);
	assert_int_equal(spb_context_limit(c, LIMITS(.findings = TEXTURES)), SPB_OK);
	assert_int_equal(spb_program_bind(p), SPB_ERROR_NONUNIFORM);
	assert_int_equal(h.findings, TEXTURES);
	assert_int_equal(spb_program_bind(p), SPB_ERROR_INVALID_ARGUMENT); /* it has been bound */
	spb_program_destroy(p);
	/* They are those of one call. */
	p = program_for(c, SPB_MODE_LINT);
	assert_int_equal(spb_program_add(p, "m", words, word_count, 0), SPB_OK);
	assert_int_equal(spb_program_bind(p), SPB_ERROR_NONUNIFORM);
	spb_program_destroy(p);
	spb_context_destroy(c);
}

/* Makes the call again without a limit, if that has ended it. */
#define WITHIN(status, c, call)                                                                                        \
	do {                                                                                                           \
		(status) = (call);                                                                                     \
		if ((status) == SPB_ERROR_LIMIT) {                                                                     \
			met++;                                                                                         \
			assert_int_equal(spb_context_limit((c), LIMITS(0)), SPB_OK);                                   \
			(status) = (call);                                                                             \
		}                                                                                                      \
	} while (0)

static uint32_t met; /* limits */

/* Output and texts of a program whose memory is limited; free with free(). */
static char *bound_within(uint64_t memory)
{
	struct heard h;
	spb_context *c = context_for(&h, LIMITS(.memory = memory));
	spb_program *p;
	spb_status status;
	size_t count, length, lists;
	const spb_descriptor_access *accesses;

	met = 0;
	WITHIN(status, c, spb_program_create(c, NULL, &p));
	assert_int_equal(status, SPB_OK);
	WITHIN(status, c, spb_program_set(p, "validate", "none"));
	WITHIN(status, c, spb_program_add(p, "m", words, word_count, 0));
	assert_int_equal(status, SPB_OK);
	WITHIN(status, c, spb_program_bind(p));
	assert_int_equal(status, SPB_OK);
	const char *json = spb_program_text(p, SPB_TEXT_LAYOUT_JSON, NULL, &length);
	if (!json) {
		met++;
		assert_int_equal(spb_context_limit(c, LIMITS(0)), SPB_OK);
		json = spb_program_text(p, SPB_TEXT_LAYOUT_JSON, NULL, &length);
	}
	assert_non_null(json);
	lists = spb_program_accesses(p, sizeof *accesses, &accesses);
	const uint32_t *out = spb_program_words(p, 0, SPB_WORDS_OUTPUT, &count);
	char *all = malloc(length + count * sizeof *out + 1);
	memcpy(all, json, length);
	memcpy(all + length, out, count * sizeof *out);
	all[length + count * sizeof *out] = (char)lists;
	assert_int_equal(h.limits, met);
	assert_true(!met || !strcmp(h.text, "more memory is needed than the limits of this context allow"));
	spb_program_destroy(p);
	spb_context_destroy(c);
	assert_int_equal(now, 0);
	return all;
}

static void memory_is_counted_to_the_byte(void **state)
{
	uint32_t failed = 0;

	(void)state;
	most = 0;
	char *wanted = bound_within(0);
	const size_t needed = most;
	assert_int_equal(met, 0);
	for (size_t memory = needed; memory > sizeof(spb_context *); memory -= memory > needed - 8 ? 1 : needed / 40) {
		char *got = bound_within(memory);
		assert_int_equal(met, memory < needed);
		assert_string_equal(got, wanted);
		failed += met;
		free(got);
		if (memory < needed / 40)
			break;
	}
	assert_true(failed > 20);
	free(wanted);
}

static void workspaces_are_limited_too(void **state)
{
	struct heard h;
	spb_context *c = context_for(&h, LIMITS(.memory = 1));
	spb_workspace *w;

	(void)state;
	assert_int_equal(spb_workspace_create(c, NULL, NULL, false, &w), SPB_ERROR_LIMIT);
	assert_null(w);
	assert_int_equal(h.limits, 1);
	assert_int_equal(spb_context_limit(c, LIMITS(0)), SPB_OK);
	assert_int_equal(spb_workspace_create(c, NULL, NULL, false, &w), SPB_OK);
	assert_int_equal(spb_context_limit(c, LIMITS(.memory = 1)), SPB_OK);
	char *name = calloc(1, 1 << 20);
	memset(name, 'x', (1 << 20) - 1);
	assert_int_equal(spb_workspace_add_program(w, name, NULL), SPB_ERROR_LIMIT);
	assert_int_equal(spb_context_limit(c, LIMITS(0)), SPB_OK);
	assert_int_equal(spb_workspace_add_program(w, name, NULL), SPB_OK);
	free(name);
	spb_workspace_destroy(w);
	spb_context_destroy(c);
	assert_int_equal(now, 0);
}

static spb_status run_job(const spb_limits *limits, uint32_t host_size, struct heard *h)
{
	const spb_plugin *plugin = spb_plugin_get(SPB_PLUGIN_VERSION);
	const spb_plugin_host host = {
	    .struct_size = host_size, .user = h, .message = listen, .allocator = &counted, .limits = limits};
	spb_job *job;

	*h = (struct heard){0};
	spb_status status = plugin->create(&host, &job);
	if (status == SPB_OK) {
		assert_int_equal(plugin->set(job, "validate", "none"), SPB_OK);
		status = plugin->add(job, "m", words, word_count, 0);
		if (status == SPB_OK)
			status = plugin->run(job);
		plugin->destroy(job);
	}
	assert_int_equal(now, 0);
	return status;
}

static void jobs_of_the_plugin_are_limited_too(void **state)
{
	const uint32_t size = sizeof(spb_plugin_host), older = offsetof(spb_plugin_host, limits);
	const spb_limits *less = LIMITS(.ids = words[3] - 1);
	struct heard h;

	(void)state;
	assert_int_equal(run_job(NULL, size, &h), SPB_OK);
	assert_int_equal(run_job(LIMITS(.ids = words[3]), size, &h), SPB_OK);
	assert_int_equal(run_job(less, size, &h), SPB_ERROR_LIMIT);
	assert_int_equal(h.limits, 1);
	assert_int_equal(run_job(less, older, &h), SPB_OK);
	assert_int_equal(run_job(LIMITS(.memory = 1), size, &h), SPB_ERROR_LIMIT);
	assert_int_equal(h.limits, 1);
	assert_int_equal(run_job(&(const spb_limits){0}, size, &h), SPB_ERROR_INVALID_ARGUMENT);
}

/* An older caller knows fewer limits, and a newer one may have more. */
static void limits_are_read_as_far_as_both_know_them(void **state)
{
	struct {
		spb_limits known;
		uint32_t later[20];
	} newer = {{.struct_size = sizeof newer, .ids = 1}, {7}};
	const spb_limits older = {.struct_size = offsetof(spb_limits, ids), .ids = 1};
	struct heard h;
	spb_context *c = context_for(&h, NULL);
	spb_program *p = program_for(c, SPB_MODE_BIND);

	(void)state;
	assert_int_equal(spb_context_limit(NULL, &older), SPB_ERROR_INVALID_ARGUMENT);
	assert_int_equal(spb_context_limit(c, NULL), SPB_ERROR_INVALID_ARGUMENT);
	assert_int_equal(spb_context_limit(c, &(const spb_limits){0}), SPB_ERROR_INVALID_ARGUMENT);
	assert_int_equal(spb_context_limit(c, &(const spb_limits){.struct_size = 4097}), SPB_ERROR_INVALID_ARGUMENT);
	assert_int_equal(spb_context_limit(c, &newer.known), SPB_OK);
	assert_int_equal(spb_program_add(p, "m", words, word_count, 0), SPB_ERROR_LIMIT);
	assert_int_equal(spb_context_limit(c, &older), SPB_OK);
	assert_int_equal(spb_program_add(p, "m", words, word_count, 0), SPB_OK);
	spb_program_destroy(p);
	spb_context_destroy(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ids_and_instructions_are_counted),
	    cmocka_unit_test(damaged_lengths_are_not_counted),
	    cmocka_unit_test(findings_are_counted),
	    cmocka_unit_test(memory_is_counted_to_the_byte),
	    cmocka_unit_test(workspaces_are_limited_too),
	    cmocka_unit_test(jobs_of_the_plugin_are_limited_too),
	    cmocka_unit_test(limits_are_read_as_far_as_both_know_them),
	};

	return cmocka_run_group_tests(tests, assemble_it, free_it);
}
