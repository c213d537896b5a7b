/* SPDX-License-Identifier: Apache-2.0 */
/* handle_flow: what the passes share that make handles flow.
 *
 * A dereferenced buffer is a pointer in the storage class PhysicalStorageBuffer, which SPIR-V lets go anywhere: into
 * variables, structs, arrays, functions, through OpPhi. A pointer to a descriptor in a heap may go nowhere. So it is
 * the handle that has to flow, and the dereference that has to be at the access. Three passes, each of one idea:
 *
 *     clone-handle-functions   a function that is called with handles' pointers, and with device addresses, is two
 *     carry-handles            where a pointer of a handle flows, the handle flows in its place
 *     lower-buffer-handles     dereference and access chain become one access chain into the heap
 *
 * All three look at pointers as leaves of types: a struct of two pointers has two. What flows into one another is
 * one class of leaves; a class is of handles, or of device addresses, and not of both.
 *
 * Opaque values of the kinds in handle_kinds.c are leaves, too, for the first two passes: what is said of pointers and
 * device addresses is then true of these values, and of resources that are bound. */
#ifndef SPB_HANDLE_FLOW_H
#define SPB_HANDLE_FLOW_H

#include "pass/handles/heaps.h"

/* handle_leaves.c: pointers to buffers in types */

enum { SPB_MANY_LEAVES = 65 }; /* of a type with more than 64, or too deep: nothing flows through it */

struct spb_pointer_leaves {
	const struct spb_module *m;
	const uint32_t *opaque; /* bits over types that are leaves like pointers to buffers; NULL: none */
	uint8_t *of_type;       /* [bound] how many the type has; SPB_MANY_LEAVES   */
	uint32_t *pointer;      /* [bound] the type of all its leaves; 0: they differ      */
	uint8_t *before; /* word of an OpTypeStruct's member, from the beginning of the globals -> those before it */
};

struct spb_pointer_leaves spb_find_pointer_leaves(const struct spb_module *m, struct spb_arena *arena,
						  const uint32_t *opaque);
/* Of a value; 0 for what cannot be followed, too. */
uint32_t spb_pointer_leaves_of(const struct spb_pointer_leaves *l, uint32_t id);
bool spb_is_buffer_pointer(const struct spb_module *m, uint32_t type); /* in PhysicalStorageBuffer */
/* A pointer to variables of an invocation or a workgroup: its leaves are those of what it points to. */
bool spb_is_local_pointer(const struct spb_module *m, uint32_t type);
/* Of a resource, with opaque leaves: stock glslang gives such a parameter the value of a dereference. */
bool spb_is_resource_pointer(const struct spb_pointer_leaves *l, uint32_t type);
/* One leaf by itself: a pointer to a buffer, an opaque one, or a resource pointer to an opaque one. */
bool spb_is_leaf(const struct spb_pointer_leaves *l, uint32_t type);
/* The part of `type` that an index (a constant's value, or anything into an array) selects: adds the leaves before it
 * to *first, returns its type; 0: there is no such part. */
uint32_t spb_leaf_part(const struct spb_pointer_leaves *l, uint32_t type, uint64_t index, uint32_t *first);

/* handle_kinds.c */

/* Bits over opaque types of which handles have to flow; NULL: none. */
uint32_t *spb_carried_kinds(struct spb_unit *u);
bool spb_is_opaque_dereference(const struct spb_module *m, uint32_t set, spb_at at);

/* handle_pointer_uses.c */

bool spb_is_int(const struct spb_module *m, uint32_t type, uint32_t width);
bool spb_is_int2(const struct spb_module *m, uint32_t type); /* of 32 bits each: what a handle is */
/* What an instruction does to a pointer operand; for operands that are pointers to or into buffers. */
enum spb_pointer_use {
	SPB_POINTER_FLOWS, /* or is used in a way that only a device address can be */
	SPB_POINTER_READ,
	SPB_POINTER_WRITTEN, /* or asked for what uniform buffers do not have */
	SPB_POINTER_CHAIN,   /* goes into what it points to */
	SPB_POINTER_REMARK
};

