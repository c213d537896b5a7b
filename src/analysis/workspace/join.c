/* SPDX-License-Identifier: Apache-2.0 */
/* join: joins the resources of all programs, scope by scope, and decides their numbers.
 *
 * Programs are visited in the order in which they were added, and the resources of each in the order of its facts. A
 * resource is identified by its scope and name. Its number is the one that a program fixes, else the one in the lock
 * file, else the first free one (share.c). Resources that are not shared keep the number in their program's own layout.
 *
 * A program that contradicts an earlier one is reported and left out, and the others are numbered without it. */
#include "analysis/workspace/workspace.h"

#define NEW UINT32_MAX /* a resource that no earlier program has */

/* Names */

/* Blocks that a compiler named are one for each content, as in a program (collapse.c). */
static bool is_one(const struct spb_fact *a, const struct spb_fact *b)
{
	if (!a->made != !b->made || a->ordinal != b->ordinal || a->heap != b->heap)
		return false;
	if (!a->made)
		return !strcmp(a->name, b->name);
	return !strcmp(a->made, b->made) && ((a->text && a->text == b->text) || (a->type && a->type == b->type));
}

/* *taken: another block that a compiler made has the name. */
static uint32_t *resource_slot(const struct spb_workspace_plan *w, uint32_t scope, const struct spb_fact *f,
			       bool *taken)
{
	const char *name = f->made ? f->made : f->name;
	uint64_t hash = spb_hash_bytes(f->heap, name, strlen(name));
	uint32_t h = (uint32_t)spb_hash_mix(spb_hash_mix(hash, f->ordinal), scope) & w->resources.mask;

	*taken = false;
	for (; w->resources.slot[h]; h = (h + 1) & w->resources.mask) {
		const struct spb_resource_of_all *r = &w->resources.items[w->resources.slot[h] - 1];
		if (r->scope == scope && is_one(r->fact, f))
			break;
		*taken |= r->scope == scope && f->made && r->fact->made && !strcmp(r->name, f->name);
	}
	return &w->resources.slot[h];
}

static bool is_at(const struct spb_workspace_plan *w, uint32_t slot, uint32_t scope, uint32_t set, uint32_t binding)
{
	const struct spb_resource_of_all *r = &w->resources.items[w->resources.place_slot[slot] - 1];

	return r->scope == scope && r->set == set && r->binding == binding;
}

/* The place of resources that programs fix: the first slot, or the next one after `slot`, that is empty or has one. */
static uint32_t first_there(const struct spb_workspace_plan *w, uint32_t scope, uint32_t set, uint32_t binding)
{
	uint32_t h = (uint32_t)spb_hash_mix(spb_hash_mix(spb_hash_mix(1, scope), set), binding) & w->resources.mask;

	while (w->resources.place_slot[h] && !is_at(w, h, scope, set, binding))
		h = (h + 1) & w->resources.mask;
	return h;
}

static uint32_t next_there(const struct spb_workspace_plan *w, uint32_t slot, uint32_t scope, uint32_t set,
			   uint32_t binding)
{
	do
		slot = (slot + 1) & w->resources.mask;
	while (w->resources.place_slot[slot] && !is_at(w, slot, scope, set, binding));
	return slot;
}

/* Remembers the first resource at a place, and others that are mapped apart from it. There are few, since masks are. */
static void put_there(const struct spb_workspace_plan *w, uint32_t resource)
{
	const struct spb_resource_of_all *r = &w->resources.items[resource];
	uint32_t slot = first_there(w, r->scope, r->set, r->binding), *other = w->resources.place_slot;

	for (; other[slot]; slot = next_there(w, slot, r->scope, r->set, r->binding)) {
		const struct spb_resource_of_all *o = &w->resources.items[other[slot] - 1];
		if (o == r || !(r->entry.mask & ~o->entry.mask))
			return;
	}
	other[slot] = resource + 1;
}

/* Do programs agree about a resource? */

