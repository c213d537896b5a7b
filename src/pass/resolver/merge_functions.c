/* SPDX-License-Identifier: Apache-2.0 */
/* merge_functions: copies bodies, with ids of the target.
 *
 * A function that takes pointers to Function variables, as glslang creates them, is also copied as one that takes
 * values:
 *
 *     %f = OpFunction %uint None %type                    %f = OpFunction %uint None %type_of_values
 *     %h = OpFunctionParameter %ptr_Function_v2uint       %v = OpFunctionParameter %v2uint
 *     %p = OpAccessChain %ptr_Function_uint %h %0
 *     %x = OpLoad %uint %p                                %x = OpCompositeExtract %uint %v 0
 *     %w = OpLoad %v2uint %h                              %w = OpCopyObject %v2uint %v
 *
 * If the pointer is used in any other way, it becomes a variable of the function, into which the value is stored. */
#include "pass/resolver/merge.h"

struct parameter {        /* of a function that is converted to take values */
	uint32_t id;      /* in the source */
	uint32_t value;   /* id of the new parameter */
	uint32_t type;    /* type of the value in the target; 0 if it was not a pointer and stays unchanged */
	bool is_variable; /* it needs memory */
};

struct body {
	struct spb_merge *g;
	const struct spb_function *f;
	struct parameter parameters[2];
	uint32_t parameter_count;
	uint32_t *component; /* [bound] pointer to a component of a parameter -> 1 + component + 8 * parameter */
	bool stored;         /* the values have been stored to their variables */
};

enum { PARTS = 8 }; /* more than the components of a parameter */

static struct spb_arena *scratch(const struct spb_merge *g)
{
	return &g->u->m.context->scratch;
}

static void append(struct spb_merge *g, uint32_t op, const uint32_t *operands, uint32_t count)
{
	spb_insert(&g->u->edit, g->u->m.count, op, operands, count);
}

static struct parameter *parameter_of(struct body *b, uint32_t id)
{
	for (uint32_t i = 0; i < b->parameter_count; i++) {
		if (b->parameters[i].id == id && b->parameters[i].type)
			return &b->parameters[i];
	}
	return NULL;
}

/* Pointers to values that are only loaded need no memory: true if the instruction is such a load, or a chain to one. */
static bool put_value(struct body *b, spb_at at, uint32_t result)
{
	const struct spb_module *m = b->g->from;
	uint32_t op = spb_op(m, at);
	const struct parameter *p;

	if (spb_op_is(op, SPB_OP_CHAIN))
		return b->component[m->words[at + 2]] != 0;
	if (op != SpvOpLoad)
		return false;
	uint32_t from = m->words[at + 3], part = b->component[from], type = spb_merge_id(b->g, at, m->words[at + 1]);
	if (part) {
		append(b->g, SpvOpCompositeExtract,
		       W(type, result, b->parameters[(part - 1) / PARTS].value, (part - 1) % PARTS));
		return true;
	}
	p = parameter_of(b, from);
	if (!p || p->is_variable)
		return false;
	append(b->g, SpvOpCopyObject, W(type, result, p->value));
	return true;
}

/* Stores the values to their variables, after the variables of the first block. */
static void store_values(struct body *b)
{
	b->stored = true;
	for (uint32_t i = 0; i < b->parameter_count; i++) {
		const struct parameter *p = &b->parameters[i];
		if (p->type && p->is_variable)
			append(b->g, SpvOpStore, W(b->g->map[p->id], p->value));
	}
}

static void put_variables(struct body *b)
{
	for (uint32_t i = 0; i < b->parameter_count; i++) {
		const struct parameter *p = &b->parameters[i];
		if (p->type && p->is_variable)
			append(b->g, SpvOpVariable,
			       W(b->g->map[spb_type_of(b->g->from, p->id)], b->g->map[p->id], SpvStorageClassFunction));
	}
}

static bool is_line(uint32_t op)
{
	return op == SpvOpLine || op == SpvOpNoLine;
}

static void put_instruction(struct body *b, spb_at at)
{
	struct spb_merge *g = b->g;
	const struct spb_module *m = g->from;
	uint32_t op = spb_op(m, at), id = spb_result(m, at), place[3];

	if (spb_debug_line(m, at, place)) /* the target may have other debug information, or none */
		append(g, SpvOpLine, W(spb_merge_id(g, at, place[0]), place[1], place[2]));
	if (spb_merge_skips(m, at))
		return;
	if (!b->stored && at > b->f->body && op != SpvOpVariable && !is_line(op))
		store_values(b);
	if (op == SpvOpFunctionParameter && parameter_of(b, id))
		append(g, op, W(parameter_of(b, id)->type, parameter_of(b, id)->value));
	else if (!b->parameter_count || !put_value(b, at, id ? g->map[id] : 0))
		append(g, op, spb_merge_operands(g, at), spb_length(m, at) - 1);
	if (at == b->f->body)
		put_variables(b);
}

/* New ids for everything that the body defines; the function itself has one already. */
static void give_ids(struct body *b)
{
	const struct spb_module *m = b->g->from;

	for (spb_at at = spb_next(m, b->f->at); at <= b->f->end; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		if (id && !spb_merge_skips(m, at))
			b->g->map[id] = spb_new_id(&b->g->u->edit);
	}
}

