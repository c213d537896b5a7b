/* SPDX-License-Identifier: Apache-2.0 */
/* main: the command line, and what is done once for all programs. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/workspace/manifest.h"

/* A closed pipe and a file too large are errors of write(), which cleans up. A standard stream that is closed must
 * not become an output file; opened for reading, writing to it fails. Messages of parallel runs mix by lines. */
static void prepare_streams(void)
{
	int fd;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd <= STDERR_FILENO)
		continue;
	if (fd >= 0)
		close(fd);
	setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
}

/* The command line has been read. */
static int work(struct arguments *a, int argc, char **argv)
{
	struct job single = {.arguments = a, .inputs = a->inputs, .input_count = a->input_count};
	int status = read_baseline(a);

	if (a->merge_lock)
		return status == EXIT_DONE ? merge_lock_files(a) : status;
	if (a->manifest)
		return status == EXIT_DONE ? run_manifest(a, argc, argv) : status;
	if (a->options.layout.doctor)
		a->options.validation.which = SPB_VALIDATE_NONE;
	else if (a->check && a->options.validation.which == SPB_VALIDATE_OUTPUT)
		a->options.validation.which = SPB_VALIDATE_STRICT;
	if (status == EXIT_DONE)
		status = make_sources(a);
	if (status == EXIT_DONE && a->batch)
		status = run_batch(a);
	else if (status == EXIT_DONE)
		status = run_single_job(&single);
	if (status == EXIT_DONE && a->options.layout.doctor)
		report_verdict();
	return status;
}

int main(int argc, char **argv)
{
	struct arguments a;
	struct word_array words = {0};
	int status;

	prepare_streams();
	status = expand_responses(&words, &argc, &argv);
	if (status != EXIT_DONE) {
		free_words(&words);
		forget_reads();
		return status;
	}
	read_arguments(&a, argc, argv);
	if (!a.depfile && !a.stamp)
		ignore_reads();
	if (a.done) {
		status = a.done - 1;
	} else {
		status = begin_messages(&a) ? work(&a, argc, argv) : EXIT_IO;
		if (status == EXIT_DONE && (a.depfile || a.stamp))
			status = write_depfile(&a);
		status = end_messages(status);
		if (status == EXIT_DONE && a.options.layout.doctor)
			status = flush_stdout();
	}
	forget_sources();
	free_arguments(&a);
	free_words(&words);
	forget_reads();
	return status;
}
