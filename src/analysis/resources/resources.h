/* SPDX-License-Identifier: Apache-2.0 */
/* resources: facts about the resources of one module, which it does not change. */
#ifndef SPB_RESOURCES_H
#define SPB_RESOURCES_H

#include "ir/ir.h"

/* descriptor.c: the kinds of descriptors in Vulkan. A new kind needs a name here, a row in the table there, and the
 * type by which spb_descriptor_of recognises it. A kind with a heap also needs a number in the public spb_heap_kind. */

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
	SPB_DESCRIPTOR_OTHER, /* corresponds to no Vulkan descriptor type */
	SPB_DESCRIPTOR_COUNT
};

/* The register classes of HLSL, in the order of option shift=auto. See classes.c. */
enum spb_class { SPB_CLASS_B, SPB_CLASS_T, SPB_CLASS_S, SPB_CLASS_U, SPB_CLASS_COUNT };

/* A heap of DescriptorHandles, and its binding in each heap model. */
struct spb_heap_info {
	const char *name;   /* in --heap and in the layout JSON; NULL: there is no such heap */
	spb_heap_kind kind; /* public number */
	uint8_t typed;      /* binding with --heap-model=typed */
	uint8_t mutable;    /* binding with --heap-model=mutable, as numbered by Slang */
	uint8_t dxc;        /* position in DXC's order of heaps: resources, samplers, counters */
	bool may_mix;       /* with --heap-model=mutable its type is VK_DESCRIPTOR_TYPE_MUTABLE_EXT */
};

struct spb_descriptor_info {
	const char *kind;    /* in the layout JSON, policies, lock files and names of heaps */
	const char *title;   /* in human-readable tables */
	const char *vk_name; /* VkDescriptorType, by name and number */
	uint32_t vk_type;
	const char *resource_kind; /* D3D12's ResourceKind; NULL: it depends on the type */

	/* Capabilities for indexing an array of these with a dynamically uniform or a non-uniform value (UINT32_MAX:
	 * none), and the corresponding Vulkan features. */
	uint32_t dynamic, non_uniform;
	const char *dynamic_feature, *non_uniform_feature; /* NULL: none */
	const char *update_feature;                        /* for update-after-bind; NULL: none */
	uint32_t implied;                                  /* a capability that both imply; 0: none */

	enum spb_class class[2]; /* register class if read-only, and if writable */
	bool writable;           /* unless decorated NonWritable */
	struct spb_heap_info heap;
};

extern const struct spb_descriptor_info spb_descriptor_infos[SPB_DESCRIPTOR_COUNT];

static inline const struct spb_descriptor_info *spb_descriptor_info(enum spb_descriptor kind)
{
	return &spb_descriptor_infos[kind];
}

const char *spb_descriptor_vk_name(uint32_t kind);
const struct spb_heap_info *spb_heap_info(spb_heap_kind kind); /* NULL: not a kind of heap */
const char *spb_heap_kind_name(uint32_t kind);                 /* NULL after the last one */
const char *spb_descriptor_type_name(uint32_t type);           /* of a VkDescriptorType: "sampled image" */
bool spb_has_heap(enum spb_descriptor kind);
/* VkSpirvResourceTypeFlagsEXT by which VK_EXT_descriptor_heap tells variables apart that have one set and binding. */
uint32_t spb_resource_mask(enum spb_descriptor kind, bool writable);
/* resourceMask of a mapping: whether it is writable matters only beside `others`, which have its set and binding. */
uint32_t spb_mapping_mask(uint32_t mask, uint32_t others);
const char *spb_resource_mask_name(uint32_t bit); /* NULL after the last one */
enum { SPB_RESOURCE_MASK_BITS = 10 };
/* Does SPV_EXT_descriptor_indexing define the capability? All of these are core since SPIR-V 1.5. */
bool spb_is_descriptor_indexing(uint32_t capability);
/* Does the capability allow indexing arrays of descriptors? Includes those of SPV_EXT_descriptor_indexing. */
bool spb_is_indexing(uint32_t capability);

/* VkDescriptorTypes that SPIR-V cannot express: the host chooses them. */
enum {
	SPB_VK_UNIFORM_BUFFER_DYNAMIC = 8,
	SPB_VK_STORAGE_BUFFER_DYNAMIC = 9,
	SPB_VK_INLINE_UNIFORM_BLOCK = 1000138000,
	SPB_VK_MUTABLE = 1000351000
};

