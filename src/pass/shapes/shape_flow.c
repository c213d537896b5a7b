/* SPDX-License-Identifier: Apache-2.0 */
/* shape_flow: which descriptors each value may be.
 *
 * An abstract interpretation. The value of a descriptor is its candidates, a set of (resource leaf, index) pairs; an
 * array or struct of descriptors has a cell with candidates for each. The cells of a function's memory are
 * flow-sensitive, so Arr[0] = Y before a use means Y there; a dynamic index stands for all elements. A function is
 * analysed once for each kind of caller (a context), that is, for each resource that its lowered parameters point to
 * and the resources that its other descriptors may be. Constant indexes are distinguished within a context as
 * long as all callers pass the same. Values only grow, and the worklist runs until nothing changes. */
#include "pass/shapes/shape.h"

enum { MAX_ROUNDS = 1000 };          /* per function: whatever takes longer is not a realistic shader */
#define MAX_WORK ((uint64_t)1 << 30) /* cells and instructions visited, for the whole module */

/* The first cell of a struct member. */
static uint32_t member_offset(const struct shapes *p, uint32_t type, uint32_t member)
{
	const struct spb_module *m = p->m;
	uint32_t offset = 0;

	for (uint32_t i = 0; i < member; i++)
		offset += p->model.cells[m->words[m->def[type] + 2 + i]];
	return offset;
}

static uint32_t constant_index(const struct shapes *p, uint32_t id)
{
	uint64_t n;

	if (spb_def_op(p->m, id) != SpvOpConstant || !spb_constant_value(p->m, id, &n) || !is_number((uint32_t)n) ||
	    n > UINT32_MAX)
		return DYNAMIC;
	return (uint32_t)n;
}

/* Follows the indexes of an access chain from a part of a resource down to a leaf or ordinary data. */
static void chain_part(const struct shapes *p, struct part *part, spb_at at)
{
	const struct spb_module *m = p->m;

	for (uint32_t w = at + 4; w < spb_next(m, at) && part->root && !spb_part_is_leaf(p, part); w++) {
		if (spb_part_node(p, part)->kind == NODE_ARRAY)
			spb_part_element(p, part, constant_index(p, m->words[w]));
		else if (!spb_part_member(p, part, constant_index(p, m->words[w])))
			return; /* ordinary data */
	}
}

/* The same for a pointer to local memory. */
static void chain_local(const struct shapes *p, struct value *v, uint32_t type, spb_at at)
{
	const struct spb_module *m = p->m;

	for (uint32_t w = at + 4; w < spb_next(m, at) && p->model.cells[type]; w++) {
		uint32_t index = constant_index(p, m->words[w]);
		if (spb_def_op(m, type) == SpvOpTypeStruct) {
			v->base += member_offset(p, type, index);
			type = m->words[m->def[type] + 2 + index];
		} else {
			uint32_t element = m->words[m->def[type] + 2], each = p->model.cells[element];
			uint32_t elements = p->model.cells[type] / each;
			if (index < elements) {
				v->base += index * each;
			} else if (index != DYNAMIC) {
				spb_refuse(p, SPB_E_INDEX_RANGE, at,
					   "index %u is outside a local array of %u descriptors", index, elements);
			} else {
				if (v->span_count == SPB_COUNT(v->spans))
					spb_refuse(p, SPB_E_TOO_MUCH, at,
						   "local arrays of descriptors are indexed dynamically in more than "
						   "%u places" SPB_REMEDY "Index the resource directly.",
						   (unsigned)SPB_COUNT(v->spans));
				v->spans[v->span_count++] = (struct span){elements, each};
			}
			type = element;
		}
		v->count = p->model.cells[type];
	}
}

static void step_chain(struct step *s, spb_at at)
{
	struct shapes *p = s->p;
	uint32_t id = p->m->words[at + 2], base = p->m->words[at + 3];
	struct value v;

	if (!p->flow.carrier_of[id] || spb_carrier_kind(p, id) == CARRIER_DATA || !spb_pointer_value(p, s->c, base, &v))
		return;
	if (spb_carrier_kind(p, id) == CARRIER_LOCAL)
		chain_local(p, &v, p->m->words[p->m->def[spb_type_of(p->m, base)] + 3], at);
	else
		chain_part(p, &v.part, at);
	v.needed = false;
	*spb_value_of(p, s->c, id) = v;
}

