/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/uniformity/descriptor_paths.h"
#include "analysis/uniformity/uniformity_tables.h"

enum { MAX_ROUNDS = 64 };

bool spb_is_opaque_type(const struct spb_module *m, uint32_t type)
{
	return spb_op_is(spb_def_op(m, type), SPB_OP_OPAQUE);
}

bool spb_selects_descriptor(const struct spb_module *m, uint32_t base, enum spb_descriptor *kind)
{
	spb_at pointer = m->def[spb_type_of(m, base)];
	uint32_t element;

	if (spb_op(m, pointer) != SpvOpTypePointer || !spb_is_resource_class(m->words[pointer + 2]))
		return false;
	element = spb_array_element(m, m->words[pointer + 3]);
	if (!element)
		return false;
	for (int depth = 0; spb_array_element(m, element); depth++) { /* arrays of arrays: an index of any dimension
								       * selects */
		if (depth == 16)
			return false; /* no front end writes this; it will be refused */
		element = spb_array_element(m, element);
	}
	/* an array of structs inside a buffer is not one: its elements are not blocks */
	if (spb_def_op(m, element) == SpvOpTypeStruct && !spb_decoration(m, element, SpvDecorationBlock) &&
	    !spb_decoration(m, element, SpvDecorationBufferBlock))
		return false;
	*kind = spb_descriptor_of(m, m->words[pointer + 2], element);
	return *kind != SPB_DESCRIPTOR_OTHER;
}

static bool is_dynamic_chain(const struct spb_module *m, spb_at at, enum spb_descriptor *kind)
{
	uint32_t op = spb_op(m, at);

	return spb_op_is(op, SPB_OP_CHAIN) && spb_length(m, at) >= 5 && !spb_is_constant(m, m->words[at + 4]) &&
	       spb_def_op(m, spb_type_of(m, m->words[at + 4])) == SpvOpTypeInt &&
	       spb_selects_descriptor(m, m->words[at + 3], kind);
}

bool spb_has_dynamic_chain(const struct spb_module *m)
{
	enum spb_descriptor kind;

	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].label; at && at < m->function[f].end; at = spb_next(m, at)) {
			if (is_dynamic_chain(m, at, &kind))
				return true;
		}
	}
	return false;
}

bool spb_path_operands(const struct spb_module *m, spb_at at, uint32_t *first, uint32_t *end)
{
	uint32_t op = spb_op(m, at);

	*first = op == SpvOpSelect ? at + 4 : at + 3;
	*end = op == SpvOpSelect ? at + 6 : op == SpvOpSampledImage ? at + 5 : at + 4;
	if (op == SpvOpPhi) /* labels lie between the operands */
		*end = spb_next(m, at);
	if (op == SpvOpLoad) /* loads the descriptor itself, not the buffer's contents */
		return spb_is_opaque_type(m, m->words[at + 1]);
	return spb_op_is(op, SPB_OP_LEADS_ON);
}

static bool mark(struct spb_paths *p, uint32_t id)
{
	bool is_new = !p->on_path[id];

	p->on_path[id] = 1;
	return is_new;
}

/* A parameter is on the path if an argument is. */
static bool see_call(struct spb_paths *p, const struct spb_module *m, const struct spb_calls *calls, spb_at at)
{
	uint32_t f = calls->function_of[m->words[at + 3]];
	bool changed = false;

	if (!f)
		return false;
	uint32_t first = calls->first_parameter[f - 1], count = calls->first_parameter[f] - first;
	for (uint32_t k = 0; k < count && at + 4 + k < spb_next(m, at); k++) {
		if (p->on_path[m->words[at + 4 + k]])
			changed |= mark(p, calls->parameters.items[first + k]);
	}
	return changed;
}

/* True: something that was visited earlier is now on the path. */
static bool walk(struct spb_paths *p, const struct spb_module *m, const struct spb_calls *calls, const uint32_t *but,
		 struct spb_arena *arena, bool first_round)
{
	bool again = false;

	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].label; at && at < m->function[f].end; at = spb_next(m, at)) {
			uint32_t first, end, op = spb_op(m, at);
			struct spb_chain chain = {.at = at};
			bool changed = false;
			if (op == SpvOpFunctionCall) {
				again |= see_call(p, m, calls, at);
			} else if (is_dynamic_chain(m, at, &chain.kind) && !(but && spb_bit(but, m->words[at + 3]))) {
				if (first_round)
					SPB_PUSH(arena, &p->chains, chain);
				mark(p, m->words[at + 2]);
			} else if (spb_path_operands(m, at, &first, &end)) {
				for (uint32_t w = first; w < end; w++)
					changed |= p->on_path[m->words[w]] && mark(p, m->words[at + 2]);
				again |= changed && !first_round;
				again |= first_round && op == SpvOpPhi &&
					 spb_def_op(m, m->words[at + 1]) == SpvOpTypePointer;
			}
		}
	}
	return again;
}

struct spb_paths spb_find_paths(const struct spb_module *m, const struct spb_calls *calls, const uint32_t *but,
				struct spb_arena *arena)
{
	struct spb_paths p = {.on_path = spb_alloc_zeroed(arena, m->bound, 1)};
	uint32_t round = 0;

	while (walk(&p, m, calls, but, arena, round == 0)) {
		if (++round < MAX_ROUNDS)
			continue;
		for (size_t i = 0; i < calls->parameters.count; i++) /* calls nested too deeply */
			mark(&p, calls->parameters.items[i]);
		walk(&p, m, calls, but, arena, false);
		break;
	}
	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].label; at && at < m->function[f].end; at = spb_next(m, at)) {
			const struct spb_op_facts *row = spb_op_facts(spb_op(m, at));
			uint32_t first, end;
			if (!row->resource || spb_op(m, at) == SpvOpImageTexelPointer ||
			    spb_path_operands(m, at, &first, &end))
				continue;
			if (at + row->resource < spb_next(m, at) && p.on_path[m->words[at + row->resource]])
				SPB_PUSH(arena, &p.accesses, ((struct spb_operand_use){at, at + row->resource}));
			if (row->resource2 && at + row->resource2 < spb_next(m, at) &&
			    p.on_path[m->words[at + row->resource2]])
				SPB_PUSH(arena, &p.accesses, ((struct spb_operand_use){at, at + row->resource2}));
		}
	}
	return p;
}
