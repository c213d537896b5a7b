/* SPDX-License-Identifier: Apache-2.0 */
/* header: text for C compilers: identifiers, and the part of the layout header that is not about descriptors. Knows the
 * public lists, but no program. */
#ifndef SPB_HEADER_H
#define SPB_HEADER_H

#include "base/base.h"

#include "spirv-bind/host.h"

/* c_names.c */

bool spb_c_is_word(char c);                 /* a letter or digit of ASCII? */
bool spb_c_is_identifier(const char *text); /* false: NULL, too */
/* The characters of a name that an identifier may contain, others as single underscores, which do not end it; "": there
 * are none. */
const char *spb_c_identifier(struct spb_arena *arena, const char *name);
bool spb_looks_numbered(const char *name); /* ends in _x and digits? */
/* Numbers those that are equal, are cut, or look as if they were numbered; "" stays. */
void spb_c_distinct(struct spb_arena *arena, const char **names, size_t count);
/* The name of a member: distinct identifiers that are no words of C or C++. Changes those in `names`. */
void spb_c_members(struct spb_arena *arena, const char **names, size_t count);

/* host_tables.c */

struct spb_host_lists {     /* of a program */
	const char *prefix; /* of all names */
	size_t module_count;
	const char *const *module_names;
	const spb_entry_point *entry_points;
	const spb_specialization_constant *constants;
	const spb_vertex_input *vertex_inputs;
	const spb_required_feature *features;
	size_t entry_point_count, constant_count, vertex_input_count, feature_count;
	struct spb_arena *scratch;
};

/* Numbers and structs, which need no header of Vulkan; and tables for its functions. */
void spb_put_host_data(const struct spb_host_lists *lists, struct spb_text_buffer *text);
void spb_put_host_tables(const struct spb_host_lists *lists, struct spb_text_buffer *text);

/* heap_mappings.c */

struct spb_heap_mappings { /* descriptors of a program, by set and binding, with their names */
	const char *file;  /* where FILE_mappings is defined */
	const char *prefix;
	const spb_descriptor_binding *descriptors;
	const char *const *names;
	size_t count;
};

/* How many descriptors VK_EXT_descriptor_heap maps. */
size_t spb_count_mappings(const spb_descriptor_binding *descriptors, size_t count);
/* Nothing, unless it maps some. */
void spb_put_heap_mappings(const struct spb_heap_mappings *l, struct spb_text_buffer *text);
/* The host has to define PREFIX_NAME_count. */
void spb_put_asked_count(struct spb_text_buffer *text, const char *prefix, const char *name);

/* Of a VkShaderStageFlagBits; VK_SHADER_STAGE_ALL: it is none of them. */
const char *spb_vk_stage_name(uint32_t stage);
/* Its default as a number; false: it has no short form in decimals. */
bool spb_put_constant(struct spb_text_buffer *text, const spb_specialization_constant *c);
void spb_put_vertex_format(struct spb_text_buffer *text, const spb_vertex_input *input); /* the name of its VkFormat */

#endif
