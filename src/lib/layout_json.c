/* SPDX-License-Identifier: Apache-2.0 */
/* layout_json: the layout as JSON, include/spirv-bind/layout.schema.json.
 *
 * Written by hand into the program's arena: a JSON library would allocate behind the caller's allocator. The
 * same program gives the same bytes. */
#include "lib/lib.h"

struct json {
	struct spb_text_buffer text;
	unsigned depth;
	bool first;
};

static void line(struct json *j)
{
	spb_text_add(&j->text, "\n", 1);
	for (unsigned i = 0; i < j->depth; i++)
		spb_text_add(&j->text, "  ", 2);
}

static void comma(struct json *j)
{
	if (!j->first)
		spb_text_add(&j->text, ",", 1);
	j->first = false;
}

/* Strings of a module are UTF-8 by SPIR-V 2.2.1, but nobody has checked: a byte that is not becomes '?'. */
static size_t utf8_length(const unsigned char *s)
{
	size_t n = s[0] >= 0xC2 && s[0] < 0xE0   ? 2
		   : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
		   : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
						 : 0;

	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return 0;
	}
	if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF0 && s[1] < 0x90) ||
	    (s[0] == 0xF4 && s[1] > 0x8F))
		return 0;
	return n;
}

static void string(struct json *j, const char *s)
{
	spb_text_add(&j->text, "\"", 1);
	for (const unsigned char *p = (const unsigned char *)s; *p;) {
		size_t n = *p < 0x80 ? 1 : utf8_length(p);
		if (!n) {
			spb_text_add(&j->text, "?", 1);
			n = 1;
		} else if (*p == '"' || *p == '\\') {
			spb_text_format(&j->text, "\\%c", *p);
		} else if (*p < 0x20 || *p == 0x7F) {
			spb_text_format(&j->text, *p < 0x10 ? "\\u000%x" : "\\u00%x", (unsigned)*p);
		} else {
			spb_text_add(&j->text, (const char *)p, n);
		}
		p += n;
	}
	spb_text_add(&j->text, "\"", 1);
}

static void key(struct json *j, const char *name)
{
	comma(j);
	if (j->depth < 6)
		line(j);
	else
		spb_text_add(&j->text, " ", 1);
	string(j, name);
	spb_text_add(&j->text, ": ", 2);
}

static void open(struct json *j, const char *bracket)
{
	spb_text_put(&j->text, bracket);
	j->depth++;
	j->first = true;
}

static void close(struct json *j, const char *bracket, bool own_line)
{
	j->depth--;
	if (own_line && !j->first)
		line(j);
	spb_text_put(&j->text, bracket);
	j->first = false;
}

static void number_key(struct json *j, const char *name, uint32_t value)
{
	key(j, name);
	spb_text_number(&j->text, value);
}

static void string_key(struct json *j, const char *name, const char *value)
{
	key(j, name);
	string(j, value);
}

static void bool_key(struct json *j, const char *name, bool value)
{
	key(j, name);
	spb_text_put(&j->text, value ? "true" : "false");
}

static void count_key(struct json *j, uint32_t count)
{
	key(j, "count");
	if (count)
		spb_text_number(&j->text, count);
	else
		spb_text_put(&j->text, "null");
}

/* What DXIL would say if the binding were the register: the first and the last of the range, null for no end. */
static void range_key(struct json *j, uint32_t binding, uint32_t count)
{
	key(j, "range");
	if (count && count - 1 <= UINT32_MAX - binding)
		spb_text_format(&j->text, "[%u, %u]", binding, binding + (count - 1));
	else
		spb_text_format(&j->text, "[%u, null]", binding);
}

/* Names of bits or values: only those that are set. */
static void name_list(struct json *j, const char *name, const char *const *names, size_t count)
{
	key(j, name);
	spb_text_put(&j->text, "[");
	for (size_t i = 0; i < count; i++) {
		spb_text_put(&j->text, i ? ", " : "");
		string(j, names[i]);
	}
	spb_text_put(&j->text, "]");
}

