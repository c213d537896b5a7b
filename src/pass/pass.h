/* SPDX-License-Identifier: Apache-2.0 */
/* pass: a pass changes a module. It reads the module, plans, and records edits, which the runner commits.
 *
 * This header holds what all rooms of passes share. To add a pass: write a fixture in spirv-fixtures/<name>/ and a file
 * <name>.c in the room it belongs to, declare the pass in that room's header, and add a row to pipeline.c. */
#ifndef SPB_PASS_H
#define SPB_PASS_H

#include "analysis/layout/layout.h"

enum spb_heap_stride_kind {
	SPB_STRIDE_BYTES,   /* a number */
	SPB_STRIDE_SIZE,    /* of a descriptor of this kind, as the driver knows it */
	SPB_STRIDE_UNIFIED, /* the largest of several such sizes */
	SPB_STRIDE_COMPUTED /* a specialization constant, or computed in another way */
};

struct spb_heap {
	uint32_t variable; /* id */
	enum spb_descriptor kind;
	bool remade; /* a built-in heap of the input that becomes one again, with its own stride: */
	enum spb_heap_stride_kind stride; /* of remade heaps only */
	uint32_t stride_number;           /* SPB_STRIDE_BYTES: these; SPB_STRIDE_COMPUTED: id of the constant */
};

/* A variable that stands for part of a resource that the input declares. */
struct spb_piece {
	uint32_t variable;      /* id */
	uint32_t origin;        /* the same for all parts of one resource, from 1 in module order */
	uint32_t piece, pieces; /* which part, and how many parts are numbered together */
	const char *declared;   /* name of the whole: the type name of a block, or the OpName */
	const char *path;       /* suffix to the name of the whole: ".a" */
	bool unused;            /* counts as unused: no function refers to it */
};

/* A step in the explanation of why an access differs or not. Strings in m.keep. */
struct spb_why {
	const char *text; /* ends with the place: (lit.frag:12) */
	size_t length;    /* of the text before that */
	uint32_t id;      /* 0: no value, or not one of the input */
	const char *name, *file;
	uint32_t line, column; /* 0: unknown */
	spb_at at;             /* 0: no place in particular; valid until the next pass */
};

/* The explanation of a value that depends on nothing. */
static inline struct spb_why spb_why_constant(void)
{
	static const char text[] = "it is computed from constants";

	return (struct spb_why){.text = text, .length = sizeof text - 1, .name = "", .file = ""};
}

struct spb_judgement {
	uint32_t id;         /* result of the access chain */
	uint8_t uniform;     /* SPB_UNIFORM_GROUP, _SUBGROUP */
	bool differs;        /* and is therefore decorated */
	bool certain;        /* known to differ; otherwise nothing is known */
	bool by_author;      /* the input decorates it, whatever the analysis finds */
	struct spb_why *why; /* for the group */
	uint32_t why_count;
	struct spb_why *why_subgroup; /* for the subgroup, if the value differs there, too, and for another reason */
	uint32_t why_subgroup_count;
};

struct spb_resolver_module; /* resolver.h */

/* An assertion that is checked at run time, by the member of a buffer with its number. Strings in m.keep. */
struct spb_counter {
	const char *file; /* "": unknown */
	uint32_t line;    /* 0: unknown */
	bool of_subgroup; /* false: of the workgroup */
};

/* A dereference that is checked at run time (--instrument-handles). Strings in m.keep. */
struct spb_handle_site {
	const char *file; /* "": unknown */
	uint32_t line;    /* 0: unknown */
	enum spb_descriptor kind;
};

struct spb_made {
	const char *pass;
	uint32_t first; /* the pass made the ids from here to those of the next one */
};

/* What a room leaves for others. Lists are in m.keep, bits are over ids, and an id is 0 if there is none. */

/* lib writes it before the passes run. */
struct spb_in_program {
	uint32_t number; /* of the module */
	struct spb_module **modules;
	uint32_t module_count;
	const struct spb_policies *policies;
	struct spb_resolver_module *resolvers;
	size_t resolver_count;
	uint32_t
	    *pairs_found; /* bits over options->combined.merge, which merge-combined sets: some module has both names */
};

/* pipeline.c; lib reads it. */
struct spb_run_of_passes {
	SPB_LIST(struct spb_made) made; /* which passes made ids */
	uint32_t *dump;                 /* words of the module after the pass debug.dump_after; NULL: not reached */
	uint32_t dump_count;
};