static const char *name_of(const struct spb_workspace_plan *w, uint32_t program)
{
	return w->programs.items[program].name;
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

/* The first member in which two blocks differ, for the message; NULL: they can be one. */
static const char *find_member(struct spb_workspace_plan *w, const struct spb_resource_of_all *r,
			       const struct spb_fact *f)
{
	const struct spb_typed_member *members = w->facts.members.items;
	const struct spb_contents a = {members + f->blocks, f->members},
				  b = {members + r->fullest->blocks, r->fullest->members};
	struct spb_difference d;

	if (spb_compare_contents(&a, &b, &w->c->scratch, &d) != SPB_DIFFERENT)
		return NULL;
	return text_of(w, "has other members: %s",
		       spb_difference_text(&d, text_of(w, "program %s", name_of(w, r->program)), &w->c->scratch));
}

/* How the declarations of a resource differ, for the message; NULL: they agree. */
static const char *find_difference(struct spb_workspace_plan *w, const struct spb_resource_of_all *r,
				   const struct spb_fact *f)
{
	const struct spb_fact *g = r->fact;
	const char *other = name_of(w, r->program);

	if (f->dropped || g->dropped) /* it has no type, and becomes no descriptor */
		return NULL;
	if (f->kind != g->kind || f->entry.vk_type != r->entry.vk_type)
		return text_of(w, "is a %s here, but a %s in program %s", spb_descriptor_type_name(f->entry.vk_type),
			       spb_descriptor_type_name(r->entry.vk_type), other);
	if (f->entry.immutable != r->entry.immutable)
		return text_of(w, "has %s samplers here, but not in program %s",
			       f->entry.immutable ? "immutable" : "ordinary", other);
	if (f->type == g->type || f->heap)
		return NULL;
	if (!f->members || !g->members)
		return text_of(w, "has another type here than in program %s", other);
	return find_member(w, r, f);
}

/* Whether the program fixes the resource at another place than an earlier program. */
static bool is_elsewhere(const struct spb_resource_of_all *r, const struct spb_fact *f)
{
	const bool registers =
	    (r->has_lane && (f->free->has_lane || f->free->is_recorded)) || (r->is_recorded && f->free->has_lane);

	if (f->place == SPB_FACT_OPEN || !r->firm || (spb_is_free_heap(f) && spb_is_free_heap(r->fact)))
		return false;
	return f->set != r->set ||
	       (registers ? f->free->number != r->number || f->free->class != r->class : f->binding != r->binding);
}

/* Whether a program agrees with earlier ones about a resource. If not, this is reported. */
static bool agrees(struct spb_workspace_plan *w, const struct spb_resource_of_all *r, uint32_t program,
		   const struct spb_fact *f)
{
	const char *difference = find_difference(w, r, f), *label = w->scopes.items[r->scope].label;

	if (difference)
		spb_workspace_say(w, SPB_E_SHARED_TYPE, name_of(w, program),
				  "\"%s\" %s" SPB_REMEDY
				  "It is one descriptor of all programs that share set %u (%s): make the declarations "
				  "equal, rename one, or do not share the set.",
				  f->name, difference, r->fact->set, label);
	else if (is_elsewhere(r, f))
		spb_workspace_say(
		    w, SPB_E_SHARED_PLACE, name_of(w, program),
		    "\"%s\" is fixed at set %u, binding %u here, but at set %u, binding %u in program %s" SPB_REMEDY
		    "As one descriptor of both programs it has one place: correct one, or leave it unassigned.",
		    f->name, f->set, f->binding, r->set, r->binding, name_of(w, r->firm - 1));
	else
		return true;
	return false;
}

/* Whether the resource moves along with `r`, which is at its place. */
static bool is_led(const struct spb_workspace_plan *w, uint32_t program, const struct spb_fact *f,
		   const struct spb_resource_of_all *r)
{
	uint32_t lead = f->free->lead;

	return lead && &w->resources.items[w->programs.items[program].facts.resources[lead - 1]] == r;
}

/* Whether VK_EXT_descriptor_heap maps them apart, although they have one set and binding. */
static bool is_apart(const struct spb_entry *a, const struct spb_entry *b)
{
	return a->mask && b->mask && !(a->mask & b->mask);
}

/* Whether a resource may have the place that the program gives it. Two programs may fix resources with different names
 * at one place if they have the same descriptor type. Sharing within a program has been checked by its own layout. */
static bool fits_place(struct spb_workspace_plan *w, uint32_t scope, uint32_t program, const struct spb_fact *f)
{
	uint32_t slot = first_there(w, scope, f->set, f->binding), other;

	if (f->place == SPB_FACT_OPEN || f->free->has_lane)
		return true;
	for (; (other = w->resources.place_slot[slot]); slot = next_there(w, slot, scope, f->set, f->binding)) {
		const struct spb_resource_of_all *r = &w->resources.items[other - 1];
		if (r->entry.vk_type == f->entry.vk_type || (r->fact->heap && f->heap) || is_led(w, program, f, r) ||
		    is_apart(&r->entry, &f->entry))
			continue;
		spb_workspace_say(w, SPB_E_SHARED_PLACE, name_of(w, program), "%r",
				  spb_place_taken(w, f->name, f->entry.vk_type, r, name_of(w, r->firm - 1)));
		return false;
	}
	return true;
}

/* Merging */

static void take_place(struct spb_resource_of_all *r, uint32_t program, const struct spb_fact *f)
{
	r->firm = program + 1;
	r->set = f->set;
	r->binding = f->binding;
	r->number = f->free->number;
	r->has_lane = f->free->has_lane;
	r->is_recorded = f->free->is_recorded;
	r->class = f->free->class;
	r->placed = !f->free->has_lane;
}

static void add(struct spb_workspace_plan *w, uint32_t program, uint32_t scope, const struct spb_fact *f)
{
	struct spb_resource_of_all r = {.scope = scope,
					.name = f->name,
					.program = program,
					.fact = f,
					.fullest = f,
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
	SPB_PUSH(w->keep, &w->resources, r);
}

/* The larger of two array lengths; 0 means a runtime array, which is the largest. */
static uint32_t larger(uint32_t a, uint32_t b)
{
	return a && b ? (uint32_t)spb_larger(a, b) : 0;
}

static void merge(struct spb_resource_of_all *r, uint32_t program, const struct spb_fact *f)
{
	if (f->place != SPB_FACT_OPEN && !r->firm)
		take_place(r, program, f);
	if (f->dropped)
		return;
	if (r->fact->dropped) { /* this program has it */
		r->fact = r->fullest = f;
		r->program = program;
		r->count = f->count;
		r->entry = f->entry;
	}
	if (f->free->class == SPB_CLASS_U && r->class == SPB_CLASS_T)
		r->class = SPB_CLASS_U; /* read in one program and written in another */
	if (f->members > r->fullest->members)
		r->fullest = f;
	r->count = larger(r->count, f->count);
	r->entry.count = larger(r->entry.count, f->entry.count);
	r->stages |= f->stages;
	r->entry.types |= f->entry.types;
	r->entry.flags |= f->entry.flags;
	r->entry.set_flags |= f->entry.set_flags;
	r->entry.non_uniform |= f->entry.non_uniform;
	r->entry.mask |= f->entry.mask;
}

/* The name of a block whose compiler gave it one that another block has: with that of the first program that has it. */
static const char *name_after(struct spb_workspace_plan *w, const struct spb_fact *f, uint32_t program)
{
	struct spb_text_buffer text = {.arena = w->keep};

	spb_text_format(&text, "%s.%s", f->made, name_of(w, program));
	return spb_text_end(&text);
}

/* Finds the resources of a program that earlier ones have. False: it contradicts one of them. */
static bool find_resources(struct spb_workspace_plan *w, uint32_t program)
{
	struct spb_facts *facts = &w->programs.items[program].facts;
	bool taken;

	facts->resources = spb_alloc_array(w->keep, facts->count, sizeof *facts->resources);
	for (uint32_t i = 0; i < facts->count; i++) {
		const struct spb_fact *f = &w->facts.items[facts->items[i]];
		uint32_t scope = spb_scope_of_fact(w, program, f);
		uint32_t *slot = *f->name ? resource_slot(w, scope, f, &taken) : NULL;
		facts->resources[i] = slot && *slot ? *slot - 1 : NEW;
		if (facts->resources[i] != NEW && !agrees(w, &w->resources.items[facts->resources[i]], program, f))
			return false;
		if (w->scopes.items[scope].shared && !fits_place(w, scope, program, f))
			return false;
	}
	return true;
}

static void add_facts(struct spb_workspace_plan *w, uint32_t program)
{
	struct spb_facts *facts = &w->programs.items[program].facts;

	for (uint32_t i = 0; i < facts->count; i++) {
		const struct spb_fact *f = &w->facts.items[facts->items[i]];
		if (facts->resources[i] != NEW) {
			merge(&w->resources.items[facts->resources[i]], program, f);
			continue;
		}
		uint32_t scope = spb_scope_of_fact(w, program, f);
		bool taken = false;
		uint32_t *slot = *f->name ? resource_slot(w, scope, f, &taken) : NULL;
		facts->resources[i] = (uint32_t)w->resources.count;
		add(w, program, scope, f);
		if (taken)
			w->resources.items[facts->resources[i]].name = name_after(w, f, program);
		if (slot)
			*slot = (uint32_t)w->resources.count;
	}
	for (uint32_t i = 0; i < facts->count; i++) {
		const struct spb_resource_of_all *r = &w->resources.items[facts->resources[i]];
		if (r->placed && w->scopes.items[r->scope].shared)
			put_there(w, facts->resources[i]);
	}
	for (uint32_t i = 0; i < facts->shift_count; i++) {
		const struct spb_fact_shift *shift = &facts->shifts[i];
		struct spb_scope *scope = &w->scopes.items[spb_scope_of(w, program, shift->set)];
		if (!scope->shared || shift->recorded)
			SPB_PUSH(w->keep, scope->shared ? &scope->recorded : &scope->shifts,
				 ((struct spb_shift){
				     .class = shift->class, .has_set = true, .set = shift->set, .by = shift->by}));
	}
	for (uint32_t i = 0; i < facts->reserve_count; i++) {
		const struct spb_fact_reserve *reserve = &facts->reserved[i];
		struct spb_scope *scope = &w->scopes.items[spb_scope_of(w, program, reserve->set)];
		SPB_PUSH(w->keep, &scope->reserved, *reserve);
	}
}

/* The lock */

/* The line of its scope, or else the line without a scope. */
static struct spb_lock_entry *find_line(const struct spb_workspace_plan *w, const struct spb_resource_of_all *r)
{
	const struct spb_fact *f = r->fact;
	struct spb_lock_entry *line = spb_lock_find(
	    &w->lock, &(struct spb_lock_name){w->scopes.items[r->scope].label, r->name, f->ordinal, f->heap});

	return line ? line : spb_lock_find(&w->lock, &(struct spb_lock_name){NULL, r->name, f->ordinal, f->heap});
}

static void apply_lock(struct spb_workspace_plan *w)
{
	for (size_t i = 0; i < w->resources.count; i++) {
		struct spb_resource_of_all *r = &w->resources.items[i];
		r->locked = find_line(w, r); /* never found if it has no name, since every line has one */
		if (!r->locked)
			continue;
		r->locked->seen = true;
		if (r->firm && !spb_is_free_heap(r->fact))
			continue;
		r->set = r->locked->set;
		r->binding = r->locked->binding;
		r->placed = true;
	}
}

/* Scopes */

static void sort_by_scope(struct spb_workspace_plan *w)
{
	uint32_t *next = spb_alloc_zeroed(&w->c->scratch, w->scopes.count + 1, sizeof *next);

	w->resources.sorted = spb_alloc_array(w->keep, w->resources.count, sizeof *w->resources.sorted);
	for (size_t i = 0; i < w->resources.count; i++)
		next[w->resources.items[i].scope + 1]++;
	for (size_t i = 0; i < w->scopes.count; i++) {
		next[i + 1] += next[i];
		w->scopes.items[i].first = next[i];
		w->scopes.items[i].end = next[i + 1];
	}
	for (uint32_t i = 0; i < w->resources.count; i++)
		w->resources.sorted[next[w->resources.items[i].scope]++] = i;
}

/* Leaves out programs that contradict an earlier one. False: there were some. */
static bool join_programs(struct spb_workspace_plan *w)
{
	bool agree = true;

	w->resources.count = 0;
	memset(w->resources.slot, 0, ((size_t)w->resources.mask + 1) * sizeof *w->resources.slot);
	memset(w->resources.place_slot, 0, ((size_t)w->resources.mask + 1) * sizeof *w->resources.place_slot);
	for (uint32_t i = 0; i < w->programs.count; i++) {
		if (find_resources(w, i)) {
			add_facts(w, i);
		} else {
			spb_leave_out_program(w, &w->programs.items[i]);
			w->refused = true;
			agree = false;
		}
	}
	return agree;
}

/* The first heap of a program that is nobody else's, in a set that was chosen because it is free there. */
static const struct spb_resource_of_all *own_heap(const struct spb_workspace_plan *w,
						  const struct spb_workspace_program *p)
{
	for (uint32_t i = 0; i < p->facts.count; i++) {
		const struct spb_resource_of_all *r = &w->resources.items[p->facts.resources[i]];
		if (r->fact->heap && r->fact->free->alone && !w->scopes.items[r->scope].shared)
			return r;
	}
	return NULL;
}

/* Programs whose heaps happen to get different sets need one VkDescriptorSet each, which hardly anybody wants. */
static void warn_apart(struct spb_workspace_plan *w)
{
	const struct spb_resource_of_all *first = NULL;

	for (size_t i = 0; i < w->programs.count; i++) {
		const struct spb_resource_of_all *r = own_heap(w, &w->programs.items[i]);
		if (first && r && r->set != first->set) {
			spb_workspace_warn(w, SPB_E_HEAPS_APART, name_of(w, r->program),
					   "its heaps are in set %u, but those of program %s in set %u" SPB_REMEDY
					   "Write \"share heaps\" in the manifest to give all programs one set.",
					   r->set, name_of(w, first->program), first->set);
			return;
		}
		first = first ? first : r;
	}
}

static void make_slots(struct spb_workspace_plan *w)
{
	size_t total = 0, size = 16;

	for (size_t i = 0; i < w->programs.count; i++)
		total += w->programs.items[i].facts.count;
	while (size < 2 * total)
		size *= 2;
	if (size > UINT32_MAX)
		spb_throw(w->c, SPB_ERROR_OUT_OF_MEMORY);
	w->resources.slot = spb_alloc_array(w->keep, size, sizeof *w->resources.slot);
	w->resources.place_slot = spb_alloc_array(w->keep, size, sizeof *w->resources.place_slot);
	w->resources.mask = (uint32_t)size - 1;
}

void spb_decide_numbers(struct spb_workspace_plan *w)
{
	make_slots(w);
	while (!join_programs(w)) /* start over without those left out; their lines in the lock file are kept */
		spb_find_scopes(w);
	apply_lock(w);
	sort_by_scope(w);
	for (size_t i = 0; i < w->scopes.count; i++) {
		if (w->scopes.items[i].shared)
			spb_number_scope(w, &w->scopes.items[i]);
	}
	warn_apart(w);
}
