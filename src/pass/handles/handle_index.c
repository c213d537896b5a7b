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
 * --bounds-check, for non-constant indexes into heaps of N descriptors; N may be a specialization constant:
 *
 *     %i = OpULessThan %bool %x %N
 *     %j = OpSelect %uint %i %x %last      (clamp; null: %zero)
 *
 * NonUniform is placed on the final index. A remark says what has been done to indexes, so that the next run, to which
 * they are indexes of a heap like any other, does not do it again. */
#include "pass/handles/heaps.h"
#include "pass/resolver/resolver.h"

static uint32_t put_call(struct spb_heaps *h, uint32_t at, enum spb_descriptor kind, uint32_t handle,
			 uint32_t component)
{
	const struct spb_module *m = &h->u->m;
	struct spb_edit *e = &h->u->edit;
	spb_at type = m->def[m->words[m->def[h->u->resolver.index_function] + 4]];
	uint32_t uint_type = m->words[type + 2], operands[5] = {uint_type, 0, h->u->resolver.index_function}, count = 4;

	if (handle < m->bound) /* those that check-heaps makes are uint2 */
		handle = spb_put_uint2(h->u, at, handle, m->words[type + 3]);
	if (component == SPB_HANDLE_Y) {
		uint32_t swapped = spb_new_id(e);
		spb_insert(e, at, SpvOpVectorShuffle, W(m->words[type + 3], swapped, handle, handle, 1, 0));
		handle = swapped;
	}
	operands[1] = spb_new_id(e);
	operands[3] = handle;
	if (h->u->resolver.index_takes_kind)
		operands[count++] = spb_make(e, SpvOpConstant, W(uint_type, spb_descriptor_info(kind)->heap.kind));
	spb_insert(e, at, SpvOpFunctionCall, operands, count);
	return operands[1];
}

/* The module's constant with the SpecId that --heap-size names, or a new one. */
static uint32_t specialised_length(struct spb_heaps *h)
{
	const struct spb_module *m = &h->u->m;
	struct spb_edit *e = &h->u->edit;
	const uint32_t spec = h->u->options->heaps.size_constant, type = spb_uint_type(e);

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		spb_at decoration =
		    spb_op(m, at) == SpvOpSpecConstant ? spb_decoration(m, m->words[at + 2], SpvDecorationSpecId) : 0;
		if (decoration && m->words[decoration] == spec)
			return m->words[at + 2];
	}
	uint32_t id = spb_new_id(e);
	spb_add_global(e, SpvOpSpecConstant, W(type, id, h->u->options->heaps.size));
	spb_add_decoration(e, id, SpvDecorationSpecId, &spec, 1);
	return id;
}

uint32_t spb_heap_length(struct spb_heaps *h)
{
	const spb_heap_options *o = &h->u->options->heaps;

	if (!h->length && o->size)
		h->length = o->has_size_constant ? specialised_length(h) : spb_uint_constant(&h->u->edit, o->size);
	return h->length;
}

