/* SPDX-License-Identifier: Apache-2.0 */
/* shape_need: which descriptors must be known at run time.
 *
 * A descriptor that is known to be a single one at a constant index needs nothing. For the others, a selector flows
 * where the descriptor flowed: a uint with the index in the resource; where a use may mean several resources, these are
 * numbered consecutively, and the selector also says which. Memory and values that no use needs are dropped. */
#include "pass/shapes/shape.h"

struct ask {
	struct shapes *p;
	struct context *c;
	const struct function *f;
	uint32_t block;     /* block of the event */
	bool changed, dead; /* dead: the event is in an unreachable block */
};

/* A single descriptor at a constant index of a single resource: nothing needs to flow. */
bool spb_known_descriptor(struct shapes *p, const struct context *c, uint32_t id, uint32_t *candidates)
{
	const struct value *v = spb_value_of(p, c, id);
	uint32_t type = spb_type_of(p->m, id);

	if (p->model.cells[type] != 1 || p->model.mixed[type] || spb_def_op(p->m, type) == SpvOpTypeStruct ||
	    spb_array_element(p->m, type))
		return false;
	if (v->loaded)
		*candidates = v->part.root
				  ? spb_candidates_of(&p->flow.candidates, spb_part_leaf(p, &v->part), v->part.index)
				  : 0;
	else
		*candidates = v->cells ? v->cells[0] : 0;
	return *candidates && candidates_at(&p->flow.candidates, *candidates)->count == 1 &&
	       is_number(candidates_members(&p->flow.candidates, *candidates)->index);
}

static void need(struct ask *a, uint32_t id)
{
	uint32_t known;

	if (spb_carrier_kind(a->p, id) != CARRIER_VALUE || spb_known_descriptor(a->p, a->c, id, &known))
		return;
	struct value *v = spb_value_of(a->p, a->c, id);
	a->changed |= !v->needed;
	v->needed = true;
}

static bool *memory_need(struct ask *a, uint32_t pointer)
{
	struct value v;

	if (!spb_pointer_value(a->p, a->c, pointer, &v) || !v.object)
		return NULL;
	return spb_is_private_object(v.object) ? &a->p->flow.private_needed[spb_private_number(v.object)]
					       : &a->c->object_needed[v.object - 1];
}

static void need_memory(struct ask *a, uint32_t pointer)
{
	bool *needed = memory_need(a, pointer);

	if (needed && !*needed)
		a->changed = *needed = true;
}

uint32_t spb_copied_from(struct shapes *p, const struct context *c, uint32_t candidates, uint32_t block, spb_at at)
{
	uint32_t index, id;
	const struct carrier *carrier;

	if (candidates_at(&p->flow.candidates, candidates)->count != 1)
		return 0;
	index = candidates_members(&p->flow.candidates, candidates)->index;
	if (is_number(index) || index - INDEX_OF_ID >= p->m->bound)
		return 0;
	id = index - INDEX_OF_ID;
	carrier = spb_carrier_of(p, id);
	const struct function *f = &p->flow.functions[c->function];
	if (!carrier || p->flow.carrier_of[id] <= f->first_carrier ||
	    p->flow.carrier_of[id] > f->first_carrier + f->carrier_count)
		return 0; /* known only to a caller */
	return carrier->kind == CARRIER_VALUE && carrier->block == block && p->m->def[id] < at &&
		       spb_value_of(p, c, id)->loaded && spb_part_is_leaf(p, &spb_value_of(p, c, id)->part)
		   ? id
		   : 0;
}

/* A use of one of several descriptors: must it be known at run time? */
static bool ask_candidates(struct ask *a, spb_at at, uint32_t candidates)
{
	struct shapes *p = a->p;
	const struct member *members = candidates_members(&p->flow.candidates, candidates);
	uint32_t count = candidates_at(&p->flow.candidates, candidates)->count;

	if (!candidates && !a->dead)
		spb_refuse(p, SPB_E_UNASSIGNED, at,
			   "%s uses a local descriptor that no path assigns" SPB_REMEDY
			   "Assign a resource to it first.",
			   spb_word_of(p->m, at));
	for (uint32_t i = 0; i < count && count > 1; i++)
		p->model.leaves.items[members[i].leaf].chosen = true;
	return count > 1 || (count && !is_number(members->index));
}

