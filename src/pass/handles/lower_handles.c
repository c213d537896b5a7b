/* SPDX-License-Identifier: Apache-2.0 */
/* lower-handles: turns each dereference of a DescriptorHandle into an access to a runtime array of descriptors.
 *
 *     %set = OpExtInstImport "NonSemantic.DescriptorHandle"   (gone, as the OpExtension glslang adds)
 *     %t = OpExtInst %texture %set 1 %handle                  (gone)
 *     %si = OpSampledImage %combined %t %s                    %x = OpCompositeExtract %uint %handle 0
 *                                                             %c = OpAccessChain %ptr %heap_texture_2D_float %x
 *                                                             %l = OpLoad %texture %c
 *                                                             %si = OpSampledImage %combined %l %s
 *
 * The index is extracted and the descriptor loaded at each use, in the block of the use: a load above `if (handle is
 * valid)` would read a descriptor that does not exist. There is one heap variable for each descriptor type; types with
 * the same VkDescriptorType share a binding (Slang's table, docs/heaps.md). With --combined=split, the handle of a
 * combined image-sampler consists of two indexes, each judged for uniformity on its own:
 *
 *     %t = OpExtInst %combined %set 1 %handle                 (gone)
 *     %v = OpImageSampleImplicitLod %v4 %t %uv                %l = OpLoad %texture ...   (by x, from the textures)
 *                                                             %s = OpLoad %sampler ...   (by y, from the samplers)
 *                                                             %si = OpSampledImage %combined %l %s
 *                                                             %v = OpImageSampleImplicitLod %v4 %si %uv
 *     %i = OpImage %texture %t                                %i = OpLoad %texture ...
 *
 * With --heap=as=address the handle of an acceleration structure is its device address:
 *
 *     %t = OpExtInst %acceleration_structure %set 1 %handle   %t = OpConvertUToAccelerationStructureKHR %as %handle
 *
 * Where the value flows on (OpPhi, OpSelect, variables, structs, by value into a function), the descriptor is loaded at
 * the dereference; resolve-descriptors then lets the index flow and moves the load to the use. Where an instruction
 * takes a pointer to the descriptor (image atomics, opaque parameters), it gets the access chain: stock glslang passes
 * it the value.
 *
 * NonUniform on the dereference or on a copy moves to the index; decorate-nonuniform completes it.
 *
 * samplerBuffer: from SPIR-V 1.6 on, OpTypeSampledImage of a Buffer image is not allowed, so the heap holds the image,
 * and the OpImage that extracts it from the sampled image becomes the load.
 *
 * Refused: instructions other than numbers 1, 4 and 5 (SPB_E_HANDLE_INSTRUCTION), a handle that is not a uint2
 * (SPB_E_HANDLE_TYPE), a descriptor for which there is no heap (SPB_E_HANDLE_KIND), a value that reaches an instruction
 * that takes no descriptor (SPB_E_HANDLE_FLOW). */
#include "pass/handles/heaps.h"

struct kind { /* a kind of descriptor, as dereferenced */
	uint32_t type;
	enum spb_descriptor held;
	uint32_t heap; /* the heap of this type, or of the image in it */
	bool image;    /* the heap holds only the image */
	bool split;    /* combined, and this is the heap of its textures */
	bool address;  /* no heap: the handle is a device address */
};

struct handle { /* one dereference */
	spb_at at;
	uint32_t kind;
	bool sampled; /* if split: the sampler is needed, too */
	bool flows;   /* only resolve-descriptors follows it: load it at the dereference */
};

struct plan {
	struct spb_unit *u;
	struct spb_heaps heaps;
	SPB_LIST(struct kind) kinds;
	SPB_LIST(struct handle) handles;
	uint32_t *kind_of;   /* type id -> kind + 1 */
	uint32_t *handle_of; /* id -> handle + 1, for the dereference and its copies */
	uint32_t *marked;    /* bits over handles: decorated NonUniform, or a copy is */
	uint32_t sampler;    /* heap + 1, for split handles */
};

