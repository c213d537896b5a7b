/* SPDX-License-Identifier: Apache-2.0 */
/* lock: reads and writes the lock file, which keeps numbers from changing. It has one line per resource, sorted by
 * name, so that git can merge it.
 *
 *     lock version=1
 *     shift class=t set=0 by=4
 *     resource albedo set=0 binding=3 kind=texture
 *     removed shadow set=0 binding=4 kind=texture       # no other resource gets this binding
 *     heap heap_texture_2D_float set=1 binding=2 kind=texture
 *     resource Draw set=2 binding=0 kind=ubo type=dynamic        # from a policy; checked by --locked
 *     push set=2
 *
 * In the lock file of a manifest, each line names its programs; a line without program= applies to all:
 *
 *     lock version=2
 *     share set=0
 *     share heaps
 *     resource Frame program=* set=0 binding=0 kind=ubo
 *     resource sky program=sky set=1 binding=0 kind=combined
 *     rename Frame -> View              # followed when the file is read; --update-lock writes the new name
 *     rename program=sky -> night_sky
 *
 * The version is 2 if a line names a program. */
#include "analysis/layout/plan.h"

/* Reading */

static bool same_scope(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static uint32_t *find_slot(const struct spb_lock *lock, const struct spb_lock_name *wanted)
{
	uint64_t hash = spb_hash_bytes(wanted->heap, wanted->name, strlen(wanted->name));
	uint32_t h;

	if (wanted->scope)
		hash = spb_hash_bytes(hash, wanted->scope, strlen(wanted->scope));
	h = (uint32_t)spb_hash_mix(hash, wanted->ordinal) & lock->mask;
	for (; lock->slot[h]; h = (h + 1) & lock->mask) {
		const struct spb_lock_entry *e = &lock->entries.items[lock->slot[h] - 1];
		if (e->ordinal == wanted->ordinal && e->heap == wanted->heap && !strcmp(e->name, wanted->name) &&
		    same_scope(e->scope, wanted->scope))
			break;
	}
	return &lock->slot[h];
}

struct spb_lock_entry *spb_lock_find(const struct spb_lock *lock, const struct spb_lock_name *wanted)
{
	uint32_t *slot = lock->slot ? find_slot(lock, wanted) : NULL;

	return slot && *slot ? &lock->entries.items[*slot - 1] : NULL;
}

static void index_entries(struct spb_lock *lock, const struct spb_lines *r, struct spb_arena *arena)
{
	uint32_t size = 16;

	while (size < 2 * lock->entries.count)
		size *= 2;
	lock->slot = spb_alloc_zeroed(arena, size, sizeof *lock->slot);
	lock->mask = size - 1;
	for (uint32_t i = 0; i < lock->entries.count; i++) {
		const struct spb_lock_entry *e = &lock->entries.items[i];
		if (e->shift && !e->scope)
			SPB_PUSH(
			    arena, &lock->shifts,
			    ((struct spb_shift){.class = e->class, .has_set = true, .set = e->set, .by = e->binding}));
		if (e->shift || e->push)
			continue;
		uint32_t *slot = find_slot(lock, &(struct spb_lock_name){e->scope, e->name, e->ordinal, e->heap});
		if (*slot) {
			struct spb_lines here = *r;
			here.number = e->line;
			spb_line_wrong(&here,
				       "\"%s\" is already locked by line %u" SPB_REMEDY "Delete one of the two lines.",
				       e->name, lock->entries.items[*slot - 1].line);
		}
		*slot = i + 1;
	}
	spb_sort(arena, lock->shifts.items, lock->shifts.count, sizeof *lock->shifts.items, spb_by_shift);
}

/* Reading lines */

struct rename { /* OLD -> NEW */
	const char *from, *to;
	const char *scope; /* of a resource: only in this scope; NULL: in all */
	bool program;
};

struct reader {
	struct spb_lines r;
	struct spb_lock *lock;
	SPB_LIST(struct rename) renames;
	struct spb_text_buffer rest; /* of the current line */
};

/* Keys that are only for the reader and for --locked: every run reads these decisions from its policies. */
static bool is_decision(const char *key)
{
	return !strcmp(key, "type") || !strcmp(key, "samplers") || !strcmp(key, "flags");
}

/* Keys that have no effect on the number of the resource itself. False: it is another key. */
static bool read_remark(struct spb_lines *r, const struct spb_pair *p, struct spb_lock_entry *e)
{
	if (!strcmp(p->key, "kind"))
		spb_pair_bits(r, p, spb_kind_name, SPB_DESCRIPTOR_OTHER);
	else if (!strcmp(p->key, "count"))
		e->count = spb_pair_number(r, p);
	else
		return is_decision(p->key);
	return true;
}

static const char *known_keys(const struct spb_lock_entry *e)
{
	if (e->push)
		return "program and set";
	return e->shift ? "class, program, set and by"
			: "program, set, binding, ordinal, kind, count, type, samplers and flags";
}

static void read_entry(struct reader *in, struct spb_lock_entry e)
{
	struct spb_lines *r = &in->r;
	bool set = false, binding = e.push, is_resource = !e.shift && !e.push;

	in->rest.count = 0;
	e.name = is_resource ? spb_line_word(r) : "";
	while (!spb_line_at_end(r)) {
		struct spb_pair p = spb_line_pair(r);
		if (!strcmp(p.key, "set")) {
			e.set = spb_pair_number(r, &p);
			set = true;
		} else if (!e.push && !strcmp(p.key, e.shift ? "by" : "binding")) {
			e.binding = spb_pair_number(r, &p);
			binding = true;
		} else if (!strcmp(p.key, "program")) {
			e.scope = p.value;
		} else if (is_resource && !strcmp(p.key, "ordinal")) {
			e.ordinal = spb_pair_number(r, &p);
		} else if (is_resource && read_remark(r, &p, &e)) {
			spb_text_format(&in->rest, " %s=%s", p.key, p.value);
		} else if (e.shift && !strcmp(p.key, "class")) {
			e.class = (enum spb_class)spb_pair_name(r, &p, spb_class_name, SPB_CLASS_COUNT);
		} else {
			spb_pair_unknown(r, &p, known_keys(&e));
		}
	}
	if (!set || !binding || (is_resource && !*e.name))
		spb_line_wrong(r, "the line is truncated" SPB_REMEDY
				  "Restore it from version control, or create it again with --update-lock.");
	in->lock->names_programs |= e.scope != NULL;
	e.line = r->number;
	e.rest = spb_line_keep(r, spb_text_end(&in->rest));
	SPB_PUSH(r->keep, &in->lock->entries, e);
}

static void read_share(struct reader *in)
{
	struct spb_lines *r = &in->r;
	struct spb_lock_share share = {.line = r->number, .set = SPB_SHARED_HEAPS, .programs = "*"};
	bool set = spb_line_skip(r, "heaps");

	while (!spb_line_at_end(r)) {
		struct spb_pair p = spb_line_pair(r);
		if (!strcmp(p.key, "set")) {
			share.set = spb_pair_number(r, &p);
			set = true;
		} else if (!strcmp(p.key, "programs")) {
			share.programs = p.value;
		} else {
			spb_pair_unknown(r, &p, "set and programs");
		}
	}
	if (!set)
		spb_line_wrong(r, "share needs what is shared" SPB_REMEDY "Write share set=N or share heaps.");
	SPB_PUSH(r->keep, &in->lock->shares, share);
}

/* rename OLD -> NEW [program=SCOPE], or rename program=OLD -> NEW */
static void read_rename(struct reader *in)
{
	struct spb_lines *r = &in->r;
	struct rename rename = {.from = spb_line_word(r)};

	if (!strncmp(rename.from, "program=", 8)) {
		rename.program = true;
		rename.from += 8;
	}
	if (strcmp(spb_line_word(r), "->") != 0)
		spb_line_wrong(r, "expected rename OLD -> NEW");
	rename.to = spb_line_word(r);
	while (!spb_line_at_end(r)) {
		struct spb_pair p = spb_line_pair(r);
		if (rename.program || strcmp(p.key, "program") != 0)
			spb_pair_unknown(r, &p, "program, of a resource");
		rename.scope = p.value;
	}
	if (!*rename.from || !*rename.to)
		spb_line_wrong(r, "expected rename OLD -> NEW");
	SPB_PUSH(r->keep, &in->renames, rename);
	in->lock->renames = true;
	in->lock->names_programs |= rename.program || rename.scope;
}

static int by_old_name(const void *a, const void *b)
{
	const struct rename *x = a, *y = b;
	int order = spb_compare(x->program, y->program);

	order = order ? order : strcmp(x->from, y->from);
	return order ? order : strcmp(x->scope ? x->scope : "", y->scope ? y->scope : "");
}

/* The new name; NULL: it is not renamed. */
static const char *find_rename(const struct reader *in, struct rename wanted)
{
	size_t i =
	    spb_lower_bound(in->renames.items, in->renames.count, sizeof *in->renames.items, &wanted, by_old_name);

	return i < in->renames.count && !by_old_name(&in->renames.items[i], &wanted) ? in->renames.items[i].to : NULL;
}

/* Applies each rename once: the new name is not renamed again. */
static void follow_renames(struct reader *in)
{
	spb_sort(in->r.keep, in->renames.items, in->renames.count, sizeof *in->renames.items, by_old_name);
	for (size_t i = 0; i < in->lock->entries.count && in->renames.count; i++) {
		struct spb_lock_entry *e = &in->lock->entries.items[i];
		const char *name = find_rename(in, (struct rename){.from = e->name, .scope = e->scope});
		const char *scope =
		    e->scope ? find_rename(in, (struct rename){.from = e->scope, .program = true}) : NULL;
		name = name ? name : find_rename(in, (struct rename){.from = e->name});
		e->name = name ? name : e->name;
		e->scope = scope ? scope : e->scope;
	}
}

static uint32_t read_version(struct spb_lines *r)
{
	struct spb_pair p = spb_line_pair(r);

	if (strcmp(p.key, "version") != 0 || (strcmp(p.value, "1") != 0 && strcmp(p.value, "2") != 0))
		spb_line_wrong(r, "this lock file was written by an incompatible version of spirv-bind: %s=%s", p.key,
			       p.value);
	return spb_pair_number(r, &p);
}

static void read_line(struct reader *in)
{
	struct spb_lines *r = &in->r;
	const char *verb = spb_line_word(r);

	if (!strncmp(verb, "<<<<", 4) || !strncmp(verb, "====", 4) || !strncmp(verb, ">>>>", 4))
		spb_line_wrong(
		    r, "unresolved merge conflict" SPB_REMEDY
		       "Keep the lines of both sides and delete the markers, or merge with spirv-bind lock merge.");
	if (!strcmp(verb, "lock")) {
		in->lock->version = read_version(r);
		return;
	}
	if (!in->lock->version)
		spb_line_wrong(r, "this is not a lock file of spirv-bind: its first line must be \"lock version=1\" or "
				  "\"lock version=2\"");
	if (!strcmp(verb, "resource"))
		read_entry(in, (struct spb_lock_entry){0});
	else if (!strcmp(verb, "removed"))
		read_entry(in, (struct spb_lock_entry){.removed = true});
	else if (!strcmp(verb, "heap"))
		read_entry(in, (struct spb_lock_entry){.heap = true});
	else if (!strcmp(verb, "shift"))
		read_entry(in, (struct spb_lock_entry){.shift = true});
	else if (!strcmp(verb, "push"))
		read_entry(in, (struct spb_lock_entry){.push = true});
	else if (!strcmp(verb, "share"))
		read_share(in);
	else if (!strcmp(verb, "rename"))
		read_rename(in);
	else
		spb_line_wrong(r,
			       "no line begins with \"%s\"" SPB_REMEDY
			       "Expected resource, removed, heap, shift, push, share or rename.",
			       verb);
}

void spb_lock_read(struct spb_lock *lock, struct spb_context *c, const char *name, const char *text,
		   struct spb_arena *arena, struct spb_names *names)
{
	struct reader in = {.r = {.c = c,
				  .keep = arena,
				  .names = names,
				  .file = name,
				  .at = text,
				  .number = 1,
				  .code = SPB_E_LOCK,
				  .pass = "lock"},
			    .lock = lock,
			    .rest = {.arena = &c->scratch}};

	do {
		if (!spb_line_at_end(&in.r))
			read_line(&in);
	} while (spb_line_next(&in.r));
	follow_renames(&in);
	index_entries(lock, &in.r, arena);
}

/* A single program cannot tell which lines are its own. */
void spb_lock_need_one_program(const struct spb_lock *lock, struct spb_context *c, const char *name)
{
	const struct spb_lines here = {.c = c, .file = name, .number = 1, .code = SPB_E_LOCK, .pass = "lock"};

	if (lock->names_programs)
		spb_line_wrong(&here, "the lock file belongs to the programs of a manifest" SPB_REMEDY
				      "Bind this one with -m MANIFEST, and alone with --programs=NAME.");
}

static void check_entry(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_variable *v = p->variable;
	const struct spb_lock_entry *e =
	    spb_lock_find(&s->lock, &(struct spb_lock_name){NULL, v->key, p->ordinal, v->heap});

	if (e->set == p->set && e->binding == p->binding)
		return;
	spb_fail(spb_module_of(s, p), SPB_ERROR_CONFLICT, SPB_E_LOCK_MOVED, v->at,
		 "%s has set %u, binding %u (%s), but line %u of the lock file has set %u, binding %u" SPB_REMEDY
		 "Correct the module, or accept the new binding with --update-lock.",
		 spb_parameter_label(s, p), p->set, p->binding, p->why, e->line, e->set, e->binding);
}

/* '%5 "tex"', or '%5 "tex" and others, 3 resources in all,'. */
static const char *count_text(const struct spb_plan *s, const struct spb_parameter *first, uint32_t count)
{
	struct spb_text_buffer text = {.arena = &s->c->scratch};

	spb_text_put(&text, spb_parameter_label(s, first));
	if (count > 1)
		spb_text_format(&text, " and others, %u resources in all,", count);
	return spb_text_end(&text);
}

/* The lock file identifies resources by name, so those without one cannot be locked. */
static void note_nameless(struct spb_plan *s)
{
	const struct spb_parameter *first = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		if (p->place == SPB_PLACE_REMOVED || *p->variable->key)
			continue;
		first = first ? first : p;
		count++;
	}
	if (count)
		spb_report(spb_module_of(s, first), SPB_SEVERITY_NOTE, SPB_E_NOT_LOCKED, first->variable->at,
			   "%s %s no OpName, so the lock file cannot keep %s" SPB_REMEDY
			   "Strip names after binding rather than before.",
			   count_text(s, first, count), count == 1 ? "has" : "have",
			   count == 1 ? "its binding" : "their bindings");
}