static void stages_key(struct json *j, uint32_t bits)
{
	const char *list[SPB_STAGE_COUNT];
	size_t count = 0;

	for (uint32_t i = 0; i < SPB_STAGE_COUNT; i++) {
		if (bits >> i & 1)
			list[count++] = spb_stage_vk_name(i);
	}
	name_list(j, "stages", list, count);
}

static const char *stage_name(uint32_t model)
{
	for (uint32_t i = 0; i < SPB_STAGE_COUNT; i++) {
		if (spb_stage_bit(model) == 1u << i)
			return spb_stage_vk_name(i);
	}
	return "VK_SHADER_STAGE_ALL";
}

static void class_key(struct json *j, enum spb_class class)
{
	const char letter[] = {spb_class_letter(class), '\0'};

	string_key(j, "class", letter);
}

/* Types */

static void image_keys(struct json *j, const struct spb_module *m, spb_at at)
{
	string_key(j, "element", spb_component_name(m, m->words[at + 2]));
	string_key(j, "dim", spb_dim_name(m->words[at + 3]));
	bool_key(j, "arrayed", m->words[at + 5] == 1);
	bool_key(j, "multisampled", m->words[at + 6] == 1);
	bool_key(j, "depth", m->words[at + 4] == 1);
	string_key(j, "format", spb_image_format_name(m->words[at + 8]));
}

static void block_keys(struct json *j, const struct spb_module *m, uint32_t type, const uint32_t *sizes)
{
	spb_at at = m->def[type];
	uint32_t length = spb_length(m, at), last = length > 2 ? m->words[at + length - 1] : 0;

	string_key(j, "block", spb_name(m, type));
	number_key(j, "size", sizes[type]);
	if (spb_def_op(m, last) == SpvOpTypeRuntimeArray) {
		uint32_t stride = spb_decoration(m, last, SpvDecorationArrayStride);
		if (stride)
			number_key(j, "stride", m->words[stride]);
	}
}

static void type_key(struct json *j, const struct spb_module *m, const struct spb_variable *v, const uint32_t *sizes)
{
	spb_at at = m->def[v->element];

	key(j, "type");
	unsigned depth = j->depth;
	j->depth = 6; /* on one line */
	open(j, "{");
	string_key(j, "kind", spb_descriptor_info(v->kind)->kind);
	bool_key(j, "writable", v->writable);
	if (spb_op(m, at) == SpvOpTypeSampledImage)
		at = m->def[m->words[at + 2]];
	if (spb_op(m, at) == SpvOpTypeImage)
		image_keys(j, m, at);
	else if (spb_op(m, at) == SpvOpTypeStruct)
		block_keys(j, m, v->element, sizes);
	spb_text_put(&j->text, " ");
	close(j, "}", false);
	j->depth = depth;
}

/* Sets and bindings */

struct totals { /* of each parameter, over all modules */
	uint32_t *stages;
	bool *non_uniform;
};

struct writer {
	struct spb_program *p;
	struct json j;
	struct totals totals;
	uint32_t **sizes; /* of each module */
	uint32_t *sorted; /* parameters by set, binding, order */
	size_t sorted_count;
};

static const struct spb_variable *first_variable(const struct writer *w, const struct spb_parameter *q)
{
	return &w->p->slots.items[q->module]->unit.variables.items[q->variable];
}

static void write_aliases(struct writer *w, const uint32_t *parameters, size_t count)
{
	struct json *j = &w->j;

	key(j, "aliases");
	open(j, "[");
	for (size_t i = 0; i < count; i++) {
		const struct spb_parameter *q = &w->p->layout.parameters.items[parameters[i]];
		const struct spb_variable *v = first_variable(w, q);
		comma(j);
		line(j);
		open(j, "{");
		string_key(j, "name", v->key);
		type_key(j, &w->p->slots.items[q->module]->unit.m, v, w->sizes[q->module]);
		close(j, "}", false);
	}
	close(j, "]", true);
}

