/* SPDX-License-Identifier: Apache-2.0 */
/* descriptor-heap: replaces the heaps of DescriptorHandles by the built-in heaps of SPV_EXT_descriptor_heap, which have
 * neither a set nor a binding (--heap-model=descriptor-heap).
 *
 *     %c = OpAccessChain %pointer %heap %x           %c = OpUntypedAccessChainKHR %untyped %images %resource_heap %x
 *     %l = OpLoad %image %c                          %l = OpLoad %image %c
 *     %t = OpImageTexelPointer %texel %c %uv %s      %t = OpUntypedImageTexelPointerEXT %untyped_texel %image %c %uv %s
 *
 *     %m = OpAccessChain %member %heap %x %i         %d = OpUntypedAccessChainKHR %untyped %buffers %resource_heap %x
 *                                                    %b = OpBufferPointerEXT %block %d
 *                                                    %m = OpAccessChain %member %b %i
 *
 *     OpDecorate %resource_heap BuiltIn ResourceHeapEXT          (SamplerHeapEXT: that of samplers)
 *     %size = OpConstantSizeOfEXT %uint %image                   (or a number, or the larger of two: --heap-stride)
 *     %images = OpTypeRuntimeArray %image                        OpDecorateId %images ArrayStrideIdEXT %size
 *     %buffer = OpTypeBufferEXT StorageBuffer                    %buffers = OpTypeRuntimeArray %buffer
 *
 * The pointer into a buffer is typed, so accesses through it stay unchanged. Qualifiers of a heap of buffers move to
 * each such pointer. Heaps of images cannot have qualifiers, and a warning says so where they mattered.
 *
 * Heaps that the module has already, from an earlier run, from Slang or from DXC, are adopted before accesses are
 * marked (adopt-heaps). DXC's heap of counters stays where it is, since it is indexed like the buffers.
 *
 * modernize-module has raised the version of an old module and turned BufferBlocks into storage buffers. Refused: a
 * pointer to a descriptor that reaches anything but a load, a texel pointer or a copy (SPB_E_HEAP_FLOW). */
#include "pass/builtin/builtin.h"
#include "pass/handles/handles.h"

struct heap {
	uint32_t variable;
	enum spb_descriptor kind;
	uint32_t element, storage_class;
	uint32_t length; /* id of a constant; 0: runtime array */
	struct spb_heap made;
	/* created by this pass */
	uint32_t builtin; /* variable */
	uint32_t array;   /* array type with a stride */
	uint32_t block;   /* buffers only: type of the pointer to the contents */
};

struct way { /* an instruction between a heap and an access */
	spb_at at;
	uint32_t heap;
};

struct plan {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_arena *arena;
	SPB_LIST(struct heap) heaps;
	SPB_LIST(struct way) ways;
	uint32_t *pointer_of; /* [bound] heap + 1, for pointers to opaque descriptors or texels */
	uint32_t *changed;    /* bits over word offsets: instructions that are replaced or removed */
	uint32_t *old_types;  /* bits over ids: types that may have become unused */
	SPB_LIST(uint32_t) work;
	/* created on first use */
	uint32_t unified, image_size;
	uint32_t resource_heap, sampler_heap;
	uint32_t buffer_size[2]; /* uniform, storage */
	uint32_t buffers[2][2];  /* the same, not remade and remade */
};

static bool is_buffer(const struct heap *h)
{
	return h->storage_class != SpvStorageClassUniformConstant;
}

static bool is_sampler(const struct heap *h)
{
	return h->kind == SPB_DESCRIPTOR_SAMPLER;
}

/* Collecting */

static void see_heap(struct plan *p, struct spb_heap made)
{
	const struct spb_module *m = p->m;
	spb_at pointer = m->def[spb_type_of(m, made.variable)], array = m->def[m->words[pointer + 3]];
	struct heap h = {
	    .variable = made.variable, .kind = made.kind, .storage_class = m->words[pointer + 2], .made = made};

	h.element = m->words[array + 2];
	h.length = spb_op(m, array) == SpvOpTypeArray ? m->words[array + 3] : 0;
	spb_set_bit(p->old_types, m->words[m->def[h.variable] + 1]);
	spb_set_bit(p->old_types, m->words[pointer + 3]);
	SPB_PUSH(p->arena, &p->heaps, h);
}