static const struct spb_module *module(const struct plan *p)
{
	return &p->u->m;
}

static const struct kind *kind_of_handle(const struct plan *p, uint32_t handle)
{
	return &p->kinds.items[p->handles.items[handle].kind];
}

static uint32_t find_kind(struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);
	uint32_t type = m->words[at + 1], element = type;
	enum spb_descriptor held = spb_descriptor_of(m, SpvStorageClassUniformConstant, type);
	struct kind k = {.type = type};

	if (p->kind_of[type])
		return p->kind_of[type] - 1;
	k.split = held == SPB_DESCRIPTOR_COMBINED && p->u->options->heaps.combined == SPB_COMBINED_SPLIT;
	k.image = k.split || (spb_def_op(m, type) == SpvOpTypeSampledImage && held == SPB_DESCRIPTOR_UTEXBUF);
	if (k.image)
		element = m->words[m->def[type] + 2];
	if (k.split) /* exactly the image type of the OpTypeSampledImage, depth or not */
		held = spb_descriptor_of(m, SpvStorageClassUniformConstant, element);
	if (!spb_has_heap(held))
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_KIND, at,
			 "a handle is dereferenced to %s, for which there is no heap" SPB_REMEDY
			 "Heaps hold samplers, combined image-samplers, textures, storage images, texel buffers and "
			 "acceleration structures.",
			 spb_label(&m->context->scratch, m, type));
	k.held = held;
	k.address = held == SPB_DESCRIPTOR_AS && p->u->options->heaps.as_address;
	if (!k.address)
		k.heap = spb_heap_of(&p->heaps, element, SpvStorageClassUniformConstant, held);
	SPB_PUSH(&m->context->scratch, &p->kinds, k);
	p->kind_of[type] = (uint32_t)p->kinds.count;
	return p->kind_of[type] - 1;
}

/* Type of the parameter to which an operand of an OpFunctionCall is passed; 0: it is not an argument. */
static uint32_t parameter_type(const struct spb_module *m, struct spb_use use)
{
	spb_at function = m->def[m->words[use.at + 3]];
	spb_at type = spb_op(m, function) == SpvOpFunction ? m->def[m->words[function + 4]] : 0;
	uint32_t word = type + 3 + (use.word - (use.at + 4));

	return use.word >= use.at + 4 && spb_op(m, type) == SpvOpTypeFunction && word < spb_next(m, type)
		   ? m->words[word]
		   : 0;
}

/* Places where front ends write the value of a dereference although the instruction takes a pointer to a descriptor:
 * glslang does so for opaque function parameters and for image atomics. */
static bool takes_pointer(const struct spb_module *m, struct spb_use use, uint32_t type)
{
	if (spb_op(m, use.at) == SpvOpImageTexelPointer)
		return use.word == use.at + 3;
	if (spb_op(m, use.at) != SpvOpFunctionCall)
		return false;
	spb_at pointer = m->def[parameter_type(m, use)];
	return spb_op(m, pointer) == SpvOpTypePointer && m->words[pointer + 2] == SpvStorageClassUniformConstant &&
	       m->words[pointer + 3] == type;
}

/* A copy; or a load from the value instead of a pointer, which is what an inlined function of glslang's has in place of
 * its parameter. */
static bool is_copy(const struct spb_module *m, spb_at at, uint32_t type)
{
	uint32_t op = spb_op(m, at);

	return op == SpvOpCopyObject || (op == SpvOpLoad && m->words[at + 1] == type);
}

/* Flow that resolve-descriptors follows: the index will flow where the descriptor does. */
static bool is_flow(const struct spb_module *m, struct spb_use use)
{
	uint32_t op = spb_op(m, use.at);

	if (op == SpvOpStore)
		return use.word == use.at + 2;
	if (op == SpvOpFunctionCall)
		return use.word >= use.at + 4;
	return spb_op_is(op, SPB_OP_MOVES) && !spb_op_is(op, SPB_OP_COPY);
}