static void ask_descriptor(struct ask *a, spb_at at, uint32_t id)
{
	struct shapes *p = a->p;
	struct value *v = spb_value_of(p, a->c, id);

	v->used = true;
	if (v->loaded)
		return; /* already loaded */
	if (p->model.cells[spb_type_of(p->m, id)] != 1 || spb_def_op(p->m, spb_type_of(p->m, id)) == SpvOpTypeStruct)
		spb_refuse(p, SPB_E_FLOW, at,
			   "%s takes %s, an array or struct of descriptors, for which there is no rewrite" SPB_REMEDY
			   "Use its elements one by one.",
			   spb_word_of(p->m, at), spb_label(p->arena, p->m, id));
	uint32_t candidates = *spb_value_cells(p, a->c, id, at),
		 from = spb_copied_from(p, a->c, candidates, a->block, at);
	if (from)
		spb_value_of(p, a->c, from)->used = true;
	else if (ask_candidates(a, at, candidates))
		need(a, id);
}

static void ask_call(struct ask *a, const struct event *event)
{
	struct shapes *p = a->p;
	spb_at at = event->at;
	uint32_t id = p->m->words[at + 2];

	if (!a->c->callee[event->call])
		return;
	struct context *d = &p->flow.contexts.items[a->c->callee[event->call] - 1];
	const struct function *g = &p->flow.functions[d->function];
	if (spb_carrier_kind(p, id) == CARRIER_VALUE && !d->return_needed)
		a->changed = d->return_needed = true;
	for (uint32_t i = 0; i < g->parameter_count; i++) {
		uint32_t parameter = p->flow.parameters.items[g->first_parameter + i],
			 argument = p->m->words[at + 4 + i];
		const struct carrier *carrier = spb_carrier_of(p, parameter);
		if (carrier && carrier->kind == CARRIER_VALUE && spb_value_of(p, d, parameter)->needed)
			need(a, argument);
		if (!carrier || carrier->kind != CARRIER_LOCAL)
			continue;
		bool *theirs = &d->object_needed[carrier->object - 1], *ours = memory_need(a, argument);
		if (ours && *ours != *theirs) /* the same memory */
			a->changed = *ours = *theirs = true;
	}
}

static bool needed(const struct ask *a, uint32_t id)
{
	return spb_carrier_kind(a->p, id) == CARRIER_VALUE && spb_value_of(a->p, a->c, id)->needed;
}

static void ask_operands(struct ask *a, spb_at at, bool all)
{
	struct shapes *p = a->p;

	for (struct spb_operand o = spb_operands(p->m, at); spb_operand_next(&o);) {
		if (o.kind != SPB_KIND_ID)
			continue;
		if (!all && spb_is_global_undef(p, p->m->words[o.word]))
			ask_candidates(a, at, 0);
		if (spb_carrier_kind(p, p->m->words[o.word]) == CARRIER_VALUE) {
			if (all)
				need(a, p->m->words[o.word]);
			else
				ask_descriptor(a, at, p->m->words[o.word]);
		}
	}
}

/* A remark keeps a descriptor that the input loads. It needs nothing else: it is removed with its operand. */
static void ask_remark(struct ask *a, spb_at at)
{
	struct shapes *p = a->p;

	for (struct spb_operand o = spb_operands(p->m, at); spb_operand_next(&o);) {
		if (o.kind != SPB_KIND_ID || spb_carrier_kind(p, p->m->words[o.word]) != CARRIER_VALUE)
			continue;
		struct value *v = spb_value_of(p, a->c, p->m->words[o.word]);
		v->used |= v->loaded && (!v->part.root || spb_part_is_leaf(p, &v->part));
	}
}

/* Ordinary members stay in memory regardless of the descriptors. */
static void ask_mixed(struct ask *a, spb_at at)
{
	struct shapes *p = a->p;
	uint32_t id = spb_result(p->m, at);

	if (spb_carrier_kind(p, id) == CARRIER_VALUE && p->model.mixed[spb_type_of(p->m, id)] &&
	    !spb_value_of(p, a->c, id)->loaded)
		need(a, id);
	if (spb_carrier_kind(p, id) == CARRIER_LOCAL &&
	    p->model.mixed[p->m->words[p->m->def[spb_type_of(p->m, id)] + 3]])
		need_memory(a, id);
}

