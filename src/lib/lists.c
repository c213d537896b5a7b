/* SPDX-License-Identifier: Apache-2.0 */
/* lists: the arrays of the API: descriptors and their views, and copies of lists with the caller's element size. */
#include "lib/lib.h"

/* Descriptors and resources */

static spb_resource describe(const struct spb_program *p, uint32_t module, const struct spb_variable *v)
{
	const struct spb_parameter *q = &p->layout.parameters.items[v->parameter];

	return (spb_resource){
	    .module = module,
	    .id = v->id,
	    .set = q->set,
	    .binding = q->binding,
	    .count = q->count,
	    .descriptor_type = spb_descriptor_info(q->type)->vk_type,
	    .fixed = q->place == SPB_PLACE_FIXED,
	    .heap = q->variable->heap,
	    .name = v->key,
	    .why = q->why ? q->why : "",
	    .register_class = spb_class_letter(q->class),
	    .has_register = q->has_register,
	    .register_number = q->number,
	    .had_set = v->has_set,
	    .had_binding = v->has_binding,
	    .old_set = spb_old_set(v),
	    .old_binding = spb_old_binding(v),
	    .removed = q->place == SPB_PLACE_REMOVED,
	    .descriptor = q->entry,
	    .stages = spb_stage_flags(v->stages | v->listed),
	    .readable = v->readable,
	    .writable = v->writable,
	    .input_attachment_index = v->extra->attachment_index,
	    .file = v->extra->declaration ? v->extra->declaration->file : "",
	    .line = v->extra->declaration ? v->extra->declaration->line : 0,
	    .chosen_by = spb_chosen_by(&p->options, &p->slots.items[module]->unit.placed.text, v),
	    .input_id = spb_is_of_input(&p->slots.items[module]->unit, v->id) ? v->id : 0,
	    .block = v->kind == SPB_DESCRIPTOR_UBO || v->kind == SPB_DESCRIPTOR_SSBO ? v->element : 0,
	};
}

static void list_views(struct spb_program *p, uint32_t parameter)
{
	const struct spb_layout *layout = &p->layout;

	for (uint32_t i = layout->first_view[parameter]; i < layout->first_view[parameter + 1]; i++) {
		struct spb_view view = layout->views[i];
		p->results.resources.items[p->results.resources.count++] =
		    describe(p, view.module, &p->slots.items[view.module]->unit.placed.variables.items[view.variable]);
	}
}

const uint32_t *spb_mutable_types(const struct spb_entry *e, struct spb_arena *arena, uint32_t *count)
{
	uint32_t *list = spb_alloc_array(arena, SPB_DESCRIPTOR_COUNT, sizeof *list), n = 0;

	for (uint32_t i = 0; i < SPB_DESCRIPTOR_COUNT; i++) {
		if (e->types >> i & 1)
			list[n++] = spb_descriptor_info((enum spb_descriptor)i)->vk_type;
	}
	*count = n;
	return list;
}

uint32_t spb_entry_resource_mask(const struct spb_program *p, const struct spb_entry *e)
{
	const struct spb_entry *first = p->layout.entries.items, *end = first + p->layout.entries.count;
	uint32_t others = 0;

	for (const struct spb_entry *o = e; e->mask && o-- > first && o->set == e->set && o->binding == e->binding;)
		others |= o->mask;
	for (const struct spb_entry *o = e + 1; e->mask && o < end && o->set == e->set && o->binding == e->binding; o++)
		others |= o->mask;
	return spb_mapping_mask(e->mask, others);
}