/* Iterates over the places that a pointer with dynamic indexes may refer to. */
struct places {
	const struct value *v;
	uint32_t counter[SPB_COUNT(((struct value *)0)->spans)];
	bool done;
};

static bool next_place(struct places *at, uint32_t *offset)
{
	const struct value *v = at->v;
	uint32_t k = 0;

	if (at->done)
		return false;
	*offset = v->base;
	for (uint32_t i = 0; i < v->span_count; i++)
		*offset += at->counter[i] * v->spans[i].stride;
	while (k < v->span_count && ++at->counter[k] == v->spans[k].count)
		at->counter[k++] = 0;
	at->done = k == v->span_count;
	return true;
}

/* Reads what the memory behind a pointer may hold, into p->flow.temporary. */
static void read_memory(struct step *s, const struct value *pointer)
{
	struct shapes *p = s->p;
	bool global, ignored = false;
	const uint32_t *cells = spb_object_cells(s, pointer, &global);
	struct places places = {.v = pointer};
	uint32_t offset;

	memset(p->flow.temporary, 0, pointer->count * sizeof *p->flow.temporary);
	while (next_place(&places, &offset))
		spb_join_cells(p, p->flow.temporary, cells + offset, pointer->count, JOIN_ANY, &ignored);
}

/* A texel pointer reads its image from where a local pointer leads. */
static void step_texel(struct step *s, spb_at at)
{
	struct shapes *p = s->p;
	struct value pointer, *v;

	if (!spb_is_local_pointer_to_descriptors(p, p->m->words[at + 3]) ||
	    !spb_pointer_value(p, s->c, p->m->words[at + 3], &pointer) || !pointer.object)
		return; /* no object: the pointer is made in an unreachable block */
	v = spb_value_of(p, s->c, p->m->words[at + 2]);
	if (!v->cells)
		v->cells = spb_alloc_zeroed(p->arena, 1, sizeof *v->cells);
	read_memory(s, &pointer);
	spb_tag_cells(p, p->flow.temporary, 1, p->m->words[at + 2]);
	v->cells[0] = p->flow.temporary[0]; /* on which no other value depends */
}

static void step_load(struct step *s, spb_at at)
{
	struct shapes *p = s->p;
	uint32_t id = p->m->words[at + 2];
	struct value pointer, *v;

	if (spb_carrier_kind(p, id) != CARRIER_VALUE || !spb_pointer_value(p, s->c, p->m->words[at + 3], &pointer))
		return;
	v = spb_value_of(p, s->c, id);
	if (!pointer.object) {
		if (!v->loaded || memcmp(&v->part, &pointer.part, sizeof v->part) != 0)
			s->changed = true;
		if (memcmp(&v->part, &pointer.part, sizeof v->part) != 0)
			v->cells = NULL;
		v->loaded = true;
		v->part = pointer.part;
		return;
	}
	read_memory(s, &pointer);
	spb_tag_cells(p, p->flow.temporary, pointer.count, id);
	spb_put_cells(s, id, p->flow.temporary);
}

static void step_store(struct step *s, spb_at at)
{
	struct shapes *p = s->p;
	uint32_t offset;
	struct value pointer;
	bool global, ignored = false;

	if (!spb_pointer_value(p, s->c, p->m->words[at + 1], &pointer) || !pointer.object)
		return;
	const uint32_t *from = spb_value_cells(p, s->c, p->m->words[at + 2], at);
	uint32_t *cells = spb_object_cells(s, &pointer, &global);
	struct places places = {.v = &pointer};
	while (next_place(&places, &offset)) {
		if (!global && !pointer.span_count)
			memcpy(cells + offset, from, pointer.count * sizeof *from);
		else
			spb_join_cells(p, cells + offset, from, pointer.count, global ? JOIN_STATE : JOIN_ANY,
				       global ? &p->flow.privates_changed : &ignored);
	}
}

