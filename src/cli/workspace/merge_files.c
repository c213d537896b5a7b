/* SPDX-License-Identifier: Apache-2.0 */
/* merge_files: lock merge BASE OURS THEIRS, a merge driver of git. */
#include <stdlib.h>

#include "cli/workspace/manifest.h"

static int merge(const struct arguments *a, spb_workspace *workspace, const char *base, const char *theirs)
{
	struct output o = {.path = a->program.inputs[1]};
	int status = msg_exit_of_options(spb_workspace_merge_lock(workspace, base, theirs, a->program.inputs[2]));

	if (status != EXIT_DONE)
		return status;
	o.bytes = spb_workspace_text(workspace, SPB_WORKSPACE_LOCK, NULL, &o.size);
	return cli_write_outputs(NULL, &o, 1) ? EXIT_DONE : EXIT_IO;
}

int ws_merge_lock_files(const struct arguments *a)
{
	spb_callbacks callbacks = {msg_report, NULL};
	spb_context *context = NULL;
	spb_workspace *workspace = NULL;
	char *texts[3] = {NULL};
	int status = EXIT_DONE;

	for (int i = 0; i < 3 && status == EXIT_DONE; i++) {
		texts[i] = cli_read_text_file(a->program.inputs[i]);
		status = texts[i] ? EXIT_DONE : EXIT_IO;
	}
	if (status == EXIT_DONE)
		status = msg_exit_of(spb_context_create(NULL, &callbacks, &context));
	if (status == EXIT_DONE)
		status = msg_exit_of_options(
		    spb_workspace_create(context, texts[1], a->program.inputs[1], false, &workspace));
	if (status == EXIT_DONE)
		status = merge(a, workspace, texts[0], texts[2]);
	spb_workspace_destroy(workspace);
	spb_context_destroy(context);
	for (int i = 0; i < 3; i++)
		free(texts[i]);
	return status;
}