static noreturn void refuse_flow(const struct plan *p, uint32_t handle, spb_at at)
{
	const struct spb_module *m = module(p);
	struct spb_arena *arena = &m->context->scratch;

	spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_FLOW, at,
		 "the descriptor (%s) dereferenced from handle %s reaches %s, which takes no descriptor" SPB_REMEDY
		 "Dereference the handle where its descriptor is used.",
		 spb_descriptor_info(kind_of_handle(p, handle)->held)->kind,
		 spb_label(arena, m, m->words[p->handles.items[handle].at + 5]), spb_word_of(m, at));
}

static void see_use(struct plan *p, uint32_t handle, struct spb_use use)
{
	const struct spb_module *m = module(p);
	const struct kind *k = kind_of_handle(p, handle);
	uint32_t op = spb_op(m, use.at);
	bool whole = k->split || !k->image; /* otherwise only the image exists */

	if (spb_is_handle_remark(m, use.at))
		return;
	if (whole ? spb_uses_descriptor(m, use) : op == SpvOpImage)
		p->handles.items[handle].sampled |= k->split && op != SpvOpImage;
	else if (k->image || (!takes_pointer(m, use, k->type) && !is_flow(m, use)) ||
		 (k->address && takes_pointer(m, use, k->type)))
		refuse_flow(p, handle, use.at);
	else if (!takes_pointer(m, use, k->type))
		p->handles.items[handle].flows = true;
}

/* Visits everything that a dereferenced value reaches; refuses it with the instruction's name where necessary. */
static void follow(struct plan *p, uint32_t handle, uint32_t root)
{
	const struct spb_module *m = module(p);
	SPB_LIST(uint32_t) work = {0};

	SPB_PUSH(&m->context->scratch, &work, root);
	p->handle_of[root] = handle + 1;
	while (work.count) {
		uint32_t id = work.items[--work.count];
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++) {
			struct spb_use use = m->use[i];
			if (!is_copy(m, use.at, spb_type_of(m, root))) {
				see_use(p, handle, use);
				continue;
			}
			p->handle_of[m->words[use.at + 2]] = handle + 1;
			SPB_PUSH(&m->context->scratch, &work, m->words[use.at + 2]);
		}
	}
}

static void collect_dereference(struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);
	uint32_t number = m->words[at + 4];

	if ((number != SPB_HANDLE_OPAQUE && number != SPB_HANDLE_FOR_ATOMIC && number != SPB_HANDLE_COHERENT) ||
	    spb_length(m, at) != 6)
		spb_fail(m, SPB_ERROR_UNSUPPORTED, SPB_E_HANDLE_INSTRUCTION, at,
			 "instruction %u of " SPB_HANDLE_SET " with %u operand%s is not supported here" SPB_REMEDY
			 "Use 1 (dereference, with the handle), 4 (the same, for an image atomic) or 5 (of a coherent "
			 "image).",
			 number, spb_length(m, at) - 5, spb_length(m, at) == 6 ? "" : "s");
	if (!spb_function_around(m, at))
		spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_HANDLE_FLOW, at,
			 "a handle is dereferenced outside a function" SPB_REMEDY
			 "Dereference it where its descriptor is used.");
	spb_check_handle_type(m, at, m->words[at + 5]);
	struct handle handle = {.at = at, .kind = find_kind(p, at)};
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

	for (spb_at at_import = m->section[SPB_SECTION_IMPORT]; at_import < m->section[SPB_SECTION_MEMORY_MODEL];
	     at_import = spb_next(m, at_import)) {
		uint32_t import = m->words[at_import + 1];
		if (spb_op(m, at_import) != SpvOpExtInstImport || !spb_is_handle_set(m, import))
			continue;
		for (uint32_t i = m->first_use[import]; i < m->first_use[import + 1]; i++) {
			spb_at at = m->use[i].at;
			if (spb_op(m, at) != SpvOpExtInst || m->use[i].word != at + 3)
				spb_fail(m, SPB_ERROR_INVALID_SPIRV, SPB_E_HANDLE_INSTRUCTION, at,
					 "%s uses %%%u, the import of " SPB_HANDLE_SET ", as a value" SPB_REMEDY
					 "Only OpExtInst may name it.",
					 spb_word_of(m, at), import);
			collect_dereference(p, at);
		}
	}
	spb_sort(&m->context->scratch, p->handles.items, p->handles.count, sizeof *p->handles.items, by_offset);
	for (uint32_t i = 0; i < p->handles.count; i++)
		follow(p, i, m->words[p->handles.items[i].at + 2]);
	for (uint32_t i = 0; i < p->handles.count; i++) {
		if (p->handles.items[i].sampled && !p->sampler)
			p->sampler = 1 + spb_heap_of_samplers(&p->heaps);
	}
}

