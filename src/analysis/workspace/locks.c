/* SPDX-License-Identifier: Apache-2.0 */
/* locks: writes the lock file of a workspace, and the locks of its programs, which look like those of single programs.
 *
 * A line of the lock file becomes `removed` once no program of its scope has the resource. If the workspace does not
 * have all programs of a scope, its other lines are kept, so updating one program changes only its own lines. */
#include "analysis/workspace/workspace.h"

/* Lines by scope */

static int by_scope(const void *a, const void *b)
{
	const struct spb_lock_entry *x = *(struct spb_lock_entry *const *)a, *y = *(struct spb_lock_entry *const *)b;

	return strcmp(spb_label_of(x), spb_label_of(y));
}

void spb_sort_lock(struct spb_workspace_plan *w)
{
	size_t count = w->lock.entries.count;

	w->lines = spb_alloc_array(w->keep, count, sizeof(struct spb_lock_entry *));
	for (size_t i = 0; i < count; i++)
		w->lines[i] = &w->lock.entries.items[i];
	spb_sort(&w->c->scratch, w->lines, count, sizeof *w->lines, by_scope);
}

struct spb_scope_lines spb_lines_of(const struct spb_workspace_plan *w, const char *scope)
{
	struct spb_lock_entry wanted = {.scope = scope}, *key = &wanted;
	size_t total = w->lock.entries.count, first, end;

	first = spb_lower_bound(w->lines, total, sizeof *w->lines, &key, by_scope);
	for (end = first; end < total && !by_scope(&w->lines[end], &key); end++)
		;
	return (struct spb_scope_lines){w->lines + first, end - first};
}

/* The whole lock file is written label by label: holding all of its lines would double the memory of a workspace. */

struct group {
	const char *label;
	const struct spb_scope *scope; /* either the lines of this scope */
	size_t first, end;             /* or those of the existing lock file, in w->lines */
};

struct lines {
	struct spb_workspace_plan *w;
	struct spb_lock_entry *items;
	size_t count, capacity;
};

static void add(struct lines *lines, struct spb_lock_entry e)
{
	SPB_PUSH(&lines->w->c->scratch, lines, e);
}

/* Whether the existing lock file has this line. */
static bool is_known(const struct spb_lock_entry *old, const struct spb_lock_entry *e)
{
	return old && old->scope && !strcmp(old->scope, e->scope) && old->set == e->set && old->binding == e->binding &&
	       !old->removed && !strcmp(old->rest, e->rest);
}

static void add_resource(struct lines *lines, const char *label, struct spb_resource_of_all *r)
{
	struct spb_text_buffer rest = {.arena = &lines->w->c->scratch};

	if (*r->name) {
		spb_lock_put_rest(&rest, r->fact->kind, r->fact->dropped ? 1 : r->count, &r->entry);
		const struct spb_lock_entry e = {.name = r->name,
						 .ordinal = r->fact->ordinal,
						 .heap = r->fact->heap,
						 .set = r->set,
						 .binding = r->binding,
						 .scope = label,
						 .rest = spb_text_end(&rest)};
		r->differs = !is_known(r->locked, &e);
		r->moved =
		    r->locked && !r->locked->removed && (r->locked->set != r->set || r->locked->binding != r->binding);
		add(lines, e);
	}
	if (r->entry.set_flags >> SPB_SET_PUSH_DESCRIPTOR & 1)
		add(lines,
		    (struct spb_lock_entry){.name = "", .push = true, .set = r->set, .scope = label, .rest = ""});
}

static void add_scope(struct lines *lines, const struct spb_scope *scope)
{
	const struct spb_workspace_plan *w = lines->w;

	for (uint32_t i = scope->first; i < scope->end; i++)
		add_resource(lines, scope->label, &w->resources.items[w->resources.sorted[i]]);
	for (size_t i = 0; i < scope->shifts.count; i++) {
		const struct spb_shift *shift = &scope->shifts.items[i];
		add(lines, (struct spb_lock_entry){.name = "",
						   .shift = true,
						   .class = shift->class,
						   .set = shift->set,
						   .binding = shift->by,
						   .scope = scope->label,
						   .rest = ""});
	}
}

