/* SPDX-License-Identifier: Apache-2.0 */
/* check: reports the modules that binding would change, each with what changes, where and why. */
#include "lib/lib.h"

enum { MOST_NOTES = 50 }; /* of one kind, of a module */

/* What is listed of all modules, by module: chains of indexes, in their order. */
struct by_module {
	size_t *first; /* of each module */
	size_t *next;  /* of each index; NONE: it is the module's last */
};

#define NONE SIZE_MAX

struct found {
	struct by_module resources, accesses;
	const spb_resource **resource_of; /* by id, of the module at hand: read_module */
};

static struct by_module make_chains(const struct spb_program *p, size_t count)
{
	const struct by_module chains = {.first = spb_alloc_array(&p->context->scratch, p->slots.count, sizeof(size_t)),
					 .next = spb_alloc_array(&p->context->scratch, count, sizeof(size_t))};

	for (size_t m = 0; m < p->slots.count; m++)
		chains.first[m] = NONE;
	return chains;
}

static void put_first(struct by_module *chains, size_t module, size_t i)
{
	chains->next[i] = chains->first[module];
	chains->first[module] = i;
}

static struct found find_by_module(const struct spb_program *p)
{
	const size_t resources = p->results.resources.count, accesses = p->results.accesses.count;
	struct found f = {make_chains(p, resources), make_chains(p, accesses), NULL};
	uint32_t bound = 0;

	for (size_t i = 0; i < p->slots.count; i++)
		bound = p->slots.items[i]->unit.m.bound > bound ? p->slots.items[i]->unit.m.bound : bound;
	f.resource_of = spb_alloc_zeroed(&p->context->scratch, bound, sizeof *f.resource_of);
	for (size_t i = resources; i--;)
		put_first(&f.resources, p->results.resources.items[i].module, i);
	for (size_t i = accesses; i--;)
		put_first(&f.accesses, p->results.accesses.items[i].module, i);
	return f;
}

static void note(const struct spb_program *p, size_t module, const char *file, uint32_t line, uint32_t id,
		 struct spb_text_buffer *text)
{
	spb_deliver(p->context, &(const spb_message){.severity = SPB_SEVERITY_NOTE,
						     .module = p->slots.items[module]->unit.m.name,
						     .pass = "check",
						     .text = spb_text_end(text),
						     .file = file,
						     .line = *file ? line : 0,
						     .id = id});
}

static void put_resource(struct spb_text_buffer *text, const spb_resource *r)
{
	if (*r->name)
		spb_text_format(text, "\"%s\"", r->name);
	else
		spb_text_format(text, "%%%u", r->input_id);
}

static void put_old(struct spb_text_buffer *text, const spb_resource *r)
{
	if (r->had_set)
		spb_text_format(text, "set %u", r->old_set);
	if (r->had_set && r->had_binding)
		spb_text_put(text, ", ");
	if (r->had_binding)
		spb_text_format(text, "binding %u", r->old_binding);
}

static bool has_moved(const spb_resource *r)
{
	return r->removed || !r->had_set || !r->had_binding || r->old_set != r->set || r->old_binding != r->binding;
}

static size_t tell_moves(const struct spb_program *p, const struct found *found, size_t module)
{
	const struct by_module *chains = &found->resources;
	size_t told = 0;

	for (size_t i = chains->first[module]; i != NONE && told < MOST_NOTES; i = chains->next[i]) {
		const spb_resource *r = &p->results.resources.items[i];
		struct spb_text_buffer text = {.arena = &p->context->scratch};
		if (r->reserved || !r->input_id || !has_moved(r))
			continue;
		put_resource(&text, r);
		if (r->removed) {
			spb_text_put(&text, " is unused and would be removed");
		} else if (r->had_set || r->had_binding) {
			spb_text_put(&text, " would move from ");
			put_old(&text, r);
			spb_text_format(&text, " to set %u, binding %u", r->set, r->binding);
		} else {
			spb_text_format(&text, " has no number and would get set %u, binding %u", r->set, r->binding);
		}
		note(p, module, r->file, r->line, r->input_id, &text);
		told++;
	}
	return told;
}

static void read_module(const struct spb_program *p, const struct found *found, size_t module)
{
	for (size_t i = found->resources.first[module]; i != NONE; i = found->resources.next[i]) {
		const spb_resource *r = &p->results.resources.items[i];
		found->resource_of[r->id] = r;
	}
}

/* For the next module, which has the same ids. */
static void forget_module(const struct spb_program *p, const struct found *found, size_t module)
{
	for (size_t i = found->resources.first[module]; i != NONE; i = found->resources.next[i])
		found->resource_of[p->results.resources.items[i].id] = NULL;
}