static void list_entry(struct spb_program *p, const struct spb_entry *e)
{
	const struct spb_parameter *q = &p->layout.parameters.items[p->layout.sorted[e->first]];
	spb_descriptor_binding d = {
	    .set = e->set,
	    .binding = e->binding,
	    .descriptor_type = e->vk_type,
	    .count = e->count,
	    .stages = spb_stage_flags(e->uses),
	    .flags = e->flags,
	    .set_flags = e->set_flags,
	    .first_resource = (uint32_t)p->results.resources.count,
	    .name = q->variable->key,
	    .why = q->why,
	    .immutable_samplers = e->immutable,
	    .non_uniform = e->non_uniform,
	    .resource_mask = spb_entry_resource_mask(p, e),
	};

	for (uint32_t i = e->first; i < spb_entry_end(e); i++)
		list_views(p, p->layout.sorted[i]);
	d.resource_count = (uint32_t)p->results.resources.count - d.first_resource;
	if (e->vk_type == SPB_VK_MUTABLE)
		d.mutable_types = spb_mutable_types(e, &p->keep, &d.mutable_type_count);
	p->results.descriptors.items[p->results.descriptors.count++] = d;
}

/* A declaration without variables, which is therefore never `fixed`. */
static void list_reserved(struct spb_program *p, const struct spb_parameter *q)
{
	const struct spb_declaration *d = q->variable->extra->declaration;

	if (q->place == SPB_PLACE_REMOVED || q->place == SPB_PLACE_FIXED)
		return;
	p->results.resources.items[p->results.resources.count++] = (spb_resource){
	    .module = q->module,
	    .set = q->set,
	    .binding = q->binding,
	    .count = q->count,
	    .descriptor_type = spb_descriptor_info(q->variable->kind)->vk_type,
	    .name = q->variable->key,
	    .why = q->why,
	    .register_class = spb_class_letter(q->class),
	    .has_register = q->has_register,
	    .register_number = q->number,
	    .readable = true,
	    .writable = q->variable->writable,
	    .removed = true,
	    .input_attachment_index = UINT32_MAX,
	    .file = d->file,
	    .line = d->line,
	    .reserved = true,
	    .chosen_by = "",
	};
}

void spb_list_descriptors(struct spb_program *p)
{
	size_t total = p->layout.parameters.count;

	if (p->results.descriptors_listed)
		return;
	for (size_t i = 0; i < p->slots.count; i++)
		total += p->slots.items[i]->unit.placed.variables.count;
	SPB_SIZE(&p->keep, &p->results.resources, total);
	SPB_SIZE(&p->keep, &p->results.descriptors, p->layout.entries.count);
	for (size_t i = 0; i < p->layout.entries.count; i++)
		list_entry(p, &p->layout.entries.items[i]);
	for (uint32_t i = 0; i < p->layout.parameters.count; i++) {
		const struct spb_parameter *q = &p->layout.parameters.items[i];
		if (q->dropped)
			list_reserved(p, q);
		else if (q->place == SPB_PLACE_REMOVED)
			list_views(p, i);
	}
	p->results.descriptors_listed = true;
}

/* Lists for callers */

struct giving {
	struct spb_program *p;
	const char *list;
	size_t count;
	uint32_t size, wanted;
	const void *copy;
};

static void copy_list(void *argument)
{
	struct giving *g = argument;
	uint32_t known = g->size < g->wanted ? g->size : g->wanted;
	char *copy = spb_alloc_zeroed(&g->p->keep, g->count, g->wanted);

	for (size_t i = 0; i < g->count; i++)
		memcpy(copy + i * g->wanted, g->list + i * g->size, known);
	SPB_PUSH(&g->p->keep, &g->p->results.given, ((struct spb_given){g->list, copy, g->wanted}));
	g->copy = copy;
}

const void *spb_give(struct spb_program *p, const void *list, size_t count, uint32_t size, uint32_t wanted)
{
	struct giving g = {p, list, count, size, wanted, NULL};

	if (!wanted || wanted > 4096)
		return NULL;
	if (wanted == size)
		return list;
	for (size_t i = 0; i < p->results.given.count; i++) {
		if (p->results.given.items[i].list == list && p->results.given.items[i].stride == wanted)
			return p->results.given.items[i].copy;
	}
	return spb_guard(p->context, copy_list, &g) == SPB_OK ? g.copy : NULL;
}
