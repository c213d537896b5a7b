/* SPDX-License-Identifier: Apache-2.0 */
/* layout_header: the layout as text for compilers: a C header with arguments for Vulkan's functions, and the numbers as
 * macros for shaders.
 *
 * Every name is PREFIX_NAME_what. NAME comes from the module, where it may be anything: characters that an
 * identifier cannot have become '_'. Names that become equal, are cut, or look as if they ended in such a suffix
 * already, end in _xN, where N is the index of the descriptor; so all are distinct. Equal programs produce identical
 * bytes. */
#include "lib/lib.h"

struct header {
	struct spb_program *p; /* NULL: for sets that several programs share */
	struct spb_arena *keep, *scratch;
	const char *prefix;
	struct spb_text_buffer text;
	const spb_descriptor_binding *descriptors; /* by set, then binding */
	size_t count;
	const char **names;        /* of the descriptors, without prefix */
	const char **module_names; /* likewise */
};

/* Names */

static void make_names(struct header *h)
{
	struct spb_arena *arena = h->keep;

	h->names = spb_alloc_array(arena, h->count, sizeof *h->names);
	for (uint32_t i = 0; i < h->count; i++) {
		const spb_descriptor_binding *d = &h->descriptors[i];
		struct spb_text_buffer text = {.arena = arena};
		h->names[i] = spb_c_identifier(arena, d->name);
		if (*h->names[i])
			continue;
		spb_text_format(&text, "%u_%u", d->set, d->binding);
		h->names[i] = spb_text_end(&text);
	}
	spb_c_distinct(arena, h->names, h->count);
}

/* Numbers */

/* A name of a module cannot end the comment. */
static void put_comment(struct header *h, const char *name)
{
	if (!*name)
		return;
	spb_text_put(&h->text, "/* ");
	for (const char *c = name; *c; c++)
		spb_text_byte(&h->text, spb_c_is_word(*c) || strchr("_.$[]<>: ", *c) ? *c : '?');
	spb_text_put(&h->text, " */\n");
}

static uint32_t count_sets(const struct header *h)
{
	return h->count ? h->descriptors[h->count - 1].set + 1 : 0;
}

static void put_numbers(struct header *h, const char *suffix)
{
	spb_text_format(&h->text, "#define %s_sets %u%s /* the highest set and 1 */\n", h->prefix, count_sets(h),
			suffix);
	for (size_t i = 0; i < h->count; i++) {
		const spb_descriptor_binding *d = &h->descriptors[i];
		const char *what = d->descriptor_type == SPB_VK_INLINE_UNIFORM_BLOCK ? "size" : "count";
		put_comment(h, d->name);
		spb_text_format(&h->text, "#define %s_%s_set %u%s\n", h->prefix, h->names[i], d->set, suffix);
		spb_text_format(&h->text, "#define %s_%s_binding %u%s\n", h->prefix, h->names[i], d->binding, suffix);
		if (d->count)
			spb_text_format(&h->text, "#define %s_%s_%s %u%s\n", h->prefix, h->names[i], what, d->count,
					suffix);
	}
}

/* Vulkan, vkCmdBindDescriptorSets: the offsets of a set are in the order of its bindings. Each is counted from the one
 * before it, since its array may be of a size that the host defines. */
static void put_dynamic_offsets(struct header *h)
{
	const char *last = NULL; /* of the set */

	for (size_t i = 0; i < h->count; i++) {
		const spb_descriptor_binding *d = &h->descriptors[i];
		if (d->descriptor_type == SPB_VK_UNIFORM_BUFFER_DYNAMIC ||
		    d->descriptor_type == SPB_VK_STORAGE_BUFFER_DYNAMIC) {
			spb_text_format(&h->text, "#define %s_%s_dynamic_offset ", h->prefix, h->names[i]);
			if (last)
				spb_text_format(&h->text, "(%s_%s_dynamic_offset + %s_%s_count)", h->prefix, last,
						h->prefix, last);
			else
				spb_text_put(&h->text, "0u");
			spb_text_put(&h->text, " /* in pDynamicOffsets */\n");
			last = h->names[i];
		}
		if (i + 1 < h->count && h->descriptors[i + 1].set == d->set)
			continue;
		if (last)
			spb_text_format(&h->text,
					"#define %s_set_%u_dynamic_offsets (%s_%s_dynamic_offset + %s_%s_count)\n",
					h->prefix, d->set, h->prefix, last, h->prefix, last);
		last = NULL;
	}
}

