/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a response file, which may name itself: its words become a command line, or there is a message. */
#include "cli/args/args.h"

#include "in_folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[] = {(char[]){"spirv-bind"}, (char[]){"@r"}, NULL}, **words = argv;
	struct word_array expanded = {0};
	struct arguments a;
	struct record record;
	int count = 2;

	put_file("r", data, size);
	begin_listening(&record);
	int status = arg_expand_responses(&expanded, &count, &words);
	if (status == EXIT_DONE) {
		MUST((size_t)count == expanded.count && !words[count]);
		arg_read_arguments(&a, count, words, NULL);
		arg_free_arguments(&a);
	}
	MUST(has_said_something(&record) || status == EXIT_DONE);
	arg_free_words(&expanded);
	cli_forget_reads();
	return 0;
}
