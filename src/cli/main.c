/* SPDX-License-Identifier: Apache-2.0 */
/* main: the command line, and work that is done once for all programs. */
#include "cli/args/args.h"
#include "cli/workspace/manifest.h"

enum { FEW_INPUTS = 16 }; /* up to as many modules share no memory in the library */

/* Runs after the command line has been read. */
static int work(struct arguments *a, int argc, char **argv)
{
	struct program_options *p = &a->program;
	struct job single = {.options = p, .run = a, .inputs = p->inputs, .input_count = p->input_count};
	int status = arg_read_baseline(a);

	if (p->verb == VERB_LOCK_MERGE)
		return status == EXIT_DONE ? ws_merge_lock_files(a) : status;
	if (a->run.manifest)
		return status == EXIT_DONE ? ws_run_manifest(a, argc, argv) : status;
	if (status == EXIT_DONE && !a->run.each)
		status = cli_make_own_sources(p, &a->run, NULL);
	if (status == EXIT_DONE && a->run.each)
		status = job_run_batch(a);
	if (status == EXIT_DONE && !a->run.each) {
		if (p->input_count > FEW_INPUTS)
			os_return_blocks(1 << 20); /* indexes that many modules share while they are compared */
		status = job_run_single(&single);
	}
	return status;
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
	arg_read_arguments(&a, argc, argv);
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
