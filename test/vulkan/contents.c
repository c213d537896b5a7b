/* SPDX-License-Identifier: Apache-2.0 */
/* contents: buffers, images and samplers whose contents identify the descriptor (see run.h).
 *
 * For drivers that run on the CPU: all memory is host-visible, and all images are used in the layout GENERAL. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

struct format {
	const char *name; /* SPIR-V ImageFormat */
	VkFormat vulkan;
	uint32_t channels, bits; /* per channel: 8 (unorm), 32, or others, which are not written texel by texel */
	bool is_float;
};

static const struct format formats[] = {
    {"R32ui", VK_FORMAT_R32_UINT, 1, 32, false},
    {"R32i", VK_FORMAT_R32_SINT, 1, 32, false},
    {"R32f", VK_FORMAT_R32_SFLOAT, 1, 32, true},
    {"Rgba8", VK_FORMAT_R8G8B8A8_UNORM, 4, 8, false},
    {"Rgba32f", VK_FORMAT_R32G32B32A32_SFLOAT, 4, 32, true},
    {"Rgba32ui", VK_FORMAT_R32G32B32A32_UINT, 4, 32, false},
    {"Rgba32i", VK_FORMAT_R32G32B32A32_SINT, 4, 32, false},
    {"Rgba8ui", VK_FORMAT_R8G8B8A8_UINT, 4, 8, false},
    /* not used by vulkan_run; put_texels leaves them unchanged */
    {"Rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT, 4, 16, true},
    {"Rg32f", VK_FORMAT_R32G32_SFLOAT, 2, 32, true},
    {"Rg16f", VK_FORMAT_R16G16_SFLOAT, 2, 16, true},
    {"R16f", VK_FORMAT_R16_SFLOAT, 1, 16, true},
    {"R11fG11fB10f", VK_FORMAT_B10G11R11_UFLOAT_PACK32, 2, 16, false},
    {"Rgb10A2", VK_FORMAT_A2B10G10R10_UNORM_PACK32, 2, 16, false},
    {"Rgba8Snorm", VK_FORMAT_R8G8B8A8_SNORM, 2, 16, false},
    {"Rgba16", VK_FORMAT_R16G16B16A16_UNORM, 4, 16, false},
    {"Rg16", VK_FORMAT_R16G16_UNORM, 2, 16, false},
    {"R16", VK_FORMAT_R16_UNORM, 1, 16, false},
    {"R8", VK_FORMAT_R8_UNORM, 1, 8, false},
    {"Rg8", VK_FORMAT_R8G8_UNORM, 2, 8, false},
    {"R8ui", VK_FORMAT_R8_UINT, 1, 8, false},
    {"R8i", VK_FORMAT_R8_SINT, 1, 8, false},
    {"R16ui", VK_FORMAT_R16_UINT, 1, 16, false},
    {"R16i", VK_FORMAT_R16_SINT, 1, 16, false},
    {"Rg32ui", VK_FORMAT_R32G32_UINT, 2, 32, false},
    {"Rg32i", VK_FORMAT_R32G32_SINT, 2, 32, false},
    {"Rgba16ui", VK_FORMAT_R16G16B16A16_UINT, 4, 16, false},
    {"Rgba16i", VK_FORMAT_R16G16B16A16_SINT, 4, 16, false},
    {"Rgba8i", VK_FORMAT_R8G8B8A8_SINT, 2, 16, false},
    {"R64ui", VK_FORMAT_R64_UINT, 2, 32, false},
    {"R64i", VK_FORMAT_R64_SINT, 2, 32, false},
};

static bool is(const struct type *type, const char *kind)
{
	return !strcmp(type->kind, kind);
}

static const struct format *format_of(const struct type *type)
{
	static const struct format depth = {"", VK_FORMAT_D32_SFLOAT, 1, 32, true};
	const char *name = type->format;

	if (type->depth)
		return &depth;
	if (!*name || !strcmp(name, "Unknown"))
		name = !strcmp(type->element, "uint")                ? "R32ui"
		       : !strcmp(type->element, "int")               ? "R32i"
		       : is(type, "texture") || is(type, "combined") ? "Rgba8"
								     : "R32f";
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	}
	die("the layout has the image format %s, which this runner does not know", name);
}

VkFormat element_format(const struct element *e)
{
	return format_of(e->type)->vulkan;
}

