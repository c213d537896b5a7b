/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/paths/descriptor_paths.h"

enum { MAX_ROUNDS = 64 };

static bool mark(struct spb_paths *p, uint32_t id)
{
	bool is_new = !p->on_path[id];

	p->on_path[id] = true;
	return is_new;
}

uint32_t *spb_find_marks(const struct spb_module *m, struct spb_arena *arena)
{
	uint32_t *marked = spb_bits(arena, m->bound);

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION];
	     m->has & SPB_HAS_MARKS && at < m->section[SPB_SECTION_GLOBAL]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpDecorate && m->words[at + 2] == SpvDecorationNonUniform)
			spb_set_bit(marked, m->words[at + 1]);
	}
	return marked;
}

/* A parameter is on the path if an argument is. */
static bool see_call(struct spb_paths *p, const struct spb_module *m, const struct spb_calls *calls, spb_at at)
{
	uint32_t f = calls->function_of[m->words[at + 3]];
	bool changed = false;

	if (spb_names_descriptor(m, m->words[at + 2]) && !spb_has_one_target(&p->targets, m->words[at + 2]))
		mark(p, m->words[at + 2]);
	if (!f)
		return false;
	uint32_t first = calls->first_parameter[f - 1], count = calls->first_parameter[f] - first;
	for (uint32_t k = 0; k < count && at + 4 + k < spb_next(m, at); k++) {
		if (p->on_path[m->words[at + 4 + k]])
			changed |= mark(p, calls->parameters.items[first + k]);
	}
	return changed;
}

/* Is the result on the path? */
static bool is_reached(struct spb_paths *p, const struct spb_module *m, spb_at at, const uint32_t *but,
		       struct spb_arena *arena, bool first_round)
{
	uint32_t op = spb_op(m, at), first, end;
	bool reached = false;

	if (spb_path_operands(m, at, &first, &end)) {
		for (uint32_t w = first; w < end; w++)
			reached |= p->on_path[m->words[w]];
		if (spb_is_any_chain(op)) {
			if (!spb_has_variable_index(m, at))
				return reached;
			struct spb_selection s = spb_selection_of(m, at);
			if (!s.dynamic || (but && spb_bit(but, m->words[s.base])))
				return reached;
			if (first_round)
				SPB_PUSH(arena, &p->chains, ((struct spb_chain){at, s}));
			return true;
		}
		if (!spb_op_is(op, SPB_OP_JOINS))
			return reached;
	}
	return reached || (spb_yields_any(m, at) && !spb_has_one_target(&p->targets, m->words[at + 2]));
}

/* Finds the types whose values name descriptors, and undefined values of these, which are pointers of unknown origin.
 * An undefined value of an opaque type is an error wherever it is reached (SPB2003). */
static uint32_t *find_names(struct spb_paths *p, const struct spb_module *m, struct spb_arena *arena)
{
	uint32_t *names = spb_bits(arena, m->bound);

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		const uint32_t op = spb_op(m, at);
		if (spb_op_is(op, SPB_OP_IS_TYPE) && spb_is_name_type(m, m->words[at + 1]))
			spb_set_bit(names, m->words[at + 1]);
		else if (op == SpvOpUndef && !spb_is_opaque_type(m, m->words[at + 1]) &&
			 spb_names_descriptor(m, m->words[at + 2]))
			mark(p, m->words[at + 2]);
	}
	return names;
}

/* All instructions that matter: those that may be on the path, and those that may access what is on it. */
struct candidates {
	SPB_LIST(spb_at) on_path;
	SPB_LIST(spb_at) accesses;
};

static bool may_be_on_path(const struct spb_module *m, const uint32_t *names, uint32_t id)
{
	return spb_bit(names, spb_type_of(m, id)) || spb_def_op(m, id) == SpvOpFunctionParameter;
}

static bool may_access(const struct spb_module *m, spb_at at, const struct spb_op_facts *row, const uint32_t *names)
{
	bool may = false;

	if (spb_op(m, at) == SpvOpExtInst) { /* Modf and the like */
		for (uint32_t w = at + 5; w < spb_next(m, at) && !may; w++)
			may = may_be_on_path(m, names, m->words[w]);
		return may && !spb_is_non_semantic(m, at);
	}
	if (!row->resource || row->flags & SPB_OP_FORWARDS || at + row->resource >= spb_next(m, at))
		return false;
	return may_be_on_path(m, names, m->words[at + row->resource]) ||
	       (row->resource2 && at + row->resource2 < spb_next(m, at) &&
		may_be_on_path(m, names, m->words[at + row->resource2]));
}