static noreturn void refuse(const struct plan *p, uint32_t heap, spb_at at)
{
	spb_fail(p->m, SPB_ERROR_UNSUPPORTED, SPB_E_HEAP_FLOW, at,
		 "%s uses a pointer into %s, which SPV_EXT_descriptor_heap does not support" SPB_REMEDY
		 "Dereference the handle where its descriptor is used.",
		 spb_word_of(p->m, at), spb_label(p->arena, p->m, p->heaps.items[heap].variable));
}

static void add_way(struct plan *p, uint32_t heap, spb_at at)
{
	spb_set_bit(p->changed, at);
	SPB_PUSH(p->arena, &p->ways, ((struct way){at, heap}));
}

/* The result is a pointer to an opaque descriptor or a texel: it becomes untyped, and so do its copies. */
static void see_pointer(struct plan *p, uint32_t heap, spb_at at)
{
	uint32_t id = p->m->words[at + 2];

	p->pointer_of[id] = heap + 1;
	spb_set_bit(p->old_types, p->m->words[at + 1]);
	add_way(p, heap, at);
	SPB_PUSH(p->arena, &p->work, id);
}

static bool is_texel_pointer(const struct spb_module *m, uint32_t id)
{
	const uint32_t type = spb_type_of(m, id);

	return spb_def_op(m, type) == SpvOpTypePointer && m->words[m->def[type] + 2] == SpvStorageClassImage;
}

static void see_use(struct plan *p, uint32_t heap, uint32_t id, struct spb_use use)
{
	const struct spb_module *m = p->m;
	uint32_t op = spb_op(m, use.at);
	bool texel = is_texel_pointer(m, id);

	if (op == SpvOpCopyObject || (op == SpvOpImageTexelPointer && !texel && use.word == use.at + 3))
		see_pointer(p, heap, use.at);
	else if (!(texel ? spb_op_is(op, SPB_OP_ATOMIC) : op == SpvOpLoad) && !spb_is_non_semantic(m, use.at))
		refuse(p, heap, use.at);
}

static void see_chains(struct plan *p, uint32_t heap)
{
	const struct spb_module *m = p->m;
	const struct heap *h = &p->heaps.items[heap];

	for (uint32_t i = m->first_use[h->variable]; i < m->first_use[h->variable + 1]; i++) {
		struct spb_use use = m->use[i];
		uint32_t op = spb_op(m, use.at);
		if (!spb_op_is(op, SPB_OP_CHAIN) || use.word != use.at + 3 || spb_length(m, use.at) < 5)
			refuse(p, heap, use.at);
		if (is_buffer(h))
			add_way(p, heap, use.at);
		else
			see_pointer(p, heap, use.at);
	}
	while (p->work.count) {
		uint32_t id = p->work.items[--p->work.count];
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++)
			see_use(p, heap, id, m->use[i]);
	}
}

/* Types, sizes and variables */

static uint32_t untyped_pointer(struct plan *p, uint32_t storage_class)
{
	return spb_make(&p->u->edit, OpTypeUntypedPointerKHR, W(storage_class));
}

static uint32_t put_size(struct plan *p, uint32_t type)
{
	uint32_t id = spb_new_id(&p->u->edit), number = spb_uint_type(&p->u->edit);

	spb_add_global(&p->u->edit, OpConstantSizeOfEXT, W(number, id, type));
	return id;
}

static uint32_t buffer_type(struct plan *p, bool storage)
{
	return spb_make(&p->u->edit, OpTypeBufferEXT,
			W(storage ? SpvStorageClassStorageBuffer : SpvStorageClassUniform));
}

static uint32_t buffer_size(struct plan *p, bool storage)
{
	if (!p->buffer_size[storage])
		p->buffer_size[storage] = put_size(p, buffer_type(p, storage));
	return p->buffer_size[storage];
}

/* All images have the same size in a heap, so any image type will do: one of this module's heaps, or a new one. */
static uint32_t image_size(struct plan *p)
{
	struct spb_edit *e = &p->u->edit;
	uint32_t type = 0;

	if (p->image_size)
		return p->image_size;
	for (size_t i = 0; i < p->heaps.count && !type; i++) {
		if (spb_def_op(p->m, p->heaps.items[i].element) == SpvOpTypeImage)
			type = p->heaps.items[i].element;
	}
	if (!type) {
		uint32_t component = spb_make(e, SpvOpTypeFloat, W(32));
		type = spb_make(e, SpvOpTypeImage, W(component, SpvDim2D, 0, 0, 0, 1, SpvImageFormatUnknown));
	}
	return p->image_size = put_size(p, type);
}