/* Tables of one set, whose descriptors are [from, to) */

struct range {
	size_t from, to;
	uint32_t set;
};

static void put_bits(struct header *h, uint32_t bits, uint32_t count, const char *(*name)(uint32_t))
{
	bool first = true;

	for (uint32_t i = 0; i < count; i++) {
		if (!(bits >> i & 1))
			continue;
		spb_text_format(&h->text, "%s%s", first ? "" : " | ", name(i));
		first = false;
	}
	if (first)
		spb_text_put(&h->text, "0");
}

static void put_stages(struct header *h, uint32_t flags)
{
	put_bits(h, spb_stages_of_flags(flags), SPB_STAGE_COUNT, spb_stage_vk_name);
}

/* PREFIX_NAME_count, or PREFIX_NAME_size */
static void put_count(struct header *h, size_t i)
{
	spb_text_format(&h->text, "%s_%s_%s", h->prefix, h->names[i],
			h->descriptors[i].descriptor_type == SPB_VK_INLINE_UNIFORM_BLOCK ? "size" : "count");
}

/* The host has to define what the layout leaves open. */
static void ask_host(struct header *h, struct range r)
{
	for (size_t i = r.from; i < r.to; i++) {
		const spb_descriptor_binding *d = &h->descriptors[i];
		if (!d->count)
			spb_put_asked_count(&h->text, h->prefix, h->names[i]);
		if (d->immutable_samplers)
			spb_text_format(&h->text,
					"#ifndef %s_%s_samplers\n#error \"define %s_%s_samplers, an array of immutable "
					"VkSamplers\"\n#endif\n",
					h->prefix, h->names[i], h->prefix, h->names[i]);
	}
}

static void put_bindings(struct header *h, struct range r)
{
	spb_text_format(&h->text, "static const VkDescriptorSetLayoutBinding %s_set_%u_bindings[] = {\n", h->prefix,
			r.set);
	for (size_t i = r.from; i < r.to; i++) {
		const spb_descriptor_binding *d = &h->descriptors[i];
		spb_text_format(&h->text, "\t{%s_%s_binding, %s, ", h->prefix, h->names[i],
				spb_vk_type_name(d->descriptor_type));
		put_count(h, i);
		spb_text_put(&h->text, ", ");
		put_stages(h, d->stages);
		if (d->immutable_samplers)
			spb_text_format(&h->text, ", %s_%s_samplers},\n", h->prefix, h->names[i]);
		else
			spb_text_put(&h->text, ", NULL},\n");
	}
	spb_text_put(&h->text, "};\n");
}

/* The chain of VkDescriptorSetLayoutCreateInfo. Returns whether there is one. */
static bool put_flags(struct header *h, struct range r)
{
	uint32_t flags = 0;

	for (size_t i = r.from; i < r.to; i++)
		flags |= h->descriptors[i].flags;
	if (!flags)
		return false;
	spb_text_format(&h->text, "static const VkDescriptorBindingFlags %s_set_%u_flags[] = {\n", h->prefix, r.set);
	for (size_t i = r.from; i < r.to; i++) {
		spb_text_put(&h->text, "\t");
		put_bits(h, h->descriptors[i].flags, SPB_FLAG_COUNT, spb_flag_vk_name);
		spb_text_put(&h->text, ",\n");
	}
	spb_text_format(
	    &h->text,
	    "};\nstatic const VkDescriptorSetLayoutBindingFlagsCreateInfo %s_set_%u_flags_info = {\n"
	    "\tVK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, NULL, %u, %s_set_%u_flags};\n",
	    h->prefix, r.set, (uint32_t)(r.to - r.from), h->prefix, r.set);
	return true;
}