const char *spb_kind_name(uint32_t kind);       /* of enum spb_descriptor: "texture" */
const char *spb_vk_type_name(uint32_t vk_type); /* "VK_DESCRIPTOR_TYPE_SAMPLER" */

/* VkDescriptorBindingFlagBits, by the number of the bit */
enum {
	SPB_FLAG_UPDATE_AFTER_BIND,
	SPB_FLAG_UPDATE_UNUSED_WHILE_PENDING,
	SPB_FLAG_PARTIALLY_BOUND,
	SPB_FLAG_VARIABLE_COUNT,
	SPB_FLAG_COUNT
};

/* VkDescriptorSetLayoutCreateFlagBits */
enum { SPB_SET_PUSH_DESCRIPTOR, SPB_SET_UPDATE_AFTER_BIND_POOL, SPB_SET_DESCRIPTOR_BUFFER = 4, SPB_SET_FLAG_COUNT };

const char *spb_set_flag_vk_name(uint32_t bit);

const char *spb_flag_name(uint32_t bit); /* as in policies; NULL after the last one */
const char *spb_flag_vk_name(uint32_t bit);
/* The feature that a flag needs for descriptors of this type; NULL: none. */
const char *spb_flag_feature(uint32_t bit, enum spb_descriptor type, uint32_t vk_type);

/* The kind of a variable with this storage class and (element) type. Vulkan, "Shader Resource and Descriptor Type
 * Correspondence". */
enum spb_descriptor spb_descriptor_of(const struct spb_module *m, uint32_t storage_class, uint32_t type);

/* The kind of a heap, by the name that lower-handles gives it, such as heap_texture_2D_float; OTHER: any other name. In
 * a module that was bound before, only the name identifies a heap. */
enum spb_descriptor spb_heap_named(const char *name);

/* As written in the layout JSON and in the names of heaps. */
const char *spb_dim_name(uint32_t dim);
const char *spb_component_name(const struct spb_module *m, uint32_t type);

/* host_features.c */

/* What --host-features may name: features that descriptors need, then sets of them; NULL after the last one. */
const char *spb_host_feature_name(uint32_t index);
/* What the host must have for a capability, in the words of vulkan.h; NULL: nothing, or it has nothing to do with
 * descriptors. *is_feature: a member of a VkPhysicalDevice*Features structure; otherwise a property or an extension. */
const char *spb_feature_of(uint32_t capability, bool *is_feature);
/* The feature of a capability that has nothing to do with descriptors; NULL: it needs none, or is unknown. */
const char *spb_other_feature_of(uint32_t capability);

struct spb_feature_struct {
	const char *name;  /* after VkPhysicalDevice; NULL: only the struct of a version has it */
	const char *type;  /* its VkStructureType */
	uint32_t version;  /* VkPhysicalDeviceVulkan1NFeatures has its members, too; 0: none has */
	const char *guard; /* a macro that headers have which know the struct; NULL: all do */
};

const struct spb_feature_struct *spb_struct_of_feature(const char *feature); /* all zero: it is none */
/* Is the feature in a list of features and sets, separated by commas? Everything is in NULL. */
bool spb_host_has(const char *list, const char *feature);

/* classes.c: register classes of HLSL */

enum spb_class spb_class_of(enum spb_descriptor kind, bool writable);
char spb_class_letter(enum spb_class class);
const char *spb_class_name(uint32_t class); /* the same, as text */
bool spb_has_on_all_members(const struct spb_module *m, uint32_t type, uint32_t decoration);

/* stages.c: execution models as bits */

enum { SPB_STAGE_COUNT = 14 };

uint32_t spb_stage_bit(uint32_t model); /* 0: not an execution model of Vulkan */
const char *spb_stage_name(uint32_t index);
const char *spb_stage_vk_name(uint32_t index);
/* The stages of the selected entry points. */
uint32_t spb_module_stages(const spb_options *options, const struct spb_module *m);
/* The position of the first of these stages in a pipeline: task, mesh, vertex ... fragment; compute; ray tracing.
 * `bits`: as of spb_stage_bit; 0 comes after all stages. */
uint32_t spb_pipeline_rank(uint32_t bits);
uint32_t spb_stage_flags(uint32_t bits);      /* VkShaderStageFlags */
uint32_t spb_stages_of_flags(uint32_t flags); /* the inverse */
/* The index of the name in options->layout.entries, which is sorted, + 1; 0: it is not listed. */
uint32_t spb_find_entry(const spb_options *options, const char *name);
/* Is the instruction an OpEntryPoint that options->layout.entries selects? */
bool spb_is_wanted_entry_point(const spb_options *options, const struct spb_module *m, spb_at at);

