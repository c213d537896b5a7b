/* SPDX-License-Identifier: Apache-2.0 */
/* layout_json: the layout as JSON, include/spirv-bind/layout.schema.json.
 *
 * Equal programs produce identical bytes. */
#include "lib/json.h"
#include "analysis/uniformity/uniformity.h"
#include "lib/lib.h"

/* As in DXIL: the first and last register of the range, or null if it is unbounded. Rules that do not count registers
 * use the binding instead. */
static void range_key(struct spb_json *j, uint32_t binding, uint32_t count)
{
	spb_json_key(j, "range");
	if (count && count - 1 <= UINT32_MAX - binding)
		spb_text_format(&j->text, "[%u, %u]", binding, binding + (count - 1));
	else
		spb_text_format(&j->text, "[%u, null]", binding);
}

void spb_json_stages_key(struct spb_json *j, uint32_t bits)
{
	const char *list[SPB_STAGE_COUNT];
	size_t count = 0;

	for (uint32_t i = 0; i < SPB_STAGE_COUNT; i++) {
		if (bits >> i & 1)
			list[count++] = spb_stage_vk_name(i);
	}
	spb_json_name_list(j, "stages", list, count);
}

static const char *stage_name(uint32_t model)
{
	for (uint32_t i = 0; i < SPB_STAGE_COUNT; i++) {
		if (spb_stage_bit(model) == 1u << i)
			return spb_stage_vk_name(i);
	}
	return "VK_SHADER_STAGE_ALL";
}

/* Sets and bindings */

struct totals { /* of each parameter, over all modules */
	bool *non_uniform;
};

struct writer {
	struct spb_program *p;
	struct spb_json j;
	struct totals totals;
	uint32_t **sizes; /* of each module */
	uint32_t *sorted; /* parameters by set, binding, descriptor, order */
	uint32_t *lead;   /* group of each, that it is listed with */
	size_t sorted_count;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The access that the declaration permits, not what the code does. */
static const char *access_of(const struct spb_module *m, const struct spb_variable *v)
{
	bool read =
	    !spb_decoration(m, v->id, SpvDecorationNonReadable) &&
	    !(v->kind == SPB_DESCRIPTOR_SSBO && spb_has_on_all_members(m, v->element, SpvDecorationNonReadable));

	if (!v->writable)
		return "read";
	return read ? "readwrite" : "write";
}

/* The variables of one parameter, module by module. */
static void write_views_of(struct writer *w, uint32_t parameter)
{
	struct spb_json *j = &w->j;
	const struct spb_layout *layout = &w->p->layout;
	const struct spb_parameter *q = &layout->parameters.items[parameter];

	for (uint32_t i = layout->first_view[parameter]; i < layout->first_view[parameter + 1]; i++) {
		const struct spb_unit *u = &w->p->slots.items[layout->views[i].module]->unit;
		const struct spb_variable *v = &u->variables.items[layout->views[i].variable];
		spb_json_comma(j);
		spb_json_line(j);
		spb_json_open(j, "{");
		spb_json_string_key(j, "module", base_name(u->m.name));
		spb_json_number_key(j, "id", v->id);
		spb_json_string_key(j, "name", v->key);
		if (*v->path)
			spb_json_string_key(j, "path", v->path + 1);
		spb_json_count_key(j, v->count);
		spb_json_stages_key(j, v->stages | v->listed);
		spb_json_string_key(j, "access", access_of(&u->m, v));
		spb_json_type_key(j, &u->m, v, w->sizes[layout->views[i].module]);
		if (q->overlap)
			spb_json_string_key(j, "overlap", q->overlap);
		spb_json_close(j, "}", true);
	}
}

static void write_views(struct writer *w, const uint32_t *parameters, size_t count)
{
	spb_json_key(&w->j, "views");
	spb_json_open(&w->j, "[");
	for (size_t i = 0; i < count; i++)
		write_views_of(w, parameters[i]);
	spb_json_close(&w->j, "]", true);
}

/* Whether a binding that holds heaps of these kinds is mutable: it holds several, or one that may share its binding
 * later. */
static bool is_mutable(const struct writer *w, uint32_t kinds)
{
	if (w->p->options.heaps.model != SPB_HEAP_MODEL_MUTABLE)
		return kinds & (kinds - 1);
	for (uint32_t i = 0; i < SPB_DESCRIPTOR_COUNT; i++) {
		if (kinds >> i & 1 && spb_descriptor_info((enum spb_descriptor)i)->heap.may_mix)
			return true;
	}
	return kinds & (kinds - 1);
}

/* The host makes a binding with heaps of several kinds mutable, with these types (VK_EXT_mutable_descriptor_type). */
static void descriptor_type_keys(struct writer *w, const uint32_t *parameters, size_t count)
{
	const struct spb_parameter *all = w->p->layout.parameters.items, *q = &all[parameters[0]];
	const char *names[SPB_DESCRIPTOR_COUNT];
	uint32_t kinds = 0;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) { /* heaps, and the author's own views of them */
		if (all[parameters[i]].variable->heap || (count > 1 && !all[parameters[i]].count))
			kinds |= 1u << w->p->layout.groups.items[all[parameters[i]].group].type;
	}
	if (!is_mutable(w, kinds)) {
		enum spb_descriptor type = w->p->layout.groups.items[q->group].type;
		spb_json_string_key(&w->j, "descriptorType", spb_descriptor_info(type)->vk_name);
		return;
	}
	for (uint32_t i = 0; i < SPB_DESCRIPTOR_COUNT; i++) {
		if (kinds >> i & 1)
			names[n++] = spb_descriptor_info((enum spb_descriptor)i)->vk_name;
	}
	spb_json_string_key(&w->j, "descriptorType", "VK_DESCRIPTOR_TYPE_MUTABLE_EXT");
	spb_json_name_list(&w->j, "mutableTypes", names, n);
}

