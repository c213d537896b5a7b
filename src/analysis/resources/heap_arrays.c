/* SPDX-License-Identifier: Apache-2.0 */
/* heap_arrays: recognises arrays of descriptors that are heaps, whichever tool made them.
 *
 *     heap_texture_2D_float           lower-handles, if the module was bound before
 *     __slang_resource_heap           Slang, for its DescriptorHandles: one array per type, all with this name
 *     ResourceDescriptorHeap, SamplerDescriptorHeap, counter.var.ResourceDescriptorHeap
 *                                     DXC, for the heaps of Shader Model 6.6, one array per type
 *     arrays with the same name and binding, or runtime arrays with the same name, each of another type
 *                                     no source can declare that: Slang's __DynamicResource arrays
 *     runtime arrays without names at the same binding, in a module by Slang or DXC
 *                                     the same, stripped
 *
 *     an array at the binding where --heap puts heaps of its kind
 *
 * A heap and its views keep their binding until an option requests another one (analysis/layout/sets.c). */
#include "analysis/resources/resources.h"

static const char counters[] = "counter.var.ResourceDescriptorHeap";

bool spb_is_compilers_heap(const struct spb_variable *v)
{
	static const char *const names[] = {"__slang_resource_heap", "ResourceDescriptorHeap", "SamplerDescriptorHeap"};

	for (size_t i = 0; i < SPB_COUNT(names); i++) {
		if (!strcmp(v->name, names[i]))
			return true;
	}
	return false;
}

static bool is_name_of_heap(const struct spb_variable *v)
{
	return spb_heap_named(v->name) == v->kind || spb_is_compilers_heap(v) || !strcmp(v->name, counters);
}

/* Heaps that lower-handles created in this run are already marked, and have no binding yet. */
static bool is_placed_array(const struct spb_variable *v)
{
	return v->type != v->element && spb_has_heap(v->kind) && v->has_set && v->has_binding;
}

void spb_mark_heap(struct spb_variable *v)
{
	v->heap = true;
	v->heap_kind =
	    0xF & (strcmp(v->name, counters) != 0 ? spb_descriptor_info(v->kind)->heap.kind : SPB_HEAP_COUNTER);
	if (*v->name) /* several heaps may have the same block type */
		v->key = v->name;
}

struct array { /* with a binding */
	uint32_t set, binding;
	struct spb_variable *variable;
};

static int by_view(const void *a, const void *b)
{
	const struct array *x = a, *y = b;

	if (x->set != y->set)
		return spb_compare(x->set, y->set);
	if (x->binding != y->binding)
		return spb_compare(x->binding, y->binding);
	if (x->variable->count != y->variable->count)
		return spb_compare(x->variable->count, y->variable->count);
	return strcmp(x->variable->name, y->variable->name);
}

static int by_name(const void *a, const void *b)
{
	const struct array *x = a, *y = b;
	int order = strcmp(x->variable->name, y->variable->name);

	return order ? order : spb_compare(x->variable->element, y->variable->element);
}

/* Recognises them even if --heap has moved some: all runtime arrays with this name have different types. The same holds
 * for arrays with one length, which --heap-size has given to those of Slang or DXC. */
static void mark_types(struct array *arrays, size_t count, bool may_have_length)
{
	for (size_t i = 0, end; i < count; i = end) {
		const struct spb_variable *first = arrays[i].variable;
		bool differ = *first->name && (!first->count || may_have_length);
		for (end = i + 1; end < count && !strcmp(arrays[end].variable->name, first->name); end++)
			differ &= arrays[end].variable->element != arrays[end - 1].variable->element &&
				  arrays[end].variable->count == first->count;
		for (size_t k = i; k < end && differ && end - i > 1; k++)
			spb_mark_heap(arrays[k].variable);
	}
}

/* Arrays of several types that share a binding: only a compiler can have put them there. Those of one type are what the
 * stages of a linked module declare alike. */
static void mark_views(const struct array *arrays, size_t count)
{
	for (size_t i = 0, end; i < count; i = end) {
		bool differ = false;
		for (end = i + 1; end < count && by_view(&arrays[i], &arrays[end]) == 0; end++)
			differ |= arrays[end].variable->element != arrays[i].variable->element;
		for (size_t k = i; k < end && differ; k++)
			spb_mark_heap(arrays[k].variable);
	}
}

void spb_find_heap_arrays(const struct spb_module *m, struct spb_variables *variables)
{
	struct spb_arena *scratch = &m->context->scratch;
	uint32_t generator = spb_generator(m);
	bool makes_heaps = generator == SPB_GENERATOR_DXC || generator == SPB_GENERATOR_SLANG;
	SPB_LIST(struct array) arrays = {0};

	for (size_t i = 0; i < variables->count; i++) {
		struct spb_variable *v = &variables->items[i];
		if (!is_placed_array(v))
			continue;
		if (is_name_of_heap(v))
			spb_mark_heap(v);
		if (*v->name || (makes_heaps && !v->count))
			SPB_PUSH(scratch, &arrays, ((struct array){v->set, v->binding, v}));
	}
	spb_sort(scratch, arrays.items, arrays.count, sizeof *arrays.items, by_view);
	mark_views(arrays.items, arrays.count);
	spb_sort(scratch, arrays.items, arrays.count, sizeof *arrays.items, by_name);
	mark_types(arrays.items, arrays.count, makes_heaps);
}

void spb_find_asked_heaps(const spb_options *options, struct spb_variables *variables)
{
	for (size_t i = 0; i < variables->count && options->heaps.place_count; i++) {
		struct spb_variable *v = &variables->items[i];
		if (v->heap || !is_placed_array(v) || (v->count && v->count != options->heaps.size))
			continue;
		if (spb_is_asked_heap_place(options, spb_descriptor_info(v->kind)->heap.kind, v->set, v->binding))
			spb_mark_heap(v);
	}
}

const spb_heap_place *spb_asked_heap_place(const spb_options *options, spb_heap_kind kind)
{
	for (uint32_t i = options->heaps.place_count; i-- > 0;) {
		if (options->heaps.places[i].kind == kind)
			return &options->heaps.places[i];
	}
	return NULL;
}

bool spb_is_asked_heap_place(const spb_options *options, spb_heap_kind kind, uint32_t set, uint32_t binding)
{
	bool asked = false;

	for (uint32_t i = 0; i < options->heaps.place_count; i++) {
		const spb_heap_place *place = &options->heaps.places[i];
		asked |= place->kind == kind && place->set == set && place->binding == binding;
	}
	return asked;
}

bool spb_has_heap_choice(const spb_options *options, spb_heap_kind kind)
{
	const spb_heap_place *last = spb_asked_heap_place(options, kind);
	bool differ = false;

	for (uint32_t i = 0; i < options->heaps.place_count && last; i++) {
		const spb_heap_place *place = &options->heaps.places[i];
		differ |= place->kind == kind && (place->set != last->set || place->binding != last->binding);
	}
	return differ;
}
