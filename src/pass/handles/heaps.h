/* SPDX-License-Identifier: Apache-2.0 */
/* heaps: the arrays of descriptors that handles are indexes of, for the passes that lower dereferences.
 *
 * There is one variable for each type of descriptor; types that one VkDescriptorType serves share a binding (Slang's
 * table, docs/heaps.md), which the layout sees to. With --heap-size=N they are OpTypeArrays of N.
 *
 * A runtime array of the author's, of the very type, that stands where --heap puts heaps of the kind, is the heap:
 *
 *     layout(set = 1, binding = 2) uniform texture2D textures[];        with --heap=texture=1.2
 *
 * but not if it is qualified, or of another length: then a variable is put beside it, which the layout may refuse.
 *
 * A pass begins, asks for heaps, has them made, puts chains to them, and ends with what the module must then
 * declare. */
#ifndef SPB_HEAPS_H
#define SPB_HEAPS_H

#include "pass/handles/handles.h"

struct spb_heap_type {
	uint32_t element; /* type of one descriptor: opaque, or a block; 0: OpTypeSampler, of which there is none yet */
	uint32_t storage_class;
	enum spb_descriptor kind;
	bool coherent, is_volatile; /* decorated so when heaps are declared */
	bool own;                   /* the variable is the author's own array */
	/* made by spb_heaps_make */
	uint32_t variable;
	uint32_t pointer; /* type of a pointer to one descriptor */
	uint32_t next;    /* of the same element in another storage class, + 1 */
};

struct spb_heaps {
	struct spb_unit *u;
	SPB_LIST(struct spb_heap_type) list;
	uint32_t *of_element;               /* [bound] heap + 1 */
	bool dynamic[SPB_DESCRIPTOR_COUNT]; /* indexed by what is no constant */
	uint32_t length;                    /* constant, with options->heaps.size */
	uint32_t *listed;                   /* heap -> the last entry point that lists it */
	/* of handle_index: ids that are made once */
	uint32_t kinds[SPB_DESCRIPTOR_COUNT]; /* constants: what a resolver is told             */
	uint32_t *resolvers;                  /* bits over indexes of functions that a resolver may run */
	uint32_t boolean;                     /* type */
	uint32_t bounded, bound, otherwise;   /* type of an index, how many there are, what stands for others */
};

/* heaps.c */

void spb_heaps_begin(struct spb_heaps *h, struct spb_unit *u);
/* Which heap holds descriptors of a type; of one type there is one, but a block may be of a storage and of a uniform
 * buffer. */
uint32_t spb_heap_of(struct spb_heaps *h, uint32_t element, uint32_t storage_class, enum spb_descriptor kind);
uint32_t spb_heap_of_samplers(struct spb_heaps *h); /* of a module that may have no OpTypeSampler */
void spb_heaps_make(struct spb_heaps *h);           /* variables, once all heaps are known */
/* Capabilities and extensions that the arrays, and the indexes into them, need. */
void spb_heaps_declare(struct spb_heaps *h);
/* SPIR-V 3.3.6: from 1.4 on an entry point lists every global variable that its call tree uses. */
void spb_heap_list(struct spb_heaps *h, spb_at entry_point, uint32_t heap);

/* Before `at`: a pointer to the descriptor that a component of a handle names. */
uint32_t spb_put_heap_chain(struct spb_heaps *h, uint32_t at, uint32_t heap, uint32_t handle, uint32_t component,
			    bool marked);

/* unneeded_types.c */

/* Removes those of `types` (bits over ids; the types made of them are added to it) that nothing is of, and that no heap
 * holds. `gone`: bits over values that this pass removes. Returns whether some are left. */
bool spb_remove_unneeded_types(const struct spb_heaps *heaps, uint32_t *types, const uint32_t *gone);

/* handle_uses.c */

bool spb_is_handle_set(const struct spb_module *m, uint32_t id); /* the import of SPB_HANDLE_SET */
/* Whether an operand says which descriptor the instruction uses. */
bool spb_uses_descriptor(const struct spb_module *m, struct spb_use use);
/* Non-semantic: says which value a name had, and the like. */
bool spb_is_handle_remark(const struct spb_module *m, spb_at at);

/* handle_index.c */

enum { SPB_HANDLE_X, SPB_HANDLE_Y }; /* components */

/* Before `at`: the index that a component of a handle is. *constant: it is one. `marked`: it is not the same in all
 * invocations. */
uint32_t spb_put_handle_index(struct spb_heaps *h, uint32_t at, uint32_t heap, uint32_t handle, uint32_t component,
			      bool marked, bool *constant);

#endif
