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

noreturn void spb_refuse_builtin(const struct spb_builtin_plan *p, spb_at at, const char *what)
{
	spb_fail(p->m, SPB_ERROR_UNSUPPORTED, SPB_E_BUILTIN_HEAP, at,
		 "%s uses a descriptor heap in a way that arrays of descriptors do not support%s: %s",
		 spb_op_name(spb_op(p->m, at)),
		 p->u->builtin.remakes ? ", in a module in which descriptors have to be resolved" : "", what);
}

/* Collecting */

static uint32_t add_pointer(struct spb_builtin_plan *p, uint32_t id, struct spb_builtin_pointer pointer)
{
	SPB_PUSH(p->arena, &p->pointers, pointer);
	p->pointer_of[id] = (uint32_t)p->pointers.count;
	SPB_PUSH(p->arena, &p->work, id);
	return (uint32_t)p->pointers.count - 1;
}

static void add_rewrite(struct spb_builtin_plan *p, spb_at at, uint32_t pointer, uint32_t type, uint32_t heap)
{
	SPB_PUSH(p->arena, &p->rewrites, ((struct spb_builtin_rewrite){at, pointer, type, heap}));
}

/* A heap has one stride. Kinds that share a binding should have the same one, since the host fills both by the same
 * index. */
static void check_stride(struct spb_builtin_plan *p, const struct spb_heap_chain *chain, enum spb_descriptor kind,
			 spb_at at)
{
	const struct spb_heap_chain *first = p->first[kind];

	if (!first) {
		p->first[kind] = chain;
		return;
	}
	if (first->stride.unit != chain->stride.unit || first->stride.count != chain->stride.count)
		spb_refuse_builtin(
		    p, at,
		    "arrays of this kind of descriptor have different strides, so equal indices name different "
		    "descriptors; give all of them one stride");
}

/* The heap + 1 that holds descriptors of a type, and that a chain indexes. */
static uint32_t heap_for(struct spb_builtin_plan *p, uint32_t chain, uint32_t type, uint32_t storage_class, spb_at at)
{
	const struct spb_heap_chain *c = &p->chains.items[chain];
	enum spb_descriptor kind = spb_descriptor_of(p->m, storage_class, type);

	if (!spb_has_heap(kind))
		spb_refuse_builtin(p, at, "no kind of descriptor corresponds to this type");
	if ((kind == SPB_DESCRIPTOR_SAMPLER) != c->sampler)
		spb_refuse_builtin(p, at,
				   "samplers are in the sampler heap, and all other descriptors in the resource heap");
	check_stride(p, c, kind, at);
	uint32_t heap = spb_heap_of(&p->heaps, type, storage_class, kind);
	if (c->term_count || c->offset)
		p->heaps.dynamic[kind] = true;
	return heap + 1;
}

static void see_chain(struct spb_builtin_plan *p, spb_at at, bool sampler)
{
	struct spb_heap_chain chain = spb_read_heap_chain(&p->types, at);
	struct spb_builtin_pointer pointer = {.form = SPB_POINTER_DESCRIPTOR, .chain = (uint32_t)p->chains.count};

	chain.sampler = sampler;
	if (spb_def_op(p->m, chain.element) == OpTypeBufferEXT)
		pointer.storage_class = p->m->words[p->m->def[chain.element] + 2];
	else if (spb_has_heap(spb_descriptor_of(p->m, SpvStorageClassUniformConstant, chain.element)))
		pointer.type = chain.element;
	else if (!p->u->builtin.remakes && (pointer.type = spb_scenes_of(p->m, at)) != 0)
		pointer.form = SPB_POINTER_ADDRESS;
	else
		spb_refuse_builtin(p, at, "it reaches data that is not a descriptor");
	SPB_PUSH(p->arena, &p->chains, chain);
	add_pointer(p, p->m->words[at + 2], pointer);
}

static bool is_opaque(const struct spb_module *m, uint32_t type)
{
	return spb_has_heap(spb_descriptor_of(m, SpvStorageClassUniformConstant, type));
}

