/* SPDX-License-Identifier: Apache-2.0 */
/* lib: the public API. A program takes modules, computes one layout over all of them, and returns modules. */
#ifndef SPB_LIB_H
#define SPB_LIB_H

#include "analysis/workspace/workspace.h"
#include "lib/header/header.h"
#include "lib/validation/validation.h"
#include "pass/resolver/resolver.h"

#include "spirv-bind/workspace.h"

/* A program and its modules */

/* In a program with more modules than that, indexes share chunks, because separate chunks would leave gaps that are too
 * small for later allocations. The indexes are freed with the layout if at most one in SPB_FEW_MODULES is needed after
 * it. */
enum { SPB_FEW_MODULES = 16 };
enum { SPB_MOST_SHARING = 512 }; /* modules in one struct spb_shared, about a chunk */

struct spb_slot { /* a module in its program */
	struct spb_unit unit;
	enum spb_verdict_kind verdict;
	uint32_t flags;         /* SPB_ADD_* */
	uint32_t stages;        /* VkShaderStageFlags of its entry points; set by spb_collect_slot */
	bool indexes_fit;       /* its constant indexes are known to be inside their arrays */
	const uint32_t *output; /* in the byte order of the input */
	size_t output_count;
	bool finished; /* finish.c has changed it */
};

/* Whether passes or finish.c have changed it. */
static inline bool spb_is_changed(const struct spb_slot *slot)
{
	return slot->unit.m.run || slot->finished;
}

struct spb_listed { /* what the JSON contains beyond spb_descriptor_access */
	struct spb_access access;
	uint32_t effects;                      /* SPB_EFFECT_* */
	const struct spb_judgement *judgement; /* NULL: none */
};

struct spb_given { /* a list with the element size of the caller's structs */
	const void *list, *copy;
	uint32_t stride;
};

struct spb_results { /* once they are asked for */
	SPB_LIST(spb_module_info) module_infos;
	SPB_LIST(spb_descriptor_binding) descriptors;
	SPB_LIST(spb_resource) resources;
	SPB_LIST(spb_push_constant_range) push_constants;
	SPB_LIST(spb_descriptor_access) accesses;
	SPB_LIST(struct spb_listed) listed; /* parallel to accesses */
	SPB_LIST(spb_entry_point) entry_points;
	SPB_LIST(spb_specialization_constant) constants;
	SPB_LIST(spb_vertex_input) vertex_inputs;
	SPB_LIST(spb_required_feature) features;
	SPB_LIST(spb_block) blocks;
	SPB_LIST(spb_member) members;
	bool blocks_listed, modules_listed, descriptors_listed, accesses_listed, push_constants_listed,
	    interfaces_listed;
	SPB_LIST(struct spb_given) given;
	struct { /* those without an argument */
		const char *text;
		size_t length;
	} texts[SPB_TEXT_FACTS + 1];
};

struct spb_program {
	struct spb_context *context;
	struct spb_arena keep;

	/* options */
	spb_options options;
	bool settled; /* they are final: spb_settle_options */
	struct spb_policies policies;
	struct spb_resolver_module *resolvers;
	size_t resolver_count;
	uint32_t *pairs_found; /* struct spb_unit */

	/* modules */
	SPB_LIST(struct spb_slot *) slots;
	struct spb_shared *shared; /* of the modules that were added last, if there are many */
	struct spb_layout_module *modules;
	struct spb_layout layout;
	bool tried, bound; /* spb_program_bind has been called; with success */
	bool starved;      /* with too little memory: it may be called again */
	bool collected;    /* with success, in SPB_MODE_COLLECT, which binds nothing */

	struct spb_results results;
};

/* Creating it */

/* program.c: the one setjmp: runs a function that may throw. */
spb_status spb_guard(struct spb_context *c, void (*run)(void *), void *argument);
/* What a call returns for want of memory. If a limit is the reason, reports it. */
spb_status spb_no_memory(struct spb_context *c);
/* Resets the program after a bind that has run out of memory. */
spb_status spb_begin_again(struct spb_program *p);

