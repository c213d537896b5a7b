/* SPDX-License-Identifier: Apache-2.0 */
/* batch: a run of --each. */
#include <stdlib.h>

#include "cli/args/args.h"
#include "cli/jobs/jobs.h"

/* Resolvers in text are compiled once for each version of SPIR-V that programs need, before any thread begins. */
static int prepare_resolvers(struct arguments *a, const struct each_programs *b)
{
	struct program_options *p = &a->program;
	uint32_t versions = 0;

	if (p->resolvers.count && !cli_has_text_resolver(p))
		versions = 1;
	for (size_t i = 0; i < b->count && p->resolvers.count && versions != 1; i++)
		versions |= 1u << cli_version_for(p, b->items[i].inputs, b->items[i].input_count);
	return cli_read_resolvers(p, versions);
}

/* Errors in the options concern all programs, and are reported once. */
static int try_options(const struct program_options *p)
{
	spb_callbacks callbacks = {msg_report, NULL};
	struct program_options copy = *p;
	spb_context *context = NULL;
	spb_program *program = NULL;
	int status = msg_exit_of(spb_context_create(NULL, &callbacks, &context));

	cli_use_resolvers(&copy);
	if (status == EXIT_DONE)
		status = msg_exit_of_options(spb_program_create(context, &copy.library, &program));
	spb_program_destroy(program);
	spb_context_destroy(context);
	return status;
}

int job_run_batch(struct arguments *a)
{
	struct program_options *p = &a->program;
	struct each_programs b;
	struct cache *cache = NULL;
	struct compiled_cache compiled;
	int status = arg_list_programs(&b, a) ? EXIT_DONE : msg_out_of_memory();
	struct job *jobs = calloc(b.count + 1, sizeof *jobs);

	if (status == EXIT_DONE && !jobs)
		status = msg_out_of_memory();
	for (size_t i = 0; status == EXIT_DONE && i < b.count; i++)
		jobs[i] = (struct job){.options = p,
				       .name = b.items[i].name,
				       .inputs = b.items[i].inputs,
				       .input_count = b.items[i].input_count};

	if (status == EXIT_DONE && a->run.cache && !(cache = job_open_cache(a->run.cache)))
		status = EXIT_IO;
	if (status == EXIT_DONE)
		status = cli_make_own_sources(
		    p, &a->run,
		    job_begin_compiled_cache(&compiled, cache, cli_has_shaders(p, p->inputs, p->input_count)));
	if (status == EXIT_DONE)
		status = prepare_resolvers(a, &b);
	if (status == EXIT_DONE)
		status = try_options(p);
	if (status == EXIT_DONE) {
		status = job_run_all(&(struct jobs){.items = jobs,
						    .count = b.count,
						    .out_dir = p->modules.folder,
						    .cache = cache,
						    .threads = cli_threads(a->run.threads),
						    .progress = a->messages.quiet ? PROGRESS_NEVER : a->run.progress,
						    .fail_fast = a->run.fail_fast,
						    .run = a});
	}
	job_close_cache(cache);
	free(jobs);
	arg_free_programs(&b);
	return status;
}
