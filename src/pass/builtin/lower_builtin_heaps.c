/* SPDX-License-Identifier: Apache-2.0 */
/* lower-builtin-heaps: replaces the built-in heaps of SPV_EXT_descriptor_heap by arrays of descriptors, for devices
 * without the extension (--heap-model=typed or mutable). It is descriptor-heap the other way round, and reads what
 * glslang 16, Slang and DXC write.
 *
 *     %c = OpUntypedAccessChainKHR %untyped %images %resource_heap %i         %c = OpAccessChain %pointer %heap %i
 *     %l = OpLoad %image %c                                                   %l = OpLoad %image %c
 *     %t = OpUntypedImageTexelPointerEXT %untyped_texel %image %c %uv %s      %t = OpImageTexelPointer %texel %c %uv %s
 *
 *     %d = OpUntypedAccessChainKHR %untyped %buffers %resource_heap %i
 *     %b = OpBufferPointerEXT %block %d                                       %b = OpAccessChain %block %heap %i
 *
 *     %b = OpBufferPointerEXT %untyped_storage %d
 *     %m = OpUntypedAccessChainKHR %untyped_storage %Block %b %k              %m = OpAccessChain %member %heap %i %k
 *
 * An index is in units of its array's stride (heap_strides.c), which the output does not have. So all arrays of one
 * heap must have the same stride; otherwise one index would name different descriptors.
 *
 * Slang reads acceleration structures as addresses, which its host writes into the heap in steps of 8 bytes. They
 * become an array of acceleration structures, with the same index:
 *
 *     %a = OpUntypedAccessChainKHR %untyped %ulongs %resource_heap %i         %a = OpAccessChain %pointer %heap %i
 *     %n = OpLoad %ulong %a                                                   %n = OpLoad %scene %a
 *     %s = OpConvertUToAccelerationStructureKHR %scene %n                     %s = OpCopyObject %scene %n
 *
 * glslang declares a typed parameter and passes an untyped pointer for it; such a function needs no change. Refused
 * (SPB_E_BUILTIN_HEAP): pointers that are selected, stored, or passed as untyped ones; memory that is read as a type
 * other than its own; the shader's own data in a heap; and sizes of descriptors as values.
 *
 * The pass also runs with --heap-model=descriptor-heap: with --heap-stride, unless all heaps have those strides
 * already; and where the module has shapes that Vulkan rejects, as glslang 16 writes them for `f(textures[i])`.
 * resolve-descriptors handles arrays only, and descriptor-heap then turns them back into the same heaps, with the same
 * strides. */
#include "pass/builtin/builtin_heaps.h"

/* With --heap-model=mutable, images and buffers share a heap. */
static void warn_of_strides(const struct spb_builtin_plan *p)
{
	const struct spb_heap_chain *one = NULL;

	if (p->u->options->heaps.model != SPB_HEAP_MODEL_MUTABLE || p->u->builtin.remakes)
		return;
	for (uint32_t i = 0; i < SPB_DESCRIPTOR_COUNT; i++) {
		const struct spb_heap_chain *c = p->first[i];
		if (!c || c->sampler || !spb_descriptor_info((enum spb_descriptor)i)->heap.may_mix)
			continue;
		if (one && (one->stride.unit != c->stride.unit || one->stride.count != c->stride.count)) {
			spb_report(p->m, SPB_SEVERITY_WARNING, SPB_E_HEAP_STRIDES, c->at,
				   "the descriptor heap counts %ss in another stride than other descriptors, which "
				   "--heap-model=mutable puts into one array" SPB_REMEDY
				   "Make sure that no index names two descriptors, or use --heap-model=typed.",
				   spb_descriptor_info((enum spb_descriptor)i)->title);
			return;
		}
		one = c;
	}
}

/* Entry points list the heaps that their call trees use. */
struct listing {
	uint32_t function, heap;
};

static int by_function(const void *a, const void *b)
{
	const struct listing *x = a, *y = b;

	return spb_compare(x->function, y->function);
}