static void write_binding(struct writer *w, const uint32_t *parameters, size_t count)
{
	struct json *j = &w->j;
	const struct spb_parameter *q = &w->p->layout.parameters.items[parameters[0]];
	const struct spb_module *m = &w->p->slots.items[q->module]->unit.m;
	const struct spb_variable *v = first_variable(w, q);
	uint32_t stage_bits = 0, length = q->count;
	bool used = false, non_uniform = false, fixed = false;
	const char *flags[] = {"VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT"};

	for (size_t i = 0; i < count; i++) {
		const struct spb_parameter *other = &w->p->layout.parameters.items[parameters[i]];
		stage_bits |= w->totals.stages[parameters[i]];
		non_uniform |= w->totals.non_uniform[parameters[i]];
		used |= other->used;
		fixed |= other->fixed;
		if (length && (!other->count || other->count > length))
			length = other->count;
	}
	comma(j);
	line(j);
	open(j, "{");
	number_key(j, "binding", q->binding);
	count_key(j, length);
	range_key(j, q->binding, length);
	if (v->count_spec_id != UINT32_MAX)
		number_key(j, "countSpecId", v->count_spec_id);
	string_key(j, "descriptorType", spb_descriptor_info(q->kind)->vk_name);
	stages_key(j, stage_bits);
	string_key(j, "name", v->key);
	if (*v->path)
		string_key(j, "path", v->path + 1);
	class_key(j, q->class);
	bool_key(j, "explicit", fixed);
	bool_key(j, "used", used);
	string_key(j, "why", q->why);
	type_key(j, m, v, w->sizes[q->module]);
	if (count > 1)
		write_aliases(w, parameters + 1, count - 1);
	bool_key(j, "nonUniform", non_uniform);
	name_list(j, "flags", flags, length ? 0 : 1);
	close(j, "}", true);
}

static const struct spb_parameter *parameter(const struct writer *w, size_t i)
{
	return &w->p->layout.parameters.items[w->sorted[i]];
}

static void write_sets(struct writer *w)
{
	struct json *j = &w->j;
	size_t n = w->sorted_count;

	key(j, "sets");
	open(j, "[");
	for (size_t i = 0; i < n;) {
		uint32_t set = parameter(w, i)->set;
		comma(j);
		line(j);
		open(j, "{");
		number_key(j, "set", set);
		key(j, "bindings");
		open(j, "[");
		while (i < n && parameter(w, i)->set == set) {
			size_t end = i + 1;
			while (end < n && parameter(w, end)->set == set &&
			       parameter(w, end)->binding == parameter(w, i)->binding)
				end++;
			write_binding(w, w->sorted + i, end - i);
			i = end;
		}
		close(j, "]", true);
		close(j, "}", true);
	}
	close(j, "]", true);
}

/* Unused resources that are gone. */
static void write_removed(struct writer *w)
{
	struct json *j = &w->j;
	bool any = false;

	for (size_t i = 0; i < w->p->layout.parameters.count; i++) {
		const struct spb_parameter *q = &w->p->layout.parameters.items[i];
		if (q->place != SPB_PLACE_REMOVED)
			continue;
		if (!any) {
			key(j, "removed");
			open(j, "[");
		}
		any = true;
		comma(j);
		line(j);
		string(j, first_variable(w, q)->key);
	}
	if (any)
		close(j, "]", true);
}

static void write_heaps(struct writer *w)
{
	struct json *j = &w->j;

	key(j, "heaps");
	open(j, "[");
	for (size_t i = 0, n = w->sorted_count; i < n; i++) {
		const struct spb_parameter *q = parameter(w, i);
		if (!q->heap || (i && parameter(w, i - 1)->heap && parameter(w, i - 1)->kind == q->kind))
			continue;
		comma(j);
		line(j);
		open(j, "{");
		string_key(j, "kind", spb_descriptor_info(q->kind)->kind);
		number_key(j, "set", q->set);
		number_key(j, "binding", q->binding);
		string_key(j, "descriptorType", spb_descriptor_info(q->kind)->vk_name);
		count_key(j, q->count);
		close(j, "}", true);
	}
	close(j, "]", true);
}

