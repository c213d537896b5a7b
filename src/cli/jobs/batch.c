/* SPDX-License-Identifier: Apache-2.0 */
/* batch: a run of --each. */
#include <stdlib.h>

#include "cli/args/args.h"
#include "cli/jobs/jobs.h"

/* Resolvers in text are compiled once for each version of SPIR-V that programs need, before any thread begins. */
static int prepare_resolvers(struct arguments *a, const struct each_programs *b)
{
	uint32_t versions = 0;

	if (a->resolver_count && !cli_has_text_resolver(a))
		versions = 1;
	for (size_t i = 0; i < b->count && a->resolver_count && versions != 1; i++)
		versions |= 1u << cli_version_for(a, b->items[i].inputs, b->items[i].input_count);
	return cli_read_resolvers(a, versions);
}

/* What is wrong with the options is wrong for all programs, and said once. */
static int try_options(const struct arguments *a)
{
	spb_callbacks callbacks = {msg_report, NULL};
	struct arguments copy = *a;
	spb_context *context = NULL;
	spb_program *program = NULL;
	int status = msg_exit_of(spb_context_create(NULL, &callbacks, &context));

	cli_use_resolvers(&copy);
	if (status == EXIT_DONE)
		status = msg_exit_of_options(spb_program_create(context, &copy.options, &program));
	spb_program_destroy(program);
	spb_context_destroy(context);
	return status;
}

int job_run_batch(struct arguments *a)
{
	struct each_programs b;
	struct cache *cache = NULL;
	struct compiled_cache compiled;
	int status = arg_list_programs(&b, a) ? EXIT_DONE : msg_out_of_memory();
	struct job *jobs = calloc(b.count + 1, sizeof *jobs);

	if (status == EXIT_DONE && !jobs)
		status = msg_out_of_memory();
	for (size_t i = 0; status == EXIT_DONE && i < b.count; i++)
		jobs[i] = (struct job){.arguments = a,
				       .name = b.items[i].name,
				       .inputs = b.items[i].inputs,
				       .input_count = b.items[i].input_count};

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
		status = job_run_all(&(struct jobs){.items = jobs,
						    .count = b.count,
						    .out_dir = a->out_dir,
						    .cache = cache,
						    .threads = cli_threads_of(a),
						    .progress = a->messages.quiet ? PROGRESS_NEVER : a->progress,
						    .fail_fast = a->fail_fast});
	}
	job_close_cache(cache);
	free(jobs);
	arg_free_programs(&b);
	return status;
}
