/* SPDX-License-Identifier: Apache-2.0 */
/* resolve_calls: which pointers to resources that functions take must become indexes.
 *
 * SPIR-V 2.16.1: in logical addressing an argument is a variable, a parameter, or an element of an array of images
 * or samplers. A parameter that is given anything else, or (a part of) a resource whose shape changes, or whose
 * descriptor goes into memory or a phi, is lowered: its function is made anew for each resource it is called with,
 * and takes the index. What such a parameter is passed on to is lowered, too. All else stays as it is. */
#include "pass/resolve.h"

struct edges {          /* parameter -> parameters that it is given to */
	uint32_t *head; /* [bound] edge + 1 */
	struct edge {
		uint32_t to, next;
	} * items;
	size_t count, capacity;
};

static bool is_resource_pointer(const struct plan *p, uint32_t type)
{
	const struct spb_module *m = p->m;

	return spb_def_op(m, type) == SpvOpTypePointer &&
	       m->words[m->def[type] + 2] == SpvStorageClassUniformConstant &&
	       spb_type_holds_descriptors(p, m->words[m->def[type] + 3]);
}

static void lower(struct plan *p, uint32_t parameter)
{
	if (spb_bit(p->lowered, parameter))
		return;
	spb_set_bit(p->lowered, parameter);
	SPB_PUSH(p->arena, &p->work, parameter);
}

static bool has_bad_shape(const struct plan *p, uint32_t type)
{
	uint32_t element = spb_array_element(p->m, type), op = spb_def_op(p->m, element ? element : type);

	return op == SpvOpTypeStruct || op == SpvOpTypeArray || op == SpvOpTypeRuntimeArray;
}

/* SPIR-V 2.16.1 allows it as an argument, as far as the way from the variable or parameter goes. */
static bool is_legal_argument(const struct plan *p, uint32_t id)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_def_op(m, id), pointee = m->words[m->def[spb_type_of(m, id)] + 3];

	return op == SpvOpVariable || op == SpvOpFunctionParameter || spb_def_op(m, pointee) == SpvOpTypeImage ||
	       spb_def_op(m, pointee) == SpvOpTypeSampler;
}

static void see_argument(struct plan *p, uint32_t argument, uint32_t parameter, const uint32_t *base_of,
			 struct edges *edges)
{
	uint32_t base = base_of[argument] ? base_of[argument] : argument;

	if (!is_resource_pointer(p, spb_type_of(p->m, parameter)))
		return;
	if (!is_legal_argument(p, argument) || (p->root_of[base] && p->roots.items[p->root_of[base] - 1].reshaped))
		lower(p, parameter);
	if (spb_def_op(p->m, base) == SpvOpFunctionParameter) {
		SPB_PUSH(p->arena, edges, ((struct edge){parameter, edges->head[base]}));
		edges->head[base] = (uint32_t)edges->count;
	}
}

static void see_call(struct plan *p, spb_at at, const struct spb_calls *calls, const uint32_t *base_of,
		     struct edges *edges)
{
	const struct spb_module *m = p->m;
	uint32_t callee = calls->function_of[m->words[at + 3]];

	if (!callee)
		return;
	uint32_t first = calls->first_parameter[callee - 1], count = calls->first_parameter[callee] - first;
	for (uint32_t i = 0; i < count && at + 4 + i < spb_next(m, at); i++)
		see_argument(p, m->words[at + 4 + i], calls->parameters.items[first + i], base_of, edges);
}

/* A descriptor that was loaded through a parameter goes where only an index can go. */
static void see_flow(struct plan *p, spb_at at, const uint32_t *base_of)
{
	const struct spb_module *m = p->m;

	for (struct spb_operand o = spb_operands(m, at); spb_operand_next(&o);) {
		uint32_t id = m->words[o.word], load = m->def[id];
		if (o.kind != SPB_KIND_ID || spb_op(m, load) != SpvOpLoad ||
		    !spb_type_holds_descriptors(p, m->words[load + 1]))
			continue;
		uint32_t pointer = m->words[load + 3], base = base_of[pointer] ? base_of[pointer] : pointer;
		if (spb_def_op(m, base) == SpvOpFunctionParameter && is_resource_pointer(p, spb_type_of(m, base)))
			lower(p, base);
	}
}

void spb_find_lowered_parameters(struct plan *p)
{
	const struct spb_module *m = p->m;
	struct spb_calls calls = spb_find_calls(m, p->arena);
	uint32_t *base_of = spb_pointer_bases(m, p->arena);
	struct edges edges = {.head = spb_alloc_zeroed(p->arena, m->bound, sizeof *edges.head)};

	p->lowered = spb_bits(p->arena, m->bound);
	for (uint32_t f = 0; f < m->function_count; f++) {
		for (spb_at at = m->function[f].at; at < m->function[f].end; at = spb_next(m, at)) {
			uint32_t op = spb_op(m, at);
			if (op == SpvOpFunctionParameter && is_resource_pointer(p, m->words[at + 1]) &&
			    has_bad_shape(p, m->words[m->def[m->words[at + 1]] + 3]))
				lower(p, m->words[at + 2]);
			if (op == SpvOpFunctionCall)
				see_call(p, at, &calls, base_of, &edges);
			if (spb_is_flow(op))
				see_flow(p, at, base_of);
		}
	}
	while (p->work.count) {
		uint32_t from = p->work.items[--p->work.count];
		for (uint32_t i = edges.head[from]; i; i = edges.items[i - 1].next)
			lower(p, edges.items[i - 1].to);
	}
}