/* The larger of the sizes of images and buffers, so that it is the same in every module. */
static uint32_t unified_size(struct plan *p)
{
	struct spb_edit *e = &p->u->edit;

	if (p->unified)
		return p->unified;
	uint32_t number = spb_uint_type(&p->u->edit), image = image_size(p), buffer = buffer_size(p, true);
	uint32_t truth = spb_bool_type(e), larger = spb_new_id(e), size = spb_new_id(e);
	spb_add_global(e, SpvOpSpecConstantOp, W(truth, larger, SpvOpUGreaterThan, image, buffer));
	spb_add_global(e, SpvOpSpecConstantOp, W(number, size, SpvOpSelect, larger, image, buffer));
	return p->unified = size;
}

/* The stride of a heap's array: that of the input, or of --heap-stride. */
static enum spb_heap_stride_kind stride_of(const struct plan *p, const struct heap *h, uint32_t *number)
{
	const spb_heap_options *o = &p->u->options->heaps;

	*number = h->made.remade ? h->made.stride_number : is_sampler(h) ? o->sampler_stride : o->resource_stride;
	if (h->made.remade)
		return h->made.stride;
	if (*number)
		return SPB_STRIDE_BYTES;
	return !is_sampler(h) && o->unified_stride ? SPB_STRIDE_UNIFIED : SPB_STRIDE_SIZE;
}

/* The constant that is the size of a heap's descriptors. */
static uint32_t size_of(struct plan *p, const struct heap *h)
{
	if (is_buffer(h))
		return buffer_size(p, h->kind == SPB_DESCRIPTOR_SSBO);
	if (p->image_size && spb_def_op(p->m, h->element) == SpvOpTypeImage)
		return p->image_size;
	return put_size(p, h->element);
}

static uint32_t make_array(struct plan *p, const struct heap *h)
{
	struct spb_edit *e = &p->u->edit;
	uint32_t number, id = 0; /* SPIR-V requires the id to be declared before the array */
	enum spb_heap_stride_kind stride = stride_of(p, h, &number);

	if (stride != SPB_STRIDE_BYTES)
		id = stride == SPB_STRIDE_UNIFIED ? unified_size(p)
		     : stride == SPB_STRIDE_SIZE  ? size_of(p, h)
						  : number;
	uint32_t element = is_buffer(h) ? buffer_type(p, h->kind == SPB_DESCRIPTOR_SSBO) : h->element;
	uint32_t array = spb_new_id(e);

	if (h->length)
		spb_add_global(e, SpvOpTypeArray, W(array, element, h->length));
	else
		spb_add_global(e, SpvOpTypeRuntimeArray, W(array, element));
	if (stride == SPB_STRIDE_BYTES)
		spb_add_decoration(e, array, SpvDecorationArrayStride, &number, 1);
	else
		spb_add_decoration_id(e, array, DecorationArrayStrideIdEXT, id);
	return array;
}

/* The built-in variable of a heap, which the input may already declare. */
static uint32_t find_builtin(const struct spb_module *m, uint32_t builtin)
{
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t word = spb_op(m, at) == OpUntypedVariableKHR
				    ? spb_decoration(m, m->words[at + 2], SpvDecorationBuiltIn)
				    : 0;
		if (word && m->words[word] == builtin)
			return m->words[at + 2];
	}
	return 0;
}

static uint32_t builtin_of(struct plan *p, const struct heap *h)
{
	struct spb_edit *e = &p->u->edit;
	uint32_t *memo = is_sampler(h) ? &p->sampler_heap : &p->resource_heap;
	uint32_t builtin = is_sampler(h) ? BuiltInSamplerHeapEXT : BuiltInResourceHeapEXT;

	if (!*memo)
		*memo = find_builtin(p->m, builtin);
	if (!*memo) {
		uint32_t type = untyped_pointer(p, SpvStorageClassUniformConstant);
		*memo = spb_new_id(e);
		spb_add_global(e, OpUntypedVariableKHR, W(type, *memo, SpvStorageClassUniformConstant));
		spb_add_name(e, *memo, is_sampler(h) ? "sampler_heap" : "resource_heap");
		spb_add_decoration(e, *memo, SpvDecorationBuiltIn, &builtin, 1);
	}
	return *memo;
}