/* A line of a resource that the program lacks: the old name of one that it has under another name, or "". */
static const char *rename_text(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_lock_entry *e = s->lock.entries.items, *end = e + s->lock.entries.count;
	struct spb_text_buffer text = {.arena = &s->c->scratch};

	while (e < end && (e->seen || e->removed || e->heap || e->shift || e->push))
		e++;
	if (e == end)
		return "";
	spb_text_put(&text, "; if it was renamed, add the line rename ");
	spb_lock_put_name(&text, e->name);
	spb_text_put(&text, " -> ");
	spb_lock_put_name(&text, p->variable->key);
	return spb_text_end(&text);
}

void spb_lock_check(struct spb_plan *s)
{
	const struct spb_parameter *first = NULL;
	uint32_t unknown = 0;

	if (s->options->layout.update_lock || s->options->layout.lock)
		note_nameless(s);
	if (s->options->layout.update_lock || !s->options->layout.lock)
		return;
	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		if (p->locked) {
			check_entry(s, p);
		} else if (p->place != SPB_PLACE_REMOVED && *p->variable->key &&
			   !(p->dropped && p->place == SPB_PLACE_FIXED)) {
			first = first ? first : p;
			unknown++;
		}
	}
	if (unknown)
		spb_report(spb_module_of(s, first), SPB_SEVERITY_NOTE, SPB_E_NOT_LOCKED, first->variable->at,
			   "%s %s not in the lock file" SPB_REMEDY "Record %s with --update-lock%s.",
			   count_text(s, first, unknown), unknown == 1 ? "is" : "are", unknown == 1 ? "it" : "them",
			   unknown == 1 ? rename_text(s, first) : "");
}

