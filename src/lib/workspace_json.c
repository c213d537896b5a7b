/* SPDX-License-Identifier: Apache-2.0 */
/* workspace_json: the shared sets as JSON, include/spirv-bind/workspace.schema.json, and as a header of C. A descriptor
 * has the stages of all programs here, as a shared set layout must have; the layouts of programs have their own stages.
 */
#include "base/json.h"
#include "lib/lib.h"

struct place {        /* in the JSON */
	uint32_t set; /* which item of "sets", + 1; 0: it is in none */
	uint32_t binding;
};

struct writer {
	struct spb_workspace_plan *plan;
	struct spb_json j;
	uint32_t *first_user; /* [resources + 1]: into users */
	uint32_t *users;      /* programs, in their order */
	uint32_t sets;        /* written */
	struct place *places; /* [resources]; NULL: not needed */
};

static int by_place(const void *a, const void *b)
{
	const struct spb_resource_of_all *x = *(struct spb_resource_of_all *const *)a;
	const struct spb_resource_of_all *y = *(struct spb_resource_of_all *const *)b;
	int order = spb_compare(x->set, y->set);

	order = order ? order : spb_compare(x->binding, y->binding);
	order = order ? order : spb_compare(x->entry.vk_type, y->entry.vk_type);
	return order ? order : spb_compare(y->entry.mask, x->entry.mask); /* those of several bits first */
}

static bool is_at_place_of(const struct spb_resource_of_all *a, const struct spb_resource_of_all *b)
{
	return a->set == b->set && a->binding == b->binding;
}

/* The end of the views of the descriptor that begins at i, in a list by place. */
static size_t end_of_views(struct spb_resource_of_all *const *list, size_t count, size_t i)
{
	uint32_t mask = list[i]->entry.mask;
	size_t end = i + 1;

	for (; end < count && is_at_place_of(list[end], list[i]); end++) {
		const struct spb_entry *e = &list[end]->entry;
		if (e->vk_type != list[i]->entry.vk_type || (mask && e->mask && !(mask & e->mask)))
			break;
		mask |= e->mask;
	}
	return end;
}

/* resourceMask of the mapping of a descriptor; 0: it is in a set layout. */
static uint32_t mapping_mask(struct spb_resource_of_all *const *list, size_t count, size_t i, size_t end)
{
	uint32_t mask = 0, there = 0;

	for (size_t k = i; k < end; k++)
		mask |= list[k]->entry.mask;
	for (size_t k = i; mask && k-- > 0 && is_at_place_of(list[k], list[i]);)
		there |= list[k]->entry.mask;
	for (size_t k = end; mask && k < count && is_at_place_of(list[k], list[i]); k++)
		there |= list[k]->entry.mask;
	return spb_mapping_mask(mask, there);
}

/* Lists the programs that have a variable of each resource. */
static void find_users(struct writer *w)
{
	const struct spb_workspace_plan *plan = w->plan;
	struct spb_arena *scratch = &plan->c->scratch;
	size_t total = 0;

	w->first_user = spb_alloc_zeroed(scratch, plan->resources.count + 1, sizeof *w->first_user);
	for (size_t i = 0; i < plan->programs.count; i++) {
		const struct spb_facts *facts = &plan->programs.items[i].facts;
		total += facts->count;
		for (uint32_t k = 0; k < facts->count; k++)
			w->first_user[facts->resources[k]] += !spb_fact_of(plan, &plan->programs.items[i], k)->dropped;
	}
	for (size_t i = 0, sum = 0; i <= plan->resources.count; i++)
		w->first_user[i] = (uint32_t)(sum += w->first_user[i]);
	w->users = spb_alloc_array(scratch, total, sizeof *w->users);
	for (size_t i = plan->programs.count;
	     i--;) { /* backward: what was the end of each list becomes its beginning */
		const struct spb_facts *facts = &plan->programs.items[i].facts;
		for (uint32_t k = 0; k < facts->count; k++) {
			if (!spb_fact_of(plan, &plan->programs.items[i], k)->dropped)
				w->users[--w->first_user[facts->resources[k]]] = (uint32_t)i;
		}
	}
}