/* resources.c: the variables of a module that need a set and a binding */

enum { SPB_COUNT_SPEC_IDS = 4 }; /* no realistic length depends on more */

struct spb_count_spec { /* the specialization constants of a length */
	uint32_t id;    /* SpecId; UINT32_MAX: the length is an expression */
	uint32_t count; /* how many it depends on, directly or through OpSpecConstantOp */
	uint32_t ids[SPB_COUNT_SPEC_IDS];
};

/* Properties that most variables lack, kept apart to save memory. */
struct spb_extra {
	const struct spb_count_spec *count_spec;   /* NULL: its length does not depend on one */
	const struct spb_declaration *declaration; /* in the source text (analysis/source); NULL: unknown */
	const char *declared;      /* name in the source, if the variable was split from another; NULL: its key */
	const char *path;          /* path of the member that was split off, "" if none */
	const char *part_of;       /* the variable from which an earlier run split it; NULL: none */
	uint32_t origin;           /* number of the split variable it comes from; 0: none */
	uint32_t piece, pieces;    /* its index among the pieces of that variable; 0 of 1 */
	uint32_t counter_of;       /* id of the buffer that it counts for; 0: not a counter */
	uint32_t attachment_index; /* of an input attachment; UINT32_MAX: none */
	uint32_t shift;            /* added to its register to give its binding, if the module records that */
	uint32_t set, binding;     /* as decorated, if the source text differs: */
	bool by_text;
	bool counted; /* it has a counter */
};

/* Programs have many of these: the order of the members leaves no padding. */
struct spb_variable {
	uint32_t id;
	spb_at at;
	uint32_t type;    /* type of the variable's contents */
	uint32_t element; /* the same without the outer array */
	uint32_t count;   /* 1 if not an array, 0 for a runtime array; for a specialization constant, its default */
	uint32_t set, binding; /* in the input: as decorated, or as its source text says */
	union {
		uint32_t name_hash; /* of its key, until the parameter is known: */
		uint32_t parameter; /* index of its parameter of the program */
	};
	uint16_t stages;        /* stage bits of the entry points that statically use it */
	uint16_t listed;        /* stage bits of the entry points whose interface lists it */
	uint8_t kind;           /* enum spb_descriptor */
	unsigned class : 3;     /* enum spb_class */
	unsigned heap_kind : 4; /* spb_heap_kind, if it is a heap */
	bool beside : 1;        /* a counter of an append or consume buffer */
	bool has_set : 1;
	bool has_binding : 1;
	bool placed_once : 1; /* decorated with both, each once */
	bool readable : 1;    /* what its decorations permit */
	bool writable : 1;
	bool used : 1;      /* a function or a graph refers to it */
	bool reached : 1;   /* a reachable block refers to it; true if that was not determined */
	bool elsewhere : 1; /* only entry points that are not selected use it or list it */
	bool heap : 1; /* a heap of DescriptorHandles: created by this run, by an earlier one, or by another compiler */
	bool added : 1; /* from a resolver: no source text of this module declares it */
	bool aliased : 1;
	bool unnumbered : 1;           /* its binding does not count: a compiler made it up (counts.c) */
	bool ordered : 1;              /* accessed in pixel order; determined for the layout JSON */
	bool placed : 1;               /* the module records that its bindings are no longer registers */
	bool bound : 1;                /* the module records that they are Vulkan bindings, but not their shifts */
	const struct spb_extra *extra; /* spb_no_extra, which is shared, or its own */
	const char *name;              /* OpName */
	const char *key;               /* name for merging: a block's type name, or its own */
};

_Static_assert(SPB_CLASS_COUNT <= 8 && SPB_HEAP_COUNTER < 16, "variables have 3 bits for classes, 4 for heaps");

extern const struct spb_extra spb_no_extra;
/* Gives the variable an spb_extra of its own, which may be modified. */
struct spb_extra *spb_own_extra(struct spb_variable *v, struct spb_arena *arena);

/* Its name as declared in the source. */
static inline const char *spb_declared_name(const struct spb_variable *v)
{
	return v->extra->declared ? v->extra->declared : v->key;
}

/* Its binding, or its register if the module records how it was shifted. */
static inline uint32_t spb_number_of(const struct spb_variable *v)
{
	return v->binding - v->extra->shift;
}

