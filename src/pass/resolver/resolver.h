/* SPDX-License-Identifier: Apache-2.0 */
/* resolver: functions of the user's own that say which descriptor a handle names, for the passes that find, merge, call
 * and inline them.
 *
 *     uint getDescriptorIndexFromHandle(uvec2 handle)               the index, in place of handle.x
 *     uint getDescriptorIndexFromHandle(uvec2 handle, uint kind)    the same; kind: numbers of spb_heap_kind
 *     T getDescriptorFromHandle...(uvec2 handle)                    a whole dereference to an opaque type T
 *
 * They stand in a module of --resolver, or in the module itself. What they dereference themselves, and what
 * defaultGetDescriptorFromHandle... does, is the default: .x, whatever a resolver says. */
#ifndef SPB_RESOLVER_H
#define SPB_RESOLVER_H

#include "pass/pass.h"

#define SPB_RESOLVER_INDEX   "getDescriptorIndexFromHandle"
#define SPB_RESOLVER_WHOLE   "getDescriptorFromHandle"
#define SPB_RESOLVER_DEFAULT "defaultGetDescriptorFromHandle"

struct spb_known_functions {
	uint32_t index;           /* id; 0: not there                       */
	bool takes_kind;          /* the second form                        */
	SPB_LIST(uint32_t) whole; /* ids, each for a type of its own */
};

struct spb_resolver_module {
	struct spb_unit unit;
	struct spb_known_functions known;
};

bool spb_pass_merge_resolver(struct spb_unit *u);
bool spb_pass_inline_resolver(struct spb_unit *u);

/* merge_resolver.c */

/* Whether a handle is a copy whose index is .x, whatever a resolver says. */
bool spb_is_plain_handle(const struct spb_unit *u, uint32_t id);

/* resolver.c */

/* Parses a resolver, brings it into the shape that merge-resolver reads, and checks what it defines. *r must be zeroed
 * but for unit.m.context and unit.options. Throws. */
void spb_resolver_read(struct spb_resolver_module *r, const char *name, const uint32_t *words, size_t count);
/* Throws if two of them say what the index is. */
void spb_check_resolvers(const struct spb_resolver_module *resolvers, size_t count);
/* The known functions of a module: exported, or called so by OpName. In `arena`. Throws if one is not as it must be, or
 * calls itself. */
struct spb_known_functions spb_find_known_functions(const struct spb_module *m, struct spb_arena *arena);
/* Bits over indexes of functions: what resolvers of the module may run, clones that were made of it included. In
 * scratch. */
uint32_t *spb_find_resolver_functions(const struct spb_unit *u, const struct spb_calls *calls);
/* The type itself, or what it points to: how glslang passes parameters. */
uint32_t spb_parameter_value(const struct spb_module *m, uint32_t type);

#endif
