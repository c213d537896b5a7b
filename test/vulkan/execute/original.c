/* SPDX-License-Identifier: Apache-2.0 */
/* original: the resources of a compute shader by SPIRV-Cross's reflection, their memory, and its contents.
 *
 * Contents depend on the resource, the element and the word only, in two patterns: small numbers, which serve as
 * counts and as indexes into any array of descriptors, and floats between 0.25 and 4.25, which do not. Images hold
 * values of their format. */
#include <spirv_cross_c.h>
#include <stdlib.h>
#include <string.h>

#include "execute.h"

static const struct {
	spvc_resource_type resource;
	const char *kind, *buffer; /* `buffer`: kind of an image of dimension Buffer */
	VkDescriptorType type, buffer_type;
} kinds[] = {
    {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, "ubo", NULL, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0},
    {SPVC_RESOURCE_TYPE_STORAGE_BUFFER, "ssbo", NULL, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0},
    {SPVC_RESOURCE_TYPE_STORAGE_IMAGE, "image", "stexbuf", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
     VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER},
    {SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, "combined", "utexbuf", VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
     VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
    {SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, "texture", "utexbuf", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
     VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
    {SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS, "sampler", NULL, VK_DESCRIPTOR_TYPE_SAMPLER, 0},
    {SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE, "as", NULL, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 0},
};

/* ImageFormat by number: "Enumerants of Image Format" of the SPIR-V specification. */
static const char *const format_names[] = {
    "",         "Rgba32f",  "Rgba16f", "R32f",     "Rgba8",    "Rgba8Snorm", "Rg32f", "Rg16f",       "R11fG11fB10f",
    "R16f",     "Rgba16",   "Rgb10A2", "Rg16",     "Rg8",      "R16",        "R8",    "Rgba16Snorm", "Rg16Snorm",
    "Rg8Snorm", "R16Snorm", "R8Snorm", "Rgba32i",  "Rgba16i",  "Rgba8i",     "R32i",  "Rg32i",       "Rg16i",
    "Rg8i",     "R16i",     "R8i",     "Rgba32ui", "Rgba16ui", "Rgba8ui",    "R32ui", "Rgb10a2ui",   "Rg32ui",
    "Rg16ui",   "Rg8ui",    "R16ui",   "R8ui",     "R64ui",    "R64i"};

static const char *dimension_of(SpvDim dim)
{
	return dim == SpvDim1D ? "1D" : dim == SpvDim3D ? "3D" : dim == SpvDimCube ? "Cube" : "2D";
}

static const char *element_of(spvc_compiler c, spvc_type image)
{
	spvc_type sampled = spvc_compiler_get_type_handle(c, spvc_type_get_image_sampled_type(image));

	switch ((int)spvc_type_get_basetype(sampled)) {
	case SPVC_BASETYPE_INT32:
	case SPVC_BASETYPE_INT16:
		return "int";
	case SPVC_BASETYPE_UINT32:
	case SPVC_BASETYPE_UINT16:
		return "uint";
	default:
		return "float";
	}
}

static void read_image(spvc_compiler c, spvc_type image, struct type *type)
{
	size_t format = (size_t)spvc_type_get_image_storage_format(image);

	type->format = format < sizeof format_names / sizeof format_names[0] ? format_names[format] : "unknown";
	type->dim = dimension_of(spvc_type_get_image_dimension(image));
	type->arrayed = spvc_type_get_image_arrayed(image);
	type->multisampled = spvc_type_get_image_multisampled(image);
	type->element = element_of(c, image);
	type->depth = spvc_type_get_image_is_depth(image) && strcmp(type->kind, "image") != 0;
}

static void read_block(spvc_compiler c, spvc_type block, struct type *type)
{
	size_t size = 0, longer = 0;

	spvc_compiler_get_declared_struct_size(c, block, &size);
	if (spvc_compiler_get_declared_struct_size_runtime_array(c, block, 1, &longer) == SPVC_SUCCESS && longer > size)
		type->stride = (uint32_t)(longer - size);
	type->size = (uint32_t)size;
}

static uint32_t length_of(spvc_compiler c, spvc_type type, bool *runtime)
{
	uint32_t count = 1;

	for (unsigned i = 0; i < spvc_type_get_num_array_dimensions(type); i++) {
		uint32_t n = spvc_type_get_array_dimension(type, i);
		if (!spvc_type_array_dimension_is_literal(type, i))
			n = spvc_constant_get_scalar_u32(spvc_compiler_get_constant_handle(c, n), 0, 0);
		*runtime |= !n;
		count *= n ? n : MOST_DESCRIPTORS;
	}
	return count;
}

/* Views of one binding: a texture and a sampler are a combined image-sampler; of blocks the larger one is taken. */
static const char *join(struct binding *b, const struct binding *view)
{
	struct type *into = &b->types[0];
	const struct type *from = &view->types[0];
	bool image = !!*into->dim, other = !!*from->dim;

	b->count = view->count > b->count ? view->count : b->count;
	b->runtime |= view->runtime;
	if (into->size < from->size)
		into->size = from->size;
	if (into->stride < from->stride)
		into->stride = from->stride;
	into->depth |= from->depth;
	if (into->descriptor == from->descriptor)
		return NULL;
	if (into->descriptor != VK_DESCRIPTOR_TYPE_SAMPLER && from->descriptor != VK_DESCRIPTOR_TYPE_SAMPLER &&
	    into->descriptor != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER &&
	    from->descriptor != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
		return "two descriptor types at one binding";
	if (!image && other) {
		bool depth = into->depth;
		*into = *from;
		into->depth = depth;
	}
	into->kind = "combined";
	into->descriptor = b->descriptor = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
	return NULL;
}

static const char *add(struct original *o, uint32_t id, const struct binding *b)
{
	struct resource *r = NULL;

	if (b->count > MOST_DESCRIPTORS || b->set >= MAX_SETS)
		return "a set or a count is beyond this program";
	for (uint32_t i = 0; i < o->count; i++) {
		if (o->items[i].at.set == b->set && o->items[i].at.binding == b->binding)
			r = &o->items[i];
	}
	if (!r) {
		if (o->count == MOST_RESOURCES)
			return "too many resources";
		r = &o->items[o->count++];
		r->at = *b;
	} else {
		const char *wrong = join(&r->at, b);
		if (wrong)
			return wrong;
	}
	if (r->id_count == MOST_VIEWS)
		return "too many views of one binding";
	r->ids[r->id_count++] = id;
	o->arrays |= b->count > 1;
	if (b->count > 1 && b->count < o->indexes)
		o->indexes = b->count;
	r->at.filled = r->at.count;
	return NULL;
}

static const char *read_kind(spvc_compiler c, spvc_resources resources, size_t k, struct original *o)
{
	const spvc_reflected_resource *list;
	const char *wrong = NULL;
	size_t count;

	spvc_resources_get_resource_list_for_type(resources, kinds[k].resource, &list, &count);
	for (size_t i = 0; i < count && !wrong; i++) {
		struct binding b = {.set = spvc_compiler_get_decoration(c, list[i].id, SpvDecorationDescriptorSet),
				    .binding = spvc_compiler_get_decoration(c, list[i].id, SpvDecorationBinding),
				    .type_count = 1};
		struct type *t = &b.types[0];
		spvc_type type = spvc_compiler_get_type_handle(c, list[i].base_type_id);

		*t = (struct type){.kind = kinds[k].kind,
				   .descriptor = kinds[k].type,
				   .element = "",
				   .dim = "",
				   .format = "",
				   .block = ""};
		b.count = length_of(c, spvc_compiler_get_type_handle(c, list[i].type_id), &b.runtime);
		if (k <= 1)
			read_block(c, type, t);
		else if (kinds[k].buffer || !strcmp(t->kind, "texture"))
			read_image(c, type, t);
		if (kinds[k].buffer && spvc_type_get_image_dimension(type) == SpvDimBuffer) {
			t->kind = kinds[k].buffer;
			t->descriptor = kinds[k].buffer_type;
		}
		b.descriptor = t->descriptor;
		wrong = add(o, list[i].id, &b);
	}
	return wrong;
}

static const char *read_with(spvc_compiler c, struct original *o, const char *entry)
{
	const spvc_reflected_resource *list;
	spvc_resources resources;
	spvc_set active;
	size_t count;
	const char *wrong = NULL;

	if (strlen(entry) >= sizeof o->entry ||
	    spvc_compiler_set_entry_point(c, entry, SpvExecutionModelGLCompute) != SPVC_SUCCESS ||
	    spvc_compiler_get_active_interface_variables(c, &active) != SPVC_SUCCESS ||
	    spvc_compiler_create_shader_resources_for_active_variables(c, &resources, active) != SPVC_SUCCESS)
		return "SPIRV-Cross does not reflect it";
	strcpy(o->entry, entry);
	o->indexes = 8;
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && !wrong; k++)
		wrong = read_kind(c, resources, k, o);
	spvc_resources_get_resource_list_for_type(resources, SPVC_RESOURCE_TYPE_PUSH_CONSTANT, &list, &count);
	for (size_t i = 0; i < count; i++) {
		size_t size = 0;
		spvc_compiler_get_declared_struct_size(c, spvc_compiler_get_type_handle(c, list[i].base_type_id),
						       &size);
		o->push_size = (uint32_t)(size + 3) / 4 * 4;
	}
	return wrong;
}

const char *original_read(struct original *o, const struct program *program, const char *entry)
{
	const char *wrong = "SPIRV-Cross does not read it";
	spvc_context context;
	spvc_parsed_ir ir;
	spvc_compiler c;

	if (spvc_context_create(&context) != SPVC_SUCCESS)
		die("spvc_context_create");
	if (spvc_context_parse_spirv(context, program->words, program->count, &ir) == SPVC_SUCCESS &&
	    spvc_context_create_compiler(context, SPVC_BACKEND_NONE, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &c) ==
		SPVC_SUCCESS)
		wrong = read_with(c, o, entry);
	spvc_context_destroy(context);
	return wrong;
}

const struct resource *original_find(const struct original *o, uint32_t id)
{
	for (uint32_t i = 0; i < o->count; i++) {
		for (uint32_t k = 0; k < o->items[i].id_count; k++) {
			if (o->items[i].ids[k] == id)
				return &o->items[i];
		}
	}
	return NULL;
}

void original_make(struct maker *v, struct original *o)
{
	for (uint32_t i = 0; i < o->count; i++) {
		struct resource *r = &o->items[i];
		elements_make(&v->device, &r->at);
		r->before = zeroed(original_words(r) + 1, sizeof *r->before);
	}
}

static uint32_t mixed(uint32_t x)
{
	x = (x ^ x >> 16) * 0x7FEB352Du;
	x = (x ^ x >> 15) * 0x846CA68Bu;
	return x ^ x >> 16;
}

uint32_t pattern_word(const struct original *o, uint32_t pattern, uint32_t resource, uint32_t element, uint32_t word)
{
	uint32_t random = mixed(mixed(resource * 64 + element) + word), bits;
	float as_float = 0.25f + (float)(random % 1024) / 256;

	if (!pattern)
		return random % o->indexes;
	memcpy(&bits, &as_float, sizeof bits);
	return bits;
}

/* A word of texels of this format, without infinities and NaNs. */
static uint32_t texel_word(VkFormat format, uint32_t random)
{
	float as_float = (float)(random % 1024) / 1024;

	switch ((int)format) {
	case VK_FORMAT_D32_SFLOAT:
	case VK_FORMAT_R32_SFLOAT:
	case VK_FORMAT_R32G32_SFLOAT:
	case VK_FORMAT_R32G32B32A32_SFLOAT:
		memcpy(&random, &as_float, sizeof random);
		return random;
	case VK_FORMAT_R16_SFLOAT:
	case VK_FORMAT_R16G16_SFLOAT:
	case VK_FORMAT_R16G16B16A16_SFLOAT:
		return (random & 0x0FFF0FFF) + 0x30003000;
	case VK_FORMAT_B10G11R11_UFLOAT_PACK32:
		return random & 0x7FDFFBFF;
	case VK_FORMAT_R8_UNORM:
	case VK_FORMAT_R8G8_UNORM:
	case VK_FORMAT_R8G8B8A8_UNORM:
	case VK_FORMAT_R8G8B8A8_SNORM:
	case VK_FORMAT_R16_UNORM:
	case VK_FORMAT_R16G16_UNORM:
	case VK_FORMAT_R16G16B16A16_UNORM:
	case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
		return random;
	default:
		return random & 0x07070707;
	}
}

void original_fill(struct original *o, uint32_t pattern)
{
	for (uint32_t i = 0; i < o->count; i++) {
		for (uint32_t k = 0; k < o->items[i].at.filled; k++) {
			struct element *e = &o->items[i].at.elements[k];
			bool texels = e->image || e->texels;
			for (uint32_t j = 0; e->words && j < e->size / 4; j++)
				e->words[j] = texels ? texel_word(element_format(e), mixed(mixed(i * 64 + k) + j))
						     : pattern_word(o, pattern, i, k, j);
		}
	}
}

size_t original_words(const struct resource *r)
{
	VkDescriptorType type = r->at.descriptor;
	size_t count = 0;

	if (type != VK_DESCRIPTOR_TYPE_STORAGE_BUFFER && type != VK_DESCRIPTOR_TYPE_STORAGE_IMAGE &&
	    type != VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)
		return 0;
	for (uint32_t k = 0; k < r->at.filled; k++)
		count += (size_t)r->at.elements[k].size / 4;
	return count;
}

void original_copy(const struct resource *r, uint32_t *words)
{
	for (uint32_t k = 0; k < r->at.filled && original_words(r); k++) {
		size_t count = (size_t)r->at.elements[k].size / 4;
		memcpy(words, r->at.elements[k].words, count * 4);
		words += count;
	}
}

void original_free(struct maker *v, struct original *o)
{
	for (uint32_t i = 0; i < o->count; i++) {
		elements_free(&v->device, &o->items[i].at);
		free(o->items[i].before);
	}
}
