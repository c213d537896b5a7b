/* SPDX-License-Identifier: Apache-2.0 */
/* heaps: creates the heap variables, and declares what a module with heaps needs. */
#include "pass/handles/heaps.h"

void spb_heaps_begin(struct spb_heaps *h, struct spb_unit *u)
{
	*h = (struct spb_heaps){.u = u};
	h->of_element = spb_alloc_zeroed(&u->m.context->scratch, u->m.bound, sizeof *h->of_element);
}

uint32_t spb_heap_of(struct spb_heaps *h, uint32_t element, uint32_t storage_class, enum spb_descriptor kind)
{
	uint32_t i = h->of_element[element];

	while (i && h->list.items[i - 1].kind != kind)
		i = h->list.items[i - 1].next;
	if (!i) {
		SPB_PUSH(&h->u->m.context->scratch, &h->list,
			 ((struct spb_heap_type){.element = element,
						 .storage_class = storage_class,
						 .kind = kind,
						 .next = h->of_element[element]}));
		i = h->of_element[element] = (uint32_t)h->list.count;
	}
	return i - 1;
}

uint32_t spb_heap_of_samplers(struct spb_heaps *h)
{
	const struct spb_module *m = &h->u->m;
	uint32_t type = 0;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION] && !type;
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpTypeSampler)
			type = m->words[at + 1];
	}
	return spb_heap_of(h, type, SpvStorageClassUniformConstant, SPB_DESCRIPTOR_SAMPLER);
}