static void write_binding(struct writer *w, const uint32_t *parameters, size_t count)
{
	struct spb_json *j = &w->j;
	const struct spb_parameter *q = &w->p->layout.parameters.items[parameters[0]];
	const struct spb_module *m = &w->p->slots.items[q->module]->unit.m;
	const struct spb_variable *v = q->variable;
	uint32_t stage_bits = 0, length = q->count;
	bool used = false, non_uniform = false, fixed = false;
	const char *flags[] = {"VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT"};

	for (size_t i = 0; i < count; i++) {
		const struct spb_parameter *other = &w->p->layout.parameters.items[parameters[i]];
		stage_bits |= other->uses;
		non_uniform |= w->totals.non_uniform[parameters[i]];
		used |= other->used;
		fixed |= other->place == SPB_PLACE_FIXED;
		if (length && (!other->count || other->count > length))
			length = other->count;
	}
	spb_json_comma(j);
	spb_json_line(j);
	spb_json_open(j, "{");
	spb_json_number_key(j, "binding", q->binding);
	spb_json_count_key(j, length);
	range_key(j, q->has_register ? q->number : q->binding, length);
	if (q->has_register) {
		spb_json_number_key(j, "register", q->number);
		spb_json_number_key(j, "space", q->set);
	}
	if (v->count_spec_id != UINT32_MAX)
		spb_json_number_key(j, "countSpecId", v->count_spec_id);
	if (v->count_spec_id_count)
		spb_json_numbers_key(j, "countSpecIds", v->count_spec_ids, v->count_spec_id_count);
	descriptor_type_keys(w, parameters, count);
	spb_json_stages_key(j, stage_bits);
	spb_json_string_key(j, "name", v->key);
	if (*v->path)
		spb_json_string_key(j, "path", v->path + 1);
	spb_json_string_key(j, "class", spb_class_name(q->class));
	spb_json_bool_key(j, "explicit", fixed);
	spb_json_bool_key(j, "used", used);
	spb_json_string_key(j, "why", q->why);
	if (q->overlap) /* sorted before the one it shares with */
		spb_json_string_key(j, "overlap", q->overlap);
	spb_json_type_key(j, m, v, w->sizes[q->module]);
	write_views(w, parameters, count);
	spb_json_bool_key(j, "nonUniform", non_uniform);
	spb_json_name_list(j, "flags", flags, length ? 0 : 1);
	spb_json_close(j, "}", true);
}

