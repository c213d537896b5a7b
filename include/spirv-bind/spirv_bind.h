/* SPDX-License-Identifier: Apache-2.0 */
/* spirv-bind: takes SPIR-V modules as compilers write them and returns modules that Vulkan accepts and a host program
 * can bind.
 *
 *     spb_context *context;
 *     spb_program *program;
 *     spb_context_create(NULL, NULL, &context);
 *     spb_program_create(context, NULL, &program);
 *     spb_program_set(program, "auto-binding", "65534");
 *     spb_program_add(program, "lit.vert.spv", vert, vert_word_count, 0);
 *     spb_program_add(program, "lit.frag.spv", frag, frag_word_count, 0);
 *     if (spb_program_bind(program) == SPB_OK)
 *         words = spb_program_words(program, 0, SPB_WORDS_OUTPUT, &word_count);
 *     spb_program_destroy(program);
 *     spb_context_destroy(context);
 *
 * The modules of a program share one pipeline layout (VkPipelineLayout). What is done to them follows from options: the
 * fields of spb_options, or their names on the command line (spirv-bind(1)).
 *
 * Ownership: every argument is copied, or read during the call only. Every pointer that is returned for a program
 * belongs to it and is valid until spb_program_destroy; names and descriptions are constants.
 *
 * Threads: the library has no mutable global state. A context and the programs created from it may be used by one
 * thread at a time; different contexts are independent. A callback runs on the thread that made the call, and must not
 * leave by longjmp or an exception. If it calls a function with the same context, or with a program or workspace of it,
 * the call does nothing and returns SPB_ERROR_INVALID_ARGUMENT, NULL or 0. The functions without a context or program
 * may be called from any thread.
 *
 * Errors: a function that returns a spb_status has described each error to the message callback, except
 * SPB_ERROR_INVALID_ARGUMENT (unless noted otherwise) and SPB_ERROR_OUT_OF_MEMORY. A call that has run out of memory
 * or exceeded a limit can be repeated with more, and then gives the result that it would have given; messages may be
 * delivered twice.
 *
 * Structs: those with struct_size grow only at the end. A caller compiled with an older header gets the members that it
 * knows; members that an older library does not have must be zero. */
#ifndef SPIRV_BIND_H
#define SPIRV_BIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Define SPB_STATIC to link the static library on Windows; elsewhere it has no effect. The packages for CMake and
 * pkg-config define it. SPB_BUILDING is for the build of the library itself. */
#if defined(SPB_STATIC)
#define SPB_API
#elif defined(_WIN32) || defined(__CYGWIN__)
#if defined(SPB_BUILDING)
#define SPB_API __declspec(dllexport)
#else
#define SPB_API __declspec(dllimport)
#endif
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
	SPB_ERROR_INVALID_ARGUMENT = -1, /* an argument violates the rules of this header */
	SPB_ERROR_INVALID_SPIRV = -2,    /* a module is damaged or is not SPIR-V */
	SPB_ERROR_UNSUPPORTED = -3,      /* a module is legal, but this version cannot rewrite it */
	SPB_ERROR_CONFLICT = -4,         /* two resources claim one binding, or one resource claims two */
	SPB_ERROR_VALIDATION = -5,       /* SPIRV-Tools rejects a module, or is too old to judge it */
	SPB_ERROR_OUT_OF_MEMORY = -6,    /* the allocator returned NULL */
	SPB_ERROR_INTERNAL = -7,         /* a bug in this library; please report it */
	SPB_ERROR_NONUNIFORM = -8,       /* SPB_MODE_LINT has reported an error */
	SPB_ERROR_NOT_FINAL = -9,        /* SPB_MODE_CHECK has found a module that binding would change */
	SPB_ERROR_LIMIT = -10            /* a module, or the work on it, exceeds the limits of the context */
} spb_status;

typedef enum spb_severity { SPB_SEVERITY_ERROR = 0, SPB_SEVERITY_WARNING = 1, SPB_SEVERITY_NOTE = 2 } spb_severity;

/* Memory, through one function like realloc. Sizes are in bytes. If p is NULL, resize allocates; if new_size is 0, it
 * frees p and returns NULL. old_size is the size that was requested for p. The memory must be aligned for any object.
 * If resize returns NULL for a new_size above 0, p stays valid and the call in progress ends with
 * SPB_ERROR_OUT_OF_MEMORY. */
typedef struct spb_allocator {
	void *(*resize)(void *user, void *p, size_t old_size, size_t new_size);
	void *user; /* passed to resize */
} spb_allocator;

/* What the programs of a context may take, for hosts that process other people's modules. No real module exceeds the
 * defaults, which 0 stands for. */
typedef struct spb_limits {
	uint32_t struct_size;  /* sizeof(spb_limits) as the caller was compiled */
	uint32_t ids;          /* the id bound of a module; 0: 4194304, as SPIR-V has it */
	uint32_t instructions; /* in a module; 0: 134217728 */
	uint32_t findings;     /* of SPB_MODE_LINT and of assertions, in one call; 0: 1000000 */
	/* Bytes that the context and its programs have at one time. What SPIRV-Tools takes during validation is not
	 * counted. 0: 64 GiB */
	uint64_t memory;
} spb_limits;

/* Another place that a message is about, or a step from it to its cause. Unknown strings are "". */
typedef struct spb_message_note {
	const char *text;
	const char *module;   /* as in spb_message */
	const char *file;     /* source location */
	uint32_t line;        /* 0: unknown */
	uint32_t column;      /* 0: unknown */
	uint32_t word_offset; /* as in spb_message */
	uint32_t id;          /* of the value, variable or function in question; 0: none, or not of the input */
	const char *name;     /* its OpName */
} spb_message_note;

