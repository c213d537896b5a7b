/* SPDX-License-Identifier: Apache-2.0 */
/* join: the resources of all programs, scope by scope, and what the programs and the lock say about their numbers.
 *
 * Programs come in the order in which they were added, the resources of each in the order of its facts. A resource is
 * identified by its scope and name. Its number is, in this order, that of a program that fixes it, that of the lock, or
 * the first free one (share.c). What is a program's own keeps the number that the program gave it. */
#include "analysis/workspace/workspace.h"

/* Names */

static uint32_t *resource_slot(const struct spb_workspace_plan *w, uint32_t scope, const struct spb_fact *f)
{
	uint64_t hash = spb_hash_bytes(f->heap, f->name, strlen(f->name));
	uint32_t h = (uint32_t)spb_hash_mix(spb_hash_mix(hash, f->ordinal), scope) & w->resource_mask;

	for (; w->resource_slot[h]; h = (h + 1) & w->resource_mask) {
		const struct spb_resource_of_all *r = &w->resources.items[w->resource_slot[h] - 1];
		if (r->scope == scope && r->fact->ordinal == f->ordinal && r->fact->heap == f->heap &&
		    !strcmp(r->fact->name, f->name))
			break;
	}
	return &w->resource_slot[h];
}

/* Is it one descriptor? */

static const char *name_of(const struct spb_workspace_plan *w, uint32_t program)
{
	return w->programs.items[program].name;
}

/* What two programs say of one resource does not agree. */
static noreturn void differ(struct spb_workspace_plan *w, const struct spb_resource_of_all *r, uint32_t program,
			    const char *what)
{
	const struct spb_scope *scope = &w->scopes.items[r->scope];

	spb_workspace_fail(w, SPB_ERROR_CONFLICT, SPB_E_SHARED_TYPE, name_of(w, program),
			   "\"%s\" %s; it is one descriptor of all programs that share set %u (%s): make the "
			   "declarations equal, rename one, or do not share the set",
			   r->fact->name, what, r->fact->set, scope->label);
}

static const char *text_of(struct spb_workspace_plan *w, const char *format, ...)
{
	struct spb_text_buffer text = {.arena = &w->c->scratch};
	va_list arguments;

	va_start(arguments, format);
	spb_text_vformat(&text, format, arguments);
	va_end(arguments);
	return spb_text_end(&text);
}

static const char *member_difference(struct spb_workspace_plan *w, const struct spb_typed_member *a,
				     const struct spb_typed_member *b, uint32_t i, const char *other)
{
	if (a->offset == b->offset && !strcmp(a->name, b->name) && !strcmp(a->type, b->type))
		return text_of(w, "has a member %u \"%s\" (%s) with other contents or strides than in program %s", i,
			       a->name, a->type, other);
	return text_of(w, "has a member %u \"%s\" (%s) at offset %u here, but \"%s\" (%s) at offset %u in program %s",
		       i, a->name, a->type, a->offset, b->name, b->type, b->offset, other);
}

/* Of two blocks one may begin with all members of the other. */
static void compare_members(struct spb_workspace_plan *w, const struct spb_resource_of_all *r, uint32_t program,
			    const struct spb_fact *f)
{
	const struct spb_fact *g = r->fact;

	for (uint32_t i = 0; i < f->members && i < g->members; i++) {
		const struct spb_typed_member *a = &w->members.items[f->blocks + i];
		const struct spb_typed_member *b = &w->members.items[g->blocks + i];
		if (a->hash != b->hash)
			differ(w, r, program, member_difference(w, a, b, i, name_of(w, r->program)));
	}
}