static const struct spb_parameter *parameter(const struct writer *w, size_t i)
{
	return &w->p->layout.parameters.items[w->sorted[i]];
}

static void write_sets(struct writer *w)
{
	struct spb_json *j = &w->j;
	size_t n = w->sorted_count;

	spb_json_key(j, "sets");
	spb_json_open(j, "[");
	for (size_t i = 0; i < n;) {
		uint32_t set = parameter(w, i)->set;
		spb_json_comma(j);
		spb_json_line(j);
		spb_json_open(j, "{");
		spb_json_number_key(j, "set", set);
		spb_json_key(j, "bindings");
		spb_json_open(j, "[");
		while (i < n && parameter(w, i)->set == set) {
			size_t end = i + 1;
			while (end < n && parameter(w, end)->set == set &&
			       parameter(w, end)->binding == parameter(w, i)->binding && w->lead[end] == w->lead[i])
				end++;
			write_binding(w, w->sorted + i, end - i);
			i = end;
		}
		spb_json_close(j, "]", true);
		spb_json_close(j, "}", true);
	}
	spb_json_close(j, "]", true);
}

/* Unused resources that were removed from the modules. */
static void write_removed(struct writer *w)
{
	struct spb_json *j = &w->j;
	bool any = false;

	for (size_t i = 0; i < w->p->layout.parameters.count; i++) {
		const struct spb_parameter *q = &w->p->layout.parameters.items[i];
		if (q->place != SPB_PLACE_REMOVED)
			continue;
		if (!any) {
			spb_json_key(j, "removed");
			spb_json_open(j, "[");
		}
		any = true;
		spb_json_comma(j);
		spb_json_line(j);
		spb_json_string(j, q->variable->key);
	}
	if (any)
		spb_json_close(j, "]", true);
}

/* A number of bytes, or "size": the descriptor size of the type, or "unified": the larger of the image and buffer
 * descriptor sizes. */
static void stride_key(struct writer *w, bool sampler)
{
	const spb_options *o = &w->p->options;
	uint32_t given = sampler ? o->heaps.sampler_stride : o->heaps.resource_stride;

	if (given)
		spb_json_number_key(&w->j, "stride", given);
	else
		spb_json_string_key(&w->j, "stride", !sampler && o->heaps.unified_stride ? "unified" : "size");
}

/* The built-in heaps of SPV_EXT_descriptor_heap have no set or binding; lists what the modules read from each. */
static void write_builtin_heaps(struct writer *w)
{
	struct spb_json *j = &w->j;
	uint32_t kinds = 0;

	for (size_t i = 0; i < w->p->slots.count; i++)
		kinds |= w->p->slots.items[i]->unit.builtin_heaps;
	for (uint32_t i = 0; i < SPB_DESCRIPTOR_COUNT; i++) {
		const struct spb_descriptor_info *info = spb_descriptor_info((enum spb_descriptor)i);
		if (!(kinds >> i & 1))
			continue;
		spb_json_comma(j);
		spb_json_line(j);
		spb_json_open(j, "{");
		spb_json_string_key(j, "model", "descriptor-heap");
		spb_json_string_key(j, "kind", info->kind);
		spb_json_string_key(j, "heap", i == SPB_DESCRIPTOR_SAMPLER ? "sampler" : "resource");
		spb_json_string_key(j, "descriptorType", info->vk_name);
		stride_key(w, i == SPB_DESCRIPTOR_SAMPLER);
		spb_json_close(j, "}", true);
	}
}