/* Adds lines of the existing lock file for resources that no program of the workspace has, or has any more. */
static void add_old(struct lines *lines, const struct group *g)
{
	const struct spb_workspace_plan *w = lines->w;

	for (size_t i = g->first; i < g->end; i++) {
		struct spb_lock_entry e = *w->lines[i];
		const struct spb_scope *scope = e.scope ? spb_find_scope(w, e.scope) : NULL;
		bool known = scope ? scope->complete : !w->partial;
		if (e.seen || ((e.shift || e.push) && (known || scope)))
			continue;
		e.removed |= known && !e.heap;
		e.scope = g->label;
		add(lines, e);
	}
}

static int by_group(const void *a, const void *b)
{
	return strcmp(((const struct group *)a)->label, ((const struct group *)b)->label);
}

/* New lines come before old ones of the same label. */
static struct group *list_groups(const struct spb_workspace_plan *w, size_t *count)
{
	struct {
		struct group *items;
		size_t count, capacity;
	} groups = {0};
	struct spb_arena *scratch = &w->c->scratch;

	for (size_t i = 0; i < w->scopes.count; i++)
		SPB_PUSH(scratch, &groups,
			 ((struct group){.label = w->scopes.items[i].label, .scope = &w->scopes.items[i]}));
	for (size_t i = 0, end; i < w->lock.entries.count; i = end) {
		const char *label = w->lines[i]->scope;
		for (end = i; end < w->lock.entries.count && !by_scope(&w->lines[i], &w->lines[end]); end++)
			;
		SPB_PUSH(scratch, &groups, ((struct group){.label = label ? label : "*", .first = i, .end = end}));
	}
	spb_sort(scratch, groups.items, groups.count, sizeof *groups.items, by_group);
	*count = groups.count;
	return groups.items;
}

/* Writes the lines of the groups with one label. */
static void put_label(struct spb_workspace_plan *w, const struct group *groups, size_t count,
		      struct spb_text_buffer *text)
{
	struct spb_mark mark = spb_arena_mark(&w->c->scratch);
	struct lines lines = {.w = w};
	const struct spb_lock_entry **list;

	for (size_t i = 0; i < count; i++) {
		if (groups[i].scope)
			add_scope(&lines, groups[i].scope);
		else
			add_old(&lines, &groups[i]);
	}
	list = spb_alloc_array(&w->c->scratch, lines.count, sizeof(const struct spb_lock_entry *));
	for (size_t i = 0; i < lines.count; i++)
		list[i] = &lines.items[i];
	spb_lock_put_lines(text, &w->c->scratch, list, lines.count);
	spb_arena_rewind(&w->c->scratch, mark);
}

static void find_differences(struct spb_workspace_plan *w)
{
	for (size_t i = 0; i < w->programs.count; i++) {
		struct spb_workspace_program *p = &w->programs.items[i];
		for (uint32_t k = 0; k < p->facts.count; k++) {
			p->differs |= w->resources.items[p->facts.resources[k]].differs;
			p->moved |= w->resources.items[p->facts.resources[k]].moved;
		}
	}
}

const char *spb_workspace_lock_text(struct spb_workspace_plan *w, size_t *length)
{
	struct spb_text_buffer text = {.arena = w->keep};
	size_t count;
	const struct group *groups = list_groups(w, &count);

	w->lock.shares.count = 0;
	for (size_t i = 0; i < w->shares.count; i++)
		SPB_PUSH(
		    w->keep, &w->lock.shares,
		    ((struct spb_lock_share){.set = w->shares.items[i].set, .programs = w->shares.items[i].programs}));
	spb_lock_put_head(&text, &w->lock, count != 0);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && !by_group(&groups[i], &groups[end]); end++)
			;
		put_label(w, groups + i, end - i, &text);
	}
	find_differences(w);
	*length = text.count;
	return spb_text_end(&text);
}

/* The part of the lock file that some of the programs depend on */

/* Whether any program of the workspace shares the set. */
static bool is_sharing(const struct spb_workspace_plan *w, const struct spb_share *share)
{
	for (size_t i = 0; i < w->programs.count; i++) {
		if (spb_glob(share->programs, w->programs.items[i].name))
			return true;
	}
	return false;
}

/* Finds the scopes that the programs of the workspace belong to: [scopes]. */
static bool *find_own_scopes(const struct spb_workspace_plan *w)
{
	bool *own = spb_alloc_zeroed(&w->c->scratch, w->scopes.count, sizeof *own);

	for (size_t i = 0; i < w->programs.count; i++)
		own[w->programs.items[i].scope] = true;
	for (size_t i = 0; i < w->shares.count; i++)
		own[spb_find_scope(w, w->shares.items[i].programs) - w->scopes.items] |=
		    is_sharing(w, &w->shares.items[i]);
	return own;
}