/* Writing */

static bool is_plain(const char *name, const char *also)
{
	for (const char *p = name; *p; p++) {
		bool word = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
		if (!word && !strchr(also, *p))
			return false;
	}
	return *name != '\0';
}

static void put_name(struct spb_text_buffer *text, const char *name, const char *plain)
{
	if (is_plain(name, plain)) {
		spb_text_put(text, name);
		return;
	}
	spb_text_put(text, "\"");
	for (const char *p = name; *p; p++) {
		unsigned char byte = (unsigned char)*p;
		if (byte < 0x20 || byte >= 0x7F) { /* would end the line, or control the reader's terminal */
			spb_text_format(text, byte < 0x10 ? "\\x0%x" : "\\x%x", byte);
			continue;
		}
		if (byte == '"' || byte == '\\')
			spb_text_put(text, "\\");
		spb_text_add(text, p, 1);
	}
	spb_text_put(text, "\"");
}

void spb_lock_put_name(struct spb_text_buffer *text, const char *name)
{
	put_name(text, name, "_.$@:[]");
}

static void put_scope(struct spb_text_buffer *text, const char *scope)
{
	put_name(text, scope, "_.$@:[]*?-/");
}

static void put_flags(struct spb_text_buffer *text, uint32_t flags)
{
	const char *separator = " flags=";

	for (uint32_t i = 0; i < SPB_FLAG_COUNT; i++) {
		if (!(flags >> i & 1))
			continue;
		spb_text_format(text, "%s%s", separator, spb_flag_name(i));
		separator = ",";
	}
	if (!flags)
		spb_text_put(text, " flags=none");
}