static void step_composite(struct step *s, spb_at at)
{
	struct shapes *p = s->p;
	const struct spb_module *m = p->m;
	uint32_t id = m->words[at + 2], total = p->model.cells[m->words[at + 1]], n = 0;
	uint32_t *cells = p->flow.temporary;

	if (total > MAX_CELLS)
		spb_value_cells(p, s->c, id, at); /* refuses the module */
	switch (spb_op(m, at)) {
	case SpvOpCompositeConstruct:
		for (uint32_t w = at + 3; w < spb_next(m, at); w++) {
			uint32_t part = p->model.cells[spb_type_of(m, m->words[w])];
			if (part)
				memcpy(cells + n, spb_value_cells(p, s->c, m->words[w], at), part * sizeof *cells);
			n += part;
		}
		break;
	case SpvOpCompositeInsert: {
		uint32_t object = m->words[at + 3], type = m->words[at + 1];
		memcpy(cells, spb_value_cells(p, s->c, m->words[at + 4], at), total * sizeof *cells);
		for (uint32_t w = at + 5; w < spb_next(m, at) && p->model.cells[type]; w++) {
			bool is_struct = spb_def_op(m, type) == SpvOpTypeStruct;
			uint32_t next = m->words[m->def[type] + 2 + (is_struct ? m->words[w] : 0)];
			n += is_struct ? member_offset(p, type, m->words[w]) : m->words[w] * p->model.cells[next];
			type = next;
		}
		if (p->model.cells[type])
			memcpy(cells + n, spb_value_cells(p, s->c, object, at), p->model.cells[type] * sizeof *cells);
		break;
	}
	default: { /* OpPhi, OpSelect */
		bool phi = spb_op(m, at) == SpvOpPhi, changed = false;
		memset(cells, 0, total * sizeof *cells);
		for (uint32_t w = phi ? at + 3 : at + 4; w < spb_next(m, at); w += phi ? 2 : 1)
			spb_join_cells(p, cells, spb_value_cells(p, s->c, m->words[w], at), total, JOIN_CHOICE,
				       &changed);
		break;
	}
	}
	spb_put_cells(s, id, cells);
}

/* OpCopyObject, OpCopyLogical and OpCompositeExtract: part of a value, by literals. */
static void step_extract(struct step *s, spb_at at)
{
	struct shapes *p = s->p;
	const struct spb_module *m = p->m;
	uint32_t id = m->words[at + 2], from = m->words[at + 3], type = spb_type_of(m, from), n = 0;
	struct value *v;

	if (spb_carrier_kind(p, from) != CARRIER_VALUE || spb_carrier_kind(p, id) != CARRIER_VALUE)
		return;
	const struct value *whole = spb_value_of(p, s->c, from);
	struct part part = whole->part;
	for (uint32_t w = at + 4; w < spb_next(m, at); w++) {
		bool is_struct = spb_def_op(m, type) == SpvOpTypeStruct;
		uint32_t next = m->words[m->def[type] + 2 + (is_struct ? m->words[w] : 0)];
		if (whole->loaded && !part.root)
			continue; /* unknown: left alone */
		if (whole->loaded && is_struct)
			spb_part_member(p, &part, m->words[w]);
		else if (whole->loaded)
			spb_part_element(p, &part, m->words[w]);
		else
			n += is_struct ? member_offset(p, type, m->words[w]) : m->words[w] * p->model.cells[next];
		type = next;
	}
	if (!whole->loaded) {
		spb_put_cells(s, id, spb_value_cells(p, s->c, from, at) + n);
		return;
	}
	v = spb_value_of(p, s->c, id);
	s->changed |= !v->loaded || memcmp(&v->part, &part, sizeof part) != 0;
	v->loaded = true;
	v->cells = NULL;
	v->part = part;
}

static void step_terminator(struct step *s, spb_at at)
{
	struct shapes *p = s->p;
	uint32_t cells = s->f->state_cells;

	for (struct spb_operand o = spb_operands(p->m, at); spb_operand_next(&o);) {
		if (o.kind != SPB_KIND_ID || spb_def_op(p->m, p->m->words[o.word]) != SpvOpLabel)
			continue;
		uint32_t block = p->flow.block_of[p->m->words[o.word]];
		s->changed |= !s->c->reached[block];
		if (!s->c->reached[block])
			s->c->reached[block] = s->block_dead ? BLOCK_DEAD : BLOCK_LIVE;
		spb_join_cells(p, s->c->state + (size_t)block * cells, s->state, cells, JOIN_STATE, &s->changed);
	}
}