static struct candidates find_candidates(const struct spb_module *m, const uint32_t *names, struct spb_arena *arena)
{
	struct candidates list = {0};

	for (uint32_t f = 0; f < m->function_count; f++) {
		const uint32_t *end = m->words + m->function[f].end;
		for (const uint32_t *w = m->words + m->function[f].body; w < end; w += *w >> 16) {
			const uint32_t op = *w & 0xFFFF;
			const struct spb_op_facts *row = spb_op_facts(op);
			if ((row->resource || op == SpvOpExtInst) && may_access(m, (spb_at)(w - m->words), row, names))
				SPB_PUSH(arena, &list.accesses, (spb_at)(w - m->words));
			if (row->flags & SPB_OP_HAS_TYPE && (spb_bit(names, w[1]) || op == SpvOpFunctionCall))
				SPB_PUSH(arena, &list.on_path, (spb_at)(w - m->words));
		}
	}
	return list;
}

/* True: something that was visited earlier is now on the path. */
static bool walk(struct spb_paths *p, const struct spb_module *m, const struct spb_calls *calls, const uint32_t *but,
		 struct spb_arena *arena, const struct candidates *list, bool first_round)
{
	bool again = false;

	for (size_t i = 0; i < list->on_path.count; i++) {
		const spb_at at = list->on_path.items[i];
		const uint32_t op = spb_op(m, at);
		if (op == SpvOpFunctionCall) {
			again |= see_call(p, m, calls, at);
		} else {
			again |=
			    is_reached(p, m, at, but, arena, first_round) && mark(p, m->words[at + 2]) && !first_round;
			again |= first_round && op == SpvOpPhi; /* its operands may be defined further down */
		}
	}
	return again;
}

/* Parameters of functions that other modules call are pointers of unknown origin. */
static void see_unknown(struct spb_paths *p, const struct spb_module *m, const struct spb_calls *calls)
{
	bool linkage = spb_has_capability(m, SpvCapabilityLinkage);

	for (uint32_t f = 0; linkage && f < m->function_count; f++) {
		if (!spb_decoration(m, m->words[m->function[f].at + 2], SpvDecorationLinkageAttributes))
			continue;
		for (uint32_t i = calls->first_parameter[f]; i < calls->first_parameter[f + 1]; i++) {
			if (spb_names_descriptor(m, calls->parameters.items[i]))
				mark(p, calls->parameters.items[i]);
		}
	}
}

static void see_access(struct spb_paths *p, const struct spb_module *m, spb_at at, uint32_t word,
		       struct spb_arena *arena)
{
	if (word < spb_next(m, at) && p->on_path[m->words[word]])
		SPB_PUSH(arena, &p->accesses, ((struct spb_operand_use){at, word}));
}

static void find_accesses(struct spb_paths *p, const struct spb_module *m, const struct candidates *list,
			  struct spb_arena *arena)
{
	for (size_t i = 0; i < list->accesses.count; i++) {
		spb_at at = list->accesses.items[i];
		const struct spb_op_facts *row = spb_op_facts(spb_op(m, at));
		uint32_t first, end;
		if (spb_op(m, at) == SpvOpExtInst) {
			for (uint32_t w = at + 5; w < spb_next(m, at); w++)
				see_access(p, m, at, w, arena);
			continue;
		}
		if (spb_op(m, at) == SpvOpLoad && spb_path_operands(m, at, &first, &end))
			continue;
		see_access(p, m, at, at + row->resource, arena);
		if (row->resource2)
			see_access(p, m, at, at + row->resource2, arena);
	}
}

struct spb_paths spb_find_paths(const struct spb_module *m, const struct spb_calls *calls, const uint32_t *but,
				struct spb_arena *arena)
{
	struct spb_paths p = {.on_path = spb_alloc_zeroed(arena, m->bound, sizeof *p.on_path),
			      .targets = spb_find_targets(m, calls, arena)};
	uint32_t round = 0, *names = find_names(&p, m, arena);
	struct candidates list = find_candidates(m, names, arena);

	see_unknown(&p, m, calls);
	for (; round < MAX_ROUNDS && walk(&p, m, calls, but, arena, &list, !round); round++)
		continue;
	if (round == MAX_ROUNDS) { /* calls nested too deeply */
		for (size_t i = 0; i < calls->parameters.count; i++)
			mark(&p, calls->parameters.items[i]);
		walk(&p, m, calls, but, arena, &list, false);
	}
	find_accesses(&p, m, &list, arena);
	return p;
}