static void put_notes(struct body *b)
{
	const struct spb_module *m = b->g->from;

	for (spb_at at = spb_next(m, b->f->at); at <= b->f->end; at = spb_next(m, at)) {
		uint32_t id = spb_result(m, at);
		const struct parameter *p = id ? parameter_of(b, id) : NULL;
		if (!id || spb_merge_skips(m, at) || (b->parameter_count && b->component[id]))
			continue;
		spb_merge_notes(b->g, id, p && !p->is_variable ? p->value : b->g->map[id]);
	}
}

void spb_merge_functions(struct spb_merge *g)
{
	const struct spb_module *m = g->from;

	for (size_t i = 0; i < g->functions.count; i++) {
		uint32_t id = g->functions.items[i];
		SPB_PUSH(&g->u->m.keep, &g->u->resolver.functions, g->map[id]);
		struct body b = {.g = g, .f = spb_function_around(m, m->def[id]), .stored = true};
		give_ids(&b);
		for (spb_at at = b.f->at; at <= b.f->end; at = spb_next(m, at))
			put_instruction(&b, at);
		spb_merge_notes(g, id, g->map[id]);
		put_notes(&b);
	}
}

/* The constant index of a component; false if it is not constant or out of range. */
static bool is_component(const struct spb_module *m, spb_at chain, uint32_t type, uint32_t *component)
{
	uint64_t value;
	spb_at at = m->def[type];

	if (spb_length(m, chain) != 5 || spb_op(m, at) != SpvOpTypeVector ||
	    spb_def_op(m, m->words[chain + 4]) != SpvOpConstant ||
	    !spb_constant_value(m, m->words[chain + 4], &value) || value >= m->words[at + 3] || value >= PARTS)
		return false;
	*component = (uint32_t)value;
	return true;
}

/* Not as a memory operand, which an invalid resolver may have. */
static bool is_load(const struct spb_module *m, struct spb_use use)
{
	return spb_op(m, use.at) == SpvOpLoad && use.word == use.at + 3;
}

/* Is it only loaded as a whole? */
static bool only_loaded(const struct spb_module *m, uint32_t pointer)
{
	for (uint32_t i = m->first_use[pointer]; i < m->first_use[pointer + 1]; i++) {
		if (!is_load(m, m->use[i]))
			return false;
	}
	return m->first_note[pointer] == m->first_note[pointer + 1] ||
	       !spb_decoration(m, pointer, SpvDecorationNonUniform);
}

/* Is the pointer used other than to load the value or its components? */
static bool needs_memory(struct body *b, uint32_t number, uint32_t type)
{
	const struct spb_module *m = b->g->from;
	uint32_t id = b->parameters[number].id;

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at at = m->use[i].at;
		uint32_t op = spb_op(m, at), component;
		if (is_load(m, m->use[i]) || spb_merge_skips(m, at))
			continue;
		if (!spb_op_is(op, SPB_OP_CHAIN) || m->use[i].word != at + 3 ||
		    !is_component(m, at, type, &component) || !only_loaded(m, m->words[at + 2]))
			return true;
	}
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		spb_at at = m->use[i].at;
		uint32_t component;
		if (spb_op(m, at) != SpvOpLoad && !spb_merge_skips(m, at) && is_component(m, at, type, &component))
			b->component[m->words[at + 2]] = 1 + component + PARTS * number;
	}
	return false;
}

/* Pointee of a parameter type, or 0. */
static uint32_t pointee(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];

	return spb_op(m, at) == SpvOpTypePointer && m->words[at + 2] == SpvStorageClassFunction ? m->words[at + 3] : 0;
}

static uint32_t type_of_values(struct body *b)
{
	const struct spb_merge *g = b->g;
	uint32_t words[3] = {g->map[g->from->words[b->f->at + 1]]};

	for (uint32_t i = 0; i < b->parameter_count; i++) {
		const struct parameter *p = &b->parameters[i];
		words[1 + i] = p->type ? p->type : g->map[spb_type_of(g->from, p->id)];
	}
	return spb_merged_global(g->merged, SpvOpTypeFunction, words, 1 + b->parameter_count);
}

uint32_t spb_merge_function_of_values(struct spb_merge *g, uint32_t function)
{
	const struct spb_module *m = g->from;
	struct spb_edit *e = &g->u->edit;
	struct body b = {.g = g, .f = spb_function_around(m, m->def[function])};
	spb_at at = spb_next_parameter(m, b.f->at);
	uint32_t id = spb_new_id(e);

	b.component = spb_alloc_zeroed(scratch(g), m->bound, sizeof *b.component);
	for (; spb_op(m, at) == SpvOpFunctionParameter && b.parameter_count < 2; at = spb_next_parameter(m, at)) {
		uint32_t type = pointee(m, m->words[at + 1]), number = b.parameter_count++;
		b.parameters[number] = (struct parameter){.id = m->words[at + 2], .value = spb_new_id(e)};
		if (type) {
			b.parameters[number].type = g->map[type];
			b.parameters[number].is_variable = needs_memory(&b, number, type);
		}
	}
	give_ids(&b);
	SPB_PUSH(&g->u->m.keep, &g->u->resolver.functions, id);
	append(g, SpvOpFunction, W(g->map[m->words[b.f->at + 1]], id, m->words[b.f->at + 3], type_of_values(&b)));
	for (at = spb_next(m, b.f->at); at <= b.f->end; at = spb_next(m, at))
		put_instruction(&b, at);
	spb_merge_notes(g, function, id);
	put_notes(&b);
	return id;
}
