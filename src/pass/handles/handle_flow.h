/* SPDX-License-Identifier: Apache-2.0 */
/* handle_flow: what the passes that move handles have in common.
 *
 * A dereferenced buffer is a pointer in the storage class PhysicalStorageBuffer, which SPIR-V lets go anywhere: into
 * variables, structs, arrays, functions and through OpPhi. A pointer to a descriptor in a heap may go nowhere. So
 * the handle has to flow instead, and the dereference has to move to the access. Three passes do this:
 *
 *     clone-handle-functions   copies functions that are called with both handles' pointers and device addresses
 *     carry-handles            where a handle's pointer flows, lets the handle flow instead
 *     lower-buffer-handles     turns dereference and access chain into one access chain into the heap
 *
 * All three treat pointers as leaves of types: a struct of two pointers has two leaves. Leaves that flow into one
 * another form a class. A class consists of handles or of device addresses, never of both.
 *
 * For the first two passes, opaque values of the kinds in handle_kinds.c are leaves, too: statements about pointers
 * and device addresses then apply to these values and to bound resources. */
#ifndef SPB_HANDLE_FLOW_H
#define SPB_HANDLE_FLOW_H

#include "pass/handles/heaps.h"

/* handle_leaves.c: pointers to buffers in types */

enum { SPB_MANY_LEAVES = 65 }; /* more than 64 leaves, or nested too deeply: nothing flows through it */

struct spb_pointer_leaves {
	const struct spb_module *m;
	const uint32_t *opaque; /* bits over opaque types that count as leaves; NULL: none */
	uint8_t *of_type;       /* [bound] number of leaves in the type, or SPB_MANY_LEAVES */
	uint32_t *pointer;      /* [bound] common type of all its leaves; 0: they differ */
	uint8_t *before; /* word of a member in OpTypeStruct, from the beginning of the globals -> number of leaves
			    before it */
};

struct spb_pointer_leaves spb_find_pointer_leaves(const struct spb_module *m, struct spb_arena *arena,
						  const uint32_t *opaque);
/* Number of leaves of a value; also 0 if it cannot be followed. */
uint32_t spb_pointer_leaves_of(const struct spb_pointer_leaves *l, uint32_t id);
bool spb_is_buffer_pointer(const struct spb_module *m, uint32_t type); /* in PhysicalStorageBuffer */
/* A pointer to a variable of an invocation or a workgroup: its leaves are those of its contents. */
bool spb_is_local_pointer(const struct spb_module *m, uint32_t type);
/* A pointer to a resource with opaque leaves: stock glslang passes the value of a dereference to such a parameter. */
bool spb_is_resource_pointer(const struct spb_pointer_leaves *l, uint32_t type);
/* A single leaf: a pointer to a buffer, an opaque value, or a resource pointer to an opaque value. */
bool spb_is_leaf(const struct spb_pointer_leaves *l, uint32_t type);
/* Selects the part of `type` at an index (the value of a constant, or anything for an array), adds the number of leaves
 * before it to *first and returns its type; 0: there is no such part. */
uint32_t spb_leaf_part(const struct spb_pointer_leaves *l, uint32_t type, uint64_t index, uint32_t *first);

/* handle_kinds.c */

/* Bits over opaque types whose handles have to flow; NULL: none. */
uint32_t *spb_carried_kinds(struct spb_unit *u);
bool spb_is_opaque_dereference(const struct spb_module *m, uint32_t import, spb_at at);

/* handle_uses.c */

/* What an instruction does with an operand that is a pointer to or into a buffer. */
enum spb_pointer_use {
	SPB_POINTER_FLOWS, /* or is used as only a device address can be */
	SPB_POINTER_READ,
	SPB_POINTER_WRITTEN, /* written, or used in another way that uniform buffers do not allow */
	SPB_POINTER_CHAIN,   /* base of an access chain */
	SPB_POINTER_REMARK
};

enum spb_pointer_use spb_pointer_use(const struct spb_module *m, struct spb_use use);

/* handle_pointer_uses.c */

