/* SPDX-License-Identifier: Apache-2.0 */
/* reflect: a module as SPIRV-Cross's reflection describes it (spirv-cross --reflect), for tools that read that already:
 *
 *     {"entryPoints": [{"name": "main", "mode": "frag"}],
 *      "types": {"_12": {"name": "Camera", "members": […]}},
 *      "inputs": […], "outputs": […], "textures": […], …, "ubos": [{"type": "_12", "name": "Camera", "block_size": 64,
 *      "set": 0, "binding": 0}], "specialization_constants": […]}
 *
 * Lists that are empty are left out, as there. It describes the module with its final sets and bindings, one module at
 * a time, since its types are called by their ids. docs/outputs.md lists where it differs on purpose. */
#include "analysis/reflection/reflection.h"
#include "ir/ids.h"

enum list {
	LIST_NONE,
	LIST_SUBPASS_INPUTS,
	LIST_INPUTS,
	LIST_OUTPUTS,
	LIST_TEXTURES,
	LIST_SEPARATE_IMAGES,
	LIST_SEPARATE_SAMPLERS,
	LIST_IMAGES,
	LIST_SSBOS,
	LIST_UBOS,
	LIST_PUSH_CONSTANTS,
	LIST_ACCELERATION_STRUCTURES,
	LIST_COUNT
};

static const char *const list_names[LIST_COUNT] = {
    [LIST_SUBPASS_INPUTS] = "subpass_inputs",
    [LIST_INPUTS] = "inputs",
    [LIST_OUTPUTS] = "outputs",
    [LIST_TEXTURES] = "textures",
    [LIST_SEPARATE_IMAGES] = "separate_images",
    [LIST_SEPARATE_SAMPLERS] = "separate_samplers",
    [LIST_IMAGES] = "images",
    [LIST_SSBOS] = "ssbos",
    [LIST_UBOS] = "ubos",
    [LIST_PUSH_CONSTANTS] = "push_constants",
    [LIST_ACCELERATION_STRUCTURES] = "acceleration_structures",
};

/* Entry points */

struct size {             /* of workgroups: the last mode of each entry point, and what overrides it */
	spb_at *mode;     /* [bound] OpExecutionMode or OpExecutionModeId */
	uint32_t builtin; /* id of the constant WorkgroupSize; 0: none */
};

static struct size find_sizes(struct spb_reflection *r)
{
	const struct spb_module *m = r->m;
	struct size size = {.mode = spb_alloc_zeroed(r->scratch, m->bound, sizeof *size.mode)};

	for (spb_at at = m->section[SPB_SECTION_EXECUTION_MODE]; at < m->section[SPB_SECTION_SOURCE];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpExecutionMode && spb_op(m, at) != SpvOpExecutionModeId)
			continue; /* an opcode that nobody knows */
		if (m->words[at + 2] == SpvExecutionModeLocalSize || m->words[at + 2] == SpvExecutionModeLocalSizeId)
			size.mode[m->words[at + 1]] = at;
	}
	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpDecorate || m->words[at + 2] != SpvDecorationBuiltIn ||
		    m->words[at + 3] != SpvBuiltInWorkgroupSize)
			continue;
		/* SPIR-V 3.21, "BuiltIn": decorates a constant vector of three components. */
		spb_at def = m->def[m->words[at + 1]];
		uint32_t op = spb_op(m, def);
		if ((op == SpvOpConstantComposite || op == SpvOpSpecConstantComposite) && spb_length(m, def) == 6)
			size.builtin = m->words[at + 1];
	}
	return size;
}

static uint32_t component(const struct spb_module *m, uint32_t id, bool *is_spec)
{
	uint32_t spec = spb_decoration(m, id, SpvDecorationSpecId);
	uint64_t value = 0;

	*is_spec = spec != 0;
	if (spec)
		return m->words[spec];
	(void)spb_constant_value(m, id, &value);
	return (uint32_t)value;
}

static void workgroup_keys(struct spb_reflection *r, const struct size *size, uint32_t function)
{
	const struct spb_module *m = r->m;
	spb_at mode = size->mode[function];
	uint32_t values[3] = {0, 0, 0};
	bool is_spec[3] = {false, false, false};

	for (uint32_t i = 0; i < 3; i++) {
		if (size->builtin) /* SPIR-V 3.21: it takes precedence over LocalSize and LocalSizeId */
			values[i] = component(m, m->words[m->def[size->builtin] + 3 + i], &is_spec[i]);
		else if (mode)
			values[i] = m->words[mode + 2] == SpvExecutionModeLocalSizeId
					? component(m, m->words[mode + 3 + i], &is_spec[i])
					: m->words[mode + 3 + i];
	}
	spb_json_numbers_key(&r->j, "workgroup_size", values, 3);
	spb_json_key(&r->j, "workgroup_size_is_spec_constant_id");
	spb_text_format(&r->j.text, "[%s, %s, %s]", is_spec[0] ? "true" : "false", is_spec[1] ? "true" : "false",
			is_spec[2] ? "true" : "false");
}

