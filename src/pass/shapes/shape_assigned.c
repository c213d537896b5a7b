/* SPDX-License-Identifier: Apache-2.0 */
/* shape_assigned: warns where a local descriptor is read that one path leaves unassigned.
 *
 *     Texture2D t;
 *     if (c)
 *             t = a;
 *     t.Load(...);          is a.Load(...), whatever c is
 *
 * Nothing else can be meant, but the author may have forgotten the other path. A cell of local memory is assigned where
 * every path has stored to it. What a dynamic index stores to, such as an array that a loop fills, and what a function
 * gets a pointer to, counts as assigned. */
#include "pass/shapes/shape.h"

enum { MOST_ROUNDS = 64 }; /* for a function; after these, too much counts as assigned */

struct walk {
	struct shapes *p;
	const struct context *c;
	const struct function *f;
	bool *entered; /* [block_count][state_cells] assigned on all paths into a block that are known so far */
	bool *cells;   /* [state_cells] assigned here */
	bool changed;
};

/* The cells that a pointer to memory of the function refers to, or NULL; *v: the pointer. */
static bool *cells_of(const struct walk *w, uint32_t pointer, struct value *v)
{
	if (!spb_pointer_value(w->p, w->c, pointer, v) || !v->object || spb_is_private_object(v->object))
		return NULL;
	return w->cells + w->p->flow.objects.items[w->f->first_object + v->object - 1].first + v->base;
}

static void assign(const struct walk *w, uint32_t pointer)
{
	struct value v;
	bool *cells = cells_of(w, pointer, &v);

	for (uint32_t i = 0; cells && i < v.count; i++)
		cells[i] = true;
}

/* Memory that is assigned before the first block: parameters, and variables with an initializer or a dynamic store. */
static void assign_at_entry(const struct walk *w)
{
	const struct spb_module *m = w->p->m;
	struct value v;

	for (uint32_t i = 0; i < w->f->event_count; i++) {
		spb_at at = w->p->flow.events.items[w->f->first_event + i].at;
		uint32_t op = spb_op(m, at);
		if (op == SpvOpFunctionParameter || (op == SpvOpVariable && spb_length(m, at) > 4))
			assign(w, m->words[at + 2]);
		if (op != SpvOpStore || !cells_of(w, m->words[at + 1], &v) || !v.span_count)
			continue;
		const struct object *o = &w->p->flow.objects.items[w->f->first_object + v.object - 1];
		memset(w->cells + o->first, true, o->count * sizeof *w->cells);
	}
}

static void leave_block(struct walk *w, spb_at at)
{
	const struct spb_module *m = w->p->m;
	const uint32_t count = w->f->state_cells;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		if (o.kind != SPB_KIND_ID || spb_def_op(m, m->words[o.word]) != SpvOpLabel)
			continue;
		bool *entered = w->entered + (size_t)w->p->flow.block_of[m->words[o.word]] * count;
		for (uint32_t i = 0; i < count; i++) {
			w->changed |= entered[i] && !w->cells[i];
			entered[i] &= w->cells[i];
		}
	}
}

static void step(struct walk *w, const struct event *event)
{
	const struct spb_module *m = w->p->m;
	spb_at at = event->at;
	uint32_t op = spb_op(m, at);

	if (op == SpvOpLabel && event->block)
		memcpy(w->cells, w->entered + (size_t)event->block * w->f->state_cells,
		       w->f->state_cells * sizeof *w->cells);
	else if (op == SpvOpStore)
		assign(w, m->words[at + 1]);
	else if (op == SpvOpFunctionCall)
		for (uint32_t i = at + 4; i < spb_next(m, at); i++)
			assign(w, m->words[i]);
	else if (spb_op_is(op, SPB_OP_TERMINATOR))
		leave_block(w, at);
}

/* Whether the cell of a pointer is assigned, or each element that its dynamic index may mean. */
static bool is_whole(const bool *cells, const struct value *pointer)
{
	const struct span *span = pointer->spans;

	if (pointer->span_count != 1)
		return pointer->span_count || *cells;
	for (uint32_t i = 0; i < span->count; i++) {
		if (!cells[(size_t)i * span->stride])
			return false;
	}
	return true;
}