static uint32_t bytes_of(const struct format *f)
{
	return f->channels * f->bits / 8;
}

/* Texels of a buffer: the first channel is first + step * (j - begin), the others 0, alpha of unorm 255. */
static void put_texels(struct element *e, const struct format *f, uint32_t begin, uint32_t end, uint32_t first,
		       uint32_t step)
{
	if (f->bits == 16 || bytes_of(f) < 4)
		return;
	for (uint32_t j = begin; j < end; j++) {
		uint32_t value = first + step * (j - begin);
		float as_float = (float)value;
		if (f->bits == 8) {
			e->words[j] = (value & 255) | 255u << 24;
			continue;
		}
		if (f->is_float)
			memcpy(&value, &as_float, sizeof value);
		for (uint32_t k = 0; k < f->channels; k++)
			e->words[j * f->channels + k] = k == 0 ? value : 0;
	}
}

static VkDeviceMemory allocate(struct device *d, VkMemoryRequirements needs, bool addressed)
{
	VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
	VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
					   .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
	VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
				     .pNext = addressed ? &flags : NULL,
				     .allocationSize = needs.size};
	VkDeviceMemory memory;

	for (uint32_t i = 0; i < d->memory.memoryTypeCount; i++) {
		if (!(needs.memoryTypeBits >> i & 1) || (d->memory.memoryTypes[i].propertyFlags & wanted) != wanted)
			continue;
		info.memoryTypeIndex = i;
		check(vkAllocateMemory(d->device, &info, NULL, &memory), "vkAllocateMemory");
		return memory;
	}
	die("the device has no host-visible memory for this");
}

struct element element_buffer(struct device *d, VkDeviceSize size, VkBufferUsageFlags usage)
{
	struct element e = {.size = size};
	VkMemoryRequirements needs;

	check(vkCreateBuffer(
		  d->device,
		  &(VkBufferCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage},
		  NULL, &e.buffer),
	      "vkCreateBuffer");
	vkGetBufferMemoryRequirements(d->device, e.buffer, &needs);
	e.buffer_memory = allocate(d, needs, usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
	check(vkBindBufferMemory(d->device, e.buffer, e.buffer_memory, 0), "vkBindBufferMemory");
	check(vkMapMemory(d->device, e.buffer_memory, 0, VK_WHOLE_SIZE, 0, (void **)&e.words), "vkMapMemory");
	return e;
}

static struct element make_block(struct device *d, const struct type *type, uint32_t n)
{
	bool storage = is(type, "ssbo");
	uint32_t size = (type->size + (storage ? type->stride * 128 * (n + 1) : 0) + 15) & ~15u;
	VkBufferUsageFlags usage = storage ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT : VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
	if (d->uses.vulkan12.bufferDeviceAddress)
		usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
	struct element e = element_buffer(d, size ? size : 16, usage);

	for (uint32_t j = 0; j < e.size / 4; j++)
		e.words[j] = 1000 * (n + 1) + j;
	return e;
}

static struct element make_texel_buffer(struct device *d, const struct type *type, uint32_t n)
{
	const struct format *f = format_of(type);
	VkBufferUsageFlags usage =
	    is(type, "stexbuf") ? VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT : VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
	struct element e = element_buffer(d, (16 + n) * bytes_of(f), usage);

	put_texels(&e, f, 0, 16 + n, 1000 * (n + 1), 1);
	check(vkCreateBufferView(d->device,
				 &(VkBufferViewCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
							   .buffer = e.buffer,
							   .format = f->vulkan,
							   .range = VK_WHOLE_SIZE},
				 NULL, &e.texels),
	      "vkCreateBufferView");
	return e;
}

struct shape {
	VkImageType image;
	VkImageViewType view;
	VkExtent3D extent;
	uint32_t layers, levels;
};

enum { DRAWN_SIZE = 16, DRAWN_LEVELS = 5 };

static bool has_levels(const struct device *d, const struct type *type)
{
	return d->draws && !is(type, "image") && !type->arrayed && !type->multisampled && !type->depth &&
	       !strcmp(type->element, "float") && !strcmp(type->dim, "2D");
}

static struct shape shape_of(const struct device *d, const struct type *type, uint32_t n)
{
	uint32_t w = 4 + n, a = type->arrayed ? 1 : 0;

	if (has_levels(d, type))
		return (struct shape){
		    VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {DRAWN_SIZE, DRAWN_SIZE, 1}, 1, DRAWN_LEVELS};