static void step(struct step *s, const struct event *event)
{
	struct shapes *p = s->p;
	spb_at at = event->at;
	uint32_t op = spb_op(p->m, at);
	const struct carrier *carrier;

	switch (op) {
	case SpvOpFunctionParameter:
		spb_step_parameter(s, at);
		/* fallthrough */
	case SpvOpVariable:
		carrier = spb_carrier_of(p, p->m->words[at + 2]);
		if (carrier && carrier->kind == CARRIER_LOCAL) {
			struct value *v = spb_value_of(p, s->c, carrier->id);
			v->object = carrier->object;
			v->count = carrier->cells;
		}
		break;
	case SpvOpLoad:
		step_load(s, at);
		break;
	case SpvOpStore:
		step_store(s, at);
		break;
	case SpvOpImageTexelPointer:
		step_texel(s, at);
		break;
	case SpvOpCopyObject:
		carrier = spb_carrier_of(p, p->m->words[at + 2]);
		if (carrier && carrier->kind != CARRIER_VALUE) {
			step_chain(s, at); /* of a pointer: a chain without indexes */
			break;
		}
		/* fallthrough */
	case SpvOpCopyLogical:
	case SpvOpCompositeExtract:
		if (p->flow.carrier_of[p->m->words[at + 2]])
			step_extract(s, at);
		break;
	case SpvOpFunctionCall:
		spb_step_call(s, at, event->call);
		break;
	case SpvOpReturn:
	case SpvOpReturnValue:
		spb_step_return(s, at);
		break;
	default:
		if (spb_op_is(op, SPB_OP_CHAIN))
			step_chain(s, at);
		else if (spb_op_is(op, SPB_OP_JOINS) && spb_carrier_kind(p, p->m->words[at + 2]) == CARRIER_VALUE)
			step_composite(s, at);
		else if (spb_op_is(op, SPB_OP_TERMINATOR))
			step_terminator(s, at);
		break;
	}
}

/* Starts with what the context returns to its callers; the previous result is compared at the end. */
static void begin_context(struct step *s, uint32_t **returned, uint32_t **left)
{
	struct context *c = s->c;
	uint32_t cells = s->f->state_cells,
		 count = s->p->model.cells[s->p->m->words[s->p->m->function[c->function].at + 1]];

	*returned = NULL;
	*left = spb_alloc_array(s->p->arena, cells, sizeof **left);
	memcpy(*left, c->exit, cells * sizeof **left);
	if (c->returned) {
		*returned = spb_alloc_array(s->p->arena, count, sizeof **returned);
		memcpy(*returned, c->returned, count * sizeof **returned);
		memset(c->returned, 0, count * sizeof *c->returned);
	}
	memset(c->exit, 0, cells * sizeof *c->exit);
	memset(c->state, 0, (size_t)cells * s->f->block_count * sizeof *c->state);
	memset(c->reached, 0, s->f->block_count);
	s->state = spb_alloc_zeroed(s->p->arena, cells, sizeof *s->state);
}

static void end_context(struct step *s, const uint32_t *returned, const uint32_t *left)
{
	struct context *c = s->c;
	uint32_t cells = s->f->state_cells,
		 count = s->p->model.cells[s->p->m->words[s->p->m->function[c->function].at + 1]];
	bool changed = memcmp(left, c->exit, cells * sizeof *left) != 0;

	if (c->returned)
		changed |= !returned || memcmp(returned, c->returned, count * sizeof *returned) != 0;
	for (size_t i = 0; i < c->callers.count && changed; i++)
		spb_queue(s->p, c->callers.items[i]);
}

static void analyse_context(struct shapes *p, uint32_t number)
{
	struct step s = {.p = p, .context = number, .c = &p->flow.contexts.items[number]};
	uint32_t rounds = 0, *returned, *left;
	bool again;

	s.f = &p->flow.functions[s.c->function];
	s.c->queued = false;
	begin_context(&s, &returned, &left);
	do {
		bool live = true, dead = false;
		again = false;
		p->flow.work_done += s.f->event_count + (uint64_t)s.f->block_count * s.f->state_cells;
		if (rounds++ == MAX_ROUNDS || p->flow.work_done > MAX_WORK)
			spb_refuse(p, SPB_E_TOO_MUCH, p->m->function[s.c->function].at,
				   "descriptor flow in %s is too complex to analyse" SPB_REMEDY
				   "Pass an index instead.",
				   spb_label(p->arena, p->m, p->m->words[p->m->function[s.c->function].at + 2]));
		s.changed = false;
		s.c->reached[0] = BLOCK_LIVE;
		memset(s.state, 0, s.f->state_cells * sizeof *s.state);
		for (uint32_t i = 0; i < s.f->event_count; i++) {
			const struct event *event = &p->flow.events.items[s.f->first_event + i];
			if (spb_op(p->m, event->at) == SpvOpLabel) {
				live = s.c->reached[event->block];
				s.block_dead = s.c->reached[event->block] == BLOCK_DEAD;
				if (event->block)
					memcpy(s.state, s.c->state + (size_t)event->block * s.f->state_cells,
					       s.f->state_cells * sizeof *s.state);
			}
			if (live)
				step(&s, event);
			dead |= !live;
		}
		for (uint32_t i = 0; i < s.f->block_count && dead && !s.changed; i++) {
			if (s.c->reached[i])
				continue; /* unreachable blocks are rewritten, too, as if entered with nothing
					   * assigned */
			s.c->reached[i] = BLOCK_DEAD;
			again = true;
		}
	} while (s.changed || again);
	end_context(&s, returned, left);
}

