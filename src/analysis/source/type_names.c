/* SPDX-License-Identifier: Apache-2.0 */
/* type_names: the kinds of descriptors by the names of types in GLSL and HLSL. A name that begins with the name in a
 * row has its kind: texture2DArray begins with texture. The first row that matches counts. */
#include "analysis/source/text.h"

struct row {
	const char *begin;
	uint32_t kind;
	bool whole; /* names that only begin with it do not match */
	bool writable;
	uint8_t counter;
};

static const struct row glsl_rows[] = {
    {"samplerBuffer", SPB_DESCRIPTOR_UTEXBUF, true, false, 0},
    {"samplerShadow", SPB_DESCRIPTOR_SAMPLER, true, false, 0},
    {"sampler", SPB_DESCRIPTOR_SAMPLER, true, false, 0},
    {"samplerExternalOES", SPB_KIND_UNKNOWN, true, false, 0},
    {"sampler", SPB_DESCRIPTOR_COMBINED, false, false, 0},
    {"textureBuffer", SPB_DESCRIPTOR_UTEXBUF, true, false, 0},
    {"texture", SPB_DESCRIPTOR_TEXTURE, false, false, 0},
    {"imageBuffer", SPB_DESCRIPTOR_STEXBUF, true, true, 0},
    {"image", SPB_DESCRIPTOR_IMAGE, false, true, 0},
    {"subpassInput", SPB_DESCRIPTOR_INPUT_ATTACHMENT, false, false, 0},
    {"accelerationStructure", SPB_DESCRIPTOR_AS, false, false, 0},
    {"tensorARM", SPB_DESCRIPTOR_TENSOR, true, true, 0},
};

static const struct row hlsl_rows[] = {
    {"SamplerState", SPB_DESCRIPTOR_SAMPLER, true, false, 0},
    {"SamplerComparisonState", SPB_DESCRIPTOR_SAMPLER, true, false, 0},
    {"sampler", SPB_DESCRIPTOR_SAMPLER, true, false, 0},
    {"TextureBuffer", SPB_DESCRIPTOR_SSBO, true, false, 0},
    {"Texture", SPB_DESCRIPTOR_TEXTURE, false, false, 0},
    {"RWTexture", SPB_DESCRIPTOR_IMAGE, false, true, 0},
    {"RasterizerOrderedTexture", SPB_DESCRIPTOR_IMAGE, false, true, 0},
    {"Buffer", SPB_DESCRIPTOR_UTEXBUF, true, false, 0},
    {"RWBuffer", SPB_DESCRIPTOR_STEXBUF, true, true, 0},
    {"RasterizerOrderedBuffer", SPB_DESCRIPTOR_STEXBUF, true, true, 0},
    {"StructuredBuffer", SPB_DESCRIPTOR_SSBO, true, false, 0},
    {"ByteAddressBuffer", SPB_DESCRIPTOR_SSBO, true, false, 0},
    {"RWStructuredBuffer", SPB_DESCRIPTOR_SSBO, true, true, SPB_COUNTER_ASKED},
    {"RWByteAddressBuffer", SPB_DESCRIPTOR_SSBO, true, true, 0},
    {"AppendStructuredBuffer", SPB_DESCRIPTOR_SSBO, true, true, SPB_COUNTER_ALWAYS},
    {"ConsumeStructuredBuffer", SPB_DESCRIPTOR_SSBO, true, true, SPB_COUNTER_ALWAYS},
    {"RasterizerOrderedStructuredBuffer", SPB_DESCRIPTOR_SSBO, true, true, SPB_COUNTER_ASKED},
    {"RasterizerOrderedByteAddressBuffer", SPB_DESCRIPTOR_SSBO, true, true, 0},
    {"ConstantBuffer", SPB_DESCRIPTOR_UBO, true, false, 0},
    {"SubpassInput", SPB_DESCRIPTOR_INPUT_ATTACHMENT, false, false, 0},
    {"RaytracingAccelerationStructure", SPB_DESCRIPTOR_AS, true, false, 0},
    {"bool", SPB_KIND_DATA, false, false, 0},
    {"int", SPB_KIND_DATA, false, false, 0},
    {"uint", SPB_KIND_DATA, false, false, 0},
    {"dword", SPB_KIND_DATA, false, false, 0},
    {"half", SPB_KIND_DATA, false, false, 0},
    {"float", SPB_KIND_DATA, false, false, 0},
    {"double", SPB_KIND_DATA, false, false, 0},
    {"min1", SPB_KIND_DATA, false, false, 0},
    {"vector", SPB_KIND_DATA, true, false, 0},
    {"matrix", SPB_KIND_DATA, true, false, 0},
};

