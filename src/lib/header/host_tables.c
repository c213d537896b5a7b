/* SPDX-License-Identifier: Apache-2.0 */
/* host_tables: entry points, specialization constants and vertex inputs as C.
 *
 * A program has one struct of constants and one vertex, unless its modules differ in what a SpecId means, or several of
 * them have a vertex shader: then there is one for each module. */
#include "analysis/resources/resources.h"
#include "lib/header/header.h"

bool spb_put_constant(struct spb_text_buffer *text, const spb_specialization_constant *c)
{
	const uint32_t bits = 8 * c->size, word = (uint32_t)c->value;
	float single;
	double real;

	if (c->type == SPB_CONSTANT_FLOAT && c->size == 4) {
		memcpy(&single, &word, 4);
		return spb_text_real(text, (double)single, true);
	}
	if (c->type == SPB_CONSTANT_FLOAT && c->size == 8) {
		memcpy(&real, &c->value, 8);
		return spb_text_real(text, real, false);
	}
	if (c->type == SPB_CONSTANT_FLOAT)
		return false;
	if (c->type == SPB_CONSTANT_INT && c->value >> (bits - 1)) {
		spb_text_byte(text, '-');
		spb_text_number(text, (UINT64_MAX >> (64 - bits)) - c->value + 1);
	} else {
		spb_text_number(text, c->value);
	}
	return true;
}

const char *spb_vk_stage_name(uint32_t stage)
{
	for (uint32_t i = 0; i < SPB_STAGE_COUNT; i++) {
		if (spb_stages_of_flags(stage) == 1u << i)
			return spb_stage_vk_name(i);
	}
	return "VK_SHADER_STAGE_ALL";
}

void spb_put_vertex_format(struct spb_text_buffer *text, const spb_vertex_input *input)
{
	const uint32_t bits = input->size / input->components * 8;

	spb_text_put(text, "VK_FORMAT_");
	for (uint32_t i = 0; i < input->components; i++)
		spb_text_format(text, "%c%u", "RGBA"[i], bits);
	spb_text_put(text, input->type == SPB_CONSTANT_FLOAT ? "_SFLOAT"
			   : input->type == SPB_CONSTANT_INT ? "_SINT"
							     : "_UINT");
}

/* Text of C */

static void put_string(struct spb_text_buffer *text, const char *string)
{
	spb_text_byte(text, '"');
	for (const char *c = string; *c; c++) {
		const unsigned char byte = (unsigned char)*c;
		if (spb_c_is_word(*c) || *c == '_' || *c == '.' || *c == ':')
			spb_text_byte(text, *c);
		else
			spb_text_format(text, "\\%u%u%u", byte >> 6, byte >> 3 & 7, byte & 7);
	}
	spb_text_byte(text, '"');
}

static const char *type_name(spb_constant_type type, uint32_t size)
{
	static const char *const names[][2] = {[1] = {"uint8_t", "int8_t"},
					       [2] = {"uint16_t", "int16_t"},
					       [4] = {"uint32_t", "int32_t"},
					       [8] = {"uint64_t", "int64_t"}};

	if (type == SPB_CONSTANT_FLOAT && size > 2)
		return size == 4 ? "float" : "double";
	return names[size][type == SPB_CONSTANT_INT];
}

/* A float or double without a short form in decimals: its significand times powers of two, each of which is exact. */
static void put_product(struct spb_text_buffer *text, const spb_specialization_constant *c)
{
	const uint32_t bits = c->size == 4 ? 23 : 52;
	const uint64_t fraction = c->value & ((UINT64_C(1) << bits) - 1),
		       top = (UINT64_C(1) << (8 * c->size - 2 - bits)) - 1;
	const uint64_t field = c->value >> bits & (2 * top + 1);
	const char *suffix = c->size == 4 ? ".0f" : ".0";
	int exponent = (int)(field ? field : 1) - (int)top - (int)bits;

	spb_text_put(text, c->value >> (8 * c->size - 1) ? "-(" : "(");
	if (field == 2 * top + 1) { /* an infinity, or no number */
		spb_text_format(text, "%u%s / 0%s)", fraction ? 0u : 1u, suffix, suffix);
		return;
	}
	spb_text_number(text, field ? fraction | UINT64_C(1) << bits : fraction);
	spb_text_put(text, suffix);
	for (; exponent;
	     exponent -= exponent > 0 ? (exponent > 62 ? 62 : exponent) : (exponent < -62 ? -62 : exponent)) {
		const int step = exponent > 0 ? exponent : -exponent;
		spb_text_put(text, exponent > 0 ? " * " : " / ");
		spb_text_number(text, UINT64_C(1) << (step > 62 ? 62 : step));
		spb_text_put(text, suffix);
	}
	spb_text_byte(text, ')');
}

