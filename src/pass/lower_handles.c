/* SPDX-License-Identifier: Apache-2.0 */
/* lower-handles: a dereference of a DescriptorHandle becomes an access to a runtime array of descriptors.
 *
 *     %set = OpExtInstImport "NonSemantic.DescriptorHandle"   (gone, as the OpExtension glslang adds)
 *     %t = OpExtInst %texture %set 1 %handle                  (gone)
 *     %si = OpSampledImage %combined %t %s                    %x = OpCompositeExtract %uint %handle 0
 *                                                             %c = OpAccessChain %ptr %heap_texture_2D_float %x
 *                                                             %l = OpLoad %texture %c
 *                                                             %si = OpSampledImage %combined %l %s
 *
 * The index is taken and the descriptor loaded at each use, in the block of the use, under its guard: a load
 * above `if (handle is valid)` would read a descriptor that is not there. There is one heap variable for each
 * type of descriptor; types that one VkDescriptorType serves share a binding (Slang's table, handles.md).
 * With --combined=split the handle of a combined image-sampler is two indexes, each as uniform as it is by itself:
 *
 *     %t = OpExtInst %combined %set 1 %handle                 (gone)
 *     %v = OpImageSampleImplicitLod %v4 %t %uv                %l = OpLoad %texture ...   (by x, from the textures)
 *                                                             %s = OpLoad %sampler ...   (by y, from the samplers)
 *                                                             %si = OpSampledImage %combined %l %s
 *                                                             %v = OpImageSampleImplicitLod %v4 %si %uv
 *     %i = OpImage %texture %t                                %i = OpLoad %texture ...
 *
 * With --heap-size=N the heaps are OpTypeArrays of N, and the capability RuntimeDescriptorArray is not needed.
 *
 * A NonUniform mark on the dereference or a copy of it moves to the index; decorate-nonuniform completes it.
 *
 * samplerBuffer: OpTypeSampledImage of a Buffer is not allowed from SPIR-V 1.6 on, so the heap holds the image,
 * and the OpImage that takes it out of the sampled image becomes the load.
 *
 * Refused: instructions other than number 1 (SPB_E_HANDLE_INSTRUCTION), a handle that is no uint2
 * (SPB_E_HANDLE_TYPE), a descriptor no heap holds (SPB_E_HANDLE_KIND), a value that reaches anything but the
 * instruction that uses the descriptor, OpCopyObject between them (SPB_E_HANDLE_FLOW). */
#include "pass/pass.h"

struct heap {
	uint32_t type;    /* as dereferenced                         */
	uint32_t element; /* in the heap: the type, or its image     */
	enum spb_descriptor kind;
	uint32_t owner; /* the heap that has the variable: itself, or one of the same element */
	uint32_t variable;
	uint32_t pointer; /* pointer to element in UniformConstant   */
	bool split;       /* the type is combined, this its texture  */
};

struct handle { /* one dereference */
	spb_at at;
	uint32_t heap;
	bool sampled; /* of a split one: the sampler is needed, too */
};

struct plan {
	struct spb_unit *u;
	struct {
		struct heap *items;
		size_t count, capacity;
	} heaps;
	struct {
		struct handle *items;
		size_t count, capacity;
	} handles;
	uint32_t *heap_of_type;    /* id -> heap + 1 */
	uint32_t *heap_of_element; /* id -> the heap that has the variable, + 1 */
	uint32_t *handle_of;       /* id -> handle + 1: the dereference and its copies */
	uint32_t *marked;          /* bits over handles: NonUniform on it or a copy   */
	bool dynamic[SPB_DESCRIPTOR_COUNT];
	uint32_t sampler; /* heap + 1, for handles that are split */
	uint32_t length;  /* constant, with options->heap_size */
};

enum { DEREFERENCE = 1 };

static const struct spb_module *module(const struct plan *p)
{
	return &p->u->m;
}

