/* SPDX-License-Identifier: Apache-2.0 */
/* spirv-bind: SPIR-V modules in, SPIR-V modules out that Vulkan accepts and a host can bind.
 *
 *     spb_context *context;
 *     spb_program *program;
 *     spb_options options;
 *     spb_options_init(&options, sizeof options);
 *     spb_context_create(NULL, NULL, &context);
 *     spb_program_create(context, &options, &program);
 *     spb_program_add_module(program, "lit.vert.spv", vert, vert_word_count);
 *     spb_program_add_module(program, "lit.frag.spv", frag, frag_word_count);
 *     if (spb_program_bind(program) == SPB_OK)
 *         words = spb_program_words(program, 0, &word_count);
 *     spb_program_destroy(program);
 *     spb_context_destroy(context);
 *
 * The modules of one program share one pipeline layout (VkPipelineLayout).
 *
 * Threads: the library has no mutable globals. A context and the programs made from it are used by one
 * thread at a time; different contexts are independent. Callbacks run on the calling thread and must not
 * call back into the same context, nor leave it by longjmp or an exception.
 *
 * Structs that carry `struct_size` only grow at the end. */
#ifndef SPIRV_BIND_H
#define SPIRV_BIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(SPB_STATIC)
#define SPB_API
#elif defined(_WIN32)
#define SPB_API __declspec(dllimport)
#elif defined(__GNUC__)
#define SPB_API __attribute__((visibility("default")))
#else
#define SPB_API
#endif

#define SPB_VERSION_MAJOR 0
#define SPB_VERSION_MINOR 1
#define SPB_VERSION_PATCH 0

typedef struct spb_context spb_context;
typedef struct spb_program spb_program;

typedef enum spb_status {
	SPB_OK = 0,
	SPB_ERROR_INVALID_ARGUMENT = -1, /* the caller broke a rule of this header                */
	SPB_ERROR_INVALID_SPIRV = -2,    /* a module is damaged or not SPIR-V                     */
	SPB_ERROR_UNSUPPORTED = -3,      /* legal, but a shape this version does not handle       */
	SPB_ERROR_CONFLICT = -4,         /* two resources want one place, or one wants two        */
	SPB_ERROR_VALIDATION = -5,       /* SPIRV-Tools refuses a module, or cannot judge it      */
	SPB_ERROR_OUT_OF_MEMORY = -6,    /* the allocator returned NULL                           */
	SPB_ERROR_INTERNAL = -7,         /* a mistake in this library; please report it           */
	SPB_ERROR_NONUNIFORM = -8        /* SPB_NONUNIFORM_LINT found an access that is not marked */
} spb_status;

typedef enum spb_severity { SPB_SEVERITY_ERROR = 0, SPB_SEVERITY_WARNING = 1, SPB_SEVERITY_NOTE = 2 } spb_severity;

/* realloc with sizes: p == NULL allocates, new_size == 0 frees (and returns NULL). `old_size` is what was
 * asked for when p was made. Returned memory is aligned for any object. NULL for new_size > 0 means: out of
 * memory; the call in progress then ends with SPB_ERROR_OUT_OF_MEMORY. */
typedef struct spb_allocator {
	void *(*resize)(void *user, void *p, size_t old_size, size_t new_size);
	void *user;
} spb_allocator;

/* One diagnostic. All strings are valid during the callback only, never NULL; "" when unknown. */
typedef struct spb_message {
	uint32_t struct_size;
	spb_severity severity;
	uint32_t code;        /* stable; 1xxx parsing, 21xx combined image-samplers, 3xxx handles, 4xxx bindings, 5xxx
				 uniformity, 6xxx validation, 9xxx        internal */
	const char *module;   /* as given to spb_program_add_module                                */
	const char *pass;     /* which pass speaks                                                 */
	const char *text;     /* what is wrong, and what to do                                     */
	uint32_t word_offset; /* of the instruction in the module as it was given; 0: none         */
	uint32_t id;          /* the id it is about; 0: none                                       */
	const char *op;       /* opcode name                                                       */
	const char *name;     /* OpName of `id`                                                    */
	const char *function; /* OpName of the function around it                                  */
	const char *file;     /* source place from OpLine or DebugLine                             */
	uint32_t line;
	uint32_t column;
} spb_message;

