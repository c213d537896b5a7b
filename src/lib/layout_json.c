/* SPDX-License-Identifier: Apache-2.0 */
/* layout_json: the layout as JSON, include/spirv-bind/layout.schema.json.
 *
 * Equal programs produce identical bytes. */
#include "base/json.h"
#include "analysis/uniformity/uniformity.h"
#include "lib/lib.h"

/* As in DXIL: the first and last register of the range, or null if it is unbounded. Rules that do not count registers
 * use the binding instead. */
static void range_key(struct spb_json *j, uint32_t binding, uint32_t count)
{
	if (count && count - 1 <= UINT32_MAX - binding) {
		spb_json_numbers_key(j, "range", (uint32_t[]){binding, binding + (count - 1)}, 2);
	} else {
		spb_json_key(j, "range");
		spb_text_format(&j->text, "[%u, null]", binding);
	}
}

/* Sets and bindings */

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The text written last, and for which value: views repeat parts of their entry, and entries those of the previous
 * one. */
struct written {
	uintptr_t of; /* 0: nothing */
	size_t begin, end;
};

struct writer {
	struct spb_program *p;
	struct spb_json j;
	struct written type, name, module, stages;
};

/* If the text for this value was the last one written, copies it. */
static bool write_again(struct spb_text_buffer *text, struct written *last, uintptr_t of)
{
	const size_t length = last->end - last->begin;

	if (of != last->of) {
		*last = (struct written){.of = of, .begin = text->count};
		return false;
	}
	char *to = spb_text_room(text, length);
	memcpy(to, text->items + last->begin, length);
	text->count += length;
	return true;
}

static void type_key(struct writer *w, const struct spb_variable *v, size_t module)
{
	spb_json_key(&w->j, "type");
	if (write_again(&w->j.text, &w->type, (uintptr_t)v))
		return;
	spb_json_type(&w->j, w->p, module, v);
	w->type.end = w->j.text.count;
}

static void name_key(struct writer *w, const char *name)
{
	spb_json_key(&w->j, "name");
	if (write_again(&w->j.text, &w->name, (uintptr_t)name))
		return;
	spb_json_string(&w->j, name);
	w->name.end = w->j.text.count;
}

static void module_key(struct writer *w, const char *path)
{
	spb_json_key(&w->j, "module");
	if (write_again(&w->j.text, &w->module, (uintptr_t)path))
		return;
	spb_json_string(&w->j, spb_base_name(path));
	w->module.end = w->j.text.count;
}

static void stages_key(struct writer *w, uint32_t bits)
{
	if (!bits) {
		spb_json_empty_key(&w->j, "stages");
		return;
	}
	*spb_json_key_of(&w->j, "stages", 1) = '[';
	if (write_again(&w->j.text, &w->stages, bits))
		return;
	spb_json_bits(&w->j, bits, SPB_STAGE_COUNT, spb_stage_vk_name);
	w->stages.end = w->j.text.count;
}

/* The access that the declaration permits, not what the code does. */
static const char *access_of(const struct spb_variable *v)
{
	if (!v->writable)
		return "read";
	return v->readable ? "readwrite" : "write";
}

/* The variables of one parameter, module by module. */
static void write_views_of(struct writer *w, uint32_t parameter)
{
	struct spb_json *j = &w->j;
	const struct spb_layout *layout = &w->p->layout;
	const struct spb_parameter *q = &layout->parameters.items[parameter];

	for (uint32_t i = layout->first_view[parameter]; i < layout->first_view[parameter + 1]; i++) {
		const struct spb_unit *u = &w->p->slots.items[layout->views[i].module]->unit;
		const struct spb_variable *v = &u->placed.variables.items[layout->views[i].variable];
		spb_json_item(j, '{');
		module_key(w, u->m.name);
		spb_json_number_key(j, "id", v->id);
		name_key(w, v->key);
		if (*v->extra->path)
			spb_json_string_key(j, "path", v->extra->path + 1);
		if (v->extra->origin)
			spb_json_number_key(j, "origin", v->extra->origin);
		spb_json_count_key(j, v->count);
		if (v->extra->count_spec)
			spb_json_numbers_key(j, "countSpecIds", v->extra->count_spec->ids, v->extra->count_spec->count);
		stages_key(w, v->stages | v->listed);
		spb_json_word_key(j, "access", access_of(v));
		if (v->extra->attachment_index != UINT32_MAX)
			spb_json_number_key(j, "inputAttachmentIndex", v->extra->attachment_index);
		type_key(w, v, layout->views[i].module);
		const char *overlap = spb_overlap_of(&w->p->layout, q);
		if (overlap)
			spb_json_string_key(j, "overlap", overlap);
		spb_json_close(j, '}', true);
	}
}