/* options.c */

/* Fails with this message. */
noreturn void spb_refuse_option(struct spb_context *c, const char *text);
/* *to is all zero. False: an option has no meaning. */
bool spb_read_options(const spb_options *from, spb_options *to);
/* Why options cannot be used together; NULL: they can. */
const char *spb_options_disagree(const spb_options *o);
/* Copies what the options point to into p->keep. May fail. */
void spb_copy_options(struct spb_program *p);
/* Reads the lines of all policies, and of the profiles they name, into p->policies. May fail. */
void spb_read_policies(struct spb_program *p);
/* Before the first module: nothing can be set after it. May fail. */
void spb_settle_options(struct spb_program *p);

/* program_set.c: options by name. All of them fail, with a message, if something is wrong with the option. */

struct spb_option;

const struct spb_option *spb_need_option(struct spb_context *c, const char *name);

/* The lists of options before spb_set_option, which appends to the same lists, and inserts policies. */
struct spb_former_options {
	spb_options options;
	spb_policy *policies; /* in scratch */
};

struct spb_former_options spb_note_options(struct spb_context *c, const spb_options *options);
void spb_restore_options(spb_options *options, const struct spb_former_options *former);
/* Reads a value, NULL for none. That of an option which names a file is left to the caller. */
void spb_set_option(struct spb_context *c, spb_options *options, struct spb_arena *keep, const struct spb_option *o,
		    const char *value);

/* Binding it, which bind_program.c does */

/* unmatched.c: warnings about options that have no effect on the program */
void spb_warn_before_passes(struct spb_program *p);
void spb_warn_after_passes(struct spb_program *p);

/* program_layout.c */
void spb_collect_slot(struct spb_program *p, struct spb_slot *slot); /* finds what the layout needs to know */
void spb_lay_out_program(struct spb_program *p);

/* judge.c: validates all modules of a program */
spb_status spb_judge_inputs(struct spb_program *p);
spb_status spb_judge_outputs(struct spb_program *p);

/* finish.c: applies options.output to a valid module */
void spb_finish(struct spb_program *p, struct spb_slot *slot);

/* Results, which results.c returns. Lists are made once; texts are in p->keep. All of them throw. */

/* lists.c */
void spb_list_descriptors(struct spb_program *p); /* with their resources */
/* The VkDescriptorTypes of a mutable entry. */
/* resourceMask of the mapping of a binding; 0: it is in a set layout. */
uint32_t spb_entry_resource_mask(const struct spb_program *p, const struct spb_entry *e);
const uint32_t *spb_mutable_types(const struct spb_entry *e, struct spb_arena *arena, uint32_t *count);
/* A list with the caller's size of its elements. NULL: out of memory; it does not throw. */
const void *spb_give(struct spb_program *p, const void *list, size_t count, uint32_t size, uint32_t wanted);

/* access_list.c: into p->results */
void spb_list_accesses(struct spb_program *p);

/* check.c: reports what binding changes; SPB_ERROR_NOT_FINAL if that is anything */
spb_status spb_check_changes(struct spb_program *p);

/* push_constants.c: into p->push_constants */
void spb_list_push_constants(struct spb_program *p);
void spb_compare_push_constants(struct spb_program *p); /* reports bytes with different members in different stages */
bool spb_is_push_constants(const struct spb_module *m, spb_at at); /* a variable of that kind */
/* Sizes of the types of a module. */
const uint32_t *spb_sizes_of(struct spb_program *p, size_t module);
const struct spb_structs *spb_structs_of(struct spb_program *p, size_t module);

/* interfaces.c: entry points, specialization constants and vertex inputs and features, into p->results */
void spb_list_interfaces(struct spb_program *p);

/* features.c */

struct spb_feature_names {
	const char **items;
	size_t count, capacity;
};