static void write_heaps(struct writer *w)
{
	struct spb_json *j = &w->j;
	uint32_t written = 0; /* kinds, at this set and binding */

	spb_json_key(j, "heaps");
	spb_json_open(j, "[");
	write_builtin_heaps(w);
	for (size_t i = 0, n = w->sorted_count; i < n; i++) {
		const struct spb_parameter *q = parameter(w, i);
		if (i && (parameter(w, i - 1)->set != q->set || parameter(w, i - 1)->binding != q->binding))
			written = 0;
		if (!q->variable->heap || written >> q->variable->heap_kind & 1)
			continue;
		written |= 1u << q->variable->heap_kind;
		spb_json_comma(j);
		spb_json_line(j);
		spb_json_open(j, "{");
		spb_json_string_key(j, "kind", spb_heap_info(q->variable->heap_kind)->name);
		spb_json_number_key(j, "set", q->set);
		spb_json_number_key(j, "binding", q->binding);
		spb_json_string_key(j, "descriptorType", spb_descriptor_info(q->variable->kind)->vk_name);
		spb_json_count_key(j, q->count);
		spb_json_close(j, "}", true);
	}
	spb_json_close(j, "]", true);
}

/* Features that a module needs: Vulkan, "Capabilities" of the SPIR-V environment, as far as they concern descriptors.
 * Those for indexing arrays are in the table of kinds (descriptor.c). */
static const struct {
	uint32_t capability;
	const char *feature;
} features[] = {
    {SpvCapabilityRuntimeDescriptorArray, "runtimeDescriptorArray"},
    {SpvCapabilityStorageImageReadWithoutFormat, "shaderStorageImageReadWithoutFormat"},
    {SpvCapabilityStorageImageWriteWithoutFormat, "shaderStorageImageWriteWithoutFormat"},
    {SpvCapabilityStorageImageMultisample, "shaderStorageImageMultisample"},
    {SpvCapabilitySampledCubeArray, "imageCubeArray"},
    {SpvCapabilityImageCubeArray, "imageCubeArray"},
    {SpvCapabilityRayQueryKHR, "rayQuery"},
    {SpvCapabilityRayTracingKHR, "rayTracingPipeline"},
    {SpvCapabilityPhysicalStorageBufferAddresses, "bufferDeviceAddress"},
    {CapabilityUntypedPointersKHR, "shaderUntypedPointers"},
    {CapabilityDescriptorHeapEXT, "descriptorHeap"},
};

struct list {
	const char **items;
	size_t count, capacity;
};

static void add_once(struct writer *w, struct list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++) {
		if (!strcmp(list->items[i], name))
			return;
	}
	SPB_PUSH(&w->p->context->scratch, list, name);
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* What indexing arrays of descriptors needs, in the order of the capabilities' numbers. */
static void add_indexing_features(struct writer *w, struct list *vulkan, const struct spb_module *m)
{
	SPB_LIST(uint32_t) numbers = {0};

	for (spb_at at = m->section[SPB_SECTION_CAPABILITY]; at < m->section[SPB_SECTION_EXTENSION];
	     at = spb_next(m, at))
		SPB_PUSH(&w->p->context->scratch, &numbers, m->words[at + 1]);
	spb_sort(&w->p->context->scratch, numbers.items, numbers.count, sizeof *numbers.items, by_number);
	for (size_t i = 0; i < numbers.count; i++) {
		for (uint32_t kind = 0; kind < SPB_DESCRIPTOR_COUNT; kind++) {
			const struct spb_descriptor_info *info = spb_descriptor_info((enum spb_descriptor)kind);
			if (info->dynamic == numbers.items[i] && info->dynamic_feature)
				add_once(w, vulkan, info->dynamic_feature);
			if (info->non_uniform == numbers.items[i] && info->non_uniform_feature)
				add_once(w, vulkan, info->non_uniform_feature);
		}
	}
}

struct heap {
	uint32_t set, binding, kinds;
};

static int by_heap(const void *a, const void *b)
{
	const struct heap *x = a, *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	return (x->binding > y->binding) - (x->binding < y->binding);
}