static void write_views(struct writer *w, const uint32_t *parameters, size_t count)
{
	spb_json_open_key(&w->j, "views", '[');
	for (size_t i = 0; i < count; i++)
		write_views_of(w, parameters[i]);
	spb_json_close(&w->j, ']', true);
}

/* The host makes a binding with heaps of several kinds mutable, with these types (VK_EXT_mutable_descriptor_type). */
static void descriptor_type_keys(struct spb_json *j, const struct spb_program *p, const struct spb_entry *e)
{
	const uint32_t mask = spb_entry_resource_mask(p, e);

	spb_json_word_key(j, "descriptorType", spb_vk_type_name(e->vk_type));
	if (e->vk_type == SPB_VK_MUTABLE)
		spb_json_bits_key(j, "mutableTypes", e->types, SPB_DESCRIPTOR_COUNT, spb_descriptor_vk_name);
	if (mask)
		spb_json_bits_key(j, "resourceMask", mask, SPB_RESOURCE_MASK_BITS, spb_resource_mask_name);
}

/* The ids of the specialization constants that the length of any view depends on, ascending. */
static void spec_ids_key(struct writer *w, const uint32_t *parameters, size_t count)
{
	const struct spb_layout *layout = &w->p->layout;
	SPB_LIST(uint32_t) ids = {0};
	size_t distinct = 0;

	for (size_t i = 0; i < count; i++) {
		for (uint32_t k = layout->first_view[parameters[i]]; k < layout->first_view[parameters[i] + 1]; k++) {
			const struct spb_unit *u = &w->p->slots.items[layout->views[k].module]->unit;
			const struct spb_count_spec *spec =
			    u->placed.variables.items[layout->views[k].variable].extra->count_spec;
			for (uint32_t n = 0; spec && n < spec->count; n++)
				SPB_PUSH(&w->p->context->scratch, &ids, spec->ids[n]);
		}
	}
	if (!ids.count)
		return;
	spb_sort(&w->p->context->scratch, ids.items, ids.count, sizeof *ids.items, by_number);
	for (size_t i = 0; i < ids.count; i++) {
		if (!i || ids.items[i] != ids.items[i - 1])
			ids.items[distinct++] = ids.items[i];
	}
	spb_json_numbers_key(&w->j, "countSpecIds", ids.items, distinct);
}

static void write_entry(struct writer *w, const struct spb_entry *e)
{
	struct spb_json *j = &w->j;
	const uint32_t *parameters = w->p->layout.sorted + e->first;
	size_t count = spb_entry_end(e) - e->first;
	const struct spb_parameter *q = &w->p->layout.parameters.items[parameters[0]];
	const struct spb_variable *v = q->variable;
	const char *overlap = spb_overlap_of(&w->p->layout, q);
	bool used = false, fixed = false;

	for (size_t i = 0; i < count; i++) {
		const struct spb_parameter *other = &w->p->layout.parameters.items[parameters[i]];
		used |= other->used;
		fixed |= other->place == SPB_PLACE_FIXED;
	}
	spb_json_item(j, '{');
	spb_json_number_key(j, "binding", q->binding);
	spb_json_count_key(j, e->count);
	range_key(j, q->has_register ? q->number : q->binding,
		  e->vk_type == SPB_VK_INLINE_UNIFORM_BLOCK ? 1 : e->count);
	if (q->has_register) {
		spb_json_number_key(j, "register", q->number);
		spb_json_number_key(j, "space", q->set);
	}
	if (v->extra->count_spec && v->extra->count_spec->id != UINT32_MAX)
		spb_json_number_key(j, "countSpecId", v->extra->count_spec->id);
	spec_ids_key(w, parameters, count);
	descriptor_type_keys(j, w->p, e);
	if (e->immutable)
		spb_json_bool_key(j, "immutableSamplers", true);
	stages_key(w, e->uses);
	name_key(w, v->key);
	if (*v->extra->path)
		spb_json_string_key(j, "path", v->extra->path + 1);
	spb_json_word_key(j, "class", spb_class_name(q->class));
	spb_json_bool_key(j, "explicit", fixed);
	spb_json_bool_key(j, "used", used);
	spb_json_string_key(j, "why", q->why);
	if (overlap) /* sorted before the one it shares with */
		spb_json_string_key(j, "overlap", overlap);
	type_key(w, v, q->module);
	write_views(w, parameters, count);
	spb_json_bool_key(j, "nonUniform", e->non_uniform);
	spb_json_bits_key(j, "flags", e->flags, SPB_FLAG_COUNT, spb_flag_vk_name);
	spb_json_close(j, '}', true);
}