static struct spb_type find(const struct row *rows, size_t count, const char *name, size_t length)
{
	for (size_t i = 0; i < count; i++) {
		size_t begin = strlen(rows[i].begin);
		if (length >= begin && !memcmp(name, rows[i].begin, begin) && (length == begin || !rows[i].whole))
			return (struct spb_type){
			    .kind = rows[i].kind,
			    .writable = rows[i].writable,
			    .bytes = strstr(rows[i].begin, "ByteAddress") != NULL,
			    .counter = rows[i].counter,
			};
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

/* float, int8_t, vec4, u16vec3, dmat2x4 */
static bool is_number(const char *name, size_t length)
{
	static const char *const scalars[] = {"bool", "int", "uint", "float", "double"};
	size_t begin = 0;

	for (size_t i = 0; i < SPB_COUNT(scalars); i++) {
		const size_t n = strlen(scalars[i]);
		if (length >= n && !memcmp(name, scalars[i], n) && (length == n || (name[n] >= '1' && name[n] <= '8')))
			return true;
	}
	while (begin < length && strchr("biudf123468", name[begin]))
		begin++;
	return length > begin + 3 && (!memcmp(name + begin, "vec", 3) || !memcmp(name + begin, "mat", 3)) &&
	       name[begin + 3] >= '2' && name[begin + 3] <= '4';
}

struct spb_type spb_glsl_type(const char *name, size_t length)
{
	struct spb_type type = find(glsl_rows, SPB_COUNT(glsl_rows), name, length);
	size_t prefix = component_prefix(name, length);

	if (type.kind == SPB_KIND_UNKNOWN && prefix)
		type = find(glsl_rows, SPB_COUNT(glsl_rows), name + prefix, length - prefix);
	if (type.kind == SPB_KIND_UNKNOWN && is_number(name, length))
		type.kind = SPB_KIND_DATA;
	return type;
}

/* float, float3, float4x4. Compilers give min16float and half 32 bits, unless an option says otherwise. */
static void read_data(struct spb_type *type, const char *name, size_t length)
{
	static const struct {
		const char *name;
		char scalar;
	} scalars[] = {{"bool", 'b'},       {"int", 'i'},      {"uint", 'u'},     {"dword", 'u'},
		       {"half", 'f'},       {"float", 'f'},    {"double", 'd'},   {"min16float", 'f'},
		       {"min10float", 'f'}, {"min16int", 'i'}, {"min12int", 'i'}, {"min16uint", 'u'}};

	for (size_t i = 0; i < SPB_COUNT(scalars); i++) {
		const size_t begin = strlen(scalars[i].name), rest = length - begin;
		const char *digits = name + begin;
		if (length < begin || memcmp(name, scalars[i].name, begin) != 0 || (rest && rest != 1 && rest != 3))
			continue;
		if (rest && (digits[0] < '1' || digits[0] > '4'))
			continue;
		if (rest == 3 && (digits[1] != 'x' || digits[2] < '1' || digits[2] > '4'))
			continue;
		type->scalar = scalars[i].scalar;
		type->rows = rest == 3 ? (uint8_t)(digits[0] - '0') : 0;
		type->columns = rest ? (uint8_t)(digits[rest - 1] - '0') : 0;
	}
}

struct spb_type spb_hlsl_type(const char *name, size_t length)
{
	struct spb_type type = find(hlsl_rows, SPB_COUNT(hlsl_rows), name, length);

	if (type.kind == SPB_KIND_DATA)
		read_data(&type, name, length);
	return type;
}