static int by_program(const void *a, const void *b)
{
	return spb_compare(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* A program may have several of the views. */
static void write_users(struct writer *w, struct spb_resource_of_all *const *views, size_t count)
{
	const struct spb_workspace_plan *plan = w->plan;
	struct spb_arena *scratch = &plan->c->scratch;
	SPB_LIST(uint32_t) programs = {0};
	SPB_LIST(const char *) names = {0};

	for (size_t i = 0; i < count; i++) {
		size_t r = (size_t)(views[i] - plan->resources.items);
		for (uint32_t k = w->first_user[r]; k < w->first_user[r + 1]; k++)
			SPB_PUSH(scratch, &programs, w->users[k]);
	}
	spb_sort(scratch, programs.items, programs.count, sizeof *programs.items, by_program);
	for (size_t i = 0; i < programs.count; i++) {
		if (!i || programs.items[i] != programs.items[i - 1])
			SPB_PUSH(scratch, &names, plan->programs.items[programs.items[i]].name);
	}
	spb_json_name_list(&w->j, "programs", names.items, names.count);
}

/* What all views of one descriptor need together; common properties are taken from the first. */
static struct spb_entry merge(struct spb_resource_of_all *const *views, size_t count, uint32_t *stages)
{
	struct spb_entry all = views[0]->entry;

	*stages = 0;
	for (size_t i = 0; i < count; i++) {
		const struct spb_entry *e = &views[i]->entry;
		if (!e->count || (all.count && e->count > all.count))
			all.count = e->count;
		*stages |= views[i]->stages;
		all.flags |= e->flags;
		all.types |= e->types;
		all.non_uniform |= e->non_uniform;
	}
	return all;
}

static void write_binding(struct writer *w, struct spb_resource_of_all *const *views, size_t count, uint32_t mask)
{
	struct spb_json *j = &w->j;
	const struct spb_resource_of_all *first = views[0];
	uint32_t stages;
	const struct spb_entry all = merge(views, count, &stages);

	spb_json_item(j, '{');
	spb_json_number_key(j, "binding", first->binding);
	spb_json_count_key(j, all.count);
	spb_json_word_key(j, "descriptorType", spb_vk_type_name(all.vk_type));
	if (all.vk_type == SPB_VK_MUTABLE)
		spb_json_bits_key(j, "mutableTypes", all.types, SPB_DESCRIPTOR_COUNT, spb_descriptor_vk_name);
	if (mask)
		spb_json_bits_key(j, "resourceMask", mask, SPB_RESOURCE_MASK_BITS, spb_resource_mask_name);
	if (all.immutable)
		spb_json_bool_key(j, "immutableSamplers", true);
	spb_json_bits_key(j, "stages", stages, SPB_STAGE_COUNT, spb_stage_vk_name);
	spb_json_string_key(j, "name", first->name);
	spb_json_bool_key(j, "nonUniform", all.non_uniform);
	spb_json_bits_key(j, "flags", all.flags, SPB_FLAG_COUNT, spb_flag_vk_name);
	write_users(w, views, count);
	spb_json_close(j, '}', true);
}

static void write_set(struct writer *w, const struct spb_scope *scope, struct spb_resource_of_all *const *list,
		      size_t count, bool family)
{
	struct spb_json *j = &w->j;
	uint32_t set_flags = 0;

	for (size_t i = 0; i < count; i++)
		set_flags |= list[i]->entry.set_flags;
	spb_json_item(j, '{');
	spb_json_number_key(j, "set", list[0]->set);
	spb_json_string_key(j, family ? "family" : "programs", scope->label);
	if (set_flags)
		spb_json_bits_key(j, "flags", set_flags, SPB_SET_FLAG_COUNT, spb_set_flag_vk_name);
	spb_json_open_key(j, "bindings", '[');
	w->sets++;
	for (size_t i = 0, end, bindings = 0; i < count; i = end, bindings++) {
		end = end_of_views(list, count, i);
		write_binding(w, list + i, end - i, mapping_mask(list, count, i, end));
		for (size_t k = i; k < end && w->places; k++)
			w->places[list[k] - w->plan->resources.items] = (struct place){w->sets, (uint32_t)bindings};
	}
	spb_json_close(j, ']', true);
	spb_json_close(j, '}', true);
}

/* A scope of this label may be both a shared set and, in other sets, a family. */
static bool is_shared_set(const struct spb_workspace_plan *plan, const struct spb_scope *scope,
			  const struct spb_resource_of_all *r)
{
	for (size_t i = 0; i < plan->shares.count; i++) {
		uint32_t set = plan->shares.items[i].set;
		if ((set == r->set || (set == SPB_SHARED_HEAPS && r->fact->heap)) &&
		    !strcmp(plan->shares.items[i].programs, scope->label))
			return true;
	}
	return false;
}

/* The resources of a scope by set and binding, without those of declarations only. */
static struct spb_resource_of_all **list_scope(struct spb_workspace_plan *plan, const struct spb_scope *scope,
					       size_t *count)
{
	struct spb_resource_of_all **list =
	    spb_alloc_array(&plan->c->scratch, scope->end - scope->first, sizeof(struct spb_resource_of_all *));

	*count = 0;
	for (uint32_t i = scope->first; i < scope->end; i++) {
		struct spb_resource_of_all *r = &plan->resources.items[plan->resources.sorted[i]];
		if (!r->fact->dropped)
			list[(*count)++] = r;
	}
	spb_sort(&plan->c->scratch, list, *count, sizeof *list, by_place);
	return list;
}

static void write_scope(struct writer *w, const struct spb_scope *scope)
{
	struct spb_workspace_plan *plan = w->plan;
	size_t count;
	struct spb_resource_of_all **list = list_scope(plan, scope, &count);

	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && list[end]->set == list[i]->set; end++)
			;
		write_set(w, scope, list + i, end - i, !is_shared_set(plan, scope, list[i]));
	}
}