static void compare_types(struct spb_workspace_plan *w, const struct spb_resource_of_all *r, uint32_t program,
			  const struct spb_fact *f)
{
	const struct spb_fact *g = r->fact;

	if (f->kind != g->kind || f->entry.vk_type != r->entry.vk_type)
		differ(w, r, program,
		       text_of(w, "is a %s here, but a %s in program %s", spb_descriptor_type_name(f->entry.vk_type),
			       spb_descriptor_type_name(r->entry.vk_type), name_of(w, r->program)));
	if (f->entry.immutable != r->entry.immutable)
		differ(w, r, program,
		       text_of(w, "has %s samplers here, but not in program %s",
			       f->entry.immutable ? "immutable" : "ordinary", name_of(w, r->program)));
	if (f->type == g->type || f->heap)
		return;
	if (!f->members || !g->members)
		differ(w, r, program, text_of(w, "has another type here than in program %s", name_of(w, r->program)));
	compare_members(w, r, program, f);
}

static void compare_places(struct spb_workspace_plan *w, const struct spb_resource_of_all *r, uint32_t program,
			   const struct spb_fact *f)
{
	bool same = f->set == r->set &&
		    (r->has_lane && f->free->has_lane ? f->free->number == r->number && f->free->class == r->class
						      : f->binding == r->binding);

	if (same)
		return;
	spb_workspace_fail(
	    w, SPB_ERROR_CONFLICT, SPB_E_SHARED_PLACE, name_of(w, program),
	    "\"%s\" is fixed at set %u, binding %u here, but at set %u, binding %u in program %s; as one "
	    "descriptor of both programs it has one place: correct one, or leave it unassigned",
	    f->name, f->set, f->binding, r->set, r->binding, name_of(w, r->firm - 1));
}

/* Merging */

static void take_place(struct spb_resource_of_all *r, uint32_t program, const struct spb_fact *f)
{
	r->firm = program + 1;
	r->set = f->set;
	r->binding = f->binding;
	r->number = f->free->number;
	r->has_lane = f->free->has_lane;
	r->class = f->free->class;
	r->placed = !f->free->has_lane;
}

static void add(struct spb_workspace_plan *w, uint32_t program, uint32_t scope, const struct spb_fact *f)
{
	struct spb_resource_of_all r = {.scope = scope,
					.program = program,
					.fact = f,
					.set = f->set,
					.binding = f->binding,
					.class = f->free->class,
					.number = f->free->number,
					.has_lane = f->free->has_lane,
					.count = f->count,
					.stages = f->stages,
					.entry = f->entry};

	if (f->place != SPB_FACT_OPEN || !w->scopes.items[scope].shared)
		take_place(&r, program, f);
	if (!w->scopes.items[scope].shared)
		r.placed = true;
	SPB_PUSH(w->keep, &w->resources, r);
}

static void merge(struct spb_workspace_plan *w, struct spb_resource_of_all *r, uint32_t program,
		  const struct spb_fact *f)
{
	compare_types(w, r, program, f);
	if (f->place != SPB_FACT_OPEN && r->firm)
		compare_places(w, r, program, f);
	else if (f->place != SPB_FACT_OPEN)
		take_place(r, program, f);
	if (f->free->class == SPB_CLASS_U && r->class == SPB_CLASS_T)
		r->class = SPB_CLASS_U; /* read in one program, written in another */
	if (!f->count || (r->count && f->count > r->count))
		r->count = f->count;
	if (!f->entry.count || (r->entry.count && f->entry.count > r->entry.count))
		r->entry.count = f->entry.count;
	r->stages |= f->stages;
	r->entry.types |= f->entry.types;
	r->entry.flags |= f->entry.flags;
	r->entry.set_flags |= f->entry.set_flags;
	r->entry.non_uniform |= f->entry.non_uniform;
}