/* Whether the caller already knows a finding. */
typedef enum spb_finding {
	SPB_FINDING_NEW = 0,
	SPB_FINDING_KNOWN = 1,      /* its fingerprint is in the baseline */
	SPB_FINDING_SUPPRESSED = 2, /* a rule of options.uniformity.suppress matches it */
	SPB_FINDING_ALLOWED = 3     /* a comment in the source allows it: "spirv-bind: allow SPB5001" */
} spb_finding;

/* A diagnostic message. The strings are valid during the callback only; unknown ones are "", never NULL. */
typedef struct spb_message {
	uint32_t struct_size; /* sizeof(spb_message) in the library; the struct only grows at the end */
	spb_severity severity;
	/* Stable; docs/messages.md lists all codes. 1xxx: parsing; 20xx: shapes of resources; 21xx: combined
	 * image-samplers; 30xx: descriptor handles; 31xx: resolvers; 32xx: SPV_EXT_descriptor_heap; 4xxx: bindings,
	 * policies and locks; 50xx: uniformity; 51xx: waterfall loops; 6xxx: validation; 9xxx: internal errors. */
	uint32_t code;
	const char *module;   /* the name given to spb_program_add, or that of a policy, lock or resolver */
	const char *pass;     /* the pass or stage that reports it */
	const char *text;     /* what is wrong */
	uint32_t word_offset; /* of the instruction, in words from the start of the module as it was added; 0: none */
	uint32_t id;          /* result id of the instruction; 0: none */
	const char *op;       /* name of its opcode */
	const char *name;     /* OpName of `id` */
	const char *function; /* OpName of the function that contains the instruction */
	const char *file;     /* source location; of a resource, that of its declaration */
	uint32_t line;        /* of `file`, or of the policy or lock file; 0: unknown */
	uint32_t column;      /* 0: unknown */
	uint32_t end_column;  /* the column after the last one; 0: unknown */
	const char *remedy;   /* what to do, in whole sentences */
	uint32_t note_count;
	const spb_message_note *notes; /* from this place to the cause */
	/* The remaining members describe findings of SPB_MODE_LINT. Findings that are not new are delivered, too, but
	 * do not count: show them separately or not at all. */
	spb_finding finding;
	const char *rule;          /* the rule of options.uniformity.lint; "" for other messages */
	const char *fingerprint;   /* stays the same when other lines of the source change; "": none */
	const char *justification; /* the reason given in the comment that allows it; "": none */
} spb_message;

typedef struct spb_callbacks {
	void (*message)(void *user, const spb_message *message); /* receives every diagnostic; NULL: none */
	void *user;                                              /* passed to message */
} spb_callbacks;

/* What spb_program_bind does. */
typedef enum spb_mode {
	SPB_MODE_BIND = 0,
	/* Binds, and reports an error for each module that is not in its final form, that is, whose output differs from
	 * its input. spb_program_bind then returns SPB_ERROR_NOT_FINAL; the results are available. */
	SPB_MODE_CHECK = 1,
	/* Binds nothing and has no results. Reports an error for every access whose index differs between invocations
	 * but that lacks the NonUniform decoration (spb_program_bind then returns SPB_ERROR_NONUNIFORM), and a warning
	 * for every access whose index the analysis knows nothing about. options.uniformity selects what else it
	 * checks. */
	SPB_MODE_LINT = 2,
	/* Decides the layout and stops there. The only result is SPB_TEXT_FACTS, for a workspace. */
	SPB_MODE_COLLECT = 3
} spb_mode;

/* Which sets and bindings of the input are reassigned. */
typedef enum spb_rebind {
	SPB_REBIND_MISSING = 0,   /* none; only missing ones are assigned */
	SPB_REBIND_CONFLICTS = 1, /* the binding of the later of two different resources that share one */
	SPB_REBIND_ALL = 2,       /* every Binding; a DescriptorSet is kept */
	SPB_REBIND_ALL_SETS = 3   /* every Binding and DescriptorSet */
} spb_rebind;

/* The order in which the resources of a module are numbered. */
typedef enum spb_order {
	SPB_ORDER_SOURCE = 0,       /* declaration order, from the debug lines or the source text in the module */
	SPB_ORDER_MODULE = 1,       /* the order of the OpVariable instructions */
	SPB_ORDER_NAME = 2,         /* sorted by name */
	SPB_ORDER_SOURCE_STRICT = 3 /* declaration order; an error if it is not known */
} spb_order;

/* The order in which the modules of a program are numbered. */
typedef enum spb_module_order {
	SPB_MODULE_ORDER_GIVEN = 0,   /* that of spb_program_add */
	SPB_MODULE_ORDER_PIPELINE = 1 /* that of their first stages: task, mesh, vertex, tessellation, geometry,
				       * fragment; compute; those of ray tracing. Equal ones as given. */
} spb_module_order;

/* The rules by which bindings are assigned. */
typedef enum spb_rules {
	SPB_RULES_DEFAULT = 0, /* those of a policy; otherwise HLSL's for HLSL that glslang compiled and whose registers
				* cannot be bindings, as b0 and t0, and Slang's for everything else */
	SPB_RULES_SLANG = 1,   /* Slang's parameter layout rules for Vulkan */
	SPB_RULES_HLSL = 2     /* HLSL registers: each register class (b, t, u, s) and space is numbered separately */
} spb_rules;

/* What happens to resources that no entry point of the program can reach. */
typedef enum spb_unused {
	SPB_UNUSED_DEFAULT = 0, /* as a policy says, otherwise COUNT with Slang's rules and REMOVE with HLSL's */
	SPB_UNUSED_COUNT = 1,   /* numbered like all others */
	SPB_UNUSED_LAST = 2,    /* numbered after all others of their set and class */
	SPB_UNUSED_REMOVE = 3   /* removed from the modules */
} spb_unused;

/* Rules of the caller, in the policy language (docs/policies-and-locks.md). */
typedef struct spb_policy {
	const char *name; /* name of the file, for messages; or name of a built-in profile */
	const char *text; /* NUL-terminated; NULL: the built-in profile called `name` */
} spb_policy;