/* Push constants */

struct push_constant {
	const char *name;
	uint32_t offset, size, stages;
};

struct push_constants {
	struct push_constant *items;
	size_t count, capacity;
};

static uint32_t first_offset(const struct spb_module *m, uint32_t type)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		spb_at at = m->note[i].at;
		if (spb_op(m, at) == SpvOpMemberDecorate && m->words[at + 3] == SpvDecorationOffset &&
		    m->words[at + 4] < least)
			least = m->words[at + 4];
	}
	return least == UINT32_MAX ? 0 : least;
}

static void add_push_constant(struct writer *w, struct push_constants *list, struct push_constant add)
{
	for (size_t i = list->count; i > 0 && list->count - i < 64; i--) { /* stages of one program are few */
		struct push_constant *it = &list->items[i - 1];
		if (!strcmp(it->name, add.name) && it->offset == add.offset && it->size == add.size) {
			it->stages |= add.stages;
			return;
		}
	}
	SPB_PUSH(&w->p->context->scratch, list, add);
}

static void write_push_constants(struct writer *w)
{
	struct json *j = &w->j;
	struct push_constants list = {0};

	for (size_t i = 0; i < w->p->slots.count; i++) {
		const struct spb_module *m = &w->p->slots.items[i]->unit.m;
		uint32_t bits = spb_module_stages(m);
		for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION];
		     at = spb_next(m, at)) {
			if (spb_op(m, at) != SpvOpVariable || m->words[at + 3] != SpvStorageClassPushConstant ||
			    spb_def_op(m, m->words[at + 1]) != SpvOpTypePointer)
				continue;
			uint32_t type = m->words[m->def[m->words[at + 1]] + 3];
			uint32_t offset = first_offset(m, type) & ~3u, end = w->sizes[i][type];
			const char *block = spb_name(m, type);
			add_push_constant(w, &list,
					  (struct push_constant){*block ? block : spb_name(m, m->words[at + 2]), offset,
								 end > offset ? (end - offset + 3) & ~3u : 0, bits});
		}
	}
	key(j, "pushConstants");
	open(j, "[");
	for (size_t i = 0; i < list.count; i++) {
		comma(j);
		line(j);
		open(j, "{");
		string_key(j, "name", list.items[i].name);
		number_key(j, "offset", list.items[i].offset);
		number_key(j, "size", list.items[i].size);
		stages_key(j, list.items[i].stages);
		close(j, "}", true);
	}
	close(j, "]", true);
}

