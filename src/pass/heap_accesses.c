/* SPDX-License-Identifier: Apache-2.0 */
/* heap_accesses: accesses to heaps that the module has already, for the passes that treat them like handles. */
#include "pass/pass.h"

void spb_mark_existing_heaps(const struct spb_unit *u, struct spb_variables *vs)
{
	spb_find_asked_heaps(u->options, vs);
	for (size_t i = 0; i < vs->count; i++) {
		for (size_t k = 0; k < u->handles.heaps.count; k++) { /* those that were built in */
			if (u->handles.heaps.items[k].variable == vs->items[i].id)
				spb_mark_heap(&vs->items[i]);
		}
	}
}

struct spb_variables spb_find_heaps(const struct spb_unit *u)
{
	struct spb_variables vs = spb_collect_any_shape(&u->m, &u->m.context->scratch);
	size_t count = 0;

	spb_mark_existing_heaps(u, &vs);
	for (size_t i = 0; i < vs.count; i++) {
		if (vs.items[i].heap && vs.items[i].heap_kind != SPB_HEAP_COUNTER)
			vs.items[count++] = vs.items[i];
	}
	vs.count = count;
	return vs;
}

bool spb_is_heap_chain(const struct spb_module *m, struct spb_use use)
{
	return spb_op_is(spb_op(m, use.at), SPB_OP_CHAIN) && use.word == use.at + 3 && spb_length(m, use.at) > 4;
}

/* Is it a copy, or the same 32 bits as an int or a uint? */
static bool is_same_number(const struct spb_module *m, spb_at at)
{
	return spb_op(m, at) == SpvOpCopyObject ||
	       (spb_op(m, at) == SpvOpBitcast && spb_def_op(m, spb_type_of(m, m->words[at + 3])) == SpvOpTypeInt);
}

/* The type that a chain selects without its last index, which must be 0; 0: it is another one. */
static uint32_t type_before_x(const struct spb_module *m, spb_at chain)
{
	uint32_t last = spb_next(m, chain) - 1, type = m->words[m->def[spb_type_of(m, m->words[chain + 3])] + 3];
	uint64_t number;

	if (last < chain + 4 || !spb_constant_value(m, m->words[last], &number) || number)
		return 0;
	for (uint32_t i = chain + 4; i < last && type; i++)
		type = spb_part_type(m, type, spb_constant_value(m, m->words[i], &number) ? number : 0);
	return type;
}

/* The load of x becomes that of both numbers. */
static uint32_t put_handle(struct spb_index_handles *h, spb_at load)
{
	const struct spb_module *m = &h->u->m;
	struct spb_edit *e = &h->u->edit;
	const spb_at chain = m->def[m->words[load + 3]];
	uint32_t *operands, pointer, id, type;

	if (!spb_op_is(spb_op(m, chain), SPB_OP_CHAIN) ||
	    (spb_length(m, load) > 4 && m->words[load + 4] & SpvMemoryAccessVolatileMask))
		return 0;
	type = type_before_x(m, chain);
	if (!type || !spb_is_handle_type(m, type))
		return 0;
	pointer = m->words[chain + 3];
	if (spb_length(m, chain) > 5) {
		const uint32_t storage_class = m->words[m->def[m->words[chain + 1]] + 2];
		operands = spb_alloc_array(e->arena, spb_length(m, chain), sizeof *operands);
		memcpy(operands, m->words + chain + 1, (spb_length(m, chain) - 2) * sizeof *operands);
		operands[0] = spb_pointer_type(e, storage_class, type);
		operands[1] = pointer = spb_new_id(e);
		spb_insert(e, load, spb_op(m, chain), operands, spb_length(m, chain) - 2);
	}
	operands = spb_alloc_array(e->arena, spb_length(m, load), sizeof *operands);
	memcpy(operands, m->words + load + 1, (spb_length(m, load) - 1) * sizeof *operands);
	operands[0] = type;
	operands[1] = id = spb_new_id(e);
	operands[2] = pointer;
	spb_insert(e, load, SpvOpLoad, operands, spb_length(m, load) - 1);
	if (type == spb_uint2_type(e))
		return id;
	uint32_t same = spb_new_id(e);
	spb_insert(e, load, SpvOpBitcast, W(spb_uint2_type(e), same, id));
	return same;
}

static uint32_t find_handle(struct spb_index_handles *h, uint32_t index)
{
	const struct spb_module *m = &h->u->m;
	spb_at at = m->def[index];

	while (is_same_number(m, at))
		at = m->def[m->words[at + 3]];
	if (spb_op(m, at) == SpvOpLoad)
		return put_handle(h, at);
	if (spb_op(m, at) != SpvOpCompositeExtract || spb_length(m, at) != 5 || m->words[at + 4] != 0 ||
	    !spb_is_handle_type(m, spb_type_of(m, m->words[at + 3])))
		return 0;
	return m->words[at + 3];
}

uint32_t spb_handle_of_index(struct spb_index_handles *h, uint32_t index)
{
	const uint32_t none = UINT32_MAX;

	if (!h->of_index)
		h->of_index = spb_alloc_zeroed(&h->u->m.context->scratch, h->u->m.bound, sizeof *h->of_index);
	if (!h->of_index[index]) {
		const uint32_t found = find_handle(h, index);
		h->of_index[index] = found ? found : none;
	}
	return h->of_index[index] == none ? 0 : h->of_index[index];
}