typedef struct spb_callbacks {
	void (*message)(void *user, const spb_message *message); /* may be NULL */
	void *user;
} spb_callbacks;

typedef enum spb_rebind {
	SPB_REBIND_MISSING = 0,   /* decorations in the module are fixed                            */
	SPB_REBIND_CONFLICTS = 1, /* of two different resources at one place, the later one moves   */
	SPB_REBIND_ALL = 2,       /* every Binding is assigned anew; DescriptorSet is kept           */
	SPB_REBIND_ALL_SETS = 3   /* every Binding and DescriptorSet is assigned anew               */
} spb_rebind;

typedef enum spb_order {
	SPB_ORDER_SOURCE = 0, /* declaration order, from debug lines or the source text in the module */
	SPB_ORDER_MODULE = 1, /* order of OpVariable                                                  */
	SPB_ORDER_NAME = 2    /* sorted by name                                                       */
} spb_order;

typedef enum spb_rules {
	SPB_RULES_DEFAULT = 0, /* as a policy says, else Slang's                              */
	SPB_RULES_SLANG = 1,   /* Slang's parameter layout rules for Vulkan                   */
	SPB_RULES_HLSL = 2     /* registers: each class (b, t, u, s) and space counts by itself */
} spb_rules;

/* What becomes of resources that no entry point of the program can reach. */
typedef enum spb_unused {
	SPB_UNUSED_DEFAULT = 0, /* as a policy says, else by the rules: slang counts, hlsl removes */
	SPB_UNUSED_COUNT = 1,   /* numbered like the others                                        */
	SPB_UNUSED_LAST = 2,    /* numbered after all others of their set and class                */
	SPB_UNUSED_REMOVE = 3   /* removed from the modules                                        */
} spb_unused;

/* Rules of the caller's own, in the policy language (docs/policies-and-locks.md). */
typedef struct spb_policy {
	const char *name; /* for messages: that of the file; or the name of a built-in profile */
	const char *text; /* NUL-terminated; NULL: the built-in profile of that name           */
} spb_policy;

/* Which accesses to arrays of descriptors are decorated NonUniform (Vulkan, VUID-RuntimeSpirv-None-10148 and
 * subgroupSize-10149), with the indexing capabilities that belong to them. */
typedef enum spb_nonuniform {
	SPB_NONUNIFORM_AUTO = 0, /* those that may differ between invocations, as an analysis finds, and the author's */
	SPB_NONUNIFORM_EXPLICIT = 1, /* the author's marks, completed                                       */
	SPB_NONUNIFORM_KEEP = 2,     /* marks are left as they are                                          */
	SPB_NONUNIFORM_ALL = 3,      /* all by an index that is no constant                                 */
	/* Nothing is bound, there are no results: each access that differs and is not marked is a message of severity
	 * error, and then SPB_ERROR_NONUNIFORM is returned; each of which nothing is known is a warning. */
	SPB_NONUNIFORM_LINT = 4
} spb_nonuniform;

/* In what scope an index must be the same to need no mark. Vulkan 1.3.294 and later take either, before only the group
 * (of workgroup stages: the workgroup; of others: the draw). */
typedef enum spb_uniform_scope {
	SPB_UNIFORM_SCOPE_GROUP = 0,
	SPB_UNIFORM_SCOPE_GROUP_OR_SUBGROUP = 1
} spb_uniform_scope;

/* Accesses whose descriptor differs between invocations, put into a loop over the indexes of the subgroup: for devices
 * without the feature of non-uniform indexing. Needs subgroup operations (ballot) in the stages of the module. Implies
 * SPB_UNIFORM_SCOPE_GROUP_OR_SUBGROUP. */
typedef enum spb_waterfall {
	SPB_WATERFALL_NONE = 0,
	SPB_WATERFALL_LENGTHS = 1, /* only what drivers get wrong even if it is marked: OpArrayLength */
	SPB_WATERFALL_ALL = 2      /* all that are marked NonUniform; marks and capabilities go       */
} spb_waterfall;

typedef enum spb_validate {
	SPB_VALIDATE_OUTPUT = 0, /* each module after rewriting               */
	SPB_VALIDATE_BOTH = 1,   /* also each module before                   */
	SPB_VALIDATE_NONE = 2
} spb_validate;

