/* SPDX-License-Identifier: Apache-2.0 */
/* resolver: user-defined functions that map handles to descriptors, for the passes that find, merge, call and inline
 * them.
 *
 *     uint getDescriptorIndexFromHandle(uvec2 handle)               the index, in place of handle.x
 *     uint getDescriptorIndexFromHandle(uvec2 handle, uint kind)    the same; kind: numbers of spb_heap_kind
 *     T getDescriptorFromHandle...(uvec2 handle)                    a whole dereference to an opaque type T
 *     uvec2 getDeviceAddressFromHandle(uvec2 handle)                with --heap=as=address, the address of an
 *                                                                   acceleration structure, in place of the handle
 *
 * They are defined in a module given with --resolver, or in the module itself. Dereferences inside them, and those
 * by defaultGetDescriptorFromHandle..., bypass the resolver and use .x. */
#ifndef SPB_RESOLVER_H
#define SPB_RESOLVER_H

#include "pass/pass.h"

#define SPB_RESOLVER_INDEX   "getDescriptorIndexFromHandle"
#define SPB_RESOLVER_WHOLE   "getDescriptorFromHandle"
#define SPB_RESOLVER_ADDRESS "getDeviceAddressFromHandle"
#define SPB_RESOLVER_DEFAULT "defaultGetDescriptorFromHandle"

struct spb_known_functions {
	uint32_t index;           /* id; 0: not defined */
	bool takes_kind;          /* the second form */
	uint32_t address;         /* id; 0: not defined */
	SPB_LIST(uint32_t) whole; /* ids, each for a different type */
};

struct spb_resolver_module {
	struct spb_unit unit;
	struct spb_known_functions known;
	bool used; /* some module of the program needs one of its functions */
};

bool spb_pass_merge_resolver(struct spb_unit *u);
bool spb_pass_inline_resolver(struct spb_unit *u);

/* forget_numbers.c: on resolvers only */
bool spb_pass_forget_numbers(struct spb_unit *u);

/* merge_resolver.c */

/* Is the handle a copy whose index is .x in spite of a resolver? */
bool spb_is_plain_handle(const struct spb_unit *u, uint32_t id);

/* resolver.c */

/* Parses a resolver. *r must be zeroed except for unit.m.context and unit.options. May fail. */
void spb_resolver_parse(struct spb_resolver_module *r, const char *name, const uint32_t *words, size_t count);
/* Takes a resolver in the form that merge-resolver reads (spb_run_on_resolver). Fails if it defines none, or if one
 * is wrong. */
void spb_resolver_find_functions(struct spb_resolver_module *r);
/* Fails if two of them define the index function. */
void spb_check_resolvers(const struct spb_resolver_module *resolvers, size_t count);
/* The known functions of a module, by export or OpName; in `arena`. Fails if one has a wrong signature or calls
 * itself. */
struct spb_known_functions spb_find_known_functions(const struct spb_module *m, struct spb_arena *arena);
/* Bits over function indexes: functions that resolvers of the module may call, including clones; in scratch. */
uint32_t *spb_find_resolver_functions(const struct spb_unit *u, const struct spb_calls *calls);
/* The type itself, or its pointee, since glslang passes parameters as pointers. */
uint32_t spb_parameter_value(const struct spb_module *m, uint32_t type);

#endif
