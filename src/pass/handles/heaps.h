/* SPDX-License-Identifier: Apache-2.0 */
/* heaps: the descriptor arrays that handles index, for the passes that lower dereferences.
 *
 * There is one variable for each descriptor type. Types with the same VkDescriptorType share a binding (Slang's
 * table, docs/heaps.md), which the layout takes care of. With --heap-size=N the variables are OpTypeArrays of N.
 *
 * A runtime array in the input, of exactly this type and at the binding that --heap names for the kind, serves as
 * the heap:
 *
 *     layout(set = 1, binding = 2) uniform texture2D textures[];        with --heap=texture=1.2
 *
 * A qualified array, or one of another length, does not. Then a new variable is created, which the layout may refuse.
 *
 * A pass begins, requests heaps, has them created, emits chains into them, and finally declares what the module then
 * needs. */
#ifndef SPB_HEAPS_H
#define SPB_HEAPS_H

#include "pass/handles/handles.h"

struct spb_heap_type {
	uint32_t element; /* type of one descriptor: opaque or a block; 0: OpTypeSampler, not declared yet */
	uint32_t storage_class;
	enum spb_descriptor kind;
	bool coherent, is_volatile; /* decorate the heap so when it is declared */
	bool own;                   /* the variable is an array of the input */
	bool made;                  /* or was created by an earlier pass, which listed it in u->handles.heaps */
	bool remade;                /* see struct spb_heap */
	enum spb_heap_stride_kind stride;
	uint32_t stride_number;
	/* created by spb_heaps_make */
	uint32_t variable;
	uint32_t pointer; /* type of a pointer to one descriptor */
	uint32_t next;    /* heap of the same element in another storage class, + 1 */
};

struct spb_heaps {
	struct spb_unit *u;
	SPB_LIST(struct spb_heap_type) list;
	uint32_t *of_element;               /* [bound] heap + 1 */
	bool dynamic[SPB_DESCRIPTOR_COUNT]; /* indexed by a non-constant */
	uint32_t *listed;                   /* heap -> the last entry point that lists it */
	uint32_t length;                    /* spb_heap_length; 0: not known yet */
	uint32_t *resolvers;                /* bits over functions that a resolver may run */
	struct spb_handle_checks
	    *checks; /* --instrument-handles: what handle_checks.c has created; NULL: nothing yet */
};

/* heaps.c */

void spb_heaps_begin(struct spb_heaps *h, struct spb_unit *u);
/* The heap for descriptors of a type. Each type has one, except that a block may belong to both a storage and a uniform
 * buffer. */
uint32_t spb_heap_of(struct spb_heaps *h, uint32_t element, uint32_t storage_class, enum spb_descriptor kind);
uint32_t spb_heap_of_samplers(struct spb_heaps *h); /* also for a module without OpTypeSampler */
void spb_heaps_make(struct spb_heaps *h);           /* creates the variables, once all heaps are known */
/* Declares the capabilities and extensions that the arrays, and the indexes into them, need. */
void spb_heaps_declare(struct spb_heaps *h);
/* spb_sweep_types, but keeps the types that heaps hold. */
bool spb_heaps_sweep(const struct spb_heaps *h, uint32_t *types, const uint32_t *gone);
/* SPIR-V 3.3.6, "Mode-Setting Instructions" (OpEntryPoint): from 1.4 on, an entry point lists all global variables that
 * its call tree uses. */
void spb_heap_list(struct spb_heaps *h, spb_at entry_point, uint32_t heap);

/* Emits before `at` a pointer to the descriptor that a component of a handle selects. */
uint32_t spb_put_heap_chain(struct spb_heaps *h, uint32_t at, uint32_t heap, uint32_t handle, uint32_t component,
			    bool marked);

/* handle_uses.c */

bool spb_is_handle_set(const struct spb_module *m, uint32_t id); /* is `id` the import of SPB_HANDLE_SET? */
/* Does the operand select the descriptor that the instruction uses? */
bool spb_uses_descriptor(const struct spb_module *m, struct spb_use use);
/* Is this a non-semantic instruction, such as one that gives the value of a named variable? */
bool spb_is_handle_remark(const struct spb_module *m, spb_at at);

/* handle_index.c */

/* Components of a handle; in a handle of two descriptors, y is the index of the other one. */
enum { SPB_HANDLE_X, SPB_HANDLE_Y, SPB_HANDLE_X_OF_TWO };

/* Emits before `at` the index that a component of a handle stands for. *constant: whether it is a constant. `marked`:
 * it may differ between invocations. */
uint32_t spb_put_handle_index(struct spb_heaps *h, uint32_t at, uint32_t heap, uint32_t handle, uint32_t component,
			      bool marked, bool *constant);

/* The constant that is the length of heaps; 0: they have none. */
uint32_t spb_heap_length(struct spb_heaps *h);
/* Is the instruction in a function that a resolver may run? There the default mapping holds. */
bool spb_is_in_resolver(struct spb_heaps *h, uint32_t at);
/* Emits before `at` the call of the resolver's index function; *type: of its result. */
uint32_t spb_put_resolved_index(struct spb_heaps *h, uint32_t at, enum spb_descriptor kind, uint32_t handle,
				uint32_t component, uint32_t *type);

struct spb_heap_index {
	uint32_t id, type;
	uint32_t handle;   /* that it comes from; 0: unknown */
	bool whole;        /* the y of the handle is a generation, not another index */
	uint32_t length;   /* a constant of the array's length */
	bool instrumented; /* an earlier run has put the check of --instrument-handles */
	bool bounded;      /* or that of --bounds-check; or its array has no length */
};

/* Emits before `at` what --instrument-handles and --bounds-check request; returns the index to use. */
uint32_t spb_put_index_checks(struct spb_heaps *h, uint32_t at, enum spb_descriptor kind, struct spb_heap_index index);

/* handle_checks.c */

#define SPB_HANDLE_TABLE "spb_handle_table" /* the buffer that the host fills */

/* --instrument-handles: emits before `at` the check of an index of this type that comes from a handle. `whole`: the
 * y of the handle is the generation, not another index. */
void spb_put_handle_check(struct spb_heaps *h, uint32_t at, enum spb_descriptor kind, uint32_t type, uint32_t index,
			  uint32_t handle, bool whole);

#endif