bool spb_is_int(const struct spb_module *m, uint32_t type, uint32_t width);
bool spb_is_int2(const struct spb_module *m, uint32_t type); /* two 32-bit integers: the type of a handle */
/* Does the module have handles of buffers, or references that are treated as handles? */
bool spb_has_buffer_handles(struct spb_unit *u);
/* The same, or handles of other kinds that have to flow. */
bool spb_has_carried_handles(struct spb_unit *u, uint32_t **opaque); /* *opaque: spb_carried_kinds */
bool spb_is_buffer_dereference(const struct spb_module *m, uint32_t import, spb_at at);
/* The uint2 of an OpBitcast or OpConvertUToPtr that the caller's option turns into a handle; otherwise 0. */
uint32_t spb_reference_handle(const struct spb_unit *u, spb_at at);
/* spb_pointer_use of any leaf: an opaque one is read where its descriptor is used. */
enum spb_pointer_use spb_leaf_use(const struct spb_pointer_leaves *l, struct spb_use use);

/* handle_flow.c: classes of leaves, function by function */

enum {                       /* flags of a class */
       SPB_LEAF_STORAGE = 1, /* handles of storage buffers */
       SPB_LEAF_UNIFORM = 2, /* handles of uniform buffers */
       SPB_LEAF_ADDRESS = 4, /* device addresses, or used as only these can be */
       SPB_LEAF_WRITTEN = 8,
       SPB_LEAF_GLOBAL = 16, /* belongs to a variable that all functions see */
       SPB_LEAF_HANDLE = SPB_LEAF_STORAGE | SPB_LEAF_UNIFORM
};

struct spb_leaf_node {
	uint32_t parent;                 /* union-find parent; a root is its own parent */
	uint32_t type;                   /* type of some pointer in the class; 0: the class has no single pointer */
	spb_at handle, address, written; /* where the flags come from */
	uint8_t flags;
	uint8_t status; /* final status: SPB_LEAF_STORAGE, …UNIFORM, …ADDRESS */
};

struct spb_handle_flow {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_arena *arena;
	struct spb_pointer_leaves leaves;
	struct spb_calls calls;
	uint32_t import;   /* id of the import; 0: none */
	uint32_t *node_of; /* [bound] value, variable or function (its result) -> its first node + 1 */
	uint32_t *root_of; /* [bound] pointer into a buffer -> pointer to the whole buffer; 0: not such a pointer */
	SPB_LIST(struct spb_leaf_node) nodes;
	uint8_t *uses_of_type; /* [bound] pointer type -> flags of all its classes */
	/* while merging a call */
	uint32_t *image; /* [nodes] class of the callee -> node of the caller */
	uint32_t *stamp; /* [nodes] call for which `image` is valid */
	uint32_t calls_seen;
	bool *done; /* [functions] */
};

void spb_follow_handles(struct spb_handle_flow *f, struct spb_unit *u, const uint32_t *opaque);
uint32_t spb_leaf_class(struct spb_handle_flow *f, uint32_t node);

/* handle_calls.c: which functions are called with which pointers */

struct spb_function_variant {
	uint32_t function;   /* index of the function */
	const uint8_t *key;  /* status of each leaf of its parameters and its result */
	uint32_t next;       /* next variant of the same function, + 1 */
	uint32_t first_call; /* into `calls`: one entry for each OpFunctionCall, in module order */
};

struct spb_variants {
	SPB_LIST(struct spb_function_variant) list;
	uint32_t *of_function;    /* variant + 1: the first one, which keeps the original function */
	SPB_LIST(uint32_t) calls; /* variant that is called; UINT32_MAX: none */
};

/* Also gives each class its status, if no function has two variants. */
struct spb_variants spb_find_variants(struct spb_handle_flow *f);
/* Status of a class, for a module whose functions have one variant each. */
uint8_t spb_leaf_status(struct spb_handle_flow *f, uint32_t node);

/* handle_numbers.c: fails if a handle's pointer is converted to a number and back to an address. */
void spb_check_handle_numbers(struct spb_handle_flow *f);

/* lower_buffer_clean.c: removes what only pointers to buffers needed. `gone`: bits over ids that the calling pass
 * removes. */
void spb_clean_buffer_pointers(const struct spb_heaps *heaps, const uint32_t *gone);

#endif