/* At set 0, binding 0, where glslang also puts resources without a place. */
static inline bool spb_is_at_zero(const struct spb_variable *v)
{
	return v->has_binding && !v->binding && (!v->has_set || !v->set);
}

/* Set and binding as decorated; 0: not decorated. */
static inline uint32_t spb_old_set(const struct spb_variable *v)
{
	return v->extra->by_text ? v->extra->set : v->set;
}

static inline uint32_t spb_old_binding(const struct spb_variable *v)
{
	return v->extra->by_text ? v->extra->binding : v->binding;
}

struct spb_variables {
	struct spb_variable *items;
	size_t count, capacity;
};

/* The resources of a module, in module order. Fails on shapes that Vulkan does not accept. */
struct spb_variables spb_collect_variables(const struct spb_module *m, struct spb_arena *arena);
/* The same before resolve-descriptors: the kind of such a shape is OTHER. */
struct spb_variables spb_collect_any_shape(const struct spb_module *m, struct spb_arena *arena);

/* heap_arrays.c: marks variables that already are heaps: by name and binding within a module, or by the binding given
 * with --heap */
void spb_find_heap_arrays(const struct spb_module *m, struct spb_variables *variables);
void spb_find_asked_heaps(const spb_options *options, struct spb_variables *variables);
void spb_mark_heap(struct spb_variable *v);
/* Is it the heap that Slang or DXC makes for all handles, rather than an array of the author? */
bool spb_is_compilers_heap(const struct spb_variable *v);
/* The last binding where --heap puts heaps of a kind; NULL: not given. */
const spb_heap_place *spb_asked_heap_place(const spb_options *options, spb_heap_kind kind);
/* Is it one of the bindings that --heap gives heaps of the kind? */
bool spb_is_asked_heap_place(const spb_options *options, spb_heap_kind kind, uint32_t set, uint32_t binding);
bool spb_has_heap_choice(const spb_options *options, spb_heap_kind kind); /* --heap gives it several bindings */

/* unite_heaps.c: the places of heaps */

enum { SPB_HEAP_KINDS = 16 }; /* of spb_heap_kind */

struct spb_heap_at { /* a heap of a module, or of a program, with its place */
	spb_heap_kind kind;
	uint32_t module; /* or program */
	uint32_t set, binding;
	uint32_t owner; /* for the caller */
	bool open;      /* it has no place yet */
};

/* Moves heaps to the first of their kind. Open ones join it; those that find none stay open. False: kinds that cannot
 * share a binding have one now. */
bool spb_unite_heaps(struct spb_arena *scratch, struct spb_heap_at *heaps, size_t count);

/* Element type of an OpTypeArray or OpTypeRuntimeArray; 0: not an array. */
uint32_t spb_array_element(const struct spb_module *m, uint32_t type);

/* The name of the buffer that a counter belongs to, from the counter's own name as glslang ("app@count") and DXC
 * ("counter.var.app") give it; returns its length, 0: not a counter. */
size_t spb_counted_name(const char *name, const char **counted);

/* pointers.c: [bound] the variable or parameter that an access chain or copy refers to; 0: the id itself */
uint32_t *spb_pointer_bases(const struct spb_module *m, struct spb_arena *arena);

/* access.c: which descriptor each access uses; for modules whose arrays of descriptors have one dimension */

struct spb_access {
	spb_at at;
	uint32_t variable; /* index into the list of variables */
	uint32_t index_id; /* 0: the resource is not an array */
	uint32_t index;    /* from the beginning of the binding, if constant */
	bool constant, non_uniform;
	uint32_t file, line; /* id of an OpString; 0: unknown */
};

struct spb_accesses {
	struct spb_access *items;
	size_t count, capacity;
};

struct spb_accesses spb_find_accesses(const struct spb_module *m, const struct spb_variables *variables,
				      struct spb_arena *arena);
/* The first access with a constant index that is outside its array of descriptors; 0: none. */
spb_at spb_find_wrong_index(const struct spb_module *m);
/* Fails if there is such an access. */
void spb_check_indexes(const struct spb_module *m);

/* types.c: comparing types across modules, and sizes */

uint64_t *spb_type_hashes(const struct spb_module *m, struct spb_arena *arena); /* [bound], 0: not a type */
struct spb_block_member {
	const char *name; /* "" if it has none */
	uint32_t offset, size;
	uint32_t stride; /* of a matrix */
	bool row_major;
	bool placed; /* it has an Offset; otherwise it takes no space */
};