static bool put_mutable_types(struct header *h, struct range r, bool has_flags)
{
	uint32_t any = 0;

	for (size_t i = r.from; i < r.to; i++) {
		const spb_descriptor_binding *d = &h->descriptors[i];
		any |= d->mutable_type_count;
		if (!d->mutable_type_count)
			continue;
		spb_text_format(&h->text, "static const VkDescriptorType %s_%s_types[] = {\n", h->prefix, h->names[i]);
		for (uint32_t k = 0; k < d->mutable_type_count; k++)
			spb_text_format(&h->text, "\t%s,\n", spb_vk_type_name(d->mutable_types[k]));
		spb_text_put(&h->text, "};\n");
	}
	if (!any)
		return false;
	spb_text_format(&h->text, "static const VkMutableDescriptorTypeListEXT %s_set_%u_type_lists[] = {\n", h->prefix,
			r.set);
	for (size_t i = r.from; i < r.to; i++) {
		const spb_descriptor_binding *d = &h->descriptors[i];
		if (d->mutable_type_count)
			spb_text_format(&h->text, "\t{%u, %s_%s_types},\n", d->mutable_type_count, h->prefix,
					h->names[i]);
		else
			spb_text_put(&h->text, "\t{0, NULL},\n");
	}
	spb_text_format(&h->text,
			"};\nstatic const VkMutableDescriptorTypeCreateInfoEXT %s_set_%u_types_info = {\n"
			"\tVK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT, ",
			h->prefix, r.set);
	if (has_flags)
		spb_text_format(&h->text, "&%s_set_%u_flags_info", h->prefix, r.set);
	else
		spb_text_put(&h->text, "NULL");
	spb_text_format(&h->text, ", %u, %s_set_%u_type_lists};\n", (uint32_t)(r.to - r.from), h->prefix, r.set);
	return true;
}

/* The pool sizes for one set. VkDescriptorPoolCreateInfo adds up repeated types, except inline uniform blocks, whose
 * number is in VkDescriptorPoolInlineUniformBlockCreateInfo. */
static void put_pool_sizes(struct header *h, struct range r)
{
	uint32_t blocks = 0;

	spb_text_format(&h->text, "static const VkDescriptorPoolSize %s_set_%u_pool_sizes[] = {\n", h->prefix, r.set);
	for (size_t i = r.from; i < r.to; i++) {
		blocks += h->descriptors[i].descriptor_type == SPB_VK_INLINE_UNIFORM_BLOCK;
		spb_text_format(&h->text, "\t{%s, ", spb_vk_type_name(h->descriptors[i].descriptor_type));
		put_count(h, i);
		spb_text_put(&h->text, "},\n");
	}
	spb_text_put(&h->text, "};\n");
	if (blocks)
		spb_text_format(&h->text, "#define %s_set_%u_inline_uniform_blocks %uu\n", h->prefix, r.set, blocks);
}

/* Update templates */

struct content {
	const char *type, *field; /* of the struct that an update template reads */
};

static struct content content_of(uint32_t type)
{
	enum { UNIFORM_TEXEL_BUFFER = 4, STORAGE_TEXEL_BUFFER = 5, UNIFORM_BUFFER = 6, ACCELERATION = 1000150000 };

	switch (type) {
	case UNIFORM_TEXEL_BUFFER:
	case STORAGE_TEXEL_BUFFER:
		return (struct content){"VkBufferView", "view"};
	case UNIFORM_BUFFER:
	case UNIFORM_BUFFER + 1:
	case SPB_VK_UNIFORM_BUFFER_DYNAMIC:
	case SPB_VK_STORAGE_BUFFER_DYNAMIC:
		return (struct content){"VkDescriptorBufferInfo", "buffer"};
	case ACCELERATION:
		return (struct content){"VkAccelerationStructureKHR", "acceleration_structure"};
	case SPB_VK_INLINE_UNIFORM_BLOCK:
		return (struct content){"unsigned char", "bytes"};
	default:
		return (struct content){"VkDescriptorImageInfo", "image"};
	}
}

/* Vulkan, VUID-VkWriteDescriptorSet-descriptorType-02752: immutable samplers alone are never written. */
static bool is_written(const spb_descriptor_binding *d)
{
	enum { SAMPLER = 0 };

	return !(d->immutable_samplers && d->descriptor_type == SAMPLER);
}

enum { PUSH_DESCRIPTORS = 1 << SPB_SET_PUSH_DESCRIPTOR, DESCRIPTOR_BUFFER = 1 << SPB_SET_DESCRIPTOR_BUFFER };