/* heap_texture_2D_array_float: the same in every module, since the parts come from the type alone. */
static const char *heap_name(const struct plan *p, const struct heap *h)
{
	const struct spb_module *m = module(p);
	struct spb_text_buffer text = {.arena = &m->context->scratch};
	spb_at at = m->def[h->element];

	spb_text_format(&text, "heap_%s", spb_descriptor_info(h->kind)->kind);
	if (spb_op(m, at) == SpvOpTypeSampledImage)
		at = m->def[m->words[at + 2]];
	if (spb_op(m, at) == SpvOpTypeImage) {
		if (m->words[at + 3] != SpvDimBuffer)
			spb_text_format(&text, "_%s", spb_dim_name(m->words[at + 3]));
		spb_text_put(&text, m->words[at + 6] ? "_ms" : "");
		spb_text_put(&text, m->words[at + 5] == 1 ? "_array" : "");
		spb_text_put(&text, m->words[at + 4] == 1 ? "_depth" : "");
		spb_text_format(&text, "_%s", spb_component_name(m, m->words[at + 2]));
		if (m->words[at + 8] != SpvImageFormatUnknown)
			spb_text_format(&text, "_%s", spb_image_format_name(m->words[at + 8]));
	}
	return spb_text_end(&text);
}

static uint32_t add_heap(struct plan *p, struct heap h)
{
	h.owner = (uint32_t)p->heaps.count;
	if (p->heap_of_element[h.element])
		h.owner = p->heap_of_element[h.element] - 1;
	else
		p->heap_of_element[h.element] = h.owner + 1;
	SPB_PUSH(&module(p)->context->scratch, &p->heaps, h);
	p->heap_of_type[h.type] = (uint32_t)p->heaps.count;
	return (uint32_t)p->heaps.count - 1;
}

/* The heap of the y of split handles. A module may have no OpTypeSampler: then nothing else is of this type, and the
 * heap is that of type 0. */
static void need_sampler(struct plan *p)
{
	const struct spb_module *m = module(p);
	uint32_t type = 0;

	if (p->sampler)
		return;
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION] && !type;
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpTypeSampler)
			type = m->words[at + 1];
	}
	p->sampler = p->heap_of_type[type];
	if (!p->sampler)
		p->sampler =
		    1 + add_heap(p, (struct heap){.type = type, .element = type, .kind = SPB_DESCRIPTOR_SAMPLER});
}

static uint32_t find_heap(struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);
	uint32_t type = m->words[at + 1];

	if (p->heap_of_type[type])
		return p->heap_of_type[type] - 1;
	struct heap h = {.type = type, .element = type};
	h.kind = spb_descriptor_of(m, SpvStorageClassUniformConstant, type);
	h.split = h.kind == SPB_DESCRIPTOR_COMBINED && p->u->options->combined == SPB_COMBINED_SPLIT;
	if (h.split || (spb_def_op(m, type) == SpvOpTypeSampledImage && h.kind == SPB_DESCRIPTOR_UTEXBUF))
		h.element = m->words[m->def[type] + 2];
	if (h.split) /* the very type of the OpTypeSampledImage, depth or not */
		h.kind = spb_descriptor_of(m, SpvStorageClassUniformConstant, h.element);
	if (h.kind > SPB_DESCRIPTOR_AS || h.kind == SPB_DESCRIPTOR_UBO || h.kind == SPB_DESCRIPTOR_SSBO)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_KIND, at,
			 "a handle is dereferenced to %s, of which there is no heap; heaps hold samplers, combined "
			 "image-samplers, "
			 "textures, storage images, texel buffers and acceleration structures",
			 spb_label(&m->context->scratch, m, type));
	return add_heap(p, h);
}

/* Vulkan's DescriptorHandle<T> is a uint2. */
static void check_handle_type(const struct spb_module *m, spb_at at, uint32_t handle)
{
	spb_at type = m->def[spb_type_of(m, handle)];
	spb_at part = spb_op(m, type) == SpvOpTypeVector ? m->def[m->words[type + 2]] : 0;

	if (!part || m->words[type + 3] != 2 || spb_op(m, part) != SpvOpTypeInt || m->words[part + 2] != 32)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_TYPE, at,
			 "%s is dereferenced as a DescriptorHandle, but it is no vector of two 32-bit integers (uvec2, "
			 "uint2)",
			 spb_label(&m->context->scratch, m, handle));
}