static void write_sets(struct writer *w)
{
	struct spb_json *j = &w->j;
	const struct spb_entry *entries = w->p->layout.entries.items;
	size_t n = w->p->layout.entries.count;

	spb_json_open_key(j, "sets", '[');
	for (size_t i = 0; i < n;) {
		uint32_t set = entries[i].set;
		spb_json_item(j, '{');
		spb_json_number_key(j, "set", set);
		if (entries[i].set_flags)
			spb_json_bits_key(j, "flags", entries[i].set_flags, SPB_SET_FLAG_COUNT, spb_set_flag_vk_name);
		spb_json_open_key(j, "bindings", '[');
		while (i < n && entries[i].set == set)
			write_entry(w, &entries[i++]);
		spb_json_close(j, ']', true);
		spb_json_close(j, '}', true);
	}
	spb_json_close(j, ']', true);
}

/* Unused resources that were removed from the modules. */
static void write_removed(struct writer *w)
{
	struct spb_json *j = &w->j;
	bool any = false;

	for (size_t i = 0; i < w->p->layout.parameters.count; i++) {
		const struct spb_parameter *q = &w->p->layout.parameters.items[i];
		if (q->place != SPB_PLACE_REMOVED || q->dropped)
			continue;
		if (!any) {
			spb_json_open_key(j, "removed", '[');
		}
		any = true;
		spb_json_comma(j);
		spb_json_line(j);
		spb_json_string(j, q->variable->key);
	}
	if (any)
		spb_json_close(j, ']', true);
}

/* Numbers of declarations without a variable in any module. Descriptor set layouts have no binding there. */
static void write_reserved(struct writer *w)
{
	struct spb_json *j = &w->j;
	bool any = false;

	for (size_t i = 0; i < w->p->layout.parameters.count; i++) {
		const struct spb_parameter *q = &w->p->layout.parameters.items[i];
		const struct spb_declaration *d = q->variable->extra->declaration;
		if (!q->dropped || q->place == SPB_PLACE_REMOVED || q->place == SPB_PLACE_FIXED)
			continue;
		if (!any)
			spb_json_open_key(j, "reserved", '[');
		any = true;
		spb_json_item(j, '{');
		spb_json_number_key(j, "set", q->set);
		spb_json_number_key(j, "binding", q->binding);
		spb_json_count_key(j, q->count);
		name_key(w, q->variable->key);
		spb_json_word_key(j, "class", spb_class_name(q->class));
		spb_json_string_key(j, "file", d->file);
		spb_json_number_key(j, "line", d->line);
		spb_json_string_key(j, "why", q->why);
		spb_json_close(j, '}', true);
	}
	if (any)
		spb_json_close(j, ']', true);
}

static void write_heaps(struct writer *w)
{
	struct spb_json *j = &w->j;
	const struct spb_layout *layout = &w->p->layout;

	spb_json_open_key(j, "heaps", '[');
	spb_json_builtin_heaps(j, w->p);
	for (size_t i = 0; i < layout->entries.count; i++) {
		const struct spb_entry *e = &layout->entries.items[i];
		uint32_t written = 0; /* bits: kinds */
		for (uint32_t k = e->first; k < spb_entry_end(e); k++) {
			const struct spb_parameter *q = &layout->parameters.items[layout->sorted[k]];
			if (!q->variable->heap || written >> q->variable->heap_kind & 1)
				continue;
			written |= 1u << q->variable->heap_kind;
			spb_json_item(j, '{');
			spb_json_word_key(j, "kind", spb_heap_info(q->variable->heap_kind)->name);
			spb_json_number_key(j, "set", q->set);
			spb_json_number_key(j, "binding", q->binding);
			spb_json_word_key(j, "descriptorType", spb_descriptor_info(q->variable->kind)->vk_name);
			spb_json_count_key(j, q->count);
			spb_json_close(j, '}', true);
		}
	}
	spb_json_close(j, ']', true);
}