const char *spb_lock_part(struct spb_workspace_plan *w, size_t *length)
{
	const bool *own = find_own_scopes(w);
	struct lines lines = {.w = w};

	for (size_t i = 0; i < w->lock.entries.count; i++) {
		const struct spb_lock_entry *e = &w->lock.entries.items[i];
		const struct spb_scope *scope = e->scope ? spb_find_scope(w, e->scope) : NULL;
		if (!e->scope || (scope && own[scope - w->scopes.items])) /* no scope: all programs */
			add(&lines, *e);
	}
	return spb_lock_write(&w->lock, lines.items, lines.count, &w->c->scratch, w->keep, length);
}

/* The lock of one program */

static void add_own(struct lines *lines, struct spb_lock_entry e)
{
	e.scope = NULL;
	add(lines, e);
}

const char *spb_lock_before(struct spb_workspace_plan *w, uint32_t program, struct spb_arena *arena, size_t *length)
{
	const struct spb_workspace_program *p = &w->programs.items[program];
	const char *const labels[] = {p->name, NULL}; /* of two lines for one resource, the first is kept */
	struct spb_lock lock = {0};
	struct lines lines = {.w = w};

	for (size_t i = 0; i < w->shares.count; i++) {
		const struct spb_lock_share share = {.set = w->shares.items[i].set, .programs = "*"};
		if (share.set != SPB_SHARED_HEAPS && spb_glob(w->shares.items[i].programs, p->name))
			SPB_PUSH(&w->c->scratch, &lock.shares, share);
	}
	for (size_t k = 0; k < SPB_COUNT(labels) && !w->scopes.items[p->scope].shared; k++) {
		const struct spb_scope_lines found = spb_lines_of(w, labels[k]);
		for (size_t i = 0; i < found.count; i++) {
			const struct spb_lock_entry *e = found.items[i];
			if (!e->push && spb_scope_of(w, program, e->set) == p->scope)
				add_own(&lines, *e);
		}
	}
	return spb_lock_write(&lock, lines.items, lines.count, &w->c->scratch, arena, length);
}

/* Adds the shifts of scope `of` in those sets in which the program uses that scope. */
static void add_shifts(struct lines *lines, uint32_t program, uint32_t of)
{
	const struct spb_scope *scope = &lines->w->scopes.items[of];

	for (size_t i = 0; i < scope->shifts.count; i++) {
		const struct spb_shift *shift = &scope->shifts.items[i];
		if (spb_scope_of(lines->w, program, shift->set) == of)
			add(lines, (struct spb_lock_entry){.name = "",
							   .shift = true,
							   .class = shift->class,
							   .set = shift->set,
							   .binding = shift->by,
							   .rest = ""});
	}
}

const char *spb_lock_of(struct spb_workspace_plan *w, uint32_t program, struct spb_arena *arena, size_t *length)
{
	const struct spb_workspace_program *p = &w->programs.items[program];
	const bool shares = spb_scope_of(w, program, SPB_SHARED_HEAPS) != p->scope;
	const struct spb_lock_share heaps = {.set = SPB_SHARED_HEAPS, .programs = "*"};
	struct spb_lock lock = {0};
	struct lines lines = {.w = w};
	SPB_LIST(uint32_t) scopes = {0};

	if (shares)
		SPB_PUSH(&w->c->scratch, &lock.shares, heaps);
	for (uint32_t i = 0; i < p->facts.count; i++) {
		const struct spb_fact *f = spb_fact_of(w, p, i);
		const struct spb_resource_of_all *r = &w->resources.items[p->facts.resources[i]];
		size_t k = 0;
		if (*f->name)
			add(&lines, (struct spb_lock_entry){.name = f->name,
							    .ordinal = f->ordinal,
							    .heap = f->heap,
							    .set = r->set,
							    .binding = r->binding,
							    .rest = ""});
		while (k < scopes.count && scopes.items[k] != r->scope)
			k++;
		if (k == scopes.count)
			SPB_PUSH(&w->c->scratch, &scopes, r->scope);
	}
	for (size_t i = 0; i < scopes.count; i++)
		add_shifts(&lines, program, scopes.items[i]);
	return spb_lock_write(&lock, lines.items, lines.count, &w->c->scratch, arena, length);
}
