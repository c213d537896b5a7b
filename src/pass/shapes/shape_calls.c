/* SPDX-License-Identifier: Apache-2.0 */
/* shape_calls: finds the pointers to resources among function parameters that have to become indexes.
 *
 * SPIR-V 2.16.1, "Universal Validation Rules": in logical addressing, an argument is a variable, a parameter, or an
 * element of an array of images or samplers. A parameter is lowered if it receives anything else, or (part of) a
 * resource whose shape changes, or if its descriptor goes into memory or a phi: its function is copied for each
 * resource it is called with, and takes the index. A parameter that receives a descriptor of a handle is lowered, too:
 * with the index at hand, each access can be judged, decorated or put into a loop separately. Whatever such a parameter
 * is passed on to is lowered as well. Everything else stays as it is. */
#include "pass/shapes/shape.h"

struct edges { /* parameter -> parameters that it is passed to */
	struct edge {
		uint32_t to, next;
	} * items;
	size_t count, capacity;
};

static bool is_resource_pointer(const struct shapes *p, uint32_t type)
{
	const struct spb_module *m = p->m;

	return spb_def_op(m, type) == SpvOpTypePointer &&
	       m->words[m->def[type] + 2] == SpvStorageClassUniformConstant &&
	       spb_type_holds_descriptors(p, m->words[m->def[type] + 3]);
}

static void lower(struct shapes *p, uint32_t parameter)
{
	if (spb_bit(p->model.lowered, parameter))
		return;
	spb_set_bit(p->model.lowered, parameter);
	SPB_PUSH(p->arena, &p->flow.work, parameter);
}

static bool has_bad_shape(const struct shapes *p, uint32_t type)
{
	uint32_t element = spb_array_element(p->m, type), op = spb_def_op(p->m, element ? element : type);

	return op == SpvOpTypeStruct || spb_op_is(op, SPB_OP_ARRAY);
}

/* SPIR-V 2.16.1 allows the id as an argument, judging by the chain from the variable or parameter. */
static bool is_legal_argument(const struct shapes *p, uint32_t id)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_def_op(m, id), pointee = m->words[m->def[spb_type_of(m, id)] + 3];

	return op == SpvOpVariable || op == SpvOpFunctionParameter || spb_def_op(m, pointee) == SpvOpTypeImage ||
	       spb_def_op(m, pointee) == SpvOpTypeSampler;
}

static void see_argument(struct shapes *p, uint32_t argument, uint32_t parameter, struct edges *edges)
{
	uint32_t base = p->model.base_of[argument] ? p->model.base_of[argument] : argument;

	if (!is_resource_pointer(p, spb_type_of(p->m, parameter)))
		return;
	if (!is_legal_argument(p, argument) || spb_bit(p->model.heaps, base) ||
	    (spb_root_number(p, base) && p->model.roots.items[spb_root_number(p, base) - 1].reshaped))
		lower(p, parameter);
	if (spb_def_op(p->m, base) == SpvOpFunctionParameter) {
		SPB_PUSH(p->arena, edges, ((struct edge){parameter, p->writer.map[base]}));
		p->writer.map[base] = (uint32_t)edges->count;
	}
}

static void see_call(struct shapes *p, spb_at at, struct edges *edges)
{
	const struct spb_module *m = p->m;
	const struct function *f = &p->flow.functions[p->flow.function_of[m->words[at + 3]] - 1];

	for (uint32_t i = 0; i < f->parameter_count; i++)
		see_argument(p, m->words[at + 4 + i], p->flow.parameters.items[f->first_parameter + i], edges);
}

/* A descriptor loaded through a parameter flows to where only an index can go. */
static void see_flow(struct shapes *p, spb_at at)
{
	const struct spb_module *m = p->m;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		spb_at load = o.kind == SPB_KIND_ID ? m->def[m->words[o.word]] : 0;
		if (spb_op(m, load) != SpvOpLoad || !spb_type_holds_descriptors(p, m->words[load + 1]))
			continue;
		uint32_t pointer = m->words[load + 3],
			 base = p->model.base_of[pointer] ? p->model.base_of[pointer] : pointer;
		if (spb_def_op(m, base) == SpvOpFunctionParameter && is_resource_pointer(p, spb_type_of(m, base)))
			lower(p, base);
	}
}

/* Loaded directly from a resource, not selected from several. */
static bool is_direct(const struct shapes *p, uint32_t id)
{
	spb_at load = p->m->def[id];

	return spb_op(p->m, load) == SpvOpLoad && is_resource_pointer(p, spb_type_of(p->m, p->m->words[load + 3]));
}

void spb_find_lowered_parameters(struct shapes *p)
{
	const struct spb_module *m = p->m;
	struct edges edges = {0};

	p->model.lowered = spb_bits(p->arena, m->bound);
	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].at; at < m->function[f].end; at = spb_next(m, at)) {
			uint32_t op = spb_op(m, at);
			if (op == SpvOpFunctionParameter && is_resource_pointer(p, m->words[at + 1]) &&
			    has_bad_shape(p, m->words[m->def[m->words[at + 1]] + 3]))
				lower(p, m->words[at + 2]);
			if (op == SpvOpFunctionCall)
				see_call(p, at, &edges);
			bool chosen = op == SpvOpSampledImage &&
				      (!is_direct(p, m->words[at + 3]) || !is_direct(p, m->words[at + 4]));
			/* what is combined with a selected descriptor is loaded with it */
			if (spb_op_is(op, SPB_OP_MOVES) || chosen)
				see_flow(p, at);
		}
	}
	while (p->flow.work.count) {
		uint32_t from = p->flow.work.items[--p->flow.work.count];
		for (uint32_t i = p->writer.map[from]; i; i = edges.items[i - 1].next)
			lower(p, edges.items[i - 1].to);
	}
	memset(p->writer.map, 0, m->bound * sizeof *p->writer.map);
}
