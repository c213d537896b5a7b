/* SPDX-License-Identifier: Apache-2.0 */
/* collected: the facts of several programs as one text, sorted by program, so that it does not depend on the order in
 * which they were collected, or on the machine.
 *
 *     collected version=1
 *     program material.base
 *     resource Frame set=0 binding=0 ...
 *     program sky
 *     ... */
#include "analysis/workspace/workspace.h"

static const char head[] = "collected version=1\n";

static struct spb_lines lines_of(struct spb_workspace_plan *w, const char *file, const char *text)
{
	return (struct spb_lines){.c = w->c,
				  .keep = w->keep,
				  .names = &w->names,
				  .file = file,
				  .at = text,
				  .number = 1,
				  .code = SPB_E_FACTS,
				  .pass = "policy"};
}

void spb_set_facts(struct spb_workspace_plan *w, struct spb_workspace_program *p, const char *text)
{
	struct spb_lines r = lines_of(w, p->name, text);

	spb_read_facts(w, p, &r);
	if (*r.at) {
		p->collected = false;
		spb_line_wrong(&r, "these are the facts of one program, which need no line that names it");
	}
}

/* Reads the name and the facts of one program. */
static void read_program(struct spb_workspace_plan *w, struct spb_lines *r)
{
	struct spb_mark mark = spb_arena_mark(&w->c->scratch);

	spb_line_word(r);
	const char *name = spb_line_word(r);
	struct spb_workspace_program *p = spb_find_workspace_program(w, name);

	if (!p)
		spb_line_wrong(r, "the workspace has no program \"%s\"" SPB_REMEDY "Collect with the same manifest.",
			       name);
	if (p->collected || p->left_out)
		spb_line_wrong(r, "program \"%s\" was collected twice", name);
	SPB_PUSH(w->keep, &w->reading, p);
	spb_read_facts(w, p, r);
	spb_arena_rewind(&w->c->scratch, mark);
}

void spb_read_collected(struct spb_workspace_plan *w, const char *file, const char *text)
{
	struct spb_lines r = lines_of(w, file, text);

	w->reading.count = 0;
	if (strncmp(text, head, strlen(head)) != 0)
		spb_line_wrong(
		    &r, "this is not a file that collect has written: its first line must be \"collected version=1\"");
	spb_line_next(&r);
	while (*r.at) {
		if (strncmp(r.at, "program ", 8) != 0)
			spb_line_wrong(&r, "expected a line that begins with program");
		read_program(w, &r);
	}
}

void spb_forget_collected(struct spb_workspace_plan *w)
{
	for (size_t i = 0; i < w->reading.count; i++) {
		w->reading.items[i]->facts = (struct spb_facts){0};
		w->reading.items[i]->collected = false;
	}
	w->reading.count = 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct spb_workspace_program *const *)a)->name,
		      (*(const struct spb_workspace_program *const *)b)->name);
}

const char *spb_collected_text(struct spb_workspace_plan *w, size_t *length)
{
	struct spb_text_buffer text = {.arena = w->keep};
	size_t count = w->programs.count;
	struct spb_workspace_program **list =
	    spb_alloc_array(&w->c->scratch, count, sizeof(struct spb_workspace_program *));

	for (size_t i = 0; i < count; i++)
		list[i] = &w->programs.items[i];
	spb_sort(&w->c->scratch, list, count, sizeof *list, by_name);
	spb_text_put(&text, head);
	for (size_t i = 0; i < count; i++) {
		if (!list[i]->collected)
			continue;
		spb_text_put(&text, "program ");
		spb_lock_put_name(&text, list[i]->name);
		spb_text_put(&text, "\n");
		spb_put_facts(w, list[i], &text);
	}
	*length = text.count;
	return spb_text_end(&text);
}