static void put_value(struct spb_text_buffer *text, const spb_specialization_constant *c)
{
	if (c->type == SPB_CONSTANT_INT && c->value == UINT64_C(1) << (8 * c->size - 1) && c->size == 8) {
		spb_text_put(text, "INT64_MIN");
	} else if (c->type == SPB_CONSTANT_FLOAT && c->size == 2) {
		spb_text_format(text, "%uu", (uint32_t)c->value);
	} else if (!spb_put_constant(text, c)) {
		put_product(text, c);
	} else if (c->type != SPB_CONSTANT_INT) {
		spb_text_put(text, c->type == SPB_CONSTANT_FLOAT ? (c->size == 4 ? "f" : "") : "u");
	}
}

/* Entry points */

/* That of the module, and of the entry point, if it has several. */
static const char **name_entry_points(const struct spb_host_lists *l)
{
	const char **names = spb_alloc_array(l->scratch, l->entry_point_count, sizeof *names);
	const spb_entry_point *e = l->entry_points;

	for (size_t i = 0; i < l->entry_point_count; i++) {
		struct spb_text_buffer text = {.arena = l->scratch};
		spb_text_put(&text, l->module_names[e[i].module]);
		if ((i && e[i - 1].module == e[i].module) ||
		    (i + 1 < l->entry_point_count && e[i + 1].module == e[i].module))
			spb_text_format(&text, "_%s", spb_c_identifier(l->scratch, e[i].name));
		names[i] = spb_text_end(&text);
	}
	spb_c_distinct(l->scratch, names, l->entry_point_count);
	return names;
}

static void put_workgroup_sizes(const struct spb_host_lists *l, struct spb_text_buffer *text)
{
	const char **names = name_entry_points(l);

	for (size_t i = 0; i < l->entry_point_count; i++) {
		const spb_entry_point *e = &l->entry_points[i];
		spb_text_format(text, "#define %s_%s_stage %uu /* in %s_stages */\n", l->prefix, names[i], (uint32_t)i,
				l->prefix);
		for (uint32_t k = 0; k < 3 && e->workgroup_size[0]; k++)
			spb_text_format(
			    text,
			    e->workgroup_size_ids[k] == UINT32_MAX
				? "#define %s_%s_workgroup_size_%c %uu\n"
				: "#define %s_%s_workgroup_size_%c %uu /* unless constant %u has a value */\n",
			    l->prefix, names[i], "xyz"[k], e -> workgroup_size[k], e -> workgroup_size_ids[k]);
	}
}

static void put_stages(const struct spb_host_lists *l, struct spb_text_buffer *text)
{
	if (!l->entry_point_count)
		return;
	spb_text_format(text,
			"\nstatic const VkPipelineShaderStageCreateInfo %s_stages[] = { /* without their modules */\n",
			l->prefix);
	for (size_t i = 0; i < l->entry_point_count; i++) {
		const spb_entry_point *e = &l->entry_points[i];
		spb_text_format(text,
				"\t{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, NULL, 0, %s, VK_NULL_HANDLE, ",
				spb_vk_stage_name(e->stage));
		put_string(text, e->name);
		spb_text_put(text, ", NULL},\n");
	}
	spb_text_put(text, "};\n");
}

/* Specialization constants */

struct constants {                   /* a struct of them */
	const char *prefix, *module; /* module: "vert_"; "": of all */
	const spb_specialization_constant *items;
	size_t count;
	const char **names;
};

static void put_constants_data(const struct constants *s, struct spb_text_buffer *text)
{
	for (size_t i = 0; i < s->count; i++)
		spb_text_format(text, "#define %s_%s%s_id %uu\n", s->prefix, s->module, s->names[i], s->items[i].id);
	spb_text_format(text, "struct %s_%sconstants {\n", s->prefix, s->module);
	for (size_t i = 0; i < s->count; i++)
		spb_text_format(text, "\t%s %s;%s\n", type_name(s->items[i].type, s->items[i].size), s->names[i],
				s->items[i].type == SPB_CONSTANT_BOOL ? " /* a VkBool32 */" : "");
	spb_text_put(text, "};\n");
}

