/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the facts of two programs that share set 0; those of the second one, by default the same, follow a NUL.
 * Facts that have been read are written so that reading them again gives the same. */
#include "spirv-bind/workspace.h"

#include "fuzz.h"

struct work {
	spb_context *context;
	spb_workspace *workspace;
	spb_status status;
};

static void begin(struct work *w)
{
	UNTIL_THERE_IS_MEMORY(w->status, spb_workspace_create(w->context, NULL, NULL, false, &w->workspace));
	UNTIL_THERE_IS_MEMORY(w->status, spb_workspace_share(w->workspace, 0, NULL));
	UNTIL_THERE_IS_MEMORY(w->status, spb_workspace_add_program(w->workspace, "p", NULL));
	UNTIL_THERE_IS_MEMORY(w->status, spb_workspace_add_program(w->workspace, "q", NULL));
	MUST(w->status == SPB_OK);
}

/* NULL for the program: the facts of all. */
static void add(struct work *w, const char *program, const char *facts)
{
	if (w->status == SPB_OK)
		UNTIL_THERE_IS_MEMORY(w->status, spb_workspace_add_facts(w->workspace, program, facts, "facts"));
}

static char *copy_of(struct work *w, spb_workspace_text_kind kind)
{
	const char *text = spb_workspace_text(w->workspace, kind, NULL, NULL);

	text = text ? text : spb_workspace_text(w->workspace, kind, NULL, NULL); /* memory has run out */
	return text ? copy_text((const uint8_t *)text, strlen(text)) : NULL;
}

static void check_round(struct work *w, const char *facts)
{
	begin(w);
	add(w, NULL, facts);
	char *written = w->status == SPB_OK ? copy_of(w, SPB_WORKSPACE_FACTS) : NULL;
	spb_workspace_destroy(w->workspace);
	if (!written)
		return;
	begin(w);
	add(w, NULL, written);
	MUST(w->status == SPB_OK);
	char *again = copy_of(w, SPB_WORKSPACE_FACTS);
	MUST(again && !strcmp(again, written));
	spb_workspace_destroy(w->workspace);
	free(again);
	free(written);
}

/* The lock after a decision; NULL: none. */
static char *decide(struct work *w, const char *first, const char *second)
{
	char *lock = NULL;

	begin(w);
	add(w, "p", first);
	add(w, "q", second);
	if (w->status == SPB_OK) {
		UNTIL_THERE_IS_MEMORY(w->status, spb_workspace_decide(w->workspace));
		MUST(w->status != SPB_ERROR_INTERNAL);
		lock = copy_of(w, SPB_WORKSPACE_LOCK);
		MUST(lock || w->status != SPB_OK);
		free(copy_of(w, SPB_WORKSPACE_LAYOUT_JSON));
		free(copy_of(w, SPB_WORKSPACE_REPORT));
	}
	spb_workspace_destroy(w->workspace);
	return lock;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct meter meter = {.failing = -1};
	const spb_allocator allocator = {metered_resize, &meter};
	const spb_callbacks callbacks = {has_text, NULL};
	char *text = copy_text(data, size), *second = strlen(text) < size ? text + strlen(text) + 1 : text;
	uint64_t number = number_of(data, size);
	struct work w;

	MUST(spb_context_create(&allocator, &callbacks, &w.context) == SPB_OK);
	check_round(&w, text);
	meter.count = 0;
	char *lock = decide(&w, text, second);
	const spb_status status = w.status;
	const long allocations = meter.count;
	meter.count = 0;
	meter.failing = next_number(&number, (uint32_t)allocations);
	char *again = decide(&w, text, second);
	MUST(w.status == status && (again != NULL) == (lock != NULL) && (!lock || !strcmp(lock, again)));
	spb_context_destroy(w.context);
	MUST(!meter.now);
	free(again);
	free(lock);
	free(text);
	return 0;
}