	if (!strcmp(type->dim, "1D"))
		return (struct shape){
		    VK_IMAGE_TYPE_1D, a ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D, {w, 1, 1}, 1 + a, 1};
	if (!strcmp(type->dim, "3D"))
		return (struct shape){VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, {w, 4, 2}, 1, 1};
	if (!strcmp(type->dim, "Cube"))
		return (struct shape){VK_IMAGE_TYPE_2D,
				      a ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE,
				      {w, w, 1},
				      6 + 6 * a,
				      1};
	return (struct shape){
	    VK_IMAGE_TYPE_2D, a ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D, {w, 4, 1}, 1 + a, 1};
}

static VkExtent3D level_extent(const struct element *e, uint32_t level)
{
	return level ? (VkExtent3D){e->extent.width >> level, e->extent.height >> level, 1} : e->extent;
}

/* The beginning of level `level` in e->buffer, in texels. */
static uint32_t level_begin(const struct element *e, uint32_t level)
{
	uint32_t begin = 0;

	for (uint32_t k = 0; k < level; k++) {
		VkExtent3D x = level_extent(e, k);
		begin += x.width * x.height * x.depth * e->layers;
	}
	return begin;
}

/* All texels of a level: the first channel is 200 + n - 40 * level, or n / 16 for a depth. */
static void put_image(struct element *e, const struct format *f, bool depth)
{
	float texel = (float)e->number / 16;

	for (uint32_t k = 0; k < e->levels; k++)
		put_texels(e, f, level_begin(e, k), level_begin(e, k + 1), 200 + e->number - 40 * k, 0);
	for (size_t j = 0; depth && j < e->size / 4; j++)
		memcpy(&e->words[j], &texel, sizeof texel);
}

static void add_view(struct device *d, struct element *e, VkImageViewType view, VkFormat format)
{
	check(vkCreateImageView(d->device,
				&(VkImageViewCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
							 .image = e->image,
							 .viewType = view,
							 .format = format,
							 .subresourceRange = {e->aspect, 0, e->levels, 0, e->layers}},
				NULL, &e->view),
	      "vkCreateImageView");
}

static struct element make_image(struct device *d, const struct type *type, uint32_t n)
{
	const struct format *f = format_of(type);
	struct shape s = shape_of(d, type, n);
	struct element shape = {.extent = s.extent, .layers = s.layers, .levels = s.levels};
	VkDeviceSize size = (VkDeviceSize)level_begin(&shape, s.levels) * bytes_of(f);
	struct element e = element_buffer(d, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	VkMemoryRequirements needs;
	VkImageUsageFlags use = is(type, "image") ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT;

	e.extent = s.extent;
	e.layers = s.layers;
	e.levels = s.levels;
	e.number = n;
	e.aspect = type->depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
	put_image(&e, f, type->depth);
	check(vkCreateImage(d->device,
			    &(VkImageCreateInfo){
				.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
				.flags = s.layers >= 6 ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
				.imageType = s.image,
				.format = f->vulkan,
				.extent = s.extent,
				.mipLevels = s.levels,
				.arrayLayers = s.layers,
				.samples = type->multisampled ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
				.usage = use | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
			    },
			    NULL, &e.image),
	      "vkCreateImage");
	vkGetImageMemoryRequirements(d->device, e.image, &needs);
	e.image_memory = allocate(d, needs, false);
	check(vkBindImageMemory(d->device, e.image, e.image_memory, 0), "vkBindImageMemory");
	add_view(d, &e, s.view, f->vulkan);
	return e;
}

static VkSampler make_sampler(struct device *d, uint32_t n, bool compares)
{
	static const VkBorderColor borders[] = {VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
						VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
						VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};
	VkSamplerAddressMode mode =
	    n % 4 ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
	VkSampler sampler;

	check(vkCreateSampler(d->device,
			      &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
						     .addressModeU = mode,
						     .addressModeV = mode,
						     .addressModeW = mode,
						     .compareEnable = compares,
						     .compareOp = VK_COMPARE_OP_LESS,
						     .maxLod = VK_LOD_CLAMP_NONE,
						     .borderColor = borders[n % 4]},
			      NULL, &sampler),
	      "vkCreateSampler");
	return sampler;
}

static struct element make_element(struct device *d, const struct type *type, uint32_t n, bool compares)
{
	struct element e = {0};