typedef enum spb_env {
	SPB_ENV_AUTO = 0, /* the oldest Vulkan environment that takes the module's SPIR-V version */
	SPB_ENV_VULKAN_1_0 = 1,
	SPB_ENV_VULKAN_1_1 = 2,
	SPB_ENV_VULKAN_1_1_SPIRV_1_4 = 3,
	SPB_ENV_VULKAN_1_2 = 4,
	SPB_ENV_VULKAN_1_3 = 5
} spb_env;

/* Passed on to the validator; named as spirv-val's options. */
enum {
	SPB_VALIDATOR_RELAX_BLOCK_LAYOUT = 1,
	SPB_VALIDATOR_UNIFORM_BUFFER_STANDARD_LAYOUT = 2,
	SPB_VALIDATOR_SCALAR_BLOCK_LAYOUT = 4,
	SPB_VALIDATOR_WORKGROUP_SCALAR_BLOCK_LAYOUT = 8,
	SPB_VALIDATOR_ALLOW_LOCALSIZEID = 16
};

/* Which heap of DescriptorHandles; as the layout JSON names kinds. */
typedef enum spb_heap_kind {
	SPB_HEAP_SAMPLER = 0,
	SPB_HEAP_COMBINED = 1,
	SPB_HEAP_TEXTURE = 2,
	SPB_HEAP_IMAGE = 3,
	SPB_HEAP_UTEXBUF = 4,
	SPB_HEAP_STEXBUF = 5,
	SPB_HEAP_UBO = 6,
	SPB_HEAP_SSBO = 7,
	SPB_HEAP_AS = 8,
	SPB_HEAP_COUNTER = 9 /* DXC's, of the counters of buffers in its heap */
} spb_heap_kind;

/* Which heaps share a binding. Mutable ones need VK_EXT_mutable_descriptor_type on the host. */
typedef enum spb_heap_model {
	SPB_HEAP_MODEL_TYPED = 0,          /* each descriptor type has its own                                     */
	SPB_HEAP_MODEL_MUTABLE = 1,        /* Slang's default: 0 samplers, 1 combined, 2 images, texel buffers and
					      buffers, which are mutable, 3 acceleration structures                */
	SPB_HEAP_MODEL_DESCRIPTOR_HEAP = 2 /* no bindings: the built-in heaps of SPV_EXT_descriptor_heap     */
} spb_heap_model;

/* What a DescriptorHandle of a combined image-sampler is. With SPB_HEAP_MODEL_DESCRIPTOR_HEAP always split. */
typedef enum spb_combined {
	SPB_COMBINED_NATIVE = 0, /* x: which combined image-sampler                         */
	SPB_COMBINED_SPLIT = 1   /* x: which texture, y: which sampler of the other heaps   */
} spb_combined;

/* What an index does that is not in its heap, which has spb_heap_options.size descriptors. */
typedef enum spb_bounds_check {
	SPB_BOUNDS_CHECK_OFF = 0,   /* undefined behaviour                       */
	SPB_BOUNDS_CHECK_CLAMP = 1, /* names the last descriptor                 */
	SPB_BOUNDS_CHECK_NULL = 2   /* names descriptor 0, which the host leaves null, or makes a fallback */
} spb_bounds_check;

/* A module with functions that say which descriptor a handle names, exported by LinkageAttributes or called so by
 * OpName:
 *
 *     uint getDescriptorIndexFromHandle(uint2 handle)
 *     uint getDescriptorIndexFromHandle(uint2 handle, uint kind)     kind: spb_heap_kind
 *     T getDescriptorFromHandle...(uint2 handle)                     T: an image, sampler, sampled image, ...
 *
 * What modules of the program need of it is merged into them (docs/resolvers.md). It is parsed by
 * spb_program_create, which reports what is wrong with it by itself. */
typedef struct spb_resolver {
	const char *name; /* for messages */
	const uint32_t *words;
	size_t word_count;
} spb_resolver;

typedef struct spb_heap_place {
	spb_heap_kind kind;
	uint32_t set, binding;
} spb_heap_place;

/* Options come in groups. Each group ends in words that a later version may give a meaning; they are zero until then.
 */