/* What a module needs. Vulkan, "Capabilities" of the SPIR-V environment; those that concern descriptors. */
static const struct {
	uint32_t capability;
	const char *feature;
} features[] = {
    {SpvCapabilityUniformBufferArrayDynamicIndexing, "shaderUniformBufferArrayDynamicIndexing"},
    {SpvCapabilitySampledImageArrayDynamicIndexing, "shaderSampledImageArrayDynamicIndexing"},
    {SpvCapabilityStorageBufferArrayDynamicIndexing, "shaderStorageBufferArrayDynamicIndexing"},
    {SpvCapabilityStorageImageArrayDynamicIndexing, "shaderStorageImageArrayDynamicIndexing"},
    {SpvCapabilityInputAttachmentArrayDynamicIndexing, "shaderInputAttachmentArrayDynamicIndexing"},
    {SpvCapabilityUniformTexelBufferArrayDynamicIndexing, "shaderUniformTexelBufferArrayDynamicIndexing"},
    {SpvCapabilityStorageTexelBufferArrayDynamicIndexing, "shaderStorageTexelBufferArrayDynamicIndexing"},
    {SpvCapabilityUniformBufferArrayNonUniformIndexing, "shaderUniformBufferArrayNonUniformIndexing"},
    {SpvCapabilitySampledImageArrayNonUniformIndexing, "shaderSampledImageArrayNonUniformIndexing"},
    {SpvCapabilityStorageBufferArrayNonUniformIndexing, "shaderStorageBufferArrayNonUniformIndexing"},
    {SpvCapabilityStorageImageArrayNonUniformIndexing, "shaderStorageImageArrayNonUniformIndexing"},
    {SpvCapabilityInputAttachmentArrayNonUniformIndexing, "shaderInputAttachmentArrayNonUniformIndexing"},
    {SpvCapabilityUniformTexelBufferArrayNonUniformIndexing, "shaderUniformTexelBufferArrayNonUniformIndexing"},
    {SpvCapabilityStorageTexelBufferArrayNonUniformIndexing, "shaderStorageTexelBufferArrayNonUniformIndexing"},
    {SpvCapabilityRuntimeDescriptorArray, "runtimeDescriptorArray"},
    {SpvCapabilityStorageImageReadWithoutFormat, "shaderStorageImageReadWithoutFormat"},
    {SpvCapabilityStorageImageWriteWithoutFormat, "shaderStorageImageWriteWithoutFormat"},
    {SpvCapabilityStorageImageMultisample, "shaderStorageImageMultisample"},
    {SpvCapabilitySampledCubeArray, "imageCubeArray"},
    {SpvCapabilityImageCubeArray, "imageCubeArray"},
    {SpvCapabilityRayQueryKHR, "rayQuery"},
    {SpvCapabilityRayTracingKHR, "rayTracingPipeline"},
    {SpvCapabilityPhysicalStorageBufferAddresses, "bufferDeviceAddress"},
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

static void write_requires(struct writer *w, const struct spb_slot *slot)
{
	struct json *j = &w->j;
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
	key(j, "requires");
	open(j, "{");
	name_list(j, "capabilities", capabilities.items, capabilities.count);
	name_list(j, "extensions", extensions.items, extensions.count);
	name_list(j, "vulkanFeatures", vulkan.items, vulkan.count);
	close(j, "}", true);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void write_modules(struct writer *w)
{
	static const char *const verdicts[] = {"not validated",   "validated", "validated with shim",
					       "not validatable", "",          ""};
	struct json *j = &w->j;

	key(j, "modules");
	open(j, "[");
	for (size_t i = 0; i < w->p->slots.count; i++) {
		const struct spb_slot *slot = w->p->slots.items[i];
		const struct spb_module *m = &slot->unit.m;
		comma(j);
		line(j);
		open(j, "{");
		string_key(j, "file", base_name(m->name));
		key(j, "entryPoints");
		open(j, "[");
		for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
		     at = spb_next(m, at)) {
			if (spb_op(m, at) != SpvOpEntryPoint)
				continue;
			comma(j);
			line(j);
			open(j, "{");
			string_key(j, "name", spb_string(m, at + 3));
			string_key(j, "stage", stage_name(m->words[at + 1]));
			close(j, "}", true);
		}
		close(j, "]", true);
		string_key(j, "validated", verdicts[slot->verdict]);
		write_requires(w, slot);
		close(j, "}", true);
	}
	close(j, "]", true);
}

static void write_access(struct writer *w, const struct spb_slot *slot, const struct spb_access *a)
{
	struct json *j = &w->j;
	const struct spb_module *m = &slot->unit.m;
	const struct spb_variable *v = &slot->unit.variables.items[a->variable];
	const struct spb_parameter *q = &w->p->layout.parameters.items[v->parameter];
	const struct spb_function *f = spb_function_around(m, a->at);

	comma(j);
	line(j);
	open(j, "{");
	string_key(j, "module", base_name(m->name));
	string_key(j, "function", f ? spb_name(m, m->words[f->at + 2]) : "");
	string_key(j, "op", spb_op_name(spb_op(m, a->at)));
	string_key(j, "name", v->key);
	number_key(j, "set", q->set);
	number_key(j, "binding", q->binding);
	range_key(j, q->binding, q->count);
	key(j, "index");
	if (a->constant)
		spb_text_number(&j->text, a->index);
	else
		spb_text_put(&j->text, "null");
	if (a->index_id)
		number_key(j, "indexId", a->index_id);
	bool_key(j, "nonUniform", a->non_uniform);
	if (a->line && spb_def_op(m, a->file) == SpvOpString) {
		string_key(j, "file", spb_string(m, m->def[a->file] + 2));
		number_key(j, "line", a->line);
	}
	close(j, "}", true);
}

static void write_accesses(struct writer *w)
{
	struct json *j = &w->j;

	key(j, "accesses");
	open(j, "[");
	for (size_t i = 0; i < w->p->slots.count; i++) {
		const struct spb_slot *slot = w->p->slots.items[i];
		struct spb_accesses accesses =
		    spb_find_accesses(&slot->unit.m, &slot->unit.variables, &w->p->context->scratch);
		for (size_t k = 0; k < accesses.count; k++)
			write_access(w, slot, &accesses.items[k]);
	}
	close(j, "]", true);
}

static void find_totals(struct writer *w)
{
	size_t n = w->p->layout.parameters.count;

	w->totals.stages = spb_alloc_zeroed(&w->p->context->scratch, n, sizeof *w->totals.stages);
	w->totals.non_uniform = spb_alloc_zeroed(&w->p->context->scratch, n, sizeof *w->totals.non_uniform);
	for (size_t i = 0; i < w->p->slots.count; i++) {
		const struct spb_unit *u = &w->p->slots.items[i]->unit;
		uint32_t bits = spb_module_stages(&u->m);
		for (size_t k = 0; k < u->variables.count; k++) {
			const struct spb_variable *v = &u->variables.items[k];
			w->totals.stages[v->parameter] |= bits;
			if (u->nonuniform && v->id < u->nonuniform_bound && spb_bit(u->nonuniform, v->id))
				w->totals.non_uniform[v->parameter] = true;
		}
	}
}

/* Sort key in front, so that one comparison serves. */
struct placed {
	uint32_t set, binding, parameter;
};

static int by_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	return (x->binding > y->binding) - (x->binding < y->binding);
}