/* Writes what a policy decides about the descriptor beyond SPIR-V. */
static void put_decisions(struct spb_text_buffer *text, const struct spb_entry *e)
{
	if (e->vk_type == SPB_VK_INLINE_UNIFORM_BLOCK)
		spb_text_put(text, " type=inline-uniform-block");
	if (e->vk_type == SPB_VK_UNIFORM_BUFFER_DYNAMIC || e->vk_type == SPB_VK_STORAGE_BUFFER_DYNAMIC)
		spb_text_put(text, " type=dynamic");
	if (e->chosen)
		spb_text_put(text, " type=mutable");
	if (e->immutable)
		spb_text_put(text, " samplers=immutable");
	if (e->flags != (e->count ? 0 : 1u << SPB_FLAG_PARTIALLY_BOUND))
		put_flags(text, e->flags);
}

void spb_lock_put_rest(struct spb_text_buffer *text, enum spb_descriptor kind, uint32_t count,
		       const struct spb_entry *entry)
{
	spb_text_format(text, " kind=%s", spb_descriptor_info(kind)->kind);
	if (count != 1)
		spb_text_format(text, " count=%u", count);
	put_decisions(text, entry);
}

static void put_line(struct spb_text_buffer *text, const struct spb_lock_entry *e)
{
	spb_text_put(text, e->shift     ? "shift"
			   : e->push    ? "push"
			   : e->heap    ? "heap "
			   : e->removed ? "removed "
					: "resource ");
	if (e->shift)
		spb_text_format(text, " class=%c", spb_class_letter(e->class));
	if (*e->name)
		spb_lock_put_name(text, e->name);
	if (e->ordinal)
		spb_text_format(text, " ordinal=%u", e->ordinal);
	if (e->scope) {
		spb_text_put(text, " program=");
		put_scope(text, e->scope);
	}
	spb_text_format(text, " set=%u", e->set);
	if (!e->push)
		spb_text_format(text, e->shift ? " by=%u" : " binding=%u", e->binding);
	if (!e->removed)
		spb_text_put(text, e->rest);
	else if (e->count > 1) /* registers that stay taken */
		spb_text_format(text, " count=%u", e->count);
	spb_text_put(text, "\n");
}