static uint32_t heap_of_component(const struct plan *p, uint32_t handle, uint32_t component)
{
	return component == SPB_HANDLE_X ? kind_of_handle(p, handle)->heap : p->sampler - 1;
}

/* Emits before `at` the index and the access chain. */
static uint32_t put_chain(struct plan *p, uint32_t at, uint32_t handle, uint32_t component)
{
	uint32_t value = module(p)->words[p->handles.items[handle].at + 5];
	uint32_t heap = heap_of_component(p, handle, component);

	if (component == SPB_HANDLE_X && kind_of_handle(p, handle)->split)
		component = SPB_HANDLE_X_OF_TWO;
	return spb_put_heap_chain(&p->heaps, at, heap, value, component, spb_bit(p->marked, handle));
}

/* The same, and the load into `result`. */
static void put_load(struct plan *p, uint32_t at, uint32_t handle, uint32_t component, uint32_t result)
{
	uint32_t chain = put_chain(p, at, handle, component);
	uint32_t heap = heap_of_component(p, handle, component);

	spb_insert(&p->u->edit, at, SpvOpLoad, W(p->heaps.list.items[heap].element, result, chain));
}

/* The descriptor itself, or its texture. */
static void put_value(struct plan *p, uint32_t at, uint32_t handle, uint32_t result)
{
	const struct kind *k = kind_of_handle(p, handle);

	if (k->address)
		spb_insert(&p->u->edit, at, SpvOpConvertUToAccelerationStructureKHR,
			   W(k->type, result, module(p)->words[p->handles.items[handle].at + 5]));
	else
		put_load(p, at, handle, SPB_HANDLE_X, result);
}

/* Rewrites one use of a dereferenced value or of a copy. An instruction may use several (the image and the sampler of
 * an OpSampledImage); each operand is patched separately. */
static void rewrite_use(struct plan *p, uint32_t handle_number, struct spb_use use)
{
	struct spb_edit *e = &p->u->edit;
	const struct spb_module *m = module(p);
	const struct kind *k = kind_of_handle(p, handle_number);

	if (is_copy(m, use.at, spb_type_of(m, m->words[p->handles.items[handle_number].at + 2])))
		return;                        /* removed as well */
	if (spb_is_handle_remark(m, use.at)) { /* the value of a named variable: now the handle */
		spb_patch(e, use.word, m->words[p->handles.items[handle_number].at + 5]);
		return;
	}
	if (k->image && spb_op(m, use.at) == SpvOpImage) { /* becomes the load itself */
		put_load(p, use.at, handle_number, SPB_HANDLE_X, m->words[use.at + 2]);
		spb_remove(e, use.at);
		return;
	}
	if (takes_pointer(m, use, k->type)) {
		spb_patch(e, use.word, put_chain(p, use.at, handle_number, SPB_HANDLE_X));
		return;
	}
	if (is_flow(m, use)) { /* not with a copy, which is removed */
		spb_patch(e, use.word, m->words[p->handles.items[handle_number].at + 2]);
		return;
	}
	uint32_t value = spb_new_id(e);
	put_value(p, use.at, handle_number, value);
	if (k->split) {
		uint32_t sampler = spb_new_id(e), both = spb_new_id(e);
		put_load(p, use.at, handle_number, SPB_HANDLE_Y, sampler);
		spb_insert(e, use.at, SpvOpSampledImage, W(k->type, both, value, sampler));
		value = both;
	}
	spb_patch(e, use.word, value);
}

