/* SPDX-License-Identifier: Apache-2.0 */
/* workspace: the numbers of many programs that share descriptor sets and one lock file.
 *
 *   1. facts.c    each program by itself: what its layout says about every resource, as a few lines of text
 *   2. join.c   the facts of all programs, the lock -> one number for what is one descriptor
 *   3. locks.c    the lock file of all, and for each program the lock that it is bound with
 *
 * What is shared are bindings, not registers or rules: programs that follow different rules can share a set. Every
 * number of a workspace is in the lock before any program is bound, so that it does not matter where, and with which
 * others, a program is bound. */
#ifndef SPB_WORKSPACE_H
#define SPB_WORKSPACE_H

#include "analysis/layout/lock.h"
#include "analysis/layout/policy.h"
#include "base/blake2.h"

/* facts.c */

enum spb_fact_place {
	SPB_FACT_OPEN,  /* the program does not mind */
	SPB_FACT_FIXED, /* by a module, or by an option */
	SPB_FACT_LOCKED /* by a line of the lock that is the program's own */
};

struct spb_fact {                     /* a resource of a program, or of several that say the same of it */
	unsigned char digest[DIGEST]; /* of its lines */
	const char *name;
	uint32_t ordinal;
	bool heap;
	enum spb_fact_place place;
	uint32_t set, binding; /* by itself; the decided ones are those of the resource */
	enum spb_descriptor kind;
	uint64_t type;                  /* hash of the element's type */
	uint32_t blocks;                /* its members, in spb_workspace_plan.members; only of blocks */
	uint32_t members;               /* how many */
	uint32_t count;                 /* 0: runtime array */
	uint32_t stages;                /* bits: those whose entry points use it */
	struct spb_entry entry;         /* vk_type, types, flags, set_flags, immutable, non_uniform, count */
	const struct spb_freedom *free; /* most have none, and say so in one place */
};

struct spb_fact_shift {
	enum spb_class class;
	uint32_t set, by;
};

struct spb_fact_reserve { /* numbers that open resources keep off */
	uint32_t set, first, last;
};

/* What is known of a program. There are many programs, and few different facts. */
struct spb_facts {
	const uint32_t *items; /* into spb_workspace_plan.facts */
	uint32_t *resources;   /* decided, parallel to the items: into spb_workspace_plan.resources */
	const struct spb_fact_shift *shifts;
	const struct spb_fact_reserve *reserved;
	uint32_t count, shift_count, reserve_count;
};

const char *spb_facts_text(const struct spb_layout *layout, const spb_options *options,
			   const struct spb_policies *policies, struct spb_layout_module *modules,
			   struct spb_context *c, struct spb_arena *keep, size_t *length);

/* A workspace */

struct spb_resource_of_all { /* a resource of a scope: one number, whichever programs have it */
	uint32_t scope;
	uint32_t program;            /* the first that has it */
	const struct spb_fact *fact; /* there */
	uint32_t firm;               /* the program that fixes it, + 1 */
	enum spb_class class;
	uint32_t number; /* with has_lane */
	uint32_t run;    /* numbers that it takes together with those that go along with it */
	bool has_lane;
	bool placed;  /* its number comes from a program or the lock */
	bool follows; /* it goes along with another one */
	uint32_t set, binding;
	uint32_t count, stages;
	struct spb_entry entry;
	struct spb_lock_entry *locked;
	bool differs; /* its line in the lock is not what it should be */
};

struct spb_scope {
	const char *label;   /* what the lines of the lock say after program= */
	bool shared;         /* a shared set, or a family: numbered for all its programs together */
	uint32_t first, end; /* its resources, in spb_workspace.sorted */
	struct spb_shifts shifts;
	SPB_LIST(struct spb_fact_reserve) reserved;
	bool complete; /* all its programs are here */
};

struct spb_share {
	uint32_t set;
	const char *programs;
};

struct spb_workspace_program {
	const char *name;
	const char *family; /* NULL: none */
	struct spb_facts facts;
	uint32_t scope; /* of what is its own */
	bool collected; /* its facts are known */
	bool left_out;  /* it has faults, or contradicts another one */
	bool in_family; /* it is a variant, or has one */
	bool differs;   /* its part of the lock is not what it should be */
};