/* By everything but the number. */
static int by_line(const struct spb_lock_entry *x, const struct spb_lock_entry *y)
{
	int order = strcmp(spb_label_of(x), spb_label_of(y));

	order = order ? order : spb_compare(y->shift, x->shift);
	order = order ? order : strcmp(x->name, y->name);
	order = order ? order : spb_compare(x->ordinal, y->ordinal);
	order = order ? order : spb_compare(x->heap, y->heap);
	order = order || !(x->shift || x->push) ? order : spb_compare(x->set, y->set);
	return order || !x->shift ? order : spb_compare(x->class, y->class);
}

int spb_by_lock_line(const void *a, const void *b)
{
	return by_line(*(const struct spb_lock_entry *const *)a, *(const struct spb_lock_entry *const *)b);
}

void spb_lock_put_head(struct spb_text_buffer *text, const struct spb_lock *lock, bool names_programs)
{
	spb_text_put(text,
		     "# Numbers that do not move; spirv-bind --update-lock writes this file. When git merges it,\n"
		     "# keep the lines of both sides.\n");
	spb_text_format(text, "lock version=%u\n", names_programs || lock->version > 1 ? 2 : 1);
	for (size_t i = 0; i < lock->shares.count; i++) {
		const struct spb_lock_share *share = &lock->shares.items[i];
		if (share->set == SPB_SHARED_HEAPS)
			spb_text_put(text, "share heaps");
		else
			spb_text_format(text, "share set=%u", share->set);
		if (strcmp(share->programs, "*") != 0) {
			spb_text_put(text, " programs=");
			put_scope(text, share->programs);
		}
		spb_text_put(text, "\n");
	}
}