/* Where the value of a descriptor may go: the operand that says which descriptor is used. */
static bool uses_descriptor(const struct spb_module *m, struct spb_use use)
{
	switch (spb_op(m, use.at)) {
	case SpvOpSampledImage:
	case SpvOpImage:
	case SpvOpImageSampleImplicitLod:
	case SpvOpImageSampleExplicitLod:
	case SpvOpImageSampleDrefImplicitLod:
	case SpvOpImageSampleDrefExplicitLod:
	case SpvOpImageSampleProjImplicitLod:
	case SpvOpImageSampleProjExplicitLod:
	case SpvOpImageSampleProjDrefImplicitLod:
	case SpvOpImageSampleProjDrefExplicitLod:
	case SpvOpImageFetch:
	case SpvOpImageGather:
	case SpvOpImageDrefGather:
	case SpvOpImageRead:
	case SpvOpImageWrite:
	case SpvOpImageQueryFormat:
	case SpvOpImageQueryOrder:
	case SpvOpImageQuerySizeLod:
	case SpvOpImageQuerySize:
	case SpvOpImageQueryLod:
	case SpvOpImageQueryLevels:
	case SpvOpImageQuerySamples:
	case SpvOpImageSparseSampleImplicitLod:
	case SpvOpImageSparseSampleExplicitLod:
	case SpvOpImageSparseSampleDrefImplicitLod:
	case SpvOpImageSparseSampleDrefExplicitLod:
	case SpvOpImageSparseFetch:
	case SpvOpImageSparseGather:
	case SpvOpImageSparseDrefGather:
	case SpvOpImageSparseRead:
	case SpvOpTraceRayKHR:
	case SpvOpTraceRayMotionNV:
	case SpvOpTraceMotionNV:
	case SpvOpTraceNV:
	case SpvOpRayQueryInitializeKHR:
	case SpvOpFragmentFetchAMD:
	case SpvOpFragmentMaskFetchAMD:
	case SpvOpImageSampleFootprintNV:
		return true;
	default:
		return false;
	}
}

static bool is_handle_set(const struct spb_module *m, uint32_t id)
{
	return spb_def_op(m, id) == SpvOpExtInstImport && !strcmp(spb_string(m, m->def[id] + 2), SPB_HANDLE_SET);
}

static bool is_debug(const struct spb_module *m, spb_at at)
{
	return spb_is_non_semantic(m, at) && !is_handle_set(m, m->words[at + 3]);
}

/* Everything a dereferenced value reaches, or a refusal that names the instruction. */
static void follow(struct plan *p, uint32_t handle, uint32_t root)
{
	const struct spb_module *m = module(p);
	const struct heap h = p->heaps.items[p->handles.items[handle].heap];
	struct {
		uint32_t *items;
		size_t count, capacity;
	} work = {0};

	SPB_PUSH(&m->context->scratch, &work, root);
	p->handle_of[root] = handle + 1;
	while (work.count) {
		uint32_t id = work.items[--work.count];
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
			struct spb_use use = m->use[i];
			uint32_t op = spb_op(m, use.at);
			if (op == SpvOpCopyObject) {
				uint32_t copy = m->words[use.at + 2];
				if (!p->handle_of[copy]) {
					p->handle_of[copy] = handle + 1;
					SPB_PUSH(&m->context->scratch, &work, copy);
				}
				continue;
			}
			if (is_debug(m, use.at))
				continue;
			bool whole = h.split || h.element == h.type; /* else only the image exists */
			if (whole ? !uses_descriptor(m, use) : op != SpvOpImage)
				spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_FLOW, use.at,
					 "the %s dereferenced from handle %s reaches %s, which is not handled yet; "
					 "dereference the "
					 "handle where its descriptor is used",
					 spb_descriptor_info(h.kind)->kind,
					 spb_label(&m->context->scratch, m, m->words[p->handles.items[handle].at + 5]),
					 spb_op_name(op));
			p->handles.items[handle].sampled |= h.split && op != SpvOpImage;
		}
	}
}

static void collect_dereference(struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);
	uint32_t number = m->words[at + 4];

	if (number != DEREFERENCE || spb_length(m, at) != 6)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_INSTRUCTION, at,
			 "instruction %u of " SPB_HANDLE_SET
			 " with %u operands is not handled; 1 (dereference, with the handle) is",
			 number, spb_length(m, at) - 5);
	if (!spb_function_around(m, at))
		spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_HANDLE_FLOW, at,
			 "a handle can be dereferenced in a function only");
	check_handle_type(m, at, m->words[at + 5]);
	struct handle handle = {.at = at, .heap = find_heap(p, at)};
	SPB_PUSH(&m->context->scratch, &p->handles, handle);
}