/* builtin, of the heaps of SPV_EXT_descriptor_heap; lib reads `kinds`. */
struct spb_builtin_found {
	bool remakes;   /* those of the input become arrays, and built-in ones again; pipeline.c writes it */
	bool adopted;   /* some of handles.heaps were in the input */
	uint32_t kinds; /* 1 << kind: descriptors that the module takes from them */
};

/* handles; builtin, shapes, nonuniform and lib read it. */
struct spb_handles_made {
	SPB_LIST(struct spb_heap) heaps; /* builtin adds and takes away some; none are left after descriptor-heap */
	uint32_t table, faults;          /* variables of --instrument-handles */
	SPB_LIST(struct spb_handle_site) sites;
	bool bounds_checked; /* SPB_CHECKED_REMARK is written */
};

/* resolver; handles and lib read it. */
struct spb_resolver_merged {
	bool has_handles;        /* the module dereferences handles, or has references that are lowered */
	bool resolves_heaps;     /* also the indexes of heaps that the module has already, for which: */
	uint32_t handle_type;    /* the type of the index function's first parameter */
	uint32_t index_function; /* returns the index of a handle, in place of .x */
	bool index_takes_kind;   /* it has a second parameter */
	SPB_LIST(uint32_t)
	plain,               /* copies of handles whose index is .x nevertheless, ascending */
	    defaults,        /* results of dereferences that were calls of the default function */
	    whole_functions, /* called for whole dereferences, possibly several times */
	    functions;       /* merged, or defined in the module: removed when nothing calls them */
};

/* Passes that declare variables; lib reads it for the layout. */
struct spb_created {
	SPB_LIST(uint32_t) added;          /* ids of variables that are not in the source text */
	SPB_LIST(struct spb_piece) pieces; /* of variables that were split */
};

/* nonuniform and waterfall; lib reads it. */
struct spb_nonuniform_found {
	uint32_t *variables; /* bits below `bound`: with a decorated access; NULL: none */
	uint32_t bound;
	SPB_LIST(uint32_t) own_marks; /* ids that passes, shapes among them, decorated though the input did not */
	SPB_LIST(struct spb_judgement) judgements; /* by id, with options->explain */
	uint32_t counter_buffer;                   /* variable */
	SPB_LIST(struct spb_counter) counters;     /* of assertions */
	uint32_t lint_errors;                      /* of the lint: errors that are new */
	uint32_t marked, looped; /* accesses that were decorated, and those that were put into loops */
	uint32_t undeclared; /* bits over kinds: indexed dynamically, which the compiler declared no capability for */
};

/* lib writes it when the program is laid out; the passes after the layout read it. */
struct spb_laid_out {
	struct spb_variables variables;
	struct spb_source_text text;
	struct spb_dropped dropped;
	const struct spb_layout *layout;
	uint32_t *removed;            /* bits: unused resources (spb_find_used) to be removed; NULL: none */
	const char *registers_remark; /* "": none */
	bool one_each;                /* an array takes one of its numbers: they are bindings, not registers */
	bool may_have_registers;      /* spb_may_count_registers */
	bool text_is_taken;           /* the bindings must not be compared with the source text again */
};

/* One module of a program in the pipeline. */
struct spb_unit {
	struct spb_module m;
	const spb_options *options;
	struct spb_edit edit; /* of the current pass */
	struct spb_in_program program;
	struct spb_run_of_passes run;
	struct spb_builtin_found builtin;
	struct spb_handles_made handles;
	struct spb_resolver_merged resolver; /* valid after merge-resolver has run */
	struct spb_created created;
	struct spb_nonuniform_found nonuniform;
	struct spb_laid_out placed;
};

/* The passes of this room. A pass returns true if it recorded edits. */

bool spb_pass_expand_groups(struct spb_unit *u);
bool spb_pass_repair_module(struct spb_unit *u);
bool spb_may_remove_unused(const struct spb_unit *u);
bool spb_pass_remove_unused(struct spb_unit *u);
bool spb_pass_assign_bindings(struct spb_unit *u);
bool spb_pass_gather_data(struct spb_unit *u);
bool spb_may_unsize_arrays(const struct spb_unit *u);
bool spb_pass_unsize_arrays(struct spb_unit *u);
bool spb_pass_declare_runtime_arrays(struct spb_unit *u);
/* May a module, as parsed, have runtime arrays of descriptors without declaring the capability? */
bool spb_may_lack_runtime_arrays(const struct spb_unit *u);

/* pipeline.c */
const char *spb_pass_name(uint32_t index); /* in the order in which they run; NULL after the last one */
/* False if a pass made the id. */
static inline bool spb_is_of_input(const struct spb_unit *u, uint32_t id)
{
	return !u->run.made.count || id < u->run.made.items[0].first;
}