/* Whether a module has handles of buffers, or references that are taken for such. */
bool spb_has_buffer_handles(struct spb_unit *u);
/* The same, or handles of other kinds that have to flow. */
bool spb_has_carried_handles(struct spb_unit *u, uint32_t **opaque); /* *opaque: spb_carried_kinds */
bool spb_is_buffer_dereference(const struct spb_module *m, uint32_t set, spb_at at);
/* OpBitcast or OpConvertUToPtr of a uint2, which the caller's option makes a handle: the uint2, else 0. */
uint32_t spb_reference_handle(const struct spb_unit *u, spb_at at);
enum spb_pointer_use spb_pointer_use(const struct spb_module *m, struct spb_use use);
/* The same of any leaf: an opaque one is read where its descriptor is used. */
enum spb_pointer_use spb_leaf_use(const struct spb_pointer_leaves *l, struct spb_use use);

/* handle_flow.c: classes of leaves, function by function */

enum {                       /* flags of a class */
       SPB_LEAF_STORAGE = 1, /* of handles of storage buffers */
       SPB_LEAF_UNIFORM = 2, /* of handles of uniform buffers */
       SPB_LEAF_ADDRESS = 4, /* of device addresses, or used as only these can be */
       SPB_LEAF_WRITTEN = 8,
       SPB_LEAF_GLOBAL = 16, /* of a variable that all functions see */
       SPB_LEAF_HANDLE = SPB_LEAF_STORAGE | SPB_LEAF_UNIFORM
};

struct spb_leaf_node {
	uint32_t parent;                 /* itself: it stands for its class         */
	uint32_t type;                   /* of some pointer of the class; 0: none is alone */
	spb_at handle, address, written; /* where the flags come from               */
	uint8_t flags;
	uint8_t status; /* in the end: SPB_LEAF_STORAGE, …UNIFORM, …ADDRESS */
};

struct spb_handle_flow {
	struct spb_unit *u;
	const struct spb_module *m;
	struct spb_arena *arena;
	struct spb_pointer_leaves leaves;
	struct spb_calls calls;
	uint32_t set;      /* id of the import; 0: none                             */
	uint32_t *node_of; /* [bound] value, variable or function (its result) -> its first node + 1 */
	uint32_t *root_of; /* [bound] pointer into a buffer -> the pointer to all of it; 0: it is none */
	SPB_LIST(struct spb_leaf_node) nodes;
	uint8_t *uses_of_type; /* [bound] pointer type -> flags of all classes of it */
	/* for calls */
	uint32_t *image; /* [nodes] class of the called function -> node of the caller */
	uint32_t *stamp; /* [nodes] the call that image is of */
	uint32_t calls_seen;
	uint8_t *done; /* functions */
};

void spb_follow_handles(struct spb_handle_flow *f, struct spb_unit *u, const uint32_t *opaque);
uint32_t spb_leaf_class(struct spb_handle_flow *f, uint32_t node);
/* Throws if a class is of handles and addresses both. */
void spb_check_classes(struct spb_handle_flow *f);

/* handle_calls.c: which function is called with what */

struct spb_function_variant {
	uint32_t function;   /* its index                                                 */
	const uint8_t *key;  /* status of each leaf of its parameters, and of its result   */
	uint32_t next;       /* variant of the same function, + 1                          */
	uint32_t first_call; /* into calls: one for each OpFunctionCall, in module order */
};

struct spb_variants {
	SPB_LIST(struct spb_function_variant) list;
	uint32_t *of_function;    /* variant + 1: the first one, which keeps its place */
	SPB_LIST(uint32_t) calls; /* variant that is called; UINT32_MAX: none */
};

/* Also gives each class its status, where no function has two variants. */
struct spb_variants spb_find_variants(struct spb_handle_flow *f);
/* Whether a class is of handles; for a module whose functions have one variant each. */
uint8_t spb_leaf_status(struct spb_handle_flow *f, uint32_t node);

/* handle_numbers.c: throws if a pointer of a handle is made a number, and that an address. */
void spb_check_handle_numbers(struct spb_handle_flow *f);

/* lower_buffer_clean.c: what belonged to pointers to buffers, and nothing needs any more. `gone`: bits over ids that
 * this pass removes. */
void spb_clean_buffer_pointers(const struct spb_heaps *heaps, const uint32_t *gone);

#endif