/* For example heap_texture_2D_array_float. The name follows from the type alone, so it is the same in every module. */
static const char *heap_name(const struct spb_heaps *h, const struct spb_heap_type *heap)
{
	const struct spb_module *m = &h->u->m;
	struct spb_text_buffer text = {.arena = &m->context->scratch};
	spb_at at = m->def[heap->element];

	spb_text_format(&text, "heap_%s", spb_descriptor_info(heap->kind)->kind);
	if (spb_op(m, at) == SpvOpTypeStruct && *spb_id_name(m, heap->element))
		spb_text_format(&text, "_%s", spb_id_name(m, heap->element));
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

/* An array type with the length of heaps. */
static uint32_t make_array(struct spb_heaps *h, uint32_t element, bool has_length)
{
	struct spb_edit *e = &h->u->edit;
	const uint32_t length = has_length ? spb_heap_length(h) : 0, array = spb_new_id(e);

	if (length)
		spb_add_global(e, SpvOpTypeArray, W(array, element, length));
	else
		spb_add_global(e, SpvOpTypeRuntimeArray, W(array, element));
	return array;
}

static void list_heap(struct spb_unit *u, const struct spb_heap_type *heap)
{
	struct spb_heap listed = {.variable = heap->variable,
				  .kind = heap->kind,
				  .remade = heap->remade,
				  .stride = heap->stride,
				  .stride_number = heap->stride_number};

	SPB_PUSH(&u->m.keep, &u->handles.heaps, listed);
}

static void make_heap(struct spb_heaps *h, struct spb_heap_type *heap)
{
	struct spb_unit *u = h->u;
	struct spb_edit *e = &u->edit;
	const char *name = heap->element ? heap_name(h, heap) : "heap_sampler";

	if (!heap->element)
		heap->element = spb_make(e, SpvOpTypeSampler, NULL, 0);
	heap->pointer = spb_pointer_type(e, heap->storage_class, heap->element);
	if (heap->made)
		return;
	if (heap->own) {
		list_heap(u, heap);
		return;
	}
	uint32_t array = make_array(h, heap->element, !heap->remade);
	uint32_t pointer = spb_new_id(e);
	spb_add_global(e, SpvOpTypePointer, W(pointer, heap->storage_class, array));
	heap->variable = spb_new_id(e);
	spb_add_global(e, SpvOpVariable, W(pointer, heap->variable, heap->storage_class));
	spb_add_name(e, heap->variable, name);
	list_heap(u, heap);
}

/* Is this the array type that make_array would create? */
static bool is_long_as_heaps(struct spb_heaps *h, spb_at array)
{
	const struct spb_module *m = &h->u->m;
	uint64_t length;

	if (!h->u->options->heaps.size)
		return spb_op(m, array) == SpvOpTypeRuntimeArray;
	if (spb_op(m, array) != SpvOpTypeArray)
		return false;
	if (h->u->options->heaps.has_size_constant)
		return m->words[array + 3] == spb_heap_length(h);
	return spb_def_op(m, m->words[array + 3]) == SpvOpConstant &&
	       spb_constant_value(m, m->words[array + 3], &length) && length == h->u->options->heaps.size;
}

/* The heap that the variable is an array for; NULL if there is none, or if an earlier pass has made its array. */
static struct spb_heap_type *heap_of_array(struct spb_heaps *h, spb_at variable)
{
	const struct spb_module *m = &h->u->m;

	if (spb_op(m, variable) != SpvOpVariable || spb_def_op(m, m->words[variable + 1]) != SpvOpTypePointer)
		return NULL;
	uint32_t type = m->words[m->def[m->words[variable + 1]] + 3];
	uint32_t element = spb_array_element(m, type), i = element ? h->of_element[element] : 0;
	while (i && h->list.items[i - 1].storage_class != m->words[variable + 3])
		i = h->list.items[i - 1].next;
	if (!i || h->list.items[i - 1].made || !is_long_as_heaps(h, m->def[type]))
		return NULL;
	return &h->list.items[i - 1];
}

/* Finds heaps that an earlier pass created, so that a module with two dialects has one heap of each type. */
static void find_made(struct spb_heaps *h)
{
	for (size_t i = 0; i < h->u->handles.heaps.count; i++) {
		struct spb_heap made = h->u->handles.heaps.items[i];
		struct spb_heap_type *heap = heap_of_array(h, h->u->m.def[made.variable]);
		if (heap && heap->kind == made.kind && !made.remade) {
			heap->made = true;
			heap->variable = made.variable;
		}
	}
}

/* Qualifiers of the input's own variable may not hold for accesses through handles. */
static bool is_qualified(const struct spb_module *m, uint32_t id)
{
	for (size_t i = 0; i < SPB_MEMORY_QUALIFIERS; i++) {
		if (spb_decoration(m, id, spb_memory_qualifiers[i]))
			return true;
	}
	return false;
}

static bool is_same_place(const struct spb_module *m, uint32_t a, uint32_t b)
{
	return m->words[spb_decoration(m, a, SpvDecorationDescriptorSet)] ==
		   m->words[spb_decoration(m, b, SpvDecorationDescriptorSet)] &&
	       m->words[spb_decoration(m, a, SpvDecorationBinding)] ==
		   m->words[spb_decoration(m, b, SpvDecorationBinding)];
}

/* Finds arrays in the input that are at the bindings where --heap puts the heaps of their kind. Two of one type are
 * left to the layout, which says so. */
static void find_own(struct spb_heaps *h)
{
	const struct spb_module *m = &h->u->m;
	bool *contested = spb_alloc_zeroed(&m->context->scratch, h->list.count, sizeof *contested);

	for (spb_at at = m->section[SPB_SECTION_GLOBAL];
	     h->u->options->heaps.place_count && at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		struct spb_heap_type *found = heap_of_array(h, at);
		if (!found || found->remade)
			continue;
		uint32_t id = m->words[at + 2];
		uint32_t set = spb_decoration(m, id, SpvDecorationDescriptorSet);
		uint32_t binding = spb_decoration(m, id, SpvDecorationBinding);
		if (!set || !binding || is_qualified(m, id) ||
		    !spb_is_asked_heap_place(h->u->options, spb_descriptor_info(found->kind)->heap.kind, m->words[set],
					     m->words[binding]))
			continue;
		if (found->own && !is_same_place(m, found->variable, id))
			contested[found - h->list.items] = true;
		found->own = true;
		found->variable = id;
	}
	for (size_t i = 0; i < h->list.count; i++)
		h->list.items[i].own &= !contested[i];
}

void spb_heaps_make(struct spb_heaps *h)
{
	find_made(h);
	find_own(h);
	for (size_t i = 0; i < h->list.count; i++)
		make_heap(h, &h->list.items[i]);
	h->listed = spb_alloc_zeroed(&h->u->m.context->scratch, h->list.count, sizeof *h->listed);
}

uint32_t spb_put_heap_chain(struct spb_heaps *h, uint32_t at, uint32_t heap, uint32_t handle, uint32_t component,
			    bool marked)
{
	const struct spb_heap_type *type = &h->list.items[heap];
	bool constant;
	uint32_t index = spb_put_handle_index(h, at, heap, handle, component, marked, &constant);
	uint32_t chain = spb_new_id(&h->u->edit);

	spb_insert(&h->u->edit, at, SpvOpAccessChain, W(type->pointer, chain, type->variable, index));
	return chain;
}

static void qualify(struct spb_heaps *h, const struct spb_heap_type *heap, SpvDecoration qualifier)
{
	if (!heap->made || !spb_decoration(&h->u->m, heap->variable, qualifier))
		spb_add_decoration(&h->u->edit, heap->variable, qualifier, NULL, 0);
}

void spb_heaps_declare(struct spb_heaps *h)
{
	struct spb_edit *e = &h->u->edit;
	bool newer = !h->u->options->heaps.size;

	for (size_t i = 0; i < h->list.count; i++) {
		const struct spb_heap_type *heap = &h->list.items[i];
		if (heap->coherent)
			qualify(h, heap, SpvDecorationCoherent);
		if (heap->is_volatile)
			qualify(h, heap, SpvDecorationVolatile);
	}
	if (!h->list.count || h->list.items[0].remade || h->u->options->heaps.model == SPB_HEAP_MODEL_DESCRIPTOR_HEAP)
		return; /* the built-in heaps need no capabilities, and descriptor-heap reads the qualifiers */
	if (newer)
		spb_add_capability(e, SpvCapabilityRuntimeDescriptorArray);
	for (int kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
		uint32_t dynamic = spb_descriptor_info((enum spb_descriptor)kind)->dynamic;
		if (!h->dynamic[kind] || dynamic == UINT32_MAX)
			continue;
		spb_add_capability(e, dynamic);
		newer |= spb_is_descriptor_indexing(dynamic);
	}
	if (newer && spb_version_word(&h->u->m) < 0x00010500)
		spb_add_extension(e, "SPV_EXT_descriptor_indexing");
}

static bool is_listed(const struct spb_module *m, spb_at entry_point, uint32_t id)
{
	uint32_t name = (uint32_t)strlen(spb_string(m, entry_point + 3)) / 4 + 1;

	for (uint32_t i = entry_point + 3 + name; i < spb_next(m, entry_point); i++) {
		if (m->words[i] == id)
			return true;
	}
	return false;
}

void spb_heap_list(struct spb_heaps *h, spb_at entry_point, uint32_t heap)
{
	if (h->listed[heap] == entry_point)
		return;
	h->listed[heap] = entry_point;
	if ((h->list.items[heap].own || h->list.items[heap].made) &&
	    is_listed(&h->u->m, entry_point, h->list.items[heap].variable))
		return;
	spb_interface_add(&h->u->edit, entry_point, h->list.items[heap].variable);
}

bool spb_heaps_sweep(const struct spb_heaps *h, uint32_t *types, const uint32_t *gone)
{
	uint32_t *kept = spb_alloc_array(h->u->edit.arena, h->list.count, sizeof *kept);

	for (size_t i = 0; i < h->list.count; i++)
		kept[i] = h->list.items[i].element;
	return spb_sweep_types(&h->u->edit, types, gone, kept, h->list.count);
}