/* Whether any heap of a module is at a mutable binding. */
static bool has_mutable_heap(const struct writer *w, const struct spb_slot *slot)
{
	SPB_LIST(struct heap) heaps = {0};

	for (size_t i = 0; i < slot->unit.variables.count; i++) {
		const struct spb_parameter *q = &w->p->layout.parameters.items[slot->unit.variables.items[i].parameter];
		if (q->variable->heap)
			SPB_PUSH(&w->p->context->scratch, &heaps,
				 ((struct heap){q->set, q->binding, 1u << q->variable->kind}));
	}
	spb_sort(&w->p->context->scratch, heaps.items, heaps.count, sizeof *heaps.items, by_heap);
	for (size_t i = 0; i < heaps.count; i++) {
		if (i && !by_heap(&heaps.items[i - 1], &heaps.items[i]))
			heaps.items[i].kinds |= heaps.items[i - 1].kinds;
		if (is_mutable(w, heaps.items[i].kinds))
			return true;
	}
	return false;
}

static void write_requires(struct writer *w, const struct spb_slot *slot)
{
	struct spb_json *j = &w->j;
	const struct spb_module *m = &slot->unit.m;
	struct list capabilities = {0}, extensions = {0}, vulkan = {0};
	bool seen[SPB_COUNT(features)] = {0};

	for (spb_at at = 5; at < m->section[SPB_SECTION_IMPORT]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtension)
			add_once(w, &extensions, spb_string(m, at + 1));
		if (spb_op(m, at) != SpvOpCapability)
			continue;
		add_once(w, &capabilities, spb_capability_name(m->words[at + 1]));
		for (size_t i = 0; i < SPB_COUNT(features); i++)
			seen[i] |= features[i].capability == m->words[at + 1];
	}
	add_indexing_features(w, &vulkan, m);
	for (size_t i = 0; i < SPB_COUNT(features); i++) {
		if (seen[i])
			add_once(w, &vulkan, features[i].feature);
	}
	for (size_t i = 0; i < slot->unit.variables.count; i++) {
		if (!slot->unit.variables.items[i].count) {
			add_once(w, &vulkan, "descriptorBindingPartiallyBound");
			break;
		}
	}
	if (has_mutable_heap(w, slot))
		add_once(w, &vulkan, "mutableDescriptorType");
	spb_json_key(j, "requires");
	spb_json_open(j, "{");
	spb_json_name_list(j, "capabilities", capabilities.items, capabilities.count);
	spb_json_name_list(j, "extensions", extensions.items, extensions.count);
	spb_json_name_list(j, "vulkanFeatures", vulkan.items, vulkan.count);
	spb_json_close(j, "}", true);
}

static void write_modules(struct writer *w)
{
	static const char *const verdicts[] = {"not validated",   "validated", "validated with shim",
					       "not validatable", "not valid", ""};
	struct spb_json *j = &w->j;

	spb_json_key(j, "modules");
	spb_json_open(j, "[");
	for (size_t i = 0; i < w->p->slots.count; i++) {
		const struct spb_slot *slot = w->p->slots.items[i];
		const struct spb_module *m = &slot->unit.m;
		spb_json_comma(j);
		spb_json_line(j);
		spb_json_open(j, "{");
		spb_json_string_key(j, "file", base_name(m->name));
		spb_json_key(j, "entryPoints");
		spb_json_open(j, "[");
		for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
		     at = spb_next(m, at)) {
			if (!spb_is_wanted_entry_point(&w->p->options, m, at))
				continue;
			spb_json_comma(j);
			spb_json_line(j);
			spb_json_open(j, "{");
			spb_json_string_key(j, "name", spb_string(m, at + 3));
			spb_json_string_key(j, "stage", stage_name(m->words[at + 1]));
			spb_json_close(j, "}", true);
		}
		spb_json_close(j, "]", true);
		spb_json_string_key(j, "validated", verdicts[slot->verdict]);
		write_requires(w, slot);
		spb_json_close(j, "}", true);
	}
	spb_json_close(j, "]", true);
}