/* Memory qualifiers on a dereference, which number 5 stands for, too. A producer may decorate it like a variable.
 * Coherent and Volatile then apply to the heap, whichever dereference they are on. qualify-heaps derives Aliased,
 * NonWritable and NonReadable itself, and Restrict cannot be promised for all dereferences. On a value they have no
 * meaning. */
static void read_notes(struct plan *p, uint32_t id, uint32_t handle)
{
	const struct spb_module *m = module(p);

	if (kind_of_handle(p, handle)->address) /* not a descriptor: it has no heap */
		return;
	struct spb_heap_type *heap = &p->heaps.list.items[kind_of_handle(p, handle)->heap];
	heap->coherent |= m->words[p->handles.items[handle].at + 4] == SPB_HANDLE_COHERENT;
	for (uint32_t i = m->first_note[id]; i < m->first_note[id + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) != SpvOpDecorate)
			continue;
		heap->coherent |= m->words[at + 2] == SpvDecorationCoherent;
		heap->is_volatile |= m->words[at + 2] == SpvDecorationVolatile;
		if (m->words[at + 2] == SpvDecorationNonUniform)
			spb_set_bit(p->marked, handle);
		if (p->handles.items[handle].flows && m->def[id] == p->handles.items[handle].at &&
		    spb_is_memory_qualifier(m->words[at + 2]))
			spb_remove(&p->u->edit, at);
	}
}

static void rewrite(struct plan *p)
{
	const struct spb_module *m = module(p);

	for (uint32_t id = 1; id < m->bound; id++) {
		if (p->handle_of[id])
			read_notes(p, id, p->handle_of[id] - 1);
	}
	for (uint32_t id = 1; id < m->bound; id++) {
		if (!p->handle_of[id])
			continue;
		for (uint32_t i = m->first_use[id]; i < m->first_use[id + 1]; i++)
			rewrite_use(p, p->handle_of[id] - 1, m->use[i]);
		const struct handle *handle = &p->handles.items[p->handle_of[id] - 1];
		if (handle->flows && m->def[id] == handle->at)
			put_value(p, handle->at, p->handle_of[id] - 1, id);
		else
			spb_remove_notes(&p->u->edit, id);
		spb_remove(&p->u->edit, m->def[id]);
	}
}

/* Type of the image that an OpImageTexelPointer takes as a value, after flow; 0: it takes a pointer. */
static uint32_t texel_value(const struct plan *p, spb_at at)
{
	const struct spb_module *m = module(p);
	uint32_t value = spb_op(m, at) == SpvOpImageTexelPointer ? m->words[at + 3] : 0;
	uint32_t type = spb_type_of(m, value);

	return value && !p->handle_of[value] && spb_def_op(m, type) == SpvOpTypeImage ? type : 0;
}

/* An image atomic on such a value goes through a variable, which resolve-descriptors turns into one of indexes.
 * Variables must precede all other instructions of a function, so they are emitted first. */