static void add_facts(struct spb_workspace_plan *w, uint32_t program)
{
	struct spb_facts *facts = &w->programs.items[program].facts;

	facts->resources = spb_alloc_array(w->keep, facts->count, sizeof *facts->resources);
	for (uint32_t i = 0; i < facts->count; i++) {
		const struct spb_fact *f = &w->facts.items[facts->items[i]];
		uint32_t scope = spb_scope_of(w, program, f->set, f->free->alone != NULL);
		uint32_t *slot = *f->name ? resource_slot(w, scope, f) : NULL;
		facts->resources[i] = slot && *slot ? *slot - 1 : (uint32_t)w->resources.count;
		if (slot && *slot) {
			merge(w, &w->resources.items[*slot - 1], program, f);
			continue;
		}
		add(w, program, scope, f);
		if (slot)
			*slot = (uint32_t)w->resources.count;
	}
	for (uint32_t i = 0; i < facts->shift_count; i++) {
		const struct spb_fact_shift *shift = &facts->shifts[i];
		struct spb_scope *scope = &w->scopes.items[spb_scope_of(w, program, shift->set, false)];
		if (!scope->shared)
			SPB_PUSH(w->keep, &scope->shifts, *shift);
	}
	for (uint32_t i = 0; i < facts->reserve_count; i++) {
		const struct spb_fact_reserve *reserve = &facts->reserved[i];
		struct spb_scope *scope = &w->scopes.items[spb_scope_of(w, program, reserve->set, false)];
		SPB_PUSH(w->keep, &scope->reserved, *reserve);
	}
}

/* The lock */

/* A line of version 1 says nothing of programs, so it is about all of them. */
static struct spb_lock_entry *find_line(const struct spb_workspace_plan *w, const struct spb_resource_of_all *r)
{
	const struct spb_fact *f = r->fact;
	struct spb_lock_entry *line = spb_lock_find(
	    &w->lock, &(struct spb_lock_name){w->scopes.items[r->scope].label, f->name, f->ordinal, f->heap});

	return line ? line : spb_lock_find(&w->lock, &(struct spb_lock_name){NULL, f->name, f->ordinal, f->heap});
}

static void apply_lock(struct spb_workspace_plan *w)
{
	for (size_t i = 0; i < w->resources.count; i++) {
		struct spb_resource_of_all *r = &w->resources.items[i];
		if (!*r->fact->name)
			continue;
		r->locked = find_line(w, r);
		if (!r->locked)
			continue;
		r->locked->seen = true;
		if (r->firm)
			continue;
		r->set = r->locked->set;
		r->binding = r->locked->binding;
		r->placed = true;
		r->has_lane = false;
	}
}

/* Scopes */

static void sort_by_scope(struct spb_workspace_plan *w)
{
	uint32_t *next = spb_alloc_zeroed(&w->c->scratch, w->scopes.count + 1, sizeof *next);

	w->sorted = spb_alloc_array(w->keep, w->resources.count, sizeof *w->sorted);
	for (size_t i = 0; i < w->resources.count; i++)
		next[w->resources.items[i].scope + 1]++;
	for (size_t i = 0; i < w->scopes.count; i++) {
		next[i + 1] += next[i];
		w->scopes.items[i].first = next[i];
		w->scopes.items[i].end = next[i + 1];
	}
	for (uint32_t i = 0; i < w->resources.count; i++)
		w->sorted[next[w->resources.items[i].scope]++] = i;
}

void spb_decide_numbers(struct spb_workspace_plan *w)
{
	size_t total = 0, size = 16;

	for (size_t i = 0; i < w->programs.count; i++)
		total += w->programs.items[i].facts.count;
	while (size < 2 * total)
		size *= 2;
	if (size > UINT32_MAX)
		spb_throw(w->c, SPB_ERROR_OUT_OF_MEMORY);
	w->resource_slot = spb_alloc_zeroed(w->keep, size, sizeof *w->resource_slot);
	w->resource_mask = (uint32_t)size - 1;
	for (uint32_t i = 0; i < w->programs.count; i++)
		add_facts(w, i);
	apply_lock(w);
	sort_by_scope(w);
	for (size_t i = 0; i < w->scopes.count; i++) {
		if (w->scopes.items[i].shared)
			spb_number_scope(w, &w->scopes.items[i]);
	}
}
