/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a manifest, which may include itself and the manifest "good": a refusal has a message, and accepted
 * programs become jobs, or their options are refused. */
#include "cli/args/args.h"
#include "cli/workspace/manifest.h"

#include "in_folder.h"

static int read(struct arguments *a, int count, char **words, struct manifest *m)
{
	struct program_list jobs = {0};
	int status = ws_read_manifest(m, "m");

	if (status == EXIT_DONE)
		status = ws_make_jobs(m, a, count, words, &jobs);
	ws_free_jobs(&jobs);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char good[] = "options --rules=hlsl\nshare set=0\nprogram g: g.spv\n";
	char *words[] = {(char[]){"spirv-bind"}, (char[]){"-m"}, (char[]){"m"}, (char[]){"--out-dir=out"}, NULL};
	struct arguments a;
	struct manifest m;
	struct record record;

	put_file("good", good, sizeof good - 1);
	put_file("m", data, size);
	arg_read_arguments(&a, 4, words, NULL);
	MUST(!a.done);
	begin_listening(&record);
	int status = read(&a, 4, words, &m);
	MUST(has_said_something(&record) == (status != EXIT_DONE));
	ws_free_manifest(&m);
	arg_free_arguments(&a);
	cli_forget_reads();
	return 0;
}