static const char *mode_name(uint32_t model)
{
	switch (model) {
	case SpvExecutionModelVertex:
		return "vert";
	case SpvExecutionModelTessellationControl:
		return "tesc";
	case SpvExecutionModelTessellationEvaluation:
		return "tese";
	case SpvExecutionModelGeometry:
		return "geom";
	case SpvExecutionModelFragment:
		return "frag";
	case SpvExecutionModelGLCompute:
		return "comp";
	case SpvExecutionModelTaskNV:
	case 5364:
		return "task"; /* TaskEXT */
	case SpvExecutionModelMeshNV:
	case 5365:
		return "mesh"; /* MeshEXT */
	case SpvExecutionModelRayGenerationKHR:
		return "rgen";
	case SpvExecutionModelIntersectionKHR:
		return "rint";
	case SpvExecutionModelAnyHitKHR:
		return "rahit";
	case SpvExecutionModelClosestHitKHR:
		return "rchit";
	case SpvExecutionModelMissKHR:
		return "rmiss";
	case SpvExecutionModelCallableKHR:
		return "rcall";
	default:
		return "???";
	}
}

static bool has_workgroups(uint32_t model)
{
	return model == SpvExecutionModelGLCompute || model == SpvExecutionModelTaskNV ||
	       model == SpvExecutionModelMeshNV || model == 5364 || model == 5365;
}

static void write_entry_points(struct spb_reflection *r)
{
	const struct spb_module *m = r->m;
	const struct size size = find_sizes(r);
	struct spb_json *j = &r->j;
	spb_at at = m->section[SPB_SECTION_ENTRY_POINT], end = m->section[SPB_SECTION_EXECUTION_MODE];

	if (at == end)
		return;
	spb_json_key(j, "entryPoints");
	spb_json_open(j, '[');
	for (; at < end; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpEntryPoint)
			continue;
		spb_json_item(j, '{');
		spb_json_string_key(j, "name", spb_string(m, at + 3));
		spb_json_word_key(j, "mode", mode_name(m->words[at + 1]));
		if (has_workgroups(m->words[at + 1]))
			workgroup_keys(r, &size, m->words[at + 2]);
		spb_json_close(j, '}', true);
	}
	spb_json_close(j, ']', true);
}

/* Variables */

/* Bits over ids: what the interface of an entry point lists. */
static uint32_t *find_interfaces(struct spb_reflection *r)
{
	const struct spb_module *m = r->m;
	uint32_t *listed = spb_bits(r->scratch, m->bound);

	for (spb_at at = m->section[SPB_SECTION_ENTRY_POINT]; at < m->section[SPB_SECTION_EXECUTION_MODE];
	     at = spb_next(m, at)) {
		const uint32_t length = spb_length(m, at);
		if (spb_op(m, at) != SpvOpEntryPoint)
			continue;
		for (uint32_t i = spb_end_of_string(m->words + at, 3, length); i < length; i++)
			spb_set_bit(listed, m->words[at + i]);
	}
	return listed;
}

static const struct {
	uint32_t decoration;
	const char *key;
} qualifiers[] = {{SpvDecorationNonReadable, "writeonly"},
		  {SpvDecorationNonWritable, "readonly"},
		  {SpvDecorationRestrict, "restrict"},
		  {SpvDecorationCoherent, "coherent"},
		  {SpvDecorationVolatile, "volatile"}};

enum { QUALIFIERS = SPB_COUNT(qualifiers), IS_KNOWN = 1 << QUALIFIERS };

/* Which of them all members of a struct have, found once for each struct: many variables may be of one. */
static uint8_t qualifiers_of_members(struct spb_reflection *r, uint8_t *known, uint32_t type)
{
	if (!known[type]) {
		known[type] = IS_KNOWN;
		for (unsigned i = 0; i < QUALIFIERS; i++) {
			if (spb_has_on_all_members(r->m, type, qualifiers[i].decoration))
				known[type] |= (uint8_t)(1u << i);
		}
	}
	return known[type];
}

