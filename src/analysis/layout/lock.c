/* SPDX-License-Identifier: Apache-2.0 */
/* lock: a file of numbers that never move, with one line per resource, sorted by name, so that git can merge it.
 *
 *     lock version=1
 *     shift class=t set=0 by=4
 *     resource albedo set=0 binding=3 kind=texture
 *     removed shadow set=0 binding=4 kind=texture       # no other resource gets this binding
 *     heap heap_texture_2D_float set=1 binding=2 kind=texture
 *     resource Draw set=2 binding=0 kind=ubo type=dynamic        # as a policy says, for --locked
 *     push set=2 */
#include "analysis/layout/plan.h"
#include "analysis/layout/lines.h"

/* Reading */

static uint32_t hash_of(const struct spb_lock *lock, const char *name, uint32_t ordinal, bool heap)
{
	return (uint32_t)spb_hash_mix(spb_hash_bytes(heap, name, strlen(name)), ordinal) & lock->mask;
}

static uint32_t *find_slot(const struct spb_lock *lock, const char *name, uint32_t ordinal, bool heap)
{
	uint32_t h = hash_of(lock, name, ordinal, heap);

	for (; lock->slot[h]; h = (h + 1) & lock->mask) {
		const struct spb_lock_entry *e = &lock->entries.items[lock->slot[h] - 1];
		if (e->ordinal == ordinal && e->heap == heap && !strcmp(e->name, name))
			break;
	}
	return &lock->slot[h];
}

struct spb_lock_entry *spb_lock_find(const struct spb_lock *lock, const char *name, uint32_t ordinal, bool heap)
{
	uint32_t *slot = lock->slot ? find_slot(lock, name, ordinal, heap) : NULL;

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
		if (e->shift) {
			SPB_PUSH(
			    arena, &lock->shifts,
			    ((struct spb_shift){.class = e->class, .has_set = true, .set = e->set, .by = e->binding}));
			continue;
		}
		uint32_t *slot = find_slot(lock, e->name, e->ordinal, e->heap);
		if (*slot) {
			struct spb_lines here = *r;
			here.number = e->line;
			spb_line_wrong(&here, "\"%s\" is already locked by line %u; delete one of the two lines",
				       e->name, lock->entries.items[*slot - 1].line);
		}
		*slot = i + 1;
	}
	spb_sort(arena, lock->shifts.items, lock->shifts.count, sizeof *lock->shifts.items, spb_by_shift);
}

/* For readers, and for --locked: policies decide again in each run. */
static bool is_decision(const char *key)
{
	return !strcmp(key, "type") || !strcmp(key, "samplers") || !strcmp(key, "flags");
}

static void read_push(struct spb_lines *r)
{
	struct spb_pair p = spb_line_pair(r);

	if (strcmp(p.key, "set") != 0)
		spb_pair_unknown(r, &p, "set");
	spb_pair_number(r, &p);
}

static void read_entry(struct spb_lines *r, struct spb_lock *lock, struct spb_lock_entry e)
{
	bool set = false, binding = false;

	if (!e.shift)
		e.name = spb_line_word(r);
	while (!spb_line_at_end(r)) {
		struct spb_pair p = spb_line_pair(r);
		if (!strcmp(p.key, "set")) {
			e.set = spb_pair_number(r, &p);
			set = true;
		} else if (!strcmp(p.key, e.shift ? "by" : "binding")) {
			e.binding = spb_pair_number(r, &p);
			binding = true;
		} else if (!e.shift && !strcmp(p.key, "ordinal")) {
			e.ordinal = spb_pair_number(r, &p);
		} else if (!e.shift && !strcmp(p.key, "kind")) {
			spb_pair_bits(r, &p, spb_kind_name, SPB_DESCRIPTOR_OTHER); /* for readers, and for --locked */
		} else if (!e.shift && !strcmp(p.key, "count")) {
			spb_pair_number(r, &p);
		} else if (!e.shift && is_decision(p.key)) {
			continue;
		} else if (e.shift && !strcmp(p.key, "class")) {
			uint32_t bits = spb_pair_bits(r, &p, spb_class_name, SPB_CLASS_COUNT), i = 0;
			while (!(bits >> i & 1))
				i++;
			e.class = (enum spb_class)i;
		} else {
			spb_pair_unknown(r, &p,
					 e.shift ? "class, set and by"
						 : "set, binding, ordinal, kind, count, type, samplers and flags");
		}
	}
	if (!set || !binding || (!e.shift && !*e.name))
		spb_line_wrong(
		    r, "the line is truncated; restore it from version control, or create it again with --update-lock");
	e.line = r->number;
	SPB_PUSH(r->keep, &lock->entries, e);
}

