/* SPDX-License-Identifier: Apache-2.0 */
/* reflect_types: the types of a module in the form of SPIRV-Cross's reflection, and their names in GLSL.
 *
 *     "types": {"_12": {"name": "Camera", "members": [{"name": "view", "type": "mat4", "offset": 0,
 *                                                      "matrix_stride": 16}, …]}}
 *
 * Each struct is a type with its id as its name, and members refer to it so. Other types are named as GLSL names them;
 * their dimensions are numbers beside them, the innermost first, as SPIRV-Cross has them: 0 is an array without a
 * length, and where array_size_is_literal is false, the number is the id of the constant. A pointer to memory
 * (PhysicalStorageBuffer) has the type it points to, and "physical_pointer": true; where that is no struct, or where an
 * array contains such pointers, it is a type of its own. */
#include "analysis/reflection/reflection.h"

enum { MOST_DIMENSIONS = 255 };

uint32_t spb_without_arrays(const struct spb_module *m, uint32_t type)
{
	for (uint32_t i = 0, next; i < MOST_DIMENSIONS && (next = spb_array_element(m, type)) != 0; i++)
		type = next;
	return type;
}

static bool is_physical_pointer(const struct spb_module *m, uint32_t type)
{
	spb_at at = m->def[type];

	return spb_op(m, at) == SpvOpTypePointer && m->words[at + 2] == SPB_PHYSICAL_STORAGE_BUFFER;
}

static const char *made(struct spb_reflection *r, const char *before, const char *format, ...)
{
	struct spb_text_buffer text = {.arena = r->scratch};
	va_list arguments;

	spb_text_put(&text, before);
	va_start(arguments, format);
	spb_text_vformat(&text, format, arguments);
	va_end(arguments);
	return spb_text_end(&text);
}

const char *spb_name_or_number(struct spb_reflection *r, uint32_t id)
{
	const char *name = spb_name(r->m, id);

	return *name ? name : made(r, "_", "%u", id);
}

const char *spb_name_of_type(struct spb_reflection *r, uint32_t type)
{
	const char *name = r->type_names[type];

	if (!name) {
		name = spb_name(r->m, type);
		r->type_names[type] = strlen(name) > SPB_LONG_NAME ? made(r, "_", "%u", type) : name;
	}
	return name;
}

/* Scalars, and what stands before "vec", "mat" and names of images for components of that type. */
struct scalar {
	const char *name, *prefix, *image_prefix;
};

static struct scalar scalar_of(const struct spb_module *m, uint32_t type)
{
	static const struct scalar integers[][4] = {
	    {{"uint8_t", "u8", "u"}, {"uint16_t", "u16", "u"}, {"uint", "u", "u"}, {"uint64_t", "u64", "u64"}},
	    {{"int8_t", "i8", "i"}, {"int16_t", "i16", "i"}, {"int", "i", "i"}, {"int64_t", "i64", "i64"}}};
	spb_at at = m->def[type];
	uint32_t width = spb_op(m, at) == SpvOpTypeInt || spb_op(m, at) == SpvOpTypeFloat ? m->words[at + 2] : 0;

	if (spb_op(m, at) == SpvOpTypeInt)
		return integers[m->words[at + 3] == 1][width == 8 ? 0 : width == 16 ? 1 : width == 64 ? 3 : 2];
	if (spb_op(m, at) == SpvOpTypeBool)
		return (struct scalar){"bool", "b", ""};
	if (width == 16)
		return (struct scalar){"float16_t", "f16", ""};
	return width == 64 ? (struct scalar){"double", "d", ""} : (struct scalar){"float", "", ""};
}

static const char *image_name(struct spb_reflection *r, spb_at at, bool sampled)
{
	static const char *const dims[] = {"1D", "2D", "3D", "Cube", "2DRect", "Buffer", "2D"};
	const uint32_t *w = r->m->words + at;
	const char *prefix = scalar_of(r->m, w[2]).image_prefix, *what = "texture";
	const char *dim = w[3] < SPB_COUNT(dims) ? dims[w[3]] : "2D";

	if (w[3] == SpvDimSubpassData)
		return made(r, prefix, "subpassInput%s", w[6] == 1 ? "MS" : "");
	if (sampled || (w[3] == SpvDimBuffer && w[7] == 1)) /* GLSL has no textureBuffer without the EXT of Vulkan */
		what = "sampler";
	else if (w[7] == 2)
		what = "image";
	return made(r, prefix, "%s%s%s%s%s", what, dim, w[6] == 1 ? "MS" : "", w[5] == 1 ? "Array" : "",
		    sampled && w[4] == 1 ? "Shadow" : "");
}