static void write_judgement(struct spb_json *j, const struct spb_judgement *k)
{
	const char *scopes[2];
	size_t count = 0;

	if (k->uniform & SPB_UNIFORM_GROUP)
		scopes[count++] = "group";
	if (k->uniform & SPB_UNIFORM_SUBGROUP)
		scopes[count++] = "subgroup";
	spb_json_name_list(j, "uniform", scopes, count);
	if (k->differs)
		spb_json_bool_key(j, "certain", k->certain);
	spb_json_key(j, "why");
	spb_json_open(j, "[");
	for (uint32_t i = 0; i < k->why_count; i++) {
		const struct spb_why *why = &k->why[i];
		spb_json_comma(j);
		spb_json_open(j, "{");
		spb_json_string_key(j, "text", why->text);
		if (why->id)
			spb_json_number_key(j, "id", why->id);
		if (*why->name)
			spb_json_string_key(j, "name", why->name);
		if (*why->file)
			spb_json_string_key(j, "file", why->file);
		if (why->line)
			spb_json_number_key(j, "line", why->line);
		spb_json_close(j, "}", false);
	}
	spb_json_close(j, "]", false);
}

static void write_access(struct writer *w, const struct spb_slot *slot, const struct spb_listed *listed)
{
	const struct spb_access *a = &listed->access;
	struct spb_json *j = &w->j;
	const struct spb_module *m = &slot->unit.m;
	const struct spb_variable *v = &slot->unit.variables.items[a->variable];
	const struct spb_parameter *q = &w->p->layout.parameters.items[v->parameter];
	const struct spb_function *f = spb_function_around(m, a->at);

	spb_json_comma(j);
	spb_json_line(j);
	spb_json_open(j, "{");
	spb_json_string_key(j, "module", base_name(m->name));
	spb_json_string_key(j, "function", f ? spb_name(m, m->words[f->at + 2]) : "");
	spb_json_string_key(j, "op", spb_op_name(spb_op(m, a->at)));
	spb_json_string_key(j, "name", v->key);
	spb_json_number_key(j, "set", q->set);
	spb_json_number_key(j, "binding", q->binding);
	range_key(j, q->has_register ? q->number : q->binding, q->count);
	spb_json_key(j, "index");
	if (a->constant)
		spb_text_number(&j->text, a->index);
	else
		spb_text_put(&j->text, "null");
	if (a->index_id)
		spb_json_number_key(j, "indexId", a->index_id);
	spb_json_bool_key(j, "nonUniform", a->non_uniform);
	if (a->line && spb_def_op(m, a->file) == SpvOpString) {
		spb_json_string_key(j, "file", spb_string(m, m->def[a->file] + 2));
		spb_json_number_key(j, "line", a->line);
	}
	if (listed->judgement)
		write_judgement(j, listed->judgement);
	spb_json_close(j, "}", true);
}

static void write_accesses(struct writer *w)
{
	struct spb_json *j = &w->j;

	spb_json_key(j, "accesses");
	spb_json_open(j, "[");
	if (!w->p->accesses_listed)
		spb_list_accesses(w->p);
	for (size_t i = 0; i < w->p->listed.count; i++)
		write_access(w, w->p->slots.items[w->p->accesses.items[i].module], &w->p->listed.items[i]);
	spb_json_close(j, "]", true);
}

static void find_totals(struct writer *w)
{
	size_t n = w->p->layout.parameters.count;

	w->totals.non_uniform = spb_alloc_zeroed(&w->p->context->scratch, n, sizeof *w->totals.non_uniform);
	for (size_t i = 0; i < w->p->slots.count; i++) {
		const struct spb_unit *u = &w->p->slots.items[i]->unit;
		for (size_t k = 0; k < u->variables.count; k++) {
			const struct spb_variable *v = &u->variables.items[k];
			if (u->nonuniform && v->id < u->nonuniform_bound && spb_bit(u->nonuniform, v->id))
				w->totals.non_uniform[v->parameter] = true;
		}
	}
}

/* The sort key comes first. */
struct placed {
	uint32_t set, binding, lead, parameter;
};

static int by_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	if (x->binding != y->binding)
		return x->binding < y->binding ? -1 : 1;
	if (x->lead != y->lead)
		return x->lead < y->lead ? -1 : 1;
	return (x->parameter > y->parameter) - (x->parameter < y->parameter);
}

/* Whether two groups at one binding are one descriptor to the host: a type serves both, or the binding is mutable. */
static bool is_one(const struct writer *w, const struct spb_group *a, const struct spb_group *b)
{
	return a->types & b->types || (!a->count && !b->count && w->p->options.heaps.model == SPB_HEAP_MODEL_MUTABLE);
}

