/* SPDX-License-Identifier: Apache-2.0 */
/* resources: what one module says of its resources; changes nothing. */
#ifndef SPB_RESOURCES_H
#define SPB_RESOURCES_H

#include "ir/ir.h"

/* descriptor.c: the kinds of descriptors that Vulkan has. A new kind is a name here, a row of the table there, and the
 * type by which spb_descriptor_of knows it. A kind with a heap also needs a number in the public spb_heap_kind. */

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

/* The register classes of HLSL, in the order of --auto-shift. See classes.c. */
enum spb_class { SPB_CLASS_B, SPB_CLASS_T, SPB_CLASS_S, SPB_CLASS_U, SPB_CLASS_COUNT };

/* A heap of DescriptorHandles, and its binding in each heap model. */
struct spb_heap_info {
	const char *name;   /* in --heap and in the layout JSON; NULL: there is no such heap               */
	spb_heap_kind kind; /* public number                                                               */
	uint8_t typed;      /* binding with --heap-model=typed                                             */
	uint8_t mutable;    /* the same with --heap-model=mutable, which is Slang's numbering              */
	uint8_t dxc;        /* place in DXC's order of heaps: resources, samplers, counters                */
	bool may_mix;       /* with --heap-model=mutable it is of VK_DESCRIPTOR_TYPE_MUTABLE_EXT           */
};

struct spb_descriptor_info {
	const char *kind;    /* in the layout JSON, policies, lock files and names of heaps                */
	const char *title;   /* in tables for people                                                       */
	const char *vk_name; /* VkDescriptorType, by name and by number                                    */
	uint32_t vk_type;
	const char *resource_kind; /* D3D12's ResourceKind; NULL: the resource's type tells                */

	/* An array of these indexed by a value that is dynamically uniform, or not: the capabilities, UINT32_MAX if
	 * there is none, and the features that Vulkan wants enabled for them. */
	uint32_t dynamic, non_uniform;
	const char *dynamic_feature, *non_uniform_feature; /* NULL: none */
	uint32_t implied; /* another capability that those two declare; 0: none                             */

	enum spb_class class[2]; /* register class of one that is only read, of one that is written         */
	bool writable;           /* unless it is decorated NonWritable                                      */
	struct spb_heap_info heap;
};

const struct spb_descriptor_info *spb_descriptor_info(enum spb_descriptor kind);
const struct spb_heap_info *spb_heap_info(spb_heap_kind kind); /* NULL: it is no number of a heap */
bool spb_has_heap(enum spb_descriptor kind);
/* Whether SPV_EXT_descriptor_indexing declares the capability, which SPIR-V has by itself from 1.5 on. */
bool spb_is_descriptor_indexing(uint32_t capability);

/* The kind that a variable of this storage class and (element) type is. Vulkan: "Shader Resource and Descriptor
 * Type Correspondence". */
enum spb_descriptor spb_descriptor_of(const struct spb_module *m, uint32_t storage_class, uint32_t type);

/* The kind of a heap by the name that lower-handles gives it, heap_texture_2D_float; OTHER: it is no such name. In a
 * module that was bound before, the name is all that tells. */
enum spb_descriptor spb_heap_named(const char *name);

/* As the layout JSON and the names of heaps say them. */
const char *spb_dim_name(uint32_t dim);
const char *spb_component_name(const struct spb_module *m, uint32_t type);

/* classes.c: register classes of HLSL */

enum spb_class spb_class_of(enum spb_descriptor kind, bool writable);
char spb_class_letter(enum spb_class class);
const char *spb_class_name(uint32_t class);                             /* the same, as text */
bool spb_is_read_only_block(const struct spb_module *m, uint32_t type); /* all its members are NonWritable */

/* stages.c: execution models as bits */

enum { SPB_STAGE_COUNT = 14 };

uint32_t spb_stage_bit(uint32_t model); /* 0: not one of Vulkan's */
const char *spb_stage_name(uint32_t index);
const char *spb_stage_vk_name(uint32_t index);
uint32_t spb_module_stages(const struct spb_module *m);
uint32_t spb_stage_flags(uint32_t bits); /* VkShaderStageFlags */