static uint32_t put_bounds_check(struct spb_heaps *h, uint32_t at, uint32_t type, uint32_t index, uint32_t length)
{
	const struct spb_module *m = &h->u->m;
	struct spb_edit *e = &h->u->edit;
	bool clamps = h->u->options->heaps.bounds_check == SPB_BOUNDS_CHECK_CLAMP;
	uint64_t size = h->u->options->heaps.size;
	bool literal = length >= m->bound
			   ? !h->u->options->heaps.has_size_constant
			   : spb_def_op(m, length) == SpvOpConstant && spb_constant_value(m, length, &size);
	uint32_t truth = spb_bool_type(e);
	uint32_t bound = literal ? spb_make(e, SpvOpConstant, W(type, (uint32_t)size)) : length; /* int or uint */
	uint32_t otherwise, inside, result;

	uint32_t length_type = length < m->bound ? spb_type_of(m, length) : spb_uint_type(e);
	if (!literal && length_type != type) {
		bound = spb_new_id(e);
		spb_insert(e, at, SpvOpBitcast, W(type, bound, length));
	}
	if (clamps && !literal) {
		otherwise = spb_new_id(e);
		spb_insert(e, at, SpvOpISub, W(type, otherwise, bound, spb_make(e, SpvOpConstant, W(type, 1))));
	} else {
		otherwise = spb_make(e, SpvOpConstant, W(type, clamps ? (uint32_t)size - 1 : 0));
	}
	inside = spb_new_id(e);
	result = spb_new_id(e);
	spb_insert(e, at, SpvOpULessThan, W(truth, inside, index, bound));
	spb_insert(e, at, SpvOpSelect, W(type, result, inside, index, otherwise));
	if (!h->u->handles.bounds_checked && !spb_find_remark(m, SPB_CHECKED_REMARK))
		spb_put_remark(e, 0, SPB_CHECKED_REMARK);
	h->u->handles.bounds_checked = true;
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
	if ((op == SpvOpConstantComposite || op == SpvOpSpecConstantComposite) &&
	    3 + component < spb_length(m, m->def[from]))
		return m->words[m->def[from] + 3 + component];
	index = spb_new_id(&h->u->edit);
	spb_insert(&h->u->edit, at, SpvOpCompositeExtract, W(*type, index, handle, component));
	return index;
}

bool spb_is_in_resolver(struct spb_heaps *h, uint32_t at)
{
	const struct spb_unit *u = h->u;

	if (!h->resolvers) {
		struct spb_calls calls = spb_find_calls(&u->m, &u->m.context->scratch);
		h->resolvers = spb_find_resolver_functions(u, &calls);
	}
	const struct spb_function *f = spb_function_around(&u->m, at);
	return f && spb_bit(h->resolvers, (uint32_t)(f - u->m.function));
}

uint32_t spb_put_resolved_index(struct spb_heaps *h, uint32_t at, enum spb_descriptor kind, uint32_t handle,
				uint32_t component, uint32_t *type)
{
	*type = h->u->m.words[h->u->m.def[h->u->resolver.index_function] + 1];
	return put_call(h, at, kind, handle, component);
}

uint32_t spb_put_index_checks(struct spb_heaps *h, uint32_t at, enum spb_descriptor kind, struct spb_heap_index i)
{
	const struct spb_module *m = &h->u->m;

	if (h->u->options->handles.instrument && !i.instrumented)
		spb_put_handle_check(h, at, kind, i.type, i.id, i.handle, i.whole);
	bool literal = i.id < m->bound && spb_def_op(m, i.id) == SpvOpConstant;
	if (h->u->options->heaps.bounds_check && !literal && !i.bounded)
		return put_bounds_check(h, at, i.type, i.id, i.length);
	return i.id;
}

uint32_t spb_put_handle_index(struct spb_heaps *h, uint32_t at, uint32_t heap, uint32_t handle, uint32_t component,
			      bool marked, bool *constant)
{
	const struct spb_module *m = &h->u->m;
	const enum spb_descriptor kind = h->list.items[heap].kind;
	bool whole = component == SPB_HANDLE_X;
	struct spb_heap_index index = {.handle = handle};

	if (component == SPB_HANDLE_X_OF_TWO)
		component = SPB_HANDLE_X;
	bool resolved =
	    h->u->resolver.index_function && !spb_is_plain_handle(h->u, handle) && !spb_is_in_resolver(h, at);
	if (resolved)
		index.id = spb_put_resolved_index(h, at, kind, handle, component, &index.type);
	else
		index.id = put_component(h, at, handle, component, &index.type);
	index.whole = whole && !resolved;
	index.length = spb_heap_length(h);
	uint32_t id = spb_put_index_checks(h, at, kind, index);
	*constant = id < m->bound && spb_is_constant(m, id);
	if (*constant)
		return id;
	h->dynamic[kind] = true;
	if (marked)
		spb_add_decoration(&h->u->edit, id, SpvDecorationNonUniform, NULL, 0);
	return id;
}