/* Which accesses to arrays of descriptors are decorated NonUniform (VUID-RuntimeSpirv-None-10148 and
 * VUID-RuntimeSpirv-subgroupSize-10149) and declare the indexing capabilities that belong to it. */
typedef enum spb_nonuniform {
	SPB_NONUNIFORM_AUTO = 0,     /* those whose index may differ between invocations, and those decorated already */
	SPB_NONUNIFORM_EXPLICIT = 1, /* those decorated already, whose decorations are completed */
	SPB_NONUNIFORM_KEEP = 2,     /* decorations and capabilities stay as they are */
	SPB_NONUNIFORM_ALL = 3       /* all whose index is not a constant */
} spb_nonuniform;

/* Scope in which an index must be uniform for NonUniform to be unnecessary. Vulkan 1.3.294 and later accept either,
 * earlier versions only the invocation group: the workgroup in stages that have one, the draw in others. */
typedef enum spb_uniform_scope {
	SPB_UNIFORM_SCOPE_AUTO = 0, /* what needs no decoration is uniform in the group; SPB_MODE_LINT accepts either */
	SPB_UNIFORM_SCOPE_GROUP = 1,
	SPB_UNIFORM_SCOPE_GROUP_OR_SUBGROUP = 2
} spb_uniform_scope;

/* Waterfall loops: an access whose descriptor differs between invocations is put into a loop that handles one index of
 * the subgroup at a time, for devices without non-uniform indexing. The device must support subgroup ballot operations
 * in the stages of the module. Implies SPB_UNIFORM_SCOPE_GROUP_OR_SUBGROUP. */
typedef enum spb_waterfall {
	SPB_WATERFALL_NONE = 0,
	SPB_WATERFALL_LENGTHS = 1, /* only OpArrayLength, which drivers get wrong even where it is decorated */
	SPB_WATERFALL_ALL = 2,     /* every access decorated NonUniform; unneeded decorations and capabilities go */
	SPB_WATERFALL_DRIVERS = 3  /* OpArrayLength and atomic instructions on buffers, which some driver gets wrong */
} spb_waterfall;
enum { SPB_WATERFALL_INPUT_ATTACHMENTS = 1024 }; /* of spb_uniformity_options.waterfall_kinds */

/* How assert_uniform_workgroup(x) and assert_uniform_subgroup(x) of assert_uniform.glsl are checked. They are removed
 * in any case. */
typedef enum spb_assertion_mode {
	SPB_ASSERTIONS_COMPILE = 0, /* an unproven assertion is an error */
	SPB_ASSERTIONS_WARN = 1,    /* ... a warning */
	/* An unproven assertion counts, in the storage buffer spb_assertions_N, the invocations that have executed it
	 * while the value differed. "assertions" in the layout JSON says which member belongs to which source line. */
	SPB_ASSERTIONS_RUNTIME = 2,
	SPB_ASSERTIONS_OFF = 3 /* nothing is proven */
} spb_assertion_mode;

typedef enum spb_validate {
	SPB_VALIDATE_OUTPUT = 0, /* each module after rewriting; faults of a module that needs no change are warnings */
	SPB_VALIDATE_BOTH = 1,   /* each module before and after rewriting */
	SPB_VALIDATE_NONE = 2,
	SPB_VALIDATE_STRICT = 3 /* as OUTPUT, but faults of a module that needs no change are errors, too */
} spb_validate;

typedef enum spb_env {
	SPB_ENV_AUTO = 0, /* the oldest Vulkan environment that accepts the SPIR-V version of the module */
	SPB_ENV_VULKAN_1_0 = 1,
	SPB_ENV_VULKAN_1_1 = 2,
	SPB_ENV_VULKAN_1_1_SPIRV_1_4 = 3,
	SPB_ENV_VULKAN_1_2 = 4,
	SPB_ENV_VULKAN_1_3 = 5,
	SPB_ENV_VULKAN_1_4 = 6 /* spb_name(SPB_NAME_ENVIRONMENT, ...) tells whether it is known */
} spb_env;

/* Options of SPIRV-Tools: FLAG(name, bit, option of spirv-val and of the command) for each. */
/* clang-format off */
#define SPB_VALIDATOR_FLAGS(FLAG)                                                                                      \
	FLAG(RELAX_BLOCK_LAYOUT, 1, "--relax-block-layout")                                                            \
	FLAG(UNIFORM_BUFFER_STANDARD_LAYOUT, 2, "--uniform-buffer-standard-layout")                                    \
	FLAG(SCALAR_BLOCK_LAYOUT, 4, "--scalar-block-layout")                                                          \
	FLAG(WORKGROUP_SCALAR_BLOCK_LAYOUT, 8, "--workgroup-scalar-block-layout")                                      \
	FLAG(ALLOW_LOCALSIZEID, 16, "--allow-localsizeid")

#define SPB_VALIDATOR_FLAG(name, bit, option) SPB_VALIDATOR_##name = bit,
enum { SPB_VALIDATOR_FLAGS(SPB_VALIDATOR_FLAG) }; /* SPB_VALIDATOR_RELAX_BLOCK_LAYOUT and so on */
#undef SPB_VALIDATOR_FLAG
/* clang-format on */

/* Kinds of descriptors that handles refer to. */
typedef enum spb_heap_kind {
	SPB_HEAP_SAMPLER = 0,
	SPB_HEAP_COMBINED = 1, /* combined image-samplers */
	SPB_HEAP_TEXTURE = 2,  /* sampled images */
	SPB_HEAP_IMAGE = 3,    /* storage images */
	SPB_HEAP_UTEXBUF = 4,  /* uniform texel buffers */
	SPB_HEAP_STEXBUF = 5,  /* storage texel buffers */
	SPB_HEAP_UBO = 6,      /* uniform buffers */
	SPB_HEAP_SSBO = 7,     /* storage buffers */
	SPB_HEAP_AS = 8,       /* acceleration structures */
	SPB_HEAP_COUNTER = 9   /* the counters of the buffers in DXC's heap */
} spb_heap_kind;

