/* SPDX-License-Identifier: Apache-2.0 */
/* main: the command line, and what is done once for all programs. */
#include "cli/args/args.h"
#include "cli/workspace/manifest.h"

enum { FEW_INPUTS = 16 }; /* as many modules share nothing in the library */

/* The command line has been read. */
static int work(struct arguments *a, int argc, char **argv)
{
	struct job single = {.arguments = a, .inputs = a->inputs, .input_count = a->input_count};
	int status = arg_read_baseline(a);

	if (a->verb == VERB_LOCK_MERGE)
		return status == EXIT_DONE ? ws_merge_lock_files(a) : status;
	if (a->manifest)
		return status == EXIT_DONE ? ws_run_manifest(a, argc, argv) : status;
	if (status == EXIT_DONE && !a->each)
		status = cli_make_own_sources(a, NULL);
	if (status == EXIT_DONE && a->each)
		status = job_run_batch(a);
	if (status == EXIT_DONE && !a->each) {
		if (a->input_count > FEW_INPUTS)
			os_return_blocks(1 << 20); /* what many modules share while they are compared */
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
	os_return_blocks(8 << 20); /* smaller ones cost more to get anew than they are worth */
	status = arg_expand_responses(&words, &argc, &argv);
	if (status != EXIT_DONE) {
		arg_free_words(&words);
		cli_forget_reads();
		return status;
	}
	arg_read_arguments(&a, argc, argv);
	if (!a.depfile && !a.stamp)
		cli_ignore_reads();
	if (a.done) {
		status = a.done - 1;
	} else {
		a.messages.has_baseline = a.baseline != NULL;
		a.messages.is_lint = a.verb == VERB_LINT;
		status = msg_begin(&a.messages) ? work(&a, argc, argv) : EXIT_IO;
		if (status == EXIT_DONE && (a.depfile || a.stamp))
			status = cli_write_depfile(&a);
		status = msg_end(status);
	}
	cli_forget_sources();
	arg_free_arguments(&a);
	arg_free_words(&words);
	cli_forget_reads();
	return status;
}
