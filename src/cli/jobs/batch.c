/* SPDX-License-Identifier: Apache-2.0 */
/* batch: the inputs of the command line as many programs.
 *
 *     --each          each input is a program
 *     --each=stem     inputs of one name are: lit.vert.spv and lit.frag.spv are stages of "lit"
 *
 * Imported modules belong to every program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/jobs/jobs.h"

static bool is_stage(const char *word, size_t length)
{
	/* extensions of glslang, and what HLSL's file names have instead */
	static const char *const stages[] = {"vert", "tesc", "tese",  "geom",  "frag",  "comp",  "task", "mesh",
					     "rgen", "rint", "rahit", "rchit", "rmiss", "rcall", "vs",   "hs",
					     "ds",   "gs",   "ps",    "fs",    "cs",    "as",    "ms"};

	for (size_t i = 0; i < SPB_COUNT(stages); i++) {
		if (strlen(stages[i]) == length && !memcmp(stages[i], word, length))
			return true;
	}
	return false;
}

/* The length without .spv, and for a stem without the extension of the stage. */
static size_t name_length(const char *path, bool stem)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t length = strlen(base), dot;

	if (length > 4 && !strcmp(base + length - 4, ".spv"))
		length -= 4;
	for (dot = length; dot && base[dot - 1] != '.'; dot--)
		continue;
	if (stem && dot > 1 && is_stage(base + dot, length - dot))
		length = dot - 1;
	return (size_t)(base - path) + length;
}

struct named {
	const char *path;
	size_t length; /* of the name, which the path begins with */
	size_t number; /* of the input */
	size_t first;  /* the number of the first input of this name */
};

static int compare(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int by_name(const void *one, const void *other)
{
	const struct named *a = one, *b = other;
	int order = memcmp(a->path, b->path, a->length < b->length ? a->length : b->length);

	order = order ? order : compare(a->length, b->length);
	return order ? order : compare(a->number, b->number);
}

static bool is_same_name(const struct named *a, const struct named *b)
{
	return a->length == b->length && !memcmp(a->path, b->path, a->length);
}

static int by_place(const void *one, const void *other)
{
	const struct named *a = one, *b = other;
	int order = compare(a->first, b->first);

	return order ? order : compare(a->number, b->number);
}

/* Inputs of one program side by side, programs in the order of their first inputs. */
static struct named *sort_inputs(const struct arguments *a, size_t count)
{
	struct named *inputs = calloc(count + 1, sizeof *inputs);
	bool stem = a->each == BATCH_STEMS;

	for (size_t i = 0; inputs && i < count; i++)
		inputs[i] = (struct named){a->inputs[i], name_length(a->inputs[i], stem), i, i};
	if (!inputs || !stem)
		return inputs;
	qsort(inputs, count, sizeof *inputs, by_name);
	for (size_t i = 1; i < count; i++) {
		if (is_same_name(&inputs[i - 1], &inputs[i]))
			inputs[i].first = inputs[i - 1].first;
	}
	qsort(inputs, count, sizeof *inputs, by_place);
	return inputs;
}

/* Adds the inputs of one program to b->inputs, and the program itself. */
static bool add_program(struct batch *b, struct arguments *a, const struct named *inputs, size_t count)
{
	struct job *job = &b->jobs[b->count++];
	char *name = malloc(inputs->length + 1);

	*job = (struct job){.arguments = a, .name = name, .inputs = b->inputs + b->input_count};
	job->input_count = count + a->import_count;
	if (!name)
		return false;
	memcpy(name, inputs->path, inputs->length);
	name[inputs->length] = '\0';
	for (size_t i = 0; i < count; i++)
		b->inputs[b->input_count++] = inputs[i].path;
	for (size_t i = 0; i < a->import_count; i++)
		b->inputs[b->input_count++] = a->imports[i];
	return true;
}

bool job_list_programs(struct batch *b, struct arguments *a)
{
	size_t count = a->input_count - a->import_count;
	struct named *inputs = sort_inputs(a, count);
	bool ok;

	*b = (struct batch){.jobs = calloc(count + 1, sizeof *b->jobs)};
	b->inputs = calloc(count * (a->import_count + 1) + 1, sizeof *b->inputs);
	ok = inputs && b->jobs && b->inputs;
	for (size_t i = 0, end; ok && i < count; i = end) {
		for (end = i + 1; end < count && inputs[end].first == inputs[i].first; end++)
			continue;
		ok = add_program(b, a, &inputs[i], end - i);
	}
	free(inputs);
	return ok;
}

void job_free_programs(struct batch *b)
{
	for (size_t i = 0; i < b->count; i++)
		free(b->jobs[i].name);
	free(b->jobs);
	free(b->inputs);
}

/* Resolvers in text are compiled once for each version of SPIR-V that programs need, before any thread begins. */
static int prepare_resolvers(struct arguments *a, const struct batch *b)
{
	uint32_t versions = 0;

	if (a->resolver_count && !cli_has_text_resolver(a))
		versions = 1;
	for (size_t i = 0; i < b->count && a->resolver_count && versions != 1; i++)
		versions |= 1u << cli_version_for(a, b->jobs[i].inputs, b->jobs[i].input_count);
	return cli_read_resolvers(a, versions);
}

/* What is wrong with the options is wrong for all programs, and said once. */
static int try_options(const struct arguments *a)
{
	spb_callbacks callbacks = {msg_report, NULL};
	struct arguments copy = *a;
	spb_context *context = NULL;
	spb_program *program = NULL;
	int status = job_exit_of(spb_context_create(NULL, &callbacks, &context));

	cli_use_resolvers(&copy);
	if (status == EXIT_DONE)
		status = job_exit_of_options(spb_program_create(context, &copy.options, &program));
	spb_program_destroy(program);
	spb_context_destroy(context);
	return status;
}

int job_run_batch(struct arguments *a)
{
	struct batch b;
	struct cache *cache = NULL;
	struct compiled_cache compiled;
	int status = job_list_programs(&b, a) ? EXIT_DONE : job_exit_of(SPB_ERROR_OUT_OF_MEMORY);

	if (status == EXIT_DONE && a->cache && !(cache = job_open_cache(a->cache)))
		status = EXIT_IO;
	if (status == EXIT_DONE)
		status = cli_make_own_sources(
		    a, job_begin_compiled_cache(&compiled, cache, cli_has_sources(a->inputs, a->input_count)));
	if (status == EXIT_DONE)
		status = prepare_resolvers(a, &b);
	if (status == EXIT_DONE)
		status = try_options(a);
	if (status == EXIT_DONE) {
		status = job_run_all(&(struct jobs){.items = b.jobs,
						    .count = b.count,
						    .out_dir = a->out_dir,
						    .cache = cache,
						    .threads = cli_threads_of(a),
						    .progress = a->quiet ? PROGRESS_NEVER : a->progress,
						    .fail_fast = a->fail_fast});
	}
	job_close_cache(cache);
	job_free_programs(&b);
	return status;
}