static void put_constants_tables(const struct constants *s, struct spb_text_buffer *text)
{
	spb_text_format(text, "\nstatic const struct %s_%sconstants %s_%sdefault_constants = {\n", s->prefix, s->module,
			s->prefix, s->module);
	for (size_t i = 0; i < s->count; i++) {
		spb_text_byte(text, '\t');
		put_value(text, &s->items[i]);
		spb_text_format(text, ", /* %s */\n", s->names[i]);
	}
	spb_text_format(text, "};\nstatic const VkSpecializationMapEntry %s_%sconstant_entries[] = {\n", s->prefix,
			s->module);
	for (size_t i = 0; i < s->count; i++)
		spb_text_format(text, "\t{%s_%s%s_id, offsetof(struct %s_%sconstants, %s), sizeof(%s)},\n", s->prefix,
				s->module, s->names[i], s->prefix, s->module, s->names[i],
				type_name(s->items[i].type, s->items[i].size));
	spb_text_format(text,
			"};\nstatic const VkSpecializationInfo %s_%sspecialization = { /* with the defaults */\n"
			"\t%u, %s_%sconstant_entries, sizeof(struct %s_%sconstants),\n"
			"\t&%s_%sdefault_constants};\n",
			s->prefix, s->module, (uint32_t)s->count, s->prefix, s->module, s->prefix, s->module, s->prefix,
			s->module);
}

static int by_spec_id(const void *a, const void *b)
{
	return spb_compare(((const spb_specialization_constant *)a)->id, ((const spb_specialization_constant *)b)->id);
}

static bool is_same(const spb_specialization_constant *a, const spb_specialization_constant *b)
{
	return !strcmp(a->name, b->name) && a->type == b->type && a->size == b->size && a->value == b->value;
}

/* The constants of all modules, each once. False: a SpecId means several things. */
static bool merge_constants(const struct spb_host_lists *l, struct constants *all)
{
	spb_specialization_constant *items = spb_alloc_array(l->scratch, l->constant_count, sizeof *items);
	size_t count = 0;

	memcpy(items, l->constants, l->constant_count * sizeof *items);
	spb_sort(l->scratch, items, l->constant_count, sizeof *items, by_spec_id);
	for (size_t i = 0; i < l->constant_count; i++) {
		if (!i || items[i].id != items[i - 1].id)
			items[count++] = items[i];
		else if (!is_same(&items[i], &items[count - 1]))
			return false;
	}
	*all = (struct constants){l->prefix, "", items, count, NULL};
	return true;
}

static const char *module_part(const struct spb_host_lists *l, uint32_t module)
{
	struct spb_text_buffer text = {.arena = l->scratch};

	spb_text_format(&text, "%s_", l->module_names[module]);
	return spb_text_end(&text);
}

static void put_constants_of(const struct spb_host_lists *l, struct constants s, struct spb_text_buffer *text,
			     void (*put)(const struct constants *, struct spb_text_buffer *))
{
	s.names = spb_alloc_array(l->scratch, s.count, sizeof *s.names);
	for (size_t i = 0; i < s.count; i++) {
		struct spb_text_buffer name = {.arena = l->scratch};
		spb_text_format(&name, "constant_%u", s.items[i].id);
		s.names[i] = *s.items[i].name ? s.items[i].name : spb_text_end(&name);
	}
	spb_c_members(l->scratch, s.names, s.count);
	put(&s, text);
}

static void put_constants(const struct spb_host_lists *l, struct spb_text_buffer *text,
			  void (*put)(const struct constants *, struct spb_text_buffer *))
{
	struct constants all;
	size_t end;

	if (!l->constant_count)
		return;
	if (merge_constants(l, &all)) {
		put_constants_of(l, all, text, put);
		return;
	}
	for (size_t i = 0; i < l->constant_count; i = end) {
		for (end = i + 1; end < l->constant_count && l->constants[end].module == l->constants[i].module;)
			end++;
		put_constants_of(l,
				 (struct constants){l->prefix, module_part(l, l->constants[i].module), l->constants + i,
						    end - i, NULL},
				 text, put);
	}
}

/* Vertex inputs */

struct field { /* of a vertex: the locations of a variable */
	const char *name;
	const spb_vertex_input *first;
	uint32_t count;
};

struct vertex {
	const char *prefix, *module;
	const struct field *fields;
	size_t count;
};