static void sort_parameters(struct writer *w)
{
	size_t n = w->p->layout.parameters.count;
	struct placed *placed = spb_alloc_array(&w->p->context->scratch, n, sizeof *placed);

	w->sorted = spb_alloc_array(&w->p->context->scratch, n, sizeof *w->sorted);
	for (uint32_t i = 0; i < n; i++) {
		const struct spb_parameter *q = &w->p->layout.parameters.items[i];
		if (q->place != SPB_PLACE_REMOVED)
			placed[w->sorted_count++] = (struct placed){q->set, q->binding, i};
	}
	spb_sort(&w->p->context->scratch, placed, w->sorted_count, sizeof *placed, by_place);
	for (size_t i = 0; i < w->sorted_count; i++)
		w->sorted[i] = placed[i].parameter;
}

const char *spb_write_layout_json(struct spb_program *p, size_t *length)
{
	struct writer w = {.p = p, .j = {.text = {.arena = &p->keep}}};
	struct json *j = &w.j;

	w.sizes = spb_alloc_array(&p->context->scratch, p->slots.count, sizeof *w.sizes);
	for (size_t i = 0; i < p->slots.count; i++) {
		struct spb_module *m = &p->slots.items[i]->unit.m;
		spb_module_need_index(m);
		w.sizes[i] = spb_type_sizes(m, &p->context->scratch);
	}
	find_totals(&w);
	sort_parameters(&w);
	open(j, "{");
	string_key(j, "schema", "spirv-bind/layout/1");
	string_key(j, "rules", w.p->layout.hlsl ? "hlsl" : "slang");
	write_sets(&w);
	write_removed(&w);
	write_heaps(&w);
	write_push_constants(&w);
	write_modules(&w);
	if (p->options.explain)
		write_accesses(&w);
	close(j, "}", true);
	spb_text_add(&j->text, "\n", 1);
	*length = j->text.count;
	return spb_text_end(&j->text);
}
