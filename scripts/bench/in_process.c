/* SPDX-License-Identifier: Apache-2.0 */
/* What binding one module costs inside a process that does nothing else, beside the cheapest thing SPIRV-Tools can do
 * with it (parse) and the validation that follows anyway. A command's start-up hides all three.
 *
 *     bench_in_process MODULE.spv */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <spirv-tools/libspirv.h>

#include "spirv-bind/spirv_bind.h"

enum { LOOPS = 200, ROUNDS = 15 };

static uint32_t *words;
static size_t count;
static spb_context *context;
static spv_context tools;
static spv_validator_options options;

static void bind_once(void)
{
	spb_options o;
	spb_program *program;
	size_t n;

	spb_options_init(&o, sizeof o);
	o.validation.which = SPB_VALIDATE_NONE;
	o.layout.rebind = SPB_REBIND_ALL_SETS;
	o.layout.order = SPB_ORDER_MODULE;
	if (spb_program_create(context, &o, &program) || spb_program_add_module(program, "m", words, count) ||
	    spb_program_bind(program) || !spb_program_words(program, 0, &n))
		exit(1);
	spb_program_destroy(program);
}

static void parse_once(void)
{
	if (spvBinaryParse(tools, NULL, words, count, NULL, NULL, NULL))
		exit(1);
}

static void validate_once(void)
{
	struct spv_const_binary_t binary = {words, count};

	spvValidateWithOptions(tools, options, &binary, NULL);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Microseconds of one call, the best of all rounds. */
static void measure(void (*const what[3])(void), double best[3])
{
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < 3; i++) {
			double start = seconds();
			for (int k = 0; k < LOOPS; k++)
				what[i]();
			double took = (seconds() - start) / LOOPS * 1e6;
			if (round == 0 || took < best[i])
				best[i] = took;
		}
	}
}

int main(int argc, char **argv)
{
	void (*const what[3])(void) = {bind_once, parse_once, validate_once};
	double best[3];
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;

	if (!f || fseek(f, 0, SEEK_END))
		return 2;
	count = (size_t)ftell(f) / sizeof *words;
	rewind(f);
	words = malloc(count * sizeof *words);
	if (!words || fread(words, sizeof *words, count, f) != count || spb_context_create(NULL, NULL, &context))
		return 2;
	fclose(f);
	tools = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	options = spvValidatorOptionsCreate();
	spvValidatorOptionsSetFriendlyNames(options, false);
	measure(what, best);
	printf("  in process, %zu words: spirv-bind %.1f us, spvBinaryParse %.1f us, spvValidate %.1f us\n", count,
	       best[0], best[1], best[2]);
	printf("  spvBinaryParse / spirv-bind %.2f   spvValidate / spirv-bind %.1f\n", best[1] / best[0],
	       best[2] / best[0]);
	spvValidatorOptionsDestroy(options);
	spvContextDestroy(tools);
	spb_context_destroy(context);
	free(words);
	return 0;
}
