/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what one step costs in process, over many modules: scripts/bench/run.py counts its instructions with
 * callgrind, and its time. Each module is a separate program.
 *
 *     bench_corpus STEP ROUNDS LIST
 *
 * STEP: read (only reads the files), bind (no validation), checked (bind, and SPIRV-Tools validates the output), rebind
 * (reassigns every set and binding), json (bind, and its layout as JSON), parse (spvBinaryParse), validate
 * (SPIRV-Tools, without friendly names), vulkan (the same under the rules of the Vulkan version that the command
 * chooses for a module), opt (its optimizer without passes) and reflect (SPIRV-Reflect), where these are installed.
 * LIST: a file with the path of a module on each line. Prints the modules, their bytes, and the seconds of the fastest
 * round, and on stderr how many of them SPIRV-Tools has rejected, since that takes less time. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <spirv-tools/libspirv.h>

#include "spirv-bind/spirv_bind.h"

struct input {
	uint32_t *words;
	size_t count;
};

static struct input *inputs;
static size_t input_count;
static spb_context *context;
static spv_context tools, vulkan[7]; /* for each version of SPIR-V */
static spv_validator_options options;
static size_t refused;

static void bind(const struct input *in, spb_validate which, bool anew, bool json)
{
	spb_options o;
	spb_program *program;
	size_t n;

	spb_options_init(&o, sizeof o);
	o.validation.which = which;
	if (anew) {
		o.layout.rebind = SPB_REBIND_ALL_SETS;
		o.layout.order = SPB_ORDER_MODULE;
	}
	if (spb_program_create(context, &o, &program))
		exit(1);
	/* modules that are rejected are measured, too */
	if (!spb_program_add(program, "m", in->words, in->count, 0) && !spb_program_bind(program) && json)
		spb_program_text(program, SPB_TEXT_LAYOUT_JSON, NULL, &n);
	spb_program_destroy(program);
}

static void step_read(const struct input *in)
{
	(void)in;
}

static void step_bind(const struct input *in)
{
	bind(in, SPB_VALIDATE_NONE, false, false);
}

static void step_checked(const struct input *in)
{
	bind(in, SPB_VALIDATE_OUTPUT, false, false);
}

static void step_rebind(const struct input *in)
{
	bind(in, SPB_VALIDATE_NONE, true, false);
}

static void step_json(const struct input *in)
{
	bind(in, SPB_VALIDATE_NONE, false, true);
}

static void step_parse(const struct input *in)
{
	spvBinaryParse(tools, NULL, in->words, in->count, NULL, NULL, NULL);
}

static void step_validate(const struct input *in)
{
	struct spv_const_binary_t binary = {in->words, in->count};

	refused += spvValidateWithOptions(tools, options, &binary, NULL) != SPV_SUCCESS;
}

static void step_vulkan(const struct input *in)
{
	struct spv_const_binary_t binary = {in->words, in->count};

	refused += spvValidateWithOptions(vulkan[in->words[1] >> 8 & 7], options, &binary, NULL) != SPV_SUCCESS;
}

#ifdef BENCH_HAS_OPTIMIZER
void optimize(const uint32_t *words, size_t count); /* optimizer.cpp */

static void step_opt(const struct input *in)
{
	optimize(in->words, in->count);
}
#endif

#ifdef BENCH_HAS_REFLECT
void reflect(const uint32_t *words, size_t count); /* reflector.c */

static void step_reflect(const struct input *in)
{
	reflect(in->words, in->count);
}
#endif

static const struct {
	const char *name;
	void (*run)(const struct input *);
	bool by_tools; /* SPIRV-Tools does it */
} steps[] = {
    {"read", step_read, false},        {"bind", step_bind, false},    {"checked", step_checked, false},
    {"rebind", step_rebind, false},    {"json", step_json, false},    {"parse", step_parse, true},
    {"validate", step_validate, true}, {"vulkan", step_vulkan, true},
#ifdef BENCH_HAS_OPTIMIZER
    {"opt", step_opt, true},
#endif
#ifdef BENCH_HAS_REFLECT
    {"reflect", step_reflect, false},
#endif
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool read_module(const char *path, struct input *in)
{
	FILE *f = fopen(path, "rb");
	long size;

	if (!f)
		return false;
	if (fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0)
		return fclose(f), false;
	rewind(f);
	in->count = (size_t)size / sizeof *in->words;
	in->words = malloc((size_t)size + 1);
	bool whole = in->words && fread(in->words, sizeof *in->words, in->count, f) == in->count;
	fclose(f);
	return whole;
}

/* Debian 12's SPIRV-Tools knows the source languages up to WGSL and rejects others early, so the command hides them as
 * well. */
static void hide_language(const struct input *in)
{
	enum { OP_SOURCE = 3, WGSL = 10, UNKNOWN = 0 };

	for (size_t at = 5; at + 1 < in->count && in->words[at] >> 16; at += in->words[at] >> 16) {
		if ((in->words[at] & 0xFFFF) == OP_SOURCE && in->words[at + 1] > WGSL)
			in->words[at + 1] = UNKNOWN;
	}
}

static void make_contexts(void)
{
	static const spv_target_env environments[] = {
	    SPV_ENV_VULKAN_1_0,           SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_1,
	    SPV_ENV_VULKAN_1_1_SPIRV_1_4, SPV_ENV_VULKAN_1_2, SPV_ENV_VULKAN_1_3};

	tools = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	for (size_t i = 0; i < sizeof vulkan / sizeof *vulkan; i++)
		vulkan[i] = spvContextCreate(environments[i]);
	options = spvValidatorOptionsCreate();
	spvValidatorOptionsSetFriendlyNames(options, false);
}

static size_t read_list(const char *list)
{
	char path[4096];
	FILE *f = fopen(list, "r");
	size_t room = 0, bytes = 0;

	if (!f)
		exit(2);
	while (fgets(path, sizeof path, f)) {
		path[strcspn(path, "\n")] = '\0';
		if (input_count == room) {
			room = room ? 2 * room : 1024;
			inputs = realloc(inputs, room * sizeof *inputs);
		}
		if (!inputs || !read_module(path, &inputs[input_count]))
			exit(2);
		bytes += inputs[input_count++].count * sizeof(uint32_t);
	}
	fclose(f);
	return bytes;
}

int main(int argc, char **argv)
{
	size_t step = 0, rounds = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
	double best = 0;

	while (rounds && step < sizeof steps / sizeof *steps && strcmp(steps[step].name, argv[1]) != 0)
		step++;
	if (!rounds || step == sizeof steps / sizeof *steps || spb_context_create(NULL, NULL, &context))
		return 2;
	size_t bytes = read_list(argv[3]);
	make_contexts();
	for (size_t i = 0; i < input_count && steps[step].by_tools; i++)
		hide_language(&inputs[i]);
	for (size_t round = 0; round < rounds; round++) {
		double start = seconds();
		for (size_t i = 0; i < input_count; i++)
			steps[step].run(&inputs[i]);
		double took = seconds() - start;
		best = round == 0 || took < best ? took : best;
	}
	printf("%zu %zu %.6f\n", input_count, bytes, best);
	if (refused)
		fprintf(stderr, "%zu refused\n", refused / rounds);
	spvValidatorOptionsDestroy(options);
	spvContextDestroy(tools);
	for (size_t i = 0; i < sizeof vulkan / sizeof *vulkan; i++)
		spvContextDestroy(vulkan[i]);
	spb_context_destroy(context);
	for (size_t i = 0; i < input_count; i++)
		free(inputs[i].words);
	free(inputs);
	return 0;
}
