/* SPDX-License-Identifier: Apache-2.0 */
/* shape_enter: calls and returns for shape_flow.c: which context of a function a call enters, what it passes, and what
 * it gets back. */
#include "pass/shapes/shape.h"

bool spb_is_lowered_part(const struct shapes *p, uint32_t parameter)
{
	return spb_carrier_kind(p, parameter) == CARRIER_PART && spb_bit(p->model.lowered, parameter);
}

/* The value that a call passes for a parameter. False: it has nothing to do with descriptors. */
static bool argument_value(struct step *s, spb_at at, uint32_t parameter, uint32_t argument, struct value *v)
{
	struct shapes *p = s->p;
	enum carrier_kind kind = spb_carrier_kind(p, parameter);
	bool global;

	*v = (struct value){0};
	if (kind == CARRIER_VALUE) {
		v->cells = (uint32_t *)spb_value_cells(p, s->c, argument, at);
		v->count = p->model.cells[spb_type_of(p->m, parameter)];
		return true;
	}
	if (kind != CARRIER_LOCAL && !spb_is_lowered_part(p, parameter))
		return false;
	if (!spb_pointer_value(p, s->c, argument, v) || (kind == CARRIER_PART && !v->part.root) ||
	    (kind == CARRIER_PART) != !v->object)
		spb_refuse(p, SPB_E_FLOW, at,
			   "%s is passed to %s, but it is unknown which resource it refers to" SPB_REMEDY
			   "Pass a variable, or inline the function.",
			   spb_label(p->arena, p->m, argument), spb_label(p->arena, p->m, p->m->words[at + 3]));
	if (kind == CARRIER_PART)
		return true;
	if (v->span_count || spb_op_is(spb_def_op(p->m, argument), SPB_OP_CHAIN))
		spb_refuse(
		    p, SPB_E_FLOW, at,
		    "%s points into local memory, but only whole variables can be passed to a function" SPB_REMEDY
		    "Copy it to a variable first.",
		    spb_label(p->arena, p->m, argument));
	v->cells = spb_object_cells(s, v, &global) + v->base;
	return true;
}

static void push_key(struct step *s, const struct value *v, bool part)
{
	struct shapes *p = s->p;

	if (part) {
		SPB_PUSH(p->arena, &p->flow.keys, v->part.root);
		SPB_PUSH(p->arena, &p->flow.keys, v->part.node);
		return;
	}
	for (uint32_t i = 0; i < v->count; i++)
		SPB_PUSH(p->arena, &p->flow.keys, spb_candidates_without_indexes(&p->flow.candidates, v->cells[i]));
}

/* Finds or creates the context of a function for the key at the end of p->flow.keys, from `first` on. */
uint32_t spb_find_context(struct shapes *p, uint32_t function, uint32_t first, spb_at at)
{
	struct function *f = &p->flow.functions[function];
	uint32_t count = (uint32_t)p->flow.keys.count - first, cells = f->state_cells;

	for (uint32_t i = f->first_context; i; i = p->flow.contexts.items[i - 1].next) {
		const struct context *c = &p->flow.contexts.items[i - 1];
		if (c->key_count == count &&
		    (!count || !memcmp(p->flow.keys.items + c->key_first, p->flow.keys.items + first,
				       count * sizeof *p->flow.keys.items))) {
			p->flow.keys.count = first;
			return i - 1;
		}
	}
	if (f->context_count++ == MAX_CONTEXTS || (uint64_t)cells * f->block_count > 1 << 24)
		spb_refuse(p, SPB_E_TOO_MUCH, at,
			   "%s is called with, or holds, too many different descriptors" SPB_REMEDY
			   "Pass an index instead.",
			   spb_label(p->arena, p->m, p->m->words[p->m->function[function].at + 2]));
	struct context c = {.function = function, .key_first = first, .key_count = count};
	c.values = spb_alloc_zeroed(p->arena, f->carrier_count, sizeof *c.values);
	c.entry = spb_alloc_zeroed(p->arena, f->parameter_count, sizeof *c.entry);
	c.state = spb_new_cells(p, (size_t)cells * f->block_count);
	c.reached = spb_alloc_zeroed(p->arena, f->block_count, sizeof *c.reached);
	c.callee = spb_alloc_zeroed(p->arena, f->call_count, sizeof *c.callee);
	c.exit = spb_new_cells(p, cells);
	c.object_needed = spb_alloc_zeroed(p->arena, f->object_count, sizeof *c.object_needed);
	SPB_PUSH(p->arena, &p->flow.contexts, c);
	uint32_t number = (uint32_t)p->flow.contexts.count;
	if (f->last_context)
		p->flow.contexts.items[f->last_context - 1].next = number;
	else
		f->first_context = number;
	f->last_context = number;
	return number - 1;
}

void spb_queue(struct shapes *p, uint32_t context)
{
	if (p->flow.contexts.items[context].queued)
		return;
	p->flow.contexts.items[context].queued = true;
	SPB_PUSH(p->arena, &p->flow.work, context);
}