struct spb_added {
	spb_added_capability *items;
	size_t count, capacity;
};

void spb_add_feature(struct spb_program *p, struct spb_feature_names *names, const char *name); /* unless it is there */
/* The Vulkan features that a module needs. all: those that --host-features has to list: of descriptors, and also
 * properties and extensions, which are not features. */
void spb_list_features(struct spb_program *p, size_t module, bool all, struct spb_feature_names *names);
void spb_list_all_features(struct spb_program *p); /* those of all modules, into p->results */
/* Capabilities that the output of a module declares and its input does not. */
struct spb_added spb_find_added(const struct spb_program *p, size_t module, struct spb_arena *arena);
/* Fails if a module needs what the host does not have. */
void spb_check_host(struct spb_program *p);

/* layout_header.c */
const char *spb_write_layout_header(struct spb_program *p, const char *prefix, size_t *length);
const char *spb_write_layout_glsl(struct spb_program *p, const char *prefix, size_t *length);

struct spb_shared_sets {                           /* the sets that the same programs share */
	const char *programs;                      /* a pattern, or the name of a family */
	const spb_descriptor_binding *descriptors; /* by set, then binding */
	size_t count;
};

/* Those of several programs, with the stages of all. */
const char *spb_write_shared_header(const char *prefix, const struct spb_shared_sets *groups, size_t count,
				    struct spb_arena *keep, struct spb_arena *scratch, size_t *length);

/* layout_header_structs.c: appends the structs of all blocks */
void spb_put_structs(struct spb_program *p, const char *prefix, struct spb_text_buffer *text);

/* layout_json.c */
const char *spb_write_layout_json(struct spb_program *p, size_t *length);

/* Parts of it, for layout_json.c */

struct spb_json;

/* layout_json_types.c: {...}, of a variable of the module */
void spb_json_type(struct spb_json *j, struct spb_program *p, size_t module, const struct spb_variable *v);

struct spb_blocks {       /* bits over ids; NULL: there are none */
	uint32_t *all;    /* types of uniform and storage buffers, and of push constants */
	uint32_t *pushed; /* of push constants */
	uint32_t *inner;  /* structs that are members of these, and of one another */
};

/* blocks.c: also "blocks": [...] */
struct spb_blocks spb_find_blocks(struct spb_program *p, size_t module); /* in scratch */
void spb_list_blocks(struct spb_program *p);                             /* into p->results */
void spb_json_blocks_keys(struct spb_json *j, struct spb_program *p, size_t module);

/* layout_json_heaps.c: items of "heaps" for those of SPV_EXT_descriptor_heap; "handleChecks": {...}, if there are some
 */
void spb_json_builtin_heaps(struct spb_json *j, struct spb_program *p);
void spb_json_index_keys(struct spb_json *j, const spb_descriptor_access *a); /* "index" and what belongs to it */
void spb_json_heap_accesses(struct spb_json *j, struct spb_program *p);       /* once all accesses are listed */
void spb_json_handle_checks_key(struct spb_json *j, const struct spb_unit *u);

/* Many programs, which workspaces.c has */

struct spb_workspace {
	struct spb_arena keep;
	struct spb_arena given; /* the last SPB_WORKSPACE_PROGRAM_LOCK */
	struct spb_workspace_plan plan;
	bool begun;       /* no more programs are added */
	bool tried;       /* deciding or merging has been tried */
	bool decided;     /* with success */
	const char *lock; /* with decided */
	size_t lock_length;
};

/* workspace_json.c; in w->keep; throw */
const char *spb_write_workspace_json(struct spb_workspace *w, size_t *length);
/* The shared sets as a header of C. */
const char *spb_write_workspace_header(struct spb_workspace *w, const char *prefix, size_t *length);
/* The same with the resources of each program, for the HTML report. */
const char *spb_write_workspace_matrix(struct spb_workspace *w, size_t *length);

#endif