/* VkPipelineBindPoint of the pipelines that use these stages */
static const char *bind_point_of(uint32_t stages)
{
	enum { COMPUTE = 0x20, RAY_TRACING = 0x3F00 };

	if (stages & RAY_TRACING)
		return "VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR";
	return stages == COMPUTE ? "VK_PIPELINE_BIND_POINT_COMPUTE" : "VK_PIPELINE_BIND_POINT_GRAPHICS";
}

static void put_template(struct header *h, struct range r)
{
	const bool pushed = h->descriptors[r.from].set_flags & PUSH_DESCRIPTORS;
	size_t written = 0;
	uint32_t stages = 0;

	for (size_t i = r.from; i < r.to; i++) {
		/* VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-04615: a set without mutable descriptors */
		if (h->descriptors[i].descriptor_type == SPB_VK_MUTABLE)
			return;
		written += is_written(&h->descriptors[i]);
		stages |= h->descriptors[i].stages;
	}
	if (!written)
		return;
	spb_text_format(&h->text, "struct %s_set_%u_descriptors {\n", h->prefix, r.set);
	for (size_t i = r.from; i < r.to; i++) {
		struct content c = content_of(h->descriptors[i].descriptor_type);
		if (!is_written(&h->descriptors[i]))
			continue;
		spb_text_format(&h->text, "\t%s %s_%s[", c.type, c.field, h->names[i]);
		put_count(h, i);
		spb_text_put(&h->text, "];\n");
	}
	spb_text_format(&h->text, "};\nstatic const VkDescriptorUpdateTemplateEntry %s_set_%u_entries[] = {\n",
			h->prefix, r.set);
	for (size_t i = r.from; i < r.to; i++) {
		const spb_descriptor_binding *d = &h->descriptors[i];
		struct content c = content_of(d->descriptor_type);
		if (!is_written(d))
			continue;
		spb_text_format(&h->text, "\t{%s_%s_binding, 0, ", h->prefix, h->names[i]);
		put_count(h, i);
		spb_text_format(&h->text, ", %s, offsetof(struct %s_set_%u_descriptors, %s_%s), sizeof(%s)},\n",
				spb_vk_type_name(d->descriptor_type), h->prefix, r.set, c.field, h->names[i], c.type);
	}
	spb_text_put(&h->text, "};\n");
	spb_text_format(&h->text,
			"static const VkDescriptorUpdateTemplateCreateInfo %s_set_%u_template = {\n"
			"\tVK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO, NULL, 0, %u, %s_set_%u_entries,\n"
			"\tVK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_%s, VK_NULL_HANDLE, %s, VK_NULL_HANDLE, %u};\n",
			h->prefix, r.set, (uint32_t)written, h->prefix, r.set,
			pushed ? "PUSH_DESCRIPTORS_KHR" : "DESCRIPTOR_SET", bind_point_of(stages), r.set);
}

/* All tables */

/* Descriptors of different pipelines may have the same set and binding, but no set layout can have both. */
static bool has_alternatives(const struct header *h, struct range r)
{
	for (size_t i = r.from + 1; i < r.to; i++) {
		if (h->descriptors[i].set == h->descriptors[i - 1].set &&
		    h->descriptors[i].binding == h->descriptors[i - 1].binding)
			return true;
	}
	return false;
}

static void put_set(struct header *h, struct range r)
{
	const uint32_t kind = h->descriptors[r.from].set_flags & (PUSH_DESCRIPTORS | DESCRIPTOR_BUFFER);
	bool flags, types;

	if (has_alternatives(h, r)) {
		spb_text_format(&h->text,
				"\n#error \"set %u has different descriptors at one binding; use --rebind=all, or "
				"-e for one entry point\"\n",
				r.set);
		return;
	}
	spb_text_format(&h->text, "\n/* Set %u */\n", r.set);
	ask_host(h, r);
	put_bindings(h, r);
	flags = put_flags(h, r);
	types = put_mutable_types(h, r, flags);
	if (!(kind & DESCRIPTOR_BUFFER))
		put_pool_sizes(h, r);
	if (kind != DESCRIPTOR_BUFFER) /* there is no VkDescriptorSet */
		put_template(h, r);
	spb_text_format(&h->text,
			"static const VkDescriptorSetLayoutCreateInfo %s_set_%u_layout = {\n"
			"\tVK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, ",
			h->prefix, r.set);
	if (flags || types)
		spb_text_format(&h->text, "&%s_set_%u_%s_info, ", h->prefix, r.set, types ? "types" : "flags");
	else
		spb_text_put(&h->text, "NULL, ");
	put_bits(h, h->descriptors[r.from].set_flags, SPB_SET_FLAG_COUNT, spb_set_flag_vk_name);
	spb_text_format(&h->text, ", %u, %s_set_%u_bindings};\n", (uint32_t)(r.to - r.from), h->prefix, r.set);
}