static int by_offset(const void *a, const void *b)
{
	const struct handle *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static void collect(struct plan *p)
{
	const struct spb_module *m = module(p);

	for (spb_at import = m->section[SPB_SECTION_IMPORT]; import < m->section[SPB_SECTION_MEMORY_MODEL];
	     import = spb_next(m, import)) {
		uint32_t set = m->words[import + 1];
		if (spb_op(m, import) != SpvOpExtInstImport || !is_handle_set(m, set))
			continue;
		for (uint32_t i = m->first_use[set]; i < m->first_use[set + 1]; i++) {
			spb_at at = m->use[i].at;
			if (spb_op(m, at) != SpvOpExtInst || m->use[i].word != at + 3)
				spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_HANDLE_INSTRUCTION, at,
					 "%s uses %%%u, the import of " SPB_HANDLE_SET ", as a value",
					 spb_op_name(spb_op(m, at)), set);
			collect_dereference(p, at);
		}
	}
	spb_sort(&m->context->scratch, p->handles.items, p->handles.count, sizeof *p->handles.items, by_offset);
	for (uint32_t i = 0; i < p->handles.count; i++)
		follow(p, i, m->words[p->handles.items[i].at + 2]);
	for (uint32_t i = 0; i < p->handles.count; i++) {
		if (p->handles.items[i].sampled)
			need_sampler(p);
	}
}

/* An array as long as heaps are; the length is of the integer type that handles consist of. */
static uint32_t make_array(struct plan *p, uint32_t element)
{
	struct spb_edit *e = &p->u->edit;
	uint32_t size = p->u->options->heap_size, array;

	if (!size) {
		array = spb_new_id(e);
		spb_add_global(e, SpvOpTypeRuntimeArray, W(array, element));
		return array;
	}
	if (!p->length) {
		const struct spb_module *m = module(p);
		uint32_t handle = m->words[p->handles.items[0].at + 5];
		p->length = spb_new_id(e);
		spb_add_global(e, SpvOpConstant, W(m->words[m->def[spb_type_of(m, handle)] + 2], p->length, size));
	}
	array = spb_new_id(e);
	spb_add_global(e, SpvOpTypeArray, W(array, element, p->length));
	return array;
}

static void make_heap(struct plan *p, struct heap *h)
{
	struct spb_unit *u = p->u;
	struct spb_edit *e = &u->edit;

	if (h->owner != (uint32_t)(h - p->heaps.items)) { /* samplerBuffer and textureBuffer share one */
		h->variable = p->heaps.items[h->owner].variable;
		h->pointer = p->heaps.items[h->owner].pointer;
		return;
	}
	const char *name = h->element ? heap_name(p, h) : "heap_sampler";
	if (!h->element) {
		h->element = spb_new_id(e);
		spb_add_global(e, SpvOpTypeSampler, W(h->element));
	}
	h->pointer = spb_pointer_type(e, SpvStorageClassUniformConstant, h->element);
	uint32_t array = make_array(p, h->element), pointer = spb_new_id(e);
	spb_add_global(e, SpvOpTypePointer, W(pointer, SpvStorageClassUniformConstant, array));
	h->variable = spb_new_id(e);
	spb_add_global(e, SpvOpVariable, W(pointer, h->variable, SpvStorageClassUniformConstant));
	spb_add_name(e, h->variable, name);
	SPB_PUSH(&u->m.keep, &u->heaps, ((struct spb_heap){h->variable, h->kind}));
}

/* .x or .y of the handle: the member itself where the handle is a constant, so that the index stays one. */
static uint32_t emit_index(struct plan *p, uint32_t at, uint32_t handle, uint32_t component, bool *constant)
{
	const struct spb_module *m = module(p);
	spb_at def = m->def[handle];
	spb_at vector = m->def[spb_type_of(m, handle)];

	*constant = spb_op(m, def) == SpvOpConstantComposite || spb_op(m, def) == SpvOpSpecConstantComposite;
	if (*constant)
		return m->words[def + 3 + component];
	uint32_t index = spb_new_id(&p->u->edit);
	spb_insert(&p->u->edit, at, SpvOpCompositeExtract, W(m->words[vector + 2], index, handle, component));
	return index;
}

enum { X, Y };

/* Before `at`: index, access chain, and the load into `result`. */
static void emit_load(struct plan *p, uint32_t at, uint32_t handle_number, uint32_t component, uint32_t result)
{
	struct spb_edit *e = &p->u->edit;
	const struct handle *handle = &p->handles.items[handle_number];
	const struct heap *h = &p->heaps.items[component == X ? handle->heap : p->sampler - 1];
	uint32_t chain = spb_new_id(e);
	bool constant;
	uint32_t index = emit_index(p, at, module(p)->words[handle->at + 5], component, &constant);

	if (!constant)
		p->dynamic[h->kind] = true;
	if (!constant && spb_bit(p->marked, handle_number))
		spb_add_decoration(e, index, SpvDecorationNonUniform, NULL, 0);
	spb_insert(e, at, SpvOpAccessChain, W(h->pointer, chain, h->variable, index));
	spb_insert(e, at, SpvOpLoad, W(h->element, result, chain));
}