static void put_vertex_data(const struct vertex *v, struct spb_text_buffer *text)
{
	for (size_t i = 0; i < v->count; i++)
		spb_text_format(text, "#define %s_%s%s_location %uu\n", v->prefix, v->module, v->fields[i].name,
				v->fields[i].first->location);
	spb_text_format(text, "struct %s_%svertex { /* with the types that the shader reads */\n", v->prefix,
			v->module);
	for (size_t i = 0; i < v->count; i++) {
		const struct field *f = &v->fields[i];
		spb_text_format(text, "\t%s %s", type_name(f->first->type, f->first->size / f->first->components),
				f->name);
		if (f->count > 1)
			spb_text_format(text, "[%u]", f->count);
		if (f->first->components > 1)
			spb_text_format(text, "[%u]", f->first->components);
		spb_text_put(text, ";\n");
	}
	spb_text_put(text, "};\n");
}

static void put_vertex_tables(const struct vertex *v, struct spb_text_buffer *text)
{
	uint32_t attributes = 0;

	spb_text_format(text,
			"\nstatic const VkVertexInputBindingDescription %s_%svertex_bindings[] = {\n"
			"\t{0, sizeof(struct %s_%svertex), VK_VERTEX_INPUT_RATE_VERTEX},\n};\n"
			"static const VkVertexInputAttributeDescription %s_%svertex_attributes[] = {\n",
			v->prefix, v->module, v->prefix, v->module, v->prefix, v->module);
	for (size_t i = 0; i < v->count; i++) {
		const struct field *f = &v->fields[i];
		attributes += f->count;
		for (uint32_t k = 0; k < f->count; k++) {
			spb_text_format(text, "\t{%u, 0, ", f->first[k].location);
			spb_put_vertex_format(text, &f->first[k]);
			spb_text_format(text,
					k ? ", offsetof(struct %s_%svertex, %s) + %u},\n"
					  : ", offsetof(struct %s_%svertex, %s)},\n",
					v->prefix, v->module, f->name, k * f->first->size);
		}
	}
	spb_text_format(
	    text,
	    "};\nstatic const VkPipelineVertexInputStateCreateInfo %s_%svertex_input = {\n"
	    "\tVK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, NULL, 0, 1, %s_%svertex_bindings,\n"
	    "\t%u, %s_%svertex_attributes};\n",
	    v->prefix, v->module, v->prefix, v->module, attributes, v->prefix, v->module);
}

static size_t field_end(const spb_vertex_input *items, size_t i, size_t count)
{
	size_t end = i + 1;

	while (end < count && items[end].name == items[i].name && items[end].format == items[i].format &&
	       items[end].element == items[end - 1].element + 1)
		end++;
	return end;
}

static void put_vertex(const struct spb_host_lists *l, const char *module, const spb_vertex_input *items, size_t count,
		       struct spb_text_buffer *text, void (*put)(const struct vertex *, struct spb_text_buffer *))
{
	struct field *fields = spb_alloc_array(l->scratch, count, sizeof *fields);
	const char **names = spb_alloc_array(l->scratch, count, sizeof *names);
	size_t n = 0;

	for (size_t i = 0, end; i < count; i = end) {
		end = field_end(items, i, count);
		names[n] = items[i].name;
		fields[n++] = (struct field){NULL, &items[i], (uint32_t)(end - i)};
	}
	spb_c_members(l->scratch, names, n);
	for (size_t i = 0; i < n; i++)
		fields[i].name = names[i];
	put(&(struct vertex){l->prefix, module, fields, n}, text);
}

static void put_vertices(const struct spb_host_lists *l, struct spb_text_buffer *text,
			 void (*put)(const struct vertex *, struct spb_text_buffer *))
{
	const spb_vertex_input *items = l->vertex_inputs;
	const size_t count = l->vertex_input_count;
	const bool many = count && items[0].module != items[count - 1].module;

	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && items[end].module == items[i].module;)
			end++;
		put_vertex(l, many ? module_part(l, items[i].module) : "", items + i, end - i, text, put);
	}
}

/* Features: a function that sets them in the structs of the host, of which it may have one for each version, or each
 * extension. */

static bool are_together(const spb_required_feature *a, const spb_required_feature *b)
{
	return a->version == b->version && !strcmp(a->in, b->in);
}

static bool is_first_in(const struct spb_host_lists *l, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (are_together(&l->features[k], &l->features[i]))
			return false;
	}
	return true;
}