static size_t tell_marks(const struct spb_program *p, const struct found *found, size_t module)
{
	const struct by_module *chains = &found->accesses;
	size_t told = 0;

	for (size_t i = chains->first[module]; i != NONE && told < MOST_NOTES; i = chains->next[i]) {
		const spb_descriptor_access *x = &p->results.accesses.items[i];
		struct spb_text_buffer text = {.arena = &p->context->scratch};
		if (!x->judged || !x->non_uniform || x->by_author)
			continue;
		const spb_resource *r = found->resource_of[x->resource];
		spb_text_put(&text, "the access to ");
		if (r)
			put_resource(&text, r);
		spb_text_put(&text, " would be marked NonUniform");
		for (uint32_t k = 0; k < x->why_count; k++)
			spb_text_format(&text, "%s%s", k ? ", " : ": ", x->why[k]);
		note(p, module, x->file, x->line, x->input_id, &text);
		told++;
	}
	return told;
}

static size_t tell_capabilities(const struct spb_program *p, size_t module)
{
	const struct spb_added added = spb_find_added(p, module, &p->context->scratch);

	for (size_t i = 0; i < added.count; i++) {
		struct spb_text_buffer text = {.arena = &p->context->scratch};
		spb_text_format(&text, "capability %s would be added", added.items[i].name);
		if (*added.items[i].feature)
			spb_text_format(&text, ", which needs %s", added.items[i].feature);
		note(p, module, "", 0, 0, &text);
	}
	return added.count;
}

/* What has just been compiled is bound elsewhere. */
static bool is_not_final(const struct spb_slot *slot)
{
	return spb_is_changed(slot) && !(slot->flags & SPB_ADD_COMPILED);
}

/* What binding leaves as the compiler wrote it, though Vulkan asks for more. */
static void tell_undeclared(const struct spb_program *p, const struct found *found, size_t module)
{
	uint32_t kinds = p->slots.items[module]->unit.nonuniform.undeclared;

	for (size_t i = found->accesses.first[module]; i != NONE && kinds; i = found->accesses.next[i]) {
		const spb_descriptor_access *x = &p->results.accesses.items[i];
		const spb_resource *r = found->resource_of[x->resource];
		struct spb_text_buffer text = {.arena = &p->context->scratch};
		for (uint32_t kind = 0; kind < SPB_DESCRIPTOR_COUNT && r && x->index_id && !x->constant; kind++) {
			const struct spb_descriptor_info *info = spb_descriptor_info((enum spb_descriptor)kind);
			if (!(kinds >> kind & 1) || info->vk_type != r->descriptor_type)
				continue;
			kinds &= ~(1u << kind);
			spb_text_put(&text, "an index of ");
			put_resource(&text, r);
			spb_text_format(&text,
					" is not constant, but the module does not declare %s; bind leaves that as it "
					"is, because it needs %s",
					spb_capability_name(info->dynamic), info->dynamic_feature);
			note(p, module, x->file, x->line, x->input_id, &text);
		}
	}
}

static void tell_module(const struct spb_program *p, const struct found *found, size_t module)
{
	struct spb_text_buffer text = {.arena = &p->context->scratch};

	if (!spb_is_changed(p->slots.items[module]))
		tell_undeclared(p, found, module);
	if (!is_not_final(p->slots.items[module]))
		return;
	spb_deliver(p->context,
		    &(const spb_message){.severity = SPB_SEVERITY_ERROR,
					 .module = p->slots.items[module]->unit.m.name,
					 .pass = "check",
					 .text = "not in its final form" SPB_REMEDY "Run spirv-bind on it."});
	if (tell_moves(p, found, module) + tell_marks(p, found, module) + tell_capabilities(p, module))
		return;
	spb_text_put(&text, "its numbers and marks would stay; remarks, shapes or handles would change");
	note(p, module, "", 0, 0, &text);
}

static void tell(void *argument)
{
	struct spb_program *p = argument;

	spb_arena_reset(&p->context->scratch);
	if (!p->results.descriptors_listed)
		spb_list_descriptors(p);
	if (!p->results.accesses_listed)
		spb_list_accesses(p);
	const struct found found = find_by_module(p);
	for (size_t i = 0; i < p->slots.count; i++) {
		read_module(p, &found, i);
		tell_module(p, &found, i);
		forget_module(p, &found, i);
	}
}

spb_status spb_check_changes(struct spb_program *p)
{
	bool final = true, undeclared = false;

	for (size_t i = 0; i < p->slots.count; i++) {
		final &= !is_not_final(p->slots.items[i]);
		undeclared |= p->slots.items[i]->unit.nonuniform.undeclared != 0;
	}
	spb_status status = final && !undeclared ? SPB_OK : spb_guard(p->context, tell, p);
	return status == SPB_OK && !final ? SPB_ERROR_NOT_FINAL : status;
}
