/* SPDX-License-Identifier: Apache-2.0 */
/* check-heaps: --heap-size, --bounds-check and --instrument-handles for the heaps that a module has already, from
 * Slang, from DXC, from an earlier run, or an array of the author at the place of a heap.
 *
 *     %heap = OpTypeRuntimeArray %image                 %heap = OpTypeArray %image %N
 *     %c = OpAccessChain %ptr %textures %index          %i = OpULessThan %bool %index %N
 *                                                       %j = OpSelect %uint %i %index %last
 *                                                       %c = OpAccessChain %ptr %textures %j
 *
 * The index is checked where it selects, like that of a handle. The second number of the handle is lost, so its
 * generation is not compared. Arrays with a length keep it and are not checked, since an earlier run may have checked
 * the index at its origin. The same holds for arrays whose pointers are not only used in chains. */
#include "pass/handles/heaps.h"

static bool checks_any(const struct spb_unit *u)
{
	return u->options->heaps.size || u->options->heaps.bounds_check || u->options->handles.instrument;
}

bool spb_may_check_heaps(const struct spb_unit *u)
{
	return checks_any(u) && u->m.has & SPB_HAS_DESCRIPTOR_ARRAYS;
}

/* Heaps that handles have made in this run are checked already. */
static bool is_made(const struct spb_unit *u, uint32_t variable)
{
	size_t i = 0;

	while (i < u->handles.heaps.count && u->handles.heaps.items[i].variable != variable)
		i++;
	return i < u->handles.heaps.count;
}

static bool is_instrumented(const struct spb_module *m)
{
	for (spb_at at = m->section[SPB_SECTION_NAME]; at < m->section[SPB_SECTION_ANNOTATION]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpName && !strcmp(spb_string(m, at + 2), SPB_HANDLE_TABLE))
			return true;
	}
	return false;
}

/* An index of another width as a uint. */
static uint32_t put_uint(struct spb_heaps *h, spb_at at, uint32_t index, uint32_t *type)
{
	const struct spb_module *m = &h->u->m;
	spb_at given = m->def[spb_type_of(m, index)];
	uint32_t id;

	*type = m->words[given + 1];
	if (m->words[given + 2] == 32)
		return index;
	*type = spb_uint_type(&h->u->edit);
	id = spb_new_id(&h->u->edit);
	spb_insert(&h->u->edit, at, SpvOpUConvert, W(*type, id, index));
	return id;
}

static bool check_chain(struct spb_heaps *h, const struct spb_variable *v, spb_at at, bool instruments)
{
	struct spb_unit *u = h->u;
	const struct spb_module *m = &u->m;
	uint32_t index = m->words[at + 4], type;
	bool bounds = u->options->heaps.bounds_check && !v->count && !spb_is_constant(m, index);

	if (!bounds && !instruments)
		return false;
	uint32_t checked = put_uint(h, at, index, &type);
	if (instruments)
		spb_put_handle_check(h, at, v->kind, type, checked, 0, false);
	if (!bounds)
		return true;
	checked = spb_put_index_check(h, at, type, checked);
	if (spb_decoration(m, index, SpvDecorationNonUniform) ||
	    spb_decoration(m, m->words[at + 2], SpvDecorationNonUniform))
		spb_add_decoration(&u->edit, checked, SpvDecorationNonUniform, NULL, 0);
	spb_patch(&u->edit, at + 4, checked);
	return true;
}

static bool is_chain_into(const struct spb_module *m, struct spb_use use)
{
	return spb_op_is(spb_op(m, use.at), SPB_OP_CHAIN) && use.word == use.at + 3 && spb_length(m, use.at) > 4;
}

static bool check_heap(struct spb_heaps *h, const struct spb_variable *v, bool instruments, bool *gets_size)
{
	const struct spb_module *m = &h->u->m;
	const uint32_t size = v->count ? 0 : h->u->options->heaps.size;
	bool changed = false, only_chains = true;

	for (uint32_t i = m->first_use[v->id]; i < m->first_use[v->id + 1]; i++) {
		spb_at at = m->use[i].at;
		if (is_chain_into(m, m->use[i]))
			changed |= check_chain(h, v, at, instruments);
		else
			only_chains &= spb_is_non_semantic(m, at) || at < m->section[SPB_SECTION_FUNCTION];
	}
	*gets_size = size && only_chains;
	if (!*gets_size)
		return changed;
	struct spb_edit *e = &h->u->edit;
	uint32_t length = spb_uint_constant(e, size), array = spb_new_id(e), pointer = spb_new_id(e);
	spb_at at = m->def[v->id];
	spb_add_global(e, SpvOpTypeArray, W(array, v->element, length));
	spb_add_global(e, SpvOpTypePointer, W(pointer, m->words[at + 3], array));
	spb_add_global(e, SpvOpVariable, W(pointer, v->id, m->words[at + 3]));
	spb_remove(e, at);
	return true;
}

/* Lengths are for devices without runtimeDescriptorArray. */
static void drop_capability(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;

	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_EXTENSION];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpCapability && m->words[at + 1] == SpvCapabilityRuntimeDescriptorArray)
			spb_remove(&u->edit, at);
	}
}

bool spb_pass_check_heaps(struct spb_unit *u)
{
	struct spb_heaps h;
	struct spb_variables vs;
	bool changed = false, unsized = false, sized = false;

	if (!spb_may_check_heaps(u))
		return false;
	vs = spb_collect_any_shape(&u->m, &u->m.context->scratch);
	spb_find_asked_heaps(u->options, &vs);
	spb_module_need_uses(&u->m);
	spb_heaps_begin(&h, u);
	bool instruments = u->options->handles.instrument && !is_instrumented(&u->m);
	for (size_t i = 0; i < vs.count; i++) {
		const struct spb_variable *v = &vs.items[i];
		bool gets_size = false;
		if (v->heap && v->heap_kind != SPB_HEAP_COUNTER && !is_made(u, v->id))
			changed |= check_heap(&h, v, instruments, &gets_size);
		sized |= gets_size;
		unsized |= !v->count && !gets_size;
	}
	if (sized && !unsized)
		drop_capability(u);
	return changed;
}