static void make_heap(struct plan *p, struct heap *h)
{
	bool storage = h->kind == SPB_DESCRIPTOR_SSBO;

	h->builtin = builtin_of(p, h);
	if (!is_buffer(h)) {
		h->array = make_array(p, h);
		return;
	}
	uint32_t *array = &p->buffers[storage][h->made.remade];
	if (!*array)
		*array = make_array(p, h);
	h->array = *array;
	h->block = spb_pointer_type(&p->u->edit, h->storage_class, h->element);
}

/* Rewriting */

static void put_mark(struct plan *p, spb_at from, uint32_t id)
{
	if (spb_decoration(p->m, p->m->words[from + 2], SpvDecorationNonUniform))
		spb_add_decoration(&p->u->edit, id, SpvDecorationNonUniform, NULL, 0);
}

static void rewrite_buffer_chain(struct plan *p, const struct heap *h, spb_at at, uint32_t pointer)
{
	const struct spb_module *m = p->m;
	struct spb_edit *e = &p->u->edit;
	uint32_t descriptor = spb_new_id(e), length = spb_length(m, at);
	uint32_t whole = length == 5 ? m->words[at + 2] : spb_new_id(e);

	spb_insert(e, at, OpUntypedAccessChainKHR, W(pointer, descriptor, h->array, h->builtin, m->words[at + 4]));
	put_mark(p, at, descriptor);
	for (size_t i = 0; i < SPB_MEMORY_QUALIFIERS; i++) {
		if (spb_decoration(m, h->variable, spb_memory_qualifiers[i]))
			spb_add_decoration(e, whole, spb_memory_qualifiers[i], NULL, 0);
	}
	if (length == 5) {
		spb_replace(e, at, OpBufferPointerEXT, W(h->block, whole, descriptor));
		return;
	}
	put_mark(p, at, whole);
	spb_insert(e, at, OpBufferPointerEXT, W(h->block, whole, descriptor));
	uint32_t *words = spb_alloc_array(p->arena, length, sizeof *words);
	memcpy(words, m->words + at + 1, 2 * sizeof *words);
	words[2] = whole;
	memcpy(words + 3, m->words + at + 5, (length - 5) * sizeof *words);
	spb_replace(e, at, spb_op(m, at), words, length - 2);
}

static void rewrite_way(struct plan *p, struct way way)
{
	struct spb_edit *e = &p->u->edit;
	const struct heap *h = &p->heaps.items[way.heap];
	const uint32_t *words = p->m->words + way.at;
	uint32_t op = spb_op(p->m, way.at);
	bool texel = p->pointer_of[words[2]] && is_texel_pointer(p->m, words[2]);
	uint32_t pointer = untyped_pointer(p, texel ? SpvStorageClassImage : SpvStorageClassUniformConstant);

	if (op == SpvOpCopyObject)
		spb_replace(e, way.at, op, W(pointer, words[2], words[3]));
	else if (op == SpvOpImageTexelPointer)
		spb_replace(e, way.at, OpUntypedImageTexelPointerEXT,
			    W(pointer, words[2], h->element, words[3], words[4], words[5]));
	else if (is_buffer(h))
		rewrite_buffer_chain(p, h, way.at, pointer);
	else if (spb_length(p->m, way.at) == 5)
		spb_replace(e, way.at, OpUntypedAccessChainKHR, W(pointer, words[2], h->array, h->builtin, words[4]));
	else
		refuse(p, way.heap, way.at);
}

/* Removing */