/* Bits over ids: structs with members that are built-ins. */
static uint32_t *find_builtin_blocks(struct spb_reflection *r)
{
	const struct spb_module *m = r->m;
	uint32_t *found = spb_bits(r->scratch, m->bound);

	for (spb_at at = m->section[SPB_SECTION_ANNOTATION]; at < m->section[SPB_SECTION_GLOBAL];
	     at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpMemberDecorate && m->words[at + 3] == SpvDecorationBuiltIn)
			spb_set_bit(found, m->words[at + 1]);
	}
	return found;
}

struct variable {
	enum list list;
	uint32_t id, type, element; /* type of its contents, and the same without arrays */
	bool by_instance;           /* its name is that of the variable, not of its block */
};

static enum list list_of_type(const struct spb_module *m, uint32_t element)
{
	spb_at at = m->def[element];

	switch (spb_op(m, at)) {
	case SpvOpTypeSampledImage:
		return LIST_TEXTURES;
	case SpvOpTypeSampler:
		return LIST_SEPARATE_SAMPLERS;
	case SpvOpTypeAccelerationStructureKHR:
		return LIST_ACCELERATION_STRUCTURES;
	case SpvOpTypeImage:
		if (m->words[at + 3] == SpvDimSubpassData)
			return LIST_SUBPASS_INPUTS;
		return m->words[at + 7] == 2 ? LIST_IMAGES : LIST_SEPARATE_IMAGES;
	default:
		return LIST_NONE;
	}
}

/* Which list a variable belongs to. Blocks of built-ins are not listed, and neither are built-ins by themselves. */
static enum list list_of(const struct spb_module *m, const uint32_t *builtins, uint32_t storage_class, uint32_t id,
			 uint32_t element)
{
	switch (storage_class) {
	case SpvStorageClassInput:
	case SpvStorageClassOutput:
		if (spb_decoration(m, id, SpvDecorationBuiltIn) || spb_bit(builtins, element))
			return LIST_NONE;
		return storage_class == SpvStorageClassInput ? LIST_INPUTS : LIST_OUTPUTS;
	case SpvStorageClassUniform:
		return spb_decoration(m, element, SpvDecorationBufferBlock) ? LIST_SSBOS
		       : spb_decoration(m, element, SpvDecorationBlock)     ? LIST_UBOS
									    : LIST_NONE;
	case SpvStorageClassStorageBuffer:
		return LIST_SSBOS;
	case SpvStorageClassPushConstant:
		return LIST_PUSH_CONSTANTS;
	case SpvStorageClassUniformConstant:
		return list_of_type(m, element);
	default:
		return LIST_NONE;
	}
}

struct variables {
	struct variable *items;
	size_t count, capacity;
};

/* In HLSL several buffers are of one type, so the name of the variable is what tells them apart. A module that does not
 * say that it comes from GLSL is such a one if its buffers do have types in common. */
static bool are_buffers_named_by_instance(struct spb_reflection *r, const struct variables *variables)
{
	uint32_t *seen = spb_bits(r->scratch, r->m->bound), language = spb_source_language(r->m);

	if (language == SpvSourceLanguageHLSL)
		return true;
	if (language == SpvSourceLanguageESSL || language == SpvSourceLanguageGLSL)
		return false;
	for (size_t i = 0; i < variables->count; i++) {
		const struct variable *v = &variables->items[i];
		if (v->list == LIST_SSBOS && spb_bit(seen, v->element))
			return true;
		if (v->list == LIST_SSBOS)
			spb_set_bit(seen, v->element);
	}
	return false;
}

static struct variables find_variables(struct spb_reflection *r)
{
	const struct spb_module *m = r->m;
	const uint32_t *listed = find_interfaces(r), *builtins = find_builtin_blocks(r);
	struct variables found = {0};

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		if (spb_op(m, at) != SpvOpVariable)
			continue;
		struct variable v = {.id = m->words[at + 2]};
		spb_at pointer = m->def[m->words[at + 1]];
		if (spb_op(m, pointer) != SpvOpTypePointer)
			continue;
		v.type = m->words[pointer + 3];
		v.element = spb_without_arrays(m, v.type);
		v.list = list_of(m, builtins, m->words[at + 3], v.id, v.element);
		/* SPIR-V 2.17, OpEntryPoint: before 1.4, interfaces list inputs and outputs only. */
		bool may_be_unlisted = v.list != LIST_INPUTS && v.list != LIST_OUTPUTS && spb_version_word(m) < 0x10400;
		if (v.list != LIST_NONE && (may_be_unlisted || spb_bit(listed, v.id)))
			SPB_PUSH(r->scratch, &found, v);
	}
	if (are_buffers_named_by_instance(r, &found)) {
		for (size_t i = 0; i < found.count; i++)
			found.items[i].by_instance = found.items[i].list == LIST_SSBOS;
	}
	return found;
}

