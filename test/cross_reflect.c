/* SPDX-License-Identifier: Apache-2.0 */
/* cross_reflect < PATHS: prints what SPIRV-Cross finds in each module, in one process; fields are separated by tabs.
 *
 *     PATH  ENTRY  STAGE  ID  NAME  BLOCK  SET  BINDING  KIND  COUNT  SIZE  STRIDE  DIM  ARRAYED  MULTISAMPLED  FORMAT
 *           MEMBERS
 *
 * A line for each resource that the entry point uses, and one of the kind `none` for each entry point. COUNT 0 is a
 * runtime array; STRIDE is that of the runtime array at the end of a block, or 0; MEMBERS of a block are OFFSET+SIZE,
 * separated by spaces. PATH `unread`: it cannot be read. `done` ends each module, so that the caller knows on which one
 * SPIRV-Cross crashed. */
#include <spirv_cross_c.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	spvc_resource_type resource;
	const char *kind, *of_buffer; /* `of_buffer`: of an image of the dimension Buffer */
} kinds[] = {
    {SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, "ubo", NULL},
    {SPVC_RESOURCE_TYPE_STORAGE_BUFFER, "ssbo", NULL},
    {SPVC_RESOURCE_TYPE_STORAGE_IMAGE, "image", "stexbuf"},
    {SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, "combined", "utexbuf"},
    {SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, "texture", "utexbuf"},
    {SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS, "sampler", NULL},
    {SPVC_RESOURCE_TYPE_SUBPASS_INPUT, "input-attachment", NULL},
    {SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE, "as", NULL},
    {SPVC_RESOURCE_TYPE_PUSH_CONSTANT, "push", NULL},
};

static uint32_t length_of(spvc_compiler c, spvc_type type)
{
	uint64_t count = 1;

	for (unsigned i = 0; i < spvc_type_get_num_array_dimensions(type); i++) {
		uint32_t n = spvc_type_get_array_dimension(type, i);
		if (!spvc_type_array_dimension_is_literal(type, i))
			n = spvc_constant_get_scalar_u32(spvc_compiler_get_constant_handle(c, n), 0, 0);
		count *= n;
	}
	return (uint32_t)count;
}

static void print_members(spvc_compiler c, spvc_type block)
{
	for (unsigned i = 0; i < spvc_type_get_num_member_types(block); i++) {
		unsigned offset = 0;
		size_t size = 0;
		spvc_compiler_type_struct_member_offset(c, block, i, &offset);
		spvc_compiler_get_declared_struct_member_size(c, block, i, &size);
		printf("%s%u+%zu", i ? " " : "", offset, size);
	}
}

static void print_resource(spvc_compiler c, const char *path, const spvc_entry_point *entry,
			   const spvc_reflected_resource *r, size_t k)
{
	spvc_type base = spvc_compiler_get_type_handle(c, r->base_type_id);
	bool block = !strcmp(kinds[k].kind, "ubo") || !strcmp(kinds[k].kind, "ssbo") || !strcmp(kinds[k].kind, "push");
	bool image = spvc_type_get_basetype(base) == SPVC_BASETYPE_IMAGE ||
		     spvc_type_get_basetype(base) == SPVC_BASETYPE_SAMPLED_IMAGE;
	bool buffer = image && spvc_type_get_image_dimension(base) == SpvDimBuffer;
	size_t size = 0, longer = 0;

	if (block)
		spvc_compiler_get_declared_struct_size(c, base, &size);
	if (block)
		spvc_compiler_get_declared_struct_size_runtime_array(c, base, 1, &longer);
	printf("%s\t%s\t%d\t%u\t%s\t%s\t%u\t%u\t%s\t%u\t%zu\t%zu\t%d\t%d\t%d\t%d\t", path, entry->name,
	       (int)entry->execution_model, r->id, spvc_compiler_get_name(c, r->id),
	       spvc_compiler_get_name(c, r->base_type_id),
	       spvc_compiler_get_decoration(c, r->id, SpvDecorationDescriptorSet),
	       spvc_compiler_get_decoration(c, r->id, SpvDecorationBinding),
	       buffer && kinds[k].of_buffer ? kinds[k].of_buffer : kinds[k].kind,
	       length_of(c, spvc_compiler_get_type_handle(c, r->type_id)), size, longer > size ? longer - size : 0,
	       image ? (int)spvc_type_get_image_dimension(base) : -1, image && spvc_type_get_image_arrayed(base),
	       image && spvc_type_get_image_multisampled(base),
	       image ? (int)spvc_type_get_image_storage_format(base) : 0);
	if (block)
		print_members(c, base);
	putchar('\n');
}

static bool print_entry(spvc_compiler c, const char *path, const spvc_entry_point *entry)
{
	const spvc_reflected_resource *list;
	spvc_resources resources;
	spvc_set active;
	size_t count;

	if (spvc_compiler_set_entry_point(c, entry->name, entry->execution_model) != SPVC_SUCCESS ||
	    spvc_compiler_get_active_interface_variables(c, &active) != SPVC_SUCCESS ||
	    spvc_compiler_create_shader_resources_for_active_variables(c, &resources, active) != SPVC_SUCCESS)
		return false;
	printf("%s\t%s\t%d\t0\t\t\t0\t0\tnone\t0\t0\t0\t0\t0\t0\t0\t\n", path, entry->name,
	       (int)entry->execution_model);
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		spvc_resources_get_resource_list_for_type(resources, kinds[k].resource, &list, &count);
		for (size_t i = 0; i < count; i++)
			print_resource(c, path, entry, &list[i], k);
	}
	return true;
}

static bool reflect(const char *path, const uint32_t *words, size_t count)
{
	const spvc_entry_point *entries;
	spvc_context context;
	spvc_parsed_ir ir;
	spvc_compiler c;
	size_t entry_count = 0;
	bool good = false;

	if (spvc_context_create(&context) != SPVC_SUCCESS)
		return false;
	if (spvc_context_parse_spirv(context, words, count, &ir) == SPVC_SUCCESS &&
	    spvc_context_create_compiler(context, SPVC_BACKEND_NONE, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &c) ==
		SPVC_SUCCESS &&
	    spvc_compiler_get_entry_points(c, &entries, &entry_count) == SPVC_SUCCESS) {
		good = true;
		for (size_t i = 0; i < entry_count && good; i++)
			good = print_entry(c, path, &entries[i]);
	}
	spvc_context_destroy(context);
	return good;
}

int main(void)
{
	char *path = NULL;
	size_t room = 0;

	while (getline(&path, &room, stdin) > 0) {
		path[strcspn(path, "\n")] = 0;
		FILE *f = fopen(path, "rb");
		if (!f || fseek(f, 0, SEEK_END)) {
			fprintf(stderr, "cross_reflect: cannot read %s\n", path);
			return 1;
		}
		long size = ftell(f);
		uint32_t *words = malloc((size_t)size + 4);
		rewind(f);
		if (!words || fread(words, 1, (size_t)size, f) != (size_t)size)
			return 1;
		fclose(f);
		if (!reflect(path, words, (size_t)size / 4))
			printf("unread\t%s\n", path);
		puts("done");
		fflush(stdout);
		free(words);
	}
	free(path);
	return 0;
}