/* NULL: its columns are no vectors. Nothing has validated the module. */
static const char *matrix_name(struct spb_reflection *r, spb_at at)
{
	const struct spb_module *m = r->m;
	spb_at column = m->def[m->words[at + 2]];

	if (spb_op(m, column) != SpvOpTypeVector)
		return NULL;
	uint32_t columns = m->words[at + 3], rows = m->words[column + 3];
	const char *prefix = scalar_of(m, m->words[column + 2]).prefix;

	return columns == rows ? made(r, prefix, "mat%u", columns) : made(r, prefix, "mat%ux%u", columns, rows);
}

const char *spb_reflected_type(struct spb_reflection *r, uint32_t type)
{
	const struct spb_module *m = r->m;
	spb_at at = m->def[type = spb_without_arrays(m, type)];
	const char *known = NULL;

	if (spb_op(m, at) == SpvOpTypePointer) /* not further: structs are named, and pointers may form chains */
		at = m->def[type = spb_without_arrays(m, m->words[at + 3])];
	switch (spb_op(m, at)) {
	case SpvOpTypeInt:
	case SpvOpTypeFloat:
	case SpvOpTypeBool:
		return scalar_of(m, type).name;
	case SpvOpTypeVector:
		return made(r, scalar_of(m, m->words[at + 2]).prefix, "vec%u", m->words[at + 3]);
	case SpvOpTypeMatrix:
		known = matrix_name(r, at);
		break;
	case SpvOpTypeImage:
		return image_name(r, at, false);
	case SpvOpTypeSampledImage:
		if (spb_def_op(m, m->words[at + 2]) == SpvOpTypeImage)
			known = image_name(r, m->def[m->words[at + 2]], true);
		break;
	case SpvOpTypeSampler:
		return "sampler";
	case SpvOpTypeAccelerationStructureKHR:
		return "accelerationStructureEXT";
	case SpvOpTypeRayQueryKHR:
		return "rayQueryEXT";
	default:
		break;
	}
	const char *name = known ? known : spb_name_of_type(r, type);
	return *name ? name : made(r, "_", "%u", type);
}

void spb_reflect_array_keys(struct spb_reflection *r, uint32_t type)
{
	const struct spb_module *m = r->m;
	uint32_t lengths[MOST_DIMENSIONS], count = 0;
	bool literal[MOST_DIMENSIONS];

	for (; count < MOST_DIMENSIONS && spb_array_element(m, type); type = spb_array_element(m, type)) {
		spb_at at = m->def[type];
		uint32_t id = spb_op(m, at) == SpvOpTypeArray ? m->words[at + 3] : 0;
		uint64_t length = 0;
		literal[count] = !id || spb_def_op(m, id) == SpvOpConstant;
		if (literal[count])
			(void)spb_constant_value(m, id, &length);
		lengths[count] = literal[count] ? (uint32_t)length : id;
		count++;
	}
	if (!count)
		return;
	for (uint32_t i = 0; i < count / 2; i++) { /* the innermost first */
		uint32_t other = count - 1 - i, length = lengths[i];
		bool is_literal = literal[i];
		lengths[i] = lengths[other];
		lengths[other] = length;
		literal[i] = literal[other];
		literal[other] = is_literal;
	}
	spb_json_numbers_key(&r->j, "array", lengths, count);
	*spb_json_key_of(&r->j, "array_size_is_literal", 1) = '[';
	for (uint32_t i = 0; i < count; i++)
		spb_text_put(&r->j.text, literal[i] ? i ? ", true" : "true" : i ? ", false" : "false");
	spb_text_byte(&r->j.text, ']');
}

struct member { /* what notes say of one */
	const char *name;
	uint32_t offset, location, matrix_stride;
	bool has_offset, has_location, row_major;
};

static struct member *read_members(struct spb_reflection *r, uint32_t type, uint32_t count)
{
	const struct spb_module *m = r->m;
	struct member *members = spb_alloc_zeroed(r->scratch, count, sizeof *members);

	for (uint32_t i = m->first_note[type]; i < m->first_note[type + 1]; i++) {
		const uint32_t *w = m->words + m->note[i].at;
		uint32_t op = spb_op(m, m->note[i].at);
		if ((op != SpvOpMemberDecorate && op != SpvOpMemberName) || w[2] >= count)
			continue;
		struct member *x = &members[w[2]];
		if (op == SpvOpMemberName)
			x->name = spb_string(m, m->note[i].at + 3);
		else if (w[3] == SpvDecorationOffset)
			x->offset = w[4], x->has_offset = true;
		else if (w[3] == SpvDecorationLocation)
			x->location = w[4], x->has_location = true;
		else if (w[3] == SpvDecorationMatrixStride)
			x->matrix_stride = w[4];
		else if (w[3] == SpvDecorationRowMajor)
			x->row_major = true;
	}
	return members;
}