/* Which kinds of descriptors share a heap. */
typedef enum spb_heap_model {
	SPB_HEAP_MODEL_TYPED = 0, /* one heap for each descriptor type */
	/* Slang's default: binding 0 samplers, 1 combined image-samplers, 2 images, texel buffers and buffers, which is
	 * mutable and requires VK_EXT_mutable_descriptor_type, 3 acceleration structures */
	SPB_HEAP_MODEL_MUTABLE = 1,
	SPB_HEAP_MODEL_DESCRIPTOR_HEAP = 2 /* no bindings: the built-in heaps of SPV_EXT_descriptor_heap */
} spb_heap_model;

/* What a DescriptorHandle of a combined image-sampler contains; always split with SPB_HEAP_MODEL_DESCRIPTOR_HEAP. */
typedef enum spb_combined {
	SPB_COMBINED_NATIVE = 0, /* x: index of a combined image-sampler */
	SPB_COMBINED_SPLIT = 1   /* x: index of a texture; y: index of a sampler */
} spb_combined;

/* What happens when an index is outside its heap, which has spb_heap_options.size descriptors. */
typedef enum spb_bounds_check {
	SPB_BOUNDS_CHECK_OFF = 0,   /* undefined behavior */
	SPB_BOUNDS_CHECK_CLAMP = 1, /* it selects the last descriptor */
	SPB_BOUNDS_CHECK_NULL = 2   /* it selects descriptor 0, which the host leaves null or reserves for a fallback */
} spb_bounds_check;

/* A module with functions that map a handle to a descriptor. They are exported by LinkageAttributes or have these names
 * by OpName (docs/resolvers.md):
 *
 *     uint getDescriptorIndexFromHandle(uint2 handle)
 *     uint getDescriptorIndexFromHandle(uint2 handle, uint kind)     kind: spb_heap_kind
 *     T getDescriptorFromHandle...(uint2 handle)                     T: an image, sampler, sampled image, ...
 *
 * The parts that the modules of the program use are merged into them. spb_program_create parses the resolver and
 * reports what is wrong with it. */
typedef struct spb_resolver {
	const char *name;      /* for messages */
	const uint32_t *words; /* either byte order */
	size_t word_count;
} spb_resolver;

/* Where the heap of a kind is. */
typedef struct spb_heap_place {
	spb_heap_kind kind;
	uint32_t set, binding;
} spb_heap_place;

/* The value that the host gives a specialization constant when it creates the pipeline (VkSpecializationMapEntry). */
typedef struct spb_spec_value {
	uint32_t id;    /* its SpecId */
	uint64_t value; /* of an integer, as many of the low bits as it has; of a Boolean, 0 is false */
} spb_spec_value;

/* Options come in groups, and all defaults are zero or false. Each group ends in reserved words, which must be zero: a
 * later version may give them a meaning. */

/* Which set and binding each resource gets. */
typedef struct spb_layout_options {
	spb_rules rules;
	spb_rebind rebind;
	spb_order order;
	spb_unused unused;
	bool has_auto_binding; /* a Binding equal to auto_binding counts as missing */
	uint32_t auto_binding;
	bool has_auto_set; /* a DescriptorSet equal to auto_set counts as missing */
	uint32_t auto_set;
	uint32_t default_set; /* the set of resources that have none */
	bool allow_overlap;   /* different resources fixed at one binding are a warning instead of an error */
	bool no_merge;        /* resources of the same name in different modules stay different resources */
	bool auto_shift;      /* use the smallest shifts, in the order b, t, s, u, that keep register classes apart */
	bool doctor;          /* classify every binding that more than one resource uses */
	bool update_lock;     /* if a module fixes a resource at another binding than the lock, the lock follows;
				     otherwise that is an error */
	/* Text of a lock file (SPB_TEXT_LOCK), or NULL. Locked bindings never change. Malformed lines are
	 * reported by spb_program_bind, which then returns SPB_ERROR_INVALID_ARGUMENT. Copied. */
	const char *lock;
	const char *lock_name; /* for messages. Copied. */
	/* Read in this order by spb_program_create; the first line that matches a resource wins. A malformed line is
	 * reported, and spb_program_create returns SPB_ERROR_INVALID_ARGUMENT. Copied. */
	const spb_policy *policies;
	uint32_t policy_count;
	bool split_shared; /* variables that share a descriptor in the input get separate descriptors */
	/* Names of the entry points to bind for; none: all. Variables that only other entry points use keep the set and
	 * the binding of the input, and are not listed. A name that no module has is an error of spb_program_bind.
	 * Copied.
	 */
	const char *const *entries;
	uint32_t entry_count;
	spb_module_order module_order;
	bool keep_array_sizes; /* arrays that HLSL declares without a size keep the one that glslang gives them */
	/* Values of integer and Boolean specialization constants, which every module uses for the lengths of arrays and
	 * in the uniformity analysis. They stay specialization constants, and the host has to give them the same
	 * values. The last entry for an id wins; ids that no module has are ignored. Copied. */
	uint32_t spec_value_count;
	const spb_spec_value *spec_values;
	/* NAME or NAME=VALUE: all macros of the compiler's command line (-D), for modules that contain source text but
	 * do not record them. Copied. */
	const char *const *macros;
	uint32_t macro_count;
	uint32_t reserved[3];
} spb_layout_options;

