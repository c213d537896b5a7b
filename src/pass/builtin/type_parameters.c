/* SPDX-License-Identifier: Apache-2.0 */
/* type-parameters: parameters that are untyped pointers get a type before built-in heaps become arrays, which have
 * typed pointers only. It is the type of the parameter's accesses, if all have the same.
 *
 *     %f = OpFunction %uint None %fn                       the same, with another function type
 *     %p = OpFunctionParameter %untyped                    %p = OpFunctionParameter %ptr_UniformConstant_image
 *     %l = OpLoad %image %p
 *     …
 *     %c = OpUntypedAccessChainKHR %untyped %image %var
 *     %r = OpFunctionCall %uint %f %c                      %r = OpFunctionCall %uint %f %var
 *
 * lower-builtin-heaps refuses those that are left (SPB_E_BUILTIN_HEAP). */
#include "pass/builtin/builtin_heaps.h"

struct plan {
	struct spb_module *m;
	struct spb_edit *e;
	uint32_t *types, *gone; /* bits over ids: for spb_sweep_types */
};

static bool is_chain(uint32_t op)
{
	return op == OpUntypedAccessChainKHR || op == OpUntypedInBoundsAccessChainKHR;
}

/* What an access reads or writes; 0: it is none. */
static uint32_t accessed_type(const struct spb_module *m, struct spb_use use)
{
	const uint32_t *w = m->words + use.at;
	uint32_t op = spb_op(m, use.at), operand = use.word - use.at;

	if (op == SpvOpLoad)
		return w[1];
	if (op == SpvOpStore && operand == 1)
		return spb_type_of(m, w[2]);
	if (op == SpvOpAtomicStore && operand == 1)
		return spb_type_of(m, w[4]);
	return spb_op_is(op, SPB_OP_ATOMIC) && operand == 3 ? w[1] : 0;
}

static uint32_t type_of_accesses(const struct spb_module *m, uint32_t id)
{
	uint32_t type = 0;

	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		if (spb_is_non_semantic(m, m->use[i].at))
			continue;
		uint32_t accessed = accessed_type(m, m->use[i]);
		if (!accessed || (type && type != accessed))
			return 0;
		type = accessed;
	}
	return type;
}

/* The variable that an untyped chain without indices is a pointer to; 0: it is another chain. */
static uint32_t whole_variable(const struct spb_module *m, spb_at chain, uint32_t type)
{
	uint32_t variable = m->words[chain + 4];
	spb_at pointer = m->def[spb_type_of(m, variable)];

	if (spb_length(m, chain) != 5 || spb_op(m, pointer) != SpvOpTypePointer)
		return 0;
	return m->words[pointer + 3] == type && m->words[chain + 3] == type ? variable : 0;
}

/* Can the argument be a pointer to the type? lower-builtin-heaps gives those into heaps a type, and compares it. */
static bool fits(const struct spb_module *m, uint32_t id, uint32_t type)
{
	spb_at at = m->def[id];

	if (!is_chain(spb_op(m, at)))
		return false;
	spb_at base = m->def[m->words[at + 4]];
	return spb_op(m, base) == OpBufferPointerEXT || spb_builtin_heap(m, base) || whole_variable(m, at, type);
}

/* The argument for a parameter is this many words behind that for the first one. */
static bool all_fit(const struct spb_module *m, uint32_t function, uint32_t number, uint32_t type)
{
	for (uint32_t i = m->first_use[function]; i < m->first_use[function + 1]; i++) {
		spb_at at = m->use[i].at;
		if (spb_op(m, at) != SpvOpFunctionCall || m->use[i].word != at + 3)
			continue;
		if (spb_length(m, at) <= 4 + number || !fits(m, m->words[at + 4 + number], type))
			return false;
	}
	return true;
}

static void patch_arguments(struct plan *p, uint32_t function, uint32_t number, uint32_t type)
{
	const struct spb_module *m = p->m;

	for (uint32_t i = m->first_use[function]; i < m->first_use[function + 1]; i++) {
		spb_at at = m->use[i].at;
		if (spb_op(m, at) != SpvOpFunctionCall || m->use[i].word != at + 3)
			continue;
		uint32_t word = at + 4 + number, id = m->words[word];
		uint32_t variable = whole_variable(m, m->def[id], type);
		if (!variable)
			continue;
		spb_patch(p->e, word, variable);
		if (m->first_use[id + 1] - m->first_use[id] == 1) {
			spb_set_bit(p->gone, id);
			spb_remove_id(p->e, id);
		}
	}
}

/* Returns whether the function changes. */
static bool type_function(struct plan *p, spb_at at)
{
	const struct spb_module *m = p->m;
	uint32_t function = m->words[at + 2], number = 0;
	spb_at type = m->def[m->words[at + 4]];
	bool changed = false;

	if (spb_op(m, type) != SpvOpTypeFunction)
		return false;
	uint32_t count = spb_length(m, type) - 2, *words = spb_alloc_array(p->e->arena, count, sizeof *words);
	memcpy(words, m->words + type + 2, count * sizeof *words);
	for (spb_at k = spb_next_parameter(m, at); spb_op(m, k) == SpvOpFunctionParameter && number + 1 < count;
	     k = spb_next_parameter(m, k), number++) {
		uint32_t id = m->words[k + 2];
		if (spb_def_op(m, m->words[k + 1]) != OpTypeUntypedPointerKHR)
			continue;
		uint32_t pointee = type_of_accesses(m, id);
		if (!pointee || !all_fit(m, function, number, pointee))
			continue;
		words[1 + number] = spb_pointer_type(p->e, m->words[m->def[m->words[k + 1]] + 2], pointee);
		spb_patch(p->e, k + 1, words[1 + number]);
		spb_set_bit(p->gone, id);
		patch_arguments(p, function, number, pointee);
		changed = true;
	}
	if (!changed)
		return false;
	spb_set_bit(p->types, m->words[at + 4]);
	spb_set_bit(p->gone, function);
	spb_patch(p->e, at + 4, spb_make(p->e, SpvOpTypeFunction, words, count));
	return true;
}

bool spb_pass_type_parameters(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct plan p = {.m = m, .e = &u->edit};
	bool changed = false;

	if (!spb_lowers_builtin_heaps(u))
		return false;
	spb_module_need_uses(m);
	p.types = spb_bits(p.e->arena, m->bound);
	p.gone = spb_bits(p.e->arena, m->bound);
	for (spb_at at = m->section[SPB_SECTION_FUNCTION]; at < m->count; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpFunction)
			changed |= type_function(&p, at);
	}
	if (changed)
		spb_sweep_types(p.e, p.types, p.gone, NULL, 0);
	return changed;
}