/* A load or a texel pointer of a descriptor. The pointer has no type, so the use decides. */
static void see_descriptor(struct spb_builtin_plan *p, spb_at at, uint32_t pointer, uint32_t type)
{
	struct spb_builtin_pointer *from = &p->pointers.items[pointer];

	if (!is_opaque(p->m, type))
		spb_refuse_builtin(p, at, "it reads a descriptor as data");
	if (!from->type)
		from->type = type; /* the chain becomes a pointer to it */
	add_rewrite(p, at, pointer, type, heap_for(p, from->chain, type, SpvStorageClassUniformConstant, at));
}

/* The load of an address, and what converts it. */
static void see_address(struct spb_builtin_plan *p, spb_at at, uint32_t pointer)
{
	const struct spb_module *m = p->m;
	uint32_t id = m->words[at + 2], type = p->pointers.items[pointer].type;

	see_descriptor(p, at, pointer, type);
	for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
		if (spb_op(m, m->use[i].at) == SpvOpConvertUToAccelerationStructureKHR)
			add_rewrite(p, m->use[i].at, pointer, type, 0);
	}
}

static bool is_typed_pointer(const struct spb_module *m, uint32_t id)
{
	return spb_def_op(m, spb_type_of(m, id)) == SpvOpTypePointer;
}

static void see_buffer(struct spb_builtin_plan *p, spb_at at, uint32_t pointer)
{
	const struct spb_module *m = p->m;
	struct spb_builtin_pointer from = p->pointers.items[pointer];
	spb_at type = m->def[m->words[at + 1]];
	struct spb_builtin_pointer to = {.form = SPB_POINTER_BUFFER,
					 .chain = from.chain,
					 .storage_class = m->words[type + 2],
					 .id = m->words[at + 2]};

	if (to.storage_class != SpvStorageClassStorageBuffer && to.storage_class != SpvStorageClassUniform)
		spb_refuse_builtin(p, at, "a buffer is neither a storage buffer nor a uniform buffer");
	if (from.storage_class && from.storage_class != to.storage_class)
		spb_refuse_builtin(
		    p, at,
		    "its descriptor is that of another kind of buffer; read a uniform buffer as one, and a "
		    "storage buffer as one");
	if (spb_op(m, type) != SpvOpTypePointer) {
		add_pointer(p, m->words[at + 2], to);
		add_rewrite(p, at, pointer, 0, 0);
		return;
	}
	to.form = SPB_POINTER_TYPED;
	to.type = m->words[type + 3];
	add_rewrite(p, at, pointer, to.type, heap_for(p, from.chain, to.type, to.storage_class, at));
	add_pointer(p, m->words[at + 2], to);
}

/* Follows the indices of an untyped chain from a type. */
static uint32_t reached(struct spb_builtin_plan *p, spb_at at, uint32_t type)
{
	const struct spb_module *m = p->m;

	for (uint32_t w = at + 5; w < spb_next(m, at) && type; w++) {
		uint64_t index = 0;
		if (spb_def_op(m, type) == SpvOpTypeStruct && !spb_constant_value(m, m->words[w], &index))
			type = 0;
		else
			type = spb_part_type(m, type, index);
	}
	if (!type)
		spb_refuse_builtin(p, at, "its indices do not fit its type");
	return type;
}

static void see_data_chain(struct spb_builtin_plan *p, spb_at at, uint32_t pointer)
{
	const struct spb_module *m = p->m;
	struct spb_builtin_pointer from = p->pointers.items[pointer], to = from;
	uint32_t base = m->words[at + 3], heap = 0;

	if (from.form == SPB_POINTER_BUFFER)
		heap = heap_for(p, from.chain, base, from.storage_class, at);
	else if (base != from.type)
		spb_refuse_builtin(p, at, "it reads the memory of a buffer as another type than its own");
	if (is_typed_pointer(m, m->words[at + 2]))
		spb_refuse_builtin(p, at, "its result has a type");
	to.form = SPB_POINTER_DATA;
	to.type = reached(p, at, base);
	add_rewrite(p, at, pointer, to.type, heap);
	add_pointer(p, m->words[at + 2], to);
}