/* Descriptors that no pipeline uses together can share a binding; each is listed separately. Unused resources and views
 * of heaps are listed with the first one. */
static void choose_leads(struct writer *w, struct placed *placed, size_t count)
{
	const struct spb_layout *layout = &w->p->layout;
	uint32_t leads[SPB_DESCRIPTOR_COUNT];
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		const struct spb_parameter *q = &layout->parameters.items[placed[i].parameter];
		const struct spb_group *group = &layout->groups.items[q->group];
		size_t k = 0;
		if (q->variable->heap || !group->uses)
			continue;
		while (k < n && !is_one(w, &layout->groups.items[leads[k]], group))
			k++;
		if (k == SPB_DESCRIPTOR_COUNT)
			continue;
		if (k == n)
			leads[n++] = q->group;
		placed[i].lead = leads[k] + 1;
	}
	for (size_t i = 0; i < count && n; i++)
		placed[i].lead = placed[i].lead ? placed[i].lead : leads[0] + 1;
	spb_sort(&w->p->context->scratch, placed, count, sizeof *placed, by_place);
}

static void sort_parameters(struct writer *w)
{
	size_t n = w->p->layout.parameters.count;
	struct placed *placed = spb_alloc_array(&w->p->context->scratch, n, sizeof *placed);

	w->sorted = spb_alloc_array(&w->p->context->scratch, n, sizeof *w->sorted);
	for (uint32_t i = 0; i < n; i++) {
		const struct spb_parameter *q = &w->p->layout.parameters.items[i];
		if (q->place != SPB_PLACE_REMOVED)
			placed[w->sorted_count++] = (struct placed){q->set, q->binding, 0, i};
	}
	spb_sort(&w->p->context->scratch, placed, w->sorted_count, sizeof *placed, by_place);
	for (size_t i = 0, end; i < w->sorted_count; i = end) {
		for (end = i + 1; end < w->sorted_count && placed[end].set == placed[i].set &&
				  placed[end].binding == placed[i].binding;
		     end++)
			;
		choose_leads(w, &placed[i], end - i);
	}
	w->lead = spb_alloc_array(&w->p->context->scratch, n, sizeof *w->lead);
	for (size_t i = 0; i < w->sorted_count; i++) {
		w->sorted[i] = placed[i].parameter;
		w->lead[i] = placed[i].lead;
	}
}

static void find_ordered(struct writer *w, struct spb_slot *slot)
{
	const uint32_t *ordered = spb_find_ordered(&slot->unit.m, &w->p->context->scratch);

	for (size_t i = 0; i < slot->unit.variables.count; i++) {
		struct spb_variable *v = &slot->unit.variables.items[i];
		v->ordered = v->writable && spb_bit(ordered, v->id);
	}
}

const char *spb_write_layout_json(struct spb_program *p, size_t *length)
{
	struct writer w = {.p = p, .j = {.text = {.arena = &p->keep}}};
	struct spb_json *j = &w.j;

	w.sizes = spb_alloc_array(&p->context->scratch, p->slots.count, sizeof *w.sizes);
	for (size_t i = 0; i < p->slots.count; i++) {
		struct spb_module *m = &p->slots.items[i]->unit.m;
		spb_module_need_index(m);
		w.sizes[i] = spb_type_sizes(m, &p->context->scratch);
		find_ordered(&w, p->slots.items[i]);
	}
	find_totals(&w);
	sort_parameters(&w);
	spb_json_open(j, "{");
	spb_json_string_key(j, "schema", "spirv-bind/layout/2");
	spb_json_string_key(j, "rules", w.p->layout.hlsl ? "hlsl" : "slang");
	write_sets(&w);
	write_removed(&w);
	write_heaps(&w);
	spb_json_push_constants(j, p, w.sizes);
	write_modules(&w);
	if (p->options.explain)
		write_accesses(&w);
	spb_json_close(j, "}", true);
	spb_text_add(&j->text, "\n", 1);
	*length = j->text.count;
	return spb_text_end(&j->text);
}