/* The built-in variable replaces its heaps in the interface of each entry point. */
static void rewrite_interfaces(struct plan *p)
{
	const struct spb_module *m = p->m;
	uint32_t *heap_of = spb_alloc_zeroed(p->arena, m->bound, sizeof *heap_of);

	for (size_t i = 0; i < p->heaps.count; i++)
		heap_of[p->heaps.items[i].variable] = (uint32_t)i + 1;
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		bool wanted[2] = {false, false}, there[2] = {false, false};
		if (spb_op(m, at) != SpvOpEntryPoint)
			continue;
		uint32_t name = (uint32_t)strlen(spb_string(m, at + 3)) / 4 + 1;
		for (uint32_t w = at + 3 + name; w < spb_next(m, at); w++) {
			uint32_t heap = heap_of[m->words[w]];
			if (heap)
				wanted[is_sampler(&p->heaps.items[heap - 1])] = true;
			there[0] |= m->words[w] == p->resource_heap;
			there[1] |= m->words[w] == p->sampler_heap;
		}
		if (wanted[0] && !there[0])
			spb_interface_add(&p->u->edit, at, p->resource_heap);
		if (wanted[1] && !there[1])
			spb_interface_add(&p->u->edit, at, p->sampler_heap);
	}
}

/* Types that only the heaps and the pointers into them used. */
static void remove_types(struct plan *p)
{
	uint32_t *gone = spb_bits(p->arena, p->m->bound);

	for (size_t i = 0; i < p->heaps.count; i++)
		spb_set_bit(gone, p->heaps.items[i].variable);
	for (size_t i = 0; i < p->ways.count; i++)
		spb_set_bit(gone, spb_result(p->m, p->ways.items[i].at));
	spb_sweep_types(&p->u->edit, p->old_types, gone, NULL, 0);
}

static void remove_variables(struct plan *p)
{
	for (size_t i = 0; i < p->heaps.count; i++) {
		uint32_t id = p->heaps.items[i].variable;
		spb_set_bit(p->changed, p->m->def[id]);
		spb_remove_id(&p->u->edit, id);
	}
}

static void declare(struct plan *p)
{
	struct spb_edit *e = &p->u->edit;

	spb_add_capability(e, CapabilityUntypedPointersKHR);
	spb_add_capability(e, CapabilityDescriptorHeapEXT);
	spb_add_extension(e, "SPV_KHR_untyped_pointers");
	spb_add_extension(e, "SPV_EXT_descriptor_heap");
}

/* Adopted heaps were indexed as arrays. Each capability is a feature that the host must enable, so those that no other
 * array of descriptors can need are removed. */
static void remove_capabilities(struct plan *p)
{
	const struct spb_module *m = p->m;
	struct spb_variables vs = spb_collect_variables(m, p->arena);
	uint32_t heaps = 0, arrays = 0; /* 1 << kind */
	bool runtime = false;

	for (size_t i = 0; i < p->heaps.count; i++)
		heaps |= 1u << p->heaps.items[i].kind;
	for (size_t i = 0; i < vs.count; i++) {
		bool is_left = vs.items[i].type != vs.items[i].element && !spb_bit(p->changed, vs.items[i].at);
		arrays |= is_left ? 1u << vs.items[i].kind : 0;
		runtime |= is_left && !vs.items[i].count;
	}
	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_EXTENSION];
	     at = spb_next(m, at)) {
		uint32_t capability = spb_capability(m, at);
		if (capability == UINT32_MAX) /* which stands for "none" in spb_descriptor_info, too */
			continue;
		bool goes = capability == SpvCapabilityRuntimeDescriptorArray && !runtime;
		for (uint32_t i = 0; i < SPB_DESCRIPTOR_COUNT && !goes; i++) {
			const struct spb_descriptor_info *info = spb_descriptor_info((enum spb_descriptor)i);
			goes = (capability == info->dynamic || capability == info->non_uniform) &&
			       (heaps & ~arrays) >> i & 1;
			if (goes && info->implied)
				spb_add_capability(&p->u->edit, info->implied);
			if (goes && capability == info->non_uniform)
				spb_add_capability(&p->u->edit, SpvCapabilityShaderNonUniform);
		}
		if (goes)
			spb_remove(&p->u->edit, at);
	}
}

/* The built-in heap is not a variable of the resource's kind, and an image loaded from it carries no memory
 * qualifiers. */
static void warn_of_qualifiers(const struct plan *p)
{
	for (size_t i = 0; i < p->heaps.count; i++) {
		const struct heap *h = &p->heaps.items[i];
		bool coherent = spb_decoration(p->m, h->variable, SpvDecorationCoherent) != 0;
		if (is_buffer(h) || (!coherent && !spb_decoration(p->m, h->variable, SpvDecorationVolatile)))
			continue;
		spb_report(p->m, SPB_SEVERITY_WARNING, SPB_E_HEAP_QUALIFIER, p->m->def[h->variable],
			   "%s is %s, which SPV_EXT_descriptor_heap cannot express for images" SPB_REMEDY
			   "Order accesses with barriers, or use the Vulkan memory model.",
			   spb_is_of_input(p->u, h->variable) ? spb_label(p->arena, p->m, h->variable)
							      : spb_id_name(p->m, h->variable),
			   coherent ? "Coherent" : "Volatile");
	}
}

