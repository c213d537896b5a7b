/* SPDX-License-Identifier: Apache-2.0 */
/* check-heaps: --resolver, --heap-size, --bounds-check and --instrument-handles for the heaps that a module has
 * already, from Slang, from DXC, from an earlier run, or an array of the author at the place of a heap.
 *
 *     %heap = OpTypeRuntimeArray %image                 %heap = OpTypeArray %image %N
 *     %x = OpCompositeExtract %uint %handle 0           %r = OpFunctionCall %uint %getDescriptorIndexFromHandle %handle
 *     %c = OpAccessChain %ptr %textures %x              %i = OpULessThan %bool %r %N
 *                                                       %j = OpSelect %uint %i %r %last
 *                                                       %c = OpAccessChain %ptr %textures %j
 *
 * Runs before handles are lowered, so that every access to a heap is one of the input. Its index is resolved and
 * checked where it selects, like that of a handle. If it is not the x of a uint2, the second number of the handle is
 * unknown: then the resolver gets 0, with a warning, and generations are not compared. A remark of an earlier run says
 * what has been done to the indexes of the module. Heaps that stay built-in ones keep their sizes. */
#include "pass/handles/heaps.h"

struct checks {
	struct spb_heaps heaps;
	struct spb_index_handles handles;
	bool instrument, bound, resolve;
	uint32_t halves; /* accesses whose handle's second number is unknown */
	spb_at half;     /* the first of them */
};

static bool checks_any(const struct spb_unit *u)
{
	return u->options->heaps.size || u->options->heaps.bounds_check || u->options->handles.instrument ||
	       u->program.resolver_count;
}

bool spb_may_check_heaps(const struct spb_unit *u)
{
	return checks_any(u) && u->m.has & SPB_HAS_DESCRIPTOR_ARRAYS;
}

bool spb_is_instrumented(const struct spb_module *m)
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

/* A handle of which only the first number is known. */
static uint32_t put_half(struct checks *c, spb_at at, uint32_t type, uint32_t index)
{
	struct spb_edit *e = &c->heaps.u->edit;
	uint32_t uint = spb_uint_type(e), number = index, handle;

	if (type != uint) {
		number = spb_new_id(e);
		spb_insert(e, at, SpvOpBitcast, W(uint, number, index));
	}
	handle = spb_new_id(e);
	spb_insert(e, at, SpvOpCompositeConstruct,
		   W(c->heaps.u->resolver.handle_type, handle, number, spb_uint_constant(e, 0)));
	if (!c->halves++)
		c->half = at;
	return handle;
}

static bool check_chain(struct checks *c, const struct spb_variable *v, spb_at at)
{
	struct spb_heaps *h = &c->heaps;
	struct spb_unit *u = h->u;
	const struct spb_module *m = &u->m;
	const uint32_t given = m->words[at + 4];
	const bool resolve = c->resolve && !spb_is_in_resolver(h, at);
	struct spb_heap_index i = {.instrumented = !c->instrument};

	i.length = v->count ? m->words[m->def[v->type] + 3] : spb_heap_length(h);
	i.bounded = (c->bound && !resolve) || (spb_is_constant(m, given) && !resolve) || u->builtin.remakes;
	if (!resolve && i.instrumented && (i.bounded || !u->options->heaps.bounds_check))
		return false;
	if (resolve || !i.instrumented)
		i.handle = spb_handle_of_index(&c->handles, given);
	i.id = put_uint(h, at, given, &i.type);
	if (resolve) {
		uint32_t handle = i.handle ? i.handle : put_half(c, at, i.type, i.id);
		i.id = spb_put_resolved_index(h, at, v->kind, handle, SPB_HANDLE_X, &i.type);
	}
	i.whole = i.handle && !resolve;
	uint32_t index = spb_put_index_checks(h, at, v->kind, i);
	if (index == given)
		return true;
	if (spb_decoration(m, given, SpvDecorationNonUniform) ||
	    spb_decoration(m, m->words[at + 2], SpvDecorationNonUniform))
		spb_add_decoration(&u->edit, index, SpvDecorationNonUniform, NULL, 0);
	spb_patch(&u->edit, at + 4, index);
	return true;
}

static void give_length(struct spb_heaps *h, const struct spb_variable *v)
{
	const struct spb_module *m = &h->u->m;
	struct spb_edit *e = &h->u->edit;
	uint32_t length = spb_heap_length(h), array = spb_new_id(e), pointer = spb_new_id(e);
	spb_at at = m->def[v->id];

	spb_add_global(e, SpvOpTypeArray, W(array, v->element, length));
	spb_add_global(e, SpvOpTypePointer, W(pointer, m->words[at + 3], array));
	spb_add_global(e, SpvOpVariable, W(pointer, v->id, m->words[at + 3]));
	spb_remove(e, at);
}

/* The array as a whole, which a function may index, keeps its type and is not followed. */
static void say_whole(const struct spb_module *m, const struct spb_variable *v, spb_at at)
{
	spb_report(m, SPB_SEVERITY_WARNING, SPB_E_NO_HANDLES, at,
		   "%s uses all of %s, so --resolver, --heap-size, --bounds-check and --instrument-handles do nothing "
		   "behind it" SPB_REMEDY "Index the heap, and pass on the descriptor.",
		   spb_word_of(m, at), spb_label(&m->context->scratch, m, v->id));
}

static bool check_heap(struct checks *c, const struct spb_variable *v, bool *gets_size)
{
	const struct spb_module *m = &c->heaps.u->m;
	bool changed = false, only_chains = true;

	for (uint32_t i = m->first_use[v->id]; i < m->first_use[v->id + 1]; i++) {
		spb_at at = m->use[i].at;
		if (spb_is_heap_chain(m, m->use[i])) {
			changed |= check_chain(c, v, at);
		} else if (at >= m->section[SPB_SECTION_FUNCTION] && !spb_is_non_semantic(m, at)) {
			only_chains = false;
			say_whole(m, v, at);
		}
	}
	*gets_size = c->heaps.u->options->heaps.size && !c->heaps.u->builtin.remakes && !v->count && only_chains;
	if (*gets_size)
		give_length(&c->heaps, v);
	return changed || *gets_size;
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
	struct checks c = {.handles.u = u};
	struct spb_variables vs;
	bool changed = false, unsized = false, sized = false;

	if (!spb_may_check_heaps(u))
		return false;
	vs = spb_collect_any_shape(&u->m, &u->m.context->scratch);
	spb_mark_existing_heaps(u, &vs);
	spb_module_need_uses(&u->m);
	spb_heaps_begin(&c.heaps, u);
	c.instrument = u->options->handles.instrument && !spb_is_instrumented(&u->m);
	c.bound = spb_find_remark(&u->m, SPB_CHECKED_REMARK);
	c.resolve = u->resolver.resolves_heaps;
	for (size_t i = 0; i < vs.count; i++) {
		const struct spb_variable *v = &vs.items[i];
		bool gets_size = false;
		if (v->heap && v->heap_kind != SPB_HEAP_COUNTER)
			changed |= check_heap(&c, v, &gets_size);
		sized |= gets_size;
		unsized |= !v->count && !gets_size;
	}
	if (sized && !unsized)
		drop_capability(u);
	if (c.halves)
		spb_report(&u->m, SPB_SEVERITY_WARNING, SPB_E_NO_HANDLES, c.half,
			   "the index of this access to a heap is not the x of a uint2, so the resolver gets 0 as the "
			   "second number of the handle, here and at %u other places" SPB_REMEDY
			   "Index the heap by the x of the handle.",
			   c.halves - 1);
	return changed;
}