/* Buffers, and blocks of inputs and outputs, go by the name of their block. */
static const char *variable_name(struct spb_reflection *r, const struct variable *v)
{
	const struct spb_module *m = r->m;
	bool interface = v->list == LIST_INPUTS || v->list == LIST_OUTPUTS;
	bool block = v->list == LIST_UBOS || v->list == LIST_SSBOS ||
		     (interface && spb_decoration(m, v->element, SpvDecorationBlock));

	if (!block || v->by_instance)
		return spb_name_or_number(r, v->id);
	const char *name = spb_name_of_type(r, v->element);
	if (*name)
		return name;
	if (*spb_name(m, v->id))
		return spb_name(m, v->id);
	struct spb_text_buffer text = {.arena = r->scratch};
	spb_text_format(&text, "_%u_%u", v->element, v->id);
	return spb_text_end(&text);
}

static void qualifier_keys(struct spb_reflection *r, const struct variable *v, uint8_t *known)
{
	const bool buffer = v->list == LIST_SSBOS && spb_def_op(r->m, v->element) == SpvOpTypeStruct;
	const uint8_t of_members = buffer ? qualifiers_of_members(r, known, v->element) : 0;

	for (unsigned i = 0; i < QUALIFIERS; i++) {
		if (of_members >> i & 1 || spb_decoration(r->m, v->id, qualifiers[i].decoration))
			spb_json_bool_key(&r->j, qualifiers[i].key, true);
	}
}

static void decoration_key(struct spb_reflection *r, const struct variable *v, uint32_t decoration, const char *key)
{
	uint32_t word = spb_decoration(r->m, v->id, decoration);

	if (word)
		spb_json_number_key(&r->j, key, r->m->words[word]);
}

/* "Rgba8Snorm", as SPIR-V names it, is "rgba8_snorm" in GLSL. */
static void format_key(struct spb_reflection *r, uint32_t format)
{
	const char *name = spb_image_format_name(format);
	struct spb_text_buffer glsl = {.arena = r->scratch};

	if (format == SpvImageFormatUnknown || !name)
		return;
	if (format == SpvImageFormatRgb10a2ui)
		name = "Rgb10A2ui";
	for (const char *c = name; *c; c++) {
		bool capital = *c >= 'A' && *c <= 'Z';
		if (capital && c != name)
			spb_text_byte(&glsl, '_');
		spb_text_byte(&glsl, (char)(capital ? *c + 'a' - 'A' : *c));
	}
	spb_json_string_key(&r->j, "format", spb_text_end(&glsl));
}

static void write_variable(struct spb_reflection *r, const struct variable *v, uint8_t *known)
{
	const struct spb_module *m = r->m;
	struct spb_json *j = &r->j;
	spb_at element = m->def[v->element];
	bool is_struct = spb_op(m, element) == SpvOpTypeStruct;

	spb_json_item(j, '{');
	if (is_struct) {
		spb_json_key(j, "type");
		spb_text_format(&j->text, "\"_%u\"", v->element);
	} else {
		spb_json_string_key(j, "type", spb_reflected_type(r, v->type));
	}
	spb_json_string_key(j, "name", variable_name(r, v));
	qualifier_keys(r, v, known);
	spb_reflect_array_keys(r, v->type);
	if (is_struct && (v->list == LIST_UBOS || v->list == LIST_SSBOS))
		spb_json_number_key(j, "block_size", r->sizes[v->element]);
	if (v->list == LIST_PUSH_CONSTANTS)
		spb_json_bool_key(j, "push_constant", true);
	decoration_key(r, v, SpvDecorationLocation, "location");
	decoration_key(r, v, SpvDecorationIndex, "index");
	if (v->list != LIST_PUSH_CONSTANTS) {
		decoration_key(r, v, SpvDecorationDescriptorSet, "set");
		decoration_key(r, v, SpvDecorationBinding, "binding");
	}
	decoration_key(r, v, SpvDecorationInputAttachmentIndex, "input_attachment_index");
	decoration_key(r, v, SpvDecorationOffset, "offset");
	if (spb_op(m, element) == SpvOpTypeImage && m->words[element + 7] == 2)
		format_key(r, m->words[element + 8]);
	spb_json_close(j, '}', true);
}

