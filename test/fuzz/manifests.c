/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a manifest, which may include itself and the manifest "good": a refusal has its reason, and programs
 * that are accepted become jobs, or their options are refused. */
#include "cli/workspace/manifest.h"

#include "in_folder.h"

static int read_and_forget(const struct arguments *a, struct manifest *m)
{
	char *argv[] = {(char[]){"spirv-bind"}, (char[]){"-m"}, (char[]){"m"}, (char[]){"-n"}, NULL};
	struct arguments of_run = *a;
	struct program_list jobs = {0};
	int status = ws_read_manifest(m, "m");

	if (status == EXIT_DONE)
		status = ws_make_jobs(m, &of_run, 4, argv, &jobs);
	ws_free_jobs(&jobs);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char good[] = "options --rules=hlsl\nshare set=0\nprogram g: g.spv\n";
	struct arguments a = {.verb = VERB_BIND, .manifest = "m"};
	struct manifest m;
	struct record record;

	spb_options_init(&a.options, sizeof a.options);
	put_file("good", good, sizeof good - 1);
	put_file("m", data, size);
	begin_listening(&record);
	int status = read_and_forget(&a, &m);
	MUST(has_said_something(&record) == (status != EXIT_DONE));
	ws_free_manifest(&m);
	cli_forget_reads();
	return 0;
}