static void stride_key(struct spb_reflection *r, uint32_t type)
{
	uint32_t stride = spb_decoration(r->m, type, SpvDecorationArrayStride);

	if (stride)
		spb_json_number_key(&r->j, "array_stride", r->m->words[stride]);
}

static void number_type_key(struct spb_reflection *r, uint32_t type)
{
	spb_json_word_key(&r->j, "type", made(r, "_", "%u", type));
}

static void write_member(struct spb_reflection *r, const struct member *x, uint32_t index, uint32_t type)
{
	const struct spb_module *m = r->m;
	struct spb_json *j = &r->j;
	const uint32_t element = spb_without_arrays(m, type);
	const bool pointer = is_physical_pointer(m, type);

	spb_json_item(j, '{');
	spb_json_string_key(j, "name", x->name && *x->name ? x->name : made(r, "_m", "%u", index));
	if (pointer)
		number_type_key(r, m->words[m->def[type] + 3]);
	else if (spb_def_op(m, element) == SpvOpTypeStruct || is_physical_pointer(m, element))
		number_type_key(r, element);
	else
		spb_json_string_key(j, "type", spb_reflected_type(r, type));
	if (x->row_major)
		spb_json_bool_key(j, "row_major", true);
	spb_reflect_array_keys(r, type);
	if (x->has_location)
		spb_json_number_key(j, "location", x->location);
	if (x->has_offset)
		spb_json_number_key(j, "offset", x->offset);
	stride_key(r, type);
	if (x->matrix_stride)
		spb_json_number_key(j, "matrix_stride", x->matrix_stride);
	if (pointer)
		spb_json_bool_key(j, "physical_pointer", true);
	spb_json_close(j, '}', true);
}

/* Opens the list of types with the first one. */
static void begin_type(struct spb_reflection *r, uint32_t type, bool *any)
{
	struct spb_json *j = &r->j;

	if (!*any) {
		spb_json_key(j, "types");
		spb_json_open(j, '{');
	}
	*any = true;
	spb_json_key(j, made(r, "_", "%u", type));
	spb_json_open(j, '{');
	spb_json_string_key(j, "name", spb_reflected_type(r, type));
}

static void write_struct(struct spb_reflection *r, uint32_t type, bool *any)
{
	const struct spb_module *m = r->m;
	const spb_at at = m->def[type];
	const uint32_t count = spb_length(m, at) - 2;
	const struct member *members = read_members(r, type, count);

	begin_type(r, type, any);
	spb_json_key(&r->j, "members");
	spb_json_open(&r->j, '[');
	for (uint32_t i = 0; i < count; i++)
		write_member(r, &members[i], i, m->words[at + 2 + i]);
	spb_json_close(&r->j, ']', count != 0);
	spb_json_close(&r->j, '}', true);
}

/* What a pointer to memory points to, if it is no struct. */
static void write_pointee(struct spb_reflection *r, uint32_t type, bool *any)
{
	const struct spb_module *m = r->m;
	struct spb_json *j = &r->j;

	begin_type(r, type, any);
	if (is_physical_pointer(m, type)) {
		number_type_key(r, m->words[m->def[type] + 3]);
		spb_json_bool_key(j, "physical_pointer", true);
	} else if (spb_array_element(m, type)) {
		spb_reflect_array_keys(r, type);
		number_type_key(r, spb_array_element(m, type));
		stride_key(r, type);
	} else {
		spb_json_key(j, "members");
		spb_json_open(j, '[');
		spb_json_close(j, ']', false);
	}
	spb_json_close(j, '}', true);
}

void spb_reflect_types(struct spb_reflection *r)
{
	const struct spb_module *m = r->m;
	const spb_at begin = m->section[SPB_SECTION_GLOBAL], end = m->section[SPB_SECTION_FUNCTION];
	uint32_t *written = spb_bits(r->scratch, m->bound);
	bool any = false;

	for (spb_at at = begin; at < end; at = spb_next(m, at)) {
		if (spb_op(m, at) == SpvOpTypeStruct)
			write_struct(r, m->words[at + 1], &any);
	}
	for (spb_at at = begin; at < end; at = spb_next(m, at)) {
		const uint32_t element = spb_op_is(spb_op(m, at), SPB_OP_ARRAY) ? m->words[at + 2] : 0;
		uint32_t type = 0;
		if (spb_op(m, at) == SpvOpTypePointer && m->words[at + 2] == SPB_PHYSICAL_STORAGE_BUFFER)
			type = m->words[at + 3];
		else if (element && is_physical_pointer(m, element))
			type = element;
		if (type && spb_def_op(m, type) != SpvOpTypeStruct && !spb_bit(written, type))
			write_pointee(r, type, &any);
		spb_set_bit(written, type);
	}
	if (any)
		spb_json_close(&r->j, '}', true);
}