static void read_line(struct spb_lines *r, struct spb_lock *lock, bool *begun)
{
	const char *verb = spb_line_word(r);

	if (!strncmp(verb, "<<<<", 4) || !strncmp(verb, "====", 4) || !strncmp(verb, ">>>>", 4))
		spb_line_wrong(r, "unresolved merge conflict: keep the lines of both sides, and delete the markers");
	if (!strcmp(verb, "lock")) {
		struct spb_pair p = spb_line_pair(r);
		if (strcmp(p.key, "version") != 0 || strcmp(p.value, "1") != 0)
			spb_line_wrong(r, "this lock file was written by an incompatible version of spirv-bind: %s=%s",
				       p.key, p.value);
		*begun = true;
		return;
	}
	if (!*begun)
		spb_line_wrong(r, "this is not a lock file of spirv-bind: its first line must be \"lock version=1\"");
	if (!strcmp(verb, "resource"))
		read_entry(r, lock, (struct spb_lock_entry){0});
	else if (!strcmp(verb, "removed"))
		read_entry(r, lock, (struct spb_lock_entry){.removed = true});
	else if (!strcmp(verb, "heap"))
		read_entry(r, lock, (struct spb_lock_entry){.heap = true});
	else if (!strcmp(verb, "shift"))
		read_entry(r, lock, (struct spb_lock_entry){.shift = true, .name = ""});
	else if (!strcmp(verb, "push"))
		read_push(r);
	else
		spb_line_wrong(r, "no line begins with \"%s\"; expected resource, removed, heap, shift or push", verb);
}

void spb_lock_read(struct spb_lock *lock, struct spb_context *c, const char *name, const char *text,
		   struct spb_arena *arena)
{
	struct spb_lines r = {.c = c, .keep = arena, .file = name, .at = text, .number = 1, .code = SPB_E_LOCK};
	bool begun = false;

	do {
		if (!spb_line_at_end(&r))
			read_line(&r, lock, &begun);
	} while (spb_line_next(&r));
	index_entries(lock, &r, arena);
}

static void check_entry(const struct spb_plan *s, const struct spb_parameter *p)
{
	const struct spb_variable *v = p->variable;
	const struct spb_lock_entry *e = spb_lock_find(&s->lock, v->key, p->ordinal, v->heap);

	if (e->set == p->set && e->binding == p->binding)
		return;
	spb_fail(spb_module_of(s, p), SPB_ERROR_CONFLICT, SPB_E_LOCK_MOVED, v->at,
		 "%s has set %u, binding %u (%s), but line %u of the lock file has set %u, binding %u; correct the "
		 "module, or accept the new binding with --update-lock",
		 spb_parameter_label(s, p), p->set, p->binding, p->why, e->line, e->set, e->binding);
}

void spb_lock_check(struct spb_plan *s)
{
	const struct spb_parameter *first = NULL;
	uint32_t unknown = 0;

	if (s->options->layout.update_lock || !s->options->layout.lock)
		return;
	for (uint32_t i = 0; i < s->layout->parameters.count; i++) {
		const struct spb_parameter *p = spb_plan_parameter(s, i);
		if (p->locked) {
			check_entry(s, p);
		} else if (p->place != SPB_PLACE_REMOVED && *p->variable->key) {
			first = first ? first : p;
			unknown++;
		}
	}
	if (unknown)
		spb_report(
		    spb_module_of(s, first), SPB_SEVERITY_NOTE, SPB_E_NOT_LOCKED, first->variable->at,
		    "%u resources are not in the lock file, the first of which is %s; record them with --update-lock",
		    unknown, spb_parameter_label(s, first));
}

/* Writing */

struct line {
	const char *name;
	uint32_t ordinal;
	const struct spb_parameter *p;    /* either */
	const struct spb_lock_entry *old; /* or */
};

static int by_name(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : spb_compare(x->ordinal, y->ordinal);
}

static bool is_plain(const char *name)
{
	for (const char *p = name; *p; p++) {
		bool word = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
		if (!word && !strchr("_.$@:[]", *p))
			return false;
	}
	return *name != '\0';
}

