/* SPDX-License-Identifier: Apache-2.0 */
/* type_names: the kinds of descriptors by the names of types in GLSL and HLSL. A name that begins with the name in a
 * row has its kind: texture2DArray begins with texture. The first row that matches counts. */
#include "analysis/source/text.h"

struct row {
	const char *begin;
	uint32_t kind;
	bool whole; /* names that only begin with it do not match */
	bool writable;
};

static const struct row glsl_rows[] = {
    {"samplerBuffer", SPB_DESCRIPTOR_UTEXBUF, true, false},
    {"samplerShadow", SPB_DESCRIPTOR_SAMPLER, true, false},
    {"sampler", SPB_DESCRIPTOR_SAMPLER, true, false},
    {"samplerExternalOES", SPB_KIND_UNKNOWN, true, false},
    {"sampler", SPB_DESCRIPTOR_COMBINED, false, false},
    {"textureBuffer", SPB_DESCRIPTOR_UTEXBUF, true, false},
    {"texture", SPB_DESCRIPTOR_TEXTURE, false, false},
    {"imageBuffer", SPB_DESCRIPTOR_STEXBUF, true, true},
    {"image", SPB_DESCRIPTOR_IMAGE, false, true},
    {"subpassInput", SPB_DESCRIPTOR_INPUT_ATTACHMENT, false, false},
    {"accelerationStructure", SPB_DESCRIPTOR_AS, false, false},
    {"tensorARM", SPB_DESCRIPTOR_TENSOR, true, true},
};

static const struct row hlsl_rows[] = {
    {"SamplerState", SPB_DESCRIPTOR_SAMPLER, true, false},
    {"SamplerComparisonState", SPB_DESCRIPTOR_SAMPLER, true, false},
    {"sampler", SPB_DESCRIPTOR_SAMPLER, true, false},
    {"TextureBuffer", SPB_DESCRIPTOR_SSBO, true, false},
    {"Texture", SPB_DESCRIPTOR_TEXTURE, false, false},
    {"RWTexture", SPB_DESCRIPTOR_IMAGE, false, true},
    {"RasterizerOrderedTexture", SPB_DESCRIPTOR_IMAGE, false, true},
    {"Buffer", SPB_DESCRIPTOR_UTEXBUF, true, false},
    {"RWBuffer", SPB_DESCRIPTOR_STEXBUF, true, true},
    {"RasterizerOrderedBuffer", SPB_DESCRIPTOR_STEXBUF, true, true},
    {"StructuredBuffer", SPB_DESCRIPTOR_SSBO, true, false},
    {"ByteAddressBuffer", SPB_DESCRIPTOR_SSBO, true, false},
    {"RWStructuredBuffer", SPB_DESCRIPTOR_SSBO, true, true},
    {"RWByteAddressBuffer", SPB_DESCRIPTOR_SSBO, true, true},
    {"AppendStructuredBuffer", SPB_DESCRIPTOR_SSBO, true, true},
    {"ConsumeStructuredBuffer", SPB_DESCRIPTOR_SSBO, true, true},
    {"RasterizerOrderedStructuredBuffer", SPB_DESCRIPTOR_SSBO, true, true},
    {"RasterizerOrderedByteAddressBuffer", SPB_DESCRIPTOR_SSBO, true, true},
    {"ConstantBuffer", SPB_DESCRIPTOR_UBO, true, false},
    {"SubpassInput", SPB_DESCRIPTOR_INPUT_ATTACHMENT, false, false},
    {"RaytracingAccelerationStructure", SPB_DESCRIPTOR_AS, true, false},
    {"bool", SPB_KIND_DATA, false, false},
    {"int", SPB_KIND_DATA, false, false},
    {"uint", SPB_KIND_DATA, false, false},
    {"dword", SPB_KIND_DATA, false, false},
    {"half", SPB_KIND_DATA, false, false},
    {"float", SPB_KIND_DATA, false, false},
    {"double", SPB_KIND_DATA, false, false},
    {"min1", SPB_KIND_DATA, false, false},
    {"vector", SPB_KIND_DATA, true, false},
    {"matrix", SPB_KIND_DATA, true, false},
};

static struct spb_type find(const struct row *rows, size_t count, const char *name, size_t length)
{
	for (size_t i = 0; i < count; i++) {
		size_t begin = strlen(rows[i].begin);
		if (length >= begin && !memcmp(name, rows[i].begin, begin) && (length == begin || !rows[i].whole))
			return (struct spb_type){.kind = rows[i].kind, .writable = rows[i].writable};
	}
	return (struct spb_type){.kind = SPB_KIND_UNKNOWN};
}

/* The length of the prefix that says the component type: isampler2D, u64image2D, f16texture2D. */
static size_t component_prefix(const char *name, size_t length)
{
	static const char *const prefixes[] = {"i64", "u64", "f16", "i", "u"};

	for (size_t i = 0; i < SPB_COUNT(prefixes); i++) {
		size_t begin = strlen(prefixes[i]);
		if (length > begin + 4 && !memcmp(name, prefixes[i], begin) &&
		    (name[begin] == 's' || name[begin] == 't' || name[begin] == 'i'))
			return begin;
	}
	return 0;
}

struct spb_type spb_glsl_type(const char *name, size_t length)
{
	struct spb_type type = find(glsl_rows, SPB_COUNT(glsl_rows), name, length);
	size_t prefix = component_prefix(name, length);

	if (type.kind == SPB_KIND_UNKNOWN && prefix)
		type = find(glsl_rows, SPB_COUNT(glsl_rows), name + prefix, length - prefix);
	return type;
}

struct spb_type spb_hlsl_type(const char *name, size_t length)
{
	return find(hlsl_rows, SPB_COUNT(hlsl_rows), name, length);
}