static int by_number(const void *a, const void *b)
{
	return spb_compare(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* A program's resources in these sets, four numbers for each: the positions of set and binding in the lists, stages as
 * bits of "stageNames", and whether an index of it differs between invocations. Then its private sets, for each the
 * number of the set and of resources. */
static void write_program(struct writer *w, const struct spb_workspace_program *p)
{
	struct spb_arena *scratch = &w->plan->c->scratch;
	SPB_LIST(uint32_t) uses = {0};
	SPB_LIST(uint32_t) sets = {0};
	SPB_LIST(uint32_t) own = {0};

	for (uint32_t i = 0; i < p->facts.count; i++) {
		const struct place *place = &w->places[p->facts.resources[i]];
		const struct spb_fact *fact = spb_fact_of(w->plan, p, i);
		if (fact->dropped)
			continue;
		if (!place->set) {
			SPB_PUSH(scratch, &sets, w->plan->resources.items[p->facts.resources[i]].set);
			continue;
		}
		SPB_PUSH(scratch, &uses, place->set - 1);
		SPB_PUSH(scratch, &uses, place->binding);
		SPB_PUSH(scratch, &uses, fact->stages);
		SPB_PUSH(scratch, &uses, fact->entry.non_uniform);
	}
	spb_sort(scratch, sets.items, sets.count, sizeof *sets.items, by_number);
	for (size_t i = 0, end; i < sets.count; i = end) {
		for (end = i + 1; end < sets.count && sets.items[end] == sets.items[i]; end++)
			;
		SPB_PUSH(scratch, &own, sets.items[i]);
		SPB_PUSH(scratch, &own, (uint32_t)(end - i));
	}
	spb_json_item(&w->j, '{');
	spb_json_string_key(&w->j, "name", p->name);
	if (p->family && strcmp(p->family, p->name) != 0)
		spb_json_string_key(&w->j, "variantOf", p->family);
	if (p->left_out)
		spb_json_bool_key(&w->j, "leftOut", true);
	spb_json_numbers_key(&w->j, "uses", uses.items, uses.count);
	spb_json_numbers_key(&w->j, "own", own.items, own.count);
	spb_json_close(&w->j, '}', true);
}

static void write_programs(struct writer *w)
{
	const struct spb_workspace_plan *plan = w->plan;

	spb_json_bits_key(&w->j, "stageNames", UINT32_MAX >> (32 - SPB_STAGE_COUNT), SPB_STAGE_COUNT,
			  spb_stage_vk_name);
	spb_json_open_key(&w->j, "programs", '[');
	for (size_t i = 0; i < plan->programs.count; i++)
		write_program(w, &plan->programs.items[i]);
	spb_json_close(&w->j, ']', true);
}

static const char *write_json(struct spb_workspace *workspace, bool with_programs, size_t *length)
{
	struct writer w = {.plan = &workspace->plan, .j = {.text = {.arena = &workspace->keep}}};

	find_users(&w);
	if (with_programs)
		w.places = spb_alloc_zeroed(&w.plan->c->scratch, w.plan->resources.count, sizeof *w.places);
	spb_json_open(&w.j, '{');
	spb_json_string_key(&w.j, "schema", "spirv-bind/workspace/1");
	spb_json_open_key(&w.j, "sets", '[');
	for (size_t i = 0; i < w.plan->scopes.count; i++) {
		if (w.plan->scopes.items[i].shared)
			write_scope(&w, &w.plan->scopes.items[i]);
	}
	spb_json_close(&w.j, ']', true);
	if (with_programs)
		write_programs(&w);
	spb_json_close(&w.j, '}', true);
	spb_text_add(&w.j.text, "\n", 1);
	*length = w.j.text.count;
	return spb_text_end(&w.j.text);
}

const char *spb_write_workspace_json(struct spb_workspace *workspace, size_t *length)
{
	return write_json(workspace, false, length);
}

const char *spb_write_workspace_matrix(struct spb_workspace *workspace, size_t *length)
{
	return write_json(workspace, true, length);
}

/* As a header */

static struct spb_shared_sets list_shared(struct spb_workspace_plan *plan, const struct spb_scope *scope)
{
	struct spb_arena *scratch = &plan->c->scratch;
	size_t count;
	struct spb_resource_of_all **list = list_scope(plan, scope, &count);
	spb_descriptor_binding *descriptors = spb_alloc_zeroed(scratch, count, sizeof *descriptors);
	struct spb_shared_sets shared = {scope->label, descriptors, 0};

	for (size_t i = 0, end; i < count; i = end) {
		uint32_t stages;
		end = end_of_views(list, count, i);
		const struct spb_entry all = merge(list + i, end - i, &stages);
		spb_descriptor_binding *d = &descriptors[shared.count++];
		*d = (spb_descriptor_binding){.set = list[i]->set,
					      .binding = list[i]->binding,
					      .descriptor_type = all.vk_type,
					      .count = all.count,
					      .stages = spb_stage_flags(stages),
					      .flags = all.flags,
					      .set_flags = all.set_flags,
					      .name = list[i]->name,
					      .resource_mask = mapping_mask(list, count, i, end),
					      .immutable_samplers = all.immutable};
		if (all.vk_type == SPB_VK_MUTABLE)
			d->mutable_types = spb_mutable_types(&all, scratch, &d->mutable_type_count);
	}
	return shared;
}

const char *spb_write_workspace_header(struct spb_workspace *workspace, const char *prefix, size_t *length)
{
	struct spb_workspace_plan *plan = &workspace->plan;
	struct spb_arena *scratch = &plan->c->scratch;
	SPB_LIST(struct spb_shared_sets) groups = {0};

	for (size_t i = 0; i < plan->scopes.count; i++) {
		if (plan->scopes.items[i].shared)
			SPB_PUSH(scratch, &groups, list_shared(plan, &plan->scopes.items[i]));
	}
	return spb_write_shared_header(prefix, groups.items, groups.count, &workspace->keep, scratch, length);
}