/* Which set and binding each resource gets. */
typedef struct spb_layout_options {
	spb_rules rules;
	spb_rebind rebind;
	spb_order order;
	spb_unused unused;
	uint32_t has_auto_binding; /* 1: a Binding equal to auto_binding counts as missing                        */
	uint32_t auto_binding;
	uint32_t has_auto_set; /* 1: a DescriptorSet equal to auto_set counts as missing                          */
	uint32_t auto_set;
	uint32_t default_set;   /* the set of resources that have none                                            */
	uint32_t allow_overlap; /* 1: different resources fixed at one binding are a warning instead of an error  */
	uint32_t no_merge;      /* 1: resources of one name in different modules stay different resources         */
	uint32_t auto_shift;  /* 1: use the smallest shifts, in the order b, t, s, u, that keep the register classes of
				 a set apart                                                                      */
	uint32_t doctor;      /* 1: classify every binding that more than one resource uses; conflicts are errors,
				 reported after all bindings have been looked at                                  */
	uint32_t update_lock; /* 1: where a module fixes a resource at another binding than the lock, the lock follows;
				 0: that is an error                                                              */
	/* Text of a lock file made by spb_program_lock, or NULL. Locked bindings never change. Copied. Malformed lines
	 * are reported by spb_program_bind, which then returns SPB_ERROR_INVALID_ARGUMENT. */
	const char *lock;
	const char *lock_name; /* for messages */
	/* Read by spb_program_create in this order; the first line that matches a resource wins. A malformed line is
	 * reported and fails with SPB_ERROR_INVALID_ARGUMENT. Copied. */
	const spb_policy *policies;
	uint32_t policy_count;
	uint32_t reserved[15];
} spb_layout_options;

/* What counts as a DescriptorHandle, and how handles map to descriptors. */
typedef struct spb_handle_options {
	const spb_resolver *resolvers; /* copied by spb_program_create; at most one may define the index           */
	uint32_t resolver_count;
	/* 1: a uint2 converted to a buffer reference (GL_EXT_buffer_reference_uvec2) is a DescriptorHandle */
	uint32_t lower_buffer_references;
	/* Restricts that to blocks with these names (* matches any run of characters, ? any one, commas separate
	 * patterns); NULL: all blocks. Copied. */
	const char *buffer_reference_blocks;
	uint32_t reserved[16];
} spb_handle_options;

/* The descriptor arrays that handles index. */
typedef struct spb_heap_options {
	spb_heap_model model;
	spb_combined combined;
	spb_bounds_check bounds_check; /* needs size                                                               */
	uint32_t size;                 /* descriptors in each heap; 0: runtime arrays                              */
	uint32_t set;                  /* lowest set the heaps may use                                             */
	uint32_t has_set;              /* 1: set was given explicitly; report it if that set is in use             */
	uint32_t in_default_set;       /* 1: heaps take the first free bindings of the default set, as DXC's do: one for
					  all resources, one for samplers, one for counters                        */
	uint32_t as_address;           /* 1: handles of acceleration structures are device addresses              */
	/* With SPB_HEAP_MODEL_DESCRIPTOR_HEAP: bytes from one descriptor to the next; 0: the size of the descriptor
	 * type, which the driver knows (OpConstantSizeOfEXT). */
	uint32_t resource_stride, sampler_stride;
	uint32_t unified_stride; /* 1: the stride of the resource heap is the larger of the image and buffer sizes  */
	uint32_t place_count;
	const spb_heap_place *places; /* locations of single heaps; the last entry for a kind wins. Copied.         */
	uint32_t reserved[16];
} spb_heap_options;

/* Combined image-samplers that are taken apart, or put together. */
typedef struct spb_combined_options {
	uint32_t split; /* 1: each combined image-sampler becomes a texture and a sampler                          */
	uint32_t merge_count;
	/* "TEX:SMP": OpNames of a texture and a sampler that become one combined image-sampler wherever they are used
	 * together. Copied by spb_program_create. It is an error if no module has both names. */
	const char *const *merge;
	uint32_t reserved[8];
} spb_combined_options;