	if (is(type, "ubo") || is(type, "ssbo"))
		e = make_block(d, type, n);
	else if (is(type, "utexbuf") || is(type, "stexbuf"))
		e = make_texel_buffer(d, type, n);
	else if (is(type, "texture") || is(type, "image") || is(type, "combined"))
		e = make_image(d, type, n);
	else if (is(type, "as"))
		e.acceleration = acceleration_make(d, n);
	else if (!is(type, "sampler"))
		die("this runner has no resources of the kind %s", type->kind);
	if (is(type, "sampler") || is(type, "combined"))
		e.sampler = make_sampler(d, n % FILLED, compares || type->depth);
	e.type = type;
	return e;
}

void elements_make(struct device *d, struct binding *b)
{
	b->elements = zeroed(b->filled, sizeof *b->elements);
	for (uint32_t k = 0; k < b->filled; k++)
		b->elements[k] = make_element(d, &b->types[k % b->type_count], k / b->type_count,
					      b->filled > b->type_count * FILLED && b->runtime && k >= FILLED);
}

static VkBufferImageCopy whole(const struct element *e, uint32_t level)
{
	return (VkBufferImageCopy){.bufferOffset = (VkDeviceSize)level_begin(e, level) * bytes_of(format_of(e->type)),
				   .imageSubresource = {e->aspect, level, 0, e->layers},
				   .imageExtent = level_extent(e, level)};
}

void element_move(VkCommandBuffer commands, const struct element *e, VkImageLayout from, VkImageLayout to)
{
	VkImageMemoryBarrier barrier = {
	    .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
	    .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
	    .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
	    .oldLayout = from,
	    .newLayout = to,
	    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
	    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
	    .image = e->image,
	    .subresourceRange = {e->aspect, 0, e->levels, 0, e->layers},
	};

	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
			     NULL, 0, NULL, 1, &barrier);
}

/* Multisampled images cannot be copied to. Samples are read one by one, so one colour suffices. */
static void clear(VkCommandBuffer commands, const struct element *e)
{
	const struct format *f = format_of(e->type);
	VkImageSubresourceRange all = {e->aspect, 0, 1, 0, e->layers};
	VkClearColorValue color = {.uint32 = {200 + e->number}};

	if (f->bits == 8 || f->is_float)
		color.float32[0] = (float)(200 + e->number) / (f->is_float ? 1 : 255);
	vkCmdClearColorImage(commands, e->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &all);
}

void elements_upload(struct device *d, VkCommandBuffer commands, struct binding *b)
{
	for (uint32_t k = 0; k < b->filled; k++) {
		struct element *e = &b->elements[k];
		if (e->acceleration)
			acceleration_build(d, commands, e->acceleration);
		if (!e->image)
			continue;
		element_move(commands, e, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
		if (e->type->multisampled)
			clear(commands, e);
		for (uint32_t level = 0; level < e->levels && !e->type->multisampled; level++)
			vkCmdCopyBufferToImage(commands, e->buffer, e->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
					       (VkBufferImageCopy[]){whole(e, level)});
		element_move(commands, e, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
	}
}

void elements_download(VkCommandBuffer commands, struct binding *b)
{
	for (uint32_t k = 0; k < b->filled; k++) {
		struct element *e = &b->elements[k];
		if (e->type->descriptor != VK_DESCRIPTOR_TYPE_STORAGE_IMAGE || e->type->multisampled)
			continue;
		VkBufferImageCopy copy = whole(e, 0);
		element_move(commands, e, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
		vkCmdCopyImageToBuffer(commands, e->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, e->buffer, 1, &copy);
	}
}

void elements_free(struct device *d, struct binding *b)
{
	for (uint32_t k = 0; k < b->filled; k++) {
		struct element *e = &b->elements[k];
		if (e->acceleration)
			acceleration_free(d, e->acceleration);
		vkDestroySampler(d->device, e->sampler, NULL);
		vkDestroyImageView(d->device, e->view, NULL);
		vkDestroyImage(d->device, e->image, NULL);
		vkFreeMemory(d->device, e->image_memory, NULL);
		vkDestroyBufferView(d->device, e->texels, NULL);
		vkDestroyBuffer(d->device, e->buffer, NULL);
		vkFreeMemory(d->device, e->buffer_memory, NULL);
	}
	free(b->elements);
}