static void put_push_constants(struct header *h)
{
	const spb_push_constant_range *ranges = h->p->results.push_constants.items;
	const size_t count = h->p->results.push_constants.count;

	if (!count)
		return;
	spb_text_format(&h->text, "\nstatic const VkPushConstantRange %s_push_constant_ranges[] = {\n", h->prefix);
	for (size_t i = 0; i < count; i++) {
		spb_text_put(&h->text, "\t{");
		put_stages(h, ranges[i].stages);
		spb_text_format(&h->text, ", %u, %u},\n", ranges[i].offset, ranges[i].size);
	}
	spb_text_put(&h->text, "};\n");
}

/* The pipeline layout, and the set layouts in its order. Sets without descriptors have an empty one. */

enum { MOST_SETS = 256 }; /* in a list; no pipeline layout has as many */

static void put_pipeline_layout(struct header *h)
{
	const uint32_t sets = count_sets(h), ranges = (uint32_t)h->p->results.push_constants.count;
	bool hole = false;
	size_t i = 0;

	if (sets > MOST_SETS)
		return;
	struct spb_text_buffer list = {.arena = h->scratch};
	for (uint32_t set = 0; set < sets; set++) {
		const bool has = h->descriptors[i].set == set;
		while (i < h->count && h->descriptors[i].set == set)
			i++;
		spb_text_format(&list, "\t&%s_", h->prefix);
		if (has)
			spb_text_format(&list, "set_%u_layout,\n", set);
		else
			spb_text_put(&list, "empty_layout,\n");
		hole |= !has;
	}
	spb_text_put(&h->text, "\n");
	if (hole)
		spb_text_format(&h->text,
				"static const VkDescriptorSetLayoutCreateInfo %s_empty_layout = {\n"
				"\tVK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 0, NULL};\n",
				h->prefix);
	if (sets)
		spb_text_format(&h->text,
				"static const VkDescriptorSetLayoutCreateInfo *const %s_set_layouts[] = {\n%s};\n",
				h->prefix, spb_text_end(&list));
	spb_text_format(&h->text,
			"static const VkPipelineLayoutCreateInfo %s_pipeline_layout = { /* without its pSetLayouts */\n"
			"\tVK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, %s_sets, NULL, ",
			h->prefix, h->prefix);
	if (ranges)
		spb_text_format(&h->text, "%u, %s_push_constant_ranges};\n", ranges, h->prefix);
	else
		spb_text_put(&h->text, "0, NULL};\n");
}

/* A pool for n times all sets, but for those that nobody allocates. */