/* What counts as a DescriptorHandle, and how handles map to descriptors. */
typedef struct spb_handle_options {
	const spb_resolver *resolvers; /* at most one may define getDescriptorIndexFromHandle. Copied. */
	uint32_t resolver_count;
	/* A uint2 converted to a buffer reference (GL_EXT_buffer_reference_uvec2) is a DescriptorHandle */
	bool lower_buffer_references;
	/* Restricts that to blocks with these names (* matches any run of characters, ? any one, commas separate
	 * patterns); NULL: all blocks. Copied. */
	const char *buffer_reference_blocks;
	/* Each dereference checks its index against a table, and counts faults (docs/handles.md). The table, a
	 * storage buffer, is placed at this set and binding, and the counters of module N at N + 1 bindings after
	 * it. */
	bool instrument;
	uint32_t instrument_set, instrument_binding;
	uint32_t reserved[13];
} spb_handle_options;

/* The descriptor arrays that handles index. */
typedef struct spb_heap_options {
	spb_heap_model model;
	spb_combined combined;
	spb_bounds_check bounds_check; /* requires size */
	uint32_t size;                 /* descriptors in each heap; 0: runtime arrays */
	uint32_t set;                  /* lowest set the heaps may use */
	bool has_set;                  /* set was given explicitly; report it if that set is in use */
	bool in_default_set;           /* the heaps take the first free bindings of the default set, as DXC's do: one
					      for all resources, one for samplers, one for counters */
	bool as_address;               /* handles of acceleration structures are device addresses */
	/* With SPB_HEAP_MODEL_DESCRIPTOR_HEAP: bytes from one descriptor to the next, a multiple of 4 up to 65536; 0:
	 * the size of the descriptor type, which the driver knows (OpConstantSizeOfEXT). */
	uint32_t resource_stride, sampler_stride;
	bool unified_stride; /* the stride of the resource heap is the larger of the image and buffer sizes */
	uint32_t place_count;
	/* Heap locations for kinds. Of several for one kind, a heap gets the one where the program has an array of its
	 * type, or else the last. Copied. */
	const spb_heap_place *places;
	bool has_model; /* model was given explicitly: built-in heaps of another model become heaps of this one */
	bool has_size_constant;
	uint32_t size_constant; /* SpecId of the constant that is the length of the heaps; size is its default */
	uint32_t reserved[14];
} spb_heap_options;

/* Combined image-samplers that are split or merged. */
typedef struct spb_combined_options {
	bool split; /* each combined image-sampler becomes a texture and a sampler */
	uint32_t merge_count;
	/* "TEX:SMP": OpNames of a texture and a sampler that become one combined image-sampler wherever they are used
	 * together. It is an error if no module has both names. Copied. */
	const char *const *merge;
	uint32_t reserved[8];
} spb_combined_options;

/* Which accesses are decorated NonUniform. */
typedef struct spb_uniformity_options {
	spb_nonuniform mode;
	spb_uniform_scope scope;
	spb_waterfall waterfall;
	bool prune;            /* remove NonUniform decorations that no access needs, then capabilities */
	bool distrust_uniform; /* ignore the decorations Uniform and UniformId */
	/* Names (* matches any run of characters, ? any one) of the combined image-samplers that the host creates with
	 * a sampler Y'CbCr conversion, or NULL. SPB_MODE_LINT requires constant indices for them. Copied. */
	const char *ycbcr;
	/* What SPB_MODE_LINT checks: RULE or RULE=SEVERITY, separated by commas; NULL: everything. Copied. */
	const char *lint;
	/* Findings that do not count: RULE, RULE@FILE, RULE@FILE:LINE or RULE@NAME, separated by commas, where RULE is
	 * a rule, a code such as SPB5006, or *; FILE and NAME may have * and ?. NULL: none. Copied. */
	const char *suppress;
	/* Fingerprints of findings that do not count, separated by spaces or line feeds; NULL: none. Copied. */
	const char *baseline;
	/* What the host enables (SPB_NAME_HOST_FEATURE), with commas; NULL: anything. Copied. */
	const char *host_features;
	spb_assertion_mode check_assertions;
	bool lint_all;           /* deliver every finding; otherwise at most 100 new ones of each module */
	bool aliased_references; /* a write through a buffer reference may reach any buffer */
	/* With SPB_WATERFALL_ALL: loops only for these kinds of descriptors, and those that have their feature for
	 * non-uniform indexing; others are decorated. Bits 1 << spb_heap_kind, or the one below; 0: all. */
	uint32_t waterfall_kinds;
	uint32_t reserved[6];
} spb_uniformity_options;

/* What SPIRV-Tools validates. */
typedef struct spb_validation_options {
	spb_validate which;
	spb_env env;
	uint32_t flags;         /* SPB_VALIDATOR_* */
	bool allow_unvalidated; /* faults of the input, and what SPIRV-Tools is too old for, are warnings */
	uint32_t reserved[8];
} spb_validation_options;

/* For work on the library itself. The names of passes are those of SPB_NAME_PASS. */
typedef struct spb_debug_options {
	/* Runs only these passes, separated by commas and always in the order of the pipeline; NULL: all. The result
	 * need not be valid for Vulkan, so it is neither checked for left-over handles nor validated. Copied. */
	const char *only;
	/* Keeps each module as it is after this pass for SPB_WORDS_DUMP, whether or not `only` includes the pass;
	 * NULL: none. Copied. */
	const char *dump_after;
	uint32_t reserved[8];
} spb_debug_options;

/* What is done to modules at the end. */
typedef struct spb_output_options {
	/* Written into each module that changes, after the version of the library, as OpModuleProcessed; at most 65535
	 * bytes. NULL: nothing is written. Copied. */
	const char *record;
	/* Removes names, lines, source text and the remarks of other tools. The layout, messages and the lock still
	 * have the names. */
	bool strip_debug;
	uint32_t reserved[14];
} spb_output_options;