void spb_lock_put_lines(struct spb_text_buffer *text, struct spb_arena *scratch, const struct spb_lock_entry **lines,
			size_t count)
{
	spb_sort(scratch, lines, count, sizeof *lines, spb_by_lock_line);
	for (size_t i = 0; i < count; i++) {
		if (!i || by_line(lines[i - 1], lines[i]) != 0)
			put_line(text, lines[i]);
	}
}

const char *spb_lock_write(const struct spb_lock *lock, const struct spb_lock_entry *entries, size_t count,
			   struct spb_arena *scratch, struct spb_arena *keep, size_t *length)
{
	struct spb_text_buffer text = {.arena = keep};
	const struct spb_lock_entry **lines = spb_alloc_array(scratch, count, sizeof(const struct spb_lock_entry *));
	bool names_programs = false;

	for (size_t i = 0; i < count; i++) {
		lines[i] = &entries[i];
		names_programs |= entries[i].scope != NULL;
	}
	spb_lock_put_head(&text, lock, names_programs);
	spb_lock_put_lines(&text, scratch, lines, count);
	*length = text.count;
	return spb_text_end(&text);
}

/* The lock of a layout */

struct slot {
	uint32_t set, binding;
};

static int by_slot(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;
	int order = spb_compare(x->set, y->set);

	return order ? order : spb_compare(x->binding, y->binding);
}