static void mark_live(struct shapes *p, uint32_t context)
{
	if (p->flow.contexts.items[context].live)
		return;
	p->flow.contexts.items[context].live = true;
	SPB_PUSH(p->arena, &p->flow.work, context);
}

static bool takes_descriptors(const struct shapes *p, const struct function *f)
{
	for (uint32_t i = 0; i < f->parameter_count; i++) {
		uint32_t id = p->flow.parameters.items[f->first_parameter + i];
		if (spb_carrier_kind(p, id) == CARRIER_VALUE || spb_carrier_kind(p, id) == CARRIER_LOCAL ||
		    spb_is_lowered_part(p, id))
			return true;
	}
	return false;
}

/* Refuses functions that other modules call or define, if they take or return descriptors. */
static void check_linkage(const struct shapes *p, uint32_t function)
{
	const struct spb_function *of = &p->m->function[function];
	const struct function *f = &p->flow.functions[function];
	bool imported =
	    !spb_has_body(of) && f->called && (takes_descriptors(p, f) || p->model.cells[p->m->words[of->at + 1]]);

	if (imported || (spb_has_body(of) && f->exported && takes_descriptors(p, f)))
		spb_refuse(p, SPB_E_FLOW, of->at,
			   "%s is %s and takes or returns descriptors in a shape that Vulkan does not accept" SPB_REMEDY
			   "Link the modules first.",
			   spb_label(p->arena, p->m, p->m->words[of->at + 2]), imported ? "imported" : "exported");
}

/* Functions that are called from outside, or that are never called but do not depend on arguments. Any other function
 * without a caller cannot be rewritten, because its parameters are unknown, and is removed. */
static bool is_start(const struct shapes *p, uint32_t function)
{
	const struct function *f = &p->flow.functions[function];

	check_linkage(p, function);
	return spb_has_body(&p->m->function[function]) && (!f->called || f->exported) && !takes_descriptors(p, f);
}

void spb_analyse(struct shapes *p)
{
	p->flow.temporary = spb_alloc_zeroed(p->arena, MAX_CELLS, sizeof *p->flow.temporary);
	p->flow.unassigned = spb_alloc_zeroed(p->arena, MAX_CELLS, sizeof *p->flow.unassigned);
	spb_candidates_init(&p->flow.candidates, p->arena);
	p->flow.work.count = 0;
	for (uint32_t f = 0; f < p->m->function_count; f++) {
		if (is_start(p, f))
			spb_queue(p, spb_find_context(p, f, (uint32_t)p->flow.keys.count, p->m->function[f].at));
	}
	size_t starts = p->flow.work.count;
	for (size_t next = 0; next < p->flow.work.count; next++) {
		if (next > MAX_ROUNDS * p->flow.contexts.count) /* recursion, which shaders do not have */
			spb_refuse(p, SPB_E_TOO_MUCH, 0,
				   "descriptor flow between functions is too complex to analyse" SPB_REMEDY
				   "Pass an index instead.");
		analyse_context(p, p->flow.work.items[next]);
		if (next + 1 < p->flow.work.count || !p->flow.privates_changed)
			continue;
		p->flow.privates_changed = false;
		for (uint32_t i = 0; i < p->flow.contexts.count; i++)
			spb_queue(p, i);
	}
	p->flow.work.count = 0;
	for (uint32_t i = 0; i < starts; i++)
		mark_live(p, i);
	for (size_t next = 0; next < p->flow.work.count; next++) {
		const struct context *c = &p->flow.contexts.items[p->flow.work.items[next]];
		for (uint32_t i = 0; i < p->flow.functions[c->function].call_count; i++) {
			if (c->callee[i])
				mark_live(p, c->callee[i] - 1);
		}
	}
	p->flow.work.count = 0;
}