/* resources.c: the variables of a module that need a set and a binding */

enum { SPB_COUNT_SPEC_IDS = 4 }; /* nobody multiplies more lengths than that */

struct spb_variable {
	uint32_t id;
	spb_at at;
	uint32_t type;    /* what the variable holds                              */
	uint32_t element; /* the same, without the array around it                */
	enum spb_descriptor kind;
	uint32_t count;         /* 1 if no array, 0 for a runtime array; a spec constant's default */
	uint32_t count_spec_id; /* UINT32_MAX: count is not one specialization constant */
	/* Of the specialization constants that count depends on, as itself or by OpSpecConstantOp. */
	uint32_t count_spec_ids[SPB_COUNT_SPEC_IDS], count_spec_id_count;
	uint32_t set, binding; /* as decorated in the input                       */
	bool has_set, has_binding;
	uint32_t number; /* its binding, or its register if the module says how it was shifted */
	enum spb_class class;
	bool writable;
	bool used;    /* from a function */
	bool reached; /* from a block that an entry point can reach; true if nobody asked */
	bool heap;    /* of DescriptorHandles: made now, when the module was bound before, or by another compiler */
	spb_heap_kind heap_kind; /* of a heap */
	bool added;              /* of a resolver: no source text of this module declares it */
	bool aliased;
	bool unregistered;     /* HLSL by glslang: the source gives it no register, so its binding means nothing */
	bool ordered;          /* accessed in pixel order, once the layout JSON asked */
	bool placed;           /* the module says that its bindings are registers no more */
	bool beside;           /* a counter of an append or consume buffer */
	uint32_t counter_of;   /* id of the buffer that it counts for; 0: it is no counter */
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

/* heap_arrays.c: marks those that are heaps already; of a module, and of all, where one tells it of others */
void spb_find_heap_arrays(const struct spb_module *m, struct spb_variables *variables);
void spb_find_asked_heaps(const spb_options *options, struct spb_variables *variables);
void spb_mark_heap(struct spb_variable *v);
/* Where --heap puts heaps of a kind; NULL: nowhere. */
const spb_heap_place *spb_asked_heap_place(const spb_options *options, spb_heap_kind kind);

bool spb_is_resource_class(uint32_t storage_class);
/* What an OpTypeArray or OpTypeRuntimeArray is an array of; 0: it is no array. */
uint32_t spb_array_element(const struct spb_module *m, uint32_t type);

/* The name of the buffer that a counter counts for, by its own name as glslang ("app@count") and DXC
 * ("counter.var.app") give it; returns its length, 0: it is no counter. */
size_t spb_counted_name(const char *name, const char **counted);
/* Puts each counter directly behind the buffer that it counts for. */
void spb_put_counters(const struct spb_module *m, struct spb_variables *variables, struct spb_arena *arena);

/* pointers.c: [bound] the variable or parameter that an access chain or copy leads to; 0: the id is its own */
uint32_t *spb_pointer_bases(const struct spb_module *m, struct spb_arena *arena);

/* access.c: which descriptor each access names; for modules whose arrays of descriptors have one dimension */

struct spb_access {
	spb_at at;
	uint32_t variable; /* place in the list of variables                       */
	uint32_t index_id; /* 0: the resource is no array                          */
	uint32_t index;    /* from the beginning of the binding, if it is constant */
	bool constant, non_uniform;
	uint32_t file, line; /* id of an OpString; 0: not known */
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

/* interlock.c: bits over ids: variables that are accessed in pixel order */
uint32_t *spb_find_ordered(const struct spb_module *m, struct spb_arena *arena);

/* calls.c: the call graph */

struct spb_calls {
	uint32_t *function_of; /* [bound] id of an OpFunction -> its index + 1 */
	uint32_t *first;       /* [function_count + 1] into callees            */
	SPB_LIST(uint32_t) callees;
	SPB_LIST(uint32_t) parameters; /* ids, function by function                               */
	uint32_t *first_parameter;     /* [function_count + 1] into parameters                    */
	uint32_t *parameter_number;    /* [bound] id of an OpFunctionParameter -> its place + 1   */
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

#endif