static void see_copy(struct spb_builtin_plan *p, spb_at at, uint32_t pointer)
{
	struct spb_builtin_pointer copy = p->pointers.items[pointer];

	if (copy.form == SPB_POINTER_TYPED)
		return;
	if (copy.form == SPB_POINTER_BUFFER || (copy.form == SPB_POINTER_DESCRIPTOR && !copy.type))
		spb_refuse_builtin(p, at, "a pointer without a type is copied; use the original");
	add_rewrite(p, at, pointer, copy.type, 0);
	add_pointer(p, p->m->words[at + 2], copy);
}

static void see_argument(struct spb_builtin_plan *p, spb_at at, uint32_t pointer, uint32_t word)
{
	const struct spb_module *m = p->m;
	struct spb_builtin_pointer *from = &p->pointers.items[pointer];
	spb_at parameter = m->def[m->words[at + 3]];

	for (uint32_t w = at + 4; w <= word; w++) {
		parameter = spb_next_parameter(m, parameter);
		if (spb_op(m, parameter) != SpvOpFunctionParameter)
			spb_refuse_builtin(p, at, "the function has fewer parameters");
	}
	spb_at type = m->def[m->words[parameter + 1]];
	if (spb_op(m, type) != SpvOpTypePointer)
		spb_refuse_builtin(p, at,
				   "the parameter is an untyped pointer; give it a type, or inline the function");
	if (from->form == SPB_POINTER_DESCRIPTOR && !from->type && is_opaque(m, m->words[type + 3]))
		from->type = m->words[type + 3];
	if (m->words[type + 3] != from->type || from->form == SPB_POINTER_BUFFER)
		spb_refuse_builtin(p, at, "the parameter points to another type");
}

/* Each use of a data pointer must have the type of the data. */
static void check_access(struct spb_builtin_plan *p, spb_at at, uint32_t pointer, uint32_t type)
{
	struct spb_builtin_pointer *from = &p->pointers.items[pointer];

	if (from->form == SPB_POINTER_BUFFER)
		add_rewrite(p, at, pointer, type, heap_for(p, from->chain, type, from->storage_class, at));
	else if (type != from->type)
		spb_refuse_builtin(p, at, "it accesses the memory of a buffer as another type than its own");
}

static void see_array_length(struct spb_builtin_plan *p, spb_at at, uint32_t pointer)
{
	const struct spb_module *m = p->m;
	struct spb_builtin_pointer from = p->pointers.items[pointer];
	uint32_t block = m->words[at + 3], heap = 0;

	if (from.form == SPB_POINTER_BUFFER)
		heap = heap_for(p, from.chain, block, from.storage_class, at);
	else if (from.form != SPB_POINTER_TYPED || block != from.type)
		spb_refuse_builtin(p, at, "it asks for the length within another type");
	add_rewrite(p, at, pointer, block, heap);
}

static bool see_data_use(struct spb_builtin_plan *p, uint32_t pointer, struct spb_use use)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, use.at), operand = use.word - use.at;

	if ((op == OpUntypedAccessChainKHR || op == OpUntypedInBoundsAccessChainKHR) && operand == 4)
		see_data_chain(p, use.at, pointer);
	else if (op == OpUntypedArrayLengthKHR && operand == 4)
		see_array_length(p, use.at, pointer);
	else if (p->pointers.items[pointer].form == SPB_POINTER_TYPED)
		return true;
	else if (op == SpvOpLoad)
		check_access(p, use.at, pointer, m->words[use.at + 1]);
	else if (op == SpvOpStore && operand == 1)
		check_access(p, use.at, pointer, spb_type_of(m, m->words[use.at + 2]));
	else if (op == SpvOpAtomicStore && operand == 1)
		check_access(p, use.at, pointer, spb_type_of(m, m->words[use.at + 4]));
	else if (spb_op_is(op, SPB_OP_ATOMIC) && operand == 3)
		check_access(p, use.at, pointer, m->words[use.at + 1]);
	else
		return false;
	return true;
}

