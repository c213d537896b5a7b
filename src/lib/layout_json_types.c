/* SPDX-License-Identifier: Apache-2.0 */
/* layout_json_types: describes a resource's type in the layout JSON: "type": {"kind": "texture", ...}. */
#include "base/json.h"
#include "lib/lib.h"

static bool is_integer(const struct spb_module *m, uint32_t type)
{
	return spb_def_op(m, type) == SpvOpTypeInt;
}

/* The ResourceKind of an image in DXIL. */
static const char *image_kind(const struct spb_module *m, spb_at at)
{
	static const char *const names[][4] = {
	    [SpvDim1D] = {"Texture1D", "Texture1DArray", "Texture1D", "Texture1DArray"},
	    [SpvDim2D] = {"Texture2D", "Texture2DArray", "Texture2DMS", "Texture2DMSArray"},
	    [SpvDim3D] = {"Texture3D", "Texture3D", "Texture3D", "Texture3D"},
	    [SpvDimCube] = {"TextureCube", "TextureCubeArray", "TextureCube", "TextureCubeArray"},
	    [SpvDimRect] = {"Texture2D", "Texture2DArray", "Texture2DMS", "Texture2DMSArray"},
	    [SpvDimBuffer] = {"TypedBuffer", "TypedBuffer", "TypedBuffer", "TypedBuffer"},
	    [SpvDimSubpassData] = {"SubpassInput", "SubpassInput", "SubpassInputMS", "SubpassInputMS"},
	};
	uint32_t dim = m->words[at + 3], arrayed = m->words[at + 5] == 1, multisampled = m->words[at + 6] == 1;

	return dim < SPB_COUNT(names) ? names[dim][arrayed + 2 * multisampled] : "Invalid";
}

/* The type of the elements of HLSL's buffers, whose block is one runtime array; 0: it is another block. */
static uint32_t element_of(const struct spb_module *m, uint32_t block)
{
	spb_at at = m->def[block], array = spb_length(m, at) == 3 ? m->def[m->words[at + 2]] : 0;

	return spb_op(m, array) == SpvOpTypeRuntimeArray ? m->words[array + 2] : 0;
}

static bool is_glsl(const struct spb_module *m)
{
	const uint32_t language = spb_source_language(m);

	return language == SpvSourceLanguageGLSL || language == SpvSourceLanguageESSL;
}

/* Kind of a storage buffer. HLSL's only block without an array that is not written is a tbuffer. An array of 32-bit
 * unsigned words is a ByteAddressBuffer or a StructuredBuffer<uint>: of glslang's only the text tells which, of DXC's
 * the name, of Slang's nothing. NULL: it is not known. */
static const char *buffer_kind(const struct spb_module *m, const struct spb_variable *v)
{
	const uint32_t element = element_of(m, v->element);
	const struct spb_declaration *d = v->extra->declaration;
	const char *name = spb_id_name(m, v->element);
	spb_at word = element ? m->def[element] : 0;

	if (!element && !v->writable && spb_source_language(m) == SpvSourceLanguageHLSL)
		return "TBuffer";
	if (spb_op(m, word) != SpvOpTypeInt || m->words[word + 2] != 32 || m->words[word + 3])
		return "StructuredBuffer";
	if (is_glsl(m) || (d && d->bytes) || (!strncmp(name, "type.", 5) && strstr(name, "ByteAddressBuffer")))
		return "RawBuffer";
	return (d && d->kind == SPB_DESCRIPTOR_SSBO) || (!strncmp(name, "type.", 5) && strstr(name, "StructuredBuffer"))
		   ? "StructuredBuffer"
		   : NULL;
}

static const char *resource_kind(const struct spb_module *m, const struct spb_variable *v, spb_at at)
{
	const char *known = spb_descriptor_info(v->kind)->resource_kind;

	if (known)
		return known;
	if (spb_op(m, at) == SpvOpTypeStruct)
		return buffer_kind(m, v);
	return spb_op(m, at) == SpvOpTypeImage ? image_kind(m, at) : "Invalid";
}

/* "float4", or "float" for one component */
static void element_key(struct spb_json *j, const struct spb_module *m, uint32_t component, uint32_t count)
{
	struct spb_text_buffer text = {.arena = &m->context->scratch};

	spb_text_format(&text, count > 1 ? "%s%u" : "%s", spb_component_name(m, component), count);
	spb_json_word_key(j, "element", spb_text_end(&text));
}

