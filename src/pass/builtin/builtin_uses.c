/* SPDX-License-Identifier: Apache-2.0 */
/* builtin_uses: which kinds of descriptors a module reads from the built-in heaps of SPV_EXT_descriptor_heap, and in
 * which strides, for the host that fills them. Nothing is refused here: a chain that arrays could not replace, or that
 * reaches the shader's own data, counts, too. */
#include "pass/builtin/builtin_heaps.h"

struct finder {
	struct spb_heap_types types;
	SPB_LIST(struct spb_builtin_use) found;
};

/* The kind of descriptor of a type that a chain reaches, if it is one. */
static enum spb_descriptor kind_of(const struct spb_module *m, uint32_t element)
{
	if (spb_def_op(m, element) != OpTypeBufferEXT)
		return spb_descriptor_of(m, SpvStorageClassUniformConstant, element);
	return m->words[m->def[element] + 2] == SpvStorageClassStorageBuffer ? SPB_DESCRIPTOR_SSBO : SPB_DESCRIPTOR_UBO;
}

static struct spb_builtin_use use_of(struct finder *f, enum spb_descriptor kind, uint32_t element, uint32_t array)
{
	const struct spb_heap_stride *stride = array ? spb_heap_stride_of(&f->types, array) : NULL;
	struct spb_heap_size own = spb_descriptor_size(f->types.m, element), size = stride ? stride->size : own;
	struct spb_builtin_use use = {.kind = kind, .stride = SPB_STRIDE_COMPUTED};

	bool rows = array && spb_array_element(f->types.m, array) != element; /* of structs */
	if (!stride || !stride->given || (size.unit == own.unit && (size.count == 1 || rows)))
		use.stride = SPB_STRIDE_SIZE; /* which is the stride of an array without a decoration */
	else if (size.unit == SPB_UNIT_BYTE) {
		use.stride = SPB_STRIDE_BYTES;
		use.bytes = (uint32_t)size.count;
	} else if (size.unit == SPB_UNIT_UNIFIED && size.count == 1)
		use.stride = SPB_STRIDE_UNIFIED;
	return use;
}

static bool is_equal(const struct spb_builtin_use *x, const struct spb_builtin_use *y)
{
	return x->kind == y->kind && x->stride == y->stride && x->bytes == y->bytes;
}

/* The kind of descriptor that a chain reaches. False: none, or it cannot be followed. */
static bool find_kind(struct spb_heap_types *types, spb_at at, enum spb_descriptor *kind, uint32_t *element,
		      uint32_t *array)
{
	if (!spb_follow_heap_chain(types, at, element, array))
		return false;
	*kind = kind_of(types->m, *element);
	if (!spb_has_heap(*kind) && spb_scenes_of(types->m, at))
		*kind = SPB_DESCRIPTOR_AS;
	return spb_has_heap(*kind);
}

uint32_t spb_find_builtin_accesses(struct spb_module *m, struct spb_arena *arena, struct spb_builtin_access **accesses)
{
	struct spb_heap_types types;
	SPB_LIST(struct spb_builtin_access) found = {0};
	uint32_t element, array;

	if (!spb_has_capability(m, CapabilityDescriptorHeapEXT))
		return 0;
	spb_module_need_uses(m);
	spb_heap_types_begin(&types, m, arena);
	struct spb_heap_uses uses = spb_find_heap_uses(m, arena);
	for (size_t i = 0; i < uses.list.count; i++) {
		const struct spb_heap_use *use = &uses.list.items[i];
		struct spb_builtin_access one = {.at = use->at, .variable = use->variable, .sampler = use->sampler};
		if (use->is_chain && find_kind(&types, one.at, &one.kind, &element, &array))
			SPB_PUSH(arena, &found, one);
	}
	*accesses = found.items;
	return (uint32_t)found.count;
}

bool spb_has_opaque_builtins(struct spb_unit *u)
{
	struct spb_builtin_access *accesses = NULL;
	uint32_t count = spb_find_builtin_accesses(&u->m, &u->m.context->scratch, &accesses);

	for (uint32_t i = 0; i < count; i++) {
		if (accesses[i].kind != SPB_DESCRIPTOR_UBO && accesses[i].kind != SPB_DESCRIPTOR_SSBO)
			return true;
	}
	return false;
}

static bool is_known(const struct finder *f, const struct spb_builtin_use *use)
{
	return f->found.count && is_equal(&f->found.items[f->found.count - 1], use);
}

uint32_t spb_find_builtin_uses(struct spb_module *m, struct spb_arena *arena, struct spb_builtin_use **uses)
{
	struct finder f = {0};
	struct spb_builtin_access *accesses = NULL;
	uint32_t count = spb_find_builtin_accesses(m, arena, &accesses), element, array;

	if (count)
		spb_heap_types_begin(&f.types, m, arena);
	for (uint32_t i = 0; i < count; i++) {
		spb_follow_heap_chain(&f.types, accesses[i].at, &element, &array); /* as before, for its kind */
		struct spb_builtin_use use = use_of(&f, accesses[i].kind, element, array);
		if (!is_known(&f, &use))
			SPB_PUSH(arena, &f.found, use);
	}
	*uses = f.found.items;
	return (uint32_t)f.found.count;
}
