/* SPDX-License-Identifier: Apache-2.0 */
/* builtin: the built-in heaps of SPV_EXT_descriptor_heap, which need neither a set nor a binding, become arrays of
 * descriptors, and vice versa. This header is for other rooms; the files of this room share builtin_heaps.h. */
#ifndef SPB_BUILTIN_H
#define SPB_BUILTIN_H

#include "pass/pass.h"

/* The passes of this room. */

bool spb_pass_type_parameters(struct spb_unit *u);
bool spb_pass_lower_builtin_heaps(struct spb_unit *u); /* before handles are lowered */
bool spb_pass_complete_heap_strides(struct spb_unit *u);
bool spb_pass_adopt_heaps(struct spb_unit *u); /* after shapes; changes no words */
bool spb_pass_modernize_module(struct spb_unit *u);
bool spb_pass_descriptor_heap(struct spb_unit *u); /* after accesses have been marked */

/* lower_builtin_heaps.c */

/* Does the module use the built-in heaps of SPV_EXT_descriptor_heap, and do the options request other heaps, or does it
 * have shapes that are resolved in arrays only (u->builtin.remakes)? */
bool spb_lowers_builtin_heaps(const struct spb_unit *u);

/* complete_heap_strides.c */

/* Does the module use the built-in heaps, and keep them? */
bool spb_keeps_builtin_heaps(const struct spb_unit *u);

/* builtin_uses.c: what a module reads from the built-in heaps, whether or not it can be lowered */

struct spb_builtin_use {
	enum spb_descriptor kind;
	enum spb_heap_stride_kind stride;
	uint32_t bytes; /* SPB_STRIDE_BYTES */
};

/* Lists each kind and stride that the module's chains have, once; returns how many. The module needs its index. */
uint32_t spb_find_builtin_uses(struct spb_module *m, struct spb_arena *arena, struct spb_builtin_use **uses);

struct spb_builtin_access {
	spb_at at; /* the chain */
	enum spb_descriptor kind;
	uint32_t variable;
	bool sampler; /* the sampler heap */
};

/* The chains into built-in heaps, with the kinds of descriptors that they reach; returns how many. The module needs its
 * index. */
uint32_t spb_find_builtin_accesses(struct spb_module *m, struct spb_arena *arena, struct spb_builtin_access **accesses);

/* Does the module select images, samplers or acceleration structures from the built-in heaps? */
bool spb_has_opaque_builtins(struct spb_unit *u);

/* descriptor_heap.c */

/* Are there heaps, or arrays in the module as parsed that may be adopted as heaps? */
bool spb_may_have_heaps(const struct spb_unit *u);

bool spb_is_future_builtin(const struct spb_unit *u, const struct spb_heap *heap);

/* Bits over ids, in c->scratch: variables that descriptor-heap will replace by built-in heaps; NULL: none. */
const uint32_t *spb_future_builtins(const struct spb_unit *u);

#endif
