/* SPDX-License-Identifier: Apache-2.0 */
/* merge_locks: a three-way merge of lock files, for use as a merge driver of git.
 *
 * Lines are merged one by one. A line that only one side has changed, added or removed is taken from that side; one
 * that both have changed is taken from ours. If both sides have given the same number to new resources, those of theirs
 * get the next free number of their set, with a warning. */
#include "analysis/workspace/workspace.h"

struct merged {
	struct spb_lock_entry entry;
	bool by_theirs;  /* only theirs has it at this place */
	bool in_theirs;  /* theirs has it at this place */
	uint32_t number; /* its final binding; entry.binding stays the sort key until all are decided */
};

struct merge {
	struct spb_workspace_plan *w;
	SPB_LIST(struct merged) lines;
	const char *name; /* of theirs */
};

static struct spb_lock_entry **sort_entries(struct spb_workspace_plan *w, struct spb_lock *lock)
{
	size_t count = lock->entries.count;
	struct spb_lock_entry **list = spb_alloc_array(&w->c->scratch, count, sizeof(struct spb_lock_entry *));

	for (size_t i = 0; i < count; i++)
		list[i] = &lock->entries.items[i];
	spb_sort(&w->c->scratch, list, count, sizeof *list, spb_by_lock_line);
	return list;
}

static bool same_place(const struct spb_lock_entry *a, const struct spb_lock_entry *b)
{
	return a && b && a->set == b->set && a->binding == b->binding;
}

static bool same(const struct spb_lock_entry *a, const struct spb_lock_entry *b)
{
	return a == b || (same_place(a, b) && a->removed == b->removed && !strcmp(a->rest, b->rest));
}

static void warn(const struct merge *m, const struct spb_lock_entry *e, const char *format, ...)
{
	const spb_message message = {.severity = SPB_SEVERITY_WARNING,
				     .code = SPB_E_RENUMBERED,
				     .module = m->name,
				     .pass = "lock",
				     .name = e->name,
				     .line = e->line};
	va_list arguments;

	va_start(arguments, format);
	spb_vdeliver(m->w->c, message, format, arguments);
	va_end(arguments);
}

/* Merges the line of one resource. NULL: this version does not have it. */
static void merge_line(struct merge *m, const struct spb_lock_entry *base, const struct spb_lock_entry *ours,
		       const struct spb_lock_entry *theirs)
{
	const struct spb_lock_entry *taken = same(ours, base) ? theirs : ours;

	if (!same(ours, theirs) && !same(ours, base) && !same(theirs, base)) {
		/* prefer a side that still has the resource */
		taken = ours && (!ours->removed || !theirs) ? ours : theirs;
		if (ours && theirs && !same_place(ours, theirs))
			warn(m, theirs,
			     "\"%s\" has set %u, binding %u here, but set %u, binding %u on our side, which it "
			     "keeps" SPB_REMEDY "Bind the modules of this side again.",
			     theirs->name, theirs->set, theirs->binding, ours->set, ours->binding);
	}
	if (taken)
		SPB_PUSH(&m->w->c->scratch, &m->lines,
			 ((struct merged){.entry = *taken,
					  .by_theirs = !same_place(ours, taken),
					  .in_theirs = same_place(theirs, taken)}));
}

/* Walks over the lines of all three versions in parallel, in sorted order. */
static void merge_lines(struct merge *m, struct spb_lock *base, struct spb_lock *theirs)
{
	struct spb_lock *locks[3] = {base, &m->w->lock, theirs};
	struct spb_lock_entry **lists[3];
	size_t at[3] = {0};

	for (int i = 0; i < 3; i++)
		lists[i] = sort_entries(m->w, locks[i]);
	for (;;) {
		const struct spb_lock_entry *line[3] = {NULL};
		struct spb_lock_entry **least = NULL;
		for (int i = 0; i < 3; i++) {
			if (at[i] < locks[i]->entries.count &&
			    (!least || spb_by_lock_line(&lists[i][at[i]], least) < 0))
				least = &lists[i][at[i]];
		}
		if (!least)
			break;
		for (int i = 0; i < 3; i++) {
			struct spb_lock_entry **here = lists[i] + at[i];
			if (at[i] < locks[i]->entries.count && !spb_by_lock_line(here, least))
				line[i] = *here;
		}
		for (int i = 0; i < 3; i++)
			at[i] += line[i] != NULL;
		merge_line(m, line[0], line[1], line[2]);
	}
}

/* Numbers */

static int by_place(const void *a, const void *b)
{
	const struct spb_lock_entry *x = &(*(struct merged *const *)a)->entry,
				    *y = &(*(struct merged *const *)b)->entry;
	int order = strcmp(spb_label_of(x), spb_label_of(y));

	order = order ? order : spb_compare(x->set, y->set);
	return order ? order : spb_compare(x->binding, y->binding);
}