/* The bit of its struct. */
static uint32_t bit_of(const struct spb_host_lists *l, size_t i)
{
	uint32_t bit = 0;

	for (size_t k = 0; k < i && !are_together(&l->features[k], &l->features[i]); k++)
		bit += is_first_in(l, k);
	return bit;
}

static void put_cases_of_structs(const struct spb_host_lists *l, struct spb_text_buffer *text)
{
	for (size_t i = 0; i < l->feature_count; i++) {
		const spb_required_feature *f = &l->features[i];
		const bool core = !strcmp(f->in, "Features2");
		if (!*f->in || !is_first_in(l, i))
			continue;
		if (*f->macro)
			spb_text_format(text, "#ifdef %s\n", f->macro);
		spb_text_format(text, "\t\tcase %s: {\n\t\t\tVkPhysicalDevice%s *f = ", f->structure_type,
				core ? "Features" : f->in);
		spb_text_format(text,
				core ? "&((VkPhysicalDeviceFeatures2 *)(void *)s)->features;\n"
				     : "(VkPhysicalDevice%s *)(void *)s;\n",
				f->in);
		for (size_t k = i; k < l->feature_count; k++) {
			if (are_together(&l->features[k], f))
				spb_text_format(text, "\t\t\tf->%s = VK_TRUE;\n", l->features[k].name);
		}
		spb_text_format(text, "\t\t\tfound |= 1u << %u;\n\t\t\tbreak;\n\t\t}\n", bit_of(l, i));
		if (*f->macro)
			spb_text_put(text, "#endif\n");
	}
}

static void put_cases_of_versions(const struct spb_host_lists *l, struct spb_text_buffer *text)
{
	for (uint32_t version = 1; version <= 4; version++) {
		uint32_t bits = 0;
		bool any = false;
		for (size_t i = 0; i < l->feature_count; i++) {
			const spb_required_feature *f = &l->features[i];
			if (f->version != version)
				continue;
			if (!any)
				spb_text_format(text,
						"#ifdef VK_API_VERSION_1_%u\n"
						"\t\tcase VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_%u_FEATURES: {\n"
						"\t\t\tVkPhysicalDeviceVulkan1%uFeatures *f = "
						"(VkPhysicalDeviceVulkan1%uFeatures *)(void *)s;\n",
						version == 1 ? 2u : version, version, version, version);
			any = true;
			spb_text_format(text, "\t\t\tf->%s = VK_TRUE;\n", f->name);
			bits |= 1u << bit_of(l, i);
		}
		if (any)
			spb_text_format(text, "\t\t\tfound |= %uu;\n\t\t\tbreak;\n\t\t}\n#endif\n", bits);
	}
}

static void put_features(const struct spb_host_lists *l, struct spb_text_buffer *text)
{
	if (!l->feature_count)
		return;
	spb_text_format(
	    text,
	    "\n/* Enables what the shaders need, in the structs of a chain that begins with a\n"
	    " * VkPhysicalDeviceFeatures2. Returns the name of a feature that no struct of it has; NULL: it has\n"
	    " * all. */\n"
	    "static inline const char *%s_enable_features(void *chain)\n{\n\tuint32_t found = 0;\n\n"
	    "\tfor (VkBaseOutStructure *s = (VkBaseOutStructure *)chain; s; s = s->pNext) {\n"
	    "\t\tswitch ((int)s->sType) {\n",
	    l->prefix);
	put_cases_of_structs(l, text);
	put_cases_of_versions(l, text);
	spb_text_put(text, "\t\tdefault:\n\t\t\tbreak;\n\t\t}\n\t}\n");
	for (size_t i = 0; i < l->feature_count; i++) {
		/* pushDescriptor: before Vulkan 1.4, enabling the extension enables it */
		if (is_first_in(l, i) && strcmp(l->features[i].name, "pushDescriptor") != 0)
			spb_text_format(text, "\tif (!(found >> %u & 1))\n\t\treturn \"%s\";\n", bit_of(l, i),
					l->features[i].name);
	}
	spb_text_put(text, "\treturn NULL;\n}\n");
}

/* All of them */

void spb_put_host_data(const struct spb_host_lists *l, struct spb_text_buffer *text)
{
	put_workgroup_sizes(l, text);
	put_constants(l, text, put_constants_data);
	put_vertices(l, text, put_vertex_data);
}

void spb_put_host_tables(const struct spb_host_lists *l, struct spb_text_buffer *text)
{
	put_stages(l, text);
	put_constants(l, text, put_constants_tables);
	put_vertices(l, text, put_vertex_tables);
	put_features(l, text);
}