/* Which accesses are decorated NonUniform. */
typedef struct spb_uniformity_options {
	spb_nonuniform mode;
	spb_uniform_scope scope;
	spb_waterfall waterfall;
	uint32_t prune;            /* 1: remove NonUniform decorations that no access needs, then capabilities     */
	uint32_t no_dynamic_caps;  /* 1: add no *ArrayDynamicIndexing capabilities; the host may not have enabled those
				      features                                                                     */
	uint32_t distrust_uniform; /* 1: the decorations Uniform and UniformId prove nothing                       */
	/* Names (* matches any run of characters, ? any one) of the combined image-samplers that the host creates with
	 * a sampler Y'CbCr conversion, or NULL: SPB_NONUNIFORM_LINT demands constant indices for them. Copied. */
	const char *ycbcr;
	uint32_t reserved[16];
} spb_uniformity_options;

/* What SPIRV-Tools checks. */
typedef struct spb_validation_options {
	spb_validate which;
	spb_env env;
	uint32_t flags;             /* SPB_VALIDATOR_*                                                             */
	uint32_t allow_unvalidated; /* 1: a module that is too new for SPIRV-Tools passes with a warning           */
	uint32_t reserved[8];
} spb_validation_options;

/* For work on the library itself. The passes have the names that spb_pass_name returns. */
typedef struct spb_debug_options {
	/* Runs only these passes, separated by commas and always in the order of the pipeline; NULL: all. The result
	 * need not be valid for Vulkan, so it is neither checked for left-over handles nor validated. Copied. */
	const char *only;
	/* Keeps each module as it is after this pass for spb_program_dump, whether or not `only` includes the pass;
	 * NULL: none. Copied. */
	const char *dump_after;
	uint32_t reserved[8];
} spb_debug_options;

typedef struct spb_options {
	uint32_t struct_size; /* set by spb_options_init                                                           */
	uint32_t explain;     /* 1: spb_program_accesses and the layout JSON list every access to a resource       */
	spb_layout_options layout;
	spb_handle_options handles;
	spb_heap_options heaps;
	spb_combined_options combined;
	spb_uniformity_options uniformity;
	spb_validation_options validation;
	spb_debug_options debug;
} spb_options;

/* One variable of one module, as the program's layout places it. Strings live as long as the program. */
typedef struct spb_resource {
	uint32_t module; /* index, in the order of spb_program_add_module                                */
	uint32_t id;     /* result id of the OpVariable in the output module                             */
	uint32_t set;
	uint32_t binding;
	uint32_t count;           /* descriptors; 0: runtime array                                       */
	uint32_t descriptor_type; /* VkDescriptorType; of a mutable heap: what this variable sees         */
	bool fixed;               /* the place was in the input                                          */
	bool heap;                /* of DescriptorHandles, whoever made it                               */
	const char *name;         /* "" in a stripped module; "pairs.b" for a member of a struct         */
	const char *why;          /* which rule placed it                                                */
	char register_class;      /* 'b', 't', 'u' or 's'                                                */
	bool has_register;        /* the rules count registers: space is `set`, and this is the number   */
	uint32_t register_number;
	bool had_set, had_binding; /* what the input says                                                 */
	uint32_t old_set, old_binding;
	bool removed; /* unused and gone: set and binding mean nothing                              */
} spb_resource;

/* One access to a resource by an access chain, load or texel pointer, with options.explain. Strings live as long as the
 * program, and are never NULL. */
typedef struct spb_descriptor_access {
	uint32_t module;   /* index, in the order of spb_program_add_module                                    */
	uint32_t resource; /* id of the OpVariable                                                             */
	uint32_t id;       /* of the access chain, load or texel pointer                                       */
	uint32_t index_id; /* 0: the resource is no array                                                      */
	uint32_t index;    /* which descriptor, if it is constant                                              */
	bool constant;
	bool non_uniform; /* decorated so                                                                      */
	bool judged;      /* SPB_NONUNIFORM_AUTO found out about it: what follows means something              */
	bool uniform_in_group, uniform_in_subgroup;
	bool certain;     /* if it differs: by its nature; false: nothing is known of it                       */
	const char *file; /* source place of the access                                                        */
	uint32_t line;    /* 0: not known                                                                      */
	/* From the index to what makes it differ, step by step; or what it is made of, if it is uniform. */
	const char *const *why;
	uint32_t why_count;
} spb_descriptor_access;

/* SPB_VERSION_* of the library that is running: major << 16 | minor << 8 | patch. Any thread. */
SPB_API uint32_t spb_version(void);