void spb_run_before_layout(struct spb_unit *u);
void spb_run_after_layout(struct spb_unit *u);
void spb_run_on_resolver(struct spb_unit *u); /* the passes that prepare a resolver */

/* own_buffers.c: storage buffers that a pass declares, from SPIR-V 1.3 on */

/* Gives a member of a new struct its name and offset. */
void spb_place_member(struct spb_unit *u, uint32_t type, uint32_t member, uint32_t offset, const char *name);
/* Declares a variable of this new struct, which becomes a block. */
uint32_t spb_add_own_buffer(struct spb_unit *u, uint32_t type, const char *name);
void spb_list_everywhere(struct spb_unit *u, uint32_t variable); /* lists a new variable in all entry points */

/* gradients.c: accesses with an implicit level of detail */

enum { SPB_GRADIENT_WORDS = 3 }; /* the maximum number of words by which an access grows */

struct spb_gradients {
	uint32_t x, y;
};

struct spb_gradient_writer {
	const struct spb_module *m;
	struct spb_edit *e;
	void (*put)(void *to, uint32_t op, const uint32_t *operands, uint32_t count); /* where the derivatives go */
	void *to;
	uint32_t glsl; /* the import of GLSL.std.450; 0: not needed so far */
};

/* The opcode that takes gradients instead; 0: the instruction has no implicit level of detail. */
uint32_t spb_explicit_lod(uint32_t op);
/* The bias of an implicit level of detail; 0: there is none. */
uint32_t spb_lod_bias(const struct spb_module *m, spb_at at);
bool spb_can_derive(const struct spb_module *m, spb_at at);
/* The gradients of an access, from the new ids of its coordinate and bias (0: none). */
struct spb_gradients spb_put_gradients(struct spb_gradient_writer *w, spb_at at, uint32_t coordinate, uint32_t bias);
/* Converts its operands, with room for SPB_GRADIENT_WORDS more, to those of the other opcode. Returns their count. */
uint32_t spb_use_gradients(const struct spb_module *m, spb_at at, uint32_t *operands, struct spb_gradients g);

/* old_blocks.c: blocks decorated BufferBlock */
bool spb_is_old_pointer(const struct spb_module *m, uint32_t type); /* to such blocks, or to arrays of them */
void spb_modernize_blocks(struct spb_unit *u);                      /* all of the module */

/* handle_values.c */

bool spb_is_handle_type(const struct spb_module *m, uint32_t type);
/* Fails if `handle` is not a uint2. `at`: the dereference. */
void spb_check_handle_type(const struct spb_module *m, spb_at at, uint32_t handle);
/* The handle as a resolver's argument: an int2 is converted to the given uint2 type before `at`. */
uint32_t spb_put_uint2(struct spb_unit *u, uint32_t at, uint32_t handle, uint32_t uint2);

/* What has been done to the indexes of heaps: by a resolver, and by --bounds-check. */
#define SPB_RESOLVED_REMARK "spirv-bind: heap indexes resolved"
#define SPB_CHECKED_REMARK  "spirv-bind: heap indexes checked"

/* heap_accesses.c: heaps that the module has already, whichever tool made them. Not for after lower-handles. */

/* Marks those of `vs` (spb_collect_any_shape) that are such heaps. */
void spb_mark_existing_heaps(const struct spb_unit *u, struct spb_variables *vs);
struct spb_variables spb_find_heaps(const struct spb_unit *u);          /* only these, without counters; in scratch */
bool spb_is_heap_chain(const struct spb_module *m, struct spb_use use); /* does the use of a heap select from it? */
struct spb_index_handles {
	struct spb_unit *u;
	uint32_t *of_index; /* [bound] private */
};
/* The uint2 whose x the index is, which is loaded where only x was; 0: unknown. */
uint32_t spb_handle_of_index(struct spb_index_handles *h, uint32_t index);

/* The import of all dereferences after normalize-handles. */
#define SPB_HANDLE_SET "NonSemantic.DescriptorHandle"

enum {                                /* extended instructions: dereference to */
       SPB_HANDLE_OPAQUE = 1,         /* an opaque value */
       SPB_HANDLE_STORAGE_BUFFER = 2, /* a storage buffer */
       SPB_HANDLE_UNIFORM_BUFFER = 3, /* a uniform buffer */
       SPB_HANDLE_FOR_ATOMIC = 4,     /* an image of which a texel pointer is taken */
       SPB_HANDLE_COHERENT = 5        /* a coherent image, of which a texel pointer may be taken */
};

#endif