/* Rewrites one use of a dereferenced value or of a copy of it. A consumer may use several (image and sampler of
 * an OpSampledImage): each of its operands is patched by itself. */
static void rewrite_use(struct plan *p, uint32_t handle_number, struct spb_use use)
{
	struct spb_edit *e = &p->u->edit;
	const struct spb_module *m = module(p);
	const struct heap *h = &p->heaps.items[p->handles.items[handle_number].heap];

	if (spb_op(m, use.at) == SpvOpCopyObject)
		return;            /* goes as well */
	if (is_debug(m, use.at)) { /* says which value a name had: the value is the handle now */
		spb_patch(e, use.word, m->words[p->handles.items[handle_number].at + 5]);
		return;
	}
	if (h->element != h->type && spb_op(m, use.at) == SpvOpImage) { /* becomes the load */
		emit_load(p, use.at, handle_number, X, m->words[use.at + 2]);
		spb_remove(e, use.at);
		return;
	}
	uint32_t value = spb_new_id(e);
	emit_load(p, use.at, handle_number, X, value);
	if (h->split) {
		uint32_t sampler = spb_new_id(e), both = spb_new_id(e);
		emit_load(p, use.at, handle_number, Y, sampler);
		spb_insert(e, use.at, SpvOpSampledImage, W(h->type, both, value, sampler));
		value = both;
	}
	spb_patch(e, use.word, value);
}

static void mark_handles(struct plan *p)
{
	const struct spb_module *m = module(p);

	for (uint32_t id = 1; id < m->bound; id++) {
		if (p->handle_of[id] && spb_decoration(m, id, SpvDecorationNonUniform))
			spb_set_bit(p->marked, p->handle_of[id] - 1);
	}
}

static void rewrite(struct plan *p)
{
	const struct spb_module *m = module(p);

	mark_handles(p);
	for (uint32_t id = 1; id < m->bound; id++) {
		if (!p->handle_of[id])
			continue;
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++)
			rewrite_use(p, p->handle_of[id] - 1, m->use[i]);
		spb_remove_notes(&p->u->edit, id);
		spb_remove(&p->u->edit, m->def[id]);
	}
}

/* The import, what names it, and the OpExtension that glslang adds for every set of spirv_instruction. */
static void remove_dialect(struct plan *p)
{
	const struct spb_module *m = module(p);

	for (spb_at at = m->section[SPB_SECTION_EXTENSION]; at < m->section[SPB_SECTION_IMPORT]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtension && !strcmp(spb_string(m, at + 1), SPB_HANDLE_SET))
			spb_remove(&p->u->edit, at);
	}
	for (spb_at at = m->section[SPB_SECTION_IMPORT]; at < m->section[SPB_SECTION_MEMORY_MODEL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtInstImport && !strcmp(spb_string(m, at + 2), SPB_HANDLE_SET)) {
			spb_remove_notes(&p->u->edit, m->words[at + 1]);
			spb_remove(&p->u->edit, at);
		}
	}
}

/* The sampled image of a Buffer was needed for the dereference only, and newer validators and drivers complain of the
 * type itself: it goes, unless something else is of it. Nobody indexes result types, so this walks over them. */
static void remove_orphan_types(struct plan *p)
{
	const struct spb_module *m = module(p);
	uint32_t *orphan = NULL;

	for (size_t i = 0; i < p->heaps.count; i++) {
		uint32_t type = p->heaps.items[i].type;
		if (p->heaps.items[i].element == type || p->heaps.items[i].split || !type ||
		    m->first_use[type] != m->first_use[type + 1])
			continue;
		if (!orphan)
			orphan = spb_bits(&m->context->scratch, m->bound);
		spb_set_bit(orphan, type);
	}
	if (!orphan)
		return;
	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->count; at = spb_next(m, at)) {
		unsigned flags = spb_op_flags(spb_op(m, at));
		if (!(flags & SPB_OP_HAS_TYPE) || !spb_bit(orphan, m->words[at + 1]))
			continue;
		if (!(flags & SPB_OP_HAS_RESULT) || !p->handle_of[m->words[at + 2]])
			orphan[m->words[at + 1] / 32] &= ~(1u << m->words[at + 1] % 32);
	}
	for (size_t i = 0; i < p->heaps.count; i++) {
		uint32_t type = p->heaps.items[i].type;
		if (!spb_bit(orphan, type))
			continue;
		spb_remove_notes(&p->u->edit, type);
		spb_remove(&p->u->edit, m->def[type]);
	}
}