static void write_variables(struct spb_reflection *r)
{
	const struct variables found = find_variables(r);
	struct spb_json *j = &r->j;
	uint8_t *known =
	    spb_alloc_zeroed(r->scratch, r->m->bound, sizeof *known); /* of structs: qualifiers_of_members */

	for (enum list list = LIST_NONE + 1; list < LIST_COUNT; list++) {
		bool any = false;
		for (size_t i = 0; i < found.count; i++) {
			if (found.items[i].list != list)
				continue;
			if (!any) {
				spb_json_key(j, list_names[list]);
				spb_json_open(j, '[');
			}
			any = true;
			write_variable(r, &found.items[i], known);
		}
		if (any)
			spb_json_close(j, ']', true);
	}
}

/* Specialization constants */

static void write_integer(struct spb_json *j, uint64_t value, unsigned width, bool is_signed)
{
	const uint64_t sign = (uint64_t)1 << (width - 1), mask = sign | (sign - 1);

	value &= mask;
	if (is_signed && value & sign) {
		spb_text_byte(&j->text, '-');
		value = ~(value - 1) & mask;
	}
	spb_text_number(&j->text, value);
}

static void write_default(struct spb_reflection *r, spb_at at)
{
	const struct spb_module *m = r->m;
	const uint32_t *w = m->words + at, *type = m->words + m->def[w[1]];
	const bool is_bool = spb_op(m, at) != SpvOpSpecConstant;

	spb_json_key(&r->j, "default_value");
	if (is_bool) {
		spb_text_put(&r->j.text, spb_op(m, at) == SpvOpSpecConstantTrue ? "true" : "false");
		return;
	}
	const uint64_t bits = w[3] | (spb_length(m, at) > 4 ? (uint64_t)w[4] << 32 : 0);
	const uint32_t of = spb_def_op(m, w[1]);
	if (of == SpvOpTypeInt && type[2] >= 1 && type[2] <= 64) {
		write_integer(&r->j, bits, type[2], type[3] == 1);
	} else if (of != SpvOpTypeFloat) { /* nothing has validated the input: a constant of some other type */
		spb_text_put(&r->j.text, "null");
	} else {
		spb_reflect_float(&r->j, bits, type[2] == 64 || type[2] == 16 ? type[2] : 32);
	}
}

static void write_specialization_constants(struct spb_reflection *r)
{
	const struct spb_module *m = r->m;
	struct spb_json *j = &r->j;
	bool any = false;

	for (spb_at at = m->section[SPB_SECTION_GLOBAL]; at < m->section[SPB_SECTION_FUNCTION]; at = spb_next(m, at)) {
		uint32_t op = spb_op(m, at);
		if (op != SpvOpSpecConstant && op != SpvOpSpecConstantTrue && op != SpvOpSpecConstantFalse)
			continue;
		uint32_t spec = spb_decoration(m, m->words[at + 2], SpvDecorationSpecId);
		if (!spec)
			continue;
		if (!any) {
			spb_json_key(j, "specialization_constants");
			spb_json_open(j, '[');
		}
		any = true;
		spb_json_item(j, '{');
		spb_json_string_key(j, "name", spb_name(m, m->words[at + 2]));
		spb_json_number_key(j, "id", m->words[spec]);
		spb_json_string_key(j, "type", spb_reflected_type(r, m->words[at + 1]));
		spb_json_number_key(j, "variable_id", m->words[at + 2]);
		write_default(r, at);
		spb_json_close(j, '}', true);
	}
	if (any)
		spb_json_close(j, ']', true);
}

const char *spb_reflect_module(const struct spb_module *m, const uint32_t *sizes, struct spb_arena *keep,
			       struct spb_arena *scratch, size_t *length)
{
	struct spb_reflection r = {.j = {.text = {.arena = keep}}, .m = m, .sizes = sizes, .scratch = scratch};

	r.type_names = spb_alloc_zeroed(scratch, m->bound, sizeof *r.type_names);
	spb_json_open(&r.j, '{');
	write_entry_points(&r);
	spb_reflect_types(&r);
	write_variables(&r);
	write_specialization_constants(&r);
	spb_json_close(&r.j, '}', true);
	spb_text_byte(&r.j.text, '\n');
	*length = r.j.text.count;
	return spb_text_end(&r.j.text);
}
