/* SPDX-License-Identifier: Apache-2.0 */
/* handle_index: computes the index of a descriptor in its heap from a DescriptorHandle.
 *
 *     %x = OpCompositeExtract %uint %handle 0                  without a resolver
 *     %x = OpFunctionCall %uint %getDescriptorIndexFromHandle %handle
 *     %x = OpFunctionCall %uint %getDescriptorIndexFromHandle %handle %kind
 *
 * A constant handle has a constant index, unless a resolver is involved. A resolver takes the number to resolve from
 * x; for the sampler of a split combined handle, whose index is in y, it is called with x and y exchanged.
 *
 * --bounds-check, for non-constant indexes into heaps of N descriptors:
 *
 *     %i = OpULessThan %bool %x %N
 *     %j = OpSelect %uint %i %x %last      (clamp; null: %zero)
 *
 * NonUniform is placed on the final index. */
#include "pass/handles/heaps.h"
#include "pass/resolver/resolver.h"

static uint32_t put_call(struct spb_heaps *h, uint32_t at, uint32_t heap, uint32_t handle, uint32_t component)
{
	const struct spb_module *m = &h->u->m;
	struct spb_edit *e = &h->u->edit;
	spb_at type = m->def[m->words[m->def[h->u->resolver.index_function] + 4]];
	uint32_t uint_type = m->words[type + 2], operands[5] = {uint_type, 0, h->u->resolver.index_function}, count = 4;

	handle = spb_put_uint2(h->u, at, handle, m->words[type + 3]);
	if (component == SPB_HANDLE_Y) {
		uint32_t swapped = spb_new_id(e);
		spb_insert(e, at, SpvOpVectorShuffle, W(m->words[type + 3], swapped, handle, handle, 1, 0));
		handle = swapped;
	}
	operands[1] = spb_new_id(e);
	operands[3] = handle;
	if (h->u->resolver.index_takes_kind)
		operands[count++] =
		    spb_make(e, SpvOpConstant, W(uint_type, spb_descriptor_info(h->list.items[heap].kind)->heap.kind));
	spb_insert(e, at, SpvOpFunctionCall, operands, count);
	return operands[1];
}

uint32_t spb_put_index_check(struct spb_heaps *h, uint32_t at, uint32_t type, uint32_t index)
{
	struct spb_edit *e = &h->u->edit;
	uint32_t size = h->u->options->heaps.size;
	bool clamps = h->u->options->heaps.bounds_check == SPB_BOUNDS_CHECK_CLAMP;
	uint32_t truth = spb_bool_type(e), bound = spb_make(e, SpvOpConstant, W(type, size)); /* int or uint */
	uint32_t otherwise = spb_make(e, SpvOpConstant, W(type, clamps ? size - 1 : 0));
	uint32_t inside = spb_new_id(e), result = spb_new_id(e);
	spb_insert(e, at, SpvOpULessThan, W(truth, inside, index, bound));
	spb_insert(e, at, SpvOpSelect, W(type, result, inside, index, otherwise));
	return result;
}

/* The default mapping: a component of the handle, which may be a constant. */
static uint32_t put_component(struct spb_heaps *h, uint32_t at, uint32_t handle, uint32_t component, uint32_t *type)
{
	const struct spb_module *m = &h->u->m;
	spb_at vector = m->def[spb_type_of(m, handle)];
	uint32_t from = handle, op, index;

	if (spb_is_plain_handle(h->u, handle))
		from = m->words[m->def[handle] + 3]; /* an OpCopyObject */
	op = spb_def_op(m, from);
	*type = m->words[vector + 2];
	if (op == SpvOpConstantComposite || op == SpvOpSpecConstantComposite)
		return m->words[m->def[from] + 3 + component];
	index = spb_new_id(&h->u->edit);
	spb_insert(&h->u->edit, at, SpvOpCompositeExtract, W(*type, index, handle, component));
	return index;
}

/* Does a resolver apply here? It does not within the resolver itself. */
static bool is_resolved(struct spb_heaps *h, uint32_t at, uint32_t handle)
{
	const struct spb_unit *u = h->u;

	if (!u->resolver.index_function || spb_is_plain_handle(u, handle))
		return false;
	if (!h->resolvers) {
		struct spb_calls calls = spb_find_calls(&u->m, &u->m.context->scratch);
		h->resolvers = spb_find_resolver_functions(u, &calls);
	}
	const struct spb_function *f = spb_function_around(&u->m, at);
	return !f || !spb_bit(h->resolvers, (uint32_t)(f - u->m.function));
}

uint32_t spb_put_handle_index(struct spb_heaps *h, uint32_t at, uint32_t heap, uint32_t handle, uint32_t component,
			      bool marked, bool *constant)
{
	const struct spb_module *m = &h->u->m;
	struct spb_edit *e = &h->u->edit;
	uint32_t index, type;
	bool whole = component == SPB_HANDLE_X;

	if (component == SPB_HANDLE_X_OF_TWO)
		component = SPB_HANDLE_X;
	bool resolved = is_resolved(h, at, handle);
	if (resolved) {
		index = put_call(h, at, heap, handle, component);
		type = m->words[m->def[h->u->resolver.index_function] + 1];
	} else {
		index = put_component(h, at, handle, component, &type);
	}
	if (h->u->options->handles.instrument)
		spb_put_handle_check(h, at, h->list.items[heap].kind, type, index, handle, whole && !resolved);
	bool literal = index < m->bound && spb_def_op(m, index) == SpvOpConstant;
	if (h->u->options->heaps.bounds_check && !literal)
		index = spb_put_index_check(h, at, type, index);
	*constant = index < m->bound && spb_is_constant(m, index);
	if (*constant)
		return index;
	h->dynamic[h->list.items[heap].kind] = true;
	if (marked)
		spb_add_decoration(e, index, SpvDecorationNonUniform, NULL, 0);
	return index;
}