/* Whether an instruction reads one descriptor that some paths assign, and others do not. */
static bool is_partial(const struct walk *w, spb_at at)
{
	const struct spb_module *m = w->p->m;
	uint32_t op = spb_op(m, at), undefined = 0;
	struct value v;

	if (spb_op_is(op, SPB_OP_JOINS) && op != SpvOpCompositeConstruct && op != SpvOpCompositeInsert &&
	    spb_carrier_kind(w->p, m->words[at + 2]) == CARRIER_VALUE) {
		for (uint32_t i = at + (op == SpvOpSelect ? 4 : 3); i < spb_next(m, at); i++)
			undefined += spb_def_op(m, m->words[i]) == SpvOpUndef;
		const struct value *joined = spb_value_of(w->p, w->c, m->words[at + 2]);
		return undefined && joined->used && joined->cells && *joined->cells;
	}
	if (op != SpvOpLoad && op != SpvOpImageTexelPointer)
		return false;
	const bool *cells = cells_of(w, m->words[at + 3], &v);
	const struct value *read = cells && v.count == 1 ? spb_value_of(w->p, w->c, m->words[at + 2]) : NULL;
	return read && !is_whole(cells, &v) && read->cells && *read->cells; /* no path at all: an error at its use */
}

/* OpPhi has no line of its own; the instruction that uses it has. */
static spb_at place_of(const struct spb_module *m, spb_at at)
{
	const uint32_t id = m->words[at + 2];

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at use = m->use[i].at;
		if (spb_op(m, at) == SpvOpPhi && !spb_op_is(spb_op(m, use), SPB_OP_JOINS) &&
		    !spb_is_non_semantic(m, use))
			return use;
	}
	return at;
}

static void judge(struct walk *w, const struct event *event)
{
	const struct spb_module *m = w->p->m;
	spb_at at = event->at;

	if (w->c->reached[event->block] != BLOCK_LIVE || !is_partial(w, at))
		return;
	at = place_of(m, at);
	spb_report(m, SPB_SEVERITY_WARNING, SPB_E_PARTLY_ASSIGNED, at,
		   "%s uses a local descriptor that some paths leave unassigned, so it is what the others assign",
		   spb_word_of(m, at));
}

static void walk_blocks(struct walk *w, const bool *entry, void (*visit)(struct walk *, const struct event *))
{
	memcpy(w->cells, entry, w->f->state_cells * sizeof *w->cells);
	for (uint32_t i = 0; i < w->f->event_count; i++) {
		const struct event *event = &w->p->flow.events.items[w->f->first_event + i];
		if (visit)
			visit(w, event);
		step(w, event);
	}
}

static void warn_in(struct shapes *p, const struct context *c)
{
	struct walk w = {.p = p, .c = c, .f = &p->flow.functions[c->function], .changed = true};
	const size_t count = w.f->state_cells;

	w.cells = spb_alloc_zeroed(p->arena, count, sizeof *w.cells);
	w.entered = spb_alloc_array(p->arena, count * w.f->block_count, sizeof *w.entered);
	memset(w.entered, true, count * w.f->block_count * sizeof *w.entered);
	assign_at_entry(&w);
	bool *entry = spb_alloc_array(p->arena, count, sizeof *entry);
	memcpy(entry, w.cells, count * sizeof *entry);
	for (uint32_t rounds = 0; w.changed && rounds < MOST_ROUNDS; rounds++) {
		w.changed = false;
		walk_blocks(&w, entry, NULL);
	}
	walk_blocks(&w, entry, judge);
}

void spb_warn_of_unassigned(struct shapes *p)
{
	for (uint32_t f = 0; f < p->m->function_count; f++) {
		uint32_t context = p->flow.functions[f].first_context;
		while (context && !p->flow.contexts.items[context - 1].live)
			context = p->flow.contexts.items[context - 1].next;
		if (context) /* all contexts have the same paths */
			warn_in(p, &p->flow.contexts.items[context - 1]);
	}
}