static bool is_texel_access(const struct spb_builtin_plan *p, struct spb_use use, uint32_t type)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, use.at);

	if (!spb_op_is(op, SPB_OP_ATOMIC))
		return false;
	return type == (op == SpvOpAtomicStore ? spb_type_of(m, m->words[use.at + 4]) : m->words[use.at + 1]);
}

static void see_use(struct spb_builtin_plan *p, uint32_t pointer, struct spb_use use)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, use.at);
	struct spb_builtin_pointer from = p->pointers.items[pointer];
	bool known = true;

	if (spb_is_non_semantic(m, use.at))
		add_rewrite(p, use.at, pointer, 0, 0);
	else if (op == SpvOpCopyObject)
		see_copy(p, use.at, pointer);
	else if (op == SpvOpFunctionCall && from.form != SPB_POINTER_TYPED)
		see_argument(p, use.at, pointer, use.word);
	else if (from.form == SPB_POINTER_ADDRESS)
		see_address(p, use.at, pointer);
	else if (from.form == SPB_POINTER_TEXEL)
		known = is_texel_access(p, use, from.type);
	else if (from.form != SPB_POINTER_DESCRIPTOR)
		known = see_data_use(p, pointer, use);
	else if (op == SpvOpLoad)
		see_descriptor(p, use.at, pointer, m->words[use.at + 1]);
	else if (op == OpBufferPointerEXT)
		see_buffer(p, use.at, pointer);
	else if (op == OpUntypedImageTexelPointerEXT && use.word == use.at + 4) {
		uint32_t image = m->words[use.at + 3];
		see_descriptor(p, use.at, pointer, image);
		if (spb_def_op(m, image) != SpvOpTypeImage)
			spb_refuse_builtin(p, use.at, "it is not an image");
		struct spb_builtin_pointer texel = {
		    .form = SPB_POINTER_TEXEL, .chain = from.chain, .type = m->words[m->def[image] + 2]};
		add_pointer(p, m->words[use.at + 2], texel);
	} else {
		known = false;
	}
	if (!known)
		spb_refuse_builtin(
		    p, use.at,
		    "the pointer is not used for an access there; access the descriptor where it is indexed");
}

static void collect(struct spb_builtin_plan *p)
{
	const struct spb_module *m = p->m;

	p->uses = spb_find_heap_uses(m, p->arena);
	for (size_t i = 0; i < p->uses.list.count; i++) {
		struct spb_heap_use use = p->uses.list.items[i];
		if (!use.is_chain)
			spb_refuse_builtin(p, use.at, "the heap itself is not indexed there");
		see_chain(p, use.at, use.sampler);
	}
	while (p->work.count) {
		uint32_t id = p->work.items[--p->work.count], pointer = p->pointer_of[id] - 1;
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++)
			see_use(p, pointer, m->use[i]);
	}
}

/* A chain that is a typed pointer afterwards keeps its place and its id. */
static void choose_chain_heaps(struct spb_builtin_plan *p)
{
	p->chain_heap = spb_alloc_zeroed(p->arena, p->chains.count, sizeof *p->chain_heap);
	p->index_of = spb_alloc_zeroed(p->arena, p->chains.count, sizeof *p->index_of);
	for (size_t i = 0; i < p->chains.count; i++) {
		struct spb_heap_chain *c = &p->chains.items[i];
		uint32_t type = p->pointers.items[p->pointer_of[p->m->words[c->at + 2]] - 1].type;
		if (type)
			p->chain_heap[i] = heap_for(p, (uint32_t)i, type, SpvStorageClassUniformConstant, c->at);
	}
}

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
				   "the descriptor heap counts %ss in another stride than other descriptors, but with "
				   "--heap-model=mutable they share one array; make sure that no index names two "
				   "descriptors, or use --heap-model=typed",
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
	collect(&p);
	if (restrides && have_strides(&p))
		return false;
	choose_chain_heaps(&p);
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