static void list_heaps(struct spb_builtin_plan *p)
{
	const struct spb_module *m = p->m;
	SPB_LIST(struct listing) uses = {0};
	uint32_t *first = spb_alloc_array(p->arena, m->function_count + 1, sizeof *first), next = 0;

	if (spb_version_word(m) < 0x00010400)
		return;
	for (size_t i = 0; i < p->rewrites.count + p->chains.count; i++) {
		bool is_chain = i >= p->rewrites.count;
		size_t k = is_chain ? i - p->rewrites.count : i;
		uint32_t heap = is_chain ? p->chain_heap[k] : p->rewrites.items[k].heap;
		const struct spb_function *f =
		    spb_function_around(m, is_chain ? p->chains.items[k].at : p->rewrites.items[k].at);
		if (heap && f)
			SPB_PUSH(p->arena, &uses, ((struct listing){(uint32_t)(f - m->function), heap - 1}));
	}
	spb_sort(p->arena, uses.items, uses.count, sizeof *uses.items, by_function);
	for (uint32_t f = 0; f <= m->function_count; f++) {
		while (next < uses.count && uses.items[next].function < f)
			next++;
		first[f] = next;
	}
	struct spb_calls calls = spb_find_calls(m, p->arena);
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		uint32_t count = spb_op(m, at) == SpvOpEntryPoint ? spb_reach(&calls, m->words[at + 2]) : 0;
		for (uint32_t i = 0; i < count; i++) {
			for (uint32_t n = first[calls.reached[i]]; n < first[calls.reached[i] + 1]; n++)
				spb_heap_list(&p->heaps, at, uses.items[n].heap);
		}
	}
}

/* --heap-stride: descriptor heaps are lowered, and descriptor-heap makes them again with other strides. */
static bool changes_strides(const spb_heap_options *o)
{
	return o->model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP &&
	       (o->unified_stride || o->resource_stride || o->sampler_stride);
}

bool spb_lowers_builtin_heaps(const struct spb_unit *u)
{
	const spb_heap_options *o = &u->options->heaps;
	bool others = o->has_model && (o->model != SPB_HEAP_MODEL_DESCRIPTOR_HEAP || changes_strides(o));

	return (others || u->builtin.remakes) && spb_has_capability(&u->m, CapabilityDescriptorHeapEXT);
}

/* Do all chains have the strides that --heap-stride requests? */
static bool have_strides(const struct spb_builtin_plan *p)
{
	const spb_heap_options *o = &p->u->options->heaps;

	for (size_t i = 0; i < p->chains.count; i++) {
		const struct spb_heap_chain *c = &p->chains.items[i];
		struct spb_heap_size wanted = spb_descriptor_size(p->m, c->element);
		uint32_t given = c->sampler ? o->sampler_stride : o->resource_stride;
		if (given)
			wanted = (struct spb_heap_size){given, SPB_UNIT_BYTE};
		else if (!c->sampler && o->unified_stride)
			wanted.unit = SPB_UNIT_DRIVER | SPB_UNIT_IMAGE | SPB_UNIT_BUFFER;
		if (!c->has_stride || c->stride.unit != wanted.unit || c->stride.count != wanted.count)
			return false;
	}
	return true;
}

/* Heaps that are made again keep their strides. */
static void remember_stride(struct spb_builtin_plan *p, struct spb_heap_type *heap)
{
	const struct spb_heap_chain *c = p->first[heap->kind];
	struct spb_heap_size stride = c->stride, own = spb_descriptor_size(p->m, c->element);

	heap->remade = true;
	heap->stride = SPB_STRIDE_COMPUTED;
	heap->stride_number = stride.unit;
	if (stride.unit == SPB_UNIT_BYTE) {
		heap->stride = SPB_STRIDE_BYTES;
		heap->stride_number = (uint32_t)stride.count;
	} else if (stride.count == 1 && (stride.unit == own.unit || stride.unit == SPB_UNIT_UNIFIED)) {
		heap->stride = stride.unit == own.unit ? SPB_STRIDE_SIZE : SPB_STRIDE_UNIFIED;
	} else if (stride.count != 1 || stride.unit & SPB_UNIT_DRIVER ||
		   spb_def_op(p->m, stride.unit) != SpvOpSpecConstant) {
		spb_refuse_builtin(p, c->at, "the stride of its array is computed");
	}
}

bool spb_pass_lower_builtin_heaps(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct spb_builtin_plan p = {.u = u, .m = m, .arena = &m->context->scratch, .e = &u->edit};
	bool restrides = !u->builtin.remakes && changes_strides(&u->options->heaps);

	if (!spb_lowers_builtin_heaps(u))
		return false;
	spb_module_need_uses(m);
	spb_heaps_begin(&p.heaps, u);
	spb_heap_types_begin(&p.types, m, p.arena);
	p.pointer_of = spb_alloc_zeroed(p.arena, m->bound, sizeof *p.pointer_of);
	p.gone = spb_bits(p.arena, m->count);
	spb_read_builtin_heaps(&p);
	if (restrides && have_strides(&p))
		return false;
	spb_choose_chain_heaps(&p);
	for (size_t i = 0; i < p.heaps.list.count && u->builtin.remakes; i++)
		remember_stride(&p, &p.heaps.list.items[i]);
	warn_of_strides(&p);
	spb_heaps_make(&p.heaps);
	spb_write_builtin_heaps(&p);
	spb_remove_builtin_heaps(&p);
	list_heaps(&p);
	spb_heaps_declare(&p.heaps);
	u->builtin.adopted |= restrides; /* descriptor-heap removes what only arrays need */
	return true;
}