static bool is_taken(const struct slot *slots, size_t count, const struct spb_lock_entry *e)
{
	const struct slot wanted = {e->set, e->binding};
	size_t i = spb_lower_bound(slots, count, sizeof *slots, &wanted, by_slot);

	return i < count && !by_slot(&slots[i], &wanted);
}

struct entries {
	struct spb_lock_entry *items;
	size_t count, capacity;
};

static void add_parameter(struct entries *to, const struct spb_layout *layout, const struct spb_parameter *p,
			  struct spb_arena *scratch)
{
	struct spb_text_buffer rest = {.arena = scratch};

	if (*p->variable->key) {
		if (!p->dropped)
			spb_lock_put_rest(&rest, p->variable->kind, p->count, spb_entry_of(layout, p));
		else
			spb_text_format(&rest, " kind=%s", spb_descriptor_info(p->variable->kind)->kind);
		SPB_PUSH(scratch, to,
			 ((struct spb_lock_entry){.name = p->variable->key,
						  .ordinal = p->ordinal,
						  .heap = p->variable->heap,
						  .set = p->set,
						  .binding = p->binding,
						  .rest = spb_text_end(&rest)}));
	}
}

/* Adds shifts and push sets. Shifts for some stages only are left out: every run reads them from its policies. */
static void add_sets(struct entries *to, const struct spb_layout *layout, struct spb_arena *scratch)
{
	for (size_t i = 0; i < layout->shifts.count && layout->hlsl; i++) {
		const struct spb_shift *shift = &layout->shifts.items[i];
		if (!shift->group)
			SPB_PUSH(scratch, to,
				 ((struct spb_lock_entry){.name = "",
							  .shift = true,
							  .class = shift->class,
							  .set = shift->set,
							  .binding = shift->by,
							  .rest = ""}));
	}
	for (size_t i = 0; i < layout->entries.count; i++) {
		const struct spb_entry *e = &layout->entries.items[i];
		if (e->set_flags >> SPB_SET_PUSH_DESCRIPTOR & 1)
			SPB_PUSH(scratch, to,
				 ((struct spb_lock_entry){.name = "", .push = true, .set = e->set, .rest = ""}));
	}
}

/* Adds the lines of resources that the program no longer has, unless their place is taken. */
static void add_removed(struct entries *to, const struct spb_lock *lock, const struct slot *slots, size_t count,
			struct spb_arena *scratch)
{
	for (size_t i = 0; i < lock->entries.count; i++) {
		struct spb_lock_entry e = lock->entries.items[i];
		if (e.shift || e.push || e.seen || is_taken(slots, count, &e))
			continue;
		e.removed = !e.heap;
		e.rest = "";
		SPB_PUSH(scratch, to, e);
	}
}

const char *spb_lock_text(const struct spb_layout *layout, struct spb_context *c, struct spb_arena *keep,
			  size_t *length)
{
	const size_t total = layout->parameters.count;
	struct slot *slots = spb_alloc_array(&c->scratch, total, sizeof *slots);
	struct entries entries = {0};
	size_t taken = 0;

	SPB_SIZE(&c->scratch, &entries, total + layout->lock->entries.count + layout->shifts.count + 1);
	add_sets(&entries, layout, &c->scratch);
	for (size_t i = 0; i < total; i++) {
		const struct spb_parameter *p = &layout->parameters.items[i];
		if (p->place == SPB_PLACE_REMOVED || (p->dropped && p->place == SPB_PLACE_FIXED))
			continue;
		slots[taken++] = (struct slot){p->set, p->binding};
		add_parameter(&entries, layout, p, &c->scratch);
	}
	spb_sort(&c->scratch, slots, taken, sizeof *slots, by_slot);
	add_removed(&entries, layout->lock, slots, taken, &c->scratch);
	return spb_lock_write(&(struct spb_lock){0}, entries.items, entries.count, &c->scratch, keep, length);
}