static void store_for_atomics(struct plan *p, const struct spb_function *f, uint32_t *variable_of)
{
	const struct spb_module *m = module(p);
	struct spb_edit *e = &p->u->edit;

	for (spb_at at = f->body; at < f->end; at = spb_next(m, at)) {
		uint32_t type = texel_value(p, at);
		if (!type)
			continue;
		uint32_t pointer = spb_pointer_type(e, SpvStorageClassFunction, type), variable = spb_new_id(e);
		spb_insert(e, spb_next(m, f->body), SpvOpVariable, W(pointer, variable, SpvStorageClassFunction));
		variable_of[m->words[at + 2]] = variable;
	}
	for (spb_at at = f->body; at < f->end; at = spb_next(m, at)) {
		if (!texel_value(p, at))
			continue;
		spb_insert(e, at, SpvOpStore, W(variable_of[m->words[at + 2]], m->words[at + 3]));
		spb_patch(e, at + 3, variable_of[m->words[at + 2]]);
	}
}

/* Removes the import, its names, and the OpExtension that glslang adds for every set of spirv_instruction. */
static void remove_dialect(struct plan *p)
{
	const struct spb_module *m = module(p);

	for (spb_at at = m->section[SPB_SECTION_EXTENSION]; at < m->section[SPB_SECTION_IMPORT]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtension && !strcmp(spb_string(m, at + 1), SPB_HANDLE_SET))
			spb_remove(&p->u->edit, at);
	}
	for (spb_at at = m->section[SPB_SECTION_IMPORT]; at < m->section[SPB_SECTION_MEMORY_MODEL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtInstImport && !strcmp(spb_string(m, at + 2), SPB_HANDLE_SET))
			spb_remove_id(&p->u->edit, m->words[at + 1]);
	}
}

/* The sampled image of a Buffer was needed only for the dereference; newer validators and drivers reject the type
 * itself. */
static void remove_orphan_types(struct plan *p)
{
	const struct spb_module *m = module(p);
	uint32_t *orphan = NULL, *gone;

	for (size_t i = 0; i < p->kinds.count; i++) {
		if (!p->kinds.items[i].image || p->kinds.items[i].split)
			continue;
		if (!orphan)
			orphan = spb_bits(&m->context->scratch, m->bound);
		spb_set_bit(orphan, p->kinds.items[i].type);
	}
	if (!orphan)
		return;
	gone = spb_bits(&m->context->scratch, m->bound);
	for (uint32_t id = 1; id < m->bound; id++) {
		if (p->handle_of[id])
			spb_set_bit(gone, id);
	}
	spb_heaps_sweep(&p->heaps, orphan, gone);
}

/* The first heap-using handle of each function: runs of p->handles, which are in module order. */
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

/* SPIR-V 3.3.6, "Mode-Setting Instructions" (OpEntryPoint): from 1.4 on, an entry point lists all global variables that
 * its call tree uses. */
static void extend_interfaces(struct plan *p)
{
	const struct spb_module *m = module(p);
	struct spb_arena *arena = &m->context->scratch;

	if (spb_version_word(m) < 0x00010400 || !p->heaps.list.count)
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
				if (!p->kinds.items[handle->kind].address)
					spb_heap_list(&p->heaps, at, p->kinds.items[handle->kind].heap);
				if (handle->sampled)
					spb_heap_list(&p->heaps, at, p->sampler - 1);
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
	spb_refuse_unknown_ops(m, SPB_E_HANDLE_UNKNOWN_OPS, "their effect on handles is unknown", "");
	spb_heaps_begin(&p.heaps, u);
	p.kind_of = spb_alloc_zeroed(arena, m->bound, sizeof *p.kind_of);
	p.handle_of = spb_alloc_zeroed(arena, m->bound, sizeof *p.handle_of);
	collect(&p);
	p.marked = spb_bits(arena, (uint32_t)p.handles.count);

	spb_heaps_make(&p.heaps);
	rewrite(&p);
	uint32_t *variable_of = spb_alloc_zeroed(arena, m->bound, sizeof *variable_of);
	for (uint32_t f = 0; f < m->function_count && p.handles.count; f++)
		store_for_atomics(&p, &m->function[f], variable_of);
	remove_dialect(&p);
	remove_orphan_types(&p);
	spb_heaps_declare(&p.heaps);
	extend_interfaces(&p);
	return true;
}