static void put_name(struct spb_text_buffer *text, const char *name)
{
	if (is_plain(name)) {
		spb_text_put(text, name);
		return;
	}
	spb_text_put(text, "\"");
	for (const char *p = name; *p; p++) {
		unsigned char byte = (unsigned char)*p;
		if (byte < 0x20 || byte >= 0x7F) { /* would end the line, or act on the terminal of whoever reads it */
			spb_text_format(text, byte < 0x10 ? "\\x0%x" : "\\x%x", byte);
			continue;
		}
		if (byte == '"' || byte == '\\')
			spb_text_put(text, "\\");
		spb_text_add(text, p, 1);
	}
	spb_text_put(text, "\"");
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

/* What a policy says about its descriptor, and SPIR-V does not. */
static void put_decisions(struct spb_text_buffer *text, const struct spb_entry *e)
{
	if (e->vk_type == SPB_VK_INLINE_UNIFORM_BLOCK)
		spb_text_put(text, " type=inline-uniform-block");
	if (e->vk_type == SPB_VK_UNIFORM_BUFFER_DYNAMIC || e->vk_type == SPB_VK_STORAGE_BUFFER_DYNAMIC)
		spb_text_put(text, " type=dynamic");
	if (e->immutable)
		spb_text_put(text, " samplers=immutable");
	if (e->flags != (e->count ? 0 : 1u << SPB_FLAG_PARTIALLY_BOUND))
		put_flags(text, e->flags);
}

static void put_push_set(struct spb_text_buffer *text, const struct spb_layout *layout)
{
	for (size_t i = 0; i < layout->entries.count; i++) {
		const struct spb_entry *e = &layout->entries.items[i];
		if (!(e->set_flags >> SPB_SET_PUSH_DESCRIPTOR & 1))
			continue;
		spb_text_format(text, "push set=%u\n", e->set);
		return;
	}
}

static void put_line(struct spb_text_buffer *text, const struct spb_layout *layout, const struct line *l)
{
	const struct spb_parameter *p = l->p;

	spb_text_put(text, (p ? p->variable->heap : l->old->heap) ? "heap " : p ? "resource " : "removed ");
	put_name(text, l->name);
	if (l->ordinal)
		spb_text_format(text, " ordinal=%u", l->ordinal);
	spb_text_format(text, " set=%u binding=%u", p ? p->set : l->old->set, p ? p->binding : l->old->binding);
	if (p)
		spb_text_format(text, " kind=%s", spb_descriptor_info(p->variable->kind)->kind);
	if (p && p->count != 1)
		spb_text_format(text, " count=%u", p->count);
	if (p)
		put_decisions(text, spb_entry_of(layout, p));
	spb_text_put(text, "\n");
}

struct slot {
	uint32_t set, binding;
};

static int by_slot(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;
	int order = spb_compare(x->set, y->set);

	return order ? order : spb_compare(x->binding, y->binding);
}

static bool is_taken(const struct slot *slots, size_t count, struct slot wanted)
{
	size_t i = spb_lower_bound(slots, count, sizeof *slots, &wanted, by_slot);

	return i < count && !by_slot(&slots[i], &wanted);
}

static void put_shifts(struct spb_text_buffer *text, const struct spb_layout *layout)
{
	for (size_t i = 0; i < layout->shifts.count && layout->hlsl; i++) {
		const struct spb_shift *shift = &layout->shifts.items[i];
		if (shift->group) /* from a policy, which says it again */
			continue;
		spb_text_format(text, "shift class=%c set=%u by=%u\n", spb_class_letter(shift->class), shift->set,
				shift->by);
	}
}

const char *spb_lock_text(const struct spb_layout *layout, struct spb_context *c, struct spb_arena *keep,
			  size_t *length)
{
	struct spb_text_buffer text = {.arena = keep};
	size_t parameters = layout->parameters.count, old = layout->lock->entries.count, count = 0, taken = 0;
	struct line *lines = spb_alloc_array(&c->scratch, parameters + old, sizeof *lines);
	struct slot *slots = spb_alloc_array(&c->scratch, parameters, sizeof *slots);

	for (size_t i = 0; i < parameters; i++) {
		const struct spb_parameter *p = &layout->parameters.items[i];
		const char *name = p->variable->key;
		if (p->place == SPB_PLACE_REMOVED)
			continue;
		slots[taken++] = (struct slot){p->set, p->binding};
		if (*name)
			lines[count++] = (struct line){name, p->ordinal, p, NULL};
	}
	spb_sort(&c->scratch, slots, taken, sizeof *slots, by_slot);
	for (size_t i = 0; i < old; i++) {
		const struct spb_lock_entry *e = &layout->lock->entries.items[i];
		if (!e->shift && !e->seen && !is_taken(slots, taken, (struct slot){e->set, e->binding}))
			lines[count++] = (struct line){e->name, e->ordinal, NULL, e};
	}
	spb_sort(&c->scratch, lines, count, sizeof *lines, by_name);
	spb_text_put(&text,
		     "# Numbers that do not move; spirv-bind --update-lock writes this file. When git merges it,\n"
		     "# keep the lines of both sides.\n"
		     "lock version=1\n");
	put_shifts(&text, layout);
	put_push_set(&text, layout);
	for (size_t i = 0; i < count; i++) {
		if (!i || !lines[i].p || !lines[i].p->variable->heap || by_name(&lines[i - 1], &lines[i]) != 0)
			put_line(&text, layout, &lines[i]);
	}
	*length = text.count;
	return spb_text_end(&text);
}
