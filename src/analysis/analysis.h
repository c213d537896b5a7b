/* SPDX-License-Identifier: Apache-2.0 */
/* analysis: what modules and programs say; changes nothing. */
#ifndef SPB_ANALYSIS_H
#define SPB_ANALYSIS_H

#include "ir/ir.h"

/* descriptor.c: the kinds of descriptors Vulkan has. ORDER DESCRIPTOR */

enum spb_descriptor {
	SPB_DESCRIPTOR_SAMPLER,
	SPB_DESCRIPTOR_COMBINED,
	SPB_DESCRIPTOR_TEXTURE,
	SPB_DESCRIPTOR_IMAGE,
	SPB_DESCRIPTOR_UTEXBUF,
	SPB_DESCRIPTOR_STEXBUF,
	SPB_DESCRIPTOR_UBO,
	SPB_DESCRIPTOR_SSBO,
	SPB_DESCRIPTOR_AS,
	SPB_DESCRIPTOR_INPUT_ATTACHMENT,
	SPB_DESCRIPTOR_TENSOR,
	SPB_DESCRIPTOR_OTHER, /* nothing Vulkan can bind */
	SPB_DESCRIPTOR_COUNT
};

struct spb_descriptor_info {
	const char *kind; /* as the layout JSON says it */
	const char *vk_name;
	uint32_t vk_type;              /* VkDescriptorType                                             */
	uint32_t dynamic, non_uniform; /* capability to index it; UINT32_MAX: none exists              */
};

const struct spb_descriptor_info *spb_descriptor_info(enum spb_descriptor kind);

/* The kind that a variable of this storage class and (element) type is. Vulkan: "Shader Resource and Descriptor
 * Type Correspondence". */
enum spb_descriptor spb_descriptor_of(const struct spb_module *m, uint32_t storage_class, uint32_t type);

/* As the layout JSON and the names of heaps say them. */
const char *spb_dim_name(uint32_t dim);
const char *spb_component_name(const struct spb_module *m, uint32_t type);

/* resources.c: the variables of a module that need a set and a binding */

struct spb_variable {
	uint32_t id;
	spb_at at;
	uint32_t type;    /* what the variable holds                              */
	uint32_t element; /* the same, without the array around it                */
	enum spb_descriptor kind;
	uint32_t count;         /* 1 if no array, 0 for a runtime array; a spec constant's default */
	uint32_t count_spec_id; /* UINT32_MAX: not by a spec constant             */
	uint32_t set, binding;  /* as decorated in the input                       */
	bool has_set, has_binding;
	bool used; /* from a function */
	bool heap; /* made for DescriptorHandles */
	bool aliased;
	const char *name;      /* OpName                                               */
	const char *key;       /* what it is merged by: a block's type name, or its own */
	const char *declared;  /* what the source declares: `key`, or that of what it was split out of */
	const char *path;      /* of the member split out, "" if none                                  */
	uint32_t run;          /* which split variable of the module it comes from; 0: none            */
	uint32_t leaf, leaves; /* its place among all that were split out of it; 0 of 1               */
	uint64_t rank;         /* place in declaration order                           */
	uint32_t parameter;    /* which parameter of the program it is               */
};

struct spb_variables {
	struct spb_variable *items;
	size_t count, capacity;
};

/* Resources of a module in module order. Throws on shapes that Vulkan cannot bind. */
struct spb_variables spb_collect_variables(const struct spb_module *m, struct spb_arena *arena);

bool spb_is_resource_class(uint32_t storage_class);
/* What an OpTypeArray or OpTypeRuntimeArray is an array of; 0: it is no array. */
uint32_t spb_array_element(const struct spb_module *m, uint32_t type);

/* pointers.c: [bound] the variable or parameter that an access chain or copy leads to; 0: the id is its own */
uint32_t *spb_pointer_bases(const struct spb_module *m, struct spb_arena *arena);

/* access.c: which descriptor each access names; for modules whose arrays of descriptors have one dimension */

struct spb_access {
	spb_at at;
	uint32_t variable; /* place in the list of variables                       */
	uint32_t index_id; /* 0: the resource is no array                          */
	uint32_t index;    /* from the beginning of the binding, if it is constant */
	bool constant, non_uniform;
	uint32_t file, line; /* OpLine: id of an OpString; 0: none */
};

struct spb_accesses {
	struct spb_access *items;
	size_t count, capacity;
};

struct spb_accesses spb_find_accesses(const struct spb_module *m, const struct spb_variables *variables,
				      struct spb_arena *arena);
/* Throws where a constant index is outside its array of descriptors. */
void spb_check_indexes(const struct spb_module *m);

/* types.c: types compared across modules, and sizes */

uint64_t *spb_type_hashes(const struct spb_module *m, struct spb_arena *arena); /* [bound], 0: not a type */
uint32_t *spb_type_sizes(const struct spb_module *m,
			 struct spb_arena *arena); /* [bound] bytes, by Offset and strides */

/* order.c: puts variables into the order of their declaration; true: had to fall back to module order */
bool spb_order_variables(const struct spb_module *m, spb_order order, struct spb_variables *variables,
			 struct spb_arena *arena);

/* calls.c: the call graph */

struct spb_calls {
	uint32_t *function_of; /* [bound] id of an OpFunction -> its index + 1 */
	uint32_t *first;       /* [function_count + 1] into callees            */
	struct {
		uint32_t *items;
		size_t count, capacity;
	} callees;
	struct {
		uint32_t *items;
		size_t count, capacity;
	} parameters;               /* ids, function by function                               */
	uint32_t *first_parameter;  /* [function_count + 1] into parameters                    */
	uint32_t *parameter_number; /* [bound] id of an OpFunctionParameter -> its place + 1   */
	uint32_t function_count;
	uint32_t *reached; /* indexes of functions, filled by spb_reach */
	uint32_t *stamp, generation;
};

struct spb_calls spb_find_calls(const struct spb_module *m, struct spb_arena *arena);
/* Functions that a call of function_id may run, itself included, into g->reached; returns how many. */
uint32_t spb_reach(struct spb_calls *g, uint32_t function_id);

/* usage.c: what the entry points need */

/* Non-semantic, or debug information of any kind: what it names is not used by it. */
bool spb_is_remark(const struct spb_module *m, spb_at at);
/* Bits over ids: functions and labels of blocks that an entry point can reach (in a library: an exported function, or
 * any), with branches on constants followed one way; and the globals that they name, directly or through others. */
uint32_t *spb_find_used(const struct spb_module *m, struct spb_arena *arena);

/* layout.c: the layout of a whole program */

struct spb_layout_module { /* what the layout needs of each module */
	const struct spb_module *m;
	struct spb_variables variables; /* in declaration order */
	uint64_t *hashes;               /* spb_type_hashes, made when first needed */
};

struct spb_parameter {
	uint32_t module, variable; /* where it was first seen */
	enum spb_descriptor kind;
	uint32_t count; /* 0: runtime array */
	uint32_t set, binding;
	uint32_t leaf, leaves; /* leaf 0 and those after it take contiguous bindings */
	bool has_set, fixed, heap, aliased, used;
	const char *why;
};

struct spb_layout {
	struct {
		struct spb_parameter *items;
		size_t count, capacity;
	} parameters;
};

/* Decides every set and binding. Throws on conflicts. */
void spb_lay_out(struct spb_context *c, const spb_options *options, struct spb_layout_module *modules, size_t count,
		 struct spb_layout *layout, struct spb_arena *arena);

#endif
