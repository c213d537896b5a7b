/* SPDX-License-Identifier: Apache-2.0 */
/* reflection: a module in the form of SPIRV-Cross's reflection. */
#ifndef SPB_REFLECTION_H
#define SPB_REFLECTION_H

#include "analysis/resources/resources.h"
#include "base/json.h"

/* reflect.c: JSON in `keep`; `sizes`: spb_type_sizes. The module has its index. */
const char *spb_reflect_module(const struct spb_module *m, const uint32_t *sizes, struct spb_arena *keep,
			       struct spb_arena *scratch, size_t *length);

/* reflect_types.c, for reflect.c */

struct spb_reflection {
	struct spb_json j;
	const struct spb_module *m;
	const uint32_t *sizes;     /* of types, in bytes */
	struct spb_arena *scratch; /* names of types are made in it */
	const char **type_names;   /* [bound] of types that were asked for, spb_name_of_type */
};

enum { SPB_PHYSICAL_STORAGE_BUFFER = 5349, SPB_LONG_NAME = 1023 };

/* The type without its arrays. SPIR-V 2.17, "Universal Limits", nests structures at most 255 deep; arrays of more
 * dimensions are cut there, so that many members of one such type take linear time. */
uint32_t spb_without_arrays(const struct spb_module *m, uint32_t type);
/* "vec4", "mat4x3", "usampler2D", "_12" for what has no such name; of arrays and pointers, that of their element. */
const char *spb_reflected_type(struct spb_reflection *r, uint32_t type);
/* The name of an id, or "_12". */
const char *spb_name_or_number(struct spb_reflection *r, uint32_t id);
/* The name of a type, or "". Many variables and members may be of one type: it is looked up once, and a name of more
 * than SPB_LONG_NAME bytes is "_12" from the second time on, so that what is written grows with the module. */
const char *spb_name_of_type(struct spb_reflection *r, uint32_t type);
/* "array": [4], "array_size_is_literal": [true], if the type is an array. */
void spb_reflect_array_keys(struct spb_reflection *r, uint32_t type);
/* "types": {…}, if there are some. */
void spb_reflect_types(struct spb_reflection *r);

/* reflect_floats.c, for reflect.c: a number of 16, 32 or 64 bits; null if it is infinite or none. */
void spb_reflect_float(struct spb_json *j, uint64_t bits, unsigned width);

#endif