static void write_added(struct writer *w, size_t module)
{
	struct spb_json *j = &w->j;
	const struct spb_added added = spb_find_added(w->p, module, &w->p->context->scratch);

	if (!added.count)
		return;
	spb_json_open_key(j, "added", '[');
	for (size_t i = 0; i < added.count; i++) {
		spb_json_item(j, '{');
		spb_json_word_key(j, "capability", added.items[i].name);
		if (*added.items[i].feature)
			spb_json_word_key(j, "feature", added.items[i].feature);
		spb_json_close(j, '}', true);
	}
	spb_json_close(j, ']', true);
}

static void write_requires(struct writer *w, size_t module)
{
	struct spb_json *j = &w->j;
	const struct spb_module *m = &w->p->slots.items[module]->unit.m;
	struct spb_feature_names capabilities = {0}, extensions = {0}, vulkan = {0};

	SPB_SIZE(&w->p->context->scratch, &capabilities,
		 (m->section[SPB_SECTION_EXTENSION] - m->section[SPB_SECTION_CAPABILITY]) / 2);
	for (spb_at at = 5; at < m->section[SPB_SECTION_IMPORT]; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpExtension)
			spb_add_feature(w->p, &extensions, spb_string(m, at + 1));
		else if (spb_capability(m, at) != UINT32_MAX)
			spb_add_feature(w->p, &capabilities, spb_capability_name(spb_capability(m, at)));
	}
	spb_list_features(w->p, module, false, &vulkan);
	spb_json_open_key(j, "requires", '{');
	spb_json_word_list(j, "capabilities", capabilities.items, capabilities.count);
	spb_json_name_list(j, "extensions", extensions.items, extensions.count);
	spb_json_word_list(j, "vulkanFeatures", vulkan.items, vulkan.count);
	write_added(w, module);
	spb_json_close(j, '}', true);
}

/* Assertions that count at run time, in the order of the members of the buffer. */
static void write_assertions(struct spb_json *j, const struct spb_unit *u)
{
	if (!u->nonuniform.counters.count)
		return;
	spb_json_open_key(j, "assertions", '[');
	for (size_t i = 0; i < u->nonuniform.counters.count; i++) {
		const struct spb_counter *c = &u->nonuniform.counters.items[i];
		spb_json_comma(j);
		spb_json_open(j, '{');
		spb_json_number_key(j, "variable", u->nonuniform.counter_buffer);
		spb_json_number_key(j, "offset", 4 * (uint32_t)i);
		spb_json_word_key(j, "scope", c->of_subgroup ? "subgroup" : "workgroup");
		if (*c->file)
			spb_json_string_key(j, "file", c->file);
		if (c->line)
			spb_json_number_key(j, "line", c->line);
		spb_json_close(j, '}', false);
	}
	spb_json_close(j, ']', false);
}

static void write_entry_point(struct spb_json *j, const spb_entry_point *e)
{
	const uint32_t *ids = e->workgroup_size_ids;

	spb_json_item(j, '{');
	spb_json_string_key(j, "name", e->name);
	spb_json_word_key(j, "stage", spb_vk_stage_name(e->stage));
	if (e->workgroup_size[0])
		spb_json_numbers_key(j, "workgroupSize", e->workgroup_size, 3);
	if (ids[0] != UINT32_MAX || ids[1] != UINT32_MAX || ids[2] != UINT32_MAX) {
		spb_json_open_key(j, "workgroupSizeIds", '[');
		for (uint32_t i = 0; i < 3; i++)
			spb_text_format(&j->text, ids[i] == UINT32_MAX ? "%snull" : "%s%u", i ? ", " : "", ids[i]);
		spb_json_close(j, ']', false);
	}
	spb_json_close(j, '}', true);
}

/* A number, or its bits as a text: of an infinity, for instance. */
static void default_key(struct spb_json *j, const spb_specialization_constant *c)
{
	spb_json_key(j, "default");
	if (c->type == SPB_CONSTANT_BOOL) {
		spb_text_put(&j->text, c->value ? "true" : "false");
	} else if (!spb_put_constant(&j->text, c)) {
		spb_text_put(&j->text, "\"0x");
		for (uint32_t bit = 8 * c->size; bit; bit -= 4)
			spb_text_byte(&j->text, "0123456789abcdef"[c->value >> (bit - 4) & 15]);
		spb_text_byte(&j->text, '"');
	}
}

/* An object of an array in one line. Returns the row for close_line. */
static unsigned open_line(struct spb_json *j)
{
	spb_json_item(j, '{');
	const unsigned row = j->row;
	j->row = SPB_JSON_ONE_LINE | (row & 1);
	return row;
}