bool spb_may_have_heaps(const struct spb_unit *u)
{
	return u->handles.heaps.count ||
	       (u->options->heaps.model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP && u->m.has & SPB_HAS_DESCRIPTOR_ARRAYS);
}

bool spb_pass_adopt_heaps(struct spb_unit *u)
{
	const struct spb_module *m = &u->m;
	struct spb_variables vs;

	if (u->options->heaps.model != SPB_HEAP_MODEL_DESCRIPTOR_HEAP)
		return false;
	vs = spb_collect_variables(m, &m->context->scratch);
	for (size_t i = 0; i < vs.count; i++) {
		const struct spb_variable *v = &vs.items[i];
		if (!v->heap || v->heap_kind == SPB_HEAP_COUNTER)
			continue;
		if (v->kind == SPB_DESCRIPTOR_COMBINED)
			spb_fail(
			    m, SPB_ERROR_UNSUPPORTED, SPB_E_HEAP_FLOW, v->at,
			    "%s is a heap of combined image-samplers, which SPV_EXT_descriptor_heap does not "
			    "have" SPB_REMEDY
			    "Bind the original module with --heap-model=descriptor-heap, which splits their handles.",
			    spb_label(&m->context->scratch, m, v->id));
		SPB_PUSH(&u->m.keep, &u->handles.heaps, ((struct spb_heap){.variable = v->id, .kind = v->kind}));
		u->builtin.adopted = true;
	}
	return false; /* descriptor-heap changes them */
}

bool spb_is_future_builtin(const struct spb_unit *u, const struct spb_heap *heap)
{
	return heap->remade || u->options->heaps.model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP;
}

const uint32_t *spb_future_builtins(const struct spb_unit *u)
{
	uint32_t *bits = NULL;

	for (size_t i = 0; i < u->handles.heaps.count; i++) {
		if (!spb_is_future_builtin(u, &u->handles.heaps.items[i]))
			continue;
		if (!bits)
			bits = spb_bits(&u->m.context->scratch, u->m.bound);
		spb_set_bit(bits, u->handles.heaps.items[i].variable);
	}
	return bits;
}

/* The layout places those that are left. */
static void forget_heaps(struct spb_unit *u)
{
	size_t left = 0;

	for (size_t i = 0; i < u->handles.heaps.count; i++) {
		struct spb_heap heap = u->handles.heaps.items[i];
		if (!spb_is_future_builtin(u, &heap))
			u->handles.heaps.items[left++] = heap;
		else if (!heap.remade)
			u->builtin.kinds |= 1u << heap.kind;
	}
	u->handles.heaps.count = left;
}

bool spb_pass_descriptor_heap(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct spb_arena *arena = &m->context->scratch;
	struct plan p = {.u = u, .m = m, .arena = arena};

	if (!spb_future_builtins(u))
		return false;
	spb_module_need_uses(m);
	p.pointer_of = spb_alloc_zeroed(arena, m->bound, sizeof *p.pointer_of);
	p.changed = spb_bits(arena, m->count);
	p.old_types = spb_bits(arena, m->bound);
	for (size_t i = 0; i < u->handles.heaps.count; i++) {
		if (spb_is_future_builtin(u, &u->handles.heaps.items[i]))
			see_heap(&p, u->handles.heaps.items[i]);
	}
	warn_of_qualifiers(&p);
	for (uint32_t i = 0; i < p.heaps.count; i++)
		see_chains(&p, i);
	for (size_t i = 0; i < p.heaps.count; i++)
		make_heap(&p, &p.heaps.items[i]);
	for (size_t i = 0; i < p.ways.count; i++)
		rewrite_way(&p, p.ways.items[i]);
	rewrite_interfaces(&p);
	remove_variables(&p);
	remove_types(&p);
	if (u->builtin.adopted)
		remove_capabilities(&p);
	declare(&p);
	forget_heaps(u);
	return true;
}