/* Fill it with spb_options_init before setting fields. */
typedef struct spb_options {
	uint32_t struct_size; /* in bytes; set by spb_options_init */
	spb_mode mode;
	bool explain; /* spb_program_accesses and the layout JSON list every access to a resource */
	spb_layout_options layout;
	spb_handle_options handles;
	spb_heap_options heaps;
	spb_combined_options combined;
	spb_uniformity_options uniformity;
	spb_validation_options validation;
	spb_debug_options debug;
	spb_output_options output;
} spb_options;

/* An entry of a descriptor set layout (VkDescriptorSetLayoutBinding), with what policies say about it. Every variable
 * that reads or writes it is a view of it. The strings are never NULL. Where no pipeline uses two descriptors of
 * different types together, or VK_EXT_descriptor_heap maps them apart, they may have the same set and binding; each is
 * then an element of its own. */
typedef struct spb_descriptor_binding {
	uint32_t set;
	uint32_t binding;
	uint32_t descriptor_type;    /* VkDescriptorType */
	uint32_t count;              /* number of descriptors, 0: runtime array; of an inline uniform block its bytes */
	uint32_t stages;             /* VkShaderStageFlags of the entry points that use a view; 0: none does */
	uint32_t flags;              /* VkDescriptorBindingFlags */
	uint32_t set_flags;          /* VkDescriptorSetLayoutCreateFlags, the same for all descriptors of the set */
	uint32_t first_resource;     /* its views in the list of spb_program_resources */
	uint32_t resource_count;     /* at least 1 */
	uint32_t mutable_type_count; /* of VK_DESCRIPTOR_TYPE_MUTABLE_EXT; 0 otherwise */
	const uint32_t *mutable_types; /* VkDescriptorType; NULL if there are none */
	const char *name;              /* of the first view; "" in a stripped module */
	const char *why;               /* the rule that placed it */
	bool immutable_samplers;       /* the host gives pImmutableSamplers */
	bool non_uniform;              /* some access may select different descriptors in different invocations */
	uint32_t resource_mask; /* with VK_EXT_descriptor_heap: resourceMask of its mapping; 0: it is in a set layout */
} spb_descriptor_binding;

/* A VkPushConstantRange. No two of them have a stage in common. */
typedef struct spb_push_constant_range {
	uint32_t stages;  /* VkShaderStageFlags */
	uint32_t offset;  /* in bytes, a multiple of 4 */
	uint32_t size;    /* in bytes, a multiple of 4 */
	const char *name; /* of the block or its variable; "" where several names share the range */
} spb_push_constant_range;

/* A variable of a module, as the layout of the program places it. The strings are never NULL. */
typedef struct spb_resource {
	uint32_t module; /* index in the order of spb_program_add */
	uint32_t id;     /* result id of the OpVariable in the output module */
	uint32_t set;
	uint32_t binding;
	uint32_t count;           /* number of descriptors; 0: runtime array */
	uint32_t descriptor_type; /* VkDescriptorType that this view alone needs; see `descriptor` for the entry */
	bool fixed;               /* the set and binding were in the input */
	bool heap;                /* a heap of descriptor handles, whether made by this library or another compiler */
	const char *name;         /* "" in a stripped module; "pairs.b" for a member of a struct */
	const char *why;          /* the rule that placed it */
	char register_class;      /* 'b', 't', 'u' or 's' */
	bool has_register;        /* the rules count registers: register_number is valid, and its space is `set` */
	uint32_t register_number;
	bool had_set, had_binding;       /* whether the input decorates it with DescriptorSet and Binding */
	uint32_t old_set, old_binding;   /* the numbers in the input */
	bool removed;                    /* unused and removed: set, binding and descriptor are meaningless */
	uint32_t descriptor;             /* index in the list of spb_program_descriptors */
	uint32_t stages;                 /* VkShaderStageFlags of the entry points that use it */
	bool readable, writable;         /* what its decorations permit */
	uint32_t input_attachment_index; /* of an input attachment; UINT32_MAX: none */
	const char *file;                /* where the source text in the module declares it; "" if that is unknown */
	uint32_t line;                   /* 0: unknown */
	uint32_t input_id;               /* the same as id; 0: the input does not have this variable */
	/* Declared in a source text, but without a variable in any module; it keeps its set and binding. It is then
	 * also `removed`, and `id` is 0. */
	bool reserved;
	/* Who chose the binding in the input, according to its source text and remarks: "author"; "tool", after its
	 * compiler or in its place; "spirv-bind"; "compiler", for this stage alone, or "nobody", so that it did not
	 * count; "unknown". "": there is none. */
	const char *chosen_by;
	uint32_t block; /* of a buffer: the spb_block::id of what it contains (host.h); otherwise 0 */
} spb_resource;

/* An access to a resource by an access chain, load or texel pointer. The strings are never NULL. */
typedef struct spb_descriptor_access {
	uint32_t module;   /* index in the order of spb_program_add */
	uint32_t resource; /* id of the OpVariable */
	uint32_t id;       /* of the access chain, load or texel pointer */
	uint32_t index_id; /* 0: the resource is not an array */
	uint32_t index;    /* the descriptor that is selected, if `constant` */
	bool constant;     /* the index is a constant */
	bool non_uniform;  /* decorated NonUniform */
	bool judged;       /* SPB_NONUNIFORM_AUTO has analyzed it; the members below are valid */
	bool uniform_in_group, uniform_in_subgroup;
	bool certain;     /* if it is not uniform: true: known to differ; false: nothing is known about it */
	const char *file; /* source location of the access */
	uint32_t line;    /* 0: unknown */
	/* Step by step, from the index to what makes it differ; or, if it is uniform, what it is made of. */
	const char *const *why;
	uint32_t why_count;
	bool by_author; /* the input is decorated NonUniform; what the analysis finds is independent of that */
	/* The same for the subgroup, if the index differs there, too, and for another reason. */
	const char *const *why_subgroup;
	uint32_t why_subgroup_count;
	/* Identifies the access in the input: `id`, or, if the input does not have that, the result of the instruction
	 * that uses it; 0: none. */
	uint32_t input_id;
	/* A built-in heap of SPV_EXT_descriptor_heap: "resource" or "sampler". It has no set and binding, and its
	 * accesses come after all others and are not judged. "": any other resource. */
	const char *heap;
	uint32_t descriptor_type; /* VkDescriptorType of the selected descriptor */
} spb_descriptor_access;

