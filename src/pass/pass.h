/* SPDX-License-Identifier: Apache-2.0 */
/* pass: what changes a module. A pass reads the module, plans, and records edits; the runner commits them.
 *
 * This header holds what all rooms of passes share. To add a pass: a fixture in spirv-fixtures/<name>/, a file
 * <name>.c in the room it belongs to, its prototype in that room's header, and its row in pipeline.c. */
#ifndef SPB_PASS_H
#define SPB_PASS_H

#include "analysis/layout/layout.h"

struct spb_heap {
	uint32_t variable; /* id */
	enum spb_descriptor kind;
};

/* A variable that stands for a part of what the author declared. */
struct spb_leaf {
	uint32_t variable;     /* id                                                     */
	uint32_t run;          /* the same for all parts of one, from 1 in module order  */
	uint32_t leaf, leaves; /* which part, of how many that are numbered together    */
	const char *declared;  /* name of the whole: a block's type name, or the OpName  */
	const char *path;      /* what follows the whole's name: ".a"                    */
	bool unused;           /* as the whole: no function refers to it                 */
};

/* Why an access differs between invocations, or why not; for people. Strings in m.keep. */
struct spb_why {
	const char *text;
	uint32_t id; /* 0: of no value */
	const char *name, *file;
	uint32_t line; /* 0: not known */
};

struct spb_judgement {
	uint32_t id;     /* result of the access chain */
	uint8_t uniform; /* SPB_UNIFORM_GROUP, _SUBGROUP */
	bool differs;    /* so it is marked              */
	bool certain;    /* it differs by nature; else nothing is known */
	struct spb_why *why;
	uint32_t why_count;
};

struct spb_resolver_module; /* resolver.h */

/* One module of a program on its way through the pipeline. */
struct spb_unit {
	struct spb_module m;
	const spb_options *options;
	bool has_policies;               /* that place resources */
	struct spb_edit edit;            /* of the pass at work */
	SPB_LIST(struct spb_heap) heaps; /* made by lower-handles, in m.keep; none after descriptor-heap */
	uint32_t builtin_heaps;          /* 1 << kind: descriptors that the module takes from the built-in heaps */
	SPB_LIST(uint32_t) added; /* ids of variables */ /* by merge-resolver, in m.keep */
	SPB_LIST(struct spb_leaf) leaves;                /* made by passes that split variables, in m.keep */
	uint32_t *pairs_found; /* bits over options->combined.merge, of the program: some module has both names  */
	uint32_t *removed;     /* bits over ids: resources that are not used (spb_find_used) and shall go; NULL: none */
	uint32_t *nonuniform;  /* bits over ids: variables of which some access is marked; NULL: none           */
	uint32_t nonuniform_bound;
	SPB_LIST(struct spb_judgement) judgements; /* by id, with options->explain */
	struct spb_resolver_module *resolvers;     /* of the program */
	size_t resolver_count;
	/* known once merge-resolver has run; lists of ids, in m.keep */
	uint32_t index_function; /* gives the index of a handle, in place of .x; 0: none        */
	bool index_takes_kind;   /* it has a second parameter                                   */
	SPB_LIST(uint32_t)
	plain,                  /* copies of handles whose index is .x all the same, ascending         */
	    defaults,           /* results of dereferences that were calls of the default, before that */
	    whole_functions,    /* called for whole dereferences, maybe several times      */
	    resolver_functions; /* merged, or of the module itself: they go when nobody calls them */
	uint32_t unmarked;      /* by --nonuniform=lint: accesses that differ and are not marked */

	/* known once the program is laid out, read by assign-bindings */
	struct spb_variables variables;
	const struct spb_layout *layout;
	const char *registers_note; /* "": none */
};

/* The passes of this room. Passes return true when they recorded edits. */

bool spb_pass_expand_groups(struct spb_unit *u);
bool spb_pass_remove_unused(struct spb_unit *u);
bool spb_pass_assign_bindings(struct spb_unit *u);

/* pipeline.c */

void spb_run_before_layout(struct spb_unit *u);
void spb_run_after_layout(struct spb_unit *u);
void spb_run_on_resolver(struct spb_unit *u); /* the passes that bring it into one shape */

/* handle_values.c */

/* Throws if `handle` is no uint2. `at`: the dereference. */
void spb_check_handle_type(const struct spb_module *m, spb_at at, uint32_t handle);
/* The handle as what a resolver takes: before `at`, an int2 is made a uint2, which is the type given. */
uint32_t spb_put_uint2(struct spb_unit *u, uint32_t at, uint32_t handle, uint32_t uint2);

/* What stands for a dereference once normalize-handles has run. */
#define SPB_HANDLE_SET "NonSemantic.DescriptorHandle"

enum {                                /* extended instructions: dereferences to */
       SPB_HANDLE_OPAQUE = 1,         /* an opaque value      */
       SPB_HANDLE_STORAGE_BUFFER = 2, /* a storage buffer     */
       SPB_HANDLE_UNIFORM_BUFFER = 3, /* a uniform buffer     */
       SPB_HANDLE_FOR_ATOMIC = 4      /* an image of which a texel pointer is taken */
};

#endif