static void declare_capabilities(struct plan *p)
{
	struct spb_edit *e = &p->u->edit;

	if (!p->heaps.count)
		return;
	bool sized = p->u->options->heap_size, newer = !sized;
	if (!sized)
		spb_add_capability(e, SpvCapabilityRuntimeDescriptorArray);
	for (int kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
		uint32_t dynamic = spb_descriptor_info((enum spb_descriptor)kind)->dynamic;
		if (!p->dynamic[kind] || dynamic == UINT32_MAX)
			continue;
		spb_add_capability(e, dynamic);
		newer |= dynamic == SpvCapabilityUniformTexelBufferArrayDynamicIndexing ||
			 dynamic == SpvCapabilityStorageTexelBufferArrayDynamicIndexing;
	}
	if (newer && spb_version_word(&p->u->m) < 0x00010500)
		spb_add_extension(e, "SPV_EXT_descriptor_indexing");
}

/* The heaps whose dereferences stand in each function, as runs of p->handles, which are in module order. */
static uint32_t *first_handle_of_functions(const struct plan *p)
{
	const struct spb_module *m = module(p);
	uint32_t *first = spb_alloc_array(&m->context->scratch, m->function_count + 1, sizeof *first);
	uint32_t h = 0;

	for (uint32_t f = 0; f < m->function_count; f++) {
		while (h < p->handles.count && p->handles.items[h].at < m->function[f].at)
			h++;
		first[f] = h;
	}
	first[m->function_count] = (uint32_t)p->handles.count;
	return first;
}

static void list_heap(struct plan *p, spb_at entry_point, uint32_t heap, uint32_t *listed)
{
	if (listed[heap] == entry_point)
		return;
	listed[heap] = entry_point;
	spb_interface_add(&p->u->edit, entry_point, p->heaps.items[heap].variable);
}

/* SPIR-V 3.3.6: from 1.4 on an entry point lists every global variable its call tree uses. */
static void extend_interfaces(struct plan *p)
{
	const struct spb_module *m = module(p);
	struct spb_arena *arena = &m->context->scratch;
	uint32_t *listed = spb_alloc_zeroed(arena, p->heaps.count, sizeof *listed); /* heap -> last entry point */

	if (spb_version_word(m) < 0x00010400 || !p->heaps.count)
		return;
	struct spb_calls calls = spb_find_calls(m, arena);
	uint32_t *first = first_handle_of_functions(p);
	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpEntryPoint)
			continue;
		uint32_t count = spb_reach(&calls, m->words[at + 2]);
		for (uint32_t i = 0; i < count; i++) {
			uint32_t f = calls.reached[i];
			for (uint32_t h = first[f]; h < first[f + 1]; h++) {
				const struct handle *handle = &p->handles.items[h];
				list_heap(p, at, p->heaps.items[handle->heap].owner, listed);
				if (handle->sampled)
					list_heap(p, at, p->heaps.items[p->sampler - 1].owner, listed);
			}
		}
	}
}

bool spb_pass_lower_handles(struct spb_unit *u)
{
	struct spb_module *m = &u->m;
	struct spb_arena *arena = &m->context->scratch;
	struct plan p = {.u = u};

	if (!spb_import(m, SPB_HANDLE_SET) && !spb_has_extension(m, SPB_HANDLE_SET))
		return false;
	spb_module_need_uses(m);
	if (m->has_unknown_ops)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_UNKNOWN_OPS, 0,
			 "the module has opcodes that the grammar of SPIR-V %s does not know, so that it cannot be "
			 "told what "
			 "they do with handles",
			 spb_grammar_version());
	p.heap_of_type = spb_alloc_zeroed(arena, m->bound, sizeof *p.heap_of_type);
	p.heap_of_element = spb_alloc_zeroed(arena, m->bound, sizeof *p.heap_of_element);
	p.handle_of = spb_alloc_zeroed(arena, m->bound, sizeof *p.handle_of);
	collect(&p);
	p.marked = spb_bits(arena, (uint32_t)p.handles.count);

	for (size_t i = 0; i < p.heaps.count; i++)
		make_heap(&p, &p.heaps.items[i]);
	rewrite(&p);
	remove_dialect(&p);
	remove_orphan_types(&p);
	declare_capabilities(&p);
	extend_interfaces(&p);
	return true;
}