/* A capability that binding adds, and what the host has to enable for it, as in vulkan.h; "": nothing. */
typedef struct spb_added_capability {
	uint32_t capability;
	const char *name, *feature;
} spb_added_capability;

typedef struct spb_module_info {
	const char *name; /* as it was added; "module N" if it had none */
	uint32_t stages;  /* VkShaderStageFlags of its entry points */
	bool changed;     /* the output differs from the input */
	const spb_added_capability *added;
	uint32_t added_count, accesses_marked, accesses_looped; /* new NonUniform accesses, and new waterfall loops */
} spb_module_info;

typedef enum spb_name_kind {
	/* What results depend on besides options and files: the versions of spirv-bind, of the SPIRV-Tools that
	 * validate ("none" without it), and of the SPIR-V grammar. */
	SPB_NAME_TOOL = 1,
	SPB_NAME_STATUS = 2,           /* what a spb_status means; index: the status without its sign */
	SPB_NAME_OPTION = 3,           /* of options, as spb_program_set takes them */
	SPB_NAME_PASS = 4,             /* index 0: the pass that runs first */
	SPB_NAME_LINT_RULE = 5,        /* for spb_uniformity_options.lint */
	SPB_NAME_SEVERITY = 6,         /* spb_severity; and "off", which a rule of the lint may be */
	SPB_NAME_PROFILE = 7,          /* built-in policies */
	SPB_NAME_ENVIRONMENT = 8,      /* spb_env, as far as the built-in SPIRV-Tools can validate for it */
	SPB_NAME_HEAP_KIND = 9,        /* spb_heap_kind, as in --heap and the layout JSON */
	SPB_NAME_DESCRIPTOR_FLAG = 10, /* bit `index` of VkDescriptorBindingFlags, as in policies */
	SPB_NAME_DESCRIPTOR_TYPE = 11, /* VkDescriptorType, as in "sampled image"; "other" if no resource can have it */
	SPB_NAME_HOST_FEATURE = 12     /* for spb_uniformity_options.host_features */
} spb_name_kind;

/* For spb_program_add. */
enum {
	/* The resources of the module are numbered after those of all modules that are not imports. What it declares
	 * counts as its own, even if other modules, whose source includes the same text, declare it, too. */
	SPB_ADD_IMPORT = 1,
	/* The caller has just compiled the module: SPB_MODE_CHECK does not ask whether it is in its final form. */
	SPB_ADD_COMPILED = 2
};

typedef enum spb_words_kind {
	SPB_WORDS_OUTPUT = 0, /* the rewritten module; NULL before a successful bind */
	SPB_WORDS_DUMP = 1    /* as it was after the pass options.debug.dump_after, even if the program was refused
			       * later; NULL if the module did not get that far */
} spb_words_kind;

/* For spb_program_text. */
typedef enum spb_text_kind {
	SPB_TEXT_LAYOUT_JSON = 0, /* in the format of layout.schema.json */
	/* A C header (C99 and C++): the numbers of each descriptor as macros and, where PREFIX_tables is defined before
	 * it is included, tables for vkCreateDescriptorSetLayout, vkCreatePipelineLayout, vkCreateDescriptorPool and
	 * vkCreateDescriptorUpdateTemplate. argument: PREFIX, an identifier, with which every name begins. */
	SPB_TEXT_LAYOUT_HEADER = 1,
	/* The same with the macros only, for GLSL: layout(set = PREFIX_name_set, binding = PREFIX_name_binding). */
	SPB_TEXT_LAYOUT_GLSL = 2,
	/* A page of HTML, one file that loads nothing; with options.explain, it shows each access and where its index
	 * comes from. argument: an older layout JSON, since which it shows the changes; NULL: none. */
	SPB_TEXT_REPORT = 3,
	/* The lock file: one line for each resource of the program, sorted by name, and one for each resource that is
	 * in options.layout.lock but no longer in the program. */
	SPB_TEXT_LOCK = 4,
	/* What SPB_MODE_COLLECT has collected, for spb_workspace_add_facts (workspace.h). The same program gives the
	 * same text with the same version of the library. */
	SPB_TEXT_FACTS = 5
} spb_text_kind;

/* No function is removed or changed within a major version, or, before 1.0, within a minor version. */

/* Since 0.1 */

/* Returns the version of the library at run time: major << 16 | minor << 8 | patch. */
SPB_API uint32_t spb_version(void);

/* Returns a name, a constant; NULL after the last one of its kind. */
SPB_API const char *spb_name(spb_name_kind kind, uint32_t index);

/* Finds the cause and the remedy of a message code, which are constants. False: there is no such code. */
SPB_API bool spb_describe_code(uint32_t code, const char **cause, const char **remedy);

/* Creates a context: memory and messages for programs.
 *     allocator   NULL: malloc and free. Copied; its functions are called until spb_context_destroy.
 *     callbacks   NULL: no messages. Copied.
 *     context     receives the context, to be destroyed with spb_context_destroy; NULL on failure
 * Returns SPB_ERROR_INVALID_ARGUMENT if `context` or allocator->resize is NULL, or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_context_create(const spb_allocator *allocator, const spb_callbacks *callbacks,
				      spb_context **context);

/* Sets the limits of a context for the calls that follow. A call that would exceed one of them reports SPB1016, and
 * returns SPB_ERROR_LIMIT; or NULL or 0, if it returns no status.
 * Returns SPB_ERROR_INVALID_ARGUMENT if an argument is NULL, or if struct_size is 0 or above 4096. */