static void close_line(struct spb_json *j, unsigned row)
{
	j->row = row & ~1u;
	spb_text_byte(&j->text, ' ');
	spb_json_close(j, '}', false);
}

static void write_constants(struct writer *w, size_t module, size_t *next)
{
	static const char *const types[] = {"bool", "int", "uint", "float"};
	struct spb_json *j = &w->j;

	spb_json_open_key(j, "specializationConstants", '[');
	for (; *next < w->p->results.constants.count; ++*next) {
		const spb_specialization_constant *c = &w->p->results.constants.items[*next];
		if (c->module != module)
			break;
		const unsigned row = open_line(j);
		spb_json_number_key(j, "id", c->id);
		spb_json_string_key(j, "name", c->name);
		spb_json_word_key(j, "type", types[c->type]);
		spb_json_number_key(j, "size", c->size);
		default_key(j, c);
		close_line(j, row);
	}
	spb_json_close(j, ']', true);
}

static void write_vertex_inputs(struct writer *w, size_t module, size_t *next)
{
	struct spb_json *j = &w->j;

	spb_json_open_key(j, "vertexInputs", '[');
	for (; *next < w->p->results.vertex_inputs.count; ++*next) {
		const spb_vertex_input *input = &w->p->results.vertex_inputs.items[*next];
		if (input->module != module)
			break;
		const unsigned row = open_line(j);
		spb_json_number_key(j, "location", input->location);
		spb_json_string_key(j, "name", input->name);
		if (input->element)
			spb_json_number_key(j, "element", input->element);
		spb_json_key(j, "format");
		spb_text_byte(&j->text, '"');
		spb_put_vertex_format(&j->text, input);
		spb_text_byte(&j->text, '"');
		close_line(j, row);
	}
	spb_json_close(j, ']', true);
}

static void write_modules(struct writer *w)
{
	static const char *const verdicts[] = {"not validated",   "validated", "validated with shim",
					       "not validatable", "not valid", ""};
	struct spb_json *j = &w->j;
	const struct spb_results *r = &w->p->results;
	size_t entry_point = 0, constant = 0, input = 0;

	spb_list_interfaces(w->p);
	spb_json_open_key(j, "modules", '[');
	for (size_t i = 0; i < w->p->slots.count; i++) {
		const struct spb_slot *slot = w->p->slots.items[i];
		spb_json_item(j, '{');
		spb_json_string_key(j, "file", spb_base_name(slot->unit.m.name));
		spb_json_open_key(j, "entryPoints", '[');
		for (; entry_point < r->entry_points.count && r->entry_points.items[entry_point].module == i;
		     entry_point++)
			write_entry_point(j, &r->entry_points.items[entry_point]);
		spb_json_close(j, ']', true);
		if (constant < r->constants.count && r->constants.items[constant].module == i)
			write_constants(w, i, &constant);
		if (input < r->vertex_inputs.count && r->vertex_inputs.items[input].module == i)
			write_vertex_inputs(w, i, &input);
		write_assertions(j, &slot->unit);
		spb_json_handle_checks_key(j, &slot->unit);
		spb_json_blocks_keys(j, w->p, i);
		spb_json_word_key(j, "validated", verdicts[slot->verdict]);
		write_requires(w, i);
		spb_json_close(j, '}', true);
	}
	spb_json_close(j, ']', true);
}

static void write_steps(struct spb_json *j, const char *key, const struct spb_why *steps, uint32_t count)
{
	spb_json_open_key(j, key, '[');
	for (uint32_t i = 0; i < count; i++) {
		const struct spb_why *why = &steps[i];
		spb_json_comma(j);
		spb_json_open(j, '{');
		spb_json_string_key(j, "text", why->text);
		if (why->id)
			spb_json_number_key(j, "id", why->id);
		if (*why->name)
			spb_json_string_key(j, "name", why->name);
		if (*why->file)
			spb_json_string_key(j, "file", why->file);
		if (why->line)
			spb_json_number_key(j, "line", why->line);
		spb_json_close(j, '}', false);
	}
	spb_json_close(j, ']', false);
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
	if (k->by_author)
		spb_json_bool_key(j, "markedByAuthor", true);
	write_steps(j, "why", k->why, k->why_count);
	if (k->why_subgroup_count)
		write_steps(j, "whySubgroup", k->why_subgroup, k->why_subgroup_count);
}