struct spb_structs { /* in module order */
	struct spb_struct {
		uint32_t id;
		const struct spb_block_member *members;
	} * items;
	size_t count, capacity;
};

/* [bound] Sizes in bytes, from Offset and strides. `structs`, unless NULL, receives the structs, whose names point into
 * the module. */
uint32_t *spb_type_sizes(const struct spb_module *m, struct spb_structs *structs, struct spb_arena *arena);

/* members.c: what blocks contain, and whether two can be one */

struct spb_typed_member {     /* a value; members of nested structs are listed as members of the block */
	uint64_t hash;        /* of the type, the strides, and the order of a matrix */
	const char *name;     /* "sun.colour", or "" */
	const char *type;     /* as messages print it */
	uint32_t offset, end; /* bytes; of an array, all its elements */
};

struct spb_contents {
	const struct spb_typed_member *members; /* by offset */
	uint32_t count;
};

enum spb_sameness { SPB_SAME, SPB_RENAMED /* except for names */, SPB_DIFFERENT };

struct spb_difference { /* the first one */
	const struct spb_typed_member *a, *b;
	bool moved; /* they have one name at two offsets */
};

/* `hashes`: spb_type_hashes. */
struct spb_typed_member *spb_typed_members(const struct spb_module *m, uint32_t type, const uint64_t *hashes,
					   struct spb_arena *arena, uint32_t *count);
enum spb_sameness spb_compare_contents(const struct spb_contents *a, const struct spb_contents *b,
				       struct spb_arena *scratch, struct spb_difference *d);
/* `other`: where the second block is. */
const char *spb_difference_text(const struct spb_difference *d, const char *other, struct spb_arena *arena);

/* interlock.c: bits over ids of variables accessed in pixel order; NULL: there are none */
uint32_t *spb_find_ordered(const struct spb_module *m, struct spb_arena *arena);

/* calls.c: the call graph */

struct spb_calls {
	uint32_t *function_of; /* [bound] id of an OpFunction -> its index + 1 */
	uint32_t *first;       /* [function_count + 1] into callees */
	SPB_LIST(uint32_t) callees;
	SPB_LIST(uint32_t) parameters; /* ids, function by function */
	uint32_t *first_parameter;     /* [function_count + 1] into parameters */
	uint32_t function_count;
	uint32_t *reached; /* indexes of functions, set by spb_reach */
	uint32_t *stamp, generation;
};

struct spb_calls spb_find_calls(const struct spb_module *m, struct spb_arena *arena);
/* The index of an OpFunctionParameter among those of its function, + 1. */
uint32_t spb_parameter_number(const struct spb_module *m, const struct spb_calls *g, uint32_t parameter);

struct spb_sites { /* calls in module order, grouped by function_of their callee */
	spb_at *at;
	uint32_t *first; /* [function_count + 2] into at */
};

struct spb_sites spb_find_sites(const struct spb_module *m, const struct spb_calls *g, struct spb_arena *arena);
/* Adds to `bits` the functions that a call of function_id may run, itself included; it enters none that is there.
 * `list`: room for all functions. */
void spb_add_reached(const struct spb_calls *g, uint32_t function_id, uint32_t *bits, uint32_t *list);
/* Stores the functions that a call of function_id may run, including itself, in g->reached; returns their number. */
uint32_t spb_reach(struct spb_calls *g, uint32_t function_id);

/* static_use.c: which entry points use a variable; only selected entry points count */

/* Fills in `stages`, `listed` and `elsewhere`. */
void spb_find_static_use(const spb_options *options, const struct spb_module *m, struct spb_variables *variables,
			 struct spb_arena *arena);
/* Bits: the stages that have exactly one entry point. */
uint32_t spb_single_stages(const spb_options *options, const struct spb_module *m);
/* An OpEntryPoint that uses ids of both sides; 0: none. side[bound]: 1, 2, or 0 for ids of neither. */
spb_at spb_shared_entry_point(const spb_options *options, const struct spb_module *m, const uint8_t *side,
			      struct spb_arena *arena);

/* usage.c: what the entry points use */

/* Bits over ids: functions and labels of blocks that an entry point can reach (in a library, an exported function, or
 * any function), with branches on constants followed one way; and the globals they name, directly or indirectly. */
uint32_t *spb_find_used(const struct spb_module *m, struct spb_arena *arena);

#endif