SPB_API spb_status spb_context_limit(spb_context *context, const spb_limits *limits);

/* Destroys a context, whose programs must have been destroyed before. NULL is ignored. */
SPB_API void spb_context_destroy(spb_context *context);

/* Fills `options` with the defaults. struct_size: sizeof(spb_options) as the caller was compiled. */
SPB_API void spb_options_init(spb_options *options, uint32_t struct_size);

/* Creates an empty program.
 *     options   NULL: the defaults. Copied, with everything it points to.
 *     program   receives the program, to be destroyed with spb_program_destroy before the context; NULL on failure
 * Returns SPB_ERROR_INVALID_ARGUMENT if an option has no meaning, if options cannot be used together, if
 * validation.env is not supported (SPB_NAME_ENVIRONMENT) or, with a message, if a policy is malformed; the error of a
 * resolver that cannot be used (SPB_ERROR_INVALID_SPIRV, SPB_ERROR_UNSUPPORTED or SPB_ERROR_CONFLICT);
 * SPB_ERROR_LIMIT; or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_program_create(spb_context *context, const spb_options *options, spb_program **program);

/* Destroys a program and everything it returned. NULL is ignored. */
SPB_API void spb_program_destroy(spb_program *program);

/* Sets an option by its name on the command line (spirv-bind(1)), with or without "--", before the first module is
 * added. It overrides the options of spb_program_create, and adds to their lists. Options that name a file (lock,
 * resolver, a profile that is not built in) are fields of spb_options only, since the library reads no files.
 *     name    of SPB_NAME_OPTION: those of the command about the layout, locks, handles, samplers, NonUniform and
 *             validation, and mode, which is bind, check, lint or collect (spb_mode)
 *     value   as after "=" on the command line; NULL: none. A flag takes NULL, "1" or "0". Copied.
 * Returns SPB_ERROR_INVALID_ARGUMENT, with a message, if there is no such option, it does not take this value, or a
 * module has been added; or SPB_ERROR_OUT_OF_MEMORY. The program is then unchanged. Options that cannot be used
 * together are reported by the first spb_program_add. */
SPB_API spb_status spb_program_set(spb_program *program, const char *name, const char *value);

/* Parses a SPIR-V module, of either byte order, and adds it to the program.
 *     name         for messages and the layout JSON; NULL: "module N". Copied.
 *     words        the module; needs no alignment beyond that of uint32_t. Copied.
 *     word_count   in words of 4 bytes
 *     flags        SPB_ADD_*
 * Returns SPB_ERROR_INVALID_SPIRV if the module violates the rules of SPIR-V 2.3 (physical layout) or 2.4 (logical
 * layout), SPB_ERROR_UNSUPPORTED, SPB_ERROR_INVALID_ARGUMENT if the program has been bound or, with a message, if its
 * options cannot be used together; SPB_ERROR_LIMIT; or SPB_ERROR_OUT_OF_MEMORY. The program is then unchanged. */
SPB_API spb_status spb_program_add(spb_program *program, const char *name, const uint32_t *words, size_t word_count,
				   uint32_t flags);

/* Does what options.mode says: by default, lowers handles, decides the layout of all modules, rewrites and validates
 * them. It may be called once for each program, and again after SPB_ERROR_OUT_OF_MEMORY or SPB_ERROR_LIMIT. On failure
 * no result is available, except SPB_WORDS_DUMP.
 * Returns any status; SPB_ERROR_INVALID_ARGUMENT if the program has been bound before or, with a message, if the lock
 * is malformed. */
SPB_API spb_status spb_program_bind(spb_program *program);

/* Returns a module in the byte order of its input, and its size in words of 4 bytes in *word_count, which may be NULL.
 *     module   index in the order of spb_program_add
 * NULL and 0 if there is none. */
SPB_API const uint32_t *spb_program_words(const spb_program *program, size_t module, spb_words_kind which,
					  size_t *word_count);

/* The results as lists. Each of these functions returns the number of elements, and a list of the program in its last
 * argument. Lists are computed by the first call.
 *     struct_size   sizeof one element as the caller was compiled, which is the distance of the elements in bytes
 * 0 and NULL before a successful bind, if struct_size is 0 or above 4096, or when memory runs out. */

/* The modules, in the order of spb_program_add. */
SPB_API size_t spb_program_modules(spb_program *program, uint32_t struct_size, const spb_module_info **modules);

/* The descriptors, ordered by set and binding: the entries of the descriptor set layouts (Vulkan, "Descriptor Set
 * Layout"). A set below the highest one that has none is an empty set layout. */
SPB_API size_t spb_program_descriptors(spb_program *program, uint32_t struct_size,
				       const spb_descriptor_binding **descriptors);

/* The resources of all modules, ordered by descriptor, name and module; those that were removed come last. */
SPB_API size_t spb_program_resources(spb_program *program, uint32_t struct_size, const spb_resource **resources);

/* The push constant ranges of the pipeline layout, ordered by stage. */
SPB_API size_t spb_program_push_constants(spb_program *program, uint32_t struct_size,
					  const spb_push_constant_range **ranges);

/* The accesses to resources, in the order of the modules and of their instructions; none without options.explain. */
SPB_API size_t spb_program_accesses(spb_program *program, uint32_t struct_size, const spb_descriptor_access **accesses);

/* Returns a text of the program, NUL-terminated, and its length in bytes without the NUL in *length, which may be NULL.
 *     argument   as the kind says; otherwise ignored. Read during the call only.
 * NULL before a successful bind (SPB_TEXT_FACTS: of SPB_MODE_COLLECT), if the argument is not what the kind needs, or
 * when memory runs out. */
SPB_API const char *spb_program_text(spb_program *program, spb_text_kind kind, const char *argument, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
