/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the SARIF log of --baseline: fingerprints that the library takes, or a reason why not. */
#include "cli/args/args.h"

#include "in_folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arguments a = {.baseline = "b.sarif"};
	struct record record;

	spb_options_init(&a.options, sizeof a.options);
	put_file("b.sarif", data, size);
	begin_listening(&record);
	int status = arg_read_baseline(&a);
	MUST(has_said_something(&record) == (status != EXIT_DONE));
	if (status == EXIT_DONE) {
		spb_context *context;
		spb_program *program;
		MUST(strlen(a.baseline_text) % 17 == 0);
		MUST(spb_context_create(NULL, NULL, &context) == SPB_OK);
		MUST(spb_program_create(context, &a.options, &program) == SPB_OK);
		spb_program_destroy(program);
		spb_context_destroy(context);
	}
	free(a.baseline_text);
	cli_forget_reads();
	return 0;
}