static bool same_set(const struct merged *a, const struct merged *b)
{
	return a->entry.set == b->entry.set && !strcmp(spb_label_of(&a->entry), spb_label_of(&b->entry));
}

/* Whether theirs has added resources at a place where ours has others. Views of one descriptor move together. */
static bool must_move(struct merged *const *list, size_t count)
{
	bool ours = false, theirs = false;

	for (size_t i = 0; i < count; i++) {
		ours |= !list[i]->in_theirs;
		theirs |= list[i]->by_theirs;
	}
	return ours && theirs;
}

/* `list` is a set, sorted by number. Moves the resources that theirs has added to the place of `first` to the next free
 * number. */
static void renumber(const struct merge *m, struct merged *const *list, size_t count, size_t first, size_t end,
		     uint64_t *next, size_t *at)
{
	uint32_t number = list[first]->entry.binding;
	size_t ours;

	*next = spb_larger(*next, number);
	for (; *at < count && list[*at]->entry.binding <= *next; ++*at)
		*next += list[*at]->entry.binding == *next;
	for (ours = first; list[ours]->in_theirs; ours++)
		continue;
	if (*next > UINT32_MAX)
		spb_workspace_fail(m->w, SPB_ERROR_CONFLICT, SPB_E_NO_ROOM, m->name,
				   "set %u has no binding left behind %u, which both sides have given to different "
				   "resources" SPB_REMEDY "Move one of them.",
				   list[first]->entry.set, number);
	for (size_t i = first; i < end; i++) {
		const struct spb_lock_entry *e = &list[i]->entry;
		if (!list[i]->by_theirs)
			continue;
		warn(m, e,
		     "\"%s\" has set %u, binding %u here, where our side has \"%s\"" SPB_REMEDY
		     "It gets binding %u: bind the modules of this side again.",
		     e->name, e->set, number, list[ours]->entry.name, (uint32_t)*next);
		list[i]->number = (uint32_t)*next;
	}
	++*next;
}

static void separate(struct merge *m)
{
	struct merged **list = spb_alloc_array(&m->w->c->scratch, m->lines.count, sizeof(struct merged *));
	size_t count = 0;

	for (size_t i = 0; i < m->lines.count; i++) {
		const struct spb_lock_entry *e = &m->lines.items[i].entry;
		if (!e->shift && !e->push && !e->heap)
			list[count++] = &m->lines.items[i];
		m->lines.items[i].number = e->binding;
	}
	spb_sort(&m->w->c->scratch, list, count, sizeof *list, by_place);
	for (size_t i = 0, set_end; i < count; i = set_end) {
		uint64_t next = 0;
		size_t at = 0;
		for (set_end = i; set_end < count && same_set(list[set_end], list[i]); set_end++)
			;
		for (size_t k = i, end; k < set_end; k = end) {
			for (end = k; end < set_end && !by_place(&list[end], &list[k]); end++)
				;
			if (must_move(list + k, end - k))
				renumber(m, list + i, set_end - i, k - i, end - i, &next, &at);
		}
	}
	for (size_t i = 0; i < m->lines.count; i++)
		m->lines.items[i].entry.binding = m->lines.items[i].number;
}

static void add_shares(struct spb_lock *to, const struct spb_lock *from, struct spb_arena *keep)
{
	for (size_t i = 0; i < from->shares.count; i++) {
		const struct spb_lock_share *share = &from->shares.items[i];
		bool known = false;
		for (size_t k = 0; k < to->shares.count && !known; k++)
			known = to->shares.items[k].set == share->set &&
				!strcmp(to->shares.items[k].programs, share->programs);
		if (!known)
			SPB_PUSH(keep, &to->shares, *share);
	}
}

const char *spb_merge_locks(struct spb_workspace_plan *w, const char *base, const char *theirs, const char *name,
			    size_t *length)
{
	struct merge m = {.w = w, .name = name};
	struct spb_lock old = {0}, other = {0};
	struct spb_lock_entry *entries;

	if (*base) /* git passes an empty file if both sides have added it */
		spb_lock_read(&old, w->c, "the common ancestor", base, w->keep, &w->names);
	spb_lock_read(&other, w->c, name, theirs, w->keep, &w->names);
	if (w->lock.entries.count && other.entries.count && w->lock.names_programs != other.names_programs)
		spb_workspace_fail(w, SPB_ERROR_CONFLICT, SPB_E_WORKSPACE, name,
				   "one of the locks is of one program and the other of many" SPB_REMEDY
				   "Bind with the one, and merge the manifests.");
	merge_lines(&m, &old, &other);
	separate(&m);
	add_shares(&w->lock, &other, w->keep);
	entries = spb_alloc_array(&w->c->scratch, m.lines.count, sizeof *entries);
	for (size_t i = 0; i < m.lines.count; i++)
		entries[i] = m.lines.items[i].entry;
	return spb_lock_write(&w->lock, entries, m.lines.count, &w->c->scratch, w->keep, length);
}
