/* SPDX-License-Identifier: Apache-2.0 */
/* main: the command line, and work that is done once for all programs. */
#include "cli/args/args.h"
#include "cli/workspace/manifest.h"

enum { FEW_INPUTS = 16 }; /* up to as many modules share no memory in the library */

/* One program. With --cache, its sources are not compiled again; it is always bound again, which takes less time than
 * the compilers. */
static int run_one(struct arguments *a)
{
	struct program_options *p = &a->program;
	struct job single = {.options = p, .run = a, .inputs = p->inputs, .input_count = p->input_count};
	struct cache *cache = a->run.cache ? job_open_cache(a->run.cache) : NULL;
	struct compiled_cache compiled;
	const bool has_shaders = cache && cli_has_shaders(p, p->inputs, p->input_count);
	int status = a->run.cache && !cache ? EXIT_IO : EXIT_DONE;

	if (status == EXIT_DONE)
		status = cli_make_own_sources(p, &a->run, job_begin_compiled_cache(&compiled, cache, has_shaders));
	job_close_cache(cache);
	if (status == EXIT_DONE && p->input_count > FEW_INPUTS)
		os_return_blocks(1 << 20); /* indexes that many modules share while they are compared */
	return status == EXIT_DONE ? job_run_single(&single) : status;
}

/* Runs after the command line has been read. */
static int work(struct arguments *a, int argc, char **argv)
{
	int status = arg_read_baseline(a);

	if (status != EXIT_DONE)
		return status;
	if (a->program.verb == VERB_LOCK_MERGE)
		return ws_merge_lock_files(a);
	if (a->run.manifest)
		return ws_run_manifest(a, argc, argv);
	return a->run.each ? job_run_batch(a) : run_one(a);
}

int main(int argc, char **argv)
{
	struct arguments a;
	struct word_array words = {0};
	int status;

	os_begin(&argc, &argv);
	os_return_blocks(8 << 20); /* returning smaller ones costs more than it saves */
	status = arg_expand_responses(&words, &argc, &argv);
	if (status != EXIT_DONE) {
		arg_free_words(&words);
		cli_forget_reads();
		return status;
	}
	arg_read_arguments(&a, argc, argv, words.lines);
	if (!a.run.depfile && !a.run.stamp)
		cli_ignore_reads();
	if (a.done) {
		status = a.done - 1;
	} else {
		a.messages.has_baseline = a.program.lint.baseline != NULL;
		a.messages.is_lint = a.program.verb == VERB_LINT;
		status = msg_begin(&a.messages) ? work(&a, argc, argv) : EXIT_IO;
		if (status == EXIT_DONE && (a.run.depfile || a.run.stamp))
			status = cli_write_depfile(&a);
		status = msg_end(status);
	}
	cli_forget_sources();
	arg_free_arguments(&a);
	arg_free_words(&words);
	cli_forget_reads();
	return status;
}