/* 0: no format */
static uint32_t format_components(uint32_t format)
{
	static const struct {
		const char *begin;
		uint32_t components;
	} rows[] = {{"Rgb", 4} /* Rgba8, Rgb10A2 */, {"Rg", 2}, {"R11f", 3}, {"R", 1}};
	const char *name = spb_image_format_name(format);

	for (size_t i = 0; i < SPB_COUNT(rows); i++) {
		if (!strncmp(name, rows[i].begin, strlen(rows[i].begin)))
			return rows[i].components;
	}
	return 0;
}

/* As in the source text, or by the format. Otherwise four, as all images have in SPIR-V. */
static uint32_t components_of(const struct spb_module *m, const struct spb_variable *v, spb_at image)
{
	const struct spb_declaration *d = v->extra->declaration;
	const uint32_t of_format = format_components(m->words[image + 8]);

	if (d && d->components)
		return d->components;
	return of_format ? of_format : 4;
}

static void image_keys(struct spb_json *j, const struct spb_module *m, const struct spb_variable *v, spb_at at)
{
	const struct spb_declaration *d = v->extra->declaration;

	element_key(j, m, m->words[at + 2], components_of(m, v, at));
	if (d && d->samples)
		spb_json_number_key(j, "sampleCount", d->samples);
	if (is_integer(m, m->words[at + 2]))
		spb_json_bool_key(j, "signed", m->words[m->def[m->words[at + 2]] + 3] == 1);
	spb_json_word_key(j, "dim", spb_dim_name(m->words[at + 3]));
	spb_json_bool_key(j, "arrayed", m->words[at + 5] == 1);
	spb_json_bool_key(j, "multisampled", m->words[at + 6] == 1);
	spb_json_bool_key(j, "depth", m->words[at + 4] == 1);
	spb_json_word_key(j, "format", spb_image_format_name(m->words[at + 8]));
}

static void block_keys(struct spb_json *j, const struct spb_module *m, uint32_t type, const uint32_t *sizes)
{
	spb_at at = m->def[type];
	uint32_t length = spb_length(m, at), last = length > 2 ? m->words[at + length - 1] : 0;
	const uint32_t element = element_of(m, type), op = spb_def_op(m, element);

	if (op == SpvOpTypeVector)
		element_key(j, m, m->words[m->def[element] + 2], m->words[m->def[element] + 3]);
	else if (op == SpvOpTypeInt || op == SpvOpTypeFloat)
		element_key(j, m, element, 1);

	spb_json_string_key(j, "block", spb_id_name(m, type));
	spb_json_number_key(j, "blockId", type);
	spb_json_number_key(j, "size", sizes[type]);
	if (spb_def_op(m, last) == SpvOpTypeRuntimeArray) {
		uint32_t stride = spb_decoration(m, last, SpvDecorationArrayStride);
		if (stride)
			spb_json_number_key(j, "stride", m->words[stride]);
	}
}

/* HLSL's globallycoherent: a decoration of the variable, or of all members of its block. */
static bool is_coherent(const struct spb_module *m, const struct spb_variable *v)
{
	return spb_decoration(m, v->id, SpvDecorationCoherent) ||
	       (spb_def_op(m, v->element) == SpvOpTypeStruct &&
		spb_has_on_all_members(m, v->element, SpvDecorationCoherent));
}

void spb_json_type(struct spb_json *j, struct spb_program *p, size_t module, const struct spb_variable *v)
{
	const struct spb_module *m = &p->slots.items[module]->unit.m;
	spb_at at = m->def[v->element];
	const unsigned row = j->row;

	j->row = SPB_JSON_ONE_LINE;
	spb_json_open(j, '{');
	spb_json_word_key(j, "kind", spb_descriptor_info(v->kind)->kind);
	if (spb_op(m, at) == SpvOpTypeSampledImage)
		at = m->def[m->words[at + 2]];
	const char *kind = resource_kind(m, v, at);
	if (kind)
		spb_json_word_key(j, "resourceKind", kind);
	spb_json_bool_key(j, "writable", v->writable);
	spb_json_bool_key(j, "rov", v->ordered);
	if (v->writable && is_coherent(m, v))
		spb_json_bool_key(j, "globallyCoherent", true);
	if (v->extra->counted)
		spb_json_bool_key(j, "hasCounter", true);
	if (spb_op(m, at) == SpvOpTypeImage)
		image_keys(j, m, v, at);
	else if (spb_op(m, at) == SpvOpTypeStruct)
		block_keys(j, m, v->element, spb_sizes_of(p, module));
	spb_text_byte(&j->text, ' ');
	spb_json_close(j, '}', false);
	j->row = row;
}
