/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the SARIF log of --baseline: gives fingerprints that the library accepts, or an error message. */
#include "cli/args/args.h"

#include "in_folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *words[] = {(char[]){"spirv-bind"}, (char[]){"lint"}, (char[]){"--baseline=b.sarif"}, (char[]){"m.spv"},
			 NULL};
	struct arguments a;
	struct record record;

	put_file("b.sarif", data, size);
	arg_read_arguments(&a, 4, words, NULL);
	MUST(!a.done);
	begin_listening(&record);
	int status = arg_read_baseline(&a);
	MUST(has_said_something(&record) == (status != EXIT_DONE));
	if (status == EXIT_DONE) {
		spb_context *context;
		spb_program *program;
		MUST(strlen(a.program.lint.baseline_text) % 17 == 0);
		MUST(spb_context_create(NULL, NULL, &context) == SPB_OK);
		MUST(spb_program_create(context, &a.program.library, &program) == SPB_OK);
		spb_program_destroy(program);
		spb_context_destroy(context);
	}
	arg_free_arguments(&a);
	cli_forget_reads();
	return 0;
}