/* One English word for a status, never NULL. Any thread. */
SPB_API const char *spb_status_name(spb_status status);

/* Fills `options` with the defaults. struct_size is sizeof(spb_options) of the caller. Any thread. */
SPB_API void spb_options_init(spb_options *options, uint32_t struct_size);

/* Makes a context. allocator NULL: malloc and free. callbacks NULL: silent. Both are copied.
 * *context is NULL on failure; else destroy it with spb_context_destroy. */
SPB_API spb_status spb_context_create(const spb_allocator *allocator, const spb_callbacks *callbacks,
				      spb_context **context);

/* Destroys what spb_context_create made; its programs must be gone. NULL is fine. */
SPB_API void spb_context_destroy(spb_context *context);

/* Makes an empty program. options NULL: the defaults; else they are copied. Destroy it before the context. */
SPB_API spb_status spb_program_create(spb_context *context, const spb_options *options, spb_program **program);

/* NULL is fine. */
SPB_API void spb_program_destroy(spb_program *program);

/* Parses a module and adds it to the program (SPIR-V, either byte order). `words` are copied and need no
 * alignment beyond uint32_t. `name` is for messages and the layout; NULL: "module N".
 * A refused module leaves the program as it was. SPIR-V 2.3 and 2.4 give the checks made. */
SPB_API spb_status spb_program_add_module(spb_program *program, const char *name, const uint32_t *words,
					  size_t word_count);

/* Lowers handles, decides the layout of all modules, rewrites and validates them. All or nothing: on failure
 * no result is available. Once per program. */
SPB_API spb_status spb_program_bind(spb_program *program);

/* Modules added so far. */
SPB_API size_t spb_program_module_count(const spb_program *program);

/* The rewritten module in the byte order it came in; owned by the program. NULL before a successful bind. */
SPB_API const uint32_t *spb_program_words(const spb_program *program, size_t module, size_t *word_count);

/* Whether the module differs from what was added. False before a successful bind. */
SPB_API bool spb_program_changed(const spb_program *program, size_t module);

/* VkShaderStageFlags of the entry points of a module. 0 before a successful bind. */
SPB_API uint32_t spb_program_stages(const spb_program *program, size_t module);

/* The layout as data, ordered by set, binding, module, id; owned by the program. Returns how many. */
SPB_API size_t spb_program_resources(const spb_program *program, const spb_resource **resources);

/* Every access to a resource, in the order of modules and of instructions; made at the first call and owned by the
 * program. Returns how many; 0 before a successful bind, without options.explain, or when memory runs out. */
SPB_API size_t spb_program_accesses(spb_program *program, const spb_descriptor_access **accesses);

/* The layout as JSON (include/spirv-bind/layout.schema.json), NUL-terminated, made at the first call and
 * owned by the program. NULL before a successful bind or when memory runs out. */
SPB_API const char *spb_program_layout_json(spb_program *program, size_t *length);

/* The lock file that belongs to the layout: one line for each resource of the program, sorted by name, and one for
 * each that the lock given in the options has and the program has no more. NUL-terminated, made at the first call and
 * owned by the program. NULL before a successful bind or when memory runs out. */
SPB_API const char *spb_program_lock(spb_program *program, size_t *length);

/* The words of a module as they were after the pass options.debug.dump_after, in the byte order of the input; owned by
 * the program. Also available when spb_program_bind has failed in a later pass. NULL if the module did not get there.
 */
SPB_API const uint32_t *spb_program_dump(const spb_program *program, size_t module, size_t *word_count);

/* Names of the passes in the order in which they run, one after the other until NULL. Any thread. */
SPB_API const char *spb_pass_name(uint32_t index);

/* Names of the built-in profiles, one after the other until NULL. Any thread. */
SPB_API const char *spb_profile_name(uint32_t index);

/* The name of a spb_heap_kind, as --heap and the layout JSON have it; the kinds are numbered from 0, NULL follows the
 * last. Any thread. */
SPB_API const char *spb_heap_kind_name(uint32_t kind);

/* What a VkDescriptorType is called: "sampled image"; "other" if no resource can be of it. Any thread. */
SPB_API const char *spb_descriptor_type_name(uint32_t type);

#ifdef __cplusplus
}
#endif

#endif