static void write_access(struct writer *w, const spb_descriptor_access *access, const struct spb_listed *listed)
{
	const struct spb_access *a = &listed->access;
	const struct spb_slot *slot = w->p->slots.items[access->module];
	struct spb_json *j = &w->j;
	const struct spb_module *m = &slot->unit.m;
	const struct spb_variable *v = &slot->unit.placed.variables.items[a->variable];
	const struct spb_parameter *q = &w->p->layout.parameters.items[v->parameter];
	const struct spb_function *f = spb_function_around(m, a->at);

	spb_json_item(j, '{');
	spb_json_string_key(j, "module", spb_base_name(m->name));
	spb_json_string_key(j, "function", f ? spb_id_name(m, m->words[f->at + 2]) : "");
	spb_json_word_key(j, "op", spb_op_name(spb_op(m, a->at)));
	spb_json_string_key(j, "name", v->key);
	spb_json_number_key(j, "set", q->set);
	spb_json_number_key(j, "binding", q->binding);
	range_key(j, q->has_register ? q->number : q->binding, q->count);
	spb_json_index_keys(j, access);
	spb_json_bool_key(j, "reads", (listed->effects & SPB_EFFECT_READS) != 0);
	spb_json_bool_key(j, "writes", (listed->effects & SPB_EFFECT_WRITES) != 0);
	const char *file = spb_file_of(m, a->file);
	if (a->line && file) {
		spb_json_string_key(j, "file", file);
		spb_json_number_key(j, "line", a->line);
	}
	if (listed->judgement)
		write_judgement(j, listed->judgement);
	spb_json_close(j, '}', true);
}

static void write_accesses(struct writer *w)
{
	struct spb_json *j = &w->j;

	spb_json_open_key(j, "accesses", '[');
	if (!w->p->results.accesses_listed)
		spb_list_accesses(w->p);
	for (size_t i = 0; i < w->p->results.listed.count; i++)
		write_access(w, &w->p->results.accesses.items[i], &w->p->results.listed.items[i]);
	spb_json_close(j, ']', true);
	spb_json_heap_accesses(j, w->p);
}

static void write_push_constants(struct writer *w)
{
	struct spb_json *j = &w->j;

	spb_list_push_constants(w->p);
	spb_json_open_key(j, "pushConstants", '[');
	for (size_t i = 0; i < w->p->results.push_constants.count; i++) {
		const spb_push_constant_range *range = &w->p->results.push_constants.items[i];
		spb_json_item(j, '{');
		spb_json_string_key(j, "name", range->name);
		spb_json_number_key(j, "offset", range->offset);
		spb_json_number_key(j, "size", range->size);
		stages_key(w, spb_stages_of_flags(range->stages));
		spb_json_close(j, '}', true);
	}
	spb_json_close(j, ']', true);
}

static void find_ordered(struct writer *w, struct spb_slot *slot)
{
	const uint32_t *ordered = spb_find_ordered(&slot->unit.m, &w->p->context->scratch);

	for (size_t i = 0; i < slot->unit.placed.variables.count; i++) {
		struct spb_variable *v = &slot->unit.placed.variables.items[i];
		v->ordered = ordered && v->writable && spb_bit(ordered, v->id);
	}
}

/* Enough room for most layouts, so that the text need not be moved. */
enum { HEAD_BYTES = 1024, ENTRY_BYTES = 768 };

const char *spb_write_layout_json(struct spb_program *p, size_t *length)
{
	struct writer w = {.p = p, .j = {.text = {.arena = &p->keep}}};
	struct spb_json *j = &w.j;

	for (size_t i = 0; i < p->slots.count; i++) {
		struct spb_module *m = &p->slots.items[i]->unit.m;
		spb_module_need_index(m);
		find_ordered(&w, p->slots.items[i]);
	}
	(void)spb_text_room(&j->text, HEAD_BYTES + p->layout.entries.count * ENTRY_BYTES);
	spb_json_open(j, '{');
	spb_json_word_key(j, "schema", "spirv-bind/layout/2");
	spb_json_word_key(j, "rules", w.p->layout.hlsl ? "hlsl" : "slang");
	write_sets(&w);
	write_removed(&w);
	write_reserved(&w);
	write_heaps(&w);
	write_push_constants(&w);
	write_modules(&w);
	if (p->options.explain)
		write_accesses(&w);
	spb_json_close(j, '}', true);
	spb_text_add(&j->text, "\n", 1);
	*length = j->text.count;
	return spb_text_end(&j->text);
}
