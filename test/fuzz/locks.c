/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a lock: of a program, of a workspace, and as one to merge with another. */
#include "spirv-bind/workspace.h"

#include "fuzz.h"
#include "small.h"

static const char ours[] = "lock version=1\nresource a set=0 binding=1 kind=texture\nremoved x set=0 binding=2\n";

/* A lock merged into itself stays the same, and so does one that is read again. */
static void merge(spb_context *context, const char *lock, const char *base, const char *theirs)
{
	spb_workspace *workspace, *again;

	if (spb_workspace_create(context, lock, "ours", false, &workspace) != SPB_OK)
		return;
	if (spb_workspace_merge_lock(workspace, base, theirs, "theirs") == SPB_OK) {
		const char *merged = spb_workspace_text(workspace, SPB_WORKSPACE_LOCK, NULL, NULL);
		MUST(merged);
		MUST(spb_workspace_create(context, merged, "merged", false, &again) == SPB_OK);
		MUST(spb_workspace_merge_lock(again, merged, merged, "merged") == SPB_OK);
		MUST(!strcmp(spb_workspace_text(again, SPB_WORKSPACE_LOCK, NULL, NULL), merged));
		spb_workspace_destroy(again);
	}
	spb_workspace_destroy(workspace);
}

static void use_in_workspace(spb_context *context, const char *lock)
{
	spb_workspace *workspace;

	if (spb_workspace_create(context, lock, "lock", true, &workspace) != SPB_OK)
		return;
	MUST(spb_workspace_add_program(workspace, "p", NULL) == SPB_OK);
	MUST(spb_workspace_text(workspace, SPB_WORKSPACE_PROGRAM_LOCK, "p", NULL));
	spb_workspace_text(workspace, SPB_WORKSPACE_PART_OF_LOCK, NULL, NULL);
	MUST(spb_workspace_leave_out(workspace, "p") == SPB_OK);
	spb_workspace_decide(workspace);
	spb_workspace_destroy(workspace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const spb_callbacks callbacks = {has_text, NULL};
	char *text = copy_text(data, size);
	spb_options options;
	spb_context *context;
	const struct attempt attempt = {.options = &options, .words = small_module, .count = SMALL_COUNT};

	spb_options_init(&options, sizeof options);
	options.validation.which = SPB_VALIDATE_NONE;
	options.layout.unused = SPB_UNUSED_COUNT;
	options.layout.lock = text;
	options.layout.update_lock = number_of(data, size) & 2;
	try_program(&attempt, number_of(data, size));
	MUST(spb_context_create(NULL, &callbacks, &context) == SPB_OK);
	use_in_workspace(context, text);
	merge(context, ours, "", text);
	merge(context, text, ours, ours);
	spb_context_destroy(context);
	free(text);
	return 0;
}