static void put_pool(struct header *h)
{
	SPB_LIST(uint32_t) types = {0};
	uint32_t sets = 0, blocks = 0, set_flags = 0;

	for (size_t i = 0; i < h->count; i++) {
		const spb_descriptor_binding *d = &h->descriptors[i];
		size_t k = 0;
		if (d->set_flags & (PUSH_DESCRIPTORS | DESCRIPTOR_BUFFER))
			continue;
		sets += !i || h->descriptors[i - 1].set != d->set;
		blocks += d->descriptor_type == SPB_VK_INLINE_UNIFORM_BLOCK;
		set_flags |= d->set_flags;
		while (k < types.count && types.items[k] != d->descriptor_type)
			k++;
		if (k == types.count)
			SPB_PUSH(h->scratch, &types, d->descriptor_type);
	}
	if (!sets)
		return;
	spb_text_format(&h->text, "\n/* A pool for n times all sets */\n#define %s_pool_sizes(n) { \\\n", h->prefix);
	for (size_t k = 0; k < types.count; k++) {
		const char *before = "";
		spb_text_format(&h->text, "\t{%s, (uint32_t)(n) * (", spb_vk_type_name(types.items[k]));
		for (size_t i = 0; i < h->count; i++) {
			if (h->descriptors[i].descriptor_type != types.items[k] ||
			    h->descriptors[i].set_flags & PUSH_DESCRIPTORS)
				continue;
			spb_text_put(&h->text, before);
			put_count(h, i);
			before = " + ";
		}
		spb_text_put(&h->text, ")}, \\\n");
	}
	spb_text_format(&h->text, "}\n#define %s_pool_sets(n) ((uint32_t)(n) * %uu)\n#define %s_pool_flags ", h->prefix,
			sets, h->prefix);
	spb_text_put(&h->text, set_flags >> SPB_SET_UPDATE_AFTER_BIND_POOL & 1
				   ? "VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT\n"
				   : "0\n");
	if (blocks)
		spb_text_format(&h->text, "#define %s_pool_inline_uniform_blocks(n) ((uint32_t)(n) * %uu)\n", h->prefix,
				blocks);
}

static struct spb_host_lists host_lists(const struct header *h)
{
	const struct spb_results *r = &h->p->results;

	return (struct spb_host_lists){
	    .prefix = h->prefix,
	    .module_count = h->p->slots.count,
	    .module_names = h->module_names,
	    .entry_points = r->entry_points.items,
	    .entry_point_count = r->entry_points.count,
	    .constants = r->constants.items,
	    .constant_count = r->constants.count,
	    .vertex_inputs = r->vertex_inputs.items,
	    .vertex_input_count = r->vertex_inputs.count,
	    .features = r->features.items,
	    .feature_count = r->features.count,
	    .scratch = h->scratch,
	};
}

static void put_sets(struct header *h)
{
	struct range r = {0, 0, 0};

	for (; r.from < h->count; r.from = r.to) {
		r.set = h->descriptors[r.from].set;
		while (r.to < h->count && h->descriptors[r.to].set == r.set)
			r.to++;
		put_set(h, r);
	}
}

static void begin_numbers(struct spb_text_buffer *text, const char *prefix)
{
	spb_text_format(
	    text,
	    "/* Made by spirv-bind; do not edit. Numbers of sets, bindings and arrays, and the data that\n"
	    " * shaders read; where %s_tables is defined before it is included, also what Vulkan makes\n"
	    " * layouts, pools, update templates and pipelines of. */\n#ifndef %s_layout\n#define %s_layout\n"
	    "#include <stddef.h>\n#include <stdint.h>\n\n",
	    prefix, prefix, prefix);
}

static void begin_tables(struct spb_text_buffer *text, const char *prefix)
{
	spb_text_format(text,
			"\n#endif\n\n#if defined(%s_tables) && !defined(%s_tables_done)\n#define %s_tables_done\n"
			"#include <vulkan/vulkan_core.h>\n",
			prefix, prefix, prefix);
}

/* Whether descriptors share a binding that VK_EXT_descriptor_heap maps apart, so that there can only be mappings. */
static bool needs_mappings(const struct header *h)
{
	return spb_count_mappings(h->descriptors, h->count) && has_alternatives(h, (struct range){0, h->count, 0});
}

static void put_tables(struct header *h)
{
	const struct spb_host_lists lists = host_lists(h);

	begin_tables(&h->text, h->prefix);
	if (!needs_mappings(h)) {
		put_sets(h);
		put_push_constants(h);
		put_pipeline_layout(h);
		put_pool(h);
	}
	spb_put_host_tables(&lists, &h->text);
	spb_text_put(&h->text, "\n#endif\n");
}