static void ask_event(struct ask *a, const struct event *event)
{
	struct shapes *p = a->p;
	const struct spb_module *m = p->m;
	spb_at at = event->at;
	uint32_t op = spb_op(m, at);

	ask_mixed(a, at);
	switch (op) {
	case SpvOpVariable:
	case SpvOpFunctionParameter:
		break;
	case SpvOpLoad:
		if (needed(a, m->words[at + 2]))
			need_memory(a, m->words[at + 3]);
		break;
	case SpvOpImageTexelPointer:
		if (spb_is_local_pointer_to_descriptors(p, m->words[at + 3]) &&
		    ask_candidates(a, at, spb_value_of(p, a->c, m->words[at + 2])->cells[0]))
			need_memory(a, m->words[at + 3]);
		break;
	case SpvOpStore: {
		const bool *memory = memory_need(a, m->words[at + 1]);
		if (memory && *memory)
			need(a, m->words[at + 2]);
		break;
	}
	case SpvOpCompositeExtract:
		if (!needed(a, m->words[at + 2]) && spb_carrier_kind(p, m->words[at + 2]) == CARRIER_VALUE)
			break;
		if (spb_carrier_kind(p, m->words[at + 3]) == CARRIER_VALUE &&
		    !spb_value_of(p, a->c, m->words[at + 3])->loaded)
			need(a, m->words[at + 3]);
		break;
	case SpvOpFunctionCall:
		ask_call(a, event);
		break;
	case SpvOpReturnValue:
		if (a->c->return_needed)
			need(a, m->words[at + 1]);
		break;
	default:
		if (spb_is_non_semantic(m, at))
			ask_remark(a, at);
		else if (!spb_op_is(op, SPB_OP_JOINS | SPB_OP_COPY))
			ask_operands(a, at, false);
		else if (needed(a, m->words[at + 2]))
			ask_operands(a, at, true);
		break;
	}
}

static bool ask_context(struct shapes *p, struct context *c)
{
	struct ask a = {.p = p, .c = c, .f = &p->flow.functions[c->function]};

	for (uint32_t i = a.f->event_count; i-- > 0;) {
		const struct event *event = &p->flow.events.items[a.f->first_event + i];
		a.block = event->block;
		a.dead = c->reached[event->block] == BLOCK_DEAD;
		ask_event(&a, event);
	}
	return a.changed;
}

/* Numbers the resources that a selector may have to distinguish. Those of unknown size come last, in ranges that no
 * descriptor set is large enough to fill. */
static void number_leaves(struct shapes *p)
{
	uint64_t base = 0;

	for (int sized = 1; sized >= 0; sized--) {
		for (size_t i = 0; i < p->model.leaves.count; i++) {
			struct leaf *leaf = &p->model.leaves.items[i];
			if (!leaf->chosen || (leaf->count != 0) != (sized != 0))
				continue;
			leaf->base = (uint32_t)base;
			base += sized ? leaf->count : UNSIZED_WINDOW;
			if (base > UINT32_MAX)
				spb_refuse(p, SPB_E_TOO_MUCH, p->m->def[p->model.roots.items[leaf->root].variable],
					   "%s is one of too many resources of unknown size that one local descriptor "
					   "may refer to" SPB_REMEDY "Give the arrays a size.",
					   spb_label(p->arena, p->m, p->model.roots.items[leaf->root].variable));
		}
	}
}

/* Is a descriptor loaded from a resource only copied, so that its index is copied instead? */
bool spb_only_flows(struct shapes *p, const struct context *c, uint32_t id)
{
	const struct value *v = spb_value_of(p, c, id);

	return v->loaded && !v->used && p->m->first_use[id] != p->m->first_use[id + 1];
}

/* Pointers to descriptors that are still used as pointers. */
static void mark_pointers(struct shapes *p, struct context *c)
{
	const struct function *f = &p->flow.functions[c->function];
	const struct spb_module *m = p->m;

	for (uint32_t i = f->event_count; i-- > 0;) {
		spb_at at = p->flow.events.items[f->first_event + i].at;
		uint32_t callee = spb_op(m, at) == SpvOpFunctionCall ? p->flow.function_of[m->words[at + 3]] : 0;
		if (spb_op(m, at) == SpvOpLoad && spb_carrier_kind(p, m->words[at + 2]) == CARRIER_VALUE &&
		    spb_only_flows(p, c, m->words[at + 2]))
			continue;
		for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
			uint32_t id = m->words[o.word];
			if (o.kind != SPB_KIND_ID || spb_carrier_kind(p, id) != CARRIER_PART)
				continue;
			if (callee && o.word > at + 3) {
				const struct function *g = &p->flow.functions[callee - 1];
				uint32_t k = o.word - (at + 4);
				if (spb_bit(p->model.lowered, p->flow.parameters.items[g->first_parameter + k]))
					continue;
			}
			spb_value_of(p, c, id)->used = true;
		}
	}
}

void spb_find_needs(struct shapes *p)
{
	bool changed;

	do { /* returned values are needed by callers, arguments by callees: iterate in both directions */
		size_t n = p->flow.contexts.count;
		changed = false;
		for (size_t i = 0; i < 2 * n; i++) {
			struct context *c = &p->flow.contexts.items[i < n ? n - 1 - i : i - n];
			if (c->live)
				changed |= ask_context(p, c);
		}
	} while (changed);
	for (size_t i = 0; i < p->flow.contexts.count; i++) {
		if (p->flow.contexts.items[i].live)
			mark_pointers(p, &p->flow.contexts.items[i]);
	}
	number_leaves(p);
}