struct spb_workspace_plan {
	uint32_t *sorted;              /* resources, scope by scope */
	struct spb_lock_entry **lines; /* of the lock, scope by scope */
	struct spb_context *c;
	struct spb_arena *keep;
	struct spb_lock lock;
	const char *lock_name;
	bool has_lock; /* false: there is no file yet */
	bool begun;    /* no more programs are added */
	bool partial;  /* there are other programs, of which nothing is known here */
	SPB_LIST(struct spb_share) shares;
	SPB_LIST(struct spb_workspace_program) programs;
	SPB_LIST(struct spb_fact) facts;
	SPB_LIST(struct spb_typed_member) members;
	SPB_LIST(struct spb_resource_of_all) resources;
	SPB_LIST(struct spb_scope) scopes;
	struct spb_names names;
	uint32_t *fact_slot, fact_mask;       /* hash of its lines -> fact + 1 */
	uint32_t *program_slot, program_mask; /* hash -> program + 1 */
	uint32_t *scope_slot, scope_mask;
	uint32_t *resource_slot, *place_slot, resource_mask;
	bool tried, decided;
	bool left_out; /* some program is, */
	bool refused;  /* since it contradicts another one */
};

static inline const struct spb_fact *spb_fact_of(const struct spb_workspace_plan *w,
						 const struct spb_workspace_program *p, uint32_t i)
{
	return &w->facts.items[p->facts.items[i]];
}

/* facts.c */

/* The facts of a program, from the current line up to the end of the text or a line that begins with "program". */
void spb_read_facts(struct spb_workspace_plan *w, struct spb_workspace_program *p, struct spb_lines *r);
void spb_put_facts(const struct spb_workspace_plan *w, const struct spb_workspace_program *p,
		   struct spb_text_buffer *text);

/* collected.c: the facts of several programs as one text */
void spb_set_facts(struct spb_workspace_plan *w, struct spb_workspace_program *p, const char *text); /* of one */
void spb_read_collected(struct spb_workspace_plan *w, const char *file, const char *text);
const char *spb_collected_text(struct spb_workspace_plan *w, size_t *length);

/* names.c: programs and scopes by name */

struct spb_workspace_program *spb_find_workspace_program(const struct spb_workspace_plan *w, const char *name);
void spb_add_workspace_program(struct spb_workspace_plan *w, const char *name, const char *family);
/* Families and scopes, once all programs are known; and again if some are left out. */
void spb_find_scopes(struct spb_workspace_plan *w);
/* NULL: there is none of that label. */
const struct spb_scope *spb_find_scope(const struct spb_workspace_plan *w, const char *label);
/* The scope of what a program has in a set. */
uint32_t spb_scope_of(const struct spb_workspace_plan *w, uint32_t program, uint32_t set, bool alone);
noreturn void spb_workspace_fail(struct spb_workspace_plan *w, spb_status status, uint32_t code, const char *program,
				 const char *format, ...);

/* An error of a program. */
void spb_workspace_say(struct spb_workspace_plan *w, uint32_t code, const char *program, const char *text);
/* Leaves out a program that contradicts another one. */
void spb_refuse_program(struct spb_workspace_plan *w, uint32_t program);

/* join.c */
void spb_decide_numbers(struct spb_workspace_plan *w);

/* share.c: the resources of one scope that are open get numbers */
void spb_number_scope(struct spb_workspace_plan *w, struct spb_scope *scope);

/* locks.c */

struct spb_scope_lines {
	struct spb_lock_entry **items;
	size_t count;
};

/* The lines of a scope, in the order of the file; NULL: those of all programs. */
struct spb_scope_lines spb_lines_of(const struct spb_workspace_plan *w, const char *scope);
void spb_sort_lock(struct spb_workspace_plan *w); /* before that */

/* The lock of all programs; says which of them differ from the one that was read. */
const char *spb_workspace_lock_text(struct spb_workspace_plan *w, size_t *length);
/* The lines of the lock that was read which the programs of the workspace depend on. */
const char *spb_lock_part(struct spb_workspace_plan *w, size_t *length);
/* The lock with which the facts of a program are found: what is its own, and the sets that it shares. */
const char *spb_lock_before(struct spb_workspace_plan *w, uint32_t program, struct spb_arena *arena, size_t *length);
/* The lock with which it is bound. */
const char *spb_lock_of(struct spb_workspace_plan *w, uint32_t program, struct spb_arena *arena, size_t *length);

/* merge_locks.c: w->lock is ours */
const char *spb_merge_locks(struct spb_workspace_plan *w, const char *base, const char *theirs, const char *name,
			    size_t *length);

#endif