/* Of mesh.frag.spv in mesh.h: frag. */
static void make_module_names(struct header *h)
{
	struct spb_arena *arena = h->keep;
	const size_t count = h->p->slots.count, length = strlen(h->prefix);

	h->module_names = spb_alloc_array(arena, count, sizeof *h->module_names);
	for (size_t i = 0; i < count; i++) {
		const char *file = spb_base_name(h->p->slots.items[i]->unit.m.name), *spv = strstr(file, ".spv");
		const char *name =
		    spb_c_identifier(arena, spv && !spv[4] ? spb_copy_text(arena, file, (size_t)(spv - file)) : file);
		if (!strncmp(name, h->prefix, length) && name[length] == '_')
			name += length + 1;
		h->module_names[i] = *name ? name : "module";
	}
	spb_c_distinct(arena, h->module_names, count);
}

static struct header begin(struct spb_program *p, const char *prefix)
{
	struct header h = {
	    .p = p, .keep = &p->keep, .scratch = &p->context->scratch, .prefix = prefix, .text = {.arena = &p->keep}};

	spb_list_descriptors(p);
	spb_list_push_constants(p);
	spb_list_interfaces(p);
	h.descriptors = p->results.descriptors.items;
	h.count = p->results.descriptors.count;
	make_names(&h);
	make_module_names(&h);
	return h;
}

const char *spb_write_layout_header(struct spb_program *p, const char *prefix, size_t *length)
{
	struct header h = begin(p, prefix);

	begin_numbers(&h.text, prefix);
	put_numbers(&h, "u");
	put_dynamic_offsets(&h);
	const struct spb_host_lists lists = host_lists(&h);
	spb_put_host_data(&lists, &h.text);
	spb_put_structs(p, prefix, &h.text);
	put_tables(&h);
	spb_put_heap_mappings(&(struct spb_heap_mappings){prefix, prefix, h.descriptors, h.names, h.count}, &h.text);
	*length = h.text.count;
	return spb_text_end(&h.text);
}

/* "a.*": PREFIX_a; of all programs: PREFIX */
static const char **name_groups(const char *prefix, const struct spb_shared_sets *groups, size_t count,
				struct spb_arena *arena)
{
	const char **names = spb_alloc_array(arena, count, sizeof *names);

	for (size_t i = 0; i < count; i++)
		names[i] = spb_c_identifier(arena, groups[i].programs);
	spb_c_distinct(arena, names, count);
	for (size_t i = 0; i < count; i++) {
		struct spb_text_buffer name = {.arena = arena};
		spb_text_format(&name, *names[i] ? "%s_%s" : "%s", prefix, names[i]);
		names[i] = spb_text_end(&name);
	}
	return names;
}

const char *spb_write_shared_header(const char *prefix, const struct spb_shared_sets *groups, size_t count,
				    struct spb_arena *keep, struct spb_arena *scratch, size_t *length)
{
	struct header *h = spb_alloc_zeroed(scratch, count, sizeof *h);
	const char **names = name_groups(prefix, groups, count, scratch);
	struct spb_text_buffer text = {.arena = keep};

	begin_numbers(&text, prefix);
	for (size_t i = 0; i < count; i++) {
		h[i] = (struct header){.keep = scratch,
				       .scratch = scratch,
				       .prefix = names[i],
				       .text = text,
				       .descriptors = groups[i].descriptors,
				       .count = groups[i].count};
		make_names(&h[i]);
		put_numbers(&h[i], "u");
		put_dynamic_offsets(&h[i]);
		text = h[i].text;
	}
	begin_tables(&text, prefix);
	for (size_t i = 0; i < count; i++) {
		h[i].text = text;
		if (!needs_mappings(&h[i])) {
			put_sets(&h[i]);
			put_pool(&h[i]);
		}
		text = h[i].text;
	}
	spb_text_put(&text, "\n#endif\n");
	for (size_t i = 0; i < count; i++)
		spb_put_heap_mappings(
		    &(struct spb_heap_mappings){prefix, names[i], h[i].descriptors, h[i].names, h[i].count}, &text);
	*length = text.count;
	return spb_text_end(&text);
}

const char *spb_write_layout_glsl(struct spb_program *p, const char *prefix, size_t *length)
{
	struct header h = begin(p, prefix);

	spb_text_format(&h.text, "/* Made by spirv-bind; do not edit. */\n#ifndef %s_layout\n#define %s_layout\n\n",
			prefix, prefix);
	put_numbers(&h, "");
	spb_text_put(&h.text, "\n#endif\n");
	*length = h.text.count;
	return spb_text_end(&h.text);
}