/* Joins what a caller passes with what the other callers passed. */
static bool enter(struct shapes *p, struct value *entry, const struct value *v, bool part)
{
	bool changed = false;

	if (part) {
		changed = !entry->part.root || (entry->part.index != v->part.index && entry->part.index != DYNAMIC);
		uint32_t index = !entry->part.root || entry->part.index == v->part.index ? v->part.index : DYNAMIC;
		entry->part = (struct part){v->part.root, v->part.node, changed ? index : entry->part.index};
		return changed;
	}
	if (!entry->cells) {
		entry->cells = spb_new_cells(p, v->count);
		changed = true;
	}
	spb_join_cells(p, entry->cells, v->cells, v->count, JOIN_ANY, &changed);
	return changed;
}

void spb_step_call(struct step *s, spb_at at, uint32_t number)
{
	struct shapes *p = s->p;
	const struct spb_module *m = p->m;
	uint32_t callee = p->flow.function_of[m->words[at + 3]], first = (uint32_t)p->flow.keys.count;
	struct value v;

	if (!spb_has_body(&m->function[callee - 1]))
		return; /* only declared: rewriting refuses such an argument */
	const struct function *g = &p->flow.functions[callee - 1];
	const uint32_t *parameters = p->flow.parameters.items + g->first_parameter;
	for (uint32_t i = 0; i < g->parameter_count; i++) {
		if (argument_value(s, at, parameters[i], m->words[at + 4 + i], &v))
			push_key(s, &v, spb_carrier_kind(p, parameters[i]) == CARRIER_PART);
	}
	size_t contexts = p->flow.contexts.count;
	uint32_t to = spb_find_context(p, callee - 1, first, at);
	bool changed = p->flow.contexts.count != contexts;
	s->c = &p->flow.contexts.items[s->context];
	if (s->c->callee[number] != to + 1) {
		s->c->callee[number] = to + 1;
		SPB_PUSH(p->arena, &p->flow.contexts.items[to].callers, s->context);
	}
	struct context *d = &p->flow.contexts.items[to];
	for (uint32_t i = 0; i < g->parameter_count; i++) {
		if (argument_value(s, at, parameters[i], m->words[at + 4 + i], &v))
			changed |= enter(p, &d->entry[i], &v, spb_carrier_kind(p, parameters[i]) == CARRIER_PART);
	}
	if (changed)
		spb_queue(p, to);
	for (uint32_t i = 0; i < g->parameter_count; i++) { /* what the function left in its callers' memory */
		const struct carrier *carrier = spb_carrier_of(p, parameters[i]);
		if (!carrier || carrier->kind != CARRIER_LOCAL ||
		    !argument_value(s, at, parameters[i], m->words[at + 4 + i], &v))
			continue;
		const struct object *o = &p->flow.objects.items[g->first_object + carrier->object - 1];
		if (spb_is_private_object(v.object))
			spb_join_cells(p, v.cells, d->exit + o->first, o->count, JOIN_STATE, &p->flow.privates_changed);
		else
			memcpy(v.cells, d->exit + o->first, o->count * sizeof *v.cells);
	}
	if (spb_carrier_kind(p, m->words[at + 2]) == CARRIER_VALUE)
		spb_put_cells(s, m->words[at + 2], d->returned ? d->returned : p->flow.unassigned);
}

void spb_step_return(struct step *s, spb_at at)
{
	struct shapes *p = s->p;
	struct context *c = s->c;
	bool ignored = false;

	if (spb_op(p->m, at) == SpvOpReturnValue) {
		uint32_t id = p->m->words[at + 1], count = p->model.cells[spb_type_of(p->m, id)];
		if (count) {
			const uint32_t *cells = spb_value_cells(p, c, id, at);
			if (!c->returned)
				c->returned = spb_alloc_zeroed(p->arena, count, sizeof *c->returned);
			spb_join_cells(p, c->returned, cells, count, JOIN_STATE, &ignored);
		}
	}
	spb_join_cells(p, c->exit, s->state, s->f->state_cells, JOIN_STATE, &ignored);
}

void spb_step_parameter(struct step *s, spb_at at)
{
	struct shapes *p = s->p;
	uint32_t id = p->m->words[at + 2], number = 0;
	const struct carrier *carrier = spb_carrier_of(p, id);

	if (!carrier)
		return;
	while (p->flow.parameters.items[s->f->first_parameter + number] != id)
		number++;
	const struct value *entry = &s->c->entry[number];
	if (carrier->kind == CARRIER_PART) {
		spb_value_of(p, s->c, id)->part = entry->part;
		return;
	}
	if (!entry->cells)
		return;
	memcpy(p->flow.temporary, entry->cells, carrier->cells * sizeof *p->flow.temporary);
	spb_tag_cells(p, p->flow.temporary, carrier->cells, id);
	if (carrier->kind == CARRIER_VALUE)
		spb_put_cells(s, id, p->flow.temporary);
	else
		memcpy(s->state + p->flow.objects.items[s->f->first_object + carrier->object - 1].first,
		       p->flow.temporary, carrier->cells * sizeof *s->state);
}
